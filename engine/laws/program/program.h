/*
 * Law programs: straight-line code on blocks of numbers.
 *
 * A traced Lua function arrives as a list of instructions in which every value is made once
 * (floc_program_options). That form is what checkpoints hold and people read. When a program is made it is checked
 * (every number comes from a file or a script) and compiled (program/compile.c) for the machine in program/run.c:
 * values that are the same for all elements are computed once per block, a comparison that only one selection uses
 * and a product that only one sum uses are joined with it, values get registers of a block's length that are used
 * again when the value is dead, so that they stay in the first-level cache, and what only one side of an `if` uses
 * is computed only where it is taken (program/regions.c).
 *
 * A program never changes; threads share it.
 */
#ifndef FLOC_LAWS_PROGRAM_PROGRAM_H
#define FLOC_LAWS_PROGRAM_PROGRAM_H

#include "base/fields.h"
#include "laws/program/operations_made.h"

/* glibc's vector functions, which fast_math needs (program/fast.c). */
#if defined(__x86_64__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define HAS_VECTOR_FUNCTIONS 1
#endif
#endif

enum {
  PROGRAM_INPUT_LIMIT = LIMIT_program_options_input_count,
  PROGRAM_CONSTANT_LIMIT = LIMIT_program_options_constant_count,
  PROGRAM_CODE_LIMIT = LIMIT_program_options_code_count,
  PROGRAM_OUTPUT_LIMIT = LIMIT_program_options_output_count
};

typedef struct program program;

/* Checks and compiles; everything is copied. Bit k of uniform: input k is the same number for all elements of a
 * call, and only its first element is read. */
floc_status program_create(environment *env, const floc_program_options *options, uint64_t uniform, program **made);
void program_destroy(environment *env, program *one);
/* Runs it for `count` elements, in `space`: program_space_size() bytes, aligned to 64, of one thread at a time. */
void program_run(const program *one, void *space, int32_t count, const double *const *inputs,
                 double *const *outputs);
/* The same with vector units of at most `width` bits: 0, 256 or 512; for tests, the bits do not depend on it. */
void program_run_width(const program *one, void *space, int32_t width, int32_t count, const double *const *inputs,
                       double *const *outputs);
size_t program_space_size(const program *one);
/* May programs with fast_math be made here? If not, why is told. */
bool program_fast_available(const char **reason);
/* The form that it was made from; it lives as long as the program. */
const floc_program_options *program_source(const program *one);
/* Length of the text; writes at most size bytes with the final zero, as snprintf does. */
size_t program_print(const program *one, const char *const *input_names, const char *const *output_names,
                     char *text, size_t size);
/* How many registers of a block's length it needs. */

/* ---- what the files that compile and run programs share ---- */

typedef struct program_operation {
  int32_t operands;
  bool library;        /* a function of mathematics; c may be the condition under which the value is needed */
  const char *printed; /* each _ is an operand */
} program_operation;

/* NULL: no operation has this number. */
const program_operation *program_operation_of(int32_t operation);

/* Expressions as macros so that they stand in one place: those of single operations are in operations_made.h, made
 * from scripts/floc/surface/operations.lua. */
/* Joined: a comparison with a selection, (x ? y) ? z : w, and a product with a sum (in one rounding if `fused`). */
#define PROGRAM_COMPARE(X)                                                                                         \
  X(IF_LESS, x < y)                                                                                                \
  X(IF_LESS_EQUAL, x <= y)                                                                                         \
  X(IF_EQUAL, x == y)                                                                                              \
  X(IF_GREATER, x > y)                                                                                             \
  X(IF_GREATER_EQUAL, x >= y)

#define PROGRAM_JOINED(X)                                                                                          \
  X(MULTIPLY_ADD, fused ? __builtin_fma(x, y, z) : x *y + z)                                                       \
  X(MULTIPLY_SUBTRACT, fused ? __builtin_fma(x, y, -z) : x *y - z)                                                 \
  X(SUBTRACT_MULTIPLY, fused ? __builtin_fma(-x, y, z) : z - x * y)                                                \
  X(ADD_ADD, (x + y) + z)                                                                                          \
  X(SUBTRACT_SUBTRACT, (x - y) - z)                                                                                \
  X(SUM_TIMES, (x + y) * z)                                                                                        \
  X(DIFFERENCE_TIMES, (x - y) * z)

