/*
 * What contact_solve() and the default solver share.
 */
#ifndef FLOC_CONTACTS_SOLVERS_SOLVE_H
#define FLOC_CONTACTS_SOLVERS_SOLVE_H

#include "contacts/solvers/solvers.h"

/* w_a from velocities. */
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

/* The default: working set, islands, projected CG and accelerated Gauss-Seidel (working_set.c). Fills the
 * report but for `converged`. */
floc_status auto_solve(environment *env, arena *scratch, const contact_problem *problem,
                       const contact_options *options, double *impulse, double *const velocity[3],
                       contact_report *report);

#endif
