/*
 * Levels: particles of similar extent share a grid.
 *
 * With one grid, cells must be as wide as the greatest particle needs, and small ones crowd in them: the
 * cost grows with the square of their number (Maury 2004, Remark 4.2, names the problem). With one grid
 * per level a particle looks into the cells of its own level and of all coarser ones, a bounded number of
 * cells each, so the cost is linear in particles for any distribution of radii.
 *
 * Extents are counted in classes, four per octave (the exponent and two bits of the mantissa of the
 * number). From the smallest class upwards, classes within a factor of two make a level; a level with few
 * particles joins the next coarser one if that is near, because every level costs everyone below it a
 * search.
 */
#include "neighbors/internal.h"

#include <math.h>
#include <string.h>

enum {
  BINS_PER_LEVEL = 4, /* a factor of two */
  BINS_PER_JOINED_LEVEL = 8,
  FEW = 8 /* a level joins the coarser one that has so many times its particles */
};

typedef struct histogram {
  int64_t count[BIN_LIMIT];
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

static int32_t bin_of(const grid *cells, double extent)
{
  int64_t bin = extent_bin(extent) - cells->first_bin;
  return bin < 0 ? 0 : (int32_t)bin;
}

/* Classes reach down from the greatest extent; what is smaller still counts in the last class. */
static void count_extents(grid *cells, const grid_input *input, histogram *all)
{
  int64_t greatest = extent_bin(input->extent_greatest), least = extent_bin(input->extent_least);
  cells->first_bin = greatest - least < BIN_LIMIT ? least : greatest - BIN_LIMIT + 1;
  cells->bin_count = (int32_t)(greatest - cells->first_bin) + 1;
  memset(all, 0, sizeof *all);
  for (int64_t i = 0; i < input->count; i++) {
    double extent = extent_of(input, i);
    int32_t bin = bin_of(cells, extent);
    all->count[bin]++;
    if (extent > all->greatest[bin]) all->greatest[bin] = extent;
  }
}

/* A run of classes. */
typedef struct bin_range {
  int32_t begin, end;
  int64_t count;
} bin_range;

static int32_t cut_ranges(const grid *cells, const histogram *all, bin_range *range)
{
  int32_t ranges = 0;
  for (int32_t bin = 0; bin < cells->bin_count; bin++) {
    if (all->count[bin] == 0) continue;
    bool last = ranges == LEVEL_LIMIT;
    if (ranges == 0 || (!last && bin >= range[ranges - 1].begin + BINS_PER_LEVEL))
      range[ranges++] = (bin_range){bin, bin, 0};
    range[ranges - 1].end = bin + 1;
    range[ranges - 1].count += all->count[bin];
  }
  return ranges;
}

static int32_t join_ranges(bin_range *range, int32_t ranges)
{
  int32_t kept = 0;
  for (int32_t k = 1; k < ranges; k++) {
    bool near = range[k].end - range[kept].begin <= BINS_PER_JOINED_LEVEL;
    if (near && range[kept].count * FEW <= range[k].count) {
      range[kept].end = range[k].end;
      range[kept].count += range[k].count;
    } else {
      range[++kept] = range[k];
    }
  }
  return kept + 1;
}

static void make_levels(grid *cells, const histogram *all, const bin_range *range, int32_t ranges)
{
  cells->level_count = ranges;
  for (int32_t k = 0; k < ranges; k++) {
    grid_level *level = &cells->level[k];
    *level = (grid_level){.particle_count = range[k].count,
                          .lower = {INFINITY, INFINITY, INFINITY},
                          .upper = {-INFINITY, -INFINITY, -INFINITY}};
    int32_t from = k == 0 ? 0 : range[k].begin;
    int32_t to = k + 1 < ranges ? range[k + 1].begin : cells->bin_count;
    for (int32_t bin = from; bin < to; bin++) {
      cells->level_of_bin[bin] = (uint8_t)k;
      if (all->greatest[bin] > level->extent) level->extent = all->greatest[bin];
    }
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
  bin_range range[LEVEL_LIMIT];
  count_extents(cells, input, &all);
  int32_t ranges = join_ranges(range, cut_ranges(cells, &all, range));
  if (ranges == 1) {
    single_level(cells, input);
    return;
  }
  make_levels(cells, &all, range, ranges);
  find_boxes(cells, input);
}
