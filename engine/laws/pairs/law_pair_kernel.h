/*
 * What a block of pairs gives to its law and takes from it, for law_pairs.c: the inputs are gathered from particles
 * and from the geometry of law_pair_block.h, the outputs are added to the sums of the block's own particles, or put
 * down by entry for particles of later blocks.
 *
 * Per pair: the force on j, and where a law acts across the line of centres, the vector whose product with the
 * moment arms is the torque on both (the arms add up to the distance: angular momentum is kept).
 */
#ifndef FLOC_LAWS_LAW_PAIR_KERNEL_H
#define FLOC_LAWS_LAW_PAIR_KERNEL_H

#include "laws/pairs/law_pair_extra.h"
#include "laws/pairs/law_pair_wide.h"

/* What a block of particles' pairs add up to. */
typedef struct pair_sums {
  double energy, virial[9];
} pair_sums;

/* One evaluation of the pair laws. */
struct pair_pass {
  laws *all;
  const laws_moment *at;
  arena *scratch;
  const pair_list *pairs;
  const law *which;
  pair_source source;
  particle_state *copy; /* of the table, or NULL */
  pair_blocks layout;
  particle_push *foreign; /* per entry: on its second particle; only where acted */
  uint8_t *acted;         /* per entry: has a law acted on a particle of another block? */
  pair_sums *sums;        /* per block */
  double *tile_energy;    /* per tile of a round */
  bool turns;             /* torques are wanted */
  bool find_order;        /* the list is another one: laws.turned must be made */
  bool alone;             /* nothing else exerts forces: columns are set, and `push` is added to */
  bool tiled;             /* the law acts on all pairs: law_tiles.c */
  bool looks_only;        /* forces are recorded, not exerted */
  chunk_mark *marks;
  law_desks desks;
  pair_block *blocks; /* per desk */
  pair_amounts amounts;
  const int32_t *shown; /* of a law over bonds: the entry of the neighbour list where its forces are shown, -1:
                           there is none; NULL: its own */
};

static const double nothing[LAW_BLOCK];

/* ---- inputs ---- */

HOT const double *gather(const double *column, const int32_t *slot, int32_t count, double *values, const bool wide)
{
  if (wide) return wide_gather(column, slot, count, values);
  for (int32_t k = 0; k < count; k++) values[k] = column[slot[k]];
  return values;
}

HOT const double *gather_ids(const particles *table, const int32_t *slot, int32_t count, double *values)
{
  for (int32_t k = 0; k < count; k++) values[k] = (double)table->id[slot[k]];
  return values;
}

HOT const double *find_overlap(const pair_block *pairs, double *values)
{
  for (int32_t k = 0; k < pairs->count; k++) values[k] = pairs->sum[k] - pairs->distance[k];
  return values;
}

/* A component beyond the dimension is 0. */
HOT const double *pair_input(const pair_pass *pass, const law_input *source, pair_block *pairs, double *values,
                             const int dimension, const bool wide)
{
  const particles *table = pass->at->table;
  int32_t count = pairs->count;
  switch (source->kind) {
  case INPUT_DISTANCE:
    return pairs->distance;
  case INPUT_OVERLAP:
    return find_overlap(pairs, values);
  case INPUT_NORMAL_VELOCITY:
    return pairs->normal_velocity;
  case INPUT_TANGENTIAL_VELOCITY:
    return pairs->tangential_velocity;
  case INPUT_NORMAL:
    return source->number < dimension ? pairs->unit[source->number] : nothing;
  case INPUT_SLIP:
    return source->number < dimension ? pairs->slip[source->number] : nothing;
  case INPUT_MEMORY:
    return gather(pass->pairs->memory[law_memory_column(pass->all, pass->which, source->number)], pairs->entry,
                  count, values, wide);
  case INPUT_ID_I:
    return gather_ids(table, pairs->i, count, values);
  case INPUT_ID_J:
    return gather_ids(table, pairs->j, count, values);
  case INPUT_AXIS_I:
    return pair_axes(pass->all, table, source, pairs->i, count, values);
  case INPUT_AXIS_J:
    return pair_axes(pass->all, table, source, pairs->j, count, values);
  case INPUT_MATERIAL_I:
    return pair_material(table, pairs->i, count, values);
  case INPUT_MATERIAL_J:
    return pair_material(table, pairs->j, count, values);
  case INPUT_NORMAL_RANDOM:
  case INPUT_UNIFORM_RANDOM:
    return pair_random(pass->all, pass->which, source, table->id, pairs, values);
  case INPUT_COLUMN_J:
    return gather(table->column[source->number], pairs->j, count, values, wide);
  default:
    return gather(table->column[source->number], pairs->i, count, values, wide);
  }
}

HOT void gather_inputs(const pair_pass *pass, pair_block *pairs, law_block *block, const int dimension,
                       const bool wide)
{
  for (int32_t k = 0; k < pass->which->input_count; k++)
    if (!law_fill_uniform(pass->which, k, pass->at->time, pass->at->time_step, pairs->count, block))
      block->from[k] = pair_input(pass, &pass->which->input[k], pairs, block->input[k], dimension, wide);
}

