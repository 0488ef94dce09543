/*
 * Loops over the owned particles of a table. See owned.h. Without ghosts they are the loops over all slots.
 */
#include "particles/owned.h"

#include <math.h>

/* A loop whose blocks are cut where ghosts are. One of the functions. */
typedef struct owned_loop {
  const particles *table;
  void *context;
  block_function function;
  block_value value;
  block_terms terms;
} owned_loop;

static void do_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const owned_loop *loop = context;
  for (slot_run run = {begin, begin, true}; owned_next(loop->table, &run, end);)
    loop->function(loop->context, run.begin, run.end, block);
}

static double greatest_in_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const owned_loop *loop = context;
  double greatest = -INFINITY;
  for (slot_run run = {begin, begin, true}; owned_next(loop->table, &run, end);) {
    const double value = loop->value(loop->context, run.begin, run.end, block);
    if (isnan(value)) return value;
    greatest = value > greatest ? value : greatest;
  }
  return greatest;
}

static void terms_of_block(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  const owned_loop *loop = context;
  for (slot_run run = {begin, begin, true}; owned_next(loop->table, &run, end);)
    loop->terms(loop->context, run.begin, run.end, sum);
}

void owned_for(const environment *env, const particles *table, int64_t block_size, block_function function,
               void *context)
{
  owned_loop loop = {.table = table, .context = context, .function = function};
  if (table->ghost)
    parallel_for(env, table->count, block_size, do_block, &loop);
  else
    parallel_for(env, table->count, block_size, function, context);
}

double owned_max(const environment *env, const particles *table, int64_t block_size, double least,
                 block_value function, void *context)
{
  owned_loop loop = {.table = table, .context = context, .value = function};
  if (!table->ghost) return parallel_max(env, table->count, block_size, least, function, context);
  return parallel_max(env, table->count, block_size, least, greatest_in_block, &loop);
}

double owned_sum(const environment *env, const particles *table, int64_t block_size, block_terms function,
                 void *context)
{
  owned_loop loop = {.table = table, .context = context, .terms = function};
  if (!table->ghost) return parallel_sum(env, table->count, block_size, function, context);
  return parallel_sum(env, table->count, block_size, terms_of_block, &loop);
}

static void add_column(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  const double *values = context;
  exact_add_all(sum, values + begin, end - begin);
}

double owned_total(const environment *env, const particles *table, const double *values)
{
  if (!table->ghost) return parallel_total(env, table->count, values);
  return owned_sum(env, table, PARALLEL_BLOCK, add_column, (void *)values);
}
