/*
 * Options as rows, made from the declarations: defaults and ranges of the projection against checks that are
 * written out here, on random structs; what a refusal says.
 */
#include "support.h"

#include "base/fields.h"
#include "base/numbers/random.h"

#include <math.h>
#include <string.h>

/* ---- the ranges once more, by hand ---- */

static bool is_finite_from_0(double value)
{
  return value >= 0.0 && isfinite(value);
}

static const char *first_wrong(const floc_projection_options *options)
{
  if (options->contact_law != FLOC_CONTACT_INELASTIC && options->contact_law != FLOC_CONTACT_GLUEY)
    return "contact_law";
  if (!(options->gamma_min <= 0.0)) return "gamma_min";
  if (options->solver < FLOC_SOLVER_AUTO || options->solver > FLOC_SOLVER_INTERIOR_POINT) return "solver";
  if (!is_finite_from_0(options->tolerance)) return "tolerance";
  if (options->max_iterations < 1) return "max_iterations";
  if (options->gluey_rule != FLOC_GLUEY_BOUNDED && options->gluey_rule != FLOC_GLUEY_EQUALITY) return "gluey_rule";
  if (!is_finite_from_0(options->viscosity)) return "viscosity";
  if (!is_finite_from_0(options->friction)) return "friction";
  if (!(options->restitution >= 0.0 && options->restitution <= 1.0)) return "restitution";
  if (!is_finite_from_0(options->restitution_speed)) return "restitution_speed";
  return NULL;
}

/* ---- random structs: mostly good numbers, some at the limits, some out of them ---- */

static uint64_t drawn;

static double uniform(void)
{
  double value;
  assert_int_equal(floc_random_uniform(5, 0, (int64_t)drawn++, 1, &value), FLOC_OK);
  return value;
}

static double some_number(void)
{
  static const double odd[] = {-1.0, -1e-300, -0.0,     0.0,       1.0, 1.0000000000000002,
                               2.0,  1e300,   INFINITY, -INFINITY, NAN};
  if (uniform() < 0.25) return odd[(int)(uniform() * sizeof odd / sizeof *odd)];
  return uniform();
}

static int32_t some_integer(void)
{
  static const int32_t odd[] = {-1, 0, 1, 2, 3, 4, INT32_MAX, INT32_MIN};
  return odd[(int)(uniform() * sizeof odd / sizeof *odd)];
}

static floc_projection_options some_options(void)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  if (uniform() < 0.4) options.contact_law = some_integer();
  if (uniform() < 0.4) options.gamma_min = -some_number();
  if (uniform() < 0.4) options.solver = some_integer();
  if (uniform() < 0.4) options.tolerance = some_number();
  if (uniform() < 0.4) options.max_iterations = some_integer();
  if (uniform() < 0.4) options.gluey_rule = some_integer();
  if (uniform() < 0.4) options.viscosity = some_number();
  if (uniform() < 0.4) options.friction = some_number();
  if (uniform() < 0.4) options.restitution = some_number();
  if (uniform() < 0.4) options.restitution_speed = some_number();
  return options;
}

static void ranges_are_those_written_by_hand(void **state)
{
  (void)state;
  int accepted = 0, refused = 0;
  for (int k = 0; k < 200000; k++) {
    environment env = {0};
    floc_projection_options options = some_options();
    const char *wrong = first_wrong(&options);
    floc_status status = fields_check(&env, &struct_projection_options, &options);
    assert_int_equal(status, wrong ? FLOC_INVALID_ARGUMENT : FLOC_OK);
    if (wrong) assert_true(strncmp(env.message, wrong, strlen(wrong)) == 0 && env.message[strlen(wrong)] == ' ');
    *(wrong ? &refused : &accepted) += 1;
  }
  assert_true(accepted > 10000 && refused > 10000);
}

