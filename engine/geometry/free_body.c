/*
 * Free bodies. See free_body.h.
 */
#include "geometry/free_body.h"

#include "base/fields.h"
#include "geometry/convex/body_parts.h"
#include "geometry/joints.h"
#include "geometry/rotation.h"
#include "geometry/shapes/gap.h"
#include "geometry/shapes/moments.h"
#include "geometry/vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};

/* ---- what is free ---- */

int body_turns_about(const body *one, int32_t dimension)
{
  const int32_t turns = one->free.axes & FREE_TURNS;
  if (turns == 0) return -1;
  if (dimension == 2) return 2;
  for (int axis = 0; axis < 3; axis++)
    if (turns == FREE_FIRST_TURN << axis) return axis;
  return 3;
}

bool body_is_guided(const body *one, int32_t dimension)
{
  const int32_t moves = one->free.axes & FREE_TRANSLATIONS;
  return moves != 0 && moves != (dimension == 2 ? 3 : 7);
}

int32_t bodies_free_count(const bodies *all)
{
  int32_t count = 0;
  for (int32_t k = 0; k < all->count; k++) count += body_is_free(&all->body[k]);
  return count;
}

static floc_status check_axes(environment *env, int32_t axes, int32_t dimension)
{
  const int32_t known = dimension == 2 ? 35 : 63;
  if (axes <= 0 || (axes & ~known) != 0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  dimension == 2
                      ? "axes is %d; it must be a sum of 1, 2 (going along x, y) and 32 (turning), above 0"
                      : "axes is %d; it must be a sum of 1, 2, 4 (going along x, y, z) and 8, 16, 32 "
                        "(turning about them), above 0",
                  (int)axes);
  const int32_t turns = axes & FREE_TURNS, moves = axes & FREE_TRANSLATIONS;
  const bool two = turns == (8 | 16) || turns == (8 | 32) || turns == (16 | 32);
  if (two)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "axes is %d: a body that turns about two axes; it must turn about none, one or all of them",
                  (int)axes);
  if (turns != 0 && moves != 0 && moves != (dimension == 2 ? 3 : 7))
    return refuse(
        env, FLOC_NOT_SUPPORTED,
        "axes is %d: a body that turns and goes along some axes only; with a turn, all translations must be "
        "free or none",
        (int)axes);
  return FLOC_OK;
}

/* ---- what it weighs ---- */

static floc_status refuse_shape(const bodies *all, int32_t number, int32_t place, const char *reason)
{
  return refuse(all->env, FLOC_INVALID_ARGUMENT, "body %d (%s): shape %d, a %s, %s", (int)number,
                body_label(&all->body[number]), (int)all->local[place].index, shape_name(&all->local[place]),
                reason);
}

/* Sums over the shapes; of thin ones where no other is there. */
static floc_status weigh(const bodies *all, int32_t number, const floc_free_options *options, bool own_inertia,
                         double *mass, union_moments *sums)
{
  shape_moments found;
  int32_t unknown, sheet;
  floc_status status =
      shapes_moments(all->env, all->local, all->shape_count, number, all->dimension, &found, &unknown, &sheet);
  if (status != FLOC_OK) return status;
  *mass = options->mass;
  *sums = found.solid;
  if (options->density > 0.0) {
    if (unknown >= 0)
      return refuse_shape(all, number, unknown, "has no volume that floc knows; give mass and inertia");
    if (sheet >= 0)
      return refuse_shape(
          all, number, sheet,
          "has no thickness and is no part of a closed outline or mesh, so density gives it no mass; "
          "give mass");
    *mass = options->density * found.solid.volume;
    return FLOC_OK;
  }
  if (unknown >= 0 && !own_inertia && (options->axes & FREE_TURNS))
    return refuse_shape(all, number, unknown, "has no inertia that floc knows; give inertia");
  if (unknown >= 0) *sums = (union_moments){0};
  if (unknown < 0 && !(found.solid.volume > 0.0)) *sums = found.thin;
  return FLOC_OK;
}

static bool is_given(const double inertia[6])
{
  for (int p = 0; p < 6; p++)
    if (inertia[p] != 0.0) return true;
  return false;
}

