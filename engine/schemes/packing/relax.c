/*
 * Relaxation of soft balls. See relax.h.
 */
#include "schemes/packing/relax.h"

#include "base/interruption.h"
#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <math.h>

/* The time steps' unit is that of a ball's swing on one contact, 1/(2 pi) of its period. */
static const double FIRST_STEP = 0.1, LEAST_STEP = 0.02, GREATEST_STEP = 0.4;
static const double STEP_GROWTH = 1.1, STEP_CUT = 0.5, FIRST_MIX = 0.1, MIX_CUT = 0.99;
static const double BALANCE =
    1e-3; /* root mean square of forces over the mean sum of the forces' lengths on a ball */
enum { PATIENCE = 5, SORT_INTERVAL = 64 };

void soft_balls_scale(soft_balls *all, double scale)
{
  particles *table = &all->table;
  EACH_SLOT(i, table) {
    int64_t id = table->id[i];
    table->column[COLUMN_radius][i] = (id > all->fixed ? scale : 1.0) * all->base[id - 1];
  }
  all->scale = scale;
  neighbors_see_radii(all->near, table);
}

static floc_status sort_by_cells(soft_balls *all)
{
  bool worthwhile;
  floc_status status = neighbors_sort_order(all->near, &all->table, all->box, all->order, &worthwhile);
  if (status != FLOC_OK || !worthwhile) return status;
  status = particles_permute(&all->table, all->order);
  return status == FLOC_OK ? neighbors_permute(all->near, &all->table, all->order) : status;
}

typedef struct motion {
  soft_balls *all;
  double step, mix; /* of the iteration; of velocity and the force's direction */
  double keep, turn;
  int32_t downhill; /* iterations in a row */
} motion;

/* Through the shifted faces of a skew box. */
static void enter_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const motion *go = context;
  const domain *box = go->all->box;
  double *const *x = &go->all->table.column[COLUMN_x];
  for (int64_t i = begin; i < end; i++) {
    double position[3] = {0.0, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < box->dimension; axis++) position[axis] = x[axis][i];
    domain_enter(box, position, none);
    for (int axis = 0; axis < box->dimension; axis++) x[axis][i] = domain_wrap(box, axis, position[axis]);
  }
}

static void move_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const motion *go = context;
  double *const *column = go->all->table.column;
  const double *mass = column[COLUMN_mass];
  const bool skew = domain_is_skew(go->all->box);
  for (int axis = 0; axis < go->all->box->dimension; axis++) {
    double *x = column[COLUMN_x + axis], *v = column[COLUMN_vx + axis];
    const double *force = column[COLUMN_fx + axis];
    for (int64_t i = begin; i < end; i++) {
      v[i] = go->keep * v[i] + (go->turn + go->step / mass[i]) * force[i];
      x[i] += go->step * v[i];
      if (!skew) x[i] = domain_wrap(go->all->box, axis, x[i]);
    }
  }
}

static void move(motion *go)
{
  soft_balls *all = go->all;
  if (all->power >= 0.0) {
    if (++go->downhill > PATIENCE) {
      go->step = fmin(STEP_GROWTH * go->step, GREATEST_STEP);
      go->mix *= MIX_CUT;
    }
    go->keep = 1.0 - go->mix;
    go->turn = all->force_square > 0.0 ? go->mix * sqrt(all->speed_square / all->force_square) : 0.0;
  } else {
    go->downhill = 0;
    go->step = fmax(STEP_CUT * go->step, LEAST_STEP);
    go->mix = FIRST_MIX;
    go->keep = go->turn = 0.0;
  }
  slots_for(all->env, &all->table, SOFT_BLOCK, move_block, go);
  if (domain_is_skew(all->box)) slots_for(all->env, &all->table, SOFT_BLOCK, enter_block, go);
}

static bool is_balanced(const soft_balls *all)
{
  double mean_load = all->load / (double)all->table.count;
  return all->force_square <= BALANCE * BALANCE * mean_load * mean_load * (double)all->table.count;
}

floc_status soft_balls_relax(soft_balls *all, double allowed, int64_t limit)
{
  motion go = {.all = all, .step = FIRST_STEP, .mix = FIRST_MIX};
  for (int axis = 0; axis < 3; axis++) slots_clear(all->env, &all->table, all->table.column[COLUMN_vx + axis]);
  for (int64_t k = 0; k < limit; k++) {
    if (k > 0) move(&go);
    floc_status status = k % SORT_INTERVAL == 0 ? sort_by_cells(all) : FLOC_OK;
    if (status == FLOC_OK) status = soft_balls_find_forces(all);
    if (status == FLOC_OK && interrupted(all->env)) status = interruption_status(all->env);
    if (status != FLOC_OK) return status;
    if (all->deepest <= allowed || is_balanced(all)) return FLOC_OK;
  }
  return FLOC_OK;
}
