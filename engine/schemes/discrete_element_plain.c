/*
 * Pairs under Hooke's spring and dashpot, in space, with accumulated Coulomb friction (of one coefficient) and
 * rotation, or without friction: the common cases of dry grains, and those that must be fast. The forces are those
 * of discrete_element_law.h; here they are written out for these laws alone, and springs are updated in place.
 *
 * First the entries of the list are sifted, in chunks: those that touch are packed together with their
 * separation. Whether a pair of the list touches cannot be foretold, so that loop has no branch. Then the
 * contacts of the chunk are computed one after another.
 *
 * On processors with AVX2 four contacts are computed side by side, and what particles need is turned from rows
 * to columns and back in registers. Every operation is the same and in the same order as in the form for one
 * contact, so both give the same bits.
 *
 * `touched` has one byte per entry: whether its spring may be other than 0. So only pairs that have just
 * come apart need their spring cleared, and memory of pairs that do not touch is not read. `foreign` names
 * the entries whose particles are in two blocks, ordered by the second one. Both are made anew with the list.
 *
 * Pass 1: what foreign entries do to their second particle, by the springs before the step: the sums of these
 * particles begin with it (or, where fields have been put into the sums already, go on with it).
 * Pass 2, block by block while its particles are in the cache: fields, own pairs, which also update springs;
 * then the integrator takes over the block (`finish`).
 */
#include "schemes/discrete_element_model.h"

#include "base/parallel.h"
#include "laws/particle_rows.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 };

/* Constants of a pass. */
typedef struct plain_pass {
  evaluation *run;
  const pair_list *pairs;
  const element *at;
  push *pushes;
  double *spring[3];
  uint8_t *touched;
  const int32_t *foreign;
  const int64_t *foreign_start; /* [blocks + 1] */
  bool has_fields;              /* sums hold the fields from the start */
  double stiffness, damping, tangential_stiffness, tangential_damping, friction;
  double step;
  double length[3], inverse[3];
  bool periodic;
  bool slick; /* no friction: no springs, no torques, `touched` is not looked at */
  bool wide;  /* four contacts side by side */
} plain_pass;

/* Contacts of a chunk, column by column. */
typedef struct plain_chunk {
  int32_t count;
  int32_t entry[CHUNK];
  int32_t first[CHUNK], second[CHUNK];
  double x[CHUNK], y[CHUNK], z[CHUNK], square[CHUNK];
  double sum[CHUNK], difference[CHUNK]; /* of the radii */
} plain_chunk;

/* Adding and taking away this number rounds to a whole number, in one operation each. */
static const double ROUNDER = 6755399441055744.0;

static inline double shortest(double way, double length, double inverse)
{
  return way - length * ((way * inverse + ROUNDER) - ROUNDER);
}

/* Looks at a pair; packs it if it touches. Whether it does. */
static inline bool sift(const plain_pass *pass, int32_t entry, int32_t i, int32_t j, const bool periodic,
                        plain_chunk *chunk)
{
  const element *a = &pass->at[i], *b = &pass->at[j];
  double x = b->position[0] - a->position[0], y = b->position[1] - a->position[1];
  double z = b->position[2] - a->position[2], sum = a->radius + b->radius;
  if (periodic) {
    x = shortest(x, pass->length[0], pass->inverse[0]);
    y = shortest(y, pass->length[1], pass->inverse[1]);
    z = shortest(z, pass->length[2], pass->inverse[2]);
  }
  double square = x * x + y * y + z * z;
  int32_t k = chunk->count;
  chunk->entry[k] = entry;
  chunk->first[k] = i;
  chunk->second[k] = j;
  chunk->x[k] = x;
  chunk->y[k] = y;
  chunk->z[k] = z;
  chunk->square[k] = square;
  chunk->sum[k] = sum;
  chunk->difference[k] = a->radius - b->radius;
  bool touches = square < sum * sum;
  chunk->count += touches;
  return touches;
}

/* The force of contact k on its first particle, and its spring after the step. */
typedef struct plain_force {
  double force[3], turn[3]; /* turn: n x force; times the arm it is the torque */
  double arm_first, arm_second;
  double spring[3];
} plain_force;

