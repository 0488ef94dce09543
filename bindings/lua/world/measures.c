/*
 * Clusters and bonds, stresses, correlations and distributions.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

static void push_numbers(lua_State *L, const int64_t *values, int64_t count)
{
  lua_createtable(L, (int)count, 0);
  for (int64_t k = 0; k < count; k++) {
    lua_pushnumber(L, (lua_Number)values[k]);
    lua_rawseti(L, -2, (int)(k + 1));
  }
}

/* clusters(sim, rule, gap) -> summary with `of`, the cluster's number by particle id */
static int world_clusters(lua_State *L)
{
  static const result_field fields[] = {CLUSTER_SUMMARY_RESULT};
  binding *self = check_binding(L);
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(self->world, &info);
  int64_t *cluster_of = lua_newuserdata(L, (size_t)(info.particle_count + 1) * sizeof *cluster_of);
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  floc_status status =
      floc_clusters(self->world, (int32_t)luaL_checkinteger(L, 2), luaL_checknumber(L, 3), cluster_of, &summary);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &summary, self->dimension);
  push_numbers(L, cluster_of, info.particle_count);
  lua_setfield(L, -2, "of");
  return 1;
}

/* bond_changes(sim, gap) -> made, broken */
static int world_bond_changes(lua_State *L)
{
  binding *self = check_binding(L);
  int64_t made = 0, broken = 0;
  floc_status status = floc_bond_changes(self->world, luaL_checknumber(L, 2), &made, &broken);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, (lua_Number)made);
  lua_pushnumber(L, (lua_Number)broken);
  return 2;
}

/* stress(sim, options) -> table */
static int world_stress(lua_State *L)
{
  static const option_field given[] = {STRESS_OPTIONS};
  static const result_field fields[] = {STRESS_RESULT};
  binding *self = check_binding(L);
  floc_stress_options options;
  floc_stress_options_init(&options);
  options_fill(L, 2, given, &options);
  floc_stress found = {.struct_size = sizeof found};
  floc_status status = floc_measure_stress(self->world, &options, &found);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &found, self->dimension);
  return 1;
}

/* energy_ledger(sim) -> table */
static int world_energy_ledger(lua_State *L)
{
  static const result_field fields[] = {ENERGY_LEDGER_RESULT};
  binding *self = check_binding(L);
  floc_energy_ledger found = {.struct_size = sizeof found};
  floc_status status = floc_world_get_energy_ledger(self->world, &found);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &found, self->dimension);
  return 1;
}

/* Lists of `bins` numbers each, in one userdata that is left on the stack; bins that are refused later need none.
 */
static double *make_lists(lua_State *L, int lists, int32_t bins)
{
  const size_t count = bins > 0 ? (size_t)bins : 1;
  return lua_newuserdata(L, (size_t)lists * count * sizeof(double));
}

/* radial_distribution(sim, options) -> list */
static int world_radial_distribution(lua_State *L)
{
  static const option_field given[] = {RADIAL_OPTIONS};
  binding *self = check_binding(L);
  floc_radial_options options;
  floc_radial_options_init(&options);
  options_fill(L, 2, given, &options);
  double *values = make_lists(L, 1, options.bins);
  floc_status status = floc_measure_radial_distribution(self->world, &options, values);
  if (status != FLOC_OK) return answer(L, self, status);
  push_vector(L, values, options.bins);
  return 1;
}

/* structure_factor(sim, options) -> wave numbers, values, how many vectors */
static int world_structure_factor(lua_State *L)
{
  static const option_field given[] = {STRUCTURE_OPTIONS};
  binding *self = check_binding(L);
  floc_structure_options options;
  floc_structure_options_init(&options);
  options_fill(L, 2, given, &options);
  const int32_t bins = options.bins;
  double *lists = make_lists(L, 3, bins);
  floc_status status =
      floc_measure_structure_factor(self->world, &options, lists, lists + bins, lists + 2 * (size_t)bins);
  if (status != FLOC_OK) return answer(L, self, status);
  for (int k = 0; k < 3; k++) push_vector(L, lists + (size_t)k * (size_t)bins, bins);
  return 3;
}

/* profile(sim, options, column, weight or nil) -> counts, means, lower, upper */
static int world_profile(lua_State *L)
{
  static const option_field given[] = {PROFILE_OPTIONS};
  binding *self = check_binding(L);
  floc_profile_options options;
  floc_profile_options_init(&options);
  options_fill(L, 2, given, &options);
  const int32_t bins = options.bins;
  const char *column = luaL_checkstring(L, 3), *weight = luaL_optstring(L, 4, NULL);
  double *lists = make_lists(L, 2, bins), ends[2];
  floc_status status = floc_measure_profile(self->world, &options, column, weight, lists, lists + bins, ends);
  if (status != FLOC_OK) return answer(L, self, status);
  for (int k = 0; k < 2; k++) push_vector(L, lists + (size_t)k * (size_t)bins, bins);
  for (int k = 0; k < 2; k++) lua_pushnumber(L, ends[k]);
  return 4;
}

