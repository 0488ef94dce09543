/*
 * The default solver: a working set of contacts, split into islands.
 *
 * 1. Working set: contacts that carry an impulse, may pull (lower < 0), or would come near if nothing
 *    touched. The others keep impulse 0.
 * 2. Islands: connected components of the working set over particles (union-find). They do not know of
 *    each other: islands.h solves each by itself.
 * 3. All contacts are checked with the new velocities. Violated ones join the set, and the islands that
 *    they belong to are solved again, until none is left.
 *
 * Contacts keep their order within an island, islands the order of their first contact; every particle
 * belongs to one island, and roots of trees are the smallest numbers. So nothing depends on which thread
 * does what.
 *
 * Memory: `parent`, `spent` and `slot` by particle; `grouped` holds the contacts to be solved island by
 * island, `start` where each begins. Passes over contacts leave what they pick in `listed`, each block at
 * its own place; the gaps are closed after.
 */
#include "contacts/islands.h"
#include "contacts/solve.h"

#include <math.h>
#include <string.h>

enum { MAXIMUM_ROUNDS = 60, CONTACT_BLOCK = 512, PARTICLE_BLOCK = 4096, SAMPLES = 256 };
static const double target_factor = 0.95; /* of the tolerance: room for rounding in the islands' own residual */
/* Of the typical change of a gap by the contacts. Small: few contacts, but each round that finds missing ones
 * begins the solver's momentum anew; in a flowing pile 0.1 costs 1.4 times the time of 1, at rest 10 costs 1.2
 * times. */
static const double gap_factor = 1.0;

typedef struct working_set {
  environment *env;
  arena *scratch;
  const contact_problem *problem;
  double tolerance;
  double gap; /* working gap as a velocity */
  int64_t max_products;
  double *impulse;
  double *const *velocity;

  uint8_t *member;  /* [contact] in the working set */
  int32_t *parent;  /* [particle] union-find */
  int32_t *slot;    /* [particle] -1, or what the work at hand keeps there */
  int64_t *spent;   /* [particle] at a root: products that the island has cost so far */
  uint8_t *touched; /* [particle] of islands that were solved again */
  bool checked;     /* all contacts have been checked once */
  int32_t *listed;  /* [contact] */
  int64_t listed_count;
  int64_t *block_count;   /* [block] of listed contacts */
  double *block_residual; /* [block] */
  int64_t *block_active;  /* [block] */

  int32_t *grouped;      /* [contact] */
  int32_t *island_of;    /* [listed contact] */
  int64_t *start;        /* [island + 1] */
  int64_t *island_spent; /* [island] */
  int64_t island_count;
  int64_t work; /* products times contacts */
} working_set;

/* ---- 1. the working set ---- */

/* What contacts change a gap by in this step, from a sample: by the first guess, or, without one, by how
 * far pairs would overlap. As a velocity. */
static double typical_change(const contact_problem *problem, const double *impulse)
{
  const double *const velocity[3] = {problem->free_velocity[0], problem->free_velocity[1],
                                     problem->free_velocity[2]};
  int64_t stride = problem->contact_count / SAMPLES + 1, count = 0;
  double sum = 0.0;
  for (int64_t a = 0; a < problem->contact_count; a += stride) {
    int32_t second = problem->second[a];
    double other = second >= 0 ? problem->inverse_mass[second] : 0.0;
    double change = (problem->inverse_mass[problem->first[a]] + other) * fabs(impulse[a]);
    if (!(change > 0.0)) change = -contact_velocity(problem, a, velocity, problem->dimension);
    if (!(change > 0.0)) continue;
    sum += change;
    count++;
  }
  return count ? sum / (double)count : 0.0;
}

static void select_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  working_set *set = context;
  const contact_problem *problem = set->problem;
  const double *const velocity[3] = {problem->free_velocity[0], problem->free_velocity[1],
                                     problem->free_velocity[2]};
  int32_t *list = set->listed + begin;
  int64_t count = 0;
  for (int64_t a = begin; a < end; a++) {
    double lower = problem->lower[a], p = set->impulse[a];
    if (!(p >= lower)) set->impulse[a] = p = lower > -INFINITY ? lower : 0.0;
    double w = problem->dimension == 2 ? contact_velocity(problem, a, velocity, 2)
                                       : contact_velocity(problem, a, velocity, 3);
    bool chosen = !(p == 0.0) | (lower < 0.0) | !(w >= set->gap);
    set->member[a] = chosen;
    list[count] = (int32_t)a;
    count += chosen;
  }
  set->block_count[block] = count;
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

