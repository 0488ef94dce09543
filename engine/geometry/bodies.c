/*
 * The bodies of a world and their shapes. See bodies.h.
 *
 * Only the shapes of bodies whose pose has changed are placed again, so fixed bodies cost nothing in a step
 * and keep their bits.
 */
#include "geometry/bodies.h"

#include "base/fields.h"
#include "geometry/joints.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void bodies_init(bodies *all, environment *env, int32_t dimension)
{
  *all = (bodies){.env = env, .dimension = dimension, .domain_body = -1};
}

void bodies_free(bodies *all)
{
  array_free(all->env, (void **)&all->body, &all->capacity, sizeof(body));
  array_free(all->env, (void **)&all->local, &all->local_capacity, sizeof(shape));
  array_free(all->env, (void **)&all->world, &all->world_capacity, sizeof(shape));
  added_types_free(all->env, &all->types);
  joints_free(all);
  attributes_free(all);
  array_free(all->env, (void **)&all->framed, &all->framed_capacity, sizeof *all->framed);
  array_free(all->env, (void **)&all->parameter, &all->parameter_capacity, SHAPE_PARAMETERS * sizeof(double));
  array_free(all->env, (void **)&all->type_name, &all->name_capacity, SHAPE_NAME);
  array_free(all->env, (void **)&all->staging, &all->staging_capacity, sizeof(double));
  array_free(all->env, (void **)&all->staging_kinds, &all->staging_kinds_capacity, sizeof(int32_t));
  array_free(all->env, (void **)&all->staging_steps, &all->staging_steps_capacity, sizeof(int64_t));
  bodies_init(all, all->env, all->dimension);
}

/* ---- adding ---- */

floc_status bodies_check_number(const bodies *all, environment *env, int32_t number)
{
  if (number >= 0 && number < all->count && !all->body[number].is_removed) return FLOC_OK;
  if (number >= 0 && number < all->count)
    return refuse(env, FLOC_NOT_FOUND, "body %d%s%s was removed after step %lld", (int)number,
                  all->body[number].name[0] ? " " : "", all->body[number].name,
                  (long long)all->body[number].removed_after);
  if (all->count == 0) return refuse(env, FLOC_NOT_FOUND, "there is no body %d; there are no bodies", (int)number);
  return refuse(env, FLOC_NOT_FOUND, "there is no body %d; bodies are 0 to %d", (int)number, (int)all->count - 1);
}

/* What a body is told to do; a free one is not told. */
static floc_status check_told(environment *env, const floc_body_options *options, int32_t dimension)
{
  if (options->motion == FLOC_MOTION_FREE)
    return refuse(env, FLOC_INVALID_ARGUMENT, "motion is %d (free); floc_body_set_free makes a body free",
                  FLOC_MOTION_FREE);
  return motion_check(env, options, dimension);
}

static floc_status check_options(environment *env, const floc_body_options *options, int32_t dimension)
{
  floc_status status = check_told(env, options, dimension);
  if (status != FLOC_OK || dimension == 3 || options->position[2] == 0.0) return status;
  return refuse(env, FLOC_INVALID_ARGUMENT, "body: position[2] is %g; in two dimensions it must be 0",
                options->position[2]);
}

/* Names lie within the bodies, which move when their array grows. */
static void point_at_names(bodies *all)
{
  for (int32_t k = 0; k < all->count; k++) all->body[k].motion.name = all->body[k].name;
}

floc_status bodies_add(bodies *all, const floc_body_options *options, double time, int32_t *number)
{
  floc_status status = check_options(all->env, options, all->dimension);
  if (status != FLOC_OK) return status;
  if (all->count == INT32_MAX) return refuse(all->env, FLOC_LIMIT_EXCEEDED, "the limit is %d bodies", INT32_MAX);
  body added = {.motion = *options};
  snprintf(added.name, sizeof added.name, "%s", options->name ? options->name : "");
  status = motion_begin(all->env, &added, all->count, all->dimension, time);
  if (status != FLOC_OK) return status;
  status = array_reserve(all->env, (void **)&all->body, &all->capacity, (size_t)all->count + 1, sizeof(body));
  if (status != FLOC_OK) return status;
  all->body[all->count] = added;
  if (number) *number = all->count;
  all->count++;
  point_at_names(all);
  return FLOC_OK;
}

