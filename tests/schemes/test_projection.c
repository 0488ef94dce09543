/*
 * The projection scheme against closed forms and conservation laws, through the public surface.
 */
#include "support_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Free fall: v = -g t exactly in steps of h, q = sum of h v (the scheme is symplectic Euler). */
static void free_fall_costs_no_iterations(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, -10.0, 1);
  add_particle(world, 0, 0, 1, 0, 0.1);
  run_steps(world, 100);
  assert_close(column_value(world, "vy", 1), -10.0, 1e-12);
  assert_close(column_value(world, "x", 1), 1.0, 1e-12);
  assert_close(column_value(world, "y", 1), -10.0 * 0.01 * 0.01 * 100 * 101 / 2, 1e-12);
  assert_int_equal(step_report(world).total_iterations, 0);
  floc_world_destroy(world);
}

/* A disc dropped on a floor stays there; the floor carries its weight. */
static void floor_carries_the_weight(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, -10.0, 1);
  add_segment(world, NULL, -1, 0, 1, 0);
  for (int k = 0; k < 5; k++) add_particle(world, -0.8 + 0.4 * k, 0.15 + 0.1 * k, 0, 0, 0.1);
  run_steps(world, 100);
  for (int id = 1; id <= 5; id++) assert_close(column_value(world, "y", id), 0.1, 1e-6);
  floc_body_state floor = {.struct_size = sizeof floor};
  assert_world_ok(world, floc_body_get_state(world, 0, &floor));
  assert_close(floor.force[1], -50.0, 0.5);
  assert_close(floor.force[0], 0.0, 1e-9);
  assert_true(step_report(world).greatest_overlap <= 1e-3);
  floc_world_destroy(world);
}

/* One list lasts while nothing moves; a particle that is added or moves far needs others. */
static void lists_are_counted(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  assert_int_equal(step_report(world).lists, 0);
  add_particle(world, 0, 0, 0, 0, 0.1);
  run_steps(world, 20);
  assert_int_equal(step_report(world).lists, 1);
  add_particle(world, 1, 0, 0, 0, 0.1);
  run_steps(world, 20);
  assert_int_equal(step_report(world).lists, 2);
  add_particle(world, 0, 5, 3, 0, 0.1);
  run_steps(world, 100);
  int64_t lists = step_report(world).lists;
  assert_in_range(lists, 4, 102);
  add_particle(world, 0, 0.2, 0, 0, 0.1); /* touches the first */
  add_segment(world, NULL, -1, -0.1, 0.5, -0.1);
  run_steps(world, 1);
  assert_int_equal(step_report(world).list_entries, 2);
  floc_world_destroy(world);
}

/* Two equal discs head on: perfectly inelastic, momentum kept. */
static void collision_is_inelastic(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  add_particle(world, -1, 0, 2, 0, 0.25);
  add_particle(world, 1, 0, -1, 0, 0.25);
  run_steps(world, 200);
  assert_close(column_value(world, "vx", 1), 0.5, 1e-6);
  assert_close(column_value(world, "vx", 2), 0.5, 1e-6);
  double distance = column_value(world, "x", 2) - column_value(world, "x", 1);
  assert_close(distance, 0.5, 1e-6);
  floc_world_destroy(world);
}

/* A fast disc strikes a row at rest. What the row's last disc then meets was too far for discs at rest, and the
 * step must be solved again: a fifth disc (target 0), a wall (1), or nothing that it can reach (2). */
