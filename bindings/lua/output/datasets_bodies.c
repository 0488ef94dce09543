/*
 * Bodies of a world as a dataset of VTK. They are drawn as surfaces: in two dimensions plates as lines or
 * outlines, discs as polygons; in three dimensions triangles, and balls and bars as faceted surfaces. A plane is
 * cut at the box of all that is there.
 */
#include "output/datasets.h"

#include "draw/mesh.h"

#include <math.h>
#include <string.h>

enum { FACETS = 32, HALF_RINGS = 8, SHAPE_ATTRIBUTES = 16 };

static const double pi = 3.14159265358979323846;

typedef struct body_shape {
  floc_shape shape;
  int32_t body, index;
} body_shape;

static bool is_drawn_as_line(const floc_shape *shape, int32_t dimension)
{
  if (shape->kind == FLOC_SHAPE_SEGMENT) return shape->radius == 0;
  return dimension == 2 && (shape->kind == FLOC_SHAPE_PLANE || shape->kind == FLOC_SHAPE_HOLLOW);
}

static bool is_faceted(const floc_shape *shape)
{
  return shape->kind == FLOC_SHAPE_SEGMENT || shape->kind == FLOC_SHAPE_SPHERE || shape->kind == FLOC_SHAPE_HOLLOW;
}

static void add_point(vtp_dataset *dataset, double x, double y, double z)
{
  double *point = vtp_numbers(dataset, &dataset->points, 1);
  if (!point) return;
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

/* The plane of two dimensions: a line about the point nearest to the middle of the box. */
static void plane_line(vtp_dataset *dataset, const floc_shape *plane, const double lower[3], const double upper[3])
{
  const double *point = plane->points[0], *normal = plane->points[1];
  double length = floc_hypot(normal[0], normal[1]),
         half = 0.5 * floc_hypot(upper[0] - lower[0], upper[1] - lower[1]);
  double nx = normal[0] / length, ny = normal[1] / length;
  double x = 0.5 * (lower[0] + upper[0]), y = 0.5 * (lower[1] + upper[1]);
  double away = (x - point[0]) * nx + (y - point[1]) * ny;
  x -= away * nx;
  y -= away * ny;
  add_point(dataset, x + half * ny, y - half * nx, 0);
  add_point(dataset, x - half * ny, y + half * nx, 0);
  vtp_cell_of_last(dataset, &dataset->lines, 2);
}

/* Outline of a disc, or of a plate with round ends; closed: the first point once more. */
static int64_t outline(vtp_dataset *dataset, const floc_shape *shape, bool closed)
{
  const double *a = shape->points[0], *b = shape->kind == FLOC_SHAPE_SEGMENT ? shape->points[1] : a;
  double along = floc_atan2(b[1] - a[1], b[0] - a[0]);
  int64_t count = 0;
  for (int k = 0; k < 2 * FACETS + (closed ? 1 : 0); k++) {
    int part = k % (2 * FACETS);
    const double *end = part < FACETS ? b : a;
    double angle = along - 0.5 * pi + (part < FACETS ? part : part - 1) * pi / (FACETS - 1);
    if (a == b) angle = part * pi / FACETS;
    add_point(dataset, end[0] + shape->radius * floc_cos(angle), end[1] + shape->radius * floc_sin(angle), 0);
    count++;
  }
  return count;
}

static void add_line(vtp_dataset *dataset, const floc_shape *shape, const double lower[3], const double upper[3])
{
  if (shape->kind == FLOC_SHAPE_PLANE) {
    plane_line(dataset, shape, lower, upper);
  } else if (shape->kind == FLOC_SHAPE_HOLLOW) {
    vtp_cell_of_last(dataset, &dataset->lines, outline(dataset, shape, true));
  } else {
    for (int k = 0; k < 2; k++) add_point(dataset, shape->points[k][0], shape->points[k][1], shape->points[k][2]);
    vtp_cell_of_last(dataset, &dataset->lines, 2);
  }
}

/* Two unit vectors that make a right-handed frame with the unit vector axis. */
static void frame_of(const double axis[3], double u[3], double v[3])
{
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(axis[k]) < fabs(axis[least])) least = k;
  double length = 0;
  for (int k = 0; k < 3; k++) {
    u[k] = (k == least) - axis[least] * axis[k];
    length += u[k] * u[k];
  }
  for (int k = 0; k < 3; k++) u[k] /= sqrt(length);
  for (int k = 0; k < 3; k++) v[k] = axis[(k + 1) % 3] * u[(k + 2) % 3] - axis[(k + 2) % 3] * u[(k + 1) % 3];
}

