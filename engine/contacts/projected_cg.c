/*
 * Projected conjugate gradients on the scaled dual (MPRGP family: Dostal and Schoeberl 2005, "Minimizing
 * quadratic functions subject to bound constraints with the rate of convergence and finite
 * termination"). With w the gradient, F = {q > lower} the free set,
 *
 *   phi = w on F, 0 elsewhere;   beta = min(w, 0) off F, 0 on F
 *
 * - while beta is small beside phi: a CG step within the face F; where it would leave the face, the
 *   full step is projected back (expansion of the active set) and CG starts anew;
 * - otherwise a step along beta alone, with exact length, releases contacts (proportioning).
 *
 * Very few products when the first guess is good; a handful of contacts is solved exactly after as many
 * steps. The gradient is updated by recurrence within a face and computed afresh after a projection.
 *
 * Memory (work): gradient, direction, A times direction, best iterate; velocities; block sums.
 */
#include "contacts/solvers.h"

#include <math.h>
#include <string.h>

typedef struct cg_state {
  const environment *env;
  contact_system *system;
  double *q, *w;
  double *d, *ad;
  double *u;
  block_sums *part;
  double gamma;              /* d = phi - gamma d */
  double alpha;              /* q - alpha d */
  bool release;              /* the direction is beta */
} cg_state;

size_t projected_cg_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  return 4 * (size_t)contacts + (size_t)(bodies * dimension) + block_sums_size(contacts);
}

static inline double row_velocity(const cg_state *state, int64_t k)
{
  return state->system->dimension == 2 ? row_product(state->system, k, state->u, 2)
                                       : row_product(state->system, k, state->u, 3);
}

static inline void add_to_velocity(const cg_state *state, int64_t k, double q)
{
  if (state->system->dimension == 2)
    row_add(state->system, k, q, state->u, 2);
  else
    row_add(state->system, k, q, state->u, 3);
}

/* ---- passes over contacts ---- */

static void make_direction(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const cg_state *state = context;
  for (int64_t k = begin; k < end; k++) {
    bool is_free = state->q[k] > state->system->lower[k];
    double w = state->w[k], d;
    if (state->release)
      d = !is_free && w < 0.0 ? w : 0.0;
    else
      d = is_free ? w - (state->gamma != 0.0 ? state->gamma * state->d[k] : 0.0) : 0.0;
    state->d[k] = d;
    add_to_velocity(state, k, d);
  }
}

/* sum[0] = d.Ad, sum[1] = w.d, sum[2] = d.d; the greatest feasible step is 1/residual. */
static void measure_direction(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double d = state->d[k], ad = row_velocity(state, k);
    state->ad[k] = ad;
    part.sum[0] += d * ad;
    part.sum[1] += d * state->w[k];
    part.sum[2] += d * d;
    double room = state->q[k] - state->system->lower[k];
    if (d > part.residual * room) part.residual = d / room;
  }
  state->part[block] = part;
}

/* What the choice of the next step needs at an iterate: sum[0] = beta.beta, sum[1] = phi.phi,
 * sum[2] = phi.Ad. */
static inline void look_at(const cg_state *state, int64_t k, block_sums *part)
{
  double q = state->q[k], w = state->w[k];
  if (q > state->system->lower[k]) {
    part->sum[1] += w * w;
    part->sum[2] += w * state->ad[k];
  } else if (w < 0.0) {
    part->sum[0] += w * w;
  }
  part->residual = greatest(part->residual, row_residual(state->system, k, q, w));
}

static void step_in_face(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double q = state->q[k] - state->alpha * state->d[k];
    state->q[k] = q > state->system->lower[k] ? q : state->system->lower[k];
    state->w[k] -= state->alpha * state->ad[k];
    look_at(state, k, &part);
  }
  state->part[block] = part;
}

static void step_and_project(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const cg_state *state = context;
  for (int64_t k = begin; k < end; k++) {
    double q = state->q[k] - state->alpha * state->d[k];
    q = q > state->system->lower[k] ? q : state->system->lower[k];
    state->q[k] = q;
    add_to_velocity(state, k, q);
  }
}

static void gather_gradient(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    state->w[k] = state->system->offset[k] + row_velocity(state, k);
    look_at(state, k, &part);
  }
  state->part[block] = part;
}

/* ---- the iteration ---- */

static void clear_velocity(cg_state *state)
{
  memset(state->u, 0, (size_t)(state->system->body_count * state->system->dimension) * sizeof *state->u);
}

static block_sums evaluate(cg_state *state, block_function function)
{
  for_contact_blocks(state->env, state->system->contact_count, function, state);
  return combine_blocks(state->part, state->system->contact_count);
}

solver_outcome projected_cg_solve(const environment *env, contact_system *system, double *work, solver_limits limits)
{
  size_t n = (size_t)system->contact_count, bytes = n * sizeof(double);
  double h = system->time_step;
  cg_state state = {.env = env, .system = system, .q = system->impulse, .w = work, .d = work + n,
                    .ad = work + 2 * n, .u = work + 4 * n};
  double *best = work + 3 * n;
  state.part = (block_sums *)(state.u + system->body_count * system->dimension);
  memset(state.ad, 0, bytes);
  memset(state.d, 0, bytes);
  solver_outcome outcome = {.products = solver_starts_at_zero(system) ? 0 : 1};

  system_scatter(env, system, state.q, state.u);
  block_sums at = evaluate(&state, gather_gradient);
  double residual = h * at.residual;
  outcome.residual = residual;
  memcpy(best, state.q, bytes);
  while (outcome.products < limits.max_products && !(residual <= limits.target)) {
    state.release = at.sum[0] > at.sum[1];
    clear_velocity(&state);
    system_for_colours(env, system, make_direction, &state);
    block_sums along = evaluate(&state, measure_direction);
    outcome.products++;
    if (!(along.sum[0] > 1e-15 * along.sum[2])) break;
    state.alpha = along.sum[1] / along.sum[0];
    if (state.alpha * along.residual <= 1.0) {
      at = evaluate(&state, step_in_face);
      state.gamma = state.release ? 0.0 : at.sum[2] / along.sum[0];
    } else {
      clear_velocity(&state);
      system_for_colours(env, system, step_and_project, &state);
      at = evaluate(&state, gather_gradient);
      outcome.products++;
      state.gamma = 0.0;
    }
    residual = h * at.residual;
    if (residual < outcome.residual) {
      outcome.residual = residual;
      memcpy(best, state.q, bytes);
    }
  }
  memcpy(system->impulse, best, bytes);
  return outcome;
}
