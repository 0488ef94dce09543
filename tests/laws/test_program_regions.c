/*
 * Regions of law programs: random programs of nested branches against a plain interpreter, bit for bit, for every
 * width of vector unit and any count; what is put into regions, and what is not.
 */
#include "base/numbers/random.h"
#include "laws/program/program.h"
#include "laws/program_making.h"
#include "program_interpreter.h"
#include "support.h"

enum { INPUTS = 4, CONSTANTS = 5, LONGEST = 300, OUTPUTS = 2, ROWS = 600, FIRST = INPUTS + CONSTANTS };

/* ---- programs of branches ---- */

typedef struct branching_program {
  floc_program_options options;
  floc_instruction code[LONGEST];
  double constants[CONSTANTS];
  int32_t outputs[OUTPUTS];
  int32_t count; /* of instructions */
  uint64_t seed, drawn;
} branching_program;

static int32_t draw(branching_program *one, int32_t below)
{
  double u[4];
  random_uniform4(one->seed, one->drawn++, 0, RANDOM_POSITION, 0, u);
  return (int32_t)(u[0] * below);
}

static int32_t add(branching_program *one, int32_t operation, int32_t a, int32_t b, int32_t c)
{
  assert_true(one->count < LONGEST);
  one->code[one->count] = (floc_instruction){operation, a, b, c};
  return FIRST + one->count++;
}

/* A value made so far, one of the last most of the time. */
static int32_t pick(branching_program *one)
{
  int32_t values = FIRST + one->count;
  return draw(one, 4) ? values - 1 - draw(one, values < 4 ? values : 4) : draw(one, values);
}

static int32_t add_arithmetic(branching_program *one)
{
  static const int32_t operations[] = {
      FLOC_OPERATION_ADD,         FLOC_OPERATION_SUBTRACT, FLOC_OPERATION_MULTIPLY, FLOC_OPERATION_DIVIDE,
      FLOC_OPERATION_SQUARE_ROOT, FLOC_OPERATION_NEGATE,   FLOC_OPERATION_DIVIDE,   FLOC_OPERATION_ABSOLUTE,
      FLOC_OPERATION_EXPONENTIAL, FLOC_OPERATION_POWER,    FLOC_OPERATION_SINE};
  const program_operation *kind;
  int32_t operation = operations[draw(one, sizeof operations / sizeof *operations)];
  kind = program_operation_of(operation);
  int32_t a = pick(one), b = kind->operands == 1 ? -1 : pick(one);
  return add(one, operation, a, b, kind->library && draw(one, 2) ? pick(one) : -1); /* where it is needed */
}

/* Rare, frequent, the same for long stretches (input 3 grows from row to row), or any number as a condition. */
static int32_t add_condition(branching_program *one)
{
  static const int32_t comparisons[] = {FLOC_OPERATION_LESS, FLOC_OPERATION_LESS_EQUAL, FLOC_OPERATION_EQUAL};
  switch (draw(one, 4)) {
  case 0:
    return add(one, comparisons[draw(one, 3)], draw(one, INPUTS), INPUTS + draw(one, CONSTANTS), -1);
  case 1:
    return add(one, FLOC_OPERATION_LESS, 3, INPUTS + draw(one, CONSTANTS), -1);
  case 2:
    return add(one, FLOC_OPERATION_AND, pick(one), pick(one), -1);
  default:
    return add(one, FLOC_OPERATION_LESS, pick(one), pick(one), -1);
  }
}

static int32_t add_branch(branching_program *one, int32_t depth);

static int32_t add_block(branching_program *one, int32_t depth)
{
  int32_t value = pick(one);
  for (int32_t k = draw(one, 5); k >= 0; k--)
    value = depth > 0 && draw(one, 3) == 0 ? add_branch(one, depth - 1) : add_arithmetic(one);
  return value;
}

/* if condition then ... else ... end */
static int32_t add_branch(branching_program *one, int32_t depth)
{
  int32_t condition = add_condition(one), yes = add_block(one, depth);
  return add(one, FLOC_OPERATION_SELECT, condition, yes, draw(one, 2) ? add_block(one, depth) : pick(one));
}

static void make_branches(branching_program *one, uint64_t seed)
{
  static const double constants[CONSTANTS] = {0.0, -3.9, 1.0, 3.9, -0.5};
  memset(one, 0, sizeof *one);
  one->seed = seed;
  floc_program_options_init(&one->options);
  memcpy(one->constants, constants, sizeof constants);
  for (int k = 0; k < OUTPUTS; k++) one->outputs[k] = add_branch(one, 2);
  one->options.input_count = INPUTS;
  one->options.constants = one->constants;
  one->options.constant_count = CONSTANTS;
  one->options.code = one->code;
  one->options.code_count = one->count;
  one->options.outputs = one->outputs;
  one->options.output_count = OUTPUTS;
}

