/*
 * Bodies in checkpoints: tables with one row per body, and the shapes with one row each.
 *
 * The numbers of the file win over those of the set-up: motions that a script has changed on the way, and
 * the shapes' coordinates, which a mathematical library may round differently when the script runs again.
 * Functions of the host cannot come from a file: where the file says that one moves a body, the body
 * present must have one of that kind.
 */
#include "geometry/free_body.h"
#include "geometry/row_cursor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct table_layout {
  const char *name;
  uint64_t columns;
} table_layout;

enum {
  POSE = 0,
  FIRST,
  START_TIME,
  VELOCITY,
  FORCE,
  MOTION,
  BODY_TABLES,
  SHAPES = BODY_TABLES,
  SERVOS, /* only where there is one */
  FREE,   /* likewise of free bodies */
  TABLE_COUNT
};

static const table_layout LAYOUT[TABLE_COUNT] = {
    [POSE] = {"bodies.pose", 8},         [FIRST] = {"bodies.first", 8},   [START_TIME] = {"bodies.start_time", 1},
    [VELOCITY] = {"bodies.velocity", 6}, [FORCE] = {"bodies.force", 6},   [MOTION] = {"bodies.motion", 13},
    [SHAPES] = {"bodies.shapes", 10},    [SERVOS] = {"bodies.servos", 8}, [FREE] = {"bodies.free", 26}};

static const char KINDS[] = "bodies.kinds";             /* kind of motion, number of shapes */
static const char SHAPE_KINDS[] = "bodies.shape_kinds"; /* body, kind */

static const char SHAPE_TYPES[] = "bodies.shape_types";                /* names of those that are framed */
static const char SHAPE_PARAMETER_TABLE[] = "bodies.shape_parameters"; /* theirs */

static bool has_servo(const bodies *all)
{
  for (int32_t k = 0; k < all->count; k++)
    if (all->body[k].motion.motion == FLOC_MOTION_SERVO) return true;
  return false;
}

static uint64_t table_rows(const bodies *all, int table)
{
  if (table == SERVOS && !has_servo(all)) return 0;
  if (table == FREE && bodies_free_count(all) == 0) return 0;
  return (uint64_t)(table == SHAPES ? all->shape_count : all->count);
}

/* ---- rows ---- */

static void move_pose(row_cursor *row, pose *at)
{
  move_values(row, at->position, 3);
  move_values(row, at->orientation, 4);
  move_values(row, &at->angle, 1);
}

static void move_motion(row_cursor *row, floc_body_options *motion)
{
  move_values(row, motion->velocity, 3);
  move_values(row, motion->angular_velocity, 3);
  move_values(row, motion->amplitude, 3);
  move_values(row, &motion->frequency, 1);
  move_values(row, &motion->phase, 1);
  move_values(row, &motion->travel, 1);
  move_truth(row, &motion->returns);
}

/* A function of the host stays where the file says that there was one. */
static void move_servo(row_cursor *row, floc_body_options *motion)
{
  double calls = motion->function ? 1.0 : 0.0;
  move_values(row, motion->direction, 3);
  move_values(row, &motion->load, 1);
  move_values(row, &motion->mass, 1);
  move_values(row, &motion->damping, 1);
  move_values(row, &motion->greatest_speed, 1);
  move_values(row, &calls, 1);
  if (motion->motion == FLOC_MOTION_SERVO && calls == 0.0) motion->function = NULL;
}

/* Likewise. */
static void move_free(row_cursor *row, body *owner)
{
  free_body *one = &owner->free;
  double axes = (double)one->axes, calls = owner->motion.function ? 1.0 : 0.0;
  move_values(row, &axes, 1);
  move_values(row, &one->mass, 1);
  move_values(row, one->inertia, 6);
  move_values(row, one->center, 3);
  move_values(row, one->middle, 3);
  move_values(row, one->velocity, 3);
  move_values(row, one->force, 3);
  move_values(row, one->torque, 3);
  move_values(row, &one->damping, 1);
  move_values(row, &one->angular_damping, 1);
  move_values(row, &calls, 1);
  one->axes = axes >= 0.0 && axes <= 63.0 ? (int32_t)axes : -1;
  if (owner->motion.motion == FLOC_MOTION_FREE && calls == 0.0) owner->motion.function = NULL;
}

