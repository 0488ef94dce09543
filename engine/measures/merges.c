/*
 * See merges.h.
 */
#include "measures/merges.h"

#include "particles/owned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_THERE = -1 };

void merge_watch_init(environment *env, merge_watch *watch)
{
  *watch = (merge_watch){.log = {.env = env}, .found = {.env = env}};
}

static void past_free(environment *env, merge_past *past)
{
  array_free(env, (void **)&past->particle, &past->particle_capacity, sizeof *past->particle);
  array_free(env, (void **)&past->velocity, &past->velocity_capacity, sizeof *past->velocity);
  array_free(env, (void **)&past->pair, &past->pair_capacity, sizeof *past->pair);
  past->count = past->pair_count = 0;
}

void merge_watch_free(environment *env, merge_watch *watch)
{
  past_free(env, &watch->past);
  merge_log_free(&watch->log);
  merge_log_free(&watch->found);
}

static floc_status past_reserve(environment *env, merge_past *past, size_t count, size_t pair_count)
{
  floc_status status =
      array_reserve(env, (void **)&past->particle, &past->particle_capacity, count + 1, sizeof *past->particle);
  if (status == FLOC_OK)
    status =
        array_reserve(env, (void **)&past->velocity, &past->velocity_capacity, count + 1, sizeof *past->velocity);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&past->pair, &past->pair_capacity, pair_count + 1, sizeof *past->pair);
  if (status != FLOC_OK) past_free(env, past);
  past->count = (int64_t)count;
  past->pair_count = (int64_t)pair_count;
  return status;
}

/* ---- pairs ---- */

static int compare_ids(const void *a, const void *b)
{
  const int64_t *left = a, *right = b;
  if (left[0] != right[0]) return left[0] < right[0] ? -1 : 1;
  return (left[1] > right[1]) - (left[1] < right[1]);
}

static void ids_of_pair(const particles *table, const int32_t *slots, int64_t ids[2])
{
  const int64_t a = table->id[slots[0]], b = table->id[slots[1]];
  ids[0] = a < b ? a : b;
  ids[1] = a < b ? b : a;
}

void merge_watch_choose(const merge_watch *watch, const particles *table, const domain *box, cluster_pairs *pairs)
{
  const merge_past *past = &watch->past;
  const double *radius = table->column[COLUMN_radius];
  int64_t kept = 0;
  for (int64_t k = 0; k < pairs->count; k++) {
    const int32_t *slots = &pairs->pair[2 * k];
    double separation[3];
    const double distance = sqrt(particles_apart(table, box, slots[0], slots[1], separation));
    bool stays = distance - radius[slots[0]] - radius[slots[1]] <= watch->gap;
    int64_t ids[2];
    ids_of_pair(table, slots, ids);
    if (!stays && past->pair_count > 0)
      stays = bsearch(ids, past->pair, (size_t)past->pair_count, sizeof *past->pair, compare_ids) != NULL;
    if (!stays) continue;
    memmove(&pairs->pair[2 * kept++], slots, 2 * sizeof *slots);
  }
  pairs->count = kept;
}

/* What the next look will call the last one. number: of the cluster of each rank. */
static floc_status make_past(environment *env, const particles *table, const int64_t *number,
                             const cluster_pairs *pairs, merge_past *past)
{
  floc_status status = past_reserve(env, past, (size_t)table->count, (size_t)pairs->count);
  if (status != FLOC_OK) return status;
  EACH_RANK(rank, table) {
    const int64_t slot = table->slot[rank];
    past->particle[rank][0] = table->id[slot];
    past->particle[rank][1] = number[rank];
    for (int axis = 0; axis < 3; axis++) past->velocity[rank][axis] = table->column[COLUMN_vx + axis][slot];
  }
  for (int64_t k = 0; k < pairs->count; k++) ids_of_pair(table, &pairs->pair[2 * k], past->pair[k]);
  if (pairs->count > 1) qsort(past->pair, (size_t)pairs->count, sizeof *past->pair, compare_ids);
  return FLOC_OK;
}

/* ---- pieces ---- */

typedef struct piece {
  int64_t count, parent;            /* parent: of union-find; a root holds the sums of its group */
  double mass, before[3], after[3]; /* momenta */
} piece;

typedef struct place {
  int64_t then, now, rank; /* numbers of clusters from 0 */
} place;

