/*
 * A dense pile of hard discs in a box with two slopes and a slowly turning cross, at full gravity: the
 * scene that physics engines are measured by. Discs of radius 0.015 to 0.025 fill a box of width
 * sqrt(N 0.001283/0.656); a frame is 1/60 s.
 *
 *   pile_benchmark [discs] [steps per frame] [tolerance in least radii] [turning rate] [frames] [threads]
 *                  [start=FILE] [end=FILE]
 *
 * start: a state that an earlier run wrote (state_file.h), instead of discs at random above the floor.
 * Prints user CPU and wall time per frame (means over the last third of the frames, from a settled state; a median
 * would hide the frames in which much of the pile gives way), the slowest frame, and the overlaps, measured on
 * positions: mean over all touching pairs, and greatest, in radii of the smaller disc.
 */
#include "floc/floc.h"
#include "state_file.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double RADIUS_LOWER = 0.015, RADIUS_UPPER = 0.025;

static void require(floc_world *world, floc_status status)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s: %s\n", floc_status_name(status), floc_world_message(world));
  exit(1);
}

static void add_line(floc_world *world, const floc_body_options *motion, const double *points, int count)
{
  int32_t body;
  require(world, floc_body_add(world, motion, &body));
  floc_compound line;
  floc_compound_init(&line);
  line.kind = FLOC_COMPOUND_POLYLINE;
  for (int k = 0; k + 1 < count; k += 2) {
    line.points = points + 2 * k;
    line.point_count = 2;
    require(world, floc_body_add_compound(world, body, &line));
  }
}

static void add_discs(floc_world *world, long count, double width)
{
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = count;
  insertion.radius_lower = RADIUS_LOWER;
  insertion.radius_upper = RADIUS_UPPER;
  insertion.region_upper[0] = width;
  insertion.region_upper[1] = 1.5 * width; /* filled by 44 %: they fall half their way as a heap, not as rain */
  require(world, floc_particles_insert(world, &insertion, NULL));
}

/* head: of the start, count and time 0 without one. */
static floc_world *make_world(const state_header *head, FILE *start, int substeps, double tolerance, double turning,
                              int threads)
{
  long count = head->count;
  double width = sqrt((double)count * 0.001283 / 0.656), height = 3.0 * width;
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 1.0 / 60.0 / substeps;
  options.gravity[1] = -10.0;
  options.threads = threads;
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) exit(1);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.tolerance = tolerance * RADIUS_LOWER;
  require(world, floc_world_set_projection(world, &projection));
  floc_body_options fixed, cross;
  floc_body_options_init(&fixed);
  floc_body_options_init(&cross);
  cross.motion = FLOC_MOTION_CONSTANT;
  cross.angular_velocity[2] = turning;
  cross.rotation[2] = turning * head->time;
  cross.position[0] = 0.5 * width;
  cross.position[1] = 0.4 * width;
  const double box[] = {0, 0, width, 0, 0, 0, 0, height, width, 0, width, height};
  const double slopes[] = {0,     0.35 * width, 0.25 * width, 0.12 * width,
                           width, 0.35 * width, 0.75 * width, 0.12 * width};
  const double arms[] = {-0.15 * width, 0, 0.15 * width, 0, 0, -0.15 * width, 0, 0.15 * width};
  add_line(world, &fixed, box, 6);
  add_line(world, &fixed, slopes, 4);
  add_line(world, &cross, arms, 4);
  if (start)
    read_state_particles(start, head, world);
  else
    add_discs(world, count, width);
  return world;
}

typedef struct overlaps {
  double mean, greatest;
  long touching;
} overlaps;

static overlaps measure_overlaps(floc_world *world)
{
  int64_t count, n;
  require(world, floc_world_get_contacts(world, NULL, 0, &count));
  floc_contact *contacts = malloc((size_t)count * sizeof *contacts);
  require(world, floc_world_get_contacts(world, contacts, count, &count));
  double *radius;
  const int64_t *slot;
  require(world, floc_column(world, "radius", &radius, &n));
  require(world, floc_particle_ids(world, NULL, &slot, &n));
  overlaps found = {0};
  for (int64_t k = 0; k < count; k++) {
    double smaller = radius[slot[contacts[k].id_i - 1]];
    if (contacts[k].id_j) smaller = fmin(smaller, radius[slot[contacts[k].id_j - 1]]);
    double overlap = fmax(0.0, -contacts[k].distance / smaller);
    found.mean += overlap;
    found.greatest = fmax(found.greatest, overlap);
    found.touching++;
  }
  if (found.touching) found.mean /= (double)found.touching;
  free(contacts);
  return found;
}

