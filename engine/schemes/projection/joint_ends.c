/*
 * Joints whose impulses act along the directions of the step's end, for steps in which those of its start lead
 * away: light links that a sudden load pulls straight turn past it, whatever impulses are tried along the old
 * directions. With q1 = q + h V, gaps g and rows J = dg/dq,
 *
 *   M (V - V*) = J(q1)^T P,   g(q1) = 0,
 *
 * are the conditions of the least |V - V*|_M at which the joints hold, so that there is a solution wherever joints
 * do not contradict each other. It is backward Euler's: it calms the links. Momentum is kept, angular momentum but
 * for h (V2 - V1) x P of the members that a joint links, as arms are those of the end.
 *
 * Newton's method in V and P together. Of the second derivatives of P g it takes those by turns: an impulse f at an
 * arm r turns a body back with the stiffness f.r - (f r^T + r f^T)/2, which counts as inertia h times that; where
 * it turns it away, at most by half of the inertia that is there, so that the matrix stays positive. Steps are
 * shortened until they lessen what is open in either equation.
 */
#include "schemes/projection/joint_step.h"

#include "geometry/free_body.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60, MOST_HALVINGS = 12, MOST_PARTS = 60 };

static const double first_part = 0.25;
static const double rounding = 1e-9; /* of the joints' size: what may be left where nothing lessens it */

static const int row_of[6] = {0, 1, 2, 0, 0, 1}, column_of[6] = {0, 1, 2, 1, 2, 2};
static const double least_part = 0.5; /* of a body's inertia: what is left of it where joints turn it away */

typedef struct ends_search {
  double *missed, *start, *change; /* [member][6] V - V* - M^-1 J^T P; V before a step; its change */
  double *good, *whole_base;       /* likewise: V of the last part; V* */
  double *impulse, *turned;        /* [row] before a step; their change */
  double *taken, *good_impulse;    /* [row] scratch; of the last part */
  double *stiffness;               /* [member][6] K: h (f.r - (f r^T + r f^T)/2), xx yy zz xy xz yz */
} ends_search;

static bool allocate(arena *scratch, const joint_step *joints, ends_search *all)
{
  const size_t numbers = (size_t)joints->members * ARTICULATION_FREEDOMS, rows = (size_t)joints->it.rows;
  double **of_members[] = {&all->missed, &all->start, &all->change, &all->good, &all->whole_base};
  double **of_rows[] = {&all->impulse, &all->turned, &all->taken, &all->good_impulse};
  for (int k = 0; k < 5; k++)
    if (!(*of_members[k] = arena_allocate(scratch, numbers, sizeof(double)))) return false;
  for (int k = 0; k < 4; k++)
    if (!(*of_rows[k] = arena_allocate(scratch, rows, sizeof(double)))) return false;
  return (all->stiffness = arena_allocate(scratch, 6 * (size_t)joints->members, sizeof(double)));
}

/* ---- what is open ---- */

/* Rows where the velocities lead, their rates, and how far the velocities are from what the impulses give. Returns
 * the most of both, a length. */
static double find_open(const projection_step *step, const ends_search *all)
{
  const joint_step *joints = step->joints;
  const size_t numbers = (size_t)joints->members * ARTICULATION_FREEDOMS;
  joint_step_set_rows(step, true);
  double open = joint_step_measure(step);
  for (size_t k = 0; k < numbers; k++) all->missed[k] = -joints->base[k];
  for (size_t k = 0; k < numbers; k++) all->missed[k] += joints->velocity[k];
  for (int32_t r = 0; r < joints->it.rows; r++) all->taken[r] = -joints->impulse[r];
  articulation_push(&joints->it, all->taken, all->missed);
  for (size_t k = 0; k < numbers; k++) {
    const double size = k % ARTICULATION_FREEDOMS < 3 ? 1.0 : joints->size;
    const double here = step->context->time_step * size * fabs(all->missed[k]);
    open = here <= open ? open : here;
    if (!isfinite(here)) return INFINITY;
  }
  return open;
}

/* ---- one step ---- */

