/*
 * Projected gradient over the sets of contacts, for any number of rows: half lines without friction, cones with it.
 *
 * Accelerated (Nesterov) with backtracking of the step and restart of the momentum. It needs no parameter, never
 * failed on any convex problem, and is therefore the plain reference and the last fallback.
 *
 *   y = q + beta (q - q_old),  q_next = project(y - g(y)/L),  g(q) = b + A q
 *
 * One product with A per trial: g is affine, so g(y) = g(q) + beta (g(q) - g(q_old)) comes from stored columns. The
 * bound that backtracking asks for is exact for a quadratic: with d = q_next - y, d.(g(q_next) - g(y)) <= L d.d. It
 * must read "repeat while greater": where nothing moves both sides are 0, and a test with >= would double L for
 * ever. Nor is L ever more than a bound that holds for certain, so that rounding, where d is all noise, cannot
 * drive it up.
 *
 * Or with a fixed step, Uzawa's algorithm as the papers use it (Maury 2004, 3.3):
 *
 *   p <- max(lo, p - rho w(p)),   0 < rho < 2/lambda_max(A)
 *
 * A fixed rho is either too small or diverges when masses or packings change, so lambda_max comes from power
 * iteration. That is a lower estimate; each step then measures the quotient d.Ad / d.d of its own change d, which
 * proves lambda_max >= quotient: where rho turns out too large it is cut at once, so the iteration can never
 * diverge for long.
 *
 * All is in the metric of the rows' A_n and A_t, in which q_n = A_n^(1/2) p, q_t = A_t^(1/2) P_t and the cone is
 * |q_t| <= mu (A_t/A_n)^(1/2) (q_n - lo); gradients are velocities w. Only Uzawa without friction is in the plain
 * impulses, for fidelity.
 *
 * Projecting on cones solves the convex law, in which sliding lifts: w_n = mu |w_t| at a contact that slides. Under
 * Coulomb's law the correction of De Saxce takes that back. The normal velocity is raised by mu s, s the sliding
 * speed of the last round, and the convex problem is solved again until s is its own sliding speed:
 *
 *   outer:  s_a <- |w_t| at contact a
 *   inner:  min 1/2 P.A P + P.(c + mu s n)  over the cones
 *
 * The inner problem is solved only so far as its residual is small against that of Coulomb's law. Where the
 * outer rounds do not get nearer, s is averaged with its former values.
 *
 * Rows of one number, without friction, are done four at a time where the processor can (block_gradient_normal.c).
 *
 * What is returned is the iterate of the least residual, under the convex law that of the least energy.
 *
 * Memory (work): iterates old, current, next with their gradients, the best iterate, all [contact][components]; the
 * correction per contact; numbers of entries per body; what ranges sum up. Velocities are the island's.
 */
#include "contacts/blocks/block_groups.h"
#include "contacts/solvers/nesterov.h"

#include <math.h>
#include <string.h>

enum { POWER_MINIMUM = 12, POWER_MAXIMUM = 60, INNER_LIMIT = 2000, DAMPING_WINDOW = 8 };

static const double BOUND_DECAY = 0.97;   /* of L per accepted step: the bound follows the active set */
static const double STEP_FACTOR = 1.9;    /* of 1/lambda: 0.95 of the greatest fixed step */
static const double INNER_ACCURACY = 0.1; /* of the inner residual against the outer one */
static const double LEAST_WEIGHT = 0.5;   /* of the newest sliding speeds */

size_t block_gradient_work_size(const block_island *island)
{
  return 7 * (size_t)block_column_size(island) + (size_t)(island->contact_count + island->body_count) +
         GRADIENT_SUMS_SIZE * (size_t)(block_part_count(island) + 1);
}

/* The extrapolated value of a column: now + beta (now - before). */
BLOCK_INLINE void extrapolated(const gradient_state *state, const double *now, const double *before, int64_t k,
                               double *v, block_form form)
{
  double other[BLOCK_VECTOR_MOST];
  block_load(now, k, v, form);
  block_load(before, k, other, form);
  for (int c = 0; c < block_components(form); c++) v[c] += state->beta * (v[c] - other[c]);
}

