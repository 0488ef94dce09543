/*
 * The function f(n) = n . way + sign sum |V n| of unit vectors n, which the distances of ellipsoids are the
 * greatest values of (ellipsoid.h): V has semi-axes as rows, |V n| is how far an ellipsoid reaches along n. With
 * the sign -1 that is the distance of its surface and a point at `way` from its centre, or of two surfaces; with +1
 * how far it reaches from a place. Newton's method on the sphere, damped; the memory is the caller's.
 */
#ifndef FLOC_GEOMETRY_CONVEX_REACH_SUM_H
#define FLOC_GEOMETRY_CONVEX_REACH_SUM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct reach_sum {
  int32_t dimension; /* 2: all third components are 0 */
  double way[3];
  double sign;
  int32_t parts;
  int32_t vectors; /* of each */
  double vector[2][3][3];
} reach_sum;

/* axes: [dimension][dimension] */
void reach_sum_load(int32_t dimension, const double *axes, double vector[3][3]);
/* |V n| of a part, and the point that is farthest along n. */
double reach_sum_support(const reach_sum *sum, int32_t part, const double n[3], double point[3]);
/* Two tangents to the sphere; in the plane one, the other is 0. */
void reach_sum_tangents(const reach_sum *sum, const double n[3], double tangent[2][3]);
/* adj(sum V V^T) way, or some direction. */
void reach_sum_begin(const reach_sum *sum, double n[3]);
/* Moves n uphill to a maximum of f, which it returns; or, as soon as f is above `enough`, what it is there. */
double reach_sum_climb(const reach_sum *sum, double enough, double n[3]);
/* Is f above the limit where n leads along `way`? */
bool reach_sum_is_beyond(const reach_sum *sum, double limit);

#endif
