/*
 * The shape of a set of particles (Degond et al. 2024, 4.2): gyration tensor, neighbours within a
 * distance.
 */
#ifndef FLOC_MEASURES_SHAPE_MEASURES_H
#define FLOC_MEASURES_SHAPE_MEASURES_H

#include "measures/points.h"

/* See floc_gyration. */
void measure_gyration(const measured_points *points, const domain *box, floc_gyration *gyration);
/* See floc_measure_contact_number. */
floc_status measure_contact_number(const measured_points *points, double factor, double *number);
/* See floc_measure_pair_distribution. */
floc_status measure_pair_distribution(const measured_points *points, const double *distances, int32_t count,
                                      double *values);

#endif
