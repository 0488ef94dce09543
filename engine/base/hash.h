/*
 * Hash of a state (XXH3, 64 bits): every part is hashed with its name and shape, in a fixed order.
 */
#ifndef FLOC_BASE_HASH_H
#define FLOC_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Mixes bytes into a running hash; start with 0. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);
/* The same for numbers of 1, 4 or 8 bytes: little-endian on every machine. */
uint64_t hash_numbers(uint64_t hash, const void *numbers, size_t count, size_t element);

#endif
