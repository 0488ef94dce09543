/*
 * Packing, solving and returning islands. See islands.h.
 *
 * What solves an island of rows depends on its size: one contact is a formula; up to SMALL_ISLAND contacts
 * projected CG; above, accelerated Gauss-Seidel, which hands over to the interior point method (finish.h) when it
 * stalls or has cost as much. Where its factor would be too large, or it does not arrive, projected CG continues,
 * and the accelerated projected gradient (block_gradient.c) takes what is left. Each continues from the best
 * iterate of the one before.
 *
 * Islands of blocks are in island_blocks.c.
 *
 * Memory of a batch: one system and one island of blocks of the size of the largest small ones, the bodies' square
 * roots of inverse mass, and the solvers' working memory; every island of the batch is packed into the same place.
 */
#include "contacts/solvers/islands.h"

#include "base/interruption.h"
#include "contacts/finish/finish.h"
#include "contacts/solvers/island_blocks.h"
#include "contacts/solvers/patch_units.h"
#include "contacts/solvers/strips.h"

#include <math.h>
#include <string.h>

enum { BATCHES_PER_THREAD = 8, WORTH_WAKING = 4096, LAST_PRODUCTS = 64 };

/* ---- packing ---- */

static void note_body(const island_set *all, contact_system *system, int32_t body, int32_t particle,
                      double *body_root)
{
  system->particle[body] = particle;
  body_root[body] = particle >= 0 ? sqrt(all->problem->inverse_mass[particle]) : 0.0;
  if (particle >= 0) all->slot[particle] = body;
}

/* How a large island is cut; NULL beside a system that is not. */
typedef struct island_cut {
  strip_plan strip;
  patch_cut patch;
} island_cut;

typedef struct number_call {
  const island_set *all;
  contact_system *system;
  const strip_plan *plan;
  const int32_t *contact, *place;
  double *body_root;
  int32_t first_obstacle[STRIPS_MOST + 1]; /* stand-in of a strip's first body contact */
} number_call;

/* Marks the particles of contacts within a strip; counts particles, also those that joints with others have marked,
 * and bodies. */
static void mark_strip(void *context, int64_t strip, int64_t end, int64_t block)
{
  (void)end, (void)block;
  number_call *call = context;
  const contact_problem *problem = call->all->problem;
  const strip_plan *plan = call->plan;
  int32_t *slot = call->all->slot, limit = plan->first_particle[strip + 1], bodies = 0, obstacles = 0;
  for (int64_t k = plan->first_contact[strip]; k < plan->first_contact[strip + 1]; k++) {
    int32_t second = problem->second[call->contact[k]];
    slot[problem->first[call->contact[k]]] = 0;
    if (second >= 0 && second < limit) slot[second] = 0;
    obstacles += second < 0;
  }
  for (int32_t i = plan->first_particle[strip]; i < limit; i++) bodies += slot[i] >= 0;
  call->system->units.first_body[strip + 1] = bodies;
  call->first_obstacle[strip + 1] = obstacles;
}

static void number_strip(void *context, int64_t strip, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const number_call *call = context;
  const strip_plan *plan = call->plan;
  int32_t body = call->system->units.first_body[strip];
  for (int32_t i = plan->first_particle[strip]; i < plan->first_particle[strip + 1]; i++)
    if (call->all->slot[i] >= 0) note_body(call->all, call->system, body++, i, call->body_root);
}

static void name_bodies(void *context, int64_t strip, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const number_call *call = context;
  const contact_problem *problem = call->all->problem;
  const strip_plan *plan = call->plan;
  int32_t obstacle = call->first_obstacle[strip];
  for (int64_t k = plan->first_contact[strip]; k < plan->first_contact[strip + 1]; k++) {
    int32_t a = call->contact[k], second = problem->second[a],
            *body = &call->system->body[2 * (int64_t)call->place[k]];
    body[0] = call->all->slot[problem->first[a]];
    body[1] = second >= 0 ? call->all->slot[second] : obstacle++;
    if (second < 0) note_body(call->all, call->system, body[1], -1, call->body_root);
    call->system->contact[call->place[k]] = a;
  }
}

