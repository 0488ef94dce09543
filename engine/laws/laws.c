/*
 * Registry of laws, and their evaluation. See laws.h.
 *
 * A step with pair laws makes two passes. First, for blocks of pairs: separation, distance, and the sum of
 * all laws' normal forces, kept as a force vector per pair. Second, for blocks of particles: the sum over
 * the pairs in which the particle is first (its row) and second (incoming), in that order. Nobody writes
 * where another thread reads, and the order of additions is that of the list.
 */
#include "laws/laws.h"

#include "laws/attraction.h"
#include "laws/flow.h"
#include "laws/law_input.h"

#include "base/parallel.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PAIR_CHUNK = 4096, LAW_LIMIT = 64, OUTPUT_LIMIT = 3 };

struct laws {
  environment *env;
  int32_t dimension;
  int32_t pair_count, field_count, attraction_count;
  law pair[LAW_LIMIT];
  law field[LAW_LIMIT];
  attraction attraction[LAW_LIMIT];
  floc_flow_options drift;
  law drift_function;
  bool has_a_priori;
  law a_priori;
  double sigma;
};

floc_status laws_create(environment *env, int32_t dimension, laws **all)
{
  *all = memory_resize(env, NULL, 0, sizeof(laws));
  if (!*all) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof(laws));
  memset(*all, 0, sizeof(laws));
  (*all)->env = env;
  (*all)->dimension = dimension;
  return FLOC_OK;
}

void laws_destroy(laws *all)
{
  if (all) memory_free(all->env, all, sizeof(laws));
}

static floc_status add_law(laws *all, const particles *table, const floc_law_options *options, bool pair, law *list,
                           int32_t *count, int32_t *number)
{
  if (*count == LAW_LIMIT)
    return refuse(all->env, FLOC_LIMIT_EXCEEDED, "there are %d laws of this kind already, the most there can be",
                  LAW_LIMIT);
  floc_status status = law_resolve(all->env, table, options, pair, pair ? 1 : all->dimension, &list[*count]);
  if (status != FLOC_OK) return status;
  *number = (*count)++;
  return FLOC_OK;
}

floc_status laws_add_pair(laws *all, const particles *table, const floc_law_options *options, int32_t *number)
{
  return add_law(all, table, options, true, all->pair, &all->pair_count, number);
}

floc_status laws_add_field(laws *all, const particles *table, const floc_law_options *options, int32_t *number)
{
  return add_law(all, table, options, false, all->field, &all->field_count, number);
}

floc_status laws_add_attraction(laws *all, const floc_attraction_options *options, int32_t *number)
{
  if (all->attraction_count == LAW_LIMIT)
    return refuse(all->env, FLOC_LIMIT_EXCEEDED, "there are %d attractions already, the most there can be",
                  LAW_LIMIT);
  floc_status status = attraction_resolve(all->env, options, &all->attraction[all->attraction_count]);
  if (status != FLOC_OK) return status;
  *number = all->attraction_count++;
  return FLOC_OK;
}

floc_status laws_set_noise(laws *all, const floc_noise_options *options)
{
  if (!(options->sigma >= 0.0 && isfinite(options->sigma)))
    return refuse(all->env, FLOC_INVALID_ARGUMENT, "sigma is %g; it must be a finite number of at least 0",
                  options->sigma);
  all->sigma = options->sigma;
  return FLOC_OK;
}

int32_t laws_count(const laws *all)
{
  return all->pair_count + all->field_count + all->attraction_count;
}

double laws_range(const laws *all)
{
  double range = 0.0;
  for (int32_t k = 0; k < all->pair_count; k++) range = fmax(range, all->pair[k].range);
  for (int32_t k = 0; k < all->attraction_count; k++) range = fmax(range, all->attraction[k].range);
  return range;
}

/* ---- one block of a kernel ---- */

