/*
 * The state of discrete elements: equal bits on any number of threads, in both forms of the fast loop, after
 * resume; sorted storage; steps that fail; wrong options; failing memory.
 */
#include "pair_memory.h"
#include "schemes/element_support.h"

#include "base/hash.h"

#include <stdlib.h>

/* Grains: the fast loop. */
static floc_discrete_element_options fast_options(void)
{
  floc_discrete_element_options options = verlet_options();
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e5;
  options.damping = 20.0;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 3e4;
  options.friction_damping = 5.0;
  options.friction_dynamic = options.friction_static;
  return options;
}

/* Everything at once: the general loop. */
static floc_discrete_element_options rich_options(int32_t integrator)
{
  floc_discrete_element_options options = element_options();
  options.integrator = integrator;
  options.thermal_softening = true;
  options.damping = 1e3;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 1e6;
  options.bond_law = FLOC_BOND_PERSISTENT;
  options.viscosity = 0.5;
  options.attraction = 0.01;
  options.near_field_range = 0.05;
  options.rolling_friction = 0.2;
  options.rolling_stiffness = 1e6;
  options.rolling_damping = 1e2;
  return options;
}

/* Grains without friction: the fast loop, too. */
static floc_discrete_element_options slick_options(void)
{
  floc_discrete_element_options options = fast_options();
  options.friction = FLOC_FRICTION_NONE;
  options.rotation = false;
  return options;
}

/* Discs with rolling resistance: the general loop with one component to remember. */
static floc_discrete_element_options rolling_options(void)
{
  floc_discrete_element_options options = fast_options();
  options.rolling_friction = 0.3;
  options.rolling_stiffness = 2e4;
  options.rolling_damping = 3.0;
  return options;
}

/* 1 and 2: the general loop with either integrator */
enum { FAST = 0, SLICK = 3, FLAT = 4, ROLLING = 5, KINDS = 6 };

static bool is_flat(int which)
{
  return which == FLAT || which == ROLLING;
}

static floc_discrete_element_options options_of(int which)
{
  if (which == ROLLING) return rolling_options();
  return which == FAST || which == FLAT ? fast_options() : which == SLICK ? slick_options() : rich_options(which);
}

static void begin_heap(element_test *test, int which, int32_t threads, int count)
{
  floc_discrete_element_options options = options_of(which);
  int dimension = is_flat(which) ? 2 : 3;
  element_test_begin(test, threads, dimension, &options);
  floc_shape ground = floor_shape(dimension - 1);
  add_fixed_body(test, &ground);
  add_heap(test, count, dimension == 2 ? sqrt(count * 1e-2) : cbrt(count * 1.2e-3), 2.0, 5);
  for (int64_t k = 0; k < test->table.count; k++) test->table.column[COLUMN_x + dimension - 1][k] += 0.06;
  test->gravity[dimension - 1] = -10.0;
  test->time_step = 5e-5;
}

static uint64_t hash_of(element_test *test)
{
  uint64_t hash = 0;
  for (int32_t c = 0; c < test->table.column_count; c++)
    for (int64_t id = 0; id < test->table.count; id++) {
      double value = test->table.column[c][test->table.slot[id]];
      hash = hash_bytes(hash, &value, sizeof value);
    }
  return hash;
}

static void threads_and_lanes_do_not_matter(void **state)
{
  (void)state;
  for (int which = 0; which < KINDS; which++) {
    uint64_t reference = 0;
    int count = which == FAST || which >= SLICK ? 20000 : 9000;
    for (int run = 0; run < 4; run++) {
      element_test test;
      begin_heap(&test, which, 1 + run, count);
      ((discrete_element *)test.method.state)->narrow = run == 1;
      run_steps(&test, which == 1 ? 4 : 12);
      assert_true(test.report.contacts > count / 2);
      uint64_t hash = hash_of(&test);
      if (run == 0) reference = hash;
      assert_true(hash == reference);
      element_test_end(&test);
    }
  }
}

