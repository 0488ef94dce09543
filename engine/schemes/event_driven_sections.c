/*
 * The event-driven state in a checkpoint: everything that the future depends on, to the last bit, and
 * nothing that can be made from it. Lists, chains, cells and the calendar are stored as plain sorted
 * tables; the order in which they are built again changes no result, because events have a total order
 * and each is predicted by itself. So a state that was read back writes the same bytes again.
 */
#include "schemes/ballistic_grid.h"
#include "schemes/event_driven.h"
#include "schemes/event_driven_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the tables of numbers; append only. */
enum {
  NOW,
  SPEED_SUM,
  SPEED_FLOOR,
  SKIN,
  LOWER,
  UPPER = LOWER + 3,
  BOX_LOWER = UPPER + 3,
  BOX_UPPER = BOX_LOWER + 3,
  BOX_LENGTH = BOX_UPPER + 3,
  SCALAR_COUNT = BOX_LENGTH + 3
};
enum { BUILT, STAMP, SPACE_AT, SEARCHES_BEFORE, LOOKED_BEFORE, LOOKED_AT, BOUNDARY, COUNTER_COUNT = BOUNDARY + 3 };
enum {
  OFFSET,
  VELOCITY = OFFSET + 3,
  LOWER_FACE = VELOCITY + 3,
  UPPER_FACE = LOWER_FACE + 3,
  PROMISED = UPPER_FACE + 3,
  TIME = PROMISED + 3,
  TRAVELLED,
  MASS,
  SLACK,
  CLUSTER_COLUMNS
};

#define NAME(what) "event_driven/" what

/* ---- writing ---- */

static void *listed(event_driven *state, section_list *list, const char *name, const char *type, int64_t rows,
                    int64_t columns, bool is_state)
{
  void *data = arena_allocate(&state->exported, (size_t)(rows * columns), section_type_size(type));
  if (!data) {
    state->failure = FLOC_OUT_OF_MEMORY;
    return NULL;
  }
  floc_status status = section_list_add(list, name, type, (uint64_t)rows, (uint64_t)columns, data, is_state);
  if (status == FLOC_OK) return data;
  state->failure = status;
  return NULL;
}

static void write_scalars(event_driven *state, section_list *list)
{
  double *scalar = listed(state, list, NAME("scalars"), "f64", SCALAR_COUNT, 1, true);
  int64_t *counter = listed(state, list, NAME("counters"), "i64", COUNTER_COUNT, 1, true);
  void *report = listed(state, list, NAME("report"), "i64", sizeof state->count / sizeof(int64_t), 1, false);
  if (state->failure != FLOC_OK) return;
  scalar[NOW] = state->now;
  scalar[SPEED_SUM] = state->speed_sum;
  scalar[SPEED_FLOOR] = state->speed_floor;
  scalar[SKIN] = state->set.skin;
  memcpy(&scalar[LOWER], state->set.covered_lower, sizeof state->set.covered_lower);
  memcpy(&scalar[UPPER], state->set.covered_upper, sizeof state->set.covered_upper);
  memcpy(&scalar[BOX_LOWER], state->set.box.lower, sizeof state->set.box.lower);
  memcpy(&scalar[BOX_UPPER], state->set.box.upper, sizeof state->set.box.upper);
  memcpy(&scalar[BOX_LENGTH], state->set.box.length, sizeof state->set.box.length);
  for (int axis = 0; axis < 3; axis++) counter[BOUNDARY + axis] = state->set.box.boundary[axis];
  counter[BUILT] = state->built;
  counter[STAMP] = (int64_t)state->stamp;
  counter[SPACE_AT] = state->space_at;
  counter[SEARCHES_BEFORE] = state->searches_before;
  counter[LOOKED_BEFORE] = state->looked_before;
  counter[LOOKED_AT] = state->set.looked_at;
  memcpy(report, &state->count, sizeof state->count);
}

static void write_links(event_driven *state, section_list *list)
{
  int32_t *link = listed(state, list, NAME("links"), "i32", state->link_count, 2, true);
  for (int64_t k = 0; k < state->link_count && link; k++) {
    link[2 * k] = state->link_first[k];
    link[2 * k + 1] = state->link_second[k];
  }
}

