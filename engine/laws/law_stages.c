/*
 * Sums and exchanges: attributes that laws add to. A law with the output sum_NAME adds to the attribute NAME, which
 * is set to 0 at the beginning of each evaluation; a law that reads NAME is evaluated after all that write it, so
 * it reads the finished sum. That gives every law a stage: 0, or one more than the greatest stage of the laws that
 * write what it reads (the longest path to it in the graph of laws and the sums that they read). A cycle has no
 * such numbers and is refused when the law that closes it is added.
 *
 * rate_NAME adds to the rate of change of NAME, which the step applies at its end with those of evolutions
 * (laws_evolve). A step may evaluate the laws several times; its last evaluation counts. Evolutions that read a sum
 * are evaluated with the forces for that reason, the others at the start of the step.
 *
 * Memory: sums are in the table's columns; rates one after the other in `exchange`, a row of particles by slot per
 * attribute. Columns are bits of a word (COLUMN_LIMIT is 64).
 */
#include "base/threads/parallel.h"
#include "laws/laws_internal.h"
#include "particles/owned.h"

#include <stdio.h>
#include <string.h>

_Static_assert(COLUMN_LIMIT <= 64, "a bit per column");

enum { NODE_LIMIT = LAW_KINDS * LAW_LIMIT };

/* ---- the order of laws ---- */

typedef struct law_graph {
  law *node[NODE_LIMIT];
  int32_t count;
  uint64_t sums;
} law_graph;

static void collect(laws *all, law_graph *graph)
{
  graph->count = 0;
  graph->sums = 0;
  for (int32_t kind = FLOC_LAW_PAIR; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++) {
      graph->node[graph->count++] = &all->of[kind].item[k];
      graph->sums |= all->of[kind].item[k].sums_written;
    }
}

/* The law of the greatest stage that writes something this one reads, or NULL. */
static law *latest_writer(const law_graph *graph, const law *reader)
{
  law *latest = NULL;
  for (int32_t k = 0; k < graph->count; k++)
    if ((graph->node[k]->sums_written & reader->columns_read) && (!latest || graph->node[k]->stage > latest->stage))
      latest = graph->node[k];
  return latest;
}

static const char *column_of(const particles *table, uint64_t columns)
{
  return table->name[__builtin_ctzll(columns)];
}

/* Going from reader to latest writer one comes back to where one was. */
static floc_status refuse_cycle(const laws *all, const particles *table, const law_graph *graph, const law *from)
{
  char text[400];
  size_t used = 0;
  for (int32_t k = 0; k < graph->count; k++) from = latest_writer(graph, from);
  const law *one = from;
  do {
    const law *writer = latest_writer(graph, one);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s\"%s\" reads %s, which \"%s\" writes",
                             used ? "; " : "", one->name,
                             column_of(table, writer->sums_written & one->columns_read), writer->name);
    one = writer;
  } while (one != from && used < sizeof text);
  return refuse(all->env, FLOC_INVALID_ARGUMENT, "the sums of laws depend on each other in a cycle: %s", text);
}

/* A sum begins with 0 in each evaluation: what changes it from step to step would be lost. */
static floc_status check_kept(const laws *all, const particles *table, const law_graph *graph)
{
  for (int32_t k = 0; k < graph->count; k++) {
    const law *one = graph->node[k];
    uint64_t changed = 0;
    for (int32_t n = 0; n < one->amount_count; n++)
      if (one->amount[n].exchange) changed |= UINT64_C(1) << one->amount[n].column;
    for (int32_t n = 0; n < one->output_count; n++)
      if (one->output[n].kind == OUTPUT_RATE) changed |= UINT64_C(1) << one->output[n].number;
    if (changed & graph->sums)
      return refuse(all->env, FLOC_INVALID_ARGUMENT,
                    "%s: it changes %s in time, which is a sum of laws, set to 0 in each step", one->name,
                    column_of(table, changed & graph->sums));
  }
  return FLOC_OK;
}

/* The same of attributes of shapes. */
static floc_status check_worn(const laws *all)
{
  const law_list *list = &all->of[FLOC_LAW_WALL];
  uint32_t sums = 0, rates = 0;
  const char *name = "";
  for (int32_t k = 0; k < list->count; k++)
    for (int32_t n = 0; n < list->item[k].shape_amount_count; n++) {
      const law_shape_amount *to = &list->item[k].shape_amount[n];
      if (to->sum)
        sums |= 1u << to->attribute;
      else
        rates |= 1u << to->attribute;
      if (sums & rates && !*name) name = list->item[k].name;
    }
  if (!(sums & rates)) return FLOC_OK;
  return refuse(all->env, FLOC_INVALID_ARGUMENT,
                "%s: the attribute %s of shapes has a rate and is a sum of laws, which is set to 0 in each step",
                name, all->obstacles->attributes.name[__builtin_ctz(sums & rates)]);
}

static floc_status find_stages(laws *all, const particles *table, law_graph *graph)
{
  for (int32_t k = 0; k < graph->count; k++) graph->node[k]->stage = 0;
  all->last_stage = 0;
  for (bool changed = graph->sums != 0; changed;) {
    changed = false;
    for (int32_t k = 0; k < graph->count; k++) {
      law *one = graph->node[k], *writer = latest_writer(graph, one);
      if (!writer || one->stage > writer->stage) continue;
      one->stage = writer->stage + 1;
      changed = true;
      if (one->stage > all->last_stage) all->last_stage = one->stage;
      if (one->stage >= graph->count) return refuse_cycle(all, table, graph, one);
    }
  }
  return FLOC_OK;
}

