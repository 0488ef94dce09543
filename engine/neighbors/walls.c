/*
 * Particles near shapes, from the same grids as the pairs.
 *
 * For each shape and level the cells of the level's box are halved again and again, and halves that the
 * shape does not come near are dropped (shape_touches_box): what is visited is about the cells that the
 * surface covers, for planes, hollow spheres and long slanted segments too. A shape whose box does not
 * meet the particles costs one comparison per level. Should the visits for one shape outnumber the
 * particles of a level (a plane through a cloud with vast empty spaces), all its particles are tried.
 *
 * Shapes are not periodic, but particles come back on the other side. So near a periodic face the image of
 * a particle beyond the face is tried as well: after it has gone through, its entry is there.
 *
 * What is found, shape by shape, is brought into rows by a counting sort over slots; the same shape found
 * twice (a particle and its image) lies side by side then and is dropped.
 */
#include "neighbors/internal.h"

#include "particles/owned.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SMALL_BLOCK = 4, VISITS_PER_PARTICLE = 4, LEAST_VISITS = 256 };

/* Cells from `from` to `to` of each axis, in real numbering. */
typedef struct cell_block {
  int64_t from[3], to[3];
} cell_block;

typedef struct wall_search {
  const update *step;
  const grid_level *level;
  const shape *surface;
  int32_t number;            /* of the shape */
  double margin;             /* of its body */
  double beyond;             /* what the walls' reach is longer than that of pairs, at most */
  double near;               /* greatest distance of a centre that counts */
  double lower[3], upper[3]; /* where centres and their images may be */
  int64_t visits, visit_limit;
  int64_t excess;
  bool gave_up; /* visits ran out */
  floc_status status;
} wall_search;

/* ---- what was found ---- */

static void note(wall_search *search, int32_t slot)
{
  neighbors *all = search->step->all;
  size_t needed = (size_t)all->found_count + 1;
  floc_status status =
      array_reserve(all->env, (void **)&all->found_slot, &all->found_slot_capacity, needed, sizeof(int32_t));
  if (status == FLOC_OK)
    status =
        array_reserve(all->env, (void **)&all->found_shape, &all->found_shape_capacity, needed, sizeof(int32_t));
  if (status != FLOC_OK) {
    search->status = status;
    return;
  }
  all->found_slot[all->found_count] = slot;
  all->found_shape[all->found_count] = search->number;
  all->found_count++;
}

/* Tries a particle at its place, shifted by whole periods. */
static void try_particle(wall_search *search, int32_t place, const double shift[3])
{
  const update *step = search->step;
  const neighbors *all = step->all;
  double *const *column = all->cells.column;
  int32_t slot = all->cells.slot[place];
  double x[3] = {0.0, 0.0, 0.0}, normal[3], nearest[3];
  for (int a = 0; a < all->dimension; a++) x[a] = column[a][place] + shift[a];
  double distance = shape_distance(search->surface, all->dimension, x, normal, nearest);
  if (step->sweep) {
    double extent =
        particle_extent(step->table->column[COLUMN_radius][slot], step->sweep->wall_reach[slot], step->slack);
    if (distance <= extent + search->margin) note(search, slot);
    return;
  }
  if (!(distance <= column[all->dimension][place] + search->margin)) return;
  double bound = all->next_bound[slot], margin = bound - effective_reach(step->reach[slot], step->half_range);
  double inner =
      step->table->column[COLUMN_radius][slot] + bound + search->margin - 0.5 * (margin + search->margin);
  if (distance > inner) search->excess += 2; /* see skin_excess */
  note(search, slot);
}

/* ---- cells ---- */

/* Number of times that a cell of an axis lies beyond the period: -1, 0 or 1; 0 on other axes. */
static double image_of(const grid_axis *axis, bool periodic, int64_t cell)
{
  return !periodic ? 0.0 : cell < 0 ? -1.0 : cell >= axis->cells ? 1.0 : 0.0;
}

static void visit_cell(wall_search *search, const int64_t cell[3])
{
  const update *step = search->step;
  const grid *cells = &step->all->cells;
  const grid_level *level = search->level;
  double shift[3] = {0.0, 0.0, 0.0};
  int64_t bucket = 0;
  for (int a = cells->dimension - 1; a >= 0; a--) {
    double length = step->box->length[a];
    shift[a] = length * image_of(&level->axis[a], length > 0.0, cell[a]);
    bucket = bucket * level->axis[a].count + grid_bucket(&level->axis[a], cell[a]);
  }
  bucket += level->offset;
  for (int32_t k = cells->start[bucket]; k < cells->start[bucket + 1] && search->status == FLOC_OK; k++)
    try_particle(search, k, shift);
}

