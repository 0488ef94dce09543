/*
 * The choice of a scheme, and what single schemes report.
 */
#include "world.h"

#include "base/fields.h"

#include "measures/present_lists.h"
#include "schemes/ballistic/ballistic.h"
#include "schemes/discrete_element/discrete_element.h"
#include "schemes/event_driven/event_driven.h"
#include "schemes/projection/projection.h"

#include <math.h>
#include <string.h>

static void replace_scheme(floc_world *world, scheme made)
{
  if (world->method.destroy) world->method.destroy(world->method.state, &world->env);
  world->method = made;
}

/* A report that only one scheme can give. */
static floc_status require_scheme(floc_world *world, const char *name)
{
  if (strcmp(world->method.name, name) == 0) return FLOC_OK;
  return refuse(&world->env, FLOC_WRONG_STATE, "the scheme is %s, not %s", world->method.shown, name);
}

/* ---- projection ---- */

floc_status floc_world_set_projection(floc_world *world, const floc_projection_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, projection_options, options);
  scheme made;
  floc_status status = options->first_order ? world_admit_scheme(world, "first_order") : FLOC_OK;
  if (status != FLOC_OK) return status; /* with inertia it does all that may be there already */
  status = projection_create(&world->env, world->near, &world->table, world->box.dimension, &world->contact_laws,
                             options, &made);
  if (status == FLOC_OK) replace_scheme(world, made);
  return status;
}

STRUCT_INIT_SIZED(contact_law_type, struct_zero);

floc_status floc_contact_law_add(floc_world *world, const floc_contact_law_type *type)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, contact_law_type, type);
  return host_laws_add(&world->env, &world->contact_laws, type);
}

/* ---- event-driven ---- */

floc_status floc_world_set_event_driven(floc_world *world, const floc_event_driven_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, event_driven_options, options);
  scheme made;
  floc_status status = world_admit_scheme(world, "event_driven");
  if (status == FLOC_OK)
    status = event_driven_create(&world->env, &world->table, world->box.dimension, options, &made);
  if (status == FLOC_OK) replace_scheme(world, made);
  return status;
}

floc_status floc_world_get_event_driven_report(floc_world *world, floc_event_driven_report *report)
{
  WORLD_ENTER(world);
  FILL_RESULT(&world->env, event_driven_report, report);
  floc_status status = require_scheme(world, "event_driven");
  if (status == FLOC_OK) event_driven_get_report(world->method.state, report);
  return status;
}

/* ---- ballistic time stepping ---- */

floc_status floc_world_set_ballistic(floc_world *world, const floc_ballistic_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, ballistic_options, options);
  scheme made;
  floc_status status = world_admit_scheme(world, "ballistic");
  if (status == FLOC_OK)
    status = ballistic_create(&world->env, &world->table, world->box.dimension, options, &made);
  if (status == FLOC_OK) replace_scheme(world, made);
  return status;
}

floc_status floc_world_get_ballistic_report(floc_world *world, floc_ballistic_report *report)
{
  WORLD_ENTER(world);
  FILL_RESULT(&world->env, ballistic_report, report);
  floc_status status = require_scheme(world, "ballistic");
  if (status == FLOC_OK) ballistic_get_report(world->method.state, report);
  return status;
}

/* ---- discrete elements ---- */

floc_status floc_world_set_discrete_element(floc_world *world, const floc_discrete_element_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, discrete_element_options, options);
  scheme made;
  floc_status status = world_admit_scheme(world, "discrete_element");
  if (status == FLOC_OK)
    status = discrete_element_create(&world->env, world->box.dimension, options, &world->table, world->near, &made);
  if (status != FLOC_OK) return status;
  status = world_check_ledger(world, &made);
  if (status == FLOC_OK)
    replace_scheme(world, made);
  else
    made.destroy(made.state, &world->env);
  return status;
}

floc_status floc_world_get_discrete_element_report(floc_world *world, floc_discrete_element_report *report)
{
  WORLD_ENTER(world);
  FILL_RESULT(&world->env, discrete_element_report, report);
  floc_status status = require_scheme(world, "discrete_element");
  if (status != FLOC_OK) return status;
  arena_mark here = arena_here(&world->scratch);
  neighbors *near;
  double range = world->method.pair_range(world->method.state, &world->table);
  status = present_lists_make(&world->env, world->near, &world->table, &world->obstacles, &world->box, range,
                              &world->scratch, &near);
  critical_step critical = {0.0, 0};
  if (status == FLOC_OK)
    status = world->method.critical(world->method.state, &world->table, &world->obstacles, &world->box, near,
                                    world->time_step, &world->scratch, &critical);
  if (status == FLOC_OK) {
    discrete_element_report(&world->method, &world->table, &world->obstacles, &world->box, near, report);
    report->critical_time_step = critical.time_step;
    report->critical_id = critical.id;
  }
  neighbors_destroy(near);
  arena_return(&world->scratch, here);
  return status;
}

floc_status floc_bond_add(floc_world *world, int64_t id_i, int64_t id_j, double area)
{
  WORLD_ENTER(world);
  floc_status status = world_need_feature(world, FLOC_FEATURE_BONDS);
  if (status != FLOC_OK) return status;
  return discrete_element_add_bond(&world->method, &world->table, &world->obstacles, &world->box, id_i, id_j, area);
}

floc_status floc_bond_remove(floc_world *world, int64_t id_i, int64_t id_j)
{
  WORLD_ENTER(world);
  floc_status status = world_need_feature(world, FLOC_FEATURE_BONDS);
  if (status != FLOC_OK) return status;
  return discrete_element_remove_bond(&world->method, &world->table, id_i, id_j);
}

floc_status floc_world_get_bonds_sized(floc_world *world, floc_bond *bonds, uint32_t size, int64_t capacity,
                                       int64_t *count)
{
  WORLD_ENTER(world);
  floc_status status = world->only_shows ? FLOC_OK : require_scheme(world, "discrete_element");
  if (status != FLOC_OK) return status;
  if (!count || capacity < 0 || (!bonds && capacity > 0))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "bonds or count is NULL, or capacity is below 0");
  if (!struct_size_fits(size, FIRST_bond, sizeof *bonds))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "size is %u; it must be sizeof(floc_bond)", size);
  int64_t all = bonds_list(world->near, &world->table, &world->box, NULL, 0);
  arena_reset(&world->scratch);
  floc_bond *listed = arena_allocate(&world->scratch, (size_t)all, sizeof *listed);
  if (!listed) return FLOC_OUT_OF_MEMORY;
  *count = bonds_list(world->near, &world->table, &world->box, listed, capacity > 0 ? all : 0);
  for (int64_t k = 0; k < all && k < capacity; k++) struct_put_sized(bonds, k, size, &listed[k], sizeof listed[k]);
  return FLOC_OK;
}

/* What programs of 0.1.0 call. */
__attribute__((visibility("default")))
floc_status(floc_world_get_bonds)(floc_world *world, floc_bond *bonds, int64_t capacity, int64_t *count);
floc_status(floc_world_get_bonds)(floc_world *world, floc_bond *bonds, int64_t capacity, int64_t *count)
{
  return floc_world_get_bonds_sized(world, bonds, FIRST_bond, capacity, count);
}
