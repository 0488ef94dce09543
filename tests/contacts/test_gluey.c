/*
 * The gluey contact law against closed forms (Lefebvre 2009; docs/schemes/gluey.md), through the public surface:
 * a particle above a plane, the billiard, both discretisations, thresholds from materials and roughness, and
 * a priori velocities of the host.
 */
#include "support_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

/* ---- a particle above a plane: m = 1, r = 1, q0 = 1, u0 = 0, f = -2 until t = 2, then +2 ---- */

/* Mean of f over the step that begins at `time`. */
static double mean_force(double time, double time_step)
{
  double pushed = fmin(fmax(2.0 - time, 0.0), time_step);
  return (-2.0 * pushed + 2.0 * (time_step - pushed)) / time_step;
}

static floc_status push_then_pull(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = 0.0;
    outputs[1][k] = mean_force(inputs[0][k], inputs[1][k]);
  }
  return FLOC_OK;
}

static double exact_distance(double time, double leaves)
{
  if (time <= 1.0) return 1.0 - time * time;
  return time <= leaves ? 0.0 : (time - leaves) * (time - leaves);
}

static double exact_gamma(double time, double gamma_min)
{
  if (time < 1.0) return 0.0;
  double pressed = fmax(-2.0 * fmin(time, 2.0), gamma_min);
  return fmin(0.0, pressed + 2.0 * fmax(0.0, time - 2.0));
}

static floc_projection_options gluey_options(double gamma_min)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.contact_law = FLOC_CONTACT_GLUEY;
  options.gamma_min = gamma_min;
  options.tolerance = 1e-13;
  return options;
}

typedef struct plane_set_up {
  floc_projection_options projection;
  double time_step, radius, wall_roughness;
  int32_t wall_material;
} plane_set_up;

static plane_set_up plane_with(double gamma_min, double time_step)
{
  return (plane_set_up){.projection = gluey_options(gamma_min), .time_step = time_step, .radius = 1.0};
}

static floc_world *make_plane(const plane_set_up *set_up)
{
  floc_world *world = make_world(2, set_up->time_step, 0.0, 1);
  assert_world_ok(world, floc_world_set_projection(world, &set_up->projection));
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  fixed.roughness = set_up->wall_roughness;
  fixed.material = set_up->wall_material;
  add_segment(world, &fixed, -5, 0, 5, 0);
  add_particle(world, 0, 1 + set_up->radius, 0, 0, set_up->radius);
  floc_law_options field;
  floc_law_options_init(&field);
  static const char *const inputs[] = {"time", "time_step"};
  field.inputs = inputs;
  field.input_count = 2;
  field.output_count = 2;
  field.function = push_then_pull;
  int32_t law;
  assert_world_ok(world, floc_field_add(world, &field, &law));
  return world;
}

static double only_gamma(floc_world *world)
{
  floc_contact contact = {.struct_size = sizeof contact};
  int64_t count;
  assert_world_ok(world, floc_world_get_contacts(world, &contact, 1, &count));
  return count > 0 ? contact.gamma : 0.0;
}

/* Greatest error of q until t = 5; *release gets the time of the last step at which gamma is not 0. */
static double plane_error(const plane_set_up *set_up, double leaves, double *release)
{
  floc_world *world = make_plane(set_up);
  double worst = 0.0, h = set_up->time_step;
  *release = 0.0;
  for (int step = 1; step * h <= 5.0 + 1e-12; step++) {
    assert_world_ok(world, floc_world_step(world));
    double distance = column_value(world, "y", 1) - set_up->radius;
    worst = fmax(worst, fabs(distance - exact_distance(step * h, leaves)));
    if (only_gamma(world) != 0.0) *release = step * h;
  }
  floc_world_destroy(world);
  return worst;
}

