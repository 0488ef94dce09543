/*
 * One chunk of a section's raw bytes, to and from its stored form. What a chunk is, and the ways of storing it, are
 * specified in docs/checkpoint.md.
 *
 * Why this way: the low bytes of a double's mantissa are noise, its sign and exponent hardly vary. Byte planes (all
 * first bytes, all second bytes, ...) part the two: noise is copied, what is constant takes no space, the few
 * planes in between are compressed. That is many times faster than compressing everything, and smaller. Before,
 * each column is filtered where that helps: differences for sorted indices and neighbours' positions, signs out of
 * the way.
 *
 * The workspaces hold everything that coding needs. Coding itself allocates nothing, so that workspaces may
 * be used on several threads at once.
 */
#ifndef FLOC_FILES_CHECKPOINT_CHUNK_H
#define FLOC_FILES_CHECKPOINT_CHUNK_H

#include "base/environment.h"

typedef enum chunk_encoding {
  CHUNK_PLAIN = 0,       /* the raw bytes */
  CHUNK_PLANES = 1,      /* zlib stream of the byte planes; only read, files of format version 1 have it */
  CHUNK_DIFFERENCES = 2, /* the same of differences between rows */
  CHUNK_COLUMNS = 3      /* each column with its filter, each plane constant, plain or in one zlib stream */
} chunk_encoding;

typedef enum plane_storage { PLANE_CONSTANT = 0, PLANE_PLAIN = 1, PLANE_DEFLATED = 2 } plane_storage;

/* A chunk's stored bytes are never fewer than this, so that no file can claim more memory than its length accounts
 * for. Deflate cannot do better anyway: 258 bytes from two bits. */
enum { GREATEST_EXPANSION = 1032 };
static inline size_t chunk_least_stored(size_t raw_length)
{
  return (raw_length + GREATEST_EXPANSION - 1) / GREATEST_EXPANSION;
}

/* How the raw bytes of a chunk are made up. */
typedef struct chunk_shape {
  size_t length;  /* bytes; a multiple of stride */
  size_t stride;  /* bytes from a row to the next; a multiple of element */
  size_t element; /* bytes of one number: 1, 4 or 8 */
} chunk_shape;

typedef struct chunk_encoder chunk_encoder;
/* For chunks of up to `capacity` bytes. */
floc_status chunk_encoder_create(environment *env, size_t capacity, chunk_encoder **encoder);
void chunk_encoder_free(chunk_encoder *encoder);

/* stored points into the encoder, or at raw, until the next call; it is never longer than raw. */
typedef struct encoded_chunk {
  const unsigned char *stored;
  size_t stored_length;
  chunk_encoding encoding;
} encoded_chunk;
encoded_chunk chunk_encode(chunk_encoder *encoder, const unsigned char *raw, const chunk_shape *shape);

/* Without compression: the raw bytes where they are; but where all rows are equal, what marks that (CHUNK_COLUMNS,
 * every plane constant), in `head`, if there is space. */
enum { CHUNK_HEAD_SIZE = 1024 };
encoded_chunk chunk_encode_plain(const unsigned char *raw, const chunk_shape *shape,
                                 unsigned char head[CHUNK_HEAD_SIZE]);

typedef struct chunk_decoder chunk_decoder;
floc_status chunk_decoder_create(environment *env, size_t capacity, chunk_decoder **decoder);
void chunk_decoder_free(chunk_decoder *decoder);
/* Fills raw. False if the stored bytes do not give exactly shape->length bytes. */
bool chunk_decode(chunk_decoder *decoder, const unsigned char *stored, size_t stored_length,
                  chunk_encoding encoding, unsigned char *raw, const chunk_shape *shape);

#endif
