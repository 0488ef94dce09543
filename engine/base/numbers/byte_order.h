/*
 * The byte order of files and hashes: little-endian on every machine. Nearly all machines are, and there these
 * functions are nothing; on a big-endian one (s390x) what is written or hashed is turned on its way.
 */
#ifndef FLOC_BASE_NUMBERS_BYTE_ORDER_H
#define FLOC_BASE_NUMBERS_BYTE_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { MACHINE_IS_BIG_ENDIAN = 1 };
#else
enum { MACHINE_IS_BIG_ENDIAN = 0 };
#endif

/* From the machine's order to that of files, or back. */
static inline uint64_t little_endian_64(uint64_t number)
{
  return MACHINE_IS_BIG_ENDIAN ? __builtin_bswap64(number) : number;
}

static inline uint32_t little_endian_32(uint32_t number)
{
  return MACHINE_IS_BIG_ENDIAN ? __builtin_bswap32(number) : number;
}

/* The same for numbers of 1, 4 or 8 bytes that stand one after the other. */
static inline void little_endian_numbers(void *numbers, size_t count, size_t element)
{
  if (!MACHINE_IS_BIG_ENDIAN || element == 1) return;
  unsigned char *at = numbers;
  for (size_t k = 0; k < count; k++, at += element) {
    if (element == 8) {
      uint64_t number;
      memcpy(&number, at, sizeof number);
      number = little_endian_64(number);
      memcpy(at, &number, sizeof number);
    } else {
      uint32_t number;
      memcpy(&number, at, sizeof number);
      number = little_endian_32(number);
      memcpy(at, &number, sizeof number);
    }
  }
}

/* Gives numbers to `step` in the order of files, for a sum of any kind: piece after piece, or where the machine has
 * that order, all at once. */
typedef void (*take_bytes)(void *sum, const void *bytes, size_t size);
static inline void take_little_endian(take_bytes step, void *sum, const void *numbers, size_t size, size_t element)
{
  if (!MACHINE_IS_BIG_ENDIAN || element == 1) {
    step(sum, numbers, size);
    return;
  }
  unsigned char piece[4096];
  const unsigned char *from = numbers;
  for (size_t done = 0; done < size;) {
    size_t part = size - done < sizeof piece ? size - done : sizeof piece;
    memcpy(piece, from + done, part);
    little_endian_numbers(piece, part / element, element);
    step(sum, piece, part);
    done += part;
  }
}

#endif
