/*
 * The operating system's files, as a table of functions. See file_layer.h.
 */
#define _GNU_SOURCE /* O_DIRECT */
#include "files/file_layer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
#include <sys/random.h>
#include <unistd.h>
#endif

/* What stands in the way of a lock that is asked for without waiting: somebody else's. */
static bool is_taken(int error)
{
  return error == EWOULDBLOCK || error == EINTR;
}

/* Another process may take a file for one without a writer, and remove it, before it is locked: then it has no
 * name. */
static int guard_new(const char *path, int handle, int *guard)
{
  struct stat found;
  *guard = -1;
  if (flock(handle, LOCK_EX | LOCK_NB) == 0) {
    if (fstat(handle, &found) == 0 && found.st_nlink == 0) return EEXIST;
    *guard = fcntl(handle, F_DUPFD_CLOEXEC, 0);
    return *guard < 0 ? errno : 0;
  }
  if (!is_taken(errno)) return 0; /* a file system without locks */
  unlink(path);
  return EEXIST;
}

static int system_open_new(void *context, const char *path, int *handle, int *guard)
{
  (void)context;
  *handle = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (*handle < 0) return errno;
  int error = guard_new(path, *handle, guard);
  if (!error) return 0;
  close(*handle);
  if (error != EEXIST) unlink(path);
  return error;
}

/* Where the file system does not support locks: the process of the name, of this machine. */
static bool lives_by_name(const char *path)
{
  const char *last = strrchr(path, '-'), *before = last;
  while (before && before > path && before[-1] != '-') before--;
  if (!before || before == path) return false;
  long process = strtol(before, NULL, 10);
  return process > 0 && process <= INT32_MAX && (kill((pid_t)process, 0) == 0 || errno == EPERM);
}

/* The file, locked; -1 and *error if it is not there, or is guarded (EBUSY). */
static int lock_left(const char *path, int how, int *error)
{
  int handle = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  *error = handle < 0 ? errno : 0;
  if (handle < 0) return -1;
  if (flock(handle, how | LOCK_NB) == 0) return handle;
  if (!is_taken(errno) && !lives_by_name(path)) return handle;
  *error = EBUSY;
  close(handle);
  return -1;
}

static bool system_is_guarded(void *context, const char *path)
{
  (void)context;
  int error, handle = lock_left(path, LOCK_SH, &error);
  if (handle >= 0) close(handle);
  return error == EBUSY;
}

/* A link that somebody planted is removed, not followed; so is a file that may not be read. */
static int system_remove_left(void *context, const char *path)
{
  (void)context;
  int error, handle = lock_left(path, LOCK_EX, &error);
  if (error == EBUSY || error == ENOENT) return error;
  error = unlink(path) < 0 ? errno : 0;
  if (handle >= 0) close(handle);
  return error;
}

static void system_token(void *context, char text[FILE_TOKEN_SIZE])
{
  (void)context;
  uint32_t random;
  struct timespec now;
  if (getentropy(&random, sizeof random) != 0) {
    clock_gettime(CLOCK_MONOTONIC, &now); /* the name is tried again if it is taken */
    random = (uint32_t)now.tv_nsec;
  }
  snprintf(text, FILE_TOKEN_SIZE, "%ld-%08x", (long)getpid(), (unsigned)random);
}

/* Only ordinary files have a length that can be believed. Without O_NONBLOCK a named pipe would make
 * open() wait for a writer. */
static int system_open_read(void *context, const char *path, int *handle)
{
  (void)context;
  *handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (*handle < 0) return errno;
  struct stat found;
  int error = fstat(*handle, &found) < 0 ? errno
              : S_ISDIR(found.st_mode)   ? EISDIR
              : S_ISREG(found.st_mode)   ? 0
                                         : ESPIPE;
  if (error) close(*handle);
  return error;
}

static int system_write(void *context, int handle, const void *bytes, size_t size, size_t *written)
{
  (void)context;
  ssize_t count;
  do {
    count = write(handle, bytes, size);
  } while (count < 0 && errno == EINTR);
  *written = count < 0 ? 0 : (size_t)count;
  return count < 0 ? errno : 0;
}

#ifdef O_DIRECT
static void system_pass_cache(void *context, int handle)
{
  (void)context;
  int flags = fcntl(handle, F_GETFL);
  if (flags >= 0) (void)fcntl(handle, F_SETFL, flags | O_DIRECT);
}

/* True if it was on: then a read that was not of whole pages may be tried again. */
static bool stop_passing_cache(int handle)
{
  int flags = fcntl(handle, F_GETFL);
  return flags >= 0 && (flags & O_DIRECT) && fcntl(handle, F_SETFL, flags & ~O_DIRECT) == 0;
}
#else
#define system_pass_cache NULL

