/*
 * Discrete elements in motion: collisions, conserved quantities, friction on walls, bonds, fields, the
 * trapezoidal rule with its iteration and step control, rays that exert forces.
 */
#include "schemes/element_support.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* ---- two spheres ---- */

/* Head-on collision at relative speed 1 m/s under (13) alone, from touching. */
static void collide(floc_discrete_element_options options, double step, double *strain, double *contact_time,
                    double *energy_error)
{
  element_test test;
  options.stiffness = 14918246.9764127;
  element_test_begin(&test, 1, 3, &options);
  add_element(&test, -0.05 - 0.5e-4, 0, 0, 0.05, PI);
  add_element(&test, 0.05 + 0.5e-4, 0, 0, 0.05, PI);
  double *x = column(&test, "x"), *vx = column(&test, "vx");
  vx[0] = 0.5, vx[1] = -0.5;
  test.time_step = step;
  double first = total_energy(&test), before = 0.0, begin = -1.0, end = -1.0;
  *strain = *energy_error = 0.0;
  while (end < 0.0) {
    double gap_before = x[1] - x[0] - 0.1, time_before = test.time;
    assert_ok(&test.env, element_test_step(&test));
    double gap = x[1] - x[0] - 0.1, share = gap_before / (gap_before - gap);
    if (gap_before > 0.0 && gap <= 0.0) begin = time_before + share * step;
    if (gap_before <= 0.0 && gap > 0.0) end = time_before + share * step;
    /* greatest overlap between steps from the parabola through the last three */
    if (-gap / 0.1 > *strain) *strain = -gap / 0.1;
    *energy_error = fmax(*energy_error, fabs(total_energy(&test) / first - 1.0));
    assert_close(vx[0] + vx[1], 0.0, 1e-15);
    before = gap;
  }
  (void)before;
  *contact_time = end - begin;
  element_test_end(&test);
}

static void collisions_are_the_reference(void **state)
{
  (void)state;
  double strain, contact_time, error;
  collide(verlet_options(), 1e-5, &strain, &contact_time, &error);
  assert_close(strain, 0.10880764851, 1e-4 * 0.1088);
  assert_close(contact_time, 0.0285947048038, 1e-4 * 0.0286);
  floc_discrete_element_options options = element_options();
  options.adaptive = false;
  collide(options, 2e-5, &strain, &contact_time, &error);
  assert_close(strain, 0.10880764851, 1e-4 * 0.1088);
  assert_close(contact_time, 0.0285947048038, 1e-4 * 0.0286);
}

static void energy_error_is_of_second_order(void **state)
{
  (void)state;
  for (int integrator = 1; integrator <= 2; integrator++) {
    floc_discrete_element_options options = element_options();
    options.integrator = integrator;
    options.adaptive = false;
    options.tolerance = 1e-13;
    options.iterations = 100;
    double strain, contact_time, coarse, fine;
    collide(options, 4e-4, &strain, &contact_time, &coarse);
    collide(options, 2e-4, &strain, &contact_time, &fine);
    assert_true(coarse < 2e-3);
    assert_close(coarse / fine, 4.0, 0.6);
  }
}

/* Linear dashpot and spring: the coefficient of restitution and the duration are known. */
static void dashpots_restitute(void **state)
{
  (void)state;
  floc_discrete_element_options options = verlet_options();
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e4;
  options.damping = 20.0;
  element_test test;
  element_test_begin(&test, 1, 3, &options);
  add_element(&test, 0, 0, 0, 0.5, 1.0);
  add_element(&test, 1.0, 0, 0, 0.5, 3.0);
  column(&test, "vx")[0] = 1.0;
  test.time_step = 1e-5;
  double reduced = 0.75, rate = options.damping / (2.0 * reduced);
  double frequency = sqrt(options.stiffness / reduced - rate * rate), restitution = exp(-PI * rate / frequency);
  double *x = column(&test, "x"), *vx = column(&test, "vx");
  do assert_ok(&test.env, element_test_step(&test));
  while (x[1] - x[0] < 1.0);
  assert_close(vx[1] - vx[0], restitution, 2e-3);
  assert_close(test.time, PI / frequency, 2e-3 * PI / frequency);
  assert_close(vx[0] + 3.0 * vx[1], 1.0, 1e-14);
  element_test_end(&test);
}

/* ---- many spheres ---- */

typedef struct conserved {
  double momentum[3], angular[3], scale, angular_scale;
} conserved;

