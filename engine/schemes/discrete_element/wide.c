/*
 * The fast pair loop, four entries or contacts side by side, for AVX2. What particles have is turned from rows to
 * columns in registers, and back (laws/pairs/particle_rows.h). The operations are those of
 * discrete_element/plain.c, in the same order: the same bits.
 *
 * Sifting collects what touches without a branch: of four entries all are stored, those that touch first, and the
 * count continues by as many as touch.
 */
#include "schemes/discrete_element/plain.h"

#include <string.h>

#ifdef HAS_WIDE

/* By pattern: a byte of 1 for each entry that touches. */
static const uint32_t TOUCH_BYTES[16] = {
    0x00000000, 0x00000001, 0x00000100, 0x00000101, 0x00010000, 0x00010001, 0x00010100, 0x00010101,
    0x01000000, 0x01000001, 0x01000100, 0x01000101, 0x01010000, 0x01010001, 0x01010100, 0x01010101,
};

/* Sifts entry .. entry + 3. The pattern of those that touch. */
WIDE int sift_four(const plain_pass *pass, int64_t entry, const bool periodic, plain_chunk *chunk)
{
  const int32_t *first = &pass->pairs->first[entry], *second = &pass->pairs->second[entry];
  wide_ways four = load_ways(pass->at, first, second);
  if (periodic) take_shortest(&four, pass->length, pass->inverse);
  square_ways(&four);
  int pattern = _mm256_movemask_pd(_mm256_cmp_pd(four.square, four.sum * four.sum, _CMP_LT_OQ));
  int32_t k = chunk->count, number = (int32_t)entry;
  pack_numbers(&chunk->entry[k], _mm_setr_epi32(number, number + 1, number + 2, number + 3), pattern);
  pack_numbers(&chunk->first[k], _mm_loadu_si128((const __m128i *)first), pattern);
  pack_numbers(&chunk->second[k], _mm_loadu_si128((const __m128i *)second), pattern);
  pack_doubles(&chunk->x[k], four.x, pattern);
  pack_doubles(&chunk->y[k], four.y, pattern);
  pack_doubles(&chunk->z[k], four.z, pattern);
  pack_doubles(&chunk->square[k], four.square, pattern);
  pack_doubles(&chunk->sum[k], four.sum, pattern);
  pack_doubles(&chunk->difference[k], four.difference, pattern);
  chunk->count += __builtin_popcount((unsigned)pattern);
  return pattern;
}

/* `touched` after the step, and the springs of those that have just come apart. */
WIDE void note_touch(const plain_pass *pass, int64_t entry, int pattern)
{
  uint32_t before, now = TOUCH_BYTES[pattern];
  memcpy(&before, &pass->touched[entry], sizeof before);
  memcpy(&pass->touched[entry], &now, sizeof now);
  if (!(before & ~now)) return;
  for (int n = 0; n < 4; n++)
    if ((before & ~now) >> 8 * n & 1) clear_spring(pass, entry + n);
}

WIDE int64_t sift_fours(const plain_pass *pass, int64_t from, int64_t to, const bool periodic, const bool stays,
                        plain_chunk *chunk)
{
  for (; from + 4 <= to; from += 4) {
    int pattern = sift_four(pass, from, periodic, chunk);
    if (!stays) note_touch(pass, from, pattern);
  }
  return from;
}

__attribute__((target("avx2"))) int64_t element_sift_wide(const plain_pass *pass, int64_t from, int64_t to,
                                                          bool stays, plain_chunk *chunk)
{
  if (pass->periodic)
    return stays ? sift_fours(pass, from, to, true, true, chunk) : sift_fours(pass, from, to, true, false, chunk);
  return stays ? sift_fours(pass, from, to, false, true, chunk) : sift_fours(pass, from, to, false, false, chunk);
}

/* ---- contacts ---- */

