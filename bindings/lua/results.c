/*
 * Tables from structs that calls return: one list of members per struct (name, kind, offset), made from the
 * declarations, instead of one statement per member.
 */
#include "binding.h"

#include <string.h>

static double number_of(const result_field *field, const void *member)
{
  switch (field->kind) {
  case RESULT_NUMBER:
    return *(const double *)member;
  case RESULT_LONG:
    return (double)*(const int64_t *)member;
  default:
    return *(const int32_t *)member;
  }
}

static void push_word(lua_State *L, const char *words, int32_t number)
{
  for (int32_t k = 0; k < number; k++) words += strlen(words) + 1;
  lua_pushstring(L, words);
}

static void push_rows(lua_State *L, const double *values, int rows, int dimension)
{
  lua_createtable(L, rows, 0);
  for (int k = 0; k < rows; k++) {
    push_vector(L, values + 3 * k, dimension);
    lua_rawseti(L, -2, k + 1);
  }
}

static void push_member(lua_State *L, const result_field *field, const void *member, int dimension)
{
  const int count = field->count > 0 ? field->count : dimension;
  switch (field->kind) {
  case RESULT_NUMBER:
    lua_pushnumber(L, *(const double *)member);
    break;
  case RESULT_INTEGER:
    lua_pushinteger(L, (lua_Integer) * (const int32_t *)member + field->first);
    break;
  case RESULT_LONG:
    lua_pushinteger(L, (lua_Integer) * (const int64_t *)member + field->first);
    break;
  case RESULT_BOOLEAN:
    lua_pushboolean(L, *(const bool *)member);
    break;
  case RESULT_TRUTH:
    lua_pushboolean(L, *(const int32_t *)member != 0);
    break;
  case RESULT_WORD:
    push_word(L, field->words, *(const int32_t *)member);
    break;
  case RESULT_TEXT:
    lua_pushstring(L, member);
    break;
  case RESULT_VECTOR:
    push_vector(L, member, count);
    break;
  case RESULT_AXIAL:
    if (dimension == 2)
      lua_pushnumber(L, ((const double *)member)[2]);
    else
      push_vector(L, member, 3);
    break;
  case RESULT_ROWS:
    push_rows(L, member, count, dimension);
    break;
  }
}

void push_result(lua_State *L, const result_field *fields, const void *result, int dimension)
{
  int count = 0;
  while (fields[count].name) count++;
  lua_createtable(L, 0, count);
  for (const result_field *field = fields; field->name; field++) {
    const void *member = (const char *)result + field->offset;
    bool is_number = field->kind == RESULT_NUMBER || field->kind == RESULT_INTEGER || field->kind == RESULT_LONG;
    if (is_number && number_of(field, member) == field->absent) continue;
    push_member(L, field, member, dimension);
    lua_setfield(L, -2, field->name);
  }
}
