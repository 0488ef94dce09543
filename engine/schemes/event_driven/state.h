/*
 * What the files of the event-driven scheme share: its state, and the functions that they call of each
 * other.
 *
 * Who must be looked at when a velocity changes? A small cluster is registered again and searches about
 * all of its members, which costs its size. A large one has a list of foreign pairs (own member, foreign
 * member), so that a change costs the list and not the mass. Pairs of the list are forgotten lazily: a
 * pair counts only while its members are in different clusters and neither has been registered again
 * (`mark`: the sum of both registration numbers).
 *
 * A large cluster meets many small ones; each merge changes its velocity a little, and going through its
 * whole list each time would make the run quadratic. So it gives a promise: its velocity stays within
 * `slack` of `promised`. Pairs with such a cluster are not given a collision time but the earliest time at
 * which they could touch if the promise holds, which is the collision time of spheres whose radii grow at
 * the rate slack; then one looks again. Pairs nearer than a small gap are "hot": they have an exact
 * collision time, and are looked at whenever the velocity changes. The list is gone through only when the
 * promise breaks. Every collision that is carried out has an exact time.
 *
 * With rotation there are no promises: a cluster that turns changes the velocities of all its members at any time,
 * so that every change renews it (event_driven/rotation.c).
 *
 * Uniform gravity moves all clusters alike, so that it is in no pair's time: clusters are counted in a frame that
 * falls, and only walls know of it (event_driven/falling.c).
 *
 * Stamps come from one counter that only grows. `motion` changes with the velocity, `promise` with the
 * promise; an event carries the sum of the stamps of its clusters, which no later pair of stamps equals.
 */
#ifndef FLOC_SCHEMES_EVENT_DRIVEN_STATE_H
#define FLOC_SCHEMES_EVENT_DRIVEN_STATE_H

#include "schemes/aggregation/clusters.h"
#include "schemes/aggregation/links.h"
#include "schemes/aggregation/merge_log.h"
#include "schemes/aggregation/queue.h"

#include <math.h>

enum { NO_NODE = -1, NO_LIST = -2 };

typedef struct event_pair_node {
  int32_t own, foreign; /* members */
  uint32_t mark;
  int32_t next;
} event_pair_node;

/* What the scheme knows of a cluster beyond its motion; fills a cache line. */
typedef struct cluster_flight {
  double promised[3]; /* velocity */
  double slack;       /* 0: none */
  uint64_t motion, promise;
  int32_t pairs;      /* list of nodes, or NO_LIST */
  int32_t hot;        /* likewise */
  int32_t pair_count; /* nodes in `pairs`, forgotten ones included */
  int32_t pair_limit; /* forget when there are more */
} cluster_flight;

typedef struct member_pair {
  int32_t first, second;
} member_pair;

/* How two spheres approach each other along straight paths. */
typedef struct approach {
  double distance_square; /* |x|^2 */
  double closing;         /* x . w */
  double speed_square;    /* |w|^2 */
} approach;

/* What the search for a contact of clusters that turn has found. */
typedef struct contact_look {
  double
      delay; /* to the contact, or to a time up to which there is none; INFINITY: none as long as was asked for */
  bool is_contact;
} contact_look;

typedef struct event_driven {
  environment *env;
  int32_t dimension;
  floc_event_driven_options options;
  cluster_set set;
  arena memory;           /* holds flight */
  arena exported;         /* tables that were listed for a checkpoint */
  cluster_flight *flight; /* [set.count] */
  event_pair_node *node;
  int32_t node_count, free_node;
  event_queue queue;
  uint64_t stamp; /* the last one given */
  double now;
  double speed_sum;                       /* of all clusters */
  int64_t space_at;                       /* number of clusters at which the skin is chosen again; 0: never again */
  int64_t searches_before, looked_before; /* when the skin was chosen */
  double speed_floor;                     /* collisions slower than this stick, whatever the restitution */
  double gravity[3];                      /* that the state was built with */
  double fall_from;                       /* when the frame that falls was at rest in the box, at its place */
  bool built;                             /* the state agrees with the table */
  bool is_kept;                           /* the state before the step in progress */
  int64_t events_before; /* in the step before, to foresee those of the next; not in checkpoints: */
  double length_before;  /* it decides only what can be interrupted exactly */
  floc_status failure;   /* of the step in progress; once set, nothing more is done */
  particle_links links;
  merge_log *merges;   /* of the step in progress, or NULL */
  const int64_t *id;   /* of the table's slots, while a step is made */
  member_pair *staged; /* pairs found while a state is built or listed for a checkpoint */
  size_t staged_count;
  size_t node_capacity, staged_capacity;
  floc_event_driven_report count;
} event_driven;

/* event_driven.c */
void event_driven_init(event_driven *state, environment *env, int32_t dimension,
                       const floc_event_driven_options *options);
void event_driven_free(event_driven *state);
/* Does what the event was predicted from still hold? */
bool event_counts(const event_driven *state, const event *next);

