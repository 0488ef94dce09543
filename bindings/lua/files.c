/*
 * Checkpoints seen from outside, for `floc info` and for the start of a resume: sections by index, their
 * bytes as strings. And what else has to do with files: locks of paths, files that appear whole.
 */
#include "binding.h"
#include "results_made.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOCK_TYPE     "floc.lock"
#define NEW_FILE_TYPE "floc.new_file"

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

/* file_open_newest(path) -> userdata, its path, what is wrong with newer ones (a string of lines) */
static int file_open_newest(lua_State *L)
{
  const char *path = check_path(L, 1);
  open_file *self = lua_newuserdata(L, sizeof *self);
  self->file = NULL;
  luaL_getmetatable(L, FILE_TYPE);
  lua_setmetatable(L, -2);
  char message[2048] = "";
  floc_status status = floc_file_open_newest(path, &self->file, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushstring(L, floc_file_path(self->file));
  lua_pushstring(L, message);
  return 3;
}

static int file_close(lua_State *L)
{
  open_file *self = luaL_checkudata(L, 1, FILE_TYPE);
  if (self->file) floc_file_close(self->file);
  self->file = NULL;
  return 0;
}

/* file_sections(file) -> list of tables */
static int file_sections(lua_State *L)
{
  static const result_field fields[] = {SECTION_INFO_RESULT};
  floc_file *file = check_file(L);
  int32_t count = floc_file_section_count(file);
  lua_createtable(L, count, 0);
  for (int32_t k = 0; k < count; k++) {
    floc_section_info info = {.struct_size = sizeof info};
    floc_status status = floc_file_section(file, k, &info);
    if (status != FLOC_OK) return answer_text(L, status, "");
    push_result(L, fields, &info, 0);
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

/* file_mathematics(file) -> version that it was written with (nil: it has none), and here: 16 hexadecimal digits */
static int file_mathematics(lua_State *L)
{
  uint64_t written = 0, here = 0;
  char text[20];
  if (floc_file_mathematics(check_file(L), &written, &here) == FLOC_OK) {
    snprintf(text, sizeof text, "%016" PRIx64, written);
    lua_pushstring(L, text);
  } else {
    lua_pushnil(L);
  }
  snprintf(text, sizeof text, "%016" PRIx64, here);
  lua_pushstring(L, text);
  return 2;
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
  static const result_field fields[] = {SECTION_DIFFERENCE_RESULT};
  floc_section_difference found = {.struct_size = sizeof found};
  floc_status status = floc_file_compare(check_file(L), (int32_t)luaL_checkinteger(L, 2), second_file(L), &found);
  if (status != FLOC_OK) return answer_text(L, status, "");
  push_result(L, fields, &found, 0);
  return 1;
}

/* ---- locks ---------------------------------------------------------------------------------------------- */

typedef struct held_lock {
  floc_lock *lock;
} held_lock;

/* lock_take(path) -> userdata, which holds it until lock_release or the end of the Lua state */
static int lock_take(lua_State *L)
{
  const char *path = check_path(L, 1);
  held_lock *self = lua_newuserdata(L, sizeof *self);
  self->lock = NULL;
  luaL_getmetatable(L, LOCK_TYPE);
  lua_setmetatable(L, -2);
  char message[1024] = "";
  floc_status status = floc_lock_take(path, &self->lock, message, sizeof message);
  return status == FLOC_OK ? 1 : answer_text(L, status, message);
}

static int lock_release(lua_State *L)
{
  held_lock *self = luaL_checkudata(L, 1, LOCK_TYPE);
  floc_lock_release(self->lock);
  self->lock = NULL;
  return 0;
}

/* may_replace(path) -> true */
static int may_replace(lua_State *L)
{
  char message[1024] = "";
  floc_status status = floc_checkpoint_may_replace(check_path(L, 1), message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushboolean(L, 1);
  return 1;
}

/* ---- new files ------------------------------------------------------------------------------------------ */

typedef struct new_file {
  floc_new_file *file;
  FILE *stream;
} new_file;

static new_file *check_new_file(lua_State *L)
{
  new_file *self = luaL_checkudata(L, 1, NEW_FILE_TYPE);
  if (!self->file) luaL_error(L, "the file is closed");
  return self;
}

static int new_file_abandon(lua_State *L)
{
  new_file *self = luaL_checkudata(L, 1, NEW_FILE_TYPE);
  if (self->stream) (void)fclose(self->stream); /* what was written is thrown away */
  floc_new_file_abandon(self->file);
  self->stream = NULL;
  self->file = NULL;
  return 0;
}

/* new_file(path) -> userdata, its temporary name */
static int new_file_create(lua_State *L)
{
  const char *path = check_path(L, 1);
  new_file *self = lua_newuserdata(L, sizeof *self);
  *self = (new_file){NULL, NULL};
  luaL_getmetatable(L, NEW_FILE_TYPE);
  lua_setmetatable(L, -2);
  char message[1024] = "";
  floc_status status = floc_new_file_create(path, &self->file, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  int descriptor = dup(floc_new_file_descriptor(self->file));
  if (descriptor >= 0) self->stream = fdopen(descriptor, "wb");
  if (!self->stream) {
    if (descriptor >= 0) close(descriptor);
    return answer_text(L, FLOC_OUT_OF_MEMORY, "out of memory");
  }
  lua_pushstring(L, floc_new_file_name(self->file));
  return 2;
}

/* new_file_put(file, text) -> true */
static int new_file_put(lua_State *L)
{
  size_t size = 0;
  new_file *self = check_new_file(L);
  const char *text = luaL_checklstring(L, 2, &size);
  errno = 0;
  if (fwrite(text, 1, size, self->stream) != size) return answer_text(L, FLOC_FILE_ERROR, strerror(errno));
  lua_pushboolean(L, 1);
  return 1;
}

/* new_file_finish(file) -> true: it has its place */
static int new_file_finish(lua_State *L)
{
  new_file *self = check_new_file(L);
  errno = 0;
  int failed = fclose(self->stream);
  self->stream = NULL;
  if (failed) {
    int reason = errno;
    new_file_abandon(L);
    return answer_text(L, FLOC_FILE_ERROR, strerror(reason));
  }
  floc_new_file *file = self->file;
  self->file = NULL;
  char message[1024] = "";
  floc_status status = floc_new_file_finish(file, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushboolean(L, 1);
  return 1;
}

/* file_settle(path) -> true: what was written to it is on the disk */
static int file_settle(lua_State *L)
{
  const char *path = check_path(L, 1);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), reason = 0;
  if (descriptor < 0 || fsync(descriptor) != 0) reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (reason && reason != EINVAL) return answer_text(L, FLOC_FILE_ERROR, strerror(reason)); /* a pipe has no disk */
  lua_pushboolean(L, 1);
  return 1;
}

const luaL_Reg file_functions[] = {{"file_open", file_open},
                                   {"file_open_newest", file_open_newest},
                                   {"lock_take", lock_take},
                                   {"lock_release", lock_release},
                                   {"may_replace", may_replace},
                                   {"file_settle", file_settle},
                                   {"new_file", new_file_create},
                                   {"new_file_put", new_file_put},
                                   {"new_file_finish", new_file_finish},
                                   {"new_file_abandon", new_file_abandon},
                                   {"file_close", file_close},
                                   {"file_sections", file_sections},
                                   {"file_read", file_read},
                                   {"file_hash", file_hash},
                                   {"file_mathematics", file_mathematics},
                                   {"file_compare", file_compare},
                                   {NULL, NULL}};

static void register_type(lua_State *L, const char *name, lua_CFunction collect)
{
  luaL_newmetatable(L, name);
  lua_pushcfunction(L, collect);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

void file_register(lua_State *L)
{
  register_type(L, FILE_TYPE, file_close);
  register_type(L, LOCK_TYPE, lock_release);
  register_type(L, NEW_FILE_TYPE, new_file_abandon);
}
