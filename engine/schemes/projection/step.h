/*
 * What the files of the projection scheme share.
 *   projection.c          the step, its reach
 *   projection/commit.c   checks, commit
 *   projection/create.c   options, memory of pairs, columns
 *   projection/blocks.c     the same with friction, rotation and rigid assemblies
 *   projection/free.c     free bodies
 *   projection/touch.c    their contacts with each other and with other bodies
 *   projection/joint_step.c, joint_contacts.c   joints, and contacts around them
 *   projection/spin.c     angular velocities: what acts on them before contacts
 *   projection/again.c    further passes, with contacts found again
 *   projection/rebound.c  restitution
 *   projection/ledger.c   the work of every part, where an account is kept
 *   projection/sweep.c    steps in which a crowd goes many radii
 *   projection/growth.c   particles that grow
 */
#ifndef FLOC_SCHEMES_PROJECTION_STEP_H
#define FLOC_SCHEMES_PROJECTION_STEP_H

#include "contacts/assembly/assembly.h"
#include "geometry/free_body.h"
#include "particles/affine.h"
#include "schemes/scheme.h"

#include <math.h>

/* What a contact of two bodies remembers: body, number of the shape within it and feature of both, as numbers. */
enum { TOUCH_KEY = 6 };
typedef struct touch_memory {
  double key[TOUCH_KEY];
  double impulse;
  double tangent[3]; /* in the plane [0] alone, along the normal turned to the left; in space a vector */
} touch_memory;

/* A contact of a free body with another body. */
typedef struct body_touch {
  int32_t body[2]; /* the first is free */
  bool other_free; /* the second, too */
  double distance;
  double normal[3];   /* from the first to the second */
  double arm[2][3];   /* as the problem has them */
  double place[2][3]; /* where forces act on either */
  double friction, surface[3];
  double impulse, tangent[3]; /* on the second; as those of touch_memory */
  touch_memory was;
} body_touch;

/* Those of a step; rows stand in projection.touching. */
typedef struct body_touches {
  int64_t count;
  touch_memory *before; /* of the attempt before, by keys */
  int64_t before_count;
  bool displaced; /* they are looked for where a solution leads, not where bodies are */
  bool joined;    /* the problem has them behind its own contacts, with these columns of the answer */
  double *impulse, *tangent[3], *moment[3];
  contact_problem alone;
} body_touches;

typedef struct projection {
  int32_t dimension;
  floc_projection_options options; /* of quantities by pairs of materials: 1, for "above 0" */
  material_table pairs[PAIR_QUANTITIES];
  contact_laws laws;
  gluey_law gluey;  /* laws.gluey points here */
  bool turns;       /* free particles have angular velocities */
  double *start[4]; /* by slot: positions at the start of the last step; [3] is space for a new order */
  size_t start_capacity[4];
  int64_t start_count;   /* 0: not known */
  bool torques_shown;    /* the columns tx ty tz may be other than 0 */
  body_touch *touching;  /* of the step that is under way */
  touch_memory *touched; /* of the last one, by key: state */
  int64_t touched_count;
  size_t touching_capacity, touched_capacity;
  body_forms forms;     /* of bodies that are convex meshes */
  double *touched_rows; /* what a section holds of `touched` */
  size_t touched_rows_capacity;
  double *staging; /* numbers of pairs of materials, for checkpoints */
  size_t staging_capacity;
  void *kept; /* impulses of an attempt, for the next one in the same step */
  size_t kept_capacity;
  bool warned_of_tolerance;
} projection;

/* Scratch of a step in which bodies turn: columns of contact_problem and contact_answer by body. Without assemblies
 * a body is a particle, and masses and velocities are the step's own columns. */
typedef struct block_step {
  int64_t count; /* of bodies: particles, and behind them, where one is free, all others (projection/free.c) */
  int32_t *body; /* [particle] its body; NULL: itself */
  bool tensors;  /* inverse_inertia has six numbers of each */
  double *arm;   /* [particle][3] from the body's centre to the particle's; NULL: 0 */
  double *inverse_mass, *inverse_inertia;
  double *free_velocity[3], *free_spin[3];
  double *velocity[3], *spin[3];
  double *momentum;       /* [assembly][3] in space: angular momentum before contacts */
  double *grain_momentum; /* [particle][3] likewise, of those that are not round; NULL: all are, or in the plane */
} block_step;

