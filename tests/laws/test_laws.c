/*
 * Laws through the public surface: fields, pair laws, attraction, flow, noise; and their refusals.
 */
#include "support_world.h"

/* ---- kernels ---- */

static floc_status spring_to_origin(void *context, int32_t count, const double *const *inputs,
                                    double *const *outputs)
{
  double stiffness = *(double *)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = -stiffness * inputs[0][k];
    outputs[1][k] = -stiffness * inputs[1][k];
  }
  return FLOC_OK;
}

static floc_status pair_spring(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  double rest = *(double *)context;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = 4.0 * (rest - inputs[0][k]);
  return FLOC_OK;
}

/* Uses every kind of input: checks them against each other and returns a force that depends on all. */
static floc_status checks_inputs(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  int *seen = context;
  for (int32_t k = 0; k < count; k++) {
    double distance = inputs[0][k], overlap = inputs[1][k], radius_i = inputs[2][k], radius_j = inputs[3][k];
    double id_i = inputs[4][k], id_j = inputs[5][k], charge_i = inputs[6][k], charge_j = inputs[7][k];
    if (fabs(overlap - (radius_i + radius_j - distance)) > 1e-15) return FLOC_CALLBACK_FAILED;
    if (charge_i != 10.0 * id_i || charge_j != 10.0 * id_j) return FLOC_CALLBACK_FAILED;
    (*seen)++;
    outputs[0][k] = inputs[8][k] * 0.0;
  }
  return FLOC_OK;
}

static floc_status gives_nan(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  (void)inputs;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = NAN;
  return FLOC_OK;
}

static floc_status fails(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  (void)count;
  (void)inputs;
  (void)outputs;
  return FLOC_CALLBACK_FAILED;
}

static floc_law_options law_options(floc_kernel_function function, void *context, const char *const *inputs,
                                    int32_t input_count, int32_t output_count)
{
  floc_law_options options;
  floc_law_options_init(&options);
  options.function = function;
  options.context = context;
  options.inputs = inputs;
  options.input_count = input_count;
  options.output_count = output_count;
  return options;
}

/* ---- fields and pair laws ---- */

/* Symplectic Euler of a harmonic oscillator has the exact invariant v^2 + w^2 q^2 - h w^2 q v. */
static void field_keeps_the_discrete_invariant(void **state)
{
  (void)state;
  double stiffness = 9.0, h = 0.01;
  floc_world *world = make_world(2, h, 0.0, 1);
  add_particle(world, 1, 0, 0, 2, 0.1);
  static const char *const names[] = {"x", "y"};
  floc_law_options options = law_options(spring_to_origin, &stiffness, names, 2, 2);
  assert_world_ok(world, floc_field_add(world, &options, NULL));
  run_steps(world, 1000);
  double x = column_value(world, "x", 1), vx = column_value(world, "vx", 1);
  double y = column_value(world, "y", 1), vy = column_value(world, "vy", 1);
  assert_close(vx * vx + 9 * x * x - h * 9 * x * vx, 9.0, 1e-9);
  assert_close(vy * vy + 9 * y * y - h * 9 * y * vy, 4.0, 1e-9);
  floc_world_destroy(world);
}

/* A repulsive spring between two particles: momentum stays, and the force has the right sign and size. */
static void pair_law_acts_along_the_line_of_centres(void **state)
{
  (void)state;
  double rest = 2.0;
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  add_particle(world, 0.6, 0.8, 0, 0, 0.1);
  static const char *const names[] = {"distance"};
  floc_law_options options = law_options(pair_spring, &rest, names, 1, 1);
  options.range = 5.0;
  assert_world_ok(world, floc_pair_law_add(world, &options, NULL));
  run_steps(world, 1);
  assert_close(column_value(world, "fx", 2), 4.0 * 0.6, 1e-12);
  assert_close(column_value(world, "fy", 2), 4.0 * 0.8, 1e-12);
  assert_close(column_value(world, "fx", 1), -4.0 * 0.6, 1e-12);
  assert_close(column_value(world, "vx", 2), 4e-3 * 0.6, 1e-12);
  run_steps(world, 100);
  assert_close(column_value(world, "vx", 1) + column_value(world, "vx", 2), 0.0, 1e-13);
  floc_world_destroy(world);
}

