/*
 * Correlations, profiles and distributions: what they look at is found here, and summed in
 * engine/measures/statistics.
 */
#include "world.h"

#include "measures/statistics/bond_order.h"
#include "measures/statistics/coarse_grain.h"
#include "measures/statistics/correlations.h"
#include "measures/statistics/mixing.h"
#include "measures/statistics/pair_rows.h"

floc_status floc_measure_radial_distribution(floc_world *world, const floc_radial_options *options, double *values)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, radial_options, options);
  if (!values) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "values is NULL");
  const measure_source source = world_measure_source(world);
  const floc_pairs_options within = {.by = FLOC_NEIGHBORS_CENTERS, .range = options->range};
  neighbors *near, *made = NULL;
  arena_mark here = arena_here(&world->scratch);
  floc_status status = radial_check(&source, options);
  if (status == FLOC_OK) status = world_present_lists(world, pair_rows_range(&world->table, &within), &near, &made);
  if (status == FLOC_OK) status = radial_find(&source, options, neighbors_pairs(near), values);
  neighbors_destroy(made);
  arena_return(&world->scratch, here);
  return status;
}

floc_status floc_measure_structure_factor(floc_world *world, const floc_structure_options *options,
                                          double *wave_numbers, double *values, double *vectors)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, structure_options, options);
  if (!wave_numbers || !values || !vectors)
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "wave_numbers, values or vectors is NULL");
  const measure_source source = world_measure_source(world);
  return structure_find(&source, options, wave_numbers, values, vectors);
}

floc_status floc_measure_profile(floc_world *world, const floc_profile_options *options, const char *column,
                                 const char *weight, double *counts, double *means, double *ends)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, profile_options, options);
  if (!column || !counts || !means)
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "column, counts or means is NULL");
  const measure_source source = world_measure_source(world);
  arena_mark here = arena_here(&world->scratch);
  floc_status status = profile_find(&source, options, column, weight, counts, means, ends);
  arena_return(&world->scratch, here);
  return status;
}

floc_status floc_measure_force_distribution(floc_world *world, const floc_force_distribution_options *options,
                                            double *density, double *mean, int64_t *count)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, force_distribution_options, options);
  if (!density) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "density is NULL");
  const measure_source source = world_measure_source(world);
  double own_mean;
  int64_t own_count;
  return force_distribution_find(&source, options, density, mean ? mean : &own_mean, count ? count : &own_count);
}

floc_status floc_measure_bond_order(floc_world *world, const floc_bond_order_options *options, double *values,
                                    floc_bond_order *result)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, bond_order_options, options);
  FILL_RESULT(&world->env, bond_order, result);
  const measure_source source = world_measure_source(world);
  const floc_pairs_options within = {.by = options->by, .range = options->range};
  pair_rows rows;
  floc_status status = fields_check(&world->env, &struct_bond_order_options, options);
  if (status == FLOC_OK) status = pair_rows_check(&world->env, &within);
  if (status == FLOC_OK) status = world_find_neighbours(world, &within, &rows);
  if (status != FLOC_OK) return status;
  arena_mark here = arena_here(&world->scratch);
  status = bond_order_find(&source, options, &rows, values, result);
  arena_return(&world->scratch, here);
  pair_rows_free(&rows);
  return status;
}

floc_status floc_measure_mixing(floc_world *world, const floc_mixing_options *options, const char *column,
                                floc_mixing *result)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, mixing_options, options);
  FILL_RESULT(&world->env, mixing, result);
  if (!column) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "column is NULL");
  const measure_source source = world_measure_source(world);
  arena_mark here = arena_here(&world->scratch);
  floc_status status = mixing_find(&source, options, column, result);
  arena_return(&world->scratch, here);
  return status;
}

floc_status floc_measure_coarse_grain(floc_world *world, const floc_coarse_grain_options *options, floc_grid *grid,
                                      double *fields, int64_t capacity)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, coarse_grain_options, options);
  FILL_RESULT(&world->env, grid, grid);
  if (capacity < 0 || (!fields && capacity > 0))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "fields is NULL, or capacity is below 0");
  const measure_source source = world_measure_source(world);
  floc_status status = coarse_grain_grid(&source, options, grid);
  if (status != FLOC_OK || capacity == 0) return status;
  const int64_t numbers = FLOC_FIELD_COUNT * (int64_t)grid->cells[0] * grid->cells[1] * grid->cells[2];
  if (capacity < numbers)
    return refuse(&world->env, FLOC_NO_ROOM, "capacity is %lld; the fields have %lld numbers", (long long)capacity,
                  (long long)numbers);
  arena_mark here = arena_here(&world->scratch);
  status = coarse_grain_find(&source, options, grid, fields);
  arena_return(&world->scratch, here);
  return status;
}