/* How much what pulls at bodies turns them back. */
static void find_stiffness(const projection_step *step, const ends_search *all)
{
  const joint_step *joints = step->joints;
  const bodies *obstacles = step->context->obstacles;
  memset(all->stiffness, 0, 6 * (size_t)joints->members * sizeof *all->stiffness);
  for (int32_t p = 0; p < joints->count; p++) {
    const joint_place *at = &joints->place[p];
    const joint *one = &obstacles->joints.item[at->number];
    for (int side = 0; side < 2; side++) {
      const int32_t number = at->member[side] < 0 ? -1 : joints->member[at->member[side]].body;
      double anchor[3], arm[3], center[3], force[3] = {0.0, 0.0, 0.0};
      if (number < 0) continue;
      joint_anchor(one, obstacles->dimension, side, &at->next[side], anchor);
      body_center_arm(&obstacles->body[number], obstacles->dimension, &at->next[side], arm);
      vector_add_scaled(at->next[side].position, 1.0, arm, center);
      vector_difference(anchor, center, arm);
      for (int k = 0; k < at->row_count; k++)
        vector_add_scaled(force,
                          (side == 0 ? -1.0 : 1.0) * step->context->time_step * joints->impulse[at->first_row + k],
                          at->row[k].along, force);
      double *stiffness = all->stiffness + 6 * at->member[side];
      for (int k = 0; k < 6; k++)
        stiffness[k] += (k < 3 ? vector_dot(force, arm) : 0.0) -
                        0.5 * (force[row_of[k]] * arm[column_of[k]] + arm[row_of[k]] * force[column_of[k]]);
    }
  }
}

/* Of a symmetric matrix. False: it is not positive. */
static bool invert(const double a[6], double inverse[6])
{
  const double minor[6] = {a[1] * a[2] - a[5] * a[5], a[0] * a[2] - a[4] * a[4], a[0] * a[1] - a[3] * a[3],
                           a[4] * a[5] - a[3] * a[2], a[3] * a[5] - a[4] * a[1], a[3] * a[4] - a[0] * a[5]};
  const double determinant = a[0] * minor[0] + a[3] * minor[3] + a[4] * minor[4];
  for (int k = 0; k < 6; k++) inverse[k] = minor[k] / determinant;
  return a[0] > 0.0 && minor[2] > 0.0 && determinant > 0.0;
}

/* (I + K)^-1 of a body that turns about every axis, with as much of K as leaves a part of I. */
static void add_stiffness(const joint_member *one, double stiffness[6], double inverse[6])
{
  double inertia[6], rest[6], scratch[6];
  if (!invert(one->inverse_inertia, inertia)) { /* about one axis, or none */
    for (int k = 0; k < 6; k++) {
      const double own = k < 3 && one->inverse_inertia[k] > 0.0 ? 1.0 / one->inverse_inertia[k] : 0.0;
      stiffness[k] = own > 0.0 ? fmax(stiffness[k], -(1.0 - least_part) * own) : 0.0;
      inverse[k] = own > 0.0 ? 1.0 / (own + stiffness[k]) : 0.0;
    }
    return;
  }
  for (int halvings = 0; halvings < MOST_HALVINGS; halvings++) {
    for (int k = 0; k < 6; k++) rest[k] = (1.0 - least_part) * inertia[k] + stiffness[k];
    if (invert(rest, scratch)) break;
    for (int k = 0; k < 6; k++) stiffness[k] *= 0.5;
  }
  for (int k = 0; k < 6; k++) rest[k] = inertia[k] + stiffness[k];
  if (invert(rest, inverse)) return;
  memcpy(inverse, one->inverse_inertia, 6 * sizeof *inverse);
  memset(stiffness, 0, 6 * sizeof *stiffness);
}

/* Rows of (M + K)^-1, and the change of velocities that brings them to what the impulses give. */
static void set_matrix(const projection_step *step, const ends_search *all)
{
  joint_step *joints = step->joints;
  find_stiffness(step, all);
  for (int32_t m = 0; m < joints->members; m++) {
    joint_member *one = &joints->member[m];
    const double *missed = all->missed + (size_t)m * ARTICULATION_FREEDOMS;
    double *change = all->change + (size_t)m * ARTICULATION_FREEDOMS, turned[3], stiff[3];
    add_stiffness(one, all->stiffness + 6 * m, one->stiff_inverse_inertia);
    rigid_symmetric_times(all->stiffness + 6 * m, missed + 3, stiff);
    rigid_symmetric_times(one->stiff_inverse_inertia, stiff, turned);
    for (int axis = 0; axis < 3; axis++) {
      change[axis] = -missed[axis];
      change[3 + axis] = turned[axis] - missed[3 + axis]; /* -(I + K)^-1 I missed */
    }
  }
  for (int32_t r = 0; r < joints->it.rows; r++) {
    articulation_row *row = &joints->it.row[r];
    for (int side = 0; side < 2; side++)
      if (row->body[side] >= 0)
        rigid_symmetric_times(joints->member[row->body[side]].stiff_inverse_inertia, row->coefficient[side] + 3,
                              row->moved[side] + 3);
  }
  articulation_refill(&joints->it);
}

