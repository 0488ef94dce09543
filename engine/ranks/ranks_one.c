/*
 * Ranks, and what becomes of every call where there is one alone. See ranks.h.
 */
#include "ranks/ranks.h"

#include <string.h>

static floc_status failed(environment *env, const char *what, int32_t rank)
{
  return refuse(env, FLOC_CALLBACK_FAILED, "rank %d: the host's function %s of floc_ranks failed", rank, what);
}

floc_status ranks_gather(const floc_ranks *ranks, environment *env, const void *own, void *all,
                         const int64_t *bytes)
{
  if (ranks_count(ranks) > 1)
    return ranks->gather(ranks->context, own, all, bytes) == 0 ? FLOC_OK : failed(env, "gather", ranks->number);
  if (bytes[0] > 0) memcpy(all, own, (size_t)bytes[0]);
  return FLOC_OK;
}
