/*
 * Pairs of particles under any contact law. See discrete_element/model.h for the order of summation.
 *
 * The moment arms of the two particles are the distances of their centres from the plane in which the
 * spheres cut each other (69); they add up to the distance of the centres, so angular momentum is kept.
 */
#include "schemes/discrete_element/law.h"

#include "base/threads/parallel.h"
#include "geometry/vector.h"
#include "particles/owned.h"

#include <string.h>

/* Few particles make one block: they are stored in any order, and most pairs would be across blocks. Many
 * make about 16 blocks or more, enough for every core, and as large as that allows: pairs across blocks cost
 * twice. */
enum { ONE_BLOCK = 8192, LEAST_BLOCK = 8192, GREATEST_BLOCK = 16384, BLOCKS_WANTED = 16 };

int64_t element_block_size(int64_t count)
{
  if (count <= ONE_BLOCK) return ONE_BLOCK;
  int64_t size = (count / BLOCKS_WANTED + 63) / 64 * 64;
  return size < LEAST_BLOCK ? LEAST_BLOCK : size > GREATEST_BLOCK ? GREATEST_BLOCK : size;
}

/* Does the box have periodic axes? */
static bool wraps_around(const evaluation *run)
{
  const double *inverse = run->inverse_length;
  return run->deforms || inverse[0] > 0.0 || inverse[1] > 0.0 || inverse[2] > 0.0;
}

/* Shortest image; positions may be a little outside the box, so it is an integer multiple of the period. */
static inline void pair_separation(const evaluation *run, const element *first, const element *second, bool wraps,
                                   double separation[3])
{
  if (wraps && run->deforms) {
    double turns[3];
    for (int k = 0; k < 3; k++) separation[k] = second->position[k] - first->position[k];
    domain_shorten(run->context->box, separation, turns);
    return;
  }
  for (int k = 0; k < 3; k++) {
    double way = second->position[k] - first->position[k];
    double inverse = wraps ? run->inverse_length[k] : 0.0;
    separation[k] = inverse > 0.0 ? way - run->context->box->length[k] * rint(way * inverse) : way;
  }
}

static inline void pair_velocities(const evaluation *run, const floc_discrete_element_options *options,
                                   const element *first, const element *second, pair_contact *pair)
{
  contact_state *state = &pair->state;
  double relative[3], turn[3] = {0.0, 0.0, 0.0};
  state->normal_velocity = 0.0;
  for (int k = 0; k < 3; k++) relative[k] = second->velocity[k] - first->velocity[k];
  if (run->deforms) {
    double way[3];
    for (int k = 0; k < 3; k++) way[k] = second->position[k] - first->position[k];
    domain_nearest_motion(run->context->box, way, relative);
  }
  for (int k = 0; k < 3; k++) {
    state->normal_velocity += relative[k] * state->normal[k];
    if (options->rotation) turn[k] = pair->arm_i * first->spin[k] + pair->arm_j * second->spin[k]; /* (17) */
  }
  const double *n = state->normal;
  double across[3] = {turn[1] * n[2] - turn[2] * n[1], turn[2] * n[0] - turn[0] * n[2],
                      turn[0] * n[1] - turn[1] * n[0]};
  for (int k = 0; k < 3; k++) state->slip[k] = relative[k] - across[k] - state->normal_velocity * n[k];
}

/* Is there anything between the two? Most pairs of a list are apart, so this comes first and is short. */
static inline __attribute__((always_inline)) bool is_active(const evaluation *run, int64_t entry,
                                                            const element *first, const element *second, bool wraps,
                                                            pair_contact *pair)
{
  double sum = first->radius + second->radius;
  pair_separation(run, first, second, wraps, pair->separation);
  const double *way = pair->separation;
  pair->square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  pair->state.bond = run->pairs_from.bond ? run->pairs_from.bond[entry] : 0.0;
  return pair->square < sum * sum || pair->state.bond != 0.0;
}

/* What is given of an active pair, under the options. */
static inline __attribute__((always_inline)) void describe_pair(const evaluation *run,
                                                                const floc_discrete_element_options *options,
                                                                int64_t entry, int32_t i, int32_t j,
                                                                pair_contact *pair)
{
  const element *first = &run->at[i], *second = &run->at[j];
  contact_state *state = &pair->state;
  double sum = first->radius + second->radius, distance = sqrt(pair->square);
  bool touching = pair->square < sum * sum;
  for (int k = 0; k < 3; k++) {
    /* coincident centres: any direction, the same every time */
    state->normal[k] = distance > 0.0 ? pair->separation[k] / distance : k == 0;
    state->spring[k] = run->pairs_from.spring[k] ? run->pairs_from.spring[k][entry] : 0.0;
  }
  if (!(distance > 0.0)) distance = 1e-100 * sum;
  state->sliding = run->pairs_from.sliding ? run->pairs_from.sliding[entry] : 0.0;
  state->breaking = options->bond_breaking;
  if (options->bond_strength_spread > 0.0 && run->pairs_from.bond)
    state->breaking =
        element_bond_breaking(options, run->context->seed, run->context->table->id[i], run->context->table->id[j]);
  state->overlap = sum - distance;
  state->strain = fabs(state->overlap) / sum;
  pair->arm_i = 0.5 * (distance + (first->radius - second->radius) * sum / distance);
  pair->arm_j = distance - pair->arm_i;
  state->area = touching ? contact_area(first->radius, second->radius, distance) : 0.0;
  if (needs_effective_radius(run)) {
    state->effective_radius = first->radius * second->radius / sum;
    state->effective_modulus = pair_modulus(options);
  }
  state->stiffness = run->stiffness ? 0.5 * (run->stiffness[i] + run->stiffness[j]) : options->stiffness; /* (37) */
  state->increment = run->increment;
  state->friction_time = run->friction_time;
  pair_velocities(run, options, first, second, pair);
  if (resists_rolling(run)) {
    recall_rolling(state, run->pairs_from.roll, entry);
    rolling_velocity(state, first->spin, second->spin);
  }
}

