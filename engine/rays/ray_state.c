/*
 * What changes from step to step with sources: memory, copies, checkpoints. See ray_sources.h.
 */
#include "rays/ray_state.h"

#include <stddef.h>

void ray_state_free(environment *env, ray_state *state)
{
  array_free(env, (void **)&state->push, &state->push_capacity, PUSH_ROW * sizeof(double));
  array_free(env, (void **)&state->push_id, &state->id_capacity, sizeof(int64_t));
  array_free(env, (void **)&state->flight, &state->flight_capacity, sizeof(ray_record));
  array_free(env, (void **)&state->tally, &state->tally_capacity, sizeof(ray_tally));
  array_free(env, (void **)&state->attenuated, &state->attenuated_capacity, sizeof(compensated));
  array_free(env, (void **)&state->fired, &state->fired_capacity, sizeof(int64_t));
}

floc_status ray_state_reserve(environment *env, ray_state *state, int64_t pushes, int64_t flights, int32_t sources)
{
  floc_status status =
      array_reserve(env, (void **)&state->push, &state->push_capacity, (size_t)pushes, PUSH_ROW * sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&state->push_id, &state->id_capacity, (size_t)pushes, sizeof(int64_t));
  if (status == FLOC_OK)
    status =
        array_reserve(env, (void **)&state->flight, &state->flight_capacity, (size_t)flights, sizeof(ray_record));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&state->tally, &state->tally_capacity, (size_t)sources, sizeof(ray_tally));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&state->attenuated, &state->attenuated_capacity, (size_t)sources,
                           sizeof(compensated));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&state->fired, &state->fired_capacity, (size_t)sources, sizeof(int64_t));
  return status;
}

floc_status ray_state_copy(environment *env, ray_state *to, const ray_state *from, int32_t sources)
{
  floc_status status = ray_state_reserve(env, to, from->push_count, from->flight_count, sources);
  if (status != FLOC_OK) return status;
  to->time = from->time;
  to->push_count = from->push_count;
  to->flight_count = from->flight_count;
  copy_bytes(to->push, from->push, from->push_count, PUSH_ROW * sizeof(double));
  copy_bytes(to->push_id, from->push_id, from->push_count, sizeof(int64_t));
  copy_bytes(to->flight, from->flight, from->flight_count, sizeof(ray_record));
  copy_bytes(to->tally, from->tally, sources, sizeof(ray_tally));
  copy_bytes(to->attenuated, from->attenuated, sources, sizeof(compensated));
  copy_bytes(to->fired, from->fired, sources, sizeof(int64_t));
  return FLOC_OK;
}

/* ---- checkpoints ---- */

static void ray_to_row(const ray_record *ray, double *row, int64_t *integer)
{
  memcpy(row, ray->path.position, 3 * sizeof *row);
  memcpy(row + 3, ray->path.direction, 3 * sizeof *row);
  row[6] = ray->power, row[7] = ray->first_power, row[8] = ray->area, row[9] = ray->solid_angle;
  row[10] = ray->length;
  integer[0] = ray->path.left;
  integer[1] = ray->path.left_image | (int64_t)ray->path.inside << 32 | (int64_t)ray->path.emerging << 33 |
               (int64_t)ray->path.channel_hits << 40;
  integer[2] = ray->number, integer[3] = ray->bounces, integer[4] = ray->source;
}

static void ray_from_row(ray_record *ray, const double *row, const int64_t *integer)
{
  *ray = (ray_record){.power = row[6],
                      .first_power = row[7],
                      .area = row[8],
                      .solid_angle = row[9],
                      .length = row[10],
                      .number = integer[2],
                      .bounces = (int32_t)integer[3],
                      .source = (int32_t)integer[4]};
  memcpy(ray->path.position, row, 3 * sizeof *row);
  memcpy(ray->path.direction, row + 3, 3 * sizeof *row);
  ray->path.left = integer[0];
  ray->path.left_image = (int32_t)(integer[1] & 0xffffff);
  ray->path.inside = integer[1] >> 32 & 1;
  ray->path.emerging = integer[1] >> 33 & 1;
  ray->path.channel_hits = (int32_t)(integer[1] >> 40 & 0xff);
}

