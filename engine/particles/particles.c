/*
 * The particle table. See particles.h for how the data lies in memory.
 *
 * All arrays of the table (columns, id, slot) have elements of eight bytes and the same capacity, so a
 * reordering can gather one array into another and let them change places: particles_permute() needs no
 * memory and cannot fail. The array of slots, which is rebuilt from the ranks in the end, is the first
 * free place.
 */
#include "particles/particles.h"

#include "particles/owned.h"
#include "particles/radii.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(double) == sizeof(int64_t), "particles_permute swaps columns and ids");

/* Number: optional_column. */
static const struct {
  const char *name, *former;
  bool owed;
} optional_columns[] = {
#define X(name, former, moves, owed) {#name, former, owed},
    OPTIONAL_COLUMNS(X)
#undef X
};

void particles_init(particles *table, environment *env)
{
  static const char *const builtin[] = {
#define X(name, moves) #name,
      PARTICLE_COLUMNS(X)
#undef X
  };
  *table = (particles){.env = env, .column_count = BUILTIN_COLUMN_COUNT};
  for (int32_t k = 0; k < BUILTIN_COLUMN_COUNT; k++) strncpy(table->name[k], builtin[k], COLUMN_NAME_SIZE - 1);
  for (int k = 0; k < OPTIONAL_COLUMN_COUNT; k++) table->optional[k] = -1;
}

void particles_free(particles *table)
{
  size_t bytes = (size_t)table->capacity * sizeof(double);
  for (int32_t k = 0; k < table->column_count; k++) memory_free(table->env, table->column[k], bytes);
  memory_free(table->env, table->id, bytes);
  memory_free(table->env, table->slot, bytes);
  if (table->rank) memory_free(table->env, table->rank, bytes);
  particles_forget_ghosts(table);
  array_free(table->env, (void **)&table->staging, &table->staging_capacity, sizeof(double));
  grain_shapes_free(table->env, &table->shapes);
  particles_init(table, table->env);
}

/* ---- grains of other shapes ---- */

floc_status particles_need_shapes(particles *table, int32_t dimension)
{
  floc_status status = particles_need(table, OPTIONAL_shape, false);
  if (status == FLOC_OK) status = particles_need(table, OPTIONAL_rounding, false);
  return status == FLOC_OK ? particles_need_orientation(table, dimension) : status;
}

double particles_volume(const particles *table, int32_t dimension, int64_t i)
{
  const grain_shape *shape = particles_shape(table, i);
  const double radius = table->column[COLUMN_radius][i];
  if (shape) return grain_volume(shape, dimension, radius, particles_optional(table, OPTIONAL_rounding)[i]);
  return sphere_volume(radius, dimension);
}

double particles_shape_factor(const particles *table, int32_t dimension, int64_t i)
{
  const grain_shape *shape = particles_shape(table, i);
  const double radius = table->column[COLUMN_radius][i], rounding = particles_optional(table, OPTIONAL_rounding)[i];
  return grain_kinds[shape->kind].moment(shape, dimension, radius, rounding) /
         (grain_volume(shape, dimension, radius, rounding) * radius * radius);
}

/* ---- growing and shrinking ---- */

static int64_t grown_capacity(const particles *table, int64_t count)
{
  int64_t grown = table->capacity + table->capacity / 2;
  if (grown < count) grown = count;
  if (grown < 16) grown = 16;
  return grown < PARTICLE_LIMIT ? grown : PARTICLE_LIMIT;
}

