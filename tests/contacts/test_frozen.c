/*
 * Bodies of infinite mass among others (frozen particles): every solver, with and without friction, rotation,
 * moments and negative bounds, in doubles and in single precision, against the independent audit and against each
 * other. All of them move alike and nothing stands still, so that whatever adds anything to their velocity is seen;
 * what is between them may go along, so every problem has a solution.
 */
#include "support.h"

#include "contacts/blocks/block_single.h"
#include "crowds.h"
#include "problems.h"

#include <stdio.h>

static const double COMMON[3] = {0.3, -0.2, 0.1};
/* By solver: Uzawa's method takes a step of one length, which is long for jammed bodies of many masses. */
static const int32_t SOLVERS[] = {FLOC_SOLVER_AUTO, FLOC_SOLVER_UZAWA, FLOC_SOLVER_APGD,
                                  FLOC_SOLVER_INTERIOR_POINT};
static const double TOLERANCES[] = {1e-9, 1e-6, 1e-9, 1e-9};

static bool is_frozen(int64_t body, int32_t every)
{
  return body % every == 0;
}

/* Without contacts of prescribed bodies, and of two frozen ones. Which contact becomes which; -1: it is left out.
 */
static int64_t keep_contacts(const int32_t *first, const int32_t *second, int64_t count, int32_t every,
                             int64_t *place)
{
  int64_t kept = 0;
  for (int64_t a = 0; a < count; a++) {
    const bool is_none = second[a] < 0 || (is_frozen(first[a], every) && is_frozen(second[a], every));
    place[a] = is_none ? -1 : kept++;
  }
  return kept;
}

/* ---- rows ---- */

static void freeze_cloud(cloud *all, int32_t every)
{
  contact_problem *problem = &all->problem;
  int64_t *place = must_allocate((size_t)problem->contact_count, sizeof *place);
  const int64_t kept = keep_contacts(all->first, all->second, problem->contact_count, every, place);
  for (int64_t a = 0; a < problem->contact_count; a++) {
    const int64_t to = place[a];
    if (to < 0) continue;
    all->first[to] = all->first[a];
    all->second[to] = all->second[a];
    all->distance[to] = all->distance[a];
    all->lower[to] = all->lower[a];
    for (int axis = 0; axis < 3; axis++) all->normal[axis][to] = all->normal[axis][a];
  }
  problem->contact_count = kept;
  for (int64_t i = 0; i < problem->body_count; i++) {
    if (!is_frozen(i, every)) continue;
    all->inverse_mass[i] = 0.0;
    for (int axis = 0; axis < problem->dimension; axis++) all->free_velocity[axis][i] = COMMON[axis];
  }
  free(place);
}

static void expect_frozen_cloud(const cloud *all, int32_t every)
{
  for (int64_t i = 0; i < all->problem.body_count; i++)
    for (int axis = 0; axis < all->problem.dimension && is_frozen(i, every); axis++)
      assert_true(all->velocity[axis][i] == COMMON[axis]);
}

static int64_t loaded_by_frozen(const cloud *all, int32_t every)
{
  int64_t found = 0;
  for (int64_t a = 0; a < all->problem.contact_count; a++)
    found += all->impulse[a] > 0.0 && (is_frozen(all->first[a], every) || is_frozen(all->second[a], every));
  return found;
}

static void every_solver_of_rows_satisfies_the_audit(void **state)
{
  (void)state;
  for (int variant = 0; variant < 4; variant++) {
    const int32_t dimension = 2 + variant % 2, every = 3;
    double *velocity[3] = {NULL, NULL, NULL};
    for (int k = 0; k < 4; k++) {
      const cloud_options options = {.dimension = dimension,
                                     .particles = 120,
                                     .seed = 5,
                                     .spread = dimension == 2 ? 2.4 : 1.2,
                                     .mass_decades = 0.5,
                                     .range = 0.05,
                                     .gluey = variant >= 2,
                                     .mass_unit = 1};
      environment env = test_environment(1);
      cloud all;
      contact_report report;
      double difference;
      cloud_create(&options, &all);
      freeze_cloud(&all, every);
      assert_ok(&env, cloud_solve(&env, &all, SOLVERS[k], TOLERANCES[k], 400000, &report));
      const double residual = cloud_audit(&all, &difference);
      print_message("%d-D %s solver %d: %lld products, R %.1e, audit %.1e, velocities %.1e\n", dimension,
                    options.gluey ? "gluey" : "plain", SOLVERS[k], (long long)report.iterations, report.residual,
                    residual, difference);
      assert_true(report.converged && residual <= 1.001 * TOLERANCES[k] && difference < 1e-10);
      assert_true(loaded_by_frozen(&all, every) > 10);
      expect_frozen_cloud(&all, every);
      const double apart = 10.0 * TOLERANCES[k] / all.problem.time_step;
      for (int axis = 0; axis < dimension; axis++) { /* velocities are unique */
        if (k == 0) velocity[axis] = must_allocate(120, sizeof(double));
        if (k == 0) memcpy(velocity[axis], all.velocity[axis], 120 * sizeof(double));
        for (int64_t i = 0; i < 120; i++) assert_close(all.velocity[axis][i], velocity[axis][i], apart);
      }
      cloud_free(&all);
    }
    for (int axis = 0; axis < dimension; axis++) free(velocity[axis]);
  }
}