static conserved conserved_of(element_test *test)
{
  conserved sums = {{0}, {0}, 0.0, 0.0};
  const char *spin[3] = {"wx", "wy", "wz"};
  double *const *at = test->table.column;
  for (int64_t i = 0; i < test->table.count; i++) {
    double m = at[COLUMN_mass][i], inertia = element_inertia(test->method.state, &test->table, i);
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      double turning =
          m * (at[COLUMN_x + a][i] * at[COLUMN_vx + b][i] - at[COLUMN_x + b][i] * at[COLUMN_vx + a][i]);
      int32_t index = particles_find_column(&test->table, spin[k]);
      if (index >= 0) turning += inertia * at[index][i];
      sums.momentum[k] += m * at[COLUMN_vx + k][i];
      sums.angular[k] += turning;
      sums.scale += m * fabs(at[COLUMN_vx + k][i]);
      sums.angular_scale += fabs(turning);
    }
  }
  return sums;
}

/* Linear momentum to rounding whatever acts within; angular momentum too with velocity Verlet and rotation. */
static void momentum_is_kept(void **state)
{
  (void)state;
  for (int n = 0; n < 6; n++) {
    floc_discrete_element_options options = element_options();
    options.integrator = n % 2 ? FLOC_INTEGRATOR_VELOCITY_VERLET : FLOC_INTEGRATOR_TRAPEZOIDAL;
    options.rotation = true;
    options.damping = 1e3;
    options.friction = n < 2 ? FLOC_FRICTION_REGULARIZED : FLOC_FRICTION_SPRING;
    options.friction_stiffness = 1e6;
    options.bond_law = n < 4 ? FLOC_BOND_PERSISTENT : FLOC_BOND_NONE;
    if (n >= 4) { /* the fast loop, with Verlet */
      options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
      options.stiffness = 1e5;
      options.damping = 10.0;
      options.friction_stiffness = 3e4;
    }
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    add_heap(&test, 150, 0.5, 2.0, 5);
    test.time_step = 5e-5;
    conserved before = conserved_of(&test);
    run_steps(&test, 1);
    assert_true(test.report.contacts > 100);
    run_steps(&test, 400);
    conserved after = conserved_of(&test);
    for (int k = 0; k < 3; k++) {
      assert_close(after.momentum[k], before.momentum[k], 2e-13 * before.scale);
      if (options.integrator == FLOC_INTEGRATOR_VELOCITY_VERLET)
        assert_close(after.angular[k], before.angular[k], 2e-12 * before.angular_scale);
    }
    element_test_end(&test);
  }
}

