/*
 * The bodies of a 3-D scene as triangles and edges: planes cut at the scene's box, triangles as they
 * are, and of their edges those that a draughtsman would draw: rims and sharp bends.
 */
#ifndef FLOC_PICTURE_DRAW_MESH_H
#define FLOC_PICTURE_DRAW_MESH_H

#include "draw/report.h"

typedef struct mesh_triangle {
  double point[3][3];
  int64_t shape; /* number of the shape it comes from */
} mesh_triangle;

typedef struct mesh_edge {
  double point[2][3];
  int64_t shape;
} mesh_edge;

typedef struct mesh {
  mesh_triangle *triangle;
  int64_t triangle_count;
  mesh_edge *edge;
  int64_t edge_count;
} mesh;

/* Takes planes and triangles from the shapes; lower .. upper is where planes end. */
floc_status mesh_build(const picture_report *report, const floc_shape *shapes, int64_t count, const double lower[3],
                       const double upper[3], mesh *result);
void mesh_free(mesh *result);

#endif
