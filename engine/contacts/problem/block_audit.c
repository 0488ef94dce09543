/*
 * The independent audit of a block problem's solution: velocities and residual from impulses alone, in plain loops
 * over the problem as it was given. Shares nothing with the solvers, so that a mistake in their rows, their order
 * or their islands cannot hide itself.
 */
#include "contacts/problem/blocks.h"

#include "geometry/vector.h"

#include <math.h>
#include <string.h>

typedef struct audited_side {
  int32_t body; /* -1: body */
  double arm[3];
} audited_side;

static void load(const double *values, int64_t index, int32_t dimension, double vector[3])
{
  vector[0] = vector[1] = vector[2] = 0.0;
  for (int32_t axis = 0; axis < dimension; axis++) vector[axis] = values[index * dimension + axis];
}

static void read_contact(const block_problem *problem, int64_t a, audited_side sides[2], double normal[3])
{
  sides[0].body = problem->first[a];
  sides[1].body = problem->second[a];
  load(problem->arm_first, a, problem->dimension, sides[0].arm);
  if (sides[1].body >= 0) load(problem->arm_second, a, problem->dimension, sides[1].arm);
  load(problem->normal, a, problem->dimension, normal);
}

/* I^-1 x */
static void turn(const block_problem *problem, int32_t body, const double x[3], double result[3])
{
  if (problem->dimension == 2) {
    result[0] = result[1] = 0.0;
    result[2] = problem->inverse_inertia[body] * x[2];
    return;
  }
  const double *I = problem->inverse_inertia + 6 * (int64_t)body;
  result[0] = I[0] * x[0] + I[3] * x[1] + I[4] * x[2];
  result[1] = I[3] * x[0] + I[1] * x[1] + I[5] * x[2];
  result[2] = I[4] * x[0] + I[5] * x[1] + I[2] * x[2];
}

static void point_velocity(const block_problem *problem, const double *velocity, const audited_side *at,
                           double result[3])
{
  const double *v = velocity + (int64_t)block_freedoms(problem->dimension) * at->body;
  double linear[3] = {v[0], v[1], problem->dimension == 2 ? 0.0 : v[2]};
  double omega[3] = {0.0, 0.0, v[2]};
  if (problem->dimension == 3) memcpy(omega, v + 3, sizeof omega);
  vector_cross(omega, at->arm, result);
  for (int axis = 0; axis < 3; axis++) result[axis] += linear[axis];
}

static void push(const block_problem *problem, const audited_side *at, double sign, const double P[3],
                 double *velocity)
{
  double *v = velocity + (int64_t)block_freedoms(problem->dimension) * at->body, moment[3], change[3];
  vector_cross(at->arm, P, moment);
  turn(problem, at->body, moment, change);
  for (int axis = 0; axis < problem->dimension; axis++) v[axis] += sign * problem->inverse_mass[at->body] * P[axis];
  if (problem->dimension == 2)
    v[2] += sign * change[2];
  else
    for (int axis = 0; axis < 3; axis++) v[3 + axis] += sign * change[axis];
}

/* The same by a moment, which has the numbers of a spin. */
static void spin_up(const block_problem *problem, int32_t body, double sign, const double *moment, double *velocity)
{
  const int32_t d = problem->dimension, moments = d == 2 ? 1 : 3, from = 3 - moments;
  double *spin = velocity + (int64_t)block_freedoms(d) * body + d, Q[3] = {0.0}, change[3];
  memcpy(Q + from, moment, (size_t)moments * sizeof *Q);
  turn(problem, body, Q, change);
  for (int32_t c = 0; c < moments; c++) spin[c] += sign * change[from + c];
}

/* Sum over both sides of the velocity that a unit impulse along `direction` gives its own point. */
static double mobility(const block_problem *problem, const audited_side sides[2], const double direction[3])
{
  double sum = 0.0;
  for (int k = 0; k < 2; k++) {
    if (sides[k].body < 0) continue;
    double moment[3], change[3];
    vector_cross(sides[k].arm, direction, moment);
    turn(problem, sides[k].body, moment, change);
    sum += problem->inverse_mass[sides[k].body] + vector_dot(moment, change);
  }
  return sum;
}

