/*
 * Kernels over all particles: fields, the flow, and rates of change of attributes. Columns that a kernel asks for
 * are handed over in place, without a copy.
 */
#include "laws/laws_internal.h"

#include "base/interruption.h"
#include "laws/law_axes.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <string.h>

typedef struct field_pass {
  const laws *all;
  const law *which;
  const particles *table;
  double time, time_step;
  double *const *target; /* per output; NULL: it is dropped. The energy has none */
  double *energy;        /* per chunk, or NULL: the law gives none */
  chunk_mark *marks;
  law_desks desks;
} field_pass;

static void gather_inputs(const field_pass *pass, int64_t begin, int32_t count, law_block *block)
{
  const law *which = pass->which;
  for (int32_t k = 0; k < which->input_count; k++) {
    const law_input *source = &which->input[k];
    if (law_fill_uniform(which, k, pass->time, pass->time_step, count, block)) continue;
    if (source->kind == INPUT_COLUMN_I) {
      block->from[k] = pass->table->column[source->number] + begin;
      continue;
    }
    if (source->kind == INPUT_AXIS_I) {
      int32_t slot[LAW_BLOCK];
      for (int32_t row = 0; row < count; row++) slot[row] = (int32_t)begin + row;
      law_axes(pass->table, pass->all->dimension, source->number, slot, count, block->input[k]);
      block->from[k] = block->input[k];
      continue;
    }
    const bool random = source->kind != INPUT_ID_I;
    for (int32_t row = 0; row < count; row++) {
      const int64_t id = pass->table->id[begin + row];
      block->input[k][row] = random ? law_random(pass->all, which, source, id, 0) : (double)id;
    }
    block->from[k] = block->input[k];
  }
}

static floc_status field_block(const field_pass *pass, int64_t begin, int32_t count, law_block *block,
                               double *energy, chunk_mark *mark)
{
  if (interrupted(pass->all->env)) return FLOC_INTERRUPTED;
  gather_inputs(pass, begin, count, block);
  floc_status status = law_call(pass->which, count, block);
  mark->changed = block->changed;
  if (status != FLOC_OK) return status;
  int32_t row = law_first_bad(pass->which, block, count);
  if (row >= 0) {
    mark->bad = begin + row;
    return FLOC_NOT_A_NUMBER;
  }
  for (int32_t output = 0; output < pass->which->output_count; output++) {
    if (pass->which->output[output].kind == OUTPUT_ENERGY) {
      for (int32_t k = 0; k < count; k++)
        if (!particles_is_ghost(pass->table, begin + k)) *energy += block->output[output][k];
      continue;
    }
    double *target = pass->target[output];
    for (int32_t k = 0; k < count && target; k++) target[begin + k] += block->output[output][k];
  }
  return FLOC_OK;
}

static void field_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  field_pass *pass = context;
  double energy = 0.0;
  chunk_mark *mark = &pass->marks[chunk];
  int32_t desk = law_desk_take(&pass->desks);
  *mark = (chunk_mark){.status = FLOC_OK, .bad = -1};
  for (int64_t first = begin; first < end && mark->status == FLOC_OK; first += LAW_BLOCK) {
    int32_t count = (int32_t)(end - first < LAW_BLOCK ? end - first : LAW_BLOCK);
    mark->status = field_block(pass, first, count, &pass->desks.block[desk], &energy, mark);
  }
  law_desk_leave(&pass->desks, desk);
  if (pass->energy) pass->energy[chunk] = energy;
}

static floc_status refuse_result(laws *all, const field_pass *pass, const chunk_mark *failure)
{
  int64_t bad = failure->bad;
  if (bad < 0) return law_refuse(all, pass->which, failure);
  law_block *block = pass->desks.block;
  char row[300];
  gather_inputs(pass, bad, 1, block);
  law_call(pass->which, 1, block);
  law_show_row(pass->which, block, 0, row, sizeof row);
  return refuse(all->env, FLOC_NOT_A_NUMBER,
                "%s \"%s\" returned a value that is not finite for particle %" PRId64 ": %s",
                pass->which->kind == FLOC_LAW_EVOLUTION ? "evolution" : "field", pass->which->name,
                pass->table->id[bad], row);
}