/* Everything that a comparison needs, in scratch memory. */
typedef struct comparison {
  const particles *table;
  const domain *box;
  const merge_past *past;
  double time;
  int64_t *row;      /* [count] of a particle in the past, or NOT_THERE; by rank */
  int64_t *piece_of; /* [count] or NOT_THERE: its cluster did not change */
  place *changed;
  piece *piece;
  int64_t changed_count, piece_count;
  int64_t came; /* particles, each a cluster of its own then */
} comparison;

static int compare_places(const void *a, const void *b)
{
  const place *left = a, *right = b;
  if (left->then != right->then) return left->then < right->then ? -1 : 1;
  if (left->now != right->now) return left->now < right->now ? -1 : 1;
  return (left->rank > right->rank) - (left->rank < right->rank);
}

/* Rows of the past by rank: both stand in the order of ids. */
static void find_rows(comparison *all)
{
  int64_t row = 0;
  EACH_RANK(rank, all->table) {
    const int64_t id = all->table->id[all->table->slot[rank]];
    while (row < all->past->count && all->past->particle[row][0] < id) row++;
    const bool is_there = row < all->past->count && all->past->particle[row][0] == id;
    all->row[rank] = is_there ? row : NOT_THERE;
  }
}

/* Those whose cluster of then, or of now, is not the same set of particles in both. first_now, first_then: the
 * cluster of the other time that a cluster has particles of, NOT_THERE or SEVERAL. */
static void find_changed(comparison *all, const int64_t *number, int64_t then_count, int64_t now_count,
                         int64_t *first_now, int64_t *first_then)
{
  enum { SEVERAL = -2 };
  for (int64_t k = 0; k < then_count + all->table->count; k++) first_now[k] = NOT_THERE;
  for (int64_t k = 0; k < now_count; k++) first_then[k] = NOT_THERE;
  EACH_RANK(rank, all->table) {
    place *one = &all->changed[rank];
    const int64_t row = all->row[rank];
    *one = (place){row == NOT_THERE ? then_count + all->came++ : all->past->particle[row][1] - 1, number[rank] - 1,
                   rank};
    int64_t *now = &first_now[one->then], *then = &first_then[one->now];
    *now = *now == NOT_THERE || *now == one->now ? one->now : SEVERAL;
    *then = *then == NOT_THERE || *then == one->then ? one->then : SEVERAL;
  }
  EACH_RANK(rank, all->table) {
    const place one = all->changed[rank];
    all->piece_of[rank] = NOT_THERE;
    if (first_now[one.then] == SEVERAL || first_then[one.now] == SEVERAL) all->changed[all->changed_count++] = one;
  }
}

static void add_to_piece(comparison *all, const place *one)
{
  piece *to = &all->piece[all->piece_count - 1];
  const int64_t slot = all->table->slot[one->rank], row = all->row[one->rank];
  const double mass = all->table->column[COLUMN_mass][slot];
  all->piece_of[one->rank] = all->piece_count - 1;
  to->count++;
  to->mass += mass;
  for (int axis = 0; axis < 3; axis++) {
    const double velocity = all->table->column[COLUMN_vx + axis][slot];
    to->after[axis] += mass * velocity;
    to->before[axis] += mass * (row == NOT_THERE ? velocity : all->past->velocity[row][axis]);
  }
}

/* Every piece a group of its own. */
static void make_pieces(comparison *all)
{
  all->piece_count = 0;
  for (int64_t k = 0; k < all->changed_count; k++) {
    const place *one = &all->changed[k];
    if (k == 0 || one->then != one[-1].then || one->now != one[-1].now)
      all->piece[all->piece_count++] = (piece){.parent = NOT_THERE};
    add_to_piece(all, one);
  }
}

static int64_t root_of(comparison *all, int64_t number)
{
  int64_t parent;
  while ((parent = all->piece[number].parent) != NOT_THERE) {
    if (all->piece[parent].parent != NOT_THERE) all->piece[number].parent = all->piece[parent].parent;
    number = parent;
  }
  return number;
}

static void unite(comparison *all, int64_t a, int64_t b)
{
  piece *to = &all->piece[a < b ? a : b], *from = &all->piece[a < b ? b : a];
  from->parent = a < b ? a : b;
  to->count += from->count;
  to->mass += from->mass;
  for (int axis = 0; axis < 3; axis++) {
    to->before[axis] += from->before[axis];
    to->after[axis] += from->after[axis];
  }
}