static int32_t count_codes(const program *one, int32_t code)
{
  int32_t count = 0;
  for (int32_t k = 0; k < one->code_count; k++) count += one->code[k].code == code;
  return count;
}

/* ---- the same bits ---- */

static double values[INPUTS][ROWS];

static void fill_inputs(void)
{
  static const double edges[] = {0.0, -0.0, 1.0, -1.0, INFINITY, 1e300, -1e300, NAN};
  for (int k = 0; k < INPUTS; k++)
    for (int row = 0; row < ROWS; row++) {
      double u[4];
      random_uniform4(99, (uint64_t)(k * ROWS + row), 0, RANDOM_POSITION, 0, u);
      values[k][row] = u[0] < 0.05 ? edges[(int)(8 * u[1])] : 8.0 * u[1] - 4.0;
      if (k == 3) values[k][row] = 8.0 * row / ROWS - 4.0;
    }
}

static void check_width(const branching_program *one, const program *code, int32_t width, int32_t count,
                        double expected[OUTPUTS][ROWS])
{
  static double output[OUTPUTS][ROWS], space[PROGRAM_SPACE_LIMIT] __attribute__((aligned(64)));
  const double *inputs[INPUTS];
  double *outputs[OUTPUTS];
  for (int k = 0; k < INPUTS; k++) inputs[k] = values[k];
  for (int k = 0; k < OUTPUTS; k++) outputs[k] = output[k];
  program_run_width(code, space, width, count, inputs, outputs);
  for (int k = 0; k < OUTPUTS; k++)
    for (int32_t row = 0; row < count; row++)
      if (!same_bits(output[k][row], expected[k][row]))
        fail_msg("seed %llu, width %d, count %d, output %d, row %d: %.17g instead of %.17g",
                 (unsigned long long)one->seed, width, count, k, row, output[k][row], expected[k][row]);
}

static void check_bits(const branching_program *one, const program *code, uint32_t uniform)
{
  static const int32_t counts[] = {ROWS, 1, 7, 8, 9, 255, 257};
  static double expected[OUTPUTS][ROWS], spread[INPUTS][ROWS];
  const double *inputs[INPUTS];
  for (int k = 0; k < INPUTS; k++) {
    for (int row = 0; row < ROWS; row++) spread[k][row] = values[k][uniform >> k & 1 ? 0 : row];
    inputs[k] = spread[k];
  }
  for (int32_t row = 0; row < ROWS; row++) {
    double result[OUTPUTS];
    interpret(&one->options, inputs, row, result);
    for (int k = 0; k < OUTPUTS; k++) expected[k][row] = result[k];
  }
  for (int32_t width = 0; width <= 512; width += 256)
    for (int n = 0; n < 7; n++) check_width(one, code, width, counts[n], expected);
}

static void branches_give_the_plain_interpreters_bits(void **state)
{
  (void)state;
  int32_t with_regions = 0, nested = 0;
  branching_program one;
  environment env = test_environment(1);
  fill_inputs();
  for (uint64_t seed = 1; seed <= 600; seed++) {
    program *code;
    uint32_t uniform = seed % 4 == 0 ? (uint32_t)seed % 16 : 0;
    make_branches(&one, seed);
    assert_int_equal(program_create(&env, &one.options, uniform, &code), FLOC_OK);
    assert_int_equal(count_codes(code, CODE_WHERE), count_codes(code, CODE_END));
    with_regions += count_codes(code, CODE_WHERE) > 0;
    nested += code->nested;
    check_bits(&one, code, uniform);
    program_destroy(&env, code);
  }
  assert_true(with_regions > 300);
  assert_true(nested > 50);
}

/* ---- what is in a region ---- */

static program *compile(const floc_instruction *code, int32_t count, int32_t output, uint32_t uniform)
{
  static const double constants[CONSTANTS] = {0.0, 1.0, 2.0, 3.0, 4.0};
  environment env = test_environment(1);
  program *made;
  floc_program_options options;
  floc_program_options_init(&options);
  options.input_count = INPUTS;
  options.constants = constants;
  options.constant_count = CONSTANTS;
  options.code = code;
  options.code_count = count;
  options.outputs = &output;
  options.output_count = 1;
  assert_int_equal(program_create(&env, &options, uniform, &made), FLOC_OK);
  return made;
}

/* Instructions between the ends of regions: those of `if` (0) or of `else` (1). */
static int32_t count_inside(const floc_instruction *code, int32_t count, uint32_t uniform, int32_t otherwise)
{
  environment env = test_environment(1);
  program *one = compile(code, count, FIRST + count - 1, uniform);
  int32_t inside = 0;
  for (int32_t k = 0; k < one->code_count; k++)
    if (one->code[k].code == CODE_WHERE && one->code[k].form == otherwise) inside += one->code[k].length - 1;
  program_destroy(&env, one);
  return inside;
}

