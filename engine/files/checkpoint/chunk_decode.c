/*
 * Decoding of chunks. See chunk.h.
 */
#include "base/compression/codec_memory.h"
#include "files/checkpoint/byte_planes.h"
#include "files/checkpoint/chunk.h"

#include <string.h>

struct chunk_decoder {
  codec_memory memory;
  size_t capacity;
  unsigned char *planes; /* [capacity] what the deflate stream gives */
  z_stream stream;
  bool has_stream;
};

floc_status chunk_decoder_create(environment *env, size_t capacity, chunk_decoder **decoder)
{
  *decoder = NULL;
  chunk_decoder *made = memory_resize(env, NULL, 0, sizeof *made);
  if (!made) return codec_out_of_memory(env);
  *made = (chunk_decoder){.memory.env = env, .capacity = capacity};
  made->planes = memory_resize(env, NULL, 0, capacity);
  made->stream = codec_stream(&made->memory);
  made->has_stream = inflateInit2(&made->stream, CODEC_WINDOW_BITS) == Z_OK;
  made->memory.frozen = true;
  if (!made->planes || !made->has_stream) {
    chunk_decoder_free(made);
    return codec_out_of_memory(env);
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

/* ---- encodings 1 and 2: one stream of all planes ------------------------------------------------- */

/* There is space for the entire output, so zlib needs no window; it asks for one only where a stream ends too
 * early, and the refusal is then one more place to report it. *used gets the length of the stream. */
static bool inflate_exactly(z_stream *stream, const unsigned char *stored, size_t stored_length,
                            unsigned char *planes, size_t length, size_t *used)
{
  inflateReset(stream);
  stream->next_in = (unsigned char *)(uintptr_t)stored;
  stream->avail_in = (unsigned)stored_length;
  stream->next_out = planes;
  stream->avail_out = (unsigned)length;
  if (inflate(stream, Z_FINISH) != Z_STREAM_END || stream->avail_out > 0) return false;
  *used = stored_length - stream->avail_in;
  return true;
}

static bool decode_stream(chunk_decoder *decoder, const unsigned char *stored, size_t stored_length,
                          column_filter filter, unsigned char *raw, const chunk_shape *shape)
{
  size_t used = 0, element = shape->element;
  if (!inflate_exactly(&decoder->stream, stored, stored_length, decoder->planes, shape->length, &used))
    return false;
  column_shape column = {shape->length / shape->stride, shape->stride, element, filter};
  const unsigned char *next = decoder->planes;
  for (size_t place = 0; place < shape->stride; place += element) {
    plane_source source[8];
    for (size_t k = 0; k < element; k++, next += column.rows) source[k] = (plane_source){next, 0};
    byte_planes_join(source, &column, raw + place);
  }
  return used == stored_length;
}

/* ---- encoding 3: every column with its filter, every plane in its way ----------------------------- */

/* The parts of the stored bytes. */
typedef struct column_parts {
  const unsigned char *head, *as_it_is;
  size_t rows, columns, element;
  size_t plain_planes, deflated_planes;
} column_parts;

/* Looks through the head. False if there is something in it that has no meaning. */
static bool take_head(column_parts *parts, const unsigned char *stored, size_t stored_length,
                      const chunk_shape *shape)
{
  *parts = (column_parts){.head = stored,
                          .rows = shape->length / shape->stride,
                          .columns = shape->stride / shape->element,
                          .element = shape->element};
  size_t head_length = parts->columns + 2 * shape->stride;
  if (head_length > stored_length) return false;
  parts->as_it_is = stored + head_length;
  for (const unsigned char *at = stored; at < parts->as_it_is;) {
    if (*at++ > FILTER_LAST) return false;
    for (size_t k = 0; k < parts->element; k++, at += 2) {
      if (at[0] > PLANE_DEFLATED) return false;
      parts->plain_planes += at[0] == PLANE_PLAIN;
      parts->deflated_planes += at[0] == PLANE_DEFLATED;
    }
  }
  return parts->plain_planes * parts->rows <= stored_length - head_length;
}

static void join_columns(const column_parts *parts, const unsigned char *inflated, unsigned char *raw,
                         size_t stride)
{
  const unsigned char *at = parts->head, *as_it_is = parts->as_it_is;
  for (size_t c = 0; c < parts->columns; c++) {
    column_shape column = {parts->rows, stride, parts->element, (column_filter)*at++};
    plane_source source[8];
    for (size_t k = 0; k < parts->element; k++, at += 2) {
      const unsigned char **next = at[0] == PLANE_PLAIN ? &as_it_is : &inflated;
      source[k] = (plane_source){at[0] == PLANE_CONSTANT ? NULL : *next, at[1]};
      if (at[0] != PLANE_CONSTANT) *next += parts->rows;
    }
    byte_planes_join(source, &column, raw + c * parts->element);
  }
}

/* Behind what has been used there are only zeros, and only as many as make a short chunk long enough. */
static bool is_padding(const unsigned char *stored, size_t used, size_t stored_length, size_t length)
{
  if (used == stored_length) return true;
  for (size_t k = used; k < stored_length; k++)
    if (stored[k] != 0) return false;
  return stored_length == chunk_least_stored(length);
}

static bool decode_columns(chunk_decoder *decoder, const unsigned char *stored, size_t stored_length,
                           unsigned char *raw, const chunk_shape *shape)
{
  column_parts parts;
  if (!take_head(&parts, stored, stored_length, shape)) return false;
  size_t used = (size_t)(parts.as_it_is - stored) + parts.plain_planes * parts.rows, stream_length = 0;
  if (parts.deflated_planes > 0 &&
      !inflate_exactly(&decoder->stream, stored + used, stored_length - used, decoder->planes,
                       parts.deflated_planes * parts.rows, &stream_length))
    return false;
  if (!is_padding(stored, used + stream_length, stored_length, shape->length)) return false;
  join_columns(&parts, decoder->planes, raw, shape->stride);
  return true;
}

bool chunk_decode(chunk_decoder *decoder, const unsigned char *stored, size_t stored_length,
                  chunk_encoding encoding, unsigned char *raw, const chunk_shape *shape)
{
  switch (encoding) {
  case CHUNK_PLANES:
    return decode_stream(decoder, stored, stored_length, FILTER_NONE, raw, shape);
  case CHUNK_DIFFERENCES:
    return decode_stream(decoder, stored, stored_length, FILTER_DIFFERENCES, raw, shape);
  case CHUNK_COLUMNS:
    return decode_columns(decoder, stored, stored_length, raw, shape);
  default:
    break;
  }
  if (stored_length != shape->length) return false;
  memcpy(raw, stored, stored_length);
  return true;
}
