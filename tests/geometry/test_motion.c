/*
 * Rotations, and every kind of motion against its closed form, in two and three dimensions.
 */
#include "random_shapes.h"
#include "support.h"

#include "geometry/rotation.h"

#include <math.h>
#include <string.h>

static const double H = 1.0 / 1024; /* sums of it are exact */

/* ---- rotations ---- */

static void check_rotation(const double actual[4], const double expected[4])
{
  double product = 0.0;
  for (int k = 0; k < 4; k++) product += actual[k] * expected[k];
  assert_close(fabs(product), 1.0, 1e-14); /* q and -q are the same */
}

static void rotation_vectors_go_there_and_back(void **state)
{
  (void)state;
  dice d = {1, 0};
  for (int round = 0; round < 5000; round++) {
    double vector[3], quaternion[4], back[3];
    throw_direction(&d, 3, vector);
    double angle = round % 3 ? throw_between(&d, 0.0, 3.14159) : pow(10.0, throw_between(&d, -200.0, 0.0));
    for (int k = 0; k < 3; k++) vector[k] *= angle;
    rotation_from_vector(vector, quaternion);
    rotation_to_vector(quaternion, back);
    for (int k = 0; k < 3; k++) assert_close(back[k], vector[k], 1e-14 * angle);
    for (int k = 0; k < 4; k++) quaternion[k] = -quaternion[k];
    rotation_to_vector(quaternion, back);
    for (int k = 0; k < 3; k++) assert_close(back[k], vector[k], 1e-14 * angle);
  }
  double none[3] = {0, 0, 0}, quaternion[4], back[3];
  rotation_from_vector(none, quaternion);
  assert_true(quaternion[0] == 1.0 && quaternion[1] == 0.0 && quaternion[2] == 0.0 && quaternion[3] == 0.0);
  rotation_to_vector(quaternion, back);
  assert_true(back[0] == 0.0 && back[1] == 0.0 && back[2] == 0.0);
}

/* Rodrigues: v cos a + (axis x v) sin a + axis (axis.v)(1 - cos a) */
static void rotated_by_hand(const double axis[3], double angle, const double v[3], double result[3])
{
  double cross[3];
  vector_cross(axis, v, cross);
  for (int k = 0; k < 3; k++)
    result[k] = v[k] * cos(angle) + cross[k] * sin(angle) + axis[k] * vector_dot(axis, v) * (1.0 - cos(angle));
}

static void matrices_turn_like_rodrigues(void **state)
{
  (void)state;
  dice d = {2, 0};
  for (int round = 0; round < 2000; round++) {
    double axis[3], vector[3], quaternion[4], matrix[3][3], v[3], expected[3];
    throw_direction(&d, 3, axis);
    double angle = throw_between(&d, -7.0, 7.0);
    for (int k = 0; k < 3; k++) vector[k] = angle * axis[k];
    throw_point(&d, 3, 1.0, v);
    rotation_from_vector(vector, quaternion);
    rotation_matrix(quaternion, matrix);
    rotated_by_hand(axis, angle, v, expected);
    for (int k = 0; k < 3; k++) assert_close(vector_dot(matrix[k], v), expected[k], 1e-14);
  }
}

static void composed_rotations_act_one_after_the_other(void **state)
{
  (void)state;
  dice d = {3, 0};
  for (int round = 0; round < 1000; round++) {
    double a[3], b[3], first[4], second[4], both[4], between[4], matrix[3][3], v[3], once[3];
    throw_point(&d, 3, 2.0, a);
    throw_point(&d, 3, 2.0, b);
    throw_point(&d, 3, 1.0, v);
    rotation_from_vector(a, first);
    rotation_from_vector(b, second);
    rotation_compose(second, first, both);
    rotation_matrix(first, matrix);
    for (int k = 0; k < 3; k++) once[k] = vector_dot(matrix[k], v);
    double in_two[3], in_one[3];
    rotation_matrix(second, matrix);
    for (int k = 0; k < 3; k++) in_two[k] = vector_dot(matrix[k], once);
    rotation_matrix(both, matrix);
    for (int k = 0; k < 3; k++) in_one[k] = vector_dot(matrix[k], v);
    for (int k = 0; k < 3; k++) assert_close(in_one[k], in_two[k], 1e-14);
    rotation_between(first, both, between);
    check_rotation(between, second);
  }
}