static void move_shape(row_cursor *row, shape *local)
{
  for (int p = 0; p < 3; p++) move_values(row, local->point[p], 3);
  move_values(row, &local->radius, 1);
}

static void move_row(bodies *all, int table, int32_t index, row_cursor *row)
{
  body *owner = table == SHAPES ? NULL : &all->body[index];
  switch (table) {
  case POSE:
    move_pose(row, &owner->now);
    break;
  case FIRST:
    move_pose(row, &owner->first);
    break;
  case START_TIME:
    move_values(row, &owner->start_time, 1);
    break;
  case VELOCITY:
    move_values(row, owner->velocity, 3);
    move_values(row, owner->angular_velocity, 3);
    break;
  case FORCE:
    move_values(row, owner->force, 3);
    move_values(row, owner->torque, 3);
    break;
  case MOTION:
    move_motion(row, &owner->motion);
    break;
  case SERVOS:
    move_servo(row, &owner->motion);
    break;
  case FREE:
    move_free(row, owner);
    break;
  default:
    move_shape(row, &all->local[index]);
    break;
  }
}

/* ---- listing ---- */

static void stage_kinds(bodies *all)
{
  int32_t *kind = all->staging_kinds;
  for (int32_t k = 0; k < all->count; k++) {
    *kind++ = all->body[k].motion.motion;
    *kind++ = all->body[k].shape_count;
  }
  for (int32_t k = 0; k < all->shape_count; k++) {
    *kind++ = all->local[k].body;
    *kind++ = all->local[k].kind;
  }
}

static floc_status reserve_staging(bodies *all)
{
  size_t values = 0, kinds = 2 * ((size_t)all->count + (size_t)all->shape_count);
  for (int table = 0; table < TABLE_COUNT; table++) values += table_rows(all, table) * LAYOUT[table].columns;
  floc_status status =
      array_reserve(all->env, (void **)&all->staging, &all->staging_capacity, values, sizeof(double));
  if (status != FLOC_OK) return status;
  return array_reserve(all->env, (void **)&all->staging_kinds, &all->staging_kinds_capacity, kinds,
                       sizeof(int32_t));
}

floc_status bodies_sections(bodies *all, section_list *list)
{
  floc_status status = reserve_staging(all);
  if (status != FLOC_OK) return status;
  stage_kinds(all);
  uint64_t count = (uint64_t)all->count, shape_count = (uint64_t)all->shape_count;
  status = section_list_add(list, KINDS, "i32", count, 2, all->staging_kinds, true);
  if (status != FLOC_OK) return status;
  const int32_t *shape_kinds = all->staging_kinds ? all->staging_kinds + 2 * count : NULL;
  status = section_list_add(list, SHAPE_KINDS, "i32", shape_count, 2, shape_kinds, true);
  row_cursor row = {all->staging, false};
  for (int table = 0; table < TABLE_COUNT && status == FLOC_OK; table++) {
    uint64_t rows = table_rows(all, table);
    if ((table == SERVOS || table == FREE) && rows == 0) continue;
    status = section_list_add(list, LAYOUT[table].name, "f64", rows, LAYOUT[table].columns, row.value, true);
    for (uint64_t k = 0; k < rows; k++) move_row(all, table, (int32_t)k, &row);
  }
  if (status == FLOC_OK) status = attributes_sections(all, list);
  if (status == FLOC_OK) status = removals_sections(all, list);
  if (status != FLOC_OK || all->framed_count == 0) return status;
  uint64_t framed = (uint64_t)all->framed_count;
  status = section_list_add(list, SHAPE_TYPES, "u8", framed, SHAPE_NAME, all->type_name, true);
  if (status != FLOC_OK) return status;
  return section_list_add(list, SHAPE_PARAMETER_TABLE, "f64", framed, SHAPE_PARAMETERS, all->parameter, true);
}

