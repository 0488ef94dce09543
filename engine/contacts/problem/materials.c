/*
 * Numbers of pairs of materials. See materials.h.
 */
#include "contacts/problem/materials.h"

#include "base/callback.h"
#include "base/threads/parallel.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DENSE_CELLS = DENSE_MATERIALS * DENSE_MATERIALS };

/* ---- tables ---- */

number_range material_range(const struct_fields *options, const char *quantity)
{
  const field_row *one = options->row;
  while (strcmp(one->name, quantity) != 0) one++;
  bool infinite = one->flags & FIELD_INFINITE;
  return (number_range){infinite ? one->lower : fmax(one->lower, -DBL_MAX),
                        infinite ? one->upper : fmin(one->upper, DBL_MAX), one->flags & FIELD_ABOVE};
}

floc_status material_choose(environment *env, const char *names, material_function ask, material_table *tables,
                            int32_t count)
{
  for (const char *at = names; at && *at;) {
    size_t length = strcspn(at, " ");
    int32_t found = -1;
    for (int32_t q = 0; q < count && length > 0; q++)
      if (strlen(tables[q].name) == length && strncmp(tables[q].name, at, length) == 0) found = q;
    if (length > 0 && found < 0)
      return refuse(env, FLOC_INVALID_ARGUMENT,
                    "by_pair is \"%.80s\": %.*s is none of the quantities that pairs of materials have", names,
                    (int)(length < 40 ? length : 40), at);
    if (length > 0) tables[found].ask = ask;
    at += length + (at[length] == ' ');
  }
  return FLOC_OK;
}

double material_least(const material_table *table)
{
  double least = INFINITY;
  for (int k = 0; k < DENSE_CELLS && table->dense; k++)
    if (table->dense[k] > 0.0) least = fmin(least, table->dense[k]);
  for (int32_t k = 0; k < table->known_count; k++)
    if (table->known[k].value > 0.0) least = fmin(least, table->known[k].value);
  return least;
}

void material_table_free(material_table *table, environment *env)
{
  memory_free(env, table->dense, DENSE_CELLS * sizeof(double));
  table->dense = NULL;
  array_free(env, (void **)&table->known, &table->known_capacity, sizeof *table->known);
  table->known_count = 0;
}

/* ---- what is known ---- */

/* The place of a pair of materials in the row, or where it belongs. */
static int32_t find_place(const material_table *table, int32_t first, int32_t second)
{
  int32_t low = 0, high = table->known_count;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    const material_value *entry = &table->known[middle];
    bool before = entry->first < first || (entry->first == first && entry->second < second);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

double material_pair(const material_table *table, int32_t first, int32_t second)
{
  int32_t a = first < second ? first : second, b = first < second ? second : first;
  if (b < DENSE_MATERIALS) return table->dense ? table->dense[a * DENSE_MATERIALS + b] : NAN;
  int32_t place = find_place(table, a, b);
  bool found = place < table->known_count && table->known[place].first == a && table->known[place].second == b;
  return found ? table->known[place].value : NAN;
}

static floc_status make_dense(material_table *table, environment *env)
{
  if (table->dense) return FLOC_OK;
  table->dense = memory_resize(env, NULL, 0, DENSE_CELLS * sizeof(double));
  if (!table->dense)
    return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", DENSE_CELLS * sizeof(double));
  for (int k = 0; k < DENSE_CELLS; k++) table->dense[k] = NAN;
  return FLOC_OK;
}

/* Space for one more pair; nothing can fail after it. */
static floc_status make_room(material_table *table, environment *env, int32_t greater)
{
  if (greater < DENSE_MATERIALS) return make_dense(table, env);
  return array_reserve(env, (void **)&table->known, &table->known_capacity, (size_t)table->known_count + 1,
                       sizeof *table->known);
}

static void keep(material_table *table, int32_t a, int32_t b, double value)
{
  if (b < DENSE_MATERIALS) {
    table->dense[a * DENSE_MATERIALS + b] = table->dense[b * DENSE_MATERIALS + a] = value;
    return;
  }
  int32_t place = find_place(table, a, b);
  memmove(&table->known[place + 1], &table->known[place],
          (size_t)(table->known_count - place) * sizeof *table->known);
  table->known[place] = (material_value){a, b, value};
  table->known_count++;
}

static floc_status ask_host(const material_table *table, environment *env, int32_t a, int32_t b, double *value)
{
  const material_function *ask = &table->ask;
  *value = NAN;
  callback_mark before =
      callback_begin(env, ask->single ? CALLBACK_GAMMA_MIN : CALLBACK_PAIR, ask->single ? NULL : table->name);
  floc_status status =
      ask->single ? ask->single(ask->context, a, b, value) : ask->pair(ask->context, table->name, a, b, value);
  int32_t changed = float_take_back();
  callback_end(env, before);
  status = callback_verdict(env, status, changed, "the function of %s for materials %d and %d", table->name, a, b);
  if (status != FLOC_OK || is_within(table->range, *value)) return status;
  char allowed[RANGE_TEXT];
  range_text(table->range, allowed);
  return refuse(env, FLOC_INVALID_ARGUMENT, "%s of materials %d and %d is %g; it must be %s", table->name, a, b,
                *value, allowed);
}

floc_status material_ask(material_table *table, environment *env, int32_t first, int32_t second, double *value)
{
  int32_t a = first < second ? first : second, b = first < second ? second : first;
  *value = material_pair(table, a, b);
  if (!isnan(*value)) return FLOC_OK;
  floc_status status = make_room(table, env, b);
  if (status == FLOC_OK) status = ask_host(table, env, a, b, value);
  if (status == FLOC_OK) keep(table, a, b, *value);
  return status;
}

/* ---- contacts ---- */

int32_t material_of_particle(const particles *table, int64_t slot)
{
  const double *column = particles_optional(table, OPTIONAL_material);
  if (!column) return 0;
  double value = column[slot];
  return value >= 0.0 && value <= INT32_MAX && value == floor(value) ? (int32_t)value : -1;
}

int32_t material_of_shape(const bodies *obstacles, int32_t number)
{
  return body_material(obstacles, &obstacles->world[number]);
}

floc_status material_check(const particles *table, int64_t slot)
{
  if (material_of_particle(table, slot) >= 0) return FLOC_OK;
  return refuse(table->env, FLOC_INVALID_ARGUMENT,
                "material of particle %" PRId64 " is %g; it must be an integer from 0 to %d", table->id[slot],
                particles_optional(table, OPTIONAL_material)[slot], INT32_MAX);
}

static void materials_of(const material_sides *sides, int64_t a, int32_t *first, int32_t *second)
{
  int32_t j = sides->second[a];
  *first = material_of_particle(sides->table, sides->first[a]);
  *second = j >= 0 ? material_of_particle(sides->table, j) : material_of_shape(sides->obstacles, sides->shape[a]);
}

typedef struct fill_call {
  const material_table *table;
  const material_sides *sides;
  double *values;
} fill_call;

/* The value is 1 where a pair is not known, or no pair. */
static double fill_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const fill_call *call = context;
  bool complete = true;
  for (int64_t a = begin; a < end; a++) {
    int32_t first, second;
    materials_of(call->sides, a, &first, &second);
    call->values[a] = first < 0 || second < 0 ? NAN : material_pair(call->table, first, second);
    complete = complete && !isnan(call->values[a]);
  }
  return complete ? 0.0 : 1.0;
}

