/*
 * Forces as functions: pair laws, wall laws, fields, and attributes that change. A law is a kernel on blocks of
 * numbers (floc_kernel_function) with the names of its inputs and outputs; this module gathers the inputs, calls
 * the kernel, and adds the outputs to the force columns fx fy fz. Who wrote the kernel (a C function, a Lua
 * function, a traced program) makes no difference here.
 *
 *   laws.c                  registry, what others ask for
 *   law_input.c             names of inputs and outputs
 *   law_axes.c              axes of particles as inputs
 *   law_block.c             one block of a kernel: its call, its failures, the blocks that threads take
 *   pairs/law_pairs.c       pair laws
 *   pairs/law_pair_block.h  blocks of pairs, geometry; law_pair_wide.h: four pairs at a time
 *   pairs/law_pair_kernel.h what a block gives to its law and takes from it
 *   pairs/law_pair_extra.c  what pair laws give beyond forces along and across the line: vectors, torques, sums
 *   pairs/law_tiles.c       all pairs without a list
 *   bonds/bond_list.c       bonds: pairs or triples of particles by ids
 *   bonds/law_bonds.c       laws over bonds: what hosts and files read and write of them
 *   bonds/law_angles.c      laws of angles, over triples
 *   law_walls.c             wall laws
 *   law_fields.c            fields, evolution of attributes
 *   law_stages.c            sums and exchanges: attributes that laws add to, and the order of laws that follows
 *   long_range.c            gravity and charges, by a tree
 *   flow.c                  U, V* of the projection; law_bath.c: flow and noise for the other schemes
 *   law_state.c             parameters, programs, checkpoints
 *   law_record.c            what a law is given and gives, pair by pair, for the host
 *   law_between.c           forces between two, for stresses
 *   program/program.c       checks and compiles law programs; run.c runs them; print.c shows them
 *   program/fast.c          functions for fast_math
 *
 * Pair forces are added to the particles block by block, in an order that follows from the list and the number of
 * particles, so the sums do not depend on threads. What pairs remember is read from one set of columns of pair
 * memory and written to another; laws_finish() lets them change places when the step has succeeded, so that a step
 * may evaluate the laws more than once, or fail.
 */
#ifndef FLOC_LAWS_LAWS_H
#define FLOC_LAWS_LAWS_H

#include "base/arena.h"
#include "base/fields.h"
#include "neighbors/neighbors.h"

enum {
  LAW_BLOCK = 256,
  LAW_LIMIT = 64,
  LAW_INPUT_LIMIT = LIMIT_law_options_input_count,
  LAW_OUTPUT_LIMIT = LIMIT_law_options_output_count,
  LAW_MEMORY_LIMIT = LIMIT_law_options_memory_count,
  LAW_PARAMETER_LIMIT = LIMIT_law_options_parameter_count,
  LAW_ATTRIBUTE_LIMIT = LIMIT_law_options_attribute_count
};

typedef struct laws laws;

floc_status laws_create(environment *env, int32_t dimension, laws **all);
void laws_destroy(laws *all);
/* Before laws are added: pair laws that reach across this box act on all pairs, and need no list of them
 * (law_tiles.c). */
void laws_set_box(laws *all, const domain *box);
/* Before laws are added: whose shapes have attributes that wall laws read and change. */
void laws_set_bodies(laws *all, const bodies *obstacles);
/* Names are resolved against the table's attributes now; unknown ones are refused with the list of known names.
 * kind: floc_law_kind. near: where pairs' memory is declared. */
floc_status laws_add(laws *all, const particles *table, neighbors *near, int32_t kind,
                     const floc_law_options *options, int32_t *number);
floc_status laws_add_attraction(laws *all, const floc_attraction_options *options, int32_t *number);
floc_status laws_add_long_range(laws *all, const particles *table, const domain *box,
                                const floc_long_range_options *options, int32_t *number);
/* velocity: of the kind function. */
floc_status laws_set_flow(laws *all, const particles *table, const floc_flow_options *options,
                          const floc_law_options *velocity);
