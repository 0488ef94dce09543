/*
 * Islands: groups of contacts that share no body with another group. Each is a contact problem of
 * its own. Small ones are packed, solved and returned one after another in a few kilobytes of hot
 * memory, many batches of them by several threads; large ones by all threads together. An island in which nothing
 * acts across normals has one row per contact (system.h), whatever the others have: it gets the bits that it has in
 * a world without friction. The others have blocks (contacts/blocks).
 */
#ifndef FLOC_CONTACTS_SOLVERS_ISLANDS_H
#define FLOC_CONTACTS_SOLVERS_ISLANDS_H

#include "base/numbers/exact_sum.h"
#include "contacts/solvers/solvers.h"

/* Islands of rows up to that many contacts are solved by one thread, many at once. */
enum {
  SMALL_ISLAND = 400,
  SMALL_BLOCKS = 2048 /* the same of islands of blocks */
};

typedef struct island_change {
  double energy, fallen;
} island_change;

typedef struct island_set {
  environment *env;
  arena *scratch;
  const contact_problem *problem;
  const contact_options *options;
  solver_limits limits;         /* of each island */
  bool staged;                  /* islands that are not solved are solved again, with higher limits */
  const contact_answer *answer; /* first guess, then solution, of the islands' contacts and bodies */
  int32_t *slot;                /* [body] -1 everywhere, before and after */
  const int32_t *contact;       /* contacts, island by island */
  const int64_t *start;         /* [count + 1] where each island begins in `contact` */
  int32_t *spare, *listed;      /* [contact] scratch */
  int64_t count;
  int64_t *spent; /* [count] products that the island has cost so far; continues counting */
  int64_t work;   /* products times contacts are added here */
  /* Of islands of blocks: |J| is added here, and how much it changed in the last half of the products where an
   * island is not settled (contact_options). */
  exact_sum energy, fallen;
  island_change *change; /* [count] of islands_solve() */
  bool *blocks;          /* [count] of islands_solve(): has it blocks? */
  bool *left;            /* [count] likewise: what solves it gave it up, another continues */
} island_set;

/* What large islands share, made for the first one. */
typedef struct large_scratch {
  uint64_t *used; /* [body] 0 */
  int32_t *place; /* [contact] the spare of island_set */
  int32_t *local; /* [patch] -1; NULL: there is one */
} large_scratch;

floc_status islands_solve(island_set *all);

#endif