/* Inputs and outputs of up to LAW_BLOCK elements. */
typedef struct law_block {
  double input[LAW_INPUT_LIMIT][LAW_BLOCK];
  double output[OUTPUT_LIMIT][LAW_BLOCK];
} law_block;

static floc_status call_kernel(const law *which, int32_t count, law_block *block)
{
  const double *inputs[LAW_INPUT_LIMIT];
  double *outputs[OUTPUT_LIMIT];
  for (int32_t k = 0; k < which->input_count; k++) inputs[k] = block->input[k];
  for (int32_t k = 0; k < which->output_count; k++) outputs[k] = block->output[k];
  return which->function(which->context, count, inputs, outputs);
}

/* What the passes share. */
typedef struct law_pass {
  laws *all;
  const particles *table;
  const pair_list *pairs;
  const domain *box;
  double time, time_step;
  const law *current;        /* field pass */
  double *force[3];          /* per pair, on the second particle */
  floc_status *chunk_status; /* per chunk */
  int64_t *chunk_bad;        /* element at which an output was not finite */
} law_pass;

/* The first chunk that failed decides, whatever thread did it. */
static floc_status first_failure(law_pass *pass, int64_t chunks, int64_t *bad)
{
  for (int64_t k = 0; k < chunks; k++) {
    if (pass->chunk_status[k] == FLOC_OK) continue;
    *bad = pass->chunk_bad[k];
    return pass->chunk_status[k];
  }
  return FLOC_OK;
}

static bool make_chunk_marks(law_pass *pass, int64_t chunks, arena *scratch)
{
  pass->chunk_status = arena_allocate(scratch, (size_t)chunks, sizeof *pass->chunk_status);
  pass->chunk_bad = arena_allocate(scratch, (size_t)chunks, sizeof *pass->chunk_bad);
  return pass->chunk_status && pass->chunk_bad;
}

/* ---- pair laws ---- */

/* Geometry of the pairs of one block that are within a law's range. */
typedef struct pair_block {
  int32_t count;
  int64_t pair[LAW_BLOCK];
  double distance[LAW_BLOCK];
  double unit[3][LAW_BLOCK];
} pair_block;

static double pair_input(const law_pass *pass, const law_input *input, const pair_block *pairs, int32_t k)
{
  const particles *table = pass->table;
  int32_t i = pass->pairs->first[pairs->pair[k]], j = pass->pairs->second[pairs->pair[k]];
  switch (input->kind) {
  case INPUT_DISTANCE:
    return pairs->distance[k];
  case INPUT_OVERLAP:
    return table->column[COLUMN_radius][i] + table->column[COLUMN_radius][j] - pairs->distance[k];
  case INPUT_NORMAL_VELOCITY: {
    double rate = 0.0;
    for (int axis = 0; axis < pass->all->dimension; axis++)
      rate += pairs->unit[axis][k] * (table->column[COLUMN_vx + axis][j] - table->column[COLUMN_vx + axis][i]);
    return rate;
  }
  case INPUT_ID_I:
    return (double)table->id[i];
  case INPUT_ID_J:
    return (double)table->id[j];
  case INPUT_TIME:
    return pass->time;
  case INPUT_TIME_STEP:
    return pass->time_step;
  case INPUT_COLUMN_I:
    return table->column[input->column][i];
  case INPUT_COLUMN_J:
    return table->column[input->column][j];
  }
  return NAN;
}

static floc_status evaluate_pairs(law_pass *pass, const law *which, const pair_block *pairs, law_block *block,
                                  int64_t *bad)
{
  for (int32_t input = 0; input < which->input_count; input++)
    for (int32_t k = 0; k < pairs->count; k++)
      block->input[input][k] = pair_input(pass, &which->input[input], pairs, k);
  floc_status status = call_kernel(which, pairs->count, block);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < pairs->count; k++) {
    double normal = block->output[0][k];
    if (!isfinite(normal)) {
      *bad = pairs->pair[k];
      return FLOC_NOT_A_NUMBER;
    }
    for (int axis = 0; axis < pass->all->dimension; axis++)
      pass->force[axis][pairs->pair[k]] += normal * pairs->unit[axis][k];
  }
  return FLOC_OK;
}

