/*
 * contact_solve(): all solvers against each other and against the audit, on problems of every kind.
 */
#include "support.h"

#include "base/threads/parallel.h"
#include "problems.h"

static const int32_t ALL_SOLVERS[] = {FLOC_SOLVER_AUTO, FLOC_SOLVER_UZAWA, FLOC_SOLVER_APGD,
                                      FLOC_SOLVER_INTERIOR_POINT};
enum { SOLVERS = 4 };
static const char *const SOLVER_NAME[] = {"auto", "uzawa", "apgd", "interior_point"};

/* ---- exact cases ---- */

/* Two discs that approach along x, at distance 0; masses 1 and 3. */
typedef struct two_discs {
  double inverse_mass[2], vx[2], vy[2], nx[1], ny[1], distance[1], lower[1];
  int32_t first[1], second[1];
  double impulse[1], out_x[2], out_y[2];
  contact_problem problem;
} two_discs;

static void two_discs_create(two_discs *it, double closing, double distance, double lower, int32_t second)
{
  *it = (two_discs){.inverse_mass = {1.0, 1.0 / 3},
                    .vx = {closing, 0.0},
                    .nx = {1.0},
                    .distance = {distance},
                    .lower = {lower},
                    .first = {0},
                    .second = {second}};
  it->problem = (contact_problem){.dimension = 2,
                                  .time_step = 0.5,
                                  .body_count = 2,
                                  .inverse_mass = it->inverse_mass,
                                  .free_velocity = {it->vx, it->vy, NULL},
                                  .contact_count = 1,
                                  .first = it->first,
                                  .second = it->second,
                                  .normal = {it->nx, it->ny, NULL},
                                  .distance = it->distance,
                                  .lower = it->lower};
}

static void two_discs_solve(two_discs *it, int32_t solver, contact_report *report)
{
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  contact_options options = {.solver = solver, .tolerance = 1e-12, .max_iterations = 1000};
  double *velocity[3] = {it->out_x, it->out_y, NULL};
  assert_ok(&env, solve_rows(&env, &scratch, &it->problem, &options, it->impulse, velocity, report));
  assert_true(report->converged);
  arena_free(&scratch);
}

static void one_contact_is_exact(void **state)
{
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    two_discs it;
    contact_report report;
    two_discs_create(&it, 1.0, 0.0, 0.0, 1); /* inelastic: both continue at 1/4 */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], 0.75, 1e-11);
    assert_close(it.out_x[0], 0.25, 1e-11);
    assert_close(it.out_x[1], 0.25, 1e-11);
    assert_int_equal(report.active, 1);
    two_discs_create(&it, 1.0, 0.2, 0.0, 1); /* a gap of 0.2 may close at 0.4 */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.out_x[0] - it.out_x[1], 0.4, 1e-11);
    two_discs_create(&it, -1.0, 0.0, -0.3, 1); /* glue gives its 0.3 and releases */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], -0.3, 1e-15);
    assert_close(it.out_x[0], -0.7, 1e-11);
    two_discs_create(&it, -1.0, 0.0, -INFINITY, 1); /* glue without limit holds */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], -0.75, 1e-11);
    two_discs_create(&it, 1.0, 0.0, 0.0, -1); /* a body stops it */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.out_x[0], 0.0, 1e-11);
    assert_close(it.out_x[1], 0.0, 0.0);
    two_discs_create(&it, -1.0, 0.0, 0.0, 1); /* apart: nothing happens, and costs nothing */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_true(it.impulse[0] == 0.0 && it.out_x[0] == -1.0);
    assert_int_equal(report.iterations, 0);
    assert_int_equal(report.active, 0);
  }
}

static void a_first_guess_below_the_bound_is_clamped(void **state)
{
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    two_discs it;
    contact_report report;
    two_discs_create(&it, -1.0, 0.0, -0.3, 1);
    it.impulse[0] = -100.0;
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], -0.3, 0.0);
    two_discs_create(&it, -1.0, 0.0, 0.0, 1); /* a warm start that is not wanted any more */
    it.impulse[0] = 5.0;
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], 0.0, 0.0);
    assert_close(it.out_x[0], -1.0, 1e-12);
  }
}

