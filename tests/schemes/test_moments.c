/*
 * Resistance against rolling and twisting in the projection, through the public surface, against closed forms: stop
 * distances and angles, walls that turn, balances of momentum and angular momentum, heaps; resume, threads,
 * refusals.
 */
#include "support_projection.h"

static const double gravity = 10.0;

static floc_projection_options with_moments(double friction, double rolling, double twisting)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = friction;
  options.rolling = rolling;
  options.twisting = twisting;
  return options;
}

/* A world with its floor, y = 0, which moves as `motion` says. */
static floc_world *make_floor(int32_t dimension, double time_step, floc_projection_options options,
                              const floc_body_options *motion, int32_t threads)
{
  floc_world *world = make_world(dimension, time_step, -gravity, threads);
  set_projection(world, options);
  add_plane(world, motion, 0.0, 1.0);
  return world;
}

static double square(double value)
{
  return value * value;
}

/* ---- one particle ---- */

static const double radius = 0.1, speed = 1.0, limit = 0.01;

/* How far a disc or ball rolls that starts with `speed`. */
static double stop_distance(int32_t dimension, double time_step, int32_t solver)
{
  floc_projection_options options = with_moments(0.5, limit, 0.0);
  options.solver = solver;
  if (solver != FLOC_SOLVER_AUTO) options.tolerance = 1e-9; /* the gradient solves no better than it has to */
  floc_world *world = make_floor(dimension, time_step, options, NULL, 1);
  add_particle(world, 0.0, radius, speed, 0.0, radius);
  set_column_value(world, "angular_velocity_z", 1, -speed / radius);
  for (int step = 0; step < 10000 && column_value(world, "vx", 1) > 1e-4; step++) {
    run_steps(world, 1);
    assert_close(column_value(world, "angular_velocity_z", 1), -column_value(world, "vx", 1) / radius, 1e-3);
  }
  assert_close(column_value(world, "vx", 1), 0.0, 1e-4);
  assert_int_equal(step_report(world).unconverged_steps, 0);
  double way = column_value(world, "x", 1);
  run_steps(world, 50);
  assert_close(column_value(world, "x", 1), way, 1e-4); /* it stays */
  floc_world_destroy(world);
  return way;
}

/* A moment of b m g about the point of contact, of a body with (1 + k) m r^2 there: v' = b g/((1 + k) r). The speed
 * of each step is the one at its end, so half a step's way is missing, v h/2, at the default tolerance. */
static void a_rolling_particle_stops_where_the_formula_says(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    double k = dimension == 2 ? 0.5 : 0.4, before = INFINITY;
    double expected = (1.0 + k) * square(speed) * radius / (2.0 * gravity * limit);
    assert_close(expected, (dimension == 2 ? 3.0 / 4.0 : 7.0 / 10.0) * square(speed) * radius / (gravity * limit),
                 1e-15);
    for (double h = 8e-3; h > 1e-3; h *= 0.5) {
      double error = stop_distance(dimension, h, FLOC_SOLVER_AUTO) - expected;
      print_message("%d-D h %.0e: stops %.2e short of %.4f\n", dimension, h, -error, expected);
      assert_close(error, -0.5 * speed * h, 0.1 * speed * h);
      assert_true(fabs(error) < 0.6 * before);
      before = fabs(error);
    }
    for (int32_t solver = FLOC_SOLVER_UZAWA; solver <= FLOC_SOLVER_APGD; solver++)
      assert_close(stop_distance(dimension, 4e-3, solver) - expected, -0.5 * speed * 4e-3, 1e-3);
  }
}

/* A ball that turns about the vertical: its spin falls by s m g/(2/5 m r^2) a unit of time, the angle is spin^2/2
 * over that. Rolling resistance does not act on it, and twisting resistance does not act on what rolls. */