floc_status bodies_set_motion(bodies *all, int32_t number, const floc_body_options *options, double time)
{
  floc_status status = bodies_check_number(all, all->env, number);
  if (status == FLOC_OK) status = check_told(all->env, options, all->dimension);
  if (status != FLOC_OK) return status;
  body *moved = &all->body[number];
  floc_body_options kept = moved->motion;
  moved->motion = *options;
  moved->motion.roughness = kept.roughness;
  moved->motion.material = kept.material;
  moved->motion.name = kept.name;
  moved->free = (free_body){0};
  moved->start_time = time;
  moved->first = moved->now;
  if (options->motion == FLOC_MOTION_OSCILLATION) { /* the middle of the oscillation is where it needs to be */
    vector_add_scaled(moved->now.position, -floc_sin(options->phase), options->amplitude, moved->first.position);
  }
  return FLOC_OK;
}

floc_status bodies_set_material(bodies *all, int32_t number, int32_t index, int32_t material)
{
  floc_status status = bodies_check_number(all, all->env, number);
  if (status != FLOC_OK) return status;
  if (material < 0)
    return refuse(all->env, FLOC_INVALID_ARGUMENT, "material is %d; it must be at least 0", (int)material);
  if (index < -1 || index >= all->body[number].shape_count)
    return refuse(all->env, FLOC_NOT_FOUND, "shape is %d; body %d has %d, counted from 0, and -1 is all of them",
                  (int)index, (int)number, (int)all->body[number].shape_count);
  if (index < 0) all->body[number].motion.material = material;
  for (int32_t k = 0; k < all->shape_count; k++)
    if (all->local[k].body == number && (index < 0 || all->local[k].index == index))
      all->local[k].own_material = all->world[k].own_material = index < 0 ? 0 : material + 1;
  return FLOC_OK;
}

/* ---- shapes ---- */

void pose_matrix(const pose *at, int32_t dimension, double matrix[3][3])
{
  if (dimension == 3) {
    rotation_matrix(at->orientation, matrix);
    return;
  }
  double cosine = floc_cos(at->angle), sine = floc_sin(at->angle);
  double rows[3][3] = {{cosine, -sine, 0.0}, {sine, cosine, 0.0}, {0.0, 0.0, 1.0}};
  memcpy(matrix, rows, sizeof rows);
}

void bodies_place_body(bodies *all, int32_t number)
{
  double matrix[3][3];
  const pose *at = &all->body[number].next;
  pose_matrix(at, all->dimension, matrix);
  int32_t left = all->body[number].shape_count;
  for (int32_t k = 0; k < all->shape_count && left > 0; k++) {
    if (all->local[k].body != number) continue;
    shape_place(&all->local[k], at->position, matrix, &all->world[k]);
    left--;
  }
}

shape bodies_shape_now(const bodies *all, int32_t index)
{
  double matrix[3][3];
  shape placed;
  const pose *at = &all->body[all->local[index].body].now;
  pose_matrix(at, all->dimension, matrix);
  shape_place(&all->local[index], at->position, matrix, &placed);
  return placed;
}

void bodies_place_shapes(bodies *all)
{
  for (int32_t k = 0; k < all->count; k++) bodies_place_body(all, k);
}

static floc_status reserve_shapes(bodies *all, int32_t count)
{
  if (count > INT32_MAX - all->shape_count) {
    return refuse(all->env, FLOC_LIMIT_EXCEEDED, "the limit is %d shapes", INT32_MAX);
  }
  size_t needed = (size_t)all->shape_count + (size_t)count;
  floc_status status = array_reserve(all->env, (void **)&all->local, &all->local_capacity, needed, sizeof(shape));
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->world, &all->world_capacity, needed, sizeof(shape));
  return status == FLOC_OK ? attributes_reserve(all, needed) : status;
}

