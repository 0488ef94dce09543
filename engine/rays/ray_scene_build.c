/*
 * The grid of a scene. See ray_scene.h.
 *
 * Cells are cubes of two or three particles each (measured with 2,000 to a million: 1.5 cells per particle are as
 * fast in the cache and a fifth slower beyond it), never smaller than a quarter of the greatest radius: a sphere
 * must not lie in a hundred cells. A sphere is listed in every cell that it reaches, with a margin for rounding.
 */
#include "rays/ray_scene.h"

#include "particles/owned.h"

#include <math.h>
#include <string.h>

enum { MOST_CELLS = 1024 }; /* along an axis */

static const double CELLS_PER_SPHERE = 0.4;
static const double MARGIN = 1e-9; /* of the grid's size */

static const double *positions(const particles *table, int axis)
{
  return table->column[COLUMN_x + axis];
}

static void find_radii(ray_scene *scene)
{
  const double *radius = scene->table->column[COLUMN_radius];
  scene->least_radius = INFINITY;
  scene->greatest_radius = 0.0;
  EACH_SLOT(k, scene->table) {
    if (radius[k] < scene->least_radius) scene->least_radius = radius[k];
    if (radius[k] > scene->greatest_radius) scene->greatest_radius = radius[k];
  }
}

static void find_box(ray_scene *scene)
{
  const double *radius = scene->table->column[COLUMN_radius];
  double squared = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    double lower = INFINITY, upper = -INFINITY;
    const double *x = positions(scene->table, axis);
    EACH_SLOT(k, scene->table) {
      if (x[k] - radius[k] < lower) lower = x[k] - radius[k];
      if (x[k] + radius[k] > upper) upper = x[k] + radius[k];
    }
    if (!(lower <= upper)) lower = upper = 0.0; /* no particles */
    bool periodic = axis < scene->dimension && scene->box->boundary[axis] == FLOC_BOUNDARY_PERIODIC;
    scene->lower[axis] = periodic ? scene->box->lower[axis] : lower;
    scene->upper[axis] = periodic ? scene->box->upper[axis] : upper;
    squared += (scene->upper[axis] - scene->lower[axis]) * (scene->upper[axis] - scene->lower[axis]);
  }
  scene->size = sqrt(squared);
  for (int axis = 0; axis < 3; axis++) {
    bool periodic = axis < scene->dimension && scene->box->boundary[axis] == FLOC_BOUNDARY_PERIODIC;
    double margin = periodic ? 0.0 : MARGIN * scene->size;
    scene->lower[axis] -= margin;
    scene->upper[axis] += margin;
  }
}

static void choose_cells(ray_scene *scene)
{
  double volume = 1.0;
  for (int axis = 0; axis < scene->dimension; axis++) volume *= scene->upper[axis] - scene->lower[axis];
  double wanted = CELLS_PER_SPHERE * (double)(scene->table->count > 0 ? scene->table->count : 1);
  double side = scene->dimension == 3 ? floc_cbrt(volume / wanted) : sqrt(volume / wanted);
  if (!isfinite(side)) side = 0.25 * scene->size; /* farther than volumes are numbers */
  if (side < 0.25 * scene->greatest_radius) side = 0.25 * scene->greatest_radius;
  for (int axis = 0; axis < 3; axis++) {
    double extent = scene->upper[axis] - scene->lower[axis];
    double count = axis < scene->dimension && side > 0.0 ? floor(extent / side) : 1.0;
    scene->cells[axis] = (int32_t)whole_between(count, 1, MOST_CELLS);
    scene->cell[axis] = extent / scene->cells[axis];
    scene->inverse_cell[axis] = extent > 0.0 ? scene->cells[axis] / extent : 0.0;
  }
}

/* Offsets of the images of a sphere that reach into the box, along one axis: from *first to *last. */
static void image_range(const ray_scene *scene, int axis, double x, double radius, int *first, int *last)
{
  *first = *last = 0;
  if (axis >= scene->dimension || scene->box->boundary[axis] != FLOC_BOUNDARY_PERIODIC) return;
  if (x + radius >= scene->upper[axis]) *first = -1; /* one length lower it looks in at the lower face */
  if (x - radius <= scene->lower[axis]) *last = 1;
}

