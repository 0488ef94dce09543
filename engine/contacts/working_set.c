/*
 * The default solver: working set, islands, and for each island what suits its size.
 *
 * 1. Working set: contacts that carry an impulse, may pull (lower < 0), or would come near if nothing
 *    touched. The others keep impulse 0.
 * 2. Islands: connected components of the working set over particles (union-find). They do not know of
 *    each other, so each is solved by itself, in small hot memory, and by any thread.
 * 3. All contacts are checked with the new velocities. Violated ones join the set, and the islands that
 *    they belong to are solved again, until none is left.
 *
 * Contacts keep their order within an island and islands the order of their first contact; every
 * particle belongs to one island. So nothing depends on which thread does what.
 *
 * Memory: `parent` and `slot` by particle; `grouped` holds the contacts to be solved island by island,
 * island_start where each begins.
 */
#include "contacts/solve.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_ISLAND = 400, MAXIMUM_ROUNDS = 60, BATCHES_PER_THREAD = 8, SELECT_BLOCK = 4096 };
static const double TARGET_FACTOR = 0.95;  /* of the tolerance: room for rounding in the islands' own residual */

typedef struct working_set {
  environment *env;
  arena *scratch;
  const contact_problem *problem;
  double tolerance;
  double gap;                /* working gap as a velocity */
  double *impulse;
  double *const *velocity;

  uint8_t *member;           /* [contact] in the working set */
  int32_t *parent;           /* [particle] union-find */
  int32_t *spent;            /* [particle] at a root: products that the island has cost so far */
  int32_t *slot;             /* [particle] -1 or a number that the island at work gives it */
  int32_t *listed;           /* [contact] contacts that a pass picked, block by block */
  int64_t *listed_count;     /* [block] */
  double *block_residual;    /* [block] */
  int64_t *block_active;     /* [block] */

  int32_t *grouped;          /* [contact] */
  int64_t grouped_count;
  int64_t *island_start;     /* [island + 1] */
  int64_t island_count;
  int64_t *batch_first;      /* [batch + 1] first island of a batch */
  double **batch_memory;     /* [batch] */
  int64_t *batch_work;       /* [batch] products times contacts */
  int64_t batch_count;
  int64_t largest_small;     /* contacts of the largest island that a batch may meet */
  int64_t max_products;
  int64_t work;              /* products times contacts, in all */
} working_set;

/* ---- 1. the working set ---- */

static void select_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  working_set *set = context;
  const contact_problem *problem = set->problem;
  const double *const velocity[3] = {problem->free_velocity[0], problem->free_velocity[1], problem->free_velocity[2]};
  int64_t count = 0;
  int32_t *list = set->listed + begin;
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
  set->listed_count[block] = count;
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

static void join(working_set *set, int32_t i, int32_t j)
{
  int32_t a = find_root(set->parent, i), b = find_root(set->parent, j);
  if (a == b) return;
  int32_t root = a < b ? a : b, other = a < b ? b : a;
  set->parent[other] = root;
  if (set->spent[other] > set->spent[root]) set->spent[root] = set->spent[other];
}

static void join_contact(working_set *set, int64_t a)
{
  if (set->problem->second[a] >= 0) join(set, set->problem->first[a], set->problem->second[a]);
}

/* Groups the contacts of `list` (ascending) by island; both lists have room for `count`. */
static void group_by_island(working_set *set, const int32_t *list, int64_t count)
{
  const int32_t *first = set->problem->first;
  int64_t islands = 0;
  for (int64_t k = 0; k < count; k++) {
    int32_t root = find_root(set->parent, first[list[k]]);
    if (set->slot[root] < 0) {
      set->island_start[islands + 1] = 0;
      set->slot[root] = (int32_t)islands++;
    }
    set->island_start[set->slot[root] + 1]++;
  }
  set->island_start[0] = 0;
  for (int64_t island = 0; island < islands; island++) set->island_start[island + 1] += set->island_start[island];
  /* filling moves each start to the next island's; moved back after */
  for (int64_t k = 0; k < count; k++) {
    int32_t root = find_root(set->parent, first[list[k]]);
    set->grouped[set->island_start[set->slot[root]]++] = list[k];
  }
  for (int64_t island = islands; island > 0; island--) set->island_start[island] = set->island_start[island - 1];
  set->island_start[0] = 0;
  for (int64_t island = 0; island < islands; island++)
    set->slot[find_root(set->parent, first[set->grouped[set->island_start[island]]])] = -1;
  set->island_count = islands;
  set->grouped_count = count;
}

