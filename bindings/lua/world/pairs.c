/*
 * Pairs of laws, contacts and neighbours as columns of numbers. The engine writes them into one userdata, column
 * after column; the Lua half makes tables of them (scripts/floc/simulation/pairs.lua), on LuaJIT by the address,
 * elsewhere by numbers_table below, which takes longer.
 */
#include "../../byte_order.h"
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

#include <string.h>

enum { NAME_LIMIT = 64 };

typedef struct wanted_columns {
  const char *name[NAME_LIMIT];
  double *column[NAME_LIMIT];
  int32_t count;
} wanted_columns;

/* The strings live in the table at index. */
static void read_names(lua_State *L, int index, wanted_columns *wanted)
{
  luaL_checktype(L, index, LUA_TTABLE);
  wanted->count = (int32_t)lua_rawlen(L, index);
  luaL_argcheck(L, wanted->count <= NAME_LIMIT, index, "too many names");
  for (int32_t k = 0; k < wanted->count; k++) {
    lua_rawgeti(L, index, k + 1);
    wanted->name[k] = luaL_checkstring(L, -1);
    lua_pop(L, 1);
  }
}

/* The simulation's userdata, or a larger one, left on the stack; columns of `capacity` rows each. */
static double *make_numbers(lua_State *L, wanted_columns *wanted, int64_t capacity)
{
  const size_t size = ((size_t)wanted->count * (size_t)capacity + 1) * sizeof(double);
  attached_table(L, 1);
  lua_getfield(L, -1, "pair numbers");
  if (lua_isnil(L, -1) || lua_rawlen(L, -1) < size) {
    lua_pop(L, 1);
    lua_newuserdata(L, size);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "pair numbers");
  }
  lua_remove(L, -2);
  double *numbers = lua_touserdata(L, -1);
  for (int32_t k = 0; k < wanted->count; k++) wanted->column[k] = numbers + (size_t)k * (size_t)capacity;
  return numbers;
}

/* Kind 0: contacts, or neighbours where options are given; MERGES: those that were found. */
enum { MERGES = -1 };
typedef struct read_call {
  int32_t kind, number;
  const floc_pairs_options *neighbours;
} read_call;

static floc_status read_columns(floc_world *world, const read_call *call, const wanted_columns *wanted,
                                int64_t capacity, int64_t *count)
{
  if (call->neighbours)
    return floc_world_get_pairs(world, call->neighbours, wanted->name, wanted->count, wanted->column,
                                sizeof(double), capacity, count);
  if (call->kind == MERGES)
    return floc_world_get_merges(world, wanted->name, wanted->count, wanted->column, sizeof(double), capacity,
                                 count);
  if (call->kind == 0)
    return floc_world_get_contact_columns(world, wanted->name, wanted->count, wanted->column, sizeof(double),
                                          capacity, count);
  return floc_law_get_pairs(world, call->kind, call->number, wanted->name, wanted->count, wanted->column,
                            sizeof(double), capacity, count);
}

/* One call if there is capacity enough, as there is if the count is that of the last time or a little more. */
static int answer_columns(lua_State *L, binding *self, const read_call *call, wanted_columns *wanted)
{
  int64_t count = 0, capacity = self->pair_capacity + self->pair_capacity / 32;
  lua_State *outer = engine_call_begin(L, self);
  const double *numbers = make_numbers(L, wanted, capacity);
  floc_status status = read_columns(self->world, call, wanted, capacity, &count);
  engine_call_end(self, outer);
  if (status == FLOC_OK && count > capacity) {
    capacity = count;
    numbers = make_numbers(L, wanted, capacity);
    outer = engine_call_begin(L, self);
    status = read_columns(self->world, call, wanted, capacity, &count);
    engine_call_end(self, outer);
  }
  if (status != FLOC_OK) return answer(L, self, status);
  self->pair_capacity = count;
  lua_pushinteger(L, (lua_Integer)count);
  lua_pushinteger(L, (lua_Integer)capacity);
  lua_pushnumber(L, (lua_Number)(intptr_t)numbers);
  return 4;
}

/* law_pairs(sim, kind, number, names) -> numbers, rows, rows from one column to the next, address */
static int law_pairs(lua_State *L)
{
  binding *self = check_binding(L);
  const read_call call = {(int32_t)luaL_checkinteger(L, 2), (int32_t)luaL_checkinteger(L, 3), NULL};
  wanted_columns wanted;
  read_names(L, 4, &wanted);
  return answer_columns(L, self, &call, &wanted);
}

/* contact_columns(sim, names) -> the same */
static int contact_columns(lua_State *L)
{
  binding *self = check_binding(L);
  wanted_columns wanted;
  read_names(L, 2, &wanted);
  return answer_columns(L, self, &(read_call){0, 0, NULL}, &wanted);
}

