/*
 * What contact_solve() and the default solver share: rates and residuals of contacts in the problem's own numbers.
 */
#ifndef FLOC_CONTACTS_SOLVERS_SOLVE_H
#define FLOC_CONTACTS_SOLVERS_SOLVE_H

#include "contacts/solvers/solvers.h"

/* w of a contact along its normal, where rotation has no part in it: bodies are round, or do not rotate. */
static inline __attribute__((always_inline)) double contact_velocity(const contact_problem *problem, int64_t a,
                                                                     const double *const velocity[3], int dimension)
{
  int32_t first = problem->first[a], second = problem->second[a];
  double w = problem->distance[a] / problem->time_step;
  for (int axis = 0; axis < dimension; axis++) {
    double other = second >= 0 ? velocity[axis][second] : 0.0;
    w += problem->normal[axis][a] * (other - velocity[axis][first]);
  }
  return w;
}

/* What is at least 0 where no impulse is needed: w_n, less mu |w_t| under the convex law. */
double contact_opening(const contact_problem *problem, int64_t a, const double *const velocity[3],
                       const double *const spin[3]);
/* A contact's part of the residual R without h, with friction and rotation. */
double contact_residual(const contact_problem *problem, int64_t a, const contact_answer *answer);

/* The default: working set, islands, and what solves them (working_set.c). Fills the report but for `converged`. */
floc_status auto_solve(environment *env, arena *scratch, const contact_problem *problem,
                       const contact_options *options, const contact_answer *answer, contact_report *report);

#endif