floc_status ray_sources_sections(ray_sources *all, section_list *list)
{
  ray_state *state = &all->state[all->now];
  floc_status status = array_reserve(all->env, (void **)&all->row, &all->row_capacity, (size_t)state->flight_count,
                                     RAY_DOUBLES * sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->integer, &all->integer_capacity, (size_t)state->flight_count,
                           RAY_INTEGERS * sizeof(int64_t));
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < state->flight_count; k++)
    ray_to_row(&state->flight[k], &all->row[k * RAY_DOUBLES], &all->integer[k * RAY_INTEGERS]);
  uint64_t pushes = (uint64_t)state->push_count, flights = (uint64_t)state->flight_count;
  uint64_t sources = (uint64_t)all->count;
  status = section_list_add(list, "rays/time", "f64", 1, 1, &state->time, true);
  if (status == FLOC_OK) status = section_list_add(list, "rays/fired", "i64", sources, 1, state->fired, true);
  if (status == FLOC_OK)
    status = section_list_add(list, "rays/tally", "f64", sources, TALLY_NUMBERS, state->tally, true);
  bool fades = false;
  for (uint64_t k = 0; k < sources; k++) fades |= compensated_value(&state->attenuated[k]) > 0.0;
  if (status == FLOC_OK && fades)
    status = section_list_add(list, "rays/attenuated", "f64", sources, 2, state->attenuated, true);
  if (status == FLOC_OK) status = section_list_add(list, "rays/push", "f64", pushes, PUSH_ROW, state->push, true);
  if (status == FLOC_OK) status = section_list_add(list, "rays/push_id", "i64", pushes, 1, state->push_id, true);
  if (status == FLOC_OK)
    status = section_list_add(list, "rays/flight", "f64", flights, RAY_DOUBLES, all->row, true);
  if (status == FLOC_OK)
    status = section_list_add(list, "rays/flight_state", "i64", flights, RAY_INTEGERS, all->integer, true);
  return status;
}

enum { TALLY_COUNTS_AT = offsetof(ray_tally, pulses) / sizeof(double) };

typedef struct ray_sections {
  const section *time, *fired, *tally, *attenuated /* NULL: nothing was */, *push, *push_id, *flight, *flight_state;
} ray_sections;

static floc_status find_sections(const ray_sources *all, const section_list *list, ray_sections *found)
{
  uint64_t sources = (uint64_t)all->count;
  floc_status status = section_expect(list, "rays/time", "f64", 1, 1, &found->time);
  if (status == FLOC_OK) status = section_expect(list, "rays/fired", "i64", sources, 1, &found->fired);
  if (status == FLOC_OK) status = section_expect(list, "rays/tally", "f64", sources, TALLY_NUMBERS, &found->tally);
  found->attenuated = NULL;
  if (status == FLOC_OK && section_find(list, "rays/attenuated"))
    status = section_expect(list, "rays/attenuated", "f64", sources, 2, &found->attenuated);
  if (status == FLOC_OK) status = section_expect(list, "rays/push", "f64", UINT64_MAX, PUSH_ROW, &found->push);
  if (status == FLOC_OK)
    status = section_expect(list, "rays/push_id", "i64", found->push->rows, 1, &found->push_id);
  if (status == FLOC_OK)
    status = section_expect(list, "rays/flight", "f64", UINT64_MAX, RAY_DOUBLES, &found->flight);
  if (status == FLOC_OK)
    status =
        section_expect(list, "rays/flight_state", "i64", found->flight->rows, RAY_INTEGERS, &found->flight_state);
  return status;
}

