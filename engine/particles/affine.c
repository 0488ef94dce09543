/*
 * Least squares over a sample of the particles. See affine.h.
 *
 * What the field is used for holds for any field, so a sample of some hundred particles, evenly spread over
 * storage (which is sorted by place), is as good as all. Three passes: means, second moments about the means,
 * lengths before and after.
 */
#include "particles/affine.h"

#include "particles/owned.h"

#include <math.h>
#include <string.h>

enum { SAMPLE_COUNT = 512, MOMENT_COUNT = 16 };

static const double worthwhile = 0.5;

typedef struct affine_pass {
  const particles *table;
  affine_source source;
  void *context;
  int32_t dimension;
  int64_t stride; /* every stride-th slot is in the sample */
  const affine_field *field;
  void (*add)(const struct affine_pass *pass, int64_t slot, double moment[MOMENT_COUNT]);
} affine_pass;

static void position_of(const affine_pass *pass, int64_t slot, double position[3])
{
  for (int a = 0; a < 3; a++) position[a] = pass->table->column[COLUMN_x + a][slot];
}

static void add_means(const affine_pass *pass, int64_t slot, double moment[MOMENT_COUNT])
{
  double position[3], vector[3] = {0.0, 0.0, 0.0};
  position_of(pass, slot, position);
  pass->source(pass->context, slot, vector);
  for (int a = 0; a < pass->dimension; a++) {
    moment[a] += position[a];
    moment[3 + a] += vector[a];
  }
}

/* Moments 0..5: xx xy xz yy yz zz of positions; 6..14: vector times position. */
static void add_products(const affine_pass *pass, int64_t slot, double moment[MOMENT_COUNT])
{
  double position[3], vector[3] = {0.0, 0.0, 0.0};
  position_of(pass, slot, position);
  pass->source(pass->context, slot, vector);
  for (int a = 0, k = 0; a < 3; a++)
    for (int b = a; b < 3; b++, k++)
      moment[k] += (position[a] - pass->field->center[a]) * (position[b] - pass->field->center[b]);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      moment[6 + 3 * a + b] += (vector[a] - pass->field->value[a]) * (position[b] - pass->field->center[b]);
}

static void add_lengths(const affine_pass *pass, int64_t slot, double moment[MOMENT_COUNT])
{
  double position[3], vector[3] = {0.0, 0.0, 0.0};
  position_of(pass, slot, position);
  pass->source(pass->context, slot, vector);
  moment[0] += sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
  affine_subtract(pass->field, pass->dimension, position, vector);
  moment[1] += sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

static void sum_moments(const affine_pass *pass, double total[MOMENT_COUNT])
{
  memset(total, 0, MOMENT_COUNT * sizeof *total);
  EACH_SAMPLED_SLOT(pass->stride, slot, pass->table) pass->add(pass, slot, total);
}

/* Solves S row = right for a symmetric positive S by Cholesky; false if S is singular (particles on a line
 * or a point). */
static bool solve_symmetric(int n, const double matrix[3][3], const double right[3], double row[3])
{
  double factor[3][3] = {{0}}, middle[3];
  double scale = 0.0;
  for (int a = 0; a < n; a++) scale = fmax(scale, matrix[a][a]);
  for (int a = 0; a < n; a++) {
    for (int b = 0; b <= a; b++) {
      double rest = matrix[a][b];
      for (int k = 0; k < b; k++) rest -= factor[a][k] * factor[b][k];
      if (a != b)
        factor[a][b] = rest / factor[b][b];
      else if (!(rest > 1e-12 * scale))
        return false;
      else
        factor[a][a] = sqrt(rest);
    }
  }
  for (int a = 0; a < n; a++) {
    middle[a] = right[a];
    for (int k = 0; k < a; k++) middle[a] -= factor[a][k] * middle[k];
    middle[a] /= factor[a][a];
  }
  for (int a = n - 1; a >= 0; a--) {
    row[a] = middle[a];
    for (int k = a + 1; k < n; k++) row[a] -= factor[k][a] * row[k];
    row[a] /= factor[a][a];
  }
  return true;
}

static void fit_gradient(int32_t dimension, const double moment[MOMENT_COUNT], affine_field *field)
{
  const double matrix[3][3] = {
      {moment[0], moment[1], moment[2]}, {moment[1], moment[3], moment[4]}, {moment[2], moment[4], moment[5]}};
  double gradient[3][3] = {{0}}, square = 0.0;
  for (int a = 0; a < dimension; a++) {
    const double right[3] = {moment[6 + 3 * a], moment[7 + 3 * a], moment[8 + 3 * a]};
    if (!solve_symmetric(dimension, matrix, right, gradient[a])) return;
    for (int b = 0; b < dimension; b++) square += gradient[a][b] * gradient[a][b];
  }
  memcpy(field->gradient, gradient, sizeof gradient);
  field->norm = sqrt(square);
}

bool affine_fit(const particles *table, const domain *box, affine_source source, void *context, affine_field *field)
{
  *field = (affine_field){.norm = 0.0};
  if (table->count < 2) return false;
  int64_t stride = (table->count + SAMPLE_COUNT - 1) / SAMPLE_COUNT;
  int64_t sampled = (table->count + stride - 1) / stride;
  double samples = (double)sampled, moment[MOMENT_COUNT];
  affine_pass pass = {table, source, context, box->dimension, stride, field, add_means};
  sum_moments(&pass, moment);
  for (int a = 0; a < box->dimension; a++) {
    field->center[a] = moment[a] / samples;
    field->value[a] = moment[3 + a] / samples;
  }
  bool periodic = false;
  for (int a = 0; a < box->dimension; a++) periodic = periodic || box->length[a] > 0.0;
  if (!periodic) {
    pass.add = add_products;
    sum_moments(&pass, moment);
    fit_gradient(box->dimension, moment, field);
  }
  pass.add = add_lengths;
  sum_moments(&pass, moment);
  if (moment[1] < worthwhile * moment[0]) return true;
  *field = (affine_field){.norm = 0.0};
  return false;
}
