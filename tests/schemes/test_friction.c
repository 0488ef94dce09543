/*
 * Friction, rotation and restitution in the projection, through the public surface, against closed forms:
 * sliding to rolling, a block on a slope, the convex law, a moving floor, energy, angular momentum, rebounds.
 */
#include "support_projection.h"

static floc_projection_options with_friction(double friction)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = friction;
  return options;
}

/* ---- one particle ---- */

/* Thrown along the floor a disc slides with -mu g until it rolls, with 2/3 of its speed (a ball: 5/7), from
 * t = v/(3 mu g) on (a ball: 2 v/(7 mu g)). */
static void sliding_becomes_rolling(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int32_t solver = 0; solver < 3; solver++) {
      double h = 1e-3, mu = 0.3, g = 10.0, speed = 2.0, radius = 0.1;
      floc_world *world = make_world(dimension, h, -g, 1);
      floc_projection_options options = with_friction(mu);
      options.solver = solver;
      options.tolerance = 1e-7; /* three digits are looked for, and errors of all steps add up */
      set_projection(world, options);
      add_plane(world, NULL, 0, 1);
      add_particle(world, 0, radius, speed, 0, radius);
      double rolls = speed / ((dimension == 2 ? 3.0 : 3.5) * mu * g);
      int half = (int)(0.5 * rolls / h);
      run_steps(world, half);
      assert_close(column_value(world, "vx", 1), speed - mu * g * half * h, 1e-3);
      double inertia = dimension == 2 ? 0.5 : 0.4;
      assert_close(column_value(world, "angular_velocity_z", 1), -mu * g * half * h / (inertia * radius), 0.05);
      run_steps(world, half + 300);
      double final = speed * (dimension == 2 ? 2.0 / 3.0 : 5.0 / 7.0);
      assert_close(column_value(world, "vx", 1), final, 2e-3);
      assert_close(column_value(world, "angular_velocity_z", 1), -final / radius, 2e-2);
      assert_close(column_value(world, "y", 1), radius, 1e-6);
      assert_int_equal(step_report(world).unconverged_steps, 0);
      floc_world_destroy(world);
    }
}

/* No dilation: a disc that slides fast stays on the floor to the solver's tolerance. */
static void sliding_does_not_lift(void **state)
{
  (void)state;
  for (int32_t solver = 0; solver < 3; solver++) {
    floc_world *world = make_world(2, 1e-2, -10, 1);
    floc_projection_options options = with_friction(1.0);
    options.solver = solver;
    options.tolerance = 1e-10;
    set_projection(world, options);
    add_plane(world, NULL, 0, 1);
    add_particle(world, 0, 0.1, 50, 0, 0.1);
    for (int step = 0; step < 50; step++) {
      run_steps(world, 1);
      assert_close(column_value(world, "y", 1), 0.1, 1e-9);
    }
    floc_world_destroy(world);
  }
}

/* Under the convex law a disc or ball that slides stands mu h times its speed of sliding above the floor, and rolls
 * at the end at the same speed as under Coulomb's law, on the floor. */
static void the_convex_law_lifts_what_slides(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    double h = 1e-3, mu = 0.4, radius = 0.1, speed = 3.0;
    floc_world *world = make_world(dimension, h, -10, 1);
    floc_projection_options options = with_friction(mu);
    options.friction_law = FLOC_FRICTION_LAW_CONVEX;
    options.tolerance = 1e-9;
    set_projection(world, options);
    add_plane(world, NULL, 0, 1);
    const double k = dimension == 2 ? 3.0 : 3.5; /* an impulse p stops k mu p/m of the sliding */
    add_particle(world, 0, radius + mu * h * speed, speed, -k * mu * mu * h * 10.0, radius);
    add_particle(world, -10, radius, speed, 0, radius);
    run_steps(world, 1);
    assert_close(column_value(world, "vy", 2), mu * (speed - k * mu * 10.0 * h) / (1.0 + k * mu * mu), 1e-6);
    int lifted = 0;
    for (int step = 0; step < 500; step++) {
      run_steps(world, 1);
      double slides = column_value(world, "vx", 1) + radius * column_value(world, "angular_velocity_z", 1);
      assert_close(column_value(world, "y", 1) - radius, mu * h * fabs(slides), 2e-9);
      lifted += slides > 0.1;
    }
    assert_true(lifted > 100);
    assert_close(column_value(world, "vx", 1), speed * (dimension == 2 ? 2.0 / 3.0 : 5.0 / 7.0), 2e-3);
    assert_close(column_value(world, "y", 1), radius, 1e-8);
    floc_world_destroy(world);
  }
}

