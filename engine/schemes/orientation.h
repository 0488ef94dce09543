/*
 * The orientation of particles, which schemes turn by angular velocities: in the plane the angle, in space a
 * quaternion (particles.h). A step with the mean angular velocity w turns by the rotation about w by the angle h
 * |w|, which is exact where w is constant.
 */
#ifndef FLOC_SCHEMES_ORIENTATION_H
#define FLOC_SCHEMES_ORIENTATION_H

#include "geometry/rigid.h"
#include "geometry/rotation.h"
#include "particles/particles.h"

/* to[][i] is from[][i] turned by the rotation vector `turn`; both may be the same. count: of columns, 1 or 4, or 0:
 * nothing happens. */
static inline void orientation_turn(int count, double *const from[4], double *const to[4], int64_t i,
                                    const double turn[3])
{
  if (count == 0) return;
  if (count == 1) {
    to[0][i] = from[0][i] + turn[2];
    return;
  }
  double rotation[4], turned[4];
  const double before[4] = {from[0][i], from[1][i], from[2][i], from[3][i]};
  rotation_from_vector(turn, rotation);
  rotation_compose(rotation, before, turned);
  for (int k = 0; k < 4; k++) to[k][i] = turned[k];
}

/* Members of an assembly in space, whose orientation was `before`; in the plane rigid_place_members does it. */
void orientation_turn_members(const rigid_assemblies *all, int32_t number, const double before[4],
                              particles *table);

#endif