static void no_contacts_and_no_particles(void **state)
{
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    environment env = test_environment(2);
    cloud all;
    contact_report report;
    cloud_create(&(cloud_options){.dimension = 3, .particles = 5, .spread = 1000, .seed = 3, .mass_unit = 1}, &all);
    assert_int_equal(all.problem.contact_count, 0);
    assert_ok(&env, cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-9, 100, &report));
    assert_true(report.converged && report.residual == 0.0 && report.iterations == 0);
    for (int axis = 0; axis < 3; axis++)
      for (int i = 0; i < 5; i++) assert_true(all.velocity[axis][i] == all.free_velocity[axis][i]);
    all.problem.body_count = 0;
    assert_ok(&env, cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-9, 100, &report));
    assert_true(report.converged);
    cloud_free(&all);
  }
}

static void an_unknown_solver_is_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  cloud all;
  contact_report report;
  cloud_create(&(cloud_options){.dimension = 2, .particles = 5, .spread = 0.3, .seed = 3, .mass_unit = 1}, &all);
  assert_int_equal(cloud_solve(&env, &all, 77, 1e-9, 100, &report), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "77"));
  cloud_free(&all);
}

/* ---- random problems ---- */

static double velocity_difference(const cloud *a, const cloud *b)
{
  double greatest = 0.0;
  for (int axis = 0; axis < a->problem.dimension; axis++)
    for (int64_t i = 0; i < a->problem.body_count; i++)
      greatest = fmax(greatest, fabs(a->velocity[axis][i] - b->velocity[axis][i]));
  return greatest;
}

/* Solves with every solver; velocities must agree, every residual must be what the audit says. */
static void solvers_agree_on(const cloud_options *options, double tolerance, double agreement)
{
  environment env = test_environment(1);
  cloud solved[SOLVERS];
  for (int s = 0; s < SOLVERS; s++) {
    contact_report report;
    cloud_create(options, &solved[s]);
    assert_ok(&env, cloud_solve(&env, &solved[s], ALL_SOLVERS[s], tolerance, 20000000, &report));
    double difference, audited = cloud_audit(&solved[s], &difference);
    if (!report.converged || !(fabs(audited - report.residual) <= 1e-13) || !(difference <= 1e-11))
      fail_msg("%s, seed %d, %d contacts: residual %g, audited %g, velocities differ by %g, %s after %d",
               SOLVER_NAME[s], (int)options->seed, (int)solved[s].problem.contact_count, report.residual, audited,
               difference, report.converged ? "converged" : "not converged", (int)report.iterations);
    for (int64_t a = 0; a < solved[s].problem.contact_count; a++)
      assert_true(solved[s].impulse[a] >= solved[s].lower[a]);
    double apart = velocity_difference(&solved[0], &solved[s]);
    if (!(apart <= agreement))
      fail_msg("%s and %s, seed %d: velocities differ by %g", SOLVER_NAME[0], SOLVER_NAME[s], (int)options->seed,
               apart);
  }
  for (int s = 0; s < SOLVERS; s++) cloud_free(&solved[s]);
}

static void solvers_agree_on_random_problems(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    cloud_options options = {.dimension = seed % 2 ? 2 : 3,
                             .particles = 12,
                             .seed = seed,
                             .spread = 0.8,
                             .range = 0.1,
                             .mass_decades = 1,
                             .mass_unit = 1};
    solvers_agree_on(&options, 1e-11, 1e-6);
  }
}

static void solvers_agree_on_rank_deficient_problems(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    cloud_options options = {.dimension = 2,
                             .particles = 6,
                             .seed = seed,
                             .spread = 0.4,
                             .range = 1.0,
                             .duplicates = true,
                             .mass_unit = 1};
    solvers_agree_on(&options, 1e-11, 1e-6);
  }
}

static void solvers_agree_on_glue_and_equalities(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    cloud_options options = {.dimension = seed % 2 ? 2 : 3,
                             .particles = 10,
                             .seed = seed,
                             .spread = 0.7,
                             .range = 0.1,
                             .gluey = true,
                             .equalities = true,
                             .mass_unit = 1};
    solvers_agree_on(&options, 1e-11, 1e-6);
  }
}

static void solvers_agree_over_six_decades_of_mass(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    cloud_options options = {.dimension = 2,
                             .particles = 6,
                             .seed = seed,
                             .spread = 0.5,
                             .range = 0.1,
                             .mass_decades = 6,
                             .mass_unit = 1};
    solvers_agree_on(&options, 1e-9, 1e-4);
  }
}

