/*
 * Checks a law program and compiles it. See program.h.
 *
 * The compiler goes over the code five times: which values are the same for all elements; which are used, and how
 * often; which instructions are joined into the one that uses them; when each value is used last; and then forward,
 * a place for each value and the form of each instruction. All tables are as long as the list of values.
 */
#include "laws/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIBRARY_FIRST = FLOC_OPERATION_POWER, OPERATION_LAST = FLOC_OPERATION_HYPERBOLIC_TANGENT };

/* Number of operands besides the condition of library functions. */
static int32_t operand_count(int32_t operation)
{
  switch (operation) {
  case FLOC_OPERATION_NEGATE:
  case FLOC_OPERATION_ABSOLUTE:
  case FLOC_OPERATION_SQUARE_ROOT:
  case FLOC_OPERATION_FLOOR:
  case FLOC_OPERATION_CEILING:
  case FLOC_OPERATION_NOT:
    return 1;
  case FLOC_OPERATION_SELECT:
    return 3;
  default:
    return operation > FLOC_OPERATION_TRUNCATED_REMAINDER ? 1 : 2;
  }
}

static bool is_library(int32_t operation)
{
  return operation >= LIBRARY_FIRST;
}

/* ---- checking ---- */

static floc_status check_counts(environment *env, const floc_program_options *options)
{
  const struct {
    const char *name;
    int32_t value, least, most;
    const void *data;
  } counts[] = {{"input_count", options->input_count, 0, PROGRAM_INPUT_LIMIT, options},
                {"constant_count", options->constant_count, 0, PROGRAM_CONSTANT_LIMIT, options->constants},
                {"code_count", options->code_count, 0, PROGRAM_CODE_LIMIT, options->code},
                {"output_count", options->output_count, 1, PROGRAM_OUTPUT_LIMIT, options->outputs}};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    if (counts[k].value < counts[k].least || counts[k].value > counts[k].most)
      return refuse(env, FLOC_INVALID_ARGUMENT, "program: %s is %d; it must be between %d and %d", counts[k].name,
                    counts[k].value, counts[k].least, counts[k].most);
    if (counts[k].value > 0 && !counts[k].data)
      return refuse(env, FLOC_INVALID_ARGUMENT, "program: %s is %d, but the list is NULL", counts[k].name,
                    counts[k].value);
  }
  return FLOC_OK;
}

static floc_status check_operand(environment *env, int32_t line, const char *name, int32_t value, bool needed,
                                 bool allowed, int32_t values)
{
  if (value == -1 && !needed) return FLOC_OK;
  if (allowed && value >= 0 && value < values) return FLOC_OK;
  if (!allowed)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "program: code[%d].%s is %d; the operation has no such operand, it must be -1", line, name,
                  value);
  return refuse(env, FLOC_INVALID_ARGUMENT, "program: code[%d].%s is %d; it must be a value made before, 0 to %d",
                line, name, value, values - 1);
}

static floc_status check_program(environment *env, const floc_program_options *options)
{
  floc_status status = check_counts(env, options);
  if (status != FLOC_OK) return status;
  int32_t values = options->input_count + options->constant_count;
  for (int32_t k = 0; k < options->code_count && status == FLOC_OK; k++, values++) {
    const floc_instruction *step = &options->code[k];
    if (step->operation < FLOC_OPERATION_ADD || step->operation > OPERATION_LAST)
      return refuse(env, FLOC_INVALID_ARGUMENT, "program: code[%d].operation is %d; it must be between %d and %d",
                    k, step->operation, FLOC_OPERATION_ADD, OPERATION_LAST);
    int32_t count = operand_count(step->operation);
    bool condition = is_library(step->operation);
    status = check_operand(env, k, "a", step->a, true, true, values);
    if (status == FLOC_OK) status = check_operand(env, k, "b", step->b, count > 1, count > 1, values);
    if (status == FLOC_OK) status = check_operand(env, k, "c", step->c, count > 2, count > 2 || condition, values);
  }
  for (int32_t k = 0; k < options->output_count && status == FLOC_OK; k++) {
    if (options->outputs[k] < 0 || options->outputs[k] >= values)
      status = refuse(env, FLOC_INVALID_ARGUMENT,
                      "program: outputs[%d] is %d; it must be the number of a value, 0 to %d", k,
                      options->outputs[k], values - 1);
  }
  return status;
}

