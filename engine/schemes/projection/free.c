/*
 * Free bodies in the projection. See projection/step.h.
 *
 * Body k is number n + k of the contact problem, behind the n particles, with V* from its loads, gravity and laws
 * (geometry/free_body.h). Its pose at the end of the step is not known before the solve, so its shapes stand where
 * they are: D is the gap now, and what contacts find is D + h G V >= 0 with the body's own velocity. Both sides'
 * moment arms end in one point, the middle of the gap, so that momentum and angular momentum are kept exactly.
 *
 * A problem has one inverse mass for a body, the same along all axes. A body that goes along some axes only does
 * not turn; it is one of no inverse mass whose spin stands for its velocity: with the same arm a at every contact,
 * a unit vector across all free axes, spin x a is the velocity along them, and 1/M stands for the inverse inertia.
 *
 * Reach. No point of a body goes farther in a step than h (|V| + |omega| R), R the distance of its farthest point
 * from what it turns about: the chord of a turn is at most h |omega| R. A particle and a shape are looked at where
 * D <= the reach of both, and after the solve both are checked.
 */
#include "schemes/projection/step.h"

#include "geometry/joints.h"
#include "geometry/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double reach_factor = 1.25; /* of the motion with the velocities known so far, as of particles */
static const double least_reach = 0.02;  /* in mean radii */

int64_t free_number(const projection_step *step, int32_t number)
{
  return step->context->table->count + number;
}

int32_t free_body_of_contact(const projection_step *step, int64_t a)
{
  const contact_set *set = &step->contacts;
  if (!step->free.before || set->second[a] >= 0) return -1;
  const int32_t number = step->context->obstacles->world[set->shape[a]].body;
  return body_is_free(&step->context->obstacles->body[number]) ? number : -1;
}

/* ---- guided bodies ---- */

void free_guide(const body *one, int32_t dimension, double guide[3])
{
  guide[0] = guide[1] = guide[2] = 0.0;
  if (dimension == 2) {
    if (body_moves_along(one, 0))
      guide[1] = -1.0;
    else
      guide[0] = 1.0;
    return;
  }
  int locked = 0;
  while (body_moves_along(one, locked)) locked++;
  guide[locked] = 1.0;
}

static void set_guided(projection_step *step, int32_t number)
{
  const bodies *obstacles = step->context->obstacles;
  const body *one = &obstacles->body[number];
  const int64_t own = free_number(step, number);
  block_step *blocks = &step->blocks;
  double guide[3], spin[3], inverse[6] = {0.0};
  free_guide(one, obstacles->dimension, guide);
  vector_cross(guide, step->free.before[number].linear, spin);
  for (int axis = 0; axis < 3; axis++) {
    double unit[3] = {0.0, 0.0, 0.0}, along[3], motion = 0.0;
    unit[axis] = 1.0;
    vector_cross(unit, guide, along);
    for (int k = 0; k < 3; k++)
      if (body_moves_along(one, k)) motion += fabs(along[k]);
    if (motion > 0.0) inverse[axis] = body_inverse_mass(one, step->context->time_step);
  }
  blocks->inverse_mass[own] = 0.0;
  block_set_inverse_inertia(step, own, inverse);
  for (int axis = 0; axis < obstacles->dimension; axis++) blocks->free_velocity[axis][own] = 0.0;
  for (int axis = obstacles->dimension == 2 ? 2 : 0; axis < 3; axis++) blocks->free_spin[axis][own] = spin[axis];
}

/* ---- before contacts ---- */

static void set_body(projection_step *step, int32_t number)
{
  const bodies *obstacles = step->context->obstacles;
  const body *one = &obstacles->body[number];
  const free_velocity *before = &step->free.before[number];
  const int64_t own = free_number(step, number);
  block_step *blocks = &step->blocks;
  double inverse[6];
  if (body_is_guided(one, obstacles->dimension)) {
    set_guided(step, number);
    return;
  }
  body_inverse_inertia(one, obstacles->dimension, step->context->time_step, inverse);
  blocks->inverse_mass[own] =
      one->free.axes & FREE_TRANSLATIONS ? body_inverse_mass(one, step->context->time_step) : 0.0;
  block_set_inverse_inertia(step, own, inverse);
  for (int axis = 0; axis < obstacles->dimension; axis++) blocks->free_velocity[axis][own] = before->linear[axis];
  for (int axis = obstacles->dimension == 2 ? 2 : 0; axis < 3; axis++)
    blocks->free_spin[axis][own] = before->spin[axis];
}

/* A body that is prescribed has a number too, which no contact has. */
static void set_other(projection_step *step, int32_t number)
{
  const int64_t own = free_number(step, number);
  const int dimension = step->context->obstacles->dimension;
  step->blocks.inverse_mass[own] = 0.0;
  block_set_inverse_inertia(step, own, (const double[6]){0.0});
  for (int axis = 0; axis < dimension; axis++) step->blocks.free_velocity[axis][own] = 0.0;
  for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) step->blocks.free_spin[axis][own] = 0.0;
}

