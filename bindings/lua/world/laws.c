/*
 * Laws from Lua: programs that the Lua half has traced, and functions for those that cannot be traced. A function
 * is called once per pair or particle. The engine hands over blocks of inputs on the thread that called step()
 * (parallel stays false: one Lua state cannot run on two threads), and every result is checked, because a law
 * that forgets a return would otherwise be a NaN some steps later, with nothing to point at.
 */
#include "binding.h"
#include "options_made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const option_field law_fields[] = {LAW_OPTIONS};

static const option_field attraction_fields[] = {ATTRACTION_OPTIONS};
static const option_field long_range_fields[] = {LONG_RANGE_OPTIONS};

static const option_field flow_fields[] = {FLOW_OPTIONS};

static const option_field noise_fields[] = {NOISE_OPTIONS};

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

void describe_wrong_result(const callback *self, lua_State *L, int index, const double *const *inputs, int32_t row,
                           char *text, size_t size)
{
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
}

floc_status law_wrong_result(callback *self, lua_State *L, int index, const double *const *inputs, int32_t row)
{
  self->owner->failed = true;
  describe_wrong_result(self, L, index, inputs, row, self->owner->failure, sizeof self->owner->failure);
  return FLOC_CALLBACK_FAILED;
}

static floc_status law_too_many(callback *self)
{
  self->owner->failed = true;
  snprintf(self->owner->failure, sizeof self->owner->failure, "%s returned more than %d value%s", self->label,
           self->output_count, self->output_count > 1 ? "s" : "");
  return FLOC_CALLBACK_FAILED;
}

/* One pair or particle: the function is at index `function` of the stack. One value more is taken, to see whether
 * there is one. */
static floc_status law_call(callback *self, lua_State *L, int function, const double *const *inputs,
                            double *const *outputs, int32_t row)
{
  lua_pushvalue(L, function);
  for (int32_t k = 0; k < self->input_count; k++) lua_pushnumber(L, inputs[k][row]);
  if (lua_pcall(L, self->input_count, self->output_count + 1, 0)) return callback_failed(self, L);
  if (!lua_isnil(L, -1)) return law_too_many(self);
  for (int32_t k = 0; k < self->output_count; k++) {
    int index = k - self->output_count - 1;
    double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
    if (!isfinite(value)) return law_wrong_result(self, L, index, inputs, row);
    outputs[k][row] = value;
  }
  lua_pop(L, self->output_count + 1);
  return FLOC_OK;
}

static floc_status law_rows(callback *self, lua_State *L, int32_t count, const double *const *inputs,
                            double *const *outputs)
{
  int function = lua_gettop(L);
  if (!lua_checkstack(L, self->input_count + 8)) return FLOC_OUT_OF_MEMORY;
  for (int32_t row = 0; row < count; row++) {
    floc_status status = law_call(self, L, function, inputs, outputs, row);
    if (status == FLOC_OK) continue;
    lua_settop(L, function - 1);
    return status;
  }
  lua_settop(L, function - 1);
  return FLOC_OK;
}

/* Time is taken per block, for the warning that says what calls cost. */
static floc_status law_trampoline(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  callback *self = context;
  lua_State *L = callback_push(self);
  if (!L) return FLOC_CALLBACK_FAILED;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  floc_status status = law_rows(self, L, count, inputs, outputs);
  clock_gettime(CLOCK_MONOTONIC, &end);
  self->calls += count;
  self->seconds += (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  return status;
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

/* A list of strings in a field of the table at index 2, NULL if there is none. The array is left on the stack, so
 * that it lives as long as the call; the strings live in the table. */
static const char *const *name_list(lua_State *L, const char *field, int32_t *count)
{
  *count = 0;
  lua_getfield(L, 2, field);
  if (lua_isnil(L, -1)) return NULL;
  int list = lua_gettop(L);
  luaL_checktype(L, list, LUA_TTABLE);
  *count = (int32_t)lua_rawlen(L, list);
  const char **names = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *names);
  for (int32_t k = 0; k < *count; k++) {
    lua_rawgeti(L, list, k + 1);
    names[k] = luaL_checkstring(L, -1);
    lua_pop(L, 1);
  }
  return names;
}

/* A list of numbers in a field of the table at index; the array is left on the stack. */
static double *number_list(lua_State *L, int index, const char *field, int32_t *count)
{
  lua_getfield(L, index, field);
  int list = lua_gettop(L);
  luaL_checktype(L, list, LUA_TTABLE);
  *count = (int32_t)lua_rawlen(L, list);
  double *numbers = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *numbers);
  for (int32_t k = 0; k < *count; k++) {
    lua_rawgeti(L, list, k + 1);
    numbers[k] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  return numbers;
}

static int32_t *integer_list(lua_State *L, int index, const char *field, int32_t *count)
{
  double *numbers = number_list(L, index, field, count);
  int32_t *integers = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *integers);
  for (int32_t k = 0; k < *count; k++) integers[k] = (int32_t)numbers[k];
  return integers;
}

