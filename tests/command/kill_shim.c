/*
 * A library that is loaded before the program's own (LD_PRELOAD) and kills it at the n-th operation on files, for
 * test_kills.c. Counted are the calls below from the first one that names run.floc; the n-th does not happen, but a
 * write, which gets as far as half. FLOC_KILL_LOG is a file that is shared with the test: how many calls there
 * were, how many flushes of temporary files were completed (each a complete file on the disk), and what the last
 * call was.
 */
#define _GNU_SOURCE
#include "kill_shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

/* The project hides names by default. */
#pragma GCC visibility push(default)

static kill_log none, *said = &none;
static long kill_at;
static unsigned char is_temporary[1024]; /* by descriptor */

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
  const char *path = getenv("FLOC_KILL_LOG"), *at = getenv("FLOC_KILL_AT");
  int descriptor = path ? REAL(open)(path, O_RDWR) : -1;
  if (descriptor < 0) return;
  void *shared = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  REAL(close)(descriptor);
  if (shared == MAP_FAILED) return;
  said = shared;
  kill_at = at ? atol(at) : 0;
}

/* Whether this call is the one at which the program dies. */
static bool strikes(const char *path, kill_call call)
{
  if (said->calls == 0 && !(path && strstr(path, "run.floc"))) return false;
  said->last = call;
  return ++said->calls == kill_at;
}

static void count(const char *path, kill_call call)
{
  if (strikes(path, call)) kill(getpid(), SIGKILL);
}

static void remember(int descriptor, const char *path)
{
  if (descriptor >= 0 && descriptor < (int)sizeof is_temporary)
    is_temporary[descriptor] = strstr(path, "run.floc.new") != NULL;
}

int open(const char *path, int flags, ...)
{
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  count(path, KILL_OPEN);
  int descriptor = REAL(open)(path, flags, mode);
  remember(descriptor, path);
  return descriptor;
}

FILE *fopen(const char *path, const char *mode)
{
  count(path, KILL_OPEN);
  return REAL(fopen)(path, mode);
}

size_t fwrite(const void *bytes, size_t size, size_t many, FILE *stream)
{
  bool dies = strikes(NULL, KILL_WRITE);
  size_t written = REAL(fwrite)(bytes, size, dies ? many / 2 : many, stream);
  if (dies) fflush(stream);
  if (dies) kill(getpid(), SIGKILL);
  return written;
}

ssize_t write(int descriptor, const void *bytes, size_t size)
{
  bool dies = strikes(NULL, KILL_WRITE);
  ssize_t written = REAL(write)(descriptor, bytes, dies ? size / 2 : size);
  if (dies) kill(getpid(), SIGKILL);
  return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset)
{
  count(NULL, KILL_WRITE);
  return REAL(pwrite)(descriptor, bytes, size, offset);
}

ssize_t read(int descriptor, void *bytes, size_t size)
{
  count(NULL, KILL_READ);
  return REAL(read)(descriptor, bytes, size);
}

int fsync(int descriptor)
{
  count(NULL, KILL_FSYNC);
  int result = REAL(fsync)(descriptor);
  if (result == 0 && descriptor < (int)sizeof is_temporary && is_temporary[descriptor]) said->whole++;
  return result;
}

int close(int descriptor)
{
  count(NULL, KILL_CLOSE);
  return REAL(close)(descriptor);
}

int rename(const char *from, const char *to)
{
  count(from, KILL_RENAME);
  return REAL(rename)(from, to);
}

int unlink(const char *path)
{
  count(path, KILL_UNLINK);
  return REAL(unlink)(path);
}

int flock(int descriptor, int operation)
{
  count(NULL, KILL_FLOCK);
  return REAL(flock)(descriptor, operation);
}

int ftruncate(int descriptor, off_t length)
{
  count(NULL, KILL_FTRUNCATE);
  return REAL(ftruncate)(descriptor, length);
}