/* ---- a step ---- */

/* next_q = project(y - step A^-1 g(y)), and its part of the velocities. */
BLOCK_INLINE void step_contacts(const gradient_state *state, int64_t begin, int64_t end, block_form form)
{
  const block_island *island = state->island;
  if (form == BLOCK_NORMAL) begin = gradient_step_normal(state, begin, end);
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], g[BLOCK_VECTOR_MOST], next[BLOCK_VECTOR_MOST];
    block_load_row(island, k, row, form);
    extrapolated(state, state->g, state->old_g, k, g, form);
    precondition(state, row, g, form);
    extrapolated(state, state->q, state->old_q, k, next, form);
    for (int c = 0; c < block_components(form); c++) next[c] -= state->step * g[c];
    project(row, next, form);
    block_store(state->next_q, k, next, form);
    block_apply(island, k, row, next, island->velocity, form);
  }
}

static void step_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const gradient_state *state = context;
#define STEP(form) step_contacts(state, begin, end, form)
  BLOCK_DISPATCH(state->island->form, STEP)
#undef STEP
}

/* The gradient g of the inner problem from w, without parts that a limit of 0 leaves out; the residual of Coulomb's
 * law. */
BLOCK_INLINE double gradient_of(const gradient_state *state, int64_t k, const double *row, const double *q,
                                double *w, double *g, block_form form)
{
  const block_bounds of = block_row_bounds(row, form);
  const int forces = block_forces(form);
  double w_t[3] = {0.0, 0.0, 0.0}, q_t[3];
  double w_n = block_split(row, w, w_t, form), p = block_split(row, q, q_t, form);
  double residual = block_residual(of, state->island->convex, p, q_t, w_n, w_t, form);
  if (block_has_moments(form)) {
    const block_moment_bounds by = block_row_moment_bounds(row, form);
    residual =
        greatest(residual, __builtin_sqrt(block_moment_residual(of, by, row, p, q + forces, w + forces, form)));
  }
  if (!(of.friction > 0.0)) w_t[0] = w_t[1] = w_t[2] = 0.0;
  block_join(row, w_n + (state->lifted ? state->lift[k] : 0.0), w_t, g, form);
  if (!block_has_moments(form)) return residual;
  const group_numbers kept = acting(row, form);
  double spin[3], about = block_split_moment(row, w + forces, spin, form) * kept.twist;
  for (int c = 0; c < block_tangents(form); c++) spin[c] *= kept.roll;
  block_join_moment(row, about, spin, g + forces, form);
  return residual;
}

/* Of the inner problem, whose gradient at q is g. */
BLOCK_INLINE double inner_residual(const gradient_state *state, const double *row, const double *q, const double *g,
                                   block_form form)
{
  double moved[BLOCK_VECTOR_MOST];
  memcpy(moved, g, (size_t)block_components(form) * sizeof *moved);
  precondition(state, row, moved, form);
  for (int c = 0; c < block_components(form); c++) moved[c] = q[c] - moved[c];
  project(row, moved, form);
  for (int c = 0; c < block_components(form); c++) moved[c] -= q[c];
  const group_numbers inverse = inverses_of(state, row, form), square = squares_of(row, moved, form);
  double worst =
      fmax(__builtin_sqrt(square.normal) / inverse.normal, __builtin_sqrt(square.tangent) / inverse.tangent);
  if (!block_has_moments(form)) return worst;
  double turned = fmax(square.roll / inverse.roll, square.twist / inverse.twist);
  return fmax(worst, __builtin_sqrt(turned / inverse.normal));
}

