/*
 * The re-check: a few who go beyond their covers break no list, no pair is missing all the same, and what is
 * decided follows from positions alone.
 */
#include "scenes.h"

#include "neighbors/internal.h"

typedef struct crowd {
  int32_t dimension;
  int64_t count;
  double side;
  int periodic_axes;      /* bit per axis */
  double least, greatest; /* radii */
  double shear;           /* of a motion in common */
  double slow, fast;      /* ways per update */
  int64_t fast_count;
} crowd;

enum { UPDATES = 40 };

static const crowd CROWDS[] = {
    {.dimension = 2,
     .count = 800,
     .side = 18.0,
     .least = 0.25,
     .greatest = 0.35,
     .slow = 0.001,
     .fast = 0.08,
     .fast_count = 4},
    {.dimension = 2,
     .count = 800,
     .side = 18.0,
     .periodic_axes = 3,
     .least = 0.25,
     .greatest = 0.35,
     .slow = 0.001,
     .fast = 0.08,
     .fast_count = 4},
    {.dimension = 2,
     .count = 800,
     .side = 18.0,
     .least = 0.25,
     .greatest = 0.35,
     .shear = 0.002,
     .slow = 0.001,
     .fast = 0.08,
     .fast_count = 4},
    {.dimension = 2,
     .count = 800,
     .side = 45.0,
     .least = 0.02,
     .greatest = 2.0,
     .shear = 0.001,
     .slow = 0.001,
     .fast = 0.08,
     .fast_count = 4},
    {.dimension = 3,
     .count = 800,
     .side = 8.0,
     .least = 0.25,
     .greatest = 0.35,
     .slow = 0.001,
     .fast = 0.05,
     .fast_count = 4},
    {.dimension = 3,
     .count = 800,
     .side = 8.0,
     .periodic_axes = 5,
     .least = 0.1,
     .greatest = 0.6,
     .slow = 0.001,
     .fast = 0.05,
     .fast_count = 4},
};

static void make_crowd(scene *all, const crowd *what, int32_t threads)
{
  scene_init(all, what->dimension, 31, threads);
  for (int a = 0; a < what->dimension; a++)
    if (what->periodic_axes >> a & 1) make_periodic(all, a, 0.0, what->side);
  const double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {what->side, what->side, what->side};
  add_cloud(all, what->count, lower, upper, what->least, what->greatest);
  all->range = 0.02;
}

/* No particle is fast until the list has been built for slow ones; then all move on straight. */
static void move_crowd(scene *all, const crowd *what)
{
  bool fast_now = (int64_t)all->time % 20 >= 6;
  for (int64_t i = 0; i < all->table.count; i++) {
    double g[4], y = column(all, 1)[i];
    random_normal4(all->seed, (uint64_t)all->table.id[i], (uint64_t)(all->time / 20.0), RANDOM_VELOCITY, 0, g);
    double length = sqrt(g[0] * g[0] + g[1] * g[1] + (what->dimension == 3 ? g[2] * g[2] : 0.0));
    double way = fast_now && all->table.id[i] <= what->fast_count ? what->fast : what->slow;
    for (int a = 0; a < what->dimension; a++) {
      double common = a == 0 ? what->shear * y : 0.0;
      column(all, a)[i] = domain_wrap(&all->box, a, column(all, a)[i] + common + way * g[a] / length);
    }
    all->reach[i] = 0.002;
  }
  all->time += 1.0;
}

static int64_t count_beyond(const scene *all)
{
  int64_t count = 0;
  for (int64_t i = 0; i < all->table.count; i++)
    count += effective_reach(all->reach[i], 0.5 * all->range) > all->near->cover[i];
  return count;
}

static void a_few_break_no_list(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof CROWDS / sizeof *CROWDS; k++) {
    scene all;
    make_crowd(&all, &CROWDS[k], 1);
    int kept = 0, rebuilds = 0;
    for (int n = 0; n < UPDATES; n++) {
      move_crowd(&all, &CROWDS[k]);
      bool rebuilt = update_scene(&all);
      rebuilds += rebuilt;
      kept += !rebuilt && count_beyond(&all) > 0;
      check_pairs(&all);
    }
    if (kept < 3)
      fail_msg("crowd %d: lists were kept %d times although some were beyond their covers", (int)k, kept);
    assert_in_range(rebuilds, 2, UPDATES / 2);
    scene_free(&all);
  }
}

