/*
 * The state of ballistic time stepping: checkpoints at any step, storage in any order, threads, edits by the host,
 * damaged files, failing memory, wrong input.
 */
#include "ballistic_variants.h"

static const double NOTHING[3] = {0, 0, 0};

/* ---- resume ---- */

static void copy_columns(rig *to, const rig *from)
{
  assert_int_equal(to->table.column_count, from->table.column_count);
  for (int32_t k = 0; k < from->table.column_count; k++)
    memcpy(to->table.column[k], from->table.column[k], (size_t)from->table.count * sizeof(double));
  to->time = from->time;
  to->step = from->step;
}

static void assert_same_columns(const rig *a, const rig *b, const char *when)
{
  for (int32_t k = 0; k < a->table.column_count; k++)
    if (memcmp(a->table.column[k], b->table.column[k], (size_t)a->table.count * sizeof(double)) != 0)
      fail_msg("%s: column %s differs", when, a->table.name[k]);
}

static void resume_from(rig *kept, rig *resumed)
{
  section_list list;
  section_list_init(&list, &kept->env);
  assert_ok(&kept->env, kept->method.sections(kept->method.state, &list));
  assert_ok(&resumed->env, resumed->method.restore(resumed->method.state, &list, kept->table.count, 0));
  section_list_free(&list);
  copy_columns(resumed, kept);
}

enum { STEPS = 40, AFTER = 8 };

/* At every step of a run, into a scheme that had another past. */
static void resume_at_every_step(const situation *where)
{
  uint64_t hash[STEPS + AFTER + 1];
  rig first, second;
  start(&first, where);
  for (int k = 0; k <= STEPS + AFTER; k++) {
    hash[k] = state_hash(&first);
    rig_step(&first, chosen_time_step(where));
  }
  rig_free(&first);
  start(&first, where);
  for (int k = 0; k < STEPS; k += 1 + k / 8) {
    while (first.step < k) rig_step(&first, chosen_time_step(where));
    start(&second, where);
    if (k % 2 == 1) rig_step(&second, 0.01);
    resume_from(&first, &second);
    for (int n = 0; n <= AFTER; n++) {
      if (state_hash(&second) != hash[k + n])
        fail_msg("%s: resumed at step %d, different at step %d", name_of(where), k, k + n);
      rig_step(&second, chosen_time_step(where));
    }
    rig_free(&second);
  }
  rig_free(&first);
}

static void resume_is_bit_for_bit(void **state)
{
  (void)state;
  for (int k = 0; k < USUAL_VARIANTS; k++)
    for (int32_t dimension = 2; dimension <= 3; dimension++)
      for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
        resume_at_every_step(&(situation){&variants[k], dimension, boundary, k % 2 == 0, boundary != 0, 3});
}

/* A long run: the choice of the skin, which looks at counters, comes after many steps. */
static void long_runs_resume_bit_for_bit(void **state)
{
  (void)state;
  for (int k = 0; k < USUAL_VARIANTS; k++) {
    situation where = {&variants[k], 2, FLOC_BOUNDARY_WALL, false, false, 5};
    rig kept, resumed;
    start(&kept, &where);
    start(&resumed, &where);
    for (int step = 0; step < 90; step++) rig_step(&kept, chosen_time_step(&where));
    resume_from(&kept, &resumed);
    for (int step = 0; step < 300; step++) {
      rig_step(&kept, chosen_time_step(&where));
      rig_step(&resumed, chosen_time_step(&where));
    }
    assert_same_columns(&kept, &resumed, name_of(&where));
    assert_true(state_hash(&kept) == state_hash(&resumed));
    assert_int_equal(counts(&kept).links, counts(&resumed).links);
    rig_free(&kept);
    rig_free(&resumed);
  }
}

/* ---- storage and threads ---- */

