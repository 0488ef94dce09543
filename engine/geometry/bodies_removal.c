/*
 * Bodies that are removed from a run. A removed body keeps its number, its name and its row, so that numbers are
 * never given again and a call with its number can be refused by name; its shapes go, and those of the others move
 * up in the arrays without gaps, in their order. What refers to shapes by their place gets the new places.
 *
 * A checkpoint holds, where a body was removed, the step after which each was. A world that loads it may still have
 * the shapes, because its program adds them before it loads: they are removed first, and a copy of the arrays is
 * kept for the case that the file turns out not to fit.
 */
#include "geometry/bodies.h"

#include "geometry/joints.h"

#include <assert.h>
#include <string.h>

static const char REMOVED[] = "bodies.removed"; /* the steps done when each was, -1: it is present */

int32_t bodies_present(const bodies *all)
{
  int32_t present = 0;
  for (int32_t k = 0; k < all->count; k++) present += !all->body[k].is_removed;
  return present;
}

/* ---- removing ---- */

static void move_shape(bodies *all, int32_t from, int32_t to)
{
  all->local[to] = all->local[from];
  all->world[to] = all->world[from];
  for (int32_t k = 0; k < all->attributes.count; k++) all->attributes.value[k][to] = all->attributes.value[k][from];
}

static void move_framed(bodies *all, const int32_t *new_shape)
{
  int32_t to = 0;
  for (int32_t from = 0; from < all->framed_count; from++) {
    const int32_t place = new_shape[all->framed[from]];
    if (place < 0) continue;
    all->framed[to] = place;
    all->local[place].framed = all->world[place].framed = to;
    memmove(all->parameter + (size_t)to * SHAPE_PARAMETERS, all->parameter + (size_t)from * SHAPE_PARAMETERS,
            SHAPE_PARAMETERS * sizeof(double));
    memmove(all->type_name + (size_t)to * SHAPE_NAME, all->type_name + (size_t)from * SHAPE_NAME, SHAPE_NAME);
    to++;
  }
  all->framed_count = to;
  bodies_point_at_parameters(all);
}

/* Nothing moves it any more, and nothing acts on it. */
static void empty_body(body *removed, int64_t step)
{
  body emptied = {
      .now = removed->now, .next = removed->now, .first = removed->now, .start_time = removed->start_time};
  floc_body_options_init(&emptied.motion);
  memcpy(emptied.name, removed->name, sizeof emptied.name);
  emptied.is_removed = true;
  emptied.removed_after = step;
  *removed = emptied;
  removed->motion.name = removed->name;
}

void bodies_remove(bodies *all, int32_t number, int64_t step, int32_t *new_shape)
{
  assert(number >= 0 && number < all->count && number != all->domain_body);
  int32_t to = 0;
  for (int32_t k = 0; k < all->shape_count; k++) {
    const bool goes = all->local[k].body == number;
    new_shape[k] = goes ? -1 : to;
    if (goes) continue;
    if (to < k) move_shape(all, k, to);
    to++;
  }
  move_framed(all, new_shape);
  for (int32_t k = 0; k < all->count; k++)
    if (all->body[k].shape_count > 0 && k != number) all->body[k].first_shape = new_shape[all->body[k].first_shape];
  all->shape_count = to;
  joints_forget_body(all, number);
  empty_body(&all->body[number], step);
}

/* ---- checkpoints ---- */

floc_status removals_sections(bodies *all, section_list *list)
{
  if (bodies_present(all) == all->count) return FLOC_OK;
  floc_status status = array_reserve(all->env, (void **)&all->staging_steps, &all->staging_steps_capacity,
                                     (size_t)all->count, sizeof *all->staging_steps);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < all->count; k++)
    all->staging_steps[k] = all->body[k].is_removed ? all->body[k].removed_after : -1;
  return section_list_add(list, REMOVED, "i64", (uint64_t)all->count, 1, all->staging_steps, true);
}

/* NULL: no body was removed. FLOC_STRUCTURE_MISMATCH: another number of bodies. */
static floc_status find_steps(const bodies *all, const section_list *list, const int64_t **steps)
{
  const section *found;
  *steps = NULL;
  if (!section_find(list, REMOVED)) return FLOC_OK;
  floc_status status = section_expect(list, REMOVED, "i64", (uint64_t)all->count, 1, &found);
  if (status != FLOC_OK) return status;
  const int64_t *value = found->data;
  for (int32_t k = 0; k < all->count; k++) {
    if (value[k] < -1)
      return refuse(all->env, FLOC_DAMAGED_FILE, "the checkpoint says that body %d was removed after step %lld",
                    (int)k, (long long)value[k]);
    if (value[k] >= 0 && k == all->domain_body)
      return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                    "body %d is the walls of the domain here; in the checkpoint it was removed", (int)k);
  }
  *steps = value;
  return FLOC_OK;
}