/* What somebody sees of four contacts: across is the tangential force on the first particle, or NULL. */
WIDE void show_four(const plain_pass *pass, const int32_t *entry, int64_t begin, __m256d normal,
                    const __m256d *across, look_block *to)
{
  int32_t row[4];
  for (int n = 0; n < 4; n++) row[n] = (int32_t)(entry[n] - begin);
  scatter_four(normal, row, to->normal);
  for (int32_t axis = 0; axis < pass->axes && across; axis++)
    scatter_four(-across[axis], row, to->tangential[axis]);
}

/* The same operations as elastic_part(). */
WIDE __m256d elastic_four(const plain_pass *pass, const plain_chunk *chunk, int32_t k, __m256d overlap,
                          __m256d *weight)
{
  *weight = _mm256_set1_pd(1.0);
  if (!pass->hertz) return _mm256_set1_pd(pass->stiffness) * overlap;
  __m256d sum = _mm256_loadu_pd(&chunk->sum[k]), difference = _mm256_loadu_pd(&chunk->difference[k]);
  __m256d reduced = _mm256_set1_pd(0.25) * (sum + difference) * (sum - difference) / sum * overlap;
  *weight = _mm256_set1_pd(ELEMENT_PI) * reduced;
  return _mm256_set1_pd(pass->stiffness) * _mm256_sqrt_pd(reduced) * overlap;
}

/* Contacts k .. k + 3; the same operations as contact_force(). look: they are only shown there, and `end` is the
 * entry that its rows begin with. */
