/*
 * Who owns which part of space: bricks in the order of their curve, cut into as many pieces as there are ranks. A
 * piece of the curve is a compact piece of space, and has an owner also where there was no particle when the
 * pieces were made. Results do not depend on who owns what; weights, the numbers of particles, make for equal work.
 */
#ifndef FLOC_DOMAINS_OWNERS_H
#define FLOC_DOMAINS_OWNERS_H

#include "domains/patches.h"

enum { OWNERS_WANTED_PATCHES = 16 /* bricks for each rank, on average */ };

typedef struct owner_map {
  brick_lattice lattice;
  int32_t ranks;
  int32_t turn;    /* piece p belongs to rank (p + turn) modulo ranks */
  bool is_alone;   /* everything belongs to rank 0 */
  uint64_t *begin; /* [ranks] where the piece of a rank begins on the curve */
  size_t capacity;
} owner_map;

/* Pieces of equal weight. Another `turn`: the same pieces in other hands, for tests. */
floc_status owners_make(environment *env, arena *scratch, const particles *table, const domain *box, int64_t target,
                        int32_t ranks, int32_t turn, owner_map *map);
void owners_free(environment *env, owner_map *map);
int32_t owner_of(const owner_map *map, const domain *box, const double position[3]);
/* The ranks that own a point of the cube within `distance` of a position, its owner among them: marks[r] becomes
 * `mark`, and those that had another are listed. Returns how many. */
int32_t owners_near(const owner_map *map, const domain *box, const double position[3], double distance,
                    int64_t mark, int64_t *marks, int32_t *found);

#endif
