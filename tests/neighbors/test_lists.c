/*
 * The promise of neighbors.h for pairs: whatever moves, nothing that is near enough is missing.
 */
#include "scenes.h"

#include "neighbors/internal.h"

#include <stdio.h>

static const double unit_lower[3] = {0.0, 0.0, 0.0};

typedef struct run {
  int32_t dimension;
  int64_t count;
  double side;            /* of the cube that is filled */
  int periodic_axes;      /* bit per axis */
  double least, greatest; /* radii */
  double way, fastest;    /* per step */
  double range;
  int steps;
} run;

/* Runs a scene; every update is compared with the double loop. Some updates must get by without a new
 * list, or the test would only test building. */
static void check_run(const run *what, uint64_t seed)
{
  scene all;
  scene_init(&all, what->dimension, seed, 1);
  for (int a = 0; a < what->dimension; a++)
    if (what->periodic_axes >> a & 1) make_periodic(&all, a, -0.3, what->side - 0.3);
  double upper[3] = {what->side, what->side, what->side};
  add_cloud(&all, what->count, unit_lower, upper, what->least, what->greatest);
  all.range = what->range;
  int rebuilds = 0;
  int64_t needed = 0;
  for (int step = 0; step < what->steps; step++) {
    move_cloud(&all, what->way, what->fastest);
    rebuilds += update_scene(&all);
    needed += check_pairs(&all);
  }
  assert_true(needed > what->steps);
  assert_true(rebuilds >= 1);
  if (what->steps > 20) assert_in_range(rebuilds, 2, what->steps * 2 / 3);
  scene_free(&all);
}

static void nothing_is_missing_in_open_space(void **state)
{
  (void)state;
  check_run(&(run){2, 300, 12.0, 0, 0.25, 0.35, 0.01, 0.01, 0.0, 60}, 1);
  check_run(&(run){3, 300, 6.0, 0, 0.25, 0.35, 0.01, 0.01, 0.0, 60}, 2);
  check_run(&(run){2, 300, 12.0, 0, 0.25, 0.35, 0.002, 0.3, 0.05, 60}, 3);
  check_run(&(run){3, 300, 6.0, 0, 0.25, 0.35, 0.002, 0.2, 0.1, 60}, 4);
}

static void nothing_is_missing_in_periodic_boxes(void **state)
{
  (void)state;
  for (int axes = 1; axes < 4; axes++) check_run(&(run){2, 250, 10.0, axes, 0.2, 0.4, 0.02, 0.1, 0.0, 50}, 5);
  for (int axes = 1; axes < 8; axes++) check_run(&(run){3, 200, 5.0, axes, 0.2, 0.4, 0.02, 0.1, 0.02, 40}, 6);
}

static void nothing_is_missing_between_very_different_radii(void **state)
{
  (void)state;
  check_run(&(run){2, 400, 30.0, 0, 0.02, 2.0, 0.005, 0.05, 0.0, 50}, 7);
  check_run(&(run){3, 400, 9.0, 0, 0.02, 2.0, 0.005, 0.05, 0.0, 50}, 8);
  check_run(&(run){2, 400, 30.0, 3, 0.02, 2.0, 0.005, 0.05, 0.01, 50}, 9);
  check_run(&(run){3, 300, 7.0, 5, 0.01, 2.0, 0.005, 0.05, 0.0, 50}, 10);
}

/* Boxes that hold one, two or three cells, and boxes smaller than what pairs reach across. */
static void thin_periodic_boxes(void **state)
{
  (void)state;
  for (int k = 1; k <= 20; k++) {
    double side = 0.25 * k;
    check_run(&(run){2, 40, side, 3, 0.3, 0.3, 0.01, 0.01, 0.0, 12}, 11);
    check_run(&(run){3, 40, side, 7, 0.3, 0.3, 0.01, 0.01, 0.0, 12}, 12);
    check_run(&(run){3, 40, side, 2, 0.1, 0.3, 0.01, 0.01, 0.3, 12}, 13);
  }
}

