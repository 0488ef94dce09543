/*
 * Files under their temporary names, and what there is beside a path. See new_file.h.
 */
#include "files/new_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 8 };

/* ---- names -------------------------------------------------------------------------------------------------- */

floc_status file_name(environment *env, const char *path, const char *suffix, char **name)
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

void file_name_free(environment *env, char *name)
{
  if (name) memory_free(env, name, strlen(name) + 1);
}

/* ---- the files beside a path ---------------------------------------------------------------------------- */

/* A number without leading zeros, at most FILE_NUMBER_LIMIT; *next is behind it. -1 if there is none. */
static int64_t read_number(const char *text, const char **next)
{
  int64_t number = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9' && number <= FILE_NUMBER_LIMIT; c++) number = 10 * number + (*c - '0');
  *next = c;
  return c == text || *text == '0' || number > FILE_NUMBER_LIMIT ? -1 : number;
}

/* Whether a suffix is one of ours. */
static bool read_suffix(const char *suffix, int64_t *rank)
{
  static const char fresh[] = ".new";
  const size_t length = sizeof fresh - 1;
  const char *next;
  if (strlen(suffix) >= FILE_SUFFIX_SIZE) return false;
  if (strncmp(suffix, fresh, length) != 0) {
    *rank = suffix[0] == '.' ? read_number(suffix + 1, &next) : -1;
    return *rank > 0 && *next == '\0';
  }
  if (suffix[length] == '\0') {
    *rank = -1;
    return true;
  }
  int64_t number = suffix[length] == '-' ? read_number(suffix + length + 1, &next) : -1;
  *rank = -1 - number;
  return number > 0 && *next == '-' && next[strspn(next, "-0123456789abcdef")] == '\0';
}

typedef struct seeker {
  file_companions *all;
  const char *base; /* the path without its folder */
  floc_status status;
} seeker;

static floc_status add_companion(file_companions *all, const char *suffix, int64_t rank)
{
  floc_status status =
      array_reserve(all->env, (void **)&all->item, &all->capacity, (size_t)all->count + 1, sizeof *all->item);
  if (status != FLOC_OK) return status;
  file_companion *one = &all->item[all->count++];
  one->rank = rank;
  snprintf(one->suffix, sizeof one->suffix, "%s", suffix);
  return FLOC_OK;
}

static int look_at_name(void *context, const char *name)
{
  seeker *self = context;
  size_t length = strlen(self->base);
  int64_t rank;
  if (strncmp(name, self->base, length) != 0 || !read_suffix(name + length, &rank)) return 0;
  self->status = add_companion(self->all, name + length, rank);
  return self->status != FLOC_OK;
}

static int by_rank(const void *a, const void *b)
{
  const file_companion *first = a, *second = b;
  if (first->rank != second->rank) return first->rank < second->rank ? -1 : 1;
  return strcmp(first->suffix, second->suffix);
}

floc_status file_companions_find(environment *env, const file_layer *layer, const char *path, file_companions *all)
{
  *all = (file_companions){.env = env};
  if (!path || !*path) return refuse(env, FLOC_INVALID_ARGUMENT, "path is empty; it must name a file");
  const char *slash = strrchr(path, '/');
  seeker self = {all, slash ? slash + 1 : path, add_companion(all, "", 0)};
  if (self.status != FLOC_OK) return self.status;
  int error = layer->list(layer->context, path, look_at_name, &self);
  if (self.status != FLOC_OK) return self.status;
  if (error && error != ENOENT && error != ENOTDIR && error != EACCES && error != ENAMETOOLONG)
    return file_refused(env, path, "looked for in its folder", error);
  qsort(all->item, (size_t)all->count, sizeof *all->item, by_rank);
  return FLOC_OK;
}

void file_companions_free(file_companions *all)
{
  array_free(all->env, (void **)&all->item, &all->capacity, sizeof *all->item);
  all->count = 0;
}

/* ---- making ------------------------------------------------------------------------------------------------- */

/* The number of the next temporary file of a path. */
static floc_status next_number(new_file *made, int64_t *number)
{
  file_companions all;
  floc_status status = file_companions_find(made->file.env, made->file.layer, made->file.path, &all);
  if (status == FLOC_OK) *number = all.item[0].rank < 0 ? -all.item[0].rank : 1;
  file_companions_free(&all);
  if (status == FLOC_OK && *number > FILE_NUMBER_LIMIT)
    return refuse(made->file.env, FLOC_LIMIT_EXCEEDED, "%s: no number is left for its temporary file",
                  file_shown_path(made->file.path));
  return status;
}

static floc_status try_name(new_file *made, int64_t number, int *error)
{
  const file_layer *layer = made->file.layer;
  char token[FILE_TOKEN_SIZE], suffix[FILE_SUFFIX_SIZE];
  layer->token(layer->context, token);
  snprintf(suffix, sizeof suffix, ".new-%d-%s", (int)number, token);
  floc_status status = file_name(made->file.env, made->file.path, suffix, &made->temporary);
  if (status != FLOC_OK) return status;
  *error = layer->open_new(layer->context, made->temporary, &made->file.handle, &made->guard);
  made->is_open = made->is_there = *error == 0;
  if (*error == 0) return FLOC_OK;
  file_name_free(made->file.env, made->temporary);
  made->temporary = NULL;
  return FLOC_OK;
}

floc_status new_file_create(environment *env, const file_layer *layer, const char *path, new_file *made)
{
  *made = (new_file){.file = {.env = env, .layer = layer, .path = path, .handle = -1}, .guard = -1};
  int64_t number = 1;
  int error = EEXIST;
  floc_status status = next_number(made, &number);
  for (int k = 0; k < TRIES && error == EEXIST && status == FLOC_OK; k++) status = try_name(made, number, &error);
  return status == FLOC_OK && error ? file_refused(env, path, "opened for writing", error) : status;
}

floc_status new_file_close(new_file *made)
{
  floc_status status = file_flush(&made->file);
  if (status != FLOC_OK) return status;
  made->is_open = false;
  return file_close(&made->file);
}

void new_file_end(new_file *made)
{
  const file_layer *layer = made->file.layer;
  if (made->is_open) layer->close(layer->context, made->file.handle);
  if (made->is_there) layer->remove(layer->context, made->temporary);
  if (made->guard >= 0) layer->close(layer->context, made->guard);
  file_name_free(made->file.env, made->temporary);
  *made = (new_file){.file = made->file, .guard = -1};
}
