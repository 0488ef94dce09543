/*
 * What pairs remember, by ids: rows of (id, id or shape, one number per memory column), sorted, one for every
 * pair with a number other than zero. So it is independent of the storage order and of how far the
 * neighbour lists reach; the hash runs over it, checkpoints hold it, and a resumed world puts it back into
 * the entries of its lists.
 *
 * A pair is stored from the smaller id to the greater. Where the list holds it the other way round, columns with a
 * direction (neighbors_turn_memory) change their sign; a zero keeps the sign it has, in both directions.
 */
#include "world.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const SECTION_NAME[2] = {"remembered.pairs", "remembered.walls"};
enum { ID_COLUMNS = 2 };

static const pair_list *list_of(const floc_world *world, int which)
{
  return which == 0 ? neighbors_pairs(world->near) : neighbors_walls(world->near);
}

/* ---- writing ---- */

/* The columns that are state. */
typedef struct kept_columns {
  int32_t count;
  int32_t column[MEMORY_LIMIT];
} kept_columns;

static kept_columns find_kept(const neighbors *near)
{
  kept_columns kept = {0};
  for (int32_t k = 0; k < neighbors_memory_count(near); k++)
    if (!neighbors_memory_is_spare(near, k)) kept.column[kept.count++] = k;
  return kept;
}

static bool remembers(const kept_columns *kept, const pair_list *list, int64_t entry)
{
  for (int32_t k = 0; k < kept->count; k++) {
    double value = list->memory[kept->column[k]][entry];
    if (value != 0.0 || signbit(value)) return true;
  }
  return false;
}

/* An entry of the list and what it is about: ids in ascending order, or id and shape. */
typedef struct named_entry {
  int32_t entry;
  int32_t name[ID_COLUMNS];
  bool swap; /* the list holds them the other way round */
} named_entry;

static named_entry name_entry(const floc_world *world, const pair_list *list, bool pairs, int32_t entry)
{
  int32_t first = (int32_t)world->table.id[list->first[entry]], second = list->second[entry];
  if (pairs) second = (int32_t)world->table.id[second];
  bool swap = pairs && second < first;
  return (named_entry){entry, {swap ? second : first, swap ? first : second}, swap};
}

static double turned(const neighbors *near, int32_t column, bool swap, double value)
{
  return swap && value != 0.0 && neighbors_memory_turns(near, column) ? -value : value;
}

static void fill_row(const floc_world *world, const kept_columns *kept, const pair_list *list,
                     const named_entry *from, double *row)
{
  for (int k = 0; k < ID_COLUMNS; k++) row[k] = from->name[k];
  for (int32_t k = 0; k < kept->count; k++) {
    int32_t column = kept->column[k];
    row[ID_COLUMNS + column] = turned(world->near, column, from->swap, list->memory[column][from->entry]);
  }
}

/* Entries to be sorted; both arrays change places with each pass. */
typedef struct entry_sort {
  named_entry *entry, *other; /* [capacity] */
  int32_t *begin;             /* [names + 1] where the entries of a name go */
  size_t count, capacity, names;
} entry_sort;

/* Sorts by one of the names, entries of the same name staying in order: counting, linear in time. */
static void sort_by_name(entry_sort *sort, int which)
{
  int32_t *begin = sort->begin;
  memset(begin, 0, (sort->names + 1) * sizeof *begin);
  for (size_t k = 0; k < sort->count; k++) begin[sort->entry[k].name[which] + 1]++;
  for (size_t k = 0; k < sort->names; k++) begin[k + 1] += begin[k];
  for (size_t k = 0; k < sort->count; k++) sort->other[begin[sort->entry[k].name[which]]++] = sort->entry[k];
  named_entry *sorted = sort->other;
  sort->other = sort->entry;
  sort->entry = sorted;
}

static floc_status prepare_sort(floc_world *world, const pair_list *list, entry_sort *sort)
{
  size_t ids = (size_t)world->table.count, shapes = (size_t)world->obstacles.shape_count;
  sort->capacity = (size_t)list->count + 1;
  sort->names = (ids > shapes ? ids : shapes) + 1;
  sort->entry = memory_resize(&world->env, NULL, 0, sort->capacity * sizeof *sort->entry);
  sort->other = memory_resize(&world->env, NULL, 0, sort->capacity * sizeof *sort->other);
  sort->begin = memory_resize(&world->env, NULL, 0, (sort->names + 1) * sizeof *sort->begin);
  if (sort->entry && sort->other && sort->begin) return FLOC_OK;
  return refuse(&world->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused",
                sort->capacity * sizeof *sort->entry);
}

static void free_sort(floc_world *world, entry_sort *sort)
{
  memory_free(&world->env, sort->entry, sort->capacity * sizeof *sort->entry);
  memory_free(&world->env, sort->other, sort->capacity * sizeof *sort->other);
  memory_free(&world->env, sort->begin, (sort->names + 1) * sizeof *sort->begin);
}

