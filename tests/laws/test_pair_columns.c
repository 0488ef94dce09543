/*
 * Pairs of a law and contacts as columns in a host's own structs: stride, capacity, counting first, refusals. What
 * the numbers are is tested from Lua (tests/lua/pairs_spec.lua).
 */
#include "support.h"

#include "floc/floc.h"

#include <string.h>

typedef struct host_pair {
  char kind;
  double id_i, id_j, normal, age;
} host_pair;

static floc_status spring(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = 10.0 * inputs[0][k];
    outputs[1][k] = inputs[1][k] + 1.0;
  }
  return FLOC_OK;
}

/* Five in a row, each overlaps the next by 0.1. */
static floc_world *make_row(void)
{
  static const char *const inputs[] = {"overlap", "age"}, *const outputs[] = {"normal", "age"},
                           *const memory[] = {"age"};
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 1e-3;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_discrete_element_options scheme;
  floc_discrete_element_options_init(&scheme);
  scheme.contact_force = FLOC_CONTACT_FORCE_NONE;
  assert_int_equal(floc_world_set_discrete_element(world, &scheme), FLOC_OK);
  for (int k = 0; k < 5; k++) {
    floc_particle_options particle;
    floc_particle_options_init(&particle);
    particle.position[0] = 0.9 * k;
    particle.radius = 0.5;
    assert_int_equal(floc_particle_add(world, &particle, NULL), FLOC_OK);
  }
  floc_law_options law;
  floc_law_options_init(&law);
  law.name = "spring";
  law.inputs = inputs;
  law.outputs = outputs;
  law.memory = memory;
  law.input_count = law.output_count = 2;
  law.memory_count = 1;
  law.function = spring;
  assert_int_equal(floc_pair_law_add(world, &law, NULL), FLOC_OK);
  for (int k = 0; k < 3; k++) assert_int_equal(floc_world_step(world), FLOC_OK);
  return world;
}

static void test_structs(void **state)
{
  (void)state;
  static const char *const names[] = {"id_i", "id_j", "normal", "age"};
  floc_world *world = make_row();
  host_pair pair[6];
  memset(pair, 0x7f, sizeof pair);
  double *const columns[] = {&pair[0].id_i, &pair[0].id_j, &pair[0].normal, &pair[0].age};
  int64_t count = -1;
  for (int64_t capacity = 0; capacity <= 6; capacity += 3) { /* counted, some, all */
    assert_int_equal(floc_law_get_pairs(world, FLOC_LAW_PAIR, 0, names, 4, capacity ? columns : NULL, sizeof *pair,
                                        capacity, &count),
                     FLOC_OK);
    assert_int_equal(count, 4);
    for (int k = 0; k < 6; k++) {
      assert_int_equal(pair[k].kind, 0x7f);
      const bool given = k < 4 && k < capacity;
      double left;
      memset(&left, 0x7f, sizeof left);
      assert_true(pair[k].id_i == (given ? k + 1.0 : left) && pair[k].id_j == (given ? k + 2.0 : left));
      if (given) assert_true(pair[k].age == 3.0 && pair[k].normal > 0.9 && pair[k].normal < 1.1);
    }
  }
  floc_world_destroy(world);
}

static void test_contacts(void **state)
{
  (void)state;
  static const char *const names[] = {"id_j", "impulse", "normal_x", "body"};
  floc_world *world = make_row();
  double number[4][4], *const columns[] = {number[0], number[1], number[2], number[3]};
  int64_t count;
  floc_contact contacts[4];
  for (int k = 0; k < 4; k++) contacts[k].struct_size = sizeof *contacts;
  assert_int_equal(floc_world_get_contacts(world, contacts, 4, &count), FLOC_OK);
  assert_int_equal(floc_world_get_contact_columns(world, names, 4, columns, sizeof(double), 4, &count), FLOC_OK);
  assert_int_equal(count, 4);
  for (int k = 0; k < 4; k++) {
    assert_true(number[0][k] == (double)contacts[k].id_j && number[1][k] == contacts[k].impulse);
    assert_true(number[2][k] == contacts[k].normal[0] && number[3][k] == 0.0 && contacts[k].impulse > 0.0);
  }
  floc_world_destroy(world);
}

static floc_status stored(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = 4.0 * inputs[0][k];
    outputs[1][k] = 2.0 * inputs[0][k] * inputs[0][k];
  }
  return FLOC_OK;
}