static void the_end_of_a_struck_row_misses_nothing(void **state)
{
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    for (int target = 0; target < 3; target++) {
      floc_world *world = make_world(dimension, 0.01, 0.0, 1);
      double last = target == 2 ? 1.6 : 0.85;
      for (int k = 0; k < 4; k++) add_particle(world, 0.2 * k - (k == 0 ? 0.01 : 0.0), 0, k == 0 ? 100 : 0, 0, 0.1);
      if (target == 1) {
        floc_shape wall;
        floc_shape_init(&wall);
        wall.kind = FLOC_SHAPE_PLANE;
        wall.points[0][0] = last - 0.1;
        wall.points[1][0] = -1.0;
        floc_body_options fixed;
        floc_body_options_init(&fixed);
        int32_t body;
        assert_world_ok(world, floc_body_add(world, &fixed, &body));
        assert_world_ok(world, floc_body_add_shape(world, body, &wall));
      } else {
        add_particle(world, last, 0, 0, 0, 0.1);
      }
      run_steps(world, 1);
      assert_true(step_report(world).converged);
      assert_true(step_report(world).greatest_overlap <= 1e-4);
      double end = column_value(world, "x", 4);
      if (target == 0) {
        assert_true(column_value(world, "vx", 5) > 1.0);
        assert_close(column_value(world, "x", 5) - end, 0.2, 1e-4);
      }
      if (target == 1) assert_close(end, last - 0.2, 1e-4);
      if (target == 2) assert_close(end, 0.6 + (1.0 - 0.01) / 4, 1e-3);
      floc_world_destroy(world);
    }
  }
}

/* A disc that slides over the joint of two collinear plates feels nothing; over a bend it never sinks in. */
static void joints_of_a_polyline_do_not_catch(void **state)
{
  (void)state;
  for (int gluey = 0; gluey < 2; gluey++) {
    floc_world *world = make_world(2, 1e-3, -10.0, 1);
    floc_projection_options projection;
    floc_projection_options_init(&projection);
    projection.contact_law = gluey ? FLOC_CONTACT_GLUEY : FLOC_CONTACT_INELASTIC;
    assert_world_ok(world, floc_world_set_projection(world, &projection));
    double points[] = {-1, 0, 0, 0, 1, 0};
    floc_body_options fixed;
    floc_body_options_init(&fixed);
    int32_t body;
    assert_world_ok(world, floc_body_add(world, &fixed, &body));
    floc_compound line;
    floc_compound_init(&line);
    line.kind = FLOC_COMPOUND_POLYLINE;
    line.points = points;
    line.point_count = 3;
    assert_world_ok(world, floc_body_add_compound(world, body, &line));
    add_particle(world, -0.5, 0.1, 1, 0, 0.1);
    run_steps(world, 900);
    assert_close(column_value(world, "vx", 1), 1.0, 1e-9);
    assert_close(column_value(world, "x", 1), 0.4, 1e-9);
    assert_close(column_value(world, "y", 1), 0.1, 1e-6);
    floc_world_destroy(world);
  }
}

/* The gluey particle on a plane, Lefebvre 2009, Fig. 2: pressed until t = 2, then pulled. */
static floc_status push_then_pull(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = 0.0;
    outputs[1][k] = inputs[0][k] < 2.0 - 1e-12 ? -2.0 : 2.0;
  }
  return FLOC_OK;
}

static double gluey_position(double gamma_min, double time, double time_step)
{
  floc_world *world = make_world(2, time_step, 0.0, 1);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.contact_law = FLOC_CONTACT_GLUEY;
  projection.gamma_min = gamma_min;
  projection.tolerance = 1e-12;
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  add_segment(world, NULL, -5, 0, 5, 0);
  add_particle(world, 0, 2, 0, 0, 1.0);
  floc_law_options field;
  floc_law_options_init(&field);
  static const char *const inputs[] = {"time"};
  field.inputs = inputs;
  field.input_count = 1;
  field.output_count = 2;
  field.function = push_then_pull;
  int32_t law;
  assert_world_ok(world, floc_field_add(world, &field, &law));
  run_steps(world, (int)lround(time / time_step));
  double height = column_value(world, "y", 1) - 1.0;
  floc_world_destroy(world);
  return height;
}

static void gluey_particle_follows_the_exact_solution(void **state)
{
  (void)state;
  double h = 0.01;
  assert_close(gluey_position(-INFINITY, 0.5, h), 0.75, 2.1 * h);
  assert_close(gluey_position(-INFINITY, 3.9, h), 0.0, 1e-9);
  assert_close(gluey_position(-INFINITY, 5.0, h), 1.0, 2.1 * h);
  assert_close(gluey_position(-3.0, 3.4, h), 0.0, 1e-9);
  assert_close(gluey_position(-3.0, 4.5, h), 1.0, 2.1 * h);
}