/* ---- solving one island ---- */

/* Numbers the bodies of the system's contacts in order of appearance and fills the rows. */
static void pack_island(working_set *set, contact_system *system)
{
  const contact_problem *problem = set->problem;
  int32_t bodies = 0;
  for (int64_t k = 0; k < system->contact_count; k++) {
    int32_t end[2] = {problem->first[system->contact[k]], problem->second[system->contact[k]]};
    for (int side = 0; side < 2; side++) {
      int32_t body = bodies;
      if (end[side] < 0) {
        system->particle[bodies++] = -1;
      } else if (set->slot[end[side]] < 0) {
        set->slot[end[side]] = bodies;
        system->particle[bodies++] = end[side];
      } else {
        body = set->slot[end[side]];
      }
      system->body[2 * k + side] = body;
    }
    system_fill_row(problem, set->impulse, system, k);
  }
  system->body_count = bodies;
  system_pad(system);
  for (int32_t b = 0; b < bodies; b++)
    if (system->particle[b] >= 0) set->slot[system->particle[b]] = -1;
}

/* Velocities of the island's particles from the impulses as they are returned. */
static void return_island(working_set *set, const contact_system *system, double *u)
{
  const contact_problem *problem = set->problem;
  int dimension = system->dimension;
  system_return_impulses(problem, system, set->impulse);
  memset(u, 0, (size_t)(system->body_count * dimension) * sizeof *u);
  for (int64_t k = 0; k < system->contact_count; k++) {
    if (dimension == 2)
      row_add(system, k, system->impulse[k], u, 2);
    else
      row_add(system, k, system->impulse[k], u, 3);
  }
  for (int64_t b = 0; b < system->body_count; b++) {
    int32_t particle = system->particle[b];
    if (particle < 0) continue;
    double root = sqrt(problem->inverse_mass[particle]);
    for (int axis = 0; axis < dimension; axis++)
      set->velocity[axis][particle] = problem->free_velocity[axis][particle] + root * u[b * dimension + axis];
  }
}

static size_t greater_size(size_t a, size_t b)
{
  return a > b ? a : b;
}

static size_t island_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  size_t size = projected_cg_work_size(contacts, bodies, dimension);
  return greater_size(size, apgd_work_size(contacts, bodies, dimension));
}

static int64_t solve_system(const environment *env, contact_system *system, double *work, solver_limits limits,
                            bool large)
{
  int64_t products = 0;
  static int mode = -1; if (mode < 0) mode = getenv("LARGE") ? atoi(getenv("LARGE")) : 0;
  if (large && mode == 2) return apgd_solve(env, system, work, limits).products;
  if (large && mode == 0) {
    solver_outcome outcome = gauss_seidel_solve(env, system, work, limits);
    products += outcome.products;
    limits.max_products -= outcome.products;
    if (outcome.residual <= limits.target || limits.max_products <= 0) return products;
  }
  solver_outcome outcome = projected_cg_solve(env, system, work, limits);
  products += outcome.products;
  limits.max_products -= outcome.products;
  if (outcome.residual <= limits.target || limits.max_products <= 0) return products;
  outcome = apgd_solve(env, system, work, limits);
  return products + outcome.products;
}

static int64_t island_contacts(const working_set *set, int64_t island)
{
  return set->island_start[island + 1] - set->island_start[island];
}

static int32_t *island_spent(working_set *set, int64_t island)
{
  return &set->spent[find_root(set->parent, set->problem->first[set->grouped[set->island_start[island]]])];
}

static solver_limits island_limits(working_set *set, int64_t island)
{
  return (solver_limits){TARGET_FACTOR * set->tolerance, set->max_products - *island_spent(set, island)};
}

/* Memory of a batch, in doubles: a system of `contacts` and the work of its solvers. */
static size_t batch_memory_size(int64_t contacts, int32_t dimension)
{
  size_t n = (size_t)contacts, bodies = 2 * n + 1;
  return (2 * (size_t)dimension + 5) * (n + 1) + bodies + island_work_size(contacts, (int64_t)bodies, dimension);
}

