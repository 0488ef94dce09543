/*
 * Joints: making, changing and removing them, and looking at them.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

/* add_joint(sim, options) -> number from 0 */
static int joint_add(lua_State *L)
{
  static const option_field fields[] = {JOINT_OPTIONS};
  binding *self = check_binding(L);
  floc_joint_options options;
  floc_joint_options_init(&options);
  options_fill(L, 2, fields, &options);
  int32_t number = -1;
  floc_status status = floc_joint_add(self->world, &options, &number);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushinteger(L, number);
  return 1;
}

/* remove_joint(sim, number) */
static int joint_remove(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self, floc_joint_remove(self->world, (int32_t)luaL_checkinteger(L, 2)));
}

/* set_joint_motor(sim, number, velocity, greatest) */
static int joint_set_motor(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self,
                floc_joint_set_motor(self->world, (int32_t)luaL_checkinteger(L, 2), luaL_checknumber(L, 3),
                                     luaL_checknumber(L, 4)));
}

/* joint_state(sim, number) -> table */
static int joint_state(lua_State *L)
{
  static const result_field fields[] = {JOINT_STATE_RESULT};
  binding *self = peek_binding(L);
  floc_joint_state state = {.struct_size = sizeof state};
  floc_status status = floc_joint_get_state(self->world, (int32_t)luaL_checkinteger(L, 2), &state);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &state, self->dimension);
  return 1;
}

const luaL_Reg joint_functions[] = {{"add_joint", joint_add},
                                    {"remove_joint", joint_remove},
                                    {"set_joint_motor", joint_set_motor},
                                    {"joint_state", joint_state},
                                    {NULL, NULL}};
