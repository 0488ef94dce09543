/*
 * Unit quaternions. See rotation.h.
 *
 * Small angles keep their full relative precision: sin(x)/x comes from the product with the half angle,
 * and the way back uses atan2 of the vector part, which is exact near 0 where acos(w) is not.
 */
#include "geometry/rotation.h"

#include <floc/floc.h>

#include <math.h>

void rotation_from_vector(const double vector[3], double quaternion[4])
{
  double angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
  double scale = angle > 1e-100 ? floc_sin(0.5 * angle) / angle : 0.5;
  quaternion[0] = floc_cos(0.5 * angle);
  for (int k = 0; k < 3; k++) quaternion[k + 1] = scale * vector[k];
}

void rotation_to_vector(const double quaternion[4], double vector[3])
{
  double sign = quaternion[0] < 0.0 ? -1.0 : 1.0; /* q and -q are the same rotation */
  double sine = sqrt(quaternion[1] * quaternion[1] + quaternion[2] * quaternion[2] + quaternion[3] * quaternion[3]);
  double scale = sine > 1e-100 ? 2.0 * floc_atan2(sine, sign * quaternion[0]) / sine : 2.0;
  for (int k = 0; k < 3; k++) vector[k] = sign * scale * quaternion[k + 1];
}

static void multiply(const double a[4], const double b[4], double result[4])
{
  result[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  result[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  result[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
  result[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

void rotation_compose(const double second[4], const double first[4], double result[4])
{
  double product[4];
  multiply(second, first, product);
  double length =
      sqrt(product[0] * product[0] + product[1] * product[1] + product[2] * product[2] + product[3] * product[3]);
  for (int k = 0; k < 4; k++) result[k] = product[k] / length;
}

void rotation_between(const double from[4], const double to[4], double result[4])
{
  double back[4] = {from[0], -from[1], -from[2], -from[3]};
  multiply(to, back, result);
}

void rotation_matrix(const double quaternion[4], double matrix[3][3])
{
  double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
  matrix[0][0] = 1.0 - 2.0 * (y * y + z * z);
  matrix[0][1] = 2.0 * (x * y - w * z);
  matrix[0][2] = 2.0 * (x * z + w * y);
  matrix[1][0] = 2.0 * (x * y + w * z);
  matrix[1][1] = 1.0 - 2.0 * (x * x + z * z);
  matrix[1][2] = 2.0 * (y * z - w * x);
  matrix[2][0] = 2.0 * (x * z - w * y);
  matrix[2][1] = 2.0 * (y * z + w * x);
  matrix[2][2] = 1.0 - 2.0 * (x * x + y * y);
}
