/*
 * The particle table in checkpoints. Columns are listed in the order of ids: the same particles give the
 * same hash however their storage is sorted. Because sums over neighbours are taken in storage order, the
 * order travels too, as the ids by slot. Ids from which some were removed are listed as well, as state, followed by
 * the last that was given: laws and random numbers depend on them.
 *
 * Attributes have a prefix of their own, so that no name of the host can meet "particles.order".
 */
#include "particles/particles.h"

#include "particles/owned.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char COLUMN_PREFIX[] = "particles.";
static const char ATTRIBUTE_PREFIX[] = "attribute.";
static const char ORDER_SECTION[] = "particles.order";
static const char IDS_SECTION[] = "particles.ids";

enum { SECTION_NAME_SIZE = 64 };

static void section_name(const particles *table, int32_t column, char name[SECTION_NAME_SIZE])
{
  bool is_attribute = column >= BUILTIN_COLUMN_COUNT && !particles_is_owed(table, column);
  snprintf(name, SECTION_NAME_SIZE, "%s%s", is_attribute ? ATTRIBUTE_PREFIX : COLUMN_PREFIX,
           particles_file_name(table, column));
}

static floc_status list_ids(particles *table, int64_t *ids, section_list *list)
{
  EACH_RANK(rank, table) ids[rank] = table->id[table->slot[rank]];
  ids[table->count] = table->last_id;
  return section_list_add(list, IDS_SECTION, "i64", (uint64_t)table->count + 1, 1, ids, true);
}

floc_status particles_sections(particles *table, section_list *list)
{
  size_t count = (size_t)table->count, numbers = count * (size_t)table->column_count;
  bool removed = table->last_id != table->count;
  floc_status status = array_reserve(table->env, (void **)&table->staging, &table->staging_capacity,
                                     numbers + (removed ? count + 1 : 0), sizeof(double));
  for (int32_t k = 0; k < table->column_count && status == FLOC_OK; k++) {
    double *sorted = table->staging + count * (size_t)k;
    EACH_RANK(rank, table) sorted[rank] = table->column[k][table->slot[rank]];
    char name[SECTION_NAME_SIZE];
    section_name(table, k, name);
    status = section_list_add(list, name, "f64", count, 1, sorted, !particles_is_owed(table, k));
  }
  if (status == FLOC_OK) status = grain_shapes_sections(&table->shapes, list);
  if (status == FLOC_OK && removed) status = list_ids(table, (int64_t *)(void *)(table->staging + numbers), list);
  if (status != FLOC_OK) return status;
  return section_list_add(list, ORDER_SECTION, "i64", count, 1, table->id, false);
}

/* Every attribute of the list must be one of the table. */
static floc_status check_attributes(const particles *table, const section_list *list)
{
  size_t prefix = strlen(ATTRIBUTE_PREFIX);
  for (int32_t k = 0; k < list->count; k++) {
    const char *name = list->item[k].name;
    if (strncmp(name, ATTRIBUTE_PREFIX, prefix) != 0) continue;
    if (particles_find_column(table, name + prefix) < BUILTIN_COLUMN_COUNT) {
      return refuse(table->env, FLOC_STRUCTURE_MISMATCH,
                    "the checkpoint contains the attribute \"%s\", which this world has not declared",
                    name + prefix);
    }
  }
  return FLOC_OK;
}

/* A column that had another name may have either in the file. */
static floc_status choose_name(const particles *table, const section_list *list, int32_t column,
                               char name[SECTION_NAME_SIZE])
{
  char other[SECTION_NAME_SIZE];
  section_name(table, column, name);
  snprintf(other, sizeof other, "%s%s", ATTRIBUTE_PREFIX, particles_other_name(table, column));
  if (strcmp(name, other) == 0 || column < BUILTIN_COLUMN_COUNT || !section_find(list, other)) return FLOC_OK;
  if (section_find(list, name))
    return refuse(table->env, FLOC_STRUCTURE_MISMATCH,
                  "the checkpoint contains \"%s\" and \"%s\", which are one column now; rename one of the two "
                  "attributes with the program that wrote it",
                  name, other);
  snprintf(name, SECTION_NAME_SIZE, "%s", other);
  return FLOC_OK;
}

