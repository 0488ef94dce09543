/*
 * Bonds by ids, and their entries in the order of storage. See bond_list.h.
 */
#include "laws/bonds/bond_list.h"

#include <string.h>

floc_status bond_list_create(environment *env, int32_t members, int32_t columns, bond_list **made)
{
  *made = memory_resize(env, NULL, 0, sizeof **made);
  if (!*made) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof **made);
  memset(*made, 0, sizeof **made);
  (*made)->env = env;
  (*made)->members = members;
  (*made)->columns = columns;
  (*made)->rows = -1;
  return FLOC_OK;
}

void bond_list_destroy(bond_list *bonds)
{
  if (!bonds) return;
  if (bonds->block) memory_free(bonds->env, bonds->block, bonds->size);
  memory_free(bonds->env, bonds, sizeof *bonds);
}

void bond_order(int64_t *id, int32_t members)
{
  const int32_t last = members - 1;
  if (id[0] <= id[last]) return;
  const int64_t first = id[0];
  id[0] = id[last];
  id[last] = first;
}

int bond_compare(const int64_t *one, const int64_t *other, int32_t members)
{
  for (int32_t k = 0; k < members; k++)
    if (one[k] != other[k]) return one[k] < other[k] ? -1 : 1;
  return 0;
}

int64_t bond_list_find(const bond_list *bonds, const int64_t *id)
{
  int64_t low = 0, high = bonds->count;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (bond_compare(bonds->id + middle * bonds->members, id, bonds->members) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < bonds->count && bond_compare(bonds->id + low * bonds->members, id, bonds->members) == 0 ? low : -1;
}

/* ---- memory ---- */

/* The part of the block behind those before it; of a block that is not there yet only its size is counted. */
static void *part(char *block, size_t *used, int64_t count, size_t element)
{
  void *place = block ? block + *used : NULL;
  *used += ((size_t)count * element + 63) / 64 * 64;
  return place;
}

static size_t lay_out(bond_list *bonds, int64_t count, int64_t rows)
{
  char *block = bonds->block;
  size_t used = 0;
  const int32_t members = bonds->members;
  bonds->id = part(block, &used, members * count, sizeof(int64_t));
  bonds->pairs.start = part(block, &used, rows + 1, sizeof(int64_t));
  bonds->pairs.incoming_start = part(block, &used, rows + 1, sizeof(int64_t));
  for (int32_t c = 0; c < bonds->columns; c++) bonds->pairs.memory[c] = part(block, &used, count, sizeof(double));
  bonds->entry = part(block, &used, count, sizeof(int32_t));
  bonds->pairs.first = part(block, &used, count, sizeof(int32_t));
  bonds->pairs.second = part(block, &used, count, sizeof(int32_t));
  bonds->third = part(block, &used, count, sizeof(int32_t));
  bonds->pairs.incoming = part(block, &used, members * count, sizeof(int32_t));
  bonds->spare = part(block, &used, 4 * count, sizeof(int32_t));
  bonds->turned = part(block, &used, count, 1);
  bonds->broken = part(block, &used, count, 1);
  return used + 64;
}

/* ---- entries ---- */

/* Numbers 0 .. count - 1, or those of `order`, sorted by their key, a number below rows; those of one key stay in
 * their order. start[r] .. start[r + 1] - 1 have the key r. */
static void sort_by_key(const int32_t *key, const int32_t *order, int64_t count, int64_t rows, int64_t *start,
                        int32_t *sorted)
{
  memset(start, 0, (size_t)(rows + 1) * sizeof *start);
  for (int64_t k = 0; k < count; k++) start[key[k] + 1]++;
  for (int64_t row = 0; row < rows; row++) start[row + 1] += start[row];
  for (int64_t k = 0; k < count; k++) {
    const int32_t number = order ? order[k] : (int32_t)k;
    sorted[start[key[number]]++] = number;
  }
  for (int64_t row = rows; row > 0; row--) start[row] = start[row - 1];
  start[0] = 0;
}

static void find_incoming(bond_list *bonds, int64_t rows)
{
  pair_list *list = &bonds->pairs;
  if (bonds->members == 2) {
    sort_by_key(list->second, NULL, bonds->count, rows, list->incoming_start, list->incoming);
    return;
  }
  int64_t *start = list->incoming_start;
  const int32_t *slot[3] = {list->first, list->second, bonds->third};
  memset(start, 0, (size_t)(rows + 1) * sizeof *start);
  for (int member = 0; member < 3; member++)
    for (int64_t entry = 0; entry < bonds->count; entry++) start[slot[member][entry] + 1]++;
  for (int64_t row = 0; row < rows; row++) start[row + 1] += start[row];
  for (int64_t entry = 0; entry < bonds->count; entry++)
    for (int member = 0; member < 3; member++)
      list->incoming[start[slot[member][entry]]++] = (int32_t)(3 * entry + member);
  for (int64_t row = rows; row > 0; row--) start[row] = start[row - 1];
  start[0] = 0;
}

/* Slots and order of the entries; columns are not touched. */
static void make_entries(bond_list *bonds, const particles *table)
{
  const int64_t count = bonds->count, rows = table->count;
  pair_list *list = &bonds->pairs;
  int32_t *slot[3] = {bonds->spare, bonds->spare + count, bonds->spare + 2 * count};
  int32_t *order = bonds->spare + 3 * count;
  for (int64_t b = 0; b < count; b++)
    for (int32_t k = 0; k < bonds->members; k++)
      slot[k][b] = (int32_t)particles_find(table, bonds->id[b * bonds->members + k]);
  if (bonds->members == 2) {
    for (int64_t b = 0; b < count; b++) {
      const int32_t i = slot[0][b], j = slot[1][b];
      slot[0][b] = i < j ? i : j;
      slot[1][b] = i < j ? j : i;
      bonds->entry[b] = i > j; /* until the order is known: is it turned? */
    }
    sort_by_key(slot[1], NULL, count, rows, list->incoming_start, list->incoming);
    sort_by_key(slot[0], list->incoming, count, rows, list->start, order);
  } else {
    sort_by_key(slot[1], NULL, count, rows, list->start, order);
  }
  for (int64_t entry = 0; entry < count; entry++) {
    const int32_t b = order[entry];
    list->first[entry] = slot[0][b];
    list->second[entry] = slot[1][b];
    if (bonds->members == 3) bonds->third[entry] = slot[2][b];
    if (bonds->members == 2) bonds->turned[entry] = (uint8_t)bonds->entry[b];
    bonds->broken[entry] = 0;
  }
  for (int64_t entry = 0; entry < count; entry++) bonds->entry[order[entry]] = (int32_t)entry;
  list->count = count;
  find_incoming(bonds, rows);
  bonds->rows = rows;
}

/* Takes the bonds of `old` and those added, both sorted, with their numbers. */
static void merge(bond_list *made, const bond_list *old, const particles *table, int64_t added, const int64_t *id,
                  const double *const *values)
{
  const int32_t members = made->members;
  int64_t a = 0, n = 0;
  for (int64_t b = 0; b < made->count; b++) {
    bool from_old =
        n == added || (a < old->count && bond_compare(old->id + a * members, id + n * members, members) < 0);
    const int64_t *from = from_old ? old->id + a++ * members : id + n++ * members;
    memcpy(made->id + b * members, from, (size_t)members * sizeof *from);
  }
  make_entries(made, table);
  a = n = 0;
  for (int64_t b = 0; b < made->count; b++) {
    const bool from_old =
        a < old->count && bond_compare(old->id + a * members, made->id + b * members, members) == 0;
    for (int32_t c = 0; c < made->columns; c++)
      made->pairs.memory[c][made->entry[b]] = from_old ? old->pairs.memory[c][old->entry[a]] : values[c][n];
    if (from_old)
      a++;
    else
      n++;
  }
}

floc_status bond_list_add(bond_list *bonds, const particles *table, int64_t count, const int64_t *id,
                          const double *const *values)
{
  bond_list made = {
      .env = bonds->env, .members = bonds->members, .columns = bonds->columns, .count = bonds->count + count};
  if (made.count > INT32_MAX / 4)
    return refuse(bonds->env, FLOC_LIMIT_EXCEEDED, "there would be %lld bonds; a law may have up to %d",
                  (long long)made.count, INT32_MAX / 4);
  made.size = lay_out(&made, made.count, table->count);
  made.block = memory_resize(bonds->env, NULL, 0, made.size);
  if (!made.block)
    return refuse(bonds->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", made.size);
  lay_out(&made, made.count, table->count);
  merge(&made, bonds, table, count, id, values);
  if (bonds->block) memory_free(bonds->env, bonds->block, bonds->size);
  *bonds = made;
  return FLOC_OK;
}

floc_status bond_list_follow(bond_list *bonds, const particles *table)
{
  if (bonds->rows == table->count) return FLOC_OK;
  return bond_list_add(bonds, table, 0, NULL, NULL);
}

void bond_list_drop_broken(bond_list *bonds)
{
  const int64_t count = bonds->count;
  const int32_t members = bonds->members;
  pair_list *list = &bonds->pairs;
  if (count == 0 || !memchr(bonds->broken, 1, (size_t)count)) return;
  int32_t *moved = bonds->spare, kept = 0;
  for (int64_t entry = 0; entry < count; entry++) {
    moved[entry] = bonds->broken[entry] ? -1 : kept;
    if (bonds->broken[entry]) continue;
    list->first[kept] = list->first[entry];
    list->second[kept] = list->second[entry];
    if (members == 3) bonds->third[kept] = bonds->third[entry];
    bonds->turned[kept] = bonds->turned[entry];
    for (int32_t c = 0; c < bonds->columns; c++) list->memory[c][kept] = list->memory[c][entry];
    kept++;
  }
  int64_t b = 0;
  for (int64_t old = 0; old < count; old++) {
    const int32_t to = moved[bonds->entry[old]];
    if (to < 0) continue;
    memmove(bonds->id + b * members, bonds->id + old * members, (size_t)members * sizeof *bonds->id);
    bonds->entry[b++] = to;
  }
  list->count = bonds->count = kept;
  memset(bonds->broken, 0, (size_t)count);
  int64_t *start = list->start;
  const int32_t *key = members == 2 ? list->first : list->second;
  const int64_t rows = bonds->rows;
  for (int64_t row = 0; row <= rows; row++) start[row] = 0;
  for (int64_t entry = 0; entry < kept; entry++) start[key[entry] + 1]++;
  for (int64_t row = 0; row < rows; row++) start[row + 1] += start[row];
  find_incoming(bonds, rows);
}

void bond_list_forget(bond_list *bonds, const int32_t *new_slot)
{
  const pair_list *list = &bonds->pairs;
  for (int64_t entry = 0; entry < bonds->count; entry++) {
    bool goes = new_slot[list->first[entry]] < 0 || new_slot[list->second[entry]] < 0;
    if (bonds->members == 3) goes = goes || new_slot[bonds->third[entry]] < 0;
    bonds->broken[entry] = goes;
  }
  bond_list_drop_broken(bonds);
  bonds->rows = -1;
}
