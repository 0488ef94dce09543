/*
 * Interior point method. See finish.h.
 *
 * Find p >= 0, w >= 0 with w = c + R u, u = R^T q, q = lower + p, p w = 0. Newton's method for p w = sigma mu, mu
 * the mean of p w, from a point inside; u follows from q exactly, so that only r = c + R u - w is not met on the
 * way:
 *
 *   (I + R^T Theta R) du = R^T t,  Theta = p/(w + delta p),  t = (s - p r)/(w + delta p)
 *   dp = (s - p (R du + r))/(w + delta p),  dw = R du + r + delta dp,  s = sigma mu - p w
 *
 * What matters, by measurement:
 * - delta, a proximal term on dp. It vanishes with dp, so the solution is that without it; without it the method
 * breaks down where contacts depend on each other, and wanders in other piles.
 * - Mehrotra's predictor and corrector (1992): a first step with sigma = 0 says by how much mu can fall,
 *   sigma = (mu then/mu)^3, and what it would do to the products p w is subtracted from s. One length for p and w.
 * - A large start: p and w at START_COLD times the mean closing speed. Impulses at the bottom are as large as the
 * pile is high, and from a small start every step is cut short. A warm start is lifted to START_WARM times it.
 * - The crossover: once it is known which rows carry, the rest is a linear system, solved to rounding, and impulses
 *   that are 0 are exactly 0. Rows carry where p > w. Impulses that come out negative leave the face, rows that
 * come out violated join it, a few times; if that does not meet the target, the method continues from where it was.
 *
 * A row without bound is an equation: no w, Theta = 1/delta, the proximal form of multipliers.
 *
 * Memory: columns by row, and three vectors by body.
 */
#include "contacts/finish/finish.h"

#include "base/interruption.h"

#include <math.h>
#include <string.h>

enum { REPAIRS = 3, REFINEMENTS = 12 };
static const double delta = 1e-8;
static const double start_cold = 1000.0, start_warm = 30.0;
static const double to_boundary = 0.995;
/* The switch from sweeps: iterations' worth of products, and numbers of a factor in the plane and in space. An
 * iteration costs 10 products and 0.5 sqrt(bodies) more in piles of 200 to 50,000 discs (17, 38, 66, 122), 88 with
 * 800 spheres. */
static const double patience = 20.0, most_entries[2] = {5e7, 2e6};
/* The crossover is tried when hardly a row has changed sides in a step (one more than that part of all) and the
 * residual is at most so much above the target; again when it has fallen so much. */
static const double settled_part = 2e-3, crossover_factor = 300.0, crossover_again = 0.1;

typedef struct finish_state {
  const environment *env;
  const finish_problem *problem;
  sparse_factor *matrix;
  finish_limits limits;
  finish_outcome *outcome;
  double *q, *w;             /* impulses; slacks of rows with a bound */
  double *z;                 /* c + R u */
  double *r;                 /* what w is not */
  double *theta;             /* weights; of a crossover too */
  double *s, *dq, *dw;       /* right side and step; t while the right side is made */
  double *first_q, *first_w; /* the predictor's step */
  double *trial;             /* impulses of a crossover */
  double *best;
  uint8_t *side, *face;  /* rows that carry, by p > w; of a crossover */
  double *u, *du, *work; /* [body][freedoms] */
  int64_t changes;       /* rows that changed sides in the last step */
  double tried;          /* residual at the last crossover */
} finish_state;

/* ---- rows ---- */

static inline __attribute__((always_inline)) void rows_times(const factor_rows *rows, const double *u,
                                                             const double *offset, double *product, int f)
{
  for (int64_t k = 0; k < rows->count; k++) {
    const double *row = rows->coefficient + 2 * f * k, *first = u + (int64_t)f * rows->body[2 * k];
    double sum = offset ? offset[k] : 0.0;
    for (int c = 0; c < f; c++) sum += row[c] * first[c];
    if (rows->body[2 * k + 1] >= 0) {
      const double *second = u + (int64_t)f * rows->body[2 * k + 1];
      for (int c = 0; c < f; c++) sum += row[f + c] * second[c];
    }
    product[k] = sum;
  }
}

/* product = offset + R u; offset NULL: 0. */
static void multiply(const factor_rows *rows, const double *u, const double *offset, double *product)
{
  if (rows->freedoms == 2)
    rows_times(rows, u, offset, product, 2);
  else if (rows->freedoms == 3)
    rows_times(rows, u, offset, product, 3);
  else
    rows_times(rows, u, offset, product, rows->freedoms);
}