static floc_status check_whole(environment *env, const bodies *all, int32_t number, const free_body *made)
{
  const char *label = body_label(&all->body[number]);
  if (!(made->mass > 0.0) || !isfinite(made->mass))
    return refuse(env, FLOC_INVALID_ARGUMENT, "body %d (%s): its mass is %g; it must be above 0", (int)number,
                  label, made->mass);
  if (made->axes & FREE_TURNS && !(made->inertia[2] > 0.0 && is_given(made->inertia)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "body %d (%s): its inertia is %g; it must be above 0", (int)number,
                  label, made->inertia[2]);
  if (!(made->axes & FREE_TURNS)) return FLOC_OK;
  return rigid_check_inertia(env, all->dimension, made->inertia);
}

static floc_status find_mass(const bodies *all, int32_t number, const floc_free_options *options, free_body *made)
{
  const bool own = is_given(options->inertia);
  union_moments sums;
  floc_status status = weigh(all, number, options, own, &made->mass, &sums);
  if (status != FLOC_OK) return status;
  for (int axis = 0; axis < 3 && sums.volume > 0.0; axis++) made->middle[axis] = sums.first[axis] / sums.volume;
  if (all->dimension == 2) made->middle[2] = 0.0;
  if (made->axes & FREE_TRANSLATIONS) memcpy(made->center, made->middle, sizeof made->center);
  if (own)
    memcpy(made->inertia, options->inertia, sizeof made->inertia);
  else if (sums.volume > 0.0)
    rigid_reduce_moments(&sums, made->middle, made->inertia);
  double arm[3];
  vector_difference(made->middle, made->center, arm);
  const double square = vector_dot(arm, arm);
  for (int p = 0; p < 6; p++) {
    if (!own) made->inertia[p] *= made->mass;
    made->inertia[p] += made->mass * ((ROW[p] == COLUMN[p] ? square : 0.0) - arm[ROW[p]] * arm[COLUMN[p]]);
  }
  if (all->dimension == 2)
    for (int p = 0; p < 6; p++) made->inertia[p] *= p == 2;
  return check_whole(all->env, all, number, made);
}

/* ---- making it free ---- */

static floc_status check_options(const bodies *all, int32_t number, const floc_free_options *options)
{
  environment *env = all->env;
  const char *label = body_label(&all->body[number]);
  floc_status status = fields_check(env, &struct_free_options, options);
  if (status == FLOC_OK) status = check_axes(env, options->axes, all->dimension);
  if (status == FLOC_OK) status = rigid_check_inertia(env, all->dimension, options->inertia);
  if (status != FLOC_OK) return status;
  if (options->mass > 0.0 && options->density > 0.0)
    return refuse(env, FLOC_INVALID_ARGUMENT, "mass is %g and density is %g; one of them must be 0", options->mass,
                  options->density);
  if (!(options->mass > 0.0 || options->density > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "body %d (%s): a free body needs a mass or a density above 0",
                  (int)number, label);
  if (number == all->domain_body)
    return refuse(env, FLOC_NOT_SUPPORTED, "body %d is the walls of the domain, which cannot be free", (int)number);
  if (all->body[number].shape_count == 0)
    return refuse(env, FLOC_WRONG_STATE, "body %d (%s) has no shapes yet; a free body is made of those that it has",
                  (int)number, label);
  for (int32_t k = 0; k < all->shape_count; k++)
    if (all->local[k].body == number && shape_is_half_space(&all->local[k]))
      return refuse_shape(all, number, k, "has no end and no mass, so its body cannot be free");
  return FLOC_OK;
}

/* What stays must not be told to go. */
static floc_status check_start(const bodies *all, const floc_free_options *options)
{
  const bool turns = options->axes & FREE_TURNS;
  for (int axis = 0; axis < 3; axis++) {
    const double v = options->velocity[axis], w = options->angular_velocity[axis];
    if (v != 0.0 && !(options->axes >> axis & 1))
      return refuse(all->env, FLOC_INVALID_ARGUMENT, "velocity[%d] is %g, and the body is not free along %c", axis,
                    v, "xyz"[axis]);
    const bool may = turns && (all->dimension == 2 ? axis == 2 : (options->axes >> (3 + axis) & 1) != 0);
    if (w != 0.0 && !may)
      return refuse(all->env, FLOC_INVALID_ARGUMENT, "angular_velocity[%d] is %g, and the body cannot turn so",
                    axis, w);
  }
  return FLOC_OK;
}

floc_status bodies_set_free(bodies *all, int32_t number, const floc_free_options *options)
{
  floc_status status = bodies_check_number(all, all->env, number);
  if (status == FLOC_OK) status = check_options(all, number, options);
  if (status == FLOC_OK) status = check_start(all, options);
  free_body made = {
      .axes = options->axes, .damping = options->damping, .angular_damping = options->angular_damping};
  if (status == FLOC_OK) status = find_mass(all, number, options, &made);
  if (status != FLOC_OK) return status;
  body *one = &all->body[number];
  double arm[3], turn[3];
  memcpy(made.force, options->force, sizeof made.force);
  memcpy(made.torque, options->torque, sizeof made.torque);
  one->free = made;
  one->motion.motion = FLOC_MOTION_FREE;
  one->motion.function = options->function;
  one->motion.function_context = options->function_context;
  body_center_arm(one, all->dimension, &one->now, arm);
  vector_cross(options->angular_velocity, arm, turn);
  for (int axis = 0; axis < 3; axis++) {
    one->velocity[axis] = options->velocity[axis];
    one->angular_velocity[axis] = options->angular_velocity[axis];
    one->free.velocity[axis] = body_moves_along(one, axis) ? options->velocity[axis] + turn[axis] : 0.0;
  }
  return FLOC_OK;
}

bool free_body_is_whole(const free_body *one, int32_t dimension)
{
  environment unheard = {0};
  if (check_axes(&unheard, one->axes, dimension) != FLOC_OK || !(one->mass > 0.0)) return false;
  if (!(one->damping >= 0.0 && one->angular_damping >= 0.0)) return false;
  if (!(one->axes & FREE_TURNS)) return true;
  return is_given(one->inertia) && rigid_check_inertia(&unheard, dimension, one->inertia) == FLOC_OK;
}

/* ---- pose and energies ---- */

static void turned_arm(const double own[3], int32_t dimension, const pose *at, double arm[3])
{
  double matrix[3][3];
  pose_matrix(at, dimension, matrix);
  for (int axis = 0; axis < 3; axis++) arm[axis] = vector_dot(matrix[axis], own);
}

void body_center_arm(const body *one, int32_t dimension, const pose *at, double arm[3])
{
  turned_arm(one->free.center, dimension, at, arm);
}

void body_center(const body *one, int32_t dimension, double center[3])
{
  body_center_arm(one, dimension, &one->now, center);
  vector_add_scaled(center, 1.0, one->now.position, center);
}

/* The same body as an assembly, for its formulas of rotation. */
static rigid_assembly as_rigid(const body *one, const pose *at)
{
  rigid_assembly rigid = {.mass = one->free.mass, .angle = at->angle};
  memcpy(rigid.inertia, one->free.inertia, sizeof rigid.inertia);
  memcpy(rigid.orientation, at->orientation, sizeof rigid.orientation);
  memcpy(rigid.angular_velocity, one->angular_velocity, sizeof rigid.angular_velocity);
  return rigid;
}

/* The inertia about an axis of the world. */
static double inertia_about(const body *one, int axis)
{
  const rigid_assembly rigid = as_rigid(one, &one->now);
  double unit[3] = {0.0, 0.0, 0.0}, momentum[3];
  unit[axis] = 1.0;
  rigid_momentum_of(&rigid, unit, momentum);
  return momentum[axis];
}

/* About the one axis that it turns about. */
static double single_inertia(const body *one, int32_t dimension, int about)
{
  return dimension == 2 ? one->free.inertia[2] : inertia_about(one, about);
}

double body_inverse_mass(const body *one, double time_step)
{
  return 1.0 / (one->free.mass + time_step * one->free.damping);
}

void body_inverse_inertia(const body *one, int32_t dimension, double time_step, double inverse[6])
{
  const double braked = time_step * one->free.angular_damping + one->added_inertia;
  const int about = body_turns_about(one, dimension);
  memset(inverse, 0, 6 * sizeof *inverse);
  if (about < 0) return;
  if (about == 3) {
    rigid_assembly rigid = as_rigid(one, &one->now);
    for (int axis = 0; axis < 3; axis++) rigid.inertia[axis] += braked;
    rigid_inverse_inertia(&rigid, 3, inverse);
  } else {
    inverse[about] = 1.0 / (single_inertia(one, dimension, about) + braked);
  }
}

double body_translational_energy(const body *one)
{
  return 0.5 * one->free.mass * vector_dot(one->free.velocity, one->free.velocity);
}

double body_rotational_energy(const body *one, int32_t dimension)
{
  if (body_turns_about(one, dimension) < 0) return 0.0;
  const rigid_assembly rigid = as_rigid(one, &one->now);
  return rigid_energy(&rigid, dimension);
}

double body_gravity_energy(const body *one, int32_t dimension, const double gravity[3])
{
  double arm[3];
  turned_arm(one->free.middle, dimension, &one->now, arm);
  vector_add_scaled(arm, 1.0, one->now.position, arm);
  return -one->free.mass * vector_dot(gravity, arm);
}

/* ---- a step ---- */

void body_pushes(const bodies *all, int32_t number, const free_push *push, double force[3], double torque[3])
{
  const body *one = &all->body[number];
  double arm[3], own[3], turn[3];
  for (int axis = 0; axis < 3; axis++) {
    force[axis] = one->free.force[axis] + push->load[axis] + push->force[axis];
    torque[axis] = one->free.torque[axis] + push->load[3 + axis] + push->torque[axis];
  }
  body_center_arm(one, all->dimension, &one->now, arm);
  vector_cross(push->force, arm, turn); /* laws' torque is about the position: less arm x force */
  vector_add_scaled(torque, 1.0, turn, torque);
  vector_difference(one->free.middle, one->free.center, own);
  turned_arm(own, all->dimension, &one->now, arm);
  vector_cross(arm, push->gravity, turn);
  vector_add_scaled(torque, one->free.mass, turn, torque);
  vector_add_scaled(force, one->free.mass, push->gravity, force);
}

/* L + k T, less what damping takes: (I + k c) omega = L, at the present pose. */
static void push_momentum(const body *one, double kick, double time_step, const double torque[3],
                          free_velocity *result)
{
  rigid_assembly rigid = as_rigid(one, &one->now);
  rigid_momentum_of(&rigid, one->angular_velocity, result->momentum);
  vector_add_scaled(result->momentum, kick, torque, result->momentum);
  if (one->free.angular_damping > 0.0) {
    rigid_assembly braked = rigid;
    double spin[3];
    for (int axis = 0; axis < 3; axis++) braked.inertia[axis] += kick * one->free.angular_damping;
    rigid_spin_of(&braked, result->momentum, spin);
    rigid_momentum_of(&rigid, spin, result->momentum);
  }
  rigid_mean_spin(&rigid, time_step, result->momentum, result->spin);
}

floc_status body_load(const bodies *all, int32_t number, double time, double load[6])
{
  const body *one = &all->body[number];
  memset(load, 0, 6 * sizeof *load);
  if (!one->motion.function) return FLOC_OK;
  return motion_call(all->env, one, number, all->dimension, time, load);
}

void body_free_velocity(const bodies *all, int32_t number, double kick, double time_step, const free_push *push,
                        free_velocity *result)
{
  const body *one = &all->body[number];
  double force[3], torque[3];
  *result = (free_velocity){0};
  memcpy(result->orientation, one->now.orientation, sizeof result->orientation);
  body_pushes(all, number, push, force, torque);
  const double inverse = body_inverse_mass(one, kick);
  for (int axis = 0; axis < 3; axis++)
    if (body_moves_along(one, axis))
      result->linear[axis] = inverse * (one->free.mass * one->free.velocity[axis] + kick * force[axis]);
  const int about = body_turns_about(one, all->dimension);
  if (about == 3) {
    push_momentum(one, kick, time_step, torque, result);
  } else if (about >= 0) {
    const double inertia = single_inertia(one, all->dimension, about);
    result->spin[about] = (inertia * one->angular_velocity[about] + kick * torque[about]) /
                          (inertia + kick * one->free.angular_damping);
  }
}

void body_next_pose(const body *one, int32_t dimension, double time_step, const double linear[3],
                    const double spin[3], pose *next)
{
  double center[3], arm[3];
  *next = one->now;
  body_center_arm(one, dimension, &one->now, arm);
  vector_add_scaled(arm, time_step, linear, center); /* from the present position */
  if (dimension == 2) {
    if (spin[2] != 0.0) pose_set_angle(next, one->now.angle + time_step * spin[2]);
  } else if (vector_dot(spin, spin) > 0.0) {
    const rigid_assembly rigid = as_rigid(one, &one->now);
    rigid_turned(&rigid, 3, time_step, spin, next->orientation);
  }
  body_center_arm(one, dimension, next, arm);
  for (int axis = 0; axis < 3; axis++) next->position[axis] = one->now.position[axis] + (center[axis] - arm[axis]);
}

void body_go(body *one, int32_t dimension, double time_step, const double linear[3], const double spin[3])
{
  body_next_pose(one, dimension, time_step, linear, spin, &one->next);
}

/* That of its position, from those of its centre. */
static void set_position_velocity(body *one, int32_t dimension)
{
  double arm[3], turn[3];
  body_center_arm(one, dimension, &one->now, arm);
  vector_cross(arm, one->angular_velocity, turn); /* omega x (position - centre) */
  for (int axis = 0; axis < 3; axis++) one->velocity[axis] = one->free.velocity[axis] + turn[axis];
}

void body_arrive(body *one, int32_t dimension, const free_velocity *before, const double linear[3],
                 const double spin[3])
{
  memcpy(one->free.velocity, linear, sizeof one->free.velocity);
  memcpy(one->angular_velocity, spin, sizeof one->angular_velocity);
  if (body_turns_about(one, dimension) == 3) {
    rigid_assembly rigid = as_rigid(one, &one->now);
    double change[3], added[3], momentum[3];
    memcpy(rigid.orientation, before->orientation, sizeof rigid.orientation);
    vector_difference(spin, before->spin, change);
    rigid_momentum_of(&rigid, change, added);
    vector_add_scaled(before->momentum, 1.0, added, momentum);
    memcpy(rigid.orientation, one->now.orientation, sizeof rigid.orientation);
    rigid_spin_of(&rigid, momentum, one->angular_velocity);
  }
  set_position_velocity(one, dimension);
}

void body_arrive_kicked(const bodies *all, int32_t number, double kick, const free_push *push,
                        const free_velocity *middle)
{
  body *one = &all->body[number];
  const int about = body_turns_about(one, all->dimension);
  double force[3], torque[3], momentum[3], *spin = one->angular_velocity;
  body_pushes(all, number, push, force, torque);
  memcpy(spin, middle->spin, sizeof one->angular_velocity);
  for (int axis = 0; axis < 3; axis++)
    one->free.velocity[axis] =
        body_moves_along(one, axis)
            ? middle->linear[axis] +
                  kick / one->free.mass * (force[axis] - one->free.damping * middle->linear[axis])
            : 0.0;
  if (about == 3) {
    const rigid_assembly rigid = as_rigid(one, &one->now);
    rigid_spin_of(&rigid, middle->momentum, spin);
    vector_add_scaled(torque, -one->free.angular_damping, spin, torque);
    vector_add_scaled(middle->momentum, kick, torque, momentum);
    rigid_spin_of(&rigid, momentum, spin);
  } else if (about >= 0) {
    spin[about] += kick * (torque[about] - one->free.angular_damping * spin[about]) /
                   single_inertia(one, all->dimension, about);
  }
  set_position_velocity(one, all->dimension);
}

/* ---- bodies that would touch ---- */

floc_status bodies_refuse_touch(const bodies *all, int32_t number, int32_t other, const char *reason, int64_t step)
{
  const char *name = all->body[number].name, *its = all->body[other].name;
  return refuse(all->env, FLOC_NOT_SUPPORTED,
                "body %d%s%s, which is free, would touch body %d%s%s in step %" PRId64
                ", which is not supported: %s",
                (int)number, name[0] ? " " : "", name, (int)other, its[0] ? " " : "", its, step, reason);
}

static floc_status refuse_unknown(const bodies *all, const body_parts *parts, int32_t m, int32_t k, int64_t step)
{
  char reason[160];
  snprintf(reason, sizeof reason, "a %s and a %s touch, %s", shape_name(&all->world[m]), shape_name(&all->world[k]),
           body_parts_unknown(parts, parts->of_shape[m], parts->of_shape[k]));
  return bodies_refuse_touch(all, all->world[m].body, all->world[k].body, reason, step);
}

/* Shapes of other bodies against those of one that is free; of two free ones once. */
static floc_status check_apart(const bodies *all, const body_parts *parts, const char *reason, int32_t number,
                               int64_t step)
{
  const body *one = &all->body[number];
  for (int32_t k = 0; k < all->shape_count; k++) {
    const shape *other = &all->world[k];
    if (other->body == number || (body_is_free(&all->body[other->body]) && other->body < number)) continue;
    double normal[3], nearest[3];
    if (shape_distance(other, all->dimension, one->next.position, normal, nearest) > one->farthest) continue;
    if (bodies_are_linked(all, number, other->body)) continue;
    int32_t left = one->shape_count;
    for (int32_t m = one->first_shape; m < all->shape_count && left > 0; m++) {
      if (all->world[m].body != number) continue;
      left--;
      if (parts && body_parts_know(parts, parts->of_shape[m], parts->of_shape[k])) continue;
      if (!(shapes_gap(&all->world[m], other, all->dimension) < 0.0)) continue;
      return parts ? refuse_unknown(all, parts, m, k, step)
                   : bodies_refuse_touch(all, number, other->body, reason, step);
    }
  }
  return FLOC_OK;
}

floc_status bodies_check_apart(const bodies *all, const body_parts *parts, const char *reason, int64_t step)
{
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < all->count && status == FLOC_OK; k++)
    if (body_is_free(&all->body[k])) status = check_apart(all, parts, reason, k, step);
  return status;
}
