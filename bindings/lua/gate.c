/*
 * The gate before files: every name of a file that the Lua half hands to C goes through check_path (options:
 * FIELD_PATH), so no call can be forgotten. The sandbox closes the gate (scripts/floc/session/sandbox.lua). Then
 * names are refused, and the process can open no file at all: its limit of open files is 0, which those that are
 * open, as the standard output is, do not notice.
 *
 * The state of the gate is in the registry of the Lua state, under the address of gate_key.
 */
#include "binding.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char gate_key;

const char *check_path(lua_State *L, int index)
{
  lua_pushlightuserdata(L, (void *)&gate_key);
  lua_rawget(L, LUA_REGISTRYINDEX);
  if (lua_toboolean(L, -1)) script_error(L, "the sandbox has no files");
  lua_pop(L, 1);
  return luaL_checkstring(L, index);
}

/* close_files(closed): true closes the gate, false opens it again. */
static int gate_close_files(lua_State *L)
{
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files)) return luaL_error(L, "the limit of open files cannot be read");
  files.rlim_cur = lua_toboolean(L, 1) ? 0 : files.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &files)) return luaL_error(L, "the limit of open files cannot be set");
  lua_pushlightuserdata(L, (void *)&gate_key);
  lua_pushboolean(L, lua_toboolean(L, 1));
  lua_rawset(L, LUA_REGISTRYINDEX);
  return 0;
}

static int answer_errno(lua_State *L)
{
  lua_pushnil(L);
  lua_pushstring(L, strerror(errno));
  return 2;
}

static int refuse_file(lua_State *L, const char *reason)
{
  lua_pushnil(L);
  lua_pushstring(L, reason);
  return 2;
}

/* The text of a file without links in its name; nil and the reason. */
static int read_regular(lua_State *L, const char *path)
{
  struct stat before, status;
  if (stat(path, &before) != 0) return answer_errno(L);
  if (!S_ISREG(before.st_mode)) return refuse_file(L, "it is not a file");
  char *bytes = lua_newuserdata(L, (size_t)before.st_size + 1);
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe must not make us wait */
  if (file < 0) return answer_errno(L);
  bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  ssize_t length = regular ? read(file, bytes, (size_t)before.st_size) : -1;
  int reason = regular ? errno : EINVAL;
  close(file);
  errno = reason;
  if (length < 0) return answer_errno(L);
  lua_pushlstring(L, bytes, (size_t)length);
  return 1;
}

/* read_inside(folder with a slash, name) -> text of the file; nil and the reason, also when links lead out of the
 * folder. */
static int gate_read_inside(lua_State *L)
{
  char folder[PATH_MAX], path[PATH_MAX];
  const char *whole = lua_pushfstring(L, "%s%s", luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  if (!realpath(luaL_checkstring(L, 1), folder) || !realpath(whole, path)) return answer_errno(L);
  size_t length = strlen(folder);
  bool is_root = length == 1;
  if (strncmp(path, folder, length) != 0 || (!is_root && path[length] != '/')) {
    return refuse_file(L, "a symbolic link leads outside of the folder of the script");
  }
  return read_regular(L, path);
}

const luaL_Reg gate_functions[] = {
    {"close_files", gate_close_files}, {"read_inside", gate_read_inside}, {NULL, NULL}};
