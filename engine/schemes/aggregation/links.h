/*
 * Which particles stick together: pairs of slots, in the order in which they met. A link is lost only with its
 * particles.
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

/* Links of slots whose new_slot is -1 go, the others get their new slots. record: [count] numbers of `size` bytes
 * that belong to the links, or NULL. */
void particle_links_remove(particle_links *links, const int32_t *new_slot, void *record, size_t size);

#endif
