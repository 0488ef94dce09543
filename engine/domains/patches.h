/*
 * Patches: the bricks that hold particles, in the order of their curve. They are how work is cut by space: what a
 * patch is depends on where particles are and how large they are, and neither on the order in which they are
 * stored nor on what was before.
 *
 * A world of fewer than PATCHES_LEAST times `target` particles is one patch, and so is one in a box that deforms:
 * bricks do not follow it. Else the lattice's finest bricks are four greatest radii wide, and of its levels the
 * highest is taken at which a particle's patch holds on average no more than `target`. (Over particles, not over
 * patches: patches at a surface hold few, and do not count for more.) So patches hold target/2 to target where they
 * are full. The lattice reaches over empty space for nothing: bricks without particles are not stored.
 *
 * Nothing that uses patches may take it for granted that what is joined lies in bricks next to each other:
 * particles wider than half a brick, and contacts that are glued at a distance, reach farther.
 */
#ifndef FLOC_DOMAINS_PATCHES_H
#define FLOC_DOMAINS_PATCHES_H

#include "base/arena.h"
#include "domains/bricks.h"
#include "particles/particles.h"

enum { PATCH_PARTICLES = 8192, PATCHES_LEAST = 4 };

typedef struct patch_set {
  int32_t count;   /* 1: everything is one, and there is nothing below */
  int64_t covered; /* particles */
  brick_lattice lattice;
  int32_t *of;     /* [covered] the patch of the particle in a slot */
  uint64_t *brick; /* [count], in the order of the curve */
  int64_t *weight; /* [count] particles in it */
  uint8_t *parity; /* [count] of the brick */
} patch_set;

/* Is a world of that many particles one patch? target 0: PATCH_PARTICLES. */
bool patches_are_one(const domain *box, int64_t particle_count, int64_t target);
/* The patches of particles as they are now, in scratch memory; a failure is FLOC_OUT_OF_MEMORY. */
floc_status patches_find(const environment *env, arena *scratch, const particles *table, const domain *box,
                         int64_t target, patch_set *found);
/* Where patches can be found, by code that needs them first. */
typedef struct patch_place {
  const particles *table; /* NULL: `set` was found elsewhere, and stays */
  const domain *box;
  int64_t target;
  bool found;
  patch_set set;
} patch_place;
/* Finds them, unless they are. */
static inline floc_status patches_need(const environment *env, arena *scratch, patch_place *place)
{
  floc_status status = FLOC_OK;
  if (!place->found) status = patches_find(env, scratch, place->table, place->box, place->target, &place->set);
  place->found = status == FLOC_OK;
  return status;
}
/* The order in which particles are stored patch by patch, and within a patch in an order that is given: from
 * given[k], what is to be in place k, to order[k]. */
void patches_order(const patch_set *patches, const int32_t *given, int64_t *start, int32_t *order);

#endif
