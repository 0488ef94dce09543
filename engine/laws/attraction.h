/*
 * The short-range attraction of Maury 2004, (2.8)-(2.9), with kappa read once (docs/gallery.md says why): the
 * pair is pulled together by (kappa/epsilon) sech^2(D/epsilon).
 */
#ifndef FLOC_LAWS_ATTRACTION_H
#define FLOC_LAWS_ATTRACTION_H

#include "base/arena.h"
#include "laws/pair_blocks.h"
#include "neighbors/neighbors.h"

typedef struct attraction {
  double strength; /* kappa/epsilon */
  double epsilon;
  double range;
  bool noise_scaling;
} attraction;

floc_status attraction_resolve(environment *env, const floc_attraction_options *options, attraction *result);
/* Adds the forces on the particles to their columns. Sums depend on the blocks, not on threads.
 * virial: as in laws_moment; only then it may fail, for want of memory. */
floc_status attraction_apply(const environment *env, const attraction *which, const particles *table,
                             const pair_list *pairs, const domain *box, int32_t dimension, double time_step,
                             const pair_blocks *blocks, arena *scratch, double *virial);
/* The sum of the potentials whose slopes are these forces, 0 at the range. */
double attraction_energy(const attraction *which, const particles *table, const pair_list *pairs, const domain *box,
                         int32_t dimension, double time_step);

/* Adds them by entry, along the line of centres: > 0 would be apart. */
void attraction_add_normal(const attraction *which, const particles *table, const pair_list *pairs,
                           const domain *box, int32_t dimension, double time_step, double *normal);

#endif
