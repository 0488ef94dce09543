/*
 * Looks at an iterate: residual and energy. See block_system.h.
 *
 * Rounded bodies under Coulomb's law are looked at four contacts at a time where the processor has AVX2; all
 * others, and other processors, one by one. Both keep what they sum up in four lanes, and have the same bits.
 */
#include "contacts/blocks/block_fours.h"

#include <math.h>
#include <string.h>

typedef struct look_call {
  const block_island *island;
  const double *impulse, *velocity;
  double *part; /* [range][2]: residual without h, energy */
} look_call;

typedef struct look_lanes {
  double residual[FOUR], energy[FOUR];
} look_lanes;

/* A moment's residual, and the work that it does. */
BLOCK_INLINE void look_at_moment(const double *row, double p, const double *Q, const double *spin, double sums[2],
                                 block_form form)
{
  const block_bounds of = block_row_bounds(row, form);
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  double spin_r[3], spin_s = block_split_moment(row, spin, spin_r, form), slack = p - of.lower;
  sums[0] = greatest(sums[0], __builtin_sqrt(block_moment_residual(of, by, row, p, Q, spin, form)));
  sums[1] += block_radius(by.rolling, slack) * block_length(spin_r, form) +
             block_radius(by.twisting, slack) * fabs(spin_s);
}

BLOCK_INLINE void look_at_contact(const look_call *call, int64_t k, look_lanes *into, block_form form)
{
  const block_island *island = call->island;
  double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST], w[BLOCK_VECTOR_MOST], w_t[3], P_t[3];
  double sums[2] = {into->residual[k % FOUR], into->energy[k % FOUR]};
  block_load_row(island, k, row, form);
  block_load(call->impulse, k, P, form);
  const block_bounds of = block_row_bounds(row, form);
  block_velocity(island, k, row, call->velocity, w, form);
  double w_n = block_split(row, w, w_t, form), p = block_split(row, P, P_t, form), slack = p - of.lower;
  sums[0] = greatest(sums[0], block_residual(of, island->convex, p, P_t, w_n, w_t, form));
  for (int c = 0; c < block_components(form); c++) sums[1] += 0.5 * P[c] * (w[c] + block_constant(row, c, form));
  if (block_has_moments(form)) look_at_moment(row, p, P + block_forces(form), w + block_forces(form), sums, form);
  if (!island->convex && of.friction > 0.0)
    sums[1] += of.friction * (slack > 0.0 ? slack : 0.0) * block_length(w_t, form);
  into->residual[k % FOUR] = sums[0];
  into->energy[k % FOUR] = sums[1];
}

#ifdef HAS_WIDE

WIDE_INLINE void look_in_plane(const look_call *call, int64_t k, __m256d *residual, __m256d *energy)
{
  const block_form form = BLOCK_PLANE;
  const double *row = call->island->row + BLOCK_ROW * k, *impulse = call->impulse + 2 * k;
  const int32_t *body = call->island->body + 2 * k;
  const __m256d zero = _mm256_setzero_pd(), half = _mm256_set1_pd(0.5), n_x = FOUR_ROW(0), n_y = FOUR_ROW(1);
  four_bodies first = load_bodies(call->velocity, body, 4), second = load_bodies(call->velocity, body + 1, 4);
  __m256d p = _mm256_loadu_pd(impulse), P_t = _mm256_loadu_pd(impulse + FOUR);
  __m256d dx = second.x - first.x, dy = second.y - first.y, c_n = FOUR_ROW(10), c_t = FOUR_ROW(11);
  __m256d w_n = c_n + (n_x * dx + n_y * dy) + (second.z * FOUR_ROW(4) - first.z * FOUR_ROW(2));
  __m256d w_t = c_t + (n_x * dy - n_y * dx) + (second.z * FOUR_ROW(5) - first.z * FOUR_ROW(3));
  __m256d inverse_t = FOUR_LAST(1), friction = FOUR_LAST(2), slack = p - FOUR_LAST(3);
  __m256d rubs = _mm256_cmp_pd(friction, zero, _CMP_GT_OQ), radius = friction * _mm256_max_pd(slack, zero);
  __m256d moved = _mm256_min_pd(P_t - w_t * inverse_t, radius);
  moved = _mm256_max_pd(moved, negative(radius)) - P_t;
  __m256d across = _mm256_and_pd(rubs, absolute(moved) / inverse_t);
  *residual = greatest_of(*residual, greatest_of(normal_residual(FOUR_LAST(0), slack, w_n), across));
  *energy = *energy + half * p * (w_n + c_n);
  *energy = *energy + half * P_t * (w_t + c_t);
  *energy = *energy + _mm256_and_pd(rubs, radius * absolute(w_t));
}