/* Free bodies in a step. */
typedef struct free_step {
  free_velocity *before; /* [body] velocities before contacts; NULL: none is free */
  free_push *push;       /* [body] what acted besides; NULL: no account of energy is kept */
  bool raised;           /* the reach of one was raised after the last solve */
} free_step;

enum { GROWN_COLUMNS = 4 };

/* Scratch of one step. */
typedef struct projection_step {
  projection *method;
  step_context *context;
  double *reach, *reach_before; /* [particle]; of the attempt before */
  bool moves_in_common;         /* `common` is subtracted from velocities */
  affine_field common;
  bool sweeps;           /* a crowd goes far: `sweep` says what to look for */
  bool lists_are_of_now; /* neighbors were updated in this step */
  pair_sweep sweep;
  double *way[3], *deviation, *wall_reach, *turning; /* the columns of `sweep` */
  const double
      *frozen; /* particles_frozen(): of infinite mass in the contact problem, and nothing else acts on them */
  double *inverse_mass;
  double *free_velocity[3]; /* of an assembly's member: its way in the step if nothing touched, over h */
  double *velocity[3];      /* likewise */
  contact_set contacts;
  arena_mark assembling; /* where the scratch of an attempt begins */
  double tolerance;
  double aim;             /* that small islands with friction are solved to; 0: the tolerance */
  double settled;         /* contact_options */
  int32_t tolerance_rule; /* floc_tolerance_rule */
  contact_report solved;
  unsolved_contacts unsolved;
  int failures; /* solves of this step that were not met: each leaves the next ones a quarter of the products */
  double *const *start; /* [3] the method's, to be filled: positions before the step */
  /* Angular velocities by slot and what laws, flow and rays change of them before contacts; NULL: nothing turns, or
   * nothing changes. An assembly's members have its angular velocity, and their changes are those of alone. */
  const double *spin[3];
  double *turn[3];
  bool *held;           /* members of assemblies; NULL: there are none, or turn is NULL */
  double law_stress[9]; /* in a box that deforms: laws_moment.virial */
  bool has_blocks;      /* friction, moments, assemblies or grains that are not round: `blocks` is used */
  bool has_shapes;      /* grains that are not round: `cores` are theirs */
  grain_cores cores;
  block_step blocks;
  free_step free;
  body_touches touch;
  double *ungrown[GROWN_COLUMNS]; /* radius, mass, rounding, inertia before the step, where particles grow */
  struct joint_step *joints;      /* joint_step.h; NULL: there are none */
} projection_step;

/* A step; state is a projection. */
floc_status projection_advance(void *state, step_context *context);

/* Space for positions at the start. */
floc_status projection_reserve_start(environment *env, projection *method, int64_t count);
/* Checks the solution, then moves the world on. On failure nothing has changed. */
floc_status projection_commit(projection_step *step);

/* Columns of angular velocities of particles by axis, NULL where there are none. */
static inline void projection_spins(const particles *table, double *spin[3])
{
  for (int axis = 0; axis < 3; axis++) spin[axis] = particles_optional(table, OPTIONAL_wx + axis);
}

/* The length of a particle's. */
static inline double projection_spin_length(double *const spin[3], int64_t i)
{
  if (!spin[0]) return spin[2][i] < 0.0 ? -spin[2][i] : spin[2][i];
  return sqrt(spin[0][i] * spin[0][i] + spin[1][i] * spin[1][i] + spin[2][i] * spin[2][i]);
}

/* Fills spin and turn, if anything changes angular velocities. */
floc_status spin_prepare(projection_step *step);
/* Torques on particles become changes of their angular velocities. */
void spin_add_torques(projection_step *step, double *const torque[3]);
/* They are the columns tx ty tz; NULL: 0. */
void spin_show_torques(projection_step *step, double *const torque[3]);
/* Orientations of these particles, none of an assembly, turn by the angular velocities in the table. */
void spin_turn_orientation(const projection_step *step, int64_t begin, int64_t end);
/* After a step without blocks: particles rotate freely. Returns the energy of rotation. */
double spin_commit(projection_step *step);
/* Inertia over m r^2. */
static inline double spin_inertia_factor(const projection_step *step, int64_t i)
{
  return particles_inertia_factor(step->context->table, step->context->obstacles->dimension, i);
}

