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
 * behind the face that it belongs to and edges that cross its own, or the two edges' crossing. So it is also for
 * cores without rounding that are nearer than 1e-4 of their size: with a gap that is as small as the tolerance the
 * way from a corner to a core beside which it lies has any direction.
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

/* As convex_rows(), but for a number that may be above CONVEX_ROWS: convex_kept(). */
int32_t polyhedron_rows(const polyhedron_core *first, const polyhedron_core *second, const double between[3],
                        double reach, convex_row rows[CONVEX_ROWS]);
/* With a point, segment or triangle. */
int32_t polyhedron_solid_rows(const polyhedron_core *first, const solid_core *second, const double between[3],
                              double reach, convex_row rows[CONVEX_ROWS]);

/* A point, segment or triangle as a polyhedron without volume; normal: memory for those of a triangle's two sides.
 */
polyhedron_core polyhedron_of_solid(const solid_core *core, double normal[2][3]);
/* Radius of the ball about the corners. */
double polyhedron_size(const polyhedron_core *core);
/* n is normal to the edge, which leads `along`: the sine by which it leans out of the arc between the normals of
 * the edge's faces; at most 0: it is in it. An edge without faces has all directions. */
double polyhedron_leaning(const polyhedron_core *core, int32_t e, const double along[3], const double n[3]);
/* How much of that edges may have that are rows: two of that size may turn so much before they touch. */
double polyhedron_leaning_allowed(double reach, double size);

#endif
