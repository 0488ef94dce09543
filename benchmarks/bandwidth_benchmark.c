/*
 * Memory bandwidth of this machine, the limit that a step over many particles is measured against: McCalpin's
 * STREAM triad a[k] = b[k] + s c[k], in vectors far larger than the caches.
 *
 *   bandwidth_benchmark [threads 1] [megabytes per vector 512] [rounds 10]
 *
 * Counts 24 bytes per element (two read, one written), as STREAM does; the cache line that is read before it is
 * written is not counted. With vectors of 0.5 MB it is the bandwidth of the second-level cache. The threads are
 * those of the engine's own parallel loop, over blocks of fixed size. Prints "name value" lines: best and median,
 * GB/s.
 */
#include "base/threads/parallel.h"
#include "usage.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct vectors {
  double *a, *b, *c;
} vectors;

static void triad(void *context, int64_t begin, int64_t end, int64_t block)
{
  const vectors *it = context;
  (void)block;
  double *restrict a = it->a;
  const double *restrict b = it->b, *restrict c = it->c;
  for (int64_t k = begin; k < end; k++) a[k] = b[k] + 3.0 * c[k];
}

static void fill(void *context, int64_t begin, int64_t end, int64_t block)
{
  const vectors *it = context;
  (void)block;
  for (int64_t k = begin; k < end; k++) it->a[k] = 0.0, it->b[k] = (double)k, it->c[k] = 1.0;
}

static int compare(const void *a, const void *b)
{
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
  enum { MOST = 1000 };
  int rounds = argc > 3 ? atoi(argv[3]) : 10;
  double megabytes = argc > 2 ? atof(argv[2]) : 512.0, rate[MOST];
  environment env = {.allocate = default_allocate, .threads = argc > 1 ? atoi(argv[1]) : 1};
  int64_t count = (int64_t)(megabytes * 1048576.0 / sizeof(double));
  vectors all = {malloc((size_t)count * sizeof(double)), malloc((size_t)count * sizeof(double)),
                 malloc((size_t)count * sizeof(double))};
  if (rounds < 1 || rounds > MOST || count < 1 || !all.a || !all.b || !all.c)
    return fprintf(stderr, "bandwidth_benchmark [threads] [megabytes per vector] [rounds 1 to %d]\n", MOST), 2;
  int repeats = (int)(1 + 64.0 / megabytes); /* small vectors: many times, or the clock is too coarse */
  parallel_for(&env, count, PARALLEL_BLOCK, fill, &all);
  for (int round = 0; round < rounds; round++) {
    double start = env.threads == 1 ? processor_seconds() : wall_seconds();
    for (int k = 0; k < repeats; k++) parallel_for(&env, count, PARALLEL_BLOCK, triad, &all);
    rate[round] =
        24.0 * (double)count * repeats / ((env.threads == 1 ? processor_seconds() : wall_seconds()) - start) * 1e-9;
  }
  bool right = true;
  for (int64_t k = 0; k < count && right; k++) right = all.a[k] == (double)k + 3.0;
  qsort(rate, (size_t)rounds, sizeof *rate, compare);
  printf("threads %d\nbest_gigabytes_per_second %.3f\nmedian_gigabytes_per_second %.3f\nright %d\n",
         (int)env.threads, rate[rounds - 1], rate[rounds / 2], right);
  free(all.a);
  free(all.b);
  free(all.c);
  return !right;
}
