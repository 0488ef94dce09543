/*
 * Coding of chunks. See chunk.h.
 *
 * Every byte plane gets the cheapest way of zlib that suits it, within one stream: noise is stored, a
 * constant plane is run-length coded, a skewed one gets Huffman codes alone, and one with repeated
 * patterns goes through the search for matches. Which one that is comes from the order-0 entropy of samples
 * and from trying one of them. Figures on one core (MB/s of plane bytes): stored 2400, runs 660, Huffman
 * 130, matches 50 to 100.
 *
 * The streams are bare (negative window bits): zlib's own Adler-32 would repeat what the CRCs do, and take
 * 15 percent of the time.
 */
#include "files/chunk.h"

#include "files/byte_planes.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

enum {
  SMALL_CHUNK = 2048, /* bytes below which planes are not looked at one by one */
  SAMPLE_ROWS = 1024, /* rows that decide about differences */
  SAMPLE_PIECES = 16, /* places of a plane where its entropy is taken, and bytes at each */
  SAMPLE_PIECE = 512,
  TRIAL_BYTES = 3072, /* bytes of a plane that are tried */
  WINDOW_BITS = -15,
  TRIAL_WINDOW_BITS = -12,
  MATCH_LEVEL = 4 /* zlib's level where matches pay */
};

/* Bits per byte above which a plane is stored. Huffman codes would take at most 22 percent off it, for the time
 * of storing twenty: on a dense packing's columns that is 2 percent of the file for 25 percent of the time. */
static const double NOISE_ENTROPY = 6.2;
/* A plane with more bits per byte and fewer repeated bytes than this is taken to have no patterns. */
static const double PATTERNLESS_ENTROPY = 5.5;
static const double PATTERNLESS_REPEATS = 0.1;
/* A choice must promise this share of the other's size to be taken. */
static const double WORTH_IT = 0.97;

typedef enum plane_method { METHOD_STORED, METHOD_RUNS, METHOD_HUFFMAN, METHOD_MATCHES } plane_method;

/* ---- memory of zlib ----------------------------------------------------------------------------- */

/* zlib's blocks carry their size in front, for the allocator's sake. Once `frozen`, allocation is refused:
 * the coding functions run on several threads, the allocator may not. */
typedef struct codec_memory {
  environment *env;
  bool frozen;
} codec_memory;

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

static z_stream codec_stream(codec_memory *memory)
{
  return (z_stream){.zalloc = codec_allocate, .zfree = codec_free, .opaque = memory};
}

static floc_status out_of_memory(environment *env)
{
  return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: a workspace for compression was refused");
}

/* ---- encoder ------------------------------------------------------------------------------------ */

struct chunk_encoder {
  codec_memory memory;
  size_t capacity;
  unsigned char *planes; /* [capacity] */
  unsigned char *stored; /* [capacity] */
  z_stream stream;
  z_stream trial; /* with a small window, for samples */
  bool has_stream, has_trial;
};

