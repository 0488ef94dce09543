/*
 * See turning.h.
 */
#include "schemes/aggregation/turning.h"

#include "geometry/vector.h"
#include "schemes/aggregation/spins.h"

#include <math.h>

static const double LIMIT = 0.2;             /* radians */
static const double SWING = 1.5773502691897; /* 1 + 1 / sqrt(3), not less */
static const double SURE = 1.0 + 1e-12;      /* bounds are not below what rounding makes of the true value */

static void apply(double matrix[3][3], const double from[3], double to[3])
{
  for (int row = 0; row < 3; row++) to[row] = vector_dot(matrix[row], from);
}

/* ---- the series ---- */

/* q' = q (0, omega) / 2: the coefficient after `order`. */
static void next_quaternion(double (*q)[4], double (*w)[3], int order)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (int k = 0; k <= order; k++) {
    const double *a = q[k], *b = w[order - k];
    sum[0] -= a[1] * b[0] + a[2] * b[1] + a[3] * b[2];
    sum[1] += a[0] * b[0] + a[2] * b[2] - a[3] * b[1];
    sum[2] += a[0] * b[1] + a[3] * b[0] - a[1] * b[2];
    sum[3] += a[0] * b[2] + a[1] * b[1] - a[2] * b[0];
  }
  for (int c = 0; c < 4; c++) q[order + 1][c] = 0.5 * sum[c] / (order + 1);
}

static void find_series(const cluster_spin *spin, double (*q)[4])
{
  double m[TURNING_TERMS][3], w[TURNING_TERMS][3];
  for (int axis = 0; axis < 3; axis++) m[0][axis] = spin->momentum[axis];
  q[0][0] = 1.0;
  q[0][1] = q[0][2] = q[0][3] = 0.0;
  for (int order = 0; order + 1 < TURNING_TERMS; order++) {
    double sum[3] = {0.0, 0.0, 0.0}, part[3];
    cluster_spin_velocity(spin, m[order], 3, w[order]);
    for (int k = 0; k <= order; k++) {
      vector_cross(m[k], w[order - k], part);
      for (int axis = 0; axis < 3; axis++) sum[axis] += part[axis];
    }
    for (int axis = 0; axis < 3; axis++) m[order + 1][axis] = sum[axis] / (order + 1);
    next_quaternion(q, w, order);
  }
}

static void series_matrix(double (*series)[4], double elapsed, double turn[3][3])
{
  double q[4];
  for (int c = 0; c < 4; c++) {
    q[c] = series[TURNING_TERMS - 1][c];
    for (int k = TURNING_TERMS - 2; k >= 0; k--) q[c] = q[c] * elapsed + series[k][c];
  }
  double two = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  turn[0][0] = 1.0 - two * (q[2] * q[2] + q[3] * q[3]);
  turn[1][1] = 1.0 - two * (q[1] * q[1] + q[3] * q[3]);
  turn[2][2] = 1.0 - two * (q[1] * q[1] + q[2] * q[2]);
  turn[0][1] = two * (q[1] * q[2] - q[0] * q[3]);
  turn[1][0] = two * (q[1] * q[2] + q[0] * q[3]);
  turn[0][2] = two * (q[1] * q[3] + q[0] * q[2]);
  turn[2][0] = two * (q[1] * q[3] - q[0] * q[2]);
  turn[1][2] = two * (q[2] * q[3] - q[0] * q[1]);
  turn[2][1] = two * (q[2] * q[3] + q[0] * q[1]);
}

/* ---- a turn ---- */

/* Norm of I^-1, which is above its greatest eigenvalue. */
static double inverse_norm(const cluster_spin *spin)
{
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double unit[3] = {axis == 0, axis == 1, axis == 2};
    double column[3];
    cluster_spin_velocity(spin, unit, 3, column);
    square += vector_dot(column, column);
  }
  return sqrt(square);
}

/* No angular velocity that this energy and angular momentum allow is greater. */
static double greatest_velocity(const cluster_set *set, const cluster_spin *spin)
{
  if (set->dimension == 2) return fabs(spin->velocity[2]);
  double softest = inverse_norm(spin);
  double by_momentum = softest * vector_length(spin->momentum);
  double by_energy = sqrt(softest * fmax(vector_dot(spin->velocity, spin->momentum), 0.0));
  return SURE * fmin(by_momentum, by_energy);
}

