/*
 * Ranks: processes that share one world, each with its part of the particles. The engine knows no MPI: what ranks
 * tell each other goes through the functions of a host (floc_ranks in floc.h; bindings/mpi has them for MPI). With
 * one rank, and that is where ranks is NULL or its count 1, every call here does at once what it would come to.
 *
 * All ranks make the same calls in the same order. Sums are exact, and maxima are exact by nature, so that results
 * do not depend on how many ranks there are, nor on what each of them has.
 */
#ifndef FLOC_RANKS_RANKS_H
#define FLOC_RANKS_RANKS_H

#include "base/environment.h"

static inline int32_t ranks_count(const floc_ranks *ranks)
{
  return ranks ? ranks->count : 1;
}

static inline int32_t ranks_number(const floc_ranks *ranks)
{
  return ranks ? ranks->number : 0;
}

/* What every rank has, bytes[r] of rank r, one behind the other. */
floc_status ranks_gather(const floc_ranks *ranks, environment *env, const void *own, void *all,
                         const int64_t *bytes);

#endif
