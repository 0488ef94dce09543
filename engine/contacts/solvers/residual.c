/*
 * Rates and residuals of contacts with friction and rotation, in the problem's own numbers: what the default solver
 * selects and checks contacts by. It shares nothing with the rows that solvers work on, so that packing is checked
 * too. The dimension is known to the compiler: in the plane two thirds of the terms are 0.
 */
#include "contacts/blocks/block_rows.h"
#include "contacts/solvers/solve.h"

#include "geometry/vector.h"

#include <math.h>

/* w of a contact, for velocities and angular velocities of bodies. */
BLOCK_INLINE void motion(const contact_problem *problem, int64_t a, const double *const velocity[3],
                         const double *const spin[3], double w[3], const int dimension)
{
  w[2] = 0.0;
  for (int axis = 0; axis < dimension; axis++)
    w[axis] = problem->distance[a] / problem->time_step * problem->normal[axis][a] +
              (problem->surface_velocity[axis] ? problem->surface_velocity[axis][a] : 0.0);
  for (int side = 0; side < 2; side++) {
    const int32_t body = side == 0 ? problem->first[a] : problem->second[a];
    if (body < 0) continue;
    const double sign = side == 0 ? -1.0 : 1.0;
    double lever[3], turn[3], omega[3] = {0.0, 0.0, 0.0};
    contact_arm_in(problem, a, side, lever, dimension);
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) omega[axis] = spin[axis] ? spin[axis][body] : 0.0;
    vector_cross(omega, lever, turn);
    for (int axis = 0; axis < dimension; axis++) w[axis] += sign * (velocity[axis][body] + turn[axis]);
  }
}

BLOCK_INLINE double opening_in(const contact_problem *problem, int64_t a, const double *const velocity[3],
                               const double *const spin[3], const int dimension)
{
  double n[3] = {0.0, 0.0, 0.0}, w[3], across[3];
  for (int axis = 0; axis < dimension; axis++) n[axis] = problem->normal[axis][a];
  motion(problem, a, velocity, spin, w, dimension);
  const double along = vector_dot(n, w);
  if (!problem->convex || problem->friction[a] == 0.0) return along;
  vector_add_scaled(w, -along, n, across);
  return along - problem->friction[a] * vector_length(across);
}

double contact_opening(const contact_problem *problem, int64_t a, const double *const velocity[3],
                       const double *const spin[3])
{
  return problem->dimension == 2 ? opening_in(problem, a, velocity, spin, 2)
                                 : opening_in(problem, a, velocity, spin, 3);
}

/* direction . I^-1 direction of a body */
BLOCK_INLINE double inverse_moment(const contact_problem *problem, int32_t body, const double x[3],
                                   const int dimension)
{
  if (!problem->inverse_inertia) return 0.0;
  if (dimension == 2) return problem->inverse_inertia[body] * x[2] * x[2];
  if (problem->round) return problem->inverse_inertia[body] * vector_dot(x, x);
  const double *I = problem->inverse_inertia + 6 * (int64_t)body;
  return I[0] * x[0] * x[0] + I[1] * x[1] * x[1] + I[2] * x[2] * x[2] +
         2.0 * (I[3] * x[0] * x[1] + I[4] * x[0] * x[2] + I[5] * x[1] * x[2]);
}

/* A_n and A_t of a contact. */
BLOCK_INLINE void mobilities(const contact_problem *problem, int64_t a, const double n[3], double *along,
                             double *across, const int dimension)
{
  double sum = 0.0;
  *along = 0.0;
  for (int side = 0; side < 2; side++) {
    const int32_t body = side == 0 ? problem->first[a] : problem->second[a];
    if (body < 0) continue;
    double lever[3], moment[3];
    contact_arm_in(problem, a, side, lever, dimension);
    vector_cross(lever, n, moment);
    *along += problem->inverse_mass[body] + inverse_moment(problem, body, moment, dimension);
    for (int axis = 0; axis < dimension; axis++) {
      const double unit[3] = {axis == 0, axis == 1, axis == 2};
      vector_cross(lever, unit, moment);
      sum += problem->inverse_mass[body] + inverse_moment(problem, body, moment, dimension);
    }
  }
  *across = (sum - *along) / (dimension - 1);
}

/* A_s and A_r of a contact: I_a^-1 + I_b^-1 about n and across it. In the plane A_r alone. */
static void spin_mobilities(const contact_problem *problem, int64_t a, const double n[3], double *about,
                            double *across)
{
  const bool space = problem->dimension == 3;
  double trace = 0.0;
  *about = 0.0;
  for (int side = 0; side < 2; side++) {
    const int32_t body = side == 0 ? problem->first[a] : problem->second[a];
    if (body < 0) continue;
    for (int axis = space ? 0 : 2; axis < 3; axis++)
      trace +=
          inverse_moment(problem, body, (const double[3]){axis == 0, axis == 1, axis == 2}, problem->dimension);
    if (space) *about += inverse_moment(problem, body, n, problem->dimension);
  }
  *across = space ? 0.5 * (trace - *about) : trace;
}