static floc_status check_numbers(environment *env, const ray_sections *found)
{
  const number_range count = {0.0, (double)COUNTER_LIMIT, false}, part = {-2.0, 2.0, false};
  const section *const finite[] = {found->time, found->tally, found->push, found->flight};
  floc_status status = FLOC_OK;
  for (size_t k = 0; k < sizeof finite / sizeof *finite && status == FLOC_OK; k++)
    status = section_check_numbers(env, finite[k], 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK && found->attenuated)
    status = section_check_numbers(env, found->attenuated, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(env, found->tally, TALLY_COUNTS_AT, ALL_ELEMENTS, count);
  if (status == FLOC_OK) status = section_check_numbers(env, found->flight, 3, 3, part);           /* direction */
  if (status == FLOC_OK) status = section_check_numbers(env, found->flight, 6, 2, NUMBERS_FROM_0); /* powers */
  if (status == FLOC_OK) status = section_check_whole(env, found->fired, 0, ALL_ELEMENTS, 0, COUNTER_LIMIT);
  if (status == FLOC_OK) status = section_check_whole(env, found->flight_state, 2, 1, 0, COUNTER_LIMIT);
  if (status == FLOC_OK) status = section_check_whole(env, found->flight_state, 3, 1, 0, INT32_MAX - 1);
  return status;
}

static floc_status check_sections(const ray_sources *all, const ray_sections *found, int64_t particle_count,
                                  int32_t shape_count)
{
  floc_status status = check_numbers(all->env, found);
  if (status != FLOC_OK) return status;
  const int64_t *id = found->push_id->data, *flying = found->flight_state->data;
  for (uint64_t k = 0; k < found->push_id->rows; k++)
    if (id[k] < 1 || id[k] > particle_count)
      return refuse(all->env, FLOC_DAMAGED_FILE, "a ray acts on particle %lld of %lld", (long long)id[k],
                    (long long)particle_count);
  for (uint64_t k = 0; k < found->flight->rows; k++) {
    int64_t left = flying[k * RAY_INTEGERS], source = flying[k * RAY_INTEGERS + 4];
    if (left > particle_count || left <= FIRST_SHAPE_NAME - (int64_t)shape_count || source < 0 ||
        source >= all->count)
      return refuse(all->env, FLOC_DAMAGED_FILE,
                    "a ray in flight refers to surface %lld and source %lld, which do not exist", (long long)left,
                    (long long)source);
  }
  return FLOC_OK;
}

floc_status ray_sources_restore(ray_sources *all, const section_list *list, int64_t particle_count,
                                int32_t shape_count)
{
  ray_sections found;
  floc_status status = find_sections(all, list, &found);
  if (status == FLOC_OK) status = check_sections(all, &found, particle_count, shape_count);
  if (status != FLOC_OK) return status;
  ray_state *next = &all->state[!all->now];
  status = ray_state_reserve(all->env, next, (int64_t)found.push->rows, (int64_t)found.flight->rows, all->count);
  if (status != FLOC_OK) return status;
  next->time = *(const double *)found.time->data;
  next->push_count = (int64_t)found.push->rows;
  next->flight_count = (int64_t)found.flight->rows;
  copy_bytes(next->push, found.push->data, next->push_count, PUSH_ROW * sizeof(double));
  copy_bytes(next->push_id, found.push_id->data, next->push_count, sizeof(int64_t));
  copy_bytes(next->tally, found.tally->data, all->count, sizeof(ray_tally));
  for (int32_t k = 0; k < all->count; k++) next->attenuated[k] = (compensated){0.0, 0.0};
  if (found.attenuated) copy_bytes(next->attenuated, found.attenuated->data, all->count, sizeof(compensated));
  copy_bytes(next->fired, found.fired->data, all->count, sizeof(int64_t));
  const double *row = found.flight->data;
  const int64_t *integer = found.flight_state->data;
  for (int64_t k = 0; k < next->flight_count; k++)
    ray_from_row(&next->flight[k], row + k * RAY_DOUBLES, integer + k * RAY_INTEGERS);
  all->now = !all->now;
  all->begun = false;
  return FLOC_OK;
}

floc_status ray_sources_check_ids(const ray_sources *all, const particles *table)
{
  const ray_state *state = &all->state[all->now];
  int64_t missing = 0;
  for (int64_t k = 0; k < state->push_count; k++)
    if (particles_find(table, state->push_id[k]) < 0) missing = state->push_id[k];
  for (int64_t k = 0; k < state->flight_count; k++)
    if (state->flight[k].path.left > 0 && particles_find(table, state->flight[k].path.left) < 0)
      missing = state->flight[k].path.left;
  if (missing == 0) return FLOC_OK;
  return refuse(all->env, FLOC_DAMAGED_FILE, "a ray refers to particle %lld, which is not there",
                (long long)missing);
}

/* ---- particles and shapes that are removed ---- */

static bool goes(const particles *table, const int32_t *new_slot, int64_t id)
{
  const int64_t slot = particles_find(table, id);
  return slot >= 0 && new_slot[slot] < 0;
}

void ray_sources_forget(ray_sources *all, const particles *table, const int32_t *new_slot)
{
  ray_state *state = &all->state[all->now];
  int64_t kept = 0;
  for (int64_t k = 0; k < state->push_count; k++) {
    if (goes(table, new_slot, state->push_id[k])) continue;
    memmove(&state->push[kept * PUSH_ROW], &state->push[k * PUSH_ROW], PUSH_ROW * sizeof *state->push);
    state->push_id[kept++] = state->push_id[k];
  }
  state->push_count = kept;
  for (int64_t k = 0; k < state->flight_count; k++) {
    traveler *path = &state->flight[k].path;
    if (path->left <= 0 || !goes(table, new_slot, path->left)) continue;
    path->left = SURFACE_NONE;
    path->inside = false;
  }
}

void ray_sources_forget_shapes(ray_sources *all, const int32_t *new_shape)
{
  ray_state *state = &all->state[all->now];
  for (int64_t k = 0; k < state->flight_count; k++) {
    traveler *path = &state->flight[k].path;
    if (path->left > FIRST_SHAPE_NAME) continue;
    const int32_t place = new_shape[FIRST_SHAPE_NAME - path->left];
    path->left = place < 0 ? SURFACE_NONE : FIRST_SHAPE_NAME - place;
  }
}
