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

static const double FLAT = 1e-15;            /* below this part of d.d, d.Ad is nothing but rounding */

typedef struct cg_state {
  const environment *env;
  contact_system *system;
  double *q, *w;
  double *d, *ad;
  double *u;
  block_sums *part;
  bool *clipped;             /* [block] */
  double gamma;              /* d = phi - gamma d */
  double alpha;              /* q - alpha d */
  bool release;              /* the direction is beta */
} cg_state;

size_t projected_cg_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  size_t blocks = (size_t)parallel_block_count(contacts, PARALLEL_BLOCK) + 1;
  return 4 * (size_t)(contacts + 1) + (size_t)(bodies * dimension) + block_sums_size(contacts) + blocks;
}

static inline double row_velocity(const cg_state *state, int64_t k)
{
  return state->system->dimension == 2 ? row_product(state->system, k, state->u, 2)
                                       : row_product(state->system, k, state->u, 3);
}

/* ---- passes over contacts, two at a time: columns have an even number of elements ---- */

static void make_direction(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const cg_state *state = context;
  const double *q = state->q, *w = state->w, *lower = state->system->lower;
  double *direction = state->d;
  if (state->release) {
    for (int64_t k = begin; k < end; k += 2) {
      lane_mask is_free = lanes_less(lanes_load(lower + k), lanes_load(q + k));
      lanes_store(direction + k, lanes_where_not(is_free, lanes_smaller(lanes_load(w + k), lanes_both(0.0))));
    }
    return;
  }
  lanes gamma = lanes_both(state->gamma);
  for (int64_t k = begin; k < end; k += 2) {
    lane_mask is_free = lanes_less(lanes_load(lower + k), lanes_load(q + k));
    lanes_store(direction + k, lanes_where(is_free, lanes_load(w + k) - gamma * lanes_load(direction + k)));
  }
}

/* sum[0] = d.Ad, sum[1] = w.d, sum[2] = d.d. */
static void measure_direction(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  const double *w = state->w, *direction = state->d;
  double *image = state->ad;
  lanes curvature = {0}, slope = {0}, length = {0};
  for (int64_t k = begin; k < end; k += 2) {
    lanes d = lanes_load(direction + k);
    lanes ad = {row_velocity(state, k), k + 1 < end ? row_velocity(state, k + 1) : 0.0};
    lanes_store(image + k, ad);
    curvature += d * ad;
    slope += d * lanes_load(w + k);
    length += d * d;
  }
  state->part[block] = (block_sums){{lanes_sum(curvature), lanes_sum(slope), lanes_sum(length)}, 0.0};
}

/* What the choice of the next step needs at an iterate. */
typedef struct outlook {
  lanes beta;                /* beta.beta */
  lanes phi;                 /* phi.phi */
  lanes conjugate;           /* phi.Ad */
  lanes residual;
} outlook;

static inline __attribute__((always_inline)) void look(outlook *at, lanes q, lanes lower, lanes w, lanes ad, lanes root)
{
  lane_mask is_free = lanes_less(lower, q);
  lanes phi = lanes_where(is_free, w), beta = lanes_where_not(is_free, lanes_smaller(w, lanes_both(0.0)));
  at->beta += beta * beta;
  at->phi += phi * phi;
  at->conjugate += phi * ad;
  at->residual = lanes_greater(lanes_absolute(lanes_smaller(w, q - lower)) * root, at->residual);
}

static block_sums outlook_sums(const outlook *at)
{
  return (block_sums){{lanes_sum(at->beta), lanes_sum(at->phi), lanes_sum(at->conjugate)},
                      greatest(at->residual[0], at->residual[1])};
}

