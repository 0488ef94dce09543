/*
 * Axes of particles as inputs of laws. See law_axes.h.
 *
 * The quaternion may have any length: the matrix is that of its direction.
 */
#include "laws/law_axes.h"

#include <math.h>

static void plane_axes(const double *angle, int32_t number, const int32_t *slot, int32_t count, double *values)
{
  for (int32_t k = 0; k < count; k++) {
    const double a = angle[slot[k]];
    switch (number) {
    case 0:
    case 4:
      values[k] = floc_cos(a);
      break;
    case 1:
      values[k] = floc_sin(a);
      break;
    case 3:
      values[k] = -floc_sin(a);
      break;
    default:
      values[k] = number == 8;
    }
  }
}

/* Off the diagonal: 2 (q_a q_b -+ w q_c), c the third; on it 1 - 2 (q_b^2 + q_c^2) with the two others. */
void law_axes(const particles *table, int32_t dimension, int32_t number, const int32_t *slot, int32_t count,
              double *values)
{
  double *q[4];
  particles_orientation(table, dimension, q);
  if (dimension == 2) {
    plane_axes(q[0], number, slot, count, values);
    return;
  }
  const int axis = number / 3, row = number % 3;
  const int b = (row + 1) % 3, c = (row + 2) % 3, third = 3 - axis - row;
  const double sign = b == axis ? -1.0 : 1.0;
  for (int32_t k = 0; k < count; k++) {
    const int32_t i = slot[k];
    const double w = q[0][i], v[3] = {q[1][i], q[2][i], q[3][i]};
    const double scale = 2.0 / (w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    values[k] =
        axis == row ? 1.0 - scale * (v[b] * v[b] + v[c] * v[c]) : scale * (v[axis] * v[row] + sign * w * v[third]);
  }
}
