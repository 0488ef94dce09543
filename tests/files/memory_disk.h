/*
 * A disk in memory behind the engine's file_layer, on which every operation can be made to fail and the
 * power to go.
 *
 * It knows what a real disk knows: a file's bytes are safe once the file was flushed, a name once its
 * folder was; names change in the order of the operations. Losing power leaves any number of the pending
 * changes of names done, and unflushed bytes there or not.
 */
#ifndef FLOC_TESTS_FILES_MEMORY_DISK_H
#define FLOC_TESTS_FILES_MEMORY_DISK_H

#include "files/file_layer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISK_FILES = 64, DISK_NAMES = 32, DISK_NAME_SIZE = 300, DISK_HANDLES = 16, DISK_CHANGES = 64 };

typedef enum disk_fault {
  FAULT_NONE,
  FAULT_ERROR,         /* the operation fails with `error`; later ones work */
  FAULT_ERROR_FOREVER, /* it and all later ones of the same kind fail: a full disk */
  FAULT_SHORT,         /* a write or read does one byte less than half and reports it; no error */
  FAULT_TEAR,          /* a write stores half, says that it stored all */
  FAULT_FLIP,          /* one bit of what is written or read changes silently */
  FAULT_CRASH          /* half of a write is done, then this and every later operation fails */
} disk_fault;

typedef enum disk_operation {
  DISK_OPEN_NEW,
  DISK_OPEN_READ,
  DISK_WRITE,
  DISK_READ,
  DISK_SEEK,
  DISK_SIZE,
  DISK_FLUSH,
  DISK_CLOSE,
  DISK_RENAME,
  DISK_REMOVE,
  DISK_FLUSH_FOLDER,
  DISK_LIST
} disk_operation;

typedef struct disk_file {
  unsigned char *bytes, *safe;
  size_t size, safe_size;
} disk_file;

typedef struct disk_name {
  char text[DISK_NAME_SIZE];
  int file;
  bool used;
} disk_name;

typedef struct disk_change {
  char from[DISK_NAME_SIZE], to[DISK_NAME_SIZE]; /* from "": creation of `to`; to "": removal of `from` */
  int file;
} disk_change;

typedef struct memory_disk {
  file_layer layer;
  disk_file file[DISK_FILES];
  int file_count;
  disk_name name[DISK_NAMES], safe_name[DISK_NAMES];
  disk_change change[DISK_CHANGES];
  int change_count;
  struct {
    int file;
    size_t position;
    bool open;
  } handle[DISK_HANDLES];
  int64_t operations; /* done since the counter was set to 0 */
  int64_t fault_at;   /* number of the operation that goes wrong; counts from 1 */
  disk_fault fault;
  int error;
  disk_operation failed_operation;
  bool is_down;
  bool happened; /* the fault struck, and struck something that it can spoil */
} memory_disk;

/* ---- names ---------------------------------------------------------------------------------------- */

static inline disk_name *disk_find(disk_name *table, const char *text)
{
  for (int k = 0; k < DISK_NAMES; k++)
    if (table[k].used && strcmp(table[k].text, text) == 0) return &table[k];
  return NULL;
}

static inline void disk_set(disk_name *table, const char *text, int file)
{
  disk_name *entry = disk_find(table, text);
  for (int k = 0; !entry; k++) {
    assert(k < DISK_NAMES);
    if (!table[k].used) entry = &table[k];
  }
  snprintf(entry->text, sizeof entry->text, "%s", text);
  entry->file = file;
  entry->used = true;
}

static inline void disk_apply(disk_name *table, const disk_change *change)
{
  disk_name *from = disk_find(table, change->from);
  if (from) from->used = false;
  if (change->to[0]) disk_set(table, change->to, change->file);
}

