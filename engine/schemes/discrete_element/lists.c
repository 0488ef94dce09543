/*
 * What the fast pair loop (discrete_element/plain.c) needs besides the list of pairs, rebuilt with it: which
 * pairs' springs may be other than 0 (`touched`, a byte per entry), and which pairs lie across blocks
 * (`foreign`, ordered by the second particle, with the first of each block in `foreign_start`).
 */
#include "schemes/discrete_element/model.h"

#include "base/numbers/bits.h"
#include "base/threads/parallel.h"

#include <inttypes.h>

static void mark_touched(discrete_element *method, const pair_list *pairs)
{
  memory_view memory = element_memory(method, pairs);
  if (!memory.spring[0]) return; /* no friction: not needed */
  for (int64_t k = 0; k < pairs->count;
       k++) /* -0.0 counts: it is remembered, and must go when the pair separates */
    method->touched[k] = (bits_of(memory.spring[0][k]) | bits_of(memory.spring[1][k]) |
                          (memory.spring[2] ? bits_of(memory.spring[2][k]) : 0)) != 0;
}

/* Counts (foreign NULL) or lists the entries whose first particle is in an earlier block than their second. */
static int64_t list_foreign(const pair_list *pairs, int64_t count, int64_t block_size, int64_t *start,
                            int32_t *foreign)
{
  int64_t found = 0;
  for (int64_t j = 0; j < count; j++) {
    if (j % block_size == 0 && start) start[j / block_size] = found;
    for (int64_t k = pairs->incoming_start[j]; k < pairs->incoming_start[j + 1]; k++) {
      if (pairs->first[pairs->incoming[k]] >= j / block_size * block_size) break;
      if (foreign) foreign[found] = pairs->incoming[k];
      found++;
    }
  }
  if (start) start[parallel_block_count(count, block_size)] = found;
  return found;
}

/* Before storage is sorted there are far more foreign entries than after. */
static void give_back(discrete_element *method)
{
  if (method->foreign_capacity <= 2 * (size_t)method->foreign_count) return;
  array_free(method->env, (void **)&method->foreign, &method->foreign_capacity, sizeof *method->foreign);
}

floc_status element_follow_list(discrete_element *method, int64_t count)
{
  if (method->list_followed) return FLOC_OK;
  const pair_list *pairs = neighbors_pairs(method->near);
  int64_t block_size = element_block_size(count), blocks = parallel_block_count(count, block_size);
  floc_status status = array_reserve(method->env, (void **)&method->touched, &method->touched_capacity,
                                     (size_t)pairs->count, sizeof *method->touched);
  if (status == FLOC_OK)
    status = array_reserve(method->env, (void **)&method->foreign_start, &method->foreign_start_capacity,
                           (size_t)blocks + 1, sizeof *method->foreign_start);
  if (status != FLOC_OK) return status;
  method->foreign_count = list_foreign(pairs, count, block_size, method->foreign_start, NULL);
  give_back(method);
  status = array_reserve(method->env, (void **)&method->foreign, &method->foreign_capacity,
                         (size_t)method->foreign_count, sizeof *method->foreign);
  if (status != FLOC_OK) return status;
  list_foreign(pairs, count, block_size, NULL, method->foreign);
  mark_touched(method, pairs);
  method->list_followed = true;
  return FLOC_OK;
}

/* ---- centres at the same point ---- */

/* An overlap is as deep, in radii of the smaller one, where the smaller lies wholly within the other. */
static const double DEEPEST = 2.0 - 1e-9;

floc_status element_check_centres(const step_context *context, double overlap)
{
  if (!(overlap >= DEEPEST)) return FLOC_OK;
  const particles *table = context->table;
  const pair_list *pairs = neighbors_pairs(context->near);
  double *const *x = &table->column[COLUMN_x];
  for (int64_t k = 0; k < pairs->count; k++) {
    int32_t i = pairs->first[k], j = pairs->second[k];
    if (x[0][i] != x[0][j] || x[1][i] != x[1][j] || x[2][i] != x[2][j]) continue;
    return refuse(context->env, FLOC_OVERLAPPING,
                  "particles %" PRId64 " and %" PRId64 " are at the same point (%g, %g, %g) before step %" PRId64,
                  table->id[i], table->id[j], x[0][i], x[1][i], x[2][i], context->step + 1);
  }
  return FLOC_OK;
}
