/*
 * The box that a world may have: per axis open, closed by walls, or periodic.
 *
 * A periodic box may move and be sheared (world_cell.c). Its lattice is then spanned by (length[0], 0, 0),
 * (tilt, length[1], 0) and (0, 0, length[2]), with |tilt| at most half of length[0], and the image that is one
 * lattice vector away moves relative to the particle at the rate of that vector (A. W. Lees and S. F. Edwards, J.
 * Phys. C 5 (1972) 1921). The cell itself stays the upright box between lower and upper, as in a wall of bricks:
 * what leaves through the upper face of axis 1 enters through the lower one, shifted by -tilt and slower by
 * tilt_rate. That is the plane xy; in the others the axes along and across stand for 0 and 1.
 */
#ifndef FLOC_BASE_DOMAIN_H
#define FLOC_BASE_DOMAIN_H

#include "floc/floc.h"
#include <math.h>
#include <stdbool.h>

typedef struct domain {
  int32_t dimension;
  int32_t boundary[3]; /* floc_boundary */
  double lower[3], upper[3];
  double length[3]; /* upper - lower on periodic axes, 0 on the others */
  double tilt;      /* shift along the plane's first axis of the image above, along its second; 0: upright */
  double rate[3];   /* of length */
  double tilt_rate;
  int32_t plane; /* floc_shear_plane */
} domain;

/* The axis along which images are shifted, and that along which they are so. */
static inline int domain_along(const domain *box)
{
  static const int axis[] = {0, 0, 1, 1, 2, 2};
  return axis[box->plane];
}

static inline int domain_across(const domain *box)
{
  static const int axis[] = {1, 2, 0, 2, 0, 1};
  return axis[box->plane];
}

/* Shortest image of a separation along one axis; the identity on axes that are not periodic. Positions
 * are kept inside the box, so one shift is enough. No branch: the sign of a separation is unpredictable. */
static inline double domain_shortest(const domain *box, int axis, double separation)
{
  double length = box->length[axis];
  double around = separation - copysign(length, separation);
  return fabs(separation) > 0.5 * length ? around : separation;
}

static inline bool domain_is_skew(const domain *box)
{
  return box->tilt != 0.0;
}

static inline bool domain_moves(const domain *box)
{
  return box->rate[0] != 0.0 || box->rate[1] != 0.0 || box->rate[2] != 0.0 || box->tilt_rate != 0.0;
}

/* Images are not where, or do not move as, those of a fixed upright box do. */
static inline bool domain_deforms(const domain *box)
{
  return domain_is_skew(box) || domain_moves(box);
}

/* By how many lattice vectors `separation` was shortened; what is left is its shortest image. In a skew box that is
 * so for all that are shorter than half the box is wide. For places that may be outside the box, too. */
static inline void domain_shorten(const domain *box, double separation[3], double turns[3])
{
  const int along = domain_along(box), across = domain_across(box);
  for (int k = 3; k >= 0; k--) { /* along the shift at last, when it is known */
    const int axis = k > 0 ? k - 1 : along;
    if (k > 0 && axis == along) continue;
    double length = box->length[axis];
    turns[axis] = length > 0.0 ? rint(separation[axis] / length) : 0.0;
    separation[axis] -= turns[axis] * length;
    if (axis == across) separation[along] -= turns[across] * box->tilt;
  }
}

/* Shortest image of a separation in all axes of the box. */
static inline void domain_nearest(const domain *box, double separation[3])
{
  double turns[3];
  if (domain_is_skew(box)) {
    domain_shorten(box, separation, turns);
    return;
  }
  for (int axis = 0; axis < box->dimension; axis++) separation[axis] = domain_shortest(box, axis, separation[axis]);
}

/* The same for a relative velocity beside it: images move. */
static inline void domain_nearest_motion(const domain *box, double separation[3], double velocity[3])
{
  double turns[3];
  domain_shorten(box, separation, turns);
  for (int axis = 0; axis < 3; axis++) velocity[axis] -= turns[axis] * box->rate[axis];
  velocity[domain_along(box)] -= turns[domain_across(box)] * box->tilt_rate;
}

/* The box that moves, a while later. The upper lattice vectors are the same basis still: the tilt may be beyond
 * half of the length. */
