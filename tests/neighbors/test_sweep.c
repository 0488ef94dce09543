/*
 * Lists of swept pairs against a double loop: they hold what may touch, and nothing else; and what follows when
 * the crowd has become slow again.
 */
#include "neighbors/scenes.h"

#include "failing_allocator.h"

typedef struct swept_scene {
  scene all;
  pair_sweep sweep;
  double *column[5]; /* way, deviation, wall_reach */
} swept_scene;

static const double lower[3] = {0.0, 0.0, 0.0};

static void make_swept(swept_scene *swept, int32_t dimension, bool periodic, double greatest, int32_t threads,
                       uint64_t seed)
{
  double side = dimension == 2 ? 4.0 : 1.2, upper[3] = {side, side, side};
  scene_init(&swept->all, dimension, seed, threads);
  if (periodic)
    for (int a = 0; a < dimension; a++) make_periodic(&swept->all, a, 0.0, side);
  add_cloud(&swept->all, 1000, lower, upper, 0.01, greatest);
  for (int k = 0; k < 5; k++) {
    swept->column[k] = malloc((size_t)swept->all.table.count * sizeof(double));
    assert_non_null(swept->column[k]);
  }
  swept->sweep = (pair_sweep){
      {swept->column[0], swept->column[1], swept->column[2]}, swept->column[3], swept->column[4], NULL};
}

static void free_swept(swept_scene *swept)
{
  for (int k = 0; k < 5; k++) free(swept->column[k]);
  scene_free(&swept->all);
}

/* The upper half falls by `way`, and all tremble a little; reach covers the difference for everybody. */
static void let_fall(swept_scene *swept, double way)
{
  scene *all = &swept->all;
  for (int64_t i = 0; i < all->table.count; i++) {
    double own = 0.0;
    for (int a = 0; a < all->dimension; a++) {
      swept->column[a][i] = draw(all, -0.004, 0.004) - (a == 1 && column(all, 1)[i] > 0.6 ? way : 0.0);
      own += swept->column[a][i] * swept->column[a][i];
    }
    swept->column[3][i] = draw(all, 0.0, 0.01);
    swept->column[4][i] = swept->column[3][i] + sqrt(own);
    all->reach[i] = swept->column[3][i] + sqrt(own);
  }
}

/* The least distance along the ways, from many moments of the step and the nearest of them refined. */
static double nearest_on_the_way(const swept_scene *swept, int64_t i, int64_t j)
{
  const scene *all = &swept->all;
  double low = 0.0, high = 1.0;
  double distance[2] = {0.0, 0.0};
  for (int round = 0; round < 60; round++) { /* the square of the distance is convex in time */
    double time[2] = {low + (high - low) / 3.0, high - (high - low) / 3.0};
    for (int k = 0; k < 2; k++) {
      double square = 0.0;
      for (int a = 0; a < all->dimension; a++) {
        double apart = domain_shortest(&all->box, a, column(all, a)[j] - column(all, a)[i]) +
                       time[k] * (swept->column[a][j] - swept->column[a][i]);
        square += apart * apart;
      }
      distance[k] = sqrt(square);
    }
    if (distance[0] < distance[1])
      high = time[1];
    else
      low = time[0];
  }
  return fmin(distance[0], distance[1]);
}

/* 1: yes, 0: no, -1: too close to say. */
static int may_touch(const swept_scene *swept, int64_t i, int64_t j)
{
  const scene *all = &swept->all;
  const double *radius = all->table.column[COLUMN_radius];
  double gap = gap_between(all, i, j), most = swept->column[3][i] + swept->column[3][j];
  if (gap <= all->range) return 1;
  double way = 0.0;
  for (int a = 0; a < all->dimension; a++)
    way += (swept->column[a][i] - swept->column[a][j]) * (swept->column[a][i] - swept->column[a][j]);
  if (gap > most + sqrt(way)) return 0;
  double nearest = nearest_on_the_way(swept, i, j) - radius[i] - radius[j] - most;
  return fabs(nearest) < 1e-7 ? -1 : nearest < 0.0;
}

static void update_swept(swept_scene *swept)
{
  scene *all = &swept->all;
  assert_ok(&all->env, neighbors_update_swept(all->near, &all->table, &all->obstacles, &all->box, all->reach,
                                              all->range, &swept->sweep));
}

static int64_t check_swept(const swept_scene *swept)
{
  const scene *all = &swept->all;
  const pair_list *list = neighbors_pairs(all->near);
  int64_t needed = 0;
  check_rows(list, all->table.count, all->table.count, true);
  check_incoming(list, all->table.count);
  for (int64_t i = 0; i < all->table.count; i++)
    for (int64_t j = i + 1; j < all->table.count; j++) {
      bool listed = find_entry(list, i, j) >= 0;
      int needs = may_touch(swept, i, j);
      if (needs >= 0 && listed != needs) fail_msg("pair %d %d: listed %d", (int)i, (int)j, listed);
      needed += listed;
    }
  return needed;
}

