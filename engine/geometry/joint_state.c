/*
 * Joints in checkpoints: one table, a row per joint, removed ones too. A joint is nothing but numbers, so the
 * file's take the place of those that are there, whatever these are. A world without joints lists nothing.
 */
#include "geometry/joints.h"
#include "geometry/row_cursor.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char JOINTS[] = "joints.state";

/* Values out of the range of the type become ones that checks refuse. */
static void move_whole(row_cursor *row, int64_t *field)
{
  double value = (double)*field;
  move_values(row, &value, 1);
  *field = value >= -1.0 && value <= 9007199254740992.0 ? (int64_t)value : -2;
}

static void move_number(row_cursor *row, int32_t *field)
{
  int64_t value = *field;
  move_whole(row, &value);
  *field = value <= INT32_MAX ? (int32_t)value : -2;
}

static void move_options(row_cursor *row, floc_joint_options *options)
{
  move_number(row, &options->kind);
  move_number(row, &options->first);
  move_number(row, &options->second);
  move_whole(row, &options->first_particle);
  move_whole(row, &options->second_particle);
  move_values(row, &options->length, 1);
  move_truth(row, &options->rope);
  move_truth(row, &options->limited);
  move_values(row, &options->lower, 1);
  move_values(row, &options->upper, 1);
  move_values(row, &options->motor_velocity, 1);
  move_values(row, &options->motor_greatest, 1);
  move_values(row, &options->stiffness, 1);
  move_values(row, &options->damping, 1);
  move_values(row, &options->rest, 1);
}

static void move_joint(row_cursor *row, joint *one)
{
  move_options(row, &one->options);
  move_truth(row, &one->is_removed);
  for (int side = 0; side < 2; side++) {
    move_values(row, one->anchor[side], 3);
    move_values(row, one->axis[side], 3);
    move_values(row, one->across[side], 3);
  }
  move_values(row, one->relative, 4);
  move_values(row, &one->angle, 1);
  move_values(row, &one->coordinate, 1);
  move_values(row, &one->before, 1);
  move_values(row, &one->added_inertia, 1);
  move_values(row, one->impulse, JOINT_ROWS);
  move_values(row, one->force, 3);
  move_values(row, one->torque, 3);
}

enum { OPTION_COLUMNS = 15, COLUMNS = OPTION_COLUMNS + 1 + 18 + 4 + 4 + JOINT_ROWS + 6, LOWER_COLUMN = 8 };

floc_status joints_sections(bodies *all, section_list *list)
{
  joint_list *joints = &all->joints;
  if (joints->count == 0) return FLOC_OK;
  floc_status status = array_reserve(all->env, (void **)&joints->staging, &joints->staging_capacity,
                                     COLUMNS * (size_t)joints->count, sizeof(double));
  if (status != FLOC_OK) return status;
  row_cursor row = {joints->staging, false};
  for (int32_t k = 0; k < joints->count; k++) move_joint(&row, &joints->item[k]);
  return section_list_add(list, JOINTS, "f64", (uint64_t)joints->count, COLUMNS, joints->staging, true);
}

static bool end_is_there(const bodies *all, int32_t number, int64_t id, int64_t last_id)
{
  return number >= -1 && number < all->count && id >= 0 && id <= last_id && (number < 0 || id == 0);
}

/* Limits may be infinite, nothing else. */
static bool is_whole(const bodies *all, const double *value, const joint *one, int64_t last_id)
{
  const floc_joint_options *options = &one->options;
  for (int k = 0; k < COLUMNS; k++)
    if (!isfinite(value[k]) && !(k == LOWER_COLUMN || k == LOWER_COLUMN + 1)) return false;
  if (options->kind < FLOC_JOINT_HINGE || options->kind > FLOC_JOINT_WELD) return false;
  if (options->limited && !(options->lower <= options->upper)) return false;
  if (!(options->length >= 0.0 && options->motor_greatest >= 0.0 && options->stiffness >= 0.0 &&
        options->damping >= 0.0))
    return false;
  return end_is_there(all, options->first, options->first_particle, last_id) &&
         end_is_there(all, options->second, options->second_particle, last_id);
}

floc_status joints_restore(bodies *all, const section_list *list, int64_t last_id)
{
  const section *found;
  joint_list *joints = &all->joints;
  if (!section_find(list, JOINTS)) {
    joints->count = 0;
    return FLOC_OK;
  }
  floc_status status = section_expect(list, JOINTS, "f64", UINT64_MAX, COLUMNS, &found);
  if (status == FLOC_OK && found->rows > INT32_MAX)
    status = refuse(all->env, FLOC_DAMAGED_FILE, "section \"%s\" has %" PRIu64 " rows", JOINTS, found->rows);
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&joints->item, &joints->capacity, found->rows, sizeof(joint));
  if (status != FLOC_OK) return status;
  for (uint64_t k = 0; k < found->rows; k++) {
    double *value = (double *)found->data + COLUMNS * k;
    row_cursor row = {value, true};
    joint read = {0};
    floc_joint_options_init(&read.options);
    move_joint(&row, &read);
    if (!is_whole(all, value, &read, last_id))
      return refuse(all->env, FLOC_DAMAGED_FILE, "the checkpoint's joint %d has values that no joint has", (int)k);
  }
  row_cursor row = {(double *)found->data, true};
  joints->count = (int32_t)found->rows;
  for (int32_t k = 0; k < joints->count; k++) {
    joints->item[k] = (joint){0};
    floc_joint_options_init(&joints->item[k].options);
    move_joint(&row, &joints->item[k]);
  }
  return FLOC_OK;
}

floc_status joints_check_particles(const bodies *all, const particles *table)
{
  for (int32_t k = 0; k < all->joints.count; k++) {
    const joint *one = &all->joints.item[k];
    const int64_t ids[2] = {one->options.first_particle, one->options.second_particle};
    for (int side = 0; side < 2 && !one->is_removed; side++)
      if (ids[side] > 0 && particles_find(table, ids[side]) < 0)
        return refuse(all->env, FLOC_DAMAGED_FILE,
                      "the checkpoint's joint %d names particle %" PRId64 ", which is not there", (int)k,
                      ids[side]);
  }
  return FLOC_OK;
}