/* Gradient at next_q. */
BLOCK_INLINE void evaluate_contact(const gradient_state *state, int64_t k, gradient_sums *part, block_form form)
{
  const block_island *island = state->island;
  const int components = block_components(form);
  double row[BLOCK_ROW_MOST], q[BLOCK_VECTOR_MOST], now[BLOCK_VECTOR_MOST], y[BLOCK_VECTOR_MOST],
      g[BLOCK_VECTOR_MOST], g_y[BLOCK_VECTOR_MOST], w[BLOCK_VECTOR_MOST], d[BLOCK_VECTOR_MOST];
  block_load_row(island, k, row, form);
  block_load(state->next_q, k, q, form);
  block_load(state->q, k, now, form);
  extrapolated(state, state->q, state->old_q, k, y, form);
  extrapolated(state, state->g, state->old_g, k, g_y, form);
  block_velocity(island, k, row, island->velocity, w, form);
  part->outer = greatest(part->outer, gradient_of(state, k, row, q, w, g, form));
  block_store(state->next_g, k, g, form);
  for (int c = 0; c < components; c++) {
    d[c] = q[c] - y[c];
    part->sum[1] += d[c] * (g[c] - g_y[c]);
    part->sum[2] += g_y[c] * (q[c] - now[c]);
    part->energy += 0.5 * q[c] * (w[c] + block_constant(row, c, form));
  }
  part->sum[0] += square_of(state, row, d, form);
  if (state->lifted) part->inner = greatest(part->inner, inner_residual(state, row, q, g, form));
}

BLOCK_INLINE void evaluate_contacts(const gradient_state *state, int64_t begin, int64_t end, int64_t block,
                                    block_form form)
{
  gradient_sums part = {{0}, 0, 0, 0};
  if (form == BLOCK_NORMAL) begin = gradient_evaluate_normal(state, begin, end, &part);
  for (int64_t k = begin; k < end; k++) evaluate_contact(state, k, &part, form);
  state->part[block] = part;
}

static void evaluate_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const gradient_state *state = context;
#define EVALUATE(form) evaluate_contacts(state, begin, end, block, form)
  BLOCK_DISPATCH(state->island->form, EVALUATE)
#undef EVALUATE
}

static gradient_sums total_of(const gradient_state *state)
{
  gradient_sums total = {{0}, 0, 0, 0};
  for (int64_t part = 0; part < block_part_count(state->island); part++) {
    total.inner = greatest(total.inner, state->part[part].inner);
    total.outer = greatest(total.outer, state->part[part].outer);
  }
  for (int k = 0; k < 3; k++)
    total.sum[k] = block_sum_parts(state->island, &state->part->sum[k], GRADIENT_SUMS_SIZE);
  total.energy = block_sum_parts(state->island, &state->part->energy, GRADIENT_SUMS_SIZE);
  total.inner *= state->island->time_step;
  total.outer *= state->island->time_step;
  return total;
}

static gradient_sums try_step(gradient_state *state)
{
  const block_island *island = state->island;
  memset(island->velocity, 0, (size_t)(island->body_count * block_stride(island->form)) * sizeof(double));
  block_for_colours(state->env, island, step_range, state);
  block_for_colours(state->env, island, evaluate_range, state);
  return total_of(state);
}

static void rotate(gradient_state *state)
{
  rotate_columns(&state->old_q, &state->q, &state->next_q);
  rotate_columns(&state->old_g, &state->g, &state->next_g);
}

static size_t column_bytes(const block_island *island)
{
  return (size_t)block_column_size(island) * sizeof(double);
}

/* Residuals and gradient at q, without a step; the momentum is gone. */
static gradient_sums settle(gradient_state *state)
{
  size_t bytes = column_bytes(state->island);
  memcpy(state->old_q, state->q, bytes);
  memset(state->g, 0, bytes);
  memset(state->old_g, 0, bytes);
  state->beta = 0.0;
  state->step = 0.0;
  gradient_sums total = try_step(state);
  memcpy(state->old_g, state->next_g, bytes);
  rotate(state);
  memcpy(state->old_q, state->q, bytes);
  memcpy(state->old_g, state->g, bytes);
  return total;
}

