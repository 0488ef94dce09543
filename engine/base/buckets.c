/*
 * Buckets. See buckets.h.
 */
#include "base/buckets.h"

#include <stdlib.h>

enum { SHORT_BUCKET = 32 }; /* items up to which insertion is the fastest */

void buckets_place(int32_t *begin, size_t buckets)
{
  for (size_t k = 0; k < buckets; k++) begin[k + 1] += begin[k];
}

static int compare_items(const void *a, const void *b)
{
  int32_t left = ((const bucket_item *)a)->key, right = ((const bucket_item *)b)->key;
  return (left > right) - (left < right);
}

void bucket_sort(bucket_item *item, size_t count)
{
  if (count > SHORT_BUCKET) {
    qsort(item, count, sizeof *item, compare_items);
    return;
  }
  for (size_t k = 1; k < count; k++) {
    bucket_item inserted = item[k];
    size_t place = k;
    for (; place > 0 && item[place - 1].key > inserted.key; place--) item[place] = item[place - 1];
    item[place] = inserted;
  }
}