/* Greatest change of the sum of all kinds of energy, as a fraction of what is exchanged between them. */
static double energy_change(const floc_discrete_element_options *options, double step)
{
  element_test test;
  element_test_begin(&test, 1, 3, options);
  for (int k = 0; k < 40; k++) { /* loose rows that have just come to touch */
    double u[4];
    random_uniform4(8, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    int64_t i = add_element(&test, 0.099 * (k % 4) + 0.004 * u[0], 0.099 * (k / 4 % 4) + 0.004 * u[1],
                            0.099 * (k / 16) + 0.004 * u[2], 0.048 + 0.003 * u[3], 1.0);
    for (int a = 0; a < 3; a++) test.table.column[COLUMN_vx + a][i] = 2.0 * (u[a] - 0.5);
  }
  test.time_step = step;
  run_steps(&test, 1); /* lists are made with the first step */
  double first = total_energy(&test), kinetic = element_report(&test).kinetic_energy, exchanged = 0.0,
         changed = 0.0;
  while (test.time < 0.05) {
    run_steps(&test, 50);
    exchanged = fmax(exchanged, fabs(element_report(&test).kinetic_energy - kinetic));
    changed = fmax(changed, fabs(total_energy(&test) - first));
  }
  assert_true(exchanged > 0.1 * kinetic);
  element_test_end(&test);
  return changed / exchanged;
}

/* Without damping and sliding, the sum of all kinds of energy stays, to the order of the scheme. */
static void energies_by_kind_add_up(void **state)
{
  (void)state;
  for (int n = 0; n < 3; n++) {
    floc_discrete_element_options options = verlet_options();
    options.contact_force = FLOC_CONTACT_FORCE_PENALTY + n;
    options.stiffness = n == 2 ? 1e5 : 1e7;
    options.young_modulus = 1e7;
    options.rotation = true;
    options.attraction = 0.01;
    options.repulsion = 1e-5;
    double coarse = energy_change(&options, 2e-5), fine = energy_change(&options, 1e-5);
    assert_true(coarse < 2e-3);
    assert_true(fine < 0.35 * coarse);
  }
}

/* A ball that swings on its tangential spring: energy goes between translation, rotation and the spring. */
static void friction_energy_is_kept(void **state)
{
  (void)state;
  floc_discrete_element_options options = verlet_options();
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e5;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 2e4;
  options.friction_static = options.friction_dynamic = 1e5;
  element_test test;
  element_test_begin(&test, 1, 3, &options);
  floc_shape ground = floor_shape(2);
  add_fixed_body(&test, &ground);
  add_element(&test, 0, 0, 0.1 - 10.0 / 1e5, 0.1, 1.0);
  column(&test, "vx")[0] = 0.05;
  test.gravity[2] = -10.0;
  test.time_step = 1e-5;
  run_steps(&test, 1);
  double first = total_energy(&test) + 10.0 * column(&test, "z")[0], greatest = 0.0;
  for (int k = 0; k < 2000; k++) {
    run_steps(&test, 1);
    assert_close(total_energy(&test) + 10.0 * column(&test, "z")[0], first, 1e-6 * 0.5 * 0.05 * 0.05);
    greatest = fmax(greatest, element_report(&test).friction_energy);
  }
  /* one particle, contact point at rest in the middle: the share that does not roll */
  assert_close(greatest, 0.5 * 0.05 * 0.05 * 2.0 / 7.0, 1e-3 * 0.5 * 0.05 * 0.05);
  element_test_end(&test);
}

/* ---- walls ---- */

static floc_discrete_element_options grain_options(void)
{
  floc_discrete_element_options options = verlet_options();
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e5;
  options.damping = 200.0;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 3e4;
  options.friction_damping = 100.0;
  options.friction_static = 0.4;
  options.friction_dynamic = 0.3;
  return options;
}

static void weights_rest_on_the_floor(void **state)
{
  (void)state;
  for (int integrator = 1; integrator <= 2; integrator++) {
    floc_discrete_element_options options = grain_options();
    options.integrator = integrator;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    floc_shape ground = floor_shape(2);
    int32_t number = add_fixed_body(&test, &ground);
    add_element(&test, 0.3, 0, 0.5, 0.5, 2.0);
    add_element(&test, 0.3, 0, 1.5, 0.5, 1.0);
    test.gravity[2] = -10.0;
    test.time_step = 5e-4;
    run_steps(&test, 4000);
    double *z = column(&test, "z");
    assert_close(z[0], 0.5 - 30.0 / 1e5, 1e-8);
    assert_close(z[1], 1.5 - 30.0 / 1e5 - 10.0 / 1e5, 1e-8);
    assert_close(test.obstacles.body[number].force[2], -30.0, 1e-4);
    assert_close(test.obstacles.body[number].torque[1], 0.3 * 30.0, 1e-4);
    assert_int_equal(element_report(&test).wall_contacts, 1);
    element_test_end(&test);
  }
}

/* A block (no rotation) is braked by mu_d g; a ball ends up rolling with 5/7 of its speed. */
static void blocks_slide_and_balls_roll(void **state)
{
  (void)state;
  for (int rotation = 0; rotation < 2; rotation++) {
    for (int friction = FLOC_FRICTION_REGULARIZED; friction <= FLOC_FRICTION_SPRING; friction++) {
      floc_discrete_element_options options = grain_options();
      options.rotation = rotation;
      options.friction = friction;
      if (friction == FLOC_FRICTION_REGULARIZED) {
        options.friction_stiffness = 1e12;
        options.friction_time = 1e-5;
      }
      element_test test;
      element_test_begin(&test, 1, 3, &options);
      floc_shape ground = floor_shape(2);
      add_fixed_body(&test, &ground);
      add_element(&test, 0, 0, 0.1 - 10.0 / 1e5, 0.1, 1.0);
      test.gravity[2] = -10.0;
      test.time_step = 2e-5;
      column(&test, "vx")[0] = 1.0;
      run_steps(&test, 5000); /* 0.1 s */
      if (!rotation) {
        assert_close(column(&test, "vx")[0], 1.0 - 0.3 * 10.0 * 0.1, 2e-3);
        run_steps(&test, 15000); /* stops after 1/3 s: v^2/(2 mu g) = 1/6 m */
        assert_close(column(&test, "vx")[0], 0.0, 1e-3);
        assert_close(column(&test, "x")[0], 1.0 / 6.0, 2e-3);
      } else {
        run_steps(&test, 5000);
        assert_close(column(&test, "vx")[0], 5.0 / 7.0, 2e-3);
        assert_close(column(&test, "wy")[0] * 0.1, 5.0 / 7.0, 2e-3);
      }
      element_test_end(&test);
    }
  }
}

/* On a slope below the angle of friction it stays; above, it slides with g (sin - mu cos). */
static void slopes_hold_up_to_the_angle_of_friction(void **state)
{
  (void)state;
  for (int steep = 0; steep < 2; steep++) {
    element_test test;
    floc_discrete_element_options options = grain_options();
    element_test_begin(&test, 1, 2, &options);
    floc_shape ground = floor_shape(1);
    add_fixed_body(&test, &ground);
    add_element(&test, 0, 0.1, 0, 0.1, 1.0);
    double angle = atan(steep ? 0.5 : 0.25);
    test.gravity[0] = 10.0 * sin(angle), test.gravity[1] = -10.0 * cos(angle);
    test.time_step = 2e-5;
    column(&test, "y")[0] -= 10.0 * cos(angle) / 1e5;
    run_steps(&test, 10000);
    double v = column(&test, "vx")[0], x = column(&test, "x")[0];
    if (steep) {
      assert_close(v, 0.2 * 10.0 * (sin(angle) - 0.3 * cos(angle)), 3e-2);
    } else {
      assert_close(v, 0.0, 1e-4);
      assert_close(x, 10.0 * sin(angle) / 3e4, 1e-5); /* what the spring gives way */
    }
    element_test_end(&test);
  }
}

static floc_status turntable(void *context, double time, double *values)
{
  (void)time;
  values[0] = *(const double *)context;
  return FLOC_OK;
}

/* A belt takes a block along. */
static void moving_walls_drag(void **state)
{
  (void)state;
  element_test test;
  floc_discrete_element_options options = grain_options();
  element_test_begin(&test, 1, 3, &options);
  double speed = 0.7;
  floc_body_options belt = {.struct_size = sizeof belt,
                            .motion = FLOC_MOTION_VELOCITY,
                            .function = turntable,
                            .function_context = &speed};
  floc_shape ground = floor_shape(2);
  int32_t number;
  assert_ok(&test.env, bodies_add(&test.obstacles, &belt, 0.0, &number));
  assert_ok(&test.env, bodies_add_shape(&test.obstacles, number, &ground));
  add_element(&test, 0, 0, 0.1 - 10.0 / 1e5, 0.1, 1.0);
  test.gravity[2] = -10.0;
  test.time_step = 2e-5;
  run_steps(&test, 5000);
  assert_close(column(&test, "vx")[0], 0.3 * 10.0 * 0.1, 2e-3);
  run_steps(&test, 15000);
  assert_close(column(&test, "vx")[0], 0.7, 1e-3);
  assert_close(test.obstacles.body[number].now.position[0], 0.7 * 0.4, 1e-9);
  element_test_end(&test);
}

/* ---- bonds ---- */

static void bonds_hold_swing_and_break(void **state)
{
  (void)state;
  for (int integrator = 1; integrator <= 2; integrator++) {
    floc_discrete_element_options options = element_options();
    options.integrator = integrator;
    options.adaptive = false;
    options.bond_law = FLOC_BOND_PERSISTENT;
    options.bond_stiffness = 1e8;
    options.bond_tangential_stiffness = 0.0;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    add_element(&test, 0, 0, 0, 0.05, PI);
    add_element(&test, 0.0985, 0, 0, 0.05, PI);
    double *x = column(&test, "x"), *vx = column(&test, "vx");
    test.time_step = 2e-5;
    run_steps(&test, 1);
    assert_int_equal(element_report(&test).bonds, 1);
    assert_int_equal(element_report(&test).bonds_formed, 1);
    const int32_t *first, *second;
    int64_t links;
    assert_ok(&test.env, test.method.links(test.method.state, &first, &second, &links));
    assert_int_equal(links, 1);
    assert_int_equal(first[0], 0);
    assert_int_equal(second[0], 1);
    double before = total_energy(&test);
    double least = INFINITY, greatest = 0.0;
    for (int k = 0; k < 20000; k++) {
      run_steps(&test, 1);
      least = fmin(least, x[1] - x[0]);
      greatest = fmax(greatest, x[1] - x[0]);
    }
    assert_true(least < 0.099 && greatest > 0.1005); /* it swings through contact and tension */
    assert_close(total_energy(&test), before, 1e-3 * before);
    vx[0] = -5.0, vx[1] = 5.0; /* pulled apart */
    run_steps(&test, 3000);
    floc_discrete_element_report report = element_report(&test);
    assert_int_equal(report.bonds, 0);
    assert_int_equal(report.bonds_broken, 1);
    assert_true(x[1] - x[0] > 0.3);
    assert_ok(&test.env, test.method.links(test.method.state, &first, &second, &links));
    assert_int_equal(links, 0);
    element_test_end(&test);
  }
}

static void bonds_can_be_added(void **state)
{
  (void)state;
  floc_discrete_element_options options = verlet_options();
  options.bond_law = FLOC_BOND_PERSISTENT;
  element_test test;
  element_test_begin(&test, 1, 3, &options);
  add_element(&test, 0, 0, 0, 0.05, PI);
  add_element(&test, 0.104, 0, 0, 0.05, PI);
  add_element(&test, 0.5, 0, 0, 0.05, PI);
#define ADD(i, j, area) discrete_element_add_bond(&test.method, &test.table, &test.obstacles, &test.box, i, j, area)
  assert_int_equal(ADD(1, 3, 1e-4), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(test.env.message, "breaks at 0.1"));
  assert_int_equal(ADD(1, 1, 1e-4), FLOC_INVALID_ARGUMENT);
  assert_int_equal(ADD(1, 4, 1e-4), FLOC_INVALID_ARGUMENT);
  assert_int_equal(ADD(1, 2, 0.0), FLOC_INVALID_ARGUMENT);
  assert_ok(&test.env, ADD(2, 1, 1e-4));
  assert_int_equal(element_report(&test).bonds, 1);
  /* K_nb E^2 A_0, at E = 0.04 */
  test.time_step = 1e-6;
  run_steps(&test, 1);
  double force = PI * column(&test, "vx")[0] / 1e-6;
  assert_close(force, 1e6 * 0.0016 * 1e-4, 1e-6);
  element_test_end(&test);
}

/* ---- fields ---- */

static void drag_is_the_reference(void **state)
{
  (void)state;
  floc_discrete_element_options options = element_options();
  options.viscosity = 1.0;
  options.tolerance = 1e-15;
  options.iterations = 50;
  options.adaptive = false;
  element_test test;
  element_test_begin(&test, 1, 3, &options);
  add_element(&test, 0, 0, 0, 0.05, PI);
  column(&test, "vy")[0] = 8.0;
  test.time_step = 2.5e-4;
  assert_close(6.0 * PI * 0.05 / PI, 0.3, 1e-15);
  run_steps(&test, 1);
  assert_close(column(&test, "vy")[0] / 8.0, 0.999925002812395, 1e-14);
  run_steps(&test, 7999);
  assert_close(column(&test, "vy")[0] / 8.0, 0.548811636094026, 1e-9);
  element_test_end(&test);
}

/* Near field like gravity: a circular orbit closes. */
static void near_field_orbits(void **state)
{
  (void)state;
  for (int ranged = 0; ranged < 2; ranged++) {
    floc_discrete_element_options options = verlet_options();
    options.attraction = 2.0;
    options.near_field_scaling = FLOC_NEAR_FIELD_MASS;
    if (ranged) options.near_field_range = 1.0;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    add_element(&test, 0, 0, 0, 0.01, 3.0);
    add_element(&test, 0.5, 0, 0, 0.01, 1.0);
    double speed = sqrt(2.0 * 4.0 / 0.5); /* relative, of a circle: v^2 = alpha (m1 + m2)/d */
    column(&test, "vy")[0] = -0.25 * speed, column(&test, "vy")[1] = 0.75 * speed;
    double period = 2.0 * PI * 0.5 / speed;
    test.time_step = period / 2000;
    run_steps(&test, 1); /* lists are made with the first step */
    double energy = total_energy(&test);
    run_steps(&test, 1999);
    assert_close(column(&test, "x")[1] - column(&test, "x")[0], 0.5, 1e-4);
    assert_close(column(&test, "y")[1] - column(&test, "y")[0], 0.0, 1e-3);
    assert_close(total_energy(&test), energy, 1e-6 * fabs(energy));
    element_test_end(&test);
  }
}

static void near_field_scalings(void **state)
{
  (void)state;
  double a = 4.0 * PI * 0.01, v = 4.0 / 3.0 * PI * 0.001;
  double expected[] = {1.0, 6.0, a * a, v * v, -0.4};
  for (int scaling = 0; scaling <= 4; scaling++) {
    floc_discrete_element_options options = verlet_options();
    options.attraction = 5.0;
    options.attraction_exponent = 1.0;
    options.repulsion = 1.0;
    options.repulsion_exponent = 3.0;
    options.near_field_scaling = scaling;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    assert_ok(&test.env, particles_add_attribute(&test.table, "charge", 0.2));
    assert_ok(&test.env, particles_add_attribute(&test.table, "sign", 1.0));
    add_element(&test, 0, 0, 0, 0.1, 2.0);
    add_element(&test, 0, 0, 2.0, 0.1, 3.0);
    column(&test, "charge")[1] = 2.0;
    if (scaling == 4) column(&test, "sign")[1] = -1.0;
    test.time_step = 1e-7;
    run_steps(&test, 1);
    double towards = 5.0 / 2.0 - 1.0 / 8.0;
    double force = 2.0 * column(&test, "vz")[0] / 1e-7;
    assert_close(force, expected[scaling] * towards, 1e-9 * fabs(expected[scaling] * towards));
    element_test_end(&test);
  }
}

typedef struct uniform_field {
  double value[3], slope; /* slope: B_z grows with x */
  floc_status status;
} uniform_field;

static floc_status field_kernel(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  const uniform_field *field = context;
  for (int32_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) outputs[k][i] = field->value[k] + (k == 2 ? field->slope * inputs[0][i] : 0.0);
  return field->status;
}

static void charges_circle_in_magnetic_fields(void **state)
{
  (void)state;
  uniform_field magnetic = {{0, 0, 2.0}, 0.0, FLOC_OK}, electric = {{0, 0, 0.7}, 0.0, FLOC_OK};
  floc_discrete_element_options options = element_options();
  options.adaptive = false;
  options.tolerance = 1e-12;
  options.iterations = 50;
  options.magnetic_field = field_kernel;
  options.magnetic_field_context = &magnetic;
  options.electric_field = field_kernel;
  options.electric_field_context = &electric;
  element_test test;
  element_test_begin(&test, 1, 3, &options);
  assert_ok(&test.env, particles_add_attribute(&test.table, "charge", 3.0));
  add_element(&test, 0, 0, 0, 0.01, 0.5);
  column(&test, "vx")[0] = 4.0;
  double frequency = 3.0 * 2.0 / 0.5;
  test.time_step = 2.0 * PI / frequency / 1000;
  run_steps(&test, 500); /* half a circle: two radii away */
  assert_close(column(&test, "y")[0], -2.0 * 4.0 / frequency, 1e-4);
  run_steps(&test, 500);
  assert_close(column(&test, "x")[0], 0.0, 1e-4);
  double speed = hypot(column(&test, "vx")[0], column(&test, "vy")[0]);
  assert_close(speed, 4.0, 1e-9); /* the trapezoidal rule keeps it */
  assert_close(column(&test, "vz")[0], 3.0 * 0.7 / 0.5 * test.time, 1e-9);
  element_test_end(&test);
}

/* (29) with B_z = b + s x: force 2 gamma B_z s along x. */
static void magnetic_gradients_pull(void **state)
{
  (void)state;
  uniform_field magnetic = {{0, 0, 2.0}, 0.5, FLOC_OK};
  floc_discrete_element_options options = verlet_options();
  options.magnetic_field = field_kernel;
  options.magnetic_field_context = &magnetic;
  options.magnetization = 0.3;
  options.parallel_fields = true;
  element_test test;
  element_test_begin(&test, 2, 3, &options);
  add_element(&test, 1.0, 0, 0, 0.01, 2.0);
  test.time_step = 1e-6;
  run_steps(&test, 1);
  assert_close(column(&test, "vx")[0] * 2.0 / 1e-6, 2.0 * 0.3 * 2.5 * 0.5, 1e-8);
  assert_close(column(&test, "vy")[0], 0.0, 1e-15);
  element_test_end(&test);
}

static floc_status spring_kernel(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  for (int32_t i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) outputs[k][i] = 0.0;
    outputs[0][i] = -*(const double *)context * inputs[0][i];
  }
  return FLOC_OK;
}