floc_status material_fill(material_table *table, environment *env, const material_sides *sides, int64_t count,
                          double *values)
{
  fill_call call = {table, sides, values};
  if (parallel_max(env, count, PARALLEL_BLOCK, 0.0, fill_block, &call) == 0.0) return FLOC_OK;
  floc_status status = FLOC_OK;
  for (int64_t a = 0; a < count && status == FLOC_OK; a++) {
    if (!isnan(values[a])) continue;
    int32_t first, second;
    materials_of(sides, a, &first, &second);
    if (first < 0) status = material_check(sides->table, sides->first[a]);
    if (status == FLOC_OK && second < 0) status = material_check(sides->table, sides->second[a]);
    if (status == FLOC_OK) status = material_ask(table, env, first, second, &values[a]);
  }
  return status;
}

/* ---- checkpoints ---- */

static void add_row(double *rows, int64_t at, int32_t quantity, int32_t first, int32_t second, double value)
{
  if (!rows) return;
  const double row[MATERIAL_ROW] = {quantity, first, second, value};
  memcpy(rows + MATERIAL_ROW * at, row, sizeof row);
}

int64_t material_rows(const material_table *const *tables, int32_t table_count, double *rows)
{
  int64_t count = 0;
  for (int32_t q = 0; q < table_count; q++) {
    const material_table *table = tables[q];
    for (int32_t a = 0; a < DENSE_MATERIALS && table->dense; a++)
      for (int32_t b = a; b < DENSE_MATERIALS; b++)
        if (!isnan(table->dense[a * DENSE_MATERIALS + b]))
          add_row(rows, count++, q, a, b, table->dense[a * DENSE_MATERIALS + b]);
    for (int32_t k = 0; k < table->known_count; k++)
      add_row(rows, count++, q, table->known[k].first, table->known[k].second, table->known[k].value);
  }
  return count;
}

static floc_status check_row(material_table *const *tables, int32_t table_count, environment *env,
                             const section *rows, uint64_t k)
{
  const double *row = (const double *)rows->data + MATERIAL_ROW * k;
  bool quantity = row[0] >= 0.0 && row[0] < table_count && row[0] == floor(row[0]);
  for (int c = 1; c < 3 && quantity; c++)
    quantity = row[c] >= 0.0 && row[c] <= INT32_MAX && row[c] == floor(row[c]);
  if (!quantity || row[1] > row[2] || !is_within(tables[(int)row[0]]->range, row[3]))
    return refuse(env, FLOC_DAMAGED_FILE,
                  "section \"%s\": row %" PRIu64 " (%g, %g, %g, %g) is no pair of materials", rows->name, k, row[0],
                  row[1], row[2], row[3]);
  const material_table *table = tables[(int)row[0]];
  if (!material_is_uniform(table)) return FLOC_OK;
  return refuse(env, FLOC_STRUCTURE_MISMATCH,
                "the checkpoint has %s by pairs of materials, and this world has one number for all", table->name);
}

floc_status material_restore(material_table *const *tables, int32_t table_count, environment *env,
                             const section *rows)
{
  floc_status status = FLOC_OK;
  for (uint64_t k = 0; k < rows->rows && status == FLOC_OK; k++)
    status = check_row(tables, table_count, env, rows, k);
  if (status != FLOC_OK) return status;
  for (int32_t q = 0; q < table_count; q++) material_table_free(tables[q], env);
  for (uint64_t k = 0; k < rows->rows && status == FLOC_OK; k++) {
    const double *row = (const double *)rows->data + MATERIAL_ROW * k;
    material_table *table = tables[(int)row[0]];
    status = make_room(table, env, (int32_t)row[2]);
    if (status == FLOC_OK && isnan(material_pair(table, (int32_t)row[1], (int32_t)row[2])))
      keep(table, (int32_t)row[1], (int32_t)row[2], row[3]);
  }
  return status;
}
