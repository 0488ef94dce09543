/*
 * Block Gauss-Seidel for friction in the order of colours (of several patches: of units, contacts/solvers/units.h),
 * with Nesterov's momentum around whole sweeps, limited
 * (nesterov.h) and restarted when it carries uphill: gauss_seidel.c for blocks.
 *
 *   y = x + beta (x - x_old),  x_next = sweep(y):  p   <- max(lo, p - w_n/A_n)
 *                                                  P_t <- disc(P_t - w_t/A_t),  radius mu (p - lo)
 *
 * The convex law projects (p; P_t) on the contact's cone instead, which is the minimum of J over that contact:
 * sweeps without momentum then descend J, and converge.
 *
 * The update of one contact is Coulomb's law itself and not the projection on its cone: a point that does not
 * move is a solution without dilation, and no outer iteration is needed. There is no function that the sweeps
 * descend, hence no proof that they converge. Where the estimate stalls they continue in another variant: damped
 * with momentum, without momentum, damped without, and from the beginning. What keeps one variant from a solution
 * (contacts that change between sticking and sliding) mostly does not stop the next: in the flowing funnel, 2
 * problems of 31 were left to block_gradient.c, 14 when the caller continued with it after each variant had been
 * tried once, and that one takes ten times as many products.
 *
 * Every LOOK_INTERVAL sweeps the energy J is looked at (block_system.h), and more often where the sweeps' own
 * estimate of the residual, which is an upper one, comes near the tolerance. Momentum restarts when J stands RISE
 * of its lowest value above it. Looks that come more often, and stop sweeps as soon as they may, do not save any:
 * in piles that move, what a step leaves the next one has to do (a pile of 10,000 discs: 197, 132, 123, 126, 142
 * sweeps a step with looks every 1, 5, 10, 15, 25). Where the products end before the tolerance is met, the iterate
 * of the lowest J seen is the answer: the one of the least residual can be free fall. With a budget the end is
 * known: looks are 1/BUDGET_LOOKS of it apart, because momentum that began to rise late has no time to be mended;
 * the last 1/BUDGET_TAIL of the sweeps go without momentum, which leaves what it carried past the solution as
 * overlaps; the answer is the last iterate whose J is low.
 *
 * Sweeps are in single precision where that is enough for the target (block_single.h), looks never.
 *
 * Memory (work): two iterates that swap roles, the best iterate; velocities of two iterates; what ranges of a sweep
 * or a look sum up.
 */
#include "base/numbers/wide.h"
#include "contacts/blocks/block_rows.h"
#include "contacts/blocks/block_single.h"
#include "contacts/blocks/block_spots.h"
#include "contacts/blocks/block_sweep.h"
#include "contacts/solvers/nesterov.h"

#include <math.h>
#include <string.h>

enum {
  STALL_WINDOW = 100,
  LOOK_INTERVAL = 25,
  NEAR = 8,
  NEAR_INTERVAL = 10, /* of islands with colours */
  NEAR_INTERVAL_SMALL = 5,
  SPOT_INTERVAL = 25,
  BUDGET_LOOKS = 6,
  BUDGET_TAIL = 8,
  VARIANTS = 5,
  WITH_MOMENTUM = 3, /* the first ones */
  PART = 2
};

/* Of the momentum (nesterov.h), by variant; 0.05 takes a tenth more sweeps, no limit 1.5 times as many. Where
 * sweeps have stalled, momentum is what keeps contacts between sticking and sliding, and less of it helps. */
static const double first_gap = 0.08, loose_gap = 0.2;
static const double weights[VARIANTS] = {1.0, 0.7, 0.5, 1.0, 0.7};
static const double rise = 0.05;

typedef struct block_sweep {
  const environment *env;
  const block_island *island;
  double *x, *other;  /* x, and x_old which the sweep turns into x_next */
  double *u, *before; /* velocities of y, then of x_next; of x */
  double *best;
  double *part; /* [range][PART]: uphill, size squared */
  double beta;
  double weight;  /* of what a contact moves; below 1 sweeps are damped */
  bool is_single; /* `single` is swept, and read into x and u for a look */
  block_single single;
  double *single_work, *spots_work;
} block_sweep;

size_t block_gauss_seidel_work_size(const block_island *island)
{
  size_t values = (size_t)block_column_size(island);
  size_t velocities = (size_t)(block_stride(island->form) * island->body_count);
  return 2 * values + velocities + PART * (size_t)block_part_count(island) + block_single_work_size(island) +
         block_spots_work_size(island);
}

static void sweep_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const block_sweep *sweep = context;
  block_sweep_sums sums = sweep->is_single
                              ? block_single_range(&sweep->single, sweep->beta, sweep->weight, begin, end)
                              : block_sweep_range(sweep->island, sweep->x, sweep->other, sweep->u, sweep->beta,
                                                  sweep->weight, begin, end);
  sweep->part[PART * block] = sums.uphill;
  sweep->part[PART * block + 1] = sums.square;
}

