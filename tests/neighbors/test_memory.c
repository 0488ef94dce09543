/*
 * What pairs remember: through new lists, through new storage orders, for pairs and for walls.
 */
#include "domains/patches.h"
#include "scenes.h"

#include <stdio.h>

static const double unit_lower[3] = {0.0, 0.0, 0.0};

/* ---- a model: a table of ids by ids ---- */

enum { MODEL_SIZE = 400, MODEL_SHAPES = 8 };

typedef struct model {
  double pair[MODEL_SIZE][MODEL_SIZE]; /* by ids, smaller first; NAN: not in the list */
  double wall[MODEL_SIZE][MODEL_SHAPES];
} model;

static double *of_pair(const scene *all, model *known, int64_t i, int64_t j)
{
  int64_t a = all->table.id[i] - 1, b = all->table.id[j] - 1;
  return a < b ? &known->pair[a][b] : &known->pair[b][a];
}

/* Memory holds the same as the model for entries that stayed, 0 for new ones; the model forgets what has
 * left the list. With `write`, every entry gets a new value. */
static void compare_with_model(const scene *all, model *known, int32_t index, bool write)
{
  model *next = malloc(sizeof *next);
  assert_non_null(next);
  for (int i = 0; i < MODEL_SIZE; i++) {
    for (int j = 0; j < MODEL_SIZE; j++) next->pair[i][j] = NAN;
    for (int k = 0; k < MODEL_SHAPES; k++) next->wall[i][k] = NAN;
  }
  const pair_list *lists[2] = {neighbors_pairs(all->near), neighbors_walls(all->near)};
  for (int which = 0; which < 2; which++) {
    for (int64_t k = 0; k < lists[which]->count; k++) {
      int32_t i = lists[which]->first[k], j = lists[which]->second[k];
      int64_t row = all->table.id[i] - 1;
      double *before = which == 0 ? of_pair(all, known, i, j) : &known->wall[row][j];
      double *after = which == 0 ? of_pair(all, next, i, j) : &next->wall[row][j];
      double *value = &lists[which]->memory[index][k];
      assert_true(*value == (isnan(*before) ? 0.0 : *before));
      if (write) *value = (double)k + 1000.0 * all->time + which + 0.5;
      *after = *value;
    }
  }
  memcpy(known, next, sizeof *known);
  free(next);
}

static model *empty_model(void)
{
  model *known = malloc(sizeof *known);
  assert_non_null(known);
  for (int i = 0; i < MODEL_SIZE; i++) {
    for (int j = 0; j < MODEL_SIZE; j++) known->pair[i][j] = NAN;
    for (int k = 0; k < MODEL_SHAPES; k++) known->wall[i][k] = NAN;
  }
  return known;
}

static void add_walls(scene *all)
{
  int32_t number = add_body(all, (floc_body_options){.motion = FLOC_MOTION_CONSTANT, .velocity = {0.02, 0.0, 0.0}});
  for (int k = 0; k < 4; k++) {
    floc_shape given = {.kind = FLOC_SHAPE_SEGMENT};
    for (int p = 0; p < 2; p++)
      for (int a = 0; a < all->dimension; a++) given.points[p][a] = draw(all, 0.0, 8.0);
    add_shape(all, number, given);
  }
}

