/*
 * Files that are written whole under a temporary name and only then take their place: what every file of the
 * library that replaces another goes through.
 *
 * The temporary file of path is path.new-N-PROCESS-RANDOM in the same folder. It is made where nothing had the
 * name, and guarded by its writer until it has its place. N is one more than the greatest number of a temporary
 * file of path that is there. A temporary file without a living writer is what a crash left; if it is valid, it is
 * newer than path: code that replaces path removes such files before the rename, once their own is complete and on
 * the disk. path.new, as versions before these names left it, counts as number 0.
 */
#ifndef FLOC_FILES_NEW_FILE_H
#define FLOC_FILES_NEW_FILE_H

#include "files/file_layer.h"

typedef struct new_file {
  open_file file; /* to write to; messages name path */
  char *temporary;
  int guard;
  bool is_open, is_there; /* the handle; the temporary file */
} new_file;

/* path is owned by the caller and must stay. FLOC_INVALID_ARGUMENT if it is NULL or empty. new_file_end follows in
 * any case. */
floc_status new_file_create(environment *env, const file_layer *layer, const char *path, new_file *made);
/* Flushes and closes: the bytes are on the disk. */
floc_status new_file_close(new_file *made);
/* The file takes the place of path, and the folder is flushed. */
floc_status new_file_place(new_file *made);

/* The same, and keep >= 1 files stay: path becomes path.1, path.1 becomes path.2 and so on; what has a number of
 * keep or more is removed at the end. When a rename fails, the earlier ones are taken back. is_ours says whether a
 * file may be moved, replaced and removed; one that may not is refused before anything is moved, and ends the
 * removal. */
typedef floc_status file_test(environment *env, const file_layer *layer, const char *path);
floc_status new_file_rotate(new_file *made, int32_t keep, file_test *is_ours);

/* Removes the temporary file if it did not get its place. */
void new_file_end(new_file *made);

/* path with a suffix, path.number; number 0 is path itself. Free them with file_name_free. */
floc_status file_name(environment *env, const char *path, const char *suffix, char **name);
void file_name_free(environment *env, char *name);

/* ---- the files beside a path ---------------------------------------------------------------------------- */

enum { FILE_SUFFIX_SIZE = 48, FILE_NUMBER_LIMIT = 999999 };

/* rank: below 0 for temporary files (-1 - N), 0 for path itself, above 0 for the older ones (their number). */
typedef struct file_companion {
  int64_t rank;
  char suffix[FILE_SUFFIX_SIZE]; /* what path is followed by */
} file_companion;

typedef struct file_companions {
  environment *env;
  file_companion *item;
  int32_t count;
  size_t capacity;
} file_companions;

/* Those that there are, and path itself in any case, by rank: the newest first. A folder that is not there, or may
 * not be read, has none. Free it in any case. */
floc_status file_companions_find(environment *env, const file_layer *layer, const char *path, file_companions *all);
void file_companions_free(file_companions *all);

#endif
