/* The critical time step of soft contacts, against closed forms and against what steps just below and above it do.
 */
#include "element_support.h"

#include <stdio.h>

static const double PI = 3.14159265358979323846;

static critical_step critical_of(element_test *test)
{
  critical_step critical;
  arena_reset(&test->scratch);
  assert_ok(&test->env, element_critical(test->method.state, &test->table, &test->obstacles, &test->box, test->near,
                                         test->time_step, &test->scratch, &critical));
  return critical;
}

/* Two spheres that a constant force presses together (a near field of exponent 0). */
typedef struct pressed_pair {
  int32_t law;
  double damping, tangential; /* tangential: stiffness of friction springs, 0: no friction, no rotation */
  double first, second;       /* masses */
  double rest;                /* overlap at rest, radii are 1 */
} pressed_pair;

static const double STIFFNESS = 300.0, MODULUS = 200.0, POISSON = 0.25;

/* The force that holds them at rest, and its slope. */
static double force_at_rest(const pressed_pair *of, double *slope)
{
  double effective = 0.5 * MODULUS / (1.0 - POISSON * POISSON);
  *slope = of->law == FLOC_CONTACT_FORCE_HERTZ ? 2.0 * effective * sqrt(0.5 * of->rest) : STIFFNESS;
  return of->law == FLOC_CONTACT_FORCE_HERTZ ? 4.0 / 3.0 * effective * sqrt(0.5 * of->rest) * of->rest
                                             : STIFFNESS * of->rest;
}

static void begin_pair(element_test *test, const pressed_pair *of, int32_t integrator)
{
  double slope;
  floc_discrete_element_options options = verlet_options();
  options.integrator = integrator;
  options.contact_force = of->law;
  options.stiffness = STIFFNESS;
  options.young_modulus = MODULUS;
  options.poisson_ratio = POISSON;
  options.damping = of->damping;
  options.attraction = force_at_rest(of, &slope);
  options.attraction_exponent = 0.0;
  options.adaptive = false;
  options.iterations = 1000;
  options.tolerance = 1e-6;
  if (of->tangential > 0.0) {
    options.rotation = true;
    options.friction = FLOC_FRICTION_SPRING;
    options.friction_static = options.friction_dynamic = 1e6;
    options.friction_stiffness = of->tangential;
  }
  element_test_begin(test, 1, 3, &options);
  add_element(test, 0, 0, 0, 1.0, of->first);
  add_element(test, 2.0 - of->rest + 1e-6, 0, 0, 1.0, of->second);
}

/* How far the overlap gets from rest, or the spins from 0, in many steps of factor times the critical one. */
static double swing(const pressed_pair *of, double factor, critical_step *critical)
{
  element_test test;
  begin_pair(&test, of, FLOC_INTEGRATOR_VELOCITY_VERLET);
  double *const *at = test.table.column;
  test.time_step = 1e-9;
  run_steps(&test, 1); /* makes the lists */
  *critical = critical_of(&test);
  test.time_step = factor * critical->time_step;
  if (of->tangential > 0.0) at[COLUMN_vy][0] = 1e-7, at[COLUMN_vy][1] = -1e-7;
  double worst = 0.0;
  for (int k = 0; k < 1500 && worst < 0.01; k++) {
    if (element_test_step(&test) != FLOC_OK) worst = INFINITY;
    double way[3];
    for (int axis = 0; axis < 3; axis++) way[axis] = at[COLUMN_x + axis][1] - at[COLUMN_x + axis][0];
    worst = fmax(worst, fabs(sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) - 2.0 + of->rest));
    if (of->tangential > 0.0) worst = fmax(worst, fabs(column(&test, "wz")[0]));
  }
  element_test_end(&test);
  return worst;
}

static void expect_limit(const pressed_pair *of, double expected)
{
  critical_step critical;
  double below = swing(of, 0.99, &critical);
  assert_close(critical.time_step, expected, 2e-6 * expected); /* the overlap is 1e-6 off its rest */
  assert_int_equal(critical.id, of->first <= of->second ? 1 : 2);
  assert_true(below < 1e-4);
  assert_true(swing(of, 1.01, &critical) >
              0.01); /* from 1e-6; where damping grows with the overlap it ends at 0.02 */
}

