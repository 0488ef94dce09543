/*
 * The particle table: columns and names, growth, taking back, reordering, bad numbers, checkpoints.
 */
#include "failing_allocator.h"

#include "base/numbers/random.h"
#include "particles/particles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number that says which particle and which column it belongs to. */
static double mark(int64_t id, int32_t column)
{
  return (double)id + 0.001 * (double)column;
}

static void fill(particles *table, environment *env, int64_t count)
{
  for (int64_t k = 0; k < count; k++) {
    int64_t id = 0;
    assert_ok(env, particles_append(table, &id));
    assert_int_equal(id, table->count);
    for (int32_t c = 0; c < table->column_count; c++) table->column[c][table->count - 1] = mark(id, c);
  }
}

static void check_marks(const particles *table)
{
  for (int64_t slot = 0; slot < table->count; slot++) {
    assert_in_range(table->id[slot], 1, table->count);
    assert_int_equal(table->slot[table->id[slot] - 1], slot);
    for (int32_t c = 0; c < table->column_count; c++)
      assert_true(table->column[c][slot] == mark(table->id[slot], c));
  }
}

/* Fisher and Yates. */
static void shuffle(int32_t *order, int64_t count, uint64_t seed)
{
  for (int64_t k = 0; k < count; k++) order[k] = (int32_t)k;
  for (int64_t k = count - 1; k > 0; k--) {
    double u[4];
    random_uniform4(seed, (uint64_t)k, 0, RANDOM_SCRIPT, 0, u);
    int64_t other = (int64_t)(u[0] * (double)(k + 1));
    int32_t kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
}

static void new_particles_are_zero_but_for_attributes(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles table;
  particles_init(&table, &env);
  assert_int_equal(table.column_count, BUILTIN_COLUMN_COUNT);
  assert_ok(&env, particles_add_attribute(&table, "charge", 2.5));
  fill(&table, &env, 100);
  assert_ok(&env, particles_add_attribute(&table, "_t2", -1.0));
  for (int64_t k = 0; k < 100; k++) assert_true(table.column[BUILTIN_COLUMN_COUNT + 1][k] == -1.0);
  particles_truncate(&table, 40); /* what stood in the slots before must not shine through */
  for (int64_t k = 0; k < 100; k++) assert_ok(&env, particles_append(&table, NULL));
  for (int64_t k = 40; k < 140; k++) {
    for (int32_t c = 0; c < BUILTIN_COLUMN_COUNT; c++) assert_true(table.column[c][k] == 0.0);
    assert_true(table.column[BUILTIN_COLUMN_COUNT][k] == 2.5);
    assert_true(table.column[BUILTIN_COLUMN_COUNT + 1][k] == -1.0);
    assert_int_equal(table.id[k], k + 1);
  }
  particles_free(&table);
}

static void names_lead_to_columns(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles table;
  particles_init(&table, &env);
  assert_int_equal(particles_find_column(&table, "x"), COLUMN_x);
  assert_int_equal(particles_find_column(&table, "vz"), COLUMN_vz);
  assert_int_equal(particles_find_column(&table, "mass"), COLUMN_mass);
  assert_int_equal(particles_find_column(&table, "charge"), -1);
  assert_ok(&env, particles_add_attribute(&table, "charge", 0.0));
  assert_int_equal(particles_find_column(&table, "charge"), BUILTIN_COLUMN_COUNT);
  particles_free(&table);
  assert_int_equal(particles_find_column(&table, "charge"), -1);
}

static void wrong_attributes_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    floc_status status;
    const char *text;
  } wrong[] = {
      {NULL, FLOC_INVALID_ARGUMENT, "NULL"},
      {"", FLOC_INVALID_ARGUMENT, "letters"},
      {"2nd", FLOC_INVALID_ARGUMENT, "\"2nd\""},
      {"two words", FLOC_INVALID_ARGUMENT, "\"two words\""},
      {"h\xc3\xb6he", FLOC_INVALID_ARGUMENT, "letters"},
      {"a_name_of_forty_eight_characters_is_one_too_long", FLOC_INVALID_ARGUMENT, "48 characters; at most 47"},
      {"id", FLOC_INVALID_ARGUMENT, "reserved"},
      {"time", FLOC_INVALID_ARGUMENT, "reserved"},
      {"t", FLOC_INVALID_ARGUMENT, "reserved"},
      {"radius", FLOC_ALREADY_EXISTS, "\"radius\" is a built-in column"},
      {"known", FLOC_ALREADY_EXISTS, "\"known\" is an attribute"},
  };
  environment env = test_environment(1);
  particles table;
  particles_init(&table, &env);
  assert_ok(&env, particles_add_attribute(&table, "known", 0.0));
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_int_equal(particles_add_attribute(&table, wrong[k].name, 0.0), wrong[k].status);
    if (!strstr(env.message, wrong[k].text)) fail_msg("\"%s\" lacks \"%s\"", env.message, wrong[k].text);
  }
  assert_int_equal(particles_add_attribute(&table, "heat", NAN), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "heat"));
  assert_int_equal(table.column_count, BUILTIN_COLUMN_COUNT + 1);
  assert_ok(&env, particles_add_attribute(&table, "a_name_of_forty_seven_characters_is_long_enough", 0.0));
  char name[16];
  for (int32_t k = table.column_count; k < COLUMN_LIMIT; k++) {
    snprintf(name, sizeof name, "a%d", (int)k);
    assert_ok(&env, particles_add_attribute(&table, name, 0.0));
  }
  assert_int_equal(particles_add_attribute(&table, "more", 0.0), FLOC_LIMIT_EXCEEDED);
  fill(&table, &env, 5);
  check_marks(&table);
  particles_free(&table);
}

