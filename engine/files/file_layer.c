/*
 * The operating system's files behind the table of functions, and the checked operations on top of it.
 * See file_layer.h.
 */
#include "files/file_layer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the operating system ----------------------------------------------------------------------- */

static int system_open_write(void *context, const char *path, int *handle)
{
  (void)context;
  *handle = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return *handle < 0 ? errno : 0;
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

static int system_read(void *context, int handle, void *bytes, size_t size, size_t *got)
{
  (void)context;
  ssize_t count;
  do {
    count = read(handle, bytes, size);
  } while (count < 0 && errno == EINTR);
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

/* After the flush the system is asked to forget its copy of the file, so that reading it back looks at
 * what the disk holds. That is a wish: its refusal is no error. */
static int system_flush(void *context, int handle)
{
  (void)context;
  if (fsync(handle) < 0) return errno;
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

/* Opens the folder of a path, as `folder/.` or `.`, without needing memory for its name. */
static int open_folder(const char *path)
{
  const char *slash = strrchr(path, '/');
  if (!slash) return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  char folder[4096];
  size_t length = (size_t)(slash - path) + 1;
  if (length >= sizeof folder) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(folder, path, length);
  folder[length] = '\0';
  return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A folder that may be written but not read cannot be flushed, and some file systems know no flush of a
 * folder (EINVAL); there the order of the system's own writes is all that one can have. */
static int system_flush_folder(void *context, const char *path)
{
  (void)context;
  int handle = open_folder(path);
  if (handle < 0) return errno == EACCES ? 0 : errno;
  int error = fsync(handle) < 0 && errno != EINVAL ? errno : 0;
  close(handle);
  return error;
}

const file_layer *file_layer_system(void)
{
  static const file_layer layer = {
      .open_write = system_open_write,
      .open_read = system_open_read,
      .write = system_write,
      .read = system_read,
      .seek = system_seek,
      .size = system_size,
      .flush = system_flush,
      .close = system_close,
      .rename = system_rename,
      .remove = system_remove,
      .flush_folder = system_flush_folder,
  };
  return &layer;
}

/* ---- checked operations ------------------------------------------------------------------------- */

enum { SHOWN_PATH = 200 };

const char *file_shown_path(const char *path)
{
  size_t length = strlen(path);
  return length <= SHOWN_PATH ? path : path + length - SHOWN_PATH;
}

floc_status file_refused(environment *env, const char *path, const char *what, int error)
{
  char reason[128];
  if (strerror_r(error, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", error);
  return refuse(env, FLOC_FILE_ERROR, "%s: cannot be %s: %s", file_shown_path(path), what, reason);
}

static floc_status refused_at(const open_file *file, const char *what, int error)
{
  char place[80];
  snprintf(place, sizeof place, "%s at offset %llu", what, (unsigned long long)file->offset);
  return file_refused(file->env, file->path, place, error);
}

floc_status file_create(environment *env, const file_layer *layer, const char *path, open_file *file)
{
  *file = (open_file){.env = env, .layer = layer, .path = path, .handle = -1};
  int error = layer->open_write(layer->context, path, &file->handle);
  return error ? file_refused(env, path, "opened for writing", error) : FLOC_OK;
}

floc_status file_open(environment *env, const file_layer *layer, const char *path, open_file *file)
{
  *file = (open_file){.env = env, .layer = layer, .path = path, .handle = -1};
  int error = layer->open_read(layer->context, path, &file->handle);
  if (!error) return FLOC_OK;
  file_refused(env, path, "opened for reading", error);
  return error == ENOENT ? FLOC_NOT_FOUND : FLOC_FILE_ERROR;
}

floc_status file_write(open_file *file, const void *bytes, size_t size)
{
  const char *next = bytes;
  while (size > 0) {
    size_t written = 0;
    int error = file->layer->write(file->layer->context, file->handle, next, size, &written);
    if (!error && (written == 0 || written > size)) error = EIO;
    if (error) return refused_at(file, "written", error);
    next += written;
    size -= written;
    file->offset += written;
  }
  return FLOC_OK;
}

floc_status file_read(open_file *file, void *bytes, size_t size)
{
  char *next = bytes;
  while (size > 0) {
    size_t got = 0;
    int error = file->layer->read(file->layer->context, file->handle, next, size, &got);
    if (!error && got > size) error = EIO;
    if (error) return refused_at(file, "read", error);
    if (got == 0) {
      return refuse(file->env, FLOC_DAMAGED_FILE,
                    "%s: the file is cut: it ends at offset %llu, %zu bytes too early", file_shown_path(file->path),
                    (unsigned long long)file->offset, size);
    }
    next += got;
    size -= got;
    file->offset += got;
  }
  return FLOC_OK;
}

floc_status file_seek(open_file *file, uint64_t offset)
{
  int error = file->layer->seek(file->layer->context, file->handle, offset);
  if (error) return refused_at(file, "positioned", error);
  file->offset = offset;
  return FLOC_OK;
}

floc_status file_size(open_file *file, uint64_t *size)
{
  int error = file->layer->size(file->layer->context, file->handle, size);
  return error ? file_refused(file->env, file->path, "measured", error) : FLOC_OK;
}

floc_status file_flush(open_file *file)
{
  int error = file->layer->flush(file->layer->context, file->handle);
  return error ? file_refused(file->env, file->path, "flushed to the disk", error) : FLOC_OK;
}

floc_status file_close(open_file *file)
{
  int error = file->layer->close(file->layer->context, file->handle);
  file->handle = -1;
  return error ? file_refused(file->env, file->path, "closed", error) : FLOC_OK;
}
