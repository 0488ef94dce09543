/*
 * Every feature under every scheme: what a scheme does is accepted in either order of scheme and call, what it does
 * not do is refused in either order, and the message names the schemes that do it.
 */
#include "support_world.h"

#include <stdio.h>
#include <string.h>

enum { SCHEMES = 5 };

static const char *const scheme_names[SCHEMES] = {"inelastic", "gluey", "discrete_element", "ballistic",
                                                  "event_driven"};

static floc_status choose(floc_world *world, int scheme)
{
  floc_projection_options projection;
  floc_discrete_element_options element;
  floc_ballistic_options ballistic;
  floc_event_driven_options event;
  floc_projection_options_init(&projection);
  floc_discrete_element_options_init(&element);
  floc_ballistic_options_init(&ballistic);
  floc_event_driven_options_init(&event);
  projection.contact_law = scheme == 1 ? FLOC_CONTACT_GLUEY : FLOC_CONTACT_INELASTIC;
  element.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET; /* the one that moves in a cell that deforms */
  switch (scheme) {
  case 2:
    return floc_world_set_discrete_element(world, &element);
  case 3:
    return floc_world_set_ballistic(world, &ballistic);
  case 4:
    return floc_world_set_event_driven(world, &event);
  default:
    return floc_world_set_projection(world, &projection);
  }
}

static floc_status two_numbers(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context, (void)inputs;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = outputs[1][k] = 0.0;
  return FLOC_OK;
}

static floc_status one_number(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context, (void)inputs;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = 0.0;
  return FLOC_OK;
}

static floc_law_options law_of(floc_kernel_function function, int32_t outputs)
{
  floc_law_options options;
  floc_law_options_init(&options);
  options.function = function;
  options.output_count = outputs;
  options.range = 0.1;
  return options;
}

static floc_status set_up_law(floc_world *world, floc_feature feature)
{
  static const char *const names[] = {"heat"};
  floc_law_options vector = law_of(two_numbers, 2), number = law_of(one_number, 1);
  if (feature == FLOC_FEATURE_PAIR_LAWS) return floc_pair_law_add(world, &number, NULL);
  if (feature == FLOC_FEATURE_WALL_LAWS) return floc_wall_law_add(world, &number, NULL);
  if (feature == FLOC_FEATURE_A_PRIORI) return floc_world_set_a_priori(world, &vector);
  if (feature == FLOC_FEATURE_FIELDS) return floc_field_add(world, &vector, NULL);
  number.outputs = names;
  return floc_evolution_add(world, &number, NULL);
}

/* An option of the world and no call: tests/lua/energy_ledger_spec.lua. */
static bool has_call(int feature)
{
  return feature != FLOC_FEATURE_ENERGY_LEDGER;
}

static floc_status set_up_free_body(floc_world *world)
{
  int32_t number;
  floc_body_options body;
  floc_shape ball;
  floc_free_options options;
  if (floc_world_check_feature(world, FLOC_FEATURE_FREE_BODIES) !=
      FLOC_OK) /* the call comes after that of the body */
    return floc_world_check_feature(world, FLOC_FEATURE_FREE_BODIES);
  floc_body_options_init(&body);
  floc_shape_init(&ball);
  floc_free_options_init(&options);
  body.position[0] = 50.0;
  ball.kind = FLOC_SHAPE_SPHERE;
  ball.radius = 1.0;
  options.axes = 3;
  options.mass = 1.0;
  floc_status status = floc_body_add(world, &body, &number);
  if (status == FLOC_OK) status = floc_body_add_shape(world, number, &ball);
  return status == FLOC_OK ? floc_body_set_free(world, number, &options) : status;
}

/* A rod between the particles. */
static floc_status set_up_joint(floc_world *world)
{
  floc_joint_options options;
  floc_joint_options_init(&options);
  options.kind = FLOC_JOINT_DISTANCE;
  options.first_particle = 1;
  options.second_particle = 2;
  return floc_joint_add(world, &options, NULL);
}

