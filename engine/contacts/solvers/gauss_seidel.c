/*
 * Projected Gauss-Seidel in the order of colours, accelerated: Nesterov's momentum around whole sweeps,
 * limited (nesterov.h), with restart when it carries uphill.
 *
 *   y = x + beta (x - x_old),  x_next = sweep(y):  q <- max(lower, q - w(q)), one contact after another
 *
 * A sweep costs about a product with A but sees its own changes, which makes it worth several products
 * in a deep pile. Over-relaxation on top of the momentum diverges (at 1.2 already), so there is none.
 * Velocities are linear in impulses: extrapolating both keeps u = R^T q without a product. Contacts of
 * one colour share no body, so two are done side by side in lanes, and blocks of them by threads. A system that is
 * cut into units is swept unit by unit, colour by colour within each; with several strips that takes as many sweeps
 * as without (recorded piles: 0.89 to 1.00 times), and threads meet three times a sweep.
 *
 * A sweep meets |q_next - q| = |min(w, q - lower)| at each visit. Their greatest estimates the residual
 * for free; the true one is computed when the estimate says that it may be worth it. When the estimate has
 * hardly fallen within STALL_WINDOW sweeps, another solver should continue. (Not halved within 200 was tried: in
 * gluey piles that hands over to conjugate gradients, which then need three times as long.)
 *
 * Memory: two iterates that swap roles; velocities of two iterates; sums of blocks, where each colour begins
 * a new block. The best iterate is kept in the system's impulses.
 */
#include "base/numbers/wide.h"
#include "contacts/solvers/nesterov.h"
#include "contacts/solvers/solvers.h"

#include <math.h>
#include <string.h>

enum { STALL_WINDOW = 400, LOOK_INTERVAL = 25 };
static const double stall_factor = 0.9;
/* Recorded problems need the fewest sweeps with 0.08; but what ends there with the greatest residual just allowed
 * has more of it on average, and the next step of a pile more to do. Steps of piles of 10,000 and 50,000 discs take
 * the least time with 0.03: a tenth and a quarter less than without a limit. */
static const double first_gap = 0.03;

typedef struct sweep_state {
  const environment *env;
  contact_system *system;
  double *x, *other; /* x, and x_old which the sweep turns into x_next */
  double *u;         /* velocities of y, then of x_next */
  double *before;    /* velocities of x */
  block_sums *part;
  double beta;
} sweep_state;

static size_t sweep_blocks(const contact_system *system)
{
  const unit_plan *plan = &system->units;
  const int64_t units = plan->grounds > 0 ? plan->phase_unit[plan->phases] : 0;
  const int64_t blocks = parallel_block_count(system->contact_count, SYSTEM_BLOCK) + SYSTEM_COLOURS;
  return (size_t)(units > blocks ? units : blocks);
}

bool gauss_seidel_allocate(arena *scratch, const contact_system *system, sweep_memory *memory)
{
  const size_t contacts = system_column(system->contact_count),
               velocities = system_velocities(system->body_count, system->dimension),
               blocks = sweep_blocks(system) + block_sums_size(system->contact_count) / BLOCK_SUMS_SIZE;
  memory->x = arena_allocate(scratch, contacts, sizeof *memory->x);
  memory->other = arena_allocate(scratch, contacts, sizeof *memory->other);
  memory->u = arena_allocate(scratch, velocities, sizeof *memory->u);
  memory->before = arena_allocate(scratch, velocities, sizeof *memory->before);
  memory->part = arena_allocate(scratch, blocks, sizeof *memory->part);
  return memory->x && memory->other && memory->u && memory->before && memory->part;
}

/* ---- a sweep ---- */

static void extrapolate_velocities(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const sweep_state *state = context;
  double *velocity = state->u, *before = state->before, beta = state->beta;
  int64_t k = begin;
  for (; k + 1 < end; k += 2) {
    lanes u = lanes_load(velocity + k);
    lanes_store(velocity + k, u + lanes_both(beta) * (u - lanes_load(before + k)));
    lanes_store(before + k, u);
  }
  for (; k < end; k++) {
    double u = velocity[k];
    velocity[k] = u + beta * (u - before[k]);
    before[k] = u;
  }
}

static inline __attribute__((always_inline)) void sweep_row(const sweep_state *state, int64_t k, int dimension,
                                                            block_sums *part)
{
  const contact_system *system = state->system;
  double x = state->x[k], y = x + state->beta * (x - state->other[k]);
  double next = y - (system->offset[k] + row_product(system, k, state->u, dimension));
  next = next > system->lower[k] ? next : system->lower[k];
  double change = next - y;
  row_add(system, k, change, state->u, dimension);
  state->other[k] = next;
  part->sum[0] -= change * (next - x);
  double size = system->root_diagonal[k] * fabs(change);
  part->residual = size > part->residual ? size : part->residual;
}