/* Machine codes; the form of the operands is part of the code: V is a block of numbers, S one number for all. x is
 * a block in all that have forms but the binary ones; the letters stand for y, z, w. */
typedef enum machine_code {
  CODE_COPY_V,
  CODE_COPY_S,
  /* a region begins and ends: what stands between is run for groups of elements in which x is true, or (form 1)
   * false, for any element */
  CODE_WHERE,
  CODE_END,
#define X(name, expression) CODE_##name##_VV, CODE_##name##_VS, CODE_##name##_SV,
  PROGRAM_BINARY(X)
#undef X
#define X(name, expression) CODE_##name,
      PROGRAM_UNARY(X) PROGRAM_LIBRARY(X)
#undef X
#define X(name, expression) CODE_##name##_SS, CODE_##name##_SV, CODE_##name##_VS, CODE_##name##_VV,
          PROGRAM_JOINED(X) X(SELECT, )
#undef X
#define X(name, expression)                                                                                        \
  CODE_##name##_SSS, CODE_##name##_SSV, CODE_##name##_SVS, CODE_##name##_SVV, CODE_##name##_VSS,                   \
      CODE_##name##_VSV, CODE_##name##_VVS, CODE_##name##_VVV,
              PROGRAM_COMPARE(X)
#undef X
                  CODE_COUNT
} machine_code;

/* Operands are places: inputs, outputs, constants, uniform results (one number each), registers. -1: none. */
typedef struct machine_instruction {
  int32_t code;
  int32_t form; /* of library functions: bit 0: x is a block, bit 1: y, bit 2: the condition w; of a region: 1 if it
                 * is that of `else` */
  int32_t to, x, y, z, w;
  int32_t length; /* from a region's beginning to its end */
} machine_instruction;

enum { SCRATCH_NUMBERS = 16384, PROGRAM_LANES = 256, REGISTER_LIMIT = 1024 };
/* The greatest program_space_size(), in numbers. */
enum {
  PROGRAM_SPACE_LIMIT = SCRATCH_NUMBERS + 2 * PROGRAM_CODE_LIMIT + PROGRAM_INPUT_LIMIT + PROGRAM_OUTPUT_LIMIT +
                        PROGRAM_CONSTANT_LIMIT + REGISTER_LIMIT
};

struct program {
  floc_program_options source; /* points to the copies below */
  floc_instruction *source_code;
  double *constants;
  int32_t outputs[PROGRAM_OUTPUT_LIMIT];
  size_t source_capacity, constant_capacity, code_capacity;
  machine_instruction *code; /* first those whose results are uniform */
  int32_t prologue_count, code_count;
  int32_t uniform_count, register_count;
  uint64_t uniform_inputs; /* bit per input */
  bool nested;             /* a condition of a region is computed in another region only */
  int32_t lanes;           /* elements at a time: as many as let the registers fit into the scratch space */
};

/* Library functions of programs with fast_math, four numbers at a time; false: this one is not among them. x and y
 * have `count` numbers, or are one for all (step 0). Which numbers stand side by side makes no difference. */
bool program_fast_library(int32_t code, int32_t count, const double *x, int32_t x_step, const double *y,
                          int32_t y_step, double *to);

/* First place of each kind. */
static inline int32_t first_output_place(const program *one)
{
  return one->source.input_count;
}

static inline int32_t first_constant_place(const program *one)
{
  return first_output_place(one) + one->source.output_count;
}

static inline int32_t first_uniform_place(const program *one)
{
  return first_constant_place(one) + one->source.constant_count;
}

static inline int32_t first_register_place(const program *one)
{
  return first_uniform_place(one) + one->uniform_count;
}

#endif
