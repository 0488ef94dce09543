/*
 * Predictions. See prediction.h.
 */
#include "files/checkpoint/prediction.h"

#include "base/numbers/bits.h"
#include "base/numbers/wide.h"

#include <math.h>
#include <string.h>

enum { PAIR_COLUMNS = 2 };

/* ---- numbers as integers ------------------------------------------------------------------------- */

/* The difference of two bit patterns, small ones of either sign as small numbers. */
static double left_over(double value, double predicted)
{
  uint64_t difference = bits_of(value) - bits_of(predicted);
  return number_of(difference << 1 ^ -(difference >> 63));
}

static double with_left_over(double left, double predicted)
{
  uint64_t bits = bits_of(left);
  return number_of(bits_of(predicted) + (bits >> 1 ^ -(bits & 1)));
}

/* The number as a row, counted from 1, of `count` rows; as a row from 0, or `count` if it is none. */
static uint64_t row_of(double number, uint64_t count)
{
  if (!(number >= 1.0 && number <= (double)count)) return count;
  uint64_t row = (uint64_t)number - 1;
  return (double)row + 1.0 == number ? row : count;
}

/* ---- which entries make sense -------------------------------------------------------------------- */

static bool is_column(const section_entry *part, const char *type)
{
  return strcmp(part->type, type) == 0 && part->columns == 1;
}

static bool has_doubles(const section_entry *part, uint64_t columns)
{
  return strcmp(part->type, "f64") == 0 && part->columns >= columns;
}

static bool fits_order(const section_entry *target, const section_entry *const source[])
{
  return target->columns == 1 && has_doubles(target, 1) && is_column(source[0], "f64") &&
         is_column(source[1], "i64") && source[1]->rows == target->rows;
}

static bool fits_pairs(const section_entry *target, const section_entry *const source[])
{
  return has_doubles(target, PAIR_COLUMNS) && is_column(source[0], "i64") && is_column(source[1], "i32") &&
         is_column(source[2], "i64") && source[2]->rows < INT32_MAX && source[0]->rows == source[2]->rows + 1;
}

static bool fits_vector(const prediction_entry *entry, const section_entry *target,
                        const section_entry *const source[])
{
  for (uint32_t k = 0; k < entry->source_count; k++)
    if (!is_column(source[k], "f64") || source[k]->rows != source[0]->rows) return false;
  return entry->column >= PAIR_COLUMNS && entry->column <= UINT32_MAX - entry->source_count &&
         has_doubles(target, entry->column + entry->source_count);
}

static bool count_fits(const prediction_entry *entry)
{
  switch (entry->kind) {
  case PREDICT_BY_ORDER:
    return entry->source_count == 2;
  case PREDICT_PAIRS:
    return entry->source_count == 3;
  case PREDICT_PERPENDICULAR:
    return entry->source_count == 2 || entry->source_count == 3;
  default:
    return false;
  }
}

const char *prediction_fault(const prediction_entry *entry, const section_entry *sections, uint32_t section_count)
{
  const section_entry *source[PREDICTION_SOURCES];
  if (!count_fits(entry)) return "a prediction of an unknown kind";
  if (entry->section >= section_count) return "a prediction of a section that does not exist";
  const section_entry *target = &sections[entry->section];
  if (!(target->flags & SECTION_IS_PREDICTED)) return "a prediction of a section that is not marked as predicted";
  for (uint32_t k = 0; k < entry->source_count; k++) {
    if (entry->source[k] >= section_count) return "a prediction from a section that does not exist";
    source[k] = &sections[entry->source[k]];
    if (source[k]->flags & SECTION_IS_PREDICTED) return "a prediction from a section that is predicted itself";
  }
  bool fits = entry->kind == PREDICT_BY_ORDER ? fits_order(target, source)
              : entry->kind == PREDICT_PAIRS  ? fits_pairs(target, source)
                                              : fits_vector(entry, target, source);
  if (!fits || target->stride != target->columns * sizeof(double) || target->rows == 0)
    return "a prediction that does not match its sections";
  return NULL;
}

/* ---- the pairs of a neighbour list ---------------------------------------------------------------- */

/* Is every row's part of the list within it, and every number a row or an id? */
static bool is_list(const predictor *by)
{
  const int64_t *start = by->source[0], *order = by->source[2];
  const int32_t *second = by->source[1];
  int64_t rows = (int64_t)by->source_rows[2], entries = (int64_t)by->source_rows[1];
  if (start[0] != 0 || start[rows] != entries) return false;
  for (int64_t k = 0; k < rows; k++)
    if (start[k + 1] < start[k] || order[k] < 1 || order[k] > rows) return false;
  for (int64_t k = 0; k < entries; k++)
    if (second[k] < 0 || second[k] >= rows) return false;
  return true;
}

