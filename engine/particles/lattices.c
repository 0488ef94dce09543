/*
 * Lattices of insertion. See lattices.h.
 */
#include "particles/lattices.h"

#include "particles/radii.h"
#include "particles/region.h"

#include <math.h>

static const double TOUCHING = 1e-9; /* of a step: what is nearer to an edge is on it */

typedef struct lattice_kind {
  const char *word, *name;
  int32_t dimension; /* 0: both */
  double constant;   /* over the distance of neighbours */
  double step[3];    /* over the constant */
  int32_t period[3]; /* in steps */
  bool (*is_site)(const int64_t index[3]);
} lattice_kind;

static bool is_even(int64_t number)
{
  return (number & 1) == 0;
}

static bool any_site(const int64_t index[3])
{
  (void)index;
  return true;
}

static bool alternate_site(const int64_t index[3])
{
  return is_even(index[0] + index[1] + index[2]);
}

static bool bcc_site(const int64_t index[3])
{
  return is_even(index[0] + index[1]) && is_even(index[1] + index[2]);
}

static bool hcp_site(const int64_t index[3])
{
  int64_t across = index[1] - (index[2] & 1);
  return across % 3 == 0 && is_even(index[0] + across / 3 + index[2]);
}

#define ROOT_2          1.41421356237309504880
#define TWO_OVER_ROOT_3 1.15470053837925152902
#define HALF_ROOT_3     0.86602540378443864676
#define SIXTH_ROOT_3    0.28867513459481288225 /* 1/(2 sqrt(3)) */
#define ROOT_2_OVER_3   0.81649658092772603273 /* sqrt(2/3) */

static const lattice_kind kinds[] = {
    [FLOC_PLACEMENT_LATTICE] = {"lattice", "cubic", 0, 1.0, {1.0, 1.0, 1.0}, {1, 1, 1}, any_site},
    [FLOC_PLACEMENT_FCC] = {"fcc", "face-centred cubic", 3, ROOT_2, {0.5, 0.5, 0.5}, {2, 2, 2}, alternate_site},
    [FLOC_PLACEMENT_BCC] = {"bcc", "body-centred cubic", 3, TWO_OVER_ROOT_3, {0.5, 0.5, 0.5}, {2, 2, 2}, bcc_site},
    [FLOC_PLACEMENT_HCP] =
        {"hcp", "hexagonal close-packed", 3, 1.0, {0.5, SIXTH_ROOT_3, ROOT_2_OVER_3}, {2, 6, 2}, hcp_site},
    [FLOC_PLACEMENT_TRIANGULAR] =
        {"triangular", "triangular", 2, 1.0, {0.5, HALF_ROOT_3, 0.0}, {2, 2, 1}, alternate_site},
};

bool lattice_is_placement(int32_t placement)
{
  return placement >= 0 && placement < (int32_t)(sizeof kinds / sizeof *kinds) && kinds[placement].name;
}

/* The lattice constant at which neighbours are as close as they may be. */
static double least_constant(const floc_insertion_options *options)
{
  return kinds[options->placement].constant * (2.0 * radius_greatest(options) + options->clearance);
}

const char *lattice_name(const floc_insertion_options *options, int32_t dimension)
{
  return options->placement == FLOC_PLACEMENT_LATTICE && dimension == 2 ? "square" : kinds[options->placement].name;
}

floc_status lattice_check(environment *env, const floc_insertion_options *options, int32_t dimension)
{
  if (!lattice_is_placement(options->placement)) return FLOC_OK;
  int32_t needed = kinds[options->placement].dimension;
  if (needed != 0 && needed != dimension)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "placement is %s; in %s dimensions it must be random, dense, lattice%s",
                  kinds[options->placement].word, dimension == 2 ? "two" : "three",
                  dimension == 2 ? " or triangular" : ", fcc, bcc or hcp");
  double least = least_constant(options);
  if (options->spacing == 0.0 || options->shape != 0 /* each is tried by its distance to the others */ ||
      options->spacing >= least * (1.0 - 1e-12))
    return FLOC_OK;
  return refuse(
      env, FLOC_INVALID_ARGUMENT,
      "spacing is %g; it must be finite and at least %g, where neighbours on a %s lattice are the largest "
      "diameter plus clearance apart, or 0 for that value",
      options->spacing, least, lattice_name(options, dimension));
}