static void reorder(rig *all, uint64_t seed)
{
  int32_t count = (int32_t)all->table.count;
  int32_t *order = malloc((size_t)count * sizeof *order);
  for (int32_t k = 0; k < count; k++) order[k] = k;
  for (int32_t k = count - 1; k > 0; k--) {
    double u[4];
    random_uniform4(seed, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    int32_t other = (int32_t)(u[0] * (k + 1)), kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
  assert_ok(&all->env, particles_permute(&all->table, order));
  assert_ok(&all->env, all->method.permute(all->method.state, &all->table, order));
  free(order);
}

/* Before the first step, and between steps: every particle goes the same way to the last bit. */
static void storage_may_be_reordered(void **state)
{
  (void)state;
  for (int k = 0; k < USUAL_VARIANTS; k++) {
    situation where = {&variants[k], 2, k % 3, k % 2 == 0, true, 4};
    rig still, turned;
    start(&still, &where);
    start(&turned, &where);
    for (int step = 0; step < 25; step++) {
      if (step % 3 == 0) reorder(&turned, (uint64_t)step + 1);
      rig_step(&still, chosen_time_step(&where));
      rig_step(&turned, chosen_time_step(&where));
      for (int64_t id = 1; id <= still.table.count; id++)
        for (int32_t column = 0; column < still.table.column_count; column++)
          if (rig_value(&still, column, id) != rig_value(&turned, column, id))
            fail_msg("%s: particle %d, %s, after step %d", name_of(&where), (int)id, still.table.name[column],
                     step);
      assert_int_equal(rig_components(&turned), counts(&turned).clusters);
    }
    rig_free(&still);
    rig_free(&turned);
  }
}

static void bits_do_not_depend_on_threads(void **state)
{
  (void)state;
  const int32_t threads[] = {1, 2, 3, 8};
  for (int k = 0; k < USUAL_VARIANTS; k++) {
    uint64_t expected = 0;
    for (int n = 0; n < 4; n++) {
      situation where = {&variants[k], 2, FLOC_BOUNDARY_PERIODIC, true, true, 6};
      rig all;
      start(&all, &where);
      all.env.threads = threads[n];
      for (int step = 0; step < 30; step++) rig_step(&all, chosen_time_step(&where));
      if (n == 0) expected = state_hash(&all);
      assert_true(state_hash(&all) == expected);
      rig_free(&all);
    }
  }
}

/* ---- the host changes things between steps ---- */

static void edits_of_the_table_are_seen(void **state)
{
  (void)state;
  rig all;
  floc_ballistic_options options = with_step(0.0);
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_ballistic(&all, &options);
  rig_add(&all, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){2, 0, 0}, NOTHING, 0.5, 1.0);
  rig_add(&all, (double[3]){20, 0, 0}, NOTHING, 0.5, 1.0);
  rig_step(&all, 1.25); /* 1 and 2 have stuck */
  assert_int_equal(counts(&all).clusters, 2);
  all.table.column[COLUMN_vx][0] = 2.5;
  rig_step(&all, 1.0); /* their cluster takes the mean of 2.5 and 0.5 */
  assert_close(rig_value(&all, COLUMN_vx, 2), 1.5, 1e-15);
  rig_add(&all, (double[3]){rig_value(&all, COLUMN_x, 2) + 2.25, 0, 0}, NOTHING, 0.5, 1.0);
  rig_step(&all, 1.0);
  assert_close(rig_value(&all, COLUMN_vx, 4), 1.0, 1e-15);
  assert_int_equal(counts(&all).links, 2);
  rig_free(&all);
}

/* Clusters that turn keep turning when a particle is added far away, also through a periodic face. */
static void rotation_survives_an_edit(void **state)
{
  (void)state;
  for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++) {
    situation where = {&variants[3], 2, boundary, false, false, 8};
    rig all;
    start(&all, &where);
    for (int step = 0; step < 30; step++) rig_step(&all, 1e3);
    double energy = all.report.kinetic_energy;
    all.table.column[COLUMN_x][0] = nextafter(all.table.column[COLUMN_x][0], 100.0);
    rig_step(&all, 1e-9); /* built again from the table and the links */
    assert_close(all.report.kinetic_energy, energy, 1e-7 * energy);
    rig_free(&all);
  }
}

