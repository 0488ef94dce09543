/*
 * Rounded convex shapes in space: how far two are apart, and every pair of features by which they may come to touch
 * in a step. As convex.h in the plane.
 *
 * A shape is a core (a point, a segment, a triangle) swept by a ball of radius `rounding`. Rows are, for each
 * corner of one its distance to the other core, and for each edge of one with each edge of the other the distance
 * of the two lines, where their nearest points are inside of both and the direction between them has each core on
 * its own side. The least of them is the distance of the shapes; that to a corner is convex in the corner, and all
 * are linear, or convex, as long as nothing turns.
 *
 * Nearly parallel edges: the direction across is the cross product of the two, with an error of 1e-16 over the sine
 * of their angle; the distance is taken along it between points that are nearest but for such an error, so that its
 * own is the square. Below a sine of 1e-8 corners alone have the distance to rounding.
 *
 * Where cores meet, which happens only where the roundings overlap by all that they are, the direction is that
 * across both edges, the face's, or one across the segment, towards the other's centre.
 *
 * Only + - * / and square roots; ties are decided by the features' numbers.
 */
#ifndef FLOC_GEOMETRY_CONVEX_SOLID_H
#define FLOC_GEOMETRY_CONVEX_SOLID_H

#include "geometry/convex/convex.h"

enum { SOLID_FACE = CONVEX_FEATURES - 1 }; /* the feature of a triangle's two sides */

typedef struct solid_core {
  int32_t count;             /* corners: 1, 2 or 3 */
  const double (*corner)[3]; /* about the centre */
  double rounding;
} solid_core;

/* As convex_rows(). Not two points; not two triangles. */
int32_t solid_rows(const solid_core *first, const solid_core *second, const double between[3], double reach,
                   convex_row rows[CONVEX_ROWS]);

#endif
