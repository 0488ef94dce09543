/*
 * The simulation userdata: creating, stepping, reading what a world says about itself, attachments and
 * checkpoints.
 *
 * Lifetime: the userdata owns the world. When it is collected, its views are set out of range first, so
 * that a script which kept `local x = sim.x` longer than sim gets an error and not freed memory. The
 * views are still there then, because the attached table that holds them is kept alive by the userdata
 * until its finaliser has run.
 */
#include "binding.h"
#include "options_made.h"
#include "ranks.h"
#include "results_made.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_field world_fields[] = {WORLD_OPTIONS};
static const option_field projection_fields[] = {PROJECTION_OPTIONS};

binding *peek_binding(lua_State *L)
{
  binding *self = luaL_checkudata(L, 1, BINDING_TYPE);
  if (!self->world) script_error(L, "the simulation is closed");
  return self;
}

binding *check_binding(lua_State *L)
{
  binding *self = peek_binding(L);
  if (self->busy) script_error(L, "this call is not allowed inside a law, a motion, map or sum");
  return self;
}

/* The engine counts axes and entries of lists from 0, scripts from 1: "position[0] is 3" begins with position[1].
 */
static void push_counted_from_one(lua_State *L, const char *text)
{
  size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
  const char *digits = text + name + (text[name] == '[');
  size_t length = strspn(digits, "0123456789");
  if (name == 0 || text[name] != '[' || length == 0 || length > 9 || digits[length] != ']') {
    lua_pushstring(L, text);
    return;
  }
  lua_pushlstring(L, text, name);
  lua_pushfstring(L, "[%d%s", (int)strtol(digits, NULL, 10) + 1, digits + length);
  lua_concat(L, 2);
}

int answer_text(lua_State *L, floc_status status, const char *text)
{
  lua_pushnil(L);
  push_counted_from_one(L, text[0] ? text : floc_status_name(status));
  lua_pushstring(L, floc_status_name(status));
  return 3;
}

/* The error value or text that a trampoline kept; false when the failure came from elsewhere. */
static void push_failure(lua_State *L, binding *self)
{
  if (self->failure[0]) {
    lua_pushstring(L, self->failure);
    self->failure[0] = 0;
    return;
  }
  attached_table(L, 1);
  lua_getfield(L, -1, "failure");
  lua_pushboolean(L, 0);
  lua_setfield(L, -3, "failure");
  lua_remove(L, -2);
}

