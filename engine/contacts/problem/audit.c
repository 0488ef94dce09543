/*
 * The independent audit of a solution: velocities and residual from impulses alone, in plain loops over the problem
 * as it was given. Shares nothing with the solvers, so that a mistake in their rows, their scaling, their order or
 * their islands cannot hide itself.
 */
#include "contacts/problem/problem.h"

#include "geometry/vector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct audited_side {
  int32_t body; /* -1: prescribed */
  double arm[3];
} audited_side;

typedef struct audited_contact {
  audited_side side[2];
  double normal[3], impulse[3];
  double p; /* the part along the normal as it was given: a bound is met exactly or not at all */
  double moment[3];
} audited_contact;

static bool bodies_rotate(const contact_problem *problem)
{
  return problem->inverse_inertia != NULL;
}

static double in_column(const double *column, int64_t at)
{
  return column ? column[at] : 0.0;
}

static void read_arm(const contact_problem *problem, int64_t a, const double *const arm[3], const double normal[3],
                     double result[3])
{
  for (int axis = 0; axis < 3; axis++)
    result[axis] = problem->round ? arm[0][a] * normal[axis] : (axis < problem->dimension ? arm[axis][a] : 0.0);
}

static audited_contact read_contact(const contact_problem *problem, const contact_answer *answer, int64_t a)
{
  audited_contact it = {.side = {{.body = problem->first[a]}, {.body = problem->second[a]}}};
  it.p = answer->impulse[a];
  for (int axis = 0; axis < problem->dimension; axis++) {
    it.normal[axis] = problem->normal[axis][a];
    it.impulse[axis] = it.p * it.normal[axis] + in_column(answer->tangent[axis], a);
  }
  for (int axis = 0; axis < 3; axis++) it.moment[axis] = in_column(answer->moment[axis], a);
  if (!bodies_rotate(problem)) return it;
  read_arm(problem, a, problem->arm_first, it.normal, it.side[0].arm);
  if (it.side[1].body >= 0) read_arm(problem, a, problem->arm_second, it.normal, it.side[1].arm);
  return it;
}

/* I^-1 x */
static void turn(const contact_problem *problem, int32_t body, const double x[3], double result[3])
{
  memset(result, 0, 3 * sizeof *result);
  if (!bodies_rotate(problem)) return;
  if (problem->dimension == 2) {
    result[2] = problem->inverse_inertia[body] * x[2];
  } else if (problem->round) {
    for (int axis = 0; axis < 3; axis++) result[axis] = problem->inverse_inertia[body] * x[axis];
  } else {
    const double *I = problem->inverse_inertia + 6 * (int64_t)body;
    result[0] = I[0] * x[0] + I[3] * x[1] + I[4] * x[2];
    result[1] = I[3] * x[0] + I[1] * x[1] + I[5] * x[2];
    result[2] = I[4] * x[0] + I[5] * x[1] + I[2] * x[2];
  }
}

static void push(const contact_problem *problem, const contact_answer *answer, const audited_side *at, double sign,
                 const audited_contact *it)
{
  double moment[3], change[3];
  for (int axis = 0; axis < problem->dimension; axis++)
    answer->velocity[axis][at->body] += sign * problem->inverse_mass[at->body] * it->impulse[axis];
  vector_cross(at->arm, it->impulse, moment);
  vector_add_scaled(moment, 1.0, it->moment, moment);
  turn(problem, at->body, moment, change);
  for (int axis = 0; axis < 3; axis++)
    if (answer->spin[axis]) answer->spin[axis][at->body] += sign * change[axis];
}

static void point_velocity(const contact_problem *problem, const contact_answer *answer, const audited_side *at,
                           double result[3])
{
  double spin[3];
  for (int axis = 0; axis < 3; axis++) spin[axis] = in_column(answer->spin[axis], at->body);
  vector_cross(spin, at->arm, result);
  for (int axis = 0; axis < problem->dimension; axis++) result[axis] += answer->velocity[axis][at->body];
}

