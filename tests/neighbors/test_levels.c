/*
 * Levels of extents: how many there are, and that cells stay thinly populated whatever the radii. The
 * number of pairs of particles in the same bucket, per particle, stands for the cost of a search.
 */
#include "scenes.h"

#include "neighbors/internal.h"

typedef enum sizes { EQUAL, NEARLY_EQUAL, TWO_SIZES, LOG_UNIFORM, ONE_GIANT, ONE_DWARF, DUST } sizes;

typedef struct sample {
  environment env;
  domain box;
  double *x[3], *radius, *bound;
  grid cells;
  grid_input input;
} sample;

static double radius_of(sizes kind, const double u[4], int64_t i)
{
  switch (kind) {
  case NEARLY_EQUAL:
    return 0.85 + 0.3 * u[3];
  case TWO_SIZES:
    return u[3] < 0.01 ? 100.0 : 1.0;
  case LOG_UNIFORM:
    return pow(100.0, u[3]);
  case ONE_GIANT:
    return i == 7 ? 300.0 : 1.0;
  case ONE_DWARF:
    return i == 7 ? 1e-9 : 1.0;
  case DUST:
    return i % 10 == 7 ? 1e-200 : 1.0;
  default:
    return 1.0;
  }
}

/* Balls that fill half of a cube, at random. */
static void make_sample(sample *all, int32_t dimension, int64_t count, sizes kind)
{
  memset(all, 0, sizeof *all);
  all->env = test_environment(1);
  all->box.dimension = dimension;
  all->cells.dimension = dimension;
  size_t bytes = (size_t)count * sizeof(double);
  double volume = 0.0;
  for (int a = 0; a < 3; a++) assert_non_null(all->x[a] = malloc(bytes));
  assert_non_null(all->radius = malloc(bytes));
  assert_non_null(all->bound = calloc((size_t)count, sizeof(double)));
  grid_input *input = &all->input;
  *input =
      (grid_input){.env = &all->env, .box = &all->box, .count = count, .radius = all->radius, .bound = all->bound};
  input->extent_least = INFINITY;
  for (int64_t i = 0; i < count; i++) {
    double u[4];
    random_uniform4(61, (uint64_t)i, 0, RANDOM_SCRIPT, 0, u);
    all->radius[i] = radius_of(kind, u, i);
    volume += (dimension == 2 ? 3.14 : 4.19 * all->radius[i]) * all->radius[i] * all->radius[i];
    double extent = particle_extent(all->radius[i], 0.0, 0.0);
    input->extent_least = fmin(input->extent_least, extent);
    input->extent_greatest = fmax(input->extent_greatest, extent);
  }
  double side = pow(2.0 * volume, 1.0 / dimension);
  for (int a = 0; a < 3; a++) {
    input->position[a] = all->x[a];
    input->lower[a] = INFINITY;
    input->upper[a] = -INFINITY;
  }
  for (int64_t i = 0; i < count; i++) {
    double u[4];
    random_uniform4(62, (uint64_t)i, 0, RANDOM_SCRIPT, 0, u);
    for (int a = 0; a < 3; a++) {
      all->x[a][i] = side * u[a];
      input->lower[a] = fmin(input->lower[a], all->x[a][i]);
      input->upper[a] = fmax(input->upper[a], all->x[a][i]);
    }
  }
  assert_ok(&all->env, grid_build(&all->cells, input));
}

static void free_sample(sample *all)
{
  grid_free(&all->cells, &all->env);
  for (int a = 0; a < 3; a++) free(all->x[a]);
  free(all->radius);
  free(all->bound);
}

/* Every particle is in one bucket, and in a level whose extent covers it. */
static void check_grid(const sample *all)
{
  const grid *cells = &all->cells;
  int64_t count = all->input.count, total = 0;
  char *seen = calloc((size_t)count, 1);
  assert_non_null(seen);
  for (int32_t level = 0; level < cells->level_count; level++) {
    const grid_level *at = &cells->level[level];
    total += at->particle_count;
    assert_int_equal(cells->start[at->offset + at->bucket_count] - cells->start[at->offset], at->particle_count);
    for (int32_t k = cells->start[at->offset]; k < cells->start[at->offset + at->bucket_count]; k++) {
      int32_t slot = cells->slot[k];
      assert_int_equal(seen[slot]++, 0);
      double extent = particle_extent(all->radius[slot], 0.0, 0.0);
      assert_true(extent <= at->extent);
      assert_int_equal(grid_level_of(cells, extent), level);
    }
    if (level > 0) assert_true(cells->level[level - 1].extent < at->extent);
  }
  assert_int_equal(total, count);
  assert_true(cells->bucket_count <= 4 * count + 64 * cells->level_count + 64);
  free(seen);
}

static double crowding(const sample *all)
{
  double pairs = 0.0;
  for (int64_t b = 0; b < all->cells.bucket_count; b++) {
    double here = all->cells.start[b + 1] - all->cells.start[b];
    pairs += here * here;
  }
  return pairs / (double)all->input.count;
}

static void levels_fit_the_sizes(void **state)
{
  (void)state;
  static const int32_t least[] = {1, 1, 2, 2, 2, 1, 1}, most[] = {1, 1, 2, 10, 2, 2, 2};
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (sizes kind = EQUAL; kind <= DUST; kind++) {
      sample all;
      make_sample(&all, dimension, 10000, kind);
      check_grid(&all);
      assert_in_range(all.cells.level_count, least[kind], most[kind]);
      free_sample(&all);
    }
  }
}

/* Ten times the particles, the same crowding: the cost is linear. */
static void cells_are_thinly_populated(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (sizes kind = EQUAL; kind <= ONE_DWARF; kind++) {
      sample few, many;
      make_sample(&few, dimension, 5000, kind);
      make_sample(&many, dimension, 50000, kind);
      assert_true(crowding(&many) < 8.0);
      assert_true(crowding(&many) < 1.5 * crowding(&few) + 0.5);
      free_sample(&few);
      free_sample(&many);
    }
  }
}

/* More octaves than classes, and more than levels: the smallest share a class. */
static void extents_over_three_hundred_decades(void **state)
{
  (void)state;
  sample all;
  make_sample(&all, 2, 2000, EQUAL);
  grid_free(&all.cells, &all.env);
  all.input.extent_least = INFINITY;
  all.input.extent_greatest = 0.0;
  for (int64_t i = 0; i < 2000; i++) {
    all.radius[i] = pow(10.0, -300.0 + 0.2 * (double)i);
    if (all.radius[i] > 1e99) all.radius[i] = 1e99;
    double extent = particle_extent(all.radius[i], 0.0, 0.0);
    all.input.extent_least = fmin(all.input.extent_least, extent);
    all.input.extent_greatest = fmax(all.input.extent_greatest, extent);
  }
  assert_ok(&all.env, grid_build(&all.cells, &all.input));
  check_grid(&all);
  free_sample(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_fit_the_sizes),
      cmocka_unit_test(cells_are_thinly_populated),
      cmocka_unit_test(extents_over_three_hundred_decades),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