static floc_status check_removed(const bodies *all, const int64_t *steps)
{
  for (int32_t k = 0; k < all->count; k++)
    if (all->body[k].is_removed && !(steps && steps[k] >= 0))
      return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                    "body %d%s%s is in the checkpoint; here it was removed after step %lld", (int)k,
                    all->body[k].name[0] ? " " : "", all->body[k].name, (long long)all->body[k].removed_after);
  return FLOC_OK;
}

void removals_take(bodies *all, const section_list *list)
{
  const int64_t *steps;
  if (find_steps(all, list, &steps) != FLOC_OK || !steps) return;
  for (int32_t k = 0; k < all->count; k++)
    if (steps[k] >= 0) all->body[k].removed_after = steps[k];
}

static void *copy_of(environment *env, const void *data, size_t size, bool *complete)
{
  void *copy = size > 0 ? memory_resize(env, NULL, 0, size) : NULL;
  if (copy) memcpy(copy, data, size);
  *complete = *complete && (copy || size == 0);
  return copy;
}

/* Arrays of their own; the capacities are those of `all`. */
static floc_status copy_bodies(const bodies *all, bodies *copy)
{
  environment *env = all->env;
  bool complete = true;
  *copy = *all;
  copy->body = copy_of(env, all->body, all->capacity * sizeof(body), &complete);
  copy->local = copy_of(env, all->local, all->local_capacity * sizeof(shape), &complete);
  copy->world = copy_of(env, all->world, all->world_capacity * sizeof(shape), &complete);
  copy->framed = copy_of(env, all->framed, all->framed_capacity * sizeof *all->framed, &complete);
  copy->parameter =
      copy_of(env, all->parameter, all->parameter_capacity * SHAPE_PARAMETERS * sizeof(double), &complete);
  copy->type_name = copy_of(env, all->type_name, all->name_capacity * SHAPE_NAME, &complete);
  for (int32_t k = 0; k < SHAPE_ATTRIBUTE_LIMIT; k++)
    copy->attributes.value[k] =
        copy_of(env, all->attributes.value[k], all->attributes.capacity[k] * sizeof(double), &complete);
  if (complete) return FLOC_OK;
  bodies_drop_copy(all, copy);
  return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: a copy of the bodies was refused");
}

static void free_copy(environment *env, void *data, size_t size)
{
  if (data) memory_free(env, data, size);
}

void bodies_drop_copy(const bodies *all, bodies *copy)
{
  environment *env = all->env;
  free_copy(env, copy->body, copy->capacity * sizeof(body));
  free_copy(env, copy->local, copy->local_capacity * sizeof(shape));
  free_copy(env, copy->world, copy->world_capacity * sizeof(shape));
  free_copy(env, copy->framed, copy->framed_capacity * sizeof *copy->framed);
  free_copy(env, copy->parameter, copy->parameter_capacity * SHAPE_PARAMETERS * sizeof(double));
  free_copy(env, copy->type_name, copy->name_capacity * SHAPE_NAME);
  for (int32_t k = 0; k < SHAPE_ATTRIBUTE_LIMIT; k++)
    free_copy(env, copy->attributes.value[k], copy->attributes.capacity[k] * sizeof(double));
  *copy = (bodies){.env = NULL};
}

/* What is shared with the copy (types, staging) may have grown since, and stays. */
void bodies_take_copy(bodies *all, bodies *copy)
{
  bodies removed = *all, kept = *copy;
  kept.types = all->types;
  kept.joints = all->joints;
  kept.staging = all->staging;
  kept.staging_capacity = all->staging_capacity;
  kept.staging_kinds = all->staging_kinds;
  kept.staging_kinds_capacity = all->staging_kinds_capacity;
  kept.staging_steps = all->staging_steps;
  kept.staging_steps_capacity = all->staging_steps_capacity;
  *all = kept;
  bodies_drop_copy(all, &removed);
  *copy = (bodies){.env = NULL};
  for (int32_t k = 0; k < all->count; k++) all->body[k].motion.name = all->body[k].name;
  bodies_point_at_parameters(all);
}

floc_status bodies_remove_as_in(bodies *all, const section_list *list, bodies *copy)
{
  if (copy) *copy = (bodies){.env = NULL};
  const section *kinds = section_find(list, "bodies.kinds");
  if (!kinds || kinds->rows != (uint64_t)all->count) return FLOC_OK; /* bodies_restore() refuses it */
  const int64_t *steps;
  floc_status status = find_steps(all, list, &steps);
  if (status == FLOC_OK) status = check_removed(all, steps);
  if (status != FLOC_OK || !steps) return status;
  size_t capacity = 0;
  int32_t *new_shape = NULL;
  status = array_reserve(all->env, (void **)&new_shape, &capacity, (size_t)all->shape_count + 1, sizeof *new_shape);
  if (status == FLOC_OK && copy) status = copy_bodies(all, copy);
  for (int32_t k = 0; k < all->count && status == FLOC_OK; k++)
    if (steps[k] >= 0 && !all->body[k].is_removed) bodies_remove(all, k, steps[k], new_shape);
  array_free(all->env, (void **)&new_shape, &capacity, sizeof *new_shape);
  return status;
}