static floc_status refuse_guided(const projection_step *step, int32_t number)
{
  const body *one = &step->context->obstacles->body[number];
  return refuse(
      step->context->env, FLOC_NOT_SUPPORTED,
      "body %d (%s) is free along some axes only, and the scheme resists rolling or twisting; with that a body "
      "must be free along all axes or none",
      (int)number, body_label(one));
}

floc_status free_prepare(projection_step *step)
{
  const step_context *context = step->context;
  const bodies *obstacles = context->obstacles;
  if (!step->free.before) return FLOC_OK;
  for (int32_t k = 0; k < obstacles->count; k++) {
    const body *one = &obstacles->body[k];
    set_other(step, k);
    if (!body_is_free(one)) continue;
    free_push push = {.gravity = {context->gravity[0], context->gravity[1], context->gravity[2]}};
    if (obstacles->dimension == 2) push.gravity[2] = 0.0;
    laws_force_on_body(context->forces, k, push.force, push.torque);
    if (body_is_guided(one, obstacles->dimension) && projection_has_moments(&step->method->options))
      return refuse_guided(step, k);
    floc_status status = body_load(obstacles, k, context->time + 0.5 * context->time_step, push.load);
    if (status != FLOC_OK) return status;
    if (step->free.push) step->free.push[k] = push;
    body_free_velocity(obstacles, k, context->time_step, context->time_step, &push, &step->free.before[k]);
    set_body(step, k);
  }
  return FLOC_OK;
}

/* ---- reach ---- */

static bool raise_reach(projection_step *step, int32_t number, const double linear[3], const double spin[3],
                        double factor)
{
  body *one = &step->context->obstacles->body[number];
  const double turning = vector_length(spin);
  const double farthest = turning > 0.0 ? one->farthest + vector_length(one->free.center) : 0.0;
  const double way = step->context->time_step * (vector_length(linear) + turning * farthest);
  if (way <= one->reach) return false;
  one->reach = factor * way;
  return true;
}

floc_status free_begin(projection_step *step)
{
  const step_context *context = step->context;
  bodies *obstacles = context->obstacles;
  if (bodies_free_count(obstacles) == 0 && joints_present(obstacles) == 0) return FLOC_OK;
  step->free.before = arena_allocate(context->scratch, (size_t)obstacles->count, sizeof *step->free.before);
  if (context->work)
    step->free.push = arena_allocate(context->scratch, (size_t)obstacles->count, sizeof *step->free.push);
  if (!step->free.before || (context->work && !step->free.push)) return FLOC_OUT_OF_MEMORY;
  joints_raise_inertia(obstacles, context->time_step);
  const double radius = context->table->count > 0 ? particles_mean_radius(context->table) : 0.0;
  for (int32_t k = 0; k < obstacles->count; k++) {
    body *one = &obstacles->body[k];
    if (!body_is_free(one)) continue;
    one->reach = least_reach * radius + 2.0 * step->method->options.tolerance;
    raise_reach(step, k, one->free.velocity, one->angular_velocity, reach_factor);
  }
  return FLOC_OK;
}

bool free_follow(projection_step *step, bool solved)
{
  const block_step *blocks = &step->blocks;
  bool raised = false;
  if (!step->free.before) return false;
  for (int32_t k = 0; k < step->context->obstacles->count; k++) {
    double linear[3], spin[3];
    if (!body_is_free(&step->context->obstacles->body[k])) continue;
    if (solved)
      free_read(step, k, blocks->velocity, blocks->spin, linear, spin);
    else
      free_read(step, k, blocks->free_velocity, blocks->free_spin, linear, spin);
    raised |= raise_reach(step, k, linear, spin, solved ? 2.0 : reach_factor);
  }
  step->free.raised = raised;
  return raised;
}

/* ---- contacts ---- */

void free_read(const projection_step *step, int32_t number, double *const velocity[3], double *const spins[3],
               double linear[3], double spin[3])
{
  const bodies *obstacles = step->context->obstacles;
  const body *one = &obstacles->body[number];
  const int64_t own = free_number(step, number);
  for (int axis = 0; axis < 3; axis++) {
    linear[axis] = velocity[axis] ? velocity[axis][own] : 0.0;
    spin[axis] = spins[axis] ? spins[axis][own] : 0.0;
  }
  if (!body_is_guided(one, obstacles->dimension)) return;
  double guide[3], way[3];
  free_guide(one, obstacles->dimension, guide);
  vector_cross(spin, guide, way);
  for (int axis = 0; axis < 3; axis++) {
    linear[axis] = body_moves_along(one, axis) ? way[axis] : 0.0;
    spin[axis] = 0.0;
  }
}