int answer(lua_State *L, binding *self, floc_status status)
{
  if (status == FLOC_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  answer_text(L, status, floc_world_message(self->world));
  if (status != FLOC_CALLBACK_FAILED) return 3;
  push_failure(L, self);
  if (lua_toboolean(L, -1)) {
    lua_replace(L, -3);
  } else {
    lua_pop(L, 1);
  }
  return 3;
}

int answer_and_refresh(lua_State *L, binding *self, floc_status status)
{
  int pushed = answer(L, self, status);
  views_refresh(L, self);
  return pushed;
}

/* write_line(text, level, number of the simulation): by the Lua half, which counts warnings
 * (scripts/floc/session/warnings.lua). */
static int write_line(lua_State *L)
{
  lua_getfield(L, LUA_REGISTRYINDEX, LOG_FUNCTION);
  lua_pushvalue(L, 2);
  lua_pushstring(L, lua_touserdata(L, 1));
  lua_pushvalue(L, 3);
  lua_call(L, 3, 0);
  return 0;
}

/* set_log(function): gets level, text and the simulation's number of each line that the engine has to say. */
static int world_set_log(lua_State *L)
{
  lua_settop(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, LOG_FUNCTION);
  return 0;
}

static const char write_line_key;

static void log_line(void *context, int32_t level, const char *text)
{
  binding *self = context;
  lua_State *L = self->state;
  if (!L || !lua_checkstack(L, 6)) return;
  int top = lua_gettop(L);
  lua_pushlightuserdata(L, (void *)&write_line_key);
  lua_rawget(L, LUA_REGISTRYINDEX); /* kept there, because making it now might fail */
  lua_pushlightuserdata(L, (void *)text);
  lua_pushinteger(L, level);
  lua_pushinteger(L, self->number);
  lua_pcall(L, 3, 0, 0); /* without write permission there is none */
  lua_settop(L, top);
}

/* boundary = { 0, 2, 0 }: one number of floc_boundary per axis. */
static void read_boundary(lua_State *L, floc_world_options *options)
{
  lua_getfield(L, 1, "boundary");
  for (int axis = 0; lua_istable(L, -1) && axis < 3; axis++) {
    lua_rawgeti(L, -1, axis + 1);
    if (!lua_isnil(L, -1)) options->boundary[axis] = (int32_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static binding *push_binding(lua_State *L)
{
  binding *self = lua_newuserdata(L, sizeof *self);
  memset(self, 0, sizeof *self);
  luaL_getmetatable(L, BINDING_TYPE);
  lua_setmetatable(L, -2);
  lua_newtable(L);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "failure"); /* there from the start: setting it later allocates nothing */
  attach_table(L, -2);
  return self;
}

/* The program's flag, which a signal sets. Without one (another host) nothing is given up. */
static int is_interrupted(void *flag)
{
  return *(volatile sig_atomic_t *)flag != 0;
}

static void take_interrupt_flag(lua_State *L, floc_world *world)
{
  lua_getfield(L, LUA_REGISTRYINDEX, INTERRUPT_FLAG);
  if (lua_islightuserdata(L, -1)) floc_world_set_interrupt(world, is_interrupted, lua_touserdata(L, -1));
  lua_pop(L, 1);
}

/* create(options) -> userdata */
static int world_create(lua_State *L)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options_fill(L, 1, world_fields, &options);
  read_boundary(L, &options);
  lua_getfield(L, 1, "number");
  int number = (int)lua_tointeger(L, -1);
  binding *self = push_binding(L);
  self->number = number;
  self->dimension = options.dimension;
  options.log = log_line;
  options.log_context = self;
  floc_status status = floc_world_create(&options, &self->world);
  if (status != FLOC_OK) return answer_text(L, status, options.message);
  if (!ranks_are_several()) take_interrupt_flag(L, self->world); /* else at doors, see ranks.c */
  status = ranks_share_world(self->world);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_getfield(L, 1, "work_limit");
  if (!lua_isnil(L, -1)) floc_world_set_work_limit(self->world, lua_tonumber(L, -1)); /* has been checked */
  lua_pop(L, 1);
  return 1;
}

/* file_world(file) -> userdata like that of create, its dimension: to look at */
static int world_of_file(lua_State *L)
{
  floc_file **file = luaL_checkudata(L, 1, FILE_TYPE);
  if (!*file) return luaL_error(L, "the file is closed");
  binding *self = push_binding(L);
  char message[512] = "";
  floc_status status = floc_file_world(*file, &self->world, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(self->world, &info);
  self->dimension = info.dimension;
  lua_pushinteger(L, info.dimension);
  return 2;
}

static int world_collect(lua_State *L)
{
  binding *self = luaL_checkudata(L, 1, BINDING_TYPE);
  views_lock(self);
  floc_world_destroy(self->world);
  self->world = NULL;
  callbacks_free(self);
  free(self->views);
  self->views = NULL;
  self->view_count = self->view_capacity = 0;
  return 0;
}

/* A number of two materials by a Lua function. */
floc_status pair_trampoline(void *context, const char *quantity, int32_t material_i, int32_t material_j,
                            double *value)
{
  callback *self = context;
  lua_State *L = callback_push(self);
  if (!L) return FLOC_CALLBACK_FAILED;
  if (!lua_checkstack(L, 8)) return FLOC_OUT_OF_MEMORY;
  lua_pushstring(L, quantity);
  lua_pushinteger(L, material_i);
  lua_pushinteger(L, material_j);
  if (lua_pcall(L, 3, 1, 0)) return callback_failed(self, L);
  *value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
  lua_pop(L, 1);
  return FLOC_OK;
}

/* set_projection(sim, options, function or nil): the function gives what options.by_pair names of two materials. */
static int world_set_projection(lua_State *L)
{
  binding *self = check_binding(L);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options_fill(L, 2, projection_fields, &options);
  callback *made = lua_isnoneornil(L, 3) ? NULL : callback_create(L, self);
  if (made) options.pair_function = pair_trampoline;
  options.pair_context = made;
  floc_status status = floc_world_set_projection(self->world, &options);
  int pushed = answer_and_refresh(L, self, status); /* rotation adds columns */
  callback *useless = status == FLOC_OK ? self->of_pairs : NULL;
  if (status == FLOC_OK) self->of_pairs = made;
  if (status != FLOC_OK && made) callback_discard(L, self, made);
  if (useless) callback_release(L, useless);
  return pushed;
}

static int world_set_gravity(lua_State *L)
{
  binding *self = check_binding(L);
  double gravity[3] = {luaL_checknumber(L, 2), luaL_checknumber(L, 3), luaL_optnumber(L, 4, 0)};
  return answer(L, self, floc_world_set_gravity(self->world, gravity));
}

/* deform(sim, options) */
static int world_deform(lua_State *L)
{
  static const option_field given[] = {DEFORM_OPTIONS};
  binding *self = check_binding(L);
  floc_deform_options options;
  floc_deform_options_init(&options);
  options_fill(L, 2, given, &options);
  return answer(L, self, floc_world_deform(self->world, &options));
}

/* cell(sim) -> table */
static int world_cell(lua_State *L)
{
  static const result_field fields[] = {CELL_RESULT};
  binding *self = peek_binding(L);
  floc_cell cell = {.struct_size = sizeof cell};
  floc_status status = floc_world_get_cell(self->world, &cell);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, fields, &cell, self->dimension);
  return 1;
}

/* check_feature(sim, feature) */
static int world_check_feature(lua_State *L)
{
  binding *self = peek_binding(L);
  return answer(L, self, floc_world_check_feature(self->world, (int32_t)luaL_checkinteger(L, 2)));
}

static int world_set_time_step(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self, floc_world_set_time_step(self->world, luaL_checknumber(L, 2)));
}

static int world_set_threads(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self, floc_world_set_threads(self->world, (int32_t)luaL_checkinteger(L, 2)));
}

