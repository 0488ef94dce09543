/*
 * Giving up a call that lasts too long. The host gives a function that says whether it wants that, a step may be
 * more work than it is allowed (work.h), and threads that the host lends may fail (threads/pool.h); loops that may
 * last look for all three, and what they have done is thrown away by the caller, as when memory runs out.
 *
 * The function is called by the thread that made the call, never by two at once. Other threads see what it last
 * said: once it has wanted the end, all that ask during this call are told so, and it is not called again.
 * Nothing of this reaches a result: a call is given up, or it does what it would have done.
 *
 * A block function that leaves its work undone because of this must not be followed by anything that relies on
 * the work before interruption_status() has been asked.
 */
#ifndef FLOC_BASE_INTERRUPTION_H
#define FLOC_BASE_INTERRUPTION_H

#include "base/environment.h"
#include "base/work.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ASK_INTERVAL = 64 }; /* cheap elements between two questions */

typedef struct interruption {
  floc_interrupt_function function; /* NULL: calls are never given up */
  void *context;
  pthread_t caller; /* of the call in progress */
  atomic_bool wanted;
} interruption;

/* A call of the public surface begins. */
void interruption_begin(interruption *state);

/* Asks the host; for interrupted(). */
bool interruption_ask(const environment *env);

/* May a call be given up at all? Where the host has given a function for it, or threads, which may fail. */
static inline bool interruption_is_possible(const environment *env)
{
  return (env->interruption && env->interruption->function) || env->pool;
}

/* Shall the call be given up? Some nanoseconds, from any thread. */
static inline bool interrupted(const environment *env)
{
  return work_exceeded(env) != WORK_NONE || (interruption_is_possible(env) && interruption_ask(env));
}

/* The same as a status with its message: FLOC_LIMIT_EXCEEDED where it was the work, whatever the host wants;
 * FLOC_CALLBACK_FAILED where it was the host's threads. */
floc_status interruption_status(environment *env);

#endif
