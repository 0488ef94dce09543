/*
 * A triangle point[0] .. point[2] in space, thickened by a radius, with two sides.
 *
 * A ray meets it where one of its two shifted faces or one of its three capsules is met first: the solid is convex,
 * so the first of these entries is the entry into the whole.
 */
#include "geometry/shapes/moments.h"
#include "geometry/shapes/parts.h"

/* The nearest point lies on the face if the position is within all three edges, seen along the face's
 * normal; otherwise on one of the edges that have it outside, ends (corners) included. */
static double distance(const shape *surface, int32_t dimension, const double position[3], double normal[3])
{
  (void)dimension;
  const double(*corner)[3] = surface->point;
  double edge[3][3], from[3][3], face[3];
  for (int k = 0; k < 3; k++) {
    vector_difference(corner[(k + 1) % 3], corner[k], edge[k]);
    vector_difference(position, corner[k], from[k]);
  }
  vector_cross(edge[0], edge[1], face);
  double area = vector_length(face);
  for (int k = 0; k < 3; k++) face[k] /= area;
  double least = INFINITY, nearest[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++) {
    double inwards[3], separation[3];
    vector_cross(face, edge[k], inwards);
    if (vector_dot(inwards, from[k]) >= 0.0) continue;
    double t = nearest_parameter(from[k], edge[k]);
    if (t < 1.0)
      vector_add_scaled(from[k], -t, edge[k], separation);
    else
      vector_difference(position, corner[(k + 1) % 3], separation);
    double squared = vector_dot(separation, separation);
    if (squared >= least) continue;
    least = squared;
    for (int c = 0; c < 3; c++) nearest[c] = separation[c];
  }
  double height = vector_dot(face, from[0]);
  double towards = height < 0.0 ? 1.0 : -1.0;
  for (int k = 0; k < 3; k++) face[k] *= towards;
  if (least < INFINITY) {
    return direction_to_core(position, nearest, face, normal) - surface->radius;
  }
  for (int k = 0; k < 3; k++) normal[k] = face[k];
  return fabs(height) - surface->radius;
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

static double hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  if (starts_inside(surface, dimension, origin)) return INFINITY;
  double normal[3], shift[3];
  face_normal(surface->point, normal);
  double side = vector_dot(normal, direction) > 0.0 ? -surface->radius : surface->radius;
  for (int k = 0; k < 3; k++) shift[k] = side * normal[k];
  double entry = face_hit(surface->point, shift, origin, direction);
  if (surface->radius == 0.0) return entry;
  for (int k = 0; k < 3; k++)
    entry = lesser(entry,
                   capsule_hit(surface->point[k], surface->point[(k + 1) % 3], surface->radius, origin, direction));
  return entry;
}

static floc_status check(environment *env, const floc_shape *description, int32_t dimension)
{
  (void)dimension;
  const double(*point)[3] = description->points;
  double along[3], across[3], face[3];
  vector_difference(point[1], point[0], along);
  vector_difference(point[2], point[0], across);
  vector_cross(along, across, face);
  if (vector_length(face) > 1e-12 * (vector_dot(along, along) + vector_dot(across, across))) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "triangle: the corners (%g, %g, %g), (%g, %g, %g), (%g, %g, %g) lie on one line", point[0][0],
                point[0][1], point[0][2], point[1][0], point[1][1], point[1][2], point[2][0], point[2][1],
                point[2][2]);
}

const shape_type shape_triangle = {.name = "triangle",
                                   .dimension = 3,
                                   .given = 3,
                                   .core = 3,
                                   .distance = distance,
                                   .bounds = core_bounds,
                                   .farthest = core_farthest,
                                   .touches = core_touches,
                                   .hit = hit,
                                   .check = check,
                                   .moments = moments_of_triangle};
