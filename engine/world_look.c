/*
 * A world to look at, from a checkpoint alone: particles with their attributes, bodies, and the contacts between
 * them as they were, bonds, rays in flight, without the host's program that made them. What only that program or
 * the scheme's options know is left out: laws, and forces of soft contacts, which follow from them. Files from
 * before the periods of the domain were in them have contacts through a periodic face as far apart as they seem.
 */
#include "world.h"

#include "files/file_api.h"
#include "geometry/joints.h"
#include "rays/ray_sources.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNTERS = 8, NUMBERS = 8, POINT_NUMBERS = 9, SHAPE_NUMBERS = 10, ID_COLUMNS = 2 };

/* Stands for a function of the host that moved a body; the world is never stepped. */
static floc_status stay(void *context, double time, double *values)
{
  (void)context;
  (void)time;
  memset(values, 0, 6 * sizeof *values);
  return FLOC_OK;
}

static floc_status add_attributes(floc_world *world, const section_list *list)
{
  static const char prefix[] = "attribute.";
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < list->count && status == FLOC_OK; k++)
    if (strncmp(list->item[k].name, prefix, sizeof prefix - 1) == 0)
      status = particles_add_attribute(&world->table, list->item[k].name + sizeof prefix - 1, 0.0);
  return status;
}

static floc_status add_shape_attributes(floc_world *world, const section_list *list)
{
  static const char prefix[] = "bodies.attribute.";
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < list->count && status == FLOC_OK; k++)
    if (strncmp(list->item[k].name, prefix, sizeof prefix - 1) == 0)
      status = bodies_add_attribute(&world->obstacles, list->item[k].name + sizeof prefix - 1, 0.0);
  return status;
}

static floc_status add_one_body(floc_world *world, int32_t motion)
{
  floc_body_options options;
  floc_body_options_init(&options);
  if (motion == FLOC_MOTION_VELOCITY || motion == FLOC_MOTION_POSITION) {
    options.motion = motion;
    options.function = stay;
  }
  return floc_body_add(world, &options, NULL);
}

/* The parameters of framed shapes that are left to add, in the order of the file. */
typedef struct framed_rows {
  const double *parameter;
  uint64_t left;
} framed_rows;

static floc_status add_one_shape(floc_world *world, const int32_t *kind, const double *number, framed_rows *framed)
{
  floc_shape made;
  floc_shape_init(&made);
  made.kind = kind[1];
  memcpy(made.points, number, sizeof made.points);
  made.radius = number[POINT_NUMBERS];
  const shape_type *type = shape_type_by_kind(&world->obstacles.types, made.kind);
  if (type && shape_is_framed(type) && framed->left > 0) {
    memcpy(made.parameters, framed->parameter, sizeof made.parameters);
    framed->parameter += SHAPE_PARAMETERS;
    framed->left--;
  }
  return floc_body_add_shape(world, kind[0], &made);
}

/* Shapes of a body follow each other in the file, as they do where they were added body by body. */
static floc_status add_bodies(floc_world *world, const section_list *list)
{
  const section *kinds, *shape_kinds, *shapes;
  floc_status status = section_expect(list, "bodies.kinds", "i32", UINT64_MAX, 2, &kinds);
  if (status == FLOC_OK) status = section_expect(list, "bodies.shape_kinds", "i32", UINT64_MAX, 2, &shape_kinds);
  if (status == FLOC_OK)
    status = section_expect(list, "bodies.shapes", "f64", shape_kinds->rows, SHAPE_NUMBERS, &shapes);
  if (status == FLOC_OK) status = bodies_check_types(&world->obstacles, list);
  framed_rows framed = {.left = 0};
  if (status == FLOC_OK && section_find(list, "bodies.shape_parameters")) {
    const section *parameters;
    status = section_expect(list, "bodies.shape_parameters", "f64", UINT64_MAX, SHAPE_PARAMETERS, &parameters);
    if (status == FLOC_OK) framed = (framed_rows){parameters->data, parameters->rows};
  }
  for (uint64_t k = 0; status == FLOC_OK && k < kinds->rows; k++)
    status = add_one_body(world, ((const int32_t *)kinds->data)[2 * k]);
  for (uint64_t k = 0; status == FLOC_OK && k < shape_kinds->rows; k++)
    status = add_one_shape(world, (const int32_t *)shape_kinds->data + 2 * k,
                           (const double *)shapes->data + SHAPE_NUMBERS * k, &framed);
  return status;
}

/* The columns of what pairs remember, by their names; older files have no names. */
static floc_status add_memory(floc_world *world, const section_list *list)
{
  const section *rows, *names = section_find(list, "neighbors.memory.names");
  floc_status status = section_expect(list, "remembered.pairs", "f64", UINT64_MAX, UINT64_MAX, &rows);
  if (status != FLOC_OK) return status;
  for (uint64_t k = ID_COLUMNS; k < rows->columns && status == FLOC_OK; k++) {
    char name[64];
    uint64_t width = names && strcmp(names->type, "u8") == 0 && k - ID_COLUMNS < names->rows ? names->columns : 0;
    if (width > 0 && width < sizeof name)
      snprintf(name, sizeof name, "%.*s", (int)width, (const char *)names->data + (k - ID_COLUMNS) * width);
    else
      snprintf(name, sizeof name, "memory %d", (int)(k - ID_COLUMNS) + 1);
    int32_t index;
    status = neighbors_add_memory(world->near, name, &index);
  }
  return status;
}