static inline void contact_force(const plain_pass *pass, const plain_chunk *chunk, int32_t k, plain_force *out)
{
  const element *a = &pass->at[chunk->first[k]], *b = &pass->at[chunk->second[k]];
  int32_t entry = chunk->entry[k];
  double square = chunk->square[k];
  square = square > 0.0 ? square : 1e-300; /* coincident centres: no direction, no force */
  double distance = sqrt(square), inverse = 1.0 / distance;
  double nx = chunk->x[k] * inverse, ny = chunk->y[k] * inverse, nz = chunk->z[k] * inverse;
  double sum = chunk->sum[k];
  double arm_a = 0.5 * (distance + chunk->difference[k] * sum * inverse), arm_b = distance - arm_a;
  double vx = b->velocity[0] - a->velocity[0], vy = b->velocity[1] - a->velocity[1];
  double vz = b->velocity[2] - a->velocity[2];
  double along = vx * nx + vy * ny + vz * nz;
  double wx = arm_a * a->spin[0] + arm_b * b->spin[0], wy = arm_a * a->spin[1] + arm_b * b->spin[1];
  double wz = arm_a * a->spin[2] + arm_b * b->spin[2];
  double ux = vx - (wy * nz - wz * ny) - along * nx, uy = vy - (wz * nx - wx * nz) - along * ny;
  double uz = vz - (wx * ny - wy * nx) - along * nz;
  double sx = pass->spring[0][entry] + pass->step * ux, sy = pass->spring[1][entry] + pass->step * uy;
  double sz = pass->spring[2][entry] + pass->step * uz;
  double out_of_plane = sx * nx + sy * ny + sz * nz;
  sx -= out_of_plane * nx, sy -= out_of_plane * ny, sz -= out_of_plane * nz;
  double kt = pass->tangential_stiffness, ct = pass->tangential_damping;
  double tx = kt * sx + ct * ux, ty = kt * sy + ct * uy, tz = kt * sz + ct * uz;
  double normal = pass->stiffness * (sum - distance) - pass->damping * along;
  double pressing = normal > 0.0 ? normal : 0.0, limit = pass->friction * pressing;
  double pull = tx * tx + ty * ty + tz * tz;
  if (pull > limit * limit) {
    double factor = limit / sqrt(pull);
    tx *= factor, ty *= factor, tz *= factor;
    double give = kt > 0.0 ? 1.0 / kt : 0.0;
    sx = (tx - ct * ux) * give, sy = (ty - ct * uy) * give, sz = (tz - ct * uz) * give;
  }
  out->spring[0] = sx, out->spring[1] = sy, out->spring[2] = sz;
  out->force[0] = tx - normal * nx, out->force[1] = ty - normal * ny, out->force[2] = tz - normal * nz;
  out->turn[0] = ny * tz - nz * ty, out->turn[1] = nz * tx - nx * tz, out->turn[2] = nx * ty - ny * tx;
  out->arm_first = arm_a;
  out->arm_second = arm_b;
}

static inline void add_to_first(push *to, const plain_force *contact)
{
  for (int k = 0; k < 3; k++) {
    to->force[k] += contact->force[k];
    to->torque[k] += contact->arm_first * contact->turn[k];
  }
}

static inline void add_to_second(push *to, const plain_force *contact)
{
  for (int k = 0; k < 3; k++) {
    to->force[k] -= contact->force[k];
    to->torque[k] += contact->arm_second * contact->turn[k];
  }
}

/* A contact of the block: both particles, if the second is in it too, and the spring. */
static void settle_own_one(const plain_pass *pass, const plain_chunk *chunk, int32_t k, int64_t end)
{
  plain_force contact;
  int32_t entry = chunk->entry[k];
  contact_force(pass, chunk, k, &contact);
  for (int axis = 0; axis < 3; axis++) pass->spring[axis][entry] = contact.spring[axis];
  add_to_first(&pass->pushes[chunk->first[k]], &contact);
  if (chunk->second[k] < end) add_to_second(&pass->pushes[chunk->second[k]], &contact);
}