/* ---- motions ---- */

typedef struct fixture {
  environment env;
  bodies all;
  double time;
} fixture;

static void begin(fixture *f, int32_t dimension)
{
  f->env = test_environment(1);
  f->time = 0.0;
  bodies_init(&f->all, &f->env, dimension);
}

static body *add(fixture *f, const floc_body_options *options)
{
  int32_t number = -1;
  assert_ok(&f->env, bodies_add(&f->all, options, f->time, &number));
  assert_int_equal(number, f->all.count - 1);
  return &f->all.body[number];
}

static void advance(fixture *f, int steps, double h)
{
  for (int k = 0; k < steps; k++) {
    assert_ok(&f->env, bodies_prepare(&f->all, f->time, h));
    bodies_commit(&f->all, h);
    f->time += h;
  }
}

static floc_body_options body_defaults(int32_t motion)
{
  return (floc_body_options){.struct_size = sizeof(floc_body_options), .motion = motion};
}

static void fixed_bodies_keep_their_bits(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    fixture f;
    begin(&f, dimension);
    floc_body_options options = body_defaults(FLOC_MOTION_FIXED);
    options.position[0] = 0.1;
    options.rotation[2] = 0.7;
    body *fixed = add(&f, &options);
    pose before = fixed->now;
    advance(&f, 100, 0.01);
    assert_memory_equal(&fixed->now, &before, sizeof before);
    for (int k = 0; k < 3; k++) assert_true(fixed->velocity[k] == 0.0 && fixed->angular_velocity[k] == 0.0);
    assert_close(before.orientation[3], sin(0.35), 1e-16 * 4);
    assert_true(before.angle == (dimension == 2 ? 0.7 : 0.0));
    bodies_free(&f.all);
  }
}

static void constant_rotation_does_not_drift_in_the_plane(void **state)
{
  (void)state;
  fixture f;
  begin(&f, 2);
  floc_body_options options = body_defaults(FLOC_MOTION_CONSTANT);
  options.position[1] = 3.0;
  options.rotation[2] = 0.25;
  options.velocity[0] = 0.5;
  options.angular_velocity[2] = -2.0;
  options.angular_velocity[0] = 9.0; /* means nothing here */
  body *wheel = add(&f, &options);
  advance(&f, 50 * 1024, H);
  assert_true(f.time == 50.0);
  assert_true(wheel->now.angle == 0.25 - 100.0); /* exactly, and not wrapped */
  assert_true(wheel->now.position[0] == 25.0 && wheel->now.position[1] == 3.0);
  assert_close(wheel->now.orientation[0], cos(0.5 * 99.75), 1e-15);
  assert_close(wheel->now.orientation[3], sin(-0.5 * 99.75), 1e-15);
  assert_true(wheel->now.orientation[1] == 0.0 && wheel->now.orientation[2] == 0.0);
  assert_close(wheel->angular_velocity[2], -2.0, 1e-11);
  assert_close(wheel->velocity[0], 0.5, 1e-11);
  bodies_free(&f.all);
}

static void constant_rotation_does_not_drift_in_space(void **state)
{
  (void)state;
  fixture f;
  begin(&f, 3);
  floc_body_options options = body_defaults(FLOC_MOTION_CONSTANT);
  double axis[3] = {2.0 / 3, -2.0 / 3, 1.0 / 3}, turned[3], expected[4], first[4];
  for (int k = 0; k < 3; k++) {
    options.rotation[k] = 0.3 * k;
    options.angular_velocity[k] = 1.5 * axis[k];
    options.velocity[k] = 0.25 * k;
  }
  body *propeller = add(&f, &options);
  advance(&f, 20 * 1024, H);
  for (int k = 0; k < 3; k++) {
    turned[k] = 30.0 * axis[k];
    assert_true(propeller->now.position[k] == 5.0 * k);
    assert_close(propeller->angular_velocity[k], 1.5 * axis[k], 1e-11);
  }
  rotation_from_vector(turned, expected);
  rotation_from_vector(options.rotation, first);
  rotation_compose(expected, first, expected);
  check_rotation(propeller->now.orientation, expected);
  double norm = 0.0;
  for (int k = 0; k < 4; k++) norm += propeller->now.orientation[k] * propeller->now.orientation[k];
  assert_close(norm, 1.0, 1e-15 * 4);
  bodies_free(&f.all);
}