typedef void (*instance_visit)(ray_scene *scene, int64_t slot, const int offset[3], const double center[3]);

static void for_each_instance(ray_scene *scene, instance_visit visit)
{
  const double *radius = scene->table->column[COLUMN_radius];
  EACH_SLOT(slot, scene->table) {
    int first[3], last[3], offset[3];
    double home[3], center[3];
    for (int axis = 0; axis < 3; axis++) {
      home[axis] = positions(scene->table, axis)[slot];
      image_range(scene, axis, home[axis], radius[slot], &first[axis], &last[axis]);
    }
    for (offset[0] = first[0]; offset[0] <= last[0]; offset[0]++)
      for (offset[1] = first[1]; offset[1] <= last[1]; offset[1]++)
        for (offset[2] = first[2]; offset[2] <= last[2]; offset[2]++) {
          for (int axis = 0; axis < 3; axis++) center[axis] = home[axis] + offset[axis] * scene->box->length[axis];
          visit(scene, slot, offset, center);
        }
  }
}

static void count_instance(ray_scene *scene, int64_t slot, const int offset[3], const double center[3])
{
  (void)slot, (void)offset, (void)center;
  scene->instance_count++;
}

static void put_instance(ray_scene *scene, int64_t slot, const int offset[3], const double center[3])
{
  int64_t number = scene->instance_count++;
  sphere_instance *added = &scene->instance[number];
  memcpy(added->center, center, sizeof added->center);
  added->radius = scene->table->column[COLUMN_radius][slot];
  added->id = scene->table->id[slot];
  added->slot = (int32_t)slot;
  added->image = (offset[0] + 1) | (offset[1] + 1) << 8 | (offset[2] + 1) << 16;
}

static int32_t cell_of(const ray_scene *scene, int axis, double x)
{
  double place = (x - scene->lower[axis]) * scene->inverse_cell[axis];
  if (!(place > 0.0)) return 0;
  return place >= scene->cells[axis] ? scene->cells[axis] - 1 : (int32_t)place;
}

/* Squared distance of a coordinate from the cell's interval. */
static double outside_squared(const ray_scene *scene, int axis, int32_t cell, double x)
{
  double lower = scene->lower[axis] + cell * scene->cell[axis];
  double upper = lower + scene->cell[axis];
  double outside = x < lower ? lower - x : x > upper ? x - upper : 0.0;
  return outside * outside;
}

/* Puts an instance into place number `entry` of a cell. */
static void put_entry(ray_scene *scene, int64_t cell, int32_t entry, int64_t number)
{
  const sphere_instance *sphere = &scene->instance[number];
  int64_t place = PACK_SIZE * (int64_t)scene->start[cell] + entry;
  sphere_pack *pack = &scene->pack[place / PACK_SIZE];
  pack->x[place % PACK_SIZE] = sphere->center[0];
  pack->y[place % PACK_SIZE] = sphere->center[1];
  pack->z[place % PACK_SIZE] = sphere->center[2];
  pack->radius_squared[place % PACK_SIZE] = sphere->radius * sphere->radius;
  scene->number[place] = (int32_t)number;
}

/* For every cell that the instance reaches: counts it, and lists it too if `put`. */
static void enter_cells(ray_scene *scene, int64_t number, int32_t *counter, bool put)
{
  const sphere_instance *sphere = &scene->instance[number];
  double reach = sphere->radius + MARGIN * scene->size;
  int32_t first[3], last[3];
  for (int axis = 0; axis < 3; axis++) {
    first[axis] = cell_of(scene, axis, sphere->center[axis] - reach);
    last[axis] = cell_of(scene, axis, sphere->center[axis] + reach);
  }
  for (int32_t z = first[2]; z <= last[2]; z++) {
    double far_z = outside_squared(scene, 2, z, sphere->center[2]);
    for (int32_t y = first[1]; y <= last[1]; y++) {
      double far_yz = far_z + outside_squared(scene, 1, y, sphere->center[1]);
      for (int32_t x = first[0]; x <= last[0]; x++) {
        if (far_yz + outside_squared(scene, 0, x, sphere->center[0]) > reach * reach) continue;
        int64_t cell = x + (int64_t)scene->cells[0] * (y + (int64_t)scene->cells[1] * z);
        if (put) put_entry(scene, cell, counter[cell], number);
        counter[cell]++;
      }
    }
  }
}

