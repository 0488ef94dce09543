/*
 * Links as two growing columns. See aggregation/links.h.
 */
#include "schemes/aggregation/links.h"

#include <string.h>

void particle_links_init(particle_links *links, environment *env)
{
  *links = (particle_links){.env = env};
}

void particle_links_free(particle_links *links)
{
  array_free(links->env, (void **)&links->first, &links->first_capacity, sizeof *links->first);
  array_free(links->env, (void **)&links->second, &links->second_capacity, sizeof *links->second);
  links->count = 0;
}

floc_status particle_links_add(particle_links *links, int32_t first_slot, int32_t second_slot)
{
  size_t needed = (size_t)links->count + 1;
  floc_status status =
      array_reserve(links->env, (void **)&links->first, &links->first_capacity, needed, sizeof *links->first);
  if (status == FLOC_OK)
    status =
        array_reserve(links->env, (void **)&links->second, &links->second_capacity, needed, sizeof *links->second);
  if (status != FLOC_OK) return status;
  links->first[links->count] = first_slot;
  links->second[links->count++] = second_slot;
  return FLOC_OK;
}

void particle_links_permute(particle_links *links, const int32_t *new_slot)
{
  for (int64_t k = 0; k < links->count; k++) {
    links->first[k] = new_slot[links->first[k]];
    links->second[k] = new_slot[links->second[k]];
  }
}

void particle_links_remove(particle_links *links, const int32_t *new_slot, void *record, size_t size)
{
  unsigned char *own = record;
  int64_t kept = 0;
  for (int64_t k = 0; k < links->count; k++) {
    const int32_t first = new_slot[links->first[k]], second = new_slot[links->second[k]];
    if (first < 0 || second < 0) continue;
    links->first[kept] = first;
    links->second[kept] = second;
    if (own) memmove(own + (size_t)kept * size, own + (size_t)k * size, size);
    kept++;
  }
  links->count = kept;
}
