/*
 * Merges of clusters: histories of a random partition against a count of clusters, of sizes and of masses by hand,
 * the streams of both ballistic schemes, wrong calls, checkpoints in the middle of a record.
 */
#include "failing_allocator.h"
#include "support_world.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAMES = 17, ROWS = 4000 };
static const char *const names[NAMES] = {"time",   "change", "id_i", "id_j", "size_i",  "size_j",
                                         "mass_i", "mass_j", "x",    "y",    "vx_i",    "vy_i",
                                         "vx_j",   "vy_j",   "vx",   "vy",   "normal_x"};
enum { TIME, CHANGE, ID_I, ID_J, SIZE_I, SIZE_J, MASS_I, MASS_J, X, Y, VX_I, VY_I, VX_J, VY_J, VX, VY, NORMAL_X };
typedef struct row {
  double number[NAMES];
} row;

static floc_merge_summary look(floc_world *world, floc_merge_options options, row *rows)
{
  floc_merge_summary summary;
  floc_merge_summary_init(&summary);
  assert_world_ok(world, floc_world_find_merges(world, &options, &summary));
  double *columns[NAMES];
  int64_t count;
  for (int k = 0; k < NAMES; k++) columns[k] = &rows[0].number[k];
  assert_world_ok(world, floc_world_get_merges(world, names, NAMES, columns, sizeof *rows, ROWS, &count));
  assert_int_equal(count, summary.found);
  assert_int_equal(summary.clusters, summary.start - summary.merges + summary.splits + summary.outside);
  return summary;
}

static floc_merge_options by_gap(double gap, double apart)
{
  floc_merge_options options;
  floc_merge_options_init(&options);
  options.rule = FLOC_CLUSTER_GAP;
  options.gap = gap;
  options.apart = apart;
  return options;
}

static int64_t clusters_now(floc_world *world, double gap)
{
  floc_cluster_summary summary;
  floc_cluster_summary_init(&summary);
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_GAP, gap, NULL, &summary));
  return summary.count;
}

/* Three in a row become one, the last leaves again; velocities and places by hand. */
static void three_become_one(void **state)
{
  (void)state;
  static row rows[ROWS];
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  add_particle(world, 1, 0, 0, 0, 0.1);
  add_particle(world, 2, 0, 0, 0, 0.1);
  double *x, *vx, *mass;
  int64_t count;
  assert_world_ok(world, floc_column(world, "x", &x, &count));
  assert_world_ok(world, floc_column(world, "vx", &vx, &count));
  assert_world_ok(world, floc_column(world, "mass", &mass, &count));
  mass[0] = 1, mass[1] = 2, mass[2] = 3;
  vx[0] = 7, vx[1] = -2, vx[2] = 1;
  floc_merge_summary found = look(world, by_gap(0.01, 0.0), rows);
  assert_int_equal(found.start, 3);
  assert_int_equal(found.found, 0);
  x[0] = 0.8, x[2] = 1.2, vx[0] = 0, vx[1] = 0, vx[2] = 4;
  found = look(world, by_gap(0.01, 0.0), rows);
  assert_int_equal(found.found, 2);
  assert_int_equal(found.merges, 2);
  assert_int_equal(found.clusters, 1);
  const double first[NAMES] = {0, -1, 1, 2, 1, 1, 1, 2, 0.9, 0, 7, 0, -2, 0, 0, 0, 1};
  const double second[NAMES] = {0, -1, 2, 3, 2, 1, 3, 3, 1.1, 0, 1, 0, 1, 0, 2, 0, 1};
  for (int k = 0; k < NAMES; k++) {
    assert_close(rows[0].number[k], first[k], 1e-15);
    assert_close(rows[1].number[k], second[k], 1e-15);
  }
  x[2] = 1.3, vx[2] = 5;
  found = look(world, by_gap(0.01, 0.0), rows);
  assert_int_equal(found.splits, 1);
  assert_int_equal(found.clusters, 2);
  const double third[NAMES] = {0, 1, 2, 3, 2, 1, 3, 3, 1.15, 0, 0, 0, 5, 0, 2, 0, 1};
  for (int k = 0; k < NAMES; k++) assert_close(rows[0].number[k], third[k], 1e-15);
  found = look(world, by_gap(0.01, 0.0), rows);
  assert_int_equal(found.found, 0);
  floc_world_destroy(world);
}

