/*
 * Parallel loops with results that do not depend on the number of threads: work is cut into blocks of
 * a fixed size, each block is done by one thread, and sums are taken per block and added in block
 * order. Never use an OpenMP reduction in their place: it adds in the order of arrival.
 */
#ifndef FLOC_BASE_PARALLEL_H
#define FLOC_BASE_PARALLEL_H

#include "base/environment.h"

enum { PARALLEL_BLOCK = 2048 }; /* elements per block of cheap work */

/* Does elements begin .. end-1, which are block number `block`. */
typedef void (*block_function)(void *context, int64_t begin, int64_t end, int64_t block);
/* The same, returning the block's part of a sum or a maximum. */
typedef double (*block_value)(void *context, int64_t begin, int64_t end, int64_t block);

/* Number of blocks that count elements make. */
int64_t parallel_block_count(int64_t count, int64_t block_size);
void parallel_for(const environment *env, int64_t count, int64_t block_size, block_function function,
                  void *context);
/* Sum of the blocks' values in block order; 0 for no elements. */
double parallel_sum(const environment *env, int64_t count, int64_t block_size, block_value function, void *context);
/* Greatest of the blocks' values and `least`. A NaN in any block makes the result NaN. */
double parallel_max(const environment *env, int64_t count, int64_t block_size, double least, block_value function,
                    void *context);

#endif