/* force_distribution(sim, options) -> densities, mean, count */
static int world_force_distribution(lua_State *L)
{
  static const option_field given[] = {FORCE_DISTRIBUTION_OPTIONS};
  binding *self = check_binding(L);
  floc_force_distribution_options options;
  floc_force_distribution_options_init(&options);
  options_fill(L, 2, given, &options);
  double *density = make_lists(L, 1, options.bins), mean = 0.0;
  int64_t count = 0;
  floc_status status = floc_measure_force_distribution(self->world, &options, density, &mean, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  push_vector(L, density, options.bins);
  lua_pushnumber(L, mean);
  lua_pushnumber(L, (lua_Number)count);
  return 3;
}

/* bond_order(sim, options) -> result with `of`, a list in the order of ids */
static int world_bond_order(lua_State *L)
{
  static const option_field given[] = {BOND_ORDER_OPTIONS};
  static const result_field fields[] = {BOND_ORDER_RESULT};
  binding *self = check_binding(L);
  floc_bond_order_options options;
  floc_bond_order_options_init(&options);
  options_fill(L, 2, given, &options);
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(self->world, &info);
  double *values = lua_newuserdata(L, (size_t)(info.particle_count + 1) * sizeof *values);
  floc_bond_order found = {.struct_size = sizeof found};
  floc_status status = floc_measure_bond_order(self->world, &options, values, &found);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &found, self->dimension);
  push_vector(L, values, (int)info.particle_count);
  lua_setfield(L, -2, "of");
  return 1;
}

/* mixing_index(sim, options, column) -> result */
static int world_mixing_index(lua_State *L)
{
  static const option_field given[] = {MIXING_OPTIONS};
  static const result_field fields[] = {MIXING_RESULT};
  binding *self = check_binding(L);
  floc_mixing_options options;
  floc_mixing_options_init(&options);
  options_fill(L, 2, given, &options);
  floc_mixing found = {.struct_size = sizeof found};
  floc_status status = floc_measure_mixing(self->world, &options, luaL_checkstring(L, 3), &found);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &found, self->dimension);
  return 1;
}

/* coarse_grain(sim, options) -> { cells, lower, spacing }, list of lists, one for each field of floc_field */
static int world_coarse_grain(lua_State *L)
{
  static const option_field given[] = {COARSE_GRAIN_OPTIONS};
  static const result_field fields[] = {GRID_RESULT};
  binding *self = check_binding(L);
  floc_coarse_grain_options options;
  floc_coarse_grain_options_init(&options);
  options_fill(L, 2, given, &options);
  floc_grid grid = {.struct_size = sizeof grid};
  floc_status status = floc_measure_coarse_grain(self->world, &options, &grid, NULL, 0);
  if (status != FLOC_OK) return answer(L, self, status);
  const int64_t cells = (int64_t)grid.cells[0] * grid.cells[1] * grid.cells[2];
  double *numbers = lua_newuserdata(L, (size_t)cells * FLOC_FIELD_COUNT * sizeof *numbers);
  status = floc_measure_coarse_grain(self->world, &options, &grid, numbers, cells * FLOC_FIELD_COUNT);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &grid, self->dimension);
  const double count[3] = {grid.cells[0], grid.cells[1], grid.cells[2]};
  set_vector(L, "cells", count, self->dimension);
  lua_createtable(L, FLOC_FIELD_COUNT, 0);
  for (int k = 0; k < FLOC_FIELD_COUNT; k++) {
    push_vector(L, numbers + k * cells, (int)cells);
    lua_rawseti(L, -2, k + 1);
  }
  return 2;
}

const luaL_Reg measure_functions[] = {{"clusters", world_clusters},
                                      {"bond_changes", world_bond_changes},
                                      {"stress", world_stress},
                                      {"energy_ledger", world_energy_ledger},
                                      {"radial_distribution", world_radial_distribution},
                                      {"structure_factor", world_structure_factor},
                                      {"profile", world_profile},
                                      {"force_distribution", world_force_distribution},
                                      {"bond_order", world_bond_order},
                                      {"mixing_index", world_mixing_index},
                                      {"coarse_grain", world_coarse_grain},
                                      {NULL, NULL}};
