/*
 * Philox4x64, against the known answers that its authors publish (Random123, kat_vectors), and the product of two
 * words by halves, which machines without 128-bit integers take, against long multiplication by additions.
 */
#include "base/numbers/philox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct known_answer {
  uint64_t counter[4], key[2], out[4];
} known_answer;

static void known_answers_come_out(void **state)
{
  (void)state;
  static const known_answer known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
      {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
       {UINT64_MAX, UINT64_MAX},
       {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
      {{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
       {0x452821e638d01377, 0xbe5466cf34e90c6c},
       {0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    uint64_t out[4];
    philox4x64(known[k].counter, known[k].key, out);
    for (int j = 0; j < 4; j++) assert_true(out[j] == known[k].out[j]);
  }
}

static uint64_t product_by_additions(uint64_t a, uint64_t b, uint64_t *lower)
{
  uint64_t upper = 0;
  *lower = 0;
  for (int bit = 63; bit >= 0; bit--) {
    upper = upper << 1 | *lower >> 63;
    *lower <<= 1;
    if (!(b >> bit & 1)) continue;
    *lower += a;
    upper += *lower < a;
  }
  return upper;
}

static void products_agree(void **state)
{
  (void)state;
  static const uint64_t edges[] = {0, 1, UINT32_MAX, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
  uint64_t out[4] = {0}, key[2] = {1, 2};
  for (uint64_t k = 0; k < 10036; k++) {
    uint64_t counter[4] = {k, 0, 0, 0}, lower, other, expected;
    philox4x64(counter, key, out);
    uint64_t a = k < 36 ? edges[k / 6] : out[0], b = k < 36 ? edges[k % 6] : out[1];
    uint64_t upper = product_by_additions(a, b, &expected);
    assert_true(philox_product_by_halves(a, b, &lower) == upper && lower == expected);
    assert_true(philox_product(a, b, &other) == upper && other == expected);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers_come_out), cmocka_unit_test(products_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
