/*
 * CRC-32. See checksum.h.
 *
 * A message is a polynomial over the field of two elements, first bit highest, and its CRC what division by P
 * leaves. 16 bytes may be replaced by any that leave the same, further behind: a 64-bit half h at a distance of n
 * bits by h (x^n mod P). So what is left of a long message are 16 bytes; zlib divides those, and takes the rest of
 * the message.
 */
#include "files/checksum.h"

#include <zlib.h>

#ifdef __x86_64__
#include <immintrin.h>

#define FOLDING __attribute__((target("pclmul,sse2")))

enum { FOLDED = 64, LEAST_FOLDED = 256 }; /* bytes taken at a time; from how many on it pays */

/* x^(n + 32) mod P and x^(n - 32) mod P, bits reflected, for n = 512 and 128: what the two halves of an accumulator
 * are multiplied by to move them n bits on. */
static const uint64_t BY_512[2] = {0x154442bd4, 0x1c6e41596};
static const uint64_t BY_128[2] = {0x1751997d0, 0x0ccaa009e};

FOLDING static inline __m128i moved(__m128i sum, __m128i by)
{
  return _mm_xor_si128(_mm_clmulepi64_si128(sum, by, 0x00), _mm_clmulepi64_si128(sum, by, 0x11));
}

FOLDING static inline __m128i at(const unsigned char *bytes, size_t number)
{
  return _mm_loadu_si128((const __m128i *)(const void *)bytes + number);
}

/* size: at least FOLDED. The division begins with a register of ones, zlib's with 0 where it is told to go on
 * from the complement of that. */
FOLDING static uint32_t folded_crc32(const unsigned char *bytes, size_t size)
{
  const __m128i far = at((const void *)BY_512, 0), near = at((const void *)BY_128, 0);
  __m128i a = _mm_xor_si128(at(bytes, 0), _mm_cvtsi32_si128(-1)), b = at(bytes, 1), c = at(bytes, 2),
          d = at(bytes, 3);
  for (bytes += FOLDED, size -= FOLDED; size >= FOLDED; bytes += FOLDED, size -= FOLDED) {
    a = _mm_xor_si128(moved(a, far), at(bytes, 0));
    b = _mm_xor_si128(moved(b, far), at(bytes, 1));
    c = _mm_xor_si128(moved(c, far), at(bytes, 2));
    d = _mm_xor_si128(moved(d, far), at(bytes, 3));
  }
  b = _mm_xor_si128(b, moved(a, near));
  c = _mm_xor_si128(c, moved(b, near));
  d = _mm_xor_si128(d, moved(c, near));
  unsigned char last[sizeof d];
  _mm_storeu_si128((__m128i *)(void *)last, d);
  return (uint32_t)crc32_z(crc32_z(0xffffffff, last, sizeof last), bytes, size);
}

uint32_t checksum_crc32(const void *bytes, size_t size)
{
  if (size >= LEAST_FOLDED && __builtin_cpu_supports("pclmul")) return folded_crc32(bytes, size);
  return (uint32_t)crc32_z(0, bytes, size);
}

#else

uint32_t checksum_crc32(const void *bytes, size_t size)
{
  return (uint32_t)crc32_z(0, bytes, size);
}

#endif
