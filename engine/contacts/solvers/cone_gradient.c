/*
 * Projected gradient over the cones: accelerated, with backtracking and restart (apgd.c for cones), or with a
 * fixed step (Uzawa).
 *
 * Projecting on cones solves a convex problem in which sliding lifts: w_n = mu |w_t| at a contact that slides.
 * The correction of De Saxce takes that back. The normal velocity is raised by mu s, s the sliding speed of
 * the last round, and the convex problem is solved again until s is its own sliding speed:
 *
 *   outer:  s_a <- |w_t| at contact a
 *   inner:  min 1/2 q.A q + q.(c' + mu s n)  over the cones
 *
 * The inner problem is solved only so far as its residual is small against that of Coulomb's law. Where the
 * outer rounds do not get nearer, s is averaged with its former values.
 *
 * Memory (work): iterates old, current, next with their gradients, the best iterate, all [contact][dimension];
 * the correction per contact; velocities; block sums.
 */
#include "contacts/solvers/cone_system.h"
#include "contacts/solvers/nesterov.h"

#include <math.h>
#include <string.h>

enum { POWER_ITERATIONS = 40, INNER_LIMIT = 2000, DAMPING_WINDOW = 8 };

static const double BOUND_DECAY = 0.97;   /* of L per accepted step */
static const double INNER_ACCURACY = 0.1; /* of the inner residual against the outer one */
static const double LEAST_WEIGHT = 0.5;   /* of the newest sliding speeds */

/* What one pass over contacts gives: sum[0] = d.d, sum[1] = d.A d, sum[2] = g(y).(next - q); residual of the
 * inner problem; residual of Coulomb's law. */
typedef struct cone_sums {
  double sum[3];
  double inner, outer;
} cone_sums;

enum { CONE_SUMS_SIZE = sizeof(cone_sums) / sizeof(double) };

typedef struct cone_state {
  const environment *env;
  cone_system *system;
  double *old_q, *old_g;
  double *q, *g;
  double *next_q, *next_g;
  double *best;
  double *lift; /* mu s, in units of w_n */
  double *u;
  cone_sums *part;
  double beta, step;
} cone_state;

size_t cone_gradient_work_size(int64_t contacts, int64_t bodies, int32_t dimension)
{
  return (7 * (size_t)dimension + 1) * (size_t)(contacts + 1) + (size_t)(bodies * cone_freedoms(dimension)) +
         (size_t)(parallel_block_count(contacts, PARALLEL_BLOCK) + 1) * CONE_SUMS_SIZE;
}

/* The nearest point of the cone of contact k. */
CONE_INLINE void project(const cone_system *system, int64_t k, double *q, int dimension)
{
  const double *n = system->row + 4 * dimension * k;
  double tangent[3], mu = system->friction[k], lower = system->lower[k];
  double along = cone_split(n, q, tangent, dimension), height = along - lower, factor = 0.0;
  if (mu == 0.0) { /* lower may be -infinity here */
    along = along > lower ? along : lower;
    for (int axis = 0; axis < dimension; axis++) q[axis] = along * n[axis];
    return;
  }
  double width = cone_norm(tangent, dimension);
  if (width <= mu * height) {
    return;
  }
  if (mu * width <= -height) {
    height = 0.0;
  } else {
    height = (height + mu * width) / (1.0 + mu * mu);
    factor = mu * height / width;
  }
  for (int axis = 0; axis < dimension; axis++) q[axis] = (lower + height) * n[axis] + factor * tangent[axis];
}

/* next_q = project(y - step g(y)), and its part of u. */
CONE_INLINE void step_contact(const cone_state *state, int64_t k, int dimension)
{
  double P[3], *next = state->next_q + dimension * k;
  for (int axis = 0; axis < dimension; axis++) {
    int64_t at = dimension * k + axis;
    double y = state->q[at] + state->beta * (state->q[at] - state->old_q[at]);
    double g = state->g[at] + state->beta * (state->g[at] - state->old_g[at]);
    next[axis] = y - state->step * g;
  }
  project(state->system, k, next, dimension);
  cone_plain(state->system, k, next, P, dimension);
  cone_push(state->system, k, P, state->u, dimension);
}

static void step_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const cone_state *state = context;
  if (state->system->dimension == 2)
    for (int64_t k = begin; k < end; k++) step_contact(state, k, 2);
  else
    for (int64_t k = begin; k < end; k++) step_contact(state, k, 3);
}