/* The way to a time leaves no trace: one long step and many short ones give the same bits. */
static void closed_forms_depend_on_the_time_alone(void **state)
{
  (void)state;
  static const int32_t kinds[] = {FLOC_MOTION_CONSTANT, FLOC_MOTION_OSCILLATION, FLOC_MOTION_PISTON};
  for (int round = 0; round < 12; round++) {
    floc_body_options options = body_defaults(kinds[round % 3]);
    int32_t dimension = 2 + round % 2;
    for (int k = 0; k < dimension; k++) {
      options.position[k] = 0.3 * k - 0.7;
      options.velocity[k] = 0.1 + 0.2 * k;
      options.amplitude[k] = 0.4;
      options.angular_velocity[k] = 0.6 * (k + 1);
    }
    options.angular_velocity[2] = 0.77;
    options.frequency = 3.3;
    options.phase = 0.2;
    options.travel = 0.35;
    options.returns = round >= 6;
    fixture slow, fast;
    begin(&slow, dimension);
    begin(&fast, dimension);
    body *a = add(&slow, &options), *b = add(&fast, &options);
    assert_memory_equal(&a->now, &b->now, sizeof a->now);
    advance(&slow, 3000, H);
    advance(&fast, 3, 1000 * H);
    assert_true(slow.time == fast.time);
    assert_memory_equal(&a->now, &b->now, sizeof a->now);
    bodies_free(&slow.all);
    bodies_free(&fast.all);
  }
}

static void oscillation_follows_the_sine(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    fixture f;
    begin(&f, dimension);
    f.time = 4.0; /* the clock starts here */
    floc_body_options options = body_defaults(FLOC_MOTION_OSCILLATION);
    options.position[0] = 1.0;
    options.amplitude[0] = 0.5;
    options.amplitude[1] = -0.25;
    options.frequency = 2.0;
    options.phase = 0.5;
    options.rotation[2] = 0.3;
    body *plate = add(&f, &options);
    assert_close(plate->now.position[0], 1.0 + 0.5 * sin(0.5), 1e-15);
    for (int k = 1; k <= 2000; k++) {
      double before = plate->now.position[0], t = k * H;
      advance(&f, 1, H);
      assert_close(plate->now.position[0], 1.0 + 0.5 * sin(2.0 * t + 0.5), 1e-15);
      assert_close(plate->now.position[1], -0.25 * sin(2.0 * t + 0.5), 1e-15);
      assert_close(plate->velocity[0], (plate->now.position[0] - before) / H, 0.0);
      assert_close(plate->velocity[0], 1.0 * cos(2.0 * t + 0.5), 1.1 * H); /* at the step's middle, not its end */
    }
    assert_close(plate->now.orientation[3], sin(0.15), 1e-15);
    bodies_free(&f.all);
  }
}

static void pistons_stop_or_return(void **state)
{
  (void)state;
  for (int returns = 0; returns < 2; returns++) {
    fixture f;
    begin(&f, 2 + returns);
    floc_body_options options = body_defaults(FLOC_MOTION_PISTON);
    options.position[0] = 1.0;
    options.velocity[0] = 0.6;
    options.velocity[1] = 0.8;
    options.travel = 0.5;
    options.returns = returns;
    body *piston = add(&f, &options);
    for (int k = 1; k <= 4 * 1024; k++) {
      advance(&f, 1, H);
      double t = k * H, gone = t < 0.5 ? t : 0.5; /* speed 1 */
      if (returns) gone = fmod(t, 1.0) <= 0.5 ? fmod(t, 1.0) : 1.0 - fmod(t, 1.0);
      assert_close(piston->now.position[0], 1.0 + 0.6 * gone, 1e-14);
      assert_close(piston->now.position[1], 0.8 * gone, 1e-14);
    }
    if (!returns) assert_true(piston->velocity[0] == 0.0 && piston->velocity[1] == 0.0);
    if (returns) assert_close(piston->now.position[0], 1.0, 1e-14); /* four times there and back */
    bodies_free(&f.all);
  }
}

