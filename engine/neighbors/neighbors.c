/*
 * The module's front: what an update does, in order, and what it leaves behind when it fails. See
 * neighbors.h and internal.h.
 *
 * A failed update leaves both lists, their memory and everything that they rest on as they were; the next
 * update tries again.
 */
#include "neighbors/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

floc_status neighbors_create(environment *env, int32_t dimension, neighbors **all)
{
  *all = NULL;
  if (dimension != 2 && dimension != 3)
    return refuse(env, FLOC_INVALID_ARGUMENT, "dimension is %d; it must be 2 or 3", (int)dimension);
  neighbors *created = memory_resize(env, NULL, 0, sizeof *created);
  if (!created) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *created);
  *created = (neighbors){
      .env = env, .dimension = dimension, .cells = {.dimension = dimension}, .skin = {.baseline = NEVER_SORTED}};
  arena_init(&created->own, env);
  created->scratch = &created->own;
  *all = created;
  return FLOC_OK;
}

void neighbors_share_scratch(neighbors *all, arena *scratch)
{
  all->scratch = scratch;
}

void neighbors_destroy(neighbors *all)
{
  if (!all) return;
  environment *env = all->env;
  kept_free(all);
  list_free(&all->pairs, env);
  list_free(&all->walls, env);
  grid_free(&all->cells, env);
  for (int a = 0; a < 4; a++)
    array_free(env, (void **)&all->reference[a], &all->reference_capacity[a], sizeof(double));
  array_free(env, (void **)&all->bound, &all->bound_capacity, sizeof(double));
  array_free(env, (void **)&all->margin, &all->margin_capacity, sizeof(double));
  array_free(env, (void **)&all->cover, &all->cover_capacity, sizeof(double));
  array_free(env, (void **)&all->escaped, &all->escaped_capacity, sizeof(int32_t));
  array_free(env, (void **)&all->body, &all->body_capacity, sizeof *all->body);
  array_free(env, (void **)&all->next_body, &all->next_body_capacity, sizeof *all->next_body);
  array_free(env, (void **)&all->found_slot, &all->found_slot_capacity, sizeof(int32_t));
  array_free(env, (void **)&all->found_shape, &all->found_shape_capacity, sizeof(int32_t));
  array_free(env, (void **)&all->staging, &all->staging_capacity, sizeof(double));
  memory_free(env, all, sizeof *all);
}

const pair_list *neighbors_pairs(const neighbors *all)
{
  return &all->pairs.view;
}

const pair_list *neighbors_walls(const neighbors *all)
{
  return &all->walls.view;
}

void neighbors_invalidate(neighbors *all)
{
  all->skin.valid = 0;
}

/* ---- memory columns ---- */

/* A new column of a list is zero for the entries that are there. */
static floc_status add_column(list_store *list, environment *env, int32_t index)
{
  floc_status status = array_reserve(env, (void **)&list->view.memory[index], &list->memory_capacity[index],
                                     (size_t)list->view.count, sizeof(double));
  if (status == FLOC_OK && list->view.count > 0)
    memset(list->view.memory[index], 0, (size_t)list->view.count * sizeof(double));
  return status;
}

floc_status neighbors_add_memory(neighbors *all, const char *name, int32_t *index)
{
  if (!name || !*name || strlen(name) >= MEMORY_NAME_SIZE)
    return refuse(all->env, FLOC_INVALID_ARGUMENT,
                  "the name of a pair memory is \"%s\"; it must have 1 to %d characters", name ? name : "NULL",
                  MEMORY_NAME_SIZE - 1);
  for (int32_t k = 0; k < all->memory_count; k++) {
    if (strcmp(all->memory_name[k], name) != 0) continue;
    *index = k;
    return FLOC_OK;
  }
  if (all->memory_count == MEMORY_LIMIT)
    return refuse(all->env, FLOC_LIMIT_EXCEEDED,
                  "pair memory \"%s\": there are already %d columns, which is the limit", name, MEMORY_LIMIT);
  floc_status status = add_column(&all->pairs, all->env, all->memory_count);
  if (status == FLOC_OK) status = add_column(&all->walls, all->env, all->memory_count);
  if (status != FLOC_OK) return status;
  strcpy(all->memory_name[all->memory_count], name);
  *index = all->memory_count++;
  return FLOC_OK;
}

void neighbors_turn_memory(neighbors *all, int32_t index)
{
  all->memory_turns[index] = true;
}

bool neighbors_memory_turns(const neighbors *all, int32_t index)
{
  return all->memory_turns[index];
}

int32_t neighbors_turning_vector(const neighbors *all, int32_t dimension)
{
  int32_t turning = 0;
  for (int32_t k = 0; k < all->memory_count; k++) {
    turning = all->memory_turns[k] ? turning + 1 : 0;
    if (turning == dimension) return k + 1 - dimension;
  }
  return -1;
}

