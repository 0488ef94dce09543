/*
 * Pair laws. Two passes: first, for chunks of the list, in blocks of LAW_BLOCK pairs that are in range: geometry as
 * far as the law needs it, the kernel, and the force of each pair. Second, for blocks of particles: the sum over
 * the pairs in which the particle is first (its row) and second (incoming), in that order. Nobody writes where
 * another thread reads, and the order of additions is that of the list.
 *
 * In a law i is the particle of the smaller id, whatever the order of storage, so that a law which tells i from j,
 * and what pairs remember, do not change when storage is sorted. Per pair are kept: the force on the second
 * particle of the entry, and where a law acts across the line of centres, the vector whose product with the lever
 * arms is the torque on both (the arms add up to the distance: angular momentum is kept).
 */
#include "laws/laws_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PAIR_CHUNK = 4096 };

/* What pair_blocks() consists of is compiled twice, for any processor and for AVX2, where loads by slot are vector
 * instructions; the bits are the same. */
#define HOT static inline __attribute__((always_inline))

typedef struct pair_pass {
  laws *all;
  const laws_moment *at;
  const pair_list *pairs;
  const law *which;
  double *force[3]; /* per entry, on the second particle */
  double *turn[3];  /* per entry; NULL: no torques */
  double *arm[2];   /* per entry, of the first and the second particle */
  double *energy;   /* per chunk */
  chunk_marks marks;
} pair_pass;

/* Pairs of one block that are within range. */
typedef struct pair_block {
  int32_t count;
  int32_t i[LAW_BLOCK], j[LAW_BLOCK]; /* slots; i has the smaller id */
  int64_t entry[LAW_BLOCK];
  double sign[LAW_BLOCK]; /* 1: i is the first particle of the entry; -1: j is */
  double distance[LAW_BLOCK] __attribute__((aligned(64)));
  double unit[3][LAW_BLOCK]; /* from i to j */
  double normal_velocity[LAW_BLOCK];
  double slip[3][LAW_BLOCK];
  double tangential_velocity[LAW_BLOCK];
  double arm[2][LAW_BLOCK]; /* of i and j */
} pair_block;

/* ---- geometry ---- */

/* Collects pairs of entry .. end - 1 within range, LAW_BLOCK at the most; returns where it stopped. */
HOT int64_t collect_some(const pair_pass *pass, int64_t entry, int64_t end, pair_block *pairs, const int dimension)
{
  const laws_moment *at = pass->at;
  double *const *column = at->table->column;
  const double *radius = column[COLUMN_radius];
  const int64_t *id = at->table->id;
  int32_t count = 0;
  for (; entry < end && count < LAW_BLOCK; entry++) {
    int32_t i = pass->pairs->first[entry], j = pass->pairs->second[entry];
    double separation[3] = {0.0, 0.0, 0.0}, square = 0.0;
    for (int axis = 0; axis < dimension; axis++) {
      separation[axis] = domain_shortest(at->box, axis, column[COLUMN_x + axis][j] - column[COLUMN_x + axis][i]);
      square += separation[axis] * separation[axis];
    }
    double reach = pass->which->range + radius[i] + radius[j];
    if (square > reach * reach) continue;
    const bool turned = id[i] > id[j];
    pairs->i[count] = turned ? j : i;
    pairs->j[count] = turned ? i : j;
    pairs->sign[count] = turned ? -1.0 : 1.0;
    pairs->entry[count] = entry;
    pairs->distance[count] = square;
    for (int axis = 0; axis < dimension; axis++)
      pairs->unit[axis][count] = turned ? -separation[axis] : separation[axis];
    count++;
  }
  pairs->count = count;
  return entry;
}

HOT int64_t collect_pairs(const pair_pass *pass, int64_t entry, int64_t end, pair_block *pairs)
{
  return pass->all->dimension == 2 ? collect_some(pass, entry, end, pairs, 2)
                                   : collect_some(pass, entry, end, pairs, 3);
}

/* Coincident centres: any direction, the same every time. */
HOT void find_directions(pair_block *pairs, int dimension)
{
  for (int32_t k = 0; k < pairs->count; k++) pairs->distance[k] = sqrt(pairs->distance[k]);
  for (int axis = 0; axis < dimension; axis++) {
    double alone = axis == 0 ? 1.0 : 0.0, *unit = pairs->unit[axis];
    for (int32_t k = 0; k < pairs->count; k++)
      unit[k] = pairs->distance[k] > 0.0 ? unit[k] / pairs->distance[k] : alone;
  }
}

