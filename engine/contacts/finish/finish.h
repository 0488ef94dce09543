/*
 * The finish: a primal-dual interior point method for rows with one bound each, which solves what sweeps do not
 * bring down. Its iterations hardly grow with the size or the height of a pile (13 to 33 where sweeps need hundreds
 * to tens of thousands), but each costs a sparse factorisation (finish_factor.h), as much as 70 sweeps in a narrow
 * column and 350 in a wide pile. finish.c says how.
 */
#ifndef FLOC_CONTACTS_SOLVERS_FINISH_H
#define FLOC_CONTACTS_SOLVERS_FINISH_H

#include "contacts/finish/finish_factor.h"
#include "contacts/solvers/solvers.h"

/* Rows scaled as in system.h: |R_a| = 1, bodies in the mass metric. */
typedef struct finish_problem {
  factor_rows rows;
  double time_step;
  const double *offset, *lower, *root_diagonal; /* [row]; lower -infinity: the row is an equation */
  double *impulse;                              /* [row] first guess, at least lower; then solution */
} finish_problem;

typedef struct finish_limits {
  double target; /* on the residual, length */
  double units;  /* of work (base/work.h) at most */
  int32_t most_factorisations;
} finish_limits;

typedef struct finish_outcome {
  double residual; /* of the impulses, as the method saw it */
  int32_t factorisations;
  double units;
} finish_outcome;

/* Most factorisations that a solution may take: twice what the hardest known problem needs. */
enum { FINISH_FACTORISATIONS = 70 };

/* What one iteration costs, after factor_analyse(): units of work. */
double finish_iteration_units(const sparse_factor *it);

/* The rows of a packed system as those of a finish. Memory from the arena. */
floc_status finish_from_system(arena *scratch, const contact_system *system, finish_problem *problem);

/* Improves problem->impulse, or leaves it if nothing better was found. it: analysed for the same rows. Only memory
 * can make it fail; what it used is given back. */
floc_status finish_solve(const environment *env, arena *scratch, const finish_problem *problem, sparse_factor *it,
                         finish_limits limits, finish_outcome *outcome);

/* All of it for a packed system: analysis, solution. Products are the work by that of a row. */
floc_status finish_system_solve(const environment *env, arena *scratch, contact_system *system,
                                solver_limits limits, solver_outcome *outcome);

/* Products of sweeps after which the finish is the better bet for an island: twenty times what one of its
 * iterations costs, by a bound from the number of bodies that needs no analysis. */
int64_t finish_patience(int32_t dimension, int64_t bodies);
/* The same for an island, unless its factor is too large: then nothing is done, in 0 products. */
floc_status finish_island_solve(const environment *env, arena *scratch, contact_system *system,
                                solver_limits limits, solver_outcome *outcome);

#endif