void neighbors_spare_memory(neighbors *all, int32_t index)
{
  all->memory_is_spare[index] = true;
}

bool neighbors_memory_is_spare(const neighbors *all, int32_t index)
{
  return all->memory_is_spare[index];
}

/* Halves long rows. In a short one no processor guesses where a search would turn, so entries are compared eight at
 * a time, and those behind the row's end do not count. */
int64_t neighbors_find_entry(const neighbors *all, bool walls, int64_t first, int64_t second)
{
  enum { SHORT_ROW = 32, AT_ONCE = 8 };
  const list_store *list = walls ? &all->walls : &all->pairs;
  if (first < 0 || first >= list->rows) return -1;
  const int32_t *entry = list->view.second;
  int64_t low = list->view.start[first], end = list->view.start[first + 1];
  while (end - low > SHORT_ROW) {
    int64_t middle = low + (end - low) / 2;
    if (entry[middle] <= second)
      low = middle;
    else
      end = middle;
  }
  for (; low < end; low += AT_ONCE) {
    uint32_t equal = 0;
    int64_t left = end - low;
    if (low + AT_ONCE <= list->view.count)
      for (int32_t k = 0; k < AT_ONCE; k++) equal |= (uint32_t)(entry[low + k] == second) << k;
    else
      for (int32_t k = 0; k < left; k++) equal |= (uint32_t)(entry[low + k] == second) << k;
    if (left < AT_ONCE) equal &= (1u << left) - 1;
    if (equal) return low + __builtin_ctz(equal);
  }
  return -1;
}

void neighbors_exchange_memory(neighbors *all, bool walls, int32_t a, int32_t b)
{
  list_store *list = walls ? &all->walls : &all->pairs;
  double *column = list->view.memory[a];
  size_t capacity = list->memory_capacity[a];
  list->view.memory[a] = list->view.memory[b];
  list->memory_capacity[a] = list->memory_capacity[b];
  list->view.memory[b] = column;
  list->memory_capacity[b] = capacity;
}

int64_t neighbors_row_count(const neighbors *all)
{
  return all->pairs.rows;
}

int32_t neighbors_memory_count(const neighbors *all)
{
  return all->memory_count;
}

int64_t neighbors_left_out(const neighbors *all)
{
  return all->left_out;
}

int64_t neighbors_lists_made(const neighbors *all)
{
  return all->made;
}

const char *neighbors_memory_name(const neighbors *all, int32_t index)
{
  return index >= 0 && index < all->memory_count ? all->memory_name[index] : NULL;
}

/* ---- update ---- */

/* All memory that taking over the new lists needs. */
static floc_status prepare(const update *step)
{
  neighbors *all = step->all;
  int64_t rows = step->table->count;
  floc_status status = list_prepare(&all->pairs, all->env, rows, all->memory_count, true);
  if (status == FLOC_OK && !all->walls.unchanged)
    status = list_prepare(&all->walls, all->env, rows, all->memory_count, false);
  for (int a = 0; a < 4 && status == FLOC_OK; a++)
    if (a < all->dimension || a == 3)
      status = array_reserve(all->env, (void **)&all->reference[a], &all->reference_capacity[a], (size_t)rows,
                             sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->bound, &all->bound_capacity, (size_t)rows, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->margin, &all->margin_capacity, (size_t)rows, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->cover, &all->cover_capacity, (size_t)rows, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->escaped, &all->escaped_capacity, (size_t)rows, sizeof(int32_t));
  return status;
}

static floc_status build_next(const update *step, rebuild_cause cause, skin *changed, int64_t *walls_excess)
{
  grid_input input;
  const int64_t most = skin_most_entries(step->all, step->table->count);
  bool shorter = !step->sweep, too_many = true;
  step->all->grid_stands = false;
  floc_status status = skin_choose(step, cause, changed);
  while (status == FLOC_OK && too_many) {
    status = skin_survey(step, changed, &input);
    if (status == FLOC_OK) status = grid_build(&step->all->cells, &input);
    if (status == FLOC_OK) status = search_pairs(step, &input, shorter ? most : INT64_MAX, &too_many);
    if (status == FLOC_OK && too_many) shorter = skin_shorten(changed);
  }
  if (status == FLOC_OK) status = search_walls(step, walls_excess);
  return status == FLOC_OK ? prepare(step) : status;
}

