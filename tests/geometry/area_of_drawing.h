/*
 * The area of the triangles by which a body's first shape is drawn.
 */
#ifndef FLOC_TESTS_GEOMETRY_AREA_OF_DRAWING_H
#define FLOC_TESTS_GEOMETRY_AREA_OF_DRAWING_H

#include "support_world.h"

#include <stdlib.h>

static inline double area_of_drawing(floc_world *world, int32_t body)
{
  int64_t count;
  assert_world_ok(world, floc_body_get_drawing(world, body, 0, NULL, 0, &count));
  floc_shape *part = calloc((size_t)count, sizeof *part);
  assert_world_ok(world, floc_body_get_drawing(world, body, 0, part, count, &count));
  double area = 0.0;
  for (int64_t k = 0; k < count; k++) {
    double u[3], v[3];
    for (int m = 0; m < 3; m++) {
      u[m] = part[k].points[1][m] - part[k].points[0][m];
      v[m] = part[k].points[2][m] - part[k].points[0][m];
    }
    double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    area += 0.5 * sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
  }
  free(part);
  return area;
}

#endif