/* change -1: two groups become one, apart at the last look; +1: the same read backwards. */
static merge_row row_of(const comparison *all, double change, const int64_t slot[2], const piece *i, const piece *j)
{
  merge_row row = {.number = {[MERGE_TIME] = all->time,
                              [MERGE_CHANGE] = change,
                              [MERGE_ID_I] = (double)all->table->id[slot[0]],
                              [MERGE_ID_J] = (double)all->table->id[slot[1]],
                              [MERGE_SIZE_I] = (double)i->count,
                              [MERGE_SIZE_J] = (double)j->count,
                              [MERGE_MASS_I] = i->mass,
                              [MERGE_MASS_J] = j->mass}};
  const bool merges = change < 0.0;
  const double *apart_i = merges ? i->before : i->after, *apart_j = merges ? j->before : j->after;
  const double *one_i = merges ? i->after : i->before, *one_j = merges ? j->after : j->before;
  double x[3], y[3];
  for (int axis = 0; axis < 3; axis++) {
    x[axis] = all->table->column[COLUMN_x + axis][slot[0]];
    y[axis] = all->table->column[COLUMN_x + axis][slot[1]];
    row.number[MERGE_VELOCITY_I + axis] = apart_i[axis] / i->mass;
    row.number[MERGE_VELOCITY_J + axis] = apart_j[axis] / j->mass;
    row.number[MERGE_VELOCITY + axis] = (one_i[axis] + one_j[axis]) / (i->mass + j->mass);
  }
  merge_row_place(&row, all->table, all->box, slot[0], slot[1], x, y);
  return row;
}

/* A pair of ids, the smaller first, joins two groups unless they are one. Unknown ids (of particles that went) and
 * clusters that did not change join nothing. */
static floc_status join_by_pair(comparison *all, double change, const int64_t ids[2], merge_log *to)
{
  const int64_t slot[2] = {particles_find(all->table, ids[0]), particles_find(all->table, ids[1])};
  if (slot[0] < 0 || slot[1] < 0) return FLOC_OK;
  const int64_t first = all->piece_of[particles_rank(all->table, slot[0])];
  const int64_t second = all->piece_of[particles_rank(all->table, slot[1])];
  if (first == NOT_THERE || second == NOT_THERE) return FLOC_OK;
  const int64_t i = root_of(all, first), j = root_of(all, second);
  if (i == j) return FLOC_OK;
  const merge_row row = row_of(all, change, slot, &all->piece[i], &all->piece[j]);
  unite(all, i, j);
  return merge_log_add(to, &row);
}

static floc_status join_by_pairs(comparison *all, double change, const int64_t (*pair)[2], int64_t count,
                                 merge_log *to)
{
  floc_status status = FLOC_OK;
  for (int64_t k = 0; k < count && status == FLOC_OK; k++) status = join_by_pair(all, change, pair[k], to);
  return status;
}

static void reverse(merge_row *row, int64_t count)
{
  for (int64_t k = 0; k < count / 2; k++) {
    const merge_row other = row[k];
    row[k] = row[count - 1 - k];
    row[count - 1 - k] = other;
  }
}

static floc_status begin_comparison(comparison *all, const int64_t *number, int64_t then_count, int64_t now_count,
                                    arena *scratch)
{
  const size_t count = (size_t)all->table->count;
  all->row = arena_allocate(scratch, count, sizeof *all->row);
  all->piece_of = arena_allocate(scratch, count, sizeof *all->piece_of);
  all->changed = arena_allocate(scratch, count, sizeof *all->changed);
  all->piece = arena_allocate(scratch, count, sizeof *all->piece);
  int64_t *first_now = arena_allocate(scratch, (size_t)then_count + count, sizeof *first_now);
  int64_t *first_then = arena_allocate(scratch, (size_t)now_count, sizeof *first_then);
  if (!all->row || !all->piece_of || !all->changed || !all->piece || !first_now || !first_then)
    return FLOC_OUT_OF_MEMORY;
  find_rows(all);
  find_changed(all, number, then_count, now_count, first_now, first_then);
  if (all->changed_count > 1) qsort(all->changed, (size_t)all->changed_count, sizeof *all->changed, compare_places);
  return FLOC_OK;
}