floc_status laws_set_noise(laws *all, const floc_noise_options *options);
/* V* by a function instead of laws_free_velocity's own sum; options NULL: back to it. */
floc_status laws_set_a_priori(laws *all, const particles *table, const floc_law_options *options);
/* Is a component of the force among its inputs? */
bool laws_a_priori_reads_forces(const laws *all);
/* Before a step: is there a law that reads a sum which none writes? */
floc_status laws_check(laws *all, const particles *table);
/* The first law that gives a torque, by name, or NULL. */
const char *laws_torque_name(const laws *all);
/* The first law that takes an axis of particles, by name, or NULL. */
const char *laws_axes_name(const laws *all);
/* Do laws with these options take one? */
bool laws_take_axes(int32_t kind, const floc_law_options *options);
/* What random numbers of laws are keyed by, with particles and the law: until the next call. */
void laws_set_randomness(laws *all, uint64_t seed, int64_t step);
/* How many laws there are, of any kind: the fingerprint that a resumed world must share. */
int32_t laws_count(const laws *all);
/* How many there are that exert forces. */
int32_t laws_force_count(const laws *all);
/* Over several ranks: what there is that needs more than a particle and its neighbours, as text[size]; false: there
 * is no such law. */
bool laws_refuse_ranks(const laws *all, char *text, size_t size);
/* Columns of attributes that pairs exchange, of which a ghost has not all pairs; how many. */
int32_t laws_exchanged(const laws *all, int32_t column[COLUMN_LIMIT]);
/* The table is one rank's cut: place[count] in the whole, of `whole` particles, by slot; sums of pairs are cut as
 * those of the whole are. place NULL: it is whole. */
floc_status laws_follow_cut(laws *all, const int64_t *place, int64_t count, int64_t whole);
/* Which kinds of laws there are. */
typedef struct laws_present {
  bool pair_laws, wall_laws, fields, attraction, evolution, flow, noise, a_priori;
} laws_present;
laws_present laws_find_present(const laws *all);
/* The first law that acts on all pairs without a list, by name, or NULL. */
const char *laws_everywhere_name(const laws *all);
/* The flow's name if it shears or rotates, or NULL. */
const char *laws_turning_flow(const laws *all);
/* What neighbors_update() must be asked for: the greatest range of all pair laws that need a list, and twice that
 * of wall laws, because the list of walls reaches half the range of pairs; 0 without any. */
double laws_range(const laws *all);
/* Is there nothing but pair laws? Then laws_moment.push needs no separate torque. */
bool laws_only_pairs(const laws *all);
/* Does any law look at positions, velocities or spins in the table, and not only at those of laws_moment.state? */
bool laws_read_table(const laws *all, const particles *table);
/* Does any law act across the line of centres, so that torques arise? */
bool laws_have_torque(const laws *all);
/* Does any law read the velocity of surfaces across the line of centres, to which spins add? */
bool laws_read_slip(const laws *all);

/* What pairs ask of a particle, in one place. */
typedef struct particle_state {
  double position[3]; /* may be a little outside a periodic box */
  double radius;
  double velocity[3], spin[3];
} particle_state;

/* Force and torque on a particle. */
typedef struct particle_push {
  double force[3], torque[3];
} particle_push;

/* Where and when laws are evaluated. */
typedef struct laws_moment {
  particles *table;
  const neighbors *near;
  bodies *obstacles; /* at pose next; NULL: there are none */
  const domain *box;
  double time, time_step;
  const double *spin[3]; /* angular velocities by slot; NULL: 0 */
  double *torque[3];     /* torques are added here; NULL: they are dropped */
  /* Particles by slot, the same as table and spin, if the caller has them so; NULL: copied from there. Then table
   * and spin may be of another moment unless laws_read_table(). */
  const particle_state *state;
  /* By slot: what all laws do is added here; NULL: it is only in the force columns and in torque. */
  particle_push *push;
  /* Where laws_settle_pushes(): push has not been begun, and is set to mass times this and what laws do. */
  const double *gravity;
  /* [9]; the sum over pairs and triples of force times branch is added here, row by row: the force on the second,
   * the way to it from the first. NULL: it is not wanted. Laws on all pairs are left out. */
  double *virial;
} laws_moment;

/* Do the laws complete force and torque particle by particle, so that they may also initialise them? */
bool laws_settle_pushes(const laws *all, const neighbors *near);
/* Sets the force columns to the sum of all laws at the present positions and velocities. */
floc_status laws_apply(laws *all, const laws_moment *at, arena *scratch);
/* Forces between pairs, per entry of the list of pairs [0] and of walls [1]: along the normal, > 0 apart, and
 * across it, on the second particle or on the body; and what turns that in addition, NULL: nothing. */
typedef struct pair_forces {
  double *normal[2], *tangential[2][3], *moment[2][3];
} pair_forces;

