/*
 * The greatest of n . way + sign (|V n| + ...). See reach_sum.h.
 */
#include "geometry/convex/reach_sum.h"

#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { STEPS_MOST = 60, HALVINGS_MOST = 30 };

static const double sure = 1e-3;    /* a step of Newton's by less than that is taken as it is */
static const double settled = 1e-8; /* after one by less than that its error is below rounding */
static const double definite = 1e-6;
static const double longest = 0.5; /* of a step, as a tangent */

void reach_sum_load(int32_t dimension, const double *axes, double vector[3][3])
{
  for (int k = 0; k < 3; k++)
    for (int axis = 0; axis < 3; axis++)
      vector[k][axis] = k < dimension && axis < dimension ? axes[k * dimension + axis] : 0.0;
}

double reach_sum_support(const reach_sum *sum, int32_t part, const double n[3], double point[3])
{
  double along[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int32_t k = 0; k < sum->vectors; k++) {
    along[k] = vector_dot(sum->vector[part][k], n);
    square += along[k] * along[k];
  }
  const double height = sqrt(square);
  for (int axis = 0; axis < 3; axis++) point[axis] = 0.0;
  for (int32_t k = 0; k < sum->vectors && height > 0.0; k++)
    vector_add_scaled(point, along[k] / height, sum->vector[part][k], point);
  return height;
}

/* f(n), and its gradient in space. */
static double value_at(const reach_sum *sum, const double n[3], double gradient[3])
{
  memcpy(gradient, sum->way, sizeof sum->way);
  double value = vector_dot(n, sum->way);
  for (int32_t part = 0; part < sum->parts; part++) {
    double point[3];
    value += sum->sign * reach_sum_support(sum, part, n, point);
    vector_add_scaled(gradient, sum->sign, point, gradient);
  }
  return value;
}

void reach_sum_tangents(const reach_sum *sum, const double n[3], double tangent[2][3])
{
  if (sum->dimension == 2) {
    const double along[3] = {-n[1], n[0], 0.0};
    memcpy(tangent[0], along, sizeof along);
    for (int axis = 0; axis < 3; axis++) tangent[1][axis] = 0.0;
    return;
  }
  const int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double unit[3] = {0.0, 0.0, 0.0};
  unit[least] = 1.0;
  vector_cross(n, unit, tangent[0]);
  const double length = vector_length(tangent[0]);
  for (int axis = 0; axis < 3; axis++) tangent[0][axis] /= length;
  vector_cross(n, tangent[0], tangent[1]);
}

/* Minus the Hessian of f on the sphere: aa, ab, bb by the tangents. */
static void curvature_at(const reach_sum *sum, const double n[3], double tangent[2][3], double value, double m[3])
{
  m[0] = m[2] = value;
  m[1] = 0.0;
  for (int32_t part = 0; part < sum->parts; part++) {
    double point[3];
    const double height = reach_sum_support(sum, part, n, point);
    if (!(height > 0.0)) continue;
    const double p = vector_dot(point, tangent[0]), q = vector_dot(point, tangent[1]);
    double radii[3] = {-p * p, -p * q, -q * q};
    for (int32_t k = 0; k < sum->vectors; k++) {
      const double a = vector_dot(sum->vector[part][k], tangent[0]),
                   b = vector_dot(sum->vector[part][k], tangent[1]);
      radii[0] += a * a;
      radii[1] += a * b;
      radii[2] += b * b;
    }
    for (int k = 0; k < 3; k++) m[k] -= sum->sign * radii[k] / height;
  }
}

