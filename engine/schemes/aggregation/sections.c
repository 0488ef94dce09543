/*
 * A cluster_set in a checkpoint. See aggregation/sections.h.
 */
#include "schemes/aggregation/sections.h"

#include "schemes/aggregation/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of the tables; append only. */
enum {
  SKIN,
  COVERED_LOWER,
  COVERED_UPPER = COVERED_LOWER + 3,
  BOX_LOWER = COVERED_UPPER + 3,
  BOX_UPPER = BOX_LOWER + 3,
  BOX_LENGTH = BOX_UPPER + 3,
  GRID_NUMBERS = BOX_LENGTH + 3
};
enum { LOOKED_AT, WRITTEN, BOUNDARY, GRID_COUNTS = BOUNDARY + 3 };
enum {
  OFFSET,
  VELOCITY = OFFSET + 3,
  LOWER = VELOCITY + 3,
  UPPER = LOWER + 3,
  TIME = UPPER + 3,
  TRAVELLED,
  MASS,
  CLUSTER_NUMBERS
};
enum { BASE, RADIUS = BASE + 3, MEMBER_MASS, MEMBER_NUMBERS };
enum { CLUSTER, CELL, REGISTRATION, SLOT, NEXT, MEMBER_INDICES };
enum { NUMBER, FIRST, CLUSTER_INDICES };

/* ---- tables by name ---- */

static void compose_name(char name[64], const char *prefix, const char *end)
{
  snprintf(name, 64, "%s/%s", prefix, end);
}

void *section_table(arena *memory, section_list *list, const char *prefix, const char *name, const char *type,
                    int64_t rows, int64_t columns, bool is_state, floc_status *status)
{
  if (*status != FLOC_OK) return NULL;
  void *data = arena_allocate(memory, (size_t)(rows * columns), section_type_size(type));
  char full[64];
  compose_name(full, prefix, name);
  *status = data ? section_list_add(list, full, type, (uint64_t)rows, (uint64_t)columns, data, is_state)
                 : FLOC_OUT_OF_MEMORY;
  return *status == FLOC_OK ? data : NULL;
}

floc_status section_expect_table(const section_list *list, const char *prefix, const char *name, const char *type,
                                 uint64_t rows, uint64_t columns, const section **found)
{
  char full[64];
  compose_name(full, prefix, name);
  return section_expect(list, full, type, rows, columns, found);
}

/* ---- writing ---- */

static void copy3(double *to, const double from[3])
{
  memcpy(to, from, 3 * sizeof *to);
}

static void write_grid(const cluster_set *set, double *number, int64_t *count)
{
  number[SKIN] = set->skin;
  copy3(&number[COVERED_LOWER], set->covered_lower);
  copy3(&number[COVERED_UPPER], set->covered_upper);
  copy3(&number[BOX_LOWER], set->box.lower);
  copy3(&number[BOX_UPPER], set->box.upper);
  copy3(&number[BOX_LENGTH], set->box.length);
  count[LOOKED_AT] = set->looked_at;
  count[WRITTEN] = (int64_t)set->written;
  for (int axis = 0; axis < 3; axis++) count[BOUNDARY + axis] = set->box.boundary[axis];
}

static void write_members(const cluster_set *set, double *number, int32_t *index)
{
  for (int64_t k = 0; k < set->count; k++, number += MEMBER_NUMBERS, index += MEMBER_INDICES) {
    const cluster_member *member = &set->member[k];
    copy3(&number[BASE], member->base);
    number[RADIUS] = member->radius;
    number[MEMBER_MASS] = member->mass;
    index[CLUSTER] = member->cluster;
    index[CELL] = member->cell;
    index[REGISTRATION] = (int32_t)member->registration;
    index[SLOT] = set->slot[k];
    index[NEXT] = member->next_in_cluster;
  }
}

static void write_clusters(const cluster_set *set, double *number, int32_t *index)
{
  for (int32_t k = 0; k < (int32_t)set->count; k++) {
    const cluster_motion *motion = &set->motion[k];
    const cluster_body *solid = &set->body[k];
    if (solid->count == 0) continue;
    copy3(&number[OFFSET], motion->offset);
    copy3(&number[VELOCITY], motion->velocity);
    copy3(&number[LOWER], solid->lower);
    copy3(&number[UPPER], solid->upper);
    number[TIME] = motion->time;
    number[TRAVELLED] = motion->travelled;
    number[MASS] = solid->mass;
    index[NUMBER] = k;
    index[FIRST] = solid->first;
    index += CLUSTER_INDICES;
    number += CLUSTER_NUMBERS;
  }
}

