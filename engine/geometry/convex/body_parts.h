/*
 * Contacts of bodies with each other.
 *
 * A body's shapes are taken as convex parts: a circle or a segment with its thickness, and a closed convex outline
 * of segments one behind the other (up to CONVEX_CORNERS) as a filled polygon with rounded corners; planes and the
 * inside of circles are what they are. In space spheres, segments and triangles with their thickness, and a closed
 * convex mesh of triangles one behind the other (up to POLYHEDRON_CORNERS corners) as a filled polyhedron.
 * Between two parts every pair of features within reach is a row of its own, as between grains that are not round
 * (convex.h, solid.h, polyhedron.h). Of rows by which two parts say the same, because they share a corner, one is
 * left; and a corner touches a line, or a sheet, of several parts only where it is nearest to it.
 *
 * Two lines or sheets without thickness have no side on which the other ought to be, and shapes of other kinds no
 * corners: contacts of these are not known. Nor are those of two triangles that are no part of a convex mesh.
 *
 * Memory: in the plane corners of all parts one behind the other, with normals of edges; in space corners, of a
 * polyhedron with the normals of its faces behind them.
 */
#ifndef FLOC_GEOMETRY_CONVEX_BODY_PARTS_H
#define FLOC_GEOMETRY_CONVEX_BODY_PARTS_H

#include "base/arena.h"
#include "geometry/bodies.h"
#include "geometry/convex/cores.h"

typedef struct body_part {
  int32_t body, shape; /* the first of its shapes among all */
  int32_t shapes;      /* how many there are, one behind the other */
  int32_t count;       /* corners; 0: a plane or the inside of a circle or ball, -1: of another kind */
  int32_t begin;       /* its first corner */
  int32_t form;        /* a polyhedron's among body_forms; else -1 */
  double rounding;
  double center[3], farthest; /* a circle or ball about its core, without rounding; of cores alone */
} body_part;

/* Which corners of convex meshes make faces and edges. No state: found from the corners, and kept, since many
 * bodies are alike and do not change. Corners are in the body's frame, about their mean, the farthest at 1. */
typedef struct body_form {
  bool is_hull; /* every corner is one of the hull of all */
  polyhedron solid;
} body_form;

typedef struct body_forms {
  int32_t count;
  size_t capacity;
  body_form *form;
} body_forms;

void body_forms_free(environment *env, body_forms *forms);

/* All bodies' parts, in the order of their shapes, where shapes stand now. */
typedef struct body_parts {
  const bodies *of;
  const body_forms *forms;
  int32_t count;
  body_part *part;
  double (*corner)[2], (*normal)[2]; /* in the plane; corners about the part's centre */
  double (*place)[3];                /* in space; likewise */
  double (*box)[2][3];               /* in space: [body] lower and upper corner of a box about it */
  int32_t *first;                    /* [bodies + 1] begin of a body's in `order` */
  int32_t *order;                    /* parts by body */
  int32_t *of_shape;                 /* the part of a shape */
} body_parts;

typedef struct body_row {
  int32_t part[2], feature[2];
  double distance;
  double normal[3];   /* from the first to the second; [2] is 0 in the plane */
  double point[2][3]; /* on either surface */
} body_row;

/* Rows of a pair of bodies at most; more are left out, the farthest of each part first. */
enum { BODY_ROWS = 256 };

/* FLOC_OUT_OF_MEMORY. */
floc_status body_parts_make(arena *scratch, body_forms *forms, const bodies *all, body_parts *made);
/* Rows of two bodies no farther apart than `reach`; features, parts and their order do not depend on it.
 * FLOC_LIMIT_EXCEEDED: there are more. */
floc_status body_rows_find(const body_parts *parts, int32_t first, int32_t second, double reach,
                           body_row rows[BODY_ROWS], int32_t *count);
/* Are contacts of these two parts known? */
bool body_parts_know(const body_parts *parts, int32_t a, int32_t b);
/* Why not, in words. */
const char *body_parts_unknown(const body_parts *parts, int32_t a, int32_t b);

/* ---- in space (body_solids.c) ---- */

/* The part that begins with shape k; the number of its shapes. space: for corners, and normals of a polyhedron's
 * faces; `used` of it are. FLOC_OUT_OF_MEMORY. */
floc_status body_solid_make(const bodies *all, body_forms *forms, int32_t k, double (*space)[3], body_part *part,
                            int32_t *used);
grain_core body_solid_core(const body_parts *parts, const body_part *part);
/* Is the row's point of that side on another part, which `nearer` says is nearer to the same corner? */
bool body_solid_is_beside(const body_parts *parts, const body_row *row, const body_row *nearer, bool is_later,
                          int side, double close);

#endif