/* ---- damaged files, failing memory ---- */

/* Every section missing, of another type, or with one number that cannot be: refused or harmless. */
static void damage_sections(const situation *where)
{
  rig all, other;
  start(&all, where);
  start(&other, where);
  for (int k = 0; k < 15; k++) rig_step(&all, chosen_time_step(where));
  for (int k = 0; k < 10; k++) rig_step(&other, chosen_time_step(where));
  section_list list;
  section_list_init(&list, &all.env);
  assert_ok(&all.env, all.method.sections(all.method.state, &list));
  uint64_t hash = state_hash(&other);
  int64_t count = all.table.count;
  int refused = 0;
  for (int32_t k = 0; k < list.count; k++) {
    section whole = list.item[k];
    if (strstr(whole.name, "report")) continue;
    list.item[k].name[0] = 'x';
    assert_int_equal(other.method.restore(other.method.state, &list, count, 0), FLOC_DAMAGED_FILE);
    list.item[k] = whole;
    strcpy(list.item[k].type, "u8");
    assert_int_equal(other.method.restore(other.method.state, &list, count, 0), FLOC_DAMAGED_FILE);
    list.item[k] = whole;
    assert_true(state_hash(&other) == hash);
    size_t size = section_type_size(whole.type), numbers = (size_t)(whole.rows * whole.columns);
    if (whole.type[0] == 'f') continue; /* any number may be true */
    for (size_t n = 0; n < numbers; n += 1 + numbers / 20) {
      char *copy = malloc(numbers * size + 1);
      memcpy(copy, whole.data, numbers * size);
      memset(copy + n * size, 0x7e, size);
      list.item[k].data = copy;
      floc_status status = other.method.restore(other.method.state, &list, count, 0);
      assert_true(status == FLOC_OK || status == FLOC_DAMAGED_FILE);
      refused += status == FLOC_DAMAGED_FILE;
      list.item[k] = whole;
      free(copy);
      if (status == FLOC_DAMAGED_FILE) assert_true(state_hash(&other) == hash);
      assert_ok(&other.env, other.method.restore(other.method.state, &list, count, 0));
      hash = state_hash(&other);
    }
  }
  assert_true(refused > 50);
  section_list_free(&list);
  rig_free(&all);
  rig_free(&other);
}

static void damaged_sections_are_refused(void **state)
{
  (void)state;
  for (int k = 0; k < USUAL_VARIANTS; k += 3)
    damage_sections(&(situation){&variants[k], 2, FLOC_BOUNDARY_PERIODIC, true, true, 4});
}

/* Every allocation of two steps and of a checkpoint fails once; the table stays as it was and the next try works.
 */
static void fail_everywhere(const situation *where)
{
  bool finished = false;
  for (int allowed = 0; !finished; allowed++) {
    rig all;
    rationed stock = {INT32_MAX};
    start(&all, where);
    all.env.allocate = ration;
    all.env.allocate_context = &stock;
    section_list list;
    section_list_init(&list, &all.env);
    stock.left = allowed;
    floc_status status = FLOC_OK;
    for (int k = 0; k < 12 && status == FLOC_OK; k++) {
      double x = all.table.column[COLUMN_x][17];
      status = rig_try_step(&all, chosen_time_step(where));
      if (status != FLOC_OK) assert_true(all.table.column[COLUMN_x][17] == x);
    }
    if (status == FLOC_OK) {
      status = all.method.sections(all.method.state, &list);
      finished = status == FLOC_OK;
    }
    assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
    section_list_free(&list);
    stock.left = INT32_MAX;
    for (int k = 0; k < 3; k++) rig_step(&all, chosen_time_step(where));
    assert_int_equal(rig_components(&all), counts(&all).clusters);
    assert_true(rig_worst_overlap(&all) <= where->how->tolerance * (1 + 1e-6));
    rig_free(&all);
    assert_true(allowed < 2000);
  }
}