/* ---- outputs ---- */

/* What a law gives across the line of centres, as a vector on j. */
typedef struct tangential_force {
  const double *along[3];
  double own[3][LAW_BLOCK];
} tangential_force;

/* A number along the slip; in the plane along the normal turned by a right angle. */
HOT void add_along_slip(const pair_block *pairs, const double *value, tangential_force *to, const int dimension)
{
  for (int32_t k = 0; k < pairs->count; k++) {
    double speed = pairs->tangential_velocity[k], factor = speed > 0.0 ? value[k] / speed : 0.0;
    for (int axis = 0; axis < dimension; axis++) {
      double part = dimension == 3 ? factor * pairs->slip[axis][k]
                    : axis == 0    ? -(value[k] * pairs->unit[1][k])
                                   : value[k] * pairs->unit[0][k];
      to->own[axis][k] = to->along[axis][k] + part;
    }
  }
  for (int axis = 0; axis < dimension; axis++) to->along[axis] = to->own[axis];
}

HOT void find_tangential(const pair_pass *pass, const pair_block *pairs, const law_block *block,
                         tangential_force *to, const int dimension)
{
  const law *which = pass->which;
  for (int axis = 0; axis < 3; axis++) to->along[axis] = nothing;
  for (int32_t n = 0; n < which->output_count; n++)
    if (which->output[n].kind == OUTPUT_TANGENTIAL_VECTOR) to->along[which->output[n].number] = block->output[n];
  for (int32_t n = 0; n < which->output_count; n++)
    if (which->output[n].kind == OUTPUT_TANGENTIAL) add_along_slip(pairs, block->output[n], to, dimension);
}

/* Torque over moment arm, t x n. */
HOT void find_torque(pair_block *pairs, const tangential_force *force, const int dimension)
{
  const double *tx = force->along[0], *ty = force->along[1], *tz = force->along[2];
  for (int32_t k = 0; k < pairs->count; k++) {
    double nx = pairs->unit[0][k], ny = pairs->unit[1][k];
    pairs->turn[2][k] = ny * tx[k] - nx * ty[k];
    if (dimension == 2) continue;
    double nz = pairs->unit[2][k];
    pairs->turn[0][k] = nz * ty[k] - ny * tz[k];
    pairs->turn[1][k] = nx * tz[k] - nz * tx[k];
  }
}

HOT void add_pushes(const push_places *to, const pair_block *pairs, double (*force)[LAW_BLOCK], const int dimension,
                    const bool turns)
{
  for (int32_t k = 0; k < pairs->count; k++) {
    particle_push *to_i = push_of(to, pairs->i[k], pairs->entry[k]);
    particle_push *to_j = push_of(to, pairs->j[k], pairs->entry[k]);
    for (int axis = 0; axis < dimension; axis++) {
      to_i->force[axis] -= force[axis][k];
      to_j->force[axis] += force[axis][k];
    }
    for (int axis = dimension == 2 ? 2 : 0; axis < 3 && turns; axis++) {
      to_i->torque[axis] += pairs->arm[0][k] * pairs->turn[axis][k];
      to_j->torque[axis] += pairs->arm[1][k] * pairs->turn[axis][k];
    }
  }
}

/* tangential: NULL: there is none; turns: it turns the particles. */
HOT void plain_exert(const push_places *to, pair_block *pairs, const double *normal,
                     const tangential_force *tangential, const int dimension, const bool turns)
{
  double force[3][LAW_BLOCK] __attribute__((aligned(64)));
  for (int axis = 0; axis < dimension; axis++)
    for (int32_t k = 0; k < pairs->count; k++) force[axis][k] = normal[k] * pairs->unit[axis][k];
  for (int axis = 0; axis < dimension && tangential; axis++)
    for (int32_t k = 0; k < pairs->count; k++) force[axis][k] += tangential->along[axis][k];
  if (turns) find_torque(pairs, tangential, dimension);
  add_pushes(to, pairs, force, dimension, turns);
}

/* On the second particle of the entry, not on that of the greater id. */
static void record_forces(const pair_pass *pass, const pair_block *pairs, const double *normal,
                          const tangential_force *tangential)
{
  const pair_forces *to = pass->all->view.forces;
  for (int32_t k = 0; k < pairs->count; k++) {
    int32_t entry = pairs->entry[k];
    double sign = pass->source.turned[entry] ? -1.0 : 1.0;
    if (pass->shown && (entry = pass->shown[entry]) < 0) continue;
    to->normal[0][entry] += normal[k];
    for (int axis = 0; axis < pass->all->dimension && tangential; axis++)
      to->tangential[0][axis][entry] += sign * tangential->along[axis][k];
  }
}

static void record_pairs(const pair_pass *pass, const pair_block *pairs, const law_block *block, int dimension)
{
  const record_rows rows = {.count = pairs->count,
                            .entry = pairs->entry,
                            .distance = pairs->distance,
                            .reach = pairs->sum,
                            .normal = {pairs->unit[0], pairs->unit[1], dimension == 3 ? pairs->unit[2] : NULL}};
  law_record_block(pass->all, pass->which, &rows, block);
}

