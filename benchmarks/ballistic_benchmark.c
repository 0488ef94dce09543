/*
 * Cost of ballistic aggregation from the paper's lattice to one cluster (Degond et al. 2024, section 4).
 *
 *   ballistic_benchmark [method] [particles] [volume fraction] [dimension] [seed] [step factor]
 *
 * method: event_driven, projection, arrow_hurwicz or rigid. Prints user CPU, peak memory, and what was counted;
 * one thread.
 */
#include "floc/floc.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct setting {
  const char *method;
  long side; /* particles per axis */
  double volume_fraction;
  int dimension;
  long seed;
  double step_factor;
} setting;

static void require(floc_world *world, floc_status status)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s: %s\n", floc_status_name(status), floc_world_message(world));
  exit(1);
}

static void set_scheme(floc_world *world, const setting *how)
{
  if (strcmp(how->method, "event_driven") == 0) {
    floc_event_driven_options events;
    floc_event_driven_options_init(&events);
    require(world, floc_world_set_event_driven(world, &events));
    return;
  }
  floc_ballistic_options stepping;
  floc_ballistic_options_init(&stepping);
  stepping.step_factor = how->step_factor;
  stepping.rigid = strcmp(how->method, "rigid") == 0;
  if (strcmp(how->method, "arrow_hurwicz") == 0) stepping.minimiser = FLOC_MINIMISER_ARROW_HURWICZ;
  require(world, floc_world_set_ballistic(world, &stepping));
}

static floc_world *make_world(const setting *how)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = how->dimension;
  options.time_step = 1e9;
  options.threads = 1;
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = how->dimension == 2 ? how->side * how->side : how->side * how->side * how->side;
  for (int axis = 0; axis < how->dimension; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_WALL;
    options.domain_upper[axis] = insertion.region_upper[axis] = (double)how->side;
  }
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) {
    fprintf(stderr, "%s\n", options.message);
    exit(1);
  }
  const double pi = 3.14159265358979323846;
  insertion.radius_lower =
      how->dimension == 2 ? sqrt(how->volume_fraction / pi) : cbrt(0.75 * how->volume_fraction / pi);
  insertion.placement = FLOC_PLACEMENT_LATTICE;
  insertion.spacing = 1.0;
  insertion.velocity_spread = 0.5;
  insertion.seed = (uint64_t)how->seed;
  require(world, floc_particles_insert(world, &insertion, NULL));
  set_scheme(world, how);
  return world;
}

static void print_counts(floc_world *world)
{
  floc_event_driven_report events = {.struct_size = sizeof events};
  if (floc_world_get_event_driven_report(world, &events) == FLOC_OK) {
    printf("events %lld, predictions %lld, second looks %lld, searches %lld, stale %lld, greatest gap %.3g\n",
           (long long)events.events, (long long)events.predictions, (long long)events.second_looks,
           (long long)events.searches, (long long)events.stale, events.greatest_gap);
    return;
  }
  floc_ballistic_report steps = {.struct_size = sizeof steps};
  require(world, floc_world_get_ballistic_report(world, &steps));
  printf("links %lld, minimisations %lld, iterations %lld, searches %lld, pairs %lld, dropped %lld, unsolved %lld, "
         "stalled %lld, greatest residual %.4g\n",
         (long long)steps.links, (long long)steps.minimisations, (long long)steps.iterations,
         (long long)steps.searches, (long long)steps.pairs_looked_at, (long long)steps.dropped,
         (long long)steps.unsolved, (long long)steps.stalled, steps.greatest_residual);
}

static bool is_single(floc_world *world)
{
  floc_event_driven_report events = {.struct_size = sizeof events};
  if (floc_world_get_event_driven_report(world, &events) == FLOC_OK) return events.clusters == 1;
  floc_ballistic_report steps = {.struct_size = sizeof steps};
  require(world, floc_world_get_ballistic_report(world, &steps));
  return steps.clusters == 1;
}

int main(int count, char **argument)
{
  setting how = {.method = count > 1 ? argument[1] : "event_driven",
                 .volume_fraction = count > 3 ? atof(argument[3]) : 0.2,
                 .dimension = count > 4 ? atoi(argument[4]) : 2,
                 .seed = count > 5 ? atol(argument[5]) : 1,
                 .step_factor = count > 6 ? atof(argument[6]) : 1.0};
  how.side = lround(pow(count > 2 ? atof(argument[2]) : 10000.0, 1.0 / how.dimension));
  floc_world *world = make_world(&how);
  double start = user_seconds();
  do require(world, floc_world_step(world));
  while (!is_single(world));
  double seconds = user_seconds() - start;
  floc_world_info info = {.struct_size = sizeof info};
  require(world, floc_world_get_info(world, &info));
  printf("%s, %d-D, N = %lld, Vf = %g: %.3f s, %ld MB, %lld steps, t = %g\n", how.method, how.dimension,
         (long long)info.particle_count, how.volume_fraction, seconds, peak_megabytes(), (long long)info.step,
         info.time);
  print_counts(world);
  floc_world_destroy(world);
  return 0;
}
