/* clang-format off */
/*
 * Lattices that insertion fills: square and triangular in the plane; cubic, body-centred, face-centred and
 * hexagonal close-packed in space.
 *
 * Sites are points of a rectangular grid of steps s_x, s_y, s_z, of which a rule keeps some. In units of the
 * lattice constant a, which for all but the centred ones is the distance of neighbours:
 *   square, cubic  s = (1, 1, 1)                        all
 *   triangular     s = (1/2, sqrt(3)/2)                 i + j even
 *   bcc            s = (1/2, 1/2, 1/2)                  i, j, k all even or all odd; neighbours are sqrt(3)/2 apart
 *   fcc            s = (1/2, 1/2, 1/2)                  i + j + k even; neighbours are 1/sqrt(2) apart
 *   hcp            s = (1/2, 1/(2 sqrt(3)), sqrt(2/3))  with b = j - (k mod 2): b divisible by 3, i + b/3 + k even
 * A layer of hcp is the triangular lattice; every other layer is shifted by (a/2, a/(2 sqrt(3))), so that each site
 * is above the middle of a triangle; c = 2 sqrt(2/3) a.
 *
 * In a box the first site is half a neighbour's distance away from the lower corner (face-centred: a quarter of the
 * constant, cubic: half of it, which is the same); in a ball one site is the centre. Along a periodic axis
 * that the region spans, and whose length is an integer multiple of the period, rows go through the face: the
 * crystal has no seam. Elsewhere particles lie wholly inside.
 */
/* clang-format on */
#ifndef FLOC_PARTICLES_LATTICES_H
#define FLOC_PARTICLES_LATTICES_H

#include "base/domain.h"
#include "base/environment.h"

typedef struct lattice {
  const floc_insertion_options *options;
  int32_t dimension;
  double constant;
  double step[3];
  double origin[3];    /* site i along an axis is at origin + (i + 1/2) step */
  double radius;       /* of the greatest particle, which must fit in everywhere */
  bool goes_around[3]; /* along a periodic axis */
} lattice;

bool lattice_is_placement(int32_t placement);
/* "face-centred cubic" */
const char *lattice_name(const floc_insertion_options *options, int32_t dimension);
/* Refuses one of the other dimension, and a spacing that is too small. */
floc_status lattice_check(environment *env, const floc_insertion_options *options, int32_t dimension);
/* box: the world's domain; NULL: open. */
lattice lattice_of(const floc_insertion_options *options, int32_t dimension, const domain *box);
/* Does something at each site, row by row from the lower corner; stops when it returns false. */
typedef bool (*site_function)(void *context, const double position[3]);
void lattice_visit(const lattice *sites, site_function visit, void *context);

#endif
