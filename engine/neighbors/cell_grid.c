/*
 * A grid over points that are added one by one: for insertion and for checks.
 *
 * Cells are kept in a hash table, so the space is unbounded and only occupied cells cost memory. A chain
 * may hold points of several cells: each point knows its own, so that it is met once. Chains go from the
 * newest point to the oldest, also after the table has grown: the order of visits depends only on the
 * order of additions.
 */
#include "neighbors/neighbors.h"

#include <math.h>
#include <string.h>

enum { FIRST_HEADS = 64 };

typedef struct grid_point {
  double position[3];
  double radius;
  int64_t cell[3];
  int64_t number;
  int64_t next; /* in the chain, or -1 */
} grid_point;

struct cell_grid {
  environment *env;
  int32_t dimension;
  domain box;
  double inverse[3]; /* 1 / width of a cell */
  double width[3];
  int64_t cells[3]; /* around a periodic axis; 0 on the others */
  grid_point *point;
  int64_t count;
  size_t capacity;
  int64_t *head; /* [head_count], a power of two; -1: empty */
  size_t head_count;
};

/* ---- cells ---- */

static int64_t cell_along(const cell_grid *grid, int axis, double x)
{
  static const double farthest = 0x1p52;
  double origin = grid->cells[axis] > 0 ? grid->box.lower[axis] : 0.0;
  double cell = floor((x - origin) * grid->inverse[axis]);
  return (int64_t)(cell < -farthest ? -farthest : cell > farthest ? farthest : cell);
}

static int64_t wrap_cell(const cell_grid *grid, int axis, int64_t cell)
{
  int64_t cells = grid->cells[axis];
  if (cells == 0 || (cell >= 0 && cell < cells)) return cell;
  int64_t rest = cell % cells;
  return rest < 0 ? rest + cells : rest;
}

static size_t hash_cell(const cell_grid *grid, const int64_t cell[3])
{
  uint64_t mixed = (uint64_t)cell[0] * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ mixed >> 32 ^ (uint64_t)cell[1]) * 0xd6e8feb86659fd93u;
  mixed = (mixed ^ mixed >> 32 ^ (uint64_t)cell[2]) * 0xa0761d6478bd642fu;
  return (size_t)(mixed ^ mixed >> 32) & (grid->head_count - 1);
}

static void link_point(cell_grid *grid, int64_t index)
{
  size_t chain = hash_cell(grid, grid->point[index].cell);
  grid->point[index].next = grid->head[chain];
  grid->head[chain] = index;
}

/* ---- making and adding ---- */

