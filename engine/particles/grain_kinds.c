/*
 * Volumes and moments of grains of each kind. See grain_shapes.h.
 */
#include "particles/grain_shapes.h"

#include <math.h>

/* ---- corners: rounded polygons; in space capsules ---- */

static double cornered_volume(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  const double s = radius - rounding, r = rounding;
  if (dimension == 3) return GRAIN_PI * r * r * (2.0 * s + 4.0 / 3.0 * r);
  return (form->area[0] * s + form->area[1] * r) * s + form->area[2] * r * r;
}

static double capsule_moment(double radius, double rounding, bool about_axis)
{
  const double s = radius - rounding, r = rounding, square = r * r;
  if (about_axis) return GRAIN_PI * square * square * (s + 8.0 / 15.0 * r);
  return GRAIN_PI * square * (((2.0 / 3.0 * s + 4.0 / 3.0 * r) * s + 1.5 * square) * s + 8.0 / 15.0 * r * square);
}

static double cornered_moment(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  const double s = radius - rounding, r = rounding, *j = form->polar;
  if (dimension == 3) return capsule_moment(radius, rounding, false);
  return (((j[0] * s + j[1] * r) * s + j[2] * r * r) * s + j[3] * r * r * r) * s + j[4] * r * r * r * r;
}

/* across + (about - across) a a^T, a the capsule's axis */
static void capsule_inertia(const grain_shape *form, double mass, double radius, double rounding, double inertia[6])
{
  static const int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};
  const double axis[3] = {form->corner[0][0], form->corner[0][1], 0.0};
  const double density = mass / cornered_volume(form, 3, radius, rounding);
  const double about = density * capsule_moment(radius, rounding, true),
               across = density * capsule_moment(radius, rounding, false);
  for (int p = 0; p < 6; p++)
    inertia[p] = (p < 3 ? across : 0.0) + (about - across) * axis[first_of[p]] * axis[second_of[p]];
}

static bool takes_core(int32_t dimension, double radius, double rounding)
{
  return (dimension == 2 ? rounding >= 0.0 : rounding > 0.0) && rounding < radius;
}

/* ---- ellipses and ellipsoids ---- */

static double ellipsoid_volume(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  (void)rounding;
  const double *a = form->semi_axis;
  if (dimension == 2) return GRAIN_PI * a[0] * a[1] * radius * radius;
  return 4.0 / 3.0 * GRAIN_PI * a[0] * a[1] * a[2] * radius * radius * radius;
}

static void ellipsoid_inertia(const grain_shape *form, double mass, double radius, double rounding,
                              double inertia[6])
{
  (void)rounding;
  const double *a = form->semi_axis, fifth = 0.2 * mass * radius * radius;
  for (int k = 0; k < 3; k++) {
    const double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
    inertia[k] = fifth * (b * b + c * c);
    inertia[3 + k] = 0.0;
  }
}

static double ellipsoid_moment(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  const double *a = form->semi_axis, volume = ellipsoid_volume(form, dimension, radius, rounding);
  double moments[6];
  if (dimension == 2) return 0.25 * volume * radius * radius * (a[0] * a[0] + a[1] * a[1]);
  ellipsoid_inertia(form, volume, radius, rounding, moments);
  return fmax(fmax(moments[0], moments[1]), moments[2]);
}

/* ---- polyhedra ---- */

static double solid_volume(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  (void)dimension;
  return polyhedron_volume(&form->solid, radius, rounding);
}

static void solid_inertia(const grain_shape *form, double mass, double radius, double rounding, double inertia[6])
{
  polyhedron_inertia(&form->solid, mass, radius, rounding, inertia);
}

/* Of the axes across the grain's own; those between them have no more than the sum of what stands beside. */
static double solid_moment(const grain_shape *form, int32_t dimension, double radius, double rounding)
{
  double moments[6];
  solid_inertia(form, solid_volume(form, dimension, radius, rounding), radius, rounding, moments);
  return fmax(fmax(moments[0], moments[1]), moments[2]);
}

static bool takes_none(int32_t dimension, double radius, double rounding)
{
  (void)dimension, (void)radius;
  return rounding == 0.0;
}

/* ---- all ---- */

const grain_kind_type grain_kinds[GRAIN_KINDS] = {
    [GRAIN_CORNERED] = {cornered_volume,
                        cornered_moment,
                        capsule_inertia,
                        takes_core,
                        {"at least 0 and below its radius", "above 0 and below its radius"}},
    [GRAIN_ELLIPSOID] = {ellipsoid_volume,
                         ellipsoid_moment,
                         ellipsoid_inertia,
                         takes_none,
                         {"0, of an ellipse of the radius", "0, of an ellipsoid of the radius"}},
    [GRAIN_POLYHEDRON] = {solid_volume,
                          solid_moment,
                          solid_inertia,
                          takes_core,
                          {"above 0 and below its radius", "above 0 and below its radius"}},
};
