/*
 * Bonds of laws: lists of ids and of numbers go to the engine as arrays; what is read comes back as one block of
 * columns, as pairs do (pairs.c).
 */
#include "binding.h"

enum { NAME_LIMIT = 32 };

/* The list of numbers at index as an array, left on the stack; every number must be whole where `ids` is wanted. */
static int64_t *id_list(lua_State *L, int index, int64_t *count)
{
  luaL_checktype(L, index, LUA_TTABLE);
  *count = (int64_t)lua_rawlen(L, index);
  int64_t *ids = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *ids);
  for (int64_t k = 0; k < *count; k++) {
    lua_rawgeti(L, index, (int)(k + 1));
    ids[k] = (int64_t)luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  return ids;
}

static double *number_list(lua_State *L, int index, int64_t count)
{
  luaL_checktype(L, index, LUA_TTABLE);
  luaL_argcheck(L, (int64_t)lua_rawlen(L, index) == count, index, "length");
  double *numbers = lua_newuserdata(L, ((size_t)count + 1) * sizeof *numbers);
  for (int64_t k = 0; k < count; k++) {
    lua_rawgeti(L, index, (int)(k + 1));
    numbers[k] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  return numbers;
}

/* add_law_bonds(sim, kind, number, members, ids, { list of numbers per attribute, or false }) */
static int bonds_add(lua_State *L)
{
  binding *self = check_binding(L);
  const int32_t kind = (int32_t)luaL_checkinteger(L, 2), number = (int32_t)luaL_checkinteger(L, 3);
  const int64_t members = (int64_t)luaL_checkinteger(L, 4);
  lua_settop(L, 6);
  int64_t count;
  const int64_t *ids = id_list(L, 5, &count);
  luaL_argcheck(L, members > 1 && count % members == 0, 5, "ids");
  const double *values[NAME_LIMIT];
  luaL_checktype(L, 6, LUA_TTABLE);
  const int32_t columns = (int32_t)lua_rawlen(L, 6);
  luaL_argcheck(L, columns <= NAME_LIMIT, 6, "columns");
  luaL_checkstack(L, 2 * columns + 8, "bonds");
  for (int32_t k = 0; k < columns; k++) {
    lua_rawgeti(L, 6, k + 1);
    values[k] = lua_istable(L, -1) ? number_list(L, lua_gettop(L), count / members) : NULL;
  }
  return answer(L, self, floc_law_add_bonds(self->world, kind, number, count / members, ids, values));
}

/* remove_law_bonds(sim, kind, number, members, ids) */
static int bonds_remove(lua_State *L)
{
  binding *self = check_binding(L);
  const int32_t kind = (int32_t)luaL_checkinteger(L, 2), number = (int32_t)luaL_checkinteger(L, 3);
  const int64_t members = (int64_t)luaL_checkinteger(L, 4);
  int64_t count;
  const int64_t *ids = id_list(L, 5, &count);
  luaL_argcheck(L, members > 1 && count % members == 0, 5, "ids");
  return answer(L, self, floc_law_remove_bonds(self->world, kind, number, count / members, ids));
}

/* set_law_bonds(sim, kind, number, name, numbers) */
static int bonds_set(lua_State *L)
{
  binding *self = check_binding(L);
  const int32_t kind = (int32_t)luaL_checkinteger(L, 2), number = (int32_t)luaL_checkinteger(L, 3);
  const char *name = luaL_checkstring(L, 4);
  luaL_checktype(L, 5, LUA_TTABLE);
  const int64_t count = (int64_t)lua_rawlen(L, 5);
  const double *values = number_list(L, 5, count);
  return answer(L, self, floc_law_set_bonds(self->world, kind, number, name, values, count));
}

/* law_bonds(sim, kind, number, members, names) -> numbers, rows, rows from one column to the next, address: columns
 * of ids, then of the names */
static int bonds_get(lua_State *L)
{
  binding *self = check_binding(L);
  const int32_t kind = (int32_t)luaL_checkinteger(L, 2), number = (int32_t)luaL_checkinteger(L, 3);
  const int32_t members = (int32_t)luaL_checkinteger(L, 4);
  const char *names[NAME_LIMIT];
  double *columns[NAME_LIMIT];
  luaL_checktype(L, 5, LUA_TTABLE);
  const int32_t wanted = (int32_t)lua_rawlen(L, 5);
  luaL_argcheck(L, wanted <= NAME_LIMIT && members > 1, 5, "names");
  for (int32_t k = 0; k < wanted; k++) {
    lua_rawgeti(L, 5, k + 1);
    names[k] = luaL_checkstring(L, -1); /* lives in the table */
    lua_pop(L, 1);
  }
  int64_t count = 0;
  floc_status status = floc_law_get_bonds(self->world, kind, number, NULL, 0, NULL, NULL, 0, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  double *numbers = lua_newuserdata(L, ((size_t)(members + wanted) * (size_t)count + 1) * sizeof *numbers);
  int64_t *ids = lua_newuserdata(L, ((size_t)members * (size_t)count + 1) * sizeof *ids);
  for (int32_t k = 0; k < wanted; k++) columns[k] = numbers + (int64_t)(members + k) * count;
  status = floc_law_get_bonds(self->world, kind, number, names, wanted, ids, columns, count, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  for (int64_t b = 0; b < count; b++)
    for (int32_t k = 0; k < members; k++) numbers[k * count + b] = (double)ids[b * members + k];
  lua_pop(L, 1);
  lua_pushinteger(L, (lua_Integer)count);
  lua_pushinteger(L, (lua_Integer)count);
  lua_pushnumber(L, (lua_Number)(intptr_t)numbers);
  return 4;
}

const luaL_Reg law_bond_functions[] = {{"add_law_bonds", bonds_add},
                                       {"remove_law_bonds", bonds_remove},
                                       {"set_law_bonds", bonds_set},
                                       {"law_bonds", bonds_get},
                                       {NULL, NULL}};
