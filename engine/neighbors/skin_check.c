/*
 * Must the lists be rebuilt? They stand as long as no effective search radius is longer than what is left of the
 * bound after the displacement (ways.h): the cover of a particle,
 *
 *     cover_i = b_i - |d_i|    or    (b_i - |d_i - W(x_i)| - |grad W| R_i) / (1 + |grad W|)
 *
 * less what the host has made the radius longer by since (neighbors_see_radii).
 *
 * It depends on positions and radii alone. A scheme asks several times in a step, each time with longer reach; then
 * covers of the first time are good for all (neighbors_update_reach).
 *
 * Among many there is always one that goes too far. If they are few, their neighbours are looked up (escaped.c).
 *
 * Memory: each block of the test notes the slots beyond their covers in `escaped`, from its own first slot on; -1
 * ends them where the block has places left.
 */
#include "neighbors/ways.h"

#include "base/numbers/wide.h"
#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

/* Costs in units of what an entry costs its users per update, found by trying. Where a few who go too far break no
 * list (escaped.c), longer margins pay: in the plane, steps of aggregation are 10 to 20 % shorter with 32 than with
 * 8, and as long with 64. */
static const double REBUILD_PER_PARTICLE[2] = {8.0, 20.0}; /* in 2-D and 3-D */
static const double REBUILD_WITHOUT_SHAPES[2] = {32.0, 20.0};
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
    if (!(skin_body_way(step->obstacles, k, &all->body[k].at) + step->obstacles->body[k].reach <=
          all->body[k].margin))
      return false;
  return true;
}

/* ---- particles ---- */

static void way_of(void *context, int64_t i, double way[3])
{
  const update *step = context;
  for (int a = 0; a < step->all->dimension; a++)
    way[a] = domain_shortest(step->box, a, step->table->column[COLUMN_x + a][i] - step->all->reference[a][i]);
}

static inline bool is_too_short(double cover, double reach, double half_range)
{
  return !(effective_reach(reach, half_range) <= cover);
}

static void note_escaped(const update *step, int64_t begin, int64_t end, int64_t count)
{
  if (count == 0) {
    step->all->escaped[begin] = -1;
    return;
  }
  int32_t *to = step->all->escaped + begin;
  int64_t noted = 0;
  for (int64_t i = begin; i < end; i++) {
    to[noted] = (int32_t)i;
    noted += is_too_short(step->all->cover[i], step->reach[i], step->half_range);
  }
  if (count < end - begin) to[count] = -1;
}

/* Writes covers by the ways that count; returns how many are too short. No early end, so that the loop is done
 * several particles at a time. A NaN counts as too short; the survey then names it. */
HOT double cover_range(const update *step, int64_t begin, int64_t end, const bool in_common, const int dimension)
{
  const double *bound = step->all->bound, *radius = step->table->column[COLUMN_radius], *reach = step->reach;
  double *cover = step->all->cover, half_range = step->half_range;
  const double norm = step->common.norm, part = 1.0 / (1.0 + norm);
  int64_t count = 0;
  for (int64_t i = begin; i < end; i++) {
    double left = in_common ? (bound[i] - sqrt(own_way_squared(step, i, dimension)) - norm * radius[i]) * part
                            : bound[i] - sqrt(way_squared(step, i, dimension));
    cover[i] = left;
    count += is_too_short(left, reach[i], half_range);
  }
  if (step->all->radii_changed) {
    count = 0;
    for (int64_t i = begin; i < end; i++) {
      cover[i] -= growth(step, i);
      count += is_too_short(cover[i], reach[i], half_range);
    }
  }
  note_escaped(step, begin, end, count);
  return (double)count;
}

HOT double plain_block_loop(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  return step->all->dimension == 2 ? cover_range(step, begin, end, false, 2)
                                   : cover_range(step, begin, end, false, 3);
}

CLONED(double, plain_block, (void *context, int64_t begin, int64_t end, int64_t block),
       (context, begin, end, block))