/* A block of four discs on a slope: both laws hold it below the angle of friction, and let it slide with
 * g (sin - mu cos) above; then the convex law keeps it mu h times its speed above the slope, h -> 0 the same
 * motion. */
static void a_block_slides_alike_under_both_laws(void **state)
{
  (void)state;
  double h = 1e-3, mu = 0.4, radius = 0.05;
  for (int law = 0; law < 2; law++)
    for (int slides = 0; slides < 2; slides++) {
      double angle = atan(mu) + (slides ? 0.2 : -0.05);
      floc_world *world = make_world(2, h, 0, 1);
      const double gravity[3] = {10.0 * sin(angle), -10.0 * cos(angle), 0.0};
      assert_world_ok(world, floc_world_set_gravity(world, gravity));
      floc_projection_options options = with_friction(mu);
      options.friction_law = law;
      options.tolerance = 1e-9;
      set_projection(world, options);
      add_plane(world, NULL, 0, 1);
      for (int k = 0; k < 4; k++) add_particle(world, 0.1 * k, radius, 0, 0, radius);
      const int64_t ids[4] = {1, 2, 3, 4};
      floc_assembly_options usual;
      floc_assembly_options_init(&usual);
      assert_world_ok(world, floc_assembly_add(world, ids, 4, &usual, NULL));
      run_steps(world, 500);
      double expected = slides ? 10.0 * (sin(angle) - mu * cos(angle)) * 0.5 : 0.0;
      assert_close(column_value(world, "vx", 2), expected, 1e-2 * expected + 1e-6);
      double height = column_value(world, "y", 2) - radius;
      assert_close(height, law ? mu * h * column_value(world, "vx", 2) : 0.0, 1e-8);
      assert_int_equal(step_report(world).unconverged_steps, 0);
      floc_world_destroy(world);
    }
}

/* On a slope a disc rolls with 2/3 g sin(a) if mu > tan(a)/3, else it slides with g (sin - mu cos). */
static void slope_decides_between_rolling_and_sliding(void **state)
{
  (void)state;
  double angle = 0.6, h = 1e-3;
  for (int rolls = 0; rolls < 2; rolls++) {
    double mu = rolls ? 0.5 : 0.1;
    floc_world *world = make_world(2, h, 0, 1);
    const double gravity[3] = {10.0 * sin(angle), -10.0 * cos(angle), 0.0};
    assert_world_ok(world, floc_world_set_gravity(world, gravity));
    set_projection(world, with_friction(mu));
    add_plane(world, NULL, 0, 1);
    add_particle(world, 0, 0.1, 0, 0, 0.1);
    run_steps(world, 500);
    double pull = rolls ? 2.0 / 3.0 * sin(angle) : sin(angle) - mu * cos(angle);
    assert_close(column_value(world, "vx", 1), 10.0 * pull * 0.5, 0.02);
    floc_world_destroy(world);
  }
}