static inline __attribute__((always_inline)) void add_rows_times(const factor_rows *rows, const double *t,
                                                                 double *u, int f)
{
  for (int64_t k = 0; k < rows->count; k++) {
    if (t[k] == 0.0) continue;
    const double *row = rows->coefficient + 2 * f * k;
    double *first = u + (int64_t)f * rows->body[2 * k];
    for (int c = 0; c < f; c++) first[c] += row[c] * t[k];
    if (rows->body[2 * k + 1] < 0) continue;
    double *second = u + (int64_t)f * rows->body[2 * k + 1];
    for (int c = 0; c < f; c++) second[c] += row[f + c] * t[k];
  }
}

/* u = R^T t. */
static void multiply_transposed(const factor_rows *rows, const double *t, double *u)
{
  memset(u, 0, (size_t)rows->bodies * (size_t)rows->freedoms * sizeof *u);
  if (rows->freedoms == 2)
    add_rows_times(rows, t, u, 2);
  else if (rows->freedoms == 3)
    add_rows_times(rows, t, u, 3);
  else
    add_rows_times(rows, t, u, rows->freedoms);
}

static inline bool is_equation(const finish_state *state, int64_t k)
{
  return state->problem->lower[k] == -INFINITY;
}

/* Velocities and z of impulses; returns their residual. */
static double look(finish_state *state, const double *q)
{
  const finish_problem *problem = state->problem;
  multiply_transposed(&problem->rows, q, state->u);
  multiply(&problem->rows, state->u, problem->offset, state->z);
  double worst = 0.0;
  for (int64_t k = 0; k < problem->rows.count; k++) {
    double slack = q[k] - problem->lower[k], value = state->z[k] < slack ? state->z[k] : slack;
    worst = greatest(worst, problem->root_diagonal[k] * fabs(value));
  }
  return problem->time_step * worst;
}

static void keep_better(finish_state *state, const double *q, double residual)
{
  if (!(residual < state->outcome->residual)) return;
  state->outcome->residual = residual;
  memcpy(state->best, q, (size_t)state->problem->rows.count * sizeof *q);
}

/* ---- limits ---- */

static bool may_factorise(const finish_state *state)
{
  const finish_outcome *spent = state->outcome;
  return spent->factorisations < state->limits.most_factorisations && !interrupted(state->env) &&
         spent->units + finish_iteration_units(state->matrix) <= state->limits.units;
}

static bool factorise(finish_state *state)
{
  state->outcome->factorisations++;
  state->outcome->units += finish_iteration_units(state->matrix);
  return factor_compute(state->env, state->matrix, state->theta);
}

/* ---- the start ---- */

/* The mean closing speed where every impulse is at its bound. */
static double closing_speed(finish_state *state, bool *cold)
{
  const finish_problem *problem = state->problem;
  double sum = 0.0, largest = 0.0;
  int64_t count = 0;
  *cold = true;
  for (int64_t k = 0; k < problem->rows.count; k++) {
    double least = is_equation(state, k) ? 0.0 : problem->lower[k];
    if (problem->impulse[k] != least) *cold = false;
    state->q[k] = least;
  }
  look(state, state->q);
  for (int64_t k = 0; k < problem->rows.count; k++) {
    double speed = problem->root_diagonal[k] * (is_equation(state, k) ? -fabs(state->z[k]) : state->z[k]);
    largest = greatest(largest, fabs(speed));
    if (!(speed < 0.0)) continue;
    sum -= speed;
    count++;
  }
  return count > 0 ? sum / (double)count : 1e-6 * largest;
}

static void start(finish_state *state)
{
  const finish_problem *problem = state->problem;
  bool cold;
  double speed = closing_speed(state, &cold);
  double least = speed * (cold ? start_cold : start_warm);
  if (!cold) {
    memcpy(state->q, problem->impulse, (size_t)problem->rows.count * sizeof *state->q);
    look(state, state->q);
  }
  for (int64_t k = 0; k < problem->rows.count; k++) {
    double lift = least / problem->root_diagonal[k];
    state->w[k] = state->z[k] > lift ? state->z[k] : lift;
    if (!is_equation(state, k) && state->q[k] - problem->lower[k] < lift) state->q[k] = problem->lower[k] + lift;
  }
}

/* ---- one step ---- */

