/*
 * A torus: the tube of all points within tube_radius of the circle of ring_radius around the z axis of its frame.
 */
#include "geometry/shapes/framed.h"

#include <math.h>

enum { RING_RADIUS, TUBE_RADIUS, PARAMETERS };

static void distance(void *context, const double *parameters, int32_t count, const double *const *points,
                     double *distances, double *const *gradients)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    double x = points[0][k], y = points[1][k], z = points[2][k];
    double from_axis = sqrt(x * x + y * y), across = from_axis - parameters[RING_RADIUS];
    double from_circle = sqrt(across * across + z * z);
    double outwards = from_circle > 0.0 ? across / from_circle : 1.0;
    distances[k] = from_circle - parameters[TUBE_RADIUS];
    gradients[0][k] = outwards * (from_axis > 0.0 ? x / from_axis : 1.0);
    gradients[1][k] = outwards * (from_axis > 0.0 ? y / from_axis : 0.0);
    gradients[2][k] = from_circle > 0.0 ? z / from_circle : 0.0;
  }
}

static bool bounds(void *context, const double *parameters, double *lower, double *upper)
{
  (void)context;
  double ring = parameters[RING_RADIUS], tube = parameters[TUBE_RADIUS];
  for (int k = 0; k < 3; k++) lower[k] = -(upper[k] = k == 2 ? tube : ring + tube);
  return tube > 0.0 && ring > tube;
}

static const char *const names[PARAMETERS] = {"ring_radius", "tube_radius"};
static const floc_shape_type torus = {.name = "torus",
                                      .dimension = 3,
                                      .parameter_count = PARAMETERS,
                                      .parameters = names,
                                      .exact = true,
                                      .distance = distance,
                                      .bounds = bounds};

const shape_type shape_torus = {FRAMED_TYPE, .name = "torus", .dimension = 3, .framed = &torus};
