/*
 * A plain interpreter of law programs: one element, one instruction after another.
 */
#ifndef FLOC_TESTS_PROGRAM_INTERPRETER_H
#define FLOC_TESTS_PROGRAM_INTERPRETER_H

#include "laws/program/program.h"

#include <math.h>
#include <string.h>

enum { INTERPRETER_VALUES = 512 };

static inline double modulo(double a, double b)
{
  double m = fmod(a, b);
  if ((m < 0.0 && b > 0.0) || (m > 0.0 && b < 0.0)) m += b; /* their product may be too small to see */
  return m;
}

static inline double compute(int32_t operation, double a, double b, double c)
{
  switch (operation) {
  case FLOC_OPERATION_ADD:
    return a + b;
  case FLOC_OPERATION_SUBTRACT:
    return a - b;
  case FLOC_OPERATION_MULTIPLY:
    return a * b;
  case FLOC_OPERATION_DIVIDE:
    return a / b;
  case FLOC_OPERATION_NEGATE:
    return -a;
  case FLOC_OPERATION_ABSOLUTE:
    return fabs(a);
  case FLOC_OPERATION_SQUARE_ROOT:
    return sqrt(a);
  case FLOC_OPERATION_FLOOR:
    return floor(a);
  case FLOC_OPERATION_CEILING:
    return ceil(a);
  case FLOC_OPERATION_LESS:
    return a < b;
  case FLOC_OPERATION_LESS_EQUAL:
    return a <= b;
  case FLOC_OPERATION_EQUAL:
    return a == b;
  case FLOC_OPERATION_AND:
    return a != 0.0 && b != 0.0;
  case FLOC_OPERATION_OR:
    return a != 0.0 || b != 0.0;
  case FLOC_OPERATION_NOT:
    return a == 0.0;
  case FLOC_OPERATION_SELECT:
    return a != 0.0 ? b : c;
  default:
    break;
  }
  if (c == 0.0) return 0.0;
  switch (operation) {
  case FLOC_OPERATION_POWER:
    return floc_pow(a, b);
  case FLOC_OPERATION_REMAINDER:
    return modulo(a, b);
  case FLOC_OPERATION_ARC_TANGENT2:
    return floc_atan2(a, b);
  case FLOC_OPERATION_TRUNCATED_REMAINDER:
    return floc_fmod(a, b);
  case FLOC_OPERATION_EXPONENTIAL:
    return floc_exp(a);
  case FLOC_OPERATION_LOGARITHM:
    return floc_log(a);
  case FLOC_OPERATION_LOGARITHM2:
    return floc_log2(a);
  case FLOC_OPERATION_LOGARITHM10:
    return floc_log10(a);
  case FLOC_OPERATION_SINE:
    return floc_sin(a);
  case FLOC_OPERATION_COSINE:
    return floc_cos(a);
  case FLOC_OPERATION_TANGENT:
    return floc_tan(a);
  case FLOC_OPERATION_ARC_SINE:
    return floc_asin(a);
  case FLOC_OPERATION_ARC_COSINE:
    return floc_acos(a);
  case FLOC_OPERATION_ARC_TANGENT:
    return floc_atan(a);
  case FLOC_OPERATION_HYPERBOLIC_SINE:
    return floc_sinh(a);
  case FLOC_OPERATION_HYPERBOLIC_COSINE:
    return floc_cosh(a);
  default:
    return floc_tanh(a);
  }
}

static inline void interpret(const floc_program_options *options, const double *const *inputs, int32_t row,
                             double *outputs)
{
  double value[INTERPRETER_VALUES];
  int32_t count = 0;
  for (int32_t k = 0; k < options->input_count; k++) value[count++] = inputs[k][row];
  for (int32_t k = 0; k < options->constant_count; k++) value[count++] = options->constants[k];
  for (int32_t k = 0; k < options->code_count; k++) {
    const floc_instruction *step = &options->code[k];
    double b = step->b >= 0 ? value[step->b] : 0.0, c = step->c >= 0 ? value[step->c] : 1.0;
    value[count++] = compute(step->operation, value[step->a], b, c);
  }
  for (int32_t k = 0; k < options->output_count; k++) outputs[k] = value[options->outputs[k]];
}

static inline bool same_bits(double a, double b)
{
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

#endif
