/*
 * Ray sources of a world.
 */
#include "world.h"

#include "base/parallel.h"
#include "rays/media.h"
#include "rays/ray_sources.h"

#include <string.h>

floc_status floc_media_init(floc_media *media)
{
  if (!media) return FLOC_INVALID_ARGUMENT;
  media_defaults(media);
  return FLOC_OK;
}

floc_status floc_ray_source_options_init(floc_ray_source_options *options)
{
  if (!options) return FLOC_INVALID_ARGUMENT;
  source_defaults(options);
  return FLOC_OK;
}

floc_status floc_trace_result_init(floc_trace_result *result)
{
  if (!result) return FLOC_INVALID_ARGUMENT;
  memset(result, 0, sizeof *result);
  result->struct_size = sizeof *result;
  return FLOC_OK;
}

floc_status floc_world_set_media(floc_world *world, const floc_media *media)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, media);
  return ray_sources_set_media(world->rays, media);
}

floc_status floc_reflectance(const floc_media *media, double incident_cosine, double *reflectance,
                             double *refracted_cosine)
{
  if (!media || !reflectance || media->struct_size != sizeof *media) return FLOC_INVALID_ARGUMENT;
  if (!(incident_cosine >= 0.0 && incident_cosine <= 1.0)) return FLOC_INVALID_ARGUMENT;
  FLOAT_DEFAULT;
  environment unheard = {.threads = 1};
  floc_status status = media_check(&unheard, media);
  if (status != FLOC_OK) return status;
  interface_ratio ratio = media_into(media);
  double refracted;
  *reflectance = media_reflectance(&ratio, incident_cosine, &refracted);
  if (refracted_cosine) *refracted_cosine = refracted;
  return FLOC_OK;
}

floc_status floc_ray_source_add(floc_world *world, const floc_ray_source_options *options, int32_t *source)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, options);
  int32_t number;
  floc_status status = world_need_feature(world, FLOC_FEATURE_RAY_SOURCES);
  if (status == FLOC_OK) status = ray_sources_add(world->rays, options, &number);
  if (status == FLOC_OK && source) *source = number;
  return status;
}

floc_status floc_world_get_ray_report(floc_world *world, int32_t source, floc_ray_report *report)
{
  WORLD_READ(world, env);
  CHECK_OPTIONS(env, report);
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

floc_status floc_trace(floc_world *world, const floc_ray_source_options *source, const floc_media *media,
                       floc_trace_result *result)
{
  WORLD_ENTER(world);
  WORLD_OPTIONS(world, source);
  WORLD_OPTIONS(world, result);
  if (media) WORLD_OPTIONS(world, media);
  arena_reset(&world->scratch);
  if (source->rays >= LEAST_FOR_TEAM) parallel_call_team(&world->env);
  return ray_sources_trace(world->rays, &world->scratch, &world->table, &world->obstacles, &world->box,
                           world_time(world), source, media, result);
}
