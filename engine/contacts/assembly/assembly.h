/*
 * From neighbour lists to a contact problem: which pairs can touch in the coming step, how far they are,
 * along which direction, and which bound their impulse has.
 *
 * Contact laws differ only in the bound (MODELS, sections 1 and 2): inelastic lo = 0; gluey lo = gamma/R,
 * and after the solve gamma <- gamma - R p, clamped to [gamma_min, 0] (gluey.h).
 */
#ifndef FLOC_CONTACTS_ASSEMBLY_ASSEMBLY_H
#define FLOC_CONTACTS_ASSEMBLY_ASSEMBLY_H

#include "base/arena.h"
#include "contacts/assembly/gluey.h"
#include "contacts/problem/problem.h"
#include "geometry/rigid.h"
#include "neighbors/neighbors.h"

typedef struct contact_law {
  int32_t kind;     /* floc_contact_law */
  double gamma_min; /* gluey */
  int32_t gamma;    /* index of the pair memory column, -1 for inelastic */
  int32_t impulse;  /* index of the pair memory column with the last step's impulses */
  bool warm_start;
  double friction;    /* Coulomb's coefficient */
  int32_t tangent[3]; /* pair memory of the impulse of friction: on the particle with the higher id, or on the
                         body; not read where friction is 0 */
  bool moments;       /* contacts resist rolling or twisting */
  int32_t moment[3];  /* likewise the moment; read only then, in the plane [2] alone */
  gluey_law *gluey;   /* what else the gluey law has, NULL for inelastic */
} contact_law;

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
} contact_source;

/* The problem and, beside each contact, where it came from. All columns live in scratch memory. */
typedef struct contact_set {
  contact_problem problem; /* inverse_mass and free_velocity are for the caller to fill in */
  int64_t count;
  int32_t *first, *second; /* as in the problem */
  double *normal[3];
  double *distance;
  double *lower;
  double *gamma;      /* before the step; `lower` itself where the bound is gamma */
  double *factor;     /* R of Remark 3.2; NULL: 1 */
  double *least;      /* gamma_min of each contact; NULL: the law's */
  double *impulse;    /* first guess, then the solution */
  double *tangent[3]; /* friction > 0: impulse of friction on `second`, first guess, then the solution; else NULL */
  double *moment[3];  /* likewise the moment on `second`, in the plane [2] alone; NULL: contacts have none */
  int64_t *entry;     /* entry of the pair list, or -1 - entry of the wall list */
  int32_t *shape;     /* shape of a wall contact, -1 for pairs */
} contact_set;

/* Contacts: pairs with distance <= reach_i + reach_j, walls with distance <= reach_i (with a sweep: pairs that may
 * touch, walls within wall_reach), and whatever is glued. FLOC_OVERLAPPING if two centres coincide, with both ids.
 */
floc_status contacts_assemble(const contact_source *source, const contact_law *law, contact_set *set);

/* Impulses of an earlier set of the same step become the first guess of this one. */
void contacts_carry_over(const environment *env, const contact_set *before, const contact_law *law,
                         contact_set *set);

/* Whether a pair or wall that entered only because reach was raised since the set was assembled would overlap
 * after a step with these velocities. The neighbour lists must still be those of the set. */
bool contacts_are_missed(const contact_source *source, const contact_law *law, const double *reach_before,
                         double *const velocity[3]);

/* Finds the least gamma of each contact where it is not one number for all. May call the host. */
floc_status contacts_find_thresholds(const contact_source *source, const contact_law *law, contact_set *set);

/* Writes impulses and gammas of the solution into pair memory; what is not in the set gets 0. */
void contacts_remember(const contact_set *set, const contact_law *law, const particles *table, neighbors *near);

#endif
