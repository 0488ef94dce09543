/*
 * Flights through a scene. See ray_scene.h.
 *
 * A flight looks at the shapes first, then walks through the grid no farther than the nearest of them. Where a ray
 * meets a sphere, its position is put exactly onto the sphere, so that errors do not grow from bounce to bounce.
 */
#include "rays/ray_scene.h"

#include "geometry/shape.h"
#include "geometry/vector.h"
#include "rays/walk.h"

#include <math.h>

enum {
  CROSSING_LIMIT = 10000, /* of periodic faces in one flight */
  CHANNEL_HITS = 64       /* in a row, beyond everything, and the channel counts as endless */
};

/* The part of the ray inside the grid's box; false if there is none. */
static bool clip(const ray_scene *scene, const traveler *ray, double *enter, double *leave)
{
  for (int axis = 0; axis < scene->dimension; axis++) {
    double x = ray->position[axis], d = ray->direction[axis];
    if (d == 0.0) {
      if (x < scene->lower[axis] || x > scene->upper[axis]) return false;
      continue;
    }
    double near = ((d > 0.0 ? scene->lower[axis] : scene->upper[axis]) - x) / d;
    double far = ((d > 0.0 ? scene->upper[axis] : scene->lower[axis]) - x) / d;
    if (near > *enter) *enter = near;
    if (far < *leave) *leave = far;
  }
  return *enter <= *leave;
}

static bool starts_in_box(const ray_scene *scene, const traveler *ray)
{
  const double *x = ray->position, *lower = scene->lower, *upper = scene->upper;
  return (x[0] >= lower[0]) & (x[0] <= upper[0]) & (x[1] >= lower[1]) & (x[1] <= upper[1]) & (x[2] >= lower[2]) &
         (x[2] <= upper[2]);
}

double ray_scene_leave(const ray_scene *scene, const traveler *ray)
{
  double enter = 0.0, leave = INFINITY;
  return scene->instance_count > 0 && clip(scene, ray, &enter, &leave) && leave < INFINITY ? leave : 0.0;
}

/* Number of the instance that the traveler has just left, or is inside of; -1 if it is not in the grid.
 * Instances are in the order of slots, and without periodic images there is one for each. */
static int32_t instance_left(const ray_scene *scene, const traveler *ray)
{
  if (ray->left <= 0) return -1;
  int32_t slot = (int32_t)particles_find(scene->table, ray->left);
  if (scene->instance_count == scene->table->count) return ray->left_image == IMAGE_HOME ? slot : -1;
  int64_t low = 0, high = scene->instance_count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (scene->instance[middle].slot < slot)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < scene->instance_count && scene->instance[low].slot == slot; low++)
    if (scene->instance[low].image == ray->left_image) return (int32_t)low;
  return -1;
}

/* Where the ray leaves a periodic box; INFINITY without periodic axes. */
static double box_exit(const ray_scene *scene, const traveler *ray, int *axis_out)
{
  double nearest = INFINITY;
  for (int axis = 0; axis < scene->dimension; axis++) {
    double d = ray->direction[axis];
    if (scene->box->length[axis] <= 0.0 || d == 0.0) continue;
    double length = ((d > 0.0 ? scene->upper[axis] : scene->lower[axis]) - ray->position[axis]) / d;
    if (length < nearest) {
      nearest = length;
      *axis_out = axis;
    }
  }
  return nearest < 0.0 ? 0.0 : nearest;
}

static void cross_periodic_face(const ray_scene *scene, traveler *ray, double length, int axis)
{
  vector_add_scaled(ray->position, length, ray->direction, ray->position);
  bool up = ray->direction[axis] > 0.0;
  ray->position[axis] = up ? scene->lower[axis] : scene->upper[axis];
  int32_t offset = (ray->left_image >> (8 * axis) & 0xff) + (up ? -1 : 1);
  if (offset < 0 || offset > 2)
    ray->left = ray->inside ? ray->left : SURFACE_NONE; /* far behind */
  else
    ray->left_image = (ray->left_image & ~(0xff << (8 * axis))) | offset << (8 * axis);
}

static double nearest_shape(const ray_scene *scene, const traveler *ray, double best, surface_name *found)
{
  int32_t count = scene->obstacles ? scene->obstacles->shape_count : 0;
  for (int32_t k = 0; k < count; k++) {
    const shape *surface = &scene->obstacles->world[k];
    surface_name name = FIRST_SHAPE_NAME - k;
    if (name == ray->left && !shape_is_concave(surface)) continue;
    double length = shape_hit(surface, scene->dimension, ray->position, ray->direction);
    if (length < best) {
      best = length;
      *found = name;
    }
  }
  return best;
}

