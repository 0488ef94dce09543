/*
 * Columns seen from Lua: sim.x[id] and the bulk operations map and sum.
 *
 * A view is a few words: the column's pointer, the table from ids to storage, the number of particles, and
 * the bound for writing. After particles were removed the number is elsewhere, and ids are looked for among those
 * that there are. On LuaJIT they are an FFI struct that the Lua half allocates and keeps to itself, so that
 * sim.x[id] compiles to a bounds check and two loads; elsewhere a userdata has these words and the
 * metamethods below. Either way the words are refreshed here after every call that may move the columns,
 * and count is 0 while a step runs. Between runs it is 0 too until the Lua half has opened the view: what a
 * script reads there must come out the same when a resume skips the runs (scripts/floc/session/gap.lua), and an id
 * out of range is where that is noticed, without a word more in the fast path.
 */
#include "../../byte_order.h"
#include "binding.h"
#include "columns_made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct named_view {
  column_view view; /* first: the entry of the binding points here */
  char name[64];
} named_view;

/* Forces of soft contacts are found when they are asked for, and laws in Lua are called for that. */
floc_status column_of(lua_State *L, binding *self, const char *name, double **values, int64_t *count)
{
  if (self->busy) return floc_column(self->world, name, values, count);
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_column(self->world, name, values, count);
  engine_call_end(self, outer);
  return status;
}

static void view_refresh(lua_State *L, binding *self, view_entry *entry)
{
  column_view *view = entry->view;
  int64_t count = 0;
  view->count = view->present = 0;
  if (self->between_runs && !entry->open) return;
  if (column_of(L, self, entry->name, &view->values, &count) != FLOC_OK) return;
  if (floc_particle_ids(self->world, &view->ids, &view->slots, &count) != FLOC_OK) return;
  bool gaps = count > 0 && view->ids[view->slots[count - 1]] != count;
  *(gaps ? &view->present : &view->count) = (int32_t)count;
}

void views_lock(binding *self)
{
  for (size_t k = 0; k < self->view_count; k++) self->views[k].view->count = self->views[k].view->present = 0;
}

void views_refresh(lua_State *L, binding *self)
{
  self->views_wait = false;
  for (size_t k = 0; k < self->view_count; k++) view_refresh(L, self, &self->views[k]);
}

static double write_bound(const char *name)
{
  static const char *const above_0[] = {COLUMNS_ABOVE_0};
  for (size_t k = 0; k < sizeof above_0 / sizeof *above_0; k++)
    if (strcmp(name, above_0[k]) == 0) return 0;
  return -INFINITY;
}

static void views_reserve(lua_State *L, binding *self)
{
  if (self->view_count < self->view_capacity) return;
  size_t grown = self->view_capacity * 2 + 8;
  view_entry *larger = realloc(self->views, grown * sizeof *larger);
  if (!larger) luaL_error(L, "out of memory");
  self->views = larger;
  self->view_capacity = grown;
}

/* The view at the top of the stack is kept in the attached table under the column's name. */
static void view_anchor(lua_State *L, const char *name)
{
  attached_table(L, 1);
  lua_pushfstring(L, "view %s", name);
  lua_pushvalue(L, -3);
  lua_settable(L, -3);
  lua_pop(L, 1);
}

/* view(sim, name, slow [, cdata, its address]) -> userdata, or the cdata; nil, message if there is no such column.
 * slow: the functions read, write and length for ids out of range, which the userdata calls. */
static int view_create(lua_State *L)
{
  binding *self = peek_binding(L);
  const char *name = luaL_checkstring(L, 2);
  double *values = NULL;
  int64_t count = 0;
  floc_status status = column_of(L, self, name, &values, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  views_reserve(L, self);
  view_entry *entry = &self->views[self->view_count];
  snprintf(entry->name, sizeof entry->name, "%s", name);
  if (lua_isnoneornil(L, 4)) {
    named_view *view = lua_newuserdata(L, sizeof *view);
    memset(view, 0, sizeof *view);
    snprintf(view->name, sizeof view->name, "%s", name);
    luaL_getmetatable(L, VIEW_TYPE);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, 3);
    attach_table(L, -2);
    entry->view = &view->view;
  } else {
    entry->view = (column_view *)(intptr_t)luaL_checknumber(L, 5);
    lua_pushvalue(L, 4);
  }
  entry->open = false;
  view_anchor(L, name);
  entry->view->above = write_bound(name);
  self->view_count++;
  if (self->busy) {
    entry->view->count = entry->view->present = 0;
  } else {
    view_refresh(L, self, entry);
  }
  return 1;
}

