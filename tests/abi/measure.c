/*
 * A program of a host, built with floc.h and the library alone, that adds a measure to its world: the order of the
 * velocities, |sum of v| / sum of |v|. Nothing of the engine knows of it.
 */
#include "floc/floc.h"

#include <math.h>
#include <stdio.h>

#define CHECK(condition)                                                                                           \
  do {                                                                                                             \
    if (!(condition)) {                                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                              \
      return 1;                                                                                                    \
    }                                                                                                              \
  } while (0)

static floc_status order(void *context, floc_world *world, double *value)
{
  double *vx, *vy, sum[3] = {0.0, 0.0, 0.0};
  int64_t count;
  floc_status status = floc_column(world, "vx", &vx, &count);
  if (status == FLOC_OK) status = floc_column(world, "vy", &vy, &count);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < count; k++) {
    sum[0] += vx[k];
    sum[1] += vy[k];
    sum[2] += hypot(vx[k], vy[k]);
  }
  *value = sum[2] > 0.0 ? hypot(sum[0], sum[1]) / sum[2] : 0.0;
  ++*(int *)context;
  return FLOC_OK;
}

int main(void)
{
  floc_world_options options;
  CHECK(floc_world_options_init(&options) == FLOC_OK);
  options.time_step = 0.01;
  floc_world *world;
  CHECK(floc_world_create(&options, &world) == FLOC_OK);
  double value = -1.0, *vx, *vy;
  CHECK(floc_measure(world, "velocity_order", &value) == FLOC_NOT_FOUND);

  int calls = 0;
  floc_measure_options measure;
  CHECK(floc_measure_options_init(&measure) == FLOC_OK);
  measure.name = "velocity_order";
  measure.text = "1: all particles move the same way";
  measure.function = order;
  measure.context = &calls;
  CHECK(floc_measure_add(world, &measure) == FLOC_OK);
  CHECK(floc_measure_add(world, &measure) == FLOC_ALREADY_EXISTS);

  int64_t id, count;
  floc_particle_options particle;
  CHECK(floc_particle_options_init(&particle) == FLOC_OK);
  particle.radius = 0.1;
  particle.velocity[0] = 3.0;
  for (int k = 0; k < 4; k++) {
    particle.position[0] = k;
    CHECK(floc_particle_add(world, &particle, &id) == FLOC_OK);
  }
  CHECK(floc_measure(world, "velocity_order", &value) == FLOC_OK && value == 1.0);
  CHECK(floc_column(world, "vx", &vx, &count) == FLOC_OK && floc_column(world, "vy", &vy, &count) == FLOC_OK);
  vy[0] = 4.0; /* 5 in all; the others 3 each: |(12, 4)| / 14 */
  CHECK(floc_measure(world, "velocity_order", &value) == FLOC_OK);
  CHECK(fabs(value - sqrt(160.0) / 14.0) < 1e-15);
  vx[0] = -1.0;
  CHECK(floc_world_step(world) == FLOC_OK && calls == 2);
  floc_world_destroy(world);
  return 0;
}