static void settle_foreign_one(const plain_pass *pass, const plain_chunk *chunk, int32_t k)
{
  plain_force contact;
  contact_force(pass, chunk, k, &contact);
  add_to_second(&pass->pushes[chunk->second[k]], &contact);
}

/* Without friction: the force on the second particle, along the line of centres. */
static inline void slick_force(const plain_pass *pass, const plain_chunk *chunk, int32_t k, double force[3])
{
  const element *a = &pass->at[chunk->first[k]], *b = &pass->at[chunk->second[k]];
  double square = chunk->square[k];
  square = square > 0.0 ? square : 1e-300; /* coincident centres: no direction, no force */
  double distance = sqrt(square), inverse = 1.0 / distance;
  double nx = chunk->x[k] * inverse, ny = chunk->y[k] * inverse, nz = chunk->z[k] * inverse;
  double vx = b->velocity[0] - a->velocity[0], vy = b->velocity[1] - a->velocity[1];
  double vz = b->velocity[2] - a->velocity[2];
  double along = vx * nx + vy * ny + vz * nz;
  double normal = pass->stiffness * (chunk->sum[k] - distance) - pass->damping * along;
  force[0] = normal * nx, force[1] = normal * ny, force[2] = normal * nz;
}

static void settle_slick_one(const plain_pass *pass, const plain_chunk *chunk, int32_t k, int64_t end,
                             const bool own)
{
  double force[3];
  slick_force(pass, chunk, k, force);
  for (int axis = 0; axis < 3; axis++) {
    if (own) pass->pushes[chunk->first[k]].force[axis] -= force[axis];
    if (!own || chunk->second[k] < end) pass->pushes[chunk->second[k]].force[axis] += force[axis];
  }
}

#ifdef HAS_WIDE_ROWS
WIDE __m256d load_springs(const double *spring, const int32_t *entry)
{
  return _mm256_set_pd(spring[entry[3]], spring[entry[2]], spring[entry[1]], spring[entry[0]]);
}

WIDE void store_springs(double *spring, const int32_t *entry, __m256d value)
{
  __m128d low = _mm256_castpd256_pd128(value), high = _mm256_extractf128_pd(value, 1);
  _mm_storel_pd(&spring[entry[0]], low);
  _mm_storeh_pd(&spring[entry[1]], low);
  _mm_storel_pd(&spring[entry[2]], high);
  _mm_storeh_pd(&spring[entry[3]], high);
}