void bodies_measure_shapes(bodies *all)
{
  for (int32_t k = 0; k < all->count; k++) all->body[k].farthest = 0.0;
  for (int32_t k = 0; k < all->shape_count; k++) {
    body *owner = &all->body[all->local[k].body];
    if (!shape_is_half_space(&all->local[k]))
      owner->farthest = fmax(owner->farthest, shape_farthest(&all->local[k]));
  }
}

void bodies_point_at_parameters(bodies *all)
{
  for (int32_t k = 0; k < all->framed_count; k++)
    all->local[all->framed[k]].parameter = all->world[all->framed[k]].parameter =
        all->parameter + (size_t)k * SHAPE_PARAMETERS;
}

static floc_status reserve_framed(bodies *all)
{
  size_t needed = (size_t)all->framed_count + 1;
  floc_status status =
      array_reserve(all->env, (void **)&all->framed, &all->framed_capacity, needed, sizeof *all->framed);
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->type_name, &all->name_capacity, needed, SHAPE_NAME);
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->parameter, &all->parameter_capacity, needed,
                           SHAPE_PARAMETERS * sizeof(double));
  bodies_point_at_parameters(all);
  return status;
}

/* The shape that was appended last. */
static void append_framed(bodies *all, const shape_type *type, const floc_shape *description)
{
  int32_t number = all->framed_count++;
  all->framed[number] = all->shape_count;
  all->local[all->shape_count].framed = number;
  memcpy(all->parameter + (size_t)number * SHAPE_PARAMETERS, description->parameters,
         sizeof description->parameters);
  memset(all->type_name + (size_t)number * SHAPE_NAME, 0, SHAPE_NAME);
  snprintf(all->type_name + (size_t)number * SHAPE_NAME, SHAPE_NAME, "%s", shape_type_name(type));
  bodies_point_at_parameters(all);
}

/* Appends a checked shape; the arrays have space. */
static void append_shape(bodies *all, int32_t number, const floc_shape *description)
{
  body *owner = &all->body[number];
  shape *added = &all->local[all->shape_count];
  const shape_type *type = shape_type_by_kind(&all->types, description->kind);
  *added = shape_make(type, description);
  if (shape_is_framed(type)) append_framed(all, type, description);
  added->body = number;
  added->index = owner->shape_count;
  if (shape_is_half_space(added))
    owner->plane_count++;
  else
    owner->farthest = fmax(owner->farthest, shape_farthest(added));
  double matrix[3][3];
  pose_matrix(&owner->next, all->dimension, matrix);
  shape_place(added, owner->next.position, matrix, &all->world[all->shape_count]);
  if (owner->shape_count == 0) owner->first_shape = all->shape_count;
  attributes_begin(all, all->shape_count);
  owner->shape_count++;
  all->shape_count++;
}

floc_status bodies_add_shape(bodies *all, int32_t number, const floc_shape *description)
{
  floc_status status = bodies_check_number(all, all->env, number);
  if (status != FLOC_OK) return status;
  const shape_type *type = shape_type_by_kind(&all->types, description->kind);
  status = shape_check(all->env, type, description, all->dimension);
  if (status == FLOC_OK) status = reserve_shapes(all, 1);
  if (status == FLOC_OK && shape_is_framed(type)) status = reserve_framed(all);
  if (status == FLOC_OK) append_shape(all, number, description);
  return status;
}

floc_status bodies_add_shapes(bodies *all, int32_t number, const floc_shape *parts, int32_t count)
{
  floc_status status = bodies_check_number(all, all->env, number);
  for (int32_t k = 0; k < count && status == FLOC_OK; k++)
    status = shape_check(all->env, shape_type_by_kind(NULL, parts[k].kind), &parts[k], all->dimension);
  if (status == FLOC_OK) status = reserve_shapes(all, count);
  for (int32_t k = 0; k < count && status == FLOC_OK; k++) append_shape(all, number, &parts[k]);
  return status;
}

floc_status bodies_add_compound(bodies *all, int32_t number, const floc_compound *description)
{
  int32_t count = 0;
  floc_status status = compound_shapes(all->env, description, all->dimension, NULL, 0, &count);
  if (status != FLOC_OK) return status;
  floc_shape *parts = NULL;
  size_t capacity = 0;
  status = array_reserve(all->env, (void **)&parts, &capacity, (size_t)count, sizeof *parts);
  if (status == FLOC_OK) status = compound_shapes(all->env, description, all->dimension, parts, count, &count);
  if (status == FLOC_OK) status = bodies_add_shapes(all, number, parts, count);
  array_free(all->env, (void **)&parts, &capacity, sizeof *parts);
  return status;
}