/* ---- taking over ---- */

static bool needs_function(int32_t motion)
{
  return motion == FLOC_MOTION_VELOCITY || motion == FLOC_MOTION_POSITION;
}

static floc_status check_bodies(const bodies *all, const section *kinds)
{
  if (kinds->rows != (uint64_t)all->count) {
    return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                  "the checkpoint contains %" PRIu64 " bodies; this world has %d", kinds->rows, (int)all->count);
  }
  const int32_t *kind = kinds->data;
  for (int32_t k = 0; k < all->count; k++) {
    const body *present = &all->body[k];
    if (needs_function(kind[2 * k]) && kind[2 * k] != present->motion.motion) {
      return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                    "body %d (%s): in the checkpoint its motion is a function of kind %d, here it is of kind %d",
                    (int)k, body_label(present), (int)kind[2 * k], (int)present->motion.motion);
    }
    if (kind[2 * k + 1] != present->shape_count) {
      return refuse(all->env, FLOC_STRUCTURE_MISMATCH, "body %d (%s): it has %d shapes in the checkpoint, %d here",
                    (int)k, body_label(present), (int)kind[2 * k + 1], (int)present->shape_count);
    }
  }
  return FLOC_OK;
}

/* Kinds of the host's are known by their names. */
static bool is_kind(const bodies *all, int32_t index, int32_t kind)
{
  int32_t present = all->local[index].kind;
  return kind == present || (kind >= SHAPE_FIRST_ADDED && present >= SHAPE_FIRST_ADDED);
}

static floc_status check_shapes(const bodies *all, const section *kinds)
{
  const int32_t *kind = kinds->data;
  for (int32_t k = 0; k < all->shape_count; k++) {
    if (kind[2 * k] == all->local[k].body && is_kind(all, k, kind[2 * k + 1])) continue;
    return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                  "shape %d: in the checkpoint it is of kind %d and body %d, here of kind %d and body %d", (int)k,
                  (int)kind[2 * k + 1], (int)kind[2 * k], (int)all->local[k].kind, (int)all->local[k].body);
  }
  return FLOC_OK;
}

floc_status bodies_check_types(const bodies *all, const section_list *list)
{
  const section *names = section_find(list, SHAPE_TYPES);
  if (!names) return FLOC_OK;
  floc_status status = section_expect(list, SHAPE_TYPES, "u8", UINT64_MAX, SHAPE_NAME, &names);
  for (uint64_t k = 0; status == FLOC_OK && k < names->rows; k++) {
    const char *name = (const char *)names->data + k * SHAPE_NAME;
    int32_t kind;
    if (name[SHAPE_NAME - 1] != '\0')
      status = refuse(all->env, FLOC_DAMAGED_FILE, "the checkpoint's name of shape type %d has no end", (int)k);
    else if (!shape_type_by_name(&all->types, name, &kind))
      status = refuse(all->env, FLOC_NOT_FOUND,
                      "the checkpoint has shapes of type \"%s\", which this world does not have; add it with "
                      "floc_shape_type_add first",
                      name);
  }
  return status;
}

/* Everything that bodies_restore reads, found and checked. */
typedef struct stored_bodies {
  const section *kinds, *shape_kinds, *table[TABLE_COUNT]; /* [SERVOS], [FREE] NULL: there are none */
  const section *parameters;                               /* NULL: there are no framed shapes */
} stored_bodies;

