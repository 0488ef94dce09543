/*
 * Shapes by their signed distance. See framed.h.
 *
 * The distance D changes by no more than a point moves, and |D| is at most the distance from the surface: so a box
 * whose centre is farther away than half its diagonal holds nothing of the surface, and a ray may continue by D
 * without meeting it (sphere tracing).
 *
 * What a host gives is tried at some points when a shape is added: numbers that are finite, unit gradients, a
 * change no larger than the way; where the distance is exact, D along the gradient leads to the surface.
 */
#include "geometry/shapes/framed.h"

#include "geometry/shapes/added.h"
#include "geometry/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the box's diagonal: where a ray has arrived; how far inside it is taken to be on the surface that it leaves.
 */
static const double ARRIVED = 1e-12, ON_SURFACE = 1e-7;
enum { MOST_STEPS = 20000 };

typedef struct frame {
  double axis[3][3];
} frame;

static frame frame_of(const shape *surface)
{
  frame own;
  memcpy(own.axis[0], surface->point[1], sizeof own.axis[0]);
  memcpy(own.axis[1], surface->point[2], sizeof own.axis[1]);
  vector_cross(own.axis[0], own.axis[1], own.axis[2]);
  return own;
}

/* In the shape's frame. */
static double ask(const floc_shape_type *given, const double *parameter, const double place[3], double gradient[3])
{
  double distance = NAN;
  const double *points[3] = {&place[0], &place[1], &place[2]};
  double *gradients[3] = {&gradient[0], &gradient[1], &gradient[2]};
  given->distance(given->context, parameter, 1, points, &distance, gradients);
  return distance;
}

double framed_distance(const shape *surface, int32_t dimension, const double position[3], double normal[3])
{
  const frame own = frame_of(surface);
  double from[3], place[3], gradient[3] = {0.0, 0.0, 0.0};
  vector_difference(position, surface->point[0], from);
  for (int k = 0; k < 3; k++) place[k] = vector_dot(own.axis[k], from);
  double distance = ask(shape_type_of(surface)->framed, surface->parameter, place, gradient);
  if (dimension == 2) gradient[2] = 0.0;
  double length = vector_length(gradient);
  if (!(length > 0.0)) {
    gradient[0] = length = 1.0;
    gradient[1] = gradient[2] = 0.0;
  }
  for (int k = 0; k < 3; k++)
    normal[k] =
        -(own.axis[0][k] * gradient[0] + own.axis[1][k] * gradient[1] + own.axis[2][k] * gradient[2]) / length;
  if (dimension == 2) normal[2] = 0.0;
  return distance - surface->radius;
}

void framed_bounds(const shape *surface, int32_t dimension, double lower[3], double upper[3])
{
  (void)dimension;
  const floc_shape_type *given = shape_type_of(surface)->framed;
  const frame own = frame_of(surface);
  double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
  given->bounds(given->context, surface->parameter, low, high);
  for (int k = 0; k < 3; k++) {
    double middle = surface->point[0][k], half = 0.0;
    for (int a = 0; a < 3; a++) {
      middle += 0.5 * (low[a] + high[a]) * own.axis[a][k];
      half += 0.5 * (high[a] - low[a]) * fabs(own.axis[a][k]);
    }
    lower[k] = middle - half;
    upper[k] = middle + half;
  }
}

double framed_farthest(const shape *local)
{
  double lower[3], upper[3], corner[3];
  framed_bounds(local, 3, lower, upper);
  for (int k = 0; k < 3; k++) corner[k] = fmax(fabs(lower[k]), fabs(upper[k]));
  return vector_length(corner) + local->radius;
}

bool framed_touches(const shape *surface, int32_t dimension, double margin, const middle_box *box)
{
  double normal[3];
  double distance = framed_distance(surface, dimension, box->center, normal);
  return !(distance - vector_length(box->half) * (1.0 + 1e-12) > margin);
}

/* ---- rays ---- */

