/*
 * A hollow sphere around point[0]: particles stay inside, everything outside is solid.
 */
#include "geometry/shapes/moments.h"
#include "geometry/shapes/parts.h"

static double distance(const shape *surface, int32_t dimension, const double position[3], double normal[3])
{
  (void)dimension;
  double distance = ball_distance(surface, position, normal);
  for (int k = 0; k < 3; k++) normal[k] = 0.0 - normal[k];
  return -distance;
}

/* The box holds points outside radius - margin if its farthest corner is one. */
static bool touches(const shape *surface, int32_t dimension, double margin, const middle_box *box)
{
  (void)dimension;
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    double farthest = fabs(box->center[k] - surface->point[0][k]) + box->half[k];
    squared += farthest * farthest;
  }
  double least = surface->radius - margin;
  return least <= 0.0 || squared >= least * least;
}

/* Exit from a sphere; INFINITY when the ray does not cross the inside. A ray on the surface that runs
 * inwards is inside whatever rounding says. */
static double hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  (void)dimension;
  const double *center = surface->point[0];
  double radius = surface->radius;
  double to_center[3], across[3];
  vector_difference(center, origin, to_center);
  double along = vector_dot(to_center, direction);
  vector_add_scaled(to_center, -along, direction, across);
  double discriminant = radius * radius - vector_dot(across, across);
  if (discriminant < 0.0) return INFINITY;
  double root = sqrt(discriminant);
  bool before_the_sphere = along - root > 1e-9 * radius;
  return !before_the_sphere && along + root > 0.0 ? along + root : INFINITY;
}

static floc_status check(environment *env, const floc_shape *description, int32_t dimension)
{
  (void)dimension;
  return check_ball_radius(env, description, "hollow sphere");
}

const shape_type shape_hollow = {.name = "hollow sphere",
                                 .given = 1,
                                 .core = 1,
                                 .is_hollow = true,
                                 .is_concave = true,
                                 .distance = distance,
                                 .bounds = core_bounds,
                                 .farthest = core_farthest,
                                 .touches = touches,
                                 .hit = hit,
                                 .hit_normal = ball_normal,
                                 .check = check,
                                 .moments = moments_of_hollow};