/* A plate that moves up carries a disc with it; its velocity is the plate's. */
static void moving_plate_pushes(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, -10.0, 1);
  floc_body_options lift;
  floc_body_options_init(&lift);
  lift.motion = FLOC_MOTION_CONSTANT;
  lift.velocity[1] = 0.5;
  add_segment(world, &lift, -1, 0, 1, 0);
  add_particle(world, 0, 0.1, 0, 0, 0.1);
  run_steps(world, 100);
  assert_close(column_value(world, "y", 1), 0.6, 1e-6);
  assert_close(column_value(world, "vy", 1), 0.5, 1e-4);
  floc_world_destroy(world);
}

static floc_world *make_heap(int32_t threads)
{
  floc_world *world = make_world(2, 2e-3, -10.0, threads);
  add_segment(world, NULL, -0.5, 0, 0.5, 0);
  add_segment(world, NULL, -0.5, 0, -0.5, 3);
  add_segment(world, NULL, 0.5, 0, 0.5, 3);
  insert_box(world, 400, -0.49, 0.01, 0.49, 1.3, 0.015, 0.025);
  return world;
}

static double momentum_y(floc_world *world)
{
  double momentum = 0.0;
  assert_world_ok(world, floc_measure(world, "momentum_y", &momentum));
  return momentum;
}

static double force_on_bodies(floc_world *world, int32_t count)
{
  double force = 0.0;
  for (int32_t k = 0; k < count; k++) {
    floc_body_state body = {.struct_size = sizeof body};
    assert_world_ok(world, floc_body_get_state(world, k, &body));
    force += body.force[1];
  }
  return force;
}

/* A heap that comes to rest. Every step: change of momentum = weight minus force on the bodies, to
 * rounding. On average over the last steps: weight = force. Nothing overlaps; every step converged. */
static void heap_comes_to_rest(void **state)
{
  (void)state;
  const double h = 2e-3, weight = -4000.0;
  floc_world *world = make_heap(1);
  run_steps(world, 1200);
  double mean = 0.0, energy = 0.0, worst = 0.0;
  for (int k = 0; k < 300; k++) {
    double before = momentum_y(world);
    run_steps(world, 1);
    double force = force_on_bodies(world, 3);
    assert_close((momentum_y(world) - before) / h, weight - force, 1e-7 * 4000);
    mean += force / 300;
  }
  assert_close(mean, weight, 0.005 * 4000);
  floc_step_report report = step_report(world);
  assert_int_equal(report.unconverged_steps, 0);
  assert_true(report.greatest_overlap <= 1e-3);
  assert_world_ok(world, floc_measure(world, "kinetic_energy", &energy));
  assert_true(energy < 1e-2 * 400);
  assert_world_ok(world, floc_particles_check(world, &worst));
  assert_true(worst <= 1e-3);
  floc_world_destroy(world);
}

static void bits_do_not_depend_on_threads(void **state)
{
  (void)state;
  uint64_t reference = 0;
  for (int threads = 1; threads <= 8; threads = threads == 3 ? 8 : threads + 1) {
    floc_world *world = make_heap(threads);
    run_steps(world, 150);
    uint64_t hash = world_hash(world);
    if (threads == 1) reference = hash;
    assert_true(hash == reference);
    floc_world_destroy(world);
  }
}

/* Enough particles for a team of threads (world.c), whose number may change on the way. */
static void bits_do_not_depend_on_teams(void **state)
{
  (void)state;
  uint64_t reference = 0;
  for (int threads = 1; threads <= 4; threads++) {
    floc_world *world = make_world(2, 2e-3, -10.0, threads);
    add_segment(world, NULL, -2, 0, 2, 0);
    insert_box(world, 5000, -1.9, 0.03, 1.9, 4.0, 0.015, 0.025);
    run_steps(world, 15);
    assert_world_ok(world, floc_world_set_threads(world, threads % 3 + 1));
    run_steps(world, 5);
    uint64_t hash = world_hash(world);
    if (threads == 1) reference = hash;
    assert_true(hash == reference);
    floc_world_destroy(world);
  }
}

