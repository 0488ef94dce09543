/*
 * All sources of a world, the rays that are under way, and the forces that still act.
 *
 * A step asks first (ray_sources_begin: rays in flight continue, pulses that are due are fired, all through
 * the particles as they stand), gets the mean of all forces over the step (ray_sources_force) as
 * often as it likes, and then takes over (ray_sources_commit) or forgets (ray_sources_revert) what
 * happened. A pulse's force F acts from the start of the step in which the ray hits, for the source's
 * duration T; the mean over a step of length h that overlaps it by o is F o / h, so the impulse is F T
 * whatever the steps are.
 *
 * Memory: two copies of the state, `now` and `next`; a force is one row of doubles, a ray one struct. The
 * state goes into checkpoints as tables of numbers; the sources themselves (they hold functions of the
 * host) are added again before a state is restored.
 */
#ifndef FLOC_RAYS_RAY_SOURCES_H
#define FLOC_RAYS_RAY_SOURCES_H

#include "base/section.h"
#include "rays/emission.h"

typedef struct ray_sources ray_sources;

/* seed: of sources that have none of their own. */
floc_status ray_sources_create(environment *env, int32_t dimension, uint64_t seed, ray_sources **all);
void ray_sources_destroy(ray_sources *all);
floc_status ray_sources_set_media(ray_sources *all, const floc_media *media);
/* Copies the options, times included. */
floc_status ray_sources_add(ray_sources *all, const floc_ray_source_options *options, int32_t *number);
int32_t ray_sources_count(const ray_sources *all);
/* In flight, and one pulse of every source. */
int64_t ray_sources_rays(const ray_sources *all);

/* Starts a step at `time`. On failure nothing has changed. */
floc_status ray_sources_begin(ray_sources *all, arena *scratch, const particles *table, const bodies *obstacles,
                              const domain *box, double time);
/* Adds the mean force over time .. time + time_step to columns in storage order; torque may be NULL. Returns
 * whether any force acts in that time; with force NULL that is all it does. */
bool ray_sources_force(const ray_sources *all, const particles *table, double time, double time_step,
                       double *const force[3], double *const torque[3]);
/* The same in the form that a step_context wants; context is the ray_sources. */
bool ray_sources_external(const void *context, const particles *table, double time, double time_step,
                          double *const force[3], double *const torque[3]);
/* The step succeeded and ended at `time`. Adds what particles took in to the attribute "absorbed_energy", if
 * the table has one, and warms particles whose media have a heat capacity. */
void ray_sources_commit(ray_sources *all, particles *table, double time);
void ray_sources_revert(ray_sources *all);

/* source -1: all. */
floc_status ray_sources_report(const ray_sources *all, environment *env, int32_t source, floc_ray_report *report);
void ray_sources_flying(const ray_sources *all, floc_ray *rays, int64_t capacity, int64_t *count);

/* floc_trace_result with the report of today and the size of the host's segments. */
typedef struct ray_trace {
  floc_ray_report report;
  double *force, *absorbed;
  floc_ray_segment *segments;
  size_t segment_size;
  int64_t segment_capacity, segment_count;
} ray_trace;

/* One pulse at once; see floc_trace. media NULL: those that were set. */
floc_status ray_sources_trace(ray_sources *all, arena *scratch, const particles *table, const bodies *obstacles,
                              const domain *box, double time, const floc_ray_source_options *options,
                              const floc_media *media, ray_trace *result);

/* Likewise of shapes (bodies_remove()), by their places. */
void ray_sources_forget_shapes(ray_sources *all, const int32_t *new_shape);
/* Particles whose new_slot is -1 are removed, before they are: what acts on them ends, and rays in flight that have
 * just left them, or are inside, fly on as if they had not been there. */
void ray_sources_forget(ray_sources *all, const particles *table, const int32_t *new_slot);
/* Refuses a state, from a file, that acts on particles that are not there: FLOC_DAMAGED_FILE. */
floc_status ray_sources_check_ids(const ray_sources *all, const particles *table);
floc_status ray_sources_sections(ray_sources *all, section_list *list);
floc_status ray_sources_restore(ray_sources *all, const section_list *list, int64_t particle_count,
                                int32_t shape_count);

#endif
