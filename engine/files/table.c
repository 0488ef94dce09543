/*
 * Tables of observables. See table.h.
 *
 * Rows gather in a buffer. `safe` is the length of the file up to which everything was written; after a write
 * that failed half way the next one starts there again, so that a disk that was full for a while leaves no
 * torn row behind.
 */
#include "files/table.h"

#include "base/number_text.h"
#include "files/new_file.h"

#include <string.h>

enum { BATCH_BYTES = 1 << 16, COPY_BYTES = 1 << 16 };

struct table_file {
  environment *env;
  const file_layer *layer;
  new_file made;
  char *path; /* a copy: messages need it later */
  int32_t column_count;
  uint64_t safe;
  char *buffer; /* [capacity] */
  size_t used, capacity;
};

/* ---- the line of names ---------------------------------------------------------------------------- */

static floc_status check_name(environment *env, const char *name, int32_t index)
{
  bool is_good = name && *name;
  for (const char *c = name; is_good && *c; c++) is_good = (unsigned char)*c >= 0x20 && *c != 0x7f;
  if (is_good) return FLOC_OK;
  return refuse(
      env, FLOC_INVALID_ARGUMENT,
      "column_names[%d] is \"%.40s\"; it must not be empty, nor hold tabs, line ends or other control characters",
      (int)index, name ? name : "NULL");
}

static floc_status check_names(environment *env, const char *const *names, int32_t count, size_t *length)
{
  *length = 0;
  if (count < 1) return refuse(env, FLOC_INVALID_ARGUMENT, "column_count is %d; it must be 1 or more", (int)count);
  for (int32_t k = 0; k < count; k++) {
    floc_status status = check_name(env, names[k], k);
    if (status != FLOC_OK) return status;
    *length += strlen(names[k]) + 1;
  }
  return FLOC_OK;
}

/* The first line goes into the buffer like a row. */
static void put_names(table_file *rows, const char *const *names)
{
  for (int32_t k = 0; k < rows->column_count; k++) {
    size_t length = strlen(names[k]);
    memcpy(rows->buffer + rows->used, names[k], length);
    rows->used += length;
    rows->buffer[rows->used++] = k + 1 < rows->column_count ? '\t' : '\n';
  }
}

/* ---- writing -------------------------------------------------------------------------------------- */

floc_status table_flush(table_file *rows)
{
  floc_status status = FLOC_OK;
  if (rows->made.file.offset != rows->safe) status = file_seek(&rows->made.file, rows->safe);
  if (status == FLOC_OK) status = file_write(&rows->made.file, rows->buffer, rows->used);
  if (status != FLOC_OK) return status;
  rows->safe += rows->used;
  rows->used = 0;
  return FLOC_OK;
}

floc_status table_append(table_file *rows, const double *values)
{
  size_t longest = (size_t)rows->column_count * NUMBER_TEXT_SIZE;
  if (rows->capacity - rows->used < longest) {
    floc_status status = table_flush(rows);
    if (status != FLOC_OK) return status;
  }
  for (int32_t k = 0; k < rows->column_count; k++) {
    rows->used += number_text(values[k], rows->buffer + rows->used);
    rows->buffer[rows->used++] = k + 1 < rows->column_count ? '\t' : '\n';
  }
  return FLOC_OK;
}

floc_status table_position(table_file *rows, uint64_t *position)
{
  floc_status status = table_flush(rows);
  if (status == FLOC_OK) status = file_flush(&rows->made.file);
  if (status == FLOC_OK) *position = rows->safe;
  return status;
}

/* ---- opening -------------------------------------------------------------------------------------- */

static floc_status check_old_length(open_file *old, uint64_t position)
{
  uint64_t length;
  floc_status status = file_size(old, &length);
  if (status != FLOC_OK || length >= position) return status;
  return refuse(old->env, FLOC_DAMAGED_FILE,
                "%s: the table is cut: it has %llu bytes, but had %llu when the checkpoint was written",
                file_shown_path(old->path), (unsigned long long)length, (unsigned long long)position);
}

