/*
 * engine/particles/owned.h: loops over tables some of whose particles are ghosts meet each owned one once, in
 * order, at any pattern of ghosts, thread count and block size; marks follow their particles through all that a
 * table does.
 */
#include "particles/owned.h"

#include "support.h"

#include <math.h>

enum { MOST = 5000 };

static particles make_table(environment *env, int64_t count, uint32_t pattern)
{
  particles table;
  particles_init(&table, env);
  for (int64_t k = 0; k < count; k++) {
    assert_int_equal(particles_append(&table, NULL), FLOC_OK);
    table.column[COLUMN_radius][k] = 1.0 + (double)k;
  }
  if (pattern == 0) return table;
  assert_int_equal(particles_prepare_ghosts(&table), FLOC_OK);
  for (int64_t k = 0; k < count; k++) {
    const uint32_t noise = ((uint32_t)k * 2654435761u) >> 16;
    table.ghost[k] = pattern == 1 ? 1 : pattern == 2 ? k % 2 == 0 : pattern == 3 ? noise % 7 == 0 : noise / 64 % 2;
  }
  return table;
}

static int64_t expected(const particles *table, int64_t *slots)
{
  int64_t number = 0;
  for (int64_t k = 0; k < table->count; k++)
    if (!table->ghost || table->ghost[k] == 0) slots[number++] = k;
  return number;
}

typedef struct tally {
  const particles *table;
  int32_t met[MOST];
  int64_t block_size;
} tally;

static void meet(void *context, int64_t begin, int64_t end, int64_t block)
{
  tally *all = context;
  for (int64_t k = begin; k < end; k++) {
    all->met[k]++;
    if (k / all->block_size != block) all->met[k] += 1000;
  }
}

static double radius_in(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  tally *all = context;
  double greatest = 0.0;
  for (int64_t k = begin; k < end; k++) greatest = fmax(greatest, all->table->column[COLUMN_radius][k]);
  return greatest;
}

static double odd_in(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block, (void)context;
  double number = 0.0;
  for (int64_t k = begin; k < end; k++) number += (double)(k % 2);
  return number;
}

static void check_serial(const particles *table, const int64_t *slots, int64_t number)
{
  int64_t met = 0;
  EACH_OWNED(i, table) assert_int_equal(i, slots[met++]);
  assert_int_equal(met, number);
  assert_int_equal(owned_number(table), number);
  met = 0;
  EACH_OWNED_RANK(rank, table) {
    if (rank % 3 == 0) continue;
    assert_false(particles_is_ghost(table, table->slot[rank]));
    met++;
  }
  int64_t two_thirds = 0;
  for (int64_t k = 0; k < number; k++) two_thirds += particles_rank(table, slots[k]) % 3 != 0;
  assert_int_equal(met, two_thirds);
  met = 0;
  EACH_OWNED(i, table) {
    if (met == number / 2) break;
    met++;
  }
  assert_int_equal(met, number / 2);
}

static void check_parallel(const environment *env, const particles *table, const int64_t *slots, int64_t number,
                           int64_t block_size)
{
  static tally all;
  double sum = 0.0, greatest = -1.0;
  all = (tally){.table = table, .block_size = block_size};
  owned_for(env, table, block_size, meet, &all);
  for (int64_t k = 0, next = 0; k < table->count; k++) {
    const bool owned = next < number && slots[next] == k;
    assert_int_equal(all.met[k], owned);
    if (!owned) continue;
    next++;
    sum += table->column[COLUMN_radius][k]; /* integers: exact */
    greatest = fmax(greatest, table->column[COLUMN_radius][k]);
  }
  assert_true(owned_total(env, table, table->column[COLUMN_radius]) == sum);
  assert_true(owned_max(env, table, block_size, -1.0, radius_in, &all) == greatest);
  assert_int_equal(slots_count(env, table, block_size, odd_in, &all), table->count / 2);
  all = (tally){.table = table, .block_size = block_size};
  slots_for(env, table, block_size, meet, &all);
  for (int64_t k = 0; k < table->count; k++) assert_int_equal(all.met[k], 1);
}

static void loops_meet_owned_particles_once(void **state)
{
  (void)state;
  static int64_t slots[MOST];
  static const int64_t counts[] = {0, 1, 2, 65, MOST};
  for (int32_t threads = 1; threads <= 3; threads += 2) {
    environment env = test_environment(1);
    env.threads = threads;
    parallel_call_team(&env);
    for (uint32_t pattern = 0; pattern < 5; pattern++)
      for (int which = 0; which < 5; which++) {
        particles table = make_table(&env, counts[which], pattern);
        const int64_t number = expected(&table, slots);
        check_serial(&table, slots, number);
        check_parallel(&env, &table, slots, number, 64);
        check_parallel(&env, &table, slots, number, 2048);
        particles_free(&table);
      }
    parallel_dismiss_team(&env);
  }
}

/* Ghosts are those whose radius is even, whatever happens to the table. */
static void check_marks(const particles *table)
{
  for (int64_t k = 0; k < table->count; k++)
    assert_int_equal(table->ghost[k], fmod(table->column[COLUMN_radius][k], 2.0) == 0.0);
}

static void marks_follow_their_particles(void **state)
{
  (void)state;
  enum { COUNT = 100 };
  int32_t order[COUNT], new_slot[COUNT];
  environment env = test_environment(1);
  particles table = make_table(&env, COUNT, 0);
  assert_int_equal(particles_prepare_ghosts(&table), FLOC_OK);
  assert_int_equal(owned_number(&table), COUNT);
  for (int k = 0; k < COUNT; k++) table.ghost[k] = k % 2; /* of radius k + 1 */
  check_marks(&table);
  for (int k = 0; k < COUNT; k++) order[k] = (k * 37) % COUNT;
  assert_int_equal(particles_permute(&table, order), FLOC_OK);
  check_marks(&table);
  for (int k = 0; k < 400; k++) { /* through several growths */
    int64_t id;
    assert_int_equal(particles_append(&table, &id), FLOC_OK);
    table.column[COLUMN_radius][table.count - 1] = 1.0;
  }
  check_marks(&table);
  particles_truncate(&table, COUNT);
  check_marks(&table);
  assert_int_equal(particles_prepare_removal(&table), FLOC_OK);
  int32_t kept = 0;
  for (int k = 0; k < COUNT; k++) new_slot[k] = table.id[k] % 3 == 0 ? -1 : kept++;
  particles_remove(&table, new_slot);
  assert_int_equal(table.count, kept);
  check_marks(&table);
  assert_int_equal(owned_number(&table), 33); /* odd radii 1 to 99 without 3, 9, ..., 99 */
  particles_free(&table);
}

static void mean_radius_is_that_of_owned_particles(void **state)
{
  (void)state;
  environment env = test_environment(1);
  particles table = make_table(&env, 100, 2);
  assert_true(particles_mean_radius(&table) == 51.0); /* of 2, 4, ..., 100 */
  particles_free(&table);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_meet_owned_particles_once),
                                     cmocka_unit_test(marks_follow_their_particles),
                                     cmocka_unit_test(mean_radius_is_that_of_owned_particles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
