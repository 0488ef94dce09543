/*
 * Laws in worker states: what runs a law that cannot be traced on every thread. See
 * scripts/floc/trace/chunk.lua for what may go this way, and for the recipe, a program in Lua that makes the law
 * again in an empty state and returns a loop over a block.
 *
 * The engine hands blocks to several threads at once. Each takes a state that is free, or makes one more; so there
 * are as many as ever ran at the same time. Which state computes which block makes no difference: the law depends
 * on nothing but its numbers. States belong to the law, are not seen by the script, and have the C library's
 * allocator.
 *
 * What goes wrong in a state is kept as text for answer(). Where several blocks fail at once, the first to report
 * it is shown; the step is undone whichever it was.
 */
#include "binding.h"

#include <lualib.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 1024, MOST_INPUTS = 32, MOST_OUTPUTS = 16 };

/* What the loop reads; trace/chunk.lua declares the same. */
typedef struct chunk_block {
  int32_t count;
  const double *inputs[MOST_INPUTS];
  double *outputs[MOST_OUTPUTS];
} chunk_block;

typedef struct worker {
  lua_State *L; /* the loop is alone on its stack */
  int64_t version;
  bool taken;
  chunk_block block;
} worker;

typedef struct chunk_workers {
  pthread_mutex_t lock;
  worker *list[MOST_WORKERS];
  int32_t count;
  char *recipe;
  size_t length;
  int64_t version; /* of the recipe */
} chunk_workers;

/* ---- one state ---- */

/* Under protection: opens the libraries, runs the recipe (lightuserdata 1), leaves the loop. */
static int prepare_state(lua_State *L)
{
  const chunk_workers *all = lua_touserdata(L, 1);
  worker *one = lua_touserdata(L, 2);
  lua_settop(L, 0);
  luaL_openlibs(L);
  if (luaL_loadbuffer(L, all->recipe, all->length, "=law")) return lua_error(L);
  lua_pushlightuserdata(L, &one->block);
  lua_call(L, 1, 1);
  luaL_checktype(L, -1, LUA_TFUNCTION);
  return 1;
}

/* A new state for the recipe as it is now; what was there before is gone. */
static bool open_worker(chunk_workers *all, worker *one, char *text, size_t size)
{
  if (one->L) lua_close(one->L);
  one->L = luaL_newstate();
  if (!one->L) {
    snprintf(text, size, "out of memory: no memory for a Lua state");
    return false;
  }
  lua_pushcfunction(one->L, prepare_state);
  lua_pushlightuserdata(one->L, all);
  lua_pushlightuserdata(one->L, one);
  one->version = all->version;
  if (lua_pcall(one->L, 2, 1, 0) == 0) return true;
  describe_value(one->L, -1, text, size);
  if (lua_type(one->L, -1) == LUA_TSTRING) snprintf(text, size, "%s", lua_tostring(one->L, -1));
  lua_close(one->L);
  one->L = NULL;
  return false;
}

/* 0: all rows are done. 1: it raised an error, which is on top. 2: on top is what the law gave in *row, which is
 * not right. */
static int run_loop(worker *one, int32_t output_count, int32_t *row)
{
  lua_State *L = one->L;
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  if (lua_pcall(L, 0, 1 + output_count, 0)) return 1;
  if (lua_isnil(L, 2)) return 0;
  *row = (int32_t)lua_tointeger(L, 2);
  return 2;
}

static void set_block(worker *one, int32_t count, int32_t input_count, const double *const *inputs,
                      int32_t output_count, double *const *outputs)
{
  one->block.count = count;
  for (int32_t k = 0; k < input_count; k++) one->block.inputs[k] = inputs[k];
  for (int32_t k = 0; k < output_count; k++) one->block.outputs[k] = outputs[k];
}

/* ---- all of a law ---- */

chunk_workers *workers_create(lua_State *L, int recipe, char *text, size_t size)
{
  chunk_workers *all = calloc(1, sizeof *all);
  const char *from = lua_tolstring(L, recipe, NULL);
  if (!all || !from || !(all->recipe = malloc(lua_rawlen(L, recipe) + 1))) {
    free(all);
    snprintf(text, size, "out of memory, or no recipe");
    return NULL;
  }
  all->length = lua_rawlen(L, recipe);
  memcpy(all->recipe, from, all->length);
  pthread_mutex_init(&all->lock, NULL);
  return all;
}

void workers_free(chunk_workers *all)
{
  if (!all) return;
  for (int32_t k = 0; k < all->count; k++) {
    if (all->list[k]->L) lua_close(all->list[k]->L);
    free(all->list[k]);
  }
  pthread_mutex_destroy(&all->lock);
  free(all->recipe);
  free(all);
}

/* One that is free, or NULL. */
static worker *take_worker(chunk_workers *all)
{
  worker *found = NULL;
  pthread_mutex_lock(&all->lock);
  for (int32_t k = 0; k < all->count && !found; k++)
    if (!all->list[k]->taken) found = all->list[k];
  if (!found && all->count < MOST_WORKERS && (found = calloc(1, sizeof *found))) all->list[all->count++] = found;
  if (found) found->taken = true;
  pthread_mutex_unlock(&all->lock);
  return found;
}

