/*
 * Which contacts of a list are connected through bodies, for block problems: the order of contacts and the numbers
 * of bodies, island by island. (grouping.h does the same for contacts sorted by particles, and on several threads.)
 */
#ifndef FLOC_CONTACTS_SOLVERS_BLOCK_ISLANDS_H
#define FLOC_CONTACTS_SOLVERS_BLOCK_ISLANDS_H

#include "contacts/blocks/block_system.h"

typedef struct block_plan {
  int64_t island_count, place_count, body_count; /* places: contacts with empty ones; bodies with stand-ins */
  int64_t *first_place;                          /* [island] a multiple of FOUR */
  int64_t *places;                               /* [island] */
  int64_t *filled;                               /* [island] contacts */
  int64_t *first_body;                           /* [island + 1] */
  int32_t *contact; /* [place] number in the problem, -1: empty; by colour in large islands */
  int32_t *body;    /* [place][2] from the island's first */
  int32_t *body_of; /* [body] number in the problem; -1: a stand-in */
  int32_t *colours; /* [island] its place in `colour`, -1: too small to have colours */
  block_colours *colour;
} block_plan;

/* listed: in ascending order. Islands stand in the order of their first contacts, bodies in that of their numbers.
 */
floc_status block_plan_create(arena *scratch, const block_problem *problem, const int32_t *listed, int64_t count,
                              block_plan *plan);

#endif
