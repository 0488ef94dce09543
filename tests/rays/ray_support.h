/*
 * Scenes for the tests of rays: tables of spheres, random packings in a ball, open and closed domains.
 */
#ifndef FLOC_TESTS_RAY_SUPPORT_H
#define FLOC_TESTS_RAY_SUPPORT_H

#include "support.h"

#include "base/numbers/random.h"
#include "rays/ray_sources.h"

#include <math.h>
#include <string.h>

typedef struct ray_test {
  environment env;
  arena scratch;
  particles table;
  bodies obstacles;
  domain box;
} ray_test;

static inline void ray_test_begin(ray_test *test, int32_t threads, int32_t dimension)
{
  memset(test, 0, sizeof *test);
  test->env = test_environment(threads);
  arena_init(&test->scratch, &test->env);
  particles_init(&test->table, &test->env);
  bodies_init(&test->obstacles, &test->env, dimension);
  test->box.dimension = dimension;
}

static inline void ray_test_end(ray_test *test)
{
  bodies_free(&test->obstacles);
  particles_free(&test->table);
  arena_free(&test->scratch);
}

static inline int64_t add_sphere(ray_test *test, double x, double y, double z, double radius)
{
  int64_t id;
  assert_ok(&test->env, particles_append(&test->table, &id));
  int64_t slot = test->table.count - 1;
  test->table.column[COLUMN_x][slot] = x;
  test->table.column[COLUMN_y][slot] = y;
  test->table.column[COLUMN_z][slot] = z;
  test->table.column[COLUMN_radius][slot] = radius;
  test->table.column[COLUMN_mass][slot] = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * 6000.0;
  return id;
}

/* Random sequential addition of one sphere into the ball of radius 1 (a disc in 2-D); false: it does not fit. */
static inline bool add_random_sphere(ray_test *test, double radius, uint64_t seed)
{
  const double *x = test->table.column[COLUMN_x], *y = test->table.column[COLUMN_y],
               *z = test->table.column[COLUMN_z];
  const double *r = test->table.column[COLUMN_radius];
  for (uint64_t attempt = 0; attempt < 100000; attempt++) {
    double u[4], p[3];
    random_uniform4(seed, (uint64_t)test->table.count, attempt, RANDOM_POSITION, 0, u);
    for (int k = 0; k < 3; k++) p[k] = k < test->box.dimension ? 2.0 * u[k] - 1.0 : 0.0;
    bool fits = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= (1.0 - radius) * (1.0 - radius);
    for (int64_t k = 0; k < test->table.count && fits; k++) {
      double dx = p[0] - x[k], dy = p[1] - y[k], dz = p[2] - z[k];
      fits = dx * dx + dy * dy + dz * dz >= (radius + r[k]) * (radius + r[k]);
    }
    if (!fits) continue;
    add_sphere(test, p[0], p[1], p[2], radius);
    return true;
  }
  return false;
}

static inline floc_ray_source_options default_source(void)
{
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.seed = 1;
  return source;
}

/* One pulse through the scene as it stands. */
static inline ray_trace trace_once(ray_test *test, const floc_ray_source_options *source)
{
  ray_sources *all;
  ray_trace result = {0};
  assert_ok(&test->env, ray_sources_create(&test->env, test->box.dimension, 1, &all));
  assert_ok(&test->env, ray_sources_trace(all, &test->scratch, &test->table, &test->obstacles, &test->box, 0.0,
                                          source, NULL, &result));
  ray_sources_destroy(all);
  arena_reset(&test->scratch);
  return result;
}

/* Emits the given ray, whatever its number. */
static inline floc_status emit_given(void *context, int64_t index, double time, floc_ray *ray)
{
  (void)index, (void)time;
  double power = ray->power;
  *ray = *(const floc_ray *)context;
  if (ray->power == 0.0) ray->power = power;
  return FLOC_OK;
}

static inline floc_ray_source_options single_ray(floc_ray *ray)
{
  floc_ray_source_options source = default_source();
  source.kind = FLOC_RAY_SOURCE_FUNCTION;
  source.rays = 1;
  source.emit = emit_given;
  source.emit_context = ray;
  return source;
}

/* Absorbed + escaped + residual + in flight = incident to 1e-13. */
static inline void assert_balanced(const floc_ray_report *report)
{
  double out = report->absorbed + report->body_absorbed + report->escaped + report->residual + report->in_flight;
  assert_close(out, report->incident, 1e-13 * report->incident);
}

#endif
