/*
 * File operations of the engine, through a table of functions, so that tests can make any of them fail
 * and a fuzzer can keep its files in memory. On top of the table: files that are written whole under a
 * temporary name and only then take the place of the old one.
 *
 * How a file is replaced: the temporary file path.new is written in the same folder and flushed to the
 * disk; then it is renamed to path, and the folder is flushed. A crash at any moment leaves the old file
 * or the new one under the name, never half of one.
 */
#ifndef FLOC_FILES_FILE_LAYER_H
#define FLOC_FILES_FILE_LAYER_H

#include "base/environment.h"

/* Positions in an open file are kept by the layer. All return 0 or an errno value. */
typedef struct file_layer {
  void *context;
  int (*open_write)(void *context, const char *path, int *handle); /* create, truncate */
  int (*open_read)(void *context, const char *path, int *handle);
  /* May write less than size; then *written says how much. */
  int (*write)(void *context, int handle, const void *bytes, size_t size, size_t *written);
  /* May read less than size; *got is 0 at the end of the file. */
  int (*read)(void *context, int handle, void *bytes, size_t size, size_t *got);
  int (*seek)(void *context, int handle, uint64_t offset);
  int (*size)(void *context, int handle, uint64_t *size);
  int (*flush)(void *context, int handle); /* to the disk */
  int (*close)(void *context, int handle);
  int (*rename)(void *context, const char *from, const char *to);
  int (*remove)(void *context, const char *path);
  int (*flush_folder)(void *context, const char *path); /* the folder that holds path */
  /* Later reads look at the disk, past the system's copy, as long as they keep to whole pages. A wish; may be NULL.
   */
  void (*pass_cache)(void *context, int handle);
} file_layer;

/* The operating system's files. */
const file_layer *file_layer_system(void);

/* One open file with what its messages need. The functions below return FLOC_OK, FLOC_NOT_FOUND (only
 * file_open: no such file), FLOC_FILE_ERROR, or FLOC_DAMAGED_FILE (shorter than what is to be read), and
 * say in the environment's message which file could not be what, and why. */
typedef struct open_file {
  environment *env;
  const file_layer *layer;
  const char *path; /* owned by the caller */
  int handle;
  uint64_t offset; /* where the next byte goes, or comes from */
} open_file;

floc_status file_create(environment *env, const file_layer *layer, const char *path, open_file *file);
floc_status file_open(environment *env, const file_layer *layer, const char *path, open_file *file);
floc_status file_write(open_file *file, const void *bytes, size_t size);
floc_status file_read(open_file *file, void *bytes, size_t size);
/* At least `least` bytes and at most `most`, in whatever pieces they come; *got gets how many. */
floc_status file_read_between(open_file *file, void *bytes, size_t least, size_t most, size_t *got);
void file_pass_cache(open_file *file);
floc_status file_seek(open_file *file, uint64_t offset);
floc_status file_size(open_file *file, uint64_t *size);
floc_status file_flush(open_file *file);
floc_status file_close(open_file *file);

/* The part of a path that messages show: all of it, or its end where it is very long. */
const char *file_shown_path(const char *path);
/* Says that the system refused to do something to a file: "run.floc: cannot be <what>: <reason>". Returns
 * FLOC_FILE_ERROR. */
floc_status file_refused(environment *env, const char *path, const char *what, int error);

/* A name made from a path; free it with file_name_free. The temporary name is path.new; number 0 is path
 * itself, number 1 path.1 and so on. FLOC_INVALID_ARGUMENT if path is NULL or empty. */
floc_status file_temporary_name(environment *env, const char *path, char **name);
floc_status file_numbered_name(environment *env, const char *path, int32_t number, char **name);
void file_name_free(environment *env, char *name);

/* Gives a finished and flushed file its name. keep >= 1 files stay: path becomes path.1, path.1 becomes
 * path.2 and so on; what has a number of keep or more is removed at the end. When a rename fails, the
 * earlier ones are taken back. */
floc_status file_rotate_into_place(environment *env, const file_layer *layer, const char *temporary,
                                   const char *path, int32_t keep);

/* The same without older files: temporary becomes path, and the folder is flushed. */
floc_status file_replace(environment *env, const file_layer *layer, const char *temporary, const char *path);

/* Writes a whole file so that path holds either what it held before or all of the bytes. */
floc_status file_write_atomic(environment *env, const file_layer *layer, const char *path, const void *bytes,
                              size_t size);

#endif
