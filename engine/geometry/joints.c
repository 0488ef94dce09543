/*
 * Making, changing and removing joints. See joints.h.
 */
#include "geometry/joints.h"

#include "base/fields.h"
#include "geometry/free_body.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double fitting = 1e-9; /* of a length: what a given one may be off the present one */

const char *joint_word(int32_t kind)
{
  static const char *const words[] = {"joint", "hinge", "slider", "ball", "distance", "weld"};
  return kind >= FLOC_JOINT_HINGE && kind <= FLOC_JOINT_WELD ? words[kind] : words[0];
}

static void end_label(const bodies *all, const floc_joint_options *options, int side, char *text, size_t size)
{
  const int32_t number = side == 0 ? options->first : options->second;
  const int64_t id = side == 0 ? options->first_particle : options->second_particle;
  if (id > 0)
    snprintf(text, size, "particle %" PRId64, id);
  else if (number < 0)
    snprintf(text, size, "the world");
  else
    snprintf(text, size, "body %d%s%s", (int)number, all->body[number].name[0] ? " " : "", all->body[number].name);
}

void joint_label(const bodies *all, int32_t number, char *text, size_t size)
{
  const floc_joint_options *options = &all->joints.item[number].options;
  char first[80], second[80];
  end_label(all, options, 0, first, sizeof first);
  end_label(all, options, 1, second, sizeof second);
  snprintf(text, size, "joint %d, a %s between %s and %s", (int)number, joint_word(options->kind), first, second);
}

int32_t joints_present(const bodies *all)
{
  int32_t present = 0;
  for (int32_t k = 0; k < all->joints.count; k++) present += !all->joints.item[k].is_removed;
  return present;
}

bool bodies_are_linked(const bodies *all, int32_t first, int32_t second)
{
  for (int32_t k = 0; k < all->joints.count; k++) {
    const joint *one = &all->joints.item[k];
    const int32_t a = one->options.first, b = one->options.second;
    if (!one->is_removed && ((a == first && b == second) || (a == second && b == first))) return true;
  }
  return false;
}

void joints_free(bodies *all)
{
  array_free(all->env, (void **)&all->joints.item, &all->joints.capacity, sizeof(joint));
  array_free(all->env, (void **)&all->joints.staging, &all->joints.staging_capacity, sizeof(double));
  all->joints.count = 0;
}

/* ---- checks ---- */

static floc_status check_end(const bodies *all, const particles *table, const domain *box,
                             const floc_joint_options *options, int side)
{
  environment *env = all->env;
  const int32_t number = side == 0 ? options->first : options->second;
  const int64_t id = side == 0 ? options->first_particle : options->second_particle;
  const char *name = side == 0 ? "first" : "second";
  if (number < -1)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s is %d; it must be a body, or -1", name, (int)number);
  if (number >= 0 && id != 0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "%s is body %d and %s_particle is %" PRId64 "; an end is a body or a particle", name, (int)number,
                  name, id);
  if (number >= 0) return bodies_check_number(all, env, number);
  if (id == 0) return FLOC_OK;
  if (id < 0 || particles_find(table, id) < 0)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s_particle is %" PRId64 ", and there is no such particle", name,
                  id);
  for (int axis = 0; axis < all->dimension; axis++)
    if (box->boundary[axis] == FLOC_BOUNDARY_PERIODIC)
      return refuse(env, FLOC_NOT_SUPPORTED,
                    "%s_particle is %" PRId64 ", and the axis %c is periodic; a joint knows no images", name, id,
                    "xyz"[axis]);
  const int32_t kind = options->kind;
  const bool point =
      kind == FLOC_JOINT_DISTANCE || kind == FLOC_JOINT_BALL || (kind == FLOC_JOINT_HINGE && all->dimension == 2);
  if (!point)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "%s_particle is %" PRId64
                  ", and a particle has no frame that a %s could hold; it must be a distance, "
                  "a ball or, in the plane, a hinge",
                  name, id, joint_word(kind));
  return FLOC_OK;
}

static bool end_moves(const bodies *all, int32_t number, int64_t id)
{
  return id > 0 || (number >= 0 && body_is_free(&all->body[number]));
}

