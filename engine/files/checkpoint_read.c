/*
 * Reading a checkpoint. See checkpoint.h, and docs/checkpoint.md for the bytes.
 *
 * Nothing in the file is believed before it is checked, and no length before it is compared with what the
 * file really holds: the contents are no longer than the file, and a chunk's raw length is at most what
 * zlib can make of its stored length. The order of checks is that of the file's construction: header,
 * contents, entries, chunks; each names the place where the file went wrong.
 */
#include "files/checkpoint.h"
#include "files/format.h"
#include "files/prediction.h"

#include "base/parallel.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

typedef enum chunk_outcome { CHUNK_GOOD, CHUNK_STORED_CRC, CHUNK_STREAM, CHUNK_RAW_CRC } chunk_outcome;

typedef struct decode_slot {
  chunk_decoder *decoder;
  unsigned char *buffer; /* [greatest_stored] */
  unsigned char *raw;    /* where the raw bytes go; not when only verifying */
  unsigned char *stored; /* what was read: in the buffer, or if it is raw bytes that are wanted, where these go */
  const section_entry *section;
  const chunk_entry *chunk;
  chunk_shape shape;
  uint64_t offset;
  chunk_outcome outcome;
} decode_slot;

typedef struct reader {
  environment *env;
  open_file file;
  uint64_t real_length;
  file_header header;
  unsigned char *contents; /* [header.contents_length] */
  const section_entry *entry;
  const chunk_entry *chunk;
  uint64_t chunk_count;
  const prediction_entry *prediction;
  unsigned char **data; /* [section_count] the sections' raw bytes; NULL when only verifying */
  decode_slot *slot;
  size_t slot_count;
  size_t greatest_raw, greatest_stored;
} reader;

static floc_status damaged(const reader *in, const section_entry *entry, uint64_t offset, const char *reason)
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
    return refuse(in->env, FLOC_DAMAGED_FILE, "%s is not a floc checkpoint", path);
  if (size < sizeof in->header) return damaged(in, NULL, size, "the file is cut: it ends within the header");
  return FLOC_OK;
}

/* The byte order is looked at first: in the other one no other number can be read. The place of the
 * header's CRC is the same in all versions. */
static floc_status check_version(const reader *in)
{
  const char *path = file_shown_path(in->file.path);
  if (in->header.byte_order == __builtin_bswap32(FORMAT_BYTE_ORDER)) {
    return refuse(in->env, FLOC_WRONG_VERSION,
                  "%s: header, offset 8: the file was written on a machine of the other byte order", path);
  }
  if (in->header.byte_order != FORMAT_BYTE_ORDER)
    return damaged(in, NULL, offsetof(file_header, byte_order), "header: the byte order mark is wrong");
  if (in->header.header_crc32 != format_header_crc32(&in->header))
    return damaged(in, NULL, offsetof(file_header, header_crc32), "header: its checksum is wrong");
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
  if (header->file_length == 0) return damaged(in, NULL, 0, "header: the file was never finished");
  if (header->file_length > in->real_length) {
    char reason[120];
    snprintf(reason, sizeof reason, "the file is cut: it ends here, but was %llu bytes long",
             (unsigned long long)header->file_length);
    return damaged(in, NULL, in->real_length, reason);
  }
  if (header->file_length < in->real_length)
    return damaged(in, NULL, header->file_length, "the file goes on behind its end");
  if (header->contents_length > header->file_length - sizeof *header ||
      header->contents_offset != header->file_length - header->contents_length ||
      entries_length(header) > header->contents_length || header->section_count > INT32_MAX ||
      header->contents_length > SIZE_MAX / 2)
    return damaged(in, NULL, offsetof(file_header, contents_offset), "header: the contents do not fit in the file");
  if (!format_text_is_padded(header->library, sizeof header->library))
    return damaged(in, NULL, offsetof(file_header, library), "header: the library's version is not a text");
  if ((header->version == 1 && header->prediction_count > 0) || header->reserved[0] != '\0' ||
      !format_text_is_padded(header->reserved, sizeof header->reserved))
    return damaged(in, NULL, offsetof(file_header, reserved), "header: the reserved bytes are not zero");
  return FLOC_OK;
}