static bool is_whole(double ratio)
{
  return ratio > 0.5 && fabs(ratio - floor(ratio + 0.5)) <= TOUCHING * ratio;
}

lattice lattice_of(const floc_insertion_options *options, int32_t dimension, const domain *box)
{
  lattice sites = {.options = options, .dimension = dimension, .radius = radius_greatest(options)};
  if (!lattice_is_placement(options->placement)) return sites;
  const lattice_kind *kind = &kinds[options->placement];
  double least = least_constant(options);
  sites.constant = options->spacing > 0.0 ? options->spacing : least;
  bool is_cubic = options->placement == FLOC_PLACEMENT_LATTICE || options->placement == FLOC_PLACEMENT_FCC;
  for (int axis = 0; axis < dimension; axis++) {
    double step = sites.step[axis] = kind->step[axis] * sites.constant;
    if (options->region_kind == FLOC_REGION_BALL) {
      sites.origin[axis] = options->region_center[axis] - 0.5 * step;
      continue;
    }
    sites.origin[axis] = options->region_lower[axis];
    if (!is_cubic) sites.origin[axis] += 0.5 * (sites.constant / kind->constant - step);
    sites.goes_around[axis] =
        region_spans(options, box, axis) && is_whole(box->length[axis] / (step * kind->period[axis]));
  }
  return sites;
}

/* Sites first .. last of a row along an axis, the coordinates on later axes given; none if last < first. */
static void row_of(const lattice *sites, int axis, const double position[3], int64_t *first, int64_t *last)
{
  double lowest, highest;
  *first = *last = 0;
  if (axis >= sites->dimension) return;
  *last = -1;
  double radius = sites->goes_around[axis] ? 0.0 : sites->radius;
  if (!region_interval(sites->options, sites->dimension, radius, axis, position, &lowest, &highest)) return;
  double slack = 0.25 * TOUCHING;
  double from = ceil((lowest - sites->origin[axis]) / sites->step[axis] - 0.5 - slack);
  if (sites->goes_around[axis]) slack = -slack; /* the upper face is the lower one */
  double to = floor((highest - sites->origin[axis]) / sites->step[axis] - 0.5 + slack);
  *first = (int64_t)fmax(from, -1e15);
  *last = (int64_t)fmin(to, 1e15);
}

static double site_coordinate(const lattice *sites, int axis, int64_t index)
{
  return sites->origin[axis] + ((double)index + 0.5) * sites->step[axis];
}

void lattice_visit(const lattice *sites, site_function visit, void *context)
{
  const lattice_kind *kind = &kinds[sites->options->placement];
  int64_t first[3], last[3], index[3];
  double position[3] = {0.0, 0.0, 0.0};
  row_of(sites, 2, position, &first[2], &last[2]);
  for (index[2] = first[2]; index[2] <= last[2]; index[2]++) {
    if (sites->dimension == 3) position[2] = site_coordinate(sites, 2, index[2]);
    row_of(sites, 1, position, &first[1], &last[1]);
    for (index[1] = first[1]; index[1] <= last[1]; index[1]++) {
      position[1] = site_coordinate(sites, 1, index[1]);
      row_of(sites, 0, position, &first[0], &last[0]);
      for (index[0] = first[0]; index[0] <= last[0]; index[0]++) {
        if (!kind->is_site(index)) continue;
        position[0] = site_coordinate(sites, 0, index[0]);
        if (!visit(context, position)) return;
      }
    }
  }
}
