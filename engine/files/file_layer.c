/*
 * Checked operations on files. See file_layer.h.
 */
#include "files/file_layer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define strerror_r(error, text, size) strerror_s(text, size, error)
#endif

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

floc_status file_read_between(open_file *file, void *bytes, size_t least, size_t most, size_t *got)
{
  for (*got = 0; *got < least;) {
    size_t part = 0;
    int error = file->layer->read(file->layer->context, file->handle, (char *)bytes + *got, most - *got, &part);
    if (!error && part > most - *got) error = EIO;
    if (error) return refused_at(file, "read", error);
    if (part == 0) {
      return refuse(file->env, FLOC_DAMAGED_FILE,
                    "%s: the file is truncated: it ends at byte %llu, %zu more are needed",
                    file_shown_path(file->path), (unsigned long long)file->offset, least - *got);
    }
    *got += part;
    file->offset += part;
  }
  return FLOC_OK;
}

floc_status file_read(open_file *file, void *bytes, size_t size)
{
  size_t got;
  return file_read_between(file, bytes, size, size, &got);
}

void file_pass_cache(open_file *file)
{
  if (file->layer->pass_cache) file->layer->pass_cache(file->layer->context, file->handle);
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
