/*
 * Random scenes for the tests of this module, and the plain double loops that the lists are compared with.
 */
#ifndef FLOC_TESTS_NEIGHBORS_SCENES_H
#define FLOC_TESTS_NEIGHBORS_SCENES_H

#include "support.h"

#include "base/numbers/random.h"
#include "neighbors/neighbors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
  environment env;
  int32_t dimension;
  domain box;
  particles table;
  bodies obstacles;
  neighbors *near;
  double *reach;
  double range;
  uint64_t seed, drawn;
  double time;
} scene;

static inline double draw(scene *all, double least, double greatest)
{
  double u[4];
  random_uniform4(all->seed, 77, 0, RANDOM_SCRIPT, all->drawn++, u);
  return least + (greatest - least) * u[0];
}

static inline void scene_init(scene *all, int32_t dimension, uint64_t seed, int32_t threads)
{
  memset(all, 0, sizeof *all);
  all->env = test_environment(threads);
  all->dimension = dimension;
  all->seed = seed;
  all->box.dimension = dimension;
  particles_init(&all->table, &all->env);
  bodies_init(&all->obstacles, &all->env, dimension);
  assert_ok(&all->env, neighbors_create(&all->env, dimension, &all->near));
}

static inline void scene_free(scene *all)
{
  neighbors_destroy(all->near);
  particles_free(&all->table);
  bodies_free(&all->obstacles);
  free(all->reach);
}

static inline void make_periodic(scene *all, int axis, double lower, double upper)
{
  all->box.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
  all->box.lower[axis] = lower;
  all->box.upper[axis] = upper;
  all->box.length[axis] = upper - lower;
}

static inline double *column(const scene *all, int axis)
{
  return all->table.column[COLUMN_x + axis];
}

/* Appends particles at uniform places in a box, with radii between two values, log-uniform. */
static inline void add_cloud(scene *all, int64_t count, const double lower[3], const double upper[3], double least,
                             double greatest)
{
  for (int64_t k = 0; k < count; k++) {
    int64_t id;
    assert_ok(&all->env, particles_append(&all->table, &id));
    int64_t slot = all->table.count - 1;
    for (int a = 0; a < all->dimension; a++)
      column(all, a)[slot] = domain_wrap(&all->box, a, draw(all, lower[a], upper[a]));
    all->table.column[COLUMN_radius][slot] = exp(draw(all, log(least), log(greatest)));
  }
  all->reach = realloc(all->reach, (size_t)all->table.count * sizeof *all->reach);
  assert_non_null(all->reach);
  for (int64_t k = 0; k < all->table.count; k++) all->reach[k] = 0.0;
}

/* Each particle goes in a direction of its own, fixed for a while, and its reach covers twice its way. */
static inline void move_cloud(scene *all, double way, double fastest)
{
  uint64_t phase = (uint64_t)(all->time / 15.0);
  for (int64_t i = 0; i < all->table.count; i++) {
    double g[4], u[4], squared = 0.0;
    uint64_t id = (uint64_t)all->table.id[i];
    random_normal4(all->seed, id, phase, RANDOM_VELOCITY, 0, g);
    random_uniform4(all->seed, id, (uint64_t)all->time, RANDOM_VELOCITY, 1, u);
    double speed = id % 37 == 5 ? fastest : way;
    for (int a = 0; a < all->dimension; a++) {
      column(all, a)[i] = domain_wrap(&all->box, a, column(all, a)[i] + speed * g[a]);
      squared += g[a] * g[a];
    }
    all->reach[i] = 2.0 * speed * sqrt(squared) * (0.5 + u[0]);
  }
  all->time += 1.0;
}

static inline bool update_scene(scene *all)
{
  bool rebuilt;
  assert_ok(&all->env,
            neighbors_update(all->near, &all->table, &all->obstacles, &all->box, all->reach, all->range, &rebuilt));
  return rebuilt;
}

/* ---- what must hold ---- */

