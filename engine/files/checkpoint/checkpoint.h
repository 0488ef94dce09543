/*
 * The checkpoint file: named sections of numbers, compressed and checked, written so that either the
 * old or the new file is valid at any moment. docs/checkpoint.md is the specification.
 */
#ifndef FLOC_FILES_CHECKPOINT_CHECKPOINT_H
#define FLOC_FILES_CHECKPOINT_CHECKPOINT_H

#include "base/section.h"
#include "files/checkpoint/prediction.h"
#include "files/file_layer.h"

/* Writes all sections to path (see floc_world_save for how): a temporary file (new_file.h) is written, flushed,
 * read back and verified, then renamed; the old files move on to path.1, path.2, ... and `keep` (1 to 1000) stay in
 * all. On failure the temporary file is removed and the old files are as before. What is no checkpoint is neither
 * replaced nor moved nor removed: FLOC_FILE_ERROR. */
floc_status checkpoint_write(environment *env, const file_layer *layer, const char *path, int32_t keep,
                             const section_list *sections);

/* The same with predictions (prediction.h), in the order of sections and of kinds within them; they make the file
 * smaller, what is read from it is the same. */
floc_status checkpoint_write_predicted(environment *env, const file_layer *layer, const char *path, int32_t keep,
                                       const section_list *sections, const prediction *predictions, int32_t count);

/* The same without compression: larger files, written in a fraction of the time. Everything else is as above. */
floc_status checkpoint_write_plain(environment *env, const file_layer *layer, const char *path, int32_t keep,
                                   const section_list *sections);

/* Whether path may be replaced: FLOC_OK if it begins as a checkpoint does, FLOC_NOT_FOUND if it is not there,
 * FLOC_FILE_ERROR with a message otherwise. */
floc_status checkpoint_is_replaceable(environment *env, const file_layer *layer, const char *path);

/* An open, fully checked file. */
typedef struct checkpoint checkpoint;
/* FLOC_NOT_FOUND, FLOC_FILE_ERROR, FLOC_DAMAGED_FILE or FLOC_WRONG_VERSION with file, section and offset in
 * the message. Takes no more memory than the file's real length can account for. The environment must
 * outlive the checkpoint. */
floc_status checkpoint_open(environment *env, const file_layer *layer, const char *path, checkpoint **file);
void checkpoint_close(checkpoint *file);
/* All sections in the order of writing, data included (decompressed, owned by the checkpoint). */
const section_list *checkpoint_sections(const checkpoint *file);
/* Sorts the rows of those that are in any order by their first two numbers: what is then read, compared and hashed,
 * and the checksum of it, do not depend on how the file was written. */
void checkpoint_sort_rows(checkpoint *file);
/* What a section takes in the file, and the CRC-32 of its bytes as they are listed; index is within the list. */
uint64_t checkpoint_stored_bytes(const checkpoint *file, int32_t index);
uint32_t checkpoint_crc32(const checkpoint *file, int32_t index);

/* ---- the newest file that is whole --------------------------------------------------------------- */

/* A file that was there but could not be taken. */
typedef struct checkpoint_refusal {
  char *path;
  floc_status status;
  char message[MESSAGE_SIZE];
} checkpoint_refusal;

typedef struct checkpoint_choice {
  environment *env;
  char *taken; /* path of the file that was opened; NULL if there was none */
  checkpoint_refusal *refused;
  int32_t refused_count;
  size_t capacity;
} checkpoint_choice;

/* Opens the newest valid file among temporary files whose writers died before the rename (new_file.h), path,
 * path.1, path.2, ..., in this order. *choice says which one was taken and which were refused and why; free it in
 * any case. When there is none, the status is that of the newest file that exists, FLOC_NOT_FOUND if none does.
 * Running out of memory ends the search. */
floc_status checkpoint_newest_valid(environment *env, const file_layer *layer, const char *path, checkpoint **file,
                                    checkpoint_choice *choice);
void checkpoint_choice_free(checkpoint_choice *choice);

#endif
