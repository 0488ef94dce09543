/*
 * The cores of all particles where they are (particles/grain_shapes.h), turned by the column angle, in space by the
 * quaternion; and what of a body's shape they may touch. A disc's or ball's core is a point.
 *
 * Which functions place a kind of grain and find its rows with another kind, or with a body, stands in tables by
 * kind in cores.c; those of two kinds are asked with the kinds in this order.
 *
 * Memory: corners of all particles one behind the other, begin[i] .. begin[i + 1] - 1 are those of particle i; in
 * the plane with normals of edges, in space without. Of an ellipsoid semi-axes stand in the place of corners; of a
 * polyhedron its corners, and behind them the normals of its faces.
 */
#ifndef FLOC_GEOMETRY_CONVEX_CORES_H
#define FLOC_GEOMETRY_CONVEX_CORES_H

#include "base/arena.h"
#include "geometry/convex/ellipsoid.h"
#include "geometry/convex/polyhedron.h"
#include "geometry/shape.h"
#include "particles/particles.h"

/* One with corners in the plane (convex.h) or in space (solid.h), a disc or ball among them, an ellipsoid, or a
 * polyhedron (polyhedron.h). */
typedef struct grain_core {
  int32_t dimension;
  grain_kind kind;
  union {
    convex_core plane;
    solid_core solid;
    ellipsoid_core ellipsoid;
    polyhedron_core hull;
  };
} grain_core;

typedef struct grain_cores {
  const particles *table;
  int32_t dimension;
  int64_t *begin;
  double (*corner)[2], (*normal)[2]; /* in the plane */
  double (*place)[3];                /* in space */
} grain_cores;

/* turn: the rotation vectors of a step (in the plane [2], added to angles; in space a Cayley turn); NULL: nothing.
 * FLOC_OUT_OF_MEMORY. */
floc_status grain_cores_place(const environment *env, arena *scratch, const particles *table, int32_t dimension,
                              double *const *turn, grain_cores *made);

/* A single one; its corners are written into the memory given. */
typedef union grain_memory {
  struct {
    double corner[CONVEX_CORNERS][2], normal[CONVEX_CORNERS][2];
  };
  double place[POLYHEDRON_CORNERS + POLYHEDRON_FACES][3];
} grain_memory;
grain_core grain_core_make(const particles *table, int32_t dimension, int64_t i, grain_memory *memory);
/* Of one that is to be added. */
grain_core grain_core_of_newcomer(const particles *table, int32_t dimension, const newcomer *one,
                                  grain_memory *memory);

static inline bool grain_is_round(const grain_cores *all, int64_t i)
{
  return all->begin[i + 1] - all->begin[i] == 1;
}

static inline bool grain_core_is_point(const grain_core *core)
{
  return core->kind == GRAIN_CORNERED && (core->dimension == 2 ? core->plane.count : core->solid.count) == 1;
}

static inline double grain_core_rounding(const grain_core *core)
{
  if (core->kind == GRAIN_ELLIPSOID) return 0.0;
  if (core->kind == GRAIN_POLYHEDRON) return core->hull.rounding;
  return core->dimension == 2 ? core->plane.rounding : core->solid.rounding;
}

/* Is that feature of a row a corner of the core? */
static inline bool grain_feature_is_corner(const grain_core *core, int32_t feature)
{
  if (core->kind == GRAIN_ELLIPSOID) return false;
  return feature < (core->kind == GRAIN_POLYHEDRON ? (int32_t)POLYHEDRON_EDGE : (int32_t)CONVEX_EDGE);
}

grain_core grain_core_of(const grain_cores *all, int64_t i);

/* What turning moves: of corners how far the farthest is from the centre (grain_shape.turned). */
static inline double grain_core_reach(const particles *table, int64_t i)
{
  const grain_shape *form = particles_shape(table, i);
  return form ? form->turned * (table->column[COLUMN_radius][i] - particles_optional(table, OPTIONAL_rounding)[i])
              : 0.0;
}

/* As polyhedron_rows(). */
int32_t grain_rows(const grain_core *first, const grain_core *second, const double between[3], double reach,
                   convex_row rows[CONVEX_ROWS]);
/* The distance, where it is at most `reach`; else a number above that. Below 0: how far they overlap. */
double grain_distance(const grain_core *first, const grain_core *second, const double between[3], double reach);

/* Rows of a core at a position against a body's shape: with segments, circles, balls and triangles as with other
 * cores, with planes and the inside of circles and balls those of the corners, whose distance to these is convex.
 */
int32_t grain_wall_rows(const shape *wall, const grain_core *core, const double position[3], double reach,
                        convex_row rows[CONVEX_ROWS]);
/* As grain_distance(). */
double grain_wall_distance(const shape *wall, const grain_core *core, const double position[3], double reach);
/* Whether these rows are known of the shape. */
bool convex_knows_wall(const shape *wall);

#endif
