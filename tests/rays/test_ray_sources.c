/*
 * Sources over time: schedules, impulses that do not depend on the steps, rays in flight, take-back of a
 * failed step, checkpoints, wrong input, failing memory.
 */
#include "rays/ray_support.h"

#include <stdlib.h>

typedef struct sum3 {
  double force[3][512], torque[3][512];
} sum3;

static void pack(ray_test *test, int count, double radius)
{
  for (int k = 0; k < count; k++)
    if (!add_random_sphere(test, radius, 7)) fail_msg("no room");
}

/* One step: begin, force, commit. Adds force times step to the impulse of slot 0 .. n-1. */
static void do_step(ray_test *test, ray_sources *all, double time, double step, double *impulse)
{
  static sum3 sums;
  memset(&sums, 0, sizeof sums);
  double *force[3] = {sums.force[0], sums.force[1], sums.force[2]};
  double *torque[3] = {sums.torque[0], sums.torque[1], sums.torque[2]};
  assert_ok(&test->env, ray_sources_begin(all, &test->scratch, &test->table, &test->obstacles, &test->box, time));
  ray_sources_force(all, &test->table, time, step, force, torque);
  if (impulse)
    for (int64_t k = 0; k < test->table.count; k++)
      for (int axis = 0; axis < 3; axis++) impulse[3 * k + axis] += step * force[axis][k];
  ray_sources_commit(all, &test->table, time + step);
  arena_reset(&test->scratch);
}

static void impulses_do_not_depend_on_steps(void **state)
{
  (void)state;
  double reference[30], steps[] = {1e-3, 1e-5, 3.3e-6, 7e-4};
  for (int n = 0; n < 4; n++) {
    ray_test test;
    ray_test_begin(&test, 1, 3);
    pack(&test, 10, 0.2);
    ray_sources *all;
    int32_t number;
    double impulse[30] = {0};
    floc_ray_source_options source = default_source();
    source.power = 1e9;
    source.rays = 1000;
    source.duration = 1e-5;
    assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
    assert_ok(&test.env, ray_sources_add(all, &source, &number));
    double time = 0.0;
    for (int k = 0; k < 10; k++) {
      do_step(&test, all, time, steps[n], impulse);
      time += steps[n];
    }
    if (n == 0) memcpy(reference, impulse, sizeof reference);
    for (int k = 0; k < 30; k++) assert_close(impulse[k], reference[k], 1e-11 * fabs(reference[k]));
    double push = 0.0;
    for (int k = 0; k < 10; k++) push += impulse[3 * k];
    assert_true(push > 0.0);
    ray_sources_destroy(all);
    ray_test_end(&test);
  }
}

static int64_t pulses_of(ray_sources *all, int32_t source)
{
  floc_ray_report report;
  environment env = test_environment(1);
  assert_ok(&env, ray_sources_report(all, &env, source, &report));
  return report.pulses;
}

static void schedules_are_kept(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 5, 0.2);
  ray_sources *all;
  int32_t listed, regular, endless, none;
  double times[] = {0.0, 0.5, 1.0, 1.5};
  floc_ray_source_options source = default_source();
  source.rays = 10;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  source.times = times;
  source.time_count = 4;
  assert_ok(&test.env, ray_sources_add(all, &source, &listed));
  times[1] = 0.3; /* the source has its own copy */
  source.time_count = 0;
  assert_ok(&test.env, ray_sources_add(all, &source, &none));
  source.times = NULL;
  source.start = 0.25, source.period = 0.1, source.pulses = 3;
  assert_ok(&test.env, ray_sources_add(all, &source, &regular));
  source.start = 0.0, source.period = 0.125, source.pulses = 0;
  assert_ok(&test.env, ray_sources_add(all, &source, &endless));
  assert_int_equal(ray_sources_count(all), 4);
  double time = 0.0, step = 2.5e-4;
  int64_t first_half = 0;
  for (int k = 0; k < 8001; k++) {
    do_step(&test, all, time, step, NULL);
    if (k == 2000) first_half = pulses_of(all, listed); /* the step that begins at 0.5 */
    time += step;
  }
  assert_int_equal(first_half, 2);
  assert_int_equal(pulses_of(all, listed), 4);
  assert_int_equal(pulses_of(all, none), 0);
  assert_int_equal(pulses_of(all, regular), 3);
  assert_int_equal(pulses_of(all, endless), 17);
  assert_int_equal(pulses_of(all, -1), 24);
  ray_sources_destroy(all);
  ray_test_end(&test);
}

