/*
 * Gaps, coordinates and rows of joints. See joints.h.
 *
 * With anchors x_first and x_second, s = x_second - x_first, an axis a and directions t1, t2 across it that turn
 * with the first end, and b the axis that turns with the second one, the gaps are
 *
 *             plane                                    space
 *   hinge     s                                        s, t1.b, t2.b
 *   ball      -                                        s
 *   slider    the angle between the ends, t.s          e, t1.s, t2.s
 *   weld      s, the angle between the ends            s, e
 *   distance  |s| - length                             likewise
 *
 * e = 2 vec(q_second conj(q_rel) conj(q_first)), the turn from where the second one should be, in world axes. Of
 * the coordinate: the angle of the second about the axis, a.s, |s|. A direction that turns with the first end gives
 * the first one the arm from its centre to the second's anchor.
 */
#include "geometry/joints.h"

#include "base/mathematics/mathematics.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- poses ---- */

pose joint_world_pose(void)
{
  return (pose){.orientation = {1.0, 0.0, 0.0, 0.0}};
}

static void turned(const pose *at, int32_t dimension, const double own[3], double result[3])
{
  double matrix[3][3];
  pose_matrix(at, dimension, matrix);
  for (int axis = 0; axis < 3; axis++) result[axis] = vector_dot(matrix[axis], own);
}

void joint_anchor(const joint *one, int32_t dimension, int side, const pose *at, double anchor[3])
{
  turned(at, dimension, one->anchor[side], anchor);
  vector_add_scaled(anchor, 1.0, at->position, anchor);
}