/* Writes the pairs, the smaller id first, in the order of the list. */
static void take_pairs(const predictor *by, int32_t *pair)
{
  const int64_t *start = by->source[0], *order = by->source[2];
  const int32_t *second = by->source[1];
  for (uint64_t row = 0; row < by->source_rows[2]; row++) {
    int32_t first = (int32_t)order[row];
    for (int64_t k = start[row]; k < start[row + 1]; k++, pair += 2) {
      int32_t other = (int32_t)order[second[k]];
      pair[0] = first < other ? first : other;
      pair[1] = first < other ? other : first;
    }
  }
}

/* Sorts by one of the ids, pairs with the same staying in order; ids are below `ids`. */
static void sort_pairs(const int32_t *pair, int32_t *sorted, uint64_t count, int which, int64_t *begin,
                       uint64_t ids)
{
  memset(begin, 0, (size_t)(ids + 1) * sizeof *begin);
  for (uint64_t k = 0; k < count; k++) begin[pair[2 * k + (uint64_t)which] + 1]++;
  for (uint64_t k = 0; k < ids; k++) begin[k + 1] += begin[k];
  for (uint64_t k = 0; k < count; k++) {
    int64_t place = begin[pair[2 * k + (uint64_t)which]]++;
    memcpy(sorted + 2 * place, pair + 2 * k, 2 * sizeof *pair);
  }
}

static size_t pair_bytes(uint64_t count)
{
  return (size_t)(count + 1) * 2 * sizeof(int32_t);
}

static floc_status sort_list(predictor *made, environment *env)
{
  made->pair_count = made->source_rows[1];
  size_t bytes = pair_bytes(made->pair_count), ids = (size_t)made->source_rows[2] + 1;
  int32_t *other = memory_resize(env, NULL, 0, bytes);
  int64_t *begin = memory_resize(env, NULL, 0, (ids + 1) * sizeof *begin);
  made->pair = memory_resize(env, NULL, 0, bytes);
  bool is_there = made->pair && other && begin;
  if (is_there) {
    take_pairs(made, made->pair);
    sort_pairs(made->pair, other, made->pair_count, 1, begin, ids);
    sort_pairs(other, made->pair, made->pair_count, 0, begin, ids);
  }
  memory_free(env, other, bytes);
  memory_free(env, begin, (ids + 1) * sizeof *begin);
  return is_there ? FLOC_OK : refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
}

floc_status predictor_init(predictor *made, environment *env, const prediction_entry *entry,
                           const section_entry *sections, const void *const *data)
{
  *made = (predictor){.entry = *entry, .width = sections[entry->section].columns};
  for (uint32_t k = 0; k < entry->source_count; k++) {
    made->source[k] = data[entry->source[k]];
    made->source_rows[k] = sections[entry->source[k]].rows;
  }
  if (entry->kind != PREDICT_PAIRS) return FLOC_OK;
  return is_list(made) ? sort_list(made, env) : FLOC_NOT_FOUND;
}

floc_status predictor_find_rows(predictor *made, environment *env, const double *rows, uint64_t count)
{
  if (made->entry.kind != PREDICT_PAIRS) return FLOC_OK;
  size_t bytes = (size_t)count * sizeof *made->place;
  made->place = memory_resize(env, NULL, 0, bytes);
  if (!made->place) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  made->place_count = count;
  const int32_t *pair = made->pair;
  uint64_t at = 0;
  for (uint64_t k = 0; k < count; k++, rows += made->width, at++) {
    while (at < made->pair_count && (pair[2 * at] != rows[0] || pair[2 * at + 1] != rows[1])) at++;
    if (at == made->pair_count) return FLOC_NOT_FOUND;
    made->place[k] = at;
  }
  return FLOC_OK;
}

void predictor_free(predictor *made, environment *env)
{
  memory_free(env, made->pair, pair_bytes(made->pair_count));
  memory_free(env, made->place, (size_t)made->place_count * sizeof *made->place);
  made->pair = NULL;
  made->place = NULL;
}

/* ---- by order ------------------------------------------------------------------------------------ */

static double by_order(const predictor *by, uint64_t row)
{
  const double *value = by->source[0];
  uint64_t from = (uint64_t)((const int64_t *)by->source[1])[row] - 1;
  return from < by->source_rows[0] ? value[from] : 0.0;
}

/* ---- pairs --------------------------------------------------------------------------------------- */

static void take_off_pair(const predictor *by, uint64_t row, double *numbers)
{
  numbers[0] = number_of(by->place[row] - row);
  numbers[1] = 0.0;
}

