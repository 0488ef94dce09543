/*
 * What a time-stepping scheme gets and gives. A scheme's step is a list of stages; it owns its state,
 * lists it for checkpoints, and leaves the world as it was when a step fails.
 */
#ifndef FLOC_SCHEMES_SCHEME_H
#define FLOC_SCHEMES_SCHEME_H

#include "base/arena.h"
#include "base/section.h"
#include "contacts/problem/problem_file.h"
#include "geometry/bodies.h"
#include "geometry/rigid.h"
#include "laws/laws.h"
#include "neighbors/neighbors.h"
#include "particles/particles.h"
#include "ranks/ranks.h"
#include "schemes/aggregation/merge_log.h"
#include "schemes/energy_ledger.h"

typedef enum step_stage {
  STAGE_BODIES = 0, /* poses at the end of the step */
  STAGE_NEIGHBORS,
  STAGE_LAWS,     /* fields, pair laws, a priori velocity */
  STAGE_CONTACTS, /* assembly of the contact problem */
  STAGE_SOLVE,
  STAGE_POSITIONS, /* positions, pair memory, forces on bodies */
  STAGE_RAYS,
  STAGE_OTHER
} step_stage;

typedef struct step_context {
  environment *env;
  arena *scratch; /* empty at the start of a step */
  particles *table;
  bodies *obstacles;
  rigid_assemblies *assemblies;
  neighbors *near;
  laws *forces;
  const domain *box;
  const domain *next_box;   /* at the end of the step, where it moves; NULL: as it is now */
  double contact_stress[9]; /* in a box that deforms: sum of force times branch over contacts in the step */
  double gravity[3];
  double time;      /* at the start of the step */
  double time_step; /* the world's; a scheme that chooses its own writes here how far it went */
  int64_t step;     /* steps done before this one */
  uint64_t seed;
  int64_t patch_particles; /* the world's option */
  /* Adds forces and torques (about the centres) that come from elsewhere (rays), as means over time .. time +
   * time_step, to columns in storage order; may be called again for another time step. Returns whether
   * anything acts; with force NULL that is all it does. NULL: there are none. */
  bool (*external_force)(const void *external_context, const particles *table, double time, double time_step,
                         double *const force[3], double *const torque[3]);
  const void *external_context;
  /* Keeps the contact problem and the first guess of its impulses as they are about to be solved; NULL: no caller
   * wants them. */
  floc_status (*record_problem)(void *record_context, recorded_problem *problem);
  void *record_context;
  double clock;             /* for stage_done(): when the last stage ended, 0 at the start [s] */
  floc_step_report *report; /* the scheme fills what it knows of the last step */
  double *work;      /* [LEDGER_PARTS], 0: a step that succeeds adds what each part did; NULL: no account is kept */
  merge_log *merges; /* a scheme that notes_merges adds a row for each; NULL: they are not wanted */
  bool has_newcomers; /* particles or bodies came since the last step: they may overlap however they like */
  const struct step_ranks *ranks; /* the table is one rank's cut; NULL: it is whole */
} step_context;

/* What a step over several ranks needs. Ghosts are in the table, marked there. Every rank calls agree() once in a
 * step, when all that can fail is done or something has failed, and share() once behind it if all agreed. */
typedef struct step_ranks {
  /* FLOC_OK if all ranks have it, else what the first one has that failed. */
  floc_status (*agree)(void *context, floc_status status);
  /* Rows of ghosts become what their owners have there; rows: [particles][numbers]. */
  floc_status (*share)(void *context, double *rows, int32_t numbers);
  void *context;
} step_ranks;

/* What an entry of the list of walls did to a body in the last step. */
typedef struct wall_touch {
  int64_t place; /* of the particle, in the whole; filled by the world */
  int32_t slot, shape;
  double force[3], torque[3]; /* of the particle on the body, with the opposite sign */
} wall_touch;

