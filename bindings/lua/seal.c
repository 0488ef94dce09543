/*
 * The seal of a checkpoint: an HMAC-SHA256 over the script and what belongs to it, by a key that only the user has.
 * A checkpoint is a program; the seal says that this user wrote it.
 *
 * The key is 32 random bytes in $XDG_STATE_HOME/floc/key (~/.local/state/floc/key), made when it is first needed,
 * which no other user may read. Under its name it appears whole and once, by a link: of two that make one, one is
 * taken.
 */
#include "binding.h"
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_SIZE = 32, PATH_SIZE = 4096 };

typedef struct key_file {
  char path[PATH_SIZE];
  unsigned char key[KEY_SIZE];
  char why[PATH_SIZE + 100]; /* there is no key */
} key_file;

static bool refuse(key_file *self, const char *what)
{
  snprintf(self->why, sizeof self->why, "%s: %s", self->path, what);
  return false;
}

static bool find_path(key_file *self)
{
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int length = -1;
  if (state && state[0] == '/')
    length = snprintf(self->path, sizeof self->path, "%s/floc/key", state);
  else if (home && home[0] == '/')
    length = snprintf(self->path, sizeof self->path, "%s/.local/state/floc/key", home);
  if (length > 0 && length < PATH_SIZE - 40) return true;
  snprintf(self->why, sizeof self->why, "neither XDG_STATE_HOME nor HOME is set, so it has no folder");
  return false;
}

/* 1: read; 0: there is none; -1: it is not to be used. */
static int read_key(key_file *self)
{
  int descriptor = open(self->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR)) return 0;
  struct stat found;
  if (descriptor < 0 || fstat(descriptor, &found) != 0) {
    refuse(self, strerror(errno));
    if (descriptor >= 0) close(descriptor);
    return -1;
  }
  bool is_ours = S_ISREG(found.st_mode) && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
  bool is_whole = found.st_size == KEY_SIZE && read(descriptor, self->key, KEY_SIZE) == KEY_SIZE;
  close(descriptor);
  if (is_ours && is_whole) return 1;
  refuse(self, is_ours ? "it is not a key of floc" : "you must own it and no other user may read it");
  return -1;
}

/* All folders above the file, for no other user. */
static void make_folders(char *path)
{
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(path, 0700); /* what is missing then shows when the key is made */
    *slash = '/';
  }
}

static bool make_key(key_file *self)
{
  char fresh[PATH_SIZE + 32];
  snprintf(fresh, sizeof fresh, "%s.new-%ld", self->path, (long)getpid());
  make_folders(self->path);
  unlink(fresh);
  int descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return refuse(self, strerror(errno));
  bool made = getrandom(self->key, KEY_SIZE, 0) == KEY_SIZE && write(descriptor, self->key, KEY_SIZE) == KEY_SIZE &&
              fsync(descriptor) == 0;
  close(descriptor);
  made = made && (link(fresh, self->path) == 0 || errno == EEXIST);
  int reason = errno;
  unlink(fresh);
  return made || refuse(self, strerror(reason));
}

static bool get_key(key_file *self, bool makes)
{
  self->why[0] = '\0';
  if (!find_path(self)) return false;
  int found = read_key(self);
  if (found == 0 && makes) found = make_key(self) ? read_key(self) : -1;
  if (found == 0) refuse(self, "there is no key yet");
  return found > 0;
}

/* Each part with its length before it, so that none can pass for the beginning of the next. */
static void seal_of(lua_State *L, int first, const unsigned char key[KEY_SIZE], unsigned char code[SHA256_SIZE])
{
  static const char purpose[] = "floc checkpoint 1";
  hmac sum;
  hmac_begin(&sum, key, KEY_SIZE);
  hmac_add(&sum, purpose, sizeof purpose);
  for (int k = first; k <= lua_gettop(L); k++) {
    size_t size;
    const char *text = lua_tolstring(L, k, &size);
    unsigned char length[8];
    for (int byte = 0; byte < 8; byte++) length[byte] = (unsigned char)((uint64_t)size >> (8 * byte));
    hmac_add(&sum, length, sizeof length);
    hmac_add(&sum, text, size);
  }
  hmac_end(&sum, code);
}

static void check_texts(lua_State *L, int first)
{
  for (int k = first; k <= lua_gettop(L); k++) luaL_checkstring(L, k);
}

/* seal(text, ...) -> 32 bytes; nil, why there is no key */
static int seal_make(lua_State *L)
{
  check_texts(L, 1);
  key_file file;
  unsigned char code[SHA256_SIZE];
  if (!get_key(&file, true)) return answer_text(L, FLOC_FILE_ERROR, file.why);
  seal_of(L, 1, file.key, code);
  lua_pushlstring(L, (const char *)code, sizeof code);
  return 1;
}

/* seal_fits(seal, text, ...) -> true; nil, why there is no key, or nothing where the seal is another */
static int seal_fits(lua_State *L)
{
  size_t size;
  const char *given = luaL_checklstring(L, 1, &size);
  check_texts(L, 2);
  key_file file;
  unsigned char code[SHA256_SIZE], difference = 0;
  if (!get_key(&file, false)) return answer_text(L, FLOC_FILE_ERROR, file.why);
  seal_of(L, 2, file.key, code);
  for (size_t k = 0; k < SHA256_SIZE && size == SHA256_SIZE; k++) difference |= (unsigned char)given[k] ^ code[k];
  lua_pushboolean(L, size == SHA256_SIZE && difference == 0);
  return 1;
}

const luaL_Reg seal_functions[] = {{"seal", seal_make}, {"seal_fits", seal_fits}, {NULL, NULL}};
