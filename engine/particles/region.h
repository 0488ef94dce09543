/*
 * The region that particles are inserted into: a box or a ball, in two dimensions a rectangle or a disc, or where
 * in a box a function of the host says. Particles lie wholly inside, so what matters is where centres of a given
 * radius may be.
 */
#ifndef FLOC_PARTICLES_REGION_H
#define FLOC_PARTICLES_REGION_H

#include "base/domain.h"
#include "base/environment.h"

/* Checks the region's fields and that the greatest particle fits in. */
floc_status region_check(environment *env, const floc_insertion_options *options, int32_t dimension);
/* Volume of the region; area in two dimensions. */
double region_volume(const floc_insertion_options *options, int32_t dimension);
/* Does a box reach from face to face of a periodic axis? box: the world's domain; NULL: open. */
bool region_spans(const floc_insertion_options *options, const domain *box, int axis);
/* A position of the whole region, uniform, for a sphere of the given radius. number and try say which
 * one of the random stream. */
void region_draw(const floc_insertion_options *options, int32_t dimension, double radius, uint64_t seed,
                 uint64_t number, uint64_t try, double position[3]);
/* May a sphere of the radius be there? Of what region_draw() and region_interval() give: only a function of the
 * host says more than they do. */
floc_status region_allows(environment *env, const floc_insertion_options *options, const double position[3],
                          double radius, bool *allowed);
/* Where centres may be along an axis when the coordinates on the axes after it are given. False: nowhere. */
bool region_interval(const floc_insertion_options *options, int32_t dimension, double radius, int axis,
                     const double position[3], double *lowest, double *highest);

#endif