/* Contacts k .. k + 3; the same operations as contact_force(). */
WIDE void settle_four(const plain_pass *pass, const plain_chunk *chunk, int32_t k, int64_t end, const bool own)
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
  __m256d sx = load_springs(pass->spring[0], entry) + step * ux,
          sy = load_springs(pass->spring[1], entry) + step * uy;
  __m256d sz = load_springs(pass->spring[2], entry) + step * uz;
  __m256d out_of_plane = sx * nx + sy * ny + sz * nz;
  sx -= out_of_plane * nx, sy -= out_of_plane * ny, sz -= out_of_plane * nz;
  __m256d kt = _mm256_set1_pd(pass->tangential_stiffness), ct = _mm256_set1_pd(pass->tangential_damping);
  __m256d tx = kt * sx + ct * ux, ty = kt * sy + ct * uy, tz = kt * sz + ct * uz;
  __m256d normal = _mm256_set1_pd(pass->stiffness) * (sum - distance) - _mm256_set1_pd(pass->damping) * along;
  __m256d pressing = _mm256_max_pd(normal, zero), limit = _mm256_set1_pd(pass->friction) * pressing;
  __m256d pull = tx * tx + ty * ty + tz * tz;
  __m256d slips = _mm256_cmp_pd(pull, limit * limit, _CMP_GT_OQ);
  if (_mm256_movemask_pd(slips)) {
    __m256d factor = limit / _mm256_sqrt_pd(pull);
    __m256d give = _mm256_set1_pd(pass->tangential_stiffness > 0.0 ? 1.0 / pass->tangential_stiffness : 0.0);
    tx = _mm256_blendv_pd(tx, tx * factor, slips);
    ty = _mm256_blendv_pd(ty, ty * factor, slips);
    tz = _mm256_blendv_pd(tz, tz * factor, slips);
    sx = _mm256_blendv_pd(sx, (tx - ct * ux) * give, slips);
    sy = _mm256_blendv_pd(sy, (ty - ct * uy) * give, slips);
    sz = _mm256_blendv_pd(sz, (tz - ct * uz) * give, slips);
  }
  __m256d fx = tx - normal * nx, fy = ty - normal * ny, fz = tz - normal * nz;
  __m256d rx = ny * tz - nz * ty, ry = nz * tx - nx * tz, rz = nx * ty - ny * tx;
  wide_rows to_second = make_rows(zero - fx, zero - fy, zero - fz, arm_b * rx, arm_b * ry, arm_b * rz);
  if (own) {
    store_springs(pass->spring[0], entry, sx);
    store_springs(pass->spring[1], entry, sy);
    store_springs(pass->spring[2], entry, sz);
    wide_rows to_first = make_rows(fx, fy, fz, arm_a * rx, arm_a * ry, arm_a * rz);
    for (int n = 0; n < 4; n++) {
      add_row(&pass->pushes[first[n]], &to_first, n);
      if (second[n] < end) add_row(&pass->pushes[second[n]], &to_second, n);
    }
  } else {
    for (int n = 0; n < 4; n++) add_row(&pass->pushes[second[n]], &to_second, n);
  }
}

/* The same operations as slick_force(). */
WIDE void settle_slick_four(const plain_pass *pass, const plain_chunk *chunk, int32_t k, int64_t end,
                            const bool own)
{
  const int32_t *first = &chunk->first[k], *second = &chunk->second[k];
  __m256d square = _mm256_loadu_pd(&chunk->square[k]), tiny = _mm256_set1_pd(1e-300);
  square = _mm256_blendv_pd(tiny, square, _mm256_cmp_pd(square, _mm256_setzero_pd(), _CMP_GT_OQ));
  __m256d distance = _mm256_sqrt_pd(square), inverse = _mm256_set1_pd(1.0) / distance;
  __m256d nx = _mm256_loadu_pd(&chunk->x[k]) * inverse, ny = _mm256_loadu_pd(&chunk->y[k]) * inverse;
  __m256d nz = _mm256_loadu_pd(&chunk->z[k]) * inverse;
  wide_velocity a = load_velocity(pass->at, first), b = load_velocity(pass->at, second);
  __m256d along = (b.x - a.x) * nx + (b.y - a.y) * ny + (b.z - a.z) * nz;
  __m256d overlap = _mm256_loadu_pd(&chunk->sum[k]) - distance;
  __m256d normal = _mm256_set1_pd(pass->stiffness) * overlap - _mm256_set1_pd(pass->damping) * along;
  __m256d row[4] = {normal * nx, normal * ny, normal * nz, _mm256_setzero_pd()};
  turn_rows(&row[0], &row[1], &row[2], &row[3]);
  for (int n = 0; n < 4; n++) {
    if (own) add_force(&pass->pushes[first[n]], -row[n]);
    if (!own || second[n] < end) add_force(&pass->pushes[second[n]], row[n]);
  }
}

__attribute__((target("avx2"))) static int32_t settle_slick_fours(const plain_pass *pass, const plain_chunk *chunk,
                                                                  int64_t end, bool own)
{
  int32_t k = 0;
  if (own)
    for (; k + 4 <= chunk->count; k += 4) settle_slick_four(pass, chunk, k, end, true);
  else
    for (; k + 4 <= chunk->count; k += 4) settle_slick_four(pass, chunk, k, end, false);
  return k;
}

__attribute__((target("avx2"))) static int32_t settle_fours_own(const plain_pass *pass, const plain_chunk *chunk,
                                                                int64_t end)
{
  int32_t k = 0;
  for (; k + 4 <= chunk->count; k += 4) settle_four(pass, chunk, k, end, true);
  return k;
}

