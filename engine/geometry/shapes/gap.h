/*
 * How far two shapes are apart, at least.
 */
#ifndef FLOC_GEOMETRY_SHAPES_GAP_H
#define FLOC_GEOMETRY_SHAPES_GAP_H

#include "geometry/shape.h"

/* A lower bound of the distance, below 0 where they may overlap: exact for shapes whose cores are points, segments
 * and triangles while these are apart, and for those against planes and the insides of hollow spheres; others are
 * taken as the ball around their box. */
double shapes_gap(const shape *a, const shape *b, int32_t dimension);

#endif
