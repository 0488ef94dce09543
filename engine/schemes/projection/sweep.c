/*
 * Steps in which a crowd goes many radii.
 *
 * Reach that covers everybody's way is right for any particle and good as long as few are fast. When a crowd falls
 * sixteen radii in a step, everybody would list hundreds of others that fall with it. What counts is relative
 * motion, and a crowd that falls onto one at rest has no motion in common that one affine field could take out.
 *
 * So in such a step each particle has a way d, at first h u, and a deviation s from it, which the solve must not
 * exceed; a pair enters the problem if it comes as near as both deviations on the ways (pair_sweep). By the
 * triangle inequality no pair that is left out can touch in the step. (Its linear constraint may be violated: that
 * does not know how far beside each other the two pass.) A particle that the solve sends elsewhere (it falls on a
 * heap and stops) does not get a deviation as long as its way, with which it would list all that is around: it gets
 * its new way, and a deviation that grows from attempt to attempt.
 *
 * Where to look for such pairs. Space is cut into cells; W is the mean way of a cell's particles. A particle
 * reaches s + |d - W| + J, where J takes up the difference to the W of each cell next to it:
 *
 *   |d_i - d_j| <= |d_i - W_i| + |d_j - W_j| + |W_i - W_j|,   J_i + J_j >= |W_i - W_j|
 *
 * The fewer particles a cell has, the more likely its J takes the difference: a few fast ones search among many at
 * rest, not the other way round. A cell is as wide as two particles may approach in the step, so a pair that may
 * touch lies in cells side by side. That width must not follow the fastest particle: the few that are much faster
 * than all others look as far as they go, plus as far as all others go.
 *
 * Grains that are not round stay within the circles about them however they turn, so their pairs are those of the
 * circles. Which of a pair's features come to touch depends on the turn: each grain has a length that its corners
 * may go by turning, checked and raised like the deviation (contacts/assembly/features.c).
 *
 * Memory: a torus of cells, about as many as there are particles; cells that fall on each other there share W.
 */
#include "schemes/projection/step.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

enum { OCTAVES = 64, FEW = 1024 /* one particle in this number may be called much faster */ };

/* Entries per particle that a rebuild costs (neighbors/skin.c): swept lists are rebuilt in every step. */
static const double REBUILD[2] = {8.0, 20.0};
static const double LEAST_DEVIATION = 0.02; /* in radii, as least_reach in projection.c */
static const double RAISE = 1.25;           /* as reach_factor there */

static double power(double number, int dimension)
{
  return dimension == 2 ? number * number : number * number * number;
}

static double length_of(double *const vector[3], int64_t i, int dimension)
{
  double square = 0.0;
  for (int a = 0; a < dimension; a++) square += vector[a][i] * vector[a][i];
  return sqrt(square);
}

/* ---- when ---- */

typedef struct entry_count {
  const projection_step *step;
  double scale; /* from a speed to its way in a step, twice, in mean radii */
} entry_count;

/* What is not a number comes through, and is refused elsewhere. */
static void count_entries(void *context, int64_t begin, int64_t end, exact_sum *entries)
{
  const entry_count *count = context;
  const particles *table = count->step->context->table;
  int dimension = count->step->context->obstacles->dimension;
  double all = (double)table->count;
  for (int64_t i = begin; i < end; i++) {
    double speed = sqrt(projection_relative_square(count->step, &table->column[COLUMN_vx], i, dimension));
    double met = power(1.0 + count->scale * speed, dimension) - 1.0;
    exact_add(entries, met > all ? all : met);
  }
}

bool sweep_is_needed(const projection_step *step)
{
  const step_context *context = step->context;
  int64_t count = context->table->count;
  if (count == 0) return false;
  entry_count call = {step, 2.0 * context->time_step / particles_mean_radius(context->table)};
  double entries = owned_sum(context->env, context->table, PARALLEL_BLOCK, count_entries, &call);
  return entries > REBUILD[context->obstacles->dimension - 2] * (double)count;
}

/* ---- deviations ---- */

