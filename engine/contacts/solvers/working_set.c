/*
 * The default solver: a working set of contacts, split into islands.
 *
 * 1. Working set: contacts that carry an impulse, may pull (lower < 0), or would come near if nothing
 *    touched. The others keep impulse 0.
 * 2. Islands: connected components of the working set over particles (grouping.h). They do not know of
 *    each other: islands.h solves each by itself.
 * 3. All contacts are checked with the new velocities. Violated ones join the set, and the islands that
 *    they belong to are solved again, until none is left.
 *
 * Contacts keep their order within an island, islands the order of their first contact, and every particle
 * belongs to one island. So nothing depends on which thread does what.
 *
 * Memory: passes over contacts leave what they pick in `listed`, each block at its own place; the gaps are
 * closed after.
 */
#include "base/interruption.h"
#include "contacts/problem/grouping.h"
#include "contacts/solvers/islands.h"
#include "contacts/solvers/solve.h"
#include "domains/patches.h"

#include <math.h>
#include <string.h>

enum { MAXIMUM_ROUNDS = 60, CONTACT_BLOCK = 512, PARTICLE_BLOCK = 4096, SAMPLES = 256 };
enum { BUDGET_ROUNDS = 4, BUDGET_PART = 4 };
enum { STAGED_CONTACTS = 16384, STAGE_PART = 4 };
static const double target_factor = 0.95; /* of the tolerance: margin for rounding in the islands' own residual */
/* Of the typical change of a gap by the contacts. Small: few contacts, but each round that finds missing ones
 * restarts the solver's momentum; in a flowing pile 0.1 costs 1.4 times the time of 1, at rest 10 costs 1.2
 * times. With friction 1 solves jostled crowds twice over, because the rounds find that number of more; without a
 * limit a flowing drum takes a third longer, a resting pile as long. */
static const double gap_factor = 1.0, gap_factor_friction = 3.0;

typedef struct working_set {
  environment *env;
  arena *scratch;
  const contact_problem *problem;
  const contact_options *options;
  double gap; /* working gap as a velocity */
  const contact_answer *answer;
  bool has_blocks;

  uint8_t *member;  /* [contact] in the working set */
  uint8_t *touched; /* [particle] of islands that were solved again */
  bool checked;     /* all contacts have been checked once */
  int32_t *listed;  /* [contact] scratch of islands_solve() while they are solved */
  int64_t listed_count;
  int64_t *block_count;   /* [block] of listed contacts */
  double *block_residual; /* [block] */
  int64_t *block_active;  /* [block] */

  grouping islands;         /* of the listed contacts */
  int64_t *island_spent;    /* [island] */
  int64_t work;             /* products times contacts */
  int64_t allowed;          /* products of an island so far */
  bool staged;              /* more are allowed once contacts that the set lacks have been looked for */
  exact_sum energy, fallen; /* as in island_set */
} working_set;

/* The first particle of the first contact; of joined islands the root of one of them. */
static int32_t root_of_island(const working_set *set, int64_t island)
{
  return grouping_root(&set->islands, set->islands.contact[set->islands.start[island]]);
}

/* ---- 1. the working set ---- */

/* What is at least 0 where no impulse is needed; dimension is a constant wherever it is used. */
static inline double opening(const working_set *set, int64_t a, const double *const velocity[3],
                             const double *const spin[3], const int dimension)
{
  if (set->has_blocks && (!set->problem->round || set->problem->convex))
    return contact_opening(set->problem, a, velocity, spin);
  return contact_velocity(set->problem, a, velocity, dimension);
}

/* What a contact changes its gap by in this step: by the first guess, or, without one, by how far the pair would
 * overlap. As a velocity; 0: not at all. */
static double change_by(const working_set *set, int64_t a)
{
  const contact_problem *problem = set->problem;
  const int32_t second = problem->second[a];
  const double other = second >= 0 ? problem->inverse_mass[second] : 0.0;
  double change = (problem->inverse_mass[problem->first[a]] + other) * fabs(set->answer->impulse[a]);
  if (!(change > 0.0)) change = -opening(set, a, problem->free_velocity, problem->free_spin, problem->dimension);
  return change > 0.0 ? change : 0.0;
}