/* Numbers the bodies of a system of strips in the order of particles, stand-ins after them. */
static void number_by_strip(const island_set *all, const environment *env, contact_system *system,
                            const strip_plan *plan, const int32_t *contact, const int32_t *place, double *body_root)
{
  number_call call = {all, system, plan, contact, place, body_root, {0}};
  int32_t *first_body = system->units.first_body;
  for (int32_t strip = 0; strip < plan->strips; strip++)
    for (int32_t n = 0; n < plan->outside_count[strip]; n++)
      all->slot[all->problem->second[contact[plan->outside[plan->first_contact[strip] + n]]]] = 0;
  parallel_for(env, plan->strips, 1, mark_strip, &call);
  first_body[0] = 0;
  for (int32_t strip = 0; strip < plan->strips; strip++) first_body[strip + 1] += first_body[strip];
  call.first_obstacle[0] = first_body[plan->strips];
  for (int32_t strip = 0; strip < plan->strips; strip++)
    call.first_obstacle[strip + 1] += call.first_obstacle[strip];
  parallel_for(env, plan->strips, 1, number_strip, &call);
  parallel_for(env, plan->strips, 1, name_bodies, &call);
  system->body_count = call.first_obstacle[plan->strips];
}

/* Numbers the bodies in order of appearance. */
static void number_bodies(const island_set *all, contact_system *system, const int32_t *contact,
                          const int32_t *place, double *body_root)
{
  const contact_problem *problem = all->problem;
  int32_t bodies = 0, *slot = all->slot;
  for (int64_t k = 0; k < system->contact_count; k++) {
    const int32_t particle[2] = {problem->first[contact[k]], problem->second[contact[k]]};
    int64_t row = place ? place[k] : k;
    for (int side = 0; side < 2; side++) {
      int32_t body = particle[side] >= 0 ? slot[particle[side]] : -1;
      if (body < 0) {
        body = bodies++;
        note_body(all, system, body, particle[side], body_root);
      }
      system->body[2 * row + side] = body;
    }
    system->contact[row] = contact[k];
  }
  system->body_count = bodies;
}

/* Numbers bodies and fills rows: contact k goes to row place[k], or k if there are no places. */
static void pack(const island_set *all, const environment *env, contact_system *system, const island_cut *cut,
                 const int32_t *contact, const int32_t *place, double *body_root)
{
  if (system->units.grounds > 0 && system->units.by_patch)
    patch_units_number(&cut->patch, system, all->slot, body_root);
  else if (system->units.grounds > 0)
    number_by_strip(all, env, system, &cut->strip, contact, place, body_root);
  else
    number_bodies(all, system, contact, place, body_root);
  system_fill_rows(env, all->problem, all->answer->impulse, system, body_root);
  for (int64_t b = 0; b < system->body_count; b++)
    if (system->particle[b] >= 0) all->slot[system->particle[b]] = -1;
}

typedef struct give_call {
  const island_set *all;
  const contact_system *system;
  const double *body_root, *u;
} give_call;

static void give_velocities(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const give_call *call = context;
  const contact_problem *problem = call->all->problem;
  int dimension = call->system->dimension, stride = system_stride(dimension);
  for (int64_t b = begin; b < end; b++) {
    int32_t particle = call->system->particle[b];
    if (particle < 0) continue;
    for (int axis = 0; axis < dimension; axis++) {
      double change = call->body_root[b] * call->u[b * stride + axis];
      call->all->answer->velocity[axis][particle] = problem->free_velocity[axis][particle] + change;
    }
  }
}