/* A lattice without neighbours. */
static void make_lattice(scene *all)
{
  scene_init(all, 2, 3, 1);
  const double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {1.0, 1.0, 0.0};
  add_cloud(all, 400, lower, upper, 0.1, 0.1);
  for (int64_t i = 0; i < 400; i++) {
    column(all, 0)[i] = (double)(i % 20);
    column(all, 1)[i] = (double)(i / 20);
    all->reach[i] = 0.01;
  }
}

/* A hundredth may go too far, one more is too many. */
static void many_break_a_list(void **state)
{
  (void)state;
  for (int count = 3; count <= 6; count++) {
    scene all;
    make_lattice(&all);
    assert_true(update_scene(&all));
    for (int k = 0; k < count; k++) column(&all, 0)[67 * k] += 0.2;
    assert_int_equal(update_scene(&all), count > 4);
    if (count <= 4) assert_int_equal(count_beyond(&all), count);
    scene_free(&all);
  }
}

/* A pair comes near that was far when the list was made: one of them moves, or both, in a crowd that rests or
 * drifts.
 */
static void strangers_make_a_list(void **state)
{
  (void)state;
  for (int both = 0; both < 2; both++) {
    for (int drifts = 0; drifts < 2; drifts++) {
      scene all;
      make_lattice(&all);
      column(&all, 0)[0] = -3.05;
      column(&all, 1)[0] = 1.0; /* the row of slot 20 */
      if (both) column(&all, 0)[20] = -9.0;
      for (int64_t i = 0; i < 400; i++) all.reach[i] = 0.2;
      assert_true(update_scene(&all));
      for (int updates = 1; updates <= 9; updates++) {
        for (int64_t i = 0; i < 400; i++) column(&all, 1)[i] += 0.37 * drifts;
        column(&all, 0)[0] += both ? -0.3 : 0.3;
        if (both) column(&all, 0)[20] += 0.3;
        assert_int_equal(update_scene(&all), updates == 9);
        assert_int_equal(check_pairs(&all), updates == 9);
      }
      assert_true(find_entry(neighbors_pairs(all.near), 0, 20) >= 0);
      scene_free(&all);
    }
  }
}

/* All is pressed together along x, which is a motion in common; but two large ones come to be needed by it. */
static void strain_counts(void **state)
{
  (void)state;
  scene all;
  make_lattice(&all);
  for (int64_t i = 0; i < 400; i++) all.table.column[COLUMN_radius][i] = i < 2 ? 1.0 : 0.01;
  column(&all, 0)[0] = -10.0;
  column(&all, 0)[1] = -10.0 + 2.0601; /* 2 (radius + bound) is 2.06 */
  assert_true(update_scene(&all));
  assert_int_equal(neighbors_pairs(all.near)->count, 0);
  for (int64_t i = 0; i < 400; i++) column(&all, 0)[i] *= 0.97;
  assert_true(update_scene(&all));
  assert_int_equal(check_pairs(&all), 1);
  scene_free(&all);
}

/* A list that was just made has nothing to do with the common motion before it: longer reach at the same positions
 * is looked at without. */
static void longer_reach_after_a_new_list(void **state)
{
  (void)state;
  scene all;
  make_lattice(&all);
  assert_true(update_scene(&all));
  for (int64_t i = 0; i < 400; i++) column(&all, 0)[i] += 5.0;
  for (int k = 0; k < 6; k++) column(&all, 1)[67 * k] += 0.2; /* too many: a new list, in a crowd that moves */
  assert_true(update_scene(&all));
  assert_int_equal(check_pairs(&all), 0);
  all.reach[210] = 0.9; /* to its neighbours in the lattice */
  bool rebuilt;
  assert_ok(&all.env,
            neighbors_update_reach(all.near, &all.table, &all.obstacles, &all.box, all.reach, all.range, &rebuilt));
  assert_int_equal(check_pairs(&all), 4);
  assert_true(rebuilt);
  scene_free(&all);
}

/* ---- decisions ---- */

/* What is no state: the grid, covers, which test comes first. */
static void forget(neighbors *near)
{
  near->grid_stands = near->covered = false;
  near->moved_in_common = !near->moved_in_common;
}

