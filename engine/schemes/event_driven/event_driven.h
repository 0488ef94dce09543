/*
 * The event-driven scheme of ballistic aggregation (Degond et al. 2024, Appendix A): particles and
 * clusters fly straight on; the time of each collision is computed exactly (A.5); two clusters that
 * collide become one (2.9), or bounce according to the coefficient of restitution (2.3)-(2.7); clusters are
 * reflected at the walls (2.2). One step goes to time + time_step with all events in between, or to the
 * moment at which a single cluster is left.
 */
#ifndef FLOC_SCHEMES_EVENT_DRIVEN_EVENT_DRIVEN_H
#define FLOC_SCHEMES_EVENT_DRIVEN_EVENT_DRIVEN_H

#include "schemes/scheme.h"

/* Checks the options; the message names the field, its value and its range. */
/* With rotation the columns of angular velocities are added to the table. */
floc_status event_driven_create(environment *env, particles *table, int32_t dimension,
                                const floc_event_driven_options *options, scheme *out);
/* What the scheme has counted; `state` is that of a scheme made by event_driven_create. */
void event_driven_get_report(const void *state, floc_event_driven_report *report);

#endif
