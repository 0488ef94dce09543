/*
 * Bodies and their shapes: adding, placing, failed steps, bounds of shifts, checkpoints, memory.
 */
#include "failing_allocator.h"
#include "random_shapes.h"
#include "support.h"

#include "geometry/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int32_t EVERY_KIND[] = {FLOC_SHAPE_PLANE, FLOC_SHAPE_SEGMENT, FLOC_SHAPE_SPHERE, FLOC_SHAPE_HOLLOW,
                                     FLOC_SHAPE_TRIANGLE};
static const double H = 0.01;

static floc_body_options body_defaults(int32_t motion)
{
  return (floc_body_options){.struct_size = sizeof(floc_body_options), .motion = motion};
}

static floc_status swinging(void *context, double time, double *values)
{
  double scale = *(double *)context;
  values[0] = scale * cos(time);
  values[1] = scale * sin(2.0 * time);
  values[5] = scale * time;
  return FLOC_OK;
}

/* One body per kind of motion, turned and moved, each with shapes of all kinds. */
static void make_bodies(bodies *all, environment *env, int32_t dimension, double *scale)
{
  dice d = {17, 0};
  bodies_init(all, env, dimension);
  for (int32_t motion = FLOC_MOTION_FIXED; motion <= FLOC_MOTION_PISTON; motion++) {
    floc_body_options options = body_defaults(motion);
    throw_point(&d, dimension, 3.0, options.position);
    throw_point(&d, dimension, 1.0, options.velocity);
    throw_point(&d, dimension, 1.0, options.amplitude);
    throw_point(&d, 3, 2.0, options.rotation);
    throw_point(&d, 3, 2.0, options.angular_velocity);
    options.frequency = 1.7;
    options.phase = 0.3;
    options.travel = 0.2;
    options.returns = true;
    options.function = swinging;
    options.function_context = scale;
    options.name = "part";
    assert_ok(env, bodies_add(all, &options, 0.0, NULL));
  }
  for (int k = 0; k < 30; k++) { /* mixed up: shapes of a body need not lie together */
    int32_t kind = EVERY_KIND[k % 5];
    if (dimension == 2 && kind == FLOC_SHAPE_TRIANGLE) kind = FLOC_SHAPE_SEGMENT;
    floc_shape thrown = throw_shape(&d, kind, dimension);
    assert_ok(env, bodies_add_shape(all, (k * 7 + k / 6) % 6, &thrown));
  }
}

static void step(bodies *all, environment *env, double *time, int steps)
{
  for (int k = 0; k < steps; k++) {
    assert_ok(env, bodies_prepare(all, *time, H));
    bodies_commit(all, H);
    *time += H;
  }
}

/* ---- adding ---- */

static void bodies_keep_their_names_when_the_array_grows(void **state)
{
  (void)state;
  environment env = test_environment(1);
  bodies all;
  bodies_init(&all, &env, 2);
  char name[80];
  for (int k = 0; k < 200; k++) {
    floc_body_options options = body_defaults(FLOC_MOTION_FIXED);
    snprintf(name, sizeof name, "body number %d%s", k,
             k % 2 ? "" : ", which has quite a long name, longer than fits");
    options.name = k == 100 ? NULL : name;
    int32_t number = -1;
    assert_ok(&env, bodies_add(&all, &options, 0.0, &number));
    assert_int_equal(number, k);
    memset(name, 'x', sizeof name - 1); /* the host's text may go */
  }
  for (int k = 0; k < 200; k++) {
    snprintf(name, sizeof name, "body number %d", k);
    assert_ptr_equal(all.body[k].motion.name, all.body[k].name);
    if (k == 100)
      assert_string_equal(all.body[k].name, "");
    else
      assert_memory_equal(all.body[k].name, name, strlen(name));
    assert_true(strlen(all.body[k].name) < sizeof all.body[k].name);
  }
  bodies_free(&all);
}

