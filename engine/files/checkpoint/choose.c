/*
 * The newest valid checkpoint. See checkpoint.h.
 */
#include "files/checkpoint/checkpoint.h"
#include "files/checkpoint/format.h"
#include "files/new_file.h"

#include <stdio.h>
#include <string.h>

/* Takes over the name. */
static floc_status note_refusal(checkpoint_choice *choice, char *name, floc_status refused)
{
  environment *env = choice->env;
  checkpoint_refusal noted = {.path = name, .status = refused};
  snprintf(noted.message, sizeof noted.message, "%s", env->message);
  floc_status status = array_reserve(env, (void **)&choice->refused, &choice->capacity,
                                     (size_t)choice->refused_count + 1, sizeof *choice->refused);
  if (status != FLOC_OK) {
    file_name_free(env, name);
    return status;
  }
  choice->refused[choice->refused_count++] = noted;
  return FLOC_OK;
}

/* A temporary file that is still written belongs to a run that lives. */
static bool is_being_written(const file_layer *layer, const char *name, int64_t rank)
{
  return rank < 0 && layer->is_guarded(layer->context, name);
}

/* FLOC_OK, without a file, means that the search continues. */
static floc_status try_candidate(checkpoint_choice *choice, const file_layer *layer, const char *path,
                                 const file_companion *one, checkpoint **file)
{
  char *name;
  floc_status status = file_name(choice->env, path, one->suffix, &name);
  if (status != FLOC_OK) return status;
  status =
      is_being_written(layer, name, one->rank) ? FLOC_NOT_FOUND : checkpoint_open(choice->env, layer, name, file);
  if (status == FLOC_OK) {
    choice->taken = name;
    return FLOC_OK;
  }
  if (status != FLOC_OUT_OF_MEMORY && status != FLOC_NOT_FOUND) return note_refusal(choice, name, status);
  file_name_free(choice->env, name);
  return status == FLOC_NOT_FOUND ? FLOC_OK : status;
}

static floc_status report_none(const checkpoint_choice *choice, const char *path)
{
  const char *shown = file_shown_path(path);
  if (choice->refused_count == 0)
    return refuse(choice->env, FLOC_NOT_FOUND, "%s: there is no such file, nor an older one", shown);
  const checkpoint_refusal *newest = &choice->refused[0];
  char reason[MESSAGE_SIZE];
  snprintf(reason, sizeof reason, "%s", newest->message);
  if (choice->refused_count == 1) return refuse(choice->env, newest->status, "%s", reason);
  return refuse(choice->env, newest->status, "none of %d files can be read; of the newest: %s",
                (int)choice->refused_count, reason);
}

floc_status checkpoint_newest_valid(environment *env, const file_layer *layer, const char *path, checkpoint **file,
                                    checkpoint_choice *choice)
{
  *file = NULL;
  *choice = (checkpoint_choice){.env = env};
  file_companions all;
  floc_status status = file_companions_find(env, layer, path, &all);
  for (int32_t k = 0; k < all.count && status == FLOC_OK && !*file; k++)
    status = try_candidate(choice, layer, path, &all.item[k], file);
  file_companions_free(&all);
  return status == FLOC_OK && !*file ? report_none(choice, path) : status;
}

floc_status checkpoint_is_replaceable(environment *env, const file_layer *layer, const char *path)
{
  open_file file;
  char magic[sizeof((file_header *)0)->magic];
  floc_status status = file_open(env, layer, path, &file);
  if (status != FLOC_OK) return status;
  status = file_read(&file, magic, sizeof magic);
  layer->close(layer->context, file.handle);
  if (status == FLOC_FILE_ERROR) return status;
  if (status == FLOC_OK && memcmp(magic, FORMAT_MAGIC, sizeof magic) == 0) return FLOC_OK;
  return refuse(
      env, FLOC_FILE_ERROR,
      "%s: cannot be replaced by the new file, because it is not a checkpoint; move it or choose another name",
      file_shown_path(path));
}

void checkpoint_choice_free(checkpoint_choice *choice)
{
  for (int32_t k = 0; k < choice->refused_count; k++) file_name_free(choice->env, choice->refused[k].path);
  array_free(choice->env, (void **)&choice->refused, &choice->capacity, sizeof *choice->refused);
  file_name_free(choice->env, choice->taken);
  choice->taken = NULL;
  choice->refused_count = 0;
}