/* Velocities of j against i; into slip, whole, until the normal part is taken off. */
HOT void find_velocities(const pair_pass *pass, pair_block *pairs)
{
  double *const *column = pass->at->table->column;
  for (int32_t k = 0; k < pairs->count; k++) pairs->normal_velocity[k] = 0.0;
  for (int axis = 0; axis < pass->all->dimension; axis++) {
    const double *velocity = column[COLUMN_vx + axis];
    for (int32_t k = 0; k < pairs->count; k++) {
      double relative = velocity[pairs->j[k]] - velocity[pairs->i[k]];
      pairs->slip[axis][k] = relative;
      pairs->normal_velocity[k] += pairs->unit[axis][k] * relative;
    }
  }
}

/* Distances of the centres from the plane in which the spheres cut each other. */
HOT void find_arms(const pair_pass *pass, pair_block *pairs)
{
  const double *radius = pass->at->table->column[COLUMN_radius];
  for (int32_t k = 0; k < pairs->count; k++) {
    double ri = radius[pairs->i[k]], rj = radius[pairs->j[k]];
    double distance = pairs->distance[k] > 0.0 ? pairs->distance[k] : 1e-100 * (ri + rj);
    pairs->arm[0][k] = 0.5 * (distance + (ri - rj) * (ri + rj) / distance);
    pairs->arm[1][k] = distance - pairs->arm[0][k];
  }
}

/* What the spins add to the slip. */
HOT void add_spins(const pair_pass *pass, pair_block *pairs)
{
  const double *const *spin = pass->at->spin;
  for (int axis = 0; axis < 3; axis++) {
    const double *along = spin[axis];
    if (!along) continue;
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    for (int32_t k = 0; k < pairs->count; k++) {
      double turn = pairs->arm[0][k] * along[pairs->i[k]] + pairs->arm[1][k] * along[pairs->j[k]];
      /* turn e_axis x n = turn (n_b e_c - n_c e_b) */
      pairs->slip[c][k] -= turn * pairs->unit[b][k];
      pairs->slip[b][k] += turn * pairs->unit[c][k];
    }
  }
}

HOT void find_slip(const pair_pass *pass, pair_block *pairs)
{
  int dimension = pass->all->dimension;
  find_arms(pass, pairs);
  if (dimension == 2) {
    memset(pairs->unit[2], 0, (size_t)pairs->count * sizeof(double));
    memset(pairs->slip[2], 0, (size_t)pairs->count * sizeof(double));
  }
  add_spins(pass, pairs);
  for (int axis = 0; axis < dimension; axis++)
    for (int32_t k = 0; k < pairs->count; k++)
      pairs->slip[axis][k] -= pairs->normal_velocity[k] * pairs->unit[axis][k];
  double(*slip)[LAW_BLOCK] = pairs->slip;
  for (int32_t k = 0; k < pairs->count; k++)
    pairs->tangential_velocity[k] =
        dimension == 2 ? pairs->unit[0][k] * slip[1][k] - pairs->unit[1][k] * slip[0][k]
                       : sqrt(slip[0][k] * slip[0][k] + slip[1][k] * slip[1][k] + slip[2][k] * slip[2][k]);
}

HOT void find_geometry(const pair_pass *pass, pair_block *pairs)
{
  find_directions(pairs, pass->all->dimension);
  if (pass->which->needs_velocity) find_velocities(pass, pairs);
  if (pass->which->needs_slip) find_slip(pass, pairs);
}

/* ---- inputs ---- */

HOT const double *gather(const double *column, const int32_t *slot, int32_t count, double *values)
{
  for (int32_t k = 0; k < count; k++) values[k] = column[slot[k]];
  return values;
}

HOT const double *gather_ids(const particles *table, const int32_t *slot, int32_t count, double *values)
{
  for (int32_t k = 0; k < count; k++) values[k] = (double)table->id[slot[k]];
  return values;
}

HOT const double *gather_memory(const double *memory, const pair_block *pairs, double *values)
{
  for (int32_t k = 0; k < pairs->count; k++) values[k] = memory[pairs->entry[k]];
  return values;
}

HOT const double *find_overlap(const double *radius, const pair_block *pairs, double *values)
{
  for (int32_t k = 0; k < pairs->count; k++)
    values[k] = radius[pairs->i[k]] + radius[pairs->j[k]] - pairs->distance[k];
  return values;
}

