/*
 * The box that a world may have: per axis open, closed by walls, or periodic.
 */
#ifndef FLOC_BASE_DOMAIN_H
#define FLOC_BASE_DOMAIN_H

#include "floc/floc.h"
#include <math.h>

typedef struct domain {
  int32_t dimension;
  int32_t boundary[3]; /* floc_boundary */
  double lower[3], upper[3];
  double length[3]; /* upper - lower on periodic axes, 0 on the others */
} domain;

/* Shortest image of a separation along one axis; the identity on axes that are not periodic. Positions
 * are kept inside the box, so one shift is enough. No branch: the sign of a separation is unpredictable. */
static inline double domain_shortest(const domain *box, int axis, double separation)
{
  double length = box->length[axis];
  double around = separation - copysign(length, separation);
  return fabs(separation) > 0.5 * length ? around : separation;
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

#endif
