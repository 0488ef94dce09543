/*
 * What pairs remember, by ids: rows of (id, id or shape, one number per memory column), sorted, one for every
 * pair with a number other than zero. So it is independent of the storage order and of how far the
 * neighbour lists reach; the hash runs over it, checkpoints hold it, and a resumed world puts it back into
 * the entries of its lists. Checkpoints without compression hold the rows in the order of the lists: sorting them
 * took a third of the time, and finding their entries half of reading.
 *
 * What a world keeps to go back to, if a file turns out not to fit, is put into the very lists that it comes from:
 * for that the columns are listed as they are, without ids.
 *
 * A pair is stored from the smaller id to the greater. Where the list holds it the other way round, columns with a
 * direction (neighbors_turn_memory) change their sign; a zero keeps the sign it has, in both directions.
 */
#include "world.h"

#include "base/buckets.h"
#include "base/numbers/bits.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const SECTION_NAME[2] = {"remembered.pairs", "remembered.walls"};
enum { ID_COLUMNS = 2 };
_Static_assert(ID_COLUMNS + MEMORY_LIMIT <= BUCKET_ROW_LIMIT, "a row fits");

static const pair_list *list_of(const floc_world *world, int which)
{
  return which == 0 ? neighbors_pairs(world->near) : neighbors_walls(world->near);
}

/* ---- writing ---- */

/* The columns that are state. */
typedef struct kept_columns {
  int32_t count;
  int32_t column[MEMORY_LIMIT];
  const double *data[MEMORY_LIMIT]; /* in the list */
  bool turns[MEMORY_LIMIT];         /* by the place in `column` */
} kept_columns;

static kept_columns find_kept(const neighbors *near, const pair_list *list)
{
  kept_columns kept = {0};
  for (int32_t k = 0; k < neighbors_memory_count(near); k++) {
    if (neighbors_memory_is_spare(near, k)) continue;
    kept.turns[kept.count] = neighbors_memory_turns(near, k);
    kept.data[kept.count] = list->memory[k];
    kept.column[kept.count++] = k;
  }
  return kept;
}

/* What rows are made of. */
typedef struct row_source {
  const floc_world *world;
  const pair_list *list;
  kept_columns kept;
  bool pairs;      /* not walls */
  int64_t entries; /* of the list; 0 if nothing is kept of them */
  size_t width;
} row_source;

/* Any bit that is set counts: -0.0 is remembered, too. */
static bool remembers(const kept_columns *kept, int64_t entry)
{
  uint64_t any = 0;
  for (int32_t k = 0; k < kept->count; k++) any |= bits_of(kept->data[k][entry]);
  return any != 0;
}

/* What an entry of the list is about: ids in ascending order, or id and shape. */
typedef struct entry_name {
  int32_t name[ID_COLUMNS];
  int32_t swap; /* all bits, if the list holds them the other way round; else 0 */
} entry_name;

/* The rank of the particle that an entry is named by first. */
static int64_t bucket_of(const row_source *from, entry_name made, int64_t entry)
{
  const particles *table = &from->world->table;
  if (!table->rank) return made.name[0] - 1;
  return table->rank[made.swap ? from->list->second[entry] : from->list->first[entry]];
}

/* Without branches, as all below that depends on the order of ids: a processor guesses it wrong every other time.
 */
static entry_name name_entry(const row_source *from, int64_t entry)
{
  const int64_t *id = from->world->table.id;
  int32_t first = (int32_t)id[from->list->first[entry]], second = from->list->second[entry];
  if (from->pairs) second = (int32_t)id[second];
  int32_t swap = -(int32_t)(from->pairs && second < first), change = (first ^ second) & swap;
  return (entry_name){{first ^ change, second ^ change}, swap};
}