static void a_turning_ball_stops_at_its_angle(void **state)
{
  (void)state;
  const double spin = 8.0, brake = limit * gravity / (0.4 * square(radius)),
               expected = square(spin) / (2.0 * brake);
  double before = INFINITY;
  for (double h = 4e-3; h > 0.5e-3; h *= 0.5) {
    floc_world *world = make_floor(3, h, with_moments(0.5, 0.0, limit), NULL, 1);
    add_particle(world, 0.0, radius, speed, 0.0, radius);
    set_column_value(world, "angular_velocity_z", 1, -speed / radius);
    set_column_value(world, "angular_velocity_y", 1, spin);
    double angle = 0.0;
    for (int step = 0; step < (int)(1.5 * spin / brake / h); step++) {
      run_steps(world, 1);
      angle += h * column_value(world, "angular_velocity_y", 1);
    }
    print_message("h %.1e: stops %.1e short of %.4f\n", h, expected - angle, expected);
    assert_close(expected - angle, 0.5 * spin * h, 0.1 * spin * h);
    assert_true(fabs(expected - angle) < 0.6 * before);
    before = fabs(expected - angle);
    assert_close(column_value(world, "angular_velocity_y", 1), 0.0, 1e-3);
    assert_close(column_value(world, "vx", 1), speed, 1e-3);
    floc_world_destroy(world);
  }
  floc_world *world = make_floor(3, 1e-3, with_moments(0.5, limit, 0.0), NULL, 1);
  add_particle(world, 0.0, radius, 0.0, 0.0, radius);
  set_column_value(world, "angular_velocity_y", 1, spin);
  run_steps(world, 200);
  assert_close(column_value(world, "angular_velocity_y", 1), spin, 1e-9);
  floc_world_destroy(world);
}

/* On a slope a disc rests while tan(angle) is below b/r, and else rolls with 2/3 g (sin - b/r cos). */
static void a_slope_is_held_up_to_the_limit(void **state)
{
  (void)state;
  for (int rolls = 0; rolls < 2; rolls++) {
    double angle = rolls ? 0.15 : 0.09, h = 1e-3;
    floc_world *world = make_floor(2, h, with_moments(0.5, limit, 0.0), NULL, 1);
    const double pull[3] = {gravity * sin(angle), -gravity * cos(angle), 0.0};
    assert_world_ok(world, floc_world_set_gravity(world, pull));
    add_particle(world, 0.0, radius, 0.0, 0.0, radius);
    run_steps(world, 500);
    double expected = rolls ? 2.0 / 3.0 * gravity * (sin(angle) - limit / radius * cos(angle)) * 0.5 : 0.0;
    assert_close(column_value(world, "vx", 1), expected, rolls ? 0.01 * expected : 1e-6);
    floc_world_destroy(world);
  }
}

/* A turntable takes a ball above its axis along, as fast as the limit allows, and no faster than it turns. */
static void a_turntable_takes_a_ball_along(void **state)
{
  (void)state;
  floc_body_options table;
  floc_body_options_init(&table);
  table.motion = FLOC_MOTION_CONSTANT;
  table.angular_velocity[1] = 2.0;
  floc_world *world = make_floor(3, 1e-3, with_moments(0.5, 0.0, 1e-3), &table, 1);
  add_particle(world, 0.0, radius, 0.0, 0.0, radius);
  const double rise = 1e-3 * gravity / (0.4 * square(radius));
  run_steps(world, 400);
  assert_close(column_value(world, "angular_velocity_y", 1), 0.4 * rise, 1e-2);
  run_steps(world, 600);
  assert_close(column_value(world, "angular_velocity_y", 1), 2.0, 1e-3);
  floc_world_destroy(world);
}

/* ---- balances ---- */

