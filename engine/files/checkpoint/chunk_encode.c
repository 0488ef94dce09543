/*
 * Encoding of chunks. See chunk.h.
 *
 * The stored bytes are made in order: the head (what filter each column has and how each plane is stored) is filled
 * in while plain planes are copied behind it; the planes that are worth compressing stay where they were made, and
 * go through zlib at the end, each in its way, in one stream.
 */
#include "base/compression/codec_memory.h"
#include "files/checkpoint/byte_planes.h"
#include "files/checkpoint/chunk.h"
#include "files/checkpoint/plane_choice.h"

#include <string.h>

enum {
  SMALL_PLANE = 256, /* bytes below which matches are searched for without a look */
  MATCH_LEVEL = 4,   /* zlib's level where matches pay */
  MEMORY_LEVEL = 8
};

struct chunk_encoder {
  codec_memory memory;
  size_t capacity;
  unsigned char *planes; /* [capacity] */
  unsigned char *stored; /* [capacity] */
  plane_choice choice;
  z_stream stream;
  bool has_stream;
};

static bool encoder_init(chunk_encoder *encoder)
{
  environment *env = encoder->memory.env;
  encoder->planes = memory_resize(env, NULL, 0, encoder->capacity);
  encoder->stored = memory_resize(env, NULL, 0, encoder->capacity);
  encoder->stream = codec_stream(&encoder->memory);
  encoder->has_stream = deflateInit2(&encoder->stream, MATCH_LEVEL, Z_DEFLATED, CODEC_WINDOW_BITS, MEMORY_LEVEL,
                                     Z_DEFAULT_STRATEGY) == Z_OK;
  encoder->memory.frozen = true;
  plane_choice_init(&encoder->choice);
  return encoder->planes && encoder->stored && encoder->has_stream;
}

floc_status chunk_encoder_create(environment *env, size_t capacity, chunk_encoder **encoder)
{
  *encoder = NULL;
  chunk_encoder *made = memory_resize(env, NULL, 0, sizeof *made);
  if (!made) return codec_out_of_memory(env);
  made->memory = (codec_memory){.env = env};
  made->capacity = capacity;
  made->has_stream = false;
  if (!encoder_init(made)) {
    chunk_encoder_free(made);
    return codec_out_of_memory(env);
  }
  *encoder = made;
  return FLOC_OK;
}

void chunk_encoder_free(chunk_encoder *encoder)
{
  if (!encoder) return;
  environment *env = encoder->memory.env;
  if (encoder->has_stream) deflateEnd(&encoder->stream);
  memory_free(env, encoder->planes, encoder->capacity);
  memory_free(env, encoder->stored, encoder->capacity);
  memory_free(env, encoder, sizeof *encoder);
}

/* ---- the head and the planes as they are --------------------------------------------------------- */

/* Where the next stored byte goes, and where space ends. */
typedef struct room {
  unsigned char *next, *end;
} room;

static bool copy_plane(room *left, const unsigned char *plane, size_t rows)
{
  if (rows > (size_t)(left->end - left->next)) return false;
  memcpy(left->next, plane, rows);
  left->next += rows;
  return true;
}

/* Describes one column's planes in the head and copies those that are plain. False if it does not fit. */
static bool place_planes(chunk_encoder *encoder, const unsigned char *planes, const column_shape *column,
                         const unsigned char changed[8], unsigned char *head, room *left)
{
  bool asked = column->rows < SMALL_PLANE, repeats = asked;
  for (size_t k = 0; k < column->element; k++, head += 2) {
    const unsigned char *plane = planes + k * column->rows;
    head[0] = PLANE_CONSTANT;
    head[1] = 0;
    if (!changed[k]) {
      head[1] = plane[0];
      continue;
    }
    if (!asked) repeats = plane_choice_repeats(&encoder->choice, plane, column->rows);
    asked = true;
    plane_way way = plane_choice_way(&encoder->choice, plane, column->rows, repeats);
    head[0] = way == WAY_RAW ? PLANE_PLAIN : PLANE_DEFLATED;
    head[1] = way == WAY_RAW ? 0 : (unsigned char)way;
    if (way == WAY_RAW && !copy_plane(left, plane, column->rows)) return false;
  }
  return true;
}

static bool place_columns(chunk_encoder *encoder, const unsigned char *raw, const chunk_shape *shape, room *left)
{
  column_shape column = {shape->length / shape->stride, shape->stride, shape->element, FILTER_NONE};
  unsigned char *head = encoder->stored;
  for (size_t place = 0; place < shape->stride; place += shape->element) {
    unsigned char *planes = encoder->planes + place * column.rows;
    column.filter = plane_choice_filter(&encoder->choice, raw + place, &column);
    *head++ = (unsigned char)column.filter;
    uint64_t varies = byte_planes_split(raw + place, &column, planes);
    unsigned char changed[8];
    memcpy(changed, &varies, sizeof changed);
    if (!place_planes(encoder, planes, &column, changed, head, left)) return false;
    head += 2 * shape->element;
  }
  return true;
}

