/*
 * What shapes weigh: integrals of 1, x and x x over each, uniformly filled with density 1.
 *
 * Each shape adds its own part, so what lies in two of them counts twice. Outlines count as what they enclose:
 * segments whose ends meet, bit for bit, in a closed line (in the plane, with the strip of their radius around it),
 * and triangles whose edges all meet in pairs (in space, without their radius).
 */
#ifndef FLOC_GEOMETRY_SHAPES_MOMENTS_H
#define FLOC_GEOMETRY_SHAPES_MOMENTS_H

#include "geometry/rigid.h"
#include "geometry/shape.h"

/* In the plane second[0] + second[1] alone is right, and is that of |x|^2. */
typedef struct shape_moments {
  union_moments solid; /* of what has a volume (in the plane an area) */
  union_moments thin;  /* of lines in the plane and surfaces in space: by length or area */
} shape_moments;

/* Of all shapes of an array that belong to one body, in its frame. *unknown: the first whose moments floc cannot
 * find, -1: there is none; *sheet: the first without volume, likewise. */
floc_status shapes_moments(environment *env, const shape *shapes, int32_t count, int32_t body, int32_t dimension,
                           shape_moments *sums, int32_t *unknown, int32_t *sheet);

/* ---- of shape types ---- */

void moments_of_sphere(const shape *local, int32_t dimension, shape_moments *sums);
void moments_of_hollow(const shape *local, int32_t dimension, shape_moments *sums);
void moments_of_segment(const shape *local, int32_t dimension, shape_moments *sums);
void moments_of_triangle(const shape *local, int32_t dimension, shape_moments *sums);

#endif