/* The element of the id at stack index 2; NULL when it is out of range. */
static double *view_element(lua_State *L, const named_view *column)
{
  const column_view *view = &column->view;
  double id = lua_type(L, 2) == LUA_TNUMBER ? lua_tonumber(L, 2) : 0;
  if (id >= 1 && id <= view->count && floor(id) == id) return &view->values[view->slots[(int64_t)id - 1]];
  if (view->present == 0 || !(id >= 1 && id <= INT32_MAX) || floor(id) != id) return NULL;
  int64_t rank = rank_of_id(view->ids, view->slots, view->present, (int64_t)id);
  return rank >= 0 ? &view->values[view->slots[rank]] : NULL;
}

/* Calls a slow function of the view at stack index 1 with the column's name and what is above the view on the
 * stack. */
static int view_slow(lua_State *L, const named_view *column, const char *function)
{
  int given = lua_gettop(L) - 1;
  attached_table(L, 1);
  lua_getfield(L, -1, function);
  lua_replace(L, -2);
  lua_insert(L, 2);
  lua_pushstring(L, column->name);
  lua_insert(L, 3);
  lua_call(L, given + 1, 1);
  return 1;
}

static int view_index(lua_State *L)
{
  const named_view *column = luaL_checkudata(L, 1, VIEW_TYPE);
  const double *element = view_element(L, column);
  if (!element) return view_slow(L, column, "read");
  lua_pushnumber(L, *element);
  return 1;
}

static int view_assign(lua_State *L)
{
  const named_view *column = luaL_checkudata(L, 1, VIEW_TYPE);
  double *element = view_element(L, column);
  double value = lua_type(L, 3) == LUA_TNUMBER ? lua_tonumber(L, 3) : NAN;
  if (!element) return view_slow(L, column, "write");
  if (!(value > column->view.above && value < INFINITY)) {
    lua_getglobal(L, "tostring");
    lua_pushvalue(L, 3);
    lua_call(L, 1, 1);
    return luaL_error(L, "sim.%s[%d] = %s; it must be a finite number%s", column->name, (int)lua_tonumber(L, 2),
                      lua_tostring(L, -1), column->view.above == 0 ? " above 0" : "");
  }
  *element = value;
  return 0;
}

static int view_text(lua_State *L)
{
  const named_view *column = luaL_checkudata(L, 1, VIEW_TYPE);
  lua_pushfstring(L, "floc.column %s", column->name);
  return 1;
}

static int view_length(lua_State *L)
{
  const named_view *column = luaL_checkudata(L, 1, VIEW_TYPE);
  lua_settop(L, 1);
  if (column->view.count == 0 && column->view.present == 0) return view_slow(L, column, "length");
  lua_pushinteger(L, (lua_Integer)column->view.count + column->view.present);
  return 1;
}

/* ---- between runs ---------------------------------------------------------------------------------- */

/* between_runs(sim, whether): from now on no view is open. */
static int column_between_runs(lua_State *L)
{
  binding *self = peek_binding(L);
  self->between_runs = lua_toboolean(L, 2);
  for (size_t k = 0; k < self->view_count; k++) self->views[k].open = false;
  if (self->busy) return 0;
  views_refresh(L, self);
  return 0;
}

/* show_columns(sim) -> whether views waited: over ranks, after a step. All ranks have all particles now. */
static int columns_shown(lua_State *L)
{
  binding *self = peek_binding(L);
  const bool waited = self->views_wait && !self->busy;
  if (waited) views_refresh(L, self);
  lua_pushboolean(L, waited);
  return 1;
}

/* open_view(sim, name) */
static int column_open(lua_State *L)
{
  binding *self = check_binding(L);
  const char *name = luaL_checkstring(L, 2);
  for (size_t k = 0; k < self->view_count; k++) {
    if (strcmp(self->views[k].name, name) != 0) continue;
    self->views[k].open = true;
    view_refresh(L, self, &self->views[k]);
  }
  return 0;
}

