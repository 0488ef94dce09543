/*
 * Accelerated projected gradient descent (Nesterov) with backtracking of the step and restart of the
 * momentum, on the scaled rows of system.h. It needs no parameter, never failed on any problem, and is
 * therefore the plain reference and the last fallback.
 *
 *   y = q + beta (q - q_old),  q_new = max(lower, y - g(y)/L),  g(q) = offset + A q
 *
 * One product with A per trial: g is affine, so g(y) = g(q) + beta (g(q) - g(q_old)) comes from stored
 * columns. The bound that backtracking asks for is exact for a quadratic: with d = q_new - y,
 * d.(g(q_new) - g(y)) <= L d.d. It must read "repeat while greater": where nothing moves both sides are
 * 0, and a test with >= would double L for ever. Nor is L ever more than a bound that holds for certain,
 * so that rounding, where d is all noise, cannot drive it up.
 *
 * Memory (work): three iterates (old, current, next) and their gradients, the best iterate; velocities;
 * block sums.
 */
#include "contacts/solvers/nesterov.h"
#include "contacts/solvers/solvers.h"

#include <math.h>
#include <string.h>

static const double bound_decay = 0.97; /* of L per accepted step: the bound follows the active set */

typedef struct apgd_state {
  const environment *env;
  contact_system *system;
  double *old_q, *old_g;
  double *q, *g;
  double *next_q, *next_g;
  double *u;
  block_sums *part;
  double beta; /* weight of the momentum */
  double step; /* 1/L */
} apgd_state;

size_t apgd_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  return 7 * system_column(contacts) + system_velocities(bodies, dimension) + block_sums_size(contacts);
}

static double extrapolate(double value, double old, double beta)
{
  return value + beta * (value - old);
}

/* next_q = max(lower, y - step g(y)), and its part of u. */
static void take_step(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const apgd_state *state = context;
  const contact_system *system = state->system;
  for (int64_t k = begin; k < end; k++) {
    double y = extrapolate(state->q[k], state->old_q[k], state->beta);
    double g = extrapolate(state->g[k], state->old_g[k], state->beta);
    double q = y - state->step * g;
    q = q > system->lower[k] ? q : system->lower[k];
    state->next_q[k] = q;
    if (system->dimension == 2)
      row_add(system, k, q, state->u, 2);
    else
      row_add(system, k, q, state->u, 3);
  }
}

/* Gradient at next_q. sum[0] = d.d, sum[1] = d.Ad, sum[2] = g(y).(next - q): positive when the momentum
 * carries uphill. */
static void evaluate(void *context, int64_t begin, int64_t end, int64_t block)
{
  apgd_state *state = context;
  const contact_system *system = state->system;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double y = extrapolate(state->q[k], state->old_q[k], state->beta);
    double g = extrapolate(state->g[k], state->old_g[k], state->beta);
    double q = state->next_q[k];
    double w = system->offset[k] +
               (system->dimension == 2 ? row_product(system, k, state->u, 2) : row_product(system, k, state->u, 3));
    double d = q - y;
    part.sum[0] += d * d;
    part.sum[1] += d * (w - g);
    part.sum[2] += g * (q - state->q[k]);
    part.residual = greatest(part.residual, row_residual(system, k, q, w));
    state->next_g[k] = w;
  }
  state->part[block] = part;
}

static block_sums try_step(apgd_state *state)
{
  const contact_system *system = state->system;
  memset(state->u, 0, system_velocities(system->body_count, system->dimension) * sizeof *state->u);
  system_for_colours(state->env, state->system, take_step, state);
  for_contact_blocks(state->env, system->contact_count, evaluate, state);
  return combine_blocks(state->part, system->contact_count);
}

/* The next iterate becomes the current one. */
static void rotate(apgd_state *state)
{
  rotate_columns(&state->old_q, &state->q, &state->next_q);
  rotate_columns(&state->old_g, &state->g, &state->next_g);
}

/* The residual at the first guess; current and old iterate are both set to it. */
static double start(apgd_state *state)
{
  size_t bytes = (size_t)state->system->contact_count * sizeof(double);
  memcpy(state->q, state->system->impulse, bytes);
  memcpy(state->old_q, state->system->impulse, bytes);
  memset(state->g, 0, bytes);
  memset(state->old_g, 0, bytes);
  state->beta = 0.0;
  state->step = 0.0;
  double residual = state->system->time_step * try_step(state).residual;
  memcpy(state->g, state->next_g, bytes);
  rotate(state);
  return residual;
}

solver_outcome apgd_solve(const environment *env, contact_system *system, double *work, solver_limits limits)
{
  size_t n = system_column(system->contact_count), bytes = (size_t)system->contact_count * sizeof(double);
  apgd_state state = {.env = env,
                      .system = system,
                      .old_q = work,
                      .q = work + n,
                      .next_q = work + 2 * n,
                      .old_g = work + 3 * n,
                      .g = work + 4 * n,
                      .next_g = work + 5 * n,
                      .u = work + 7 * n};
  double *best = work + 6 * n;
  state.part = (block_sums *)(state.u + system_velocities(system->body_count, system->dimension));
  solver_outcome outcome = {.products = solver_starts_at_zero(system) ? 0 : 1};
  outcome.residual = start(&state);
  memcpy(best, state.q, bytes);

  double largest = system_eigenvalue_bound(system, state.u);
  nesterov momentum = nesterov_begin();
  double bound = 1.0; /* the diagonal of A is 1, so lambda_max is at least 1 */
  while (solver_goes_on(env, &outcome, limits)) {
    state.step = 1.0 / bound;
    block_sums total = try_step(&state);
    outcome.products++;
    if (total.sum[1] > bound * total.sum[0] && bound < largest) {
      bound = fmin(2.0 * bound, largest);
      continue;
    }
    double residual = system->time_step * total.residual;
    if (residual < outcome.residual) {
      outcome.residual = residual;
      memcpy(best, state.next_q, bytes);
    }
    nesterov_next(&momentum, total.sum[2] > 0.0);
    state.beta = momentum.beta;
    rotate(&state);
    bound *= bound_decay;
  }
  memcpy(system->impulse, best, bytes);
  return outcome;
}