/* ---- the compiler ---- */

typedef struct value_note {
  int32_t uses;  /* by live instructions and outputs */
  int32_t last;  /* number of the value that uses it last */
  int32_t place; /* -1: none yet */
  bool uniform, is_output;
  bool joined; /* computed by the instruction that uses it */
} value_note;

typedef struct compiler {
  environment *env;
  program *one;
  const floc_program_options *source;
  int32_t first; /* number of the first instruction's value */
  int32_t count; /* of values */
  value_note *note;
  int32_t free_register[REGISTER_LIMIT];
  int32_t free_count;
} compiler;

static void operands_of(const floc_instruction *step, int32_t operand[3])
{
  operand[0] = step->a;
  operand[1] = step->b;
  operand[2] = step->c;
}

static const floc_instruction *maker_of(const compiler *work, int32_t value)
{
  return value >= work->first ? &work->source->code[value - work->first] : NULL;
}

static void find_uniform(compiler *work, uint32_t uniform)
{
  const floc_program_options *source = work->source;
  for (int32_t k = 0; k < work->count; k++) {
    value_note *note = &work->note[k];
    if (k < source->input_count) {
      note->uniform = uniform >> k & 1;
    } else if (k < work->first) {
      note->uniform = true;
    } else {
      int32_t operand[3];
      operands_of(maker_of(work, k), operand);
      note->uniform = true;
      for (int n = 0; n < 3; n++) note->uniform &= operand[n] < 0 || work->note[operand[n]].uniform;
    }
  }
}

static void count_uses(compiler *work)
{
  for (int32_t k = 0; k < work->source->output_count; k++) {
    work->note[work->source->outputs[k]].uses++;
    work->note[work->source->outputs[k]].is_output = true;
  }
  for (int32_t k = work->count - 1; k >= work->first; k--) {
    if (work->note[k].uses == 0) continue;
    int32_t operand[3];
    operands_of(maker_of(work, k), operand);
    for (int n = 0; n < 3; n++)
      if (operand[n] >= 0) work->note[operand[n]].uses++;
  }
}

/* May the value be computed inside the one instruction that uses it? */
static bool may_join(const compiler *work, int32_t value)
{
  const value_note *note = &work->note[value];
  return value >= work->first && note->uses == 1 && !note->uniform && !note->is_output;
}

static bool is_comparison(int32_t operation)
{
  return operation == FLOC_OPERATION_LESS || operation == FLOC_OPERATION_LESS_EQUAL ||
         operation == FLOC_OPERATION_EQUAL;
}

/* A machine instruction as it will be, with values in place of places. */
typedef struct plan {
  int32_t family; /* first code of the forms, -1: not joined */
  int32_t inner;  /* the value that is joined */
  int32_t x, y, z, w;
} plan;

static void swap_values(int32_t *a, int32_t *b)
{
  int32_t kept = *a;
  *a = *b;
  *b = kept;
}

/* A selection with the comparison that decides it. */
static bool plan_selection(const compiler *work, const floc_instruction *step, plan *made)
{
  if (step->operation != FLOC_OPERATION_SELECT || !may_join(work, step->a)) return false;
  const floc_instruction *test = maker_of(work, step->a);
  if (!is_comparison(test->operation)) return false;
  *made = (plan){0, step->a, test->a, test->b, step->b, step->c};
  bool turned = work->note[made->x].uniform;
  if (turned) swap_values(&made->x, &made->y);
  if (test->operation == FLOC_OPERATION_LESS)
    made->family = turned ? CODE_IF_GREATER_SSS : CODE_IF_LESS_SSS;
  else if (test->operation == FLOC_OPERATION_LESS_EQUAL)
    made->family = turned ? CODE_IF_GREATER_EQUAL_SSS : CODE_IF_LESS_EQUAL_SSS;
  else
    made->family = CODE_IF_EQUAL_SSS;
  return true;
}

