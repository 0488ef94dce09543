/*
 * A fingerprint of the C library's mathematical functions: what they give at some arguments, as one number. Two
 * machines, or two versions of the library, whose fingerprints differ round differently, so that runs with sines or
 * powers in them differ in the last bits.
 */
#ifndef FLOC_BASE_NUMBERS_MATHEMATICS_H
#define FLOC_BASE_NUMBERS_MATHEMATICS_H

#include "base/section.h"

/* Some microseconds. */
uint64_t mathematics_fingerprint(void);

/* Where a checkpoint keeps it. */
#define MATHEMATICS_SECTION "world.mathematics"
/* The one in a file; false: it has none. */
bool mathematics_of_sections(const section_list *list, uint64_t *fingerprint);

#endif