static void too_many_particles_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles table;
  particles_init(&table, &env);
  fill(&table, &env, 3);
  assert_int_equal(particles_reserve(&table, INT32_MAX), FLOC_LIMIT_EXCEEDED);
  assert_non_null(strstr(env.message, "2147483646"));
  assert_int_equal(table.count, 3);
  check_marks(&table);
  particles_free(&table);
}

static void permutation_moves_whole_particles(void **state)
{
  (void)state;
  enum { COUNT = 30000 };
  int32_t *order = malloc(COUNT * sizeof *order);
  int64_t *before = malloc(COUNT * sizeof *before);
  for (int32_t threads = 1; threads <= 3; threads += 2) {
    environment env = test_environment(threads);
    particles table;
    particles_init(&table, &env);
    assert_ok(&env, particles_add_attribute(&table, "charge", 0.0));
    assert_ok(&env, particles_permute(&table, order)); /* of nothing */
    fill(&table, &env, COUNT);
    for (uint64_t round = 1; round <= 4; round++) {
      shuffle(order, COUNT, round);
      memcpy(before, table.id, COUNT * sizeof *before);
      assert_ok(&env, particles_permute(&table, order));
      for (int64_t k = 0; k < COUNT; k++) assert_int_equal(table.id[k], before[order[k]]);
      check_marks(&table);
    }
    fill(&table, &env, 10); /* growing after a permutation */
    check_marks(&table);
    particles_free(&table);
  }
  free(order);
  free(before);
}

static void truncation_takes_back_the_newest_wherever_they_lie(void **state)
{
  (void)state;
  int32_t order[500];
  environment env = test_environment(1);
  particles table;
  particles_init(&table, &env);
  fill(&table, &env, 500);
  shuffle(order, 500, 9);
  assert_ok(&env, particles_permute(&table, order));
  particles_truncate(&table, 500);
  assert_int_equal(table.count, 500);
  int64_t expected[300], kept = 0;
  for (int64_t slot = 0; slot < 500; slot++)
    if (table.id[slot] <= 300) expected[kept++] = table.id[slot];
  particles_truncate(&table, 300);
  assert_int_equal(table.count, 300);
  assert_memory_equal(table.id, expected, sizeof expected); /* the others keep their order */
  check_marks(&table);
  fill(&table, &env, 7);
  check_marks(&table);
  particles_truncate(&table, 0);
  assert_int_equal(table.count, 0);
  particles_free(&table);
}

