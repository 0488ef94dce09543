/*
 * Where a ray meets a shape: exact roots for every kind. Shapes are solid; a ray that starts inside one is
 * taken to leave it first and does not meet it. A hollow sphere is met from inside only.
 */
#ifndef FLOC_RAYS_SHAPE_HIT_H
#define FLOC_RAYS_SHAPE_HIT_H

#include "geometry/shape.h"

/* Smallest length >= 0 at which the ray meets the surface from outside; INFINITY if it does not. */
double shape_hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3]);

/* Unit normal at a point of the surface, on the side from which the ray comes. */
void shape_hit_normal(const shape *surface, int32_t dimension, const double point[3], const double direction[3],
                      double normal[3]);

/* May a ray that has just left the surface meet it again? Only a concave one: a hollow sphere. */
bool shape_is_concave(const shape *surface);

#endif
