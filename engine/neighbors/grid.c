/*
 * Particles sorted by cell: a counting sort into the buckets of one grid per level.
 *
 * A grid must not take memory for empty space, so the number of buckets is bounded by the number of
 * particles. Where a level's box has more cells than that, cells are laid round and round over the buckets,
 * axis by axis (cell modulo count): neighbouring cells stay neighbours, rows of cells stay rows, and a
 * stray particle far away costs nothing. Particles of different cells that share a bucket are told apart
 * by their distance. Bucket counts that are laid over are primes, so that lattices do not pile up.
 *
 * Periodic axes are round by nature: their number of cells is a multiple of the number of buckets.
 *
 * Memory: start[] has one entry per bucket; slot[] and columns are in the order of buckets, so a row of
 * cells is one run of both. Only the bucket of each particle is found in parallel: counting and placing
 * are a few percent of a rebuild.
 */
#include "neighbors/internal.h"

#include "base/threads/parallel.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BUCKETS_PER_PARTICLE = 4, LEAST_BUCKETS = 64 };

static const double MOST_PERIODIC_CELLS = 0x1p30;

void grid_free(grid *cells, environment *env)
{
  array_free(env, (void **)&cells->start, &cells->start_capacity, sizeof *cells->start);
  array_free(env, (void **)&cells->bucket, &cells->bucket_capacity, sizeof *cells->bucket);
  array_free(env, (void **)&cells->slot, &cells->slot_capacity, sizeof *cells->slot);
  array_free(env, (void **)&cells->point, &cells->point_capacity, sizeof *cells->point);
}

/* ---- axes ---- */

static bool is_prime(int64_t number)
{
  for (int64_t divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0) return false;
  return number >= 2;
}

static int64_t prime_at_most(int64_t number)
{
  while (number > 2 && !is_prime(number)) number--;
  return number;
}

/* Lays out the cells of an axis; returns how many there are. */
static double shape_axis(grid_axis *axis, const grid_level *level, int a, const domain *box)
{
  double width = 2.0 * level->extent;
  if (box->length[a] > 0.0) {
    double cells = fmin(floor(box->length[a] / width), MOST_PERIODIC_CELLS);
    if (!(cells >= 1.0)) cells = 1.0;
    *axis = (grid_axis){.origin = box->lower[a], .cells = (int64_t)cells, .cyclic = true};
    axis->width = box->length[a] / cells;
    axis->inverse = 1.0 / axis->width;
    return cells;
  }
  *axis = (grid_axis){.width = width, .inverse = 1.0 / width};
  axis->base = grid_cell(axis, level->lower[a]);
  axis->cells = grid_cell(axis, level->upper[a]) + 1;
  return (double)axis->cells;
}

/* Sets how many buckets an axis gets out of the share that was found for it. */
static void fill_axis(grid_axis *axis, double share)
{
  axis->count = axis->cells;
  if (share >= (double)axis->cells) return;
  axis->count = prime_at_most((int64_t)share);
  if (axis->count < 1) axis->count = 1;
  if (axis->cyclic) { /* periodic */
    double length = axis->width * (double)axis->cells;
    axis->cells = axis->cells / axis->count * axis->count;
    axis->width = length / (double)axis->cells;
    axis->inverse = 1.0 / axis->width;
  }
  axis->cyclic = true;
}

void grid_shape_level(grid_level *level, int32_t dimension, const domain *box)
{
  double budget = (double)level->particle_count * BUCKETS_PER_PARTICLE + LEAST_BUCKETS;
  double share[3] = {1.0, 1.0, 1.0};
  for (int a = 0; a < dimension; a++) share[a] = shape_axis(&level->axis[a], level, a, box);
  while (share[0] * share[1] * share[2] > budget) {
    int longest = 0;
    for (int a = 1; a < dimension; a++)
      if (share[a] > share[longest]) longest = a;
    share[longest] *= 0.8;
  }
  level->bucket_count = 1;
  for (int a = 0; a < dimension; a++) {
    fill_axis(&level->axis[a], share[a]);
    level->bucket_count *= level->axis[a].count;
  }
  for (int a = dimension; a < 3; a++) level->axis[a] = (grid_axis){.cells = 1, .count = 1, .width = 1.0};
}

