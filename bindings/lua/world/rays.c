/*
 * Ray sources, tracing, what rays did, and their paths.
 *
 * A source may hold two Lua functions: `emit` makes rays, `hit` decides what a hit does. Both are called on the
 * thread that called step() or trace(), in the order of the rays. What they return is checked here, because the
 * message must name the script's line; the engine would only know the number of the ray. Tables are made and
 * read inside a guard, a C function around the script's, because both may raise, and no error of Lua may pass
 * through the engine.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_field source_fields[] = {RAY_SOURCE_OPTIONS};

/* ---- messages --------------------------------------------------------------------------------------- */

/* "<label> returned <what>; it must ..." for answer(). */
static floc_status wrong(callback *self, const char *what, const char *rule)
{
  self->owner->failed = true;
  snprintf(self->owner->failure, sizeof self->owner->failure, "%s returned %s; %s", self->label, what, rule);
  return FLOC_CALLBACK_FAILED;
}

static floc_status wrong_value(callback *self, lua_State *L, int index, const char *name, const char *rule)
{
  char value[80], what[160];
  describe_value(L, index, value, sizeof value);
  snprintf(what, sizeof what, "%s%s%s", name, name[0] ? " = " : "", value);
  return wrong(self, what, rule);
}

/* ---- values that a function returned ------------------------------------------------------------------ */

/* A number at index into *value; nil leaves it. */
static bool read_number(lua_State *L, int index, double least, double greatest, double *value)
{
  if (lua_isnoneornil(L, index)) return true;
  double given = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (!(given >= least && given <= greatest)) return false;
  *value = given;
  return true;
}

/* A list of finite numbers, one per dimension, at index; nil leaves it. */
static bool read_vector(lua_State *L, int index, int dimension, double *vector)
{
  if (lua_isnoneornil(L, index)) return true;
  if (!lua_istable(L, index)) return false;
  double given[3] = {0, 0, 0};
  for (int k = 0; k < dimension; k++) {
    lua_rawgeti(L, index, k + 1);
    given[k] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    lua_pop(L, 1);
    if (!isfinite(given[k])) return false;
  }
  memcpy(vector, given, sizeof given);
  return true;
}

/* Field `name` of the table at `table`; tables of scripts may have metatables, so the access is raw. */
static int raw_field(lua_State *L, int table, const char *name)
{
  lua_pushstring(L, name);
  lua_rawget(L, table);
  return lua_gettop(L);
}

/* ---- rays made by a function -------------------------------------------------------------------------- */

static floc_status read_ray(callback *self, lua_State *L, int table, floc_ray *ray)
{
  static const char *const rule = "it must be a list of finite numbers, one per dimension";
  static const char *const number_rule = "it must be a finite number of at least 0";
  int dimension = self->owner->dimension, index = raw_field(L, table, "position");
  if (lua_isnil(L, index) || !read_vector(L, index, dimension, ray->position))
    return wrong_value(self, L, index, "position", rule);
  index = raw_field(L, table, "direction");
  if (lua_isnil(L, index) || !read_vector(L, index, dimension, ray->direction))
    return wrong_value(self, L, index, "direction", rule);
  const double *d = ray->direction;
  if (d[0] == 0 && d[1] == 0 && d[2] == 0) return wrong(self, "direction = 0", "its length must be above 0");
  struct {
    const char *name;
    double *value;
  } numbers[] = {{"power", &ray->power}, {"area", &ray->area}, {"solid_angle", &ray->solid_angle}};
  for (int k = 0; k < 3; k++) {
    index = raw_field(L, table, numbers[k].name);
    if (!read_number(L, index, 0, 1.7e308, numbers[k].value))
      return wrong_value(self, L, index, numbers[k].name, number_rule);
  }
  return FLOC_OK;
}

typedef struct emit_call {
  callback *self;
  int64_t index;
  double time;
  floc_ray *ray;
  floc_status status;
} emit_call;

