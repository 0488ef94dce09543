/*
 * What plain sweeps leave above the target in a few contacts of a large island is swept there alone.
 */
#ifndef FLOC_CONTACTS_BLOCKS_BLOCK_SPOTS_H
#define FLOC_CONTACTS_BLOCKS_BLOCK_SPOTS_H

#include "contacts/blocks/block_system.h"

/* Is there anything to gain? Of small islands a spot would be the whole. */
bool block_spots_apply(const block_island *island);
/* Numbers of working memory. */
size_t block_spots_work_size(const block_island *island);
/* Improves impulses, and the velocities that they give, around contacts above the target, if these are few. Returns
 * the products that it cost. */
int64_t block_spots_mend(const environment *env, const block_island *island, double *impulse, double *velocity,
                         double *work, double target);

#endif
