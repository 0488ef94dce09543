/*
 * The few things of the operating system that the Lua half needs and standard Lua lacks: a steady clock,
 * whether the error stream is a terminal, folders, cutting a file to a length, where the program is, how many
 * processors there are, the floating-point environment.
 */
#include "binding.h"
#include "ranks.h"

#include "../plain_numbers.h"

#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* now() -> seconds of a clock that never jumps; over ranks it is that of rank 0 */
static int system_now(lua_State *L)
{
  if (ranks_are_several()) {
    lua_pushnumber(L, ranks_clock());
    return 1;
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  lua_pushnumber(L, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
  return 1;
}

/* number_text(value [, digits]) -> text with a decimal point: 17 digits, or the shortest of 15 to 17 that gives the
 * number back */
static int system_number_text(lua_State *L)
{
  char text[PLAIN_NUMBER_SIZE];
  plain_number(luaL_checknumber(L, 1), (int)luaL_optinteger(L, 2, 15), text);
  lua_pushstring(L, text);
  return 1;
}

/* number_format(format, value): string.format with one conversion e, f or g, with a decimal point */
static int system_number_format(lua_State *L)
{
  char text[400];
  const char *format = luaL_checkstring(L, 1);
  double value = luaL_checknumber(L, 2);
  size_t flags = format[0] == '%' ? 1 + strspn(format + 1, "0123456789.") : 0;
  bool known = flags > 0 && flags < 8 && format[flags] && strchr("efg", format[flags]) && !format[flags + 1];
  if (!known) return luaL_error(L, "format is %s; it must be one conversion e, f or g", format);
  plain_locale it = plain_locale_begin();
  snprintf(text, sizeof text, format, value);
  plain_locale_end(it);
  lua_pushstring(L, text);
  return 1;
}

/* number_from(text) -> the number that the whole text is, or nil */
static int system_number_from(lua_State *L)
{
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  char *end;
  double value = plain_read(text, &end);
  bool whole = length > 0 && end == text + length && strspn(text, "+-0123456789.eExXpPabcdfABCDF") == length;
  if (whole)
    lua_pushnumber(L, value);
  else
    lua_pushnil(L);
  return 1;
}

static int system_is_terminal(lua_State *L)
{
  lua_pushboolean(L, !ranks_are_several() && isatty(STDERR_FILENO));
  return 1;
}

/* is_asked() -> whether somebody can answer a question: input and error stream are a terminal */
static int system_is_asked(lua_State *L)
{
  lua_pushboolean(L, !ranks_are_several() && isatty(STDIN_FILENO) && isatty(STDERR_FILENO));
  return 1;
}

/* terminal_width() -> columns, or nil when it is unknown */
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
  const char *path = check_path(L, 1);
  size_t length = strlen(path);
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
  return answer_errno(L, truncate(check_path(L, 1), (off_t)luaL_checknumber(L, 2)));
}

/* list_folder(path) -> names of the files in it, unsorted; nil, reason, and whether it is a file */
static int system_list_folder(lua_State *L)
{
  const char *path = check_path(L, 1);
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

/* executable() -> whole name of the running program, or nil */
static int system_executable(lua_State *L)
{
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || length == sizeof path) return 0;
  lua_pushlstring(L, path, (size_t)length);
  return 1;
}

/* process() -> the number of this process */
static int system_process(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)getpid());
  return 1;
}

/* processors() -> how many this process may use at once, 1 or more */
static int system_processors(lua_State *L)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  lua_pushinteger(L, count > 0 ? (lua_Integer)count : 1);
  return 1;
}

/* 64 bits of bytes: FNV-1a, begun with hash_start */
static const uint64_t hash_start = UINT64_C(14695981039346656037);

static uint64_t hash_bytes(uint64_t hash, const char *text, size_t length)
{
  for (size_t k = 0; k < length; k++) hash = (hash ^ (unsigned char)text[k]) * UINT64_C(1099511628211);
  return hash;
}

static void push_hash(lua_State *L, uint64_t hash)
{
  char shown[20];
  snprintf(shown, sizeof shown, "%016" PRIx64, hash);
  lua_pushstring(L, shown);
}

/* text_hash(text) -> 16 hexadecimal digits: FNV-1a of 64 bits, the same everywhere */
static int system_text_hash(lua_State *L)
{
  size_t length = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  push_hash(L, hash_bytes(hash_start, text, length));
  return 1;
}

/* hash_of_file(path) -> 16 hexadecimal digits; nothing for what is no regular file or cannot be read */
static int system_hash_of_file(lua_State *L)
{
  enum { PIECE = 65536 };
  const char *path = check_path(L, 1);
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  char *piece = lua_newuserdata(L, PIECE);
  uint64_t hash = hash_start;
  for (size_t length = 1; length > 0;) {
    length = fread(piece, 1, PIECE, file);
    hash = hash_bytes(hash, piece, length);
  }
  bool whole = !ferror(file);
  (void)fclose(file);
  if (!whole) return 0;
  push_hash(L, hash);
  return 1;
}

/* random_block(seed, name of the stream, first, count) -> list of numbers in (0, 1); the seed is any number, and
 * its bits count */
static int system_random_block(lua_State *L)
{
  enum { LONGEST = 256 };
  double seed = luaL_checknumber(L, 1), numbers[LONGEST];
  size_t length = 0;
  const char *name = luaL_checklstring(L, 2, &length);
  int count = (int)luaL_checkinteger(L, 4);
  uint64_t key;
  memcpy(&key, &seed, sizeof key);
  if (count < 1 || count > LONGEST) return luaL_error(L, "random_block: count");
  floc_status status = floc_random_uniform(key, hash_bytes(hash_start, name, length),
                                           (int64_t)luaL_checknumber(L, 3), count, numbers);
  if (status != FLOC_OK) return luaL_error(L, "random_block: first");
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    lua_pushnumber(L, numbers[k]);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* float_default() -> the floating-point environment of the host, which is the default one from now on */
static int system_float_default(lua_State *L)
{
  fenv_t *before = lua_newuserdata(L, sizeof *before);
  fegetenv(before);
  fesetenv(FE_DFL_ENV);
  return 1;
}

/* float_restore(what float_default gave) */
static int system_float_restore(lua_State *L)
{
  const fenv_t *before = lua_touserdata(L, 1);
  if (before) fesetenv(before);
  return 0;
}

const luaL_Reg system_functions[] = {{"float_default", system_float_default},
                                     {"float_restore", system_float_restore},
                                     {"now", system_now},
                                     {"number_text", system_number_text},
                                     {"number_format", system_number_format},
                                     {"number_from", system_number_from},
                                     {"is_terminal", system_is_terminal},
                                     {"is_asked", system_is_asked},
                                     {"terminal_width", system_terminal_width},
                                     {"make_folder", system_make_folder},
                                     {"truncate", system_truncate},
                                     {"list_folder", system_list_folder},
                                     {"executable", system_executable},
                                     {"process", system_process},
                                     {"processors", system_processors},
                                     {"text_hash", system_text_hash},
                                     {"hash_of_file", system_hash_of_file},
                                     {"random_block", system_random_block},
                                     {NULL, NULL}};
