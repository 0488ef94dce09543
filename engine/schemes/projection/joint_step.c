/*
 * Joints in a step of the projection. See joint_step.h.
 *
 * Rows are those of the pose at the step's start, as forces act there; what they must meet is that of its end: the
 * gaps of the joints at the poses to which the velocities lead are 0, not only in first order. With the matrix of
 * the start that takes some solutions with one factorisation (SHAKE: Ryckaert, Ciccotti and Berendsen 1977), after
 * which no gap is left but rounding, whatever the step, and velocities, which are those of the step's middle, keep
 * the energy as leapfrog does. Where that leads away, directions are those of the end as well (joint_ends.c).
 *
 * Motors, limits and springs are rows of the coordinate, whose rate is its change over the step, over h. A motor
 * has a little slack, 1e-10 of its mobility, so that a limit beside it has the last word.
 */
#include "schemes/projection/joint_step.h"

#include "geometry/free_body.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 40 };

static const double closed = 1e-13;      /* of the joints' size: what a gap may be */
static const double fits = 1e-7;         /* likewise: a greater one is no solution */
static const double motor_slack = 1e-10; /* of a motor's mobility */

/* ---- who gives way ---- */

static int32_t find_member(joint_step *joints, int32_t number, int64_t slot)
{
  for (int32_t m = 0; m < joints->members; m++)
    if (joints->member[m].body == number && joints->member[m].slot == slot) return m;
  joints->member[joints->members] = (joint_member){.body = number, .slot = slot};
  return joints->members++;
}

/* size: a length of the whole, grows with it. */
static void set_member(projection_step *step, joint_member *one, double *size)
{
  const bodies *obstacles = step->context->obstacles;
  if (one->body < 0) {
    *size = fmax(*size, step->context->table->column[COLUMN_radius][one->slot]);
    one->own = one->slot;
    for (int axis = 0; axis < obstacles->dimension; axis++) one->inverse_mass[axis] = step->inverse_mass[one->slot];
    return;
  }
  const body *own = &obstacles->body[one->body];
  *size = fmax(*size, own->farthest);
  one->own = free_number(step, one->body);
  for (int axis = 0; axis < obstacles->dimension; axis++)
    one->inverse_mass[axis] = body_moves_along(own, axis) ? body_inverse_mass(own, step->context->time_step) : 0.0;
  body_inverse_inertia(own, obstacles->dimension, step->context->time_step, one->inverse_inertia);
}

/* An end's pose now, and where it will be whatever joints do; -1: nothing gives way. */
static int32_t set_end(projection_step *step, joint_step *joints, joint_place *at, int side, double center[3])
{
  const bodies *obstacles = step->context->obstacles;
  const particles *table = step->context->table;
  const floc_joint_options *options = &obstacles->joints.item[at->number].options;
  const int32_t number = side == 0 ? options->first : options->second;
  const int64_t id = side == 0 ? options->first_particle : options->second_particle;
  at->now[side] = joint_world_pose();
  if (id > 0) {
    const int64_t slot = particles_find(table, id);
    for (int axis = 0; axis < obstacles->dimension; axis++)
      at->now[side].position[axis] = table->column[COLUMN_x + axis][slot];
    memcpy(center, at->now[side].position, 3 * sizeof *center);
    at->next[side] = at->now[side];
    return find_member(joints, -1, slot);
  }
  if (number >= 0) at->now[side] = obstacles->body[number].now;
  at->next[side] = number >= 0 ? obstacles->body[number].next : at->now[side];
  memcpy(center, at->now[side].position, 3 * sizeof *center);
  if (number < 0 || !body_is_free(&obstacles->body[number])) return -1;
  body_center(&obstacles->body[number], obstacles->dimension, center);
  return find_member(joints, number, -1);
}

/* ---- rows ---- */

static void move_by(const joint_member *one, const double force[ARTICULATION_FREEDOMS],
                    double moved[ARTICULATION_FREEDOMS])
{
  for (int axis = 0; axis < 3; axis++) moved[axis] = one->inverse_mass[axis] * force[axis];
  rigid_symmetric_times(one->inverse_inertia, force + 3, moved + 3);
}

static double mobility_of(const articulation_row *row)
{
  double sum = 0.0;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < ARTICULATION_FREEDOMS; k++) sum += row->coefficient[side][k] * row->moved[side][k];
  return sum;
}

