/*
 * Header and contents of a checkpoint: read, and checked before anything in them is believed. See
 * checkpoint/reader.h, and docs/checkpoint.md for the bytes.
 *
 * No length is used before it is compared with what the file really holds: the contents are no longer than the
 * file, and a chunk's raw length is at most what zlib can make of its stored length. The order of checks is that of
 * the file's construction: header, contents, entries; each names the place where the file went wrong.
 */
#include "files/checkpoint/prediction.h"
#include "files/checkpoint/reader.h"

#include <stdio.h>
#include <string.h>

floc_status reader_damaged(const reader *in, const section_entry *entry, uint64_t offset, const char *reason)
{
  const char *path = file_shown_path(in->file.path);
  unsigned long long place = offset;
  if (!entry) return refuse(in->env, FLOC_DAMAGED_FILE, "%s: offset %llu: %s", path, place, reason);
  return refuse(in->env, FLOC_DAMAGED_FILE, "%s: section \"%.63s\", offset %llu: %s", path, entry->name, place,
                reason);
}

/* ---- header --------------------------------------------------------------------------------------- */

static floc_status check_magic(const reader *in, size_t size)
{
  const char *path = file_shown_path(in->file.path);
  if (size == 0) return refuse(in->env, FLOC_DAMAGED_FILE, "%s is empty, not a floc checkpoint", path);
  size_t compared = size < sizeof in->header.magic ? size : sizeof in->header.magic;
  if (memcmp(in->header.magic, FORMAT_MAGIC, compared) != 0)
    return refuse(in->env, FLOC_DAMAGED_FILE, "%s is not a floc checkpoint or recorded problem", path);
  if (size < sizeof in->header)
    return reader_damaged(in, NULL, size, "the file is truncated: it ends within the header");
  return FLOC_OK;
}

/* The byte order is looked at first: in the other one no other number can be read. Up to 0.2.0 a file had the order
 * of the machine. The place of the header's CRC is the same in all versions. */
static floc_status check_version(const reader *in)
{
  const char *path = file_shown_path(in->file.path);
  if (in->header.byte_order == __builtin_bswap32(FORMAT_BYTE_ORDER)) {
    return refuse(in->env, FLOC_WRONG_VERSION,
                  "%s: header, offset 8: the file has the opposite byte order, of a big-endian machine", path);
  }
  if (in->header.byte_order != FORMAT_BYTE_ORDER)
    return reader_damaged(in, NULL, offsetof(file_header, byte_order), "header: the byte order mark is wrong");
  if (in->header.header_crc32 != format_header_crc32(&in->header))
    return reader_damaged(in, NULL, offsetof(file_header, header_crc32), "header: its checksum is wrong");
  if (in->header.version < FORMAT_OLDEST || in->header.version > FORMAT_VERSION) {
    return refuse(
        in->env, FLOC_WRONG_VERSION,
        "%s: header, offset 12: the file has format version %u (floc %.32s); this library (floc %s) reads "
        "versions %d to %d",
        path, (unsigned)in->header.version, in->header.library, floc_version(), FORMAT_OLDEST, FORMAT_VERSION);
  }
  return FLOC_OK;
}

/* Bytes of the entries whose number the header says. */
static uint64_t entries_length(const file_header *header)
{
  return (uint64_t)header->section_count * sizeof(section_entry) +
         (uint64_t)header->prediction_count * sizeof(prediction_entry);
}

static floc_status check_lengths(const reader *in)
{
  const file_header *header = &in->header;
  if (header->file_length == 0) return reader_damaged(in, NULL, 0, "header: the file was never completed");
  if (header->file_length > in->real_length) {
    char reason[120];
    snprintf(reason, sizeof reason, "the file is truncated: it ends here, but was written with %llu bytes",
             (unsigned long long)header->file_length);
    return reader_damaged(in, NULL, in->real_length, reason);
  }
  if (header->file_length < in->real_length)
    return reader_damaged(in, NULL, header->file_length, "the file continues beyond its recorded end");
  if (header->contents_length > header->file_length - sizeof *header ||
      header->contents_offset != header->file_length - header->contents_length ||
      entries_length(header) > header->contents_length || header->section_count > INT32_MAX ||
      header->contents_length > SIZE_MAX / 2)
    return reader_damaged(in, NULL, offsetof(file_header, contents_offset),
                          "header: the contents do not fit in the file");
  if (!format_text_is_padded(header->library, sizeof header->library))
    return reader_damaged(in, NULL, offsetof(file_header, library),
                          "header: the version of the library is not a string");
  if ((header->version == 1 && header->prediction_count > 0) || header->reserved[0] != '\0' ||
      !format_text_is_padded(header->reserved, sizeof header->reserved))
    return reader_damaged(in, NULL, offsetof(file_header, reserved), "header: the reserved bytes are not zero");
  return FLOC_OK;
}

