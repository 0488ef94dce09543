/*
 * The newest checkpoint that is whole. See checkpoint.h.
 */
#include "files/checkpoint.h"

#include <stdio.h>
#include <string.h>

/* The order of search: path, the temporary name, then the numbers. */
static floc_status candidate_name(environment *env, const char *path, int32_t place, char **name)
{
  if (place == 1) return file_temporary_name(env, path, name);
  return file_numbered_name(env, path, place == 0 ? 0 : place - 1, name);
}

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

/* FLOC_OK, without a file, means that the search goes on. */
static floc_status try_candidate(checkpoint_choice *choice, const file_layer *layer, const char *path,
                                 int32_t place, checkpoint **file)
{
  char *name;
  floc_status status = candidate_name(choice->env, path, place, &name);
  if (status != FLOC_OK) return status;
  status = checkpoint_open(choice->env, layer, name, file);
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
  return refuse(choice->env, newest->status, "none of %d files can be read; the newest: %s",
                (int)choice->refused_count, reason);
}

floc_status checkpoint_newest_valid(environment *env, const file_layer *layer, const char *path, int32_t keep,
                                    checkpoint **file, checkpoint_choice *choice)
{
  *file = NULL;
  *choice = (checkpoint_choice){.env = env};
  if (!path || !*path) return refuse(env, FLOC_INVALID_ARGUMENT, "path is empty; it must name a file");
  if (keep < 1 || keep > CHECKPOINT_KEEP_LIMIT)
    return refuse(env, FLOC_INVALID_ARGUMENT, "keep is %d; it must be 1 to %d", (int)keep, CHECKPOINT_KEEP_LIMIT);
  for (int32_t place = 0; place <= keep + 1; place++) {
    floc_status status = try_candidate(choice, layer, path, place, file);
    if (status != FLOC_OK || *file) return status;
  }
  return report_none(choice, path);
}

void checkpoint_choice_free(checkpoint_choice *choice)
{
  for (int32_t k = 0; k < choice->refused_count; k++) file_name_free(choice->env, choice->refused[k].path);
  array_free(choice->env, (void **)&choice->refused, &choice->capacity, sizeof *choice->refused);
  file_name_free(choice->env, choice->taken);
  choice->taken = NULL;
  choice->refused_count = 0;
}