WIDE void settle_four(const plain_pass *pass, const plain_chunk *chunk, int32_t k, int64_t end, const bool own,
                      look_block *look)
{
  const int32_t *first = &chunk->first[k], *second = &chunk->second[k], *entry = &chunk->entry[k];
  const __m256d zero = _mm256_setzero_pd(), half = _mm256_set1_pd(0.5), step = _mm256_set1_pd(pass->step);
  __m256d square = _mm256_loadu_pd(&chunk->square[k]), tiny = _mm256_set1_pd(1e-300);
  square = _mm256_blendv_pd(tiny, square, _mm256_cmp_pd(square, zero, _CMP_GT_OQ));
  __m256d distance = _mm256_sqrt_pd(square), inverse = _mm256_set1_pd(1.0) / distance;
  __m256d nx = _mm256_loadu_pd(&chunk->x[k]) * inverse, ny = _mm256_loadu_pd(&chunk->y[k]) * inverse;
  __m256d nz = _mm256_loadu_pd(&chunk->z[k]) * inverse;
  __m256d sum = _mm256_loadu_pd(&chunk->sum[k]), difference = _mm256_loadu_pd(&chunk->difference[k]);
  __m256d arm_a = half * (distance + difference * sum * inverse), arm_b = distance - arm_a;
  wide_motion a = load_motion(pass->at, first), b = load_motion(pass->at, second);
  __m256d vx = b.vx - a.vx, vy = b.vy - a.vy, vz = b.vz - a.vz;
  __m256d along = vx * nx + vy * ny + vz * nz;
  __m256d wx = arm_a * a.wx + arm_b * b.wx, wy = arm_a * a.wy + arm_b * b.wy, wz = arm_a * a.wz + arm_b * b.wz;
  __m256d ux = vx - (wy * nz - wz * ny) - along * nx, uy = vy - (wz * nx - wx * nz) - along * ny;
  __m256d uz = vz - (wx * ny - wy * nx) - along * nz;
  __m256d sx = gather_four(pass->spring[0], entry) + step * ux,
          sy = gather_four(pass->spring[1], entry) + step * uy;
  __m256d sz = (pass->axes == 3 ? gather_four(pass->spring[2], entry) : zero) + step * uz;
  __m256d out_of_plane = sx * nx + sy * ny + sz * nz;
  sx -= out_of_plane * nx, sy -= out_of_plane * ny, sz -= out_of_plane * nz;
  __m256d weight, elastic = elastic_four(pass, chunk, k, sum - distance, &weight);
  __m256d kt = _mm256_set1_pd(pass->tangential_stiffness) * weight;
  __m256d ct = _mm256_set1_pd(pass->tangential_damping) * weight;
  __m256d tx = kt * sx + ct * ux, ty = kt * sy + ct * uy, tz = kt * sz + ct * uz;
  __m256d normal = elastic - _mm256_set1_pd(pass->damping) * weight * along;
  __m256d pressing = _mm256_max_pd(normal, zero), limit = _mm256_set1_pd(pass->friction) * pressing;
  __m256d pull = tx * tx + ty * ty + tz * tz;
  __m256d slips = _mm256_cmp_pd(pull, limit * limit, _CMP_GT_OQ);
  if (_mm256_movemask_pd(slips)) {
    __m256d factor = limit / _mm256_sqrt_pd(pull);
    __m256d give = _mm256_and_pd(_mm256_set1_pd(1.0) / kt, _mm256_cmp_pd(kt, zero, _CMP_GT_OQ));
    tx = _mm256_blendv_pd(tx, tx * factor, slips);
    ty = _mm256_blendv_pd(ty, ty * factor, slips);
    tz = _mm256_blendv_pd(tz, tz * factor, slips);
    sx = _mm256_blendv_pd(sx, (tx - ct * ux) * give, slips);
    sy = _mm256_blendv_pd(sy, (ty - ct * uy) * give, slips);
    sz = _mm256_blendv_pd(sz, (tz - ct * uz) * give, slips);
  }
  if (look) {
    const __m256d across[3] = {tx, ty, tz};
    show_four(pass, entry, end, normal, across, look);
    return;
  }
  __m256d fx = tx - normal * nx, fy = ty - normal * ny, fz = tz - normal * nz;
  __m256d rx = ny * tz - nz * ty, ry = nz * tx - nx * tz, rz = nx * ty - ny * tx;
  wide_rows to_second = make_rows(zero - fx, zero - fy, zero - fz, arm_b * rx, arm_b * ry, arm_b * rz);
  if (own) {
    scatter_four(sx, entry, pass->spring[0]);
    scatter_four(sy, entry, pass->spring[1]);
    if (pass->axes == 3) scatter_four(sz, entry, pass->spring[2]);
    wide_rows to_first = make_rows(fx, fy, fz, arm_a * rx, arm_a * ry, arm_a * rz);
    for (int n = 0; n < 4; n++) {
      add_row(&pass->pushes[first[n]], &to_first, n, true);
      if (second[n] < end) add_row(&pass->pushes[second[n]], &to_second, n, true);
    }
  } else {
    for (int n = 0; n < 4; n++) add_row(&pass->pushes[second[n]], &to_second, n, true);
  }
}

/* The same operations as slick_force(); look as above. */
WIDE void settle_slick_four(const plain_pass *pass, const plain_chunk *chunk, int32_t k, int64_t end,
                            const bool own, look_block *look)
{
  const int32_t *first = &chunk->first[k], *second = &chunk->second[k];
  __m256d square = _mm256_loadu_pd(&chunk->square[k]), tiny = _mm256_set1_pd(1e-300);
  square = _mm256_blendv_pd(tiny, square, _mm256_cmp_pd(square, _mm256_setzero_pd(), _CMP_GT_OQ));
  __m256d distance = _mm256_sqrt_pd(square), inverse = _mm256_set1_pd(1.0) / distance;
  __m256d nx = _mm256_loadu_pd(&chunk->x[k]) * inverse, ny = _mm256_loadu_pd(&chunk->y[k]) * inverse;
  __m256d nz = _mm256_loadu_pd(&chunk->z[k]) * inverse;
  wide_velocity a = load_velocity(pass->at, first), b = load_velocity(pass->at, second);
  __m256d along = (b.x - a.x) * nx + (b.y - a.y) * ny + (b.z - a.z) * nz;
  __m256d weight, elastic = elastic_four(pass, chunk, k, _mm256_loadu_pd(&chunk->sum[k]) - distance, &weight);
  __m256d normal = elastic - _mm256_set1_pd(pass->damping) * weight * along;
  if (look) {
    show_four(pass, &chunk->entry[k], end, normal, NULL, look);
    return;
  }
  __m256d row[4] = {normal * nx, normal * ny, normal * nz, _mm256_setzero_pd()};
  turn_rows(&row[0], &row[1], &row[2], &row[3]);
  for (int n = 0; n < 4; n++) {
    if (own) add_force(&pass->pushes[first[n]], -row[n]);
    if (!own || second[n] < end) add_force(&pass->pushes[second[n]], row[n]);
  }
}