/* A random storage order for everybody. */
static void shuffle(scene *all)
{
  int64_t count = all->table.count;
  int32_t *order = malloc((size_t)count * sizeof *order);
  assert_non_null(order);
  for (int64_t k = 0; k < count; k++) order[k] = (int32_t)k;
  for (int64_t k = count - 1; k > 0; k--) {
    int64_t other = (int64_t)draw(all, 0.0, (double)k + 0.999);
    int32_t kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
  double *reach = malloc((size_t)count * sizeof *reach);
  assert_non_null(reach);
  for (int64_t k = 0; k < count; k++) reach[k] = all->reach[order[k]];
  memcpy(all->reach, reach, (size_t)count * sizeof *reach);
  assert_ok(&all->env, particles_permute(&all->table, order));
  assert_ok(&all->env, neighbors_permute(all->near, &all->table, order));
  free(reach);
  free(order);
}

static void check_memory(int32_t dimension, bool sorting, int periodic_axes, double greatest)
{
  scene all;
  scene_init(&all, dimension, 31, 1);
  double side = dimension == 2 ? 9.0 : 4.0, upper[3] = {side, side, side};
  for (int a = 0; a < dimension; a++)
    if (periodic_axes >> a & 1) make_periodic(&all, a, 0.0, side);
  add_cloud(&all, 150, unit_lower, upper, 0.2, greatest);
  add_walls(&all);
  model *known = empty_model();
  int32_t index, other;
  assert_ok(&all.env, neighbors_add_memory(all.near, "other", &other));
  assert_ok(&all.env, neighbors_add_memory(all.near, "impulse", &index));
  int64_t kept = 0, lost = 0, before = 0, again = 0;
  for (int step = 0; step < 60; step++) {
    if (step == 30) add_cloud(&all, 50, unit_lower, upper, 0.2, greatest);
    move_cloud(&all, 0.02, 0.05);
    assert_ok(&all.env, bodies_prepare(&all.obstacles, all.time, 1.0));
    bool rebuilt = update_scene(&all);
    compare_with_model(&all, known, index, step % 3 == 0);
    if (rebuilt) kept += before, lost++;
    before = neighbors_pairs(all.near)->count;
    if (sorting && step % 7 == 3) {
      shuffle(&all);
      check_rows(neighbors_pairs(all.near), all.table.count, all.table.count, true);
      check_incoming(neighbors_pairs(all.near), all.table.count);
      check_rows(neighbors_walls(all.near), all.table.count, all.obstacles.shape_count, false);
      compare_with_model(&all, known, index, false);
      again += update_scene(&all); /* references went along: hardly ever is it time for a new list */
    }
    check_pairs(&all);
    check_walls(&all);
    bodies_commit(&all.obstacles, 1.0);
  }
  assert_true(lost > 3 && kept > 100);
  assert_in_range(again, 0, 2);
  free(known);
  scene_free(&all);
}

static void memory_survives_new_lists(void **state)
{
  (void)state;
  check_memory(2, false, 0, 0.3);
  check_memory(3, false, 0, 0.3);
  check_memory(2, false, 3, 2.0);
}

static void memory_goes_along_with_new_orders(void **state)
{
  (void)state;
  check_memory(2, true, 0, 0.3);
  check_memory(3, true, 7, 0.3);
  check_memory(3, true, 0, 1.5);
}

/* The value of every particle, by id, in a column of the checkpoint. */
static void read_by_id(scene *all, const char *name, double *value)
{
  section_list list;
  section_list_init(&list, &all->env);
  assert_ok(&all->env, neighbors_sections(all->near, &list));
  const section *found = section_find(&list, name);
  assert_non_null(found);
  assert_int_equal(found->rows, all->table.count);
  for (int64_t k = 0; k < all->table.count; k++) value[all->table.id[k] - 1] = ((const double *)found->data)[k];
  section_list_free(&list);
}

static void margins_go_along_with_new_orders(void **state)
{
  (void)state;
  static const char *const names[] = {"neighbors.skin.margin", "neighbors.skin.bound", "neighbors.reference.x",
                                      "neighbors.reference.y"};
  scene all;
  scene_init(&all, 2, 37, 1);
  double upper[3] = {6.0, 6.0, 0.0}, before[100], after[100];
  add_cloud(&all, 100, unit_lower, upper, 0.2, 0.3);
  for (int step = 0; step < 10; step++) {
    move_cloud(&all, 0.02, 0.05);
    update_scene(&all);
  }
  for (int k = 0; k < 4; k++) {
    read_by_id(&all, names[k], before);
    shuffle(&all);
    read_by_id(&all, names[k], after);
    assert_memory_equal(before, after, sizeof before);
  }
  scene_free(&all);
}

static void invalidate_keeps_memory(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 32, 1);
  double upper[3] = {6.0, 6.0, 0.0};
  add_cloud(&all, 100, unit_lower, upper, 0.2, 0.3);
  int32_t index;
  assert_ok(&all.env, neighbors_add_memory(all.near, "gamma", &index));
  update_scene(&all);
  const pair_list *list = neighbors_pairs(all.near);
  int64_t count = list->count;
  for (int64_t k = 0; k < count; k++) list->memory[index][k] = (double)k + 1.0;
  neighbors_invalidate(all.near);
  assert_true(update_scene(&all));
  assert_int_equal(list->count, count);
  for (int64_t k = 0; k < count; k++) assert_true(list->memory[index][k] == (double)k + 1.0);
  scene_free(&all);
}