static void plane_is_exact_to_first_order(void **state)
{
  (void)state;
  const double steps[] = {0.5, 0.25, 0.2, 0.13, 0.1, 0.07, 0.05, 0.03, 0.02, 0.013, 0.01, 0.003};
  double release;
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    plane_set_up smooth = plane_with(-INFINITY, steps[k]), rough = plane_with(-3.0, steps[k]);
    double error = plane_error(&smooth, 4.0, &release);
    print_message("h = %-6g greatest error of q: smooth %.4f h", steps[k], error / steps[k]);
    assert_true(error <= 2.1 * steps[k]);
    assert_close(release, 4.0, 1.001 * steps[k]);
    error = plane_error(&rough, 3.5, &release);
    print_message(", rough %.4f h\n", error / steps[k]);
    assert_true(error <= 2.1 * steps[k]);
    assert_close(release, 3.5, 1.001 * steps[k]);
  }
}

/* Remark 2.11: with h = 0.63 the particle touches in the second step; gamma is exact from the next on. */
static void gamma_is_exact_at_any_step(void **state)
{
  (void)state;
  plane_set_up set_up = plane_with(-INFINITY, 0.63);
  floc_world *world = make_plane(&set_up);
  int contact_steps = 0;
  for (int step = 1; step * 0.63 < 4.0; step++) {
    assert_world_ok(world, floc_world_step(world));
    double gamma = only_gamma(world);
    if (gamma < 0.0) contact_steps++;
    if (contact_steps >= 2) assert_close(gamma, exact_gamma(step * 0.63, -INFINITY), 1e-12);
  }
  assert_int_equal(contact_steps, 5);
  floc_world_destroy(world);
}

/* For one particle on a fixed plane Algorithm 3.3 as printed differs only in the step of unsticking. */
static void equality_is_the_printed_algorithm(void **state)
{
  (void)state;
  plane_set_up set_up = plane_with(-INFINITY, 0.03);
  set_up.projection.gluey_rule = FLOC_GLUEY_EQUALITY;
  double release;
  assert_true(plane_error(&set_up, 4.0, &release) <= 2.1 * 0.03);
  assert_close(release, 4.0, 0.031);
  set_up.time_step = 0.01;
  assert_true(plane_error(&set_up, 4.0, &release) <= 2.1 * 0.01);
  assert_close(release, 4.0, 0.011);

  /* at h = 0.63 gamma goes from -0.44 to +0.82 in the step from 3.78 to 4.41: cut, while q stays 0 */
  set_up.time_step = 0.63;
  floc_world *world = make_plane(&set_up);
  run_steps(world, 6);
  assert_close(only_gamma(world), exact_gamma(3.78, -INFINITY), 1e-12);
  run_steps(world, 1);
  assert_close(column_value(world, "y", 1), 1.0, 1e-12);
  assert_true(only_gamma(world) == 0.0);
  run_steps(world, 1);
  assert_true(column_value(world, "y", 1) > 1.5);
  floc_world_destroy(world);
}

/* The bounded multiplier makes up for the overshoot in the same step: u = gamma_bar/m (Algorithm 2.7, (4)). */
static void bound_corrects_the_step_of_unsticking(void **state)
{
  (void)state;
  plane_set_up set_up = plane_with(-INFINITY, 0.63);
  floc_world *world = make_plane(&set_up);
  run_steps(world, 7);
  double overshoot = 2.0 * (7 * 0.63 - 4.0);
  assert_close(column_value(world, "vy", 1), overshoot, 1e-12);
  assert_close(column_value(world, "y", 1), 1.0 + 0.63 * overshoot, 1e-12);
  floc_world_destroy(world);
}

/* ---- thresholds ---- */

static floc_status soft_materials(void *context, int32_t material_i, int32_t material_j, double *value)
{
  int *calls = context;
  (*calls)++;
  assert_true(material_i <= material_j);
  *value = material_i == 2 && material_j == 7 ? -3.0 : -0.5;
  return FLOC_OK;
}

