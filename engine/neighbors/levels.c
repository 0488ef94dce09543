/*
 * Levels: particles of similar extent share a grid.
 *
 * With one grid, cells must be as wide as the greatest particle needs, and small ones crowd in them: the
 * cost grows with the square of their number (Maury 2004, Remark 4.2, names the problem). With one grid
 * per level a particle looks into the cells of its own level and of all coarser ones, a bounded number of
 * cells each, so the cost is linear in particles for any distribution of radii.
 *
 * How many levels, and where they begin: extents are counted in classes, four per octave (the exponent and
 * two bits of the mantissa of the number), and among all ways to cut the row of classes into levels the
 * cheapest is taken (dynamic programming; few classes, so the time is nothing). A level costs its own
 * particles a search among each other, and all finer ones a search in it. The cost of a search is the rows
 * of cells that it looks up and the candidates that it meets; the latter come from the mean volume of the
 * level's particles, as if they were packed: that needs no knowledge of where they are.
 */
#include "neighbors/internal.h"

#include <math.h>
#include <string.h>

static const double ROW_COST = 8.0;  /* of looking up a row of cells, in candidates */
static const double PACKING = 0.5;   /* Fraction of space that balls of extents fill where they are dense */
static const double CELLS_OWN = 3.0; /* that a search meets along each axis */
static const double CELLS_COARSER = 2.3;

/* The classes that are not empty, in ascending order. */
typedef struct histogram {
  int32_t count;
  int32_t bin[BIN_LIMIT];
  double particles[BIN_LIMIT + 1]; /* before the class; the last element is the total */
  double volume[BIN_LIMIT + 1];    /* likewise, in cubes of the extent */
  double greatest[BIN_LIMIT];
} histogram;

/* Everything within a factor of two: no histogram is needed. */
static void single_level(grid *cells, const grid_input *input)
{
  cells->level_count = 1;
  cells->level[0] = (grid_level){.particle_count = input->count, .extent = input->extent_greatest};
  memcpy(cells->level[0].lower, input->lower, sizeof input->lower);
  memcpy(cells->level[0].upper, input->upper, sizeof input->upper);
}

static double extent_of(const grid_input *input, int64_t i)
{
  return particle_extent(input->radius[i], input->bound[i], input->slack);
}

/* ---- counting ---- */

/* Classes reach down from the greatest extent; what is smaller still counts in the last class. Volumes are
 * relative to the greatest extent, so that they cannot overflow. */
static void count_extents(grid *cells, const grid_input *input, histogram *all)
{
  int64_t count[BIN_LIMIT] = {0};
  double greatest[BIN_LIMIT] = {0.0}, volume[BIN_LIMIT] = {0.0};
  int64_t last = extent_bin(input->extent_greatest), least = extent_bin(input->extent_least);
  cells->first_bin = last - least < BIN_LIMIT ? least : last - BIN_LIMIT + 1;
  cells->bin_count = (int32_t)(last - cells->first_bin) + 1;
  for (int64_t i = 0; i < input->count; i++) {
    double extent = extent_of(input, i), share = extent / input->extent_greatest;
    int64_t bin = extent_bin(extent) - cells->first_bin;
    if (bin < 0) bin = 0;
    count[bin]++;
    volume[bin] += cells->dimension == 2 ? share * share : share * share * share;
    if (extent > greatest[bin]) greatest[bin] = extent;
  }
  *all = (histogram){0};
  for (int32_t bin = 0; bin < cells->bin_count; bin++) {
    if (count[bin] == 0) continue;
    int32_t k = all->count++;
    all->bin[k] = bin;
    all->greatest[k] = greatest[bin];
    all->particles[k + 1] = all->particles[k] + (double)count[bin];
    all->volume[k + 1] = all->volume[k] + volume[bin];
  }
}

/* ---- cutting ---- */

static double power(double number, int32_t dimension)
{
  return dimension == 2 ? number * number : number * number * number;
}

