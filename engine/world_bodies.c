/*
 * Bodies of a world, and joints between them.
 */
#include "world.h"

#include "files/file_layer.h"
#include "geometry/free_body.h"
#include "geometry/joints.h"
#include "geometry/meshes/mesh.h"

#include <math.h>
#include <string.h>

static floc_status check_body(const floc_world *world, environment *env, int32_t number)
{
  return bodies_check_number(&world->obstacles, env, number);
}

/* What it weighs is that of the shapes that it had. */
static floc_status check_may_grow(const floc_world *world, environment *env, int32_t number)
{
  floc_status status = check_body(world, env, number);
  if (status != FLOC_OK || !body_is_free(&world->obstacles.body[number])) return status;
  return refuse(env, FLOC_WRONG_STATE, "body %d (%s) is free; its shapes must be added before", number,
                body_label(&world->obstacles.body[number]));
}

floc_status floc_body_add(floc_world *world, const floc_body_options *options, int32_t *number)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, body_options, options);
  int32_t added;
  floc_status status =
      world_need_feature(world, options->motion == FLOC_MOTION_SERVO ? FLOC_FEATURE_SERVO : FLOC_FEATURE_BODIES);
  if (status == FLOC_OK) status = bodies_add(&world->obstacles, options, world_time(world), &added);
  if (status == FLOC_OK && number) *number = added;
  return status;
}

/* Lists stand without the shapes that go, and what the others remember of particles stays. */
static void forget_shapes(floc_world *world, int32_t number, int32_t *new_shape)
{
  const int32_t before = world->obstacles.shape_count;
  bodies_remove(&world->obstacles, number, world->step, new_shape);
  if (world->obstacles.shape_count == before) return;
  neighbors_remove_shapes(world->near, new_shape);
  ray_sources_forget_shapes(world->rays, new_shape);
  if (world->method.forget_forces) world->method.forget_forces(world->method.state);
  world->energies_hold = false;
  world->column_calls++;
}

floc_status floc_body_remove(floc_world *world, int32_t number)
{
  WORLD_ENTER(world);
  environment *env = &world->env;
  floc_status status = check_body(world, env, number);
  if (status == FLOC_OK && number == world->obstacles.domain_body)
    status = refuse(env, FLOC_NOT_SUPPORTED, "body %d is the walls of the domain, which cannot be removed", number);
  if (status != FLOC_OK) return status;
  const arena_mark before = arena_here(&world->scratch);
  int32_t *new_shape = arena_allocate(&world->scratch, (size_t)world->obstacles.shape_count + 1, sizeof *new_shape);
  if (new_shape) forget_shapes(world, number, new_shape);
  arena_return(&world->scratch, before);
  return new_shape ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

floc_status floc_body_add_shape(floc_world *world, int32_t number, const floc_shape *description)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, shape, description);
  floc_status status = check_may_grow(world, &world->env, number);
  if (status == FLOC_OK) status = bodies_add_shape(&world->obstacles, number, description);
  if (status != FLOC_OK) return status;
  neighbors_invalidate(world->near);
  world->energies_hold = false;
  world->unchecked = world->bodies_unchecked = true;
  return FLOC_OK;
}

floc_status floc_body_set_material(floc_world *world, int32_t number, int32_t index, int32_t material)
{
  WORLD_ENTER(world);
  return bodies_set_material(&world->obstacles, number, index, material);
}

floc_status floc_body_add_compound(floc_world *world, int32_t number, const floc_compound *compound)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, compound, compound);
  floc_status status = check_may_grow(world, &world->env, number);
  if (status == FLOC_OK) status = bodies_add_compound(&world->obstacles, number, compound);
  if (status != FLOC_OK) return status;
  neighbors_invalidate(world->near);
  world->energies_hold = false;
  world->unchecked = world->bodies_unchecked = true;
  return FLOC_OK;
}

/* ---- meshes ---- */

