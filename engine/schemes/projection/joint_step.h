/*
 * Joints in a step of the projection: see joint_step.c, and joint_contacts.c for how contacts and joints are solved
 * around each other.
 */
#ifndef FLOC_SCHEMES_PROJECTION_JOINT_STEP_H
#define FLOC_SCHEMES_PROJECTION_JOINT_STEP_H

#include "contacts/finish/articulation.h"
#include "geometry/joints.h"
#include "schemes/projection/step.h"

/* What gives way at joints: free bodies and particles that some joint holds. Velocities are of its centre. */
typedef struct joint_member {
  int32_t body; /* -1: a particle */
  int64_t slot; /* of a particle */
  int64_t own;  /* number in the problem of contacts */
  double inverse_mass[3], inverse_inertia[6];
  double stiff_inverse_inertia[6]; /* with what joints pull: joint_ends.c */
  double before[6];                /* V*, without joints */
} joint_member;

/* One joint in the step. */
typedef struct joint_place {
  int32_t number;
  int32_t member[2]; /* -1: the world, or a body that is told where to go */
  pose now[2], next[2];
  int32_t first_row, row_count;
  joint_row row[JOINT_ROWS];
} joint_place;

typedef struct joint_step {
  int32_t count, members;
  joint_place *place;
  joint_member *member;
  articulation it;
  double size;      /* a length: of arms */
  double *impulse;  /* [row] of the solution so far */
  double *base;     /* [member][6] velocities without joints' impulses */
  double *velocity; /* [member][6] with them */
  double *w, *gap;  /* [row] */
  double *best;     /* [row] impulses of the least gaps */
  double off;       /* the greatest gap that an equation has left, a length */
  int32_t worst;    /* place in `place` of its joint */
  bool at_ends;     /* impulses act along the directions of the step's end: joint_ends.c */
} joint_step;

/* Rows and their gaps: of the poses now, or where the present velocities lead (`next`). */
void joint_step_set_rows(const projection_step *step, bool at_ends);
/* w of all rows where the present velocities lead. Returns the most that any leaves open, a length. */
double joint_step_measure(const projection_step *step);
/* The same where the present impulses lead. */
double joint_step_look(const projection_step *step);
/* Impulses along the directions of the step's end (joint_ends.c). False: they leave some gap. */
floc_status joint_ends_solve(const projection_step *step, bool *closed);
/* What gaps may be, a length. */
double joint_step_closed(const joint_step *joints);
/* Solves the joints for members' velocities `base` without them: impulse, velocity. */
floc_status joint_step_solve(projection_step *step);
/* Members' velocities from columns of the problem, and into them. */
void joint_step_read(const projection_step *step, double *const velocity[3], double *const spins[3], double *found);
void joint_step_write(const projection_step *step, const double *given, double *const velocity[3],
                      double *const spins[3]);
/* No equation was left open. */
bool joint_step_holds(const joint_step *joints);
/* FLOC_NOT_SUPPORTED, with the names of joints, where equations were left open. */
floc_status joint_step_check(const projection_step *step);

#endif