/* Two discs that meet off their centres, with nothing else: what one gets the other loses, and energy falls. */
static void pairs_keep_angular_momentum(void **state)
{
  (void)state;
  double energy[2];
  for (int rolls = 0; rolls < 2; rolls++) {
    floc_world *world = make_world(2, 1e-3, 0.0, 1);
    floc_projection_options options = with_moments(0.4, rolls ? 0.05 : 0.0, 0.0);
    assert_world_ok(world, floc_world_set_projection(world, &options));
    add_particle(world, 0.0, 0.0, 1.0, 0.0, 0.1);
    add_particle(world, 0.3, 0.05, -1.0, 0.2, 0.1);
    set_column_value(world, "angular_velocity_z", 1, 5.0);
    double angular[2];
    for (int round = 0; round < 2; round++) {
      angular[round] = 0.0;
      for (int id = 1; id <= 2; id++)
        angular[round] += column_value(world, "x", id) * column_value(world, "vy", id) -
                          column_value(world, "y", id) * column_value(world, "vx", id) +
                          0.5 * square(0.1) * column_value(world, "angular_velocity_z", id);
      if (round == 0) run_steps(world, 200);
    }
    assert_close(angular[0], angular[1], 1e-12);
    energy[rolls] = step_report(world).kinetic_energy;
    floc_world_destroy(world);
  }
  assert_true(energy[1] < 0.99 * energy[0]);
}

/* The torque on a wall has the moment in it: it is what the particle's angular momentum loses. */
static void the_torque_on_a_wall_balances(void **state)
{
  (void)state;
  const double h = 1e-3, inertia = 0.5 * square(radius);
  floc_world *world = make_floor(2, h, with_moments(0.5, limit, 0.0), NULL, 1);
  add_particle(world, 0.3, radius, speed, 0.0, radius);
  set_column_value(world, "angular_velocity_z", 1, -speed / radius);
  for (int step = 0; step < 20; step++) {
    double x = column_value(world, "x", 1), y = column_value(world, "y", 1);
    double vx = column_value(world, "vx", 1), vy = column_value(world, "vy", 1),
           spin = column_value(world, "angular_velocity_z", 1);
    run_steps(world, 1);
    double gained = x * (column_value(world, "vy", 1) - vy) - y * (column_value(world, "vx", 1) - vx) +
                    inertia * (column_value(world, "angular_velocity_z", 1) - spin);
    floc_body_state wall = {.struct_size = sizeof wall};
    assert_world_ok(world, floc_body_get_state(world, 0, &wall));
    assert_close(gained, -h * (x * gravity + wall.torque[2]), 1e-13);
    assert_close(wall.torque[2], -(x + limit) * gravity, 1e-9);
  }
  floc_world_destroy(world);
}

/* ---- many ---- */

static floc_world *make_heap(int variant, int32_t threads)
{
  int32_t dimension = 2 + variant % 2;
  floc_contact_law law = variant > 1 ? FLOC_CONTACT_GLUEY : FLOC_CONTACT_INELASTIC;
  floc_projection_options options = with_moments(0.4, 0.004, dimension == 3 ? 0.002 : 0.0);
  options.contact_law = law;
  options.gamma_min = -1e-3;
  floc_world *world = make_floor(dimension, 2e-3, options, NULL, threads);
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = 120;
  insertion.radius_lower = 0.03;
  insertion.radius_upper = 0.04;
  insertion.velocity_spread = 0.5;
  for (int axis = 0; axis < dimension; axis++) {
    insertion.region_lower[axis] = axis == 1 ? 0.05 : -0.2;
    insertion.region_upper[axis] = axis == 1 ? (dimension == 2 ? 4.0 : 0.8) : 0.2;
  }
  assert_world_ok(world, floc_particles_insert(world, &insertion, NULL));
  int64_t ids[2];
  for (int k = 0; k < 2; k++) ids[k] = add_particle(world, 0.5 + 0.06 * k, 0.1, 0.0, 0.0, 0.04);
  floc_assembly_options rigid;
  floc_assembly_options_init(&rigid);
  if (law == FLOC_CONTACT_INELASTIC) assert_world_ok(world, floc_assembly_add(world, ids, 2, &rigid, NULL));
  return world;
}

static void resume_and_threads_keep_every_bit(void **state)
{
  (void)state;
  assert_same_bits(make_heap, 4, 120, 60);
}

/* The slope of what a column of discs becomes when its walls are drawn up: of a triangle it is the mean height over
 * the mean distance from its middle. */
