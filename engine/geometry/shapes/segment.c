/*
 * A segment from point[0] to point[1], thickened by a radius: in space a capsule. In the plane it has two sides,
 * and its normal is that of a side wherever the nearest point is no end.
 */
#include "geometry/shapes/moments.h"
#include "geometry/shapes/parts.h"

static double distance(const shape *surface, int32_t dimension, const double position[3], double normal[3])
{
  const double *a = surface->point[0], *b = surface->point[1];
  double along[3], from_a[3], separation[3];
  vector_difference(b, a, along);
  vector_difference(position, a, from_a);
  double t = nearest_parameter(from_a, along);
  if (dimension == 2 && t > 0.0 && t < 1.0) {
    double length = vector_length(along);
    double side = (along[0] * from_a[1] - along[1] * from_a[0]) / length; /* > 0: left of a .. b */
    double sign = side < 0.0 ? -1.0 : 1.0;
    normal[0] = sign * along[1] / length;
    normal[1] = -sign * along[0] / length;
    normal[2] = 0.0;
    return fabs(side) - surface->radius;
  }
  if (t < 1.0)
    vector_add_scaled(from_a, -t, along, separation);
  else
    vector_difference(position, b, separation);
  double fallback[3];
  perpendicular(along, dimension, fallback);
  return direction_to_core(position, separation, fallback, normal) - surface->radius;
}

/* The infinitely thin segment in the plane. */
static double line_hit(const double a[3], const double b[3], const double origin[3], const double direction[3])
{
  double edge[3], from[3];
  vector_difference(b, a, edge);
  vector_difference(a, origin, from);
  double turn = direction[0] * edge[1] - direction[1] * edge[0];
  if (turn == 0.0) return INFINITY;
  double length = (from[0] * edge[1] - from[1] * edge[0]) / turn;
  double place = (from[0] * direction[1] - from[1] * direction[0]) / turn;
  return length >= 0.0 && place >= 0.0 && place <= 1.0 ? length : INFINITY;
}

static double hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  if (surface->radius == 0.0)
    return dimension == 2 ? line_hit(surface->point[0], surface->point[1], origin, direction) : INFINITY;
  if (starts_inside(surface, dimension, origin)) return INFINITY;
  return capsule_hit(surface->point[0], surface->point[1], surface->radius, origin, direction);
}

static floc_status check(environment *env, const floc_shape *description, int32_t dimension)
{
  (void)dimension;
  const double(*point)[3] = description->points;
  double along[3];
  vector_difference(point[1], point[0], along);
  if (vector_dot(along, along) > 0.0) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "segment: both ends are (%g, %g, %g); they must differ", point[0][0],
                point[0][1], point[0][2]);
}

const shape_type shape_segment = {.name = "segment",
                                  .given = 2,
                                  .core = 2,
                                  .distance = distance,
                                  .bounds = core_bounds,
                                  .farthest = core_farthest,
                                  .touches = core_touches,
                                  .hit = hit,
                                  .check = check,
                                  .moments = moments_of_segment};
