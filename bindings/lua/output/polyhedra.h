/*
 * Polyhedra as cells of data sets: their surface, or the lines of their edges.
 */
#ifndef FLOC_LUA_OUTPUT_POLYHEDRA_H
#define FLOC_LUA_OUTPUT_POLYHEDRA_H

#include "output/vtp_file.h"

#include "floc/floc.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct polyhedron_view {
  int32_t corners, faces;       /* faces 0: it is none */
  const uint8_t *begin, *loop;  /* floc_grain_faces() */
  const double *centre, *place; /* corners about the centre, then normals of faces: floc_grain_corners() */
  double rounding;
} polyhedron_view;

/* A shape's faces, without centre and place; faces 0 of other shapes. */
floc_status polyhedron_view_of(floc_world *world, int32_t shape, polyhedron_view *made);
int32_t polyhedron_cells(const polyhedron_view *of, bool axes);
void polyhedron_add(vtp_dataset *dataset, const polyhedron_view *of, bool axes);

#endif