/* From the clusters of the past to those of `next`. */
static floc_status compare(comparison *all, const merge_past *next, merge_log *found, merge_totals *totals)
{
  make_pieces(all);
  floc_status status = join_by_pairs(all, 1.0, (const int64_t(*)[2])all->past->pair, all->past->pair_count, found);
  if (status != FLOC_OK) return status;
  reverse(found->row, found->count);
  totals->splits += found->count;
  const int64_t splits = found->count;
  make_pieces(all);
  status = join_by_pairs(all, -1.0, (const int64_t(*)[2])next->pair, next->pair_count, found);
  totals->merges += found->count - splits;
  return status;
}

/* ---- a look ---- */

static floc_status look_back(environment *env, merge_watch *watch, const particles *table, const domain *box,
                             const cluster_pairs *pairs, const int64_t *number, merge_totals *totals, double time,
                             arena *scratch)
{
  merge_past next = {0};
  comparison all = {.table = table, .box = box, .past = &watch->past, .time = time};
  floc_status status = make_past(env, table, number, pairs, &next);
  if (status == FLOC_OK && watch->totals.begun)
    status = begin_comparison(&all, number, watch->totals.clusters, totals->clusters, scratch);
  if (status == FLOC_OK && watch->totals.begun) status = compare(&all, &next, &watch->found, totals);
  if (status != FLOC_OK) {
    past_free(env, &next);
    return status;
  }
  past_free(env, &watch->past);
  watch->past = next;
  return FLOC_OK;
}

/* The scheme's rows become those of this look. */
static void take_log(merge_watch *watch, merge_totals *totals)
{
  const merge_log taken = watch->log;
  watch->log = watch->found;
  watch->found = taken;
  watch->log.count = 0;
  totals->merges += taken.count;
}

floc_status merge_watch_look(environment *env, merge_watch *watch, const particles *table, const domain *box,
                             const cluster_pairs *pairs, double time, arena *scratch)
{
  merge_totals totals = watch->totals;
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  int64_t *number = arena_allocate(scratch, (size_t)table->count, sizeof *number);
  if (!number) return FLOC_OUT_OF_MEMORY;
  floc_status status = clusters_find(env, table, pairs, number, &summary);
  if (status != FLOC_OK) return status;
  watch->found.count = 0;
  totals.clusters = summary.count;
  if (totals.streams)
    take_log(watch, &totals);
  else
    status = look_back(env, watch, table, box, pairs, number, &totals, time, scratch);
  if (status != FLOC_OK) {
    watch->found.count = 0;
    return status;
  }
  if (!totals.begun) totals.start = totals.clusters;
  totals.begun = 1;
  totals.outside = totals.clusters - (totals.start + totals.splits - totals.merges);
  watch->totals = totals;
  return FLOC_OK;
}

/* ---- checkpoints ---- */

enum { TOTALS = sizeof(merge_totals) / sizeof(int64_t) };

floc_status merge_watch_sections(const merge_watch *watch, section_list *list)
{
  const merge_past *past = &watch->past;
  if (!watch->totals.begun) return FLOC_OK;
  floc_status status = section_list_add(list, "merges.totals", "i64", TOTALS, 1, &watch->totals, false);
  if (status == FLOC_OK) status = section_list_add(list, "merges.gap", "f64", 1, 1, &watch->gap, false);
  if (status == FLOC_OK) status = section_list_add(list, "merges.apart", "f64", 1, 1, &watch->apart, false);
  if (status == FLOC_OK && watch->totals.streams)
    return section_list_add(list, "merges.rows", "f64", (uint64_t)watch->log.count, MERGE_NUMBERS, watch->log.row,
                            false);
  if (status == FLOC_OK)
    status = section_list_add(list, "merges.particles", "i64", (uint64_t)past->count, 2, past->particle, false);
  if (status == FLOC_OK)
    status = section_list_add(list, "merges.velocities", "f64", (uint64_t)past->count, 3, past->velocity, false);
  if (status == FLOC_OK)
    status = section_list_add(list, "merges.pairs", "i64", (uint64_t)past->pair_count, 2, past->pair, false);
  return status;
}

static floc_status check_ids(environment *env, const section *table, int32_t ascending, int64_t last_id)
{
  const int64_t *ids = table->data;
  for (uint64_t k = 1; k < table->rows; k++)
    if (ascending ? ids[2 * k] <= ids[2 * k - 2] : compare_ids(ids + 2 * k - 2, ids + 2 * k) >= 0)
      return refuse(env, FLOC_DAMAGED_FILE, "section \"%s\": rows %llu and %llu are not in the order of ids",
                    table->name, (unsigned long long)k - 1, (unsigned long long)k);
  return section_check_whole(env, table, 0, 1, 1, last_id);
}