/* The program of the table at index, as scripts/floc/trace/graph.lua makes it. */
static void read_program(lua_State *L, int index, floc_program_options *program)
{
  int32_t words;
  luaL_checktype(L, index, LUA_TTABLE);
  luaL_checkstack(L, 17, "a program");
  floc_program_options_init(program);
  lua_getfield(L, index, "fast_math");
  program->fast_math = lua_toboolean(L, -1);
  lua_getfield(L, index, "input_count");
  program->input_count = (int32_t)luaL_checkinteger(L, -1);
  program->constants = number_list(L, index, "constants", &program->constant_count);
  program->code = (const floc_instruction *)(const void *)integer_list(L, index, "code", &words);
  program->code_count = words / 4;
  program->outputs = integer_list(L, index, "outputs", &program->output_count);
}

/* Fills the options of a law from the table at index 2, the function at index 3 (or nil) and the program at index 4
 * (or nil). The callback of the function, or NULL. What the options point to is on the stack. */
static callback *law_options(lua_State *L, binding *self, int32_t output_count, floc_law_options *options,
                             floc_program_options *program)
{
  bool called = lua_isnoneornil(L, 4);
  callback *made = NULL;
  floc_law_options_init(options);
  options_fill(L, 2, law_fields, options);
  if (called) {
    luaL_checktype(L, 3, LUA_TFUNCTION);
    made = callback_create(L, self);
    law_names(L, made);
    options->function = law_trampoline;
    options->context = made;
    lua_getfield(L, 2, "recipe");
    if (!lua_isnil(L, -1)) {
      char problem[512];
      made->workers = workers_create(L, lua_gettop(L), problem, sizeof problem);
      if (!made->workers) luaL_error(L, "%s", problem);
      options->function = workers_run;
      options->parallel = true;
    }
    lua_pop(L, 1);
  } else {
    read_program(L, 4, program);
    options->program = program;
  }
  int32_t value_count;
  luaL_checkstack(L, 16, "a law");
  options->inputs = name_list(L, "inputs", &options->input_count);
  options->outputs = name_list(L, "outputs", &options->output_count);
  options->memory = name_list(L, "memory", &options->memory_count);
  options->parameters = name_list(L, "parameter_names", &options->parameter_count);
  if (options->parameters) options->parameter_values = number_list(L, 2, "parameter_values", &value_count);
  options->attributes = name_list(L, "attribute_names", &options->attribute_count);
  if (options->attributes) options->attribute_values = number_list(L, 2, "attribute_values", &value_count);
  if (!options->outputs) options->output_count = called ? output_count : program->output_count;
  if (made) made->output_count = options->output_count;
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
  if (!made) return 1;
  lua_pushlightuserdata(L, made);
  return 2;
}

/* add_law(sim, { kind, inputs, outputs, memory, parameter_names, parameter_values, label, name, range }, function,
 * program) -> number of the law, and for a function a mark for law_cost */
static int law_add(lua_State *L)
{
  static floc_status (*const add[])(floc_world *, const floc_law_options *,
                                    int32_t *) = {[FLOC_LAW_PAIR] = floc_pair_law_add,
                                                  [FLOC_LAW_FIELD] = floc_field_add,
                                                  [FLOC_LAW_WALL] = floc_wall_law_add,
                                                  [FLOC_LAW_EVOLUTION] = floc_evolution_add,
                                                  [FLOC_LAW_ANGLE] = floc_angle_law_add};
  binding *self = check_binding(L);
  lua_settop(L, 4);
  lua_getfield(L, 2, "kind");
  int kind = (int)luaL_checkinteger(L, -1);
  luaL_argcheck(L, kind >= FLOC_LAW_PAIR && kind <= FLOC_LAW_ANGLE, 2, "kind");
  floc_law_options options;
  floc_program_options program;
  callback *made = law_options(L, self, kind == FLOC_LAW_FIELD ? self->dimension : 1, &options, &program);
  int32_t law = -1;
  floc_status status = add[kind](self->world, &options, &law);
  return answer_law(L, self, status, made, law);
}

