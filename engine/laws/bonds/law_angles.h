/*
 * Laws over triples of particles (i, j, k): of the angle at j between the directions to i and k, and of the three
 * distances. An energy that neither moves nor turns with the triple depends on nothing else, so forces of such laws
 * are a moment M that opens the angle and forces along the three lines:
 *
 *   on i: M p_i/|a| + f_ij a/|a| + f_ik (a - b)/|a - b|,  on k: M p_k/|b| + f_jk b/|b| - f_ik (a - b)/|a - b|
 *
 * a = x_i - x_j, b = x_k - x_j, p_i and p_k unit vectors in the plane of the triple, across a and b, outwards; on j
 * the opposite of both. Their sum is 0, and so is their moment about any point. p_i = a x (a x b)/(|a| |a x b|) is
 * exact to rounding up to straight angles, where quotients by the sine of the angle are not; where the three are on
 * a line to the last bit there is no plane, and the moment exerts nothing.
 *
 * Memory: what a triple does to i and k lies by entry of the law's list (bond_list.h); then each particle adds up
 * what concerns it in the order of its entries, so sums do not depend on threads.
 */
#ifndef FLOC_LAWS_LAW_ANGLES_H
#define FLOC_LAWS_LAW_ANGLES_H

#include "laws/laws_internal.h"

floc_status laws_apply_angles(laws *all, const laws_moment *at, int32_t stage, arena *scratch);

#endif
