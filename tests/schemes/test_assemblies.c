/*
 * Rigid assemblies through the public surface: mass and inertia, free flight, falling, friction on a slope,
 * conservation, checkpoints, wrong input, failing memory.
 */
#include "assembly_support.h"
#include "failing_world.h"

static const double pi = 3.14159265358979323846;

static void set_friction(floc_world *world, double friction)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = friction;
  assert_world_ok(world, floc_world_set_projection(world, &options));
}

/* ---- mass ---- */

/* Two balls that touch: m r^2 (2/5 + 1) each about the middle, across the axis; 2/5 each along it. */
static void touching_members_add_up(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_world *world = make_world(dimension, 0.01, 0, 1);
    add_ball(world, -0.3, 1, 0, 0.3, 2);
    add_ball(world, 0.3, 1, 0, 0.3, 2);
    floc_assembly_state found = state_of(world, join(world, 1, 2, NULL));
    double own = dimension == 2 ? 0.5 : 0.4, scale = 2.0 * 2.0 * 0.09;
    assert_close(found.mass, 4.0, 0.0);
    assert_close(found.position[0], 0.0, 1e-15);
    assert_close(found.position[1], 1.0, 1e-15);
    assert_close(found.inertia[2], scale * (own + 1.0), 1e-14);
    if (dimension == 3) {
      assert_close(found.inertia[0], scale * own, 1e-14);
      assert_close(found.inertia[1], scale * (own + 1.0), 1e-14);
      assert_close(found.inertia[3], 0.0, 1e-15);
    }
    floc_world_destroy(world);
  }
}

/* Members that overlap weigh as their union: two unit discs at distance 1, against the lens in closed form. */
static void overlapping_members_weigh_as_their_union(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0, 1);
  add_ball(world, 0, 0, 0, 1, 1);
  add_ball(world, 1, 0, 0, 1, 1);
  floc_assembly_options options = defaults();
  options.mass = 3.0;
  floc_assembly_state found = state_of(world, join(world, 1, 2, &options));
  /* half of the union is a disc less the segment beyond x = 1/2 */
  double angle = pi / 3.0, segment = angle - 0.5 * sin(2.0 * angle);
  double area = pi - segment;
  /* second moments of the segment about the disc's centre, y^2 and x^2, and its first moment */
  double moment_y = 0.25 * (angle - sin(angle) * cos(angle) * (1.0 + 2.0 * sin(angle) * sin(angle) / 3.0));
  double moment_x = 0.25 * (angle + sin(angle) * cos(angle) * (2.0 * sin(angle) * sin(angle) - 1.0));
  double first = 2.0 / 3.0 * pow(sin(angle), 3.0);
  double x0 = -first / area; /* centroid of the cut disc, from the disc's centre */
  double polar = (pi / 4.0 - moment_y) + (pi / 4.0 - moment_x) + area * (-2.0 * 0.5 * x0 + 0.25);
  assert_close(found.mass, 3.0, 0.0);
  assert_close(found.position[0], 0.5, 1e-6);
  assert_close(found.inertia[2], 3.0 * polar / area, 1e-5);
  assert_close(column_value(world, "mass", 1), 1.5, 1e-15);
  floc_world_destroy(world);

  /* in space: two balls that nearly coincide are one */
  world = make_world(3, 0.01, 0, 1);
  add_ball(world, 0, 0, 0, 0.5, 1);
  add_ball(world, 1e-5, 0, 0, 0.5, 1);
  found = state_of(world, join(world, 1, 2, NULL));
  for (int k = 0; k < 3; k++) assert_close(found.inertia[k], 0.4 * 2.0 * 0.25, 1e-4);
  floc_world_destroy(world);
}

/* ---- motion ---- */

/* Free flight: the centre falls, the frame turns evenly, no distance changes. In space each step is a Cayley turn,
 * by 2 atan(h omega / 2). */