static floc_status fill_cells(ray_scene *scene, arena *scratch)
{
  int64_t cells = (int64_t)scene->cells[0] * scene->cells[1] * scene->cells[2];
  scene->start = arena_allocate(scratch, (size_t)cells + 1, sizeof *scene->start);
  int32_t *counter = arena_allocate(scratch, (size_t)cells, sizeof *counter);
  if (!scene->start || !counter) return FLOC_OUT_OF_MEMORY;
  memset(counter, 0, (size_t)cells * sizeof *counter);
  for (int64_t k = 0; k < scene->instance_count; k++) enter_cells(scene, k, counter, false);
  int64_t total = 0;
  for (int64_t cell = 0; cell < cells; cell++) {
    scene->start[cell] = (int32_t)total;
    total += (counter[cell] + PACK_SIZE - 1) / PACK_SIZE;
    if (total > INT32_MAX)
      return refuse(scratch->env, FLOC_LIMIT_EXCEEDED, "the grid of the rays needs more than 2^31 - 1 packets");
    counter[cell] = 0;
  }
  scene->start[cells] = (int32_t)total;
  scene->pack = arena_allocate(scratch, (size_t)total, sizeof *scene->pack);
  scene->number = arena_allocate(scratch, (size_t)total * PACK_SIZE, sizeof *scene->number);
  if (!scene->pack || !scene->number) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < total; k++) scene->pack[k] = (sphere_pack){.radius_squared = {-1.0, -1.0, -1.0, -1.0}};
  for (int64_t k = 0; k < scene->instance_count; k++) enter_cells(scene, k, counter, true);
  return FLOC_OK;
}

static bool has_periods(const domain *box)
{
  for (int axis = 0; axis < box->dimension; axis++)
    if (box->boundary[axis] == FLOC_BOUNDARY_PERIODIC) return true;
  return false;
}

/* A plane turns rays that run against its normal; all other shapes have a box. */
static void add_shape(ray_scene *scene, const shape *surface)
{
  double lower[3], upper[3];
  shape_bounds(surface, scene->dimension, MARGIN * scene->size, lower, upper);
  for (int axis = 0; axis < scene->dimension; axis++) {
    if (shape_is_half_space(surface)) {
      scene->turns_up[axis] |= surface->point[1][axis] > 0.0;
      scene->turns_down[axis] |= surface->point[1][axis] < 0.0;
      continue;
    }
    if (lower[axis] < scene->outer_lower[axis]) scene->outer_lower[axis] = lower[axis];
    if (upper[axis] > scene->outer_upper[axis]) scene->outer_upper[axis] = upper[axis];
  }
}

static void find_outer_box(ray_scene *scene)
{
  memcpy(scene->outer_lower, scene->lower, sizeof scene->lower);
  memcpy(scene->outer_upper, scene->upper, sizeof scene->upper);
  for (int32_t k = 0; scene->has_shapes && k < scene->obstacles->shape_count; k++)
    add_shape(scene, &scene->obstacles->world[k]);
}

floc_status ray_scene_build(ray_scene *scene, arena *scratch, const particles *table, const bodies *obstacles,
                            const domain *box)
{
  *scene = (ray_scene){.table = table, .obstacles = obstacles, .box = box, .dimension = box->dimension};
  scene->has_shapes = obstacles && obstacles->shape_count > 0;
  scene->has_periods = has_periods(box);
  find_radii(scene);
  find_box(scene);
  find_outer_box(scene);
  choose_cells(scene);
  for_each_instance(scene, count_instance);
  size_t count = (size_t)scene->instance_count;
  scene->instance = arena_allocate(scratch, count, sizeof *scene->instance);
  if (!scene->instance) return FLOC_OUT_OF_MEMORY;
  scene->instance_count = 0;
  for_each_instance(scene, put_instance);
  return fill_cells(scene, scratch);
}
