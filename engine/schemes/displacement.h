/*
 * How far particles may go in a step. A particle that goes thousands of times its own size, and many times through
 * all there is, does not meet what it would meet, takes hours to be solved, and comes from a mistake: an exploded
 * law, a wrong unit. It is refused by name instead. Both must be exceeded: points (a tiny radius) may cross their
 * surroundings, and grains may fly far away from each other.
 */
#ifndef FLOC_SCHEMES_DISPLACEMENT_H
#define FLOC_SCHEMES_DISPLACEMENT_H

#include "schemes/scheme.h"

/* FLOC_LIMIT_EXCEEDED names the particle that goes the most of its diameters at these velocities, if that is more
 * than 10,000, and more than ten times the extent of the particles and the domain. A single particle may go
 * anywhere. */
floc_status displacement_check(const step_context *context, double *const velocity[3], const char *when);

#endif