floc_status laws_apply_field(laws *all, law *which, const particles *table, double time, double time_step,
                             double *const target[], arena *scratch)
{
  field_pass pass = {
      .all = all, .which = which, .table = table, .time = time, .time_step = time_step, .target = target};
  int64_t chunks = parallel_block_count(table->count, PARALLEL_BLOCK);
  if (which->has_energy) pass.energy = arena_allocate(scratch, (size_t)chunks, sizeof(double));
  pass.marks = chunk_marks_make(chunks, scratch);
  if (!pass.marks || (which->has_energy && !pass.energy)) return FLOC_OUT_OF_MEMORY;
  environment threads = law_environment(all, which);
  floc_status status = law_desks_make(&pass.desks, &threads, which, 1, chunks, scratch);
  if (status != FLOC_OK) return status;
  all->env->message[0] = '\0';
  callback_mark before = law_begin(all, which);
  slots_for(&threads, table, PARALLEL_BLOCK, field_chunk, &pass);
  const chunk_mark *failure = chunk_marks_first(pass.marks, chunks);
  status = failure ? refuse_result(all, &pass, failure) : FLOC_OK;
  callback_end(all->env, before);
  if (status != FLOC_OK) return status;
  which->energy = 0.0;
  for (int64_t k = 0; pass.energy && k < chunks; k++) which->energy += pass.energy[k];
  return FLOC_OK;
}

/* ---- attributes that change ---- */

struct laws_rates {
  int32_t count;
  int32_t column[COLUMN_LIMIT];
  double *rate[COLUMN_LIMIT];
};

/* The rates of an attribute, begun with 0. */
static double *rate_of(laws_rates *rates, const particles *table, int32_t column, arena *scratch)
{
  for (int32_t k = 0; k < rates->count; k++)
    if (rates->column[k] == column) return rates->rate[k];
  double *made = arena_allocate(scratch, (size_t)table->count, sizeof *made);
  if (!made) return NULL;
  if (table->count > 0) memset(made, 0, (size_t)table->count * sizeof *made);
  rates->column[rates->count] = column;
  return rates->rate[rates->count++] = made;
}

floc_status laws_find_rates(laws *all, particles *table, double time, double time_step, arena *scratch,
                            const laws_rates **result)
{
  law_list *list = &all->of[FLOC_LAW_EVOLUTION];
  *result = NULL;
  if (list->count == 0) return FLOC_OK;
  laws_rates *rates = arena_allocate(scratch, 1, sizeof *rates);
  if (!rates) return FLOC_OUT_OF_MEMORY;
  rates->count = 0;
  for (int32_t k = 0; k < list->count; k++) {
    law *which = &list->item[k];
    if (which->staged) continue; /* with the forces */
    double *target[LAW_OUTPUT_LIMIT];
    for (int32_t n = 0; n < which->output_count; n++) {
      target[n] = rate_of(rates, table, which->output[n].number, scratch);
      if (!target[n]) return FLOC_OUT_OF_MEMORY;
    }
    floc_status status = laws_apply_field(all, which, table, time, time_step, target, scratch);
    if (status != FLOC_OK) return status;
  }
  *result = rates;
  return FLOC_OK;
}

void laws_evolve(const laws_rates *rates, particles *table, double time_step)
{
  if (!rates) return;
  for (int32_t k = 0; k < rates->count; k++) {
    double *value = table->column[rates->column[k]];
    const double *rate = rates->rate[k];
    EACH_SLOT(i, table) value[i] += time_step * rate[i]; /* of a ghost what its owner finds */
  }
}
