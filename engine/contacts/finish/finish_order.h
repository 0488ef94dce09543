/*
 * The order in which a sparse factorisation eliminates the bodies of an island: approximate minimum degree, after
 * Amestoy, Davis and Duff 1996 ("An approximate minimum degree ordering algorithm"). Integers only: the same
 * order on every machine. finish_order.c says how.
 */
#ifndef FLOC_CONTACTS_SOLVERS_FINISH_ORDER_H
#define FLOC_CONTACTS_SOLVERS_FINISH_ORDER_H

#include "base/arena.h"

/* The neighbours of each node, without itself and without repetition; node j is a neighbour of i if i is of j. */
typedef struct order_graph {
  int32_t nodes;
  const int64_t *start;     /* [node + 1] */
  const int32_t *neighbour; /* [start[nodes]] */
} order_graph;

/* order [nodes]: the node that is eliminated first, second, ... Scratch is given back. */
floc_status finish_order(arena *scratch, const order_graph *graph, int32_t *order);

#endif
