/*
 * What a law is given and gives, pair by pair, for the host (floc_law_get_pairs): one evaluation of the present
 * state, in which nothing changes. While the law runs, its blocks (geometry, inputs, outputs) are copied to columns
 * by entry of the neighbour list; entries that are not in range are marked by their absence from in_range.
 * Afterwards the entries in range are gathered, with ids, memory and tangential vectors, which need no copy.
 *
 * Memory: record->values[column][entry]; the columns that the host gets are [column][row], in the order of the
 * list.
 */
#include "laws/laws_internal.h"

#include <stdio.h>
#include <string.h>

typedef enum record_kind {
  RECORD_ID_I,
  RECORD_ID_J,
  RECORD_MEMBER, /* of an angle */
  RECORD_ID,
  RECORD_BODY,
  RECORD_SHAPE,
  RECORD_TANGENTIAL, /* a component of the whole tangential force */
  RECORD_MEMORY,
  /* from here on known during the evaluation alone */
  RECORD_DISTANCE,
  RECORD_OVERLAP,
  RECORD_NORMAL, /* a component of the normal */
  RECORD_ANGLE,
  RECORD_SIDE,
  RECORD_INPUT,
  RECORD_OUTPUT
} record_kind;

/* ---- names ---- */

static const struct known_name {
  const char *name;
  int32_t of; /* kind of laws; 0: pair and wall */
  record_kind kind;
  int32_t number;
} known_names[] = {
    {"id_i", FLOC_LAW_PAIR, RECORD_ID_I, 0},
    {"id_j", FLOC_LAW_PAIR, RECORD_ID_J, 0},
    {"id", FLOC_LAW_WALL, RECORD_ID, 0},
    {"body", FLOC_LAW_WALL, RECORD_BODY, 0},
    {"shape", FLOC_LAW_WALL, RECORD_SHAPE, 0},
    {"distance", 0, RECORD_DISTANCE, 0},
    {"overlap", 0, RECORD_OVERLAP, 0},
    {"normal_x", 0, RECORD_NORMAL, 0},
    {"normal_y", 0, RECORD_NORMAL, 1},
    {"normal_z", 0, RECORD_NORMAL, 2},
    {"tangential_x", 0, RECORD_TANGENTIAL, 0},
    {"tangential_y", 0, RECORD_TANGENTIAL, 1},
    {"tangential_z", 0, RECORD_TANGENTIAL, 2},
    {"id_i", FLOC_LAW_ANGLE, RECORD_MEMBER, 0},
    {"id_j", FLOC_LAW_ANGLE, RECORD_MEMBER, 1},
    {"id_k", FLOC_LAW_ANGLE, RECORD_MEMBER, 2},
    {"angle", FLOC_LAW_ANGLE, RECORD_ANGLE, 0},
    {"distance_ij", FLOC_LAW_ANGLE, RECORD_SIDE, 0},
    {"distance_jk", FLOC_LAW_ANGLE, RECORD_SIDE, 1},
    {"distance_ik", FLOC_LAW_ANGLE, RECORD_SIDE, 2},
};
enum { KNOWN_NAMES = sizeof known_names / sizeof *known_names };

static bool is_of(const struct known_name *known, const law *one)
{
  if (known->kind == RECORD_TANGENTIAL && !one->has_tangential) return false;
  return known->of == one->kind || (known->of == 0 && one->kind != FLOC_LAW_ANGLE);
}

/* The law's own memory, then what belongs to every pair, then what the law gives and is given. */
static bool find_name(const law *one, const char *name, struct record_column *column)
{
  for (int32_t k = 0; k < one->memory_count; k++)
    if (strcmp(name, one->memory[k].name) == 0) return *column = (struct record_column){RECORD_MEMORY, k}, true;
  for (int k = 0; k < KNOWN_NAMES; k++)
    if (strcmp(name, known_names[k].name) == 0 && is_of(&known_names[k], one))
      return *column = (struct record_column){known_names[k].kind, known_names[k].number}, true;
  for (int32_t k = 0; k < one->output_count; k++)
    if (strcmp(name, one->output_name[k]) == 0) return *column = (struct record_column){RECORD_OUTPUT, k}, true;
  for (int32_t k = 0; k < one->input_count; k++)
    if (strcmp(name, one->input_name[k]) == 0) return *column = (struct record_column){RECORD_INPUT, k}, true;
  return false;
}