static void first_bad_particle_is_found(void **state)
{
  (void)state;
  static const particle_column watched[] = {COLUMN_x, COLUMN_y, COLUMN_z, COLUMN_vx, COLUMN_vy, COLUMN_vz};
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  static const int64_t where[] = {0, 1, 2047, 2048, 17000, 19999};
  enum { COUNT = 20000 };
  for (int32_t threads = 1; threads <= 3; threads++) {
    environment env = test_environment(threads);
    particles table;
    particles_init(&table, &env);
    const domain box = {.dimension = 3};
    assert_ok(&env, particles_check(&table, &box, "now"));
    fill(&table, &env, COUNT);
    for (int64_t k = 0; k < COUNT; k++) table.column[COLUMN_radius][k] = table.column[COLUMN_mass][k] = 1e4;
    table.column[COLUMN_vx][77] = 1.7976931348623157e308;
    table.column[COLUMN_fx][5] = NAN; /* forces are rebuilt in every step */
    assert_ok(&env, particles_check(&table, &box, "now"));
    for (size_t c = 0; c < 6; c++) {
      for (size_t k = 0; k < 6; k++) {
        double *place = &table.column[watched[c]][where[k]], good = *place;
        *place = bad[(c + k) % 3];
        table.column[COLUMN_vy][COUNT - 1] = NAN;
        double *next = &table.column[COLUMN_vx][where[k] < COUNT - 2 ? where[k] + 2 : where[k]], kept = *next;
        *next = NAN; /* one in the same block, one in the last */
        char said[64];
        snprintf(said, sizeof said, "particle %d has position", (int)table.id[where[k]]);
        assert_int_equal(particles_check(&table, &box, "now"), FLOC_NOT_A_NUMBER);
        assert_memory_equal(env.message, said, strlen(said));
        *next = kept;
        table.column[COLUMN_vy][COUNT - 1] = 0.0;
        *place = good;
      }
    }
    particles_free(&table);
  }
}

/* ---- checkpoints ---- */

static void make_table(particles *table, environment *env, int64_t count, uint64_t seed)
{
  particles_init(table, env);
  assert_ok(env, particles_add_attribute(table, "charge", 0.0));
  assert_ok(env, particles_add_attribute(table, "order", 0.0)); /* like the section of ids */
  fill(table, env, count);
  int32_t *order = malloc((size_t)(count + 1) * sizeof *order);
  shuffle(order, count, seed);
  assert_ok(env, particles_permute(table, order));
  free(order);
}

static void state_does_not_see_the_storage_order(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles one, other;
  section_list first, second;
  make_table(&one, &env, 1000, 1);
  make_table(&other, &env, 1000, 2);
  section_list_init(&first, &env);
  section_list_init(&second, &env);
  assert_ok(&env, particles_sections(&one, &first));
  assert_ok(&env, particles_sections(&other, &second));
  assert_true(section_list_hash(&first) == section_list_hash(&second));
  const section *x = section_find(&first, "particles.x"), *order = section_find(&first, "particles.order");
  assert_non_null(x);
  assert_true(x->is_state && !order->is_state);
  for (int64_t k = 0; k < 1000; k++) assert_true(((const double *)x->data)[k] == mark(k + 1, COLUMN_x));
  assert_non_null(section_find(&first, "attribute.charge"));
  other.column[COLUMN_vy][3] += 1e-12;
  section_list_free(&second);
  section_list_init(&second, &env);
  assert_ok(&env, particles_sections(&other, &second));
  assert_true(section_list_hash(&first) != section_list_hash(&second));
  section_list_free(&first);
  section_list_free(&second);
  particles_free(&one);
  particles_free(&other);
}

static void restored_table_is_the_same_in_every_slot(void **state)
{
  (void)state;
  static const int64_t present[] = {0, 10, 5000}; /* particles in the table that is replaced */
  environment env = test_environment(1);
  for (size_t k = 0; k < 3; k++) {
    particles source, target;
    section_list list;
    make_table(&source, &env, 1000, 3);
    make_table(&target, &env, present[k], 4);
    section_list_init(&list, &env);
    assert_ok(&env, particles_sections(&source, &list));
    assert_ok(&env, particles_restore(&target, &list));
    assert_int_equal(target.count, 1000);
    assert_memory_equal(target.id, source.id, 1000 * sizeof *target.id);
    check_marks(&target);
    assert_ok(&env, particles_restore(&source, &list)); /* into itself */
    check_marks(&source);
    section_list_free(&list);
    particles_free(&source);
    particles_free(&target);
  }
}