static inline void disk_change_name(memory_disk *disk, const char *from, const char *to, int file)
{
  assert(disk->change_count < DISK_CHANGES);
  disk_change *change = &disk->change[disk->change_count++];
  snprintf(change->from, sizeof change->from, "%s", from);
  snprintf(change->to, sizeof change->to, "%s", to);
  change->file = file;
  disk_apply(disk->name, change);
}

/* ---- faults --------------------------------------------------------------------------------------- */

/* Counts an operation. Returns the fault that strikes it; *error is set for those that are errors. */
static inline disk_fault disk_strike(memory_disk *disk, disk_operation operation, int *error)
{
  *error = 0;
  disk->operations++;
  if (disk->is_down) {
    *error = EIO;
    return FAULT_ERROR;
  }
  bool again = disk->happened && disk->fault == FAULT_ERROR_FOREVER && operation == disk->failed_operation;
  if (disk->fault == FAULT_NONE || (disk->operations != disk->fault_at && !again)) return FAULT_NONE;
  bool moves_bytes = operation == DISK_WRITE || operation == DISK_READ;
  if (!moves_bytes && (disk->fault == FAULT_SHORT || disk->fault == FAULT_FLIP)) return FAULT_NONE;
  if (operation != DISK_WRITE && disk->fault == FAULT_TEAR) return FAULT_NONE;
  disk->happened = true;
  disk->failed_operation = operation;
  if (disk->fault == FAULT_CRASH) disk->is_down = true;
  if (disk->fault == FAULT_CRASH) *error = EIO;
  if (disk->fault == FAULT_ERROR || disk->fault == FAULT_ERROR_FOREVER) *error = disk->error;
  return disk->fault;
}

static inline void disk_arm(memory_disk *disk, disk_fault fault, int64_t at, int error)
{
  disk->operations = 0;
  disk->fault = fault;
  disk->fault_at = at;
  disk->error = error;
  disk->is_down = false;
  disk->happened = false;
}

static inline void disk_disarm(memory_disk *disk)
{
  disk_arm(disk, FAULT_NONE, 0, 0);
  for (int k = 0; k < DISK_HANDLES; k++) disk->handle[k].open = false;
}

/* Open handles: 0 means that nothing leaks. */
static inline int disk_open_count(const memory_disk *disk)
{
  int count = 0;
  for (int k = 0; k < DISK_HANDLES; k++) count += disk->handle[k].open;
  return count;
}

/* ---- the layer ------------------------------------------------------------------------------------ */

static inline int disk_take_handle(memory_disk *disk, int file, int *handle)
{
  for (int k = 0; k < DISK_HANDLES; k++) {
    if (disk->handle[k].open) continue;
    disk->handle[k].open = true;
    disk->handle[k].file = file;
    disk->handle[k].position = 0;
    *handle = k;
    return 0;
  }
  return EMFILE;
}

static inline int disk_new_file(memory_disk *disk)
{
  assert(disk->file_count < DISK_FILES);
  return disk->file_count++;
}

static inline int disk_open_new(void *context, const char *path, int *handle, int *guard)
{
  memory_disk *disk = context;
  int error;
  *guard = -1;
  disk_strike(disk, DISK_OPEN_NEW, &error);
  if (error) return error;
  if (disk_find(disk->name, path)) return EEXIST;
  int file = disk_new_file(disk);
  disk_change_name(disk, "", path, file);
  return disk_take_handle(disk, file, handle);
}

static inline int disk_open_read(void *context, const char *path, int *handle)
{
  memory_disk *disk = context;
  int error;
  disk_strike(disk, DISK_OPEN_READ, &error);
  if (error) return error;
  disk_name *entry = disk_find(disk->name, path);
  return entry ? disk_take_handle(disk, entry->file, handle) : ENOENT;
}

static inline void disk_put(disk_file *file, size_t position, const void *bytes, size_t size)
{
  if (position + size > file->size) {
    file->bytes = realloc(file->bytes, position + size);
    assert(file->bytes);
    file->size = position + size;
  }
  memcpy(file->bytes + position, bytes, size);
}

