/*
 * The projected gradient on rows of one number, the impulse p along n, four contacts side by side, where the
 * processor has AVX2: what block_gradient.c does one by one, the same operations in the same order, so that both
 * have the same bits.
 *
 *   next = max(lo, y - step g(y)/A_n),   w = c + n.(u_2 - u_1),   u_1 -= p n/m_1, u_2 += p n/m_2
 *
 * Bodies are gone through one by one, because four contacts may share some.
 *
 * Memory: block_system.h, the normal form. A column of vectors is a plain column here.
 */
#include "contacts/blocks/block_fours.h"
#include "contacts/blocks/block_gradient.h"

#ifdef HAS_WIDE

enum { N_X, N_Y, N_Z, INVERSE_MASS_1, INVERSE_MASS_2, CONSTANT, INVERSE_NORMAL, LOWER = 9, STRIDE = 4 };

/* The extrapolated values of a column. Plain: there is no momentum. */
WIDE_INLINE __m256d extrapolate(const double *now, const double *before, double beta, bool plain)
{
  __m256d value = _mm256_loadu_pd(now);
  if (!plain) value = value + _mm256_set1_pd(beta) * (value - _mm256_loadu_pd(before));
  return value;
}

/* ---- a step ---- */

/* The impulses of four contacts. */
WIDE_INLINE __m256d move_four(const gradient_state *state, int64_t k, const double *row, bool plain)
{
  __m256d slope = extrapolate(state->g + k, state->old_g + k, state->beta, plain);
  if (!plain) slope = slope * FOUR_ROW(INVERSE_NORMAL);
  __m256d p = extrapolate(state->q + k, state->old_q + k, state->beta, plain) - _mm256_set1_pd(state->step) * slope;
  p = _mm256_max_pd(p, FOUR_ROW(LOWER));
  _mm256_storeu_pd(state->next_q + k, p);
  return p;
}

WIDE_INLINE void apply_to(double *u1, double *u2, double first, double second, __m256d n)
{
  _mm256_storeu_pd(u1, _mm256_loadu_pd(u1) - _mm256_set1_pd(first) * n);
  _mm256_storeu_pd(u2, _mm256_loadu_pd(u2) + _mm256_set1_pd(second) * n);
}

WIDE_INLINE void step_fours(const gradient_state *state, int64_t begin, int64_t end, bool plain)
{
  double *velocity = state->island->velocity, first[FOUR], second[FOUR];
  for (int64_t k = begin; k < end; k += FOUR) {
    const double *row = state->island->row + BLOCK_ROW_NORMAL * k;
    const int32_t *body = state->island->body + 2 * k;
    const __m256d p = move_four(state, k, row, plain);
    _mm256_storeu_pd(first, FOUR_ROW(INVERSE_MASS_1) * p);
    _mm256_storeu_pd(second, FOUR_ROW(INVERSE_MASS_2) * p);
    const four_bodies n = transpose(FOUR_ROW(N_X), FOUR_ROW(N_Y), FOUR_ROW(N_Z), _mm256_setzero_pd());
    apply_to(velocity + STRIDE * (int64_t)body[0], velocity + STRIDE * (int64_t)body[1], first[0], second[0], n.x);
    apply_to(velocity + STRIDE * (int64_t)body[2], velocity + STRIDE * (int64_t)body[3], first[1], second[1], n.y);
    apply_to(velocity + STRIDE * (int64_t)body[4], velocity + STRIDE * (int64_t)body[5], first[2], second[2], n.z);
    apply_to(velocity + STRIDE * (int64_t)body[6], velocity + STRIDE * (int64_t)body[7], first[3], second[3], n.w);
  }
}

__attribute__((target("avx2"))) static void step_plain(const gradient_state *state, int64_t begin, int64_t end)
{
  step_fours(state, begin, end, true);
}

__attribute__((target("avx2"))) static void step_scaled(const gradient_state *state, int64_t begin, int64_t end)
{
  step_fours(state, begin, end, false);
}