static floc_status read_bytes(open_file *file, unsigned char **bytes, uint64_t *size)
{
  floc_status status = file_size(file, size);
  if (status != FLOC_OK) return status;
  *bytes = memory_resize(file->env, NULL, 0, (size_t)*size + 1);
  if (!*bytes)
    return refuse(file->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", (size_t)*size + 1);
  return file_read(file, *bytes, (size_t)*size);
}

static floc_status read_mesh(environment *env, const floc_mesh_options *options, triangle_mesh *mesh)
{
  open_file file;
  floc_status status = file_open(env, file_layer_system(), options->path, &file);
  if (status != FLOC_OK) return status;
  unsigned char *bytes = NULL;
  uint64_t size = 0;
  status = read_bytes(&file, &bytes, &size);
  if (status == FLOC_OK) status = triangle_mesh_read(env, options->path, bytes, (size_t)size, options->scale, mesh);
  if (bytes) memory_free(env, bytes, (size_t)size + 1);
  file_close(&file);
  return status;
}

floc_status floc_body_add_mesh(floc_world *world, int32_t number, const floc_mesh_options *options,
                               int32_t *triangles)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, mesh_options, options);
  environment *env = &world->env;
  if (!options->path) return refuse(env, FLOC_INVALID_ARGUMENT, "path is NULL");
  floc_status status = fields_check(env, &struct_mesh_options, options);
  if (status != FLOC_OK) return status;
  if (world->box.dimension != 3)
    return refuse(env, FLOC_NOT_SUPPORTED, "a mesh needs 3 dimensions; the world has %d", world->box.dimension);
  triangle_mesh mesh = {0};
  status = check_may_grow(world, &world->env, number);
  if (status == FLOC_OK) status = read_mesh(env, options, &mesh);
  for (int32_t k = 0; k < mesh.count; k++) mesh.triangle[k].radius = 0.5 * options->thickness;
  if (status == FLOC_OK) status = bodies_add_shapes(&world->obstacles, number, mesh.triangle, mesh.count);
  int32_t count = mesh.count;
  triangle_mesh_free(env, &mesh);
  if (status != FLOC_OK) return status;
  if (triangles) *triangles = count;
  neighbors_invalidate(world->near);
  world->energies_hold = false;
  world->unchecked = world->bodies_unchecked = true;
  return FLOC_OK;
}

floc_status floc_body_get_state(floc_world *world, int32_t number, floc_body_state *state)
{
  WORLD_READ(world, env);
  FILL_RESULT(env, body_state, state);
  floc_status status = check_body(world, env, number);
  if (status != FLOC_OK) return status;
  const body *source = &world->obstacles.body[number];
  state->shape_count = source->shape_count;
  state->angle = source->now.angle;
  memcpy(state->position, source->now.position, sizeof state->position);
  memcpy(state->orientation, source->now.orientation, sizeof state->orientation);
  memcpy(state->velocity, source->velocity, sizeof state->velocity);
  memcpy(state->angular_velocity, source->angular_velocity, sizeof state->angular_velocity);
  memcpy(state->force, source->force, sizeof state->force);
  memcpy(state->torque, source->torque, sizeof state->torque);
  memcpy(state->center, source->now.position, sizeof state->center);
  if (!body_is_free(source)) return FLOC_OK;
  state->axes = source->free.axes;
  state->mass = source->free.mass;
  memcpy(state->inertia, source->free.inertia, sizeof state->inertia);
  body_center(source, world->box.dimension, state->center);
  return FLOC_OK;
}

/* ---- types of shapes ---- */

STRUCT_INIT_SIZED(shape_type, struct_zero);

floc_status floc_shape_type_add(floc_world *world, const floc_shape_type *type, int32_t *kind)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, shape_type, type);
  int32_t added;
  floc_status status = added_types_add(&world->env, &world->obstacles.types, type, &added);
  if (status == FLOC_OK && kind) *kind = added;
  return status;
}

floc_status floc_shape_type_find(floc_world *world, const char *name, int32_t *kind)
{
  WORLD_ENTER(world);
  if (!name || !kind) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "name or kind is NULL");
  int32_t found;
  if (!shape_type_by_name(&world->obstacles.types, name, &found))
    return refuse(&world->env, FLOC_NOT_FOUND, "there is no shape type \"%.60s\"", name);
  *kind = found;
  return FLOC_OK;
}

floc_status floc_shape_distance(floc_world *world, const floc_shape *description, const double *position,
                                double *distance)
{
  WORLD_READ(world, env);
  READ_OPTIONS(env, shape, description);
  if (!position || !distance) return refuse(env, FLOC_INVALID_ARGUMENT, "position or distance is NULL");
  const shape_type *type = shape_type_by_kind(&world->obstacles.types, description->kind);
  floc_status status = shape_check(env, type, description, world->box.dimension);
  if (status != FLOC_OK) return status;
  shape surface = shape_make(type, description);
  surface.parameter = description->parameters;
  double normal[3], nearest[3], at[3] = {position[0], position[1], world->box.dimension == 3 ? position[2] : 0.0};
  *distance = shape_distance(&surface, world->box.dimension, at, normal, nearest);
  return FLOC_OK;
}

