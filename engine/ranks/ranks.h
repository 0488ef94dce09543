/*
 * Ranks: processes that share one world, each with its part of the particles. The engine knows no MPI: what ranks
 * tell each other goes through the functions of a host (floc_ranks in floc.h; bindings/mpi has them for MPI). With
 * one rank, and that is where ranks is NULL or its count 1, every call here does at once what it would come to.
 *
 * All ranks make the same calls in the same order. Sums are of integers, and maxima are exact by nature, so that
 * results do not depend on how many ranks there are, nor on what each of them has.
 */
#ifndef FLOC_RANKS_RANKS_H
#define FLOC_RANKS_RANKS_H

#include "base/environment.h"

/* What ranks have told each other so far. */
typedef struct ranks_traffic {
  int64_t meetings;  /* sums, maxima and agreements: all wait for all */
  int64_t exchanges; /* with some */
  int64_t bytes;     /* that this rank has sent to others by exchanges */
} ranks_traffic;

static inline int32_t ranks_count(const floc_ranks *ranks)
{
  return ranks && ranks->count > 1 ? ranks->count : 1;
}

static inline int32_t ranks_number(const floc_ranks *ranks)
{
  return ranks ? ranks->number : 0;
}

/* Every element becomes its sum over all ranks. */
floc_status ranks_add(const floc_ranks *ranks, environment *env, int64_t *values, int64_t count);
/* Every element becomes its maximum over all ranks. */
floc_status ranks_maximum(const floc_ranks *ranks, environment *env, double *values, int64_t count);
/* send_bytes[r] bytes for rank r, one behind the other; likewise what comes. */
floc_status ranks_exchange(const floc_ranks *ranks, environment *env, const void *send, const int64_t *send_bytes,
                           void *receive, const int64_t *receive_bytes);
/* What every rank has, bytes[r] of rank r, one behind the other. */
floc_status ranks_gather(const floc_ranks *ranks, environment *env, const void *own, void *all,
                         const int64_t *bytes);
/* FLOC_OK if it is that on all ranks; else what the first one that failed has, with its message. values: as
 * ranks_maximum(), in the same meeting; at most AGREED_VALUES. */
enum { AGREED_VALUES = 7 };
floc_status ranks_agree(const floc_ranks *ranks, environment *env, floc_status status, double *values,
                        int32_t count);

#endif