/* Rings of points around the axis of a ball or bar, from the lower pole to the upper one. */
static void add_rings(vtp_dataset *dataset, const floc_shape *shape, const double a[3], const double b[3])
{
  double axis[3] = {0, 0, 1}, u[3], v[3], length = 0;
  for (int k = 0; k < 3; k++) length += (b[k] - a[k]) * (b[k] - a[k]);
  for (int k = 0; length > 0 && k < 3; k++) axis[k] = (b[k] - a[k]) / sqrt(length);
  frame_of(axis, u, v);
  for (int ring = 0; ring < 2 * HALF_RINGS; ring++) {
    bool upper = ring >= HALF_RINGS;
    const double *end = upper ? b : a;
    double latitude = 0.5 * pi * (upper ? ring - HALF_RINGS : ring + 1 - HALF_RINGS) / (HALF_RINGS - 1);
    double height = shape->radius * floc_sin(latitude), reach = shape->radius * floc_cos(latitude);
    for (int k = 0; k < FACETS; k++) {
      double c = reach * floc_cos(2 * pi * k / FACETS), s = reach * floc_sin(2 * pi * k / FACETS), point[3];
      for (int m = 0; m < 3; m++) point[m] = end[m] + height * axis[m] + c * u[m] + s * v[m];
      add_point(dataset, point[0], point[1], point[2]);
    }
  }
}

/* Returns the number of polygons. */
static int64_t add_facets(vtp_dataset *dataset, const floc_shape *shape)
{
  const double *a = shape->points[0], *b = shape->kind == FLOC_SHAPE_SEGMENT ? shape->points[1] : a;
  int64_t first = dataset->points.count, count = 0;
  add_rings(dataset, shape, a, b);
  for (int64_t ring = 0; ring + 1 < 2 * HALF_RINGS; ring++) {
    for (int64_t k = 0; k < FACETS; k++) {
      int64_t next = (k + 1) % FACETS, low = first + ring * FACETS, high = low + FACETS;
      vtp_cell(dataset, &dataset->polygons, (int64_t[]){low + k, low + next, high + next, high + k}, 4);
      count++;
    }
  }
  return count;
}

/* Planes and triangles of three dimensions. */
static int64_t add_mesh(vtp_dataset *dataset, const floc_shape *shape, const double lower[3], const double upper[3])
{
  mesh surface;
  memset(&surface, 0, sizeof surface);
  const picture_report report = {NULL, 0};
  if (mesh_build(&report, shape, 1, lower, upper, &surface) != FLOC_OK) {
    dataset->out_of_memory = true;
    return 0;
  }
  int64_t count = surface.triangle_count;
  for (int64_t k = 0; k < count; k++) {
    double *points = vtp_numbers(dataset, &dataset->points, 3);
    if (points) memcpy(points, surface.triangle[k].point, 9 * sizeof *points);
    vtp_cell_of_last(dataset, &dataset->polygons, 3);
  }
  mesh_free(&surface);
  return count;
}

static int64_t add_surface(vtp_dataset *dataset, const floc_shape *shape, int32_t dimension, const double lower[3],
                           const double upper[3])
{
  if (dimension == 3)
    return is_faceted(shape) ? add_facets(dataset, shape) : add_mesh(dataset, shape, lower, upper);
  vtp_cell_of_last(dataset, &dataset->polygons, outline(dataset, shape, false));
  return 1;
}