/* ---- an independent answer ---- */

/* Dense Gauss-Seidel in plain loops on A = G M^-1 G^T, unscaled; slow, and shares nothing. */
static void reference_velocities(const cloud *all, double *const velocity[3])
{
  const contact_problem *problem = &all->problem;
  size_t n = (size_t)problem->contact_count;
  double *matrix = must_allocate(n * n, sizeof(double)), *b = must_allocate(n, sizeof(double));
  double *p = must_allocate(n, sizeof(double));
  for (size_t r = 0; r < n; r++) {
    b[r] = problem->distance[r] / problem->time_step;
    for (int axis = 0; axis < problem->dimension; axis++) {
      double other = problem->second[r] >= 0 ? problem->free_velocity[axis][problem->second[r]] : 0.0;
      b[r] += problem->normal[axis][r] * (other - problem->free_velocity[axis][problem->first[r]]);
    }
    for (size_t c = 0; c < n; c++) {
      double dot = 0.0, sum = 0.0;
      for (int axis = 0; axis < problem->dimension; axis++)
        dot += problem->normal[axis][r] * problem->normal[axis][c];
      const int32_t row[2] = {problem->first[r], problem->second[r]},
                    column[2] = {problem->first[c], problem->second[c]};
      for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++)
          if (row[s] >= 0 && row[s] == column[t]) sum += (s == t ? 1.0 : -1.0) * problem->inverse_mass[row[s]];
      matrix[r * n + c] = dot * sum;
    }
  }
  double change = 1.0;
  for (int sweep = 0; sweep < 400000 && change > 1e-13; sweep++) {
    change = 0.0;
    for (size_t r = 0; r < n; r++) {
      double w = b[r];
      for (size_t c = 0; c < n; c++) w += matrix[r * n + c] * p[c];
      double next = fmax(problem->lower[r], p[r] - w / matrix[r * n + r]);
      change = fmax(change, fabs(next - p[r]) * matrix[r * n + r]);
      p[r] = next;
    }
  }
  assert_true(change <= 1e-13);
  audit_rows(problem, p, velocity);
  free(matrix);
  free(b);
  free(p);
}

static void the_default_agrees_with_dense_gauss_seidel(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (uint64_t seed = 1; seed <= 10; seed++) {
    cloud all, reference;
    contact_report report;
    cloud_options options = {.dimension = seed % 2 ? 2 : 3,
                             .particles = 9,
                             .seed = 50 + seed,
                             .spread = 0.6,
                             .range = 0.15,
                             .mass_decades = 2,
                             .gluey = seed % 3 == 0,
                             .mass_unit = 1};
    cloud_create(&options, &all);
    cloud_create(&options, &reference);
    assert_ok(&env, cloud_solve(&env, &all, FLOC_SOLVER_AUTO, 1e-13, 100000, &report));
    reference_velocities(&reference, reference.velocity);
    assert_true(velocity_difference(&all, &reference) < 1e-8);
    cloud_free(&all);
    cloud_free(&reference);
  }
}

/* Piles on a lattice have many more contacts than they need, and are one island for the big-island solvers. */
static void large_islands_agree_with_the_reference(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int k = 0; k < 4; k++) {
    cloud_options options = {.dimension = 2 + k % 2,
                             .particles = 500,
                             .seed = (uint64_t)k,
                             .mass_decades = k % 2,
                             .gluey = k >= 2,
                             .mass_unit = 1};
    cloud all, reference;
    contact_report report;
    lattice_create(&options, 25, &all);
    lattice_create(&options, 25, &reference);
    assert_true(all.problem.contact_count > 1200);
    contact_options all_at_once = {.tolerance = 1e-11, .max_iterations = 100000, .working_gap = 1e3};
    arena scratch;
    arena_init(&scratch, &env);
    assert_ok(&env, solve_rows(&env, &scratch, &all.problem, &all_at_once, all.impulse, all.velocity, &report));
    arena_free(&scratch);
    assert_true(report.converged && report.islands == 1);
    double difference;
    assert_close(cloud_audit(&all, &difference), report.residual, 1e-14);
    assert_ok(&env, cloud_solve(&env, &reference, FLOC_SOLVER_APGD, 1e-11, 100000, &report));
    assert_true(report.converged);
    assert_true(velocity_difference(&all, &reference) < 1e-6);
    cloud_free(&all);
    cloud_free(&reference);
  }
}