static double turned(double value, bool turns)
{
  uint64_t bits = bits_of(value);
  bits ^= (uint64_t)(turns & (bits << 1 != 0)) << 63;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

static void fill_row(const row_source *from, entry_name made, int64_t entry, double *row)
{
  const kept_columns *kept = &from->kept;
  for (int32_t k = 0; k < ID_COLUMNS; k++) row[k] = made.name[k];
  for (int32_t k = 0; k < kept->count; k++)
    row[ID_COLUMNS + kept->column[k]] = turned(kept->data[k][entry], (made.swap != 0) & kept->turns[k]);
}

/* Space for rows and one more, of an entry that remembers nothing; columns that are not kept are zeros. */
static double *make_rows(floc_world *world, const row_source *from, size_t count)
{
  double *row = arena_allocate(&world->scratch, (count + 1) * from->width, sizeof *row);
  bool spare = (size_t)from->kept.count + ID_COLUMNS < from->width;
  if (row && spare) memset(row, 0, (count + 1) * from->width * sizeof *row);
  return row;
}

/* begin[n] [names + 1]: where the bucket of the first name n begins. */
static void count_rows(const row_source *from, int32_t *begin, size_t names)
{
  memset(begin, 0, (names + 1) * sizeof *begin);
  for (int64_t k = 0; k < from->entries; k++)
    begin[bucket_of(from, name_entry(from, k), k) + 1] += remembers(&from->kept, k);
  buckets_place(begin, names);
}

/* Entries are read in order and their rows put where they belong: the other way round each row would wait for as
 * many lines of memory as there are columns. Leaves in begin[n] where bucket n ends. Buckets are by rank, so that
 * ids of particles that were removed take no memory. */
static void fill_sorted(const row_source *from, int32_t *begin, size_t names, double *rows)
{
  int32_t none = begin[names];
  for (int64_t k = 0; k < from->entries; k++) {
    entry_name made = name_entry(from, k);
    int32_t is_kept = remembers(&from->kept, k), *place = &begin[bucket_of(from, made, k)];
    int32_t to = none + (-is_kept & (*place - none));
    *place += is_kept;
    fill_row(from, made, k, rows + (size_t)to * from->width);
  }
  for (size_t n = 0, first = 0; n < names; first = (size_t)begin[n++])
    bucket_sort(rows + first * from->width, (size_t)begin[n] - first, from->width);
}

static floc_status stage_sorted(floc_world *world, const row_source *from, double **rows, size_t *count)
{
  size_t names = from->entries > 0 ? (size_t)world->table.count + 1 : 0;
  int32_t *begin = arena_allocate(&world->scratch, names + 1, sizeof *begin);
  if (!begin) return FLOC_OUT_OF_MEMORY;
  count_rows(from, begin, names);
  *count = (size_t)begin[names];
  *rows = make_rows(world, from, *count);
  if (!*rows) return FLOC_OUT_OF_MEMORY;
  fill_sorted(from, begin, names, *rows);
  return FLOC_OK;
}

static floc_status stage_as_listed(floc_world *world, const row_source *from, double **rows, size_t *count)
{
  *count = 0;
  *rows = make_rows(world, from, (size_t)from->entries);
  if (!*rows) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < from->entries; k++) {
    fill_row(from, name_entry(from, k), k, *rows + *count * from->width);
    *count += remembers(&from->kept, k);
  }
  return FLOC_OK;
}

floc_status world_memory_sections(floc_world *world, bool sorted, memory_rows *rows, section_list *list)
{
  row_source from = {.world = world, .width = (size_t)neighbors_memory_count(world->near) + ID_COLUMNS};
  for (int which = 0; which < 2; which++) {
    from.list = list_of(world, which);
    from.pairs = which == 0;
    from.kept = find_kept(world->near, from.list);
    from.entries = from.kept.count > 0 ? from.list->count : 0;
    floc_status status =
        (sorted ? stage_sorted : stage_as_listed)(world, &from, &rows->row[which], &rows->count[which]);
    if (status == FLOC_OK)
      status = section_list_add(list, SECTION_NAME[which], "f64", rows->count[which], from.width, rows->row[which],
                                true);
    if (status != FLOC_OK) return status;
    list->item[list->count - 1].any_order = !sorted;
  }
  return FLOC_OK;
}

/* ---- columns as they are ---- */

typedef struct column_name {
  char text[64];
} column_name;

static column_name name_column(int which, int32_t column)
{
  column_name name;
  snprintf(name.text, sizeof name.text, "%s.column.%d", SECTION_NAME[which], (int)column);
  return name;
}