/* A component beyond the dimension is 0. */
HOT const double *component(double (*vector)[LAW_BLOCK], int32_t axis, int32_t dimension, int32_t count,
                            double *values)
{
  if (axis < dimension) return vector[axis];
  memset(values, 0, (size_t)count * sizeof *values);
  return values;
}

HOT const double *pair_input(const pair_pass *pass, const law_input *source, pair_block *pairs, double *values)
{
  const particles *table = pass->at->table;
  int32_t dimension = pass->all->dimension, count = pairs->count;
  switch (source->kind) {
  case INPUT_DISTANCE:
    return pairs->distance;
  case INPUT_OVERLAP:
    return find_overlap(table->column[COLUMN_radius], pairs, values);
  case INPUT_NORMAL_VELOCITY:
    return pairs->normal_velocity;
  case INPUT_TANGENTIAL_VELOCITY:
    return pairs->tangential_velocity;
  case INPUT_NORMAL:
    return component(pairs->unit, source->number, dimension, count, values);
  case INPUT_SLIP:
    return component(pairs->slip, source->number, dimension, count, values);
  case INPUT_MEMORY:
    return gather_memory(pass->pairs->memory[pass->which->memory[source->number].now], pairs, values);
  case INPUT_ID_I:
    return gather_ids(table, pairs->i, count, values);
  case INPUT_ID_J:
    return gather_ids(table, pairs->j, count, values);
  case INPUT_COLUMN_J:
    return gather(table->column[source->number], pairs->j, count, values);
  default:
    return gather(table->column[source->number], pairs->i, count, values);
  }
}

HOT void gather_inputs(const pair_pass *pass, pair_block *pairs, law_block *block)
{
  for (int32_t k = 0; k < pass->which->input_count; k++)
    if (!law_fill_uniform(pass->which, k, pass->at->time, pass->at->time_step, pairs->count, block))
      block->from[k] = pair_input(pass, &pass->which->input[k], pairs, block->input[k]);
}

/* ---- outputs ---- */

HOT void add_force(const pair_pass *pass, const pair_block *pairs, const double (*direction)[LAW_BLOCK],
                   const double *size)
{
  for (int axis = 0; axis < pass->all->dimension; axis++) {
    double *force = pass->force[axis];
    for (int32_t k = 0; k < pairs->count; k++)
      force[pairs->entry[k]] += pairs->sign[k] * (size[k] * direction[axis][k]);
  }
}

/* Sum of the tangential outputs as a vector, on j. */
HOT void find_tangential(const pair_pass *pass, const pair_block *pairs, const law_block *block,
                         double (*tangential)[LAW_BLOCK])
{
  const law *which = pass->which;
  int32_t dimension = pass->all->dimension, count = pairs->count;
  for (int axis = 0; axis < 3; axis++) memset(tangential[axis], 0, (size_t)count * sizeof(double));
  for (int32_t n = 0; n < which->output_count; n++) {
    const double *value = block->output[n];
    const law_output *output = &which->output[n];
    if (output->kind == OUTPUT_TANGENTIAL_VECTOR && output->number < dimension) {
      for (int32_t k = 0; k < count; k++) tangential[output->number][k] += value[k];
    } else if (output->kind == OUTPUT_TANGENTIAL && dimension == 2) {
      for (int32_t k = 0; k < count; k++) tangential[0][k] -= value[k] * pairs->unit[1][k];
      for (int32_t k = 0; k < count; k++) tangential[1][k] += value[k] * pairs->unit[0][k];
    } else if (output->kind == OUTPUT_TANGENTIAL) {
      for (int32_t k = 0; k < count; k++) {
        double speed = pairs->tangential_velocity[k], factor = speed > 0.0 ? value[k] / speed : 0.0;
        for (int axis = 0; axis < 3; axis++) tangential[axis][k] += factor * pairs->slip[axis][k];
      }
    }
  }
}

HOT void add_tangential(const pair_pass *pass, const pair_block *pairs, const law_block *block)
{
  double tangential[3][LAW_BLOCK];
  find_tangential(pass, pairs, block, tangential);
  for (int axis = 0; axis < pass->all->dimension; axis++)
    for (int32_t k = 0; k < pairs->count; k++)
      pass->force[axis][pairs->entry[k]] += pairs->sign[k] * tangential[axis][k];
  if (!pass->turn[2]) return;
  for (int axis = pass->all->dimension == 2 ? 2 : 0; axis < 3; axis++) {
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    for (int32_t k = 0; k < pairs->count; k++)
      pass->turn[axis][pairs->entry[k]] +=
          pairs->unit[c][k] * tangential[b][k] - pairs->unit[b][k] * tangential[c][k];
  }
  for (int32_t k = 0; k < pairs->count; k++) {
    bool turned = pairs->sign[k] < 0.0;
    pass->arm[0][pairs->entry[k]] = pairs->arm[turned][k];
    pass->arm[1][pairs->entry[k]] = pairs->arm[!turned][k];
  }
}