/* One sweep; returns the estimate of R, and whether the momentum carries uphill. */
static double sweep_all(block_sweep *sweep, bool *uphill)
{
  const block_island *island = sweep->island;
  block_for_colours(sweep->env, island, sweep_range, sweep);
  double *next = sweep->other, square = 0.0;
  if (sweep->is_single) {
    block_single_swap(&sweep->single);
  } else {
    sweep->other = sweep->x;
    sweep->x = next;
  }
  for (int64_t part = 0; part < block_part_count(island); part++)
    square = fmax(square, sweep->part[PART * part + 1]);
  const double sum = block_sum_parts(island, sweep->part, PART);
  *uphill = sum > 0.0;
  if (isnan(sum)) return NAN; /* of any contact */
  return island->time_step * sqrt(square) / sweep->weight;
}

HOT void extrapolate_loop(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const block_sweep *sweep = context;
  double *restrict u = sweep->u, *restrict before = sweep->before;
  const double beta = sweep->beta;
  for (int64_t k = begin; k < end; k++) {
    double value = u[k];
    u[k] = value + beta * (value - before[k]);
    before[k] = value;
  }
}

CLONED_ACTION(extrapolate, (void *context, int64_t begin, int64_t end, int64_t block), (context, begin, end, block))

static void extrapolate_all(const block_sweep *sweep)
{
  const int64_t velocities = sweep->island->body_count * block_stride(sweep->island->form);
  if (sweep->is_single)
    block_single_extrapolate(sweep->env, &sweep->single, sweep->beta);
  else
    parallel_for(sweep->env, velocities, PARALLEL_BLOCK, extrapolate, (void *)sweep);
}

/* Both iterates and their velocities, of x. */
static void begin_doubles(block_sweep *sweep)
{
  const block_island *island = sweep->island;
  sweep->is_single = false;
  memcpy(sweep->other, sweep->x, (size_t)block_column_size(island) * sizeof(double));
  block_scatter(sweep->env, island, sweep->x, sweep->u);
  memcpy(sweep->before, sweep->u, (size_t)(block_stride(island->form) * island->body_count) * sizeof(double));
}

static block_sweep prepare(const environment *env, const block_island *island, double *work, double target)
{
  size_t values = (size_t)block_column_size(island);
  size_t velocities = (size_t)(block_stride(island->form) * island->body_count);
  block_sweep sweep = {.env = env,
                       .island = island,
                       .x = work,
                       .other = island->impulse,
                       .best = work + values,
                       .u = island->velocity,
                       .before = work + 2 * values,
                       .part = work + 2 * values + velocities,
                       .weight = 1.0};
  memcpy(sweep.x, island->impulse, values * sizeof(double));
  memcpy(sweep.best, island->impulse, values * sizeof(double));
  begin_doubles(&sweep);
  sweep.single_work = sweep.part + PART * (size_t)block_part_count(island);
  sweep.spots_work = sweep.single_work + block_single_work_size(island);
  sweep.is_single = block_single_begin(env, island, sweep.x, sweep.u, target, sweep.single_work, &sweep.single);
  return sweep;
}

/* What has been seen of an island's iterates. */
typedef struct progress {
  solver_outcome outcome;
  double lowest, energy;         /* energies: the lowest, and that of the iterate that is kept */
  double estimate, least_before; /* least estimates of this window and of the one before */
  int64_t sweeps, solved_at;     /* products when the target was met; 0: not yet */
  int64_t budget;                /* sweeps; 0: there is none */
  double mark_energy[2];         /* J as it was after mark[] sweeps; the second at least twice the first */
  int64_t mark[2];
  int variant;
} progress;

/* Below the target only so far as it is cheap. */
static bool goes_on(const environment *env, const progress *seen, solver_limits limits, block_aim aim)
{
  if (!seen->solved_at) return solver_goes_on(env, &seen->outcome, limits);
  return solver_goes_on(env, &seen->outcome, (solver_limits){aim.residual, limits.max_products}) &&
         seen->outcome.products < seen->solved_at + aim.products;
}

/* Keeps two energies, so that one of them is always of at most half the sweeps; of a budget, the last one that is.
 */
static void mark_energy(progress *seen, double energy)
{
  if (seen->sweeps > (seen->budget ? seen->budget / 2 : 0) && seen->sweeps < 2 * seen->mark[1]) return;
  seen->mark[0] = seen->mark[1];
  seen->mark_energy[0] = seen->mark_energy[1];
  seen->mark[1] = seen->sweeps;
  seen->mark_energy[1] = energy;
}

static nesterov begin_momentum(const progress *seen)
{
  return nesterov_begin_limited(seen->variant > 0 && !seen->budget ? loose_gap : first_gap);
}

/* Looks at the iterate; keeps it if it solves the problem, or has the least residual of those of low energy.
 * Returns whether momentum has carried it too high: energy may also rise on the way to a solution, but residuals
 * then fall. */