/* ---- sorting ---- */

typedef struct sort_pass {
  grid *cells;
  const grid_input *input;
} sort_pass;

static inline void read_point(const grid_input *input, int32_t dimension, int64_t i, double x[3])
{
  for (int a = 0; a < dimension; a++) x[a] = domain_wrap(input->box, a, input->position[a][i]);
}

static void bucket_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const sort_pass *pass = context;
  grid *cells = pass->cells;
  const grid_input *input = pass->input;
  for (int64_t i = begin; i < end; i++) {
    double x[3], extent = particle_extent(input->radius[i], input->bound[i], input->slack);
    read_point(input, cells->dimension, i, x);
    const grid_level *level = &cells->level[grid_level_of(cells, extent)];
    int64_t bucket = grid_place(level, cells->dimension, x);
    assert(bucket >= 0 && bucket < level->bucket_count);
    cells->bucket[i] = (int32_t)(level->offset + bucket);
  }
}

/* Counts, sums up, places. start[] ends one bucket late and is shifted back. */
static void place_points(const sort_pass *pass)
{
  grid *cells = pass->cells;
  const grid_input *input = pass->input;
  int32_t *start = cells->start;
  memset(start, 0, (size_t)(cells->bucket_count + 1) * sizeof *start);
  for (int64_t i = 0; i < input->count; i++) start[cells->bucket[i]]++;
  int32_t sum = 0;
  for (int64_t b = 0; b < cells->bucket_count; b++) {
    int32_t count = start[b];
    start[b] = sum;
    sum += count;
  }
  int32_t dimension = cells->dimension;
  for (int64_t i = 0; i < input->count; i++) {
    int32_t place = start[cells->bucket[i]]++;
    double x[3];
    cells->slot[place] = (int32_t)i;
    read_point(input, dimension, i, x);
    for (int a = 0; a < dimension; a++) cells->column[a][place] = x[a];
    cells->column[dimension][place] = particle_extent(input->radius[i], input->bound[i], input->slack);
  }
  memmove(start + 1, start, (size_t)cells->bucket_count * sizeof *start);
  start[0] = 0;
}

static void begin_columns(grid *cells, int64_t count)
{
  for (int32_t a = 0; a <= cells->dimension; a++) {
    cells->column[a] = cells->point + a * (count + GRID_SPARE);
    for (int64_t k = count; k < count + GRID_SPARE; k++) cells->column[a][k] = 0.0;
  }
  for (int64_t k = count; k < count + GRID_SPARE; k++) cells->slot[k] = 0;
}

static floc_status reserve(grid *cells, environment *env, int64_t count)
{
  size_t points = (size_t)count + GRID_SPARE, buckets = (size_t)cells->bucket_count;
  floc_status status =
      array_reserve(env, (void **)&cells->start, &cells->start_capacity, buckets + 1, sizeof(int32_t));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&cells->bucket, &cells->bucket_capacity, points, sizeof(int32_t));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&cells->slot, &cells->slot_capacity, points, sizeof(int32_t));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&cells->point, &cells->point_capacity,
                           points * (size_t)(cells->dimension + 1), sizeof(double));
  return status;
}

floc_status grid_build(grid *cells, const grid_input *input)
{
  grid_choose_levels(cells, input);
  cells->bucket_count = 0;
  for (int32_t k = 0; k < cells->level_count; k++) {
    grid_shape_level(&cells->level[k], cells->dimension, input->box);
    cells->level[k].offset = cells->bucket_count;
    cells->bucket_count += cells->level[k].bucket_count;
  }
  if (cells->bucket_count >= INT32_MAX) {
    return refuse(input->env, FLOC_LIMIT_EXCEEDED, "%" PRId64 " cells for %" PRId64 " particles; the limit is %d",
                  cells->bucket_count, input->count, INT32_MAX - 1);
  }
  floc_status status = reserve(cells, input->env, input->count);
  if (status != FLOC_OK) return status;
  begin_columns(cells, input->count);
  sort_pass pass = {cells, input};
  parallel_for(input->env, input->count, PARALLEL_BLOCK, bucket_block, &pass);
  place_points(&pass);
  return FLOC_OK;
}
