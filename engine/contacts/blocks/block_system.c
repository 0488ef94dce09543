/*
 * Loops over an island's contacts. See block_system.h.
 */
#include "contacts/blocks/block_rows.h"

#include <string.h>

/* ---- loops ---- */

typedef struct unit_call {
  const unit_plan *plan;
  block_function function;
  void *context;
} unit_call;

static void do_unit(void *context, int64_t unit, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const unit_call *call = context;
  const unit_plan *plan = call->plan;
  for (int32_t piece = plan->unit_piece[unit]; piece < plan->unit_piece[unit + 1]; piece++)
    call->function(call->context, plan->piece_row[piece], plan->piece_row[piece + 1], piece);
}

void block_for_colours(const environment *env, const block_island *island, block_function function, void *context)
{
  if (island->units) {
    unit_call call = {island->units, function, context};
    parallel_for_weighted(env, call.plan->phases, call.plan->phase_unit, call.plan->unit_row, do_unit, &call);
    return;
  }
  if (!island->colours) {
    function(context, 0, island->contact_count, 0);
    return;
  }
  const colour_plan *colours = island->colours;
  int32_t free = free_colours(colours);
  parallel_for_ranges(env, free, colours->start, SYSTEM_BLOCK, function, context);
  if (colours->serial_tail)
    function(context, colours->start[free], island->contact_count, block_part_count(island) - 1);
}

double block_sum_parts(const block_island *island, const double *part, int64_t stride)
{
  const int64_t parts = block_part_count(island);
  double sum = 0.0;
  if (!island->units) {
    for (int64_t k = 0; k < parts; k++) sum += part[stride * k];
    return sum;
  }
  exact_sum exact = EXACT_ZERO;
  for (int64_t k = 0; k < parts; k++) exact_add(&exact, part[stride * k]);
  return exact_value(&exact);
}

typedef struct scatter_call {
  const block_island *island;
  const double *impulse;
  double *velocity;
} scatter_call;

BLOCK_INLINE void scatter_contacts(const scatter_call *call, int64_t begin, int64_t end, block_form form)
{
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST];
    block_load_row(call->island, k, row, form);
    block_load(call->impulse, k, P, form);
    block_apply(call->island, k, row, P, call->velocity, form);
  }
}

static void scatter_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const scatter_call *call = context;
#define SCATTER(form) scatter_contacts(call, begin, end, form)
  BLOCK_DISPATCH(call->island->form, SCATTER)
#undef SCATTER
}

void block_scatter(const environment *env, const block_island *island, const double *impulse, double *velocity)
{
  memset(velocity, 0, (size_t)(island->body_count * block_stride(island->form)) * sizeof *velocity);
  scatter_call call = {island, impulse, velocity};
  block_for_colours(env, island, scatter_range, &call);
}
