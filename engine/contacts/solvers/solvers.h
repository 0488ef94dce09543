/*
 * The solvers of one scaled system (system.h). Each improves system->impulse and leaves there the best
 * iterate it has seen; each works in memory that the caller gives, so that islands can be solved by
 * several threads without touching an allocator.
 */
#ifndef FLOC_CONTACTS_SOLVERS_SOLVERS_H
#define FLOC_CONTACTS_SOLVERS_SOLVERS_H

#include "base/interruption.h"
#include "contacts/solvers/system.h"

typedef struct solver_limits {
  double target;        /* on the residual R, length */
  int64_t max_products; /* with this system's A */
} solver_limits;

typedef struct solver_outcome {
  double residual; /* of system->impulse, as the solver saw it */
  int64_t products;
  double energy, energy_before; /* blocks: J of the answer, and of an iterate of at most half its products */
} solver_outcome;

/* Numbers (doubles) of working memory that a solver needs for a system of that size. */
size_t projected_cg_work_size(int64_t contacts, int64_t bodies, int32_t dimension);

/* Projected conjugate gradients (MPRGP family). */
solver_outcome projected_cg_solve(const environment *env, contact_system *system, double *work,
                                  solver_limits limits);
/* Working memory of gauss_seidel_solve(). In pieces: scratch memory that is a little too short grows by the last.
 */
typedef struct sweep_memory {
  double *x, *other, *u, *before;
  struct block_sums *part;
} sweep_memory;

bool gauss_seidel_allocate(arena *scratch, const contact_system *system, sweep_memory *memory);
/* Coloured Gauss-Seidel with Nesterov's momentum and restart; gives up when it stalls. */
solver_outcome gauss_seidel_solve(const environment *env, contact_system *system, const sweep_memory *memory,
                                  solver_limits limits);

/* ---- what they share ---- */

/* Parts of sums and of the residual that one block of contacts gives; combined in the order of blocks. */
typedef struct block_sums {
  double sum[4];
  double residual; /* a maximum */
} block_sums;

enum { BLOCK_SUMS_SIZE = sizeof(block_sums) / sizeof(double) };

static inline size_t block_sums_size(int64_t contacts)
{
  return (size_t)(parallel_block_count(contacts, PARALLEL_BLOCK) + 1) * BLOCK_SUMS_SIZE;
}

/* Runs function over blocks of contacts; a small system costs a plain call. */
static inline void for_contact_blocks(const environment *env, int64_t count, block_function function, void *context)
{
  if (count <= PARALLEL_BLOCK)
    function(context, 0, count, 0);
  else
    parallel_for(env, count, PARALLEL_BLOCK, function, context);
}

/* No more products than the host's limit of work allows; `units` is one product's. A solver that stops because of
 * that has spent it all, and more. */
static inline solver_limits limits_within_work(const environment *env, solver_limits limits, int64_t units)
{
  if (!env->work || !env->work->strict) return limits;
  int64_t left = work_left(env);
  if (units > 0 && left / units < limits.max_products) limits.max_products = left / units + 1;
  return limits;
}

/* One given up by the host leaves the best iterate so far; code that solves the whole problem checks before that is
 * used. */
static inline bool solver_goes_on(const environment *env, const solver_outcome *outcome, solver_limits limits)
{
  return outcome->products < limits.max_products && !(outcome->residual <= limits.target) && !interrupted(env);
}

/* The first product with A comes free if the first guess is zero. */
static inline bool solver_starts_at_zero(const contact_system *system)
{
  for (int64_t k = 0; k < system->contact_count; k++)
    if (system->impulse[k] != 0.0) return false;
  return true;
}

static inline block_sums combine_blocks(const block_sums *part, int64_t contacts)
{
  block_sums total = part[0];
  for (int64_t block = 1; block < parallel_block_count(contacts, PARALLEL_BLOCK); block++) {
    for (int k = 0; k < 4; k++) total.sum[k] += part[block].sum[k];
    total.residual = greatest(total.residual, part[block].residual);
  }
  return total;
}

#endif
