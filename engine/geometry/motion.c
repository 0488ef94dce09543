/*
 * Motions of bodies: from the pose at the start of a step to the pose at its end.
 *
 * Motions with a closed form (constant, oscillation, piston, position function) are evaluated from the
 * motion's start, not summed up: they do not drift, and the pose depends on the time alone, not on the
 * steps that led there. A velocity function can only be summed; it is taken at mid-step (midpoint rule,
 * second order in the step).
 *
 * A servo is a mass that a load moves along one direction against the particles' force on it (floc.h). Its
 * velocity is the body's, so there is nothing else to keep.
 *
 * In 2-D a rotation is one angle, kept without wrapping; in 3-D a unit quaternion, normalised whenever it
 * is made from a product. Angular velocities are in the space of the world, not of the body.
 */
#include "geometry/bodies.h"

#include "base/callback.h"
#include "base/fields.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

/* ---- checks ---- */

static floc_status check_in_plane(environment *env, const char *name, const double value[3], int32_t dimension)
{
  if (dimension == 3 || value[2] == 0.0) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "body: %s[2] is %g; in two dimensions it must be 0", name, value[2]);
}

static floc_status check_servo(environment *env, const floc_body_options *options, int32_t dimension)
{
  floc_status status = check_in_plane(env, "direction", options->direction, dimension);
  if (status != FLOC_OK) return status;
  if (!(options->mass > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "body: the mass of a servo is %g; it must be above 0", options->mass);
  if (vector_length(options->direction) > 0.0) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "body: the direction of a servo is 0; it must be a direction");
}

floc_status motion_check(environment *env, const floc_body_options *options, int32_t dimension)
{
  floc_status status = fields_check(env, &struct_body_options, options);
  if (status != FLOC_OK) return status;
  switch (options->motion) {
  case FLOC_MOTION_CONSTANT:
    return check_in_plane(env, "velocity", options->velocity, dimension);
  case FLOC_MOTION_VELOCITY:
  case FLOC_MOTION_POSITION:
    if (options->function) return FLOC_OK;
    return refuse(env, FLOC_INVALID_ARGUMENT, "body: function is NULL; a motion given by its %s needs one",
                  options->motion == FLOC_MOTION_VELOCITY ? "velocity" : "position");
  case FLOC_MOTION_OSCILLATION:
    return check_in_plane(env, "amplitude", options->amplitude, dimension);
  case FLOC_MOTION_PISTON:
    status = check_in_plane(env, "velocity", options->velocity, dimension);
    if (status != FLOC_OK || vector_length(options->velocity) > 0.0) return status;
    return refuse(env, FLOC_INVALID_ARGUMENT, "body: the velocity of a piston is 0; it must have a direction");
  case FLOC_MOTION_SERVO:
    return check_servo(env, options, dimension);
  default:
    return FLOC_OK;
  }
}

/* ---- poses ---- */

void pose_set_angle(pose *at, double angle)
{
  at->angle = angle;
  at->orientation[0] = floc_cos(0.5 * angle);
  at->orientation[1] = at->orientation[2] = 0.0;
  at->orientation[3] = floc_sin(0.5 * angle);
}

/* Orientation `from`, turned by a rotation vector. */
static void turn(pose *at, const pose *from, const double vector[3], int32_t dimension)
{
  if (dimension == 2) {
    pose_set_angle(at, from->angle + vector[2]);
    return;
  }
  double rotation[4];
  rotation_from_vector(vector, rotation);
  rotation_compose(rotation, from->orientation, at->orientation);
  at->angle = 0.0;
}

const char *body_label(const body *moved)
{
  return moved->name[0] ? moved->name : "without a name";
}

floc_status motion_call(environment *env, const body *moved, int32_t number, int32_t dimension, double time,
                        double values[6])
{
  memset(values, 0, 6 * sizeof *values);
  const char *what = moved->motion.motion == FLOC_MOTION_VELOCITY   ? "velocity"
                     : moved->motion.motion == FLOC_MOTION_POSITION ? "position"
                                                                    : "load";
  callback_mark before = callback_begin(env, CALLBACK_MOTION, body_label(moved));
  floc_status status = moved->motion.function(moved->motion.function_context, time, values);
  int32_t changed = float_take_back();
  callback_end(env, before);
  status = callback_verdict(env, status, changed, "body %d (%s): the %s function at time %.9g", (int)number,
                            body_label(moved), what, time);
  if (status != FLOC_OK) return status;
  if (dimension == 2) values[2] = values[3] = values[4] = 0.0;
  for (int k = 0; k < 6; k++) {
    if (isfinite(values[k])) continue;
    return refuse(env, FLOC_NOT_A_NUMBER,
                  "body %d (%s): the %s function returned %g as values[%d] at time %.9g; it must be finite",
                  (int)number, body_label(moved), what, values[k], k, time);
  }
  return FLOC_OK;
}

/* ---- the motions ---- */

