/*
 * Attributes of shapes in C: names and limits, values of one shape and of all, shapes that come later, checkpoints,
 * and what is refused. What wall laws do to them: tests/lua/wear_spec.lua.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static floc_world *make_worn(const char *first, const char *second)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 1e-3;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_body_options body;
  floc_body_options_init(&body);
  floc_shape shape;
  floc_shape_init(&shape);
  shape.kind = FLOC_SHAPE_SPHERE;
  shape.radius = 1.0;
  assert_int_equal(floc_body_add(world, &body, NULL), FLOC_OK);
  assert_int_equal(floc_body_add_shape(world, 0, &shape), FLOC_OK);
  if (first) assert_int_equal(floc_shape_attribute_add(world, first, 2.5), FLOC_OK);
  shape.points[0][0] = 5.0;
  assert_int_equal(floc_body_add_shape(world, 0, &shape), FLOC_OK);
  if (second) assert_int_equal(floc_shape_attribute_add(world, second, -1.0), FLOC_OK);
  return world;
}

static double value_of(floc_world *world, int32_t shape, const char *name)
{
  double value = NAN;
  assert_int_equal(floc_shape_attribute_get(world, 0, shape, name, &value), FLOC_OK);
  return value;
}

static void shapes_have_them(void **state)
{
  (void)state;
  floc_world *world = make_worn("wear", "heat");
  assert_string_equal(floc_shape_attribute_name(world, 0), "wear");
  assert_string_equal(floc_shape_attribute_name(world, 1), "heat");
  assert_null(floc_shape_attribute_name(world, 2));
  assert_null(floc_shape_attribute_name(world, -1));
  for (int32_t shape = 0; shape < 2; shape++) {
    assert_true(value_of(world, shape, "wear") == 2.5);
    assert_true(value_of(world, shape, "heat") == -1.0);
  }
  assert_int_equal(floc_shape_attribute_set(world, 0, 1, "wear", 4.0), FLOC_OK);
  assert_true(value_of(world, 0, "wear") == 2.5 && value_of(world, 1, "wear") == 4.0);
  assert_int_equal(floc_shape_attribute_set(world, 0, -1, "heat", 9.0), FLOC_OK);
  assert_true(value_of(world, 0, "heat") == 9.0 && value_of(world, 1, "heat") == 9.0);
  floc_world_destroy(world);
}

static void refuses(floc_world *world, floc_status status, floc_status expected, const char *part)
{
  assert_int_equal(status, expected);
  if (!strstr(floc_world_message(world), part)) fail_msg("\"%s\" lacks \"%s\"", floc_world_message(world), part);
}

static void what_cannot_be_is_refused(void **state)
{
  (void)state;
  floc_world *world = make_worn("wear", NULL);
  double value;
  refuses(world, floc_shape_attribute_add(world, NULL, 0.0), FLOC_INVALID_ARGUMENT, "name is NULL");
  refuses(world, floc_shape_attribute_add(world, "a b", 0.0), FLOC_INVALID_ARGUMENT, "a b");
  refuses(world, floc_shape_attribute_add(world, "1a", 0.0), FLOC_INVALID_ARGUMENT, "1a");
  refuses(world, floc_shape_attribute_add(world, "", 0.0), FLOC_INVALID_ARGUMENT, "letters");
  refuses(world, floc_shape_attribute_add(world, "heat", NAN), FLOC_INVALID_ARGUMENT, "initial is nan");
  refuses(world, floc_shape_attribute_add(world, "wear", 0.0), FLOC_ALREADY_EXISTS, "wear");
  refuses(world, floc_shape_attribute_get(world, 0, 0, "war", &value), FLOC_NOT_FOUND, "war");
  refuses(world, floc_shape_attribute_get(world, 0, 2, "wear", &value), FLOC_NOT_FOUND, "shape 2");
  refuses(world, floc_shape_attribute_get(world, 1, 0, "wear", &value), FLOC_NOT_FOUND, "body 1");
  refuses(world, floc_shape_attribute_get(world, 0, 0, "wear", NULL), FLOC_INVALID_ARGUMENT, "value is NULL");
  refuses(world, floc_shape_attribute_get(world, 0, 0, NULL, &value), FLOC_INVALID_ARGUMENT, "name is NULL");
  refuses(world, floc_shape_attribute_set(world, 0, 0, "wear", INFINITY), FLOC_INVALID_ARGUMENT, "value is inf");
  refuses(world, floc_shape_attribute_set(world, 3, -1, "wear", 1.0), FLOC_NOT_FOUND, "body 3");
  char name[16];
  for (int k = 1; k < 16; k++) {
    snprintf(name, sizeof name, "n%d", k);
    assert_int_equal(floc_shape_attribute_add(world, name, 0.0), FLOC_OK);
  }
  refuses(world, floc_shape_attribute_add(world, "n16", 0.0), FLOC_LIMIT_EXCEEDED, "the limit is 16");
  assert_true(value_of(world, 1, "wear") == 2.5);
  floc_world_destroy(world);
}

static void checkpoints_keep_them(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-shape-attributes-XXXXXX";
  int handle = mkstemp(path);
  unlink(path);
  assert_true(handle >= 0);
  close(handle);
  floc_world *world = make_worn("wear", "heat");
  assert_int_equal(floc_shape_attribute_set(world, 0, 1, "wear", 4.0), FLOC_OK);
  uint64_t hash, other_hash;
  assert_int_equal(floc_world_hash(world, &hash), FLOC_OK);
  assert_int_equal(floc_world_save(world, path, 1), FLOC_OK);
  floc_world *same = make_worn("wear", "heat");
  assert_int_equal(floc_world_hash(same, &other_hash), FLOC_OK);
  assert_true(hash != other_hash);
  assert_int_equal(floc_world_load(same, path), FLOC_OK);
  assert_true(value_of(same, 0, "wear") == 2.5 && value_of(same, 1, "wear") == 4.0);
  assert_int_equal(floc_world_hash(same, &other_hash), FLOC_OK);
  assert_true(hash == other_hash);
  floc_world *lacks = make_worn("heat", NULL), *has_more = make_worn("wear", "charge");
  refuses(lacks, floc_world_load(lacks, path), FLOC_STRUCTURE_MISMATCH,
          "\"wear\" of shapes, which this world has not");
  assert_int_equal(floc_shape_attribute_add(has_more, "heat", 0.0), FLOC_OK);
  refuses(has_more, floc_world_load(has_more, path), FLOC_STRUCTURE_MISMATCH,
          "\"charge\" of shapes, which the checkpoint");
  assert_true(value_of(lacks, 0, "heat") == 2.5 && value_of(has_more, 1, "wear") == 2.5);
  floc_world *const all[] = {world, same, lacks, has_more};
  for (int k = 0; k < 4; k++) floc_world_destroy(all[k]);
  remove(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_have_them),
                                     cmocka_unit_test(what_cannot_be_is_refused),
                                     cmocka_unit_test(checkpoints_keep_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