static floc_status read_header(reader *in)
{
  floc_status status = file_size(&in->file, &in->real_length);
  if (status != FLOC_OK) return status;
  size_t size = in->real_length < sizeof in->header ? (size_t)in->real_length : sizeof in->header;
  status = file_read(&in->file, &in->header, size);
  if (status == FLOC_OK) status = check_magic(in, size);
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
    return "rows, columns and raw length disagree";
  if (entry->stride == 0 || entry->stride % element != 0 || raw_length % entry->stride != 0)
    return "the row of the byte planes does not fit the section";
  if (entry->chunk_length == 0 || entry->chunk_length % entry->stride != 0 || entry->chunk_length > CHUNK_LIMIT)
    return "the length of the chunks is not allowed";
  if (entry->flags > (in->header.version == 1 ? SECTION_IS_STATE : SECTION_IS_STATE | SECTION_IS_PREDICTED))
    return "there are flags of an unknown meaning";
  return NULL;
}

static const char *fault_of_chunk(const reader *in, const chunk_entry *chunk, const chunk_shape *shape)
{
  if (chunk->encoding > (in->header.version == 1 ? CHUNK_DIFFERENCES : CHUNK_COLUMNS))
    return "a chunk's encoding is unknown";
  if (chunk->stored_length > shape->length) return "a chunk is stored in more bytes than it has";
  if (chunk->encoding == CHUNK_PLAIN && chunk->stored_length != shape->length)
    return "a plain chunk's stored length is wrong";
  if (chunk->stored_length < chunk_least_stored(shape->length))
    return "a chunk claims more bytes than its stored bytes can hold";
  return NULL;
}

/* Checks one section's entries; *next_chunk and *next_offset move on to the following section. */
static floc_status check_section(reader *in, uint32_t number, uint64_t *next_chunk, uint64_t *next_offset)
{
  const section_entry *entry = &in->entry[number];
  uint64_t place = in->header.contents_offset + number * sizeof *entry;
  if (!format_name_is_good(entry->name))
    return damaged(in, NULL, place, "contents: a section's name is not a name");
  const char *fault = fault_of_entry(in, entry);
  if (!fault && entry->offset != *next_offset) fault = "the section does not begin where the one before ends";
  if (fault) return damaged(in, entry, place, fault);
  uint64_t count = format_chunk_count(entry);
  if (count > in->chunk_count - *next_chunk) return damaged(in, entry, place, "there are too few chunks");
  uint64_t stored_length = 0;
  uLong crc = 0;
  for (uint64_t index = 0; index < count; index++) {
    const chunk_entry *chunk = &in->chunk[(*next_chunk)++];
    chunk_shape shape = format_chunk_shape(entry, index);
    fault = fault_of_chunk(in, chunk, &shape);
    if (fault) return damaged(in, entry, entry->offset + stored_length, fault);
    if (shape.length > in->greatest_raw) in->greatest_raw = shape.length;
    if (chunk->stored_length > in->greatest_stored) in->greatest_stored = chunk->stored_length;
    crc = crc32_combine(crc, chunk->raw_crc32, (z_off_t)shape.length);
    stored_length += chunk->stored_length;
  }
  *next_offset += stored_length;
  if (stored_length != entry->stored_length || crc != entry->raw_crc32)
    return damaged(in, entry, place, "the section and its chunks disagree");
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
    return damaged(in, NULL, next_offset, "contents: there are bytes that belong to no section");
  int64_t duplicate;
  floc_status status = format_find_duplicate(in->env, (const char *)in->entry, sizeof(section_entry),
                                             in->header.section_count, &duplicate);
  if (status != FLOC_OK || duplicate < 0) return status;
  return damaged(in, &in->entry[duplicate],
                 in->header.contents_offset + (uint64_t)duplicate * sizeof(section_entry),
                 "there are two sections of that name");
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
      fault = "a prediction's reserved bytes are not zero";
    if (fault) return damaged(in, NULL, in->real_length - (in->header.prediction_count - k) * sizeof *entry, fault);
  }
  return FLOC_OK;
}