static void free_flight_is_rigid(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_world *world = make_world(dimension, 1e-3, -10, 1);
    add_ball(world, 0, 0, 0, 0.1, 1);
    add_ball(world, 0.3, 0, 0, 0.1, 2);
    add_ball(world, 0.1, 0.3, 0, 0.05, 1);
    floc_assembly_options options = defaults();
    options.velocity[0] = 1.0;
    options.angular_velocity[2] = 3.0;
    int32_t number = join(world, 1, 3, &options);
    floc_assembly_state before = state_of(world, number);
    run_steps(world, 1000);
    floc_assembly_state after = state_of(world, number);
    assert_close(after.position[0], before.position[0] + 1.0, 1e-12);
    assert_close(after.position[1], before.position[1] - 10.0 * 0.5 * 1.001, 1e-9);
    assert_close(after.angular_velocity[2], 3.0, 1e-9);
    if (dimension == 2) assert_close(after.angle, 3.0, 1e-9);
    double x = column_value(world, "x", 2) - column_value(world, "x", 1);
    double y = column_value(world, "y", 2) - column_value(world, "y", 1);
    double angle = dimension == 2 ? 3.0 : 1000 * 2.0 * atan(0.5 * 1e-3 * 3.0);
    assert_close(x, 0.3 * cos(angle), 1e-12);
    assert_close(y, 0.3 * sin(angle), 1e-12);
    /* members move with the rigid field */
    assert_close(column_value(world, "vx", 2) - column_value(world, "vx", 1), -3.0 * y, 1e-9);
    assert_int_equal(step_report(world).total_iterations, 0);
    floc_world_destroy(world);
  }
}

/* Without a common line of action: momentum and angular momentum of all that takes part are kept. */
static void collisions_keep_momentum_and_angular_momentum(void **state)
{
  (void)state;
  for (int friction = 0; friction < 2; friction++) {
    floc_world *world = make_world(2, 1e-3, 0, 1);
    floc_projection_options options;
    floc_projection_options_init(&options);
    options.friction = friction ? 0.5 : 0.0;
    options.tolerance = 1e-13;
    assert_world_ok(world, floc_world_set_projection(world, &options));
    for (int k = 0; k < 5; k++) add_ball(world, 0, 0.2 * k, 0, 0.1, 1);
    join(world, 1, 5, NULL);
    add_ball(world, -0.5, 0.05, 0, 0.15, 2);
    double *vx;
    int64_t count;
    assert_world_ok(world, floc_column(world, "vx", &vx, &count));
    vx[5] = 1.5;
    double momentum[2], angular[2];
    for (int round = 0; round < 2; round++) {
      floc_assembly_state rod = state_of(world, 0);
      momentum[round] = measured(world, "momentum_x");
      angular[round] = rod.inertia[2] * rod.angular_velocity[2] +
                       rod.mass * (rod.position[0] * rod.velocity[1] - rod.position[1] * rod.velocity[0]) +
                       2.0 * (column_value(world, "x", 6) * column_value(world, "vy", 6) -
                              column_value(world, "y", 6) * column_value(world, "vx", 6));
      if (friction) angular[round] += 0.5 * 2.0 * 0.15 * 0.15 * column_value(world, "angular_velocity_z", 6);
      if (round == 0) run_steps(world, 600);
    }
    assert_true(state_of(world, 0).angular_velocity[2] > 0.5);
    assert_close(momentum[1], momentum[0], 1e-12);
    assert_close(angular[1], angular[0], 1e-12);
    floc_world_destroy(world);
  }
}

/* A rod that falls on its end topples and comes to lie; energy never grows. */
static void a_rod_topples(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int friction = 0; friction < 2; friction++) {
      floc_world *world = make_world(dimension, 1e-3, -10, 1);
      if (friction) set_friction(world, 0.5);
      add_plane(world, NULL, 0, 1);
      for (int k = 0; k < 4; k++)
        add_ball(world, 0.02 * k, 0.15 + 0.2 * k, dimension == 3 ? 0.01 * k : 0.0, 0.1, 1);
      join(world, 1, 4, NULL);
      double energy = measured(world, "kinetic_energy") + measured(world, "potential_energy");
      for (int step = 0; step < 2500; step++) {
        run_steps(world, 1);
        double now = measured(world, "kinetic_energy") + measured(world, "potential_energy");
        /* weight times tolerance, for the particles and for the gap that is given back */
        assert_true(now <= energy + 2.0 * 4 * 10.0 * step_report(world).tolerance);
        energy = now;
      }
      for (int id = 1; id <= 4; id++) assert_close(column_value(world, "y", id), 0.1, 2e-3);
      assert_int_equal(step_report(world).unconverged_steps, 0);
      assert_true(step_report(world).greatest_overlap < 0.02);
      floc_world_destroy(world);
    }
}

