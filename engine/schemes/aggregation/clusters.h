/*
 * Clusters that fly straight on: what both ballistic schemes (Degond, Dimarco, Ferreira, Hecht 2024)
 * know of particles, of the clusters they stick together in, and of who is near whom.
 *
 * Positions are lazy. A member's position is base + offset + velocity (now - time), where offset,
 * velocity and time belong to its cluster, so that flight, reflection and a change of velocity cost the
 * same for a cluster of one and of a million. When two clusters become one, the members of the smaller
 * are renamed (n log n renamings in all, at worst).
 *
 * Neighbours are found in a grid where members are registered rarely. Each cluster counts the path that
 * it has travelled since its oldest registration; the path may grow to skin / 2, then the cluster's
 * registration expires and must be renewed. A search about a member that registers now lists all members
 * of other clusters that could touch it before either registration expires:
 *   distance <= R_i + R_j + skin - travelled_i - travelled_j.
 * Cells are at least 2 R_max + skin wide, so the 3^d cells around the member hold them all. A cell knows
 * whether all of its members belong to one cluster ("owner"); a search passes over the cells that its own
 * cluster owns, so the inside of a cluster costs nothing.
 *
 * Cell numbers are taken modulo the number of cells on open and periodic axes; on open ones distant cells
 * share a number, and the distance tells them apart.
 *
 * Memory: members (in the order of a space-filling curve over the cells where they were at the start, so
 * that neighbours lie near each other), what moves of clusters and what merges of them (cluster k began as
 * member k), and cells; chains run through them by index. An event touches a few members and clusters that
 * are in no cache, so each of the three structs fills one line of 64 bytes and is aligned to it.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_CLUSTERS_H
#define FLOC_SCHEMES_AGGREGATION_CLUSTERS_H

#include "base/arena.h"
#include "base/domain.h"
#include "particles/particles.h"
#include "schemes/aggregation/links.h"

enum { NO_MEMBER = -1, NO_OWNER = -1, SEVERAL_OWNERS = -2, MEMBERS_IN_CELL = 6 };

typedef struct cluster_member {
  double base[3]; /* position relative to the cluster's offset */
  double radius, mass;
  int32_t cluster;
  int32_t cell;                           /* where it is registered, or -1 */
  int32_t next_in_cell, previous_in_cell; /* in the chain `more` of the cell */
  int32_t next_in_cluster;
  uint32_t registration; /* grows by one at each registration */
} cluster_member;

typedef struct cluster_motion {
  double offset[3]; /* at `time` */
  double velocity[3];
  double time;
  double travelled; /* path since the oldest registration of a member, at `time`, or more */
} cluster_motion;

typedef struct cluster_body {
  double lower[3], upper[3]; /* box around the members' surfaces, relative to offset */
  double mass;
  int32_t count; /* members; 0: merged into another cluster */
  int32_t first; /* member that begins the chain */
} cluster_body;

/* Most cells hold few members; these stand in the cell itself, so that a search can ask memory for all of
 * them at once, and only what is more is chained. */
typedef struct cluster_cell {
  int32_t owner;                   /* a cluster, NO_OWNER (empty) or SEVERAL_OWNERS (perhaps) */
  int32_t more;                    /* member that begins the chain of those without a place, or NO_MEMBER */
  int32_t member[MEMBERS_IN_CELL]; /* the free places, NO_MEMBER, are the last */
} cluster_cell;

/* Rotation of a cluster (aggregation/spins.h). */
typedef struct cluster_spin {
  double momentum[3]; /* angular, about the centre */
  double center[3];   /* of mass, relative to the cluster's offset; places by images */
  bool endless;       /* reaches itself through periodic faces: cannot turn, has no momentum */
  /* made from the above and the places: by ballistic_find_spins at the end of a step, by cluster_turning_begin */
  double tensor[3][3], velocity[3]; /* of inertia; angular */
  double radius;                    /* of the ball about the centre that holds the members */
} cluster_spin;

/* How a cluster turns from motion.time on, where it turns between events (aggregation/turning.h). */
typedef struct cluster_turning {
  double rate;  /* greatest speed of a surface about the centre; 0: nothing moves by the rotation */
  double swing; /* times a member's distance from the centre: no greater acceleration of it */
  double limit; /* how long after motion.time the turn is known; INFINITY in the plane */
} cluster_turning;

enum { TURNING_TERMS = 18 };

typedef struct cluster_set {
  environment *env;
  domain box;
  int32_t dimension;
  int64_t count;            /* members */
  int64_t alive;            /* clusters that have members */
  arena memory;             /* holds member, motion, body and cell */
  cluster_member *member;   /* [count] */
  int32_t *slot;            /* [count] of the particle in the table */
  cluster_motion *motion;   /* [count] */
  cluster_body *body;       /* [count] */
  cluster_cell *cell;       /* [cell_count] */
  int32_t (*image)[3];      /* [count] or NULL: base + image length, on periodic axes, are places of a cluster that
                               is not cut by the box's faces */
  cluster_spin *spin;       /* [count]: clusters rotate; else NULL */
  cluster_turning *turning; /* [count]: they turn between events; else NULL */
  double (*series)[TURNING_TERMS][4]; /* [count] in space with turning: of the quaternion of the turn, by time */
  int64_t cell_count, cell_capacity;
  int32_t cells[3]; /* per axis; 1 on axis 2 in two dimensions */
  double covered_lower[3], covered_upper[3], cells_per_length[3];
  double greatest_radius, smallest_radius;
  double skin; /* [length] */
  /* Of the frame that offsets and velocities are counted in, which falls (event_driven/falling.c); 0: it is at
   * rest. */
  double frame_place[3], frame_velocity[3];
  bool frame_falls;
  int32_t *found; /* what the last search found */
  size_t found_capacity;
  uint64_t written;  /* hash of what the table held after cluster_set_write */
  int64_t gathered;  /* members that cluster_search_touching has looked at */
  int64_t looked_at; /* members of other clusters in the cells that were searched */
} cluster_set;

