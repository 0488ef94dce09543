/*
 * The same as law_pair_block.h and the sums of law_pair_kernel.h on processors with AVX2: four pairs side by side,
 * rows of particles turned into columns in registers (particle_rows.h), and everything between the particles and
 * the numbers that a law asks for in one go. Every operation is the one of the plain form, in the same order, so
 * both give the same bits (tests/laws/test_pair_forms.c). In the plane the third components are zeros; what spins
 * and slip are there is another formula, for which the plain form serves.
 *
 * Blocks are filled up to a multiple of four with copies of their first pair; what these give is not used.
 */
#ifndef FLOC_LAWS_LAW_PAIR_WIDE_H
#define FLOC_LAWS_LAW_PAIR_WIDE_H

#include "laws/pairs/law_pair_block.h"
#include "laws/pairs/particle_rows.h"

#ifdef HAS_WIDE

/* Which of four entries' particles are i and j. */
WIDE void wide_order(const pair_source *from, int64_t entry, int32_t i[4], int32_t j[4])
{
  int32_t marks;
  memcpy(&marks, &from->turned[entry], sizeof marks);
  __m128i first = _mm_loadu_si128((const __m128i *)&from->pairs->first[entry]);
  __m128i second = _mm_loadu_si128((const __m128i *)&from->pairs->second[entry]);
  __m128i turned = _mm_cmpgt_epi32(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(marks)), _mm_setzero_si128());
  _mm_storeu_si128((__m128i *)i, _mm_blendv_epi8(first, second, turned));
  _mm_storeu_si128((__m128i *)j, _mm_blendv_epi8(second, first, turned));
}

/* collect_pair() for four pairs, of entries number .. number + 3 */
WIDE void wide_collect_pairs(const pair_source *from, const int32_t i[4], const int32_t j[4], int32_t number,
                             pair_block *pairs)
{
  int32_t k = pairs->count;
  wide_ways four = load_ways(from->state, i, j);
  take_shortest(&four, from->length, from->inverse);
  square_ways(&four);
  __m256d reach = _mm256_set1_pd(from->range) + four.sum;
  int pattern = _mm256_movemask_pd(_mm256_cmp_pd(four.square, reach * reach, _CMP_NGT_UQ));
  pack_numbers(&pairs->i[k], _mm_loadu_si128((const __m128i *)i), pattern);
  pack_numbers(&pairs->j[k], _mm_loadu_si128((const __m128i *)j), pattern);
  pack_numbers(&pairs->entry[k], _mm_setr_epi32(number, number + 1, number + 2, number + 3), pattern);
  pack_doubles(&pairs->unit[0][k], four.x, pattern);
  pack_doubles(&pairs->unit[1][k], four.y, pattern);
  pack_doubles(&pairs->unit[2][k], four.z, pattern);
  pack_doubles(&pairs->distance[k], four.square, pattern);
  pack_doubles(&pairs->sum[k], four.sum, pattern);
  pack_doubles(&pairs->difference[k], four.difference, pattern);
  pairs->count += __builtin_popcount((unsigned)pattern);
}

/* collect_one() for entry .. entry + 3 */
WIDE void wide_collect_four(const pair_source *from, int64_t entry, pair_block *pairs)
{
  int32_t i[4], j[4];
  wide_order(from, entry, i, j);
  wide_collect_pairs(from, i, j, (int32_t)entry, pairs);
}

/* collect_pairs() */
WIDE int64_t wide_collect(const pair_source *from, int64_t entry, int64_t end, pair_block *pairs)
{
  pairs->count = 0;
  if (end > entry + LAW_BLOCK) end = entry + LAW_BLOCK;
  for (; entry + 4 <= end; entry += 4) {
    for (int n = 0; n < 4; n++) fetch_ahead(from, entry + n, end);
    wide_collect_four(from, entry, pairs);
  }
  for (; entry < end; entry++) collect_one(from, entry, pairs, 3);
  return entry;
}

WIDE void fill_up(pair_block *pairs)
{
  for (int32_t k = pairs->count; k % 4 != 0; k++) {
    pairs->i[k] = pairs->i[0];
    pairs->j[k] = pairs->j[0];
    pairs->entry[k] = pairs->entry[0];
    pairs->distance[k] = pairs->distance[0];
    pairs->sum[k] = pairs->sum[0];
    pairs->difference[k] = pairs->difference[0];
    for (int axis = 0; axis < 3; axis++) pairs->unit[axis][k] = pairs->unit[axis][0];
  }
}

/* find_velocities(), find_slip() and find_speed() of pairs k .. k + 3 with the normal n, at this distance of the
 * centres. */