static void joined_pairs_stay_until_they_are_apart(void **state)
{
  (void)state;
  static row rows[ROWS];
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  add_particle(world, 0.24, 0, 0, 0, 0.1);
  double *x;
  int64_t count;
  assert_world_ok(world, floc_column(world, "x", &x, &count));
  const floc_merge_options options = by_gap(0.01, 0.05);
  const double place[] = {0.24, 0.205, 0.24, 0.249, 0.26, 0.24, 0.2};
  const int clusters[] = {2, 1, 1, 1, 2, 2, 1};
  for (int k = 0; k < 7; k++) {
    x[1] = place[k];
    assert_int_equal(look(world, options, rows).clusters, clusters[k]);
  }
  floc_world_destroy(world);
}

enum { COUNT = 300 };

/* Clusters counted by floc_clusters: number of each particle, and by number the particles and their mass. */
typedef struct partition {
  int64_t of[COUNT], size[COUNT + 1];
  double mass[COUNT + 1];
} partition;

static void find_partition(floc_world *world, partition *found)
{
  floc_cluster_summary summary;
  floc_cluster_summary_init(&summary);
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_GAP, 0.01, found->of, &summary));
  double *mass;
  int64_t n;
  assert_world_ok(world, floc_column(world, "mass", &mass, &n));
  memset(found->size, 0, sizeof found->size);
  memset(found->mass, 0, sizeof found->mass);
  for (int k = 0; k < COUNT; k++) {
    found->size[found->of[k]]++;
    found->mass[found->of[k]] += mass[k];
  }
}

/* Both particles of a row are in one cluster of the partition, all of which the row's two parts are. */
static bool is_whole(const partition *all, const double *r)
{
  const int64_t number = all->of[(int)r[ID_I] - 1];
  assert_int_equal(number, all->of[(int)r[ID_J] - 1]);
  const bool whole = (int64_t)(r[SIZE_I] + r[SIZE_J]) == all->size[number];
  if (whole) assert_close(r[MASS_I] + r[MASS_J], all->mass[number], 1e-12);
  return whole;
}

static void shake(floc_world *world, uint32_t *random)
{
  for (int axis = 0; axis < 2; axis++) {
    double *x;
    int64_t n;
    assert_world_ok(world, floc_column(world, axis == 0 ? "x" : "y", &x, &n));
    for (int k = 0; k < n; k++) {
      *random = *random * 1664525u + 1013904223u;
      x[k] += 0.02 * ((*random >> 8) / 16777216.0 - 0.5);
    }
  }
}

/* Rows come apart first, the whole cluster of then before its parts; then they merge, until clusters of now are
 * whole. */
static void check_rows(const row *rows, int64_t count, const partition *before, const partition *now)
{
  static bool was_whole[COUNT + 1], is_done[COUNT + 1];
  memset(was_whole, 0, sizeof was_whole);
  memset(is_done, 0, sizeof is_done);
  bool merges = false;
  for (int64_t k = 0; k < count; k++) {
    const double *r = rows[k].number;
    assert_true(r[ID_I] < r[ID_J]);
    assert_true(r[CHANGE] < 0 || !merges);
    merges = r[CHANGE] < 0;
    if (merges) {
      bool *done = &is_done[now->of[(int)r[ID_I] - 1]];
      assert_false(*done);
      *done = is_whole(now, r);
    } else {
      bool *whole = &was_whole[before->of[(int)r[ID_I] - 1]];
      assert_int_equal(is_whole(before, r), !*whole);
      *whole = true;
    }
  }
  for (int64_t k = 0; k < count; k++)
    if (rows[k].number[CHANGE] < 0) assert_true(is_done[now->of[(int)rows[k].number[ID_I] - 1]]);
}

