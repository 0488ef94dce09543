/*
 * The cores of all particles where they are (particles/grain_shapes.h), turned by the column angle, in space by the
 * quaternion; and what of a body's shape they may touch. A disc's or ball's core is a point.
 *
 * Memory: corners of all particles one behind the other, begin[i] .. begin[i + 1] - 1 are those of particle i; in
 * the plane with normals of edges, in space without.
 */
#ifndef FLOC_GEOMETRY_CONVEX_CORES_H
#define FLOC_GEOMETRY_CONVEX_CORES_H

#include "base/arena.h"
#include "geometry/convex/solid.h"
#include "geometry/shape.h"
#include "particles/particles.h"

/* One in the plane (convex.h) or in space (solid.h). */
typedef struct grain_core {
  int32_t dimension;
  union {
    convex_core plane;
    solid_core solid;
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
  double place[CONVEX_CORNERS][3];
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
  return (core->dimension == 2 ? core->plane.count : core->solid.count) == 1;
}

static inline double grain_core_rounding(const grain_core *core)
{
  return core->dimension == 2 ? core->plane.rounding : core->solid.rounding;
}

grain_core grain_core_of(const grain_cores *all, int64_t i);

/* How far the farthest point of the core is from the centre: that is what turning moves. */
static inline double grain_core_reach(const particles *table, int64_t i)
{
  const double *number = particles_optional(table, OPTIONAL_shape);
  return number && number[i] != 0.0
             ? table->column[COLUMN_radius][i] - particles_optional(table, OPTIONAL_rounding)[i]
             : 0.0;
}

/* convex_rows(), convex_distance() or those of space. */
int32_t grain_rows(const grain_core *first, const grain_core *second, const double between[3], double reach,
                   convex_row rows[CONVEX_ROWS]);
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