/* Impulses, and velocities that follow from them; u is scratch. */
static void give_back(const island_set *all, const environment *env, const contact_system *system,
                      const double *body_root, double *u)
{
  give_call call = {all, system, body_root, u};
  system_return_impulses(env, all->problem, system, all->answer->impulse);
  system_scatter(env, system, system->impulse, u);
  parallel_for(env, system->body_count, PARALLEL_BLOCK, give_velocities, &call);
}

/* ---- sizes ---- */

static size_t greater_size(size_t a, size_t b)
{
  return a > b ? a : b;
}

/* ---- solving one ---- */

static int64_t contacts_of(const island_set *all, int64_t island)
{
  return all->start[island + 1] - all->start[island];
}

/* What an island may spend in this round. Contacts outside the working set are checked between rounds, so
 * no round takes everything while there is much left. */
static solver_limits limits_of(const island_set *all, int64_t island)
{
  int64_t left = all->limits.max_products - all->spent[island];
  return (solver_limits){all->limits.target, left > LAST_PRODUCTS ? (left + 1) / 2 : left};
}

/* Sweeps of a large island, and the finish where these would cost more than it does. Rounds share the patience, but
 * each has a quarter of it: from where the finish of the round before ended, sweeps may not have far to go. */
static floc_status sweep_and_finish(const island_set *all, int64_t island, contact_system *system,
                                    solver_limits limits, solver_outcome *outcome)
{
  sweep_memory memory;
  if (!gauss_seidel_allocate(all->scratch, system, &memory)) return FLOC_OUT_OF_MEMORY;
  solver_limits first = limits;
  int64_t patience = finish_patience(system->dimension, system->body_count), left = patience - all->spent[island];
  patience = left > patience / 4 ? left : patience / 4;
  if (patience < first.max_products) first.max_products = patience;
  *outcome = gauss_seidel_solve(all->env, system, &memory, first);
  if (!solver_goes_on(all->env, outcome, limits)) return FLOC_OK;
  solver_outcome next;
  limits.max_products -= outcome->products;
  floc_status status = finish_island_solve(all->env, all->scratch, system, limits, &next);
  outcome->products += next.products;
  if (next.products > 0 || outcome->products < patience || status != FLOC_OK) {
    if (next.products > 0) outcome->residual = next.residual;
    return status;
  }
  next = gauss_seidel_solve(all->env, system, &memory, limits); /* too large for the finish */
  *outcome = (solver_outcome){.residual = next.residual, .products = outcome->products + next.products};
  return FLOC_OK;
}

/* Conjugate gradients from what the system's impulses are. work: NULL for large islands, which have theirs here. */
static floc_status continue_by_gradients(const island_set *all, const environment *env, contact_system *system,
                                         double *work, solver_limits limits, solver_outcome *outcome)
{
  if (!work) {
    size_t size = projected_cg_work_size(system->contact_count, system->body_count, system->dimension);
    work = arena_allocate(all->scratch, size, sizeof *work);
  }
  if (!work) return FLOC_OUT_OF_MEMORY;
  *outcome = projected_cg_solve(env, system, work, limits);
  return FLOC_OK;
}

/* Solves one island that is packed. Returns products times contacts. work: NULL for large islands, whose solvers
 * take it one after the other from the same scratch memory. */
static int64_t solve_one(const island_set *all, int64_t island, const environment *env, contact_system *system,
                         double *work, floc_status *status)
{
  if (!system->finite) { /* nothing can be done, in later rounds neither */
    all->spent[island] = all->limits.max_products;
    return 0;
  }
  if (system->contact_count == 1) {
    double q = -system->offset[0];
    system->impulse[0] = q > system->lower[0] ? q : system->lower[0];
    return 0;
  }
  solver_limits limits = limits_within_work(env, limits_of(all, island), system->contact_count);
  int64_t allowed = limits.max_products;
  solver_outcome outcome = {.residual = INFINITY};
  if (!work) {
    const arena_mark before = arena_here(all->scratch);
    *status = sweep_and_finish(all, island, system, limits, &outcome);
    arena_return(all->scratch, before);
  }
  limits.max_products -= outcome.products;
  if (!(outcome.residual <= limits.target) && limits.max_products > 0 && *status == FLOC_OK) {
    *status = continue_by_gradients(all, env, system, work, limits, &outcome);
    limits.max_products -= outcome.products;
  }
  all->left[island] = !(outcome.residual <= limits.target);
  int64_t products = allowed - limits.max_products;
  all->spent[island] += products;
  work_add(env, WORK_SOLVER, products * system->contact_count);
  return products * system->contact_count;
}

