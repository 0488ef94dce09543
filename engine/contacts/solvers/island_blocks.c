/*
 * Solving islands of blocks. See island_blocks.h.
 *
 * An island is swept (block_gauss_seidel.c); what sweeps leave is left to the gradient, in the plane under the
 * convex law first to the interior point method (finish_convex.h), after all others. A small one that meets the
 * tolerance continues towards options->aim, which is tighter, for at most AIM_PRODUCTS: in piles of up to 200
 * discs, forces of single steps come right to 0.02 % instead of half. In large ones so few products make no
 * difference.
 *
 * Under Coulomb's law, in the plane up to EXACT_CONTACTS, convex problems then lead to other impulses
 * (finish_convex.h), and sweeps begin again there: a body of 1e4 grain masses on 3,000 grains needed more than ten
 * times as many sweeps from their own. What is left after that has the gradient.
 *
 * Under Coulomb's law nothing is sure to arrive, and a product of a large island is dear, so products have a price:
 * 1 up to EXACT_CONTACTS contacts, more in proportion above, in space twice as much, and for the gradient
 * GRADIENT_COST times as much. An island of 100,000 contacts in space gets 1,250 sweeps and 200 gradients before it
 * is given up, which are seconds, and not minutes; what is not solved by then was not solved by twenty times as
 * much either (docs/schemes/friction.md).
 */
#include "contacts/solvers/island_blocks.h"

#include "base/interruption.h"
#include "contacts/blocks/block_spots.h"
#include "contacts/finish/finish_convex.h"
#include "contacts/solvers/patch_units.h"

#include <math.h>
#include <string.h>

enum {
  BLOCK_PATIENCE = 3, /* of a factorisation with three freedoms a body, against two */
  SWEEPING_PART = 20, /* where gradients solve what 1,000 sweeps do not */
  SPOTTED_PART = 2,   /* where spots are mended between sweeps (block_spots.h) */
  LED_PART = 6,       /* where convex problems lead on */
  LEADING_PART = 2,   /* of all products at most: sweeps from where these have led */
  LEAST_SWEEPS = 1000,
  AIM_CONTACTS = 400,
  AIM_PRODUCTS = 32,
  EXACT_CONTACTS = 25000,
  SPACE_COST = 2,
  GRADIENT_COST = 6
};

static bool acts_across(const contact_problem *problem, int64_t a)
{
  return (problem->friction && problem->friction[a] > 0.0) || (problem->rolling && problem->rolling[a] > 0.0) ||
         (problem->twisting && problem->twisting[a] > 0.0);
}

bool island_has_blocks(const island_set *all, int64_t island)
{
  const contact_problem *problem = all->problem;
  if (all->options->budget > 0) return true; /* what J is comes with blocks */
  if (!contacts_have_blocks(problem)) return false;
  if (!problem->round || problem->unsorted || all->options->solver != FLOC_SOLVER_AUTO) return true;
  for (int64_t k = all->start[island]; k < all->start[island + 1]; k++)
    if (acts_across(problem, all->contact[k])) return true;
  return false;
}

/* What a product of an island counts against its limit. */
static double price_of(const island_set *all, const block_island *it, double cost)
{
  if (it->convex || all->options->solver != FLOC_SOLVER_AUTO || all->options->budget > 0) return 1.0;
  const double in_space = it->form == BLOCK_PLANE ? 1.0 : SPACE_COST;
  return fmax(1.0, in_space * cost * (double)it->filled / EXACT_CONTACTS);
}

static int64_t priced(double price, int64_t products)
{
  return price == 1.0 ? products : (int64_t)ceil(price * (double)products);
}

static int64_t affordable(double price, int64_t left)
{
  return price == 1.0 ? left : (int64_t)((double)left / price);
}

/* Sweeps may take a part of what a problem may cost, or all of it where that is little. */
static int64_t sweeps_of(int64_t products, int64_t part)
{
  int64_t most = products / part, least = products < LEAST_SWEEPS ? products : LEAST_SWEEPS;
  return most > least ? most : least;
}

/* Do convex problems lead on where sweeps of Coulomb's law stall? */
static bool is_led(const island_set *all, const block_island *it)
{
  return finish_leads_blocks(it) && it->filled <= EXACT_CONTACTS && all->options->solver == FLOC_SOLVER_AUTO;
}

