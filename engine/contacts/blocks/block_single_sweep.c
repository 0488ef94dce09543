/*
 * A sweep in single precision: see block_single.c.
 *
 * The loop for any processor does the same operations one contact after another, and keeps what it sums up in eight
 * lanes, so both have the same bits.
 */
#include "base/numbers/wide.h"
#include "contacts/blocks/block_rows.h"
#include "contacts/blocks/block_single.h"

#include <math.h>

/* ---- one contact ---- */

static inline float larger(float a, float b)
{
  return a > b ? a : b;
}

static inline float smaller(float a, float b)
{
  return a < b ? a : b;
}

/* Number q of eight rows. */
#define ROW(q) row[EIGHT * (q) + lane]

typedef struct lane_sums {
  float uphill[EIGHT], square[EIGHT];
} lane_sums;

static void lane_in_plane(const block_single *it, float beta, float weight, int64_t k, int lane, lane_sums *sums)
{
  const float *row = it->row + BLOCK_ROW * k, *x = it->x + 2 * k + lane;
  const int32_t *body = it->island->body + 2 * (k + lane);
  float *other = it->other + 2 * k + lane, *u1 = it->u + 4 * body[0], *u2 = it->u + 4 * body[1];
  float y_n = x[0] + beta * (x[0] - other[0]), y_t = x[EIGHT] + beta * (x[EIGHT] - other[EIGHT]);
  float dx = u2[0] - u1[0], dy = u2[1] - u1[1], n_x = ROW(0), n_y = ROW(1);
  float w_n = ROW(10) + (n_x * dx + n_y * dy) + (u2[2] * ROW(4) - u1[2] * ROW(2));
  float inverse_n = ROW(12), inverse_t = ROW(13), lower = ROW(15);
  float next_n = larger(y_n - w_n * inverse_n, lower), step_n = weight * (next_n - y_n);
  float spin_1 = u1[2] - ROW(8) * (step_n * ROW(2)), spin_2 = u2[2] + ROW(9) * (step_n * ROW(4));
  float w_t = ROW(11) + (n_x * dy - n_y * dx) + (spin_2 * ROW(5) - spin_1 * ROW(3));
  float radius = ROW(14) > 0.0f ? ROW(14) * (next_n - lower) : 0.0f;
  float next_t = larger(smaller(y_t - w_t * inverse_t, radius), -radius), step_t = weight * (next_t - y_t);
  float px = step_n * n_x - step_t * n_y, py = step_n * n_y + step_t * n_x;
  u1[0] = u1[0] - ROW(6) * px;
  u1[1] = u1[1] - ROW(6) * py;
  u1[2] = spin_1 - ROW(8) * (step_t * ROW(3));
  u2[0] = u2[0] + ROW(7) * px;
  u2[1] = u2[1] + ROW(7) * py;
  u2[2] = spin_2 + ROW(9) * (step_t * ROW(5));
  next_n = y_n + step_n;
  next_t = y_t + step_t;
  other[0] = next_n;
  other[EIGHT] = next_t;
  float force_n = step_n / inverse_n, force_t = step_t / inverse_t;
  sums->uphill[lane] = sums->uphill[lane] - (force_n * (next_n - x[0]) + force_t * (next_t - x[EIGHT]));
  sums->square[lane] = larger(larger(force_n * force_n, force_t * force_t), sums->square[lane]);
}

static inline void lane_cross(const float *a, const float *b, float *result)
{
  result[0] = a[1] * b[2] - a[2] * b[1];
  result[1] = a[2] * b[0] - a[0] * b[2];
  result[2] = a[0] * b[1] - a[1] * b[0];
}

/* The part along n; v becomes the rest. */
static inline float lane_split(const float *n, float *v)
{
  float along = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
  for (int a = 0; a < 3; a++) v[a] = v[a] - along * n[a];
  return along;
}

