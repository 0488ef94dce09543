/*
 * Grains that are not round in space as rigid bodies. See solid_grain.h.
 */
#include "geometry/convex/solid_grain.h"

#include "geometry/rotation.h"

#include <math.h>
#include <string.h>

void solid_grain_read(const particles *table, int64_t i, rigid_assembly *one)
{
  static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
  double *q = one->orientation, square = 0.0;
  memset(one, 0, sizeof *one);
  one->mass = table->column[COLUMN_mass][i];
  const grain_shape *form = particles_shape(table, i);
  grain_kinds[form->kind].inertia(form, one->mass, table->column[COLUMN_radius][i],
                                  particles_optional(table, OPTIONAL_rounding)[i], one->inertia);
  for (int k = 0; k < 4; k++) {
    q[k] = particles_optional(table, OPTIONAL_qw + k)[i];
    square += q[k] * q[k];
  }
  /* What a step left is not rounded again, which would let the energy drift. */
  if (!(fabs(square - 1.0) < 1e-14)) rotation_compose(unturned, (const double[]){q[0], q[1], q[2], q[3]}, q);
  for (int axis = 0; axis < 3; axis++) {
    const double *spin = particles_optional(table, OPTIONAL_wx + axis);
    one->velocity[axis] = table->column[COLUMN_vx + axis][i];
    one->angular_velocity[axis] = spin ? spin[i] : 0.0;
  }
}

void solid_grain_write(const particles *table, int64_t i, const rigid_assembly *one)
{
  for (int k = 0; k < 4; k++) particles_optional(table, OPTIONAL_qw + k)[i] = one->orientation[k];
  for (int axis = 0; axis < 3; axis++)
    particles_optional(table, OPTIONAL_wx + axis)[i] = one->angular_velocity[axis];
}

double solid_grain_energy(const particles *table, int64_t i)
{
  rigid_assembly one;
  solid_grain_read(table, i, &one);
  memset(one.velocity, 0, sizeof one.velocity);
  return rigid_energy(&one, 3);
}
