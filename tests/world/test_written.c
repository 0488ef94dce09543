/*
 * Columns that a host writes in place are checked at the next step as floc_particle_add() checks its options; what
 * is refused is not saved either, so that the file that is there stays.
 */
#include "scratch.h"
#include "support_world.h"

#include <stdio.h>
#include <unistd.h>

/* Three particles in a box of 2 x 2, periodic along x and closed along y. */
static floc_world *make_box(void)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 0.001;
  options.threads = 1;
  options.boundary[0] = FLOC_BOUNDARY_PERIODIC;
  options.boundary[1] = FLOC_BOUNDARY_WALL;
  options.domain_upper[0] = options.domain_upper[1] = 2.0;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  for (int k = 0; k < 3; k++) add_particle(world, 0.5 + 0.5 * k, 1.0, 0.0, 0.0, 0.1);
  run_steps(world, 1);
  return world;
}

static const struct {
  const char *column;
  double value;
  floc_status status;
  const char *said;
} written[] = {
    {"radius", 0.0, FLOC_INVALID_ARGUMENT, "particle 2 has radius 0 before step 2; it must be at least 1e-100"},
    {"radius", -1.0, FLOC_INVALID_ARGUMENT, "particle 2 has radius -1 before step 2"},
    {"radius", 1.001, FLOC_INVALID_ARGUMENT,
     "radius 1.001 before step 2; it must be at least 1e-100 and at most 1"},
    {"radius", 1e300, FLOC_INVALID_ARGUMENT, "radius 1e+300"},
    {"radius", 5e-324, FLOC_INVALID_ARGUMENT, "radius 4.94066e-324"},
    {"radius", NAN, FLOC_NOT_A_NUMBER, "radius nan"},
    {"radius", INFINITY, FLOC_NOT_A_NUMBER, "radius inf"},
    {"mass", 0.0, FLOC_INVALID_ARGUMENT, "mass 0 before step 2"},
    {"mass", -1.0, FLOC_INVALID_ARGUMENT, "particle 2 has mass -1"},
    {"mass", INFINITY, FLOC_NOT_A_NUMBER, "mass inf"},
    {"x", NAN, FLOC_NOT_A_NUMBER, "particle 2 has position (nan, 1, 0)"},
    {"x", 1e9, FLOC_LIMIT_EXCEEDED, "particle 2 of radius 0.1 has x 1000000000 before step 2"},
    {"y", -5.0, FLOC_ESCAPED,
     "particle 2 left a closed domain: y is -5 before step 2; the domain reaches from 0 to 2"},
    {"y", 2.0000001, FLOC_ESCAPED, "left a closed domain: y is 2.0000001"},
    {"vx", INFINITY, FLOC_NOT_A_NUMBER, "velocity (inf, 0, 0)"},
};

static double *cell(floc_world *world, const char *column, int64_t id)
{
  double *values;
  const int64_t *slots;
  int64_t count;
  assert_world_ok(world, floc_particle_ids(world, NULL, &slots, &count));
  assert_world_ok(world, floc_column(world, column, &values, &count));
  return &values[slots[id - 1]];
}

static void what_was_written_is_checked(void **state)
{
  (void)state;
  char path[64];
  snprintf(path, sizeof path, "%s/floc-written-%ld.floc", scratch_folder(), (long)getpid());
  floc_world *world = make_box();
  assert_world_ok(world, floc_world_save(world, path, 1));
  uint64_t hash = world_hash(world);
  for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
    double *place = cell(world, written[k].column, 2), kept = *place;
    *place = written[k].value;
    floc_status status = floc_world_step(world);
    if (status != written[k].status || !strstr(floc_world_message(world), written[k].said))
      fail_msg("%s = %g: %s: %s", written[k].column, written[k].value, floc_status_name(status),
               floc_world_message(world));
    assert_int_equal(floc_world_save(world, path, 1), written[k].status);
    *place = kept;
    assert_true(world_hash(world) == hash);
  }
  run_steps(world, 1);
  assert_world_ok(world, floc_world_load(world, path));
  assert_true(world_hash(world) == hash);
  floc_world_destroy(world);
  unlink(path);
}