static solver_outcome sweep_blocks(const island_set *all, const environment *env, const block_island *it,
                                   double *work, solver_limits limits)
{
  const double aim = all->options->aim;
  const bool budget = all->options->budget > 0;
  if (!budget && !all->staged)
    limits.max_products = sweeps_of(limits.max_products, is_led(all, it)         ? LED_PART
                                                         : block_spots_apply(it) ? SPOTTED_PART
                                                                                 : SWEEPING_PART);
  if (!budget && finish_takes_blocks(it)) {
    int64_t patience = BLOCK_PATIENCE * finish_patience(2, it->body_count);
    if (patience < limits.max_products) limits.max_products = patience;
  }
  return block_gauss_seidel_solve(
      env, it, work, limits,
      (block_aim){aim, aim > 0.0 && it->filled <= AIM_CONTACTS ? AIM_PRODUCTS : 0, budget, false});
}

size_t island_blocks_work_size(const block_island *it)
{
  const size_t sweeps = block_gauss_seidel_work_size(it), gradient = block_gradient_work_size(it);
  return sweeps > gradient ? sweeps : gradient;
}

static void note_settled(const island_set *all, int64_t island, double residual)
{
  const double settled = all->options->settled > 0.0 ? all->options->settled : all->limits.target;
  if (residual <= settled) all->change[island].fallen = 0.0;
}

/* Spends on an island, and notes it. Returns products times contacts. */
static int64_t spend(const island_set *all, int64_t island, const environment *env, const block_island *it,
                     int64_t products, double price)
{
  all->spent[island] += priced(price, products);
  work_add(env, WORK_SOLVER, products * WORK_FRICTION * it->filled);
  return products * it->filled;
}

static solver_limits limits_of(const island_set *all, int64_t island, const environment *env,
                               const block_island *it, double price)
{
  const int64_t left = all->limits.max_products - all->spent[island];
  return limits_within_work(env, (solver_limits){all->limits.target, affordable(price, left)},
                            WORK_FRICTION * it->filled);
}

/* What energy_fall of the report is made of. */
static void note_change(const island_set *all, int64_t island, solver_outcome outcome)
{
  all->change[island] = (island_change){fabs(outcome.energy), fabs(outcome.energy_before - outcome.energy)};
  note_settled(all, island, outcome.residual);
}

/* Improves an island from where others have left it. Returns products times contacts. */
static int64_t descend(const island_set *all, int64_t island, const environment *env, const block_island *it,
                       double *work)
{
  const double price = price_of(all, it, GRADIENT_COST);
  const solver_limits limits = limits_of(all, island, env, it, price);
  if (limits.max_products <= 0 || interrupted(env)) return 0;
  solver_outcome outcome = block_gradient_solve(env, it, work, limits, all->options->solver != FLOC_SOLVER_UZAWA);
  note_settled(all, island, outcome.residual);
  return spend(all, island, env, it, outcome.products, price);
}

int64_t island_blocks_solve(const island_set *all, int64_t island, const environment *env, const block_island *it,
                            double *work)
{
  const int32_t solver = all->options->solver;
  const bool finish = is_led(all, it) || (finish_takes_blocks(it) &&
                                          (solver == FLOC_SOLVER_AUTO || solver == FLOC_SOLVER_INTERIOR_POINT));
  const double price = price_of(all, it, 1.0);
  const solver_limits limits = limits_of(all, island, env, it, price);
  solver_outcome outcome = {.residual = INFINITY};
  if (solver == FLOC_SOLVER_AUTO) outcome = sweep_blocks(all, env, it, work, limits);
  note_change(all, island, outcome);
  int64_t cost = spend(all, island, env, it, outcome.products, price);
  if (outcome.residual <= limits.target || all->options->budget > 0 || all->staged) return cost;
  if (finish)
    all->left[island] = limits.max_products > outcome.products;
  else
    cost += descend(all, island, env, it, work);
  return cost;
}

/* Memory for an island, which is cut by patches if it is large and in several. */
static floc_status allocate(const island_set *all, int64_t island, const large_scratch *large, block_island *it)
{
  const int64_t contacts = all->start[island + 1] - all->start[island];
  const block_form form = block_form_of(all->problem);
  if (!large->local || contacts <= SMALL_BLOCKS) return block_allocate(all->scratch, form, contacts, it);
  patch_cut cut = {all->env,
                   all->problem,
                   all->contact + all->start[island],
                   contacts,
                   .width = EIGHT,
                   .place = large->place,
                   .used = large->used,
                   .local = large->local};
  unit_plan *plan = arena_allocate(all->scratch, 1, sizeof *plan);
  floc_status status = plan ? patch_units_plan(all->scratch, &cut, plan) : FLOC_OUT_OF_MEMORY;
  if (status != FLOC_OK) return status;
  if (plan->grounds == 0) return block_allocate(all->scratch, form, contacts, it);
  patch_units_forget(&cut);
  return block_allocate_units(all->scratch, form, (block_units){plan, large->place}, it);
}