static void inputs_have_their_names_values(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-3, 0.0, 2);
  assert_world_ok(world, floc_attribute_add(world, "charge", 0.0));
  insert_box(world, 300, 0, 0, 1, 1, 0.01, 0.02);
  double *charge;
  int64_t count;
  const int64_t *ids;
  assert_world_ok(world, floc_column(world, "charge", &charge, &count));
  assert_world_ok(world, floc_particle_ids(world, &ids, NULL, NULL));
  for (int64_t k = 0; k < count; k++) charge[k] = 10.0 * (double)ids[k];
  static const char *const names[] = {"distance", "overlap",  "radius_i", "radius_j",       "id_i",
                                      "id_j",     "charge_i", "charge_j", "normal_velocity"};
  int seen = 0;
  floc_law_options options = law_options(checks_inputs, &seen, names, 9, 1);
  options.range = 0.03;
  assert_world_ok(world, floc_pair_law_add(world, &options, NULL));
  run_steps(world, 2);
  assert_true(seen > 300);
  floc_world_destroy(world);
}

static void law_refusals_name_what_is_wrong(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-3, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  add_particle(world, 0.25, 0, 0, 0, 0.1);
  static const char *const wrong[] = {"distanz"};
  floc_law_options options = law_options(gives_nan, NULL, wrong, 1, 1);
  options.range = 1.0;
  options.name = "my law";
  assert_int_equal(floc_pair_law_add(world, &options, NULL), FLOC_NOT_FOUND);
  assert_non_null(strstr(floc_world_message(world), "my law: unknown input \"distanz\""));
  options.inputs = NULL;
  options.input_count = 0;
  options.range = -1.0;
  assert_int_equal(floc_pair_law_add(world, &options, NULL), FLOC_INVALID_ARGUMENT);
  options.range = 1.0;
  options.output_count = 2;
  assert_int_equal(floc_pair_law_add(world, &options, NULL), FLOC_INVALID_ARGUMENT);
  options.output_count = 1;
  assert_world_ok(world, floc_pair_law_add(world, &options, NULL));
  assert_int_equal(floc_world_step(world), FLOC_NOT_A_NUMBER);
  assert_non_null(strstr(floc_world_message(world), "particles 1 and 2"));
  assert_close(column_value(world, "x", 1), 0.0, 0.0);
  floc_world_destroy(world);

  world = make_world(2, 1e-3, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  options = law_options(fails, NULL, NULL, 0, 2);
  assert_world_ok(world, floc_field_add(world, &options, NULL));
  assert_int_equal(floc_world_step(world), FLOC_CALLBACK_FAILED);
  floc_world_info info = {.struct_size = sizeof info};
  assert_world_ok(world, floc_world_get_info(world, &info));
  assert_int_equal(info.step, 0);
  floc_world_destroy(world);
}

/* ---- attraction ---- */

static void attraction_has_the_papers_value(void **state)
{
  (void)state;
  double kappa = 3e-3, epsilon = 3e-3, gap = 2e-3, h = 0.02;
  for (int noise = 0; noise < 2; noise++) {
    floc_world *world = make_world(2, h, 0.0, 1);
    add_particle(world, 0, 0, 0, 0, 0.01);
    add_particle(world, 0.02 + gap, 0, 0, 0, 0.01);
    floc_attraction_options options;
    floc_attraction_options_init(&options);
    options.kappa = kappa;
    options.epsilon = epsilon;
    options.noise_scaling = noise;
    assert_world_ok(world, floc_attraction_add(world, &options, NULL));
    run_steps(world, 1);
    double sech = 1.0 / cosh(gap / epsilon);
    double expected = kappa / epsilon * sech * sech / (noise ? sqrt(h) : 1.0);
    assert_close(column_value(world, "fx", 1), expected, 1e-12);
    assert_close(column_value(world, "fx", 2), -expected, 1e-12);
    options.epsilon = 0.0;
    assert_int_equal(floc_attraction_add(world, &options, NULL), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(floc_world_message(world), "epsilon is 0"));
    floc_world_destroy(world);
  }
}

/* ---- flow ---- */

static void drift_relaxes_to_the_flow(void **state)
{
  (void)state;
  double tau = 0.2, h = 0.02;
  for (int exponential = 0; exponential < 2; exponential++) {
    floc_world *world = make_world(2, h, 0.0, 1);
    add_particle(world, 0, 0.5, 3, 0, 0.01);
    floc_flow_options options;
    floc_flow_options_init(&options);
    options.kind = FLOC_FLOW_SHEAR;
    options.relaxation_time = tau;
    options.rate = 2.0;
    options.exponential = exponential;
    assert_world_ok(world, floc_world_set_flow(world, &options));
    run_steps(world, 50);
    double factor = exponential ? exp(-h / tau) : 1.0 - h / tau;
    assert_close(column_value(world, "vx", 1), 1.0 + 2.0 * pow(factor, 50), 1e-12);
    floc_world_destroy(world);
  }
}

static void rotation_and_oscillating_shear(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.1, 0.0, 1);
  add_particle(world, 1, 2, 0, 0, 0.01);
  floc_flow_options options;
  floc_flow_options_init(&options);
  options.kind = FLOC_FLOW_ROTATION;
  options.relaxation_time = 0.1;
  options.rate = 0.5;
  assert_world_ok(world, floc_world_set_flow(world, &options));
  run_steps(world, 1); /* h = tau: the velocity becomes the flow's */
  assert_close(column_value(world, "vx", 1), -1.0, 1e-12);
  assert_close(column_value(world, "vy", 1), 0.5, 1e-12);
  options.kind = FLOC_FLOW_OSCILLATING_SHEAR;
  options.rate = 1.0;
  options.frequency = 3.0;
  assert_world_ok(world, floc_world_set_flow(world, &options));
  double y = column_value(world, "y", 1);
  run_steps(world, 1);
  assert_close(column_value(world, "vx", 1), sin(0.3) * y, 1e-12);
  options.relaxation_time = 0.0;
  assert_int_equal(floc_world_set_flow(world, &options), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(floc_world_message(world), "relaxation_time is 0"));
  floc_world_destroy(world);
}

