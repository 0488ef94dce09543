/*
 * Rounded convex shapes in the plane: how far two are apart, and every pair of features by which they may come to
 * touch in a step.
 *
 * A shape is a core (a point, a segment, a convex polygon) swept by a disc of radius `rounding`: all that is nearer
 * to the core than that. Coordinates are about the shape's centre, corners go round counterclockwise.
 *
 * Rows. For a corner p of one core the distance to the other core, less both roundings, is a convex function of p.
 * So the rows are: for each corner of the first its distance to the second core, for each corner of the second that
 * to the first core, each with its own normal and its own two arms, as far as they are within reach. The least of
 * them is the distance of the shapes. Each, linearised, is at most the distance of that corner afterwards if
 * nothing turns; where the shapes turn by a in a step, a row that is met may be wrong by R a^2 or so, never by R a.
 * With the nearest points alone, two sides that lie on each other would overlap by R a.
 *
 * Where the cores themselves overlap the rows are those of one separating axis, the one along which the least way
 * leads out: corners of either that are behind it, clipped to the side that the axis belongs to.
 *
 * Only + - * / and square roots; ties are decided by the features' numbers.
 */
#ifndef FLOC_GEOMETRY_CONVEX_CONVEX_H
#define FLOC_GEOMETRY_CONVEX_CONVEX_H

#include <stdbool.h>
#include <stdint.h>

enum {
  CONVEX_CORNERS = 16,
  CONVEX_ROWS = 128, /* of a pair at most; 2 * CONVEX_CORNERS in the plane */
  CONVEX_EDGE = 16,  /* feature k is corner k, CONVEX_EDGE + k the edge from corner k to the next */
  CONVEX_FEATURES = 32
};

typedef struct convex_core {
  int32_t count;             /* corners; 1: a disc, 2: a capsule */
  const double (*corner)[2]; /* about the centre */
  const double (*normal)[2]; /* [count] outward, of the edge from a corner to the next; not read of a point */
  double rounding;
} convex_core;

typedef struct convex_row {
  double distance;
  double normal[3];           /* from the first to the second; [2] of all is 0 in the plane */
  double first[3], second[3]; /* from either centre to its point of contact, on the surface */
  int32_t feature[2];
} convex_row;

/* Rows no farther apart than `reach`, those of the first's corners before those of the second's, by number.
 * between: from the first's centre to the second's. Not two points. */
int32_t convex_rows(const convex_core *first, const convex_core *second, const double between[2], double reach,
                    convex_row rows[CONVEX_ROWS]);
/* How many of that number of rows found are written: two polyhedra may have more than CONVEX_ROWS, of which the
 * nearest are. */
static inline int32_t convex_kept(int32_t found)
{
  return found < CONVEX_ROWS ? found : CONVEX_ROWS;
}

/* The least distance of rows found; INFINITY: there are none. */
double convex_least(const convex_row *rows, int32_t count);

#endif