/* Rows begin .. end-1 of one colour, two at a time; an odd one is left over. Everything that the loop reads is
 * in local variables: stores through memcpy could be to anything. */
static inline __attribute__((always_inline)) int64_t sweep_pairs(const sweep_state *state, int64_t begin,
                                                                 int64_t end, int dimension, block_sums *part)
{
  const contact_system *system = state->system;
  const double *coefficient = system->coefficient, *offset = system->offset, *lower = system->lower;
  const double *root = system->root_diagonal, *current = state->x;
  const int32_t *bodies = system->body;
  const int size = system_row_size(dimension), stride = system_stride(dimension);
  double *other = state->other, *velocity = state->u;
  lanes beta = lanes_both(state->beta), uphill = {0}, largest = {0};
  int64_t k = begin;
  for (; k + 1 < end; k += 2) {
    const int32_t *body = bodies + 2 * k;
    const double *row = coefficient + size * k;
    double *u0 = velocity + (int64_t)stride * body[0], *u1 = velocity + (int64_t)stride * body[1];
    double *u2 = velocity + (int64_t)stride * body[2], *u3 = velocity + (int64_t)stride * body[3];
    lanes w = lanes_load(offset + k) + lanes_pair_sums(row_product_lanes(row, u0, u1, dimension),
                                                       row_product_lanes(row + size, u2, u3, dimension));
    lanes x = lanes_load(current + k), y = x + beta * (x - lanes_load(other + k));
    lanes next = lanes_greater(y - w, lanes_load(lower + k)), change = next - y;
    lanes_store(other + k, next);
    row_add_blocks(row, change[0], u0, u1, dimension);
    row_add_blocks(row + size, change[1], u2, u3, dimension);
    uphill -= change * (next - x);
    largest = lanes_greater(lanes_absolute(change) * lanes_load(root + k), largest);
  }
  part->sum[0] += lanes_sum(uphill);
  part->residual = greatest(part->residual, greatest(largest[0], largest[1]));
  return k;
}

/* sum[0]: (y - x_next).(x_next - x), positive when the momentum carries uphill. */
HOT void sweep_colour_loop(const sweep_state *state, int64_t begin, int64_t end, block_sums *part)
{
  int64_t k;
  if (state->system->dimension == 2) {
    k = sweep_pairs(state, begin, end, 2, part);
    for (; k < end; k++) sweep_row(state, k, 2, part);
  } else {
    k = sweep_pairs(state, begin, end, 3, part);
    for (; k < end; k++) sweep_row(state, k, 3, part);
  }
}

CLONED_ACTION(sweep_colour, (const sweep_state *state, int64_t begin, int64_t end, block_sums *part),
              (state, begin, end, part))

static void sweep_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  sweep_state *state = context;
  block_sums part = {{0}, 0};
  sweep_colour(state, begin, end, &part);
  state->part[block] = part;
}

/* A unit of units.h. A ground's velocities are extrapolated when they are wanted: then they are in the cache. */
static void sweep_unit(void *context, int64_t unit, int64_t end, int64_t block)
{
  (void)end;
  sweep_state *state = context;
  const unit_plan *plan = &state->system->units;
  int stride = system_stride(state->system->dimension);
  block_sums part = {{0}, 0};
  if (unit < plan->grounds)
    extrapolate_velocities(state, stride * (int64_t)plan->first_body[unit],
                           stride * (int64_t)plan->first_body[unit + 1], block);
  for (int32_t piece = plan->unit_piece[unit]; piece < plan->unit_piece[unit + 1]; piece++)
    sweep_colour(state, plan->piece_row[piece], plan->piece_row[piece + 1], &part);
  state->part[unit] = part;
}

/* The last group of contacts that may share bodies: strictly one after another. */
static void sweep_tail(sweep_state *state, int64_t begin, int64_t end, int64_t block)
{
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    if (state->system->dimension == 2)
      sweep_row(state, k, 2, &part);
    else
      sweep_row(state, k, 3, &part);
  }
  state->part[block] = part;
}

/* Returns the number of parts. */
static int64_t sweep_units(sweep_state *state)
{
  const unit_plan *plan = &state->system->units;
  parallel_for_weighted(state->env, plan->phases, plan->phase_unit, plan->unit_row, sweep_unit, state);
  return plan->phase_unit[plan->phases];
}

