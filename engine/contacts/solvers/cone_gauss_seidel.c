/*
 * Block Gauss-Seidel for friction in the order of colours, with Nesterov's momentum around whole sweeps, limited
 * (nesterov.h) and restarted when it carries uphill: gauss_seidel.c for cones.
 *
 *   y = x + beta (x - x_old),  x_next = sweep(y):  q_n <- max(lower, q_n - w'_n/L)
 *                                                  q_t <- disc(q_t - w'_t/L),  radius friction (q_n - lower)
 *
 * The update of one contact is Coulomb's law itself and not the projection on its cone: a point that does not
 * move is a solution without dilation, and no outer iteration is needed. There is no function that the sweeps
 * descend, hence no proof that they converge. Where the estimate stalls they go on in another manner: without
 * momentum, damped, with momentum again. What keeps one manner from a solution (contacts that go to and fro between
 * sticking and sliding) is mostly no obstacle to the next: in the flowing funnel, 2 problems of 31 were left to
 * cone_gradient.c, 14 when the caller went on with it after each manner had been tried once, and that one takes ten
 * times as many products.
 *
 * Memory (work): two iterates that swap roles, the best iterate; velocities of two iterates; per contact what
 * a sweep says about it, summed up afterwards in fixed blocks.
 */
#include "contacts/solvers/cone_system.h"
#include "contacts/solvers/nesterov.h"

#include <math.h>
#include <string.h>

enum { STALL_WINDOW = 100, LOOK_INTERVAL = 25, MANNERS = 3 };

/* Of the momentum (nesterov.h); 0.05 takes a tenth more sweeps, no limit 1.5 times as many. */
static const double first_gap = 0.08;
static const double weights[MANNERS] = {1.0, 1.0, 0.7}; /* the first with momentum */

typedef struct cone_sweep {
  const environment *env;
  cone_system *system;
  double *x, *other;  /* x, and x_old which the sweep turns into x_next */
  double *u, *before; /* velocities of y, then of x_next; of x */
  double *best;
  double *uphill, *size; /* per contact */
  double beta;
  double weight; /* of what a contact moves; below 1 sweeps are damped */
} cone_sweep;

size_t cone_gauss_seidel_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  return (3 * (size_t)dimension + 2) * (size_t)(contacts + 1) + 2 * (size_t)(bodies * cone_freedoms(dimension));
}

CONE_INLINE void sweep_contact(const cone_sweep *sweep, int64_t k, int dimension)
{
  const cone_system *system = sweep->system;
  const double *n = system->row + 4 * dimension * k, *root = system->root + 2 * k;
  const double *x = sweep->x + dimension * k;
  double *other = sweep->other + dimension * k;
  double y[3], y_t[3], w[3], w_t[3], next[3], P[3], inverse_bound = 1.0 / system->bound[k];
  for (int axis = 0; axis < dimension; axis++) y[axis] = x[axis] + sweep->beta * (x[axis] - other[axis]);
  cone_velocity(system, k, sweep->u, w, dimension);
  double y_n = cone_split(n, y, y_t, dimension), w_n = cone_split(n, w, w_t, dimension) / root[0];
  double next_n = y_n - w_n * inverse_bound;
  next_n = next_n > system->lower[k] ? next_n : system->lower[k];
  double change_n = sweep->weight * (next_n - y_n), scale = inverse_bound / root[1];
  for (int axis = 0; axis < dimension; axis++) next[axis] = y_t[axis] - scale * w_t[axis];
  double mu = system->friction[k];
  cone_into_disc(next, mu > 0.0 ? mu * (next_n - system->lower[k]) : 0.0, dimension);
  double uphill = 0.0, square = 0.0;
  for (int axis = 0; axis < dimension; axis++) {
    double change_t = sweep->weight * (next[axis] - y_t[axis]);
    square += change_t * change_t;
    P[axis] = change_n / root[0] * n[axis] + change_t / root[1];
    next[axis] = y[axis] + change_n * n[axis] + change_t;
    uphill -= (next[axis] - y[axis]) * (next[axis] - x[axis]);
    other[axis] = next[axis];
  }
  cone_push(system, k, P, sweep->u, dimension);
  sweep->uphill[k] = uphill;
  sweep->size[k] = system->bound[k] / sweep->weight * fmax(root[0] * fabs(change_n), root[1] * sqrt(square));
}

static void sweep_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const cone_sweep *sweep = context;
  if (sweep->system->dimension == 2)
    for (int64_t k = begin; k < end; k++) sweep_contact(sweep, k, 2);
  else
    for (int64_t k = begin; k < end; k++) sweep_contact(sweep, k, 3);
}