static floc_status refuse_name(environment *env, const law *one, const char *name)
{
  char known[MESSAGE_SIZE];
  size_t used = 0, room = sizeof known - 100;
  known[0] = '\0';
  for (int k = 0; k < KNOWN_NAMES && used < room; k++)
    if (is_of(&known_names[k], one))
      used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", known_names[k].name);
  for (int32_t k = 0; k < one->output_count && used < room; k++)
    used += (size_t)snprintf(known + used, sizeof known - used, ", %s", one->output_name[k]);
  for (int32_t k = 0; k < one->input_count && used < room; k++)
    used += (size_t)snprintf(known + used, sizeof known - used, ", %s", one->input_name[k]);
  return refuse(env, FLOC_NOT_FOUND, "%s: its pairs have no \"%.40s\"; known are: %.360s", one->name, name, known);
}

floc_status laws_record_resolve(const laws *all, environment *env, int32_t kind, int32_t number,
                                const char *const *names, int32_t count, law_record *record)
{
  if (kind != FLOC_LAW_PAIR && kind != FLOC_LAW_WALL && kind != FLOC_LAW_ANGLE)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "kind is %d; it must be FLOC_LAW_PAIR (%d), FLOC_LAW_WALL (%d) or FLOC_LAW_ANGLE (%d)", kind,
                  FLOC_LAW_PAIR, FLOC_LAW_WALL, FLOC_LAW_ANGLE);
  if (number < 0 || number >= all->of[kind].count)
    return refuse(env, FLOC_INVALID_ARGUMENT, "law is %d; there are %d of this kind, from 0", number,
                  all->of[kind].count);
  if (count < 1 || count > LAW_RECORD_LIMIT || !names)
    return refuse(env, FLOC_INVALID_ARGUMENT, "name_count is %d; it must be 1 to %d", count, LAW_RECORD_LIMIT);
  const law *one = &all->of[kind].item[number];
  if (one->everywhere)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "%s: the law acts on all pairs, which are not stored; give it a shorter range", one->name);
  memset(record, 0, sizeof *record);
  record->kind = kind;
  record->number = number;
  record->count = count;
  for (int32_t k = 0; k < count; k++) {
    if (!names[k]) return refuse(env, FLOC_INVALID_ARGUMENT, "names[%d] is NULL", k);
    if (!find_name(one, names[k], &record->column[k])) return refuse_name(env, one, names[k]);
  }
  return FLOC_OK;
}

/* ---- the evaluation ---- */

static const pair_list *list_of(const laws *all, const law_record *record, const neighbors *near)
{
  const law *which = &all->of[record->kind].item[record->number];
  if (which->bonds) return &which->bonds->pairs;
  return record->kind == FLOC_LAW_PAIR ? neighbors_pairs(near) : neighbors_walls(near);
}

static bool wants(const law_record *record, record_kind kind)
{
  for (int32_t k = 0; k < record->count; k++)
    if (record->column[k].kind == (int32_t)kind) return true;
  return false;
}

static double *zeros(arena *scratch, size_t count)
{
  double *made = arena_allocate(scratch, count, sizeof *made);
  if (made && count > 0) memset(made, 0, count * sizeof *made);
  return made;
}

