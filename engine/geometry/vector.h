/*
 * Vectors of three numbers, for code that is not the inner loop of a solver. In two dimensions the third
 * is 0.
 */
#ifndef FLOC_GEOMETRY_VECTOR_H
#define FLOC_GEOMETRY_VECTOR_H

#include <math.h>

static inline double vector_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vector_length(const double a[3])
{
  return sqrt(vector_dot(a, a));
}

static inline void vector_difference(const double a[3], const double b[3], double result[3])
{
  for (int k = 0; k < 3; k++) result[k] = a[k] - b[k];
}

/* a + factor b */
static inline void vector_add_scaled(const double a[3], double factor, const double b[3], double result[3])
{
  for (int k = 0; k < 3; k++) result[k] = a[k] + factor * b[k];
}

static inline void vector_cross(const double a[3], const double b[3], double result[3])
{
  result[0] = a[1] * b[2] - a[2] * b[1];
  result[1] = a[2] * b[0] - a[0] * b[2];
  result[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
