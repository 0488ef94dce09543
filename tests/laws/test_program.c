/*
 * Law programs: random programs against a plain interpreter, bit for bit, for every width of vector unit and any
 * count; what is refused; the text; memory that runs out.
 */
#include "laws/program_making.h"
#include "support.h"

#include "base/numbers/random.h"
#include "program_interpreter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 4, CONSTANTS = 3, LONGEST = 60, COUNT = 600 };

/* ---- random programs ---- */

typedef struct random_program {
  floc_program_options options;
  floc_instruction code[LONGEST];
  double constants[CONSTANTS];
  int32_t outputs[3];
  uint64_t seed, drawn;
} random_program;

static uint32_t draw(random_program *one, uint32_t below)
{
  double u[4];
  random_uniform4(one->seed, one->drawn++, 0, RANDOM_POSITION, 0, u);
  return (uint32_t)(u[0] * below);
}

static bool is_unary(int32_t operation)
{
  return (operation >= FLOC_OPERATION_NEGATE && operation <= FLOC_OPERATION_CEILING) ||
         operation == FLOC_OPERATION_NOT || operation > FLOC_OPERATION_TRUNCATED_REMAINDER;
}

/* Cheap operations more often; values made lately more often, so that joins happen. */
static int32_t pick(random_program *one, int32_t values)
{
  return draw(one, 2) && values > 3 ? values - 1 - (int32_t)draw(one, 3) : (int32_t)draw(one, (uint32_t)values);
}

static void make_program(random_program *one, uint64_t seed)
{
  static const double constants[] = {0.0, 1.0, -0.5, 2.5, 1e-3};
  memset(one, 0, sizeof *one);
  one->seed = seed;
  floc_program_options_init(&one->options);
  for (int k = 0; k < CONSTANTS; k++) one->constants[k] = constants[draw(one, 5)];
  int32_t values = INPUTS + CONSTANTS, length = 1 + (int32_t)draw(one, LONGEST);
  for (int32_t k = 0; k < length; k++, values++) {
    floc_instruction *step = &one->code[k];
    step->operation = 1 + (int32_t)(draw(one, 4) ? draw(one, 16) : draw(one, 33));
    step->a = pick(one, values);
    step->b = is_unary(step->operation) ? -1 : pick(one, values);
    step->c = step->operation == FLOC_OPERATION_SELECT ? pick(one, values) : -1;
    if (step->operation > FLOC_OPERATION_SELECT && draw(one, 2)) step->c = pick(one, values);
  }
  for (int k = 0; k < 3; k++) one->outputs[k] = pick(one, values);
  one->options.input_count = INPUTS;
  one->options.constants = one->constants;
  one->options.constant_count = CONSTANTS;
  one->options.code = one->code;
  one->options.code_count = length;
  one->options.outputs = one->outputs;
  one->options.output_count = 3;
}

static double sample(uint64_t number)
{
  static const double edges[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e300, 0x1.8p-1040};
  double u[4];
  random_uniform4(99, number, 0, RANDOM_POSITION, 0, u);
  return u[0] < 0.2 ? edges[(int)(8 * u[1])] : 8.0 * u[1] - 4.0;
}

/* Exactly what the program says that it needs. */
static void *space_for(const program *code)
{
  void *space = NULL;
  assert_int_equal(posix_memalign(&space, 64, program_space_size(code)), 0);
  assert_true(program_space_size(code) <= PROGRAM_SPACE_LIMIT * sizeof(double));
  return space;
}

static void check_program(random_program *one, uint32_t uniform, const double *const *inputs)
{
  static double output[3][3][COUNT];
  static const int32_t widths[] = {0, 256, 512}, counts[] = {COUNT, 1, 257};
  environment env = test_environment(1);
  program *code;
  assert_int_equal(program_create(&env, &one->options, uniform, &code), FLOC_OK);
  void *space = space_for(code);
  for (int w = 0; w < 3; w++) {
    double *outputs[3] = {output[w][0], output[w][1], output[w][2]};
    program_run_width(code, space, widths[w], COUNT, inputs, outputs);
  }
  const double *from[INPUTS];
  static double spread[INPUTS][COUNT];
  for (int k = 0; k < INPUTS; k++) {
    for (int32_t row = 0; row < COUNT; row++) spread[k][row] = uniform >> k & 1 ? inputs[k][0] : inputs[k][row];
    from[k] = spread[k];
  }
  for (int32_t row = 0; row < COUNT; row++) {
    double expected[3];
    interpret(&one->options, from, row, expected);
    for (int k = 0; k < 3; k++) {
      for (int w = 1; w < 3; w++) assert_true(same_bits(output[w][k][row], output[0][k][row]));
      if (!same_bits(output[0][k][row], expected[k]))
        fail_msg("seed %llu, output %d, row %d: %.17g instead of %.17g", (unsigned long long)one->seed, k, row,
                 output[0][k][row], expected[k]);
    }
  }
  for (int n = 1; n < 3; n++) {
    double *outputs[3] = {output[1][0], output[1][1], output[1][2]};
    program_run(code, space, counts[n], inputs, outputs);
    for (int k = 0; k < 3; k++)
      for (int32_t row = 0; row < counts[n]; row++) assert_true(same_bits(output[1][k][row], output[0][k][row]));
  }
  free(space);
  program_destroy(&env, code);
}

