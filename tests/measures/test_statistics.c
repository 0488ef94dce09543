/*
 * engine/measures/statistics through floc.h: what a program gets besides what the specs of Lua try
 * (tests/lua/stress_spec.lua, statistics_spec.lua, coarse_grain_spec.lua); closed forms of two grains, and what is
 * refused.
 */
#include "support_world.h"

/* Two grains of mass 1 side by side that overlap by 0.1, stiffness 100: the force is 10, the branch 0.9. */
static floc_world *two_grains(void)
{
  floc_world *world = make_world(2, 1e-3, 0.0, 1);
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 100.0;
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
  add_particle(world, 0.0, 0.0, 1.0, 0.0, 0.5);
  add_particle(world, 0.9, 0.0, -1.0, 0.0, 0.5);
  for (int id = 1; id <= 2; id++) {
    double *mass;
    int64_t count;
    assert_world_ok(world, floc_column(world, "mass", &mass, &count));
    mass[id - 1] = 1.0;
  }
  return world;
}

static void stress_of_two_grains(void **state)
{
  (void)state;
  floc_world *world = two_grains();
  floc_stress_options options;
  floc_stress_options_init(&options);
  options.volume = 5.0;
  floc_stress found = {.struct_size = sizeof found};
  assert_world_ok(world, floc_measure_stress(world, &options, &found));
  assert_close(found.contacts[0], 10.0 * 0.9 / 5.0, 1e-12);
  assert_close(found.kinetic[0], 2.0 / 5.0, 1e-15);
  assert_close(found.tensor[0], 2.2, 1e-12);
  assert_close(found.pressure, 1.1, 1e-12);
  assert_close(found.fabric[0], 1.0, 1e-15);
  assert_close(found.coordination_number, 1.0, 0.0);
  for (int k = 1; k < 9; k++) assert_close(found.tensor[k], 0.0, 1e-15);
  double temperature, pressure;
  assert_world_ok(world, floc_measure(world, "temperature", &temperature));
  assert_close(temperature, 1.0, 1e-15); /* 2 / (2 (2 - 1)) */
  options.volume = 0.0;
  assert_world_ok(world, floc_measure_stress(world, &options, &found));
  assert_close(found.volume, 1.9, 1e-15);
  assert_world_ok(world, floc_measure(world, "pressure", &pressure));
  assert_close(pressure, found.pressure, 0.0);
  const uint64_t before = world_hash(world);
  assert_world_ok(world, floc_measure_stress(world, &options, &found));
  assert_true(before == world_hash(world));
  options.volume = NAN;
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_stress(world, &options, &found));
  assert_non_null(strstr(floc_world_message(world), "volume is nan"));
  floc_world_destroy(world);
}

static void fields_of_two_grains(void **state)
{
  (void)state;
  floc_world *world = two_grains();
  floc_coarse_grain_options options;
  floc_coarse_grain_options_init(&options);
  options.width = 0.3;
  options.cells_x = 5;
  floc_grid grid = {.struct_size = sizeof grid};
  assert_world_ok(world, floc_measure_coarse_grain(world, &options, &grid, NULL, 0));
  assert_int_equal(5, grid.cells[0]);
  assert_int_equal(31, grid.cells[1]); /* 1 + 12 widths by half a width: 4.6/0.15 */
  const int64_t cells = 5 * 31;
  double fields[FLOC_FIELD_COUNT * 5 * 31];
  assert_int_equal(FLOC_NO_ROOM,
                   floc_measure_coarse_grain(world, &options, &grid, fields, FLOC_FIELD_COUNT * cells - 1));
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_coarse_grain(world, &options, &grid, NULL, 7));
  assert_world_ok(world, floc_measure_coarse_grain(world, &options, &grid, fields, FLOC_FIELD_COUNT * cells));
  double sum[FLOC_FIELD_COUNT] = {0.0};
  for (int k = 0; k < FLOC_FIELD_COUNT; k++)
    for (int64_t cell = 0; cell < cells; cell++)
      sum[k] += fields[k * cells + cell] * grid.spacing[0] * grid.spacing[1];
  assert_close(sum[FLOC_FIELD_DENSITY], 2.0, 1e-14);
  assert_close(sum[FLOC_FIELD_MOMENTUM], 0.0, 1e-14);
  assert_close(sum[FLOC_FIELD_CONTACT_STRESS], 9.0, 1e-11);
  floc_world_destroy(world);
}

