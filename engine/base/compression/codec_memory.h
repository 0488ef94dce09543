/*
 * zlib's memory through the environment: chunks of checkpoints, in both directions, and meshes.
 */
#ifndef FLOC_BASE_COMPRESSION_CODEC_MEMORY_H
#define FLOC_BASE_COMPRESSION_CODEC_MEMORY_H

#include "base/environment.h"

#include <zlib.h>

/* The streams of chunks are bare deflate: zlib's own Adler-32 would repeat what the CRCs do. */
enum { CODEC_WINDOW_BITS = -15 };

/* Once `frozen`, allocation is refused: the coding functions run on several threads, the allocator may not. */
typedef struct codec_memory {
  environment *env;
  bool frozen;
} codec_memory;

z_stream codec_stream(codec_memory *memory);
/* FLOC_OUT_OF_MEMORY with a message. */
floc_status codec_out_of_memory(environment *env);

#endif
