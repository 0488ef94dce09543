/*
 * The finish for the convex law of friction in the plane (contacts/problem/problem.h). There a contact's cone is
 * spanned by two rays,
 *
 *   P = lo n + a (n + mu t) + b (n - mu t),  a, b >= 0,   and w is in the dual cone where w.(n +- mu t) >= 0,
 *
 * so the problem is again one of rows with one bound each (finish.h), two for a contact that rubs, one for any
 * other.
 *
 * Coulomb's law is that law with w_n + mu |w_t| for w_n (De Saxce 1992). With the opening s = mu |w_t| of the last
 * solution added to what is given, and half of its change each time, a convex problem follows the other (Cadoux
 * 2009; Acary, Cadoux, Lemarechal and Malick 2011). That need not meet a small tolerance, and it leaves impulses
 * from which sweeps arrive where they did not from their own: island_blocks.c.
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

/* Is it one under Coulomb's law that convex problems lead to? */
static inline bool finish_leads_blocks(const block_island *island)
{
  return !island->convex && island->form == BLOCK_PLANE;
}

/* Improves island->impulse, or leaves it if nothing better was found. A product is one of the sweeps.
 * factorisations: NULL, or how many there were. */
floc_status finish_convex_solve(const environment *env, arena *scratch, const block_island *island,
                                solver_limits limits, solver_outcome *outcome, int32_t *factorisations);

/* Of island->impulse, whose velocities are set. FLOC_OUT_OF_MEMORY. */
floc_status finish_blocks_residual(const environment *env, arena *scratch, const block_island *island,
                                   double *residual);

/* Sets island->impulse to what convex problems lead to under Coulomb's law, which may have a greater residual than
 * what was there. */
floc_status finish_convex_lead(const environment *env, arena *scratch, const block_island *island,
                               solver_limits limits, solver_outcome *outcome);

#endif
