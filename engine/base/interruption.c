/*
 * See interruption.h.
 */
#include "base/interruption.h"

void interruption_begin(interruption *state)
{
  state->caller = pthread_self();
  atomic_store_explicit(&state->wanted, false, memory_order_relaxed);
}

bool interruption_ask(interruption *state)
{
  if (atomic_load_explicit(&state->wanted, memory_order_relaxed)) return true;
  if (!pthread_equal(state->caller, pthread_self()) || !state->function(state->context)) return false;
  atomic_store_explicit(&state->wanted, true, memory_order_relaxed);
  return true;
}

floc_status interruption_status(environment *env)
{
  if (!interrupted(env)) return FLOC_OK;
  return refuse(env, FLOC_INTERRUPTED, "interrupted by the host; the world is as it was before the call");
}