/* (2/omega) (sqrt(1 + zeta^2) - zeta), omega^2 = k (1/m_1 + 1/m_2). */
static void two_spheres_along_their_line(void **state)
{
  (void)state;
  static const double damping[] = {0.0, 2.0, 40.0};
  for (int k = 0; k < 6; k++) {
    pressed_pair of = {
        k < 3 ? FLOC_CONTACT_FORCE_HOOKE : FLOC_CONTACT_FORCE_HERTZ, damping[k % 3], 0.0, 3.0, 1.0, 0.5};
    double slope, inverse = 1.0 / of.first + 1.0 / of.second;
    force_at_rest(&of, &slope);
    /* Hertz's dashpot is per area pi R* overlap (19) */
    double c = k < 3 ? of.damping : of.damping * PI * 0.5 * of.rest, omega = sqrt(slope * inverse);
    double zeta = c * inverse / (2.0 * omega);
    expect_limit(&of, 2.0 / omega * (sqrt(1.0 + zeta * zeta) - zeta));
  }
}

/* A stiff friction spring turns the two: omega^2 = k_t (1/m_1 + a^2/I_1 + 1/m_2 + a^2/I_2), a the distance from
 * the contact; where two meet it is the radius. */
static void two_spheres_across_their_line(void **state)
{
  (void)state;
  pressed_pair of = {FLOC_CONTACT_FORCE_HOOKE, 0.0, 4.0 * STIFFNESS, 1.0, 3.0, 0.001};
  double arm = 1.0, sum = 0.0;
  for (int k = 0; k < 2; k++) {
    double m = k == 0 ? of.first : of.second;
    sum += 1.0 / m + arm * arm / (0.4 * m);
  }
  expect_limit(&of, 2.0 / sqrt(of.tangential * sum));
}

/* The iteration of the trapezoidal rule: converges below, does not above. */
static void iteration_of_the_trapezoidal_rule(void **state)
{
  (void)state;
  pressed_pair of = {FLOC_CONTACT_FORCE_HOOKE, 2.0, 0.0, 1.0, 1.0, 0.3};
  for (int above = 0; above < 2; above++) {
    element_test test;
    begin_pair(&test, &of, FLOC_INTEGRATOR_TRAPEZOIDAL);
    test.time_step = 1e-9;
    run_steps(&test, 1);
    test.time_step = (above ? 1.02 : 0.98) * critical_of(&test).time_step;
    test.table.column[COLUMN_x][1] += 1e-3;
    test.report.unconverged_steps = 0;
    floc_status status = element_test_step(&test);
    bool converged = status == FLOC_OK && test.report.unconverged_steps == 0;
    assert_true(converged == !above);
    if (above && status == FLOC_OK) assert_true(test.report.greatest_residual > 1.0); /* in tolerances */
    element_test_end(&test);
  }
}

/* A ring of equal spheres: omega^2 = 4 k/m, and the bound is exact. Alone, one meets a wall or its like. */
static void chains_and_single_spheres(void **state)
{
  (void)state;
  enum { COUNT = 20 };
  floc_discrete_element_options options = verlet_options();
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = STIFFNESS;
  element_test test;
  element_test_begin(&test, 1, 3, &options);
  test.box.lower[0] = 0.0, test.box.upper[0] = test.box.length[0] = COUNT * 1.9;
  test.box.boundary[0] = FLOC_BOUNDARY_PERIODIC;
  assert_true(critical_of(&test).time_step == INFINITY);
  add_element(&test, 0.5, 0, 0, 1.0, 2.0);
  assert_close(critical_of(&test).time_step, 2.0 * sqrt(2.0 / STIFFNESS), 1e-12);
  for (int k = 1; k < COUNT; k++) add_element(&test, 0.5 + 1.9 * k, 0, 0, 1.0, 2.0);
  assert_close(critical_of(&test).time_step, 2.0 * sqrt(1.0 / STIFFNESS), 1e-12); /* nothing is in contact yet */
  test.time_step = 1e-9;
  run_steps(&test, 1);
  assert_close(critical_of(&test).time_step, 2.0 / sqrt(4.0 * STIFFNESS / 2.0), 1e-7);
  element_test_end(&test);

  options.contact_force = FLOC_CONTACT_FORCE_HERTZ;
  options.young_modulus = MODULUS;
  options.poisson_ratio = POISSON;
  element_test_begin(&test, 1, 3, &options);
  add_element(&test, 0, 0, 0, 0.5, 2.0);
  add_element(&test, 3, 0, 0, 0.25, 1.0);
  double density = 1.0 / (4.0 / 3.0 * PI * 0.25 * 0.25 * 0.25), shear = MODULUS / (2.0 * (1.0 + POISSON));
  assert_close(critical_of(&test).time_step, PI * 0.25 * sqrt(density / shear) / (0.1631 * POISSON + 0.8766),
               1e-12);
  element_test_end(&test);
}

