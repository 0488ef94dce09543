/*
 * Sweeps in single precision, eight contacts side by side.
 *
 * The same updates as those of block_sweep.c, for bodies of the plane and balls under Coulomb's law in islands with
 * colours; this file goes from one precision to the other, block_single_sweep.c sweeps. A sweep is bound by the
 * latency of some thirty operations one after another and by how many contacts the processor has under way at once,
 * so eight lanes and half the bytes are nearly twice as fast. Rows are rounded to 6e-8 of themselves and velocities
 * drift by some 1e-6 of the greatest one in a hundred sweeps: enough where the target is above LEAST of that, and
 * for a budget of sweeps. Looks, the answer's velocities and its residual are in double precision, so what is
 * reported is true; sweeps that do not come to the target continue in double precision.
 *
 * Impulses and velocities are in powers of two near the island's own 1/A and greatest approach, so no unit that the
 * host may have (grains of micrometres) leaves the range of single precision.
 *
 * Memory: number q of contact k is row[(k/8) size + q][k % 8] with size BLOCK_ROW, and component c of a vector
 * likewise; bodies as in block_system.h.
 */
#include "contacts/blocks/block_single.h"

#include "base/numbers/wide.h"
#include "contacts/blocks/block_rows.h"

#include <math.h>
#include <string.h>

/* Of the velocity unit: the least residual, as a velocity, that single precision is trusted with. */
static const double LEAST = 1e-4;

size_t block_single_work_size(const block_island *island)
{
  const bool serves = (island->form == BLOCK_PLANE || island->form == BLOCK_ROUND) && !island->convex;
  if (!serves || island->contact_count < BLOCK_COLOURED) return 0;
  size_t places = (size_t)(island->contact_count + EIGHT), components = (size_t)block_components(island->form);
  size_t bodies = (size_t)(block_stride(island->form) * island->body_count);
  return (places * (BLOCK_ROW + 2 * components) + 2 * bodies) / 2 + 1;
}

static double power_near(double value)
{
  int exponent;
  (void)frexp(value, &exponent);
  return ldexp(1.0, exponent);
}

/* The greatest approach along n or motion across it without impulses; NaN if not all are finite. */
BLOCK_INLINE double greatest_of_rows(const block_island *island, const block_form form)
{
  double most = 0.0;
  for (int64_t k = 0; k < island->contact_count; k++) {
    double row[BLOCK_ROW], c[3] = {0.0, 0.0, 0.0}, across[3] = {0.0, 0.0, 0.0};
    block_load_row(island, k, row, form);
    for (int a = 0; a < block_components(form); a++) c[a] = block_constant(row, a, form);
    double along = block_split(row, c, across, form);
    most = greatest(most, greatest(-along, block_length(across, form)));
  }
  return most;
}

/* That, and 1/A of the first contact; 0: there is none. */
static double greatest_motion(const block_island *island, double *inverse)
{
  *inverse = 0.0;
  for (int64_t k = 0; k < island->contact_count && *inverse == 0.0; k++)
    if (island->contact[k] >= 0)
      *inverse = island->row[BLOCK_ROW * (k - k % FOUR) + FOUR * (BLOCK_ROW - 4) + k % FOUR];
  return island->form == BLOCK_PLANE ? greatest_of_rows(island, BLOCK_PLANE)
                                     : greatest_of_rows(island, BLOCK_ROUND);
}

typedef struct convert_call {
  const block_single *single;
  double *x, *u;
} convert_call;

/* Factors of the numbers of a row. */
static void factors_of(const block_single *single, double factor[BLOCK_ROW])
{
  const bool plane = single->island->form == BLOCK_PLANE;
  const double inverse_velocity = 1.0 / single->velocity_unit, mass = single->impulse_unit * inverse_velocity;
  for (int q = 0; q < BLOCK_ROW; q++) factor[q] = 1.0;
  for (int q = plane ? 6 : 5; q < (plane ? 10 : 9); q++) factor[q] = mass;
  for (int q = plane ? 10 : 9; q < 12; q++) factor[q] = inverse_velocity;
  factor[12] = factor[13] = 1.0 / mass;
  factor[15] = 1.0 / single->impulse_unit;
}

