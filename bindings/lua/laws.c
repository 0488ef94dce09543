/*
 * Pair laws and fields that are Lua functions: one call per pair or particle. The engine hands over blocks
 * of inputs on the thread that called step() (parallel stays false: one Lua state cannot run on two
 * threads), and every result is checked, because a law that forgets a return would otherwise be a NaN some
 * steps later, with nothing to point at.
 */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_field law_fields[] = {
    OPTION(FIELD_STRING, floc_law_options, name), OPTION(FIELD_NUMBER, floc_law_options, range), {NULL, 0, 0}};

static const option_field attraction_fields[] = {OPTION(FIELD_NUMBER, floc_attraction_options, kappa),
                                                 OPTION(FIELD_NUMBER, floc_attraction_options, epsilon),
                                                 OPTION(FIELD_NUMBER, floc_attraction_options, range),
                                                 OPTION(FIELD_BOOLEAN, floc_attraction_options, noise_scaling),
                                                 {NULL, 0, 0}};

static const option_field flow_fields[] = {
    OPTION(FIELD_INTEGER, floc_flow_options, kind),        OPTION(FIELD_NUMBER, floc_flow_options, relaxation_time),
    OPTION(FIELD_BOOLEAN, floc_flow_options, exponential), OPTION(FIELD_VECTOR, floc_flow_options, velocity),
    OPTION(FIELD_NUMBER, floc_flow_options, rate),         OPTION(FIELD_NUMBER, floc_flow_options, frequency),
    OPTION(FIELD_VECTOR, floc_flow_options, center),       {NULL, 0, 0}};

static const option_field noise_fields[] = {OPTION(FIELD_NUMBER, floc_noise_options, sigma), {NULL, 0, 0}};

/* No call here may raise. */
void describe_value(lua_State *L, int index, char *text, size_t size)
{
  int type = lua_type(L, index);
  if (type == LUA_TNUMBER) {
    snprintf(text, size, "%.14g", lua_tonumber(L, index));
  } else if (type == LUA_TSTRING) {
    snprintf(text, size, "\"%.60s\"", lua_tostring(L, index));
  } else if (type == LUA_TNIL) {
    snprintf(text, size, "nil");
  } else {
    snprintf(text, size, "a %s", lua_typename(L, type));
  }
}

floc_status law_wrong_result(callback *self, lua_State *L, int index, const double *const *inputs, int32_t row)
{
  self->owner->failed = true;
  char *text = self->owner->failure;
  size_t size = sizeof self->owner->failure;
  char value[80];
  describe_value(L, index, value, sizeof value);
  size_t length = (size_t)snprintf(text, size, "%s returned %s", self->label, value);
  for (int32_t k = 0; k < self->input_count && length < size; k++) {
    length += (size_t)snprintf(text + length, size - length, "%s%s = %.14g", k ? ", " : " for ",
                               self->input_names[k], inputs[k][row]);
  }
  if (length < size) {
    snprintf(text + length, size - length, "; it must return %d finite number%s", self->output_count,
             self->output_count > 1 ? "s" : "");
  }
  return FLOC_CALLBACK_FAILED;
}

/* One pair or particle: the function is at index `function` of the stack. */
static floc_status law_call(callback *self, lua_State *L, int function, const double *const *inputs,
                            double *const *outputs, int32_t row)
{
  lua_pushvalue(L, function);
  for (int32_t k = 0; k < self->input_count; k++) lua_pushnumber(L, inputs[k][row]);
  if (lua_pcall(L, self->input_count, self->output_count, 0)) return callback_failed(self, L);
  for (int32_t k = 0; k < self->output_count; k++) {
    int index = k - self->output_count;
    double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
    if (!isfinite(value)) return law_wrong_result(self, L, index, inputs, row);
    outputs[k][row] = value;
  }
  lua_pop(L, self->output_count);
  return FLOC_OK;
}

static floc_status law_trampoline(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  callback *self = context;
  lua_State *L = callback_push(self);
  if (!L) return FLOC_CALLBACK_FAILED;
  int function = lua_gettop(L);
  if (!lua_checkstack(L, self->input_count + 8)) return FLOC_OUT_OF_MEMORY;
  for (int32_t row = 0; row < count; row++) {
    floc_status status = law_call(self, L, function, inputs, outputs, row);
    if (status != FLOC_OK) {
      lua_settop(L, function - 1);
      return status;
    }
  }
  lua_settop(L, function - 1);
  return FLOC_OK;
}

