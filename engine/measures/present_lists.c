/*
 * See present_lists.h. What pairs remember is found by walking through the rows of both lists at once; both are
 * sorted.
 */
#include "measures/present_lists.h"

#include <string.h>

static floc_status declare_memory(const neighbors *near, neighbors *made)
{
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < neighbors_memory_count(near) && status == FLOC_OK; k++) {
    int32_t index;
    status = neighbors_add_memory(made, neighbors_memory_name(near, k), &index);
  }
  return status;
}

static void copy_row(const pair_list *from, const pair_list *to, int64_t row, int32_t columns)
{
  int64_t f = from->start[row];
  for (int64_t t = to->start[row]; t < to->start[row + 1]; t++) {
    while (f < from->start[row + 1] && from->second[f] < to->second[t]) f++;
    if (f == from->start[row + 1]) return;
    if (from->second[f] != to->second[t]) continue;
    for (int32_t k = 0; k < columns; k++) to->memory[k][t] = from->memory[k][f];
  }
}

/* rows: particles that both lists know. */
static void copy_memory(const pair_list *from, const pair_list *to, int64_t rows, int32_t columns)
{
  if (from->count == 0 || to->count == 0 || columns == 0) return;
  for (int64_t row = 0; row < rows; row++) copy_row(from, to, row, columns);
}

floc_status present_lists_make(environment *env, const neighbors *near, const particles *table,
                               const bodies *obstacles, const domain *box, double range, arena *scratch,
                               neighbors **made)
{
  size_t count = (size_t)table->count;
  *made = NULL;
  double *reach = arena_allocate(scratch, count, sizeof *reach);
  if (!reach) return FLOC_OUT_OF_MEMORY;
  if (count > 0) memset(reach, 0, count * sizeof *reach);
  floc_status status = neighbors_create(env, box->dimension, made);
  if (status == FLOC_OK) status = declare_memory(near, *made);
  bool rebuilt;
  if (status == FLOC_OK) status = neighbors_update(*made, table, obstacles, box, reach, range, &rebuilt);
  if (status != FLOC_OK) {
    neighbors_destroy(*made);
    *made = NULL;
    return status;
  }
  int64_t known = neighbors_row_count(near), rows = known < table->count ? known : table->count;
  copy_memory(neighbors_pairs(near), neighbors_pairs(*made), rows, neighbors_memory_count(near));
  copy_memory(neighbors_walls(near), neighbors_walls(*made), rows, neighbors_memory_count(near));
  return FLOC_OK;
}
