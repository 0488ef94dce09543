/*
 * Clusters and bonds, stresses.
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

const luaL_Reg measure_functions[] = {
    {"clusters", world_clusters}, {"bond_changes", world_bond_changes}, {"stress", world_stress}, {NULL, NULL}};