/* law_cost(sim, mark) -> calls, seconds in them */
static int law_cost(lua_State *L)
{
  binding *self = peek_binding(L);
  const callback *mark = lua_touserdata(L, 2);
  for (const callback *one = self->callbacks; one; one = one->next) {
    if (one != mark) continue;
    lua_pushnumber(L, (lua_Number)one->calls);
    lua_pushnumber(L, one->seconds);
    return 2;
  }
  return luaL_error(L, "no such law");
}

/* set_law_program(sim, kind, number, program) */
static int law_set_program(lua_State *L)
{
  binding *self = check_binding(L);
  floc_program_options program;
  lua_settop(L, 4);
  read_program(L, 4, &program);
  return answer(L, self,
                floc_law_set_program(self->world, (int32_t)luaL_checkinteger(L, 2),
                                     (int32_t)luaL_checkinteger(L, 3), &program));
}

/* law_text(sim, kind, number) */
static int law_text(lua_State *L)
{
  binding *self = peek_binding(L);
  int32_t kind = (int32_t)luaL_checkinteger(L, 2), number = (int32_t)luaL_checkinteger(L, 3);
  size_t length = 0;
  floc_status status = floc_law_text(self->world, kind, number, NULL, 0, &length);
  if (status != FLOC_OK) return answer(L, self, status);
  char *text = lua_newuserdata(L, length + 1);
  floc_law_text(self->world, kind, number, text, length + 1, &length);
  lua_pushlstring(L, text, length);
  return 1;
}

/* law_energy(sim, kind, number) */
static int law_energy(lua_State *L)
{
  binding *self = peek_binding(L);
  double energy;
  int32_t kind = (int32_t)luaL_checkinteger(L, 2), number = (int32_t)luaL_checkinteger(L, 3);
  bool within = self->busy; /* a law asks */
  lua_State *outer = within ? NULL : engine_call_begin(L, self);
  floc_status status = floc_law_get_energy(self->world, kind, number, &energy);
  if (!within) engine_call_end(self, outer);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, energy);
  return 1;
}

/* law_parameter(sim, kind, number, name) */
static int law_parameter(lua_State *L)
{
  binding *self = peek_binding(L);
  double value;
  floc_status status = floc_law_get_parameter(self->world, (int32_t)luaL_checkinteger(L, 2),
                                              (int32_t)luaL_checkinteger(L, 3), luaL_checkstring(L, 4), &value);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, value);
  return 1;
}

/* set_law_parameter(sim, kind, number, name, value) */
static int law_set_parameter(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self,
                floc_law_set_parameter(self->world, (int32_t)luaL_checkinteger(L, 2),
                                       (int32_t)luaL_checkinteger(L, 3), luaL_checkstring(L, 4),
                                       luaL_checknumber(L, 5)));
}

/* column_extent(sim, name) -> least, greatest; nothing if there is no such column or no particle */
static int column_extent(lua_State *L)
{
  binding *self = peek_binding(L);
  double *values;
  int64_t count;
  if (column_of(L, self, luaL_checkstring(L, 2), &values, &count) != FLOC_OK || count == 0) return 0;
  double least = values[0], greatest = values[0];
  for (int64_t k = 1; k < count; k++) {
    least = fmin(least, values[k]);
    greatest = fmax(greatest, values[k]);
  }
  lua_pushnumber(L, least);
  lua_pushnumber(L, greatest);
  return 2;
}

