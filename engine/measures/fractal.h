/*
 * Fractal dimensions: box counting (Degond et al. 2024, (4.15)), mass within a distance from the centre,
 * and mass of clusters against their radius of gyration. The results are described in floc.h.
 */
#ifndef FLOC_MEASURES_FRACTAL_H
#define FLOC_MEASURES_FRACTAL_H

#include "measures/points.h"

floc_status fractal_check_options(environment *env, const floc_fractal_options *options);
floc_status measure_box_counting(const measured_points *points, const domain *box,
                                 const floc_fractal_options *options, floc_scaling *scaling);
floc_status measure_mass_radius(const measured_points *points, const floc_fractal_options *options,
                                floc_scaling *scaling);
/* cluster_of as clusters_find numbers them; pairs put clusters together on periodic axes. */
floc_status measure_cluster_scaling(environment *env, const particles *table, const domain *box,
                                    const cluster_pairs *pairs, const int64_t *cluster_of, int64_t cluster_count,
                                    int64_t least_count, floc_scaling *scaling);
/* See floc_cluster_sizes. */
floc_status measure_cluster_sizes(environment *env, const int64_t *cluster_of, int64_t particle_count,
                                  int64_t cluster_count, int64_t *sizes, int64_t *numbers, int64_t capacity,
                                  int64_t *count);

#endif
