/*
 * Gravity between particles, or the force between charges, at any distance, by a tree: see long_range.c.
 */
#ifndef FLOC_LAWS_LONG_RANGE_H
#define FLOC_LAWS_LONG_RANGE_H

#include "base/arena.h"
#include "base/domain.h"
#include "particles/particles.h"

typedef struct long_range {
  double strength;  /* of attraction: the constant of gravity, minus that of charges */
  double softening; /* [length] */
  double opening;
  int32_t source; /* column */
} long_range;

/* Names are resolved against the table; a periodic box is refused. */
floc_status long_range_resolve(environment *env, const floc_long_range_options *options, const particles *table,
                               const domain *box, long_range *result);
/* Adds the forces to the columns of the particles; or, if energy is not NULL, only finds the energy of all pairs.
 * The same bits at any number of threads. */
floc_status long_range_apply(environment *env, const long_range *which, const particles *table, int32_t dimension,
                             arena *scratch, double *energy);

#endif
