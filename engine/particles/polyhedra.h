/*
 * Convex polyhedra with rounded edges and corners, as shapes of grains in space (grain_shapes.h): the hull of given
 * corners, its faces and edges, and volume and second moments of the rounded body.
 *
 * A polyhedron swept by a ball of radius r is the polyhedron, a slab of thickness r on each face, a sector of a
 * cylinder along each edge and of a ball at each corner. With the core scaled by s, volume and second moments are
 * the polynomials
 *
 *   V = sum_k volume[k] s^(3-k) r^k,      M = integral of x x^T = sum_k second[k] s^(5-k) r^k.
 *
 * A corner's sector are the directions n of its normal cone, of solid angle W. The integral of n over them is
 * -1/2 sum theta_e d_e over its edges, of turn theta_e and direction d_e away from the corner, and that of n n^T
 * over the sectors of all corners together is the whole sphere's, 4/3 pi.
 */
#ifndef FLOC_PARTICLES_POLYHEDRA_H
#define FLOC_PARTICLES_POLYHEDRA_H

#include "base/environment.h"

enum {
  POLYHEDRON_CORNERS = 32,
  POLYHEDRON_FACES = 2 * POLYHEDRON_CORNERS - 4,
  POLYHEDRON_EDGES = 3 * POLYHEDRON_CORNERS - 6
};

typedef struct polyhedron_edge {
  uint8_t from, to;
  uint8_t left, right; /* faces; seen from outside, with `to` above `from` */
} polyhedron_edge;

typedef struct polyhedron {
  int32_t corners, faces, edges;
  double corner[POLYHEDRON_CORNERS][3];
  double normal[POLYHEDRON_FACES][3];  /* outward */
  uint8_t begin[POLYHEDRON_FACES + 1]; /* of a face's corners in loop */
  uint8_t loop[2 * POLYHEDRON_EDGES];  /* counterclockwise, seen from outside */
  polyhedron_edge edge[POLYHEDRON_EDGES];
  double volume[4], second[6][6]; /* xx yy zz xy xz yz */
} polyhedron;

/* The hull of corners, moved to the centre of mass of the body whose rounding is that part of the radius of the
 * ball about it, and scaled to the radius 1 of the ball about the corners. FLOC_INVALID_ARGUMENT: a corner that is
 * not finite, repeated, or none of the hull's; corners in one plane. */
floc_status polyhedron_make(environment *env, const double (*corners)[3], int32_t count, double rounding,
                            polyhedron *made);
/* From corners as polyhedron_make() left them: the same bits. false: they are no polyhedron's. */
bool polyhedron_restore(const double (*corners)[3], int32_t count, polyhedron *made);
double polyhedron_volume(const polyhedron *form, double radius, double rounding);
/* Moments of inertia of a uniform one, xx yy zz xy xz yz about its own axes, which need not be the principal ones.
 */
void polyhedron_inertia(const polyhedron *form, double mass, double radius, double rounding, double inertia[6]);

#endif
