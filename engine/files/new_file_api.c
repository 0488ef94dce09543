/*
 * floc_new_file_*: complete files of other parts of a program, by the routine that checkpoints go through. See
 * floc.h.
 *
 * A file carries its own environment, on malloc.
 */
#include "files/new_file.h"

#include <stdio.h>
#include <stdlib.h>

struct floc_new_file {
  environment env;
  char *path;
  new_file made;
};

static void tell(char *message, size_t message_size, const char *text)
{
  if (message && message_size > 0) snprintf(message, message_size, "%s", text);
}

static void free_all(floc_new_file *file)
{
  if (file->made.file.env) new_file_end(&file->made);
  file_name_free(&file->env, file->path);
  free(file);
}

floc_status floc_new_file_create(const char *path, floc_new_file **file, char *message, size_t message_size)
{
  tell(message, message_size, "");
  if (!file) {
    tell(message, message_size, "file is NULL; it must point to the result");
    return FLOC_INVALID_ARGUMENT;
  }
  *file = calloc(1, sizeof **file);
  if (!*file) {
    tell(message, message_size, "out of memory");
    return FLOC_OUT_OF_MEMORY;
  }
  floc_new_file *self = *file;
  self->env = (environment){.allocate = default_allocate, .threads = 1};
  floc_status status = file_name(&self->env, path, "", &self->path);
  if (status == FLOC_OK) status = new_file_create(&self->env, file_layer_system(), self->path, &self->made);
  if (status == FLOC_OK) return FLOC_OK;
  tell(message, message_size, self->env.message);
  free_all(self);
  *file = NULL;
  return status;
}

int floc_new_file_descriptor(const floc_new_file *file)
{
  return file ? file->made.file.handle : -1; /* the system's layer has descriptors for handles */
}

const char *floc_new_file_name(const floc_new_file *file)
{
  return file ? file->made.temporary : NULL;
}

floc_status floc_new_file_finish(floc_new_file *file, char *message, size_t message_size)
{
  tell(message, message_size, file ? "" : "file is NULL");
  if (!file) return FLOC_INVALID_ARGUMENT;
  floc_status status = new_file_close(&file->made);
  if (status == FLOC_OK) status = new_file_place(&file->made);
  if (status != FLOC_OK) tell(message, message_size, file->env.message);
  free_all(file);
  return status;
}

void floc_new_file_abandon(floc_new_file *file)
{
  if (file) free_all(file);
}
