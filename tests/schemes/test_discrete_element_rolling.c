/*
 * Rolling resistance of discrete elements: where a rolling disc and a rolling sphere stop, what a slope does to
 * them, the energy that it takes and the energy that its spring stores, what pairs and bodies keep of angular
 * momentum, the critical time step, and refused options. Threads, resume and storage:
 * test_discrete_element_state.c.
 */
#include "schemes/element_support.h"

#include "geometry/vector.h"
#include "schemes/discrete_element/law.h"

static const double radius = 0.1, gravity = 10.0;

/* A ball of mass 1 that hardly sinks in. */
static floc_discrete_element_options hard_options(double rolling_friction)
{
  floc_discrete_element_options options = verlet_options();
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e7;
  options.damping = 1e3;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 1e6;
  options.friction_damping = 300.0;
  options.friction_static = options.friction_dynamic = 0.5;
  options.rolling_friction = rolling_friction;
  options.rolling_stiffness = rolling_friction > 0.0 ? 1e5 : 0.0;
  options.rolling_damping = 300.0;
  return options;
}

static double turning_inertia(int32_t dimension)
{
  return dimension == 2 ? 0.5 : 0.4; /* over m r^2 */
}

static void lean(element_test *test, double slope)
{
  bool space = test->box.dimension == 3;
  test->gravity[0] = gravity * sin(slope) * (space ? 0.6 : 1.0);
  test->gravity[1] = -gravity * cos(slope);
  test->gravity[2] = gravity * sin(slope) * (space ? 0.8 : 0.0);
}

/* On a floor across y, pressed as deep as its weight wants; it rolls without sliding, in space obliquely. */
static void begin_ball(element_test *test, int32_t dimension, const floc_discrete_element_options *options,
                       double speed, double slope)
{
  element_test_begin(test, 1, dimension, options);
  floc_shape ground = floor_shape(1);
  add_fixed_body(test, &ground);
  double depth =
      options->contact_force == FLOC_CONTACT_FORCE_HOOKE ? gravity * cos(slope) / options->stiffness : 0.0;
  add_element(test, 0.0, radius - depth, 0.0, radius, 1.0);
  double ahead[3] = {1.0, 0.0, 0.0}, up[3] = {0.0, 1.0, 0.0}, axis[3];
  if (dimension == 3) ahead[0] = 0.6, ahead[2] = 0.8;
  vector_cross(up, ahead, axis);
  static const char *const names[3] = {"wx", "wy", "wz"};
  for (int k = 0; k < dimension; k++) test->table.column[COLUMN_vx + k][0] = speed * ahead[k];
  for (int k = dimension == 2 ? 2 : 0; k < 3; k++) column(test, names[k])[0] = speed / radius * axis[k];
  lean(test, slope);
  test->time_step = 2e-5;
}

static double way_gone(const element_test *test)
{
  double x = test->table.column[COLUMN_x][0], z = test->table.column[COLUMN_z][0];
  return sqrt(x * x + z * z);
}

static double speed_of(const element_test *test)
{
  double *const *v = &test->table.column[COLUMN_vx];
  return sqrt(v[0][0] * v[0][0] + v[1][0] * v[1][0] + v[2][0] * v[2][0]);
}

/* ---- stop ---- */

/* A limit b = mu_r r brakes by mu_r g / (1 + I/(m r^2)): a disc stops after 3 v^2 r/(4 g b), a sphere after
 * 7 v^2 r/(10 g b). */
