/*
 * Decoding of the arrays of VTK's XML files. See vtp_numbers.h. No more memory is asked for than the bytes that are
 * there can fill: a stored byte of zlib's makes at most 1032 bytes.
 */
#include "geometry/meshes/vtp_numbers.h"

#include "base/compression/codec_memory.h"
#include "base/numbers/byte_order.h"

#include <inttypes.h>
#include <string.h>

enum { INFLATION_LIMIT = 1040, FORMAT_WINDOW_BITS = 15 };

floc_status vtp_damaged(const vtp_format *format, const char *place, const char *what)
{
  uint64_t line = 1;
  for (const char *at = format->from->text; at < place; at++) line += *at == '\n';
  return refuse(format->env, FLOC_DAMAGED_FILE, "%s: line %" PRIu64 ": %s", format->name, line, what);
}

/* ---- a stream of bytes --------------------------------------------------------------------------- */

typedef struct byte_stream {
  const char *at, *end;
  bool base64;
  unsigned char group[3]; /* what is left of a group of four letters: [begin, count) */
  int begin, count;
} byte_stream;

static int letter_value(char letter)
{
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

static bool is_space(char byte)
{
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool take_group(byte_stream *stream)
{
  uint32_t bits = 0;
  int letters = 0, padding = 0;
  while (letters + padding < 4) {
    while (stream->at < stream->end && is_space(*stream->at)) stream->at++;
    if (stream->at == stream->end) return false;
    char letter = *stream->at;
    int value = letter == '=' ? 0 : letter_value(letter);
    if (value < 0 || (letter != '=' && padding > 0)) return false;
    stream->at++;
    bits = bits << 6 | (uint32_t)value;
    if (letter == '=')
      padding++;
    else
      letters++;
  }
  if (letters < 2) return false;
  for (int k = 0; k < 3; k++) stream->group[k] = (unsigned char)(bits >> (16 - 8 * k));
  stream->begin = 0;
  stream->count = letters - 1;
  return true;
}

static bool take_bytes_of(byte_stream *stream, unsigned char *target, size_t size)
{
  if (!stream->base64) {
    if ((size_t)(stream->end - stream->at) < size) return false;
    if (size > 0) memcpy(target, stream->at, size);
    stream->at += size;
    return true;
  }
  for (size_t k = 0; k < size; k++) {
    if (stream->begin == stream->count && !take_group(stream)) return false;
    target[k] = stream->group[stream->begin++];
  }
  return true;
}

/* No fewer than there are. */
static uint64_t bytes_left(const byte_stream *stream)
{
  return (uint64_t)(stream->end - stream->at) + (uint64_t)(stream->count - stream->begin);
}

/* ---- numbers of a width --------------------------------------------------------------------------- */

/* To the machine's order. */
static void turn_bytes(bool big_endian, unsigned char *bytes, size_t count, size_t width)
{
  if (big_endian == (bool)MACHINE_IS_BIG_ENDIAN) return;
  for (size_t k = 0; k < count; k++, bytes += width) {
    for (size_t i = 0; i < width / 2; i++) {
      unsigned char kept = bytes[i];
      bytes[i] = bytes[width - 1 - i];
      bytes[width - 1 - i] = kept;
    }
  }
}

static bool take_head(const vtp_format *format, byte_stream *stream, uint64_t *value)
{
  unsigned char bytes[8];
  if (!take_bytes_of(stream, bytes, format->head_size)) return false;
  turn_bytes(format->big_endian, bytes, 1, format->head_size);
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  memcpy(value, bytes, sizeof *value);
  if (format->head_size == sizeof word) *value = word;
  return true;
}

static bool find_type(const char *type, size_t length, vtp_numbers *numbers)
{
  static const struct {
    const char *name;
    int kind;
    size_t width;
  } types[] = {{"Float32", VTP_FLOAT, 4},  {"Float64", VTP_FLOAT, 8},   {"Int8", VTP_SIGNED, 1},
               {"Int16", VTP_SIGNED, 2},   {"Int32", VTP_SIGNED, 4},    {"Int64", VTP_SIGNED, 8},
               {"UInt8", VTP_UNSIGNED, 1}, {"UInt16", VTP_UNSIGNED, 2}, {"UInt32", VTP_UNSIGNED, 4},
               {"UInt64", VTP_UNSIGNED, 8}};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (strlen(types[k].name) != length || memcmp(types[k].name, type, length) != 0) continue;
    numbers->kind = types[k].kind;
    numbers->width = types[k].width;
    return true;
  }
  return false;
}

double vtp_number(const vtp_numbers *numbers, size_t k)
{
  const unsigned char *at = numbers->bytes + k * numbers->width;
  if (numbers->kind == VTP_FLOAT) {
    float small;
    double large;
    if (numbers->width == sizeof large) return memcpy(&large, at, sizeof large), large;
    return memcpy(&small, at, sizeof small), (double)small;
  }
  uint64_t bits = 0;
  for (size_t i = 0; i < numbers->width; i++)
    bits |= (uint64_t)at[MACHINE_IS_BIG_ENDIAN ? numbers->width - 1 - i : i] << (8 * i);
  if (numbers->kind == VTP_UNSIGNED) return (double)bits;
  uint64_t sign = (uint64_t)1 << (8 * numbers->width - 1);
  return (double)(int64_t)((bits ^ sign) - sign);
}

void vtp_numbers_free(environment *env, vtp_numbers *numbers)
{
  array_free(env, (void **)&numbers->bytes, &numbers->capacity, 1);
  *numbers = (vtp_numbers){0};
}

/* ---- the three ways ------------------------------------------------------------------------------ */

static floc_status read_text(const vtp_format *format, const char *at, vtp_numbers *numbers)
{
  text_reader from = *format->from;
  from.at = at;
  numbers->kind = VTP_FLOAT;
  numbers->width = sizeof(double);
  for (;;) {
    while (is_space(*from.at)) from.at++;
    if (*from.at == '<') return FLOC_OK;
    double value;
    if (!text_number(&from, &value)) return vtp_damaged(format, from.at, "a finite number is expected");
    floc_status status = array_reserve(format->env, (void **)&numbers->bytes, &numbers->capacity,
                                       (numbers->count + 1) * sizeof value, 1);
    if (status != FLOC_OK) return status;
    memcpy(numbers->bytes + numbers->count * sizeof value, &value, sizeof value);
    numbers->count++;
    numbers->size += sizeof value;
  }
}

static floc_status too_short(const vtp_format *format, const byte_stream *stream)
{
  return vtp_damaged(format, stream->at, "an array ends too early, or has a byte that does not belong there");
}

static floc_status read_plain(const vtp_format *format, byte_stream *stream, vtp_numbers *numbers)
{
  uint64_t size;
  if (!take_head(format, stream, &size) || size > bytes_left(stream)) return too_short(format, stream);
  floc_status status = array_reserve(format->env, (void **)&numbers->bytes, &numbers->capacity, (size_t)size, 1);
  if (status != FLOC_OK) return status;
  numbers->size = (size_t)size;
  return take_bytes_of(stream, numbers->bytes, (size_t)size) ? FLOC_OK : too_short(format, stream);
}

/* The head of compressed bytes, and memory for the work. */
typedef struct block_list {
  uint64_t count, length, last_length;
  uint64_t *stored; /* [count] */
  size_t stored_capacity, work_capacity;
  unsigned char *work; /* stored bytes of a block */
  codec_memory memory;
  z_stream zlib;
  bool has_zlib;
} block_list;

static uint64_t block_length(const block_list *blocks, uint64_t k)
{
  return k + 1 == blocks->count && blocks->last_length > 0 ? blocks->last_length : blocks->length;
}

static floc_status read_block_heads(const vtp_format *format, byte_stream *stream, block_list *blocks,
                                    uint64_t *total)
{
  if (!take_head(format, stream, &blocks->count) || !take_head(format, stream, &blocks->length) ||
      !take_head(format, stream, &blocks->last_length) || blocks->count > bytes_left(stream))
    return too_short(format, stream);
  floc_status status = array_reserve(format->env, (void **)&blocks->stored, &blocks->stored_capacity,
                                     (size_t)blocks->count, sizeof *blocks->stored);
  uint64_t sum = 0;
  for (uint64_t k = 0; k < blocks->count && status == FLOC_OK; k++) {
    if (!take_head(format, stream, &blocks->stored[k]) || blocks->stored[k] > bytes_left(stream) - sum)
      return too_short(format, stream);
    sum += blocks->stored[k];
    if (sum > bytes_left(stream)) return too_short(format, stream);
    if (block_length(blocks, k) > INFLATION_LIMIT * blocks->stored[k])
      return vtp_damaged(format, stream->at, "a block is longer than zlib can make it");
    *total += block_length(blocks, k);
  }
  return status;
}

static floc_status inflate_block(const vtp_format *format, byte_stream *stream, block_list *blocks, uint64_t k,
                                 unsigned char *target)
{
  size_t stored = (size_t)blocks->stored[k], length = (size_t)block_length(blocks, k);
  floc_status status = array_reserve(format->env, (void **)&blocks->work, &blocks->work_capacity, stored + 1, 1);
  if (status != FLOC_OK) return status;
  if (!take_bytes_of(stream, blocks->work, stored)) return too_short(format, stream);
  z_stream *zlib = &blocks->zlib;
  inflateReset(zlib);
  zlib->next_in = blocks->work;
  zlib->avail_in = (unsigned)stored;
  zlib->next_out = target;
  zlib->avail_out = (unsigned)length;
  int result = stored > UINT32_MAX || length > UINT32_MAX ? Z_DATA_ERROR : inflate(zlib, Z_FINISH);
  if (result == Z_MEM_ERROR) return codec_out_of_memory(format->env);
  if (result != Z_STREAM_END || zlib->avail_out > 0)
    return vtp_damaged(format, stream->at, "a compressed block does not hold what it should");
  return FLOC_OK;
}

static floc_status read_blocks(const vtp_format *format, byte_stream *stream, block_list *blocks,
                               vtp_numbers *numbers)
{
  uint64_t total = 0, done = 0;
  floc_status status = read_block_heads(format, stream, blocks, &total);
  if (status == FLOC_OK)
    status = array_reserve(format->env, (void **)&numbers->bytes, &numbers->capacity, (size_t)total, 1);
  if (status != FLOC_OK) return status;
  blocks->memory.env = format->env;
  blocks->zlib = codec_stream(&blocks->memory);
  blocks->has_zlib = inflateInit2(&blocks->zlib, FORMAT_WINDOW_BITS) == Z_OK;
  if (!blocks->has_zlib) return codec_out_of_memory(format->env);
  /* The head is a stream of its own where it was padded; where it was not, its last group has bytes of the blocks.
   */
  for (uint64_t k = 0; k < blocks->count && status == FLOC_OK; k++) {
    status = inflate_block(format, stream, blocks, k, numbers->bytes + done);
    done += block_length(blocks, k);
  }
  numbers->size = (size_t)total;
  return status;
}

static floc_status read_compressed(const vtp_format *format, byte_stream *stream, vtp_numbers *numbers)
{
  block_list blocks = {0};
  floc_status status = read_blocks(format, stream, &blocks, numbers);
  if (blocks.has_zlib) inflateEnd(&blocks.zlib);
  array_free(format->env, (void **)&blocks.stored, &blocks.stored_capacity, sizeof *blocks.stored);
  array_free(format->env, (void **)&blocks.work, &blocks.work_capacity, 1);
  return status;
}

floc_status vtp_numbers_read(const vtp_format *format, vtp_encoding encoding, const char *type, size_t type_length,
                             const char *at, vtp_numbers *numbers)
{
  numbers->size = numbers->count = 0;
  if (!find_type(type, type_length, numbers))
    return vtp_damaged(format, at, "an array has a type that is none of VTK's numbers");
  if (encoding == VTP_TEXT) return read_text(format, at, numbers);
  const char *end = format->from->text + format->from->size;
  byte_stream stream = {.at = at, .end = end, .base64 = encoding == VTP_BASE64};
  floc_status status =
      format->compressed ? read_compressed(format, &stream, numbers) : read_plain(format, &stream, numbers);
  if (status != FLOC_OK) return status;
  if (numbers->size % numbers->width != 0)
    return vtp_damaged(format, at, "an array has a number that is not whole");
  numbers->count = numbers->size / numbers->width;
  turn_bytes(format->big_endian, numbers->bytes, numbers->count, numbers->width);
  return FLOC_OK;
}