/* Of one search that meets that number of cells along each axis, in a level with that number of particles per cell.
 */
static double search_cost(double along, double occupancy, int32_t dimension)
{
  return ROW_COST * power(along, dimension) / along + power(along, dimension) * occupancy;
}

/* Of classes begin .. end-1 as a level. */
static double level_cost(const histogram *all, int32_t begin, int32_t end, int32_t dimension)
{
  double members = all->particles[end] - all->particles[begin];
  double ball = dimension == 2 ? 3.14159265358979323846 : 4.18879020478639098462;
  double volume = ball * (all->volume[end] - all->volume[begin]);
  double cell = power(2.0 * all->greatest[end - 1] / all->greatest[all->count - 1], dimension);
  double occupancy = volume > 0.0 ? PACKING * cell * members / volume : 0.0; /* 0: too small for a number */
  return members * search_cost(CELLS_OWN, occupancy, dimension) +
         all->particles[begin] * search_cost(CELLS_COARSER, occupancy, dimension);
}

/* Finds the cheapest cut; begins[k] gets the first class of level k. */
static int32_t cut_levels(const histogram *all, int32_t dimension, int32_t begins[LEVEL_LIMIT])
{
  double cost[BIN_LIMIT + 1];
  int32_t from[BIN_LIMIT + 1], levels = 0;
  cost[0] = 0.0;
  for (int32_t end = 1; end <= all->count; end++) {
    cost[end] = INFINITY;
    for (int32_t begin = 0; begin < end; begin++) {
      double with = cost[begin] + level_cost(all, begin, end, dimension);
      if (!(with < cost[end])) continue;
      cost[end] = with;
      from[end] = begin;
    }
  }
  for (int32_t end = all->count; end > 0 && levels < LEVEL_LIMIT; end = from[end]) begins[levels++] = from[end];
  begins[levels - 1] = 0; /* all that is left, should there be too many */
  for (int32_t k = 0; k < levels / 2; k++) {
    int32_t kept = begins[k];
    begins[k] = begins[levels - 1 - k];
    begins[levels - 1 - k] = kept;
  }
  return levels;
}

/* ---- levels ---- */

static void make_levels(grid *cells, const histogram *all, const int32_t *begins, int32_t levels)
{
  cells->level_count = levels;
  for (int32_t k = 0; k < levels; k++) {
    int32_t begin = begins[k], end = k + 1 < levels ? begins[k + 1] : all->count;
    cells->level[k] = (grid_level){.particle_count = (int64_t)(all->particles[end] - all->particles[begin]),
                                   .extent = all->greatest[end - 1],
                                   .lower = {INFINITY, INFINITY, INFINITY},
                                   .upper = {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t bin = all->bin[begin]; bin <= all->bin[end - 1]; bin++) cells->level_of_bin[bin] = (uint8_t)k;
  }
}

static void find_boxes(grid *cells, const grid_input *input)
{
  for (int64_t i = 0; i < input->count; i++) {
    grid_level *level = &cells->level[grid_level_of(cells, extent_of(input, i))];
    for (int a = 0; a < cells->dimension; a++) {
      double x = domain_wrap(input->box, a, input->position[a][i]);
      if (x < level->lower[a]) level->lower[a] = x;
      if (x > level->upper[a]) level->upper[a] = x;
    }
  }
}

void grid_choose_levels(grid *cells, const grid_input *input)
{
  if (input->count == 0 || input->extent_greatest <= 2.0 * input->extent_least) {
    single_level(cells, input);
    return;
  }
  histogram all;
  int32_t begins[LEVEL_LIMIT];
  count_extents(cells, input, &all);
  int32_t levels = cut_levels(&all, cells->dimension, begins);
  if (levels == 1) {
    single_level(cells, input);
    return;
  }
  make_levels(cells, &all, begins, levels);
  find_boxes(cells, input);
}