/* The script's function is the upvalue. */
static int emit_guard(lua_State *L)
{
  emit_call *call = lua_touserdata(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushnumber(L, (lua_Number)(call->index + 1));
  lua_pushnumber(L, call->time);
  lua_call(L, 2, 1);
  call->status = lua_istable(L, -1)
                     ? read_ray(call->self, L, lua_gettop(L), call->ray)
                     : wrong_value(call->self, L, -1, "", "it must be a table { position =, direction =, area = }");
  return 0;
}

/* Calls a guard with a struct under protection. Nothing outside of it allocates, so nothing raises. */
static floc_status guarded_call(callback *self, void *call, const floc_status *status)
{
  lua_State *L = callback_push(self);
  if (!L) return FLOC_CALLBACK_FAILED;
  if (!lua_checkstack(L, 8)) return FLOC_OUT_OF_MEMORY;
  lua_pushlightuserdata(L, call);
  return lua_pcall(L, 1, 0, 0) ? callback_failed(self, L) : *status;
}

static floc_status emit_trampoline(void *context, int64_t index, double time, floc_ray *ray)
{
  emit_call call = {context, index, time, ray, FLOC_OK};
  return guarded_call(context, &call, &call.status);
}

/* ---- hits decided by a function ------------------------------------------------------------------------ */

/* What the function gets. */
static void push_hit(lua_State *L, const floc_ray_hit *hit, const floc_ray_response *response, int dimension)
{
  static const result_field fields[] = {RAY_HIT_RESULT};
  double acoustic = response->action == FLOC_HIT_REFLECT ? response->power : hit->power - response->power;
  push_result(L, fields, hit, dimension);
  set_number(L, "reflected_power", acoustic);
  set_vector(L, "force", response->force, dimension);
}

static bool is_zero(const double vector[3])
{
  return vector[0] == 0 && vector[1] == 0 && vector[2] == 0;
}

/* Ways to continue that the function did not spell out. */
static void complete_response(const floc_ray_hit *hit, int32_t action, bool power_is_given,
                              floc_ray_response *response)
{
  bool acoustic = response->action == FLOC_HIT_REFLECT;
  double along = 2.0 * hit->incident_cosine;
  for (int k = 0; k < 3; k++) {
    double mirrored = hit->direction[k] + along * hit->normal[k];
    double refracted = is_zero(hit->refracted_direction) ? hit->direction[k] : hit->refracted_direction[k];
    response->direction[k] = action == FLOC_HIT_TRANSMIT ? refracted : mirrored;
    if (action != FLOC_HIT_REFLECT || power_is_given || !acoustic) response->force[k] = 0;
  }
  if (action == FLOC_HIT_REFLECT && !acoustic) response->power = hit->power - response->power;
  if (action == FLOC_HIT_TRANSMIT) response->power = hit->power;
  if (action == FLOC_HIT_ABSORB) response->power = 0;
  response->action = action;
}

/* action, power, direction, force at the stack from `first` on; no action: acoustic reflection stays. */
static floc_status read_response(callback *self, lua_State *L, int first, const floc_ray_hit *hit,
                                 floc_ray_response *response)
{
  static const char *const words[] = {"reflect", "absorb", "transmit"};
  int dimension = self->owner->dimension;
  if (lua_isnil(L, first)) return FLOC_OK;
  int32_t action = 0;
  const char *word = lua_type(L, first) == LUA_TSTRING ? lua_tostring(L, first) : "";
  for (int k = 0; k < 3; k++)
    if (strcmp(word, words[k]) == 0) action = k + 1;
  if (!action)
    return wrong_value(self, L, first, "", "its first result must be nil, \"reflect\", \"absorb\" or \"transmit\"");
  complete_response(hit, action, !lua_isnil(L, first + 1), response);
  char rule[96];
  snprintf(rule, sizeof rule, "it must be a number from 0 to %.14g, the power of the ray", hit->power);
  if (!read_number(L, first + 1, 0, hit->power, &response->power))
    return wrong_value(self, L, first + 1, "power", rule);
  if (!read_vector(L, first + 2, dimension, response->direction) || is_zero(response->direction))
    return wrong_value(self, L, first + 2, "direction",
                       "it must be a list of finite numbers, one per dimension, not all 0");
  if (!read_vector(L, first + 3, dimension, response->force))
    return wrong_value(self, L, first + 3, "force", "it must be a list of finite numbers, one per dimension");
  return FLOC_OK;
}

typedef struct hit_call {
  callback *self;
  const floc_ray_hit *hit;
  floc_ray_response *response;
  floc_status status;
} hit_call;

static int hit_guard(lua_State *L)
{
  hit_call *call = lua_touserdata(L, 1);
  luaL_checkstack(L, 24, "a hit");
  lua_pushvalue(L, lua_upvalueindex(1));
  push_hit(L, call->hit, call->response, call->self->owner->dimension);
  lua_call(L, 1, 4);
  call->status = read_response(call->self, L, lua_gettop(L) - 3, call->hit, call->response);
  return 0;
}

static floc_status hit_trampoline(void *context, const floc_ray_hit *hit, floc_ray_response *response)
{
  hit_call call = {context, hit, response, FLOC_OK};
  return guarded_call(context, &call, &call.status);
}

/* ---- options of a source ------------------------------------------------------------------------------- */

typedef struct source_callbacks {
  callback *emit, *hit;
} source_callbacks;

/* options[name] = { law =, place =, label = } of the table at index 2; NULL: none. */
static callback *take_function(lua_State *L, binding *self, const char *name, lua_CFunction guard)
{
  lua_getfield(L, 2, name);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return NULL;
  }
  int description = lua_gettop(L);
  lua_getfield(L, description, "law");
  lua_pushcclosure(L, guard, 1);
  callback *made = callback_keep(L, self, description, description + 1);
  lua_getfield(L, description, "label");
  made->label = copy_text(L, luaL_checkstring(L, -1));
  lua_settop(L, description - 1);
  return made;
}

