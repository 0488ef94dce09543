/*
 * The independent audit of a solution: velocities and residual from impulses alone, in plain loops over
 * the problem as it was given. Shares nothing with the solvers, so that a mistake in their scaling,
 * their order or their islands cannot hide itself.
 */
#include "contacts/problem/problem.h"

#include <assert.h>
#include <math.h>

static void audit_velocities(const contact_problem *problem, const double *impulse, double *const velocity[3])
{
  for (int axis = 0; axis < problem->dimension; axis++) {
    for (int64_t i = 0; i < problem->particle_count; i++) velocity[axis][i] = problem->free_velocity[axis][i];
    for (int64_t a = 0; a < problem->contact_count; a++) {
      double change = impulse[a] * problem->normal[axis][a];
      int32_t first = problem->first[a], second = problem->second[a];
      velocity[axis][first] -= problem->inverse_mass[first] * change;
      if (second >= 0) velocity[axis][second] += problem->inverse_mass[second] * change;
    }
  }
}

double contact_audit(const contact_problem *problem, const double *impulse, double *const velocity[3])
{
  for (int axis = 0; axis < problem->dimension; axis++) assert(velocity[axis]);
  audit_velocities(problem, impulse, velocity);
  double residual = 0.0;
  for (int64_t a = 0; a < problem->contact_count; a++) {
    int32_t first = problem->first[a], second = problem->second[a];
    double diagonal = problem->inverse_mass[first] + (second >= 0 ? problem->inverse_mass[second] : 0.0);
    double w = problem->distance[a] / problem->time_step;
    for (int axis = 0; axis < problem->dimension; axis++) {
      double other = second >= 0 ? velocity[axis][second] : 0.0;
      w += problem->normal[axis][a] * (other - velocity[axis][first]);
    }
    double slack = diagonal * (impulse[a] - problem->lower[a]);
    double value = problem->time_step * fabs(w < slack ? w : slack);
    if (isnan(w) || isnan(slack)) return NAN;
    if (value > residual) residual = value;
  }
  return residual;
}