static void empty_table_is_restored(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles source, target;
  section_list list;
  make_table(&source, &env, 0, 3);
  make_table(&target, &env, 12, 4);
  section_list_init(&list, &env);
  assert_ok(&env, particles_sections(&source, &list));
  section_list_hash(&list);
  assert_ok(&env, particles_restore(&target, &list));
  assert_int_equal(target.count, 0);
  section_list_free(&list);
  particles_free(&source);
  particles_free(&target);
}

/* Files have the name under which a scheme added a column, and either is read. */
static void renamed_columns_are_one(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles former, present;
  section_list list;
  particles_init(&former, &env);
  particles_init(&present, &env);
  assert_ok(&env, particles_need_rotation(&former, 2, true));
  assert_ok(&env, particles_need(&former, OPTIONAL_tz, false));
  assert_ok(&env, particles_add_attribute(&present, "wz", 0.0));
  assert_int_equal(particles_find_column(&former, "angular_velocity_z"), particles_find_column(&former, "wz"));
  assert_ptr_equal(particles_optional(&present, OPTIONAL_wz), present.column[present.optional[OPTIONAL_wz]]);
  assert_int_equal(particles_add_attribute(&former, "wz", 0.0), FLOC_ALREADY_EXISTS);
  assert_int_equal(particles_add_attribute(&present, "angular_velocity_z", 0.0), FLOC_ALREADY_EXISTS);
  fill(&former, &env, 7);
  fill(&present, &env, 2);
  section_list_init(&list, &env);
  assert_ok(&env, particles_sections(&former, &list));
  assert_non_null(section_find(&list, "attribute.angular_velocity_z"));
  assert_null(section_find(&list, "attribute.wz"));
  assert_false(section_find(&list, "particles.tz")->is_state);
  assert_ok(&env, particles_restore(&present, &list));
  for (int64_t i = 0; i < 7; i++)
    assert_true(particles_optional(&present, OPTIONAL_wz)[i] == particles_optional(&former, OPTIONAL_wz)[i]);
  section_list_free(&list);
  section_list_init(&list, &env);
  assert_ok(&env, particles_sections(&present, &list));
  assert_non_null(section_find(&list, "attribute.wz"));
  assert_ok(&env, particles_restore(&former, &list)); /* the torque is not in it */
  assert_true(particles_optional(&former, OPTIONAL_tz)[3] == 0.0);
  double twice[7] = {0.0};
  assert_ok(&env, section_list_add(&list, "attribute.angular_velocity_z", "f64", 7, 1, twice, true));
  assert_int_equal(particles_restore(&former, &list), FLOC_STRUCTURE_MISMATCH);
  assert_non_null(strstr(env.message, "which are one column now"));
  section_list_free(&list);
  particles_free(&former);
  particles_free(&present);
  assert_int_equal(present.optional[OPTIONAL_wz], -1);
}