static void what_rolls_stops_after_its_way(void **state)
{
  (void)state;
  static const char *const names[] = {"hooke", "hertz", "penalty", "hooke, trapezoidal"};
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int kind = 0; kind < 4; kind++) {
      double resistance = 0.05, speed = kind == 3 ? 0.1 : 0.3;
      floc_discrete_element_options options = hard_options(resistance);
      if (kind == 1) options.contact_force = FLOC_CONTACT_FORCE_HERTZ;
      if (kind == 2) options.contact_force = FLOC_CONTACT_FORCE_PENALTY, options.stiffness = 1e13;
      if (kind == 1 || kind == 2) { /* per contact area */
        options.friction_stiffness = 1e11, options.friction_damping = 3e7, options.damping = 1e8;
        options.rolling_stiffness = 1e10, options.rolling_damping = 1e8;
      }
      if (kind == 3)
        options.integrator = FLOC_INTEGRATOR_TRAPEZOIDAL, options.adaptive = false, options.iterations = 100,
        options.tolerance = 1e-6;
      element_test test;
      begin_ball(&test, dimension, &options, speed, 0.0);
      double expected = (1.0 + turning_inertia(dimension)) * speed * speed / (2.0 * gravity * resistance);
      double time = 2.0 * expected / speed;
      run_steps(&test, (int64_t)(1.5 * time / test.time_step));
      print_message("%d-D, %s: stops after %.6f, expected %.6f\n", dimension, names[kind], way_gone(&test),
                    expected);
      assert_close(way_gone(&test), expected, 2e-3 * expected);
      assert_true(speed_of(&test) < 1e-4 * speed);
      if (dimension == 3)
        assert_close(test.table.column[COLUMN_z][0], 0.8 * way_gone(&test), 1e-3 * expected); /* straight on */
      element_test_end(&test);
    }
}

/* On the way the energy falls by the torque mu_r r m g over the angle, and by nothing else. */
static void resistance_takes_its_work(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_discrete_element_options options = hard_options(0.05);
    element_test test;
    begin_ball(&test, dimension, &options, 0.5, 0.0);
    run_steps(&test, 2000);
    double energy = total_energy(&test), from = way_gone(&test), before = energy;
    for (int k = 0; k < 100; k++) {
      run_steps(&test, 200);
      double now = total_energy(&test);
      assert_true(now < before);
      before = now;
    }
    double work = 0.05 * gravity * (way_gone(&test) - from);
    print_message("%d-D: energy lost %.6f, work %.6f\n", dimension, energy - before, work);
    assert_close(energy - before, work, 1e-4 * work);
    element_test_end(&test);
  }
}

/* On a slope that leans slowly it stays up to tan(slope) = mu_r; beyond, it is accelerated by g (sin - mu_r cos)/(1
 * + I/(m r^2)), from the speed at which the spring gives way: v^2 (1 + I/(m r^2)) = (mu_r g cos)^2/k_r. */
static void a_slope_is_held_or_not(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int held = 0; held < 2; held++) {
      double resistance = 0.1, slope = atan(held ? 0.097 : 0.2), time = 0.5;
      floc_discrete_element_options options = hard_options(resistance);
      element_test test;
      begin_ball(&test, dimension, &options, 0.0, slope);
      for (int64_t k = 0, steps = (int64_t)round(time / test.time_step); k < steps; k++) {
        if (held) lean(&test, slope * (double)k / (double)steps);
        run_steps(&test, 1);
      }
      double share = 1.0 + turning_inertia(dimension), limit = resistance * gravity * cos(slope);
      if (held) {
        assert_true(way_gone(&test) < 2e-5); /* the spring's length: 1e-5 */
        assert_true(speed_of(&test) < 1e-4);
      } else {
        double square = speed_of(&test) * speed_of(&test) - limit * limit / (options.rolling_stiffness * share);
        double rate = (gravity * sin(slope) - limit) / share;
        assert_close(square / (2.0 * way_gone(&test)), rate, 1e-4 * rate);
      }
      element_test_end(&test);
    }
}

/* ---- the spring ---- */

