/*
 * Shapes of clusters: the particles are selected here, measured in engine/measures.
 */
#include "world.h"

#include "measures/fractal.h"
#include "measures/moments.h"
#include "measures/shape_measures.h"

#include <string.h>

/* Pairs that a rule joins and the clusters that they make. */
typedef struct grouping {
  cluster_pairs pairs;
  int64_t *cluster_of; /* scratch */
  int64_t count;
} grouping;

static floc_status group(floc_world *world, int32_t rule, double gap, grouping *made)
{
  *made = (grouping){.pairs = {.env = &world->env}};
  arena_reset(&world->scratch);
  made->cluster_of = arena_allocate(&world->scratch, (size_t)world->table.count, sizeof *made->cluster_of);
  if (!made->cluster_of) return FLOC_OUT_OF_MEMORY;
  floc_status status = world_joined_pairs(world, rule, gap, &made->pairs);
  if (status != FLOC_OK) return status;
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  status = clusters_find(&world->env, &world->table, &made->pairs, made->cluster_of, &summary);
  made->count = summary.count;
  if (status != FLOC_OK) cluster_pairs_free(&made->pairs);
  return status;
}

/* The selected particles, put together across periodic faces where they are a cluster. */
static floc_status select_points(floc_world *world, const floc_selection *selection, measured_points *points)
{
  if (selection->cluster == 0) return points_gather(&world->env, &world->table, &world->box, NULL, NULL, 0, points);
  grouping made;
  floc_status status = group(world, selection->rule, selection->gap, &made);
  if (status != FLOC_OK) return status;
  status = points_gather(&world->env, &world->table, &world->box, &made.pairs, made.cluster_of, selection->cluster,
                         points);
  cluster_pairs_free(&made.pairs);
  return status;
}

floc_status floc_cluster_sizes(floc_world *world, int32_t rule, double gap, int64_t *sizes, int64_t *numbers,
                               int64_t capacity, int64_t *count)
{
  WORLD_ENTER(world);
  if (!count || capacity < 0 || (capacity > 0 && (!sizes || !numbers)))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "sizes, numbers or count is NULL, or capacity is below 0");
  grouping made;
  floc_status status = group(world, rule, gap, &made);
  if (status != FLOC_OK) return status;
  cluster_pairs_free(&made.pairs);
  return measure_cluster_sizes(&world->env, made.cluster_of, world->table.count, made.count, sizes, numbers,
                               capacity, count);
}

floc_status floc_measure_greatest_distance(floc_world *world, const floc_selection *selection, double *distance)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, selection, selection);
  if (!distance) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "distance is NULL");
  measured_points points;
  floc_status status = select_points(world, selection, &points);
  if (status != FLOC_OK) return status;
  status = measure_greatest_distance(&points, distance);
  points_free(&points);
  return status;
}

floc_status floc_measure_gyration(floc_world *world, const floc_selection *selection, floc_gyration *gyration)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, selection, selection);
  FILL_RESULT(&world->env, gyration, gyration);
  measured_points points;
  floc_status status = select_points(world, selection, &points);
  if (status != FLOC_OK) return status;
  measure_gyration(&points, &world->box, gyration);
  points_free(&points);
  return FLOC_OK;
}

floc_status floc_measure_contact_number(floc_world *world, const floc_selection *selection, double factor,
                                        double *number)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, selection, selection);
  if (!number) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "number is NULL");
  measured_points points;
  floc_status status = select_points(world, selection, &points);
  if (status != FLOC_OK) return status;
  status = measure_contact_number(&points, factor, number);
  points_free(&points);
  return status;
}

floc_status floc_measure_pair_distribution(floc_world *world, const floc_selection *selection,
                                           const double *distances, int32_t count, double *values)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, selection, selection);
  if (!distances || !values) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "distances or values is NULL");
  measured_points points;
  floc_status status = select_points(world, selection, &points);
  if (status != FLOC_OK) return status;
  status = measure_pair_distribution(&points, distances, count, values);
  points_free(&points);
  return status;
}

/* Box counting, or mass and radius. */
static floc_status measure_scaling(floc_world *world, const floc_selection *selection,
                                   const floc_fractal_options *options, bool boxes, floc_scaling *scaling)
{
  READ_OPTIONS(&world->env, selection, selection);
  READ_OPTIONS(&world->env, fractal_options, options);
  FILL_RESULT(&world->env, scaling, scaling);
  measured_points points;
  floc_status status = fractal_check_options(&world->env, options);
  if (status == FLOC_OK) status = select_points(world, selection, &points);
  if (status != FLOC_OK) return status;
  status = boxes ? measure_box_counting(&points, &world->box, options, scaling)
                 : measure_mass_radius(&points, options, scaling);
  points_free(&points);
  return status;
}

floc_status floc_measure_box_counting(floc_world *world, const floc_selection *selection,
                                      const floc_fractal_options *options, floc_scaling *scaling)
{
  WORLD_ENTER(world);
  return measure_scaling(world, selection, options, true, scaling);
}

floc_status floc_measure_mass_radius(floc_world *world, const floc_selection *selection,
                                     const floc_fractal_options *options, floc_scaling *scaling)
{
  WORLD_ENTER(world);
  return measure_scaling(world, selection, options, false, scaling);
}

floc_status floc_measure_cluster_scaling(floc_world *world, int32_t rule, double gap, int64_t least_count,
                                         floc_scaling *scaling)
{
  WORLD_ENTER(world);
  FILL_RESULT(&world->env, scaling, scaling);
  grouping made;
  floc_status status = group(world, rule, gap, &made);
  if (status != FLOC_OK) return status;
  status = measure_cluster_scaling(&world->env, &world->table, &world->box, &made.pairs, made.cluster_of,
                                   made.count, least_count, scaling);
  cluster_pairs_free(&made.pairs);
  return status;
}