/* A floor that moves under a resting disc drags it with mu g; a turning drum likewise by its surface. */
static void moving_walls_drag(void **state)
{
  (void)state;
  floc_body_options belt;
  floc_body_options_init(&belt);
  belt.motion = FLOC_MOTION_CONSTANT;
  belt.velocity[0] = 1.0;
  floc_world *world = make_world(2, 1e-3, -10, 1);
  set_projection(world, with_friction(0.2));
  add_plane(world, &belt, 0, 1);
  add_particle(world, 0, 0.1, 0, 0, 0.1);
  run_steps(world, 100);
  assert_close(column_value(world, "vx", 1), 0.2, 2e-3);
  run_steps(world, 400);
  /* rolling without sliding: v + omega r is the belt's speed, from rest v = 1/3 */
  assert_close(column_value(world, "vx", 1), 1.0 / 3.0, 2e-3);
  floc_body_state floor = {.struct_size = sizeof floor};
  assert_world_ok(world, floc_body_get_state(world, 0, &floor));
  assert_close(floor.force[1], -10.0, 0.01);
  floc_world_destroy(world);

  /* inside a drum that turns, a disc is carried up the side that rises */
  floc_body_options drum;
  floc_body_options_init(&drum);
  drum.motion = FLOC_MOTION_CONSTANT;
  drum.angular_velocity[2] = 0.5;
  world = make_world(2, 1e-3, -10, 1);
  set_projection(world, with_friction(0.5));
  int32_t number;
  assert_world_ok(world, floc_body_add(world, &drum, &number));
  floc_shape hollow;
  floc_shape_init(&hollow);
  hollow.kind = FLOC_SHAPE_HOLLOW;
  hollow.radius = 1.0;
  assert_world_ok(world, floc_body_add_shape(world, number, &hollow));
  add_particle(world, 0, -0.9, 0, 0, 0.1);
  run_steps(world, 20);
  assert_true(column_value(world, "vx", 1) > 0.05);
  assert_true(column_value(world, "angular_velocity_z", 1) > 0.0);
  floc_world_destroy(world);
}

/* ---- many ---- */

static floc_world *make_heap(int32_t dimension, double friction, int32_t threads, int32_t solver)
{
  floc_world *world = make_world(dimension, 2e-3, -10.0, threads);
  floc_projection_options options = with_friction(friction);
  options.solver = solver;
  set_projection(world, options);
  add_plane(world, NULL, 0, 1);
  floc_insertion_options crowd;
  floc_insertion_options_init(&crowd);
  crowd.count = dimension == 2 ? 120 : 150;
  crowd.region_lower[0] = crowd.region_lower[2] = -0.25;
  crowd.region_upper[0] = crowd.region_upper[2] = 0.25;
  crowd.region_lower[1] = 0.001;
  crowd.region_upper[1] = dimension == 2 ? 0.8 : 0.4;
  crowd.radius_lower = 0.015;
  crowd.radius_upper = 0.025;
  crowd.velocity_spread = 0.5;
  int64_t first;
  assert_world_ok(world, floc_particles_insert(world, &crowd, &first));
  return world;
}

/* The step is dissipative for any mu: kinetic plus potential energy never grows. */
static void energy_never_grows(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (double mu = 0.3; mu < 1.3; mu += 0.6) {
      floc_world *world = make_heap(dimension, mu, 1, FLOC_SOLVER_AUTO);
      double energy = measured(world, "kinetic_energy") + measured(world, "potential_energy"), worst = 0.0;
      double first = energy;
      for (int step = 0; step < (dimension == 2 ? 300 : 150); step++) {
        run_steps(world, 1);
        double now = measured(world, "kinetic_energy") + measured(world, "potential_energy");
        worst = fmax(worst, now - energy);
        energy = now;
        assert_close(measured(world, "kinetic_energy"), step_report(world).kinetic_energy, 1e-9 * first);
      }
      floc_step_report report = step_report(world);
      print_message(
          "%d-D mu %.1f: energy %.4f to %.4f, greatest growth in a step %.2e, %lld products, %lld unsolved\n",
          dimension, mu, first, energy, worst, (long long)report.total_iterations,
          (long long)report.unconverged_steps);
      /* what the tolerance of a contact lets through: weight times tolerance, per particle */
      assert_true(worst <= 150 * 10.0 * report.tolerance);
      assert_int_equal(report.unconverged_steps, 0);
      floc_world_destroy(world);
    }
}