static contact_system batch_system(const working_set *set, int64_t batch, double **work)
{
  size_t n = (size_t)set->largest_small + 1, bodies = 2 * n, dimension = (size_t)set->problem->dimension;
  double *memory = set->batch_memory[batch];
  contact_system system = {.dimension = set->problem->dimension, .time_step = set->problem->time_step};
  system.coefficient = memory;
  system.offset = system.coefficient + 2 * dimension * n;
  system.lower = system.offset + n;
  system.root_diagonal = system.lower + n;
  system.impulse = system.root_diagonal + n;
  system.body = (int32_t *)(system.impulse + n);
  system.particle = (int32_t *)(system.impulse + 2 * n);
  *work = system.impulse + 2 * n + bodies;
  return system;
}

static void solve_batch(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  working_set *set = context;
  environment alone = *set->env;
  alone.threads = 1;
  for (int64_t batch = begin; batch < end; batch++) {
    double *work;
    contact_system system = batch_system(set, batch, &work);
    for (int64_t island = set->batch_first[batch]; island < set->batch_first[batch + 1]; island++) {
      system.contact_count = island_contacts(set, island);
      if (system.contact_count > SMALL_ISLAND) continue;
      system.contact = set->grouped + set->island_start[island];
      pack_island(set, &system);
      int64_t products = 0;
      if (system.contact_count == 1) {
        double q = -system.offset[0];
        system.impulse[0] = q > system.lower[0] ? q : system.lower[0];
      } else {
        products = solve_system(&alone, &system, work, island_limits(set, island), false);
      }
      *island_spent(set, island) += (int32_t)products;
      set->batch_work[batch] += products * system.contact_count;
      return_island(set, &system, work);
    }
  }
}

static floc_status solve_small_islands(working_set *set)
{
  set->largest_small = 1;
  for (int64_t island = 0; island < set->island_count; island++) {
    int64_t contacts = island_contacts(set, island);
    if (contacts <= SMALL_ISLAND && contacts > set->largest_small) set->largest_small = contacts;
  }
  size_t size = batch_memory_size(set->largest_small, set->problem->dimension);
  int64_t island = 0;
  for (int64_t batch = 0; batch < set->batch_count; batch++) {
    set->batch_first[batch] = island;
    int64_t share = set->grouped_count * (batch + 1) / set->batch_count;
    while (island < set->island_count && set->island_start[island] < share) island++;
    set->batch_work[batch] = 0;
    set->batch_memory[batch] = arena_allocate(set->scratch, size, sizeof(double));
    if (!set->batch_memory[batch]) return FLOC_OUT_OF_MEMORY;
  }
  set->batch_first[set->batch_count] = set->island_count;
  parallel_for(set->env, set->batch_count, 1, solve_batch, set);
  for (int64_t batch = 0; batch < set->batch_count; batch++) set->work += set->batch_work[batch];
  return FLOC_OK;
}

/* An island that all threads work on together. */
static floc_status solve_large_island(working_set *set, int64_t island, uint64_t *used, int32_t *sorted)
{
  int64_t contacts = island_contacts(set, island);
  contact_system system;
  floc_status status = system_allocate(set->scratch, set->problem->dimension, contacts, 2 * contacts + 1, &system);
  size_t size = greater_size(island_work_size(contacts, 2 * contacts + 1, set->problem->dimension),
                             gauss_seidel_work_size(contacts, 2 * contacts + 1, set->problem->dimension));
  double *work = arena_allocate(set->scratch, size, sizeof *work);
  if (status != FLOC_OK || !work) return FLOC_OUT_OF_MEMORY;
  system.time_step = set->problem->time_step;
  memcpy(system.contact, set->grouped + set->island_start[island], (size_t)contacts * sizeof(int32_t));
  if (!getenv("NATURAL")) system_colour(set->problem, &system, used, sorted);
  pack_island(set, &system);
  int64_t products = solve_system(set->env, &system, work, island_limits(set, island), true);
  *island_spent(set, island) += (int32_t)products;
  set->work += products * contacts;
  return_island(set, &system, work);
  return FLOC_OK;
}