/* Keeps an iterate if none was better. */
static void keep(gradient_state *state, const double *q, const gradient_sums *of, solver_outcome *outcome,
                 double target)
{
  bool convex = state->island->convex, solved = convex && of->outer <= target;
  double value = convex ? of->energy : of->outer;
  if (!solved && !(value < state->least)) return;
  state->least = value;
  outcome->residual = of->outer;
  memcpy(state->best, q, column_bytes(state->island));
}

/* ---- outer rounds ---- */

/* mu times the sliding speed, and the like of spins: how much the convex law lifts. */
BLOCK_INLINE double lift_of(const double *row, const double *g, block_form form)
{
  const group_numbers square = squares_of(row, g, form);
  double lift = block_row_bounds(row, form).friction * __builtin_sqrt(square.tangent);
  if (!block_has_moments(form)) return lift;
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  return lift + by.rolling * __builtin_sqrt(square.roll) + by.twisting * __builtin_sqrt(square.twist);
}

/* The sliding speeds of the present iterate, weighed against those before; the gradient is brought in line. */
BLOCK_INLINE void take_sliding(gradient_state *state, int64_t begin, int64_t end, block_form form)
{
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], g[BLOCK_VECTOR_MOST], tangent[3];
    block_load_row(state->island, k, row, form);
    if (!block_has_moments(form) && block_row_bounds(row, form).friction == 0.0) continue;
    block_load(state->g, k, g, form);
    double change = state->weight * (lift_of(row, g, form) - state->lift[k]);
    state->lift[k] += change;
    block_join(row, block_split(row, g, tangent, form) + change, tangent, g, form);
    block_store(state->g, k, g, form);
  }
}

static void take_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  gradient_state *state = context;
#define TAKE(form) take_sliding(state, begin, end, form)
  BLOCK_DISPATCH(state->island->form, TAKE)
#undef TAKE
}

static void take_sliding_speeds(gradient_state *state, double weight)
{
  state->weight = weight;
  block_for_colours(state->env, state->island, take_range, state);
  memcpy(state->old_q, state->q, column_bytes(state->island));
  memcpy(state->old_g, state->g, column_bytes(state->island));
}

/* How the sliding speeds of the next round are weighed. */
typedef struct outer_rounds {
  int64_t inner, rounds;
  double weight, least;
} outer_rounds;

/* The inner problem is solved far enough: a new round begins. Rounds that go back and forth between two sets of
 * sliding contacts are damped. */
static void begin_round(gradient_state *state, outer_rounds *outer, double residual)
{
  if (++outer->rounds % DAMPING_WINDOW == 0) {
    if (!(residual < 0.5 * outer->least)) outer->weight = fmax(LEAST_WEIGHT, 0.5 * outer->weight);
    outer->least = residual;
  }
  take_sliding_speeds(state, outer->weight);
  state->beta = 0.0;
  outer->inner = 0;
}

/* ---- the greatest eigenvalue ---- */

/* How much above 1 the block of a contact's force may be in the metric. In the plane what couples n and t is there;
 * it is in A_n and A_t where these have a bound (block_system.h). */
static double coupling_bound(const block_island *island)
{
  double most = 0.0;
  if (!block_is_plane(island->form) || island->convex) return 0.0;
  for (int64_t k = 0; k < island->contact_count; k++) {
    double row[BLOCK_ROW_MOST];
    block_load_row(island, k, row, island->form);
    const block_bounds of = block_row_bounds(row, island->form);
    const double coupled = row[8] * row[2] * row[3] + row[9] * row[4] * row[5];
    most = fmax(most, fabs(coupled) * sqrt(of.inverse_normal * of.inverse_tangent));
  }
  return most;
}

/* A bound of the greatest eigenvalue in the metric that is never too small: a row has as many entries as contacts
 * share its bodies, and no block is above 1 and its coupling, or one more with moments, whose own block it has
 * beside that of forces. count: [body] of scratch. */
