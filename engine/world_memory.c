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
#include <stdlib.h>

static const char *const SECTION_NAME[2] = {"remembered.pairs", "remembered.walls"};
enum { ID_COLUMNS = 2 };

static const pair_list *list_of(const floc_world *world, int which)
{
  return which == 0 ? neighbors_pairs(world->near) : neighbors_walls(world->near);
}

/* ---- writing ---- */

static bool remembers(const neighbors *near, const pair_list *list, int64_t entry)
{
  for (int32_t k = 0; k < neighbors_memory_count(near); k++) {
    double value = list->memory[k][entry];
    if ((value != 0.0 || signbit(value)) && !neighbors_memory_is_spare(near, k)) return true;
  }
  return false;
}

static int compare_rows(const void *a, const void *b)
{
  const double *left = a, *right = b;
  for (int k = 0; k < ID_COLUMNS; k++)
    if (left[k] != right[k]) return left[k] < right[k] ? -1 : 1;
  return 0;
}

static double turned(const neighbors *near, int32_t column, bool swap, double value)
{
  return swap && value != 0.0 && neighbors_memory_turns(near, column) ? -value : value;
}

static void fill_row(const floc_world *world, const pair_list *list, bool pairs, int64_t entry, double *row)
{
  double first = (double)world->table.id[list->first[entry]];
  double second = pairs ? (double)world->table.id[list->second[entry]] : (double)list->second[entry];
  bool swap = pairs && second < first;
  row[0] = swap ? second : first;
  row[1] = swap ? first : second;
  for (int32_t k = 0; k < neighbors_memory_count(world->near); k++)
    row[ID_COLUMNS + k] =
        neighbors_memory_is_spare(world->near, k) ? 0.0 : turned(world->near, k, swap, list->memory[k][entry]);
}

static floc_status stage(floc_world *world, memory_rows *rows, int which)
{
  const pair_list *list = list_of(world, which);
  size_t width = (size_t)neighbors_memory_count(world->near) + ID_COLUMNS, count = 0;
  for (int64_t k = 0; k < list->count; k++) count += remembers(world->near, list, k);
  rows->count[which] = count;
  rows->bytes[which] = (count * width + 1) * sizeof(double);
  double *row = rows->row[which] = memory_resize(&world->env, NULL, 0, rows->bytes[which]);
  if (!row)
    return refuse(&world->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", rows->bytes[which]);
  for (int64_t k = 0; k < list->count; k++) {
    if (!remembers(world->near, list, k)) continue;
    fill_row(world, list, which == 0, k, row);
    row += width;
  }
  qsort(rows->row[which], count, width * sizeof(double), compare_rows);
  return FLOC_OK;
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
