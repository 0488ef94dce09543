/*
 * Islands by several threads: the same as labels that are spread along the contacts until nothing changes; contacts
 * in their order within an island, islands in the order of their first contact, at any number of threads and of
 * cuts; and when contacts are joined later, in any number of lists.
 */
#include "support.h"

#include "base/numbers/random.h"
#include "base/threads/parallel.h"
#include "contacts/problem/grouping.h"

#include "floc/floc.h"

#include <stdlib.h>
#include <string.h>

enum { PARTICLES = 9000, MOST_CONTACTS = 4 * PARTICLES };

typedef struct grouping_test {
  environment env;
  arena scratch;
  contact_problem problem;
  grouping all;
  int32_t first[MOST_CONTACTS], second[MOST_CONTACTS], listed[MOST_CONTACTS];
  int64_t count;
  int32_t label[PARTICLES], island[PARTICLES];
  int64_t at[PARTICLES];
} grouping_test;

/* Each particle touches up to three that come later, mostly near ones; chance: of a contact. */
static void make_contacts(grouping_test *test, double chance)
{
  int64_t count = 0;
  for (int32_t i = 0; i < PARTICLES; i++) {
    double u[4], v[4];
    random_uniform4(7, (uint64_t)i, 0, RANDOM_SCRIPT, 0, u);
    random_uniform4(7, (uint64_t)i, 1, RANDOM_SCRIPT, 0, v);
    if (u[3] < 0.1) {
      test->first[count] = i;
      test->second[count++] = -1;
    }
    int32_t last = i;
    for (int k = 0; k < 3; k++) {
      int32_t far = v[3] < 0.02 ? 4000 : 90, j = last + 1 + (int32_t)(v[k] * far);
      if (u[k] >= chance || j >= PARTICLES) continue;
      test->first[count] = i;
      test->second[count++] = j;
      last = j;
    }
  }
  test->problem = (contact_problem){.dimension = 2,
                                    .body_count = PARTICLES,
                                    .contact_count = count,
                                    .first = test->first,
                                    .second = test->second};
}

static void begin(grouping_test *test, int32_t threads)
{
  test->env = test_environment(threads);
  parallel_call_team(&test->env);
  arena_init(&test->scratch, &test->env);
  test->all = (grouping){.env = &test->env, .problem = &test->problem};
  assert_ok(&test->env, grouping_allocate(&test->all, &test->scratch));
  for (int32_t i = 0; i < PARTICLES; i++) {
    test->all.parent[i] = i;
    test->all.slot[i] = -1;
    test->all.spent[i] = i % 1000;
    test->label[i] = i;
  }
}

static void finish(grouping_test *test)
{
  arena_free(&test->scratch);
  parallel_dismiss_team(&test->env);
}

/* Every step-th contact from offset on. */
static void list_contacts(grouping_test *test, int64_t offset, int64_t step)
{
  test->count = 0;
  for (int64_t a = offset; a < test->problem.contact_count; a += step) test->listed[test->count++] = (int32_t)a;
}

static void spread_labels(grouping_test *test)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (int64_t k = 0; k < test->count; k++) {
      int32_t i = test->first[test->listed[k]], j = test->second[test->listed[k]];
      if (j < 0 || test->label[i] == test->label[j]) continue;
      int32_t least = test->label[i] < test->label[j] ? test->label[i] : test->label[j];
      test->label[i] = test->label[j] = least;
      changed = true;
    }
  }
}

/* A stable sort of the list by labels, in the order of their first appearance, must be what came out. */
static void check_sorted(grouping_test *test)
{
  const grouping *all = &test->all;
  memset(test->island, -1, sizeof test->island);
  int64_t islands = 0, total = 0;
  static int64_t size[PARTICLES];
  memset(size, 0, sizeof size);
  for (int64_t k = 0; k < test->count; k++) {
    int32_t label = test->label[test->first[test->listed[k]]];
    if (test->island[label] < 0) test->island[label] = (int32_t)islands++;
    size[test->island[label]]++;
  }
  assert_int_equal(all->count, islands);
  for (int64_t island = 0; island < islands; island++) {
    assert_int_equal(all->start[island], total);
    test->at[island] = total;
    total += size[island];
  }
  assert_int_equal(all->start[islands], total);
  assert_int_equal(total, test->count);
  for (int64_t k = 0; k < test->count; k++) {
    int32_t label = test->label[test->first[test->listed[k]]];
    assert_int_equal(all->contact[test->at[test->island[label]]++], test->listed[k]);
    assert_int_equal(grouping_root(all, test->listed[k]), label);
  }
  for (int32_t i = 0; i < PARTICLES; i++) assert_int_equal(all->slot[i], -1);
}

