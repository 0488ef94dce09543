/*
 * Ellipses and ellipsoids: how far they are from each other and from rounded convex shapes with corners, and the
 * rows by which they may come to touch in a step. As convex.h and solid.h for corners.
 *
 * An ellipsoid is given by its semi-axes as vectors v_k about its centre; in the plane there are two. Along a
 * direction n it reaches as far as its support h(n) = sqrt(sum (v_k . n)^2), at the point s(n) = sum v_k (v_k . n)
 * / h. The distance of two, c from one centre to the other, is
 *
 *   D = max over |n| = 1 of f(n) = n . c - h_A(n) - h_B(n),
 *
 * below 0 minus the least way that leads apart. Newton's method finds the normal n: of f on the sphere the gradient
 * is c - s_A - s_B - f n and the Hessian - (H_A + H_B + f 1) across n, with H = (sum v_k v_k^T - s s^T) / h the
 * radii of curvature, which is definite as long as an overlap is below the least of them; elsewhere, and where f
 * would not grow, steps are damped (reach_sum.h). Apart there is one maximum. The error of D is quadratic in that
 * of n. It begins at adj(sum v_k v_k^T) c, always alike, so that no result depends on what was before.
 *
 * Two ellipsoids have one row; both are smooth, and what it leaves out where they turn by a in a step is of second
 * order, rho a^2 / 2 with the greatest radius of curvature rho. Against corners there is one for each corner, for
 * each edge (in space) or side whose nearest point is inside of it, as far as these are within reach; the least of
 * them is the distance. Of a polyhedron's edges it is those from which the direction leads out of it, or would
 * after a turn as large as the reach over the size (polyhedron.h). Where cores overlap, the row of the least way
 * apart is among them.
 *
 * Only + - * / and square roots.
 */
#ifndef FLOC_GEOMETRY_CONVEX_ELLIPSOID_H
#define FLOC_GEOMETRY_CONVEX_ELLIPSOID_H

#include "geometry/convex/polyhedron.h"

enum { ELLIPSOID_SIDE = CONVEX_EDGE }; /* its feature: the whole surface */

typedef struct ellipsoid_core {
  int32_t dimension;
  const double *axis; /* [dimension][dimension] semi-axes about the centre */
} ellipsoid_core;

/* As convex_rows(). */
int32_t ellipsoid_rows(const ellipsoid_core *first, const ellipsoid_core *second, const double between[3],
                       double reach, convex_row rows[CONVEX_ROWS]);
/* In the plane, in space; a point is a disc or ball, other: not a point on the ellipsoid's centre. */
int32_t ellipsoid_plane_rows(const ellipsoid_core *first, const convex_core *second, const double between[3],
                             double reach, convex_row rows[CONVEX_ROWS]);
int32_t ellipsoid_solid_rows(const ellipsoid_core *first, const solid_core *second, const double between[3],
                             double reach, convex_row rows[CONVEX_ROWS]);
int32_t ellipsoid_polyhedron_rows(const ellipsoid_core *first, const polyhedron_core *second,
                                  const double between[3], double reach, convex_row rows[CONVEX_ROWS]);
/* h(n) and s(n) of a unit vector. */
double ellipsoid_support(const ellipsoid_core *core, const double n[3], double point[3]);
/* Inside of a circle or ball of that radius, `place` from its centre: a row for each end that is nearest to it
 * there, the features of the first being ELLIPSOID_SIDE, ELLIPSOID_SIDE + 1, ...; at most 3. second is 0. */
int32_t ellipsoid_hollow_rows(const ellipsoid_core *core, const double place[3], double radius, double reach,
                              convex_row rows[CONVEX_ROWS]);

#endif
