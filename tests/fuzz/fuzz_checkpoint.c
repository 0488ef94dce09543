/*
 * Fuzz target of the checkpoint reader: any bytes at all must be read or refused with a message that names
 * the file, take no more memory than their own length accounts for, and leave none.
 *
 * Random bytes never have the right checksums, so nearly all of them would end at the first check. An input
 * is therefore tried twice: as it is, and with the checksums of header, contents and stored chunks put
 * right, which leads on to the checks behind them and into the decompression.
 *
 * Build with clang and -DFLOC_FUZZ=ON, then: fuzz_checkpoint tests/corpus/checkpoint
 */
#include "fuzz_support.h"

#include "files/checkpoint/checkpoint.h"
#include "files/checkpoint/format.h"

#include <errno.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* ---- one file in memory --------------------------------------------------------------------------- */

typedef struct memory_file {
  const uint8_t *bytes;
  size_t size, position;
} memory_file;

static int open_read(void *context, const char *path, int *handle)
{
  (void)path;
  ((memory_file *)context)->position = 0;
  *handle = 0;
  return 0;
}

static int read_bytes(void *context, int handle, void *bytes, size_t size, size_t *got)
{
  (void)handle;
  memory_file *file = context;
  size_t left = file->position < file->size ? file->size - file->position : 0;
  *got = size < left ? size : left;
  if (*got > 0) memcpy(bytes, file->bytes + file->position, *got);
  file->position += *got;
  return 0;
}

static int seek(void *context, int handle, uint64_t offset)
{
  (void)handle;
  ((memory_file *)context)->position = (size_t)offset;
  return 0;
}

static int size_of(void *context, int handle, uint64_t *size)
{
  (void)handle;
  *size = ((memory_file *)context)->size;
  return 0;
}

static int close_file(void *context, int handle)
{
  (void)context;
  (void)handle;
  return 0;
}

/* ---- the target ----------------------------------------------------------------------------------- */

/* Looks at every byte that was read, so that the sanitizers see it too. */
static void look_at(const checkpoint *file)
{
  const section_list *sections = checkpoint_sections(file);
  (void)section_list_hash(sections);
  for (int32_t k = 0; k < sections->count; k++) {
    const section *part = &sections->item[k];
    demand(section_find(sections, part->name) == part, "names are unique");
    size_t element = section_type_size(part->type);
    demand(checkpoint_crc32(file, k) ==
               format_numbers_crc32(part->data, part->rows * part->columns * element, element),
           "the checksum is that of the data");
    (void)checkpoint_stored_bytes(file, k);
  }
}

static void try_to_read(const uint8_t *bytes, size_t size)
{
  memory_file content = {bytes, size, 0};
  file_layer layer = {.context = &content,
                      .open_read = open_read,
                      .read = read_bytes,
                      .seek = seek,
                      .size = size_of,
                      .close = close_file};
  count counter = {0};
  environment env = {.allocate = counting_allocate, .allocate_context = &counter, .threads = 1};
  checkpoint *file;
  floc_status status = checkpoint_open(&env, &layer, "fuzzed.floc", &file);
  if (status == FLOC_OK) {
    checkpoint_sort_rows(file);
    look_at(file);
    checkpoint_close(file);
  } else {
    demand(status == FLOC_DAMAGED_FILE || status == FLOC_WRONG_VERSION, "damage or version");
    demand(strstr(env.message, "fuzzed.floc") != NULL, "the message names the file");
  }
  demand(counter.held == 0, "all memory comes back");
  demand(counter.greatest <= 200000 + size * (6 * GREATEST_EXPANSION + 100), "memory is bounded by the length");
}

static void mend_chunks(uint8_t *bytes, size_t size, const file_header *header)
{
  size_t sections = (size_t)header->section_count * sizeof(section_entry);
  size_t predictions = (size_t)header->prediction_count * sizeof(prediction_entry);
  if (sections + predictions > header->contents_length) return;
  uint64_t offset = sizeof *header;
  for (size_t at = (size_t)header->contents_offset + sections; at + sizeof(chunk_entry) <= size - predictions;
       at += sizeof(chunk_entry)) {
    chunk_entry chunk;
    memcpy(&chunk, bytes + at, sizeof chunk);
    format_turn_contents((unsigned char *)&chunk, 0, 1, 0);
    if (offset + chunk.stored_length > size) return;
    chunk.stored_crc32 = format_crc32(bytes + offset, chunk.stored_length);
    offset += chunk.stored_length;
    format_turn_contents((unsigned char *)&chunk, 0, 1, 0);
    memcpy(bytes + at, &chunk, sizeof chunk);
  }
}

static void mend_checksums(uint8_t *bytes, size_t size)
{
  file_header header;
  memcpy(&header, bytes, sizeof header);
  format_turn_header(&header);
  memcpy(header.magic, FORMAT_MAGIC, sizeof header.magic);
  header.byte_order = FORMAT_BYTE_ORDER;
  header.version = FORMAT_VERSION;
  header.file_length = size;
  if (header.contents_length <= size && header.contents_offset <= size - header.contents_length) {
    mend_chunks(bytes, (size_t)(header.contents_offset + header.contents_length), &header);
    header.contents_crc32 = format_crc32(bytes + header.contents_offset, (size_t)header.contents_length);
  }
  header.header_crc32 = format_header_crc32(&header);
  format_turn_header(&header);
  memcpy(bytes, &header, sizeof header);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  try_to_read(bytes, size);
  if (size < sizeof(file_header)) return 0;
  uint8_t *mended = malloc(size);
  if (!mended) return 0;
  memcpy(mended, bytes, size);
  mend_checksums(mended, size);
  try_to_read(mended, size);
  free(mended);
  return 0;
}