/* What is missing of the part of a moment that a limit bounds, in its own unit, squared. */
static double moment_missing(const double Q[3], const double w[3], double mobility, double radius)
{
  double moved[3], missing = 0.0;
  vector_add_scaled(Q, -1.0 / mobility, w, moved);
  const double length = vector_length(moved),
               factor = length > radius ? (radius > 0.0 ? radius / length : 0.0) : 1.0;
  for (int c = 0; c < 3; c++) missing += (factor * moved[c] - Q[c]) * (factor * moved[c] - Q[c]);
  return missing;
}

/* A moment's part of R, without h. slack: p - lo. */
static double moment_residual(const contact_problem *problem, int64_t a, const double n[3],
                              const contact_answer *answer, double along, double slack)
{
  const int32_t first = problem->first[a], second = problem->second[a];
  const double rolling = problem->rolling ? problem->rolling[a] : 0.0,
               twisting = problem->twisting ? problem->twisting[a] : 0.0;
  double Q[3] = {0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 0.0}, about, across, worst = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    if (!answer->moment[axis]) continue;
    const double *surface = problem->surface_spin[axis];
    Q[axis] = answer->moment[axis][a];
    w[axis] = second >= 0 ? answer->spin[axis][second] : surface ? surface[a] : 0.0;
    w[axis] -= answer->spin[axis][first];
  }
  const double Q_s[3] = {vector_dot(n, Q), 0.0, 0.0}, w_s[3] = {vector_dot(n, w), 0.0, 0.0};
  vector_add_scaled(Q, -Q_s[0], n, Q);
  vector_add_scaled(w, -w_s[0], n, w);
  spin_mobilities(problem, a, n, &about, &across);
  if (across > 0.0) worst = across * moment_missing(Q, w, across, block_radius(rolling, slack));
  if (about > 0.0) worst = greatest(worst, about * moment_missing(Q_s, w_s, about, block_radius(twisting, slack)));
  return sqrt(along * worst);
}

BLOCK_INLINE double residual_in(const contact_problem *problem, int64_t a, const contact_answer *answer,
                                const int dimension)
{
  const double *const velocity[3] = {answer->velocity[0], answer->velocity[1], answer->velocity[2]};
  const double *const spin[3] = {answer->spin[0], answer->spin[1], answer->spin[2]};
  const double p = answer->impulse[a], mu = problem->friction ? problem->friction[a] : 0.0;
  double n[3] = {0.0, 0.0, 0.0}, w[3], along, across, P_t[3] = {0.0, 0.0, 0.0}, moved[3], missing = 0.0;
  for (int axis = 0; axis < dimension; axis++) n[axis] = problem->normal[axis][a];
  motion(problem, a, velocity, spin, w, dimension);
  const double w_n = vector_dot(n, w), slack = p - problem->lower[a];
  if (p == 0.0 && problem->lower[a] == 0.0 && w_n >= 0.0 && !problem->convex) return 0.0;
  mobilities(problem, a, n, &along, &across, dimension);
  const double opening = along * slack;
  double worst = fabs(w_n < opening ? w_n : opening);
  if (contacts_have_moments(problem)) worst = greatest(worst, moment_residual(problem, a, n, answer, along, slack));
  if (mu == 0.0) return worst;
  for (int axis = 0; axis < dimension; axis++) P_t[axis] = answer->tangent[axis][a];
  for (int axis = 0; axis < 3; axis++) moved[axis] = P_t[axis] - (w[axis] - w_n * n[axis]) / across;
  const double length = vector_length(moved);
  double radius = mu * (slack > 0.0 ? slack : 0.0);
  if (problem->convex) {
    const block_bounds of = {1.0 / along, 1.0 / across, mu, problem->lower[a]};
    double next = block_into_cone(of, p - w_n / along, &(double){length}, BLOCK_PLANE);
    radius = mu * (next - problem->lower[a]);
    worst = along * fabs(next - p);
  }
  for (int axis = 0; axis < 3; axis++) {
    double inside = length > radius ? moved[axis] * (radius > 0.0 ? radius / length : 0.0) : moved[axis];
    missing += (inside - P_t[axis]) * (inside - P_t[axis]);
  }
  return greatest(worst, across * sqrt(missing));
}

double contact_residual(const contact_problem *problem, int64_t a, const contact_answer *answer)
{
  return problem->dimension == 2 ? residual_in(problem, a, answer, 2) : residual_in(problem, a, answer, 3);
}