/* ---- the gradient ---- */

WIDE_INLINE __m256d difference(const double *velocity, const int32_t *body)
{
  return _mm256_loadu_pd(velocity + STRIDE * (int64_t)body[1]) -
         _mm256_loadu_pd(velocity + STRIDE * (int64_t)body[0]);
}

WIDE_INLINE void evaluate_fours(const gradient_state *state, int64_t begin, int64_t end, gradient_sums *into,
                                bool plain)
{
  const double *velocity = state->island->velocity;
  __m256d worst = _mm256_setzero_pd();
  __m256d sums = _mm256_setr_pd(into->sum[0], into->sum[1], into->sum[2], into->energy);
  for (int64_t k = begin; k < end; k += FOUR) {
    const double *row = state->island->row + BLOCK_ROW_NORMAL * k;
    const int32_t *body = state->island->body + 2 * k;
    const __m256d c = FOUR_ROW(CONSTANT), inverse = FOUR_ROW(INVERSE_NORMAL),
                  p = _mm256_loadu_pd(state->next_q + k);
    const four_bodies u = transpose(difference(velocity, body), difference(velocity, body + 2),
                                    difference(velocity, body + 4), difference(velocity, body + 6));
    const __m256d w = c + (FOUR_ROW(N_X) * u.x + FOUR_ROW(N_Y) * u.y + FOUR_ROW(N_Z) * u.z);
    const __m256d d = p - extrapolate(state->q + k, state->old_q + k, state->beta, plain);
    __m256d square = d * d;
    if (!plain) square = square / inverse;
    const __m256d slope = extrapolate(state->g + k, state->old_g + k, state->beta, plain);
    worst = greatest_of(worst, normal_residual(inverse, p - FOUR_ROW(LOWER), w));
    _mm256_storeu_pd(state->next_g + k, w);
    const four_bodies terms = transpose(square, d * (w - slope), slope * (p - _mm256_loadu_pd(state->q + k)),
                                        _mm256_set1_pd(0.5) * p * (w + c));
    sums = sums + terms.x; /* in the order of contacts */
    sums = sums + terms.y;
    sums = sums + terms.z;
    sums = sums + terms.w;
  }
  double of[FOUR];
  _mm256_storeu_pd(of, sums);
  for (int k = 0; k < 3; k++) into->sum[k] = of[k];
  into->energy = of[3];
  _mm256_storeu_pd(of, worst);
  for (int lane = 0; lane < FOUR; lane++) into->outer = greatest(into->outer, of[lane]);
}

__attribute__((target("avx2"))) static void evaluate_plain(const gradient_state *state, int64_t begin, int64_t end,
                                                           gradient_sums *into)
{
  evaluate_fours(state, begin, end, into, true);
}

__attribute__((target("avx2"))) static void evaluate_scaled(const gradient_state *state, int64_t begin, int64_t end,
                                                            gradient_sums *into)
{
  evaluate_fours(state, begin, end, into, false);
}

static int64_t last_four(int64_t begin, int64_t end)
{
  return processor_is_wide() ? begin + (end - begin) / FOUR * FOUR : begin;
}

int64_t gradient_step_normal(const gradient_state *state, int64_t begin, int64_t end)
{
  const int64_t last = last_four(begin, end);
  if (last > begin) (state->plain ? step_plain : step_scaled)(state, begin, last);
  return last;
}

int64_t gradient_evaluate_normal(const gradient_state *state, int64_t begin, int64_t end, gradient_sums *into)
{
  const int64_t last = last_four(begin, end);
  if (last > begin) (state->plain ? evaluate_plain : evaluate_scaled)(state, begin, last, into);
  return last;
}

#else

int64_t gradient_step_normal(const gradient_state *state, int64_t begin, int64_t end)
{
  (void)state, (void)end;
  return begin;
}

int64_t gradient_evaluate_normal(const gradient_state *state, int64_t begin, int64_t end, gradient_sums *into)
{
  (void)state, (void)end, (void)into;
  return begin;
}

#endif
