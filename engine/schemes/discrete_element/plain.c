/*
 * Pairs under Hooke's or Hertz's spring and dashpot with accumulated Coulomb friction (of one coefficient) and
 * rotation, or without friction: the common cases of dry grains, and those that must be fast. The forces are those
 * of discrete_element/law.h; here they are written out for these laws alone, and springs are updated in place.
 *
 * First the entries of the list are sifted, in chunks: those that touch are collected with their
 * separation. Whether a pair of the list touches is unpredictable, so that loop has no branch. Then the
 * contacts of the chunk are computed one after another.
 *
 * On processors with AVX2 four entries or contacts are computed side by side (discrete_element/wide.c).
 *
 * `touched` has one byte per entry: whether its spring may be other than 0. So only pairs that have just
 * come apart need their spring cleared, and memory of pairs that do not touch is not read. `foreign` names
 * the entries whose particles are in two blocks, ordered by the second one. Both are rebuilt with the list.
 *
 * Pass 1: fields of the particles that are second in foreign entries, and what these do to them, by the springs
 * before the step.
 * Pass 2, block by block while its particles are in the cache: fields of the others, own pairs, which also update
 * springs; then the integrator takes over the block (`finish`).
 */
#include "schemes/discrete_element/plain.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <string.h>

/* Looks at a pair; stores it if it touches. Whether it does. */
static inline bool sift(const plain_pass *pass, int32_t entry, int32_t i, int32_t j, const bool periodic,
                        plain_chunk *chunk)
{
  const element *a = &pass->at[i], *b = &pass->at[j];
  double x = b->position[0] - a->position[0], y = b->position[1] - a->position[1];
  double z = b->position[2] - a->position[2], sum = a->radius + b->radius;
  if (periodic) {
    x = nearest_image(x, pass->length[0], pass->inverse[0]);
    y = nearest_image(y, pass->length[1], pass->inverse[1]);
    z = nearest_image(z, pass->length[2], pass->inverse[2]);
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

/* The elastic force, and what damping and friction are multiplied by: contact_weight() of law.h. */
static inline double elastic_part(const plain_pass *pass, const plain_chunk *chunk, int32_t k, double overlap,
                                  double *weight)
{
  *weight = 1.0;
  if (!pass->hertz) return pass->stiffness * overlap;
  double sum = chunk->sum[k], difference = chunk->difference[k];
  double reduced = 0.25 * (sum + difference) * (sum - difference) / sum * overlap; /* R* times the overlap */
  *weight = ELEMENT_PI * reduced;
  return pass->stiffness * sqrt(reduced) * overlap;
}

/* The force of contact k on its first particle, and its spring after the step. */
typedef struct plain_force {
  double force[3], turn[3]; /* turn: n x force; times the arm it is the torque */
  double arm_first, arm_second;
  double spring[3];
  double normal, across[3]; /* its parts: > 0 apart; tangential, on the first particle */
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
  double sz = (pass->axes == 3 ? pass->spring[2][entry] : 0.0) + pass->step * uz;
  double out_of_plane = sx * nx + sy * ny + sz * nz;
  sx -= out_of_plane * nx, sy -= out_of_plane * ny, sz -= out_of_plane * nz;
  double weight, elastic = elastic_part(pass, chunk, k, sum - distance, &weight);
  double kt = pass->tangential_stiffness * weight, ct = pass->tangential_damping * weight;
  double tx = kt * sx + ct * ux, ty = kt * sy + ct * uy, tz = kt * sz + ct * uz;
  double normal = elastic - pass->damping * weight * along;
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
  out->normal = normal;
  out->across[0] = tx, out->across[1] = ty, out->across[2] = tz;
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
  for (int32_t axis = 0; axis < pass->axes; axis++) pass->spring[axis][entry] = contact.spring[axis];
  add_to_first(&pass->pushes[chunk->first[k]], &contact);
  if (chunk->second[k] < end) add_to_second(&pass->pushes[chunk->second[k]], &contact);
}

static void settle_foreign_one(const plain_pass *pass, const plain_chunk *chunk, int32_t k)
{
  plain_force contact;
  contact_force(pass, chunk, k, &contact);
  add_to_second(&pass->pushes[chunk->second[k]], &contact);
}

/* Without friction: the force along the line of centres, > 0 apart; `force` is that on the second particle. */
static inline double slick_force(const plain_pass *pass, const plain_chunk *chunk, int32_t k, double force[3])
{
  const element *a = &pass->at[chunk->first[k]], *b = &pass->at[chunk->second[k]];
  double square = chunk->square[k];
  square = square > 0.0 ? square : 1e-300; /* coincident centres: no direction, no force */
  double distance = sqrt(square), inverse = 1.0 / distance;
  double nx = chunk->x[k] * inverse, ny = chunk->y[k] * inverse, nz = chunk->z[k] * inverse;
  double vx = b->velocity[0] - a->velocity[0], vy = b->velocity[1] - a->velocity[1];
  double vz = b->velocity[2] - a->velocity[2];
  double along = vx * nx + vy * ny + vz * nz;
  double weight, elastic = elastic_part(pass, chunk, k, chunk->sum[k] - distance, &weight);
  double normal = elastic - pass->damping * weight * along;
  force[0] = normal * nx, force[1] = normal * ny, force[2] = normal * nz;
  return normal;
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

static void settle_foreign(const plain_pass *pass, const plain_chunk *chunk)
{
  int32_t k = pass->wide ? element_settle_foreign_wide(pass, chunk) : 0;
  for (; k < chunk->count; k++)
    if (pass->slick)
      settle_slick_one(pass, chunk, k, 0, false);
    else
      settle_foreign_one(pass, chunk, k);
}

/* What a sum begins with. */
static inline void start_sum(const plain_pass *pass, int64_t i)
{
  push *to = &pass->pushes[i];
  const push *fields = pass->run->fields;
  const double mass = pass->run->context->table->column[COLUMN_mass][i], *g = pass->run->context->gravity;
  memset(to, 0, sizeof *to);
  for (int axis = 0; axis < 3; axis++) {
    to->force[axis] += fields ? fields[i].force[axis] : mass * g[axis];
    if (fields) to->torque[axis] += fields[i].torque[axis];
  }
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
      if (second != last && !pass->has_fields) start_sum(pass, second);
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

static void settle_own(const plain_pass *pass, const plain_chunk *chunk, int64_t end, double *greatest)
{
  int32_t k = pass->wide ? element_settle_wide(pass, chunk, end, greatest) : 0;
  for (; k < chunk->count; k++) {
    if (pass->slick)
      settle_slick_one(pass, chunk, k, end, true);
    else
      settle_own_one(pass, chunk, k, end);
    note_overlap(pass, chunk, k, greatest);
  }
}

/* Pairs that the owner of their first particle counts. */
static int32_t ghosts_first(const evaluation *run, const plain_chunk *chunk)
{
  const particles *table = run->context->table;
  int32_t number = 0;
  if (!table->ghost) return 0;
  for (int32_t k = 0; k < chunk->count; k++) number += particles_is_ghost(table, chunk->first[k]);
  return number;
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
    int64_t entry = pass->wide ? element_sift_wide(pass, from, to, pass->slick, &chunk) : from;
    for (; entry < to; entry++) {
      bool touches = sift(pass, (int32_t)entry, pairs->first[entry], pairs->second[entry], periodic, &chunk);
      if (slick) continue;
      if ((!touches) & pass->touched[entry]) clear_spring(pass, entry);
      pass->touched[entry] = touches;
    }
    settle_own(pass, &chunk, end, &greatest);
    result->contacts += chunk.count - ghosts_first(pass->run, &chunk);
  }
  result->overlap = greatest;
}

/* Fields, where pass 1 has not begun with them. */
static void start_sums(const plain_pass *pass, int64_t begin, int64_t end, int64_t block)
{
  if (pass->has_fields) return;
  const int32_t *second = pass->pairs->second;
  int64_t k = pass->foreign_start[block], stop = pass->foreign_start[block + 1];
  for (int64_t i = begin; i < end; i++) {
    if (k == stop || second[pass->foreign[k]] != i) start_sum(pass, i);
    while (k < stop && second[pass->foreign[k]] == i) k++;
  }
}

static void own_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const plain_pass *pass = context;
  evaluation *run = pass->run;
  block_result result = {.energy = EXACT_ZERO};
  start_sums(pass, begin, end, block);
  if (pass->periodic && pass->slick)
    own_rows(pass, begin, end, true, true, &result);
  else if (pass->periodic)
    own_rows(pass, begin, end, true, false, &result);
  else if (pass->slick)
    own_rows(pass, begin, end, false, true, &result);
  else
    own_rows(pass, begin, end, false, false, &result);
  for (slot_run own = {begin, begin, true}; run->finish && owned_next(run->context->table, &own, end);)
    run->finish(run->finish_context, own.begin, own.end, &result.energy);
  run->block[block] = result;
}

static plain_pass begin_pass(const evaluation *run, const memory_view *memory)
{
  const step_context *context = run->context;
  const floc_discrete_element_options *options = &run->method->options;
  const bool hertz = options->contact_force == FLOC_CONTACT_FORCE_HERTZ;
  plain_pass pass = {.pairs = neighbors_pairs(context->near),
                     .at = run->at,
                     .hertz = hertz,
                     .stiffness = hertz ? 4.0 / 3.0 * pair_modulus(options) : options->stiffness,
                     .damping = options->damping,
                     .tangential_stiffness = options->friction_stiffness,
                     .tangential_damping = options->friction_damping,
                     .friction = options->friction_static,
                     .step = run->increment,
                     .slick = options->friction == FLOC_FRICTION_NONE,
                     .wide = processor_is_wide() && !run->method->narrow};
  for (int k = 0; k < 3; k++) {
    pass.spring[k] = memory->spring[k];
    pass.axes += pass.spring[k] != NULL;
    pass.inverse[k] = run->inverse_length[k];
    pass.length[k] = context->box->length[k];
    pass.periodic |= pass.inverse[k] > 0.0;
  }
  return pass;
}

void element_pairs_plain(evaluation *run)
{
  const step_context *context = run->context;
  const int64_t count = context->table->count, block_size = element_block_size(count);
  plain_pass pass = begin_pass(run, &run->pairs_to);
  pass.run = run;
  pass.pushes = run->pushes;
  pass.touched = run->method->touched;
  pass.foreign = run->method->foreign;
  pass.foreign_start = run->method->foreign_start;
  pass.has_fields = run->fields && run->fields == run->pushes;
  slots_for(context->env, context->table, block_size, foreign_block, &pass);
  slots_for(context->env, context->table, block_size, own_block, &pass);
  element_collect(run, parallel_block_count(count, block_size));
}

/* ---- looking ---- */

static void look_at_one(const plain_pass *pass, const plain_chunk *chunk, int32_t k, int64_t begin, look_block *to)
{
  const int64_t row = chunk->entry[k] - begin;
  double force[3];
  plain_force contact;
  if (pass->slick) {
    to->normal[row] = slick_force(pass, chunk, k, force);
    return;
  }
  contact_force(pass, chunk, k, &contact);
  to->normal[row] = contact.normal;
  for (int32_t axis = 0; axis < pass->axes; axis++) to->tangential[axis][row] = -contact.across[axis];
}

void element_look_plain(const evaluation *run, int64_t begin, int32_t count, look_block *to)
{
  const plain_pass pass = begin_pass(run, &run->pairs_from);
  const int64_t end = begin + count;
  plain_chunk chunk;
  chunk.count = 0;
  memset(to->normal, 0, sizeof to->normal);
  memset(to->tangential, 0, sizeof to->tangential);
  int64_t entry = pass.wide ? element_sift_wide(&pass, begin, end, true, &chunk) : begin;
  for (; entry < end; entry++)
    sift(&pass, (int32_t)entry, pass.pairs->first[entry], pass.pairs->second[entry], pass.periodic, &chunk);
  int32_t k = pass.wide ? element_look_wide(&pass, &chunk, begin, to) : 0;
  for (; k < chunk.count; k++) look_at_one(&pass, &chunk, k, begin, to);
}
