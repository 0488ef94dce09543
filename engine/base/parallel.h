/*
 * Parallel loops with results that do not depend on the number of threads: work is cut into blocks of
 * a fixed size, each block is done by one thread, and sums are taken per block and added in block
 * order. Never use an OpenMP reduction in their place: it adds in the order of arrival.
 *
 * A loop by itself wakes the threads and waits until they are done, which takes as long as some thousand cheap
 * elements. Many loops one after another are done by a team: parallel_with_team(env, function, context) calls
 * function, and all loops with env (or a copy of it) in there share threads that stay awake. What function does
 * between loops, it does alone.
 */
#ifndef FLOC_BASE_PARALLEL_H
#define FLOC_BASE_PARALLEL_H

#include "base/environment.h"

enum { PARALLEL_BLOCK = 2048 }; /* elements per block of cheap work */

/* Does elements begin .. end-1, which are block number `block`. */
typedef void (*block_function)(void *context, int64_t begin, int64_t end, int64_t block);
/* The same, returning the block's part of a sum or a maximum. */
typedef double (*block_value)(void *context, int64_t begin, int64_t end, int64_t block);

/* What is done with a team. */
typedef floc_status (*team_function)(void *context);

/* Returns what function returns. Within a team, or with one thread, it is just called. env is used by one thread
 * at a time, as always; loops within a loop run on the thread that meets them. */
floc_status parallel_with_team(environment *env, team_function function, void *context);

/* Number of blocks that count elements make. */
int64_t parallel_block_count(int64_t count, int64_t block_size);
void parallel_for(const environment *env, int64_t count, int64_t block_size, block_function function,
                  void *context);
/* The same for elements start[r] .. start[r + 1] - 1 of range 0, 1, ..., one range after another: a range begins
 * when the one before is done. Each range begins a new block; blocks are numbered through. */
void parallel_for_ranges(const environment *env, int32_t ranges, const int64_t *start, int64_t block_size,
                         block_function function, void *context);
/* Sum of the blocks' values in block order; 0 for no elements. */
double parallel_sum(const environment *env, int64_t count, int64_t block_size, block_value function, void *context);
/* Greatest of the blocks' values and `least`. A NaN in any block makes the result NaN. */
double parallel_max(const environment *env, int64_t count, int64_t block_size, double least, block_value function,
                    void *context);

#endif