static bool stop_passing_cache(int handle)
{
  (void)handle;
  return false;
}
#endif

static int system_read(void *context, int handle, void *bytes, size_t size, size_t *got)
{
  (void)context;
  ssize_t count;
  do {
    count = read(handle, bytes, size);
  } while (count < 0 && (errno == EINTR || (errno == EINVAL && stop_passing_cache(handle))));
  *got = count < 0 ? 0 : (size_t)count;
  return count < 0 ? errno : 0;
}

static int system_seek(void *context, int handle, uint64_t offset)
{
  (void)context;
  if (offset > INT64_MAX) return EINVAL;
  return lseek(handle, (off_t)offset, SEEK_SET) < 0 ? errno : 0;
}

static int system_size(void *context, int handle, uint64_t *size)
{
  (void)context;
  struct stat found;
  if (fstat(handle, &found) < 0) return errno;
  *size = (uint64_t)found.st_size;
  return 0;
}

/* fsync of macOS hands bytes to the disk, which may keep them in memory of its own; F_FULLFSYNC waits for the disk,
 * and is refused where a file system has no such request. */
static int flush_handle(int handle)
{
#ifdef F_FULLFSYNC
  if (fcntl(handle, F_FULLFSYNC) == 0) return 0;
#endif
  return fsync(handle) < 0 ? errno : 0;
}

/* After the flush the system is asked to forget its copy of the file, so that reading it back looks at
 * what the disk holds. That is a wish: its refusal is no error. */
static int system_flush(void *context, int handle)
{
  (void)context;
  int error = flush_handle(handle);
  if (error) return error;
#ifdef POSIX_FADV_DONTNEED
  (void)posix_fadvise(handle, 0, 0, POSIX_FADV_DONTNEED);
#endif
  return 0;
}

static int system_close(void *context, int handle)
{
  (void)context;
  return close(handle) < 0 && errno != EINTR ? errno : 0;
}

static int system_rename(void *context, const char *from, const char *to)
{
  (void)context;
  return rename(from, to) < 0 ? errno : 0;
}

static int system_remove(void *context, const char *path)
{
  (void)context;
  return unlink(path) < 0 ? errno : 0;
}

enum { FOLDER_SIZE = 4096 };

/* The folder of a path, as `folder/` or `.`, without needing memory for its name. */
static bool folder_of(const char *path, char folder[FOLDER_SIZE])
{
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + 1 : 1;
  if (length >= FOLDER_SIZE) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(folder, slash ? path : ".", length);
  folder[length] = '\0';
  return true;
}

static DIR *list_folder(const char *path)
{
  char folder[FOLDER_SIZE];
  return folder_of(path, folder) ? opendir(folder) : NULL;
}

#ifndef _WIN32
static int open_folder(const char *path)
{
  char folder[FOLDER_SIZE];
  return folder_of(path, folder) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}
#endif

/* A folder that may be written but not read cannot be flushed, and some file systems know no flush of a
 * folder (EINVAL); there the order of the system's own writes is all that one can have. */
static int system_flush_folder(void *context, const char *path)
{
  (void)context;
#ifdef _WIN32
  (void)path;
  return 0; /* Windows opens no folder; a rename waits for the disk there */
#else
  int handle = open_folder(path);
  if (handle < 0) return errno == EACCES ? 0 : errno;
  int error = flush_handle(handle);
  close(handle);
  return error == EINVAL ? 0 : error;
#endif
}

static int system_list(void *context, const char *path, int (*found)(void *seeker, const char *name), void *seeker)
{
  (void)context;
  DIR *folder = list_folder(path);
  if (!folder) return errno;
  errno = 0;
  const struct dirent *entry;
  while ((entry = readdir(folder)) && !found(seeker, entry->d_name)) errno = 0;
  int error = entry ? 0 : errno;
  closedir(folder);
  return error;
}

const file_layer *file_layer_system(void)
{
  static const file_layer layer = {
      .open_new = system_open_new,
      .open_read = system_open_read,
      .write = system_write,
      .read = system_read,
      .pass_cache = system_pass_cache,
      .seek = system_seek,
      .size = system_size,
      .flush = system_flush,
      .close = system_close,
      .rename = system_rename,
      .remove = system_remove,
      .flush_folder = system_flush_folder,
      .list = system_list,
      .is_guarded = system_is_guarded,
      .remove_left = system_remove_left,
      .token = system_token,
  };
  return &layer;
}
