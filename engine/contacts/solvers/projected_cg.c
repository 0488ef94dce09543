/*
 * Projected conjugate gradients on the scaled dual (MPRGP family: Dostal and Schoeberl 2005, "Minimizing
 * quadratic functions subject to bound constraints with the rate of convergence and finite
 * termination"). With w the gradient, F = {q > lower} the free set,
 *
 *   phi = w on F, 0 elsewhere;   beta = min(w, 0) off F, 0 on F
 *
 * - while beta is small beside phi: a CG step within the face F; where it would leave the face, the
 *   full step is projected back (expansion of the active set) and CG restarts;
 * - otherwise a step along beta alone, with exact length, releases contacts (proportioning).
 *
 * Very few products when the first guess is good; a handful of contacts is solved exactly after as many
 * steps. The gradient is updated by recurrence within a face and computed afresh after a projection.
 * Projecting full steps has no proof of convergence: it is watched for stalls.
 *
 * Memory (work): gradient, direction, A times direction, best iterate; velocities; block sums.
 */
#include "contacts/solvers/solvers.h"

#include <math.h>
#include <string.h>

enum { STALL_WINDOW = 400, SURE_PRODUCTS = 64 };
static const double stall_factor = 0.9;
static const double flat = 1e-15; /* below this part of d.d, d.Ad is nothing but rounding */

typedef struct cg_state {
  const environment *env;
  contact_system *system;
  double *q, *w;
  double *d, *ad;
  double *best;
  double *u;
  block_sums *part;
  double gamma; /* d = phi - gamma d */
  double alpha; /* q - alpha d */
  bool release; /* the direction is beta */
} cg_state;

size_t projected_cg_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  return 4 * system_column(contacts) + system_velocities(bodies, dimension) + block_sums_size(contacts);
}

/* ---- passes over contacts, two at a time: columns have an even number of elements ---- */

/* Two elements of the new direction. */
static inline __attribute__((always_inline)) lanes direction_of(const cg_state *state, lanes q, lanes w,
                                                                lanes lower, lanes old)
{
  lane_mask is_free = lanes_less(lower, q);
  if (state->release) return lanes_where_not(is_free, lanes_smaller(w, lanes_both(0.0)));
  return lanes_where(is_free, w - lanes_both(state->gamma) * old);
}

static void make_direction(const cg_state *state, int64_t begin, int64_t end)
{
  const double *q = state->q, *w = state->w, *lower = state->system->lower;
  double *direction = state->d;
  for (int64_t k = begin; k < end; k += 2) {
    lanes old = lanes_load(direction + k);
    lanes_store(direction + k,
                direction_of(state, lanes_load(q + k), lanes_load(w + k), lanes_load(lower + k), old));
  }
}

/* The same, and u = R^T d, for a system of one block. */
static inline __attribute__((always_inline)) void make_and_scatter_direction(const cg_state *state, int dimension)
{
  const contact_system *system = state->system;
  const double *q = state->q, *w = state->w, *lower = system->lower;
  double *direction = state->d, *u = state->u;
  int64_t n = system->contact_count, velocities = system->body_count * system_stride(dimension);
  for (int64_t k = 0; k < velocities; k++) u[k] = 0.0;
  for (int64_t k = 0; k < n; k += 2) {
    lanes old = lanes_load(direction + k);
    lanes d = direction_of(state, lanes_load(q + k), lanes_load(w + k), lanes_load(lower + k), old);
    lanes_store(direction + k, d);
    row_add(system, k, d[0], u, dimension);
    if (k + 1 < n) row_add(system, k + 1, d[1], u, dimension);
  }
}

/* sum[0] = d.Ad, sum[1] = w.d, sum[2] = d.d. */
static inline __attribute__((always_inline)) block_sums measure_direction(const cg_state *state, int64_t begin,
                                                                          int64_t end, int dimension)
{
  const double *w = state->w, *direction = state->d;
  double *image = state->ad;
  lanes curvature = {0}, slope = {0}, length = {0};
  for (int64_t k = begin; k < end; k += 2) {
    lanes d = lanes_load(direction + k), ad = two_row_products(state->system, k, end, state->u, dimension);
    lanes_store(image + k, ad);
    curvature += d * ad;
    slope += d * lanes_load(w + k);
    length += d * d;
  }
  return (block_sums){{lanes_sum(curvature), lanes_sum(slope), lanes_sum(length)}, 0.0};
}

/* What the choice of the next step needs at an iterate. */
typedef struct outlook {
  lanes beta;      /* beta.beta */
  lanes phi;       /* phi.phi */
  lanes conjugate; /* phi.Ad */
  lanes residual;
} outlook;

static inline __attribute__((always_inline)) void look(outlook *at, lanes q, lanes lower, lanes w, lanes ad,
                                                       lanes root)
{
  lane_mask is_free = lanes_less(lower, q);
  lanes phi = lanes_where(is_free, w), beta = lanes_where_not(is_free, lanes_smaller(w, lanes_both(0.0)));
  at->beta += beta * beta;
  at->phi += phi * phi;
  at->conjugate += phi * ad;
  at->residual = lanes_greater(lanes_absolute(lanes_smaller(w, q - lower)) * root, at->residual);
}

/* sum[0] = beta.beta, sum[1] = phi.phi, sum[2] = phi.Ad. */
static inline block_sums outlook_sums(const outlook *at)
{
  return (block_sums){{lanes_sum(at->beta), lanes_sum(at->phi), lanes_sum(at->conjugate)},
                      greatest(at->residual[0], at->residual[1])};
}

