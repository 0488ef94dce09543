/*
 * Sweeps of block Gauss-Seidel. See block_sweep.h.
 *
 * Contacts of one colour share no body, so four of them are done side by side where the processor has AVX2: the
 * columns stand in fours already, bodies' velocities are brought into columns by transposing four of them. The form
 * for any processor does the same operations one contact after another, and keeps what it sums up in four lanes, so
 * both give the same bits. Islands without colours, colours that may have bodies twice, and assemblies in space are
 * done one by one everywhere.
 */
#include "contacts/blocks/block_sweep.h"

#include "contacts/blocks/block_fours.h"

typedef struct sweep_call {
  const block_island *island;
  const double *x;
  double *other, *velocity;
  double beta, weight;
} sweep_call;

/* ---- one contact ---- */

/* a > b ? a : b, and a < b ? a : b, as the processor's instructions have it. */
BLOCK_INLINE double maximum(double a, double b)
{
  return lanes_greater(lanes_both(a), lanes_both(b))[0];
}

BLOCK_INLINE double minimum(double a, double b)
{
  return lanes_smaller(lanes_both(a), lanes_both(b))[0];
}

/* Brings a tangential vector into a disc of radius 0 or more; in space without a branch, as four lanes do it. */
BLOCK_INLINE void into_disc(double *tangent, double radius, block_form form)
{
  if (block_is_plane(form)) {
    tangent[0] = maximum(minimum(tangent[0], radius), -radius);
    return;
  }
  double square = block_square(tangent, form);
  double factor = square > radius * radius ? radius / __builtin_sqrt(square) : 1.0;
  for (int a = 0; a < 3; a++) tangent[a] *= factor;
}

/* The moment of a contact: each part into its disc, from spins that friction has changed already. slack: p - lo. */
BLOCK_INLINE void sweep_moment(const sweep_call *call, int64_t k, const double *row, double slack, const double *x,
                               const double *y, double *next, double *uphill, double *square, block_form form)
{
  const block_island *island = call->island;
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  const double inverse_normal = block_row_bounds(row, form).inverse_normal;
  const int moments = block_moments(form), tangents = block_tangents(form);
  const int64_t stride = block_stride(form);
  double *u1 = call->velocity + stride * island->body[2 * k],
         *u2 = call->velocity + stride * island->body[2 * k + 1];
  double spin[3], spin_r[3], y_r[3], next_r[3], step_r[3], Q[3], moved[3], moved_r[3], along = 0.0;
  block_row_spin(row, u1, u2, spin, form);
  double spin_s = block_split_moment(row, spin, spin_r, form), y_s = block_split_moment(row, y, y_r, form);
  for (int c = 0; c < tangents; c++) next_r[c] = y_r[c] - spin_r[c] * by.inverse_roll;
  into_disc(next_r, block_radius(by.rolling, slack), form);
  for (int c = 0; c < tangents; c++) step_r[c] = call->weight * (next_r[c] - y_r[c]);
  double next_s = block_into_interval(y_s - spin_s * by.inverse_twist, block_radius(by.twisting, slack));
  double step_s = call->weight * (next_s - y_s);
  block_join_moment(row, step_s, step_r, Q, form);
  block_row_apply_moment(row, block_inertia(island, k, 0, form), block_inertia(island, k, 1, form), Q, u1, u2,
                         form);
  for (int c = 0; c < moments; c++) {
    next[c] = y[c] + Q[c];
    moved[c] = next[c] - x[c];
  }
  double moved_s = block_split_moment(row, moved, moved_r, form);
  for (int c = 0; c < tangents; c++) along += step_r[c] * moved_r[c];
  *uphill -= along / by.inverse_roll + step_s * moved_s / by.inverse_twist;
  double rolled = block_square(step_r, form) / by.inverse_roll, twisted = step_s * step_s / by.inverse_twist;
  *square = maximum(maximum(rolled, twisted) / inverse_normal, *square);
}

