/*
 * Writing a checkpoint. See checkpoint.h, and docs/checkpoint.md for the bytes.
 *
 * Chunks of all sections form one sequence. A batch of them is compressed side by side, then written in
 * order; the batch's size depends on the number of threads, the bytes of the file do not. The header goes
 * in last: until then the file says of itself that it was never finished.
 */
#include "files/checkpoint/checkpoint.h"

#include "base/fields.h"
#include "base/numbers/byte_order.h"
#include "base/threads/parallel.h"
#include "files/checkpoint/format.h"
#include "files/new_file.h"

#include <stdio.h>
#include <string.h>

typedef struct encode_slot {
  chunk_encoder *encoder;              /* NULL without compression */
  unsigned char head[CHUNK_HEAD_SIZE]; /* used without compression */
  const unsigned char *raw;
  unsigned char *left; /* [greatest_left] what predictions leave of the raw bytes, in the file's byte order */
  uint32_t section;
  uint64_t first_row;
  chunk_shape shape;
  encoded_chunk result;
  chunk_entry entry;
} encode_slot;

typedef struct writer {
  environment *env;
  bool is_plain; /* without compression */
  const section_list *sections;
  new_file made;
  file_header header;
  unsigned char *contents; /* [contents_capacity]: the entries of all sections, then of chunks, of predictions */
  size_t contents_capacity;
  section_entry *entry;
  chunk_entry *chunk;
  uint64_t chunk_count;
  prediction_entry *prediction;
  predictor *by; /* [header.prediction_count] */
  size_t by_capacity;
  size_t greatest_left; /* raw bytes of a chunk that is not encoded from where it lies */
  encode_slot *slot;
  size_t slot_count;
  size_t greatest_chunk; /* raw bytes */
} writer;

/* ---- what will be written ------------------------------------------------------------------------- */

static floc_status check_section(environment *env, const section *given, uint64_t *raw_length)
{
  if (!format_name_is_good(given->name)) {
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "section name \"%.63s\" cannot be stored; it must be 1 to 63 bytes without control characters",
                  given->name);
  }
  if (section_type_size(given->type) == 0) {
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "section \"%s\": type \"%.8s\" cannot be stored; it must be f64, i64, u64, i32 or u8",
                  given->name, given->type);
  }
  if (!format_raw_length(given->type, given->rows, given->columns, raw_length)) {
    return refuse(env, FLOC_LIMIT_EXCEEDED, "section \"%s\": %llu x %llu numbers exceed the address space",
                  given->name, (unsigned long long)given->rows, (unsigned long long)given->columns);
  }
  if (!given->data && *raw_length > 0)
    return refuse(env, FLOC_INVALID_ARGUMENT, "section \"%s\": data is NULL", given->name);
  if (given->any_order && (strcmp(given->type, "f64") != 0 || given->columns < 2))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "section \"%s\" is %llu columns of %.8s; only rows of two or more f64 may be unordered",
                  given->name, (unsigned long long)given->columns, given->type);
  return FLOC_OK;
}

static floc_status check_sections(environment *env, const section_list *sections)
{
  for (int32_t k = 0; k < sections->count; k++) {
    uint64_t raw_length;
    floc_status status = check_section(env, &sections->item[k], &raw_length);
    if (status != FLOC_OK) return status;
  }
  int64_t duplicate;
  const char *names = sections->count > 0 ? sections->item[0].name : "";
  floc_status status = format_find_duplicate(env, names, sizeof(section), (size_t)sections->count, &duplicate);
  if (status == FLOC_OK && duplicate >= 0) {
    status = refuse(env, FLOC_ALREADY_EXISTS, "section \"%s\" is listed twice; names must differ",
                    sections->item[duplicate].name);
  }
  return status;
}

