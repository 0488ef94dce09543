/*
 * Dense kernels. See finish_front.h.
 *
 * Columns are eliminated in blocks of BLOCK: within a block one after another, then all columns behind it get the
 * block's part at once. That part, for `rows` rows and the columns that begin with the first of them, is
 *
 *   target_ij -= sum_k l_ik l_jk,  i >= j
 *
 * with the sum made in registers, eight rows by four columns, k ascending. For that l is copied into strips of
 * eight rows, [strip][k][8], padded with zeros. Which instructions make a tile does not matter for its bits: every
 * number is one chain of multiplications and additions, never fused.
 */
#include "contacts/finish/finish_front.h"

#include "base/numbers/wide.h"
#include "contacts/solvers/lanes.h"

#include <math.h>

enum { BLOCK = 16, TILE = 4 };

/* ---- tiles: sum[column][row] ---- */

HOT void make_tile(const double *rows, const double *columns, int64_t depth, double sum[TILE][FRONT_STRIP])
{
  for (int half = 0; half < FRONT_STRIP; half += 4) {
    lanes low[TILE] = {{0}}, high[TILE] = {{0}};
    for (int64_t k = 0; k < depth; k++) {
      lanes a = lanes_load(rows + FRONT_STRIP * k + half), b = lanes_load(rows + FRONT_STRIP * k + half + 2);
      for (int j = 0; j < TILE; j++) {
        lanes l = lanes_both(columns[FRONT_STRIP * k + j]);
        low[j] += a * l;
        high[j] += b * l;
      }
    }
    for (int j = 0; j < TILE; j++) {
      lanes_store(&sum[j][half], low[j]);
      lanes_store(&sum[j][half + 2], high[j]);
    }
  }
}

#ifdef HAS_WIDE
WIDE void make_tile_wide(const double *rows, const double *columns, int64_t depth, double sum[TILE][FRONT_STRIP])
{
  __m256d low[TILE], high[TILE];
  for (int j = 0; j < TILE; j++) low[j] = high[j] = _mm256_setzero_pd();
  for (int64_t k = 0; k < depth; k++) {
    __m256d a = _mm256_loadu_pd(rows + FRONT_STRIP * k), b = _mm256_loadu_pd(rows + FRONT_STRIP * k + 4);
    for (int j = 0; j < TILE; j++) {
      __m256d l = _mm256_broadcast_sd(columns + FRONT_STRIP * k + j);
      low[j] = _mm256_add_pd(low[j], _mm256_mul_pd(a, l));
      high[j] = _mm256_add_pd(high[j], _mm256_mul_pd(b, l));
    }
  }
  for (int j = 0; j < TILE; j++) {
    _mm256_storeu_pd(&sum[j][0], low[j]);
    _mm256_storeu_pd(&sum[j][4], high[j]);
  }
}
#endif

/* What a tile gives to rows row .. of columns column ..; only at or below the diagonal, within rows and columns. */
HOT void subtract_tile(double sum[TILE][FRONT_STRIP], double *target, int64_t stride, int64_t rows, int64_t columns,
                       int64_t row, int64_t column)
{
  if (row >= column + TILE - 1 && row + FRONT_STRIP <= rows && column + TILE <= columns) {
    for (int j = 0; j < TILE; j++) {
      double *to = target + (column + j) * stride + row;
      for (int i = 0; i < FRONT_STRIP; i++) to[i] -= sum[j][i];
    }
    return;
  }
  for (int64_t j = column; j < column + TILE && j < columns; j++)
    for (int64_t i = row > j ? row : j; i < row + FRONT_STRIP && i < rows; i++)
      target[j * stride + i] -= sum[j - column][i - row];
}

#define SUBTRACT_PRODUCT(tile)                                                                                     \
  for (int64_t column = 0; column < columns; column += TILE) {                                                     \
    const double *l = packed + column / FRONT_STRIP * FRONT_STRIP * depth + column % FRONT_STRIP;                  \
    for (int64_t row = column / FRONT_STRIP * FRONT_STRIP; row < rows; row += FRONT_STRIP) {                       \
      double sum[TILE][FRONT_STRIP];                                                                               \
      tile(packed + row * depth, l, depth, sum);                                                                   \
      subtract_tile(sum, target, stride, rows, columns, row, column);                                              \
    }                                                                                                              \
  }