/* Force on j times the way from i, as in laws_moment.virial. The way is the unit vector times the distance. */
static void add_virial(const pair_block *pairs, double *const force[3], double sign, int dimension,
                       double virial[9])
{
  for (int row = 0; row < dimension; row++)
    for (int column = 0; column < dimension; column++) {
      double sum = 0.0;
      for (int32_t k = 0; k < pairs->count; k++)
        sum += force[row][k] * (pairs->distance[k] * pairs->unit[column][k]);
      virial[3 * row + column] += sign * sum;
    }
}

static void add_virial_along(const pair_block *pairs, const double *normal, const tangential_force *tangential,
                             int dimension, double virial[9])
{
  double on_j[3][LAW_BLOCK], *const force[3] = {on_j[0], on_j[1], on_j[2]};
  for (int axis = 0; axis < dimension; axis++)
    for (int32_t k = 0; k < pairs->count; k++)
      on_j[axis][k] = normal[k] * pairs->unit[axis][k] + (tangential ? tangential->along[axis][k] : 0.0);
  add_virial(pairs, force, 1.0, dimension, virial);
}

/* Vectors are on i. */
static void add_virial_of_vectors(const law *which, const pair_block *pairs, law_block *block, int dimension,
                                  double virial[9])
{
  double none[LAW_BLOCK] = {0.0}, *force[3] = {none, none, none};
  for (int32_t n = 0; n < which->output_count; n++)
    if (which->output[n].kind == OUTPUT_FORCE) force[which->output[n].number] = block->output[n];
  add_virial(pairs, force, -1.0, dimension, virial);
}

HOT void exert(const pair_pass *pass, pair_block *pairs, const law_block *block, const double *normal, int64_t end,
               pair_sums *sums, const int dimension, const bool wide)
{
  const push_places to = {pass->source.sum, pass->foreign, pass->acted, end};
  const bool across = pass->which->has_tangential, turns = across && pass->turns;
  tangential_force tangential;
  if (across) find_tangential(pass, pairs, block, &tangential, dimension);
  if (law_is_shown(pass->all, pass->which) && !pass->tiled)
    record_forces(pass, pairs, normal, across ? &tangential : NULL);
  if (pass->looks_only) return;
  if (!wide && pass->at->virial)
    add_virial_along(pairs, normal, across ? &tangential : NULL, dimension, sums->virial);
  if (wide && (dimension == 3 || !across))
    wide_exert(&to, pairs, normal, across ? tangential.along : NULL, turns);
  else if (turns)
    plain_exert(&to, pairs, normal, &tangential, dimension, true);
  else
    plain_exert(&to, pairs, normal, across ? &tangential : NULL, dimension, false);
}

/* Eight sums side by side: one would wait for itself from pair to pair. */
HOT double sum_of_block(const double *value, int32_t count)
{
  double sum[8] = {0.0};
  int32_t k = 0;
  for (; k + 8 <= count; k += 8)
    for (int n = 0; n < 8; n++) sum[n] += value[k + n];
  for (int n = 0; k < count; k++, n++) sum[n] += value[k];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

HOT void scatter(const double *values, const int32_t *slot, int32_t count, double *column, const bool wide)
{
  if (wide)
    wide_scatter(values, slot, count, column);
  else
    for (int32_t k = 0; k < count; k++) column[slot[k]] = values[k];
}

HOT void take_outputs(const pair_pass *pass, pair_block *pairs, law_block *block, int64_t end, pair_sums *sums,
                      const int dimension, const bool wide)
{
  const law *which = pass->which;
  const double *normal = nothing;
  for (int32_t n = 0; n < which->output_count; n++) {
    const law_output *output = &which->output[n];
    const double *value = block->output[n];
    if (output->kind == OUTPUT_NORMAL) {
      normal = value;
    } else if (output->kind == OUTPUT_MEMORY) {
      if (!pass->all->observes)
        scatter(value, pairs->entry, pairs->count, pass->pairs->memory[which->memory[output->number].next], wide);
    } else if (output->kind == OUTPUT_ENERGY) {
      sums->energy += sum_of_block(value, pairs->count);
    } else if (output->kind == OUTPUT_BROKEN && !pass->all->observes) {
      for (int32_t k = 0; k < pairs->count; k++) which->bonds->broken[pairs->entry[k]] = value[k] != 0.0;
    }
  }
  if (which->has_line) exert(pass, pairs, block, normal, end, sums, dimension, wide);
  if (which->has_vector) {
    const push_places to = {pass->source.sum, pass->foreign, pass->acted, end};
    if (!pass->looks_only) pair_add_vectors(&to, which, pairs, block, pass->turns);
    if (law_is_shown(pass->all, pass->which) && !pass->tiled)
      pair_record_vectors(pass->all, which, pairs, pass->source.turned, pass->shown, block);
    if (!wide && pass->at->virial && !pass->looks_only)
      add_virial_of_vectors(which, pairs, block, dimension, sums->virial);
  }
  if (which->amount_count > 0 && !pass->looks_only) pair_add_amounts(&pass->amounts, which, pairs, block, end);
}

#endif
