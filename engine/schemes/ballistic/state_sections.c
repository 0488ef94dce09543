/*
 * The state of time stepping in a checkpoint. The list of pairs is stored sorted, because its order changes
 * no result; see ballistic/state.h.
 */
#include "schemes/aggregation/sections.h"
#include "schemes/ballistic/state.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the tables; append only. */
enum { NOW, SCALAR_COUNT };
enum { BUILT, SPACE_AT, SEARCHES_BEFORE, LOOKED_BEFORE, STEPS_SINCE, GATHERED, COUNTER_COUNT };
enum { FIRST, SECOND, LOOP, SLACK, LINK_COLUMNS };
enum { SPIN_MOMENTUM, SPIN_CENTER = SPIN_MOMENTUM + 3, SPIN_ENDLESS = SPIN_CENTER + 3, SPIN_COLUMNS };
enum { IMAGE_COLUMNS = 3, IMAGE_LIMIT = 1 << 29 /* so that differences are numbers */ };

static const char *const PREFIX = "ballistic";

/* ---- writing ---- */

#define REPORT_FIRST offsetof(floc_ballistic_report, clusters)

typedef struct writer {
  ballistic *state;
  section_list *list;
  floc_status status;
} writer;

static void *table(writer *to, const char *name, const char *type, int64_t rows, int64_t columns, bool is_state)
{
  return section_table(&to->state->exported, to->list, PREFIX, name, type, rows, columns, is_state, &to->status);
}

static void write_scalars(writer *to)
{
  const ballistic *state = to->state;
  double *scalar = table(to, "scalars", "f64", SCALAR_COUNT, 1, true);
  int64_t *counter = table(to, "counters", "i64", COUNTER_COUNT, 1, true);
  void *report = table(to, "report", "i64", REPORT_WORDS(sizeof state->count, REPORT_FIRST), 1, false);
  if (to->status != FLOC_OK) return;
  scalar[NOW] = state->now;
  counter[BUILT] = state->built;
  counter[SPACE_AT] = state->space_at;
  counter[SEARCHES_BEFORE] = state->searches_before;
  counter[LOOKED_BEFORE] = state->looked_before;
  counter[STEPS_SINCE] = state->steps_since;
  counter[GATHERED] = state->set.gathered;
  section_write_report(report, &state->count, sizeof state->count, REPORT_FIRST);
}

static void write_links(writer *to)
{
  const ballistic *state = to->state;
  int32_t *link = table(to, "links", "i32", state->links.count, LINK_COLUMNS, true);
  for (int64_t k = 0; k < state->links.count && link; k++, link += LINK_COLUMNS) {
    link[FIRST] = state->links.first[k];
    link[SECOND] = state->links.second[k];
    link[LOOP] = state->link[k].loop;
    link[SLACK] = state->link[k].slack;
  }
}