static void note_rate(laws *all, int32_t column)
{
  for (int32_t k = 0; k < all->exchange_count; k++)
    if (all->exchange_column[k] == column) return;
  all->exchange_column[all->exchange_count++] = column;
}

floc_status laws_plan(laws *all, const particles *table)
{
  law_graph graph;
  collect(all, &graph);
  floc_status status = check_kept(all, table, &graph);
  if (status == FLOC_OK) status = check_worn(all);
  if (status == FLOC_OK) status = find_stages(all, table, &graph);
  all->sums = graph.sums;
  all->exchange_count = 0;
  all->has_staged = false;
  for (int32_t k = 0; k < graph.count; k++) {
    law *one = graph.node[k];
    one->staged = one->kind == FLOC_LAW_EVOLUTION && (one->columns_read & graph.sums);
    all->has_staged |= one->staged;
    for (int32_t n = 0; n < one->amount_count; n++)
      if (one->amount[n].exchange) note_rate(all, one->amount[n].column);
    for (int32_t n = 0; n < one->output_count && one->staged; n++) note_rate(all, one->output[n].number);
  }
  return status;
}

/* ---- before a step ---- */

static floc_status check_read(const laws *all, const particles *table, const law *one)
{
  uint64_t missing = one->sums_read & ~all->sums;
  if (!missing) return FLOC_OK;
  return refuse(all->env, FLOC_WRONG_STATE, "%s reads sum_%s, which no law writes", one->name,
                column_of(table, missing));
}

floc_status laws_check(laws *all, const particles *table)
{
  for (int32_t kind = FLOC_LAW_PAIR; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++) {
      floc_status status = check_read(all, table, &all->of[kind].item[k]);
      if (status != FLOC_OK) return status;
    }
  floc_status status = all->has_drift_function ? check_read(all, table, &all->drift_function) : FLOC_OK;
  return status == FLOC_OK && all->has_a_priori ? check_read(all, table, &all->a_priori) : status;
}

const char *laws_torque_name(const laws *all)
{
  for (int32_t kind = FLOC_LAW_PAIR; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++)
      if (all->of[kind].item[k].has_torque) return all->of[kind].item[k].name;
  return NULL;
}

const char *laws_axes_name(const laws *all)
{
  for (int32_t kind = FLOC_LAW_PAIR; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++)
      if (all->of[kind].item[k].reads_axes) return all->of[kind].item[k].name;
  return all->has_a_priori && all->a_priori.reads_axes ? all->a_priori.name : NULL;
}

/* ---- an evaluation ---- */

double *laws_amount_target(const laws *all, const particles *table, const law_amount *amount)
{
  if (!amount->exchange) return table->column[amount->column];
  int32_t k = 0;
  while (all->exchange_column[k] != amount->column) k++;
  return all->observes ? NULL : all->exchange + (size_t)k * (size_t)table->count;
}

/* An observation must leave the sums of the last step: `kept` are copies. */
floc_status laws_begin_amounts(laws *all, const particles *table, arena *scratch, double **kept)
{
  size_t count = (size_t)table->count, exchanged = (size_t)all->exchange_count * count;
  floc_status status = laws_keep_sums(all, table, all->observes ? scratch : NULL, kept);
  if (status != FLOC_OK) return status;
  for (int32_t column = 0; column < table->column_count; column++)
    if (all->sums >> column & 1) slots_clear(all->env, table, table->column[column]);
  if (all->observes) return FLOC_OK;
  all->exchange_particles = 0;
  status =
      array_reserve(all->env, (void **)&all->exchange, &all->exchange_capacity, exchanged, sizeof *all->exchange);
  if (status != FLOC_OK) return status;
  all->exchange_particles = all->exchange_count > 0 ? table->count : 0;
  parallel_clear(all->env, (int64_t)exchanged, all->exchange);
  return FLOC_OK;
}

floc_status laws_keep_sums(const laws *all, const particles *table, arena *scratch, double **kept)
{
  size_t count = (size_t)table->count, columns = (size_t)__builtin_popcountll(all->sums);
  *kept = NULL;
  if (columns == 0 || count == 0 || !scratch) return FLOC_OK;
  double *to = *kept = arena_allocate(scratch, columns * count, sizeof *to);
  if (!to) return FLOC_OUT_OF_MEMORY;
  for (int32_t column = 0; column < table->column_count; column++)
    if (all->sums >> column & 1) {
      memcpy(to, table->column[column], count * sizeof *to);
      to += count;
    }
  return FLOC_OK;
}

void laws_put_back_sums(const laws *all, particles *table, const double *kept)
{
  size_t count = (size_t)table->count;
  for (int32_t column = 0; column < table->column_count && kept; column++)
    if (all->sums >> column & 1) {
      memcpy(table->column[column], kept, count * sizeof *kept);
      kept += count;
    }
}

bool laws_exchange(const laws *all)
{
  return all->exchange_count > 0;
}

int32_t laws_exchanged(const laws *all, int32_t column[COLUMN_LIMIT])
{
  for (int32_t k = 0; k < all->exchange_count; k++) column[k] = all->exchange_column[k];
  return all->exchange_count;
}

void laws_forget_exchange(laws *all)
{
  all->exchange_particles = 0;
  all->wear_shapes = 0;
}

void laws_apply_exchange(laws *all, particles *table, double time_step)
{
  if (all->exchange_particles != table->count) return;
  for (int32_t k = 0; k < all->exchange_count; k++) {
    double *value = table->column[all->exchange_column[k]];
    const double *rate = all->exchange + (size_t)k * (size_t)table->count;
    EACH_OWNED(i, table) value[i] += time_step * rate[i];
  }
}
