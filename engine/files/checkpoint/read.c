/*
 * Reading a checkpoint. See checkpoint.h, and docs/checkpoint.md for the bytes.
 *
 * When header and contents are checked (checkpoint/contents.c), the chunks are read in their order, a batch at a
 * time, decoded side by side, and compared with their checksums; at last predictions are put back.
 */
#include "files/checkpoint/checkpoint.h"
#include "files/checkpoint/reader.h"

#include "base/numbers/byte_order.h"
#include "base/threads/parallel.h"

#include <stdlib.h>
#include <string.h>

/* ---- chunks --------------------------------------------------------------------------------------- */

/* Bytes that are stored as they are need no second checksum. */
static chunk_outcome decode_slot_bytes(const decode_slot *slot)
{
  const chunk_entry *chunk = slot->chunk;
  uint32_t crc32 = format_crc32(slot->stored, chunk->stored_length);
  if (crc32 != chunk->stored_crc32) return CHUNK_STORED_CRC;
  if (slot->stored != slot->raw) {
    if (!chunk_decode(slot->decoder, slot->stored, chunk->stored_length, (chunk_encoding)chunk->encoding, slot->raw,
                      &slot->shape))
      return CHUNK_STREAM;
    crc32 = format_crc32(slot->raw, slot->shape.length);
  }
  little_endian_numbers(slot->raw, slot->shape.length / slot->shape.element, slot->shape.element);
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
  floc_status status = chunk_decoder_create(in->env, in->greatest_raw, &slot->decoder);
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
  slot->raw = in->data[at->section] + at->index * slot->section->chunk_length;
  slot->stored = slot->chunk->encoding == CHUNK_PLAIN ? slot->raw : slot->buffer;
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
      [CHUNK_STORED_CRC] = READER_STORED_BYTES_WRONG,
      [CHUNK_STREAM] = "the stored bytes cannot be decompressed",
      [CHUNK_RAW_CRC] = "the checksum of the decompressed bytes is wrong",
  };
  for (size_t k = 0; k < filled; k++) {
    const decode_slot *slot = &in->slot[k];
    if (slot->outcome != CHUNK_GOOD) return reader_damaged(in, slot->section, slot->offset, fault[slot->outcome]);
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
  return status == FLOC_DAMAGED_FILE ? reader_damaged(in, damage.entry, damage.offset, damage.reason) : status;
}

static void reader_free(reader *in)
{
  free_slots(in);
  memory_free(in->env, in->contents, (size_t)in->header.contents_length);
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
    file->sections.item[k].any_order = (entry->flags & SECTION_ANY_ORDER) != 0;
  }
  return FLOC_OK;
}

static floc_status read_checkpoint(checkpoint *file)
{
  floc_status status = reader_read_contents(&file->in);
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

/* An integer with the order of the doubles, in which everything has its place. */
static int64_t rank_of(double number)
{
  int64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits ^ ((bits >> 63) & INT64_MAX);
}

static int compare_rows(const void *a, const void *b)
{
  const double *left = a, *right = b;
  for (int k = 0; k < 2; k++) {
    int64_t first = rank_of(left[k]), second = rank_of(right[k]);
    if (first != second) return first < second ? -1 : 1;
  }
  return 0;
}

void checkpoint_sort_rows(checkpoint *file)
{
  for (int32_t k = 0; k < file->sections.count; k++) {
    section *part = &file->sections.item[k];
    if (part->any_order && part->rows > 0)
      qsort(file->in.data[k], (size_t)part->rows, (size_t)part->columns * sizeof(double), compare_rows);
    part->any_order = false;
  }
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
  const section_entry *entry = &file->in.entry[index];
  bool may_be_sorted = (entry->flags & SECTION_ANY_ORDER) && entry->raw_length > 0;
  return may_be_sorted ? format_numbers_crc32(file->in.data[index], (size_t)entry->raw_length, sizeof(double))
                       : entry->raw_crc32;
}
