/*
 * The skin: how much longer lists are made than they need to be, and when they must be rebuilt.
 *
 * Each particle has a margin of its own: max(floor, horizon * rate), where rate is what it used up of the
 * last margin per update (displacement and growth of the search radius). So a list is expected to last `horizon`
 * updates whatever the speeds are, and one fast particle lengthens only its own row.
 *
 * Floor and horizon are controlled towards the least total cost. Margins that are twice as long make rebuilds
 * half as frequent and the needless entries about twice as many; with cost A/margin + B margin the least
 * is where both parts are equal. So after each list the work of its rebuild is compared with the needless
 * entries times the updates that it lasted. If rebuilding cost more, whatever was too short grows (floor,
 * or horizon, depending on who went beyond the margin); if needless entries cost more, both shrink. All of
 * it counts entries and updates, not seconds, so it is the same on every run and machine.
 *
 * Where there are no shapes only relative motion counts (ways.h); skin_check.c says when a list is broken.
 *
 * A list that never breaks is rebuilt once its needless entries have cost several rebuilds.
 *
 * Memory bounds lists as well. While a crowd falls everybody is faster from step to step, and margins for ten steps
 * at that speed would list dozens of others for each. So the pairs of a list, with what they remember, may take
 * LIST_BYTES for each particle, or half as many again as the last list needed without margins. A search that finds
 * more ends there, and margins are halved, up to a 64th of what they were.
 *
 * Lists of swept pairs (pair_sweep) have no margins. They hold every pair within the deviations, so afterwards they
 * count as lists that were made for these.
 */
#include "neighbors/ways.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double FIRST_FLOOR = 0.05; /* in mean radii */
static const double LEAST_FLOOR = 1e-6;
static const double GREATEST_FLOOR = 2.0;
static const double FIRST_HORIZON = 10.0; /* in updates */
static const double GREATEST_HORIZON = 1000.0;
static const double REACH_FACTOR = 2.0; /* margin in units of reach where nothing is known about speeds */
static const double GROWTH_LIMIT = 4.0; /* of a margin from one list to the next */

enum { LIST_BYTES = 384, SMALL_LIST = 1 << 16 /* pairs */, HALVINGS = 6 };
static const double OVER_NEEDED = 1.5; /* of entries */

typedef struct skin_pass {
  const update *step;
  int64_t known; /* particles with a history: slots below this */
  double floor, horizon, part;
  double age;
  bool floor_kind; /* which breakers to look for */
} skin_pass;

static skin_pass make_pass(const update *step)
{
  const skin *present = &step->all->skin;
  return (skin_pass){.step = step,
                     .floor = present->floor,
                     .horizon = present->horizon,
                     .part = 1.0,
                     .age = present->age > 0 ? (double)present->age : 1.0};
}

/* Is one particle beyond its margin, by the way that counts? */
static bool is_beyond(const update *step, int64_t i)
{
  double left = step->all->bound[i] - effective_reach(step->reach[i], step->half_range);
  return !(left >= 0.0 && counted_way(step, i) <= left);
}

/* ---- steering ---- */

/* Was this margin set by the floor? */
static bool is_floor(double margin, double floor)
{
  return margin <= floor * (1.0 + 1e-9);
}

static double breaker_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const skin_pass *pass = context;
  const update *step = pass->step;
  for (int64_t i = begin; i < end; i++) {
    if (is_floor(step->all->margin[i], pass->floor) != pass->floor_kind) continue;
    if (is_beyond(step, i)) return 1.0;
  }
  return 0.0;
}

/* Did somebody whose margin was the floor, or was longer than that, go beyond it? */
static bool find_breaker(const update *step, bool floor_kind)
{
  const neighbors *all = step->all;
  for (int32_t k = 0; k < all->body_count; k++) {
    const body_reference *reference = &all->body[k];
    if (is_floor(reference->margin, all->skin.floor) != floor_kind) continue;
    if (!(skin_body_way(step->obstacles, k, &reference->at) + step->obstacles->body[k].reach <= reference->margin))
      return true;
  }
  skin_pass pass = make_pass(step);
  pass.floor_kind = floor_kind;
  return slots_max(all->env, step->table, PARALLEL_BLOCK, 0.0, breaker_block, &pass) > 0.0;
}

static double clamp(double value, double least, double greatest)
{
  return value < least ? least : value > greatest ? greatest : value;
}

int64_t skin_most_entries(const neighbors *all, int64_t rows)
{
  /* first, second, incoming and the next second; memory, and a column more, for what growing takes */
  const int64_t bytes = 16 + (all->memory_count > 0 ? 8 * ((int64_t)all->memory_count + 1) : 0);
  const int64_t needed = all->skin.built ? (int64_t)(OVER_NEEDED * needed_entries(all)) : 0;
  int64_t most = LIST_BYTES / bytes * rows;
  if (most < SMALL_LIST) most = SMALL_LIST;
  return most > needed ? most : needed;
}

