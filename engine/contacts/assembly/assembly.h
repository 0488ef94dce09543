/*
 * From neighbour lists to a contact problem: which pairs can touch in the coming step, how far they are,
 * along which direction, and which bound their impulse has.
 *
 * Contact laws differ only in their bounds (docs/schemes/inelastic.md, gluey.md), and in what pairs remember of
 * them: laws/law.h.
 */
#ifndef FLOC_CONTACTS_ASSEMBLY_ASSEMBLY_H
#define FLOC_CONTACTS_ASSEMBLY_ASSEMBLY_H

#include "base/arena.h"
#include "contacts/laws/gluey.h"
#include "contacts/problem/problem.h"
#include "geometry/convex/cores.h"
#include "geometry/rigid.h"
#include "neighbors/neighbors.h"

enum { LAW_MEMORY = 4, LAWS_MOST = 8 };

/* Of grains that are not round a pair has several contacts, and remembers the impulses of that many, each with the
 * features that it is between (contact_set.feature). */
enum { CONTACT_PARTS = 4 };

typedef struct contact_law_type contact_law_type; /* laws/law.h */

/* A law that acts in a world. */
typedef struct contact_law {
  const contact_law_type *type;
  const struct host_law *host; /* of law_host */
  int32_t memory[LAW_MEMORY];  /* columns of pair memory, -1: none */
} contact_law;

/* What pairs of materials may have numbers of their own for. */
enum { PAIR_FRICTION, PAIR_ROLLING, PAIR_TWISTING, PAIR_RESTITUTION, PAIR_GAMMA_MIN, PAIR_QUANTITIES };

/* All of a scheme. */
typedef struct contact_laws {
  floc_projection_options options; /* of quantities by pairs of materials: 1, for "above 0" */
  material_table *pairs;           /* [PAIR_QUANTITIES]; NULL: all are one number */
  gluey_law *gluey;                /* what else the gluey law has */
  bool warm_start;
  int32_t impulse;                              /* column of pair memory with the last step's impulses */
  int32_t held;                                 /* that of what keeps pairs contacts at any distance, -1: none */
  int32_t part[CONTACT_PARTS];                  /* columns of features, 0: none; part[0] -1: all are round */
  int32_t further[MEMORY_LIMIT][CONTACT_PARTS]; /* of a column of the first part: those of the others */
  int32_t count;
  contact_law law[LAWS_MOST];
} contact_laws;

/* What assembly reads. */
typedef struct contact_source {
  environment *env;
  arena *scratch;
  const particles *table;
  const bodies *obstacles; /* shapes at pose next */
  const neighbors *near;
  const domain *box;
  const double *reach; /* [particle count] */
  double time_step;
  const rigid_assemblies *assemblies; /* pairs within one are no contacts */
  const pair_sweep *sweep;            /* stands for reach where it is given */
  const double
      *frozen; /* [particle], not 0: of infinite mass; two such, or one and a wall, are no contact. NULL: none */
  const grain_cores *cores; /* of grains that are not round, where there are any; else NULL */
  int64_t patch_particles;  /* as for patches_find() */
} contact_source;

static inline bool contact_is_frozen(const contact_source *source, int64_t i)
{
  return source->frozen && source->frozen[i] != 0.0;
}