/* Collects pairs of entry..end within range, LAW_BLOCK at the most; returns where it stopped. */
static int64_t collect_pairs(const law_pass *pass, double range, int64_t entry, int64_t end, pair_block *pairs)
{
  double *const *column = pass->table->column;
  int dimension = pass->all->dimension;
  pairs->count = 0;
  for (; entry < end && pairs->count < LAW_BLOCK; entry++) {
    int32_t i = pass->pairs->first[entry], j = pass->pairs->second[entry];
    double separation[3] = {0.0, 0.0, 0.0}, square = 0.0;
    for (int axis = 0; axis < dimension; axis++) {
      separation[axis] = domain_shortest(pass->box, axis, column[COLUMN_x + axis][j] - column[COLUMN_x + axis][i]);
      square += separation[axis] * separation[axis];
    }
    double reach = range + column[COLUMN_radius][i] + column[COLUMN_radius][j];
    if (square > reach * reach) continue;
    double distance = sqrt(square);
    int32_t k = pairs->count++;
    pairs->pair[k] = entry;
    pairs->distance[k] = distance;
    for (int axis = 0; axis < dimension; axis++)
      pairs->unit[axis][k] = distance > 0.0 ? separation[axis] / distance : (axis == 0 ? 1.0 : 0.0);
  }
  return entry;
}

static void pair_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  law_pass *pass = context;
  law_block block;
  pair_block pairs;
  pass->chunk_status[chunk] = FLOC_OK;
  pass->chunk_bad[chunk] = -1;
  for (int64_t entry = begin; entry < end;) {
    entry = collect_pairs(pass, pass->current->range, entry, end, &pairs);
    floc_status status = evaluate_pairs(pass, pass->current, &pairs, &block, &pass->chunk_bad[chunk]);
    if (status == FLOC_OK) continue;
    pass->chunk_status[chunk] = status;
    return;
  }
}

static floc_status refuse_pair_result(law_pass *pass, floc_status status, int64_t bad)
{
  if (status != FLOC_NOT_A_NUMBER || bad < 0) return status;
  const particles *table = pass->table;
  return refuse(pass->all->env, status,
                "pair law \"%s\" gave a force that is not finite for particles %" PRId64 " and %" PRId64,
                pass->current->name, table->id[pass->pairs->first[bad]], table->id[pass->pairs->second[bad]]);
}

static floc_status apply_pair_laws(law_pass *pass, arena *scratch)
{
  laws *all = pass->all;
  int64_t chunks = parallel_block_count(pass->pairs->count, PAIR_CHUNK);
  if (!make_chunk_marks(pass, chunks, scratch)) return FLOC_OUT_OF_MEMORY;
  environment one_thread = *all->env;
  one_thread.threads = 1;
  for (int32_t k = 0; k < all->pair_count; k++) {
    pass->current = &all->pair[k];
    all->env->message[0] = '\0';
    parallel_for(pass->current->parallel ? all->env : &one_thread, pass->pairs->count, PAIR_CHUNK, pair_chunk,
                 pass);
    int64_t bad = -1;
    floc_status status = first_failure(pass, chunks, &bad);
    if (status != FLOC_OK) return refuse_pair_result(pass, status, bad);
  }
  return FLOC_OK;
}

static void gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  (void)chunk;
  law_pass *pass = context;
  const pair_list *pairs = pass->pairs;
  for (int axis = 0; axis < pass->all->dimension; axis++) {
    const double *force = pass->force[axis];
    double *total = pass->table->column[COLUMN_fx + axis];
    for (int64_t i = begin; i < end; i++) {
      double sum = 0.0;
      for (int64_t k = pairs->start[i]; k < pairs->start[i + 1]; k++) sum -= force[k];
      for (int64_t k = pairs->incoming_start[i]; k < pairs->incoming_start[i + 1]; k++)
        sum += force[pairs->incoming[k]];
      total[i] += sum;
    }
  }
}