/* ---- small islands, in batches ---- */

typedef struct batch {
  const island_set *all;
  int64_t first, last;   /* islands first .. last - 1 */
  contact_system system; /* its columns have space for the largest small island */
  block_island blocks;   /* likewise */
  double *body_root;
  double *work;
  int64_t product_contacts;
} batch;

/* The largest of the small islands. */
typedef struct small_sizes {
  int64_t rows, blocks; /* contacts; 0: there is none */
} small_sizes;

static bool is_small(const island_set *all, int64_t island)
{
  return contacts_of(all, island) <= (all->blocks[island] ? SMALL_BLOCKS : SMALL_ISLAND);
}

static void solve_in_batch(batch *it, const environment *env, int64_t island)
{
  const island_set *all = it->all;
  const int32_t *contact = all->contact + all->start[island];
  const int64_t contacts = contacts_of(all, island);
  if (all->blocks[island]) {
    block_pack(env, all->problem, all->answer, contact, contacts, all->slot, &it->blocks);
    it->product_contacts += island_blocks_solve(all, island, env, &it->blocks, it->work);
    block_return(env, all->problem, &it->blocks, all->answer);
    return;
  }
  it->system.contact_count = contacts;
  pack(all, env, &it->system, NULL, contact, NULL, it->body_root);
  floc_status status = FLOC_OK; /* nothing is allocated */
  it->product_contacts += solve_one(all, island, env, &it->system, it->work, &status);
  give_back(all, env, &it->system, it->body_root, it->work);
}

static void solve_batch(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  batch *batches = context;
  for (batch *it = batches + begin; it < batches + end; it++) {
    environment alone = *it->all->env;
    alone.threads = 1;
    for (int64_t island = it->first; island < it->last && !interrupted(&alone); island++)
      if (is_small(it->all, island)) solve_in_batch(it, &alone, island);
  }
}