static int64_t sweep_colours(sweep_state *state)
{
  const contact_system *system = state->system;
  const int64_t *start = system->colours.start;
  int32_t colours = free_colours(&system->colours);
  int64_t blocks = 0;
  parallel_for_ranges(state->env, colours, start, SYSTEM_BLOCK, sweep_block, state);
  for (int32_t colour = 0; colour < colours; colour++)
    blocks += parallel_block_count(start[colour + 1] - start[colour], SYSTEM_BLOCK);
  if (system->colours.serial_tail) sweep_tail(state, start[colours], start[colours + 1], blocks++);
  return blocks;
}

/* Of patches: whatever their order, and however many are done elsewhere. */
static double sum_exactly(const sweep_state *state, int64_t units)
{
  exact_sum sum = EXACT_ZERO;
  for (int64_t unit = 0; unit < units; unit++) exact_add(&sum, state->part[unit].sum[0]);
  return exact_value(&sum);
}

static block_sums sweep(sweep_state *state)
{
  const unit_plan *plan = &state->system->units;
  int64_t blocks = plan->grounds > 0 ? sweep_units(state) : sweep_colours(state);
  block_sums total = {{0}, 0};
  for (int64_t block = 0; block < blocks; block++) {
    total.sum[0] += state->part[block].sum[0];
    total.residual = greatest(total.residual, state->part[block].residual);
  }
  if (plan->by_patch) total.sum[0] = sum_exactly(state, blocks);
  double *next = state->other;
  state->other = state->x;
  state->x = next;
  return total;
}

/* ---- around sweeps ---- */

static void residual_rows(void *context, int64_t begin, int64_t end, int64_t block)
{
  sweep_state *state = context;
  const contact_system *system = state->system;
  block_sums part = {{0}, 0};
  for (int64_t k = begin; k < end; k++) {
    double w = system->offset[k] +
               (system->dimension == 2 ? row_product(system, k, state->u, 2) : row_product(system, k, state->u, 3));
    part.residual = greatest(part.residual, row_residual(system, k, state->x[k], w));
  }
  state->part[block] = part;
}

/* The residual of x; keeps x if it is the best so far. */
static void look_at_iterate(sweep_state *state, solver_outcome *outcome)
{
  int64_t count = state->system->contact_count;
  for_contact_blocks(state->env, count, residual_rows, state);
  double residual = state->system->time_step * combine_blocks(state->part, count).residual;
  if (!(residual < outcome->residual)) return;
  outcome->residual = residual;
  parallel_copy(state->env, count, state->x, state->system->impulse);
}

static sweep_state prepare(const environment *env, contact_system *system, const sweep_memory *memory)
{
  const size_t velocities = system_velocities(system->body_count, system->dimension);
  sweep_state state = {.env = env,
                       .system = system,
                       .x = memory->x,
                       .other = memory->other,
                       .u = memory->u,
                       .before = memory->before,
                       .part = memory->part};
  parallel_copy(env, system->contact_count, system->impulse, state.x);
  parallel_copy(env, system->contact_count, system->impulse, state.other);
  system_scatter(env, system, state.x, state.u);
  parallel_copy(env, (int64_t)velocities, state.u, state.before);
  return state;
}

solver_outcome gauss_seidel_solve(const environment *env, contact_system *system, const sweep_memory *memory,
                                  solver_limits limits)
{
  sweep_state state = prepare(env, system, memory);
  solver_outcome outcome = {.residual = INFINITY, .products = solver_starts_at_zero(system) ? 0 : 1};
  look_at_iterate(&state, &outcome);
  nesterov momentum = nesterov_begin_limited(first_gap);
  double least = INFINITY, least_before = INFINITY, looked_at = INFINITY;
  int64_t sweeps = 0;
  bool seen = true;
  while (solver_goes_on(env, &outcome, limits)) {
    block_sums total = sweep(&state);
    outcome.products++;
    sweeps++;
    double estimate = system->time_step * total.residual;
    least = fmin(least, estimate);
    /* the estimate belongs to y: with momentum, x may be there already */
    seen = estimate <= limits.target || (sweeps % 4 == 0 && estimate < 3.0 * limits.target) ||
           (sweeps % LOOK_INTERVAL == 0 && estimate < 0.5 * looked_at);
    if (seen) {
      look_at_iterate(&state, &outcome);
      looked_at = estimate;
    }
    if (sweeps % STALL_WINDOW == 0) {
      if (!(least <= stall_factor * least_before)) break;
      least_before = least;
    }
    nesterov_next_limited(&momentum, total.sum[0] > 0.0, estimate);
    state.beta = momentum.beta;
    if (outcome.products < limits.max_products && system->units.grounds == 0)
      parallel_for(env, system->body_count * system_stride(system->dimension), PARALLEL_BLOCK,
                   extrapolate_velocities, &state);
  }
  if (!seen) look_at_iterate(&state, &outcome);
  return outcome;
}