/* The new arrays are all there before the first old one goes, so a refused one leaves the table whole. */
static floc_status grow(particles *table, int64_t capacity)
{
  enum { ID = COLUMN_LIMIT, SLOT, RANK, ARRAY_LIMIT };
  void **place[ARRAY_LIMIT];
  void *larger[ARRAY_LIMIT];
  int32_t array_count = 0;
  for (int32_t k = 0; k < table->column_count; k++) place[array_count++] = (void **)&table->column[k];
  place[array_count++] = (void **)&table->id;
  place[array_count++] = (void **)&table->slot;
  if (table->rank) place[array_count++] = (void **)&table->rank;
  size_t bytes = (size_t)capacity * sizeof(double);
  uint8_t *ghost = table->ghost ? memory_resize(table->env, NULL, 0, (size_t)capacity) : NULL;
  for (int32_t k = 0; k < array_count; k++) {
    larger[k] = memory_resize(table->env, NULL, 0, bytes);
    if (larger[k] && (ghost || !table->ghost)) continue;
    memory_free(table->env, larger[k], bytes);
    while (k > 0) memory_free(table->env, larger[--k], bytes);
    memory_free(table->env, ghost, (size_t)capacity);
    return refuse(table->env, FLOC_OUT_OF_MEMORY, "out of memory: %d columns of %" PRId64 " particles were refused",
                  (int)array_count, capacity);
  }
  for (int32_t k = 0; k < array_count; k++) {
    if (table->count > 0) memcpy(larger[k], *place[k], (size_t)table->count * sizeof(double));
    memory_free(table->env, *place[k], (size_t)table->capacity * sizeof(double));
    *place[k] = larger[k];
  }
  if (ghost) {
    memcpy(ghost, table->ghost, (size_t)table->count);
    memory_free(table->env, table->ghost, (size_t)table->capacity);
    table->ghost = ghost;
  }
  table->capacity = capacity;
  return FLOC_OK;
}

floc_status particles_reserve(particles *table, int64_t count)
{
  if (count <= table->capacity) return FLOC_OK;
  if (count > PARTICLE_LIMIT) {
    return refuse(table->env, FLOC_LIMIT_EXCEEDED, "%" PRId64 " particles are too many; the limit is %d", count,
                  PARTICLE_LIMIT);
  }
  return grow(table, grown_capacity(table, count));
}

floc_status particles_append(particles *table, int64_t *id)
{
  floc_status status = particles_reserve(table, table->count + 1);
  if (status != FLOC_OK) return status;
  if (table->last_id == PARTICLE_LIMIT)
    return refuse(table->env, FLOC_LIMIT_EXCEEDED,
                  "all %d ids are used; those of particles that were removed are not given again", PARTICLE_LIMIT);
  int64_t slot = table->count++;
  for (int32_t k = 0; k < table->column_count; k++) table->column[k][slot] = table->initial[k];
  table->id[slot] = ++table->last_id;
  table->slot[slot] = slot;
  if (table->rank) table->rank[slot] = slot;
  if (table->ghost) table->ghost[slot] = 0;
  if (id) *id = table->last_id;
  return FLOC_OK;
}

void particles_truncate(particles *table, int64_t count)
{
  if (count >= table->count) return;
  int64_t kept = 0;
  EACH_SLOT(slot, table) { /* the newest may lie anywhere after a reordering */
    const int64_t rank = particles_rank(table, slot);
    if (rank >= count) continue;
    for (int32_t k = 0; k < table->column_count; k++) table->column[k][kept] = table->column[k][slot];
    table->id[kept] = table->id[slot];
    table->slot[rank] = kept;
    if (table->rank) table->rank[kept] = rank;
    if (table->ghost) table->ghost[kept] = table->ghost[slot];
    kept++;
  }
  table->last_id -= table->count - kept;
  table->count = kept;
}