static floc_status apply_pairs(law_pass *pass, arena *scratch)
{
  laws *all = pass->all;
  if (all->pair_count + all->attraction_count == 0 || pass->pairs->count == 0) return FLOC_OK;
  for (int axis = 0; axis < all->dimension; axis++) {
    pass->force[axis] = arena_allocate(scratch, (size_t)pass->pairs->count, sizeof(double));
    if (!pass->force[axis]) return FLOC_OUT_OF_MEMORY;
    memset(pass->force[axis], 0, (size_t)pass->pairs->count * sizeof(double));
  }
  for (int32_t k = 0; k < all->attraction_count; k++) {
    attraction_apply(all->env, &all->attraction[k], pass->table, pass->pairs, pass->box, all->dimension,
                     pass->time_step, pass->force);
  }
  floc_status status = apply_pair_laws(pass, scratch);
  if (status == FLOC_OK) parallel_for(all->env, pass->table->count, PARALLEL_BLOCK, gather_chunk, pass);
  return status;
}

/* ---- fields ---- */

/* Shared with the flow: the values of a field's inputs for particles begin .. begin + count - 1. */
static void gather_field_inputs(const law *which, const particles *table, double time, double time_step,
                                int64_t begin, int32_t count, law_block *block)
{
  for (int32_t input = 0; input < which->input_count; input++) {
    const law_input *source = &which->input[input];
    double *values = block->input[input];
    for (int32_t k = 0; k < count; k++) {
      switch (source->kind) {
      case INPUT_ID_I:
        values[k] = (double)table->id[begin + k];
        break;
      case INPUT_TIME:
        values[k] = time;
        break;
      case INPUT_TIME_STEP:
        values[k] = time_step;
        break;
      default:
        values[k] = table->column[source->column][begin + k];
        break;
      }
    }
  }
}

static floc_status field_block(law_pass *pass, int64_t begin, int32_t count, law_block *block, int64_t *bad)
{
  gather_field_inputs(pass->current, pass->table, pass->time, pass->time_step, begin, count, block);
  floc_status status = call_kernel(pass->current, count, block);
  if (status != FLOC_OK) return status;
  for (int32_t axis = 0; axis < pass->current->output_count; axis++) {
    double *target = pass->force[axis];
    for (int32_t k = 0; k < count; k++) {
      if (!isfinite(block->output[axis][k])) {
        *bad = begin + k;
        return FLOC_NOT_A_NUMBER;
      }
      target[begin + k] += block->output[axis][k];
    }
  }
  return FLOC_OK;
}

static void field_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  law_pass *pass = context;
  law_block block;
  pass->chunk_status[chunk] = FLOC_OK;
  pass->chunk_bad[chunk] = -1;
  for (int64_t first = begin; first < end; first += LAW_BLOCK) {
    int32_t count = (int32_t)(end - first < LAW_BLOCK ? end - first : LAW_BLOCK);
    floc_status status = field_block(pass, first, count, &block, &pass->chunk_bad[chunk]);
    if (status == FLOC_OK) continue;
    pass->chunk_status[chunk] = status;
    return;
  }
}

/* Adds the outputs of one kernel over all particles to the columns `target`. */
static floc_status apply_field(law_pass *pass, const law *which, double *const target[3], arena *scratch)
{
  int64_t chunks = parallel_block_count(pass->table->count, PARALLEL_BLOCK);
  if (!make_chunk_marks(pass, chunks, scratch)) return FLOC_OUT_OF_MEMORY;
  environment threads = *pass->all->env;
  if (!which->parallel) threads.threads = 1;
  pass->current = which;
  for (int axis = 0; axis < 3; axis++) pass->force[axis] = target[axis];
  parallel_for(&threads, pass->table->count, PARALLEL_BLOCK, field_chunk, pass);
  int64_t bad = -1;
  floc_status status = first_failure(pass, chunks, &bad);
  if (status == FLOC_NOT_A_NUMBER && bad >= 0) {
    return refuse(pass->all->env, status, "field \"%s\" gave a value that is not finite for particle %" PRId64,
                  which->name, pass->table->id[bad]);
  }
  return status;
}

