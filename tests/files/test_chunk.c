/*
 * Byte planes and the coding of chunks: every shape and kind of data comes back, wrong streams do not.
 */
#include "samples.h"

#include "base/random.h"
#include "files/byte_planes.h"
#include "files/chunk.h"

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
  int used[3] = {0};
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
  assert_true(used[CHUNK_PLAIN] > 5 && used[CHUNK_PLANES] > 5 && used[CHUNK_DIFFERENCES] > 5);
  chunk_encoder_free(encoder);
  chunk_decoder_free(decoder);
  free(raw);
  free(back);
  free(stored);
}

static void planes_are_what_the_specification_says(void **state)
{
  (void)state;
  static const unsigned char table[12] = {1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 25}; /* 3 rows of 2 x 2 bytes */
  static const unsigned char planes[12] = {1, 11, 21, 2, 12, 22, 3, 13, 23, 4, 14, 25};
  static const unsigned char differences[12] = {1, 10, 10, 2, 10, 10, 3, 10, 10, 4, 10, 11};
  chunk_shape bytes = {12, 4, 1}, numbers = {12, 4, 4};
  unsigned char made[12], back[12];
  byte_planes_split(table, &bytes, false, made);
  assert_memory_equal(made, planes, 12);
  byte_planes_split(table, &numbers, false, made);
  assert_memory_equal(made, planes, 12);
  byte_planes_split(table, &bytes, true, made);
  assert_memory_equal(made, differences, 12);
  byte_planes_join(made, &bytes, true, back);
  assert_memory_equal(back, table, 12);
  uint32_t falling[3] = {5, 3, UINT32_MAX}, taken[3]; /* differences wrap around */
  byte_planes_split((unsigned char *)falling, &numbers, true, made);
  byte_planes_join(made, &numbers, true, (unsigned char *)taken);
  assert_memory_equal(taken, falling, sizeof falling);
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
      cmocka_unit_test(streams_that_do_not_fit_are_refused),
      cmocka_unit_test(failed_allocations_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