/* outer(inner(x, y), z); side: which operand of outer is inner. */
static int32_t joined_family(int32_t outer, int32_t inner, int side)
{
  if (inner == FLOC_OPERATION_MULTIPLY) {
    if (outer == FLOC_OPERATION_ADD) return CODE_MULTIPLY_ADD_SS;
    if (outer == FLOC_OPERATION_SUBTRACT) return side == 0 ? CODE_MULTIPLY_SUBTRACT_SS : CODE_SUBTRACT_MULTIPLY_SS;
  } else if (inner == FLOC_OPERATION_ADD) {
    if (outer == FLOC_OPERATION_ADD) return CODE_ADD_ADD_SS;
    if (outer == FLOC_OPERATION_MULTIPLY) return CODE_SUM_TIMES_SS;
  } else if (inner == FLOC_OPERATION_SUBTRACT) {
    if (outer == FLOC_OPERATION_SUBTRACT && side == 0) return CODE_SUBTRACT_SUBTRACT_SS;
    if (outer == FLOC_OPERATION_MULTIPLY) return CODE_DIFFERENCE_TIMES_SS;
  }
  return -1;
}

static bool plan_arithmetic(const compiler *work, const floc_instruction *step, plan *made)
{
  for (int side = 0; side < 2; side++) {
    int32_t value = side == 0 ? step->a : step->b;
    if (operand_count(step->operation) != 2 || is_library(step->operation) || !may_join(work, value)) continue;
    const floc_instruction *inner = maker_of(work, value);
    int32_t family = joined_family(step->operation, inner->operation, side);
    if (family < 0) continue;
    *made = (plan){family, value, inner->a, inner->b, side == 0 ? step->b : step->a, -1};
    if (work->note[made->x].uniform) {
      if (inner->operation == FLOC_OPERATION_SUBTRACT) continue;
      swap_values(&made->x, &made->y);
    }
    return true;
  }
  return false;
}

static plan plan_of(const compiler *work, int32_t value)
{
  const floc_instruction *step = maker_of(work, value);
  plan made;
  if (!work->note[value].uniform && (plan_selection(work, step, &made) || plan_arithmetic(work, step, &made)))
    return made;
  return (plan){-1, -1, step->a, step->b, step->c, -1};
}

/* From the end: what was joined into a later instruction does not take others in. */
static void find_joins(compiler *work)
{
  for (int32_t k = work->count - 1; k >= work->first; k--) {
    if (work->note[k].uses == 0 || work->note[k].joined) continue;
    plan made = plan_of(work, k);
    if (made.family >= 0) work->note[made.inner].joined = true;
  }
}

static bool is_emitted(const compiler *work, int32_t value)
{
  return work->note[value].uses > 0 && !work->note[value].joined;
}

static void note_last_uses(compiler *work)
{
  for (int32_t k = work->first; k < work->count; k++) {
    if (!is_emitted(work, k)) continue;
    plan made = plan_of(work, k);
    int32_t operand[4] = {made.x, made.y, made.z, made.w};
    for (int n = 0; n < 4; n++)
      if (operand[n] >= 0) work->note[operand[n]].last = k;
  }
}

/* ---- places ---- */

static int32_t take_register(compiler *work)
{
  program *one = work->one;
  if (work->free_count > 0) return work->free_register[--work->free_count];
  if (one->register_count == REGISTER_LIMIT) return -1;
  return one->register_count++;
}

static void release_operands(compiler *work, int32_t value, const plan *made)
{
  int32_t operand[4] = {made->x, made->y, made->z, made->w};
  for (int n = 0; n < 4; n++) {
    if (operand[n] < work->first) continue;
    value_note *note = &work->note[operand[n]];
    if (note->last != value || note->uniform || note->is_output) continue;
    note->last = -1; /* once, even if it is named twice */
    work->free_register[work->free_count++] = note->place;
  }
}

/* The first output that shows the value. */
static int32_t output_of(const compiler *work, int32_t value)
{
  int32_t k = 0;
  while (work->source->outputs[k] != value) k++;
  return k;
}

/* Registers and uniform results are counted from 0 here; first_..._place is added at the end, when it is known
 * how many there are. So the kind is kept beside. */