/* Longer margins are of no use where they would have to be shortened again. */
static bool may_grow(const update *step, double factor)
{
  const neighbors *all = step->all;
  const double expected = (double)all->pairs.view.count + (factor - 1.0) * (double)all->skin.excess;
  return expected <= (double)skin_most_entries(all, step->table->count);
}

static void steer(const update *step, rebuild_cause cause, skin *changed)
{
  double waste = (double)changed->age * (double)changed->excess;
  double factor = clamp(sqrt(skin_rebuild_work(step->all) / fmax(waste, 1.0)), 0.5, 1.5);
  bool shrinks = factor < 1.0;
  if (!shrinks && !may_grow(step, factor)) return;
  if (shrinks || (cause == REBUILD_BROKEN && find_breaker(step, true))) changed->floor *= factor;
  if (shrinks || (cause == REBUILD_BROKEN && find_breaker(step, false))) changed->horizon *= factor;
  changed->floor = clamp(changed->floor, LEAST_FLOOR * changed->length, GREATEST_FLOOR * changed->length);
  changed->horizon = clamp(changed->horizon, 1.0, GREATEST_HORIZON);
}

/* Other particles may have come: the mean radius is taken again; floor and horizon start at the first. */
static void begin_skin(const update *step, skin *changed)
{
  const particles *table = step->table;
  const double sum = slots_total(step->all->env, table, table->column[COLUMN_radius]);
  changed->length = table->count > 0 ? sum / (double)table->count : 1.0;
  bool first = !changed->built || step->all->particle_count == 0;
  if (!first) return;
  changed->floor = FIRST_FLOOR * changed->length;
  changed->horizon = FIRST_HORIZON;
}

/* ---- margins ---- */

static double limited(double margin, double before, double first, double floor)
{
  return fmax(floor, fmin(margin, fmax(GROWTH_LIMIT * before, first)));
}

static double particle_margin(const skin_pass *pass, int64_t i, double rho)
{
  const update *step = pass->step;
  double first = REACH_FACTOR * step->reach[i];
  if (i >= pass->known) return fmax(pass->floor, first);
  double before = step->all->margin[i];
  double grown = rho - (step->all->bound[i] - before);
  double used = counted_way(step, i) + fmax(grown, 0.0);
  return limited(pass->horizon * used / pass->age, before, first, pass->floor);
}

/* A free body's next pose is not known, only how far it may go: `reach` as long as `horizon` steps, what is sure.
 */
static double free_margin(const update *step, const skin_pass *pass, int32_t number, bool known)
{
  const double reach = step->obstacles->body[number].reach;
  double before = known ? step->all->body[number].margin : 0.0;
  double gone = known ? skin_body_way(step->obstacles, number, &step->all->body[number].at) / pass->age : reach;
  return reach + limited(pass->horizon * gone, before, REACH_FACTOR * reach, pass->floor);
}

static double body_margin(const update *step, const skin_pass *pass, int32_t number, bool known)
{
  const body *moved = &step->obstacles->body[number];
  double once = skin_body_way(step->obstacles, number, &moved->now);
  if (!isfinite(once)) return 0.0; /* a plane that turns: no margin would last */
  if (moved->reach > 0.0) return free_margin(step, pass, number, known);
  double before = known ? step->all->body[number].margin : 0.0;
  double gone = known ? skin_body_way(step->obstacles, number, &step->all->body[number].at) / pass->age : 0.0;
  double rate = fmax(once, isfinite(gone) ? gone : 0.0);
  if (rate == 0.0) return 0.0;
  return limited(pass->horizon * rate, before, REACH_FACTOR * once, pass->floor);
}

/* ---- the survey of a rebuild ---- */

typedef struct survey_part {
  double least, greatest; /* extents */
  double lower[3], upper[3];
} survey_part;

typedef struct survey {
  const update *step;
  const skin_pass *pass; /* bounds are chosen by it; NULL: they are in the input */
  grid_input *input;
  survey_part *part; /* [blocks] */
} survey;

static inline double choose_bound(const skin_pass *pass, int64_t i)
{
  const update *step = pass->step;
  double rho = effective_reach(step->reach[i], step->half_range);
  double bound = step->sweep ? rho : rho + pass->part * particle_margin(pass, i, rho);
  step->all->next_bound[i] = bound;
  return bound;
}