/* Newton's whole step in both. */
static void find_step(const projection_step *step, const ends_search *all)
{
  joint_step *joints = step->joints;
  const size_t numbers = (size_t)joints->members * ARTICULATION_FREEDOMS, rows = (size_t)joints->it.rows;
  set_matrix(step, all);
  for (int32_t r = 0; r < joints->it.rows; r++) {
    const articulation_row *row = &joints->it.row[r];
    for (int side = 0; side < 2; side++) {
      if (row->body[side] < 0) continue;
      const double *change = all->change + (size_t)row->body[side] * ARTICULATION_FREEDOMS;
      for (int k = 0; k < ARTICULATION_FREEDOMS; k++) joints->w[r] += row->coefficient[side][k] * change[k];
    }
  }
  memcpy(all->impulse, joints->impulse, rows * sizeof(double));
  memcpy(all->start, joints->velocity, numbers * sizeof(double));
  articulation_solve(&joints->it, joints->w, joints->impulse);
  for (size_t r = 0; r < rows; r++) all->turned[r] = joints->impulse[r] - all->impulse[r];
  articulation_push(&joints->it, all->turned, all->change);
}

/* As much of it as lessens what is open. */
static double take_step(const projection_step *step, const ends_search *all, double before)
{
  joint_step *joints = step->joints;
  const size_t numbers = (size_t)joints->members * ARTICULATION_FREEDOMS, rows = (size_t)joints->it.rows;
  double part = 1.0, open = INFINITY;
  for (int halvings = 0; halvings <= MOST_HALVINGS; halvings++, part *= 0.5) {
    for (size_t r = 0; r < rows; r++) joints->impulse[r] = all->impulse[r] + part * all->turned[r];
    for (size_t k = 0; k < numbers; k++) joints->velocity[k] = all->start[k] + part * all->change[k];
    open = find_open(step, all);
    if (open < before) break;
  }
  return open;
}

/* Newton's method from the velocities and impulses that are there. Returns what is open. */
static double search(const projection_step *step, const ends_search *all)
{
  double open = find_open(step, all), before = INFINITY;
  for (int k = 0; k < MOST_STEPS && open > joint_step_closed(step->joints) && open < before; k++) {
    before = open;
    find_step(step, all);
    open = take_step(step, all, before);
  }
  return open;
}

/* In parts: V* grows from 0, where nothing goes anywhere and joints hold, and each part begins where the last one
 * ended. */
static double search_in_parts(const projection_step *step, const ends_search *all)
{
  joint_step *joints = step->joints;
  const size_t numbers = (size_t)joints->members * ARTICULATION_FREEDOMS, rows = (size_t)joints->it.rows;
  double reached = 0.0, part = first_part, open = INFINITY;
  memcpy(all->whole_base, joints->base, numbers * sizeof(double));
  memset(all->good, 0, numbers * sizeof(double));
  memset(all->good_impulse, 0, rows * sizeof(double));
  for (int k = 0; k < MOST_PARTS && reached < 1.0; k++) {
    const double next = fmin(reached + part, 1.0);
    for (size_t i = 0; i < numbers; i++) joints->base[i] = next * all->whole_base[i];
    memcpy(joints->velocity, all->good, numbers * sizeof(double));
    memcpy(joints->impulse, all->good_impulse, rows * sizeof(double));
    open = search(step, all);
    if (open > rounding * joints->size) {
      part *= 0.25;
      continue;
    }
    memcpy(all->good, joints->velocity, numbers * sizeof(double));
    memcpy(all->good_impulse, joints->impulse, rows * sizeof(double));
    reached = next;
    part *= 2.0;
  }
  memcpy(joints->base, all->whole_base, numbers * sizeof(double));
  return reached < 1.0 ? INFINITY : open;
}

floc_status joint_ends_solve(const projection_step *step, bool *closed)
{
  joint_step *joints = step->joints;
  arena *scratch = step->context->scratch;
  const arena_mark here = arena_here(scratch);
  ends_search all;
  if (!allocate(scratch, joints, &all)) return FLOC_OUT_OF_MEMORY;
  joint_step_look(step);
  double open = search(step, &all);
  if (open > rounding * joints->size) open = search_in_parts(step, &all);
  joint_step_set_rows(step, true);
  *closed = open < INFINITY && joint_step_look(step) <= rounding * joints->size;
  arena_return(scratch, here);
  return FLOC_OK;
}
