/*
 * Finding patches. See patches.h.
 *
 * Particles are sorted into the bricks of one level by a hash table; levels above follow from the bricks alone. The
 * level to begin with comes from the box around all particles, three below the one that would do if they filled it;
 * where they are denser than that, further down. Particles that are stored near each other are mostly in the same
 * brick as the one before, which is looked at first.
 */
#include "domains/patches.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double FINEST_RADII = 4.0; /* as wide is a brick of level 0 at least */

enum { LEVELS_BELOW = 3, FIRST_CAPACITY = 256 /* of a table */ };

bool patches_are_one(const domain *box, int64_t particle_count, int64_t target)
{
  return particle_count < PATCHES_LEAST * (target > 0 ? target : PATCH_PARTICLES) || domain_deforms(box);
}

/* ---- a table of bricks ---- */

typedef struct brick_table {
  arena *scratch;
  int32_t count, capacity; /* bricks; places for them, a power of 2 */
  uint64_t *brick;         /* [capacity / 2], as they came */
  int64_t *weight;         /* likewise */
  int32_t *place;          /* [capacity] number of the brick there, -1: none */
} brick_table;

static int32_t place_of(const brick_table *table, uint64_t brick)
{
  const uint64_t mixed = brick * UINT64_C(0x9E3779B97F4A7C15);
  int32_t at = (int32_t)(mixed >> 32 & (uint64_t)(table->capacity - 1));
  while (table->place[at] >= 0 && table->brick[table->place[at]] != brick) at = (at + 1) & (table->capacity - 1);
  return at;
}

static bool table_make(arena *scratch, int32_t capacity, brick_table *table)
{
  *table = (brick_table){.scratch = scratch, .capacity = capacity};
  table->brick = arena_allocate(scratch, (size_t)capacity / 2, sizeof *table->brick);
  table->weight = arena_allocate(scratch, (size_t)capacity / 2, sizeof *table->weight);
  table->place = arena_allocate(scratch, (size_t)capacity, sizeof *table->place);
  if (!table->brick || !table->weight || !table->place) return false;
  memset(table->place, -1, (size_t)capacity * sizeof *table->place);
  return true;
}

static bool table_grow(brick_table *table)
{
  brick_table wider;
  if (!table_make(table->scratch, 2 * table->capacity, &wider)) return false;
  memcpy(wider.brick, table->brick, (size_t)table->count * sizeof *wider.brick);
  memcpy(wider.weight, table->weight, (size_t)table->count * sizeof *wider.weight);
  wider.count = table->count;
  for (int32_t k = 0; k < wider.count; k++) wider.place[place_of(&wider, wider.brick[k])] = k;
  *table = wider;
  return true;
}

/* The number of a brick, which is new or not; -1: out of memory. */
static int32_t table_add(brick_table *table, uint64_t brick, int64_t weight)
{
  int32_t at = place_of(table, brick);
  if (table->place[at] < 0) {
    if (2 * table->count == table->capacity) {
      if (!table_grow(table)) return -1;
      at = place_of(table, brick);
    }
    table->brick[table->count] = brick;
    table->weight[table->count] = 0;
    table->place[at] = table->count++;
  }
  table->weight[table->place[at]] += weight;
  return table->place[at];
}

/* How many particles are in the patch of a particle, summed over particles: below 2^62. */
static uint64_t crowd_of(const brick_table *bricks)
{
  uint64_t sum = 0;
  for (int32_t k = 0; k < bricks->count; k++) sum += (uint64_t)bricks->weight[k] * (uint64_t)bricks->weight[k];
  return sum;
}

/* ---- particles into bricks ---- */

typedef struct finding {
  const environment *env;
  arena *scratch;
  const particles *table;
  const domain *box;
  uint64_t target;
  int axis; /* of extent_block */
  double sign;
} finding;

static double radius_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const finding *all = context;
  const double *radius = all->table->column[COLUMN_radius];
  double most = 0.0;
  for (int64_t i = begin; i < end; i++) most = radius[i] > most ? radius[i] : most;
  return most;
}

