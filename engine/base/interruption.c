/*
 * See interruption.h.
 */
#include "base/interruption.h"

#include "base/callback.h"
#include "base/threads/pool.h"

void interruption_begin(interruption *state)
{
  state->caller = pthread_self();
  atomic_store_explicit(&state->wanted, false, memory_order_relaxed);
}

bool interruption_ask(const environment *env)
{
  if (pool_failed(env)) return true;
  interruption *state = env->interruption;
  if (!state || !state->function) return false;
  if (atomic_load_explicit(&state->wanted, memory_order_relaxed)) return true;
  if (!pthread_equal(state->caller, pthread_self())) return false;
  callback_mark before = callback_begin(env, CALLBACK_INTERRUPT, NULL);
  bool wanted = state->function(state->context) != 0;
  float_take_back();
  callback_end(env, before);
  if (!wanted) return false;
  atomic_store_explicit(&state->wanted, true, memory_order_relaxed);
  return true;
}

floc_status interruption_status(environment *env)
{
  work_kind kind = work_exceeded(env);
  if (kind != WORK_NONE)
    return refuse(env, FLOC_LIMIT_EXCEEDED, "more work than the limit of %.4g, in %s", (double)env->work->limit,
                  work_name(kind));
  if (!interrupted(env)) return FLOC_OK;
  if (pool_failed(env)) return pool_status(env);
  return refuse(env, FLOC_INTERRUPTED, "interrupted by the host; the world is as it was before the call");
}