/* Contacts that the working set does not hold at first are taken in when they turn out violated: a row of
 * discs, of which only the first is hit. */
static void a_shock_runs_through_the_working_set(void **state)
{
  (void)state;
  enum { DISCS = 40 };
  environment env = test_environment(1);
  double inverse_mass[DISCS], vx[DISCS] = {1}, vy[DISCS] = {0}, nx[DISCS], ny[DISCS] = {0}, distance[DISCS] = {0};
  double lower[DISCS] = {0}, impulse[DISCS] = {0}, x[DISCS], y[DISCS];
  int32_t first[DISCS], second[DISCS];
  for (int k = 0; k < DISCS; k++) {
    inverse_mass[k] = nx[k] = 1.0;
    first[k] = k;
    second[k] = k + 1;
  }
  contact_problem problem = {.dimension = 2,
                             .time_step = 0.1,
                             .body_count = DISCS,
                             .inverse_mass = inverse_mass,
                             .free_velocity = {vx, vy, NULL},
                             .contact_count = DISCS - 1,
                             .first = first,
                             .second = second,
                             .normal = {nx, ny, NULL},
                             .distance = distance,
                             .lower = lower};
  const double gaps[] = {0.0, 1e-12, 1e-3, 1e3};
  for (int k = 0; k < 4; k++) {
    contact_options options = {.tolerance = 1e-11, .max_iterations = 1000, .working_gap = gaps[k]};
    contact_report report;
    double *velocity[3] = {x, y, NULL};
    arena scratch;
    arena_init(&scratch, &env);
    memset(impulse, 0, sizeof impulse);
    assert_ok(&env, solve_rows(&env, &scratch, &problem, &options, impulse, velocity, &report));
    arena_free(&scratch);
    assert_true(report.converged);
    for (int i = 0; i < DISCS; i++) assert_close(x[i], 1.0 / DISCS, 1e-8);
  }
}

/* ---- units ---- */

static void results_do_not_depend_on_the_unit_of_mass(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int s = 0; s < SOLVERS; s++) {
    for (int k = 0; k < 2; k++) {
      cloud_options options = {.dimension = 2 + k,
                               .particles = 60,
                               .seed = 4,
                               .spread = 1.8,
                               .range = 0.1,
                               .gluey = true,
                               .mass_unit = 1};
      cloud kilograms, other;
      contact_report report, report_other;
      cloud_create(&options, &kilograms);
      assert_ok(&env, cloud_solve(&env, &kilograms, ALL_SOLVERS[s], 1e-10, 100000, &report));
      const double units[] = {1e-9, 1e12};
      options.mass_unit = units[k];
      cloud_create(&options, &other);
      assert_ok(&env, cloud_solve(&env, &other, ALL_SOLVERS[s], 1e-10, 100000, &report_other));
      assert_true(report.converged && report_other.converged);
      assert_true(velocity_difference(&kilograms, &other) < 1e-6);
      assert_close((double)report_other.iterations, (double)report.iterations, 0.1 * (double)report.iterations + 2);
      for (int64_t a = 0; a < kilograms.problem.contact_count; a++)
        assert_close(other.impulse[a] / units[k], kilograms.impulse[a], 1e-4);
      cloud_free(&kilograms);
      cloud_free(&other);
    }
  }
}

/* ---- threads ---- */

static const cloud_options CROWDS[] = {
    {.dimension = 2, .particles = 1500, .seed = 5, .spread = 6, .range = 0.02, .gluey = true, .mass_unit = 1},
    {.dimension = 2, .particles = 1500, .seed = 6, .spread = 10, .range = 0.02, .mass_decades = 2, .mass_unit = 1},
};

static void forget_solution(cloud *all)
{
  memset(all->impulse, 0, (size_t)all->problem.contact_count * sizeof(double));
  for (int axis = 0; axis < 3; axis++)
    memset(all->velocity[axis], 0, (size_t)all->problem.body_count * sizeof(double));
}