int main(int argc, char **argv)
{
  long count = argc > 1 ? atol(argv[1]) : 10000;
  int substeps = argc > 2 ? atoi(argv[2]) : 1;
  double tolerance = argc > 3 ? atof(argv[3]) : 0.02, turning = argc > 4 ? atof(argv[4]) : 0.2;
  int frames = argc > 5 ? atoi(argv[5]) : 300, threads = argc > 6 ? atoi(argv[6]) : 1;
  const char *from = text_option(argc, argv, "start", NULL), *to = text_option(argc, argv, "end", NULL);
  FILE *start = from ? must_open(from, "r") : NULL;
  state_header head = {.dimension = 2, .count = count};
  if (start) head = read_state_header(start);
  count = head.count;
  floc_world *world = make_world(&head, start, substeps, tolerance, turning, threads);
  if (start) fclose(start);
  int kept = frames < 3 ? frames : frames / 3;
  double cpu = 0.0, wall = 0.0, slowest = 0.0;
  overlaps mean = {0};
  long long iterations = 0;
  for (int frame = 0; frame < frames; frame++) {
    double began = user_seconds(), began_wall = wall_seconds();
    for (int k = 0; k < substeps; k++) require(world, floc_world_step(world));
    double taken = user_seconds() - began, taken_wall = wall_seconds() - began_wall;
    floc_step_report report = {.struct_size = sizeof report};
    floc_world_get_report(world, &report);
    if (frame < frames - kept) continue;
    cpu += taken / kept;
    wall += taken_wall / kept;
    slowest = fmax(slowest, taken);
    iterations += report.iterations;
    overlaps now = measure_overlaps(world);
    mean.mean += now.mean / kept;
    mean.greatest = fmax(mean.greatest, now.greatest);
    mean.touching = now.touching;
  }
  double speed;
  floc_measure(world, "greatest_speed", &speed);
  floc_step_report report = {.struct_size = sizeof report};
  floc_world_get_report(world, &report);
  printf("%ld discs, %d steps per frame, tolerance %g radii, cross %g rad/s: %.2f ms per frame (user CPU, mean "
         "of the last %d; slowest %.2f),\n"
         "  overlap mean %.3f %%, greatest %.2f %%, %ld contacts, %.1f iterations in a frame's last step, "
         "unconverged %lld, greatest speed %.2f\n",
         count, substeps, tolerance, turning, 1e3 * cpu, kept, 1e3 * slowest, 100 * mean.mean, 100 * mean.greatest,
         mean.touching, (double)iterations / kept, (long long)report.unconverged_steps, speed);
  printf("ms_per_frame %.4f\nslowest_ms %.4f\nwall_ms_per_frame %.4f\nmean_overlap %.6g\ngreatest_overlap "
         "%.6g\ncontacts %ld\n"
         "iterations %.2f\nunconverged %lld\nresidual %.4g\ntolerance %.4g\n",
         1e3 * cpu, 1e3 * slowest, 1e3 * wall, mean.mean, mean.greatest, mean.touching, (double)iterations / kept,
         (long long)report.unconverged_steps, report.residual, report.tolerance);
  uint64_t hash;
  floc_world_hash(world, &hash);
  printf("hash %016llx\nms per frame by stage, all frames:", (unsigned long long)hash);
  for (int stage = 0; stage < FLOC_STAGE_COUNT; stage++)
    printf(" %s %.3f", floc_stage_name(stage), 1e3 * report.stage_seconds[stage] / frames);
  printf("\n");
  head.time += frames / 60.0;
  if (to) write_state(to, head, world);
  floc_world_destroy(world);
  return 0;
}