static void add_spring_field(element_test *test, double *stiffness)
{
  static const char *const inputs[] = {"x"};
  floc_law_options law = {.struct_size = sizeof law,
                          .inputs = inputs,
                          .input_count = 1,
                          .output_count = 3,
                          .function = spring_kernel,
                          .context = stiffness};
  int32_t number;
  assert_ok(&test->env, laws_add(test->forces, &test->table, test->near, FLOC_LAW_FIELD, &law, &number));
}

/* ---- the trapezoidal rule ---- */

/* A linear spring, k/m = 1e4, step 0.01: iterates of (71) and the converged step, by a law of the host. */
static void iterates_are_the_reference(void **state)
{
  (void)state;
  double expected[] = {0.625, 0.59375, 0.6015625}; /* r^2, r^3, r^4 */
  for (int iterations = 1; iterations <= 4; iterations++) {
    floc_discrete_element_options options = element_options();
    options.adaptive = false;
    options.tolerance = iterations == 4 ? 1e-15 : 1e-9;
    options.iterations = iterations == 4 ? 100 : iterations;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    double stiffness = 1e4;
    add_spring_field(&test, &stiffness);
    add_element(&test, 1.0, 0, 0, 0.1, 1.0);
    test.time_step = 0.01;
    run_steps(&test, 1);
    assert_close(column(&test, "x")[0], iterations == 4 ? 0.6 : expected[iterations - 1], 1e-13);
    assert_int_equal(test.report.converged, iterations == 4);
    assert_int_equal(test.report.unconverged_steps, iterations == 4 ? 0 : 1);
    element_test_end(&test);
  }
  assert_close(0.25 * 0.01 * 0.01 * 1e4, 0.25, 1e-15); /* eta */
}