static void visit_cells(wall_search *search, const cell_block *block)
{
  int64_t cell[3];
  for (cell[2] = block->from[2]; cell[2] <= block->to[2]; cell[2]++)
    for (cell[1] = block->from[1]; cell[1] <= block->to[1]; cell[1]++)
      for (cell[0] = block->from[0]; cell[0] <= block->to[0]; cell[0]++) visit_cell(search, cell);
}

/* The space of a block of cells, a little larger for rounding. Cells that are so far out that rounding
 * moves their edges are taken as reaching to the end. */
static void block_space(const wall_search *search, const cell_block *block, double lower[3], double upper[3])
{
  static const double far = 0x1p40;
  for (int a = 0; a < 3; a++) {
    const grid_axis *axis = &search->level->axis[a];
    double from = (double)(axis->base + block->from[a]), to = (double)(axis->base + block->to[a] + 1);
    lower[a] = search->lower[a];
    upper[a] = search->upper[a];
    if (fabs(from) < far) lower[a] = fmax(lower[a], axis->origin + (from - 0.01) * axis->width);
    if (fabs(to) < far) upper[a] = fmin(upper[a], axis->origin + (to + 0.01) * axis->width);
  }
}

/* Halves of the longest side: as deep as there are bits in the number of cells. */
static void visit_block(wall_search *search, const cell_block *block) /* NOLINT(misc-no-recursion) */
{
  double lower[3], upper[3], cells = 1.0;
  if (search->gave_up || search->status != FLOC_OK) return;
  block_space(search, block, lower, upper);
  if (!shape_touches_box(search->surface, search->step->all->dimension, search->near, lower, upper)) return;
  int longest = 0;
  for (int a = 0; a < 3; a++) {
    cells *= (double)(block->to[a] - block->from[a] + 1);
    if (block->to[a] - block->from[a] > block->to[longest] - block->from[longest]) longest = a;
  }
  if (++search->visits > search->visit_limit) {
    search->gave_up = true;
  } else if (cells <= SMALL_BLOCK) {
    visit_cells(search, block);
  } else {
    cell_block part = *block;
    part.to[longest] = block->from[longest] + (block->to[longest] - block->from[longest]) / 2;
    visit_block(search, &part);
    part.from[longest] = part.to[longest] + 1;
    part.to[longest] = block->to[longest];
    visit_block(search, &part);
  }
}

/* ---- a shape ---- */

/* Where centres of the level and their images may be, as far as the shape's box reaches. */
static bool find_space(wall_search *search)
{
  const update *step = search->step;
  double lower[3] = {-INFINITY, -INFINITY, -INFINITY}, upper[3] = {INFINITY, INFINITY, INFINITY};
  /* all space outside a hollow sphere is behind its surface, as is half of space for a plane */
  if (!shape_is_hollow(search->surface))
    shape_bounds(search->surface, step->all->dimension, search->near, lower, upper);
  for (int a = 0; a < 3; a++) {
    search->lower[a] = search->upper[a] = 0.0;
    if (a >= step->all->dimension) continue;
    search->lower[a] = search->level->lower[a];
    search->upper[a] = search->level->upper[a];
    if (step->box->length[a] > 0.0) { /* images: no farther out than a particle may come within its margin */
      search->lower[a] = step->box->lower[a] - search->level->extent - search->beyond;
      search->upper[a] = step->box->upper[a] + search->level->extent + search->beyond;
    }
    search->lower[a] = fmax(search->lower[a], lower[a]);
    search->upper[a] = fmin(search->upper[a], upper[a]);
    if (!(search->lower[a] <= search->upper[a])) return false;
  }
  return true;
}

static cell_block cells_of_space(const wall_search *search)
{
  cell_block block = {{0, 0, 0}, {0, 0, 0}};
  for (int a = 0; a < search->step->all->dimension; a++) {
    const grid_axis *axis = &search->level->axis[a];
    bool periodic = search->step->box->length[a] > 0.0;
    int64_t first = periodic ? -axis->cells : 0, last = (periodic ? 2 * axis->cells : axis->cells) - 1;
    double rounding = periodic ? 1e-5 * axis->width : 0.0;
    block.from[a] = grid_cell(axis, search->lower[a] - rounding);
    block.to[a] = grid_cell(axis, search->upper[a] + rounding);
    if (block.from[a] < first) block.from[a] = first;
    if (block.to[a] > last) block.to[a] = last;
  }
  return block;
}

