/*
 * Rules of the format that stand alone: the checksum is that of zlib, whichever library makes it.
 */
#include "samples.h"

#include "files/checkpoint/format.h"

#include <zlib.h>

/* One bit at a time, from the polynomial in docs/checkpoint.md. */
static uint32_t crc32_by_bits(const unsigned char *bytes, size_t size)
{
  uint32_t sum = 0xffffffffu;
  for (size_t k = 0; k < size; k++) {
    sum ^= bytes[k];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
  }
  return ~sum;
}

static unsigned char *some_bytes(size_t size)
{
  unsigned char *bytes = malloc(size);
  uint32_t number = 1;
  for (size_t k = 0; k < size; k++) bytes[k] = (unsigned char)((number = number * 1664525u + 1013904223u) >> 24);
  return bytes;
}

static void checksums_of_every_short_length_at_every_place(void **state)
{
  (void)state;
  enum { LONGEST = 600, PLACES = 64 };
  unsigned char *bytes = some_bytes(LONGEST + PLACES);
  for (size_t size = 0; size <= LONGEST; size++) {
    const unsigned char *first = bytes + size % PLACES;
    assert_int_equal(format_crc32(first, size), crc32_by_bits(first, size));
  }
  for (size_t place = 0; place < PLACES; place++)
    assert_int_equal(format_crc32(bytes + place, LONGEST), crc32_by_bits(bytes + place, LONGEST));
  free(bytes);
}

static void checksums_go_on_from_any_place(void **state)
{
  (void)state;
  enum { SIZE = 300 };
  unsigned char *bytes = some_bytes(SIZE);
  for (size_t first = 0; first <= SIZE; first++) {
    uint32_t sum = format_crc32(bytes, first);
    assert_int_equal(format_crc32_go_on(sum, bytes + first, SIZE - first), crc32_by_bits(bytes, SIZE));
    uint32_t following = format_crc32(bytes + first, SIZE - first);
    assert_int_equal(format_crc32_join(sum, following, SIZE - first), crc32_by_bits(bytes, SIZE));
  }
  free(bytes);
}

/* Bytes whose own sum is 0. */
static void a_sum_of_zero_is_joined_like_others(void **state)
{
  (void)state;
  const unsigned char bytes[] = {0x9d, 0x0a, 0xd9, 0x6d, 'f', 'l', 'o', 'c'};
  assert_int_equal(format_crc32(bytes, 4), 0);
  uint32_t following = format_crc32(bytes + 4, 4);
  assert_int_equal(format_crc32_join(0, following, 4), crc32_by_bits(bytes, 8));
}

static void checksums_of_known_and_long_bytes(void **state)
{
  (void)state;
  enum { LONG = (1 << 20) + 3 };
  assert_int_equal(format_crc32("123456789", 9), 0xcbf43926u);
  assert_int_equal(format_crc32(NULL, 0), 0);
  unsigned char *bytes = some_bytes(LONG);
  assert_int_equal(format_crc32(bytes, LONG), crc32_z(0, bytes, LONG));
  uint32_t before = format_crc32(bytes, LONG);
  bytes[LONG / 2] ^= 0x10;
  assert_int_not_equal(format_crc32(bytes, LONG), before);
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checksums_of_every_short_length_at_every_place),
      cmocka_unit_test(checksums_go_on_from_any_place),
      cmocka_unit_test(a_sum_of_zero_is_joined_like_others),
      cmocka_unit_test(checksums_of_known_and_long_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
