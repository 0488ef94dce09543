/*
 * See correlations.h. Counts are exact; other sums run in the order of ids, or of lists.
 */
#include "measures/statistics/correlations.h"

#include "base/fields.h"
#include "base/interruption.h"
#include "measures/statistics/stress.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double structure_terms = 1e8;

static int32_t bin_of(double value, double width, int32_t bins)
{
  const double number = floor(value / width);
  return number >= 0.0 && number < bins ? (int32_t)number : -1;
}

/* ---- radial distribution ---- */

floc_status radial_check(const measure_source *source, const floc_radial_options *options)
{
  floc_status status = fields_check(source->env, &struct_radial_options, options);
  for (int axis = 0; axis < source->box->dimension && status == FLOC_OK; axis++)
    if (source->box->length[axis] > 0.0 && options->range > 0.5 * source->box->length[axis])
      return refuse(source->env, FLOC_INVALID_ARGUMENT,
                    "range is %.17g; it must be at most half the length of the periodic axis %c, %.17g",
                    options->range, "xyz"[axis], 0.5 * source -> box -> length[axis]);
  return status;
}

/* Is the particle so far inside that no neighbour within range can be missing? */
static int64_t mark_inside(const measure_source *source, double range, bool *inside)
{
  const particles *table = source->table;
  EACH_SLOT(slot, table) inside[slot] = !particles_is_ghost(table, slot);
  for (int axis = 0; axis < source->box->dimension; axis++) {
    double lower, upper;
    if (source->box->length[axis] > 0.0) continue;
    measured_ends(source, axis, 1.0, &lower, &upper);
    EACH_SLOT(slot, table) {
      const double x = table->column[COLUMN_x + axis][slot];
      inside[slot] = inside[slot] && x >= lower + range && x <= upper - range;
    }
  }
  int64_t count = 0;
  EACH_OWNED(slot, table) count += inside[slot];
  return count;
}

static void count_pairs(const measure_source *source, const floc_radial_options *options, const pair_list *pairs,
                        const bool *inside, double *values)
{
  const particles *table = source->table;
  const double width = options->range / options->bins;
  for (int64_t k = 0; k < pairs->count; k++) {
    const int32_t i = pairs->first[k], j = pairs->second[k];
    double separation[3];
    if (!inside[i] && !inside[j]) continue;
    const double distance = sqrt(particles_apart(table, source->box, i, j, separation));
    const int32_t bin = bin_of(distance, width, options->bins);
    if (bin >= 0) values[bin] += inside[i] + inside[j];
  }
}

floc_status radial_find(const measure_source *source, const floc_radial_options *options, const pair_list *pairs,
                        double *values)
{
  const int64_t count = owned_number(source->table);
  const int32_t dimension = source->box->dimension;
  bool *inside = arena_allocate(source->scratch, (size_t)source->table->count, sizeof *inside);
  if (!inside) return FLOC_OUT_OF_MEMORY;
  const int64_t middle = mark_inside(source, options->range, inside);
  if (middle == 0)
    return refuse(source->env, FLOC_INVALID_ARGUMENT,
                  "range is %.17g; no particle is that far away from the ends of the axes that are not periodic",
                  options->range);
  memset(values, 0, (size_t)options->bins * sizeof *values);
  count_pairs(source, options, pairs, inside, values);
  const double width = options->range / options->bins, density = (double)count / measured_volume(source);
  for (int32_t bin = 0; bin < options->bins; bin++) {
    const double inner = bin * width, outer = (bin + 1) * width;
    const double shell = dimension == 2 ? pi * (outer * outer - inner * inner)
                                        : 4.0 / 3.0 * pi * (outer * outer * outer - inner * inner * inner);
    values[bin] /= (double)middle * density * shell;
  }
  return FLOC_OK;
}

/* ---- structure factor ---- */

/* Wave vectors of which k and -k are one: the first number that is not 0 is positive. */
typedef struct wave {
  int64_t most[3]; /* numbers of waves along each axis */
  double step[3];  /* 2 pi / length */
} wave;

