/* What pairs remember, by ids: it comes back into any list of the same pairs, and rows that are of no pair are
 * refused. */
#include "scenarios.h"
#include "support_world.h"
#include "world.h"

static const scenario *named(const char *name)
{
  for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++)
    if (strcmp(scenarios[k].name, name) == 0) return &scenarios[k];
  fail_msg("no scenario %s", name);
  return NULL;
}

static floc_world *run_world(const char *name, int steps)
{
  floc_world *world = NULL;
  const scenario *it = named(name);
  assert_int_equal(scenario_create(it, 1, NULL, NULL, &world), FLOC_OK);
  assert_int_equal(scenario_run(world, steps), FLOC_OK);
  return world;
}

static floc_world *empty_springs_world(void)
{
  floc_world *world = make_world(3, 1e-4, 0.0, 1);
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e3;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 300.0;
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
  return world;
}

/* Spheres in a heap of overlaps, each contact with a tangential spring of three components. */
static floc_world *springs_world(void)
{
  floc_world *world = empty_springs_world();
  floc_particle_options grain;
  floc_particle_options_init(&grain);
  grain.radius = 0.05;
  for (int k = 0; k < 125; k++) {
    const int place[3] = {k % 5, k / 5 % 5, k / 25};
    for (int axis = 0; axis < 3; axis++) {
      grain.position[axis] = 0.098 * place[axis];
      grain.velocity[axis] = 0.1 * ((k * 7 + axis * 3) % 11 - 5);
    }
    assert_world_ok(world, floc_particle_add(world, &grain, NULL));
  }
  assert_int_equal(scenario_run(world, 60), FLOC_OK);
  return world;
}

/* A large sphere with many small ones on it, so that a row of the list, or a column, is long. */
static floc_world *crowded_world(void)
{
  enum { SMALL = 45 };
  floc_world *world = empty_springs_world();
  floc_particle_options grain;
  floc_particle_options_init(&grain);
  for (int k = 0; k <= SMALL; k++) {
    double height = 1.0 - 2.0 * (k + 0.5) / SMALL, round = sqrt(fmax(0.0, 1.0 - height * height));
    double direction[3] = {round * cos(2.4 * k), round * sin(2.4 * k), height};
    bool is_large = k == SMALL / 2;
    grain.radius = is_large ? 0.5 : 0.05;
    for (int axis = 0; axis < 3; axis++) {
      grain.position[axis] = is_large ? 0.0 : 0.549 * direction[axis];
      grain.velocity[axis] = is_large ? 0.0 : 0.1 * direction[(axis + 1) % 3];
    }
    assert_world_ok(world, floc_particle_add(world, &grain, NULL));
  }
  assert_int_equal(scenario_run(world, 20), FLOC_OK);
  return world;
}

static floc_world *gluey_world(void)
{
  return run_world("gluey", 60);
}

static floc_world *(*const worlds[])(void) = {gluey_world, springs_world, crowded_world};
enum { WORLDS = sizeof worlds / sizeof *worlds };

typedef struct kept_memory {
  memory_rows rows;
  section_list list;
} kept_memory;

static void keep_in_order(floc_world *world, bool sorted, kept_memory *kept)
{
  memset(kept, 0, sizeof *kept);
  section_list_init(&kept->list, &world->env);
  assert_world_ok(world, world_memory_sections(world, sorted, &kept->rows, &kept->list));
}

static void keep(floc_world *world, kept_memory *kept)
{
  keep_in_order(world, true, kept);
}

static void forget(kept_memory *kept)
{
  section_list_free(&kept->list);
}

static size_t row_bytes(const floc_world *world, const kept_memory *kept, int which)
{
  return kept->rows.count[which] * ((size_t)neighbors_memory_count(world->near) + 2) * sizeof(double);
}

static void clear_lists(floc_world *world)
{
  const pair_list *lists[2] = {neighbors_pairs(world->near), neighbors_walls(world->near)};
  for (int which = 0; which < 2; which++)
    for (int32_t m = 0; m < neighbors_memory_count(world->near); m++)
      for (int64_t k = 0; k < lists[which]->count; k++) lists[which]->memory[m][k] = 0.0;
}