/* Reading the pairs of one law leaves the energies of the others as they are. */
static void test_energies_stay(void **state)
{
  (void)state;
  static const char *const inputs[] = {"overlap"}, *const outputs[] = {"normal", "energy"},
                           *const names[] = {"normal"};
  floc_world *world = make_row();
  floc_law_options law;
  floc_law_options_init(&law);
  law.name = "stored";
  law.inputs = inputs;
  law.outputs = outputs;
  law.input_count = 1;
  law.output_count = 2;
  law.function = stored;
  int32_t number;
  assert_int_equal(floc_pair_law_add(world, &law, &number), FLOC_OK);
  assert_int_equal(floc_world_step(world), FLOC_OK);
  double before, after, normal[4], *const columns[] = {normal};
  int64_t count;
  assert_int_equal(floc_law_get_energy(world, FLOC_LAW_PAIR, number, &before), FLOC_OK);
  assert_true(before > 4 * 2.0 * 0.09 * 0.09 && before < 4 * 2.0 * 0.11 * 0.11);
  assert_int_equal(floc_law_get_pairs(world, FLOC_LAW_PAIR, 0, names, 1, columns, sizeof(double), 4, &count),
                   FLOC_OK);
  assert_int_equal(floc_law_get_energy(world, FLOC_LAW_PAIR, number, &after), FLOC_OK);
  assert_true(after == before);
  floc_world_destroy(world);
}

static void expect(floc_world *world, floc_status status, floc_status wanted, const char *text)
{
  assert_int_equal(status, wanted);
  assert_non_null(strstr(floc_world_message(world), text));
}

static void test_refused(void **state)
{
  (void)state;
  static const char *const good[] = {"normal"}, *const unknown[] = {"norm"}, *const missing[] = {NULL};
  floc_world *world = make_row();
  double number[4], *const columns[] = {number}, *const none[] = {NULL};
  int64_t count;
#define READ(kind, law, names, amount, to, stride, capacity)                                                       \
  floc_law_get_pairs(world, kind, law, names, amount, to, stride, capacity, &count)
  expect(world, READ(FLOC_LAW_PAIR, 0, unknown, 1, columns, 8, 4), FLOC_NOT_FOUND,
         "spring: its pairs have no \"norm\"; known are: id_i, id_j, distance");
  expect(world, READ(FLOC_LAW_PAIR, 1, good, 1, columns, 8, 4), FLOC_INVALID_ARGUMENT, "law is 1; there are 1");
  expect(world, READ(FLOC_LAW_FIELD, 0, good, 1, columns, 8, 4), FLOC_INVALID_ARGUMENT, "kind is 2");
  expect(world, READ(FLOC_LAW_PAIR, 0, good, 0, columns, 8, 4), FLOC_INVALID_ARGUMENT, "name_count is 0");
  expect(world, READ(FLOC_LAW_PAIR, 0, good, 65, columns, 8, 4), FLOC_INVALID_ARGUMENT, "name_count is 65");
  expect(world, READ(FLOC_LAW_PAIR, 0, missing, 1, columns, 8, 4), FLOC_INVALID_ARGUMENT, "names[0] is NULL");
  expect(world, READ(FLOC_LAW_PAIR, 0, good, 1, columns, 12, 4), FLOC_INVALID_ARGUMENT, "stride is 12");
  expect(world, READ(FLOC_LAW_PAIR, 0, good, 1, columns, 0, 4), FLOC_INVALID_ARGUMENT, "stride is 0");
  expect(world, READ(FLOC_LAW_PAIR, 0, good, 1, none, 8, 4), FLOC_INVALID_ARGUMENT, "columns[0] is NULL");
  expect(world, READ(FLOC_LAW_PAIR, 0, good, 1, NULL, 8, 4), FLOC_INVALID_ARGUMENT, "columns or count is NULL");
  expect(world, READ(FLOC_LAW_PAIR, 0, good, 1, columns, 8, -1), FLOC_INVALID_ARGUMENT, "capacity is below 0");
#undef READ
  expect(world, floc_world_get_contact_columns(world, unknown, 1, columns, 8, 4, &count), FLOC_NOT_FOUND,
         "contacts have no \"norm\"; known are: id_i");
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_structs),
      cmocka_unit_test(test_contacts),
      cmocka_unit_test(test_energies_stay),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