static void same_bits_with_threads(cloud *all, int solvers, double tolerance, int64_t cap)
{
  size_t impulse_bytes = (size_t)all->problem.contact_count * sizeof(double);
  size_t velocity_bytes = (size_t)all->problem.body_count * sizeof(double);
  double *impulse = must_allocate(impulse_bytes, 1), *velocity = must_allocate(velocity_bytes, 3);
  for (int s = 0; s < solvers; s++) {
    const int32_t threads[] = {1, 2, 2, 3, 7};
    const bool team[] = {false, false, true, true, true};
    contact_report first = {0};
    for (int t = 0; t < 5; t++) {
      environment env = test_environment(threads[t]);
      if (team[t]) parallel_call_team(&env);
      contact_report report;
      forget_solution(all);
      assert_ok(&env, cloud_solve(&env, all, ALL_SOLVERS[s], tolerance, cap, &report));
      parallel_dismiss_team(&env);
      if (t == 0) {
        first = report;
        memcpy(impulse, all->impulse, impulse_bytes);
        for (int axis = 0; axis < 3; axis++)
          memcpy((char *)velocity + (size_t)axis * velocity_bytes, all->velocity[axis], velocity_bytes);
        continue;
      }
      assert_memory_equal(&report.residual, &first.residual, sizeof(double));
      assert_true(report.iterations == first.iterations && report.islands == first.islands &&
                  report.active == first.active && report.converged == first.converged);
      assert_memory_equal(all->impulse, impulse, impulse_bytes);
      for (int axis = 0; axis < 3; axis++)
        assert_memory_equal(all->velocity[axis], (char *)velocity + (size_t)axis * velocity_bytes, velocity_bytes);
    }
  }
  free(impulse);
  free(velocity);
}

static void same_bits_at_any_number_of_threads(void **state)
{
  (void)state;
  cloud all;
  for (size_t c = 0; c < sizeof CROWDS / sizeof *CROWDS; c++) { /* many islands */
    cloud_create(&CROWDS[c], &all);
    same_bits_with_threads(&all, SOLVERS, 1e-5, 30);
    cloud_free(&all);
  }
  /* one island in which single colours are worth several blocks, and with them every loop */
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    cloud_options options = {.dimension = dimension,
                             .particles = 11000,
                             .seed = 7,
                             .mass_decades = 1,
                             .gluey = dimension == 3,
                             .mass_unit = 1};
    lattice_create(&options, 110, &all);
    assert_true(all.problem.contact_count > 30000);
    same_bits_with_threads(&all, dimension == 2 ? SOLVERS : 1, 1e-9, 3);
    cloud_free(&all);
  }
}

/* ---- what must not go wrong ---- */

static void free_fall_costs_nothing(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int s = 0; s < SOLVERS; s++) {
    cloud all;
    contact_report report;
    cloud_options options = {
        .dimension = 2, .particles = 200, .seed = 8, .spread = 3.0, .range = 0.1, .mass_unit = 1};
    cloud_create(&options, &all);
    assert_true(all.problem.contact_count > 100);
    for (int64_t i = 0; i < 200; i++) all.free_velocity[0][i] = all.free_velocity[1][i] = 0.0;
    for (int64_t i = 0; i < 200; i++) all.free_velocity[1][i] = 3.0; /* away from the floor, all together */
    assert_ok(&env, cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-9, 100, &report));
    assert_true(report.converged && report.iterations == 0 && report.active == 0 && report.residual == 0.0);
    cloud_free(&all);
  }
}

/* A disc in a gap that is too narrow for it: both walls cannot be satisfied. */
static void infeasible_problems_return_the_best_iterate(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int s = 0; s < SOLVERS; s++) {
    double inverse_mass[] = {1, 1}, vx[] = {0, 0}, vy[] = {0, 0}, nx[] = {-1, 1, 1}, ny[] = {0, 0, 0};
    double distance[] = {-0.1, -0.1, -0.01}, lower[] = {0, 0, 0}, impulse[] = {0, 0, 0}, x[2], y[2];
    int32_t first[] = {0, 0, 0}, second[] = {-1, -1, 1};
    contact_problem problem = {.dimension = 2,
                               .time_step = 0.1,
                               .body_count = 2,
                               .inverse_mass = inverse_mass,
                               .free_velocity = {vx, vy, NULL},
                               .contact_count = 3,
                               .first = first,
                               .second = second,
                               .normal = {nx, ny, NULL},
                               .distance = distance,
                               .lower = lower};
    contact_options options = {.solver = ALL_SOLVERS[s], .tolerance = 1e-9, .max_iterations = 500};
    contact_report report;
    double *velocity[3] = {x, y, NULL};
    arena scratch;
    arena_init(&scratch, &env);
    assert_ok(&env, solve_rows(&env, &scratch, &problem, &options, impulse, velocity, &report));
    arena_free(&scratch);
    assert_false(report.converged);
    assert_true(report.residual < 0.15); /* 0.1 is the least that is possible */
    assert_true(report.iterations <= 500 + 2);
    for (int k = 0; k < 3; k++) assert_true(isfinite(impulse[k]));
    double audited = audit_rows(&problem, impulse, velocity);
    assert_close(report.residual, audited, 1e-12);
  }
}

