/*
 * Where particles are with respect to each other: radial distribution function and structure factor. Means along an
 * axis.
 */
#ifndef FLOC_MEASURES_STATISTICS_CORRELATIONS_H
#define FLOC_MEASURES_STATISTICS_CORRELATIONS_H

#include "measures/measures.h"

/* See floc.h. pairs: a list of all pairs whose centres are within the range. */
floc_status radial_check(const measure_source *source, const floc_radial_options *options);
floc_status radial_find(const measure_source *source, const floc_radial_options *options, const pair_list *pairs,
                        double *values);

floc_status structure_find(const measure_source *source, const floc_structure_options *options,
                           double *wave_numbers, double *values, double *vectors);

floc_status profile_find(const measure_source *source, const floc_profile_options *options, const char *column,
                         const char *weight, double *counts, double *means, double *ends);

/* density, and the mean and number of forces. */
floc_status force_distribution_find(const measure_source *source, const floc_force_distribution_options *options,
                                    double *density, double *mean, int64_t *count);

#endif