WIDE void wide_slip(const pair_source *from, const law *which, pair_block *pairs, int32_t k, const __m256d n[3],
                    __m256d distance)
{
  const __m256d zero = _mm256_setzero_pd(), half = _mm256_set1_pd(0.5);
  wide_motion a = load_motion(from->state, &pairs->i[k]), b = load_motion(from->state, &pairs->j[k]);
  __m256d vx = b.vx - a.vx, vy = b.vy - a.vy, vz = b.vz - a.vz;
  __m256d along = zero + n[0] * vx + n[1] * vy + n[2] * vz;
  _mm256_store_pd(&pairs->normal_velocity[k], along);
  if (!which->needs_slip) return;
  __m256d sum = _mm256_load_pd(&pairs->sum[k]), difference = _mm256_load_pd(&pairs->difference[k]);
  distance = _mm256_blendv_pd(_mm256_set1_pd(1e-100) * sum, distance, _mm256_cmp_pd(distance, zero, _CMP_GT_OQ));
  __m256d arm_a = half * (distance + difference * sum / distance), arm_b = distance - arm_a;
  __m256d tx = arm_a * a.wx + arm_b * b.wx, ty = arm_a * a.wy + arm_b * b.wy, tz = arm_a * a.wz + arm_b * b.wz;
  __m256d ux = vx - (ty * n[2] - tz * n[1]) - along * n[0], uy = vy - (tz * n[0] - tx * n[2]) - along * n[1];
  __m256d uz = vz - (tx * n[1] - ty * n[0]) - along * n[2];
  _mm256_store_pd(&pairs->arm[0][k], arm_a);
  _mm256_store_pd(&pairs->arm[1][k], arm_b);
  _mm256_store_pd(&pairs->slip[0][k], ux);
  _mm256_store_pd(&pairs->slip[1][k], uy);
  _mm256_store_pd(&pairs->slip[2][k], uz);
  if (which->needs_speed)
    _mm256_store_pd(&pairs->tangential_velocity[k], _mm256_sqrt_pd(ux * ux + uy * uy + uz * uz));
}

/* find_geometry() */
WIDE void wide_geometry(const pair_source *from, const law *which, pair_block *pairs, const int dimension)
{
  const __m256d zero = _mm256_setzero_pd(), one = _mm256_set1_pd(1.0);
  fill_up(pairs);
  if (dimension == 2 && which->needs_velocity) {
    find_geometry(from, which, pairs, 2);
    return;
  }
  for (int32_t k = 0; k < pairs->count; k += 4) {
    __m256d x = _mm256_load_pd(&pairs->unit[0][k]), y = _mm256_load_pd(&pairs->unit[1][k]);
    __m256d z = _mm256_load_pd(&pairs->unit[2][k]);
    __m256d distance = _mm256_sqrt_pd(_mm256_load_pd(&pairs->distance[k]));
    __m256d alone = _mm256_andnot_pd(_mm256_cmp_pd(distance, zero, _CMP_GT_OQ), one);
    __m256d inverse = one / (distance + alone);
    const __m256d n[3] = {x * inverse + alone, y * inverse, z * inverse};
    _mm256_store_pd(&pairs->distance[k], distance);
    for (int axis = 0; axis < 3; axis++) _mm256_store_pd(&pairs->unit[axis][k], n[axis]);
    if (which->needs_velocity) wide_slip(from, which, pairs, k, n, distance);
  }
}

/* Numbers of a column by slot or entry, up to the next multiple of four. */
WIDE const double *wide_gather(const double *column, const int32_t *slot, int32_t count, double *values)
{
  for (int32_t k = 0; k < count; k += 4) _mm256_store_pd(&values[k], gather_four(column, &slot[k]));
  return values;
}

WIDE void wide_scatter(const double *values, const int32_t *slot, int32_t count, double *column)
{
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) scatter_four(_mm256_loadu_pd(&values[k]), &slot[k], column);
  for (; k < count; k++) column[slot[k]] = values[k];
}

/* The sum of the particle that consecutive pairs share, in registers: that of the smaller slot, the row of the
 * list. A sum in memory would wait for itself from pair to pair. */
typedef struct held_sum {
  particle_push *at;
  __m256d head;
  __m128d tail;
  int32_t slot;
} held_sum;

WIDE void put_back(const held_sum *held, bool turns)
{
  if (!held->at) return;
  _mm256_storeu_pd(held->at->force, held->head);
  if (turns) _mm_storeu_pd(&held->at->torque[1], held->tail);
}