/* Mean mobility across the normal. */
static double mobility_across(const block_problem *problem, const audited_side sides[2], double along)
{
  double sum = -along;
  for (int axis = 0; axis < problem->dimension; axis++) {
    double unit[3] = {0.0, 0.0, 0.0};
    unit[axis] = 1.0;
    sum += mobility(problem, sides, unit);
  }
  return sum / (problem->dimension - 1);
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
static double moment_residual(const block_problem *problem, int64_t a, const double normal[3],
                              const double *impulse, const double *velocity, double along, double slack)
{
  const int32_t d = problem->dimension, moments = d == 2 ? 1 : 3, from = 3 - moments;
  double Q[3] = {0.0}, w[3] = {0.0}, moment[3], spin[3], mobility_about = 0.0, mobility_all = 0.0;
  memcpy(Q + from, impulse + (int64_t)block_impulses(problem) * a + d, (size_t)moments * sizeof(double));
  if (problem->second[a] < 0 && problem->surface_spin)
    memcpy(w + from, problem->surface_spin + moments * a, (size_t)moments * sizeof(double));
  for (int k = 0; k < 2; k++) {
    int32_t body = k == 0 ? problem->first[a] : problem->second[a];
    if (body < 0) continue;
    const double *omega = velocity + (int64_t)block_freedoms(d) * body + d;
    for (int32_t c = 0; c < moments; c++) w[from + c] += k == 0 ? -omega[c] : omega[c];
    for (int axis = from; axis < 3; axis++) {
      double unit[3] = {0.0, 0.0, 0.0}, change[3];
      unit[axis] = 1.0;
      turn(problem, body, unit, change);
      mobility_all += change[axis];
    }
    turn(problem, body, normal, spin);
    if (d == 3) mobility_about += vector_dot(spin, normal);
  }
  double twist = part_across(Q, normal, moment), twisting = part_across(w, normal, spin);
  const double Q_s[3] = {twist, 0.0, 0.0}, w_s[3] = {twisting, 0.0, 0.0};
  double limit_r = problem->rolling && problem->rolling[a] > 0.0 ? problem->rolling[a] * slack : 0.0;
  double limit_s = problem->twisting && problem->twisting[a] > 0.0 ? problem->twisting[a] * slack : 0.0;
  double across = d == 2 ? mobility_all : 0.5 * (mobility_all - mobility_about);
  return fmax(disc_residual(moment, spin, across, along, limit_r),
              disc_residual(Q_s, w_s, mobility_about, along, limit_s));
}

/* The force of a contact's impulse. */
static void load_force(const block_problem *problem, const double *impulse, int64_t a, double P[3])
{
  P[2] = 0.0;
  memcpy(P, impulse + block_impulses(problem) * a, (size_t)problem->dimension * sizeof *P);
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

static double contact_residual(const block_problem *problem, int64_t a, const double *impulse,
                               const double *velocity)
{
  audited_side sides[2];
  double normal[3], P[3], w[3], v[3], surface[3];
  read_contact(problem, a, sides, normal);
  load_force(problem, impulse, a, P);
  load(problem->surface_velocity, a, problem->dimension, surface);
  vector_add_scaled(surface, problem->distance[a] / problem->time_step, normal, w);
  for (int k = 0; k < 2; k++) {
    if (sides[k].body < 0) continue;
    point_velocity(problem, velocity, &sides[k], v);
    vector_add_scaled(w, k == 0 ? -1.0 : 1.0, v, w);
  }
  double along = mobility(problem, sides, normal), across = mobility_across(problem, sides, along);
  double p = vector_dot(P, normal), w_n = vector_dot(w, normal), P_t[3], moved[3], w_t[3];
  vector_add_scaled(P, -p, normal, P_t);
  vector_add_scaled(w, -w_n, normal, w_t);
  double mu = problem->friction[a], next = fmax(problem->lower[a], p - w_n / along);
  vector_add_scaled(P_t, -1.0 / across, w_t, moved);
  double length = vector_length(moved);
  if (problem->convex && mu > 0.0)
    next = problem->lower[a] + height_in_cone(p - w_n / along - problem->lower[a], length,
                                              mu * sqrt(across / along), sqrt(across / along));
  double radius = mu * (problem->convex ? next - problem->lower[a] : fmax(0.0, p - problem->lower[a]));
  double factor = length > radius ? (radius > 0.0 ? radius / length : 0.0) : 1.0;
  for (int axis = 0; axis < 3; axis++) moved[axis] = factor * moved[axis] - P_t[axis];
  double residual = fmax(along * fabs(p - next), across * vector_length(moved));
  if (!block_problem_has_moments(problem)) return residual;
  return fmax(residual,
              moment_residual(problem, a, normal, impulse, velocity, along, fmax(0.0, p - problem->lower[a])));
}

/* A maximum that a NaN, once met, does not leave. */
static double greater(double a, double b)
{
  return b > a || b != b ? b : a;
}

double block_audit(const block_problem *problem, const double *impulse, double *velocity)
{
  int64_t values = problem->body_count * block_freedoms(problem->dimension);
  memcpy(velocity, problem->free_velocity, (size_t)values * sizeof *velocity);
  for (int64_t a = 0; a < problem->contact_count; a++) {
    audited_side sides[2];
    double normal[3], P[3];
    read_contact(problem, a, sides, normal);
    load_force(problem, impulse, a, P);
    push(problem, &sides[0], -1.0, P, velocity);
    if (sides[1].body >= 0) push(problem, &sides[1], 1.0, P, velocity);
    if (!block_problem_has_moments(problem)) continue;
    const double *moment = impulse + (int64_t)block_impulses(problem) * a + problem->dimension;
    spin_up(problem, problem->first[a], -1.0, moment, velocity);
    if (sides[1].body >= 0) spin_up(problem, problem->second[a], 1.0, moment, velocity);
  }
  double worst = 0.0;
  for (int64_t a = 0; a < problem->contact_count; a++)
    worst = greater(worst, contact_residual(problem, a, impulse, velocity));
  return problem->time_step * worst;
}
