/*
 * Joints: what holds two ends together. An end is a body, a particle, or the world (a place that stays).
 *
 * A joint says how far its ends are from where it wants them: its gaps, functions of the ends' poses alone, which
 * are 0 where it holds, and, where it lets them move along or about one direction, a coordinate: the angle of a
 * hinge, the displacement of a slider, the distance of two anchors. Limits, motors and springs act on the
 * coordinate. Each of them is a row of the constraint problem (joint_row), with the impulses that it may have:
 *
 *   equation    gap = 0              any impulse
 *   lower       coordinate >= lower  p >= 0
 *   upper       coordinate <= upper  p >= 0, of the row with the other sign
 *   motor       rate = velocity      |p| <= h times the greatest force or torque
 *   spring      p = -h (k (c - rest) + d dc/dt), c and dc/dt from the ends of three steps (joint_spring())
 *
 * The force of a joint is that on its second end. Numbers of joints are not used twice; a removed one keeps its
 * row.
 */
#ifndef FLOC_GEOMETRY_JOINTS_H
#define FLOC_GEOMETRY_JOINTS_H

#include "base/section.h"
#include "geometry/bodies.h"
#include "particles/particles.h"

enum { JOINT_GAPS = 6, JOINT_ROWS = 9 /* a hinge in space with two limits, a motor and a spring */ };

typedef enum joint_law { JOINT_EQUATION, JOINT_LOWER, JOINT_UPPER, JOINT_MOTOR, JOINT_SPRING } joint_law;

typedef struct joint {
  floc_joint_options options; /* of what was made; `length` and `rest` are numbers then */
  bool is_removed;
  double anchor[2][3];        /* in the end's frame; of the world as it is */
  double axis[2][3];          /* likewise, of length 1: of a hinge in space, of a slider */
  double across[2][3];        /* of a hinge in space, of a slider: normal to axis[0], in the first end's frame */
  double relative[4];         /* conj(q_first) q_second when it was made */
  double angle;               /* in the plane: that of the second less that of the first, then */
  double coordinate;          /* at the present time; the angle counts turns */
  double before;              /* one step earlier */
  double added_inertia;       /* of its bodies in the last step, the greatest */
  double impulse[JOINT_ROWS]; /* of the last step */
  double force[3], torque[3]; /* on the second end, the torque about its anchor: means of the last step */
} joint;

/* Where an end is. center: what it turns about, in world axes. */
typedef struct joint_end {
  pose at;
  double center[3];
} joint_end;

/* How gaps and coordinates change: along.(v_second - v_first) + turn[1].omega_second - turn[0].omega_first, v of
 * the centres. */
typedef struct joint_row {
  int32_t law; /* joint_law */
  int32_t gap; /* number of the gap; -1: the coordinate */
  double along[3], turn[2][3];
} joint_row;

typedef struct joint_measure {
  double gap[JOINT_GAPS]; /* lengths, and angles */
  double coordinate;
} joint_measure;

/* Is it about an angle? Then its motor has a torque. */
static inline bool joint_turns(const joint *one)
{
  return one->options.kind == FLOC_JOINT_HINGE;
}
/* The word of its kind. */
const char *joint_word(int32_t kind);
/* "joint 3, a hinge between body 1 (lid) and the world" */
void joint_label(const bodies *all, int32_t number, char *text, size_t size);

/* Adds one between ends as they are now. FLOC_INVALID_ARGUMENT, FLOC_NOT_SUPPORTED, FLOC_NOT_FOUND. */
floc_status joints_add(bodies *all, const particles *table, const domain *box, const floc_joint_options *options,
                       int32_t *number);
floc_status joints_check_number(const bodies *all, environment *env, int32_t number);
floc_status joints_remove(bodies *all, int32_t number);
/* Another motor: velocity and greatest force or torque. */
floc_status joints_set_motor(bodies *all, int32_t number, double velocity, double greatest);
/* Those of a body, of a particle that goes. */
void joints_forget_body(bodies *all, int32_t number);
void joints_forget_particle(bodies *all, int64_t id);
/* How many there are. */
int32_t joints_present(const bodies *all);
/* Are two bodies linked by one? Then they do not touch each other. */
bool bodies_are_linked(const bodies *all, int32_t first, int32_t second);
void joints_free(bodies *all);

/* An end at a pose; side 0: the first. The pose of the world is that of no turn at the origin. */
pose joint_world_pose(void);
void joint_anchor(const joint *one, int32_t dimension, int side, const pose *at, double anchor[3]);
void joint_look(const joint *one, int32_t dimension, const pose ends[2], joint_measure *seen);
/* Its rows at these ends, at most JOINT_ROWS. */
int joint_rows(const joint *one, int32_t dimension, const joint_end ends[2], joint_row rows[]);

/* The spring as a row: w + p slack + offset = 0, w the change of the coordinate over h in the step. mobility: of
 * that row. */
void joint_spring(const joint *one, double time_step, double mobility, double *slack, double *offset);

/* A pull f at an arm r turns a body back with the stiffness |f| |r|; where a step is too long for the oscillation
 * that this gives a light body, h^2 |f| |r| > I, impulses along the directions of the step's start would throw it
 * about. There its inertia counts as that much, for impulses alone: heavy loads on light links stay calm, and slow
 * motion, for which these links have next to no inertia anyway, is as it was. Pulls are those of the last step. */
void joints_raise_inertia(bodies *all, double time_step);

/* "joints.state", as state, where there is one. */
floc_status joints_sections(bodies *all, section_list *list);
/* Those of the file take the place of those that are there. FLOC_DAMAGED_FILE. */
floc_status joints_restore(bodies *all, const section_list *list, int64_t last_id);
/* The particles of all are there. FLOC_DAMAGED_FILE. */
floc_status joints_check_particles(const bodies *all, const particles *table);

#endif