/* In the plane: the velocity along t after a step along n has turned the bodies. */
BLOCK_INLINE double turned_velocity(const sweep_call *call, int64_t k, const double *row, double step_n)
{
  const int32_t *body = call->island->body + 2 * k;
  const double *u1 = call->velocity + 4 * (int64_t)body[0], *u2 = call->velocity + 4 * (int64_t)body[1];
  const double x = u2[0] - u1[0], y = u2[1] - u1[1];
  const double first = u1[2] - row[8] * (step_n * row[2]), second = u2[2] + row[9] * (step_n * row[4]);
  return row[11] + (row[0] * y - row[1] * x) + (second * row[5] - first * row[3]);
}

BLOCK_INLINE void sweep_contact(const sweep_call *call, int64_t k, double *uphill, double *square, block_form form)
{
  const block_island *island = call->island;
  const int components = block_components(form), forces = block_forces(form), tangents = block_tangents(form);
  double row[BLOCK_ROW_MOST], x[BLOCK_VECTOR_MOST], other[BLOCK_VECTOR_MOST], y[BLOCK_VECTOR_MOST],
      w[BLOCK_VECTOR_MOST], next[BLOCK_VECTOR_MOST], P[3];
  double y_t[3], w_t[3], moved[3], step_t[3], moved_t[3];
  block_load_row(island, k, row, form);
  const block_bounds of = block_row_bounds(row, form);
  block_load(call->x, k, x, form);
  block_load(call->other, k, other, form);
  for (int c = 0; c < components; c++) y[c] = x[c] + call->beta * (x[c] - other[c]);
  block_velocity(island, k, row, call->velocity, w, form);
  double y_n = block_split(row, y, y_t, form), w_n = block_split(row, w, w_t, form);
  double next_n = y_n - w_n * of.inverse_normal;
  if (block_is_plane(form) && !island->convex) {
    next_n = maximum(next_n, of.lower);
    w_t[0] = turned_velocity(call, k, row, call->weight * (next_n - y_n));
  }
  for (int c = 0; c < tangents; c++) next[c] = y_t[c] - w_t[c] * of.inverse_tangent;
  if (island->convex) {
    next_n = block_into_cone(of, next_n, next, form);
  } else {
    next_n = maximum(next_n, of.lower);
    into_disc(next, of.friction > 0.0 ? of.friction * (next_n - of.lower) : 0.0, form);
  }
  double step_n = call->weight * (next_n - y_n);
  for (int c = 0; c < tangents; c++) step_t[c] = call->weight * (next[c] - y_t[c]);
  block_join(row, step_n, step_t, P, form);
  block_apply_force(island, k, row, P, call->velocity, form);
  for (int c = 0; c < forces; c++) {
    next[c] = y[c] + P[c];
    moved[c] = next[c] - x[c];
  }
  double moved_n = block_split(row, moved, moved_t, form), along = 0.0;
  for (int c = 0; c < tangents; c++) along += step_t[c] * moved_t[c];
  double force_n = step_n / of.inverse_normal, inverse = 1.0 / of.inverse_tangent;
  *uphill -= force_n * moved_n + along * inverse;
  double square_n = force_n * force_n, square_t = block_square(step_t, form) * (inverse * inverse);
  *square = maximum(maximum(square_n, square_t), *square);
  if (block_has_moments(form))
    sweep_moment(call, k, row, next_n - of.lower, x + forces, y + forces, next + forces, uphill, square, form);
  block_store(call->other, k, next, form);
}

BLOCK_INLINE void sweep_contacts(const sweep_call *call, int64_t begin, int64_t end, double uphill[FOUR],
                                 double square[FOUR], block_form form)
{
  for (int64_t k = begin; k < end; k++) sweep_contact(call, k, &uphill[k % FOUR], &square[k % FOUR], form);
}

/* ---- four contacts ---- */

#ifdef HAS_WIDE

/* mu (p - lo), 0 where mu is 0. */
WIDE_INLINE __m256d disc_radius(__m256d friction, __m256d p, __m256d lower)
{
  __m256d rubs = _mm256_cmp_pd(friction, _mm256_setzero_pd(), _CMP_GT_OQ);
  return _mm256_and_pd(rubs, friction * (p - lower));
}