/* Two discs that hit off centre: momentum and angular momentum are kept, orbital and spin together. */
static void angular_momentum_is_kept(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0, 1);
  floc_projection_options options = with_friction(0.4);
  options.tolerance = 1e-13;
  set_projection(world, options);
  add_particle(world, -1, 0.1, 1.5, 0, 0.2);
  add_particle(world, 1, -0.05, -1, 0, 0.3);
  add_particle(world, 1.5, 0.5, -1, -0.3, 0.25);
  double before = 0.0, after = 0.0;
  for (int round = 0; round < 2; round++) {
    double sum = 0.0;
    for (int id = 1; id <= 3; id++) {
      double r = column_value(world, "radius", id);
      sum += column_value(world, "x", id) * column_value(world, "vy", id) -
             column_value(world, "y", id) * column_value(world, "vx", id) +
             0.5 * r * r * column_value(world, "angular_velocity_z", id);
    }
    *(round ? &after : &before) = sum;
    if (round == 0) run_steps(world, 150);
  }
  assert_true(fabs(column_value(world, "angular_velocity_z", 1)) > 0.1);
  assert_close(after, before, 1e-12);
  assert_close(measured(world, "momentum_x"), -0.5, 1e-12);
  floc_world_destroy(world);
}

/* A column of discs without walls slumps on a rough floor: the more friction, the higher and narrower the heap. */
static double slump(double friction, int seed)
{
  floc_world *world = make_world(2, 1e-3, -10, 1);
  floc_projection_options options = with_friction(friction);
  options.tolerance = 1e-6;
  set_projection(world, options);
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t floor;
  assert_world_ok(world, floc_body_add(world, &fixed, &floor));
  for (int k = -50; k <= 50; k++) {
    floc_shape bump;
    floc_shape_init(&bump);
    bump.kind = FLOC_SHAPE_SPHERE;
    bump.points[0][0] = 0.048 * k;
    bump.points[0][1] = -0.02;
    bump.radius = 0.02;
    assert_world_ok(world, floc_body_add_shape(world, floor, &bump));
  }
  insert_box(world, 90, -0.15, 0.005, 0.15 + 1e-3 * seed, 1.0, 0.016, 0.024);
  run_steps(world, 1500);
  double spread = 0.0, middle = measured(world, "center_x"), height = measured(world, "center_y");
  for (int id = 1; id <= 90; id++) spread += fabs(column_value(world, "x", id) - middle) / 90.0;
  int64_t unsolved = step_report(world).unconverged_steps;
  print_message("mu = %.1f: height over spread %.4f, %lld steps of 1500 unsolved\n", friction, height / spread,
                (long long)unsolved);
  assert_true(unsolved <= 1);
  floc_world_destroy(world);
  return height / spread;
}

static void sandpiles_are_steeper_with_friction(void **state)
{
  (void)state;
  /* heaps of 90 differ by an eighth of themselves (one standard deviation) from seed to seed */
  enum { SEEDS = 6 };
  const double friction[3] = {0.0, 0.04, 0.2};
  double mean[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++)
    for (int seed = 1; seed <= SEEDS; seed++) mean[k] += slump(friction[k], seed) / SEEDS;
  assert_true(mean[1] > 1.15 * mean[0]);
  assert_true(mean[2] > 1.2 * mean[1]);
}

static void solvers_agree_on_a_heap(void **state)
{
  (void)state;
  double height[3];
  for (int32_t solver = 0; solver < 3; solver++) {
    floc_world *world = make_heap(2, 0.5, 1, solver);
    run_steps(world, 60);
    height[solver] = measured(world, "center_y");
    floc_world_destroy(world);
  }
  assert_close(height[1], height[0], 1e-4);
  assert_close(height[2], height[0], 1e-4);
}

/* One disc that lies alone is solved at once, a pyramid and a column are not by two products: the report counts the
 * two groups, and names a contact of theirs. With enough products there is nothing to say. */
