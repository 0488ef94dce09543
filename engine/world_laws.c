/*
 * Force laws of a world: added, changed, looked at. The module laws/ keeps them; here is what a call must know of
 * the scheme, and of energies that no longer hold.
 */
#include "world.h"

#include "measures/energies.h"

#include <string.h>

/* The orientation of particles is there from the first law on that asks for it; before: columns without it. */
static floc_status need_orientation(floc_world *world, int32_t kind, const floc_law_options *options,
                                    int32_t *before)
{
  *before = world->table.column_count;
  if (!laws_take_axes(kind, options)) return FLOC_OK;
  return particles_need_orientation(&world->table, world->box.dimension);
}

static floc_status add_law(floc_world *world, int32_t kind, const floc_law_options *options, int32_t *law)
{
  READ_OPTIONS(&world->env, law_options, options);
  static const floc_feature feature[] = {[FLOC_LAW_PAIR] = FLOC_FEATURE_PAIR_LAWS,
                                         [FLOC_LAW_FIELD] = FLOC_FEATURE_FIELDS,
                                         [FLOC_LAW_WALL] = FLOC_FEATURE_WALL_LAWS,
                                         [FLOC_LAW_EVOLUTION] = FLOC_FEATURE_EVOLUTION,
                                         [FLOC_LAW_ANGLE] = FLOC_FEATURE_PAIR_LAWS};
  int32_t number, before = 0;
  floc_status status = world_need_feature(world, feature[kind]);
  if (status == FLOC_OK) status = need_orientation(world, kind, options, &before);
  if (status == FLOC_OK) {
    status = laws_add(world->forces, &world->table, world->near, kind, options, &number);
    if (status != FLOC_OK) particles_drop_columns(&world->table, before);
  }
  world->energies_hold = false;
  if (status == FLOC_OK && law) *law = number;
  return status;
}

floc_status floc_pair_law_add(floc_world *world, const floc_law_options *options, int32_t *law)
{
  WORLD_ENTER(world);
  return add_law(world, FLOC_LAW_PAIR, options, law);
}

floc_status floc_field_add(floc_world *world, const floc_law_options *options, int32_t *law)
{
  WORLD_ENTER(world);
  return add_law(world, FLOC_LAW_FIELD, options, law);
}

floc_status floc_wall_law_add(floc_world *world, const floc_law_options *options, int32_t *law)
{
  WORLD_ENTER(world);
  return add_law(world, FLOC_LAW_WALL, options, law);
}

floc_status floc_angle_law_add(floc_world *world, const floc_law_options *options, int32_t *law)
{
  WORLD_ENTER(world);
  return add_law(world, FLOC_LAW_ANGLE, options, law);
}

floc_status floc_evolution_add(floc_world *world, const floc_law_options *options, int32_t *law)
{
  WORLD_ENTER(world);
  return add_law(world, FLOC_LAW_EVOLUTION, options, law);
}

floc_status floc_attraction_add(floc_world *world, const floc_attraction_options *options, int32_t *law)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, attraction_options, options);
  int32_t number;
  floc_status status = world_need_feature(world, FLOC_FEATURE_ATTRACTION);
  if (status == FLOC_OK) status = laws_add_attraction(world->forces, options, &number);
  if (status == FLOC_OK && law) *law = number;
  return status;
}

floc_status floc_long_range_add(floc_world *world, const floc_long_range_options *options, int32_t *law)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, long_range_options, options);
  int32_t number;
  floc_status status = world_need_feature(world, FLOC_FEATURE_ATTRACTION);
  if (status == FLOC_OK) status = laws_add_long_range(world->forces, &world->table, &world->box, options, &number);
  if (status == FLOC_OK && law) *law = number;
  world->energies_hold = false;
  return status;
}

/* The function of a flow: its member as 0.1.0 had it, or what its pointer shows. */
static floc_status read_flow_function(environment *env, const floc_flow_options *options,
                                      floc_law_options *velocity)
{
  _Static_assert(sizeof(floc_flow_function) == FIRST_law_options, "floc_law_options had this size in 0.1.0");
  if (options->kind != FLOC_FLOW_FUNCTION)
    return options->law ? refuse(env, FLOC_INVALID_ARGUMENT,
                                 "law belongs to flows of the kind function; kind is %d", options->kind)
                        : FLOC_OK;
  const void *given = options->law ? (const void *)options->law : &options->function;
  return struct_read(env, options->law ? "law" : "function", given, FIRST_law_options, velocity, sizeof *velocity);
}

floc_status floc_world_set_flow(floc_world *world, const floc_flow_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, flow_options, options);
  floc_status status = options->kind == FLOC_FLOW_NONE ? FLOC_OK : world_need_feature(world, FLOC_FEATURE_FLOW);
  floc_law_options velocity = {0};
  if (status == FLOC_OK) status = read_flow_function(&world->env, options, &velocity);
  if (status != FLOC_OK) return status;
  return laws_set_flow(world->forces, &world->table, options, &velocity);
}