static void assert_same_lists(const scene *left, const scene *right)
{
  const pair_list *a = neighbors_pairs(left->near), *b = neighbors_pairs(right->near);
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->first, b->first, (size_t)a->count * sizeof *a->first);
  assert_memory_equal(a->second, b->second, (size_t)a->count * sizeof *a->second);
}

static void decisions_follow_from_positions(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof CROWDS / sizeof *CROWDS; k++) {
    scene one, other;
    make_crowd(&one, &CROWDS[k], 1);
    make_crowd(&other, &CROWDS[k], 3);
    for (int n = 0; n < UPDATES; n++) {
      move_crowd(&one, &CROWDS[k]);
      move_crowd(&other, &CROWDS[k]);
      forget(other.near);
      assert_int_equal(update_scene(&one), update_scene(&other));
      for (int64_t i = 0; i < one.table.count; i++) one.reach[i] = other.reach[i] = 0.004;
      bool longer[2];
      scene *const both[2] = {&one, &other};
      for (int s = 0; s < 2; s++) {
        scene *all = both[s];
        if (s == 1 && n % 3 == 0) forget(all->near);
        assert_ok(&all->env, neighbors_update_reach(all->near, &all->table, &all->obstacles, &all->box, all->reach,
                                                    all->range, &longer[s]));
      }
      assert_int_equal(longer[0], longer[1]);
      assert_same_lists(&one, &other);
      check_pairs(&one);
    }
    scene_free(&one);
    scene_free(&other);
  }
}

/* ---- wrong numbers, no memory ---- */

static void a_lost_particle_is_named(void **state)
{
  (void)state;
  for (int infinite = 0; infinite < 2; infinite++) {
    scene all;
    make_crowd(&all, &CROWDS[0], 1);
    update_scene(&all);
    column(&all, 0)[7] = infinite ? INFINITY : NAN;
    bool rebuilt;
    assert_int_equal(
        neighbors_update(all.near, &all.table, &all.obstacles, &all.box, all.reach, all.range, &rebuilt),
        FLOC_NOT_A_NUMBER);
    assert_non_null(strstr(all.env.message, "particle 8 "));
    scene_free(&all);
  }
}

static void *refuse_all(void *context, void *pointer, size_t old_size, size_t new_size)
{
  const bool *refuses = context;
  return *refuses && new_size > 0 ? NULL : default_allocate(NULL, pointer, old_size, new_size);
}

/* The grid cannot be made again: a new list is wanted, which fails as well; both are made later. */
static void without_memory_the_list_stays(void **state)
{
  (void)state;
  const crowd *what = &CROWDS[0];
  scene all, copy;
  make_crowd(&all, what, 1);
  make_crowd(&copy, what, 1);
  bool refuses = false, rebuilt;
  all.env.allocate = refuse_all;
  all.env.allocate_context = &refuses;
  int refused = 0;
  for (int n = 0; n < UPDATES; n++) {
    move_crowd(&all, what);
    move_crowd(&copy, what);
    bool expected = update_scene(&copy);
    if (!expected && count_beyond(&copy) > 0) {
      grid_free(&all.near->cells, &all.env);
      all.near->grid_stands = all.near->covered = false;
      refuses = true;
      assert_int_equal(
          neighbors_update(all.near, &all.table, &all.obstacles, &all.box, all.reach, all.range, &rebuilt),
          FLOC_OUT_OF_MEMORY);
      assert_same_lists(&all, &copy);
      refuses = false;
      refused++;
    }
    assert_int_equal(update_scene(&all), expected);
    assert_same_lists(&all, &copy);
    all.near->skin.age = copy.near->skin.age; /* the update that failed is not counted */
  }
  assert_true(refused > 3);
  scene_free(&all);
  scene_free(&copy);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_few_break_no_list),           cmocka_unit_test(many_break_a_list),
      cmocka_unit_test(strangers_make_a_list),         cmocka_unit_test(strain_counts),
      cmocka_unit_test(longer_reach_after_a_new_list), cmocka_unit_test(decisions_follow_from_positions),
      cmocka_unit_test(a_lost_particle_is_named),      cmocka_unit_test(without_memory_the_list_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
