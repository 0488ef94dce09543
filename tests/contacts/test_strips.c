/*
 * Strips of large contact problems: every contact gets one row, units of a phase and rows of a piece share no body,
 * what cannot be cut is left alone, and neither threads nor the cutting change what is solved.
 */
#include "support.h"

#include "base/threads/parallel.h"
#include "contacts/problem/problem.h"
#include "contacts/solvers/strips.h"
#include "problems.h"
#include "unit_plans.h"

#include "floc/floc.h"

enum { PARTICLES = 9000, COLUMNS = 90 };

static const cloud_options LATTICE = {
    .dimension = 2, .particles = PARTICLES, .seed = 3, .mass_decades = 1, .mass_unit = 1};

typedef struct cut_test {
  environment env;
  arena scratch;
  cloud all;
  int64_t count;
  int32_t *contact, *place, *outside;
  uint64_t *used;
  strip_plan strips;
  unit_plan plan;
} cut_test;

static void cut_begin(cut_test *test, bool torn, int32_t threads)
{
  test->env = test_environment(threads);
  parallel_call_team(&test->env);
  arena_init(&test->scratch, &test->env);
  lattice_create(&LATTICE, COLUMNS, &test->all);
  if (torn) tear(&test->all, PARTICLES);
  test->count = test->all.problem.contact_count;
  test->contact = must_allocate((size_t)test->count, sizeof(int32_t));
  test->place = must_allocate((size_t)test->count, sizeof(int32_t));
  test->outside = must_allocate((size_t)test->count, sizeof(int32_t));
  test->used = must_allocate(PARTICLES, sizeof(uint64_t));
  for (int64_t k = 0; k < test->count; k++) test->contact[k] = (int32_t)k;
}

static void cut_end(cut_test *test)
{
  cloud_free(&test->all);
  free(test->contact);
  free(test->place);
  free(test->outside);
  free(test->used);
  parallel_dismiss_team(&test->env);
  arena_free(&test->scratch);
}

static void cut(cut_test *test)
{
  assert_ok(&test->env, strips_plan(&test->env, &test->scratch, &test->all.problem, test->contact, test->count,
                                    test->used, test->place, test->outside, &test->strips, &test->plan));
  for (int64_t i = 0; i < PARTICLES; i++) assert_true(test->used[i] == 0);
}

static void test_units_share_no_body(void **state)
{
  (void)state;
  for (int torn = 0; torn < 2; torn++) {
    cut_test test;
    cut_begin(&test, torn, 1);
    cut(&test);
    assert_true(test.count > CONTACTS_WORTH_SHARING && test.plan.grounds == 8);
    check_unit_plan(&test.plan, &test.all, PARTICLES, test.count, test.place,
                    units_most(2 * (int64_t)STRIPS_MOST, test.count));
    int64_t within = test.plan.unit_row[test.plan.phase_unit[1]];
    assert_true(within > test.count * 8 / 10);
    assert_int_equal(test.plan.phases > 3, torn); /* the rest */
    cut_end(&test);
  }
}

static void test_threads_cut_alike(void **state)
{
  (void)state;
  static const int32_t threads[] = {2, 3, 4, 7};
  cut_test one;
  cut_begin(&one, true, 1);
  cut(&one);
  for (int k = 0; k < 4; k++) {
    cut_test test;
    cut_begin(&test, true, threads[k]);
    cut(&test);
    assert_memory_equal(test.place, one.place, (size_t)one.count * sizeof *one.place);
    assert_memory_equal(test.plan.phase_unit, one.plan.phase_unit,
                        ((size_t)one.plan.phases + 1) * sizeof *one.plan.phase_unit);
    cut_end(&test);
  }
  cut_end(&one);
}

/* Few contacts, lists out of order, islands that are spread over much storage, a body with too many contacts. */
static void test_what_is_not_cut(void **state)
{
  (void)state;
  cut_test test;
  cut_begin(&test, false, 2);
  int64_t all = test.count;
  test.count = CONTACTS_WORTH_SHARING - 1;
  cut(&test);
  assert_int_equal(test.plan.grounds, 0);
  test.count = all;
  int32_t keep = test.contact[5000];
  test.contact[5000] = test.contact[9000];
  cut(&test);
  assert_int_equal(test.plan.grounds, 0);
  test.contact[5000] = keep;
  int32_t second = test.all.second[7000];
  test.all.second[7000] = test.all.first[7000] - 1;
  cut(&test);
  assert_int_equal(test.plan.grounds, 0);
  test.all.second[7000] = 5 * (int32_t)test.count;
  cut(&test);
  assert_int_equal(test.plan.grounds, 0);
  test.all.second[7000] = second;
  cut(&test);
  assert_int_equal(test.plan.grounds, 8);
  for (int64_t a = 0; a < test.count; a++)
    if (test.all.first[a] > 4000 && test.all.first[a] < 4070 && test.all.second[a] >= 0) test.all.second[a] = 4080;
  cut(&test);
  assert_int_equal(test.plan.grounds, 0);
  cut_end(&test);
}