__attribute__((target("avx2"))) static int32_t settle_fours_foreign(const plain_pass *pass,
                                                                    const plain_chunk *chunk)
{
  int32_t k = 0;
  for (; k + 4 <= chunk->count; k += 4) settle_four(pass, chunk, k, 0, false);
  return k;
}

static bool has_wide_registers(void)
{
  return __builtin_cpu_supports("avx2");
}
#else
static int32_t settle_slick_fours(const plain_pass *pass, const plain_chunk *chunk, int64_t end, bool own)
{
  (void)pass, (void)chunk, (void)end, (void)own;
  return 0;
}

static int32_t settle_fours_own(const plain_pass *pass, const plain_chunk *chunk, int64_t end)
{
  (void)pass, (void)chunk, (void)end;
  return 0;
}

static int32_t settle_fours_foreign(const plain_pass *pass, const plain_chunk *chunk)
{
  (void)pass, (void)chunk;
  return 0;
}

static bool has_wide_registers(void)
{
  return false;
}
#endif

static void settle_slick(const plain_pass *pass, const plain_chunk *chunk, int64_t end, bool own)
{
  int32_t k = pass->wide ? settle_slick_fours(pass, chunk, end, own) : 0;
  for (; k < chunk->count; k++) settle_slick_one(pass, chunk, k, end, own);
}

static void settle_foreign(const plain_pass *pass, plain_chunk *chunk)
{
  if (pass->slick) {
    settle_slick(pass, chunk, 0, false);
    return;
  }
  int32_t k = pass->wide ? settle_fours_foreign(pass, chunk) : 0;
  for (; k < chunk->count; k++) settle_foreign_one(pass, chunk, k);
}

/* Entries foreign[begin] .. foreign[end - 1], by ascending second particle. */
static inline void foreign_rows(const plain_pass *pass, int64_t begin, int64_t end, const bool periodic)
{
  const pair_list *pairs = pass->pairs;
  plain_chunk chunk;
  int32_t last = -1;
  for (int64_t from = begin; from < end; from += CHUNK) {
    int64_t to = from + CHUNK < end ? from + CHUNK : end;
    chunk.count = 0;
    for (int64_t k = from; k < to; k++) {
      int32_t entry = pass->foreign[k], second = pairs->second[entry];
      if (second != last && !pass->has_fields) memset(&pass->pushes[second], 0, sizeof *pass->pushes);
      last = second;
      sift(pass, entry, pairs->first[entry], second, periodic, &chunk);
    }
    settle_foreign(pass, &chunk);
  }
}

static void foreign_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)begin, (void)end;
  const plain_pass *pass = context;
  const int64_t *start = pass->foreign_start;
  if (pass->periodic)
    foreign_rows(pass, start[block], start[block + 1], true);
  else
    foreign_rows(pass, start[block], start[block + 1], false);
}

/* The greatest overlap in radii of the smaller particle; roots are taken only where it grows. */
static inline void note_overlap(const plain_pass *pass, const plain_chunk *chunk, int32_t k, double *greatest)
{
  double a = pass->at[chunk->first[k]].radius, b = pass->at[chunk->second[k]].radius, radius = a < b ? a : b;
  double allowed = chunk->sum[k] - *greatest * radius; /* distance at which it would be as great as before */
  if (allowed > 0.0 && chunk->square[k] >= allowed * allowed) return;
  *greatest = (chunk->sum[k] - sqrt(chunk->square[k])) / radius;
}

static void settle_own(const plain_pass *pass, const plain_chunk *chunk, int64_t end, double *greatest)
{
  if (pass->slick) {
    settle_slick(pass, chunk, end, true);
  } else {
    int32_t k = pass->wide ? settle_fours_own(pass, chunk, end) : 0;
    for (; k < chunk->count; k++) settle_own_one(pass, chunk, k, end);
  }
  for (int32_t k = 0; k < chunk->count; k++) note_overlap(pass, chunk, k, greatest);
}