static double eigenvalue_bound(const block_island *island, double *count)
{
  memset(count, 0, (size_t)island->body_count * sizeof *count);
  for (int64_t k = 0; k < 2 * island->contact_count; k++) count[island->body[k]] += 1.0;
  double most = 1.0, block = (block_has_moments(island->form) ? 2.0 : 1.0) + coupling_bound(island);
  for (int64_t k = 0; k < island->contact_count; k++)
    most = fmax(most, count[island->body[2 * k]] + count[island->body[2 * k + 1]] - 1.0);
  return block * most;
}

/* v by A^-1/2 in the metric, without parts that a limit of 0 leaves out. */
BLOCK_INLINE void scale_by_root(const gradient_state *state, const double *row, double *v, block_form form)
{
  const group_numbers root = roots(inverses_of(state, row, form)), kept = acting(row, form);
  const group_numbers by = {root.normal, root.tangent * kept.tangent, root.roll * kept.roll,
                            root.twist * kept.twist};
  multiply(row, by, v, form);
}

/* next_g = A^-1/2 x in the metric, x in next_q. */
BLOCK_INLINE void unscale(const gradient_state *state, int64_t begin, int64_t end, block_form form)
{
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], x[BLOCK_VECTOR_MOST];
    block_load_row(state->island, k, row, form);
    block_load(state->next_q, k, x, form);
    scale_by_root(state, row, x, form);
    block_store(state->next_g, k, x, form);
  }
}

/* x <- A^-1/2 A A^-1/2 x, from the island's velocities, which are of those impulses; the squares of both. */
BLOCK_INLINE void power(const gradient_state *state, int64_t begin, int64_t end, int64_t block, block_form form)
{
  const block_island *island = state->island;
  const int components = block_components(form);
  gradient_sums part = {{0}, 0, 0, 0};
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], next[BLOCK_VECTOR_MOST], now[BLOCK_VECTOR_MOST];
    block_load_row(island, k, row, form);
    block_load(state->next_q, k, now, form);
    block_velocity(island, k, row, island->velocity, next, form);
    for (int c = 0; c < components; c++) next[c] -= block_constant(row, c, form);
    scale_by_root(state, row, next, form);
    for (int c = 0; c < components; c++) {
      part.sum[0] += now[c] * now[c];
      part.sum[1] += next[c] * next[c];
    }
    block_store(state->next_q, k, next, form);
  }
  state->part[block] = part;
}

static void unscale_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const gradient_state *state = context;
#define UNSCALE(form) unscale(state, begin, end, form)
  BLOCK_DISPATCH(state->island->form, UNSCALE)
#undef UNSCALE
}

static void power_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const gradient_state *state = context;
#define POWER(form) power(state, begin, end, block, form)
  BLOCK_DISPATCH(state->island->form, POWER)
#undef POWER
}

/* Estimate of the greatest eigenvalue from below; the iteration starts from numbers that no packing is orthogonal
 * to (fractional parts of multiples of the golden ratio). */
static double power_iteration(gradient_state *state, int64_t max_products, int64_t *products)
{
  const block_island *island = state->island;
  int64_t values = block_column_size(island);
  double *x = state->next_q, estimate = 0.0;
  for (int64_t k = 0; k < values; k++) {
    double turn = 0.6180339887498949 * (double)(k + 1);
    x[k] = 0.5 + turn - floor(turn);
  }
  for (int iteration = 0; iteration < POWER_MAXIMUM && *products < max_products; iteration++) {
    block_for_colours(state->env, island, unscale_range, state);
    block_scatter(state->env, island, state->next_g, island->velocity);
    block_for_colours(state->env, island, power_range, state);
    ++*products;
    gradient_sums total = total_of(state);
    double before = estimate, shrink = 1.0 / sqrt(total.sum[1]);
    estimate = sqrt(total.sum[1] / total.sum[0]);
    if (!(estimate > 0.0)) break;
    for (int64_t k = 0; k < values; k++) x[k] *= shrink;
    if (iteration >= POWER_MINIMUM && fabs(estimate - before) < 1e-3 * estimate) break;
  }
  return estimate;
}