/* What the fast loop does is the general law, but for rounding. */
static void fast_loop_is_the_general_one(void **state)
{
  (void)state;
  const int kinds[] = {FAST, SLICK, FLAT};
  for (int k = 0; k < 3; k++) {
    element_test fast, general;
    begin_heap(&fast, kinds[k], 1, 9000);
    begin_heap(&general, kinds[k], 1, 9000);
    assert_true(((discrete_element *)fast.method.state)->is_plain);
    ((discrete_element *)general.method.state)->is_plain = false;
    run_steps(&fast, 12);
    run_steps(&general, 12);
    assert_true(fast.report.contacts > 4500 && fast.report.contacts == general.report.contacts);
    for (int32_t c = 0; c < fast.table.column_count; c++)
      for (int64_t id = 0; id < fast.table.count; id++)
        assert_close(fast.table.column[c][fast.table.slot[id]], general.table.column[c][general.table.slot[id]],
                     1e-11);
    element_test_end(&fast);
    element_test_end(&general);
  }
}

/* ---- checkpoints ---- */

static void save_to(element_test *test, section_list *list)
{
  section_list_init(list, &test->env);
  assert_ok(&test->env, particles_sections(&test->table, list));
  assert_ok(&test->env, neighbors_sections(test->near, list));
  assert_ok(&test->env, test->method.sections(test->method.state, list));
}

static void load_from(element_test *test, const section_list *list, const element_test *from)
{
  assert_ok(&test->env, particles_restore(&test->table, list));
  assert_ok(&test->env, neighbors_restore(test->near, list, test->table.count, test->obstacles.shape_count));
  copy_pair_memory(from->near, test->near);
  assert_ok(&test->env,
            test->method.restore(test->method.state, list, test->table.count, test->obstacles.shape_count));
  test->time = from->time;
  test->step = from->step;
}

static void resume_goes_on_bit_for_bit(void **state)
{
  (void)state;
  for (int which = 0; which < KINDS; which++) {
    element_test test, other;
    section_list list;
    begin_heap(&test, which, 1, 300);
    begin_heap(&other, which, 2, 10);
    run_steps(&test, 60);
    save_to(&test, &list);
    load_from(&other, &list, &test);
    section_list_free(&list);
    run_steps(&test, 60);
    run_steps(&other, 60);
    assert_true(hash_of(&test) == hash_of(&other));
    floc_discrete_element_report a = element_report(&test), b = element_report(&other);
    assert_true(a.evaluations == b.evaluations && a.bonds_formed == b.bonds_formed && a.bonds == b.bonds);
    assert_memory_equal(&a.friction_energy, &b.friction_energy, sizeof(double));
    element_test_end(&test);
    element_test_end(&other);
  }
}

static void damaged_sections_are_refused(void **state)
{
  (void)state;
  element_test test;
  section_list list;
  begin_heap(&test, 0, 1, 50);
  run_steps(&test, 3);
  save_to(&test, &list);
  uint64_t before = hash_of(&test);
  for (int32_t k = 0; k < list.count; k++) {
    if (strncmp(list.item[k].name, "discrete_element.", 17) != 0) continue;
    section saved = list.item[k];
    list.item[k].columns++;
    assert_int_equal(test.method.restore(test.method.state, &list, 50, 1), FLOC_DAMAGED_FILE);
    list.item[k] = saved;
    list.item[k].name[0] = 'X';
    assert_int_equal(test.method.restore(test.method.state, &list, 50, 1), FLOC_DAMAGED_FILE);
    list.item[k] = saved;
  }
  assert_int_equal(test.method.restore(test.method.state, &list, 49, 1), FLOC_DAMAGED_FILE);
  assert_non_null(strstr(test.env.message, "50 rows"));
  assert_true(hash_of(&test) == before);
  section_list_free(&list);
  element_test_end(&test);
}

