/*
 * Who has gone how far since the lists were built.
 *
 * Where there are no shapes only relative motion counts: then the ways of all may be fitted by an affine field W
 * (particles/affine.h) and looked at without it, and a pair that was not listed is still too far away as long as,
 * for every particle,
 *
 *     |d_i - W(x_i)| + |grad W| (R_i + rho_i) + rho_i <= b_i
 *
 * Where the box has been deformed since (by F, about its middle), W is what the deformation alone does, W(x) = x -
 * F^-1 x. It turns the present lattice into that of the lists' time, so ways are the shortest in that one.
 */
#ifndef FLOC_NEIGHBORS_WAYS_H
#define FLOC_NEIGHBORS_WAYS_H

#include "neighbors/internal.h"

#include <math.h>

static inline double way_squared(const update *step, int64_t i, const int dimension)
{
  double squared = 0.0;
  for (int a = 0; a < dimension; a++) {
    double way = domain_shortest(step->box, a, step->table->column[COLUMN_x + a][i] - step->all->reference[a][i]);
    squared += way * way;
  }
  return squared;
}

/* The same in a box that has been deformed. */
static inline double undeformed_way_squared(const update *step, int64_t i)
{
  const affine_field *common = &step->common;
  double way[3], from[3];
  for (int a = 0; a < 3; a++) from[a] = step->table->column[COLUMN_x + a][i] - common->center[a];
  for (int a = 0; a < 3; a++) {
    double reference = a < step->all->dimension ? step->all->reference[a][i] : 0.0;
    way[a] = from[a] + common->center[a] - common->value[a] - reference;
    for (int b = 0; b < 3; b++) way[a] -= common->gradient[a][b] * from[b];
  }
  domain_nearest(&step->all->reference_box, way);
  return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

/* The square of the way that is left without the common motion. */
static inline double own_way_squared(const update *step, int64_t i, const int dimension)
{
  const affine_field *common = &step->common;
  double squared = 0.0;
  if (step->deformed) return undeformed_way_squared(step, i);
  for (int a = 0; a < dimension; a++) {
    double way = domain_shortest(step->box, a, step->table->column[COLUMN_x + a][i] - step->all->reference[a][i]) -
                 common->value[a];
    for (int b = 0; b < dimension; b++)
      way -= common->gradient[a][b] * (step->table->column[COLUMN_x + b][i] - common->center[b]);
    squared += way * way;
  }
  return squared;
}

/* What a radius that the host has written since is longer than it was: the surface has gone that far. 0 where it is
 * shorter; then the list has more than is needed. */
static inline double growth(const update *step, int64_t i)
{
  const double longer = step->table->column[COLUMN_radius][i] - step->all->reference[3][i];
  return longer > 0.0 ? longer : 0.0;
}

/* The way that counts: without the common motion where that is used, its strain included; and the growth. */
static inline double counted_way(const update *step, int64_t i)
{
  int dimension = step->all->dimension;
  const double grown = step->all->radii_changed ? growth(step, i) : 0.0;
  if (!step->moves_in_common) return sqrt(way_squared(step, i, dimension)) + grown;
  double extent = step->table->column[COLUMN_radius][i] + effective_reach(step->reach[i], step->half_range);
  return sqrt(own_way_squared(step, i, dimension)) + step->common.norm * extent + grown;
}

#endif
