/*
 * Laws over bonds: what hosts add to them, remove, read and write, and what of them travels in checkpoints. The
 * list belongs to its law, so that laws of several kinds of bonds have attributes of their own.
 *
 * Columns of a list: first what a bond remembers (memory, then attributes), as it is at the start of a step; then,
 * for those that the law sets, what it gave. The two change places when a step has succeeded, as pair memory does.
 *
 * Checkpoints hold for each law, in the order of ids: laws.bonds.<law> (ids), laws.bonds.<law>.values (column after
 * column) and laws.bonds.<law>.before, which is no state: what was remembered before the last step, from which the
 * forces of its end are found again (laws_view.again).
 */
#include "laws/laws_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOND_COLUMN_LIMIT = 2 * (LAW_MEMORY_LIMIT + LAW_ATTRIBUTE_LIMIT) };
_Static_assert((int)BOND_COLUMN_LIMIT <= (int)MEMORY_LIMIT, "columns of a pair_list");

floc_status law_make_bonds(environment *env, law *one)
{
  (void)env;
  int32_t columns = one->memory_count;
  for (int32_t k = 0; k < one->memory_count; k++) {
    one->memory[k].now = k;
    if (one->memory[k].next >= 0) one->memory[k].next = columns++;
  }
  one->bonds->columns = columns;
  return FLOC_OK;
}

floc_status laws_follow_bonds(laws *all, const particles *table)
{
  for (int32_t kind = 0; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++) {
      bond_list *bonds = all->of[kind].item[k].bonds;
      floc_status status = bonds ? bond_list_follow(bonds, table) : FLOC_OK;
      if (status != FLOC_OK) return status;
    }
  return FLOC_OK;
}

void laws_forget_storage(laws *all)
{
  for (int32_t kind = 0; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++)
      if (all->of[kind].item[k].bonds) all->of[kind].item[k].bonds->rows = -1;
}

void laws_forget_particles(laws *all, const int32_t *new_slot)
{
  for (int32_t kind = 0; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++)
      if (all->of[kind].item[k].bonds) bond_list_forget(all->of[kind].item[k].bonds, new_slot);
}

bool laws_have_bonds(const laws *all)
{
  for (int32_t k = 0; k < all->of[FLOC_LAW_PAIR].count; k++)
    if (all->of[FLOC_LAW_PAIR].item[k].bonds && all->of[FLOC_LAW_PAIR].item[k].bonds->count > 0) return true;
  return false;
}

bool law_finish_bonds(law *one, bool succeeded)
{
  bond_list *bonds = one->bonds;
  const int64_t before = bonds->count;
  if (one->next_is_given && succeeded && bonds->count > 0) {
    for (int32_t k = 0; k < one->memory_count; k++) {
      const law_memory *memory = &one->memory[k];
      if (memory->next < 0) continue;
      double *given = bonds->pairs.memory[memory->next];
      bonds->pairs.memory[memory->next] = bonds->pairs.memory[memory->now];
      bonds->pairs.memory[memory->now] = given;
    }
    bond_list_drop_broken(bonds);
  }
  one->next_is_given = false;
  return bonds->count < before;
}

/* ---- what hosts name ---- */

static floc_status find_bonds(laws *all, int32_t kind, int32_t number, law **found)
{
  environment *env = all->env;
  if (kind < FLOC_LAW_PAIR || kind >= LAW_KINDS)
    return refuse(env, FLOC_INVALID_ARGUMENT, "kind is %d; it must be between %d and %d", kind, FLOC_LAW_PAIR,
                  LAW_KINDS - 1);
  if (number < 0 || number >= all->of[kind].count)
    return refuse(env, FLOC_INVALID_ARGUMENT, "law is %d; there are %d of this kind", number, all->of[kind].count);
  *found = &all->of[kind].item[number];
  if ((*found)->bonds) return FLOC_OK;
  return refuse(env, FLOC_WRONG_STATE,
                "%s acts on pairs within its range; it has no bonds (pairs: FLOC_PAIRS_BONDS)", (*found)->name);
}