static floc_status batch_create(const island_set *all, small_sizes largest, batch *it)
{
  const int32_t dimension = all->problem->dimension;
  const int64_t bodies = 2 * largest.rows + 1;
  arena *scratch = all->scratch;
  size_t work = 0;
  floc_status status = FLOC_OK;
  it->all = all;
  it->product_contacts = 0;
  if (largest.rows > 0) {
    status = system_allocate(scratch, dimension, largest.rows, bodies, &it->system);
    work = projected_cg_work_size(largest.rows, bodies, dimension);
  }
  it->system.time_step = all->problem->time_step;
  if (status == FLOC_OK && largest.blocks > 0) {
    status = block_allocate(scratch, block_form_of(all->problem), largest.blocks, &it->blocks);
    work = greater_size(work, island_blocks_work_size(&it->blocks));
  }
  it->body_root = arena_allocate(scratch, (size_t)bodies, sizeof(double));
  it->work = arena_allocate(scratch, work, sizeof(double));
  return status == FLOC_OK && it->body_root && it->work ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

static small_sizes find_largest(const island_set *all)
{
  small_sizes largest = {0, 0};
  for (int64_t island = 0; island < all->count; island++) {
    int64_t contacts = contacts_of(all, island), *own = all->blocks[island] ? &largest.blocks : &largest.rows;
    if (is_small(all, island) && contacts > *own) *own = contacts;
  }
  return largest;
}

static floc_status solve_small(island_set *all)
{
  bool alone = all->env->threads == 1 || all->start[all->count] < WORTH_WAKING;
  int64_t count = alone ? 1 : BATCHES_PER_THREAD * all->env->threads;
  small_sizes largest = find_largest(all);
  if (largest.rows == 0 && largest.blocks == 0) return FLOC_OK;
  batch *batches = arena_allocate(all->scratch, (size_t)count, sizeof *batches);
  if (!batches) return FLOC_OUT_OF_MEMORY;
  int64_t island = 0, contacts = all->start[all->count];
  for (int64_t b = 0; b < count; b++) {
    batches[b].first = island;
    while (island < all->count && (b == count - 1 || all->start[island] < contacts * (b + 1) / count)) island++;
    batches[b].last = island;
    floc_status status = batch_create(all, largest, &batches[b]);
    if (status != FLOC_OK) return status;
  }
  parallel_for(all->env, count, 1, solve_batch, batches);
  for (int64_t b = 0; b < count; b++) all->work += batches[b].product_contacts;
  return FLOC_OK;
}

/* ---- large islands, by all threads ---- */

/* At most: each has a contact, and each contact with a prescribed body a stand-in. */
static int64_t most_bodies(const island_set *all, int64_t island)
{
  const int64_t contacts = contacts_of(all, island);
  int64_t prescribed = 0;
  for (int64_t k = all->start[island]; k < all->start[island + 1]; k++)
    prescribed += all->problem->second[all->contact[k]] < 0;
  const int64_t present = all->problem->body_count + prescribed;
  return (present < 2 * contacts ? present : 2 * contacts) + 1;
}

static bool allocate_large(const island_set *all, large_scratch *large)
{
  const size_t bodies = (size_t)all->problem->body_count;
  const patch_place *place = all->problem->patches;
  const int32_t patches = place && place->found ? place->set.count : 1;
  large->used = arena_allocate(all->scratch, bodies, sizeof *large->used);
  large->place = all->spare;
  if (!large->used) return false;
  memset(large->used, 0, bodies * sizeof *large->used);
  if (patches < 2) return true;
  large->local = arena_allocate(all->scratch, (size_t)patches, sizeof *large->local);
  if (!large->local) return false;
  memset(large->local, -1, (size_t)patches * sizeof *large->local);
  return true;
}

/* By patches where it is in several, else by strips or colours. */
static floc_status cut_island(const island_set *all, int64_t island, const large_scratch *large,
                              contact_system *system, island_cut *cut)
{
  const int32_t *contact = all->contact + all->start[island];
  const int64_t contacts = contacts_of(all, island);
  floc_status status = FLOC_OK;
  system->units = (unit_plan){0};
  cut->patch = (patch_cut){all->env,
                           all->problem,
                           contact,
                           contacts,
                           .width = 1,
                           .place = large->place,
                           .used = large->used,
                           .local = large->local,
                           .listed = all->listed};
  if (large->local) status = patch_units_plan(all->scratch, &cut->patch, &system->units);
  if (status == FLOC_OK && system->units.grounds == 0)
    status = strips_plan(all->env, all->scratch, all->problem, contact, contacts, large->used, large->place,
                         all->listed, &cut->strip, &system->units);
  if (status == FLOC_OK && system->units.grounds == 0)
    colour_places(all->problem, contact, contacts, 1, NULL, large->used, large->place, &system->colours);
  return status;
}

static floc_status solve_large(island_set *all, int64_t island, const large_scratch *large)
{
  int64_t contacts = contacts_of(all, island), bodies = most_bodies(all, island);
  contact_system system;
  island_cut cut;
  floc_status status = system_allocate(all->scratch, all->problem->dimension, contacts, bodies, &system);
  if (status == FLOC_OK) status = cut_island(all, island, large, &system, &cut);
  if (status != FLOC_OK) return status;
  double *body_root = arena_allocate(all->scratch, (size_t)bodies, sizeof *body_root);
  if (!body_root) return FLOC_OUT_OF_MEMORY;
  system.time_step = all->problem->time_step;
  pack(all, all->env, &system, &cut, all->contact + all->start[island], large->place, body_root);
  const arena_mark before = arena_here(all->scratch);
  all->work += solve_one(all, island, all->env, &system, NULL, &status);
  arena_return(all->scratch, before);
  double *u = arena_allocate(all->scratch, system_velocities(system.body_count, system.dimension), sizeof *u);
  if (!u) return FLOC_OUT_OF_MEMORY;
  give_back(all, all->env, &system, body_root, u);
  return status;
}

/* ---- what is left ---- */

/* The accelerated gradient, from where conjugate gradients gave up. */
static floc_status descend(island_set *all, int64_t island)
{
  const int64_t contacts = contacts_of(all, island);
  solver_limits limits = limits_within_work(all->env, limits_of(all, island), contacts);
  if (limits.max_products <= 0 || interrupted(all->env)) return FLOC_OK;
  block_island it;
  floc_status status = block_allocate(all->scratch, BLOCK_NORMAL, contacts, &it);
  double *work = arena_allocate(all->scratch, status == FLOC_OK ? block_gradient_work_size(&it) : 0, sizeof *work);
  if (status != FLOC_OK || !work) return FLOC_OUT_OF_MEMORY;
  block_pack(all->env, all->problem, all->answer, all->contact + all->start[island], contacts, all->slot, &it);
  int64_t products = block_gradient_solve(all->env, &it, work, limits, true).products;
  block_return(all->env, all->problem, &it, all->answer);
  all->spent[island] += products;
  all->work += products * contacts;
  work_add(all->env, WORK_SOLVER, products * contacts);
  return FLOC_OK;
}

/* ---- all ---- */

static floc_status mark_blocks(island_set *all)
{
  all->blocks = arena_allocate(all->scratch, (size_t)all->count, sizeof *all->blocks);
  all->left = arena_allocate(all->scratch, (size_t)all->count, sizeof *all->left);
  all->change = arena_allocate(all->scratch, (size_t)all->count, sizeof *all->change);
  if (!all->blocks || !all->left || !all->change) return FLOC_OUT_OF_MEMORY;
  for (int64_t island = 0; island < all->count; island++) {
    all->blocks[island] = island_has_blocks(all, island);
    all->left[island] = false;
    all->change[island] = (island_change){0.0, 0.0};
  }
  return FLOC_OK;
}

floc_status islands_solve(island_set *all)
{
  arena_mark here = arena_here(all->scratch);
  floc_status status = mark_blocks(all);
  if (status == FLOC_OK) status = solve_small(all);
  large_scratch large = {0};
  for (int64_t island = 0; island < all->count && status == FLOC_OK; island++) {
    if (is_small(all, island)) continue;
    if (interrupted(all->env)) break;
    if (!large.used && !allocate_large(all, &large)) return FLOC_OUT_OF_MEMORY;
    arena_mark before = arena_here(all->scratch);
    status = (all->blocks[island] ? island_blocks_solve_large : solve_large)(all, island, &large);
    arena_return(all->scratch, before);
  }
  for (int64_t island = 0; island < all->count && status == FLOC_OK && !interrupted(all->env); island++) {
    if (!all->left[island]) continue;
    arena_mark before = arena_here(all->scratch);
    status = all->blocks[island] ? island_blocks_finish(all, island, &large) : descend(all, island);
    arena_return(all->scratch, before);
  }
  for (int64_t island = 0; island < all->count && status == FLOC_OK; island++) {
    exact_add(&all->energy, all->change[island].energy);
    exact_add(&all->fallen, all->change[island].fallen);
  }
  arena_return(all->scratch, here);
  return status;
}