/* What is not a number cannot be solved: that costs nothing, is reported, and does not spread to other islands. */
static void a_nan_is_reported_and_stays_where_it_is(void **state)
{
  (void)state;
  environment env = test_environment(1);
  const double bad[] = {NAN, INFINITY};
  for (int s = 0; s < SOLVERS; s++) {
    for (int k = 0; k < 2; k++) {
      cloud all;
      contact_report report;
      cloud_create(&CROWDS[1], &all);
      all.free_velocity[0][all.first[5]] = bad[k];
      assert_ok(&env, cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-6, 20000, &report));
      assert_true(!report.converged && !(report.residual <= 1e-6));
      int64_t finite = 0;
      for (int64_t i = 0; i < all.problem.body_count; i++) finite += isfinite(all.velocity[0][i]);
      if (ALL_SOLVERS[s] == FLOC_SOLVER_AUTO) assert_true(finite > all.problem.body_count / 2);
      cloud_free(&all);
    }
  }
}

/* The limit is kept, and more iterations never give a worse answer. */
static void the_best_iterate_is_returned_at_the_cap(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int s = 0; s < SOLVERS; s++) {
    double before = INFINITY;
    const int64_t caps[] = {1, 2, 5, 20, 80, 320, 5000};
    int count = ALL_SOLVERS[s] == FLOC_SOLVER_UZAWA ? 6 : 7; /* 5000 are not enough for it here */
    for (int k = 0; k < count; k++) {
      cloud all;
      contact_report report;
      cloud_create(&CROWDS[0], &all);
      assert_ok(&env, cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-7, caps[k], &report));
      assert_true(report.iterations <= caps[k] + 1);
      /* auto judges islands one by one, and what it has not taken in yet only between rounds */
      double allowed = ALL_SOLVERS[s] == FLOC_SOLVER_AUTO ? 1.3 * before : before;
      if (!(report.residual <= allowed))
        fail_msg("%s: residual %g after %d products, %g before", SOLVER_NAME[s], report.residual,
                 (int)report.iterations, before);
      assert_true(report.converged == (report.residual <= 1e-7));
      before = report.residual;
      cloud_free(&all);
    }
    if (count == 7 && !(before <= 1e-7))
      fail_msg("%s: residual %g after %d products", SOLVER_NAME[s], before, (int)caps[6]);
  }
}

/* A good first guess is recognised: solving again from the solution costs a product or two. */
static void the_solution_is_a_fixed_point(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int s = 0; s < SOLVERS; s++) {
    cloud all;
    contact_report report;
    cloud_options options = {
        .dimension = 2, .particles = 300, .seed = 9, .spread = 4, .range = 0.02, .mass_unit = 1};
    cloud_create(&options, &all);
    assert_ok(&env, cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-8, 100000, &report));
    assert_true(report.converged);
    assert_ok(&env, cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-7, 100000, &report));
    if (!report.converged || report.iterations > 2)
      fail_msg("%s: residual %g after %d products", SOLVER_NAME[s], report.residual, (int)report.iterations);
    cloud_free(&all);
  }
}