static section_entry entry_of(const section *given, bool is_plain)
{
  section_entry entry = {.rows = given->rows, .columns = given->columns};
  snprintf(entry.name, sizeof entry.name, "%s", given->name);
  snprintf(entry.type, sizeof entry.type, "%s", given->type);
  entry.flags = (given->is_state ? SECTION_IS_STATE : 0u) | (given->any_order ? SECTION_ANY_ORDER : 0u);
  format_raw_length(entry.type, entry.rows, entry.columns, &entry.raw_length);
  format_choose_chunks(&entry, is_plain ? PLAIN_CHUNK_BYTES : CHUNK_BYTES);
  return entry;
}

/* predictions: how many there may be. */
static floc_status prepare_contents(writer *out, size_t predictions)
{
  size_t section_count = (size_t)out->sections->count;
  for (size_t k = 0; k < section_count; k++) {
    section_entry entry = entry_of(&out->sections->item[k], out->is_plain);
    uint64_t longest = entry.raw_length < entry.chunk_length ? entry.raw_length : entry.chunk_length;
    if (longest > out->greatest_chunk) out->greatest_chunk = (size_t)longest;
    if (MACHINE_IS_BIG_ENDIAN) out->greatest_left = out->greatest_chunk;
    out->chunk_count += format_chunk_count(&entry);
  }
  size_t known = section_count * sizeof(section_entry) + (size_t)out->chunk_count * sizeof(chunk_entry);
  size_t size = known + predictions * sizeof(prediction_entry);
  out->header.contents_length = known;
  if (size == 0) return FLOC_OK;
  out->contents_capacity = size;
  out->contents = memory_resize(out->env, NULL, 0, size);
  if (!out->contents)
    return refuse(out->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes for a table of contents were refused",
                  size);
  out->entry = (section_entry *)(void *)out->contents;
  out->chunk = (chunk_entry *)(void *)(out->contents + section_count * sizeof(section_entry));
  out->prediction = (prediction_entry *)(void *)(out->contents + known);
  for (size_t k = 0; k < section_count; k++) out->entry[k] = entry_of(&out->sections->item[k], out->is_plain);
  return FLOC_OK;
}

/* ---- predictions ---------------------------------------------------------------------------------- */

static bool find_number(const writer *out, const char *name, uint32_t *number)
{
  const section *found = section_find(out->sections, name);
  if (found) *number = (uint32_t)(found - out->sections->item);
  return found != NULL;
}

static bool make_entry(const writer *out, const prediction *given, prediction_entry *entry)
{
  *entry = (prediction_entry){.kind = (uint32_t)given->kind, .column = given->column};
  memcpy(entry->period, given->period, sizeof entry->period);
  bool found = find_number(out, given->section, &entry->section);
  for (; found && entry->source_count < PREDICTION_SOURCES && given->source[entry->source_count];
       entry->source_count++)
    found = find_number(out, given->source[entry->source_count], &entry->source[entry->source_count]);
  return found;
}

/* In the order of sections, and of kinds within them? */
static bool is_in_order(const writer *out, const prediction_entry *entry)
{
  if (out->header.prediction_count == 0) return true;
  const prediction_entry *last = &out->prediction[out->header.prediction_count - 1];
  return entry->section > last->section || (entry->section == last->section && entry->kind > last->kind);
}

/* Takes a prediction into the contents if it can be made. */
static floc_status try_prediction(writer *out, const prediction_entry *entry, const void *const *data)
{
  section_entry *target = &out->entry[entry->section];
  uint32_t number = out->header.prediction_count, flags = target->flags;
  target->flags |= SECTION_IS_PREDICTED;
  floc_status status = FLOC_NOT_FOUND;
  predictor *by = &out->by[number];
  if (!prediction_fault(entry, out->entry, out->header.section_count))
    status = predictor_init(by, out->env, entry, out->entry, data);
  if (status == FLOC_OK) status = predictor_find_rows(by, out->env, data[entry->section], target->rows);
  if (status == FLOC_OK) {
    out->prediction[out->header.prediction_count++] = *entry;
    out->header.contents_length += sizeof *entry;
    uint64_t longest = target->raw_length < target->chunk_length ? target->raw_length : target->chunk_length;
    if (longest > out->greatest_left) out->greatest_left = (size_t)longest;
    return FLOC_OK;
  }
  predictor_free(by, out->env);
  target->flags = flags;
  return status == FLOC_NOT_FOUND ? FLOC_OK : status;
}

