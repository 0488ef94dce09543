/*
 * Discrete elements and rays through the public surface: springs in sorted storage, bonds, moments, distances.
 */
#include "support_world.h"

#include "failing_allocator.h"

#include <stdlib.h>

static floc_world *make_elements(int32_t threads, const floc_discrete_element_options *scheme)
{
  floc_world *world = make_world(3, 1e-4, 0.0, threads);
  assert_world_ok(world, floc_world_set_discrete_element(world, scheme));
  return world;
}

static floc_discrete_element_options grains(void)
{
  floc_discrete_element_options options;
  assert_int_equal(floc_discrete_element_options_init(&options), FLOC_OK);
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e4;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 3e3;
  options.friction_static = options.friction_dynamic = 0.5;
  return options;
}

static void add_ball(floc_world *world, double x, double y, double z, double vx, double radius)
{
  floc_particle_options options;
  floc_particle_options_init(&options);
  options.position[0] = x, options.position[1] = y, options.position[2] = z;
  options.velocity[0] = vx;
  options.radius = radius;
  assert_world_ok(world, floc_particle_add(world, &options, NULL));
}

/* ---- springs in sorted storage ---- */

enum { SIDE = 21, GRAINS = SIDE * SIDE * SIDE }; /* enough that storage is sorted */

/* A lattice of grains that press on each other and shear, added in the order of `step` places: with step 1 their
 * storage is in good order from the start and stays so; with another it is sorted when springs exist. */
static floc_world *make_lattice(int64_t step)
{
  floc_discrete_element_options options = grains();
  floc_world *world = make_elements(1, &options);
  for (int64_t k = 0; k < GRAINS; k++) {
    int64_t place = k * step % GRAINS;
    double x = 0.099 * (double)(place % SIDE), y = 0.099 * (double)(place / SIDE % SIDE);
    double z = 0.099 * (double)(place / SIDE / SIDE);
    add_ball(world, x, y, z, 0.2 * sin(2.0 * y + 3.0 * z), 0.05);
  }
  return world;
}

static bool is_sorted(floc_world *world)
{
  const int64_t *ids;
  int64_t count;
  assert_world_ok(world, floc_particle_ids(world, &ids, NULL, &count));
  for (int64_t k = 0; k < count; k++)
    if (ids[k] != k + 1) return true;
  return false;
}

static double friction_energy(floc_world *world)
{
  floc_discrete_element_report report = {.struct_size = sizeof report};
  assert_world_ok(world, floc_world_get_discrete_element_report(world, &report));
  return report.friction_energy;
}

/* The same motion whether storage was sorted after springs had come or not. */
static void springs_survive_sorting(void **state)
{
  (void)state;
  const int64_t step = 4244; /* coprime to 21 */
  floc_world *plain = make_lattice(1), *mixed = make_lattice(step);
  run_steps(mixed, 2);
  assert_true(is_sorted(mixed)); /* before the second step; springs appeared in the first */
  run_steps(plain, 20);
  run_steps(mixed, 18);
  double energy = friction_energy(plain);
  assert_true(energy > 0.0);
  assert_close(friction_energy(mixed) / energy, 1.0, 1e-9);
  static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wz"};
  for (int64_t k = 0; k < GRAINS; k += 7)
    for (size_t c = 0; c < sizeof names / sizeof *names; c++)
      assert_close(column_value(mixed, names[c], k + 1), column_value(plain, names[c], k * step % GRAINS + 1),
                   1e-10);
  floc_world_destroy(plain);
  floc_world_destroy(mixed);
}

/* ---- bonds ---- */

static floc_world *make_chain(const int *order)
{
  floc_discrete_element_options options = grains();
  options.contact_force = FLOC_CONTACT_FORCE_PENALTY;
  options.bond_law = FLOC_BOND_PERSISTENT;
  floc_world *world = make_elements(1, &options);
  for (int k = 0; k < 5; k++) add_ball(world, 0.104 * order[k], 0.0, 0.0, 0.0, 0.05);
  return world;
}

static int64_t bond_count(floc_world *world)
{
  int64_t count = -1;
  assert_world_ok(world, floc_world_get_bonds(world, NULL, 0, &count));
  return count;
}

