/*
 * Least squares over all particles. See affine.h.
 *
 * Three passes with sums over fixed blocks: means, second moments about the means, lengths before and
 * after. The moments of a block are put side by side and added in block order.
 */
#include "particles/affine.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { AFFINE_BLOCK = 1024, AFFINE_BATCH = 64, MOMENT_COUNT = 16 };

static const double worthwhile = 0.5;

typedef struct affine_pass {
  const particles *table;
  affine_source source;
  void *context;
  int32_t dimension;
  const affine_field *field;
  void (*add)(const struct affine_pass *pass, int64_t slot, double moment[MOMENT_COUNT]);
  int64_t first_block;
  double (*part)[MOMENT_COUNT];
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

static void moments_of_blocks(void *context, int64_t begin, int64_t end, int64_t unused)
{
  (void)unused;
  const affine_pass *pass = context;
  for (int64_t k = begin; k < end; k++) {
    int64_t first = (pass->first_block + k) * AFFINE_BLOCK, last = first + AFFINE_BLOCK;
    if (last > pass->table->count) last = pass->table->count;
    memset(pass->part[k], 0, sizeof pass->part[k]);
    for (int64_t slot = first; slot < last; slot++) pass->add(pass, slot, pass->part[k]);
  }
}

static void sum_moments(const environment *env, affine_pass *pass, double total[MOMENT_COUNT])
{
  double part[AFFINE_BATCH][MOMENT_COUNT];
  int64_t blocks = parallel_block_count(pass->table->count, AFFINE_BLOCK);
  pass->part = part;
  memset(total, 0, MOMENT_COUNT * sizeof *total);
  for (pass->first_block = 0; pass->first_block < blocks; pass->first_block += AFFINE_BATCH) {
    int64_t batch = blocks - pass->first_block < AFFINE_BATCH ? blocks - pass->first_block : AFFINE_BATCH;
    parallel_for(env, batch, 1, moments_of_blocks, pass);
    for (int64_t k = 0; k < batch; k++)
      for (int m = 0; m < MOMENT_COUNT; m++) total[m] += part[k][m];
  }
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

bool affine_fit(const environment *env, const particles *table, const domain *box, affine_source source,
                void *context, affine_field *field)
{
  *field = (affine_field){.norm = 0.0};
  if (table->count < 2) return false;
  affine_pass pass = {
      .table = table, .source = source, .context = context, .dimension = box->dimension, .field = field};
  double moment[MOMENT_COUNT];
  pass.add = add_means;
  sum_moments(env, &pass, moment);
  for (int a = 0; a < box->dimension; a++) {
    field->center[a] = moment[a] / (double)table->count;
    field->value[a] = moment[3 + a] / (double)table->count;
  }
  bool periodic = false;
  for (int a = 0; a < box->dimension; a++) periodic = periodic || box->length[a] > 0.0;
  if (!periodic) {
    pass.add = add_products;
    sum_moments(env, &pass, moment);
    fit_gradient(box->dimension, moment, field);
  }
  pass.add = add_lengths;
  sum_moments(env, &pass, moment);
  if (moment[1] < worthwhile * moment[0]) return true;
  *field = (affine_field){.norm = 0.0};
  return false;
}