static void particles_added_before_a_new_order(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 33, 1);
  double upper[3] = {6.0, 6.0, 0.0};
  add_cloud(&all, 100, unit_lower, upper, 0.2, 0.3);
  model *known = empty_model();
  int32_t index;
  assert_ok(&all.env, neighbors_add_memory(all.near, "gamma", &index));
  update_scene(&all);
  compare_with_model(&all, known, index, true);
  add_cloud(&all, 40, unit_lower, upper, 0.2, 0.3);
  shuffle(&all);
  check_rows(neighbors_pairs(all.near), 140, 140, true);
  compare_with_model(&all, known, index, false);
  assert_true(update_scene(&all));
  compare_with_model(&all, known, index, false);
  check_pairs(&all);
  scene_free(&all);
  free(known);
}

/* Memory about the way from first to second: here the difference of their ids. */
/* Two columns of one list change places; the other list stays, and later lists find everything. */
static void columns_change_places(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 12, 1);
  const double upper[3] = {9.0, 9.0, 9.0};
  add_cloud(&all, 100, unit_lower, upper, 0.2, 0.4);
  add_walls(&all);
  int32_t now, next;
  assert_ok(&all.env, neighbors_add_memory(all.near, "now", &now));
  assert_ok(&all.env, neighbors_add_memory(all.near, "next", &next));
  assert_false(neighbors_memory_is_spare(all.near, next));
  neighbors_spare_memory(all.near, next);
  assert_true(neighbors_memory_is_spare(all.near, next) && !neighbors_memory_is_spare(all.near, now));
  update_scene(&all);
  const pair_list *lists[2] = {neighbors_pairs(all.near), neighbors_walls(all.near)};
  for (int which = 0; which < 2; which++) {
    assert_true(lists[which]->count > 0);
    for (int64_t k = 0; k < lists[which]->count; k++) {
      lists[which]->memory[now][k] = 1.0;
      lists[which]->memory[next][k] = 2.0 + (double)k;
    }
  }
  neighbors_exchange_memory(all.near, false, now, next);
  neighbors_invalidate(all.near);
  update_scene(&all);
  for (int64_t k = 0; k < lists[0]->count; k++) {
    assert_true(lists[0]->memory[now][k] == 2.0 + (double)k);
    assert_true(lists[0]->memory[next][k] == 1.0);
  }
  for (int64_t k = 0; k < lists[1]->count; k++) assert_true(lists[1]->memory[now][k] == 1.0);
  neighbors_exchange_memory(all.near, true, now, next);
  for (int64_t k = 0; k < lists[1]->count; k++) assert_true(lists[1]->memory[next][k] == 1.0);
  scene_free(&all);
}

