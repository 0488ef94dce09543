/*
 * Contents of a file where they stand in it, which may be at any address.
 */
#ifndef FLOC_TESTS_FILES_LOOSE_ENTRIES_H
#define FLOC_TESTS_FILES_LOOSE_ENTRIES_H

#include "files/checkpoint/format.h"

typedef section_entry loose_section __attribute__((aligned(1)));
typedef chunk_entry loose_chunk __attribute__((aligned(1)));
typedef prediction_entry loose_prediction __attribute__((aligned(1)));

#endif
