/*
 * A list of pairs with its memory.
 *
 * Rows are sorted, so old and new entries of a particle are merged in one walk. Entries that stay keep their order,
 * so memory columns are rearranged in place. The next list's entries are in scratch memory until it is the present
 * one: what follows in a step, the contacts, needs far more.
 *
 * While a list is exchanged, `first` is put to another use: it holds, for every new entry, the old entry
 * that it was, or -1. It is made from start[] afterwards.
 */
#include "neighbors/internal.h"

#include "base/threads/parallel.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void list_free(list_store *list, environment *env)
{
  array_free(env, (void **)&list->view.first, &list->first_capacity, sizeof(int32_t));
  array_free(env, (void **)&list->view.second, &list->second_capacity, sizeof(int32_t));
  array_free(env, (void **)&list->view.start, &list->start_capacity, sizeof(int64_t));
  array_free(env, (void **)&list->view.incoming, &list->incoming_capacity, sizeof(int32_t));
  array_free(env, (void **)&list->view.incoming_start, &list->incoming_start_capacity, sizeof(int64_t));
  for (int k = 0; k < MEMORY_LIMIT; k++)
    array_free(env, (void **)&list->view.memory[k], &list->memory_capacity[k], sizeof(double));
}

/* ---- memory ---- */

floc_status list_reserve_starts(list_store *list, arena *scratch, int64_t rows)
{
  if (!list->next_start) list->next_start = arena_allocate(scratch, (size_t)rows + 1, sizeof *list->next_start);
  return list->next_start ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

floc_status list_reserve_next(list_store *list, arena *scratch, int64_t needed)
{
  const size_t present = list->next_second_capacity, longer = present + present / 8;
  if (needed >= INT32_MAX)
    return refuse(scratch->env, FLOC_LIMIT_EXCEEDED, "%" PRId64 " neighbour pairs; the limit is %d", needed,
                  INT32_MAX - 1);
  if (list->next_second && (size_t)needed <= present) return FLOC_OK;
  const size_t count = longer > (size_t)needed ? longer : (size_t)needed;
  int32_t *second = list->next_second
                        ? arena_grow(scratch, list->next_second, present, count, sizeof *list->next_second)
                        : arena_allocate(scratch, count, sizeof *list->next_second);
  if (!second) return FLOC_OUT_OF_MEMORY;
  list->next_second = second;
  list->next_second_capacity = count;
  return FLOC_OK;
}

/* Entries to make space for: a little more than are needed, because their number changes a little from list
 * to list, and growing later means growing by half. */
static size_t roomy(int64_t entries)
{
  return (size_t)(entries + entries / 16);
}

static floc_status reserve_incoming(list_store *list, environment *env, size_t entries, size_t rows)
{
  floc_status status =
      array_reserve(env, (void **)&list->view.incoming, &list->incoming_capacity, entries, sizeof(int32_t));
  if (status != FLOC_OK) return status;
  return array_reserve(env, (void **)&list->view.incoming_start, &list->incoming_start_capacity, rows + 1,
                       sizeof(int64_t));
}

floc_status list_prepare(list_store *list, environment *env, int64_t rows, int32_t memory_count,
                         bool wants_incoming)
{
  size_t entries = (size_t)list->next_count;
  if (entries > list->first_capacity) entries = roomy(list->next_count);
  floc_status status =
      array_reserve(env, (void **)&list->view.start, &list->start_capacity, (size_t)rows + 1, sizeof(int64_t));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&list->view.second, &list->second_capacity, entries, sizeof(int32_t));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&list->view.first, &list->first_capacity, entries, sizeof(int32_t));
  for (int32_t k = 0; k < memory_count && status == FLOC_OK; k++)
    status = array_reserve(env, (void **)&list->view.memory[k], &list->memory_capacity[k], entries, sizeof(double));
  if (status == FLOC_OK && wants_incoming) status = reserve_incoming(list, env, entries, (size_t)rows);
  return status;
}

void list_trim(list_store *list, environment *env, int32_t memory_count)
{
  const size_t entries = (size_t)list->view.count;
  array_trim(env, (void **)&list->view.first, &list->first_capacity, entries, sizeof(int32_t));
  array_trim(env, (void **)&list->view.second, &list->second_capacity, entries, sizeof(int32_t));
  array_trim(env, (void **)&list->view.incoming, &list->incoming_capacity, entries, sizeof(int32_t));
  for (int32_t k = 0; k < memory_count; k++)
    array_trim(env, (void **)&list->view.memory[k], &list->memory_capacity[k], entries, sizeof(double));
}