/* ---- the planes that are compressed -------------------------------------------------------------- */

/* The planes' numbers: in the head, a column has a byte for the filter and two for each plane. */
static unsigned char *head_of_plane(const chunk_encoder *encoder, size_t plane, size_t element)
{
  return encoder->stored + plane / element + 1 + 2 * plane;
}

static bool set_way(z_stream *stream, unsigned char way)
{
  static const struct {
    int level, strategy;
  } parameters[] = {
      [WAY_RUNS] = {1, Z_RLE},
      [WAY_HUFFMAN] = {1, Z_HUFFMAN_ONLY},
      [WAY_MATCHES] = {MATCH_LEVEL, Z_DEFAULT_STRATEGY},
  };
  return deflateParams(stream, parameters[way].level, parameters[way].strategy) == Z_OK;
}

/* The head says for the moment which way a compressed plane goes; the reader need not know. */
static bool deflate_planes(chunk_encoder *encoder, const chunk_shape *shape, room *left)
{
  z_stream *stream = &encoder->stream;
  size_t rows = shape->length / shape->stride;
  bool any = false;
  for (size_t k = 0; k < shape->stride; k++) {
    unsigned char *head = head_of_plane(encoder, k, shape->element);
    if (head[0] != PLANE_DEFLATED) continue;
    if (!any) {
      deflateReset(stream);
      stream->next_out = left->next;
      stream->avail_out = (unsigned)(left->end - left->next);
    }
    any = true;
    if (!set_way(stream, head[1])) return false;
    head[1] = 0;
    stream->next_in = encoder->planes + k * rows;
    stream->avail_in = (unsigned)rows;
    if (deflate(stream, Z_NO_FLUSH) != Z_OK || stream->avail_in > 0) return false;
  }
  if (any && deflate(stream, Z_FINISH) != Z_STREAM_END) return false;
  if (any) left->next = stream->next_out;
  return true;
}

/* ---- rows that are all equal ------------------------------------------------------------------------ */

static size_t head_length(const chunk_shape *shape)
{
  return shape->stride / shape->element + 2 * shape->stride;
}

static bool rows_are_equal(const unsigned char *raw, const chunk_shape *shape)
{
  return memcmp(raw, raw + shape->stride, shape->length - shape->stride) == 0;
}

/* Bytes that equal rows take. */
static size_t equal_rows_length(const chunk_shape *shape)
{
  size_t used = head_length(shape), least = chunk_least_stored(shape->length);
  return used < least ? least : used;
}

static encoded_chunk encode_equal_rows(const unsigned char *raw, const chunk_shape *shape, unsigned char *stored)
{
  size_t length = equal_rows_length(shape);
  memset(stored, 0, length);
  unsigned char *at = stored;
  for (size_t k = 0; k < shape->stride; k++, at += 2) {
    if (k % shape->element == 0) *at++ = FILTER_NONE;
    at[0] = PLANE_CONSTANT;
    at[1] = raw[k];
  }
  return (encoded_chunk){stored, length, CHUNK_COLUMNS};
}

encoded_chunk chunk_encode_plain(const unsigned char *raw, const chunk_shape *shape,
                                 unsigned char head[CHUNK_HEAD_SIZE])
{
  size_t length = equal_rows_length(shape);
  if (length < shape->length && length <= CHUNK_HEAD_SIZE && rows_are_equal(raw, shape))
    return encode_equal_rows(raw, shape, head);
  return (encoded_chunk){raw, shape->length, CHUNK_PLAIN};
}

/* ---- the whole -------------------------------------------------------------------------------------- */

encoded_chunk chunk_encode(chunk_encoder *encoder, const unsigned char *raw, const chunk_shape *shape)
{
  const encoded_chunk plain = {raw, shape->length, CHUNK_PLAIN};
  if (head_length(shape) >= shape->length) return plain;
  if (rows_are_equal(raw, shape)) return encode_equal_rows(raw, shape, encoder->stored);
  room left = {encoder->stored + head_length(shape), encoder->stored + shape->length - 1};
  if (!place_columns(encoder, raw, shape, &left) || !deflate_planes(encoder, shape, &left)) return plain;
  size_t used = (size_t)(left.next - encoder->stored), least = chunk_least_stored(shape->length);
  if (used < least) memset(left.next, 0, least - used);
  return (encoded_chunk){encoder->stored, used < least ? least : used, CHUNK_COLUMNS};
}