floc_status particles_prepare_removal(particles *table)
{
  if (table->rank || table->capacity == 0) return FLOC_OK;
  size_t bytes = (size_t)table->capacity * sizeof *table->rank;
  table->rank = memory_resize(table->env, NULL, 0, bytes);
  if (!table->rank) return refuse(table->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  EACH_SLOT(slot, table) table->rank[slot] = table->id[slot] - 1;
  return FLOC_OK;
}

void particles_remove(particles *table, const int32_t *new_slot)
{
  int64_t kept = 0;
  EACH_RANK(rank, table) {
    const int32_t to = new_slot[table->slot[rank]];
    if (to < 0) continue;
    table->rank[to] = kept;
    table->slot[kept++] = to;
  }
  for (int32_t k = 0; k < table->column_count; k++)
    EACH_SLOT(slot, table)
      if (new_slot[slot] >= 0) table->column[k][new_slot[slot]] = table->column[k][slot];
  EACH_SLOT(slot, table)
    if (new_slot[slot] >= 0) table->id[new_slot[slot]] = table->id[slot];
  EACH_SLOT(slot, table)
    if (table->ghost && new_slot[slot] >= 0) table->ghost[new_slot[slot]] = table->ghost[slot];
  table->count = kept;
}

/* Slots in the order of ids, by their digits. */
static void sort_by_ids(const int64_t *ids, int64_t count, int64_t *slot, int64_t *spare)
{
  enum { DIGIT = 11, VALUES = 1 << DIGIT, DIGITS = 3 };
  for (int64_t k = 0; k < count; k++) slot[k] = k;
  for (int digit = 0; digit < DIGITS; digit++) {
    int64_t start[VALUES] = {0}, sum = 0;
    for (int64_t k = 0; k < count; k++) start[ids[k] >> (DIGIT * digit) & (VALUES - 1)]++;
    for (int value = 0; value < VALUES; value++) {
      const int64_t here = start[value];
      start[value] = sum;
      sum += here;
    }
    for (int64_t k = 0; k < count; k++) spare[start[ids[slot[k]] >> (DIGIT * digit) & (VALUES - 1)]++] = slot[k];
    memcpy(slot, spare, (size_t)count * sizeof *slot);
  }
}

floc_status particles_take_rows(particles *table, int64_t count, const int64_t *ids)
{
  floc_status status = particles_reserve(table, count);
  if (status == FLOC_OK) status = particles_prepare_removal(table);
  if (status != FLOC_OK || count == 0) {
    if (status == FLOC_OK) table->count = 0;
    return status;
  }
  table->count = count;
  memcpy(table->id, ids, (size_t)count * sizeof *ids);
  sort_by_ids(ids, count, table->slot, table->rank);
  for (int64_t rank = 0; rank < count; rank++) table->rank[table->slot[rank]] = rank;
  return FLOC_OK;
}

/* ---- columns by name ---- */

/* By its name or its former one; OPTIONAL_COLUMN_COUNT: there is none. */
static int find_optional(const char *name, bool *formerly)
{
  for (int k = 0; k < OPTIONAL_COLUMN_COUNT; k++) {
    const char *former = optional_columns[k].former;
    *formerly = former && strcmp(former, name) == 0;
    if (*formerly || strcmp(optional_columns[k].name, name) == 0) return k;
  }
  return OPTIONAL_COLUMN_COUNT;
}

int32_t particles_find_column(const particles *table, const char *name)
{
  for (int32_t k = 0; k < table->column_count; k++)
    if (strcmp(table->name[k], name) == 0) return k;
  bool formerly;
  int which = find_optional(name, &formerly);
  return which < OPTIONAL_COLUMN_COUNT ? table->optional[which] : -1;
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_identifier(const char *name)
{
  if (!is_letter(name[0])) return false;
  for (const char *c = name + 1; *c; c++)
    if (!is_letter(*c) && !(*c >= '0' && *c <= '9')) return false;
  return true;
}

/* Laws know these as inputs of their own. */
static bool is_reserved(const char *name)
{
  return strcmp(name, "id") == 0 || strcmp(name, "time") == 0 || strcmp(name, "t") == 0;
}

static floc_status check_attribute(const particles *table, const char *name, double initial)
{
  environment *env = table->env;
  if (!name) return refuse(env, FLOC_INVALID_ARGUMENT, "the attribute's name is NULL; it must be an identifier");
  if (!is_identifier(name)) {
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "attribute \"%.60s\": a name consists of letters, digits and _, and does not begin with a digit",
                  name);
  }
  if (strlen(name) >= COLUMN_NAME_SIZE) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "attribute \"%.60s\" has %zu characters; at most %d are allowed",
                  name, strlen(name), COLUMN_NAME_SIZE - 1);
  }
  if (is_reserved(name)) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "attribute \"%s\": the names id, time and t are reserved", name);
  }
  int32_t known = particles_find_column(table, name);
  if (known >= 0) {
    return refuse(env, FLOC_ALREADY_EXISTS, "\"%s\" is %s already", name,
                  known < BUILTIN_COLUMN_COUNT ? "a built-in column" : "an attribute");
  }
  if (table->column_count == COLUMN_LIMIT) {
    return refuse(env, FLOC_LIMIT_EXCEEDED, "attribute \"%s\" would be column %d; the limit is %d", name,
                  COLUMN_LIMIT + 1, COLUMN_LIMIT);
  }
  if (!isfinite(initial)) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "attribute \"%s\": initial is %g; it must be finite", name, initial);
  }
  return FLOC_OK;
}

