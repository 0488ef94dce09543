/*
 * Loops over fixed blocks. See parallel.h; how the threads of a team share them: team.c, and those
 * of a host: pool.c. Without either the caller does all blocks in order; by construction the result is the same.
 */
#include "base/threads/parallel.h"

#include "base/threads/pool.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { VALUES_ON_STACK = 1024 };

int64_t parallel_block_count(int64_t count, int64_t block_size)
{
  return (count + block_size - 1) / block_size;
}

static int64_t block_end(int64_t begin, int64_t count, int64_t block_size)
{
  return begin + block_size < count ? begin + block_size : count;
}

static void do_range(const block_loop *loop, int64_t range, int64_t first_block)
{
  int64_t start = loop->start[range], count = loop->start[range + 1] - start, size = loop->block_size;
  int64_t blocks = parallel_block_count(count, size);
  for (int64_t block = 0; block < blocks; block++)
    loop->function(loop->context, start + block * size, start + block_end(block * size, count, size),
                   first_block + block);
}

static void do_loop(const environment *env, const block_loop *loop)
{
  if (env->threads > 1 && env->pool && pool_takes(env, loop)) return;
  if (env->threads > 1 && !env->pool && env->team && team_takes(env, loop)) return;
  int64_t first_block = 0;
  for (int32_t range = 0; range < loop->ranges; range++) {
    do_range(loop, range, first_block);
    first_block += parallel_block_count(loop->start[range + 1] - loop->start[range], loop->block_size);
  }
}

void parallel_for_ranges(const environment *env, int32_t ranges, const int64_t *start, int64_t block_size,
                         block_function function, void *context)
{
  do_loop(env, &(block_loop){function, context, start, block_size, ranges, NULL});
}

void parallel_for_weighted(const environment *env, int32_t ranges, const int64_t *start, const int64_t *weight,
                           block_function function, void *context)
{
  do_loop(env, &(block_loop){function, context, start, 1, ranges, weight});
}

void parallel_for(const environment *env, int64_t count, int64_t block_size, block_function function, void *context)
{
  const int64_t range[2] = {0, count};
  parallel_for_ranges(env, 1, range, block_size, function, context);
}

/* A batch of blocks whose values are kept until they are combined in order. */
typedef struct value_batch {
  block_value function;
  void *context;
  int64_t first_block, block_size, count;
  double *value;
} value_batch;

static void evaluate(void *context, int64_t begin, int64_t end, int64_t unused)
{
  (void)unused;
  value_batch *batch = context;
  for (int64_t k = begin; k < end; k++) {
    int64_t block = batch->first_block + k;
    int64_t start = block * batch->block_size;
    batch->value[k] =
        batch->function(batch->context, start, block_end(start, batch->count, batch->block_size), block);
  }
}

typedef double (*combine_function)(double, double);

static double add(double a, double b)
{
  assert(b == floor(b));
  return a + b;
}

static double greater(double a, double b)
{
  if (isnan(a) || isnan(b)) return NAN;
  return a > b ? a : b;
}

static double combine_blocks(const environment *env, int64_t count, int64_t block_size, double start,
                             block_value function, void *context, combine_function combine)
{
  double value[VALUES_ON_STACK];
  int64_t blocks = parallel_block_count(count, block_size);
  double result = start;
  for (int64_t first = 0; first < blocks; first += VALUES_ON_STACK) {
    int64_t batch_size = blocks - first < VALUES_ON_STACK ? blocks - first : VALUES_ON_STACK;
    value_batch batch = {function, context, first, block_size, count, value};
    parallel_for(env, batch_size, 1, evaluate, &batch);
    for (int64_t k = 0; k < batch_size; k++) result = combine(result, value[k]);
  }
  return result;
}

int64_t parallel_count(const environment *env, int64_t count, int64_t block_size, block_value function,
                       void *context)
{
  return (int64_t)combine_blocks(env, count, block_size, 0.0, function, context, add);
}

/* ---- exact sums ---- */

/* What all blocks add to, as they are done: integers, so that their order does not matter. With its carries
 * taken a block adds less than 2^32 to a chunk, so that there is space for 2^31 blocks. */
typedef struct common_sum {
  block_terms function;
  void *context;
  _Atomic int64_t chunk[EXACT_CHUNKS];
  _Atomic uint32_t special;
} common_sum;

static void add_terms(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  common_sum *common = context;
  exact_sum own = EXACT_ZERO;
  common->function(common->context, begin, end, &own);
  exact_carry(&own);
  for (int k = 0; k < EXACT_CHUNKS; k++)
    if (own.chunk[k] != 0) atomic_fetch_add_explicit(&common->chunk[k], own.chunk[k], memory_order_relaxed);
  if (own.special != 0) atomic_fetch_or_explicit(&common->special, own.special, memory_order_relaxed);
}

double parallel_sum(const environment *env, int64_t count, int64_t block_size, block_terms function, void *context)
{
  common_sum common = {.function = function, .context = context};
  parallel_for(env, count, block_size, add_terms, &common);
  exact_sum sum = EXACT_ZERO;
  for (int k = 0; k < EXACT_CHUNKS; k++)
    sum.chunk[k] = atomic_load_explicit(&common.chunk[k], memory_order_relaxed);
  sum.special = atomic_load_explicit(&common.special, memory_order_relaxed);
  return exact_value(&sum);
}

static void total_of_block(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  const double *values = context;
  exact_add_all(sum, values + begin, end - begin);
}

double parallel_total(const environment *env, int64_t count, const double *values)
{
  return parallel_sum(env, count, PARALLEL_BLOCK, total_of_block, (void *)values);
}

typedef struct copy_call {
  const double *from;
  double *to;
} copy_call;

static void copy_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const copy_call *call = context;
  memcpy(call->to + begin, call->from + begin, (size_t)(end - begin) * sizeof(double));
}

void parallel_copy(const environment *env, int64_t count, const double *from, double *to)
{
  copy_call call = {from, to};
  parallel_for(env, count, PARALLEL_BLOCK, copy_block, &call);
}

static void clear_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  memset((double *)context + begin, 0, (size_t)(end - begin) * sizeof(double));
}

void parallel_clear(const environment *env, int64_t count, double *values)
{
  parallel_for(env, count, PARALLEL_BLOCK, clear_block, values);
}

double parallel_max(const environment *env, int64_t count, int64_t block_size, double least, block_value function,
                    void *context)
{
  return combine_blocks(env, count, block_size, least, function, context, greater);
}