static void set_law(const projection_step *step, const joint *one, const joint_row *from, articulation_row *row)
{
  const double h = step->context->time_step;
  double offset;
  row->lower = -INFINITY;
  row->upper = INFINITY;
  row->slack = 0.0;
  if (from->law == JOINT_LOWER || from->law == JOINT_UPPER) row->lower = 0.0;
  if (from->law == JOINT_SPRING) joint_spring(one, h, mobility_of(row), &row->slack, &offset);
  if (from->law != JOINT_MOTOR) return;
  row->upper = h * one->options.motor_greatest;
  row->lower = -row->upper;
  row->slack = motor_slack * mobility_of(row);
}

static void set_row(const projection_step *step, int32_t place, const joint_row *from, articulation_row *row)
{
  const joint_step *joints = step->joints;
  const joint_place *at = &joints->place[place];
  *row = (articulation_row){.joint = place, .body = {at->member[0], at->member[1]}};
  for (int side = 0; side < 2; side++) {
    if (row->body[side] < 0) continue;
    for (int axis = 0; axis < 3; axis++) {
      row->coefficient[side][axis] = side == 0 ? -from->along[axis] : from->along[axis];
      row->coefficient[side][3 + axis] = side == 0 ? -from->turn[0][axis] : from->turn[1][axis];
    }
    move_by(&joints->member[row->body[side]], row->coefficient[side], row->moved[side]);
  }
  set_law(step, &step->context->obstacles->joints.item[at->number], from, row);
}

static void set_places(projection_step *step, joint_step *joints)
{
  const bodies *obstacles = step->context->obstacles;
  for (int32_t number = 0; number < obstacles->joints.count; number++) {
    const joint *one = &obstacles->joints.item[number];
    if (one->is_removed) continue;
    joint_place *at = &joints->place[joints->count++];
    joint_end ends[2];
    at->number = number;
    for (int side = 0; side < 2; side++) {
      at->member[side] = set_end(step, joints, at, side, ends[side].center);
      ends[side].at = at->now[side];
    }
    at->first_row = joints->it.rows;
    at->row_count = joint_rows(one, obstacles->dimension, ends, at->row);
    joints->it.rows += at->row_count;
    for (int side = 0; side < 2; side++) {
      double anchor[3], arm[3];
      joint_anchor(one, obstacles->dimension, side, &at->now[side], anchor);
      vector_difference(anchor, ends[side].center, arm);
      joints->size = fmax(joints->size, fmax(vector_length(arm), vector_length(anchor)));
    }
    joints->size = fmax(joints->size, one->options.length);
  }
}

static bool allocate_rows(arena *scratch, joint_step *joints)
{
  const size_t rows = (size_t)joints->it.rows, numbers = (size_t)joints->members * ARTICULATION_FREEDOMS;
  joints->it.row = arena_allocate(scratch, rows, sizeof *joints->it.row);
  joints->impulse = arena_allocate(scratch, rows, sizeof(double));
  joints->w = arena_allocate(scratch, rows, sizeof(double));
  joints->gap = arena_allocate(scratch, rows, sizeof(double));
  joints->best = arena_allocate(scratch, rows, sizeof(double));
  joints->base = arena_allocate(scratch, numbers, sizeof(double));
  joints->velocity = arena_allocate(scratch, numbers, sizeof(double));
  return joints->it.row && joints->impulse && joints->w && joints->gap && joints->best && joints->base &&
         joints->velocity;
}

static void fill_rows(const projection_step *step)
{
  joint_step *joints = step->joints;
  for (int32_t p = 0; p < joints->count; p++)
    for (int k = 0; k < joints->place[p].row_count; k++)
      set_row(step, p, &joints->place[p].row[k], &joints->it.row[joints->place[p].first_row + k]);
}

/* Where members go with the present velocities. */
static void go(const projection_step *step)
{
  joint_step *joints = step->joints;
  const bodies *obstacles = step->context->obstacles;
  const double h = step->context->time_step;
  for (int32_t p = 0; p < joints->count; p++)
    for (int side = 0; side < 2; side++) {
      joint_place *at = &joints->place[p];
      if (at->member[side] < 0) continue;
      const joint_member *one = &joints->member[at->member[side]];
      const double *own = joints->velocity + (size_t)at->member[side] * ARTICULATION_FREEDOMS;
      if (one->body >= 0)
        body_next_pose(&obstacles->body[one->body], obstacles->dimension, h, own, own + 3, &at->next[side]);
      for (int axis = 0; axis < 3 && one->body < 0; axis++)
        at->next[side].position[axis] = at->now[side].position[axis] + h * own[axis];
    }
}