/* Do contacts resist rolling or twisting? */
static inline bool projection_has_moments(const floc_projection_options *options)
{
  return options->rolling > 0.0 || options->twisting > 0.0;
}

/* Does the step need blocks? */
bool block_step_is_needed(const projection_step *step);
/* Bodies and their a priori velocities, from the particles' V*; members' a priori velocities become their
 * displacements. */
floc_status block_step_prepare(projection_step *step);
/* What the assembled problem gets beside its contacts along normals, in scratch memory. */
floc_status block_step_fill(projection_step *step);
/* Members' displacements from the solution. */
void block_step_take(projection_step *step);
/* After the particles have moved: angular velocities, assemblies and their members. Returns the kinetic energy. */
double block_step_commit(projection_step *step);

void block_set_inverse_inertia(projection_step *step, int64_t own, const double tensor[6]);

/* Looks for free bodies, and gives them a reach by their velocities. */
floc_status free_begin(projection_step *step);
/* Their part of the columns of bodies. */
floc_status free_prepare(projection_step *step);
/* The number of a body in the problem. */
int64_t free_number(const projection_step *step, int32_t number);
/* The free body of a contact, -1: none. */
int32_t free_body_of_contact(const projection_step *step, int64_t a);
/* Reach that allows the velocities of the solution, or before it those without contacts; whether it was too short.
 */
bool free_follow(projection_step *step, bool solved);
/* Velocity of what a body turns about and its mean angular velocity, from columns of the problem. */
void free_read(const projection_step *step, int32_t number, double *const velocity[3], double *const spins[3],
               double linear[3], double spin[3]);
/* The other way round. */
void free_write(const projection_step *step, int32_t number, const double linear[3], const double spin[3],
                double *const velocity[3], double *const spins[3]);
/* From what the body turns about to the point of contact, and what the problem has in its place. */
void free_contact_arm(const projection_step *step, int64_t a, int32_t number, double arm[3]);
void free_solver_arm(const projection_step *step, int64_t a, int32_t number, double arm[3]);
/* The velocity of the body's point of contact. */
void free_point_velocity(const projection_step *step, int64_t a, int32_t number, const double linear[3],
                         const double spin[3], double velocity[3]);
/* Of the solution, along the contact's normal. */
double free_closing(const projection_step *step, int64_t a, int32_t number);
/* Poses after the step, checked; shapes stand there. */
floc_status free_go(projection_step *step);
/* Commits all bodies; velocities of free ones, and their kinetic energy. */
double free_arrive(projection_step *step);

/* Is the step solved again from contacts as they are where it leads? */
bool again_is_wanted(const projection_step *step);
floc_status again_check(const projection_step *step);
/* follow: brings reach and lists in line with the solution; raised: they were too short. */
floc_status again_solve(projection_step *step, floc_status (*solve)(projection_step *),
                        floc_status (*follow)(projection_step *, bool *raised));

/* The arm whose cross product with a spin is the velocity of a guided body along its free axes. */
void free_guide(const body *one, int32_t dimension, double guide[3]);

/* Are contacts between bodies solved here? If not, bodies that would touch are refused by name. */
bool touch_is_known(const projection_step *step);
/* Rows for the present reach, with the first guess. */
floc_status touch_find(projection_step *step);
/* They join the filled problem, which is in scratch memory; and leave it, with the solution. */
floc_status touch_join(projection_step *step);
void touch_part(projection_step *step);
/* Rows were found where the present velocities lead: D1 becomes D1 - h G V. */
void touch_shift(projection_step *step);
/* Do the present velocities keep all apart? Counts those that act. */
bool touch_holds(const projection_step *step, int64_t *active);
/* The greatest overlap after the step, over the size of the smaller free body. */
floc_status touch_check(const projection_step *step, double *greatest);
floc_status touch_check_others(const projection_step *step);
void touch_push_bodies(const projection_step *step);
floc_status touch_remember(projection_step *step);
floc_status touch_sections(projection *method, section_list *list);
floc_status touch_restore(environment *env, projection *method, const section_list *list);
/* Joints as rows, where there are any; V* is there. */
floc_status joint_step_begin(projection_step *step);
/* In place of contact_solve(), where there are any. */
floc_status joint_contacts_solve(projection_step *step, const contact_options *options,
                                 const contact_answer *answer);
