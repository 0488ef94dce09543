/*
 * engine/contacts/finish: the order and the factorisation against plain dense ones, the interior point
 * method on packings and on what is degenerate.
 */
#include "support.h"

#include "base/numbers/random.h"
#include "base/threads/parallel.h"
#include "columns.h"
#include "contacts/finish/finish_convex.h"
#include "contacts/finish/finish_order.h"
#include "problems.h"

#include <stdio.h>

/* ---- the order ---- */

enum { NODES = 225 };

typedef struct graph {
  order_graph it;
  int64_t start[NODES + 1];
  int32_t neighbour[NODES * NODES];
  bool edge[NODES][NODES];
} graph;

static graph *graph_create(void)
{
  graph *made = calloc(1, sizeof *made);
  assert_non_null(made);
  return made;
}

static void graph_join(graph *made, int32_t i, int32_t j)
{
  made->edge[i][j] = made->edge[j][i] = i != j;
}

static void graph_finish(graph *made, int32_t nodes)
{
  int64_t count = 0;
  for (int32_t i = 0; i < nodes; i++) {
    made->start[i] = count;
    for (int32_t j = 0; j < nodes; j++)
      if (made->edge[i][j]) made->neighbour[count++] = j;
  }
  made->start[nodes] = count;
  made->it = (order_graph){nodes, made->start, made->neighbour};
}

/* Joins the neighbours of a node with each other. Returns how many pairs were not joined before. */
static int64_t eliminate(bool (*edge)[NODES], bool *gone, int32_t nodes, int32_t pivot)
{
  int64_t fill = 0;
  gone[pivot] = true;
  for (int32_t i = 0; i < nodes; i++) {
    if (gone[i] || !edge[pivot][i]) continue;
    for (int32_t j = 0; j < i; j++) {
      if (gone[j] || !edge[pivot][j] || edge[i][j]) continue;
      edge[i][j] = edge[j][i] = true;
      fill++;
    }
  }
  return fill;
}

static int64_t fill_of_order(const graph *made, const int32_t *order)
{
  bool(*edge)[NODES] = malloc(sizeof made->edge), gone[NODES] = {false};
  assert_non_null(edge);
  memcpy(edge, made->edge, sizeof made->edge);
  int64_t fill = 0;
  for (int32_t k = 0; k < made->it.nodes; k++) {
    assert_true(order[k] >= 0 && order[k] < made->it.nodes && !gone[order[k]]);
    fill += eliminate(edge, gone, made->it.nodes, order[k]);
  }
  free(edge);
  return fill;
}

/* Always a node of fewest neighbours, counted afresh. */
static int64_t fill_of_exact_degrees(const graph *made)
{
  bool(*edge)[NODES] = malloc(sizeof made->edge), gone[NODES] = {false};
  assert_non_null(edge);
  memcpy(edge, made->edge, sizeof made->edge);
  int64_t fill = 0;
  for (int32_t k = 0; k < made->it.nodes; k++) {
    int32_t best = -1, least = NODES;
    for (int32_t i = 0; i < made->it.nodes; i++) {
      int32_t degree = 0;
      for (int32_t j = 0; j < made->it.nodes && !gone[i]; j++) degree += edge[i][j] && !gone[j];
      if (gone[i] || degree >= least) continue;
      least = degree;
      best = i;
    }
    fill += eliminate(edge, gone, made->it.nodes, best);
  }
  free(edge);
  return fill;
}

static int64_t fill_of_minimum_degree(const graph *made)
{
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  int32_t order[NODES];
  assert_ok(&env, finish_order(&scratch, &made->it, order));
  arena_free(&scratch);
  return fill_of_order(made, order);
}

static void trees_are_eliminated_without_fill(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 10; seed++) {
    graph *made = graph_create();
    for (int32_t i = 1; i < NODES; i++) {
      double u[4];
      random_uniform4(seed, (uint64_t)i, 0, RANDOM_SCRIPT, 0, u);
      graph_join(made, i, seed == 0 ? i - 1 : (int32_t)(u[0] * i));
    }
    graph_finish(made, NODES);
    assert_int_equal(fill_of_minimum_degree(made), 0);
    free(made);
  }
}