/* What an end turns about, at a pose. */
static void center_at(const projection_step *step, int32_t member, const pose *at, double center[3])
{
  const int32_t number = member < 0 ? -1 : step->joints->member[member].body;
  double arm[3];
  memcpy(center, at->position, 3 * sizeof *center);
  if (number < 0) return;
  body_center_arm(&step->context->obstacles->body[number], step->context->obstacles->dimension, at, arm);
  vector_add_scaled(center, 1.0, arm, center);
}

void joint_step_set_rows(const projection_step *step, bool at_ends)
{
  joint_step *joints = step->joints;
  const bodies *obstacles = step->context->obstacles;
  joints->at_ends = at_ends;
  if (at_ends) go(step);
  for (int32_t p = 0; p < joints->count; p++) {
    joint_place *at = &joints->place[p];
    joint_end ends[2];
    for (int side = 0; side < 2; side++) {
      ends[side].at = at_ends ? at->next[side] : at->now[side];
      center_at(step, at->member[side], &ends[side].at, ends[side].center);
    }
    joint_rows(&obstacles->joints.item[at->number], obstacles->dimension, ends, at->row);
  }
  fill_rows(step);
  articulation_refill(&joints->it);
}

/* Impulses of the last step are a first guess. */
static void guess_impulses(const projection_step *step)
{
  joint_step *joints = step->joints;
  for (int32_t p = 0; p < joints->count; p++) {
    const joint_place *at = &joints->place[p];
    const joint *one = &step->context->obstacles->joints.item[at->number];
    for (int k = 0; k < at->row_count; k++) {
      const articulation_row *row = &joints->it.row[at->first_row + k];
      joints->impulse[at->first_row + k] = fmin(fmax(one->impulse[k], row->lower), row->upper);
    }
  }
}

/* Whatever came first, the joint or the assembly. */
static floc_status check_particles(const projection_step *step)
{
  const bodies *obstacles = step->context->obstacles;
  for (int32_t k = 0; k < obstacles->joints.count; k++) {
    const joint *one = &obstacles->joints.item[k];
    const int64_t ids[2] = {one->options.first_particle, one->options.second_particle};
    for (int side = 0; side < 2 && !one->is_removed; side++)
      if (ids[side] > 0 && rigid_owner(step->context->assemblies, ids[side]) >= 0)
        return refuse(
            step->context->env, FLOC_NOT_SUPPORTED,
            "joint %d holds particle %lld, which belongs to an assembly; a joint holds free particles and "
            "bodies",
            (int)k, (long long)ids[side]);
  }
  return FLOC_OK;
}

floc_status joint_step_begin(projection_step *step)
{
  step_context *context = step->context;
  const size_t count = (size_t)joints_present(context->obstacles);
  step->joints = NULL;
  if (count == 0) return FLOC_OK;
  floc_status status = check_particles(step);
  if (status != FLOC_OK) return status;
  joint_step *joints = arena_allocate(context->scratch, 1, sizeof *joints);
  if (!joints) return FLOC_OUT_OF_MEMORY;
  *joints = (joint_step){.size = 0.0};
  joints->place = arena_allocate(context->scratch, count, sizeof *joints->place);
  joints->member = arena_allocate(context->scratch, 2 * count, sizeof *joints->member);
  if (!joints->place || !joints->member) return FLOC_OUT_OF_MEMORY;
  set_places(step, joints);
  for (int32_t m = 0; m < joints->members; m++) set_member(step, &joints->member[m], &joints->size);
  if (!allocate_rows(context->scratch, joints)) return FLOC_OUT_OF_MEMORY;
  joints->it.joints = joints->count;
  joints->it.bodies = joints->members;
  step->joints = joints;
  fill_rows(step);
  guess_impulses(step);
  for (int32_t m = 0; m < joints->members; m++)
    memset(joints->member[m].before, 0, sizeof joints->member[m].before);
  joint_step_read(step, step->blocks.free_velocity, step->blocks.free_spin, joints->base);
  for (int32_t m = 0; m < joints->members; m++)
    memcpy(joints->member[m].before, joints->base + (size_t)m * ARTICULATION_FREEDOMS,
           sizeof joints->member[m].before);
  return articulation_analyse(context->scratch, &joints->it);
}

/* ---- velocities ---- */

void joint_step_read(const projection_step *step, double *const velocity[3], double *const spins[3], double *found)
{
  const joint_step *joints = step->joints;
  for (int32_t m = 0; m < joints->members; m++) {
    const joint_member *one = &joints->member[m];
    double *own = found + (size_t)m * ARTICULATION_FREEDOMS;
    memset(own, 0, ARTICULATION_FREEDOMS * sizeof *own);
    if (one->body >= 0) {
      free_read(step, one->body, velocity, spins, own, own + 3);
      continue;
    }
    for (int axis = 0; axis < step->context->obstacles->dimension; axis++) own[axis] = velocity[axis][one->slot];
  }
}

