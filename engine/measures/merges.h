/*
 * Merges of clusters: what happened to clusters since the last look. Under a scheme that notes merges itself, and
 * by its links, they are the rows of its log. Otherwise the clusters of now are compared with those of the last
 * look:
 *
 * Particles that were in one cluster and are in one cluster make a piece. Going from the clusters of then to the
 * pieces, some came apart; going from the pieces to the clusters of now, some merged. Pairs say in which order:
 * each pair that was joined across two pieces, read backwards, and each pair that is joined across two, joins two
 * groups of pieces (union-find) and is one row. So the number of clusters changes by the number of rows exactly,
 * but for particles that came (each is a cluster of its own) and went.
 *
 * Memory: of the last look, ids ascending, the cluster's number and the velocity of each; joined pairs of ids, the
 * smaller first, sorted.
 */
#ifndef FLOC_MEASURES_MERGES_H
#define FLOC_MEASURES_MERGES_H

#include "measures/clusters.h"
#include "schemes/aggregation/merge_log.h"

typedef struct merge_past {
  int64_t count, pair_count;
  int64_t (*particle)[2]; /* [count] id, number of its cluster from 1 */
  double (*velocity)[3];  /* [count] */
  int64_t (*pair)[2];     /* [pair_count] ids */
  size_t particle_capacity, velocity_capacity, pair_capacity;
} merge_past;

/* Numbers alone: a section of checkpoints. */
typedef struct merge_totals {
  int64_t begun;           /* 1: there was a look */
  int64_t rule;            /* floc_cluster_rule */
  int64_t streams;         /* 1: the scheme notes merges, and there is no past */
  int64_t start, clusters; /* at the first look, at the last one */
  int64_t merges, splits, outside;
} merge_totals;

typedef struct merge_watch {
  merge_totals totals;
  double gap, apart;
  merge_past past;
  merge_log log;   /* since the last look */
  merge_log found; /* of the last look, for who asked */
} merge_watch;

void merge_watch_init(environment *env, merge_watch *watch);
void merge_watch_free(environment *env, merge_watch *watch);

/* A look at clusters by pairs; rows come into watch->found. A failed look changes nothing. scratch: may be used. */
floc_status merge_watch_look(environment *env, merge_watch *watch, const particles *table, const domain *box,
                             const cluster_pairs *pairs, double time, arena *scratch);
/* Of pairs by distances up to `apart`, those stay that are within gap, or were joined at the last look. */
void merge_watch_choose(const merge_watch *watch, const particles *table, const domain *box, cluster_pairs *pairs);

floc_status merge_watch_sections(const merge_watch *watch, section_list *list);
/* A file without them leaves a watch that has not begun. */
floc_status merge_watch_restore(environment *env, merge_watch *watch, const section_list *list, int64_t last_id);

#endif
