/*
 * Measures of a table with ghosts: means and extremes are those of a world from which the ghosts were removed, and
 * what adds up over parts of a world is the same of two parts, each of which has the other's particles as ghosts,
 * as of the whole.
 */
#include "particles/owned.h"
#include "support_world.h"
#include "world.h"

enum { SEEN = 300 };

static floc_world *make_crowd(void)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 1e-3;
  options.gravity[1] = -1.0;
  options.seed = 3;
  for (int axis = 0; axis < 2; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_WALL;
    options.domain_upper[axis] = 1.0;
  }
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_discrete_element_options elements;
  floc_discrete_element_options_init(&elements);
  elements.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  elements.stiffness = 10.0;
  elements.rotation = true;
  assert_world_ok(world, floc_world_set_discrete_element(world, &elements));
  assert_world_ok(world, floc_attribute_add(world, "displacement_x", 0.0));
  insert_box(world, SEEN, 0.05, 0.05, 0.95, 0.95, 0.01, 0.015);
  static const char *const random[] = {"vx", "vy", "angular_velocity_z"};
  for (int k = 0; k < 3; k++) {
    double *values;
    int64_t count;
    assert_world_ok(world, floc_column(world, random[k], &values, &count));
    for (int64_t i = 0; i < count; i++) values[i] = sin(0.7 * (double)(i * (k + 2)) + k);
  }
  for (int k = 0; k < 20; k++) assert_world_ok(world, floc_world_step(world));
  return world;
}

static bool is_chosen(int64_t id)
{
  return id % 3 == 0 || id % 7 < 2;
}

/* Those that are chosen, or the others, become ghosts. */
static void mark(floc_world *world, bool chosen)
{
  assert_int_equal(particles_prepare_ghosts(&world->table), FLOC_OK);
  for (int64_t slot = 0; slot < world->table.count; slot++)
    world->table.ghost[slot] = is_chosen(world->table.id[slot]) == chosen;
}

static double measure(floc_world *world, const char *name)
{
  double value;
  assert_world_ok(world, floc_measure(world, name, &value));
  return value;
}

static void ghosts_count_for_nothing(void **state)
{
  (void)state;
  static const char *const names[] = {"particle_count",
                                      "total_mass",
                                      "momentum_x",
                                      "momentum_y",
                                      "center_x",
                                      "center_y",
                                      "greatest_speed",
                                      "gyration_radius",
                                      "kinetic_energy",
                                      "volume_fraction",
                                      "rotational_kinetic_energy",
                                      "gravitational_energy",
                                      "temperature",
                                      "granular_temperature",
                                      "rotational_temperature",
                                      "mean_square_displacement"};
  floc_world *marked = make_crowd(), *removed = make_crowd();
  int64_t gone[SEEN], count = 0;
  for (int64_t id = 1; id <= SEEN; id++)
    if (is_chosen(id)) gone[count++] = id;
  assert_world_ok(removed, floc_particles_remove(removed, gone, count));
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const double whole = measure(marked, names[k]), few = measure(removed, names[k]);
    mark(marked, true);
    const double seen = measure(marked, names[k]);
    if (seen != few) fail_msg("%s: %.17g with ghosts, %.17g without", names[k], seen, few);
    if (whole == few && strcmp(names[k], "greatest_speed") != 0) fail_msg("%s notices no ghosts", names[k]);
    memset(marked->table.ghost, 0, (size_t)marked->table.count);
  }
  floc_world_destroy(marked);
  floc_world_destroy(removed);
}

static void parts_add_up(void **state)
{
  (void)state;
  static const char *const names[] = {"particle_count", "total_mass",     "momentum_x",
                                      "momentum_y",     "kinetic_energy", "gravitational_energy"};
  floc_world *world = make_crowd();
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const double whole = measure(world, names[k]);
    mark(world, true);
    const double one = measure(world, names[k]);
    mark(world, false);
    const double other = measure(world, names[k]);
    assert_close(one + other, whole, 4e-16 * (fabs(one) + fabs(other)));
    memset(world->table.ghost, 0, (size_t)world->table.count);
  }
  const double touching = measure(world, "coordination_number") * SEEN;
  mark(world, true);
  const double one = measure(world, "coordination_number") * measure(world, "particle_count");
  mark(world, false);
  const double other = measure(world, "coordination_number") * measure(world, "particle_count");
  assert_true(touching > 4.0);
  assert_close(one + other, touching, 1e-9);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ghosts_count_for_nothing), cmocka_unit_test(parts_add_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
