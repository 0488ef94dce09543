/*
 * A sphere around point[0], in the plane a disc; particles stay outside.
 */
#include "geometry/shapes/moments.h"
#include "geometry/shapes/parts.h"

static double distance(const shape *surface, int32_t dimension, const double position[3], double normal[3])
{
  (void)dimension;
  return ball_distance(surface, position, normal);
}

static bool touches(const shape *surface, int32_t dimension, double margin, const middle_box *box)
{
  (void)dimension;
  double squared = 0.0, reach = surface->radius + margin;
  for (int k = 0; k < 3; k++) {
    double outside = fmax(0.0, fabs(box->center[k] - surface->point[0][k]) - box->half[k]);
    squared += outside * outside;
  }
  return reach >= 0.0 && squared <= reach * reach;
}

static double hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  (void)dimension;
  return ball_hit(surface->point[0], surface->radius, origin, direction);
}

static floc_status check(environment *env, const floc_shape *description, int32_t dimension)
{
  (void)dimension;
  return check_ball_radius(env, description, "sphere");
}

const shape_type shape_sphere = {.name = "sphere",
                                 .given = 1,
                                 .core = 1,
                                 .distance = distance,
                                 .bounds = core_bounds,
                                 .farthest = core_farthest,
                                 .touches = touches,
                                 .hit = hit,
                                 .hit_normal = ball_normal,
                                 .check = check,
                                 .moments = moments_of_sphere};