void joint_step_write(const projection_step *step, const double *given, double *const velocity[3],
                      double *const spins[3])
{
  const joint_step *joints = step->joints;
  for (int32_t m = 0; m < joints->members; m++) {
    const joint_member *one = &joints->member[m];
    const double *own = given + (size_t)m * ARTICULATION_FREEDOMS;
    if (one->body >= 0) {
      free_write(step, one->body, own, own + 3, velocity, spins);
      continue;
    }
    for (int axis = 0; axis < step->context->obstacles->dimension; axis++) velocity[axis][one->slot] = own[axis];
  }
}

/* ---- what is left open ---- */

/* Of a row, a rate: what its law wants to be 0, or above. */
static double rate_left(const projection_step *step, const joint *one, const joint_row *row,
                        const joint_measure *seen, const articulation_row *solved, double impulse)
{
  const double h = step->context->time_step, rate = (seen->coordinate - one->coordinate) / h;
  double slack, offset;
  switch (row->law) {
  case JOINT_EQUATION:
    return seen->gap[row->gap] / h;
  case JOINT_LOWER:
    return (seen->coordinate - one->options.lower) / h;
  case JOINT_UPPER:
    return ((one->options.rope ? one->options.length : one->options.upper) - seen->coordinate) / h;
  case JOINT_MOTOR:
    return rate - one->options.motor_velocity;
  default:
    joint_spring(one, h, mobility_of(solved), &slack, &offset);
    return rate + offset + slack * impulse;
  }
}

/* A rate as the length by which it leaves a row open. */
static double open_of(const projection_step *step, const joint_step *joints, int32_t r, const joint_row *row)
{
  const articulation_row *solved = &joints->it.row[r];
  double rate = fabs(joints->w[r]);
  if (solved->lower > -INFINITY) { /* complementary */
    const double mobility = joints->it.diagonal[r],
                 next = joints->impulse[r] - joints->w[r] / fmax(mobility, 1e-300);
    rate = mobility * fabs(fmin(fmax(next, solved->lower), solved->upper) - joints->impulse[r]);
  }
  const bool angular = vector_dot(row->along, row->along) == 0.0;
  return step->context->time_step * rate * (angular ? joints->size : 1.0);
}

/* Also what equations leave open, `off`. */
double joint_step_measure(const projection_step *step)
{
  joint_step *joints = step->joints;
  double open = 0.0;
  go(step);
  joints->off = 0.0;
  for (int32_t p = 0; p < joints->count; p++) {
    const joint_place *at = &joints->place[p];
    const joint *one = &step->context->obstacles->joints.item[at->number];
    joint_measure seen;
    joint_look(one, step->context->obstacles->dimension, at->next, &seen);
    for (int k = 0; k < at->row_count; k++) {
      const int32_t r = at->first_row + k;
      joints->w[r] = rate_left(step, one, &at->row[k], &seen, &joints->it.row[r], joints->impulse[r]);
      if (at->row[k].law == JOINT_MOTOR) joints->w[r] += joints->it.row[r].slack * joints->impulse[r];
      const double here = open_of(step, joints, r, &at->row[k]);
      open = fmax(open, here);
      if (!isfinite(here)) open = INFINITY;
      if (at->row[k].law != JOINT_EQUATION || here <= joints->off) continue;
      joints->off = here;
      joints->worst = p;
    }
  }
  return open;
}

double joint_step_look(const projection_step *step)
{
  joint_step *joints = step->joints;
  memcpy(joints->velocity, joints->base,
         (size_t)joints->members * ARTICULATION_FREEDOMS * sizeof *joints->velocity);
  articulation_push(&joints->it, joints->impulse, joints->velocity);
  return joint_step_measure(step);
}

double joint_step_closed(const joint_step *joints)
{
  return closed * joints->size;
}

/* With the rows of the start. False: that leads away, or takes too long; the best is gone back to. */
static bool follow_start(const projection_step *step)
{
  joint_step *joints = step->joints;
  const size_t bytes = (size_t)joints->it.rows * sizeof(double);
  double before = INFINITY, least = INFINITY, open = joint_step_look(step);
  for (int pass = 0; pass < MOST_PASSES && open < INFINITY; pass++) {
    if (open <= closed * joints->size) return true;
    if (pass > 3 && open > 0.5 * before && open < 1e-9 * joints->size) return true; /* rounding */
    if (pass > 3 && open > before) break;
    if (open < least) memcpy(joints->best, joints->impulse, bytes);
    least = fmin(least, open);
    before = open;
    articulation_solve(&joints->it, joints->w, joints->impulse);
    open = joint_step_look(step);
  }
  if (open <= closed * joints->size) return true;
  if (open <= least) return false;
  memcpy(joints->impulse, joints->best, bytes);
  joint_step_look(step);
  return false;
}