static void bonds_are_listed_and_removed(void **state)
{
  (void)state;
  const int order[5] = {4, 2, 0, 1, 3};
  floc_world *world = make_chain(order);
  assert_int_equal(bond_count(world), 0);
  assert_int_equal(floc_bond_remove(world, 1, 2), FLOC_NOT_FOUND); /* before any list exists */
  assert_world_ok(world, floc_bond_add(world, 5, 1, 1e-4));
  assert_world_ok(world, floc_bond_add(world, 4, 3, 2e-4));
  assert_world_ok(world, floc_bond_add(world, 2, 4, 3e-4));
  floc_bond bonds[3];
  int64_t count;
  assert_world_ok(world, floc_world_get_bonds(world, bonds, 3, &count));
  assert_int_equal(count, 3);
  const int64_t expected[3][2] = {{1, 5}, {2, 4}, {3, 4}};
  const double areas[3] = {1e-4, 3e-4, 2e-4};
  for (int k = 0; k < 3; k++) {
    assert_true(bonds[k].id_i == expected[k][0] && bonds[k].id_j == expected[k][1]);
    assert_true(bonds[k].area == areas[k] && bonds[k].struct_size == sizeof *bonds);
    assert_close(bonds[k].strain, 0.04, 1e-12);
  }
  assert_world_ok(world, floc_world_get_bonds(world, bonds, 1, &count));
  assert_int_equal(count, 3);
  assert_world_ok(world, floc_bond_remove(world, 4, 2));
  assert_int_equal(bond_count(world), 2);
  assert_int_equal(floc_bond_remove(world, 4, 2), FLOC_NOT_FOUND);
  assert_non_null(strstr(floc_world_message(world), "have no bond"));
  assert_int_equal(floc_bond_remove(world, 0, 2), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_bond_remove(world, 6, 2), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_world_get_bonds(world, NULL, 1, &count), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_world_get_bonds(world, bonds, 3, NULL), FLOC_INVALID_ARGUMENT);
  run_steps(world, 5);
  assert_int_equal(bond_count(world), 2);
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_LINK, 0.0, NULL, &summary));
  assert_int_equal(summary.count, 3);
  floc_world_destroy(world);
}

static void bonds_need_their_scheme_and_law(void **state)
{
  (void)state;
  int64_t count;
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  assert_int_equal(floc_world_get_bonds(world, NULL, 0, &count), FLOC_WRONG_STATE);
  assert_int_equal(floc_bond_remove(world, 1, 2), FLOC_NOT_SUPPORTED);
  floc_world_destroy(world);
  floc_discrete_element_options options = grains();
  world = make_elements(1, &options);
  add_ball(world, 0.0, 0.0, 0.0, 0.0, 0.05);
  add_ball(world, 0.1, 0.0, 0.0, 0.0, 0.05);
  assert_int_equal(bond_count(world), 0);
  assert_int_equal(floc_bond_remove(world, 1, 2), FLOC_WRONG_STATE);
  floc_world_destroy(world);
}

/* ---- moments and distances ---- */

static floc_world *make_points(void)
{
  floc_discrete_element_options options = grains();
  floc_world *world = make_elements(1, &options);
  add_ball(world, 0.0, 0.0, 0.0, 1.0, 0.5);
  add_ball(world, 2.0, 3.0, 6.0, 2.0, 0.5);
  add_ball(world, 1.0, 0.0, 0.0, -1.0, 0.5);
  add_ball(world, -3.0, 0.0, 0.0, 5.0, 0.5);
  return world;
}

static double moment(floc_world *world, const char *column, const char *weight, double about, int32_t order)
{
  double value = NAN;
  assert_world_ok(world, floc_measure_moment(world, column, weight, about, order, &value));
  return value;
}