static bool look(block_sweep *sweep, progress *seen, double target)
{
  if (sweep->is_single) block_single_read(sweep->env, &sweep->single, sweep->x, sweep->u);
  block_measure now = block_look(sweep->env, sweep->island, sweep->x, sweep->u, sweep->part);
  mark_energy(seen, now.energy);
  seen->lowest = fmin(seen->lowest, now.energy);
  double low = seen->lowest + rise * fabs(seen->lowest);
  double good = sweep->island->convex ? seen->lowest : low; /* of a convex problem J alone is right */
  bool better = now.residual < seen->outcome.residual;
  bool solved = now.residual <= target;
  bool last = seen->budget > 0 && !sweep->island->convex;
  bool kept =
      solved ? better : now.energy <= good && !seen->solved_at && (last || better || !(seen->energy <= good));
  if (solved && !seen->solved_at) seen->solved_at = seen->outcome.products;
  if (!kept) return now.energy > low && !better;
  seen->outcome.residual = now.residual;
  seen->energy = now.energy;
  memcpy(sweep->best, sweep->x, (size_t)block_column_size(sweep->island) * sizeof(double));
  return false;
}

/* Without momentum only: x and u alone say then where the iterate is. */
static void mend_spots(block_sweep *sweep, progress *seen, solver_limits limits)
{
  const environment *env = sweep->env;
  const block_island *island = sweep->island;
  if (seen->variant < WITH_MOMENTUM || seen->budget || seen->sweeps % SPOT_INTERVAL != 0 || seen->solved_at) return;
  if (!block_spots_apply(island) || !solver_goes_on(env, &seen->outcome, limits)) return;
  if (sweep->is_single) block_single_read(env, &sweep->single, sweep->x, sweep->u);
  seen->outcome.products += block_spots_mend(env, island, sweep->x, sweep->u, sweep->spots_work, limits.target);
  if (interrupted(env)) return;
  if (sweep->is_single)
    block_single_begin(env, island, sweep->x, sweep->u, limits.target, sweep->single_work, &sweep->single);
  look(sweep, seen, limits.target);
}

/* After each window: a variant that does not get on makes space for the next. Returns whether it did. Momentum does
 * not come back where spots are mended: in 92,000 contacts of landing spheres 200 above the target after 1,000
 * sweeps become 10,000 within 100 with momentum. */
static bool change_variant(block_sweep *sweep, progress *seen)
{
  bool stalls = !(seen->estimate <= 0.9 * seen->least_before), again = stalls && ++seen->variant == VARIANTS;
  if (again) seen->variant = block_spots_apply(sweep->island) ? WITH_MOMENTUM : 0;
  if (again && sweep->is_single) {
    block_single_read(sweep->env, &sweep->single, sweep->x, sweep->u);
    begin_doubles(sweep);
  }
  sweep->weight = weights[seen->variant];
  seen->least_before = seen->estimate;
  seen->estimate = INFINITY;
  return stalls;
}

solver_outcome block_gauss_seidel_solve(const environment *env, const block_island *island, double *work,
                                        solver_limits limits, block_aim aim)
{
  block_sweep sweep = prepare(env, island, work, aim.budget ? INFINITY : limits.target);
  progress seen = {.outcome = {.residual = INFINITY, .products = 1},
                   .lowest = INFINITY,
                   .energy = INFINITY,
                   .estimate = INFINITY,
                   .least_before = INFINITY,
                   .variant = aim.plain ? WITH_MOMENTUM : 0,
                   .budget = aim.budget ? limits.max_products - 1 : 0};
  int64_t interval = seen.budget ? (seen.budget + BUDGET_LOOKS - 1) / BUDGET_LOOKS : LOOK_INTERVAL;
  const int64_t near_interval = block_has_colours(island) ? NEAR_INTERVAL : NEAR_INTERVAL_SMALL;
  look(&sweep, &seen, limits.target);
  nesterov momentum = begin_momentum(&seen);
  bool looked = true, uphill;
  while (goes_on(env, &seen, limits, aim)) {
    double estimate = sweep_all(&sweep, &uphill);
    seen.outcome.products++;
    seen.sweeps++;
    seen.estimate = fmin(seen.estimate, estimate);
    const bool near = !seen.budget && estimate <= NEAR * limits.target && seen.sweeps % near_interval == 0;
    looked = near || estimate <= (seen.solved_at ? aim.residual : limits.target) || seen.sweeps % interval == 0;
    if (looked && look(&sweep, &seen, limits.target)) momentum = begin_momentum(&seen);
    mend_spots(&sweep, &seen, limits);
    if (seen.sweeps % STALL_WINDOW == 0 && change_variant(&sweep, &seen)) momentum = begin_momentum(&seen);
    nesterov_next_limited(&momentum, uphill, estimate);
    bool tail = seen.budget - seen.sweeps <= seen.budget / BUDGET_TAIL;
    sweep.beta = seen.variant >= WITH_MOMENTUM || (seen.budget && tail) ? 0.0 : momentum.beta;
    if (seen.outcome.products < limits.max_products) extrapolate_all(&sweep);
  }
  if (!looked) look(&sweep, &seen, limits.target);
  memcpy(island->impulse, sweep.best, (size_t)block_column_size(island) * sizeof(double));
  seen.outcome.energy = seen.energy;
  /* of no sweep nothing is known: as if from no impulses */
  seen.outcome.energy_before = seen.sweeps > 0 ? seen.mark_energy[2 * seen.mark[1] <= seen.sweeps] : 0.0;
  return seen.outcome;
}