static void set_attribute(floc_world *world, const char *name, double value)
{
  assert_world_ok(world, floc_attribute_add(world, name, value));
}

static void materials_choose_the_threshold(void **state)
{
  (void)state;
  int calls = 0;
  plane_set_up set_up = plane_with(-INFINITY, 0.01);
  set_up.projection.gamma_min_function = soft_materials;
  set_up.projection.gamma_min_context = &calls;
  set_up.wall_material = 2;
  floc_world *world = make_plane(&set_up);
  set_attribute(world, "material", 7.0);
  for (int step = 1; step <= 400; step++) {
    assert_world_ok(world, floc_world_step(world));
    assert_true(only_gamma(world) >= -3.0);
    if (step > 102 && step < 349) assert_close(only_gamma(world), exact_gamma(0.01 * step, -3.0), 1e-9);
  }
  assert_close(column_value(world, "y", 1) - 1.0, exact_distance(4.0, 3.5), 0.021);
  assert_int_equal(calls, 1);
  floc_world_destroy(world);
}

static floc_status failing_material(void *context, int32_t material_i, int32_t material_j, double *value)
{
  (void)material_i;
  (void)material_j;
  *value = *(const double *)context;
  return *value == 5.0 ? FLOC_CALLBACK_FAILED : FLOC_OK;
}

/* A function that fails, or gives a number above 0, leaves the world before the step. */
static void bad_thresholds_are_refused(void **state)
{
  (void)state;
  double answer = 5.0;
  plane_set_up set_up = plane_with(-INFINITY, 0.01);
  set_up.projection.gamma_min_function = failing_material;
  set_up.projection.gamma_min_context = &answer;
  floc_world *world = make_plane(&set_up);
  run_steps(world, 99);
  floc_status status = FLOC_OK;
  uint64_t before = 0;
  for (int step = 0; step < 5 && status == FLOC_OK; step++) {
    before = world_hash(world);
    status = floc_world_step(world);
  }
  assert_int_equal(status, FLOC_CALLBACK_FAILED);
  assert_true(world_hash(world) == before);
  answer = 1.0;
  assert_int_equal(floc_world_step(world), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "materials 0 and 0 is 1"));
  answer = NAN;
  assert_int_equal(floc_world_step(world), FLOC_INVALID_ARGUMENT);
  set_attribute(world, "material", 0.5);
  assert_int_equal(floc_world_step(world), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "material of particle 1 is 0.5"));
  answer = -1.0;
  double *values;
  int64_t count;
  assert_world_ok(world, floc_column(world, "material", &values, &count));
  values[0] = 0.0;
  assert_world_ok(world, floc_world_step(world));
  floc_world_destroy(world);
}

/* gamma_min = 6 pi mu ln(s_1 + s_2), gamma <- gamma - p/r^2 on a plane: with r = 2 the particle of mass 1 is
 * pressed to gamma = -2 t/4; a threshold of -0.75 is reached at t = 1.5 and left at 2 + 0.75 * 4/2 = 3.5. */
static void roughness_chooses_the_threshold(void **state)
{
  (void)state;
  plane_set_up set_up = plane_with(-INFINITY, 0.01);
  set_up.radius = 2.0;
  set_up.projection.viscosity = 0.1;
  double sum = exp(-0.75 / (6.0 * pi * 0.1));
  set_up.wall_roughness = 0.25 * sum;
  floc_world *world = make_plane(&set_up);
  set_attribute(world, "roughness", 0.75 * sum);
  run_steps(world, 140);
  assert_close(only_gamma(world), -0.7, 1e-9);
  run_steps(world, 60);
  assert_close(only_gamma(world), -0.75, 1e-9);
  run_steps(world, 100);
  assert_close(only_gamma(world), -0.25, 1e-9);
  run_steps(world, 100);
  assert_close(column_value(world, "y", 1) - 2.0, 0.25, 0.021);
  floc_world_destroy(world);

  /* no roughness at all is the smooth case; a sum of 1 or more has no film to stick in */
  set_up.wall_roughness = 0.0;
  world = make_plane(&set_up);
  run_steps(world, 200);
  assert_close(only_gamma(world), -1.0, 1e-9);
  floc_world_destroy(world);
  set_up.wall_roughness = 1.0;
  world = make_plane(&set_up);
  run_steps(world, 300);
  assert_close(column_value(world, "y", 1) - 2.0, 1.0, 0.03);
  floc_world_destroy(world);
}