/* The step, projected; clipped[block] tells whether that changed it. */
static void take_step(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  const double *lower_bound = state->system->lower, *root = state->system->root_diagonal, *image = state->ad;
  double *impulse = state->q, *gradient = state->w;
  const double *direction = state->d;
  lanes alpha = lanes_both(state->alpha), least = {0};
  outlook at = {{0}, {0}, {0}, {0}};
  for (int64_t k = begin; k < end; k += 2) {
    lanes lower = lanes_load(lower_bound + k), ad = lanes_load(image + k);
    lanes q = lanes_load(impulse + k) - alpha * lanes_load(direction + k);
    lanes w = lanes_load(gradient + k) - alpha * ad;
    least = lanes_smaller(q - lower, least);
    q = lanes_greater(q, lower);
    lanes_store(impulse + k, q);
    lanes_store(gradient + k, w);
    look(&at, q, lower, w, ad, lanes_load(root + k));
  }
  state->part[block] = outlook_sums(&at);
  state->clipped[block] = least[0] < 0.0 || least[1] < 0.0;
}

static void gather_gradient(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  const contact_system *system = state->system;
  outlook at = {{0}, {0}, {0}, {0}};
  for (int64_t k = begin; k < end; k += 2) {
    lanes w = {row_velocity(state, k), k + 1 < end ? row_velocity(state, k + 1) : 0.0};
    w += lanes_load(system->offset + k);
    lanes_store(state->w + k, w);
    look(&at, lanes_load(state->q + k), lanes_load(system->lower + k), w, lanes_load(state->ad + k),
         lanes_load(system->root_diagonal + k));
  }
  state->part[block] = outlook_sums(&at);
}

/* ---- the iteration ---- */

static block_sums evaluate(cg_state *state, block_function function)
{
  for_contact_blocks(state->env, state->system->contact_count, function, state);
  return combine_blocks(state->part, state->system->contact_count);
}

/* Gradient at q from nothing but q. */
static block_sums evaluate_afresh(cg_state *state)
{
  system_scatter(state->env, state->system, state->q, state->u);
  return evaluate(state, gather_gradient);
}

static bool any_clipped(const cg_state *state)
{
  bool clipped = false;
  for (int64_t block = 0; block < parallel_block_count(state->system->contact_count, PARALLEL_BLOCK); block++)
    clipped |= state->clipped[block];
  return clipped;
}

solver_outcome projected_cg_solve(const environment *env, contact_system *system, double *work, solver_limits limits)
{
  size_t n = (size_t)system->contact_count, even = n + n % 2;
  cg_state state = {.env = env, .system = system, .q = system->impulse, .w = work, .d = work + even,
                    .ad = work + 2 * even, .u = work + 4 * even};
  double *best = work + 3 * even, h = system->time_step;
  state.part = (block_sums *)(state.u + system->body_count * system->dimension);
  state.clipped = (bool *)(state.part + parallel_block_count(system->contact_count, PARALLEL_BLOCK) + 1);
  memset(state.ad, 0, even * sizeof(double));
  memset(state.d, 0, even * sizeof(double));

  solver_outcome outcome = {.products = solver_starts_at_zero(system) ? 0 : 1};
  block_sums at = evaluate_afresh(&state);
  outcome.residual = h * at.residual;
  double residual = outcome.residual;
  memcpy(best, state.q, n * sizeof(double));
  while (outcome.products < limits.max_products && !(residual <= limits.target)) {
    state.release = at.sum[0] > at.sum[1];
    for_contact_blocks(env, system->contact_count, make_direction, &state);
    system_scatter(env, system, state.d, state.u);
    block_sums along = evaluate(&state, measure_direction);
    outcome.products++;
    if (!(along.sum[0] > FLAT * along.sum[2])) break;
    state.alpha = along.sum[1] / along.sum[0];
    at = evaluate(&state, take_step);
    state.gamma = state.release ? 0.0 : at.sum[2] / along.sum[0];
    if (any_clipped(&state)) {
      at = evaluate_afresh(&state);
      outcome.products++;
      state.gamma = 0.0;
    }
    residual = h * at.residual;
    if (residual < outcome.residual) {
      outcome.residual = residual;
      memcpy(best, state.q, n * sizeof(double));
    }
  }
  memcpy(system->impulse, best, n * sizeof(double));
  return outcome;
}