static void write_members(event_driven *state, section_list *list)
{
  const cluster_set *set = &state->set;
  double *number = listed(state, list, NAME("members"), "f64", set->count, 5, true);
  int32_t *index = listed(state, list, NAME("member_numbers"), "i32", set->count, 4, true);
  if (state->failure != FLOC_OK) return;
  for (int64_t k = 0; k < set->count; k++) {
    const cluster_member *member = &set->member[k];
    const double numbers[5] = {member->base[0], member->base[1], member->base[2], member->radius, member->mass};
    const int32_t indices[4] = {member->cluster, member->cell, (int32_t)member->registration, set->slot[k]};
    memcpy(&number[5 * k], numbers, sizeof numbers);
    memcpy(&index[4 * k], indices, sizeof indices);
  }
}

static void write_clusters(event_driven *state, section_list *list)
{
  const cluster_set *set = &state->set;
  double *number = listed(state, list, NAME("clusters"), "f64", set->alive, CLUSTER_COLUMNS, true);
  int64_t *index = listed(state, list, NAME("cluster_numbers"), "i64", set->alive, 4, true);
  if (state->failure != FLOC_OK) return;
  for (int64_t k = 0; k < set->count; k++) {
    const cluster_motion *motion = &set->motion[k];
    const cluster_body *solid = &set->body[k];
    const cluster_flight *flight = &state->flight[k];
    if (solid->count == 0) continue;
    memcpy(&number[OFFSET], motion->offset, sizeof motion->offset);
    memcpy(&number[VELOCITY], motion->velocity, sizeof motion->velocity);
    memcpy(&number[LOWER_FACE], solid->lower, sizeof solid->lower);
    memcpy(&number[UPPER_FACE], solid->upper, sizeof solid->upper);
    memcpy(&number[PROMISED], flight->promised, sizeof flight->promised);
    number[TIME] = motion->time;
    number[TRAVELLED] = motion->travelled;
    number[MASS] = solid->mass;
    number[SLACK] = flight->slack;
    const int64_t indices[4] = {k, flight->pairs != NO_LIST, (int64_t)flight->motion, (int64_t)flight->promise};
    memcpy(index, indices, sizeof indices);
    number += CLUSTER_COLUMNS;
    index += 4;
  }
}

static int compare_pairs(const void *a, const void *b)
{
  const member_pair *p = a, *q = b;
  if (p->first != q->first) return p->first < q->first ? -1 : 1;
  return p->second < q->second ? -1 : p->second > q->second;
}

static void stage_pair(event_driven *state, int32_t own, int32_t foreign)
{
  floc_status status = array_reserve(state->env, (void **)&state->staged, &state->staged_capacity,
                                     state->staged_count + 1, sizeof *state->staged);
  if (status != FLOC_OK)
    state->failure = status;
  else
    state->staged[state->staged_count++] =
        own < foreign ? (member_pair){own, foreign} : (member_pair){foreign, own};
}

/* The pairs of all lists (or of all hot lists) that count, each once, sorted. */
static void write_pairs(event_driven *state, section_list *list, const char *name, bool hot)
{
  state->staged_count = 0;
  for (int64_t k = 0; k < state->set.count && state->failure == FLOC_OK; k++) {
    int32_t node = hot ? state->flight[k].hot : state->flight[k].pairs;
    for (; node >= 0 && state->failure == FLOC_OK; node = state->node[node].next) {
      const event_pair_node *pair = &state->node[node];
      if (hot ? event_pair_hot_counts(state, pair) : event_pair_counts(state, pair))
        stage_pair(state, pair->own, pair->foreign);
    }
  }
  if (state->failure != FLOC_OK) return;
  if (state->staged_count > 1) qsort(state->staged, state->staged_count, sizeof *state->staged, compare_pairs);
  size_t kept = 0;
  for (size_t k = 0; k < state->staged_count; k++)
    if (k == 0 || compare_pairs(&state->staged[k], &state->staged[kept - 1]) != 0)
      state->staged[kept++] = state->staged[k];
  int32_t *pair = listed(state, list, name, "i32", (int64_t)kept, 2, true);
  if (pair && kept > 0) memcpy(pair, state->staged, kept * sizeof *state->staged);
}

