/*
 * Projected Gauss-Seidel in the order of colours, accelerated: Nesterov's momentum around whole sweeps,
 * with restart when it carries uphill.
 *
 *   y = x + beta (x - x_old),  x_next = sweep(y):  q <- max(lower, q - w(q)), one contact after another
 *
 * A sweep costs about a product with A, but sees its own changes, which makes it worth several products
 * in a deep pile. Velocities are linear in impulses, so extrapolating both costs nothing extra. Each
 * sweep meets |q_next - q| = |min(w, q - lower)| at the moment of each visit: that estimates the residual
 * for free; the true one is computed when the estimate says that it may be worth it.
 *
 * Memory (work): two iterates that swap roles, the best iterate; velocities of two iterates; sums.
 */
#include "contacts/solvers.h"

#include <math.h>
#include <string.h>

enum { STALL_WINDOW = 200 };

typedef struct sweep_state {
  const environment *env;
  contact_system *system;
  double *q, *other;         /* x, and x_old which becomes x_next */
  double *u;                 /* velocities of y, then of x_next */
  double *before;            /* velocities of x */
  block_sums *part;
  double beta;
} sweep_state;

size_t gauss_seidel_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  return 3 * (size_t)contacts + 2 * (size_t)(bodies * dimension) + 2 * block_sums_size(contacts) +
         SYSTEM_COLOURS * BLOCK_SUMS_SIZE;
}

static inline __attribute__((always_inline)) block_sums sweep_rows(const sweep_state *state, int64_t begin,
                                                                   int64_t end, int dimension)
{
  const contact_system *system = state->system;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double x = state->q[k], old = state->other[k];
    double y = x + state->beta * (x - old);
    double w = system->offset[k] + row_product(system, k, state->u, dimension);
    double next = y - w;
    next = next > system->lower[k] ? next : system->lower[k];
    double change = next - y;
    row_add(system, k, change, state->u, dimension);
    state->other[k] = next;
    part.sum[0] -= change * (next - x);
    double size = system->root_diagonal[k] * fabs(change);
    part.residual = size > part.residual ? size : part.residual;
  }
  return part;
}

static block_sums sweep(const sweep_state *state)
{
  const contact_system *system = state->system;
  block_sums total = {{0}, 0};
  int64_t n = system->contact_count;
  for (int64_t begin = 0; begin < n; begin += SYSTEM_BLOCK) {
    int64_t end = begin + SYSTEM_BLOCK < n ? begin + SYSTEM_BLOCK : n;
    block_sums part = system->dimension == 2 ? sweep_rows(state, begin, end, 2) : sweep_rows(state, begin, end, 3);
    total.sum[0] += part.sum[0];
    total.residual = greatest(total.residual, part.residual);
  }
  return total;
}

static void residual_rows(void *context, int64_t begin, int64_t end, int64_t block)
{
  sweep_state *state = context;
  const contact_system *system = state->system;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double w = system->offset[k] + (system->dimension == 2 ? row_product(system, k, state->u, 2)
                                                           : row_product(system, k, state->u, 3));
    part.residual = greatest(part.residual, row_residual(system, k, state->q[k], w));
  }
  state->part[block] = part;
}

static double true_residual(sweep_state *state)
{
  for_contact_blocks(state->env, state->system->contact_count, residual_rows, state);
  return state->system->time_step * combine_blocks(state->part, state->system->contact_count).residual;
}

solver_outcome gauss_seidel_solve(const environment *env, contact_system *system, double *work, solver_limits limits)
{
  size_t n = (size_t)system->contact_count, bytes = n * sizeof(double);
  size_t velocities = (size_t)(system->body_count * system->dimension);
  sweep_state state = {.env = env, .system = system, .q = work, .other = work + n, .u = work + 3 * n};
  state.before = state.u + velocities;
  double *best = work + 2 * n;
  state.part = (block_sums *)(state.before + velocities);
  memcpy(state.q, system->impulse, bytes);
  memcpy(state.other, system->impulse, bytes);
  memcpy(best, system->impulse, bytes);
  system_scatter(env, system, state.q, state.u);
  solver_outcome outcome = {.products = solver_starts_at_zero(system) ? 0 : 1};
  outcome.residual = true_residual(&state);
  double theta = 1.0;
  memcpy(state.before, state.u, velocities * sizeof(double));
  while (outcome.products < limits.max_products && !(outcome.residual <= limits.target)) {
    block_sums total = sweep(&state);
    outcome.products++;
    double *swap = state.q;
    state.q = state.other;
    state.other = swap;
    double estimate = system->time_step * total.residual;
    if (estimate <= limits.target) {
      double residual = true_residual(&state);
      if (residual < outcome.residual) {
        outcome.residual = residual;
        memcpy(best, state.q, bytes);
      }
    }
    double next_theta = 0.5 * (sqrt(theta * theta * theta * theta + 4.0 * theta * theta) - theta * theta);
    state.beta = theta * (1.0 - theta) / (theta * theta + next_theta);
    theta = next_theta;
    if (total.sum[0] > 0.0) {
      state.beta = 0.0;
      theta = 1.0;
    }
    for (size_t k = 0; k < velocities; k++) {
      double u = state.u[k];
      state.u[k] = u + state.beta * (u - state.before[k]);
      state.before[k] = u;
    }
  }
  memcpy(system->impulse, best, bytes);
  return outcome;
}