/* The slope of the penalty force (13) and of a bond, against differences of the work that they store. */
static void penalty_and_bonds(void **state)
{
  (void)state;
  for (int bonded = 0; bonded < 2; bonded++) {
    floc_discrete_element_options options = verlet_options();
    options.stiffness = 1e4;
    options.bond_stiffness = 1e3;
    options.bond_tangential_stiffness = 0.0;
    options.bond_law = bonded ? FLOC_BOND_PERSISTENT : FLOC_BOND_NONE;
    options.bond_breaking = 0.5;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    double distance = bonded ? 1.6 : 1.3, step = 1e-4, energy[3];
    add_element(&test, 0, 0, 0, 0.5, 1.0);
    add_element(&test, bonded ? 1.3 : distance, 0, 0, 1.0, 4.0);
    test.time_step = 1e-9;
    run_steps(&test, 1); /* overlaps, so a bond forms */
    for (int k = 0; k < 3; k++) {
      test.table.column[COLUMN_x][0] = 0.0, test.table.column[COLUMN_x][1] = distance + (k - 1) * step;
      floc_discrete_element_report report = element_report(&test);
      energy[k] = report.contact_energy + report.bond_energy;
    }
    test.table.column[COLUMN_x][1] = distance;
    double slope = (energy[0] - 2.0 * energy[1] + energy[2]) / (step * step);
    double expected = 2.0 / sqrt(slope * (1.0 + 0.25));
    assert_close(critical_of(&test).time_step, expected, 1e-5 * expected);
    element_test_end(&test);
  }
}

/* ---- the warning ---- */

typedef struct note {
  int lines;
  char text[512];
} note;

static void take_line(void *context, int32_t level, const char *line)
{
  note *to = context;
  assert_int_equal(level, 1);
  to->lines++;
  snprintf(to->text, sizeof to->text, "%s", line);
}

static void says_so_once(void **state)
{
  (void)state;
  pressed_pair of = {FLOC_CONTACT_FORCE_HOOKE, 0.0, 0.0, 3.0, 1.0, 0.3};
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    element_test test;
    note heard = {0};
    begin_pair(&test, &of, adaptive ? FLOC_INTEGRATOR_TRAPEZOIDAL : FLOC_INTEGRATOR_VELOCITY_VERLET);
    floc_discrete_element_options *options = &((discrete_element *)test.method.state)->options;
    options->adaptive = true, options->iterations = 10;
    test.env.log = take_line;
    test.env.log_context = &heard;
    test.time_step = 0.09; /* 2 sqrt(0.75/300) = 0.1 */
    run_steps(&test, 3);
    assert_int_equal(heard.lines, 0);
    test.time_step = 0.11;
    run_steps(&test, 3);
    assert_int_equal(heard.lines, adaptive ? 0 : 1);
    if (!adaptive)
      assert_string_equal(
          heard.text,
          "the time step 0.11 is above the critical time step of the contacts, 0.1 (particle 2, step 3): "
          "they may gain energy from step to step; a tenth of the critical time step is usual");
    element_test_end(&test);
  }
}

/* Contacts that come later, and many of them: said after the step that made them. */
static void says_so_when_contacts_come(void **state)
{
  (void)state;
  floc_discrete_element_options options = verlet_options();
  options.contact_force = FLOC_CONTACT_FORCE_PENALTY;
  options.stiffness = 1e6;
  element_test test;
  note heard = {0};
  element_test_begin(&test, 1, 3, &options);
  test.env.log = take_line;
  test.env.log_context = &heard;
  add_element(&test, 0, 0, 0, 1.0, 1.0);
  add_element(&test, 2.5, 0, 0, 1.0, 1.0);
  test.table.column[COLUMN_vx][1] = -10.0;
  test.time_step = 0.02;
  run_steps(&test, 2);
  assert_int_equal(heard.lines, 0);
  for (int k = 0; k < 8; k++)
    if (element_test_step(&test) != FLOC_OK) break;
  assert_int_equal(heard.lines, 1);
  element_test_end(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_spheres_along_their_line),
      cmocka_unit_test(two_spheres_across_their_line),
      cmocka_unit_test(iteration_of_the_trapezoidal_rule),
      cmocka_unit_test(chains_and_single_spheres),
      cmocka_unit_test(penalty_and_bonds),
      cmocka_unit_test(says_so_once),
      cmocka_unit_test(says_so_when_contacts_come),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