static inline double gap_between(const scene *all, int64_t i, int64_t j)
{
  double squared = 0.0;
  for (int a = 0; a < all->dimension; a++) {
    double s = domain_shortest(&all->box, a, column(all, a)[j] - column(all, a)[i]);
    squared += s * s;
  }
  const double *radius = all->table.column[COLUMN_radius];
  return sqrt(squared) - radius[i] - radius[j];
}

static inline int64_t find_entry(const pair_list *list, int64_t first, int64_t second)
{
  for (int64_t k = list->start[first]; k < list->start[first + 1]; k++)
    if (list->second[k] == second) return k;
  return -1;
}

static inline void check_rows(const pair_list *list, int64_t rows, int64_t limit, bool pairs)
{
  assert_int_equal(list->start[0], 0);
  assert_int_equal(list->start[rows], list->count);
  for (int64_t i = 0; i < rows; i++) {
    int64_t least = pairs ? i + 1 : 0;
    for (int64_t k = list->start[i]; k < list->start[i + 1]; k++) {
      assert_int_equal(list->first[k], i);
      assert_true(list->second[k] >= least && list->second[k] < limit);
      least = (int64_t)list->second[k] + 1;
    }
  }
}

static inline void check_incoming(const pair_list *list, int64_t rows)
{
  assert_int_equal(list->incoming_start[0], 0);
  assert_int_equal(list->incoming_start[rows], list->count);
  for (int64_t i = 0; i < rows; i++) {
    int64_t before = -1;
    for (int64_t k = list->incoming_start[i]; k < list->incoming_start[i + 1]; k++) {
      assert_true(list->incoming[k] >= 0 && list->incoming[k] < list->count);
      assert_int_equal(list->second[list->incoming[k]], i);
      assert_true(list->first[list->incoming[k]] > before);
      before = list->first[list->incoming[k]];
    }
  }
}

/* Every pair that the header promises; returns how many there are. */
static inline int64_t check_pairs(const scene *all)
{
  const pair_list *list = neighbors_pairs(all->near);
  int64_t count = all->table.count, needed = 0;
  check_rows(list, count, count, true);
  check_incoming(list, count);
  for (int64_t i = 0; i < count; i++) {
    for (int64_t j = i + 1; j < count; j++) {
      double within = fmax(all->range, all->reach[i] + all->reach[j]);
      if (gap_between(all, i, j) > within) continue;
      needed++;
      if (find_entry(list, i, j) < 0)
        fail_msg("pair %d %d at a distance of %g within %g is missing at time %g", (int)i, (int)j,
                 gap_between(all, i, j), within, all->time);
    }
  }
  return needed;
}

static inline double wall_distance(const scene *all, int64_t i, int32_t shape_number)
{
  double x[3] = {0.0, 0.0, 0.0}, normal[3], nearest[3];
  for (int a = 0; a < all->dimension; a++) x[a] = column(all, a)[i];
  return shape_distance(&all->obstacles.world[shape_number], all->dimension, x, normal, nearest) -
         all->table.column[COLUMN_radius][i];
}

static inline int64_t check_walls(const scene *all)
{
  const pair_list *list = neighbors_walls(all->near);
  int64_t needed = 0;
  check_rows(list, all->table.count, all->obstacles.shape_count, false);
  for (int64_t i = 0; i < all->table.count; i++) {
    for (int32_t k = 0; k < all->obstacles.shape_count; k++) {
      if (wall_distance(all, i, k) > all->reach[i]) continue;
      needed++;
      if (find_entry(list, i, k) < 0)
        fail_msg("particle %d and shape %d at a distance of %g within %g are missing at time %g", (int)i, (int)k,
                 wall_distance(all, i, k), all->reach[i], all->time);
    }
  }
  return needed;
}

/* ---- bodies ---- */

static inline int32_t add_body(scene *all, floc_body_options options)
{
  int32_t number;
  options.struct_size = sizeof options;
  assert_ok(&all->env, bodies_add(&all->obstacles, &options, all->time, &number));
  return number;
}

static inline void add_shape(scene *all, int32_t number, floc_shape description)
{
  description.struct_size = sizeof description;
  assert_ok(&all->env, bodies_add_shape(&all->obstacles, number, &description));
}

#endif
