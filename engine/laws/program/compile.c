/*
 * Compiles law programs. See program.h.
 *
 * The compiler goes over the code several times: which values are the same for all elements; which are used, and
 * how often; which are needed only on one side of an `if` (program/regions.c); which instructions are joined into
 * the one that uses them; in which order they stand; when each value is used last; and then forward, a place for
 * each value and the form of each instruction. All tables are as long as the list of values.
 */
#include "laws/program/compile.h"

enum { READS = 5 };

/* ---- what is known of values ---- */

static void operands_of(const floc_instruction *step, int32_t operand[3])
{
  operand[0] = step->a;
  operand[1] = step->b;
  operand[2] = step->c;
}

static void find_uniform(compiler *work, uint64_t uniform)
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
      operands_of(program_maker(work, k), operand);
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
    operands_of(program_maker(work, k), operand);
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
  const floc_instruction *test = program_maker(work, step->a);
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
    const program_operation *kind = program_operation_of(step->operation);
    if (kind->operands != 2 || kind->library || !may_join(work, value)) continue;
    const floc_instruction *inner = program_maker(work, value);
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

plan program_plan(const compiler *work, int32_t value)
{
  const floc_instruction *step = program_maker(work, value);
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
    plan made = program_plan(work, k);
    if (made.family >= 0) work->note[made.inner].joined = true;
  }
}

/* What an instruction reads: its operands, and the condition of its region. */
static void find_reads(const compiler *work, int32_t value, const plan *made, int32_t read[READS])
{
  const int32_t all[READS] = {made->x, made->y, made->z, made->w, work->note[value].need.condition};
  for (int n = 0; n < READS; n++) read[n] = all[n];
}

static void note_last_uses(compiler *work)
{
  int32_t read[READS];
  for (int32_t n = 0; n < work->order_count; n++) {
    plan made = program_plan(work, work->order[n]);
    find_reads(work, work->order[n], &made, read);
    for (int r = 0; r < READS; r++)
      if (read[r] >= 0) work->note[read[r]].last = n;
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

/* Of what is not needed after number `at` of the order. */
static void release_registers(compiler *work, int32_t at, const plan *made)
{
  int32_t read[READS];
  find_reads(work, work->order[at], made, read);
  for (int n = 0; n < READS; n++) {
    if (read[n] < work->first) continue;
    value_note *note = &work->note[read[n]];
    if (note->last != at || note->uniform || note->is_output) continue;
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
    if (program_is_emitted(work, k) && work->note[k].uniform) work->note[k].place = one->uniform_count++;
  for (int32_t n = 0; n < work->order_count; n++) {
    value_note *note = &work->note[work->order[n]];
    plan made = program_plan(work, work->order[n]);
    release_registers(work, n, &made);
    note->place = note->is_output ? output_of(work, work->order[n]) : take_register(work);
    if (note->place < 0)
      return refuse(work->env, FLOC_LIMIT_EXCEEDED, "program: more than %d values are in use at the same time",
                    REGISTER_LIMIT);
  }
  /* one for conditions that are the same for all */
  one->register_count++;
  one->lanes = SCRATCH_NUMBERS / one->register_count / 8 * 8;
  if (one->lanes > PROGRAM_LANES) one->lanes = PROGRAM_LANES;
  if (one->lanes < 8)
    return refuse(work->env, FLOC_LIMIT_EXCEEDED,
                  "program: %d values are in use at the same time, which is too many", one->register_count);
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
      emit(work, (machine_instruction){CODE_COPY_S, 0, spread, step.x, -1, -1, -1, 0});
      step.x = spread;
    }
    step.code = CODE_SELECT_SS + 2 * is_block(work, made->y) + is_block(work, made->z);
  }
  emit(work, step);
}

static void emit_value(compiler *work, int32_t value)
{
  const floc_instruction *source = program_maker(work, value);
  plan made = program_plan(work, value);
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
                                     place_of(work, value), -1, -1, -1, 0});
  }
}

/* The instructions of one region that stand together; value by value in the order from number `at`. Returns the
 * number after them. */
static int32_t emit_region(compiler *work, int32_t at)
{
  program *one = work->one;
  const value_need region = work->note[work->order[at]].need;
  const int32_t start = one->code_count, condition = place_of(work, region.condition);
  machine_instruction guard = {CODE_WHERE, region.otherwise, condition, condition, -1, -1, -1, 0};
  if (region.condition >= 0) emit(work, guard);
  for (; at < work->order_count && program_same_need(work->note[work->order[at]].need, region); at++)
    emit_value(work, work->order[at]);
  if (region.condition < 0) return at;
  one->nested |= region.condition >= work->first && work->note[region.condition].need.condition >= 0;
  guard.length = one->code[start].length = one->code_count - start;
  guard.code = CODE_END;
  emit(work, guard);
  return at;
}

static void emit_all(compiler *work)
{
  for (int32_t k = work->first; k < work->count; k++)
    if (program_is_emitted(work, k) && work->note[k].uniform) emit_value(work, k);
  work->one->prologue_count = work->one->code_count;
  for (int32_t at = 0; at < work->order_count;) at = emit_region(work, at);
  emit_copies(work);
}

static floc_status make_tables(compiler *work, size_t *note_capacity, size_t *order_capacity)
{
  size_t values = (size_t)work->count + 1;
  floc_status status = array_reserve(work->env, (void **)&work->note, note_capacity, values, sizeof *work->note);
  if (status == FLOC_OK)
    status = array_reserve(work->env, (void **)&work->order, order_capacity, values, sizeof *work->order);
  /* an instruction gives at most two and the two ends of a region, an output one */
  size_t steps = 4 * (size_t)work->source->code_count + (size_t)work->source->output_count;
  if (status == FLOC_OK)
    status = array_reserve(work->env, (void **)&work->one->code, &work->one->code_capacity, steps,
                           sizeof *work->one->code);
  for (int32_t k = 0; k < work->count && status == FLOC_OK; k++)
    work->note[k] = (value_note){.last = -1, .place = -1, .need = {NEEDED_EVERYWHERE, false}};
  return status;
}

floc_status program_compile(environment *env, program *one)
{
  const floc_program_options *source = &one->source;
  int32_t first = source->input_count + source->constant_count;
  compiler work = {.env = env, .one = one, .source = source, .first = first, .count = first + source->code_count};
  size_t note_capacity = 0, order_capacity = 0;
  floc_status status = make_tables(&work, &note_capacity, &order_capacity);
  if (status == FLOC_OK) {
    find_uniform(&work, one->uniform_inputs);
    count_uses(&work);
    program_find_regions(&work);
    find_joins(&work);
    program_find_order(&work);
    note_last_uses(&work);
    status = assign_places(&work);
  }
  if (status == FLOC_OK) emit_all(&work);
  array_free(env, (void **)&work.order, &order_capacity, sizeof *work.order);
  array_free(env, (void **)&work.note, &note_capacity, sizeof *work.note);
  return status;
}
