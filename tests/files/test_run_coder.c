/*
 * The coder of runs against zlib's inflate: whatever it writes gives back the bytes, alone and before and after
 * what zlib wrote, in no more room than it was given.
 */
#include "support.h"

#include "files/run_coder.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LONGEST = 300000, ROOM = 2 * LONGEST };

static run_coder coder;
static unsigned char bytes[LONGEST], written[ROOM], back[LONGEST + 1];
static uint64_t draws = 1;

static uint32_t draw(uint32_t below)
{
  draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((draws >> 32) * below >> 32);
}

/* What inflate makes of a whole stream. */
static void expect_back(const unsigned char *stream, size_t length, size_t size)
{
  z_stream zlib = {0};
  assert_int_equal(inflateInit2(&zlib, -15), Z_OK);
  zlib.next_in = (unsigned char *)(uintptr_t)stream;
  zlib.avail_in = (unsigned)length;
  zlib.next_out = back;
  zlib.avail_out = sizeof back;
  assert_int_equal(inflate(&zlib, Z_FINISH), Z_STREAM_END);
  assert_int_equal(zlib.avail_in, 0);
  assert_int_equal(zlib.total_out, size);
  assert_memory_equal(back, bytes, size);
  inflateEnd(&zlib);
}

/* Returns the length of the stream. */
static size_t expect_round_trip(size_t size)
{
  bit_sink sink = {.next = written, .end = written + sizeof written};
  assert_true(run_coder_write(&coder, &sink, bytes, size));
  assert_true(bit_sink_finish(&sink));
  size_t length = (size_t)(sink.next - written);
  expect_back(written, length, size);
  return length;
}

static void every_length_of_a_run_comes_back(void **state)
{
  (void)state;
  for (size_t run = 1; run < 1100; run++) {
    memset(bytes, 'a', run);
    bytes[run] = 'b';
    memset(bytes + run + 1, 'c', run);
    expect_round_trip(run);
    expect_round_trip(2 * run + 1);
  }
  expect_round_trip(0);
}

/* `values` different bytes; each stays for up to `longest` places. */
static void fill(size_t size, uint32_t values, uint32_t longest)
{
  for (size_t k = 0; k < size;) {
    unsigned char value = (unsigned char)draw(values);
    for (uint32_t n = draw(longest) + 1; n > 0 && k < size; n--) bytes[k++] = value;
  }
}

static void bytes_of_any_kind_come_back(void **state)
{
  (void)state;
  static const uint32_t values[] = {1, 2, 3, 17, 256}, longest[] = {1, 2, 4, 300, 70000};
  for (size_t v = 0; v < 5; v++) {
    for (size_t l = 0; l < 5; l++) {
      fill(LONGEST, values[v], longest[l]);
      for (size_t size = 1; size < LONGEST; size = 2 * size + draw(9)) expect_round_trip(size);
      expect_round_trip(RUN_BLOCK);
      expect_round_trip(RUN_BLOCK + 1);
    }
  }
}

/* Counts like Fibonacci's numbers ask for the longest codes; more than 15 bits are not allowed. */
static void unequal_frequencies_keep_codes_short(void **state)
{
  (void)state;
  size_t size = 0;
  uint32_t a = 1, b = 1;
  for (int value = 0; value < 23 && size + 2 * b < RUN_BLOCK; value++) {
    for (uint32_t n = 0; n < a; n++) {
      bytes[size++] = (unsigned char)value;
      bytes[size++] = (unsigned char)(128 + value);
    }
    uint32_t next = a + b;
    a = b;
    b = next;
  }
  assert_true(size > RUN_BLOCK / 4);
  expect_round_trip(size);
}

static void it_compresses(void **state)
{
  (void)state;
  fill(LONGEST, 4, 1);
  /* the end takes a code as well: one of four equal bytes gets three bits */
  assert_in_range(expect_round_trip(LONGEST), LONGEST * 2 / 8, LONGEST / 32 * 9 + 500);
  memset(bytes, 1, LONGEST);
  assert_in_range(expect_round_trip(LONGEST), 1, LONGEST / 258 / 8 * 3 + 300);
}

/* For every room that is too small: refused, and nothing beyond it was touched. */
static void no_room_is_no_overflow(void **state)
{
  (void)state;
  fill(3000, 40, 3);
  size_t needed = expect_round_trip(3000);
  bool fits = false;
  for (size_t room = 0; room < needed + 2000; room++) {
    memset(written, 0x5a, needed + 3000);
    bit_sink sink = {.next = written, .end = written + room};
    fits = run_coder_write(&coder, &sink, bytes, 3000) && bit_sink_align(&sink) && bit_sink_finish(&sink);
    assert_true(room >= needed || !fits);
    for (size_t k = room; k < room + 64; k++) assert_int_equal(written[k], 0x5a);
  }
  assert_true(fits);
}

/* As the planes of a chunk: runs, what zlib writes, runs. */
static void what_zlib_writes_may_stand_between(void **state)
{
  (void)state;
  fill(9000, 30, 20);
  bit_sink sink = {.next = written, .end = written + sizeof written};
  assert_true(run_coder_write(&coder, &sink, bytes, 3001));
  assert_true(bit_sink_align(&sink));
  z_stream zlib = {0};
  assert_int_equal(deflateInit2(&zlib, 4, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  zlib.next_in = bytes + 3001;
  zlib.avail_in = 3000;
  zlib.next_out = sink.next;
  zlib.avail_out = 10000;
  assert_int_equal(deflate(&zlib, Z_SYNC_FLUSH), Z_OK);
  sink.next = zlib.next_out;
  deflateEnd(&zlib);
  assert_true(run_coder_write(&coder, &sink, bytes + 6001, 2999));
  assert_true(bit_sink_finish(&sink));
  expect_back(written, (size_t)(sink.next - written), 9000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_length_of_a_run_comes_back),
      cmocka_unit_test(bytes_of_any_kind_come_back),
      cmocka_unit_test(unequal_frequencies_keep_codes_short),
      cmocka_unit_test(it_compresses),
      cmocka_unit_test(no_room_is_no_overflow),
      cmocka_unit_test(what_zlib_writes_may_stand_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
