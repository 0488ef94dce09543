/*
 * Reflectance, refraction and force at an interface. See media.h.
 */
#include "rays/media.h"

#include "base/fields.h"

#include <math.h>

floc_status media_check(environment *env, const floc_media *media)
{
  return fields_check(env, &struct_media, media);
}

static interface_ratio ratio_between(const floc_media *media, int from, int into)
{
  double target = media->density[into] * media->sound_speed[into];
  return (interface_ratio){.speed = media->sound_speed[from] / media->sound_speed[into],
                           .impedance = target / (media->density[from] * media->sound_speed[from]),
                           .target_impedance = target};
}

interface_ratio media_into(const floc_media *media)
{
  return ratio_between(media, 0, 1);
}

interface_ratio media_out_of(const floc_media *media)
{
  return ratio_between(media, 1, 0);
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