static void moments_are_weighted_means_of_powers(void **state)
{
  (void)state;
  floc_world *world = make_points();
  assert_close(moment(world, "x", NULL, 0.0, 1), 0.0, 1e-15);
  assert_close(moment(world, "vx", NULL, 0.0, 1), 1.75, 1e-15);
  assert_close(moment(world, "vx", NULL, 1.0, 2), (0.0 + 1.0 + 4.0 + 16.0) / 4.0, 1e-15);
  assert_close(moment(world, "vx", NULL, 1.0, 3), (0.0 + 1.0 - 8.0 + 64.0) / 4.0, 1e-15);
  assert_close(moment(world, "z", "vx", 1.0, 4), (1.0 + 2.0 * 625.0 - 1.0 + 5.0) / 7.0, 1e-12);
  double value;
  assert_int_equal(floc_measure_moment(world, "x", NULL, 0.0, 0, &value), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_measure_moment(world, "x", NULL, 0.0, 65, &value), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_measure_moment(world, "x", NULL, NAN, 1, &value), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_measure_moment(world, NULL, NULL, 0.0, 1, &value), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_measure_moment(world, "x", NULL, 0.0, 1, NULL), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_measure_moment(world, "w", NULL, 0.0, 1, &value), FLOC_NOT_FOUND);
  assert_int_equal(floc_measure_moment(world, "x", "heat", 0.0, 1, &value), FLOC_NOT_FOUND);
  assert_non_null(strstr(floc_world_message(world), "\"heat\""));
  assert_int_equal(floc_measure_moment(world, "x", "vy", 0.0, 1, &value), FLOC_WRONG_STATE);
  floc_world_destroy(world);
}

static double distance_of(floc_world *world, int64_t cluster, double gap)
{
  floc_selection selection;
  assert_int_equal(floc_selection_init(&selection), FLOC_OK);
  selection.rule = FLOC_CLUSTER_GAP;
  selection.cluster = cluster;
  selection.gap = gap;
  double distance = NAN;
  assert_world_ok(world, floc_measure_greatest_distance(world, &selection, &distance));
  return distance;
}

static void distances_are_of_the_farthest_pair(void **state)
{
  (void)state;
  floc_world *world = make_points();
  assert_close(distance_of(world, 0, 0.0), sqrt(25.0 + 9.0 + 36.0), 1e-15);
  assert_close(distance_of(world, -1, 0.1), 1.0, 1e-15);
  assert_close(distance_of(world, 2, 0.1), 0.0, 0.0);
  for (int k = 0; k < 300; k++)
    add_ball(world, 4.0 * sin(1.7 * k * k), 4.0 * sin(2.3 * k * k + 1.0), 4.0 * sin(0.9 * k * k + 2.0), 0.0, 0.01);
  double greatest = 0.0;
  for (int i = 1; i <= 304; i++)
    for (int j = 1; j < i; j++) {
      double x = column_value(world, "x", i) - column_value(world, "x", j);
      double y = column_value(world, "y", i) - column_value(world, "y", j);
      double z = column_value(world, "z", i) - column_value(world, "z", j);
      greatest = fmax(greatest, sqrt(x * x + y * y + z * z));
    }
  assert_close(distance_of(world, 0, 0.0), greatest, 1e-14);
  floc_world_destroy(world);
}

static void distances_survive_failing_memory(void **state)
{
  (void)state;
  for (int64_t n = 1;; n++) {
    failing_allocator counter = {0};
    floc_world_options options;
    floc_world_options_init(&options);
    options.dimension = 3;
    options.time_step = 1.0;
    options.threads = 1;
    options.allocate = failing_allocate;
    options.allocate_context = &counter;
    floc_world *world = NULL;
    assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
    add_ball(world, 0.0, 0.0, 0.0, 0.0, 0.5);
    add_ball(world, 0.0, 2.0, 0.0, 0.0, 0.5);
    floc_selection selection;
    floc_selection_init(&selection);
    double distance = 0.0;
    counter.calls = 0;
    counter.refused = n;
    floc_status status = floc_measure_greatest_distance(world, &selection, &distance);
    bool reached = counter.calls >= n;
    assert_true(status == (reached ? FLOC_OUT_OF_MEMORY : FLOC_OK));
    counter.refused = 0;
    assert_world_ok(world, floc_measure_greatest_distance(world, &selection, &distance));
    assert_close(distance, 2.0, 1e-15);
    floc_world_destroy(world);
    assert_int_equal(counter.bytes, 0);
    if (!reached) break;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_survive_sorting),
      cmocka_unit_test(bonds_are_listed_and_removed),
      cmocka_unit_test(bonds_need_their_scheme_and_law),
      cmocka_unit_test(moments_are_weighted_means_of_powers),
      cmocka_unit_test(distances_are_of_the_farthest_pair),
      cmocka_unit_test(distances_survive_failing_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
