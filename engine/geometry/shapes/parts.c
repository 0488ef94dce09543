/*
 * See parts.h.
 *
 * A normal is minus the gradient of the distance everywhere, also where the distance is negative. It is taken from
 * the shape's own direction (the perpendicular of a segment, the face of a triangle) wherever the nearest point
 * lies inside the core, so that it stays sharp when the point comes close to the core; from the difference of the
 * two points only at ends and edges, or in space around an axis.
 *
 * A capsule is met where its cylinder or one of its end spheres is met first. Because the solid is convex, the
 * first of these entries is the entry into the whole, provided that the ray does not start inside.
 */
#include "geometry/shapes/parts.h"

/* ---- distance ---- */

/* Squared distance, relative to squared coordinates, that rounding of the coordinates alone produces. */
static const double ROUNDING_SQUARED = 1e-30;

void perpendicular(const double direction[3], int32_t dimension, double result[3])
{
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(direction[k]) < fabs(direction[least])) least = k;
  double axis[3] = {0.0, 0.0, 0.0};
  axis[dimension == 2 ? 2 : least] = 1.0;
  vector_cross(axis, direction, result);
  double length = vector_length(result);
  for (int k = 0; k < 3; k++) result[k] /= length;
}

double direction_to_core(const double position[3], const double separation[3], const double fallback[3],
                         double normal[3])
{
  double squared = vector_dot(separation, separation);
  if (squared <= ROUNDING_SQUARED * vector_dot(position, position) || squared == 0.0) {
    for (int k = 0; k < 3; k++) normal[k] = fallback[k];
    return sqrt(squared);
  }
  double distance = sqrt(squared);
  for (int k = 0; k < 3; k++) normal[k] = -separation[k] / distance;
  return distance;
}

