/*
 * Looking at a world: the step report, contacts, measures by name.
 */
#include "world.h"

#include "measures/contacts.h"
#include "measures/measures.h"

#include <string.h>

floc_status floc_world_get_report(const floc_world *world, floc_step_report *report)
{
  if (!world || !report || report->struct_size != sizeof *report) return FLOC_INVALID_ARGUMENT;
  *report = world->report;
  return FLOC_OK;
}

floc_status floc_world_get_contacts(floc_world *world, floc_contact *contacts, int64_t capacity, int64_t *count)
{
  WORLD_ENTER(world);
  if (!count || capacity < 0 || (!contacts && capacity > 0))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "contacts or count is NULL, or capacity is below 0");
  *count = contacts_list(&world->table, &world->obstacles, world->near, &world->box, contacts, capacity);
  return FLOC_OK;
}

floc_status floc_measure(floc_world *world, const char *name, double *value)
{
  WORLD_ENTER(world);
  if (!name || !value) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "name or value is NULL");
  measure_source source = {&world->env,   &world->table, &world->obstacles,
                           world->near,   &world->box,   {world->gravity[0], world->gravity[1], world->gravity[2]},
                           &world->report};
  return measure_by_name(&source, name, value);
}
