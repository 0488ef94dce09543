/*
 * File operations of the engine, through a table of functions, so that tests can make any of them fail
 * and a fuzzer can keep its files in memory. On top of the table: files that are written whole under a
 * temporary name and only then take the place of the old one (new_file.h).
 */
#ifndef FLOC_FILES_FILE_LAYER_H
#define FLOC_FILES_FILE_LAYER_H

#include "base/environment.h"

enum { FILE_TOKEN_SIZE = 24 };

/* Positions in an open file are kept by the layer. All return 0 or an errno value. */
typedef struct file_layer {
  void *context;
  /* Makes a file that is not there: EEXIST if anything has the name, a link too. *guard is a second handle, closed
   * like the first, or -1: as long as it is open, others see that the file's writer lives. */
  int (*open_new)(void *context, const char *path, int *handle, int *guard);
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
  /* Names of all that is in the folder that holds path, in any order, until found gives other than 0. */
  int (*list)(void *context, const char *path, int (*found)(void *seeker, const char *name), void *seeker);
  /* A file of open_new, by its name: does its writer live? */
  bool (*is_guarded)(void *context, const char *path);
  /* Removes it if not; EBUSY if so. */
  int (*remove_left)(void *context, const char *path);
  /* Text that no other process puts into the names of its temporary files: "process-random". */
  void (*token)(void *context, char text[FILE_TOKEN_SIZE]);
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

#endif
