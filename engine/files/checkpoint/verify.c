/*
 * Comparing what the disk holds with what was written: checksums of the stored bytes, nothing is decompressed.
 *
 * The file is read in large pieces from its start into one window, where the system can past its cache: what is
 * looked at then is the disk's copy for certain, and the bytes are not copied on their way. For that, the window,
 * its offsets and lengths are multiples of a page.
 */
#include "files/checkpoint/reader.h"

enum { PAGE = 4096, WINDOW = 1 << 20 };

#define BLOCK_SIZE ((size_t)WINDOW + PAGE)

typedef struct window {
  open_file *file;
  uint64_t end; /* of what is wanted */
  unsigned char *bytes, *next;
  size_t left; /* from next on */
} window;

/* The next part of the file; the last may be read as far as its page goes, and may end with the file. */
static floc_status refill(window *seen)
{
  uint64_t wanted = seen->end - seen->file->offset;
  if (wanted > WINDOW) wanted = WINDOW;
  size_t got;
  floc_status status =
      file_read_between(seen->file, seen->bytes, (size_t)wanted, (size_t)(wanted + PAGE - 1) / PAGE * PAGE, &got);
  seen->next = seen->bytes;
  seen->left = got;
  return status;
}

static floc_status sum_bytes(window *seen, uint64_t count, uint32_t *crc32)
{
  uint32_t sum = 0;
  while (count > 0) {
    floc_status status = seen->left > 0 ? FLOC_OK : refill(seen);
    if (status != FLOC_OK) return status;
    size_t part = count < seen->left ? (size_t)count : seen->left;
    sum = format_crc32_go_on(sum, seen->next, part);
    seen->next += part;
    seen->left -= part;
    count -= part;
  }
  *crc32 = sum;
  return FLOC_OK;
}

/* The header has been looked at; it is read once more for the sake of whole pages. */
static floc_status pass_header(window *seen)
{
  floc_status status = refill(seen);
  if (status != FLOC_OK) return status;
  seen->next += sizeof(file_header);
  seen->left -= sizeof(file_header);
  return FLOC_OK;
}

static floc_status compare_chunks(const reader *in, window *seen)
{
  uint32_t crc32;
  uint64_t offset = sizeof(file_header);
  const chunk_entry *chunk = in->chunk;
  floc_status status = pass_header(seen);
  for (uint32_t k = 0; k < in->header.section_count; k++) {
    for (uint64_t count = format_chunk_count(&in->entry[k]); count > 0 && status == FLOC_OK; count--, chunk++) {
      status = sum_bytes(seen, chunk->stored_length, &crc32);
      if (status == FLOC_OK && crc32 != chunk->stored_crc32)
        status = reader_damaged(in, &in->entry[k], offset, READER_STORED_BYTES_WRONG);
      offset += chunk->stored_length;
    }
  }
  return status;
}

static floc_status verify_chunks(reader *in)
{
  if (in->chunk_count == 0) return FLOC_OK;
  unsigned char *block = memory_resize(in->env, NULL, 0, BLOCK_SIZE);
  if (!block) return refuse(in->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", BLOCK_SIZE);
  window seen = {.file = &in->file, .end = in->header.contents_offset};
  seen.bytes = block + (PAGE - (uintptr_t)block % PAGE) % PAGE;
  file_pass_cache(&in->file);
  floc_status status = file_seek(&in->file, 0);
  if (status == FLOC_OK) status = compare_chunks(in, &seen);
  memory_free(in->env, block, BLOCK_SIZE);
  return status;
}

floc_status checkpoint_verify(environment *env, const file_layer *layer, const char *path, file_header *header)
{
  reader in = {.env = env};
  floc_status status = file_open(env, layer, path, &in.file);
  if (status != FLOC_OK) return status;
  status = reader_read_contents(&in);
  if (status == FLOC_OK) status = verify_chunks(&in);
  layer->close(layer->context, in.file.handle);
  *header = in.header;
  memory_free(env, in.contents, (size_t)in.header.contents_length);
  return status;
}
