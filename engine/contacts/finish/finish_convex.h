/*
 * The finish for the convex law of friction in the plane (contacts/problem/problem.h). There a contact's cone is
 * spanned by two rays,
 *
 *   P = lo n + a (n + mu t) + b (n - mu t),  a, b >= 0,   and w is in the dual cone where w.(n +- mu t) >= 0,
 *
 * so the problem is again one of rows with one bound each (finish.h), two for a contact that rubs, one for any
 * other.
 */
#ifndef FLOC_CONTACTS_FINISH_FINISH_CONVEX_H
#define FLOC_CONTACTS_FINISH_FINISH_CONVEX_H

#include "contacts/blocks/block_system.h"
#include "contacts/finish/finish.h"

/* Is an island one that the method solves? */
static inline bool finish_takes_blocks(const block_island *island)
{
  return island->convex && island->form == BLOCK_PLANE;
}

/* Improves island->impulse, or leaves it if nothing better was found. A product is one of the sweeps.
 * factorisations: NULL, or how many there were. */
floc_status finish_convex_solve(const environment *env, arena *scratch, const block_island *island,
                                solver_limits limits, solver_outcome *outcome, int32_t *factorisations);

#endif