/* The call that belongs to the feature. There are two particles and the attribute heat. */
static floc_status set_up(floc_world *world, floc_feature feature)
{
  const double gravity[3] = {0.0, -1.0, 0.0};
  const int64_t ids[2] = {1, 2};
  floc_attraction_options attraction;
  floc_flow_options flow;
  floc_noise_options noise;
  floc_body_options body;
  floc_assembly_options assembly;
  floc_ray_source_options rays;
  floc_attraction_options_init(&attraction);
  floc_flow_options_init(&flow);
  floc_noise_options_init(&noise);
  floc_body_options_init(&body);
  floc_assembly_options_init(&assembly);
  floc_ray_source_options_init(&rays);
  attraction.kappa = attraction.epsilon = 0.1;
  flow.kind = FLOC_FLOW_STILL;
  flow.relaxation_time = noise.sigma = 1.0;
  floc_deform_options deform;
  floc_deform_options_init(&deform);
  deform.shear_rate = 0.1;
  rays.kind = FLOC_RAY_SOURCE_PLANE_WAVE;
  rays.direction[0] = 1.0;
  switch (feature) {
  case FLOC_FEATURE_GRAVITY:
    return floc_world_set_gravity(world, gravity);
  case FLOC_FEATURE_ATTRACTION:
    return floc_attraction_add(world, &attraction, NULL);
  case FLOC_FEATURE_FLOW:
    return floc_world_set_flow(world, &flow);
  case FLOC_FEATURE_NOISE:
    return floc_world_set_noise(world, &noise);
  case FLOC_FEATURE_BODIES:
    return floc_body_add(world, &body, NULL);
  case FLOC_FEATURE_SERVO:
    body.motion = FLOC_MOTION_SERVO;
    body.direction[1] = body.mass = 1.0;
    return floc_body_add(world, &body, NULL);
  case FLOC_FEATURE_FREE_BODIES:
    return set_up_free_body(world);
  case FLOC_FEATURE_JOINTS:
    return set_up_joint(world);
  case FLOC_FEATURE_ASSEMBLIES:
    return floc_assembly_add(world, ids, 2, &assembly, NULL);
  case FLOC_FEATURE_RAY_SOURCES:
    return floc_ray_source_add(world, &rays, NULL);
  case FLOC_FEATURE_BONDS:
    return floc_bond_add(world, 1, 2, 0.01);
  case FLOC_FEATURE_DEFORMATION:
    return floc_world_deform(world, &deform);
  case FLOC_FEATURE_PROBLEMS:
    return floc_problem_record(world, "never-written.floc");
  default:
    return set_up_law(world, feature);
  }
}

/* In a periodic box where that can deform. */
static floc_world *world_for(floc_feature feature)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 0.01;
  options.threads = 1;
  for (int axis = 0; axis < 2 && feature == FLOC_FEATURE_DEFORMATION; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
    options.domain_lower[axis] = -10.0;
    options.domain_upper[axis] = 10.0;
  }
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  double *values;
  int64_t count;
  assert_world_ok(world, floc_attribute_add(world, "heat", 0.0));
  add_particle(world, 0, 0, 0, 0, 0.5);
  add_particle(world, 1, 0, 0, 0, 0.5);
  assert_world_ok(world, floc_column(world, "heat", &values, &count));
  return world;
}

static floc_world *world_of_two(void)
{
  return world_for(FLOC_FEATURE_COUNT);
}

/* Of floc_world_check_feature. */
static bool is_supported(int scheme, floc_feature feature)
{
  floc_world *world = world_of_two();
  assert_world_ok(world, choose(world, scheme));
  floc_status status = floc_world_check_feature(world, feature);
  assert_true(status == FLOC_OK || status == FLOC_NOT_SUPPORTED);
  floc_world_destroy(world);
  return status == FLOC_OK;
}

/* The message: the scheme, and exactly those that do it. */
static void assert_names_schemes(floc_world *world, int scheme, floc_feature feature)
{
  char wanted[80];
  const char *message = floc_world_message(world);
  snprintf(wanted, sizeof wanted, "not supported under the scheme %s; ", scheme_names[scheme]);
  const char *rest = strstr(message, wanted);
  if (!rest) fail_msg("feature %d, scheme %s: \"%s\"", feature, scheme_names[scheme], message);
  rest += strlen(wanted);
  for (int other = 0; other < SCHEMES; other++)
    if ((strstr(rest, scheme_names[other]) != NULL) != is_supported(other, feature))
      fail_msg("feature %d: scheme %s is wrong in \"%s\"", feature, scheme_names[other], message);
}

/* The scheme first, then the call. */
static void calls_are_refused_by_name(void **state)
{
  (void)state;
  for (int scheme = 0; scheme < SCHEMES; scheme++)
    for (int feature = 0; feature < FLOC_FEATURE_COUNT; feature++) {
      if (!has_call(feature)) continue;
      floc_world *world = world_for((floc_feature)feature);
      assert_world_ok(world, choose(world, scheme));
      floc_status status = set_up(world, (floc_feature)feature);
      if (is_supported(scheme, (floc_feature)feature)) {
        if (status != FLOC_OK) /* a bond is refused for other reasons: the options have none */
          assert_true(feature == FLOC_FEATURE_BONDS && status != FLOC_NOT_FOUND);
      } else {
        assert_int_equal(status, FLOC_NOT_SUPPORTED);
        assert_names_schemes(world, scheme, (floc_feature)feature);
        assert_world_ok(world, floc_world_step(world)); /* nothing was left behind */
      }
      floc_world_destroy(world);
    }
}

