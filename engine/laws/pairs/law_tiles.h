/*
 * Pair laws on all pairs, without a list of them: see law_tiles.c.
 */
#ifndef FLOC_LAWS_LAW_TILES_H
#define FLOC_LAWS_LAW_TILES_H

#include "laws/pairs/law_pair_block.h"

/* What is to be done with the pairs of a desk's block. */
typedef floc_status (*tile_action)(const void *context, int32_t desk, double *energy, chunk_mark *mark);

typedef struct law_tiles {
  const environment *env;    /* with the threads that the law may use */
  const pair_source *source; /* states, periods and range; no list */
  const int64_t *id;         /* by slot */
  int64_t count;             /* of particles */
  int32_t dimension;
  bool narrow;
  const law_desks *desks;
  pair_block *blocks; /* per desk */
  tile_action act;
  const void *context;
  chunk_mark *marks; /* [law_tiles_in_round(count)] */
  double *energy;    /* [the same] */
  int64_t round;     /* that is being done; 0: blocks with themselves */
} law_tiles;

/* The most tiles of a round: as many may be done at the same time. */
int64_t law_tiles_in_round(int64_t count);
/* Goes through all pairs once, in an order that follows from their number; adds to *energy. The first failure, or
 * NULL. */
const chunk_mark *law_tiles_run(law_tiles *tiles, double *energy);

#endif