static void random_programs_give_the_plain_interpreters_bits(void **state)
{
  (void)state;
  static double values[INPUTS][COUNT];
  const double *inputs[INPUTS];
  for (int k = 0; k < INPUTS; k++) {
    for (int row = 0; row < COUNT; row++) values[k][row] = sample((uint64_t)(k * COUNT + row));
    inputs[k] = values[k];
  }
  random_program one;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    make_program(&one, seed);
    check_program(&one, seed % 3 == 0 ? (uint32_t)seed % 16 : 0, inputs);
  }
}

/* More values at a time than fit beside each other at full length. */
static void many_registers(void **state)
{
  (void)state;
  enum { WIDE = 700 };
  static floc_instruction code[2 * WIDE];
  static double constants[WIDE];
  floc_program_options options;
  floc_program_options_init(&options);
  for (int k = 0; k < WIDE; k++) {
    constants[k] = k + 1.0;
    code[k] = (floc_instruction){FLOC_OPERATION_DIVIDE, 0, 1 + k, -1};
    code[WIDE + k] = (floc_instruction){FLOC_OPERATION_ABSOLUTE, 1 + WIDE + k, -1, -1};
  }
  for (int k = 1; k < WIDE; k++)
    code[WIDE + k] = (floc_instruction){FLOC_OPERATION_SUBTRACT, 1 + 2 * WIDE - 1 - k, 1 + WIDE + WIDE + k - 1, -1};
  int32_t output = 1 + WIDE + 2 * WIDE - 1;
  options.input_count = 1;
  options.constants = constants;
  options.constant_count = WIDE;
  options.code = code;
  options.code_count = 2 * WIDE;
  options.outputs = &output;
  options.output_count = 1;
  environment env = test_environment(1);
  program *made;
  assert_int_equal(program_create(&env, &options, 0, &made), FLOC_OK);
  assert_true(program_space_size(made) > 600 * sizeof(double));
  double input[40], result[40], again[40], *to = result;
  for (int k = 0; k < 40; k++) input[k] = k - 20.5;
  const double *from = input;
  void *space = space_for(made);
  program_run(made, space, 40, &from, &to);
  to = again;
  for (int k = 0; k < 40; k++) {
    from = &input[k];
    to = &again[k];
    program_run(made, space, 1, &from, &to);
    assert_true(same_bits(result[k], again[k]));
  }
  free(space);
  program_destroy(&env, made);
}

/* More values that are the same for all elements than any law has; each also meets one that is not. */
static void many_uniform_values(void **state)
{
  (void)state;
  enum { LONG = 680 };
  static floc_instruction code[6 * LONG];
  const double constants[] = {0.75, -0.5};
  floc_program_options options;
  floc_program_options_init(&options);
  int32_t value = 4, count = 0, total = 1; /* inputs 0 (uniform) and 1, constants 2 and 3 */
  for (int32_t k = 0, previous = 0; k < LONG; k++) {
    code[count++] = (floc_instruction){FLOC_OPERATION_MULTIPLY, previous, 2, -1};
    code[count++] = (floc_instruction){FLOC_OPERATION_ADD, value, 3, -1};
    code[count++] = (floc_instruction){FLOC_OPERATION_MULTIPLY, total, 3, -1};
    code[count++] = (floc_instruction){FLOC_OPERATION_ADD, value + 2, value + 1, -1};
    code[count++] = (floc_instruction){FLOC_OPERATION_LESS, value, value + 1, -1};
    code[count++] = (floc_instruction){FLOC_OPERATION_SELECT, value + 4, total, value + 3};
    previous = value + 1;
    total = value + 5;
    value += 6;
  }
  options.input_count = 2;
  options.constants = constants;
  options.constant_count = 2;
  options.code = code;
  options.code_count = count;
  options.outputs = &total;
  options.output_count = 1;
  environment env = test_environment(1);
  program *made;
  assert_int_equal(program_create(&env, &options, 1, &made), FLOC_OK);
  enum { ROWS = 40 };
  double parameter = 3.0, input[ROWS], expected[ROWS], result[ROWS];
  for (int k = 0; k < ROWS; k++) input[k] = expected[k] = k - 20.5;
  for (int32_t k = 0; k < LONG; k++) {
    double scaled = parameter * 0.75;
    parameter = scaled - 0.5;
    for (int row = 0; row < ROWS && !(scaled < parameter); row++) expected[row] = -0.5 * expected[row] + parameter;
  }
  const double first = 3.0, *from[2] = {&first, input};
  double *to = result;
  void *space = space_for(made);
  program_run(made, space, ROWS, from, &to);
  for (int row = 0; row < ROWS; row++) assert_true(same_bits(result[row], expected[row]));
  free(space);
  program_destroy(&env, made);
}

