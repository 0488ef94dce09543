/*
 * See bond_order.h. A direction has a vector of unit length: cos and sin of k times the angle in the plane; in
 * space the 2 l + 1 real spherical harmonics of order l times (4 pi/(2 l + 1))^(1/2), the sum of whose squares is 1
 * (the addition theorem). The sum of |Y_lm|^2 over m is the same for real and complex harmonics, and neither it nor
 * the length in the plane changes under rotations. Powers of (x + i y) replace cosines of multiples of angles,
 * which are exact at the poles.
 *
 * vector[rank * components + c]: the mean over neighbours of the particle of the rank. Rows come in the order of
 * ids, and every sum runs in that order.
 */
#include "measures/statistics/bond_order.h"

#include "base/interruption.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

enum { ORDER_LIMIT = 12, COMPONENT_LIMIT = 2 * ORDER_LIMIT + 1 };

typedef struct ordering {
  const measure_source *source;
  const pair_rows *rows;
  int32_t order, components;
  double *vector;     /* [count * components] */
  int64_t *neighbors; /* [count] */
} ordering;

/* ---- vectors of directions ---- */

static void plane_vector(int32_t order, const double unit[3], double *component)
{
  double real = 1.0, imaginary = 0.0;
  for (int32_t k = 0; k < order; k++) {
    const double next = real * unit[0] - imaginary * unit[1];
    imaginary = real * unit[1] + imaginary * unit[0];
    real = next;
  }
  component[0] = real;
  component[1] = imaginary;
}

/* The associated Legendre function P_l^m over sin^m, by the recurrence that raises l from m. */
static double legendre(int32_t l, int32_t m, double z)
{
  double before = 0.0, now = 1.0;
  for (int32_t k = 1; k <= m; k++) now *= 2 * k - 1;
  for (int32_t k = m + 1; k <= l; k++) {
    const double next = ((2 * k - 1) * z * now - (k + m - 1) * before) / (k - m);
    before = now;
    now = next;
  }
  return now;
}

static void space_vector(int32_t order, const double unit[3], double *component)
{
  double real = 1.0, imaginary = 0.0, factorials = 1.0; /* (l - m)!/(l + m)! */
  component[0] = legendre(order, 0, unit[2]);
  for (int32_t m = 1; m <= order; m++) {
    const double next = real * unit[0] - imaginary * unit[1];
    imaginary = real * unit[1] + imaginary * unit[0];
    real = next;
    factorials /= (double)(order + m) * (order - m + 1);
    const double size = sqrt(2.0 * factorials) * legendre(order, m, unit[2]);
    component[2 * m - 1] = size * real;
    component[2 * m] = size * imaginary;
  }
}

static floc_status direction_vector(const ordering *run, const pair_row *row, double *component)
{
  double unit[3];
  if (!(row->distance > 0.0))
    return refuse(run->source->env, FLOC_INVALID_ARGUMENT,
                  "bond_order: the centres of the particles %.0f and %.0f are at one place; there is no direction "
                  "between them",
                  row->id_i, row->id_j);
  for (int axis = 0; axis < 3; axis++) unit[axis] = row->separation[axis] / row->distance;
  if (run->source->box->dimension == 2)
    plane_vector(run->order, unit, component);
  else
    space_vector(run->order, unit, component);
  return FLOC_OK;
}

/* ---- vectors of particles ---- */

static void find_ranks(const ordering *run, const pair_row *row, int64_t rank[2])
{
  const particles *table = run->source->table;
  rank[0] = particles_rank(table, particles_find(table, (int64_t)row->id_i));
  rank[1] = particles_rank(table, particles_find(table, (int64_t)row->id_j));
}

