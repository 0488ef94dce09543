/*
 * engine/geometry/joints.c and engine/schemes/projection/joint_step.c through the public surface: the same bits on
 * any number of threads and after a resume, what is refused, removal, failing memory. Physics:
 * tests/lua/joints_spec.lua.
 */
#include "failing_world.h"
#include "support_projection.h"

static int32_t add_disc(floc_world *world, double x, double y, double mass)
{
  floc_body_options where;
  floc_body_options_init(&where);
  where.position[0] = x;
  where.position[1] = y;
  int32_t number;
  assert_world_ok(world, floc_body_add(world, &where, &number));
  floc_shape ball;
  floc_shape_init(&ball);
  ball.kind = FLOC_SHAPE_SPHERE;
  ball.radius = 0.3;
  assert_world_ok(world, floc_body_add_shape(world, number, &ball));
  if (mass == 0.0) return number;
  const floc_free_options options = free_along_all(world, mass);
  assert_world_ok(world, floc_body_set_free(world, number, &options));
  return number;
}

static floc_joint_options joint_of(int32_t kind, int32_t first, int32_t second, double x, double y)
{
  floc_joint_options options;
  floc_joint_options_init(&options);
  options.kind = kind;
  options.first = first;
  options.second = second;
  options.anchor[0] = options.second_anchor[0] = x;
  options.anchor[1] = options.second_anchor[1] = y;
  return options;
}

static floc_joint_state state_of(floc_world *world, int32_t number)
{
  floc_joint_state found = {.struct_size = sizeof found};
  assert_world_ok(world, floc_joint_get_state(world, number, &found));
  return found;
}

/* ---- bits ---- */

/* Arms over a heap: all kinds, limits, motor, spring, particles. */
static floc_world *make_arms(int variant, int32_t threads)
{
  const int32_t dimension = variant < 3 ? 2 : 3;
  floc_world *world = make_falling_balls(variant, threads);
  const int32_t one = add_disc(world, -1.0, 2.3, 3.0), two = add_disc(world, 0.0, 2.3, 2.0),
                three = add_disc(world, 1.0, 2.3, 2.0);
  floc_joint_options hinge = joint_of(FLOC_JOINT_HINGE, -1, one, -2.0, 2.3);
  hinge.limited = true;
  hinge.lower = -0.8;
  hinge.upper = 0.3;
  hinge.axis[2] = dimension == 3;
  assert_world_ok(world, floc_joint_add(world, &hinge, NULL));
  floc_joint_options motor = joint_of(FLOC_JOINT_HINGE, one, two, -0.5, 2.3);
  motor.motor_velocity = -1.0;
  motor.motor_greatest = 5.0;
  motor.axis[2] = dimension == 3;
  assert_world_ok(world, floc_joint_add(world, &motor, NULL));
  floc_joint_options spring = joint_of(FLOC_JOINT_DISTANCE, two, three, 0.3, 2.3);
  spring.second_anchor[0] = 0.7;
  spring.stiffness = 100.0;
  spring.damping = 1.0;
  assert_world_ok(world, floc_joint_add(world, &spring, NULL));
  floc_joint_options rope = joint_of(FLOC_JOINT_DISTANCE, -1, -1, 0.0, 1.5);
  rope.first_particle = 3;
  rope.second_particle = 6;
  assert_world_ok(world, floc_joint_add(world, &rope, NULL));
  return world;
}

static void threads_and_a_resume_keep_every_bit(void **state)
{
  (void)state;
  assert_same_bits(make_arms, 6, 120, 120);
}

/* ---- refused ---- */

static void expect_refusal(floc_world *world, const floc_joint_options *options, floc_status expected,
                           const char *text)
{
  assert_int_equal(floc_joint_add(world, options, NULL), expected);
  if (!strstr(floc_world_message(world), text)) fail_msg("\"%s\" lacks \"%s\"", floc_world_message(world), text);
}

static void wrong_joints_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0, 1);
  const int32_t one = add_disc(world, 0, 0, 1.0), two = add_disc(world, 1, 0, 1.0),
                wall = add_disc(world, 5, 0, 0.0);
  add_ball(world, 3, 3, 0, 0.1, 1.0);
  add_ball(world, 4, 3, 0, 0.1, 1.0);
  floc_joint_options options = joint_of(FLOC_JOINT_HINGE, one, one, 0, 0);
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "both ends are body 0");
  options.second = wall;
  options.first = -1;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "neither end of the hinge");
  options.second = 9;
  expect_refusal(world, &options, FLOC_NOT_FOUND, "there is no body 9");
  options.second = -2;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "second is -2");
  options = joint_of(0, one, two, 0, 0);
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "kind");
  options.kind = FLOC_JOINT_BALL;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "where it is a hinge");
  options.kind = FLOC_JOINT_SLIDER;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "a slider needs a direction in the plane");
  options.kind = FLOC_JOINT_WELD;
  options.motor_greatest = 1.0;
  expect_refusal(world, &options, FLOC_NOT_SUPPORTED, "a weld has no limits, motor");
  options.kind = FLOC_JOINT_HINGE;
  options.motor_greatest = 0.0;
  options.motor_velocity = 1.0;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "motor_velocity is 1");
  options.motor_velocity = 0.0;
  options.rope = true;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "only a distance can be a rope");
  options.rope = false;
  options.limited = true;
  options.lower = 1.0;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "lower is 1 and upper is 0");
  options.upper = 2.0;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "is at 0, beyond its limits 1 and 2");
  options.lower = NAN;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "lower is nan");
  options = joint_of(FLOC_JOINT_DISTANCE, one, two, 0, 0);
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "both ends of the distance are at one point");
  options.second_anchor[0] = 1.0;
  options.length = 2.0;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "length of the rod is 2, and its ends are 1 apart");
  options.length = 0.5;
  options.rope = true;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "length of the rope is 0.5");
  options = joint_of(FLOC_JOINT_WELD, one, -1, 3, 3);
  options.second_particle = 1;
  expect_refusal(world, &options, FLOC_NOT_SUPPORTED, "a particle has no frame that a weld could hold");
  options.kind = FLOC_JOINT_HINGE;
  options.stiffness = 1.0;
  expect_refusal(world, &options, FLOC_NOT_SUPPORTED, "a particle's angle is not held");
  options.stiffness = 0.0;
  options.second_particle = 7;
  expect_refusal(world, &options, FLOC_INVALID_ARGUMENT, "there is no such particle");
  options.second_particle = 1;
  options.first = -1;
  options.first_particle = 2;
  expect_refusal(world, &options, FLOC_NOT_SUPPORTED, "a distance links two particles");
  floc_world_destroy(world);
}

