/*
 * Replacing a file by a new one, with older ones kept under numbers. See new_file.h.
 *
 * Rotation moves the newest files up by one number as far as the first number that is free, and one
 * further than `keep` asks for, so that nothing is overwritten before the new file has its name and the
 * folder is flushed; then the surplus goes. Every step before that can be taken back.
 */
#include "files/new_file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SUFFIX_SIZE = 16 };

/* Two names of neighbouring numbers, in memory that is taken once, so that no allocation can fail between
 * two renames. */
typedef struct rotation {
  environment *env;
  const file_layer *layer;
  const char *path;
  size_t name_size;
  char *lower, *upper;
} rotation;

static floc_status rotation_init(rotation *turn, const open_file *file)
{
  *turn = (rotation){.env = file->env, .layer = file->layer, .path = file->path};
  turn->name_size = strlen(file->path) + SUFFIX_SIZE;
  turn->lower = memory_resize(turn->env, NULL, 0, turn->name_size);
  if (turn->lower) turn->upper = memory_resize(turn->env, NULL, 0, turn->name_size);
  if (turn->upper) return FLOC_OK;
  memory_free(turn->env, turn->lower, turn->name_size);
  return refuse(turn->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes for a file name were refused",
                turn->name_size);
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

/* How many of the first `most` numbers are taken, without a gap. What is there and is none of ours ends it all. */
static floc_status count_occupied(const rotation *turn, int32_t most, file_test *is_ours, int32_t *count)
{
  floc_status status = FLOC_OK;
  for (*count = 0; *count < most && status == FLOC_OK; *count += status == FLOC_OK)
    status = is_ours(turn->env, turn->layer, numbered(turn, turn->lower, *count));
  return status == FLOC_NOT_FOUND ? FLOC_OK : status;
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

static void remove_surplus(const rotation *turn, int32_t keep, file_test *is_ours)
{
  for (int32_t number = keep;; number++) {
    const char *name = numbered(turn, turn->upper, number);
    if (is_ours(turn->env, turn->layer, name) != FLOC_OK) return;
    if (turn->layer->remove(turn->layer->context, name) != 0) return;
  }
}

static floc_status flush_folder(const open_file *file)
{
  int error = file->layer->flush_folder(file->layer->context, file->path);
  if (!error) return FLOC_OK;
  return file_refused(file->env, file->path,
                      "flushed to the disk with its folder, although the new file is in place", error);
}

static floc_status remove_one(const open_file *file, const char *suffix)
{
  char *name;
  floc_status status = file_name(file->env, file->path, suffix, &name);
  if (status != FLOC_OK) return status;
  int error = file->layer->remove_left(file->layer->context, name);
  if (error && error != ENOENT && error != EBUSY)
    status = file_refused(file->env, name, "removed, although the run that wrote it has ended", error);
  file_name_free(file->env, name);
  return status;
}

/* What dead writers left is older than the new file, and would count as newer than it once that has its place. The
 * new one's name is made safe first. */
static floc_status remove_left(const new_file *made)
{
  const open_file *file = &made->file;
  const char *own = made->temporary + strlen(file->path);
  file_companions all;
  floc_status status = file_companions_find(file->env, file->layer, file->path, &all);
  bool is_first = true;
  for (int32_t k = 0; k < all.count && status == FLOC_OK && all.item[k].rank < 0; k++) {
    if (strcmp(all.item[k].suffix, own) == 0) continue;
    int error = is_first ? file->layer->flush_folder(file->layer->context, file->path) : 0;
    is_first = false;
    status = error ? file_refused(file->env, file->path, "flushed to the disk with its folder", error)
                   : remove_one(file, all.item[k].suffix);
  }
  file_companions_free(&all);
  return status;
}

static floc_status take_place(new_file *made)
{
  const open_file *file = &made->file;
  int error = file->layer->rename(file->layer->context, made->temporary, file->path);
  if (error) return file_refused(file->env, file->path, "replaced by the new file", error);
  made->is_there = false;
  return FLOC_OK;
}

floc_status new_file_rotate(new_file *made, int32_t keep, file_test *is_ours)
{
  assert(keep >= 1);
  rotation turn;
  floc_status status = rotation_init(&turn, &made->file);
  if (status != FLOC_OK) return status;
  int32_t occupied; /* with the number that the last one would move to */
  status = count_occupied(&turn, keep > 1 ? keep + 1 : 1, is_ours, &occupied);
  if (status == FLOC_OK) status = remove_left(made);
  if (keep == 1) occupied = 0;
  if (occupied > keep) occupied = keep;
  if (status == FLOC_OK) status = move_up(&turn, occupied);
  if (status == FLOC_OK) {
    status = take_place(made);
    if (status != FLOC_OK) take_back(&turn, 0, occupied);
  }
  if (status == FLOC_OK) status = flush_folder(&made->file);
  if (status == FLOC_OK) remove_surplus(&turn, keep, is_ours);
  rotation_free(&turn);
  return status;
}

floc_status new_file_place(new_file *made)
{
  floc_status status = remove_left(made);
  if (status == FLOC_OK) status = take_place(made);
  return status == FLOC_OK ? flush_folder(&made->file) : status;
}
