/*
 * Deflate blocks (RFC 1951) of runs and single bytes.
 *
 * Byte planes compress by two things: few values that are far more frequent than others, and runs of one value.
 * zlib's search for earlier sequences finds nothing more there, and takes ten times as long even when it is told
 * not to look. Here a plane becomes literals and repetitions of the byte before (distance 1), with Huffman codes of
 * its own; any inflate reads it. What does repeat in longer sequences goes through zlib (chunk_encode.c).
 */
#ifndef FLOC_FILES_RUN_CODER_H
#define FLOC_FILES_RUN_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUN_BLOCK = 1 << 16 }; /* bytes in a block, at most */

/* Where bits go; those that make no whole word yet wait. */
typedef struct bit_sink {
  unsigned char *next, *end;
  uint64_t bits;
  unsigned waiting;
} bit_sink;

typedef struct run_coder {
  uint16_t token[RUN_BLOCK + 1];
} run_coder;

/* Appends blocks, none of them the last; false if there is no room. */
bool run_coder_write(run_coder *coder, bit_sink *sink, const unsigned char *bytes, size_t size);
/* An empty block that ends at a whole byte: whatever comes next may begin there. False if there is no room. */
bool bit_sink_align(bit_sink *sink);
/* An empty last block. */
bool bit_sink_finish(bit_sink *sink);

#endif