floc_status world_memory_columns(floc_world *world, section_list *list)
{
  floc_status status = FLOC_OK;
  for (int which = 0; which < 2; which++) {
    const pair_list *from = list_of(world, which);
    kept_columns kept = find_kept(world->near, from);
    for (int32_t k = 0; k < kept.count && from->count > 0 && status == FLOC_OK; k++) {
      column_name name = name_column(which, kept.column[k]);
      status = section_list_add(list, name.text, "f64", (uint64_t)from->count, 1, kept.data[k], false);
    }
  }
  return status;
}

void world_memory_give_back(floc_world *world, const section_list *list)
{
  for (int which = 0; which < 2; which++) {
    const pair_list *to = list_of(world, which);
    for (int32_t k = 0; k < neighbors_memory_count(world->near); k++) {
      const section *column = section_find(list, name_column(which, k).text);
      assert(!column || column->rows == (uint64_t)to->count);
      if (column) memcpy(to->memory[k], column->data, (size_t)column->rows * sizeof(double));
    }
  }
}

/* ---- reading ---- */

/* The number as an index of [0, count), or -1. */
static int64_t index_of(double number, int64_t count)
{
  if (!(number >= 0.0 && number < (double)count)) return -1;
  int64_t index = (int64_t)number;
  return (double)index == number ? index : -1;
}

static bool is_before(const double *left, const double *right)
{
  return (left[0] < right[0]) | ((left[0] == right[0]) & (left[1] < right[1]));
}

/* Where a pair is looked for: the entry behind the last one found, before all others. */
static int64_t find_entry(const floc_world *world, bool pairs, int64_t first, int64_t second, int64_t next)
{
  const pair_list *list = list_of(world, pairs ? 0 : 1);
  if (next < list->count && list->first[next] == first && list->second[next] == second) return next;
  return neighbors_find_entry(world->near, !pairs, first, second);
}

/* The entry of a row, and whether the list holds the pair from the greater id to the smaller. */
static int64_t entry_of(const floc_world *world, bool pairs, const double *row, int64_t next, bool *swap)
{
  const particles *table = &world->table;
  int64_t limit = table->last_id + 1, id = index_of(row[0], limit), first = particles_find(table, id), second;
  *swap = false;
  if (first < 0) return -1;
  if (pairs) {
    int64_t other = index_of(row[1], limit);
    second = particles_find(table, other);
    if (other <= id || second < 0) return -1;
    int64_t change = -(int64_t)(second < first) & (first ^ second);
    *swap = second < first;
    first ^= change;
    second ^= change;
  } else {
    second = index_of(row[1], INT32_MAX);
  }
  return find_entry(world, pairs, first, second, next);
}

static floc_status refuse_row(floc_world *world, const section *rows, uint64_t number)
{
  return refuse(&world->env, FLOC_DAMAGED_FILE,
                "section \"%s\": row %" PRIu64 " belongs to no pair of the list, or is out of order", rows->name,
                number);
}

/* Rows ascend by their names or, in any order, by their entries: so none stands twice. */
static floc_status take_rows(floc_world *world, const section *rows, int which)
{
  const pair_list *list = list_of(world, which);
  int32_t columns = neighbors_memory_count(world->near);
  size_t width = (size_t)columns + ID_COLUMNS;
  const double *data = rows->data;
  bool turns[MEMORY_LIMIT];
  int64_t last = -1;
  for (int32_t k = 0; k < columns; k++) turns[k] = neighbors_memory_turns(world->near, k);
  for (uint64_t r = 0; r < rows->rows; r++) {
    const double *row = data + r * width;
    bool swap;
    int64_t entry = entry_of(world, which == 0, row, last + 1, &swap);
    bool ascends = rows->any_order ? entry > last : r == 0 || is_before(row - width, row);
    if (entry < 0 || !ascends) return refuse_row(world, rows, r);
    for (int32_t k = 0; k < columns; k++) list->memory[k][entry] = turned(row[ID_COLUMNS + k], swap & turns[k]);
    last = entry;
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