static inline void own_rows(const plain_pass *pass, int64_t begin, int64_t end, const bool periodic,
                            const bool slick, block_result *result)
{
  const pair_list *pairs = pass->pairs;
  plain_chunk chunk = {.count = 0};
  double greatest = 0.0;
  int64_t last = pairs->start[end];
  for (int64_t from = pairs->start[begin]; from < last; from += CHUNK) {
    int64_t to = from + CHUNK < last ? from + CHUNK : last;
    chunk.count = 0;
    for (int64_t entry = from; entry < to; entry++) {
      bool touches = sift(pass, (int32_t)entry, pairs->first[entry], pairs->second[entry], periodic, &chunk);
      if (slick) continue;
      if ((!touches) & pass->touched[entry])
        pass->spring[0][entry] = pass->spring[1][entry] = pass->spring[2][entry] = 0.0;
      pass->touched[entry] = touches;
    }
    settle_own(pass, &chunk, end, &greatest);
    result->contacts += chunk.count;
  }
  result->overlap = greatest;
}

/* Fields; sums that pass 1 has begun go on with them. */
static void start_sums(const plain_pass *pass, int64_t begin, int64_t end, int64_t block)
{
  if (pass->has_fields) return;
  const double *mass = pass->run->context->table->column[COLUMN_mass], *g = pass->run->context->gravity;
  const push *fields = pass->run->fields;
  const int32_t *second = pass->pairs->second;
  int64_t k = pass->foreign_start[block], stop = pass->foreign_start[block + 1];
  for (int64_t i = begin; i < end; i++) {
    push *to = &pass->pushes[i];
    if (k == stop || second[pass->foreign[k]] != i) memset(to, 0, sizeof *to);
    while (k < stop && second[pass->foreign[k]] == i) k++;
    for (int axis = 0; axis < 3; axis++) {
      to->force[axis] += fields ? fields[i].force[axis] : mass[i] * g[axis];
      if (fields) to->torque[axis] += fields[i].torque[axis];
    }
  }
}

static void own_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const plain_pass *pass = context;
  evaluation *run = pass->run;
  block_result result = {0, 0, 0, 0.0, 0.0};
  start_sums(pass, begin, end, block);
  if (pass->periodic && pass->slick)
    own_rows(pass, begin, end, true, true, &result);
  else if (pass->periodic)
    own_rows(pass, begin, end, true, false, &result);
  else if (pass->slick)
    own_rows(pass, begin, end, false, true, &result);
  else
    own_rows(pass, begin, end, false, false, &result);
  if (run->finish) result.energy = run->finish(run->finish_context, begin, end, block);
  run->block[block] = result;
}

void element_pairs_plain(evaluation *run)
{
  const step_context *context = run->context;
  const floc_discrete_element_options *options = &run->method->options;
  int64_t count = context->table->count, block_size = element_block_size(count);
  plain_pass pass = {.run = run,
                     .pairs = neighbors_pairs(context->near),
                     .at = run->at,
                     .pushes = run->pushes,
                     .touched = run->method->touched,
                     .foreign = run->method->foreign,
                     .foreign_start = run->method->foreign_start,
                     .has_fields = run->fields && run->fields == run->pushes,
                     .stiffness = options->stiffness,
                     .damping = options->damping,
                     .tangential_stiffness = options->friction_stiffness,
                     .tangential_damping = options->friction_damping,
                     .friction = options->friction_static,
                     .step = run->increment,
                     .slick = options->friction == FLOC_FRICTION_NONE,
                     .wide = has_wide_registers() && !run->method->narrow};
  for (int k = 0; k < 3; k++) {
    pass.spring[k] = run->pairs_to.spring[k];
    pass.inverse[k] = run->inverse_length[k];
    pass.length[k] = context->box->length[k];
    pass.periodic |= pass.inverse[k] > 0.0;
  }
  parallel_for(context->env, count, block_size, foreign_block, &pass);
  parallel_for(context->env, count, block_size, own_block, &pass);
  element_collect(run, parallel_block_count(count, block_size));
}