static const option_field pairs_fields[] = {PAIRS_OPTIONS};

/* neighbour_columns(sim, options, names) -> the same */
static int neighbour_columns(lua_State *L)
{
  binding *self = check_binding(L);
  floc_pairs_options options;
  floc_pairs_options_init(&options);
  options_fill(L, 2, pairs_fields, &options);
  wanted_columns wanted;
  read_names(L, 3, &wanted);
  return answer_columns(L, self, &(read_call){0, 0, &options}, &wanted);
}

static const option_field merge_fields[] = {MERGE_OPTIONS};

/* merges(sim, options, names) -> the same, and the summary: a look */
static int merges(lua_State *L)
{
  static const result_field fields[] = {MERGE_SUMMARY_RESULT};
  binding *self = check_binding(L);
  floc_merge_options options;
  floc_merge_options_init(&options);
  options_fill(L, 2, merge_fields, &options);
  wanted_columns wanted;
  read_names(L, 3, &wanted);
  floc_merge_summary summary = {.struct_size = sizeof summary};
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_world_find_merges(self->world, &options, &summary);
  engine_call_end(self, outer);
  if (status != FLOC_OK) return answer(L, self, status);
  const int given = answer_columns(L, self, &(read_call){MERGES, 0, NULL}, &wanted);
  if (given < 4) return given;
  push_result(L, fields, &summary, self->dimension);
  return given + 1;
}

/* The block of numbers at index 1 of columns * capacity of them. */
static const double *check_numbers(lua_State *L, lua_Integer columns, lua_Integer rows, lua_Integer capacity)
{
  luaL_checktype(L, 1, LUA_TUSERDATA);
  const double *numbers = lua_touserdata(L, 1);
  luaL_argcheck(L,
                columns >= 0 && rows >= 0 && rows <= capacity &&
                    (size_t)columns * (size_t)capacity * sizeof *numbers <= lua_rawlen(L, 1),
                1, "numbers");
  return numbers;
}

/* numbers_table(numbers, rows, capacity, column from 0, list or nil) -> the list, or a new one */
static int numbers_table(lua_State *L)
{
  const lua_Integer rows = luaL_checkinteger(L, 2), capacity = luaL_checkinteger(L, 3),
                    column = luaL_checkinteger(L, 4);
  const double *numbers = check_numbers(L, column + 1, rows, capacity);
  lua_Integer before = 0;
  if (lua_istable(L, 5)) {
    lua_pushvalue(L, 5);
    before = (lua_Integer)lua_rawlen(L, 5);
  } else {
    lua_createtable(L, (int)rows, 0);
  }
  for (lua_Integer k = 0; k < rows; k++) {
    lua_pushnumber(L, numbers[column * capacity + k]);
    lua_rawseti(L, -2, (int)(k + 1));
  }
  for (lua_Integer k = before; k > rows; k--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, (int)k);
  }
  return 1;
}

/* numbers_bytes(numbers, rows, capacity, columns) -> string: the columns without what is between them,
 * little-endian */
static int numbers_bytes(lua_State *L)
{
  const lua_Integer rows = luaL_checkinteger(L, 2), capacity = luaL_checkinteger(L, 3),
                    columns = luaL_checkinteger(L, 4);
  const double *numbers = check_numbers(L, columns, rows, capacity);
  double *bytes = lua_newuserdata(L, ((size_t)(rows * columns) + 1) * sizeof *bytes);
  for (lua_Integer c = 0; c < columns && rows > 0; c++)
    memcpy(bytes + c * rows, numbers + c * capacity, (size_t)rows * sizeof *bytes);
  little_endian_numbers(bytes, (size_t)(rows * columns));
  lua_pushlstring(L, (const char *)bytes, (size_t)(rows * columns) * sizeof *bytes);
  return 1;
}

/* numbers_from(bytes) -> numbers, address */
static int numbers_from(lua_State *L)
{
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  double *numbers = lua_newuserdata(L, length + sizeof(double));
  memcpy(numbers, bytes, length);
  little_endian_numbers(numbers, length / sizeof *numbers);
  lua_pushnumber(L, (lua_Number)(intptr_t)numbers);
  return 2;
}

const luaL_Reg pair_functions[] = {{"law_pairs", law_pairs},
                                   {"contact_columns", contact_columns},
                                   {"neighbour_columns", neighbour_columns},
                                   {"merges", merges},
                                   {"numbers_table", numbers_table},
                                   {"numbers_bytes", numbers_bytes},
                                   {"numbers_from", numbers_from},
                                   {NULL, NULL}};