/* The radius factor of a pair: gamma is the impulse times (r_i + r_j)^2/(r_i r_j)^2. */
static void radius_factor_of_a_pair(void **state)
{
  (void)state;
  double reference = 0.0;
  for (int with = 0; with < 2; with++) {
    floc_world *world = make_world(2, 0.01, 0.0, 1);
    floc_projection_options options = gluey_options(-INFINITY);
    options.radius_factor = with == 1;
    assert_world_ok(world, floc_world_set_projection(world, &options));
    add_particle(world, -1, 0, 1, 0, 0.25);
    add_particle(world, 1, 0, -1, 0, 0.5);
    run_steps(world, 100);
    if (with == 0) reference = only_gamma(world);
    double factor = 0.75 * 0.75 / (0.125 * 0.125);
    assert_close(only_gamma(world), with == 1 ? factor * reference : -1.0, 1e-9);
    floc_world_destroy(world);
  }
}

static void wrong_options_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  floc_projection_options options = gluey_options(1.0);
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "gamma_min is 1"));
  options = gluey_options(-1.0);
  options.gluey_rule = 2;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "gluey_rule is 2"));
  options.gluey_rule = FLOC_GLUEY_BOUNDED;
  options.viscosity = -1.0;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  options.viscosity = NAN;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  options.viscosity = 1.0;
  options.gamma_min_function = failing_material;
  assert_int_equal(floc_world_set_projection(world, &options), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "gamma_min_function"));
  floc_world_destroy(world);
}

/* ---- the billiard (4.1) ---- */

typedef struct billiard_times {
  double hit, leave, angle, momentum_error;
} billiard_times;

static void billiard_state(floc_world *world, double separation[2], double momentum[2])
{
  for (int axis = 0; axis < 2; axis++) {
    separation[axis] = column_value(world, axis ? "y" : "x", 1) - column_value(world, axis ? "y" : "x", 2);
    momentum[axis] = column_value(world, axis ? "vy" : "vx", 1) + column_value(world, axis ? "vy" : "vx", 2);
  }
}

static billiard_times play_billiard(double time_step, floc_gluey_rule rule)
{
  double radius = 0.02, separation[2], momentum[2], first_angle = 0.0;
  floc_world *world = make_world(2, time_step, 0.0, 1);
  floc_projection_options options = gluey_options(-INFINITY);
  options.gluey_rule = rule;
  assert_world_ok(world, floc_world_set_projection(world, &options));
  add_particle(world, 0, 0, 0, 0, radius);
  add_particle(world, -0.25, -0.25, 0.2 * 0.25, 0.2 * (0.25 - radius), radius);
  billiard_times found = {0};
  for (int step = 1; found.leave == 0.0 && step * time_step < 20.0; step++) {
    assert_world_ok(world, floc_world_step(world));
    double gamma = only_gamma(world), now = step * time_step;
    billiard_state(world, separation, momentum);
    found.momentum_error = fmax(found.momentum_error, fabs(momentum[0] - 0.05) + fabs(momentum[1] - 0.046));
    double angle = atan2(separation[1], separation[0]);
    if (gamma < 0.0 && found.hit == 0.0) {
      found.hit = now;
      first_angle = angle;
    }
    if (gamma < 0.0) found.angle = fmod(angle - first_angle + 4.0 * pi, 2.0 * pi) * 180.0 / pi;
    if (gamma == 0.0 && found.hit > 0.0) found.leave = now;
  }
  floc_world_destroy(world);
  return found;
}