static void memory_with_a_direction_turns(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 7, 1);
  const double upper[3] = {9.0, 9.0, 9.0};
  add_cloud(&all, 150, unit_lower, upper, 0.2, 0.4);
  int32_t plain, turning;
  assert_ok(&all.env, neighbors_add_memory(all.near, "plain", &plain));
  assert_ok(&all.env, neighbors_add_memory(all.near, "turning", &turning));
  neighbors_turn_memory(all.near, turning);
  assert_true(neighbors_memory_turns(all.near, turning) && !neighbors_memory_turns(all.near, plain));
  update_scene(&all);
  const pair_list *pairs = neighbors_pairs(all.near);
  assert_true(pairs->count > 100);
  for (int64_t k = 0; k < pairs->count; k++) {
    double way = (double)(all.table.id[pairs->second[k]] - all.table.id[pairs->first[k]]);
    pairs->memory[plain][k] = fabs(way);
    pairs->memory[turning][k] = k % 3 == 0 ? 0.0 : way;
  }
  int64_t turned = 0;
  for (int round = 0; round < 3; round++) {
    shuffle(&all);
    for (int64_t k = 0; k < pairs->count; k++) {
      double way = (double)(all.table.id[pairs->second[k]] - all.table.id[pairs->first[k]]);
      assert_true(pairs->memory[plain][k] == fabs(way));
      assert_true(pairs->memory[turning][k] == way || pairs->memory[turning][k] == 0.0);
      assert_true(pairs->memory[turning][k] != 0.0 || !signbit(pairs->memory[turning][k]));
      turned += way < 0.0;
    }
  }
  assert_true(turned > 100);
  scene_free(&all);
}

static void names_of_memory(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 34, 1);
  double upper[3] = {6.0, 6.0, 0.0};
  add_cloud(&all, 100, unit_lower, upper, 0.2, 0.3);
  update_scene(&all);
  int32_t index;
  char name[MEMORY_NAME_SIZE + 1];
  for (int k = 0; k < MEMORY_LIMIT; k++) {
    snprintf(name, sizeof name, "memory %d", k);
    assert_ok(&all.env, neighbors_add_memory(all.near, name, &index));
    assert_int_equal(index, k);
    assert_int_equal(neighbors_memory_count(all.near), k + 1);
    assert_string_equal(neighbors_memory_name(all.near, k), name);
    const pair_list *list = neighbors_pairs(all.near); /* columns that come late are zero */
    for (int64_t entry = 0; entry < list->count; entry++) assert_true(list->memory[k][entry] == 0.0);
  }
  assert_ok(&all.env, neighbors_add_memory(all.near, "memory 3", &index));
  assert_int_equal(index, 3);
  assert_int_equal(neighbors_add_memory(all.near, "one more", &index), FLOC_LIMIT_EXCEEDED);
  assert_int_equal(neighbors_add_memory(all.near, "", &index), FLOC_INVALID_ARGUMENT);
  assert_int_equal(neighbors_add_memory(all.near, NULL, &index), FLOC_INVALID_ARGUMENT);
  memset(name, 'x', MEMORY_NAME_SIZE);
  name[MEMORY_NAME_SIZE] = 0;
  assert_int_equal(neighbors_add_memory(all.near, name, &index), FLOC_INVALID_ARGUMENT);
  assert_null(neighbors_memory_name(all.near, MEMORY_LIMIT));
  assert_null(neighbors_memory_name(all.near, -1));
  scene_free(&all);
}

/* ---- storage order ---- */

static double far_pairs(const scene *all)
{
  const pair_list *list = neighbors_pairs(all->near);
  int64_t far = 0;
  for (int64_t k = 0; k < list->count; k++) far += list->second[k] - list->first[k] > 1024;
  return (double)far / (double)list->count;
}

