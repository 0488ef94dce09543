/*
 * Displacements: where the columns displacement_x .. are there, every step adds to them how far each particle went,
 * at the nearest image. What a host does to positions between steps is no displacement.
 */
#include "world.h"

#include "particles/owned.h"

#include <inttypes.h>
#include <string.h>

/* Half a period in one step could be either way round. */
static floc_status check_speed(floc_world *world, int axis)
{
  const double *velocity = world->table.column[COLUMN_vx + axis], half = 0.5 * world->box.length[axis];
  EACH_OWNED(slot, &world->table)
    if (half > 0.0 && fabs(velocity[slot]) * world->time_step >= half)
      return refuse(&world->env, FLOC_LIMIT_EXCEEDED,
                    "displacement_%c: particle %" PRId64
                    " goes half the length of the periodic axis in one step, so its "
                    "displacement is not known; give a smaller time_step",
                    "xyz"[axis], world -> table.id[slot]);
  return FLOC_OK;
}

floc_status world_begin_displacements(floc_world *world, double *start[3])
{
  const size_t count = (size_t)world->table.count;
  start[0] = start[1] = start[2] = NULL;
  for (int axis = 0; axis < world->box.dimension; axis++) {
    if (!particles_optional(&world->table, OPTIONAL_displacement_x + axis) || count == 0) continue;
    floc_status status = check_speed(world, axis);
    if (status != FLOC_OK) return status;
    start[axis] = arena_allocate(&world->scratch, count, sizeof(double));
    if (!start[axis]) return FLOC_OUT_OF_MEMORY;
    memcpy(start[axis], world->table.column[COLUMN_x + axis], count * sizeof(double));
  }
  return FLOC_OK;
}

void world_end_displacements(floc_world *world, double *const start[3])
{
  for (int axis = 0; axis < world->box.dimension; axis++) {
    double *displacement = particles_optional(&world->table, OPTIONAL_displacement_x + axis);
    const double *position = world->table.column[COLUMN_x + axis];
    EACH_SLOT(slot, &world->table) /* a ghost goes where its owner's particle goes */
      if (start[axis]) displacement[slot] += domain_shortest(&world->box, axis, position[slot] - start[axis][slot]);
  }
}
