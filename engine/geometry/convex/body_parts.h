/*
 * Contacts of bodies with each other, in the plane.
 *
 * A body's shapes are taken as convex parts: a circle or a segment with its thickness, and a closed convex outline
 * of segments one behind the other (up to CONVEX_CORNERS) as a filled polygon with rounded corners; planes and the
 * inside of circles are what they are. Between two parts every pair of features within reach is a row of its own,
 * as between grains that are not round (convex.h). Of rows by which two parts say the same, because they share a
 * corner, one is left; and a corner touches a line of several parts only where it is nearest to it.
 *
 * Two lines without thickness have no side on which the other ought to be, and shapes of other kinds no corners:
 * contacts of these are not known.
 */
#ifndef FLOC_GEOMETRY_CONVEX_BODY_PARTS_H
#define FLOC_GEOMETRY_CONVEX_BODY_PARTS_H

#include "base/arena.h"
#include "geometry/bodies.h"
#include "geometry/convex/convex.h"

typedef struct body_part {
  int32_t body, shape; /* the first of its shapes among all */
  int32_t count;       /* corners; 0: a plane or the inside of a circle, -1: of another kind */
  int32_t begin;       /* its first corner */
  double rounding;
  double center[2], farthest; /* a circle about its core, without rounding; of cores alone */
} body_part;

/* All bodies' parts, in the order of their shapes, where shapes stand now. */
typedef struct body_parts {
  const bodies *of;
  int32_t count;
  body_part *part;
  double (*corner)[2], (*normal)[2]; /* corners about the part's centre */
  int32_t *first;                    /* [bodies + 1] begin of a body's in `order` */
  int32_t *order;                    /* parts by body */
  int32_t *of_shape;                 /* the part of a shape */
} body_parts;

typedef struct body_row {
  int32_t part[2], feature[2];
  double distance;
  double normal[2];   /* from the first to the second */
  double point[2][2]; /* on either surface */
} body_row;

/* Rows of a pair of bodies at most; more are left out, the farthest of each part first. */
enum { BODY_ROWS = 256 };

/* FLOC_OUT_OF_MEMORY. */
floc_status body_parts_make(arena *scratch, const bodies *all, body_parts *made);
/* Rows of two bodies no farther apart than `reach`; features, parts and their order do not depend on it.
 * FLOC_LIMIT_EXCEEDED: there are more. */
floc_status body_rows_find(const body_parts *parts, int32_t first, int32_t second, double reach,
                           body_row rows[BODY_ROWS], int32_t *count);
/* Are contacts of these two parts known? */
bool body_parts_know(const body_parts *parts, int32_t a, int32_t b);

#endif
