/*
 * Shapes that are given by their signed distance in a frame of their own: those of hosts (floc_shape_type), and
 * built-in ones that are no thickened core. All that the engine needs follows from the distance and a box.
 *
 * point[0] is the frame's origin, point[1] its x axis, point[2] its y axis; z is their cross product. `radius`
 * thickens the shape.
 */
#ifndef FLOC_GEOMETRY_SHAPES_FRAMED_H
#define FLOC_GEOMETRY_SHAPES_FRAMED_H

#include "geometry/shapes/shape_type.h"

double framed_distance(const shape *surface, int32_t dimension, const double position[3], double normal[3]);
void framed_bounds(const shape *surface, int32_t dimension, double lower[3], double upper[3]);
double framed_farthest(const shape *local);
bool framed_touches(const shape *surface, int32_t dimension, double margin, const middle_box *box);
double framed_hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3]);
floc_status framed_check(environment *env, const shape_type *type, const floc_shape *description,
                         int32_t dimension);
void framed_prepare(shape *added);

/* The functions of a type that is given so; name, dimension, is_hollow and framed come beside them. */
#define FRAMED_TYPE                                                                                                \
  .given = 3, .directions = 1 << 1 | 1 << 2, .is_concave = true, .distance = framed_distance,                      \
  .bounds = framed_bounds, .farthest = framed_farthest, .touches = framed_touches, .hit = framed_hit,              \
  .prepare = framed_prepare

#endif
