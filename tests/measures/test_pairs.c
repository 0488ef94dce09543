/*
 * engine/measures/statistics/pair_rows.c, by floc_world_get_pairs: against a look at all pairs, in the plane and in
 * space, through periodic faces, before and after steps that sort the storage; and what is refused.
 */
#include "support_world.h"

enum { COUNT = 150, LIMIT = COUNT * COUNT, NAMES = 7 };

static const char *const names[NAMES] = {"id_i", "id_j", "distance", "gap", "x", "y", "z"};
static double found[NAMES][LIMIT];

static floc_world *cloud(int32_t dimension)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = dimension;
  options.time_step = 0.02;
  options.boundary[0] = FLOC_BOUNDARY_PERIODIC;
  options.boundary[1] = FLOC_BOUNDARY_WALL;
  for (int axis = 0; axis < dimension; axis++) options.domain_upper[axis] = 6.0;
  floc_world *world = NULL;
  assert_int_equal(FLOC_OK, floc_world_create(&options, &world));
  double number[6 * COUNT];
  floc_random_uniform(7, 3, 0, 6 * COUNT, number);
  for (int k = 0; k < COUNT; k++) {
    floc_particle_options one;
    floc_particle_options_init(&one);
    one.radius = 0.05 + 0.15 * number[6 * k + 5];
    one.allow_overlap = true;
    for (int axis = 0; axis < dimension; axis++) one.position[axis] = 0.2 + 5.6 * number[6 * k + axis];
    for (int axis = 0; axis < 2; axis++) one.velocity[axis] = number[6 * k + 3 + axis] - 0.5;
    int64_t id;
    assert_world_ok(world, floc_particle_add(world, &one, &id));
  }
  return world;
}

static int64_t find(floc_world *world, int32_t by, double range, int64_t particle)
{
  floc_pairs_options options;
  floc_pairs_options_init(&options);
  options.by = by;
  options.range = range;
  options.particle = particle;
  double *columns[NAMES];
  for (int k = 0; k < NAMES; k++) columns[k] = found[k];
  int64_t count = -1, counted = -1;
  assert_world_ok(world, floc_world_get_pairs(world, &options, names, NAMES, NULL, 0, 0, &counted));
  assert_world_ok(world,
                  floc_world_get_pairs(world, &options, names, NAMES, columns, sizeof(double), LIMIT, &count));
  assert_int_equal(counted, count);
  return count;
}

/* Separation from i to j at the nearest image; returns the distance. */
static double separate(floc_world *world, int32_t dimension, int64_t i, int64_t j, double way[3])
{
  static const char *const axes[] = {"x", "y", "z"};
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    way[axis] = axis < dimension ? column_value(world, axes[axis], j) - column_value(world, axes[axis], i) : 0.0;
    if (axis == 0) way[0] -= 6.0 * round(way[0] / 6.0);
    square += way[axis] * way[axis];
  }
  return sqrt(square);
}

static void compare(floc_world *world, int32_t dimension, int32_t by, double range, int64_t particle)
{
  const int64_t count = find(world, by, range, particle);
  int64_t row = 0;
  for (int64_t i = particle > 0 ? particle : 1; i <= (particle > 0 ? particle : COUNT); i++)
    for (int64_t j = particle > 0 ? 1 : i + 1; j <= COUNT; j++) {
      double way[3], distance = separate(world, dimension, i, j, way);
      double radius_i = column_value(world, "radius", i), radius_j = column_value(world, "radius", j);
      double gap = distance - radius_i - radius_j;
      double limit = by == FLOC_NEIGHBORS_TOUCHING ? 1e-3 * fmin(radius_i, radius_j) : range;
      if (i == j || (by == FLOC_NEIGHBORS_CENTERS ? distance : gap) > limit) continue;
      assert_true(row < count);
      assert_close(found[0][row], (double)i, 0.0);
      assert_close(found[1][row], (double)j, 0.0);
      assert_close(found[2][row], distance, 1e-14);
      assert_close(found[3][row], gap, 1e-14);
      for (int axis = 0; axis < 3; axis++) assert_close(found[4 + axis][row], way[axis], 1e-14);
      row++;
    }
  assert_int_equal(row, count);
}