static void lane_in_space(const block_single *it, float beta, float weight, int64_t k, int lane, lane_sums *sums)
{
  const float *row = it->row + BLOCK_ROW * k, *x = it->x + 3 * k + lane, n[3] = {ROW(0), ROW(1), ROW(2)};
  const int32_t *body = it->island->body + 2 * (k + lane);
  float *other = it->other + 3 * k + lane, *u1 = it->u + 8 * body[0], *u2 = it->u + 8 * body[1];
  float y[3], y_t[3], w_t[3], next_t[3], step_t[3], P[3], spin[3], turn[3], moved[3];
  for (int a = 0; a < 3; a++) {
    y_t[a] = y[a] = x[EIGHT * a] + beta * (x[EIGHT * a] - other[EIGHT * a]);
    spin[a] = ROW(4) * u2[4 + a] - ROW(3) * u1[4 + a];
  }
  lane_cross(spin, n, turn);
  for (int a = 0; a < 3; a++) w_t[a] = ROW(9 + a) + (u2[a] - u1[a]) + turn[a];
  float y_n = lane_split(n, y_t), w_n = lane_split(n, w_t);
  float inverse_n = ROW(12), inverse_t = ROW(13), lower = ROW(15);
  float next_n = larger(y_n - w_n * inverse_n, lower);
  float radius = ROW(14) > 0.0f ? ROW(14) * (next_n - lower) : 0.0f;
  for (int a = 0; a < 3; a++) next_t[a] = y_t[a] - w_t[a] * inverse_t;
  float length = next_t[0] * next_t[0] + next_t[1] * next_t[1] + next_t[2] * next_t[2];
  float factor = length > radius * radius ? radius / sqrtf(length) : 1.0f;
  float step_n = weight * (next_n - y_n);
  for (int a = 0; a < 3; a++) {
    step_t[a] = weight * (next_t[a] * factor - y_t[a]);
    P[a] = step_n * n[a] + step_t[a];
  }
  lane_cross(n, P, turn);
  for (int a = 0; a < 3; a++) {
    u1[a] = u1[a] - ROW(5) * P[a];
    u2[a] = u2[a] + ROW(6) * P[a];
    u1[4 + a] = u1[4 + a] - (ROW(7) * ROW(3)) * turn[a];
    u2[4 + a] = u2[4 + a] + (ROW(8) * ROW(4)) * turn[a];
    other[EIGHT * a] = y[a] + P[a];
    moved[a] = other[EIGHT * a] - x[EIGHT * a];
  }
  float moved_n = lane_split(n, moved);
  float force_n = step_n / inverse_n, inverse = 1.0f / inverse_t;
  float along = step_t[0] * moved[0] + step_t[1] * moved[1] + step_t[2] * moved[2];
  float square_t = step_t[0] * step_t[0] + step_t[1] * step_t[1] + step_t[2] * step_t[2];
  sums->uphill[lane] = sums->uphill[lane] - (force_n * moved_n + along * inverse);
  sums->square[lane] = larger(larger(force_n * force_n, square_t * (inverse * inverse)), sums->square[lane]);
}

static void sweep_by_lanes(const block_single *it, float beta, float weight, int64_t begin, int64_t end,
                           lane_sums *sums)
{
  const bool plane = it->island->form == BLOCK_PLANE;
  for (int64_t k = begin; k < end; k += EIGHT)
    for (int lane = 0; lane < EIGHT; lane++)
      (plane ? lane_in_plane : lane_in_space)(it, beta, weight, k, lane, sums);
}

/* ---- eight contacts ---- */

#ifdef HAS_WIDE

#define EIGHT_INLINE __attribute__((target("avx2"), always_inline)) static inline
#define EIGHT_ROW(q) _mm256_loadu_ps(row + EIGHT * (q))

typedef struct eight_bodies {
  __m256 x, y, z, w;
} eight_bodies;

