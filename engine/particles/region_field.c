/*
 * Depths in regions of functions. See region_field.h.
 */
#include "particles/region_field.h"

#include "base/interruption.h"
#include "particles/region.h"

#include <inttypes.h>
#include <math.h>

enum {
  MEASURE_FLAT = 512, /* cells along each axis */
  MEASURE_SPACE = 64,
  NODES_LIMIT = 4000000,
  HALVINGS = 16,
  SWEEPS = 2 /* rounds of one in each direction */
};

static const double NO_EDGE = 1e100; /* depth where the function says yes everywhere */

floc_status region_measure(environment *env, const floc_insertion_options *options, int32_t dimension,
                           double *volume)
{
  const int cells = dimension == 2 ? MEASURE_FLAT : MEASURE_SPACE, planes = dimension == 2 ? 1 : cells;
  int64_t inside = 0;
  for (int64_t cell = 0; cell < (int64_t)cells * cells * planes; cell++) {
    if (cell % cells == 0 && interrupted(env)) return interruption_status(env);
    double position[3] = {0.0, 0.0, 0.0};
    int64_t place = cell;
    for (int axis = 0; axis < dimension; axis++, place /= cells) {
      const double share = ((double)(place % cells) + 0.5) / cells;
      position[axis] =
          options->region_lower[axis] + share * (options->region_upper[axis] - options->region_lower[axis]);
    }
    bool allowed;
    floc_status status = region_allows(env, options, position, 0.0, &allowed);
    if (status != FLOC_OK) return status;
    inside += allowed;
  }
  *volume = region_volume(options, dimension) * (double)inside / ((double)cells * cells * planes);
  return FLOC_OK;
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static void node_position(const region_field *field, int64_t node, double position[3])
{
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = field->lower[axis] + (double)(node % field->size[axis]) * field->spacing[axis];
    node /= field->size[axis];
  }
}

/* The next node along an axis on a side (0 or 1); -1: the grid ends. */
static int64_t next_node(const region_field *field, int64_t node, int axis, int side)
{
  int64_t stride = 1;
  for (int k = 0; k < axis; k++) stride *= field->size[k];
  const int64_t place = node / stride % field->size[axis] + (side ? 1 : -1);
  return place < 0 || place >= field->size[axis] ? -1 : node + (side ? stride : -stride);
}

static floc_status lay_grid(region_field *field, const floc_insertion_options *options, double spacing)
{
  double wanted = 1.0;
  for (int axis = 0; axis < field->dimension; axis++)
    wanted *= (options->region_upper[axis] - options->region_lower[axis]) / spacing + 1.0;
  if (wanted > NODES_LIMIT)
    spacing *= field->dimension == 2 ? sqrt(wanted / NODES_LIMIT) : floc_cbrt(wanted / NODES_LIMIT);
  field->nodes = 1;
  for (int axis = 0; axis < 3; axis++) {
    const bool used = axis < field->dimension;
    const double length = used ? options->region_upper[axis] - options->region_lower[axis] : 0.0;
    field->lower[axis] = used ? options->region_lower[axis] : 0.0;
    field->size[axis] = used ? (int32_t)fmin(ceil(length / spacing), 1e7) + 1 : 1;
    field->spacing[axis] = used ? length / (field->size[axis] - 1) : 1.0;
    field->nodes *= field->size[axis];
  }
  for (int k = 0; k < FIELD_RADII; k++) {
    field->depth[k] = memory_resize(field->env, NULL, 0, (size_t)field->nodes * sizeof *field->depth[k]);
    if (!field->depth[k])
      return refuse(field->env, FLOC_OUT_OF_MEMORY, "out of memory: %" PRId64 " nodes of a region's grid",
                    field->nodes);
  }
  return FLOC_OK;
}

/* ---- the edge ------------------------------------------------------------------------------------ */

/* +-INFINITY at each node: allowed or not. */
static floc_status ask_nodes(region_field *field, const floc_insertion_options *options, int which, bool *any)
{
  *any = false;
  for (int64_t node = 0; node < field->nodes; node++) {
    if (node % field->size[0] == 0 && interrupted(field->env)) return interruption_status(field->env);
    double position[3];
    bool allowed;
    node_position(field, node, position);
    floc_status status = region_allows(field->env, options, position, field->radius[which], &allowed);
    if (status != FLOC_OK) return status;
    field->depth[which][node] = allowed ? INFINITY : -INFINITY;
    *any = *any || allowed;
  }
  return FLOC_OK;
}