/* What turns has angular velocities, which the scheme reads as it does velocities. */
static void angular_velocities_are_checked(void **state)
{
  (void)state;
  floc_projection_options rough;
  floc_projection_options_init(&rough);
  rough.friction = 0.5;
  floc_discrete_element_options soft;
  floc_discrete_element_options_init(&soft);
  soft.rotation = true;
  static const char *const names[] = {"angular_velocity_z", "wz"}; /* the former name is looked up */
  static const double wrong[] = {NAN, INFINITY, -INFINITY};
  for (int which = 0; which < 2; which++) {
    floc_world *world = make_box();
    assert_world_ok(world, which == 0 ? floc_world_set_projection(world, &rough)
                                      : floc_world_set_discrete_element(world, &soft));
    run_steps(world, 1);
    uint64_t hash = world_hash(world);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
      double *place = cell(world, names[which], 1), kept = *place;
      char said[64];
      snprintf(said, sizeof said, "particle 1 has wz %g before step 3", wrong[k]);
      *place = wrong[k];
      assert_int_equal(floc_world_step(world), FLOC_NOT_A_NUMBER);
      if (!strstr(floc_world_message(world), said)) fail_msg("%s", floc_world_message(world));
      *place = kept;
      assert_true(world_hash(world) == hash);
    }
    run_steps(world, 1);
    floc_world_destroy(world);
  }
}

static void what_is_wrong_in_a_column_is_wrong_when_added(void **state)
{
  (void)state;
  floc_world *world = make_box();
  floc_particle_options options;
#define REFUSED(said, ...)                                                                                         \
  do {                                                                                                             \
    floc_particle_options_init(&options);                                                                          \
    options.radius = 0.1;                                                                                          \
    options.position[0] = options.position[1] = 0.3;                                                               \
    __VA_ARGS__;                                                                                                   \
    assert_int_equal(floc_particle_add(world, &options, NULL), FLOC_INVALID_ARGUMENT);                             \
    if (!strstr(floc_world_message(world), said)) fail_msg("%s", floc_world_message(world));                       \
  } while (0)
  REFUSED("radius is 1.5; it must be at least 1e-100 and at most 1", options.radius = 1.5);
  REFUSED("radius is -1; it must be a finite number above 0", options.radius = -1.0);
  REFUSED("mass is 1e+300; it must be at least 1e-100 and at most 1e+100", options.mass = 1e300);
  REFUSED("position[0] is 0.3; neighbouring doubles differ by more than a millionth of the radius there, which is "
          "1e-12",
          options.radius = 1e-12);
#undef REFUSED
  floc_particle_options_init(&options);
  options.radius = 1.0; /* touches itself, but does not overlap */
  assert_world_ok(world, floc_particle_add(world, &options, NULL));
  floc_world_destroy(world);
}

/* A particle that is put deep into a body is lost there, whichever way the solver would throw it out; one that a
 * body moves into is not. */
static void a_particle_put_into_a_body_is_named(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.001, -1.0, 1);
  add_segment(world, NULL, -1.0, 0.0, 1.0, 0.0);
  floc_body_options lifting;
  floc_body_options_init(&lifting);
  lifting.motion = FLOC_MOTION_CONSTANT;
  lifting.velocity[1] = 120.0; /* 1.2 radii in a step */
  add_segment(world, &lifting, 3.0, -0.2, 5.0, -0.2);
  add_particle(world, 0.0, 0.1, 0.0, 0.0, 0.1);
  add_particle(world, 0.5, 0.1, 0.0, 0.0, 0.1);
  add_particle(world, 4.0, 0.0, 0.0, 0.0, 0.1);
  run_steps(world, 2);
  double *y = cell(world, "y", 2), kept = *y;
  *y = 0.04;
  assert_int_equal(floc_world_step(world), FLOC_ESCAPED);
  const char *said =
      "particle 2 at (0.5, 0.04, 0) is 0.6 radii deep in body 0 before step 3; the limit is 0.5 radii";
  if (!strstr(floc_world_message(world), said)) fail_msg("%s", floc_world_message(world));
  *y = kept;
  run_steps(world, 1);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_written_is_checked),
                                     cmocka_unit_test(angular_velocities_are_checked),
                                     cmocka_unit_test(what_is_wrong_in_a_column_is_wrong_when_added),
                                     cmocka_unit_test(a_particle_put_into_a_body_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
