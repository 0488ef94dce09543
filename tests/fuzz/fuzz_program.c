/*
 * Fuzz target of law programs: any counts, operations and operands must be refused with a message, or run, with the
 * same bits for every width of vector unit, and read nothing beyond what they were given.
 *
 * The input is a header of four bytes (inputs, constants, outputs, uniform inputs), then five bytes per
 * instruction: operation, and a, b, c counted back from the present value, 255 for none, 254 for a number that is
 * far out.
 *
 * Build with clang and -DFLOC_FUZZ=ON, then: fuzz_program tests/corpus/program
 */
#include "laws/program/program.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 600, ROWS = 37 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int32_t operand(uint8_t byte, int32_t values)
{
  return byte == 255 ? -1 : byte == 254 ? INT32_MAX : values - 1 - byte;
}

static void run(const program *one, const floc_program_options *options)
{
  static double space[PROGRAM_SPACE_LIMIT] __attribute__((aligned(64)));
  static double input[PROGRAM_INPUT_LIMIT][ROWS], output[2][PROGRAM_OUTPUT_LIMIT][ROWS];
  const double *inputs[PROGRAM_INPUT_LIMIT];
  for (int32_t k = 0; k < options->input_count; k++) {
    for (int32_t row = 0; row < ROWS; row++) input[k][row] = (row - 18) * 0.25 * (k + 1);
    inputs[k] = input[k];
  }
  for (int n = 0; n < 2; n++) {
    double *outputs[PROGRAM_OUTPUT_LIMIT];
    for (int32_t k = 0; k < options->output_count; k++) outputs[k] = output[n][k];
    program_run_width(one, space, n == 0 ? 0 : 512, ROWS, inputs, outputs);
  }
  for (int32_t k = 0; k < options->output_count; k++)
    for (int32_t row = 0; row < ROWS; row++) {
      double a = output[0][k][row], b = output[1][k][row];
      if (memcmp(&a, &b, sizeof a) != 0 && (a == a || b == b)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  static floc_instruction code[LONGEST];
  static const double constants[] = {0.0, 1.0, -0.5, 3.0, 1e300, -1e-300};
  int32_t outputs[PROGRAM_OUTPUT_LIMIT];
  if (size < 4) return 0;
  environment env = {.allocate = default_allocate, .threads = 1};
  floc_program_options options;
  floc_program_options_init(&options);
  options.input_count = bytes[0] % 36;
  options.constants = constants;
  options.constant_count = bytes[1] % 7;
  options.output_count = bytes[2] % 18;
  int32_t values = options.input_count + options.constant_count, count = 0;
  for (size_t k = 4; k + 5 <= size && count < LONGEST; k += 5, count++, values++)
    code[count] = (floc_instruction){bytes[k] % 40, operand(bytes[k + 1], values), operand(bytes[k + 2], values),
                                     operand(bytes[k + 3], values)};
  for (int32_t k = 0; k < PROGRAM_OUTPUT_LIMIT; k++)
    outputs[k] = values - 1 - (k + 1 < (int32_t)size ? bytes[size - 1 - (size_t)k] : 0);
  options.code = code;
  options.code_count = count;
  options.outputs = outputs;
  program *made;
  floc_status status = program_create(&env, &options, bytes[3], &made);
  if (status != FLOC_OK) {
    if (made || !env.message[0]) abort();
    return 0;
  }
  if (options.input_count <= PROGRAM_INPUT_LIMIT && options.output_count <= PROGRAM_OUTPUT_LIMIT)
    run(made, &options);
  char text[64];
  program_print(made, NULL, NULL, text, sizeof text);
  program_destroy(&env, made);
  return 0;
}
