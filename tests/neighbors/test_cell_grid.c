/*
 * The grid that grows point by point, compared with a plain loop.
 */
#include "scenes.h"

static const double unit_lower[3] = {0.0, 0.0, 0.0};

enum { POINTS = 600 };

typedef struct visits {
  int count[POINTS];
  double separation[POINTS][3];
  int64_t order[POINTS];
  int total, stop_after;
} visits;

static bool note_visit(void *context, int64_t number, const double separation[3], double radius)
{
  visits *all = context;
  assert_true(number >= 0 && number < POINTS);
  assert_true(radius == 0.25 + (double)number);
  all->count[number]++;
  memcpy(all->separation[number], separation, sizeof all->separation[number]);
  all->order[all->total % POINTS] = number;
  all->total++;
  return all->total != all->stop_after;
}

/* Everything within the distance is visited, and nothing twice. */
static void check_visits(int32_t dimension, int periodic_axes, double side, double cell, double distance)
{
  environment env = test_environment(1);
  scene all;
  scene_init(&all, dimension, 51, 1);
  double upper[3] = {side, side, side};
  for (int a = 0; a < dimension; a++)
    if (periodic_axes >> a & 1) make_periodic(&all, a, 0.0, side);
  add_cloud(&all, POINTS, unit_lower, upper, 0.1, 0.1);
  cell_grid *grid;
  assert_ok(&env, cell_grid_create(&env, dimension, &all.box, cell, &grid));
  for (int k = 0; k < POINTS; k++) {
    double x[3] = {column(&all, 0)[k], column(&all, 1)[k], column(&all, 2)[k]};
    assert_ok(&env, cell_grid_add(grid, x, 0.25 + k, k));
    if (k % 20 != 19) continue;
    visits seen = {0};
    assert_true(cell_grid_visit(grid, x, distance, note_visit, &seen));
    for (int other = 0; other <= k; other++) {
      assert_in_range(seen.count[other], 0, 1);
      double squared = 0.0;
      for (int a = 0; a < dimension; a++) {
        double s = domain_shortest(&all.box, a, column(&all, a)[other] - x[a]);
        if (seen.count[other]) assert_close(seen.separation[other][a], s, 0.0);
        squared += s * s;
      }
      if (squared <= distance * distance) assert_int_equal(seen.count[other], 1);
    }
    assert_int_equal(seen.count[k], 1);
  }
  cell_grid_destroy(grid);
  scene_free(&all);
}

static void everything_near_is_visited_once(void **state)
{
  (void)state;
  check_visits(2, 0, 10.0, 0.5, 0.5);
  check_visits(2, 0, 10.0, 0.5, 2.0);
  check_visits(3, 0, 10.0, 1.0, 1.0);
  check_visits(2, 3, 10.0, 0.7, 0.7);
  check_visits(3, 7, 10.0, 1.3, 1.5);
  check_visits(3, 5, 10.0, 0.01, 1.5); /* more cells than points */
  for (int k = 1; k <= 8; k++) check_visits(2, 3, 0.4 * k, 0.5, 0.5);
}

static void far_away_and_huge_numbers(void **state)
{
  (void)state;
  environment env = test_environment(1);
  domain open = {.dimension = 2};
  cell_grid *grid;
  assert_ok(&env, cell_grid_create(&env, 2, &open, 1.0, &grid));
  static const double places[6][3] = {{0, 0, 0},         {1e9, 0, 0},        {-1e15, 3, 0},
                                      {1e300, 1e300, 0}, {1e300, -1e300, 0}, {1e9, 0.5, 0}};
  for (int k = 0; k < 6; k++) assert_ok(&env, cell_grid_add(grid, places[k], 0.25 + k, k));
  visits seen = {0};
  cell_grid_visit(grid, places[1], 1.0, note_visit, &seen);
  assert_int_equal(seen.count[1], 1);
  assert_int_equal(seen.count[5], 1);
  memset(&seen, 0, sizeof seen);
  cell_grid_visit(grid, places[0], 1e301, note_visit, &seen);
  assert_int_equal(seen.total, 6);
  static const double nowhere[3] = {NAN, 0.0, 0.0};
  assert_true(cell_grid_visit(grid, nowhere, 1.0, note_visit, &seen));
  assert_int_equal(seen.total, 6);
  assert_int_equal(cell_grid_add(grid, nowhere, 1.0, 1), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "position[0]"));
  cell_grid_destroy(grid);
}