/* ---- functions of the host ---- */

typedef struct script {
  int calls;
  double last_time;
  double scale;
} script;

static floc_status swinging(void *context, double time, double *values)
{
  script *s = context;
  s->calls++;
  s->last_time = time;
  values[0] = s->scale * cos(time);
  values[1] = s->scale * time;
  values[5] = s->scale * sin(time);
  return FLOC_OK;
}

static void velocity_functions_are_taken_at_mid_step(void **state)
{
  (void)state;
  double error[2];
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int fine = 0; fine < 2; fine++) {
      script s = {.scale = 1.0};
      fixture f;
      begin(&f, dimension);
      floc_body_options options = body_defaults(FLOC_MOTION_VELOCITY);
      options.function = swinging;
      options.function_context = &s;
      body *wall = add(&f, &options);
      assert_int_equal(s.calls, 0); /* where a body begins does not depend on its velocity */
      int steps = fine ? 64 : 32;
      double h = 2.0 / steps;
      advance(&f, steps, h);
      assert_int_equal(s.calls, steps);
      assert_close(s.last_time, 2.0 - 0.5 * h, 1e-14);
      assert_close(wall->now.position[1], 2.0, 1e-14); /* t^2/2: the midpoint rule is exact */
      double angle = dimension == 2 ? wall->now.angle : 2.0 * asin(wall->now.orientation[3]);
      assert_close(angle, 1.0 - cos(2.0), h * h);
      error[fine] = fabs(wall->now.position[0] - sin(2.0));
      assert_close(wall->velocity[0], cos(2.0 - 0.5 * h), 1e-13);
      assert_close(wall->angular_velocity[2], sin(2.0 - 0.5 * h), 1e-12);
      bodies_free(&f.all);
    }
    assert_close(error[0] / error[1], 4.0, 0.01); /* second order */
  }
}

static floc_status circling(void *context, double time, double *values)
{
  script *s = context;
  s->calls++;
  s->last_time = time;
  values[0] = cos(time);
  values[1] = sin(time);
  values[3] = 100.0; /* two dimensions know nothing of it */
  values[5] = 3.0 * time;
  return FLOC_OK;
}

static floc_status tumbling(void *context, double time, double *values)
{
  (void)context;
  values[2] = time * time;
  values[4] = 0.5 * time;
  return FLOC_OK;
}

static void position_functions_are_taken_at_the_end(void **state)
{
  (void)state;
  script s = {0};
  fixture f;
  begin(&f, 2);
  floc_body_options options = body_defaults(FLOC_MOTION_POSITION);
  options.function = circling;
  options.function_context = &s;
  options.position[0] = 50.0; /* the function's word counts from the beginning */
  options.rotation[2] = 0.5;
  body *satellite = add(&f, &options);
  assert_close(satellite->now.position[0], 1.0, 0.0);
  for (int k = 1; k <= 3000; k++) {
    double before = satellite->now.position[1];
    advance(&f, 1, H);
    assert_true(s.last_time == k * H);
    assert_true(satellite->now.position[0] == cos(k * H) && satellite->now.position[1] == sin(k * H));
    assert_true(satellite->now.angle == 0.5 + 3.0 * (k * H));
    assert_true(satellite->velocity[1] == (satellite->now.position[1] - before) / H);
  }
  bodies_free(&f.all);

  begin(&f, 3);
  options = body_defaults(FLOC_MOTION_POSITION);
  options.function = tumbling;
  options.rotation[0] = 1.0;
  body *tumbler = add(&f, &options);
  advance(&f, 1024, H);
  double turned[3] = {0.0, 0.5, 0.0}, expected[4], first[4];
  rotation_from_vector(turned, expected);
  rotation_from_vector(options.rotation, first);
  rotation_compose(expected, first, expected);
  check_rotation(tumbler->now.orientation, expected);
  assert_true(tumbler->now.position[2] == 1.0);
  assert_close(tumbler->angular_velocity[1], 0.5, 1e-11);
  bodies_free(&f.all);
}

/* ---- motions that change ---- */

