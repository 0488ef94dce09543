/*
 * What the files of the discrete-element scheme share.
 *
 *   discrete_element.c              options, life, checkpoints
 *   discrete_element/law.h          the force of one contact
 *   discrete_element/pairs.c        all pairs, any law
 *   discrete_element/plain.c        all pairs, fast: Hooke's spring and dashpot, with friction springs or without
 *   discrete_element/wide.c         that loop, four contacts side by side
 *   discrete_element/lists.c        what that loop needs besides the list of pairs
 *   discrete_element/walls.c        particles and bodies
 *   discrete_element/materials.c    numbers of pairs of materials
 *   discrete_element/fields.c       gravity, laws, near field, electromagnetic forces
 *   discrete_element/medium.c       drag and viscous torque of the medium, flow and noise
 *   discrete_element/verlet.c       velocity Verlet
 *   discrete_element/free.c         free bodies in it
 *   discrete_element/over_ranks.c   what it needs over several ranks
 *   discrete_element/trapezoidal.c  trapezoidal rule with fixed-point iteration
 *   discrete_element/report.c       counts, energies
 *   discrete_element/observe.c      forces of the present state, looked at between steps
 *   discrete_element/critical.c     the critical time step
 *   discrete_element/ledger.c       the work of every part, where an account is kept
 *   discrete_element/bonds.c        bonds: links, list, made and broken by hand
 *
 * A step works on packed copies: `element` has what a contact needs of a particle side by side (80 bytes),
 * `push` collects its force and torque. The table's columns keep the state before the step until the step
 * has succeeded.
 *
 * Order of summation. The force on particle i is: fields, walls, pairs whose second it is (in the order of
 * `incoming`), pairs whose first it is (in the order of the list); how slots are cut into blocks does not matter.
 * Pairs across blocks are computed twice, once for each side, so blocks never write to each other's particles.
 */
#ifndef FLOC_SCHEMES_DISCRETE_ELEMENT_MODEL_H
#define FLOC_SCHEMES_DISCRETE_ELEMENT_MODEL_H

#include "base/callback.h"
#include "base/threads/parallel.h"
#include "contacts/problem/materials.h"
#include "geometry/free_body.h"
#include "particles/owned.h"
#include "schemes/discrete_element/discrete_element.h"

typedef particle_state element; /* laws look at working copies as they are */

typedef particle_push push;

/* Columns of pair memory; -1: not used. */
typedef struct memory_columns {
  int32_t spring[3];
  int32_t sliding; /* used where the two coefficients of friction differ */
  int32_t bond;
  int32_t roll[3]; /* in the plane [2] alone */
} memory_columns;

/* Counts that travel in checkpoints. */
typedef struct element_counters {
  double next_time_step; /* 0: not chosen yet */
  double total_iterations, evaluations, rejected_steps;
  double bonds_formed, bonds_broken;
} element_counters;

/* What the next step and those who look need of a free body from the last one. */
typedef struct element_body {
  double force[3], torque[3];  /* of particles and laws where it ended, about the body's centre */
  double velocity[3], spin[3]; /* of the centre, in its middle */
} element_body;

enum { COUNTER_NUMBERS = sizeof(element_counters) / sizeof(double), PUSH_NUMBERS = 6 };

/* What comes by pairs of materials, in the order of discrete_element/materials.c. */
enum {
  ELEMENT_STIFFNESS,
  ELEMENT_DAMPING,
  ELEMENT_FRICTION_STIFFNESS,
  ELEMENT_FRICTION_STATIC,
  ELEMENT_FRICTION_DYNAMIC,
  ELEMENT_FRICTION_DAMPING,
  ELEMENT_ROLLING_FRICTION,
  ELEMENT_ROLLING_STIFFNESS,
  ELEMENT_ROLLING_DAMPING,
  ELEMENT_QUANTITIES
};

typedef struct element_materials {
  material_table table[ELEMENT_QUANTITIES];
  floc_discrete_element_options *record; /* [count] the options with the numbers of a pair */
  int32_t count;
  size_t capacity;
  int16_t of[DENSE_MATERIALS * DENSE_MATERIALS]; /* number of a pair's record, -1: not seen */
} element_materials;

