/*
 * Shapes in world coordinates and the one question that contacts ask: how far is a point from the
 * surface, and in which direction; and what rays ask: where they meet it. The first five types of shapes (shapes/)
 * are a convex core (plane, point, segment, triangle) thickened by a radius, or the inside of a sphere. Because the
 * distance to a convex core is convex, the linearised constraint D + h G.V >= 0 keeps a particle out exactly.
 * Inside a sphere of radius R it is not: a particle that slides by s along the wall comes to lie s^2/(2R) too far
 * out.
 */
#ifndef FLOC_GEOMETRY_SHAPE_H
#define FLOC_GEOMETRY_SHAPE_H

#include "base/environment.h"

typedef struct shape_type shape_type;

typedef struct shape {
  int32_t kind;       /* floc_shape_kind */
  int32_t body;       /* owner */
  int32_t index;      /* number within the body */
  double point[3][3]; /* plane: a point and the unit normal */
  double radius;
  const shape_type *type;  /* added by the host; NULL: the engine's, of that kind */
  const double *parameter; /* of a framed one (shapes/framed.h) */
  int32_t framed;          /* its number among these; else -1 */
  int32_t own_material;    /* material + 1; 0: the body's */
} shape;

/* Distance from a point to the surface (< 0 behind it), the unit vector from the point towards the
 * nearest surface point (what a contact calls its normal, from particle to body), and that surface
 * point. The unit vector is minus the gradient of the distance, also behind the surface: there it points away
 * from it. In 2-D all z are 0. A point exactly on a core gets a perpendicular direction. */
double shape_distance(const shape *surface, int32_t dimension, const double position[3], double normal[3],
                      double nearest[3]);

/* Box around the shape, grown by `margin`; infinite where the shape is (planes). For a hollow sphere the
 * box of its surface. */
void shape_bounds(const shape *surface, int32_t dimension, double margin, double lower[3], double upper[3]);

/* Could the surface come within `margin` of any point of the box? May say yes in doubt. Planes and
 * hollow spheres too. Used to cull cells of a grid. */
bool shape_touches_box(const shape *surface, int32_t dimension, double margin, const double lower[3],
                       const double upper[3]);

/* It has no end, and all behind it is solid: a plane. */
bool shape_is_half_space(const shape *surface);
/* Solid is what lies outside its bounds: a hollow sphere. */
bool shape_is_hollow(const shape *surface);
/* Points that span its convex core, which `radius` thickens: 1 or 2, in space 3 as well; 0: it is of another kind.
 */
int32_t shape_core_points(const shape *surface);
/* Is it the same at every place along the axis, without end? */
bool shape_extends(const shape *surface, int axis);

/* The shape of a body at a pose: its frame's origin and axes (rows of the matrix). */
void shape_place(const shape *local, const double position[3], double matrix[3][3], shape *placed);
/* Distance of its farthest point from the frame's origin; not of half spaces. */
double shape_farthest(const shape *local);

/* Where a ray meets a shape. Shapes are solid; a ray that starts inside one is taken to leave it first and does not
 * meet it. A hollow one is met from inside only. Smallest length >= 0 at which the ray meets the surface from
 * outside; INFINITY if it does not. */
double shape_hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3]);
/* Unit normal at a point of the surface, on the side from which the ray comes. */
void shape_hit_normal(const shape *surface, int32_t dimension, const double point[3], const double direction[3],
                      double normal[3]);
/* May a ray that has just left the surface meet it again? Only a concave one. */
bool shape_is_concave(const shape *surface);

floc_status shape_refuse_kind(environment *env, int32_t kind);
/* Its name. */
const char *shape_type_name(const shape_type *type);
const char *shape_name(const shape *surface);
/* Is it described by parameters in a frame of its own? */
bool shape_is_framed(const shape_type *type);
/* A checked shape, in the frame in which it is described; parameters are the caller's to give. */
shape shape_make(const shape_type *type, const floc_shape *description);

/* The shape as ones that are drawn: planes, segments, spheres, hollow spheres, triangles. Writes up to capacity,
 * returns how many there are. */
int64_t shape_drawing(const shape *surface, int32_t dimension, floc_shape *out, int64_t capacity);

/* Checks a shape given by the host: finite, kind known (type NULL: it is not) and allowed in this dimension,
 * lengths > 0. */
floc_status shape_check(environment *env, const shape_type *type, const floc_shape *description, int32_t dimension);

/* Shapes of a compound, in the body's frame. Writes up to capacity, returns how many there are through
 * *count (call with capacity 0 to count). Checks all fields. */
floc_status compound_shapes(environment *env, const floc_compound *compound, int32_t dimension, floc_shape *shapes,
                            int32_t capacity, int32_t *count);

#endif