static void histories_add_up(void **state)
{
  (void)state;
  static row rows[ROWS];
  static partition before, now;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  insert_box(world, COUNT, 0, 0, 1, 1, 0.008, 0.02);
  uint32_t random = 7;
  floc_merge_summary last = look(world, by_gap(0.01, 0.0), rows);
  find_partition(world, &before);
  for (int turn = 0; turn < 40; turn++) {
    shake(world, &random);
    find_partition(world, &now);
    const floc_merge_summary found = look(world, by_gap(0.01, 0.0), rows);
    assert_int_equal(found.outside, 0);
    assert_int_equal(found.clusters, clusters_now(world, 0.01));
    check_rows(rows, found.found, &before, &now);
    assert_int_equal(found.found, found.merges - last.merges + found.splits - last.splits);
    before = now;
    last = found;
  }
  assert_true(last.merges > 100 && last.splits > 100);
  floc_world_destroy(world);
}

static void particles_that_come_and_go_are_outside(void **state)
{
  (void)state;
  static row rows[ROWS];
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  for (int k = 0; k < 5; k++) add_particle(world, 0.2 * k, 0, 0, 0, 0.1);
  assert_int_equal(look(world, by_gap(0.01, 0.0), rows).start, 1);
  add_particle(world, 5, 0, 0, 0, 0.1);    /* alone: +1 */
  add_particle(world, -0.2, 0, 0, 0, 0.1); /* +1, and merges at once */
  floc_merge_summary found = look(world, by_gap(0.01, 0.0), rows);
  assert_int_equal(found.outside, 2);
  assert_int_equal(found.merges, 1);
  assert_int_equal(found.clusters, 2);
  const int64_t middle = 3, far = 6;
  assert_world_ok(world, floc_particles_remove(world, &middle, 1)); /* the chain is two now: +1 */
  assert_world_ok(world, floc_particles_remove(world, &far, 1));    /* -1 */
  found = look(world, by_gap(0.01, 0.0), rows);
  assert_int_equal(found.outside, 2);
  assert_int_equal(found.found, 0);
  assert_int_equal(found.clusters, 2);
  floc_world_destroy(world);
}

static floc_world *gas(int scheme, uint64_t seed)
{
  floc_world *world = make_world(2, 0.05, 0.0, 1);
  insert_box(world, 200, 0, 0, 1, 1, 0.008, 0.012);
  floc_ballistic_options ballistic;
  floc_ballistic_options_init(&ballistic);
  ballistic.rigid = scheme == 1;
  floc_event_driven_options events;
  floc_event_driven_options_init(&events);
  assert_world_ok(world, scheme == 2 ? floc_world_set_event_driven(world, &events)
                                     : floc_world_set_ballistic(world, &ballistic));
  double *vx, *vy;
  int64_t count;
  assert_world_ok(world, floc_column(world, "vx", &vx, &count));
  assert_world_ok(world, floc_column(world, "vy", &vy, &count));
  for (int k = 0; k < count; k++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    vx[k] = (double)(seed >> 40) / 16777216.0 - 0.5;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    vy[k] = (double)(seed >> 40) / 16777216.0 - 0.5;
  }
  return world;
}

/* Every merge is written, once, at its time, and keeps momentum; the record continues from a checkpoint in its
 * middle. */
