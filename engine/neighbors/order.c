/*
 * The order of storage: particles that are near each other in space should be near each other in memory.
 *
 * Particles are sorted by patch (domains/patches.h), in a patch by cell, and in a cell by id: an order that follows
 * from where they are alone. A patch is a range of the table, until some have left it for another.
 *
 * Cells come row after row, as in the grids. Strips of cells and squares of cells were
 * measured too (widths 8, 32, 128; a million particles): no faster to use, and slower to build lists from,
 * because rows of a grid are then torn. Rows can be read ahead.
 *
 * Schemes whose bits depend on the order let it depend on where particles are alone (neighbors_place_order). For
 * the others, particles are sorted once when they are first listed, because in which order they were added says
 * nothing. Later it is decided from the list alone, when it is made: the fraction of pairs whose slots are more
 * than a few rows (in 3-D, layers) apart, compared with that share right after the last sorting.
 *
 * Removed particles leave no gaps: the others keep their order and move up.
 */
#include "neighbors/internal.h"

#include "base/threads/parallel.h"
#include "domains/patches.h"
#include "particles/owned.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
  FAR_ROWS = 4,          /* pairs are far apart if their slots are farther than this number of rows of a square */
  LEAST_PARTICLES = 8192 /* fewer fit into the cache in any order */
};

static const double WORTHWHILE = 0.1; /* of all pairs have come to be far apart */

/* ---- is it worthwhile? ---- */

typedef struct far_pass {
  const pair_list *list;
  int32_t distance; /* in slots */
} far_pass;

static double far_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const far_pass *pass = context;
  const int32_t *first = pass->list->first, *second = pass->list->second;
  int64_t far = 0;
  for (int64_t k = begin; k < end; k++) far += second[k] - first[k] > pass->distance;
  return (double)far;
}

int64_t order_far_entries(const neighbors *all)
{
  const pair_list *list = &all->pairs.view;
  double count = (double)all->pairs.rows,
         row = all->dimension == 2 ? sqrt(count) : floc_cbrt(count) * floc_cbrt(count);
  far_pass pass = {list, (int32_t)fmin(FAR_ROWS * row, INT32_MAX)};
  return parallel_count(all->env, list->count, PARALLEL_BLOCK, far_block, &pass);
}

static double far_share(const neighbors *all)
{
  int64_t count = all->pairs.view.count;
  return count > 0 ? (double)all->skin.far_entries / (double)count : 0.0;
}

/* ---- by cell ---- */

typedef struct key_pass {
  const particles *table;
  const domain *box;
  const grid_level *level;
  int32_t dimension;
  int32_t *key; /* [particles] */
} key_pass;

static void key_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const key_pass *pass = context;
  for (int64_t i = begin; i < end; i++) {
    double x[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < pass->dimension; a++)
      x[a] = domain_wrap(pass->box, a, pass->table->column[COLUMN_x + a][i]);
    pass->key[i] = (int32_t)grid_place(pass->level, pass->dimension, x);
  }
}

/* Particles of the same key by their ids. */
static void sort_by_key(const particles *table, const int32_t *key, int32_t *start, int64_t keys, int32_t *order)
{
  memset(start, 0, (size_t)(keys + 1) * sizeof *start);
  EACH_SLOT(i, table) start[key[i]]++;
  int32_t sum = 0;
  for (int64_t k = 0; k < keys; k++) {
    int32_t here = start[k];
    start[k] = sum;
    sum += here;
  }
  EACH_RANK(rank, table) {
    const int64_t i = table->slot[rank];
    order[start[key[i]]++] = (int32_t)i;
  }
}

static void extent_block(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  const update *step = context;
  for (int64_t i = begin; i < end; i++)
    exact_add(sum, step->table->column[COLUMN_radius][i] + (step->same_positions ? 0.0 : step->all->bound[i]));
}