static void unknown_bodies_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  bodies all;
  bodies_init(&all, &env, 2);
  floc_body_options options = body_defaults(FLOC_MOTION_FIXED);
  floc_shape ball = {.struct_size = sizeof ball, .kind = FLOC_SHAPE_SPHERE, .radius = 1.0};
  floc_compound box = {.kind = FLOC_COMPOUND_BOX, .upper = {1, 1, 1}};
  assert_int_equal(bodies_add_shape(&all, 0, &ball), FLOC_NOT_FOUND);
  assert_non_null(strstr(env.message, "there are no bodies"));
  assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
  assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
  assert_int_equal(bodies_add_shape(&all, 2, &ball), FLOC_NOT_FOUND);
  assert_non_null(strstr(env.message, "there is no body 2; bodies are 0 to 1"));
  assert_int_equal(bodies_add_compound(&all, -1, &box), FLOC_NOT_FOUND);
  assert_int_equal(bodies_set_motion(&all, 7, &options, 0.0), FLOC_NOT_FOUND);
  options.motion = 99;
  assert_int_equal(bodies_set_motion(&all, 1, &options, 0.0), FLOC_INVALID_ARGUMENT);
  assert_int_equal(all.body[1].motion.motion, FLOC_MOTION_FIXED);
  ball.radius = -1.0;
  assert_int_equal(bodies_add_shape(&all, 1, &ball), FLOC_INVALID_ARGUMENT);
  box.thickness = NAN;
  assert_int_equal(bodies_add_compound(&all, 1, &box), FLOC_INVALID_ARGUMENT);
  assert_int_equal(all.shape_count, 0);
  bodies_free(&all);
}

static void compounds_are_added_whole_or_not_at_all(void **state)
{
  (void)state;
  environment env = test_environment(1);
  bodies all;
  bodies_init(&all, &env, 2);
  floc_body_options options = body_defaults(FLOC_MOTION_FIXED);
  assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
  double points[] = {0, 0, 1, 0, 1, 1e200};
  floc_compound line = {.kind = FLOC_COMPOUND_POLYLINE, .points = points, .point_count = 3};
  assert_int_equal(bodies_add_compound(&all, 0, &line), FLOC_INVALID_ARGUMENT); /* the second segment is too long */
  assert_int_equal(all.shape_count, 0);
  assert_int_equal(all.body[0].shape_count, 0);
  points[5] = 2.0;
  assert_ok(&env, bodies_add_compound(&all, 0, &line));
  assert_int_equal(all.shape_count, 2);
  assert_int_equal(bodies_find_shape(&all, 0, 1), 1);
  assert_int_equal(bodies_find_shape(&all, 0, 2), -1);
  bodies_free(&all);
}

static void shapes_are_found_by_body_and_index(void **state)
{
  (void)state;
  environment env = test_environment(1);
  double scale = 1.0;
  bodies all;
  make_bodies(&all, &env, 3, &scale);
  int found = 0;
  for (int32_t number = 0; number < all.count; number++) {
    for (int32_t index = 0; index < all.body[number].shape_count; index++, found++) {
      int32_t place = bodies_find_shape(&all, number, index);
      assert_in_range(place, 0, all.shape_count - 1);
      assert_int_equal(all.world[place].body, number);
      assert_int_equal(all.world[place].index, index);
      assert_int_equal(all.world[place].kind, all.local[place].kind);
    }
  }
  assert_int_equal(found, 30);
  bodies_free(&all);
}

/* ---- placing ---- */

/* A point of the body's frame in the world, by Rodrigues' formula from a rotation vector. */
static void to_world(const pose *at, int32_t dimension, const double local[3], double result[3])
{
  double vector[3] = {0.0, 0.0, at->angle}, cross[3];
  if (dimension == 3) rotation_to_vector(at->orientation, vector);
  double angle = vector_length(vector);
  double axis[3] = {0.0, 0.0, 1.0};
  for (int k = 0; k < 3 && angle > 0.0; k++) axis[k] = vector[k] / angle;
  vector_cross(axis, local, cross);
  for (int k = 0; k < 3; k++) {
    result[k] = at->position[k] + local[k] * cos(angle) + cross[k] * sin(angle) +
                axis[k] * vector_dot(axis, local) * (1.0 - cos(angle));
  }
}

