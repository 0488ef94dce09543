/*
 * The blocks of particles in which pair laws are done: sums depend on where they begin (law_pairs.c). Of a whole
 * world they have a size; of one rank's cut they are those of the whole, and each begins at a slot of its own.
 */
#ifndef FLOC_LAWS_PAIR_BLOCKS_H
#define FLOC_LAWS_PAIR_BLOCKS_H

#include "particles/owned.h"

typedef struct pair_blocks {
  int64_t size;
  const int64_t *start; /* [count + 1] in a cut; NULL: all have `size` particles but the last */
  int64_t count;
} pair_blocks;

/* A block may be empty. */
void pair_blocks_for(const environment *env, const pair_blocks *blocks, const particles *table,
                     block_function function, void *context);

#endif