static void write_ids(const int64_t *id, int32_t members, char *text, size_t size)
{
  if (members == 2)
    snprintf(text, size, "%" PRId64 " and %" PRId64, id[0], id[1]);
  else
    snprintf(text, size, "%" PRId64 ", %" PRId64 " and %" PRId64, id[0], id[1], id[2]);
}

static floc_status check_ids(environment *env, const char *name, const particles *table, int64_t number,
                             const int64_t *id, int32_t members)
{
  for (int32_t k = 0; k < members; k++)
    if (particles_find(table, id[k]) < 0)
      return refuse(env, FLOC_NOT_FOUND,
                    "%s: bond %" PRId64 " has the particle %" PRId64 "; ids are from 1 to %" PRId64 "%s", name,
                    number + 1, id[k], table->last_id, particles_gaps_text(table));
  for (int32_t k = 0; k < members; k++)
    for (int32_t n = 0; n < k; n++)
      if (id[k] == id[n])
        return refuse(env, FLOC_INVALID_ARGUMENT,
                      "%s: bond %" PRId64 " has the particle %" PRId64 " twice; its %d particles must differ", name,
                      number + 1, id[k], members);
  return FLOC_OK;
}

/* A bond that a host named, and its place there. */
typedef struct named_bond {
  int64_t id[3];
  int64_t place;
} named_bond;

static int compare_pairs(const void *a, const void *b)
{
  return bond_compare(((const named_bond *)a)->id, ((const named_bond *)b)->id, 2);
}

static int compare_triples(const void *a, const void *b)
{
  return bond_compare(((const named_bond *)a)->id, ((const named_bond *)b)->id, 3);
}

/* Bonds in the order of ids; each is refused that is there twice, or is there already (known: or is not). */
static floc_status sort_named(environment *env, const law *one, const particles *table, int64_t count,
                              const int64_t *ids, bool known, named_bond *named)
{
  const int32_t members = one->bonds->members;
  char text[80];
  for (int64_t k = 0; k < count; k++) {
    floc_status status = check_ids(env, one->name, table, k, ids + k * members, members);
    if (status != FLOC_OK) return status;
    memcpy(named[k].id, ids + k * members, (size_t)members * sizeof *ids);
    bond_order(named[k].id, members);
    named[k].place = k;
    if ((bond_list_find(one->bonds, named[k].id) >= 0) == known) continue;
    write_ids(named[k].id, members, text, sizeof text);
    return known ? refuse(env, FLOC_NOT_FOUND, "%s: particles %s have no bond", one->name, text)
                 : refuse(env, FLOC_ALREADY_EXISTS, "%s: particles %s have a bond already", one->name, text);
  }
  qsort(named, (size_t)count, sizeof *named, members == 2 ? compare_pairs : compare_triples);
  for (int64_t k = 1; k < count; k++) {
    if (bond_compare(named[k - 1].id, named[k].id, members) != 0) continue;
    write_ids(named[k].id, members, text, sizeof text);
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "%s: the bond of particles %s is named twice, as %" PRId64 " and %" PRId64, one->name, text,
                  named[k - 1].place + 1, named[k].place + 1);
  }
  return FLOC_OK;
}

static floc_status check_count(environment *env, int64_t count, const void *list, const char *what)
{
  if (count < 0 || count > INT32_MAX / 4)
    return refuse(env, FLOC_INVALID_ARGUMENT, "count is %" PRId64 "; it must be between 0 and %d", count,
                  INT32_MAX / 4);
  if (count > 0 && !list) return refuse(env, FLOC_INVALID_ARGUMENT, "%s is NULL", what);
  return FLOC_OK;
}

/* ---- adding and removing ---- */

/* Columns of the new bonds in the order of ids: of what a bond remembers, and the same as what the law gave. */
static floc_status fill_columns(environment *env, const law *one, int64_t count, const named_bond *named,
                                const double *const *values, double *column[], int64_t *ids)
{
  const int32_t members = one->bonds->members, own = one->memory_count - one->attribute_count;
  for (int64_t k = 0; k < count; k++) memcpy(ids + k * members, named[k].id, (size_t)members * sizeof *ids);
  for (int32_t m = 0; m < one->memory_count; m++) {
    const law_memory *memory = &one->memory[m];
    const double *given = m >= own && values ? values[m - own] : NULL;
    for (int64_t k = 0; k < count; k++) {
      const double value = given ? given[named[k].place] : memory->initial;
      if (!isfinite(value))
        return refuse(env, FLOC_INVALID_ARGUMENT, "%s: %s of bond %" PRId64 " is %g; it must be finite", one->name,
                      memory->name, named[k].place + 1, value);
      column[memory->now][k] = value;
      if (memory->next >= 0) column[memory->next][k] = value;
    }
  }
  return FLOC_OK;
}

