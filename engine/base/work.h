/*
 * How much work a step may be. Input that is absurd (a speed of 1e200, a skin of 1e-9, a disc as large as its box)
 * can make one step take hours, so the loops whose length depends on it count what they do, and the step is given
 * up when that is more than its limit. What is counted is work and never time: a step is refused on every machine
 * and at any number of threads, or on none.
 *
 * The unit is about what one contact costs in one product with the contact matrix, some 20 ns. Loops on several
 * threads add what they have done when they have done it. The sum does not depend on their order, and whether it is
 * too much is known by all when it is; so how far a step went that is given up may differ, that it is given up does
 * not.
 *
 * A contact problem without a solution within its tolerance is nothing absurd. Where the host has given no limit it
 * does not end a step: each solve may spend half of what is left (work_allowance()), and what it has found then is
 * its answer. But one in which nearly all touch all is.
 */
#ifndef FLOC_BASE_WORK_H
#define FLOC_BASE_WORK_H

#include "base/environment.h"

#include <stdatomic.h>

typedef enum work_kind {
  WORK_NONE,
  WORK_SOLVER,
  WORK_SEARCH,
  WORK_EVENTS,
  WORK_LINKS,
  WORK_RAYS,
  WORK_KINDS
} work_kind;

/* Units. */
enum {
  WORK_FRICTION = 4,     /* a contact with friction, or of bodies that turn, in one product */
  WORK_CANDIDATE = 1,    /* a particle that the search for neighbours looks at */
  WORK_EVENT = 12,       /* an event */
  WORK_REGISTRATION = 4, /* a particle whose neighbours the event-driven scheme looks for again */
  WORK_LINK = 2,         /* a projection of a link, or a pair that the ballistic scheme looks at */
  WORK_FLIGHT = 20       /* of a ray to its next surface */
};

typedef struct work_budget {
  int64_t limit; /* INT64_MAX: none */
  bool strict;   /* solvers of contact problems end a step as well: the host gave the limit, or one is absurd */
  _Atomic int64_t spent;
  atomic_int kind; /* work_kind of what went beyond the limit */
} work_budget;

/* A call begins; limit in units, INFINITY: none. */
void work_begin(work_budget *work, double limit, bool strict);
/* Without a budget nothing is done. */
void work_add(const environment *env, work_kind kind, int64_t units);
/* "the events": for messages. */
const char *work_name(work_kind kind);
/* Units that are left, 0 or more. */
int64_t work_left(const environment *env);
/* Units that a solve which begins now may cost. */
int64_t work_allowance(const environment *env);

static inline int64_t work_spent(const environment *env)
{
  return env->work ? atomic_load_explicit(&env->work->spent, memory_order_relaxed) : 0;
}

/* What went beyond the limit; WORK_NONE: nothing has. */
static inline work_kind work_exceeded(const environment *env)
{
  return env->work ? (work_kind)atomic_load_explicit(&env->work->kind, memory_order_relaxed) : WORK_NONE;
}

#endif