/* Sorting storage changes the order of sums, so bits, but not the motion. Springs turn round with pairs. */
static void sorted_storage_moves_alike(void **state)
{
  (void)state;
  for (int which = 0; which < KINDS; which++) {
    element_test test, sorted;
    begin_heap(&test, which, 1, 200);
    begin_heap(&sorted, which, 1, 200);
    run_steps(&test, 40);
    run_steps(&sorted, 40);
    int32_t order[200];
    for (int k = 0; k < 200; k++) order[k] = (k * 37 + 11) % 200;
    assert_ok(&sorted.env, particles_permute(&sorted.table, order));
    assert_ok(&sorted.env, neighbors_permute(sorted.near, &sorted.table, order));
    assert_ok(&sorted.env, sorted.method.permute(sorted.method.state, &sorted.table, order));
    run_steps(&test, 20);
    run_steps(&sorted, 20);
    double *const *a = test.table.column, *const *b = sorted.table.column;
    for (int64_t id = 0; id < 200; id++) {
      int64_t i = test.table.slot[id], j = sorted.table.slot[id];
      for (int c = COLUMN_x; c <= COLUMN_vz; c++) assert_close(b[c][j], a[c][i], 1e-9);
    }
    assert_int_equal(test.report.contacts, sorted.report.contacts);
    double spring = element_report(&test).friction_energy;
    assert_true(spring > 0.0 || which == SLICK);
    assert_close(element_report(&sorted).friction_energy, spring, 1e-6 * spring);
    element_test_end(&test);
    element_test_end(&sorted);
  }
}

static void particles_may_come_later(void **state)
{
  (void)state;
  for (int which = 0; which < KINDS; which++) {
    element_test test;
    begin_heap(&test, which, 1, 30);
    run_steps(&test, 10);
    int64_t slot = add_element(&test, 5.0, 5.0, is_flat(which) ? 0.0 : 5.0, 0.05, 1.0);
    run_steps(&test, 100);
    double fallen = 0.5 * 10.0 * 100 * 5e-5 * 100 * 5e-5;
    assert_close(test.table.column[is_flat(which) ? COLUMN_y : COLUMN_z][slot], 5.0 - fallen, 0.02 * fallen);
    element_test_end(&test);
  }
}

/* ---- steps that fail ---- */

static floc_status failing_kernel(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)inputs;
  int *calls = context;
  for (int32_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) outputs[k][i] = *calls < 0 ? NAN : 0.1;
  return ++*calls == 20 ? FLOC_NOT_FOUND : FLOC_OK;
}

/* A step whose field fails leaves everything as it was: done again, it gives the same bits. */
static void failed_steps_leave_no_trace(void **state)
{
  (void)state;
  for (int integrator = 1; integrator <= 2; integrator++) {
    element_test test, unharmed;
    int calls[2] = {0, 1000000};
    for (int n = 0; n < 2; n++) {
      element_test *one = n == 0 ? &test : &unharmed;
      floc_discrete_element_options options = rich_options(integrator);
      options.medium_flow = failing_kernel;
      options.medium_flow_context = &calls[n];
      element_test_begin(one, 1, 3, &options);
      add_heap(one, 60, 0.4, 2.0, 5);
      one->time_step = 5e-5;
    }
    for (int k = 0; k < 40; k++) {
      uint64_t before = hash_of(&test);
      floc_status status = element_test_step(&test);
      if (status != FLOC_OK) {
        assert_int_equal(status, FLOC_CALLBACK_FAILED);
        assert_non_null(strstr(test.env.message, "the function of the medium_flow at time"));
        assert_non_null(strstr(test.env.message, "failed (not found)"));
        assert_true(hash_of(&test) == before);
        calls[0] = 1000;
        run_steps(&test, 1);
      }
      run_steps(&unharmed, 1);
    }
    assert_int_equal(calls[0] > 1000, 1);
    assert_true(hash_of(&test) == hash_of(&unharmed));
    calls[0] = -10;
    assert_int_equal(element_test_step(&test), FLOC_NOT_A_NUMBER);
    assert_non_null(strstr(test.env.message, "returned (nan"));
    assert_true(hash_of(&test) == hash_of(&unharmed));
    element_test_end(&test);
    element_test_end(&unharmed);
  }
}

/* A time step far too large: the first number beyond bounds is named, and the state stays. */
static void explosions_are_named(void **state)
{
  (void)state;
  for (int which = 0; which < KINDS; which++) {
    element_test test;
    begin_heap(&test, which, 1, 50);
    ((discrete_element *)test.method.state)->options.adaptive = false;
    test.time_step = 1e20;
    floc_status status = FLOC_OK;
    uint64_t before = 0;
    for (int k = 0; k < 100 && status == FLOC_OK; k++) {
      before = hash_of(&test);
      status = element_test_step(&test);
    }
    assert_true(status == FLOC_NOT_A_NUMBER || status == FLOC_NOT_SUPPORTED || status == FLOC_LIMIT_EXCEEDED);
    assert_true(hash_of(&test) == before);
    if (status != FLOC_NOT_SUPPORTED && !strstr(test.env.message, "particle")) fail_msg("%s", test.env.message);
    element_test_end(&test);
  }
}

