/*
 * What a crowd does in common. A vector per particle (a velocity, a displacement) is fitted by an affine field
 * W(x) = value + gradient (x - center), by least squares. How near two particles can come then depends on
 * what is left of their vectors and on the gradient, not on the speed of the whole:
 *
 *   |v_i - v_j| <= |v_i - W(x_i)| + |v_j - W(x_j)| + norm |x_i - x_j|
 *
 * so that a shear flow, a jet or a moving frame does not lengthen anybody's list of neighbours.
 */
#ifndef FLOC_PARTICLES_AFFINE_H
#define FLOC_PARTICLES_AFFINE_H

#include "base/domain.h"
#include "particles/particles.h"

typedef struct affine_field {
  double center[3];
  double value[3];
  double gradient[3][3]; /* gradient[a][b] = d W_a / d x_b */
  double norm;           /* Frobenius norm of the gradient, at least its spectral norm */
} affine_field;

/* Gives the vector of a particle. */
typedef void (*affine_source)(void *context, int64_t slot, double vector[3]);

/* Fits a sample of the particles. On periodic axes positions jump, so there the gradient is left at 0. Returns
 * whether the field is worth using: the vectors that are left are on average less than half as long as before. If
 * not, the field is 0. */
bool affine_fit(const particles *table, const domain *box, affine_source source, void *context,
                affine_field *field);

/* The part of the vector that is not in common. */
static inline void affine_subtract(const affine_field *field, int32_t dimension, const double position[3],
                                   double vector[3])
{
  for (int a = 0; a < dimension; a++) {
    vector[a] -= field->value[a];
    for (int b = 0; b < dimension; b++) vector[a] -= field->gradient[a][b] * (position[b] - field->center[b]);
  }
}

#endif