/* At a root stands the greatest that any particle of the island had. */
static void check_spent(grouping_test *test)
{
  static int64_t greatest[PARTICLES];
  memset(greatest, 0, sizeof greatest);
  for (int32_t i = 0; i < PARTICLES; i++)
    if (i % 1000 > greatest[test->label[i]]) greatest[test->label[i]] = i % 1000;
  for (int32_t i = 0; i < PARTICLES; i++)
    if (test->label[i] == i) assert_int_equal(test->all.spent[i], greatest[i]);
}

/* The whole list at once. */
static void group_and_check(grouping_test *test)
{
  spread_labels(test);
  grouping_join(&test->all, test->listed, test->count);
  assert_ok(&test->env, grouping_sort(&test->all, &test->scratch, test->listed, test->count));
  check_sorted(test);
  check_spent(test);
}

static grouping_test test;
static const int32_t THREADS[] = {1, 2, 3, 8, 40};

static void test_islands(void **state)
{
  (void)state;
  const double chances[] = {0.0, 0.15, 0.25, 0.9};
  for (size_t c = 0; c < sizeof chances / sizeof *chances; c++) {
    make_contacts(&test, chances[c]);
    for (size_t n = 0; n < sizeof THREADS / sizeof *THREADS; n++) {
      begin(&test, THREADS[n]);
      list_contacts(&test, 0, 1);
      group_and_check(&test);
      finish(&test);
    }
  }
}

/* A solution that is checked finds more contacts, which join islands; the list is then made of some islands. */
static void test_later_contacts(void **state)
{
  (void)state;
  make_contacts(&test, 0.5);
  for (size_t n = 0; n < sizeof THREADS / sizeof *THREADS; n++) {
    begin(&test, THREADS[n]);
    for (int64_t round = 0; round < 3; round++) {
      list_contacts(&test, round, 3);
      spread_labels(&test);
      grouping_join(&test.all, test.listed, test.count);
    }
    list_contacts(&test, 0, 1);
    spread_labels(&test);
    int64_t kept = 0;
    for (int64_t k = 0; k < test.count; k++)
      if (test.label[test.first[test.listed[k]]] % 2 == 0) test.listed[kept++] = test.listed[k];
    test.count = kept;
    assert_true(kept > 0);
    assert_ok(&test.env, grouping_sort(&test.all, &test.scratch, test.listed, test.count));
    check_sorted(&test);
    check_spent(&test);
    finish(&test);
  }
}

static void test_short_lists(void **state)
{
  (void)state;
  make_contacts(&test, 0.5);
  for (int64_t count = 0; count < 3; count++) {
    begin(&test, 2);
    list_contacts(&test, 0, 1);
    test.count = count;
    group_and_check(&test);
    finish(&test);
  }
}

/* All contacts with one first particle: there is nowhere to cut. */
static void test_star(void **state)
{
  (void)state;
  for (int32_t j = 1; j < PARTICLES; j++) {
    test.first[j - 1] = 0;
    test.second[j - 1] = j;
  }
  test.problem = (contact_problem){.dimension = 2,
                                   .body_count = PARTICLES,
                                   .contact_count = PARTICLES - 1,
                                   .first = test.first,
                                   .second = test.second};
  begin(&test, 3);
  list_contacts(&test, 0, 1);
  group_and_check(&test);
  assert_int_equal(test.all.count, 1);
  finish(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_islands),
      cmocka_unit_test(test_later_contacts),
      cmocka_unit_test(test_short_lists),
      cmocka_unit_test(test_star),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