/* block_radius() of four. */
WIDE_INLINE __m256d radius_of(__m256d limit, __m256d slack)
{
  const __m256d zero = _mm256_setzero_pd();
  __m256d acts = _mm256_and_pd(_mm256_cmp_pd(limit, zero, _CMP_GT_OQ), _mm256_cmp_pd(slack, zero, _CMP_GT_OQ));
  return _mm256_and_pd(acts, limit * slack);
}

/* block_into_cone() of four: p becomes that of the nearest point, the factor of P_t, whose length is width, is
 * returned. */
WIDE_INLINE __m256d cone_factor(__m256d inverse_n, __m256d inverse_t, __m256d friction, __m256d lower,
                                __m256d width, __m256d *p)
{
  const __m256d zero = _mm256_setzero_pd(), one = _mm256_set1_pd(1.0);
  __m256d ratio = friction * inverse_n / inverse_t, height = *p - lower;
  __m256d mixed = _mm256_max_pd(zero, (height + ratio * width) / (one + friction * ratio));
  __m256d rubs = _mm256_cmp_pd(friction, zero, _CMP_GT_OQ);
  __m256d inside = _mm256_cmp_pd(width, friction * height, _CMP_LE_OQ);
  __m256d shrunk = _mm256_and_pd(_mm256_cmp_pd(mixed, zero, _CMP_GT_OQ), friction * mixed / width);
  *p = _mm256_blendv_pd(_mm256_max_pd(*p, lower), _mm256_blendv_pd(lower + mixed, *p, inside), rubs);
  return _mm256_and_pd(rubs, _mm256_blendv_pd(shrunk, one, inside));
}

/* What impulses change of spins; arm: number of the first body's in a row, 2 of those along n, 3 of t. */
WIDE_INLINE void turn_bodies(const double *row, __m256d step, const int arm, four_bodies *first,
                             four_bodies *second)
{
  first->z = first->z - FOUR_ROW(8) * (step * FOUR_ROW(arm));
  second->z = second->z + FOUR_ROW(9) * (step * FOUR_ROW(arm + 2));
}

/* Returns p - lo. */
WIDE_INLINE __m256d four_in_plane(const sweep_call *call, int64_t k, __m256d *uphill, __m256d *square,
                                  const bool convex, const block_form form)
{
  const double *row = call->island->row + block_row_size(form) * k, *x = call->x + block_components(form) * k;
  const int32_t *body = call->island->body + 2 * k;
  double *other = call->other + block_components(form) * k;
  const __m256d beta = _mm256_set1_pd(call->beta), weight = _mm256_set1_pd(call->weight), n_x = FOUR_ROW(0),
                n_y = FOUR_ROW(1);
  four_bodies first = load_bodies(call->velocity, body, 4), second = load_bodies(call->velocity, body + 1, 4);
  __m256d x_n = _mm256_loadu_pd(x), x_t = _mm256_loadu_pd(x + FOUR);
  __m256d y_n = x_n + beta * (x_n - _mm256_loadu_pd(other)),
          y_t = x_t + beta * (x_t - _mm256_loadu_pd(other + FOUR));
  __m256d dx = second.x - first.x, dy = second.y - first.y;
  __m256d w_n = FOUR_ROW(10) + (n_x * dx + n_y * dy) + (second.z * FOUR_ROW(4) - first.z * FOUR_ROW(2));
  __m256d inverse_n = FOUR_LAST(0), inverse_t = FOUR_LAST(1), lower = FOUR_LAST(3);
  __m256d next_n = y_n - w_n * inverse_n;
  if (!convex) {
    next_n = _mm256_max_pd(next_n, lower);
    turn_bodies(row, weight * (next_n - y_n), 2, &first, &second);
  }
  __m256d w_t = FOUR_ROW(11) + (n_x * dy - n_y * dx) + (second.z * FOUR_ROW(5) - first.z * FOUR_ROW(3));
  __m256d next_t = y_t - w_t * inverse_t;
  if (convex) {
    next_t = next_t * cone_factor(inverse_n, inverse_t, FOUR_LAST(2), lower, absolute(next_t), &next_n);
    turn_bodies(row, weight * (next_n - y_n), 2, &first, &second);
  } else {
    __m256d radius = disc_radius(FOUR_LAST(2), next_n, lower);
    next_t = _mm256_max_pd(_mm256_min_pd(next_t, radius), negative(radius));
  }
  __m256d slack = next_n - lower, step_n = weight * (next_n - y_n), step_t = weight * (next_t - y_t);
  __m256d px = step_n * n_x - step_t * n_y, py = step_n * n_y + step_t * n_x;
  __m256d inverse_1 = FOUR_ROW(6), inverse_2 = FOUR_ROW(7);
  first.x = first.x - inverse_1 * px;
  first.y = first.y - inverse_1 * py;
  second.x = second.x + inverse_2 * px;
  second.y = second.y + inverse_2 * py;
  turn_bodies(row, step_t, 3, &first, &second);
  store_bodies(first, call->velocity, body, 4);
  store_bodies(second, call->velocity, body + 1, 4);
  next_n = y_n + step_n;
  next_t = y_t + step_t;
  _mm256_storeu_pd(other, next_n);
  _mm256_storeu_pd(other + FOUR, next_t);
  __m256d force_n = step_n / inverse_n, inverse = _mm256_set1_pd(1.0) / inverse_t;
  /* the sum over tangents begins at 0 */
  __m256d along = _mm256_setzero_pd() + step_t * (next_t - x_t);
  *uphill = *uphill - (force_n * (next_n - x_n) + along * inverse);
  __m256d square_n = force_n * force_n, square_t = (step_t * step_t) * (inverse * inverse);
  *square = _mm256_max_pd(_mm256_max_pd(square_n, square_t), *square);
  return slack;
}