typedef struct change_call {
  const working_set *set;
  double *change; /* [contact] */
} change_call;

/* Returns how many are not 0. */
static double note_changes(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const change_call *call = context;
  int64_t count = 0;
  for (int64_t a = begin; a < end; a++) {
    call->change[a] = change_by(call->set, a);
    count += call->change[a] > 0.0;
  }
  return (double)count;
}

/* The working gap is a multiple of the mean of those that are not 0: of a sample of the list, or, in a world of
 * several patches, of all contacts: an exact sum, in which the order of the list does not show. */
static floc_status find_gap(working_set *set)
{
  const int64_t contacts = set->problem->contact_count, stride = contacts / SAMPLES + 1;
  double sum = 0.0;
  int64_t count = 0;
  if (set->problem->patches) {
    arena_mark here = arena_here(set->scratch);
    change_call call = {set, arena_allocate(set->scratch, (size_t)contacts, sizeof *call.change)};
    if (!call.change) return FLOC_OUT_OF_MEMORY;
    count = parallel_count(set->env, contacts, PARALLEL_BLOCK, note_changes, &call);
    sum = parallel_total(set->env, contacts, call.change);
    arena_return(set->scratch, here);
  } else {
    for (int64_t a = 0; a < contacts; a += stride) {
      const double change = change_by(set, a);
      sum += change;
      count += change > 0.0;
    }
  }
  const double typical = count ? sum / (double)count : 0.0;
  set->gap = (set->has_blocks ? gap_factor_friction : gap_factor) * typical;
  return FLOC_OK;
}

static inline bool has_tangent(const contact_answer *answer, int64_t a)
{
  bool found = false;
  for (int axis = 0; axis < 3 && answer->tangent[axis]; axis++) found |= answer->tangent[axis][a] != 0.0;
  return found;
}

static inline int64_t select_range(working_set *set, int64_t begin, int64_t end, const int dimension)
{
  const contact_problem *problem = set->problem;
  double *impulse = set->answer->impulse;
  const bool rubs = set->answer->tangent[0] != NULL;
  int32_t *list = set->listed + begin;
  int64_t count = 0;
  for (int64_t a = begin; a < end; a++) {
    double lower = problem->lower[a], p = impulse[a];
    if (!(p >= lower)) impulse[a] = p = lower > -INFINITY ? lower : 0.0;
    double w = opening(set, a, problem->free_velocity, problem->free_spin, dimension);
    bool chosen = !(p == 0.0) | (lower < 0.0) | !(w >= set->gap);
    if (rubs) chosen |= has_tangent(set->answer, a);
    set->member[a] = chosen;
    list[count] = (int32_t)a;
    count += chosen;
  }
  return count;
}

static void select_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  working_set *set = context;
  set->block_count[block] =
      set->problem->dimension == 2 ? select_range(set, begin, end, 2) : select_range(set, begin, end, 3);
}

/* Closes the gaps that blocks left in `listed`. */
static void close_list(working_set *set)
{
  int64_t total = 0, blocks = parallel_block_count(set->problem->contact_count, CONTACT_BLOCK);
  for (int64_t block = 0; block < blocks; block++) {
    int64_t count = set->block_count[block];
    if (total != block * CONTACT_BLOCK)
      memmove(set->listed + total, set->listed + block * CONTACT_BLOCK, (size_t)count * sizeof *set->listed);
    total += count;
  }
  set->listed_count = total;
}

/* ---- 2. islands ---- */

/* What islands have spent is known at their roots. */
static void recall_spent(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const working_set *set = context;
  for (int64_t island = begin; island < end; island++)
    set->island_spent[island] = set->islands.spent[root_of_island(set, island)];
}

