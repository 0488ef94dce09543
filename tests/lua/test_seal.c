/*
 * SHA-256 and HMAC against the published examples: FIPS 180-4 (by NIST's example values), RFC 4231. The source is
 * part of the test.
 */
#include "support.h"

#include "../../bindings/lua/sha256.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(const unsigned char digest[SHA256_SIZE], const char *hexadecimal)
{
  char text[2 * SHA256_SIZE + 1];
  for (int k = 0; k < SHA256_SIZE; k++) snprintf(text + 2 * k, 3, "%02x", digest[k]);
  assert_string_equal(text, hexadecimal);
}

/* In pieces of every length. */
static void digest_of(const char *bytes, size_t size, size_t piece, unsigned char digest[SHA256_SIZE])
{
  sha256 sum;
  sha256_begin(&sum);
  for (size_t at = 0; at < size; at += piece) sha256_add(&sum, bytes + at, piece < size - at ? piece : size - at);
  sha256_end(&sum, digest);
}

static void digests_are_the_published_ones(void **state)
{
  (void)state;
  static const struct {
    const char *text, *digest;
  } cases[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
               {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
               {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
               {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmn"
                "opqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
  unsigned char digest[SHA256_SIZE];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (size_t piece = 1; piece < 130; piece++) {
      digest_of(cases[k].text, strlen(cases[k].text), piece, digest);
      expect(digest, cases[k].digest);
    }
  }
  char *million = malloc(1000000);
  assert_non_null(million);
  memset(million, 'a', 1000000);
  digest_of(million, 1000000, 977, digest);
  expect(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(million);
}

static void codes_are_the_published_ones(void **state)
{
  (void)state;
  unsigned char key[SHA256_BLOCK], code[SHA256_SIZE];
  hmac sum;
  memset(key, 0x0b, 20);
  hmac_begin(&sum, key, 20);
  hmac_add(&sum, "Hi ", 3);
  hmac_add(&sum, "There", 5);
  hmac_end(&sum, code);
  expect(code, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  hmac_begin(&sum, (const unsigned char *)"Jefe", 4);
  hmac_add(&sum, "what do ya want for nothing?", 28);
  hmac_end(&sum, code);
  expect(code, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(digests_are_the_published_ones),
                                     cmocka_unit_test(codes_are_the_published_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