static floc_status begin_turning(projection_step *step)
{
  const step_context *context = step->context;
  const size_t count = (size_t)context->table->count;
  step->sweep.turning = step->turning = arena_allocate(context->scratch, count, sizeof(double));
  if (!step->turning) return FLOC_OUT_OF_MEMORY;
  EACH_SLOT(i, context->table) step->turning[i] = LEAST_DEVIATION * grain_core_reach(context->table, i);
  return FLOC_OK;
}

floc_status sweep_begin(projection_step *step, double unsure)
{
  const step_context *context = step->context;
  const particles *table = context->table;
  size_t count = (size_t)table->count;
  pair_sweep *sweep = &step->sweep;
  double *deviation = arena_allocate(context->scratch, count, sizeof(double));
  double *wall_reach = arena_allocate(context->scratch, count, sizeof(double));
  if (!deviation || !wall_reach) return FLOC_OUT_OF_MEMORY;
  for (int a = 0; a < context->obstacles->dimension; a++) {
    double *way = arena_allocate(context->scratch, count, sizeof(double));
    if (!way) return FLOC_OUT_OF_MEMORY;
    EACH_SLOT(i, table) way[i] = context->time_step * table->column[COLUMN_vx + a][i];
    sweep->way[a] = step->way[a] = way;
  }
  EACH_SLOT(i, table) deviation[i] = wall_reach[i] = LEAST_DEVIATION * table->column[COLUMN_radius][i] + unsure;
  sweep->deviation = step->deviation = deviation;
  sweep->wall_reach = step->wall_reach = wall_reach;
  return step->has_shapes ? begin_turning(step) : FLOC_OK;
}

/* One particle's corners. */
static bool raise_turning(projection_step *step, int64_t i, double spin) /* its length */
{
  const double core = grain_core_reach(step->context->table, i);
  const double chord = core * fmin(step->context->time_step * spin, 2.0);
  if (chord <= step->turning[i]) return false;
  step->turning[i] = fmin(RAISE * chord, 2.0 * core);
  return true;
}

/* One particle. What is within the most that a deviation may be is allowed for; who goes another way altogether
 * gets that as its way. */
static bool raise_one(projection_step *step, double *const velocity[3], int64_t i, double most, int dimension)
{
  double h = step->context->time_step, deviation = 0.0, whole = length_of(velocity, i, dimension) * h;
  for (int a = 0; a < dimension; a++) {
    double other = h * velocity[a][i] - step->way[a][i];
    deviation += other * other;
  }
  deviation = sqrt(deviation);
  if (deviation <= step->deviation[i] && whole <= step->wall_reach[i]) return false;
  if (!(deviation <= step->deviation[i])) {
    bool allowed = RAISE * deviation <= most;
    for (int a = 0; a < dimension && !allowed; a++) step->way[a][i] = h * velocity[a][i];
    step->deviation[i] = fmax(step->deviation[i], allowed ? RAISE * deviation : most);
  }
  if (!(whole <= step->wall_reach[i])) step->wall_reach[i] = RAISE * whole;
  step->wall_reach[i] = fmax(step->wall_reach[i], step->deviation[i]);
  return true;
}

bool sweep_raise(projection_step *step, double *const velocity[3], double *const spin[3], double most)
{
  const step_context *context = step->context;
  const double *radius = context->table->column[COLUMN_radius];
  bool raised = false;
  EACH_SLOT(i, context->table)
    raised |= raise_one(step, velocity, i, most * radius[i], context->obstacles->dimension);
  EACH_SLOT(i, context->table)
    if (step->turning && spin[2]) raised |= raise_turning(step, i, projection_spin_length(spin, i));
  return raised;
}

/* ---- cells ---- */

typedef struct way_cell {
  int64_t count;
  double way[3]; /* sum, then mean */
  double jump;
} way_cell;

typedef struct way_cells {
  int dimension;
  double origin[3], inverse[3];
  double turn[3]; /* number of cells after which a periodic axis begins again; 0 on others */
  int64_t count[3];
  way_cell *cell;
  int32_t *of;    /* [particle]; -1: much faster than the others */
  double longest; /* way, deviation and radius of the others together, at most */
} way_cells;

