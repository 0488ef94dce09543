/*
 * Contact problems as sections: there and back, and every kind of damage.
 */
#include "support.h"

#include "contacts/problem/problem_file.h"
#include "domains/patches.h"
#include "problems.h"

static const cloud_options OPTIONS[] = {
    {.dimension = 2, .particles = 30, .seed = 1, .spread = 1, .range = 0.1, .gluey = true, .mass_unit = 1},
    {.dimension = 3, .particles = 30, .seed = 2, .spread = 0.8, .range = 0.1, .equalities = true, .mass_unit = 1},
};

static recorded_problem record(const contact_problem *problem, const contact_options *options,
                               const double *impulse)
{
  return (recorded_problem){.problem = *problem, .options = *options, .impulse = impulse};
}

/* It may be of infinite mass, because what it touches is not. */
static int32_t body_off_the_floor(const cloud *all)
{
  int32_t body = 0;
  for (int64_t a = 0; a < all->problem.contact_count; a++) {
    if (all->second[a] >= 0 || all->first[a] != body) continue;
    assert_true(++body < all->problem.body_count);
    a = -1;
  }
  return body;
}

static void a_problem_comes_back_as_it_was(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int k = 0; k < 2; k++) {
    cloud all;
    cloud_create(&OPTIONS[k], &all);
    all.inverse_mass[body_off_the_floor(&all)] = 0.0;
    size_t bytes = (size_t)all.problem.contact_count * sizeof(double);
    for (int64_t a = 0; a < all.problem.contact_count; a++) all.impulse[a] = 0.01 * (double)a;
    contact_options given = {
        .solver = FLOC_SOLVER_UZAWA, .tolerance = 1e-7, .max_iterations = 1234, .working_gap = 0.5, .aim = 0.25};
    section_list list;
    problem_numbers numbers;
    recorded_problem recorded = record(&all.problem, &given, all.impulse), back;
    section_list_init(&list, &env);
    assert_ok(&env, problem_sections(&recorded, &numbers, &list));
    assert_ok(&env, problem_from_sections(&list, NULL, &back));
    const contact_problem problem = back.problem;
    const contact_options options = back.options;
    const double *impulse = back.impulse;
    assert_int_equal(problem.dimension, all.problem.dimension);
    assert_int_equal(problem.body_count, all.problem.body_count);
    assert_int_equal(problem.contact_count, all.problem.contact_count);
    assert_true(problem.time_step == all.problem.time_step);
    assert_true(options.solver == given.solver && options.tolerance == given.tolerance &&
                options.max_iterations == given.max_iterations && options.working_gap == given.working_gap &&
                options.aim == given.aim);
    assert_memory_equal(problem.lower, all.lower, bytes);
    assert_memory_equal(impulse, all.impulse, bytes);
    assert_memory_equal(problem.distance, all.distance, bytes);
    assert_memory_equal(problem.first, all.first, bytes / 2);
    assert_memory_equal(problem.second, all.second, bytes / 2);
    for (int axis = 0; axis < problem.dimension; axis++) {
      assert_memory_equal(problem.normal[axis], all.normal[axis], bytes);
      assert_memory_equal(problem.free_velocity[axis], all.free_velocity[axis], 30 * sizeof(double));
    }
    assert_memory_equal(problem.inverse_mass, all.inverse_mass, 30 * sizeof(double));
    section_list_free(&list);
    cloud_free(&all);
  }
}

static void an_empty_problem_comes_back(void **state)
{
  (void)state;
  environment env = test_environment(1);
  double none[1] = {0};
  int32_t nobody[1] = {0};
  contact_problem empty = {.dimension = 2,
                           .time_step = 1,
                           .inverse_mass = none,
                           .free_velocity = {none, none, NULL},
                           .first = nobody,
                           .second = nobody,
                           .normal = {none, none, NULL},
                           .distance = none,
                           .lower = none};
  contact_options given = {.solver = FLOC_SOLVER_AUTO, .tolerance = 1e-7, .max_iterations = 10};
  section_list list;
  problem_numbers numbers;
  recorded_problem recorded = record(&empty, &given, none), back;
  section_list_init(&list, &env);
  assert_ok(&env, problem_sections(&recorded, &numbers, &list));
  assert_ok(&env, problem_from_sections(&list, NULL, &back));
  assert_int_equal(back.problem.contact_count, 0);
  section_list_free(&list);
}