/* Gradient at next_q. */
CONE_INLINE void evaluate_contact(const cone_state *state, int64_t k, cone_sums *part, int dimension)
{
  const cone_system *system = state->system;
  const double *n = system->row + 4 * dimension * k, *root = system->root + 2 * k;
  const double *q = state->next_q + dimension * k;
  double *g = state->next_g + dimension * k, w[3], w_t[3], moved[3], shift[3];
  cone_velocity(system, k, state->u, w, dimension);
  part->outer = greatest(part->outer, cone_row_residual(system, k, q, w, dimension));
  double w_n = (cone_split(n, w, w_t, dimension) + state->lift[k]) / root[0];
  for (int axis = 0; axis < dimension; axis++) {
    int64_t at = dimension * k + axis;
    double y = state->q[at] + state->beta * (state->q[at] - state->old_q[at]);
    double g_y = state->g[at] + state->beta * (state->g[at] - state->old_g[at]);
    g[axis] = w_n * n[axis] + w_t[axis] / root[1];
    double d = q[axis] - y;
    part->sum[0] += d * d;
    part->sum[1] += d * (g[axis] - g_y);
    part->sum[2] += g_y * (q[axis] - state->q[at]);
    moved[axis] = q[axis] - g[axis];
  }
  project(system, k, moved, dimension);
  for (int axis = 0; axis < dimension; axis++) moved[axis] -= q[axis];
  double along = cone_split(n, moved, shift, dimension);
  part->inner = greatest(part->inner, fmax(root[0] * fabs(along), root[1] * cone_norm(shift, dimension)));
}

static void evaluate_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const cone_state *state = context;
  cone_sums part = {{0}, 0, 0};
  if (state->system->dimension == 2)
    for (int64_t k = begin; k < end; k++) evaluate_contact(state, k, &part, 2);
  else
    for (int64_t k = begin; k < end; k++) evaluate_contact(state, k, &part, 3);
  state->part[block] = part;
}

static cone_sums try_step(cone_state *state)
{
  const cone_system *system = state->system;
  int64_t count = system->contact_count;
  memset(state->u, 0, (size_t)(system->body_count * cone_freedoms(system->dimension)) * sizeof *state->u);
  system_for_colours(state->env, &system->order, step_range, state);
  for_contact_blocks(state->env, count, evaluate_range, state);
  cone_sums total = state->part[0];
  for (int64_t block = 1; block < parallel_block_count(count, PARALLEL_BLOCK); block++) {
    for (int k = 0; k < 3; k++) total.sum[k] += state->part[block].sum[k];
    total.inner = greatest(total.inner, state->part[block].inner);
    total.outer = greatest(total.outer, state->part[block].outer);
  }
  total.inner *= system->problem->time_step;
  total.outer *= system->problem->time_step;
  return total;
}

static void rotate(cone_state *state)
{
  rotate_columns(&state->old_q, &state->q, &state->next_q);
  rotate_columns(&state->old_g, &state->g, &state->next_g);
}

/* Residuals and gradient at q, without a step; the momentum is gone. */
static cone_sums settle(cone_state *state)
{
  size_t bytes = (size_t)(state->system->contact_count * state->system->dimension) * sizeof(double);
  memcpy(state->old_q, state->q, bytes);
  memset(state->g, 0, bytes);
  memset(state->old_g, 0, bytes);
  state->beta = 0.0;
  state->step = 0.0;
  cone_sums total = try_step(state);
  memcpy(state->old_g, state->next_g, bytes);
  rotate(state);
  memcpy(state->old_q, state->q, bytes);
  memcpy(state->old_g, state->g, bytes);
  return total;
}

/* The sliding speeds of the present iterate, weighed against those before; the gradient is brought in line. */
static void take_sliding_speeds(cone_state *state, double weight)
{
  const cone_system *system = state->system;
  int dimension = system->dimension;
  for (int64_t k = 0; k < system->contact_count; k++) {
    const double *n = system->row + 4 * dimension * k, *root = system->root + 2 * k;
    double *g = state->g + dimension * k, tangent[3];
    double mu = system->problem->friction[system->order.contact[k]];
    if (mu == 0.0) continue;
    cone_split(n, g, tangent, dimension);
    double change = weight * (mu * root[1] * cone_norm(tangent, dimension) - state->lift[k]);
    state->lift[k] += change;
    for (int axis = 0; axis < dimension; axis++) g[axis] += change / root[0] * n[axis];
  }
  size_t bytes = (size_t)(system->contact_count * dimension) * sizeof(double);
  memcpy(state->old_q, state->q, bytes);
  memcpy(state->old_g, state->g, bytes);
}