static floc_status prepare_predictions(writer *out, const prediction *given, int32_t count)
{
  if (count == 0) return FLOC_OK;
  size_t sections = (size_t)out->sections->count, bytes = sections * sizeof(void *);
  out->by_capacity = (size_t)count;
  out->by = memory_resize(out->env, NULL, 0, out->by_capacity * sizeof *out->by);
  const void **data = memory_resize(out->env, NULL, 0, bytes + 1);
  floc_status status = FLOC_OK;
  if (out->by) memset(out->by, 0, out->by_capacity * sizeof *out->by);
  if (!out->by || !data)
    status = refuse(out->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  for (size_t k = 0; k < sections && data; k++) data[k] = out->sections->item[k].data;
  for (int32_t k = 0; k < count && status == FLOC_OK; k++) {
    prediction_entry entry;
    if (make_entry(out, &given[k], &entry) && is_in_order(out, &entry)) status = try_prediction(out, &entry, data);
  }
  memory_free(out->env, data, bytes + 1);
  return status;
}

static void free_predictions(writer *out)
{
  for (size_t k = 0; out->by && k < out->by_capacity; k++) predictor_free(&out->by[k], out->env);
  memory_free(out->env, out->by, out->by_capacity * sizeof *out->by);
}

/* Makes the slot's raw bytes into what predictions leave of them, the last one first, in the file's byte order. */
static const unsigned char *bytes_to_encode(const writer *out, encode_slot *slot)
{
  if (!(out->entry[slot->section].flags & SECTION_IS_PREDICTED) && !MACHINE_IS_BIG_ENDIAN) return slot->raw;
  memcpy(slot->left, slot->raw, slot->shape.length);
  for (uint32_t k = out->header.prediction_count; k-- > 0;)
    if (out->by[k].entry.section == slot->section)
      predictor_take_off(&out->by[k], slot->first_row, slot->shape.length / slot->shape.stride, slot->left);
  little_endian_numbers(slot->left, slot->shape.length / slot->shape.element, slot->shape.element);
  return slot->left;
}

/* ---- workspaces ----------------------------------------------------------------------------------- */

static floc_status prepare_slot(writer *out, encode_slot *slot)
{
  floc_status status = FLOC_OK;
  if (!out->is_plain) status = chunk_encoder_create(out->env, out->greatest_chunk, &slot->encoder);
  if (status != FLOC_OK || out->greatest_left == 0) return status;
  slot->left = memory_resize(out->env, NULL, 0, out->greatest_left);
  if (slot->left) return FLOC_OK;
  return refuse(out->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", out->greatest_left);
}

static floc_status prepare_slots(writer *out)
{
  size_t count = format_batch_size(out->env, out->chunk_count);
  if (count == 0) return FLOC_OK;
  out->slot = memory_resize(out->env, NULL, 0, count * sizeof *out->slot);
  if (!out->slot)
    return refuse(out->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", count * sizeof *out->slot);
  memset(out->slot, 0, count * sizeof *out->slot);
  out->slot_count = count;
  floc_status status = FLOC_OK;
  for (size_t k = 0; k < count && status == FLOC_OK; k++) status = prepare_slot(out, &out->slot[k]);
  return status;
}

static void free_slots(writer *out)
{
  for (size_t k = 0; k < out->slot_count; k++) {
    chunk_encoder_free(out->slot[k].encoder);
    memory_free(out->env, out->slot[k].left, out->greatest_left);
  }
  memory_free(out->env, out->slot, out->slot_count * sizeof *out->slot);
  out->slot = NULL;
  out->slot_count = 0;
}

/* ---- chunks --------------------------------------------------------------------------------------- */

static void encode_slots(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  writer *out = context;
  for (int64_t k = begin; k < end; k++) {
    encode_slot *slot = &out->slot[k];
    const unsigned char *bytes = bytes_to_encode(out, slot);
    slot->result = out->is_plain ? chunk_encode_plain(bytes, &slot->shape, slot->head)
                                 : chunk_encode(slot->encoder, bytes, &slot->shape);
    slot->entry.stored_length = (uint32_t)slot->result.stored_length;
    slot->entry.encoding = (uint32_t)slot->result.encoding;
    slot->entry.stored_crc32 = format_crc32(slot->result.stored, slot->result.stored_length);
    bool is_raw = slot->result.stored == slot->raw;
    slot->entry.raw_crc32 = is_raw ? slot->entry.stored_crc32
                                   : format_numbers_crc32(slot->raw, slot->shape.length, slot->shape.element);
  }
}

/* Walks through the chunks of all sections. */
typedef struct chunk_position {
  size_t section;
  uint64_t index; /* of the chunk within the section */
} chunk_position;

/* Gives the next chunks to the slots, as many as there are; returns how many. */
static size_t fill_slots(writer *out, chunk_position *at)
{
  size_t filled = 0;
  while (filled < out->slot_count && at->section < out->header.section_count) {
    const section_entry *entry = &out->entry[at->section];
    if (at->index >= format_chunk_count(entry)) {
      *at = (chunk_position){at->section + 1, 0};
      continue;
    }
    encode_slot *slot = &out->slot[filled++];
    const unsigned char *data = out->sections->item[at->section].data;
    slot->raw = data + at->index * entry->chunk_length;
    slot->section = (uint32_t)at->section;
    slot->first_row = at->index * (entry->chunk_length / entry->stride);
    slot->shape = format_chunk_shape(entry, at->index++);
  }
  return filled;
}

static floc_status write_slots(writer *out, size_t filled, uint64_t first_chunk)
{
  for (size_t k = 0; k < filled; k++) {
    const encode_slot *slot = &out->slot[k];
    out->chunk[first_chunk + k] = slot->entry;
    floc_status status = file_write(&out->made.file, slot->result.stored, slot->result.stored_length);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status write_chunks(writer *out)
{
  chunk_position at = {0, 0};
  for (uint64_t done = 0; done < out->chunk_count;) {
    size_t filled = fill_slots(out, &at);
    parallel_for(out->env, (int64_t)filled, 1, encode_slots, out);
    floc_status status = write_slots(out, filled, done);
    if (status != FLOC_OK) return status;
    done += filled;
  }
  return FLOC_OK;
}

/* ---- contents and header -------------------------------------------------------------------------- */

static void sum_up_sections(writer *out)
{
  uint64_t offset = sizeof(file_header);
  const chunk_entry *chunk = out->chunk;
  for (uint32_t k = 0; k < out->header.section_count; k++) {
    section_entry *entry = &out->entry[k];
    entry->offset = offset;
    uint64_t count = format_chunk_count(entry);
    for (uint64_t index = 0; index < count; index++, chunk++) {
      size_t length = format_chunk_shape(entry, index).length;
      entry->raw_crc32 = format_crc32_join(entry->raw_crc32, chunk->raw_crc32, length);
      entry->stored_length += chunk->stored_length;
    }
    offset += entry->stored_length;
  }
}

static void finish_header(writer *out)
{
  file_header *header = &out->header;
  header->contents_offset = out->made.file.offset;
  header->file_length = header->contents_offset + header->contents_length;
  format_turn_contents(out->contents, header->section_count, (size_t)out->chunk_count, header->prediction_count);
  header->contents_crc32 = format_crc32(out->contents, (size_t)header->contents_length);
  header->header_crc32 = format_header_crc32(header);
}

static floc_status write_header(writer *out)
{
  file_header header = out->header;
  format_turn_header(&header);
  return file_write(&out->made.file, &header, sizeof header);
}

static floc_status write_all(writer *out)
{
  floc_status status = write_header(out);
  if (status == FLOC_OK) status = write_chunks(out);
  if (status != FLOC_OK) return status;
  sum_up_sections(out);
  finish_header(out);
  status = file_write(&out->made.file, out->contents, (size_t)out->header.contents_length);
  if (status == FLOC_OK) status = file_seek(&out->made.file, 0);
  if (status == FLOC_OK) status = write_header(out);
  return status == FLOC_OK ? new_file_close(&out->made) : status;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

/* Environment, sections and is_plain are there. */
static floc_status writer_init(writer *out, const prediction *predictions, int32_t count)
{
  const section_list *sections = out->sections;
  floc_status status = check_sections(out->env, sections);
  if (status != FLOC_OK) return status;
  out->header = (file_header){
      .byte_order = FORMAT_BYTE_ORDER, .version = FORMAT_VERSION, .section_count = (uint32_t)sections->count};
  memcpy(out->header.magic, FORMAT_MAGIC, sizeof out->header.magic);
  snprintf(out->header.library, sizeof out->header.library, "%s", floc_version());
  status = prepare_contents(out, (size_t)count);
  if (status == FLOC_OK) status = prepare_predictions(out, predictions, count);
  return status == FLOC_OK ? prepare_slots(out) : status;
}

static void writer_free(writer *out)
{
  free_slots(out);
  free_predictions(out);
  memory_free(out->env, out->contents, out->contents_capacity);
}

/* The contents hold the CRCs of everything else, so equal headers mean equal files. */
static floc_status verify(writer *out)
{
  const open_file *file = &out->made.file;
  file_header found;
  floc_status status = checkpoint_verify(out->env, file->layer, out->made.temporary, &found);
  bool is_damage = status == FLOC_DAMAGED_FILE || status == FLOC_WRONG_VERSION;
  if (status == FLOC_OK && memcmp(&found, &out->header, sizeof found) == 0) return FLOC_OK;
  if (status != FLOC_OK && !is_damage) return status;
  char reason[MESSAGE_SIZE];
  snprintf(reason, sizeof reason, "%s", status == FLOC_OK ? "the header differs" : out->env->message);
  return refuse(out->env, FLOC_FILE_ERROR,
                "%.200s: verification failed, the file that was read back is not the one that was written: %.250s",
                file_shown_path(file->path), reason);
}

static floc_status write_verify_rename(writer *out, const file_layer *layer, const char *path, int32_t keep)
{
  floc_status status = new_file_create(out->env, layer, path, &out->made);
  if (status == FLOC_OK) status = write_all(out);
  if (status == FLOC_OK) {
    free_slots(out); /* so that their memory does not add to that of verification */
    status = verify(out);
  }
  if (status == FLOC_OK) status = new_file_rotate(&out->made, keep, checkpoint_is_replaceable);
  new_file_end(&out->made);
  return status;
}

static floc_status write_checkpoint(writer *out, const file_layer *layer, const char *path, int32_t keep,
                                    const prediction *predictions, int32_t count)
{
  environment *env = out->env;
  floc_status status = fields_check_value(env, &arguments_world_save, "keep", keep);
  if (status != FLOC_OK) return status;
  status = writer_init(out, predictions, count);
  if (status == FLOC_OK) status = write_verify_rename(out, layer, path, keep);
  writer_free(out);
  return status;
}

floc_status checkpoint_write_predicted(environment *env, const file_layer *layer, const char *path, int32_t keep,
                                       const section_list *sections, const prediction *predictions, int32_t count)
{
  writer out = {.env = env, .sections = sections};
  return write_checkpoint(&out, layer, path, keep, predictions, count);
}

floc_status checkpoint_write(environment *env, const file_layer *layer, const char *path, int32_t keep,
                             const section_list *sections)
{
  return checkpoint_write_predicted(env, layer, path, keep, sections, NULL, 0);
}

floc_status checkpoint_write_plain(environment *env, const file_layer *layer, const char *path, int32_t keep,
                                   const section_list *sections)
{
  writer out = {.env = env, .sections = sections, .is_plain = true};
  return write_checkpoint(&out, layer, path, keep, NULL, 0);
}