static void check_placed(const bodies *all)
{
  for (int32_t k = 0; k < all->shape_count; k++) {
    const shape *local = &all->local[k], *world = &all->world[k];
    const pose *at = &all->body[local->body].next;
    assert_true(world->radius == local->radius);
    for (int p = 0; p < (local->kind == FLOC_SHAPE_PLANE ? 2 : shape_corners(local->kind)); p++) {
      double expected[3];
      pose turned = *at;
      if (local->kind == FLOC_SHAPE_PLANE && p == 1)
        turned.position[0] = turned.position[1] = turned.position[2] = 0.0;
      to_world(&turned, all->dimension, local->point[p], expected);
      for (int c = 0; c < 3; c++) assert_close(world->point[p][c], expected[c], 1e-13);
    }
    if (local->kind == FLOC_SHAPE_PLANE) assert_close(vector_length(world->point[1]), 1.0, 1e-14);
  }
}

static void shapes_go_with_their_bodies(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    environment env = test_environment(1);
    double scale = 1.0, time = 0.0;
    bodies all;
    make_bodies(&all, &env, dimension, &scale);
    check_placed(&all);
    for (int k = 0; k < 30; k++) {
      assert_ok(&env, bodies_prepare(&all, time, H));
      check_placed(&all); /* at the step's end, before it is taken */
      bodies_commit(&all, H);
      check_placed(&all);
      time += H;
    }
    shape before[30];
    memcpy(before, all.world, sizeof before);
    memset(all.world, 0, sizeof before);
    bodies_place_shapes(&all);
    assert_memory_equal(all.world, before, sizeof before);
    bodies_free(&all);
  }
}

static void failed_steps_leave_no_trace(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    environment env = test_environment(1);
    double scale = 1.0, time = 0.0;
    bodies all, other;
    make_bodies(&all, &env, dimension, &scale);
    make_bodies(&other, &env, dimension, &scale);
    for (int k = 0; k < 20; k++) {
      assert_ok(&env, bodies_prepare(&all, time, 10.0 * H));
      bodies_revert(&all);
      assert_memory_equal(all.world, other.world, sizeof(shape) * 30);
      for (int32_t b = 0; b < all.count; b++) {
        assert_memory_equal(&all.body[b].next, &other.body[b].now, sizeof(pose));
        assert_memory_equal(&all.body[b].now, &other.body[b].now, sizeof(pose));
      }
      double same = time;
      step(&all, &env, &time, 1);
      step(&other, &env, &same, 1);
    }
    bodies_free(&all);
    bodies_free(&other);
  }
}

/* ---- bounds of shifts ---- */