/* The numbers of a shape's cells: which body and shape, how thick, and how the body moves and which force acts on
 * it. */
typedef struct body_arrays {
  vtp_array *body, *shape, *thickness, *velocity, *angular_velocity, *force;
  vtp_array *attribute[SHAPE_ATTRIBUTES];
  const char *name[SHAPE_ATTRIBUTES];
  int attributes;
} body_arrays;

static body_arrays add_body_arrays(vtp_dataset *dataset, const binding *owner)
{
  body_arrays made = {.body = vtp_cell_data(dataset, "body", true, 1),
                      .shape = vtp_cell_data(dataset, "shape", true, 1),
                      .thickness = vtp_cell_data(dataset, "thickness", false, 1),
                      .velocity = vtp_cell_data(dataset, "velocity", false, 3),
                      .angular_velocity = vtp_cell_data(dataset, "angular_velocity", false, 3),
                      .force = vtp_cell_data(dataset, "force", false, 3)};
  const char *name;
  while (made.attributes < SHAPE_ATTRIBUTES && (name = floc_shape_attribute_name(owner->world, made.attributes))) {
    made.name[made.attributes] = name;
    made.attribute[made.attributes++] = vtp_cell_data(dataset, name, false, 1);
  }
  return made;
}

static void describe_attributes(vtp_dataset *dataset, binding *owner, const body_arrays *arrays,
                                const body_shape *one, int64_t cells)
{
  for (int n = 0; n < arrays->attributes; n++) {
    double value = 0;
    floc_shape_attribute_get(owner->world, one->body, one->index, arrays->name[n], &value);
    for (int64_t k = 0; k < cells; k++) {
      double *to = vtp_numbers(dataset, arrays->attribute[n], 1);
      if (!to) return;
      *to = value;
    }
  }
}

static void describe_cells(vtp_dataset *dataset, binding *owner, const body_arrays *arrays, const body_shape *one,
                           int64_t cells)
{
  floc_body_state state = {.struct_size = sizeof state};
  if (floc_body_get_state(owner->world, one->body, &state) != FLOC_OK) return;
  bool plate = one->shape.kind == FLOC_SHAPE_SEGMENT || one->shape.kind == FLOC_SHAPE_TRIANGLE;
  for (int64_t k = 0; k < cells; k++) {
    int64_t *body = vtp_integers(dataset, arrays->body, 1), *shape = vtp_integers(dataset, arrays->shape, 1);
    double *thickness = vtp_numbers(dataset, arrays->thickness, 1);
    double *velocity = vtp_numbers(dataset, arrays->velocity, 1);
    double *turning = vtp_numbers(dataset, arrays->angular_velocity, 1);
    double *force = vtp_numbers(dataset, arrays->force, 1);
    if (!body || !shape || !thickness || !velocity || !turning || !force) return;
    *body = one->body;
    *shape = one->index + 1;
    *thickness = plate ? 2 * one->shape.radius : 0;
    memcpy(velocity, state.velocity, sizeof state.velocity);
    memcpy(turning, state.angular_velocity, sizeof state.angular_velocity);
    memcpy(force, state.force, sizeof state.force);
  }
}

/* The parts that a shape is drawn by; 1 for most. */
static int64_t count_parts(binding *owner, int32_t body, int32_t index)
{
  int64_t parts = 0;
  return floc_body_get_drawing(owner->world, body, index, NULL, 0, &parts) == FLOC_OK ? parts : 0;
}