/* V* without joints again, for another solution. */
void joint_contacts_forget(projection_step *step);
/* Their reactions, coordinates and impulses, where the step succeeded. */
void joint_step_commit(projection_step *step);

/* Of what was solved, before the world changes: into context->work. */
floc_status projection_add_works(projection_step *step);

/* The square of a particle's speed, relative to the common motion if there is one. */
static inline double projection_relative_square(const projection_step *step, double *const velocity[3], int64_t i,
                                                const int dimension)
{
  double *const *position = &step->context->table->column[COLUMN_x];
  double square = 0.0;
  for (int a = 0; a < dimension; a++) {
    double relative = velocity[a][i];
    if (step->moves_in_common) {
      relative -= step->common.value[a];
      for (int b = 0; b < dimension; b++)
        relative -= step->common.gradient[a][b] * (position[b][i] - step->common.center[b]);
    }
    square += relative * relative;
  }
  return square;
}

/* What assembly reads. */
static inline contact_source projection_source(const projection_step *step)
{
  step_context *context = step->context;
  return (contact_source){context->env,
                          context->scratch,
                          context->table,
                          context->obstacles,
                          context->near,
                          context->box,
                          step->reach,
                          context->time_step,
                          context->assemblies,
                          step->sweeps ? &step->sweep : NULL,
                          step->frozen,
                          step->has_shapes ? &step->cores : NULL,
                          context->patch_particles};
}

/* What spins add to the normal velocity of a contact, where grains are not round. */
static inline double projection_turning_rate(const contact_set *set, int64_t a, double *const spin[3])
{
  double rate = 0.0;
  for (int side = 0; side < 2 && set->feature && spin[2]; side++) {
    const int32_t turned = side == 0 ? set->first[a] : set->second[a];
    double *const *arm = side == 0 ? set->arm_first : set->arm_second;
    if (turned < 0) continue;
    for (int axis = spin[0] ? 0 : 2; axis < 3; axis++) {
      const int b = (axis + 1) % 3, c = (axis + 2) % 3;
      const double turning = arm[b][a] * set->normal[c][a] - arm[c][a] * set->normal[b][a];
      rate += (side == 0 ? -1.0 : 1.0) * spin[axis][turned] * turning;
    }
  }
  return rate;
}

/* D + h G.V of a contact: by convexity at most the true distance after the step. */
static inline double projection_distance_after(const projection_step *step, int64_t a)
{
  const contact_set *set = &step->contacts;
  double rate = 0.0;
  for (int axis = 0; axis < set->problem.dimension; axis++) {
    double relative = -step->velocity[axis][set->first[a]];
    if (set->second[a] >= 0) relative += step->velocity[axis][set->second[a]];
    rate += set->normal[axis][a] * relative;
  }
  const int32_t free = free_body_of_contact(step, a);
  if (free >= 0) rate += free_closing(step, a, free);
  if (set->feature) rate += projection_turning_rate(set, a, step->blocks.spin);
  if (set->image_rate) rate += set->image_rate[a];
  return set->distance[a] + set->problem.time_step * rate;
}

/* Gives particles the sizes and masses that they have at the end of the step. FLOC_INVALID_ARGUMENT: one would have
 * none. growth_revert() takes it back, whatever came of it. */
floc_status growth_begin(projection_step *step);
void growth_revert(projection_step *step);

/* Would lists by search radius be longer than lists that are rebuilt in every step? */
bool sweep_is_needed(const projection_step *step);
/* Ways from the present velocities, and the least deviations. unsure: what the tolerance lets a particle go. */
floc_status sweep_begin(projection_step *step, double unsure);
/* Ways and deviations for these velocities (spin: about z, read where grains are not round), where those that are
 * there do not allow them; a deviation gets no longer than `most` radii. Returns whether any was changed. */
bool sweep_raise(projection_step *step, double *const velocity[3], double *const spin[3], double most);
/* Reach from ways and deviations; the lists. */
floc_status sweep_update_neighbors(projection_step *step);
/* Pairs that are not in the problem although their linear constraints forbid the ways that they are expected to go.
 */
int64_t sweep_left_out(const projection_step *step);

/* Contacts that hit in the step get a distance from which they leave as restitution wants. rebounds: which they
 * are; NULL: there are none, nothing has changed. */
floc_status rebound_prepare(projection_step *step, bool **rebounds);

#endif