/* Ends a flight at a body: position, normal, name. */
static void arrive_at_obstacle(const ray_scene *scene, traveler *ray, double length, surface_name name,
                               flight *result)
{
  vector_add_scaled(ray->position, length, ray->direction, ray->position);
  result->end = FLIGHT_HIT_OBSTACLE;
  ray->channel_hits++; /* is_leaving() sets it back where it does not count */
  result->surface = name;
  const shape *surface = &scene->obstacles->world[FIRST_SHAPE_NAME - name];
  shape_hit_normal(surface, scene->dimension, ray->position, ray->direction, result->normal);
}

/* Ends a flight at a sphere, entered or (inside) left. */
static void arrive_at_sphere(const ray_scene *scene, traveler *ray, double length, int32_t number, flight *result)
{
  const sphere_instance *sphere = &scene->instance[number];
  double outward[3];
  bool within = length < 0.0; /* the ray came in through another sphere: it turns round where it is */
  vector_add_scaled(ray->position, within ? 0.0 : length, ray->direction, ray->position);
  vector_difference(ray->position, sphere->center, outward);
  double distance = vector_length(outward);
  double sign = ray->inside ? -1.0 : 1.0;
  for (int k = 0; k < 3; k++) {
    double unit = distance > 0.0 ? outward[k] / distance : -ray->direction[k];
    result->normal[k] = sign * unit;
    result->center[k] = sphere->center[k];
    if (!within) ray->position[k] = sphere->center[k] + sphere->radius * unit;
  }
  result->end = FLIGHT_HIT_SPHERE;
  result->slot = sphere->slot;
  result->image = sphere->image;
  result->surface = sphere->id;
}

/* Length to the far side of the sphere that the traveler is inside of. */
static double far_side(const ray_scene *scene, const traveler *ray, int32_t number)
{
  const sphere_instance *sphere = &scene->instance[number];
  double to_center[3], across[3];
  vector_difference(sphere->center, ray->position, to_center);
  double along = vector_dot(to_center, ray->direction);
  vector_add_scaled(to_center, -along, ray->direction, across);
  double discriminant = sphere->radius * sphere->radius - vector_dot(across, across);
  double length = along + (discriminant > 0.0 ? sqrt(discriminant) : 0.0);
  return length > 0.0 ? length : 0.0;
}

/* One leg: up to a surface, the length limit, or a periodic face. Returns false when the flight has ended. */
static bool fly_leg(const ray_scene *scene, traveler *ray, double limit, flight *result)
{
  int face = -1;
  double exit = scene->has_periods ? box_exit(scene, ray, &face) : INFINITY;
  double best = exit < limit ? exit : limit;
  int32_t number = -1;
  surface_name name = SURFACE_NONE;
  int32_t excluded = instance_left(scene, ray);
  if (ray->inside && excluded >= 0) {
    double length = far_side(scene, ray, excluded);
    if (length < best) {
      best = length;
      number = excluded;
    }
  } else {
    ray->inside = false;
    if (scene->has_shapes) best = nearest_shape(scene, ray, best, &name);
    double enter = 0.0, leave = best;
    bool crosses = scene->instance_count > 0 && (starts_in_box(scene, ray) || clip(scene, ray, &enter, &leave));
    if (crosses) {
      double length = walk_to_sphere(scene, ray, enter, best, excluded, &number);
      if (number >= 0) best = length;
    }
  }
  const double before = result->length;
  result->length += best > 0.0 ? best : 0.0;
  if (number >= 0)
    arrive_at_sphere(scene, ray, best, number, result);
  else if (name != SURFACE_NONE)
    arrive_at_obstacle(scene, ray, best, name, result);
  else if (limit <= exit && limit < INFINITY) {
    vector_add_scaled(ray->position, limit, ray->direction, ray->position);
    result->end = FLIGHT_STOPPED;
  } else if (face < 0) {
    result->end = FLIGHT_ESCAPED;
    result->last_way = before + ray_scene_leave(scene, ray);
  } else {
    cross_periodic_face(scene, ray, exit, face);
    return true;
  }
  return false;
}

/* Outside everything but planes on an open axis, not coming back along it, and no plane could turn it. */
static bool is_beyond(const ray_scene *scene, const traveler *ray)
{
  if (starts_in_box(scene, ray)) return false;
  for (int axis = 0; axis < scene->dimension; axis++) {
    double x = ray->position[axis], d = ray->direction[axis];
    if (scene->box->boundary[axis] == FLOC_BOUNDARY_PERIODIC) continue;
    if (x > scene->outer_upper[axis] && d >= 0.0 && !scene->turns_down[axis]) return true;
    if (x < scene->outer_lower[axis] && d <= 0.0 && !scene->turns_up[axis]) return true;
  }
  return false;
}