/* A lattice, and graphs thrown at random; in some one node neighbours all others. */
static void fill_is_that_of_exact_minimum_degree(void **state)
{
  (void)state;
  int64_t fill = 0, exact = 0;
  for (uint64_t seed = 0; seed < 9; seed++) {
    graph *made = graph_create();
    for (int32_t i = 0; i < NODES && seed == 0; i++) {
      if (i % 15 < 14) graph_join(made, i, i + 1);
      if (i + 15 < NODES) graph_join(made, i, i + 15);
    }
    for (int32_t k = 0; k < 2 * NODES && seed > 0; k++) {
      double u[4];
      random_uniform4(seed, (uint64_t)k, 0, RANDOM_SCRIPT, 0, u);
      int32_t i = (int32_t)(u[0] * (NODES - 5)), j = i + 1 + (int32_t)(u[1] * (seed % 2 ? 20.0 : 220.0));
      graph_join(made, i, j < NODES ? j : NODES - 1);
      if (seed > 6 && k < NODES) graph_join(made, k, 7);
    }
    graph_finish(made, NODES);
    fill += fill_of_minimum_degree(made);
    exact += fill_of_exact_degrees(made);
    free(made);
  }
  if (!(fill <= exact + exact / 20)) fail_msg("fill %d, with exact degrees %d", (int)fill, (int)exact);
}

/* ---- the factorisation ---- */

enum { BODIES = 90, ROWS = 240, SIZE = BODIES * 6 };

typedef struct sparse_test {
  factor_rows rows;
  int32_t body[2 * ROWS];
  double coefficient[2 * 6 * ROWS], weight[ROWS], right[SIZE];
} sparse_test;

/* Rows in a band or anywhere, some of prescribed bodies, some twice; weights over sixteen decades. Body 3 touches
 * many, the last nothing. */
static void sparse_test_create(int32_t freedoms, uint64_t seed, sparse_test *it)
{
  for (int32_t k = 0; k < ROWS; k++) {
    double u[4], g[4];
    random_uniform4(seed, (uint64_t)k, 0, RANDOM_SCRIPT, 0, u);
    int32_t reach = seed % 2 ? 6 : BODIES - 2, first = (int32_t)(u[0] * (BODIES - 1));
    int32_t second = (first + 1 + (int32_t)(u[1] * reach)) % (BODIES - 1);
    if (k % 5 == 0) first = 3;
    if (second == first || k % 11 == 0) second = -1;
    it->body[2 * k] = first;
    it->body[2 * k + 1] = second;
    it->weight[k] = pow(10.0, 16.0 * u[2] - 8.0);
    for (int c = 0; c < 2 * freedoms; c++) {
      random_normal4(seed, (uint64_t)k, (uint64_t)c, RANDOM_VELOCITY, 0, g);
      it->coefficient[2 * freedoms * k + c] = 0.5 * g[0];
    }
  }
  for (int32_t i = 0; i < BODIES * freedoms; i++) {
    double g[4];
    random_normal4(seed, (uint64_t)i, 99, RANDOM_VELOCITY, 0, g);
    it->right[i] = g[0];
  }
  it->rows = (factor_rows){freedoms, BODIES, ROWS, it->body, it->coefficient};
}

/* The matrix as it is defined. */
static double *dense_matrix(const sparse_test *it)
{
  int32_t f = it->rows.freedoms, n = BODIES * f;
  double *matrix = must_allocate((size_t)n * (size_t)n, sizeof *matrix), row[SIZE];
  for (int32_t i = 0; i < n; i++) matrix[i * n + i] = 1.0;
  for (int32_t k = 0; k < ROWS; k++) {
    memset(row, 0, sizeof row);
    for (int side = 0; side < 2; side++)
      for (int c = 0; c < f && it->body[2 * k + side] >= 0; c++)
        row[it->body[2 * k + side] * f + c] += it->coefficient[2 * f * k + side * f + c];
    for (int32_t i = 0; i < n; i++)
      for (int32_t j = 0; j < n && row[i] != 0.0; j++) matrix[i * n + j] += it->weight[k] * row[i] * row[j];
  }
  return matrix;
}