static void foreign_checkpoints_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles source, fewer, more;
  section_list list;
  make_table(&source, &env, 20, 3);
  particles_init(&fewer, &env);
  assert_ok(&env, particles_add_attribute(&fewer, "order", 0.0));
  fill(&fewer, &env, 3);
  make_table(&more, &env, 3, 5);
  assert_ok(&env, particles_add_attribute(&more, "heat", 0.0));
  section_list_init(&list, &env);
  assert_ok(&env, particles_sections(&source, &list));
  assert_int_equal(particles_restore(&fewer, &list), FLOC_STRUCTURE_MISMATCH);
  assert_non_null(strstr(env.message, "\"charge\""));
  assert_int_equal(particles_restore(&more, &list), FLOC_STRUCTURE_MISMATCH);
  assert_non_null(strstr(env.message, "\"heat\""));
  check_marks(&fewer);
  assert_int_equal(fewer.count, 3);
  assert_int_equal(more.count, 3);

  int64_t order[20];
  section *stored = (section *)section_find(&list, "particles.order");
  static const int64_t wrong[] = {0, 21, -5, INT64_MIN, INT64_MAX};
  for (size_t k = 0; k < 6; k++) {
    memcpy(order, source.id, sizeof order);
    order[7] = k < 5 ? wrong[k] : order[8];
    stored->data = order;
    particles target;
    make_table(&target, &env, 5, 6);
    assert_int_equal(particles_restore(&target, &list), FLOC_DAMAGED_FILE);
    assert_non_null(strstr(env.message, "particles.order"));
    assert_int_equal(target.count, 5);
    particles_free(&target);
  }
  stored->data = source.id;
  ((section *)section_find(&list, "particles.vx"))->rows = 19;
  assert_int_equal(particles_restore(&source, &list), FLOC_DAMAGED_FILE);
  assert_non_null(strstr(env.message, "particles.vx"));
  stored->rows = 3000000000u;
  assert_int_equal(particles_restore(&source, &list), FLOC_LIMIT_EXCEEDED);
  check_marks(&source);
  section_list_free(&list);
  particles_free(&source);
  particles_free(&fewer);
  particles_free(&more);
}

/* ---- memory ---- */

/* Does one of each; every refusal must leave the table as it was. Returns whether all went well. */
static bool use_everything(environment *env)
{
  particles table, copy;
  section_list list;
  particles_init(&table, env);
  particles_init(&copy, env);
  section_list_init(&list, env);
  floc_status status = FLOC_OK;
  for (int k = 0; k < 40 && status == FLOC_OK; k++) {
    int64_t count = table.count;
    status = particles_append(&table, NULL);
    if (status != FLOC_OK) assert_int_equal(table.count, count);
    for (int32_t c = 0; status == FLOC_OK && c < table.column_count; c++)
      table.column[c][table.count - 1] = mark(table.count, c);
  }
  check_marks(&table);
  if (status == FLOC_OK) status = particles_add_attribute(&table, "charge", mark(0, BUILTIN_COLUMN_COUNT));
  if (status == FLOC_OK) status = particles_add_attribute(&copy, "charge", 0.0);
  if (status == FLOC_OK) status = particles_sections(&table, &list);
  if (status == FLOC_OK) status = particles_restore(&copy, &list);
  if (status == FLOC_OK) {
    assert_int_equal(copy.count, 40);
    assert_memory_equal(copy.column[COLUMN_y], table.column[COLUMN_y], 40 * sizeof(double));
  } else {
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_non_null(strstr(env->message, "out of memory"));
    assert_int_equal(copy.count, 0);
  }
  section_list_free(&list);
  particles_free(&table);
  particles_free(&copy);
  return status == FLOC_OK;
}

static void every_failing_allocation_is_survived(void **state)
{
  (void)state;
  failing_allocator counter;
  int64_t refused = 1;
  for (bool done = false; !done; refused++) {
    environment env = failing_environment(&counter, refused);
    done = use_everything(&env);
    assert_int_equal(counter.bytes, 0);
    assert_true(done == (counter.calls < refused));
  }
  assert_true(refused > 40); /* two growths of 13 arrays, attribute, staging, restored table */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_particles_are_zero_but_for_attributes),
      cmocka_unit_test(names_lead_to_columns),
      cmocka_unit_test(wrong_attributes_are_refused),
      cmocka_unit_test(too_many_particles_are_refused),
      cmocka_unit_test(permutation_moves_whole_particles),
      cmocka_unit_test(truncation_takes_back_the_newest_wherever_they_lie),
      cmocka_unit_test(first_bad_particle_is_found),
      cmocka_unit_test(state_does_not_see_the_storage_order),
      cmocka_unit_test(restored_table_is_the_same_in_every_slot),
      cmocka_unit_test(empty_table_is_restored),
      cmocka_unit_test(renamed_columns_are_one),
      cmocka_unit_test(foreign_checkpoints_are_refused),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