static void a_step_can_be_taken_back(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 10, 0.2);
  ray_sources *all;
  int32_t number;
  double once[30] = {0}, twice[30] = {0};
  floc_ray_source_options source = default_source();
  source.rays = 500;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env, ray_sources_add(all, &source, &number));
  assert_ok(&test.env, ray_sources_begin(all, &test.scratch, &test.table, &test.obstacles, &test.box, 0.0));
  ray_sources_revert(all);
  assert_int_equal(pulses_of(all, 0), 0);
  do_step(&test, all, 0.0, 1e-5, once);
  ray_sources_destroy(all);
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env, ray_sources_add(all, &source, &number));
  do_step(&test, all, 0.0, 1e-5, twice);
  assert_memory_equal(once, twice, sizeof once);
  ray_sources_destroy(all);
  ray_test_end(&test);
}

/* In flight the same pulse takes its time but ends with the same account when nothing moves. */
static void rays_in_flight_arrive(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 200, 0.09);
  ray_sources *all;
  int32_t number;
  floc_ray_source_options source = default_source();
  source.rays = 3000;
  ray_trace at_once = trace_once(&test, &source);
  source.in_flight = true;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env, ray_sources_add(all, &source, &number));
  double time = 0.0, step = 1e-5, front = -2.0;
  floc_ray_report report;
  int64_t before = 0, steps = 0;
  do {
    do_step(&test, all, time, step, NULL);
    assert_ok(&test.env, ray_sources_report(all, &test.env, 0, &report));
    assert_balanced(&report);
    assert_true(report.reflections >= before);
    before = report.reflections;
    if (steps < 50) { /* the unscattered front moves with the sound speed */
      floc_ray *rays = calloc(3000, sizeof *rays);
      int64_t count;
      double x = -INFINITY;
      ray_sources_flying(all, rays, 3000, &count);
      assert_int_equal(count, report.rays_in_flight);
      for (int64_t k = 0; k < count; k++) x = fmax(x, rays[k].position[0]);
      if (steps > 0) assert_close(x - front, 1500.0 * step, 1e-12);
      front = x;
      free(rays);
    }
    time += step;
    steps++;
  } while (report.rays_in_flight > 0 && steps < 2000);
  assert_true(steps > 2.0 / (1500.0 * step)); /* across the ball */
  assert_int_equal(report.rays_in_flight, 0);
  /* not quite the same: every bounce enlarges the rounding of the stops on the way about tenfold */
  assert_close((double)report.reflections, (double)at_once.report.reflections, 0.005 * report.reflections);
  assert_close(report.absorbed, at_once.report.absorbed, 0.005 * report.absorbed);
  assert_close(report.exit_power[0], at_once.report.exit_power[0], 0.005);
  ray_sources_destroy(all);
  ray_test_end(&test);
}

static void absorbed_energy_is_counted(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 20, 0.15);
  assert_ok(&test.env, particles_add_attribute(&test.table, "absorbed_energy", 0.0));
  ray_sources *all;
  int32_t number;
  floc_ray_source_options source = default_source();
  source.power = 5.0;
  source.duration = 0.01;
  source.period = 0.1;
  source.pulses = 3;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env, ray_sources_add(all, &source, &number));
  for (int k = 0; k < 60; k++) do_step(&test, all, 0.007 * k, 0.007, NULL);
  floc_ray_report report;
  assert_ok(&test.env, ray_sources_report(all, &test.env, 0, &report));
  const double *energy = test.table.column[particles_find_column(&test.table, "absorbed_energy")];
  double sum = 0.0;
  for (int64_t k = 0; k < test.table.count; k++) sum += energy[k];
  assert_close(sum, report.absorbed * 0.01, 1e-12);
  ray_sources_destroy(all);
  ray_test_end(&test);
}