/* Two particles on either side of each face, edge and corner. */
static void pairs_across_corners(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int corner = 1; corner < 1 << dimension; corner++) {
      scene all;
      scene_init(&all, dimension, 3, 1);
      for (int a = 0; a < dimension; a++) make_periodic(&all, a, 2.0, 12.0);
      double middle[3] = {7.0, 7.0, 7.0};
      add_cloud(&all, 2, middle, middle, 0.1, 0.1);
      for (int a = 0; a < dimension; a++) {
        if (!(corner >> a & 1)) continue;
        column(&all, a)[0] = 2.0 + 0.05;
        column(&all, a)[1] = 12.0 - 0.05;
      }
      all.reach[0] = all.reach[1] = 0.01;
      update_scene(&all);
      const pair_list *list = neighbors_pairs(all.near);
      assert_int_equal(list->count, 1);
      assert_int_equal(list->first[0], 0);
      assert_int_equal(list->second[0], 1);
      scene_free(&all);
    }
  }
}

/* On a ring each pair of neighbours is there once, also where the ring closes. */
static void every_image_pair_once(void **state)
{
  (void)state;
  for (int count = 3; count <= 12; count++) {
    scene all;
    scene_init(&all, 2, 3, 1);
    make_periodic(&all, 0, 0.0, (double)count);
    make_periodic(&all, 1, 0.0, 50.0);
    double place[3] = {0.0, 20.0, 0.0};
    add_cloud(&all, count, place, place, 0.5, 0.5);
    for (int k = 0; k < count; k++) column(&all, 0)[k] = k;
    for (int k = 0; k < count; k++) all.reach[k] = 0.01;
    update_scene(&all);
    check_pairs(&all);
    int64_t touching = 0;
    const pair_list *list = neighbors_pairs(all.near);
    for (int64_t k = 0; k < list->count; k++) touching += gap_between(&all, list->first[k], list->second[k]) < 0.01;
    assert_int_equal(touching, count);
    scene_free(&all);
  }
}

/* Particles in clumps far apart: cells are laid over each other; a lattice with a wide spacing. */
static void scattered_particles(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    scene all;
    scene_init(&all, dimension, 21, 1);
    for (int clump = 0; clump < 8; clump++) {
      double far = pow(10.0, clump * 1.5) * (clump % 2 ? 1.0 : -1.0);
      double lower[3] = {far, -far, 2.0 * far}, upper[3] = {far + 2.0, -far + 2.0, 2.0 * far + 2.0};
      add_cloud(&all, 25, lower, upper, 0.1, 0.2);
    }
    for (int64_t k = 0; k < 200; k++) {
      double lattice[3] = {(double)(k % 15) * 37.0, (double)(k / 15 % 15) * 37.0, (double)(k / 225) * 37.0};
      add_cloud(&all, 1, lattice, lattice, 0.1, 0.1);
    }
    for (int step = 0; step < 30; step++) {
      move_cloud(&all, 0.01, 0.1);
      update_scene(&all);
      check_pairs(&all);
    }
    scene_free(&all);
  }
}

/* Numbers at the end of what doubles can hold must not crash anything. */
static void particles_at_the_end_of_the_world(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 22, 1);
  double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {4.0, 4.0, 0.0};
  add_cloud(&all, 50, lower, upper, 0.1, 0.2);
  column(&all, 0)[3] = 1e300;
  column(&all, 1)[4] = -1e200;
  column(&all, 0)[5] = 1e18;
  column(&all, 0)[6] = 1e18;
  column(&all, 1)[6] = column(&all, 1)[5];
  update_scene(&all);
  check_pairs(&all);
  assert_true(find_entry(neighbors_pairs(all.near), 5, 6) >= 0);
  scene_free(&all);
}

typedef struct counting {
  size_t now, peak;
} counting;

