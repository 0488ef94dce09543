/*
 * How deep a point is in a region that a function of the host describes: what keeps particles of dense packings in.
 * The function only says yes or no, so its edge is looked for on the lines of a grid, by halving, and distances
 * from it are solved for on the grid's nodes (fast sweeping: H. Zhao, Math. Comp. 74 (2005) 603) and interpolated
 * linearly.
 * Depths at the edge are right to a seventh of the spacing; who needs it exactly asks the function once more.
 *
 * Where a centre may be depends on the radius. There are two fields, for the radius 0 and the greatest one, and
 * depth in between and a little beyond is linear in the radius, which is exact where particles must lie wholly
 * inside, and where the function does not look at the radius.
 */
#ifndef FLOC_PARTICLES_REGION_FIELD_H
#define FLOC_PARTICLES_REGION_FIELD_H

#include "base/environment.h"

enum { FIELD_RADII = 2 };

typedef struct region_field {
  environment *env;
  int32_t dimension, size[3]; /* nodes along each axis */
  double lower[3], spacing[3];
  double radius[FIELD_RADII];
  double *depth[FIELD_RADII]; /* [nodes], x runs fastest; > 0 inside */
  int64_t nodes;
  double shift; /* taken off all depths */
} region_field;

/* Volume (area) of a region of kind function, from the middles of a grid's cells: about 1e6 in space, 2.6e5 in the
 * plane. */
floc_status region_measure(environment *env, const floc_insertion_options *options, int32_t dimension,
                           double *volume);

/* The radii are those of particles. FLOC_NO_ROOM where none of the greatest fits anywhere. To be freed in any case.
 */
floc_status region_field_create(environment *env, const floc_insertion_options *options, int32_t dimension,
                                double least_radius, double greatest_radius, region_field *field);
void region_field_free(region_field *field);

/* > 0 inside; inward gets the direction of its growth, of unit length, or 0. */
double region_field_depth(const region_field *field, const double position[3], double radius, double inward[3]);

#endif