typedef struct discrete_element {
  environment *env;
  int32_t dimension;
  floc_discrete_element_options options;
  element_materials *materials; /* NULL: one number for all */
  double *pair_staging;
  size_t pair_staging_capacity;
  neighbors *near;
  memory_columns memory;
  bool is_plain; /* the fast pair loop does all that the options ask for */
  bool narrow;   /* it keeps to the form for any processor, for tests; the results are the same */
  push *pushes;  /* velocity Verlet: forces at the end of the last step, state */
  push *fields;  /* where they are summed if laws alone act; then both change places */
  element *at;   /* velocity Verlet: working copy */
  double *reach;
  size_t push_capacity, field_capacity, at_capacity, reach_capacity;
  int64_t push_count; /* particles that `pushes` holds forces of; 0: none */
  /* the fast pair loop: what follows from the list of pairs */
  bool list_followed;
  uint8_t *touched;       /* [pairs] the pair's spring may be other than 0 */
  int32_t *foreign;       /* [foreign_count] entries across blocks, by second particle */
  int64_t *foreign_start; /* [blocks + 1] */
  int64_t foreign_count;
  size_t touched_capacity, foreign_capacity, foreign_start_capacity;
  /* Velocity Verlet, where an account is kept of energy: the parts of `pushes`, LEDGER_STORED a particle, and
   * what those of walls did by the time on bodies that move; state. [1]: of the step that is under way. */
  push *parts[2];
  size_t parts_capacity[2], part_sum_capacity;
  double *part_sum;    /* [blocks][LEDGER_PARTS] */
  int64_t parts_count; /* particles that parts[0] are of; 0: not known */
  double wall_power[2][LEDGER_STORED];
  element_body *body; /* velocity Verlet: state, by body; those that are not free have their forces alone */
  size_t body_capacity;
  int32_t body_count; /* bodies then; 0: none was free, or it is not known */
  element_counters counters;
  double before_cut[2]; /* bonds formed and broken when the world was cut by ranks */
  /* of the last step, for the report */
  int32_t iterations;
  double last_time_step, error;
  int64_t contacts, wall_contacts;
  wall_touch *touches; /* [touch_count] of the last step over ranks */
  int64_t touch_count;
  size_t touch_capacity;
  int32_t *link_first, *link_second;
  size_t link_first_capacity, link_second_capacity;
  double *staging; /* reach of bonds, for the lists that check them (discrete_element/bonds.c) */
  size_t staging_capacity;
  /* what element_watch_time_step() last looked at, and whether it has spoken */
  double watched_time_step, watched_overlap;
  bool warned_of_time_step;
} discrete_element;

/* Where pair memory is read and written: the list's own columns, or trial copies of them. */
typedef struct memory_view {
  double *spring[3]; /* each may be NULL: nothing is remembered */
  double *sliding;
  double *bond;
  double *roll[3];
} memory_view;

/* What a block of pairs adds to the results. */
typedef struct block_result {
  int64_t contacts, bonds_formed, bonds_broken;
  double overlap;   /* greatest, in radii of the smaller particle */
  exact_sum energy; /* what `finish` added */
  double stress[9]; /* sum of force times branch over contacts, in a box that deforms */
} block_result;

/* A body's motion in the step. */
typedef struct body_motion {
  double pivot[3], velocity[3], spin[3];
} body_motion;

/* One evaluation of all forces, in three parts: element_prepare() does everything that can fail, and changes
 * nothing; element_act() cannot fail. */