/* The part of the ray that is in the box. */
static bool cross_box(const double lower[3], const double upper[3], int32_t dimension, const double origin[3],
                      const double direction[3], double *enter, double *leave)
{
  *enter = 0.0;
  *leave = INFINITY;
  for (int k = 0; k < dimension; k++) {
    if (direction[k] == 0.0) {
      if (origin[k] < lower[k] || origin[k] > upper[k]) return false;
      continue;
    }
    double a = (lower[k] - origin[k]) / direction[k], b = (upper[k] - origin[k]) / direction[k];
    *enter = fmax(*enter, fmin(a, b));
    *leave = fmin(*leave, fmax(a, b));
  }
  return *enter <= *leave;
}

typedef struct march {
  const shape *surface;
  const double *origin, *direction;
  int32_t dimension;
} march;

static double distance_at(const march *ray, double length, double *slope)
{
  double place[3], normal[3];
  for (int k = 0; k < 3; k++) place[k] = ray->origin[k] + length * ray->direction[k];
  double distance = framed_distance(ray->surface, ray->dimension, place, normal);
  *slope = -vector_dot(normal, ray->direction);
  return distance;
}

double framed_hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  const march ray = {surface, origin, direction, dimension};
  double lower[3], upper[3], across[3], length, leave, slope;
  framed_bounds(surface, dimension, lower, upper);
  vector_difference(upper, lower, across);
  double size = vector_length(across) + 2.0 * surface->radius, near = ON_SURFACE * size;
  for (int k = 0; k < 3; k++) {
    lower[k] -= surface->radius + near;
    upper[k] += surface->radius + near;
  }
  if (!cross_box(lower, upper, dimension, origin, direction, &length, &leave)) return INFINITY;
  double distance = distance_at(&ray, length, &slope);
  if (distance < -near) return INFINITY; /* it starts inside */
  bool leaves = length == 0.0 && distance < near && slope >= 0.0;
  for (int step = 0; step < MOST_STEPS && length <= leave; step++) {
    if (leaves) { /* the surface that it comes from is none to be met, until it is away from it */
      leaves = distance < near && slope >= 0.0;
      length += leaves ? near : 0.0;
    } else {
      if (distance <= ARRIVED * size) return length;
      length += distance;
    }
    distance = distance_at(&ray, length, &slope);
  }
  return INFINITY;
}

/* ---- what the host gives ---- */

void framed_prepare(shape *added)
{
  double along[3], *x = added->point[1], *y = added->point[2];
  if (vector_length(x) == 0.0 && vector_length(y) == 0.0) x[0] = y[1] = 1.0;
  double length = vector_length(x);
  for (int k = 0; k < 3; k++) x[k] /= length;
  vector_add_scaled(y, -vector_dot(x, y), x, along);
  length = vector_length(along);
  for (int k = 0; k < 3; k++) y[k] = along[k] / length;
}

static floc_status check_axes(environment *env, const shape_type *type, const floc_shape *description)
{
  const double *x = description->points[1], *y = description->points[2];
  double across[3], lengths = vector_length(x) * vector_length(y);
  vector_cross(x, y, across);
  bool none = vector_length(x) == 0.0 && vector_length(y) == 0.0;
  if (none || vector_length(across) > 1e-9 * lengths) return FLOC_OK;
  return refuse(
      env, FLOC_INVALID_ARGUMENT,
      "%s: the axes points[1] = (%g, %g, %g) and points[2] = (%g, %g, %g) span no plane; leave both 0 for "
      "the body's own",
      type->name, x[0], x[1], x[2], y[0], y[1], y[2]);
}

static floc_status check_parameters(environment *env, const shape_type *type, const floc_shape *description)
{
  const floc_shape_type *given = type->framed;
  for (int32_t k = 0; k < given->parameter_count; k++)
    if (!(fabs(description->parameters[k]) <= SHAPE_GREATEST))
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: %s is %g; it must be finite, at most %g", type->name,
                    given->parameters[k], description->parameters[k], SHAPE_GREATEST);
  return FLOC_OK;
}

