/*
 * Must the lists be made anew? They stand as long as nobody's effective reach is longer than what is left of the
 * bound after the way gone (ways.h): the cover of a particle,
 *
 *     cover_i = b_i - |d_i|    or    (b_i - |d_i - W(x_i)| - |grad W| R_i) / (1 + |grad W|)
 *
 * It depends on positions alone. A scheme asks several times in a step, each time with longer reach; then covers of
 * the first time are good for all (neighbors_update_reach).
 */
#include "neighbors/ways.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

/* Costs in units of what an entry costs its users per update. The least is flat: of whole steps of the projection
 * scheme four times these save 5 %, and make lists half as long again. */
static const double REBUILD_PER_PARTICLE[2] = {8.0, 20.0}; /* in 2-D and 3-D */
static const double REBUILD_PER_ENTRY = 1.0;

static const double FARTHEST_IN_COMMON = 1e4; /* in mean radii: farther, rounding would count */
static const double WASTE_LIMIT = 4.0;        /* rebuilds that needless entries may cost */

/* ---- bodies ---- */

double skin_body_way(const bodies *obstacles, int32_t number, const pose *from)
{
  const pose *to = &obstacles->body[number].next;
  return memcmp(from, to, sizeof *from) == 0 ? 0.0 : body_shift(obstacles, number, from, to);
}

static bool bodies_hold(const update *step)
{
  const neighbors *all = step->all;
  for (int32_t k = 0; k < all->body_count; k++)
    if (!(skin_body_way(step->obstacles, k, &all->body[k].at) <= all->body[k].margin)) return false;
  return true;
}

/* ---- particles ---- */

static void way_of(void *context, int64_t i, double way[3])
{
  const update *step = context;
  for (int a = 0; a < step->all->dimension; a++)
    way[a] = domain_shortest(step->box, a, step->table->column[COLUMN_x + a][i] - step->all->reference[a][i]);
}

/* Writes covers by the ways that count. Is one too short? No early end, so that the loop is done several particles
 * at a time. A NaN counts as too short; the survey then names it. */
static inline double cover_range(const update *step, int64_t begin, int64_t end, const bool in_common,
                                 const int dimension)
{
  const double *bound = step->all->bound, *radius = step->table->column[COLUMN_radius], *reach = step->reach;
  double *cover = step->all->cover, half_range = step->half_range;
  const double norm = step->common.norm, part = 1.0 / (1.0 + norm);
  int broken = 0;
  for (int64_t i = begin; i < end; i++) {
    double left = in_common ? (bound[i] - sqrt(own_way_squared(step, i, dimension)) - norm * radius[i]) * part
                            : bound[i] - sqrt(way_squared(step, i, dimension));
    cover[i] = left;
    broken |= !(effective_reach(reach[i], half_range) <= left);
  }
  return broken;
}

static double plain_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  return step->all->dimension == 2 ? cover_range(step, begin, end, false, 2)
                                   : cover_range(step, begin, end, false, 3);
}

static double common_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  return step->all->dimension == 2 ? cover_range(step, begin, end, true, 2)
                                   : cover_range(step, begin, end, true, 3);
}

static double reach_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  const double *cover = step->all->cover, *reach = step->reach;
  double half_range = step->half_range;
  int broken = 0;
  for (int64_t i = begin; i < end; i++) broken |= !(effective_reach(reach[i], half_range) <= cover[i]);
  return broken;
}

static bool holds(update *step, block_value test)
{
  const neighbors *all = step->all;
  return parallel_max(all->env, all->particle_count, PARALLEL_BLOCK, 0.0, test, step) == 0.0;
}

static bool fit_common(update *step)
{
  if (step->obstacles->shape_count > 0) return false;
  step->moves_in_common = affine_fit(step->table, step->box, way_of, step, &step->common);
  double greatest = FARTHEST_IN_COMMON * step->all->skin.length;
  for (int a = 0; a < step->all->dimension; a++)
    if (!(fabs(step->common.value[a]) <= greatest)) return false;
  return step->moves_in_common;
}

/* One test is enough; which comes first is a matter of time alone. The crowd that moved in common will most likely
 * do so again. */
static bool particles_hold(update *step)
{
  neighbors *all = step->all;
  if (step->same_positions && all->covered && holds(step, reach_block)) return true;
  bool common_first = all->moved_in_common;
  bool stands = common_first ? fit_common(step) && holds(step, common_block) : holds(step, plain_block);
  all->moved_in_common = common_first == stands;
  if (!stands) stands = common_first ? holds(step, plain_block) : fit_common(step) && holds(step, common_block);
  all->covered = stands;
  return stands;
}

/* ---- the decision ---- */

/* Of a rebuild without margins: what needless entries add to it would not be saved by longer margins. */
double skin_rebuild_work(const neighbors *all)
{
  double needed = fmax(0.0, (double)(all->pairs.view.count - all->skin.excess));
  return REBUILD_PER_PARTICLE[all->dimension - 2] * (double)all->particle_count + REBUILD_PER_ENTRY * needed;
}

/* New margins follow from the ways that count, whichever test came first. */
static void choose_ways(update *step)
{
  step->moves_in_common = false;
  if (!holds(step, plain_block)) fit_common(step);
}

rebuild_cause skin_check(update *step)
{
  neighbors *all = step->all;
  const skin *present = &all->skin;
  bool same = present->built && present->valid && all->particle_count == step->table->count &&
              all->body_count == step->obstacles->count && all->shape_count == step->obstacles->shape_count;
  if (!same) return REBUILD_FORCED;
  if (step->sweep || !bodies_hold(step) || !particles_hold(step)) return REBUILD_BROKEN;
  bool wasteful = (double)present->age * (double)present->excess > WASTE_LIMIT * skin_rebuild_work(all);
  if (!wasteful) return REBUILD_NOT;
  choose_ways(step);
  return REBUILD_WASTEFUL;
}
