/*
 * Attraction between neighbouring pairs. See attraction.h.
 *
 * sech^2(x) = 4 e / (1 + e)^2 with e = exp(-2 |x|): one exponential, no overflow.
 *
 * Particles are cut into blocks. A block goes through the rows of its particles and adds to these; then through
 * the entries of earlier blocks' rows that lead into it, which are computed once more. So no thread writes where
 * another thread writes, and every sum has its order from the list and the size of blocks alone. Entries are taken
 * in chunks: those in range are collected without a branch, then all that is left runs through columns.
 */
#include "laws/attraction.h"

#include "base/fields.h"
#include "base/mathematics/mathematics.h"
#include "base/numbers/wide.h"
#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 };

static const double default_range_in_epsilon = 5.0;

floc_status attraction_resolve(environment *env, const floc_attraction_options *options, attraction *result)
{
  floc_status status = fields_check(env, &struct_attraction_options, options);
  if (status != FLOC_OK) return status;
  *result = (attraction){options->kappa / options->epsilon, options->epsilon,
                         options->range > 0.0 ? options->range : default_range_in_epsilon * options->epsilon,
                         options->noise_scaling};
  return FLOC_OK;
}

typedef struct attraction_pass {
  const attraction *which;
  const pair_list *pairs;
  const domain *box;
  bool skew;
  const double *position[3], *radius;
  double *force[3];
  double scale;
  int32_t dimension;
  int64_t block_size;
  double (*virial)[9]; /* per block; NULL: it is not wanted */
} attraction_pass;

/* Pairs in range. */
typedef struct attraction_chunk {
  int32_t count;
  int32_t first[CHUNK], second[CHUNK];
  double way[3][CHUNK]; /* from first to second; later the force on second */
  double square[CHUNK], contact[CHUNK];
} attraction_chunk;

/* Coincident centres have no direction: they are left out. */
HOT void collect(const attraction_pass *pass, int32_t i, int32_t j, attraction_chunk *chunk, const int dimension)
{
  int32_t k = chunk->count;
  double square = 0.0, shifted[3] = {0.0, 0.0, 0.0};
  if (pass->skew) {
    for (int axis = 0; axis < dimension; axis++) shifted[axis] = pass->position[axis][j] - pass->position[axis][i];
    domain_nearest(pass->box, shifted);
  }
  for (int axis = 0; axis < dimension; axis++) {
    double way = pass->skew ? shifted[axis]
                            : domain_shortest(pass->box, axis, pass->position[axis][j] - pass->position[axis][i]);
    chunk->way[axis][k] = way;
    square += way * way;
  }
  double contact = pass->radius[i] + pass->radius[j], reach = contact + pass->which->range;
  chunk->first[k] = i;
  chunk->second[k] = j;
  chunk->square[k] = square;
  chunk->contact[k] = contact;
  chunk->count += (square <= reach * reach) & (square > 0.0);
}

/* The force on the second times the way to it. */
HOT void add_virial(const attraction_chunk *chunk, int32_t k, double pull, const int dimension, double virial[9])
{
  for (int row = 0; row < dimension; row++)
    for (int column = 0; column < dimension; column++)
      virial[3 * row + column] += pull * chunk->way[row][k] * chunk->way[column][k];
}

/* Ways become forces. */
HOT void find_forces(const attraction_pass *pass, attraction_chunk *chunk, double *virial, const int dimension)
{
  const double factor = -2.0 / pass->which->epsilon, strength = -4.0 * pass->scale;
  const int32_t count = chunk->count;
  double distance[CHUNK], decay[CHUNK];
  for (int32_t k = 0; k < count; k++) {
    distance[k] = sqrt(chunk->square[k]);
    decay[k] = factor * fabs(distance[k] - chunk->contact[k]);
  }
  mathematics_of_many(MATHEMATICS_exp, 512)(decay, NULL, decay, count);
  for (int32_t k = 0; k < count; k++) {
    double more = 1.0 + decay[k], pull = strength * decay[k] / (more * more * distance[k]);
    if (virial) add_virial(chunk, k, pull, dimension, virial);
    for (int axis = 0; axis < dimension; axis++) chunk->way[axis][k] *= pull;
  }
}

/* On particles before slot `end`; own: on the first ones as well. */
HOT void add_forces(const attraction_pass *pass, attraction_chunk *chunk, int64_t end, double *virial,
                    const bool own, const int dimension)
{
  find_forces(pass, chunk, virial, dimension);
  for (int32_t k = 0; k < chunk->count; k++) {
    for (int axis = 0; axis < dimension; axis++) {
      double force = chunk->way[axis][k];
      if (own) pass->force[axis][chunk->first[k]] -= force;
      if (!own || chunk->second[k] < end) pass->force[axis][chunk->second[k]] += force;
    }
  }
  chunk->count = 0;
}