static void check_swept_walls(const swept_scene *swept)
{
  const scene *all = &swept->all;
  int64_t found = 0;
  for (int64_t i = 0; i < all->table.count; i++)
    for (int32_t k = 0; k < all->obstacles.shape_count; k++) {
      bool needed = wall_distance(all, i, k) <= swept->column[4][i];
      bool listed = find_entry(neighbors_walls(all->near), i, k) >= 0;
      if (needed != listed) fail_msg("particle %d and shape %d: listed %d", (int)i, (int)k, listed);
      found += needed;
    }
  assert_true(found > 0);
}

static void swept_lists_hold_what_may_touch(void **state)
{
  (void)state;
  for (int kind = 0; kind < 8; kind++) {
    swept_scene swept;
    make_swept(&swept, 2 + kind % 2, kind / 2 % 2, kind < 4 ? 0.02 : 0.3, 1 + kind % 2, (uint64_t)kind);
    floc_body_options fixed = {.motion = FLOC_MOTION_FIXED};
    double depth = swept.all.dimension == 3 ? 0.5 : 0.0;
    int32_t floor = add_body(&swept.all, fixed);
    add_shape(&swept.all, floor,
              (floc_shape){.kind = FLOC_SHAPE_SPHERE, .radius = 0.2, .points = {{0.5, 0.3, depth}}});
    for (int step = 0; step < 3; step++) {
      assert_ok(&swept.all.env, bodies_prepare(&swept.all.obstacles, 0.0, 1.0));
      let_fall(&swept, 0.2 + 0.1 * step);
      swept.all.range = step == 1 ? 0.01 : 0.0;
      update_swept(&swept);
      assert_true(check_swept(&swept) > 50);
      if (kind / 2 % 2 == 0) check_swept_walls(&swept);
    }
    free_swept(&swept);
  }
}

/* A list of swept pairs serves an ordinary update that asks for no more than the deviations; one that asks for more
 * makes its own. */
static void ordinary_lists_follow(void **state)
{
  (void)state;
  swept_scene swept;
  make_swept(&swept, 2, false, 0.03, 1, 11);
  let_fall(&swept, 0.3);
  update_swept(&swept);
  memcpy(swept.all.reach, swept.column[3], (size_t)swept.all.table.count * sizeof(double));
  assert_false(update_scene(&swept.all));
  assert_true(check_pairs(&swept.all) > 100);
  check_walls(&swept.all);
  for (int step = 0; step < 20; step++) {
    move_cloud(&swept.all, 0.002, 0.02);
    update_scene(&swept.all);
    check_pairs(&swept.all);
    if (step % 5 != 4) continue;
    let_fall(&swept, 0.3);
    update_swept(&swept);
    check_swept(&swept);
  }
  free_swept(&swept);
}

/* Memory of pairs that stay is kept, and nothing happens to lists when memory is refused. */
static void memory_is_kept_and_refusals_change_nothing(void **state)
{
  (void)state;
  swept_scene swept;
  failing_allocator counter;
  make_swept(&swept, 2, false, 0.03, 1, 12);
  int32_t index;
  assert_ok(&swept.all.env, neighbors_add_memory(swept.all.near, "mark", &index));
  let_fall(&swept, 0.01);
  update_swept(&swept);
  const pair_list *list = neighbors_pairs(swept.all.near);
  for (int64_t k = 0; k < list->count; k++) list->memory[index][k] = 1.0 + list->first[k];
  int64_t before = list->count;
  let_fall(&swept, 0.4);
  counter = (failing_allocator){0};
  swept.all.env.allocate = failing_allocate;
  swept.all.env.allocate_context = &counter;
  floc_status status = FLOC_OUT_OF_MEMORY;
  for (int64_t refused = 1; status == FLOC_OUT_OF_MEMORY; refused++) {
    counter.calls = 0;
    counter.refused = refused;
    status = neighbors_update_swept(swept.all.near, &swept.all.table, NULL, &swept.all.box, swept.all.reach, 0.0,
                                    &swept.sweep);
    if (status == FLOC_OUT_OF_MEMORY) assert_int_equal(list->count, before);
  }
  assert_int_equal(status, FLOC_OK);
  check_swept(&swept);
  int64_t kept = 0;
  for (int64_t k = 0; k < list->count; k++) {
    double mark = list->memory[index][k];
    assert_true(mark == 0.0 || mark == 1.0 + list->first[k]);
    kept += mark != 0.0;
  }
  assert_true(kept > 0 && kept < list->count);
  swept.column[0][7] = NAN;
  swept.all.reach[7] = NAN;
  assert_int_equal(neighbors_update_swept(swept.all.near, &swept.all.table, NULL, &swept.all.box, swept.all.reach,
                                          0.0, &swept.sweep),
                   FLOC_NOT_A_NUMBER);
  free_swept(&swept);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(swept_lists_hold_what_may_touch),
      cmocka_unit_test(ordinary_lists_follow),
      cmocka_unit_test(memory_is_kept_and_refusals_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