/* The forces of an active pair. */
static void evaluate_pair(const evaluation *run, int64_t entry, int32_t i, int32_t j, pair_contact *pair)
{
  const step_context *context = run->context;
  const floc_discrete_element_options *options =
      element_options_of(run->method, context->table, context->obstacles, i, j, -1);
  describe_pair(run, options, entry, i, j, pair);
  contact_forces(options, &pair->state);
}

void element_look_pairs(const evaluation *run, int64_t begin, int32_t count, look_block *to)
{
  const pair_list *pairs = neighbors_pairs(run->context->near);
  if (run->method->is_plain && !run->deforms) {
    element_look_plain(run, begin, count, to);
    return;
  }
  const bool exert = run->method->options.contact_force != FLOC_CONTACT_FORCE_NONE, wraps = wraps_around(run);
  pair_contact pair;
  for (int32_t row = 0; row < count; row++) {
    const int64_t entry = begin + row;
    const int32_t i = pairs->first[entry], j = pairs->second[entry];
    const bool active = exert && is_active(run, entry, &run->at[i], &run->at[j], wraps, &pair);
    if (active) evaluate_pair(run, entry, i, j, &pair);
    element_look_put(run, active ? &pair.state : NULL, row, to);
  }
}

bool element_describe_pair(const evaluation *run, int64_t entry, pair_contact *pair)
{
  const step_context *context = run->context;
  const pair_list *pairs = neighbors_pairs(context->near);
  const int32_t i = pairs->first[entry], j = pairs->second[entry];
  if (!is_active(run, entry, &run->at[i], &run->at[j], wraps_around(run), pair)) return false;
  describe_pair(run, element_options_of(run->method, context->table, context->obstacles, i, j, -1), entry, i, j,
                pair);
  return true;
}

static inline __attribute__((always_inline)) void add_push(push *to, const contact_state *state, double sign,
                                                           double arm, bool rolls)
{
  const double *n = state->normal, *t = state->tangential;
  double turn[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  for (int k = 0; k < 3; k++) {
    to->force[k] += sign * (t[k] - state->normal_force * n[k]);
    to->torque[k] += arm * turn[k];
  }
  if (rolls) vector_add_scaled(to->torque, sign, state->moment, to->torque);
}

static inline bool has_springs(const memory_view *memory)
{
  return memory->spring[0] || memory->spring[1] || memory->spring[2] || memory->sliding;
}

static inline __attribute__((always_inline)) void remember(const memory_view *to, int64_t entry, bool is_contact,
                                                           const contact_state *state, bool springs, bool rolls)
{
  for (int k = 0; k < 3 && springs; k++)
    if (to->spring[k]) to->spring[k][entry] = is_contact ? state->spring[k] : 0.0;
  if (springs && to->sliding) to->sliding[entry] = is_contact ? state->sliding : 0.0;
  if (to->bond) to->bond[entry] = is_contact ? state->bond : 0.0;
  if (!rolls) return;
  for (int k = 0; k < 3; k++)
    if (to->roll[k]) to->roll[k][entry] = is_contact ? state->roll[k] : 0.0;
}

typedef struct pair_pass {
  evaluation *run;
  const pair_list *pairs;
  bool exert; /* contacts exert forces of the scheme's own */
} pair_pass;

/* Pairs whose first particle is in an earlier block, for the second's sake. */
static void foreign_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const pair_pass *pass = context;
  const pair_list *pairs = pass->pairs;
  const bool rolls = resists_rolling(pass->run), wraps = wraps_around(pass->run);
  const element *at = pass->run->at;
  pair_contact pair;
  for (int64_t j = begin; j < end; j++) {
    if (pass->run->fields != pass->run->pushes) pass->run->pushes[j] = element_field_push(pass->run, j);
    if (begin == 0 || !pass->exert) continue; /* nothing precedes the first block */
    for (int64_t k = pairs->incoming_start[j]; k < pairs->incoming_start[j + 1]; k++) {
      int32_t entry = pairs->incoming[k], i = pairs->first[entry];
      if (i >= begin) break;
      if (!is_active(pass->run, entry, &at[i], &at[j], wraps, &pair)) continue;
      evaluate_pair(pass->run, entry, i, (int32_t)j, &pair);
      add_push(&pass->run->pushes[j], &pair.state, -1.0, pair.arm_j, rolls);
    }
  }
}

