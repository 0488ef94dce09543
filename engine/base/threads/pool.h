/*
 * Threads that a host lends (floc_thread_pool): loops are done by them in place of a team of our own.
 *
 * A range of a loop is one run of the host's function. Its blocks are cut into tasks, contiguous and of the same
 * number of blocks but for one; as in a team it does not matter which thread does a block, nor when, so the bits
 * are those of a team, or of one thread.
 *
 * Nothing that the host's function does wrong reaches a result. A task is taken by changing its state from waiting
 * to taken, so a second run of it does nothing; what the function has not run when it returns, the caller does, and
 * waits for tasks that are still at work. What was wrong is noted, and from then on calls are given up (they find
 * it where they look for interruptions) until the host gives another pool. The states live as long as the pool, so
 * that a task may come late: it finds a state that is not waiting, or one of a later run, which it does.
 */
#ifndef FLOC_BASE_THREADS_POOL_H
#define FLOC_BASE_THREADS_POOL_H

#include "base/threads/team.h"

#include <stdatomic.h>

/* What a host's function did wrong; the first of it is kept. */
typedef enum pool_fault {
  POOL_FINE,
  POOL_TWICE,   /* an index was run more than once */
  POOL_SKIPPED, /* an index was not run */
  POOL_EARLY,   /* the function returned while an index was at work */
  POOL_OUTSIDE  /* an index of 0 .. count - 1 was none */
} pool_fault;

enum { POOL_TASKS = 1024 }; /* of a run, at most */

struct host_pool {
  floc_thread_pool lent;
  /* of the run that is made */
  block_loop loop;
  int64_t begin, end, first_block, blocks_each;
  atomic_int count;
  /* over all runs */
  atomic_flag at_work; /* a loop within a loop is its thread's own */
  atomic_int fault;
  atomic_int wrong_index, wrong_count;
  atomic_int state[POOL_TASKS];
};

floc_status pool_create(environment *env, const floc_thread_pool *lent, host_pool **pool);
void pool_destroy(environment *env, host_pool *pool);

/* Does the loop with the pool of env, which has one; or returns false, if it is not worth it or the pool is at
 * work. */
bool pool_takes(const environment *env, const block_loop *loop);

/* FLOC_OK, or FLOC_CALLBACK_FAILED with what the host's function did wrong. */
floc_status pool_status(environment *env);

static inline bool pool_failed(const environment *env)
{
  return env->pool && atomic_load_explicit(&env->pool->fault, memory_order_relaxed) != POOL_FINE;
}

#endif
