/*
 * contact_solve(): all solvers against each other and against the audit, on problems of every kind.
 */
#include "support.h"

#include "problems.h"

static const int32_t ALL_SOLVERS[] = {FLOC_SOLVER_AUTO, FLOC_SOLVER_UZAWA, FLOC_SOLVER_APGD};
enum { SOLVERS = 3 };
static const char *const SOLVER_NAME[] = {"auto", "uzawa", "apgd"};

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
                                  .particle_count = 2,
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
  assert_ok(&env, contact_solve(&env, &scratch, &it->problem, &options, it->impulse, velocity, report));
  assert_true(report->converged);
  arena_free(&scratch);
}

static void one_contact_is_exact(void **state)
{
  (void)state;
  for (int s = 0; s < SOLVERS; s++) {
    two_discs it;
    contact_report report;
    two_discs_create(&it, 1.0, 0.0, 0.0, 1); /* inelastic: both go on at 1/4 */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], 0.75, 1e-11);
    assert_close(it.out_x[0], 0.25, 1e-11);
    assert_close(it.out_x[1], 0.25, 1e-11);
    assert_int_equal(report.active, 1);
    two_discs_create(&it, 1.0, 0.2, 0.0, 1); /* a gap of 0.2 may close at 0.4 */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.out_x[0] - it.out_x[1], 0.4, 1e-11);
    two_discs_create(&it, -1.0, 0.0, -0.3, 1); /* glue gives its 0.3 and lets go */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], -0.3, 1e-15);
    assert_close(it.out_x[0], -0.7, 1e-11);
    two_discs_create(&it, -1.0, 0.0, -INFINITY, 1); /* glue without limit holds */
    two_discs_solve(&it, ALL_SOLVERS[s], &report);
    assert_close(it.impulse[0], -0.75, 1e-11);
    two_discs_create(&it, 1.0, 0.0, 0.0, -1); /* an obstacle stops it */
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
    all.problem.particle_count = 0;
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
    for (int64_t i = 0; i < a->problem.particle_count; i++)
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
  for (uint64_t seed = 1; seed <= 6; seed++) {
    cloud_options options = {.dimension = 2,
                             .particles = 7,
                             .seed = seed,
                             .spread = 0.5,
                             .range = 0.1,
                             .mass_decades = 6,
                             .mass_unit = 1};
    solvers_agree_on(&options, 1e-9, 1e-4);
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
