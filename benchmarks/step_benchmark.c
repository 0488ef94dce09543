/*
 * Cost of a whole step of the projection scheme in Maury's aggregation (2004, section 4.1): oscillating
 * shear, attraction, inelastic contacts, residual 1e-6 of the radius.
 *
 *   step_benchmark [dimension] [particles] [steps before] [steps measured] [threads]
 *
 * Prints user CPU per particle and step, the mean over the measured steps (a median of few steps would hide the
 * lists, which are made every few steps), the fraction of each stage, contacts and iterations per step, the
 * greatest residual and overlap, wall time and lists per step.
 */
#include "floc/floc.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(floc_world *world, floc_status status)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s: %s\n", floc_status_name(status), floc_world_message(world));
  exit(1);
}

static floc_world *make_world(int dimension, long count, int threads)
{
  const double radius = 0.01;
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = dimension;
  options.time_step = 0.02;
  options.threads = threads;
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) {
    fprintf(stderr, "%s\n", options.message);
    exit(1);
  }
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.tolerance = 1e-6 * radius;
  require(world, floc_world_set_projection(world, &projection));
  floc_attraction_options attraction;
  floc_attraction_options_init(&attraction);
  attraction.kappa = attraction.epsilon = 3e-3;
  require(world, floc_attraction_add(world, &attraction, NULL));
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = FLOC_FLOW_OSCILLATING_SHEAR;
  flow.frequency = 3.14159265358979323846;
  flow.relaxation_time = 0.2;
  require(world, floc_world_set_flow(world, &flow));
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = count;
  insertion.radius_lower = 0.85 * radius;
  insertion.radius_upper = 1.15 * radius;
  /* the paper's density: 1000 discs in a unit square, volume fraction 0.32; the same fraction in 3-D */
  double side = dimension == 2 ? sqrt((double)count / 1000.0) : pow((double)count * 4.19e-6 / 0.25, 1.0 / 3.0);
  for (int axis = 0; axis < dimension; axis++) {
    insertion.region_lower[axis] = -0.5 * side;
    insertion.region_upper[axis] = 0.5 * side;
  }
  require(world, floc_particles_insert(world, &insertion, NULL));
  double *radii, *masses;
  int64_t n;
  require(world, floc_column(world, "radius", &radii, &n));
  require(world, floc_column(world, "mass", &masses, &n));
  for (int64_t i = 0; i < n; i++) masses[i] = pow(radii[i] / radius, 3.0);
  return world;
}

int main(int argc, char **argv)
{
  int dimension = argc > 1 ? atoi(argv[1]) : 2;
  long count = argc > 2 ? atol(argv[2]) : 10000;
  int before = argc > 3 ? atoi(argv[3]) : 100, measured = argc > 4 ? atoi(argv[4]) : 50;
  floc_world *world = make_world(dimension, count, argc > 5 ? atoi(argv[5]) : 1);
  for (int k = 0; k < before; k++) require(world, floc_world_step(world));
  floc_step_report start = {.struct_size = sizeof start}, end = {.struct_size = sizeof end};
  floc_world_get_report(world, &start);
  long contacts = 0;
  double began = user_seconds(), wall = 0.0;
  for (int k = 0; k < measured; k++) {
    require(world, floc_world_step(world));
    floc_world_get_report(world, &end);
    contacts += (long)end.contacts;
  }
  double mean = (user_seconds() - began) / measured;
  uint64_t hash;
  floc_world_hash(world, &hash);
  printf("%d-D, %ld particles: %.3f ms per step, %.3f us per particle, %ld MB, hash %016llx\n", dimension, count,
         1e3 * mean, 1e6 * mean / (double)count, peak_megabytes(), (unsigned long long)hash);
  printf("  contacts %ld, iterations %.2f per step, unconverged %lld, greatest residual %.2f tolerances, greatest "
         "overlap %.2g radii\n",
         contacts / measured, (double)(end.total_iterations - start.total_iterations) / measured,
         (long long)end.unconverged_steps, end.greatest_residual, end.greatest_overlap);
  for (int stage = 0; stage < FLOC_STAGE_COUNT; stage++)
    wall += end.stage_seconds[stage] - start.stage_seconds[stage];
  printf("  stages:");
  for (int stage = 0; stage < FLOC_STAGE_COUNT; stage++)
    printf(" %s %.0f%%", floc_stage_name(stage),
           100.0 * (end.stage_seconds[stage] - start.stage_seconds[stage]) / wall);
  printf("\n  wall %.3f ms per step, %.3f lists per step, %.2f entries per particle\n", 1e3 * wall / measured,
         (double)(end.lists - start.lists) / measured, (double)end.list_entries / (double)count);
  floc_world_destroy(world);
  return 0;
}
