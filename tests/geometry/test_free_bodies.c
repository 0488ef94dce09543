/*
 * engine/geometry/free_body.c and engine/schemes/projection/free.c through the public surface: the same bits on any
 * number of threads and after a resume, what is refused in C alone, failing memory. Physics: free_bodies_spec.lua.
 */
#include "failing_world.h"
#include "support_projection.h"

static int32_t add_capsule(floc_world *world, double y, bool is_free, double mass)
{
  floc_body_options where;
  floc_body_options_init(&where);
  where.position[1] = y;
  int32_t number;
  assert_world_ok(world, floc_body_add(world, &where, &number));
  floc_shape rod;
  floc_shape_init(&rod);
  rod.kind = FLOC_SHAPE_SEGMENT;
  rod.points[0][0] = -0.5;
  rod.points[1][0] = 0.6;
  rod.radius = 0.1;
  assert_world_ok(world, floc_body_add_shape(world, number, &rod));
  if (!is_free) return number;
  floc_free_options options = free_along_all(world, mass);
  options.damping = 0.1;
  options.angular_damping = 0.01;
  options.torque[2] = 0.05;
  assert_world_ok(world, floc_body_set_free(world, number, &options));
  return number;
}

static floc_body_state state_of(floc_world *world, int32_t number)
{
  floc_body_state found = {.struct_size = sizeof found};
  assert_world_ok(world, floc_body_get_state(world, number, &found));
  return found;
}

/* ---- bits ---- */

static floc_world *make_pile(int variant, int32_t threads)
{
  floc_world *world = make_falling_balls(variant, threads);
  add_capsule(world, 1.8, true, 2.0);
  add_capsule(world, 3.5, true, 30.0);
  return world;
}

static void threads_and_a_resume_keep_every_bit(void **state)
{
  (void)state;
  assert_same_bits(make_pile, 6, 120, 120);
}

/* ---- refused in C ---- */

static void expect_refusal(floc_world *world, floc_status status, floc_status expected, const char *text)
{
  assert_int_equal(status, expected);
  if (!strstr(floc_world_message(world), text)) fail_msg("\"%s\" lacks \"%s\"", floc_world_message(world), text);
}

static void wrong_calls_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0, 1);
  const int32_t rod = add_capsule(world, 1, true, 1.0), bar = add_capsule(world, 5, false, 0.0);
  floc_body_options body;
  floc_free_options options;
  floc_shape ball;
  floc_body_options_init(&body);
  floc_free_options_init(&options);
  floc_shape_init(&ball);
  ball.kind = FLOC_SHAPE_SPHERE;
  ball.radius = 1.0;
  body.motion = FLOC_MOTION_FREE;
  expect_refusal(world, floc_body_add(world, &body, NULL), FLOC_INVALID_ARGUMENT,
                 "floc_body_set_free makes a body free");
  expect_refusal(world, floc_body_set_motion(world, bar, &body), FLOC_INVALID_ARGUMENT, "floc_body_set_free");
  expect_refusal(world, floc_body_add_shape(world, rod, &ball), FLOC_WRONG_STATE,
                 "is free; its shapes must be added before");
  options.mass = 1.0;
  expect_refusal(world, floc_body_set_free(world, bar, &options), FLOC_INVALID_ARGUMENT, "axes is 0");
  options.axes = 4;
  expect_refusal(world, floc_body_set_free(world, bar, &options), FLOC_INVALID_ARGUMENT, "axes is 4");
  options.axes = 33;
  expect_refusal(world, floc_body_set_free(world, bar, &options), FLOC_NOT_SUPPORTED, "some axes only");
  options.axes = 35;
  options.mass = 0.0;
  expect_refusal(world, floc_body_set_free(world, bar, &options), FLOC_INVALID_ARGUMENT,
                 "needs a mass or a density");
  options.mass = -1.0;
  expect_refusal(world, floc_body_set_free(world, bar, &options), FLOC_INVALID_ARGUMENT, "mass");
  options.mass = NAN;
  expect_refusal(world, floc_body_set_free(world, bar, &options), FLOC_INVALID_ARGUMENT, "mass");
  options.mass = 1.0;
  options.inertia[2] = -3.0;
  expect_refusal(world, floc_body_set_free(world, bar, &options), FLOC_INVALID_ARGUMENT, "inertia[2] is -3");
  options.inertia[2] = 0.0;
  expect_refusal(world, floc_body_set_free(world, 9, &options), FLOC_NOT_FOUND, "there is no body 9");
  body.motion = FLOC_MOTION_FIXED;
  int32_t empty;
  assert_world_ok(world, floc_body_add(world, &body, &empty));
  expect_refusal(world, floc_body_set_free(world, empty, &options), FLOC_WRONG_STATE, "has no shapes yet");
  assert_int_equal(state_of(world, bar).axes, 0);
  assert_int_equal(state_of(world, rod).axes, 35);
  floc_world_destroy(world);
}

/* A step that is refused leaves the body where it was. */
static void a_refused_step_changes_nothing(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, -10, 1);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.restitution = 0.5; /* with which bodies touch particles alone */
  set_projection(world, options);
  add_plane(world, NULL, 0, 1);
  const int32_t rod = add_capsule(world, 0.2, true, 1.0);
  floc_status status = FLOC_OK;
  uint64_t before = 0;
  for (int step = 0; step < 100 && status == FLOC_OK; step++) {
    before = world_hash(world);
    status = floc_world_step(world);
  }
  expect_refusal(world, status, FLOC_NOT_SUPPORTED, "would touch body 0");
  assert_true(world_hash(world) == before);
  floc_body_options held;
  floc_body_options_init(&held);
  assert_world_ok(world, floc_body_set_motion(world, rod, &held));
  assert_world_ok(world, floc_world_step(world));
  floc_world_destroy(world);
}

/* ---- memory ---- */

static void memory_may_run_out(void **state)
{
  (void)state;
  for (int64_t refused = 1;; refused++) {
    failing_allocator counter;
    floc_world *world = make_failing_world(&counter);
    for (int k = 0; k < 6; k++) add_ball(world, 0.25 * k - 0.5, 0.21, 0, 0.1, 1);
    const int32_t rod = add_capsule(world, 0, false, 0.0);
    add_capsule(world, -0.2, false, 0.0); /* on which it comes to lie */
    counter.refused = counter.calls + refused;
    floc_free_options freed;
    floc_free_options_init(&freed);
    freed.axes = 35;
    freed.density = 2.0;
    floc_status status = floc_body_set_free(world, rod, &freed);
    for (int step = 0; step < 3 && status == FLOC_OK; step++) status = floc_world_step(world);
    if (failing_world_ended(world, &counter, status)) break;
    assert_true(refused < 500);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_and_a_resume_keep_every_bit),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(a_refused_step_changes_nothing),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