WIDE void hold(held_sum *held, particle_push *at, int32_t slot, bool turns)
{
  put_back(held, turns);
  held->at = at;
  held->slot = slot;
  held->head = _mm256_loadu_pd(at->force);
  if (turns) held->tail = _mm_loadu_pd(&at->torque[1]);
}

/* exert(): `across` are the components across the line of centres, NULL: there are none; turns: they turn the
 * particles. A torque of -0 changes nothing. */
WIDE void wide_exert(const push_places *to, const pair_block *pairs, const double *normal,
                     const double *const across[3], bool turns)
{
  const __m256d nothing_at_all = _mm256_set1_pd(-0.0);
  __m256d on_i[3], on_j[3], t[3] = {nothing_at_all, nothing_at_all, nothing_at_all};
  held_sum held = {NULL, nothing_at_all, _mm_setzero_pd(), -1};
  for (int axis = 0; axis < 3; axis++) on_i[axis] = on_j[axis] = nothing_at_all;
  for (int32_t k = 0; k < pairs->count; k += 4) {
    __m256d strength = _mm256_loadu_pd(&normal[k]), n[3], f[3], less[3];
    for (int axis = 0; axis < 3; axis++) {
      n[axis] = _mm256_load_pd(&pairs->unit[axis][k]);
      f[axis] = strength * n[axis];
      if (!across) continue;
      t[axis] = _mm256_loadu_pd(&across[axis][k]);
      f[axis] += t[axis];
    }
    if (turns) {
      __m256d arm_i = _mm256_load_pd(&pairs->arm[0][k]), arm_j = _mm256_load_pd(&pairs->arm[1][k]);
      __m256d x = n[2] * t[1] - n[1] * t[2], y = n[0] * t[2] - n[2] * t[0], z = n[1] * t[0] - n[0] * t[1];
      on_i[0] = arm_i * x, on_i[1] = arm_i * y, on_i[2] = arm_i * z;
      on_j[0] = arm_j * x, on_j[1] = arm_j * y, on_j[2] = arm_j * z;
    }
    const __m128i slot_i = _mm_loadu_si128((const __m128i *)&pairs->i[k]);
    const __m128i slot_j = _mm_loadu_si128((const __m128i *)&pairs->j[k]);
    const __m256d turned = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_cmpgt_epi32(slot_i, slot_j)));
    for (int axis = 0; axis < 3; axis++) {
      less[axis] = _mm256_blendv_pd(-f[axis], f[axis], turned);
      f[axis] = _mm256_blendv_pd(f[axis], -f[axis], turned);
      if (!turns) continue;
      __m256d on_first = _mm256_blendv_pd(on_i[axis], on_j[axis], turned);
      on_j[axis] = _mm256_blendv_pd(on_j[axis], on_i[axis], turned);
      on_i[axis] = on_first;
    }
    wide_rows first = make_rows(less[0], less[1], less[2], on_i[0], on_i[1], on_i[2]);
    wide_rows second = make_rows(f[0], f[1], f[2], on_j[0], on_j[1], on_j[2]);
    int32_t slots[2][4], rows = pairs->count - k < 4 ? pairs->count - k : 4;
    _mm_storeu_si128((__m128i *)slots[0], _mm_min_epi32(slot_i, slot_j));
    _mm_storeu_si128((__m128i *)slots[1], _mm_max_epi32(slot_i, slot_j));
    for (int32_t row = 0; row < rows; row++) {
      const int32_t entry = pairs->entry[k + row];
      if (slots[0][row] != held.slot) hold(&held, push_of(to, slots[0][row], entry), slots[0][row], turns);
      held.head += first.head[row];
      if (turns) held.tail += first.tail[row];
      add_row(push_of(to, slots[1][row], entry), &second, row, turns);
    }
  }
  put_back(&held, turns);
}

#else

static inline int64_t wide_collect(const pair_source *from, int64_t entry, int64_t end, pair_block *pairs)
{
  return collect_pairs(from, entry, end, pairs, 3);
}

static inline void wide_geometry(const pair_source *from, const law *which, pair_block *pairs, const int dimension)
{
  find_geometry(from, which, pairs, dimension);
}

static inline const double *wide_gather(const double *column, const int32_t *slot, int32_t count, double *values)
{
  for (int32_t k = 0; k < count; k++) values[k] = column[slot[k]];
  return values;
}

static inline void wide_scatter(const double *values, const int32_t *slot, int32_t count, double *column)
{
  for (int32_t k = 0; k < count; k++) column[slot[k]] = values[k];
}

static inline void wide_exert(const push_places *to, const pair_block *pairs, const double *normal,
                              const double *const across[3], bool turns)
{
  (void)to, (void)pairs, (void)normal, (void)across, (void)turns;
}

#endif
#endif
