/*
 * XXH3 from the xxHash header, inlined. See hash.h.
 */
#define XXH_INLINE_ALL
#include "base/hash.h"

#include <xxhash.h>

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
  return XXH3_64bits_withSeed(bytes, size, hash);
}