/* The moments of four contacts whose friction is done. */
WIDE_INLINE void four_moments_in_plane(const sweep_call *call, int64_t k, __m256d slack, __m256d *uphill,
                                       __m256d *square)
{
  const block_form form = BLOCK_PLANE_MOMENTS;
  const double *row = call->island->row + block_row_size(form) * k, *from = call->x + 3 * k + 2 * FOUR;
  const int32_t *body = call->island->body + 2 * k;
  double *other = call->other + 3 * k + 2 * FOUR;
  const int at = block_moment_place(form);
  four_bodies first = load_bodies(call->velocity, body, 4), second = load_bodies(call->velocity, body + 1, 4);
  __m256d x = _mm256_loadu_pd(from), y = x + _mm256_set1_pd(call->beta) * (x - _mm256_loadu_pd(other));
  __m256d spin = FOUR_ROW(at) + (second.z - first.z), inverse = FOUR_ROW(at + 1),
          radius = radius_of(FOUR_ROW(at + 2), slack);
  __m256d next = _mm256_max_pd(_mm256_min_pd(y - spin * inverse, radius), negative(radius));
  __m256d step = _mm256_set1_pd(call->weight) * (next - y);
  first.z = first.z - FOUR_ROW(8) * step;
  second.z = second.z + FOUR_ROW(9) * step;
  store_bodies(first, call->velocity, body, 4);
  store_bodies(second, call->velocity, body + 1, 4);
  next = y + step;
  _mm256_storeu_pd(other, next);
  *uphill = *uphill - (_mm256_setzero_pd() + step * (next - x)) / inverse;
  __m256d rolled = _mm256_max_pd(step * step / inverse, _mm256_setzero_pd());
  *square = _mm256_max_pd(rolled / FOUR_LAST(0), *square);
}

/* The factor that brings vectors of these squared lengths into discs. */
WIDE_INLINE __m256d disc_factor(__m256d square, __m256d radius)
{
  __m256d outside = _mm256_cmp_pd(square, radius * radius, _CMP_GT_OQ);
  return _mm256_blendv_pd(_mm256_set1_pd(1.0), radius / _mm256_sqrt_pd(square), outside);
}

/* now + beta (now - before) */
WIDE_INLINE four_vectors extrapolate(four_vectors now, four_vectors before, __m256d beta)
{
  return (four_vectors){now.x + beta * (now.x - before.x), now.y + beta * (now.y - before.y),
                        now.z + beta * (now.z - before.z)};
}

