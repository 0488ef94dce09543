/*
 * The particles that a shape is measured of, as plain columns: all, or one cluster. Particles come in the
 * order of their ids, so that the storage order does not show.
 *
 * A cluster that reaches through a periodic face is put together along its pairs: each particle is placed
 * at the image nearest to a neighbour that has been placed. Then distances are plain ones.
 */
#ifndef FLOC_MEASURES_POINTS_H
#define FLOC_MEASURES_POINTS_H

#include "measures/clusters.h"

typedef struct measured_points {
  environment *env;
  domain box;                          /* open once the points have been put together */
  int64_t count;                       /* 1 or more */
  double *memory;                      /* holds the columns */
  double *position[3], *radius, *mass; /* [count] */
} measured_points;

/* pairs and cluster_of (see clusters_find) NULL: all particles as they are. cluster: see floc_selection;
 * FLOC_NOT_FOUND if it has no particles. */
floc_status points_gather(environment *env, const particles *table, const domain *box, const cluster_pairs *pairs,
                          const int64_t *cluster_of, int64_t cluster, measured_points *points);
/* All particles, every cluster put together by itself. */
floc_status points_gather_together(environment *env, const particles *table, const domain *box,
                                   const cluster_pairs *pairs, measured_points *points);
void points_free(measured_points *points);
double points_mean_radius(const measured_points *points);
double points_greatest_radius(const measured_points *points);

#endif