/* times = { ... }, copied into a userdata that stays on the stack. */
static void read_times(lua_State *L, floc_ray_source_options *options)
{
  lua_getfield(L, 2, "times");
  if (!lua_istable(L, -1)) return;
  int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
  double *times = lua_newuserdata(L, (size_t)(count + 1) * sizeof *times);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, list, k + 1);
    times[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  options->times = times;
  options->time_count = count;
}

static source_callbacks read_source(lua_State *L, binding *self, floc_ray_source_options *options)
{
  source_callbacks made;
  floc_ray_source_options_init(options);
  options_fill(L, 2, source_fields, options);
  read_times(L, options);
  made.emit = take_function(L, self, "emit", emit_guard);
  made.hit = take_function(L, self, "hit", hit_guard);
  options->emit = made.emit ? emit_trampoline : NULL;
  options->emit_context = made.emit;
  options->hit = made.hit ? hit_trampoline : NULL;
  options->hit_context = made.hit;
  return made;
}

static void discard(lua_State *L, binding *self, const source_callbacks *made)
{
  if (made->hit) callback_discard(L, self, made->hit);
  if (made->emit) callback_discard(L, self, made->emit);
}

/* add_ray_source(sim, options) -> number from 0 */
static int source_add(lua_State *L)
{
  binding *self = check_binding(L);
  lua_settop(L, 2);
  floc_ray_source_options options;
  source_callbacks made = read_source(L, self, &options);
  int32_t number = -1;
  floc_status status = floc_ray_source_add(self->world, &options, &number);
  if (status == FLOC_OK) {
    lua_pushinteger(L, number);
    return 1;
  }
  int pushed = answer(L, self, status);
  discard(L, self, &made);
  return pushed;
}

/* ---- media ------------------------------------------------------------------------------------------- */