/* ---- exchange ---- */

typedef struct list_pass {
  list_store *list;
  int64_t old_rows;
} list_pass;

/* Where every new entry was in the old list. */
static void trace_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const list_pass *pass = context;
  const list_store *list = pass->list;
  int32_t *origin = list->view.first;
  for (int64_t i = begin; i < end; i++) {
    bool known = i < pass->old_rows;
    int64_t old = known ? list->view.start[i] : 0, old_end = known ? list->view.start[i + 1] : 0;
    for (int64_t k = list->next_start[i]; k < list->next_start[i + 1]; k++) {
      int32_t second = list->next_second[k];
      while (old < old_end && list->view.second[old] < second) old++;
      bool stays = old < old_end && list->view.second[old] == second;
      origin[k] = stays ? (int32_t)old : -1;
    }
  }
}

/* New entries get 0. Entries that stay come in their order: forward they close up, backward they go to their
 * places, and neither pass writes what it has still to read. */
static void spread_column(double *column, const int32_t *origin, int64_t count)
{
  int64_t kept = 0;
  for (int64_t k = 0; k < count; k++) {
    const int32_t from = origin[k];
    column[kept] = column[from >= 0 ? from : kept];
    kept += from >= 0;
  }
  for (int64_t k = count - 1; k >= 0; k--) {
    const bool stays = origin[k] >= 0;
    kept -= stays;
    column[k] = stays ? column[kept] : 0.0;
  }
}

static void move_memory(list_store *list, const environment *env, int64_t rows, int32_t memory_count)
{
  if (list->view.count == 0) {
    for (int32_t m = 0; m < memory_count; m++) parallel_clear(env, list->next_count, list->view.memory[m]);
    return;
  }
  list_pass pass = {list, list->rows};
  parallel_for(env, rows, PARALLEL_BLOCK, trace_block, &pass);
  for (int32_t m = 0; m < memory_count; m++)
    spread_column(list->view.memory[m], list->view.first, list->next_count);
}

void list_commit(list_store *list, const environment *env, int64_t rows, int32_t memory_count)
{
  if (memory_count > 0) move_memory(list, env, rows, memory_count);
  if (list->next_second && list->next_count > 0)
    memcpy(list->view.second, list->next_second, (size_t)list->next_count * sizeof *list->next_second);
  if (list->next_start) memcpy(list->view.start, list->next_start, (size_t)(rows + 1) * sizeof *list->next_start);
  list->view.version++;
  list->view.count = list->next_count;
  list->rows = rows;
}

static void first_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const pair_list *list = context;
  for (int64_t i = begin; i < end; i++)
    for (int64_t k = list->start[i]; k < list->start[i + 1]; k++) list->first[k] = (int32_t)i;
}

void list_complete(list_store *list, const environment *env, bool has_incoming)
{
  pair_list *view = &list->view;
  parallel_for(env, list->rows, PARALLEL_BLOCK, first_block, view);
  if (!has_incoming) return;
  int64_t *start = view->incoming_start;
  memset(start, 0, (size_t)(list->rows + 1) * sizeof *start);
  for (int64_t k = 0; k < view->count; k++) start[view->second[k] + 1]++;
  for (int64_t i = 0; i < list->rows; i++) start[i + 1] += start[i];
  for (int64_t k = 0; k < view->count; k++) view->incoming[start[view->second[k]]++] = (int32_t)k;
  memmove(start + 1, start, (size_t)list->rows * sizeof *start);
  start[0] = 0;
}

/* ---- new names of slots ---- */

size_t list_rename_scratch(const list_store *list, int64_t rows)
{
  return (size_t)rows + 1 + ((size_t)list->view.count + 1) / 2;
}

/* Walls: rows move whole. The old entry of each new one goes to `first`. */
static void rename_walls(list_store *list, int64_t rows, const int32_t *order, double *scratch)
{
  const pair_list *old = &list->view;
  int64_t *start = (int64_t *)(void *)scratch;
  int32_t *second = (int32_t *)(void *)(start + rows + 1);
  int64_t to = 0;
  for (int64_t i = 0; i < rows; i++) {
    start[i] = to;
    if (order[i] >= list->rows) continue;
    for (int64_t k = old->start[order[i]]; k < old->start[order[i] + 1]; k++, to++) {
      second[to] = old->second[k];
      old->first[to] = (int32_t)k;
    }
  }
  start[rows] = to;
  memcpy(old->start, start, (size_t)(rows + 1) * sizeof *start);
  if (to > 0) memcpy(old->second, second, (size_t)to * sizeof *second);
}