floc_status cluster_set_list(const cluster_set *set, arena *memory, section_list *list, const char *prefix)
{
  floc_status status = FLOC_OK;
  double *grid = section_table(memory, list, prefix, "grid", "f64", GRID_NUMBERS, 1, true, &status);
  int64_t *counts = section_table(memory, list, prefix, "grid_counts", "i64", GRID_COUNTS, 1, true, &status);
  double *member = section_table(memory, list, prefix, "members", "f64", set->count, MEMBER_NUMBERS, true, &status);
  int32_t *index =
      section_table(memory, list, prefix, "member_numbers", "i32", set->count, MEMBER_INDICES, true, &status);
  double *cluster =
      section_table(memory, list, prefix, "clusters", "f64", set->alive, CLUSTER_NUMBERS, true, &status);
  int32_t *number =
      section_table(memory, list, prefix, "cluster_numbers", "i32", set->alive, CLUSTER_INDICES, true, &status);
  if (status != FLOC_OK) return status;
  write_grid(set, grid, counts);
  write_members(set, member, index);
  write_clusters(set, cluster, number);
  return FLOC_OK;
}

/* ---- reading ---- */

static floc_status damaged(const cluster_set *set, const char *what, int64_t row)
{
  return refuse(set->env, FLOC_DAMAGED_FILE, "state of a ballistic scheme: %s in row %" PRId64, what, row);
}

static floc_status read_grid(cluster_set *set, const section_list *list, const char *prefix)
{
  const section *numbers, *counts;
  floc_status status = section_expect_table(list, prefix, "grid", "f64", GRID_NUMBERS, 1, &numbers);
  if (status == FLOC_OK) status = section_expect_table(list, prefix, "grid_counts", "i64", GRID_COUNTS, 1, &counts);
  if (status != FLOC_OK) return status;
  status = section_check_whole(set->env, counts, LOOKED_AT, 1, 0, COUNTER_LIMIT);
  if (status == FLOC_OK)
    status = section_check_whole(set->env, counts, BOUNDARY, 3, FLOC_BOUNDARY_OPEN, FLOC_BOUNDARY_PERIODIC);
  if (status != FLOC_OK) return status;
  const double *number = numbers->data;
  const int64_t *count = counts->data;
  set->skin = number[SKIN];
  copy3(set->covered_lower, &number[COVERED_LOWER]);
  copy3(set->covered_upper, &number[COVERED_UPPER]);
  set->box = (domain){.dimension = set->dimension};
  copy3(set->box.lower, &number[BOX_LOWER]);
  copy3(set->box.upper, &number[BOX_UPPER]);
  copy3(set->box.length, &number[BOX_LENGTH]);
  set->looked_at = count[LOOKED_AT];
  set->written = (uint64_t)count[WRITTEN];
  for (int axis = 0; axis < 3; axis++) set->box.boundary[axis] = (int32_t)count[BOUNDARY + axis];
  if (!(set->skin > 0.0 && isfinite(set->skin))) return damaged(set, "an impossible skin", SKIN);
  for (int axis = 0; axis < set->dimension; axis++) {
    double extent = set->covered_upper[axis] - set->covered_lower[axis];
    if (!(extent > 0.0 && isfinite(extent))) return damaged(set, "an impossible region", COVERED_LOWER + axis);
    if (set->box.boundary[axis] == FLOC_BOUNDARY_OPEN) {
      if (set->box.length[axis] != 0.0) return damaged(set, "an open axis with a length", BOX_LENGTH + axis);
      continue;
    }
    double length = set->box.upper[axis] - set->box.lower[axis];
    double period = set->box.boundary[axis] == FLOC_BOUNDARY_PERIODIC ? length : 0.0;
    if (!(length > 0.0 && isfinite(length)) || set->box.length[axis] != period)
      return damaged(set, "an impossible box", BOX_LOWER + axis);
  }
  return FLOC_OK;
}

static bool member_is_possible(const int32_t *index, int64_t count)
{
  return index[CLUSTER] >= 0 && index[CLUSTER] < count && index[SLOT] >= 0 && index[SLOT] < count &&
         index[NEXT] >= NO_MEMBER && index[NEXT] < count;
}

static floc_status read_members(cluster_set *set, const section_list *list, const char *prefix, int64_t count)
{
  const section *numbers, *indices;
  floc_status status =
      section_expect_table(list, prefix, "members", "f64", (uint64_t)count, MEMBER_NUMBERS, &numbers);
  if (status == FLOC_OK)
    status = section_expect_table(list, prefix, "member_numbers", "i32", (uint64_t)count, MEMBER_INDICES, &indices);
  const number_range mass = particles_mass_range();
  if (status == FLOC_OK) status = section_check_numbers(set->env, numbers, BASE, 3, FINITE_NUMBERS);
  if (status == FLOC_OK)
    status = section_check_numbers(set->env, numbers, RADIUS, 1, particles_radius_range(&set->box));
  if (status == FLOC_OK) status = section_check_numbers(set->env, numbers, MEMBER_MASS, 1, mass);
  if (status == FLOC_OK) status = cluster_set_reserve(set, count);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < count; k++) set->slot[k] = -1; /* first serves to see each slot once */
  for (int64_t k = 0; k < count; k++) {
    const double *number = (const double *)numbers->data + MEMBER_NUMBERS * k;
    const int32_t *index = (const int32_t *)indices->data + MEMBER_INDICES * k;
    if (!member_is_possible(index, count)) return damaged(set, "an impossible member", k);
    if (set->slot[index[SLOT]] >= 0) return damaged(set, "a second member for a particle", k);
    set->slot[index[SLOT]] = 0;
    set->member[k] = (cluster_member){.radius = number[RADIUS],
                                      .mass = number[MEMBER_MASS],
                                      .cluster = index[CLUSTER],
                                      .cell = index[CELL],
                                      .registration = (uint32_t)index[REGISTRATION],
                                      .next_in_cell = NO_MEMBER,
                                      .previous_in_cell = NO_MEMBER,
                                      .next_in_cluster = index[NEXT]};
    copy3(set->member[k].base, &number[BASE]);
    set->body[k] = (cluster_body){.count = 0, .first = NO_MEMBER};
    set->motion[k] = (cluster_motion){.time = 0.0};
  }
  for (int64_t k = 0; k < count; k++) set->slot[k] = ((const int32_t *)indices->data)[MEMBER_INDICES * k + SLOT];
  set->count = count;
  cluster_set_take_radii(set);
  return FLOC_OK;
}

