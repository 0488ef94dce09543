/*
 * Walks through the grid. See walk.h.
 *
 * The steps from cell to cell are those of Amanatides and Woo (1987). The spheres of a packet are met all at
 * once without branches: which of them a ray hits is unpredictable, and a wrong guess costs more than the
 * arithmetic of the whole packet. The perpendicular distance comes first, then the root, which keeps full
 * precision for far and grazing rays.
 *
 * On processors with AVX2 a packet is four lanes of one register; elsewhere the same operations are done one
 * by one. Both give the same bits: every operation is rounded in the same way.
 */
#include "rays/walk.h"

#include "base/numbers/wide.h"

#include <math.h>

/* Which cell, and how far along the ray its far faces are. */
typedef struct cell_walk {
  int64_t cell;
  int64_t stride[3];
  int32_t left[3]; /* steps until the ray leaves the grid */
  double next[3], delta[3];
} cell_walk;

/* What a walk has found: one candidate per place in the packets. */
typedef struct nearest_entry {
  double length[PACK_SIZE];
  double pack[PACK_SIZE]; /* number of the packet, -1: none */
} nearest_entry;

/* The signs of the direction are unpredictable as well, so they enter as numbers. */
static void walk_start(const ray_scene *scene, const traveler *ray, double enter, cell_walk *walk)
{
  int64_t stride = 1;
  walk->cell = 0;
  for (int axis = 0; axis < 3; axis++) {
    double x = ray->position[axis], d = ray->direction[axis], inverse = 1.0 / d;
    double place = (x + enter * d - scene->lower[axis]) * scene->inverse_cell[axis];
    int64_t count = scene->cells[axis], up = d > 0.0;
    place = place > 0.0 ? place : 0.0;
    place = place < (double)(count - 1) ? place : (double)(count - 1);
    int64_t cell = (int64_t)place;
    walk->cell += stride * cell;
    walk->stride[axis] = stride * (2 * up - 1);
    walk->left[axis] = (int32_t)(cell + 1 + up * (count - 2 * cell - 1));
    walk->next[axis] = (scene->lower[axis] + (double)(cell + up) * scene->cell[axis] - x) * inverse;
    walk->delta[axis] = scene->cell[axis] * fabs(inverse);
    if (d == 0.0) walk->next[axis] = walk->delta[axis] = INFINITY;
    stride *= count;
  }
}

/* Through which face the ray leaves its cell. */
static inline int walk_axis(const cell_walk *walk)
{
  int axis = walk->next[0] < walk->next[1] ? 0 : 1;
  return walk->next[2] < walk->next[axis] ? 2 : axis;
}

/* Continues to the next cell unless what was found lies before its face; false at the end. */
static inline bool walk_step(cell_walk *walk, int axis, double found)
{
  if (found <= walk->next[axis] || --walk->left[axis] == 0) return false;
  walk->cell += walk->stride[axis];
  walk->next[axis] += walk->delta[axis];
  return true;
}

static inline double lesser(double a, double b)
{
  return a < b ? a : b;
}

/* Lengths at which the ray enters the spheres of a packet. Spheres behind it do not count, nor do entries
 * shorter than `least`. */
static void meet_pack(const sphere_pack *pack, double number, const traveler *ray, double least,
                      nearest_entry *nearest)
{
  const double *o = ray->position, *d = ray->direction;
  for (int k = 0; k < PACK_SIZE; k++) {
    double x = pack->x[k] - o[0], y = pack->y[k] - o[1], z = pack->z[k] - o[2];
    double along = x * d[0] + y * d[1] + z * d[2];
    double ax = x - along * d[0], ay = y - along * d[1], az = z - along * d[2];
    double discriminant = pack->radius_squared[k] - (ax * ax + ay * ay + az * az);
    if (!(discriminant >= 0.0 && along > 0.0)) continue;
    double length = along - sqrt(discriminant);
    if (length >= least && length < nearest->length[k]) {
      nearest->length[k] = length;
      nearest->pack[k] = number;
    }
  }
}

static void walk_plain(const ray_scene *scene, const traveler *ray, cell_walk *walk, double least, int32_t excluded,
                       nearest_entry *nearest)
{
  double found;
  int axis;
  do {
    axis = walk_axis(walk);
    for (int32_t k = scene->start[walk->cell]; k < scene->start[walk->cell + 1]; k++) {
      sphere_pack pack = scene->pack[k];
      for (int place = 0; place < PACK_SIZE; place++)
        if (scene->number[PACK_SIZE * (int64_t)k + place] == excluded) pack.radius_squared[place] = -1.0;
      meet_pack(&pack, k, ray, least, nearest);
    }
    const double *length = nearest->length;
    found = lesser(lesser(length[0], length[1]), lesser(length[2], length[3]));
  } while (walk_step(walk, axis, found));
}

#ifdef HAS_WIDE
/* The packets of the cell behind the ray's next face are asked for while those of this one are met: in large scenes
 * they are far away in memory. */