static void checkpoint_goes_on_bit_for_bit(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-test-XXXXXX";
  int handle = mkstemp(path);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(handle >= 0);
  floc_world *world = make_heap(1);
  run_steps(world, 60);
  assert_world_ok(world, floc_world_save(world, path, 1));
  run_steps(world, 60);
  uint64_t reference = world_hash(world);
  floc_world_destroy(world);
  world = make_heap(2);
  assert_world_ok(world, floc_world_load(world, path));
  run_steps(world, 60);
  assert_true(world_hash(world) == reference);
  floc_world_destroy(world);
  remove(path);
}

static void lost_and_broken_particles_are_named(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, -10.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  add_particle(world, 1, 0, 0, 0, 0.1);
  double *values;
  int64_t count;
  assert_world_ok(world, floc_column(world, "vx", &values, &count));
  values[1] = NAN;
  assert_int_equal(floc_world_step(world), FLOC_NOT_A_NUMBER);
  assert_non_null(strstr(floc_world_message(world), "particle 2"));
  values[1] = 0.0;
  assert_world_ok(world, floc_column(world, "x", &values, &count));
  values[1] = values[0];
  assert_int_equal(floc_world_step(world), FLOC_OVERLAPPING);
  assert_non_null(strstr(floc_world_message(world), "particles 1 and 2"));
  floc_world_destroy(world);

  world = make_world(2, 0.01, -10.0, 1);
  add_segment(world, NULL, -1, 0, 1, 0);
  floc_body_options press;
  floc_body_options_init(&press);
  press.motion = FLOC_MOTION_CONSTANT;
  press.velocity[1] = -1.0;
  press.name = "press";
  add_segment(world, &press, -1, 0.3, 1, 0.3);
  add_particle(world, 0, 0.1, 0, 0, 0.1);
  floc_status status = FLOC_OK;
  for (int k = 0; k < 60 && status == FLOC_OK; k++) status = floc_world_step(world);
  assert_int_equal(status, FLOC_ESCAPED);
  assert_non_null(strstr(floc_world_message(world), "particle 1"));
  floc_world_destroy(world);
}

/* ---- without inertia ---- */

static void refuses(floc_world *world, floc_projection_options *options, const char *words)
{
  assert_int_not_equal(floc_world_set_projection(world, options), FLOC_OK);
  assert_non_null(strstr(floc_world_message(world), words));
  floc_projection_options_init(options);
  options->first_order = 1;
}

static void first_order_refuses_what_it_would_ignore(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.first_order = 1;
  options.friction = 0.5;
  refuses(world, &options, "friction is 0.5 with first_order");
  options.rotation = 1;
  refuses(world, &options, "rotation is 1 with first_order");
  options.restitution = 0.25;
  refuses(world, &options, "restitution is 0.25 with first_order");
  options.contact_law = FLOC_CONTACT_GLUEY;
  refuses(world, &options, "gluey");
  assert_world_ok(world, floc_world_set_projection(world, &options));
  add_particle(world, 0, 0, 0, 0, 0.1);
  assert_int_equal(floc_world_step(world), FLOC_WRONG_STATE);
  assert_non_null(strstr(floc_world_message(world), "first_order needs a priori velocities"));
  floc_world_destroy(world);
  world = make_world(2, 0.01, -10.0, 1);
  refuses(world, &options, "gravity is not supported under the scheme first_order");
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_fall_costs_no_iterations),
      cmocka_unit_test(floor_carries_the_weight),
      cmocka_unit_test(lists_are_counted),
      cmocka_unit_test(collision_is_inelastic),
      cmocka_unit_test(the_end_of_a_struck_row_misses_nothing),
      cmocka_unit_test(joints_of_a_polyline_do_not_catch),
      cmocka_unit_test(gluey_particle_follows_the_exact_solution),
      cmocka_unit_test(moving_plate_pushes),
      cmocka_unit_test(heap_comes_to_rest),
      cmocka_unit_test(bits_do_not_depend_on_threads),
      cmocka_unit_test(bits_do_not_depend_on_teams),
      cmocka_unit_test(checkpoint_goes_on_bit_for_bit),
      cmocka_unit_test(lost_and_broken_particles_are_named),
      cmocka_unit_test(first_order_refuses_what_it_would_ignore),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