/* ---- refusals ---- */

static void refuses(floc_program_options options, const char *text)
{
  environment env = test_environment(1);
  program *made;
  assert_int_equal(program_create(&env, &options, 0, &made), FLOC_INVALID_ARGUMENT);
  assert_null(made);
  if (!strstr(env.message, text)) fail_msg("\"%s\" does not have \"%s\"", env.message, text);
}

static void wrong_programs_are_refused(void **state)
{
  (void)state;
  floc_instruction code[2] = {{FLOC_OPERATION_ADD, 0, 1, -1}, {FLOC_OPERATION_SQUARE_ROOT, 2, -1, -1}};
  double constant = 3.0;
  int32_t output = 3;
  floc_program_options good;
  floc_program_options_init(&good);
  good.input_count = 1;
  good.constants = &constant;
  good.constant_count = 1;
  good.code = code;
  good.code_count = 2;
  good.outputs = &output;
  good.output_count = 1;
  double value = 6.0, result = 0.0, *to = &result;
  const double *from = &value;
  char message[200];
  assert_int_equal(floc_program_evaluate(&good, 1, &from, &to, message, sizeof message), FLOC_OK);
  assert_true(result == 3.0);
  floc_program_options bad = good;
  bad.input_count = 65;
  refuses(bad, "input_count is 65; it must be an integer between 0 and 64");
  bad = good;
  bad.output_count = 0;
  refuses(bad, "output_count is 0");
  bad = good;
  bad.code = NULL;
  refuses(bad, "code_count is 2, but the list is NULL");
  bad = good;
  bad.code_count = -1;
  refuses(bad, "code_count is -1");
  static const int32_t wrong[] = {-1, -2, 3, 4, 1000000, INT32_MIN, INT32_MAX};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    code[1].a = wrong[k];
    refuses(good, "code[1].a is");
    code[1].a = 2;
    if (wrong[k] == -1) continue;
    code[1].b = wrong[k];
    refuses(good, "code[1].b is");
    code[1].b = -1;
    if (wrong[k] == 3) continue;
    output = wrong[k];
    refuses(good, "outputs[0] is");
    output = 3;
  }
  code[0].operation = 34;
  refuses(good, "code[0].operation is 34; it must be between 1 and 33");
  code[0].operation = FLOC_OPERATION_ADD;
  code[0].c = 0;
  refuses(good, "code[0].c is 0; the operation has no such operand");
  assert_int_equal(floc_program_evaluate(NULL, 1, &from, &to, message, sizeof message), FLOC_INVALID_ARGUMENT);
}

static void every_failing_allocation_is_an_error(void **state)
{
  (void)state;
  random_program one;
  make_program(&one, 7);
  assert_allocations_may_fail(&one.options, 3);
}

/* ---- text ---- */

static void text_reads_like_the_law(void **state)
{
  (void)state;
  static const floc_instruction code[] = {{FLOC_OPERATION_SUBTRACT, 0, 1, -1},
                                          {FLOC_OPERATION_LESS, 4, 2, -1},
                                          {FLOC_OPERATION_HYPERBOLIC_TANGENT, 4, -1, 5},
                                          {FLOC_OPERATION_MULTIPLY, 3, 6, -1},
                                          {FLOC_OPERATION_SELECT, 5, 7, 2}};
  static const double constants[] = {0.0, -1e4};
  static const int32_t output = 8;
  static const char *const inputs[] = {"distance", "radius_i"}, *const outputs[] = {"normal"};
  floc_program_options options;
  floc_program_options_init(&options);
  options.input_count = 2;
  options.constants = constants;
  options.constant_count = 2;
  options.code = code;
  options.code_count = 5;
  options.outputs = &output;
  options.output_count = 1;
  environment env = test_environment(1);
  program *made;
  assert_int_equal(program_create(&env, &options, 0, &made), FLOC_OK);
  static const char expected[] = "v1 = distance - radius_i\nv2 = v1 < 0\nv3 = tanh(v1) where v2\nv4 = -1e+04 * v3\n"
                                 "v5 = v2 ? v4 : 0\nnormal = v5\n";
  char text[400];
  assert_int_equal(program_print(made, inputs, outputs, text, sizeof text), sizeof expected - 1);
  assert_string_equal(text, expected);
  assert_int_equal(program_print(made, inputs, outputs, text, 10), sizeof expected - 1);
  assert_string_equal(text, "v1 = dist");
  program_destroy(&env, made);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs_give_the_plain_interpreters_bits),
      cmocka_unit_test(many_registers),
      cmocka_unit_test(many_uniform_values),
      cmocka_unit_test(wrong_programs_are_refused),
      cmocka_unit_test(every_failing_allocation_is_an_error),
      cmocka_unit_test(text_reads_like_the_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
