/*
 * SHA-256 and HMAC; see sha256.h. Constants are the first 32 bits of the fractions of square and cube roots of the
 * first primes, as FIPS 180-4 lists them.
 */
#include "sha256.h"

#include <string.h>

static const uint32_t constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int bits)
{
  return x >> bits | x << (32 - bits);
}

static void expand(uint32_t w[64], const unsigned char *block)
{
  for (int t = 0; t < 16; t++)
    w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
           block[4 * t + 3];
  for (int t = 16; t < 64; t++) {
    uint32_t s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
}

static void compress(uint32_t state[8], const unsigned char *block)
{
  uint32_t w[64], v[8]; /* v: a to h */
  expand(w, block);
  memcpy(v, state, sizeof v);
  for (int t = 0; t < 64; t++) {
    uint32_t s1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25), choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t s0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
    uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    uint32_t first = v[7] + s1 + choice + constant[t] + w[t];
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += first;
    v[0] = first + s0 + majority;
  }
  for (int k = 0; k < 8; k++) state[k] += v[k];
}

void sha256_begin(sha256 *self)
{
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(self->state, start, sizeof start);
  self->length = 0;
}

void sha256_add(sha256 *self, const void *bytes, size_t size)
{
  const unsigned char *next = bytes;
  while (size > 0) {
    size_t used = (size_t)(self->length % SHA256_BLOCK), part = SHA256_BLOCK - used;
    if (part > size) part = size;
    memcpy(self->block + used, next, part);
    self->length += part;
    next += part;
    size -= part;
    if (used + part == SHA256_BLOCK) compress(self->state, self->block);
  }
}

void sha256_end(sha256 *self, unsigned char digest[SHA256_SIZE])
{
  static const unsigned char padding[SHA256_BLOCK] = {0x80};
  unsigned char bits[8];
  for (int k = 0; k < 8; k++) bits[k] = (unsigned char)(8 * self->length >> (56 - 8 * k));
  size_t used = (size_t)(self->length % SHA256_BLOCK);
  sha256_add(self, padding, used < 56 ? 56 - used : SHA256_BLOCK + 56 - used);
  sha256_add(self, bits, sizeof bits);
  for (int k = 0; k < SHA256_SIZE; k++) digest[k] = (unsigned char)(self->state[k / 4] >> (24 - 8 * (k % 4)));
}

void hmac_begin(hmac *self, const unsigned char *key, size_t key_size)
{
  unsigned char inner[SHA256_BLOCK], outer[SHA256_BLOCK];
  for (size_t k = 0; k < SHA256_BLOCK; k++) {
    unsigned char byte = k < key_size ? key[k] : 0;
    inner[k] = byte ^ 0x36;
    outer[k] = byte ^ 0x5c;
  }
  sha256_begin(&self->inner);
  sha256_add(&self->inner, inner, sizeof inner);
  sha256_begin(&self->outer);
  sha256_add(&self->outer, outer, sizeof outer);
}

void hmac_add(hmac *self, const void *bytes, size_t size)
{
  sha256_add(&self->inner, bytes, size);
}

void hmac_end(hmac *self, unsigned char code[SHA256_SIZE])
{
  sha256_end(&self->inner, code);
  sha256_add(&self->outer, code, SHA256_SIZE);
  sha256_end(&self->outer, code);
}
