/*
 * What lies between particles as columns of numbers, by name: pairs of one law, contacts of all, neighbours. Of
 * laws and contacts a caller that counts first and copies with the next call gets what was counted; in between the
 * columns lie in the world.
 *
 * Host: columns[k] points to the first number of names[k], the next is stride bytes further: an array of its own
 * (stride sizeof(double)), or a member of an array of structs.
 */
#include "world.h"

#include "measures/statistics/pair_rows.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

floc_status world_check_target(environment *env, const column_target *to, int32_t name_count, const int64_t *count)
{
  if (!count || to->capacity < 0 || (!to->columns && to->capacity > 0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "columns or count is NULL, or capacity is below 0");
  if (to->capacity > 0 && (to->stride < sizeof(double) || to->stride % sizeof(double) != 0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "stride is %zu; it must be a multiple of %zu", to->stride,
                  sizeof(double));
  for (int32_t k = 0; k < name_count && to->capacity > 0; k++)
    if (!to->columns[k]) return refuse(env, FLOC_INVALID_ARGUMENT, "columns[%d] is NULL", k);
  return FLOC_OK;
}

/* "id_i, id_j, distance" */
static void list_names(const char *const *known, int32_t count, char *text, size_t size)
{
  size_t used = 0;
  for (int32_t k = 0; k < count && used < size; k++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", known[k]);
}

floc_status world_resolve_names(environment *env, const char *what, const char *const *known, int32_t known_count,
                                const char *const *names, int32_t count, int32_t *number)
{
  if (count < 1 || count > known_count || !names)
    return refuse(env, FLOC_INVALID_ARGUMENT, "name_count is %d; it must be 1 to %d", count, known_count);
  for (int32_t k = 0; k < count; k++) {
    if (!names[k]) return refuse(env, FLOC_INVALID_ARGUMENT, "names[%d] is NULL", k);
    for (number[k] = 0; number[k] < known_count; number[k]++)
      if (strcmp(names[k], known[number[k]]) == 0) break;
    if (number[k] < known_count) continue;
    char list[300];
    list_names(known, known_count, list, sizeof list);
    return refuse(env, FLOC_NOT_FOUND, "%s have no \"%.40s\"; known are: %s", what, names[k], list);
  }
  return FLOC_OK;
}

/* ---- laws ---- */

/* Schemes with soft contacts evaluate laws where the step did; others have no forces of their own, and the laws are
 * asked about the present state. */
static floc_status evaluate(floc_world *world, law_record *record, neighbors **near, neighbors **made)
{
  observed_forces unused = {.on_particle = {NULL}};
  *made = NULL;
  if (world->method.observe) return world_observe(world, record, false, 0.0, near, made, &unused);
  particles copy;
  floc_status status = world_present_lists(world, laws_range(world->forces), near, made);
  if (status == FLOC_OK) status = world_copy_table(world, &copy);
  if (status == FLOC_OK) status = laws_record_make_room(world->forces, record, *near, &world->scratch);
  if (status != FLOC_OK) return status;
  laws_moment moment = world_moment(world, &copy, *near);
  return laws_record_evaluate(world->forces, &moment, world->laws_again, record, &world->scratch);
}

/* To the host, or into the world for the call after this one. */
static floc_status keep_pairs(floc_world *world, law_record *record, const neighbors *near, const column_target *to)
{
  if (to->capacity > 0) {
    laws_record_gather(world->forces, record, &world->table, &world->obstacles, near, to);
    return FLOC_OK;
  }
  floc_status status = array_reserve(&world->env, (void **)&world->pair_columns, &world->pair_columns_capacity,
                                     (size_t)record->rows * (size_t)record->count, sizeof(double));
  if (status != FLOC_OK) return status;
  double *columns[LAW_RECORD_LIMIT];
  for (int32_t k = 0; k < record->count; k++) columns[k] = world->pair_columns + k * record->rows;
  const column_target all = {columns, sizeof(double), record->rows};
  laws_record_gather(world->forces, record, &world->table, &world->obstacles, near, &all);
  return FLOC_OK;
}

static floc_status find_pairs(floc_world *world, law_record *record, const column_target *to)
{
  world->energies_hold = false; /* those of laws that are left out, or only looked at */
  neighbors *near, *made;
  arena_mark here = arena_here(&world->scratch);
  floc_status status = evaluate(world, record, &near, &made);
  if (status == FLOC_OK) status = laws_record_find_rows(world->forces, record, near, &world->scratch);
  if (status == FLOC_OK) status = keep_pairs(world, record, near, to);
  neighbors_destroy(made);
  arena_return(&world->scratch, here);
  return status;
}

static void copy_counted(const floc_world *world, const column_target *to)
{
  const law_record *counted = &world->pairs_counted;
  const int64_t rows = counted->rows, wanted = to->capacity < rows ? to->capacity : rows;
  const double *from = world->pair_columns;
  for (int32_t k = 0; k < counted->count; k++, from += rows)
    for (int64_t row = 0; row < wanted; row++) *column_place(to, k, row) = from[row];
}

static bool is_counted(const floc_world *world, const law_record *record)
{
  const law_record *counted = &world->pairs_counted;
  return world->pairs_call > 0 && world->pairs_call + 1 == world->calls && counted->kind == record->kind &&
         counted->number == record->number && counted->count == record->count &&
         memcmp(counted->column, record->column, sizeof record->column) == 0;
}

void world_forget_pairs(floc_world *world)
{
  array_free(&world->env, (void **)&world->pair_columns, &world->pair_columns_capacity, sizeof(double));
}

floc_status floc_law_get_pairs(floc_world *world, int32_t kind, int32_t law, const char *const *names,
                               int32_t name_count, double *const *columns, size_t stride, int64_t capacity,
                               int64_t *count)
{
  WORLD_ENTER(world);
  const column_target to = {columns, stride, capacity};
  law_record record;
  floc_status status = laws_record_resolve(world->forces, &world->env, kind, law, names, name_count, &record);
  if (status == FLOC_OK) status = world_check_target(&world->env, &to, name_count, count);
  if (status != FLOC_OK) return status;
  if (capacity > 0 && is_counted(world, &record)) {
    copy_counted(world, &to);
    record.rows = world->pairs_counted.rows;
  } else {
    status = find_pairs(world, &record, &to);
  }
  if (status != FLOC_OK) return status;
  *count = record.rows;
  world->pairs_counted = record;
  world->pairs_call = capacity == 0 ? world->calls : 0;
  if (capacity > 0) world_forget_pairs(world);
  return FLOC_OK;
}

/* ---- contacts ---- */

static const char *const contact_names[] = {[CONTACT_ID_I] = "id_i",
                                            [CONTACT_ID_J] = "id_j",
                                            [CONTACT_BODY] = "body",
                                            [CONTACT_SHAPE] = "shape",
                                            [CONTACT_DISTANCE] = "distance",
                                            [CONTACT_IMPULSE] = "impulse",
                                            [CONTACT_GAMMA] = "gamma",
                                            [CONTACT_POINT] = "point_x",
                                            "point_y",
                                            "point_z",
                                            [CONTACT_NORMAL] = "normal_x",
                                            "normal_y",
                                            "normal_z",
                                            [CONTACT_FRICTION] = "friction_x",
                                            "friction_y",
                                            "friction_z",
                                            [CONTACT_MOMENT] = "moment_x",
                                            "moment_y",
                                            "moment_z"};
_Static_assert(sizeof contact_names / sizeof *contact_names == CONTACT_COLUMNS, "a name for each column");

static floc_status resolve_names(environment *env, const char *const *names, int32_t count, int32_t *number)
{
  if (count < 1 || count > CONTACT_COLUMNS || !names)
    return refuse(env, FLOC_INVALID_ARGUMENT, "name_count is %d; it must be 1 to %d", count, CONTACT_COLUMNS);
  for (int32_t k = 0; k < count; k++) {
    if (!names[k]) return refuse(env, FLOC_INVALID_ARGUMENT, "names[%d] is NULL", k);
    for (number[k] = 0; number[k] < CONTACT_COLUMNS; number[k]++)
      if (strcmp(names[k], contact_names[number[k]]) == 0) break;
    if (number[k] == CONTACT_COLUMNS)
      return refuse(env, FLOC_NOT_FOUND,
                    "contacts have no \"%.40s\"; known are: id_i, id_j, body, shape, distance, impulse, gamma, "
                    "point_x, normal_x, friction_x, moment_x (_y, _z)",
                    names[k]);
  }
  return FLOC_OK;
}

/* Writes contacts as rows behind those before, as far as they fit, and counts them. */
typedef struct contact_columns {
  const column_target *to;
  const int32_t *number;
  int32_t count;
  int64_t rows;
} contact_columns;

static void write_rows(void *context, const contact_block *block)
{
  contact_columns *columns = context;
  const int64_t room = columns->to->capacity - columns->rows, wanted = block->count < room ? block->count : room;
  const size_t step = columns->to->stride / sizeof(double);
  for (int32_t k = 0; k < columns->count && wanted > 0; k++) {
    const double *from = block->column[columns->number[k]];
    double *to = column_place(columns->to, k, columns->rows);
    for (int64_t row = 0; row < wanted; row++) to[(size_t)row * step] = from[row];
  }
  columns->rows += block->count;
}

/* What was counted before, again as blocks. */
static void write_counted(const floc_world *world, contact_columns *columns)
{
  for (int64_t first = 0; first < world->found_count; first += LOOK_BLOCK) {
    contact_block block = {.count = 0};
    for (; block.count < LOOK_BLOCK && first + block.count < world->found_count; block.count++)
      contact_to_block(&world->found_contacts[first + block.count], block.count, &block);
    write_rows(columns, &block);
  }
}

/* A caller that counts first gets with the next call what was counted; one that brings memory at once spares that.
 */
static floc_status find_columns(floc_world *world, contact_columns *columns)
{
  if (columns->to->capacity > 0 && !world_has_counted(world)) {
    contact_wants wants = 0;
    for (int32_t k = 0; k < columns->count; k++) wants |= 1u << columns->number[k];
    return world_visit_contacts(world, wants, write_rows, columns);
  }
  floc_status status = world_count_contacts(world, columns->to->capacity);
  if (status == FLOC_OK) write_counted(world, columns);
  return status;
}

floc_status floc_world_get_contact_columns(floc_world *world, const char *const *names, int32_t name_count,
                                           double *const *columns, size_t stride, int64_t capacity, int64_t *count)
{
  WORLD_ENTER(world);
  const column_target to = {columns, stride, capacity};
  int32_t number[CONTACT_COLUMNS];
  floc_status status = resolve_names(&world->env, names, name_count, number);
  if (status == FLOC_OK) status = world_check_target(&world->env, &to, name_count, count);
  if (status != FLOC_OK) return status;
  contact_columns found = {&to, number, name_count, 0};
  status = find_columns(world, &found);
  if (status != FLOC_OK) return status;
  *count = found.rows;
  world->found_call = capacity == 0 ? world->calls : 0;
  return FLOC_OK;
}

/* ---- neighbours ---- */

static const char *const neighbour_names[] = {"id_i", "id_j", "distance", "gap", "x", "y", "z"}; /* as pair_row */
enum { NEIGHBOUR_NAMES = sizeof neighbour_names / sizeof *neighbour_names };
_Static_assert(sizeof(pair_row) == NEIGHBOUR_NAMES * sizeof(double), "a name for each number of a pair_row");

floc_status world_find_neighbours(floc_world *world, const floc_pairs_options *options, pair_rows *rows)
{
  environment *env = &world->env;
  floc_status round = world_need_round(world, "neighbours");
  if (round != FLOC_OK) return round;
  if (options->particle > 0) return pair_rows_of_one(env, &world->table, &world->box, options, rows);
  neighbors *near, *made;
  arena_mark here = arena_here(&world->scratch);
  floc_status status = world_present_lists(world, pair_rows_range(&world->table, options), &near, &made);
  if (status == FLOC_OK)
    status = pair_rows_of_all(env, &world->table, &world->box, neighbors_pairs(near), options, rows);
  neighbors_destroy(made);
  arena_return(&world->scratch, here);
  return status;
}

floc_status floc_world_get_pairs(floc_world *world, const floc_pairs_options *options, const char *const *names,
                                 int32_t name_count, double *const *columns, size_t stride, int64_t capacity,
                                 int64_t *count)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, pairs_options, options);
  const column_target to = {columns, stride, capacity};
  int32_t number[NEIGHBOUR_NAMES];
  pair_rows rows;
  floc_status status = pair_rows_check(&world->env, options);
  if (status == FLOC_OK)
    status = world_resolve_names(&world->env, "pairs of neighbours", neighbour_names, NEIGHBOUR_NAMES, names,
                                 name_count, number);
  if (status == FLOC_OK) status = world_check_target(&world->env, &to, name_count, count);
  if (status == FLOC_OK) status = world_find_neighbours(world, options, &rows);
  if (status != FLOC_OK) return status;
  const int64_t wanted = capacity < rows.count ? capacity : rows.count;
  for (int32_t k = 0; k < name_count; k++)
    for (int64_t row = 0; row < wanted; row++)
      *column_place(&to, k, row) = ((const double *)&rows.row[row])[number[k]];
  *count = rows.count;
  pair_rows_free(&rows);
  return FLOC_OK;
}