typedef struct damage {
  double *real; /* where, and what it becomes */
  int32_t *whole;
  int64_t *large;
  double value;
  const char *named; /* what the message must say */
} damage;

static void expect_refusal(section_list *list, const damage *what)
{
  recorded_problem back;
  double real = what->real ? *what->real : 0.0;
  int32_t whole = what->whole ? *what->whole : 0;
  int64_t large = what->large ? *what->large : 0;
  if (what->real) *what->real = what->value;
  if (what->whole) *what->whole = (int32_t)what->value;
  if (what->large) *what->large = (int64_t)what->value;
  list->env->message[0] = 0;
  assert_int_equal(problem_from_sections(list, NULL, &back), FLOC_DAMAGED_FILE);
  if (!strstr(list->env->message, what->named)) fail_msg("\"%s\" does not say %s", list->env->message, what->named);
  if (what->real) *what->real = real;
  if (what->whole) *what->whole = whole;
  if (what->large) *what->large = large;
}

static void damage_is_named(void **state)
{
  (void)state;
  environment env = test_environment(1);
  cloud all;
  cloud_create(&OPTIONS[1], &all);
  assert_true(all.problem.contact_count > 5);
  int32_t alone = 0; /* a body on the floor, which does not yield either */
  while (all.second[alone] >= 0) assert_true(++alone < all.problem.contact_count);
  alone = all.first[alone];
  contact_options given = {
      .solver = FLOC_SOLVER_AUTO, .tolerance = 1e-7, .max_iterations = 1234, .working_gap = 0.5};
  section_list list;
  problem_numbers numbers;
  recorded_problem recorded = record(&all.problem, &given, all.impulse), back;
  section_list_init(&list, &env);
  assert_ok(&env, problem_sections(&recorded, &numbers, &list));
  const damage cases[] = {
      {.large = &numbers.whole[0], .value = 3, .named = "format"},
      {.large = &numbers.whole[6], .value = 128, .named = "flags"},
      {.large = &numbers.whole[6], .value = 2, .named = "round only if bodies rotate"},
      {.large = &numbers.whole[6], .value = 16, .named = "the convex law only with friction"},
      {.large = &numbers.whole[6], .value = 53, .named = "the convex law only with friction"},
      {.large = &numbers.whole[6], .value = 4, .named = "only if bodies rotate"},
      {.real = &numbers.real[3], .value = -1, .named = "aim"},
      {.large = &numbers.whole[1], .value = 4, .named = "dimension"},
      {.large = &numbers.whole[2], .value = -1, .named = "bodies"},
      {.large = &numbers.whole[2], .value = 29, .named = "problem.inverse_mass"},
      {.large = &numbers.whole[3], .value = 3e9, .named = "contacts"},
      {.large = &numbers.whole[3], .value = 1, .named = "problem.first"},
      {.large = &numbers.whole[4], .value = 7, .named = "solver"},
      {.large = &numbers.whole[5], .value = 0, .named = "max_iterations"},
      {.real = &numbers.real[0], .value = 0, .named = "time step"},
      {.real = &numbers.real[1], .value = NAN, .named = "tolerance"},
      {.real = &numbers.real[2], .value = -1, .named = "working_gap"},
      {.real = &all.inverse_mass[3], .value = -1, .named = "inverse mass"},
      {.real = &all.inverse_mass[alone], .value = 0, .named = "the sum of a contact's inverse masses"},
      {.real = &all.inverse_mass[3], .value = INFINITY, .named = "inverse mass"},
      {.real = &all.free_velocity[2][4], .value = NAN, .named = "a priori velocity"},
      {.real = &all.normal[2][1], .value = 2, .named = "normal"},
      {.real = &all.normal[0][1], .value = NAN, .named = "normal"},
      {.real = &all.distance[1], .value = NAN, .named = "distance"},
      {.real = &all.lower[1], .value = 0.1, .named = "lower bound"},
      {.real = &all.lower[1], .value = NAN, .named = "lower bound"},
      {.real = &all.impulse[1], .value = INFINITY, .named = "impulse"},
      {.whole = &all.first[0], .value = 30, .named = "first body"},
      {.whole = &all.first[0], .value = -1, .named = "first body"},
      {.whole = &all.second[1], .value = -2, .named = "second body"},
      {.whole = &all.second[1], .value = 30, .named = "second body"},
      {.whole = &all.second[1], .value = all.first[1], .named = "second body"},
      {.whole = &all.first[0], .value = 20, .named = "order"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) expect_refusal(&list, &cases[k]);
  assert_ok(&env, problem_from_sections(&list, NULL, &back));
  for (int32_t k = 0; k < list.count; k++) { /* any section missing */
    section_list shorter = list;
    section kept[32];
    shorter.count = 0;
    shorter.item = kept;
    for (int32_t j = 0; j < list.count; j++)
      if (j != k) kept[shorter.count++] = list.item[j];
    assert_int_equal(problem_from_sections(&shorter, NULL, &back), FLOC_DAMAGED_FILE);
    assert_non_null(strstr(env.message, list.item[k].name));
  }
  section_list_free(&list);
  cloud_free(&all);
}

static void *no_memory(void *context, void *pointer, size_t old_size, size_t new_size)
{
  int *left = context;
  if (new_size > 0 && (*left)-- <= 0) return NULL;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static void failed_allocations_are_reported(void **state)
{
  (void)state;
  cloud all;
  cloud_create(&OPTIONS[0], &all);
  contact_options given = {.solver = FLOC_SOLVER_AUTO, .tolerance = 1e-7, .max_iterations = 1234};
  problem_numbers numbers;
  floc_status status = FLOC_OUT_OF_MEMORY;
  int failures = 0;
  for (int allowed = 0; status != FLOC_OK; allowed++) {
    int left = allowed;
    environment env = {.allocate = no_memory, .allocate_context = &left, .threads = 1};
    section_list list;
    recorded_problem recorded = record(&all.problem, &given, all.impulse);
    section_list_init(&list, &env);
    status = problem_sections(&recorded, &numbers, &list);
    assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
    failures += status != FLOC_OK;
    section_list_free(&list);
  }
  assert_true(failures > 0);
  cloud_free(&all);
}

/* Of a world of several patches; and every number that they cannot have. */
static void patches_come_back(void **state)
{
  (void)state;
  environment env = test_environment(1);
  cloud all;
  cloud_create(&OPTIONS[0], &all);
  int32_t of[29];
  uint8_t parity[3] = {0, 1, 3};
  for (int32_t i = 0; i < 29; i++) of[i] = i % 3;
  patch_place place = {.found = true, .set = {.count = 3, .covered = 29, .of = of, .parity = parity}};
  all.problem.patches = &place;
  const contact_options given = {.tolerance = 1e-7, .max_iterations = 100};
  for (int harm = 0; harm < 5; harm++) {
    section_list list;
    problem_numbers numbers;
    recorded_problem recorded = record(&all.problem, &given, all.impulse), back;
    arena memory;
    arena_init(&memory, &env);
    section_list_init(&list, &env);
    of[7] = harm == 1 ? 3 : harm == 2 ? -1 : 1;
    parity[1] = harm == 3 ? 8 : 1;
    assert_ok(&env, problem_sections(&recorded, &numbers, &list));
    if (harm == 4) list.count--; /* no parities */
    floc_status status = problem_from_sections(&list, &memory, &back);
    assert_int_equal(status == FLOC_OK, harm == 0);
    if (harm == 0) {
      const patch_set *set = &back.problem.patches->set;
      assert_true(back.problem.patches->found && set->count == 3 && set->covered == 29);
      assert_memory_equal(set->of, of, sizeof of);
      assert_memory_equal(set->parity, parity, sizeof parity);
    }
    section_list_free(&list);
    arena_free(&memory);
  }
  cloud_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patches_come_back),
      cmocka_unit_test(a_problem_comes_back_as_it_was),
      cmocka_unit_test(an_empty_problem_comes_back),
      cmocka_unit_test(damage_is_named),
      cmocka_unit_test(failed_allocations_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
