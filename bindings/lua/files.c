/*
 * Checkpoints seen from outside, for `floc info` and for the start of a resume: sections by index, their
 * bytes as strings.
 */
#include "binding.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct open_file {
  floc_file *file;
} open_file;

static floc_file *check_file(lua_State *L)
{
  open_file *self = luaL_checkudata(L, 1, FILE_TYPE);
  if (!self->file) luaL_error(L, "the file is closed");
  return self->file;
}

/* file_open(path) -> userdata */
static int file_open(lua_State *L)
{
  const char *path = check_path(L, 1);
  open_file *self = lua_newuserdata(L, sizeof *self);
  self->file = NULL;
  luaL_getmetatable(L, FILE_TYPE);
  lua_setmetatable(L, -2);
  char message[512] = "";
  floc_status status = floc_file_open(path, &self->file, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  return 1;
}

static int file_close(lua_State *L)
{
  open_file *self = luaL_checkudata(L, 1, FILE_TYPE);
  if (self->file) floc_file_close(self->file);
  self->file = NULL;
  return 0;
}

static void push_section(lua_State *L, const floc_section_info *info)
{
  lua_createtable(L, 0, 8);
  lua_pushstring(L, info->name);
  lua_setfield(L, -2, "name");
  lua_pushstring(L, info->type);
  lua_setfield(L, -2, "type");
  set_integer(L, "rows", (int64_t)info->rows);
  set_integer(L, "columns", (int64_t)info->columns);
  set_integer(L, "raw_bytes", (int64_t)info->raw_bytes);
  set_integer(L, "stored_bytes", (int64_t)info->stored_bytes);
  lua_pushboolean(L, info->is_state);
  lua_setfield(L, -2, "is_state");
}

/* file_sections(file) -> list of tables */
static int file_sections(lua_State *L)
{
  floc_file *file = check_file(L);
  int32_t count = floc_file_section_count(file);
  lua_createtable(L, count, 0);
  for (int32_t k = 0; k < count; k++) {
    floc_section_info info = {.struct_size = sizeof info};
    floc_status status = floc_file_section(file, k, &info);
    if (status != FLOC_OK) return answer_text(L, status, "");
    push_section(L, &info);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* file_read(file, index from 0) -> string */
static int file_read(lua_State *L)
{
  floc_file *file = check_file(L);
  int32_t index = (int32_t)luaL_checkinteger(L, 2);
  floc_section_info info = {.struct_size = sizeof info};
  floc_status status = floc_file_section(file, index, &info);
  if (status != FLOC_OK) return answer_text(L, status, "");
  char *bytes = lua_newuserdata(L, (size_t)info.raw_bytes + 1);
  status = floc_file_read(file, index, bytes, (size_t)info.raw_bytes);
  if (status != FLOC_OK) return answer_text(L, status, "");
  lua_pushlstring(L, bytes, (size_t)info.raw_bytes);
  return 1;
}

/* file_hash(file) -> 16 hexadecimal digits */
static int file_hash(lua_State *L)
{
  uint64_t hash = 0;
  floc_status status = floc_file_hash(check_file(L), &hash);
  if (status != FLOC_OK) return answer_text(L, status, "");
  char text[20];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  lua_pushstring(L, text);
  return 1;
}

static floc_file *second_file(lua_State *L)
{
  open_file *self = luaL_checkudata(L, 3, FILE_TYPE);
  if (!self->file) luaL_error(L, "the file is closed");
  return self->file;
}

/* file_compare(file, index from 0, other file) -> table */
static int file_compare(lua_State *L)
{
  floc_section_difference found = {.struct_size = sizeof found};
  floc_status status = floc_file_compare(check_file(L), (int32_t)luaL_checkinteger(L, 2), second_file(L), &found);
  if (status != FLOC_OK) return answer_text(L, status, "");
  lua_createtable(L, 0, 10);
  lua_pushboolean(L, found.missing);
  lua_setfield(L, -2, "missing");
  lua_pushboolean(L, found.other_kind);
  lua_setfield(L, -2, "other_kind");
  set_integer(L, "rows_a", (int64_t)found.rows_a);
  set_integer(L, "rows_b", (int64_t)found.rows_b);
  set_integer(L, "differing", (int64_t)found.differing);
  set_integer(L, "row", (int64_t)found.row);
  set_integer(L, "column", (int64_t)found.column);
  set_number(L, "value_a", found.value_a);
  set_number(L, "value_b", found.value_b);
  set_number(L, "greatest", found.greatest);
  return 1;
}

const luaL_Reg file_functions[] = {{"file_open", file_open},
                                   {"file_close", file_close},
                                   {"file_sections", file_sections},
                                   {"file_read", file_read},
                                   {"file_hash", file_hash},
                                   {"file_compare", file_compare},
                                   {NULL, NULL}};

void file_register(lua_State *L)
{
  luaL_newmetatable(L, FILE_TYPE);
  lua_pushcfunction(L, file_close);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}