int32_t bodies_find_shape(const bodies *all, int32_t number, int32_t index)
{
  int64_t near = number >= 0 && number < all->count ? (int64_t)all->body[number].first_shape + index : -1;
  if (near >= 0 && near < all->shape_count && all->local[near].body == number && all->local[near].index == index)
    return (int32_t)near;
  for (int32_t k = 0; k < all->shape_count; k++)
    if (all->local[k].body == number && all->local[k].index == index) return k;
  return -1;
}

/* ---- a step ---- */

static bool has_moved(const body *moved)
{
  return memcmp(&moved->now, &moved->next, sizeof(pose)) != 0;
}

floc_status bodies_prepare(bodies *all, double time, double time_step)
{
  for (int32_t k = 0; k < all->count; k++) {
    floc_status status = motion_advance(all->env, &all->body[k], k, all->dimension, time, time_step);
    if (status == FLOC_OK) continue;
    bodies_revert(all);
    return status;
  }
  for (int32_t k = 0; k < all->count; k++)
    if (has_moved(&all->body[k])) bodies_place_body(all, k);
  return FLOC_OK;
}

void body_mean_spin(const body *moved, int32_t dimension, double time_step, double spin[3])
{
  double rotation[4], vector[3] = {0.0, 0.0, moved->next.angle - moved->now.angle};
  if (dimension == 3) {
    rotation_between(moved->now.orientation, moved->next.orientation, rotation);
    rotation_to_vector(rotation, vector);
  }
  for (int k = 0; k < 3; k++) spin[k] = vector[k] / time_step;
}

static void mean_velocities(body *moved, int32_t dimension, double time_step)
{
  for (int k = 0; k < 3; k++) moved->velocity[k] = (moved->next.position[k] - moved->now.position[k]) / time_step;
  body_mean_spin(moved, dimension, time_step, moved->angular_velocity);
}

void bodies_commit(bodies *all, double time_step)
{
  for (int32_t k = 0; k < all->count; k++) {
    mean_velocities(&all->body[k], all->dimension, time_step);
    all->body[k].now = all->body[k].next;
    all->body[k].reach = 0.0;
  }
}

void bodies_revert(bodies *all)
{
  for (int32_t k = 0; k < all->count; k++) {
    all->body[k].reach = 0.0;
    if (!has_moved(&all->body[k])) continue;
    all->body[k].next = all->body[k].now;
    bodies_place_body(all, k);
  }
}

/* A plane stays the same under translation along with its body and under turns about its own normal. */
static bool planes_turn(const bodies *all, int32_t number, const double rotation[4])
{
  double across[3];
  for (int32_t k = 0; k < all->shape_count; k++) {
    if (all->local[k].body != number || !shape_is_half_space(&all->local[k])) continue;
    vector_cross(rotation + 1, all->local[k].point[1], across);
    if (vector_dot(across, across) > 0.0) return true;
  }
  return false;
}

double body_shift(const bodies *all, int32_t number, const pose *a, const pose *b)
{
  const body *moved = &all->body[number];
  double translation[3], back[4] = {a->orientation[0], -a->orientation[1], -a->orientation[2], -a->orientation[3]};
  vector_difference(b->position, a->position, translation);
  double chord; /* of the unit circle: 2 sin(angle/2) */
  double in_body[4] = {1.0, 0.0, 0.0, 0.0};
  if (all->dimension == 2) {
    in_body[3] = floc_sin(0.5 * (b->angle - a->angle));
  } else {
    rotation_compose(back, b->orientation, in_body);
  }
  chord = 2.0 * vector_length(in_body + 1);
  if (chord > 0.0 && moved->plane_count > 0 && planes_turn(all, number, in_body)) return INFINITY;
  return (vector_length(translation) + chord * moved->farthest) * (1.0 + 1e-12);
}
