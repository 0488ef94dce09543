/*
 * Bodies: options, shapes, motions that are Lua functions, and what can be read of a body.
 *
 * A motion reaches this file as one Lua function of time that returns six numbers (the Lua half composes
 * it from what the script gave and checks the results), so the trampoline here is the same for all.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

#include <stdlib.h>
#include <string.h>

static const option_field body_fields[] = {BODY_OPTIONS};
static const option_field shape_fields[] = {SHAPE};
static const option_field compound_fields[] = {COMPOUND};

/* ---- motions ------------------------------------------------------------------------------------- */

static floc_status motion_trampoline(void *context, double time, double *values)
{
  callback *self = context;
  lua_State *L = callback_push(self);
  if (!L) return FLOC_CALLBACK_FAILED;
  lua_pushnumber(L, time);
  if (lua_pcall(L, 1, 6, 0)) return callback_failed(self, L);
  for (int k = 0; k < 6; k++) values[k] = lua_tonumber(L, k - 6);
  lua_pop(L, 6);
  return FLOC_OK;
}

/* The callback of the function at index 3, or NULL if there is none there. */
static callback *motion_callback(lua_State *L, binding *self, floc_body_options *options)
{
  if (lua_isnoneornil(L, 3)) return NULL;
  callback *made = callback_create(L, self);
  options->function = motion_trampoline;
  options->function_context = made;
  return made;
}

static void motions_reserve(lua_State *L, binding *self, int32_t body)
{
  if (body < self->motion_capacity) return;
  int32_t grown = body * 2 + 8;
  callback **larger = realloc(self->motions, (size_t)grown * sizeof *larger);
  if (!larger) luaL_error(L, "out of memory");
  memset(larger + self->motion_capacity, 0, (size_t)(grown - self->motion_capacity) * sizeof *larger);
  self->motions = larger;
  self->motion_capacity = grown;
}

/* add_body(sim, options, motion function or nil) -> number of the body */
static int body_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(self->world, &info);
  motions_reserve(L, self, info.body_count);
  floc_body_options options;
  floc_body_options_init(&options);
  options_fill(L, 2, body_fields, &options);
  callback *motion = motion_callback(L, self, &options);
  int32_t body = -1;
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_body_add(self->world, &options, &body);
  engine_call_end(self, outer);
  if (status != FLOC_OK) {
    int pushed = answer(L, self, status);
    if (motion) callback_discard(L, self, motion);
    return pushed;
  }
  self->motions[body] = motion;
  lua_pushinteger(L, body);
  return 1;
}

/* set_motion(sim, options, motion function or nil, body) */
static int body_set_motion(lua_State *L)
{
  binding *self = check_binding(L);
  int32_t body = (int32_t)luaL_checkinteger(L, 4);
  motions_reserve(L, self, body < 0 ? 0 : body);
  floc_body_options options;
  floc_body_options_init(&options);
  options_fill(L, 2, body_fields, &options);
  callback *motion = motion_callback(L, self, &options);
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_body_set_motion(self->world, body, &options);
  engine_call_end(self, outer);
  if (status != FLOC_OK) {
    int pushed = answer(L, self, status);
    if (motion) callback_discard(L, self, motion);
    return pushed;
  }
  callback *before = self->motions[body];
  self->motions[body] = motion;
  if (before) callback_release(L, before);
  lua_pushboolean(L, 1);
  return 1;
}

/* set_free(sim, options, load function or nil, body) */
static int body_set_free(lua_State *L)
{
  static const option_field fields[] = {FREE_OPTIONS};
  binding *self = check_binding(L);
  int32_t body = (int32_t)luaL_checkinteger(L, 4);
  motions_reserve(L, self, body < 0 ? 0 : body);
  floc_free_options options;
  floc_free_options_init(&options);
  options_fill(L, 2, fields, &options);
  read_inertia(L, options.inertia);
  callback *load = lua_isnoneornil(L, 3) ? NULL : callback_create(L, self);
  options.function = load ? motion_trampoline : NULL;
  options.function_context = load;
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_body_set_free(self->world, body, &options);
  engine_call_end(self, outer);
  if (status != FLOC_OK) {
    int pushed = answer(L, self, status);
    if (load) callback_discard(L, self, load);
    return pushed;
  }
  callback *before = self->motions[body];
  self->motions[body] = load;
  if (before) callback_release(L, before);
  lua_pushboolean(L, 1);
  return 1;
}

/* remove_body(sim, body) */
static int body_remove(lua_State *L)
{
  binding *self = check_binding(L);
  const int32_t body = (int32_t)luaL_checkinteger(L, 2);
  const floc_status status = floc_body_remove(self->world, body);
  if (status != FLOC_OK) return answer(L, self, status);
  callback *motion = body < self->motion_capacity ? self->motions[body] : NULL;
  if (motion) callback_release(L, motion);
  if (motion) self->motions[body] = NULL;
  lua_pushboolean(L, 1);
  return 1;
}

/* ---- shapes -------------------------------------------------------------------------------------- */

/* set_material(sim, body, shape, material) */
static int body_set_material(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self,
                floc_body_set_material(self->world, (int32_t)luaL_checkinteger(L, 2),
                                       (int32_t)luaL_checkinteger(L, 3), (int32_t)luaL_checkinteger(L, 4)));
}