/* A column with the order of ids; NULL after answer()'s values were pushed. */
static double *column_by_id(lua_State *L, binding *self, const int64_t **slots, int64_t *count, int *pushed)
{
  double *values = NULL;
  floc_status status = column_of(L, self, luaL_checkstring(L, 2), &values, count);
  if (status == FLOC_OK) status = floc_particle_ids(self->world, NULL, slots, count);
  if (status != FLOC_OK) *pushed = answer(L, self, status);
  return status == FLOC_OK ? values : NULL;
}

/* column_element(sim, name, id [, value]) -> the element, which becomes value when that is given; nil for an id
 * that there is not */
static int column_element(lua_State *L)
{
  binding *self = check_binding(L);
  const int64_t *slots = NULL;
  int64_t count = 0, slot = 0;
  int pushed = 0;
  double *values = column_by_id(L, self, &slots, &count, &pushed);
  double id = luaL_checknumber(L, 3);
  if (!values) return pushed;
  if (!(id >= 1 && id <= INT32_MAX) || floor(id) != id) return 0;
  if (floc_particle_slot(self->world, (int64_t)id, &slot) != FLOC_OK) return 0;
  if (!lua_isnoneornil(L, 4)) values[slot] = luaL_checknumber(L, 4);
  lua_pushnumber(L, values[slot]);
  return 1;
}

/* column_bytes(sim, name) -> all values in the order of ids, 8 bytes each, little-endian */
static int column_bytes(lua_State *L)
{
  binding *self = check_binding(L);
  const int64_t *slots = NULL;
  int64_t count = 0;
  int pushed = 0;
  const double *values = column_by_id(L, self, &slots, &count, &pushed);
  if (!values) return pushed;
  double *bytes = lua_newuserdata(L, (size_t)count * sizeof *bytes + 1);
  for (int64_t k = 0; k < count; k++) bytes[k] = values[slots[k]];
  little_endian_numbers(bytes, (size_t)count);
  lua_pushlstring(L, (const char *)bytes, (size_t)count * sizeof *bytes);
  return 1;
}

/* set_column_bytes(sim, name, bytes) -> true; false when they are not of as many particles */
static int column_set_bytes(lua_State *L)
{
  binding *self = check_binding(L);
  const int64_t *slots = NULL;
  int64_t count = 0;
  int pushed = 0;
  double *values = column_by_id(L, self, &slots, &count, &pushed);
  size_t length = 0;
  const char *bytes = luaL_checklstring(L, 3, &length);
  if (!values) return pushed;
  bool fits = length == (size_t)count * sizeof *values;
  for (int64_t k = 0; fits && k < count; k++) {
    memcpy(&values[slots[k]], bytes + (size_t)k * sizeof *values, sizeof *values);
    little_endian_numbers(&values[slots[k]], 1);
  }
  lua_pushboolean(L, fits);
  return 1;
}

/* ---- bulk operations ------------------------------------------------------------------------------ */

enum { COLUMN_LIMIT = 32 };

typedef struct column_list {
  int count;
  double *values[COLUMN_LIMIT]; /* NULL: the id */
  double above[COLUMN_LIMIT];
} column_list;