EIGHT_INLINE __m256 two_bodies(const float *u, const int32_t *body, int64_t stride)
{
  __m128 low = _mm_loadu_ps(u + stride * body[0]), high = _mm_loadu_ps(u + stride * body[8]);
  return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

EIGHT_INLINE eight_bodies load_eight(const float *u, const int32_t *body, int64_t stride)
{
  __m256 a = two_bodies(u, body, stride), b = two_bodies(u, body + 2, stride);
  __m256 c = two_bodies(u, body + 4, stride), d = two_bodies(u, body + 6, stride);
  __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
  __m256 ab_high = _mm256_unpackhi_ps(a, b), cd_high = _mm256_unpackhi_ps(c, d);
  return (eight_bodies){_mm256_shuffle_ps(ab, cd, 0x44), _mm256_shuffle_ps(ab, cd, 0xEE),
                        _mm256_shuffle_ps(ab_high, cd_high, 0x44), _mm256_shuffle_ps(ab_high, cd_high, 0xEE)};
}

EIGHT_INLINE void store_two(__m256 both, float *u, const int32_t *body, int64_t stride)
{
  _mm_storeu_ps(u + stride * body[0], _mm256_castps256_ps128(both));
  _mm_storeu_ps(u + stride * body[8], _mm256_extractf128_ps(both, 1));
}

EIGHT_INLINE void store_eight(eight_bodies all, float *u, const int32_t *body, int64_t stride)
{
  __m256 xy = _mm256_unpacklo_ps(all.x, all.y), xy_high = _mm256_unpackhi_ps(all.x, all.y);
  __m256 zw = _mm256_unpacklo_ps(all.z, all.w), zw_high = _mm256_unpackhi_ps(all.z, all.w);
  store_two(_mm256_shuffle_ps(xy, zw, 0x44), u, body, stride);
  store_two(_mm256_shuffle_ps(xy, zw, 0xEE), u, body + 2, stride);
  store_two(_mm256_shuffle_ps(xy_high, zw_high, 0x44), u, body + 4, stride);
  store_two(_mm256_shuffle_ps(xy_high, zw_high, 0xEE), u, body + 6, stride);
}

EIGHT_INLINE __m256 disc_radius(__m256 friction, __m256 slack)
{
  return _mm256_and_ps(_mm256_cmp_ps(friction, _mm256_setzero_ps(), _CMP_GT_OQ), friction * slack);
}

EIGHT_INLINE void eight_in_plane(const block_single *it, float by, float weighted, int64_t k, __m256 *uphill,
                                 __m256 *square)
{
  const float *row = it->row + BLOCK_ROW * k, *x = it->x + 2 * k;
  const int32_t *body = it->island->body + 2 * k;
  float *other = it->other + 2 * k;
  const __m256 beta = _mm256_set1_ps(by), weight = _mm256_set1_ps(weighted);
  const __m256 n_x = EIGHT_ROW(0), n_y = EIGHT_ROW(1);
  eight_bodies u1 = load_eight(it->u, body, 4), u2 = load_eight(it->u, body + 1, 4);
  __m256 x_n = _mm256_loadu_ps(x), x_t = _mm256_loadu_ps(x + EIGHT);
  __m256 y_n = x_n + beta * (x_n - _mm256_loadu_ps(other));
  __m256 y_t = x_t + beta * (x_t - _mm256_loadu_ps(other + EIGHT));
  __m256 dx = u2.x - u1.x, dy = u2.y - u1.y;
  __m256 w_n = EIGHT_ROW(10) + (n_x * dx + n_y * dy) + (u2.z * EIGHT_ROW(4) - u1.z * EIGHT_ROW(2));
  __m256 inverse_n = EIGHT_ROW(12), inverse_t = EIGHT_ROW(13), lower = EIGHT_ROW(15);
  __m256 next_n = _mm256_max_ps(y_n - w_n * inverse_n, lower), step_n = weight * (next_n - y_n);
  u1.z = u1.z - EIGHT_ROW(8) * (step_n * EIGHT_ROW(2));
  u2.z = u2.z + EIGHT_ROW(9) * (step_n * EIGHT_ROW(4));
  __m256 w_t = EIGHT_ROW(11) + (n_x * dy - n_y * dx) + (u2.z * EIGHT_ROW(5) - u1.z * EIGHT_ROW(3));
  __m256 radius = disc_radius(EIGHT_ROW(14), next_n - lower);
  __m256 next_t = _mm256_min_ps(y_t - w_t * inverse_t, radius);
  next_t = _mm256_max_ps(next_t, _mm256_xor_ps(radius, _mm256_set1_ps(-0.0f)));
  __m256 step_t = weight * (next_t - y_t);
  __m256 px = step_n * n_x - step_t * n_y, py = step_n * n_y + step_t * n_x;
  u1.x = u1.x - EIGHT_ROW(6) * px;
  u1.y = u1.y - EIGHT_ROW(6) * py;
  u1.z = u1.z - EIGHT_ROW(8) * (step_t * EIGHT_ROW(3));
  u2.x = u2.x + EIGHT_ROW(7) * px;
  u2.y = u2.y + EIGHT_ROW(7) * py;
  u2.z = u2.z + EIGHT_ROW(9) * (step_t * EIGHT_ROW(5));
  store_eight(u1, it->u, body, 4);
  store_eight(u2, it->u, body + 1, 4);
  next_n = y_n + step_n;
  next_t = y_t + step_t;
  _mm256_storeu_ps(other, next_n);
  _mm256_storeu_ps(other + EIGHT, next_t);
  __m256 force_n = step_n / inverse_n, force_t = step_t / inverse_t;
  *uphill = *uphill - (force_n * (next_n - x_n) + force_t * (next_t - x_t));
  *square = _mm256_max_ps(_mm256_max_ps(force_n * force_n, force_t * force_t), *square);
}

typedef struct eight_vectors {
  __m256 x, y, z;
} eight_vectors;

EIGHT_INLINE eight_vectors load_vectors(const float *column)
{
  return (eight_vectors){_mm256_loadu_ps(column), _mm256_loadu_ps(column + EIGHT),
                         _mm256_loadu_ps(column + 2 * EIGHT)};
}

EIGHT_INLINE eight_vectors cross(eight_vectors a, eight_vectors b)
{
  return (eight_vectors){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

EIGHT_INLINE __m256 dot(eight_vectors a, eight_vectors b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

EIGHT_INLINE __m256 split(eight_vectors n, eight_vectors *v)
{
  __m256 along = dot(n, *v);
  v->x = v->x - along * n.x;
  v->y = v->y - along * n.y;
  v->z = v->z - along * n.z;
  return along;
}

EIGHT_INLINE void add_eight(eight_bodies *u, __m256 factor, eight_vectors v)
{
  u->x = u->x + factor * v.x;
  u->y = u->y + factor * v.y;
  u->z = u->z + factor * v.z;
}

EIGHT_INLINE void take_eight(eight_bodies *u, __m256 factor, eight_vectors v)
{
  u->x = u->x - factor * v.x;
  u->y = u->y - factor * v.y;
  u->z = u->z - factor * v.z;
}

EIGHT_INLINE void eight_in_space(const block_single *it, float by, float weighted, int64_t k, __m256 *uphill,
                                 __m256 *square)
{
  const float *row = it->row + BLOCK_ROW * k;
  const int32_t *body = it->island->body + 2 * k;
  float *other = it->other + 3 * k, *spins = it->u + 4;
  const __m256 beta = _mm256_set1_ps(by), weight = _mm256_set1_ps(weighted);
  const __m256 arm_1 = EIGHT_ROW(3), arm_2 = EIGHT_ROW(4);
  const eight_vectors n = load_vectors(row), x = load_vectors(it->x + 3 * k), before = load_vectors(other);
  eight_bodies u1 = load_eight(it->u, body, 8), u2 = load_eight(it->u, body + 1, 8);
  eight_bodies spin_1 = load_eight(spins, body, 8), spin_2 = load_eight(spins, body + 1, 8);
  eight_vectors y = {x.x + beta * (x.x - before.x), x.y + beta * (x.y - before.y), x.z + beta * (x.z - before.z)};
  eight_vectors spin = {arm_2 * spin_2.x - arm_1 * spin_1.x, arm_2 * spin_2.y - arm_1 * spin_1.y,
                        arm_2 * spin_2.z - arm_1 * spin_1.z};
  eight_vectors turn = cross(spin, n);
  eight_vectors w_t = {EIGHT_ROW(9) + (u2.x - u1.x) + turn.x, EIGHT_ROW(10) + (u2.y - u1.y) + turn.y,
                       EIGHT_ROW(11) + (u2.z - u1.z) + turn.z};
  eight_vectors y_t = y;
  __m256 y_n = split(n, &y_t), w_n = split(n, &w_t);
  __m256 inverse_n = EIGHT_ROW(12), inverse_t = EIGHT_ROW(13), lower = EIGHT_ROW(15);
  __m256 next_n = _mm256_max_ps(y_n - w_n * inverse_n, lower);
  __m256 radius = disc_radius(EIGHT_ROW(14), next_n - lower);
  eight_vectors next_t = {y_t.x - w_t.x * inverse_t, y_t.y - w_t.y * inverse_t, y_t.z - w_t.z * inverse_t};
  __m256 length = dot(next_t, next_t), outside = _mm256_cmp_ps(length, radius * radius, _CMP_GT_OQ);
  __m256 factor = _mm256_blendv_ps(_mm256_set1_ps(1.0f), radius / _mm256_sqrt_ps(length), outside);
  __m256 step_n = weight * (next_n - y_n);
  eight_vectors step_t = {weight * (next_t.x * factor - y_t.x), weight * (next_t.y * factor - y_t.y),
                          weight * (next_t.z * factor - y_t.z)};
  eight_vectors P = {step_n * n.x + step_t.x, step_n * n.y + step_t.y, step_n * n.z + step_t.z};
  eight_vectors moment = cross(n, P);
  take_eight(&u1, EIGHT_ROW(5), P);
  add_eight(&u2, EIGHT_ROW(6), P);
  take_eight(&spin_1, EIGHT_ROW(7) * arm_1, moment);
  add_eight(&spin_2, EIGHT_ROW(8) * arm_2, moment);
  store_eight(u1, it->u, body, 8);
  store_eight(u2, it->u, body + 1, 8);
  store_eight(spin_1, spins, body, 8);
  store_eight(spin_2, spins, body + 1, 8);
  eight_vectors next = {y.x + P.x, y.y + P.y, y.z + P.z};
  eight_vectors moved = {next.x - x.x, next.y - x.y, next.z - x.z};
  _mm256_storeu_ps(other, next.x);
  _mm256_storeu_ps(other + EIGHT, next.y);
  _mm256_storeu_ps(other + 2 * EIGHT, next.z);
  __m256 moved_n = split(n, &moved);
  __m256 force_n = step_n / inverse_n, inverse = _mm256_set1_ps(1.0f) / inverse_t;
  *uphill = *uphill - (force_n * moved_n + dot(step_t, moved) * inverse);
  __m256 square_t = dot(step_t, step_t) * (inverse * inverse);
  *square = _mm256_max_ps(_mm256_max_ps(force_n * force_n, square_t), *square);
}

EIGHT_INLINE void sweep_eights(const block_single *it, float beta, float weight, int64_t begin, int64_t end,
                               lane_sums *sums)
{
  __m256 uphill = _mm256_setzero_ps(), square = _mm256_setzero_ps();
  if (it->island->form == BLOCK_PLANE)
    for (int64_t k = begin; k < end; k += EIGHT) eight_in_plane(it, beta, weight, k, &uphill, &square);
  else
    for (int64_t k = begin; k < end; k += EIGHT) eight_in_space(it, beta, weight, k, &uphill, &square);
  _mm256_storeu_ps(sums->uphill, uphill);
  _mm256_storeu_ps(sums->square, square);
}

/* The same instructions with 16 registers, and with 32. */
__attribute__((target("avx2"))) static void eights_with_16(const block_single *it, float beta, float weight,
                                                           int64_t begin, int64_t end, lane_sums *sums)
{
  sweep_eights(it, beta, weight, begin, end, sums);
}

__attribute__((target("avx2,avx512f,avx512vl"))) static void
eights_with_32(const block_single *it, float beta, float weight, int64_t begin, int64_t end, lane_sums *sums)
{
  sweep_eights(it, beta, weight, begin, end, sums);
}

#endif

block_sweep_sums block_single_range(const block_single *single, double beta, double weight, int64_t begin,
                                    int64_t end)
{
  lane_sums sums = {{0.0f}, {0.0f}};
  block_sweep_sums total = {0.0, 0.0};
#ifdef HAS_WIDE
  const bool many = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
  if (single->wide)
    (many ? eights_with_32 : eights_with_16)(single, (float)beta, (float)weight, begin, end, &sums);
  else
#endif
    sweep_by_lanes(single, (float)beta, (float)weight, begin, end, &sums);
  for (int lane = 0; lane < EIGHT; lane++) {
    total.uphill += (double)sums.uphill[lane];
    total.square = greatest(total.square, (double)sums.square[lane]);
  }
  total.square *= single->velocity_unit * single->velocity_unit;
  return total;
}