/* ---- checkpoints ---- */

static void add_sources(ray_test *test, ray_sources *all)
{
  floc_ray_source_options source = default_source();
  int32_t number;
  source.rays = 800;
  source.duration = 4e-4;
  source.in_flight = true;
  source.period = 3e-4;
  source.pulses = 0;
  assert_ok(&test->env, ray_sources_add(all, &source, &number));
  source.in_flight = false;
  source.direction[1] = 1.0;
  source.period = 5e-4;
  assert_ok(&test->env, ray_sources_add(all, &source, &number));
}

static void resume_goes_on_bit_for_bit(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 2, 3);
  pack(&test, 100, 0.1);
  double straight[300] = {0}, resumed[300] = {0};
  ray_sources *all, *other;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &other));
  add_sources(&test, all);
  add_sources(&test, other);
  const double step = 1e-4;
  for (int k = 0; k < 12; k++) do_step(&test, all, k * step, step, NULL);
  section_list list;
  section_list_init(&list, &test.env);
  assert_ok(&test.env, ray_sources_sections(all, &list));
  assert_true(section_find(&list, "rays/flight")->rows > 0);
  assert_true(section_find(&list, "rays/push")->rows > 0);
  assert_ok(&test.env, ray_sources_restore(other, &list, test.table.count, 0));
  section_list_free(&list);
  for (int k = 12; k < 24; k++) {
    do_step(&test, all, k * step, step, straight);
    if (k == 15) { /* storage is sorted again in between: rays name particles by id */
      int32_t order[100];
      for (int n = 0; n < 100; n++) order[n] = (n * 37 + 11) % 100;
      assert_ok(&test.env, particles_permute(&test.table, order));
      double moved[300];
      for (int n = 0; n < 100; n++) memcpy(&moved[3 * n], &straight[3 * order[n]], 3 * sizeof *moved);
      memcpy(straight, moved, sizeof moved);
    }
  }
  int32_t back[100]; /* to the order in which the other run begins */
  double moved_back[300];
  for (int k = 0; k < 100; k++) back[k] = (int32_t)test.table.slot[k];
  for (int k = 0; k < 100; k++) memcpy(&moved_back[3 * k], &straight[3 * back[k]], 3 * sizeof *moved_back);
  memcpy(straight, moved_back, sizeof straight);
  assert_ok(&test.env, particles_permute(&test.table, back));
  for (int k = 12; k < 24; k++) do_step(&test, other, k * step, step, resumed);
  assert_memory_equal(straight, resumed, sizeof straight);
  floc_ray_report a, b;
  assert_ok(&test.env, ray_sources_report(all, &test.env, -1, &a));
  assert_ok(&test.env, ray_sources_report(other, &test.env, -1, &b));
  assert_memory_equal(&a, &b, sizeof a);
  ray_sources_destroy(all);
  ray_sources_destroy(other);
  ray_test_end(&test);
}

static void damaged_sections_are_refused(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 50, 0.1);
  ray_sources *all;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  add_sources(&test, all);
  for (int k = 0; k < 12; k++) do_step(&test, all, k * 1e-4, 1e-4, NULL);
  section_list list;
  section_list_init(&list, &test.env);
  assert_ok(&test.env, ray_sources_sections(all, &list));
  assert_int_equal(ray_sources_restore(all, &list, 3, 0), FLOC_DAMAGED_FILE);
  int64_t pulses = pulses_of(all, -1);
  for (int32_t k = 0; k < list.count; k++) { /* each section missing, each of another shape */
    section saved = list.item[k];
    list.item[k].name[0] = 'X';
    assert_int_equal(ray_sources_restore(all, &list, test.table.count, 0), FLOC_DAMAGED_FILE);
    list.item[k] = saved;
    list.item[k].columns++;
    assert_int_equal(ray_sources_restore(all, &list, test.table.count, 0), FLOC_DAMAGED_FILE);
    list.item[k] = saved;
  }
  assert_int_equal(pulses_of(all, -1), pulses);
  section_list_free(&list);
  ray_sources_destroy(all);
  ray_test_end(&test);
}

