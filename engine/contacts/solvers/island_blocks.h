/*
 * Islands with blocks: which they are, and what solves one.
 */
#ifndef FLOC_CONTACTS_SOLVERS_ISLAND_BLOCKS_H
#define FLOC_CONTACTS_SOLVERS_ISLAND_BLOCKS_H

#include "contacts/blocks/block_system.h"
#include "contacts/solvers/islands.h"

bool island_has_blocks(const island_set *all, int64_t island);
/* Numbers of working memory for one that is packed. */
size_t island_blocks_work_size(const block_island *it);
/* Solves one that is packed, or leaves it to the interior point method, which needs memory. Returns products times
 * contacts. */
int64_t island_blocks_solve(const island_set *all, int64_t island, const environment *env, const block_island *it,
                            double *work);
/* Solves and returns a large one, by all threads; cut by patches where it is in several. */
floc_status island_blocks_solve_large(island_set *all, int64_t island, const large_scratch *large);
/* One that was left: the interior point method, then the gradient. */
floc_status island_blocks_finish(island_set *all, int64_t island, const large_scratch *large);

#endif
