/*
 * Parallel loops with results that do not depend on the number of threads: work is cut into blocks of
 * a fixed size, and each block is done by one thread. Sums are exact (base/numbers/exact_sum.h): neither the order
 * of the elements nor how they are cut into blocks changes a bit. Never add doubles in the order of arrival in
 * their place.
 *
 * The threads are those of a team (parallel_call_team), which stay until it is dismissed: loops with its
 * environment or a copy of it are shared in a fraction of a microsecond, and a thread that a busy machine does not
 * run is not waited for. Threads that the host lends do the loops in their place (pool.h). Without either the
 * caller does the loop alone.
 */
#ifndef FLOC_BASE_THREADS_PARALLEL_H
#define FLOC_BASE_THREADS_PARALLEL_H

#include "base/environment.h"
#include "base/numbers/exact_sum.h"

enum { PARALLEL_BLOCK = 2048 }; /* elements per block of cheap work */

/* Does elements begin .. end-1, which are block number `block`. */
typedef void (*block_function)(void *context, int64_t begin, int64_t end, int64_t block);
/* The same, returning the block's part of a count or a maximum. */
typedef double (*block_value)(void *context, int64_t begin, int64_t end, int64_t block);
/* The same, adding each element's terms to a sum. */
typedef void (*block_terms)(void *context, int64_t begin, int64_t end, exact_sum *sum);

/* Sees to it that env has a team of env->threads, another one if it had one of another size, unless the host lends
 * threads; without the memory or
 * the threads for it, loops run without it. A loop within a loop, or at the same time as another, runs on the
 * thread that meets it. A process that was forked calls a team of its own. */
void parallel_call_team(environment *env);
/* The threads end; before env goes. Copies of env have no team any more. */
void parallel_dismiss_team(environment *env);

/* Number of blocks that count elements make. */
int64_t parallel_block_count(int64_t count, int64_t block_size);
void parallel_for(const environment *env, int64_t count, int64_t block_size, block_function function,
                  void *context);
/* The same for elements start[r] .. start[r + 1] - 1 of range 0, 1, ..., one range after another: a range begins
 * when the one before is done. Each range begins a new block; blocks are numbered through. */
void parallel_for_ranges(const environment *env, int32_t ranges, const int64_t *start, int64_t block_size,
                         block_function function, void *context);
/* The same where each element is a block, and its work is about weight[k + 1] - weight[k], which is not negative:
 * each thread begins with as much work as the others, and not with as many elements. */
void parallel_for_weighted(const environment *env, int32_t ranges, const int64_t *start, const int64_t *weight,
                           block_function function, void *context);
/* Sum of the blocks' values, which are integers; 0 for no elements. */
int64_t parallel_count(const environment *env, int64_t count, int64_t block_size, block_value function,
                       void *context);
/* Exact sum of the elements' terms, rounded once. What becomes of NaN and infinities: exact_sum.h. */
double parallel_sum(const environment *env, int64_t count, int64_t block_size, block_terms function, void *context);
/* The same of numbers. */
double parallel_total(const environment *env, int64_t count, const double *values);
/* Copies numbers, by blocks of PARALLEL_BLOCK: each into the cache of the thread that will work on it. */
void parallel_copy(const environment *env, int64_t count, const double *from, double *to);
/* Sets numbers to 0, by blocks of PARALLEL_BLOCK. */
void parallel_clear(const environment *env, int64_t count, double *values);
/* Greatest of the blocks' values and `least`. A NaN in any block makes the result NaN. */
double parallel_max(const environment *env, int64_t count, int64_t block_size, double least, block_value function,
                    void *context);

#endif