static double slope_of_heap(double rolling, uint64_t seed)
{
  enum { COUNT = 100 };
  floc_world_options made;
  floc_world_options_init(&made);
  made.dimension = 2;
  made.time_step = 2e-3;
  made.gravity[1] = -gravity;
  made.seed = seed;
  made.threads = 1;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&made, &world), FLOC_OK);
  floc_projection_options options = with_moments(0.5, rolling, 0.0);
  assert_world_ok(world, floc_world_set_projection(world, &options));
  add_segment(world, NULL, -3.0, 0.0, 3.0, 0.0);
  int32_t wall[2];
  for (int side = 0; side < 2; side++) {
    double x = side ? 0.15 : -0.15;
    wall[side] = add_segment(world, NULL, x, 0.005, x, 5.0);
  }
  insert_box(world, COUNT, -0.14, 0.01, 0.14, 1.6, 0.016, 0.02);
  run_steps(world, 300);
  floc_body_options up;
  floc_body_options_init(&up);
  up.motion = FLOC_MOTION_CONSTANT;
  up.velocity[1] = 2.0;
  for (int side = 0; side < 2; side++) assert_world_ok(world, floc_body_set_motion(world, wall[side], &up));
  run_steps(world, 700);
  double middle = 0.0, height = 0.0, away = 0.0;
  for (int64_t id = 1; id <= COUNT; id++) middle += column_value(world, "x", id) / COUNT;
  for (int64_t id = 1; id <= COUNT; id++) {
    height += column_value(world, "y", id);
    away += fabs(column_value(world, "x", id) - middle);
  }
  floc_world_destroy(world);
  return height / away;
}

static void heaps_are_steeper_with_rolling_resistance(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    double plain = slope_of_heap(0.0, seed), rough = slope_of_heap(0.006, seed);
    print_message("seed %d: slope %.3f, with rolling resistance %.3f\n", (int)seed, plain, rough);
    assert_true(rough > 1.2 * plain);
  }
}

/* ---- wrong input ---- */

static void expect_refusal(int32_t dimension, floc_projection_options options, const char *text)
{
  floc_world *world = make_world(dimension, 1e-3, 0.0, 1);
  floc_status status = floc_world_set_projection(world, &options);
  if (status == FLOC_OK || !strstr(floc_world_message(world), text))
    fail_msg("%s: %d, %s", text, (int)status, floc_world_message(world));
  floc_world_destroy(world);
}

static void wrong_options_are_refused(void **state)
{
  (void)state;
  expect_refusal(2, with_moments(0.3, -1.0, 0.0), "rolling");
  expect_refusal(3, with_moments(0.3, 0.0, NAN), "twisting");
  expect_refusal(2, with_moments(0.3, 0.1, 0.1), "twisting is 0.1 in two dimensions");
  floc_projection_options options = with_moments(0.0, 0.1, 0.0);
  options.contact_law = FLOC_CONTACT_GLUEY;
  options.gluey_rule = FLOC_GLUEY_EQUALITY;
  expect_refusal(2, options, "rolling is 0.1 with the equality rule");
  options = with_moments(0.3, 0.0, 0.2);
  options.friction_law = FLOC_FRICTION_LAW_CONVEX;
  expect_refusal(3, options, "twisting is 0.2 with friction_law convex");
  options = with_moments(0.0, 0.1, 0.0);
  options.solver = FLOC_SOLVER_INTERIOR_POINT;
  expect_refusal(2, options, "solver is interior_point with rolling 0.1");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rolling_particle_stops_where_the_formula_says),
      cmocka_unit_test(a_turning_ball_stops_at_its_angle),
      cmocka_unit_test(a_slope_is_held_up_to_the_limit),
      cmocka_unit_test(a_turntable_takes_a_ball_along),
      cmocka_unit_test(pairs_keep_angular_momentum),
      cmocka_unit_test(the_torque_on_a_wall_balances),
      cmocka_unit_test(resume_and_threads_keep_every_bit),
      cmocka_unit_test(heaps_are_steeper_with_rolling_resistance),
      cmocka_unit_test(wrong_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
