/*
 * Ranks, and what becomes of every call where there is one alone. See ranks.h.
 */
#include "ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static floc_status told(const floc_ranks *ranks, environment *env, const char *what, int failed)
{
  if (failed == 0) return FLOC_OK;
  return refuse(env, FLOC_CALLBACK_FAILED, "rank %d: the host's function %s of floc_ranks failed", ranks->number,
                what);
}

floc_status ranks_add(const floc_ranks *ranks, environment *env, int64_t *values, int64_t count)
{
  if (ranks_count(ranks) == 1) return FLOC_OK;
  return told(ranks, env, "add", ranks->add(ranks->context, values, count));
}

floc_status ranks_maximum(const floc_ranks *ranks, environment *env, double *values, int64_t count)
{
  if (ranks_count(ranks) == 1) return FLOC_OK;
  return told(ranks, env, "maximum", ranks->maximum(ranks->context, values, count));
}

floc_status ranks_exchange(const floc_ranks *ranks, environment *env, const void *send, const int64_t *send_bytes,
                           void *receive, const int64_t *receive_bytes)
{
  if (ranks_count(ranks) > 1)
    return told(ranks, env, "exchange", ranks->exchange(ranks->context, send, send_bytes, receive, receive_bytes));
  if (send_bytes[0] > 0) memcpy(receive, send, (size_t)send_bytes[0]);
  return FLOC_OK;
}

floc_status ranks_gather(const floc_ranks *ranks, environment *env, const void *own, void *all,
                         const int64_t *bytes)
{
  if (ranks_count(ranks) > 1) return told(ranks, env, "gather", ranks->gather(ranks->context, own, all, bytes));
  if (bytes[0] > 0) memcpy(all, own, (size_t)bytes[0]);
  return FLOC_OK;
}

typedef struct failure {
  floc_status status;
  char message[MESSAGE_SIZE];
} failure;

/* From the rank that failed to the others. */
static floc_status spread(const floc_ranks *ranks, environment *env, floc_status status, int32_t from)
{
  failure own = {.status = status}, first = {.status = FLOC_CALLBACK_FAILED};
  memcpy(own.message, env->message, sizeof own.message);
  int64_t *bytes = calloc((size_t)ranks->count, sizeof *bytes);
  if (!bytes) return FLOC_OUT_OF_MEMORY;
  bytes[from] = sizeof own;
  const floc_status gathered = ranks_gather(ranks, env, &own, &first, bytes);
  free(bytes);
  if (gathered != FLOC_OK) return gathered;
  memcpy(env->message, first.message, sizeof first.message);
  return first.status;
}

floc_status ranks_agree(const floc_ranks *ranks, environment *env, floc_status status, double *values,
                        int32_t count)
{
  if (ranks_count(ranks) == 1) return status;
  double all[1 + AGREED_VALUES] = {status == FLOC_OK ? 0.0 : (double)(ranks->count - ranks->number)};
  for (int32_t k = 0; k < count; k++) all[1 + k] = values[k];
  const floc_status met = ranks_maximum(ranks, env, all, 1 + count);
  if (met != FLOC_OK) return met;
  for (int32_t k = 0; k < count; k++) values[k] = all[1 + k];
  return all[0] == 0.0 ? FLOC_OK : spread(ranks, env, status, ranks->count - (int32_t)all[0]);
}