/* NULL: a column that a step fills, in a file without it. */
static floc_status find_column(const particles *table, const section_list *list, int32_t column, uint64_t count,
                               const section **found)
{
  char name[SECTION_NAME_SIZE];
  floc_status status = choose_name(table, list, column, name);
  if (status != FLOC_OK) return status;
  if (!section_find(list, name) && particles_is_owed(table, column)) {
    *found = NULL;
    return FLOC_OK;
  }
  if (!section_find(list, name) && column >= BUILTIN_COLUMN_COUNT) {
    return refuse(table->env, FLOC_STRUCTURE_MISMATCH,
                  "this world declares the attribute \"%s\", which the checkpoint does not contain",
                  table->name[column]);
  }
  return section_expect(list, name, "f64", count, 1, found);
}

/* Ids in their order, from which some were removed. NULL: none were. */
static floc_status read_ids(environment *env, const section_list *list, int64_t count, const int64_t **ids)
{
  const section *found;
  *ids = NULL;
  if (!section_find(list, IDS_SECTION)) return FLOC_OK;
  floc_status status = section_expect(list, IDS_SECTION, "i64", (uint64_t)count + 1, 1, &found);
  if (status != FLOC_OK) return status;
  const int64_t *id = found->data;
  for (int64_t k = 0; k <= count; k++) {
    const int64_t least = k == 0 ? k < count : id[k - 1] + (k < count); /* the last is the last given */
    if (id[k] < least || id[k] > PARTICLE_LIMIT)
      return refuse(env, FLOC_DAMAGED_FILE,
                    "section \"%s\": element %" PRId64 " is %" PRId64 "; it must be %" PRId64 " to %d", IDS_SECTION,
                    k, id[k], least, PARTICLE_LIMIT);
  }
  *ids = id;
  return FLOC_OK;
}

