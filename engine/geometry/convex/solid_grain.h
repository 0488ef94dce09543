/*
 * The free rotation of grains that are not round in space: what rigid.h does for assemblies, with the columns of
 * particles. The orientation is the columns qw qx qy qz, of any length; the angular velocity wx wy wz, in world
 * axes.
 */
#ifndef FLOC_GEOMETRY_CONVEX_SOLID_GRAIN_H
#define FLOC_GEOMETRY_CONVEX_SOLID_GRAIN_H

#include "geometry/rigid.h"

/* Mass, inertia about the grain's own axes, orientation, velocities; particles_is_tensor() is true of it. */
void solid_grain_read(const particles *table, int64_t i, rigid_assembly *one);
/* Orientation and angular velocity. */
void solid_grain_write(const particles *table, int64_t i, const rigid_assembly *one);
/* 1/2 omega.I omega */
double solid_grain_energy(const particles *table, int64_t i);

#endif
