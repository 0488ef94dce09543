/*
 * Byte planes and the coding of chunks: every shape and kind of data comes back, wrong streams do not.
 */
#include "samples.h"

#include "base/numbers/random.h"
#include "files/checkpoint/byte_planes.h"
#include "files/checkpoint/chunk.h"

#include <zlib.h>

enum { CAPACITY = 1 << 18 };

/* Data of different kinds, which make the encoder take different ways. */
static void fill(unsigned char *raw, size_t length, int kind)
{
  double uniform[4] = {0};
  for (size_t k = 0; k < length; k++) {
    if (k % 4 == 0 || kind == 0) random_uniform4(11, k, 0, RANDOM_SCRIPT, (uint64_t)kind, uniform);
    unsigned noise = (unsigned)(uniform[k % 4] * 256.0);
    switch (kind) {
    case 0:
      raw[k] = (unsigned char)noise;
      break; /* noise */
    case 1:
      raw[k] = 7;
      break; /* one value */
    case 2:
      raw[k] = (unsigned char)(noise % 5);
      break; /* skewed */
    case 3:
      raw[k] = (unsigned char)"a text that repeats itself; "[k % 28];
      break;
    case 4:
      raw[k] = (unsigned char)(k / 8 >> 8 * (k % 8));
      break; /* rising 64-bit numbers */
    case 5:
      raw[k] = (unsigned char)(k % 8 < 6 ? noise : k % 8 == 6 ? noise % 9 : 63);
      break; /* doubles */
    default:
      raw[k] = (unsigned char)(k < length / 2 ? noise : 0);
      break; /* noise, then nothing */
    }
  }
}

static const chunk_shape shapes[] = {
    {8, 8, 8},     {24, 8, 8},      {4, 4, 4},      {1, 1, 1},      {7, 1, 1},      {2047, 1, 1},
    {2048, 8, 8},  {4096, 4, 4},    {4080, 24, 8},  {40000, 8, 8},  {40000, 16, 8}, {40000, 20, 4},
    {40000, 5, 1}, {65536, 256, 8}, {262144, 8, 8}, {262144, 4, 4}, {262144, 1, 1}, {262080, 240, 8},
};

static void every_shape_and_kind_comes_back(void **state)
{
  (void)state;
  environment env = test_environment(1);
  unsigned char *raw = malloc(CAPACITY), *back = malloc(CAPACITY), *stored = malloc(CAPACITY);
  chunk_encoder *encoder;
  chunk_decoder *decoder;
  assert_ok(&env, chunk_encoder_create(&env, CAPACITY, &encoder));
  assert_ok(&env, chunk_decoder_create(&env, CAPACITY, &decoder));
  int used[4] = {0};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    for (int kind = 0; kind < 7; kind++) {
      const chunk_shape *shape = &shapes[s];
      fill(raw, shape->length, kind);
      encoded_chunk coded = chunk_encode(encoder, raw, shape);
      used[coded.encoding]++;
      assert_in_range(coded.stored_length, 1, shape->length);
      if (kind == 1 && shape->length >= 40000) assert_in_range(coded.stored_length, 1, shape->length / 100);
      memcpy(stored, coded.stored, coded.stored_length);
      memset(back, 0xcc, CAPACITY);
      assert_true(chunk_decode(decoder, stored, coded.stored_length, coded.encoding, back, shape));
      assert_memory_equal(back, raw, shape->length);
      encoded_chunk again = chunk_encode(encoder, raw, shape); /* nothing is left over from before */
      assert_int_equal(again.stored_length, coded.stored_length);
      assert_memory_equal(again.stored, stored, coded.stored_length);
    }
  }
  assert_true(used[CHUNK_PLAIN] > 5 && used[CHUNK_COLUMNS] > 50);
  chunk_encoder_free(encoder);
  chunk_decoder_free(decoder);
  free(raw);
  free(back);
  free(stored);
}

/* Planes of the columns of a table, one after the other. */
static void split_table(const void *table, const chunk_shape *shape, column_filter filter, unsigned char *planes)
{
  column_shape column = {shape->length / shape->stride, shape->stride, shape->element, filter};
  for (size_t place = 0; place < shape->stride; place += shape->element)
    byte_planes_split((const unsigned char *)table + place, &column, planes + place * column.rows);
}

static void planes_are_what_the_specification_says(void **state)
{
  (void)state;
  static const unsigned char table[12] = {1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 25}; /* 3 rows of 2 x 2 bytes */
  static const unsigned char planes[12] = {1, 11, 21, 2, 12, 22, 3, 13, 23, 4, 14, 25};
  static const unsigned char differences[12] = {1, 10, 10, 2, 10, 10, 3, 10, 10, 4, 10, 11};
  chunk_shape bytes = {12, 4, 1}, numbers = {12, 4, 4};
  unsigned char made[12];
  split_table(table, &bytes, FILTER_NONE, made);
  assert_memory_equal(made, planes, 12);
  split_table(table, &numbers, FILTER_NONE, made);
  assert_memory_equal(made, planes, 12);
  split_table(table, &numbers, FILTER_DIFFERENCES, made);
  assert_memory_equal(made, differences, 12);
}

