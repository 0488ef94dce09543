/*
 * The checkpoint file: named sections of numbers, compressed and checked, written so that either the
 * old or the new file is whole at any moment. docs/checkpoint.md is the specification.
 *
 * File operations go through a table of functions (file_layer), so that tests can make any of them fail.
 */
#ifndef FLOC_FILES_CHECKPOINT_H
#define FLOC_FILES_CHECKPOINT_H

#include "base/section.h"

/* Positions in an open file are kept by the layer. All return 0 or an errno value. */
typedef struct file_layer {
  void *context;
  int (*open_write)(void *context, const char *path, int *handle);   /* create, truncate */
  int (*open_read)(void *context, const char *path, int *handle);
  int (*write)(void *context, int handle, const void *bytes, size_t size, size_t *written);
  int (*read)(void *context, int handle, void *bytes, size_t size, size_t *got);
  int (*seek)(void *context, int handle, uint64_t offset);
  int (*size)(void *context, int handle, uint64_t *size);
  int (*flush)(void *context, int handle);                           /* to the disk */
  int (*close)(void *context, int handle);
  int (*rename)(void *context, const char *from, const char *to);
  int (*remove)(void *context, const char *path);
  int (*flush_folder)(void *context, const char *path);              /* the folder that holds path */
} file_layer;

/* The operating system's files. */
const file_layer *file_layer_system(void);

/* Writes all sections to path (see floc_world_save for how). The old file stays untouched on failure. */
floc_status checkpoint_write(environment *env, const file_layer *layer, const char *path, int32_t keep,
                             const section_list *sections);

/* An open, fully checked file. */
typedef struct checkpoint checkpoint;
floc_status checkpoint_open(environment *env, const file_layer *layer, const char *path, checkpoint **file);
void checkpoint_close(checkpoint *file);
/* All sections in the order of writing, data included (decompressed, owned by the checkpoint). */
const section_list *checkpoint_sections(const checkpoint *file);
uint64_t checkpoint_stored_bytes(const checkpoint *file, int32_t index);
uint32_t checkpoint_crc32(const checkpoint *file, int32_t index);

#endif