WIDE_INLINE void store_vectors(double *column, four_vectors v)
{
  _mm256_storeu_pd(column, v.x);
  _mm256_storeu_pd(column + FOUR, v.y);
  _mm256_storeu_pd(column + 2 * FOUR, v.z);
}

/* Returns p - lo. */
WIDE_INLINE __m256d four_in_space(const sweep_call *call, int64_t k, __m256d *uphill, __m256d *square,
                                  const bool convex, const block_form form)
{
  const double *row = call->island->row + block_row_size(form) * k, *from = call->x + block_components(form) * k;
  const int32_t *body = call->island->body + 2 * k;
  double *other = call->other + block_components(form) * k, *spins = call->velocity + 4;
  const __m256d beta = _mm256_set1_pd(call->beta), weight = _mm256_set1_pd(call->weight);
  const __m256d arm_1 = FOUR_ROW(3), arm_2 = FOUR_ROW(4), inverse_1 = FOUR_ROW(5), inverse_2 = FOUR_ROW(6);
  const four_vectors n = load_vectors(row), x = load_vectors(from), before = load_vectors(other);
  four_bodies first = load_bodies(call->velocity, body, 8), second = load_bodies(call->velocity, body + 1, 8);
  four_bodies spin_1 = load_bodies(spins, body, 8), spin_2 = load_bodies(spins, body + 1, 8);
  four_vectors y = extrapolate(x, before, beta);
  four_vectors spin = {arm_2 * spin_2.x - arm_1 * spin_1.x, arm_2 * spin_2.y - arm_1 * spin_1.y,
                       arm_2 * spin_2.z - arm_1 * spin_1.z};
  four_vectors turn = cross(spin, n);
  four_vectors w_t = {FOUR_ROW(9) + (second.x - first.x) + turn.x, FOUR_ROW(10) + (second.y - first.y) + turn.y,
                      FOUR_ROW(11) + (second.z - first.z) + turn.z};
  four_vectors y_t = y;
  __m256d y_n = split(n, &y_t), w_n = split(n, &w_t);
  __m256d inverse_n = FOUR_LAST(0), inverse_t = FOUR_LAST(1), lower = FOUR_LAST(3);
  __m256d next_n = y_n - w_n * inverse_n, factor;
  four_vectors next_t = {y_t.x - w_t.x * inverse_t, y_t.y - w_t.y * inverse_t, y_t.z - w_t.z * inverse_t};
  __m256d length = square_of(next_t);
  if (convex) {
    factor = cone_factor(inverse_n, inverse_t, FOUR_LAST(2), lower, _mm256_sqrt_pd(length), &next_n);
  } else {
    next_n = _mm256_max_pd(next_n, lower);
    __m256d radius = disc_radius(FOUR_LAST(2), next_n, lower);
    factor = disc_factor(length, radius);
  }
  __m256d slack = next_n - lower, step_n = weight * (next_n - y_n);
  four_vectors step_t = {weight * (next_t.x * factor - y_t.x), weight * (next_t.y * factor - y_t.y),
                         weight * (next_t.z * factor - y_t.z)};
  four_vectors P = {step_n * n.x + step_t.x, step_n * n.y + step_t.y, step_n * n.z + step_t.z};
  four_vectors moment = cross(n, P);
  __m256d lever_1 = FOUR_ROW(7) * arm_1, lever_2 = FOUR_ROW(8) * arm_2;
  first.x = first.x - inverse_1 * P.x;
  first.y = first.y - inverse_1 * P.y;
  first.z = first.z - inverse_1 * P.z;
  second.x = second.x + inverse_2 * P.x;
  second.y = second.y + inverse_2 * P.y;
  second.z = second.z + inverse_2 * P.z;
  spin_1.x = spin_1.x - lever_1 * moment.x;
  spin_1.y = spin_1.y - lever_1 * moment.y;
  spin_1.z = spin_1.z - lever_1 * moment.z;
  spin_2.x = spin_2.x + lever_2 * moment.x;
  spin_2.y = spin_2.y + lever_2 * moment.y;
  spin_2.z = spin_2.z + lever_2 * moment.z;
  store_bodies(first, call->velocity, body, 8);
  store_bodies(second, call->velocity, body + 1, 8);
  store_bodies(spin_1, spins, body, 8);
  store_bodies(spin_2, spins, body + 1, 8);
  four_vectors next = {y.x + P.x, y.y + P.y, y.z + P.z};
  four_vectors moved = {next.x - x.x, next.y - x.y, next.z - x.z};
  store_vectors(other, next);
  __m256d moved_n = split(n, &moved);
  __m256d along = _mm256_setzero_pd() + step_t.x * moved.x + step_t.y * moved.y + step_t.z * moved.z;
  __m256d force_n = step_n / inverse_n, inverse = _mm256_set1_pd(1.0) / inverse_t;
  *uphill = *uphill - (force_n * moved_n + along * inverse);
  __m256d square_n = force_n * force_n, square_t = square_of(step_t) * (inverse * inverse);
  *square = _mm256_max_pd(_mm256_max_pd(square_n, square_t), *square);
  return slack;
}

