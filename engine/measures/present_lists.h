/*
 * Lists of neighbours of the present state, beside those of the world: measures may be asked at any moment (before
 * the first step, after positions were written), and must not change when the world makes its next lists.
 */
#ifndef FLOC_MEASURES_PRESENT_LISTS_H
#define FLOC_MEASURES_PRESENT_LISTS_H

#include "base/arena.h"
#include "neighbors/neighbors.h"

/* All pairs and walls whose surface distance is at most range (walls: half of it, or 0), and what the world's lists
 * `near` remember of them, in columns of the same indices. To be given back with neighbors_destroy. */
floc_status present_lists_make(environment *env, const neighbors *near, const particles *table,
                               const bodies *obstacles, const domain *box, double range, arena *scratch,
                               neighbors **made);

#endif
