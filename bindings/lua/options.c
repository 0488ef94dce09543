/*
 * Option structs from tables of named values, and small tables from structs. One list of fields per
 * struct (name, kind, offset) instead of one statement per member; the Lua half has checked values by
 * then, so a wrong kind here is a fault of the binding and raises a plain error. Beside them, the one way in
 * which this half raises an error that a script can cause.
 */
#include "binding.h"

#include <string.h>

static double number_at(lua_State *L, int index, const char *name)
{
  if (lua_type(L, index) != LUA_TNUMBER)
    luaL_error(L, "%s: number expected, got %s", name, luaL_typename(L, index));
  return lua_tonumber(L, index);
}

static int64_t integer_at(lua_State *L, int index, const char *name)
{
  double value = number_at(L, index, name);
  if (!(value >= -9007199254740992.0 && value <= 9007199254740992.0)) luaL_error(L, "%s: integer expected", name);
  return (int64_t)value;
}

static void read_list(lua_State *L, int index, const char *name, double *values, int count)
{
  luaL_checktype(L, index, LUA_TTABLE);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, index, k + 1);
    if (!lua_isnil(L, -1)) values[k] = number_at(L, -1, name);
    lua_pop(L, 1);
  }
}

static void read_points(lua_State *L, int index, const char *name, double (*points)[3])
{
  luaL_checktype(L, index, LUA_TTABLE);
  for (int k = 0; k < 3; k++) {
    lua_rawgeti(L, index, k + 1);
    if (!lua_isnil(L, -1)) read_list(L, lua_gettop(L), name, points[k], 3);
    lua_pop(L, 1);
  }
}

static void read_field(lua_State *L, int index, const option_field *field, void *member)
{
  switch (field->kind) {
  case FIELD_NUMBER:
    *(double *)member = number_at(L, index, field->name);
    break;
  case FIELD_VECTOR:
    read_list(L, index, field->name, member, 3);
    break;
  case FIELD_PARAMETERS:
    read_list(L, index, field->name, member, 8);
    break;
  case FIELD_QUATERNION:
    read_list(L, index, field->name, member, 4);
    break;
  case FIELD_POINTS:
    read_points(L, index, field->name, member);
    break;
  case FIELD_INTEGER:
    *(int32_t *)member = (int32_t)integer_at(L, index, field->name);
    break;
  case FIELD_LONG:
    *(int64_t *)member = integer_at(L, index, field->name);
    break;
  case FIELD_BOOLEAN:
    *(bool *)member = lua_toboolean(L, index);
    break;
  case FIELD_PATH:
    *(const char **)member = check_path(L, index);
    break;
  case FIELD_STRING:
    *(const char **)member = luaL_checkstring(L, index);
    break;
  }
}

void options_fill(lua_State *L, int index, const option_field *fields, void *target)
{
  luaL_checktype(L, index, LUA_TTABLE);
  for (; fields->name; fields++) {
    lua_getfield(L, index, fields->name);
    if (!lua_isnil(L, -1)) read_field(L, lua_gettop(L), fields, (char *)target + fields->offset);
    lua_pop(L, 1);
  }
}

void push_vector(lua_State *L, const double *values, int count)
{
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    lua_pushnumber(L, values[k]);
    lua_rawseti(L, -2, k + 1);
  }
}

void set_number(lua_State *L, const char *name, double value)
{
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

void set_vector(lua_State *L, const char *name, const double *values, int count)
{
  push_vector(L, values, count);
  lua_setfield(L, -2, name);
}

void script_error(lua_State *L, const char *text)
{
  lua_Debug frame;
  for (int level = 1; lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline <= 0 || strncmp(frame.source, "=floc/", 6) == 0) continue;
    lua_pushfstring(L, "%s:%d: %s", frame.short_src, frame.currentline, text);
    lua_error(L);
  }
  lua_pushstring(L, text);
  lua_error(L);
}
