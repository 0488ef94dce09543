/*
 * Checks law programs, and their life. See program.h; program/compile.c makes the code.
 */
#include "base/arena.h"
#include "base/numbers/float_environment.h"
#include "base/structs.h"
#include "laws/program/compile.h"

#include <stdio.h>
#include <string.h>

static const program_operation operations[] = {
#define X(name, operands, library, printed) [FLOC_OPERATION_##name] = {operands, library, printed},
    PROGRAM_OPERATIONS(X)
#undef X
};

enum { OPERATION_LAST = sizeof operations / sizeof *operations - 1 };

const program_operation *program_operation_of(int32_t operation)
{
  bool known = operation >= 0 && operation <= OPERATION_LAST && operations[operation].printed;
  return known ? &operations[operation] : NULL;
}

/* ---- checking ---- */

static floc_status check_counts(environment *env, const floc_program_options *options)
{
  floc_status status = fields_check_of(env, "program", &struct_program_options, options);
  if (status != FLOC_OK) return status;
  const struct {
    const char *name;
    int32_t value;
    const void *data;
  } counts[] = {{"constant_count", options->constant_count, options->constants},
                {"code_count", options->code_count, options->code},
                {"output_count", options->output_count, options->outputs}};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    if (counts[k].value > 0 && !counts[k].data)
      return refuse(env, FLOC_INVALID_ARGUMENT, "program: %s is %d, but the list is NULL", counts[k].name,
                    counts[k].value);
  return FLOC_OK;
}

static floc_status check_operand(environment *env, int32_t line, const char *name, int32_t value, bool needed,
                                 bool allowed, int32_t values)
{
  if (value == -1 && !needed) return FLOC_OK;
  if (allowed && value >= 0 && value < values) return FLOC_OK;
  if (!allowed)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "program: code[%d].%s is %d; the operation has no such operand; it must be -1", line, name,
                  value);
  return refuse(env, FLOC_INVALID_ARGUMENT, "program: code[%d].%s is %d; it must be an earlier value, 0 to %d",
                line, name, value, values - 1);
}

static floc_status check_program(environment *env, const floc_program_options *options)
{
  floc_status status = check_counts(env, options);
  if (status != FLOC_OK) return status;
  int32_t values = options->input_count + options->constant_count;
  for (int32_t k = 0; k < options->code_count && status == FLOC_OK; k++, values++) {
    const floc_instruction *step = &options->code[k];
    const program_operation *kind = program_operation_of(step->operation);
    if (!kind)
      return refuse(env, FLOC_INVALID_ARGUMENT, "program: code[%d].operation is %d; it must be between 1 and %d", k,
                    step->operation, OPERATION_LAST);
    int32_t count = kind->operands;
    status = check_operand(env, k, "a", step->a, true, true, values);
    if (status == FLOC_OK) status = check_operand(env, k, "b", step->b, count > 1, count > 1, values);
    if (status == FLOC_OK)
      status = check_operand(env, k, "c", step->c, count > 2, count > 2 || kind->library, values);
  }
  for (int32_t k = 0; k < options->output_count && status == FLOC_OK; k++) {
    if (options->outputs[k] < 0 || options->outputs[k] >= values)
      status = refuse(env, FLOC_INVALID_ARGUMENT,
                      "program: outputs[%d] is %d; it must be the number of a value, 0 to %d", k,
                      options->outputs[k], values - 1);
  }
  return status;
}

/* ---- life ---- */

static floc_status copy_source(environment *env, const floc_program_options *options, program *one)
{
  size_t code = (size_t)options->code_count, constants = (size_t)options->constant_count;
  floc_status status =
      array_reserve(env, (void **)&one->source_code, &one->source_capacity, code, sizeof *one->source_code);
  if (status == FLOC_OK)
    status =
        array_reserve(env, (void **)&one->constants, &one->constant_capacity, constants, sizeof *one->constants);
  if (status != FLOC_OK) return status;
  if (code > 0) memcpy(one->source_code, options->code, code * sizeof *one->source_code);
  if (constants > 0) memcpy(one->constants, options->constants, constants * sizeof *one->constants);
  memcpy(one->outputs, options->outputs, (size_t)options->output_count * sizeof *one->outputs);
  one->source = *options;
  one->source.code = one->source_code;
  one->source.constants = one->constants;
  one->source.outputs = one->outputs;
  return FLOC_OK;
}

bool program_fast_available(const char **reason)
{
#ifdef HAS_VECTOR_FUNCTIONS
  *reason = "this processor has no AVX2 and FMA";
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  *reason = "floc was built without glibc 2.35 or newer on x86-64";
  return false;
#endif
}

floc_status program_create(environment *env, const floc_program_options *options, uint64_t uniform, program **made)
{
  *made = NULL;
  const char *reason;
  floc_status status = check_program(env, options);
  if (status != FLOC_OK) return status;
  if (options->fast_math && !program_fast_available(&reason))
    return refuse(env, FLOC_NOT_SUPPORTED, "program: fast_math is not available here: %s", reason);
  program *one = memory_resize(env, NULL, 0, sizeof *one);
  if (!one) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *one);
  memset(one, 0, sizeof *one);
  one->uniform_inputs = uniform;
  status = copy_source(env, options, one);
  if (status == FLOC_OK) status = program_compile(env, one);
  if (status != FLOC_OK) {
    program_destroy(env, one);
    return status;
  }
  *made = one;
  return FLOC_OK;
}

void program_destroy(environment *env, program *one)
{
  if (!one) return;
  array_free(env, (void **)&one->source_code, &one->source_capacity, sizeof *one->source_code);
  array_free(env, (void **)&one->constants, &one->constant_capacity, sizeof *one->constants);
  array_free(env, (void **)&one->code, &one->code_capacity, sizeof *one->code);
  memory_free(env, one, sizeof *one);
}

const floc_program_options *program_source(const program *one)
{
  return &one->source;
}

static floc_status run_once(environment *env, const program *one, int32_t count, const double *const *inputs,
                            double *const *outputs)
{
  arena scratch;
  arena_init(&scratch, env);
  void *space = arena_allocate(&scratch, program_space_size(one), 1);
  if (space) program_run(one, space, count, inputs, outputs);
  arena_free(&scratch);
  return space ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

floc_status floc_program_evaluate(const floc_program_options *options, int32_t count, const double *const *inputs,
                                  double *const *outputs, char *message, size_t message_size)
{
  FLOAT_DEFAULT;
  environment env = {.allocate = default_allocate, .threads = 1};
  program *one = NULL;
  floc_program_options own;
  floc_status status = struct_read(&env, "options", options, FIRST_program_options, &own, sizeof own);
  if (status == FLOC_OK && (count < 0 || !outputs || (!inputs && own.input_count > 0)))
    status = refuse(&env, FLOC_INVALID_ARGUMENT, "inputs or outputs is NULL, or count is below 0");
  if (status == FLOC_OK) status = program_create(&env, &own, 0, &one);
  if (status == FLOC_OK) status = run_once(&env, one, count, inputs, outputs);
  program_destroy(&env, one);
  if (message && message_size > 0) snprintf(message, message_size, "%s", env.message);
  return status;
}