/* As far as a particle may come to others. */
static double span_of(const projection_step *step, int64_t i, int dimension)
{
  return length_of(step->way, i, dimension) + step->deviation[i] + step->context->table->column[COLUMN_radius][i];
}

static int octave_of(double span, double radius)
{
  int exponent;
  if (!(span > radius)) return 0;
  frexp(span / radius, &exponent);
  return exponent < OCTAVES ? exponent : OCTAVES - 1;
}

/* Says who is much faster than the others, and how far these go. */
static void find_longest(const projection_step *step, way_cells *all)
{
  const particles *table = step->context->table;
  double radius = particles_mean_radius(table);
  int64_t members[OCTAVES] = {0}, above = 0;
  EACH_SLOT(i, table) members[octave_of(span_of(step, i, all->dimension), radius)]++;
  int last = OCTAVES - 1;
  for (; last > 0 && above + members[last] <= table->count / FEW; last--) above += members[last];
  all->longest = 0.0;
  EACH_SLOT(i, table) {
    double span = span_of(step, i, all->dimension);
    all->of[i] = octave_of(span, radius) <= last ? 0 : -1;
    if (all->of[i] == 0) all->longest = fmax(all->longest, span);
  }
}

static void shape_cells(const projection_step *step, way_cells *all)
{
  const domain *box = step->context->box;
  int64_t along = 4;
  double width = 2.0 * all->longest * (1.0 + 1e-6);
  while (power(2.0 * (double)along, all->dimension) <= (double)step->context->table->count) along *= 2;
  for (int a = 0; a < 3; a++) {
    all->count[a] = a < all->dimension ? along : 1;
    all->origin[a] = all->turn[a] = 0.0;
    all->inverse[a] = 1.0 / width;
    if (a >= all->dimension || !(box->length[a] > 0.0)) continue;
    double cells = fmax(1.0, floor(box->length[a] / width));
    if (cells < (double)along)
      all->count[a] = (int64_t)cells;
    else
      cells -= floc_fmod(cells, (double)along);
    all->origin[a] = box->lower[a];
    all->turn[a] = cells;
    all->inverse[a] = cells / box->length[a];
  }
}

static int64_t cell_at(const way_cells *all, const domain *box, int a, double x)
{
  double cell = floor((domain_wrap(box, a, x) - all->origin[a]) * all->inverse[a]);
  if (all->turn[a] > 0.0 && cell >= all->turn[a]) cell = all->turn[a] - 1.0; /* rounding */
  double rest = floc_fmod(cell, (double)all->count[a]);
  if (!isfinite(rest)) return 0; /* refused when the lists are made */
  return (int64_t)(rest < 0.0 ? rest + (double)all->count[a] : rest);
}

static void fill_cells(const projection_step *step, way_cells *all)
{
  const particles *table = step->context->table;
  int64_t cells = all->count[0] * all->count[1] * all->count[2];
  memset(all->cell, 0, (size_t)cells * sizeof *all->cell);
  EACH_SLOT(i, table) {
    int64_t at = 0;
    if (all->of[i] < 0) continue;
    for (int a = all->dimension - 1; a >= 0; a--)
      at = at * all->count[a] + cell_at(all, step->context->box, a, table->column[COLUMN_x + a][i]);
    all->of[i] = (int32_t)at;
    all->cell[at].count++;
    for (int a = 0; a < all->dimension; a++) all->cell[at].way[a] += step->way[a][i];
  }
  for (int64_t k = 0; k < cells; k++)
    for (int a = 0; a < 3 && all->cell[k].count > 0; a++) all->cell[k].way[a] /= (double)all->cell[k].count;
}

/* Of two cells side by side the one with fewer particles takes up the difference. */
static void find_jump(way_cells *all, const int64_t at[3], int64_t mine)
{
  way_cell *own = &all->cell[mine];
  for (int side = 0; side < 27; side++) {
    int64_t to[3], other;
    const int step[3] = {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1};
    if (all->dimension == 2 && step[2] != 0) continue;
    for (int a = 0; a < 3; a++) to[a] = (at[a] + step[a] + all->count[a]) % all->count[a];
    other = (to[2] * all->count[1] + to[1]) * all->count[0] + to[0];
    const way_cell *next = &all->cell[other];
    if (next->count < own->count || (next->count == own->count && other <= mine) || next->count == 0) continue;
    double square = 0.0;
    for (int a = 0; a < all->dimension; a++) square += (own->way[a] - next->way[a]) * (own->way[a] - next->way[a]);
    own->jump = fmax(own->jump, sqrt(square));
  }
}