/* The problem and, beside each contact, where it came from. All columns live in scratch memory. */
typedef struct contact_set {
  contact_problem problem; /* inverse_mass and free_velocity are for the caller to fill in */
  int64_t count;
  int32_t *first, *second; /* as in the problem */
  double *normal[3];
  double *distance;
  double *image_rate; /* along the normal: what the image of `second` that is met moves besides `second`; NULL: 0 */
  double *lower;
  double *gamma;      /* before the step; `lower` itself where the bound is gamma */
  double *factor;     /* R of Remark 3.2; NULL: 1 */
  double *least;      /* gamma_min of each contact; NULL: the law's */
  double *impulse;    /* first guess, then the solution */
  double *tangent[3]; /* impulse of friction on `second`, first guess, then the solution; NULL: there is none */
  double *moment[3];  /* likewise the moment on `second`, in the plane [2] alone */
  /* What laws fill in, as in contact_problem; NULL: 0 for all. */
  double *friction, *surface_velocity[3], *rolling, *twisting, *surface_spin[3];
  double **host_memory; /* [law][LAW_MEMORY] what laws of the host remember */
  int32_t *entry;       /* entry of the pair list, or -1 - entry of the wall list */
  int32_t *shape;       /* shape of a wall contact, -1 for pairs */
  /* Of grains that are not round; NULL: there are none. From the centres to the contact: in the middle of a pair's
   * gap, on the particle's side of a wall's. */
  double *arm_first[3], *arm_second[3]; /* in the plane two */
  int32_t *feature; /* (of the particle with the lesser id) * CONVEX_FEATURES + (of the other, or of the shape) */
  int32_t *part;    /* which of the pair's memories, -1: none */
  int64_t left_out; /* the farthest of pairs that have more than CONVEX_ROWS */
} contact_set;

/* The point of a body that a contact with it is about. */
static inline void contact_wall_point(const contact_source *source, const contact_set *set, int64_t a,
                                      double point[3])
{
  const int64_t i = set->first[a];
  double *const *column = source->table->column;
  const double reach = column[COLUMN_radius][i] + set->distance[a];
  for (int axis = 0; axis < 3; axis++) {
    const double normal = set->normal[axis] ? set->normal[axis][a] : 0.0;
    const double arm = set->feature && set->normal[axis] ? set->arm_first[axis][a] : 0.0;
    point[axis] = column[COLUMN_x + axis][i] + (set->feature ? arm + normal * set->distance[a] : normal * reach);
  }
}

/* The number of every contact, where the quantity comes by pairs of materials; else nothing. May call the host. */
floc_status contacts_by_pair(const contact_source *source, const contact_laws *laws, const contact_set *set,
                             int32_t quantity, double *column);

/* Contacts: pairs with distance <= reach_i + reach_j, walls with distance <= reach_i (with a sweep: pairs that may
 * touch, walls within wall_reach), and whatever is glued. FLOC_OVERLAPPING if two centres coincide, with both ids.
 */
floc_status contacts_assemble(const contact_source *source, const contact_laws *laws, contact_set *set);

/* Columns that every set of contacts has. */
bool contacts_allocate_columns(const contact_source *source, contact_set *set, size_t capacity);
/* Where source->cores is there: contacts by circles about the particles become those of their shapes. */
floc_status contacts_find_features(const contact_source *source, const contact_laws *laws, contact_set *set);

/* Copies what contacts_carry_over() reads of a set to the end of scratch memory, where arena_return(mark) leaves it
 * until arena_release(); or, where there is no space, into memory of its own. Then *set is in that. */
floc_status contacts_keep(arena *scratch, arena_mark mark, contact_set *set, void **kept, size_t *capacity);
/* Impulses of an earlier set of the same step become the first guess of this one. */
void contacts_carry_over(const environment *env, const contact_set *before, const contact_laws *laws,
                         contact_set *set);

/* Whether a pair or wall that entered only because reach was raised since the set was assembled would overlap
 * by more than the margin after a step with these velocities (spin: of grains that are not round).
 */
bool contacts_are_missed(const contact_source *source, const contact_laws *laws, const double *reach_before,
                         double *const velocity[3], double *const spin[3], double margin);

/* Lists were made since the set was assembled, with particles in their slots: entries of its contacts there. False:
 * some have none. */
bool contacts_find_entries(const contact_source *source, contact_set *set);

/* Each law's part of assembly: bounds, limits, first guesses. */
floc_status contacts_fill(const contact_source *source, const contact_laws *laws, contact_set *set);
/* What laws need of a solution before anything changes; may call the host, and fail. */
floc_status contacts_settle(const contact_source *source, const contact_laws *laws, contact_set *set);
/* Writes impulses, and what laws remember of the solution, into pair memory; what is not in the set gets 0. */
void contacts_remember(const contact_source *source, const contact_laws *laws, contact_set *set);

#endif