typedef struct evaluation {
  discrete_element *method;
  step_context *context;
  double increment; /* time by which springs creep; 0: they only act */
  double friction_time;
  double time;                      /* of fields */
  double time_step;                 /* over which external forces are averaged, and bodies move */
  const element *at;                /* positions and velocities at which forces are wanted */
  double *const *turned;            /* orientations likewise, as element_make_orientation; NULL: the table's */
  const element_body *moving;       /* [bodies] velocities of free ones likewise; NULL: none is free */
  push *pushes;                     /* where they go */
  memory_view pairs_from, pairs_to; /* the same, or different copies */
  memory_view walls_from, walls_to;
  block_terms finish; /* called for every block when its force and torque are complete; may be NULL */
  void *finish_context;
  bool in_place;     /* force and torque may be written before element_act: fields go there, and no copy is made */
  bool may_exchange; /* force and torque are those of the method */
  const push *external; /* means over the step of forces from elsewhere, or NULL */
  bool looks;           /* somebody only looks */
  /* Somebody wants to know what each part of force and torque is: [particle][LEDGER_STORED], and the power of
   * walls; else NULL. */
  push *parts;
  double *wall_power;
  /* made by element_prepare, in the arena */
  push *parted;             /* what parts account for so far; else NULL */
  push *fields;             /* per particle, or NULL: only gravity */
  const double *stiffness;  /* K_p per particle (35), or NULL */
  body_motion *motion;      /* [bodies] */
  push *wall_push;          /* [walls] on the particle; torque: the moment against rolling alone */
  block_result *block;      /* [blocks] */
  double inverse_length[3]; /* of periodic axes, 0 on the others */
  bool deforms;             /* the box is skew or moves: images are looked up by the general loop */
  /* results */
  int64_t contacts, wall_contacts, bonds_formed, bonds_broken;
  double overlap;
  double energy;          /* sum of what `finish` added */
  double field_stress[9]; /* sum of force times branch over laws and near fields, in a box that deforms */
  double stress[9];       /* with that over contacts */
} evaluation;

int64_t element_block_size(int64_t count);

/* Some contacts resist rolling, and what they remember of it has columns. */
static inline bool resists_rolling(const evaluation *run)
{
  return run->method->options.rolling_friction > 0.0;
}

/* R* and E* take two divisions, and most laws use neither. */
static inline bool needs_effective_radius(const evaluation *run)
{
  return run->method->options.contact_force == FLOC_CONTACT_FORCE_HERTZ || resists_rolling(run);
}

/* Numbers of pairs of materials (materials.c); what the options have for them becomes a mark. */
floc_status element_materials_create(environment *env, floc_discrete_element_options *options,
                                     element_materials **made);
void element_materials_free(element_materials *all, environment *env);
/* All ranks get records of what any of them has. May call the host. */
floc_status element_materials_join(const discrete_element *method, const floc_ranks *ranks);
/* Records for all pairs of the lists. May call the host. */
floc_status element_learn(const discrete_element *method, const particles *table, const bodies *obstacles,
                          const neighbors *near);
const floc_discrete_element_options *element_record(const discrete_element *method, const particles *table,
                                                    const bodies *obstacles, int64_t i, int64_t j,
                                                    int32_t shape_number);
/* The options of a pair of particles, or (j < 0) of a particle and a shape. */
static inline const floc_discrete_element_options *element_options_of(const discrete_element *method,
                                                                      const particles *table,
                                                                      const bodies *obstacles, int64_t i, int64_t j,
                                                                      int32_t shape_number)
{
  return method->materials ? element_record(method, table, obstacles, i, j, shape_number) : &method->options;
}
floc_status element_materials_sections(element_materials *all, section_list *list, double **staging,
                                       size_t *capacity);
floc_status element_materials_restore(element_materials *all, environment *env, const section_list *list);

/* What laws exert now, into the force columns and run->fields (NULL: only there). */
floc_status element_apply_laws(evaluation *run);
floc_status element_prepare(evaluation *run);
/* The part of it that contacts need which somebody looks at. */
floc_status element_prepare_contacts(evaluation *run);
/* What does not change within a step: K_p of every particle (NULL: the same for all), and forces from
 * elsewhere as means over the step (NULL: none); both into the arena. */
floc_status element_stiffnesses(const discrete_element *method, const step_context *context, const double **result);
floc_status element_external(const step_context *context, double time_step, const push **result);
void element_act(evaluation *run);
/* Where an evaluation at the start of a step, or the step before, met an overlap as deep as that: refuses pairs
 * whose centres are at the same point (FLOC_OVERLAPPING), for there is no direction in which to separate them. */
floc_status element_check_centres(const step_context *context, double overlap);
/* The parts of element_act. */
void element_pairs(evaluation *run);
void element_pairs_plain(evaluation *run);
/* Brings touched and foreign in line with the list; needed before element_pairs_plain. */
floc_status element_follow_list(discrete_element *method, int64_t count);
void element_walls(evaluation *run);
/* Forces and torques of walls and laws on bodies, of the last evaluation; torques on free ones are about their
 * centres. */