static floc_status find_means(ordering *run)
{
  const double parity = run->order % 2 == 0 ? 1.0 : -1.0; /* of the opposite direction */
  const int32_t components = run->components;
  double component[COMPONENT_LIMIT];
  for (int64_t k = 0; k < run->rows->count; k++) {
    int64_t rank[2];
    if (k % ASK_INTERVAL == 0 && interrupted(run->source->env)) return interruption_status(run->source->env);
    floc_status status = direction_vector(run, &run->rows->row[k], component);
    if (status != FLOC_OK) return status;
    find_ranks(run, &run->rows->row[k], rank);
    for (int32_t c = 0; c < components; c++) {
      run->vector[rank[0] * components + c] += component[c];
      run->vector[rank[1] * components + c] += parity * component[c];
    }
    run->neighbors[rank[0]]++;
    run->neighbors[rank[1]]++;
  }
  EACH_RANK(rank, run->source->table)
    for (int32_t c = 0; c < components && run->neighbors[rank] > 0; c++)
      run->vector[rank * components + c] /= (double)run->neighbors[rank];
  return FLOC_OK;
}

/* The mean over a particle and its neighbours takes the place of its vector. */
static floc_status average(ordering *run)
{
  const int32_t components = run->components;
  const int64_t count = run->source->table->count, numbers = count * components;
  double *sum = arena_allocate(run->source->scratch, (size_t)numbers, sizeof *sum);
  if (!sum) return FLOC_OUT_OF_MEMORY;
  if (numbers > 0) memcpy(sum, run->vector, (size_t)numbers * sizeof *sum);
  for (int64_t k = 0; k < run->rows->count; k++) {
    int64_t rank[2];
    find_ranks(run, &run->rows->row[k], rank);
    for (int32_t c = 0; c < components; c++) {
      sum[rank[0] * components + c] += run->vector[rank[1] * components + c];
      sum[rank[1] * components + c] += run->vector[rank[0] * components + c];
    }
  }
  EACH_RANK(rank, run->source->table)
    for (int32_t c = 0; c < components; c++)
      run->vector[rank * components + c] = sum[rank * components + c] / (double)(run->neighbors[rank] + 1);
  return FLOC_OK;
}

static double length_of(const double *component, int32_t components)
{
  double square = 0.0;
  for (int32_t c = 0; c < components; c++) square += component[c] * component[c];
  return sqrt(square);
}

static void summarize(const ordering *run, double *values, floc_bond_order *result)
{
  const int64_t count = owned_number(run->source->table);
  double total[COMPONENT_LIMIT] = {0.0};
  result->mean = result->neighbors = 0.0;
  result->alone = 0;
  EACH_OWNED_RANK(rank, run->source->table) {
    const double *component = run->vector + rank * run->components;
    const double length = length_of(component, run->components);
    for (int32_t c = 0; c < run->components; c++) total[c] += component[c] / (double)count;
    result->mean += length / (double)count;
    result->alone += run->neighbors[rank] == 0;
    if (values) values[rank] = length;
  }
  result->global = length_of(total, run->components);
  if (count > 0) result->neighbors = 2.0 * (double)run->rows->count / (double)count;
}

floc_status bond_order_find(const measure_source *source, const floc_bond_order_options *options,
                            const pair_rows *rows, double *values, floc_bond_order *result)
{
  const int64_t count = source->table->count;
  ordering run = {.source = source, .rows = rows, .order = options->order};
  run.components = source->box->dimension == 2 ? 2 : 2 * options->order + 1;
  const size_t numbers = (size_t)count * (size_t)run.components;
  run.vector = arena_allocate(source->scratch, numbers, sizeof *run.vector);
  run.neighbors = arena_allocate(source->scratch, (size_t)count, sizeof *run.neighbors);
  if (!run.vector || !run.neighbors) return FLOC_OUT_OF_MEMORY;
  if (numbers > 0) memset(run.vector, 0, numbers * sizeof *run.vector);
  if (count > 0) memset(run.neighbors, 0, (size_t)count * sizeof *run.neighbors);
  floc_status status = find_means(&run);
  if (status == FLOC_OK && options->averaged) status = average(&run);
  if (status == FLOC_OK) summarize(&run, values, result);
  return status;
}