static void shifts_are_bounded(void **state)
{
  (void)state;
  dice d = {31, 0};
  for (int round = 0; round < 3000; round++) {
    int32_t dimension = 2 + round % 2;
    environment env = test_environment(1);
    bodies all;
    bodies_init(&all, &env, dimension);
    floc_body_options options = body_defaults(FLOC_MOTION_FIXED);
    assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
    int32_t kind = EVERY_KIND[1 + round / 2 % (dimension == 2 ? 3 : 4)];
    for (int k = 0; k < 2; k++) {
      floc_shape thrown = throw_shape(&d, kind, dimension);
      assert_ok(&env, bodies_add_shape(&all, 0, &thrown));
    }
    pose at[2] = {{.orientation = {1, 0, 0, 0}}, {.orientation = {1, 0, 0, 0}}};
    for (int k = 0; k < 2; k++) {
      double vector[3];
      throw_point(&d, dimension, 0.1, at[k].position);
      throw_point(&d, 3, round % 4 < 2 ? 0.01 : 3.0, vector);
      if (dimension == 2)
        at[k].angle = vector[2];
      else
        rotation_from_vector(vector, at[k].orientation);
    }
    double bound = body_shift(&all, 0, &at[0], &at[1]), greatest = 0.0;
    for (int k = 0; k < 200; k++) { /* points of the surfaces */
      const shape *local = &all.local[k % 2];
      double point[3], direction[3], a[3], b[3], moved[3], u = throw_between(&d, 0.0, 1.0);
      memcpy(point, local->point[0], sizeof point);
      if (kind == FLOC_SHAPE_SEGMENT || kind == FLOC_SHAPE_TRIANGLE) {
        vector_difference(local->point[1], local->point[0], direction);
        vector_add_scaled(point, k < 4 ? k / 2 : u, direction, point);
      }
      throw_direction(&d, dimension, direction);
      vector_add_scaled(point, local->radius, direction, point);
      to_world(&at[0], dimension, point, a);
      to_world(&at[1], dimension, point, b);
      vector_difference(b, a, moved);
      greatest = fmax(greatest, vector_length(moved));
    }
    assert_true(greatest <= bound + 1e-14);
    assert_true(bound <= 8.0 * greatest + 1.0); /* and no idle bound */
    bodies_free(&all);
  }
}

static void shifts_of_known_moves(void **state)
{
  (void)state;
  environment env = test_environment(1);
  bodies all;
  bodies_init(&all, &env, 2);
  floc_body_options options = body_defaults(FLOC_MOTION_FIXED);
  floc_shape rod = {.kind = FLOC_SHAPE_SEGMENT, .points = {{1, 0, 0}, {3, 0, 0}}, .radius = 0.5};
  assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
  pose a = {.orientation = {1, 0, 0, 0}}, b = a;
  b.position[0] = 3.0;
  b.position[1] = 4.0;
  assert_close(body_shift(&all, 0, &a, &b), 5.0, 1e-11); /* nothing to turn yet */
  assert_ok(&env, bodies_add_shape(&all, 0, &rod));
  b.angle = 3.141592653589793;
  assert_close(body_shift(&all, 0, &a, &b), 5.0 + 2.0 * 3.5, 1e-10);
  b.angle = 2.0 * 3.141592653589793; /* a full turn: everything is back */
  assert_close(body_shift(&all, 0, &a, &b), 5.0, 1e-10);
  assert_true(body_shift(&all, 0, &a, &a) == 0.0);
  bodies_free(&all);
}

static void turning_planes_have_no_bound(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    environment env = test_environment(1);
    bodies all;
    bodies_init(&all, &env, dimension);
    floc_body_options options = body_defaults(FLOC_MOTION_FIXED);
    floc_shape plane = {.kind = FLOC_SHAPE_PLANE, .points = {{3, 7, 0}, {0, 2, 0}}};
    assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
    assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
    assert_ok(&env, bodies_add_shape(&all, 1, &plane));
    assert_true(all.local[0].point[1][1] == 1.0); /* of unit length from now on */
    pose a = {.orientation = {1, 0, 0, 0}}, b = a;
    b.position[0] = -0.5;
    assert_close(body_shift(&all, 1, &a, &b), 0.5, 1e-11);
    double about_z[3] = {0, 0, 1e-9}, about_normal[3] = {0, 1, 0};
    b.angle = 1e-9;
    rotation_from_vector(about_z, b.orientation);
    assert_true(body_shift(&all, 1, &a, &b) == INFINITY);
    assert_close(body_shift(&all, 0, &a, &b), 0.5, 1e-11); /* the other body has no plane */
    if (dimension == 3) {
      rotation_from_vector(about_normal, b.orientation); /* a turntable stays the same plane */
      assert_close(body_shift(&all, 1, &a, &b), 0.5, 1e-11);
    }
    bodies_free(&all);
  }
}

/* ---- checkpoints ---- */