void element_push_bodies(const evaluation *run);
/* Free bodies in a step of velocity Verlet. */
typedef struct element_free {
  element_body *of;      /* [bodies] of the start, the middle, then the end; NULL: none is free */
  free_velocity *middle; /* [bodies] */
  double (*load)[6];     /* [bodies] by the host */
} element_free;
/* Are forces known that a step begins with? */
bool element_bodies_known(const discrete_element *method, const bodies *obstacles);
/* May call hosts' loads. */
floc_status element_free_begin(discrete_element *method, const step_context *context, element_free *step);
/* Forces at the start, where they are not known: before the evaluation, and after it. */
void element_free_start(const step_context *context, const element_free *step);
floc_status element_free_first(const evaluation *run, const element_free *step);
/* The first kick, and poses next, where shapes stand then. */
floc_status element_free_drift(const step_context *context, const element_free *step);
/* The second kick, after bodies_commit(); returns the kinetic energy. */
double element_free_arrive(discrete_element *method, const step_context *context, const element_free *step);
floc_status element_free_sections(const discrete_element *method, section_list *list);
floc_status element_free_restore(discrete_element *method, const section_list *list);
/* Adds up what blocks of pairs found. */
void element_collect(evaluation *run, int64_t blocks);
/* Force and torque of fields on a particle: what its sum starts with. */
static inline push element_field_push(const evaluation *run, int64_t slot)
{
  if (run->fields) return run->fields[slot];
  double mass = run->context->table->column[COLUMN_mass][slot];
  const double *g = run->context->gravity;
  return (push){.force = {mass * g[0], mass * g[1], mass * g[2]}};
}

/* A function of the host over space. */
typedef struct space_function {
  callback_kind kind;            /* for messages */
  floc_kernel_function function; /* or NULL */
  void *context;
  double offset[3]; /* added to places */
  bool in_radii;    /* the offset is in radii of the particle */
} space_function;
/* Its values at all particles, into the arena; *field stays NULL without a function. */
floc_status element_field_at(evaluation *run, const space_function *of, double (**field)[3]);
/* (30), and the torque beside it. */
floc_status element_drag(evaluation *run);

/* K_p of a particle (35). */
double element_stiffness(const floc_discrete_element_options *options, double temperature);

/* Near field (28): alpha_ij is a coefficient times the scales of the two particles. */
typedef struct near_field_columns {
  int32_t sign, charge; /* attributes, or -1 */
} near_field_columns;
bool element_has_near_field(const floc_discrete_element_options *options);
near_field_columns element_near_field_columns(const particles *table);
double element_near_field_scale(const floc_discrete_element_options *options, const particles *table,
                                const near_field_columns *columns, int64_t i);

/* Space for velocity Verlet. */
floc_status element_reserve(discrete_element *method, size_t count);
/* The state in the table as working copies. */
void element_load(const discrete_element *method, const particles *table, element *at);
/* Flow and noise act alone for `duration`; index tells several in one step apart. */
floc_status element_bathe(const discrete_element *method, const step_context *context, double time, double duration,
                          uint64_t index, element *at);
/* Columns of the table for the spin; NULL where there are none. */
void element_spin_columns(const discrete_element *method, const particles *table, double *spin[3]);
/* Columns of the table for the orientation, and how many: 0, there are none or nothing turns. */
int element_orientation(const discrete_element *method, const particles *table, double *column[4]);
/* As many in scratch memory. */
floc_status element_make_orientation(const discrete_element *method, const step_context *context, double *made[4]);
/* How far laws and near fields reach from surface to surface, where they need a list; 0: there are none. */
double element_field_range(const discrete_element *method, const laws *forces);
/* Lists for the given reach and what the fields need. */
floc_status element_update_neighbors(discrete_element *method, const step_context *context, const double *reach);
/* A list's own memory; trial copies of it to write to; the trial taken over. */
memory_view element_memory(const discrete_element *method, const pair_list *list);
floc_status element_trial_memory(evaluation *run);
void element_keep_memory(const evaluation *run);
/* Counters and report after a step; context->time_step is how far it went. */
void element_finish(discrete_element *method, const step_context *context, const evaluation *run);

