/*
 * engine/measures/added.c: measures that a host adds to a world.
 */
#include "support_world.h"

#include <fenv.h>
#include <stdlib.h>
#include <unistd.h>

/* What the host's function shall do. */
typedef struct host {
  double factor;
  int calls;
  floc_status returns, inside;
  bool writes_nothing, rounds;
} host;

/* factor times the sum of m x, an independent computation of factor total_mass center_x. */
static floc_status first_moment(void *context, floc_world *world, double *value)
{
  host *it = context;
  double *x, *mass, sum = 0.0;
  int64_t count;
  it->calls++;
  if (it->writes_nothing) return FLOC_OK;
  if (it->rounds) fesetround(FE_UPWARD);
  floc_status status = floc_column(world, "x", &x, &count);
  if (status == FLOC_OK) status = floc_column(world, "mass", &mass, &count);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < count; k++) sum += mass[k] * x[k];
  *value = it->factor * sum;
  it->inside = floc_world_step(world); /* does more than look */
  return it->returns;
}

static floc_measure_options described(const char *name, host *it)
{
  floc_measure_options options;
  floc_measure_options_init(&options);
  options.name = name;
  options.unit = "mass length";
  options.text = "sum of m x";
  options.function = first_moment;
  options.context = it;
  return options;
}

static floc_world *some_particles(void)
{
  floc_world *world = make_world(2, 0.01, -1.0, 1);
  insert_box(world, 50, 0.0, 0.0, 10.0, 10.0, 0.1, 0.3);
  return world;
}

static double measured(floc_world *world, const char *name)
{
  double value = NAN;
  assert_world_ok(world, floc_measure(world, name, &value));
  return value;
}

static void it_is_a_measure_like_others(void **state)
{
  (void)state;
  host one = {.factor = 1.0}, two = {.factor = 2.0};
  floc_world *world = some_particles();
  char name[] = "first_moment";
  floc_measure_options options = described(name, &one);
  assert_world_ok(world, floc_measure_add(world, &options));
  memset(name, 'z', sizeof name - 1); /* the string is copied */
  options = described("twice", &two);
  options.unit = options.text = NULL;
  assert_world_ok(world, floc_measure_add(world, &options));
  double expected = measured(world, "total_mass") * measured(world, "center_x");
  assert_float_equal(measured(world, "first_moment"), expected, 1e-12 * expected);
  assert_true(measured(world, "twice") == 2.0 * measured(world, "first_moment"));
  assert_true(one.calls == 2 && two.calls == 1);

  floc_measure_options found;
  floc_measure_options_init(&found);
  assert_world_ok(world, floc_measure_added(world, 0, &found));
  assert_string_equal(found.name, "first_moment");
  assert_string_equal(found.unit, "mass length");
  assert_string_equal(found.text, "sum of m x");
  assert_true(found.function == first_moment && found.context == &one);
  assert_world_ok(world, floc_measure_added(world, 1, &found));
  assert_string_equal(found.name, "twice");
  assert_string_equal(found.unit, "");
  assert_int_equal(floc_measure_added(world, 2, &found), FLOC_NOT_FOUND);
  assert_int_equal(floc_measure_added(world, -1, &found), FLOC_NOT_FOUND);
  floc_world_destroy(world);
}

static void it_may_only_look(void **state)
{
  (void)state;
  host one = {.factor = 1.0};
  floc_world *world = some_particles();
  floc_measure_options options = described("moment", &one);
  assert_world_ok(world, floc_measure_add(world, &options));
  uint64_t before = world_hash(world);
  measured(world, "moment");
  assert_int_equal(one.inside, FLOC_WRONG_STATE);
  assert_non_null(strstr(floc_world_message(world), "floc_world_step is not allowed inside measure \"moment\""));
  assert_true(world_hash(world) == before);
  floc_world_destroy(world);
}

