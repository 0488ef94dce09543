/*
 * Numbers in files, pages and the journal of a checkpoint are little-endian on every machine, as the engine's own
 * files are. Compilers see that these loops are nothing on most machines, and an exchange of bytes on the others.
 */
#ifndef FLOC_BINDINGS_BYTE_ORDER_H
#define FLOC_BINDINGS_BYTE_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A number as it stands in a file, and back. */
static inline uint64_t little_endian_number(uint64_t number)
{
  unsigned char bytes[8];
  for (int k = 0; k < 8; k++) bytes[k] = (unsigned char)(number >> (8 * k));
  memcpy(&number, bytes, sizeof number);
  return number;
}

/* The same for numbers of 8 bytes, whole ones or not, that stand one behind the other. */
static inline void little_endian_numbers(void *numbers, size_t count)
{
  unsigned char *at = numbers;
  for (size_t k = 0; k < count; k++, at += 8) {
    uint64_t number;
    memcpy(&number, at, sizeof number);
    number = little_endian_number(number);
    memcpy(at, &number, sizeof number);
  }
}

#endif
