/*
 * Free bodies: what they weigh, what acts on them before contacts, and how they continue from the velocities that
 * contacts leave them.
 *
 * A free body turns about `center`: its centre of mass, or, where no translation is free, the body's position. In
 * space its state is the angular momentum; a step's mean angular velocity is that of the implicit midpoint rule,
 * and the turn is Cayley's, as for rigid assemblies (rigid.h). Where it turns about one axis that is an axis of the
 * world, and the angular velocity about it is the state.
 */
#ifndef FLOC_GEOMETRY_FREE_BODY_H
#define FLOC_GEOMETRY_FREE_BODY_H

#include "geometry/convex/body_parts.h"
#include "geometry/rigid.h"

enum {
  FREE_TRANSLATIONS = 7, /* bits of floc_free_options.axes */
  FREE_TURNS = 56,
  FREE_FIRST_TURN = 8
};

static inline bool body_is_free(const body *one)
{
  return one->motion.motion == FLOC_MOTION_FREE;
}

static inline bool body_moves_along(const body *one, int axis)
{
  return (one->free.axes >> axis & 1) != 0;
}

/* The one axis that it turns about, 3: any, -1: none. */
int body_turns_about(const body *one, int32_t dimension);
/* How many of all are free. */
int32_t bodies_free_count(const bodies *all);
/* Does it go along some axes only? */
bool body_is_guided(const body *one, int32_t dimension);

/* Makes a body free with the shapes that it has. FLOC_INVALID_ARGUMENT, FLOC_NOT_SUPPORTED; then it is as before.
 */
floc_status bodies_set_free(bodies *all, int32_t number, const floc_free_options *options);
/* Whether numbers from a file make sense. */
bool free_body_is_whole(const free_body *one, int32_t dimension);

/* From its position to its centre, in world axes, at a pose. */
void body_center_arm(const body *one, int32_t dimension, const pose *at, double arm[3]);
/* Its centre at the present pose. */
void body_center(const body *one, int32_t dimension, double center[3]);
/* What an impulse changes in a step at whose end damping is taken: 1/(M + h c), along axes that are free, and about
 * the axes that it turns about (I + h c)^-1, in world axes, xx yy zz xy xz yz. */
double body_inverse_mass(const body *one, double time_step);
void body_inverse_inertia(const body *one, int32_t dimension, double time_step, double inverse[6]);
/* 1/2 M V^2, and 1/2 omega.I omega. */
double body_translational_energy(const body *one);
double body_rotational_energy(const body *one, int32_t dimension);
/* The height of its centre of mass counts: minus mass times gravity.position. */
double body_gravity_energy(const body *one, int32_t dimension, const double gravity[3]);

/* What acts on it, contacts of the projection left out. */
typedef struct free_push {
  double gravity[3];
  double force[3], torque[3]; /* of laws, about the body's position */
  double load[6];             /* force and torque by the host, about its centre */
} free_push;

/* Force and torque about its centre of that and of its own constant load, at the present pose. */
void body_pushes(const bodies *all, int32_t number, const free_push *push, double force[3], double torque[3]);

/* Velocities before contacts: of its centre, the mean angular velocity of the step, and in space the angular
 * momentum.
 */
typedef struct free_velocity {
  double linear[3], spin[3], momentum[3];
  double orientation[4]; /* then */
} free_velocity;

/* What the host's function of a load gives at a time; 0 without one. */
floc_status body_load(const bodies *all, int32_t number, double time, double load[6]);
/* From the body's velocities, after what acts has acted for `kick`, with damping as it is then; spin is the mean of
 * the free turn by `time_step` that follows. */
void body_free_velocity(const bodies *all, int32_t number, double kick, double time_step, const free_push *push,
                        free_velocity *result);
/* The pose after a step with these mean velocities. */
void body_next_pose(const body *one, int32_t dimension, double time_step, const double linear[3],
                    const double spin[3], pose *next);
/* Pose next from the mean velocities of the step with contacts. */
void body_go(body *one, int32_t dimension, double time_step, const double linear[3], const double spin[3]);
/* After bodies_commit(): its velocities at the end of the step. */
void body_arrive(body *one, int32_t dimension, const free_velocity *before, const double linear[3],
                 const double spin[3]);
/* Likewise where a step ends in a second kick: after bodies_commit() and the velocities of its middle what acts at
 * its end acts for `kick`, with damping as it was in the middle. */
void body_arrive_kicked(const bodies *all, int32_t number, double kick, const free_push *push,
                        const free_velocity *middle);

/* Bodies of which one is free that touch at pose next: FLOC_NOT_SUPPORTED with their names. parts: those whose
 * contacts are known may touch; NULL: none may, for that reason. */
floc_status bodies_check_apart(const bodies *all, const body_parts *parts, const char *reason, int64_t step);
floc_status bodies_refuse_touch(const bodies *all, int32_t number, int32_t other, const char *reason, int64_t step);

#endif
