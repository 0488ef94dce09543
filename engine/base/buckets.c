/*
 * Buckets. See buckets.h.
 */
#include "base/buckets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_BUCKET = 32 }; /* rows up to which insertion is the fastest */

void buckets_place(int32_t *begin, size_t buckets)
{
  for (size_t k = 0; k < buckets; k++) begin[k + 1] += begin[k];
}

static int compare_rows(const void *a, const void *b)
{
  double left = ((const double *)a)[1], right = ((const double *)b)[1];
  return (left > right) - (left < right);
}

/* Moves row `from` before row `to`, which is not after it; those between move up. */
static void insert(double *row, size_t from, size_t to, size_t width)
{
  double inserted[BUCKET_ROW_LIMIT];
  size_t bytes = width * sizeof *row;
  memcpy(inserted, row + from * width, bytes);
  memmove(row + (to + 1) * width, row + to * width, (from - to) * bytes);
  memcpy(row + to * width, inserted, bytes);
}

void bucket_sort(double *row, size_t count, size_t width)
{
  assert(width >= 2 && width <= BUCKET_ROW_LIMIT);
  if (count > SHORT_BUCKET) {
    qsort(row, count, width * sizeof *row, compare_rows);
    return;
  }
  for (size_t k = 1; k < count; k++) {
    size_t place = k;
    while (place > 0 && row[(place - 1) * width + 1] > row[k * width + 1]) place--;
    if (place < k) insert(row, k, place, width);
  }
}