/* One number, filtered: byte k of it is plane k. */
static uint64_t filter_one(uint64_t above, uint64_t number, size_t element, column_filter filter)
{
  unsigned char raw[16] = {0}, planes[16];
  for (size_t k = 0; k < element; k++) { /* in the byte order of files */
    raw[k] = (unsigned char)(above >> (8 * k));
    raw[element + k] = (unsigned char)(number >> (8 * k));
  }
  column_shape column = {2, element, element, filter};
  byte_planes_split(raw, &column, planes);
  uint64_t made = 0;
  for (size_t k = 0; k < element; k++) made |= (uint64_t)planes[2 * k + 1] << (8 * k);
  return made;
}

static void filters_are_what_the_specification_says(void **state)
{
  (void)state;
  assert_int_equal(filter_one(5, 3, 4, FILTER_DIFFERENCES), 0xfffffffe);
  assert_int_equal(filter_one(5, 3, 4, FILTER_ZIGZAG), 3);
  assert_int_equal(filter_one(5, 7, 8, FILTER_ZIGZAG), 4);
  assert_int_equal(filter_one(5, 3, 8, FILTER_ZIGZAG), 3);
  assert_int_equal(filter_one(0, 0x80000001, 4, FILTER_SIGN_LAST), 3);
  assert_true(filter_one(0, 0xc010000000000000, 8, FILTER_SIGN_LAST) == 0x8020000000000001); /* -4.0 */
  assert_true(filter_one(0, 0xc010000000000000, 8, FILTER_SIGN_LAST + 2) == 0x7fe0000000000001);
  assert_true(filter_one(0, 0x4010000000000000, 8, FILTER_LAST) == 0x8020000000000000 - (7ull << 53));
}

static void every_filter_comes_back(void **state)
{
  (void)state;
  static unsigned char raw[8 * 100], back[8 * 100], planes[8 * 100];
  fill(raw, sizeof raw, 5);
  static const size_t elements[] = {1, 4, 8};
  for (size_t e = 0; e < 3; e++) {
    size_t element = elements[e];
    for (int filter = 0; filter <= FILTER_LAST; filter++) {
      for (size_t rows = 0; rows <= 100; rows += rows < 40 ? 1 : 15) {
        column_shape column = {rows, element, element, (column_filter)filter};
        uint64_t varies = byte_planes_split(raw, &column, planes);
        unsigned char changed[8];
        memcpy(changed, &varies, sizeof changed);
        plane_source source[8];
        for (size_t k = 0; k < element; k++) {
          const unsigned char *plane = planes + k * rows;
          bool differs = false;
          for (size_t row = 1; row < rows; row++) differs |= plane[row] != plane[0];
          assert_int_equal(differs, changed[k] != 0);
          source[k] = differs ? (plane_source){plane, 0} : (plane_source){NULL, rows > 0 ? plane[0] : 0};
        }
        memset(back, 0xcc, sizeof back);
        byte_planes_join(source, &column, back);
        assert_memory_equal(back, raw, rows * element);
        if (rows < 100) assert_int_equal(back[rows * element], 0xcc);
      }
    }
  }
}

/* Streams of all planes, as files of format version 1 have them. */
static void chunks_of_version_1_come_back(void **state)
{
  (void)state;
  environment env = test_environment(1);
  static unsigned char raw[24 * 500], back[24 * 500], planes[24 * 500], stored[24 * 600];
  chunk_shape shape = {sizeof raw, 24, 8};
  fill(raw, sizeof raw, 4);
  chunk_decoder *decoder;
  assert_ok(&env, chunk_decoder_create(&env, sizeof raw, &decoder));
  for (int differences = 0; differences < 2; differences++) {
    chunk_encoding encoding = differences ? CHUNK_DIFFERENCES : CHUNK_PLANES;
    split_table(raw, &shape, differences ? FILTER_DIFFERENCES : FILTER_NONE, planes);
    z_stream stream = {
        .next_in = planes, .avail_in = sizeof planes, .next_out = stored, .avail_out = sizeof stored};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t size = stream.total_out;
    deflateEnd(&stream);
    assert_true(chunk_decode(decoder, stored, size, encoding, back, &shape));
    assert_memory_equal(back, raw, sizeof raw);
    assert_false(chunk_decode(decoder, stored, size + 1, encoding, back, &shape));
    for (size_t cut = 0; cut < size; cut += 7)
      assert_false(chunk_decode(decoder, stored, cut, encoding, back, &shape));
  }
  chunk_decoder_free(decoder);
}

