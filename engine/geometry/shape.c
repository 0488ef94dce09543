/*
 * Distances of points from shapes, and the boxes that shapes touch. See shape.h.
 *
 * The normal is minus the gradient of the distance everywhere, also where the distance is negative. It is
 * taken from the shape's own direction (the perpendicular of a segment, the face of a triangle) wherever
 * the nearest point lies inside the core, so that it stays sharp when the point comes close to the core;
 * from the difference of the two points only at ends and edges, or in space around an axis.
 */
#include "geometry/shape.h"

#include "base/structs.h"
#include "geometry/vector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Squared distance, relative to squared coordinates, that rounding of the coordinates alone produces. */
static const double ROUNDING_SQUARED = 1e-30;
STRUCT_INIT(shape, struct_zero);

/* ---- distance ---- */

/* A unit vector perpendicular to a direction, in 2-D to its left. */
static void perpendicular(const double direction[3], int32_t dimension, double result[3])
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

/* Direction from the position to the core's nearest point, separation = position - that point; `fallback`
 * if the two coincide within rounding. Returns the distance. */
static double direction_to_core(const double position[3], const double separation[3], const double fallback[3],
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

static double plane_distance(const shape *surface, const double position[3], double normal[3])
{
  double separation[3];
  vector_difference(position, surface->point[0], separation);
  for (int k = 0; k < 3; k++) normal[k] = -surface->point[1][k];
  return vector_dot(separation, surface->point[1]) - surface->radius;
}

static double sphere_distance(const shape *surface, const double position[3], double normal[3])
{
  static const double fallback[3] = {-1.0, 0.0, 0.0};
  double separation[3];
  vector_difference(position, surface->point[0], separation);
  return direction_to_core(position, separation, fallback, normal) - surface->radius;
}

static double hollow_distance(const shape *surface, const double position[3], double normal[3])
{
  double distance = sphere_distance(surface, position, normal);
  for (int k = 0; k < 3; k++) normal[k] = 0.0 - normal[k];
  return -distance;
}

/* Where along a .. b the nearest point to a position is, in [0, 1]; from_a = position - a. */
static double nearest_parameter(const double from_a[3], const double along[3])
{
  double t = vector_dot(from_a, along) / vector_dot(along, along);
  return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static double segment_distance(const shape *surface, int32_t dimension, const double position[3], double normal[3])
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

/* The nearest point lies on the face if the position is within all three edges, seen along the face's
 * normal; otherwise on one of the edges that have it outside, ends (corners) included. */
static double triangle_distance(const shape *surface, const double position[3], double normal[3])
{
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

double shape_distance(const shape *surface, int32_t dimension, const double position[3], double normal[3],
                      double nearest[3])
{
  double distance = INFINITY;
  switch (surface->kind) {
  case FLOC_SHAPE_PLANE:
    distance = plane_distance(surface, position, normal);
    break;
  case FLOC_SHAPE_SEGMENT:
    distance = segment_distance(surface, dimension, position, normal);
    break;
  case FLOC_SHAPE_SPHERE:
    distance = sphere_distance(surface, position, normal);
    break;
  case FLOC_SHAPE_HOLLOW:
    distance = hollow_distance(surface, position, normal);
    break;
  case FLOC_SHAPE_TRIANGLE:
    distance = triangle_distance(surface, position, normal);
    break;
  default:
    assert(!"a shape of unknown kind");
    return distance;
  }
  vector_add_scaled(position, distance, normal, nearest);
  return distance;
}

/* ---- boxes ---- */

/* Number of points that span a shape's core; a plane's has no end. */
static int core_points(int32_t kind)
{
  return kind == FLOC_SHAPE_TRIANGLE ? 3 : kind == FLOC_SHAPE_SEGMENT ? 2 : 1;
}

void shape_bounds(const shape *surface, int32_t dimension, double margin, double lower[3], double upper[3])
{
  int points = core_points(surface->kind);
  double reach = surface->radius + margin;
  for (int k = 0; k < 3; k++) {
    lower[k] = upper[k] = surface->point[0][k];
    for (int p = 1; p < points; p++) {
      lower[k] = fmin(lower[k], surface->point[p][k]);
      upper[k] = fmax(upper[k], surface->point[p][k]);
    }
    lower[k] = surface->kind == FLOC_SHAPE_PLANE ? -INFINITY : lower[k] - reach;
    upper[k] = surface->kind == FLOC_SHAPE_PLANE ? INFINITY : upper[k] + reach;
  }
  if (dimension == 2) lower[2] = upper[2] = 0.0;
}

/* A box as its centre and half widths. */
typedef struct middle_box {
  double center[3], half[3];
} middle_box;

static double half_width(const middle_box *box, const double axis[3])
{
  return fabs(axis[0]) * box->half[0] + fabs(axis[1]) * box->half[1] + fabs(axis[2]) * box->half[2];
}

static bool plane_touches(const shape *surface, double reach, const middle_box *box)
{
  double separation[3];
  vector_difference(box->center, surface->point[0], separation);
  return vector_dot(separation, surface->point[1]) - half_width(box, surface->point[1]) <= reach;
}

static bool sphere_touches(const shape *surface, double reach, const middle_box *box)
{
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    double outside = fmax(0.0, fabs(box->center[k] - surface->point[0][k]) - box->half[k]);
    squared += outside * outside;
  }
  return reach >= 0.0 && squared <= reach * reach;
}

/* The box holds points outside radius - margin if its farthest corner is one. */
static bool hollow_touches(const shape *surface, double margin, const middle_box *box)
{
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    double farthest = fabs(box->center[k] - surface->point[0][k]) + box->half[k];
    squared += farthest * farthest;
  }
  double least = surface->radius - margin;
  return least <= 0.0 || squared >= least * least;
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
static bool core_touches(const shape *surface, int32_t dimension, double reach, const middle_box *box)
{
  static const double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  int points = core_points(surface->kind);
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

bool shape_touches_box(const shape *surface, int32_t dimension, double margin, const double lower[3],
                       const double upper[3])
{
  middle_box box = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int k = 0; k < dimension; k++) {
    box.center[k] = 0.5 * (lower[k] + upper[k]);
    box.half[k] = 0.5 * (upper[k] - lower[k]);
  }
  double reach = surface->radius + margin;
  switch (surface->kind) {
  case FLOC_SHAPE_PLANE:
    return plane_touches(surface, reach, &box);
  case FLOC_SHAPE_SPHERE:
    return sphere_touches(surface, reach, &box);
  case FLOC_SHAPE_HOLLOW:
    return hollow_touches(surface, margin, &box);
  default:
    return core_touches(surface, dimension, reach, &box);
  }
}

/* ---- what the host gives ---- */

static const double GREATEST = 1e150; /* squares of coordinates must not overflow */
static const char *const KIND_NAME[] = {"", "plane", "segment", "sphere", "hollow sphere", "triangle"};

static int given_points(int32_t kind)
{
  return kind == FLOC_SHAPE_TRIANGLE ? 3 : kind == FLOC_SHAPE_SPHERE || kind == FLOC_SHAPE_HOLLOW ? 1 : 2;
}

static floc_status check_coordinates(environment *env, const floc_shape *description, int32_t dimension)
{
  int points = given_points(description->kind);
  for (int p = 0; p < points; p++) {
    for (int k = 0; k < 3; k++) {
      double value = description->points[p][k];
      if (!(fabs(value) <= GREATEST)) {
        return refuse(env, FLOC_INVALID_ARGUMENT, "%s: points[%d][%d] is %g; it must be finite, at most %g",
                      KIND_NAME[description->kind], p, k, value, GREATEST);
      }
    }
    double z = description->points[p][2];
    if (dimension == 2 && z != 0.0) {
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: points[%d][2] is %g; in two dimensions it must be 0",
                    KIND_NAME[description->kind], p, z);
    }
  }
  return FLOC_OK;
}

static floc_status check_radius(environment *env, const floc_shape *description)
{
  bool is_ball = description->kind == FLOC_SHAPE_SPHERE || description->kind == FLOC_SHAPE_HOLLOW;
  double radius = description->radius;
  if (radius <= GREATEST && (is_ball ? radius > 0.0 : radius >= 0.0)) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "%s: radius is %g; it must be %s 0 and at most %g",
                KIND_NAME[description->kind], radius, is_ball ? "above" : "at least", GREATEST);
}