/* A scheme that makes steps over several ranks. */
typedef struct scheme_over_ranks {
  int32_t numbers; /* for each particle beside the columns */
  /* What is set that is not done over ranks; NULL: all is. */
  const char *(*refuses)(const void *state);
  /* [count][numbers]; NULL: they are not known, and the next step is made by every rank for all particles. */
  double *(*rows)(void *state, int64_t count);
  /* Space for others, which are filled by the caller if they are known. Slots have other particles from now on. */
  floc_status (*make_rows)(void *state, int64_t count, bool known, double **rows);
  /* How far forces reach from surface to surface, where no radius is greater. */
  double (*range)(const void *state, const laws *forces, double radius);
  /* Where a particle will be when forces are found in the step that begins; prepared for all before. */
  floc_status (*prepare_next)(void *state, step_context *context);
  void (*place_next)(const void *state, const step_context *context, int64_t slot, double position[3]);
  /* The whole is cut: what is counted from now on is one rank's part; and all ranks get what they have found out
   * since, before the table is whole again. A rank's own failure is agreed upon by the caller. */
  void (*part)(void *state);
  floc_status (*join)(void *state, const floc_ranks *ranks);
  wall_touch *(*touches)(void *state, int64_t *count);
  /* Contacts of the last step, with particles (whose first is owned) and walls. */
  void (*count)(const void *state, int64_t contacts[2]);
  /* The table is whole again, and these are all its contacts; returns the kinetic energy of the report. */
  double (*finish)(void *state, const particles *table, const int64_t contacts[2]);
} scheme_over_ranks;

/* Adds the wall time since the last call to a stage's account; the first call of a step starts the clock
 * with STAGE_OTHER. */
void stage_done(step_context *context, step_stage stage);

static const double HARD_OVERLAP_LIMIT = 0.1, SOFT_OVERLAP_LIMIT = 0.5;

/* Energies that a scheme's own forces between pairs store. */
typedef struct stored_energies {
  double contact;    /* in overlaps of pairs and walls */
  double friction;   /* in tangential springs */
  double bond;       /* in stretched bonds */
  double near_field; /* of forces at a distance */
} stored_energies;

/* Forces that somebody looks at: of the scheme and of laws between pairs (no columns: they are not wanted), and all
 * but gravity on every particle ([0] NULL: they are not wanted). */
enum { SHOWN_FORCES = 6 }; /* three forces, then three torques */
typedef struct observed_forces {
  pair_forces own, laws;
  double *on_particle[SHOWN_FORCES];
} observed_forces;
/* Zeros for all entries of the lists. */
floc_status pair_forces_make(arena *scratch, const neighbors *near, int32_t dimension, pair_forces *made);

/* What soft contacts exert in the present state, entry by entry of a list (0: pairs, 1: walls), in blocks: for
 * those who want them once, and need no columns of all entries. 0 where nothing acts. */
enum { LOOK_BLOCK = 128 };
typedef struct look_block {
  bool turns;                                                                  /* moments are there */
  double normal[LOOK_BLOCK], tangential[3][LOOK_BLOCK], moment[3][LOOK_BLOCK]; /* as in pair_forces */
} look_block;
typedef void (*look_function)(const void *look, int which, int64_t begin, int32_t count, look_block *to);

/* Above it contacts may gain energy from step to step; infinite where nothing limits it. */
typedef struct critical_step {
  double time_step;
  int64_t id; /* of the particle that limits it, 0: none */
} critical_step;

