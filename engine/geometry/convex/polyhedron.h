/*
 * Rounded convex polyhedra (particles/polyhedra.h): how far they are from each other and from points, segments and
 * triangles, and the rows by which they may come to touch in a step. As solid.h, of which they are the general
 * case.
 *
 * Cores are apart where one of these directions has them on its two sides: a face's normal, or the product of two
 * edges, one of each, which is normal to both bodies there. If the best of these has them farther apart than rows
 * reach, there are none. Else rows are
 *   - for each corner of one that is within reach its distance to the other core,
 *   - for two edges that cross, seen along the direction across both, the distance of their lines, where that
 *     direction leads out of both bodies, or would after a turn as large as the reach over the size.
 * Nearest points of the second kind belong to the cores, so the least of the rows is the distance.
 *
 * Where cores overlap, rows are those along the direction of the least way apart: corners of either in front of or
 * behind the face that it belongs to, or the two edges' crossing.
 *
 * Only + - * / and square roots; ties are decided by the features' numbers.
 */
#ifndef FLOC_GEOMETRY_CONVEX_POLYHEDRON_H
#define FLOC_GEOMETRY_CONVEX_POLYHEDRON_H

#include "geometry/convex/solid.h"
#include "particles/polyhedra.h"

enum { /* features: corners, then edges, then faces */
       POLYHEDRON_EDGE = POLYHEDRON_CORNERS,
       POLYHEDRON_FACE = POLYHEDRON_EDGE + POLYHEDRON_EDGES,
       POLYHEDRON_FEATURES = 256
};

typedef struct polyhedron_core {
  const polyhedron *form;    /* which corners make edges and faces */
  const double (*corner)[3]; /* about the centre */
  const double (*normal)[3]; /* of faces */
  double rounding;
} polyhedron_core;

/* As convex_rows(). */
int32_t polyhedron_rows(const polyhedron_core *first, const polyhedron_core *second, const double between[3],
                        double reach, convex_row rows[CONVEX_ROWS]);
/* With a point, segment or triangle. */
int32_t polyhedron_solid_rows(const polyhedron_core *first, const solid_core *second, const double between[3],
                              double reach, convex_row rows[CONVEX_ROWS]);

#endif