static void round_rows(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const convert_call *call = context;
  const block_single *single = call->single;
  const int components = block_components(single->island->form);
  const double impulse = 1.0 / single->impulse_unit;
  double factor[BLOCK_ROW];
  factors_of(single, factor);
  for (int64_t k = begin; k < end; k += FOUR) {
    const int64_t eight = k / EIGHT, half = k % EIGHT;
    for (int q = 0; q < BLOCK_ROW; q++)
      for (int lane = 0; lane < FOUR; lane++)
        single->row[EIGHT * (BLOCK_ROW * eight + q) + half + lane] =
            (float)(single->island->row[BLOCK_ROW * k + FOUR * q + lane] * factor[q]);
    for (int c = 0; c < components; c++)
      for (int lane = 0; lane < FOUR; lane++)
        single->x[EIGHT * (components * eight + c) + half + lane] =
            (float)(call->x[components * k + FOUR * c + lane] * impulse);
  }
}

static void read_impulses(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const convert_call *call = context;
  const block_single *single = call->single;
  const int components = block_components(single->island->form);
  for (int64_t k = begin; k < end; k += FOUR)
    for (int c = 0; c < components; c++)
      for (int lane = 0; lane < FOUR; lane++)
        call->x[components * k + FOUR * c + lane] =
            single->impulse_unit * (double)single->x[EIGHT * (components * (k / EIGHT) + c) + k % EIGHT + lane];
}

static void round_velocities(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const convert_call *call = context;
  const double inverse = 1.0 / call->single->velocity_unit;
  for (int64_t k = begin; k < end; k++) call->single->u[k] = (float)(call->u[k] * inverse);
}

static void read_velocities(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const convert_call *call = context;
  for (int64_t k = begin; k < end; k++) call->u[k] = call->single->velocity_unit * (double)call->single->u[k];
}

bool block_single_begin(const environment *env, const block_island *island, const double *x, const double *u,
                        double target, double *work, block_single *single)
{
  double inverse;
  if (block_single_work_size(island) == 0 || !block_has_colours(island)) return false;
  if (island->colours && island->colours->serial_tail) return false;
  const double most = greatest_motion(island, &inverse);
  if (!(most > 0.0 && most < INFINITY && inverse > 0.0 && inverse < INFINITY)) return false;
  if (!(target >= LEAST * island->time_step * most)) return false;
  const size_t places = (size_t)island->contact_count, components = (size_t)block_components(island->form);
  const size_t bodies = (size_t)(block_stride(island->form) * island->body_count);
  float *memory = (float *)work;
  *single = (block_single){.island = island, .velocity_unit = power_near(most)};
#ifdef HAS_WIDE
  single->wide = processor_is_wide();
#endif
  single->impulse_unit = single->velocity_unit * power_near(inverse);
  single->row = memory;
  single->x = single->row + BLOCK_ROW * places;
  single->other = single->x + components * places;
  single->u = single->other + components * places;
  single->before = single->u + bodies;
  convert_call call = {single, (double *)x, (double *)u};
  parallel_for(env, island->contact_count, SYSTEM_BLOCK, round_rows, &call);
  parallel_for(env, (int64_t)bodies, PARALLEL_BLOCK, round_velocities, &call);
  memcpy(single->other, single->x, components * places * sizeof(float));
  memcpy(single->before, single->u, bodies * sizeof(float));
  return true;
}

void block_single_swap(block_single *single)
{
  float *next = single->other;
  single->other = single->x;
  single->x = next;
}

typedef struct extrapolate_call {
  const block_single *single;
  float beta;
} extrapolate_call;

HOT void extrapolate_loop(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const extrapolate_call *call = context;
  const block_single *single = call->single;
  const float beta = call->beta;
  float *restrict u = single->u, *restrict before = single->before;
  for (int64_t k = begin; k < end; k++) {
    float value = u[k];
    u[k] = value + beta * (value - before[k]);
    before[k] = value;
  }
}

CLONED_ACTION(extrapolate, (void *context, int64_t begin, int64_t end, int64_t block), (context, begin, end, block))

void block_single_extrapolate(const environment *env, const block_single *single, double beta)
{
  extrapolate_call call = {single, (float)beta};
  const int64_t count = single->island->body_count * block_stride(single->island->form);
  parallel_for(env, count, PARALLEL_BLOCK, extrapolate, &call);
}

void block_single_read(const environment *env, const block_single *single, double *x, double *u)
{
  convert_call call = {single, x, u};
  const int64_t velocities = single->island->body_count * block_stride(single->island->form);
  parallel_for(env, single->island->contact_count, SYSTEM_BLOCK, read_impulses, &call);
  parallel_for(env, velocities, PARALLEL_BLOCK, read_velocities, &call);
}