static bool encoder_init(chunk_encoder *encoder)
{
  environment *env = encoder->memory.env;
  encoder->planes = memory_resize(env, NULL, 0, encoder->capacity);
  encoder->stored = memory_resize(env, NULL, 0, encoder->capacity);
  encoder->stream = codec_stream(&encoder->memory);
  encoder->trial = codec_stream(&encoder->memory);
  encoder->has_stream =
      deflateInit2(&encoder->stream, MATCH_LEVEL, Z_DEFLATED, WINDOW_BITS, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  encoder->has_trial =
      deflateInit2(&encoder->trial, MATCH_LEVEL, Z_DEFLATED, TRIAL_WINDOW_BITS, 6, Z_DEFAULT_STRATEGY) == Z_OK;
  encoder->memory.frozen = true;
  return encoder->planes && encoder->stored && encoder->has_stream && encoder->has_trial;
}

floc_status chunk_encoder_create(environment *env, size_t capacity, chunk_encoder **encoder)
{
  *encoder = NULL;
  chunk_encoder *made = memory_resize(env, NULL, 0, sizeof *made);
  if (!made) return out_of_memory(env);
  *made = (chunk_encoder){.memory.env = env, .capacity = capacity > SMALL_CHUNK ? capacity : SMALL_CHUNK};
  if (!encoder_init(made)) {
    chunk_encoder_free(made);
    return out_of_memory(env);
  }
  *encoder = made;
  return FLOC_OK;
}

void chunk_encoder_free(chunk_encoder *encoder)
{
  if (!encoder) return;
  environment *env = encoder->memory.env;
  if (encoder->has_stream) deflateEnd(&encoder->stream);
  if (encoder->has_trial) deflateEnd(&encoder->trial);
  memory_free(env, encoder->planes, encoder->capacity);
  memory_free(env, encoder->stored, encoder->capacity);
  memory_free(env, encoder, sizeof *encoder);
}

/* Four histograms in turn: a run of equal bytes would otherwise wait for its own counter. */
static void histogram(const unsigned char *bytes, size_t size, uint32_t count[256])
{
  uint32_t part[4][256] = {{0}};
  size_t k = 0;
  for (; k + 4 <= size; k += 4)
    for (size_t lane = 0; lane < 4; lane++) part[lane][bytes[k + lane]]++;
  for (; k < size; k++) part[0][bytes[k]]++;
  for (size_t value = 0; value < 256; value++)
    count[value] = part[0][value] + part[1][value] + part[2][value] + part[3][value];
}

/* Bits per byte that an ideal order-0 code needs. */
static double entropy(const unsigned char *bytes, size_t size)
{
  uint32_t count[256];
  histogram(bytes, size, count);
  double bits = 0.0;
  for (size_t value = 0; value < 256; value++)
    if (count[value] > 0) bits += count[value] * log2((double)size / count[value]);
  return bits / (double)size;
}

/* Share of bytes that equal the one before. */
static double repeated_share(const unsigned char *bytes, size_t size)
{
  size_t equal = 0;
  for (size_t k = 1; k < size; k++) equal += bytes[k] == bytes[k - 1];
  return (double)equal / (double)size;
}

/* Bits per byte that the search for matches needs, from a sample in the middle. */
static double tried_bits(chunk_encoder *encoder, const unsigned char *plane, size_t size)
{
  unsigned char output[TRIAL_BYTES + 64];
  size_t sample = size < TRIAL_BYTES ? size : TRIAL_BYTES;
  z_stream *trial = &encoder->trial;
  deflateReset(trial);
  trial->next_in = (unsigned char *)(uintptr_t)(plane + (size - sample) / 2);
  trial->avail_in = (unsigned)sample;
  trial->next_out = output;
  trial->avail_out = sizeof output;
  if (deflate(trial, Z_FINISH) != Z_STREAM_END) return 8.0;
  return 8.0 * (double)trial->total_out / (double)sample;
}

/* Pieces from all over a plane, joined; returns their length. */
static size_t take_sample(const unsigned char *plane, size_t size,
                          unsigned char sample[SAMPLE_PIECES * SAMPLE_PIECE])
{
  if (size <= SAMPLE_PIECES * SAMPLE_PIECE) {
    memcpy(sample, plane, size);
    return size;
  }
  size_t step = (size - SAMPLE_PIECE) / (SAMPLE_PIECES - 1);
  for (size_t k = 0; k < SAMPLE_PIECES; k++) memcpy(sample + k * SAMPLE_PIECE, plane + k * step, SAMPLE_PIECE);
  return SAMPLE_PIECES * SAMPLE_PIECE;
}

static plane_method choose_method(chunk_encoder *encoder, const unsigned char *plane, size_t size)
{
  unsigned char sample[SAMPLE_PIECES * SAMPLE_PIECE];
  size_t sample_size = take_sample(plane, size, sample);
  double bits = entropy(sample, sample_size);
  if (bits == 0.0) return METHOD_RUNS;
  plane_method without_patterns = bits > NOISE_ENTROPY ? METHOD_STORED : METHOD_HUFFMAN;
  if (bits > PATTERNLESS_ENTROPY && repeated_share(sample, sample_size) < PATTERNLESS_REPEATS)
    return without_patterns;
  double huffman = bits > 1.0 ? bits : 1.0; /* no code is shorter than one bit */
  return tried_bits(encoder, plane, size) < WORTH_IT * huffman ? METHOD_MATCHES : without_patterns;
}

static double sum_of_entropies(const unsigned char *planes, const chunk_shape *shape)
{
  size_t rows = shape->length / shape->stride;
  double bits = 0.0;
  for (size_t k = 0; k < shape->stride; k++) bits += entropy(planes + k * rows, rows);
  return bits;
}

/* Do differences between rows need fewer bits than the rows? Decided on rows in the middle. */
static bool differences_pay(chunk_encoder *encoder, const unsigned char *raw, const chunk_shape *shape)
{
  size_t rows = shape->length / shape->stride;
  size_t sample = rows < SAMPLE_ROWS ? rows : SAMPLE_ROWS;
  const unsigned char *middle = raw + (rows - sample) / 2 * shape->stride;
  chunk_shape part = {sample * shape->stride, shape->stride, shape->element};
  byte_planes_split(middle, &part, false, encoder->planes);
  double as_it_is = sum_of_entropies(encoder->planes, &part);
  byte_planes_split(middle, &part, true, encoder->planes);
  return sum_of_entropies(encoder->planes, &part) < WORTH_IT * as_it_is;
}

static bool set_method(z_stream *stream, plane_method method)
{
  static const struct {
    int level, strategy;
  } parameters[] = {
      [METHOD_STORED] = {0, Z_DEFAULT_STRATEGY},
      [METHOD_RUNS] = {1, Z_RLE},
      [METHOD_HUFFMAN] = {1, Z_HUFFMAN_ONLY},
      [METHOD_MATCHES] = {MATCH_LEVEL, Z_DEFAULT_STRATEGY},
  };
  return deflateParams(stream, parameters[method].level, parameters[method].strategy) == Z_OK;
}

/* True if all planes went into less than `length` bytes of encoder->stored. */
static bool compress_planes(chunk_encoder *encoder, const chunk_shape *shape)
{
  z_stream *stream = &encoder->stream;
  size_t rows = shape->length / shape->stride;
  bool small = shape->length < SMALL_CHUNK;
  deflateReset(stream);
  stream->next_out = encoder->stored;
  stream->avail_out = (unsigned)shape->length - 1;
  for (size_t k = 0; k < shape->stride; k++) {
    unsigned char *plane = encoder->planes + k * rows;
    if (!set_method(stream, small ? METHOD_MATCHES : choose_method(encoder, plane, rows))) return false;
    stream->next_in = plane;
    stream->avail_in = (unsigned)rows;
    if (deflate(stream, Z_NO_FLUSH) != Z_OK || stream->avail_in > 0) return false;
  }
  return deflate(stream, Z_FINISH) == Z_STREAM_END;
}

encoded_chunk chunk_encode(chunk_encoder *encoder, const unsigned char *raw, const chunk_shape *shape)
{
  bool differences = differences_pay(encoder, raw, shape);
  byte_planes_split(raw, shape, differences, encoder->planes);
  if (!compress_planes(encoder, shape)) return (encoded_chunk){raw, shape->length, CHUNK_PLAIN};
  return (encoded_chunk){encoder->stored, encoder->stream.total_out,
                         differences ? CHUNK_DIFFERENCES : CHUNK_PLANES};
}

/* ---- decoder ------------------------------------------------------------------------------------ */

struct chunk_decoder {
  codec_memory memory;
  size_t capacity;
  unsigned char *planes; /* [capacity] */
  z_stream stream;
  bool has_stream;
};

floc_status chunk_decoder_create(environment *env, size_t capacity, chunk_decoder **decoder)
{
  *decoder = NULL;
  chunk_decoder *made = memory_resize(env, NULL, 0, sizeof *made);
  if (!made) return out_of_memory(env);
  *made = (chunk_decoder){.memory.env = env, .capacity = capacity};
  made->planes = memory_resize(env, NULL, 0, capacity);
  made->stream = codec_stream(&made->memory);
  made->has_stream = inflateInit2(&made->stream, WINDOW_BITS) == Z_OK;
  made->memory.frozen = true;
  if (!made->planes || !made->has_stream) {
    chunk_decoder_free(made);
    return out_of_memory(env);
  }
  *decoder = made;
  return FLOC_OK;
}

void chunk_decoder_free(chunk_decoder *decoder)
{
  if (!decoder) return;
  environment *env = decoder->memory.env;
  if (decoder->has_stream) inflateEnd(&decoder->stream);
  memory_free(env, decoder->planes, decoder->capacity);
  memory_free(env, decoder, sizeof *decoder);
}

/* The whole output has room, so zlib needs no window; it asks for one only where a stream ends too early,
 * and the refusal is then one more way to say so. */
static bool inflate_exactly(z_stream *stream, const unsigned char *stored, size_t stored_length,
                            unsigned char *planes, size_t length)
{
  inflateReset(stream);
  stream->next_in = (unsigned char *)(uintptr_t)stored;
  stream->avail_in = (unsigned)stored_length;
  stream->next_out = planes;
  stream->avail_out = (unsigned)length;
  return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->avail_in == 0 && stream->avail_out == 0;
}

bool chunk_decode(chunk_decoder *decoder, const unsigned char *stored, size_t stored_length,
                  chunk_encoding encoding, unsigned char *raw, const chunk_shape *shape)
{
  if (encoding == CHUNK_PLAIN) {
    if (stored_length != shape->length) return false;
    memcpy(raw, stored, stored_length);
    return true;
  }
  if (!inflate_exactly(&decoder->stream, stored, stored_length, decoder->planes, shape->length)) return false;
  byte_planes_join(decoder->planes, shape, encoding == CHUNK_DIFFERENCES, raw);
  return true;
}