static floc_status build_nothing(const update *step, skin *changed)
{
  neighbors *all = step->all;
  *changed = all->skin;
  all->pairs.next_count = all->walls.next_count = 0;
  all->walls.unchanged = false;
  floc_status status = array_reserve(all->env, (void **)&all->next_body, &all->next_body_capacity,
                                     (size_t)step->obstacles->count, sizeof *all->next_body);
  for (int32_t k = 0; k < step->obstacles->count && status == FLOC_OK; k++)
    all->next_body[k] = (body_reference){step->obstacles->body[k].next, DBL_MAX};
  for (int which = 0; which < 2 && status == FLOC_OK; which++)
    status = list_reserve_starts(which == 0 ? &all->pairs : &all->walls, all->scratch, 0);
  if (status == FLOC_OK) status = prepare(step);
  if (status != FLOC_OK) return status;
  all->pairs.next_start[0] = all->walls.next_start[0] = 0;
  return FLOC_OK;
}

static void take_over(const update *step, const skin *changed, int64_t walls_excess)
{
  neighbors *all = step->all;
  int64_t rows = step->table->count;
  list_commit(&all->pairs, all->env, rows, all->memory_count);
  list_complete(&all->pairs, all->env, true);
  if (!all->walls.unchanged) {
    list_commit(&all->walls, all->env, rows, all->memory_count);
    list_complete(&all->walls, all->env, false);
  }
  skin_commit(step, changed);
  list_trim(&all->pairs, all->env, all->memory_count);
  list_trim(&all->walls, all->env, all->memory_count);
  all->grid_stands = rows > 0 && !step->sweep; /* a sweep's bounds are not those of its grid */
  all->skin.excess = step->sweep ? 0 : skin_excess(step) + walls_excess;
  all->skin.far_entries = order_far_entries(all);
}

static floc_status make_lists(const update *step, rebuild_cause cause)
{
  neighbors *all = step->all;
  skin changed;
  int64_t walls_excess = 0;
  floc_status status =
      step->table->count > 0 ? build_next(step, cause, &changed, &walls_excess) : build_nothing(step, &changed);
  if (status == FLOC_OK) status = kept_take_lists(all);
  if (status == FLOC_OK) take_over(step, &changed, walls_excess);
  return status;
}

static void give_back_scratch(neighbors *all, arena_mark mark)
{
  all->stage = all->cross = all->cross_sorted = all->pairs.next_second = all->walls.next_second = NULL;
  all->cross_start = all->pairs.next_start = all->walls.next_start = NULL;
  all->next_bound = NULL;
  all->pairs.next_second_capacity = all->walls.next_second_capacity = 0;
  if (all->scratch == &all->own)
    arena_free(&all->own);
  else
    arena_return(all->scratch, mark);
}

static floc_status update_lists(update *step, double range, bool *rebuilt)
{
  neighbors *all = step->all;
  *rebuilt = false;
  step->half_range = range > 0.0 ? 0.5 * range : 0.0;
  for (int a = 0; a < all->dimension; a++) step->slack = fmax(step->slack, 4e-15 * step->box->length[a]);
  if (all->reference_box.dimension == 0) all->reference_box = *step->box;
  all->box_deforms = all->box_deforms || domain_deforms(step->box);
  all->skin.age++;
  rebuild_cause cause = skin_check(step);
  if (cause == REBUILD_NOT) return FLOC_OK;
  const arena_mark before = arena_here(all->scratch);
  floc_status status = make_lists(step, cause);
  give_back_scratch(all, before);
  if (status != FLOC_OK) {
    all->skin.age--;
    return status;
  }
  all->made++;
  *rebuilt = true;
  return FLOC_OK;
}

static update make_update(neighbors *all, const particles *table, const bodies *obstacles, const domain *box,
                          const double *reach)
{
  static const bodies none = {0};
  return (update){
      .all = all, .table = table, .obstacles = obstacles ? obstacles : &none, .box = box, .reach = reach};
}

floc_status neighbors_update(neighbors *all, const particles *table, const bodies *obstacles, const domain *box,
                             const double *reach, double range, bool *rebuilt)
{
  update step = make_update(all, table, obstacles, box, reach);
  return update_lists(&step, range, rebuilt);
}

floc_status neighbors_update_reach(neighbors *all, const particles *table, const bodies *obstacles,
                                   const domain *box, const double *reach, double range, bool *rebuilt)
{
  update step = make_update(all, table, obstacles, box, reach);
  step.same_positions = true;
  return update_lists(&step, range, rebuilt);
}

floc_status neighbors_update_swept(neighbors *all, const particles *table, const bodies *obstacles,
                                   const domain *box, const double *reach, double range, const pair_sweep *sweep)
{
  bool rebuilt;
  update step = make_update(all, table, obstacles, box, reach);
  step.sweep = sweep;
  all->left_out = 0;
  return update_lists(&step, range, &rebuilt);
}