static void streams_are_whole(void **state)
{
  (void)state;
  static row rows[ROWS], again[ROWS];
  floc_merge_options options;
  floc_merge_options_init(&options);
  for (int scheme = 0; scheme < 3; scheme++) {
    floc_world *world = gas(scheme, 3);
    floc_merge_summary found = look(world, options, rows);
    assert_int_equal(found.start, 200);
    for (int k = 0; k < 20; k++) assert_world_ok(world, floc_world_step(world));
    char path[] = "/tmp/floc_merges_XXXXXX";
    close(mkstemp(path));
    unlink(path);
    assert_world_ok(world, floc_world_save(world, path, 1));
    floc_world *other = gas(scheme, 4);
    assert_world_ok(other, floc_world_load(other, path));
    for (int k = 0; k < 20; k++) {
      assert_world_ok(world, floc_world_step(world));
      assert_world_ok(other, floc_world_step(other));
    }
    found = look(world, options, rows);
    assert_true(found.merges > 40);
    assert_int_equal(found.outside, 0);
    assert_int_equal(look(other, options, again).found, found.found);
    assert_memory_equal(rows, again, (size_t)found.found * sizeof *rows);
    double last = 0.0;
    for (int64_t k = 0; k < found.found; k++) {
      const double *r = rows[k].number;
      assert_true(r[TIME] >= last);
      last = r[TIME];
      assert_close(r[MASS_I] * r[VX_I] + r[MASS_J] * r[VX_J], (r[MASS_I] + r[MASS_J]) * r[VX], 1e-15);
      assert_close(r[MASS_I] * r[VY_I] + r[MASS_J] * r[VY_J], (r[MASS_I] + r[MASS_J]) * r[VY], 1e-15);
    }
    unlink(path);
    floc_world_destroy(other);
    floc_world_destroy(world);
  }
}

static void histories_continue_from_checkpoints(void **state)
{
  (void)state;
  static row rows[ROWS], again[ROWS];
  floc_world *world = gas(2, 5), *other = gas(2, 6);
  look(world, by_gap(0.002, 0.004), rows);
  for (int k = 0; k < 10; k++) assert_world_ok(world, floc_world_step(world));
  look(world, by_gap(0.002, 0.004), rows);
  for (int k = 0; k < 3; k++) assert_world_ok(world, floc_world_step(world));
  char path[] = "/tmp/floc_merges_XXXXXX";
  close(mkstemp(path));
  unlink(path);
  assert_world_ok(world, floc_world_save(world, path, 1));
  assert_world_ok(other, floc_world_load(other, path));
  for (int k = 0; k < 20; k++) {
    assert_world_ok(world, floc_world_step(world));
    assert_world_ok(other, floc_world_step(other));
  }
  const floc_merge_summary found = look(world, by_gap(0.002, 0.004), rows);
  assert_true(found.found > 20);
  look(other, by_gap(0.002, 0.004), again);
  assert_memory_equal(rows, again, (size_t)found.found * sizeof *rows);
  unlink(path);
  floc_world_destroy(other);
  floc_world_destroy(world);
}

/* Each request for memory fails once: by gap and, under the event-driven scheme, by links, with the steps between.
 * What failed is done again, and the rows are those of a run in which nothing failed. */
