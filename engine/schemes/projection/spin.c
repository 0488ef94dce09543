/*
 * Angular velocities in the projection, before and beside contacts. See projection/step.h.
 *
 * Laws with tangential forces, a flow, the host's a priori velocity and rays change the angular velocity of a
 * particle by `turn` before contacts are solved. For a member of an assembly `turn` is what the torque on it would
 * change if it were alone; its assembly takes the torque back out of it (projection/blocks.c).
 *
 * Where neither friction nor an assembly couples rotation to contacts nothing but `turn` changes it: the solver
 * knows nothing of it, and particles rotate after the step.
 */
#include "schemes/projection/step.h"

#include "base/threads/parallel.h"
#include "geometry/convex/solid_grain.h"
#include "particles/owned.h"
#include "schemes/orientation.h"

#include <string.h>

static bool anything_turns(const projection_step *step)
{
  return step->method->turns || step->context->assemblies->count > 0;
}

/* Do laws change angular velocities, or read them as slip? */
static bool laws_know_spins(const projection_step *step)
{
  const step_context *context = step->context;
  return laws_turn_particles(context->forces) || laws_have_torque(context->forces) ||
         laws_read_slip(context->forces) || context->external_force;
}

/* With assemblies the columns do not have it: members get the assembly's. */
static double *spins_of_all(const projection_step *step, int axis)
{
  const step_context *context = step->context;
  const particles *table = context->table;
  double *column = step->method->turns ? particles_optional(table, OPTIONAL_wx + axis) : NULL;
  if (column && context->assemblies->count == 0) return column;
  double *made = arena_allocate(context->scratch, (size_t)table->count, sizeof *made);
  EACH_SLOT(i, table) {
    if (!made) break;
    int32_t owner = rigid_owner(context->assemblies, table->id[i]);
    if (owner >= 0)
      made[i] = context->assemblies->assembly[owner].angular_velocity[axis];
    else
      made[i] = column ? column[i] : 0.0;
  }
  return made;
}

floc_status spin_prepare(projection_step *step)
{
  step_context *context = step->context;
  if (!anything_turns(step) || !laws_know_spins(step)) return FLOC_OK;
  size_t count = (size_t)context->table->count;
  for (int axis = context->obstacles->dimension == 2 ? 2 : 0; axis < 3; axis++) {
    step->spin[axis] = spins_of_all(step, axis);
    step->turn[axis] = arena_allocate(context->scratch, count, sizeof(double));
    if (!step->spin[axis] || !step->turn[axis]) return FLOC_OUT_OF_MEMORY;
    slots_clear(context->env, context->table, step->turn[axis]);
  }
  if (context->assemblies->count == 0) return FLOC_OK;
  step->held = arena_allocate(context->scratch, count, sizeof *step->held);
  if (!step->held) return FLOC_OUT_OF_MEMORY;
  EACH_SLOT(i, context->table) step->held[i] = rigid_owner(context->assemblies, context->table->id[i]) >= 0;
  return FLOC_OK;
}

static void add_torque_by_tensor(projection_step *step, double *const torque[3], int64_t i)
{
  rigid_assembly one;
  double inverse[6], acting[3], change[3];
  solid_grain_read(step->context->table, i, &one);
  rigid_inverse_inertia(&one, 3, inverse);
  for (int axis = 0; axis < 3; axis++)
    acting[axis] = torque[axis] ? step->context->time_step * torque[axis][i] : 0.0;
  rigid_symmetric_times(inverse, acting, change);
  for (int axis = 0; axis < 3; axis++) step->turn[axis][i] += change[axis];
}

void spin_add_torques(projection_step *step, double *const torque[3])
{
  const particles *table = step->context->table;
  const double *radius = table->column[COLUMN_radius];
  double h = step->context->time_step;
  const int dimension = step->context->obstacles->dimension;
  for (int axis = 0; axis < 3; axis++)
    EACH_SLOT(i, table)
      if (torque[axis] && !particles_is_tensor(table, dimension, i))
        step->turn[axis][i] +=
            h * torque[axis][i] * step->inverse_mass[i] / (spin_inertia_factor(step, i) * radius[i] * radius[i]);
  if (dimension == 2) return;
  EACH_SLOT(i, table)
    if (particles_is_tensor(table, dimension, i)) add_torque_by_tensor(step, torque, i);
}

void spin_show_torques(projection_step *step, double *const torque[3])
{
  const step_context *context = step->context;
  const bool acts = torque[2]; /* rays and laws turn about all axes, or about z */
  if (!acts && !step->method->torques_shown) return;
  step->method->torques_shown = acts;
  for (int axis = 0; axis < 3; axis++) {
    double *shown = particles_optional(context->table, OPTIONAL_tx + axis);
    if (!shown) continue;
    if (torque[axis])
      slots_copy(context->env, context->table, torque[axis], shown);
    else
      slots_clear(context->env, context->table, shown);
  }
}

void spin_turn_orientation(const projection_step *step, int64_t begin, int64_t end)
{
  const particles *table = step->context->table;
  const double h = step->context->time_step;
  double *column[4], *spin[3];
  const int count = particles_orientation(table, step->context->obstacles->dimension, column);
  for (int axis = 0; axis < 3; axis++) spin[axis] = particles_optional(table, OPTIONAL_wx + axis);
  for (int64_t i = begin; i < end && count > 0; i++) {
    const double turn[3] = {count == 4 ? h * spin[0][i] : 0.0, count == 4 ? h * spin[1][i] : 0.0, h * spin[2][i]};
    orientation_turn(count, column, column, i, turn);
  }
}

/* The sum is the energy of rotation. */
static void turn_block(void *context, int64_t begin, int64_t end, exact_sum *energy)
{
  const projection_step *step = context;
  const particles *table = step->context->table;
  const double *mass = table->column[COLUMN_mass], *radius = table->column[COLUMN_radius];
  bool plane = step->context->obstacles->dimension == 2;
  for (int axis = plane ? 2 : 0; axis < 3; axis++) {
    double *spin = particles_optional(table, OPTIONAL_wx + axis);
    for (int64_t i = begin; i < end; i++) {
      if (step->turn[axis]) spin[i] += step->turn[axis][i];
      exact_add(energy, 0.5 * spin_inertia_factor(step, i) * mass[i] * radius[i] * radius[i] * spin[i] * spin[i]);
    }
  }
  spin_turn_orientation(step, begin, end);
}

double spin_commit(projection_step *step)
{
  return owned_sum(step->context->env, step->context->table, PARALLEL_BLOCK, turn_block, step);
}