static void what_is_not_solved_is_located(void **state)
{
  (void)state;
  for (int32_t enough = 0; enough < 2; enough++) {
    floc_world *world = make_world(2, 1e-3, -10, 1);
    floc_projection_options options = with_friction(0.5);
    options.tolerance = 1e-12;
    if (!enough) options.max_iterations = 2;
    set_projection(world, options);
    add_plane(world, NULL, 0, 1);
    add_particle(world, 9, 0.1, 0.5, 0, 0.1);
    for (int k = 0; k < 5; k++) add_particle(world, 0.01 * (k % 2), 0.1 + 0.199 * k, 0.1 * k, 0, 0.1);
    for (int k = 0; k < 3; k++) add_particle(world, 3 + 0.2 * k, 0.1, 0.0, 0, 0.1);
    for (int k = 0; k < 2; k++) add_particle(world, 3.1 + 0.2 * k, 0.1 + 0.17, 0.0, -1, 0.1);
    run_steps(world, 1);
    floc_step_report report = step_report(world);
    assert_int_equal(report.converged, enough);
    assert_int_equal(report.unsolved_islands, enough ? 0 : 2);
    assert_int_equal(report.worst_step, enough ? 0 : 1);
    if (!enough) {
      assert_close(report.worst_residual, report.residual / report.tolerance, 1e-9 * report.worst_residual);
      assert_true(report.worst_particle >= 2 && report.worst_particle <= 11);
      if (report.worst_other > 0)
        assert_true(report.worst_other <= 11 && report.worst_body == -1);
      else
        assert_int_equal(report.worst_body, 0);
    }
    floc_world_destroy(world);
  }
}

static floc_world *make_rough_heap(int variant, int32_t threads)
{
  return make_heap(2 + variant, 0.5, threads, FLOC_SOLVER_AUTO);
}

static void bits_do_not_depend_on_threads_or_resume(void **state)
{
  (void)state;
  assert_same_bits(make_rough_heap, 2, 60, 60);
}

/* Two gluey discs that are pulled sideways do not slide: adhesion widens the cone. */
static void adhesion_adds_to_friction(void **state)
{
  (void)state;
  for (int gluey = 0; gluey < 2; gluey++) {
    floc_world *world = make_world(2, 1e-3, 0, 1);
    floc_projection_options options = with_friction(0.5);
    options.contact_law = gluey ? FLOC_CONTACT_GLUEY : FLOC_CONTACT_INELASTIC;
    options.rotation = true;
    set_projection(world, options);
    add_plane(world, NULL, 0, 1);
    add_particle(world, 0, 0.11, 0, -1, 0.1);
    run_steps(world, 30);
    const double sideways[3] = {0.3, 0.0, 0.0};
    assert_world_ok(world, floc_world_set_gravity(world, sideways));
    run_steps(world, 1000);
    /* rolls with 2/3 of the pull where it sticks, flies off with all of it where it does not */
    assert_close(column_value(world, "vx", 1), gluey ? 0.2 : 0.3, 2e-3);
    floc_world_destroy(world);
  }
}

/* ---- restitution ---- */

static floc_projection_options with_restitution(double restitution)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.restitution = restitution;
  return options;
}

static void particles_leave_with_their_part_of_the_speed(void **state)
{
  (void)state;
  for (double e = 0.25; e <= 1.0; e += 0.25) {
    floc_world *world = make_world(2, 0.01, 0, 1);
    set_projection(world, with_restitution(e));
    add_plane(world, NULL, 0, 1);
    add_particle(world, 0, 1, 0.3, -2, 0.1);
    add_particle(world, 5, 1, 1, 0, 0.1);
    add_particle(world, 6, 1, -2, 0, 0.1);
    run_steps(world, 100);
    assert_close(column_value(world, "vy", 1), 2.0 * e, 1e-6);
    assert_close(column_value(world, "vx", 1), 0.3, 1e-12);
    assert_close(column_value(world, "vx", 3) - column_value(world, "vx", 2), 3.0 * e, 1e-5);
    assert_close(column_value(world, "vx", 3) + column_value(world, "vx", 2), -1.0, 1e-12);
    floc_world_destroy(world);
  }
}

/* A ball that falls from a height h bounces to e^2 h; a threshold ends it; with e = 1 energy does not grow. */
static void a_ball_bounces(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-4, -10, 1);
  set_projection(world, with_restitution(0.8));
  add_plane(world, NULL, 0, 1);
  add_particle(world, 0, 1.1, 0, 0, 0.1);
  double top = 0.0;
  run_steps(world, 4472);
  for (int step = 0; step < 7200; step++) {
    run_steps(world, 1);
    top = fmax(top, column_value(world, "y", 1) - 0.1);
  }
  assert_close(top, 0.64, 2e-3);
  floc_projection_options slow = with_restitution(0.8);
  slow.restitution_speed = 3.6;
  set_projection(world, slow);
  run_steps(world, 20000);
  assert_close(column_value(world, "y", 1), 0.1, 1e-5);
  assert_close(column_value(world, "vy", 1), 0.0, 1e-6);
  floc_world_destroy(world);
}