/* ---- all together ---- */

static bool has_friction(const block_island *island)
{
  const int size = block_row_size(island->form);
  for (int64_t k = 0; k < island->contact_count; k++)
    if (island->row[FOUR * (size * (k / FOUR) + size - 2) + k % FOUR] > 0.0) return true;
  return false;
}

/* The first product with A comes free if the first guess is zero. */
static bool starts_at_zero(const block_island *island)
{
  for (int64_t k = 0; k < block_column_size(island); k++)
    if (island->impulse[k] != 0.0) return false;
  return true;
}

static gradient_state prepare(const environment *env, const block_island *island, double *work, bool accelerated)
{
  size_t n = column_bytes(island) / sizeof(double);
  gradient_state state = {.env = env,
                          .island = island,
                          .plain = !accelerated,
                          .lifted = !island->convex && (block_has_moments(island->form) || has_friction(island)),
                          .old_q = work,
                          .q = work + n,
                          .next_q = work + 2 * n,
                          .old_g = work + 3 * n,
                          .g = work + 4 * n,
                          .next_g = work + 5 * n,
                          .best = work + 6 * n,
                          .least = INFINITY,
                          .lift = work + 7 * n};
  state.part = (gradient_sums *)(state.lift + island->contact_count + island->body_count);
  memcpy(state.q, island->impulse, column_bytes(island));
  memcpy(state.best, island->impulse, column_bytes(island));
  memset(state.lift, 0, (size_t)island->contact_count * sizeof(double));
  return state;
}

solver_outcome block_gradient_solve(const environment *env, const block_island *island, double *work,
                                    solver_limits limits, bool accelerated)
{
  gradient_state state = prepare(env, island, work, accelerated);
  solver_outcome outcome = {.products = starts_at_zero(island) ? 0 : 1};
  double *entries = state.lift + island->contact_count;
  double largest = accelerated ? eigenvalue_bound(island, entries) : INFINITY;
  double bound = 1.0; /* in the metric of A its diagonal is 1, so lambda_max is at least 1 */
  gradient_sums total = settle(&state);
  outcome.residual = total.outer;
  if (!isfinite(total.outer) || !isfinite(total.energy)) return outcome; /* nothing can be done */
  keep(&state, state.q, &total, &outcome, limits.target);
  if (!accelerated && solver_goes_on(env, &outcome, limits))
    bound = power_iteration(&state, limits.max_products, &outcome.products) / STEP_FACTOR;
  if (state.lifted) take_sliding_speeds(&state, 1.0);
  nesterov momentum = nesterov_begin();
  outer_rounds outer = {0, 0, 1.0, INFINITY};
  while (solver_goes_on(env, &outcome, limits)) {
    state.step = 1.0 / bound;
    total = try_step(&state);
    outcome.products++;
    outer.inner++;
    if (accelerated && total.sum[1] > bound * total.sum[0] && bound < largest) {
      bound = fmin(2.0 * bound, largest);
      continue;
    }
    if (!accelerated && total.sum[1] > STEP_FACTOR * bound * total.sum[0])
      bound = total.sum[1] / total.sum[0] / STEP_FACTOR;
    keep(&state, state.next_q, &total, &outcome, limits.target);
    nesterov_next(&momentum, total.sum[2] > 0.0);
    state.beta = accelerated ? momentum.beta : 0.0;
    rotate(&state);
    if (accelerated) bound *= BOUND_DECAY;
    if (!state.lifted || (total.inner > INNER_ACCURACY * total.outer && outer.inner < INNER_LIMIT)) continue;
    begin_round(&state, &outer, outcome.residual);
    momentum = nesterov_begin();
  }
  memcpy(island->impulse, state.best, column_bytes(island));
  return outcome;
}
