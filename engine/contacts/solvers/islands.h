/*
 * Islands: groups of contacts that share no particle with another group. Each is a contact problem of
 * its own. Small ones are packed, solved and returned one after another in a few kilobytes of hot
 * memory, many batches of them by several threads; large ones by all threads together.
 */
#ifndef FLOC_CONTACTS_SOLVERS_ISLANDS_H
#define FLOC_CONTACTS_SOLVERS_ISLANDS_H

#include "contacts/solvers/solvers.h"

typedef struct island_set {
  environment *env;
  arena *scratch;
  const contact_problem *problem;
  solver_limits limits;    /* of each island */
  double *impulse;         /* [contact] first guess, then solution */
  double *const *velocity; /* columns by particle: those of the islands' particles are written */
  int32_t *slot;           /* [particle] -1 everywhere, before and after */
  const int32_t *contact;  /* contacts, island by island */
  const int64_t *start;    /* [count + 1] where each island begins in `contact` */
  int64_t count;
  int64_t *spent; /* [count] products that the island has cost so far; continues counting */
  int64_t work;   /* products times contacts are added here */
} island_set;

floc_status islands_solve(island_set *all);

#endif