static void a_function_that_fails_is_named(void **state)
{
  (void)state;
  host one = {.factor = 1.0, .returns = FLOC_NO_ROOM};
  floc_world *world = some_particles();
  floc_measure_options options = described("moment", &one);
  assert_world_ok(world, floc_measure_add(world, &options));
  double value = 7.0;
  assert_int_equal(floc_measure(world, "moment", &value), FLOC_CALLBACK_FAILED);
  assert_non_null(strstr(floc_world_message(world), "measure \"moment\" failed (no room)"));
  one.returns = (floc_status)5;
  assert_int_equal(floc_measure(world, "moment", &value), FLOC_CALLBACK_FAILED);
  one.returns = FLOC_OUT_OF_MEMORY;
  assert_int_equal(floc_measure(world, "moment", &value), FLOC_OUT_OF_MEMORY);
  one.returns = FLOC_OK;
  one.rounds = true;
  assert_int_equal(floc_measure(world, "moment", &value), FLOC_CALLBACK_FAILED);
  assert_non_null(strstr(floc_world_message(world), "the rounding mode"));
  one.rounds = false;
  one.factor = NAN;
  assert_int_equal(floc_measure(world, "moment", &value), FLOC_CALLBACK_FAILED);
  one.writes_nothing = true;
  assert_int_equal(floc_measure(world, "moment", &value), FLOC_CALLBACK_FAILED);
  assert_non_null(strstr(floc_world_message(world), "measure \"moment\" returned nan"));
  assert_true(value == 7.0);
  one = (host){.factor = INFINITY};
  assert_true(isinf(measured(world, "moment")));
  floc_world_destroy(world);
}

static void assert_refused(floc_world *world, const floc_measure_options *options, floc_status expected,
                           const char *says)
{
  assert_int_equal(floc_measure_add(world, options), expected);
  if (!strstr(floc_world_message(world), says)) fail_msg("%s: %s", says, floc_world_message(world));
}

static void names_and_texts_are_checked(void **state)
{
  (void)state;
  static const char *const wrong[] = {
      "", "1st", "a b", "a-b", "a\xc3\xa4", "\"", "a23456789012345678901234567890123456789012345678"};
  static const char *const taken[] = {"kinetic_energy", "critical_time_step", "step", "overlap", "mine"};
  char long_text[300];
  memset(long_text, 't', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = '\0';
  host one = {.factor = 1.0};
  floc_world *world = some_particles();
  floc_measure_options options = described("mine", &one);
  assert_world_ok(world, floc_measure_add(world, &options));
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    options = described(wrong[k], &one);
    assert_refused(world, &options, FLOC_INVALID_ARGUMENT, "options.name is");
  }
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
    options = described(taken[k], &one);
    assert_refused(world, &options, FLOC_ALREADY_EXISTS, taken[k]);
  }
  options = described(NULL, &one);
  assert_refused(world, &options, FLOC_INVALID_ARGUMENT, "options.name is NULL");
  options = described("other", &one);
  options.function = NULL;
  assert_refused(world, &options, FLOC_INVALID_ARGUMENT, "options.function is NULL");
  options = described("other", &one);
  options.unit = long_text;
  assert_refused(world, &options, FLOC_INVALID_ARGUMENT, "options.unit");
  options.unit = NULL;
  options.text = long_text;
  assert_refused(world, &options, FLOC_INVALID_ARGUMENT, "options.text");
  assert_int_equal(floc_measure_add(world, NULL), FLOC_INVALID_ARGUMENT);
  double value;
  assert_int_equal(floc_measure(world, "other", &value), FLOC_NOT_FOUND);
  floc_measure_options found = {.struct_size = sizeof found};
  assert_int_equal(floc_measure_added(world, 1, &found), FLOC_NOT_FOUND);
  floc_world_destroy(world);
}

/* Neither the hash nor a checkpoint knows of it: a host adds it to the world that it loads into. */
static void it_is_not_in_checkpoints(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-added-XXXXXX";
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  unlink(path);
  host one = {.factor = 1.0};
  floc_world *world = some_particles(), *other = make_world(2, 0.01, -1.0, 1);
  uint64_t before = world_hash(world);
  floc_measure_options options = described("mine", &one);
  assert_world_ok(world, floc_measure_add(world, &options));
  assert_true(world_hash(world) == before);
  double expected = measured(world, "mine"), value;
  assert_world_ok(world, floc_world_save(world, path, 1));
  assert_world_ok(other, floc_world_load(other, path));
  assert_int_equal(floc_measure(other, "mine", &value), FLOC_NOT_FOUND);
  assert_world_ok(other, floc_measure_add(other, &options));
  assert_true(measured(other, "mine") == expected);
  assert_world_ok(world, floc_world_load(world, path)); /* and it stays where it was added */
  assert_true(measured(world, "mine") == expected);
  unlink(path);
  floc_world_destroy(other);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_a_measure_like_others), cmocka_unit_test(it_may_only_look),
      cmocka_unit_test(a_function_that_fails_is_named), cmocka_unit_test(names_and_texts_are_checked),
      cmocka_unit_test(it_is_not_in_checkpoints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