static int compare_rows(const void *a, const void *b)
{
  const int32_t *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

static void write_pairs(writer *to)
{
  const ballistic *state = to->state;
  int64_t count = 0;
  for (size_t k = 0; k < state->pair_count; k++) count += ballistic_pair_counts(state, &state->pair[k]);
  int32_t *rows = table(to, "pairs", "i32", count, 2, true), *row = rows;
  for (size_t k = 0; k < state->pair_count && rows; k++) {
    if (!ballistic_pair_counts(state, &state->pair[k])) continue;
    *row++ = state->pair[k].first;
    *row++ = state->pair[k].second;
  }
  if (rows && count > 1) qsort(rows, (size_t)count, 2 * sizeof *rows, compare_rows);
}

static void write_spins(writer *to)
{
  const ballistic *state = to->state;
  int64_t rows = state->set.spin ? state->set.count : 0;
  double *spin = table(to, "spins", "f64", rows, SPIN_COLUMNS, true);
  int32_t *image = table(to, "images", "i32", rows, IMAGE_COLUMNS, true);
  if (image && rows > 0) memcpy(image, state->set.image, (size_t)rows * sizeof *state->set.image);
  for (int64_t k = 0; k < state->set.count && spin && state->set.spin; k++, spin += SPIN_COLUMNS) {
    memcpy(&spin[SPIN_MOMENTUM], state->set.spin[k].momentum, sizeof state->set.spin[k].momentum);
    memcpy(&spin[SPIN_CENTER], state->set.spin[k].center, sizeof state->set.spin[k].center);
    spin[SPIN_ENDLESS] = state->set.spin[k].endless;
  }
}

floc_status ballistic_sections(void *scheme_state, section_list *list)
{
  writer to = {scheme_state, list, FLOC_OK};
  arena_reset(&to.state->exported);
  write_scalars(&to);
  write_links(&to);
  if (to.state->built && to.status == FLOC_OK) {
    to.status = cluster_set_list(&to.state->set, &to.state->exported, list, PREFIX);
    write_pairs(&to);
    write_spins(&to);
  }
  return to.status;
}

/* ---- reading: into a fresh state, which takes the old one's place when all is well ---- */

static floc_status damaged(ballistic *fresh, const char *what, int64_t row)
{
  return refuse(fresh->env, FLOC_DAMAGED_FILE, "state of the ballistic scheme: %s in row %" PRId64, what, row);
}

static floc_status expect(const section_list *list, const char *name, const char *type, uint64_t rows,
                          uint64_t columns, const section **found)
{
  return section_expect_table(list, PREFIX, name, type, rows, columns, found);
}

static floc_status read_scalars(ballistic *fresh, const section_list *list)
{
  const section *scalars, *counters, *report;
  floc_status status = expect(list, "scalars", "f64", SCALAR_COUNT, 1, &scalars);
  if (status == FLOC_OK) status = expect(list, "counters", "i64", COUNTER_COUNT, 1, &counters);
  if (status == FLOC_OK) status = expect(list, "report", "i64", UINT64_MAX, 1, &report);
  if (status != FLOC_OK) return status;
  bool whole = report->rows == REPORT_WORDS(sizeof fresh->count, REPORT_FIRST);
  status = section_check_numbers(fresh->env, scalars, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_whole(fresh->env, counters, 0, ALL_ELEMENTS, 0, COUNTER_LIMIT);
  if (status == FLOC_OK && whole)
    status =
        section_check_report(fresh->env, report, REPORT_FIRST, offsetof(floc_ballistic_report, greatest_residual));
  if (status != FLOC_OK) return status;
  const int64_t *counter = counters->data;
  fresh->now = ((const double *)scalars->data)[NOW];
  fresh->built = counter[BUILT] != 0;
  fresh->space_at = counter[SPACE_AT];
  fresh->searches_before = counter[SEARCHES_BEFORE];
  fresh->looked_before = counter[LOOKED_BEFORE];
  fresh->steps_since = counter[STEPS_SINCE];
  fresh->set.gathered = counter[GATHERED];
  fresh->count.struct_size = sizeof fresh->count; /* a report of another version is reset */
  section_read_report(&fresh->count, sizeof fresh->count, REPORT_FIRST, report);
  return FLOC_OK;
}

/* Links of a state that is not built are slots only; build makes the chains. */
static floc_status read_links(ballistic *fresh, const section_list *list, int64_t particle_count)
{
  const section *found;
  floc_status status = expect(list, "links", "i32", UINT64_MAX, LINK_COLUMNS, &found);
  if (status == FLOC_OK)
    status = array_reserve(fresh->env, (void **)&fresh->link, &fresh->link_capacity, (size_t)found->rows + 1,
                           sizeof *fresh->link);
  for (int64_t k = 0; status == FLOC_OK && k < (int64_t)found->rows; k++) {
    const int32_t *row = (const int32_t *)found->data + LINK_COLUMNS * k;
    if (row[FIRST] < 0 || row[SECOND] < 0 || row[FIRST] >= particle_count || row[SECOND] >= particle_count ||
        row[FIRST] == row[SECOND])
      return damaged(fresh, "an impossible link", k);
    fresh->link[k] = (link_record){.loop = row[LOOP] != 0, .slack = row[SLACK] != 0};
    status = particle_links_add(&fresh->links, row[FIRST], row[SECOND]);
  }
  return status;
}

static floc_status chain_links(ballistic *fresh)
{
  const cluster_set *set = &fresh->set;
  size_t bytes = (size_t)set->count * sizeof(int32_t);
  if (fresh->links.count == 0) return FLOC_OK;
  int32_t *member_at = memory_resize(fresh->env, NULL, 0, bytes);
  if (!member_at) return refuse(fresh->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  for (int32_t k = 0; k < (int32_t)set->count; k++) member_at[set->slot[k]] = k;
  floc_status status = FLOC_OK;
  for (int64_t k = 0; k < fresh->links.count && status == FLOC_OK; k++) {
    int32_t a = member_at[fresh->links.first[k]], b = member_at[fresh->links.second[k]];
    if (set->member[a].cluster != set->member[b].cluster) status = damaged(fresh, "a link between two clusters", k);
    ballistic_chain_link(fresh, k, a, b);
  }
  memory_free(fresh->env, member_at, bytes);
  return status;
}

static floc_status read_pairs(ballistic *fresh, const section_list *list)
{
  const section *found;
  floc_status status = expect(list, "pairs", "i32", UINT64_MAX, 2, &found);
  for (int64_t k = 0; status == FLOC_OK && k < (int64_t)found->rows; k++) {
    const int32_t *pair = (const int32_t *)found->data + 2 * k;
    if (pair[0] < 0 || pair[0] >= pair[1] || pair[1] >= fresh->set.count)
      return damaged(fresh, "an impossible pair", k);
    status = ballistic_add_pair(fresh, pair[0], pair[1]);
  }
  return status;
}

static floc_status read_spins(ballistic *fresh, const section_list *list)
{
  const section *found, *image;
  uint64_t rows = fresh->set.spin ? (uint64_t)fresh->set.count : 0;
  floc_status status = expect(list, "spins", "f64", rows, SPIN_COLUMNS, &found);
  if (status == FLOC_OK) status = expect(list, "images", "i32", rows, IMAGE_COLUMNS, &image);
  if (status == FLOC_OK) status = section_check_numbers(fresh->env, found, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK)
    status = section_check_whole(fresh->env, image, 0, ALL_ELEMENTS, -IMAGE_LIMIT, IMAGE_LIMIT);
  for (uint64_t k = 0; status == FLOC_OK && k < rows; k++) {
    const double *row = (const double *)found->data + SPIN_COLUMNS * k;
    memcpy(fresh->set.spin[k].momentum, &row[SPIN_MOMENTUM], sizeof fresh->set.spin[k].momentum);
    memcpy(fresh->set.spin[k].center, &row[SPIN_CENTER], sizeof fresh->set.spin[k].center);
    fresh->set.spin[k].endless = row[SPIN_ENDLESS] != 0.0;
  }
  if (status == FLOC_OK && rows > 0) memcpy(fresh->set.image, image->data, (size_t)rows * sizeof *fresh->set.image);
  return status;
}

static floc_status read_all(ballistic *fresh, const section_list *list, int64_t particle_count)
{
  floc_status status = read_scalars(fresh, list);
  if (status == FLOC_OK) status = read_links(fresh, list, particle_count);
  if (status != FLOC_OK || !fresh->built) return status;
  status = cluster_set_restore(&fresh->set, list, PREFIX, particle_count);
  if (status == FLOC_OK) status = ballistic_begin(fresh);
  if (status == FLOC_OK) status = chain_links(fresh);
  if (status == FLOC_OK) status = read_pairs(fresh, list);
  if (status == FLOC_OK) status = read_spins(fresh, list);
  if (status == FLOC_OK) ballistic_list_alive(fresh);
  if (status == FLOC_OK && fresh->set.spin) ballistic_find_spins(fresh);
  return status;
}

floc_status ballistic_restore(void *scheme_state, const section_list *list, int64_t particle_count,
                              int32_t shape_count)
{
  (void)shape_count;
  ballistic *state = scheme_state, fresh;
  ballistic_init(&fresh, state->env, state->dimension, &state->options);
  floc_status status = read_all(&fresh, list, particle_count);
  if (status == FLOC_OK) {
    ballistic other = *state;
    *state = fresh;
    fresh = other;
  }
  ballistic_free(&fresh);
  return status;
}
