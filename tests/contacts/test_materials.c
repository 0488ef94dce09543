/*
 * Numbers of pairs of materials (engine/contacts/problem/materials.c): asked once, whatever the order, few or many;
 * out of range; rows of checkpoints.
 */
#include "failing_allocator.h"

#include "contacts/problem/materials.h"

#include <math.h>
#include <string.h>

typedef struct host {
  int calls;
  double wrong; /* what it says of materials 5 and 5 */
} host;

static floc_status number_of(void *context, const char *quantity, int32_t i, int32_t j, double *value)
{
  host *self = context;
  assert_string_equal(quantity, "friction");
  assert_true(i <= j);
  self->calls++;
  *value = i == 5 && j == 5 ? self->wrong : 0.25 * i + 10.0 * j;
  return FLOC_OK;
}

static material_table table_of(host *self)
{
  return (material_table){
      .name = "friction", .range = {0.0, 1e300, false}, .ask = {.pair = number_of, .context = self}};
}

static const int32_t materials[] = {0, 1, 2, 63, 64, 65, 1000, INT32_MAX};
enum { MATERIALS = sizeof materials / sizeof *materials };

/* Asks for all pairs in an order that depends on `seed`. */
static void ask_all(material_table *table, environment *env, int seed)
{
  for (int n = 0; n < MATERIALS * MATERIALS; n++) {
    int k = (n * 27 + seed) % (MATERIALS * MATERIALS); /* 27 and 64 have no common factor */
    int32_t a = materials[k % MATERIALS], b = materials[k / MATERIALS];
    double value;
    assert_ok(env, material_ask(table, env, a, b, &value));
    assert_true(value == 0.25 * (a < b ? a : b) + 10.0 * (a < b ? b : a));
    assert_true(material_pair(table, b, a) == value);
  }
}

static void pairs_are_asked_once(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int seed = 0; seed < 5; seed++) {
    host self = {0, 1.0};
    material_table table = table_of(&self);
    assert_true(isnan(material_pair(&table, 0, 0)) && isnan(material_pair(&table, 0, 1000)));
    assert_true(material_least(&table) == INFINITY);
    ask_all(&table, &env, seed);
    assert_int_equal(self.calls, MATERIALS * (MATERIALS + 1) / 2);
    assert_true(material_least(&table) == 10.0);
    assert_true(isnan(material_pair(&table, 3, 1000)));
    material_table_free(&table, &env);
  }
}

static void wrong_numbers_are_named(void **state)
{
  (void)state;
  static const double wrong[] = {-1.0, NAN, INFINITY};
  environment env = test_environment(1);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    host self = {0, wrong[k]};
    material_table table = table_of(&self);
    double value;
    assert_int_equal(material_ask(&table, &env, 5, 5, &value), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(env.message, "friction of materials 5 and 5 is "));
    assert_true(isnan(material_pair(&table, 5, 5))); /* and asked again */
    assert_int_equal(material_ask(&table, &env, 5, 5, &value), FLOC_INVALID_ARGUMENT);
    assert_int_equal(self.calls, 2);
    material_table_free(&table, &env);
  }
}

static void rows_give_tables_back(void **state)
{
  (void)state;
  environment env = test_environment(1);
  host self = {0, 1.0}, silent = {0, 1.0};
  material_table tables[2] = {{.name = "rolling"}, table_of(&self)},
                 again[2] = {{.name = "rolling"}, table_of(&silent)};
  const material_table *from[2] = {&tables[0], &tables[1]};
  material_table *to[2] = {&again[0], &again[1]};
  double rows[MATERIALS * MATERIALS * MATERIAL_ROW];
  assert_int_equal(material_rows(from, 2, NULL), 0);
  ask_all(&tables[1], &env, 1);
  int64_t count = material_rows(from, 2, rows);
  assert_int_equal(count, MATERIALS * (MATERIALS + 1) / 2);
  section list = {.name = "pairs", .type = "f64", .rows = (uint64_t)count, .columns = MATERIAL_ROW, .data = rows};
  assert_ok(&env, material_restore(to, 2, &env, &list));
  ask_all(&again[1], &env, 3);
  assert_int_equal(silent.calls, 0);
  static const double bad[][2] = {{0, 7.0}, {0, 0.5}, {0, -1.0}, {1, -1.0}, {2, 1e10}, {3, -1.0}, {3, NAN}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    double *place = rows + MATERIAL_ROW + (int)bad[k][0], kept = *place;
    *place = bad[k][1];
    assert_int_equal(material_restore(to, 2, &env, &list), FLOC_DAMAGED_FILE);
    *place = kept;
  }
  rows[0] = 0.0; /* rolling is one number here */
  assert_int_equal(material_restore(to, 2, &env, &list), FLOC_STRUCTURE_MISMATCH);
  assert_non_null(strstr(env.message, "rolling"));
  material_table_free(&tables[1], &env);
  material_table_free(&again[1], &env);
}

static void names_choose(void **state)
{
  (void)state;
  environment env = test_environment(1);
  host self = {0, 1.0};
  material_function ask = {.pair = number_of, .context = &self};
  material_table tables[2] = {{.name = "rolling"}, {.name = "friction"}};
  assert_ok(&env, material_choose(&env, NULL, ask, tables, 2));
  assert_true(material_is_uniform(&tables[0]) && material_is_uniform(&tables[1]));
  assert_ok(&env, material_choose(&env, "  friction ", ask, tables, 2));
  assert_true(material_is_uniform(&tables[0]) && !material_is_uniform(&tables[1]));
  assert_int_equal(material_choose(&env, "friction roll", ask, tables, 2), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "roll is none"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_asked_once),
      cmocka_unit_test(wrong_numbers_are_named),
      cmocka_unit_test(rows_give_tables_back),
      cmocka_unit_test(names_choose),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
