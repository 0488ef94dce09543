/*
 * What the files of shape types share: the nearest point of a core, rays against balls and capsules, boxes against
 * cores. Only engine/geometry/shapes and the table of types look in here.
 */
#ifndef FLOC_GEOMETRY_SHAPES_PARTS_H
#define FLOC_GEOMETRY_SHAPES_PARTS_H

#include "geometry/shapes/shape_type.h"
#include "geometry/vector.h"

#include <math.h>

/* A unit vector perpendicular to a direction, in 2-D to its left. */
void perpendicular(const double direction[3], int32_t dimension, double result[3]);
/* Direction from the position to the core's nearest point, separation = position - that point; `fallback`
 * if the two coincide within rounding. Returns the distance. */
double direction_to_core(const double position[3], const double separation[3], const double fallback[3],
                         double normal[3]);
/* Where along a .. b the nearest point to a position is, in [0, 1]; from_a = position - a. */
double nearest_parameter(const double from_a[3], const double along[3]);
/* Distance from a ball around point[0]. */
double ball_distance(const shape *surface, const double position[3], double normal[3]);

/* The box of the points that span the core, and the farthest of them from 0, with the radius. */
void core_bounds(const shape *surface, int32_t dimension, double lower[3], double upper[3]);
double core_farthest(const shape *local);
/* Segment and triangle. */
bool core_touches(const shape *surface, int32_t dimension, double margin, const middle_box *box);
double half_width(const middle_box *box, const double axis[3]);

/* Entry into a ball; INFINITY from inside. */
double ball_hit(const double center[3], double radius, const double origin[3], const double direction[3]);
double capsule_hit(const double a[3], const double b[3], double radius, const double origin[3],
                   const double direction[3]);
bool starts_inside(const shape *surface, int32_t dimension, const double origin[3]);
/* From the centre of a ball, to or away from it. */
void ball_normal(const shape *surface, const double point[3], double normal[3]);

floc_status check_ball_radius(environment *env, const floc_shape *description, const char *name);

static inline double lesser(double a, double b)
{
  return a < b ? a : b;
}

#endif