HOT void take_outputs(const pair_pass *pass, const pair_block *pairs, const law_block *block, double *energy)
{
  const law *which = pass->which;
  for (int32_t n = 0; n < which->output_count; n++) {
    const law_output *output = &which->output[n];
    const double *value = block->output[n];
    if (output->kind == OUTPUT_NORMAL) {
      add_force(pass, pairs, pairs->unit, value);
    } else if (output->kind == OUTPUT_MEMORY) {
      double *next = pass->pairs->memory[which->memory[output->number].next];
      for (int32_t k = 0; k < pairs->count; k++) next[pairs->entry[k]] = value[k];
    } else if (output->kind == OUTPUT_ENERGY) {
      for (int32_t k = 0; k < pairs->count; k++) *energy += value[k];
    }
  }
  if (which->has_tangential) add_tangential(pass, pairs, block);
}

/* ---- the passes ---- */

HOT floc_status pair_blocks(const pair_pass *pass, int64_t begin, int64_t end, double *energy, int64_t *bad)
{
  law_block block;
  pair_block pairs;
  for (int64_t entry = begin; entry < end;) {
    entry = collect_pairs(pass, entry, end, &pairs);
    if (pairs.count == 0) continue;
    find_geometry(pass, &pairs);
    gather_inputs(pass, &pairs, &block);
    floc_status status = law_call(pass->which, pairs.count, &block);
    if (status != FLOC_OK) return status;
    int32_t row = law_first_bad(pass->which, &block, pairs.count);
    if (row >= 0) {
      *bad = pairs.entry[row];
      return FLOC_NOT_A_NUMBER;
    }
    take_outputs(pass, &pairs, &block, energy);
  }
  return FLOC_OK;
}

static floc_status any_blocks(const pair_pass *pass, int64_t begin, int64_t end, double *energy, int64_t *bad)
{
  return pair_blocks(pass, begin, end, energy, bad);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static floc_status wide_blocks(const pair_pass *pass, int64_t begin, int64_t end,
                                                               double *energy, int64_t *bad)
{
  return pair_blocks(pass, begin, end, energy, bad);
}

static bool has_wide_blocks(void)
{
  return __builtin_cpu_supports("avx2");
}
#else
#define wide_blocks any_blocks

static bool has_wide_blocks(void)
{
  return false;
}
#endif

static void pair_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  pair_pass *pass = context;
  const law *which = pass->which;
  pass->marks.bad[chunk] = -1;
  pass->energy[chunk] = 0.0;
  /* what is not in range forgets */
  for (int32_t k = 0; k < which->memory_count; k++)
    memset(pass->pairs->memory[which->memory[k].next] + begin, 0, (size_t)(end - begin) * sizeof(double));
  pass->marks.status[chunk] = (has_wide_blocks() ? wide_blocks : any_blocks)(pass, begin, end, &pass->energy[chunk],
                                                                             &pass->marks.bad[chunk]);
}

/* The pair is computed once more, to say what the law was given. */
static floc_status refuse_result(const pair_pass *pass, floc_status status, int64_t bad)
{
  if (status != FLOC_NOT_A_NUMBER || bad < 0) return status;
  const particles *table = pass->at->table;
  law_block block;
  pair_block pairs;
  char row[300];
  collect_pairs(pass, bad, bad + 1, &pairs);
  find_geometry(pass, &pairs);
  gather_inputs(pass, &pairs, &block);
  law_call(pass->which, pairs.count, &block);
  law_show_row(pass->which, &block, 0, row, sizeof row);
  return refuse(pass->all->env, status,
                "pair law \"%s\" gave a force that is not finite for particles %" PRId64 " and %" PRId64 ": %s",
                pass->which->name, table->id[pass->pairs->first[bad]], table->id[pass->pairs->second[bad]], row);
}