/* Columns by the list of names at index; the name id stands for the id itself. */
static floc_status column_list_read(lua_State *L, binding *self, int index, column_list *list)
{
  list->count = (int)lua_rawlen(L, index);
  if (list->count > COLUMN_LIMIT) luaL_error(L, "at most %d columns", COLUMN_LIMIT);
  for (int k = 0; k < list->count; k++) {
    lua_rawgeti(L, index, k + 1);
    const char *name = luaL_checkstring(L, -1);
    int64_t count = 0;
    list->values[k] = NULL;
    list->above[k] = write_bound(name);
    floc_status status = strcmp(name, "id") == 0 ? FLOC_OK : column_of(L, self, name, &list->values[k], &count);
    lua_pop(L, 1);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

/* Calls the function at index 2 for one particle; its results are left on the stack. Protected, because
 * the binding is marked busy meanwhile: adding particles would move the columns under our feet. */
static void call_for_particle(lua_State *L, binding *self, const column_list *inputs, int64_t id, int64_t slot,
                              int results)
{
  lua_pushvalue(L, 2);
  for (int k = 0; k < inputs->count; k++) {
    if (inputs->values[k]) {
      lua_pushnumber(L, inputs->values[k][slot]);
    } else {
      lua_pushinteger(L, (lua_Integer)id);
    }
  }
  self->busy = true;
  int failed = lua_pcall(L, inputs->count, results, 0);
  self->busy = false;
  if (failed) lua_error(L);
}

/* A wrong result: nil, message. */
static int refuse_result(lua_State *L, int result, int64_t id)
{
  lua_getglobal(L, "tostring");
  lua_pushvalue(L, result);
  lua_call(L, 1, 1);
  lua_pushnil(L);
  lua_pushfstring(L, "the function returned %s for particle %d; it must return finite numbers that fit the column",
                  lua_tostring(L, -2), (int)id);
  return 2;
}

/* map(sim, function, input names, output names) -> true */
static int column_map(lua_State *L)
{
  binding *self = check_binding(L);
  column_list inputs, outputs;
  floc_status status = column_list_read(L, self, 3, &inputs);
  if (status == FLOC_OK) status = column_list_read(L, self, 4, &outputs);
  const int64_t *ids = NULL, *slots = NULL;
  int64_t count = 0;
  if (status == FLOC_OK) status = floc_particle_ids(self->world, &ids, &slots, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_settop(L, 4);
  luaL_checkstack(L, 2 * COLUMN_LIMIT, "map");
  for (int64_t rank = 0; rank < count; rank++) {
    const int64_t slot = slots[rank];
    call_for_particle(L, self, &inputs, ids[slot], slot, outputs.count);
    for (int k = 0; k < outputs.count; k++) {
      double value = lua_type(L, 5 + k) == LUA_TNUMBER ? lua_tonumber(L, 5 + k) : NAN;
      if (!(value > outputs.above[k] && value < INFINITY)) return refuse_result(L, 5 + k, ids[slot]);
      outputs.values[k][slot] = value;
    }
    lua_settop(L, 4);
  }
  lua_pushboolean(L, 1);
  return 1;
}

/* sum(sim, function, input names) -> number, the exact sum rounded once. The function is called in the order of
 * ids; one that returns true or false counts. */
static int column_sum(lua_State *L)
{
  binding *self = check_binding(L);
  column_list inputs;
  floc_status status = column_list_read(L, self, 3, &inputs);
  const int64_t *ids = NULL, *slots = NULL;
  int64_t count = 0;
  if (status == FLOC_OK) status = floc_particle_ids(self->world, &ids, &slots, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_settop(L, 3);
  luaL_checkstack(L, 2 * COLUMN_LIMIT, "sum");
  double *value = lua_newuserdata(L, (size_t)(count > 0 ? count : 1) * sizeof *value);
  for (int64_t rank = 0; rank < count; rank++) {
    const int64_t slot = slots[rank];
    call_for_particle(L, self, &inputs, ids[slot], slot, 1);
    if (lua_type(L, 5) != LUA_TNUMBER && !lua_isboolean(L, 5)) return refuse_result(L, 5, ids[slot]);
    value[rank] = lua_isboolean(L, 5) ? lua_toboolean(L, 5) : lua_tonumber(L, 5);
    lua_settop(L, 4);
  }
  lua_pushnumber(L, floc_sum(value, count));
  return 1;
}

const luaL_Reg column_functions[] = {{"view", view_create},
                                     {"map", column_map},
                                     {"sum", column_sum},
                                     {"between_runs", column_between_runs},
                                     {"open_view", column_open},
                                     {"show_columns", columns_shown},
                                     {"column_element", column_element},
                                     {"column_bytes", column_bytes},
                                     {"set_column_bytes", column_set_bytes},
                                     {NULL, NULL}};

void column_register(lua_State *L)
{
  static const luaL_Reg methods[] = {{"__index", view_index},
                                     {"__newindex", view_assign},
                                     {"__len", view_length},
                                     {"__tostring", view_text},
                                     {NULL, NULL}};
  luaL_newmetatable(L, VIEW_TYPE);
  set_functions(L, methods);
  lua_pushliteral(L, "floc.column");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