void take_columns(lua_State *L, int index, int32_t columns, int32_t count, double *values)
{
  for (int32_t k = 0; k < columns; k++, values += count) {
    lua_rawgeti(L, index, k + 1);
    for (int32_t row = 0; row < count; row++) {
      lua_rawgeti(L, -1, row + 1);
      values[row] = luaL_checknumber(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

void push_columns(lua_State *L, const double *values, int32_t columns, int32_t count)
{
  lua_createtable(L, columns, 0);
  for (int32_t k = 0; k < columns; k++, values += count) {
    lua_createtable(L, count, 0);
    for (int32_t row = 0; row < count; row++) {
      lua_pushnumber(L, values[row]);
      lua_rawseti(L, -2, row + 1);
    }
    lua_rawseti(L, -2, k + 1);
  }
}

/* program_evaluate(program, { list of numbers per input }, count) -> { list of numbers per output } */
static int program_evaluate(lua_State *L)
{
  floc_program_options program;
  lua_settop(L, 3);
  int32_t count = (int32_t)luaL_checkinteger(L, 3);
  luaL_argcheck(L, count >= 0, 3, "count");
  read_program(L, 1, &program);
  if (program.input_count < 0 || program.input_count > 64 || program.output_count > 64)
    return luaL_error(L, "counts of the program");
  const double *inputs[64];
  double *outputs[64];
  char message[512];
  double *values = lua_newuserdata(L, (size_t)(program.input_count + program.output_count + 1) *
                                          (size_t)(count + 1) * sizeof *values);
  double *results = values + (size_t)program.input_count * (size_t)count;
  take_columns(L, 2, program.input_count, count, values);
  for (int32_t k = 0; k < program.input_count; k++) inputs[k] = values + (size_t)k * (size_t)count;
  for (int32_t k = 0; k < program.output_count; k++) outputs[k] = results + (size_t)k * (size_t)count;
  floc_status status = floc_program_evaluate(&program, count, inputs, outputs, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  push_columns(L, results, program.output_count, count);
  return 1;
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

/* add_long_range(sim, options) -> number of the law */
static int long_range_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_long_range_options options;
  floc_long_range_options_init(&options);
  options_fill(L, 2, long_range_fields, &options);
  int32_t law = -1;
  floc_status status = floc_long_range_add(self->world, &options, &law);
  return answer_law(L, self, status, NULL, law);
}

/* set_flow(sim, options, function or nil, program or nil) */
static int flow_set(lua_State *L)
{
  binding *self = check_binding(L);
  floc_flow_options options;
  floc_program_options program;
  floc_law_options function;
  floc_flow_options_init(&options);
  floc_law_options_init(&function);
  lua_settop(L, 4);
  callback *made = NULL;
  if (!lua_isnil(L, 3) || !lua_isnil(L, 4)) made = law_options(L, self, self->dimension, &function, &program);
  options_fill(L, 2, flow_fields, &options);
  if (options.kind == FLOC_FLOW_FUNCTION) options.law = &function;
  floc_status status = floc_world_set_flow(self->world, &options);
  if (status != FLOC_OK) return answer_law(L, self, status, made, 0);
  if (self->flow) callback_release(L, self->flow);
  self->flow = made;
  return answer_law(L, self, status, made, 0);
}

/* set_a_priori(sim, { inputs, output_count, label, name }, function, program), or without both: none */
static int a_priori_set(lua_State *L)
{
  binding *self = check_binding(L);
  floc_law_options options;
  floc_program_options program;
  lua_settop(L, 4);
  bool given = !lua_isnil(L, 3) || !lua_isnil(L, 4);
  int32_t outputs = self->dimension;
  if (given) {
    lua_getfield(L, 2, "output_count");
    outputs = (int32_t)luaL_checkinteger(L, -1);
    lua_pop(L, 1);
  }
  callback *made = given ? law_options(L, self, outputs, &options, &program) : NULL;
  floc_status status = floc_world_set_a_priori(self->world, given ? &options : NULL);
  if (status != FLOC_OK) return answer_law(L, self, status, made, 0);
  if (self->a_priori) callback_release(L, self->a_priori);
  self->a_priori = made;
  return answer_law(L, self, status, made, 0);
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

const luaL_Reg law_functions[] = {{"add_law", law_add},
                                  {"law_cost", law_cost},
                                  {"law_text", law_text},
                                  {"law_energy", law_energy},
                                  {"law_parameter", law_parameter},
                                  {"set_law_parameter", law_set_parameter},
                                  {"set_law_program", law_set_program},
                                  {"program_evaluate", program_evaluate},
                                  {"column_extent", column_extent},
                                  {"add_attraction", attraction_add},
                                  {"add_long_range", long_range_add},
                                  {"set_flow", flow_set},
                                  {"set_a_priori", a_priori_set},
                                  {"set_noise", noise_set},
                                  {NULL, NULL}};
