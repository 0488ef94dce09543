/*
 * Memory of zlib. See codec_memory.h. zlib's blocks carry their size in front, for the allocator's sake.
 */
#include "base/compression/codec_memory.h"

#include <string.h>

enum { BLOCK_HEAD = 64 };

static void *codec_allocate(void *context, unsigned count, unsigned size)
{
  codec_memory *memory = context;
  if (memory->frozen) return NULL;
  size_t bytes = (size_t)count * size + BLOCK_HEAD;
  char *block = memory_resize(memory->env, NULL, 0, bytes);
  if (!block) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  return block + BLOCK_HEAD;
}

static void codec_free(void *context, void *pointer)
{
  codec_memory *memory = context;
  char *block = (char *)pointer - BLOCK_HEAD;
  size_t bytes;
  memcpy(&bytes, block, sizeof bytes);
  memory_free(memory->env, block, bytes);
}

z_stream codec_stream(codec_memory *memory)
{
  return (z_stream){.zalloc = codec_allocate, .zfree = codec_free, .opaque = memory};
}

floc_status codec_out_of_memory(environment *env)
{
  return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: a workspace for compression was refused");
}
