/*
 * How the writer stores a column: which filter, and for each byte plane whether and how it is compressed. None of
 * it is part of the file format: a reader takes what the chunk says.
 *
 * Decided on samples by order-0 entropy, and by counting repeated sequences. Figures on one core (MB/s of plane
 * bytes): copying 5000, runs 300 to 700, Huffman codes 100, the search for matches 30 to 80; reading what was
 * compressed 200 to 400.
 */
#ifndef FLOC_FILES_CHECKPOINT_PLANE_CHOICE_H
#define FLOC_FILES_CHECKPOINT_PLANE_CHOICE_H

#include "files/checkpoint/byte_planes.h"

#include <stdbool.h>

typedef enum plane_way { WAY_RAW, WAY_RUNS, WAY_HUFFMAN, WAY_MATCHES } plane_way;

enum { CHOICE_SAMPLE = 2048, REPEAT_SAMPLE = 4096 };

typedef struct plane_choice {
  float bits[CHOICE_SAMPLE + 1]; /* n log2 n */
  uint32_t seen[REPEAT_SAMPLE];  /* hash of a sequence -> its place in the sample + 1 */
} plane_choice;

void plane_choice_init(plane_choice *choice);
/* The filter with which the column takes the fewest bits, by rows in the middle; shape->filter does not matter. */
column_filter plane_choice_filter(plane_choice *choice, const unsigned char *raw, const column_shape *shape);
/* Do the bytes of a plane come in sequences that were there before? Asked of a column's lowest plane: where its
 * numbers repeat, that one repeats. */
bool plane_choice_repeats(plane_choice *choice, const unsigned char *plane, size_t size);
/* How to store a plane that is not constant. */
plane_way plane_choice_way(const plane_choice *choice, const unsigned char *plane, size_t size, bool repeats);

#endif