static double extent_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const finding *all = context;
  const double *x = all->table->column[COLUMN_x + all->axis];
  double most = -INFINITY;
  for (int64_t i = begin; i < end; i++) most = all->sign * x[i] > most ? all->sign * x[i] : most;
  return most;
}

static double greatest(finding *all, int axis, double sign)
{
  all->axis = axis;
  all->sign = sign;
  return slots_max(all->env, all->table, PARALLEL_BLOCK, -INFINITY, extent_block, all);
}

/* Where bricks would hold an eighth of the target, if particles filled the box around them. */
static int32_t first_level(finding *all, const brick_lattice *finest)
{
  double bricks = 1.0; /* of the level around all particles */
  for (int axis = 0; axis < finest->dimension; axis++)
    bricks *= (greatest(all, axis, 1.0) + greatest(all, axis, -1.0)) / finest->finest[axis] + 1.0;
  const double wanted = 16.0 * (double)all->table->count / (double)all->target;
  int32_t level = 0;
  for (; level < bricks_top(finest) && bricks > wanted; level++) bricks *= 0.5;
  return level;
}

static bool sort_into(const finding *all, const brick_lattice *lattice, brick_table *bricks, int32_t *of)
{
  double *const *x = &all->table->column[COLUMN_x];
  uint64_t last = UINT64_MAX;
  int32_t number = -1;
  if (!table_make(all->scratch, FIRST_CAPACITY, bricks)) return false;
  EACH_SLOT(i, all->table) {
    const double position[3] = {x[0][i], x[1][i], x[2][i]};
    const uint64_t brick = brick_of(lattice, all->box, position);
    if (brick != last) number = table_add(bricks, brick, 0);
    if (number < 0) return false;
    last = brick;
    bricks->weight[number]++;
    of[i] = number;
  }
  return true;
}

/* The highest of the levels below one whose bricks hold too many: a level less halves them at best. */
static int32_t lower_level(const finding *all, int32_t level, uint64_t crowd)
{
  level -= LEVELS_BELOW;
  for (uint64_t most = all->target * (uint64_t)all->table->count; most < crowd / 2; most *= 2) level--;
  return level > 0 ? level : 0;
}

static bool is_too_crowded(const finding *all, const brick_table *bricks)
{
  return crowd_of(bricks) > all->target * (uint64_t)all->table->count;
}

/* Bricks of the lattice's level, at the start, become those of the highest one that is not too crowded: number says
 * where each of the first ones ends up. */
static bool merge_bricks(const finding *all, brick_lattice *lattice, brick_table *bricks, int32_t *number,
                         int32_t count)
{
  for (int32_t k = 0; k < count; k++) number[k] = k;
  int32_t *parent = arena_allocate(all->scratch, (size_t)count, sizeof *parent);
  if (!parent) return false;
  while (lattice->level < bricks_top(lattice)) {
    brick_table above;
    if (!table_make(all->scratch, FIRST_CAPACITY, &above)) return false;
    for (int32_t k = 0; k < bricks->count; k++) {
      parent[k] = table_add(&above, brick_parent(lattice, bricks->brick[k]), bricks->weight[k]);
      if (parent[k] < 0) return false;
    }
    if (is_too_crowded(all, &above)) break;
    for (int32_t k = 0; k < count; k++) number[k] = parent[number[k]];
    *bricks = above;
    *lattice = bricks_at_level(*lattice, lattice->level + 1);
  }
  return true;
}

/* ---- in the order of the curve ---- */

typedef struct along_curve {
  uint64_t at;
  int32_t number;
} along_curve;

static int compare_along(const void *first, const void *second)
{
  const along_curve *a = first, *b = second;
  return (a->at > b->at) - (a->at < b->at);
}