static void costly_branches_are_regions(void **state)
{
  (void)state;
  enum { V = FIRST };
  floc_instruction code[] = {{FLOC_OPERATION_LESS, 0, INPUTS, -1},
                             {FLOC_OPERATION_SQUARE_ROOT, 1, -1, -1},
                             {FLOC_OPERATION_DIVIDE, 2, V + 1, -1},
                             {FLOC_OPERATION_NEGATE, 1, -1, -1},
                             {FLOC_OPERATION_SELECT, V, V + 2, V + 3}};
  assert_int_equal(count_inside(code, 5, 0, 0), 2);
  assert_int_equal(count_inside(code, 5, 0, 1), 0); /* one change of sign is not worth a test */
  assert_int_equal(count_inside(code, 5, 1, 0), 0); /* the condition is the same for all elements */
  assert_int_equal(count_inside(code, 5, 2, 0), 0); /* the root is the same for all, the quotient is not worth it */
  code[4] = (floc_instruction){FLOC_OPERATION_SELECT, V, V + 3, V + 2};
  assert_int_equal(count_inside(code, 5, 0, 0), 0);
  assert_int_equal(count_inside(code, 5, 0, 1), 2);
}

static void what_both_sides_use_is_computed_everywhere(void **state)
{
  (void)state;
  enum { V = FIRST };
  const floc_instruction code[] = {
      {FLOC_OPERATION_LESS, 0, INPUTS, -1},   {FLOC_OPERATION_SQUARE_ROOT, 1, -1, -1},
      {FLOC_OPERATION_DIVIDE, 2, V + 1, -1},  {FLOC_OPERATION_DIVIDE, V + 2, 2, -1},
      {FLOC_OPERATION_NEGATE, V + 1, -1, -1}, {FLOC_OPERATION_SELECT, V, V + 3, V + 4}};
  assert_int_equal(count_inside(code, 6, 0, 0), 2);
}

/* Library functions that are told where they are needed have a test of their own. */
static void guarded_functions_are_no_reason(void **state)
{
  (void)state;
  enum { V = FIRST };
  floc_instruction code[] = {{FLOC_OPERATION_LESS, 0, INPUTS, -1},
                             {FLOC_OPERATION_HYPERBOLIC_TANGENT, 1, -1, V},
                             {FLOC_OPERATION_SELECT, V, V + 1, INPUTS}};
  assert_int_equal(count_inside(code, 3, 0, 0), 0);
  code[1].c = -1;
  assert_int_equal(count_inside(code, 3, 0, 0), 1);
}

static void what_is_made_before_its_condition_is_computed_everywhere(void **state)
{
  (void)state;
  enum { V = FIRST };
  const floc_instruction code[] = {{FLOC_OPERATION_DIVIDE, 1, 2, -1},
                                   {FLOC_OPERATION_LESS, 0, INPUTS, -1},
                                   {FLOC_OPERATION_SELECT, V + 1, V, INPUTS}};
  assert_int_equal(count_inside(code, 3, 0, 0), 0);
}

/* The inner condition is in the region of the outer one; the inner branch is cheap and stays in the outer region.
 */
static void cheap_inner_branches_are_part_of_the_outer_one(void **state)
{
  (void)state;
  enum { V = FIRST };
  floc_instruction code[] = {
      {FLOC_OPERATION_LESS, 0, INPUTS, -1},      {FLOC_OPERATION_DIVIDE, 1, 2, -1},
      {FLOC_OPERATION_DIVIDE, V + 1, 2, -1},     {FLOC_OPERATION_LESS, V + 2, INPUTS + 1, -1},
      {FLOC_OPERATION_NEGATE, V + 2, -1, -1},    {FLOC_OPERATION_SELECT, V + 3, V + 4, V + 2},
      {FLOC_OPERATION_SELECT, V, V + 5, INPUTS},
  };
  assert_int_equal(count_inside(code, 7, 0, 0), 4); /* quotients, sign, and comparison with selection */
  code[4] = (floc_instruction){FLOC_OPERATION_EXPONENTIAL, V + 2, -1, -1};
  program *one = compile(code, 7, V + 6, 0);
  environment env = test_environment(1);
  assert_int_equal(count_codes(one, CODE_WHERE), 3); /* the outer one before and after the inner one */
  assert_true(one->nested);
  program_destroy(&env, one);
}

static void every_failing_allocation_is_an_error(void **state)
{
  (void)state;
  branching_program one;
  make_branches(&one, 3);
  assert_allocations_may_fail(&one.options, 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(branches_give_the_plain_interpreters_bits),
      cmocka_unit_test(costly_branches_are_regions),
      cmocka_unit_test(what_both_sides_use_is_computed_everywhere),
      cmocka_unit_test(guarded_functions_are_no_reason),
      cmocka_unit_test(what_is_made_before_its_condition_is_computed_everywhere),
      cmocka_unit_test(cheap_inner_branches_are_part_of_the_outer_one),
      cmocka_unit_test(every_failing_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
