/*
 * Structs of hosts that are older or newer than the library: what is read of them, what is written into them, what
 * is refused; also through the public calls, with a struct that has grown.
 */
#include "support_world.h"

#include "base/structs.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct first_options {
  uint32_t struct_size;
  int32_t a;
} first_options;
typedef struct own_options {
  uint32_t struct_size;
  int32_t a;
  double b;
} own_options;
typedef struct newer_options {
  own_options known;
  double c;
} newer_options;

static void init_writes_what_the_host_has(void **state)
{
  (void)state;
  own_options defaults = {.a = 7, .b = 2.5};
  struct {
    first_options options;
    unsigned char behind[16];
  } old;
  memset(&old, 0xA5, sizeof old);
  assert_int_equal(struct_init(&old.options, sizeof old.options, sizeof(first_options), &defaults, sizeof defaults),
                   FLOC_OK);
  assert_true(old.options.struct_size == sizeof old.options && old.options.a == 7);
  for (int k = 0; k < 16; k++) assert_int_equal(old.behind[k], 0xA5);
  newer_options newer;
  memset(&newer, 0xA5, sizeof newer);
  assert_int_equal(struct_init(&newer, sizeof newer, sizeof(first_options), &defaults, sizeof defaults), FLOC_OK);
  assert_true(newer.known.struct_size == sizeof newer && newer.known.b == 2.5 && newer.c == 0.0);
  assert_int_equal(struct_init(NULL, 8, 8, &defaults, sizeof defaults), FLOC_INVALID_ARGUMENT);
  assert_int_equal(struct_init(&newer, 7, 8, &defaults, sizeof defaults), FLOC_INVALID_ARGUMENT);
}

static floc_status read_own(environment *env, const void *given, own_options *own)
{
  memset(own, 0xA5, sizeof *own);
  return struct_read(env, "options", given, sizeof(first_options), own, sizeof *own);
}

static void a_struct_of_any_age_is_read(void **state)
{
  (void)state;
  environment env = {0};
  own_options own;
  first_options old = {.struct_size = sizeof old, .a = 3};
  assert_int_equal(read_own(&env, &old, &own), FLOC_OK);
  assert_true(own.struct_size == sizeof own && own.a == 3 && own.b == 0.0); /* 0: as before */
  newer_options newer = {.known = {.struct_size = sizeof newer, .a = 4, .b = 5.0}};
  assert_int_equal(read_own(&env, &newer, &own), FLOC_OK);
  assert_true(own.a == 4 && own.b == 5.0);
  newer.c = 1e-300;
  assert_int_equal(read_own(&env, &newer, &own), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "newer floc.h"));
}

static void what_is_no_size_is_refused(void **state)
{
  (void)state;
  environment env = {0};
  own_options own, given = {.a = 1};
  const uint32_t bad[] = {0, 4, 7, 0xFFFFFFFF, 1 << 20};
  for (int k = 0; k < 5; k++) {
    given.struct_size = bad[k];
    env.message[0] = 0;
    assert_int_equal(read_own(&env, &given, &own), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(env.message, "struct_size"));
    assert_non_null(strstr(env.message, "_init"));
  }
  assert_int_equal(read_own(&env, NULL, &own), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "options is NULL"));
}

static void elements_have_the_hosts_stride(void **state)
{
  (void)state;
  unsigned char array[5 * 24];
  memset(array, 0xA5, sizeof array);
  own_options own = {.struct_size = sizeof own, .a = 9, .b = 8.0};
  struct_put_sized(array, 2, 8, &own, sizeof own); /* older */
  first_options old;
  memcpy(&old, array + 16, sizeof old);
  assert_true(old.struct_size == 8 && old.a == 9 && array[15] == 0xA5 && array[24] == 0xA5);
  struct_put_sized(array, 3, 24, &own, sizeof own); /* newer */
  newer_options newer;
  memcpy(&newer, array + 72, sizeof newer);
  assert_true(newer.known.struct_size == 24 && newer.known.b == 8.0 && newer.c == 0.0);
  assert_true(array[71] == 0xA5 && array[96] == 0xA5);
}