/* One grid over all particles, with cells for the mean extent. */
static grid_level typical_level(neighbors *all, const particles *table, const domain *box, bool by_bounds)
{
  update step = {.all = all, .table = table, .box = box, .same_positions = !by_bounds};
  double sum = slots_sum(all->env, table, PARALLEL_BLOCK, extent_block, &step);
  grid_level level = {.particle_count = table->count, .extent = sum / (double)table->count};
  for (int a = 0; a < all->dimension; a++) {
    const double *x = table->column[COLUMN_x + a];
    level.lower[a] = level.upper[a] = domain_wrap(box, a, x[0]);
    EACH_SLOT(i, table) {
      double wrapped = domain_wrap(box, a, x[i]);
      if (wrapped < level.lower[a]) level.lower[a] = wrapped;
      if (wrapped > level.upper[a]) level.upper[a] = wrapped;
    }
  }
  grid_shape_level(&level, all->dimension, box);
  return level;
}

/* Space for everything that neighbors_permute() will need, so that it cannot fail after the particles have
 * been moved. */
static floc_status prepare_permute(neighbors *all, int64_t rows)
{
  environment *env = all->env;
  size_t scratch = list_rename_scratch(&all->pairs, rows), of_walls = list_rename_scratch(&all->walls, rows);
  if (of_walls > scratch) scratch = of_walls;
  if ((size_t)rows > scratch) scratch = (size_t)rows;
  floc_status status =
      array_reserve(env, (void **)&all->cells.point, &all->cells.point_capacity, scratch, sizeof(double));
  if (status == FLOC_OK)
    status =
        array_reserve(env, (void **)&all->cells.bucket, &all->cells.bucket_capacity, (size_t)rows, sizeof(int32_t));
  all->pairs.next_count = all->pairs.view.count;
  all->walls.next_count = all->walls.view.count;
  if (status == FLOC_OK) status = list_prepare(&all->pairs, env, rows, all->memory_count, true);
  if (status == FLOC_OK) status = list_prepare(&all->walls, env, rows, all->memory_count, false);
  return status;
}

/* From an order by cells to one by patches, and in each by cells. */
static floc_status sort_by_patch(neighbors *all, const particles *table, const domain *box, int32_t *order)
{
  if (patches_are_one(box, table->count, all->patch_particles)) return FLOC_OK;
  arena scratch;
  patch_set patches;
  arena_init(&scratch, all->env);
  floc_status status = patches_find(all->env, &scratch, table, box, all->patch_particles, &patches);
  if (status == FLOC_OK && patches.count > 1) {
    int64_t *start = arena_allocate(&scratch, (size_t)patches.count, sizeof *start);
    int32_t *given = arena_allocate(&scratch, (size_t)table->count, sizeof *given);
    if (start && given) {
      memcpy(given, order, (size_t)table->count * sizeof *given);
      patches_order(&patches, given, start, order);
    } else {
      status = FLOC_OUT_OF_MEMORY;
    }
  }
  arena_free(&scratch);
  return status;
}

void neighbors_set_patches(neighbors *all, int64_t patch_particles)
{
  all->patch_particles = patch_particles;
}

static bool is_worthwhile(const neighbors *all, const particles *table, const domain *box)
{
  const skin *present = &all->skin;
  if (!present->built || !present->valid || all->particle_count != table->count) return false;
  if (table->count < LEAST_PARTICLES && patches_are_one(box, table->count, all->patch_particles)) return false;
  return present->baseline == NEVER_SORTED || far_share(all) > present->baseline + WORTHWHILE;
}

static floc_status sort_now(neighbors *all, const particles *table, const domain *box, bool by_bounds,
                            int32_t *order, bool *worthwhile)
{
  *worthwhile = all->grid_stands = false;
  grid_level level = typical_level(all, table, box, by_bounds);
  int64_t keys = level.bucket_count;
  if (keys >= INT32_MAX) return FLOC_OK; /* not for that number of particles */
  floc_status status = prepare_permute(all, table->count);
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->cells.start, &all->cells.start_capacity, (size_t)keys + 1,
                           sizeof(int32_t));
  if (status != FLOC_OK) return status;
  key_pass pass = {table, box, &level, all->dimension, all->cells.bucket};
  slots_for(all->env, table, PARALLEL_BLOCK, key_block, &pass);
  sort_by_key(table, pass.key, all->cells.start, keys, order);
  status = sort_by_patch(all, table, box, order);
  *worthwhile = status == FLOC_OK;
  return status;
}

floc_status neighbors_sort_order(neighbors *all, const particles *table, const domain *box, int32_t *order,
                                 bool *worthwhile)
{
  *worthwhile = is_worthwhile(all, table, box);
  return *worthwhile ? sort_now(all, table, box, true, order, worthwhile) : FLOC_OK;
}