/* Strips, the direct finish and threads. */
static void large_islands_have_the_same_bits_on_all_threads(void **state)
{
  (void)state;
  const cloud_options options = {.dimension = 2,
                                 .particles = SLOWED ? 7000 : 12000,
                                 .seed = 3,
                                 .mass_decades = 1,
                                 .gluey = true,
                                 .mass_unit = 1};
  static const int32_t threads[] = {1, 2, 3, 8};
  const int32_t every = 11;
  uint64_t first_hash = 0;
  for (int k = 0; k < 4; k++) {
    environment env = test_environment(threads[k]);
    cloud all;
    contact_report report;
    double difference;
    parallel_call_team(&env);
    lattice_create(&options, 100, &all);
    freeze_cloud(&all, every);
    assert_true(all.problem.contact_count > (SLOWED ? 16384 : 30000));
    assert_ok(&env, cloud_solve(&env, &all, FLOC_SOLVER_AUTO, 1e-8, 100000, &report));
    const double residual = cloud_audit(&all, &difference);
    if (k == 0)
      print_message("%lld contacts: %lld products, R %.1e, audit %.1e\n", (long long)all.problem.contact_count,
                    (long long)report.iterations, report.residual, residual);
    assert_true(report.converged && residual <= 1.001e-8 && difference < 1e-9);
    expect_frozen_cloud(&all, every);
    uint64_t hash = 0;
    for (int64_t a = 0; a < all.problem.contact_count; a++) {
      uint64_t bits;
      memcpy(&bits, &all.impulse[a], sizeof bits);
      hash = hash * 6364136223846793005u + bits;
    }
    if (k == 0) first_hash = hash;
    assert_true(hash == first_hash && hash != 0);
    cloud_free(&all);
    parallel_dismiss_team(&env);
  }
}

/* ---- blocks ---- */

/* Gaps become positive: what is between two frozen ones has somewhere to be. */
static void freeze_crowd(sample *made, int32_t every)
{
  static int64_t place[CONTACT_LIMIT];
  contact_problem *problem = &made->problem;
  const int d = problem->dimension, freedoms = freedoms_of(d), numbers = d == 2 ? 1 : 6;
  const int64_t kept = keep_contacts(made->first, made->second, problem->contact_count, every, place);
  for (int64_t a = 0; a < problem->contact_count; a++) {
    const int64_t to = place[a];
    if (to < 0) continue;
    made->first[to] = made->first[a];
    made->second[to] = made->second[a];
    made->distance[to] = fabs(made->distance[a]);
    made->friction[to] = made->friction[a];
    made->lower[to] = made->lower[a];
    for (int axis = 0; axis < d; axis++) {
      made->normal[d * to + axis] = made->normal[d * a + axis];
      made->arm_first[d * to + axis] = made->arm_first[d * a + axis];
      made->arm_second[d * to + axis] = made->arm_second[d * a + axis];
    }
  }
  problem->contact_count = kept;
  memset(made->surface, 0, sizeof made->surface);
  for (int64_t i = 0; i < problem->body_count; i++) {
    if (!is_frozen(i, every)) continue;
    made->inverse_mass[i] = 0.0;
    memset(made->inverse_inertia + numbers * i, 0, (size_t)numbers * sizeof(double));
    for (int c = 0; c < freedoms; c++) made->free_velocity[freedoms * i + c] = c < d ? COMMON[c] : 0.0;
    if (problem->round) made->free_velocity[freedoms * i + freedoms - 1] = 0.7;
  }
}

static sample crowd;
static solved answer;
static double audited[6 * BODY_LIMIT];

static void expect_frozen_crowd(int32_t every)
{
  const int freedoms = freedoms_of(crowd.problem.dimension);
  int64_t loaded = 0;
  for (int64_t i = 0; i < crowd.problem.body_count; i++)
    for (int c = 0; c < freedoms && is_frozen(i, every); c++)
      assert_true(answer.velocity[freedoms * i + c] == crowd.free_velocity[freedoms * i + c]);
  for (int64_t a = 0; a < crowd.problem.contact_count; a++) {
    const int size = impulses_of(&crowd.problem), d = crowd.problem.dimension;
    double along = 0.0;
    for (int axis = 0; axis < d; axis++) along += answer.impulse[size * a + axis] * crowd.normal[d * a + axis];
    loaded += along > 0.0 && (is_frozen(crowd.first[a], every) || is_frozen(crowd.second[a], every));
  }
  assert_true(loaded > 5);
}

