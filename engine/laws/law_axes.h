/*
 * Axes of particles as inputs of laws. A particle carries three axes that turn with it, at the start those of
 * space; the matrix of its orientation has them as columns. In the plane they are (cos a, sin a), the same turned
 * by a right angle, and (0, 0, 1), a the angle.
 */
#ifndef FLOC_LAWS_LAW_AXES_H
#define FLOC_LAWS_LAW_AXES_H

#include "particles/particles.h"

/* A component of an axis, number 3 axis + component, of particles by slot; the orientation must be there. */
void law_axes(const particles *table, int32_t dimension, int32_t number, const int32_t *slot, int32_t count,
              double *values);

#endif
