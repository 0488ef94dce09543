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
 */
#ifndef FLOC_PARTICLES_GRAIN_SHAPES_H
#define FLOC_PARTICLES_GRAIN_SHAPES_H

#include "base/environment.h"
#include "base/section.h"

enum { GRAIN_CORNERS = 16 };
#define GRAIN_PI 3.14159265358979323846

typedef struct grain_shape {
  int32_t count;                   /* corners */
  double corner[GRAIN_CORNERS][2]; /* counterclockwise about the centre of mass, the farthest at the distance 1 */
  double normal[GRAIN_CORNERS][2]; /* outward, of the edge that begins at the corner */
  double rounding;                 /* r/R of new particles */
  double area[3], polar[5];
} grain_shape;

typedef struct grain_shapes {
  int32_t count;
  size_t capacity;
  grain_shape *shape;
  double *staging; /* for sections */
  size_t staging_capacity;
} grain_shapes;

/* Area and polar second moment about the centre, for a bounding radius and a rounding. */
static inline double grain_area(const grain_shape *form, double radius, double rounding)
{
  const double s = radius - rounding, r = rounding;
  return (form->area[0] * s + form->area[1] * r) * s + form->area[2] * r * r;
}

static inline double grain_polar_moment(const grain_shape *form, double radius, double rounding)
{
  const double s = radius - rounding, r = rounding, *j = form->polar;
  return (((j[0] * s + j[1] * r) * s + j[2] * r * r) * s + j[3] * r * r * r) * s + j[4] * r * r * r * r;
}

/* In space: the volume, and of a uniform capsule the second moments about its axis and across it. */
static inline double grain_capsule_volume(double radius, double rounding)
{
  const double s = radius - rounding, r = rounding;
  return GRAIN_PI * r * r * (2.0 * s + 4.0 / 3.0 * r);
}

static inline double grain_capsule_moment(double radius, double rounding, bool about_axis)
{
  const double s = radius - rounding, r = rounding, square = r * r;
  if (about_axis) return GRAIN_PI * square * square * (s + 8.0 / 15.0 * r);
  return GRAIN_PI * square * (((2.0 / 3.0 * s + 4.0 / 3.0 * r) * s + 1.5 * square) * s + 8.0 / 15.0 * r * square);
}

/* Area, in space volume. */
static inline double grain_volume(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  return dimension == 2 ? grain_area(form, radius, rounding) : grain_capsule_volume(radius, rounding);
}

/* Makes a shape. FLOC_INVALID_ARGUMENT: not 2 to 16 corners, numbers that are not finite, repeated corners, corners
 * that are not in convex position, in turn about them (a flat or self-intersecting polygon). */
floc_status grain_shape_make(environment *env, const floc_grain_shape_options *options, grain_shape *made);
/* Adds it, if there is no equal one; number: from 1 on. */
floc_status grain_shapes_add(environment *env, grain_shapes *all, const grain_shape *made, int32_t *number);
void grain_shapes_free(environment *env, grain_shapes *all);
/* Those of a file, into a list that is empty: for worlds that only show one. FLOC_DAMAGED_FILE. */
floc_status grain_shapes_take(grain_shapes *all, int32_t dimension, const section_list *list);
/* "particles.shapes", as state, where there are any. */
floc_status grain_shapes_sections(grain_shapes *all, section_list *list);
/* FLOC_STRUCTURE_MISMATCH unless the file has the same. */
floc_status grain_shapes_compare(const grain_shapes *all, const section_list *list);

#endif