static void new_motions_begin_where_the_body_is(void **state)
{
  (void)state;
  static const int32_t kinds[] = {FLOC_MOTION_FIXED, FLOC_MOTION_CONSTANT, FLOC_MOTION_OSCILLATION,
                                  FLOC_MOTION_PISTON};
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int k = 0; k < 16; k++) {
      fixture f;
      begin(&f, dimension);
      floc_body_options options = body_defaults(kinds[k / 4]);
      options.position[0] = 2.0;
      options.velocity[0] = 1.0;
      options.angular_velocity[2] = 0.5;
      options.amplitude[1] = 0.3;
      options.frequency = 1.0;
      options.phase = 0.4;
      options.travel = 0.25;
      options.returns = true;
      options.roughness = 0.01;
      options.material = 3;
      options.name = "gate";
      body *gate = add(&f, &options);
      advance(&f, 700, H);
      pose before = gate->now;
      floc_body_options other = options;
      other.motion = kinds[k % 4];
      other.phase = 1.3;
      other.position[0] = 1e9;
      other.roughness = 0.5;
      other.material = 0;
      other.name = NULL;
      assert_ok(&f.env, bodies_set_motion(&f.all, 0, &other, f.time));
      assert_memory_equal(&gate->now, &before, sizeof before);
      assert_true(gate->motion.roughness == 0.01 && gate->motion.material == 3);
      assert_string_equal(gate->motion.name, "gate");
      advance(&f, 1, 1e-9); /* continues without a jump */
      for (int c = 0; c < 3; c++) assert_close(gate->now.position[c], before.position[c], 2e-9);
      advance(&f, 512, H);
      double gone = gate->now.position[0] - before.position[0];
      if (other.motion == FLOC_MOTION_CONSTANT) assert_close(gone, 0.5, 1e-8);
      if (other.motion == FLOC_MOTION_PISTON) assert_close(gone, 0.0, 1e-8); /* there and back */
      if (other.motion == FLOC_MOTION_OSCILLATION) {
        assert_close(gate->now.position[1] - before.position[1], 0.3 * (sin(1.8) - sin(1.3)), 1e-8);
      }
      bodies_free(&f.all);
    }
  }
}

/* ---- wrong input ---- */

static void refused(int32_t dimension, floc_body_options options, const char *text)
{
  environment env = test_environment(1);
  bodies all;
  bodies_init(&all, &env, dimension);
  assert_int_equal(bodies_add(&all, &options, 0.0, NULL), FLOC_INVALID_ARGUMENT);
  if (!strstr(env.message, text)) fail_msg("\"%s\" lacks \"%s\"", env.message, text);
  assert_int_equal(all.count, 0);
  bodies_free(&all);
}

static void wrong_motions_are_refused(void **state)
{
  (void)state;
  refused(2, (floc_body_options){.motion = 7}, "motion is 7");
  refused(2, (floc_body_options){.motion = -1}, "motion is -1");
  refused(2, (floc_body_options){.position = {0, NAN, 0}}, "position[1] is nan");
  refused(2, (floc_body_options){.position = {0, 0, 1}}, "position[2] is 1; in two dimensions");
  refused(3, (floc_body_options){.rotation = {INFINITY, 0, 0}}, "rotation[0] is inf");
  refused(3, (floc_body_options){.roughness = -1}, "roughness is -1; it must be a finite number of at least 0");
  refused(3, (floc_body_options){.material = -2}, "material is -2");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_CONSTANT, .velocity = {0, 0, 1}}, "velocity[2] is 1");
  refused(3, (floc_body_options){.motion = FLOC_MOTION_CONSTANT, .angular_velocity = {0, NAN, 1}},
          "angular_velocity[1] is nan");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_VELOCITY},
          "function is NULL; a motion given by its velocity");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_POSITION},
          "function is NULL; a motion given by its position");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_OSCILLATION, .frequency = NAN}, "frequency is nan");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_OSCILLATION, .phase = INFINITY}, "phase is inf");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_OSCILLATION, .amplitude = {0, 0, 1}}, "amplitude[2] is 1");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_PISTON, .travel = 1}, "velocity of a piston is 0");
  refused(2, (floc_body_options){.motion = FLOC_MOTION_PISTON, .velocity = {1, 0, 0}},
          "travel is 0; it must be a finite number above 0");
}