static void write_queue(event_driven *state, section_list *list)
{
  size_t count = 0;
  event *events = arena_allocate(&state->exported, state->queue.count, sizeof *events);
  if (!events) {
    state->failure = FLOC_OUT_OF_MEMORY;
    return;
  }
  event_queue_copy(&state->queue, events);
  for (size_t k = 0; k < state->queue.count; k++)
    if (event_counts(state, &events[k])) events[count++] = events[k];
  event_queue_sort(events, count);
  double *time = listed(state, list, NAME("queue_times"), "f64", (int64_t)count, 1, true);
  int64_t *what = listed(state, list, NAME("queue"), "i64", (int64_t)count, 3, true);
  if (state->failure != FLOC_OK) return;
  for (size_t k = 0; k < count; k++) {
    const int64_t values[3] = {events[k].first, events[k].second, (int64_t)events[k].stamp};
    time[k] = events[k].time;
    memcpy(&what[3 * k], values, sizeof values);
  }
}

floc_status event_driven_sections(void *scheme_state, section_list *list)
{
  event_driven *state = scheme_state;
  state->failure = FLOC_OK;
  arena_reset(&state->exported);
  write_scalars(state, list);
  write_links(state, list);
  if (state->built && state->failure == FLOC_OK) {
    write_members(state, list);
    write_clusters(state, list);
    write_pairs(state, list, NAME("pairs"), false);
    write_pairs(state, list, NAME("hot_pairs"), true);
    if (state->failure == FLOC_OK) write_queue(state, list);
  }
  array_free(state->env, (void **)&state->staged, &state->staged_capacity, sizeof *state->staged);
  state->staged_count = 0;
  return state->failure;
}

/* ---- reading: into a fresh state, which takes the old one's place when all is well ---- */

static floc_status damaged(event_driven *fresh, const char *what, int64_t row)
{
  return refuse(fresh->env, FLOC_DAMAGED_FILE, "event-driven state: %s in row %" PRId64, what, row);
}

static floc_status read_scalars(event_driven *fresh, const section_list *list)
{
  const section *scalars, *counters;
  floc_status status = section_expect(list, NAME("scalars"), "f64", SCALAR_COUNT, 1, &scalars);
  if (status == FLOC_OK) status = section_expect(list, NAME("counters"), "i64", COUNTER_COUNT, 1, &counters);
  if (status != FLOC_OK) return status;
  const double *scalar = scalars->data;
  const int64_t *counter = counters->data;
  fresh->now = scalar[NOW];
  fresh->speed_sum = scalar[SPEED_SUM];
  fresh->speed_floor = scalar[SPEED_FLOOR];
  fresh->set.skin = scalar[SKIN];
  memcpy(fresh->set.covered_lower, &scalar[LOWER], sizeof fresh->set.covered_lower);
  memcpy(fresh->set.covered_upper, &scalar[UPPER], sizeof fresh->set.covered_upper);
  fresh->set.box.dimension = fresh->dimension;
  memcpy(fresh->set.box.lower, &scalar[BOX_LOWER], sizeof fresh->set.box.lower);
  memcpy(fresh->set.box.upper, &scalar[BOX_UPPER], sizeof fresh->set.box.upper);
  memcpy(fresh->set.box.length, &scalar[BOX_LENGTH], sizeof fresh->set.box.length);
  for (int axis = 0; axis < 3; axis++) fresh->set.box.boundary[axis] = (int32_t)counter[BOUNDARY + axis];
  fresh->built = counter[BUILT] != 0;
  fresh->stamp = (uint64_t)counter[STAMP];
  fresh->space_at = counter[SPACE_AT];
  fresh->searches_before = counter[SEARCHES_BEFORE];
  fresh->looked_before = counter[LOOKED_BEFORE];
  fresh->set.looked_at = counter[LOOKED_AT];
  const section *report = section_find(list, NAME("report"));
  if (report && report->rows == sizeof fresh->count / sizeof(int64_t)) /* of another version: begins anew */
    memcpy(&fresh->count, report->data, sizeof fresh->count);
  if (fresh->built && !(fresh->set.skin > 0.0 && isfinite(fresh->set.skin) && isfinite(fresh->now)))
    return damaged(fresh, "a skin or time that cannot be", 0);
  return FLOC_OK;
}