static double square_sum(const measure_source *source, const double k[3])
{
  const particles *table = source->table;
  double real = 0.0, imaginary = 0.0;
  EACH_OWNED_RANK(rank, table) {
    const int64_t slot = table->slot[rank];
    double phase = 0.0;
    for (int axis = 0; axis < source->box->dimension; axis++)
      phase += k[axis] * table->column[COLUMN_x + axis][slot];
    real += floc_cos(phase);
    imaginary += floc_sin(phase);
  }
  return real * real + imaginary * imaginary;
}

static bool is_first_half(int64_t x, int64_t y, int64_t z)
{
  return x > 0 || (x == 0 && (y > 0 || (y == 0 && z > 0)));
}

/* Length of the vector, 0 if it is not wanted. */
static double wave_vector(const wave *waves, const int64_t number[3], double greatest, double k[3])
{
  double square = 0.0;
  if (!is_first_half(number[0], number[1], number[2])) return 0.0;
  for (int axis = 0; axis < 3; axis++) {
    k[axis] = waves->step[axis] * (double)number[axis];
    square += k[axis] * k[axis];
  }
  const double length = sqrt(square);
  return length <= greatest ? length : 0.0;
}

static floc_status check_structure(const measure_source *source, const floc_structure_options *options, wave *waves)
{
  environment *env = source->env;
  double terms = 0.5 * (double)owned_number(source->table);
  floc_status status = fields_check(env, &struct_structure_options, options);
  if (status == FLOC_OK && domain_is_skew(source->box))
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "structure_factor: the cell is skew; wave vectors are those of an upright box");
  for (int axis = 0; axis < 3 && status == FLOC_OK; axis++) {
    waves->most[axis] = 0;
    waves->step[axis] = 0.0;
    if (axis >= source->box->dimension) continue;
    if (!(source->box->length[axis] > 0.0))
      return refuse(env, FLOC_NOT_SUPPORTED,
                    "structure_factor: the axis %c is not periodic; wave vectors are those of a "
                    "box that is periodic on all axes",
                    "xyz"[axis]);
    waves->step[axis] = 2.0 * pi / source->box->length[axis];
    const double most = floor(options->greatest / waves->step[axis]);
    terms *= 2.0 * most + 1.0;
    if (terms <= structure_terms) waves->most[axis] = (int64_t)most;
  }
  if (status == FLOC_OK && source->table->count == 0)
    return refuse(env, FLOC_WRONG_STATE, "structure_factor: there are no particles");
  if (status == FLOC_OK && terms > structure_terms)
    return refuse(
        env, FLOC_LIMIT_EXCEEDED,
        "greatest is %.17g, which takes %.3g terms, particles times wave vectors; it must take at most %.3g",
        options->greatest, terms, structure_terms);
  return status;
}

floc_status structure_find(const measure_source *source, const floc_structure_options *options,
                           double *wave_numbers, double *values, double *vectors)
{
  wave waves;
  floc_status status = check_structure(source, options, &waves);
  if (status != FLOC_OK) return status;
  const double width = options->greatest / options->bins;
  for (int32_t bin = 0; bin < options->bins; bin++) wave_numbers[bin] = values[bin] = vectors[bin] = 0.0;
  int64_t number[3];
  double k[3];
  for (number[0] = 0; number[0] <= waves.most[0]; number[0]++)
    for (number[1] = -waves.most[1]; number[1] <= waves.most[1]; number[1]++)
      for (number[2] = -waves.most[2]; number[2] <= waves.most[2]; number[2]++) {
        const double length = wave_vector(&waves, number, options->greatest, k);
        if (length == 0.0) continue;
        if (interrupted(source->env)) return interruption_status(source->env);
        int32_t bin = (int32_t)ceil(length / width) - 1;
        if (bin >= options->bins) bin = options->bins - 1;
        wave_numbers[bin] += length;
        values[bin] += square_sum(source, k) / (double)owned_number(source->table);
        vectors[bin] += 1.0;
      }
  for (int32_t bin = 0; bin < options->bins; bin++)
    if (vectors[bin] > 0.0) {
      wave_numbers[bin] /= vectors[bin];
      values[bin] /= vectors[bin];
    }
  return FLOC_OK;
}

/* ---- profiles ---- */

static floc_status find_column(const measure_source *source, const char *name, const double **values)
{
  const int32_t number = particles_find_column(source->table, name);
  if (number < 0) return refuse(source->env, FLOC_NOT_FOUND, "there is no column \"%.60s\"", name);
  *values = source->table->column[number];
  return FLOC_OK;
}