static floc_status read_header(reader *in)
{
  floc_status status = file_size(&in->file, &in->real_length);
  if (status != FLOC_OK) return status;
  size_t size = in->real_length < sizeof in->header ? (size_t)in->real_length : sizeof in->header;
  status = file_read(&in->file, &in->header, size);
  if (status == FLOC_OK) status = check_magic(in, size);
  format_turn_header(&in->header);
  if (status == FLOC_OK) status = check_version(in);
  if (status == FLOC_OK) status = check_lengths(in);
  return status;
}

/* ---- contents ------------------------------------------------------------------------------------- */

static const char *fault_of_entry(const reader *in, const section_entry *entry)
{
  uint64_t raw_length;
  if (!format_text_is_padded(entry->type, sizeof entry->type) || section_type_size(entry->type) == 0)
    return "the type is unknown";
  size_t element = section_type_size(entry->type);
  if (!format_raw_length(entry->type, entry->rows, entry->columns, &raw_length) || raw_length != entry->raw_length)
    return "rows, columns and raw length contradict each other";
  if (entry->stride == 0 || entry->stride % element != 0 || raw_length % entry->stride != 0)
    return "the row length of the byte planes does not match the section";
  if (entry->chunk_length == 0 || entry->chunk_length % entry->stride != 0 || entry->chunk_length > CHUNK_LIMIT)
    return "the length of the chunks is out of range";
  uint32_t known = SECTION_IS_STATE;
  if (in->header.version > 1) known |= SECTION_IS_PREDICTED | SECTION_ANY_ORDER;
  if (entry->flags & ~known) return "some flags are unknown";
  bool sortable = strcmp(entry->type, "f64") == 0 && entry->columns >= 2 && !(entry->flags & SECTION_IS_PREDICTED);
  if ((entry->flags & SECTION_ANY_ORDER) && !sortable)
    return "its rows are marked as unordered, but cannot be sorted";
  return NULL;
}

static const char *fault_of_chunk(const reader *in, const chunk_entry *chunk, const chunk_shape *shape)
{
  if (chunk->encoding > (in->header.version == 1 ? CHUNK_DIFFERENCES : CHUNK_COLUMNS))
    return "the encoding of a chunk is unknown";
  if (chunk->stored_length > shape->length) return "the stored bytes of a chunk exceed its raw length";
  if (chunk->encoding == CHUNK_PLAIN && chunk->stored_length != shape->length)
    return "the stored length of a plain chunk is wrong";
  if (chunk->stored_length < chunk_least_stored(shape->length))
    return "the raw length of a chunk exceeds what its stored bytes can hold";
  return NULL;
}

/* Checks one section's entries; *next_chunk and *next_offset move on to the following section. */
static floc_status check_section(reader *in, uint32_t number, uint64_t *next_chunk, uint64_t *next_offset)
{
  const section_entry *entry = &in->entry[number];
  uint64_t place = in->header.contents_offset + number * sizeof *entry;
  if (!format_name_is_good(entry->name))
    return reader_damaged(in, NULL, place, "contents: the name of a section is invalid");
  const char *fault = fault_of_entry(in, entry);
  if (!fault && entry->offset != *next_offset) fault = "the section does not begin at the end of the previous one";
  if (fault) return reader_damaged(in, entry, place, fault);
  uint64_t count = format_chunk_count(entry);
  if (count > in->chunk_count - *next_chunk) return reader_damaged(in, entry, place, "chunks are missing");
  uint64_t stored_length = 0;
  uint32_t crc = 0;
  for (uint64_t index = 0; index < count; index++) {
    const chunk_entry *chunk = &in->chunk[(*next_chunk)++];
    chunk_shape shape = format_chunk_shape(entry, index);
    fault = fault_of_chunk(in, chunk, &shape);
    if (fault) return reader_damaged(in, entry, entry->offset + stored_length, fault);
    if (shape.length > in->greatest_raw) in->greatest_raw = shape.length;
    if (chunk->stored_length > in->greatest_stored) in->greatest_stored = chunk->stored_length;
    crc = format_crc32_join(crc, chunk->raw_crc32, shape.length);
    stored_length += chunk->stored_length;
  }
  *next_offset += stored_length;
  if (stored_length != entry->stored_length || crc != entry->raw_crc32)
    return reader_damaged(in, entry, place, "the section and its chunks contradict each other");
  return FLOC_OK;
}