/* A place behind the last pair gives two zeros. */
static void put_back_pair(const predictor *by, uint64_t row, double *numbers)
{
  uint64_t place = bits_of(numbers[0]) + row;
  bool is_there = place < by->pair_count;
  for (uint64_t k = 0; k < PAIR_COLUMNS; k++) numbers[k] = is_there ? by->pair[2 * place + k] : 0.0;
}

/* ---- perpendicular ------------------------------------------------------------------------------- */

/* Dimension is a constant in every inlined copy of these, and what depends on the direction of the line has
 * no branches: it is different in every row. */

/* The way from the first particle to the second, by the nearest image; zeros if the ids are none. */
HOT void separation(const predictor *by, uint32_t dimension, const double *numbers, double *way)
{
  uint64_t count = by->source_rows[0], i = row_of(numbers[0], count), j = row_of(numbers[1], count);
  for (uint32_t k = 0; k < dimension; k++) {
    const double *x = by->source[k];
    double period = by->entry.period[k];
    way[k] = i < count && j < count ? x[j] - x[i] : 0.0;
    if (period > 0.0 && way[k] > 0.5 * period)
      way[k] -= period;
    else if (period > 0.0 && way[k] < -0.5 * period)
      way[k] += period;
  }
}

/* Axis m, the one of the greatest component, comes first, then those behind it. */
HOT const uint8_t *axes_from_greatest(const double *way, uint32_t dimension)
{
  static const uint8_t in_plane[2][2] = {{0, 1}, {1, 0}}, in_space[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
  uint32_t greatest = fabs(way[1]) > fabs(way[0]);
  if (dimension == 2) return in_plane[greatest];
  return in_space[fabs(way[2]) > fabs(way[greatest]) ? 2 : greatest];
}

/* The component along the first axis that makes the vector perpendicular, from those along the others. */
HOT double perpendicular(const double *way, uint32_t dimension, const uint8_t *axis, const double *others)
{
  double along = others[0] * way[axis[1]];
  if (dimension == 3) along = along + others[1] * way[axis[2]];
  double predicted = -along / way[axis[0]];
  return predicted > 0.0 || predicted < 0.0 ? predicted : 0.0; /* no NaN, and one zero */
}

/* The components along the other axes come first, what is left of that along the first one last. */
HOT void take_off_vector(const predictor *by, uint32_t dimension, double *numbers)
{
  double way[PREDICTION_SOURCES], old[PREDICTION_SOURCES], *vector = numbers + by->entry.column;
  separation(by, dimension, numbers, way);
  const uint8_t *axis = axes_from_greatest(way, dimension);
  memcpy(old, vector, dimension * sizeof *old);
  for (uint32_t k = 0; k + 1 < dimension; k++) vector[k] = old[axis[k + 1]];
  vector[dimension - 1] = left_over(old[axis[0]], perpendicular(way, dimension, axis, vector));
}

HOT void put_back_vector(const predictor *by, uint32_t dimension, double *numbers)
{
  double way[PREDICTION_SOURCES], old[PREDICTION_SOURCES], *vector = numbers + by->entry.column;
  separation(by, dimension, numbers, way);
  const uint8_t *axis = axes_from_greatest(way, dimension);
  memcpy(old, vector, dimension * sizeof *old);
  for (uint32_t k = 0; k + 1 < dimension; k++) vector[axis[k + 1]] = old[k];
  vector[axis[0]] = with_left_over(old[dimension - 1], perpendicular(way, dimension, axis, old));
}

/* ---- rows ---------------------------------------------------------------------------------------- */

void predictor_take_off(const predictor *by, uint64_t first, uint64_t count, void *rows)
{
  double *numbers = rows;
  for (uint64_t row = first; row < first + count; row++, numbers += by->width) {
    if (by->entry.kind == PREDICT_BY_ORDER)
      *numbers = left_over(*numbers, by_order(by, row));
    else if (by->entry.kind == PREDICT_PAIRS)
      take_off_pair(by, row, numbers);
    else if (by->entry.source_count == 2)
      take_off_vector(by, 2, numbers);
    else
      take_off_vector(by, 3, numbers);
  }
}

void predictor_put_back(const predictor *by, uint64_t first, uint64_t count, void *rows)
{
  double *numbers = rows;
  for (uint64_t row = first; row < first + count; row++, numbers += by->width) {
    if (by->entry.kind == PREDICT_BY_ORDER)
      *numbers = with_left_over(*numbers, by_order(by, row));
    else if (by->entry.kind == PREDICT_PAIRS)
      put_back_pair(by, row, numbers);
    else if (by->entry.source_count == 2)
      put_back_vector(by, 2, numbers);
    else
      put_back_vector(by, 3, numbers);
  }
}
