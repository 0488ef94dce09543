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