static floc_status find_framed(const bodies *all, const section_list *list, stored_bodies *found)
{
  const section *names;
  uint64_t framed = (uint64_t)all->framed_count;
  found->parameters = NULL;
  if (framed == 0 && !section_find(list, SHAPE_TYPES)) return FLOC_OK;
  floc_status status = section_expect(list, SHAPE_TYPES, "u8", framed, SHAPE_NAME, &names);
  if (status == FLOC_OK)
    status = section_expect(list, SHAPE_PARAMETER_TABLE, "f64", framed, SHAPE_PARAMETERS, &found->parameters);
  for (uint64_t k = 0; status == FLOC_OK && k < framed; k++) {
    const char *stored = (const char *)names->data + k * SHAPE_NAME, *present = all->type_name + k * SHAPE_NAME;
    if (strncmp(stored, present, SHAPE_NAME) != 0)
      status = refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                      "shape %d: in the checkpoint it is of type \"%.*s\", here of type \"%s\"",
                      (int)all->framed[k], SHAPE_NAME, stored, present);
  }
  return status;
}

static floc_status find_stored(const bodies *all, const section_list *list, stored_bodies *found)
{
  floc_status status = section_expect(list, KINDS, "i32", UINT64_MAX, 2, &found->kinds);
  if (status == FLOC_OK) status = check_bodies(all, found->kinds);
  if (status != FLOC_OK) return status;
  status = section_expect(list, SHAPE_KINDS, "i32", (uint64_t)all->shape_count, 2, &found->shape_kinds);
  if (status == FLOC_OK) status = check_shapes(all, found->shape_kinds);
  if (status == FLOC_OK) status = find_framed(all, list, found);
  for (int table = 0; table < TABLE_COUNT && status == FLOC_OK; table++) {
    const section **place = &found->table[table];
    uint64_t rows = table_rows(all, table);
    const bool may_lack = table == SERVOS || table == FREE;
    if (may_lack && !section_find(list, LAYOUT[table].name)) continue;
    if (may_lack) rows = (uint64_t)all->count; /* the file's motions, not those of now */
    status = section_expect(list, LAYOUT[table].name, "f64", rows, LAYOUT[table].columns, place);
    if (status == FLOC_OK) status = section_check_numbers(all->env, *place, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  }
  return status;
}

static row_cursor stored_row(const stored_bodies *found, int table, int32_t index)
{
  return (row_cursor){(double *)found->table[table]->data + LAYOUT[table].columns * (uint64_t)index, true};
}

/* A refusal of what the file holds is not the host's fault. */
static floc_status damaged(environment *env, floc_status status, const char *what, int32_t index)
{
  if (status == FLOC_OK) return FLOC_OK;
  char reason[MESSAGE_SIZE];
  snprintf(reason, sizeof reason, "%s", env->message);
  return refuse(env, FLOC_DAMAGED_FILE, "the checkpoint's %s %d: %s", what, (int)index, reason);
}

/* The motion of body number index: the file's numbers, the function of the body present. */
static void read_motion(const bodies *all, const stored_bodies *found, int32_t index, floc_body_options *motion)
{
  row_cursor row = stored_row(found, MOTION, index);
  *motion = all->body[index].motion;
  motion->motion = ((const int32_t *)found->kinds->data)[2 * index];
  move_motion(&row, motion);
  if (!found->table[SERVOS]) return;
  row = stored_row(found, SERVOS, index);
  move_servo(&row, motion);
}

/* Of the file: what makes a body free is whole, and the load's function is there if it has one. */
static floc_status check_free(const bodies *all, const stored_bodies *found, int32_t index)
{
  body stored = all->body[index];
  if (((const int32_t *)found->kinds->data)[2 * index] != FLOC_MOTION_FREE) return FLOC_OK;
  if (!found->table[FREE])
    return refuse(all->env, FLOC_DAMAGED_FILE, "the checkpoint's body %d is free, and nothing says how",
                  (int)index);
  row_cursor row = stored_row(found, FREE, index);
  const double calls = row.value[LAYOUT[FREE].columns - 1];
  move_free(&row, &stored);
  if (!free_body_is_whole(&stored.free, all->dimension))
    return refuse(all->env, FLOC_DAMAGED_FILE,
                  "the checkpoint's body %d is free with axes %d, mass %g and inertia %g, which no body has",
                  (int)index, (int)stored.free.axes, stored.free.mass, stored.free.inertia[2]);
  if (calls == 0.0 || (body_is_free(&all->body[index]) && all->body[index].motion.function)) return FLOC_OK;
  return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                "body %d (%s): in the checkpoint its load is a function, here there is none", (int)index,
                body_label(&all->body[index]));
}