typedef struct scheme scheme;
struct scheme {
  const char *name;
  const char *shown; /* the name that scripts use; the same for most */
  void *state;
  bool turns;         /* particles have angular velocities, columns OPTIONAL_wx.. by axis, in the plane wz alone */
  bool orients;       /* where they turn, orientations follow (schemes/orientation.h) */
  bool takes_inertia; /* the column inertia acts: without it particles turn as uniform discs or balls */
  double overlap_limit;       /* of new particles, in radii of the smaller one; infinite: none */
  bool exerts_contacts;       /* what touches is pressed: contacts have impulses */
  bool weighs_alike;          /* ... as if all masses were 1, so that they are no forces */
  bool laws_at_end;           /* a step evaluates the laws last where it ends */
  bool freezes;               /* particles with the attribute frozen keep their velocity */
  bool notes_merges;          /* its links are merges of clusters, which go into context->merges at their times */
  const char *no_ledger;      /* why it does not know the work of its parts as it is set; NULL: it does */
  const char *no_free_bodies; /* why it does not move free bodies as it is set, where FREE_BODIES is among its
                                 features; NULL: it does */
  bool ledger_of_bodies;      /* in the plane it knows the works of free bodies and joints, too */
  bool grows;                 /* radii follow the columns radius_rate and rounding_rate */
  /* NULL where all that is set acts in a box that deforms (DEFORMATION among the features), else what does not. */
  const char *(*not_in_cell)(const void *state);
  const scheme_over_ranks *over_ranks; /* NULL: steps are made by one rank alone */
  bool sorts_by_step;  /* storage order may depend on nothing but the step and where particles are */
  bool has_near_field; /* forces of its own between particles at a distance, which observe() shows on particles
                          alone */
  /* One step. Positions, velocities and bodies change only if it returns FLOC_OK. */
  floc_status (*step)(void *state, step_context *context);
  /* Lists state for checkpoints; may be NULL. */
  floc_status (*sections)(void *state, section_list *list);
  /* Takes state back; particle_count and shape_count are those of the world. May be NULL. */
  floc_status (*restore)(void *state, const section_list *list, int64_t particle_count, int32_t shape_count);
  /* Forces of the present state, of context->table, which has force columns of its own, with the lists
   * context->near, which are like those of energies(). again: see laws_view. Laws are evaluated always; what
   * contacts exert where wanted->own has columns, what acts on particles where wanted->on_particle has. NULL:
   * contacts have impulses in pair memory ("impulse"; friction's in "impulse_x", on the particle of the greater id
   * or on the body). */
  floc_status (*observe)(void *state, step_context *context, bool again, observed_forces *wanted);
  /* Prepares look_at() for the same state and lists, in the scratch memory. Both NULL where observe() is. */
  floc_status (*look)(void *state, step_context *context, const void **look);
  look_function look_at;
  /* Where particles were when those impulses acted, by slot, for the first `count` slots. NULL: where they are. */
  const double *const *(*contact_positions)(const void *state, int64_t *count);
  /* From a checkpoint; count 0: not known. */
  floc_status (*set_contact_positions)(void *state, environment *env, const double *const position[3],
                                       int64_t count);
  /* Energies of the present state, with lists that hold all pairs and walls within pair_range() of each other and
   * what these remember; NULL: contacts store none. */
  void (*energies)(const void *state, const particles *table, const bodies *obstacles, const domain *box,
                   const neighbors *near, stored_energies *energies);
  double (*pair_range)(const void *state, const particles *table);
  /* Of the present state, with lists as for energies(); time_step is the world's. NULL: any step will do. */
  floc_status (*critical)(const void *state, const particles *table, const bodies *obstacles, const domain *box,
                          const neighbors *near, double time_step, arena *scratch, critical_step *critical);
  /* Pairs of slots that the scheme holds together (links, bonds), for measures; may be NULL. */
  floc_status (*links)(void *state, const int32_t **first, const int32_t **second, int64_t *count);
  /* Storage was reordered: slot order[k] moved to k. May be NULL. */
  floc_status (*permute)(void *state, const particles *table, const int32_t *order);
  /* Particles are removed: new_slot as for particles_remove(), before that. Cannot fail. NULL: the scheme refuses.
   */
  void (*remove)(void *state, const particles *table, const int32_t *new_slot);
  /* Forces that are kept from one step to the next hold no more: a body was removed. NULL: none are kept. */
  void (*forget_forces)(void *state);
  void (*destroy)(void *state, environment *env);
  /* There will be grains that are not round (particles.h), from now on; self: this scheme. NULL: it knows none. */
  floc_status (*take_shapes)(void *state, scheme *self, neighbors *near, particles *table);
};

#endif
