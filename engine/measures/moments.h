/*
 * How a quantity is spread over particles (Zohdi 2016, (40)), and how far they reach.
 */
#ifndef FLOC_MEASURES_MOMENTS_H
#define FLOC_MEASURES_MOMENTS_H

#include "measures/points.h"

/* See floc_measure_moment. */
floc_status measure_moment(environment *env, const particles *table, const char *column, const char *weight,
                           double about, int32_t order, double *value);
/* See floc_measure_greatest_distance. */
floc_status measure_greatest_distance(const measured_points *points, double *distance);

#endif