/* There is no direction in which to separate them; where there is the least of one, they part. */
static void coincident_centers_are_refused(void **state)
{
  (void)state;
  for (int which = 0; which < KINDS; which++) {
    element_test test;
    floc_discrete_element_options options = options_of(which);
    options.bond_law = FLOC_BOND_NONE;
    element_test_begin(&test, 1, 3, &options);
    add_element(&test, 0.1, 0.2, 0.3, 0.05, 1.0);
    add_element(&test, 0.1, 0.2, 0.3, 0.05, 1.0);
    test.time_step = 1e-5;
    assert_int_equal(element_test_step(&test), FLOC_OVERLAPPING);
    assert_non_null(
        strstr(test.env.message, "particles 1 and 2 are at the same point (0.1, 0.2, 0.3) before step 1"));
    test.table.column[COLUMN_x][1] += 1e-9;
    run_steps(&test, 50);
    for (int c = 0; c < test.table.column_count; c++)
      assert_true(isfinite(test.table.column[c][0]) && isfinite(test.table.column[c][1]));
    for (int c = COLUMN_x; c <= COLUMN_z; c++) test.table.column[c][1] = test.table.column[c][0];
    for (int c = COLUMN_vx; c <= COLUMN_vz; c++) test.table.column[c][0] = test.table.column[c][1] = 0.0;
    floc_status status = element_test_step(&test); /* springs of before may be all that they have; then they part */
    if (status == FLOC_OK) status = element_test_step(&test);
    bool together = test.table.column[COLUMN_x][0] == test.table.column[COLUMN_x][1];
    assert_int_equal(status, together ? FLOC_OVERLAPPING : FLOC_OK);
    element_test_end(&test);
  }
}

/* ---- wrong options ---- */

static void wrong_options_are_refused(void **state)
{
  (void)state;
  element_test test;
  element_test_open(&test, 1, 3);
  assert_ok(&test.env, neighbors_create(&test.env, 3, &test.near));
  scheme made;
#define REFUSED(field, value, what)                                                                                \
  do {                                                                                                             \
    floc_discrete_element_options options = element_options();                                                     \
    options.field = value;                                                                                         \
    floc_status status = discrete_element_create(&test.env, 3, &options, &test.table, test.near, &made);           \
    assert_int_equal(status, FLOC_INVALID_ARGUMENT);                                                               \
    if (!strstr(test.env.message, what)) fail_msg("\"%s\" does not name %s", test.env.message, what);              \
  } while (0)
  REFUSED(contact_force, -1, "contact_force is -1");
  REFUSED(contact_force, 4, "contact_force is 4");
  REFUSED(friction, 3, "friction is 3");
  REFUSED(bond_law, -1, "bond_law is -1");
  REFUSED(integrator, 0, "integrator is 0");
  REFUSED(near_field_scaling, 5, "near_field_scaling is 5");
  REFUSED(iterations, 0, "iterations is 0");
  REFUSED(stiffness, 0.0, "stiffness is 0");
  REFUSED(stiffness, NAN, "stiffness");
  REFUSED(exponent, -1.0, "exponent is -1");
  REFUSED(young_modulus, 0.0, "young_modulus is 0");
  REFUSED(poisson_ratio, 0.6, "poisson_ratio is 0.6");
  REFUSED(poisson_ratio, -1.0, "poisson_ratio is -1");
  REFUSED(damping, -1.0, "damping is -1");
  REFUSED(friction_static, -0.1, "friction_static is -0.1");
  REFUSED(friction_dynamic, 0.5, "friction_dynamic is 0.5");
  REFUSED(friction_time, INFINITY, "friction_time");
  REFUSED(bond_breaking, 0.0, "bond_breaking is 0");
  REFUSED(reference_temperature, 0.0, "reference_temperature is 0");
  REFUSED(viscosity, -1.0, "viscosity is -1");
  REFUSED(near_field_range, -1.0, "near_field_range is -1");
  REFUSED(magnetic_difference, 0.0, "magnetic_difference is 0");
  REFUSED(phi, 1.5, "phi is 1.5");
  REFUSED(tolerance, 0.0, "tolerance is 0");
  REFUSED(first_time_step, -1.0, "first_time_step is -1");
  floc_discrete_element_options options = element_options();
  options.thermal_softening = true;
  options.contact_force = FLOC_CONTACT_FORCE_HERTZ;
  assert_int_equal(discrete_element_create(&test.env, 3, &options, &test.table, test.near, &made),
                   FLOC_NOT_SUPPORTED);
  assert_int_equal(test.table.column_count, BUILTIN_COLUMN_COUNT); /* nothing was added */
  element_test_end(&test);
}

