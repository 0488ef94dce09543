/*
 * Rays and shapes. See shape_hit.h.
 *
 * A capsule is met where its cylinder or one of its end spheres is met first; a thick triangle where one
 * of its two shifted faces or one of its three capsules is met first. Because the solid is convex, the
 * first of these entries is the entry into the whole, provided that the ray does not start inside.
 */
#include "rays/shape_hit.h"

#include "geometry/vector.h"

#include <assert.h>
#include <math.h>

static double least(double a, double b)
{
  return a < b ? a : b;
}

/* Entry into a sphere; INFINITY from inside. */
static double sphere_hit(const double center[3], double radius, const double origin[3], const double direction[3])
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

/* Exit from a sphere; INFINITY when the ray does not cross the inside. A ray on the surface that runs
 * inwards is inside whatever rounding says. */
static double hollow_hit(const double center[3], double radius, const double origin[3], const double direction[3])
{
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

static double plane_hit(const shape *surface, const double origin[3], const double direction[3])
{
  const double *normal = surface->point[1];
  double to_plane[3];
  vector_difference(origin, surface->point[0], to_plane);
  double height = vector_dot(to_plane, normal) - surface->radius;
  double descent = -vector_dot(direction, normal);
  return descent > 0.0 && height >= 0.0 ? height / descent : INFINITY;
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

static double capsule_hit(const double a[3], const double b[3], double radius, const double origin[3],
                          const double direction[3])
{
  double entry = side_hit(a, b, radius, origin, direction);
  entry = least(entry, sphere_hit(a, radius, origin, direction));
  return least(entry, sphere_hit(b, radius, origin, direction));
}

static double face_hit(const double point[3][3], const double shift[3], const double origin[3],
                       const double direction[3])
{
  double edge[2][3], from[3], across[3], turned[3];
  vector_difference(point[1], point[0], edge[0]);
  vector_difference(point[2], point[0], edge[1]);
  for (int k = 0; k < 3; k++) from[k] = origin[k] - point[0][k] - shift[k];
  vector_cross(direction, edge[1], across);
  double determinant = vector_dot(edge[0], across);
  if (determinant == 0.0) return INFINITY;
  double u = vector_dot(from, across) / determinant;
  vector_cross(from, edge[0], turned);
  double v = vector_dot(direction, turned) / determinant;
  double length = vector_dot(edge[1], turned) / determinant;
  return length >= 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 ? length : INFINITY;
}

static void face_normal(const double point[3][3], double normal[3])
{
  double edge[2][3];
  vector_difference(point[1], point[0], edge[0]);
  vector_difference(point[2], point[0], edge[1]);
  vector_cross(edge[0], edge[1], normal);
  double length = vector_length(normal);
  for (int k = 0; k < 3; k++) normal[k] /= length;
}

static double triangle_hit(const shape *surface, const double origin[3], const double direction[3])
{
  double normal[3], shift[3];
  face_normal(surface->point, normal);
  double side = vector_dot(normal, direction) > 0.0 ? -surface->radius : surface->radius;
  for (int k = 0; k < 3; k++) shift[k] = side * normal[k];
  double entry = face_hit(surface->point, shift, origin, direction);
  if (surface->radius == 0.0) return entry;
  for (int k = 0; k < 3; k++)
    entry = least(entry,
                  capsule_hit(surface->point[k], surface->point[(k + 1) % 3], surface->radius, origin, direction));
  return entry;
}

static bool starts_inside(const shape *surface, int32_t dimension, const double origin[3])
{
  double normal[3], nearest[3];
  return surface->radius > 0.0 && shape_distance(surface, dimension, origin, normal, nearest) < 0.0;
}

double shape_hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  switch (surface->kind) {
  case FLOC_SHAPE_PLANE:
    return plane_hit(surface, origin, direction);
  case FLOC_SHAPE_SPHERE:
    return sphere_hit(surface->point[0], surface->radius, origin, direction);
  case FLOC_SHAPE_HOLLOW:
    return hollow_hit(surface->point[0], surface->radius, origin, direction);
  case FLOC_SHAPE_SEGMENT:
    if (surface->radius == 0.0)
      return dimension == 2 ? line_hit(surface->point[0], surface->point[1], origin, direction) : INFINITY;
    if (starts_inside(surface, dimension, origin)) return INFINITY;
    return capsule_hit(surface->point[0], surface->point[1], surface->radius, origin, direction);
  case FLOC_SHAPE_TRIANGLE:
    if (starts_inside(surface, dimension, origin)) return INFINITY;
    return triangle_hit(surface, origin, direction);
  default:
    assert(!"unknown shape");
    return INFINITY;
  }
}

static void direct_against(const double direction[3], double normal[3])
{
  if (vector_dot(direction, normal) > 0.0)
    for (int k = 0; k < 3; k++) normal[k] = -normal[k];
}

void shape_hit_normal(const shape *surface, int32_t dimension, const double point[3], const double direction[3],
                      double normal[3])
{
  double nearest[3];
  if (surface->kind == FLOC_SHAPE_SPHERE || surface->kind == FLOC_SHAPE_HOLLOW) {
    vector_difference(point, surface->point[0], normal);
    double length = vector_length(normal);
    for (int k = 0; k < 3; k++) normal[k] /= length;
  } else {
    shape_distance(surface, dimension, point, normal, nearest);
  }
  direct_against(direction, normal);
}

bool shape_is_concave(const shape *surface)
{
  return surface->kind == FLOC_SHAPE_HOLLOW;
}