static floc_status resize_heads(cell_grid *grid, size_t count)
{
  int64_t *head = memory_resize(grid->env, NULL, 0, count * sizeof *head);
  if (!head)
    return refuse(grid->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", count * sizeof *head);
  memory_free(grid->env, grid->head, grid->head_count * sizeof *head);
  grid->head = head;
  grid->head_count = count;
  for (size_t k = 0; k < count; k++) head[k] = -1;
  for (int64_t k = 0; k < grid->count; k++) link_point(grid, k);
  return FLOC_OK;
}

floc_status cell_grid_create(environment *env, int32_t dimension, const domain *box, double cell, cell_grid **grid)
{
  *grid = NULL;
  if (dimension != 2 && dimension != 3)
    return refuse(env, FLOC_INVALID_ARGUMENT, "dimension is %d; it must be 2 or 3", (int)dimension);
  if (!(cell > 0.0 && isfinite(cell)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "cell is %g; it must be above 0 and finite", cell);
  cell_grid *created = memory_resize(env, NULL, 0, sizeof *created);
  if (!created) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *created);
  *created = (cell_grid){.env = env, .dimension = dimension, .box = *box};
  for (int a = 0; a < dimension; a++) {
    created->width[a] = cell;
    if (box->length[a] > 0.0) {
      created->cells[a] = (int64_t)fmax(1.0, fmin(floor(box->length[a] / cell), 0x1p40));
      created->width[a] = box->length[a] / (double)created->cells[a];
    }
    created->inverse[a] = 1.0 / created->width[a];
  }
  floc_status status = resize_heads(created, FIRST_HEADS);
  if (status != FLOC_OK) {
    cell_grid_destroy(created);
    return status;
  }
  *grid = created;
  return FLOC_OK;
}

void cell_grid_destroy(cell_grid *grid)
{
  if (!grid) return;
  environment *env = grid->env;
  memory_free(env, grid->head, grid->head_count * sizeof *grid->head);
  array_free(env, (void **)&grid->point, &grid->capacity, sizeof *grid->point);
  memory_free(env, grid, sizeof *grid);
}

floc_status cell_grid_add(cell_grid *grid, const double position[3], double radius, int64_t number)
{
  grid_point added = {.radius = radius, .number = number};
  for (int a = 0; a < grid->dimension; a++) {
    if (!isfinite(position[a]))
      return refuse(grid->env, FLOC_INVALID_ARGUMENT, "position[%d] is %g; it must be finite", a, position[a]);
    added.position[a] = domain_wrap(&grid->box, a, position[a]);
    int64_t cell = cell_along(grid, a, added.position[a]);
    if (grid->cells[a] > 0 && cell >= grid->cells[a]) cell = grid->cells[a] - 1; /* rounding at the upper face */
    added.cell[a] = wrap_cell(grid, a, cell);
  }
  floc_status status = array_reserve(grid->env, (void **)&grid->point, &grid->capacity, (size_t)grid->count + 1,
                                     sizeof *grid->point);
  if (status == FLOC_OK && (size_t)grid->count >= grid->head_count)
    status = resize_heads(grid, 2 * grid->head_count);
  if (status != FLOC_OK) return status;
  grid->point[grid->count] = added;
  link_point(grid, grid->count++);
  return FLOC_OK;
}

/* ---- visits ---- */

/* Cells to look through, per axis. */
typedef struct cell_range {
  int64_t from[3], to[3];
} cell_range;

/* Finds the cells within distance; returns how many there are. */
static double find_range(const cell_grid *grid, const double position[3], double distance, cell_range *range)
{
  double cells = 1.0;
  bool shifted = false; /* near images beyond the faces of axis 1 of a skew box: whole rows, as in search.c */
  *range = (cell_range){{0, 0, 0}, {0, 0, 0}};
  for (int a = 0; a < grid->dimension; a++) {
    double x = domain_wrap(&grid->box, a, position[a]);
    double h = distance + 1e-12 * (distance + fabs(x));
    if (grid->cells[a] > 0) h += 1e-5 * grid->width[a];
    range->from[a] = cell_along(grid, a, x - h);
    range->to[a] = cell_along(grid, a, x + h);
    if (a == 1 && domain_is_skew(&grid->box)) shifted = range->from[a] < 0 || range->to[a] >= grid->cells[a];
    if (grid->cells[a] > 0 && range->to[a] - range->from[a] >= grid->cells[a] - 1) {
      range->from[a] = 0;
      range->to[a] = grid->cells[a] - 1;
    }
  }
  if (shifted) {
    range->from[0] = 0;
    range->to[0] = grid->cells[0] - 1;
  }
  for (int a = 0; a < grid->dimension; a++) cells *= (double)(range->to[a] - range->from[a]) + 1.0;
  return cells;
}

static bool visit_point(const cell_grid *grid, int64_t index, const double position[3], cell_visit visit,
                        void *context)
{
  const grid_point *point = &grid->point[index];
  double separation[3] = {0.0, 0.0, 0.0};
  if (domain_is_skew(&grid->box)) {
    for (int a = 0; a < grid->dimension; a++) separation[a] = point->position[a] - position[a];
    domain_nearest(&grid->box, separation);
    return visit(context, point->number, separation, point->radius);
  }
  for (int a = 0; a < grid->dimension; a++)
    separation[a] = domain_shortest(&grid->box, a, point->position[a] - domain_wrap(&grid->box, a, position[a]));
  return visit(context, point->number, separation, point->radius);
}

static bool visit_cell(const cell_grid *grid, const int64_t at[3], const double position[3], cell_visit visit,
                       void *context)
{
  int64_t cell[3];
  for (int a = 0; a < 3; a++) cell[a] = wrap_cell(grid, a, at[a]);
  for (int64_t k = grid->head[hash_cell(grid, cell)]; k >= 0; k = grid->point[k].next) {
    if (memcmp(grid->point[k].cell, cell, sizeof cell) != 0) continue;
    if (!visit_point(grid, k, position, visit, context)) return false;
  }
  return true;
}

bool cell_grid_visit(const cell_grid *grid, const double position[3], double distance, cell_visit visit,
                     void *context)
{
  cell_range range;
  for (int a = 0; a < grid->dimension; a++)
    if (isnan(position[a] - position[a]) || isnan(distance)) return true; /* near nothing */
  if (find_range(grid, position, distance, &range) > (double)grid->count) {
    for (int64_t k = grid->count - 1; k >= 0; k--)
      if (!visit_point(grid, k, position, visit, context)) return false;
    return true;
  }
  int64_t cell[3];
  for (cell[2] = range.from[2]; cell[2] <= range.to[2]; cell[2]++)
    for (cell[1] = range.from[1]; cell[1] <= range.to[1]; cell[1]++)
      for (cell[0] = range.from[0]; cell[0] <= range.to[0]; cell[0]++)
        if (!visit_cell(grid, cell, position, visit, context)) return false;
  return true;
}