/* ---- wrong input ---- */

static void refused(ray_sources *all, environment *env, const floc_ray_source_options *source, const char *what)
{
  int32_t number, before = ray_sources_count(all);
  assert_int_equal(ray_sources_add(all, source, &number), FLOC_INVALID_ARGUMENT);
  if (!strstr(env->message, what)) fail_msg("\"%s\" does not name %s", env->message, what);
  assert_int_equal(ray_sources_count(all), before);
}

static void wrong_sources_are_refused(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 2);
  ray_sources *all;
  double times[] = {0.0, 1.0, 1.0};
  assert_ok(&test.env, ray_sources_create(&test.env, 2, 1, &all));
#define REFUSED(field, value, what)                                                                                \
  do {                                                                                                             \
    floc_ray_source_options source = default_source();                                                             \
    source.field = value;                                                                                          \
    refused(all, &test.env, &source, what);                                                                        \
  } while (0)
  REFUSED(kind, 0, "kind is 0");
  REFUSED(kind, 4, "kind is 4");
  REFUSED(kind, FLOC_RAY_SOURCE_FUNCTION, "emit is NULL");
  REFUSED(rays, -1, "rays is -1");
  REFUSED(rays, 2000000000, "rays is 2000000000");
  REFUSED(power, -1.0, "power is -1");
  REFUSED(power, NAN, "power");
  REFUSED(duration, 0.0, "duration is 0");
  REFUSED(pulses, -2, "pulses is -2");
  REFUSED(pulses, 2, "period is 0");
  REFUSED(start, INFINITY, "start");
  REFUSED(direction[0], 0.0, "direction");
  REFUSED(direction[1], NAN, "direction");
  REFUSED(direction[2], 1.0, "two dimensions");
  REFUSED(aim[1], INFINITY, "aim");
  REFUSED(radius, 0.0, "radius is 0");
  REFUSED(distance, -1.0, "distance is -1");
  REFUSED(sampling, 3, "sampling is 3");
  REFUSED(method, 0, "method is 0");
  REFUSED(advance, 0.0, "advance is 0");
  REFUSED(advance, 2.0, "advance is 2");
  REFUSED(max_bounces, 0, "max_bounces is 0");
  REFUSED(power_floor, 1.5, "power_floor is 1.5");
  floc_ray_source_options source = default_source();
  source.kind = FLOC_RAY_SOURCE_POINT;
  source.half_angle = 4.0;
  refused(all, &test.env, &source, "half_angle is 4");
  source = default_source();
  source.times = times;
  source.time_count = 3;
  refused(all, &test.env, &source, "times[2] is 1");
  source.time_count = -1;
  refused(all, &test.env, &source, "time_count is -1");
  floc_ray_report report;
  assert_int_equal(ray_sources_report(all, &test.env, 0, &report), FLOC_INVALID_ARGUMENT);
  floc_media media;
  floc_media_init(&media);
  media.density[0] = -1.0;
  assert_int_equal(ray_sources_set_media(all, &media), FLOC_INVALID_ARGUMENT);
  media.density[0] = 800.0;
  assert_ok(&test.env, ray_sources_set_media(all, &media));
  ray_sources_destroy(all);
  ray_sources_destroy(NULL);
  ray_test_end(&test);
}

static floc_status emit_badly(void *context, int64_t index, double time, floc_ray *ray)
{
  (void)time;
  ray->direction[0] = 1.0;
  ray->area = 1.0;
  if (index == 5) {
    int what = *(int *)context;
    if (what == 0) return FLOC_NOT_FOUND;
    if (what == 1) ray->direction[0] = 0.0;
    if (what == 2) ray->position[1] = NAN;
    if (what == 3) ray->power = -1.0;
    if (what == 4) ray->area = INFINITY;
  }
  return FLOC_OK;
}