void cluster_set_init(cluster_set *set, environment *env, int32_t dimension);
void cluster_set_free(cluster_set *set);

/* Space for count members and clusters; what was there is gone. */
floc_status cluster_set_reserve(cluster_set *set, int64_t count);
/* Finds the greatest and the smallest radius of the members. */
void cluster_set_take_radii(cluster_set *set);
/* Takes positions, velocities, radii and masses from the table: each particle is a cluster of its own,
 * registered nowhere. skin 0: chosen from radii and density. Refuses particles that reach through a wall
 * and periodic axes that are too short. */
floc_status cluster_set_build(cluster_set *set, const particles *table, const domain *box, double skin, double now);
/* Puts positions (within periodic faces) and velocities at time now into the table. */
void cluster_set_write(cluster_set *set, particles *table, double now);
/* The table has been written to since, in agreement with the state. */
void cluster_set_note(cluster_set *set, const particles *table);
/* Does the table still hold what cluster_set_write has put there (by a hash of 64 bits)? */
bool cluster_set_match(const cluster_set *set, const particles *table);
/* Storage was reordered: the particle of slot order[k] is now in slot k. Links follow. */
floc_status cluster_set_permute(cluster_set *set, particle_links *links, const particles *table,
                                const int32_t *order);
/* Brings the reference time of a cluster that does not turn to now. */
void cluster_advance(cluster_motion *motion, double now);
/* The same, of one that may turn between events: what it was turned by is then in its members' places. */
void cluster_settle(cluster_set *set, int32_t cluster, double now);
/* The same, and the path is restarted: all members are about to be registered. */
void cluster_restart(cluster_set *set, int32_t cluster, double now);
/* Makes the box around a cluster's members exact again. */
void cluster_find_box(cluster_set *set, int32_t cluster);
/* The members of `absorbed` become members of `kept`; both have been advanced to the same time. mean gets
 * the momentum-conserving velocity; kept's own velocity and travelled path do not change.
 * The new members stand first in kept's chain; the last of them is returned. */
int32_t cluster_absorb(cluster_set *set, int32_t kept, int32_t absorbed, double mean[3]);
/* Which of two clusters a merge should keep: the one with more members. */
int32_t cluster_larger(const cluster_set *set, int32_t a, int32_t b);
/* Sum over clusters of mass velocity^2 / 2, at rest in the box. */
double cluster_set_energy(const cluster_set *set);

/* Registers a member where it is now; its cluster is settled, if it turns. */
void cluster_register(cluster_set *set, int32_t member, double now);
/* Puts the members that the head of this file describes into set->found; with only_later, only those of
 * higher number. A cluster that turns, and is settled, and may meet itself
 * through periodic faces, finds its own as well. */
floc_status cluster_search(cluster_set *set, int32_t member, double now, bool only_later, int64_t *found_count);

/* Puts all members, of the member's own cluster too, that it touches or overlaps into set->found; the
 * member itself is left out. It must be registered where it is. */
floc_status cluster_search_touching(cluster_set *set, int32_t member, double now, int64_t *found_count);

/* Asks memory for the cells about a member. */
void cluster_prefetch_cells(const cluster_set *set, int32_t member, double now);

static inline double cluster_speed(const cluster_motion *motion)
{
  const double *v = motion->velocity;
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* No point of a cluster is faster. */
static inline double cluster_path_speed(const cluster_set *set, int32_t cluster)
{
  double speed = cluster_speed(&set->motion[cluster]);
  return set->turning ? speed + set->turning[cluster].rate : speed;
}

/* Of a cluster that does not turn between events. */
static inline double cluster_travelled(const cluster_motion *motion, double now)
{
  return motion->travelled + cluster_speed(motion) * (now - motion->time);
}

/* Of any. */
static inline double cluster_path(const cluster_set *set, int32_t cluster, double now)
{
  const cluster_motion *motion = &set->motion[cluster];
  return motion->travelled + cluster_path_speed(set, cluster) * (now - motion->time);
}

/* Can a cluster meet itself through periodic faces? */
bool cluster_is_wide(const cluster_set *set, int32_t cluster);
/* Position of a member of a cluster that turns. */
void cluster_turned_position(const cluster_set *set, int32_t member, double now, double position[3]);

/* Position of a member of one that does not turn. */
static inline void cluster_straight_position(const cluster_set *set, int32_t number, double now,
                                             const int32_t dimension, double position[3])
{
  const cluster_member *member = &set->member[number];
  const cluster_motion *motion = &set->motion[member->cluster];
  double elapsed = now - motion->time;
  for (int axis = 0; axis < dimension; axis++)
    position[axis] = member->base[axis] + (motion->offset[axis] + motion->velocity[axis] * elapsed);
}

/* Position of a member, outside of periodic faces by at most skin / 2. */
static inline void cluster_position(const cluster_set *set, int32_t number, double now, const int32_t dimension,
                                    double position[3])
{
  if (set->turning && set->turning[set->member[number].cluster].rate > 0.0)
    cluster_turned_position(set, number, now, position);
  else
    cluster_straight_position(set, number, now, dimension, position);
}

#endif