static const result_field info_fields[] = {WORLD_INFO_RESULT};

static int world_info(lua_State *L)
{
  binding *self = peek_binding(L);
  floc_world_info info = {.struct_size = sizeof info};
  floc_status status = floc_world_get_info(self->world, &info);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, info_fields, &info, info.dimension);
  return 1;
}

/* clock(sim) -> step, time: what the run loop looks at after every step, without a table. */
static int world_clock(lua_State *L)
{
  binding *self = peek_binding(L);
  floc_world_info info = {.struct_size = sizeof info};
  floc_status status = floc_world_get_info(self->world, &info);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushinteger(L, (lua_Integer)info.step);
  lua_pushnumber(L, info.time);
  return 2;
}

lua_State *engine_call_begin(lua_State *L, binding *self)
{
  lua_State *outer = self->state;
  self->state = L;
  self->busy = true;
  self->failed = false;
  self->failure[0] = 0;
  return outer;
}

void engine_call_end(binding *self, lua_State *outer)
{
  self->state = outer;
  self->busy = false;
}

/* Looking would bring all particles to all ranks: views wait until they are asked. What works over ranks solves
 * nothing. */
static int answer_over_ranks(lua_State *L, binding *self, floc_status status)
{
  ranks_step_end(L);
  self->views_wait = true;
  const int pushed = answer(L, self, status);
  if (status != FLOC_OK) return pushed;
  lua_pushboolean(L, 1);
  return pushed + 1;
}

/* step(sim) -> true, whether it was solved: one step. Laws and motions call back into this Lua state from inside.
 */
static int world_step(lua_State *L)
{
  binding *self = check_binding(L);
  lua_settop(L, 1);
  views_lock(self);
  const bool over_ranks = ranks_step_begin(L);
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_world_step(self->world);
  engine_call_end(self, outer);
  if (over_ranks) return answer_over_ranks(L, self, status);
  floc_step_report report = {.struct_size = sizeof report};
  if (status == FLOC_OK) floc_world_get_report(self->world, &report);
  int pushed = answer_and_refresh(L, self, status);
  if (status != FLOC_OK) return pushed;
  lua_pushboolean(L, report.converged);
  return pushed + 1;
}

static void set_stage_seconds(lua_State *L, const floc_step_report *report)
{
  lua_newtable(L);
  for (int32_t stage = 0; stage < FLOC_STAGE_COUNT; stage++) {
    const char *name = floc_stage_name(stage);
    if (name) set_number(L, name, report->stage_seconds[stage]);
  }
  lua_setfield(L, -2, "stage_seconds");
}

static const result_field report_fields[] = {STEP_REPORT_RESULT};

static int world_report(lua_State *L)
{
  binding *self = peek_binding(L);
  floc_step_report report = {.struct_size = sizeof report};
  floc_status status = floc_world_get_report(self->world, &report);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, report_fields, &report, self->dimension);
  set_stage_seconds(L, &report);
  return 1;
}

/* hash(sim) -> 16 hexadecimal digits: more than a Lua number can hold. */
static int world_hash(lua_State *L)
{
  binding *self = check_binding(L);
  uint64_t hash = 0;
  floc_status status = floc_world_hash(self->world, &hash);
  if (status != FLOC_OK) return answer(L, self, status);
  char text[20];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  lua_pushstring(L, text);
  return 1;
}

