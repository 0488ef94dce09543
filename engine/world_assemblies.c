/*
 * Rigid assemblies of a world.
 */
#include "world.h"

#include <inttypes.h>
#include <string.h>

floc_status floc_assembly_add(floc_world *world, const int64_t *ids, int64_t count,
                              const floc_assembly_options *options, int32_t *assembly)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, assembly_options, options);
  int32_t number;
  floc_status status = world_need_feature(world, FLOC_FEATURE_ASSEMBLIES);
  if (status != FLOC_OK) return status;
  status = rigid_add(&world->assemblies, &world->table, &world->box, ids, count, options, &number);
  if (status != FLOC_OK) return status;
  neighbors_invalidate(world->near);
  world->energies_hold = false;
  if (assembly) *assembly = number;
  return FLOC_OK;
}

floc_status world_check_members(floc_world *world)
{
  const rigid_assemblies *all = &world->assemblies;
  for (int64_t m = 0; m < all->member_count; m++)
    if (particles_find(&world->table, all->member[m].id) < 0)
      return refuse(&world->env, FLOC_DAMAGED_FILE,
                    "the table of assemblies' members names particle %" PRId64 ", which is not there",
                    all->member[m].id);
  return FLOC_OK;
}

floc_status floc_assembly_get_state(floc_world *world, int32_t assembly, floc_assembly_state *state)
{
  WORLD_READ(world, env);
  FILL_RESULT(env, assembly_state, state);
  if (assembly < 0 || assembly >= world->assemblies.count)
    return refuse(env, FLOC_NOT_FOUND, "there is no assembly %d; there are %d", assembly, world->assemblies.count);
  const rigid_assembly *one = &world->assemblies.assembly[assembly];
  state->member_count = one->member_count;
  state->mass = one->mass;
  memcpy(state->inertia, one->inertia, sizeof state->inertia);
  memcpy(state->position, one->position, sizeof state->position);
  memcpy(state->orientation, one->orientation, sizeof state->orientation);
  state->angle = one->angle;
  memcpy(state->velocity, one->velocity, sizeof state->velocity);
  memcpy(state->angular_velocity, one->angular_velocity, sizeof state->angular_velocity);
  return FLOC_OK;
}

floc_status floc_assembly_of(floc_world *world, int64_t id, int32_t *assembly)
{
  WORLD_READ(world, env);
  if (!assembly) return refuse(env, FLOC_INVALID_ARGUMENT, "assembly is NULL");
  if (particles_find(&world->table, id) < 0)
    return refuse(env, FLOC_INVALID_ARGUMENT, "id is %" PRId64 "; there are particles 1 to %" PRId64 "%s", id,
                  world->table.last_id, particles_gaps_text(&world->table));
  *assembly = rigid_owner(&world->assemblies, id);
  return FLOC_OK;
}
