/*
 * The event-driven state in a checkpoint: everything that the future depends on, to the last bit, and
 * nothing that can be made from it. Lists, chains, cells and the calendar are stored as plain sorted
 * tables; the order in which they are built again changes no result, because events have a total order
 * and each is predicted by itself. So a state that was read back writes the same bytes again.
 */
#include "schemes/aggregation/sections.h"
#include "schemes/event_driven/state.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the tables of numbers; append only. */
enum { NOW, SPEED_SUM, SPEED_FLOOR, SCALAR_COUNT };
enum { BUILT, STAMP, SPACE_AT, SEARCHES_BEFORE, LOOKED_BEFORE, COUNTER_COUNT };
enum { PROMISED, SLACK = PROMISED + 3, FLIGHT_NUMBERS };
enum { GRAVITY, FALL_FROM = GRAVITY + 3, FALL_NUMBERS };
enum { SPIN_MOMENTUM, SPIN_ENDLESS = SPIN_MOMENTUM + 3, SPIN_COLUMNS };
enum { IMAGE_LIMIT = 1 << 24 };
enum { LISTED, MOTION, PROMISE, FLIGHT_STAMPS };

static const char *const PREFIX = "event_driven";

/* ---- writing ---- */

#define REPORT_FIRST offsetof(floc_event_driven_report, clusters)

static void *table(event_driven *state, section_list *list, const char *name, const char *type, int64_t rows,
                   int64_t columns)
{
  return section_table(&state->exported, list, PREFIX, name, type, rows, columns, true, &state->failure);
}

static void write_scalars(event_driven *state, section_list *list)
{
  const int64_t report_size = REPORT_WORDS(sizeof state->count, REPORT_FIRST);
  double *scalar = table(state, list, "scalars", "f64", SCALAR_COUNT, 1);
  int64_t *counter = table(state, list, "counters", "i64", COUNTER_COUNT, 1);
  void *report =
      section_table(&state->exported, list, PREFIX, "report", "i64", report_size, 1, false, &state->failure);
  if (state->failure != FLOC_OK) return;
  scalar[NOW] = state->now;
  scalar[SPEED_SUM] = state->speed_sum;
  scalar[SPEED_FLOOR] = state->speed_floor;
  counter[BUILT] = state->built;
  counter[STAMP] = (int64_t)state->stamp;
  counter[SPACE_AT] = state->space_at;
  counter[SEARCHES_BEFORE] = state->searches_before;
  counter[LOOKED_BEFORE] = state->looked_before;
  section_write_report(report, &state->count, sizeof state->count, REPORT_FIRST);
}

/* Only where there is gravity: files of earlier versions have none. */
static void write_fall(event_driven *state, section_list *list)
{
  double *fall = table(state, list, "fall", "f64", FALL_NUMBERS, 1);
  if (!fall) return;
  memcpy(&fall[GRAVITY], state->gravity, sizeof state->gravity);
  fall[FALL_FROM] = state->fall_from;
}

static void write_links(event_driven *state, section_list *list)
{
  int32_t *link = table(state, list, "links", "i32", state->links.count, 2);
  for (int64_t k = 0; k < state->links.count && link; k++) {
    link[2 * k] = state->links.first[k];
    link[2 * k + 1] = state->links.second[k];
  }
}