/* The shape's number among all of the world. */
static floc_status find_shape(const floc_world *world, environment *env, int32_t number, int32_t index,
                              int32_t *found)
{
  floc_status status = check_body(world, env, number);
  if (status != FLOC_OK) return status;
  *found = bodies_find_shape(&world->obstacles, number, index);
  if (*found >= 0) return FLOC_OK;
  return refuse(env, FLOC_NOT_FOUND, "body %d has no shape %d; it has %d, counted from 0", number, index,
                world->obstacles.body[number].shape_count);
}

/* ---- attributes of shapes ---- */

floc_status floc_shape_attribute_add(floc_world *world, const char *name, double initial)
{
  WORLD_ENTER(world);
  if (!name) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "name is NULL");
  return bodies_add_attribute(&world->obstacles, name, initial);
}

const char *floc_shape_attribute_name(const floc_world *world, int32_t index)
{
  if (!world || world_check_reading(world, __func__) != FLOC_OK) return NULL;
  const shape_attributes *list = &world->obstacles.attributes;
  return index >= 0 && index < list->count ? list->name[index] : NULL;
}

static floc_status find_attribute(const floc_world *world, environment *env, const char *name, int32_t *found)
{
  if (!name) return refuse(env, FLOC_INVALID_ARGUMENT, "name is NULL");
  *found = bodies_find_attribute(&world->obstacles, name);
  if (*found >= 0) return FLOC_OK;
  return refuse(env, FLOC_NOT_FOUND, "shapes have no attribute \"%.60s\"", name);
}

floc_status floc_shape_attribute_get(floc_world *world, int32_t number, int32_t index, const char *name,
                                     double *value)
{
  WORLD_READ(world, env);
  if (!value) return refuse(env, FLOC_INVALID_ARGUMENT, "value is NULL");
  int32_t place = -1, attribute = -1;
  floc_status status = find_shape(world, env, number, index, &place);
  if (status == FLOC_OK) status = find_attribute(world, env, name, &attribute);
  if (status == FLOC_OK) *value = world->obstacles.attributes.value[attribute][place];
  return status;
}

floc_status floc_shape_attribute_set(floc_world *world, int32_t number, int32_t index, const char *name,
                                     double value)
{
  WORLD_ENTER(world);
  environment *env = &world->env;
  int32_t place = -1, attribute = -1;
  floc_status status = index < 0 ? check_body(world, env, number) : find_shape(world, env, number, index, &place);
  if (status == FLOC_OK) status = find_attribute(world, env, name, &attribute);
  if (status == FLOC_OK && !isfinite(value))
    status = refuse(env, FLOC_INVALID_ARGUMENT, "value is %g; it must be finite", value);
  if (status != FLOC_OK) return status;
  world->energies_hold = false;
  double *values = world->obstacles.attributes.value[attribute];
  for (int32_t k = 0; k < world->obstacles.shape_count; k++)
    if (index < 0 ? world->obstacles.local[k].body == number : k == place) values[k] = value;
  return FLOC_OK;
}

floc_status floc_body_get_drawing_sized(floc_world *world, int32_t number, int32_t index, floc_shape *shapes,
                                        uint32_t size, int64_t capacity, int64_t *count)
{
  WORLD_ENTER(world);
  environment *env = &world->env;
  if (!count || capacity < 0 || (capacity > 0 && !shapes))
    return refuse(env, FLOC_INVALID_ARGUMENT, "shapes or count is NULL, or capacity is below 0");
  if (!struct_size_fits(size, FIRST_shape, sizeof *shapes))
    return refuse(env, FLOC_INVALID_ARGUMENT, "size is %u; it must be sizeof(floc_shape)", size);
  int32_t found;
  floc_status status = find_shape(world, env, number, index, &found);
  if (status != FLOC_OK) return status;
  const shape *source = &world->obstacles.world[found];
  int64_t total = shape_drawing(source, world->box.dimension, NULL, 0), room = capacity < total ? capacity : total;
  floc_shape *own = room > 0 ? memory_resize(env, NULL, 0, (size_t)room * sizeof *own) : NULL;
  if (room > 0 && !own)
    return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", (size_t)room * sizeof *own);
  shape_drawing(source, world->box.dimension, own, room);
  for (int64_t k = 0; k < room; k++) struct_put_sized(shapes, k, size, &own[k], sizeof *own);
  memory_free(env, own, (size_t)room * sizeof *own);
  *count = total;
  return FLOC_OK;
}

