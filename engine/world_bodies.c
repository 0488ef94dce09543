/*
 * Bodies of a world.
 */
#include "world.h"

#include <math.h>
#include <string.h>

floc_status floc_shape_init(floc_shape *description)
{
  if (!description) return FLOC_INVALID_ARGUMENT;
  memset(description, 0, sizeof *description);
  description->struct_size = sizeof *description;
  return FLOC_OK;
}

floc_status floc_body_options_init(floc_body_options *options)
{
  if (!options) return FLOC_INVALID_ARGUMENT;
  memset(options, 0, sizeof *options);
  options->struct_size = sizeof *options;
  return FLOC_OK;
}

floc_status floc_compound_init(floc_compound *compound)
{
  if (!compound) return FLOC_INVALID_ARGUMENT;
  memset(compound, 0, sizeof *compound);
  compound->struct_size = sizeof *compound;
  compound->paddles = 6;
  compound->facets = 48;
  return FLOC_OK;
}

static floc_status check_body(floc_world *world, int32_t number)
{
  if (number >= 0 && number < world->obstacles.count) return FLOC_OK;
  return refuse(&world->env, FLOC_NOT_FOUND, "there is no body %d; there are %d, counted from 0", number,
                world->obstacles.count);
}

floc_status floc_body_add(floc_world *world, const floc_body_options *options, int32_t *number)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, options);
  int32_t added;
  floc_status status = bodies_add(&world->obstacles, options, world_time(world), &added);
  if (status == FLOC_OK && number) *number = added;
  return status;
}

floc_status floc_body_add_shape(floc_world *world, int32_t number, const floc_shape *description)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, description);
  floc_status status = check_body(world, number);
  if (status == FLOC_OK) status = bodies_add_shape(&world->obstacles, number, description);
  if (status != FLOC_OK) return status;
  neighbors_invalidate(world->near);
  world->unchecked = true;
  return FLOC_OK;
}

floc_status floc_body_add_compound(floc_world *world, int32_t number, const floc_compound *compound)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, compound);
  floc_status status = check_body(world, number);
  if (status == FLOC_OK) status = bodies_add_compound(&world->obstacles, number, compound);
  if (status != FLOC_OK) return status;
  neighbors_invalidate(world->near);
  world->unchecked = true;
  return FLOC_OK;
}

floc_status floc_body_get_state(floc_world *world, int32_t number, floc_body_state *state)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, state);
  floc_status status = check_body(world, number);
  if (status != FLOC_OK) return status;
  const body *source = &world->obstacles.body[number];
  state->shape_count = source->shape_count;
  state->angle = source->now.angle;
  memcpy(state->position, source->now.position, sizeof state->position);
  memcpy(state->orientation, source->now.orientation, sizeof state->orientation);
  memcpy(state->velocity, source->velocity, sizeof state->velocity);
  memcpy(state->angular_velocity, source->angular_velocity, sizeof state->angular_velocity);
  memcpy(state->force, source->force, sizeof state->force);
  memcpy(state->torque, source->torque, sizeof state->torque);
  return FLOC_OK;
}

floc_status floc_body_get_shape(floc_world *world, int32_t number, int32_t index, floc_shape *result)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, result);
  floc_status status = check_body(world, number);
  if (status != FLOC_OK) return status;
  int32_t found = bodies_find_shape(&world->obstacles, number, index);
  if (found < 0)
    return refuse(&world->env, FLOC_NOT_FOUND, "body %d has no shape %d; it has %d, counted from 0", number, index,
                  world->obstacles.body[number].shape_count);
  const shape *source = &world->obstacles.world[found];
  result->kind = source->kind;
  result->radius = source->radius;
  memcpy(result->points, source->point, sizeof result->points);
  return FLOC_OK;
}

floc_status floc_body_set_motion(floc_world *world, int32_t number, const floc_body_options *options)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, options);
  floc_status status = check_body(world, number);
  return status == FLOC_OK ? bodies_set_motion(&world->obstacles, number, options, world_time(world)) : status;
}