/* Greatest eigenvalue of the scaled A by power iteration, from a start that favours no contact. */
static double power_iteration(cone_state *state)
{
  const cone_system *system = state->system;
  int dimension = system->dimension;
  int64_t values = system->contact_count * dimension;
  double *q = state->next_q, value = 1.0, w[3], offset[3], tangent[3];
  for (int64_t k = 0; k < values; k++) q[k] = 1.0 + 0.5 * (double)((k * 2654435761u) % 1024) / 1024.0;
  for (int iteration = 0; iteration < POWER_ITERATIONS; iteration++) {
    double square = 0.0, product = 0.0;
    cone_system_scatter(state->env, system, q, state->u);
    for (int64_t k = 0; k < system->contact_count; k++) {
      const double *row = system->row + 4 * dimension * k, *root = system->root + 2 * k;
      double *at = q + dimension * k;
      if (dimension == 2)
        cone_velocity(system, k, state->u, w, 2);
      else
        cone_velocity(system, k, state->u, w, 3);
      for (int axis = 0; axis < dimension; axis++) offset[axis] = w[axis] - row[3 * dimension + axis];
      double along = cone_split(row, offset, tangent, dimension) / root[0];
      for (int axis = 0; axis < dimension; axis++) {
        double next = along * row[axis] + (system->friction[k] > 0.0 ? tangent[axis] / root[1] : 0.0);
        square += at[axis] * at[axis];
        product += at[axis] * next;
        at[axis] = next;
      }
    }
    value = product / square;
    double norm = 1.0 / (value * sqrt(square));
    for (int64_t k = 0; k < values; k++) q[k] *= norm;
  }
  return value;
}

static cone_state prepare(const environment *env, cone_system *system, double *work)
{
  size_t n = (size_t)((system->contact_count + 1) * system->dimension);
  cone_state state = {.env = env,
                      .system = system,
                      .old_q = work,
                      .q = work + n,
                      .next_q = work + 2 * n,
                      .old_g = work + 3 * n,
                      .g = work + 4 * n,
                      .next_g = work + 5 * n,
                      .best = work + 6 * n,
                      .lift = work + 7 * n};
  state.u = state.lift + system->contact_count + 1;
  state.part = (cone_sums *)(state.u + system->body_count * cone_freedoms(system->dimension));
  memcpy(state.q, system->impulse, (size_t)(system->contact_count * system->dimension) * sizeof(double));
  memset(state.lift, 0, (size_t)system->contact_count * sizeof(double));
  return state;
}

solver_outcome cone_gradient_solve(const environment *env, cone_system *system, double *work, solver_limits limits,
                                   bool accelerated)
{
  cone_state state = prepare(env, system, work);
  size_t bytes = (size_t)(system->contact_count * system->dimension) * sizeof(double);
  solver_outcome outcome = {.products = 1};
  double largest = cone_eigenvalue_bound(system, state.u), bound = 1.0;
  nesterov momentum = nesterov_begin();
  if (!accelerated && system->contact_count > 0) {
    bound = 0.5 * power_iteration(&state) / 0.95;
    outcome.products += POWER_ITERATIONS;
  }
  cone_sums total = settle(&state);
  outcome.residual = total.outer;
  memcpy(state.best, state.q, bytes);
  take_sliding_speeds(&state, 1.0);
  int64_t inner = 0, rounds = 0;
  double weight = 1.0, least = INFINITY;
  while (solver_goes_on(env, &outcome, limits)) {
    state.step = 1.0 / bound;
    total = try_step(&state);
    outcome.products++;
    inner++;
    if (accelerated && total.sum[1] > bound * total.sum[0] && bound < largest) {
      bound = fmin(2.0 * bound, largest);
      continue;
    }
    if (total.outer < outcome.residual) {
      outcome.residual = total.outer;
      memcpy(state.best, state.next_q, bytes);
    }
    nesterov_next(&momentum, total.sum[2] > 0.0);
    state.beta = accelerated ? momentum.beta : 0.0;
    rotate(&state);
    if (accelerated) bound *= BOUND_DECAY;
    if (total.inner <= INNER_ACCURACY * total.outer || inner >= INNER_LIMIT) {
      /* rounds that go back and forth between two sets of sliding contacts are damped */
      if (++rounds % DAMPING_WINDOW == 0) {
        if (!(outcome.residual < 0.5 * least)) weight = fmax(LEAST_WEIGHT, 0.5 * weight);
        least = outcome.residual;
      }
      take_sliding_speeds(&state, weight);
      state.beta = 0.0;
      momentum = nesterov_begin();
      inner = 0;
    }
  }
  memcpy(system->impulse, state.best, bytes);
  return outcome;
}