static void audit_velocities(const contact_problem *problem, const contact_answer *answer)
{
  size_t bytes = (size_t)problem->body_count * sizeof(double);
  for (int axis = 0; axis < problem->dimension; axis++)
    memcpy(answer->velocity[axis], problem->free_velocity[axis], bytes);
  for (int axis = 0; axis < 3; axis++)
    if (answer->spin[axis]) memcpy(answer->spin[axis], problem->free_spin[axis], bytes);
  for (int64_t a = 0; a < problem->contact_count; a++) {
    audited_contact it = read_contact(problem, answer, a);
    push(problem, answer, &it.side[0], -1.0, &it);
    if (it.side[1].body >= 0) push(problem, answer, &it.side[1], 1.0, &it);
  }
}

/* Sum over both sides of the velocity that a unit impulse along `direction` gives its own point. */
static double mobility(const contact_problem *problem, const audited_side side[2], const double direction[3])
{
  double sum = 0.0;
  for (int k = 0; k < 2; k++) {
    if (side[k].body < 0) continue;
    double moment[3], change[3];
    vector_cross(side[k].arm, direction, moment);
    turn(problem, side[k].body, moment, change);
    sum += problem->inverse_mass[side[k].body] + vector_dot(moment, change);
  }
  return sum;
}

/* Mean mobility across the normal. */
static double mobility_across(const contact_problem *problem, const audited_side side[2], double along)
{
  double sum = -along;
  for (int axis = 0; axis < problem->dimension; axis++) {
    double unit[3] = {axis == 0, axis == 1, axis == 2};
    sum += mobility(problem, side, unit);
  }
  return sum / (problem->dimension - 1);
}

/* Height of the nearest point of a cone, where lengths across count `ratio` times those along: found on the line
 * that bounds it there, whose direction has the given slope. */
static double height_in_cone(double height, double width, double slope, double ratio)
{
  double across = ratio * width, unit = 1.0 / sqrt(1.0 + slope * slope);
  if (across <= slope * height) return height;
  double along_line = unit * (height + slope * across);
  return along_line > 0.0 ? unit * along_line : 0.0;
}

/* Of a contact that rubs. */
static double friction_residual(const contact_problem *problem, int64_t a, const audited_contact *it,
                                const double w[3], double w_n, double along)
{
  const double mu = problem->friction[a], lower = problem->lower[a],
               across = mobility_across(problem, it->side, along);
  double P_t[3], w_t[3], moved[3], next = fmax(lower, it->p - w_n / along);
  vector_add_scaled(it->impulse, -it->p, it->normal, P_t);
  vector_add_scaled(w, -w_n, it->normal, w_t);
  vector_add_scaled(P_t, -1.0 / across, w_t, moved);
  const double length = vector_length(moved), ratio = sqrt(across / along);
  if (problem->convex) next = lower + height_in_cone(it->p - w_n / along - lower, length, mu * ratio, ratio);
  const double radius = mu * (problem->convex ? next - lower : fmax(0.0, it->p - lower));
  const double factor = length > radius ? (radius > 0.0 ? radius / length : 0.0) : 1.0;
  for (int axis = 0; axis < 3; axis++) moved[axis] = factor * moved[axis] - P_t[axis];
  return fmax(along * fabs(it->p - next), across * vector_length(moved));
}

static double part_across(const double v[3], const double normal[3], double across[3])
{
  double along = vector_dot(v, normal);
  vector_add_scaled(v, -along, normal, across);
  return along;
}

/* Of a part of a moment in a disc: A |Q - disc(Q - w/A)| times the length (A_n/A)^(1/2). */
static double disc_residual(const double Q[3], const double w[3], double mobility_of, double along, double radius)
{
  double moved[3], missing[3];
  if (!(mobility_of > 0.0)) return 0.0; /* nothing turns */
  vector_add_scaled(Q, -1.0 / mobility_of, w, moved);
  double length = vector_length(moved);
  double factor = length > radius ? (radius > 0.0 ? radius / length : 0.0) : 1.0;
  for (int axis = 0; axis < 3; axis++) missing[axis] = factor * moved[axis] - Q[axis];
  return sqrt(along * mobility_of) * vector_length(missing);
}

