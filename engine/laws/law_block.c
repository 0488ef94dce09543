/*
 * One block of a kernel: uniform inputs, the call, what is not finite, the blocks that threads take, and the report
 * of the first failure. See laws_internal.h.
 */
#include "base/interruption.h"
#include "laws/laws_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool law_fill_uniform(const law *which, int32_t input, double time, double time_step, int32_t count,
                      law_block *block)
{
  const law_input *source = &which->input[input];
  double value;
  switch (source->kind) {
  case INPUT_TIME:
    value = time;
    break;
  case INPUT_TIME_STEP:
    value = time_step;
    break;
  case INPUT_PARAMETER:
    value = which->parameter[source->number].value;
    break;
  default:
    return false;
  }
  double *values = block->input[input];
  int32_t wanted = which->code ? 1 : count;
  for (int32_t k = 0; k < wanted; k++) values[k] = value;
  block->from[input] = values;
  return true;
}

floc_status law_call(const law *which, int32_t count, law_block *block)
{
  double *outputs[LAW_OUTPUT_LIMIT];
  for (int32_t k = 0; k < which->output_count; k++) outputs[k] = block->output[k];
  block->changed = 0;
  if (which->code) {
    program_run(which->code, block->space, count, block->from, outputs);
    return FLOC_OK;
  }
  floc_status status = which->function(which->context, count, block->from, outputs);
  block->changed = float_take_back();
  return status == FLOC_OK && block->changed ? FLOC_CALLBACK_FAILED : status;
}

int32_t law_bad_output(const law *which, const law_block *block, int32_t row)
{
  int32_t k = 0;
  while (k < which->output_count && isfinite(block->output[k][row])) k++;
  return k;
}

void law_show_row(const law *which, const law_block *block, int32_t row, char *text, size_t size)
{
  int32_t bad = law_bad_output(which, block, row);
  size_t used = (size_t)snprintf(text, size, "%g", block->output[bad < which->output_count ? bad : 0][row]);
  for (int32_t k = 0; k < which->input_count && used < size; k++) {
    bool single = which->code && which->input[k].kind >= INPUT_TIME;
    used += (size_t)snprintf(text + used, size - used, "%s%s = %.10g", k ? ", " : " for ", which->input_name[k],
                             block->from[k][single ? 0 : row]);
  }
}

environment law_environment(const laws *all, const law *which)
{
  environment threads = *all->env;
  if (!which->parallel) threads.threads = 1;
  return threads;
}

floc_status law_desks_make(law_desks *made, const environment *env, const law *first, int32_t law_count,
                           int64_t chunks, arena *scratch)
{
  size_t space = 0;
  for (int32_t k = 0; k < law_count; k++) {
    size_t wanted = first[k].code ? program_space_size(first[k].code) : 0;
    if (wanted > space) space = wanted;
  }
  made->count = chunks < env->threads ? (int32_t)chunks : env->threads;
  size_t count = (size_t)made->count;
  made->block = arena_allocate(scratch, count, sizeof *made->block);
  made->taken = arena_allocate(scratch, count, sizeof *made->taken);
  if (!made->block || !made->taken) return FLOC_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++) {
    made->block[k].space = arena_allocate(scratch, space, 1);
    if (!made->block[k].space) return FLOC_OUT_OF_MEMORY;
    atomic_flag_clear(&made->taken[k]);
  }
  return FLOC_OK;
}

int32_t law_desk_take(const law_desks *desks)
{
  for (int32_t k = 0;; k = (k + 1) % desks->count)
    if (!atomic_flag_test_and_set_explicit(&desks->taken[k], memory_order_acquire)) return k;
}

void law_desk_leave(const law_desks *desks, int32_t number)
{
  atomic_flag_clear_explicit(&desks->taken[number], memory_order_release);
}

chunk_mark *chunk_marks_make(int64_t chunks, arena *scratch)
{
  return arena_allocate(scratch, (size_t)chunks, sizeof(chunk_mark));
}

const chunk_mark *chunk_marks_first(const chunk_mark *marks, int64_t chunks)
{
  for (int64_t k = 0; k < chunks; k++)
    if (marks[k].status != FLOC_OK) return &marks[k];
  return NULL;
}

static callback_kind kind_of(const laws *all, const law *which)
{
  if (which == &all->drift_function) return CALLBACK_FLOW;
  if (which == &all->a_priori) return CALLBACK_A_PRIORI;
  switch (which->kind) {
  case FLOC_LAW_PAIR:
    return CALLBACK_PAIR_LAW;
  case FLOC_LAW_WALL:
    return CALLBACK_WALL_LAW;
  case FLOC_LAW_EVOLUTION:
    return CALLBACK_EVOLUTION;
  case FLOC_LAW_ANGLE:
    return CALLBACK_ANGLE_LAW;
  default:
    return CALLBACK_FIELD;
  }
}

callback_mark law_begin(const laws *all, const law *which)
{
  return callback_begin(all->env, kind_of(all, which), which->name);
}

floc_status law_refuse(const laws *all, const law *which, const chunk_mark *failure)
{
  char name[96];
  if (failure->status == FLOC_INTERRUPTED && interrupted(all->env)) return interruption_status(all->env);
  floc_status returned = failure->changed ? FLOC_OK : failure->status;
  return callback_verdict(all->env, returned, failure->changed, "%s",
                          callback_name(kind_of(all, which), which->name, name, sizeof name));
}
