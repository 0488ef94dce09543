/*
 * Gaps between shapes. See gap.h.
 *
 * Two convex cores are apart by d if and only if some direction n parts them by d: min n.x over one less max n.x
 * over the other. Where they are apart the direction of the nearest points is that from a corner to the other core,
 * or a normal of two edges; so the greatest value over these directions is the distance, and a lower bound for any
 * others.
 */
#include "geometry/shapes/gap.h"

#include "geometry/shapes/parts.h"

static bool has_corners(const shape *one)
{
  const shape_type *type = shape_type_of(one);
  return !type->is_half_space && !type->is_hollow && !type->framed;
}

static double parted_by(const shape *a, const shape *b, const double n[3])
{
  double lower = INFINITY, upper = -INFINITY;
  for (int p = 0; p < shape_type_of(b)->core; p++) lower = lesser(lower, vector_dot(n, b->point[p]));
  for (int p = 0; p < shape_type_of(a)->core; p++) upper = -lesser(-upper, -vector_dot(n, a->point[p]));
  return lower - upper;
}

static double either_way(const shape *a, const shape *b, const double n[3])
{
  const double back[3] = {-n[0], -n[1], -n[2]};
  return -lesser(-parted_by(a, b, n), -parted_by(a, b, back));
}

/* By directions from corners of a to b. */
static double corner_gap(const shape *a, const shape *b, int32_t dimension)
{
  double greatest = -INFINITY;
  for (int p = 0; p < shape_type_of(a)->core; p++) {
    double normal[3], nearest[3];
    shape_distance(b, dimension, a->point[p], normal, nearest);
    greatest = -lesser(-greatest, -either_way(a, b, normal));
  }
  return greatest;
}

static void edge_of(const shape *one, int edge, double along[3])
{
  const int core = shape_type_of(one)->core;
  vector_difference(one->point[(edge + 1) % core], one->point[edge], along);
}

static double edge_gap(const shape *a, const shape *b)
{
  double greatest = -INFINITY;
  const int edges[2] = {shape_type_of(a)->core, shape_type_of(b)->core};
  for (int e = 0; e < edges[0] && edges[0] > 1; e++)
    for (int f = 0; f < edges[1] && edges[1] > 1; f++) {
      double along[3], across[3], normal[3];
      edge_of(a, e, along);
      edge_of(b, f, across);
      vector_cross(along, across, normal);
      const double size = vector_length(normal);
      if (!(size > 0.0)) continue;
      for (int axis = 0; axis < 3; axis++) normal[axis] /= size;
      greatest = -lesser(-greatest, -either_way(a, b, normal));
    }
  return greatest;
}

/* b has an inside whose distance is concave: corners are nearest. */
static double corners_to(const shape *a, const shape *b, int32_t dimension)
{
  double least = INFINITY;
  for (int p = 0; p < shape_type_of(a)->core; p++) {
    double normal[3], nearest[3];
    least = lesser(least, shape_distance(b, dimension, a->point[p], normal, nearest));
  }
  return least - a->radius;
}

/* The ball around the box of a. */
static double ball_to(const shape *a, const shape *b, int32_t dimension)
{
  double lower[3], upper[3], middle[3] = {0.0, 0.0, 0.0}, square = 0.0, normal[3], nearest[3];
  shape_bounds(a, dimension, 0.0, lower, upper);
  for (int axis = 0; axis < dimension; axis++) {
    middle[axis] = 0.5 * (lower[axis] + upper[axis]);
    square += 0.25 * (upper[axis] - lower[axis]) * (upper[axis] - lower[axis]);
  }
  return shape_distance(b, dimension, middle, normal, nearest) - sqrt(square);
}

double shapes_gap(const shape *a, const shape *b, int32_t dimension)
{
  if (has_corners(a) && has_corners(b)) {
    double gap = -lesser(-corner_gap(a, b, dimension), -corner_gap(b, a, dimension));
    if (dimension == 3) gap = -lesser(-gap, -edge_gap(a, b));
    return gap - a->radius - b->radius;
  }
  if (has_corners(a) && !shape_type_of(b)->framed) return corners_to(a, b, dimension);
  if (has_corners(b) && !shape_type_of(a)->framed) return corners_to(b, a, dimension);
  return ball_to(a, b, dimension);
}