/* event_driven/pairs.c: pairs and predictions */
void event_pair_add(event_driven *state, int32_t *list, int32_t own, int32_t foreign, uint32_t mark);
/* Frees the nodes of a list; what was NO_LIST stays so. */
void event_pair_list_free(event_driven *state, int32_t *list);
bool event_pair_counts(const event_driven *state, const event_pair_node *pair);
bool event_pair_hot_counts(const event_driven *state, const event_pair_node *pair);
/* Puts a pair into the lists of those of its clusters that have lists. */
void event_pair_list(event_driven *state, int32_t first, int32_t second);
/* Puts a pair into the hot lists of those of its clusters that give promises. */
void event_pair_make_hot(event_driven *state, int32_t first, int32_t second);
/* Lists a pair and predicts it. */
void event_pair_meet(event_driven *state, int32_t first, int32_t second);
/* Queues the next event of a pair, if there is one. */
void event_pair_predict(event_driven *state, int32_t first, int32_t second);
/* Drops nodes that no longer count once they are the larger part. */
void event_pair_list_tidy(event_driven *state, int32_t cluster);

/* event_driven/contact_time.c: clusters that turn */
/* The first contact of two members within `most` from now. */
contact_look event_pair_contact(const event_driven *state, int32_t first, int32_t second, double most);
/* That of a cluster with a wall. */
contact_look event_wall_contact(const event_driven *state, int32_t cluster, int axis, bool upper, double most);
/* The member that touches the wall now and moves into it. */
int32_t event_wall_member(const event_driven *state, int32_t cluster, int axis, bool upper);
/* Are they of different clusters, or of one that reaches itself through periodic faces, and apart? */
bool event_pair_can_meet(const event_driven *state, int32_t first, int32_t second);

/* event_driven/rotation.c: clusters that turn */
/* Arrays for the spins of all members' clusters, zero. */
floc_status rotation_begin(event_driven *state);
/* Inertia and turn of all clusters, whose members are where they are. */
void rotation_turn_all(event_driven *state);
/* Velocity after the impact at a wall; the spin has changed. */
void rotation_reflect(event_driven *state, int32_t cluster, int axis, bool upper, double velocity[3]);
/* Speed at which the surfaces of two members approach; both clusters are settled. */
double rotation_normal_speed(event_driven *state, int32_t first, int32_t second, const double normal[3]);
/* Velocities after an impact that changes the speed of approach by `impact`; the spins have changed. */
void rotation_bounce(event_driven *state, int32_t first, int32_t second, const double normal[3], double impact,
                     double velocity_a[3], double velocity_b[3]);
double rotation_energy(const event_driven *state);
/* Places, velocities and angular velocities of members into the table, after cluster_set_write. */
void rotation_write(event_driven *state, particles *table);

/* event_driven/falling.c: uniform gravity */
/* Place and velocity of the frame at now; called whenever now changes. */
void fall_to_now(event_driven *state);
/* Does a wall stand across gravity, and has the frame become fast? Then event_driven_space_anew puts it to rest.
 */
bool fall_is_long(const event_driven *state);
/* All clusters are counted in a frame that is at rest at now. */
void fall_begin_anew(event_driven *state);
/* Time until a surface at this distance from a wall, which approaches it at this speed now, touches it. */
double fall_time_to_wall(const event_driven *state, double distance, double closing, int axis, bool upper);
/* Acceleration towards a wall. */
double fall_towards(const event_driven *state, int axis, bool upper);
/* A cluster has been reflected and has this velocity: refuses one that a wall would have to hold up. */
floc_status fall_check_rebound(const event_driven *state, int32_t cluster, int axis, bool upper, double velocity,
                               bool wedged);
/* The same of particles that lie on a wall at the start. */
floc_status fall_check_start(const event_driven *state, const particles *table, const domain *box);

/* event_driven/motion.c: what happens to clusters */
/* Sets the lists that a cluster of this size has, empty. */
void flight_begin_lists(event_driven *state, int32_t cluster);
/* The cluster promises to continue unchanged. */
void flight_promise(event_driven *state, int32_t cluster);
/* Predicts what happens to the cluster alone: wall or expiry. */
void flight_schedule(event_driven *state, int32_t cluster);
/* Registers all members again and finds their pairs. */
void flight_renew(event_driven *state, int32_t cluster);
void flight_reflect(event_driven *state, int32_t cluster, int32_t wall);
void flights_collide(event_driven *state, int32_t first, int32_t second);

/* event_driven/build.c: from the table and the links to a state that runs */
floc_status event_driven_build(event_driven *state, const particles *table, const domain *box,
                               const double gravity[3], double now);
/* Flights of all clusters, none of which flies. */
floc_status event_driven_begin_flights(event_driven *state);
/* Is the grid as coarse as the clusters are? Fewer of them, further apart: a coarser grid and a thicker
 * skin make registrations last longer. */
bool event_driven_is_well_spaced(const event_driven *state);
void event_driven_space_anew(event_driven *state);

/* Time until |x + w t| = reach + growth t; infinite if never. With growth 0 this is (A.5), in the form
 * that does not cancel. A pair that overlaps and approaches collides now. */
static inline double event_time_to_touch(approach of, double reach, double growth)
{
  double a = of.speed_square - growth * growth;
  double b = of.closing - reach * growth;
  double c = of.distance_square - reach * reach;
  if (a >= 0.0 && b >= 0.0) return INFINITY;
  double discriminant = b * b - a * c;
  if (discriminant < 0.0) return INFINITY;
  double time = c / (sqrt(discriminant) - b);
  return time > 0.0 ? time : 0.0;
}

/* event_driven/sections.c: checkpoints */
floc_status event_driven_sections(void *state, section_list *list);
floc_status event_driven_restore(void *state, const section_list *list, int64_t particle_count,
                                 int32_t shape_count);
#endif