/* A problem whose particles have numbers that a float would round. */
static void test_numbers_beyond_floats(void **state)
{
  (void)state;
  enum { SHIFT = (1 << 24) + 2 };
  cut_test low, high;
  cut_begin(&low, true, 2);
  cut(&low);
  cut_begin(&high, true, 2);
  for (int64_t a = 0; a < high.count; a++) {
    high.all.first[a] += SHIFT;
    if (high.all.second[a] >= 0) high.all.second[a] += SHIFT;
  }
  free(high.used);
  high.used = calloc(SHIFT + PARTICLES, sizeof(uint64_t)); /* pages that are not touched cost nothing */
  assert_non_null(high.used);
  cut(&high);
  assert_int_equal(high.plan.grounds, low.plan.grounds);
  for (int32_t strip = 0; strip <= low.plan.grounds; strip++)
    assert_int_equal(high.strips.first_particle[strip], low.strips.first_particle[strip] + SHIFT);
  assert_memory_equal(high.place, low.place, (size_t)low.count * sizeof *low.place);
  cut_end(&low);
  cut_end(&high);
}

typedef struct solution {
  double impulse[4 * PARTICLES], velocity[3][PARTICLES];
  contact_report report;
} solution;

static void solve_torn(int32_t threads, bool team, int32_t dimension, solution *found)
{
  environment env = test_environment(threads);
  if (team) parallel_call_team(&env);
  cloud_options options = LATTICE;
  options.dimension = dimension;
  options.gluey = dimension == 3;
  cloud all;
  lattice_create(&options, COLUMNS, &all);
  tear(&all, PARTICLES);
  memset(found, 0, sizeof *found);
  assert_ok(&env, cloud_solve(&env, &all, FLOC_SOLVER_AUTO, 1e-4, 60, &found->report));
  double difference, residual = cloud_audit(&all, &difference);
  assert_close(residual, found->report.residual, 1e-9);
  assert_true(difference < 1e-9);
  memcpy(found->impulse, all.impulse, (size_t)all.problem.contact_count * sizeof(double));
  for (int axis = 0; axis < dimension; axis++)
    memcpy(found->velocity[axis], all.velocity[axis], sizeof found->velocity[axis]);
  parallel_dismiss_team(&env);
  cloud_free(&all);
}

static void test_threads_solve_alike(void **state)
{
  (void)state;
  static const int32_t threads[] = {2, 3, 4, 7};
  solution *one = malloc(sizeof *one), *other = malloc(sizeof *other);
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    solve_torn(1, false, dimension, one);
    for (int k = 0; k < 8; k++) {
      solve_torn(threads[k / 2], k % 2 == 1, dimension, other);
      assert_memory_equal(other, one, sizeof *one);
    }
  }
  free(one);
  free(other);
}

/* ---- failures ---- */

static void *refuse_at(void *context, void *pointer, size_t old_size, size_t new_size)
{
  int64_t *left = context;
  if (new_size > 0 && (*left)-- == 0) return NULL;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static void test_failing_memory(void **state)
{
  (void)state;
  cut_test test;
  cut_begin(&test, true, 1);
  bool refused = true;
  for (int64_t fail_at = 0; refused; fail_at++) {
    int64_t left = fail_at;
    environment env = {.allocate = refuse_at, .allocate_context = &left, .threads = 1};
    contact_report report;
    floc_status status = cloud_solve(&env, &test.all, FLOC_SOLVER_AUTO, 1e-2, 2, &report);
    refused = left < 0;
    assert_int_equal(status, refused ? FLOC_OUT_OF_MEMORY : FLOC_OK);
    assert_true(fail_at < 200);
  }
  cut_end(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_units_share_no_body), cmocka_unit_test(test_threads_cut_alike),
      cmocka_unit_test(test_what_is_not_cut),     cmocka_unit_test(test_threads_solve_alike),
      cmocka_unit_test(test_failing_memory),      cmocka_unit_test(test_numbers_beyond_floats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
