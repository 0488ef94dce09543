/*
 * Checkpoints of the lists: a resumed run continues bit for bit, and damaged sections are refused without a
 * trace. Failing allocations, too, leave everything as it was.
 */
#include "pair_memory.h"
#include "scenes.h"

#include <stdio.h>

static const double unit_lower[3] = {0.0, 0.0, 0.0};

/* ---- copies of section lists ---- */

typedef struct stored {
  section_list list;
  void *copy[64];
} stored;

/* Memory is the world's to store; here it is listed for comparison alone, under names that are not read. */
static void list_memory(scene *all, const neighbors *near, section_list *listed)
{
  const pair_list *lists[2] = {neighbors_pairs(near), neighbors_walls(near)};
  for (int which = 0; which < 2; which++) {
    for (int32_t k = 0; k < neighbors_memory_count(near) && lists[which]->count > 0; k++) {
      char name[32];
      snprintf(name, sizeof name, "for comparison %d.%d", which, k);
      assert_ok(&all->env, section_list_add(listed, name, "f64", (uint64_t)lists[which]->count, 1,
                                            lists[which]->memory[k], false));
    }
  }
}

static void store(scene *all, neighbors *near, stored *kept)
{
  section_list listed;
  section_list_init(&listed, &all->env);
  section_list_init(&kept->list, &all->env);
  assert_ok(&all->env, neighbors_sections(near, &listed));
  list_memory(all, near, &listed);
  assert_true(listed.count <= 64);
  for (int32_t k = 0; k < listed.count; k++) {
    const section *part = &listed.item[k];
    size_t bytes = part->rows * part->columns * section_type_size(part->type);
    kept->copy[k] = malloc(bytes + 8);
    assert_non_null(kept->copy[k]);
    assert_non_null(part->data);
    memcpy(kept->copy[k], part->data, bytes);
    assert_ok(&all->env, section_list_add(&kept->list, part->name, part->type, part->rows, part->columns,
                                          kept->copy[k], part->is_state));
  }
  section_list_free(&listed);
}

static void free_stored(stored *kept)
{
  for (int32_t k = 0; k < kept->list.count; k++) free(kept->copy[k]);
  section_list_free(&kept->list);
}

static section *part_of(stored *kept, const char *name)
{
  for (int32_t k = 0; k < kept->list.count; k++)
    if (strcmp(kept->list.item[k].name, name) == 0) return &kept->list.item[k];
  fail_msg("no section %s", name);
  return NULL;
}

static void assert_same_list(const pair_list *a, const pair_list *b, int64_t rows, int32_t columns, bool pairs)
{
  size_t count = (size_t)a->count;
  assert_int_equal(a->count, b->count);
  if (a->start && b->start) assert_memory_equal(a->start, b->start, (size_t)(rows + 1) * sizeof *a->start);
  if (count == 0) return;
  assert_memory_equal(a->first, b->first, count * sizeof *a->first);
  assert_memory_equal(a->second, b->second, count * sizeof *a->second);
  if (pairs) assert_memory_equal(a->incoming, b->incoming, count * sizeof *a->incoming);
  for (int32_t k = 0; k < columns; k++) assert_memory_equal(a->memory[k], b->memory[k], count * sizeof(double));
}

static void assert_same(const neighbors *a, const neighbors *b, int64_t rows)
{
  int32_t columns = neighbors_memory_count(a);
  assert_same_list(neighbors_pairs(a), neighbors_pairs(b), rows, columns, true);
  assert_same_list(neighbors_walls(a), neighbors_walls(b), rows, columns, false);
}

/* All that a checkpoint would hold is as before. */
static void assert_same_scene(scene *all, neighbors *near, stored *before)
{
  stored after;
  store(all, near, &after);
  assert_int_equal(before->list.count, after.list.count);
  for (int32_t k = 0; k < after.list.count; k++) {
    const section *a = &before->list.item[k], *b = &after.list.item[k];
    assert_int_equal(a->rows, b->rows);
    assert_memory_equal(a->data, b->data, a->rows * a->columns * section_type_size(a->type));
  }
  free_stored(&after);
}

/* ---- scenes ---- */

