/*
 * Soft balls, and their relaxation. See packing.h.
 *
 * The minimiser is FIRE (Bitzek, Koskinen, Gaehler, Moseler, Gumbsch 2006): molecular dynamics of which velocities
 * are turned towards the force, and stopped where they go uphill. Stiffness is 1, the mass of a ball of mean radius
 * as well; that of larger ones is in proportion to their surface, on which they have their contacts, so that the
 * greatest frequency is about the same and one time step serves all.
 *
 * Memory: a particle table of its own, in an order of its own, so that it can be sorted by cells; numbers that
 * belong to particles for good are by id. A ball gathers the forces of all its neighbours, its own row of the list
 * first, so threads share nothing and the order of additions is that of the list.
 */
#ifndef FLOC_SCHEMES_PACKING_RELAX_H
#define FLOC_SCHEMES_PACKING_RELAX_H

#include "base/domain.h"
#include "geometry/bodies.h"
#include "neighbors/neighbors.h"
#include "particles/particles.h"
#include "particles/region_field.h"

enum { SOFT_BLOCK = 512, SOFT_PARTS = 5 };

typedef struct soft_balls {
  environment *env;
  particles table; /* columns fx .. are forces, mass as above; radii are those of contacts: scale (radius +
                      clearance/2) */
  neighbors *near;
  const bodies *obstacles;
  const domain *box;
  const floc_insertion_options *options; /* region, clearance */
  const region_field *edge;              /* of a region that a function describes; NULL: of another one */
  bool walled[3];                        /* the region's faces hold particles along this axis */
  double volume;                         /* of the region */
  int64_t fixed;                         /* ids up to this one stay and keep their radii */
  double scale;
  double *base;    /* [count], by id - 1: contact radius at scale 1 */
  double *reach;   /* [count] 0 */
  double *partial; /* [blocks][SOFT_PARTS] */
  int32_t *order;  /* [count] */
  /* at the last positions */
  double power, force_square, speed_square,
      load;       /* sums of F.v, F^2, v^2, and of the lengths of all forces of contacts */
  double deepest; /* greatest overlap over the contact radii of those that grow */
} soft_balls;

void soft_balls_scale(soft_balls *all, double scale);
/* What all.power .. deepest are computed from. */
floc_status soft_balls_find_forces(soft_balls *all);
/* Iterates from rest until deepest is at most `allowed`, or forces balance, or the limit. */
floc_status soft_balls_relax(soft_balls *all, double allowed, int64_t limit);

#endif