static floc_status solve_large_islands(working_set *set)
{
  uint64_t *used = NULL;
  int32_t *sorted = NULL;
  for (int64_t island = 0; island < set->island_count; island++) {
    if (island_contacts(set, island) <= SMALL_ISLAND) continue;
    if (!used) {
      used = arena_allocate(set->scratch, (size_t)set->problem->particle_count, sizeof *used);
      sorted = arena_allocate(set->scratch, (size_t)set->grouped_count, sizeof *sorted);
      if (!used || !sorted) return FLOC_OUT_OF_MEMORY;
      memset(used, 0, (size_t)set->problem->particle_count * sizeof *used);
    }
    floc_status status = solve_large_island(set, island, used, sorted);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

/* ---- 3. the check of all contacts ---- */

/* Lists the contacts whose part of the residual is above the tolerance. */
static void check_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  working_set *set = context;
  const contact_problem *problem = set->problem;
  const double *const velocity[3] = {set->velocity[0], set->velocity[1], set->velocity[2]};
  double worst = 0.0;
  int64_t count = 0, active = 0;
  for (int64_t a = begin; a < end; a++) {
    double w = problem->dimension == 2 ? contact_velocity(problem, a, velocity, 2)
                                       : contact_velocity(problem, a, velocity, 3);
    double p = set->impulse[a], excess = p - problem->lower[a];
    active += p != 0.0;
    if (excess == 0.0 && w >= 0.0) continue;
    int32_t second = problem->second[a];
    double diagonal = problem->inverse_mass[problem->first[a]] + (second >= 0 ? problem->inverse_mass[second] : 0.0);
    double slack = diagonal * excess;
    double value = problem->time_step * fabs(slack < w ? slack : w);
    worst = greatest(worst, value);
    if (!(value <= set->tolerance)) set->listed[begin + count++] = (int32_t)a;
  }
  set->listed_count[block] = count;
  set->block_residual[block] = worst;
  set->block_active[block] = active;
}

/* Closes the gaps that blocks left in `listed`. */
static int64_t compact_list(working_set *set)
{
  int64_t total = 0, blocks = parallel_block_count(set->problem->contact_count, SELECT_BLOCK);
  for (int64_t block = 0; block < blocks; block++) {
    int64_t count = set->listed_count[block];
    if (total != block * SELECT_BLOCK)
      memmove(set->listed + total, set->listed + block * SELECT_BLOCK, (size_t)count * sizeof *set->listed);
    total += count;
  }
  return total;
}

/* Marks the islands of the listed contacts, takes new contacts in, and lists all contacts of marked
 * islands that may still spend something. */
static int64_t list_unsolved(working_set *set, int64_t violated)
{
  const contact_problem *problem = set->problem;
  for (int64_t k = 0; k < violated; k++) {
    set->member[set->listed[k]] = true;
    join_contact(set, set->listed[k]);
  }
  for (int64_t k = 0; k < violated; k++) {
    int32_t root = find_root(set->parent, problem->first[set->listed[k]]);
    if (set->spent[root] < set->max_products) set->slot[root] = 0;
  }
  /* grouped is free until the next grouping: it keeps the violated contacts, whose marks go back */
  memcpy(set->grouped, set->listed, (size_t)violated * sizeof *set->listed);
  int64_t count = 0;
  for (int64_t a = 0; a < problem->contact_count; a++) {
    if (set->member[a] && set->slot[find_root(set->parent, problem->first[a])] == 0) set->listed[count++] = (int32_t)a;
  }
  for (int64_t k = 0; k < violated; k++) set->slot[find_root(set->parent, problem->first[set->grouped[k]])] = -1;
  return count;
}

static void check_all(working_set *set, contact_report *report)
{
  int64_t contacts = set->problem->contact_count, blocks = parallel_block_count(contacts, SELECT_BLOCK);
  parallel_for(set->env, contacts, SELECT_BLOCK, check_block, set);
  report->residual = 0.0;
  report->active = 0;
  for (int64_t block = 0; block < blocks; block++) {
    report->residual = greatest(report->residual, set->block_residual[block]);
    report->active += set->block_active[block];
  }
}

/* ---- all together ---- */

static void copy_free_velocity(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  working_set *set = context;
  for (int axis = 0; axis < set->problem->dimension; axis++) {
    memcpy(set->velocity[axis] + begin, set->problem->free_velocity[axis] + begin,
           (size_t)(end - begin) * sizeof(double));
  }
  for (int64_t i = begin; i < end; i++) {
    set->parent[i] = (int32_t)i;
    set->slot[i] = -1;
    set->spent[i] = 0;
  }
}

static floc_status allocate_set(working_set *set)
{
  size_t contacts = (size_t)set->problem->contact_count, particles = (size_t)set->problem->particle_count;
  size_t blocks = (size_t)parallel_block_count((int64_t)contacts, SELECT_BLOCK);
  size_t batches = (size_t)set->batch_count;
  set->member = arena_allocate(set->scratch, contacts, sizeof *set->member);
  set->parent = arena_allocate(set->scratch, particles, sizeof *set->parent);
  set->spent = arena_allocate(set->scratch, particles, sizeof *set->spent);
  set->slot = arena_allocate(set->scratch, particles, sizeof *set->slot);
  set->listed = arena_allocate(set->scratch, contacts, sizeof *set->listed);
  set->grouped = arena_allocate(set->scratch, contacts, sizeof *set->grouped);
  set->island_start = arena_allocate(set->scratch, contacts + 2, sizeof *set->island_start);
  set->listed_count = arena_allocate(set->scratch, blocks, sizeof *set->listed_count);
  set->block_residual = arena_allocate(set->scratch, blocks, sizeof *set->block_residual);
  set->block_active = arena_allocate(set->scratch, blocks, sizeof *set->block_active);
  set->batch_first = arena_allocate(set->scratch, batches + 1, sizeof *set->batch_first);
  set->batch_memory = arena_allocate(set->scratch, batches, sizeof *set->batch_memory);
  set->batch_work = arena_allocate(set->scratch, batches, sizeof *set->batch_work);
  bool complete = set->member && set->parent && set->spent && set->slot && set->listed && set->grouped &&
                  set->island_start && set->listed_count && set->block_residual && set->block_active &&
                  set->batch_first && set->batch_memory && set->batch_work;
  return complete ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

floc_status auto_solve(environment *env, arena *scratch, const contact_problem *problem,
                       const contact_options *options, double *impulse, double *const velocity[3],
                       contact_report *report)
{
  working_set set = {.env = env, .scratch = scratch, .problem = problem, .tolerance = options->tolerance,
                     .impulse = impulse, .velocity = velocity};
  set.max_products = options->max_iterations < INT32_MAX / 2 ? options->max_iterations : INT32_MAX / 2;
  set.batch_count = env->threads == 1 ? 1 : BATCHES_PER_THREAD * env->threads;
  set.gap = options->working_gap / problem->time_step;
  floc_status status = allocate_set(&set);
  if (status != FLOC_OK) return status;
  parallel_for(env, problem->particle_count, SELECT_BLOCK, copy_free_velocity, &set);
  parallel_for(env, problem->contact_count, SELECT_BLOCK, select_block, &set);
  int64_t unsolved = compact_list(&set);
  for (int64_t k = 0; k < unsolved; k++) join_contact(&set, set.listed[k]);
  for (int round = 0; round < MAXIMUM_ROUNDS; round++) {
    group_by_island(&set, set.listed, unsolved);
    if (round == 0) report->islands = (int32_t)set.island_count;
    status = solve_small_islands(&set);
    if (status == FLOC_OK) status = solve_large_islands(&set);
    if (status != FLOC_OK) return status;
    check_all(&set, report);
    if (getenv("FLOC_ROUNDS")) {
      int64_t big = 0; for (int64_t i = 0; i < set.island_count; i++) if (island_contacts(&set, i) > big) big = island_contacts(&set, i);
      printf("round %d: W %ld islands %ld largest %ld work %ld residual %g\n", round, unsolved, set.island_count, big, set.work, report->residual);
    }
    if (report->residual <= set.tolerance) break;
    unsolved = list_unsolved(&set, compact_list(&set));
    if (unsolved == 0) break;
  }
  if (problem->contact_count > 0) report->iterations = (set.work + problem->contact_count - 1) / problem->contact_count;
  return FLOC_OK;
}