/* Rays in flight, of sources that stand for those of the host's program. */
static floc_status add_rays(floc_world *world, const section_list *list)
{
  if (!section_find(list, "rays/fired")) return FLOC_OK;
  const section *fired;
  floc_ray_source_options any;
  floc_ray_source_options_init(&any);
  int32_t number;
  floc_status status = section_expect(list, "rays/fired", "i64", UINT64_MAX, 1, &fired);
  for (uint64_t k = 0; status == FLOC_OK && k < fired->rows; k++)
    status = ray_sources_add(world->rays, &any, &number);
  if (status != FLOC_OK) return status;
  status = ray_sources_restore(world->rays, list, world->table.last_id, world->obstacles.shape_count);
  return status == FLOC_OK ? ray_sources_check_ids(world->rays, &world->table) : status;
}

static floc_status fill(floc_world *world, const section_list *list, const int64_t *counter, const double *number)
{
  floc_status status = add_attributes(world, list);
  if (status == FLOC_OK) status = grain_shapes_take(&world->table.shapes, world->box.dimension, list);
  if (status == FLOC_OK && world->table.shapes.count > 0)
    status = particles_need_shapes(&world->table, world->box.dimension);
  if (status == FLOC_OK) status = add_bodies(world, list);
  if (status == FLOC_OK) status = bodies_remove_as_in(&world->obstacles, list, NULL);
  if (status == FLOC_OK) status = add_shape_attributes(world, list);
  if (status == FLOC_OK) status = add_memory(world, list);
  if (status == FLOC_OK) status = world_cell_restore(world, list);
  if (status == FLOC_OK) status = particles_restore(&world->table, list);
  if (status == FLOC_OK) status = bodies_restore(&world->obstacles, list);
  if (status == FLOC_OK) status = joints_restore(&world->obstacles, list, world->table.last_id);
  if (status == FLOC_OK) status = joints_check_particles(&world->obstacles, &world->table);
  if (status == FLOC_OK) status = rigid_restore(&world->assemblies, list, world->table.last_id);
  if (status == FLOC_OK) status = world_check_members(world);
  if (status == FLOC_OK)
    status = neighbors_restore(world->near, list, world->table.count, world->obstacles.shape_count);
  if (status == FLOC_OK) neighbors_see_radii(world->near, &world->table);
  if (status == FLOC_OK) status = world_memory_restore(world, list);
  if (status == FLOC_OK) status = add_rays(world, list);
  if (status != FLOC_OK) return status;
  world->only_shows = true;
  world->step = counter[1];
  world->step_origin = counter[2];
  world->time_origin = number[0];
  return FLOC_OK;
}

static floc_status take_periods(const section_list *list, floc_world_options *options)
{
  if (!section_find(list, PERIODS_SECTION)) return FLOC_OK;
  const section *periods;
  floc_status status = section_expect(list, PERIODS_SECTION, "f64", 3, 2, &periods);
  if (status != FLOC_OK) return status;
  for (int axis = 0; axis < options->dimension; axis++) {
    const double *ends = (const double *)periods->data + 2 * axis;
    if (ends[0] == 0.0 && ends[1] == 0.0) continue;
    options->boundary[axis] = FLOC_BOUNDARY_PERIODIC;
    options->domain_lower[axis] = ends[0];
    options->domain_upper[axis] = ends[1];
  }
  return FLOC_OK;
}

static floc_status prepare(const section_list *list, floc_world_options *options, const int64_t **counter,
                           const double **number)
{
  const section *counters, *numbers;
  floc_status status = section_expect(list, "world.counters", "i64", COUNTERS, 1, &counters);
  if (status == FLOC_OK) status = section_expect(list, "world.numbers", "f64", NUMBERS, 1, &numbers);
  if (status != FLOC_OK) return status;
  *counter = counters->data;
  *number = numbers->data;
  floc_world_options_init(options);
  options->dimension = (*counter)[0] == 3 ? 3 : 2;
  options->time_step = (*number)[1];
  options->threads = 1;
  return take_periods(list, options);
}

floc_status floc_file_world(const floc_file *file, floc_world **world, char *message, size_t message_size)
{
  if (message && message_size > 0) message[0] = '\0';
  if (!file || !world) {
    if (message && message_size > 0) snprintf(message, message_size, "file or world is NULL");
    return FLOC_INVALID_ARGUMENT;
  }
  *world = NULL;
  floc_world_options options;
  const section_list *list = file_sections(file);
  const int64_t *counter;
  const double *number;
  floc_status status = prepare(list, &options, &counter, &number);
  const char *why = list->env->message;
  if (status == FLOC_OK) {
    status = floc_world_create(&options, world);
    why = options.message;
  }
  if (status == FLOC_OK) {
    status = fill(*world, list, counter, number);
    why = (*world)->env.message;
  }
  if (status == FLOC_OK) return FLOC_OK;
  /* what the file holds is no fault of the caller's */
  if (message && message_size > 0) snprintf(message, message_size, "%s", why);
  floc_world_destroy(*world);
  *world = NULL;
  return status == FLOC_OUT_OF_MEMORY || status == FLOC_NOT_FOUND ? status : FLOC_DAMAGED_FILE;
}
