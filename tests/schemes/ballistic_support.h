/*
 * What the tests of the ballistic schemes need: a particle table with a scheme on it, without a world, and
 * the starts of Degond et al. 2024.
 */
#ifndef FLOC_TESTS_BALLISTIC_SUPPORT_H
#define FLOC_TESTS_BALLISTIC_SUPPORT_H

#include "support.h"

#include "base/numbers/random.h"
#include "schemes/event_driven/event_driven.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rig {
  environment env;
  arena scratch;
  particles table;
  domain box;
  scheme method;
  double time, gravity[3];
  int64_t step;
  floc_step_report report;
} rig;

static inline void rig_init(rig *all, int32_t dimension, int32_t boundary, double side)
{
  *all = (rig){.env = test_environment(1)};
  arena_init(&all->scratch, &all->env);
  particles_init(&all->table, &all->env);
  all->box.dimension = dimension;
  for (int axis = 0; axis < dimension; axis++) {
    all->box.boundary[axis] = boundary;
    all->box.upper[axis] = side;
    if (boundary == FLOC_BOUNDARY_PERIODIC) all->box.length[axis] = side;
  }
}

static inline void rig_free(rig *all)
{
  if (all->method.destroy) all->method.destroy(all->method.state, &all->env);
  particles_free(&all->table);
  arena_free(&all->scratch);
}

static inline int64_t rig_add(rig *all, const double position[3], const double velocity[3], double radius,
                              double mass)
{
  int64_t id;
  assert_ok(&all->env, particles_append(&all->table, &id));
  for (int axis = 0; axis < 3; axis++) {
    all->table.column[COLUMN_x + axis][id - 1] = position[axis];
    all->table.column[COLUMN_vx + axis][id - 1] = velocity[axis];
  }
  all->table.column[COLUMN_radius][id - 1] = radius;
  all->table.column[COLUMN_mass][id - 1] = mass;
  return id;
}

static inline double rig_value(const rig *all, particle_column column, int64_t id)
{
  return all->table.column[column][all->table.slot[id - 1]];
}

/* The paper's start: lattice of unit spacing, velocities uniform in [-1/2, 1/2] per component. */
static inline double rig_lattice(rig *all, int64_t side, double volume_fraction, uint64_t seed)
{
  int32_t dimension = all->box.dimension;
  double radius = dimension == 2 ? sqrt(volume_fraction / 3.14159265358979323846)
                                 : cbrt(0.75 * volume_fraction / 3.14159265358979323846);
  int64_t count = dimension == 2 ? side * side : side * side * side;
  assert_ok(&all->env, particles_reserve(&all->table, count));
  for (int64_t k = 0; k < count; k++) {
    double u[4];
    random_uniform4(seed, (uint64_t)k, 0, RANDOM_VELOCITY, 0, u);
    double position[3] = {(double)(k % side) + 0.5, (double)(k / side % side) + 0.5,
                          (double)(k / side / side) + 0.5};
    double velocity[3] = {u[0] - 0.5, u[1] - 0.5, u[2] - 0.5};
    if (dimension == 2) position[2] = velocity[2] = 0.0;
    rig_add(all, position, velocity, radius, 1.0);
  }
  return radius;
}

static inline floc_status rig_try_step(rig *all, double time_step)
{
  step_context context = {.env = &all->env,
                          .scratch = &all->scratch,
                          .table = &all->table,
                          .box = &all->box,
                          .gravity = {all->gravity[0], all->gravity[1], all->gravity[2]},
                          .time = all->time,
                          .time_step = time_step,
                          .step = all->step,
                          .seed = 1,
                          .report = &all->report};
  arena_reset(&all->scratch);
  floc_status status = all->method.step(all->method.state, &context);
  if (status != FLOC_OK) return status;
  all->time += context.time_step;
  all->step++;
  return FLOC_OK;
}

static inline void rig_step(rig *all, double time_step)
{
  assert_ok(&all->env, rig_try_step(all, time_step));
}

