/*
 * A re-check of particles that are beyond their covers (skin_check.c). As long as they are few, a list is good
 * if it has every pair that is near enough now and that one of them belongs to.
 *
 * With the common motion W (or 0), y_i = x_i - W(x_i), o_j = |y_j - X_j| the way of j since its reference X_j, and
 * s = |grad W|: a pair within rho_i + rho_j of each other has
 *
 *     |y_i - X_j| <= (1 + s) (R_i + rho_i) + e_j,   e_j = (1 + s) (R_j + rho_j) + o_j
 *                                                       = R_j + b_j + (1 + s) (rho_j - cover_j)
 *
 * so that the list's own grid, references with extents R_j + b_j, finds it around y_i; excess is the greatest of
 * what the last term adds for those who are beyond their covers themselves. The grid is made again where others
 * have used its memory, and after a resume: it follows from references and bounds, so decisions are the same.
 *
 * Only where there are no shapes: near walls the list of walls would have to be looked at as well. (That was tried:
 * in flowing piles what it saves is within what iterations vary.)
 */
#include "neighbors/ways.h"

#include "base/threads/parallel.h"

#include <math.h>

enum { MOST_NEAR = 4096 }; /* around one particle */

static const double FEW = 0.01; /* of all particles */

/* One block's slots after the other's; see skin_check.c. */
static void join_blocks(neighbors *all)
{
  int64_t to = 0;
  for (int64_t begin = 0; begin < all->particle_count; begin += PARALLEL_BLOCK) {
    int64_t end = begin + PARALLEL_BLOCK < all->particle_count ? begin + PARALLEL_BLOCK : all->particle_count;
    for (int64_t k = begin; k < end && all->escaped[k] >= 0; k++) all->escaped[to++] = all->escaped[k];
  }
}

/* ---- the list's grid ---- */

static bool restore_grid(const update *step)
{
  grid_input input;
  bool made = skin_present_input(step, &input) == FLOC_OK && grid_build(&step->all->cells, &input) == FLOC_OK;
  step->all->grid_stands = made;
  return made;
}

/* ---- who is near ---- */

static double reach_of(const update *step, int64_t i)
{
  return effective_reach(step->reach[i], step->half_range);
}

/* Are i and j too far from each other to be needed, or listed? */
static bool is_served(const update *step, int64_t i, int64_t j)
{
  const double *radius = step->table->column[COLUMN_radius];
  double within = particle_extent(radius[i], reach_of(step, i), step->slack) + radius[j] + reach_of(step, j);
  double separation[3], squared = pair_separation(step, i, j, separation);
  return squared > within * within || neighbors_find_entry(step->all, false, i < j ? i : j, i < j ? j : i) >= 0;
}

static bool is_listed(const update *step, int64_t i, double excess)
{
  const neighbors *all = step->all;
  double x[3] = {0.0, 0.0, 0.0}, y[3];
  for (int a = 0; a < all->dimension; a++) x[a] = y[a] = step->table->column[COLUMN_x + a][i];
  double strain = 0.0, radius = step->table->column[COLUMN_radius][i];
  if (all->covered_in_common) {
    affine_subtract(&step->common, all->dimension, x, y);
    strain = step->common.norm;
  }
  double extent =
      particle_extent(radius, reach_of(step, i) + strain * (radius + reach_of(step, i)) + excess, step->slack);
  if (!isfinite(extent + y[0] + y[1] + (all->dimension == 3 ? y[2] : 0.0))) return false;
  int32_t found[MOST_NEAR];
  int64_t count = search_ball(step, y, extent, found, MOST_NEAR);
  for (int64_t k = 0; k < count; k++)
    if (found[k] != i && !is_served(step, i, found[k])) return false;
  return count >= 0;
}

bool escaped_are_listed(const update *step, int64_t count)
{
  neighbors *all = step->all;
  if (step->obstacles->shape_count > 0 || (double)count > FEW * (double)all->particle_count) return false;
  if (!all->grid_stands && !restore_grid(step)) return false;
  join_blocks(all);
  double excess = 0.0, stretch = all->covered_in_common ? 1.0 + step->common.norm : 1.0;
  for (int64_t k = 0; k < count; k++) {
    int64_t i = all->escaped[k];
    excess = fmax(excess, stretch * (reach_of(step, i) - all->cover[i]));
  }
  for (int64_t k = 0; k < count; k++)
    if (!is_listed(step, all->escaped[k], excess)) return false;
  return true;
}