static void make_scene(scene *all, int32_t dimension)
{
  scene_init(all, dimension, 41, 1);
  double side = dimension == 2 ? 9.0 : 4.0, upper[3] = {side, side, side};
  make_periodic(all, 0, 0.0, side);
  add_cloud(all, 150, unit_lower, upper, 0.2, 0.6);
  int32_t number = add_body(all, (floc_body_options){.motion = FLOC_MOTION_CONSTANT, .velocity = {0.02, 0.0, 0.0}});
  for (int k = 0; k < 3; k++) {
    floc_shape given = {.kind = FLOC_SHAPE_SPHERE, .radius = 0.5};
    for (int a = 0; a < dimension; a++) given.points[0][a] = draw(all, 0.0, side);
    add_shape(all, number, given);
  }
  add_body(all, (floc_body_options){.motion = FLOC_MOTION_FIXED});
  int32_t index;
  assert_ok(&all->env, neighbors_add_memory(all->near, "impulse", &index));
  assert_ok(&all->env, neighbors_add_memory(all->near, "gamma", &index));
}

static void remember(neighbors *near, double time)
{
  const pair_list *lists[2] = {neighbors_pairs(near), neighbors_walls(near)};
  for (int which = 0; which < 2; which++) {
    for (int64_t k = 0; k < lists[which]->count; k++) {
      lists[which]->memory[0][k] += time;
      lists[which]->memory[1][k] -= 1.0 / (1.0 + (double)k);
    }
  }
}

/* One step of a scene and, if there is one, of a second set of lists over the same particles, which must
 * build when the first does. */
static bool step_scene(scene *all, neighbors *second)
{
  move_cloud(all, 0.02, 0.05);
  assert_ok(&all->env, bodies_prepare(&all->obstacles, all->time, 1.0));
  bool rebuilt = update_scene(all), also;
  remember(all->near, all->time);
  if (second) {
    assert_ok(&all->env,
              neighbors_update(second, &all->table, &all->obstacles, &all->box, all->reach, all->range, &also));
    remember(second, all->time);
    assert_int_equal(rebuilt, also);
  }
  bodies_commit(&all->obstacles, 1.0);
  return rebuilt;
}

static void a_resumed_run_goes_on_bit_for_bit(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int stop = 0; stop < 40; stop += 3) {
      scene all;
      make_scene(&all, dimension);
      for (int step = 0; step < stop; step++) step_scene(&all, NULL);
      if (stop % 2) neighbors_invalidate(all.near);
      neighbors *resumed;
      int32_t index;
      assert_ok(&all.env, neighbors_create(&all.env, dimension, &resumed));
      assert_ok(&all.env, neighbors_add_memory(resumed, "impulse", &index));
      assert_ok(&all.env, neighbors_add_memory(resumed, "gamma", &index));
      stored kept;
      store(&all, all.near, &kept);
      assert_ok(&all.env, neighbors_restore(resumed, &kept.list, 150, 3));
      copy_pair_memory(all.near, resumed);
      assert_same(all.near, resumed, 150);
      assert_same_scene(&all, resumed, &kept);
      free_stored(&kept);
      for (int step = 0; step < 25; step++) {
        step_scene(&all, resumed);
        assert_same(all.near, resumed, 150);
      }
      neighbors_destroy(resumed);
      scene_free(&all);
    }
  }
}

static void a_resumed_run_sorts_when_the_other_does(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 42, 1);
  double upper[3] = {90.0, 90.0, 0.0};
  add_cloud(&all, 9000, unit_lower, upper, 0.3, 0.4);
  int32_t *order = malloc(9000 * sizeof *order);
  assert_non_null(order);
  update_scene(&all);
  neighbors *resumed;
  assert_ok(&all.env, neighbors_create(&all.env, 2, &resumed));
  for (int round = 0; round < 3; round++) {
    bool one, other;
    stored kept;
    store(&all, all.near, &kept);
    assert_ok(&all.env, neighbors_restore(resumed, &kept.list, 9000, 0));
    assert_same_scene(&all, resumed, &kept);
    free_stored(&kept);
    assert_ok(&all.env, neighbors_sort_order(all.near, &all.table, &all.box, order, &one));
    assert_ok(&all.env, neighbors_sort_order(resumed, &all.table, &all.box, order, &other));
    assert_int_equal(one, other);
    assert_int_equal(one, round == 0);
    if (!one) continue;
    assert_ok(&all.env, particles_permute(&all.table, order));
    assert_ok(&all.env, neighbors_permute(all.near, &all.table, order));
    assert_ok(&all.env, neighbors_permute(resumed, &all.table, order));
    assert_same(all.near, resumed, 9000);
  }
  neighbors_destroy(resumed);
  free(order);
  scene_free(&all);
}