WIDE_INLINE void look_in_space(const look_call *call, int64_t k, __m256d *residual, __m256d *energy)
{
  const block_form form = BLOCK_ROUND;
  const double *row = call->island->row + BLOCK_ROW * k, *spins = call->velocity + 4;
  const int32_t *body = call->island->body + 2 * k;
  const __m256d zero = _mm256_setzero_pd(), half = _mm256_set1_pd(0.5), one = _mm256_set1_pd(1.0);
  const __m256d arm_1 = FOUR_ROW(3), arm_2 = FOUR_ROW(4);
  const four_vectors n = load_vectors(row), c = load_vectors(row + 9 * FOUR),
                     P = load_vectors(call->impulse + 3 * k);
  four_bodies first = load_bodies(call->velocity, body, 8), second = load_bodies(call->velocity, body + 1, 8);
  four_bodies spin_1 = load_bodies(spins, body, 8), spin_2 = load_bodies(spins, body + 1, 8);
  four_vectors spin = {arm_2 * spin_2.x - arm_1 * spin_1.x, arm_2 * spin_2.y - arm_1 * spin_1.y,
                       arm_2 * spin_2.z - arm_1 * spin_1.z};
  four_vectors turn = cross(spin, n);
  four_vectors w = {c.x + (second.x - first.x) + turn.x, c.y + (second.y - first.y) + turn.y,
                    c.z + (second.z - first.z) + turn.z};
  four_vectors P_t = P, w_t = w;
  __m256d w_n = split(n, &w_t), p = split(n, &P_t);
  __m256d inverse_t = FOUR_LAST(1), friction = FOUR_LAST(2), slack = p - FOUR_LAST(3);
  __m256d rubs = _mm256_cmp_pd(friction, zero, _CMP_GT_OQ), radius = friction * _mm256_max_pd(slack, zero);
  four_vectors next = {P_t.x - w_t.x * inverse_t, P_t.y - w_t.y * inverse_t, P_t.z - w_t.z * inverse_t};
  __m256d square = square_of(next), inside = _mm256_cmp_pd(square, radius * radius, _CMP_LE_OQ);
  __m256d shrunk = _mm256_and_pd(_mm256_cmp_pd(radius, zero, _CMP_GT_OQ), radius / _mm256_sqrt_pd(square));
  __m256d factor = _mm256_blendv_pd(shrunk, one, inside);
  four_vectors moved = {next.x * factor - P_t.x, next.y * factor - P_t.y, next.z * factor - P_t.z};
  __m256d across = _mm256_and_pd(rubs, _mm256_sqrt_pd(square_of(moved)) / inverse_t);
  *residual = greatest_of(*residual, greatest_of(normal_residual(FOUR_LAST(0), slack, w_n), across));
  *energy = *energy + half * P.x * (w.x + c.x);
  *energy = *energy + half * P.y * (w.y + c.y);
  *energy = *energy + half * P.z * (w.z + c.z);
  *energy = *energy + _mm256_and_pd(rubs, radius * _mm256_sqrt_pd(square_of(w_t)));
}

__attribute__((target("avx2"))) static void look_at_fours(const look_call *call, int64_t begin, int64_t end,
                                                          look_lanes *into)
{
  __m256d residual = _mm256_setzero_pd(), energy = _mm256_setzero_pd();
  if (call->island->form == BLOCK_PLANE)
    for (int64_t k = begin; k < end; k += FOUR) look_in_plane(call, k, &residual, &energy);
  else
    for (int64_t k = begin; k < end; k += FOUR) look_in_space(call, k, &residual, &energy);
  _mm256_storeu_pd(into->residual, residual);
  _mm256_storeu_pd(into->energy, energy);
}

#endif

/* Looked at by fours? Places up to the next four are there, with nothing in them. */
static bool goes_by_fours(const block_island *island)
{
  return processor_is_wide() && !island->convex && (island->form == BLOCK_PLANE || island->form == BLOCK_ROUND);
}

BLOCK_INLINE void look_at_contacts(const look_call *call, int64_t begin, int64_t end, look_lanes *into,
                                   block_form form)
{
  for (int64_t k = begin; k < end; k++) look_at_contact(call, k, into, form);
}

static void look_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const look_call *call = context;
  look_lanes sums = {{0.0}, {0.0}};
  if (goes_by_fours(call->island)) {
#ifdef HAS_WIDE
    look_at_fours(call, begin, end, &sums);
#endif
  } else {
#define LOOK(form) look_at_contacts(call, begin, end, &sums, form)
    BLOCK_DISPATCH(call->island->form, LOOK)
#undef LOOK
  }
  double *part = call->part + 2 * block, worst = 0.0;
  for (int lane = 0; lane < FOUR; lane++) worst = greatest(worst, sums.residual[lane]);
  part[0] = worst;
  part[1] = (sums.energy[0] + sums.energy[1]) + (sums.energy[2] + sums.energy[3]);
}

block_measure block_look(const environment *env, const block_island *island, const double *impulse,
                         const double *velocity, double *part)
{
  look_call call = {island, impulse, velocity, part};
  block_measure sum = {0.0, 0.0};
  block_for_colours(env, island, look_range, &call);
  for (int64_t k = 0; k < block_part_count(island); k++) sum.residual = greatest(sum.residual, part[2 * k]);
  sum.energy = block_sum_parts(island, part + 1, 2);
  sum.residual *= island->time_step;
  return sum;
}