static bool fill_set(const finding *all, const brick_table *bricks, patch_set *found, int32_t *rank)
{
  arena *scratch = all->scratch;
  const size_t count = (size_t)bricks->count;
  along_curve *order = arena_allocate(scratch, count, sizeof *order);
  found->count = bricks->count;
  found->brick = arena_allocate(scratch, count, sizeof *found->brick);
  found->weight = arena_allocate(scratch, count, sizeof *found->weight);
  found->parity = arena_allocate(scratch, count, sizeof *found->parity);
  if (!order || !found->brick || !found->weight || !found->parity) return false;
  for (int32_t k = 0; k < bricks->count; k++)
    order[k] = (along_curve){brick_along_curve(&found->lattice, bricks->brick[k]), k};
  qsort(order, count, sizeof *order, compare_along);
  for (int32_t k = 0; k < bricks->count; k++) {
    const int32_t from = order[k].number;
    rank[from] = k;
    found->brick[k] = bricks->brick[from];
    found->weight[k] = bricks->weight[from];
    found->parity[k] = (uint8_t)brick_parity(&found->lattice, bricks->brick[from]);
  }
  return true;
}

typedef struct rename_call {
  const int32_t *number, *rank;
  int32_t *of;
} rename_call;

static void rename_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const rename_call *call = context;
  for (int64_t i = begin; i < end; i++) call->of[i] = call->rank[call->number[call->of[i]]];
}

/* ---- all together ---- */

/* Particles sorted into bricks of a level that is low enough. */
static bool sort_particles(finding *all, brick_lattice *lattice, brick_table *bricks, int32_t *of)
{
  const arena_mark before = arena_here(all->scratch);
  *lattice = bricks_at_level(*lattice, first_level(all, lattice));
  while (sort_into(all, lattice, bricks, of)) {
    if (lattice->level == 0 || !is_too_crowded(all, bricks)) return true;
    *lattice = bricks_at_level(*lattice, lower_level(all, lattice->level, crowd_of(bricks)));
    arena_return(all->scratch, before);
  }
  return false;
}

floc_status patches_find(const environment *env, arena *scratch, const particles *table, const domain *box,
                         int64_t target, patch_set *found)
{
  finding all = {.env = env, .scratch = scratch, .table = table, .box = box};
  all.target = (uint64_t)(target > 0 ? target : PATCH_PARTICLES);
  *found = (patch_set){.count = 1};
  if (patches_are_one(box, table->count, target)) return FLOC_OK;
  found->covered = table->count;
  found->of = arena_allocate(scratch, (size_t)table->count, sizeof *found->of);
  const double radius = slots_max(env, table, PARALLEL_BLOCK, 0.0, radius_block, &all);
  brick_table bricks;
  if (!found->of) return FLOC_OUT_OF_MEMORY;
  found->lattice = bricks_make(box, FINEST_RADII * radius);
  if (!sort_particles(&all, &found->lattice, &bricks, found->of)) return FLOC_OUT_OF_MEMORY;
  const int32_t count = bricks.count;
  int32_t *number = arena_allocate(scratch, (size_t)count, sizeof *number);
  if (!number || !merge_bricks(&all, &found->lattice, &bricks, number, count)) return FLOC_OUT_OF_MEMORY;
  int32_t *rank = arena_allocate(scratch, (size_t)bricks.count, sizeof *rank);
  if (!rank || !fill_set(&all, &bricks, found, rank)) return FLOC_OUT_OF_MEMORY;
  rename_call call = {number, rank, found->of};
  slots_for(env, table, PARALLEL_BLOCK, rename_block, &call);
  return FLOC_OK;
}

void patches_order(const patch_set *patches, const int32_t *given, int64_t *start, int32_t *order)
{
  int64_t sum = 0;
  for (int32_t patch = 0; patch < patches->count; patch++) {
    start[patch] = sum;
    sum += patches->weight[patch];
  }
  for (int64_t k = 0; k < patches->covered; k++) order[start[patches->of[given[k]]]++] = given[k];
}