static floc_status check_ends(const bodies *all, const particles *table, const domain *box,
                              const floc_joint_options *options)
{
  floc_status status = check_end(all, table, box, options, 0);
  if (status == FLOC_OK) status = check_end(all, table, box, options, 1);
  if (status != FLOC_OK) return status;
  const bool same_body = options->first >= 0 && options->first == options->second;
  const bool same_particle = options->first_particle > 0 && options->first_particle == options->second_particle;
  if (same_body || same_particle)
    return refuse(all->env, FLOC_INVALID_ARGUMENT, "both ends are %s %" PRId64 "; a joint needs two",
                  same_body ? "body" : "particle", same_body ? (int64_t)options->first : options->first_particle);
  if (options->first_particle > 0 && options->second_particle > 0 && options->kind != FLOC_JOINT_DISTANCE)
    return refuse(all->env, FLOC_NOT_SUPPORTED,
                  "a %s of particles %" PRId64 " and %" PRId64
                  " would hold two centres in one point; a distance links "
                  "two particles",
                  joint_word(options->kind), options->first_particle, options->second_particle);
  if (end_moves(all, options->first, options->first_particle) ||
      end_moves(all, options->second, options->second_particle))
    return FLOC_OK;
  return refuse(all->env, FLOC_INVALID_ARGUMENT,
                "neither end of the %s is a particle or a free body, so nothing could give way; "
                "floc_body_set_free makes a body free",
                joint_word(options->kind));
}

static bool has_extras(const floc_joint_options *options)
{
  return options->limited || options->motor_greatest > 0.0 || options->motor_velocity != 0.0 ||
         options->stiffness > 0.0 || options->damping > 0.0;
}

static floc_status check_extras(const bodies *all, const floc_joint_options *options)
{
  environment *env = all->env;
  const int32_t kind = options->kind;
  const char *word = joint_word(kind);
  if (kind == FLOC_JOINT_BALL && all->dimension == 2)
    return refuse(env, FLOC_INVALID_ARGUMENT, "kind is ball in two dimensions, where it is a hinge");
  if ((kind == FLOC_JOINT_BALL || kind == FLOC_JOINT_WELD) && has_extras(options))
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "a %s has no limits, motor, stiffness or damping; a hinge, a slider and a distance have", word);
  if (kind == FLOC_JOINT_HINGE && (options->first_particle > 0 || options->second_particle > 0) &&
      has_extras(options))
    return refuse(
        env, FLOC_NOT_SUPPORTED,
        "a hinge of a particle has no limits, motor, stiffness or damping, as a particle's angle is not held");
  if (options->rope && kind != FLOC_JOINT_DISTANCE)
    return refuse(env, FLOC_INVALID_ARGUMENT, "rope is given for a %s; only a distance can be a rope", word);
  if (options->rope && options->limited)
    return refuse(env, FLOC_INVALID_ARGUMENT, "rope and limits are both given; a rope's limit is its length");
  if (options->motor_velocity != 0.0 && !(options->motor_greatest > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "motor_velocity is %g and motor_greatest is %g; a motor needs a greatest force or torque above 0",
                  options->motor_velocity, options->motor_greatest);
  if (options->length > 0.0 && kind != FLOC_JOINT_DISTANCE)
    return refuse(env, FLOC_INVALID_ARGUMENT, "length is %g for a %s; only a distance has one", options->length,
                  word);
  if (options->limited && !(options->lower <= options->upper))
    return refuse(env, FLOC_INVALID_ARGUMENT, "lower is %g and upper is %g; lower must not be above upper",
                  options->lower, options->upper);
  return FLOC_OK;
}

static bool needs_axis(const bodies *all, int32_t kind)
{
  return kind == FLOC_JOINT_SLIDER || (kind == FLOC_JOINT_HINGE && all->dimension == 3);
}

static floc_status check_axis(const bodies *all, const floc_joint_options *options)
{
  const double length = vector_length(options->axis);
  if (needs_axis(all, options->kind)) {
    if (length > 0.0 && !(all->dimension == 2 && options->axis[2] != 0.0)) return FLOC_OK;
    return refuse(all->env, FLOC_INVALID_ARGUMENT, "axis is (%g, %g, %g); a %s needs a direction%s",
                  options->axis[0], options->axis[1], options->axis[2], joint_word(options->kind),
                  all->dimension == 2 ? " in the plane" : "");
  }
  if (length == 0.0) return FLOC_OK;
  return refuse(all->env, FLOC_INVALID_ARGUMENT, "axis is given, and a %s has none%s", joint_word(options->kind),
                all->dimension == 2 ? " in the plane" : "");
}

/* ---- making one ---- */

static void own_pose(const bodies *all, const particles *table, int32_t number, int64_t id, pose *at)
{
  *at = joint_world_pose();
  if (number >= 0) *at = all->body[number].now;
  if (id <= 0) return;
  const int64_t slot = particles_find(table, id);
  for (int axis = 0; axis < all->dimension; axis++) at->position[axis] = table->column[COLUMN_x + axis][slot];
}

