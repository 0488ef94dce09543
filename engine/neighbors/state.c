/*
 * The lists in checkpoints. A resumed run must build its next list at the same step as the uninterrupted
 * one, from the same margins, because what a pair remembers is lost when it leaves the list. So everything
 * that decides about it travels: both lists, reference positions, bounds and margins, poses of the bodies,
 * floor and horizon, ages.
 *
 * None of it counts for the hash: how far lists extend is no part of the physical state. What pairs remember
 * the world lists by id and puts back into the lists; here only the names of the columns are kept, to be
 * compared. (Before this, files had the columns here a second time; those sections are passed over.)
 *
 * Restoring checks everything in the sections themselves, then reserves, then copies.
 */
#include "neighbors/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  BODY_NUMBERS = 9, /* position, orientation, angle, margin */
  BOX_NUMBERS = 8,  /* lower, upper, tilt, plane */
  COUNTER_PARTICLES = SKIN_COUNTERS,
  COUNTER_BODIES,
  COUNTER_SHAPES,
  COUNTER_MEMORY,
  COUNTER_COUNT
};

static const char *const LIST_NAME[2] = {"pairs", "walls"};
static const char *const AXIS_NAME[3] = {"x", "y", "z"};

/* ---- names ---- */

typedef struct section_name {
  char text[64];
} section_name;

static section_name name_of(const char *part, const char *what)
{
  section_name name;
  snprintf(name.text, sizeof name.text, "neighbors.%s.%s", part, what);
  return name;
}

/* ---- writing ---- */

/* Sections without rows point at something, too. */
static floc_status add(section_list *list, section_name name, const char *type, int64_t rows, uint64_t columns,
                       const void *data)
{
  return section_list_add(list, name.text, type, (uint64_t)rows, columns, data ? data : "", false);
}

static void stage_numbers(neighbors *all)
{
  const skin *present = &all->skin;
  double numbers[SKIN_NUMBERS] = {present->floor, present->horizon, present->length, present->baseline};
  int64_t counters[COUNTER_COUNT] = {present->built,  present->valid,       present->age,
                                     present->excess, present->far_entries, all->particle_count,
                                     all->body_count, all->shape_count,     all->memory_count};
  memcpy(all->numbers, numbers, sizeof numbers);
  memcpy(all->counters, counters, sizeof counters);
}

static floc_status stage_bodies(neighbors *all)
{
  floc_status status = array_reserve(all->env, (void **)&all->staging, &all->staging_capacity,
                                     (size_t)all->body_count * BODY_NUMBERS, sizeof(double));
  for (int32_t k = 0; k < all->body_count && status == FLOC_OK; k++) {
    double *row = all->staging + (size_t)k * BODY_NUMBERS;
    memcpy(row, all->body[k].at.position, 3 * sizeof(double));
    memcpy(row + 3, all->body[k].at.orientation, 4 * sizeof(double));
    row[7] = all->body[k].at.angle;
    row[8] = all->body[k].margin;
  }
  return status;
}

/* Only where the box has been deformed; else it is that of the world. */
static floc_status add_box(neighbors *all, section_list *list)
{
  const domain *box = &all->reference_box;
  double *number = all->box_numbers;
  if (!all->skin.built || !all->box_deforms) return FLOC_OK;
  for (int a = 0; a < 3; a++) { /* open axes have no ends */
    number[a] = box->length[a] > 0.0 ? box->lower[a] : 0.0;
    number[3 + a] = box->length[a] > 0.0 ? box->upper[a] : 0.0;
  }
  number[6] = box->tilt;
  number[7] = box->plane;
  return add(list, name_of("reference", "box"), "f64", BOX_NUMBERS, 1, number);
}

