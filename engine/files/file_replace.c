/*
 * Replacing a file by a new one, with older ones kept under numbers. See file_layer.h.
 *
 * Rotation moves the newest files up by one number as far as the first number that is free, and one
 * further than `keep` asks for, so that nothing is overwritten before the new file has its name and the
 * folder is flushed; then the surplus goes. Every step before that can be taken back.
 */
#include "files/file_layer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SUFFIX_SIZE = 16 };

static floc_status name_with_suffix(environment *env, const char *path, const char *suffix, char **name)
{
  *name = NULL;
  if (!path || !*path) return refuse(env, FLOC_INVALID_ARGUMENT, "path is empty; it must name a file");
  size_t size = strlen(path) + strlen(suffix) + 1;
  char *made = memory_resize(env, NULL, 0, size);
  if (!made) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes for a file name were refused", size);
  snprintf(made, size, "%s%s", path, suffix);
  *name = made;
  return FLOC_OK;
}

floc_status file_temporary_name(environment *env, const char *path, char **name)
{
  return name_with_suffix(env, path, ".new", name);
}

floc_status file_numbered_name(environment *env, const char *path, int32_t number, char **name)
{
  char suffix[SUFFIX_SIZE] = "";
  if (number > 0) snprintf(suffix, sizeof suffix, ".%d", (int)number);
  return name_with_suffix(env, path, suffix, name);
}

void file_name_free(environment *env, char *name)
{
  if (name) memory_free(env, name, strlen(name) + 1);
}

/* Two names of neighbouring numbers, in memory that is taken once, so that no allocation can fail between
 * two renames. */
typedef struct rotation {
  environment *env;
  const file_layer *layer;
  const char *path;
  size_t name_size;
  char *lower, *upper;
} rotation;

static floc_status rotation_init(rotation *turn, environment *env, const file_layer *layer, const char *path)
{
  *turn = (rotation){.env = env, .layer = layer, .path = path, .name_size = strlen(path) + SUFFIX_SIZE};
  turn->lower = memory_resize(env, NULL, 0, turn->name_size);
  if (turn->lower) turn->upper = memory_resize(env, NULL, 0, turn->name_size);
  if (turn->upper) return FLOC_OK;
  memory_free(env, turn->lower, turn->name_size);
  return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes for a file name were refused", turn->name_size);
}

static void rotation_free(rotation *turn)
{
  memory_free(turn->env, turn->lower, turn->name_size);
  memory_free(turn->env, turn->upper, turn->name_size);
}

static const char *numbered(const rotation *turn, char *name, int32_t number)
{
  if (number == 0)
    snprintf(name, turn->name_size, "%s", turn->path);
  else
    snprintf(name, turn->name_size, "%s.%d", turn->path, (int)number);
  return name;
}

/* What cannot be opened for another reason than its absence is there, and must not be lost. */
static bool is_there(const rotation *turn, int32_t number)
{
  int handle;
  int error = turn->layer->open_read(turn->layer->context, numbered(turn, turn->lower, number), &handle);
  if (!error) turn->layer->close(turn->layer->context, handle);
  return error != ENOENT;
}

static int move(const rotation *turn, int32_t from, int32_t to)
{
  return turn->layer->rename(turn->layer->context, numbered(turn, turn->lower, from),
                             numbered(turn, turn->upper, to));
}

/* Undoes the moves of numbers first .. count-1. */
static void take_back(const rotation *turn, int32_t first, int32_t count)
{
  for (int32_t number = first; number < count; number++) move(turn, number + 1, number);
}

/* Moves numbers 0 .. count-1 up by one, the highest first. */
static floc_status move_up(const rotation *turn, int32_t count)
{
  for (int32_t number = count - 1; number >= 0; number--) {
    int error = move(turn, number, number + 1);
    if (!error) continue;
    floc_status status = file_refused(turn->env, turn->lower, "renamed to the next number", error);
    take_back(turn, number + 1, count);
    return status;
  }
  return FLOC_OK;
}

static floc_status replace_newest(environment *env, const file_layer *layer, const char *temporary,
                                  const char *path)
{
  int error = layer->rename(layer->context, temporary, path);
  return error ? file_refused(env, path, "replaced by the new file", error) : FLOC_OK;
}

static floc_status flush_folder(environment *env, const file_layer *layer, const char *path)
{
  int error = layer->flush_folder(layer->context, path);
  if (!error) return FLOC_OK;
  return file_refused(env, path, "made safe by a flush of its folder, although the new file is in place", error);
}

floc_status file_rotate_into_place(environment *env, const file_layer *layer, const char *temporary,
                                   const char *path, int32_t keep)
{
  assert(keep >= 1);
  rotation turn;
  floc_status status = rotation_init(&turn, env, layer, path);
  if (status != FLOC_OK) return status;
  int32_t occupied = 0;
  if (keep > 1)
    while (occupied < keep && is_there(&turn, occupied)) occupied++;
  status = move_up(&turn, occupied);
  if (status == FLOC_OK) {
    status = replace_newest(env, layer, temporary, path);
    if (status != FLOC_OK) take_back(&turn, 0, occupied);
  }
  if (status == FLOC_OK) status = flush_folder(env, layer, path);
  if (status == FLOC_OK)
    for (int32_t number = keep; layer->remove(layer->context, numbered(&turn, turn.upper, number)) == 0;) number++;
  rotation_free(&turn);
  return status;
}

floc_status file_replace(environment *env, const file_layer *layer, const char *temporary, const char *path)
{
  floc_status status = replace_newest(env, layer, temporary, path);
  return status == FLOC_OK ? flush_folder(env, layer, path) : status;
}

static floc_status write_and_close(environment *env, const file_layer *layer, const char *temporary,
                                   const void *bytes, size_t size)
{
  open_file file;
  floc_status status = file_create(env, layer, temporary, &file);
  if (status != FLOC_OK) return status;
  status = file_write(&file, bytes, size);
  if (status == FLOC_OK) status = file_flush(&file);
  if (status != FLOC_OK)
    layer->close(layer->context, file.handle);
  else
    status = file_close(&file);
  if (status != FLOC_OK) layer->remove(layer->context, temporary);
  return status;
}

floc_status file_write_atomic(environment *env, const file_layer *layer, const char *path, const void *bytes,
                              size_t size)
{
  if (!bytes && size > 0) return refuse(env, FLOC_INVALID_ARGUMENT, "bytes is NULL; size is %zu", size);
  char *temporary;
  floc_status status = file_temporary_name(env, path, &temporary);
  if (status != FLOC_OK) return status;
  status = write_and_close(env, layer, temporary, bytes, size);
  if (status == FLOC_OK) {
    status = file_replace(env, layer, temporary, path);
    if (status != FLOC_OK) layer->remove(layer->context, temporary); /* no longer there if only the flush failed */
  }
  file_name_free(env, temporary);
  return status;
}