/* Lays out an island in memory of its own. */
static floc_status pack(const island_set *all, int64_t island, const large_scratch *large, block_island *it,
                        double **work)
{
  const int64_t contacts = all->start[island + 1] - all->start[island];
  floc_status status = allocate(all, island, large, it);
  *work = arena_allocate(all->scratch, status == FLOC_OK ? island_blocks_work_size(it) : 0, sizeof **work);
  if (status != FLOC_OK || !*work) return FLOC_OUT_OF_MEMORY;
  block_pack(all->env, all->problem, all->answer, all->contact + all->start[island], contacts, all->slot, it);
  return FLOC_OK;
}

floc_status island_blocks_solve_large(island_set *all, int64_t island, const large_scratch *large)
{
  block_island it;
  double *work;
  if (pack(all, island, large, &it, &work) != FLOC_OK) return FLOC_OUT_OF_MEMORY;
  all->work += island_blocks_solve(all, island, all->env, &it, work);
  block_return(all->env, all->problem, &it, all->answer);
  return FLOC_OK;
}

/* Under Coulomb's law: convex problems, and sweeps from where they lead, in rounds. The best stays. */
static floc_status lead_and_sweep(island_set *all, int64_t island, const environment *env, const block_island *it,
                                  double *work, solver_outcome *outcome)
{
  const double price = price_of(all, it, 1.0);
  const size_t bytes = 2 * sizeof(double) * (size_t)((it->contact_count + FOUR - 1) / FOUR * FOUR);
  const int64_t most = sweeps_of(affordable(price, all->limits.max_products), LEADING_PART);
  double least, *best = arena_allocate(all->scratch, bytes, 1);
  if (!best || finish_blocks_residual(env, all->scratch, it, &least) != FLOC_OK) return FLOC_OUT_OF_MEMORY;
  memcpy(best, it->impulse, bytes);
  for (int64_t before = -1; all->spent[island] > before && !interrupted(env);) {
    solver_limits limits = limits_of(all, island, env, it, price);
    before = all->spent[island];
    if (limits.max_products <= 0) break;
    floc_status status = finish_convex_lead(env, all->scratch, it, limits, outcome);
    if (status != FLOC_OK) return status;
    all->work += spend(all, island, env, it, outcome->products, price);
    limits = limits_of(all, island, env, it, price);
    if (limits.max_products > most) limits.max_products = most;
    if (outcome->residual > limits.target && limits.max_products > 0) {
      *outcome = block_gauss_seidel_solve(env, it, work, limits, (block_aim){0.0, 0, false, false});
      all->work += spend(all, island, env, it, outcome->products, price);
    }
    if (outcome->residual < least) memcpy(best, it->impulse, bytes);
    least = fmin(least, outcome->residual);
    if (least <= limits.target) break;
  }
  memcpy(it->impulse, best, bytes);
  outcome->residual = least;
  return FLOC_OK;
}

floc_status island_blocks_finish(island_set *all, int64_t island, const large_scratch *large)
{
  const environment *env = all->env;
  block_island it;
  double *work;
  solver_outcome outcome;
  if (pack(all, island, large, &it, &work) != FLOC_OK) return FLOC_OUT_OF_MEMORY;
  const solver_limits limits = limits_of(all, island, env, &it, 1.0);
  floc_status status = finish_takes_blocks(&it)
                           ? finish_convex_solve(env, all->scratch, &it, limits, &outcome, NULL)
                           : lead_and_sweep(all, island, env, &it, work, &outcome);
  if (status != FLOC_OK) return status;
  note_settled(all, island, outcome.residual);
  if (finish_takes_blocks(&it)) all->work += spend(all, island, env, &it, outcome.products, 1.0);
  if (!(outcome.residual <= limits.target)) all->work += descend(all, island, env, &it, work);
  block_return(env, all->problem, &it, all->answer);
  return FLOC_OK;
}
