/*
 * Shapes of any type: what is the same for all of them. See shape.h; the types are in shapes/.
 */
#include "geometry/shape.h"

#include "base/structs.h"
#include "geometry/shapes/added.h"
#include "geometry/shapes/framed.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

/* ---- distance ---- */

double shape_distance(const shape *surface, int32_t dimension, const double position[3], double normal[3],
                      double nearest[3])
{
  double distance = shape_type_of(surface)->distance(surface, dimension, position, normal);
  vector_add_scaled(position, distance, normal, nearest);
  return distance;
}

/* ---- boxes ---- */

void shape_bounds(const shape *surface, int32_t dimension, double margin, double lower[3], double upper[3])
{
  double reach = surface->radius + margin;
  shape_type_of(surface)->bounds(surface, dimension, lower, upper);
  for (int k = 0; k < 3; k++) {
    lower[k] -= reach;
    upper[k] += reach;
  }
  if (dimension == 2) lower[2] = upper[2] = 0.0;
}

bool shape_touches_box(const shape *surface, int32_t dimension, double margin, const double lower[3],
                       const double upper[3])
{
  middle_box box = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int k = 0; k < dimension; k++) {
    box.center[k] = 0.5 * (lower[k] + upper[k]);
    box.half[k] = 0.5 * (upper[k] - lower[k]);
  }
  return shape_type_of(surface)->touches(surface, dimension, margin, &box);
}

bool shape_is_half_space(const shape *surface)
{
  return shape_type_of(surface)->is_half_space;
}

bool shape_extends(const shape *surface, int axis)
{
  const shape_type *type = shape_type_of(surface);
  return type->extends && type->extends(surface, axis);
}

bool shape_is_hollow(const shape *surface)
{
  return shape_type_of(surface)->is_hollow;
}

int32_t shape_core_points(const shape *surface)
{
  const shape_type *type = shape_type_of(surface);
  return type->is_half_space || type->is_hollow || type->framed ? 0 : type->core;
}

/* ---- poses ---- */

void shape_place(const shape *local, const double position[3], double matrix[3][3], shape *placed)
{
  uint32_t directions = shape_type_of(local)->directions;
  *placed = *local;
  for (int p = 0; p < 3; p++) {
    bool is_direction = directions >> p & 1;
    for (int k = 0; k < 3; k++) {
      double turned = vector_dot(matrix[k], local->point[p]);
      placed->point[p][k] = is_direction ? turned : position[k] + turned;
    }
  }
}

double shape_farthest(const shape *local)
{
  return shape_type_of(local)->farthest(local);
}

/* ---- rays ---- */

double shape_hit(const shape *surface, int32_t dimension, const double origin[3], const double direction[3])
{
  return shape_type_of(surface)->hit(surface, dimension, origin, direction);
}

static void direct_against(const double direction[3], double normal[3])
{
  if (vector_dot(direction, normal) > 0.0)
    for (int k = 0; k < 3; k++) normal[k] = -normal[k];
}

void shape_hit_normal(const shape *surface, int32_t dimension, const double point[3], const double direction[3],
                      double normal[3])
{
  const shape_type *type = shape_type_of(surface);
  if (type->hit_normal)
    type->hit_normal(surface, point, normal);
  else
    type->distance(surface, dimension, point, normal);
  direct_against(direction, normal);
}

bool shape_is_concave(const shape *surface)
{
  return shape_type_of(surface)->is_concave;
}

/* ---- what the host gives ---- */

static floc_status check_coordinates(environment *env, const floc_shape *description, const shape_type *type,
                                     int32_t dimension)
{
  for (int p = 0; p < type->given; p++) {
    for (int k = 0; k < 3; k++) {
      double value = description->points[p][k];
      if (!(fabs(value) <= SHAPE_GREATEST)) {
        return refuse(env, FLOC_INVALID_ARGUMENT, "%s: points[%d][%d] is %g; it must be finite, at most %g",
                      type->name, p, k, value, SHAPE_GREATEST);
      }
    }
    double z = description->points[p][2];
    if (dimension == 2 && z != 0.0) {
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: points[%d][2] is %g; in two dimensions it must be 0",
                    type->name, p, z);
    }
  }
  return FLOC_OK;
}

static floc_status check_unused(environment *env, const floc_shape *description, const shape_type *type)
{
  int32_t used = type->framed ? type->framed->parameter_count : 0;
  int32_t all = sizeof description->parameters / sizeof *description->parameters;
  for (int32_t k = used; k < all; k++)
    if (description->parameters[k] != 0.0)
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: parameters[%d] is %g, but it has %d parameters", type->name,
                    (int)k, description->parameters[k], (int)used);
  return FLOC_OK;
}

floc_status shape_check(environment *env, const shape_type *type, const floc_shape *description, int32_t dimension)
{
  if (!type) return shape_refuse_kind(env, description->kind);
  if (type->dimension != 0 && type->dimension != dimension)
    return refuse(env, FLOC_NOT_SUPPORTED, "%ss exist in %s dimensions only; this world has %s", type->name,
                  type->dimension == 3 ? "three" : "two", dimension == 3 ? "three" : "two");
  floc_status status = check_coordinates(env, description, type, dimension);
  if (status == FLOC_OK) status = check_unused(env, description, type);
  if (status == FLOC_OK && type->check) status = type->check(env, description, dimension);
  if (status == FLOC_OK && type->framed) status = framed_check(env, type, description, dimension);
  return status == FLOC_OK ? fields_check(env, &struct_shape, description) : status;
}

const char *shape_type_name(const shape_type *type)
{
  return type->name;
}

const char *shape_name(const shape *surface)
{
  return shape_type_of(surface)->name;
}

bool shape_is_framed(const shape_type *type)
{
  return type->framed != NULL;
}

shape shape_make(const shape_type *type, const floc_shape *description)
{
  shape made = {.kind = description->kind, .radius = description->radius, .framed = -1};
  memcpy(made.point, description->points, sizeof made.point);
  if (made.kind >= SHAPE_FIRST_ADDED) made.type = type;
  if (type->prepare) type->prepare(&made);
  return made;
}