static void into_frame(const bodies *all, const pose *at, const double vector[3], double own[3])
{
  double matrix[3][3];
  pose_matrix(at, all->dimension, matrix);
  for (int k = 0; k < 3; k++)
    own[k] = matrix[0][k] * vector[0] + matrix[1][k] * vector[1] + matrix[2][k] * vector[2];
}

/* Two directions across an axis; in the plane one. */
static void across_of(const double axis[3], int32_t dimension, double across[2][3])
{
  if (dimension == 2) {
    across[0][0] = -axis[1];
    across[0][1] = axis[0];
    across[0][2] = 0.0;
    memset(across[1], 0, sizeof across[1]);
    return;
  }
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(axis[k]) < fabs(axis[least])) least = k;
  double unit[3] = {0.0, 0.0, 0.0};
  unit[least] = 1.0;
  vector_cross(axis, unit, across[0]);
  const double length = vector_length(across[0]);
  for (int k = 0; k < 3; k++) across[0][k] /= length;
  vector_cross(axis, across[0], across[1]);
}

static void set_frames(const bodies *all, const pose ends[2], joint *made)
{
  floc_joint_options *options = &made->options;
  double offset[3], axis[3], across[2][3];
  for (int side = 0; side < 2 && options->kind != FLOC_JOINT_DISTANCE; side++)
    if (side == 0 ? options->first_particle > 0 : options->second_particle > 0)
      memcpy(options->anchor, ends[side].position, sizeof options->anchor);
  const bool two = options->kind == FLOC_JOINT_DISTANCE;
  for (int side = 0; side < 2; side++) {
    if (side == 0 ? options->first_particle > 0 : options->second_particle > 0) continue; /* its centre */
    vector_difference(side == 1 && two ? options->second_anchor : options->anchor, ends[side].position, offset);
    into_frame(all, &ends[side], offset, made->anchor[side]);
  }
  made->angle = ends[1].angle - ends[0].angle;
  double back[4] = {ends[0].orientation[0], -ends[0].orientation[1], -ends[0].orientation[2],
                    -ends[0].orientation[3]};
  rotation_compose(back, ends[1].orientation, made->relative);
  if (!needs_axis(all, options->kind)) return;
  const double length = vector_length(options->axis);
  for (int k = 0; k < 3; k++) axis[k] = options->axis[k] / length;
  across_of(axis, all->dimension, across);
  for (int side = 0; side < 2; side++) into_frame(all, &ends[side], axis, made->axis[side]);
  for (int k = 0; k < 2; k++) into_frame(all, &ends[0], across[k], made->across[k]);
}

/* Of a distance: its length, which is the present one where none was given. Limits must hold now. */
static floc_status settle(const bodies *all, const pose ends[2], joint *made)
{
  floc_joint_options *options = &made->options;
  environment *env = all->env;
  joint_measure seen;
  joint_look(made, all->dimension, ends, &seen);
  made->coordinate = made->before = seen.coordinate;
  const double now = seen.coordinate, slack = fitting * fabs(now);
  if (options->kind == FLOC_JOINT_DISTANCE) {
    const bool given = options->length > 0.0;
    const bool soft =
        options->stiffness > 0.0 || options->damping > 0.0 || options->limited || options->motor_greatest > 0.0;
    if (!given) options->length = now;
    if (given && options->rope && now > options->length + slack)
      return refuse(env, FLOC_INVALID_ARGUMENT, "length of the rope is %g, and its ends are %g apart",
                    options->length, now);
    if (given && !options->rope && !soft && fabs(now - options->length) > slack)
      return refuse(env, FLOC_INVALID_ARGUMENT, "length of the rod is %g, and its ends are %g apart",
                    options->length, now);
    if (!(options->length > 0.0))
      return refuse(
          env, FLOC_INVALID_ARGUMENT,
          "both ends of the distance are at one point; it needs a length above 0, or be a hinge or a ball");
    if (options->rest == 0.0) options->rest = options->length;
  }
  if (options->limited && !(now >= options->lower - slack && now <= options->upper + slack))
    return refuse(env, FLOC_INVALID_ARGUMENT, "the %s is at %g, beyond its limits %g and %g",
                  joint_word(options->kind), now, options->lower, options->upper);
  return FLOC_OK;
}