static floc_status restore_past(environment *env, merge_watch *next, const section_list *list, int64_t last_id)
{
  const section *particle, *velocity, *pair;
  floc_status status = section_expect(list, "merges.particles", "i64", UINT64_MAX, 2, &particle);
  if (status == FLOC_OK) status = section_expect(list, "merges.velocities", "f64", particle->rows, 3, &velocity);
  if (status == FLOC_OK) status = section_expect(list, "merges.pairs", "i64", UINT64_MAX, 2, &pair);
  if (status == FLOC_OK) status = check_ids(env, particle, true, last_id);
  if (status == FLOC_OK) status = check_ids(env, pair, false, last_id);
  if (status == FLOC_OK) status = section_check_whole(env, particle, 1, 1, 1, next->totals.clusters);
  if (status == FLOC_OK) status = section_check_numbers(env, velocity, 0, 3, FINITE_NUMBERS);
  if (status == FLOC_OK) status = past_reserve(env, &next->past, (size_t)particle->rows, (size_t)pair->rows);
  if (status != FLOC_OK) return status;
  memcpy(next->past.particle, particle->data, (size_t)particle->rows * sizeof *next->past.particle);
  memcpy(next->past.velocity, velocity->data, (size_t)velocity->rows * sizeof *next->past.velocity);
  memcpy(next->past.pair, pair->data, (size_t)pair->rows * sizeof *next->past.pair);
  return FLOC_OK;
}

static floc_status restore_log(environment *env, merge_watch *next, const section_list *list)
{
  const section *rows;
  floc_status status = section_expect(list, "merges.rows", "f64", UINT64_MAX, MERGE_NUMBERS, &rows);
  if (status == FLOC_OK) status = section_check_numbers(env, rows, 0, MERGE_NUMBERS, FINITE_NUMBERS);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&next->log.row, &next->log.capacity, (size_t)rows->rows + 1,
                           sizeof *next->log.row);
  if (status != FLOC_OK) return status;
  memcpy(next->log.row, rows->data, (size_t)rows->rows * sizeof *next->log.row);
  next->log.count = (int64_t)rows->rows;
  return FLOC_OK;
}

static floc_status restore_totals(environment *env, merge_watch *next, const section_list *list)
{
  const section *totals, *gap, *apart;
  const number_range length = {0.0, INFINITY, false};
  floc_status status = section_expect(list, "merges.totals", "i64", TOTALS, 1, &totals);
  if (status == FLOC_OK) status = section_expect(list, "merges.gap", "f64", 1, 1, &gap);
  if (status == FLOC_OK) status = section_expect(list, "merges.apart", "f64", 1, 1, &apart);
  if (status == FLOC_OK) status = section_check_whole(env, totals, 0, 1, 1, 1);
  if (status == FLOC_OK) status = section_check_whole(env, totals, 1, 1, FLOC_CLUSTER_GAP, FLOC_CLUSTER_LINK);
  if (status == FLOC_OK) status = section_check_whole(env, totals, 2, 1, 0, 1);
  if (status == FLOC_OK) status = section_check_whole(env, totals, 3, 4, 0, COUNTER_LIMIT);
  if (status == FLOC_OK) status = section_check_whole(env, totals, 7, 1, -COUNTER_LIMIT, COUNTER_LIMIT);
  if (status == FLOC_OK) status = section_check_numbers(env, gap, 0, 1, length);
  if (status == FLOC_OK) status = section_check_numbers(env, apart, 0, 1, length);
  if (status != FLOC_OK) return status;
  memcpy(&next->totals, totals->data, sizeof next->totals);
  memcpy(&next->gap, gap->data, sizeof next->gap);
  memcpy(&next->apart, apart->data, sizeof next->apart);
  return FLOC_OK;
}

floc_status merge_watch_restore(environment *env, merge_watch *watch, const section_list *list, int64_t last_id)
{
  merge_watch next;
  merge_watch_init(env, &next);
  floc_status status = FLOC_OK;
  if (section_find(list, "merges.totals")) {
    status = restore_totals(env, &next, list);
    if (status == FLOC_OK)
      status = next.totals.streams ? restore_log(env, &next, list) : restore_past(env, &next, list, last_id);
  }
  if (status != FLOC_OK) {
    merge_watch_free(env, &next);
    return status;
  }
  merge_watch_free(env, watch);
  *watch = next;
  return FLOC_OK;
}