/* Stiff bonds: the step must shrink, is clamped, and grows again; the result is that of small fixed steps. */
static void steps_adapt_to_stiff_bonds(void **state)
{
  (void)state;
  double reference = 0.0;
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    floc_discrete_element_options options = element_options();
    options.bond_law = FLOC_BOND_PERSISTENT;
    options.bond_stiffness = 1e12;
    options.bond_exponent = 1.0;
    options.bond_tangential_stiffness = 0.0;
    options.adaptive = adaptive;
    options.tolerance = adaptive ? 5e-4 : 1e-10;
    options.iterations = adaptive ? 10 : 60;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    add_element(&test, 0, 0, 0, 0.05, PI);
    add_element(&test, 0.1, 0, 0, 0.05, PI);
    add_element(&test, 0.2, 0, 0, 0.05, PI);
    assert_ok(&test.env,
              discrete_element_add_bond(&test.method, &test.table, &test.obstacles, &test.box, 1, 2, 1e-4));
    assert_ok(&test.env,
              discrete_element_add_bond(&test.method, &test.table, &test.obstacles, &test.box, 2, 3, 1e-4));
    column(&test, "vx")[2] = 1.0;
    double step = 1e-3, smallest = INFINITY, greatest = 0.0;
    test.time_step = adaptive ? step : 2e-6;
    while (test.time < 0.02) {
      double before = test.time;
      if (test.time + test.time_step > 0.02) test.time_step = 0.02 - test.time;
      assert_ok(&test.env, element_test_step(&test));
      smallest = fmin(smallest, test.time - before);
      greatest = fmax(greatest, test.time - before);
    }
    floc_discrete_element_report report = element_report(&test);
    assert_int_equal(report.bonds, 2);
    double spread = column(&test, "x")[2] - column(&test, "x")[0];
    if (!adaptive) {
      reference = spread;
      assert_int_equal(report.rejected_steps, 0);
    } else {
      assert_true(report.rejected_steps > 0);
      assert_true(smallest < 0.3 * step && greatest <= step * (1.0 + 1e-12));
      assert_true(test.report.unconverged_steps == 0);
      assert_close(spread, reference, 0.02 * fabs(reference));
      assert_close(column(&test, "vx")[0] + column(&test, "vx")[1] + column(&test, "vx")[2], 1.0, 1e-12);
    }
    element_test_end(&test);
  }
}