static void a_visit_can_be_stopped(void **state)
{
  (void)state;
  environment env = test_environment(1);
  domain open = {.dimension = 3};
  cell_grid *grid;
  assert_ok(&env, cell_grid_create(&env, 3, &open, 1.0, &grid));
  static const double place[3] = {0.1, 0.2, 0.3};
  for (int k = 0; k < 10; k++) assert_ok(&env, cell_grid_add(grid, place, 0.25 + k, k));
  visits seen = {.stop_after = 4};
  assert_false(cell_grid_visit(grid, place, 0.01, note_visit, &seen));
  assert_int_equal(seen.total, 4);
  assert_int_equal(seen.order[0], 9); /* the newest comes first, before and after the table has grown */
  for (int k = 10; k < POINTS; k++) assert_ok(&env, cell_grid_add(grid, place, 0.25 + k, k));
  memset(&seen, 0, sizeof seen);
  assert_true(cell_grid_visit(grid, place, 0.01, note_visit, &seen));
  for (int k = 0; k < POINTS; k++) assert_int_equal(seen.order[k], POINTS - 1 - k);
  cell_grid_destroy(grid);
}

static void wrong_cells_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  domain open = {.dimension = 2};
  cell_grid *grid;
  static const double wrong[] = {0.0, -1.0, NAN, INFINITY};
  for (int k = 0; k < 4; k++) {
    assert_int_equal(cell_grid_create(&env, 2, &open, wrong[k], &grid), FLOC_INVALID_ARGUMENT);
    assert_null(grid);
    assert_non_null(strstr(env.message, "cell is"));
  }
  assert_int_equal(cell_grid_create(&env, 1, &open, 1.0, &grid), FLOC_INVALID_ARGUMENT);
  cell_grid_destroy(NULL);
}

typedef struct failing {
  int64_t left;
  size_t bytes;
} failing;

static void *fail_later(void *context, void *pointer, size_t old_size, size_t new_size)
{
  failing *all = context;
  if (new_size > 0 && all->left == 0) return NULL;
  if (new_size > 0) all->left--;
  all->bytes += new_size - old_size;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static void failing_allocations_lose_no_point(void **state)
{
  (void)state;
  failing memory = {0, 0};
  environment env = test_environment(1);
  env.allocate = fail_later;
  env.allocate_context = &memory;
  domain open = {.dimension = 2};
  cell_grid *grid;
  for (int n = 0;; n++) {
    memory.left = n;
    if (cell_grid_create(&env, 2, &open, 1.0, &grid) == FLOC_OK) break;
    assert_null(grid);
    assert_int_equal(memory.bytes, 0);
  }
  int failures = 0;
  for (int k = 0; k < POINTS; k++) {
    double place[3] = {0.1 * k, 0.0, 0.0};
    for (memory.left = 0; cell_grid_add(grid, place, 0.25 + k, k) != FLOC_OK; memory.left++) failures++;
    visits seen = {0};
    cell_grid_visit(grid, place, 1000.0, note_visit, &seen);
    assert_int_equal(seen.total, k + 1);
  }
  assert_true(failures > 10);
  cell_grid_destroy(grid);
  assert_int_equal(memory.bytes, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_near_is_visited_once),
      cmocka_unit_test(far_away_and_huge_numbers),
      cmocka_unit_test(a_visit_can_be_stopped),
      cmocka_unit_test(wrong_cells_are_refused),
      cmocka_unit_test(failing_allocations_lose_no_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
