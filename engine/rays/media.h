/*
 * Acoustics of one interface: how much of a plane pressure wave is reflected, and where the rest goes.
 *
 * Zohdi 2016 (2), (60)-(62) with Snell's law in the physical form sin(theta_t) = sin(theta_i) / c, where
 * c = c_i / c_t (the printed form contradicts (60); docs/schemes/rays.md). Beyond the critical angle
 * asin(c) everything is reflected. Particles may be of several materials: rays fly through the surroundings, so
 * that every interface is one of these with a material, and materials do not meet.
 */
#ifndef FLOC_RAYS_MEDIA_H
#define FLOC_RAYS_MEDIA_H

#include "base/environment.h"
#include "particles/particles.h"

/* Checks what the host gave. */
floc_status media_check(environment *env, const floc_media *media);

/* One side of an interface seen from the other. */
typedef struct interface_ratio {
  double speed;            /* c = c_i / c_t */
  double impedance;        /* A = rho_t c_t / (rho_i c_i) */
  double target_impedance; /* rho_t c_t, of the force (7) */
} interface_ratio;

enum { MEDIA_MATERIALS = 16 };

/* From the surroundings into a particle of a material, or out of it. */
interface_ratio media_into(const floc_media *media, int material);
interface_ratio media_out_of(const floc_media *media, int material);
/* Refuses a table with particles of a material that the media do not have. */
floc_status media_check_materials(environment *env, const floc_media *media, const particles *table);
/* Refuses media that would warm particles which have no temperature. */
floc_status media_check_heat(environment *env, const floc_media *media, const particles *table);
/* Refuses attenuation in particles that rays of the source never enter. */
floc_status media_check_attenuation(environment *env, const floc_media *media,
                                    const floc_ray_source_options *source);
/* The material of a particle, as rays see it; `material` is the table's column or NULL. */
static inline int media_material(const floc_media *media, const double *material, int64_t slot)
{
  return media->materials > 0 && material ? (int)material[slot] : 0;
}
/* The table's attribute of that name; NULL: it has none. */
double *media_column(const particles *table, const char *name);

/* Reflectance at an angle of incidence given by its cosine, 0 .. 1; *refracted_cosine gets cos(theta_t),
 * 0 beyond the critical angle, where the result is exactly 1. */
double media_reflectance(const interface_ratio *ratio, double incident_cosine, double *refracted_cosine);

/* Unit vector of the refracted ray for a ray along `direction` that meets a surface whose unit normal
 * points against it. */
void media_refract(const interface_ratio *ratio, const double direction[3], const double normal[3],
                   double incident_cosine, double refracted_cosine, double refracted[3]);

/* Magnitude of the force (7) exerted by a ray of cross-section `area` when `absorbed` of its power
 * goes into the medium beyond. */
double media_force(const interface_ratio *ratio, double absorbed, double area);

#endif