HOT void attract_rows(const attraction_pass *pass, int64_t begin, int64_t end, const int dimension)
{
  attraction_chunk chunk;
  const pair_list *pairs = pass->pairs;
  const int64_t last = pairs->start[end];
  double *virial = pass->virial ? pass->virial[begin / pass->block_size] : NULL;
  chunk.count = 0;
  for (int64_t entry = pairs->start[begin]; entry < last; entry++) {
    collect(pass, pairs->first[entry], pairs->second[entry], &chunk, dimension);
    if (chunk.count == CHUNK) add_forces(pass, &chunk, end, virial, true, dimension);
  }
  add_forces(pass, &chunk, end, virial, true, dimension);
}

/* Entries that come before the block's own and lead into it. */
HOT void attract_incoming(const attraction_pass *pass, int64_t begin, int64_t end, const int dimension)
{
  attraction_chunk chunk;
  const pair_list *pairs = pass->pairs;
  const int64_t own = pairs->start[begin];
  chunk.count = 0;
  for (int64_t j = begin; j < end; j++) {
    for (int64_t n = pairs->incoming_start[j]; n < pairs->incoming_start[j + 1] && pairs->incoming[n] < own; n++) {
      collect(pass, pairs->first[pairs->incoming[n]], (int32_t)j, &chunk, dimension);
      if (chunk.count == CHUNK) add_forces(pass, &chunk, end, NULL, false, dimension);
    }
  }
  add_forces(pass, &chunk, end, NULL, false, dimension);
}

HOT void attract_block_loop(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const attraction_pass *pass = context;
  if (pass->dimension == 2) {
    attract_rows(pass, begin, end, 2);
    attract_incoming(pass, begin, end, 2);
  } else {
    attract_rows(pass, begin, end, 3);
    attract_incoming(pass, begin, end, 3);
  }
}

CLONED_ACTION(attract_block, (void *context, int64_t begin, int64_t end, int64_t block),
              (context, begin, end, block))

static double scale_of(const attraction *which, double time_step)
{
  return which->noise_scaling ? which->strength / sqrt(time_step) : which->strength;
}

floc_status attraction_apply(const environment *env, const attraction *which, const particles *table,
                             const pair_list *pairs, const domain *box, int32_t dimension, double time_step,
                             const pair_blocks *blocks, arena *scratch, double *virial)
{
  if (pairs->count == 0) return FLOC_OK;
  attraction_pass pass = {.which = which,
                          .pairs = pairs,
                          .box = box,
                          .radius = table->column[COLUMN_radius],
                          .scale = scale_of(which, time_step),
                          .dimension = dimension,
                          .skew = domain_is_skew(box),
                          .block_size = blocks->size};
  const arena_mark here = arena_here(scratch);
  if (virial) {
    pass.virial = arena_allocate(scratch, (size_t)blocks->count, sizeof *pass.virial);
    if (!pass.virial) return FLOC_OUT_OF_MEMORY;
    memset(pass.virial, 0, (size_t)blocks->count * sizeof *pass.virial);
  }
  for (int axis = 0; axis < dimension; axis++) {
    pass.position[axis] = table->column[COLUMN_x + axis];
    pass.force[axis] = table->column[COLUMN_fx + axis];
  }
  pair_blocks_for(env, blocks, table, attract_block, &pass);
  for (int64_t k = 0; k < blocks->count && virial; k++)
    for (int c = 0; c < 9; c++) virial[c] += pass.virial[k][c];
  arena_return(scratch, here);
  return FLOC_OK;
}

static double centres_of(const particles *table, const domain *box, int32_t dimension, int32_t i, int32_t j)
{
  double way[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int axis = 0; axis < dimension; axis++)
    way[axis] = table->column[COLUMN_x + axis][j] - table->column[COLUMN_x + axis][i];
  domain_nearest(box, way);
  for (int axis = 0; axis < dimension; axis++) square += way[axis] * way[axis];
  return sqrt(square);
}

double attraction_energy(const attraction *which, const particles *table, const pair_list *pairs, const domain *box,
                         int32_t dimension, double time_step)
{
  const double *radius = table->column[COLUMN_radius];
  const double depth = scale_of(which, time_step) * which->epsilon, edge = floc_tanh(which->range / which->epsilon);
  double sum = 0.0;
  for (int64_t k = 0; k < pairs->count; k++) {
    int32_t i = pairs->first[k], j = pairs->second[k];
    double gap = centres_of(table, box, dimension, i, j) - radius[i] - radius[j];
    if (gap <= which->range) sum += depth * (floc_tanh(gap / which->epsilon) - edge);
  }
  return sum;
}

void attraction_add_normal(const attraction *which, const particles *table, const pair_list *pairs,
                           const domain *box, int32_t dimension, double time_step, double *normal)
{
  const double *radius = table->column[COLUMN_radius];
  const double scale = scale_of(which, time_step);
  for (int64_t k = 0; k < pairs->count; k++) {
    int32_t i = pairs->first[k], j = pairs->second[k];
    double centres = centres_of(table, box, dimension, i, j), gap = centres - radius[i] - radius[j];
    if (gap > which->range || centres == 0.0) continue;
    double decay = floc_exp(-2.0 * fabs(gap) / which->epsilon), more = 1.0 + decay;
    normal[k] -= 4.0 * scale * decay / (more * more);
  }
}