static floc_status check_sections(reader *in)
{
  uint64_t next_chunk = 0, next_offset = sizeof(file_header);
  for (uint32_t k = 0; k < in->header.section_count; k++) {
    floc_status status = check_section(in, k, &next_chunk, &next_offset);
    if (status != FLOC_OK) return status;
  }
  if (next_chunk != in->chunk_count || next_offset != in->header.contents_offset)
    return reader_damaged(in, NULL, next_offset, "contents: some bytes belong to no section");
  int64_t duplicate;
  floc_status status = format_find_duplicate(in->env, (const char *)in->entry, sizeof(section_entry),
                                             in->header.section_count, &duplicate);
  if (status != FLOC_OK || duplicate < 0) return status;
  return reader_damaged(in, &in->entry[duplicate],
                        in->header.contents_offset + (uint64_t)duplicate * sizeof(section_entry),
                        "two sections have that name");
}

/* At most one prediction of each kind for a section, and what it is made from must be of the right shape. */
static floc_status check_predictions(const reader *in)
{
  for (uint32_t k = 0; k < in->header.prediction_count; k++) {
    const prediction_entry *entry = &in->prediction[k];
    const char *fault = prediction_fault(entry, in->entry, in->header.section_count);
    if (!fault && k > 0 &&
        (entry->section < entry[-1].section ||
         (entry->section == entry[-1].section && entry->kind <= entry[-1].kind)))
      fault = "a prediction out of order";
    if (!fault && (entry->reserved != 0 || entry->more_reserved != 0))
      fault = "the reserved bytes of a prediction are not zero";
    if (fault)
      return reader_damaged(in, NULL, in->real_length - (in->header.prediction_count - k) * sizeof *entry, fault);
  }
  return FLOC_OK;
}

static floc_status read_entries(reader *in)
{
  size_t size = (size_t)in->header.contents_length;
  size_t sections_size = in->header.section_count * sizeof(section_entry);
  size_t chunks_size = size - (size_t)entries_length(&in->header);
  if (chunks_size % sizeof(chunk_entry) != 0)
    return reader_damaged(in, NULL, offsetof(file_header, contents_length),
                          "header: the contents' length is wrong");
  if (size > 0) {
    in->contents = memory_resize(in->env, NULL, 0, size);
    if (!in->contents)
      return refuse(in->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes for a table of contents were refused",
                    size);
  }
  floc_status status = file_seek(&in->file, in->header.contents_offset);
  if (status == FLOC_OK) status = file_read(&in->file, in->contents, size);
  if (status != FLOC_OK) return status;
  if (format_crc32(in->contents, size) != in->header.contents_crc32)
    return reader_damaged(in, NULL, in->header.contents_offset, "contents: their checksum is wrong");
  in->entry = (const section_entry *)(const void *)in->contents;
  in->chunk = size > 0 ? (const chunk_entry *)(const void *)(in->contents + sections_size) : NULL;
  in->chunk_count = chunks_size / sizeof(chunk_entry);
  format_turn_contents(in->contents, in->header.section_count, (size_t)in->chunk_count,
                       in->header.prediction_count);
  if (in->header.prediction_count > 0)
    in->prediction = (const prediction_entry *)(const void *)(in->contents + sections_size + chunks_size);
  status = check_sections(in);
  return status == FLOC_OK ? check_predictions(in) : status;
}

floc_status reader_read_contents(reader *in)
{
  floc_status status = read_header(in);
  return status == FLOC_OK ? read_entries(in) : status;
}