static floc_status add_list(neighbors *all, section_list *list, int which)
{
  const list_store *store = which == 0 ? &all->pairs : &all->walls;
  int64_t starts = all->skin.built ? store->rows + 1 : 0;
  floc_status status = add(list, name_of(LIST_NAME[which], "start"), "i64", starts, 1, store->view.start);
  if (status == FLOC_OK)
    status = add(list, name_of(LIST_NAME[which], "second"), "i32", store->view.count, 1, store->view.second);
  return status;
}

floc_status neighbors_sections(neighbors *all, section_list *list)
{
  stage_numbers(all);
  floc_status status = stage_bodies(all);
  if (status == FLOC_OK) status = add(list, name_of("skin", "numbers"), "f64", SKIN_NUMBERS, 1, all->numbers);
  if (status == FLOC_OK) status = add(list, name_of("skin", "counters"), "i64", COUNTER_COUNT, 1, all->counters);
  if (status == FLOC_OK)
    status = add(list, name_of("skin", "bodies"), "f64", all->body_count, BODY_NUMBERS, all->staging);
  for (int a = 0; a < all->dimension && status == FLOC_OK; a++)
    status = add(list, name_of("reference", AXIS_NAME[a]), "f64", all->particle_count, 1, all->reference[a]);
  if (status == FLOC_OK && all->radii_known && (all->radii_changed || all->kept.is_taken))
    status = add(list, name_of("reference", "radius"), "f64", all->particle_count, 1, all->reference[3]);
  if (status == FLOC_OK) status = add_box(all, list);
  if (status == FLOC_OK) status = add(list, name_of("skin", "bound"), "f64", all->particle_count, 1, all->bound);
  if (status == FLOC_OK) status = add(list, name_of("skin", "margin"), "f64", all->particle_count, 1, all->margin);
  if (status == FLOC_OK)
    status = add(list, name_of("memory", "names"), "u8", all->memory_count, MEMORY_NAME_SIZE, all->memory_name);
  if (status == FLOC_OK) status = add_list(all, list, 0);
  return status == FLOC_OK ? add_list(all, list, 1) : status;
}

/* ---- reading: everything is looked at before anything changes ---- */

typedef struct list_data {
  int64_t rows, count;
  const int64_t *start;
  const int32_t *second;
} list_data;

typedef struct restored {
  skin skin;
  int64_t particle_count, body_count, shape_count;
  const double *body;
  const double *reference[4]; /* [3] NULL: the radii are those of the particles */
  const double *bound, *margin;
  const double *box; /* NULL: that of the world */
  list_data list[2];
} restored;

static floc_status damaged(environment *env, section_name name, const char *what, int64_t at)
{
  return refuse(env, FLOC_DAMAGED_FILE, "section \"%s\": %s at element %" PRId64, name.text, what, at);
}

/* Points *data at the section's numbers. */
static floc_status find(const section_list *list, section_name name, const char *type, int64_t rows,
                        uint64_t columns, const void **data)
{
  const section *found;
  floc_status status = section_expect(list, name.text, type, (uint64_t)rows, columns, &found);
  if (status == FLOC_OK) *data = found->data;
  return status;
}

/* The same for numbers that must be finite and at least `least`. */
static floc_status find_finite(neighbors *all, const section_list *list, section_name name, int64_t rows,
                               uint64_t columns, double least, const double **data)
{
  const void *found = NULL;
  floc_status status = find(list, name, "f64", rows, columns, &found);
  if (status != FLOC_OK) return status;
  *data = found;
  for (int64_t k = 0; k < rows * (int64_t)columns; k++)
    if (!(isfinite((*data)[k]) && (*data)[k] >= least))
      return damaged(all->env, name,
                     least < 0.0 ? "a number that is not finite" : "a number that is not finite or below 0", k);
  return FLOC_OK;
}

static bool is_flag(int64_t value)
{
  return value == 0 || value == 1;
}