/* The call first: then the scheme is refused, and the one from before stays. */
static void schemes_are_refused_by_what_is_there(void **state)
{
  (void)state;
  for (int scheme = 0; scheme < SCHEMES; scheme++)
    for (int feature = 0; feature < FLOC_FEATURE_COUNT; feature++) {
      if (feature == FLOC_FEATURE_BONDS || feature == FLOC_FEATURE_PROBLEMS || !has_call(feature)) continue;
      if (feature == FLOC_FEATURE_SERVO) continue; /* the scheme of a world that has chosen none knows no servo */
      if (feature == FLOC_FEATURE_DEFORMATION) continue; /* the default scheme refuses the call at once */
      floc_world *world = world_of_two();
      assert_world_ok(world, set_up(world, (floc_feature)feature));
      floc_status status = choose(world, scheme);
      if (is_supported(scheme, (floc_feature)feature)) {
        assert_world_ok(world, status);
      } else {
        assert_int_equal(status, FLOC_NOT_SUPPORTED);
        assert_names_schemes(world, scheme, (floc_feature)feature);
      }
      assert_world_ok(world, floc_world_step(world));
      floc_world_destroy(world);
    }
}

/* What means "none" is accepted everywhere. */
static void nothing_is_refused_that_is_nothing(void **state)
{
  (void)state;
  const double none[3] = {0.0, 0.0, 0.0};
  floc_noise_options noise;
  floc_flow_options flow;
  floc_noise_options_init(&noise);
  floc_flow_options_init(&flow);
  for (int scheme = 0; scheme < SCHEMES; scheme++) {
    floc_world *world = world_of_two();
    assert_world_ok(world, choose(world, scheme));
    assert_world_ok(world, floc_world_set_gravity(world, none));
    assert_world_ok(world, floc_world_set_noise(world, &noise));
    assert_world_ok(world, floc_world_set_flow(world, &flow));
    assert_world_ok(world, floc_world_set_a_priori(world, NULL));
    assert_int_equal(floc_world_check_feature(world, FLOC_FEATURE_COUNT), FLOC_INVALID_ARGUMENT);
    assert_int_equal(floc_world_check_feature(world, -1), FLOC_INVALID_ARGUMENT);
    assert_world_ok(world, floc_world_step(world));
    floc_world_destroy(world);
  }
}

/* Gravity, a flow and noise have no part in a priori velocities of a function: refused in either order, and nothing
 * has changed. */
static void nothing_is_lost_beside_a_priori_velocities(void **state)
{
  (void)state;
  static const floc_feature beside[] = {FLOC_FEATURE_GRAVITY, FLOC_FEATURE_FLOW, FLOC_FEATURE_NOISE};
  static const char *const names[] = {"gravity is", "a flow is", "noise is"};
  for (int scheme = 0; scheme < 2; scheme++)
    for (int k = 0; k < 3; k++)
      for (int order = 0; order < 2; order++) {
        floc_world *world = world_of_two();
        assert_world_ok(world, choose(world, scheme));
        floc_feature first = order == 0 ? FLOC_FEATURE_A_PRIORI : beside[k];
        floc_feature second = order == 0 ? beside[k] : FLOC_FEATURE_A_PRIORI;
        assert_world_ok(world, set_up(world, first));
        assert_int_equal(floc_world_check_feature(world, second), FLOC_NOT_SUPPORTED);
        assert_int_equal(set_up(world, second), FLOC_NOT_SUPPORTED);
        const char *message = floc_world_message(world);
        assert_true(strstr(message, names[k]) == message && strstr(message, "together with an a priori velocity"));
        assert_world_ok(world, floc_world_step(world));
        if (order == 0) { /* without the function there is space for it */
          assert_world_ok(world, floc_world_set_a_priori(world, NULL));
          assert_world_ok(world, set_up(world, second));
        }
        floc_world_destroy(world);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_are_refused_by_name),
      cmocka_unit_test(schemes_are_refused_by_what_is_there),
      cmocka_unit_test(nothing_is_refused_that_is_nothing),
      cmocka_unit_test(nothing_is_lost_beside_a_priori_velocities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