static void an_empty_state_can_be_restored(void **state)
{
  (void)state;
  scene all, other;
  make_scene(&all, 2);
  make_scene(&other, 2);
  stored kept;
  store(&all, all.near, &kept); /* never built */
  step_scene(&other, NULL);
  assert_true(neighbors_pairs(other.near)->count > 0);
  assert_ok(&other.env, neighbors_restore(other.near, &kept.list, 150, 3));
  assert_int_equal(neighbors_pairs(other.near)->count, 0);
  assert_true(step_scene(&other, NULL));
  check_pairs(&other);
  free_stored(&kept);
  scene_free(&all);
  scene_free(&other);
}

/* ---- damage ---- */

typedef void (*damage_function)(stored *kept);

static void set_i32(stored *kept, const char *name, int64_t at, int32_t value)
{
  ((int32_t *)(uintptr_t)part_of(kept, name)->data)[at] = value;
}

static void set_i64(stored *kept, const char *name, int64_t at, int64_t value)
{
  ((int64_t *)(uintptr_t)part_of(kept, name)->data)[at] = value;
}

static void set_f64(stored *kept, const char *name, int64_t at, double value)
{
  ((double *)(uintptr_t)part_of(kept, name)->data)[at] = value;
}

static const int64_t *starts(stored *kept, const char *name)
{
  return part_of(kept, name)->data;
}

/* The first row with two entries. */
static int64_t long_row(stored *kept)
{
  const int64_t *start = starts(kept, "neighbors.pairs.start");
  int64_t row = 0;
  while (start[row + 1] - start[row] < 2) row++;
  return start[row];
}

#define DAMAGE(name, statement)                                                                                    \
  static void name(stored *kept)                                                                                   \
  {                                                                                                                \
    statement;                                                                                                     \
  }
DAMAGE(second_too_great, set_i32(kept, "neighbors.pairs.second", 5, 150))
DAMAGE(second_negative, set_i32(kept, "neighbors.pairs.second", 5, -1))
DAMAGE(second_below_first, set_i32(kept, "neighbors.pairs.second", 100, 0))
DAMAGE(second_huge, set_i32(kept, "neighbors.pairs.second", 0, INT32_MAX))
DAMAGE(second_twice, set_i32(kept, "neighbors.pairs.second", long_row(kept) + 1,
                             ((const int32_t *)part_of(kept, "neighbors.pairs.second")->data)[long_row(kept)]))
