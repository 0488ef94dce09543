/*
 * The hash of a state (base/section_hash.c): against its definition, row by row; what must show in it, and what
 * must not, the order of rows of pairs.
 */
#include "support.h"

#include "base/hash.h"
#include "base/section.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 50, PAIRS = 20, WIDTH = 4 };

typedef struct state_parts {
  int64_t counters[2], ids[COUNT + 1];
  double x[COUNT], heat[COUNT], pairs[PAIRS][WIDTH];
  bool removed;
} state_parts;

static state_parts make_parts(bool removed)
{
  state_parts made = {.counters = {3, 4}, .removed = removed};
  for (int k = 0; k <= COUNT; k++) made.ids[k] = removed ? 2 * k + 5 : k + 1;
  for (int k = 0; k < COUNT; k++) {
    made.x[k] = 0.1 * k;
    made.heat[k] = 1.0 / (k + 1);
  }
  for (int k = 0; k < PAIRS; k++)
    for (int c = 0; c < WIDTH; c++) made.pairs[k][c] = c == 0 ? k + 1 : c == 1 ? k + 9 : 0.5 * k + c;
  return made;
}

static uint64_t hash_of(const state_parts *given)
{
  environment env = test_environment(1);
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, section_list_add(&list, "world.counters", "i64", 2, 1, given->counters, true));
  assert_ok(&env, section_list_add(&list, "particles.x", "f64", COUNT, 1, given->x, true));
  assert_ok(&env, section_list_add(&list, "attribute.heat", "f64", COUNT, 1, given->heat, true));
  if (given->removed)
    assert_ok(&env, section_list_add(&list, "particles.ids", "i64", COUNT + 1, 1, given->ids, true));
  assert_ok(&env, section_list_add(&list, "particles.order", "i64", COUNT, 1, given->ids, false));
  assert_ok(&env, section_list_add(&list, "remembered.pairs", "f64", PAIRS, WIDTH, given->pairs, true));
  const uint64_t hash = section_list_hash(&list);
  section_list_free(&list);
  return hash;
}

static uint64_t begin_section(uint64_t hash, const char *name, const char *type, uint64_t rows, uint64_t columns)
{
  const uint64_t shape[2] = {rows, columns};
  hash = hash_bytes(hash, name, strlen(name));
  hash = hash_bytes(hash, type, strlen(type));
  return hash_numbers(hash, shape, 2, sizeof *shape);
}

/* Rows from `first` on alone, as if others were elsewhere. */
static uint64_t sum_of_particles(const state_parts *given, int first, int end)
{
  uint64_t sum = 0;
  for (int k = first; k < end; k++) {
    unsigned char row[24];
    memcpy(row, &given->ids[k], 8);
    memcpy(row + 8, &given->x[k], 8);
    memcpy(row + 16, &given->heat[k], 8);
    sum += hash_numbers(0, row, 3, 8);
  }
  return sum;
}

static uint64_t defined_hash(const state_parts *given, int cut)
{
  uint64_t hash = begin_section(0, "world.counters", "i64", 2, 1), sum = 0;
  hash = hash_numbers(hash, given->counters, 2, 8);
  hash = begin_section(hash, "particles.x", "f64", COUNT, 1);
  hash = begin_section(hash, "attribute.heat", "f64", COUNT, 1);
  if (given->removed) {
    hash = begin_section(hash, "particles.ids", "i64", COUNT + 1, 1);
    hash = hash_numbers(hash, &given->ids[COUNT], 1, 8);
  }
  hash = begin_section(hash, "remembered.pairs", "f64", PAIRS, WIDTH);
  for (int k = 0; k < PAIRS; k++) sum += hash_numbers(0, given->pairs[k], WIDTH, 8);
  hash = hash_numbers(hash, &sum, 1, 8);
  sum = sum_of_particles(given, cut, COUNT) + sum_of_particles(given, 0, cut);
  return hash_numbers(hash, &sum, 1, 8);
}

static void hash_is_as_defined_for_every_cut(void **state)
{
  (void)state;
  for (int removed = 0; removed < 2; removed++) {
    const state_parts made = make_parts(removed);
    for (int cut = 0; cut <= COUNT; cut++) assert_true(hash_of(&made) == defined_hash(&made, cut));
  }
}

static void order_of_pairs_does_not_show(void **state)
{
  (void)state;
  state_parts made = make_parts(true);
  const uint64_t before = hash_of(&made);
  double kept[WIDTH];
  memcpy(kept, made.pairs[3], sizeof kept);
  memcpy(made.pairs[3], made.pairs[15], sizeof kept);
  memcpy(made.pairs[15], kept, sizeof kept);
  assert_true(hash_of(&made) == before);
}

static void exchange(double *a, double *b)
{
  const double kept = *a;
  *a = *b;
  *b = kept;
}

static void everything_else_shows(void **state)
{
  (void)state;
  const state_parts made = make_parts(true);
  const uint64_t before = hash_of(&made);
  state_parts other = made;
  exchange(&other.x[3], &other.x[7]); /* between particles */
  assert_true(hash_of(&other) != before);
  exchange(&other.heat[3], &other.heat[7]); /* all numbers of two particles: they have each other's ids */
  assert_true(hash_of(&other) != before);
  other = made;
  exchange(&other.x[3], &other.heat[3]); /* between columns */
  assert_true(hash_of(&other) != before);
  other = made;
  exchange(&other.pairs[3][2], &other.pairs[4][2]); /* between pairs */
  assert_true(hash_of(&other) != before);
  other = made;
  other.x[0] = -other.x[0]; /* -0 */
  assert_true(hash_of(&other) != before);
  for (int k = 0; k <= COUNT; k++) { /* an id, and the last that was given */
    other = made;
    other.ids[k]++;
    assert_true(hash_of(&other) != before);
  }
  other = made;
  other.counters[1]++;
  assert_true(hash_of(&other) != before);
  other = make_parts(false);
  assert_true(hash_of(&other) != before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(hash_is_as_defined_for_every_cut),
                                     cmocka_unit_test(order_of_pairs_does_not_show),
                                     cmocka_unit_test(everything_else_shows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
