/*
 * Steps that would not end, or mean nothing, are refused with particle and number, and leave the world as it was;
 * what is fast but right goes through.
 */
#include "floc/floc.h"

#include "support.h"

#include <math.h>
#include <string.h>

static floc_world *make_world(double time_step, bool closed)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = time_step;
  options.threads = 1;
  for (int axis = 0; axis < 2 && closed; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_WALL;
    options.domain_upper[axis] = 10.0;
  }
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  return world;
}

static void add(floc_world *world, double x, double y, double vx, double radius)
{
  floc_particle_options options;
  floc_particle_options_init(&options);
  options.position[0] = x;
  options.position[1] = y;
  options.velocity[0] = vx;
  options.radius = radius;
  assert_int_equal(floc_particle_add(world, &options, NULL), FLOC_OK);
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_int_equal(floc_world_hash(world, &hash), FLOC_OK);
  return hash;
}

static void refused(floc_world *world, const char *who, const char *number)
{
  uint64_t before = hash_of(world);
  assert_int_equal(floc_world_step(world), FLOC_LIMIT_EXCEEDED);
  if (!strstr(floc_world_message(world), who) || !strstr(floc_world_message(world), number))
    fail_msg("%s", floc_world_message(world));
  assert_true(hash_of(world) == before);
}

/* 1000 / (2 0.05) = 10,000 diameters and 100 times the domain: just above is refused, just below is not. */
static void fast_particles_are_refused(void **state)
{
  (void)state;
  for (int scheme = 0; scheme < 2; scheme++) {
    floc_world *world = make_world(1e-3, true);
    floc_discrete_element_options elements;
    floc_discrete_element_options_init(&elements);
    if (scheme == 1) assert_int_equal(floc_world_set_discrete_element(world, &elements), FLOC_OK);
    add(world, 2.0, 2.0, 0.0, 0.05);
    add(world, 5.0, 5.0, 1.01e6, 0.05);
    refused(world, "particle 2 ", "1.01e+04 of its diameters");
    floc_world_destroy(world);
  }
}

static void points_may_cross_their_surroundings(void **state)
{
  (void)state;
  floc_world *world = make_world(0.05, true);
  add(world, 2.0, 2.0, 0.0, 1e-7);
  add(world, 5.0, 5.0, 1.0, 1e-7); /* 250,000 diameters, a two-hundredth of the domain */
  assert_int_equal(floc_world_step(world), FLOC_OK);
  floc_world_destroy(world);
  world = make_world(1.0, false);
  add(world, 0.0, 0.0, 1e9, 0.05); /* alone */
  assert_int_equal(floc_world_step(world), FLOC_OK);
  floc_world_destroy(world);
}

/* Drag that pulls a particle back by 1e13 times its speed in a step: the forces of the trapezoidal rule do not
 * converge, and each iteration takes it farther. A fixed step is refused, an adaptive one shortened. */
static void iterations_that_diverge_are_refused(void **state)
{
  (void)state;
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    floc_world *world = make_world(1e-3, false);
    floc_discrete_element_options elements;
    floc_discrete_element_options_init(&elements);
    elements.integrator = FLOC_INTEGRATOR_TRAPEZOIDAL;
    elements.adaptive = adaptive != 0;
    elements.viscosity = 1e15;
    assert_int_equal(floc_world_set_discrete_element(world, &elements), FLOC_OK);
    add(world, 2.0, 2.0, 1.0, 0.05);
    add(world, 5.0, 5.0, 0.0, 0.05);
    if (adaptive) {
      assert_int_equal(floc_world_step(world), FLOC_OK);
      double *x = NULL;
      int64_t count = 0;
      assert_int_equal(floc_column(world, "x", &x, &count), FLOC_OK);
      assert_true(x[0] > 2.0 && x[0] < 2.001);
    } else {
      refused(world, "particle 1 would move by", "as its forces are iterated");
    }
    floc_world_destroy(world);
  }
}

static floc_status explode(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = inputs[0][k] == 1.0 ? 1e12 : 0.0;
    outputs[1][k] = 0.0;
  }
  return FLOC_OK;
}

static void a_force_that_explodes_is_refused(void **state)
{
  (void)state;
  static const char *const inputs[] = {"id"};
  floc_world *world = make_world(1e-3, true);
  floc_law_options law;
  floc_law_options_init(&law);
  law.inputs = inputs;
  law.input_count = 1;
  law.output_count = 2;
  law.function = explode;
  assert_int_equal(floc_field_add(world, &law, NULL), FLOC_OK);
  add(world, 2.0, 2.0, 0.0, 0.05);
  add(world, 5.0, 5.0, 0.0, 0.05);
  assert_int_equal(floc_world_step(world), FLOC_LIMIT_EXCEEDED);
  assert_non_null(strstr(floc_world_message(world), "particle 1 would move by 1e+06"));
  assert_non_null(strstr(floc_world_message(world), "a priori velocity"));
  floc_world_destroy(world);
}

/* Two discs between walls, one of which would cross the domain 1e12 times. */
static void events_without_end_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(1.0, true);
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  options.restitution = 1.0;
  assert_int_equal(floc_world_set_event_driven(world, &options), FLOC_OK);
  add(world, 2.0, 2.0, -1.0, 0.5);
  add(world, 5.0, 5.0, 1e13, 0.5);
  assert_int_equal(floc_world_step(world), FLOC_LIMIT_EXCEEDED);
  assert_non_null(strstr(
      floc_world_message(world),
      "particle 2, of radius 0.5, has the largest search radius: it moves by 1e+13, 1e+13 of its diameters"));
  assert_int_equal(floc_world_set_time_step(world, 1e-13), FLOC_OK); /* what the message says to do */
  assert_int_equal(floc_world_step(world), FLOC_OK);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_particles_are_refused), cmocka_unit_test(iterations_that_diverge_are_refused),
      cmocka_unit_test(points_may_cross_their_surroundings), cmocka_unit_test(a_force_that_explodes_is_refused),
      cmocka_unit_test(events_without_end_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
