/*
 * Where the rays of a pulse start: plane waves, points, functions of the host.
 */
#ifndef FLOC_RAYS_EMISSION_H
#define FLOC_RAYS_EMISSION_H

#include "rays/tracer.h"

/* Checks every field that the kind of source uses. */
floc_status source_check(environment *env, const floc_ray_source_options *options, int32_t dimension);

/* What makes one pulse differ from another. */
typedef struct pulse_identity {
  uint64_t seed;
  int32_t source; /* number of the source, -1 outside a world */
  int64_t pulse;  /* number of the pulse of this source, from 0 */
  double time;
} pulse_identity;

/* Writes options->rays rays. Rays that start inside a particle are marked as emerging. */
floc_status emit_pulse(environment *env, const ray_scene *scene, const floc_ray_source_options *options,
                       const pulse_identity *identity, ray_record *rays);

#endif