typedef struct laws_view {
  bool energies_only; /* laws that give none are left out */
  bool again; /* the last evaluation, that of the step's end, is repeated: from what pairs remembered then */
  const pair_forces *forces; /* what laws exert is added here; may be NULL */
} laws_view;
/* Between the two calls laws_apply() looks only: what pairs remember and what was exerted on bodies stay as they
 * are. Bodies have the velocities of the last step. */
void laws_observe(laws *all, const laws_view *view);
void laws_end_observation(laws *all);
/* Sums at the present state of what the laws give as energy, and of the potentials of attractions and long-range
 * forces; single laws' energies are then those of laws_get_energy. The force columns of at->table are written over:
 * it should be a copy with its own. */
typedef struct law_energies {
  double laws, attraction, long_range;
} law_energies;
floc_status laws_find_energies(laws *all, const laws_moment *at, bool again, arena *scratch,
                               law_energies *energies);

/* ---- law_between.c ---- */

/* Refuses laws whose forces are not between two particles, or a particle and a body, for `what`. Fields are none of
 * them. */
floc_status laws_check_between(const laws *all, const char *what);
/* The range of a list with all pairs between which forces act: that of laws_range(), bonds, and laws on all pairs.
 */
floc_status laws_between_range(laws *all, const particles *table, const domain *box, double *range);
/* Adds attractions, which laws_view.forces has not, to the forces along the normal by entry. */
void laws_add_attractions(const laws *all, const particles *table, const pair_list *pairs, const domain *box,
                          double time_step, double *normal);

/* ---- law_record.c ---- */

enum { LAW_RECORD_LIMIT = 64 };
/* Numbers of a law's pairs that are wanted, and where an evaluation puts them. */
typedef struct law_record {
  int32_t kind, number; /* of the law: FLOC_LAW_PAIR or FLOC_LAW_WALL */
  int32_t count;
  struct record_column {
    int32_t kind, number; /* record_kind; axis, memory, input or output */
  } column[LAW_RECORD_LIMIT];
  double *values[LAW_RECORD_LIMIT]; /* [entries] of those that are known during the evaluation alone */
  uint8_t *in_range;                /* [entries] */
  pair_forces forces;
  int32_t *row; /* [rows] entries in range, in the order of the list */
  int64_t rows;
} law_record;
/* From names (floc_law_get_pairs), which are refused with the list of those known. */
floc_status laws_record_resolve(const laws *all, environment *env, int32_t kind, int32_t number,
                                const char *const *names, int32_t count, law_record *record);
floc_status laws_record_make_room(const laws *all, law_record *record, const neighbors *near, arena *scratch);
/* Between the two calls an evaluation is of the record's law alone, and fills it. */
void laws_record_begin(laws *all, law_record *record);
void laws_record_end(laws *all);
/* Fills it from an evaluation of its own. The force columns of at->table are written over. */
floc_status laws_record_evaluate(laws *all, const laws_moment *at, bool again, law_record *record, arena *scratch);
/* Fills row and rows. */
floc_status laws_record_find_rows(const laws *all, law_record *record, const neighbors *near, arena *scratch);
/* Where the host wants numbers: row k of a column is k times stride bytes behind its first. */
typedef struct column_target {
  double *const *columns;
  size_t stride;
  int64_t capacity; /* rows */
} column_target;
static inline double *column_place(const column_target *to, int32_t column, int64_t row)
{
  return (double *)(void *)((char *)to->columns[column] + (size_t)row * to->stride);
}
/* In the order of the list, up to the target's capacity. */
void laws_record_gather(const laws *all, const law_record *record, const particles *table, const bodies *obstacles,
                        const neighbors *near, const column_target *to);

/* Does any law remember? */
bool laws_remember(const laws *all);
/* Adds what wall laws of the last laws_apply exerted on bodies to their force and torque. */
/* On one body, of the last evaluation; about its position. Zeros where there is none. */
void laws_force_on_body(const laws *all, int32_t number, double force[3], double torque[3]);
void laws_push_bodies(const laws *all, bodies *obstacles);
/* A step has ended: what pairs remember is taken over, or restored. True: bonds have broken, so that the laws'
 * energies are others than they gave. */
bool laws_finish(laws *all, neighbors *near, bool succeeded);

/* Rates of change of attributes at the start of a step, into the arena; laws_evolve() applies them at its end. */
typedef struct laws_rates laws_rates;
floc_status laws_find_rates(laws *all, particles *table, double time, double time_step, arena *scratch,
                            const laws_rates **rates);
void laws_evolve(const laws_rates *rates, particles *table, double time_step);

