/*
 * Memory of a crowd that falls (neighbors/skin.c, contacts/assembly/assembly.c): at no time more than 1,280 bytes a
 * sphere, filling included, while speeds grow from step to step and everybody's reach and margins with them. Where
 * lists last as long as pays, and every list entry has a contact, it is more than twice as much. Afterwards memory
 * is given back.
 */
#include "files/samples.h"
#include "support_world.h"

#include <stdio.h>

enum { SPHERES = 10648, SIDE = 22, MOST_BYTES = 1280 };

static const double SPACING = 2.5; /* of a lattice of spheres of radius 1 */

static void add_box(floc_world *world)
{
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  int32_t body;
  assert_world_ok(world, floc_body_add(world, &fixed, &body));
  floc_compound box;
  floc_compound_init(&box);
  box.kind = FLOC_COMPOUND_CONTAINER;
  box.width = box.depth = SPACING * SIDE;
  box.height = 40.0 * SIDE;
  assert_world_ok(world, floc_body_add_compound(world, body, &box));
}

static floc_world *make_falling(counting_allocator *counter, double height, double speed)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 3;
  options.gravity[1] = -1.0;
  options.threads = 1;
  options.time_step = 0.05;
  options.allocate = counting_allocate;
  options.allocate_context = counter;
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("%s", options.message);
  add_box(world);
  floc_insertion_options crowd;
  floc_insertion_options_init(&crowd);
  crowd.count = SPHERES;
  crowd.placement = FLOC_PLACEMENT_LATTICE;
  crowd.spacing = SPACING;
  crowd.radius_lower = 1.0;
  crowd.velocity[1] = -speed;
  crowd.velocity_spread = 0.3;
  for (int axis = 0; axis < 3; axis++) {
    crowd.region_lower[axis] = axis == 1 ? height : -0.5 * SPACING * SIDE;
    crowd.region_upper[axis] = crowd.region_lower[axis] + SPACING * SIDE;
  }
  assert_world_ok(world, floc_particles_insert(world, &crowd, NULL));
  return world;
}

/* They fall from a height of some diameters, already fast, and come to rest. */
static void spheres_that_fall_take_little_memory(void **state)
{
  (void)state;
  counting_allocator counter = {0};
  floc_world *world = make_falling(&counter, 30.0, 4.0);
  floc_projection_options hard;
  floc_projection_options_init(&hard);
  hard.tolerance = 0.02;
  assert_world_ok(world, floc_world_set_projection(world, &hard));
  for (int k = 0; k < 60; k++) assert_world_ok(world, floc_world_step(world));
  printf("%.0f bytes a sphere at most, %.0f at the end\n", (double)counter.greatest_held / SPHERES,
         (double)counter.held / SPHERES);
  assert_in_range(counter.greatest_held / SPHERES, 400, MOST_BYTES);
  floc_world_destroy(world);
  assert_int_equal(counter.held, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(spheres_that_fall_take_little_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