static int32_t find_root(int32_t *parent, int32_t i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static int32_t root_of_contact(const working_set *set, int64_t a)
{
  return find_root(set->parent, set->problem->first[a]);
}

static void join_listed(working_set *set)
{
  const contact_problem *problem = set->problem;
  int32_t *parent = set->parent;
  for (int64_t k = 0; k < set->listed_count; k++) {
    int32_t first = problem->first[set->listed[k]], second = problem->second[set->listed[k]];
    if (second < 0 || parent[first] == parent[second]) continue;
    int32_t a = find_root(parent, first), b = find_root(parent, second);
    if (a == b) continue;
    int32_t root = a < b ? a : b, other = a < b ? b : a;
    parent[other] = root;
    if (set->spent[other] > set->spent[root]) set->spent[root] = set->spent[other];
  }
}

/* Numbers the islands of the listed contacts in the order of their first contact; start[island + 1] becomes the
 * number of its contacts. Neighbours in the list are mostly of one island: its sums stay in registers. */
static int64_t number_islands(working_set *set)
{
  const int32_t *first = set->problem->first, *listed = set->listed;
  int32_t *island_of = set->island_of, *slot = set->slot, particle = -1, number = -2; /* no slot's */
  int64_t islands = 0, begin = 0, *start = set->start;
  for (int64_t k = 0; k < set->listed_count; k++) {
    if (first[listed[k]] != particle) {
      particle = first[listed[k]];
      int32_t root = find_root(set->parent, particle);
      if (slot[root] != number) {
        if (k > begin) start[number + 1] += k - begin;
        begin = k;
        if (slot[root] < 0) {
          start[islands + 1] = 0;
          slot[root] = (int32_t)islands++;
        }
        number = slot[root];
      }
    }
    island_of[k] = number;
  }
  if (set->listed_count > begin) start[number + 1] += set->listed_count - begin;
  return islands;
}

/* start[island] becomes where the next one begins. */
static void fill_islands(working_set *set)
{
  const int32_t *listed = set->listed, *island_of = set->island_of;
  int32_t *grouped = set->grouped, number = 0;
  int64_t *start = set->start, at = 0;
  for (int64_t k = 0; k < set->listed_count; k++) {
    if (island_of[k] != number) {
      start[number] = at;
      number = island_of[k];
      at = start[number];
    }
    grouped[at++] = listed[k];
  }
  start[number] = at;
}

/* Sorts the listed contacts by island, islands in the order of their first contact. */
static void group_listed(working_set *set)
{
  int64_t islands = number_islands(set), *start = set->start;
  start[0] = 0;
  for (int64_t island = 0; island < islands; island++) start[island + 1] += start[island];
  fill_islands(set);
  memmove(start + 1, start, (size_t)islands * sizeof *start);
  start[0] = 0;
  for (int64_t island = 0; island < islands; island++) {
    int32_t root = root_of_contact(set, set->grouped[start[island]]);
    set->slot[root] = -1;
    set->island_spent[island] = set->spent[root];
  }
  set->island_count = islands;
}

static floc_status solve_grouped(working_set *set)
{
  island_set islands = {.env = set->env,
                        .scratch = set->scratch,
                        .problem = set->problem,
                        .limits = {target_factor * set->tolerance, set->max_products},
                        .impulse = set->impulse,
                        .velocity = set->velocity,
                        .slot = set->slot,
                        .contact = set->grouped,
                        .start = set->start,
                        .count = set->island_count,
                        .spent = set->island_spent,
                        .work = set->work};
  floc_status status = islands_solve(&islands);
  set->work = islands.work;
  for (int64_t island = 0; island < set->island_count; island++)
    set->spent[root_of_contact(set, set->grouped[set->start[island]])] = set->island_spent[island];
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

/* Lists the contacts whose part of the residual is above the tolerance. */
static void check_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  working_set *set = context;
  const contact_problem *problem = set->problem;
  const double *const velocity[3] = {set->velocity[0], set->velocity[1], set->velocity[2]};
  int32_t *list = set->listed + begin;
  double worst = 0.0;
  int64_t count = 0, active = 0;
  set->block_count[block] = 0;
  if (set->checked && !block_is_touched(set, begin, end)) return;
  for (int64_t a = begin; a < end; a++) {
    double w = problem->dimension == 2 ? contact_velocity(problem, a, velocity, 2)
                                       : contact_velocity(problem, a, velocity, 3);
    int32_t first = problem->first[a], second = problem->second[a];
    double diagonal = problem->inverse_mass[first] + (second >= 0 ? problem->inverse_mass[second] : 0.0);
    double p = set->impulse[a], slack = diagonal * (p - problem->lower[a]);
    double value = problem->time_step * fabs(slack < w ? slack : w);
    worst = greatest(worst, value);
    active += p != 0.0;
    list[count] = (int32_t)a;
    count += !(value <= set->tolerance);
  }
  set->block_count[block] = count;
  set->block_residual[block] = worst;
  set->block_active[block] = active;
}

/* Particles of the islands that are to be solved again. */
static void touch_grouped(working_set *set)
{
  const contact_problem *problem = set->problem;
  for (int64_t k = 0; k < set->listed_count; k++) {
    int64_t a = set->grouped[k];
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

/* Takes the listed contacts into the set, and lists all contacts of their islands instead, as far as
 * those may still spend something. */
static void list_islands_again(working_set *set)
{
  int64_t violated = set->listed_count, count = 0;
  join_listed(set);
  for (int64_t k = 0; k < violated; k++) {
    int64_t a = set->listed[k];
    set->member[a] = true;
    int32_t root = root_of_contact(set, a);
    if (set->spent[root] < set->max_products) set->slot[root] = 0;
    set->island_of[k] = root;
  }
  for (int64_t a = 0; a < set->problem->contact_count; a++)
    if (set->member[a] && set->slot[root_of_contact(set, a)] == 0) set->listed[count++] = (int32_t)a;
  for (int64_t k = 0; k < violated; k++) set->slot[set->island_of[k]] = -1;
  set->listed_count = count;
}

/* ---- all together ---- */

static void start_particles(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  working_set *set = context;
  for (int axis = 0; axis < set->problem->dimension; axis++)
    memcpy(set->velocity[axis] + begin, set->problem->free_velocity[axis] + begin,
           (size_t)(end - begin) * sizeof(double));
  for (int64_t i = begin; i < end; i++) {
    set->parent[i] = (int32_t)i;
    set->slot[i] = -1;
    set->spent[i] = 0;
    set->touched[i] = false;
  }
}

static floc_status allocate_set(working_set *set)
{
  arena *scratch = set->scratch;
  size_t contacts = (size_t)set->problem->contact_count, particles = (size_t)set->problem->particle_count;
  size_t blocks = (size_t)parallel_block_count((int64_t)contacts, CONTACT_BLOCK);
  size_t islands = contacts < particles ? contacts : particles;
  set->member = arena_allocate(scratch, contacts, sizeof *set->member);
  set->parent = arena_allocate(scratch, particles, sizeof *set->parent);
  set->slot = arena_allocate(scratch, particles, sizeof *set->slot);
  set->spent = arena_allocate(scratch, particles, sizeof *set->spent);
  set->touched = arena_allocate(scratch, particles, sizeof *set->touched);
  set->listed = arena_allocate(scratch, contacts, sizeof *set->listed);
  set->block_count = arena_allocate(scratch, blocks, sizeof *set->block_count);
  set->block_residual = arena_allocate(scratch, blocks, sizeof *set->block_residual);
  set->block_active = arena_allocate(scratch, blocks, sizeof *set->block_active);
  set->grouped = arena_allocate(scratch, contacts, sizeof *set->grouped);
  set->island_of = arena_allocate(scratch, contacts, sizeof *set->island_of);
  set->start = arena_allocate(scratch, islands + 1, sizeof *set->start);
  set->island_spent = arena_allocate(scratch, islands, sizeof *set->island_spent);
  bool complete = set->member && set->parent && set->slot && set->spent && set->touched && set->listed &&
                  set->block_count && set->block_residual && set->block_active && set->grouped && set->island_of &&
                  set->start && set->island_spent;
  return complete ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

floc_status auto_solve(environment *env, arena *scratch, const contact_problem *problem,
                       const contact_options *options, double *impulse, double *const velocity[3],
                       contact_report *report)
{
  working_set set = {.env = env,
                     .scratch = scratch,
                     .problem = problem,
                     .tolerance = options->tolerance,
                     .max_products = options->max_iterations,
                     .impulse = impulse,
                     .velocity = velocity};
  set.gap = options->working_gap > 0.0 ? options->working_gap / problem->time_step
                                       : gap_factor * typical_change(problem, impulse);
  floc_status status = allocate_set(&set);
  if (status != FLOC_OK) return status;
  parallel_for(env, problem->particle_count, PARTICLE_BLOCK, start_particles, &set);
  parallel_for(env, problem->contact_count, CONTACT_BLOCK, select_block, &set);
  close_list(&set);
  join_listed(&set);
  for (int round = 0; round < MAXIMUM_ROUNDS; round++) {
    group_listed(&set);
    if (round > 0) touch_grouped(&set);
    if (round == 0) report->islands = (int32_t)set.island_count;
    status = solve_grouped(&set);
    if (status != FLOC_OK) return status;
    check_all(&set, report);
    if (report->residual <= set.tolerance) break;
    list_islands_again(&set);
    if (set.listed_count == 0) break;
  }
  if (problem->contact_count > 0)
    report->iterations = (set.work + problem->contact_count - 1) / problem->contact_count;
  return FLOC_OK;
}
