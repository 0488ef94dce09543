/*
 * Fuzz target of the loader of law programs: any bytes at all, taken as inputs, constants, instructions and
 * outputs, must be refused with a message, or become a program that runs within its memory, prints itself, and
 * gives the same bits with every vector width.
 *
 * Build with clang and -DFLOC_FUZZ=ON, then: fuzz_program tests/corpus/program
 */
#include "laws/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { COUNT = 300, HEADER = 8 }; /* more than a block of elements */

static void demand(bool condition, const char *what)
{
  if (condition) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

/* Bytes off the front of what is left, zeros when there are none. */
typedef struct source {
  const uint8_t *bytes;
  size_t left;
} source;

static void take(source *from, void *to, size_t size)
{
  size_t got = size < from->left ? size : from->left;
  memset(to, 0, size);
  if (got > 0) memcpy(to, from->bytes, got);
  from->bytes += got;
  from->left -= got;
}

static double number_of(int64_t k)
{
  static const double special[] = {0.0, -0.0, 1.0, -1.0, 1e308, -1e-308, 5e-324, INFINITY, -INFINITY, NAN};
  return k % 3 ? 0.37 * (double)k - 40.0 : special[k / 3 % 10];
}

static void run(const program *made, int32_t inputs, int32_t outputs)
{
  static double in[PROGRAM_INPUT_LIMIT][COUNT], out[2][PROGRAM_OUTPUT_LIMIT][COUNT];
  const double *input[PROGRAM_INPUT_LIMIT];
  for (int32_t k = 0; k < inputs; k++) {
    for (int64_t j = 0; j < COUNT; j++) in[k][j] = number_of(j + 7 * k);
    input[k] = in[k];
  }
  static const int32_t widths[2] = {0, 512};
  for (int w = 0; w < 2; w++) {
    double *output[PROGRAM_OUTPUT_LIMIT];
    for (int32_t k = 0; k < outputs; k++) output[k] = out[w][k];
    demand(program_run_width(made, widths[w], COUNT, input, output) == FLOC_OK, "a program runs");
  }
  for (int32_t k = 0; k < outputs; k++)
    for (int j = 0; j < COUNT; j++) { /* of a NaN the sign and payload are the processor's affair */
      bool both_nan = isnan(out[0][k][j]) && isnan(out[1][k][j]);
      demand(both_nan || memcmp(&out[0][k][j], &out[1][k][j], sizeof(double)) == 0,
             "bits do not depend on the width");
    }
}

static void print(const program *made)
{
  static const char *names[PROGRAM_INPUT_LIMIT];
  for (int k = 0; k < PROGRAM_INPUT_LIMIT; k++) names[k] = "name";
  char text[200];
  memset(text, 'x', sizeof text);
  size_t length = program_print(made, names, names, text, sizeof text);
  demand(memchr(text, 0, sizeof text) != NULL && length > 0, "the text ends");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  source from = {bytes, size};
  uint8_t header[HEADER];
  take(&from, header, sizeof header);
  static double constants[64];
  static floc_instruction code[128];
  int32_t outputs[24];
  floc_program_options options = {.struct_size = sizeof options,
                                  .input_count = (int8_t)header[0],
                                  .constants = constants,
                                  .constant_count = (int8_t)header[1] % 64,
                                  .code = code,
                                  .code_count = (int8_t)header[2] % 128,
                                  .outputs = outputs,
                                  .output_count = (int8_t)header[3] % 24};
  for (int32_t k = 0; k < options.constant_count; k++) take(&from, &constants[k], sizeof constants[k]);
  for (int32_t k = 0; k < options.output_count; k++) {
    int16_t value;
    take(&from, &value, sizeof value);
    outputs[k] = value;
  }
  for (int32_t k = 0; k < options.code_count; k++) {
    int8_t words[4];
    take(&from, words, sizeof words);
    code[k] = (floc_instruction){words[0], words[1], words[2], words[3]};
  }
  environment env = {default_allocate, NULL, NULL, NULL, 1, ""};
  program *made = NULL;
  floc_status status = program_create(&env, &options, header[4] | (uint32_t)header[5] << 8, &made);
  if (status != FLOC_OK) {
    demand(env.message[0] != 0, "a refusal has a message");
    demand(status != FLOC_OUT_OF_MEMORY, "there was memory");
    return 0;
  }
  run(made, options.input_count, options.output_count);
  print(made);
  program_destroy(&env, made);
  return 0;
}