WIDE_INLINE void four_moments_in_space(const sweep_call *call, int64_t k, __m256d slack, __m256d *uphill,
                                       __m256d *square)
{
  const block_form form = BLOCK_ROUND_MOMENTS;
  const double *row = call->island->row + block_row_size(form) * k;
  const int32_t *body = call->island->body + 2 * k;
  double *other = call->other + 6 * k + 3 * FOUR, *spins = call->velocity + 4;
  const int at = block_moment_place(form);
  const __m256d weight = _mm256_set1_pd(call->weight), inverse_r = FOUR_ROW(at + 3), inverse_s = FOUR_ROW(at + 4);
  const four_vectors n = load_vectors(row), x = load_vectors(call->x + 6 * k + 3 * FOUR);
  const four_vectors y = extrapolate(x, load_vectors(other), _mm256_set1_pd(call->beta));
  four_bodies spin_1 = load_bodies(spins, body, 8), spin_2 = load_bodies(spins, body + 1, 8);
  four_vectors w_r = {FOUR_ROW(at) + (spin_2.x - spin_1.x), FOUR_ROW(at + 1) + (spin_2.y - spin_1.y),
                      FOUR_ROW(at + 2) + (spin_2.z - spin_1.z)};
  four_vectors y_r = y;
  __m256d w_s = split(n, &w_r), y_s = split(n, &y_r);
  four_vectors next_r = {y_r.x - w_r.x * inverse_r, y_r.y - w_r.y * inverse_r, y_r.z - w_r.z * inverse_r};
  __m256d factor = disc_factor(square_of(next_r), radius_of(FOUR_ROW(at + 5), slack));
  four_vectors step_r = {weight * (next_r.x * factor - y_r.x), weight * (next_r.y * factor - y_r.y),
                         weight * (next_r.z * factor - y_r.z)};
  __m256d radius = radius_of(FOUR_ROW(at + 6), slack);
  __m256d next_s = _mm256_max_pd(_mm256_min_pd(y_s - w_s * inverse_s, radius), negative(radius));
  __m256d step_s = weight * (next_s - y_s);
  four_vectors Q = {step_s * n.x + step_r.x, step_s * n.y + step_r.y, step_s * n.z + step_r.z};
  spin_1.x = spin_1.x - FOUR_ROW(7) * Q.x;
  spin_1.y = spin_1.y - FOUR_ROW(7) * Q.y;
  spin_1.z = spin_1.z - FOUR_ROW(7) * Q.z;
  spin_2.x = spin_2.x + FOUR_ROW(8) * Q.x;
  spin_2.y = spin_2.y + FOUR_ROW(8) * Q.y;
  spin_2.z = spin_2.z + FOUR_ROW(8) * Q.z;
  store_bodies(spin_1, spins, body, 8);
  store_bodies(spin_2, spins, body + 1, 8);
  four_vectors next = {y.x + Q.x, y.y + Q.y, y.z + Q.z};
  four_vectors moved = {next.x - x.x, next.y - x.y, next.z - x.z};
  store_vectors(other, next);
  __m256d moved_s = split(n, &moved);
  __m256d along = _mm256_setzero_pd() + step_r.x * moved.x + step_r.y * moved.y + step_r.z * moved.z;
  *uphill = *uphill - (along / inverse_r + step_s * moved_s / inverse_s);
  __m256d most = _mm256_max_pd(square_of(step_r) / inverse_r, step_s * step_s / inverse_s);
  *square = _mm256_max_pd(most / FOUR_LAST(0), *square);
}

