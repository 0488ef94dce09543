/*
 * A plane: point[0] lies on it, point[1] is its unit normal; everything behind it is solid.
 */
#include "geometry/shapes/parts.h"

static double distance(const shape *surface, int32_t dimension, const double position[3], double normal[3])
{
  (void)dimension;
  double separation[3];
  vector_difference(position, surface->point[0], separation);
  for (int k = 0; k < 3; k++) normal[k] = -surface->point[1][k];
  return vector_dot(separation, surface->point[1]) - surface->radius;
}

static void bounds(const shape *surface, int32_t dimension, double lower[3], double upper[3])
{
  (void)surface, (void)dimension;
  for (int k = 0; k < 3; k++) {
    lower[k] = -INFINITY;
    upper[k] = INFINITY;
  }
}

static bool touches(const shape *surface, int32_t dimension, double margin, const middle_box *box)
{
  (void)dimension;
  double separation[3];
  vector_difference(box->center, surface->point[0], separation);
  return vector_dot(separation, surface->point[1]) - half_width(box, surface->point[1]) <= surface->radius + margin;
}

static double hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  (void)dimension;
  const double *normal = surface->point[1];
  double to_plane[3];
  vector_difference(origin, surface->point[0], to_plane);
  double height = vector_dot(to_plane, normal) - surface->radius;
  double descent = -vector_dot(direction, normal);
  return descent > 0.0 && height >= 0.0 ? height / descent : INFINITY;
}

static bool extends(const shape *surface, int axis)
{
  return surface->point[1][axis] == 0.0;
}

static floc_status check(environment *env, const floc_shape *description, int32_t dimension)
{
  (void)dimension;
  const double *normal = description->points[1];
  if (vector_dot(normal, normal) > 0.0) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "plane: the normal points[1] is (%g, %g, %g); its length must be above 0", normal[0], normal[1],
                normal[2]);
}

static void prepare(shape *added)
{
  double length = vector_length(added->point[1]);
  for (int k = 0; k < 3; k++) added->point[1][k] /= length;
}

const shape_type shape_plane = {.name = "plane",
                                .given = 2,
                                .core = 1,
                                .directions = 1 << 1,
                                .is_half_space = true,
                                .distance = distance,
                                .bounds = bounds,
                                .touches = touches,
                                .hit = hit,
                                .extends = extends,
                                .check = check,
                                .prepare = prepare};