floc_status neighbors_place_order(neighbors *all, const particles *table, const domain *box, int32_t *order,
                                  bool *worthwhile)
{
  *worthwhile = table->count >= LEAST_PARTICLES || !patches_are_one(box, table->count, all->patch_particles);
  return *worthwhile ? sort_now(all, table, box, false, order, worthwhile) : FLOC_OK;
}

/* ---- new names ---- */

static void gather(double *column, const int32_t *order, int64_t count, double *scratch)
{
  for (int64_t k = 0; k < count; k++) scratch[k] = column[order[k]];
  if (count > 0) memcpy(column, scratch, (size_t)count * sizeof *column);
}

/* After the pairs got their new names: those that were turned round. 0 stays as it is, for equal hashes. */
static void turn_pairs(neighbors *all, const int32_t *order)
{
  const pair_list *list = &all->pairs.view;
  for (int32_t m = 0; m < all->memory_count; m++) {
    if (!all->memory_turns[m]) continue;
    double *value = list->memory[m];
    for (int64_t k = 0; k < list->count; k++)
      if (value[k] != 0.0 && order[list->first[k]] > order[list->second[k]]) value[k] = -value[k];
  }
}

floc_status neighbors_permute(neighbors *all, const particles *table, const int32_t *order)
{
  int64_t rows = table->count;
  if (!all->skin.built) return FLOC_OK;
  all->grid_stands = false;
  floc_status status = prepare_permute(all, rows);
  if (status != FLOC_OK) return status;
  int32_t *inverse = all->cells.bucket;
  double *scratch = all->cells.point;
  EACH_SLOT(k, table) {
    assert(order[k] >= 0 && order[k] < rows);
    inverse[order[k]] = (int32_t)k;
  }
  list_rename(&all->pairs, all->env, rows, order, inverse, true, all->memory_count, scratch);
  turn_pairs(all, order);
  list_rename(&all->walls, all->env, rows, order, inverse, false, all->memory_count, scratch);
  if (all->particle_count == rows) {
    for (int a = 0; a < all->dimension; a++) gather(all->reference[a], order, rows, scratch);
    if (all->radii_known) gather(all->reference[3], order, rows, scratch);
    gather(all->bound, order, rows, scratch);
    gather(all->margin, order, rows, scratch);
    all->covered = false;
  } else {
    all->skin.valid = 0; /* others have come since the lists were made */
  }
  all->skin.far_entries = order_far_entries(all);
  all->skin.baseline = far_share(all);
  return FLOC_OK;
}

/* ---- fewer particles ---- */

static void drop(double *column, const int32_t *new_slot, int64_t count)
{
  for (int64_t k = 0; k < count; k++)
    if (new_slot[k] >= 0) column[new_slot[k]] = column[k];
}

void neighbors_remove(neighbors *all, const int32_t *new_slot)
{
  const int64_t count = all->particle_count, entries = all->pairs.view.count;
  if (!all->skin.built) return;
  list_remove(&all->pairs, all->env, new_slot, new_slot, true, all->memory_count);
  list_remove(&all->walls, all->env, new_slot, NULL, false, all->memory_count);
  for (int a = 0; a < all->dimension; a++) drop(all->reference[a], new_slot, count);
  if (all->radii_known) drop(all->reference[3], new_slot, count);
  drop(all->bound, new_slot, count);
  drop(all->margin, new_slot, count);
  int64_t left = 0;
  for (int64_t k = 0; k < count; k++) left += new_slot[k] >= 0;
  all->particle_count = left;
  all->covered = all->grid_stands = false;
  all->skin.far_entries = order_far_entries(all);
  if (entries > 0)
    all->skin.excess = (int64_t)((double)all->skin.excess * ((double)all->pairs.view.count / (double)entries));
}

/* ---- fewer shapes ---- */

void neighbors_remove_shapes(neighbors *all, const int32_t *new_shape)
{
  if (!all->skin.built) return;
  list_remove(&all->walls, all->env, NULL, new_shape, false, all->memory_count);
  int32_t left = 0;
  for (int32_t k = 0; k < all->shape_count; k++) left += new_shape[k] >= 0;
  all->shape_count = left;
  all->covered = all->grid_stands = false;
}