static floc_status read_numbers(neighbors *all, const section_list *list, int64_t particle_count,
                                int32_t shape_count, restored *all_data)
{
  const double *number = NULL;
  const void *counters = NULL;
  section_name name = name_of("skin", "counters");
  floc_status status = find_finite(all, list, name_of("skin", "numbers"), SKIN_NUMBERS, 1, 0.0, &number);
  if (status == FLOC_OK) status = find(list, name, "i64", COUNTER_COUNT, 1, &counters);
  if (status != FLOC_OK) return status;
  const int64_t *counter = counters;
  const struct {
    int32_t counter;
    int64_t greatest;
  } range[] = {{COUNTER_PARTICLES, particle_count}, {COUNTER_BODIES, INT32_MAX}, {COUNTER_SHAPES, shape_count}};
  for (size_t k = 0; k < sizeof range / sizeof *range; k++) {
    int64_t value = counter[range[k].counter];
    if (value < 0 || value > range[k].greatest)
      return damaged(all->env, name, "a count out of range", range[k].counter);
  }
  for (int k = 2; k < SKIN_COUNTERS; k++)
    if (counter[k] < 0 || counter[k] > COUNTER_LIMIT) return damaged(all->env, name, "a count out of range", k);
  if (!is_flag(counter[0]) || !is_flag(counter[1])) return damaged(all->env, name, "a flag other than 0 or 1", 0);
  if (counter[COUNTER_MEMORY] != all->memory_count)
    return refuse(all->env, FLOC_DAMAGED_FILE,
                  "pairs have %" PRId64 " columns of contact history in the file and %d in this world",
                  counter[COUNTER_MEMORY], (int)all->memory_count);
  all_data->skin = (skin){.floor = number[0],
                          .horizon = number[1],
                          .length = number[2],
                          .baseline = number[3],
                          .built = counter[0],
                          .valid = counter[1],
                          .age = counter[2],
                          .excess = counter[3],
                          .far_entries = counter[4]};
  all_data->particle_count = counter[COUNTER_PARTICLES];
  all_data->body_count = counter[COUNTER_BODIES];
  all_data->shape_count = counter[COUNTER_SHAPES];
  return FLOC_OK;
}

/* Files without the names are older; their columns are compared by number alone. */
static floc_status check_names(neighbors *all, const section_list *list)
{
  section_name name = name_of("memory", "names");
  const void *names;
  if (!section_find(list, name.text)) return FLOC_OK;
  floc_status status = find(list, name, "u8", all->memory_count, MEMORY_NAME_SIZE, &names);
  for (int32_t k = 0; k < all->memory_count && status == FLOC_OK; k++) {
    const char *kept = (const char *)names + k * MEMORY_NAME_SIZE;
    if (strncmp(kept, all->memory_name[k], MEMORY_NAME_SIZE) != 0)
      status = refuse(all->env, FLOC_STRUCTURE_MISMATCH, "pair memory %d is \"%.*s\" in the file and \"%s\" here",
                      (int)k + 1, MEMORY_NAME_SIZE, kept, all->memory_name[k]);
  }
  return status;
}

static floc_status check_starts(environment *env, section_name name, const list_data *data)
{
  if (data->start[0] != 0) return damaged(env, name, "a row that does not begin at 0", 0);
  for (int64_t i = 0; i < data->rows; i++)
    if (data->start[i + 1] < data->start[i] || data->start[i + 1] > data->count)
      return damaged(env, name, "a row that ends before it begins, or beyond the list", i + 1);
  if (data->start[data->rows] != data->count)
    return damaged(env, name, "a last row that does not end the list", data->rows);
  return FLOC_OK;
}

/* Seconds of row i lie above i (pairs) or from 0 (walls), below the limit, and ascend. */
static floc_status check_seconds(environment *env, section_name name, const list_data *data, bool pairs,
                                 int64_t limit)
{
  for (int64_t i = 0; i < data->rows; i++) {
    int64_t least = pairs ? i + 1 : 0;
    for (int64_t k = data->start[i]; k < data->start[i + 1]; k++) {
      if (data->second[k] < least || data->second[k] >= limit)
        return damaged(env, name, "an index out of range or out of order", k);
      least = (int64_t)data->second[k] + 1;
    }
  }
  return FLOC_OK;
}