/* -1: there is no such id. */
static int64_t rank_of(const int64_t *ids, int64_t count, int64_t id)
{
  if (!ids) return id >= 1 && id <= count ? id - 1 : -1;
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (ids[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && ids[low] == id ? low : -1;
}

/* The order must hold every id once. Slots are tried out in `slot`, [count], by rank. */
static floc_status read_order(environment *env, const int64_t *order, const int64_t *ids, int64_t count,
                              int64_t *slot)
{
  for (int64_t k = 0; k < count; k++) slot[k] = -1;
  for (int64_t k = 0; k < count; k++) {
    int64_t id = order[k], rank = rank_of(ids, count, id);
    if (rank < 0 || slot[rank] >= 0) {
      return refuse(env, FLOC_DAMAGED_FILE,
                    "section \"%s\": id %" PRId64 " at element %" PRId64 " is %s; each of %s %" PRId64
                    " must occur exactly once",
                    ORDER_SECTION, id, k, rank < 0 ? "out of range" : "there twice",
                    ids ? "the ids of the" : "1 to", count);
    }
    slot[rank] = k;
  }
  return FLOC_OK;
}

/* Of doubles in one column, or NULL. */
static const section *plain_column(const particles *table, const section_list *list, int32_t column)
{
  char name[SECTION_NAME_SIZE];
  section_name(table, column, name);
  const section *found = section_find(list, name);
  return found && found->columns == 1 && strcmp(found->type, "f64") == 0 ? found : NULL;
}

static floc_status check_resolution(const particles *table, const section *position, const section *radius)
{
  const double *x = position->data, *r = radius->data;
  for (uint64_t k = 0; k < position->rows && k < radius->rows; k++)
    if (!particles_is_resolved(x[k], r[k]))
      return refuse(table->env, FLOC_DAMAGED_FILE,
                    "section \"%s\": element %" PRIu64
                    " is %.10g; so far from 0 numbers differ by more than a millionth of the radius, which is %g",
                    position->name, k, x[k], r[k]);
  return FLOC_OK;
}

floc_status particles_check_sections(const particles *table, const domain *box, const section_list *list)
{
  const section *radius = plain_column(table, list, COLUMN_radius);
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < BUILTIN_COLUMN_COUNT && status == FLOC_OK; k++) {
    const section *column = plain_column(table, list, k);
    bool is_force = k >= COLUMN_fx && k <= COLUMN_fz, is_position = k >= COLUMN_x && k <= COLUMN_z;
    if (!column || is_force) continue; /* forces are rebuilt, and may be whatever a law gave */
    number_range range = k == COLUMN_radius ? particles_radius_range(box)
                         : k == COLUMN_mass ? particles_mass_range()
                         : is_position      ? particles_position_range(box, k - COLUMN_x)
                                            : FINITE_NUMBERS;
    status = section_check_numbers(table->env, column, 0, ALL_ELEMENTS, range);
    if (status == FLOC_OK && is_position && radius) status = check_resolution(table, column, radius);
  }
  return status;
}

static void take_over(particles *table, const section *const *found, const int64_t *order, const int64_t *slot,
                      int64_t count)
{
  for (int32_t k = 0; k < table->column_count; k++) {
    const double *sorted = found[k] ? found[k]->data : NULL;
    for (int64_t rank = 0; rank < count; rank++)
      table->column[k][slot[rank]] = sorted ? sorted[rank] : table->initial[k];
  }
  for (int64_t k = 0; k < count; k++) {
    table->id[k] = order[k];
    table->slot[k] = slot[k];
    if (table->rank) table->rank[slot[k]] = k;
  }
  table->count = count;
}

static floc_status take_rows(particles *table, const section *const *found, const int64_t *order,
                             const int64_t *ids, int64_t count)
{
  environment *env = table->env;
  size_t bytes = (size_t)count * sizeof(int64_t);
  int64_t *slot = memory_resize(env, NULL, 0, bytes);
  if (!slot) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  floc_status status = read_order(env, order, ids, count, slot);
  if (status == FLOC_OK) take_over(table, found, order, slot, count);
  memory_free(env, slot, bytes);
  return status;
}

floc_status particles_restore(particles *table, const section_list *list)
{
  environment *env = table->env;
  const section *order, *found[COLUMN_LIMIT];
  const int64_t *ids = NULL;
  floc_status status = check_attributes(table, list);
  if (status == FLOC_OK) status = grain_shapes_compare(&table->shapes, list);
  if (status == FLOC_OK) status = section_expect(list, ORDER_SECTION, "i64", UINT64_MAX, 1, &order);
  if (status == FLOC_OK && order->rows >= INT32_MAX) {
    status = refuse(env, FLOC_LIMIT_EXCEEDED, "the checkpoint contains %" PRIu64 " particles; the limit is %d",
                    order->rows, PARTICLE_LIMIT);
  }
  for (int32_t k = 0; k < table->column_count && status == FLOC_OK; k++)
    status = find_column(table, list, k, order->rows, &found[k]);
  if (status == FLOC_OK) status = read_ids(env, list, (int64_t)order->rows, &ids);
  if (status == FLOC_OK) status = particles_reserve(table, (int64_t)order->rows + (ids != NULL));
  if (status == FLOC_OK && ids) status = particles_prepare_removal(table);
  if (status != FLOC_OK) return status;
  int64_t count = (int64_t)order->rows;
  status = count > 0 ? take_rows(table, found, order->data, ids, count) : FLOC_OK;
  if (status != FLOC_OK) return status;
  table->count = count;
  table->last_id = ids ? ids[count] : count;
  return FLOC_OK;
}