/* Gone for good: beyond with no shape ahead, or bouncing along a channel of planes that has no end. */
static bool is_leaving(const ray_scene *scene, traveler *ray)
{
  surface_name ahead;
  if (!is_beyond(scene, ray)) {
    ray->channel_hits = 0;
    return false;
  }
  return ray->channel_hits >= CHANNEL_HITS || nearest_shape(scene, ray, INFINITY, &ahead) == INFINITY;
}

/* Behind a plane, and not on the way out: a beam may be wider than a closed domain. What else is behind the
 * plane is not there. */
static bool is_buried(const ray_scene *scene, const traveler *ray)
{
  if (!scene->has_shapes) return false;
  for (int32_t k = 0; k < scene->obstacles->shape_count; k++) {
    const shape *surface = &scene->obstacles->world[k];
    if (!shape_is_half_space(surface) || ray->left == FIRST_SHAPE_NAME - k) continue;
    double height[3];
    vector_difference(ray->position, surface->point[0], height);
    bool behind = vector_dot(height, surface->point[1]) - surface->radius < -1e-9 * scene->size;
    if (behind && vector_dot(ray->direction, surface->point[1]) <= 0.0) return true;
  }
  return false;
}

void ray_scene_fly(const ray_scene *scene, traveler *ray, double length, flight *result)
{
  result->end = FLIGHT_LOST;
  result->length = 0.0;
  for (int crossings = 0; crossings < CROSSING_LIMIT; crossings++) {
    if (is_leaving(scene, ray) || is_buried(scene, ray)) {
      result->end = FLIGHT_ESCAPED;
      result->last_way = result->length;
      return;
    }
    if (!fly_leg(scene, ray, length - result->length, result)) return;
  }
}

static int64_t cell_at(const ray_scene *scene, const double position[3])
{
  int64_t cell = 0;
  for (int axis = 2; axis >= 0; axis--) {
    double place = (position[axis] - scene->lower[axis]) * scene->inverse_cell[axis];
    if (!(position[axis] >= scene->lower[axis] && position[axis] <= scene->upper[axis])) return -1;
    int32_t index = place >= scene->cells[axis] ? scene->cells[axis] - 1 : place > 0.0 ? (int32_t)place : 0;
    cell = cell * scene->cells[axis] + index;
  }
  return cell;
}

/* First instance that holds the position and is entered by the direction (NULL: any); -1 if none. */
static int32_t holding_sphere(const ray_scene *scene, const double position[3], const double *direction)
{
  if (scene->instance_count == 0) return -1;
  int64_t cell = cell_at(scene, position);
  if (cell < 0) return -1;
  for (int32_t k = PACK_SIZE * scene->start[cell]; k < PACK_SIZE * scene->start[cell + 1]; k++) {
    if (scene->pack[k / PACK_SIZE].radius_squared[k % PACK_SIZE] < 0.0) continue;
    const sphere_instance *sphere = &scene->instance[scene->number[k]];
    double outward[3];
    vector_difference(position, sphere->center, outward);
    if (vector_dot(outward, outward) >= sphere->radius * sphere->radius) continue;
    if (!direction || vector_dot(outward, direction) < 0.0) return scene->number[k];
  }
  return -1;
}

bool ray_scene_inside_sphere(const ray_scene *scene, const double position[3])
{
  return holding_sphere(scene, position, NULL) >= 0;
}

void ray_scene_advance(const ray_scene *scene, traveler *ray, double length, flight *result)
{
  result->end = FLIGHT_STOPPED;
  double best = length;
  surface_name name = SURFACE_NONE;
  best = nearest_shape(scene, ray, best, &name);
  result->length = best;
  if (name != SURFACE_NONE) {
    arrive_at_obstacle(scene, ray, best, name, result);
    return;
  }
  vector_add_scaled(ray->position, best, ray->direction, ray->position);
  for (int axis = 0; axis < scene->dimension; axis++)
    ray->position[axis] = domain_wrap(scene->box, axis, ray->position[axis]);
  if (ray->emerging) {
    ray->emerging = ray_scene_inside_sphere(scene, ray->position);
  } else {
    int32_t number = holding_sphere(scene, ray->position, ray->direction);
    if (number >= 0) arrive_at_sphere(scene, ray, -1.0, number, result);
  }
  if (result->end != FLIGHT_STOPPED || !is_leaving(scene, ray)) return;
  result->end = FLIGHT_ESCAPED;
  result->last_way = result->length - fmin(result->length, ray_scene_beyond(scene, ray));
}

double ray_scene_beyond(const ray_scene *scene, const traveler *ray)
{
  traveler end = *ray;
  double enter = 0.0, leave = INFINITY;
  if (!is_leaving(scene, &end)) return 0.0;
  for (int k = 0; k < 3; k++) end.direction[k] = -ray->direction[k];
  return scene->instance_count > 0 && clip(scene, &end, &enter, &leave) ? enter : INFINITY;
}
