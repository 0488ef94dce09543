/*
 * A small world for the tests of discrete elements: particles, bodies, neighbours, laws, the scheme, and rays
 * if wanted, stepped as the world does it.
 */
#ifndef FLOC_TESTS_ELEMENT_SUPPORT_H
#define FLOC_TESTS_ELEMENT_SUPPORT_H

#include "support.h"

#include "base/numbers/random.h"
#include "rays/ray_sources.h"
#include "schemes/discrete_element/model.h"

#include <math.h>
#include <string.h>

typedef struct element_test {
  environment env;
  arena scratch;
  particles table;
  bodies obstacles;
  neighbors *near;
  laws *forces;
  domain box;
  scheme method;
  ray_sources *rays; /* or NULL */
  double gravity[3];
  double time, time_step;
  int64_t step;
  floc_step_report report;
} element_test;

static inline floc_discrete_element_options element_options(void)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  return options;
}

static inline floc_discrete_element_options verlet_options(void)
{
  floc_discrete_element_options options = element_options();
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  return options;
}

/* Everything but the scheme. */
static inline void element_test_open(element_test *test, int32_t threads, int32_t dimension)
{
  memset(test, 0, sizeof *test);
  test->env = test_environment(threads);
  test->env.log = NULL;
  arena_init(&test->scratch, &test->env);
  particles_init(&test->table, &test->env);
  bodies_init(&test->obstacles, &test->env, dimension);
  test->box.dimension = dimension;
  for (int k = 0; k < 3; k++) test->box.lower[k] = -INFINITY, test->box.upper[k] = INFINITY;
}

static inline floc_status element_test_rooms(element_test *test, const floc_discrete_element_options *options)
{
  int32_t dimension = test->box.dimension;
  floc_status status = neighbors_create(&test->env, dimension, &test->near);
  if (status == FLOC_OK) status = laws_create(&test->env, dimension, &test->forces);
  if (status != FLOC_OK) return status;
  return discrete_element_create(&test->env, dimension, options, &test->table, test->near, &test->method);
}

static inline void element_test_begin(element_test *test, int32_t threads, int32_t dimension,
                                      const floc_discrete_element_options *options)
{
  element_test_open(test, threads, dimension);
  assert_ok(&test->env, element_test_rooms(test, options));
}

static inline void element_test_end(element_test *test)
{
  if (test->method.destroy) test->method.destroy(test->method.state, &test->env);
  ray_sources_destroy(test->rays);
  laws_destroy(test->forces);
  neighbors_destroy(test->near);
  bodies_free(&test->obstacles);
  particles_free(&test->table);
  arena_free(&test->scratch);
}

static inline double *column(element_test *test, const char *name)
{
  int32_t index = particles_find_column(&test->table, name);
  if (index < 0) fail_msg("no column %s", name);
  return test->table.column[index];
}

static inline int64_t add_element(element_test *test, double x, double y, double z, double radius, double mass)
{
  int64_t id;
  assert_ok(&test->env, particles_append(&test->table, &id));
  int64_t slot = test->table.count - 1;
  double *const *at = test->table.column;
  at[COLUMN_x][slot] = x, at[COLUMN_y][slot] = y, at[COLUMN_z][slot] = z;
  at[COLUMN_radius][slot] = radius, at[COLUMN_mass][slot] = mass;
  return slot;
}

static inline int32_t add_fixed_body(element_test *test, const floc_shape *surface)
{
  floc_body_options options = {.struct_size = sizeof options};
  int32_t number;
  assert_ok(&test->env, bodies_add(&test->obstacles, &options, 0.0, &number));
  assert_ok(&test->env, bodies_add_shape(&test->obstacles, number, surface));
  return number;
}

static inline floc_shape floor_shape(int axis)
{
  floc_shape surface = {.struct_size = sizeof surface, .kind = FLOC_SHAPE_PLANE};
  surface.points[1][axis] = 1.0;
  return surface;
}

/* One step, as the world does it. */
static inline floc_status element_test_step(element_test *test)
{
  arena_reset(&test->scratch);
  floc_status status = FLOC_OK;
  if (test->rays)
    status = ray_sources_begin(test->rays, &test->scratch, &test->table, &test->obstacles, &test->box, test->time);
  if (status != FLOC_OK) return status;
  step_context context = {.env = &test->env,
                          .scratch = &test->scratch,
                          .table = &test->table,
                          .obstacles = &test->obstacles,
                          .near = test->near,
                          .forces = test->forces,
                          .box = &test->box,
                          .gravity = {test->gravity[0], test->gravity[1], test->gravity[2]},
                          .time = test->time,
                          .time_step = test->time_step,
                          .step = test->step,
                          .seed = 1,
                          .report = &test->report};
  if (test->rays) {
    context.external_force = ray_sources_external;
    context.external_context = test->rays;
  }
  status = test->method.step(test->method.state, &context);
  if (status != FLOC_OK) {
    if (test->rays) ray_sources_revert(test->rays);
    return status;
  }
  test->time += context.time_step;
  test->step++;
  if (test->rays) ray_sources_commit(test->rays, &test->table, test->time);
  return FLOC_OK;
}

static inline void run_steps(element_test *test, int64_t steps)
{
  for (int64_t k = 0; k < steps; k++) assert_ok(&test->env, element_test_step(test));
}

static inline floc_discrete_element_report element_report(element_test *test)
{
  floc_discrete_element_report report;
  discrete_element_report(&test->method, &test->table, &test->obstacles, &test->box, test->near, &report);
  return report;
}

static inline double total_energy(element_test *test)
{
  floc_discrete_element_report r = element_report(test);
  return r.kinetic_energy + r.rotational_energy + r.contact_energy + r.friction_energy + r.bond_energy +
         r.near_field_energy;
}

/* A loose heap of n spheres of radius about 0.05 at random, overlapping slightly, with velocities and spins. */
static inline void add_heap(element_test *test, int n, double side, double speed, uint64_t seed)
{
  for (int k = 0; k < n; k++) {
    double u[4], v[4], w[4];
    random_uniform4(seed, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    random_uniform4(seed, (uint64_t)k, 0, RANDOM_VELOCITY, 0, v);
    random_uniform4(seed, (uint64_t)k, 0, RANDOM_VELOCITY, 1, w);
    double z = test->box.dimension == 3 ? side * u[2] : 0.0, radius = 0.04 + 0.02 * u[3];
    int64_t slot = add_element(test, side * u[0], side * u[1], z, radius, 20000.0 * radius * radius * radius);
    for (int a = 0; a < test->box.dimension; a++) test->table.column[COLUMN_vx + a][slot] = speed * (v[a] - 0.5);
    static const char *const spin[3] = {"wx", "wy", "wz"};
    for (int a = 0; a < 3; a++) {
      int32_t index = particles_find_column(&test->table, spin[a]);
      if (index >= 0) test->table.column[index][slot] = 20.0 * speed * (w[a] - 0.5);
    }
  }
}

#endif