static void give_back(chunk_workers *all, worker *one)
{
  pthread_mutex_lock(&all->lock);
  one->taken = false;
  pthread_mutex_unlock(&all->lock);
}

/* The first failure of the engine call is the one that is told. */
static floc_status fail(callback *self, const char *text)
{
  chunk_workers *all = self->workers;
  pthread_mutex_lock(&all->lock);
  if (!self->owner->failed) snprintf(self->owner->failure, sizeof self->owner->failure, "%s", text);
  self->owner->failed = true;
  pthread_mutex_unlock(&all->lock);
  return FLOC_CALLBACK_FAILED;
}

static floc_status run_block(callback *self, worker *one, const double *const *inputs)
{
  char text[1024], value[512];
  int32_t row = 0;
  switch (run_loop(one, self->output_count, &row)) {
  case 0:
    return FLOC_OK;
  case 1:
    describe_value(one->L, -1, value, sizeof value);
    snprintf(text, sizeof text, "%s (in %s)",
             lua_type(one->L, -1) == LUA_TSTRING ? lua_tostring(one->L, -1) : value, self->place);
    return fail(self, text);
  default:
    for (int32_t k = 0; k < self->output_count; k++) {
      int index = k - self->output_count;
      if (lua_type(one->L, index) == LUA_TNUMBER && isfinite(lua_tonumber(one->L, index))) continue;
      describe_wrong_result(self, one->L, index, inputs, row, text, sizeof text);
      return fail(self, text);
    }
    return fail(self, "a law in a worker state stopped without a reason");
  }
}

floc_status workers_run(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  callback *self = context;
  char text[1024];
  worker *one = take_worker(self->workers);
  if (!one) return FLOC_OUT_OF_MEMORY;
  floc_status status = FLOC_OK;
  if ((!one->L || one->version != self->workers->version) && !open_worker(self->workers, one, text, sizeof text))
    status = fail(self, text);
  if (status == FLOC_OK) {
    set_block(one, count, self->input_count, inputs, self->output_count, outputs);
    status = run_block(self, one, inputs);
  }
  give_back(self->workers, one);
  return status;
}

/* ---- for the Lua half ---- */

/* set_law_recipe(sim, mark, recipe) */
static int set_law_recipe(lua_State *L)
{
  binding *self = check_binding(L);
  const callback *mark = lua_touserdata(L, 2);
  size_t length;
  const char *recipe = luaL_checklstring(L, 3, &length);
  for (callback *one = self->callbacks; one; one = one->next) {
    if (one != mark || !one->workers) continue;
    char *copy = malloc(length + 1);
    if (!copy) return luaL_error(L, "out of memory");
    memcpy(copy, recipe, length);
    free(one->workers->recipe);
    one->workers->recipe = copy;
    one->workers->length = length;
    one->workers->version++;
    lua_pushboolean(L, 1);
    return 1;
  }
  return luaL_error(L, "no such law");
}

/* One row at a time: where the law fails, NaN. */
static void evaluate_rows(worker *one, int32_t count, int32_t input_count, const double *values,
                          int32_t output_count, double *results)
{
  const double *inputs[MOST_INPUTS];
  double *outputs[MOST_OUTPUTS];
  for (int32_t row = 0; row < count; row++) {
    int32_t bad;
    for (int32_t k = 0; k < input_count; k++) inputs[k] = values + (size_t)k * (size_t)count + row;
    for (int32_t k = 0; k < output_count; k++) outputs[k] = results + (size_t)k * (size_t)count + row;
    set_block(one, 1, input_count, inputs, output_count, outputs);
    if (run_loop(one, output_count, &bad) == 0) continue;
    for (int32_t k = 0; k < output_count; k++) *outputs[k] = NAN;
  }
}

/* chunk_evaluate(recipe, { list of numbers per input }, count, number of outputs) -> { list of numbers per output
 * }, or nil and what is wrong */
static int chunk_evaluate(lua_State *L)
{
  char problem[512];
  luaL_checkstring(L, 1);
  int32_t input_count = (int32_t)lua_rawlen(L, 2), count = (int32_t)luaL_checkinteger(L, 3);
  int32_t output_count = (int32_t)luaL_checkinteger(L, 4);
  luaL_argcheck(L, input_count <= MOST_INPUTS && output_count <= MOST_OUTPUTS && count >= 0, 2, "counts");
  size_t rows = (size_t)count;
  double *values = lua_newuserdata(L, ((size_t)(input_count + output_count) * rows + 1) * sizeof *values);
  take_columns(L, 2, input_count, count, values);
  chunk_workers *all = workers_create(L, 1, problem, sizeof problem);
  if (!all) return answer_text(L, FLOC_OUT_OF_MEMORY, problem);
  worker *one = take_worker(all);
  bool opened = one && open_worker(all, one, problem, sizeof problem);
  if (opened) evaluate_rows(one, count, input_count, values, output_count, values + (size_t)input_count * rows);
  workers_free(all);
  if (!opened) return answer_text(L, FLOC_CALLBACK_FAILED, one ? problem : "out of memory");
  push_columns(L, values + (size_t)input_count * rows, output_count, count);
  return 1;
}

const luaL_Reg worker_functions[] = {
    {"set_law_recipe", set_law_recipe}, {"chunk_evaluate", chunk_evaluate}, {NULL, NULL}};