/* A block of spheres on a plane that tilts slowly slips at atan(mu). */
static double slip_angle(int32_t dimension, double mu, int32_t solver)
{
  double h = 1e-3, rate = 0.05, angle = atan(mu) - 0.04;
  floc_world *world = make_world(dimension, h, 0, 1);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = mu;
  options.solver = solver;
  options.tolerance = 1e-10; /* the default lets 1e-4 of speed through */
  assert_world_ok(world, floc_world_set_projection(world, &options));
  add_plane(world, NULL, 0, 1);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < (dimension == 3 ? 2 : 1); k++)
      for (int j = 0; j < 2; j++) add_ball(world, 0.1 * i, 0.05 + 0.1 * j, 0.1 * k, 0.05, 1);
  join(world, 1, dimension == 3 ? 24 : 12, NULL);
  for (int step = 0; step < 4000; step++) {
    angle += rate * h;
    const double gravity[3] = {10.0 * sin(angle), -10.0 * cos(angle), 0.0};
    assert_world_ok(world, floc_world_set_gravity(world, gravity));
    run_steps(world, 1);
    if (state_of(world, 0).velocity[0] > 1e-4) break;
  }
  floc_world_destroy(world);
  return angle;
}

static void a_block_slips_at_the_angle_of_friction(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (double mu = 0.2; mu < 0.9; mu += 0.3) {
      double angle = slip_angle(dimension, mu, dimension == 2 && mu == 0.2 ? FLOC_SOLVER_APGD : FLOC_SOLVER_AUTO);
      print_message("%d-D mu %.1f: slips at %.5f, atan(mu) = %.5f, ratio %.4f\n", dimension, mu, angle, atan(mu),
                    angle / atan(mu));
      assert_close(angle, atan(mu), 0.01 * atan(mu));
    }
}

/* ---- checkpoints ---- */

static floc_world *make_cells(int variant, int32_t threads)
{
  int32_t dimension = variant < 2 ? 2 : 3;
  floc_world *world = make_world(dimension, 1e-3, -10, threads);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = variant % 2 == 0 ? 0.4 : 0.0;
  options.contact_law = variant == 1 ? FLOC_CONTACT_GLUEY : FLOC_CONTACT_INELASTIC;
  options.gamma_min = -0.5;
  set_projection(world, options);
  add_plane(world, NULL, 0, 1);
  int64_t last = 0;
  for (int k = 0; k < 24; k++) {
    double x = 0.3 * (k % 4) + 0.02 * (k % 3), y = 0.1 + 0.25 * (k / 4);
    for (int m = 0; m < 3; m++) last = add_ball(world, x + 0.05 * m, y + (m == 1 ? 0.04 : 0.0), 0.01 * k, 0.05, 1);
    floc_assembly_options turning = defaults();
    for (int a = 0; a < 3 && dimension == 3; a++) turning.angular_velocity[a] = 2.0 + a;
    join(world, last - 2, last, &turning);
    add_ball(world, x + 0.2, y, 0.0, 0.04, 1);
  }
  return world;
}

static void resume_and_threads_keep_every_bit(void **state)
{
  (void)state;
  assert_same_bits(make_cells, 4, 150, 150);
}

/* ---- wrong input ---- */

static void expect_refusal(floc_world *world, const int64_t *ids, int64_t count,
                           const floc_assembly_options *options, floc_status expected, const char *text)
{
  int32_t number = -7;
  uint64_t before = world_hash(world);
  assert_int_equal(floc_assembly_add(world, ids, count, options, &number), expected);
  if (!strstr(floc_world_message(world), text)) fail_msg("\"%s\" lacks \"%s\"", floc_world_message(world), text);
  assert_int_equal(number, -7);
  assert_true(world_hash(world) == before);
}