floc_status joints_add(bodies *all, const particles *table, const domain *box, const floc_joint_options *options,
                       int32_t *number)
{
  environment *env = all->env;
  floc_status status = fields_check(env, &struct_joint_options, options);
  if (status == FLOC_OK) status = check_ends(all, table, box, options);
  if (status == FLOC_OK) status = check_extras(all, options);
  if (status == FLOC_OK) status = check_axis(all, options);
  if (status != FLOC_OK) return status;
  joint made = {.options = *options};
  pose ends[2];
  own_pose(all, table, options->first, options->first_particle, &ends[0]);
  own_pose(all, table, options->second, options->second_particle, &ends[1]);
  if (all->dimension == 2) made.options.anchor[2] = made.options.second_anchor[2] = 0.0;
  set_frames(all, ends, &made);
  status = settle(all, ends, &made);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&all->joints.item, &all->joints.capacity, (size_t)all->joints.count + 1,
                           sizeof(joint));
  if (status != FLOC_OK) return status;
  all->joints.item[all->joints.count] = made;
  *number = all->joints.count++;
  return FLOC_OK;
}

/* ---- changing and removing ---- */

floc_status joints_check_number(const bodies *all, environment *env, int32_t number)
{
  if (number < 0 || number >= all->joints.count)
    return refuse(env, FLOC_NOT_FOUND, "there is no joint %d; there are %d", (int)number, (int)all->joints.count);
  if (!all->joints.item[number].is_removed) return FLOC_OK;
  return refuse(env, FLOC_NOT_FOUND, "joint %d, a %s, was removed", (int)number,
                joint_word(all->joints.item[number].options.kind));
}

floc_status joints_remove(bodies *all, int32_t number)
{
  floc_status status = joints_check_number(all, all->env, number);
  if (status == FLOC_OK) all->joints.item[number].is_removed = true;
  return status;
}

floc_status joints_set_motor(bodies *all, int32_t number, double velocity, double greatest)
{
  floc_status status = joints_check_number(all, all->env, number);
  if (status != FLOC_OK) return status;
  joint *one = &all->joints.item[number];
  floc_joint_options options = one->options;
  options.motor_velocity = velocity;
  options.motor_greatest = greatest;
  status = fields_check(all->env, &struct_joint_options, &options);
  if (status == FLOC_OK) status = check_extras(all, &options);
  if (status != FLOC_OK) return status;
  one->options = options;
  memset(one->impulse, 0, sizeof one->impulse); /* rows may be others */
  return FLOC_OK;
}

void joints_forget_body(bodies *all, int32_t number)
{
  for (int32_t k = 0; k < all->joints.count; k++) {
    joint *one = &all->joints.item[k];
    if (one->options.first == number || one->options.second == number) one->is_removed = true;
  }
}

void joints_forget_particle(bodies *all, int64_t id)
{
  for (int32_t k = 0; k < all->joints.count; k++) {
    joint *one = &all->joints.item[k];
    if (one->options.first_particle == id || one->options.second_particle == id) one->is_removed = true;
  }
}

/* ---- light bodies under heavy pulls ---- */

static double stiffness_of(const bodies *all, const joint *one, int32_t number, int side)
{
  double anchor[3], center[3], arm[3];
  joint_anchor(one, all->dimension, side, &all->body[number].now, anchor);
  body_center(&all->body[number], all->dimension, center);
  vector_difference(anchor, center, arm);
  return vector_length(one->force) * vector_length(arm);
}

/* Of the axis about which it turns most easily, or a little less. */
static double least_inertia(const body *one, int32_t dimension)
{
  double inverse[6], square = 0.0;
  body_inverse_inertia(one, dimension, 0.0, inverse);
  for (int p = 0; p < 6; p++) square += (p < 3 ? 1.0 : 2.0) * inverse[p] * inverse[p];
  return square > 0.0 ? 1.0 / sqrt(square) : INFINITY;
}

void joints_raise_inertia(bodies *all, double time_step)
{
  for (int32_t k = 0; k < all->count; k++) all->body[k].added_inertia = 0.0;
  for (int32_t k = 0; k < all->joints.count; k++) {
    const joint *one = &all->joints.item[k];
    const int32_t ends[2] = {one->options.first, one->options.second};
    for (int side = 0; side < 2 && !one->is_removed; side++)
      if (ends[side] >= 0 && body_is_free(&all->body[ends[side]]))
        all->body[ends[side]].added_inertia += time_step * time_step * stiffness_of(all, one, ends[side], side);
  }
  for (int32_t k = 0; k < all->count; k++) {
    body *one = &all->body[k];
    const double wanted = one->added_inertia;
    one->added_inertia = 0.0;
    if (wanted > 0.0) one->added_inertia = fmax(0.0, wanted - least_inertia(one, all->dimension));
  }
}