/* Free flight with noise and friction: after many relaxation times <v^2> per component of the discrete
 * process is (sigma^2 h/m^2)/(1 - (1 - h/tau)^2); particles are independent samples. */
static void noise_has_the_stationary_variance(void **state)
{
  (void)state;
  double tau = 0.2, h = 0.01, sigma = 0.5;
  floc_world *world = make_world(3, h, 0.0, 2);
  int count = 4000;
  for (int k = 0; k < count; k++) add_particle(world, 100.0 * k, 0, 0, 0, 1e-3);
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = FLOC_FLOW_STILL;
  flow.relaxation_time = tau;
  assert_world_ok(world, floc_world_set_flow(world, &flow));
  floc_noise_options noise;
  floc_noise_options_init(&noise);
  noise.sigma = sigma;
  assert_world_ok(world, floc_world_set_noise(world, &noise));
  run_steps(world, 200);
  double square = 0.0;
  for (int id = 1; id <= count; id++) {
    double vx = column_value(world, "vx", id), vy = column_value(world, "vy", id),
           vz = column_value(world, "vz", id);
    square += vx * vx + vy * vy + vz * vz;
  }
  double factor = 1.0 - h / tau, expected = sigma * sigma * h / (1.0 - factor * factor);
  assert_close(square / (3 * count), expected, 5 * expected * sqrt(2.0 / (3 * count)));
  noise.sigma = -1.0;
  assert_int_equal(floc_world_set_noise(world, &noise), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(field_keeps_the_discrete_invariant),
      cmocka_unit_test(pair_law_acts_along_the_line_of_centres),
      cmocka_unit_test(inputs_have_their_names_values),
      cmocka_unit_test(law_refusals_name_what_is_wrong),
      cmocka_unit_test(attraction_has_the_papers_value),
      cmocka_unit_test(drift_relaxes_to_the_flow),
      cmocka_unit_test(rotation_and_oscillating_shear),
      cmocka_unit_test(noise_has_the_stationary_variance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