static inline void rig_momentum(const rig *all, double momentum[3])
{
  momentum[0] = momentum[1] = momentum[2] = 0.0;
  for (int64_t slot = 0; slot < all->table.count; slot++)
    for (int axis = 0; axis < 3; axis++)
      momentum[axis] += all->table.column[COLUMN_mass][slot] * all->table.column[COLUMN_vx + axis][slot];
}

static inline double rig_separation(const rig *all, int32_t a, int32_t b, double separation[3])
{
  double square = 0.0;
  for (int axis = 0; axis < all->box.dimension; axis++) {
    const double *x = all->table.column[COLUMN_x + axis];
    separation[axis] = domain_shortest(&all->box, axis, x[a] - x[b]);
    square += separation[axis] * separation[axis];
  }
  return sqrt(square);
}

/* Greatest overlap of any two particles, in radii of the smaller: all pairs. */
static inline double rig_worst_overlap(const rig *all)
{
  double worst = 0.0, separation[3];
  const double *radius = all->table.column[COLUMN_radius];
  for (int32_t a = 0; a < all->table.count; a++)
    for (int32_t b = a + 1; b < all->table.count; b++) {
      double overlap = radius[a] + radius[b] - rig_separation(all, a, b, separation);
      worst = fmax(worst, overlap / fmin(radius[a], radius[b]));
    }
  return worst;
}

/* Number of connected components that the scheme's links make. */
static inline int64_t rig_components(const rig *all)
{
  const int32_t *first, *second;
  int64_t links, components = all->table.count;
  assert_int_equal(all->method.links(all->method.state, &first, &second, &links), FLOC_OK);
  int32_t *parent = malloc((size_t)all->table.count * sizeof *parent);
  for (int32_t k = 0; k < all->table.count; k++) parent[k] = k;
  for (int64_t k = 0; k < links; k++) {
    int32_t a = first[k], b = second[k];
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    while (parent[b] != b) b = parent[b] = parent[parent[b]];
    components -= a != b;
    parent[a] = b;
  }
  free(parent);
  return components;
}

/* Random sequential addition of discs or balls of unequal radii; masses go with the volume. */
static inline void fill_random(rig *all, int count, double least_radius, double greatest_radius, double side,
                               uint64_t seed)
{
  int32_t dimension = all->box.dimension;
  for (uint64_t draw = 0; all->table.count < count; draw++) {
    double u[4], w[4], position[3] = {0}, velocity[3] = {0}, separation[3];
    random_uniform4(seed, draw, 0, RANDOM_POSITION, 0, u);
    random_uniform4(seed, draw, 0, RANDOM_VELOCITY, 0, w);
    double radius = least_radius + (greatest_radius - least_radius) * u[3];
    for (int axis = 0; axis < dimension; axis++) {
      position[axis] = radius + (side - 2 * radius) * u[axis];
      velocity[axis] = w[axis] - 0.5;
    }
    rig_add(all, position, velocity, radius, pow(radius / least_radius, dimension));
    int32_t last = (int32_t)all->table.count - 1;
    for (int32_t k = 0; k < last; k++) {
      if (rig_separation(all, k, last, separation) > radius + all->table.column[COLUMN_radius][k] + 1e-3) continue;
      particles_truncate(&all->table, last);
      break;
    }
  }
}

static inline uint64_t state_hash(rig *all)
{
  section_list list;
  section_list_init(&list, &all->env);
  assert_ok(&all->env, all->method.sections(all->method.state, &list));
  uint64_t hash = section_list_hash(&list);
  section_list_free(&list);
  return hash;
}

typedef struct rationed {
  int left;
} rationed;

static inline void *ration(void *context, void *pointer, size_t old_size, size_t new_size)
{
  rationed *stock = context;
  if (new_size > old_size && stock->left-- <= 0) return NULL;
  return default_allocate(NULL, pointer, old_size, new_size);
}

#endif