/* |K x - b| against rounding in a solution of this size: |K| |x|. */
static double relative_defect(const double *matrix, const double *x, const double *b, int32_t n)
{
  double worst = 0.0, largest = 0.0, length = 0.0;
  for (int32_t i = 0; i < n; i++) {
    double sum = -b[i], size = 0.0;
    for (int32_t j = 0; j < n; j++) {
      sum += matrix[i * n + j] * x[j];
      size += fabs(matrix[i * n + j]);
    }
    worst = fmax(worst, fabs(sum));
    largest = fmax(largest, size);
    length = fmax(length, fabs(x[i]));
  }
  return worst / (largest * length);
}

/* Gaussian elimination with pivoting, in place. */
static void dense_solve(double *matrix, double *x, int32_t n)
{
  for (int32_t k = 0; k < n; k++) {
    int32_t best = k;
    for (int32_t i = k; i < n; i++)
      if (fabs(matrix[i * n + k]) > fabs(matrix[best * n + k])) best = i;
    for (int32_t j = 0; j < n; j++) {
      double held = matrix[k * n + j];
      matrix[k * n + j] = matrix[best * n + j];
      matrix[best * n + j] = held;
    }
    double held = x[k];
    x[k] = x[best];
    x[best] = held;
    for (int32_t i = k + 1; i < n; i++) {
      double factor = matrix[i * n + k] / matrix[k * n + k];
      for (int32_t j = k; j < n && factor != 0.0; j++) matrix[i * n + j] -= factor * matrix[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (int32_t i = n - 1; i >= 0; i--) {
    for (int32_t j = i + 1; j < n; j++) x[i] -= matrix[i * n + j] * x[j];
    x[i] /= matrix[i * n + i];
  }
}

static void solve_sparse(const sparse_test *it, bool wide, double *x)
{
  environment env = test_environment(1);
  arena scratch;
  sparse_factor matrix;
  double work[SIZE];
  arena_init(&scratch, &env);
  assert_ok(&env, factor_analyse(&scratch, &it->rows, &matrix));
  assert_ok(&env, factor_allocate(&scratch, &matrix));
  matrix.wide = matrix.wide && wide;
  assert_true(factor_compute(&env, &matrix, it->weight));
  memcpy(x, it->right, (size_t)(BODIES * it->rows.freedoms) * sizeof *x);
  factor_solve(&matrix, x, work);
  arena_free(&scratch);
}

static void the_factorisation_solves_what_a_dense_one_solves(void **state)
{
  (void)state;
  static sparse_test it;
  for (int32_t freedoms = 1; freedoms <= 6; freedoms++) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
      sparse_test_create(freedoms, seed, &it);
      double x[SIZE], y[SIZE];
      int32_t n = BODIES * freedoms;
      solve_sparse(&it, true, x);
      double *matrix = dense_matrix(&it);
      double defect = relative_defect(matrix, x, it.right, n);
      if (!(defect < 1e-14)) fail_msg("%d freedoms, seed %d: defect %g", freedoms, (int)seed, defect);
      for (int32_t k = 0; k < ROWS; k++)
        it.weight[k] = pow(it.weight[k], 0.125); /* now well conditioned: compare */
      free(matrix);
      matrix = dense_matrix(&it);
      solve_sparse(&it, true, x);
      memcpy(y, it.right, (size_t)n * sizeof *y);
      dense_solve(matrix, y, n);
      for (int32_t i = 0; i < n; i++) assert_close(x[i], y[i], 1e-11);
      free(matrix);
    }
  }
}

static void wide_instructions_give_the_same_bits(void **state)
{
  (void)state;
  static sparse_test it;
  for (int32_t freedoms = 2; freedoms <= 3; freedoms++) {
    double x[SIZE], y[SIZE];
    sparse_test_create(freedoms, 2, &it); /* its last front is full, of more than a block of columns */
    solve_sparse(&it, true, x);
    solve_sparse(&it, false, y);
    assert_memory_equal(x, y, (size_t)(BODIES * freedoms) * sizeof *x);
  }
}

static void what_is_not_finite_is_not_factorised(void **state)
{
  (void)state;
  static sparse_test it;
  environment env = test_environment(1);
  arena scratch;
  sparse_factor matrix;
  sparse_test_create(2, 1, &it);
  arena_init(&scratch, &env);
  assert_ok(&env, factor_analyse(&scratch, &it.rows, &matrix));
  assert_ok(&env, factor_allocate(&scratch, &matrix));
  it.weight[5] = NAN;
  assert_false(factor_compute(&env, &matrix, it.weight));
  it.weight[5] = INFINITY;
  assert_false(factor_compute(&env, &matrix, it.weight));
  arena_free(&scratch);
}

/* ---- the method ---- */

typedef struct result {
  finish_outcome outcome;
  int64_t entries;
  double audited;
} result;

/* Solves with the finish, and audits. impulse: guess, then solution. */
static result solve_finish(const contact_problem *problem, double target, double *impulse)
{
  environment env = test_environment(1);
  arena scratch;
  contact_system system;
  finish_problem rows;
  sparse_factor matrix;
  result found;
  arena_init(&scratch, &env);
  assert_ok(&env, system_create(&env, &scratch, problem, impulse, &system));
  assert_ok(&env, finish_from_system(&scratch, &system, &rows));
  assert_ok(&env, factor_analyse(&scratch, &rows.rows, &matrix));
  finish_limits limits = {target, INFINITY, FINISH_FACTORISATIONS};
  assert_ok(&env, finish_solve(&env, &scratch, &rows, &matrix, limits, &found.outcome));
  found.entries = matrix.entries;
  system_return_impulses(&env, problem, &system, impulse);
  arena_free(&scratch);
  double *velocity[3];
  for (int axis = 0; axis < 3; axis++) velocity[axis] = must_allocate((size_t)problem->body_count, sizeof(double));
  found.audited = audit_rows(problem, impulse, velocity);
  for (int axis = 0; axis < 3; axis++) free(velocity[axis]);
  return found;
}

/* Cold and warm, to the tolerance, in at most `most` factorisations. */
static void assert_solved(const contact_problem *problem, const double *warm, double target, int32_t most,
                          const char *what)
{
  double *impulse = must_allocate((size_t)problem->contact_count, sizeof *impulse);
  for (int is_warm = 0; is_warm < 2; is_warm++) {
    for (int64_t a = 0; a < problem->contact_count; a++) impulse[a] = is_warm && warm ? warm[a] : 0.0;
    result found = solve_finish(problem, target, impulse);
    if (!(found.audited <= target) || found.outcome.factorisations > most)
      fail_msg("%s, %s: residual %g, %d factorisations", what, is_warm ? "warm" : "cold", found.audited,
               (int)found.outcome.factorisations);
    for (int64_t a = 0; a < problem->contact_count; a++) assert_true(impulse[a] >= problem->lower[a]);
  }
  free(impulse);
}

static void columns_and_piles_take_few_factorisations(void **state)
{
  (void)state;
  static const struct {
    int32_t dimension;
    double width;
    int64_t height, steps;
    double time_step;
  } packings[] = {{2, 10, 20, 211, 0.01},  {2, 10, 40, 221, 0.01},     {2, 10, 80, 241, 0.01},
                  {2, 10, 160, 120, 0.01}, {2, 30, 30, 100, 1.0 / 60}, {3, 5, 10, 150, 0.01}};
  for (size_t k = 0; k < sizeof packings / sizeof *packings; k += SLOWED ? 5 : 1) {
    packing it;
    char name[64];
    column_create(packings[k].dimension, packings[k].width, packings[k].height, packings[k].time_step,
                  packings[k].steps, &it);
    for (int loose = 0; loose < 2; loose++) {
      snprintf(name, sizeof name, "%dD, %d high, %s", packings[k].dimension, (int)packings[k].height,
               loose ? "1e-2 r" : "1e-6 r");
      assert_solved(&it.problem, it.warm, (loose ? 1e-2 : 1e-6) * COLUMN_RADIUS, 35, name);
    }
    column_free(&it);
  }
}

/* The same contacts twice or thrice: impulses are not unique, velocities are. */
static void degenerate_problems_are_solved(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 24; seed++) {
    if (seed == 11) continue; /* rows so nearly dependent that no solver gets below 1e-6: impulses grow to 1e5 */
    cloud all;
    cloud_options options = {.dimension = seed % 2 ? 2 : 3,
                             .particles = 60,
                             .seed = seed,
                             .spread = seed % 3 ? 1.2 : 3.0, /* crowded, or with many that touch nothing */
                             .range = 0.1,
                             .duplicates = seed % 4 < 2,
                             .gluey = seed % 8 < 4,
                             .equalities = seed % 8 > 2,
                             .mass_decades = seed % 5 ? 4 : 0,
                             .mass_unit = 1};
    cloud_create(&options, &all);
    char name[64];
    snprintf(name, sizeof name, "seed %d", (int)seed);
    assert_solved(&all.problem, NULL, 1e-8, 35, name);
    cloud_free(&all);
  }
}