void free_write(const projection_step *step, int32_t number, const double linear[3], const double spin[3],
                double *const velocity[3], double *const spins[3])
{
  const bodies *obstacles = step->context->obstacles;
  const body *one = &obstacles->body[number];
  const int64_t own = free_number(step, number);
  double guide[3], way[3];
  if (body_is_guided(one, obstacles->dimension)) {
    free_guide(one, obstacles->dimension, guide);
    vector_cross(guide, linear, way);
    for (int axis = 0; axis < 3; axis++)
      if (spins[axis]) spins[axis][own] = way[axis];
    return;
  }
  for (int axis = 0; axis < 3; axis++) {
    if (velocity[axis]) velocity[axis][own] = linear[axis];
    if (spins[axis]) spins[axis][own] = spin[axis];
  }
}

void free_contact_arm(const projection_step *step, int64_t a, int32_t number, double arm[3])
{
  const step_context *context = step->context;
  const contact_set *set = &step->contacts;
  double center[3];
  const int32_t i = set->first[a];
  const double along = context->table->column[COLUMN_radius][i] + 0.5 * set->distance[a];
  body_center(&context->obstacles->body[number], context->obstacles->dimension, center);
  for (int axis = 0; axis < 3; axis++) {
    const double normal = set->normal[axis] ? set->normal[axis][a] : 0.0;
    arm[axis] = context->table->column[COLUMN_x + axis][i] + along * normal - center[axis];
  }
  if (context->obstacles->dimension == 2) arm[2] = 0.0;
}

void free_solver_arm(const projection_step *step, int64_t a, int32_t number, double arm[3])
{
  const bodies *obstacles = step->context->obstacles;
  if (body_is_guided(&obstacles->body[number], obstacles->dimension))
    free_guide(&obstacles->body[number], obstacles->dimension, arm);
  else
    free_contact_arm(step, a, number, arm);
}

void free_point_velocity(const projection_step *step, int64_t a, int32_t number, const double linear[3],
                         const double spin[3], double velocity[3])
{
  double arm[3], turn[3];
  free_contact_arm(step, a, number, arm);
  vector_cross(spin, arm, turn);
  vector_add_scaled(linear, 1.0, turn, velocity);
}

double free_closing(const projection_step *step, int64_t a, int32_t number)
{
  const contact_set *set = &step->contacts;
  double linear[3], spin[3], velocity[3], rate = 0.0;
  free_read(step, number, step->blocks.velocity, step->blocks.spin, linear, spin);
  free_point_velocity(step, a, number, linear, spin, velocity);
  for (int axis = 0; axis < set->problem.dimension; axis++) rate += set->normal[axis][a] * velocity[axis];
  return rate;
}

/* ---- commit ---- */

static floc_status check_finite(const projection_step *step, int32_t number)
{
  const body *one = &step->context->obstacles->body[number];
  double sum = one->next.angle;
  for (int axis = 0; axis < 3; axis++) sum += fabs(one->next.position[axis]) + fabs(one->next.orientation[axis]);
  if (isfinite(sum)) return FLOC_OK;
  return refuse(step->context->env, FLOC_NOT_A_NUMBER,
                "body %d (%s) at (%g, %g, %g) got a velocity that is not finite in step %" PRId64, (int)number,
                body_label(one), one->now.position[0], one->now.position[1], one->now.position[2],
                step->context->step + 1);
}

floc_status free_go(projection_step *step)
{
  bodies *obstacles = step->context->obstacles;
  if (!step->free.before) return FLOC_OK;
  for (int32_t k = 0; k < obstacles->count; k++) {
    double linear[3], spin[3];
    if (!body_is_free(&obstacles->body[k])) continue;
    free_read(step, k, step->blocks.velocity, step->blocks.spin, linear, spin);
    body_go(&obstacles->body[k], obstacles->dimension, step->context->time_step, linear, spin);
    floc_status status = check_finite(step, k);
    if (status != FLOC_OK) return status;
    bodies_place_body(obstacles, k);
  }
  return touch_check_others(step);
}

double free_arrive(projection_step *step)
{
  bodies *obstacles = step->context->obstacles;
  double energy = 0.0;
  bodies_commit(obstacles, step->context->time_step);
  for (int32_t k = 0; step->free.before && k < obstacles->count; k++) {
    body *one = &obstacles->body[k];
    double linear[3], spin[3];
    if (!body_is_free(one)) continue;
    free_read(step, k, step->blocks.velocity, step->blocks.spin, linear, spin);
    body_arrive(one, obstacles->dimension, &step->free.before[k], linear, spin);
    energy += body_translational_energy(one) + body_rotational_energy(one, obstacles->dimension);
  }
  return energy;
}