static floc_status read_contents(reader *in)
{
  size_t size = (size_t)in->header.contents_length;
  size_t sections_size = in->header.section_count * sizeof(section_entry);
  size_t chunks_size = size - (size_t)entries_length(&in->header);
  if (chunks_size % sizeof(chunk_entry) != 0)
    return damaged(in, NULL, offsetof(file_header, contents_length), "header: the contents' length is wrong");
  if (size > 0) {
    in->contents = memory_resize(in->env, NULL, 0, size);
    if (!in->contents)
      return refuse(in->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes for a table of contents were refused",
                    size);
  }
  floc_status status = file_seek(&in->file, in->header.contents_offset);
  if (status == FLOC_OK) status = file_read(&in->file, in->contents, size);
  if (status != FLOC_OK) return status;
  if (checksum_crc32(in->contents, size) != in->header.contents_crc32)
    return damaged(in, NULL, in->header.contents_offset, "contents: their checksum is wrong");
  in->entry = (const section_entry *)(const void *)in->contents;
  in->chunk = size > 0 ? (const chunk_entry *)(const void *)(in->contents + sections_size) : NULL;
  in->chunk_count = chunks_size / sizeof(chunk_entry);
  if (in->header.prediction_count > 0)
    in->prediction = (const prediction_entry *)(const void *)(in->contents + sections_size + chunks_size);
  status = check_sections(in);
  return status == FLOC_OK ? check_predictions(in) : status;
}

/* ---- chunks --------------------------------------------------------------------------------------- */

/* Bytes that are stored as they are need no second checksum. */
static chunk_outcome decode_slot_bytes(const decode_slot *slot)
{
  const chunk_entry *chunk = slot->chunk;
  uint32_t crc32 = checksum_crc32(slot->stored, chunk->stored_length);
  if (crc32 != chunk->stored_crc32) return CHUNK_STORED_CRC;
  if (!slot->raw) return CHUNK_GOOD;
  if (slot->stored != slot->raw) {
    if (!chunk_decode(slot->decoder, slot->stored, chunk->stored_length, (chunk_encoding)chunk->encoding, slot->raw,
                      &slot->shape))
      return CHUNK_STREAM;
    crc32 = checksum_crc32(slot->raw, slot->shape.length);
  }
  bool is_raw = !(slot->section->flags & SECTION_IS_PREDICTED);
  return is_raw && crc32 != chunk->raw_crc32 ? CHUNK_RAW_CRC : CHUNK_GOOD;
}

static void decode_slots(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  reader *in = context;
  for (int64_t k = begin; k < end; k++) in->slot[k].outcome = decode_slot_bytes(&in->slot[k]);
}

static floc_status prepare_slot(reader *in, decode_slot *slot)
{
  floc_status status = FLOC_OK;
  if (in->data) status = chunk_decoder_create(in->env, in->greatest_raw, &slot->decoder);
  if (status != FLOC_OK) return status;
  slot->buffer = memory_resize(in->env, NULL, 0, in->greatest_stored);
  if (slot->buffer) return FLOC_OK;
  return refuse(in->env, FLOC_OUT_OF_MEMORY, "out of memory: a buffer for reading was refused");
}