/* Below the limit nothing is lost: a ball that does not slide rocks with omega^2 = k_r/(m + I/r^2). */
static void the_spring_stores_what_it_takes(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_discrete_element_options options = hard_options(1e3);
    options.rolling_stiffness = 1e3;
    options.rolling_damping = options.friction_damping = options.damping = 0.0;
    options.friction_static = options.friction_dynamic = 100.0;
    element_test test;
    begin_ball(&test, dimension, &options, 0.01, 0.0);
    run_steps(&test, 1); /* lists are made */
    double energy = total_energy(&test), greatest = 0.0, worst = 0.0, way = 0.0, half_period = 0.0;
    for (int k = 0; half_period == 0.0 && k < 1000000; k++) {
      double before = way;
      run_steps(&test, 1);
      way = test.table.column[COLUMN_x][0];
      if (before > 0.0 && way <= 0.0) half_period = test.time - test.time_step * way / (way - before);
      greatest = fmax(greatest, element_report(&test).friction_energy);
      worst = fmax(worst, fabs(total_energy(&test) / energy - 1.0));
    }
    double expected = 3.14159265358979 * sqrt((1.0 + turning_inertia(dimension)) / options.rolling_stiffness);
    print_message("%d-D: half a period %.6f, expected %.6f; energy within %.1e\n", dimension, half_period, expected,
                  worst);
    assert_close(half_period, expected, 2e-3 * expected); /* the friction spring gives way by 1e-3 */
    assert_close(greatest, 0.5 * (1.0 + turning_inertia(dimension)) * 1e-4, 1e-3 * 7.5e-5);
    assert_true(worst < 1e-3);
    element_test_end(&test);
  }
}

/* Spheres that spin alike, or about the normal against each other, do not roll on each other. */
static void only_rolling_is_resisted(void **state)
{
  (void)state;
  contact_state contact = {.effective_radius = 0.3, .normal = {0.6, 0.0, 0.8}};
  const double spin[3] = {1.0, -2.0, 3.0}, twisted[3] = {1.0 + 1.2, -2.0, 3.0 + 1.6};
  const double rolled[3] = {1.0 + 1.2, -2.0 + 0.5, 3.0 + 1.6};
  rolling_velocity(&contact, spin, spin);
  for (int k = 0; k < 3; k++) assert_true(contact.rolling[k] == 0.0);
  rolling_velocity(&contact, spin, twisted);
  for (int k = 0; k < 3; k++) assert_close(contact.rolling[k], 0.0, 1e-15);
  rolling_velocity(&contact, spin, rolled);
  for (int k = 0; k < 3; k++) assert_close(contact.rolling[k], k == 1 ? 0.3 * 0.5 : 0.0, 1e-15);
}

/* ---- angular momentum ---- */

static void angular_momentum(element_test *test, double sum[3])
{
  double *const *at = test->table.column;
  double *spin[3] = {column(test, "wx"), column(test, "wy"), column(test, "wz")};
  memset(sum, 0, 3 * sizeof *sum);
  for (int64_t i = 0; i < test->table.count; i++) {
    double x[3], v[3], orbit[3], r = at[COLUMN_radius][i], mass = at[COLUMN_mass][i];
    for (int k = 0; k < 3; k++) x[k] = at[COLUMN_x + k][i], v[k] = at[COLUMN_vx + k][i];
    vector_cross(x, v, orbit);
    for (int k = 0; k < 3; k++) sum[k] += mass * (orbit[k] + 0.4 * r * r * spin[k][i]);
  }
}

/* The moment on one is the opposite of that on the other; without it the same heap goes another way. */
static void pairs_keep_angular_momentum(void **state)
{
  (void)state;
  double turned[2];
  for (int rolls = 0; rolls < 2; rolls++) {
    floc_discrete_element_options options = hard_options(rolls ? 0.3 : 0.0);
    options.stiffness = 1e5, options.friction_stiffness = 3e4, options.damping = 20.0,
    options.friction_damping = 5.0;
    options.rolling_stiffness = rolls ? 3e4 : 0.0, options.rolling_damping = 1.0;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    add_heap(&test, 150, 0.5, 3.0, 5);
    test.time_step = 5e-5;
    double before[3], after[3], scale = 0.0;
    angular_momentum(&test, before);
    run_steps(&test, 400);
    assert_true(element_report(&test).contacts > 20);
    angular_momentum(&test, after);
    for (int k = 0; k < 3; k++) scale = fmax(scale, fabs(before[k]));
    for (int k = 0; k < 3; k++) assert_close(after[k], before[k], 1e-12 * scale);
    turned[rolls] = element_report(&test).rotational_energy;
    element_test_end(&test);
  }
  assert_true(fabs(turned[0] / turned[1] - 1.0) > 1e-3);
}