static void survey_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const survey *all = context;
  const update *step = all->step;
  const grid_input *input = all->input;
  survey_part part = {INFINITY, 0.0, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  bool finite = true;
  for (int64_t i = begin; i < end; i++) {
    double bound = all->pass ? choose_bound(all->pass, i) : input->bound[i];
    double extent = particle_extent(input->radius[i], bound, input->slack);
    if (extent < part.least) part.least = extent;
    if (extent > part.greatest) part.greatest = extent;
    finite = finite && isfinite(extent);
    for (int a = 0; a < step->all->dimension; a++) {
      double x = domain_wrap(input->box, a, input->position[a][i]);
      if (x < part.lower[a]) part.lower[a] = x;
      if (x > part.upper[a]) part.upper[a] = x;
      finite = finite && isfinite(x);
    }
  }
  if (!finite) part.greatest = NAN;
  all->part[block] = part;
}

static bool join_parts(const survey *all, int64_t blocks)
{
  grid_input *input = all->input;
  input->extent_least = INFINITY;
  input->extent_greatest = 0.0;
  for (int a = 0; a < 3; a++) {
    input->lower[a] = INFINITY;
    input->upper[a] = -INFINITY;
  }
  for (int64_t k = 0; k < blocks; k++) {
    const survey_part *part = &all->part[k];
    if (isnan(part->greatest)) return false;
    input->extent_least = fmin(input->extent_least, part->least);
    input->extent_greatest = fmax(input->extent_greatest, part->greatest);
    for (int a = 0; a < 3; a++) {
      input->lower[a] = fmin(input->lower[a], part->lower[a]);
      input->upper[a] = fmax(input->upper[a], part->upper[a]);
    }
  }
  return true;
}

static floc_status name_first_bad(const update *step)
{
  const particles *table = step->table;
  EACH_SLOT(i, table) {
    double *const *column = table->column;
    double x = column[COLUMN_x][i], y = column[COLUMN_y][i];
    double z = step->all->dimension == 3 ? column[COLUMN_z][i] : 0.0;
    double radius = column[COLUMN_radius][i];
    if (isfinite(x) && isfinite(y) && isfinite(z) && isfinite(radius) && isfinite(step->all->next_bound[i]))
      continue;
    return refuse(step->all->env, FLOC_NOT_A_NUMBER,
                  "particle %" PRId64 " is at (%g, %g, %g) with radius %g and search radius %g; all must be finite",
                  table->id[i], x, y, z, radius, step->reach[i]);
  }
  return refuse(step->all->env, FLOC_NOT_A_NUMBER,
                "positions are out of range: distances between particles exceed the largest double");
}

/* Extents and the space of the points; the parts of the survey stand where the grid will put its points. */
static floc_status take_survey(const update *step, const skin_pass *pass, grid_input *input)
{
  neighbors *all = step->all;
  int64_t blocks = parallel_block_count(input->count, PARALLEL_BLOCK);
  size_t numbers = (size_t)blocks * (sizeof(survey_part) / sizeof(double));
  floc_status status =
      array_reserve(all->env, (void **)&all->cells.point, &all->cells.point_capacity, numbers, sizeof(double));
  if (status != FLOC_OK) return status;
  survey all_parts = {step, pass, input, (survey_part *)(void *)all->cells.point};
  parallel_for(all->env, input->count, PARALLEL_BLOCK, survey_block, &all_parts);
  return join_parts(&all_parts, blocks) ? FLOC_OK : name_first_bad(step);
}

static grid_input make_input(const update *step, double *const position[3], const double *bound)
{
  return (grid_input){.env = step->all->env,
                      .box = step->box,
                      .count = step->table->count,
                      .position = {position[0], position[1], position[2]},
                      .radius = step->table->column[COLUMN_radius],
                      .bound = bound,
                      .slack = step->slack};
}

static floc_status survey_next(const update *step, const skin_pass *pass, grid_input *input)
{
  neighbors *all = step->all;
  if (!all->next_bound)
    all->next_bound = arena_allocate(all->scratch, (size_t)step->table->count, sizeof *all->next_bound);
  if (!all->next_bound) return FLOC_OUT_OF_MEMORY;
  *input = make_input(step, &step->table->column[COLUMN_x], all->next_bound);
  return take_survey(step, pass, input);
}

floc_status skin_present_input(const update *step, grid_input *input)
{
  *input = make_input(step, step->all->reference, step->all->bound);
  return take_survey(step, NULL, input);
}

static floc_status choose_bodies(const update *step, const skin_pass *pass, bool known)
{
  neighbors *all = step->all;
  floc_status status = array_reserve(all->env, (void **)&all->next_body, &all->next_body_capacity,
                                     (size_t)step->obstacles->count, sizeof *all->next_body);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < step->obstacles->count; k++) {
    all->next_body[k].at = step->obstacles->body[k].next;
    all->next_body[k].margin = body_margin(step, pass, k, known && k < all->body_count);
  }
  return FLOC_OK;
}

static bool is_known(const neighbors *all)
{
  return all->skin.built && all->skin.valid;
}

