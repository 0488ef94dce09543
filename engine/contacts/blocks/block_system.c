/*
 * Loops over an island's contacts, and looks at an iterate. See block_system.h.
 */
#include "contacts/blocks/block_system.h"

#include <math.h>
#include <string.h>

/* ---- loops ---- */

void block_for_colours(const environment *env, const block_island *island, block_function function, void *context)
{
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

/* ---- looking ---- */

typedef struct look_call {
  const block_island *island;
  const double *impulse, *velocity;
  double *part; /* [range][2]: residual without h, energy */
} look_call;

/* A moment's residual, and the work that it does. */
BLOCK_INLINE void look_at_moment(const double *row, double p, const double *Q, const double *spin, double sums[2],
                                 block_form form)
{
  const block_bounds of = block_row_bounds(row, form);
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  double spin_r[3], spin_s = block_split_moment(row, spin, spin_r, form), slack = p - of.lower;
  sums[0] = greatest(sums[0], __builtin_sqrt(block_moment_residual(of, by, row, p, Q, spin, form)));
  sums[1] += block_radius(by.rolling, slack) * __builtin_sqrt(block_square(spin_r, form)) +
             block_radius(by.twisting, slack) * fabs(spin_s);
}

BLOCK_INLINE void look_at_contact(const look_call *call, int64_t k, double sums[2], block_form form)
{
  const block_island *island = call->island;
  double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST], w[BLOCK_VECTOR_MOST], w_t[3], P_t[3];
  block_load_row(island, k, row, form);
  block_load(call->impulse, k, P, form);
  const block_bounds of = block_row_bounds(row, form);
  block_velocity(island, k, row, call->velocity, w, form);
  double w_n = block_split(row, w, w_t, form), p = block_split(row, P, P_t, form), slack = p - of.lower;
  sums[0] = greatest(sums[0], block_residual(of, island->convex, p, P_t, w_n, w_t, form));
  for (int c = 0; c < block_components(form); c++) sums[1] += 0.5 * P[c] * (w[c] + block_constant(row, c, form));
  if (block_has_moments(form)) look_at_moment(row, p, P + block_forces(form), w + block_forces(form), sums, form);
  if (island->convex || !(of.friction > 0.0)) return;
  sums[1] += of.friction * (slack > 0.0 ? slack : 0.0) * __builtin_sqrt(block_square(w_t, form));
}

BLOCK_INLINE void look_at_contacts(const look_call *call, int64_t begin, int64_t end, int64_t block,
                                   block_form form)
{
  double sums[2] = {0.0, 0.0};
  for (int64_t k = begin; k < end; k++) look_at_contact(call, k, sums, form);
  memcpy(call->part + 2 * block, sums, sizeof sums);
}

static void look_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const look_call *call = context;
#define LOOK(form) look_at_contacts(call, begin, end, block, form)
  BLOCK_DISPATCH(call->island->form, LOOK)
#undef LOOK
}

block_measure block_look(const environment *env, const block_island *island, const double *impulse,
                         const double *velocity, double *part)
{
  look_call call = {island, impulse, velocity, part};
  block_measure sum = {0.0, 0.0};
  block_for_colours(env, island, look_range, &call);
  for (int64_t k = 0; k < block_part_count(island); k++) {
    sum.residual = greatest(sum.residual, part[2 * k]);
    sum.energy += part[2 * k + 1];
  }
  sum.residual *= island->time_step;
  return sum;
}
