/*
 * The walk of a ray through the grid of a scene: the next sphere on its line.
 */
#ifndef FLOC_RAYS_WALK_H
#define FLOC_RAYS_WALK_H

#include "rays/ray_scene.h"

/* Nearest entry into a sphere between `enter` (a length at which the ray is inside the grid's box) and
 * `limit`; returns its length along the ray and the instance's number through *found, or `limit` and -1.
 * Lengths are negative for a ray that starts inside a sphere and runs inwards, unless it is emerging.
 * excluded: an instance that is not there for the ray, or -1. */
double walk_to_sphere(const ray_scene *scene, const traveler *ray, double enter, double limit, int32_t excluded,
                      int32_t *found);

#endif
