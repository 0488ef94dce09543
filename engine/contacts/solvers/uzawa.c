/*
 * Uzawa's algorithm as the papers use it (Maury 2004, 3.3): projected gradient on the dual,
 *
 *   p <- max(lo, p - rho w(p)),   0 < rho < 2 / lambda_max(A)
 *
 * in the unscaled impulses p, for fidelity. A fixed rho is either too small or diverges when masses or
 * packings change, so lambda_max comes from power iteration. That is a lower estimate; each step then
 * measures the quotient d.Ad / d.d of its own change d, which proves lambda_max >= quotient: where rho
 * turns out too large it is cut at once, so the iteration can never diverge for long.
 *
 * On the scaled rows of system.h: p = q / root, w = root w', A = root A' root.
 * Memory (work): three iterates (current, next, best), two gradients; velocities; block sums.
 */
#include "contacts/solvers/solvers.h"

#include <math.h>
#include <string.h>

enum { POWER_MINIMUM = 12, POWER_MAXIMUM = 60 };
static const double step_factor = 1.9; /* of 1/lambda: 0.95 of the bound */

typedef struct uzawa_state {
  const environment *env;
  contact_system *system;
  double *q, *w;           /* current iterate and its scaled gradient */
  double *trial, *trial_w; /* the next; during power iteration two vectors of it */
  double *u;
  block_sums *part;
  double step;
} uzawa_state;

size_t uzawa_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  return 5 * system_column(contacts) + system_velocities(bodies, dimension) + block_sums_size(contacts);
}

/* Velocity of row k without the offset. */
static double row_velocity(const uzawa_state *state, int64_t k)
{
  return state->system->dimension == 2 ? row_product(state->system, k, state->u, 2)
                                       : row_product(state->system, k, state->u, 3);
}

/* ---- the greatest eigenvalue ---- */

/* trial = root x, where x is the present vector of the iteration. */
static void power_scale(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  uzawa_state *state = context;
  for (int64_t k = begin; k < end; k++) state->trial[k] = state->system->root_diagonal[k] * state->trial_w[k];
}

/* x <- root A' root x, with its length and the product with the old x. */
static void power_gather(void *context, int64_t begin, int64_t end, int64_t block)
{
  uzawa_state *state = context;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double old = state->trial_w[k], x = state->system->root_diagonal[k] * row_velocity(state, k);
    state->trial_w[k] = x;
    part.sum[0] += x * x;
    part.sum[1] += x * old;
    part.sum[2] += old * old;
  }
  state->part[block] = part;
}

static void power_shrink(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  uzawa_state *state = context;
  for (int64_t k = begin; k < end; k++) state->trial_w[k] *= state->step;
}

/* Estimate of lambda_max(A) from below; the iteration starts from numbers that no packing is
 * orthogonal to (fractional parts of multiples of the golden ratio). */
static double greatest_eigenvalue(uzawa_state *state, int64_t max_products, int64_t *products)
{
  const environment *env = state->env;
  int64_t count = state->system->contact_count;
  for (int64_t k = 0; k < count; k++) {
    double turn = 0.6180339887498949 * (double)(k + 1);
    state->trial_w[k] = 0.5 + turn - floor(turn);
  }
  double estimate = 0.0;
  for (int iteration = 0; iteration < POWER_MAXIMUM && *products < max_products; iteration++) {
    for_contact_blocks(env, count, power_scale, state);
    system_scatter(env, state->system, state->trial, state->u);
    for_contact_blocks(env, count, power_gather, state);
    ++*products;
    block_sums total = combine_blocks(state->part, count);
    double before = estimate;
    estimate = sqrt(total.sum[0] / total.sum[2]);
    if (!(estimate > 0.0)) break;
    state->step = 1.0 / sqrt(total.sum[0]);
    for_contact_blocks(env, count, power_shrink, state);
    if (iteration >= POWER_MINIMUM && fabs(estimate - before) < 1e-3 * estimate) break;
  }
  return estimate;
}

/* ---- the iteration ---- */

static void gather_gradient(void *context, int64_t begin, int64_t end, int64_t block)
{
  uzawa_state *state = context;
  contact_system *system = state->system;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double w = system->offset[k] + row_velocity(state, k);
    double scale = 1.0 / system->root_diagonal[k];
    double change = (state->trial[k] - state->q[k]) * scale; /* of p */
    part.sum[0] += change * change;
    part.sum[1] += (state->trial[k] - state->q[k]) * (w - state->w[k]); /* d.Ad, scale-free */
    part.residual = greatest(part.residual, row_residual(system, k, state->trial[k], w));
    state->trial_w[k] = w;
  }
  state->part[block] = part;
}

static void take_step(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  uzawa_state *state = context;
  const contact_system *system = state->system;
  for (int64_t k = begin; k < end; k++) {
    double root = system->root_diagonal[k];
    double q = state->q[k] - state->step * root * root * state->w[k];
    state->trial[k] = q > system->lower[k] ? q : system->lower[k];
  }
}

/* A buffer that holds neither the current nor the best iterate. */
static double *free_buffer(double *const buffer[3], const double *current, const double *best)
{
  for (int k = 0; k < 2; k++)
    if (buffer[k] != current && buffer[k] != best) return buffer[k];
  return buffer[2];
}

/* Evaluates the trial and makes it the current iterate; its residual comes back. */
static block_sums advance(uzawa_state *state)
{
  system_scatter(state->env, state->system, state->trial, state->u);
  for_contact_blocks(state->env, state->system->contact_count, gather_gradient, state);
  double *swap = state->w;
  state->w = state->trial_w;
  state->trial_w = swap;
  state->q = state->trial;
  return combine_blocks(state->part, state->system->contact_count);
}

solver_outcome uzawa_solve(const environment *env, contact_system *system, double *work, solver_limits limits)
{
  int64_t count = system->contact_count;
  size_t column = system_column(count), bytes = (size_t)count * sizeof(double);
  double h = system->time_step;
  double *const buffer[3] = {work, work + column, work + 2 * column};
  uzawa_state state = {.env = env,
                       .system = system,
                       .q = system->impulse,
                       .trial = buffer[0],
                       .w = work + 3 * column,
                       .trial_w = work + 4 * column,
                       .u = work + 5 * column};
  state.part = (block_sums *)(state.u + system_velocities(system->body_count, system->dimension));

  memcpy(state.trial, system->impulse, bytes);
  memcpy(state.w, system->offset, bytes);
  solver_outcome outcome = {.products = solver_starts_at_zero(system) ? 0 : 1};
  outcome.residual = h * advance(&state).residual;
  if (outcome.residual <= limits.target) return outcome;
  double *best = state.q;
  state.trial = buffer[1];
  double eigenvalue = greatest_eigenvalue(&state, limits.max_products, &outcome.products);
  while (solver_goes_on(env, &outcome, limits)) {
    state.step = step_factor / eigenvalue;
    state.trial = free_buffer(buffer, state.q, best);
    for_contact_blocks(env, count, take_step, &state);
    block_sums total = advance(&state);
    outcome.products++;
    double quotient = total.sum[1] / total.sum[0];
    if (quotient > eigenvalue) eigenvalue = quotient;
    if (h * total.residual < outcome.residual) {
      outcome.residual = h * total.residual;
      best = state.q;
    }
  }
  memcpy(system->impulse, best, bytes);
  return outcome;
}