static void expect_audit(const char *what, int32_t solver, double tolerance, int32_t every)
{
  const int64_t values = crowd.problem.body_count * freedoms_of(crowd.problem.dimension);
  const double residual = audit_of(&crowd, answer.impulse, audited);
  print_message("%d-D %s %s mu %.1f %s solver %d: %lld products, R %.1e, audit %.1e\n", crowd.problem.dimension,
                what, crowd.problem.round ? "round" : "skewed", crowd.friction[0],
                crowd.problem.convex ? "convex" : "exact", solver, (long long)answer.report.iterations,
                answer.report.residual, residual);
  assert_close(residual, answer.report.residual, 1e-13);
  assert_true(answer.report.converged && residual <= tolerance);
  for (int64_t k = 0; k < values; k++) assert_close(audited[k], answer.velocity[k], 1e-12);
  expect_frozen_crowd(every);
}

static void prepare_crowd(int32_t dimension, int32_t side, double friction, bool skewed, int32_t every)
{
  memset(&crowd, 0, sizeof crowd);
  make_crowd(&crowd, dimension, side, friction, skewed ? 0.3 : 0.0, 7);
  crowd.problem.round = !skewed;
  freeze_crowd(&crowd, every);
}

static void every_solver_of_blocks_satisfies_the_audit(void **state)
{
  (void)state;
  for (int32_t variant = 0; variant < 12; variant++) {
    const int32_t dimension = 2 + variant % 2, every = 5;
    const bool skewed = variant / 2 % 2, convex = variant / 4 == 1, moments = variant / 4 == 2;
    prepare_crowd(dimension, dimension == 2 ? 9 : 4, 0.4, skewed, every);
    crowd.problem.convex = convex;
    if (moments) add_moments(&crowd);
    crowd.problem.surface_spin[2] = NULL;
    for (int k = 0; k < 4; k++) {
      const bool factorises = SOLVERS[k] == FLOC_SOLVER_INTERIOR_POINT;
      const double tolerance = moments ? fmax(1e-7, 10.0 * TOLERANCES[k]) : 10.0 * TOLERANCES[k];
      if (factorises && !(convex && dimension == 2)) continue; /* refused */
      assert_int_equal(solve_with(&crowd, SOLVERS[k], 1, tolerance, 60000, &answer), FLOC_OK);
      expect_audit(moments ? "moments" : "friction", SOLVERS[k], tolerance, every);
    }
  }
}

/* Sweeps in single precision, by the tolerance and by a budget, leave no digit of theirs in what does not yield. */
static void sweeps_in_single_precision_hold_them(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int budget = 0; budget < 2; budget++) {
      environment env = test_environment(1);
      arena scratch;
      arena_init(&scratch, &env);
      prepare_crowd(dimension, dimension == 2 ? 20 : 7, 0.4, false, 5);
      contact_options options = {
          .solver = FLOC_SOLVER_AUTO, .tolerance = 2e-5, .max_iterations = 60000, .budget = budget ? 40 : 0};
      assert_ok(&env, solve_from_zero(&env, &scratch, &crowd, &options, &answer));
      expect_audit(budget ? "budget" : "loose", options.solver, budget ? 1e-3 : 2e-5, 5);
      arena_free(&scratch);
    }
}

static void blocks_have_the_same_bits_on_all_threads(void **state)
{
  (void)state;
  static solved alone;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    prepare_crowd(dimension, dimension == 2 ? 20 : 7, 0.4, false, 5);
    for (int32_t threads = 1; threads <= 8; threads = threads == 3 ? 8 : threads + 1) {
      assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, threads, 1e-7, 60000, &answer), FLOC_OK);
      assert_true(answer.report.converged);
      if (threads == 1) alone = answer;
      assert_memory_equal(alone.impulse, answer.impulse, sizeof alone.impulse);
      assert_memory_equal(alone.velocity, answer.velocity, sizeof alone.velocity);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_of_rows_satisfies_the_audit),
      cmocka_unit_test(large_islands_have_the_same_bits_on_all_threads),
      cmocka_unit_test(every_solver_of_blocks_satisfies_the_audit),
      cmocka_unit_test(sweeps_in_single_precision_hold_them),
      cmocka_unit_test(blocks_have_the_same_bits_on_all_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