WIDE_INLINE void sweep_four(const sweep_call *call, int64_t k, __m256d *uphill, __m256d *square, const bool convex,
                            const block_form form)
{
  __m256d slack = block_is_plane(form) ? four_in_plane(call, k, uphill, square, convex, form)
                                       : four_in_space(call, k, uphill, square, convex, form);
  if (form == BLOCK_PLANE_MOMENTS) four_moments_in_plane(call, k, slack, uphill, square);
  if (form == BLOCK_ROUND_MOMENTS) four_moments_in_space(call, k, slack, uphill, square);
}

WIDE_INLINE void sweep_fours(const sweep_call *call, int64_t begin, int64_t end, double uphill[FOUR],
                             double square[FOUR])
{
  __m256d sum = _mm256_setzero_pd(), most = _mm256_setzero_pd();
#define FOURS(convex, form)                                                                                        \
  for (int64_t k = begin; k < end; k += FOUR) sweep_four(call, k, &sum, &most, convex, form)
  const block_form form = call->island->form;
  if (form == BLOCK_PLANE && call->island->convex)
    FOURS(true, BLOCK_PLANE);
  else if (form == BLOCK_PLANE)
    FOURS(false, BLOCK_PLANE);
  else if (form == BLOCK_ROUND && call->island->convex)
    FOURS(true, BLOCK_ROUND);
  else if (form == BLOCK_ROUND)
    FOURS(false, BLOCK_ROUND);
  else if (form == BLOCK_PLANE_MOMENTS)
    FOURS(false, BLOCK_PLANE_MOMENTS);
  else
    FOURS(false, BLOCK_ROUND_MOMENTS);
#undef FOURS
  _mm256_storeu_pd(uphill, sum);
  _mm256_storeu_pd(square, most);
}

/* The same instructions with 32 registers instead of 16, which a contact in space needs. */
__attribute__((target("avx2"))) static void sweep_with_16(const sweep_call *call, int64_t begin, int64_t end,
                                                          double uphill[FOUR], double square[FOUR])
{
  sweep_fours(call, begin, end, uphill, square);
}

__attribute__((target("avx2,avx512f,avx512vl"))) static void
sweep_with_32(const sweep_call *call, int64_t begin, int64_t end, double uphill[FOUR], double square[FOUR])
{
  sweep_fours(call, begin, end, uphill, square);
}

#endif

/* ---- a range ---- */

/* Are all of the range's bodies different, and four contacts done side by side? */
static bool goes_by_fours(const block_island *island, int64_t begin)
{
#ifdef HAS_WIDE
  if (!block_has_colours(island) || !processor_is_wide()) return false;
  if (block_bodies(island->form) == BLOCK_GENERAL) return false;
  const colour_plan *colours = island->colours;
  return island->units || !colours->serial_tail || begin < colours->start[colours->count - 1];
#else
  (void)island, (void)begin;
  return false;
#endif
}

block_sweep_sums block_sweep_range(const block_island *island, const double *x, double *other, double *velocity,
                                   double beta, double weight, int64_t begin, int64_t end)
{
  sweep_call call = {island, x, other, velocity, beta, weight};
  double uphill[FOUR] = {0.0, 0.0, 0.0, 0.0}, square[FOUR] = {0.0, 0.0, 0.0, 0.0};
  if (goes_by_fours(island, begin)) {
#ifdef HAS_WIDE
    const bool many = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    (many ? sweep_with_32 : sweep_with_16)(&call, begin, end, uphill, square);
#endif
  } else {
#define SWEEP(form) sweep_contacts(&call, begin, end, uphill, square, form)
    BLOCK_DISPATCH(island->form, SWEEP)
#undef SWEEP
  }
  return (block_sweep_sums){(uphill[0] + uphill[1]) + (uphill[2] + uphill[3]),
                            maximum(maximum(square[0], square[1]), maximum(square[2], square[3]))};
}