static void scene_without_memory(bool by_links, int64_t refused, row *rows, int64_t *count, int64_t *calls)
{
  failing_allocator counter = {.refused = 0};
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 0.1;
  options.threads = 1;
  options.allocate = failing_allocate;
  options.allocate_context = &counter;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_event_driven_options events;
  floc_event_driven_options_init(&events);
  assert_world_ok(world, floc_world_set_event_driven(world, &events));
  uint32_t random = 5;
  for (int k = 0; k < 16; k++) {
    double number[4];
    for (int n = 0; n < 4; n++) number[n] = (random = random * 1664525u + 1013904223u) / 4294967296.0 - 0.5;
    add_particle(world, 0.5 * (k % 4) + 0.2 * number[0], 0.5 * (k / 4) + 0.2 * number[1],
                 0.7 - 0.37 * (k % 4) + number[2], 0.5 - 0.4 * (k / 4) + number[3], 0.1);
  }
  floc_merge_options how = by_gap(0.05, 0.1);
  if (by_links) floc_merge_options_init(&how);
  floc_merge_summary summary;
  floc_merge_summary_init(&summary);
  int64_t failures = 0;
  counter.calls = 0;
  counter.refused = refused;
  for (int turn = 0; turn < 3; turn++) {
    floc_status status;
    do {
      status = floc_world_find_merges(world, &how, &summary);
      failures += status != FLOC_OK;
      assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
    } while (status != FLOC_OK);
    for (int k = 0; k < 4 && turn < 2; k++) {
      do {
        status = floc_world_step(world);
        failures += status != FLOC_OK;
        assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
      } while (status != FLOC_OK);
    }
  }
  *calls = counter.calls;
  counter.refused = 0;
  assert_true(failures <= 1);
  assert_int_equal(summary.outside, 0);
  double *columns[NAMES];
  for (int k = 0; k < NAMES; k++) columns[k] = &rows[0].number[k];
  assert_world_ok(world, floc_world_get_merges(world, names, NAMES, columns, sizeof *rows, ROWS, count));
  floc_world_destroy(world);
  assert_int_equal(counter.bytes, 0);
}

static void memory_may_run_out(void **state)
{
  (void)state;
  static row rows[ROWS], again[ROWS];
  for (int by_links = 0; by_links < 2; by_links++) {
    int64_t count, calls, found, unused;
    scene_without_memory(by_links, 0, rows, &count, &calls);
    assert_true(count > 0 && calls > 10);
    for (int64_t refused = 1; refused <= calls; refused++) {
      scene_without_memory(by_links, refused, again, &found, &unused);
      assert_int_equal(found, count);
      for (int64_t k = 0; k < count; k++) /* a step that failed builds its clusters again, with other last bits */
        for (int n = 0; n < NAMES; n++) assert_close(again[k].number[n], rows[k].number[n], 1e-12);
    }
  }
}

static void wrong_calls_are_refused(void **state)
{
  (void)state;
  static row rows[ROWS];
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  floc_merge_options options;
  floc_merge_summary summary;
  floc_merge_options_init(&options);
  floc_merge_summary_init(&summary);
  int64_t count;
  assert_int_equal(floc_world_get_merges(world, names, 1, NULL, 0, 0, &count), FLOC_WRONG_STATE);
  assert_int_equal(floc_world_find_merges(world, &options, &summary), FLOC_NOT_SUPPORTED);
  options.gap = 1.0;
  assert_int_equal(floc_world_find_merges(world, &options, &summary), FLOC_INVALID_ARGUMENT);
  options = by_gap(0.1, 0.05);
  assert_int_equal(floc_world_find_merges(world, &options, &summary), FLOC_INVALID_ARGUMENT);
  options = by_gap(-0.1, 0.0);
  assert_int_equal(floc_world_find_merges(world, &options, &summary), FLOC_INVALID_ARGUMENT);
  options.rule = 7;
  assert_int_equal(floc_world_find_merges(world, &options, &summary), FLOC_INVALID_ARGUMENT);
  look(world, by_gap(0.1, 0.0), rows);
  options = by_gap(0.2, 0.0);
  assert_int_equal(floc_world_find_merges(world, &options, &summary), FLOC_WRONG_STATE);
  assert_non_null(strstr(floc_world_message(world), "gap 0.1"));
  const char *unknown = "speed";
  assert_int_equal(floc_world_get_merges(world, &unknown, 1, NULL, 0, 0, &count), FLOC_NOT_FOUND);
  assert_non_null(strstr(floc_world_message(world), "id_i, id_j"));
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_become_one),   cmocka_unit_test(joined_pairs_stay_until_they_are_apart),
      cmocka_unit_test(histories_add_up),   cmocka_unit_test(particles_that_come_and_go_are_outside),
      cmocka_unit_test(streams_are_whole),  cmocka_unit_test(histories_continue_from_checkpoints),
      cmocka_unit_test(memory_may_run_out), cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
