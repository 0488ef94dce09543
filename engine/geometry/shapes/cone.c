/*
 * Cones that are cut off straight, and cylinders, which are cones of two equal radii: solid (`cone`), and as thin
 * walls with two sides (`cone_wall`), of which any of the three parts may be there.
 *
 * The axis is z of the frame, from 0 to the height; the radius is radius_first there and radius_second at the
 * height. Around the axis all is alike, so distances are those in the half plane of (from_axis, z), to the edges
 *
 *     first end  (0, 0) - (radius_first, 0),  side - (radius_second, height),  second end - (0, height).
 *
 * A grain in a corner of a wall of two parts would touch one of them at a time: a pot is a wall of each
 * part by itself (see compound.c).
 */
#include "geometry/shapes/cone.h"

#include "geometry/shapes/framed.h"
#include "geometry/vector.h"

#include <math.h>

enum { RADIUS_FIRST, RADIUS_SECOND, HEIGHT, SOLID_PARAMETERS, PARTS = SOLID_PARAMETERS, WALL_PARAMETERS };

/* In the half plane: [0] from the axis, [1] along it. */
typedef struct edge {
  double from[2], to[2];
} edge;

typedef struct nearest {
  double distance, away[2]; /* from the nearest point to the one asked about; not of length 1 */
  double outwards[2];       /* the normal of the nearest edge */
} nearest;

static void compare(const edge *one, const double at[2], nearest *least)
{
  const double along[2] = {one->to[0] - one->from[0], one->to[1] - one->from[1]};
  const double squared = along[0] * along[0] + along[1] * along[1];
  double share = (at[0] - one->from[0]) * along[0] + (at[1] - one->from[1]) * along[1];
  share = squared > 0.0 ? fmin(fmax(share / squared, 0.0), 1.0) : 0.0;
  const double away[2] = {at[0] - one->from[0] - share * along[0], at[1] - one->from[1] - share * along[1]};
  const double distance = floc_hypot(away[0], away[1]);
  if (!(distance < least->distance)) return;
  const double length = sqrt(squared);
  *least = (nearest){.distance = distance, .away = {away[0], away[1]}};
  least->outwards[0] = length > 0.0 ? along[1] / length : 1.0;
  least->outwards[1] = length > 0.0 ? -along[0] / length : 0.0;
}

static nearest find_nearest(const double *parameters, int parts, const double at[2])
{
  const double first = parameters[RADIUS_FIRST], second = parameters[RADIUS_SECOND], height = parameters[HEIGHT];
  const edge edges[3] = {
      {{0.0, 0.0}, {first, 0.0}}, {{first, 0.0}, {second, height}}, {{second, height}, {0.0, height}}};
  nearest least = {.distance = INFINITY};
  for (int k = 0; k < 3; k++)
    if (parts & 1 << k) compare(&edges[k], at, &least);
  return least;
}

static bool is_inside(const double *parameters, const double at[2])
{
  const double first = parameters[RADIUS_FIRST], second = parameters[RADIUS_SECOND], height = parameters[HEIGHT];
  return at[1] > 0.0 && at[1] < height && at[0] * height < first * (height - at[1]) + second * at[1];
}

/* A direction of the half plane, in the frame. */
static void turn(const double of[2], const double position[2], double from_axis, double *const *gradients,
                 int32_t k)
{
  gradients[0][k] = of[0] * (from_axis > 0.0 ? position[0] / from_axis : 1.0);
  gradients[1][k] = of[0] * (from_axis > 0.0 ? position[1] / from_axis : 0.0);
  gradients[2][k] = of[1];
}

/* Inside of a solid cone distances are negative. */
static void measure(const double *parameters, int parts, bool solid, int32_t count, const double *const *points,
                    double *distances, double *const *gradients)
{
  for (int32_t k = 0; k < count; k++) {
    const double position[2] = {points[0][k], points[1][k]};
    const double from_axis = floc_hypot(position[0], position[1]), at[2] = {from_axis, points[2][k]};
    const nearest least = find_nearest(parameters, parts, at);
    const double sign = solid && is_inside(parameters, at) ? -1.0 : 1.0;
    double direction[2] = {least.outwards[0], least.outwards[1]};
    if (least.distance > 0.0)
      for (int c = 0; c < 2; c++) direction[c] = sign * least.away[c] / least.distance;
    distances[k] = sign * least.distance;
    turn(direction, position, from_axis, gradients, k);
  }
}

static void distance(void *context, const double *parameters, int32_t count, const double *const *points,
                     double *distances, double *const *gradients)
{
  (void)context;
  measure(parameters, CONE_ALL, true, count, points, distances, gradients);
}

