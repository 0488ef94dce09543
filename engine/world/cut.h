/*
 * A world over several ranks (ranks.c, cut.c). Between steps that no call looks into, a rank holds its
 * cut of the particles: those that it owns, and ghosts, copies of the others that come near them, in the order in
 * which the whole is stored. So every pair has the orientation that it has in the whole, and each owned particle
 * gets the same forces in the same order: the same bits.
 *
 *   whole     every rank holds all particles, as a world alone does. Set-up, and whatever looks or changes.
 *   cut       floc_world_step leaves it so. Any other call that asks for more than the time makes it whole again.
 *
 * Ghosts are those within `near` of a part of space that a rank owns, and are chosen again, with owners, before a
 * step in which some particle would be farther than skin/2 from where it was then: `near` is the reach of contacts
 * and laws plus the skin. A particle that has come into another rank's space goes there with what its pairs
 * remember. Within a step ranks meet twice (may all begin; may all end) and exchange the forces of ghosts once.
 */
#ifndef FLOC_WORLD_CUT_H
#define FLOC_WORLD_CUT_H

#include "base/arena.h"
#include "domains/owners.h"
#include "ranks/ranks.h"

typedef struct world_cut {
  floc_ranks ranks; /* count 0 or 1: it is one rank's alone */
  ranks_traffic traffic;
  bool is_cut, made_step; /* a step was made since */
  bool is_lost;           /* a renewal has failed, and the state is lost */
  int64_t whole;          /* particles of the whole, while it is cut */
  owner_map owners;
  int32_t turn;       /* of owners, for tests */
  double near, skin;  /* [length] */
  double near_part;   /* 1; less: too few ghosts, for tests */
  double radius_most; /* of all */
  int64_t renewals, moved;
  floc_interrupt_function interrupt; /* of the host; asked within steps of a cut world alone */
  /* by slot, while it is cut; ghosts are marked in the table (particles/owned.h) */
  int64_t *place;       /* of the particle in the whole's order of storage */
  double *reference[3]; /* where it was when ghosts were chosen */
  size_t place_capacity, reference_capacity[3];
  /* what goes in each step: slots by rank, in the order of the whole */
  int64_t *out_count, *in_count; /* [ranks] */
  int32_t *out_slot, *in_slot;
  int64_t *bytes;         /* [2 ranks] of share(), in the scratch memory of a step */
  unsigned char *message; /* likewise */
  size_t out_count_capacity, in_count_capacity, out_capacity, in_capacity;
} world_cut;

#endif