/* A load by a function needs the one of the body present. */
static floc_status check_servo(const bodies *all, const stored_bodies *found, int32_t index)
{
  const int32_t kind = ((const int32_t *)found->kinds->data)[2 * index];
  const body *present = &all->body[index];
  if (kind != FLOC_MOTION_SERVO || !found->table[SERVOS]) return FLOC_OK;
  const double calls = stored_row(found, SERVOS, index).value[LAYOUT[SERVOS].columns - 1];
  if (calls == 0.0 || (present->motion.motion == FLOC_MOTION_SERVO && present->motion.function)) return FLOC_OK;
  return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                "body %d (%s): in the checkpoint the load of its servo is a function, here there is none",
                (int)index, body_label(present));
}

static floc_status check_contents(const bodies *all, const stored_bodies *found)
{
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < all->count && status == FLOC_OK; k++) {
    floc_body_options motion;
    status = check_servo(all, found, k);
    if (status == FLOC_OK) status = check_free(all, found, k);
    if (status != FLOC_OK) return status;
    read_motion(all, found, k, &motion);
    status = damaged(all->env, motion_check(all->env, &motion, all->dimension), "body", k);
  }
  for (int32_t k = 0; k < all->shape_count && status == FLOC_OK; k++) {
    row_cursor row = stored_row(found, SHAPES, k);
    shape stored = all->local[k];
    move_shape(&row, &stored);
    floc_shape description = {.struct_size = sizeof description, .kind = stored.kind, .radius = stored.radius};
    memcpy(description.points, stored.point, sizeof description.points);
    if (stored.framed >= 0)
      memcpy(description.parameters,
             (const double *)found->parameters->data + (size_t)stored.framed * SHAPE_PARAMETERS,
             sizeof description.parameters);
    const shape_type *type = shape_type_by_kind(&all->types, stored.kind);
    status = damaged(all->env, shape_check(all->env, type, &description, all->dimension), "shape", k);
  }
  return status;
}

floc_status bodies_restore(bodies *all, const section_list *list)
{
  stored_bodies found = {.kinds = NULL};
  const double *attributes[SHAPE_ATTRIBUTE_LIMIT];
  floc_status status = find_stored(all, list, &found);
  if (status == FLOC_OK) status = check_contents(all, &found);
  if (status == FLOC_OK) status = attributes_find(all, list, attributes);
  if (status != FLOC_OK) return status;
  attributes_take(all, attributes);
  removals_take(all, list);
  for (int32_t k = 0; k < all->count; k++) read_motion(all, &found, k, &all->body[k].motion);
  for (int table = 0; table < SERVOS; table++) {
    for (int32_t k = 0; k < (int32_t)table_rows(all, table); k++) {
      row_cursor row = stored_row(&found, table, k);
      move_row(all, table, k, &row);
    }
  }
  for (int32_t k = 0; k < all->count; k++) {
    all->body[k].free = (free_body){0};
    if (!found.table[FREE]) continue;
    row_cursor row = stored_row(&found, FREE, k);
    move_row(all, FREE, k, &row);
  }
  if (found.parameters)
    memcpy(all->parameter, found.parameters->data, (size_t)all->framed_count * SHAPE_PARAMETERS * sizeof(double));
  for (int32_t k = 0; k < all->count; k++) all->body[k].next = all->body[k].now;
  bodies_measure_shapes(all);
  bodies_place_shapes(all);
  return FLOC_OK;
}
