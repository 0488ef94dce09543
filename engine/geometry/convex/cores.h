/*
 * The cores of all particles where they are (particles/grain_shapes.h), turned by the column angle; and what of a
 * body's shape they may touch. A disc's core is a point.
 *
 * Memory: corners of all particles one behind the other, begin[i] .. begin[i + 1] - 1 are those of particle i.
 */
#ifndef FLOC_GEOMETRY_CONVEX_CORES_H
#define FLOC_GEOMETRY_CONVEX_CORES_H

#include "base/arena.h"
#include "geometry/convex/convex.h"
#include "geometry/shape.h"
#include "particles/particles.h"

typedef struct grain_cores {
  const particles *table;
  int64_t *begin;
  double (*corner)[2], (*normal)[2];
} grain_cores;

/* turn: added to every angle; NULL: nothing. FLOC_OUT_OF_MEMORY. */
floc_status grain_cores_place(const environment *env, arena *scratch, const particles *table, const double *turn,
                              grain_cores *made);

/* A single one; its corners are written into the memory given. */
typedef struct grain_memory {
  double corner[CONVEX_CORNERS][2], normal[CONVEX_CORNERS][2];
} grain_memory;
convex_core grain_core_make(const particles *table, int64_t i, double angle, grain_memory *memory);
/* A shape's corners and normals, at a scale and an angle. */
void grain_place(const grain_shape *form, double scale, double angle, double (*corner)[2], double (*normal)[2]);

static inline bool grain_is_round(const grain_cores *all, int64_t i)
{
  return all->begin[i + 1] - all->begin[i] == 1;
}

convex_core grain_core_of(const grain_cores *all, int64_t i);

/* How far the farthest point of the core is from the centre: that is what turning moves. */
static inline double grain_core_reach(const particles *table, int64_t i)
{
  const double *number = particles_optional(table, OPTIONAL_shape);
  return number && number[i] != 0.0
             ? table->column[COLUMN_radius][i] - particles_optional(table, OPTIONAL_rounding)[i]
             : 0.0;
}

/* Rows of a core at a position against a body's shape: with segments and circles as with other cores, with planes
 * and the inside of circles those of the corners, whose distance to these is convex. */
int32_t convex_wall_rows(const shape *wall, const convex_core *core, const double position[3], double reach,
                         convex_row rows[CONVEX_ROWS]);
/* As convex_distance(). */
double convex_wall_distance(const shape *wall, const convex_core *core, const double position[3], double reach);
/* Whether these rows are known of the shape. */
bool convex_knows_wall(const shape *wall);

#endif