static floc_status read_clusters(cluster_set *set, const section_list *list, const char *prefix)
{
  const section *numbers, *indices;
  floc_status status = section_expect_table(list, prefix, "clusters", "f64", UINT64_MAX, CLUSTER_NUMBERS, &numbers);
  if (status == FLOC_OK)
    status = section_expect_table(list, prefix, "cluster_numbers", "i32", numbers->rows, CLUSTER_INDICES, &indices);
  if (status == FLOC_OK) status = section_check_numbers(set->env, numbers, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(set->env, numbers, TRAVELLED, 1, NUMBERS_FROM_0);
  if (status == FLOC_OK) status = section_check_numbers(set->env, numbers, MASS, 1, NUMBERS_ABOVE_0);
  if (status != FLOC_OK) return status;
  int64_t before = -1;
  for (int64_t row = 0; row < (int64_t)numbers->rows; row++) {
    const double *number = (const double *)numbers->data + CLUSTER_NUMBERS * row;
    const int32_t *index = (const int32_t *)indices->data + CLUSTER_INDICES * row;
    int32_t k = index[NUMBER];
    bool possible = k > before && k < set->count && index[FIRST] >= 0 && index[FIRST] < set->count;
    if (!possible) return damaged(set, "an impossible cluster", row);
    before = k;
    copy3(set->motion[k].offset, &number[OFFSET]);
    copy3(set->motion[k].velocity, &number[VELOCITY]);
    set->motion[k].time = number[TIME];
    set->motion[k].travelled = number[TRAVELLED];
    copy3(set->body[k].lower, &number[LOWER]);
    copy3(set->body[k].upper, &number[UPPER]);
    set->body[k].mass = number[MASS];
    set->body[k].first = index[FIRST];
  }
  set->alive = (int64_t)numbers->rows;
  return FLOC_OK;
}

void section_write_report(int64_t *words, const void *report, size_t size, size_t first)
{
  words[0] = (int64_t)(REPORT_WORDS(size, first) * sizeof *words); /* the size of the struct, where it has no gap */
  memcpy(words + 1, (const char *)report + first, size - first);
}

void section_read_report(void *report, size_t size, size_t first, const section *words)
{
  if (words->rows == REPORT_WORDS(size, first))
    memcpy((char *)report + first, (const int64_t *)words->data + 1, size - first);
}

floc_status section_check_report(environment *env, const section *report, size_t first, size_t number_at)
{
  int64_t number = (int64_t)REPORT_WORDS(number_at, first);
  double value;
  memcpy(&value, (const int64_t *)report->data + number, sizeof value);
  floc_status status = section_check_whole(env, report, 1, number - 1, 0, COUNTER_LIMIT);
  if (status == FLOC_OK) status = section_check_whole(env, report, number + 1, ALL_ELEMENTS, 0, COUNTER_LIMIT);
  if (status != FLOC_OK || is_within(NUMBERS_FROM_0, value)) return status;
  return refuse(env, FLOC_DAMAGED_FILE,
                "section \"%s\": element %" PRId64 " is %g; it must be a finite number of at least 0", report->name,
                number, value);
}

/* Every member must stand in the chain of its own cluster, once. */
static floc_status walk_chains(cluster_set *set)
{
  int64_t met = 0;
  for (int32_t k = 0; k < (int32_t)set->count; k++) {
    cluster_body *solid = &set->body[k];
    for (int32_t m = solid->first; m != NO_MEMBER; m = set->member[m].next_in_cluster) {
      if (set->member[m].cluster != k || ++met > set->count)
        return damaged(set, "an impossible chain of members", k);
      solid->count++;
    }
  }
  return met == set->count ? FLOC_OK : damaged(set, "members without a cluster, of all", met);
}

floc_status cluster_set_restore(cluster_set *set, const section_list *list, const char *prefix,
                                int64_t particle_count)
{
  floc_status status = read_grid(set, list, prefix);
  if (status == FLOC_OK) status = read_members(set, list, prefix, particle_count);
  if (status == FLOC_OK) status = read_clusters(set, list, prefix);
  if (status == FLOC_OK) status = walk_chains(set);
  if (status == FLOC_OK) status = cluster_grid_restore(set);
  return status;
}
