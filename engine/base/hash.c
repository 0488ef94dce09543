/*
 * XXH3 from the xxHash header, inlined. See hash.h.
 */
#define XXH_INLINE_ALL
#include "base/hash.h"

#include "base/numbers/byte_order.h"

#include <xxhash.h>

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
  return XXH3_64bits_withSeed(bytes, size, hash);
}

static void take_piece(void *sum, const void *bytes, size_t size)
{
  (void)XXH3_64bits_update(sum, bytes, size);
}

uint64_t hash_numbers(uint64_t hash, const void *numbers, size_t count, size_t element)
{
  if (!MACHINE_IS_BIG_ENDIAN) return hash_bytes(hash, numbers, count * element);
  XXH3_state_t state;
  (void)XXH3_64bits_reset_withSeed(&state, hash);
  take_little_endian(take_piece, &state, numbers, count * element, element);
  return XXH3_64bits_digest(&state);
}