static void threads_do_not_change_the_bits(void **state)
{
  (void)state;
  double *reference = NULL;
  for (int32_t threads = 1; threads <= 4; threads *= 2) {
    environment env = test_environment(threads);
    cloud all;
    contact_report report;
    cloud_options options = {.dimension = 2, .particles = 3000, .seed = 4, .mass_decades = 2, .mass_unit = 1};
    lattice_create(&options, 60, &all);
    parallel_call_team(&env);
    assert_ok(&env, cloud_solve(&env, &all, FLOC_SOLVER_INTERIOR_POINT, 1e-9, 1000000, &report));
    assert_true(report.converged);
    size_t bytes = (size_t)all.problem.contact_count * sizeof(double);
    if (!reference) reference = memcpy(must_allocate(bytes, 1), all.impulse, bytes);
    assert_memory_equal(all.impulse, reference, bytes);
    parallel_dismiss_team(&env);
    cloud_free(&all);
  }
  free(reference);
}

/* Without the finish the default solver needs 7,000 products here. */
static void the_default_solver_hands_over(void **state)
{
  (void)state;
  packing it;
  column_create(2, 10, 80, 0.01, 241, &it);
  double *impulse = must_allocate((size_t)it.problem.contact_count, sizeof *impulse), *velocity[3];
  for (int axis = 0; axis < 3; axis++)
    velocity[axis] = must_allocate((size_t)it.problem.body_count, sizeof(double));
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  contact_options options = {.tolerance = 1e-6 * COLUMN_RADIUS, .max_iterations = 20000};
  contact_report report;
  assert_ok(&env, solve_rows(&env, &scratch, &it.problem, &options, impulse, velocity, &report));
  assert_true(report.converged);
  assert_true(audit_rows(&it.problem, impulse, velocity) <= options.tolerance);
  if (report.iterations > 2000) fail_msg("%d products", (int)report.iterations);
  arena_free(&scratch);
  for (int axis = 0; axis < 3; axis++) free(velocity[axis]);
  free(impulse);
  column_free(&it);
}