static int32_t place_of(const compiler *work, int32_t value)
{
  const program *one = work->one;
  if (value < 0) return -1;
  const value_note *note = &work->note[value];
  if (value < work->source->input_count) return value;
  if (value < work->first) return first_constant_place(one) + value - work->source->input_count;
  if (note->uniform) return first_uniform_place(one) + note->place;
  if (note->is_output) return first_output_place(one) + note->place;
  return first_register_place(one) + note->place;
}

static floc_status assign_places(compiler *work)
{
  program *one = work->one;
  for (int32_t k = work->first; k < work->count; k++)
    if (is_emitted(work, k) && work->note[k].uniform) work->note[k].place = one->uniform_count++;
  for (int32_t k = work->first; k < work->count; k++) {
    value_note *note = &work->note[k];
    if (!is_emitted(work, k) || note->uniform) continue;
    plan made = plan_of(work, k);
    release_operands(work, k, &made);
    note->place = note->is_output ? output_of(work, k) : take_register(work);
    if (note->place < 0)
      return refuse(work->env, FLOC_LIMIT_EXCEEDED, "program: more than %d values are needed at the same time",
                    REGISTER_LIMIT);
  }
  /* one for conditions that are the same for all */
  one->register_count++;
  one->lanes = SCRATCH_NUMBERS / one->register_count / 8 * 8;
  if (one->lanes > PROGRAM_LANES) one->lanes = PROGRAM_LANES;
  if (one->lanes < 8)
    return refuse(work->env, FLOC_LIMIT_EXCEEDED, "program: %d values are needed at the same time, too many",
                  one->register_count);
  return FLOC_OK;
}

/* ---- code ---- */

static bool is_block(const compiler *work, int32_t value)
{
  return value >= 0 && !work->note[value].uniform;
}

static void emit(compiler *work, machine_instruction step)
{
  work->one->code[work->one->code_count++] = step;
}

static int32_t binary_family(int32_t operation)
{
  switch (operation) {
#define X(name, expression)                                                                                        \
  case FLOC_OPERATION_##name:                                                                                      \
    return CODE_##name##_VV;
    PROGRAM_BINARY(X)
#undef X
  default:
    return -1;
  }
}

static int32_t single_code(int32_t operation)
{
  switch (operation) {
#define X(name, expression)                                                                                        \
  case FLOC_OPERATION_##name:                                                                                      \
    return CODE_##name;
    PROGRAM_UNARY(X)
    PROGRAM_LIBRARY(X)
#undef X
  default:
    return -1;
  }
}

/* x, y to the binary forms VV, VS, SV; a uniform result is computed as a block of one. */
static int32_t binary_form(const compiler *work, int32_t value, const plan *made)
{
  if (work->note[value].uniform) return 0;
  return is_block(work, made->x) ? (is_block(work, made->y) ? 0 : 1) : 2;
}

static void emit_selection(compiler *work, int32_t value, const plan *made, machine_instruction step)
{
  if (work->note[value].uniform) {
    step.code = CODE_SELECT_VV;
  } else {
    if (!is_block(work, made->x)) {
      int32_t spread = first_register_place(work->one) + work->one->register_count - 1;
      emit(work, (machine_instruction){CODE_COPY_S, 0, spread, step.x, -1, -1, -1});
      step.x = spread;
    }
    step.code = CODE_SELECT_SS + 2 * is_block(work, made->y) + is_block(work, made->z);
  }
  emit(work, step);
}

static void emit_value(compiler *work, int32_t value)
{
  const floc_instruction *source = maker_of(work, value);
  plan made = plan_of(work, value);
  machine_instruction step = {.to = place_of(work, value),
                              .x = place_of(work, made.x),
                              .y = place_of(work, made.y),
                              .z = place_of(work, made.z),
                              .w = place_of(work, made.w)};
  if (made.family >= 0) {
    int32_t form = 2 * is_block(work, made.y) + is_block(work, made.z);
    if (source->operation == FLOC_OPERATION_SELECT) form = 2 * form + is_block(work, made.w);
    step.code = made.family + form;
    emit(work, step);
  } else if (source->operation == FLOC_OPERATION_SELECT) {
    emit_selection(work, value, &made, step);
  } else if (binary_family(source->operation) >= 0) {
    step.code = binary_family(source->operation) + binary_form(work, value, &made);
    emit(work, step);
  } else {
    step.code = single_code(source->operation);
    step.w = step.z; /* the condition of library functions */
    step.z = -1;
    step.form = is_block(work, made.x) | is_block(work, made.y) << 1 | is_block(work, made.z) << 2;
    emit(work, step);
  }
}