static inline int disk_write(void *context, int handle, const void *bytes, size_t size, size_t *written)
{
  memory_disk *disk = context;
  int error;
  disk_fault fault = disk_strike(disk, DISK_WRITE, &error);
  size_t done = size;
  if (fault == FAULT_SHORT) done = size > 1 ? (size - 1) / 2 + 1 : size;
  if (fault == FAULT_TEAR || fault == FAULT_CRASH) done = size / 2;
  if (error && fault != FAULT_CRASH) return error;
  assert(disk->handle[handle].open);
  disk_file *file = &disk->file[disk->handle[handle].file];
  size_t position = disk->handle[handle].position;
  if (done > 0) disk_put(file, position, bytes, done);
  if (fault == FAULT_FLIP && size > 0) file->bytes[position + size / 2] ^= 0x10;
  *written = fault == FAULT_TEAR ? size : done;
  disk->handle[handle].position += *written;
  return error;
}

static inline int disk_read(void *context, int handle, void *bytes, size_t size, size_t *got)
{
  memory_disk *disk = context;
  int error;
  disk_fault fault = disk_strike(disk, DISK_READ, &error);
  if (error) return error;
  assert(disk->handle[handle].open);
  const disk_file *file = &disk->file[disk->handle[handle].file];
  size_t position = disk->handle[handle].position;
  size_t left = position < file->size ? file->size - position : 0;
  *got = size < left ? size : left;
  if (fault == FAULT_SHORT && *got > 1) *got = (*got - 1) / 2 + 1;
  if (*got > 0) memcpy(bytes, file->bytes + position, *got);
  if (fault == FAULT_FLIP && *got > 0) ((unsigned char *)bytes)[*got / 2] ^= 0x10;
  disk->handle[handle].position += *got;
  return 0;
}

static inline int disk_seek(void *context, int handle, uint64_t offset)
{
  memory_disk *disk = context;
  int error;
  disk_strike(disk, DISK_SEEK, &error);
  if (!error) disk->handle[handle].position = (size_t)offset;
  return error;
}

static inline int disk_size(void *context, int handle, uint64_t *size)
{
  memory_disk *disk = context;
  int error;
  disk_strike(disk, DISK_SIZE, &error);
  if (!error) *size = disk->file[disk->handle[handle].file].size;
  return error;
}

static inline int disk_flush(void *context, int handle)
{
  memory_disk *disk = context;
  int error;
  disk_strike(disk, DISK_FLUSH, &error);
  if (error) return error;
  disk_file *file = &disk->file[disk->handle[handle].file];
  free(file->safe);
  file->safe = malloc(file->size + 1);
  assert(file->safe);
  memcpy(file->safe, file->bytes, file->size);
  file->safe_size = file->size;
  return 0;
}

/* Closing frees the handle even where it reports an error, as close() does. */
static inline int disk_close(void *context, int handle)
{
  memory_disk *disk = context;
  int error;
  disk_strike(disk, DISK_CLOSE, &error);
  assert(disk->handle[handle].open);
  disk->handle[handle].open = false;
  return error;
}

static inline int disk_rename(void *context, const char *from, const char *to)
{
  memory_disk *disk = context;
  int error;
  disk_strike(disk, DISK_RENAME, &error);
  if (error) return error;
  disk_name *entry = disk_find(disk->name, from);
  if (!entry) return ENOENT;
  disk_change_name(disk, from, to, entry->file);
  return 0;
}

static inline int disk_remove(void *context, const char *path)
{
  memory_disk *disk = context;
  int error;
  disk_strike(disk, DISK_REMOVE, &error);
  if (error) return error;
  disk_name *entry = disk_find(disk->name, path);
  if (!entry) return ENOENT;
  disk_change_name(disk, path, "", entry->file);
  return 0;
}