static uint64_t hash_of(bodies *all, environment *env)
{
  section_list list;
  section_list_init(&list, env);
  assert_ok(env, bodies_sections(all, &list));
  uint64_t hash = section_list_hash(&list);
  section_list_free(&list);
  return hash;
}

/* Run, stop, continue in another world: the same bits as without stopping. */
static void resumed_bodies_go_on_bit_for_bit(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    environment env = test_environment(1);
    double scale = 1.0, time = 0.0;
    bodies whole, first, second;
    make_bodies(&whole, &env, dimension, &scale);
    make_bodies(&first, &env, dimension, &scale);
    step(&whole, &env, &time, 37);
    time = 0.0;
    step(&first, &env, &time, 37);
    floc_body_options changed = body_defaults(FLOC_MOTION_OSCILLATION); /* a script intervenes */
    changed.amplitude[1] = 0.1;
    changed.frequency = 5.0;
    assert_ok(&env, bodies_set_motion(&whole, 0, &changed, time));
    assert_ok(&env, bodies_set_motion(&first, 0, &changed, time));
    double middle = time, fresh = 0.0;
    step(&first, &env, &time, 5);
    time = middle;
    step(&whole, &env, &time, 5);
    first.body[3].force[1] = whole.body[3].force[1] = 4.5;
    first.body[2].torque[2] = whole.body[2].torque[2] = -1.5;

    make_bodies(&second, &env, dimension, &scale);
    step(&second, &env, &fresh, 3);
    section_list list;
    section_list_init(&list, &env);
    assert_ok(&env, bodies_sections(&first, &list));
    assert_ok(&env, bodies_restore(&second, &list));
    section_list_free(&list);
    assert_true(hash_of(&second, &env) == hash_of(&first, &env));
    assert_memory_equal(second.world, first.world, sizeof(shape) * 30);
    assert_true(second.body[2].torque[2] == -1.5);
    double resumed = time;
    step(&whole, &env, &time, 61);
    assert_true(hash_of(&second, &env) != hash_of(&whole, &env));
    step(&second, &env, &resumed, 61);
    assert_true(hash_of(&second, &env) == hash_of(&whole, &env));
    assert_memory_equal(second.world, whole.world, sizeof(shape) * 30);
    bodies_free(&whole);
    bodies_free(&first);
    bodies_free(&second);
  }
}

/* Restores `target` from the state of `source` with one altered number: must fail and change nothing. */
static void refuse_restore(bodies *source, bodies *target, environment *env, const char *name, uint64_t element,
                           double value, floc_status expected, const char *text)
{
  section_list list;
  double copy[2000];
  section_list_init(&list, env);
  assert_ok(env, bodies_sections(source, &list));
  section *table = (section *)section_find(&list, name);
  assert_non_null(table);
  size_t bytes = table->rows * table->columns * section_type_size(table->type);
  assert_true(bytes <= sizeof copy);
  memcpy(copy, table->data, bytes);
  if (strcmp(table->type, "i32") == 0)
    ((int32_t *)(void *)copy)[element] = (int32_t)value;
  else
    copy[element] = value;
  table->data = copy;
  uint64_t before = hash_of(target, env);
  floc_status status = bodies_restore(target, &list);
  assert_int_equal(status, expected);
  if (!strstr(env->message, text)) fail_msg("\"%s\" lacks \"%s\"", env->message, text);
  assert_true(hash_of(target, env) == before);
  section_list_free(&list);
}