/* ---- the convex law of friction in the plane ---- */

/* Answers of a problem with friction, in memory of their own. */
static contact_answer answer_create(const contact_problem *problem)
{
  size_t contacts = (size_t)problem->contact_count, bodies = (size_t)problem->body_count;
  contact_answer made = {.impulse = must_allocate(contacts, sizeof(double)),
                         .spin = {NULL, NULL, must_allocate(bodies, sizeof(double))}};
  for (int axis = 0; axis < 2; axis++) {
    made.tangent[axis] = must_allocate(contacts, sizeof(double));
    made.velocity[axis] = must_allocate(bodies, sizeof(double));
  }
  return made;
}

static void answer_free(contact_answer *made)
{
  for (int axis = 0; axis < 2; axis++) {
    free(made->tangent[axis]);
    free(made->velocity[axis]);
  }
  free(made->impulse);
  free(made->spin[2]);
}

static void answer_start(const packing *it, bool warm, contact_answer *to)
{
  for (int64_t a = 0; a < it->problem.contact_count; a++) {
    to->impulse[a] = warm ? it->recorded.impulse[a] : 0.0;
    for (int axis = 0; axis < 2; axis++) to->tangent[axis][a] = warm ? it->recorded.tangent[axis][a] : 0.0;
  }
}