DAMAGE(start_not_zero, set_i64(kept, "neighbors.pairs.start", 0, 1))
DAMAGE(start_descends, set_i64(kept, "neighbors.pairs.start", 70, -4))
DAMAGE(start_beyond, set_i64(kept, "neighbors.pairs.start", 70, INT64_MAX))
DAMAGE(end_short, set_i64(kept, "neighbors.pairs.start", 150, starts(kept, "neighbors.pairs.start")[150] - 1))
DAMAGE(shape_too_great, set_i32(kept, "neighbors.walls.second", 1, 3))
DAMAGE(shape_negative, set_i32(kept, "neighbors.walls.second", 1, -7))
DAMAGE(wall_start, set_i64(kept, "neighbors.walls.start", 149, -1))
DAMAGE(fewer_rows, part_of(kept, "neighbors.pairs.start")->rows--)
DAMAGE(fewer_wall_rows, part_of(kept, "neighbors.walls.start")->rows--)
DAMAGE(no_rows, part_of(kept, "neighbors.pairs.start")->rows = 0)
DAMAGE(fewer_entries, part_of(kept, "neighbors.pairs.second")->rows--)
DAMAGE(fewer_names, part_of(kept, "neighbors.memory.names")->rows--)
DAMAGE(shorter_names, part_of(kept, "neighbors.memory.names")->columns--)
DAMAGE(fewer_references, part_of(kept, "neighbors.reference.y")->rows--)
DAMAGE(reference_nan, set_f64(kept, "neighbors.reference.x", 3, NAN))
DAMAGE(reference_infinite, set_f64(kept, "neighbors.reference.y", 3, INFINITY))
DAMAGE(bound_negative, set_f64(kept, "neighbors.skin.bound", 149, -1.0))
DAMAGE(bound_infinite, set_f64(kept, "neighbors.skin.bound", 149, INFINITY))
DAMAGE(margin_nan, set_f64(kept, "neighbors.skin.margin", 0, NAN))
DAMAGE(pose_nan, set_f64(kept, "neighbors.skin.bodies", 4, NAN))
DAMAGE(fewer_bodies, part_of(kept, "neighbors.skin.bodies")->rows--)
DAMAGE(floor_nan, set_f64(kept, "neighbors.skin.numbers", 0, NAN))
DAMAGE(horizon_negative, set_f64(kept, "neighbors.skin.numbers", 1, -3.0))
DAMAGE(built_is_two, set_i64(kept, "neighbors.skin.counters", 0, 2))
DAMAGE(not_built, set_i64(kept, "neighbors.skin.counters", 0, 0))
DAMAGE(valid_is_nine, set_i64(kept, "neighbors.skin.counters", 1, 9))
DAMAGE(age_negative, set_i64(kept, "neighbors.skin.counters", 2, -1))
DAMAGE(particles_negative, set_i64(kept, "neighbors.skin.counters", 5, -150))
DAMAGE(particles_too_many, set_i64(kept, "neighbors.skin.counters", 5, 151))
DAMAGE(bodies_negative, set_i64(kept, "neighbors.skin.counters", 6, -1))
DAMAGE(shapes_too_many, set_i64(kept, "neighbors.skin.counters", 7, 4))
DAMAGE(shapes_too_few, set_i64(kept, "neighbors.skin.counters", 7, 0))
DAMAGE(memory_count_wrong, set_i64(kept, "neighbors.skin.counters", 8, 3))
DAMAGE(wrong_type, memcpy(part_of(kept, "neighbors.skin.bound")->type, "i64", 4))
DAMAGE(wrong_columns, part_of(kept, "neighbors.pairs.second")->columns = 2)

static void every_number_comes_back(void **state)
{
  (void)state;
  scene all;
  make_scene(&all, 2);
  step_scene(&all, NULL);
  stored kept;
  store(&all, all.near, &kept);
  for (int k = 0; k < 4; k++) set_f64(&kept, "neighbors.skin.numbers", k, 0.125 * (k + 1));
  for (int k = 2; k < 5; k++) set_i64(&kept, "neighbors.skin.counters", k, 100 + k);
  assert_ok(&all.env, neighbors_restore(all.near, &kept.list, 150, 3));
  remember(all.near, all.time); /* as in step_scene */
  assert_same_scene(&all, all.near, &kept);
  free_stored(&kept);
  scene_free(&all);
}

static void damaged_sections_are_refused(void **state)
{
  (void)state;
  static const damage_function damages[] = {
      second_too_great,   second_negative, second_below_first, second_huge,        second_twice,
      start_not_zero,     start_descends,  start_beyond,       end_short,          shape_too_great,
      shape_negative,     wall_start,      fewer_rows,         fewer_wall_rows,    no_rows,
      fewer_entries,      fewer_names,     shorter_names,      fewer_references,   reference_nan,
      reference_infinite, bound_negative,  bound_infinite,     margin_nan,         pose_nan,
      fewer_bodies,       floor_nan,       horizon_negative,   built_is_two,       not_built,
      valid_is_nine,      age_negative,    particles_negative, particles_too_many, bodies_negative,
      shapes_too_many,    shapes_too_few,  memory_count_wrong, wrong_type,         wrong_columns};
  scene all, other;
  make_scene(&all, 2);
  make_scene(&other, 2);
  for (int step = 0; step < 5; step++) step_scene(&all, NULL);
  step_scene(&other, NULL);
  stored before;
  store(&other, other.near, &before);
  for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
    stored kept;
    store(&all, all.near, &kept);
    damages[k](&kept);
    all.env.message[0] = 0;
    floc_status status = neighbors_restore(other.near, &kept.list, 150, 3);
    if (status != FLOC_DAMAGED_FILE) fail_msg("damage %d: %s", (int)k, floc_status_name(status));
    assert_true(strlen(all.env.message) + strlen(other.env.message) > 10);
    assert_same_scene(&other, other.near, &before);
    free_stored(&kept);
  }
  free_stored(&before);
  scene_free(&all);
  scene_free(&other);
}