/* How far from `node` the edge is that lies between it and the next one. */
static floc_status find_edge(const region_field *field, const floc_insertion_options *options, int which,
                             int64_t node, int axis, int side, double *distance)
{
  double low = 0.0, high = field->spacing[axis], from[3];
  const bool begins = field->depth[which][node] > 0.0;
  node_position(field, node, from);
  for (int k = 0; k < HALVINGS; k++) {
    const double middle = 0.5 * (low + high);
    double position[3] = {from[0], from[1], from[2]};
    bool allowed;
    position[axis] += side ? middle : -middle;
    floc_status status = region_allows(field->env, options, position, field->radius[which], &allowed);
    if (status != FLOC_OK) return status;
    if (allowed == begins)
      low = middle;
    else
      high = middle;
  }
  *distance = 0.5 * (low + high);
  return FLOC_OK;
}

/* Nodes next to the edge: as far from the plane through the edge's places on their lines. near: 0 for all others.
 */
static floc_status place_edge(region_field *field, const floc_insertion_options *options, int which, double *near)
{
  for (int64_t node = 0; node < field->nodes; node++) {
    double sum = 0.0;
    for (int axis = 0; axis < field->dimension; axis++) {
      double nearest = INFINITY;
      for (int side = 0; side < 2; side++) {
        const int64_t other = next_node(field, node, axis, side);
        if (other < 0 || (field->depth[which][other] > 0.0) == (field->depth[which][node] > 0.0)) continue;
        double distance;
        floc_status status = find_edge(field, options, which, node, axis, side, &distance);
        if (status != FLOC_OK) return status;
        nearest = fmin(nearest, distance);
      }
      sum += 1.0 / (nearest * nearest);
    }
    near[node] = sum > 0.0 ? 1.0 / sqrt(sum) : 0.0;
  }
  return FLOC_OK;
}

/* ---- distances ----------------------------------------------------------------------------------- */

/* Solves sum over axes of ((d - a)/h)^2 = 1 over the axes whose a is below d; a: of the nearer neighbour. */
static double solve_node(const region_field *field, int64_t node, const double *distance)
{
  double a[3], h[3];
  int count = 0;
  for (int axis = 0; axis < field->dimension; axis++) {
    double least = INFINITY;
    for (int side = 0; side < 2; side++) {
      const int64_t other = next_node(field, node, axis, side);
      if (other >= 0) least = fmin(least, distance[other]);
    }
    if (isinf(least)) continue;
    int place = count++;
    for (; place > 0 && a[place - 1] > least; place--) {
      a[place] = a[place - 1];
      h[place] = h[place - 1];
    }
    a[place] = least;
    h[place] = field->spacing[axis];
  }
  double found = INFINITY, weight = 0.0, first = 0.0, second = -1.0;
  for (int k = 0; k < count && a[k] < found; k++) {
    weight += 1.0 / (h[k] * h[k]);
    first += a[k] / (h[k] * h[k]);
    second += a[k] * a[k] / (h[k] * h[k]);
    found = (first + sqrt(fmax(first * first - weight * second, 0.0))) / weight;
  }
  return found;
}

/* Distances without sign, from nodes next to the edge on. */
static void sweep(const region_field *field, const double *near, double *distance)
{
  const int32_t *size = field->size;
  for (int64_t node = 0; node < field->nodes; node++) distance[node] = near[node] > 0.0 ? near[node] : INFINITY;
  for (int round = 0; round < SWEEPS * 8; round++) {
    for (int64_t n = 0; n < field->nodes; n++) {
      int64_t x = n % size[0], y = n / size[0] % size[1], z = n / size[0] / size[1];
      if (round & 1) x = size[0] - 1 - x;
      if (round & 2) y = size[1] - 1 - y;
      if (round & 4) z = size[2] - 1 - z;
      const int64_t node = x + size[0] * (y + size[1] * z);
      if (near[node] == 0.0) distance[node] = fmin(distance[node], solve_node(field, node, distance));
    }
  }
}