/* All contacts as one island. Returns the factorisations. */
static int32_t solve_convex(const contact_problem *problem, double target, contact_answer *answer)
{
  environment env = test_environment(1);
  arena scratch;
  block_island island;
  solver_outcome outcome;
  int32_t factorisations = 0, count = (int32_t)problem->contact_count;
  arena_init(&scratch, &env);
  int32_t *all = must_allocate((size_t)count, sizeof *all);
  int32_t *slot = must_allocate((size_t)problem->body_count, sizeof *slot);
  for (int32_t a = 0; a < count; a++) all[a] = a;
  memset(slot, -1, (size_t)problem->body_count * sizeof *slot);
  for (int axis = 0; axis < 2; axis++)
    memcpy(answer->velocity[axis], problem->free_velocity[axis], (size_t)problem->body_count * sizeof(double));
  assert_ok(&env, block_allocate(&scratch, block_form_of(problem), count, &island));
  block_pack(&env, problem, answer, all, count, slot, &island);
  assert_true(finish_takes_blocks(&island));
  solver_limits limits = {target, 1000000};
  assert_ok(&env, finish_convex_solve(&env, &scratch, &island, limits, &outcome, &factorisations));
  block_return(&env, problem, &island, answer);
  free(slot);
  free(all);
  arena_free(&scratch);
  return factorisations;
}

static void convex_friction_takes_few_factorisations(void **state)
{
  (void)state;
  static const struct {
    double width;
    int64_t height, steps;
    double friction;
  } heaps[] = {{10, 20, 60, 0.3}, {10, 20, 150, 0.3}, {20, 30, 80, 0.5},
               {30, 20, 40, 0.1}, {10, 80, 100, 0.3}, {12, 12, 100, 1.0}};
  for (size_t k = 0; k < sizeof heaps / sizeof *heaps; k += SLOWED ? 3 : 1) {
    packing it;
    floc_projection_options projection;
    floc_projection_options_init(&projection);
    projection.friction = heaps[k].friction;
    projection.friction_law = FLOC_FRICTION_LAW_CONVEX;
    projection.tolerance = 0.002 * COLUMN_RADIUS;
    column_create_with(2, heaps[k].width, heaps[k].height, 0.01, heaps[k].steps, &projection, &it);
    contact_answer answer = answer_create(&it.problem);
    for (int warm = 0; warm < 2; warm++) {
      double target = 1e-6 * COLUMN_RADIUS;
      answer_start(&it, warm, &answer);
      int32_t factorisations = solve_convex(&it.problem, target, &answer);
      double residual = contact_audit(&it.problem, &answer);
      if (!(residual <= target) || factorisations > 30)
        fail_msg("heap %d, %s: residual %g, %d factorisations", (int)k, warm ? "warm" : "cold", residual,
                 (int)factorisations);
      answer_start(&it, warm, &answer); /* the same by its name, through working set and islands */
      for (int32_t solver = FLOC_SOLVER_AUTO; solver <= FLOC_SOLVER_INTERIOR_POINT;
           solver += FLOC_SOLVER_INTERIOR_POINT) {
        environment env = test_environment(1);
        arena scratch;
        contact_report report;
        contact_options options = {.solver = solver, .tolerance = target, .max_iterations = 20000};
        arena_init(&scratch, &env);
        assert_ok(&env, contact_solve(&env, &scratch, &it.problem, &options, &answer, &report));
        assert_true(report.converged);
        assert_true(contact_audit(&it.problem, &answer) <= target);
        arena_free(&scratch);
        answer_start(&it, warm, &answer);
      }
    }
    answer_free(&answer);
    column_free(&it);
  }
}