static void missing_sections_are_refused(void **state)
{
  (void)state;
  scene all, other;
  make_scene(&all, 3);
  make_scene(&other, 3);
  step_scene(&all, NULL);
  stored kept;
  store(&all, all.near, &kept);
  for (int32_t k = 0; k < kept.list.count; k++) {
    const char *name = kept.list.item[k].name;
    if (strcmp(name, "neighbors.memory.names") == 0 || strncmp(name, "for comparison", 14) == 0) continue;
    char first = kept.list.item[k].name[0];
    kept.list.item[k].name[0] = '?';
    assert_int_equal(neighbors_restore(other.near, &kept.list, 150, 3), FLOC_DAMAGED_FILE);
    kept.list.item[k].name[0] = first;
  }
  assert_int_equal(neighbors_restore(other.near, &kept.list, 149, 3), FLOC_DAMAGED_FILE);
  assert_int_equal(neighbors_restore(other.near, &kept.list, 150, 2), FLOC_DAMAGED_FILE);
  assert_ok(&other.env, neighbors_restore(other.near, &kept.list, 150, 3));
  free_stored(&kept);
  scene_free(&all);
  scene_free(&other);
}

static void other_names_of_memory_are_refused(void **state)
{
  (void)state;
  scene all;
  make_scene(&all, 2);
  step_scene(&all, NULL);
  stored kept;
  store(&all, all.near, &kept);
  ((char *)(uintptr_t)part_of(&kept, "neighbors.memory.names")->data)[MEMORY_NAME_SIZE] = 'd';
  assert_int_equal(neighbors_restore(all.near, &kept.list, 150, 3), FLOC_STRUCTURE_MISMATCH);
  assert_string_equal(all.env.message, "pair memory 2 is \"damma\" in the file and \"gamma\" here");
  free_stored(&kept);
  scene_free(&all);
}

/* ---- failing allocations ---- */

typedef struct failing {
  int64_t left; /* calls that still succeed; negative: all do */
  size_t bytes; /* held at present */
} failing;