/* name: of table, files have another. */
static floc_status add_column(particles *table, const char *name, bool formerly, double initial)
{
  double *values = NULL;
  if (table->capacity > 0) {
    size_t bytes = (size_t)table->capacity * sizeof(double);
    values = memory_resize(table->env, NULL, 0, bytes);
    if (!values) {
      return refuse(table->env, FLOC_OUT_OF_MEMORY, "out of memory: attribute \"%s\" needs %zu bytes", name, bytes);
    }
  }
  EACH_SLOT(slot, table) values[slot] = initial;
  int32_t added = table->column_count++;
  memset(table->name[added], 0, COLUMN_NAME_SIZE);
  strncpy(table->name[added], name, COLUMN_NAME_SIZE - 1);
  table->column[added] = values;
  table->initial[added] = initial;
  table->formerly[added] = formerly;
  return FLOC_OK;
}

/* What a step owes is the script's from now on. */
static bool hand_over(particles *table, const char *name, double initial)
{
  bool formerly;
  int which = name ? find_optional(name, &formerly) : OPTIONAL_COLUMN_COUNT;
  if (which == OPTIONAL_COLUMN_COUNT || !optional_columns[which].owed || table->optional[which] < 0) return false;
  int32_t column = table->optional[which];
  EACH_SLOT(slot, table) table->column[column][slot] = initial;
  table->initial[column] = initial;
  table->optional[which] = -1;
  return true;
}

floc_status particles_add_attribute(particles *table, const char *name, double initial)
{
  if (isfinite(initial) && hand_over(table, name, initial)) return FLOC_OK;
  floc_status status = check_attribute(table, name, initial);
  if (status != FLOC_OK) return status;
  bool formerly = false;
  int which = find_optional(name, &formerly);
  bool known = which < OPTIONAL_COLUMN_COUNT && !optional_columns[which].owed;
  status = add_column(table, known ? optional_columns[which].name : name, formerly, initial);
  if (status == FLOC_OK && known) table->optional[which] = table->column_count - 1;
  return status;
}

floc_status particles_need(particles *table, optional_column which, bool formerly)
{
  const char *name = optional_columns[which].name;
  if (table->optional[which] >= 0) return FLOC_OK;
  if (optional_columns[which].owed && particles_find_column(table, name) >= 0) return FLOC_OK; /* the script's */
  floc_status status = check_attribute(table, name, 0.0);
  if (status == FLOC_OK) status = add_column(table, name, formerly && optional_columns[which].former, 0.0);
  if (status == FLOC_OK) table->optional[which] = table->column_count - 1;
  return status;
}

floc_status particles_need_rotation(particles *table, int32_t dimension, bool formerly)
{
  floc_status status = FLOC_OK;
  for (int axis = dimension == 2 ? 2 : 0; axis < 3 && status == FLOC_OK; axis++)
    status = particles_need(table, OPTIONAL_wx + axis, formerly);
  return status;
}

void particles_drop_columns(particles *table, int32_t count)
{
  while (table->column_count > count) {
    int32_t last = --table->column_count;
    memory_free(table->env, table->column[last], (size_t)table->capacity * sizeof(double));
    table->column[last] = NULL;
    for (int k = 0; k < OPTIONAL_COLUMN_COUNT; k++)
      if (table->optional[k] == last) table->optional[k] = -1;
  }
}

floc_status particles_need_displacement(particles *table, int32_t dimension)
{
  const int32_t before = table->column_count;
  floc_status status = FLOC_OK;
  for (int axis = 0; axis < dimension && status == FLOC_OK; axis++)
    status = particles_need(table, OPTIONAL_displacement_x + axis, false);
  if (status != FLOC_OK) particles_drop_columns(table, before);
  return status;
}