/* All shapes of all bodies as they are drawn, as a userdata at the top of the stack. */
static body_shape *read_shapes(lua_State *L, binding *owner, int64_t *count)
{
  floc_world_info info = {.struct_size = sizeof info};
  int64_t total = 0, most = 0;
  if (floc_world_get_info(owner->world, &info) != FLOC_OK) info.body_count = 0;
  for (int32_t body = 0; body < info.body_count; body++) {
    floc_body_state state = {.struct_size = sizeof state};
    if (floc_body_get_state(owner->world, body, &state) != FLOC_OK) continue;
    for (int32_t index = 0; index < state.shape_count; index++) {
      int64_t parts = count_parts(owner, body, index);
      total += parts;
      most = parts > most ? parts : most;
    }
  }
  body_shape *list = lua_newuserdata(L, (size_t)(total + 1) * sizeof *list);
  floc_shape *part = lua_newuserdata(L, (size_t)(most + 1) * sizeof *part);
  *count = 0;
  for (int32_t body = 0; body < info.body_count; body++) {
    int64_t parts = 0;
    for (int32_t index = 0; *count < total; index++) {
      if (floc_body_get_drawing(owner->world, body, index, part, most, &parts) != FLOC_OK) break;
      for (int64_t k = 0; k < parts && *count < total; k++)
        list[(*count)++] = (body_shape){.shape = part[k], .body = body, .index = index};
    }
  }
  lua_pop(L, 1);
  return list;
}

static void enclose(double lower[3], double upper[3], const double point[3], double reach)
{
  for (int axis = 0; axis < 3; axis++) {
    lower[axis] = fmin(lower[axis], point[axis] - reach);
    upper[axis] = fmax(upper[axis], point[axis] + reach);
  }
}

/* The box of all particles and shapes, a little larger; planes end there. */
static void find_box(const particle_columns *columns, const body_shape *shapes, int64_t count, double lower[3],
                     double upper[3])
{
  for (int axis = 0; axis < 3; axis++) {
    lower[axis] = INFINITY;
    upper[axis] = -INFINITY;
  }
  for (int64_t k = 0; k < columns->count; k++)
    enclose(lower, upper, (double[3]){columns->x[k], columns->y[k], columns->z[k]}, columns->radius[k]);
  for (int64_t k = 0; k < count; k++) {
    const floc_shape *shape = &shapes[k].shape;
    int points = shape->kind == FLOC_SHAPE_TRIANGLE ? 3 : shape->kind == FLOC_SHAPE_SEGMENT ? 2 : 1;
    for (int p = 0; p < points; p++) enclose(lower, upper, shape->points[p], shape->radius);
  }
  for (int axis = 0; axis < 3; axis++) {
    double margin = 0.05 * (upper[axis] - lower[axis]);
    if (!(margin > 0)) margin = 0.5;
    if (!(upper[axis] >= lower[axis])) lower[axis] = upper[axis] = 0;
    lower[axis] -= margin;
    upper[axis] += margin;
  }
}

int dataset_bodies(lua_State *L, binding *owner, vtp_dataset *dataset)
{
  particle_columns columns = {.count = 0};
  floc_status status = columns_read(L, owner, &columns);
  if (status != FLOC_OK) return answer(L, owner, status);
  double lower[3], upper[3];
  int64_t count = 0;
  const body_shape *shapes = read_shapes(L, owner, &count);
  find_box(&columns, shapes, count, lower, upper);
  body_arrays arrays = add_body_arrays(dataset, owner);
  for (int pass = 0; pass < 2; pass++) { /* lines first: cell data follow the order of the cells in the file */
    for (int64_t k = 0; k < count; k++) {
      const floc_shape *shape = &shapes[k].shape;
      bool line = is_drawn_as_line(shape, owner->dimension);
      if (line != (pass == 0)) continue;
      int64_t cells = 1;
      if (line)
        add_line(dataset, shape, lower, upper);
      else
        cells = add_surface(dataset, shape, owner->dimension, lower, upper);
      describe_cells(dataset, owner, &arrays, &shapes[k], cells);
      describe_attributes(dataset, owner, &arrays, &shapes[k], cells);
    }
  }
  return 0;
}