/* Outputs that are inputs, constants, uniform, or shown twice. */
static void emit_copies(compiler *work)
{
  for (int32_t k = 0; k < work->source->output_count; k++) {
    int32_t value = work->source->outputs[k];
    bool block = is_block(work, value);
    if (value >= work->first && block && work->note[value].place == k) continue;
    emit(work, (machine_instruction){block ? CODE_COPY_V : CODE_COPY_S, 0, first_output_place(work->one) + k,
                                     place_of(work, value), -1, -1, -1});
  }
}

static void emit_all(compiler *work)
{
  for (int32_t k = work->first; k < work->count; k++)
    if (is_emitted(work, k) && work->note[k].uniform) emit_value(work, k);
  work->one->prologue_count = work->one->code_count;
  for (int32_t k = work->first; k < work->count; k++)
    if (is_emitted(work, k) && !work->note[k].uniform) emit_value(work, k);
  emit_copies(work);
}

static floc_status compile(environment *env, program *one)
{
  const floc_program_options *source = &one->source;
  int32_t first = source->input_count + source->constant_count;
  compiler work = {.env = env, .one = one, .source = source, .first = first, .count = first + source->code_count};
  size_t capacity = 0;
  floc_status status =
      array_reserve(env, (void **)&work.note, &capacity, (size_t)work.count + 1, sizeof(value_note));
  /* an instruction gives at most two, an output one */
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&one->code, &one->code_capacity,
                           2 * (size_t)source->code_count + (size_t)source->output_count, sizeof *one->code);
  if (status == FLOC_OK) {
    for (int32_t k = 0; k < work.count; k++) work.note[k].last = work.note[k].place = -1;
    find_uniform(&work, one->uniform_inputs);
    count_uses(&work);
    find_joins(&work);
    note_last_uses(&work);
    status = assign_places(&work);
  }
  if (status == FLOC_OK) emit_all(&work);
  array_free(env, (void **)&work.note, &capacity, sizeof(value_note));
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

floc_status program_create(environment *env, const floc_program_options *options, uint32_t uniform, program **made)
{
  *made = NULL;
  floc_status status = check_program(env, options);
  if (status != FLOC_OK) return status;
  program *one = memory_resize(env, NULL, 0, sizeof *one);
  if (!one) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *one);
  memset(one, 0, sizeof *one);
  one->uniform_inputs = uniform;
  status = copy_source(env, options, one);
  if (status == FLOC_OK) status = compile(env, one);
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

int32_t program_register_count(const program *one)
{
  return one->register_count;
}

floc_status floc_program_options_init(floc_program_options *options)
{
  if (!options) return FLOC_INVALID_ARGUMENT;
  memset(options, 0, sizeof *options);
  options->struct_size = sizeof *options;
  return FLOC_OK;
}

floc_status floc_program_evaluate(const floc_program_options *options, int32_t count, const double *const *inputs,
                                  double *const *outputs, char *message, size_t message_size)
{
  environment env = {.allocate = default_allocate, .threads = 1};
  program *one = NULL;
  floc_status status = FLOC_OK;
  if (!options || options->struct_size != sizeof *options || count < 0 || !outputs ||
      (!inputs && options->input_count > 0))
    status =
        refuse(&env, FLOC_INVALID_ARGUMENT, "options, inputs or outputs is NULL, or options was not initialised");
  else
    status = program_create(&env, options, 0, &one);
  if (status == FLOC_OK) status = program_run(one, count, inputs, outputs);
  program_destroy(&env, one);
  if (message && message_size > 0) snprintf(message, message_size, "%s", env.message);
  return status;
}