/* Slots keep their particles as long as invalidate is not called, so those that were present have a history also
 * when others came. */
static skin_pass choosing_pass(const update *step, const skin *changed)
{
  const neighbors *all = step->all;
  skin_pass pass = make_pass(step);
  pass.floor = changed->floor;
  pass.horizon = changed->horizon;
  pass.part = changed->part;
  if (is_known(all))
    pass.known = all->particle_count < step->table->count ? all->particle_count : step->table->count;
  return pass;
}

floc_status skin_choose(const update *step, rebuild_cause cause, skin *changed)
{
  *changed = step->all->skin;
  changed->part = 1.0;
  if (cause == REBUILD_FORCED)
    begin_skin(step, changed);
  else if (!step->sweep)
    steer(step, cause, changed);
  skin_pass pass = choosing_pass(step, changed);
  return choose_bodies(step, &pass, is_known(step->all));
}

floc_status skin_survey(const update *step, const skin *changed, grid_input *input)
{
  skin_pass pass = choosing_pass(step, changed);
  return survey_next(step, &pass, input);
}

bool skin_shorten(skin *changed)
{
  changed->part *= 0.5;
  return changed->part > ldexp(1.0, -HALVINGS);
}

/* ---- after the lists were made ---- */

static void commit_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const update *step = context;
  neighbors *all = step->all;
  const double *deviation = step->sweep ? step->sweep->deviation : NULL;
  for (int64_t i = begin; i < end; i++) {
    if (deviation) all->bound[i] = effective_reach(deviation[i], step->half_range);
    all->margin[i] = deviation ? 0.0 : all->bound[i] - effective_reach(step->reach[i], step->half_range);
    all->cover[i] = all->bound[i];
  }
  for (int a = 0; a < all->dimension; a++)
    memcpy(all->reference[a] + begin, step->table->column[COLUMN_x + a] + begin,
           (size_t)(end - begin) * sizeof(double));
  memcpy(all->reference[3] + begin, step->table->column[COLUMN_radius] + begin,
         (size_t)(end - begin) * sizeof(double));
}

void skin_commit(const update *step, const skin *changed)
{
  neighbors *all = step->all;
  if (step->table->count > 0) memcpy(all->bound, all->next_bound, (size_t)step->table->count * sizeof *all->bound);
  body_reference *references = all->body;
  size_t body_capacity = all->body_capacity;
  all->body = all->next_body;
  all->body_capacity = all->next_body_capacity;
  all->next_body = references;
  all->next_body_capacity = body_capacity;
  slots_for(all->env, step->table, PARALLEL_BLOCK, commit_block, (void *)step);
  all->radii_known = true;
  all->radii_changed = false;
  all->reference_box = *step->box;
  all->particle_count = step->table->count;
  all->body_count = step->obstacles->count;
  all->shape_count = step->obstacles->shape_count;
  all->skin = *changed;
  all->skin.floor = clamp(changed->part * changed->floor, LEAST_FLOOR * changed->length, changed->floor);
  all->skin.horizon = clamp(changed->part * changed->horizon, 1.0, changed->horizon);
  all->skin.built = 1;
  all->skin.valid = 1;
  all->skin.age = 0;
  all->covered = true; /* nothing has moved since */
  all->covered_in_common = false;
}

/* ---- entries that are there because of margins ---- */

enum { SAMPLE = 4096, SAMPLE_BLOCK = 256 /* rows */ };

typedef struct sample_pass {
  const update *step;
  int64_t stride;
} sample_pass;

static int64_t count_outer(const update *step, int64_t i)
{
  const pair_list *list = &step->all->pairs.view;
  const double *radius = step->table->column[COLUMN_radius], *bound = step->all->bound, *margin = step->all->margin;
  int64_t outer = 0;
  for (int64_t k = list->start[i]; k < list->start[i + 1]; k++) {
    int32_t j = list->second[k];
    double inner = radius[i] + radius[j] + bound[i] + bound[j] - 0.5 * (margin[i] + margin[j]);
    double separation[3], squared = pair_separation(step, i, j, separation);
    outer += squared > inner * inner;
  }
  return outer;
}

static double outer_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const sample_pass *pass = context;
  int64_t outer = 0;
  for (int64_t n = begin; n < end; n++) outer += count_outer(pass->step, n * pass->stride);
  return (double)outer;
}

/* From a sample of rows. Entries of the outer half are counted twice: that is how fast their number grows with the
 * margin, which is what the steering needs. */
int64_t skin_excess(const update *step)
{
  int64_t count = step->table->count, stride = count > 2 * SAMPLE ? count / SAMPLE : 1;
  sample_pass pass = {step, stride};
  int64_t rows = (count + stride - 1) / stride;
  return 2 * stride * parallel_count(step->all->env, rows, SAMPLE_BLOCK, outer_block, &pass);
}
