/*
 * Grains that are not round in space as rigid bodies. See solid_grain.h.
 */
#include "geometry/convex/solid_grain.h"

#include "geometry/rotation.h"

#include <math.h>
#include <string.h>

/* Own axes: xx yy zz xy xz yz of across + (about - across) a a^T, a the capsule's axis in them. */
static void set_inertia(const particles *table, int64_t i, double inertia[6])
{
  static const int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};
  const double radius = table->column[COLUMN_radius][i], rounding = particles_optional(table, OPTIONAL_rounding)[i];
  const double *end = particles_shape(table, i)->corner[0], axis[3] = {end[0], end[1], 0.0};
  const double density = table->column[COLUMN_mass][i] / grain_capsule_volume(radius, rounding);
  const double about = density * grain_capsule_moment(radius, rounding, true),
               across = density * grain_capsule_moment(radius, rounding, false);
  for (int p = 0; p < 6; p++)
    inertia[p] = (p < 3 ? across : 0.0) + (about - across) * axis[first_of[p]] * axis[second_of[p]];
}

void solid_grain_read(const particles *table, int64_t i, rigid_assembly *one)
{
  static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
  double *q = one->orientation, square = 0.0;
  memset(one, 0, sizeof *one);
  one->mass = table->column[COLUMN_mass][i];
  set_inertia(table, i, one->inertia);
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