/* Pairs: two counting sorts, by the new second, then by the new first. `first` holds the old firsts until
 * the second sort has read them, so the order of old entries is put into `incoming`. */
static void rename_pairs(list_store *list, int64_t rows, const int32_t *inverse, double *scratch)
{
  pair_list *old = &list->view;
  int64_t *start = (int64_t *)(void *)scratch;
  int32_t *by_second = (int32_t *)(void *)(start + rows + 1);
  memset(start, 0, (size_t)(rows + 1) * sizeof *start);
  memset(old->start, 0, (size_t)(rows + 1) * sizeof *start);
  for (int64_t k = 0; k < old->count; k++) {
    int32_t a = inverse[old->first[k]], b = inverse[old->second[k]];
    start[(a > b ? a : b) + 1]++;
    old->start[(a < b ? a : b) + 1]++;
  }
  for (int64_t i = 0; i < rows; i++) {
    start[i + 1] += start[i];
    old->start[i + 1] += old->start[i];
  }
  for (int64_t k = 0; k < old->count; k++) {
    int32_t a = inverse[old->first[k]], b = inverse[old->second[k]];
    by_second[start[a > b ? a : b]++] = (int32_t)k;
  }
  memcpy(start, old->start, (size_t)(rows + 1) * sizeof *start);
  for (int64_t k = 0; k < old->count; k++) {
    int32_t entry = by_second[k];
    int32_t a = inverse[old->first[entry]], b = inverse[old->second[entry]];
    int64_t to = start[a < b ? a : b]++;
    old->incoming[to] = entry;
  }
  int32_t *second = by_second; /* which has been read */
  for (int64_t k = 0; k < old->count; k++) {
    int32_t a = inverse[old->first[old->incoming[k]]], b = inverse[old->second[old->incoming[k]]];
    second[k] = a > b ? a : b;
  }
  if (old->count > 0) memcpy(old->second, second, (size_t)old->count * sizeof *second);
}

/* The columns in the new order, half a number at a time, so that the scratch of the sort has space for it. */
static void gather_memory(const list_store *list, const int32_t *origin, int32_t memory_count, void *scratch)
{
  const size_t half = sizeof(double) / 2;
  const int64_t count = list->view.count;
  for (int32_t m = 0; m < memory_count && count > 0; m++)
    for (size_t part = 0; part < sizeof(double); part += half) {
      unsigned char *column = (unsigned char *)list->view.memory[m] + part, *gathered = scratch;
      for (int64_t k = 0; k < count; k++)
        memcpy(gathered + (size_t)k * half, column + (size_t)origin[k] * sizeof(double), half);
      for (int64_t k = 0; k < count; k++)
        memcpy(column + (size_t)k * sizeof(double), gathered + (size_t)k * half, half);
    }
}

void list_rename(list_store *list, const environment *env, int64_t rows, const int32_t *order,
                 const int32_t *inverse, bool pairs, int32_t memory_count, double *scratch)
{
  assert(list->next_count == list->view.count && !list->next_second && !list->next_start);
  if (pairs)
    rename_pairs(list, rows, inverse, scratch);
  else
    rename_walls(list, rows, order, scratch);
  gather_memory(list, pairs ? list->view.incoming : list->view.first, memory_count, scratch);
  list_commit(list, env, rows, 0);
  list_complete(list, env, pairs);
}

/* ---- fewer slots or shapes ---- */

void list_remove(list_store *list, const environment *env, const int32_t *new_first, const int32_t *new_second,
                 bool has_incoming, int32_t memory_count)
{
  pair_list *view = &list->view;
  if (!view->start) return;
  int64_t rows = 0, to = 0, begin = 0;
  for (int64_t i = 0; i < list->rows; i++) {
    const int64_t end = view->start[i + 1];
    const bool stays = !new_first || new_first[i] >= 0;
    if (stays) view->start[rows++] = to;
    for (int64_t k = begin; k < end && stays; k++) {
      const int32_t second = new_second ? new_second[view->second[k]] : view->second[k];
      if (second < 0) continue;
      view->second[to] = second;
      for (int32_t m = 0; m < memory_count; m++) view->memory[m][to] = view->memory[m][k];
      to++;
    }
    begin = end;
  }
  view->start[rows] = to;
  view->count = to;
  view->version++;
  list->rows = rows;
  list_complete(list, env, has_incoming);
}