static void billiard_agrees_to_first_order(void **state)
{
  (void)state;
  const double steps[] = {0.02, 0.01, 0.005, 0.0025};
  for (int rule = 0; rule < 2; rule++) {
    for (size_t k = 0; k < 4; k++) {
      billiard_times found = play_billiard(steps[k], (floc_gluey_rule)rule);
      double h = steps[k], angle = fmin(found.angle, 360.0 - found.angle);
      print_message("%s h = %-6g hit %.5f, glued %.5f, leaves %.5f, angle %.3f, momentum error %.1e\n",
                    rule ? "equality" : "bounded ", h, found.hit, found.leave - found.hit, found.leave, angle,
                    found.momentum_error);
      assert_close(found.hit, 4.651869, 1.5 * h);
      assert_close(found.leave - found.hit, 4.043159, 1.5 * h);
      assert_close(found.leave, 8.695028, 2.0 * h);
      assert_close(angle, 144.79, 36.0 * h);
      assert_true(found.momentum_error <= 1e-15);
    }
  }
}

/* ---- a priori velocities of the host (Remark 2.8) ---- */

/* V* = what would have come anyway: V + h (f/m + g). The run must not differ by a bit. */
static floc_status usual_velocity(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    double h = inputs[5][k], inverse_mass = 1.0 / inputs[4][k];
    outputs[0][k] = inputs[0][k] + h * (inputs[2][k] * inverse_mass);
    outputs[1][k] = inputs[1][k] + h * (inputs[3][k] * inverse_mass - 10.0);
  }
  return FLOC_OK;
}

enum { HEAP_NUMBERS = 60 * 4 };

static void run_heap(bool by_host, double numbers[HEAP_NUMBERS])
{
  floc_world *world = make_world(2, 2e-3, by_host ? 0.0 : -10.0, 1);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.contact_law = FLOC_CONTACT_GLUEY;
  options.gamma_min = -0.1;
  options.tolerance = 1e-9; /* the default would follow from the speeds that the host gives */
  assert_world_ok(world, floc_world_set_projection(world, &options));
  add_segment(world, NULL, -0.5, 0, 0.5, 0);
  insert_box(world, 60, -0.45, 0.05, 0.45, 0.6, 0.02, 0.03);
  if (by_host) {
    floc_law_options law;
    floc_law_options_init(&law);
    static const char *const inputs[] = {"vx", "vy", "fx", "fy", "mass", "time_step"};
    law.inputs = inputs;
    law.input_count = 6;
    law.output_count = 2;
    law.function = usual_velocity;
    assert_world_ok(world, floc_world_set_a_priori(world, &law));
  }
  run_steps(world, 200);
  static const char *const names[] = {"x", "y", "vx", "vy"};
  for (int k = 0; k < HEAP_NUMBERS; k++) numbers[k] = column_value(world, names[k % 4], k / 4 + 1);
  floc_world_destroy(world);
}

static void a_priori_velocity_replaces_the_first_step(void **state)
{
  (void)state;
  double by_host[HEAP_NUMBERS], usual[HEAP_NUMBERS];
  run_heap(true, by_host);
  run_heap(false, usual);
  assert_memory_equal(by_host, usual, sizeof usual);
}

static floc_status prescribed_velocity(void *context, int32_t count, const double *const *inputs,
                                       double *const *outputs)
{
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = inputs[0][k]; /* an attribute that the host fills between steps */
    outputs[1][k] = 0.0;
  }
  return *(const floc_status *)context;
}

