/*
 * floc_file_*: a checkpoint for programs that look into one without a world. See floc.h.
 *
 * A file carries its own environment, on malloc and one thread.
 */
#include "files/file_api.h"

#include "base/mathematics/version.h"
#include "base/numbers/float_environment.h"
#include "base/structs.h"
#include "files/checkpoint/checkpoint.h"
#include "files/new_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct floc_file {
  environment env;
  checkpoint *content;
  char *path;
};

static void tell(char *message, size_t message_size, const char *text)
{
  if (message && message_size > 0) snprintf(message, message_size, "%s", text);
}

static environment plain_environment(void)
{
  return (environment){.allocate = default_allocate, .threads = 1};
}

/* FLOC_OK, or the refusal with its message. */
static floc_status begin(floc_file **file, char *message, size_t message_size)
{
  FLOAT_DEFAULT;
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
  (*file)->env = plain_environment();
  return FLOC_OK;
}

static floc_status end(floc_status status, floc_file **file, char *message, size_t message_size)
{
  if (status == FLOC_OK) {
    checkpoint_sort_rows((*file)->content);
    return FLOC_OK;
  }
  tell(message, message_size, (*file)->env.message);
  floc_file_close(*file);
  *file = NULL;
  return status;
}

floc_status floc_file_open(const char *path, floc_file **file, char *message, size_t message_size)
{
  floc_status status = begin(file, message, message_size);
  if (status != FLOC_OK) return status;
  environment *env = &(*file)->env;
  status = checkpoint_open(env, file_layer_system(), path, &(*file)->content);
  if (status == FLOC_OK) status = file_name(env, path, "", &(*file)->path);
  return end(status, file, message, message_size);
}

/* A line for each, as many as fit. */
static void tell_refusals(const checkpoint_choice *choice, char *message, size_t message_size)
{
  size_t used = 0;
  for (int32_t k = 0; k < choice->refused_count && message && used < message_size; k++) {
    int length =
        snprintf(message + used, message_size - used, "%s%s", k > 0 ? "\n" : "", choice->refused[k].message);
    used += length > 0 ? (size_t)length : 0;
  }
}

floc_status floc_file_open_newest(const char *path, floc_file **file, char *message, size_t message_size)
{
  floc_status status = begin(file, message, message_size);
  if (status != FLOC_OK) return status;
  checkpoint_choice choice;
  status = checkpoint_newest_valid(&(*file)->env, file_layer_system(), path, &(*file)->content, &choice);
  if (status == FLOC_OK) {
    tell_refusals(&choice, message, message_size);
    (*file)->path = choice.taken;
    choice.taken = NULL;
  }
  checkpoint_choice_free(&choice);
  return end(status, file, message, message_size);
}

const char *floc_file_path(const floc_file *file)
{
  return file ? file->path : NULL;
}

void floc_file_close(floc_file *file)
{
  if (!file) return;
  checkpoint_close(file->content);
  file_name_free(&file->env, file->path);
  free(file);
}

floc_status floc_checkpoint_may_replace(const char *path, char *message, size_t message_size)
{
  environment env = plain_environment();
  tell(message, message_size, "");
  floc_status status = path && *path ? checkpoint_is_replaceable(&env, file_layer_system(), path)
                                     : refuse(&env, FLOC_INVALID_ARGUMENT, "path is empty; it must name a file");
  if (status == FLOC_NOT_FOUND) return FLOC_OK;
  tell(message, message_size, status == FLOC_OK ? "" : env.message);
  return status;
}

int32_t floc_file_section_count(const floc_file *file)
{
  return file ? checkpoint_sections(file->content)->count : 0;
}

const section *file_section(const floc_file *file, int32_t index)
{
  if (!file || index < 0 || index >= floc_file_section_count(file)) return NULL;
  return &checkpoint_sections(file->content)->item[index];
}

const section_list *file_sections(const floc_file *file)
{
  return checkpoint_sections(file->content);
}

static uint64_t raw_bytes(const section *part)
{
  return part->rows * part->columns * section_type_size(part->type);
}

floc_status floc_file_section(const floc_file *file, int32_t index, floc_section_info *info)
{
  if (!file) return FLOC_INVALID_ARGUMENT;
  environment unheard = {0};
  FILL_RESULT(&unheard, section_info, info);
  const section *part = file_section(file, index);
  if (!part) return FLOC_NOT_FOUND;
  *info = (floc_section_info){.struct_size = sizeof *info,
                              .rows = part->rows,
                              .columns = part->columns,
                              .raw_bytes = raw_bytes(part),
                              .stored_bytes = checkpoint_stored_bytes(file->content, index),
                              .crc32 = checkpoint_crc32(file->content, index),
                              .is_state = part->is_state};
  memcpy(info->name, part->name, sizeof info->name);
  memcpy(info->type, part->type, sizeof info->type);
  return FLOC_OK;
}

floc_status floc_file_read(const floc_file *file, int32_t index, void *bytes, size_t capacity)
{
  if (!file) return FLOC_INVALID_ARGUMENT;
  const section *part = file_section(file, index);
  if (!part) return FLOC_NOT_FOUND;
  uint64_t size = raw_bytes(part);
  if (capacity < size || (!bytes && size > 0)) return FLOC_INVALID_ARGUMENT;
  if (size > 0) memcpy(bytes, part->data, (size_t)size);
  return FLOC_OK;
}

floc_status floc_file_mathematics(const floc_file *file, uint64_t *written, uint64_t *here)
{
  if (!file || !written || !here) return FLOC_INVALID_ARGUMENT;
  FLOAT_DEFAULT;
  *here = mathematics_version();
  return mathematics_of_sections(checkpoint_sections(file->content), written) ? FLOC_OK : FLOC_NOT_FOUND;
}

floc_status floc_file_hash(const floc_file *file, uint64_t *hash)
{
  if (!file || !hash) return FLOC_INVALID_ARGUMENT;
  *hash = section_list_hash(checkpoint_sections(file->content));
  return FLOC_OK;
}