static floc_status read_list(neighbors *all, const section_list *list, int which, restored *all_data,
                             int64_t particle_count)
{
  section_name starts = name_of(LIST_NAME[which], "start"), seconds = name_of(LIST_NAME[which], "second");
  list_data *data = &all_data->list[which];
  const section *start, *second;
  floc_status status = section_expect(list, starts.text, "i64", UINT64_MAX, 1, &start);
  if (status == FLOC_OK) status = section_expect(list, seconds.text, "i32", UINT64_MAX, 1, &second);
  if (status != FLOC_OK) return status;
  bool built = all_data->skin.built;
  if (built ? start->rows < 1 || start->rows - 1 > (uint64_t)particle_count : start->rows != 0)
    return damaged(all->env, starts, "a number of rows other than that of the particles", (int64_t)start->rows);
  if (second->rows >= INT32_MAX || (!built && second->rows > 0))
    return damaged(all->env, seconds, "too many entries", (int64_t)second->rows);
  *data = (list_data){built ? (int64_t)start->rows - 1 : 0, (int64_t)second->rows, start->data, second->data};
  if (built) status = check_starts(all->env, starts, data);
  int64_t limit = which == 0 ? data->rows : all_data->shape_count;
  return status == FLOC_OK ? check_seconds(all->env, seconds, data, which == 0, limit) : status;
}

static floc_status read_all(neighbors *all, const section_list *list, int64_t particle_count, int32_t shape_count,
                            restored *data)
{
  floc_status status = read_numbers(all, list, particle_count, shape_count, data);
  if (status == FLOC_OK) status = check_names(all, list);
  if (status != FLOC_OK) return status;
  int64_t count = data->particle_count;
  status =
      find_finite(all, list, name_of("skin", "bodies"), data->body_count, BODY_NUMBERS, -INFINITY, &data->body);
  for (int a = 0; a < all->dimension && status == FLOC_OK; a++)
    status = find_finite(all, list, name_of("reference", AXIS_NAME[a]), count, 1, -INFINITY, &data->reference[a]);
  if (status == FLOC_OK && section_find(list, name_of("reference", "radius").text))
    status = find_finite(all, list, name_of("reference", "radius"), count, 1, 0.0, &data->reference[3]);
  if (status == FLOC_OK && section_find(list, name_of("reference", "box").text))
    status = find_finite(all, list, name_of("reference", "box"), BOX_NUMBERS, 1, -INFINITY, &data->box);
  if (status == FLOC_OK && data->box &&
      !(data->box[7] >= FLOC_SHEAR_PLANE_XY && data->box[7] <= FLOC_SHEAR_PLANE_ZY))
    return damaged(all->env, name_of("reference", "box"), "a plane that there is not", 7);
  if (status == FLOC_OK) status = find_finite(all, list, name_of("skin", "bound"), count, 1, 0.0, &data->bound);
  if (status == FLOC_OK) status = find_finite(all, list, name_of("skin", "margin"), count, 1, 0.0, &data->margin);
  for (int which = 0; which < 2 && status == FLOC_OK; which++)
    status = read_list(all, list, which, data, particle_count);
  if (status != FLOC_OK) return status;
  bool same_rows = data->list[0].rows == data->list[1].rows;
  if (!same_rows || (data->skin.built && data->skin.valid && data->list[0].rows != count))
    return damaged(all->env, name_of("pairs", "start"), "a number of rows other than that of the particles",
                   data->list[0].rows);
  return FLOC_OK;
}

/* ---- taking over ---- */