/* The Newton step for a right side s. Uses the factorised matrix. */
static void newton_step(finish_state *state, const double *s, double *dq, double *dw)
{
  const finish_problem *problem = state->problem;
  int64_t n = problem->rows.count;
  for (int64_t k = 0; k < n; k++) {
    double p = state->q[k] - problem->lower[k];
    dq[k] = is_equation(state, k) ? -state->r[k] / delta : (s[k] - p * state->r[k]) / (state->w[k] + delta * p);
  }
  multiply_transposed(&problem->rows, dq, state->du);
  factor_solve(state->matrix, state->du, state->work);
  multiply(&problem->rows, state->du, state->r, dw);
  for (int64_t k = 0; k < n; k++) {
    double p = state->q[k] - problem->lower[k];
    dq[k] = is_equation(state, k) ? -dw[k] / delta : (s[k] - p * dw[k]) / (state->w[k] + delta * p);
    dw[k] += delta * dq[k];
  }
}

/* The greatest length at which no p and no w becomes negative. */
static double step_length(const finish_state *state, const double *dq, const double *dw)
{
  const finish_problem *problem = state->problem;
  double length = INFINITY;
  for (int64_t k = 0; k < problem->rows.count; k++) {
    if (is_equation(state, k)) continue;
    double p = state->q[k] - problem->lower[k];
    if (dq[k] < 0.0) length = fmin(length, -p / dq[k]);
    if (dw[k] < 0.0) length = fmin(length, -state->w[k] / dw[k]);
  }
  return length;
}

/* The mean of p w after a step of that length. */
static double mean_product(const finish_state *state, double length, const double *dq, const double *dw)
{
  const finish_problem *problem = state->problem;
  double sum = 0.0;
  int64_t count = 0;
  for (int64_t k = 0; k < problem->rows.count; k++) {
    if (is_equation(state, k)) continue;
    sum += (state->q[k] - problem->lower[k] + length * dq[k]) * (state->w[k] + length * dw[k]);
    count++;
  }
  return count > 0 ? sum / (double)count : 0.0;
}

/* False: the matrix could not be factorised, or nothing moves. */
static bool step(finish_state *state)
{
  const finish_problem *problem = state->problem;
  int64_t n = problem->rows.count;
  for (int64_t k = 0; k < n; k++) {
    double p = state->q[k] - problem->lower[k];
    state->r[k] = is_equation(state, k) ? state->z[k] : state->z[k] - state->w[k];
    state->theta[k] = is_equation(state, k) ? 1.0 / delta : p / (state->w[k] + delta * p);
    state->s[k] = is_equation(state, k) ? 0.0 : -p * state->w[k];
  }
  if (!factorise(state)) return false;
  newton_step(state, state->s, state->first_q, state->first_w);
  double before = mean_product(state, 0.0, state->first_q, state->first_w);
  double length = fmin(1.0, step_length(state, state->first_q, state->first_w));
  double part = before > 0.0 ? mean_product(state, length, state->first_q, state->first_w) / before : 0.0;
  double centre = part * part * part * before;
  for (int64_t k = 0; k < n; k++)
    if (!is_equation(state, k)) state->s[k] += centre - state->first_q[k] * state->first_w[k];
  newton_step(state, state->s, state->dq, state->dw);
  length = fmin(1.0, to_boundary * step_length(state, state->dq, state->dw));
  if (!(length > 0.0)) return false;
  for (int64_t k = 0; k < n; k++) {
    state->q[k] += length * state->dq[k];
    state->w[k] += length * state->dw[k];
  }
  return true;
}

/* ---- the crossover ---- */

/* Solves z = 0 for the rows of the face, beginning from `trial`: q <- q + dq of the proximal form, without a bound,
 * until it does not get better. */
static bool solve_face(finish_state *state)
{
  const factor_rows *rows = &state->problem->rows;
  for (int64_t k = 0; k < rows->count; k++) state->theta[k] = state->face[k] ? 1.0 / delta : 0.0;
  if (!factorise(state)) return false;
  double worst_before = INFINITY;
  for (int turn = 0; turn < REFINEMENTS; turn++) {
    look(state, state->trial);
    double worst = 0.0;
    for (int64_t k = 0; k < rows->count; k++) {
      if (state->face[k]) worst = greatest(worst, state->problem->root_diagonal[k] * fabs(state->z[k]));
      state->dq[k] = state->face[k] ? -state->z[k] / delta : 0.0;
    }
    worst *= state->problem->time_step;
    if (!(worst > 1e-3 * state->limits.target) || !(worst < 0.5 * worst_before)) break;
    worst_before = worst;
    multiply_transposed(rows, state->dq, state->du);
    factor_solve(state->matrix, state->du, state->work);
    multiply(rows, state->du, state->z, state->dw);
    for (int64_t k = 0; k < rows->count; k++)
      if (state->face[k]) state->trial[k] -= state->dw[k] / delta;
  }
  return true;
}