floc_status floc_body_get_shape(floc_world *world, int32_t number, int32_t index, floc_shape *result)
{
  WORLD_READ(world, env);
  FILL_RESULT(env, shape, result);
  int32_t found;
  floc_status status = find_shape(world, env, number, index, &found);
  if (status != FLOC_OK) return status;
  const shape *source = &world->obstacles.world[found];
  result->kind = source->kind;
  result->radius = source->radius;
  memcpy(result->points, source->point, sizeof result->points);
  if (source->parameter) memcpy(result->parameters, source->parameter, sizeof result->parameters);
  return FLOC_OK;
}

floc_status floc_body_set_motion(floc_world *world, int32_t number, const floc_body_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, body_options, options);
  floc_status status = check_body(world, &world->env, number);
  if (status == FLOC_OK && options->motion == FLOC_MOTION_SERVO)
    status = world_need_feature(world, FLOC_FEATURE_SERVO);
  return status == FLOC_OK ? bodies_set_motion(&world->obstacles, number, options, world_time(world)) : status;
}

floc_status floc_body_set_free(floc_world *world, int32_t number, const floc_free_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, free_options, options);
  floc_status status = check_body(world, &world->env, number);
  if (status == FLOC_OK) status = world_need_feature(world, FLOC_FEATURE_FREE_BODIES);
  if (status == FLOC_OK) status = world_check_free_bodies(world);
  if (status == FLOC_OK) status = bodies_set_free(&world->obstacles, number, options);
  if (status == FLOC_OK && world->method.forget_forces) world->method.forget_forces(world->method.state);
  return status;
}

/* ---- joints ---- */

floc_status floc_joint_add(floc_world *world, const floc_joint_options *options, int32_t *number)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, joint_options, options);
  int32_t added;
  floc_status status = world_need_feature(world, FLOC_FEATURE_JOINTS);
  if (status == FLOC_OK) status = joints_add(&world->obstacles, &world->table, &world->box, options, &added);
  if (status != FLOC_OK) return status;
  world->energies_hold = false;
  if (number) *number = added;
  return FLOC_OK;
}

floc_status floc_joint_remove(floc_world *world, int32_t number)
{
  WORLD_ENTER(world);
  return joints_remove(&world->obstacles, number);
}

floc_status floc_joint_set_motor(floc_world *world, int32_t number, double velocity, double greatest)
{
  WORLD_ENTER(world);
  return joints_set_motor(&world->obstacles, number, velocity, greatest);
}

/* The place of the anchor on the second end, now. */
static void read_anchor(const floc_world *world, const joint *one, double anchor[3])
{
  pose at = joint_world_pose();
  const int64_t id = one->options.second_particle;
  if (one->options.second >= 0) at = world->obstacles.body[one->options.second].now;
  for (int axis = 0; axis < world->box.dimension && id > 0; axis++)
    at.position[axis] = world->table.column[COLUMN_x + axis][particles_find(&world->table, id)];
  joint_anchor(one, world->box.dimension, 1, &at, anchor);
}

floc_status floc_joint_get_state(floc_world *world, int32_t number, floc_joint_state *state)
{
  WORLD_READ(world, env);
  FILL_RESULT(env, joint_state, state);
  floc_status status = joints_check_number(&world->obstacles, env, number);
  if (status != FLOC_OK) return status;
  const joint *one = &world->obstacles.joints.item[number];
  state->kind = one->options.kind;
  state->first = one->options.first;
  state->second = one->options.second;
  state->first_particle = one->options.first_particle;
  state->second_particle = one->options.second_particle;
  state->coordinate = one->coordinate;
  state->velocity = (one->coordinate - one->before) / world->time_step;
  state->added_inertia = one->added_inertia;
  read_anchor(world, one, state->anchor);
  memcpy(state->force, one->force, sizeof state->force);
  memcpy(state->torque, one->torque, sizeof state->torque);
  return FLOC_OK;
}