static void *count_bytes(void *context, void *pointer, size_t old_size, size_t new_size)
{
  counting *count = context;
  count->now += new_size - old_size;
  if (count->now > count->peak) count->peak = count->now;
  return default_allocate(NULL, pointer, old_size, new_size);
}

/* One particle far away or very fast costs neither memory nor entries of the others. */
static void a_stray_particle_costs_nothing(void **state)
{
  (void)state;
  size_t peak[3];
  int64_t entries[3];
  for (int stray = 0; stray < 3; stray++) {
    scene all;
    scene_init(&all, 2, 23, 1);
    counting bytes = {0, 0};
    environment counted = all.env;
    counted.allocate = count_bytes;
    counted.allocate_context = &bytes;
    neighbors_destroy(all.near);
    assert_ok(&all.env, neighbors_create(&counted, 2, &all.near));
    double upper[3] = {60.0, 60.0, 0.0};
    add_cloud(&all, 3000, unit_lower, upper, 0.3, 0.4);
    if (stray == 1) column(&all, 0)[17] = 1e9;
    for (int64_t k = 0; k < 3000; k++) all.reach[k] = 0.01;
    if (stray == 2) all.reach[17] = 10.0;
    update_scene(&all);
    entries[stray] = neighbors_pairs(all.near)->count;
    peak[stray] = bytes.peak;
    scene_free(&all);
    assert_int_equal(bytes.now, 0);
  }
  assert_true(peak[0] < 3000 * 300);
  assert_true((double)peak[1] < 1.3 * (double)peak[0]);
  assert_true((double)peak[2] < 1.6 * (double)peak[0]);
  assert_true(entries[1] <= entries[0]);
  assert_in_range(entries[2], entries[0], entries[0] + 3000);
}

static void growth_of_reach_and_range_is_covered(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 24, 1);
  double upper[3] = {20.0, 20.0, 0.0};
  add_cloud(&all, 300, unit_lower, upper, 0.2, 0.4);
  int rebuilds = 0;
  for (int step = 0; step < 40; step++) {
    for (int64_t k = 0; k < 300; k++) all.reach[k] = k % 7 == 0 ? 0.003 * step : 0.01;
    all.range = step < 20 ? 0.1 : 0.1 + 0.02 * (step - 20);
    rebuilds += update_scene(&all);
    check_pairs(&all);
  }
  assert_in_range(rebuilds, 2, 30);
  for (int64_t k = 0; k < 300; k++) all.reach[k] = 0.0; /* what shrinks needs no new list at once */
  all.range = 0.0;
  assert_false(update_scene(&all));
  scene_free(&all);
}

static void check_same_lists(const scene *a, const scene *b)
{
  const pair_list *list = neighbors_pairs(a->near), *other = neighbors_pairs(b->near);
  assert_int_equal(list->count, other->count);
  assert_memory_equal(list->second, other->second, (size_t)list->count * sizeof *list->second);
  assert_memory_equal(list->first, other->first, (size_t)list->count * sizeof *list->first);
  assert_memory_equal(list->incoming, other->incoming, (size_t)list->count * sizeof *list->incoming);
}

static bool raise_reach(scene *all, int round, bool by_reach)
{
  bool rebuilt;
  for (int64_t k = round; k < all->table.count; k += 11) all->reach[k] *= 1.4;
  assert_ok(&all->env, (by_reach ? neighbors_update_reach : neighbors_update)(
                           all->near, &all->table, &all->obstacles, &all->box, all->reach, all->range, &rebuilt));
  return rebuilt;
}

/* Reach grows several times while particles stay where they are: nothing is missing, and whether only reach is
 * looked at makes no difference. The crowd drifts, so that now one and now the other way of theirs counts. */