static void failing_memory_leaves_the_state(void **state)
{
  (void)state;
  for (int k = 0; k < USUAL_VARIANTS; k++)
    fail_everywhere(&(situation){&variants[k], 2, FLOC_BOUNDARY_PERIODIC, false, true, 2});
}

/* ---- wrong input ---- */

static void wrong_numbers_are_named(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles table;
  particles_init(&table, &env);
  scheme made;
  const struct {
    size_t place;
    double value;
    const char *text;
  } wrong[] = {{offsetof(floc_ballistic_options, step_factor), -1, "step_factor is -1"},
               {offsetof(floc_ballistic_options, tolerance), 0, "tolerance is 0"},
               {offsetof(floc_ballistic_options, descent), -0.1, "descent is -0.1"},
               {offsetof(floc_ballistic_options, ascent), INFINITY, "ascent is inf"},
               {offsetof(floc_ballistic_options, penalty), 0, "penalty is 0"},
               {offsetof(floc_ballistic_options, damping), NAN, "damping is"},
               {offsetof(floc_ballistic_options, skin), -2, "skin is -2"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    floc_ballistic_options options = with_step(1.0);
    memcpy((char *)&options + wrong[k].place, &wrong[k].value, sizeof(double));
    assert_int_equal(ballistic_create(&env, &table, 2, &options, &made), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(env.message, wrong[k].text));
  }
  floc_ballistic_options options = with_step(1.0);
  options.minimiser = 7;
  assert_int_equal(ballistic_create(&env, &table, 2, &options, &made), FLOC_INVALID_ARGUMENT);
  options = with_step(1.0);
  options.max_iterations = 0;
  assert_int_equal(ballistic_create(&env, &table, 2, &options, &made), FLOC_INVALID_ARGUMENT);
  options = with_step(1.0);
  options.patience = -1;
  assert_int_equal(ballistic_create(&env, &table, 2, &options, &made), FLOC_INVALID_ARGUMENT);
  options = with_step(1.0);
  options.rigid = options.rotation = true;
  assert_int_equal(ballistic_create(&env, &table, 2, &options, &made), FLOC_NOT_SUPPORTED);
  assert_int_equal(floc_ballistic_options_init(NULL), FLOC_INVALID_ARGUMENT);
  particles_free(&table);
}

static void wrong_starts_are_refused(void **state)
{
  (void)state;
  rig all;
  floc_ballistic_options options = with_step(1.0);
  rig_init(&all, 2, FLOC_BOUNDARY_WALL, 10.0);
  use_ballistic(&all, &options);
  rig_step(&all, 1.0); /* no particles: nothing happens */
  rig_add(&all, (double[3]){0.2, 5, 0}, NOTHING, 0.5, 1.0);
  assert_int_equal(rig_try_step(&all, 1.0), FLOC_ESCAPED);
  all.table.column[COLUMN_x][0] = NAN;
  assert_int_equal(rig_try_step(&all, 1.0), FLOC_NOT_A_NUMBER);
  all.table.column[COLUMN_x][0] = 5.0;
  rig_step(&all, 1.0);
  rig_free(&all);
  rig_init(&all, 2, FLOC_BOUNDARY_PERIODIC, 2.0);
  use_ballistic(&all, &options);
  rig_add(&all, (double[3]){1, 1, 0}, NOTHING, 0.5, 1.0);
  assert_int_equal(rig_try_step(&all, 1.0), FLOC_NOT_SUPPORTED);
  rig_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resume_is_bit_for_bit),        cmocka_unit_test(long_runs_resume_bit_for_bit),
      cmocka_unit_test(storage_may_be_reordered),     cmocka_unit_test(bits_do_not_depend_on_threads),
      cmocka_unit_test(edits_of_the_table_are_seen),  cmocka_unit_test(rotation_survives_an_edit),
      cmocka_unit_test(damaged_sections_are_refused), cmocka_unit_test(failing_memory_leaves_the_state),
      cmocka_unit_test(wrong_numbers_are_named),      cmocka_unit_test(wrong_starts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
