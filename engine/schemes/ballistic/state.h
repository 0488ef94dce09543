/*
 * What the files of the time-stepping scheme share.
 *
 * A step costs what happens in it, not the number of particles: clusters move lazily, overlaps are looked
 * for in a list of pairs of members of different clusters, found by the searches of aggregation/clusters.h,
 * and a minimisation touches the neighbourhood that it perturbs (projection) or the clusters that met
 * (Arrow-Hurwicz).
 *
 * Two clusters that meet become one first; then both are in one frame, and the minimiser works on places
 * relative to it. Members that it has moved are registered again, and looked at for overlaps with anyone,
 * which gives new links, until there are none: (3.1)-(3.2).
 *
 * Links form chains: first_link[member] and next[side] hold handles 2 link + side, so that a member's links
 * are found without a table per member.
 *
 * Everything that is done in some order (overlaps that become links) is sorted by member numbers before,
 * so that the order of lists, which a checkpoint does not keep, changes nothing.
 */
#ifndef FLOC_SCHEMES_BALLISTIC_STATE_H
#define FLOC_SCHEMES_BALLISTIC_STATE_H

#include "schemes/aggregation/clusters.h"
#include "schemes/aggregation/links.h"
#include "schemes/aggregation/merge_log.h"

enum { NO_HANDLE = -1 };

typedef struct neighbour_pair {
  int32_t first, second; /* members, first < second */
  uint32_t mark;         /* counts while it is the sum of both registrations */
} neighbour_pair;

typedef struct link_record {
  int32_t member[2];
  int32_t next[2]; /* handle of the next link of member[side] */
  int32_t visits;  /* projections in this step */
  bool loop;       /* its members were in one cluster when it was made */
  bool slack;      /* a loop that cannot be satisfied: no attraction any more */
  bool waiting;    /* in the worklist */
} link_record;

typedef struct ballistic {
  environment *env;
  int32_t dimension;
  floc_ballistic_options options;
  cluster_set set;
  particle_links links;
  merge_log *merges;   /* of the step in progress, or NULL */
  link_record *link;   /* [links.count] */
  arena memory;        /* holds what has one element per member */
  int32_t *first_link; /* handle of a member's first link, or NO_HANDLE */
  uint32_t *moved_at;  /* the pass in which a member was put into `moved` */
  bool *chosen;        /* marks clusters while they are collected */
  int32_t *alive;      /* [alive_count] clusters, dead ones are swept out now and then */
  int64_t alive_count;
  uint32_t pass;
  neighbour_pair *pair;
  int32_t *moved, *worklist, *visited, *dropped; /* dropped: links that became slack in this step */
  neighbour_pair *overlap;                       /* members that overlap and are not linked yet */
  size_t pair_count, moved_count, overlap_count, visited_count, dropped_count;
  size_t worklist_begin, worklist_count; /* elements begin .. count-1 wait */
  size_t link_capacity, pair_capacity, moved_capacity, overlap_capacity, visited_capacity, worklist_capacity,
      dropped_capacity;
  arena scratch;              /* of one minimisation */
  arena exported;             /* tables that were listed for a checkpoint */
  uint64_t seed, step, draws; /* of the step in progress: of the stochastic minimiser */
  double drawn[4];            /* the numbers that draws / 4 gave */
  double now;
  bool built;       /* the state agrees with the table */
  bool is_kept;     /* the state before the step in progress */
  int64_t counted;  /* of the work of the step (base/work.h) */
  int64_t work_end; /* what was done in all when the step began */
  int64_t work; /* of the step before, to foresee the next; not in checkpoints: it decides only whether is_kept */
  int64_t space_at; /* number of clusters at which the skin is chosen again */
  int64_t searches_before, looked_before, steps_since;
  floc_ballistic_report count;
} ballistic;

/* ballistic.c */
void ballistic_init(ballistic *state, environment *env, int32_t dimension, const floc_ballistic_options *options);
void ballistic_free(ballistic *state);