static floc_status read_links(event_driven *fresh, const section_list *list, int64_t particle_count)
{
  const section *found;
  floc_status status = section_expect(list, NAME("links"), "i32", UINT64_MAX, 2, &found);
  if (status != FLOC_OK) return status;
  const int32_t *link = found->data;
  for (int64_t k = 0; k < (int64_t)found->rows; k++) {
    int32_t a = link[2 * k], b = link[2 * k + 1];
    if (a < 0 || b < 0 || a >= particle_count || b >= particle_count) return damaged(fresh, "a link to nowhere", k);
    status = flight_link(fresh, a, b);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status read_members(event_driven *fresh, const section_list *list, int64_t count)
{
  cluster_set *set = &fresh->set;
  const section *numbers, *indices;
  floc_status status = section_expect(list, NAME("members"), "f64", (uint64_t)count, 5, &numbers);
  if (status == FLOC_OK) status = section_expect(list, NAME("member_numbers"), "i32", (uint64_t)count, 4, &indices);
  if (status == FLOC_OK) status = cluster_set_reserve(set, count);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < count; k++) set->slot[k] = -1;
  for (int64_t k = 0; k < count; k++) { /* slot serves as its own check: each number exactly once */
    const double *number = (const double *)numbers->data + 5 * k;
    const int32_t *index = (const int32_t *)indices->data + 4 * k;
    set->member[k] = (cluster_member){.base = {number[0], number[1], number[2]},
                                      .radius = number[3],
                                      .mass = number[4],
                                      .cluster = index[0],
                                      .cell = index[1],
                                      .registration = (uint32_t)index[2],
                                      .next_in_cell = NO_MEMBER,
                                      .previous_in_cell = NO_MEMBER,
                                      .next_in_cluster = NO_MEMBER};
    set->body[k] = (cluster_body){.first = NO_MEMBER};
    set->motion[k] = (cluster_motion){.time = fresh->now};
    if (index[0] < 0 || index[0] >= count || index[3] < 0 || index[3] >= count || !(number[3] > 0.0))
      return damaged(fresh, "a member that cannot be", k);
    if (set->slot[index[3]] >= 0) return damaged(fresh, "a second member for a particle", k);
    set->slot[index[3]] = 0;
  }
  for (int64_t k = 0; k < count; k++) set->slot[k] = ((const int32_t *)indices->data)[4 * k + 3];
  set->count = count;
  cluster_set_take_radii(set);
  return FLOC_OK;
}

static floc_status read_clusters(event_driven *fresh, const section_list *list)
{
  cluster_set *set = &fresh->set;
  const section *numbers, *indices;
  floc_status status = section_expect(list, NAME("clusters"), "f64", UINT64_MAX, CLUSTER_COLUMNS, &numbers);
  if (status == FLOC_OK) status = section_expect(list, NAME("cluster_numbers"), "i64", numbers->rows, 4, &indices);
  if (status == FLOC_OK) status = event_driven_begin_flights(fresh);
  if (status != FLOC_OK) return status;
  for (int64_t row = 0; row < (int64_t)numbers->rows; row++) {
    const double *number = (const double *)numbers->data + CLUSTER_COLUMNS * row;
    const int64_t *index = (const int64_t *)indices->data + 4 * row;
    int64_t k = index[0];
    if (k < 0 || k >= set->count || fresh->flight[k].motion != 0)
      return damaged(fresh, "a cluster that cannot be", row);
    cluster_motion *motion = &set->motion[k];
    cluster_body *solid = &set->body[k];
    cluster_flight *flight = &fresh->flight[k];
    memcpy(motion->offset, &number[OFFSET], sizeof motion->offset);
    memcpy(motion->velocity, &number[VELOCITY], sizeof motion->velocity);
    memcpy(solid->lower, &number[LOWER_FACE], sizeof solid->lower);
    memcpy(solid->upper, &number[UPPER_FACE], sizeof solid->upper);
    memcpy(flight->promised, &number[PROMISED], sizeof flight->promised);
    motion->time = number[TIME];
    motion->travelled = number[TRAVELLED];
    solid->mass = number[MASS];
    flight->slack = number[SLACK];
    flight->pairs = flight->hot = index[1] ? NO_NODE : NO_LIST;
    flight->motion = (uint64_t)index[2];
    flight->promise = (uint64_t)index[3];
  }
  set->alive = (int64_t)numbers->rows;
  return FLOC_OK;
}

/* Chains of members, from the last to the first so that they begin with the lowest number. */
static floc_status chain_members(event_driven *fresh)
{
  cluster_set *set = &fresh->set;
  for (int32_t k = (int32_t)set->count - 1; k >= 0; k--) {
    int32_t cluster = set->member[k].cluster;
    if (fresh->flight[cluster].motion == 0) return damaged(fresh, "a member without a cluster", k);
    set->member[k].next_in_cluster = set->body[cluster].first;
    set->body[cluster].first = k;
    set->body[cluster].count++;
  }
  for (int64_t k = 0; k < set->count; k++)
    if (fresh->flight[k].motion != 0 && set->body[k].count == 0)
      return damaged(fresh, "a cluster without members", k);
  return cluster_grid_restore(set);
}

static floc_status read_pairs(event_driven *fresh, const section_list *list, const char *name, bool hot)
{
  const section *found;
  floc_status status = section_expect(list, name, "i32", UINT64_MAX, 2, &found);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < (int64_t)found->rows; k++) {
    const int32_t *pair = (const int32_t *)found->data + 2 * k;
    bool known = pair[0] >= 0 && pair[1] >= 0 && pair[0] < fresh->set.count && pair[1] < fresh->set.count;
    if (!known) return damaged(fresh, "a pair of unknown members", k);
    if (hot)
      event_pair_make_hot(fresh, pair[0], pair[1]);
    else
      event_pair_list(fresh, pair[0], pair[1]);
    if (fresh->failure != FLOC_OK) return fresh->failure;
  }
  return FLOC_OK;
}