floc_status floc_world_set_a_priori(floc_world *world, const floc_law_options *options)
{
  WORLD_ENTER(world);
  if (!options) return laws_set_a_priori(world->forces, &world->table, NULL);
  READ_OPTIONS(&world->env, law_options, options);
  int32_t before;
  floc_status status = world_need_feature(world, FLOC_FEATURE_A_PRIORI);
  if (status == FLOC_OK) status = need_orientation(world, FLOC_LAW_FIELD, options, &before);
  if (status != FLOC_OK) return status;
  status = laws_set_a_priori(world->forces, &world->table, options);
  if (status != FLOC_OK) particles_drop_columns(&world->table, before);
  return status;
}

floc_status floc_world_set_noise(floc_world *world, const floc_noise_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, noise_options, options);
  floc_status status = options->sigma > 0.0 ? world_need_feature(world, FLOC_FEATURE_NOISE) : FLOC_OK;
  if (status != FLOC_OK) return status;
  return laws_set_noise(world->forces, options);
}

floc_status floc_law_set_parameter(floc_world *world, int32_t kind, int32_t law, const char *name, double value)
{
  WORLD_ENTER(world);
  world->energies_hold = false;
  return laws_set_parameter(world->forces, kind, law, name, value);
}

floc_status floc_law_get_parameter(floc_world *world, int32_t kind, int32_t law, const char *name, double *value)
{
  WORLD_READ(world, env);
  if (!value) return refuse(env, FLOC_INVALID_ARGUMENT, "value is NULL");
  return laws_get_parameter(world->forces, env, kind, law, name, value);
}

floc_status floc_law_set_program(floc_world *world, int32_t kind, int32_t law, const floc_program_options *program)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, program_options, program);
  world->energies_hold = false;
  return laws_set_program(world->forces, kind, law, program);
}

/* Inside a function of the host: of the last evaluation. */
static floc_status read_energy(floc_world *world, int32_t kind, int32_t law, double *energy)
{
  WORLD_READ_AS(world, env, "floc_law_get_energy");
  if (!energy) return refuse(env, FLOC_INVALID_ARGUMENT, "energy is NULL");
  return laws_get_energy(world->forces, env, kind, law, energy);
}

floc_status floc_law_get_energy(floc_world *world, int32_t kind, int32_t law, double *energy)
{
  if (world && world_is_inside(world)) return read_energy(world, kind, law, energy);
  WORLD_ENTER(world);
  if (!energy) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "energy is NULL");
  floc_status status = laws_get_energy(world->forces, &world->env, kind, law, energy);
  if (status != FLOC_OK || world->energies_hold) return status;
  measure_source source = world_measure_source(world);
  potential_energies all;
  arena_mark here = arena_here(&world->scratch);
  status = energies_of_pairs_and_fields(&source, &all);
  arena_return(&world->scratch, here);
  return status == FLOC_OK ? laws_get_energy(world->forces, &world->env, kind, law, energy) : status;
}

floc_status floc_law_text(floc_world *world, int32_t kind, int32_t law, char *text, size_t size, size_t *length)
{
  WORLD_READ(world, env);
  if (!length || (!text && size > 0)) return refuse(env, FLOC_INVALID_ARGUMENT, "text or length is NULL");
  return laws_text(world->forces, env, kind, law, text, size, length);
}

floc_status floc_law_add_bonds(floc_world *world, int32_t kind, int32_t law, int64_t count, const int64_t *ids,
                               const double *const *values)
{
  WORLD_ENTER(world);
  world->energies_hold = false;
  return laws_add_bonds(world->forces, &world->table, kind, law, count, ids, values);
}

floc_status floc_law_remove_bonds(floc_world *world, int32_t kind, int32_t law, int64_t count, const int64_t *ids)
{
  WORLD_ENTER(world);
  world->energies_hold = false;
  return laws_remove_bonds(world->forces, &world->table, kind, law, count, ids);
}

floc_status floc_law_set_bonds(floc_world *world, int32_t kind, int32_t law, const char *name, const double *values,
                               int64_t count)
{
  WORLD_ENTER(world);
  world->energies_hold = false;
  return laws_set_bonds(world->forces, kind, law, name, values, count);
}

floc_status floc_law_get_bonds(floc_world *world, int32_t kind, int32_t law, const char *const *names,
                               int32_t name_count, int64_t *ids, double *const *columns, int64_t capacity,
                               int64_t *count)
{
  WORLD_ENTER(world);
  return laws_get_bonds(world->forces, kind, law, names, name_count, ids, columns, capacity, count);
}