static void longer_reach_needs_no_new_look_at_positions(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    scene all[2];
    int rebuilds = 0;
    for (int k = 0; k < 2; k++) {
      scene_init(&all[k], dimension, 30, 1);
      double side = dimension == 2 ? 14.0 : 6.0, upper[3] = {side, side, side};
      add_cloud(&all[k], 300, unit_lower, upper, 0.2, 0.4);
    }
    for (int step = 0; step < 60; step++) {
      for (int k = 0; k < 2; k++) {
        move_cloud(&all[k], 0.01, 0.05);
        for (int64_t i = 0; i < 300; i++) column(&all[k], 0)[i] += step % 20 < 10 ? 0.5 : 0.0;
        update_scene(&all[k]);
      }
      for (int round = 0; round < 4; round++) {
        bool rebuilt = raise_reach(&all[0], round, true);
        assert_int_equal(rebuilt, raise_reach(&all[1], round, false));
        rebuilds += rebuilt;
        check_same_lists(&all[0], &all[1]);
        check_pairs(&all[0]);
      }
    }
    assert_in_range(rebuilds, 1, 60);
    for (int k = 0; k < 2; k++) scene_free(&all[k]);
  }
}

static void a_cloud_at_rest_keeps_its_list(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 3, 25, 1);
  double upper[3] = {8.0, 8.0, 8.0};
  add_cloud(&all, 500, unit_lower, upper, 0.3, 0.4);
  for (int64_t k = 0; k < 500; k++) all.reach[k] = 0.2;
  assert_true(update_scene(&all));
  int64_t first = neighbors_pairs(all.near)->count;
  int rebuilds = 0;
  for (int step = 0; step < 3000; step++) rebuilds += update_scene(&all);
  int64_t last = neighbors_pairs(all.near)->count, needed = check_pairs(&all);
  assert_true(rebuilds < 15); /* unused margins shrink, at longer and longer intervals */
  assert_true(last < first && last <= needed + needed / 20);
  scene_free(&all);
}

static void particles_come_and_go(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 26, 1);
  assert_true(update_scene(&all));
  assert_int_equal(neighbors_pairs(all.near)->count, 0);
  double upper[3] = {6.0, 6.0, 0.0};
  for (int step = 0; step < 60; step++) {
    if (step % 10 == 0) add_cloud(&all, 20, unit_lower, upper, 0.2, 0.3);
    if (step == 35) particles_truncate(&all.table, 50);
    if (step == 45) particles_truncate(&all.table, 1);
    if (step == 47) particles_truncate(&all.table, 0);
    move_cloud(&all, 0.01, 0.02);
    bool rebuilt = update_scene(&all);
    if (step % 10 == 0 || step == 35 || step == 45 || step == 47) assert_true(rebuilt);
    check_pairs(&all);
  }
  scene_free(&all);
}

static void going_through_a_face_is_no_way(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 3, 30, 1);
  double upper[3] = {8.0, 8.0, 8.0};
  for (int a = 0; a < 3; a++) make_periodic(&all, a, 0.0, 8.0);
  add_cloud(&all, 200, unit_lower, upper, 0.2, 0.3);
  for (int64_t k = 0; k < 200; k++) all.reach[k] = 0.02;
  update_scene(&all);
  for (int a = 0; a < 3; a++) { /* there and back again, by less than the margin */
    column(&all, a)[5] = 0.001;
    neighbors_invalidate(all.near);
    update_scene(&all);
    column(&all, a)[5] = 7.999;
    assert_false(update_scene(&all));
    check_pairs(&all);
  }
  scene_free(&all);
}

static void invalidate_builds_anew(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 27, 1);
  double upper[3] = {6.0, 6.0, 0.0};
  add_cloud(&all, 100, unit_lower, upper, 0.2, 0.3);
  update_scene(&all);
  assert_false(update_scene(&all));
  for (int64_t k = 0; k < 100; k++) column(&all, 0)[k] = 6.0 - column(&all, 0)[k];
  neighbors_invalidate(all.near);
  assert_true(update_scene(&all));
  check_pairs(&all);
  scene_free(&all);
}