/* The step, projected. sum[3] is negative if that changed it. */
static inline __attribute__((always_inline)) block_sums take_step(const cg_state *state, int64_t begin, int64_t end)
{
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
  block_sums sums = outlook_sums(&at);
  sums.sum[3] = least[0] < least[1] ? least[0] : least[1];
  return sums;
}

static inline __attribute__((always_inline)) block_sums gather_gradient(const cg_state *state, int64_t begin,
                                                                        int64_t end, int dimension)
{
  const contact_system *system = state->system;
  outlook at = {{0}, {0}, {0}, {0}};
  for (int64_t k = begin; k < end; k += 2) {
    lanes w = two_row_products(system, k, end, state->u, dimension) + lanes_load(system->offset + k);
    lanes_store(state->w + k, w);
    look(&at, lanes_load(state->q + k), lanes_load(system->lower + k), w, lanes_load(state->ad + k),
         lanes_load(system->root_diagonal + k));
  }
  return outlook_sums(&at);
}

/* ---- the same as block functions, for systems that are worth more than one block ---- */

static void direction_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  make_direction(context, begin, end);
}

static void measure_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  state->part[block] = state->system->dimension == 2 ? measure_direction(state, begin, end, 2)
                                                     : measure_direction(state, begin, end, 3);
}

static void step_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  state->part[block] = take_step(state, begin, end);
}

static void gradient_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  cg_state *state = context;
  state->part[block] =
      state->system->dimension == 2 ? gather_gradient(state, begin, end, 2) : gather_gradient(state, begin, end, 3);
}

static block_sums evaluate(cg_state *state, block_function function)
{
  int64_t count = state->system->contact_count;
  parallel_for(state->env, count, PARALLEL_BLOCK, function, state);
  return combine_blocks(state->part, count);
}

/* ---- the iteration; with a constant dimension and one block it is a plain loop ---- */

static inline __attribute__((always_inline)) solver_outcome iterate(cg_state *state, solver_limits limits,
                                                                    int dimension, bool one_block)
{
  contact_system *system = state->system;
  int64_t n = system->contact_count;
  double h = system->time_step, least = INFINITY, least_before = INFINITY;
  solver_outcome outcome = {.products = solver_starts_at_zero(system) ? 0 : 1};
  system_scatter(state->env, system, state->q, state->u);
  block_sums at = one_block ? gather_gradient(state, 0, n, dimension) : evaluate(state, gradient_block);
  double residual = h * at.residual;
  outcome.residual = residual;
  /* the best iterate is only missed if the solve fails: an easy one does not pay for it */
  bool keep = limits.max_products < 2 * SURE_PRODUCTS;
  memcpy(state->best, state->q, (size_t)n * sizeof(double));
  int64_t window_end = outcome.products + STALL_WINDOW;
  while (outcome.products < limits.max_products && !(residual <= limits.target) && !interrupted(state->env)) {
    state->release = at.sum[0] > at.sum[1];
    if (one_block) {
      make_and_scatter_direction(state, dimension);
    } else {
      parallel_for(state->env, n, PARALLEL_BLOCK, direction_block, state);
      system_scatter(state->env, system, state->d, state->u);
    }
    block_sums along = one_block ? measure_direction(state, 0, n, dimension) : evaluate(state, measure_block);
    outcome.products++;
    if (!(along.sum[0] > flat * along.sum[2])) break;
    state->alpha = along.sum[1] / along.sum[0];
    at = one_block ? take_step(state, 0, n) : evaluate(state, step_block);
    state->gamma = state->release ? 0.0 : at.sum[2] / along.sum[0];
    if (at.sum[3] < 0.0) {
      system_scatter(state->env, system, state->q, state->u);
      at = one_block ? gather_gradient(state, 0, n, dimension) : evaluate(state, gradient_block);
      outcome.products++;
      state->gamma = 0.0;
    }
    residual = h * at.residual;
    least = residual < least ? residual : least;
    if (keep && residual < outcome.residual) {
      outcome.residual = residual;
      memcpy(state->best, state->q, (size_t)n * sizeof(double));
    }
    keep |= outcome.products >= SURE_PRODUCTS;
    if (outcome.products >= window_end) {
      if (!(least <= stall_factor * least_before)) break;
      least_before = least;
      window_end += STALL_WINDOW;
    }
  }
  if (residual <= outcome.residual)
    outcome.residual = residual;
  else
    memcpy(system->impulse, state->best, (size_t)n * sizeof(double));
  return outcome;
}

solver_outcome projected_cg_solve(const environment *env, contact_system *system, double *work,
                                  solver_limits limits)
{
  size_t column = system_column(system->contact_count);
  cg_state state = {.env = env,
                    .system = system,
                    .q = system->impulse,
                    .w = work,
                    .d = work + column,
                    .ad = work + 2 * column,
                    .best = work + 3 * column,
                    .u = work + 4 * column};
  state.part = (block_sums *)(state.u + system_velocities(system->body_count, system->dimension));
  memset(state.ad, 0, column * sizeof(double));
  memset(state.d, 0, column * sizeof(double));
  if (system->contact_count > PARALLEL_BLOCK) return iterate(&state, limits, system->dimension, false);
  return system->dimension == 2 ? iterate(&state, limits, 2, true) : iterate(&state, limits, 3, true);
}