static floc_status fill_field(region_field *field, const floc_insertion_options *options, int which, double *work)
{
  bool any;
  double *near = work, *distance = work + field->nodes, *depth = field->depth[which];
  floc_status status = ask_nodes(field, options, which, &any);
  if (status == FLOC_OK && !any)
    return refuse(field->env, FLOC_NO_ROOM,
                  "a particle of the radius %g fits nowhere into the region that a function describes",
                  field->radius[which]);
  if (status == FLOC_OK) status = place_edge(field, options, which, near);
  if (status != FLOC_OK) return status;
  sweep(field, near, distance);
  for (int64_t node = 0; node < field->nodes; node++)
    depth[node] = copysign(fmin(distance[node], NO_EDGE), depth[node]);
  return FLOC_OK;
}

floc_status region_field_create(environment *env, const floc_insertion_options *options, int32_t dimension,
                                double least_radius, double greatest_radius, region_field *field)
{
  *field = (region_field){.env = env, .dimension = dimension, .radius = {0.0, greatest_radius}};
  floc_status status = lay_grid(field, options, 0.5 * least_radius);
  if (status != FLOC_OK) return status;
  const size_t size = 2 * (size_t)field->nodes * sizeof(double);
  double *work = memory_resize(env, NULL, 0, size);
  if (!work)
    return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %" PRId64 " nodes of a region's grid", field->nodes);
  for (int k = 0; k < FIELD_RADII && status == FLOC_OK; k++) status = fill_field(field, options, k, work);
  memory_free(env, work, size);
  return status;
}

void region_field_free(region_field *field)
{
  for (int k = 0; k < FIELD_RADII; k++)
    if (field->depth[k]) memory_free(field->env, field->depth[k], (size_t)field->nodes * sizeof *field->depth[k]);
  *field = (region_field){0};
}

/* ---- answers ------------------------------------------------------------------------------------- */

/* Linear between the corners of a cell of the grid, with its derivatives. */
static double interpolate(const region_field *field, const double *depth, const double position[3],
                          double gradient[3])
{
  int64_t corner = 0, stride[3] = {1, field->size[0], (int64_t)field->size[0] * field->size[1]};
  double share[3], value = 0.0;
  for (int axis = 0; axis < field->dimension; axis++) {
    double place = (position[axis] - field->lower[axis]) / field->spacing[axis];
    place = fmin(fmax(place, 0.0), field->size[axis] - 1.000001);
    share[axis] = place - floor(place);
    corner += stride[axis] * (int64_t)floor(place);
  }
  for (int k = 0; k < 1 << field->dimension; k++) {
    double weight = 1.0;
    int64_t node = corner;
    for (int axis = 0; axis < field->dimension; axis++) {
      weight *= k >> axis & 1 ? share[axis] : 1.0 - share[axis];
      node += k >> axis & 1 ? stride[axis] : 0;
    }
    value += weight * depth[node];
    for (int along = 0; along < field->dimension; along++) {
      double slope = (k >> along & 1 ? 1.0 : -1.0) / field->spacing[along];
      for (int axis = 0; axis < field->dimension; axis++)
        if (axis != along) slope *= k >> axis & 1 ? share[axis] : 1.0 - share[axis];
      gradient[along] += slope * depth[node];
    }
  }
  return value;
}

double region_field_depth(const region_field *field, const double position[3], double radius, double inward[3])
{
  const double part = radius / field->radius[1];
  double gradient[FIELD_RADII][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, square = 0.0;
  const double all = interpolate(field, field->depth[0], position, gradient[0]);
  const double least = interpolate(field, field->depth[1], position, gradient[1]);
  for (int axis = 0; axis < 3; axis++) {
    inward[axis] = (1.0 - part) * gradient[0][axis] + part * gradient[1][axis];
    square += inward[axis] * inward[axis];
  }
  for (int axis = 0; axis < 3; axis++) inward[axis] = square > 0.0 ? inward[axis] / sqrt(square) : 0.0;
  return (1.0 - part) * all + part * least - field->shift;
}
