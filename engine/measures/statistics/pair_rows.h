/*
 * Pairs of particles near each other as rows of numbers, in the order of their ids: neighbours for a host that
 * computes with them. Separations are those of nearest images.
 */
#ifndef FLOC_MEASURES_STATISTICS_PAIR_ROWS_H
#define FLOC_MEASURES_STATISTICS_PAIR_ROWS_H

#include "neighbors/neighbors.h"

typedef struct pair_row {
  double id_i, id_j;
  double distance, gap; /* of the centres; of the surfaces, < 0 overlapping */
  double separation[3]; /* from i to j; [2] is 0 in the plane */
} pair_row;

typedef struct pair_rows {
  environment *env;
  pair_row *row;
  int64_t count;
  size_t capacity;
} pair_rows;

/* Surfaces within this many radii of the smaller particle touch. */
static const double touching_in_radii = 1e-3;

floc_status pair_rows_check(environment *env, const floc_pairs_options *options);
/* The range of surface distances that a list must have for pair_rows_of_all(). */
double pair_rows_range(const particles *table, const floc_pairs_options *options);
/* Each pair once, the smaller id first. */
floc_status pair_rows_of_all(environment *env, const particles *table, const domain *box, const pair_list *pairs,
                             const floc_pairs_options *options, pair_rows *rows);
/* Those of one particle, which is i of every row; goes through all particles, and needs no list. */
floc_status pair_rows_of_one(environment *env, const particles *table, const domain *box,
                             const floc_pairs_options *options, pair_rows *rows);
void pair_rows_free(pair_rows *rows);

#endif
