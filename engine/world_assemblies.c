/*
 * What is not round: rigid assemblies of particles, and grains of other shapes than discs
 * (particles/grain_shapes.h) as the world knows them: their shapes, what does not act on them, where their corners
 * are.
 */
#include "world.h"

#include "particles/owned.h"

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

/* ---- grains that are not round: their shapes, what does not act on them ---- */

static floc_status refuse_shapes(floc_world *world)
{
  return refuse(&world->env, FLOC_NOT_SUPPORTED,
                "grains of other shapes than discs are not supported under the scheme %s; inelastic does it",
                world->method.shown);
}

floc_status world_check_shape(floc_world *world, int32_t number)
{
  if (number >= 0 && number <= world->table.shapes.count) return FLOC_OK;
  return refuse(&world->env, FLOC_INVALID_ARGUMENT,
                "shape is %d; it must be a number of floc_grain_shape_add(), from 1 to %d, or 0 for a disc or ball",
                number, world->table.shapes.count);
}

floc_status world_check_shapes(floc_world *world, const char *when)
{
  bool any;
  floc_status status = particles_check_shapes(&world->table, world->box.dimension, when, &any);
  if (status != FLOC_OK || !any) return status;
  const laws_present present = laws_find_present(world->forces);
  if (!world->method.take_shapes) return refuse_shapes(world);
  const char *what = present.pair_laws                    ? "a law between particles"
                     : present.wall_laws                  ? "a law between particles and bodies"
                     : present.attraction                 ? "attraction, or a force of long range"
                     : present.flow                       ? "a flow"
                     : ray_sources_count(world->rays) > 0 ? "a source of rays"
                     : world->contact_laws.count > 0      ? "a contact law of the host"
                     : world->keeps_ledger                ? "the energy ledger"
                                                          : NULL;
  for (int32_t k = 0; k < world->assemblies.member_count && !what; k++)
    if (particles_shape(&world->table, particles_find(&world->table, world->assemblies.member[k].id)))
      what = "an assembly";
  for (int32_t k = 0; k < world->obstacles.shape_count; k++)
    if (!convex_knows_wall(&world->obstacles.world[k]))
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "particles are not round, which the shape %s of body %d does not know; it must be a plane, a "
                    "segment, a %s or a hollow",
                    shape_name(&world->obstacles.world[k]), world->obstacles.world[k].body,
                    world->box.dimension == 2 ? "circle" : "sphere, a triangle");
  const double *inertia = world->box.dimension == 3 ? particles_optional(&world->table, OPTIONAL_inertia) : NULL;
  EACH_OWNED(i, &world->table)
    if (inertia && inertia[i] != 0.0 && particles_shape(&world->table, i))
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "particle %" PRId64 " is not round and has the inertia %g; in space its moments of inertia are "
                    "those of its shape, and inertia must be 0",
                    world->table.id[i], inertia[i]);
  if (!what) return FLOC_OK;
  return refuse(&world->env, FLOC_NOT_SUPPORTED, "particles are not round, which %s does not know", what);
}

floc_status floc_grain_shape_add(floc_world *world, const floc_grain_shape_options *options, int32_t *number,
                                 double *area)
{
  WORLD_ENTER(world);
  environment *env = &world->env;
  READ_OPTIONS(env, grain_shape_options, options);
  if (world->method.step && !world->method.take_shapes) return refuse_shapes(world);
  grain_shape made;
  int32_t added = 0;
  floc_status status = grain_shape_make(env, world->box.dimension, options, &made);
  if (status == FLOC_OK) status = particles_need_shapes(&world->table, world->box.dimension);
  if (status == FLOC_OK && world->method.take_shapes)
    status = world->method.take_shapes(world->method.state, &world->method, world->near, &world->table);
  if (status == FLOC_OK) status = grain_shapes_add(env, &world->table.shapes, &made, &added);
  if (status != FLOC_OK) return status;
  if (number) *number = added;
  if (area) *area = grain_volume(&made, world->box.dimension, 1.0, made.rounding);
  return FLOC_OK;
}

/* ---- and distances between them ---- */

double world_grain_distance(const particles *table, const grain_core *core, int64_t other,
                            const double separation[3], double reach)
{
  grain_memory memory;
  const grain_core second = grain_core_make(table, core->dimension, other, &memory);
  return grain_distance(core, &second, separation, reach);
}

/* ---- and what is asked of them ---- */

floc_status world_need_round(floc_world *world, const char *what)
{
  const double *number = particles_optional(&world->table, OPTIONAL_shape);
  EACH_OWNED(i, &world->table)
    if (number && number[i] != 0.0)
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "%s: particle %lld is not round, and this is known of discs alone", what,
                    (long long)world->table.id[i]);
  return FLOC_OK;
}

floc_status floc_grain_corners(floc_world *world, const int64_t **begin, const double **corners, int64_t *count)
{
  WORLD_ENTER(world);
  if (!begin || !corners || !count)
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "begin, corners or count is NULL");
  floc_status status = particles_check_shapes(&world->table, world->box.dimension,
                                              "where its corners are asked for", &(bool){false});
  if (status != FLOC_OK) return status;
  grain_cores cores;
  arena_reset(&world->scratch);
  status = grain_cores_place(&world->env, &world->scratch, &world->table, world->box.dimension, NULL, &cores);
  if (status != FLOC_OK) return status;
  *begin = cores.begin;
  *corners = cores.dimension == 2 ? &cores.corner[0][0] : &cores.place[0][0];
  *count = world->table.count;
  return FLOC_OK;
}

floc_status floc_grain_faces(floc_world *world, int32_t number, int32_t *corners, int32_t *faces,
                             const uint8_t **begin, const uint8_t **loop)
{
  WORLD_ENTER(world);
  if (!corners || !faces || !begin || !loop)
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "corners, faces, begin or loop is NULL");
  floc_status status = world_check_shape(world, number);
  if (status != FLOC_OK) return status;
  const grain_shape *form = number > 0 ? &world->table.shapes.shape[number - 1] : NULL;
  const bool is_one = form && form->kind == GRAIN_POLYHEDRON;
  *corners = is_one ? form->solid.corners : 0;
  *faces = is_one ? form->solid.faces : 0;
  *begin = is_one ? form->solid.begin : NULL;
  *loop = is_one ? form->solid.loop : NULL;
  return FLOC_OK;
}
