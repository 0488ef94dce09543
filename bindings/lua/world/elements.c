/*
 * The discrete-element scheme: options, external fields as Lua functions, bonds, reports.
 *
 * A field of the scheme has the inputs x, y, z, time; the Lua function says by its parameters' names which of
 * them it wants. It returns three numbers in two dimensions too: a magnetic field across the plane is the one
 * that bends paths in it.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

#include <math.h>
#include <stdlib.h>

static const option_field element_fields[] = {DISCRETE_ELEMENT_OPTIONS};

/* ---- fields ---------------------------------------------------------------------------------------- */

enum { FIELD_COMPONENTS = 3 };

/* inputs[k] of the engine are x, y, z, time; the callback's input_names[k][0] is its digit among them. */
static floc_status field_call(callback *self, lua_State *L, int function, const double *const *inputs,
                              double *const *outputs, int32_t row)
{
  lua_pushvalue(L, function);
  for (int32_t k = 0; k < self->input_count; k++) lua_pushnumber(L, inputs[k][row]);
  if (lua_pcall(L, self->input_count, FIELD_COMPONENTS, 0)) return callback_failed(self, L);
  for (int k = 0; k < FIELD_COMPONENTS; k++) {
    int index = k - FIELD_COMPONENTS;
    double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
    if (!isfinite(value)) return law_wrong_result(self, L, index, inputs, row);
    outputs[k][row] = value;
  }
  lua_pop(L, FIELD_COMPONENTS);
  return FLOC_OK;
}

static int place_of_input(const char *name)
{
  return name[0] == 't' ? 3 : name[0] - 'x';
}

static floc_status field_trampoline(void *context, int32_t count, const double *const *inputs,
                                    double *const *outputs)
{
  callback *self = context;
  lua_State *L = callback_push(self);
  if (!L) return FLOC_CALLBACK_FAILED;
  int function = lua_gettop(L);
  if (!lua_checkstack(L, 16)) return FLOC_OUT_OF_MEMORY;
  const double *wanted[4];
  for (int32_t k = 0; k < self->input_count; k++) wanted[k] = inputs[place_of_input(self->input_names[k])];
  floc_status status = FLOC_OK;
  for (int32_t row = 0; row < count && status == FLOC_OK; row++)
    status = field_call(self, L, function, wanted, outputs, row);
  lua_settop(L, function - 1);
  return status;
}