/* Four on a line, 1 apart, periodic: each has two neighbours at 1 and, at half the period, one at 2. */
static void distributions_of_a_line(void **state)
{
  (void)state;
  floc_world_options given;
  floc_world_options_init(&given);
  given.time_step = 0.01;
  given.boundary[0] = given.boundary[1] = FLOC_BOUNDARY_PERIODIC;
  given.domain_upper[0] = given.domain_upper[1] = 4.0;
  floc_world *world = NULL;
  assert_int_equal(FLOC_OK, floc_world_create(&given, &world));
  for (int k = 0; k < 4; k++) add_particle(world, 0.5 + k, 1.0, k, 0.0, 0.1);
  floc_radial_options radial;
  floc_radial_options_init(&radial);
  radial.range = 1.5;
  radial.bins = 3;
  double values[3], numbers[3], vectors[3], ends[2], mean = -1.0;
  int64_t count = -1;
  assert_world_ok(world, floc_measure_radial_distribution(world, &radial, values));
  assert_close(values[0], 0.0, 0.0);
  assert_close(values[2], 2.0 / (4.0 / 16.0 * 3.14159265358979323846 * (1.5 * 1.5 - 1.0)), 1e-14);
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_radial_distribution(world, &radial, NULL));
  radial.range = 0.0;
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_radial_distribution(world, &radial, values));
  floc_structure_options structure;
  floc_structure_options_init(&structure);
  structure.greatest = 1.6;
  structure.bins = 1;
  /* (1, 0): 0; (0, 1): all in phase, 4 */
  assert_world_ok(world, floc_measure_structure_factor(world, &structure, numbers, values, vectors));
  assert_close(vectors[0], 2.0, 0.0);
  assert_close(values[0], 2.0, 1e-14);
  floc_profile_options profile;
  floc_profile_options_init(&profile);
  profile.axis = 0;
  profile.bins = 2;
  assert_world_ok(world, floc_measure_profile(world, &profile, "vx", NULL, numbers, values, ends));
  assert_close(numbers[0], 2.0, 0.0);
  assert_close(values[1], 2.5, 0.0);
  assert_close(ends[1], 4.0, 0.0);
  profile.axis = 2;
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_profile(world, &profile, "vx", NULL, numbers, values, ends));
  floc_force_distribution_options force;
  floc_force_distribution_options_init(&force);
  force.bins = 3;
  assert_world_ok(world, floc_measure_force_distribution(world, &force, values, &mean, &count));
  assert_close(mean, 0.0, 0.0);
  assert_int_equal(0, count);
  floc_world_destroy(world);
}

/* A middle one with neighbours at 0 and 90 degrees: psi_4 = 1, psi_6 = (1 - 1)/2; the ends have one neighbour: 1.
 */
static void bond_order_of_a_corner(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-3, 0.0, 1);
  add_particle(world, 0.0, 0.0, 0.0, 0.0, 0.5);
  add_particle(world, 1.0, 0.0, 0.0, 0.0, 0.5);
  add_particle(world, 0.0, 1.0, 0.0, 0.0, 0.5);
  add_particle(world, 9.0, 9.0, 0.0, 0.0, 0.5);
  floc_bond_order_options options;
  floc_bond_order_options_init(&options);
  floc_bond_order found = {.struct_size = sizeof found};
  double values[4];
  const uint64_t before = world_hash(world);
  assert_int_equal(6, options.order);
  assert_world_ok(world, floc_measure_bond_order(world, &options, values, &found));
  assert_close(values[0], 0.0, 1e-15);
  assert_close(values[1], 1.0, 1e-15);
  assert_close(values[3], 0.0, 0.0);
  assert_close(found.mean, 0.5, 1e-15);
  assert_close(found.neighbors, 1.0, 1e-15);
  assert_close(found.global, 0.0, 1e-15); /* 0, 1 and exp(-6 i pi/2) = -1 */
  assert_int_equal(1, found.alone);
  options.order = 4;
  options.by = FLOC_NEIGHBORS_CENTERS;
  options.range = 1.2;
  assert_world_ok(world, floc_measure_bond_order(world, &options, NULL, &found));
  assert_close(found.mean, 0.75, 1e-15);
  assert_close(found.global, 0.75, 1e-15);
  assert_true(before == world_hash(world));
  options.by = FLOC_NEIGHBORS_TOUCHING;
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_bond_order(world, &options, NULL, &found));
  assert_non_null(strstr(floc_world_message(world), "range is 1.2"));
  options.by = 3;
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_bond_order(world, &options, NULL, &found));
  options.by = FLOC_NEIGHBORS_CENTERS;
  options.order = 13;
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_bond_order(world, &options, NULL, &found));
  assert_int_equal(FLOC_INVALID_ARGUMENT, floc_measure_bond_order(world, &options, NULL, NULL));
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_of_two_grains),
      cmocka_unit_test(fields_of_two_grains),
      cmocka_unit_test(distributions_of_a_line),
      cmocka_unit_test(bond_order_of_a_corner),
  };
  return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