/* Rows that pull leave the face, those that are violated join it. Returns how many do. */
static int64_t repair_face(finish_state *state)
{
  const finish_problem *problem = state->problem;
  int64_t changes = 0;
  for (int64_t k = 0; k < problem->rows.count; k++) {
    bool leaves = state->face[k] && state->trial[k] < problem->lower[k];
    bool joins = !state->face[k] && state->z[k] < 0.0;
    if (leaves) state->trial[k] = problem->lower[k];
    if (leaves || joins) state->face[k] = !state->face[k];
    changes += leaves || joins;
  }
  return changes;
}

/* True: the target is met. */
static bool cross_over(finish_state *state)
{
  const finish_problem *problem = state->problem;
  for (int64_t k = 0; k < problem->rows.count; k++) {
    state->face[k] = state->side[k];
    state->trial[k] = state->face[k] ? state->q[k] : problem->lower[k];
  }
  for (int turn = 0; turn < REPAIRS && may_factorise(state); turn++) {
    if (!solve_face(state)) return false;
    int64_t changes = repair_face(state);
    double residual = look(state, state->trial);
    keep_better(state, state->trial, residual);
    if (residual <= state->limits.target) return true;
    if (changes == 0) return false;
  }
  return false;
}

/* ---- all together ---- */

double finish_iteration_units(const sparse_factor *it)
{
  return it->operations / 100.0 + (double)it->entries / 8.0 + 10.0 * (double)it->rows->count;
}