static void constant_pose(const body *moved, int32_t dimension, double duration, pose *at)
{
  double vector[3];
  vector_add_scaled(moved->first.position, duration, moved->motion.velocity, at->position);
  for (int k = 0; k < 3; k++) vector[k] = duration * moved->motion.angular_velocity[k];
  turn(at, &moved->first, vector, dimension);
}

static void oscillation_pose(const body *moved, double duration, pose *at)
{
  double elongation = floc_sin(moved->motion.frequency * duration + moved->motion.phase);
  vector_add_scaled(moved->first.position, elongation, moved->motion.amplitude, at->position);
}

static void piston_pose(const body *moved, double duration, pose *at)
{
  double speed = vector_length(moved->motion.velocity), travel = moved->motion.travel;
  double gone = speed * duration;
  if (moved->motion.returns)
    gone = travel - fabs(floc_fmod(gone, 2.0 * travel) - travel);
  else if (gone > travel)
    gone = travel;
  vector_add_scaled(moved->first.position, gone / speed, moved->motion.velocity, at->position);
}

static floc_status velocity_pose(environment *env, const body *moved, int32_t number, int32_t dimension,
                                 double time, double time_step, pose *at)
{
  double values[6], vector[3];
  floc_status status = motion_call(env, moved, number, dimension, time + 0.5 * time_step, values);
  if (status != FLOC_OK) return status;
  vector_add_scaled(moved->now.position, time_step, values, at->position);
  for (int k = 0; k < 3; k++) vector[k] = time_step * values[3 + k];
  turn(at, &moved->now, vector, dimension);
  return FLOC_OK;
}

static floc_status position_pose(environment *env, const body *moved, int32_t number, int32_t dimension,
                                 double time, pose *at)
{
  double values[6];
  floc_status status = motion_call(env, moved, number, dimension, time, values);
  if (status != FLOC_OK) return status;
  for (int k = 0; k < 3; k++) at->position[k] = values[k];
  turn(at, &moved->first, values + 3, dimension);
  return FLOC_OK;
}

/* The force is that of the last step; damping is taken at the step's end, so that it brakes at any value. */
static floc_status servo_pose(environment *env, const body *moved, int32_t number, int32_t dimension, double time,
                              double time_step, pose *at)
{
  const floc_body_options *motion = &moved->motion;
  double values[6] = {motion->load}, along[3] = {0.0, 0.0, 0.0};
  vector_add_scaled(along, 1.0 / vector_length(motion->direction), motion->direction, along);
  if (motion->function) {
    floc_status status = motion_call(env, moved, number, dimension, time + 0.5 * time_step, values);
    if (status != FLOC_OK) return status;
  }
  const double gain = time_step / motion->mass, limit = motion->greatest_speed;
  double speed = vector_dot(moved->velocity, along) + gain * (values[0] + vector_dot(moved->force, along));
  speed /= 1.0 + gain * motion->damping;
  if (limit > 0.0) speed = fmax(-limit, fmin(speed, limit));
  vector_add_scaled(moved->now.position, time_step * speed, along, at->position);
  return FLOC_OK;
}

floc_status motion_advance(environment *env, body *moved, int32_t number, int32_t dimension, double time,
                           double time_step)
{
  double end = time + time_step;
  double duration = end - moved->start_time;
  pose at = moved->now;
  floc_status status = FLOC_OK;
  switch (moved->motion.motion) {
  case FLOC_MOTION_CONSTANT:
    constant_pose(moved, dimension, duration, &at);
    break;
  case FLOC_MOTION_VELOCITY:
    status = velocity_pose(env, moved, number, dimension, time, time_step, &at);
    break;
  case FLOC_MOTION_POSITION:
    status = position_pose(env, moved, number, dimension, end, &at);
    break;
  case FLOC_MOTION_OSCILLATION:
    oscillation_pose(moved, duration, &at);
    break;
  case FLOC_MOTION_PISTON:
    piston_pose(moved, duration, &at);
    break;
  case FLOC_MOTION_SERVO:
    status = servo_pose(env, moved, number, dimension, time, time_step, &at);
    break;
  default:
    break;
  }
  if (status == FLOC_OK) moved->next = at;
  return status;
}

floc_status motion_begin(environment *env, body *moved, int32_t number, int32_t dimension, double time)
{
  pose none = {.orientation = {1.0, 0.0, 0.0, 0.0}};
  for (int k = 0; k < 3; k++) moved->first.position[k] = moved->motion.position[k];
  turn(&moved->first, &none, moved->motion.rotation, dimension);
  moved->start_time = time;
  moved->now = moved->next = moved->first;
  bool starts_elsewhere =
      moved->motion.motion == FLOC_MOTION_POSITION || moved->motion.motion == FLOC_MOTION_OSCILLATION;
  floc_status status = FLOC_OK;
  if (starts_elsewhere) status = motion_advance(env, moved, number, dimension, time, 0.0);
  moved->now = moved->next;
  return status;
}
