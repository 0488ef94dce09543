/*
 * Random numbers, points and shapes for the tests of this module.
 */
#ifndef FLOC_TESTS_RANDOM_SHAPES_H
#define FLOC_TESTS_RANDOM_SHAPES_H

#include "base/numbers/random.h"
#include "geometry/bodies.h"
#include "geometry/vector.h"

typedef struct dice {
  uint64_t seed, thrown;
} dice;

static inline double throw_between(dice *d, double lower, double upper)
{
  double u[4];
  random_uniform4(d->seed, d->thrown++, 0, RANDOM_SCRIPT, 0, u);
  return lower + (upper - lower) * u[0];
}

static inline void throw_point(dice *d, int32_t dimension, double reach, double point[3])
{
  for (int k = 0; k < 3; k++) point[k] = k < dimension ? throw_between(d, -reach, reach) : 0.0;
}

static inline void throw_direction(dice *d, int32_t dimension, double direction[3])
{
  double length;
  do {
    throw_point(d, dimension, 1.0, direction);
    length = vector_length(direction);
  } while (length > 1.0 || length < 0.01);
  for (int k = 0; k < 3; k++) direction[k] /= length;
}

/* A shape of the kind around the origin, of a size near 1, thick or thin. */
static inline floc_shape throw_shape(dice *d, int32_t kind, int32_t dimension)
{
  floc_shape thrown = {.struct_size = sizeof thrown, .kind = kind};
  for (int p = 0; p < 3; p++) throw_point(d, dimension, 1.0, thrown.points[p]);
  if (kind == FLOC_SHAPE_PLANE) throw_direction(d, dimension, thrown.points[1]);
  bool is_ball = kind == FLOC_SHAPE_SPHERE || kind == FLOC_SHAPE_HOLLOW;
  double die = throw_between(d, 0.0, 1.0);
  thrown.radius = is_ball ? throw_between(d, 0.1, 1.5) : die < 0.4 ? 0.0 : throw_between(d, 0.0, 0.3);
  return thrown;
}

static inline shape as_shape(const floc_shape *description)
{
  shape made = {.kind = description->kind, .radius = description->radius};
  for (int p = 0; p < 3; p++)
    for (int k = 0; k < 3; k++) made.point[p][k] = description->points[p][k];
  return made;
}

static inline int shape_corners(int32_t kind)
{
  return kind == FLOC_SHAPE_TRIANGLE ? 3 : kind == FLOC_SHAPE_SEGMENT ? 2 : 1;
}

#endif