static floc_status reserve(neighbors *all, const restored *data)
{
  size_t count = (size_t)data->particle_count;
  floc_status status = array_reserve(all->env, (void **)&all->body, &all->body_capacity, (size_t)data->body_count,
                                     sizeof *all->body);
  for (int a = 0; a < 4 && status == FLOC_OK; a++)
    if (a < all->dimension || a == 3)
      status =
          array_reserve(all->env, (void **)&all->reference[a], &all->reference_capacity[a], count, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->bound, &all->bound_capacity, count, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->margin, &all->margin_capacity, count, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->cover, &all->cover_capacity, count, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->escaped, &all->escaped_capacity, count, sizeof(int32_t));
  for (int which = 0; which < 2 && status == FLOC_OK; which++) {
    list_store *store = which == 0 ? &all->pairs : &all->walls;
    store->next_count = data->list[which].count;
    status = list_prepare(store, all->env, data->list[which].rows, all->memory_count, which == 0);
  }
  return status;
}

static void copy(void *to, const void *from, int64_t count, size_t size)
{
  if (count > 0) memcpy(to, from, (size_t)count * size);
}

static void take_list(neighbors *all, const list_data *data, int which)
{
  list_store *store = which == 0 ? &all->pairs : &all->walls;
  if (all->skin.built) copy(store->view.start, data->start, data->rows + 1, sizeof *data->start);
  copy(store->view.second, data->second, data->count, sizeof *data->second);
  if (!all->skin.built) store->view.start[0] = 0;
  list_commit(store, all->env, data->rows, 0);
  for (int32_t k = 0; k < all->memory_count; k++)
    if (data->count > 0) memset(store->view.memory[k], 0, (size_t)data->count * sizeof(double));
  list_complete(store, all->env, which == 0);
}

static void take_bodies(neighbors *all, const restored *data)
{
  for (int64_t k = 0; k < data->body_count; k++) {
    const double *row = data->body + k * BODY_NUMBERS;
    pose *at = &all->body[k].at;
    memset(at, 0, sizeof *at);
    memcpy(at->position, row, 3 * sizeof(double));
    memcpy(at->orientation, row + 3, 4 * sizeof(double));
    at->angle = row[7];
    all->body[k].margin = row[8];
  }
}

static void take_box(neighbors *all, const double *number)
{
  domain box = {.dimension = all->dimension, .tilt = number[6], .plane = (int32_t)number[7]};
  for (int a = 0; a < 3; a++) {
    const bool is_periodic = number[3 + a] > number[a];
    box.lower[a] = is_periodic ? number[a] : -INFINITY;
    box.upper[a] = is_periodic ? number[3 + a] : INFINITY;
    box.length[a] = is_periodic ? number[3 + a] - number[a] : 0.0;
  }
  all->reference_box = box;
  all->box_deforms = true;
}

floc_status neighbors_restore(neighbors *all, const section_list *list, int64_t particle_count, int32_t shape_count)
{
  restored data = {0};
  floc_status status = read_all(all, list, particle_count, shape_count, &data);
  if (status == FLOC_OK) status = reserve(all, &data);
  if (status != FLOC_OK) return status;
  all->skin = data.skin;
  all->covered = all->grid_stands = false;
  all->particle_count = data.particle_count;
  all->body_count = (int32_t)data.body_count;
  all->shape_count = (int32_t)data.shape_count;
  for (int a = 0; a < all->dimension; a++)
    copy(all->reference[a], data.reference[a], data.particle_count, sizeof(double));
  all->radii_known = all->radii_changed = data.reference[3] != NULL;
  if (all->radii_known) copy(all->reference[3], data.reference[3], data.particle_count, sizeof(double));
  copy(all->bound, data.bound, data.particle_count, sizeof(double));
  copy(all->margin, data.margin, data.particle_count, sizeof(double));
  all->reference_box = (domain){.dimension = 0}; /* that of the next update, unless the section says otherwise */
  if (data.box) take_box(all, data.box);
  take_bodies(all, &data);
  for (int which = 0; which < 2; which++) take_list(all, &data.list[which], which);
  return FLOC_OK;
}