/* A pair is counted by the owner of its first particle. */
static void note_contact(const evaluation *run, int32_t i, int32_t j, const contact_state *state,
                         block_result *result)
{
  if (particles_is_ghost(run->context->table, i)) return;
  result->bonds_formed += state->bond_formed;
  result->bonds_broken += state->bond_broken;
  if (!(state->overlap > 0.0)) return;
  double overlap = state->overlap / fmin(run->at[i].radius, run->at[j].radius);
  result->contacts++;
  if (overlap > result->overlap) result->overlap = overlap;
}

/* The force on the second times the way to it. */
static void add_stress(const pair_contact *pair, double stress[9])
{
  for (int row = 0; row < 3; row++) {
    double force = pair->state.normal_force * pair->state.normal[row] - pair->state.tangential[row];
    for (int column = 0; column < 3; column++) stress[3 * row + column] += force * pair->separation[column];
  }
}

/* Pairs whose first particle is in this block, for the first's sake, and for the second's if it is here too. wraps,
 * springs and rolls are constants wherever this is inlined, and what does not change is copied: most entries are
 * pairs that are apart, and each would ask. */
static inline __attribute__((always_inline)) void own_pairs(const pair_pass *pass, int64_t begin, int64_t end,
                                                            const bool wraps, const bool springs, const bool rolls,
                                                            block_result *result)
{
  const evaluation *run = pass->run;
  const pair_list *pairs = pass->pairs;
  const memory_view to = run->pairs_to;
  pair_contact pair;
  for (int64_t i = begin; i < end; i++) {
    const element first = run->at[i];
    const int64_t last = pairs->start[i + 1];
    for (int64_t entry = pairs->start[i]; entry < last; entry++) {
      int32_t j = pairs->second[entry];
      bool active = is_active(run, entry, &first, &run->at[j], wraps, &pair);
      if (active) evaluate_pair(run, entry, (int32_t)i, j, &pair);
      remember(&to, entry, active, &pair.state, springs, rolls);
      if (!active) continue;
      add_push(&run->pushes[i], &pair.state, 1.0, pair.arm_i, rolls);
      if (j < end) add_push(&run->pushes[j], &pair.state, -1.0, pair.arm_j, rolls);
      note_contact(run, (int32_t)i, j, &pair.state, result);
      if (run->deforms) add_stress(&pair, result->stress);
    }
  }
}

static void own_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const pair_pass *pass = context;
  evaluation *run = pass->run;
  block_result result = {.energy = EXACT_ZERO};
  const bool wraps = wraps_around(run), rolls = resists_rolling(run);
  if (pass->exert && wraps)
    own_pairs(pass, begin, end, true, true, rolls, &result);
  else if (pass->exert && rolls)
    own_pairs(pass, begin, end, false, true, true, &result);
  else if (pass->exert && has_springs(&run->pairs_to))
    own_pairs(pass, begin, end, false, true, false, &result);
  else if (pass->exert)
    own_pairs(pass, begin, end, false, false, false, &result);
  for (slot_run own = {begin, begin, true}; run->finish && owned_next(run->context->table, &own, end);)
    run->finish(run->finish_context, own.begin, own.end, &result.energy);
  run->block[block] = result;
}

void element_collect(evaluation *run, int64_t blocks)
{
  run->contacts = run->bonds_formed = run->bonds_broken = 0;
  exact_sum energy = EXACT_ZERO;
  memcpy(run->stress, run->field_stress, sizeof run->stress);
  for (int64_t k = 0; k < blocks; k++) {
    block_result *block = &run->block[k];
    for (int c = 0; c < 9 && run->deforms; c++) run->stress[c] += block->stress[c];
    run->contacts += block->contacts;
    run->bonds_formed += block->bonds_formed;
    run->bonds_broken += block->bonds_broken;
    exact_merge(&energy, &block->energy);
    if (block->overlap > run->overlap) run->overlap = block->overlap;
  }
  run->energy = exact_value(&energy);
}

/* The sum of all fields is force and torque. */
static void exchange(evaluation *run)
{
  discrete_element *method = run->method;
  size_t capacity = method->push_capacity;
  method->fields = method->pushes;
  method->pushes = run->pushes = run->fields;
  method->push_capacity = method->field_capacity;
  method->field_capacity = capacity;
}

void element_pairs(evaluation *run)
{
  const step_context *context = run->context;
  int64_t count = context->table->count, block_size = element_block_size(count);
  pair_pass pass = {run, neighbors_pairs(context->near),
                    run->method->options.contact_force != FLOC_CONTACT_FORCE_NONE};
  if (run->may_exchange && run->fields && !pass.exert)
    exchange(run);
  else
    slots_for(context->env, context->table, block_size, foreign_block, &pass);
  slots_for(context->env, context->table, block_size, own_block, &pass);
  element_collect(run, parallel_block_count(count, block_size));
}
