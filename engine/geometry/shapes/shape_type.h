/*
 * What a kind of shape is: one struct of functions, in one file of this folder, and one line in shape_types.h.
 * No other code depends on the kind of a shape.
 *
 * A shape is placed in the world by its points: positions, or unit directions; numbers that do not move stand in
 * `radius` and `parameter`.
 */
#ifndef FLOC_GEOMETRY_SHAPES_SHAPE_TYPE_H
#define FLOC_GEOMETRY_SHAPES_SHAPE_TYPE_H

#include "geometry/shape.h"

static const double SHAPE_GREATEST = 1e150; /* squares of coordinates must not overflow */

struct shape_moments; /* shapes/moments.h */

/* A box as its centre and half widths. */
typedef struct middle_box {
  double center[3], half[3];
} middle_box;

struct shape_type {
  const char *name;    /* for messages */
  int32_t dimension;   /* 2 or 3; 0: both */
  int32_t given;       /* points that the host gives */
  int32_t core;        /* of these, the first that span the core */
  uint32_t directions; /* bit p: point p is a direction */
  bool is_half_space;  /* it has no end: rays behind it are gone, and turning moves it without bound */
  bool is_hollow;      /* solid is what lies outside its bounds */
  bool is_concave;     /* a ray that leaves it may meet it again */
  /* See shape_distance(), shape_bounds(), shape_touches_box(), shape_hit(). */
  double (*distance)(const shape *surface, int32_t dimension, const double position[3], double normal[3]);
  void (*bounds)(const shape *surface, int32_t dimension, double lower[3], double upper[3]); /* without radius */
  double (*farthest)(const shape *local); /* distance of its farthest point from 0; not of half spaces */
  bool (*touches)(const shape *surface, int32_t dimension, double margin, const middle_box *box);
  double (*hit)(const shape *surface, int32_t dimension, const double origin[3], const double direction[3]);
  /* At a point of the surface, either way; NULL: the direction of the distance. */
  void (*hit_normal)(const shape *surface, const double point[3], double normal[3]);
  /* Beside what all have: finite points and a radius of 0 or more; NULL: nothing. */
  /* Is it the same at every place along the axis? NULL: it never is. */
  bool (*extends)(const shape *surface, int axis);
  floc_status (*check)(environment *env, const floc_shape *description, int32_t dimension);
  void (*prepare)(shape *added); /* once, in the body's frame; NULL: nothing to do */
  const floc_shape_type *framed; /* shapes/framed.h; NULL: another */
  /* Of framed ones, as shape_drawing(); NULL: found from the distance. */
  int64_t (*draw)(const shape *surface, floc_shape *out, int64_t capacity);
  /* Adds its own (shapes/moments.h); NULL: they are not known. */
  void (*moments)(const shape *local, int32_t dimension, struct shape_moments *sums);
};

const shape_type *shape_type_built_in(int32_t kind);  /* NULL: there is none */
extern const shape_type *const shape_types_by_kind[]; /* of kinds that there are; read for each distance */

static inline const shape_type *shape_type_of(const shape *surface)
{
  return surface->type ? surface->type : shape_types_by_kind[surface->kind];
}

#endif