static void multiply(const double a[4], const double b[4], double result[4])
{
  const double made[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  memcpy(result, made, sizeof made);
}

static void conjugate(const double a[4], double result[4])
{
  result[0] = a[0];
  for (int k = 1; k < 4; k++) result[k] = -a[k];
}

/* What the second end has turned by since the joint was made, as seen from the first, in the first's frame. */
static void relative_turn(const joint *one, const pose ends[2], double turn[4])
{
  double back[4], first[4];
  conjugate(ends[0].orientation, first);
  multiply(first, ends[1].orientation, turn);
  conjugate(one->relative, back);
  multiply(turn, back, turn);
}

/* e in world axes. */
static void turn_off(const joint *one, const pose ends[2], double off[3])
{
  double turn[4], own[3];
  relative_turn(one, ends, turn);
  const double factor = turn[0] < 0.0 ? -2.0 : 2.0;
  for (int k = 0; k < 3; k++) own[k] = factor * turn[1 + k];
  turned(&ends[0], 3, own, off);
}

/* ---- gaps and coordinate ---- */

static double angle_about_axis(const joint *one, const pose ends[2])
{
  double turn[4];
  relative_turn(one, ends, turn);
  const double angle = 2.0 * floc_atan2(vector_dot(turn + 1, one->axis[0]), turn[0]);
  return angle + 2.0 * pi * round((one->coordinate - angle) / (2.0 * pi)); /* the turn nearest to the last one */
}

static double coordinate_of(const joint *one, int32_t dimension, const pose ends[2], const double apart[3])
{
  double axis[3];
  switch (one->options.kind) {
  case FLOC_JOINT_HINGE:
    return dimension == 2 ? ends[1].angle - ends[0].angle - one->angle : angle_about_axis(one, ends);
  case FLOC_JOINT_SLIDER:
    turned(&ends[0], dimension, one->axis[0], axis);
    return vector_dot(axis, apart);
  case FLOC_JOINT_DISTANCE:
    return vector_length(apart);
  default:
    return 0.0;
  }
}

/* Those of orientations, from gap number `at` on. */
static void turn_gaps(const joint *one, int32_t dimension, const pose ends[2], double *gap)
{
  if (dimension == 2)
    gap[0] = ends[1].angle - ends[0].angle - one->angle;
  else
    turn_off(one, ends, gap);
}

void joint_look(const joint *one, int32_t dimension, const pose ends[2], joint_measure *seen)
{
  double anchor[2][3], apart[3], direction[3], axis[3];
  const int turns = dimension == 2 ? 1 : 3, across = dimension - 1;
  memset(seen, 0, sizeof *seen);
  for (int side = 0; side < 2; side++) joint_anchor(one, dimension, side, &ends[side], anchor[side]);
  vector_difference(anchor[1], anchor[0], apart);
  seen->coordinate = coordinate_of(one, dimension, ends, apart);
  switch (one->options.kind) {
  case FLOC_JOINT_DISTANCE:
    seen->gap[0] = seen->coordinate - one->options.length;
    return;
  case FLOC_JOINT_SLIDER:
    turn_gaps(one, dimension, ends, seen->gap);
    for (int k = 0; k < across; k++) {
      turned(&ends[0], dimension, one->across[k], direction);
      seen->gap[turns + k] = vector_dot(direction, apart);
    }
    return;
  default:
    memcpy(seen->gap, apart, (size_t)dimension * sizeof(double));
  }
  if (one->options.kind == FLOC_JOINT_WELD) turn_gaps(one, dimension, ends, seen->gap + dimension);
  if (one->options.kind != FLOC_JOINT_HINGE || dimension == 2) return;
  turned(&ends[1], 3, one->axis[1], axis);
  for (int k = 0; k < 2; k++) {
    turned(&ends[0], 3, one->across[k], direction);
    seen->gap[3 + k] = vector_dot(direction, axis);
  }
}

/* ---- rows ---- */

typedef struct row_list {
  const joint *one;
  int32_t dimension;
  const joint_end *ends;
  double anchor[2][3], arm[2][3], apart[3]; /* arms from centres to anchors */
  joint_row *row;
  int count;
} row_list;

/* Along a direction of the world. */
static joint_row *add_along(row_list *list, int32_t gap, const double direction[3])
{
  joint_row *row = &list->row[list->count++];
  *row = (joint_row){.law = JOINT_EQUATION, .gap = gap};
  memcpy(row->along, direction, sizeof row->along);
  for (int side = 0; side < 2; side++) vector_cross(list->arm[side], direction, row->turn[side]);
  return row;
}

/* Along one that turns with the first end. */
static joint_row *add_turning(row_list *list, int32_t gap, const double direction[3])
{
  joint_row *row = add_along(list, gap, direction);
  double arm[3];
  vector_add_scaled(list->arm[0], 1.0, list->apart, arm);
  vector_cross(arm, direction, row->turn[0]);
  return row;
}

static joint_row *add_about(row_list *list, int32_t gap, const double axis[3])
{
  joint_row *row = &list->row[list->count++];
  *row = (joint_row){.law = JOINT_EQUATION, .gap = gap};
  for (int side = 0; side < 2; side++) memcpy(row->turn[side], axis, sizeof row->turn[side]);
  return row;
}

static void add_turn_equations(row_list *list, int32_t gap)
{
  for (int axis = list->dimension == 2 ? 2 : 0; axis < 3; axis++) {
    double unit[3] = {0.0, 0.0, 0.0};
    unit[axis] = 1.0;
    add_about(list, gap++, unit);
  }
}

static void add_point_equations(row_list *list)
{
  for (int axis = 0; axis < list->dimension; axis++) {
    double unit[3] = {0.0, 0.0, 0.0};
    unit[axis] = 1.0;
    add_along(list, axis, unit);
  }
}

static void add_axis_equations(row_list *list)
{
  double direction[3], axis[3], about[3];
  turned(&list->ends[1].at, 3, list->one->axis[1], axis);
  for (int k = 0; k < 2; k++) {
    turned(&list->ends[0].at, 3, list->one->across[k], direction);
    vector_cross(axis, direction, about);
    add_about(list, 3 + k, about);
  }
}

static void add_slider_equations(row_list *list)
{
  const int turns = list->dimension == 2 ? 1 : 3;
  double direction[3];
  add_turn_equations(list, 0);
  for (int k = 0; k < list->dimension - 1; k++) {
    turned(&list->ends[0].at, list->dimension, list->one->across[k], direction);
    add_turning(list, turns + k, direction);
  }
}

/* From the first anchor to the second; anywhere where they are one. */
static void direction_of(const row_list *list, double direction[3])
{
  const double length = vector_length(list->apart);
  for (int axis = 0; axis < 3; axis++) direction[axis] = length > 0.0 ? list->apart[axis] / length : axis == 0;
}

static joint_row *add_coordinate(row_list *list)
{
  double direction[3] = {0.0, 0.0, 1.0};
  if (list->one->options.kind == FLOC_JOINT_DISTANCE) {
    direction_of(list, direction);
    return add_along(list, -1, direction);
  }
  if (list->dimension == 3 || !joint_turns(list->one))
    turned(&list->ends[0].at, list->dimension, list->one->axis[0], direction);
  return joint_turns(list->one) ? add_about(list, -1, direction) : add_turning(list, -1, direction);
}

static void add_law(row_list *list, joint_law law)
{
  joint_row *row = add_coordinate(list);
  row->law = law;
  if (law != JOINT_UPPER) return;
  for (int axis = 0; axis < 3; axis++) {
    row->along[axis] = -row->along[axis];
    for (int side = 0; side < 2; side++) row->turn[side][axis] = -row->turn[side][axis];
  }
}

/* A distance that is neither a rope nor a spring nor anything else is a rod. */
static bool is_rod(const floc_joint_options *options)
{
  return !options->rope && !options->limited && !(options->motor_greatest > 0.0) && !(options->stiffness > 0.0) &&
         !(options->damping > 0.0);
}

int joint_rows(const joint *one, int32_t dimension, const joint_end ends[2], joint_row rows[])
{
  const floc_joint_options *options = &one->options;
  row_list list = {.one = one, .dimension = dimension, .ends = ends, .row = rows};
  for (int side = 0; side < 2; side++) {
    joint_anchor(one, dimension, side, &ends[side].at, list.anchor[side]);
    vector_difference(list.anchor[side], ends[side].center, list.arm[side]);
  }
  vector_difference(list.anchor[1], list.anchor[0], list.apart);
  if (options->kind == FLOC_JOINT_SLIDER)
    add_slider_equations(&list);
  else if (options->kind != FLOC_JOINT_DISTANCE)
    add_point_equations(&list);
  if (options->kind == FLOC_JOINT_WELD) add_turn_equations(&list, dimension);
  if (options->kind == FLOC_JOINT_HINGE && dimension == 3) add_axis_equations(&list);
  if (options->kind == FLOC_JOINT_DISTANCE && is_rod(options)) add_coordinate(&list)->gap = 0;
  if (options->limited && options->lower > -INFINITY) add_law(&list, JOINT_LOWER);
  if (options->rope || (options->limited && options->upper < INFINITY)) add_law(&list, JOINT_UPPER);
  if (options->motor_greatest > 0.0) add_law(&list, JOINT_MOTOR);
  if (options->stiffness > 0.0 || options->damping > 0.0) add_law(&list, JOINT_SPRING);
  return list.count;
}

/* p = -h [k (a c1 + b c0 + c c- - rest) + d (c1 - c-)/(2 h)], c1 at the end of the step, c0 now, c- one step
 * before. Where the step resolves the oscillation, h omega < 1, (a b c) = (1 2 1)/4: velocities live at the middles
 * of steps, so that is the trapezoidal rule, which keeps the energy. Above h omega = 2 it is (1 0 0), which is
 * stable and calms what the step is too long for. */
void joint_spring(const joint *one, double time_step, double mobility, double *slack, double *offset)
{
  const double k = one->options.stiffness, d = one->options.damping, h = time_step;
  const double calmed = fmin(fmax((h * h * k * mobility - 1.0) / 3.0, 0.0), 1.0);
  const double last = 0.25 + 0.75 * calmed, first = 0.25 * (1.0 - calmed);
  const double stiff = last * k * h + 0.5 * d, back = one->before - one->coordinate;
  *slack = 1.0 / (h * stiff);
  *offset = (k * (one->coordinate + first * back - one->options.rest) - 0.5 * d * back / h) / stiff;
}
