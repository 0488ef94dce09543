/*
 * The few things of the operating system that the Lua half needs and standard Lua lacks: a steady clock,
 * whether the error stream is a terminal, folders, cutting a file to a length.
 */
#include "binding.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* now() -> seconds of a clock that never jumps */
static int system_now(lua_State *L)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  lua_pushnumber(L, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
  return 1;
}

static int system_is_terminal(lua_State *L)
{
  lua_pushboolean(L, isatty(STDERR_FILENO));
  return 1;
}

/* terminal_width() -> columns, or nil when nobody knows */
static int system_terminal_width(lua_State *L)
{
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 0;
  lua_pushinteger(L, size.ws_col);
  return 1;
}

static int answer_errno(lua_State *L, int failed)
{
  if (!failed) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, strerror(errno));
  return 2;
}

/* Makes one folder; there already is as good. */
static int make_one(const char *path)
{
  struct stat status;
  if (mkdir(path, 0777) == 0) return 0;
  if (errno != EEXIST) return -1;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return 0;
  errno = ENOTDIR;
  return -1;
}

/* make_folder(path): with all folders above it. */
static int system_make_folder(lua_State *L)
{
  size_t length = 0;
  const char *path = luaL_checklstring(L, 1, &length);
  char *part = lua_newuserdata(L, length + 1);
  memcpy(part, path, length + 1);
  for (size_t k = 1; k < length; k++) {
    if (part[k] != '/') continue;
    part[k] = 0;
    if (make_one(part)) return answer_errno(L, -1);
    part[k] = '/';
  }
  return answer_errno(L, length > 0 && make_one(part));
}

/* truncate(path, size) */
static int system_truncate(lua_State *L)
{
  return answer_errno(L, truncate(luaL_checkstring(L, 1), (off_t)luaL_checknumber(L, 2)));
}

/* list_folder(path) -> names of the files in it, unsorted; nil, reason, and whether it is a file */
static int system_list_folder(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  DIR *folder = opendir(path);
  if (!folder) {
    bool file = errno == ENOTDIR;
    answer_errno(L, -1);
    lua_pushboolean(L, file);
    return 3;
  }
  lua_newtable(L);
  int count = 0;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    lua_pushstring(L, entry->d_name);
    lua_rawseti(L, -2, ++count);
  }
  closedir(folder);
  return 1;
}

const luaL_Reg system_functions[] = {{"now", system_now},
                                     {"is_terminal", system_is_terminal},
                                     {"terminal_width", system_terminal_width},
                                     {"make_folder", system_make_folder},
                                     {"truncate", system_truncate},
                                     {"list_folder", system_list_folder},
                                     {NULL, NULL}};