static void memory_comes_back(void **state)
{
  (void)state;
  for (int which_world = 0; which_world < WORLDS; which_world++) {
    floc_world *world = worlds[which_world]();
    kept_memory before, after;
    keep(world, &before);
    assert_true(before.rows.count[0] > 2);
    clear_lists(world);
    assert_world_ok(world, world_memory_restore(world, &before.list));
    keep(world, &after);
    for (int which = 0; which < 2; which++) {
      assert_int_equal(before.rows.count[which], after.rows.count[which]);
      size_t bytes = row_bytes(world, &before, which);
      if (bytes > 0) assert_memory_equal(before.rows.row[which], after.rows.row[which], bytes);
    }
    forget(&after);
    forget(&before);
    floc_world_destroy(world);
  }
}

/* Storage in the opposite order: every pair is held the other way round, and springs turn their sign. */
static void turn_storage(floc_world *world)
{
  int64_t count = world->table.count;
  int32_t order[4096];
  assert_true(count > 10 && count < 4096);
  for (int64_t k = 0; k < count; k++) order[k] = (int32_t)(count - 1 - k);
  assert_world_ok(world, particles_permute(&world->table, order));
  assert_world_ok(world, neighbors_permute(world->near, &world->table, order));
}

static int64_t longest_row(const floc_world *world)
{
  const pair_list *list = neighbors_pairs(world->near);
  int64_t longest = 0;
  for (int64_t k = 0; k < world->table.count; k++)
    if (list->start[k + 1] - list->start[k] > longest) longest = list->start[k + 1] - list->start[k];
  return longest;
}

static void memory_comes_back_in_another_order(void **state)
{
  (void)state;
  int64_t longest = 0;
  for (int which_world = 1; which_world < WORLDS; which_world++) {
    floc_world *world = worlds[which_world]();
    kept_memory before, after;
    keep(world, &before);
    assert_true(before.rows.count[0] > 2);
    for (int turn = 0; turn < 2; turn++) {
      turn_storage(world);
      if (longest_row(world) > longest) longest = longest_row(world);
      clear_lists(world);
      assert_world_ok(world, world_memory_restore(world, &before.list));
      keep(world, &after);
      assert_int_equal(before.rows.count[0], after.rows.count[0]);
      assert_memory_equal(before.rows.row[0], after.rows.row[0], row_bytes(world, &before, 0));
      forget(&after);
    }
    forget(&before);
    floc_world_destroy(world);
  }
  assert_in_range(longest, 20, 45);
}

static void expect_damage(floc_world *world, kept_memory *kept, const char *what)
{
  if (world_memory_restore(world, &kept->list) != FLOC_DAMAGED_FILE) fail_msg("%s was not refused", what);
  assert_non_null(strstr(floc_world_message(world), "remembered."));
}

static void set_and_expect(floc_world *world, kept_memory *kept, int which, size_t at, double value,
                           const char *what)
{
  double *number = &kept->rows.row[which][at], present = *number;
  *number = value;
  expect_damage(world, kept, what);
  *number = present;
}