/* For a run that only looks: the force of an entry of the list of pairs (0) or walls (1). */
struct contact_state; /* law.h */
/* As look_at() of one list. */
void element_look_pairs(const evaluation *run, int64_t begin, int32_t count, look_block *to);
void element_look_plain(const evaluation *run, int64_t begin, int32_t count, look_block *to);
void element_look_walls(const evaluation *run, int64_t begin, int32_t count, look_block *to);
void element_look_put(const evaluation *run, const struct contact_state *state, int32_t row, look_block *to);
/* scheme.observe, scheme.energies and scheme.pair_range. */
floc_status element_observe(void *state, step_context *context, bool again, observed_forces *wanted);
/* scheme.look and scheme.look_at */
floc_status element_look(void *state, step_context *context, const void **look);
void element_look_at(const void *look, int which, int64_t begin, int32_t count, look_block *to);
void element_energies(const void *state, const particles *table, const bodies *obstacles, const domain *box,
                      const neighbors *near, stored_energies *energies);
double element_pair_range(const void *state, const particles *table);
/* scheme.critical, and the warning about it: before a step, or after it (ended) with its greatest overlap. */
floc_status element_critical(const void *state, const particles *table, const bodies *obstacles, const domain *box,
                             const neighbors *near, double time_step, arena *scratch, critical_step *critical);
void element_watch_time_step(discrete_element *method, const step_context *context, double overlap, bool ended);

/* Parts of forces (ledger.c). Before a step changes anything: space for them. */
floc_status element_parts_reserve(discrete_element *method, int64_t count);
/* In element_prepare: at its start; after something was added to fields; and in element_act, before it: the parts
 * of contacts. */
floc_status element_parts_begin(evaluation *run);
void element_parts_take(evaluation *run, ledger_part part);
void element_parts_contacts(evaluation *run);
/* Adds what forces do over `duration` whose ends are the table's velocities and those of `at`: parts (those of the
 * step before, 0, or of this one, 1), and external ones beside them. */
void element_parts_work(const discrete_element *method, const step_context *context, int which, const element *at,
                        const push *external, double duration);
/* Half m v^2 and half I w^2 of working copies. */
double element_parts_kinetic(const discrete_element *method, const step_context *context, const element *at);
/* The step is done. */
void element_parts_commit(discrete_element *method, int64_t count);
/* As permute, sections, restore of a scheme; count: of particles with forces in the file. */
void element_parts_permute(discrete_element *method, const int32_t *order);
floc_status element_parts_sections(const discrete_element *method, section_list *list);
floc_status element_parts_restore(discrete_element *method, const section_list *list, int64_t count);

/* The scheme's links: bonded pairs. */
floc_status element_links(void *state, const int32_t **first, const int32_t **second, int64_t *count);

/* over_ranks.c */
extern const scheme_over_ranks element_over_ranks;

/* Working copies in `at` as the step's drift makes them; nothing else changes. */
floc_status element_try_drift(discrete_element *method, step_context *context);
floc_status element_step_verlet(discrete_element *method, step_context *context);
floc_status element_step_trapezoidal(discrete_element *method, step_context *context);

/* What moments of inertia are found from: once for a loop. */
typedef struct inertias {
  const double *own; /* of particles that have one; 0: a uniform disc or ball. NULL: all are */
  double factor;
} inertias;

static inline inertias find_inertias(const discrete_element *method, const particles *table)
{
  return (inertias){particles_optional(table, OPTIONAL_inertia), method->dimension == 2 ? 0.5 : 0.4};
}

static inline double inertia_of(const inertias *all, double mass, double radius, int64_t i)
{
  const double factor = all->own && all->own[i] != 0.0 ? all->own[i] / (mass * radius * radius) : all->factor;
  return factor * mass * radius * radius;
}

/* The particle's own, or that of a ball, or of a disc in two dimensions, as in all schemes. */
static inline double element_inertia(const discrete_element *method, const particles *table, int64_t i)
{
  const inertias all = find_inertias(method, table);
  return inertia_of(&all, table->column[COLUMN_mass][i], table->column[COLUMN_radius][i], i);
}

#endif