floc_status laws_apply(laws *all, particles *table, const neighbors *near, const domain *box, double time,
                       double time_step, arena *scratch)
{
  law_pass pass = {
      .all = all, .table = table, .pairs = neighbors_pairs(near), .box = box, .time = time, .time_step = time_step};
  for (int axis = 0; axis < all->dimension; axis++)
    if (table->count > 0) memset(table->column[COLUMN_fx + axis], 0, (size_t)table->count * sizeof(double));
  floc_status status = apply_pairs(&pass, scratch);
  for (int32_t k = 0; k < all->field_count && status == FLOC_OK; k++)
    status = apply_field(&pass, &all->field[k], &table->column[COLUMN_fx], scratch);
  return status;
}

/* ---- flow and noise ---- */

floc_status laws_set_flow(laws *all, const particles *table, const floc_flow_options *options)
{
  law function = {0};
  floc_status status = FLOC_OK;
  if (options->kind == FLOC_FLOW_FUNCTION)
    status = law_resolve(all->env, table, &options->function, false, all->dimension, &function);
  if (status == FLOC_OK) status = flow_check(all->env, options);
  if (status != FLOC_OK) return status;
  all->drift = *options;
  all->drift_function = function;
  return FLOC_OK;
}

floc_status laws_set_a_priori(laws *all, const particles *table, const floc_law_options *options)
{
  law function = {0};
  floc_status status = options ? law_resolve(all->env, table, options, false, all->dimension, &function) : FLOC_OK;
  if (status != FLOC_OK) return status;
  all->a_priori = function;
  all->has_a_priori = options != NULL;
  return FLOC_OK;
}

/* The kernel adds to what is there. */
static floc_status velocities_of_host(laws *all, const particles *table, const free_velocity_input *input,
                                      double *const free_velocity[3], arena *scratch)
{
  law_pass pass = {.all = all, .table = table, .time = input->time, .time_step = input->time_step};
  for (int axis = 0; axis < all->dimension; axis++)
    memset(free_velocity[axis], 0, (size_t)table->count * sizeof(double));
  return apply_field(&pass, &all->a_priori, free_velocity, scratch);
}

floc_status laws_free_velocity(laws *all, const particles *table, const free_velocity_input *input,
                               double *const free_velocity[3], arena *scratch)
{
  double *stream[3] = {NULL, NULL, NULL};
  if (all->has_a_priori) return velocities_of_host(all, table, input, free_velocity, scratch);
  if (all->drift.kind == FLOC_FLOW_FUNCTION) {
    law_pass pass = {.all = all, .table = table, .time = input->time, .time_step = input->time_step};
    for (int axis = 0; axis < all->dimension; axis++) {
      stream[axis] = arena_allocate(scratch, (size_t)table->count, sizeof(double));
      if (!stream[axis]) return FLOC_OUT_OF_MEMORY;
      memset(stream[axis], 0, (size_t)table->count * sizeof(double));
    }
    floc_status status = apply_field(&pass, &all->drift_function, stream, scratch);
    if (status != FLOC_OK) return status;
  }
  free_velocity_pass pass = {&all->drift,
                             all->sigma,
                             table,
                             input,
                             {stream[0], stream[1], stream[2]},
                             {free_velocity[0], free_velocity[1], free_velocity[2]},
                             all->dimension};
  flow_free_velocity(all->env, &pass);
  return FLOC_OK;
}