void cluster_turning_begin(cluster_set *set, int32_t number)
{
  cluster_spin *spin = &set->spin[number];
  cluster_turning *turning = &set->turning[number];
  *turning = (cluster_turning){.limit = INFINITY};
  cluster_spin_find_inertia(set, number);
  cluster_spin_velocity(spin, spin->momentum, set->dimension, spin->velocity);
  double greatest = greatest_velocity(set, spin);
  if (set->body[number].count == 1 || greatest == 0.0) return;
  turning->rate = SURE * greatest * spin->radius;
  turning->swing = SURE * (set->dimension == 2 ? 1.0 : SWING) * greatest * greatest;
  if (set->dimension == 2) return;
  turning->limit = LIMIT / greatest;
  find_series(spin, set->series[number]);
}

void cluster_turn(const cluster_set *set, int32_t number, double elapsed, double turn[3][3])
{
  if (set->dimension == 3 && set->turning[number].rate > 0.0) {
    series_matrix(set->series[number], elapsed, turn);
    return;
  }
  double angle = set->turning[number].rate > 0.0 ? set->spin[number].velocity[2] * elapsed : 0.0;
  double cosine = floc_cos(angle), sine = floc_sin(angle);
  const double plane[3][3] = {{cosine, -sine, 0.0}, {sine, cosine, 0.0}, {0.0, 0.0, 1.0}};
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) turn[row][column] = plane[row][column];
}

void cluster_turned_velocity(const cluster_set *set, int32_t number, double turn[3][3], double omega[3])
{
  const cluster_spin *spin = &set->spin[number];
  double seen[3], own[3];
  for (int axis = 0; axis < 3; axis++) { /* J in the axes of the body */
    const double column[3] = {turn[0][axis], turn[1][axis], turn[2][axis]};
    seen[axis] = vector_dot(column, spin->momentum);
  }
  cluster_spin_velocity(spin, seen, set->dimension, own);
  apply(turn, own, omega);
}

void cluster_turning_apply(cluster_set *set, int32_t number, double now)
{
  cluster_motion *motion = &set->motion[number];
  const double rate = set->turning[number].rate, elapsed = now - motion->time;
  const double *center = set->spin[number].center;
  double turn[3][3], arm[3], turned[3];
  if (rate == 0.0 || elapsed == 0.0) return;
  cluster_turn(set, number, elapsed, turn);
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    cluster_arm(set, k, center, arm);
    apply(turn, arm, turned);
    for (int axis = 0; axis < set->dimension; axis++)
      set->member[k].base[axis] = center[axis] + turned[axis] - set->image[k][axis] * set->box.length[axis];
  }
  motion->travelled += rate * elapsed;
  cluster_find_box(set, number);
}

void cluster_turned_position(const cluster_set *set, int32_t member, double now, double position[3])
{
  int32_t number = set->member[member].cluster;
  const cluster_motion *motion = &set->motion[number];
  const double elapsed = now - motion->time, *center = set->spin[number].center;
  double turn[3][3], arm[3], turned[3];
  if (elapsed == 0.0) {
    for (int axis = 0; axis < 3; axis++) position[axis] = set->member[member].base[axis] + motion->offset[axis];
    return;
  }
  cluster_turn(set, number, elapsed, turn);
  cluster_arm(set, member, center, arm);
  apply(turn, arm, turned);
  for (int axis = 0; axis < set->dimension; axis++)
    position[axis] = center[axis] + turned[axis] - set->image[member][axis] * set->box.length[axis] +
                     (motion->offset[axis] + motion->velocity[axis] * elapsed);
}

bool cluster_is_wide(const cluster_set *set, int32_t number)
{
  double extent = 2.0 * set->spin[number].radius + set->skin;
  if (set->turning[number].rate == 0.0) return false;
  for (int axis = 0; axis < set->dimension; axis++)
    if (set->box.boundary[axis] == FLOC_BOUNDARY_PERIODIC && extent >= set->box.length[axis]) return true;
  return false;
}