static floc_status find_box(environment *env, const shape_type *type, const floc_shape *description,
                            int32_t dimension, double lower[3], double upper[3])
{
  const floc_shape_type *given = type->framed;
  bool fits = given->bounds(given->context, description->parameters, lower, upper);
  for (int k = 0; k < dimension && fits; k++)
    fits = fabs(lower[k]) <= SHAPE_GREATEST && fabs(upper[k]) <= SHAPE_GREATEST && lower[k] < upper[k];
  if (fits) return FLOC_OK;
  char values[160] = "";
  for (int32_t k = 0; k < given->parameter_count; k++) {
    size_t used = strlen(values);
    snprintf(values + used, sizeof values - used, "%s%s = %g", k ? ", " : "", given->parameters[k],
             description->parameters[k]);
  }
  return refuse(env, FLOC_INVALID_ARGUMENT, "%s: with %s it is no body of finite size", type->name,
                values[0] ? values : "its parameters");
}

static floc_status refuse_at(environment *env, const shape_type *type, const double place[3], const char *what,
                             double value)
{
  return refuse(env, FLOC_CALLBACK_FAILED, "%s: at (%g, %g, %g) of its frame %s %g", type->name, place[0], place[1],
                place[2], what, value);
}

enum { TRIES = 5 }; /* points along an axis, at places without symmetry */

static floc_status try_point(environment *env, const shape_type *type, const double *parameter, int32_t dimension,
                             double size, const double place[3], double *distance)
{
  double gradient[3] = {0.0, 0.0, 0.0}, on_surface[3], unused[3] = {0.0, 0.0, 0.0};
  *distance = ask(type->framed, parameter, place, gradient);
  if (dimension == 2) gradient[2] = 0.0;
  double length = vector_length(gradient);
  if (!isfinite(*distance)) return refuse_at(env, type, place, "the distance must be finite; it is", *distance);
  if (!(fabs(length - 1.0) < 1e-6))
    return refuse_at(env, type, place, "the gradient must have length 1; it has", length);
  if (!type->framed->exact) return FLOC_OK;
  vector_add_scaled(place, -*distance, gradient, on_surface);
  double left = ask(type->framed, parameter, on_surface, unused);
  if (fabs(left) < 1e-6 * size) return FLOC_OK;
  return refuse_at(env, type, place,
                   "the distance does not lead to the surface along the gradient (is it exact?); it misses it by",
                   left);
}

static floc_status try_distance(environment *env, const shape_type *type, const floc_shape *description,
                                int32_t dimension, const double lower[3], const double upper[3])
{
  double across[3] = {0.0, 0.0, 0.0}, before[3] = {0.0, 0.0, 0.0}, way[3], last = 0.0, distance;
  for (int k = 0; k < dimension; k++) across[k] = upper[k] - lower[k];
  double size = vector_length(across);
  int tries = dimension == 2 ? TRIES * TRIES : TRIES * TRIES * TRIES;
  for (int k = 0; k < tries; k++) {
    const int at[3] = {k % TRIES, k / TRIES % TRIES, k / (TRIES * TRIES)};
    double place[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < dimension; c++) place[c] = lower[c] + across[c] * (0.4387 * at[c] - 0.3791 - 0.0173 * c);
    floc_status status = try_point(env, type, description->parameters, dimension, size, place, &distance);
    if (status != FLOC_OK) return status;
    vector_difference(place, before, way);
    if (k > 0 && fabs(distance - last) > vector_length(way) * (1.0 + 1e-9) + 1e-9 * size)
      return refuse_at(env, type, place, "the distance changes by more than the point moves, by",
                       fabs(distance - last) - vector_length(way));
    memcpy(before, place, sizeof before);
    last = distance;
  }
  return FLOC_OK;
}

floc_status framed_check(environment *env, const shape_type *type, const floc_shape *description, int32_t dimension)
{
  double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {0.0, 0.0, 0.0};
  floc_status status = check_axes(env, type, description);
  if (status == FLOC_OK) status = check_parameters(env, type, description);
  if (status == FLOC_OK) status = find_box(env, type, description, dimension, lower, upper);
  bool is_built_in = description->kind < SHAPE_FIRST_ADDED;
  return status == FLOC_OK && !is_built_in ? try_distance(env, type, description, dimension, lower, upper) : status;
}