/* inputs = { "x", "t" }: the Lua half has checked that there are at most four, all of x, y, z, t, time. */
static void read_inputs(lua_State *L, int description, callback *self)
{
  lua_getfield(L, description, "inputs");
  int list = lua_gettop(L);
  int32_t count = (int32_t)lua_rawlen(L, list);
  if (count > 4) luaL_error(L, "inputs: at most 4 expected");
  self->input_names = calloc((size_t)count + 1, sizeof *self->input_names);
  if (!self->input_names) luaL_error(L, "out of memory");
  self->input_count = count;
  for (int32_t k = 0; k < count; k++) {
    lua_rawgeti(L, list, k + 1);
    self->input_names[k] = copy_text(L, luaL_checkstring(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* The callback of fields[name] = { law =, inputs =, place =, label = } of the table at index 3; NULL: none. */
static callback *take_field(lua_State *L, binding *self, const char *name, floc_kernel_function *function,
                            void **context)
{
  lua_getfield(L, 3, name);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return NULL;
  }
  int description = lua_gettop(L);
  lua_getfield(L, description, "law");
  callback *made = callback_keep(L, self, description, description + 1);
  lua_getfield(L, description, "label");
  made->label = copy_text(L, luaL_checkstring(L, -1));
  read_inputs(L, description, made);
  made->output_count = FIELD_COMPONENTS;
  *function = field_trampoline;
  *context = made;
  lua_settop(L, description - 1);
  return made;
}

/* set_discrete_element(sim, options, fields, function or nil): the function gives what options.by_pair names of two
 * materials. */
static int element_set(lua_State *L)
{
  binding *self = check_binding(L);
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options_fill(L, 2, element_fields, &options);
  callback *made[3];
  made[0] = take_field(L, self, "medium_velocity", &options.medium_flow, &options.medium_flow_context);
  made[1] = take_field(L, self, "electric_field", &options.electric_field, &options.electric_field_context);
  made[2] = take_field(L, self, "magnetic_field", &options.magnetic_field, &options.magnetic_field_context);
  lua_settop(L, 4);
  callback *by_pair = lua_isnil(L, 4) ? NULL : callback_keep(L, self, 2, 4);
  if (by_pair) options.pair_function = pair_trampoline;
  options.pair_context = by_pair;
  floc_status status = floc_world_set_discrete_element(self->world, &options);
  int pushed = answer_and_refresh(L, self, status); /* the scheme adds columns */
  if (status == FLOC_OK) return pushed;
  if (by_pair) callback_discard(L, self, by_pair);
  for (int k = 2; k >= 0; k--)
    if (made[k]) callback_discard(L, self, made[k]);
  return pushed;
}

/* ---- bonds ------------------------------------------------------------------------------------------ */

/* add_bond(sim, id_i, id_j, area) */
static int bond_add(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self,
                floc_bond_add(self->world, (int64_t)luaL_checknumber(L, 2), (int64_t)luaL_checknumber(L, 3),
                              luaL_checknumber(L, 4)));
}

/* remove_bond(sim, id_i, id_j) */
static int bond_remove(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self,
                floc_bond_remove(self->world, (int64_t)luaL_checknumber(L, 2), (int64_t)luaL_checknumber(L, 3)));
}

/* bonds(sim) -> list of { id_i, id_j, area, strain } */
static int bond_list(lua_State *L)
{
  static const result_field fields[] = {BOND_RESULT};
  binding *self = check_binding(L);
  int64_t count = 0;
  floc_status status = floc_world_get_bonds(self->world, NULL, 0, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  floc_bond *bonds = lua_newuserdata(L, (size_t)(count + 1) * sizeof *bonds);
  status = floc_world_get_bonds(self->world, bonds, count, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_createtable(L, (int)count, 0);
  for (int64_t k = 0; k < count; k++) {
    push_result(L, fields, &bonds[k], self->dimension);
    lua_rawseti(L, -2, (int)(k + 1));
  }
  return 1;
}

/* ---- looking ---------------------------------------------------------------------------------------- */

/* element_report(sim) -> table */
static int element_report(lua_State *L)
{
  static const result_field fields[] = {DISCRETE_ELEMENT_REPORT_RESULT};
  binding *self = check_binding(L);
  floc_discrete_element_report report = {.struct_size = sizeof report};
  floc_status status = floc_world_get_discrete_element_report(self->world, &report);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &report, self->dimension);
  return 1;
}

/* moment(sim, column, weight or nil, about, order) -> number */
static int moment(lua_State *L)
{
  binding *self = check_binding(L);
  double value = 0;
  floc_status status = floc_measure_moment(self->world, luaL_checkstring(L, 2), luaL_optstring(L, 3, NULL),
                                           luaL_checknumber(L, 4), (int32_t)luaL_checkinteger(L, 5), &value);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, value);
  return 1;
}

/* greatest_distance(sim, rule, gap, cluster) -> number */
static int greatest_distance(lua_State *L)
{
  binding *self = check_binding(L);
  floc_selection selection;
  floc_selection_init(&selection);
  selection.rule = (int32_t)luaL_checkinteger(L, 2);
  selection.gap = luaL_checknumber(L, 3);
  selection.cluster = (int64_t)luaL_checknumber(L, 4);
  double value = 0;
  floc_status status = floc_measure_greatest_distance(self->world, &selection, &value);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, value);
  return 1;
}

const luaL_Reg element_functions[] = {{"set_discrete_element", element_set},
                                      {"add_bond", bond_add},
                                      {"remove_bond", bond_remove},
                                      {"bonds", bond_list},
                                      {"element_report", element_report},
                                      {"moment", moment},
                                      {"greatest_distance", greatest_distance},
                                      {NULL, NULL}};