static void wall_distance(void *context, const double *parameters, int32_t count, const double *const *points,
                          double *distances, double *const *gradients)
{
  (void)context;
  measure(parameters, (int)parameters[PARTS], false, count, points, distances, gradients);
}

static bool bounds(void *context, const double *parameters, double *lower, double *upper)
{
  (void)context;
  const double first = parameters[RADIUS_FIRST], second = parameters[RADIUS_SECOND];
  for (int k = 0; k < 2; k++) lower[k] = -(upper[k] = fmax(first, second));
  lower[2] = 0.0;
  upper[2] = parameters[HEIGHT];
  return first >= 0.0 && second >= 0.0 && first + second > 0.0 && parameters[HEIGHT] > 0.0;
}

static bool wall_bounds(void *context, const double *parameters, double *lower, double *upper)
{
  const double parts = parameters[PARTS];
  return bounds(context, parameters, lower, upper) && parts >= 1.0 && parts <= CONE_ALL && parts == floor(parts);
}

/* ---- drawing ---- */

enum { FACETS = 48 };
static const double TURN = 6.283185307179586476925;

static void corner(const shape *surface, double radius, double height, int32_t k, double place[3])
{
  const double angle = TURN * (k % FACETS) / FACETS,
               along[3] = {radius * floc_cos(angle), radius * floc_sin(angle), height};
  double z[3];
  vector_cross(surface->point[1], surface->point[2], z);
  for (int c = 0; c < 3; c++)
    place[c] =
        surface->point[0][c] + along[0] * surface->point[1][c] + along[1] * surface->point[2][c] + along[2] * z[c];
}

/* A triangle of a ring between two circles, one of which may be a point. */
static void facet(floc_shape *made, const shape *surface, const double radius[2], const double height[2], int32_t k,
                  bool second)
{
  *made = (floc_shape){.struct_size = sizeof *made, .kind = FLOC_SHAPE_TRIANGLE, .radius = surface->radius};
  corner(surface, radius[0], height[0], k, made->points[0]);
  corner(surface, radius[second], height[second], k + 1, made->points[1]);
  corner(surface, radius[1], height[1], second ? k : k + 1, made->points[2]);
}

static int64_t ring(const shape *surface, const double radius[2], const double height[2], floc_shape *out,
                    int64_t capacity, int64_t count)
{
  for (int32_t k = 0; k < FACETS; k++) {
    for (int second = 0; second < 2; second++) {
      if (radius[second] == 0.0) continue; /* both corners of that circle are its middle */
      if (count < capacity) facet(&out[count], surface, radius, height, k, second);
      count++;
    }
  }
  return count;
}

static int64_t draw_parts(const shape *surface, int parts, floc_shape *out, int64_t capacity)
{
  const double *parameter = surface->parameter, height = parameter[HEIGHT];
  const double first = parameter[RADIUS_FIRST], second = parameter[RADIUS_SECOND];
  int64_t count = 0;
  if (parts & CONE_FIRST_END)
    count = ring(surface, (double[]){0.0, first}, (double[]){0.0, 0.0}, out, capacity, count);
  if (parts & CONE_SIDE)
    count = ring(surface, (double[]){first, second}, (double[]){0.0, height}, out, capacity, count);
  if (parts & CONE_SECOND_END)
    count = ring(surface, (double[]){second, 0.0}, (double[]){height, height}, out, capacity, count);
  return count;
}

static int64_t draw(const shape *surface, floc_shape *out, int64_t capacity)
{
  return draw_parts(surface, CONE_ALL, out, capacity);
}

static int64_t draw_wall(const shape *surface, floc_shape *out, int64_t capacity)
{
  return draw_parts(surface, (int)surface->parameter[PARTS], out, capacity);
}

/* ---- the types ---- */

static const char *const names[WALL_PARAMETERS] = {"radius_first", "radius_second", "height", "parts"};

static const floc_shape_type solid = {.name = "cone",
                                      .dimension = 3,
                                      .parameter_count = SOLID_PARAMETERS,
                                      .parameters = names,
                                      .exact = true,
                                      .distance = distance,
                                      .bounds = bounds};
static const floc_shape_type wall = {.name = "cone_wall",
                                     .dimension = 3,
                                     .parameter_count = WALL_PARAMETERS,
                                     .parameters = names,
                                     .exact = true,
                                     .distance = wall_distance,
                                     .bounds = wall_bounds};

const shape_type shape_cone = {FRAMED_TYPE, .name = "cone", .dimension = 3, .framed = &solid, .draw = draw};
const shape_type shape_cone_wall = {FRAMED_TYPE, .name = "cone_wall", .dimension = 3, .framed = &wall,
                                    .draw = draw_wall};