static void wrong_emitters_are_reported(void **state)
{
  (void)state;
  ray_test test;
  ray_test_begin(&test, 1, 3);
  pack(&test, 5, 0.1);
  ray_sources *all;
  int32_t number;
  int what = 0;
  floc_ray_source_options source = default_source();
  source.kind = FLOC_RAY_SOURCE_FUNCTION;
  source.emit = emit_badly;
  source.emit_context = &what;
  source.rays = 10;
  assert_ok(&test.env, ray_sources_create(&test.env, 3, 1, &all));
  assert_ok(&test.env, ray_sources_add(all, &source, &number));
  for (what = 0; what < 5; what++) {
    assert_int_equal(ray_sources_begin(all, &test.scratch, &test.table, &test.obstacles, &test.box, 0.0),
                     FLOC_CALLBACK_FAILED);
    assert_non_null(strstr(test.env.message, "5"));
    ray_sources_revert(all);
    assert_int_equal(pulses_of(all, 0), 0);
  }
  what = 99;
  do_step(&test, all, 0.0, 1e-3, NULL);
  assert_int_equal(pulses_of(all, 0), 1);
  ray_sources_destroy(all);
  ray_test_end(&test);
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

/* Everything that allocates; FLOC_OK, or the first failure. */
static floc_status live(environment *env)
{
  arena scratch;
  particles table;
  ray_sources *all = NULL;
  domain box = {.dimension = 3};
  section_list list;
  arena_init(&scratch, env);
  particles_init(&table, env);
  section_list_init(&list, env);
  floc_status status = FLOC_OK;
  for (int k = 0; k < 30 && status == FLOC_OK; k++) {
    int64_t id;
    status = particles_append(&table, &id);
    if (status != FLOC_OK) break;
    table.column[COLUMN_x][k] = 0.15 * (k % 6), table.column[COLUMN_y][k] = 0.15 * (k / 6);
    table.column[COLUMN_radius][k] = 0.05;
  }
  double times[] = {0.0, 1e-4};
  floc_ray_source_options source = default_source();
  source.rays = 50;
  source.times = times;
  source.time_count = 2;
  int32_t number;
  if (status == FLOC_OK) status = ray_sources_create(env, 3, 1, &all);
  if (status == FLOC_OK) status = ray_sources_add(all, &source, &number);
  source.in_flight = true;
  if (status == FLOC_OK) status = ray_sources_add(all, &source, &number);
  for (int k = 0; k < 4 && status == FLOC_OK; k++) {
    status = ray_sources_begin(all, &scratch, &table, NULL, &box, k * 1e-4);
    if (status == FLOC_OK) ray_sources_commit(all, &table, (k + 1) * 1e-4);
    arena_reset(&scratch);
  }
  if (status == FLOC_OK) status = ray_sources_sections(all, &list);
  if (status == FLOC_OK) status = ray_sources_restore(all, &list, table.count, 0);
  section_list_free(&list);
  ray_sources_destroy(all);
  particles_free(&table);
  arena_free(&scratch);
  return status;
}

static void failing_memory_is_survived(void **state)
{
  (void)state;
  failing_allocator memory = {0};
  environment env = test_environment(1);
  env.allocate = allocate_or_fail;
  env.allocate_context = &memory;
  assert_int_equal(live(&env), FLOC_OK);
  int64_t needed = memory.calls, refusals = 0;
  assert_true(needed > 15);
  assert_int_equal(memory.blocks, 0);
  for (int64_t n = 1; n <= needed; n++) {
    memory = (failing_allocator){.fail_at = n};
    floc_status status = live(&env); /* OK where the arena asks in advance and can omit it */
    assert_true(status == FLOC_OUT_OF_MEMORY || status == FLOC_OK);
    refusals += status == FLOC_OUT_OF_MEMORY;
    assert_int_equal(memory.blocks, 0);
  }
  assert_true(refusals >= needed - 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_do_not_depend_on_steps), cmocka_unit_test(schedules_are_kept),
      cmocka_unit_test(a_step_can_be_taken_back),        cmocka_unit_test(rays_in_flight_arrive),
      cmocka_unit_test(absorbed_energy_is_counted),      cmocka_unit_test(resume_goes_on_bit_for_bit),
      cmocka_unit_test(damaged_sections_are_refused),    cmocka_unit_test(wrong_sources_are_refused),
      cmocka_unit_test(wrong_emitters_are_reported),     cmocka_unit_test(failing_memory_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
