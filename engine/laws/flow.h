/*
 * Drift in a prescribed flow U, white noise, and from forces to a priori velocities. With a = f/m + g, c =
 * exp(-h/tau): explicit     V* = u + h a - (h/tau) (u - U) + sigma sqrt(h) W/m                  Maury 2004, (3.8),
 * (4.3) exponential  V* = U + c (u - U) + tau (1 - c) a + sigma sqrt(tau/2 (1 - c^2)) W/m The second is the exact
 * step of the Ornstein-Uhlenbeck process for a constant U: its stationary <v^2> is sigma^2 tau/(2 m^2) per
 * component at any h/tau. The first one's is that over 1 - h/(2 tau).
 *
 * What turns feels the torque -(4/3) xi r^2 (omega - rot U/2) beside the drag xi = m/tau of its translation (a
 * sphere in a viscous fluid: 8 pi mu r^3 where xi = 6 pi mu r), so omega relaxes with the time (3/4) (I/(m r^2))
 * tau: 0.3 tau for a ball, 0.375 tau for a disc. rot U/2 of the named flows is known; of a function it follows from
 * central differences of its values 1e-3 radii to both sides along each axis. Noise exerts no torque.
 */
#ifndef FLOC_LAWS_FLOW_H
#define FLOC_LAWS_FLOW_H

#include "laws/laws.h"

/* The flow at a time, at all particles. */
typedef struct flow_state {
  const floc_flow_options *drift;
  double rate;       /* of the shear or the rotation at this time */
  double *stream[3]; /* of a function: U per particle */
  double *spin[3];   /* and rot U/2, if it was asked for */
} flow_state;

/* Evaluates a function at the places in the table's columns; spins: rot U/2 is wanted. */
floc_status flow_find(laws *all, particles *table, double time, double time_step, bool spins, arena *scratch,
                      flow_state *flow);

/* U at a particle, x and y of which are given. */
static inline void flow_velocity(const flow_state *flow, int64_t slot, double x, double y, double stream[3])
{
  const floc_flow_options *drift = flow->drift;
  stream[0] = stream[1] = stream[2] = 0.0;
  switch ((floc_flow_kind)drift->kind) {
  case FLOC_FLOW_NONE:
  case FLOC_FLOW_STILL:
    break;
  case FLOC_FLOW_UNIFORM:
    for (int axis = 0; axis < 3; axis++) stream[axis] = drift->velocity[axis];
    break;
  case FLOC_FLOW_SHEAR:
  case FLOC_FLOW_OSCILLATING_SHEAR:
    stream[0] = flow->rate * (y - drift->center[1]);
    break;
  case FLOC_FLOW_ROTATION:
    stream[0] = -flow->rate * (y - drift->center[1]);
    stream[1] = flow->rate * (x - drift->center[0]);
    break;
  case FLOC_FLOW_FUNCTION:
    for (int axis = 0; axis < 3; axis++)
      if (flow->stream[axis]) stream[axis] = flow->stream[axis][slot];
    break;
  }
}

/* rot U/2 */
static inline void flow_spin(const flow_state *flow, int64_t slot, double spin[3])
{
  int32_t kind = flow->drift->kind;
  spin[0] = spin[1] = spin[2] = 0.0;
  if (kind == FLOC_FLOW_SHEAR || kind == FLOC_FLOW_OSCILLATING_SHEAR) spin[2] = -0.5 * flow->rate;
  if (kind == FLOC_FLOW_ROTATION) spin[2] = flow->rate;
  for (int axis = 0; axis < 3; axis++)
    if (flow->spin[axis]) spin[axis] = flow->spin[axis][slot];
}

/* Relaxation time of angular velocities. */
static inline double flow_spin_time(const floc_flow_options *drift, double inertia_factor)
{
  return 0.75 * inertia_factor * drift->relaxation_time;
}

#endif