static floc_status read_queue(event_driven *fresh, const section_list *list)
{
  const section *times, *whats;
  floc_status status = section_expect(list, NAME("queue_times"), "f64", UINT64_MAX, 1, &times);
  if (status == FLOC_OK) status = section_expect(list, NAME("queue"), "i64", times->rows, 3, &whats);
  for (int64_t k = 0; k < (int64_t)(status == FLOC_OK ? times->rows : 0) && status == FLOC_OK; k++) {
    const int64_t *what = (const int64_t *)whats->data + 3 * k;
    double time = ((const double *)times->data)[k];
    int64_t count = fresh->set.count, first = what[0] < 0 ? ~what[0] : what[0];
    bool alone = what[1] < 0 && what[1] >= -7 && what[0] >= 0;
    if (first >= count || what[1] >= count || (what[1] < 0 && !alone) || !(time >= fresh->now))
      return damaged(fresh, "an event that cannot be", k);
    status = event_queue_push(&fresh->queue, (event){time, (int32_t)what[0], (int32_t)what[1], (uint64_t)what[2]});
  }
  return status;
}

static floc_status read_all(event_driven *fresh, const section_list *list, int64_t particle_count)
{
  floc_status status = read_scalars(fresh, list);
  if (status == FLOC_OK) status = read_links(fresh, list, particle_count);
  if (status != FLOC_OK || !fresh->built) return status;
  status = read_members(fresh, list, particle_count);
  if (status == FLOC_OK) status = read_clusters(fresh, list);
  if (status == FLOC_OK) status = chain_members(fresh);
  if (status == FLOC_OK) status = read_pairs(fresh, list, NAME("pairs"), false);
  if (status == FLOC_OK) status = read_pairs(fresh, list, NAME("hot_pairs"), true);
  if (status == FLOC_OK) status = read_queue(fresh, list);
  return status;
}

floc_status event_driven_restore(void *scheme_state, const section_list *list, int64_t particle_count,
                                 int32_t shape_count)
{
  (void)shape_count;
  event_driven *state = scheme_state, fresh;
  event_driven_init(&fresh, state->env, state->dimension, &state->options);
  floc_status status = read_all(&fresh, list, particle_count);
  if (status == FLOC_OK) {
    event_driven other = *state;
    *state = fresh;
    fresh = other;
  }
  event_driven_free(&fresh);
  return status;
}
