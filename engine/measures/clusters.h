/*
 * Clusters: the connected components of particles joined by pairs, and which pairs came and went.
 */
#ifndef FLOC_MEASURES_CLUSTERS_H
#define FLOC_MEASURES_CLUSTERS_H

#include "neighbors/neighbors.h"

/* Pairs of particles by slot, first < second, sorted. */
typedef struct cluster_pairs {
  environment *env;
  int32_t *pair; /* [count][2] */
  int64_t count;
  size_t capacity; /* in numbers, two per pair */
} cluster_pairs;

void cluster_pairs_free(cluster_pairs *pairs);
/* All pairs whose surface distance is at most gap. A grid of its own: neighbour lists are not touched. */
floc_status cluster_pairs_by_gap(environment *env, const particles *table, const domain *box, double gap,
                                 cluster_pairs *pairs);

/* Numbers clusters 1, 2, ... in the order of their least particle id. cluster_of: [particle count], by id - 1.
 * Fills the summary (struct_size is left alone). */
floc_status clusters_find(environment *env, const particles *table, const cluster_pairs *pairs, int64_t *cluster_of,
                          floc_cluster_summary *summary);

/* Pairs of ids that were joined at the last look, sorted. */
typedef struct bond_watch {
  int64_t *bond; /* [count][2] */
  int64_t count;
  size_t capacity;
} bond_watch;

/* Compares with the last look and keeps the present pairs. made and broken are 0 at the first look. */
floc_status bond_watch_update(environment *env, bond_watch *watch, const particles *table,
                              const cluster_pairs *pairs, int64_t *made, int64_t *broken);
void bond_watch_free(environment *env, bond_watch *watch);
floc_status bond_watch_sections(const bond_watch *watch, section_list *list);
floc_status bond_watch_restore(environment *env, bond_watch *watch, const section_list *list);

#endif
