/*
 * Rigid assemblies: making them, and looking at them.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

static const option_field assembly_fields[] = {ASSEMBLY_OPTIONS};

void read_inertia(lua_State *L, double inertia[6])
{
  lua_getfield(L, 2, "inertia");
  for (int k = 0; lua_istable(L, -1) && k < 6; k++) {
    lua_rawgeti(L, -1, k + 1);
    inertia[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* add_assembly(sim, options, { id, ... }) -> number from 0 */
static int assembly_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_assembly_options options;
  floc_assembly_options_init(&options);
  options_fill(L, 2, assembly_fields, &options);
  read_inertia(L, options.inertia);
  int64_t count = (int64_t)lua_rawlen(L, 3);
  int64_t *ids = lua_newuserdata(L, ((size_t)count + 1) * sizeof *ids);
  for (int64_t k = 0; k < count; k++) {
    lua_rawgeti(L, 3, (int)(k + 1));
    ids[k] = (int64_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  int32_t number = -1;
  floc_status status = floc_assembly_add(self->world, ids, count, &options, &number);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushinteger(L, number);
  return 1;
}

/* assembly_state(sim, number) -> table */
static int assembly_state(lua_State *L)
{
  static const result_field fields[] = {ASSEMBLY_STATE_RESULT};
  binding *self = peek_binding(L);
  floc_assembly_state state = {.struct_size = sizeof state};
  floc_status status = floc_assembly_get_state(self->world, (int32_t)luaL_checkinteger(L, 2), &state);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &state, self->dimension);
  return 1;
}

/* assembly_of(sim, id) -> number, -1: none */
static int assembly_of(lua_State *L)
{
  binding *self = peek_binding(L);
  int32_t number = -1;
  floc_status status = floc_assembly_of(self->world, (int64_t)luaL_checkinteger(L, 2), &number);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushinteger(L, number);
  return 1;
}

const luaL_Reg assembly_functions[] = {
    {"add_assembly", assembly_add}, {"assembly_state", assembly_state}, {"assembly_of", assembly_of}, {NULL, NULL}};
