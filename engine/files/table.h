/*
 * A table of observables as text: a line of column names, then one line per row, separated by tabs; numbers
 * read back to the same bits (number_text.h).
 *
 * Tables and checkpoints: before a checkpoint is written, table_position() brings all rows to the disk and
 * gives the length of the file, which the checkpoint stores. On resume the table is opened at that position:
 * rows that an interrupted run had written beyond it are cut off, and the run writes them again.
 *
 * Opening makes a new file under a temporary name (on resume with the rows to keep copied into
 * it), gives it its name, and goes on writing to it: a crash while opening leaves the old table whole.
 */
#ifndef FLOC_FILES_TABLE_H
#define FLOC_FILES_TABLE_H

#include "files/file_layer.h"

typedef struct table_file table_file;

/* Opens a table for writing. position 0: a new one, which replaces an old file of that name. position > 0:
 * the file must be there, begin with the same column names and have a row's end at that position; it is cut
 * there. FLOC_NOT_FOUND, FLOC_FILE_ERROR, FLOC_DAMAGED_FILE (shorter than position, or no row ends there),
 * FLOC_STRUCTURE_MISMATCH (other columns). Names are not empty and hold no tab or other control character.
 * On failure the old file is as it was. */
floc_status table_open(environment *env, const file_layer *layer, const char *path, const char *const *column_names,
                       int32_t column_count, uint64_t position, table_file **opened);
/* Appends a row of column_count values. Rows go to the file in batches. When the file cannot be written the
 * row is not taken; later calls try again. */
floc_status table_append(table_file *rows, const double *values);
/* Hands all rows to the operating system, so that other programs see them. */
floc_status table_flush(table_file *rows);
/* Brings all rows to the disk; *position gets the length of the file. */
floc_status table_position(table_file *rows, uint64_t *position);
/* Flushes and closes. The memory is freed in any case; NULL is allowed. */
floc_status table_close(table_file *rows);

#endif