static inline int disk_flush_folder(void *context, const char *path)
{
  memory_disk *disk = context;
  (void)path;
  int error;
  disk_strike(disk, DISK_FLUSH_FOLDER, &error);
  if (error) return error;
  memcpy(disk->safe_name, disk->name, sizeof disk->name);
  disk->change_count = 0;
  return 0;
}

/* All names are of one folder. */
static inline int disk_list(void *context, const char *path, int (*found)(void *seeker, const char *name),
                            void *seeker)
{
  memory_disk *disk = context;
  (void)path;
  int error;
  disk_strike(disk, DISK_LIST, &error);
  for (int k = 0; k < DISK_NAMES && !error; k++)
    if (disk->name[k].used && found(seeker, disk->name[k].text)) break;
  return error;
}

/* One process writes at a time, so whatever is left has no writer. */
static inline bool disk_is_guarded(void *context, const char *path)
{
  (void)context;
  (void)path;
  return false;
}

static inline void disk_token(void *context, char text[FILE_TOKEN_SIZE])
{
  (void)context;
  snprintf(text, FILE_TOKEN_SIZE, "1-0badcafe");
}

/* How many temporary files there are. */
static inline int disk_temporaries(const memory_disk *disk)
{
  int count = 0;
  for (int k = 0; k < DISK_NAMES; k++) count += disk->name[k].used && strstr(disk->name[k].text, ".new");
  return count;
}

static inline void disk_init(memory_disk *disk)
{
  memset(disk, 0, sizeof *disk);
  disk->layer = (file_layer){.context = disk,
                             .open_new = disk_open_new,
                             .open_read = disk_open_read,
                             .write = disk_write,
                             .read = disk_read,
                             .seek = disk_seek,
                             .size = disk_size,
                             .flush = disk_flush,
                             .close = disk_close,
                             .rename = disk_rename,
                             .remove = disk_remove,
                             .flush_folder = disk_flush_folder,
                             .list = disk_list,
                             .is_guarded = disk_is_guarded,
                             .remove_left = disk_remove,
                             .token = disk_token};
}

static inline void disk_free(memory_disk *disk)
{
  for (int k = 0; k < disk->file_count; k++) {
    free(disk->file[k].bytes);
    free(disk->file[k].safe);
  }
}

/* Puts a file there as it is, flushed and all. */
static inline void disk_place(memory_disk *disk, const char *path, const void *bytes, size_t size)
{
  disk_name *entry = disk_find(disk->name, path);
  int index = entry ? entry->file : disk_new_file(disk);
  disk_file *file = &disk->file[index];
  file->size = 0;
  if (size > 0) disk_put(file, 0, bytes, size);
  free(file->safe);
  file->safe = malloc(size + 1);
  assert(file->safe);
  if (size > 0) memcpy(file->safe, bytes, size);
  file->safe_size = size;
  disk_set(disk->name, path, index);
  disk_set(disk->safe_name, path, index);
}

static inline const disk_file *disk_get(memory_disk *disk, const char *path)
{
  disk_name *entry = disk_find(disk->name, path);
  return entry ? &disk->file[entry->file] : NULL;
}

/* The power goes: of the pending changes of names the first `changes` reached the disk, and of bytes that
 * were never flushed either all or none. Then it comes back. */
static inline void disk_lose_power(memory_disk *disk, int changes, bool bytes_too)
{
  assert(changes <= disk->change_count);
  memcpy(disk->name, disk->safe_name, sizeof disk->name);
  for (int k = 0; k < changes; k++) disk_apply(disk->name, &disk->change[k]);
  memcpy(disk->safe_name, disk->name, sizeof disk->name);
  disk->change_count = 0;
  for (int k = 0; k < disk->file_count && !bytes_too; k++) {
    disk_file *file = &disk->file[k];
    file->size = 0;
    if (file->safe_size > 0) disk_put(file, 0, file->safe, file->safe_size);
  }
  disk_disarm(disk);
}

#endif