static void storage_is_sorted_when_it_helps(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    scene all;
    scene_init(&all, dimension, 35, 1);
    double side = dimension == 2 ? 100.0 : 20.0, upper[3] = {side, side, side};
    add_cloud(&all, 12000, unit_lower, upper, 0.35, 0.45);
    int32_t *order = malloc(12000 * sizeof *order), index;
    bool *seen = calloc(12000, sizeof *seen), worthwhile;
    assert_non_null(order);
    assert_non_null(seen);
    assert_ok(&all.env, neighbors_add_memory(all.near, "gamma", &index));
    assert_ok(&all.env, neighbors_sort_order(all.near, &all.table, &all.box, order, &worthwhile));
    assert_false(worthwhile); /* nothing is known yet */
    update_scene(&all);
    const pair_list *list = neighbors_pairs(all.near);
    for (int64_t k = 0; k < list->count; k++)
      list->memory[index][k] = (double)(all.table.id[list->first[k]] * all.table.id[list->second[k]]);
    assert_true(far_pairs(&all) > 0.5);
    assert_ok(&all.env, neighbors_sort_order(all.near, &all.table, &all.box, order, &worthwhile));
    assert_true(worthwhile);
    for (int k = 0; k < 12000; k++) {
      assert_true(order[k] >= 0 && order[k] < 12000 && !seen[order[k]]);
      seen[order[k]] = true;
    }
    assert_ok(&all.env, particles_permute(&all.table, order));
    assert_ok(&all.env, neighbors_permute(all.near, &all.table, order));
    assert_true(far_pairs(&all) < 0.2);
    for (int64_t k = 0; k < list->count; k++)
      assert_true(list->memory[index][k] == (double)(all.table.id[list->first[k]] * all.table.id[list->second[k]]));
    assert_ok(&all.env, neighbors_sort_order(all.near, &all.table, &all.box, order, &worthwhile));
    assert_false(worthwhile);
    assert_false(update_scene(&all));
    check_rows(list, 12000, 12000, true);
    check_incoming(list, 12000);
    free(order);
    free(seen);
    scene_free(&all);
  }
}

/* Patch by patch along the curve, in a patch by cell, in a cell by id: whatever the order was before. */
static void storage_goes_by_patches(void **state)
{
  (void)state;
  enum { COUNT = 3000 };
  int64_t ids[COUNT];
  int32_t order[COUNT];
  for (int round = 0; round < 2; round++) {
    scene all;
    bool worthwhile;
    double upper[3] = {60.0, 60.0, 0.0};
    scene_init(&all, 2, 35, 1);
    add_cloud(&all, COUNT, unit_lower, upper, 0.35, 0.45);
    for (int k = 0; k < COUNT; k++) order[k] = round ? (k * 1237 + 11) % COUNT : k;
    assert_ok(&all.env, particles_permute(&all.table, order));
    update_scene(&all);
    assert_ok(&all.env, neighbors_sort_order(all.near, &all.table, &all.box, order, &worthwhile));
    assert_false(worthwhile); /* one patch, and few particles */
    neighbors_set_patches(all.near, 200);
    assert_ok(&all.env, neighbors_sort_order(all.near, &all.table, &all.box, order, &worthwhile));
    assert_true(worthwhile);
    patch_set patches;
    arena scratch;
    arena_init(&scratch, &all.env);
    assert_ok(&all.env, patches_find(&all.env, &scratch, &all.table, &all.box, 200, &patches));
    assert_in_range(patches.count, 15, 60);
    for (int k = 0; k < COUNT; k++) {
      assert_true(k == 0 || patches.of[order[k]] >= patches.of[order[k - 1]]);
      if (round == 0) ids[k] = all.table.id[order[k]];
      assert_true(all.table.id[order[k]] == ids[k]);
    }
    arena_free(&scratch);
    scene_free(&all);
  }
}

static void small_tables_are_not_sorted(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 36, 1);
  double upper[3] = {30.0, 30.0, 0.0};
  add_cloud(&all, 1000, unit_lower, upper, 0.35, 0.45);
  update_scene(&all);
  int32_t order[1000];
  bool worthwhile;
  assert_ok(&all.env, neighbors_sort_order(all.near, &all.table, &all.box, order, &worthwhile));
  assert_false(worthwhile);
  scene_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_survives_new_lists),          cmocka_unit_test(memory_goes_along_with_new_orders),
      cmocka_unit_test(margins_go_along_with_new_orders),   cmocka_unit_test(invalidate_keeps_memory),
      cmocka_unit_test(particles_added_before_a_new_order), cmocka_unit_test(names_of_memory),
      cmocka_unit_test(memory_with_a_direction_turns),      cmocka_unit_test(columns_change_places),
      cmocka_unit_test(storage_is_sorted_when_it_helps),    cmocka_unit_test(storage_goes_by_patches),
      cmocka_unit_test(small_tables_are_not_sorted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