static void rebounds_add_no_energy(void **state)
{
  (void)state;
  for (double e = 0.5; e <= 1.0; e += 0.5) {
    floc_world *world = make_world(2, 1e-3, -10, 1);
    set_projection(world, with_restitution(e));
    add_plane(world, NULL, 0, 1);
    add_plane(world, NULL, 1, 0);
    insert_box(world, 80, 0.1, 0.1, 0.9, 0.9, 0.02, 0.04);
    double energy = measured(world, "potential_energy"), worst = 0.0;
    for (int step = 0; step < 800; step++) {
      run_steps(world, 1);
      double now = measured(world, "kinetic_energy") + measured(world, "potential_energy");
      worst = fmax(worst, now - energy);
      energy = now;
    }
    print_message("e = %.1f: energy at the end %.3f, greatest growth in a step %.1e\n", e, energy, worst);
    assert_true(worst <= 80 * 10.0 * step_report(world).tolerance);
    assert_true(step_report(world).greatest_overlap <= 1e-3);
    floc_world_destroy(world);
  }
}

/* A piston hits a resting disc: it leaves with (1 + e) times the piston's speed. */
static void moving_walls_throw(void **state)
{
  (void)state;
  floc_body_options piston;
  floc_body_options_init(&piston);
  piston.motion = FLOC_MOTION_CONSTANT;
  piston.velocity[1] = 2.0;
  floc_world *world = make_world(2, 1e-3, 0, 1);
  set_projection(world, with_restitution(0.5));
  add_plane(world, &piston, 0, 1);
  add_particle(world, 0, 0.2, 0, 0, 0.1);
  run_steps(world, 100);
  assert_close(column_value(world, "vy", 1), 3.0, 1e-6);
  floc_world_destroy(world);
}

static void wrong_options_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0, 1);
  floc_projection_options options = with_friction(-0.1);
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "friction is -0.1"));
  options = with_friction(INFINITY);
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  options = with_friction(0.5);
  options.contact_law = FLOC_CONTACT_GLUEY;
  options.gluey_rule = FLOC_GLUEY_EQUALITY;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_NOT_SUPPORTED);
  options = with_friction(0.0);
  options.friction_law = FLOC_FRICTION_LAW_CONVEX;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  assert_non_null(
      strstr(floc_world_message(world), "friction_law is 1, which would do nothing: it needs friction"));
  options = with_friction(0.5);
  options.friction_law = 2;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  options = with_restitution(1.1);
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  options = with_restitution(0.5);
  options.restitution_speed = -1.0;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  options.restitution_speed = 0.0;
  options.contact_law = FLOC_CONTACT_GLUEY;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_NOT_SUPPORTED);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sliding_becomes_rolling),
      cmocka_unit_test(sliding_does_not_lift),
      cmocka_unit_test(the_convex_law_lifts_what_slides),
      cmocka_unit_test(a_block_slides_alike_under_both_laws),
      cmocka_unit_test(slope_decides_between_rolling_and_sliding),
      cmocka_unit_test(moving_walls_drag),
      cmocka_unit_test(energy_never_grows),
      cmocka_unit_test(angular_momentum_is_kept),
      cmocka_unit_test(sandpiles_are_steeper_with_friction),
      cmocka_unit_test(solvers_agree_on_a_heap),
      cmocka_unit_test(what_is_not_solved_is_located),
      cmocka_unit_test(bits_do_not_depend_on_threads_or_resume),
      cmocka_unit_test(adhesion_adds_to_friction),
      cmocka_unit_test(particles_leave_with_their_part_of_the_speed),
      cmocka_unit_test(a_ball_bounces),
      cmocka_unit_test(rebounds_add_no_energy),
      cmocka_unit_test(moving_walls_throw),
      cmocka_unit_test(wrong_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