static void foreign_checkpoints_are_refused(void **state)
{
  (void)state;
  const floc_status mismatch = FLOC_STRUCTURE_MISMATCH, damaged = FLOC_DAMAGED_FILE;
  environment env = test_environment(1);
  double scale = 1.0, time = 0.0;
  bodies source, target;
  make_bodies(&source, &env, 3, &scale);
  make_bodies(&target, &env, 3, &scale);
  step(&source, &env, &time, 10);
  /* kinds: motion and number of shapes by body; body 2 has a velocity function, body 3 a position function */
  refuse_restore(&source, &target, &env, "bodies.kinds", 0, FLOC_MOTION_VELOCITY, mismatch, "body 0 (part)");
  refuse_restore(&source, &target, &env, "bodies.kinds", 4, FLOC_MOTION_POSITION, mismatch, "body 2 (part)");
  refuse_restore(&source, &target, &env, "bodies.kinds", 0, 17, damaged, "motion is 17");
  refuse_restore(&source, &target, &env, "bodies.kinds", 3, 88, mismatch, "88 shapes");
  refuse_restore(&source, &target, &env, "bodies.shape_kinds", 2, 5, mismatch, "shape 1");
  refuse_restore(&source, &target, &env, "bodies.shape_kinds", 3, 9, mismatch, "kind 9");
  refuse_restore(&source, &target, &env, "bodies.pose", 9, NAN, damaged, "\"bodies.pose\": row 1, column 1 is nan");
  refuse_restore(&source, &target, &env, "bodies.velocity", 0, INFINITY, damaged, "\"bodies.velocity\"");
  refuse_restore(&source, &target, &env, "bodies.motion", 5 * 13 + 11, 0.0, damaged, "travel is 0");
  refuse_restore(&source, &target, &env, "bodies.shapes", 9, -1.0, damaged, "radius is -1");
  assert_ok(&env, bodies_add(&target, &(floc_body_options){.name = "more"}, 0.0, NULL));
  refuse_restore(&source, &target, &env, "bodies.pose", 0, 0.0, mismatch, "contains 6 bodies; this world has 7");
  bodies_free(&source);
  bodies_free(&target);
}

/* A motion that a script changed on the way wins over the one of the set-up. */
static void changed_motions_come_from_the_file(void **state)
{
  (void)state;
  environment env = test_environment(1);
  double scale = 1.0;
  bodies source, target;
  section_list list;
  make_bodies(&source, &env, 2, &scale);
  make_bodies(&target, &env, 2, &scale);
  floc_body_options fixed = body_defaults(FLOC_MOTION_FIXED);
  assert_ok(&env, bodies_set_motion(&source, 2, &fixed, 0.0)); /* had a function */
  section_list_init(&list, &env);
  assert_ok(&env, bodies_sections(&source, &list));
  assert_ok(&env, bodies_restore(&target, &list));
  assert_int_equal(target.body[2].motion.motion, FLOC_MOTION_FIXED);
  assert_ptr_equal(target.body[3].motion.function, swinging);
  assert_ptr_equal(target.body[3].motion.function_context, &scale);
  assert_ptr_equal(target.body[3].motion.name, target.body[3].name);
  section_list_free(&list);
  bodies_free(&source);
  bodies_free(&target);
}

/* Also the shapes' coordinates, and with them the bounds of shifts. */
static void shapes_come_from_the_file(void **state)
{
  (void)state;
  environment env = test_environment(1);
  bodies source, target;
  section_list list;
  pose a = {.orientation = {1, 0, 0, 0}}, b = a;
  b.angle = 3.141592653589793;
  for (int k = 0; k < 2; k++) {
    bodies *all = k ? &target : &source;
    floc_shape ball = {.kind = FLOC_SHAPE_SPHERE, .points = {{5.0 - 4.0 * k, 0, 0}}, .radius = 1.0};
    bodies_init(all, &env, 2);
    assert_ok(&env, bodies_add(all, &(floc_body_options){.name = "ball"}, 0.0, NULL));
    assert_ok(&env, bodies_add_shape(all, 0, &ball));
    assert_close(body_shift(all, 0, &a, &b), k ? 4.0 : 12.0, 1e-10);
  }
  section_list_init(&list, &env);
  assert_ok(&env, bodies_sections(&source, &list));
  assert_ok(&env, bodies_restore(&target, &list));
  assert_true(target.world[0].point[0][0] == 5.0);
  assert_close(body_shift(&target, 0, &a, &b), 12.0, 1e-10);
  section_list_free(&list);
  bodies_free(&source);
  bodies_free(&target);
}