static inline void walk_look_ahead(const ray_scene *scene, const cell_walk *walk, int axis)
{
  if (walk->left[axis] <= 1) return;
  const char *pack = (const char *)&scene->pack[scene->start[walk->cell + walk->stride[axis]]];
  __builtin_prefetch(pack);
  __builtin_prefetch(pack + 64);
}

__attribute__((target("avx2"))) static void walk_wide(const ray_scene *scene, const traveler *ray, cell_walk *walk,
                                                      double least, nearest_entry *nearest)
{
  const __m256d ox = _mm256_set1_pd(ray->position[0]), dx = _mm256_set1_pd(ray->direction[0]);
  const __m256d oy = _mm256_set1_pd(ray->position[1]), dy = _mm256_set1_pd(ray->direction[1]);
  const __m256d oz = _mm256_set1_pd(ray->position[2]), dz = _mm256_set1_pd(ray->direction[2]);
  const __m256d zero = _mm256_setzero_pd(), shortest = _mm256_set1_pd(least);
  __m256d best = _mm256_loadu_pd(nearest->length), where = _mm256_loadu_pd(nearest->pack);
  __m128d half;
  int axis;
  do {
    axis = walk_axis(walk);
    walk_look_ahead(scene, walk, axis);
    for (int32_t k = scene->start[walk->cell]; k < scene->start[walk->cell + 1]; k++) {
      const sphere_pack *pack = &scene->pack[k];
      __m256d x = _mm256_loadu_pd(pack->x) - ox, y = _mm256_loadu_pd(pack->y) - oy,
              z = _mm256_loadu_pd(pack->z) - oz;
      __m256d along = x * dx + y * dy + z * dz;
      __m256d ax = x - along * dx, ay = y - along * dy, az = z - along * dz;
      __m256d discriminant = _mm256_loadu_pd(pack->radius_squared) - (ax * ax + ay * ay + az * az);
      /* the root of a negative number is NaN, and no comparison with it is true */
      __m256d length = along - _mm256_sqrt_pd(discriminant);
      __m256d counts =
          _mm256_and_pd(_mm256_cmp_pd(along, zero, _CMP_GT_OQ), _mm256_cmp_pd(length, shortest, _CMP_GE_OQ));
      __m256d nearer = _mm256_and_pd(counts, _mm256_cmp_pd(length, best, _CMP_LT_OQ));
      best = _mm256_blendv_pd(best, length, nearer);
      where = _mm256_blendv_pd(where, _mm256_set1_pd((double)k), nearer);
    }
    half = _mm_min_pd(_mm256_castpd256_pd128(best), _mm256_extractf128_pd(best, 1));
    half = _mm_min_sd(half, _mm_unpackhi_pd(half, half));
  } while (walk_step(walk, axis, _mm_cvtsd_f64(half)));
  _mm256_storeu_pd(nearest->length, best);
  _mm256_storeu_pd(nearest->pack, where);
}
#endif

/* One walk; the wide form knows no excluded sphere. */
static void walk_once(const ray_scene *scene, const traveler *ray, double enter, double limit, int32_t excluded,
                      nearest_entry *nearest)
{
  cell_walk walk;
  double least = ray->emerging ? 0.0 : -INFINITY;
  walk_start(scene, ray, enter, &walk);
  for (int k = 0; k < PACK_SIZE; k++) {
    nearest->length[k] = limit;
    nearest->pack[k] = -1.0;
  }
#ifdef HAS_WIDE
  if (excluded < 0 && !scene->plain_walk && processor_is_wide()) {
    walk_wide(scene, ray, &walk, least, nearest);
    return;
  }
#endif
  walk_plain(scene, ray, &walk, least, excluded, nearest);
}

/* Instance of the nearest candidate; -1 if there is none. */
static int32_t pick_nearest(const ray_scene *scene, const nearest_entry *nearest, double *length)
{
  const double *candidate = nearest->length;
  int low = candidate[1] < candidate[0], high = 2 + (candidate[3] < candidate[2]);
  int best = candidate[high] < candidate[low] ? high : low;
  *length = candidate[best];
  double pack = nearest->pack[best];
  return pack < 0.0 ? -1 : scene->number[PACK_SIZE * (int64_t)pack + best];
}

double walk_to_sphere(const ray_scene *scene, const traveler *ray, double enter, double limit, int32_t excluded,
                      int32_t *found)
{
  nearest_entry nearest;
  double length;
  walk_once(scene, ray, enter, limit, -1, &nearest);
  *found = pick_nearest(scene, &nearest, &length);
  if (*found >= 0 && *found == excluded) {
    /* The sphere that a ray has just left lies behind it; rounding put it in front of this grazing one. */
    walk_once(scene, ray, enter, limit, excluded, &nearest);
    *found = pick_nearest(scene, &nearest, &length);
  }
  return length;
}