static void keep_spent(working_set *set)
{
  for (int64_t island = 0; island < set->islands.count; island++)
    set->islands.spent[root_of_island(set, island)] = set->island_spent[island];
}

/* Large islands are cut by patches, which stay found until the set is solved. */
static floc_status find_patches(const working_set *set)
{
  const int64_t *start = set->islands.start;
  patch_place *place = set->problem->patches;
  if (!place) return FLOC_OK;
  for (int64_t island = 0; island < set->islands.count; island++)
    if (start[island + 1] - start[island] > SMALL_ISLAND) return patches_need(set->env, set->scratch, place);
  return FLOC_OK;
}

static floc_status solve_grouped(working_set *set)
{
  floc_status status = find_patches(set);
  if (status != FLOC_OK) return status;
  island_set islands = {.env = set->env,
                        .scratch = set->scratch,
                        .problem = set->problem,
                        .limits = {target_factor * set->options->tolerance, set->allowed},
                        .options = set->options,
                        .staged = set->staged,
                        .answer = set->answer,
                        .slot = set->islands.slot,
                        .contact = set->islands.contact,
                        .start = set->islands.start,
                        .spare = set->islands.root,
                        .listed = set->listed,
                        .count = set->islands.count,
                        .spent = set->island_spent,
                        .work = set->work,
                        .energy = set->energy,
                        .fallen = set->fallen};
  parallel_for(set->env, islands.count, PARTICLE_BLOCK, recall_spent, set);
  status = islands_solve(&islands);
  set->work = islands.work;
  set->energy = islands.energy;
  set->fallen = islands.fallen;
  return status;
}

/* ---- 3. the check of all contacts ---- */

/* Has a velocity that these contacts depend on changed since they were checked? */
static bool block_is_touched(const working_set *set, int64_t begin, int64_t end)
{
  const int32_t *first = set->problem->first, *second = set->problem->second;
  for (int64_t a = begin; a < end; a++)
    if (set->touched[first[a]] || (second[a] >= 0 && set->touched[second[a]])) return true;
  return false;
}

/* A contact's part of the residual without h, without friction and rotation. */
static inline double plain_residual(const contact_problem *problem, int64_t a, const double *const velocity[3],
                                    double p, const int dimension)
{
  int32_t first = problem->first[a], second = problem->second[a];
  double diagonal = problem->inverse_mass[first] + (second >= 0 ? problem->inverse_mass[second] : 0.0);
  double w = contact_velocity(problem, a, velocity, dimension), slack = diagonal * (p - problem->lower[a]);
  return fabs(slack < w ? slack : w);
}

/* Lists the contacts whose part of the residual is above the tolerance. */
static inline void check_range(working_set *set, int64_t begin, int64_t end, int64_t block, const int dimension)
{
  const contact_problem *problem = set->problem;
  const contact_answer *answer = set->answer;
  const double *const velocity[3] = {answer->velocity[0], answer->velocity[1], answer->velocity[2]};
  int32_t *list = set->listed + begin;
  double worst = 0.0;
  int64_t count = 0, active = 0;
  for (int64_t a = begin; a < end; a++) {
    double p = answer->impulse[a];
    double value = problem->time_step * (set->has_blocks ? contact_residual(problem, a, answer)
                                                         : plain_residual(problem, a, velocity, p, dimension));
    worst = greatest(worst, value);
    active += p != 0.0 || (set->has_blocks && has_tangent(answer, a));
    list[count] = (int32_t)a;
    count += !(value <= set->options->tolerance);
  }
  set->block_count[block] = count;
  set->block_residual[block] = worst;
  set->block_active[block] = active;
}

static void check_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  working_set *set = context;
  set->block_count[block] = 0;
  if (set->checked && !block_is_touched(set, begin, end)) return;
  if (set->problem->dimension == 2)
    check_range(set, begin, end, block, 2);
  else
    check_range(set, begin, end, block, 3);
}

