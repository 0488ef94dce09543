/*
 * Loops over fixed blocks. See parallel.h; how threads share them: team.c.
 */
#include "base/parallel.h"

#include "base/team.h"

#include <math.h>

enum { VALUES_ON_STACK = 1024 };

int64_t parallel_block_count(int64_t count, int64_t block_size)
{
  return (count + block_size - 1) / block_size;
}

static int64_t block_end(int64_t begin, int64_t count, int64_t block_size)
{
  return begin + block_size < count ? begin + block_size : count;
}

void parallel_for(const environment *env, int64_t count, int64_t block_size, block_function function, void *context)
{
  const int64_t range[2] = {0, count};
  parallel_for_ranges(env, 1, range, block_size, function, context);
}

void parallel_for_ranges(const environment *env, int32_t ranges, const int64_t *start, int64_t block_size,
                         block_function function, void *context)
{
  const block_loop loop = {function, context, start, block_size, ranges};
  if (env->threads > 1 && team_takes(env, &loop)) return;
  int64_t block = 0;
  for (int32_t range = 0; range < ranges; range++)
    for (int64_t begin = start[range]; begin < start[range + 1]; begin += block_size)
      function(context, begin, block_end(begin, start[range + 1], block_size), block++);
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

double parallel_sum(const environment *env, int64_t count, int64_t block_size, block_value function, void *context)
{
  return combine_blocks(env, count, block_size, 0.0, function, context, add);
}

double parallel_max(const environment *env, int64_t count, int64_t block_size, double least, block_value function,
                    void *context)
{
  return combine_blocks(env, count, block_size, least, function, context, greater);
}