floc_status laws_add_bonds(laws *all, const particles *table, int32_t kind, int32_t number, int64_t count,
                           const int64_t *ids, const double *const *values)
{
  environment *env = all->env;
  law *one = NULL;
  floc_status status = find_bonds(all, kind, number, &one);
  if (status == FLOC_OK) status = check_count(env, count, ids, "ids");
  if (status != FLOC_OK || count == 0) return status;
  const int32_t columns = one->bonds->columns, members = one->bonds->members;
  const size_t names = (size_t)count * sizeof(named_bond), numbers = (size_t)count * sizeof(double);
  const size_t size = names + (size_t)(columns + members) * numbers;
  char *room = memory_resize(env, NULL, 0, size);
  if (!room) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", size);
  named_bond *named = (named_bond *)(void *)room;
  int64_t *sorted = (int64_t *)(void *)(room + names);
  double *column[BOND_COLUMN_LIMIT];
  for (int32_t c = 0; c < columns; c++)
    column[c] = (double *)(void *)(room + names + (size_t)(members + c) * numbers);
  status = sort_named(env, one, table, count, ids, false, named);
  if (status == FLOC_OK) status = fill_columns(env, one, count, named, values, column, sorted);
  if (status == FLOC_OK) status = bond_list_add(one->bonds, table, count, sorted, (const double *const *)column);
  memory_free(env, room, size);
  return status;
}

floc_status laws_remove_bonds(laws *all, const particles *table, int32_t kind, int32_t number, int64_t count,
                              const int64_t *ids)
{
  environment *env = all->env;
  law *one = NULL;
  floc_status status = find_bonds(all, kind, number, &one);
  if (status == FLOC_OK) status = check_count(env, count, ids, "ids");
  if (status == FLOC_OK && count > 0) status = bond_list_follow(one->bonds, table);
  if (status != FLOC_OK || count == 0) return status;
  bond_list *bonds = one->bonds;
  const size_t size = (size_t)count * sizeof(named_bond);
  named_bond *named = memory_resize(env, NULL, 0, size);
  if (!named) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", size);
  status = sort_named(env, one, table, count, ids, true, named);
  for (int64_t k = 0; k < count && status == FLOC_OK; k++)
    bonds->broken[bonds->entry[bond_list_find(bonds, named[k].id)]] = 1;
  if (status == FLOC_OK) bond_list_drop_broken(bonds);
  memory_free(env, named, size);
  return status;
}

/* ---- reading and writing ---- */

static int32_t find_memory(const law *one, const char *name, int32_t from)
{
  for (int32_t k = from; k < one->memory_count && name; k++)
    if (strcmp(one->memory[k].name, name) == 0) return k;
  return -1;
}

static floc_status refuse_name(environment *env, const law *one, const char *name, int32_t from)
{
  char known[300] = "none";
  size_t used = 0;
  for (int32_t k = from; k < one->memory_count && used < sizeof known; k++)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", one->memory[k].name);
  return refuse(env, FLOC_NOT_FOUND, "%s: its bonds have no %s \"%.40s\"; known are: %s", one->name,
                from > 0 ? "attribute" : "number", name ? name : "NULL", known);
}