/* ---- joints that cannot hold together ---- */

static void contradictions_are_refused_by_name(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0, 1);
  floc_projection_options options;
  floc_projection_options_init(&options);
  set_projection(world, options);
  const int32_t one = add_disc(world, 0, 0, 1.0), left = add_disc(world, -5, 0, 0.0),
                right = add_disc(world, 5, 0, 0.0);
  const floc_joint_options first = joint_of(FLOC_JOINT_HINGE, left, one, 0, 0),
                           second = joint_of(FLOC_JOINT_HINGE, right, one, 0, 0);
  assert_world_ok(world, floc_joint_add(world, &first, NULL));
  assert_world_ok(world, floc_joint_add(world, &second, NULL));
  run_steps(world, 3); /* they agree as long as both stay */
  floc_body_options motion;
  floc_body_options_init(&motion);
  motion.motion = FLOC_MOTION_CONSTANT;
  motion.velocity[0] = 1.0;
  assert_world_ok(world, floc_body_set_motion(world, right, &motion));
  const uint64_t before = world_hash(world);
  assert_int_equal(floc_world_step(world), FLOC_NOT_SUPPORTED);
  const char *message = floc_world_message(world);
  assert_non_null(strstr(message, "joint 0, a hinge between body 1 and body 0"));
  assert_non_null(strstr(message, "joint 1, a hinge between body 2 and body 0"));
  assert_non_null(strstr(message, "contradict each other in step 4"));
  assert_non_null(strstr(message, "off by 0.01"));
  assert_true(world_hash(world) == before);
  assert_world_ok(world, floc_joint_remove(world, 0));
  run_steps(world, 10); /* the other one takes it along */
  assert_true(fabs(state_of(world, 1).anchor[0] - 0.1) < 1e-12);
  floc_world_destroy(world);
}

static void joints_go_with_their_bodies(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, -10, 1);
  floc_projection_options options;
  floc_projection_options_init(&options);
  set_projection(world, options);
  const int32_t one = add_disc(world, 0, 0, 1.0), two = add_disc(world, 1, 0, 1.0);
  const floc_joint_options first = joint_of(FLOC_JOINT_HINGE, -1, one, 0, 0),
                           second = joint_of(FLOC_JOINT_WELD, one, two, 0.5, 0);
  assert_world_ok(world, floc_joint_add(world, &first, NULL));
  assert_world_ok(world, floc_joint_add(world, &second, NULL));
  run_steps(world, 2);
  assert_world_ok(world, floc_body_remove(world, two));
  floc_joint_state found = {.struct_size = sizeof found};
  assert_int_equal(floc_joint_get_state(world, 1, &found), FLOC_NOT_FOUND);
  assert_non_null(strstr(floc_world_message(world), "joint 1, a weld, was removed"));
  assert_int_equal(floc_joint_remove(world, 5), FLOC_NOT_FOUND);
  run_steps(world, 2);
  assert_true(fabs(state_of(world, 0).force[1] - 10.0) < 1e-8);
  floc_world_destroy(world);
}

/* ---- memory ---- */

static void memory_may_run_out(void **state)
{
  (void)state;
  for (int64_t refused = 1;; refused++) {
    failing_allocator counter;
    floc_world *world = make_failing_world(&counter);
    for (int k = 0; k < 6; k++) add_ball(world, 0.25 * k - 0.5, 0.5, 0, 0.1, 1);
    const int32_t one = add_disc(world, 0, 0, 3.0), two = add_disc(world, 0.8, 0, 1.0);
    counter.refused = counter.calls + refused;
    const floc_joint_options first = joint_of(FLOC_JOINT_HINGE, -1, one, 0, 0),
                             second = joint_of(FLOC_JOINT_HINGE, one, two, 0.4, 0);
    floc_status status = floc_joint_add(world, &first, NULL);
    if (status == FLOC_OK) status = floc_joint_add(world, &second, NULL);
    for (int step = 0; step < 3 && status == FLOC_OK; step++) status = floc_world_step(world);
    if (failing_world_ended(world, &counter, status)) break;
    assert_true(refused < 800);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_and_a_resume_keep_every_bit),
      cmocka_unit_test(wrong_joints_are_refused),
      cmocka_unit_test(contradictions_are_refused_by_name),
      cmocka_unit_test(joints_go_with_their_bodies),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