static void *fail_later(void *context, void *pointer, size_t old_size, size_t new_size)
{
  failing *all = context;
  if (new_size > 0 && all->left == 0) return NULL;
  if (new_size > 0 && all->left > 0) all->left--;
  all->bytes += new_size - old_size;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static void failing_updates_leave_the_old_lists(void **state)
{
  (void)state;
  scene all;
  make_scene(&all, 2);
  failing memory = {-1, 0};
  environment env = all.env;
  env.allocate = fail_later;
  env.allocate_context = &memory;
  neighbors *near = NULL;
  int32_t index;
  for (memory.left = 0; neighbors_create(&env, 2, &near) != FLOC_OK; memory.left++) assert_null(near);
  for (memory.left = 0; neighbors_add_memory(near, "impulse", &index) != FLOC_OK; memory.left++)
    assert_int_equal(neighbors_memory_count(near), 0);
  bool rebuilt = false;
  int failures = 0;
  for (int round = 0; round < 4; round++) {
    double upper[3] = {9.0, 9.0, 0.0};
    stored before;
    memory.left = -1;
    add_cloud(&all, 100 << round, unit_lower, upper, 0.1, 0.6);
    for (int64_t i = 0; i < all.table.count; i++) all.reach[i] = 0.05;
    store(&all, near, &before);
    for (int n = 0;; n++) {
      memory.left = n;
      floc_status status = neighbors_update(near, &all.table, &all.obstacles, &all.box, all.reach, 0.0, &rebuilt);
      if (status == FLOC_OK) break;
      failures++;
      memory.left = -1;
      assert_int_equal(status, FLOC_OUT_OF_MEMORY);
      assert_false(rebuilt);
      assert_same_scene(&all, near, &before);
    }
    assert_true(rebuilt);
    free_stored(&before);
    neighbors *kept = all.near;
    all.near = near;
    check_pairs(&all);
    check_walls(&all);
    all.near = kept;
  }
  assert_true(failures > 20);
  neighbors_destroy(near);
  assert_int_equal(memory.bytes, 0);
  scene_free(&all);
}

static void failing_orders_leave_the_old_names(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 43, 1);
  double upper[3] = {90.0, 90.0, 0.0};
  add_cloud(&all, 8500, unit_lower, upper, 0.3, 0.4);
  failing memory = {-1, 0};
  environment env = all.env;
  env.allocate = fail_later;
  env.allocate_context = &memory;
  neighbors *near;
  assert_ok(&env, neighbors_create(&env, 2, &near));
  bool rebuilt, worthwhile;
  assert_ok(&env, neighbors_update(near, &all.table, &all.obstacles, &all.box, all.reach, 0.0, &rebuilt));
  int32_t *order = malloc(8500 * sizeof *order);
  assert_non_null(order);
  stored before;
  store(&all, near, &before);
  int failures = 0;
  for (int n = 0;; n++, failures++) {
    memory.left = n;
    if (neighbors_sort_order(near, &all.table, &all.box, order, &worthwhile) == FLOC_OK) break;
    assert_false(worthwhile);
    memory.left = -1;
    assert_same_scene(&all, near, &before);
  }
  assert_true(worthwhile && failures > 0);
  assert_ok(&all.env, particles_permute(&all.table, order));
  memory.left = 0; /* once an order was given, taking it over needs no memory */
  assert_ok(&env, neighbors_permute(near, &all.table, order));
  memory.left = -1;
  neighbors *kept = all.near;
  all.near = near;
  check_rows(neighbors_pairs(near), 8500, 8500, true);
  check_incoming(neighbors_pairs(near), 8500);
  assert_false(update_scene(&all));
  all.near = kept;
  free_stored(&before);
  neighbors_destroy(near);
  assert_int_equal(memory.bytes, 0);
  free(order);
  scene_free(&all);
}

static void failing_restores_leave_the_old_state(void **state)
{
  (void)state;
  scene all;
  make_scene(&all, 3);
  for (int step = 0; step < 3; step++) step_scene(&all, NULL);
  stored kept, before;
  store(&all, all.near, &kept);
  failing memory = {-1, 0};
  environment env = all.env;
  env.allocate = fail_later;
  env.allocate_context = &memory;
  neighbors *near;
  int32_t index;
  assert_ok(&env, neighbors_create(&env, 3, &near));
  assert_ok(&env, neighbors_add_memory(near, "impulse", &index));
  assert_ok(&env, neighbors_add_memory(near, "gamma", &index));
  store(&all, near, &before);
  int failures = 0;
  for (int n = 0;; n++, failures++) {
    memory.left = n;
    if (neighbors_restore(near, &kept.list, 150, 3) == FLOC_OK) break;
    memory.left = -1;
    assert_same_scene(&all, near, &before);
  }
  assert_true(failures > 5);
  copy_pair_memory(all.near, near);
  assert_same(near, all.near, 150);
  memory.left = 0; /* nor does listing, without memory, do harm */
  section_list listed;
  section_list_init(&listed, &env);
  assert_int_equal(neighbors_sections(near, &listed), FLOC_OUT_OF_MEMORY);
  section_list_free(&listed);
  assert_same(near, all.near, 150);
  free_stored(&kept);
  free_stored(&before);
  neighbors_destroy(near);
  assert_int_equal(memory.bytes, 0);
  scene_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_resumed_run_goes_on_bit_for_bit),
      cmocka_unit_test(a_resumed_run_sorts_when_the_other_does),
      cmocka_unit_test(an_empty_state_can_be_restored),
      cmocka_unit_test(every_number_comes_back),
      cmocka_unit_test(damaged_sections_are_refused),
      cmocka_unit_test(missing_sections_are_refused),
      cmocka_unit_test(other_names_of_memory_are_refused),
      cmocka_unit_test(failing_updates_leave_the_old_lists),
      cmocka_unit_test(failing_orders_leave_the_old_names),
      cmocka_unit_test(failing_restores_leave_the_old_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