static floc_status check_profile(const measure_source *source, const floc_profile_options *options, double *lower,
                                 double *upper)
{
  floc_status status = fields_check(source->env, &struct_profile_options, options);
  if (status != FLOC_OK) return status;
  if (options->axis >= source->box->dimension)
    return refuse(source->env, FLOC_INVALID_ARGUMENT, "axis is %d; in two dimensions it must be 0 or 1",
                  options->axis);
  *lower = options->lower;
  *upper = options->upper;
  if (*lower == 0.0 && *upper == 0.0) measured_ends(source, options->axis, 1.0, lower, upper);
  if (source->table->count > 0 && !(*upper > *lower))
    return refuse(source->env, FLOC_INVALID_ARGUMENT, "upper is %.17g; it must be above lower, %.17g", *upper,
                  *lower);
  return FLOC_OK;
}

floc_status profile_find(const measure_source *source, const floc_profile_options *options, const char *column,
                         const char *weight, double *counts, double *means, double *ends)
{
  const particles *table = source->table;
  const double *quantity = NULL, *share = NULL;
  double lower, upper;
  floc_status status = check_profile(source, options, &lower, &upper);
  if (status == FLOC_OK) status = find_column(source, column, &quantity);
  if (status == FLOC_OK && weight) status = find_column(source, weight, &share);
  if (status != FLOC_OK) return status;
  double *total = arena_allocate(source->scratch, (size_t)options->bins, sizeof *total);
  if (!total) return FLOC_OUT_OF_MEMORY;
  for (int32_t bin = 0; bin < options->bins; bin++) counts[bin] = means[bin] = total[bin] = 0.0;
  EACH_OWNED_RANK(rank, table) {
    const int64_t slot = table->slot[rank];
    const double place = table->column[COLUMN_x + options->axis][slot] - lower;
    const int32_t bin = bin_of(place, (upper - lower) / options->bins, options->bins);
    if (bin < 0) continue;
    counts[bin] += 1.0;
    total[bin] += share ? share[slot] : 1.0;
    means[bin] += (share ? share[slot] : 1.0) * quantity[slot];
  }
  for (int32_t bin = 0; bin < options->bins; bin++) means[bin] = total[bin] != 0.0 ? means[bin] / total[bin] : NAN;
  if (ends) {
    ends[0] = lower;
    ends[1] = upper;
  }
  return FLOC_OK;
}

/* ---- distribution of contact forces ---- */

typedef struct force_histogram {
  double sum, width; /* width: of a bin, in units of force */
  int64_t count;
  double *density;
  int32_t bins;
} force_histogram;

static void add_size(void *context, const interaction *found)
{
  force_histogram *all = context;
  if (found->is_law || found->along == 0.0) return;
  all->sum += fabs(found->along);
  all->count++;
}

static void add_to_bin(void *context, const interaction *found)
{
  force_histogram *all = context;
  if (found->is_law || found->along == 0.0) return;
  const int32_t bin = bin_of(fabs(found->along), all->width, all->bins);
  if (bin >= 0) all->density[bin] += 1.0;
}

floc_status force_distribution_find(const measure_source *source, const floc_force_distribution_options *options,
                                    double *density, double *mean, int64_t *count)
{
  force_histogram all = {.density = density, .bins = options->bins};
  interactions_wanted wanted = {.what = "force_distribution", .sink = add_size};
  floc_status status = fields_check(source->env, &struct_force_distribution_options, options);
  if (status == FLOC_OK) status = source->visit_interactions(source->host, &wanted, &all);
  if (status != FLOC_OK) return status;
  *mean = all.count > 0 ? all.sum / (double)all.count : 0.0;
  *count = all.count;
  all.width = *mean * options->greatest / options->bins;
  memset(density, 0, (size_t)options->bins * sizeof *density);
  wanted.sink = add_to_bin;
  if (all.count > 0) status = source->visit_interactions(source->host, &wanted, &all);
  for (int32_t bin = 0; bin < options->bins && all.count > 0; bin++)
    density[bin] *= options->bins / (options->greatest * (double)all.count);
  return status;
}