/* Adhesion shifts cones, contacts without friction are one row, some of them equations. */
static void convex_friction_is_solved_with_adhesion(void **state)
{
  (void)state;
  packing it;
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.friction = 0.4;
  projection.friction_law = FLOC_FRICTION_LAW_CONVEX;
  projection.tolerance = 0.002 * COLUMN_RADIUS;
  column_create_with(2, 12, 20, 0.01, 60, &projection, &it);
  size_t contacts = (size_t)it.problem.contact_count;
  contact_problem problem = it.problem;
  double *lower = must_allocate(contacts, sizeof *lower), *friction = must_allocate(contacts, sizeof *friction);
  double *distance = must_allocate(contacts, sizeof *distance), mass = 1.0 / problem.inverse_mass[0];
  for (size_t a = 0; a < contacts; a++) {
    lower[a] = a % 3 == 0 ? -0.05 * mass * (double)(a % 7) : 0.0;
    friction[a] = a % 5 == 0 ? 0.0 : 0.1 * (double)(a % 13);
    distance[a] = problem.distance[a];
    if (a % 25 != 0) continue;
    lower[a] = -INFINITY;
    distance[a] = 0.0;
  }
  problem.lower = lower;
  problem.friction = friction;
  problem.distance = distance;
  contact_answer answer = answer_create(&problem);
  double target = 1e-6 * COLUMN_RADIUS;
  int32_t factorisations = solve_convex(&problem, target, &answer);
  double residual = contact_audit(&problem, &answer);
  if (!(residual <= target) || factorisations > 30)
    fail_msg("residual %g, %d factorisations", residual, (int)factorisations);
  int64_t pulling = 0;
  for (size_t a = 0; a < contacts; a++) pulling += answer.impulse[a] < 0.0;
  assert_true(pulling > 5);
  answer_free(&answer);
  free(distance);
  free(friction);
  free(lower);
  column_free(&it);
}

/* ---- limits ---- */

static int end_now(void *context)
{
  int *calls = context;
  return --*calls < 0;
}

/* However early it ends, what is returned is not worse than what was given. */
static void what_is_returned_is_not_worse(void **state)
{
  (void)state;
  cloud all;
  cloud_options options = {.dimension = 2, .particles = 300, .seed = 4, .mass_unit = 1};
  lattice_create(&options, 20, &all);
  size_t bytes = (size_t)all.problem.contact_count * sizeof(double);
  double *given = must_allocate(bytes, 1);
  for (int64_t products = 1; products < 3000; products *= 3) {
    for (int64_t a = 0; a < all.problem.contact_count; a++) given[a] = all.impulse[a] = 1e-3 * (double)(a % 7);
    double before = cloud_audit(&all, &(double){0});
    environment env = test_environment(1);
    contact_report report;
    assert_ok(&env, cloud_solve(&env, &all, FLOC_SOLVER_INTERIOR_POINT, 1e-12, products, &report));
    double difference, after = cloud_audit(&all, &difference);
    assert_true(after <= before && report.iterations <= products && difference < 1e-12);
    if (products == 1) assert_memory_equal(all.impulse, given, bytes);
    assert_int_equal(report.converged, after <= 1e-12);
  }
  free(given);
  cloud_free(&all);
}

static void the_host_may_end_it(void **state)
{
  (void)state;
  cloud all;
  cloud_options options = {.dimension = 2, .particles = 300, .seed = 4, .mass_unit = 1};
  lattice_create(&options, 20, &all);
  for (int calls = 0; calls < 2000; calls = 3 * calls + 1) {
    int left = calls;
    environment env = test_environment(1);
    interruption asked = {.function = end_now, .context = &left};
    interruption_begin(&asked);
    env.interruption = &asked;
    contact_report report;
    for (int64_t a = 0; a < all.problem.contact_count; a++) all.impulse[a] = 0.0;
    floc_status status = cloud_solve(&env, &all, FLOC_SOLVER_INTERIOR_POINT, 1e-12, 100000, &report);
    assert_int_equal(status, left < 0 ? FLOC_INTERRUPTED : FLOC_OK);
    assert_int_equal(report.converged, left >= 0);
    assert_true(calls > 100 || left < 0);
  }
  cloud_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_are_eliminated_without_fill),
      cmocka_unit_test(fill_is_that_of_exact_minimum_degree),
      cmocka_unit_test(the_factorisation_solves_what_a_dense_one_solves),
      cmocka_unit_test(wide_instructions_give_the_same_bits),
      cmocka_unit_test(what_is_not_finite_is_not_factorised),
      cmocka_unit_test(columns_and_piles_take_few_factorisations),
      cmocka_unit_test(degenerate_problems_are_solved),
      cmocka_unit_test(threads_do_not_change_the_bits),
      cmocka_unit_test(the_default_solver_hands_over),
      cmocka_unit_test(convex_friction_takes_few_factorisations),
      cmocka_unit_test(convex_friction_is_solved_with_adhesion),
      cmocka_unit_test(what_is_returned_is_not_worse),
      cmocka_unit_test(the_host_may_end_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