/* add_shape(sim, body, shape) */
static int body_add_shape(lua_State *L)
{
  binding *self = check_binding(L);
  floc_shape shape;
  floc_shape_init(&shape);
  options_fill(L, 3, shape_fields, &shape);
  return answer(L, self, floc_body_add_shape(self->world, (int32_t)luaL_checkinteger(L, 2), &shape));
}

/* shape_distance(sim, shape, x, y, z) -> distance */
static int shape_distance_of(lua_State *L)
{
  binding *self = peek_binding(L);
  floc_shape shape;
  floc_shape_init(&shape);
  options_fill(L, 2, shape_fields, &shape);
  const double position[3] = {luaL_checknumber(L, 3), luaL_checknumber(L, 4), luaL_checknumber(L, 5)};
  double distance = 0;
  floc_status status = floc_shape_distance(self->world, &shape, position, &distance);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, distance);
  return 1;
}

/* points = { x1, y1, x2, y2, ... } of a polyline, copied into a userdata that stays on the stack. */
static void read_polyline(lua_State *L, floc_compound *compound)
{
  lua_getfield(L, 3, "points");
  if (!lua_istable(L, -1)) return;
  int list = lua_gettop(L);
  int count = (int)lua_rawlen(L, list);
  double *points = lua_newuserdata(L, (size_t)(count + 1) * sizeof *points);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, list, k + 1);
    points[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  compound->points = points;
  compound->point_count = count / 2;
}

/* add_compound(sim, body, compound) */
static int body_add_compound(lua_State *L)
{
  binding *self = check_binding(L);
  floc_compound compound;
  floc_compound_init(&compound);
  options_fill(L, 3, compound_fields, &compound);
  read_polyline(L, &compound);
  return answer(L, self, floc_body_add_compound(self->world, (int32_t)luaL_checkinteger(L, 2), &compound));
}

/* add_mesh(sim, body, mesh) -> number of triangles */
static int body_add_mesh(lua_State *L)
{
  static const option_field fields[] = {MESH_OPTIONS};
  binding *self = check_binding(L);
  floc_mesh_options options;
  floc_mesh_options_init(&options);
  options_fill(L, 3, fields, &options);
  int32_t triangles = 0;
  floc_status status = floc_body_add_mesh(self->world, (int32_t)luaL_checkinteger(L, 2), &options, &triangles);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushinteger(L, triangles);
  return 1;
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* body_state(sim, body) -> table with three components of everything */
static int body_state(lua_State *L)
{
  static const result_field fields[] = {BODY_STATE_RESULT};
  binding *self = peek_binding(L);
  floc_body_state state = {.struct_size = sizeof state};
  floc_status status = floc_body_get_state(self->world, (int32_t)luaL_checkinteger(L, 2), &state);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &state, self->dimension);
  return 1;
}

/* body_shape(sim, body, index from 0) -> table in world coordinates */
static int body_shape(lua_State *L)
{
  static const result_field fields[] = {SHAPE_RESULT};
  binding *self = peek_binding(L);
  floc_shape shape;
  floc_shape_init(&shape);
  floc_status status =
      floc_body_get_shape(self->world, (int32_t)luaL_checkinteger(L, 2), (int32_t)luaL_checkinteger(L, 3), &shape);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &shape, self->dimension);
  return 1;
}

/* add_shape_attribute(sim, name, initial) */
static int shape_attribute_add(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self, floc_shape_attribute_add(self->world, luaL_checkstring(L, 2), luaL_checknumber(L, 3)));
}

/* shape_attributes(sim) -> list of names */
static int shape_attributes(lua_State *L)
{
  binding *self = peek_binding(L);
  const char *name;
  lua_newtable(L);
  for (int32_t k = 0; (name = floc_shape_attribute_name(self->world, k)); k++) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* shape_attribute(sim, body, shape, name) -> number */
static int shape_attribute(lua_State *L)
{
  binding *self = peek_binding(L);
  double value;
  floc_status status = floc_shape_attribute_get(self->world, (int32_t)luaL_checkinteger(L, 2),
                                                (int32_t)luaL_checkinteger(L, 3), luaL_checkstring(L, 4), &value);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, value);
  return 1;
}

/* set_shape_attribute(sim, body, shape, name, value) */
static int shape_attribute_set(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self,
                floc_shape_attribute_set(self->world, (int32_t)luaL_checkinteger(L, 2),
                                         (int32_t)luaL_checkinteger(L, 3), luaL_checkstring(L, 4),
                                         luaL_checknumber(L, 5)));
}

const luaL_Reg body_functions[] = {{"add_body", body_add},
                                   {"set_motion", body_set_motion},
                                   {"set_free", body_set_free},
                                   {"remove_body", body_remove},
                                   {"add_shape", body_add_shape},
                                   {"shape_distance", shape_distance_of},
                                   {"set_material", body_set_material},
                                   {"add_compound", body_add_compound},
                                   {"add_mesh", body_add_mesh},
                                   {"add_shape_attribute", shape_attribute_add},
                                   {"shape_attributes", shape_attributes},
                                   {"shape_attribute", shape_attribute},
                                   {"set_shape_attribute", shape_attribute_set},
                                   {"body_state", body_state},
                                   {"body_shape", body_shape},
                                   {NULL, NULL}};
