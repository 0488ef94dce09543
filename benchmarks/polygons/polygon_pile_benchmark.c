/*
 * A dense pile of convex polygons of 4 to 8 corners, of radii 0.375 to 0.625, in a box with two slopes and a slowly
 * turning cross, with friction 0.3, under a gravity of 250; a frame is 1/60. The same scene as that of
 * pile_benchmark.c with other grains and in other units.
 *
 *   polygon_pile_benchmark [polygons] [steps per frame] [tolerance] [frames to settle] [frames measured]
 *
 * Prints user CPU per frame, a mean over the frames measured, and the overlaps of pairs in every tenth of them, in
 * hundredths of the mean radius: by separating axes, from the corners and the radii of their rounding.
 */
#include "../usage.h"
#include "floc/floc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void require(floc_world *world, floc_status status)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s: %s\n", floc_status_name(status), floc_world_message(world));
  exit(1);
}

static uint64_t state = 1;

static double uniform(void)
{
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(state >> 11) * 0x1p-53;
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

enum { SHAPES = 200 };

static void add_polygons(floc_world *world, long count, double width)
{
  for (long k = 0; k < SHAPES; k++) {
    floc_grain_shape_options shape;
    floc_grain_shape_options_init(&shape);
    shape.corner_count = 4 + (int32_t)(5.0 * uniform());
    for (int32_t c = 0; c < shape.corner_count; c++) {
      const double angle = 6.283185307179586 * (c + 0.3 * uniform()) / shape.corner_count;
      shape.corners[2 * c] = cos(angle);
      shape.corners[2 * c + 1] = sin(angle);
    }
    floc_insertion_options insertion;
    floc_insertion_options_init(&insertion);
    require(world, floc_grain_shape_add(world, &shape, &insertion.shape, NULL));
    insertion.count = count * (k + 1) / SHAPES - count * k / SHAPES;
    insertion.radius_lower = 0.375;
    insertion.radius_upper = 0.625;
    insertion.mass = 0.0;
    insertion.density = 1.0;
    insertion.angle_upper = 6.283185307179586;
    insertion.region_lower[1] = 0.56 * width;
    insertion.region_upper[0] = width;
    insertion.region_upper[1] = 2.2 * width;
    if (insertion.count > 0) require(world, floc_particles_insert(world, &insertion, NULL));
  }
}

static floc_world *make_world(long count, int steps, double tolerance)
{
  const double width = sqrt((double)count) * 1.15, height = 4.0 * width;
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 1.0 / 60.0 / steps;
  options.gravity[1] = -250.0;
  options.threads = 1;
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) exit(1);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.friction = 0.3;
  projection.tolerance = tolerance;
  require(world, floc_world_set_projection(world, &projection));
  floc_body_options fixed, turning;
  floc_body_options_init(&fixed);
  floc_body_options_init(&turning);
  const double box[] = {0, 0, width, 0, 0, 0, 0, height, width, 0, width, height};
  const double slopes[] = {0,     0.35 * width, 0.25 * width, 0.12 * width,
                           width, 0.35 * width, 0.75 * width, 0.12 * width};
  const double cross[] = {-0.15 * width, 0, 0.15 * width, 0, 0, -0.15 * width, 0, 0.15 * width};
  add_line(world, &fixed, box, 6);
  add_line(world, &fixed, slopes, 4);
  turning.motion = FLOC_MOTION_CONSTANT;
  turning.position[0] = 0.5 * width;
  turning.position[1] = 0.4 * width;
  turning.angular_velocity[2] = 0.2;
  add_line(world, &turning, cross, 4);
  add_polygons(world, count, width);
  return world;
}

/* ---- overlaps ---- */

typedef struct overlaps {
  double sum, greatest;
  long count;
} overlaps;

/* Of the corners of one, along the sides of the other. */
static double separation(const double *a, long n, const double *b, long m, double dx, double dy)
{
  double best = -INFINITY;
  for (long i = 0; i < n; i++) {
    const double *p = a + 2 * i, *q = a + 2 * ((i + 1) % n), ex = q[0] - p[0], ey = q[1] - p[1],
                 length = sqrt(ex * ex + ey * ey);
    double least = INFINITY;
    for (long k = 0; k < m; k++)
      least = fmin(least, (ey * (b[2 * k] + dx - p[0]) - ex * (b[2 * k + 1] + dy - p[1])) / length);
    best = fmax(best, least);
  }
  return best;
}

static void measure(floc_world *world, overlaps *all)
{
  double *x, *y, *rounding;
  int64_t count;
  require(world, floc_column(world, "x", &x, &count));
  require(world, floc_column(world, "y", &y, &count));
  require(world, floc_column(world, "rounding", &rounding, &count));
  const int64_t *begin;
  const double *corner;
  require(world, floc_grain_corners(world, &begin, &corner, &count));
  for (int64_t i = 0; i < count; i++)
    for (int64_t j = i + 1; j < count; j++) {
      const double dx = x[j] - x[i], dy = y[j] - y[i];
      if (dx * dx + dy * dy > 1.25 * 1.25) continue;
      const double *a = corner + 2 * begin[i], *b = corner + 2 * begin[j];
      const long n = (long)(begin[i + 1] - begin[i]), m = (long)(begin[j + 1] - begin[j]);
      const double apart =
          fmax(separation(a, n, b, m, dx, dy), separation(b, m, a, n, -dx, -dy)) - rounding[i] - rounding[j];
      if (!(apart < 0.0)) continue;
      all->count++;
      all->sum -= apart;
      all->greatest = fmax(all->greatest, -apart);
    }
}

int main(int argc, char **argv)
{
  const long count = argc > 1 ? atol(argv[1]) : 10000;
  const int steps = argc > 2 ? atoi(argv[2]) : 1;
  const double tolerance = argc > 3 ? atof(argv[3]) : 0.02;
  const int settle = argc > 4 ? atoi(argv[4]) : 260, measured = argc > 5 ? atoi(argv[5]) : 40;
  floc_world *world = make_world(count, steps, tolerance);
  overlaps all = {0};
  double seconds = 0.0;
  long iterations = 0;
  int looks = 0;
  for (int frame = 0; frame < settle + measured; frame++) {
    const double before = user_seconds();
    for (int step = 0; step < steps; step++) require(world, floc_world_step(world));
    if (frame < settle) continue;
    seconds += user_seconds() - before;
    floc_step_report last = {.struct_size = sizeof last};
    require(world, floc_world_get_report(world, &last));
    iterations += (long)last.iterations;
    if (frame == settle) fprintf(stderr, "settled after %.0f s of user CPU\n", user_seconds());
    if (frame % 10 != 0) continue;
    looks++;
    measure(world, &all);
  }
  floc_step_report report = {.struct_size = sizeof report};
  require(world, floc_world_get_report(world, &report));
  printf("%ld polygons, %d steps a frame, tolerance %g: %.1f ms user CPU a frame; overlap mean %.2f %%, greatest "
         "%.2f %% "
         "of the mean radius, over %ld overlapping pairs a look; %ld rows, %ld with an impulse, %.0f iterations a "
         "step; "
         "%ld steps of all not solved\n",
         count, steps, tolerance, 1e3 * seconds / measured,
         all.count ? 100.0 * all.sum / (double)all.count / 0.5 : 0.0, 100.0 * all.greatest / 0.5,
         looks ? all.count / looks : 0, (long)report.contacts, (long)report.active_contacts,
         (double)iterations / measured, (long)report.unconverged_steps);
  floc_world_destroy(world);
  return 0;
}