floc_status joint_step_solve(projection_step *step)
{
  joint_step *joints = step->joints;
  const size_t bytes = (size_t)joints->it.rows * sizeof(double);
  bool there = false;
  if (joints->at_ends) { /* as in the turn before */
    const floc_status status = joint_ends_solve(step, &there);
    if (status != FLOC_OK || there) return status;
    joint_step_set_rows(step, false);
  }
  if (follow_start(step)) return FLOC_OK;
  memcpy(joints->best, joints->impulse, bytes);
  const floc_status status = joint_ends_solve(step, &there);
  if (status != FLOC_OK || there) return status;
  joint_step_set_rows(step, false);
  memcpy(joints->impulse, joints->best, bytes);
  joint_step_look(step);
  return FLOC_OK;
}

/* ---- joints that contradict each other ---- */

/* Another one that holds what the worst one holds. */
static int32_t rival_of(const joint_step *joints)
{
  const joint_place *worst = &joints->place[joints->worst];
  for (int32_t p = 0; p < joints->count; p++)
    for (int side = 0; side < 4 && p != joints->worst; side++) {
      const int32_t member = worst->member[side / 2];
      if (member >= 0 && joints->place[p].member[side % 2] == member) return p;
    }
  return -1;
}

bool joint_step_holds(const joint_step *joints)
{
  return joints->off <= fits * joints->size;
}

floc_status joint_step_check(const projection_step *step)
{
  const joint_step *joints = step->joints;
  const bodies *obstacles = step->context->obstacles;
  if (!joints || joint_step_holds(joints)) return FLOC_OK;
  char worst[240], other[240] = "";
  joint_label(obstacles, joints->place[joints->worst].number, worst, sizeof worst);
  const int32_t rival = rival_of(joints);
  if (rival < 0)
    return refuse(
        step->context->env, FLOC_NOT_SUPPORTED,
        "%s, cannot hold in step %lld: it is off by %.3g, whatever impulse it gives; what it holds may be "
        "free along other axes, or go too far in a step",
        worst, (long long)step->context->step + 1, joints->off);
  joint_label(obstacles, joints->place[rival].number, other, sizeof other);
  return refuse(
      step->context->env, FLOC_NOT_SUPPORTED,
      "%s, and %s contradict each other in step %lld: the first is off by %.3g, whatever impulses they give", worst,
      other, (long long)step->context->step + 1, joints->off);
}

/* ---- commit ---- */

static void commit_one(const projection_step *step, const joint_step *joints, const joint_place *at, joint *one)
{
  const double h = step->context->time_step;
  const int dimension = step->context->obstacles->dimension;
  double anchor[3], center[3], arm[3], turn[3];
  joint_measure seen;
  joint_look(one, dimension, at->next, &seen);
  one->added_inertia = 0.0;
  for (int side = 0; side < 2; side++) {
    const int32_t number = at->member[side] < 0 ? -1 : joints->member[at->member[side]].body;
    if (number >= 0)
      one->added_inertia = fmax(one->added_inertia, step->context->obstacles->body[number].added_inertia);
  }
  one->before = one->coordinate;
  one->coordinate = seen.coordinate;
  memset(one->force, 0, sizeof one->force);
  memset(one->torque, 0, sizeof one->torque);
  const pose *second = joints->at_ends ? &at->next[1] : &at->now[1];
  joint_anchor(one, dimension, 1, second, anchor);
  center_at(step, at->member[1], second, center);
  vector_difference(anchor, center, arm);
  for (int k = 0; k < at->row_count; k++) {
    const double force = joints->impulse[at->first_row + k] / h;
    one->impulse[k] = joints->impulse[at->first_row + k];
    vector_add_scaled(one->force, force, at->row[k].along, one->force);
    vector_add_scaled(one->torque, force, at->row[k].turn[1], one->torque);
  }
  vector_cross(arm, one->force, turn);
  vector_add_scaled(one->torque, -1.0, turn, one->torque);
}

void joint_step_commit(projection_step *step)
{
  const joint_step *joints = step->joints;
  if (!joints) return;
  for (int32_t p = 0; p < joints->count; p++)
    commit_one(step, joints, &joints->place[p], &step->context->obstacles->joints.item[joints->place[p].number]);
}