/* ---- grains that are not round: their shapes, what does not act on them ---- */

static floc_status refuse_shapes(floc_world *world)
{
  return refuse(&world->env, FLOC_NOT_SUPPORTED,
                "grains of other shapes than discs are not supported under the scheme %s; inelastic does it",
                world->method.shown);
}

floc_status world_check_shape(floc_world *world, int32_t number)
{
  if (number >= 0 && number <= world->table.shapes.count) return FLOC_OK;
  return refuse(&world->env, FLOC_INVALID_ARGUMENT,
                "shape is %d; it must be a number of floc_grain_shape_add(), from 1 to %d, or 0 for a disc or ball",
                number, world->table.shapes.count);
}

floc_status world_check_shapes(floc_world *world, const char *when)
{
  bool any;
  floc_status status = particles_check_shapes(&world->table, when, &any);
  if (status != FLOC_OK || !any) return status;
  const laws_present present = laws_find_present(world->forces);
  if (!world->method.take_shapes) return refuse_shapes(world);
  const char *what = present.pair_laws                    ? "a law between particles"
                     : present.wall_laws                  ? "a law between particles and bodies"
                     : present.attraction                 ? "attraction, or a force of long range"
                     : present.flow                       ? "a flow"
                     : ray_sources_count(world->rays) > 0 ? "a source of rays"
                     : world->contact_laws.count > 0      ? "a contact law of the host"
                     : world->keeps_ledger                ? "the energy ledger"
                                                          : NULL;
  for (int32_t k = 0; k < world->assemblies.member_count && !what; k++)
    if (particles_shape(&world->table, particles_find(&world->table, world->assemblies.member[k].id)))
      what = "an assembly";
  for (int32_t k = 0; k < world->obstacles.shape_count; k++)
    if (!convex_knows_wall(&world->obstacles.world[k]))
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "particles are not round, which the shape %s of body %d does not know; it must be a plane, a "
                    "segment, a circle or a hollow",
                    shape_type_name(world->obstacles.world[k].type), world->obstacles.world[k].body);
  if (!what) return FLOC_OK;
  return refuse(&world->env, FLOC_NOT_SUPPORTED, "particles are not round, which %s does not know", what);
}

floc_status floc_grain_shape_add(floc_world *world, const floc_grain_shape_options *options, int32_t *number,
                                 double *area)
{
  WORLD_ENTER(world);
  environment *env = &world->env;
  READ_OPTIONS(env, grain_shape_options, options);
  if (world->box.dimension != 2)
    return refuse(env, FLOC_NOT_SUPPORTED, "shapes of grains exist in two dimensions; this world has three");
  if (world->method.step && !world->method.take_shapes) return refuse_shapes(world);
  grain_shape made;
  int32_t added = 0;
  floc_status status = grain_shape_make(env, options, &made);
  if (status == FLOC_OK) status = particles_need_shapes(&world->table);
  if (status == FLOC_OK && world->method.take_shapes)
    status = world->method.take_shapes(world->method.state, &world->method, world->near, &world->table);
  if (status == FLOC_OK) status = grain_shapes_add(env, &world->table.shapes, &made, &added);
  if (status != FLOC_OK) return status;
  if (number) *number = added;
  if (area) *area = grain_area(&made, 1.0, made.rounding);
  return FLOC_OK;
}

/* ---- and distances between them ---- */

double world_grain_distance(const particles *table, const convex_core *core, int64_t other,
                            const double separation[3], double reach)
{
  grain_memory memory;
  const double *angle = particles_optional(table, OPTIONAL_angle);
  const convex_core second = grain_core_make(table, other, angle[other], &memory);
  return convex_distance(core, &second, separation, reach);
}

convex_core world_newcomer_core(const particles *table, const newcomer *one, grain_memory *memory)
{
  memory->corner[0][0] = memory->corner[0][1] = 0.0;
  convex_core core = {1, (const double(*)[2])memory->corner, (const double(*)[2])memory->normal, one->radius};
  if (one->shape == 0) return core;
  const grain_shape *form = &table->shapes.shape[one->shape - 1];
  core.rounding = form->rounding * one->radius;
  core.count = form->count;
  grain_place(form, one->radius - core.rounding, one->angle, memory->corner, memory->normal);
  return core;
}

/* ---- and what is asked of them ---- */

floc_status world_need_round(floc_world *world, const char *what)
{
  const double *number = particles_optional(&world->table, OPTIONAL_shape);
  for (int64_t i = 0; number && i < world->table.count; i++)
    if (number[i] != 0.0)
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "%s: particle %lld is not round, and this is known of discs alone", what,
                    (long long)world->table.id[i]);
  return FLOC_OK;
}

floc_status floc_grain_corners(floc_world *world, const int64_t **begin, const double **corners, int64_t *count)
{
  WORLD_ENTER(world);
  if (!begin || !corners || !count)
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "begin, corners or count is NULL");
  floc_status status = particles_check_shapes(&world->table, "where its corners are asked for", &(bool){false});
  if (status != FLOC_OK) return status;
  grain_cores cores;
  arena_reset(&world->scratch);
  status = grain_cores_place(&world->env, &world->scratch, &world->table, NULL, &cores);
  if (status != FLOC_OK) return status;
  *begin = cores.begin;
  *corners = &cores.corner[0][0];
  *count = world->table.count;
  return FLOC_OK;
}
