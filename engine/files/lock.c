/*
 * One program at a time: floc_lock_*, see floc.h.
 *
 * What counts is the system's lock on the open file (flock), which ends with the process; the text in the file only
 * says whose it is. On network file systems Linux makes it a lock of the server, so that it holds between machines
 * as well (NFS since 2.6.12, unless mounted with local_lock). The holder of the lock removes the file before
 * releasing it, so somebody may have locked a file that has no name any more: then it is tried again.
 */
#define _GNU_SOURCE
#include "base/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#ifdef _WIN32
#include "files/posix_windows.h"
#else
#include <sys/file.h>
#include <unistd.h>
#endif

enum { TRIES = 50, PAUSE_NANOSECONDS = 10000000, HOST_SIZE = 65, TEXT_SIZE = 160 };

struct floc_lock {
  int descriptor;
  char name[];
};

static const char text_format[] = "floc: process %ld on host %s\n";

/* ---- who has it --------------------------------------------------------------------------------------------- */

static void host_name(char host[HOST_SIZE])
{
  if (gethostname(host, HOST_SIZE) != 0) snprintf(host, HOST_SIZE, "unknown");
  host[HOST_SIZE - 1] = '\0';
}

typedef struct owner {
  long process;
  char host[HOST_SIZE];
} owner;

/* 1: named; 0: an empty file; -1: the file of somebody else. */
static int read_owner(int descriptor, owner *whose)
{
  char text[TEXT_SIZE];
  ssize_t size = pread(descriptor, text, sizeof text - 1, 0);
  if (size <= 0) return size == 0 ? 0 : -1;
  text[size] = '\0';
  size_t head = strcspn(text_format, "%");
  if (strncmp(text, text_format, head) != 0) return -1;
  char *end;
  whose->process = strtol(text + head, &end, 10); /* LONG_MAX if there are too many digits */
  bool possible = whose->process > 0 && whose->process <= INT32_MAX;
  return possible && sscanf(end, " on host %64s", whose->host) == 1 ? 1 : -1;
}

/* Of this machine, and gone: its lock is free, and somebody is about to write another name there. */
static bool is_dead(const owner *whose)
{
  char here[HOST_SIZE];
  host_name(here);
  return strcmp(here, whose->host) == 0 && kill((pid_t)whose->process, 0) != 0 && errno == ESRCH;
}

static bool write_owner(int descriptor)
{
  char host[HOST_SIZE], text[TEXT_SIZE];
  host_name(host);
  int length = snprintf(text, sizeof text, text_format, (long)getpid(), host);
  return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text, (size_t)length, 0) == length;
}

/* ---- taking ------------------------------------------------------------------------------------------------- */

typedef enum outcome { TAKEN, TRY_AGAIN, HELD, REFUSED, NO_LOCKS, FOREIGN } outcome;

static bool is_named(const char *name, int descriptor)
{
  struct stat open_one, named;
  return fstat(descriptor, &open_one) == 0 && lstat(name, &named) == 0 && named.st_ino == open_one.st_ino &&
         named.st_dev == open_one.st_dev;
}

/* With the lock: is the file still the one of that name, and ours? */
static outcome settle(const char *name, int descriptor)
{
  struct stat open_one;
  owner whose;
  if (fstat(descriptor, &open_one) != 0) return REFUSED;
  if (!is_named(name, descriptor)) return TRY_AGAIN;
  if (!S_ISREG(open_one.st_mode) || read_owner(descriptor, &whose) < 0) return FOREIGN;
  return write_owner(descriptor) ? TAKEN : REFUSED;
}

static outcome try_once(const char *name, int *descriptor, owner *whose)
{
  *descriptor = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (*descriptor < 0) return REFUSED;
  if (flock(*descriptor, LOCK_EX | LOCK_NB) == 0) return settle(name, *descriptor);
  if (errno == EINTR) return TRY_AGAIN;
  if (errno != EWOULDBLOCK) return NO_LOCKS;
  int found = read_owner(*descriptor, whose);
  return found > 0 && !is_dead(whose) ? HELD : TRY_AGAIN;
}

static outcome try_on(const char *name, int *descriptor, owner *whose)
{
  outcome result = TRY_AGAIN;
  for (int k = 0; k < TRIES && result == TRY_AGAIN; k++) {
    if (k > 0) nanosleep(&(struct timespec){0, PAUSE_NANOSECONDS}, NULL);
    result = try_once(name, descriptor, whose);
    int error = errno;
    if (result != TAKEN && *descriptor >= 0) close(*descriptor);
    errno = error;
  }
  return result;
}

static floc_status report(outcome result, const char *path, const char *name, const owner *whose, int error,
                          char *message, size_t size)
{
  switch (result) {
  case TAKEN:
    return FLOC_OK;
  case HELD:
    snprintf(message, size, "%s: another run is writing there: process %ld on host %s (%s)", path, whose->process,
             whose->host, name);
    return FLOC_WRONG_STATE;
  case TRY_AGAIN:
    snprintf(message, size, "%s: another run, which cannot be identified, is writing there (%s)", path, name);
    return FLOC_WRONG_STATE;
  case NO_LOCKS:
    snprintf(message, size, "%s: the file system does not support locks: %s", name, strerror(error));
    return FLOC_NOT_SUPPORTED;
  case FOREIGN:
    snprintf(message, size, "%s: it exists and is not a lock of floc; move it", name);
    return FLOC_FILE_ERROR;
  default:
    snprintf(message, size, "%s: cannot be opened for writing: %s", name, strerror(error));
  }
  return FLOC_FILE_ERROR;
}

floc_status floc_lock_take(const char *path, floc_lock **lock, char *message, size_t message_size)
{
  char nowhere[1];
  if (!message || message_size == 0) {
    message = nowhere;
    message_size = sizeof nowhere;
  }
  message[0] = '\0';
  if (lock) *lock = NULL;
  if (!lock || !path || !*path) {
    snprintf(message, message_size, "%s", lock ? "path is empty; it must name a file or a folder" : "lock is NULL");
    return FLOC_INVALID_ARGUMENT;
  }
  const char *ending = path[strlen(path) - 1] == '/' ? "floc.lock" : ".lock";
  size_t size = strlen(path) + strlen(ending) + 1;
  floc_lock *made = malloc(sizeof *made + size);
  if (!made) {
    snprintf(message, message_size, "out of memory");
    return FLOC_OUT_OF_MEMORY;
  }
  snprintf(made->name, size, "%s%s", path, ending);
  owner whose = {0, ""};
  outcome result = try_on(made->name, &made->descriptor, &whose);
  floc_status status = report(result, path, made->name, &whose, errno, message, message_size);
  if (status == FLOC_OK)
    *lock = made;
  else
    free(made);
  return status;
}

/* A process that opened the file in the meantime finds it without a name. After a change of the folder of the
 * process the name may be another file's. */
void floc_lock_release(floc_lock *lock)
{
  if (!lock) return;
  if (is_named(lock->name, lock->descriptor)) unlink(lock->name);
  close(lock->descriptor);
  free(lock);
}
