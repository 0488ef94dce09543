/*
 * SHA-256 (FIPS 180-4) and the message authentication code made from it, HMAC (RFC 2104), over parts that follow
 * each other.
 */
#ifndef FLOC_LUA_SHA256_H
#define FLOC_LUA_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32, SHA256_BLOCK = 64 };

typedef struct sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  unsigned char block[SHA256_BLOCK];
} sha256;

void sha256_begin(sha256 *self);
void sha256_add(sha256 *self, const void *bytes, size_t size);
void sha256_end(sha256 *self, unsigned char digest[SHA256_SIZE]);

typedef struct hmac {
  sha256 inner, outer;
} hmac;

/* key_size is at most SHA256_BLOCK. */
void hmac_begin(hmac *self, const unsigned char *key, size_t key_size);
void hmac_add(hmac *self, const void *bytes, size_t size);
void hmac_end(hmac *self, unsigned char code[SHA256_SIZE]);

#endif