static void defaults_are_those_of_the_header(void **state)
{
  (void)state;
  floc_projection_options options, hand = {.struct_size = sizeof hand,
                                           .contact_law = FLOC_CONTACT_INELASTIC,
                                           .gamma_min = -INFINITY,
                                           .solver = FLOC_SOLVER_AUTO,
                                           .max_iterations = 20000,
                                           .warm_start = true};
  floc_projection_options_init(&options);
  assert_true(options.contact_law == hand.contact_law && options.gamma_min == hand.gamma_min);
  assert_true(options.solver == hand.solver && options.max_iterations == 20000 && options.warm_start);
  assert_true(options.tolerance == 0.0 && options.gluey_rule == FLOC_GLUEY_BOUNDED && !options.radius_factor);
  assert_true(options.viscosity == 0.0 && !options.gamma_min_function && options.friction == 0.0);
  assert_true(!options.rotation && options.restitution == 0.0 && options.restitution_speed == 0.0);
}

static void refusals_say_what_is_allowed(void **state)
{
  (void)state;
  environment env = {0};
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.solver = 4;
  assert_int_equal(fields_check(&env, &struct_projection_options, &options), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "solver is 4; it must be auto (0), uzawa (1), apgd (2) or interior_point (3)");
  options.solver = 0;
  options.friction = -1.0;
  assert_int_equal(fields_check(&env, &struct_projection_options, &options), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "friction is -1; it must be a finite number of at least 0");
  options.friction = 0.0;
  options.restitution = 1.5;
  assert_int_equal(fields_check(&env, &struct_projection_options, &options), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "restitution is 1.5; it must be a finite number between 0 and 1");
  options.restitution = 0.0;
  options.gamma_min = 0.25;
  assert_int_equal(fields_check(&env, &struct_projection_options, &options), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "gamma_min is 0.25; it must be a number of at most 0");
  options.gamma_min = 0.0;
  options.max_iterations = -2;
  assert_int_equal(fields_check(&env, &struct_projection_options, &options), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "max_iterations is -2; it must be an integer of at least 1");
}

/* Each element of an array; members that another one switches off; members whose range depends on others. */
static void elements_and_conditions_count(void **state)
{
  (void)state;
  environment env = {0};
  floc_media media;
  floc_media_init(&media);
  assert_true(media.density[0] == 1000.0 && media.density[1] == 6000.0 && media.sound_speed[1] == 4500.0);
  media.sound_speed[1] = 0.0;
  assert_int_equal(fields_check(&env, &struct_media, &media), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "sound_speed[1] is 0; it must be a finite number above 0");
  floc_body_options body;
  floc_body_options_init(&body);
  body.velocity[2] = NAN;
  assert_int_equal(fields_check(&env, &struct_body_options, &body), FLOC_OK); /* fixed: not used */
  body.motion = FLOC_MOTION_CONSTANT;
  assert_int_equal(fields_check(&env, &struct_body_options, &body), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "velocity[2] is nan; it must be a finite number");
  body.motion = 70;
  assert_int_equal(fields_check(&env, &struct_body_options, &body), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(env.message, "motion is 70; it must be fixed (0), constant (1)"));
  floc_world_options world;
  floc_world_options_init(&world);
  assert_true(world.dimension == 2 && world.seed == 1 && world.boundary[2] == FLOC_BOUNDARY_OPEN);
  world.time_step = 1.0;
  world.domain_upper[0] = NAN;
  assert_int_equal(fields_check(&env, &struct_world_options, &world), FLOC_OK); /* the axis is open */
  world.boundary[1] = 7;
  assert_int_equal(fields_check(&env, &struct_world_options, &world), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "boundary[1] is 7; it must be open (0), wall (1) or periodic (2)");
  assert_int_equal(fields_check_value(&env, &struct_world_options, "threads", 257.0), FLOC_INVALID_ARGUMENT);
  assert_string_equal(env.message, "threads is 257; it must be an integer between 0 and 256");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_are_those_written_by_hand),
      cmocka_unit_test(defaults_are_those_of_the_header),
      cmocka_unit_test(refusals_say_what_is_allowed),
      cmocka_unit_test(elements_and_conditions_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