/* The head of a chunk by hand: what has no meaning is refused, what has is decoded. */
static void heads_without_meaning_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  chunk_decoder *decoder;
  assert_ok(&env, chunk_decoder_create(&env, 4000, &decoder));
  chunk_shape shape = {4000, 4, 4};
  static unsigned char stored[2100], back[4000];
  const unsigned char head[9] = {FILTER_NONE, PLANE_CONSTANT, 7, PLANE_PLAIN, 0, PLANE_CONSTANT,
                                 1,           PLANE_CONSTANT, 2};
  memcpy(stored, head, sizeof head);
  for (size_t k = 0; k < 1000; k++) stored[9 + k] = (unsigned char)k;
  assert_true(chunk_decode(decoder, stored, 1009, CHUNK_COLUMNS, back, &shape));
  for (size_t k = 0; k < 1000; k++) {
    unsigned char row[4] = {7, (unsigned char)k, 1, 2};
    assert_memory_equal(back + 4 * k, row, 4);
  }
  assert_false(chunk_decode(decoder, stored, 8, CHUNK_COLUMNS, back, &shape));
  assert_false(chunk_decode(decoder, stored, 1008, CHUNK_COLUMNS, back, &shape));
  assert_false(chunk_decode(decoder, stored, 1010, CHUNK_COLUMNS, back, &shape)); /* more than is used */
  stored[0] = FILTER_LAST + 1;
  assert_false(chunk_decode(decoder, stored, 1009, CHUNK_COLUMNS, back, &shape));
  stored[0] = FILTER_LAST;
  stored[5] = PLANE_DEFLATED + 1;
  assert_false(chunk_decode(decoder, stored, 1009, CHUNK_COLUMNS, back, &shape));
  chunk_shape constant = {4000, 1, 1}; /* all alike: 3 bytes, and a zero that makes them a 1032nd */
  memcpy(stored, ((const unsigned char[]){FILTER_NONE, PLANE_CONSTANT, 9, 0, 0}), 5);
  assert_true(chunk_decode(decoder, stored, 4, CHUNK_COLUMNS, back, &constant));
  assert_true(back[0] == 9 && back[3999] == 9);
  assert_false(chunk_decode(decoder, stored, 5, CHUNK_COLUMNS, back, &constant));
  stored[3] = 1;
  assert_false(chunk_decode(decoder, stored, 4, CHUNK_COLUMNS, back, &constant));
  chunk_decoder_free(decoder);
}

static void streams_that_do_not_fit_are_refused(void **state)
{
  (void)state;
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, 1);
  static unsigned char raw[8000], back[8000], stored[9000];
  chunk_shape shape = {8000, 8, 8};
  fill(raw, sizeof raw, 5);
  chunk_encoder *encoder;
  chunk_decoder *decoder;
  assert_ok(&env, chunk_encoder_create(&env, sizeof raw, &encoder));
  assert_ok(&env, chunk_decoder_create(&env, sizeof raw, &decoder));
  encoded_chunk coded = chunk_encode(encoder, raw, &shape);
  assert_int_not_equal(coded.encoding, CHUNK_PLAIN);
  size_t size = coded.stored_length;
  int64_t calls = counter.calls; /* from here on nothing may be allocated, whatever zlib would like */
  memcpy(stored, coded.stored, size);
  stored[size] = 0;
  for (size_t cut = 0; cut < size; cut++)
    assert_false(chunk_decode(decoder, stored, cut, coded.encoding, back, &shape));
  assert_false(chunk_decode(decoder, stored, size + 1, coded.encoding, back, &shape)); /* something behind */
  chunk_shape shorter = {7992, 8, 8}, longer = {8000, 8, 8};
  assert_false(chunk_decode(decoder, stored, size, coded.encoding, back, &shorter));
  assert_false(chunk_decode(decoder, raw, 7999, CHUNK_PLAIN, back, &longer));
  assert_true(chunk_decode(decoder, stored, size, coded.encoding, back, &shape)); /* and it still works */
  assert_memory_equal(back, raw, sizeof raw);
  assert_int_equal(counter.calls, calls);
  chunk_encoder_free(encoder);
  chunk_decoder_free(decoder);
}

static void failed_allocations_are_reported(void **state)
{
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    floc_status status = FLOC_OUT_OF_MEMORY;
    int64_t n = 1;
    for (; status != FLOC_OK; n++) {
      counting_allocator counter = {.fail_at = n};
      environment env = counting_environment(&counter, 1);
      chunk_encoder *encoder = NULL;
      chunk_decoder *decoder = NULL;
      status = kind == 0 ? chunk_encoder_create(&env, 1000, &encoder) : chunk_decoder_create(&env, 1000, &decoder);
      if (status != FLOC_OK) assert_non_null(strstr(env.message, "out of memory"));
      chunk_encoder_free(encoder);
      chunk_decoder_free(decoder);
      assert_int_equal(counter.held, 0);
    }
    assert_true(n > 3);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape_and_kind_comes_back),
      cmocka_unit_test(planes_are_what_the_specification_says),
      cmocka_unit_test(filters_are_what_the_specification_says),
      cmocka_unit_test(every_filter_comes_back),
      cmocka_unit_test(chunks_of_version_1_come_back),
      cmocka_unit_test(heads_without_meaning_are_refused),
      cmocka_unit_test(streams_that_do_not_fit_are_refused),
      cmocka_unit_test(failed_allocations_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
