/*
 * Contact problems for tests: small clouds of discs or spheres above a floor, with a seed. They are
 * feasible by construction: distances are not negative, so standing still is allowed.
 */
#ifndef FLOC_TESTS_PROBLEMS_H
#define FLOC_TESTS_PROBLEMS_H

#include "base/numbers/random.h"
#include "contacts/problem/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* contact_solve() and contact_audit() of problems without friction and rotation. */
static inline floc_status solve_rows(environment *env, arena *scratch, const contact_problem *problem,
                                     const contact_options *options, double *impulse, double *const velocity[3],
                                     contact_report *report)
{
  contact_answer answer = {.impulse = impulse, .velocity = {velocity[0], velocity[1], velocity[2]}};
  if (problem->dimension == 2) answer.velocity[2] = NULL;
  return contact_solve(env, scratch, problem, options, &answer, report);
}

static inline double audit_rows(const contact_problem *problem, const double *impulse, double *const velocity[3])
{
  contact_answer answer = {.impulse = (double *)impulse, .velocity = {velocity[0], velocity[1], velocity[2]}};
  if (problem->dimension == 2) answer.velocity[2] = NULL;
  return contact_audit(problem, &answer);
}

typedef struct cloud_options {
  int32_t dimension;
  int64_t particles;
  uint64_t seed;
  double spread;       /* edge of the box the particles are in; radius is about 0.1 */
  double mass_decades; /* masses are 10^(+- half of it) */
  double range;        /* contacts up to this distance */
  bool equalities;     /* some bounds are -infinity, with distance 0 */
  bool gluey;          /* some bounds are negative */
  bool duplicates;     /* every contact twice */
  double mass_unit;    /* 1: as they are */
} cloud_options;

typedef struct cloud {
  contact_problem problem;
  double *velocity[3];
  double *impulse;
  /* what problem points to */
  double *inverse_mass, *free_velocity[3], *normal[3], *distance, *lower;
  int32_t *first, *second;
  double *position[3], *radius;
} cloud;

static inline void *must_allocate(size_t count, size_t size)
{
  void *memory = calloc(count + 1, size);
  assert_non_null(memory);
  return memory;
}

static inline void cloud_free(cloud *all)
{
  for (int axis = 0; axis < 3; axis++) {
    free(all->free_velocity[axis]);
    free(all->normal[axis]);
    free(all->velocity[axis]);
    free(all->position[axis]);
  }
  free(all->inverse_mass);
  free(all->distance);
  free(all->lower);
  free(all->first);
  free(all->second);
  free(all->impulse);
  free(all->radius);
}

static inline void cloud_add_contact(cloud *all, const cloud_options *options, int32_t i, int32_t j,
                                     double distance, const double normal[3])
{
  int64_t a = all->problem.contact_count++;
  double u[4];
  random_uniform4(options->seed, (uint64_t)a, 1, RANDOM_SCRIPT, 0, u);
  all->first[a] = i;
  all->second[a] = j;
  for (int axis = 0; axis < 3; axis++) all->normal[axis][a] = normal[axis];
  all->distance[a] = distance > 0.0 ? distance : 0.0;
  all->lower[a] = 0.0;
  if (options->gluey && u[0] < 0.5) all->lower[a] = -u[1] * options->mass_unit;
  if (options->equalities && u[2] < 0.2) {
    all->lower[a] = -INFINITY;
    all->distance[a] = 0.0;
  }
}

/* Empty columns for `particles` particles and `limit` contacts. */
static inline void cloud_allocate(const cloud_options *options, size_t limit, cloud *all)
{
  size_t n = (size_t)options->particles;
  *all = (cloud){0};
  all->inverse_mass = must_allocate(n, sizeof(double));
  all->radius = must_allocate(n, sizeof(double));
  for (int axis = 0; axis < 3; axis++) {
    all->free_velocity[axis] = must_allocate(n, sizeof(double));
    all->velocity[axis] = must_allocate(n, sizeof(double));
    all->position[axis] = must_allocate(n, sizeof(double));
    all->normal[axis] = must_allocate(limit, sizeof(double));
  }
  all->distance = must_allocate(limit, sizeof(double));
  all->lower = must_allocate(limit, sizeof(double));
  all->impulse = must_allocate(limit, sizeof(double));
  all->first = must_allocate(limit, sizeof(int32_t));
  all->second = must_allocate(limit, sizeof(int32_t));
  all->problem = (contact_problem){.dimension = options->dimension,
                                   .time_step = 0.01,
                                   .body_count = options->particles,
                                   .inverse_mass = all->inverse_mass,
                                   .first = all->first,
                                   .second = all->second,
                                   .distance = all->distance,
                                   .lower = all->lower};
  for (int axis = 0; axis < 3; axis++) {
    all->problem.free_velocity[axis] = all->free_velocity[axis];
    all->problem.normal[axis] = all->normal[axis];
  }
}

