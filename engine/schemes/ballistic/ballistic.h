/*
 * Time stepping of ballistic aggregation (Degond et al. 2024, section 3): free flight, reflection of whole
 * clusters, links between particles that overlap, minimisation until linked particles touch and none
 * overlap, mean velocities.
 */
#ifndef FLOC_SCHEMES_BALLISTIC_BALLISTIC_H
#define FLOC_SCHEMES_BALLISTIC_BALLISTIC_H

#include "schemes/scheme.h"

/* Checks the options; the message names the field, its value and its range. */
floc_status ballistic_create(environment *env, particles *table, int32_t dimension,
                             const floc_ballistic_options *options, scheme *out);
/* What the scheme has counted; `state` is that of a scheme made by ballistic_create. */
void ballistic_get_report(const void *state, floc_ballistic_report *report);

#endif