/* In the plane the moment and the spin are along z, which is across the normal: there is no twist. */
static double moment_residual(const contact_problem *problem, const contact_answer *answer, int64_t a,
                              const audited_contact *it, double along, double slack)
{
  const bool space = problem->dimension == 3;
  double w[3] = {0.0, 0.0, 0.0}, moment[3], spin[3], about = 0.0, all = 0.0;
  for (int axis = 0; axis < 3; axis++)
    w[axis] = it->side[1].body < 0 ? in_column(problem->surface_spin[axis], a) : 0.0;
  for (int k = 0; k < 2; k++) {
    const int32_t own = it->side[k].body;
    if (own < 0) continue;
    for (int axis = 0; axis < 3; axis++) w[axis] += (k == 0 ? -1.0 : 1.0) * in_column(answer->spin[axis], own);
    for (int axis = space ? 0 : 2; axis < 3; axis++) {
      double unit[3] = {axis == 0, axis == 1, axis == 2}, change[3];
      turn(problem, own, unit, change);
      all += change[axis];
    }
    turn(problem, own, it->normal, spin);
    if (space) about += vector_dot(spin, it->normal);
  }
  double twist = part_across(it->moment, it->normal, moment), twisting = part_across(w, it->normal, spin);
  const double Q_s[3] = {twist, 0.0, 0.0}, w_s[3] = {twisting, 0.0, 0.0};
  const double rolling = in_column(problem->rolling, a), limit = in_column(problem->twisting, a);
  return fmax(
      disc_residual(moment, spin, space ? 0.5 * (all - about) : all, along, rolling > 0.0 ? rolling * slack : 0.0),
      disc_residual(Q_s, w_s, about, along, limit > 0.0 ? limit * slack : 0.0));
}

static double contact_residual(const contact_problem *problem, const contact_answer *answer, int64_t a)
{
  audited_contact it = read_contact(problem, answer, a);
  double w[3] = {0.0, 0.0, 0.0}, v[3];
  for (int axis = 0; axis < problem->dimension; axis++)
    w[axis] =
        problem->distance[a] / problem->time_step * it.normal[axis] + in_column(problem->surface_velocity[axis], a);
  for (int k = 0; k < 2; k++) {
    if (it.side[k].body < 0) continue;
    point_velocity(problem, answer, &it.side[k], v);
    vector_add_scaled(w, k == 0 ? -1.0 : 1.0, v, w);
  }
  double along = mobility(problem, it.side, it.normal), w_n = vector_dot(w, it.normal);
  double slack = along * (it.p - problem->lower[a]);
  if (isnan(w_n) || isnan(slack)) return NAN;
  double residual = fabs(w_n < slack ? w_n : slack), part = 0.0;
  if (in_column(problem->friction, a) > 0.0) {
    part = friction_residual(problem, a, &it, w, w_n, along);
    if (problem->convex || part > residual || isnan(part)) residual = part;
  }
  if (!contacts_have_moments(problem)) return residual;
  part = moment_residual(problem, answer, a, &it, along, fmax(0.0, it.p - problem->lower[a]));
  return part > residual || isnan(part) ? part : residual;
}

double contact_audit(const contact_problem *problem, const contact_answer *answer)
{
  assert(!bodies_rotate(problem) || answer->spin[2]);
  audit_velocities(problem, answer);
  double worst = 0.0;
  for (int64_t a = 0; a < problem->contact_count; a++) {
    double residual = contact_residual(problem, answer, a);
    if (isnan(residual)) return NAN;
    if (residual > worst) worst = residual;
  }
  return problem->time_step * worst;
}