/* A triangular lattice of touching discs on a floor, `width` wide, thrown about at random: large, and
 * made in linear time. */
static inline void lattice_create(const cloud_options *options, int64_t width, cloud *all)
{
  cloud_allocate(options, (size_t)options->particles * 4, all);
  const double half = 0.5, height = 0.8660254037844386;
  for (int64_t i = 0; i < options->particles; i++) {
    double g[4];
    random_normal4(options->seed, (uint64_t)i, 0, RANDOM_VELOCITY, 0, g);
    for (int axis = 0; axis < options->dimension; axis++) all->free_velocity[axis][i] = 0.1 * g[axis];
    all->free_velocity[1][i] -= 0.3;
    all->inverse_mass[i] = pow(10.0, options->mass_decades * (g[3] > 0.0 ? 0.5 : -0.5));
    int64_t row = i / width, column = i % width;
    if (row == 0) cloud_add_contact(all, options, (int32_t)i, -1, 0.0, (double[3]){0, -1, 0});
    if (column + 1 < width && i + 1 < options->particles)
      cloud_add_contact(all, options, (int32_t)i, (int32_t)(i + 1), 0.0, (double[3]){1, 0, 0});
    for (int64_t side = 0; side < 2; side++) {
      int64_t above = column + (row % 2) - 1 + side, j = (row + 1) * width + above;
      if (above >= 0 && above < width && j < options->particles)
        cloud_add_contact(all, options, (int32_t)i, (int32_t)j, 0.0, (double[3]){side ? half : -half, height, 0});
    }
  }
}

static inline void cloud_create(const cloud_options *options, cloud *all)
{
  size_t n = (size_t)options->particles, limit = n * 40 + 4;
  cloud_allocate(options, limit, all);
  for (size_t i = 0; i < n; i++) {
    double u[4], v[4], g[4];
    random_uniform4(options->seed, i, 0, RANDOM_POSITION, 0, u);
    random_uniform4(options->seed, i, 0, RANDOM_RADIUS, 0, v);
    random_normal4(options->seed, i, 0, RANDOM_VELOCITY, 0, g);
    for (int axis = 0; axis < options->dimension; axis++) {
      all->position[axis][i] = options->spread * u[axis];
      all->free_velocity[axis][i] = g[axis];
    }
    all->free_velocity[1][i] -= 1.0;
    all->radius[i] = 0.05 + 0.1 * v[0];
    all->inverse_mass[i] = pow(10.0, options->mass_decades * (v[1] - 0.5)) / options->mass_unit;
  }
  for (size_t i = 0; i < n; i++) {
    int copies = options->duplicates ? 2 : 1;
    double down[3] = {0, -1, 0};
    double height = all->position[1][i] - all->radius[i];
    for (int copy = 0; copy < copies && height < options->range; copy++)
      cloud_add_contact(all, options, (int32_t)i, -1, height, down);
    for (size_t j = i + 1; j < n; j++) {
      double normal[3] = {0}, length = 0.0;
      for (int axis = 0; axis < options->dimension; axis++) {
        normal[axis] = all->position[axis][j] - all->position[axis][i];
        length += normal[axis] * normal[axis];
      }
      length = sqrt(length);
      for (int axis = 0; axis < options->dimension; axis++) normal[axis] /= length;
      double distance = length - all->radius[i] - all->radius[j];
      for (int copy = 0; copy < copies && distance < options->range; copy++)
        if (all->problem.contact_count + 4 < (int64_t)limit)
          cloud_add_contact(all, options, (int32_t)i, (int32_t)j, distance, normal);
    }
  }
}

static inline floc_status cloud_solve(environment *env, cloud *all, int32_t solver, double tolerance,
                                      int64_t max_iterations, contact_report *report)
{
  arena scratch;
  arena_init(&scratch, env);
  contact_options options = {.solver = solver, .tolerance = tolerance, .max_iterations = max_iterations};
  floc_status status = solve_rows(env, &scratch, &all->problem, &options, all->impulse, all->velocity, report);
  arena_free(&scratch);
  return status;
}

/* The audit's residual of the cloud's impulses; its velocities go to memory of its own. */
static inline double cloud_audit(const cloud *all, double *greatest_difference)
{
  double *velocity[3] = {NULL, NULL, NULL};
  size_t n = (size_t)all->problem.body_count;
  for (int axis = 0; axis < all->problem.dimension; axis++) velocity[axis] = must_allocate(n, sizeof(double));
  double residual = audit_rows(&all->problem, all->impulse, velocity);
  *greatest_difference = 0.0;
  for (int axis = 0; axis < all->problem.dimension; axis++) {
    for (size_t i = 0; i < n; i++) {
      double difference = fabs(velocity[axis][i] - all->velocity[axis][i]);
      if (!(difference <= *greatest_difference)) *greatest_difference = difference;
    }
    free(velocity[axis]);
  }
  return residual;
}

#endif