floc_status laws_set_bonds(laws *all, int32_t kind, int32_t number, const char *name, const double *values,
                           int64_t count)
{
  environment *env = all->env;
  law *one = NULL;
  floc_status status = find_bonds(all, kind, number, &one);
  if (status == FLOC_OK) status = check_count(env, count, values, "values");
  if (status != FLOC_OK) return status;
  const int32_t own = one->memory_count - one->attribute_count, k = find_memory(one, name, own);
  bond_list *bonds = one->bonds;
  if (k < 0) return refuse_name(env, one, name, own);
  if (count != bonds->count)
    return refuse(env, FLOC_INVALID_ARGUMENT, "count is %" PRId64 "; %s has %" PRId64 " bonds", count, one->name,
                  bonds->count);
  for (int64_t b = 0; b < count; b++)
    if (!isfinite(values[b]))
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: %s of bond %" PRId64 " is %g; it must be finite", one->name,
                    name, b + 1, values[b]);
  const int32_t columns[2] = {one->memory[k].now, one->memory[k].next};
  for (int n = 0; n < 2 && columns[n] >= 0; n++)
    for (int64_t b = 0; b < count; b++) bonds->pairs.memory[columns[n]][bonds->entry[b]] = values[b];
  return FLOC_OK;
}

floc_status laws_get_bonds(laws *all, int32_t kind, int32_t number, const char *const *names, int32_t name_count,
                           int64_t *ids, double *const *columns, int64_t capacity, int64_t *count)
{
  environment *env = all->env;
  law *one = NULL;
  floc_status status = find_bonds(all, kind, number, &one);
  if (status != FLOC_OK) return status;
  const bond_list *bonds = one->bonds;
  if (!count || capacity < 0 || name_count < 0 || (name_count > 0 && (!names || !columns)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "count, names or columns is NULL, or a number is below 0");
  for (int32_t n = 0; n < name_count; n++)
    if (find_memory(one, names[n], 0) < 0) return refuse_name(env, one, names[n], 0);
  const int64_t rows = bonds->count < capacity ? bonds->count : capacity;
  if (ids && rows > 0) memcpy(ids, bonds->id, (size_t)(rows * bonds->members) * sizeof *ids);
  for (int32_t n = 0; n < name_count && rows > 0; n++) {
    const double *from = bonds->pairs.memory[one->memory[find_memory(one, names[n], 0)].now];
    if (!columns[n]) return refuse(env, FLOC_INVALID_ARGUMENT, "columns[%d] is NULL", n);
    for (int64_t b = 0; b < rows; b++) columns[n][b] = from[bonds->entry[b]];
  }
  *count = bonds->count;
  return FLOC_OK;
}

/* ---- checkpoints ---- */

static void section_name(const law *one, const char *ending, char *name, size_t size)
{
  snprintf(name, size, "laws.bonds.%s%d%s", one->kind == FLOC_LAW_PAIR ? "pair" : "angle", one->number, ending);
}

/* Law number n of those over bonds, NULL past the last. */
static law *bonded_law(laws *all, int32_t n)
{
  for (int32_t kind = 0; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++)
      if (all->of[kind].item[k].bonds && n-- == 0) return &all->of[kind].item[k];
  return NULL;
}

static void stage_columns(const bond_list *bonds, int32_t begin, int32_t end, double *to)
{
  for (int32_t c = begin; c < end; c++)
    for (int64_t b = 0; b < bonds->count; b++) *to++ = bonds->pairs.memory[c][bonds->entry[b]];
}

static floc_status list_law(const law *one, int64_t *ids, double *values, section_list *list)
{
  const bond_list *bonds = one->bonds;
  const uint64_t count = (uint64_t)bonds->count, kept = (uint64_t)one->memory_count;
  const uint64_t before = (uint64_t)bonds->columns - kept;
  char name[64];
  if (count > 0) memcpy(ids, bonds->id, (size_t)(count * (uint64_t)bonds->members) * sizeof *ids);
  stage_columns(bonds, 0, bonds->columns, values);
  section_name(one, "", name, sizeof name);
  floc_status status = section_list_add(list, name, "i64", count, (uint64_t)bonds->members, ids, true);
  section_name(one, ".values", name, sizeof name);
  if (status == FLOC_OK && kept > 0) status = section_list_add(list, name, "f64", kept * count, 1, values, true);
  section_name(one, ".before", name, sizeof name);
  if (status == FLOC_OK && before > 0)
    status = section_list_add(list, name, "f64", before * count, 1, values + kept * count, false);
  return status;
}

floc_status laws_bond_sections(laws *all, section_list *list)
{
  size_t ids = 0, numbers = 0;
  const law *one;
  for (int32_t n = 0; (one = bonded_law(all, n)); n++) {
    ids += (size_t)(one->bonds->count * one->bonds->members);
    numbers += (size_t)(one->bonds->count * one->bonds->columns);
  }
  if (!bonded_law(all, 0)) return FLOC_OK;
  floc_status status =
      array_reserve(all->env, (void **)&all->staged_ids, &all->staged_ids_capacity, ids + 1, sizeof(int64_t));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->staged_bonds, &all->staged_bonds_capacity, numbers + 1,
                           sizeof(double));
  ids = numbers = 0;
  for (int32_t n = 0; status == FLOC_OK && (one = bonded_law(all, n)); n++) {
    status = list_law(one, all->staged_ids + ids, all->staged_bonds + numbers, list);
    ids += (size_t)(one->bonds->count * one->bonds->members);
    numbers += (size_t)(one->bonds->count * one->bonds->columns);
  }
  return status;
}