/* The first piece begins with the names, which are in the buffer. */
static floc_status check_names_in_file(const table_file *rows, const char *piece, size_t size)
{
  if (size >= rows->used && memcmp(piece, rows->buffer, rows->used) == 0) return FLOC_OK;
  return refuse(rows->env, FLOC_STRUCTURE_MISMATCH,
                "%s: the table has other columns; its first line must be \"%.*s\"", file_shown_path(rows->path),
                (int)(rows->used - 1 < 200 ? rows->used - 1 : 200), rows->buffer);
}

/* Copies the first `position` bytes of the old file behind the names, piece by piece. */
static floc_status copy_rows(table_file *rows, open_file *old, uint64_t position, char *piece)
{
  char last = '\0';
  for (uint64_t copied = 0; copied < position;) {
    size_t size = position - copied < COPY_BYTES ? (size_t)(position - copied) : COPY_BYTES;
    floc_status status = file_read(old, piece, size);
    if (status == FLOC_OK && copied == 0) status = check_names_in_file(rows, piece, size);
    if (status == FLOC_OK) status = file_write(&rows->made.file, piece, size);
    if (status != FLOC_OK) return status;
    copied += size;
    last = piece[size - 1];
  }
  rows->safe = position;
  rows->used = 0;
  if (last == '\n') return FLOC_OK;
  return refuse(rows->env, FLOC_DAMAGED_FILE, "%s: no row of the table ends at offset %llu",
                file_shown_path(rows->path), (unsigned long long)position);
}

static floc_status take_over(table_file *rows, uint64_t position)
{
  open_file old;
  char *piece = memory_resize(rows->env, NULL, 0, COPY_BYTES);
  if (!piece) return refuse(rows->env, FLOC_OUT_OF_MEMORY, "out of memory: %d bytes were refused", COPY_BYTES);
  floc_status status = file_open(rows->env, rows->layer, rows->path, &old);
  if (status == FLOC_OK) {
    status = check_old_length(&old, position);
    if (status == FLOC_OK) status = copy_rows(rows, &old, position, piece);
    rows->layer->close(rows->layer->context, old.handle);
  }
  memory_free(rows->env, piece, COPY_BYTES);
  return status;
}

/* Writes the beginning of the table under a temporary name and gives it its own. */
static floc_status begin(table_file *rows, uint64_t position)
{
  floc_status status = new_file_create(rows->env, rows->layer, rows->path, &rows->made);
  if (status == FLOC_OK && position > 0) status = take_over(rows, position);
  if (status == FLOC_OK) status = table_flush(rows);
  if (status == FLOC_OK) status = file_flush(&rows->made.file);
  return status == FLOC_OK ? new_file_place(&rows->made) : status;
}

static floc_status table_init(table_file *rows, const char *path, size_t names_length)
{
  size_t longest = (size_t)rows->column_count * NUMBER_TEXT_SIZE;
  rows->capacity = BATCH_BYTES + longest + names_length;
  rows->buffer = memory_resize(rows->env, NULL, 0, rows->capacity);
  if (!rows->buffer)
    return refuse(rows->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes for a table were refused",
                  rows->capacity);
  return file_name(rows->env, path, "", &rows->path);
}

static void table_free(table_file *rows)
{
  environment *env = rows->env;
  if (rows->made.file.env) new_file_end(&rows->made);
  memory_free(env, rows->buffer, rows->capacity);
  file_name_free(env, rows->path);
  memory_free(env, rows, sizeof *rows);
}

floc_status table_open(environment *env, const file_layer *layer, const char *path, const char *const *column_names,
                       int32_t column_count, uint64_t position, table_file **opened)
{
  *opened = NULL;
  size_t names_length;
  floc_status status = check_names(env, column_names, column_count, &names_length);
  if (status != FLOC_OK) return status;
  table_file *rows = memory_resize(env, NULL, 0, sizeof *rows);
  if (!rows) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *rows);
  *rows = (table_file){.env = env, .layer = layer, .column_count = column_count};
  status = table_init(rows, path, names_length);
  if (status == FLOC_OK) {
    put_names(rows, column_names);
    status = begin(rows, position);
  }
  if (status == FLOC_OK)
    *opened = rows;
  else
    table_free(rows);
  return status;
}

floc_status table_close(table_file *rows)
{
  if (!rows) return FLOC_OK;
  floc_status status = table_flush(rows);
  if (status == FLOC_OK) {
    rows->made.is_open = false;
    status = file_close(&rows->made.file);
  }
  table_free(rows);
  return status;
}