/* inputs = { "distance", ... }, label = "..." of the table at index 2. */
static void law_names(lua_State *L, callback *self)
{
  lua_getfield(L, 2, "label");
  self->label = copy_text(L, luaL_checkstring(L, -1));
  lua_getfield(L, 2, "inputs");
  int list = lua_gettop(L);
  int32_t count = (int32_t)lua_rawlen(L, list);
  self->input_names = calloc((size_t)count + 1, sizeof *self->input_names);
  if (!self->input_names) luaL_error(L, "out of memory");
  self->input_count = count;
  for (int32_t k = 0; k < count; k++) {
    lua_rawgeti(L, list, k + 1);
    self->input_names[k] = copy_text(L, luaL_checkstring(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

/* The callback of the function at index 3, described by the table at index 2, and its options. */
static callback *law_callback(lua_State *L, binding *self, int32_t output_count, floc_law_options *options)
{
  luaL_checktype(L, 3, LUA_TFUNCTION);
  callback *made = callback_create(L, self);
  law_names(L, made);
  made->output_count = output_count;
  floc_law_options_init(options);
  options_fill(L, 2, law_fields, options);
  options->inputs = (const char *const *)made->input_names;
  options->input_count = made->input_count;
  options->output_count = output_count;
  options->function = law_trampoline;
  options->context = made;
  return made;
}

static int answer_law(lua_State *L, binding *self, floc_status status, callback *made, int32_t law)
{
  if (status != FLOC_OK) {
    int pushed = answer(L, self, status);
    if (made) callback_discard(L, self, made);
    return pushed;
  }
  lua_pushinteger(L, law);
  return 1;
}

/* add_force(sim, { inputs, label, name, range }, function) -> number of the law */
static int force_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_law_options options;
  callback *made = law_callback(L, self, 1, &options);
  int32_t law = -1;
  floc_status status = floc_pair_law_add(self->world, &options, &law);
  return answer_law(L, self, status, made, law);
}

/* add_field(sim, { inputs, label, name }, function) -> number of the law */
static int field_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_law_options options;
  callback *made = law_callback(L, self, self->dimension, &options);
  int32_t law = -1;
  floc_status status = floc_field_add(self->world, &options, &law);
  return answer_law(L, self, status, made, law);
}

/* add_attraction(sim, options) -> number of the law */
static int attraction_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_attraction_options options;
  floc_attraction_options_init(&options);
  options_fill(L, 2, attraction_fields, &options);
  int32_t law = -1;
  floc_status status = floc_attraction_add(self->world, &options, &law);
  return answer_law(L, self, status, NULL, law);
}

/* set_flow(sim, options, function or nil) */
static int flow_set(lua_State *L)
{
  binding *self = check_binding(L);
  floc_flow_options options;
  floc_flow_options_init(&options);
  callback *made = lua_isnoneornil(L, 3) ? NULL : law_callback(L, self, self->dimension, &options.function);
  options_fill(L, 2, flow_fields, &options);
  floc_status status = floc_world_set_flow(self->world, &options);
  if (status != FLOC_OK) return answer_law(L, self, status, made, 0);
  if (self->flow) callback_release(L, self->flow);
  self->flow = made;
  return answer(L, self, status);
}

/* set_a_priori(sim, { inputs, label, name }, function), or without both: none */
static int a_priori_set(lua_State *L)
{
  binding *self = check_binding(L);
  floc_law_options options;
  callback *made = lua_isnoneornil(L, 3) ? NULL : law_callback(L, self, self->dimension, &options);
  floc_status status = floc_world_set_a_priori(self->world, made ? &options : NULL);
  if (status != FLOC_OK) return answer_law(L, self, status, made, 0);
  if (self->a_priori) callback_release(L, self->a_priori);
  self->a_priori = made;
  return answer(L, self, status);
}

/* set_noise(sim, options) */
static int noise_set(lua_State *L)
{
  binding *self = check_binding(L);
  floc_noise_options options;
  floc_noise_options_init(&options);
  options_fill(L, 2, noise_fields, &options);
  return answer(L, self, floc_world_set_noise(self->world, &options));
}

const luaL_Reg law_functions[] = {{"add_force", force_add},
                                  {"add_field", field_add},
                                  {"add_attraction", attraction_add},
                                  {"set_flow", flow_set},
                                  {"set_a_priori", a_priori_set},
                                  {"set_noise", noise_set},
                                  {NULL, NULL}};