/* The same lists, entry by entry, at any thread count, and in the form for any processor. */
static void lists_do_not_depend_on_threads_and_processors(void **state)
{
  (void)state;
  enum { RUNS = 5 };
  static const int32_t threads[RUNS] = {1, 2, 3, 8, 1};
  scene all[RUNS];
  for (int variant = 0; variant < 4; variant++) {
    int32_t dimension = 2 + variant % 2;
    double side = dimension == 2 ? 180.0 : 34.0, upper[3] = {side, side, side};
    for (int k = 0; k < RUNS; k++) {
      scene_init(&all[k], dimension, 28, threads[k]);
      all[k].near->narrow = k == RUNS - 1;
      if (variant >= 2) make_periodic(&all[k], 0, 0.0, side);
      add_cloud(&all[k], 24000, unit_lower, upper, variant == 3 ? 0.3 : 0.1, variant == 3 ? 0.4 : 0.8);
    }
    for (int step = 0; step < 6; step++) {
      for (int k = 0; k < RUNS; k++) {
        move_cloud(&all[k], 0.02, 0.1);
        update_scene(&all[k]);
        check_same_lists(&all[k], &all[0]);
      }
    }
    for (int k = 0; k < RUNS; k++) scene_free(&all[k]);
  }
}

static void what_is_not_a_number_is_named(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 29, 1);
  double upper[3] = {6.0, 6.0, 0.0};
  add_cloud(&all, 60, unit_lower, upper, 0.2, 0.3);
  update_scene(&all);
  int64_t before = neighbors_pairs(all.near)->count;
  double *const wrong[] = {&column(&all, 0)[7], &column(&all, 1)[7], &all.reach[7]};
  static const double values[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    for (int v = 0; v < 3; v++) {
      if (k == 2 && v == 2) continue; /* a reach of -infinity is below 0, which callers may not give */
      double kept = *wrong[k];
      bool rebuilt;
      *wrong[k] = values[v];
      floc_status status =
          neighbors_update(all.near, &all.table, &all.obstacles, &all.box, all.reach, 0.0, &rebuilt);
      assert_int_equal(status, FLOC_NOT_A_NUMBER);
      assert_non_null(strstr(all.env.message, "particle 8 "));
      assert_false(rebuilt);
      assert_int_equal(neighbors_pairs(all.near)->count, before);
      *wrong[k] = kept;
      assert_false(update_scene(&all));
    }
  }
  scene_free(&all);
}

static void wrong_dimensions_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  neighbors *all = (neighbors *)&env;
  assert_int_equal(neighbors_create(&env, 4, &all), FLOC_INVALID_ARGUMENT);
  assert_null(all);
  assert_non_null(strstr(env.message, "dimension is 4"));
  neighbors_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_missing_in_open_space),
      cmocka_unit_test(nothing_is_missing_in_periodic_boxes),
      cmocka_unit_test(nothing_is_missing_between_very_different_radii),
      cmocka_unit_test(thin_periodic_boxes),
      cmocka_unit_test(pairs_across_corners),
      cmocka_unit_test(every_image_pair_once),
      cmocka_unit_test(scattered_particles),
      cmocka_unit_test(particles_at_the_end_of_the_world),
      cmocka_unit_test(a_stray_particle_costs_nothing),
      cmocka_unit_test(growth_of_reach_and_range_is_covered),
      cmocka_unit_test(longer_reach_needs_no_new_look_at_positions),
      cmocka_unit_test(a_cloud_at_rest_keeps_its_list),
      cmocka_unit_test(particles_come_and_go),
      cmocka_unit_test(going_through_a_face_is_no_way),
      cmocka_unit_test(invalidate_builds_anew),
      cmocka_unit_test(lists_do_not_depend_on_threads_and_processors),
      cmocka_unit_test(what_is_not_a_number_is_named),
      cmocka_unit_test(wrong_dimensions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