HOT double common_block_loop(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  return step->all->dimension == 2 ? cover_range(step, begin, end, true, 2)
                                   : cover_range(step, begin, end, true, 3);
}

CLONED(double, common_block, (void *context, int64_t begin, int64_t end, int64_t block),
       (context, begin, end, block))

static double reach_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  const double *cover = step->all->cover, *reach = step->reach;
  double half_range = step->half_range;
  int64_t count = 0;
  for (int64_t i = begin; i < end; i++) count += is_too_short(cover[i], reach[i], half_range);
  note_escaped(step, begin, end, count);
  return (double)count;
}

/* How many are beyond their covers? The lists were built for as many as there are: skin_check() has seen to it. */
static int64_t count_escaped(update *step, block_value test)
{
  return slots_count(step->all->env, step->table, PARALLEL_BLOCK, test, step);
}

static int64_t cover_all(update *step, bool in_common)
{
  neighbors *all = step->all;
  all->covered_in_common = in_common;
  if (in_common) all->common = step->common;
  return count_escaped(step, in_common ? common_block : plain_block);
}

static bool is_same_box(const domain *a, const domain *b)
{
  bool same = a->tilt == b->tilt && a->plane == b->plane;
  for (int axis = 0; axis < 3; axis++)
    same = same &&
           (!(a->length[axis] > 0.0) || (a->lower[axis] == b->lower[axis] && a->upper[axis] == b->upper[axis]));
  return same;
}

/* W(x) = x - F^-1 x: with lattices H now and H' then F^-1 is H' H^-1, and both are upper triangular. */
static void find_deformation(update *step)
{
  const domain *now = step->box, *then = &step->all->reference_box;
  affine_field *field = &step->common;
  double back[3] = {1.0, 1.0, 1.0}, shear = 0.0, square = 0.0;
  *field = (affine_field){.norm = 0.0};
  for (int a = 0; a < step->all->dimension; a++) {
    if (!(now->length[a] > 0.0)) continue;
    back[a] = then->length[a] / now->length[a];
    field->center[a] = 0.5 * (now->lower[a] + now->upper[a]);
    field->value[a] = field->center[a] - 0.5 * (then->lower[a] + then->upper[a]);
    field->gradient[a][a] = 1.0 - back[a];
    square += (1.0 - back[a]) * (1.0 - back[a]);
  }
  const int along = domain_along(now), across = domain_across(now);
  if (now->length[along] > 0.0 && now->length[across] > 0.0)
    shear = (then->tilt - back[along] * now->tilt) / now->length[across];
  field->gradient[along][across] = -shear;
  field->norm = sqrt(square + shear * shear);
}

static bool fit_common(update *step)
{
  if (step->deformed) return true;
  if (step->obstacles->shape_count > 0) return false;
  step->moves_in_common = affine_fit(step->table, step->box, way_of, step, &step->common);
  double greatest = FARTHEST_IN_COMMON * step->all->skin.length;
  for (int a = 0; a < step->all->dimension; a++)
    if (!(fabs(step->common.value[a]) <= greatest)) return false;
  return step->moves_in_common;
}

/* One of three is enough: plain ways hold; ways without the common motion hold; or all are listed who are near
 * those beyond their covers, by ways without the common motion where there is one. Which comes first is a matter of
 * time alone: the crowd that moved in common will most likely do so again. */
static bool ways_hold(update *step)
{
  if (step->deformed) {
    find_deformation(step);
    step->moves_in_common = true;
    return cover_all(step, true) == 0;
  }
  bool tried = step->all->moved_in_common, in_common = tried && fit_common(step), plain_first = !in_common;
  if (plain_first) {
    int64_t count = cover_all(step, false);
    if (count == 0) return true;
    if (tried || !fit_common(step)) return escaped_are_listed(step, count);
  }
  int64_t count = cover_all(step, true);
  if (count == 0 || escaped_are_listed(step, count)) return true;
  return !plain_first && cover_all(step, false) == 0;
}