/* Particles of the islands that are to be solved again. */
static void touch_grouped(working_set *set)
{
  const contact_problem *problem = set->problem;
  for (int64_t k = 0; k < set->listed_count; k++) {
    int64_t a = set->islands.contact[k];
    set->touched[problem->first[a]] = true;
    if (problem->second[a] >= 0) set->touched[problem->second[a]] = true;
  }
}

static void check_all(working_set *set, contact_report *report)
{
  int64_t contacts = set->problem->contact_count;
  parallel_for(set->env, contacts, CONTACT_BLOCK, check_block, set);
  report->residual = 0.0;
  report->active = 0;
  for (int64_t block = 0; block < parallel_block_count(contacts, CONTACT_BLOCK); block++) {
    report->residual = greatest(report->residual, set->block_residual[block]);
    report->active += set->block_active[block];
  }
  set->checked = true;
  close_list(set);
}

/* Lists contacts whose island has been marked. */
static void list_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  working_set *set = context;
  int32_t *list = set->listed + begin;
  int64_t count = 0;
  for (int64_t a = begin; a < end; a++)
    if (set->member[a] && set->islands.slot[grouping_root(&set->islands, a)] == 0) list[count++] = (int32_t)a;
  set->block_count[block] = count;
}

/* Of the violated contacts those that no sweep has had; their islands may sweep on. */
static void keep_missing(working_set *set)
{
  int64_t missing = 0;
  for (int64_t k = 0; k < set->listed_count; k++)
    if (!set->member[set->listed[k]]) set->listed[missing++] = set->listed[k];
  set->listed_count = missing;
  set->allowed += (set->options->budget + BUDGET_PART - 1) / BUDGET_PART + 1;
}

/* Under Coulomb's law a large island may not be solved, and then the contacts that the set lacks must not be found
 * when everything has been spent. */
static void begin_stages(working_set *set)
{
  const contact_problem *problem = set->problem;
  set->staged = set->has_blocks && !problem->convex && problem->contact_count >= STAGED_CONTACTS &&
                set->options->solver == FLOC_SOLVER_AUTO && set->options->budget == 0;
  if (set->staged) set->allowed = (set->allowed + STAGE_PART - 1) / STAGE_PART;
}

static void end_stages(working_set *set)
{
  set->allowed = contact_products(set->options);
  set->staged = false;
}

/* Takes the listed contacts into the set, and lists all contacts of their islands instead, as far as
 * those may still spend something. */
static void list_islands_again(working_set *set)
{
  grouping *islands = &set->islands;
  int64_t violated = set->listed_count;
  keep_spent(set);
  grouping_join(islands, set->listed, violated);
  int32_t *marked = islands->root;
  for (int64_t k = 0; k < violated; k++) {
    int64_t a = set->listed[k];
    set->member[a] = true;
    marked[k] = grouping_root(islands, a);
    if (islands->spent[marked[k]] < set->allowed) islands->slot[marked[k]] = 0;
  }
  parallel_for(set->env, set->problem->contact_count, CONTACT_BLOCK, list_block, set);
  close_list(set);
  for (int64_t k = 0; k < violated; k++) islands->slot[marked[k]] = -1;
}

/* Lists the contacts of islands that hold a changed one; all contacts of the set have been joined. */
static void list_changed_islands(working_set *set)
{
  int64_t changed = 0;
  for (int64_t k = 0; k < set->listed_count; k++)
    if (set->options->changed[set->listed[k]]) set->listed[changed++] = set->listed[k];
  set->listed_count = changed;
  list_islands_again(set);
}

/* ---- all together ---- */

static void start_particles(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  working_set *set = context;
  const size_t bytes = (size_t)(end - begin) * sizeof(double);
  for (int axis = 0; axis < set->problem->dimension && !set->options->changed; axis++)
    memcpy(set->answer->velocity[axis] + begin, set->problem->free_velocity[axis] + begin, bytes);
  for (int axis = 0; axis < 3; axis++)
    if (set->answer->spin[axis] && !set->options->changed)
      memcpy(set->answer->spin[axis] + begin, set->problem->free_spin[axis] + begin, bytes);
  for (int64_t i = begin; i < end; i++) {
    set->islands.parent[i] = (int32_t)i;
    set->islands.slot[i] = -1;
    set->islands.spent[i] = 0;
    set->touched[i] = false;
  }
}