static void are_those_within_range(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_world *world = cloud(dimension);
    for (int steps = 0; steps < 60; steps += 20) {
      compare(world, dimension, FLOC_NEIGHBORS_TOUCHING, 0.0, 0);
      compare(world, dimension, FLOC_NEIGHBORS_SURFACES, 0.3, 0);
      compare(world, dimension, FLOC_NEIGHBORS_SURFACES, 0.0, 0);
      compare(world, dimension, FLOC_NEIGHBORS_CENTERS, 0.15, 0);
      compare(world, dimension, FLOC_NEIGHBORS_CENTERS, 2.9, 0);
      compare(world, dimension, FLOC_NEIGHBORS_SURFACES, 100.0, 0);
      compare(world, dimension, FLOC_NEIGHBORS_CENTERS, 1.1, 17);
      compare(world, dimension, FLOC_NEIGHBORS_TOUCHING, 0.0, 5);
      run_steps(world, 20);
    }
    floc_world_destroy(world);
  }
}

/* Twice their number over the particles is the coordination number. */
static void touch_as_the_coordination_number_counts(void **state)
{
  (void)state;
  floc_world *world = cloud(3);
  run_steps(world, 10);
  double number;
  assert_world_ok(world, floc_measure(world, "coordination_number", &number));
  assert_close(2.0 * (double)find(world, FLOC_NEIGHBORS_TOUCHING, 0.0, 0) / COUNT, number, 1e-14);
  floc_world_destroy(world);
}

static void refuse_what_is_wrong(void **state)
{
  (void)state;
  floc_world *world = cloud(2);
  floc_pairs_options options;
  int64_t count = 77;
  double *columns[1] = {found[0]};
#define REFUSED(status, text, call)                                                                                \
  do {                                                                                                             \
    assert_int_equal(status, call);                                                                                \
    if (!strstr(floc_world_message(world), text)) fail_msg("%s", floc_world_message(world));                       \
    assert_int_equal(count, 77);                                                                                   \
  } while (0)
#define PAIRS(name_count, stride, capacity)                                                                        \
  floc_world_get_pairs(world, &options, names, name_count, columns, stride, capacity, &count)
  floc_pairs_options_init(&options);
  options.range = 0.1;
  REFUSED(FLOC_INVALID_ARGUMENT, "range is 0.1", PAIRS(1, 8, 10));
  options.by = FLOC_NEIGHBORS_SURFACES;
  options.range = -1.0;
  REFUSED(FLOC_INVALID_ARGUMENT, "range is -1", PAIRS(1, 8, 10));
  options.range = NAN;
  REFUSED(FLOC_INVALID_ARGUMENT, "range is nan", PAIRS(1, 8, 10));
  options.range = 0.1;
  options.by = 3;
  REFUSED(FLOC_INVALID_ARGUMENT, "by is 3", PAIRS(1, 8, 10));
  options.by = FLOC_NEIGHBORS_SURFACES;
  options.particle = COUNT + 1;
  REFUSED(FLOC_NOT_FOUND, "there is no particle 151", PAIRS(1, 8, 10));
  options.particle = 0;
  REFUSED(FLOC_INVALID_ARGUMENT, "stride is 4", PAIRS(1, 4, 10));
  REFUSED(FLOC_INVALID_ARGUMENT, "name_count is 8", PAIRS(8, 8, 10));
  REFUSED(FLOC_INVALID_ARGUMENT, "capacity", PAIRS(1, 8, -1));
  const char *unknown[1] = {"normal_x"};
  REFUSED(FLOC_NOT_FOUND, "\"normal_x\"; known are: id_i",
          floc_world_get_pairs(world, &options, unknown, 1, columns, 8, 10, &count));
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(are_those_within_range),
      cmocka_unit_test(touch_as_the_coordination_number_counts),
      cmocka_unit_test(refuse_what_is_wrong),
  };
  return cmocka_run_group_tests_name("pairs of neighbours", tests, NULL, NULL);
}