static floc_status apply_law(pair_pass *pass, law *which, int64_t chunks)
{
  laws *all = pass->all;
  pass->which = which;
  all->env->message[0] = '\0';
  environment threads = law_environment(all, which);
  parallel_for(&threads, pass->pairs->count, PAIR_CHUNK, pair_chunk, pass);
  int64_t bad = -1;
  floc_status status = chunk_marks_first(&pass->marks, chunks, &bad);
  if (status != FLOC_OK) return refuse_result(pass, status, bad);
  which->energy = 0.0;
  for (int64_t k = 0; k < chunks; k++) which->energy += pass->energy[k];
  return FLOC_OK;
}

/* One particle's force and torque: its row, then what comes in. */
static inline void gather_particle(const pair_pass *pass, int64_t i, const int dimension, const bool turns)
{
  const pair_list *pairs = pass->pairs;
  double force[3] = {0.0, 0.0, 0.0}, torque[3] = {0.0, 0.0, 0.0};
  for (int64_t k = pairs->start[i]; k < pairs->start[i + 1]; k++) {
    for (int axis = 0; axis < dimension; axis++) force[axis] -= pass->force[axis][k];
    for (int axis = dimension == 2 ? 2 : 0; axis < 3 && turns; axis++)
      torque[axis] += pass->arm[0][k] * pass->turn[axis][k];
  }
  for (int64_t n = pairs->incoming_start[i]; n < pairs->incoming_start[i + 1]; n++) {
    int32_t k = pairs->incoming[n];
    for (int axis = 0; axis < dimension; axis++) force[axis] += pass->force[axis][k];
    for (int axis = dimension == 2 ? 2 : 0; axis < 3 && turns; axis++)
      torque[axis] += pass->arm[1][k] * pass->turn[axis][k];
  }
  for (int axis = 0; axis < dimension; axis++) pass->at->table->column[COLUMN_fx + axis][i] += force[axis];
  for (int axis = dimension == 2 ? 2 : 0; axis < 3 && turns; axis++) pass->at->torque[axis][i] += torque[axis];
}

static void gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  (void)chunk;
  const pair_pass *pass = context;
  bool turns = pass->turn[2] != NULL, plane = pass->all->dimension == 2;
  for (int64_t i = begin; i < end; i++) {
    if (turns && !plane)
      gather_particle(pass, i, 3, true);
    else if (turns)
      gather_particle(pass, i, 2, true);
    else if (!plane)
      gather_particle(pass, i, 3, false);
    else
      gather_particle(pass, i, 2, false);
  }
}

static double *cleared(size_t count, arena *scratch)
{
  double *made = arena_allocate(scratch, count, sizeof *made);
  if (made) memset(made, 0, count * sizeof *made);
  return made;
}

static bool make_room(pair_pass *pass, int64_t chunks, arena *scratch)
{
  size_t count = (size_t)pass->pairs->count;
  bool made = chunk_marks_make(&pass->marks, chunks, scratch);
  made = made && (pass->energy = arena_allocate(scratch, (size_t)chunks, sizeof(double)));
  for (int axis = 0; axis < pass->all->dimension && made; axis++)
    made = (pass->force[axis] = cleared(count, scratch)) != NULL;
  if (!pass->at->torque[2] || !laws_have_torque(pass->all)) return made;
  for (int axis = pass->all->dimension == 2 ? 2 : 0; axis < 3 && made; axis++)
    made = (pass->turn[axis] = cleared(count, scratch)) != NULL;
  for (int side = 0; side < 2 && made; side++) made = (pass->arm[side] = cleared(count, scratch)) != NULL;
  return made;
}

floc_status laws_apply_pairs(laws *all, const laws_moment *at, arena *scratch)
{
  pair_pass pass = {.all = all, .at = at, .pairs = neighbors_pairs(at->near)};
  law_list *list = &all->of[FLOC_LAW_PAIR];
  for (int32_t k = 0; k < list->count; k++) list->item[k].energy = 0.0;
  if (list->count + all->attraction_count == 0 || pass.pairs->count == 0) return FLOC_OK;
  int64_t chunks = parallel_block_count(pass.pairs->count, PAIR_CHUNK);
  if (!make_room(&pass, chunks, scratch)) return FLOC_OUT_OF_MEMORY;
  for (int32_t k = 0; k < all->attraction_count; k++) {
    attraction_apply(all->env, &all->attraction[k], at->table, pass.pairs, at->box, all->dimension, at->time_step,
                     pass.force);
  }
  for (int32_t k = 0; k < list->count; k++) {
    floc_status status = apply_law(&pass, &list->item[k], chunks);
    if (status != FLOC_OK) return status;
  }
  parallel_for(all->env, at->table->count, PARALLEL_BLOCK, gather_chunk, &pass);
  return FLOC_OK;
}
