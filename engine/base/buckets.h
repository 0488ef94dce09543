/*
 * Sorting rows by two small integers in linear time: counting puts rows into buckets by the first, a short
 * sort orders each bucket by the second. With the few rows to a bucket that pairs of neighbours have this moves
 * every row once, where a counting sort by both numbers moves it twice, all over memory.
 */
#ifndef FLOC_BASE_BUCKETS_H
#define FLOC_BASE_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

enum { BUCKET_ROW_LIMIT = 128 }; /* numbers in a row */

/* begin[k + 1] holds how many rows bucket k will have, begin[0] is 0; after this begin[k] is where bucket k
 * begins, and begin[buckets] how many rows there are. */
void buckets_place(int32_t *begin, size_t buckets);
/* Sorts the rows of a bucket, count x width (2 to BUCKET_ROW_LIMIT), by their second numbers; rows whose second
 * numbers are equal come in any order. */
void bucket_sort(double *row, size_t count, size_t width);

#endif
