/*
 * From forces to a priori velocities: gravity, drift in a prescribed flow, white noise.
 *   explicit     V* = u + h (f/m + g) - (h/tau) (u - U)                  Maury 2004, (3.8)
 *   exponential  V* = U + (u - U) e + (f/m + g) tau (1 - e), e = exp(-h/tau)
 *   noise        adds sigma sqrt(h) W/m                                  Maury 2004, (4.3)
 */
#ifndef FLOC_LAWS_FLOW_H
#define FLOC_LAWS_FLOW_H

#include "laws/laws.h"

floc_status flow_check(environment *env, const floc_flow_options *options);

typedef struct free_velocity_pass {
  const floc_flow_options *drift;
  double sigma;
  const particles *table;
  const free_velocity_input *input;
  double *stream[3];   /* U per particle for FLOC_FLOW_FUNCTION, else NULL */
  double *velocity[3]; /* V* */
  int32_t dimension;
} free_velocity_pass;

void flow_free_velocity(const environment *env, free_velocity_pass *pass);

#endif