static floc_status check_extent(environment *env, const floc_shape *description)
{
  const double(*point)[3] = description->points;
  double along[3], across[3], face[3];
  switch (description->kind) {
  case FLOC_SHAPE_PLANE:
    if (vector_dot(point[1], point[1]) > 0.0) return FLOC_OK;
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "plane: the normal points[1] is (%g, %g, %g); its length must be above 0 above 0", point[1][0],
                  point[1][1], point[1][2]);
  case FLOC_SHAPE_SEGMENT:
    vector_difference(point[1], point[0], along);
    if (vector_dot(along, along) > 0.0) return FLOC_OK;
    return refuse(env, FLOC_INVALID_ARGUMENT, "segment: both ends are (%g, %g, %g); they must differ", point[0][0],
                  point[0][1], point[0][2]);
  case FLOC_SHAPE_TRIANGLE:
    vector_difference(point[1], point[0], along);
    vector_difference(point[2], point[0], across);
    vector_cross(along, across, face);
    if (vector_length(face) > 1e-12 * (vector_dot(along, along) + vector_dot(across, across))) return FLOC_OK;
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "triangle: the corners (%g, %g, %g), (%g, %g, %g), (%g, %g, %g) lie on one line", point[0][0],
                  point[0][1], point[0][2], point[1][0], point[1][1], point[1][2], point[2][0], point[2][1],
                  point[2][2]);
  default:
    return FLOC_OK;
  }
}

floc_status shape_check(environment *env, const floc_shape *description, int32_t dimension)
{
  int32_t kind = description->kind;
  if (kind < FLOC_SHAPE_PLANE || kind > FLOC_SHAPE_TRIANGLE) {
    return refuse(
        env, FLOC_INVALID_ARGUMENT,
        "shape kind is %d; it must be 1 (plane), 2 (segment), 3 (sphere), 4 (hollow sphere) or 5 (triangle)",
        (int)kind);
  }
  if (kind == FLOC_SHAPE_TRIANGLE && dimension == 2) {
    return refuse(env, FLOC_NOT_SUPPORTED, "triangles exist in three dimensions only; this world has two");
  }
  floc_status status = check_coordinates(env, description, dimension);
  if (status == FLOC_OK) status = check_radius(env, description);
  if (status == FLOC_OK) status = check_extent(env, description);
  return status;
}