static void subtract_product_plain(const double *packed, int64_t depth, double *target, int64_t stride,
                                   int64_t rows, int64_t columns){SUBTRACT_PRODUCT(make_tile)}

/* Columns of a block, each eliminated from those behind it. */
HOT bool eliminate_columns(double *block, int64_t stride, int64_t height, int64_t columns)
{
  for (int64_t j = 0; j < columns; j++) {
    double *pivot = block + j * stride, square = pivot[j];
    if (!(square > 0.0) || !(square < INFINITY)) return false;
    double inverse = 1.0 / sqrt(square);
    pivot[j] = inverse;
    for (int64_t i = j + 1; i < height; i++) pivot[i] *= inverse;
    for (int64_t k = j + 1; k < columns; k++) {
      double *column = block + k * stride, factor = pivot[k];
      for (int64_t i = k; i < height; i++) column[i] -= factor * pivot[i];
    }
  }
  return true;
}

static bool eliminate_columns_plain(double *block, int64_t stride, int64_t height, int64_t columns)
{
  return eliminate_columns(block, stride, height, columns);
}

#ifdef HAS_WIDE
__attribute__((target("avx2"))) static void subtract_product_wide(const double *packed, int64_t depth,
                                                                  double *target, int64_t stride, int64_t rows,
                                                                  int64_t columns)
{
  SUBTRACT_PRODUCT(make_tile_wide)
}

__attribute__((target("avx2"))) static bool eliminate_columns_wide(double *block, int64_t stride, int64_t height,
                                                                   int64_t columns)
{
  return eliminate_columns(block, stride, height, columns);
}
#endif

static void subtract_product(bool wide, const double *packed, int64_t depth, double *target, int64_t stride,
                             int64_t rows, int64_t columns)
{
#ifdef HAS_WIDE
  if (wide) {
    subtract_product_wide(packed, depth, target, stride, rows, columns);
    return;
  }
#else
  (void)wide;
#endif
  subtract_product_plain(packed, depth, target, stride, rows, columns);
}

static bool eliminate_block(bool wide, double *block, int64_t stride, int64_t height, int64_t columns)
{
#ifdef HAS_WIDE
  if (wide) return eliminate_columns_wide(block, stride, height, columns);
#else
  (void)wide;
#endif
  return eliminate_columns_plain(block, stride, height, columns);
}

/* ---- fronts ---- */

/* Rows `from` .. height-1 of `depth` columns, in strips. */
static void pack(const double *columns, int64_t height, int64_t from, int64_t depth, double *packed)
{
  for (int64_t row = from; row < height; row += FRONT_STRIP) {
    int64_t rows = height - row < FRONT_STRIP ? height - row : FRONT_STRIP;
    for (int64_t k = 0; k < depth; k++) {
      const double *source = columns + k * height + row;
      for (int64_t i = 0; i < rows; i++) packed[i] = source[i];
      for (int64_t i = rows; i < FRONT_STRIP; i++) packed[i] = 0.0;
      packed += FRONT_STRIP;
    }
  }
}

bool front_factor(bool wide, double *panel, int64_t height, int64_t pivots, double *work)
{
  for (int64_t first = 0; first < pivots; first += BLOCK) {
    int64_t columns = pivots - first < BLOCK ? pivots - first : BLOCK, next = first + columns;
    if (!eliminate_block(wide, panel + first * height + first, height, height - first, columns)) return false;
    if (next >= pivots) break;
    pack(panel + first * height, height, next, columns, work);
    subtract_product(wide, work, columns, panel + next * height + next, height, height - next, pivots - next);
  }
  return true;
}

void front_leave(bool wide, const double *panel, int64_t height, int64_t pivots, double *rest, double *work)
{
  int64_t rows = height - pivots;
  for (int64_t first = 0; first < pivots && rows > 0; first += FRONT_DEPTH) {
    int64_t depth = pivots - first < FRONT_DEPTH ? pivots - first : FRONT_DEPTH;
    pack(panel + first * height, height, pivots, depth, work);
    subtract_product(wide, work, depth, rest, rows, rows, rows);
  }
}
