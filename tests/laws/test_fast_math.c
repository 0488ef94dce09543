/*
 * Programs with fast_math: how far their functions are from the C library's, that it makes no difference where in a
 * block a number stands, and that conditions hold. Where there is no fast_math, that it is refused.
 */
#include "base/numbers/random.h"
#include "laws/program/program.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 4000 };

static double space[PROGRAM_SPACE_LIMIT] __attribute__((aligned(64)));

/* Greatest relative difference that docs/laws.md promises. */
static const double PROMISED = 1e-15;

typedef struct measured {
  const char *name;
  int32_t operation;
  double lowest, highest; /* of x */
  double (*one)(double);
  double (*two)(double, double);
} measured;

static const measured functions[] = {
    {"exp", FLOC_OPERATION_EXPONENTIAL, -30, 30, exp, NULL},
    {"log", FLOC_OPERATION_LOGARITHM, 1e-3, 1e3, log, NULL},
    {"log2", FLOC_OPERATION_LOGARITHM2, 1e-3, 1e3, log2, NULL},
    {"log10", FLOC_OPERATION_LOGARITHM10, 1e-3, 1e3, log10, NULL},
    {"sin", FLOC_OPERATION_SINE, -30, 30, sin, NULL},
    {"cos", FLOC_OPERATION_COSINE, -30, 30, cos, NULL},
    {"tan", FLOC_OPERATION_TANGENT, -30, 30, tan, NULL},
    {"asin", FLOC_OPERATION_ARC_SINE, -1, 1, asin, NULL},
    {"acos", FLOC_OPERATION_ARC_COSINE, -1, 1, acos, NULL},
    {"atan", FLOC_OPERATION_ARC_TANGENT, -30, 30, atan, NULL},
    {"sinh", FLOC_OPERATION_HYPERBOLIC_SINE, -20, 20, sinh, NULL},
    {"cosh", FLOC_OPERATION_HYPERBOLIC_COSINE, -20, 20, cosh, NULL},
    {"tanh", FLOC_OPERATION_HYPERBOLIC_TANGENT, -20, 20, tanh, NULL},
    {"pow", FLOC_OPERATION_POWER, 1e-3, 1e2, NULL, pow},
    {"atan2", FLOC_OPERATION_ARC_TANGENT2, -30, 30, NULL, atan2},
};

/* f(x), f(x, y), or with the condition w; x y w are inputs. */
static program *make(environment *env, int32_t operation, bool second, bool condition, bool fast)
{
  const floc_instruction code = {operation, 0, second ? 1 : -1, condition ? 2 : -1};
  const int32_t output = 3;
  floc_program_options options;
  program *made = NULL;
  floc_program_options_init(&options);
  options.input_count = 3;
  options.code = &code;
  options.code_count = 1;
  options.outputs = &output;
  options.output_count = 1;
  options.fast_math = fast;
  assert_ok(env, program_create(env, &options, 0, &made));
  return made;
}

static bool is_available(void)
{
  const char *reason;
  return program_fast_available(&reason);
}

static void fill(const measured *f, double x[ROWS], double y[ROWS])
{
  for (int64_t k = 0; k < ROWS; k++) {
    double u[4];
    random_uniform4(3, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    x[k] = f->lowest + (f->highest - f->lowest) * u[0];
    y[k] = 10.0 * (u[1] - 0.5);
  }
}

static void functions_are_close_to_the_librarys(void **state)
{
  (void)state;
  environment env = test_environment(1);
  static double x[ROWS], y[ROWS], w[ROWS], result[ROWS];
  if (!is_available()) skip();
  for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
    const measured *f = &functions[n];
    program *made = make(&env, f->operation, f->two, false, true);
    const double *const inputs[] = {x, y, w};
    double *const outputs[] = {result};
    double worst = 0.0;
    int different = 0;
    fill(f, x, y);
    program_run(made, space, ROWS, inputs, outputs);
    for (int k = 0; k < ROWS; k++) {
      double expected = f->one ? f->one(x[k]) : f->two(x[k], y[k]);
      worst = fmax(worst, fabs(result[k] - expected) / fabs(expected));
      different += result[k] != expected;
    }
    print_message("%-6s greatest relative difference %.2g, %d of %d differ\n", f->name, worst, different, ROWS);
    if (!(worst <= PROMISED)) fail_msg("%s is off by %g", f->name, worst);
    program_destroy(&env, made);
  }
}

static void the_place_in_a_block_makes_no_difference(void **state)
{
  (void)state;
  environment env = test_environment(1);
  static double x[ROWS], y[ROWS], w[ROWS], all[ROWS], some[ROWS];
  if (!is_available()) skip();
  for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
    const measured *f = &functions[n];
    program *made = make(&env, f->operation, f->two, true, true);
    fill(f, x, y);
    for (int k = 0; k < ROWS; k++) w[k] = k % 3 ? 1.0 : 0.0;
    const double *const inputs[] = {x, y, w};
    double *const to_all[] = {all};
    program_run(made, space, ROWS, inputs, to_all);
    for (int k = 0; k < ROWS; k += 3) assert_true(all[k] == 0.0);
    for (int32_t begin = 0; begin < 40; begin++)
      for (int32_t count = 1; count < 12; count++) {
        const double *const from[] = {x + begin, y + begin, w + begin};
        double *const to[] = {some};
        program_run(made, space, count, from, to);
        assert_memory_equal(some, all + begin, (size_t)count * sizeof *some);
      }
    program_destroy(&env, made);
  }
}

/* x y - z where the product alone cannot be held: rounded once it is not 0. */
static void products_and_sums_are_rounded_once(void **state)
{
  (void)state;
  const floc_instruction code[] = {{FLOC_OPERATION_MULTIPLY, 0, 1, -1}, {FLOC_OPERATION_SUBTRACT, 3, 2, -1}};
  const int32_t output = 4;
  double x[9], z[9], result[9];
  for (int k = 0; k < 9; k++) x[k] = 1.0 + ldexp(1.0, -30 - k), z[k] = x[k] * x[k];
  const double *const inputs[] = {x, x, z};
  double *const outputs[] = {result};
  floc_program_options options;
  floc_program_options_init(&options);
  options.input_count = 3;
  options.code = code;
  options.code_count = 2;
  options.outputs = &output;
  options.output_count = 1;
  assert_int_equal(floc_program_evaluate(&options, 9, inputs, outputs, NULL, 0), FLOC_OK);
  for (int k = 0; k < 9; k++) assert_true(result[k] == 0.0);
  options.fast_math = true;
  char message[512];
  floc_status status = floc_program_evaluate(&options, 9, inputs, outputs, message, sizeof message);
  if (!is_available()) {
    assert_int_equal(status, FLOC_NOT_SUPPORTED);
    assert_non_null(strstr(message, "fast_math is not available here: "));
    return;
  }
  assert_int_equal(status, FLOC_OK);
  for (int k = 0; k < 9; k++) assert_true(result[k] == fma(x[k], x[k], -z[k]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_are_close_to_the_librarys),
      cmocka_unit_test(the_place_in_a_block_makes_no_difference),
      cmocka_unit_test(products_and_sums_are_rounded_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