static double greatest_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const double *values = context;
  double worst = 0.0;
  for (int64_t k = begin; k < end; k++) worst = greatest(worst, values[k]);
  return worst;
}

/* One sweep; returns the estimate of R, and whether the momentum carries uphill. */
static double sweep_all(cone_sweep *sweep, bool *uphill)
{
  const cone_system *system = sweep->system;
  system_for_colours(sweep->env, &system->order, sweep_range, sweep);
  double *next = sweep->other;
  sweep->other = sweep->x;
  sweep->x = next;
  int64_t count = system->contact_count;
  *uphill = parallel_total(sweep->env, count, sweep->uphill) > 0.0;
  return system->problem->time_step *
         parallel_max(sweep->env, count, PARALLEL_BLOCK, 0.0, greatest_range, sweep->size);
}

static void extrapolate(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const cone_sweep *sweep = context;
  double *u = sweep->u, *before = sweep->before;
  for (int64_t k = begin; k < end; k++) {
    double value = u[k];
    u[k] = value + sweep->beta * (value - before[k]);
    before[k] = value;
  }
}

/* The residual of x; keeps x if it is the best so far. */
static void look_at_iterate(cone_sweep *sweep, solver_outcome *outcome)
{
  const cone_system *system = sweep->system;
  double residual = cone_system_residual(sweep->env, system, sweep->x, sweep->u);
  if (!(residual < outcome->residual)) return;
  outcome->residual = residual;
  memcpy(sweep->best, sweep->x, (size_t)(system->contact_count * system->dimension) * sizeof(double));
}

static cone_sweep prepare(const environment *env, cone_system *system, double *work)
{
  size_t values = (size_t)((system->contact_count + 1) * system->dimension);
  size_t velocities = (size_t)(system->body_count * cone_freedoms(system->dimension));
  cone_sweep sweep = {.env = env,
                      .system = system,
                      .x = work,
                      .other = work + values,
                      .best = work + 2 * values,
                      .u = work + 3 * values,
                      .before = work + 3 * values + velocities,
                      .weight = 1.0};
  sweep.uphill = sweep.before + velocities;
  sweep.size = sweep.uphill + system->contact_count + 1;
  size_t bytes = (size_t)(system->contact_count * system->dimension) * sizeof(double);
  memcpy(sweep.x, system->impulse, bytes);
  memcpy(sweep.other, system->impulse, bytes);
  memcpy(sweep.best, system->impulse, bytes);
  cone_system_scatter(env, system, sweep.x, sweep.u);
  memcpy(sweep.before, sweep.u, velocities * sizeof(double));
  return sweep;
}

solver_outcome cone_gauss_seidel_solve(const environment *env, cone_system *system, double *work,
                                       solver_limits limits)
{
  cone_sweep sweep = prepare(env, system, work);
  solver_outcome outcome = {.residual = INFINITY, .products = 1};
  look_at_iterate(&sweep, &outcome);
  nesterov momentum = nesterov_begin_limited(first_gap);
  double least = INFINITY, least_before = INFINITY, looked_at = INFINITY;
  int64_t sweeps = 0, velocities = system->body_count * cone_freedoms(system->dimension);
  bool seen = true, uphill;
  int manner = 0;
  while (solver_goes_on(env, &outcome, limits)) {
    double estimate = sweep_all(&sweep, &uphill);
    outcome.products++;
    sweeps++;
    least = fmin(least, estimate);
    seen = estimate <= limits.target || (sweeps % LOOK_INTERVAL == 0 && estimate < 0.5 * looked_at);
    if (seen) {
      look_at_iterate(&sweep, &outcome);
      looked_at = estimate;
    }
    if (sweeps % STALL_WINDOW == 0) {
      if (!(least <= 0.9 * least_before)) {
        manner = (manner + 1) % MANNERS;
        momentum = nesterov_begin_limited(first_gap);
      }
      sweep.weight = weights[manner];
      least_before = least;
      least = INFINITY;
    }
    nesterov_next_limited(&momentum, uphill, estimate);
    sweep.beta = manner > 0 ? 0.0 : momentum.beta;
    if (outcome.products < limits.max_products) parallel_for(env, velocities, PARALLEL_BLOCK, extrapolate, &sweep);
  }
  if (!seen) look_at_iterate(&sweep, &outcome);
  memcpy(system->impulse, sweep.best, (size_t)(system->contact_count * system->dimension) * sizeof(double));
  return outcome;
}
