/*
 * engine/laws/bonds/bond_list.c: random lists of pairs and triples, in any order of storage, against a search;
 * bonds that are added and removed keep their numbers; every allocation may fail.
 */
#include "failing_allocator.h"
#include "laws/bonds/bond_list.h"

#include <stdlib.h>

enum { PARTICLES = 40, COLUMNS = 3 };

static uint32_t random_state = 1;

static int64_t draw(int64_t count)
{
  random_state = random_state * 1664525u + 1013904223u;
  return (int64_t)(random_state >> 8) % count;
}

static floc_status make_table(particles *table, environment *env)
{
  particles_init(table, env);
  for (int k = 0; k < PARTICLES; k++) {
    int64_t id;
    floc_status status = particles_append(table, &id);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static void shuffle(particles *table, bond_list *bonds)
{
  int32_t order[PARTICLES];
  for (int32_t k = 0; k < PARTICLES; k++) order[k] = k;
  for (int32_t k = PARTICLES - 1; k > 0; k--) {
    const int32_t other = (int32_t)draw(k + 1), kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
  assert_ok(table->env, particles_permute(table, order));
  bonds->rows = -1;
}

/* What a column of a bond holds: a function of its ids. */
static double number_of(const int64_t *id, int32_t members, int32_t column)
{
  double sum = column;
  for (int32_t k = 0; k < members; k++) sum = 50.0 * sum + (double)id[k];
  return sum;
}

static void check_pairs(const bond_list *bonds, const particles *table)
{
  const pair_list *list = &bonds->pairs;
  int64_t seen = 0;
  for (int64_t i = 0; i < PARTICLES; i++)
    for (int64_t e = list->start[i]; e < list->start[i + 1]; e++, seen++) {
      assert_int_equal(list->first[e], i);
      assert_true(list->second[e] > i);
      assert_true(e == list->start[i] || list->second[e] > list->second[e - 1]);
      assert_int_equal(bonds->turned[e], table->id[i] > table->id[list->second[e]]);
    }
  assert_int_equal(seen, bonds->count);
  seen = 0;
  for (int64_t j = 0; j < PARTICLES; j++)
    for (int64_t n = list->incoming_start[j]; n < list->incoming_start[j + 1]; n++, seen++) {
      assert_int_equal(list->second[list->incoming[n]], j);
      assert_true(n == list->incoming_start[j] || list->incoming[n] > list->incoming[n - 1]);
    }
  assert_int_equal(seen, bonds->count);
}

static void check_triples(const bond_list *bonds)
{
  const pair_list *list = &bonds->pairs;
  const int32_t *slot[3] = {list->first, list->second, bonds->third};
  int64_t seen = 0;
  for (int64_t j = 0; j < PARTICLES; j++)
    for (int64_t n = list->incoming_start[j]; n < list->incoming_start[j + 1]; n++, seen++) {
      assert_int_equal(slot[list->incoming[n] % 3][list->incoming[n] / 3], j);
      assert_true(n == list->incoming_start[j] || list->incoming[n] > list->incoming[n - 1]);
    }
  assert_int_equal(seen, 3 * bonds->count);
  for (int64_t e = 1; e < bonds->count; e++) assert_true(list->second[e] >= list->second[e - 1]);
}

static void check(const bond_list *bonds, const particles *table)
{
  const int32_t members = bonds->members;
  const int32_t *slot[3] = {bonds->pairs.first, bonds->pairs.second, bonds->third};
  for (int64_t b = 0; b < bonds->count; b++) {
    const int64_t *id = bonds->id + b * members;
    const int32_t e = bonds->entry[b];
    assert_true(b == 0 || bond_compare(id - members, id, members) < 0);
    assert_int_equal(bond_list_find(bonds, id), b);
    const bool turned = members == 2 && bonds->turned[e];
    for (int32_t k = 0; k < members; k++) assert_int_equal(table->id[slot[turned ? 1 - k : k][e]], id[k]);
    for (int32_t c = 0; c < COLUMNS; c++) assert_true(bonds->pairs.memory[c][e] == number_of(id, members, c));
    assert_int_equal(bonds->broken[e], 0);
  }
  if (members == 2)
    check_pairs(bonds, table);
  else
    check_triples(bonds);
}

/* One more bond, if it is new. */
static floc_status add_one(bond_list *bonds, const particles *table)
{
  int64_t id[3];
  double value[COLUMNS];
  const double *values[COLUMNS];
  do
    for (int k = 0; k < 3; k++) id[k] = 1 + draw(PARTICLES);
  while (id[0] == id[1] || id[1] == id[2] || id[0] == id[2]);
  bond_order(id, bonds->members);
  if (bond_list_find(bonds, id) >= 0) return FLOC_OK;
  for (int32_t c = 0; c < COLUMNS; c++) {
    value[c] = number_of(id, bonds->members, c);
    values[c] = &value[c];
  }
  return bond_list_add(bonds, table, 1, id, values);
}

static void lists_follow_storage(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles table;
  assert_ok(&env, make_table(&table, &env));
  for (int32_t members = 2; members <= 3; members++) {
    bond_list *bonds;
    assert_ok(&env, bond_list_create(&env, members, COLUMNS, &bonds));
    for (int round = 0; round < 200; round++) {
      const int64_t before = bonds->count;
      for (int k = 0; k < 5; k++) assert_ok(&env, add_one(bonds, &table));
      check(bonds, &table);
      shuffle(&table, bonds);
      assert_ok(&env, bond_list_follow(bonds, &table));
      check(bonds, &table);
      int64_t dropped = 0;
      for (int64_t e = 0; e < bonds->count; e++) dropped += bonds->broken[e] = draw(20) == 0;
      const int64_t full = bonds->count;
      bond_list_drop_broken(bonds);
      assert_int_equal(bonds->count, full - dropped);
      check(bonds, &table);
      assert_true(full > before || before > 50);
    }
    assert_true(bonds->count > 40);
    bond_list_destroy(bonds);
  }
  particles_free(&table);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  for (int64_t n = 1;; n++) {
    failing_allocator memory;
    environment env = failing_environment(&memory, n);
    particles table;
    bond_list *bonds = NULL;
    floc_status status = make_table(&table, &env);
    if (status == FLOC_OK) status = bond_list_create(&env, 3, COLUMNS, &bonds);
    for (int k = 0; k < 3 && status == FLOC_OK; k++) {
      const int64_t before = bonds->count;
      status = add_one(bonds, &table);
      if (status != FLOC_OK) assert_int_equal(bonds->count, before);
      if (bonds->count > 0) check(bonds, &table);
    }
    bond_list_destroy(bonds);
    particles_free(&table);
    assert_int_equal(memory.bytes, 0);
    if (memory.calls < n) {
      assert_int_equal(status, FLOC_OK);
      return;
    }
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_follow_storage),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
