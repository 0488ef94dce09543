/*
 * What the gluey contact law knows beyond one bound for all (Lefebvre 2009, 3.1-3.2, Remark 3.2).
 *
 *   bounded   lo = gamma/R                                     the default, see floc_gluey_rule
 *   equality  lo = -infinity where gamma < 0, else 0           Algorithm 3.3 as printed
 *   update    gamma <- min(0, max(gamma_min, gamma - R p))
 *
 * R is 1, or (r_i + r_j)^2/(r_i r_j)^2. gamma_min is one number, or belongs to a pair of materials, or comes
 * from the lengths of roughness of both surfaces.
 */
#ifndef FLOC_CONTACTS_ASSEMBLY_GLUEY_H
#define FLOC_CONTACTS_ASSEMBLY_GLUEY_H

#include "contacts/problem/materials.h"

typedef struct gluey_law {
  int32_t rule; /* floc_gluey_rule */
  bool radius_factor;
  double viscosity;          /* > 0: gamma_min from roughness */
  material_table *gamma_min; /* by pairs of materials */
} gluey_law;

static inline bool gluey_knows_no_materials(const gluey_law *law)
{
  return !law->gamma_min || material_is_uniform(law->gamma_min);
}

/* Has every contact the same gamma_min? */
static inline bool gluey_is_uniform(const gluey_law *law)
{
  return gluey_knows_no_materials(law) && !(law->viscosity > 0.0);
}

/* R of a pair, or of a particle and a wall (other_radius infinite). */
static inline double gluey_radius_factor(double radius, double other_radius)
{
  double sum = 1.0 / radius + 1.0 / other_radius;
  return sum * sum;
}

/* gamma after the step: a contact that took all that its bound allowed detaches, and what is left of
 * gamma by rounding alone is nothing. */
static inline double gluey_next(double gamma, double factor, double lower, double impulse, double least)
{
  static const double rounding = 1e-12;
  if (impulse == lower) return 0.0;
  double next = gamma - factor * impulse;
  double size = (gamma < 0.0 ? -gamma : gamma) + factor * (impulse < 0.0 ? -impulse : impulse);
  if (next > -rounding * size) return 0.0;
  return next < least ? least : next;
}

/* One side of a contact: a particle (shape < 0) or a shape of a body. */
typedef struct gluey_side {
  int32_t slot, shape;
} gluey_side;

/* What particles have for it; NULL: 0 for all. Looked up once for many contacts. */
typedef struct gluey_columns {
  const double *roughness;
} gluey_columns;
gluey_columns gluey_find_columns(const particles *table);

/* gamma_min between two surfaces. */
floc_status gluey_threshold(gluey_law *law, const gluey_columns *columns, const particles *table,
                            const bodies *obstacles, gluey_side first, gluey_side second, double *least);

#endif