static void wrong_input_is_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(3, 0.01, 0, 1);
  for (int k = 0; k < 4; k++) add_ball(world, k, 0, 0, 0.4, 1);
  floc_assembly_options good = defaults(), bad;
  const int64_t ids[] = {1, 2}, beyond[] = {1, 9}, twice[] = {2, 2}, other[] = {3, 2}, zero[] = {0};
  expect_refusal(world, ids, 0, &good, FLOC_INVALID_ARGUMENT, "count is 0");
  expect_refusal(world, ids, 5, &good, FLOC_INVALID_ARGUMENT, "count is 5");
  expect_refusal(world, NULL, 1, &good, FLOC_INVALID_ARGUMENT, "count is 1");
  expect_refusal(world, beyond, 2, &good, FLOC_INVALID_ARGUMENT, "ids[1] is 9");
  expect_refusal(world, zero, 1, &good, FLOC_INVALID_ARGUMENT, "ids[0] is 0");
  expect_refusal(world, twice, 2, &good, FLOC_INVALID_ARGUMENT, "particle 2 is named twice");
  bad = good;
  bad.mass = -1.0;
  expect_refusal(world, ids, 2, &bad, FLOC_INVALID_ARGUMENT, "mass is -1");
  bad = good;
  bad.inertia[0] = bad.inertia[1] = bad.inertia[2] = 1.0;
  bad.inertia[3] = 2.0;
  expect_refusal(world, ids, 2, &bad, FLOC_INVALID_ARGUMENT, "not positive definite");
  bad = good;
  bad.velocity[1] = NAN;
  expect_refusal(world, ids, 2, &bad, FLOC_INVALID_ARGUMENT, "velocity[1]");
  bad = good;
  bad.struct_size = 3;
  expect_refusal(world, ids, 2, &bad, FLOC_INVALID_ARGUMENT, "struct_size");
  join(world, 1, 2, NULL);
  expect_refusal(world, other, 2, &good, FLOC_ALREADY_EXISTS, "particle 2 belongs to assembly 0");
  int32_t owner;
  assert_world_ok(world, floc_assembly_of(world, 2, &owner));
  assert_int_equal(owner, 0);
  assert_world_ok(world, floc_assembly_of(world, 3, &owner));
  assert_int_equal(owner, -1);
  assert_int_equal(floc_assembly_of(world, 5, &owner), FLOC_INVALID_ARGUMENT);
  floc_assembly_state found = {.struct_size = sizeof found};
  assert_int_equal(floc_assembly_get_state(world, 1, &found), FLOC_NOT_FOUND);
  floc_world_destroy(world);
}

/* Members of one assembly may overlap, even coincide; others may not touch it. */
static void members_do_not_collide(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0, 1);
  add_ball(world, 0, 0, 0, 0.2, 1);
  add_ball(world, 0.1, 0, 0, 0.2, 1);
  add_ball(world, 0.1, 0, 0, 0.1, 1);
  join(world, 1, 3, NULL);
  double worst;
  assert_world_ok(world, floc_particles_check(world, &worst));
  assert_true(worst == 0.0);
  run_steps(world, 10);
  int64_t count;
  assert_world_ok(world, floc_world_get_contacts(world, NULL, 0, &count));
  assert_int_equal(count, 0);
  assert_close(measured(world, "kinetic_energy"), 0.0, 1e-20);
  floc_world_destroy(world);
}

/* Memory that runs out leaves no trace: every n-th allocation is refused in turn. */
static void memory_may_run_out(void **state)
{
  (void)state;
  for (int64_t refused = 1;; refused++) {
    failing_allocator counter;
    floc_world *world = make_failing_world(&counter);
    add_plane(world, NULL, 0, 1);
    for (int k = 0; k < 6; k++) add_ball(world, 0.15 * k, 0.1, 0, 0.1, 1);
    counter.refused = counter.calls + refused;
    floc_projection_options projection;
    floc_projection_options_init(&projection);
    projection.friction = 0.3;
    const int64_t ids[] = {1, 2, 3};
    floc_assembly_options usual = defaults();
    floc_status status = floc_world_set_projection(world, &projection);
    if (status == FLOC_OK) status = floc_assembly_add(world, ids, 3, &usual, NULL);
    for (int step = 0; step < 3 && status == FLOC_OK; step++) status = floc_world_step(world);
    if (failing_world_ended(world, &counter, status)) break;
    assert_true(refused < 500);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(touching_members_add_up),
      cmocka_unit_test(overlapping_members_weigh_as_their_union),
      cmocka_unit_test(free_flight_is_rigid),
      cmocka_unit_test(collisions_keep_momentum_and_angular_momentum),
      cmocka_unit_test(a_rod_topples),
      cmocka_unit_test(a_block_slips_at_the_angle_of_friction),
      cmocka_unit_test(resume_and_threads_keep_every_bit),
      cmocka_unit_test(wrong_input_is_refused),
      cmocka_unit_test(members_do_not_collide),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