static void no_bodies_are_a_state_too(void **state)
{
  (void)state;
  environment env = test_environment(1);
  bodies none, other;
  section_list list;
  bodies_init(&none, &env, 2);
  bodies_init(&other, &env, 2);
  section_list_init(&list, &env);
  assert_ok(&env, bodies_sections(&none, &list));
  assert_true(section_list_hash(&list) != 0);
  assert_ok(&env, bodies_restore(&other, &list));
  assert_ok(&env, bodies_prepare(&none, 0.0, H));
  bodies_commit(&none, H);
  assert_ok(&env, bodies_add(&other, &(floc_body_options){.name = "more"}, 0.0, NULL));
  assert_int_equal(bodies_restore(&other, &list), FLOC_STRUCTURE_MISMATCH);
  section_list_free(&list);
  bodies_free(&none);
  bodies_free(&other);
}

/* ---- memory ---- */

static bool use_everything(environment *env)
{
  bodies all;
  section_list list;
  floc_status status = FLOC_OK;
  floc_shape ball = {.struct_size = sizeof ball, .kind = FLOC_SHAPE_SPHERE, .radius = 1.0};
  floc_compound box = {.kind = FLOC_COMPOUND_BOX, .upper = {1, 1, 1}};
  bodies_init(&all, env, 3);
  section_list_init(&list, env);
  for (int k = 0; k < 20 && status == FLOC_OK; k++) {
    status = bodies_add(&all, &(floc_body_options){.name = "one"}, 0.0, NULL);
    if (status == FLOC_OK) status = bodies_add_shape(&all, k, &ball);
    int32_t before = all.shape_count;
    if (status == FLOC_OK) status = bodies_add_compound(&all, k, &box);
    assert_int_equal(all.shape_count, status == FLOC_OK ? before + 12 : before);
  }
  int32_t counted = 0;
  for (int32_t k = 0; k < all.count; k++) counted += all.body[k].shape_count;
  assert_int_equal(counted, all.shape_count);
  assert_ok(env, bodies_prepare(&all, 0.0, H)); /* with what is there the world continues */
  bodies_commit(&all, H);
  if (status == FLOC_OK) status = bodies_sections(&all, &list);
  if (status == FLOC_OK) status = bodies_restore(&all, &list);
  if (status != FLOC_OK) {
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_non_null(strstr(env->message, "out of memory"));
  }
  section_list_free(&list);
  bodies_free(&all);
  return status == FLOC_OK;
}

static void every_failing_allocation_is_survived(void **state)
{
  (void)state;
  failing_allocator counter;
  int64_t refused = 1;
  for (bool done = false; !done; refused++) {
    environment env = failing_environment(&counter, refused);
    done = use_everything(&env);
    assert_int_equal(counter.bytes, 0);
    assert_true(done == (counter.calls < refused));
  }
  assert_true(refused > 25);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_keep_their_names_when_the_array_grows),
      cmocka_unit_test(unknown_bodies_are_refused),
      cmocka_unit_test(compounds_are_added_whole_or_not_at_all),
      cmocka_unit_test(shapes_are_found_by_body_and_index),
      cmocka_unit_test(shapes_go_with_their_bodies),
      cmocka_unit_test(failed_steps_leave_no_trace),
      cmocka_unit_test(shifts_are_bounded),
      cmocka_unit_test(shifts_of_known_moves),
      cmocka_unit_test(turning_planes_have_no_bound),
      cmocka_unit_test(resumed_bodies_go_on_bit_for_bit),
      cmocka_unit_test(foreign_checkpoints_are_refused),
      cmocka_unit_test(changed_motions_come_from_the_file),
      cmocka_unit_test(shapes_come_from_the_file),
      cmocka_unit_test(no_bodies_are_a_state_too),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