/* Most contacts are far below the greatest overlap; those that may be above it are looked at one by one. */
WIDE void note_overlaps(const plain_pass *pass, const plain_chunk *chunk, int32_t k, double *greatest)
{
  const __m256d sign = _mm256_set1_pd(-0.0), nearly_half = _mm256_set1_pd(0.5 * (1.0 - 1e-9));
  __m256d sum = _mm256_loadu_pd(&chunk->sum[k]), difference = _mm256_loadu_pd(&chunk->difference[k]);
  __m256d radius = nearly_half * (sum - _mm256_andnot_pd(sign, difference)); /* the smaller one, or a little less */
  __m256d allowed = sum - _mm256_set1_pd(*greatest) * radius;
  __m256d above = _mm256_cmp_pd(_mm256_loadu_pd(&chunk->square[k]), allowed * allowed, _CMP_LT_OQ);
  __m256d deep = _mm256_cmp_pd(allowed, _mm256_setzero_pd(), _CMP_LE_OQ);
  if (!_mm256_movemask_pd(_mm256_or_pd(above, deep))) return;
  for (int n = 0; n < 4; n++) note_overlap(pass, chunk, k + n, greatest);
}

/* All contacts of the chunk that make fours; the first that was not looked at. greatest: of what is own. */
WIDE int32_t settle_fours(const plain_pass *pass, const plain_chunk *chunk, int64_t end, const bool own,
                          double *greatest, look_block *look)
{
  int32_t k = 0;
  for (; k + 4 <= chunk->count; k += 4) {
    if (pass->slick)
      settle_slick_four(pass, chunk, k, end, own, look);
    else
      settle_four(pass, chunk, k, end, own, look);
    if (own) note_overlaps(pass, chunk, k, greatest);
  }
  return k;
}

__attribute__((target("avx2"))) int32_t element_settle_wide(const plain_pass *pass, const plain_chunk *chunk,
                                                            int64_t end, double *greatest)
{
  return settle_fours(pass, chunk, end, true, greatest, NULL);
}

__attribute__((target("avx2"))) int32_t element_settle_foreign_wide(const plain_pass *pass,
                                                                    const plain_chunk *chunk)
{
  return settle_fours(pass, chunk, 0, false, NULL, NULL);
}

__attribute__((target("avx2"))) int32_t element_look_wide(const plain_pass *pass, const plain_chunk *chunk,
                                                          int64_t begin, look_block *to)
{
  return settle_fours(pass, chunk, begin, false, NULL, to);
}

#else

int64_t element_sift_wide(const plain_pass *pass, int64_t from, int64_t to, bool stays, plain_chunk *chunk)
{
  (void)pass, (void)to, (void)stays, (void)chunk;
  return from;
}

int32_t element_settle_wide(const plain_pass *pass, const plain_chunk *chunk, int64_t end, double *greatest)
{
  (void)pass, (void)chunk, (void)end, (void)greatest;
  return 0;
}

int32_t element_settle_foreign_wide(const plain_pass *pass, const plain_chunk *chunk)
{
  (void)pass, (void)chunk;
  return 0;
}

int32_t element_look_wide(const plain_pass *pass, const plain_chunk *chunk, int64_t begin, look_block *to)
{
  (void)pass, (void)chunk, (void)begin, (void)to;
  return 0;
}

#endif