floc_status laws_record_make_room(const laws *all, law_record *record, const neighbors *near, arena *scratch)
{
  const size_t count = (size_t)list_of(all, record, near)->count;
  bool made = (record->in_range = arena_allocate(scratch, count, 1)) != NULL;
  if (made && count > 0) memset(record->in_range, 0, count);
  for (int32_t k = 0; k < record->count && made; k++)
    if (record->column[k].kind >= RECORD_DISTANCE)
      made = (record->values[k] = arena_allocate(scratch, count, sizeof(double))) != NULL;
  if (!made || !wants(record, RECORD_TANGENTIAL)) return made ? FLOC_OK : FLOC_OUT_OF_MEMORY;
  const int which = record->kind == FLOC_LAW_PAIR ? 0 : 1;
  made = (record->forces.normal[which] = zeros(scratch, count)) != NULL;
  for (int axis = 0; axis < all->dimension && made; axis++)
    made = (record->forces.tangential[which][axis] = zeros(scratch, count)) != NULL;
  return made ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

void laws_record_begin(laws *all, law_record *record)
{
  all->record = record;
}

void laws_record_end(laws *all)
{
  all->record = NULL;
}

static void put(double *to, const record_rows *rows, const double *values)
{
  for (int32_t row = 0; row < rows->count; row++) to[rows->entry[row]] = values[row];
}

static void put_one(double *to, const record_rows *rows, double value)
{
  for (int32_t row = 0; row < rows->count; row++) to[rows->entry[row]] = value;
}

static void put_column(const law *which, const struct record_column *column, const record_rows *rows,
                       const law_block *block, double *to)
{
  const int32_t number = column->number;
  switch ((record_kind)column->kind) {
  case RECORD_DISTANCE:
    put(to, rows, rows->distance);
    break;
  case RECORD_OVERLAP:
    for (int32_t row = 0; row < rows->count; row++) to[rows->entry[row]] = rows->reach[row] - rows->distance[row];
    break;
  case RECORD_NORMAL:
    if (rows->normal[number])
      put(to, rows, rows->normal[number]);
    else
      put_one(to, rows, 0.0);
    break;
  case RECORD_ANGLE:
    put(to, rows, rows->angle);
    break;
  case RECORD_SIDE:
    put(to, rows, rows->side[number]);
    break;
  case RECORD_INPUT: /* those that are the same for all are one number for programs */
    if (which->code && which->input[number].kind >= INPUT_TIME)
      put_one(to, rows, block->from[number][0]);
    else
      put(to, rows, block->from[number]);
    break;
  default:
    put(to, rows, block->output[number]);
    break;
  }
}

void law_record_block(const laws *all, const law *which, const record_rows *rows, const law_block *block)
{
  const law_record *record = all->record;
  for (int32_t row = 0; row < rows->count; row++) record->in_range[rows->entry[row]] = 1;
  for (int32_t k = 0; k < record->count; k++)
    if (record->values[k]) put_column(which, &record->column[k], rows, block, record->values[k]);
}

floc_status laws_record_evaluate(laws *all, const laws_moment *at, bool again, law_record *record, arena *scratch)
{
  laws_observe(all,
               &(laws_view){.again = again, .forces = wants(record, RECORD_TANGENTIAL) ? &record->forces : NULL});
  laws_record_begin(all, record);
  floc_status status = laws_apply(all, at, scratch);
  laws_record_end(all);
  laws_end_observation(all);
  return status;
}

/* ---- what the host gets ---- */

floc_status laws_record_find_rows(const laws *all, law_record *record, const neighbors *near, arena *scratch)
{
  const int64_t entries = list_of(all, record, near)->count;
  record->row = arena_allocate(scratch, (size_t)entries + 1, sizeof *record->row);
  if (!record->row) return FLOC_OUT_OF_MEMORY;
  int64_t rows = 0;
  for (int64_t k = 0; k < entries; k++) {
    record->row[rows] = (int32_t)k;
    rows += record->in_range[k];
  }
  record->rows = rows;
  return FLOC_OK;
}

/* Where the record's column has its numbers by entry; NULL: they are made from the list. */
static const double *source_of(const law_record *record, const law *which, const pair_list *list, int32_t column)
{
  const struct record_column *of = &record->column[column];
  if (record->values[column]) return record->values[column];
  if (of->kind == RECORD_MEMORY) return list->memory[which->memory[of->number].now];
  return of->kind == RECORD_TANGENTIAL
             ? record->forces.tangential[record->kind == FLOC_LAW_PAIR ? 0 : 1][of->number]
             : NULL;
}

/* The smaller id of an entry is i's. */
static void gather_ids(const struct record_column *column, const particles *table, const pair_list *list,
                       const int32_t *row, int64_t rows, double *to, size_t step)
{
  const bool smaller = column->kind == RECORD_ID_I;
  for (int64_t k = 0; k < rows; k++, to += step) {
    const int64_t a = table->id[list->first[row[k]]], b = table->id[list->second[row[k]]];
    *to = (double)((a < b) == smaller ? a : b);
  }
}

static void gather_members(const law *which, int32_t member, const particles *table, const int32_t *row,
                           int64_t rows, double *to, size_t step)
{
  const int32_t *const slot[3] = {which->bonds->pairs.first, which->bonds->pairs.second, which->bonds->third};
  for (int64_t k = 0; k < rows; k++, to += step) *to = (double)table->id[slot[member][row[k]]];
}

static void gather_walls(const struct record_column *column, const particles *table, const bodies *obstacles,
                         const pair_list *list, const int32_t *row, int64_t rows, double *to, size_t step)
{
  for (int64_t k = 0; k < rows; k++, to += step) {
    const shape *surface = &obstacles->world[list->second[row[k]]];
    *to = column->kind == RECORD_BODY    ? surface->body + 1.0 /* as the law's input */
          : column->kind == RECORD_SHAPE ? surface->index + 1.0
                                         : (double)table->id[list->first[row[k]]];
  }
}

/* Tangential forces lie as what acts on the second particle of the entry; the host gets that on j. */
static void turn_round(const particles *table, const pair_list *list, const int32_t *row, int64_t rows, double *to,
                       size_t step)
{
  for (int64_t k = 0; k < rows; k++, to += step)
    if (table->id[list->first[row[k]]] > table->id[list->second[row[k]]]) *to = -*to;
}

static void gather_numbers(const double *from, const int32_t *row, int64_t rows, double *to, size_t step)
{
  if (step == 1)
    for (int64_t k = 0; k < rows; k++) to[k] = from[row[k]];
  else
    for (int64_t k = 0; k < rows; k++, to += step) *to = from[row[k]];
}

void laws_record_gather(const laws *all, const law_record *record, const particles *table, const bodies *obstacles,
                        const neighbors *near, const column_target *target)
{
  const pair_list *list = list_of(all, record, near);
  const law *which = &all->of[record->kind].item[record->number];
  const int64_t rows = record->rows < target->capacity ? record->rows : target->capacity;
  const size_t step = target->stride / sizeof(double);
  for (int32_t c = 0; c < record->count; c++) {
    const struct record_column *column = &record->column[c];
    double *to = target->columns[c];
    const double *from = source_of(record, which, list, c);
    if (column->kind == RECORD_ID_I || column->kind == RECORD_ID_J)
      gather_ids(column, table, list, record->row, rows, to, step);
    else if (column->kind == RECORD_MEMBER)
      gather_members(which, column->number, table, record->row, rows, to, step);
    else if (column->kind < RECORD_TANGENTIAL)
      gather_walls(column, table, obstacles, list, record->row, rows, to, step);
    else if (from)
      gather_numbers(from, record->row, rows, to, step);
    else /* a component beyond the dimension */
      for (int64_t k = 0; k < rows; k++) to[(size_t)k * step] = 0.0;
    if (from && column->kind == RECORD_TANGENTIAL && record->kind == FLOC_LAW_PAIR)
      turn_round(table, list, record->row, rows, to, step);
  }
}