static void a_priori_velocity_from_an_attribute(void **state)
{
  (void)state;
  floc_status answer = FLOC_OK;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  set_attribute(world, "drift", 0.0);
  floc_law_options law;
  floc_law_options_init(&law);
  static const char *const inputs[] = {"drift"};
  law.inputs = inputs;
  law.input_count = 1;
  law.output_count = 2;
  law.function = prescribed_velocity;
  law.context = &answer;
  assert_world_ok(world, floc_world_set_a_priori(world, &law));
  for (int step = 0; step < 10; step++) {
    double *values;
    int64_t count;
    assert_world_ok(world, floc_column(world, "drift", &values, &count));
    values[0] = step;
    run_steps(world, 1);
  }
  assert_close(column_value(world, "x", 1), 0.45, 1e-12);
  assert_close(column_value(world, "y", 1), 0.0, 0.0);
  answer = FLOC_CALLBACK_FAILED;
  assert_int_equal(floc_world_step(world), FLOC_CALLBACK_FAILED);
  assert_close(column_value(world, "x", 1), 0.45, 1e-12);
  law.output_count = 1;
  assert_int_equal(floc_world_set_a_priori(world, &law), FLOC_INVALID_ARGUMENT);
  static const char *const unknown[] = {"drfit"};
  law.output_count = 2;
  law.inputs = unknown;
  assert_int_equal(floc_world_set_a_priori(world, &law), FLOC_NOT_FOUND);
  assert_world_ok(world, floc_world_set_a_priori(world, NULL));
  assert_world_ok(world, floc_world_set_gravity(world, (const double[3]){0.0, -10.0, 0.0}));
  run_steps(world, 1);
  assert_close(column_value(world, "vy", 1), -0.1, 1e-12);
  floc_world_destroy(world);
}

/* ---- resume ---- */

static floc_world *make_sticky_heap(int32_t threads, int *calls)
{
  floc_world *world = make_world(2, 2e-3, -10.0, threads);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.contact_law = FLOC_CONTACT_GLUEY;
  options.radius_factor = true;
  options.gamma_min_function = soft_materials;
  options.gamma_min_context = calls;
  assert_world_ok(world, floc_world_set_projection(world, &options));
  floc_body_options spin;
  floc_body_options_init(&spin);
  spin.motion = FLOC_MOTION_CONSTANT;
  spin.angular_velocity[2] = 2.0;
  spin.material = 2;
  add_segment(world, &spin, -0.3, 0, 0.3, 0);
  set_attribute(world, "material", 7.0);
  insert_box(world, 150, -0.4, 0.1, 0.4, 1.0, 0.02, 0.03);
  return world;
}

static void resume_keeps_gammas_bit_for_bit(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-test-XXXXXX";
  int handle = mkstemp(path), calls = 0;
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(handle >= 0);
  floc_world *world = make_sticky_heap(1, &calls);
  run_steps(world, 150);
  assert_world_ok(world, floc_world_save(world, path, 1));
  run_steps(world, 150);
  uint64_t reference = world_hash(world);
  floc_world_destroy(world);
  world = make_sticky_heap(2, &calls);
  assert_world_ok(world, floc_world_load(world, path));
  run_steps(world, 150);
  assert_true(world_hash(world) == reference);
  floc_world_destroy(world);
  remove(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_is_exact_to_first_order),
      cmocka_unit_test(gamma_is_exact_at_any_step),
      cmocka_unit_test(equality_is_the_printed_algorithm),
      cmocka_unit_test(bound_corrects_the_step_of_unsticking),
      cmocka_unit_test(materials_choose_the_threshold),
      cmocka_unit_test(bad_thresholds_are_refused),
      cmocka_unit_test(roughness_chooses_the_threshold),
      cmocka_unit_test(radius_factor_of_a_pair),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(billiard_agrees_to_first_order),
      cmocka_unit_test(a_priori_velocity_replaces_the_first_step),
      cmocka_unit_test(a_priori_velocity_from_an_attribute),
      cmocka_unit_test(resume_keeps_gammas_bit_for_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