/* The body gets the opposite of force and moment: about its pivot nothing is left. */
static void a_body_gets_the_moment_back(void **state)
{
  (void)state;
  floc_discrete_element_options options = hard_options(0.2);
  element_test test;
  begin_ball(&test, 3, &options, 0.5, 0.0);
  run_steps(&test, 500);
  const discrete_element *method = test.method.state;
  const push *on = &method->pushes[0];
  const body *ground = &test.obstacles.body[0];
  double force[3], x[3], moment[3];
  for (int k = 0; k < 3; k++) {
    force[k] = on->force[k] - test.gravity[k]; /* mass 1 */
    x[k] = test.table.column[COLUMN_x + k][0];
  }
  vector_cross(x, force, moment);
  for (int k = 0; k < 3; k++) assert_close(moment[k] + on->torque[k] + ground->torque[k], 0.0, 1e-12);
  assert_true(vector_length(on->torque) > 0.05);
  element_test_end(&test);
}

/* ---- the critical time step ---- */

/* Rolling alone, omega^2 = k_r r^2/I: stable below 2/omega, unstable above. */
static void rolling_has_a_critical_step(void **state)
{
  (void)state;
  floc_discrete_element_options options = hard_options(1e3);
  options.friction = FLOC_FRICTION_NONE;
  options.stiffness = 1e3;
  options.rolling_damping = options.damping = 0.0;
  double expected = 2.0 * sqrt(0.5 / options.rolling_stiffness);
  for (int above = 0; above < 2; above++) {
    element_test test;
    begin_ball(&test, 2, &options, 0.0, 0.0);
    column(&test, "wz")[0] = 1e-3;
    test.time_step = (above ? 1.01 : 0.99) * expected;
    run_steps(&test, 1);
    double first = total_energy(&test);
    critical_step found;
    assert_ok(&test.env, test.method.critical(test.method.state, &test.table, &test.obstacles, &test.box, test.near,
                                              test.time_step, &test.scratch, &found));
    assert_close(found.time_step, expected, 1e-3 * expected);
    assert_true(found.id == 1);
    run_steps(&test, 300);
    assert_true((total_energy(&test) > 100.0 * first) == above);
    element_test_end(&test);
  }
}

/* ---- refused ---- */

static void refuse_options(floc_discrete_element_options options, const char *text)
{
  element_test test;
  element_test_open(&test, 1, 2);
  assert_int_equal(element_test_rooms(&test, &options), FLOC_INVALID_ARGUMENT);
  if (!strstr(test.env.message, text)) fail_msg("\"%s\" lacks \"%s\"", test.env.message, text);
  element_test_end(&test);
}

static void options_that_cannot_act_are_refused(void **state)
{
  (void)state;
  floc_discrete_element_options options = hard_options(0.1);
  options.rotation = false;
  refuse_options(options, "rolling_friction is 0.1, with rotation false");
  options = hard_options(0.1);
  options.rolling_stiffness = 0.0;
  refuse_options(options, "rolling_stiffness is 0");
  options = hard_options(0.1);
  options.contact_force = FLOC_CONTACT_FORCE_NONE;
  options.friction = FLOC_FRICTION_NONE;
  refuse_options(options, "contact_force 0");
  options = hard_options(0.1);
  options.rolling_friction = -0.1;
  refuse_options(options, "rolling_friction");
  options = hard_options(0.1);
  options.rolling_damping = NAN;
  refuse_options(options, "rolling_damping");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_rolls_stops_after_its_way),
      cmocka_unit_test(resistance_takes_its_work),
      cmocka_unit_test(a_slope_is_held_or_not),
      cmocka_unit_test(the_spring_stores_what_it_takes),
      cmocka_unit_test(only_rolling_is_resisted),
      cmocka_unit_test(pairs_keep_angular_momentum),
      cmocka_unit_test(a_body_gets_the_moment_back),
      cmocka_unit_test(rolling_has_a_critical_step),
      cmocka_unit_test(options_that_cannot_act_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