static int world_measure(lua_State *L)
{
  binding *self = check_binding(L);
  double value = 0;
  const char *name = luaL_checkstring(L, 2);
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_measure(self->world, name, &value);
  engine_call_end(self, outer);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, value);
  return 1;
}

/* added_measures(sim) -> names of the measures that a host has added */
static int added_measures(lua_State *L)
{
  binding *self = check_binding(L);
  floc_measure_options one = {.struct_size = sizeof one};
  lua_newtable(L);
  for (int32_t k = 0; floc_measure_added(self->world, k, &one) == FLOC_OK; k++) {
    lua_pushstring(L, one.name);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

static const result_field contact_fields[] = {CONTACT_RESULT};

floc_status contacts_read(lua_State *L, binding *self, floc_contact **contacts, int64_t *count)
{
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_world_get_contacts(self->world, NULL, 0, count);
  engine_call_end(self, outer);
  if (status != FLOC_OK) return status;
  floc_contact *found = lua_newuserdata(L, (size_t)(*count + 1) * sizeof *found);
  *contacts = found;
  return floc_world_get_contacts(self->world, found, *count, count);
}

/* contacts(sim) -> list of tables */
static int world_contacts(lua_State *L)
{
  binding *self = check_binding(L);
  int64_t count = 0;
  floc_contact *contacts;
  floc_status status = contacts_read(L, self, &contacts, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_createtable(L, (int)count, 0);
  for (int64_t k = 0; k < count; k++) {
    push_result(L, contact_fields, &contacts[k], self->dimension);
    lua_rawseti(L, -2, (int)(k + 1));
  }
  return 1;
}

/* attach(sim, name, text): text nil removes it. */
static int world_attach(lua_State *L)
{
  binding *self = check_binding(L);
  size_t length = 0;
  const char *bytes = luaL_optlstring(L, 3, "", &length);
  return answer(L, self, floc_attachment_set(self->world, luaL_checkstring(L, 2), bytes, length));
}

static int world_attachment(lua_State *L)
{
  binding *self = check_binding(L);
  const void *bytes = NULL;
  size_t length = 0;
  floc_status status = floc_attachment_get(self->world, luaL_checkstring(L, 2), &bytes, &length);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushlstring(L, bytes, length);
  return 1;
}

/* save(sim, path, keep, plain) */
static int world_save(lua_State *L)
{
  binding *self = check_binding(L);
  const char *path = check_path(L, 2);
  int32_t keep = (int32_t)luaL_optinteger(L, 3, 1);
  floc_compression compression = lua_toboolean(L, 4) ? FLOC_COMPRESSION_NONE : FLOC_COMPRESSION_DEFAULT;
  floc_status status = floc_world_set_checkpoint_compression(self->world, compression);
  return answer(L, self, status == FLOC_OK ? floc_world_save(self->world, path, keep) : status);
}

/* load(sim, path), or load(sim, file of file_open) */
static int world_load(lua_State *L)
{
  binding *self = check_binding(L);
  floc_file **file = lua_isuserdata(L, 2) ? luaL_checkudata(L, 2, FILE_TYPE) : NULL;
  if (file && !*file) return luaL_error(L, "the file is closed");
  const char *path = file ? NULL : check_path(L, 2);
  views_lock(self);
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = file ? floc_world_load_file(self->world, *file) : floc_world_load(self->world, path);
  engine_call_end(self, outer);
  return answer_and_refresh(L, self, status);
}

const luaL_Reg world_functions[] = {{"create", world_create},
                                    {"set_log", world_set_log},
                                    {"file_world", world_of_file},
                                    {"set_projection", world_set_projection},
                                    {"set_gravity", world_set_gravity},
                                    {"deform", world_deform},
                                    {"cell", world_cell},
                                    {"check_feature", world_check_feature},
                                    {"set_time_step", world_set_time_step},
                                    {"set_threads", world_set_threads},
                                    {"info", world_info},
                                    {"clock", world_clock},
                                    {"step", world_step},
                                    {"report", world_report},
                                    {"hash", world_hash},
                                    {"measure", world_measure},
                                    {"added_measures", added_measures},
                                    {"contacts", world_contacts},
                                    {"attach", world_attach},
                                    {"attachment", world_attachment},
                                    {"save", world_save},
                                    {"load", world_load},
                                    {NULL, NULL}};

void world_register(lua_State *L)
{
  lua_pushlightuserdata(L, (void *)&write_line_key);
  lua_pushcfunction(L, write_line);
  lua_rawset(L, LUA_REGISTRYINDEX);
  luaL_newmetatable(L, BINDING_TYPE);
  lua_pushcfunction(L, world_collect);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}
