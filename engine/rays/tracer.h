/*
 * Rays through frozen particles: flights, reflection, absorbed power, forces (Zohdi 2016, section 3; the
 * algorithm (9) with exact intersections).
 *
 * Work goes in batches of chunks of rays. Chunks are done in parallel, each in rounds: in a round every ray of the
 * chunk flies to its next surface. Then what the hits add up to is summed in the order of chunks, rounds and rays.
 * So sums do not depend on the number of threads. Where the host is asked at every hit one thread does it all, in
 * the same order.
 *
 * On its way a ray loses power by the attenuation of what it flies in: the surroundings, or the particle, which
 * absorbs it.
 *
 * Power is accounted for to rounding: incident = absorbed + body_absorbed + attenuated + escaped + residual + what
 * the remaining rays carry; sums are compensated (Neumaier 1974).
 */
#ifndef FLOC_RAYS_TRACER_H
#define FLOC_RAYS_TRACER_H

#include "rays/media.h"
#include "rays/ray_scene.h"

typedef struct ray_record {
  traveler path;
  double power;
  double first_power;
  double area; /* at the source */
  double solid_angle;
  double length;  /* of the path so far */
  int64_t number; /* within its pulse */
  int32_t bounces;
  int32_t source;
} ray_record;

/* A sum that keeps what rounding takes away. */
typedef struct compensated {
  double sum, rest;
} compensated;

void compensated_add(compensated *total, double term);
double compensated_value(const compensated *total);

/* In the order of floc_ray_report; plain numbers only, so that it can go into a checkpoint as it is. */
typedef struct ray_tally {
  compensated incident, absorbed, body_absorbed, escaped, residual, exit_power[3];
  double pulses, rays, reflections, body_reflections, ended_rays; /* counts, exact up to 2^53 */
} ray_tally;

enum { TALLY_NUMBERS = sizeof(ray_tally) / sizeof(double) };

/* What hits do to particles: force, torque about the centre, absorbed power, added up per slot. */
enum { PUSH_SIZE = 7 };

typedef struct ray_pushes {
  double *value;    /* [particle count][PUSH_SIZE], NULL: not wanted */
  int32_t *touched; /* slots in the order in which they were first hit */
  bool *is_touched; /* [particle count] */
  int64_t touched_count;
} ray_pushes;

floc_status ray_pushes_allocate(ray_pushes *pushes, arena *scratch, int64_t particle_count);
/* Forgets all forces; costs only what was touched. */
void ray_pushes_clear(ray_pushes *pushes);

typedef struct tracer {
  environment *env;
  const ray_scene *scene;
  const floc_media *media;
  const floc_ray_source_options *source; /* method, limits, hit function */
  double time;
  ray_tally *tally;
  compensated *attenuated; /* power taken by the surroundings */
  ray_pushes *pushes;
  floc_ray_segment *segments; /* may be NULL; segment_size bytes each, as the host knows them */
  size_t segment_size;
  int64_t segment_capacity, segment_count;
} tracer;

/* Lets all rays fly `length` far (INFINITY: to their ends). On return *count rays are left, in the old
 * order: none for INFINITY. */
floc_status trace_rays(tracer *trace, arena *scratch, ray_record *rays, int64_t *count, double length);

#endif
