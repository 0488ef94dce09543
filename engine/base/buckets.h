/*
 * Sorting by two small whole numbers in linear time: counting puts items into buckets by the first, a short sort
 * orders each bucket by the second. With the few items to a bucket that pairs of neighbours have this moves every
 * item once, where a counting sort by both numbers moves it twice, all over memory.
 */
#ifndef FLOC_BASE_BUCKETS_H
#define FLOC_BASE_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

typedef struct bucket_item {
  int32_t key, value;
} bucket_item;

/* begin[k + 1] holds how many items bucket k will have, begin[0] is 0; after this begin[k] is where bucket k
 * begins, and begin[buckets] how many items there are. */
void buckets_place(int32_t *begin, size_t buckets);
/* Sorts a bucket by key; items with equal keys come in any order. */
void bucket_sort(bucket_item *item, size_t count);

#endif