static bool particles_hold(update *step)
{
  neighbors *all = step->all;
  if (step->same_positions && all->covered) {
    int64_t count = count_escaped(step, reach_block);
    if (count == 0) return true;
    step->common = all->common;
    if (all->covered_in_common && !step->deformed && escaped_are_listed(step, count)) return true;
  }
  all->covered = ways_hold(step);
  all->moved_in_common = all->covered_in_common;
  return all->covered;
}

/* ---- from outside ---- */

static double changed_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  const double *radius = step->table->column[COLUMN_radius], *reference = step->all->reference[3];
  int64_t count = 0;
  for (int64_t i = begin; i < end; i++) count += radius[i] != reference[i];
  return (double)count;
}

/* A box that stands skew counts too: shortest ways in it are not those axis by axis. */
bool skin_is_deformed(const neighbors *all, const domain *box)
{
  const domain *then = &all->reference_box;
  return domain_is_skew(box) || (then->dimension > 0 && !is_same_box(box, then));
}

void neighbors_see_radii(neighbors *all, const particles *table)
{
  if (!all->skin.built || all->particle_count != table->count || table->count == 0) return;
  if (!all->radii_known) {
    memcpy(all->reference[3], table->column[COLUMN_radius], (size_t)table->count * sizeof(double));
    all->radii_known = true;
  }
  update step = {.all = all, .table = table};
  all->radii_changed = slots_count(all->env, table, PARALLEL_BLOCK, changed_block, &step) > 0;
}

static double uncovered_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  int64_t count = 0;
  for (int64_t i = begin; i < end; i++) {
    double left = step->all->bound[i] - sqrt(way_squared(step, i, step->all->dimension));
    if (step->all->radii_known) left -= growth(step, i);
    count += !(step->half_range <= left);
  }
  return (double)count;
}

bool neighbors_hold(const neighbors *all, const particles *table, const bodies *obstacles, const domain *box,
                    double range)
{
  const skin *present = &all->skin;
  update step = {.all = (neighbors *)(uintptr_t)all, /* only read */
                 .table = table,
                 .obstacles = obstacles,
                 .box = box,
                 .half_range = range > 0.0 ? 0.5 * range : 0.0};
  bool same = present->built && present->valid && all->particle_count == table->count &&
              all->body_count == obstacles->count && all->shape_count == obstacles->shape_count;
  if (!same || !bodies_hold(&step) || skin_is_deformed(all, box)) return false;
  return slots_count(all->env, table, PARALLEL_BLOCK, uncovered_block, &step) == 0;
}

/* ---- the decision ---- */

/* Of a rebuild without margins: what needless entries add to it would not be saved by longer margins. */
double skin_rebuild_work(const neighbors *all)
{
  double needed = needed_entries(all);
  const double *per_particle = all->shape_count > 0 ? REBUILD_PER_PARTICLE : REBUILD_WITHOUT_SHAPES;
  return per_particle[all->dimension - 2] * (double)all->particle_count + REBUILD_PER_ENTRY * needed;
}

/* New margins follow from the ways that count, whichever test came first. */
static void choose_ways(update *step)
{
  step->moves_in_common = step->deformed;
  if (!step->deformed && cover_all(step, false) > 0) fit_common(step);
}

rebuild_cause skin_check(update *step)
{
  neighbors *all = step->all;
  const skin *present = &all->skin;
  bool same = present->built && present->valid && all->particle_count == step->table->count &&
              all->body_count == step->obstacles->count && all->shape_count == step->obstacles->shape_count;
  if (!same) return REBUILD_FORCED;
  step->deformed = skin_is_deformed(all, step->box);
  if (step->sweep || !bodies_hold(step) || !particles_hold(step)) return REBUILD_BROKEN;
  bool wasteful = (double)present->age * (double)present->excess > WASTE_LIMIT * skin_rebuild_work(all);
  if (!wasteful) return REBUILD_NOT;
  choose_ways(step);
  return REBUILD_WASTEFUL;
}