static floc_status breaking(void *context, double time, double *values)
{
  (void)values;
  return time > 0.5 ? *(floc_status *)context : FLOC_OK;
}

static floc_status poisoned(void *context, double time, double *values)
{
  if (time > 0.5) values[*(int *)context] = NAN;
  return FLOC_OK;
}

/* What fails leaves every body where it was and says which one it is. */
static void failing_functions_are_named(void **state)
{
  (void)state;
  static const int32_t kinds[] = {FLOC_MOTION_VELOCITY, FLOC_MOTION_POSITION};
  for (int round = 0; round < 4; round++) {
    int poison = round < 2 ? 0 : 5;
    floc_status failure = FLOC_INVALID_ARGUMENT;
    fixture f;
    begin(&f, 2);
    floc_body_options moving = body_defaults(FLOC_MOTION_CONSTANT), broken = body_defaults(kinds[round % 2]);
    moving.velocity[0] = 1.0;
    broken.name = "mill";
    broken.function = round < 2 ? breaking : poisoned;
    broken.function_context = round < 2 ? (void *)&failure : (void *)&poison;
    floc_shape ball = {.struct_size = sizeof ball, .kind = FLOC_SHAPE_SPHERE, .radius = 1.0};
    add(&f, &moving);
    assert_ok(&f.env, bodies_add_shape(&f.all, 0, &ball));
    add(&f, &broken);
    advance(&f, 512, H);
    shape before = f.all.world[0];
    pose first = f.all.body[0].now, second = f.all.body[1].now;
    floc_status status = bodies_prepare(&f.all, f.time, H);
    assert_int_equal(status, round < 2 ? FLOC_CALLBACK_FAILED : FLOC_NOT_A_NUMBER);
    assert_non_null(strstr(f.env.message, "body 1 (mill)"));
    assert_non_null(strstr(f.env.message, round % 2 ? "position function" : "velocity function"));
    assert_non_null(strstr(f.env.message, round < 2 ? "invalid argument" : poison ? "values[5]" : "values[0]"));
    assert_memory_equal(&f.all.world[0], &before, sizeof before);
    assert_memory_equal(&f.all.body[0].now, &first, sizeof first);
    assert_memory_equal(&f.all.body[0].next, &first, sizeof first);
    assert_memory_equal(&f.all.body[1].next, &second, sizeof second);
    failure = FLOC_OK;
    f.all.body[1].motion.function = breaking; /* mended, the step can be taken */
    f.all.body[1].motion.function_context = &failure;
    advance(&f, 1, H);
    bodies_free(&f.all);
  }
}

static floc_status failing_at_once(void *context, double time, double *values)
{
  (void)context;
  (void)time;
  (void)values;
  return FLOC_NOT_FOUND;
}

static void position_that_fails_at_the_start_adds_no_body(void **state)
{
  (void)state;
  fixture f;
  begin(&f, 3);
  floc_body_options options = body_defaults(FLOC_MOTION_POSITION);
  options.function = failing_at_once;
  assert_int_equal(bodies_add(&f.all, &options, 0.0, NULL), FLOC_CALLBACK_FAILED);
  assert_non_null(strstr(f.env.message, "body 0 (without a name)"));
  assert_int_equal(f.all.count, 0);
  bodies_free(&f.all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotation_vectors_go_there_and_back),
      cmocka_unit_test(matrices_turn_like_rodrigues),
      cmocka_unit_test(composed_rotations_act_one_after_the_other),
      cmocka_unit_test(fixed_bodies_keep_their_bits),
      cmocka_unit_test(constant_rotation_does_not_drift_in_the_plane),
      cmocka_unit_test(constant_rotation_does_not_drift_in_space),
      cmocka_unit_test(closed_forms_depend_on_the_time_alone),
      cmocka_unit_test(oscillation_follows_the_sine),
      cmocka_unit_test(pistons_stop_or_return),
      cmocka_unit_test(velocity_functions_are_taken_at_mid_step),
      cmocka_unit_test(position_functions_are_taken_at_the_end),
      cmocka_unit_test(new_motions_begin_where_the_body_is),
      cmocka_unit_test(wrong_motions_are_refused),
      cmocka_unit_test(failing_functions_are_named),
      cmocka_unit_test(position_that_fails_at_the_start_adds_no_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