/* A program with a header of some later version. */
typedef struct later_projection {
  floc_projection_options known;
  double added;
} later_projection;
typedef struct later_report {
  floc_step_report known;
  double added[2];
} later_report;

static void a_newer_program_is_served(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  later_projection options;
  assert_int_equal(floc_projection_options_init_sized(&options.known, sizeof options), FLOC_OK);
  assert_true(options.known.struct_size == sizeof options && options.added == 0.0);
  options.known.restitution = 0.5;
  options.added = 1.0;
  assert_int_equal(floc_world_set_projection(world, &options.known), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "newer floc.h"));
  options.added = 0.0;
  assert_world_ok(world, floc_world_set_projection(world, &options.known));
  later_report report = {.added = {3.0, 4.0}};
  report.known.struct_size = sizeof report;
  assert_int_equal(floc_world_get_report(world, &report.known), FLOC_INVALID_ARGUMENT); /* it was not initialised */
  assert_int_equal(floc_step_report_init_sized(&report.known, sizeof report), FLOC_OK);
  assert_world_ok(world, floc_world_get_report(world, &report.known));
  assert_true(report.known.struct_size == sizeof report && report.added[0] == 0.0 && report.added[1] == 0.0);
  floc_world_destroy(world);
}

static void the_version_is_the_headers(void **state)
{
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", FLOC_VERSION_MAJOR, FLOC_VERSION_MINOR, FLOC_VERSION_PATCH);
  assert_string_equal(floc_version(), text);
  assert_int_equal(floc_version_number(),
                   10000 * FLOC_VERSION_MAJOR + 100 * FLOC_VERSION_MINOR + FLOC_VERSION_PATCH);
}

/* The function of a flow: the member of 0.1.0, or the struct that may grow. */
static floc_status blow(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)inputs;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = *(const double *)context, outputs[1][k] = 0.0;
  return FLOC_OK;
}

static void the_function_of_a_flow_comes_in_two_ways(void **state)
{
  (void)state;
  double member = 1.0, pointed = 2.0, velocity[2];
  for (int way = 0; way < 2; way++) {
    floc_world *world = make_world(2, 0.01, 0.0, 1);
    floc_flow_options flow;
    floc_law_options law;
    floc_flow_options_init(&flow);
    floc_law_options_init(&law);
    flow.kind = FLOC_FLOW_FUNCTION;
    flow.relaxation_time = 1.0;
    flow.function.function = law.function = blow;
    flow.function.output_count = law.output_count = 2;
    flow.function.context = &member;
    law.context = &pointed;
    if (way == 1) flow.law = &law;
    add_particle(world, 0.0, 0.0, 0.0, 0.0, 0.5);
    assert_world_ok(world, floc_world_set_flow(world, &flow));
    assert_world_ok(world, floc_world_step(world));
    double *values;
    int64_t count;
    assert_world_ok(world, floc_column(world, "vx", &values, &count));
    velocity[way] = values[0];
    flow.kind = FLOC_FLOW_UNIFORM;
    flow.law = &law;
    assert_int_equal(floc_world_set_flow(world, &flow), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(floc_world_message(world), "law"));
    floc_world_destroy(world);
  }
  assert_true(velocity[0] > 0.0 && velocity[1] == 2.0 * velocity[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(init_writes_what_the_host_has),
      cmocka_unit_test(a_struct_of_any_age_is_read),
      cmocka_unit_test(what_is_no_size_is_refused),
      cmocka_unit_test(elements_have_the_hosts_stride),
      cmocka_unit_test(a_newer_program_is_served),
      cmocka_unit_test(the_version_is_the_headers),
      cmocka_unit_test(the_function_of_a_flow_comes_in_two_ways),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