static inline domain domain_later(const domain *box, double duration)
{
  domain later = *box;
  for (int axis = 0; axis < box->dimension; axis++) {
    if (!(box->length[axis] > 0.0)) continue;
    const double middle = 0.5 * (box->lower[axis] + box->upper[axis]);
    const double length = box->length[axis] + duration * box->rate[axis];
    later.lower[axis] = middle - 0.5 * length;
    later.upper[axis] = middle + 0.5 * length;
    later.length[axis] = later.upper[axis] - later.lower[axis];
  }
  later.tilt = box->tilt + duration * box->tilt_rate;
  return later;
}

/* How many lattice vectors along the axes a place is away from the middle of the box. */
static inline void domain_fraction(const domain *box, const double position[3], double fraction[3])
{
  const int along = domain_along(box);
  for (int k = 3; k >= 0; k--) {
    const int axis = k > 0 ? k - 1 : along;
    if (k > 0 && axis == along) continue;
    double way = box->length[axis] > 0.0 ? position[axis] - 0.5 * (box->lower[axis] + box->upper[axis]) : 0.0;
    if (axis == along) way -= fraction[domain_across(box)] * box->tilt;
    fraction[axis] = box->length[axis] > 0.0 ? way / box->length[axis] : 0.0;
  }
}

/* Velocity of the place if it moves as the box does; 0 in its middle. */
static inline void domain_flow(const domain *box, const double position[3], double flow[3])
{
  double fraction[3];
  domain_fraction(box, position, fraction);
  for (int axis = 0; axis < 3; axis++) flow[axis] = box->rate[axis] * fraction[axis];
  flow[domain_along(box)] += box->tilt_rate * fraction[domain_across(box)];
}

/* Velocity gradient of that flow: the rates of the lengths over them, and that of the velocity along the plane's
 * first axis with its second. */
static inline double domain_strain_rate(const domain *box, int axis)
{
  return box->length[axis] > 0.0 ? box->rate[axis] / box->length[axis] : 0.0;
}

static inline double domain_shear_rate(const domain *box)
{
  const double length = box->length[domain_across(box)];
  return length > 0.0 ? (box->tilt_rate - domain_strain_rate(box, domain_along(box)) * box->tilt) / length : 0.0;
}

/* Half of the flow's rotation, added. */
static inline void domain_add_rotation(const domain *box, double spin[3])
{
  const int along = domain_along(box), across = domain_across(box);
  spin[3 - along - across] += ((across + 1) % 3 == along ? 0.5 : -0.5) * domain_shear_rate(box);
}

/* A bound of the norm of that gradient (Frobenius). */
static inline double domain_gradient_norm(const domain *box)
{
  double shear = domain_shear_rate(box), square = shear * shear;
  for (int axis = 0; axis < 3; axis++) square += domain_strain_rate(box, axis) * domain_strain_rate(box, axis);
  return sqrt(square);
}

/* Brings a coordinate back into a periodic axis' [lower, upper); the identity on the others. */
static inline double domain_wrap(const domain *box, int axis, double coordinate)
{
  double length = box->length[axis];
  if (length <= 0.0 || (coordinate >= box->lower[axis] && coordinate < box->upper[axis])) return coordinate;
  double turns = floor((coordinate - box->lower[axis]) / length);
  double inside = coordinate - turns * length;
  return inside >= box->upper[axis] ? box->lower[axis] : inside;
}

/* Brings a particle back into the box, and its velocity to that of the image which is there. */
static inline void domain_enter(const domain *box, double position[3], double velocity[3])
{
  const int along = domain_along(box), across = domain_across(box);
  for (int k = 3; k >= 0; k--) {
    const int axis = k > 0 ? k - 1 : along;
    if (k > 0 && axis == along) continue;
    double length = box->length[axis], coordinate = position[axis];
    if (length <= 0.0 || (coordinate >= box->lower[axis] && coordinate < box->upper[axis])) continue;
    double turns = floor((coordinate - box->lower[axis]) / length);
    position[axis] = domain_wrap(box, axis, coordinate);
    velocity[axis] -= turns * box->rate[axis];
    if (axis != across) continue;
    position[along] -= turns * box->tilt;
    velocity[along] -= turns * box->tilt_rate;
  }
}

#endif
