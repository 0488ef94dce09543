/*
 * Four particles side by side, for AVX2: what lies row by row in memory (particle_state, particle_push) is turned
 * into columns in registers, and back. Loads and stores of whole rows cost a third of those number by number. No
 * arithmetic but the final sum is done here, so the bits are those of the form for one particle.
 */
#ifndef FLOC_LAWS_PARTICLE_ROWS_H
#define FLOC_LAWS_PARTICLE_ROWS_H

#include "base/numbers/wide.h"
#include "laws/laws.h"

/* Adding and taking away this number rounds to an integer, in one operation each. */
static const double ROUNDER = 6755399441055744.0;

/* Of periodic images along an axis; length and inverse are 0 where it is not periodic. No branch, and any number of
 * periods: particles may be a little outside of the box. */
static inline double nearest_image(double way, double length, double inverse)
{
  return way - length * ((way * inverse + ROUNDER) - ROUNDER);
}

#ifdef HAS_WIDE

/* Four rows become four columns, or back. */
WIDE void turn_rows(__m256d *a, __m256d *b, __m256d *c, __m256d *d)
{
  __m256d ab_low = _mm256_unpacklo_pd(*a, *b), ab_high = _mm256_unpackhi_pd(*a, *b);
  __m256d cd_low = _mm256_unpacklo_pd(*c, *d), cd_high = _mm256_unpackhi_pd(*c, *d);
  *a = _mm256_permute2f128_pd(ab_low, cd_low, 0x20);
  *b = _mm256_permute2f128_pd(ab_high, cd_high, 0x20);
  *c = _mm256_permute2f128_pd(ab_low, cd_low, 0x31);
  *d = _mm256_permute2f128_pd(ab_high, cd_high, 0x31);
}

/* Of four pairs: the way from the first to the second particle, its square, sum and difference (first - second) of
 * the radii. */
typedef struct wide_ways {
  __m256d x, y, z, square, sum, difference;
} wide_ways;

/* All but the square. Position and radius are adjacent, so the fourth column is that of the radii. */
WIDE wide_ways load_ways(const particle_state *at, const int32_t first[4], const int32_t second[4])
{
  __m256d way[4], both[4];
  for (int n = 0; n < 4; n++) {
    __m256d a = _mm256_loadu_pd(at[first[n]].position), b = _mm256_loadu_pd(at[second[n]].position);
    way[n] = b - a;
    both[n] = a + b;
  }
  turn_rows(&way[0], &way[1], &way[2], &way[3]);
  __m256d low = _mm256_unpackhi_pd(both[0], both[1]), high = _mm256_unpackhi_pd(both[2], both[3]);
  return (wide_ways){
      .x = way[0], .y = way[1], .z = way[2], .sum = _mm256_permute2f128_pd(low, high, 0x31), .difference = -way[3]};
}

/* nearest_image() */
WIDE void take_shortest(wide_ways *four, const double length[3], const double inverse[3])
{
  const __m256d rounder = _mm256_set1_pd(ROUNDER);
  __m256d *const way[3] = {&four->x, &four->y, &four->z};
  for (int axis = 0; axis < 3; axis++) {
    __m256d whole = (*way[axis] * _mm256_set1_pd(inverse[axis]) + rounder) - rounder;
    *way[axis] = *way[axis] - _mm256_set1_pd(length[axis]) * whole;
  }
}

WIDE void square_ways(wide_ways *four)
{
  four->square = four->x * four->x + four->y * four->y + four->z * four->z;
}

/* Velocity and spin of four particles, column by column. */
typedef struct wide_motion {
  __m256d vx, vy, vz, wx, wy, wz;
} wide_motion;

WIDE wide_motion load_motion(const particle_state *at, const int32_t number[4])
{
  wide_motion m;
  const particle_state *a = &at[number[0]], *b = &at[number[1]], *c = &at[number[2]], *d = &at[number[3]];
  m.vx = _mm256_loadu_pd(a->velocity), m.vy = _mm256_loadu_pd(b->velocity); /* velocity and spin are adjacent */
  m.vz = _mm256_loadu_pd(c->velocity), m.wx = _mm256_loadu_pd(d->velocity);
  turn_rows(&m.vx, &m.vy, &m.vz, &m.wx);
  __m256d ac = _mm256_set_m128d(_mm_loadu_pd(&c->spin[1]), _mm_loadu_pd(&a->spin[1]));
  __m256d bd = _mm256_set_m128d(_mm_loadu_pd(&d->spin[1]), _mm_loadu_pd(&b->spin[1]));
  m.wy = _mm256_unpacklo_pd(ac, bd);
  m.wz = _mm256_unpackhi_pd(ac, bd);
  return m;
}

typedef struct wide_velocity {
  __m256d x, y, z;
} wide_velocity;

WIDE wide_velocity load_velocity(const particle_state *at, const int32_t number[4])
{
  __m256d a = _mm256_loadu_pd(at[number[0]].velocity), b = _mm256_loadu_pd(at[number[1]].velocity);
  __m256d c = _mm256_loadu_pd(at[number[2]].velocity), d = _mm256_loadu_pd(at[number[3]].velocity);
  turn_rows(&a, &b, &c, &d);
  return (wide_velocity){a, b, c};
}

/* A force alone: the row's last number is not used, and torques stay as they are. */
WIDE void add_force(particle_push *to, __m256d row)
{
  __m256d before = _mm256_loadu_pd(to->force);
  _mm256_storeu_pd(to->force, _mm256_blend_pd(before + row, before, 8));
}

/* Force and torque on four particles as rows: force and first component of the torque, the rest of the torque. */
typedef struct wide_rows {
  __m256d head[4];
  __m128d tail[4];
} wide_rows;

WIDE wide_rows make_rows(__m256d fx, __m256d fy, __m256d fz, __m256d tx, __m256d ty, __m256d tz)
{
  wide_rows rows = {{fx, fy, fz, tx}, {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
  turn_rows(&rows.head[0], &rows.head[1], &rows.head[2], &rows.head[3]);
  __m256d low = _mm256_unpacklo_pd(ty, tz), high = _mm256_unpackhi_pd(ty, tz);
  rows.tail[0] = _mm256_castpd256_pd128(low), rows.tail[1] = _mm256_castpd256_pd128(high);
  rows.tail[2] = _mm256_extractf128_pd(low, 1), rows.tail[3] = _mm256_extractf128_pd(high, 1);
  return rows;
}

WIDE void add_row(particle_push *to, const wide_rows *rows, int k, bool turns)
{
  _mm256_storeu_pd(to->force, _mm256_loadu_pd(to->force) + rows->head[k]);
  if (turns) _mm_storeu_pd(&to->torque[1], _mm_loadu_pd(&to->torque[1]) + rows->tail[k]);
}

#endif
#endif
