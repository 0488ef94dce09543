/*
 * Rules of the checkpoint format that writer and reader share. See format.h.
 */
#include "files/checkpoint/format.h"

#include "base/hash.h"
#include "base/numbers/byte_order.h"

#include <string.h>
#include <zlib.h>
#ifdef FLOC_HAS_LIBDEFLATE
#include <libdeflate.h>
#endif

enum { WIDEST_ROW = 256, FEWEST_ROWS = 16, CHUNKS_PER_THREAD = 4, LARGEST_BATCH = 32 };

/* The same function from two libraries; libdeflate's is five times as fast. */
uint32_t format_crc32_go_on(uint32_t sum, const void *bytes, size_t size)
{
#ifdef FLOC_HAS_LIBDEFLATE
  return libdeflate_crc32(sum, bytes, size);
#else
  return (uint32_t)crc32_z(sum, bytes, size);
#endif
}

/* A sum of 0, as of nothing, adds nothing; it is that of most sections, which have one chunk. */
uint32_t format_crc32_join(uint32_t sum, uint32_t following, size_t size)
{
  return sum == 0 ? following : (uint32_t)crc32_combine(sum, following, (z_off_t)size);
}

uint32_t format_crc32(const void *bytes, size_t size)
{
  return format_crc32_go_on(0, bytes, size);
}

static void take_piece(void *sum, const void *bytes, size_t size)
{
  *(uint32_t *)sum = format_crc32_go_on(*(uint32_t *)sum, bytes, size);
}

uint32_t format_numbers_crc32(const void *numbers, size_t size, size_t element)
{
  uint32_t sum = 0;
  take_little_endian(take_piece, &sum, numbers, size, element);
  return sum;
}

uint32_t format_header_crc32(const file_header *header)
{
  file_header turned = *header;
  format_turn_header(&turned);
  return format_crc32(&turned, offsetof(file_header, header_crc32));
}

/* ---- byte order ---- */

/* Numbers from one member of a structure to the one before `end`. */
#define TURN_MEMBERS(object, type, first, end, element)                                                            \
  little_endian_numbers((unsigned char *)(object) + offsetof(type, first),                                         \
                        ((end)-offsetof(type, first)) / (element), element)

void format_turn_header(file_header *header)
{
  TURN_MEMBERS(header, file_header, byte_order, offsetof(file_header, file_length), 4);
  TURN_MEMBERS(header, file_header, file_length, offsetof(file_header, section_count), 8);
  TURN_MEMBERS(header, file_header, section_count, offsetof(file_header, library), 4);
  TURN_MEMBERS(header, file_header, prediction_count, offsetof(file_header, reserved), 4);
  TURN_MEMBERS(header, file_header, header_crc32, sizeof *header, 4);
}

void format_turn_contents(unsigned char *contents, size_t sections, size_t chunks, size_t predictions)
{
  if (!MACHINE_IS_BIG_ENDIAN) return;
  for (size_t k = 0; k < sections; k++, contents += sizeof(section_entry)) {
    TURN_MEMBERS(contents, section_entry, rows, offsetof(section_entry, raw_crc32), 8);
    TURN_MEMBERS(contents, section_entry, raw_crc32, sizeof(section_entry), 4);
  }
  little_endian_numbers(contents, chunks * sizeof(chunk_entry) / 4, 4);
  contents += chunks * sizeof(chunk_entry);
  for (size_t k = 0; k < predictions; k++, contents += sizeof(prediction_entry)) {
    little_endian_numbers(contents, offsetof(prediction_entry, period) / 4, 4);
    TURN_MEMBERS(contents, prediction_entry, period, sizeof(prediction_entry), 8);
  }
}

uint64_t format_chunk_count(const section_entry *entry)
{
  return entry->raw_length / entry->chunk_length + (entry->raw_length % entry->chunk_length != 0);
}

chunk_shape format_chunk_shape(const section_entry *entry, uint64_t index)
{
  uint64_t left = entry->raw_length - index * entry->chunk_length;
  uint64_t length = left < entry->chunk_length ? left : entry->chunk_length;
  return (chunk_shape){(size_t)length, entry->stride, section_type_size(entry->type)};
}

/* A table's columns are kept apart, unless its rows are so wide or so few that the planes would be short:
 * then it is taken as one long column. */
void format_choose_chunks(section_entry *entry, size_t chunk_bytes)
{
  size_t element = section_type_size(entry->type);
  bool is_table = entry->columns >= 1 && entry->columns <= WIDEST_ROW / element && entry->rows >= FEWEST_ROWS;
  entry->stride = (uint32_t)(is_table ? entry->columns * element : element);
  entry->chunk_length = (uint32_t)(chunk_bytes / entry->stride * entry->stride);
}

bool format_text_is_padded(const char *text, size_t size)
{
  size_t length = strnlen(text, size);
  for (size_t k = length; k < size; k++)
    if (text[k] != '\0') return false;
  return length < size;
}

bool format_name_is_good(const char name[64])
{
  if (!format_text_is_padded(name, 64) || name[0] == '\0') return false;
  for (size_t k = 0; name[k] != '\0'; k++)
    if ((unsigned char)name[k] < 0x20 || name[k] == 0x7f) return false;
  return true;
}

bool format_raw_length(const char *type, uint64_t rows, uint64_t columns, uint64_t *length)
{
  uint64_t element = section_type_size(type);
  if (element == 0) return false;
  if (rows > 0 && columns > UINT64_MAX / element / rows) return false;
  *length = rows * columns * element;
  return *length <= SIZE_MAX / 2;
}

/* A table of indices, at most half full, searched from the name's hash on: a hostile file with very many
 * sections must not take quadratic time. */
floc_status format_find_duplicate(environment *env, const char *first_name, size_t distance, size_t count,
                                  int64_t *duplicate)
{
  *duplicate = -1;
  size_t places = 16;
  while (places < 2 * count) places *= 2;
  size_t bytes = places * sizeof(uint32_t);
  uint32_t *table = memory_resize(env, NULL, 0, bytes);
  if (!table) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  memset(table, 0, bytes);
  for (size_t k = 0; k < count && *duplicate < 0; k++) {
    const char *name = first_name + k * distance;
    size_t place = hash_bytes(0, name, strlen(name)) & (places - 1);
    while (table[place] != 0 && strcmp(first_name + (table[place] - 1) * distance, name) != 0)
      place = (place + 1) & (places - 1);
    if (table[place] != 0) *duplicate = (int64_t)k;
    table[place] = (uint32_t)k + 1;
  }
  memory_free(env, table, bytes);
  return FLOC_OK;
}

size_t format_batch_size(const environment *env, uint64_t chunk_count)
{
  uint64_t size = env->threads > 1 ? (uint64_t)env->threads * CHUNKS_PER_THREAD : 1;
  if (size > LARGEST_BATCH) size = LARGEST_BATCH;
  return (size_t)(size < chunk_count ? size : chunk_count);
}
