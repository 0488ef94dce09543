/*
 * Radii, masses and volumes of particles that are inserted.
 */
#ifndef FLOC_PARTICLES_RADII_H
#define FLOC_PARTICLES_RADII_H

#include "base/environment.h"

/* Volume of a sphere; in two dimensions the area of a disc. */
double sphere_volume(double radius, int32_t dimension);
/* Greatest radius that the options allow; 0 stands for the least. */
double radius_greatest(const floc_insertion_options *options);
/* Checks distribution, its parameters, mass and density. */
floc_status radii_check(environment *env, const floc_insertion_options *options, int32_t dimension);
/* The radius of particle `number` of a random stream. */
double radius_draw(const floc_insertion_options *options, int32_t dimension, uint64_t seed, uint64_t number);

#endif
