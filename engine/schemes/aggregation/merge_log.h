/*
 * Clusters that become one, and clusters that come apart, as rows of numbers in the order in which it happened. The
 * ballistic schemes write a row for each merge, at its time; for others measures/merges.c compares clusters from
 * look to look. Rows wait in the log until somebody takes them.
 *
 * A scheme that makes clusters of a cluster_set calls cluster_note_merge() before each cluster_absorb() that is not
 * only the rebuilding of clusters that were there before; with log NULL it does nothing.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_MERGE_LOG_H
#define FLOC_SCHEMES_AGGREGATION_MERGE_LOG_H

#include "schemes/aggregation/clusters.h"

/* Numbers of a row; vectors are three of them, [2] is 0 in the plane. Cluster i is that of the smaller id. */
typedef enum merge_number {
  MERGE_TIME,
  MERGE_CHANGE, /* of the number of clusters: -1 two became one, +1 one came apart */
  MERGE_ID_I,   /* the two particles that touched first, or touched last */
  MERGE_ID_J,
  MERGE_SIZE_I, /* particles of the two clusters */
  MERGE_SIZE_J,
  MERGE_MASS_I,
  MERGE_MASS_J,
  MERGE_PLACE,                             /* in the middle between the surfaces of the two particles */
  MERGE_NORMAL = MERGE_PLACE + 3,          /* unit vector from i to j */
  MERGE_VELOCITY_I = MERGE_NORMAL + 3,     /* of the mass centres: of the two while they are apart */
  MERGE_VELOCITY_J = MERGE_VELOCITY_I + 3, /* ... */
  MERGE_VELOCITY = MERGE_VELOCITY_J + 3,   /* and of the one that both are */
  MERGE_NUMBERS = MERGE_VELOCITY + 3
} merge_number;

typedef struct merge_row {
  double number[MERGE_NUMBERS];
} merge_row;

typedef struct merge_log {
  environment *env;
  const particles *table; /* whose ids are written, while a step is made */
  merge_row *row;
  int64_t count;
  size_t capacity;
} merge_log;

/* The geometry of a row: particles in slots i and j with these centres. */
void merge_row_place(merge_row *row, const particles *table, const domain *box, int64_t i, int64_t j,
                     const double x[3], const double y[3]);
floc_status merge_log_add(merge_log *log, const merge_row *row);
void merge_log_free(merge_log *log);

/* The clusters of two members, which are different, are about to become one at `now`. */
floc_status cluster_note_merge(const cluster_set *set, merge_log *log, int32_t first, int32_t second, double now);

#endif