floc_status particles_need_orientation(particles *table, int32_t dimension)
{
  const int32_t before = table->column_count;
  floc_status status = FLOC_OK;
  if (dimension == 2) return particles_need(table, OPTIONAL_angle, false);
  if (table->optional[OPTIONAL_qw] >= 0) return FLOC_OK;
  for (int k = 0; k < 4 && status == FLOC_OK; k++) {
    status = particles_need(table, OPTIONAL_qw + k, false);
    if (status != FLOC_OK || k > 0) continue;
    table->initial[before] = 1.0;
    EACH_SLOT(slot, table) table->column[before][slot] = 1.0;
  }
  if (status != FLOC_OK) particles_drop_columns(table, before);
  return status;
}

int particles_orientation(const particles *table, int32_t dimension, double *column[4])
{
  const int count = dimension == 2 ? 1 : 4;
  for (int k = 0; k < count; k++) {
    const int32_t number = table->optional[dimension == 2 ? (int)OPTIONAL_angle : (int)OPTIONAL_qw + k];
    if (number < 0) return 0;
    column[k] = table->column[number]; /* NULL as long as there is no particle */
  }
  return count;
}

static const char *former_name(const particles *table, int32_t column)
{
  for (int k = 0; k < OPTIONAL_COLUMN_COUNT; k++)
    if (table->optional[k] == column && optional_columns[k].former) return optional_columns[k].former;
  return table->name[column];
}

const char *particles_file_name(const particles *table, int32_t column)
{
  return table->formerly[column] ? former_name(table, column) : table->name[column];
}

const char *particles_other_name(const particles *table, int32_t column)
{
  return table->formerly[column] ? table->name[column] : former_name(table, column);
}

bool particles_is_owed(const particles *table, int32_t column)
{
  for (int k = 0; k < OPTIONAL_COLUMN_COUNT; k++)
    if (table->optional[k] == column) return optional_columns[k].owed;
  return false;
}

/* ---- storage order ---- */

typedef struct gathering {
  const int32_t *order;
  const void *from;
  void *to;
} gathering;

static void gather_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const gathering *work = context;
  const unsigned char *from = work->from;
  unsigned char *to = work->to;
  for (int64_t k = begin; k < end; k++) memcpy(to + 8 * k, from + 8 * (int64_t)work->order[k], 8);
}

/* Gathers *from into *spare, then lets the two arrays change places. */
static void gather(particles *table, const int32_t *order, void **from, void **spare)
{
  gathering work = {order, *from, *spare};
  slots_for(table->env, table, PARALLEL_BLOCK, gather_block, &work);
  *spare = *from;
  *from = work.to;
}

/* By way of the array of slots, which is free. */
static void permute_ghosts(particles *table, const int32_t *order)
{
  uint8_t *sorted = (uint8_t *)table->slot;
  EACH_SLOT(k, table) sorted[k] = table->ghost[order[k]];
  memcpy(table->ghost, sorted, (size_t)table->count);
}

floc_status particles_permute(particles *table, const int32_t *order)
{
  if (table->count == 0) return FLOC_OK;
  if (table->ghost) permute_ghosts(table, order);
  void *spare = table->slot;
  for (int32_t k = 0; k < table->column_count; k++) {
    void *column = table->column[k];
    gather(table, order, &column, &spare);
    table->column[k] = column;
  }
  void *id = table->id;
  gather(table, order, &id, &spare);
  table->id = id;
  void *rank = table->rank;
  if (rank) gather(table, order, &rank, &spare);
  table->rank = rank;
  table->slot = spare;
  EACH_SLOT(slot, table) {
    assert(particles_rank(table, slot) >= 0 && particles_rank(table, slot) < table->count);
    table->slot[particles_rank(table, slot)] = slot;
  }
  return FLOC_OK;
}

/* ---- what they have in common ---- */

double particles_mean_radius(const particles *table)
{
  return owned_total(table->env, table, table->column[COLUMN_radius]) / (double)owned_number(table);
}