/* All particles of the level, with all images. */
static void visit_all(wall_search *search)
{
  const update *step = search->step;
  const grid *cells = &step->all->cells;
  const grid_level *level = search->level;
  int images[3] = {0, 0, 0};
  for (int a = 0; a < cells->dimension; a++) images[a] = step->box->length[a] > 0.0;
  int32_t begin = cells->start[level->offset], end = cells->start[level->offset + level->bucket_count];
  for (int32_t k = begin; k < end; k++) {
    for (int z = -images[2]; z <= images[2]; z++) {
      for (int y = -images[1]; y <= images[1]; y++) {
        for (int x = -images[0]; x <= images[0]; x++) {
          double shift[3] = {x * step->box->length[0], y * step->box->length[1], z * step->box->length[2]};
          if (search->status == FLOC_OK) try_particle(search, k, shift);
        }
      }
    }
  }
}

static void search_shape(wall_search *search)
{
  neighbors *all = search->step->all;
  int64_t found_before = all->found_count, excess_before = search->excess;
  search->near = search->level->extent + search->margin + search->beyond;
  if (!find_space(search)) return;
  search->visits = 0;
  search->visit_limit = VISITS_PER_PARTICLE * search->level->particle_count + LEAST_VISITS;
  search->gave_up = false;
  cell_block block = cells_of_space(search);
  visit_block(search, &block);
  if (!search->gave_up || search->status != FLOC_OK) return;
  all->found_count = found_before;
  search->excess = excess_before;
  visit_all(search);
}

/* ---- rows ---- */

static void drop_repeated(list_store *walls, int64_t rows)
{
  int64_t to = 0, begin = 0;
  for (int64_t i = 0; i < rows; i++) {
    int64_t end = walls->next_start[i + 1];
    for (int64_t k = begin; k < end; k++)
      if (k == begin || walls->next_second[k] != walls->next_second[k - 1])
        walls->next_second[to++] = walls->next_second[k];
    begin = end;
    walls->next_start[i + 1] = to;
  }
  walls->next_count = to;
}

static floc_status make_rows(neighbors *all, int64_t rows)
{
  list_store *walls = &all->walls;
  walls->unchanged = all->found_count == 0 && walls->view.count == 0 && walls->view.start && walls->rows == rows;
  walls->next_count = 0;
  if (walls->unchanged) return FLOC_OK;
  floc_status status = list_reserve_next(walls, all->scratch, all->found_count);
  if (status == FLOC_OK) status = list_reserve_starts(walls, all->scratch, rows);
  if (status != FLOC_OK) return status;
  int64_t *start = walls->next_start;
  memset(start, 0, (size_t)(rows + 1) * sizeof *start);
  walls->next_count = all->found_count;
  if (all->found_count == 0) return FLOC_OK;
  for (int64_t k = 0; k < all->found_count; k++) start[all->found_slot[k] + 1]++;
  for (int64_t i = 0; i < rows; i++) start[i + 1] += start[i];
  for (int64_t k = 0; k < all->found_count; k++)
    walls->next_second[start[all->found_slot[k]]++] = all->found_shape[k];
  memmove(start + 1, start, (size_t)rows * sizeof *start);
  start[0] = 0;
  drop_repeated(walls, rows);
  return FLOC_OK;
}

static double greatest_beyond(const update *step)
{
  double beyond = 0.0;
  EACH_SLOT(i, step->table) beyond = fmax(beyond, step->sweep->wall_reach[i] - step->all->next_bound[i]);
  return beyond * (1.0 + 1e-9);
}

floc_status search_walls(const update *step, int64_t *excess)
{
  neighbors *all = step->all;
  all->found_count = 0;
  wall_search search = {.step = step, .status = FLOC_OK};
  if (step->sweep && step->obstacles->shape_count > 0) search.beyond = greatest_beyond(step);
  for (int32_t k = 0; k < step->obstacles->shape_count && step->table->count > 0; k++) {
    search.surface = &step->obstacles->world[k];
    search.number = k;
    search.margin = all->next_body[search.surface->body].margin;
    for (int32_t level = 0; level < all->cells.level_count; level++) {
      search.level = &all->cells.level[level];
      search_shape(&search);
      if (search.status != FLOC_OK) return search.status;
    }
  }
  *excess = search.excess;
  return make_rows(all, step->table->count);
}