/* Shall the step be given up? One whose state was not kept is asked about only when it lasts. */
floc_status ballistic_ask(ballistic *state);

/* ballistic/build.c */
floc_status ballistic_build(ballistic *state, const particles *table, const domain *box, double now);
/* Arrays with one element per member, empty; the set is there. */
floc_status ballistic_begin(ballistic *state);
/* Makes the list of clusters that have members. */
void ballistic_list_alive(ballistic *state);
/* A thicker or thinner skin, if the clusters have become that different. */
floc_status ballistic_space_anew(ballistic *state);

/* ballistic/contacts.c: pairs, links, clusters that become one */
floc_status ballistic_add_pair(ballistic *state, int32_t first, int32_t second);
bool ballistic_pair_counts(const ballistic *state, const neighbour_pair *pair);
/* Registers a member again / lists the pairs about it; of two members registered in this pass, once. */
floc_status ballistic_search(ballistic *state, int32_t member, bool only_later);
/* What is in `moved` has been dealt with. */
void ballistic_next_pass(ballistic *state);
/* Registers all members of `moved` and lists the pairs about them. */
floc_status ballistic_register_moved(ballistic *state);
/* Puts all members of a cluster into `moved`, and lets its registration restart. */
floc_status ballistic_renew(ballistic *state, int32_t cluster);
/* Renews the clusters whose path will have grown to skin / 2 at time `until`, and lists their pairs. */
floc_status ballistic_renew_expired(ballistic *state, double until);
/* Links two members; their clusters become one. */
floc_status ballistic_link(ballistic *state, int32_t first, int32_t second);
/* The same for two that have met: it is a merge for those who want to know. */
floc_status ballistic_meet(ballistic *state, int32_t first, int32_t second);
/* Puts a link of the list into the chains of two members. */
void ballistic_chain_link(ballistic *state, int64_t number, int32_t first, int32_t second);
/* All overlaps at now become links, and the minimiser runs, until there are none. */
floc_status ballistic_interact(ballistic *state);
/* Instead: from now to `end`, with merges and reflections at their times. */
floc_status ballistic_advance_rigid(ballistic *state, double end);
/* Reflects a cluster that reaches through a wall at now; tells whether it did. */
bool ballistic_reflect(ballistic *state, int32_t cluster);

/* ballistic/projection.c, ballistic/arrow_hurwicz.c: bring the links of the worklist, or of their
 * clusters, to contact. Members that moved are put into `moved`. */
floc_status ballistic_queue_link(ballistic *state, int32_t link);
/* Takes a link's attraction away, for good if the step succeeds. */
floc_status ballistic_drop_link(ballistic *state, int32_t link);
floc_status ballistic_project(ballistic *state);
floc_status ballistic_arrow_hurwicz(ballistic *state);
/* Remembers that a member's base changed, keeps it within walls (*held becomes true if one was in the way)
 * and its cluster's box around it. */
floc_status ballistic_note_move(ballistic *state, int32_t member, bool *held);

/* ballistic/rotation.c */
/* Inertia and angular velocities of all clusters, from places and angular momenta. */
void ballistic_find_spins(ballistic *state);
/* Attributes for angular velocities; what is there already serves. */
floc_status ballistic_add_columns(particles *table, int32_t dimension);
/* Velocities of members that turn, and angular velocities, into the table. */
void ballistic_write_spins(ballistic *state, particles *table);
/* Turns all clusters about their centres for a time, up to now. */
void ballistic_rotate(ballistic *state, double time);
/* Renews the clusters that have turned and may have met themselves through periodic faces. */
floc_status ballistic_renew_wide(ballistic *state);
/* Greatest speed of a member relative to the centre. */
double ballistic_spin_speed(const ballistic *state, int32_t cluster);
/* Kinetic energy of rotation. */
double ballistic_spin_energy(const ballistic *state);

/* ballistic/state_sections.c: checkpoints */
floc_status ballistic_sections(void *state, section_list *list);
floc_status ballistic_restore(void *state, const section_list *list, int64_t particle_count, int32_t shape_count);

#endif