static void read_pair(lua_State *L, int table, const char *name, double pair[2])
{
  lua_getfield(L, table, name);
  for (int k = 0; lua_istable(L, -1) && k < 2; k++) {
    lua_rawgeti(L, -1, k + 1);
    pair[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Numbers of a list from `first` on; returns how many there are. The Lua half has counted them. */
static int read_further(lua_State *L, int table, const char *name, int first, double *values)
{
  int count = 0;
  lua_getfield(L, table, name);
  while (lua_istable(L, -1)) {
    lua_rawgeti(L, -1, first + count);
    bool is_there = lua_isnumber(L, -1);
    if (is_there) values[count++] = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!is_there) break;
  }
  lua_pop(L, 1);
  return count;
}

static void read_media(lua_State *L, int table, floc_media *media)
{
  static const option_field fields[] = {MEDIA};
  floc_media_init(media);
  options_fill(L, table, fields, media);
  read_pair(L, table, "density", media->density);
  read_pair(L, table, "sound_speed", media->sound_speed);
  media->materials = (int32_t)read_further(L, table, "density", 3, media->material_density);
  read_further(L, table, "sound_speed", 3, media->material_sound_speed);
  read_further(L, table, "heat_capacity", 1, media->heat_capacity);
  read_further(L, table, "attenuation", 1, media->attenuation);
}

/* set_media(sim, media) */
static int media_set(lua_State *L)
{
  binding *self = check_binding(L);
  floc_media media;
  read_media(L, 2, &media);
  return answer(L, self, floc_world_set_media(self->world, &media));
}

/* reflectance(media, cosine) -> reflectance, cosine of refraction */
static int reflectance(lua_State *L)
{
  floc_media media;
  read_media(L, 1, &media);
  double share = 0, refracted = 0;
  floc_status status = floc_reflectance(&media, luaL_checknumber(L, 2), &share, &refracted);
  if (status != FLOC_OK) return answer_text(L, status, "the media or the cosine are out of range");
  lua_pushnumber(L, share);
  lua_pushnumber(L, refracted);
  return 2;
}

/* ---- reports ------------------------------------------------------------------------------------------ */

static void push_report(lua_State *L, const floc_ray_report *report, int dimension)
{
  static const result_field fields[] = {RAY_REPORT_RESULT};
  double spread[3];
  push_result(L, fields, report, dimension);
  for (int k = 0; k < 3; k++) {
    double power = report->exit_power[k] + report->flight_power[k];
    spread[k] = report->incident > 0 ? power / report->incident : 0;
  }
  set_vector(L, "retained", spread, dimension);
}

/* ray_report(sim, source from 0, -1: all) -> table */
static int ray_report(lua_State *L)
{
  binding *self = peek_binding(L);
  floc_ray_report report = {.struct_size = sizeof report};
  floc_status status = floc_world_get_ray_report(self->world, (int32_t)luaL_checkinteger(L, 2), &report);
  if (status != FLOC_OK) return answer(L, self, status);
  push_report(L, &report, self->dimension);
  return 1;
}

/* The rays in flight, as a userdata on the stack. */
static floc_status take_rays_in_flight(lua_State *L, binding *self, floc_ray **rays, int64_t *count)
{
  floc_status status = floc_world_get_rays(self->world, NULL, 0, count);
  if (status != FLOC_OK) return status;
  *rays = lua_newuserdata(L, (size_t)(*count + 1) * sizeof **rays);
  return floc_world_get_rays(self->world, *rays, *count, count);
}

/* rays(sim) -> list of { position, direction, power } */
static int rays_in_flight(lua_State *L)
{
  static const result_field fields[] = {RAY_RESULT};
  binding *self = check_binding(L);
  int64_t count = 0;
  floc_ray *rays = NULL;
  floc_status status = take_rays_in_flight(L, self, &rays, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_createtable(L, (int)count, 0);
  for (int64_t k = 0; k < count; k++) {
    push_result(L, fields, &rays[k], self->dimension);
    lua_rawseti(L, -2, (int)(k + 1));
  }
  return 1;
}

/* ---- paths --------------------------------------------------------------------------------------------- */

static ray_paths *push_paths(lua_State *L, int64_t capacity)
{
  ray_paths *paths = lua_newuserdata(L, sizeof *paths + (size_t)capacity * sizeof *paths->piece);
  paths->count = 0;
  luaL_getmetatable(L, PATHS_TYPE);
  lua_setmetatable(L, -2);
  return paths;
}

/* #paths */
static int paths_length(lua_State *L)
{
  const ray_paths *paths = luaL_checkudata(L, 1, PATHS_TYPE);
  lua_pushinteger(L, (lua_Integer)paths->count);
  return 1;
}

/* paths[k] -> { ray, from, to, power }; nil beyond the last */
static int paths_index(lua_State *L)
{
  static const result_field fields[] = {RAY_SEGMENT_RESULT};
  const ray_paths *paths = luaL_checkudata(L, 1, PATHS_TYPE);
  double wanted = lua_type(L, 2) == LUA_TNUMBER ? lua_tonumber(L, 2) : 0;
  if (!(wanted >= 1 && wanted <= (double)paths->count) || wanted != floor(wanted)) return 0;
  push_result(L, fields, &paths->piece[(int64_t)wanted - 1], 3);
  return 1;
}

/* flight_paths(sim, length, power): an arrow for each ray in flight, `length` long at `power`. */
static int flight_paths(lua_State *L)
{
  binding *self = check_binding(L);
  double length = luaL_checknumber(L, 2), power = luaL_checknumber(L, 3);
  int64_t count = 0;
  floc_ray *rays = NULL;
  floc_status status = take_rays_in_flight(L, self, &rays, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  ray_paths *paths = push_paths(L, count);
  paths->count = count;
  for (int64_t k = 0; k < count; k++) {
    floc_ray_segment *piece = &paths->piece[k];
    *piece = (floc_ray_segment){.ray = k, .power = rays[k].power};
    for (int axis = 0; axis < 3; axis++) {
      piece->from[axis] = rays[k].position[axis];
      piece->to[axis] = piece->from[axis] + length * rays[k].power / power * rays[k].direction[axis];
    }
  }
  return 1;
}

/* ---- tracing at once ------------------------------------------------------------------------------------ */

static void push_by_id(lua_State *L, binding *self, const double *values, int64_t count, int width)
{
  const int64_t *ids = NULL, *slots = NULL;
  floc_particle_ids(self->world, &ids, &slots, NULL);
  lua_createtable(L, (int)count, 0);
  for (int64_t rank = 0; rank < count; rank++) {
    const int64_t slot = slots[rank];
    if (width == 1)
      lua_pushnumber(L, values[slot]);
    else
      push_vector(L, &values[slot * width], self->dimension);
    lua_rawseti(L, -2, (int)ids[slot]);
  }
}

/* trace(sim, source options, { media =, paths = pieces, by_particle = }) -> report, with paths, force, absorbed_by
 */
static int trace(lua_State *L)
{
  binding *self = check_binding(L);
  lua_settop(L, 3);
  lua_getfield(L, 3, "media");
  floc_media media;
  bool has_media = lua_istable(L, 4);
  if (has_media) read_media(L, 4, &media);
  lua_getfield(L, 3, "paths");
  int64_t capacity = (int64_t)lua_tonumber(L, 5);
  lua_getfield(L, 3, "by_particle");
  bool by_particle = lua_toboolean(L, 6);
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(self->world, &info);
  double *values = by_particle ? lua_newuserdata(L, (size_t)(info.particle_count + 1) * 4 * sizeof *values) : NULL;
  ray_paths *paths = capacity > 0 ? push_paths(L, capacity) : NULL;
  int paths_at = lua_gettop(L);
  floc_trace_result result;
  floc_ray_report report;
  floc_trace_result_init(&result);
  floc_ray_report_init(&report);
  result.ray_report = &report;
  result.force = values;
  result.absorbed = values ? values + 3 * info.particle_count : NULL;
  result.segments = paths ? paths->piece : NULL;
  result.segment_capacity = capacity;
  floc_ray_source_options options;
  source_callbacks made = read_source(L, self, &options);
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_trace(self->world, &options, has_media ? &media : NULL, &result);
  engine_call_end(self, outer);
  if (status != FLOC_OK) {
    int pushed = answer(L, self, status);
    discard(L, self, &made);
    return pushed;
  }
  discard(L, self, &made);
  push_report(L, &report, self->dimension);
  if (paths) {
    paths->count = result.segment_count < capacity ? result.segment_count : capacity;
    lua_pushvalue(L, paths_at);
    lua_setfield(L, -2, "paths");
    set_number(L, "path_pieces", (double)result.segment_count);
  }
  if (values) {
    push_by_id(L, self, values, info.particle_count, 3);
    lua_setfield(L, -2, "force");
    push_by_id(L, self, values + 3 * info.particle_count, info.particle_count, 1);
    lua_setfield(L, -2, "absorbed_by");
  }
  return 1;
}

const luaL_Reg ray_functions[] = {{"add_ray_source", source_add},
                                  {"set_media", media_set},
                                  {"reflectance", reflectance},
                                  {"ray_report", ray_report},
                                  {"rays", rays_in_flight},
                                  {"flight_paths", flight_paths},
                                  {"trace", trace},
                                  {NULL, NULL}};

void ray_register(lua_State *L)
{
  luaL_newmetatable(L, PATHS_TYPE);
  lua_pushcfunction(L, paths_length);
  lua_setfield(L, -2, "__len");
  lua_pushcfunction(L, paths_index);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