static floc_status allocate_state(arena *scratch, finish_state *state)
{
  const factor_rows *rows = &state->problem->rows;
  size_t n = (size_t)rows->count, freedoms = (size_t)rows->bodies * (size_t)rows->freedoms;
  double **const by_row[] = {&state->q,  &state->w,  &state->z,       &state->r,       &state->theta, &state->s,
                             &state->dq, &state->dw, &state->first_q, &state->first_w, &state->trial, &state->best};
  double **const by_body[] = {&state->u, &state->du, &state->work};
  for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
    if (!(*by_row[k] = arena_allocate(scratch, n, sizeof(double)))) return FLOC_OUT_OF_MEMORY;
  for (size_t k = 0; k < sizeof by_body / sizeof *by_body; k++)
    if (!(*by_body[k] = arena_allocate(scratch, freedoms, sizeof(double)))) return FLOC_OUT_OF_MEMORY;
  state->face = arena_allocate(scratch, n, 1);
  state->side = arena_allocate(scratch, n, 1);
  if (state->side) memset(state->side, 0, n);
  return state->face && state->side ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* Which rows carry, and how many of them did not before. */
static void find_face(finish_state *state)
{
  const finish_problem *problem = state->problem;
  state->changes = 0;
  for (int64_t k = 0; k < problem->rows.count; k++) {
    bool carries = is_equation(state, k) || state->q[k] - problem->lower[k] > state->w[k];
    state->changes += carries != state->side[k];
    state->side[k] = carries;
  }
}

/* Impulses of rows that do not carry go to their bound, if the target is met all the same. */
static void clear_idle(finish_state *state)
{
  const finish_problem *problem = state->problem;
  for (int64_t k = 0; k < problem->rows.count; k++)
    state->trial[k] = state->side[k] ? state->q[k] : problem->lower[k];
  double residual = look(state, state->trial);
  if (!(residual <= state->limits.target)) return;
  state->outcome->residual = INFINITY;
  keep_better(state, state->trial, residual);
}

static void iterate(finish_state *state)
{
  double target = state->limits.target;
  start(state);
  find_face(state);
  state->tried = INFINITY;
  double residual = look(state, state->q);
  while (may_factorise(state)) {
    bool settled = state->changes <= 1 + (int64_t)(settled_part * (double)state->problem->rows.count);
    bool close = residual <= crossover_factor * target && residual <= crossover_again * state->tried;
    if (settled && close) {
      state->tried = residual;
      if (cross_over(state)) return;
      look(state, state->q);
    }
    if (residual <= target) {
      clear_idle(state);
      return;
    }
    if (!may_factorise(state) || !step(state)) return;
    find_face(state);
    residual = look(state, state->q);
    keep_better(state, state->q, residual);
  }
}

floc_status finish_solve(const environment *env, arena *scratch, const finish_problem *problem, sparse_factor *it,
                         finish_limits limits, finish_outcome *outcome)
{
  arena_mark here = arena_here(scratch);
  finish_state state = {.env = env, .problem = problem, .matrix = it, .limits = limits, .outcome = outcome};
  *outcome = (finish_outcome){.residual = INFINITY};
  floc_status status = factor_allocate(scratch, it);
  if (status == FLOC_OK) status = allocate_state(scratch, &state);
  if (status == FLOC_OK) {
    keep_better(&state, problem->impulse, look(&state, problem->impulse));
    if (!(outcome->residual <= limits.target)) iterate(&state);
    if (outcome->residual < INFINITY)
      memcpy(problem->impulse, state.best, (size_t)problem->rows.count * sizeof *problem->impulse);
  }
  arena_return(scratch, here);
  return status;
}

floc_status finish_from_system(arena *scratch, const contact_system *system, finish_problem *problem)
{
  int d = system->dimension, size = system_row_size(d);
  int64_t n = system->contact_count;
  int32_t *body = arena_allocate(scratch, 2 * (size_t)n, sizeof *body);
  double *coefficient = arena_allocate(scratch, 2 * (size_t)d * (size_t)n, sizeof *coefficient);
  int32_t *name = arena_allocate(scratch, (size_t)system->body_count, sizeof *name), bodies = 0;
  if (!body || !coefficient || !name) return FLOC_OUT_OF_MEMORY;
  for (int64_t b = 0; b < system->body_count; b++) name[b] = system->particle[b] >= 0 ? bodies++ : -1;
  for (int64_t k = 0; k < n; k++) {
    const double *row = system->coefficient + size * k;
    double *to = coefficient + 2 * d * k;
    for (int side = 0; side < 2; side++) {
      body[2 * k + side] = name[system->body[2 * k + side]];
      for (int axis = 0; axis < d; axis++)
        to[side * d + axis] = d == 2 ? row[2 * side + axis] : row[3 + side] * row[axis];
    }
  }
  *problem = (finish_problem){.rows = {d, bodies, n, body, coefficient},
                              .time_step = system->time_step,
                              .offset = system->offset,
                              .lower = system->lower,
                              .root_diagonal = system->root_diagonal,
                              .impulse = system->impulse};
  return FLOC_OK;
}

/* most: numbers of the factor; a larger one is not made. */
static floc_status solve_system(const environment *env, arena *scratch, contact_system *system, double most,
                                solver_limits limits, solver_outcome *outcome)
{
  arena_mark here = arena_here(scratch);
  finish_problem problem;
  sparse_factor matrix;
  finish_outcome found = {.residual = INFINITY};
  floc_status status = finish_from_system(scratch, system, &problem);
  if (status == FLOC_OK) status = factor_analyse(scratch, &problem.rows, &matrix);
  if (status == FLOC_OK && (double)matrix.entries <= most) {
    finish_limits all = {limits.target, (double)limits.max_products * (double)system->contact_count,
                         FINISH_FACTORISATIONS};
    status = finish_solve(env, scratch, &problem, &matrix, all, &found);
  }
  arena_return(scratch, here);
  outcome->residual = found.residual;
  outcome->products = system->contact_count > 0 ? (int64_t)ceil(found.units / (double)system->contact_count) : 0;
  return status;
}

floc_status finish_system_solve(const environment *env, arena *scratch, contact_system *system,
                                solver_limits limits, solver_outcome *outcome)
{
  return solve_system(env, scratch, system, INFINITY, limits, outcome);
}

floc_status finish_island_solve(const environment *env, arena *scratch, contact_system *system,
                                solver_limits limits, solver_outcome *outcome)
{
  return solve_system(env, scratch, system, most_entries[system->dimension - 2], limits, outcome);
}

int64_t finish_patience(int32_t dimension, int64_t bodies)
{
  double number = (double)bodies, products = 10.0 + (dimension == 2 ? 0.5 * sqrt(number) : 0.1 * number);
  return (int64_t)(patience * products);
}
