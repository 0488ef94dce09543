/*
 * Means and standard errors of shapes over seeds, and the reference that they must agree with: the final
 * single cluster of the event-driven scheme from an independent prototype, lattice start, walls, 1000 seeds
 * each. Contact number over 6 and pair counts leave out the particle itself; box counting over
 * 3 R <= eps <= L / 2.
 */
#ifndef FLOC_TESTS_BALLISTIC_STATISTICS_H
#define FLOC_TESTS_BALLISTIC_STATISTICS_H

#include "ballistic_support.h"

#include "measures/fractal.h"
#include "measures/shape_measures.h"

enum { CONTACT_NUMBER, FRACTAL_DIMENSION, ASPECT_RATIO, WITHIN_4R, WITHIN_10R, WITHIN_20R, SHAPE_COUNT };

static const char *const shape_names[SHAPE_COUNT] = {"contact number / 6", "fractal dimension",
                                                     "aspect ratio",       "pairs within 4 R",
                                                     "pairs within 10 R",  "pairs within 20 R"};

typedef struct shape_statistics {
  int64_t count;
  double mean[SHAPE_COUNT], error[SHAPE_COUNT]; /* error: standard error of the mean */
} shape_statistics;

typedef struct reference_row {
  int64_t side; /* N = side^2 */
  double volume_fraction;
  shape_statistics value;
} reference_row;

static const reference_row reference_rows[] = {
    {10,
     0.1,
     {1000,
      {0.341507, 1.30071, 3.11648, 5.5832, 23.481, 60.2794},
      {0.000194971, 0.0019792, 0.0572877, 0.00734491, 0.0631952, 0.190233}}},
    {20,
     0.1,
     {1000,
      {0.344457, 1.4509, 2.3005, 5.68281, 25.2603, 75.2046},
      {0.000102281, 0.000648987, 0.0319875, 0.00372569, 0.0348642, 0.164664}}},
    {10,
     0.2,
     {1000,
      {0.343743, 1.58021, 1.81281, 5.79824, 25.8638, 68.43},
      {0.00021192, 0.00133098, 0.0170238, 0.00722359, 0.0602404, 0.152184}}},
    {20,
     0.2,
     {1000,
      {0.345802, 1.70761, 1.4556, 5.87584, 27.6689, 87.1042},
      {0.000107643, 0.000511433, 0.00957893, 0.0038752, 0.0347774, 0.155905}}},
};

static inline void measure_shape(rig *all, double radius, double value[SHAPE_COUNT])
{
  measured_points points;
  floc_gyration gyration;
  floc_fractal_options options;
  floc_scaling scaling;
  floc_fractal_options_init(&options);
  assert_ok(&all->env, points_gather(&all->env, &all->table, &all->box, NULL, NULL, 0, &points));
  assert_ok(&all->env, measure_contact_number(&points, 2.1, &value[CONTACT_NUMBER]));
  value[CONTACT_NUMBER] /= 6.0;
  assert_ok(&all->env, measure_box_counting(&points, &all->box, &options, &scaling));
  value[FRACTAL_DIMENSION] = scaling.dimension;
  measure_gyration(&points, &all->box, &gyration);
  value[ASPECT_RATIO] = gyration.aspect_ratio;
  const double distances[3] = {4 * radius, 10 * radius, 20 * radius};
  assert_ok(&all->env, measure_pair_distribution(&points, distances, 3, &value[WITHIN_4R]));
  points_free(&points);
}

static inline void add_shape(shape_statistics *sum, const double value[SHAPE_COUNT])
{
  sum->count++; /* running mean and sum of squares (Welford) */
  for (int k = 0; k < SHAPE_COUNT; k++) {
    double before = value[k] - sum->mean[k];
    sum->mean[k] += before / (double)sum->count;
    sum->error[k] += before * (value[k] - sum->mean[k]);
  }
}

static inline void finish_statistics(shape_statistics *sum)
{
  for (int k = 0; k < SHAPE_COUNT; k++)
    sum->error[k] = sqrt(sum->error[k] / (double)(sum->count - 1) / (double)sum->count);
}

/* Every mean within `errors` standard errors of the difference. */
static inline void compare_shapes(const shape_statistics *found, const shape_statistics *expected, double errors)
{
  for (int k = 0; k < SHAPE_COUNT; k++) {
    double error = sqrt(found->error[k] * found->error[k] + expected->error[k] * expected->error[k]);
    if (!(fabs(found->mean[k] - expected->mean[k]) <= errors * error))
      fail_msg("%s is %g +- %g over %d seeds, expected %g +- %g", shape_names[k], found->mean[k], found->error[k],
               (int)found->count, expected->mean[k], expected->error[k]);
  }
}

#endif