/* Do laws exchange attributes? Then the last evaluation's rates are applied at the step's end. */
bool laws_exchange(const laws *all);
void laws_forget_exchange(laws *all); /* no evaluation of this step has been yet */
void laws_apply_exchange(laws *all, particles *table, double time_step);
/* What wall laws gave to attributes of shapes in the last evaluation. */
void laws_apply_wear(laws *all, bodies *obstacles, double time_step);
/* Copies of the attributes that laws sum up, for a step that may fail; NULL: there are none. */
floc_status laws_keep_sums(const laws *all, const particles *table, arena *scratch, double **kept);
void laws_put_back_sums(const laws *all, particles *table, const double *kept);

/* A priori velocities V* at the end of the step, from the force columns, gravity, flow and noise
 * (Maury 2004, (3.8) and (4.3)). free_velocity: [particle count] each, [2] unused in 2-D. */
typedef struct free_velocity_input {
  double gravity[3];
  const domain *box; /* where it moves, flows are on top of its motion; NULL: it does not */
  double time, time_step;
  int64_t step;
  uint64_t seed;
  /* By slot, for particles that turn: what the flow or the host's function changes of the angular velocity spin is
   * added to turn. NULL on axes about which nothing turns. */
  const double *spin[3];
  double *turn[3];
  const bool *held;      /* members of assemblies, NULL: none (flow.c) */
  double inertia_factor; /* moment of inertia over m r^2 */
} free_velocity_input;
floc_status laws_free_velocity(laws *all, particles *table, const free_velocity_input *input,
                               double *const free_velocity[3], arena *scratch);
/* Is there a flow or a host's function that changes angular velocities? */
bool laws_turn_particles(const laws *all);

/* ---- law_bath.c ---- */

/* Flow and noise for schemes that advance forces by themselves: is there any? */
bool laws_have_bath(const laws *all);
/* They act alone for `duration`, on velocities and (if turns) angular velocities of `state`, by slot: the exact
 * solution of the Ornstein-Uhlenbeck process for the flow at the particle's place and `time`. */
typedef struct bath_moment {
  const domain *box; /* as it is in the middle of `duration`; where it moves, the flow is on top of its motion */
  double time, duration;
  int64_t step;
  uint64_t seed;
  uint64_t index; /* tells several in one step apart */
  bool turns;
  double inertia_factor; /* moment of inertia over m r^2 */
} bath_moment;
floc_status laws_bathe(laws *all, particles *table, const bath_moment *at, particle_state *state, arena *scratch);

/* ---- law_state.c ---- */

floc_status laws_set_parameter(laws *all, int32_t kind, int32_t number, const char *name, double value);
floc_status laws_get_parameter(laws *all, environment *env, int32_t kind, int32_t number, const char *name,
                               double *value);
floc_status laws_set_program(laws *all, int32_t kind, int32_t number, const floc_program_options *options);
floc_status laws_get_energy(laws *all, environment *env, int32_t kind, int32_t number, double *energy);
floc_status laws_text(laws *all, environment *env, int32_t kind, int32_t number, char *text, size_t size,
                      size_t *length);
/* Lists parameters (state) and programs (no state). The data live until the next call. */
floc_status laws_sections(laws *all, section_list *list);
/* Takes them over; programs are checked. Then, on failure, nothing has changed. */
floc_status laws_restore(laws *all, const particles *table, const section_list *list);

/* ---- bonds/law_bonds.c: see floc_law_add_bonds and the calls after it ---- */

floc_status laws_add_bonds(laws *all, const particles *table, int32_t kind, int32_t number, int64_t count,
                           const int64_t *ids, const double *const *values);
floc_status laws_remove_bonds(laws *all, const particles *table, int32_t kind, int32_t number, int64_t count,
                              const int64_t *ids);
floc_status laws_set_bonds(laws *all, int32_t kind, int32_t number, const char *name, const double *values,
                           int64_t count);
floc_status laws_get_bonds(laws *all, int32_t kind, int32_t number, const char *const *names, int32_t name_count,
                           int64_t *ids, double *const *columns, int64_t capacity, int64_t *count);
/* Particles are stored in another order, or some were removed. */
void laws_forget_storage(laws *all);
/* Lists of bonds are brought up to date, so that laws_forget_particles() needs no memory. */
floc_status laws_follow_bonds(laws *all, const particles *table);
/* Bonds of particles whose new_slot is -1 are removed; before they are. */
void laws_forget_particles(laws *all, const int32_t *new_slot);

#endif