static void write_flights(event_driven *state, section_list *list)
{
  double *number = table(state, list, "flights", "f64", state->set.alive, FLIGHT_NUMBERS);
  int64_t *stamp = table(state, list, "flight_stamps", "i64", state->set.alive, FLIGHT_STAMPS);
  if (state->failure != FLOC_OK) return;
  for (int64_t k = 0; k < state->set.count; k++) {
    const cluster_flight *flight = &state->flight[k];
    if (state->set.body[k].count == 0) continue;
    memcpy(&number[PROMISED], flight->promised, sizeof flight->promised);
    number[SLACK] = flight->slack;
    stamp[LISTED] = flight->pairs != NO_LIST;
    stamp[MOTION] = (int64_t)flight->motion;
    stamp[PROMISE] = (int64_t)flight->promise;
    number += FLIGHT_NUMBERS;
    stamp += FLIGHT_STAMPS;
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
  int32_t *pair = table(state, list, name, "i32", (int64_t)kept, 2);
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
  double *time = table(state, list, "queue_times", "f64", (int64_t)count, 1);
  int64_t *what = table(state, list, "queue", "i64", (int64_t)count, 3);
  if (state->failure != FLOC_OK) return;
  for (size_t k = 0; k < count; k++) {
    const int64_t values[3] = {events[k].first, events[k].second, (int64_t)events[k].stamp};
    time[k] = events[k].time;
    memcpy(&what[3 * k], values, sizeof values);
  }
}

/* Angular momenta and images; inertia and turns are made from them. */
static void write_spins(event_driven *state, section_list *list)
{
  int64_t rows = state->set.count;
  double *spin = table(state, list, "spins", "f64", rows, SPIN_COLUMNS);
  int32_t *image = table(state, list, "images", "i32", rows, 3);
  if (state->failure != FLOC_OK) return;
  if (rows > 0) memcpy(image, state->set.image, (size_t)rows * sizeof *state->set.image);
  for (int64_t k = 0; k < rows; k++, spin += SPIN_COLUMNS) {
    memcpy(&spin[SPIN_MOMENTUM], state->set.spin[k].momentum, sizeof state->set.spin[k].momentum);
    spin[SPIN_ENDLESS] = state->set.spin[k].endless;
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
    state->failure = cluster_set_list(&state->set, &state->exported, list, PREFIX);
    write_flights(state, list);
    write_pairs(state, list, "pairs", false);
    write_pairs(state, list, "hot_pairs", true);
    if (state->failure == FLOC_OK) write_queue(state, list);
    if (state->set.spin) write_spins(state, list);
    if (state->set.frame_falls) write_fall(state, list);
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

static floc_status expect(const section_list *list, const char *name, const char *type, uint64_t rows,
                          uint64_t columns, const section **found)
{
  return section_expect_table(list, PREFIX, name, type, rows, columns, found);
}

static floc_status read_scalars(event_driven *fresh, const section_list *list)
{
  const section *scalars, *counters, *report;
  const uint64_t report_size = REPORT_WORDS(sizeof fresh->count, REPORT_FIRST);
  floc_status status = expect(list, "scalars", "f64", SCALAR_COUNT, 1, &scalars);
  if (status == FLOC_OK) status = expect(list, "counters", "i64", COUNTER_COUNT, 1, &counters);
  if (status == FLOC_OK) status = expect(list, "report", "i64", UINT64_MAX, 1, &report);
  if (status != FLOC_OK) return status;
  status = section_check_numbers(fresh->env, scalars, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(fresh->env, scalars, SPEED_FLOOR, 1, NUMBERS_FROM_0);
  if (status == FLOC_OK) status = section_check_whole(fresh->env, counters, 0, ALL_ELEMENTS, 0, COUNTER_LIMIT);
  if (status == FLOC_OK && report->rows == report_size)
    status =
        section_check_report(fresh->env, report, REPORT_FIRST, offsetof(floc_event_driven_report, greatest_gap));
  if (status != FLOC_OK) return status;
  const double *scalar = scalars->data;
  const int64_t *counter = counters->data;
  fresh->now = scalar[NOW];
  fresh->speed_sum = scalar[SPEED_SUM];
  fresh->speed_floor = scalar[SPEED_FLOOR];
  fresh->built = counter[BUILT] != 0;
  fresh->stamp = (uint64_t)counter[STAMP];
  fresh->space_at = counter[SPACE_AT];
  fresh->searches_before = counter[SEARCHES_BEFORE];
  fresh->looked_before = counter[LOOKED_BEFORE];
  fresh->count.struct_size = sizeof fresh->count; /* a report of another version is reset */
  section_read_report(&fresh->count, sizeof fresh->count, REPORT_FIRST, report);
  return FLOC_OK;
}

static floc_status read_fall(event_driven *fresh, const section_list *list)
{
  const section *found;
  if (!section_find(list, "event_driven/fall")) return FLOC_OK;
  floc_status status = expect(list, "fall", "f64", FALL_NUMBERS, 1, &found);
  if (status == FLOC_OK) status = section_check_numbers(fresh->env, found, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status != FLOC_OK) return status;
  const double *fall = found->data;
  memcpy(fresh->gravity, &fall[GRAVITY], sizeof fresh->gravity);
  fresh->fall_from = fall[FALL_FROM];
  fall_to_now(fresh);
  bool finite = true;
  for (int axis = 0; axis < 3; axis++) finite &= isfinite(fresh->set.frame_place[axis]);
  return finite && fresh->fall_from <= fresh->now ? FLOC_OK : damaged(fresh, "an impossible fall", 0);
}

static floc_status read_links(event_driven *fresh, const section_list *list, int64_t particle_count)
{
  const section *found;
  floc_status status = expect(list, "links", "i32", UINT64_MAX, 2, &found);
  if (status != FLOC_OK) return status;
  const int32_t *link = found->data;
  for (int64_t k = 0; k < (int64_t)found->rows; k++) {
    int32_t a = link[2 * k], b = link[2 * k + 1];
    if (a < 0 || b < 0 || a >= particle_count || b >= particle_count || a == b)
      return damaged(fresh, "a link to a particle that does not exist", k);
    status = particle_links_add(&fresh->links, a, b);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status read_flights(event_driven *fresh, const section_list *list)
{
  const section *numbers, *stamps;
  uint64_t alive = (uint64_t)fresh->set.alive;
  floc_status status = expect(list, "flights", "f64", alive, FLIGHT_NUMBERS, &numbers);
  if (status == FLOC_OK) status = expect(list, "flight_stamps", "i64", alive, FLIGHT_STAMPS, &stamps);
  if (status == FLOC_OK) status = section_check_numbers(fresh->env, numbers, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(fresh->env, numbers, SLACK, 1, NUMBERS_FROM_0);
  if (status == FLOC_OK) status = section_check_whole(fresh->env, stamps, LISTED, 3, 0, (int64_t)fresh->stamp);
  if (status == FLOC_OK) status = event_driven_begin_flights(fresh);
  if (status != FLOC_OK) return status;
  const double *number = numbers->data;
  const int64_t *stamp = stamps->data;
  for (int64_t k = 0; k < fresh->set.count; k++) {
    cluster_flight *flight = &fresh->flight[k];
    if (fresh->set.body[k].count == 0) continue;
    memcpy(flight->promised, &number[PROMISED], sizeof flight->promised);
    flight->slack = number[SLACK];
    flight->pairs = flight->hot = stamp[LISTED] ? NO_NODE : NO_LIST;
    flight->motion = (uint64_t)stamp[MOTION];
    flight->promise = (uint64_t)stamp[PROMISE];
    if (flight->motion == 0 || flight->motion > fresh->stamp || (!stamp[LISTED] && flight->slack != 0.0))
      return damaged(fresh, "an impossible flight", k);
    number += FLIGHT_NUMBERS;
    stamp += FLIGHT_STAMPS;
  }
  return FLOC_OK;
}

static floc_status read_pairs(event_driven *fresh, const section_list *list, const char *name, bool hot)
{
  const section *found;
  floc_status status = expect(list, name, "i32", UINT64_MAX, 2, &found);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < (int64_t)found->rows; k++) {
    const int32_t *pair = (const int32_t *)found->data + 2 * k;
    bool known = pair[0] >= 0 && pair[1] >= 0 && pair[0] < fresh->set.count && pair[1] < fresh->set.count;
    if (!known) return damaged(fresh, "a pair of members that do not exist", k);
    if (fresh->set.member[pair[0]].cluster == fresh->set.member[pair[1]].cluster)
      return damaged(fresh, "a pair within a cluster", k);
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
  floc_status status = expect(list, "queue_times", "f64", UINT64_MAX, 1, &times);
  if (status == FLOC_OK) status = expect(list, "queue", "i64", times->rows, 3, &whats);
  if (status == FLOC_OK) status = section_check_numbers(fresh->env, times, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  for (int64_t k = 0; k < (int64_t)(status == FLOC_OK ? times->rows : 0) && status == FLOC_OK; k++) {
    const int64_t *what = (const int64_t *)whats->data + 3 * k;
    double time = ((const double *)times->data)[k];
    int64_t count = fresh->set.count, first = what[0] < 0 ? ~what[0] : what[0];
    bool alone = what[1] < 0 && what[1] >= -7 && what[0] >= 0;
    if (first >= count || what[1] >= count || (what[1] < 0 && !alone) || !(time >= fresh->now))
      return damaged(fresh, "an impossible event", k);
    status = event_queue_push(&fresh->queue, (event){time, (int32_t)what[0], (int32_t)what[1], (uint64_t)what[2]});
  }
  return status;
}

static floc_status read_spins(event_driven *fresh, const section_list *list)
{
  const section *found, *image;
  uint64_t rows = (uint64_t)fresh->set.count;
  if (!fresh->set.spin) return FLOC_OK;
  floc_status status = expect(list, "spins", "f64", rows, SPIN_COLUMNS, &found);
  if (status == FLOC_OK) status = expect(list, "images", "i32", rows, 3, &image);
  if (status == FLOC_OK) status = section_check_numbers(fresh->env, found, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK)
    status = section_check_whole(fresh->env, image, 0, ALL_ELEMENTS, -IMAGE_LIMIT, IMAGE_LIMIT);
  if (status != FLOC_OK) return status;
  for (uint64_t k = 0; k < rows; k++) {
    const double *row = (const double *)found->data + SPIN_COLUMNS * k;
    memcpy(fresh->set.spin[k].momentum, &row[SPIN_MOMENTUM], sizeof fresh->set.spin[k].momentum);
    fresh->set.spin[k].endless = row[SPIN_ENDLESS] != 0.0;
  }
  if (rows > 0) memcpy(fresh->set.image, image->data, (size_t)rows * sizeof *fresh->set.image);
  rotation_turn_all(fresh);
  return FLOC_OK;
}

static floc_status read_all(event_driven *fresh, const section_list *list, int64_t particle_count)
{
  floc_status status = read_scalars(fresh, list);
  if (status == FLOC_OK) status = read_links(fresh, list, particle_count);
  if (status != FLOC_OK || !fresh->built) return status;
  status = cluster_set_restore(&fresh->set, list, PREFIX, particle_count);
  if (status == FLOC_OK) status = read_fall(fresh, list);
  if (status == FLOC_OK) status = read_flights(fresh, list);
  if (status == FLOC_OK) status = read_spins(fresh, list);
  if (status == FLOC_OK) status = read_pairs(fresh, list, "pairs", false);
  if (status == FLOC_OK) status = read_pairs(fresh, list, "hot_pairs", true);
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
