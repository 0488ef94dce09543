/*
 * Rays on frozen packings: speed, and the exact law that the mean number of reflections per ray over beam
 * directions is sum R_k^2 / R_b^2 for spheres inside a ball of radius R_b, lit by a uniform disc beam of the
 * same radius (a flux balance; it does not depend on the packing).
 *
 *   rays_benchmark [spheres 2000] [rays 10000] [directions 400] [mixed 0|1] [threads 1] [spheres=FILE]
 *
 * spheres: centres and radii from a state (state_file.h; write_scene ball) instead of the slow packing here.
 * Times are user CPU seconds of one thread.
 */
#include "base/numbers/random.h"
#include "base/threads/parallel.h"
#include "rays/ray_sources.h"
#include "state_file.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const environment *env, const char *what)
{
  fprintf(stderr, "%s: %s\n", what, env->message);
  exit(1);
}

/* Random sequential addition of spheres into the ball of radius 1, the greatest first. */
static void pack_ball(particles *table, int count, bool mixed, uint64_t seed)
{
  for (int n = 0; n < count; n++) {
    double radius = mixed ? 0.08 - 0.06 * n / count : 0.05 * cbrt(2000.0 / (count > 2000 ? count : 2000));
    for (uint64_t attempt = 0;; attempt++) {
      double u[4], p[3];
      random_uniform4(seed, (uint64_t)n, attempt, RANDOM_POSITION, 0, u);
      for (int k = 0; k < 3; k++) p[k] = 2.0 * u[k] - 1.0;
      bool fits = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= (1.0 - radius) * (1.0 - radius);
      for (int64_t k = 0; k < n && fits; k++) {
        double squared = 0.0, gap = radius + table->column[COLUMN_radius][k];
        for (int axis = 0; axis < 3; axis++) {
          double d = p[axis] - table->column[COLUMN_x + axis][k];
          squared += d * d;
        }
        fits = squared >= gap * gap;
      }
      if (!fits) continue;
      int64_t id;
      if (particles_append(table, &id) != FLOC_OK) fail(table->env, "append");
      for (int k = 0; k < 3; k++) table->column[COLUMN_x + k][n] = p[k];
      table->column[COLUMN_radius][n] = radius;
      break;
    }
  }
}

static int read_ball(particles *table, const char *path)
{
  FILE *file = must_open(path, "r");
  state_header head = read_state_header(file);
  for (long n = 0; n < head.count; n++) {
    int64_t id;
    double row[STATE_COLUMNS];
    if (!read_state_row(file, row) || particles_append(table, &id) != FLOC_OK) fail(table->env, path);
    for (int k = 0; k < 3; k++) table->column[COLUMN_x + k][n] = row[k];
    table->column[COLUMN_radius][n] = row[6];
  }
  fclose(file);
  return (int)head.count;
}

int main(int argc, char **argv)
{
  int count = argc > 1 ? atoi(argv[1]) : 2000, rays = argc > 2 ? atoi(argv[2]) : 10000;
  int directions = argc > 3 ? atoi(argv[3]) : 400;
  bool mixed = argc > 4 && atoi(argv[4]) != 0;
  int32_t threads = argc > 5 ? atoi(argv[5]) : 1;
  const char *from = text_option(argc, argv, "spheres", NULL);
  environment env = {.allocate = default_allocate, .threads = threads};
  parallel_call_team(&env);
  arena scratch;
  arena_init(&scratch, &env);
  particles table;
  particles_init(&table, &env);
  if (from)
    count = read_ball(&table, from);
  else
    pack_ball(&table, count, mixed, 1);
  double expected = 0.0;
  for (int k = 0; k < count; k++) expected += table.column[COLUMN_radius][k] * table.column[COLUMN_radius][k];
  domain box = {.dimension = 3};
  ray_sources *all;
  if (ray_sources_create(&env, 3, 1, &all) != FLOC_OK) fail(&env, "create");
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.rays = rays;
  double sum = 0.0, squares = 0.0, absorbed = 0.0, imbalance = 0.0, start = user_seconds(), began = wall_seconds();
  int64_t reflections = 0;
  for (int k = 0; k < directions; k++) {
    double z = 1.0 - 2.0 * (k + 0.5) / directions, angle = 2.399963229728653 * k;
    source.direction[0] = sqrt(1.0 - z * z) * cos(angle);
    source.direction[1] = sqrt(1.0 - z * z) * sin(angle);
    source.direction[2] = z;
    source.seed = (uint64_t)k + 1;
    ray_trace result = {0};
    if (ray_sources_trace(all, &scratch, &table, NULL, &box, 0.0, &source, NULL, &result) != FLOC_OK)
      fail(&env, "trace");
    arena_reset(&scratch);
    const floc_ray_report *report = &result.report;
    double mean = (double)report->reflections / rays;
    sum += mean;
    squares += mean * mean;
    reflections += report->reflections;
    absorbed += report->absorbed / report->incident;
    imbalance = fmax(imbalance, fabs(report->absorbed + report->escaped + report->residual - report->incident) /
                                    report->incident);
  }
  double seconds = user_seconds() - start, wall = wall_seconds() - began, mean = sum / directions;
  double deviation = sqrt(fmax(squares / directions - mean * mean, 0.0));
  printf("spheres %d rays %d directions %d\n", count, rays, directions);
  printf("reflections per ray %.5f +- %.5f (deviation %.4f per beam); law %.5f\n", mean,
         deviation / sqrt(directions), deviation, expected);
  printf("absorbed fraction %.5f, worst imbalance %.2g\n", absorbed / directions, imbalance);
  printf("%.3f s user, %.2f million reflections/s, %.2f million rays/s\n", seconds, reflections / seconds * 1e-6,
         (double)rays * directions / seconds * 1e-6);
  printf(
      "cpu_seconds %.6f\nwall_seconds %.6f\nreflections %lld\nrays_traced %.0f\nmean_reflections %.6f\nlaw %.6f\n"
      "imbalance %.3g\npeak_bytes %ld\n",
      seconds, wall, (long long)reflections, (double)rays * directions, mean, expected, imbalance,
      peak_kilobytes() * 1024);
  ray_sources_destroy(all);
  particles_free(&table);
  arena_free(&scratch);
  return 0;
}