static floc_status check_section(environment *env, const particles *table, const section *ids, int32_t members)
{
  const int64_t *id = ids->data;
  for (uint64_t b = 0; b < ids->rows; b++, id += members) {
    bool good = id[0] < id[members - 1] && (b == 0 || bond_compare(id - members, id, members) < 0);
    for (int32_t k = 0; k < members; k++) good = good && particles_find(table, id[k]) >= 0;
    if (members == 3) good = good && id[0] != id[1] && id[1] != id[2];
    if (!good)
      return refuse(env, FLOC_DAMAGED_FILE,
                    "section \"%s\": row %" PRIu64 " is no bond, or not in the order of ids", ids->name, b);
  }
  return FLOC_OK;
}

static floc_status read_law(laws *all, const law *one, const particles *table, const section_list *list,
                            bond_list *made)
{
  const section *ids = NULL, *values = NULL, *before = NULL;
  const int32_t members = one->bonds->members, kept = one->memory_count;
  char name[64];
  section_name(one, "", name, sizeof name);
  floc_status status = section_expect(list, name, "i64", UINT64_MAX, (uint64_t)members, &ids);
  if (status == FLOC_OK) status = check_section(all->env, table, ids, members);
  if (status != FLOC_OK) return status;
  section_name(one, ".values", name, sizeof name);
  if (kept > 0) status = section_expect(list, name, "f64", ids->rows * (uint64_t)kept, 1, &values);
  section_name(one, ".before", name, sizeof name);
  if (status == FLOC_OK && made->columns > kept)
    status = section_expect(list, name, "f64", ids->rows * (uint64_t)(made->columns - kept), 1, &before);
  if (status == FLOC_OK && values)
    status = section_check_numbers(all->env, values, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK && before)
    status = section_check_numbers(all->env, before, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status != FLOC_OK || ids->rows == 0) return status;
  const double *column[BOND_COLUMN_LIMIT];
  for (int32_t c = 0; c < made->columns; c++)
    column[c] = c < kept ? (const double *)values->data + (uint64_t)c * ids->rows
                         : (const double *)before->data + (uint64_t)(c - kept) * ids->rows;
  return bond_list_add(made, table, (int64_t)ids->rows, ids->data, column);
}

floc_status laws_read_bonds(laws *all, const particles *table, const section_list *list, bond_list ***made,
                            size_t *capacity)
{
  const law *one;
  for (int32_t n = 0; (one = bonded_law(all, n)); n++) {
    floc_status status = array_reserve(all->env, (void **)made, capacity, (size_t)n + 1, sizeof **made);
    if (status == FLOC_OK)
      status = bond_list_create(all->env, one->bonds->members, one->bonds->columns, &(*made)[n]);
    if (status == FLOC_OK) status = read_law(all, one, table, list, (*made)[n]);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

void laws_take_bonds(laws *all, bond_list **made)
{
  law *one;
  for (int32_t n = 0; (one = bonded_law(all, n)); n++) {
    bond_list *old = one->bonds;
    one->bonds = made[n];
    made[n] = old;
  }
}

void laws_free_bonds(laws *all, bond_list ***made, size_t *capacity)
{
  for (size_t n = 0; n < *capacity; n++) bond_list_destroy((*made)[n]);
  array_free(all->env, (void **)made, capacity, sizeof **made);
}