static floc_status prepare_slots(reader *in)
{
  size_t count = format_batch_size(in->env, in->chunk_count);
  if (count == 0) return FLOC_OK;
  in->slot = memory_resize(in->env, NULL, 0, count * sizeof *in->slot);
  if (!in->slot)
    return refuse(in->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", count * sizeof *in->slot);
  memset(in->slot, 0, count * sizeof *in->slot);
  in->slot_count = count;
  floc_status status = FLOC_OK;
  for (size_t k = 0; k < count && status == FLOC_OK; k++) status = prepare_slot(in, &in->slot[k]);
  return status;
}

static void free_slots(reader *in)
{
  for (size_t k = 0; k < in->slot_count; k++) {
    chunk_decoder_free(in->slot[k].decoder);
    memory_free(in->env, in->slot[k].buffer, in->greatest_stored);
  }
  memory_free(in->env, in->slot, in->slot_count * sizeof *in->slot);
}

typedef struct chunk_position {
  size_t section;
  uint64_t index; /* of the chunk within the section */
  uint64_t chunk; /* of the chunk within the file */
} chunk_position;

static floc_status fill_slot(reader *in, decode_slot *slot, const chunk_position *at)
{
  slot->section = &in->entry[at->section];
  slot->chunk = &in->chunk[at->chunk];
  slot->shape = format_chunk_shape(slot->section, at->index);
  slot->offset = in->file.offset;
  if (in->data) slot->raw = in->data[at->section] + at->index * slot->section->chunk_length;
  slot->stored = in->data && slot->chunk->encoding == CHUNK_PLAIN ? slot->raw : slot->buffer;
  return file_read(&in->file, slot->stored, slot->chunk->stored_length);
}

/* Reads the next chunks, as many as there are slots. */
static floc_status fill_slots(reader *in, chunk_position *at, size_t *filled)
{
  *filled = 0;
  while (*filled < in->slot_count && at->section < in->header.section_count) {
    if (at->index >= format_chunk_count(&in->entry[at->section])) {
      at->section++;
      at->index = 0;
      continue;
    }
    floc_status status = fill_slot(in, &in->slot[*filled], at);
    if (status != FLOC_OK) return status;
    at->index++;
    at->chunk++;
    (*filled)++;
  }
  return FLOC_OK;
}

static floc_status check_slots(const reader *in, size_t filled)
{
  static const char *const fault[] = {
      [CHUNK_STORED_CRC] = "the checksum of the stored bytes is wrong",
      [CHUNK_STREAM] = "the stored bytes cannot be decompressed",
      [CHUNK_RAW_CRC] = "the checksum of the decompressed bytes is wrong",
  };
  for (size_t k = 0; k < filled; k++) {
    const decode_slot *slot = &in->slot[k];
    if (slot->outcome != CHUNK_GOOD) return damaged(in, slot->section, slot->offset, fault[slot->outcome]);
  }
  return FLOC_OK;
}

static floc_status read_chunks(reader *in)
{
  floc_status status = prepare_slots(in);
  if (status == FLOC_OK) status = file_seek(&in->file, sizeof(file_header));
  chunk_position at = {0, 0, 0};
  while (status == FLOC_OK && at.chunk < in->chunk_count) {
    size_t filled;
    status = fill_slots(in, &at, &filled);
    if (status != FLOC_OK) break;
    parallel_for(in->env, (int64_t)filled, 1, decode_slots, in);
    status = check_slots(in, filled);
  }
  return status;
}

static floc_status undo_predictions(const reader *in)
{
  prediction_damage damage;
  const predicted_file file = {in->entry,      in->header.section_count,    in->chunk,
                               in->prediction, in->header.prediction_count, in->data};
  floc_status status = predictions_undo(in->env, &file, &damage);
  return status == FLOC_DAMAGED_FILE ? damaged(in, damage.entry, damage.offset, damage.reason) : status;
}

static void reader_free(reader *in)
{
  free_slots(in);
  memory_free(in->env, in->contents, (size_t)in->header.contents_length);
}

floc_status checkpoint_verify(environment *env, const file_layer *layer, const char *path, file_header *header)
{
  reader in = {.env = env};
  floc_status status = file_open(env, layer, path, &in.file);
  if (status != FLOC_OK) return status;
  status = read_header(&in);
  if (status == FLOC_OK) status = read_contents(&in);
  if (status == FLOC_OK) status = read_chunks(&in);
  layer->close(layer->context, in.file.handle);
  *header = in.header;
  reader_free(&in);
  return status;
}

/* ---- a checkpoint in memory ----------------------------------------------------------------------- */

struct checkpoint {
  reader in;            /* the file itself is closed */
  unsigned char *block; /* [block_size] the sections' raw bytes, one after the other */
  size_t block_size;
  section_list sections;
};

/* One block for all sections: the system gives that in large pages, and takes it back in one piece. Lengths are
 * compared with the file's before; each section begins on a cache line. */
static floc_status take_block(checkpoint *file)
{
  enum { LINE = 64 };
  const reader *in = &file->in;
  uint64_t sum = 0;
  for (uint32_t k = 0; k < in->header.section_count && sum < SIZE_MAX / 2; k++)
    sum += (in->entry[k].raw_length + LINE - 1) / LINE * LINE;
  if (sum == 0) return FLOC_OK;
  file->block = sum < SIZE_MAX / 2 ? memory_resize(in->env, NULL, 0, (size_t)sum) : NULL;
  if (!file->block)
    return refuse(in->env, FLOC_OUT_OF_MEMORY, "out of memory: %llu bytes for the file's sections were refused",
                  (unsigned long long)sum);
  file->block_size = (size_t)sum;
  unsigned char *next = file->block;
  for (uint32_t k = 0; k < in->header.section_count; k++) {
    in->data[k] = next;
    next += (in->entry[k].raw_length + LINE - 1) / LINE * LINE;
  }
  return FLOC_OK;
}

static floc_status prepare_data(checkpoint *file)
{
  size_t size = file->in.header.section_count * sizeof *file->in.data;
  if (size == 0) size = sizeof *file->in.data; /* a non-NULL pointer says that data is wanted */
  file->in.data = memory_resize(file->in.env, NULL, 0, size);
  if (!file->in.data)
    return refuse(file->in.env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", size);
  memset(file->in.data, 0, size);
  return take_block(file);
}

static floc_status list_sections(checkpoint *file)
{
  static const uint64_t nothing = 0; /* what data points at where no section has any */
  for (uint32_t k = 0; k < file->in.header.section_count; k++) {
    const section_entry *entry = &file->in.entry[k];
    const void *data = file->in.data[k] ? (const void *)file->in.data[k] : &nothing;
    floc_status status = section_list_add(&file->sections, entry->name, entry->type, entry->rows, entry->columns,
                                          data, (entry->flags & SECTION_IS_STATE) != 0);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status read_checkpoint(checkpoint *file)
{
  floc_status status = read_header(&file->in);
  if (status == FLOC_OK) status = read_contents(&file->in);
  if (status == FLOC_OK) status = prepare_data(file);
  if (status == FLOC_OK) status = read_chunks(&file->in);
  free_slots(&file->in); /* so that their memory does not add to that of predictions */
  file->in.slot = NULL;
  file->in.slot_count = 0;
  if (status == FLOC_OK) status = undo_predictions(&file->in);
  return status == FLOC_OK ? list_sections(file) : status;
}

floc_status checkpoint_open(environment *env, const file_layer *layer, const char *path, checkpoint **file)
{
  *file = NULL;
  if (!path || !*path) return refuse(env, FLOC_INVALID_ARGUMENT, "path is empty; it must name a file");
  checkpoint *made = memory_resize(env, NULL, 0, sizeof *made);
  if (!made) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *made);
  *made = (checkpoint){.in.env = env};
  section_list_init(&made->sections, env);
  floc_status status = file_open(env, layer, path, &made->in.file);
  if (status == FLOC_OK) {
    status = read_checkpoint(made);
    layer->close(layer->context, made->in.file.handle);
  }
  made->in.file.path = NULL; /* the caller's, from now on perhaps gone */
  if (status == FLOC_OK)
    *file = made;
  else
    checkpoint_close(made);
  return status;
}

void checkpoint_close(checkpoint *file)
{
  if (!file) return;
  environment *env = file->in.env;
  uint32_t count = file->in.header.section_count;
  memory_free(env, file->block, file->block_size);
  memory_free(env, file->in.data, (count > 0 ? count : 1) * sizeof *file->in.data);
  section_list_free(&file->sections);
  reader_free(&file->in);
  memory_free(env, file, sizeof *file);
}

const section_list *checkpoint_sections(const checkpoint *file)
{
  return &file->sections;
}

uint64_t checkpoint_stored_bytes(const checkpoint *file, int32_t index)
{
  return file->in.entry[index].stored_length;
}

uint32_t checkpoint_crc32(const checkpoint *file, int32_t index)
{
  return file->in.entry[index].raw_crc32;
}

const char *checkpoint_library(const checkpoint *file)
{
  return file->in.header.library;
}