static void rows_of_no_pair_are_refused(void **state)
{
  (void)state;
  floc_world *world = run_world("gluey", 60);
  kept_memory kept;
  keep(world, &kept);
  size_t width = (size_t)neighbors_memory_count(world->near) + 2;
  double count = (double)world->table.count;
  assert_true(kept.rows.count[0] > 2 && kept.rows.count[1] > 2);
  const double bad[] = {0.0, -1.0, 0.5, count + 1.0, 1e300, -1e300, NAN, INFINITY};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    set_and_expect(world, &kept, 0, 0, bad[k], "a bad first id");
    set_and_expect(world, &kept, 0, 1, bad[k], "a bad second id");
    set_and_expect(world, &kept, 1, 0, bad[k], "a bad id at a wall");
  }
  set_and_expect(world, &kept, 0, 1, kept.rows.row[0][0], "a pair with itself");
  set_and_expect(world, &kept, 1, 1, 1000.0, "a shape that is not there");
  double first[2] = {kept.rows.row[0][0], kept.rows.row[0][1]};
  kept.rows.row[0][0] = kept.rows.row[0][width];
  kept.rows.row[0][1] = kept.rows.row[0][width + 1];
  expect_damage(world, &kept, "a pair that stands twice");
  memcpy(kept.rows.row[0], first, sizeof first);
  assert_world_ok(world, world_memory_restore(world, &kept.list));
  kept.list.item[0].columns++;
  expect_damage(world, &kept, "another number of columns");
  kept.list.item[0].columns--;
  forget(&kept);
  floc_world_destroy(world);
}

/* The same rows, as the lists have them; their entries' order is what shows that none stands twice. */
static void rows_come_back_as_listed(void **state)
{
  (void)state;
  for (int which_world = 0; which_world < WORLDS; which_world++) {
    floc_world *world = worlds[which_world]();
    if (which_world > 0) turn_storage(world);
    kept_memory sorted, listed, after;
    keep(world, &sorted);
    keep_in_order(world, false, &listed);
    size_t width = (size_t)neighbors_memory_count(world->near) + 2, bytes = row_bytes(world, &sorted, 0);
    for (int which = 0; which < 2; which++) {
      assert_int_equal(sorted.rows.count[which], listed.rows.count[which]);
      assert_true(listed.list.item[which].any_order && !sorted.list.item[which].any_order);
    }
    if (which_world > 0) assert_memory_not_equal(sorted.rows.row[0], listed.rows.row[0], bytes);
    clear_lists(world);
    assert_world_ok(world, world_memory_restore(world, &listed.list));
    keep(world, &after);
    for (int which = 0; which < 2; which++)
      if (row_bytes(world, &sorted, which) > 0)
        assert_memory_equal(sorted.rows.row[which], after.rows.row[which], row_bytes(world, &sorted, which));
    forget(&after);
    double *row = listed.rows.row[0], first[MEMORY_LIMIT + 2];
    memcpy(first, row, width * sizeof *row);
    memcpy(row, row + width, width * sizeof *row);
    expect_damage(world, &listed, "a pair that stands twice");
    memcpy(row + width, first, width * sizeof *row);
    expect_damage(world, &listed, "pairs that are exchanged");
    forget(&listed);
    forget(&sorted);
    floc_world_destroy(world);
  }
}

static bool row_has(const pair_list *list, int64_t first, int32_t second)
{
  for (int64_t k = list->start[first]; k < list->start[first + 1]; k++)
    if (list->second[k] == second) return true;
  return false;
}

/* Pairs that the list does not hold, although the entry that comes a little behind the row has the same second. */
static void neighbouring_rows_are_not_mistaken(void **state)
{
  (void)state;
  floc_world *world = springs_world();
  kept_memory kept;
  keep(world, &kept);
  const pair_list *list = neighbors_pairs(world->near);
  double *row = kept.rows.row[0];
  int tried = 0;
  kept.list.item[0].rows = 1;
  for (int64_t first = 0; first < world->table.count; first++) {
    for (int64_t k = list->start[first + 1]; k < list->start[first + 1] + 8 && k < list->count; k++) {
      if (row_has(list, first, list->second[k])) continue;
      double a = (double)world->table.id[first], b = (double)world->table.id[list->second[k]];
      row[0] = fmin(a, b);
      row[1] = fmax(a, b);
      expect_damage(world, &kept, "a pair that only the next row has");
      tried++;
    }
  }
  assert_true(tried > 100);
  forget(&kept);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_comes_back), cmocka_unit_test(memory_comes_back_in_another_order),
      cmocka_unit_test(rows_of_no_pair_are_refused), cmocka_unit_test(rows_come_back_as_listed),
      cmocka_unit_test(neighbouring_rows_are_not_mistaken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
