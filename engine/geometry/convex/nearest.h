/*
 * The point of a convex core that is nearest to a given one, found feature by feature: begin with the square
 * INFINITY.
 */
#ifndef FLOC_GEOMETRY_CONVEX_NEAREST_H
#define FLOC_GEOMETRY_CONVEX_NEAREST_H

#include "geometry/vector.h"

#include <stdint.h>
#include <string.h>

typedef struct core_nearest {
  double point[3]; /* of the core */
  double way[3];   /* from it to the given point */
  double square;   /* of its length */
  int32_t feature;
} core_nearest;

/* The best becomes this point of a feature, if it is nearer to p. */
static inline void core_keep_nearer(const double p[3], const double point[3], int32_t feature, core_nearest *best)
{
  double way[3];
  vector_difference(p, point, way);
  const double square = vector_dot(way, way);
  if (!(square < best->square)) return;
  *best = (core_nearest){.square = square, .feature = feature};
  memcpy(best->point, point, sizeof best->point);
  memcpy(best->way, way, sizeof best->way);
}

#endif
