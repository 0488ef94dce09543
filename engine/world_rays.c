/*
 * Ray sources of a world.
 */
#include "world.h"

#include "base/threads/parallel.h"
#include "rays/media.h"
#include "rays/ray_sources.h"

#include <string.h>

floc_status floc_world_set_media(floc_world *world, const floc_media *media)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, media, media);
  return ray_sources_set_media(world->rays, media);
}

floc_status floc_reflectance(const floc_media *media, double incident_cosine, double *reflectance,
                             double *refracted_cosine)
{
  environment unheard = {.threads = 1};
  READ_OPTIONS(&unheard, media, media);
  if (!reflectance) return FLOC_INVALID_ARGUMENT;
  FLOAT_DEFAULT;
  floc_status status = fields_check_value(&unheard, &arguments_reflectance, "incident_cosine", incident_cosine);
  if (status == FLOC_OK) status = media_check(&unheard, media);
  if (status != FLOC_OK) return status;
  interface_ratio ratio = media_into(media, 0);
  double refracted;
  *reflectance = media_reflectance(&ratio, incident_cosine, &refracted);
  if (refracted_cosine) *refracted_cosine = refracted;
  return FLOC_OK;
}

floc_status floc_ray_source_add(floc_world *world, const floc_ray_source_options *options, int32_t *source)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, ray_source_options, options);
  int32_t number;
  floc_status status = world_need_feature(world, FLOC_FEATURE_RAY_SOURCES);
  if (status == FLOC_OK) status = ray_sources_add(world->rays, options, &number);
  if (status == FLOC_OK && source) *source = number;
  return status;
}

floc_status floc_world_get_ray_report(floc_world *world, int32_t source, floc_ray_report *report)
{
  WORLD_READ(world, env);
  FILL_RESULT(env, ray_report, report);
  return ray_sources_report(world->rays, env, source, report);
}

floc_status floc_world_get_rays(floc_world *world, floc_ray *rays, int64_t capacity, int64_t *count)
{
  WORLD_ENTER(world);
  if (!count || capacity < 0 || (!rays && capacity > 0))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "rays or count is NULL, or capacity is below 0");
  ray_sources_flying(world->rays, rays, capacity, count);
  return FLOC_OK;
}

static floc_status trace(floc_world *world, const floc_ray_source_options *source, const floc_media *media,
                         floc_trace_result *result, uint32_t segment_size)
{
  ray_trace found = {.force = result->force,
                     .absorbed = result->absorbed,
                     .segments = result->segments,
                     .segment_size = segment_size,
                     .segment_capacity = result->segment_capacity};
  if (domain_is_skew(&world->box))
    return refuse(&world->env, FLOC_NOT_SUPPORTED, "rays are not supported in a cell that is skew");
  arena_reset(&world->scratch);
  if (source->rays >= LEAST_FOR_TEAM) parallel_call_team(&world->env);
  floc_status status = ray_sources_trace(world->rays, &world->scratch, &world->table, &world->obstacles,
                                         &world->box, world_time(world), source, media, &found);
  if (status != FLOC_OK) return status;
  _Static_assert(sizeof result->report == FIRST_ray_report, "floc_ray_report had this size in 0.1.0");
  result->segment_count = found.segment_count;
  memcpy(&result->report, &found.report, sizeof result->report);
  result->report.struct_size = sizeof result->report;
  floc_ray_report *whole = result->ray_report;
  if (!whole) return FLOC_OK;
  FILL_RESULT(&world->env, ray_report, whole);
  *whole = found.report;
  return FLOC_OK;
}

floc_status floc_trace_sized(floc_world *world, const floc_ray_source_options *source, const floc_media *media,
                             floc_trace_result *result, uint32_t segment_size)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, ray_source_options, source);
  FILL_RESULT(&world->env, trace_result, result);
  if (!struct_size_fits(segment_size, FIRST_ray_segment, sizeof(floc_ray_segment)))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "segment_size is %u; it must be sizeof(floc_ray_segment)",
                  segment_size);
  if (!media) return trace(world, source, NULL, result, segment_size);
  READ_OPTIONS(&world->env, media, media);
  return trace(world, source, media, result, segment_size);
}

/* What programs of 0.1.0 call. */
__attribute__((visibility("default")))
floc_status(floc_trace)(floc_world *world, const floc_ray_source_options *source, const floc_media *media,
                        floc_trace_result *result);
floc_status(floc_trace)(floc_world *world, const floc_ray_source_options *source, const floc_media *media,
                        floc_trace_result *result)
{
  return floc_trace_sized(world, source, media, result, FIRST_ray_segment);
}
