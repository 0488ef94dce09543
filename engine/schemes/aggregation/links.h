/*
 * Which particles stick together: pairs of slots, in the order in which they met. A link is never lost.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_LINKS_H
#define FLOC_SCHEMES_AGGREGATION_LINKS_H

#include "base/environment.h"

typedef struct particle_links {
  environment *env;
  int32_t *first, *second; /* [count] slots */
  int64_t count;
  size_t first_capacity, second_capacity;
} particle_links;

void particle_links_init(particle_links *links, environment *env);
void particle_links_free(particle_links *links);
floc_status particle_links_add(particle_links *links, int32_t first_slot, int32_t second_slot);
/* Slots were renumbered. */
void particle_links_permute(particle_links *links, const int32_t *new_slot);

#endif