static floc_status fill_rows(floc_world *world, const kept_columns *kept, const pair_list *list,
                             const entry_sort *sort, memory_rows *rows, int which)
{
  size_t columns = (size_t)neighbors_memory_count(world->near), width = columns + ID_COLUMNS;
  rows->count[which] = sort->count;
  rows->bytes[which] = (sort->count * width + 1) * sizeof(double);
  double *row = rows->row[which] = memory_resize(&world->env, NULL, 0, rows->bytes[which]);
  if (!row)
    return refuse(&world->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", rows->bytes[which]);
  for (size_t k = 0; k < sort->count; k++, row += width) {
    for (size_t c = 0; c < columns; c++) row[ID_COLUMNS + c] = 0.0; /* those that are not kept */
    fill_row(world, kept, list, &sort->entry[k], row);
  }
  return FLOC_OK;
}

static floc_status stage(floc_world *world, memory_rows *rows, int which)
{
  const pair_list *list = list_of(world, which);
  kept_columns kept = find_kept(world->near);
  entry_sort sort = {0};
  floc_status status = prepare_sort(world, list, &sort);
  if (status == FLOC_OK) {
    for (int64_t k = 0; k < list->count; k++)
      if (remembers(&kept, list, k)) sort.entry[sort.count++] = name_entry(world, list, which == 0, (int32_t)k);
    for (int name = ID_COLUMNS - 1; name >= 0; name--) sort_by_name(&sort, name);
    status = fill_rows(world, &kept, list, &sort, rows, which);
  }
  free_sort(world, &sort);
  return status;
}

floc_status world_memory_sections(floc_world *world, memory_rows *rows, section_list *list)
{
  uint64_t width = (uint64_t)neighbors_memory_count(world->near) + ID_COLUMNS;
  for (int which = 0; which < 2; which++) {
    floc_status status = stage(world, rows, which);
    if (status == FLOC_OK)
      status =
          section_list_add(list, SECTION_NAME[which], "f64", rows->count[which], width, rows->row[which], true);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

void world_memory_free(floc_world *world, memory_rows *rows)
{
  for (int which = 0; which < 2; which++) memory_free(&world->env, rows->row[which], rows->bytes[which]);
}

/* ---- reading ---- */

/* The number as an index of [0, count), or -1. */
static int64_t index_of(double number, int64_t count)
{
  return number >= 0.0 && number < (double)count && number == floor(number) ? (int64_t)number : -1;
}

static int compare_rows(const void *a, const void *b)
{
  const double *left = a, *right = b;
  for (int k = 0; k < ID_COLUMNS; k++)
    if (left[k] != right[k]) return left[k] < right[k] ? -1 : 1;
  return 0;
}

/* The entry of a row, and whether the list holds the pair from the greater id to the smaller. */
static int64_t entry_of(const floc_world *world, bool pairs, const double *row, bool *swap)
{
  int64_t count = world->table.count, id = index_of(row[0] - 1.0, count);
  *swap = false;
  if (id < 0) return -1;
  int64_t first = world->table.slot[id], second;
  if (pairs) {
    int64_t other = index_of(row[1] - 1.0, count);
    if (other <= id) return -1;
    second = world->table.slot[other];
    *swap = second < first;
    if (*swap) {
      int64_t lesser = second;
      second = first;
      first = lesser;
    }
  } else {
    second = index_of(row[1], INT32_MAX);
  }
  return neighbors_find_entry(world->near, !pairs, first, second);
}

static floc_status take_rows(floc_world *world, const section *rows, int which)
{
  const pair_list *list = list_of(world, which);
  int32_t columns = neighbors_memory_count(world->near);
  size_t width = (size_t)columns + ID_COLUMNS;
  const double *data = rows->data;
  for (uint64_t r = 0; r < rows->rows; r++) {
    const double *row = data + r * width;
    bool swap, ascends = r == 0 || compare_rows(row - width, row) < 0;
    int64_t entry = ascends ? entry_of(world, which == 0, row, &swap) : -1;
    if (entry < 0)
      return refuse(&world->env, FLOC_DAMAGED_FILE,
                    "section \"%s\": row %" PRIu64 " is of no pair in the list, or out of order", rows->name, r);
    for (int32_t k = 0; k < columns; k++)
      list->memory[k][entry] = turned(world->near, k, swap, row[ID_COLUMNS + k]);
  }
  return FLOC_OK;
}

floc_status world_memory_restore(floc_world *world, const section_list *list)
{
  uint64_t width = (uint64_t)neighbors_memory_count(world->near) + ID_COLUMNS;
  for (int which = 0; which < 2; which++) {
    const section *rows;
    floc_status status = section_expect(list, SECTION_NAME[which], "f64", UINT64_MAX, width, &rows);
    if (status == FLOC_OK) status = take_rows(world, rows, which);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}