static void find_jumps(way_cells *all)
{
  int64_t at[3], mine = 0;
  for (at[2] = 0; at[2] < all->count[2]; at[2]++)
    for (at[1] = 0; at[1] < all->count[1]; at[1]++)
      for (at[0] = 0; at[0] < all->count[0]; at[0]++, mine++)
        if (all->cell[mine].count > 0) find_jump(all, at, mine);
}

/* ---- reach ---- */

static void set_reach(const projection_step *step, const way_cells *all)
{
  EACH_SLOT(i, step->context->table) {
    double beside = 0.0;
    if (all->of[i] < 0) {
      beside = length_of(step->way, i, all->dimension) + all->longest;
    } else {
      const way_cell *cell = &all->cell[all->of[i]];
      for (int a = 0; a < all->dimension; a++) {
        double other = step->way[a][i] - cell->way[a];
        beside += other * other;
      }
      beside = sqrt(beside) + cell->jump;
    }
    step->reach[i] = step->deviation[i] + beside * (1.0 + 1e-9);
  }
}

static floc_status choose_reach(projection_step *step)
{
  step_context *context = step->context;
  way_cells all = {.dimension = context->obstacles->dimension};
  all.of = arena_allocate(context->scratch, (size_t)context->table->count, sizeof *all.of);
  if (!all.of) return FLOC_OUT_OF_MEMORY;
  find_longest(step, &all);
  shape_cells(step, &all);
  all.cell =
      arena_allocate(context->scratch, (size_t)(all.count[0] * all.count[1] * all.count[2]), sizeof *all.cell);
  if (!all.cell) return FLOC_OUT_OF_MEMORY;
  fill_cells(step, &all);
  find_jumps(&all);
  set_reach(step, &all);
  return FLOC_OK;
}

floc_status sweep_update_neighbors(projection_step *step)
{
  step_context *context = step->context;
  arena_mark here = arena_here(context->scratch);
  floc_status status = choose_reach(step);
  if (status != FLOC_OK) return status;
  arena_return(context->scratch, here);
  return neighbors_update_swept(context->near, context->table, context->obstacles, context->box, step->reach,
                                laws_range(context->forces), &step->sweep);
}

/* ---- what was left out ---- */

/* A pair of the list (which laws may have made longer) that is not in the problem. */
static bool is_left_out(const projection_step *step, int64_t entry)
{
  const step_context *context = step->context;
  const particles *table = context->table;
  const pair_list *pairs = neighbors_pairs(context->near);
  const int dimension = context->obstacles->dimension;
  const int32_t i = pairs->first[entry], j = pairs->second[entry], gamma = step->method->laws.held;
  double separation[3], contact = table->column[COLUMN_radius][i] + table->column[COLUMN_radius][j];
  for (int a = 0; a < dimension; a++)
    separation[a] =
        domain_shortest(context->box, a, table->column[COLUMN_x + a][j] - table->column[COLUMN_x + a][i]);
  if (sweep_may_touch(&step->sweep, i, j, separation, contact, dimension)) return false;
  if (gamma >= 0 && pairs->memory[gamma][entry] != 0.0) return false; /* glued: in the problem at any distance */
  return sweep_would_hold(&step->sweep, i, j, separation, contact, dimension);
}

static double left_out_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  double count = 0.0;
  for (int64_t entry = begin; entry < end; entry++) count += is_left_out(context, entry);
  return count;
}

int64_t sweep_left_out(const projection_step *step)
{
  const neighbors *near = step->context->near;
  int64_t entries = neighbors_pairs(near)->count;
  return neighbors_left_out(near) +
         parallel_count(step->context->env, entries, PARALLEL_BLOCK, left_out_block, (void *)step);
}
