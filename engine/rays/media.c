/*
 * Reflectance, refraction and force at an interface. See media.h.
 */
#include "rays/media.h"

#include "base/fields.h"
#include "particles/owned.h"

#include <math.h>

floc_status media_check(environment *env, const floc_media *media)
{
  floc_status status = fields_check(env, &struct_media, media);
  if (status != FLOC_OK) return status;
  for (int k = 0; k < media->materials; k++) {
    const double density = media->material_density[k], speed = media->material_sound_speed[k];
    if (density > 0.0 && isfinite(density) && speed > 0.0 && isfinite(speed)) continue;
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "material %d has density %g and sound_speed %g; both must be finite numbers above 0", k + 1,
                  density, speed);
  }
  for (int k = 0; k < MEDIA_MATERIALS; k++) {
    const double capacity = media->heat_capacity[k];
    if (!(capacity >= 0.0 && isfinite(capacity)))
      return refuse(env, FLOC_INVALID_ARGUMENT, "heat_capacity[%d] is %g; it must be a finite number of at least 0",
                    k, capacity);
    const double fading[2] = {k == 0 ? media->attenuation[0] : 0.0, media->attenuation[k + 1]};
    for (int side = 0; side < 2; side++)
      if (!(fading[side] >= 0.0 && isfinite(fading[side])))
        return refuse(env, FLOC_INVALID_ARGUMENT, "attenuation[%d] is %g; it must be a finite number of at least 0",
                      side == 0 ? 0 : k + 1, fading[side]);
    if (fading[1] > 0.0 && k > media->materials)
      return refuse(env, FLOC_INVALID_ARGUMENT, "attenuation has a number for material %d; there are %d materials",
                    k, (int)media->materials + 1);
    if (capacity > 0.0 && k > media->materials)
      return refuse(env, FLOC_INVALID_ARGUMENT,
                    "heat_capacity has a number for material %d; there are %d materials", k,
                    (int)media->materials + 1);
  }
  return FLOC_OK;
}

double *media_column(const particles *table, const char *name)
{
  int32_t column = particles_find_column(table, name);
  return column >= 0 ? table->column[column] : NULL;
}

floc_status media_check_materials(environment *env, const floc_media *media, const particles *table)
{
  const double *material = media_column(table, "material");
  EACH_OWNED(k, table) {
    if (media->materials == 0 || !material) break;
    if (material[k] >= 0.0 && material[k] <= media->materials && material[k] == floor(material[k])) continue;
    return refuse(env, FLOC_INVALID_ARGUMENT, "particle %lld has material %g; the media have materials 0 to %d",
                  (long long)table->id[k], material[k], (int)media->materials);
  }
  return FLOC_OK;
}

floc_status media_check_heat(environment *env, const floc_media *media, const particles *table)
{
  if (media_column(table, "temperature")) return FLOC_OK;
  for (int k = 0; k < MEDIA_MATERIALS; k++)
    if (media->heat_capacity[k] > 0.0)
      return refuse(env, FLOC_NOT_SUPPORTED,
                    "heat_capacity is %g, but particles have no attribute temperature, which it would raise",
                    media->heat_capacity[k]);
  return FLOC_OK;
}

floc_status media_check_attenuation(environment *env, const floc_media *media,
                                    const floc_ray_source_options *source)
{
  for (int k = 1; k <= MEDIA_MATERIALS; k++)
    if (media->attenuation[k] > 0.0 && !source->hit)
      return refuse(
          env, FLOC_NOT_SUPPORTED,
          "attenuation of particles is %g, but rays of this source never fly in one: it has no hit function, which "
          "answers transmit",
          media->attenuation[k]);
  return FLOC_OK;
}

typedef struct medium {
  double density, sound_speed;
} medium;

static interface_ratio ratio_between(medium from, medium into)
{
  double target = into.density * into.sound_speed;
  return (interface_ratio){.speed = from.sound_speed / into.sound_speed,
                           .impedance = target / (from.density * from.sound_speed),
                           .target_impedance = target};
}

static medium surroundings(const floc_media *media)
{
  return (medium){media->density[0], media->sound_speed[0]};
}

static medium of_material(const floc_media *media, int material)
{
  if (material == 0) return (medium){media->density[1], media->sound_speed[1]};
  return (medium){media->material_density[material - 1], media->material_sound_speed[material - 1]};
}

interface_ratio media_into(const floc_media *media, int material)
{
  return ratio_between(surroundings(media), of_material(media, material));
}

interface_ratio media_out_of(const floc_media *media, int material)
{
  return ratio_between(of_material(media, material), surroundings(media));
}

double media_reflectance(const interface_ratio *ratio, double incident_cosine, double *refracted_cosine)
{
  double sine_squared = (1.0 - incident_cosine) * (1.0 + incident_cosine);
  double beyond = ratio->speed * ratio->speed - sine_squared;
  if (beyond <= 0.0) {
    *refracted_cosine = 0.0;
    return 1.0;
  }
  double root = sqrt(beyond); /* c cos(theta_t) */
  double direct = ratio->speed * ratio->impedance * incident_cosine;
  double amplitude = (direct - root) / (direct + root); /* (60) */
  *refracted_cosine = root / ratio->speed;
  return amplitude * amplitude;
}

void media_refract(const interface_ratio *ratio, const double direction[3], const double normal[3],
                   double incident_cosine, double refracted_cosine, double refracted[3])
{
  double along = incident_cosine / ratio->speed - refracted_cosine;
  for (int k = 0; k < 3; k++) refracted[k] = direction[k] / ratio->speed + along * normal[k];
}

double media_force(const interface_ratio *ratio, double absorbed, double area)
{
  return sqrt(absorbed * ratio->target_impedance * area);
}
