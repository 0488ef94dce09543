/*
 * CRC-32 against zlib's: every length up to a few folds, at every alignment, and long ones.
 */
#include "support.h"

#include "files/checksum.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LONGEST = 1 << 20, SHORT = 1200, ALIGNMENTS = 17 };

static unsigned char *make_noise(void)
{
  unsigned char *bytes = malloc(LONGEST);
  assert_non_null(bytes);
  uint64_t draws = 1;
  for (size_t k = 0; k < LONGEST; k++) {
    draws = draws * UINT64_C(6364136223846793005) + 1;
    bytes[k] = (unsigned char)(draws >> 56);
  }
  return bytes;
}

static void it_is_that_of_zlib(void **state)
{
  (void)state;
  unsigned char *bytes = make_noise();
  for (size_t size = 0; size <= SHORT; size++)
    for (size_t begin = 0; begin < ALIGNMENTS; begin++)
      assert_int_equal(checksum_crc32(bytes + begin, size), crc32_z(0, bytes + begin, size));
  for (size_t size = SHORT; size < LONGEST; size = 3 * size / 2 + 1)
    assert_int_equal(checksum_crc32(bytes, size), crc32_z(0, bytes, size));
  memset(bytes, 0, LONGEST);
  assert_int_equal(checksum_crc32(bytes, LONGEST), crc32_z(0, bytes, LONGEST));
  memset(bytes, 0xff, LONGEST);
  assert_int_equal(checksum_crc32(bytes, LONGEST), crc32_z(0, bytes, LONGEST));
  free(bytes);
}

/* The standard's example, and that any flipped bit changes it. */
static void known_values(void **state)
{
  (void)state;
  assert_int_equal(checksum_crc32("123456789", 9), 0xcbf43926);
  assert_int_equal(checksum_crc32(NULL, 0), 0);
  unsigned char *bytes = make_noise();
  uint32_t whole = checksum_crc32(bytes, SHORT);
  for (size_t bit = 0; bit < 8 * SHORT; bit++) {
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_int_not_equal(checksum_crc32(bytes, SHORT), whole);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_that_of_zlib), cmocka_unit_test(known_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
