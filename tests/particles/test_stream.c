/*
 * Particles that come and go for long: the memory that the world holds at the same number of particles stays the
 * same to the byte, and new ones, which are compared with what is near only (world_particles.c), overlap nothing,
 * through periodic faces too.
 */
#include "failing_allocator.h"
#include "support_world.h"

enum { PRESENT = 300, EACH = 20, ROUNDS = 400 };

static floc_world *counted_world(failing_allocator *counter, bool elements)
{
  *counter = (failing_allocator){0};
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 1e-3;
  options.threads = 1;
  options.allocate = failing_allocate;
  options.allocate_context = counter;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  if (!elements) {
    floc_projection_options projection;
    floc_projection_options_init(&projection);
    assert_world_ok(world, floc_world_set_projection(world, &projection));
    return world;
  }
  floc_discrete_element_options element;
  floc_discrete_element_options_init(&element);
  element.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  element.stiffness = 1e3;
  assert_world_ok(world, floc_world_set_discrete_element(world, &element));
  return world;
}

/* Above all others, which are below y = 0; they fall 1 in a round. */
static void come(floc_world *world, int64_t *first)
{
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options.count = EACH;
  options.radius_lower = 0.05;
  options.radius_upper = 0.1;
  options.velocity[1] = -500.0;
  options.region_upper[0] = 4.0;
  options.region_lower[1] = -0.6;
  options.region_upper[1] = 0.3;
  assert_world_ok(world, floc_particles_insert(world, &options, first));
}

static void memory_of_a_stream(bool elements)
{
  failing_allocator counter;
  floc_world *world = counted_world(&counter, elements);
  int64_t highest = 0, reached = 0;
  for (int round = 1; round <= ROUNDS; round++) {
    int64_t first, gone[EACH];
    come(world, &first);
    for (int step = 0; step < 2; step++) assert_world_ok(world, floc_world_step(world));
    for (int k = 0; k < EACH; k++) gone[k] = first - PRESENT + k;
    if (first > PRESENT) assert_world_ok(world, floc_particles_remove(world, gone, EACH));
    if (round <= ROUNDS / 2 && counter.bytes > highest) highest = counter.bytes;
    if (counter.bytes > reached) reached = counter.bytes;
  }
  assert_int_equal(reached, highest); /* the second half took no byte more than the first */
  floc_world_destroy(world);
  assert_int_equal(counter.bytes, 0);
}

static void elements_in_a_stream_take_no_more_memory(void **state)
{
  (void)state;
  memory_of_a_stream(true);
}

static void projected_ones_in_a_stream_take_no_more_memory(void **state)
{
  (void)state;
  memory_of_a_stream(false);
}

static floc_world *periodic_world(void)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 1e-3;
  floc_world *world = NULL;
  for (int axis = 0; axis < 2; axis++) options.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
  for (int axis = 0; axis < 2; axis++) options.domain_upper[axis] = 10.0;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("%s", options.message);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  return world;
}

static void places_near_a_periodic_face_are_kept_free(void **state)
{
  (void)state;
  static const double lower[3][2] = {{0.0, 0.0}, {8.5, 4.0}, {4.0, 8.5}};
  for (int corner = 0; corner < 3; corner++) {
    floc_world *world = periodic_world();
    add_particle(world, 9.5, 9.5, 0.0, 0.0, 1.4); /* over both faces */
    add_particle(world, 0.7, 5.0, 0.0, 0.0, 1.0);
    add_particle(world, 5.0, 0.7, 0.0, 0.0, 1.0);
    assert_world_ok(world, floc_world_step(world));
    floc_insertion_options options;
    floc_insertion_options_init(&options);
    options.count = 20;
    options.radius_lower = 0.05;
    for (int axis = 0; axis < 2; axis++) {
      options.region_lower[axis] = lower[corner][axis];
      options.region_upper[axis] = lower[corner][axis] + 1.5;
    }
    assert_world_ok(world, floc_particles_insert(world, &options, NULL));
    double worst = 1.0;
    assert_world_ok(world, floc_particles_check(world, &worst));
    assert_true(worst == 0.0);
    assert_world_ok(world, floc_world_step(world));
    floc_world_destroy(world);
  }
}

/* An overlap with one who was there before, beside or through a face, and between two that are new. */
static void newcomers_that_overlap_are_refused(void **state)
{
  (void)state;
  static const struct {
    double x[2];
    const char *says;
  } tries[] = {{{5.5, 8.0}, "1 and 3"}, {{0.3, 8.0}, "2 and 3"}, {{8.0, 7.5}, "3 and 4"}};
  for (int k = 0; k < 3; k++) {
    floc_world *world = periodic_world();
    add_particle(world, 5.0, 5.0, 0.0, 0.0, 0.4);
    add_particle(world, 9.9, 5.0, 0.0, 0.0, 0.4);
    assert_world_ok(world, floc_world_step(world));
    for (int j = 0; j < 2; j++) {
      floc_particle_options options;
      floc_particle_options_init(&options);
      options.position[0] = tries[k].x[j];
      options.position[1] = 5.0;
      options.radius = 0.4;
      assert_world_ok(world, floc_particle_add(world, &options, NULL));
    }
    assert_int_equal(floc_world_step(world), FLOC_OVERLAPPING);
    if (!strstr(floc_world_message(world), tries[k].says)) fail_msg("%s", floc_world_message(world));
    floc_world_destroy(world);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_in_a_stream_take_no_more_memory),
      cmocka_unit_test(projected_ones_in_a_stream_take_no_more_memory),
      cmocka_unit_test(places_near_a_periodic_face_are_kept_free),
      cmocka_unit_test(newcomers_that_overlap_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
