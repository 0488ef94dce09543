/*
 * Four contacts side by side, for sweeps, looks and gradients: columns stand in fours already, bodies' velocities
 * are brought into columns by transposing four of them. The same operations in the same order as those of one
 * contact (block_rows.h).
 */
#ifndef FLOC_CONTACTS_SOLVERS_BLOCK_FOURS_H
#define FLOC_CONTACTS_SOLVERS_BLOCK_FOURS_H

#include "base/numbers/wide.h"
#include "contacts/blocks/block_rows.h"

#ifdef HAS_WIDE

/* Numbers of four rows, and the last ones of them (block_bounds). */
#define FOUR_ROW(q)  _mm256_loadu_pd(row + FOUR * (q))
#define FOUR_LAST(q) _mm256_loadu_pd(row + FOUR * (block_row_size(form) - 4 + (q)))

/* Into a loop for 16 registers and one for 32, with the form as a constant. */
#define WIDE_INLINE __attribute__((target("avx2"), always_inline)) static inline

typedef struct four_bodies {
  __m256d x, y, z, w;
} four_bodies;

/* Four rows of four numbers into columns, and back. */
WIDE_INLINE four_bodies transpose(__m256d a, __m256d b, __m256d c, __m256d d)
{
  __m256d ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d);
  __m256d ab_high = _mm256_unpackhi_pd(a, b), cd_high = _mm256_unpackhi_pd(c, d);
  return (four_bodies){_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab_high, cd_high, 0x20),
                       _mm256_permute2f128_pd(ab, cd, 0x31), _mm256_permute2f128_pd(ab_high, cd_high, 0x31)};
}

WIDE_INLINE four_bodies load_bodies(const double *velocity, const int32_t *body, int64_t stride)
{
  return transpose(_mm256_loadu_pd(velocity + stride * body[0]), _mm256_loadu_pd(velocity + stride * body[2]),
                   _mm256_loadu_pd(velocity + stride * body[4]), _mm256_loadu_pd(velocity + stride * body[6]));
}

WIDE_INLINE void store_bodies(four_bodies all, double *velocity, const int32_t *body, int64_t stride)
{
  four_bodies rows = transpose(all.x, all.y, all.z, all.w);
  _mm256_storeu_pd(velocity + stride * body[0], rows.x);
  _mm256_storeu_pd(velocity + stride * body[2], rows.y);
  _mm256_storeu_pd(velocity + stride * body[4], rows.z);
  _mm256_storeu_pd(velocity + stride * body[6], rows.w);
}

WIDE_INLINE __m256d negative(__m256d value)
{
  return _mm256_xor_pd(value, _mm256_set1_pd(-0.0));
}

WIDE_INLINE __m256d absolute(__m256d value)
{
  return _mm256_andnot_pd(_mm256_set1_pd(-0.0), value);
}

typedef struct four_vectors {
  __m256d x, y, z;
} four_vectors;

WIDE_INLINE four_vectors load_vectors(const double *column)
{
  return (four_vectors){_mm256_loadu_pd(column), _mm256_loadu_pd(column + FOUR),
                        _mm256_loadu_pd(column + 2 * FOUR)};
}

WIDE_INLINE four_vectors cross(four_vectors a, four_vectors b)
{
  return (four_vectors){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The part along n; v becomes the rest. */
WIDE_INLINE __m256d split(four_vectors n, four_vectors *v)
{
  __m256d along = n.x * v->x + n.y * v->y + n.z * v->z;
  v->x = v->x - along * n.x;
  v->y = v->y - along * n.y;
  v->z = v->z - along * n.z;
  return along;
}

WIDE_INLINE __m256d square_of(four_vectors v)
{
  return v.x * v.x + v.y * v.y + v.z * v.z;
}

/* greatest() of four */
WIDE_INLINE __m256d greatest_of(__m256d a, __m256d b)
{
  __m256d larger = _mm256_or_pd(_mm256_cmp_pd(b, a, _CMP_GT_OQ), _mm256_cmp_pd(b, b, _CMP_UNORD_Q));
  return _mm256_blendv_pd(a, b, larger);
}

/* What four contacts have along n. */
WIDE_INLINE __m256d normal_residual(__m256d inverse_n, __m256d slack, __m256d w_n)
{
  return absolute(_mm256_min_pd(w_n, slack / inverse_n));
}

#endif
#endif