/* Newton's step along the tangents: m^-1 g, where m is definite; else of a matrix that is more so. */
static bool newton_step(const double given[3], const double slope[2], int32_t dimension, double step[2])
{
  double m[3] = {given[0], given[1], dimension == 2 ? 1.0 : given[2]};
  const double size = fabs(m[0]) + fabs(m[2]) + 2.0 * fabs(m[1]);
  const double half = 0.5 * (m[0] - m[2]),
               least = dimension == 2 ? m[0] : 0.5 * (m[0] + m[2]) - sqrt(half * half + m[1] * m[1]);
  const bool is_definite = least > definite * size;
  if (!is_definite) {
    const double more = fabs(least) + 0.1 * size;
    m[0] += more;
    m[2] += dimension == 2 ? 0.0 : more;
  }
  const double determinant = m[0] * m[2] - m[1] * m[1];
  step[0] = (m[2] * slope[0] - m[1] * slope[1]) / determinant;
  step[1] = (m[0] * slope[1] - m[1] * slope[0]) / determinant;
  return is_definite;
}

static void turn_along(const double n[3], double tangent[2][3], const double step[2], double factor,
                       double result[3])
{
  vector_add_scaled(n, factor * step[0], tangent[0], result);
  vector_add_scaled(result, factor * step[1], tangent[1], result);
  const double length = vector_length(result);
  for (int axis = 0; axis < 3; axis++) result[axis] /= length;
}

double reach_sum_climb(const reach_sum *sum, double enough, double n[3])
{
  double gradient[3], value = value_at(sum, n, gradient);
  for (int round = 0; round < STEPS_MOST && !(value > enough); round++) {
    double tangent[2][3], m[3], step[2], next[3], next_gradient[3];
    reach_sum_tangents(sum, n, tangent);
    curvature_at(sum, n, tangent, value, m);
    const double slope[2] = {vector_dot(gradient, tangent[0]), vector_dot(gradient, tangent[1])};
    const bool is_definite = newton_step(m, slope, sum->dimension, step);
    double length = sqrt(step[0] * step[0] + step[1] * step[1]), factor = length > longest ? longest / length : 1.0;
    if (is_definite && length < sure) {
      turn_along(n, tangent, step, 1.0, n);
      value = value_at(sum, n, gradient);
      if (length < settled) break;
      continue;
    }
    bool grows = false;
    for (int half = 0; half < HALVINGS_MOST && !grows && length > 0.0; half++, factor *= 0.5) {
      turn_along(n, tangent, step, factor, next);
      const double found = value_at(sum, next, next_gradient);
      if (!(found > value)) continue;
      grows = true;
      value = found;
      memcpy(n, next, sizeof next);
      memcpy(gradient, next_gradient, sizeof next_gradient);
    }
    if (!grows) break;
  }
  return value;
}

void reach_sum_begin(const reach_sum *sum, double n[3])
{
  double q[3][3] = {{0.0}}, column[3];
  for (int32_t part = 0; part < sum->parts; part++)
    for (int32_t k = 0; k < sum->vectors; k++)
      for (int a = 0; a < 3; a++) vector_add_scaled(q[a], sum->vector[part][k][a], sum->vector[part][k], q[a]);
  if (sum->dimension == 2) q[2][2] = 1.0;
  for (int a = 0; a < 3; a++) { /* rows of the adjugate are crosses of the others, for it is symmetric */
    vector_cross(q[(a + 1) % 3], q[(a + 2) % 3], column);
    n[a] = vector_dot(column, sum->way);
  }
  const double length = vector_length(n);
  if (length > 0.0) {
    for (int a = 0; a < 3; a++) n[a] /= length;
    return;
  }
  const double *least = sum->vector[0][0]; /* centres that are the same: along the shortest axis */
  for (int32_t k = 1; k < sum->vectors; k++)
    if (vector_dot(sum->vector[0][k], sum->vector[0][k]) < vector_dot(least, least)) least = sum->vector[0][k];
  const double whole = vector_length(least);
  for (int a = 0; a < 3; a++) n[a] = whole > 0.0 ? least[a] / whole : a == 0;
}

bool reach_sum_is_beyond(const reach_sum *sum, double limit)
{
  const double length = vector_length(sum->way);
  double n[3], gradient[3];
  if (!(length > limit)) return false;
  for (int axis = 0; axis < 3; axis++) n[axis] = sum->way[axis] / length;
  return value_at(sum, n, gradient) > limit;
}
