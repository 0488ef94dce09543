/*
 * The velocity projection of Maury 2004 (3.5)-(3.7) and Lefebvre 2009 (Algorithm 3.3): a priori velocities
 * are projected, in the mass metric, on those that keep every pair of surfaces apart at the step's end.
 */
#ifndef FLOC_SCHEMES_PROJECTION_PROJECTION_H
#define FLOC_SCHEMES_PROJECTION_PROJECTION_H

#include "contacts/laws/host.h"
#include "schemes/scheme.h"

/* table gets columns of angular velocities where the options ask for rotation. */
floc_status projection_create(environment *env, neighbors *near, particles *table, int32_t dimension,
                              const host_laws *hosts, const floc_projection_options *options, scheme *out);

#endif