double nearest_parameter(const double from_a[3], const double along[3])
{
  double t = vector_dot(from_a, along) / vector_dot(along, along);
  return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

double ball_distance(const shape *surface, const double position[3], double normal[3])
{
  static const double fallback[3] = {-1.0, 0.0, 0.0};
  double separation[3];
  vector_difference(position, surface->point[0], separation);
  return direction_to_core(position, separation, fallback, normal) - surface->radius;
}

/* ---- boxes ---- */

void core_bounds(const shape *surface, int32_t dimension, double lower[3], double upper[3])
{
  (void)dimension;
  int points = shape_type_of(surface)->core;
  for (int k = 0; k < 3; k++) {
    lower[k] = upper[k] = surface->point[0][k];
    for (int p = 1; p < points; p++) {
      lower[k] = fmin(lower[k], surface->point[p][k]);
      upper[k] = fmax(upper[k], surface->point[p][k]);
    }
  }
}

double core_farthest(const shape *local)
{
  double farthest = 0.0;
  int points = shape_type_of(local)->core;
  for (int p = 0; p < points; p++) farthest = fmax(farthest, vector_length(local->point[p]));
  return farthest + local->radius;
}

double half_width(const middle_box *box, const double axis[3])
{
  return fabs(axis[0]) * box->half[0] + fabs(axis[1]) * box->half[1] + fabs(axis[2]) * box->half[2];
}

/* Is there a gap wider than reach between the box and the core when both are seen along the axis? */
static bool axis_separates(const shape *surface, int points, double reach, const middle_box *box,
                           const double axis[3])
{
  double lowest = INFINITY, highest = -INFINITY;
  for (int p = 0; p < points; p++) {
    double separation[3];
    vector_difference(surface->point[p], box->center, separation);
    double along = vector_dot(separation, axis);
    lowest = fmin(lowest, along);
    highest = fmax(highest, along);
  }
  double allowed = half_width(box, axis) + reach * vector_length(axis);
  return lowest > allowed || highest < -allowed;
}

/* Segment and triangle: axes of the box, the face's normal, products of edges and box axes. Seen along an
 * axis, a core thickened by a ball is exactly `reach` longer on both sides. */
bool core_touches(const shape *surface, int32_t dimension, double margin, const middle_box *box)
{
  static const double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  int points = shape_type_of(surface)->core;
  double reach = surface->radius + margin;
  int edges = points == 3 ? 3 : 1;
  double edge[3][3], axis[3];
  for (int k = 0; k < dimension; k++)
    if (axis_separates(surface, points, reach, box, unit[k])) return false;
  for (int e = 0; e < edges; e++) {
    vector_difference(surface->point[(e + 1) % points], surface->point[e], edge[e]);
    for (int k = dimension == 2 ? 2 : 0; k < 3; k++) {
      vector_cross(unit[k], edge[e], axis);
      if (axis_separates(surface, points, reach, box, axis)) return false;
    }
  }
  if (points < 3) return true;
  vector_cross(edge[0], edge[1], axis);
  return !axis_separates(surface, points, reach, box, axis);
}

/* ---- rays ---- */

double ball_hit(const double center[3], double radius, const double origin[3], const double direction[3])
{
  double to_center[3], across[3];
  vector_difference(center, origin, to_center);
  double along = vector_dot(to_center, direction);
  if (along <= 0.0) return INFINITY;
  vector_add_scaled(to_center, -along, direction, across);
  double discriminant = radius * radius - vector_dot(across, across);
  if (discriminant < 0.0) return INFINITY;
  double length = along - sqrt(discriminant);
  return length >= 0.0 ? length : INFINITY;
}

/* Entry through the side of a cylinder of finite length without its ends. */
static double side_hit(const double a[3], const double b[3], double radius, const double origin[3],
                       const double direction[3])
{
  double axis[3], from[3], across_direction[3], across_from[3];
  vector_difference(b, a, axis);
  double length = vector_length(axis);
  if (length == 0.0) return INFINITY;
  for (int k = 0; k < 3; k++) axis[k] /= length;
  vector_difference(origin, a, from);
  vector_add_scaled(direction, -vector_dot(direction, axis), axis, across_direction);
  vector_add_scaled(from, -vector_dot(from, axis), axis, across_from);
  double speed_squared = vector_dot(across_direction, across_direction);
  double approach = -vector_dot(across_from, across_direction);
  if (approach <= 0.0 || speed_squared == 0.0) return INFINITY;
  double nearest[3];
  vector_add_scaled(across_from, approach / speed_squared, across_direction, nearest);
  double discriminant = radius * radius - vector_dot(nearest, nearest);
  if (discriminant < 0.0) return INFINITY;
  double entry = approach / speed_squared - sqrt(discriminant / speed_squared);
  double place = vector_dot(from, axis) + entry * vector_dot(direction, axis);
  return entry >= 0.0 && place >= 0.0 && place <= length ? entry : INFINITY;
}

double capsule_hit(const double a[3], const double b[3], double radius, const double origin[3],
                   const double direction[3])
{
  double entry = side_hit(a, b, radius, origin, direction);
  entry = lesser(entry, ball_hit(a, radius, origin, direction));
  return lesser(entry, ball_hit(b, radius, origin, direction));
}

bool starts_inside(const shape *surface, int32_t dimension, const double origin[3])
{
  double normal[3], nearest[3];
  return surface->radius > 0.0 && shape_distance(surface, dimension, origin, normal, nearest) < 0.0;
}

void ball_normal(const shape *surface, const double point[3], double normal[3])
{
  vector_difference(point, surface->point[0], normal);
  double length = vector_length(normal);
  for (int k = 0; k < 3; k++) normal[k] /= length;
}

/* ---- what the host gives ---- */

floc_status check_ball_radius(environment *env, const floc_shape *description, const char *name)
{
  if (description->radius > 0.0) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "%s: radius is %g; it must be above 0 and at most %g", name,
                description->radius, SHAPE_GREATEST);
}
