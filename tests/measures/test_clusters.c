/*
 * Clusters and bonds against configurations that can be counted by hand, and against a plain flood fill.
 */
#include "support_world.h"

#include <stdlib.h>

static floc_cluster_summary find(floc_world *world, double gap, int64_t *cluster_of)
{
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_GAP, gap, cluster_of, &summary));
  return summary;
}

static void chains_are_counted(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  for (int k = 0; k < 5; k++) add_particle(world, 0.21 * k, 0, 0, 0, 0.1); /* gaps of 0.01 */
  for (int k = 0; k < 3; k++) add_particle(world, 0.2 * k, 5, 0, 0, 0.1);  /* touching */
  add_particle(world, 9, 9, 0, 0, 0.1);
  int64_t of[9];
  floc_cluster_summary summary = find(world, 0.0100001, of);
  assert_int_equal(summary.count, 3);
  assert_int_equal(summary.largest, 5);
  assert_int_equal(summary.single, 1);
  assert_close(summary.mean_size, 3.0, 1e-15);
  assert_close(summary.weighted_mean_size, (25.0 + 9.0 + 1.0) / 9.0, 1e-15);
  const int64_t expected[9] = {1, 1, 1, 1, 1, 2, 2, 2, 3};
  assert_memory_equal(of, expected, sizeof of);
  assert_int_equal(find(world, 0.001, of).count, 7);
  floc_cluster_summary unused = {.struct_size = sizeof unused};
  assert_int_equal(floc_clusters(world, FLOC_CLUSTER_GAP, -1.0, NULL, &unused), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_clusters(world, 7, 0.0, NULL, &unused), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_clusters(world, FLOC_CLUSTER_LINK, 0.0, NULL, &unused), FLOC_NOT_SUPPORTED);
  floc_world_destroy(world);
}

static void flood(const double *x, const double *y, const double *r, int count, double gap, int64_t *of, int k,
                  int64_t number)
{
  of[k] = number;
  for (int j = 0; j < count; j++)
    if (of[j] == 0 && hypot(x[k] - x[j], y[k] - y[j]) <= r[k] + r[j] + gap)
      flood(x, y, r, count, gap, of, j, number);
}

static void clusters_agree_with_a_flood_fill(void **state)
{
  (void)state;
  enum { COUNT = 600 };
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  insert_box(world, COUNT, 0, 0, 1, 1, 0.008, 0.02);
  double *x, *y, *r;
  int64_t n, of[COUNT], expected[COUNT], number = 0;
  assert_world_ok(world, floc_column(world, "x", &x, &n));
  assert_world_ok(world, floc_column(world, "y", &y, &n));
  assert_world_ok(world, floc_column(world, "radius", &r, &n));
  for (double gap = 1e-3; gap < 0.02; gap *= 1.7) {
    memset(expected, 0, sizeof expected);
    number = 0;
    for (int k = 0; k < COUNT; k++)
      if (expected[k] == 0) flood(x, y, r, COUNT, gap, expected, k, ++number);
    assert_int_equal(find(world, gap, of).count, number);
    assert_memory_equal(of, expected, sizeof of);
  }
  floc_world_destroy(world);
}

static void bonds_come_and_go(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  add_particle(world, 0.2, 0, 0, 0, 0.1);
  add_particle(world, 0.5, 0, 0, 0, 0.1);
  int64_t made = -1, broken = -1, count;
  assert_world_ok(world, floc_bond_changes(world, 0.001, &made, &broken));
  assert_int_equal(made, 0);
  double *x;
  assert_world_ok(world, floc_column(world, "x", &x, &count));
  x[1] = 0.3;
  assert_world_ok(world, floc_bond_changes(world, 0.001, &made, &broken));
  assert_int_equal(made, 1);
  assert_int_equal(broken, 1);
  assert_world_ok(world, floc_bond_changes(world, 0.001, &made, &broken));
  assert_int_equal(made, 0);
  assert_int_equal(broken, 0);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_are_counted),
      cmocka_unit_test(clusters_agree_with_a_flood_fill),
      cmocka_unit_test(bonds_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