static floc_status allocate_set(working_set *set)
{
  arena *scratch = set->scratch;
  size_t contacts = (size_t)set->problem->contact_count, bodies = (size_t)set->problem->body_count;
  size_t blocks = (size_t)parallel_block_count((int64_t)contacts, CONTACT_BLOCK);
  set->member = arena_allocate(scratch, contacts, sizeof *set->member);
  set->touched = arena_allocate(scratch, bodies, sizeof *set->touched);
  set->listed = arena_allocate(scratch, contacts, sizeof *set->listed);
  set->block_count = arena_allocate(scratch, blocks, sizeof *set->block_count);
  set->block_residual = arena_allocate(scratch, blocks, sizeof *set->block_residual);
  set->block_active = arena_allocate(scratch, blocks, sizeof *set->block_active);
  set->island_spent = arena_allocate(scratch, contacts < bodies ? contacts : bodies, sizeof *set->island_spent);
  bool complete = set->member && set->touched && set->listed && set->block_count && set->block_residual &&
                  set->block_active && set->island_spent;
  return complete ? grouping_allocate(&set->islands, scratch) : FLOC_OUT_OF_MEMORY;
}

floc_status auto_solve(environment *env, arena *scratch, const contact_problem *problem,
                       const contact_options *options, const contact_answer *answer, contact_report *report)
{
  working_set set = {.env = env,
                     .scratch = scratch,
                     .problem = problem,
                     .options = options,
                     .answer = answer,
                     .has_blocks = contacts_have_blocks(problem),
                     .allowed = contact_products(options),
                     .energy = EXACT_ZERO,
                     .fallen = EXACT_ZERO,
                     .islands = {.env = env, .problem = problem}};
  begin_stages(&set);
  if (problem->patches && problem->patches->table) problem->patches->found = false; /* in memory that is gone */
  set.gap = options->working_gap / problem->time_step;
  floc_status status = allocate_set(&set);
  if (status == FLOC_OK && !(options->working_gap > 0.0)) status = find_gap(&set);
  if (status != FLOC_OK) return status;
  parallel_for(env, problem->body_count, PARTICLE_BLOCK, start_particles, &set);
  parallel_for(env, problem->contact_count, CONTACT_BLOCK, select_block, &set);
  close_list(&set);
  grouping_join(&set.islands, set.listed, set.listed_count);
  if (options->changed) list_changed_islands(&set);
  bool missing = false;
  for (int round = 0; round < MAXIMUM_ROUNDS; round++) {
    status = grouping_sort(&set.islands, scratch, set.listed, set.listed_count);
    if (status != FLOC_OK) return status;
    if (round > 0) touch_grouped(&set);
    if (round == 0) report->islands = (int32_t)set.islands.count;
    status = solve_grouped(&set);
    if (status == FLOC_OK) status = interruption_status(env);
    if (status != FLOC_OK) return status;
    check_all(&set, report);
    if (report->residual <= options->tolerance) break;
    if (options->budget > 0) keep_missing(&set);
    if (set.staged) end_stages(&set);
    missing = options->budget > 0 && set.listed_count > 0;
    if (missing && round == BUDGET_ROUNDS) break;
    list_islands_again(&set);
    if (set.listed_count == 0) break;
    missing = false;
  }
  const double fallen = exact_value(&set.fallen);
  report->energy_fall = fallen > 0.0 ? fmin(fallen / exact_value(&set.energy), 1.0) : 0.0;
  if (missing) report->energy_fall = 1.0;
  if (problem->contact_count > 0)
    report->iterations = (set.work + problem->contact_count - 1) / problem->contact_count;
  return FLOC_OK;
}