/* ---- failing memory ---- */

typedef struct failing_allocator {
  int64_t calls, fail_at, blocks;
} failing_allocator;

static void *allocate_or_fail(void *context, void *pointer, size_t old_size, size_t new_size)
{
  failing_allocator *memory = context;
  if (new_size > 0 && ++memory->calls == memory->fail_at) return NULL;
  if (new_size > 0 && !pointer) memory->blocks++;
  if (new_size == 0 && pointer) memory->blocks--;
  return default_allocate(NULL, pointer, old_size, new_size);
}

/* A short life. Steps that fail for memory are tried again; *steps counts those that succeeded. */
static floc_status live(failing_allocator *memory, int which, uint64_t *hash)
{
  element_test test;
  element_test_open(&test, 1, 3);
  test.env.allocate = allocate_or_fail;
  test.env.allocate_context = memory;
  floc_discrete_element_options options = options_of(which);
  floc_status status = element_test_rooms(&test, &options), failed = FLOC_OK;
  for (int k = 0; k < 24 && status == FLOC_OK; k++) {
    int64_t id;
    status = particles_append(&test.table, &id);
    if (status != FLOC_OK) break;
    test.table.column[COLUMN_x][k] = 0.097 * (k % 4), test.table.column[COLUMN_y][k] = 0.096 * (k / 4);
    test.table.column[COLUMN_radius][k] = 0.05, test.table.column[COLUMN_mass][k] = 1.0;
    test.table.column[COLUMN_vx][k] = 0.3 * (k % 3);
  }
  test.time_step = 1e-4;
  for (int k = 0; k < 5 && status == FLOC_OK; k++) {
    status = element_test_step(&test);
    if (status == FLOC_OUT_OF_MEMORY && failed == FLOC_OK) {
      failed = status;
      status = FLOC_OK;
      k--;
    }
  }
  const int32_t *first, *second;
  int64_t links;
  section_list list;
  section_list_init(&list, &test.env);
  if (status == FLOC_OK) status = test.method.links(test.method.state, &first, &second, &links);
  if (status == FLOC_OK) status = test.method.sections(test.method.state, &list);
  if (status == FLOC_OK) status = test.method.restore(test.method.state, &list, test.table.count, 0);
  section_list_free(&list);
  if (status == FLOC_OK) *hash = hash_of(&test);
  element_test_end(&test);
  return status == FLOC_OK ? failed : status;
}

static void failing_memory_is_survived(void **state)
{
  (void)state;
  for (int which = 0; which < KINDS; which++) {
    failing_allocator memory = {0};
    uint64_t reference = 0, hash = 0;
    assert_int_equal(live(&memory, which, &reference), FLOC_OK);
    int64_t needed = memory.calls;
    assert_true(needed > 40);
    assert_int_equal(memory.blocks, 0);
    for (int64_t n = 1; n <= needed; n++) {
      memory = (failing_allocator){.fail_at = n};
      hash = reference;
      floc_status status = live(&memory, which, &hash);
      assert_true(status == FLOC_OUT_OF_MEMORY || status == FLOC_OK);
      assert_true(hash == reference); /* a step that is done again gives the same bits */
      assert_int_equal(memory.blocks, 0);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_and_lanes_do_not_matter), cmocka_unit_test(fast_loop_is_the_general_one),
      cmocka_unit_test(resume_goes_on_bit_for_bit),      cmocka_unit_test(damaged_sections_are_refused),
      cmocka_unit_test(sorted_storage_moves_alike),      cmocka_unit_test(particles_may_come_later),
      cmocka_unit_test(failed_steps_leave_no_trace),     cmocka_unit_test(explosions_are_named),
      cmocka_unit_test(coincident_centers_are_refused),  cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(failing_memory_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