/* One big sphere that touches hundreds of small ones needs more colours than there are. */
static void a_body_with_very_many_contacts(void **state)
{
  (void)state;
  enum { SMALL = 700 };
  static double inverse_mass[SMALL + 1], v[3][SMALL + 1], normal[3][SMALL], distance[SMALL], lower[SMALL];
  static double impulse[SMALL], out[3][SMALL + 1];
  static int32_t first[SMALL], second[SMALL];
  inverse_mass[0] = 1e-3;
  for (int k = 0; k < SMALL; k++) {
    double turn = 2.399963229728653 * k, height = 1.0 - 2.0 * (k + 0.5) / SMALL, flat = sqrt(1.0 - height * height);
    const double n[3] = {flat * cos(turn), flat * sin(turn), height};
    inverse_mass[k + 1] = 1.0;
    first[k] = 0;
    second[k] = k + 1;
    for (int axis = 0; axis < 3; axis++) {
      normal[axis][k] = n[axis];
      v[axis][k + 1] = axis == 2 ? -1.0 : 0.0;
    }
  }
  contact_problem problem = {.dimension = 3,
                             .time_step = 0.01,
                             .body_count = SMALL + 1,
                             .inverse_mass = inverse_mass,
                             .free_velocity = {v[0], v[1], v[2]},
                             .contact_count = SMALL,
                             .first = first,
                             .second = second,
                             .normal = {normal[0], normal[1], normal[2]},
                             .distance = distance,
                             .lower = lower};
  double *velocity[3] = {out[0], out[1], out[2]};
  for (int s = 0; s < SOLVERS; s++) {
    double one[3][SMALL + 1];
    for (int32_t threads = 1; threads <= 3; threads += 2) {
      environment env = test_environment(threads);
      arena scratch;
      arena_init(&scratch, &env);
      contact_options options = {.solver = ALL_SOLVERS[s], .tolerance = 1e-10, .max_iterations = 100000};
      contact_report report;
      memset(impulse, 0, sizeof impulse);
      assert_ok(&env, solve_rows(&env, &scratch, &problem, &options, impulse, velocity, &report));
      arena_free(&scratch);
      assert_true(report.converged);
      assert_close(audit_rows(&problem, impulse, velocity), report.residual, 1e-13);
      if (threads == 1)
        memcpy(one, out, sizeof one);
      else
        assert_memory_equal(one, out, sizeof one);
    }
  }
}

/* ---- memory ---- */

typedef struct failing_memory {
  int64_t calls, fail_at;
  int64_t bytes;
} failing_memory;

static void *failing_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  failing_memory *memory = context;
  if (new_size > 0 && ++memory->calls == memory->fail_at) return NULL;
  memory->bytes += (int64_t)new_size - (int64_t)old_size;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static void every_failed_allocation_is_reported(void **state)
{
  (void)state;
  for (size_t c = 0; c < 2; c++) {
    cloud all;
    cloud_options options = CROWDS[c];
    options.particles = 800;
    options.spread = 3.3;
    cloud_create(&options, &all);
    for (int s = 0; s < SOLVERS; s++) {
      bool refused = true;
      for (int64_t fail_at = 1; refused; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        environment env = {.allocate = failing_allocate, .allocate_context = &memory, .threads = 2};
        contact_report report;
        forget_solution(&all);
        floc_status status = cloud_solve(&env, &all, ALL_SOLVERS[s], 1e-6, 40, &report);
        refused = memory.calls >= fail_at;
        assert_int_equal(status, refused ? FLOC_OUT_OF_MEMORY : FLOC_OK);
        if (refused) assert_non_null(strstr(env.message, "out of memory"));
        assert_int_equal(memory.bytes, 0);
        assert_true(fail_at < 200);
      }
    }
    cloud_free(&all);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_is_exact),
      cmocka_unit_test(a_first_guess_below_the_bound_is_clamped),
      cmocka_unit_test(no_contacts_and_no_particles),
      cmocka_unit_test(an_unknown_solver_is_refused),
      cmocka_unit_test(solvers_agree_on_random_problems),
      cmocka_unit_test(solvers_agree_on_rank_deficient_problems),
      cmocka_unit_test(solvers_agree_on_glue_and_equalities),
      cmocka_unit_test(solvers_agree_over_six_decades_of_mass),
      cmocka_unit_test(the_default_agrees_with_dense_gauss_seidel),
      cmocka_unit_test(large_islands_agree_with_the_reference),
      cmocka_unit_test(a_shock_runs_through_the_working_set),
      cmocka_unit_test(results_do_not_depend_on_the_unit_of_mass),
      cmocka_unit_test(same_bits_at_any_number_of_threads),
      cmocka_unit_test(free_fall_costs_nothing),
      cmocka_unit_test(infeasible_problems_return_the_best_iterate),
      cmocka_unit_test(a_nan_is_reported_and_stays_where_it_is),
      cmocka_unit_test(the_best_iterate_is_returned_at_the_cap),
      cmocka_unit_test(the_solution_is_a_fixed_point),
      cmocka_unit_test(a_body_with_very_many_contacts),
      cmocka_unit_test(every_failed_allocation_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