/* The first step, growth by at most 2, and the world's step as the limit. */
static void steps_grow_to_the_limit(void **state)
{
  (void)state;
  floc_discrete_element_options options = element_options();
  options.first_time_step = 1e-5;
  element_test test;
  element_test_begin(&test, 1, 3, &options);
  add_element(&test, 0, 0, 0, 0.05, PI);
  column(&test, "vx")[0] = 1.0;
  test.time_step = 2.5e-4;
  double expected = 1e-5;
  for (int k = 0; k < 8; k++) {
    double before = test.time;
    run_steps(&test, 1);
    assert_close(test.time - before, fmin(expected, 2.5e-4), 1e-17);
    expected *= 2.0;
  }
  /* a step cut short by the world does not make the next ones short */
  double whole = test.time_step;
  test.time_step = 1e-9;
  run_steps(&test, 1);
  test.time_step = whole;
  double before = test.time;
  run_steps(&test, 1);
  assert_close(test.time - before, whole, 1e-17);
  element_test_end(&test);
}

/* ---- forces of rays ---- */

/* The kick of the reference: force times duration over mass, whatever the steps and the integrator. */
static void rays_kick_particles(void **state)
{
  (void)state;
  double steps[] = {1e-5, 2.5e-4, 3.7e-6};
  for (int n = 0; n < 6; n++) {
    floc_discrete_element_options options = element_options();
    options.integrator = 1 + n % 2;
    options.adaptive = false;
    options.rotation = true;
    element_test test;
    element_test_begin(&test, 1, 3, &options);
    add_element(&test, 0, 0, 0, 0.05, PI);
    assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &test.rays));
    floc_ray_source_options source;
    floc_ray_source_options_init(&source);
    source.sampling = FLOC_RAY_SAMPLING_EVEN;
    source.rays = 1;
    source.power = 7.06e9;
    source.radius = 0.01;
    source.duration = 1e-5;
    int32_t number;
    assert_ok(&test.env, ray_sources_add(test.rays, &source, &number));
    test.time_step = steps[n / 2];
    run_steps(&test, 12);
    /* one ray through the beam's rim at radius r sqrt(1/2) stands for the whole cross-section */
    floc_ray_report report;
    assert_ok(&test.env, ray_sources_report(test.rays, &test.env, -1, &report));
    assert_int_equal(report.reflections, 1);
    double force = sqrt(report.absorbed * 2.7e7 * PI * 1e-4), kick = force * 1e-5 / PI;
    double *vx = column(&test, "vx"), *vy = column(&test, "vy"), *vz = column(&test, "vz");
    assert_close(sqrt(vx[0] * vx[0] + vy[0] * vy[0] + vz[0] * vz[0]), kick, 1e-9 * kick);
    assert_true(vx[0] > 0.9 * kick);
    /* refracted towards the axis: the torque about the centre turns it */
    double *wx = column(&test, "wx"), *wy = column(&test, "wy"), *wz = column(&test, "wz");
    double turn = sqrt(wx[0] * wx[0] + wy[0] * wy[0] + wz[0] * wz[0]);
    assert_true(turn > 1.0);
    assert_close(wx[0] * vx[0] + wy[0] * vy[0] + wz[0] * vz[0], 0.0, 1e-6 * turn * kick);
    element_test_end(&test);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(collisions_are_the_reference),
      cmocka_unit_test(energy_error_is_of_second_order),
      cmocka_unit_test(dashpots_restitute),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(energies_by_kind_add_up),
      cmocka_unit_test(friction_energy_is_kept),
      cmocka_unit_test(weights_rest_on_the_floor),
      cmocka_unit_test(blocks_slide_and_balls_roll),
      cmocka_unit_test(slopes_hold_up_to_the_angle_of_friction),
      cmocka_unit_test(moving_walls_drag),
      cmocka_unit_test(bonds_hold_swing_and_break),
      cmocka_unit_test(bonds_can_be_added),
      cmocka_unit_test(drag_is_the_reference),
      cmocka_unit_test(near_field_orbits),
      cmocka_unit_test(near_field_scalings),
      cmocka_unit_test(charges_circle_in_magnetic_fields),
      cmocka_unit_test(magnetic_gradients_pull),
      cmocka_unit_test(iterates_are_the_reference),
      cmocka_unit_test(steps_adapt_to_stiff_bonds),
      cmocka_unit_test(steps_grow_to_the_limit),
      cmocka_unit_test(rays_kick_particles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
