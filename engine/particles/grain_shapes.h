/*
 * Shapes of grains that are not round: rounded convex polygons in the plane, among them capsules (a polygon of two
 * corners), which are the shapes that there are in space, with corners along the grain's own axes. The table of
 * particles has a list of them; the column `shape` says which of them a particle has, 0: none, it is a disc or
 * ball, k: the k-th of the list.
 *
 * A shape is a core swept by a disc. A particle's core is that of the list times R - r, where R is the particle's
 * bounding radius (the column radius) and r the radius of its rounding (the column rounding); so a rod that grows
 * at constant width is one shape with other numbers. Area and second moment are polynomials in s = R - r and r, A =
 * sum a_k s^(2-k) r^k,   J = sum j_k s^(4-k) r^k, of the core, of strips of width r along its edges, and of sectors
 * of radius r about its corners. In space, a capsule is a cylinder of length 2 s and two halves of a ball:
 *
 *   V = pi r^2 (2 s + 4/3 r),   J_axis = pi r^4 (s + 8/15 r),   J_across = pi r^2 (2/3 s^3 + 4/3 s^2 r + 3/2 s r^2
 *                                                                                + 8/15 r^3)
 *
 * What has no corners is an ellipse or ellipsoid, whose semi-axes are those of the list times R; it has no
 * rounding. Polyhedra in space have their corners, faces and moments in a part of their own (polyhedra.h). What
 * shapes of a kind have of their own stands in one table, grain_kinds; how they touch, in geometry/convex/cores.c.
 */
#ifndef FLOC_PARTICLES_GRAIN_SHAPES_H
#define FLOC_PARTICLES_GRAIN_SHAPES_H

#include "base/environment.h"
#include "base/section.h"
#include "particles/polyhedra.h"

enum { GRAIN_CORNERS = 16 };
#define GRAIN_PI 3.14159265358979323846

typedef enum grain_kind { GRAIN_CORNERED, GRAIN_ELLIPSOID, GRAIN_POLYHEDRON, GRAIN_KINDS } grain_kind;

typedef struct grain_shape {
  grain_kind kind;
  int32_t count;                   /* corners; 0 of an ellipsoid or a polyhedron */
  double corner[GRAIN_CORNERS][2]; /* counterclockwise about the centre of mass, the farthest at the distance 1 */
  double normal[GRAIN_CORNERS][2]; /* outward, of the edge that begins at the corner */
  double rounding;                 /* r/R of new particles */
  double area[3], polar[5];
  double semi_axis[3]; /* of an ellipsoid along its own x, y, z, the greatest 1; in the plane z has none, 0 */
  double turned;       /* what turning moves: by a small angle a, no point of the surface's support by more than
                          turned (R - r) a, and never by more than twice that */
  polyhedron solid;
} grain_shape;

/* Of all shapes of a kind. */
typedef struct grain_kind_type {
  /* Area, in space volume, for a bounding radius and a rounding. */
  double (*volume)(const grain_shape *form, int32_t dimension, double radius, double rounding);
  /* In the plane the polar second moment about the centre; in space the greatest of the second moments about its
   * own axes. */
  double (*moment)(const grain_shape *form, int32_t dimension, double radius, double rounding);
  /* In space: moments of inertia of a uniform one, xx yy zz xy xz yz about its own axes. */
  void (*inertia)(const grain_shape *form, double mass, double radius, double rounding, double inertia[6]);
  /* What a particle's rounding may be, and in words. */
  bool (*takes_rounding)(int32_t dimension, double radius, double rounding);
  const char *rounding_range[2]; /* in the plane, in space */
} grain_kind_type;

extern const grain_kind_type grain_kinds[GRAIN_KINDS];

typedef struct grain_shapes {
  int32_t count;
  size_t capacity;
  grain_shape *shape;
  double *staging; /* for sections: rows of all shapes, then corners of polyhedra */
  size_t staging_capacity;
} grain_shapes;

/* Area, in space volume. */
static inline double grain_volume(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  return grain_kinds[form->kind].volume(form, dimension, radius, rounding);
}

/* Makes a shape. FLOC_INVALID_ARGUMENT: not 2 to 16 corners, numbers that are not finite, repeated corners, corners
 * that are not in convex position, in turn about them (a flat or self-intersecting polygon); semi-axes of which one
 * is not above 0 (in the plane the third must be 0), or more than a hundred times as long as another; points that
 * are no polyhedron's (polyhedron_make()), in the plane any. */
floc_status grain_shape_make(environment *env, int32_t dimension, const floc_grain_shape_options *options,
                             grain_shape *made);
/* Adds it, if there is no equal one; number: from 1 on. FLOC_NOT_SUPPORTED: a polyhedron beside an ellipsoid. */
floc_status grain_shapes_add(environment *env, grain_shapes *all, const grain_shape *made, int32_t *number);
void grain_shapes_free(environment *env, grain_shapes *all);
/* Those of a file, into a list that is empty: for worlds that only show one. FLOC_DAMAGED_FILE. */
floc_status grain_shapes_take(grain_shapes *all, int32_t dimension, const section_list *list);
/* "particles.shapes", as state, where there are any. */
floc_status grain_shapes_sections(grain_shapes *all, section_list *list);
/* FLOC_STRUCTURE_MISMATCH unless the file has the same. */
floc_status grain_shapes_compare(const grain_shapes *all, const section_list *list);

#endif
