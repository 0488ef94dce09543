/*
 * The world's inside: known to world*.c alone. It owns every module; each file of the world is one part of
 * the public surface.
 *   world.c            life, settings, the step
 *   world_border.c     what every call does first and last
 *   world_threads.c    threads, its own or the host's
 *   world_particles.c  particles, columns, insertion, overlap check
 *   world_bodies.c     bodies and shapes
 *   world_assemblies.c rigid assemblies
 *   world_laws.c       force laws: added, changed, looked at
 *   world_features.c   what acts under which scheme
 *   world_schemes.c    schemes other than the projection, and their reports
 *   world_rays.c       ray sources
 *   world_observe.c    measures, reports, clusters that merge
 *   world_contacts.c   contacts, forces looked at between steps
 *   world_cell.c       a periodic box that moves
 *   world_displacement.c  displacements through periodic faces
 *   world_ledger.c     the account of energy
 *   world_stress.c     forces between two for stresses
 *   world_pairs.c      the same as columns of numbers, of contacts and of laws
 *   world_shapes.c     shapes of clusters
 *   world_problem.c    recorded contact problems
 *   world/ranks.c      ranks that share it, what they refuse and agree on
 *   world/cut.c        cutting it by ranks, and making it whole again (world/cut.h)
 *   world_memory.c     what pairs remember, by ids
 *   world_state.c      sections, hash, attachments, checkpoints
 */
#ifndef FLOC_WORLD_H
#define FLOC_WORLD_H

#include "base/arena.h"
#include "base/callback.h"
#include "base/domain.h"
#include "base/interruption.h"
#include "base/section.h"
#include "base/structs.h"
#include "contacts/laws/host.h"
#include "geometry/bodies.h"
#include "geometry/convex/cores.h"
#include "geometry/rigid.h"
#include "laws/laws.h"
#include "measures/added.h"
#include "measures/clusters.h"
#include "measures/contacts.h"
#include "measures/measures.h"
#include "measures/merges.h"
#include "neighbors/neighbors.h"
#include "particles/particles.h"
#include "rays/ray_sources.h"
#include "schemes/scheme.h"
#include "world/cut.h"

typedef struct attachment {
  char name[48];
  unsigned char *bytes;
  size_t length;
} attachment;

/* A box that moves: what was asked for, and what it came to. */
typedef struct world_cell {
  floc_deform_options options;
  domain made;                /* the box that the world was created with */
  bool is_used;               /* it has been told to deform once */
  bool is_stressed;           /* `stress` is of the last step */
  double rate[3], shear_rate; /* of the last step */
  double strain[3], shear_strain;
  double stress[9];
} world_cell;

struct floc_world {
  environment env;
  interruption interruption; /* env and its copies point here */
  work_budget work;          /* of the call; as well */
  double work_limit;         /* of a step; 0: the default */
  int32_t own_threads;       /* while the host lends others */
  call_guard guard;
  arena scratch;
  particles table;
  bodies obstacles;
  rigid_assemblies assemblies;
  neighbors *near;
  laws *forces;
  domain box;
  world_cell cell;
  scheme method;
  ray_sources *rays;
  double gravity[3];
  double time_step;
  double time_origin; /* time is time_origin + (step - step_origin) time_step: no rounding piles up */
  int64_t step_origin;
  int64_t step;
  uint64_t seed;
  int64_t patch_particles; /* the option; neighbors know it, too */
  bool
      energies_hold; /* the laws' energies are of the present state: nothing can have changed since the last step */
  bool unchecked;    /* particles or bodies came since the last step */
  bool bodies_unchecked; /* bodies did, so that all particles are looked at */
  bool only_shows;       /* it was made from a file alone (world_look.c), and has no scheme of its own */
  int64_t settled;       /* particles with ids up to this one have made a step, or came from a file */
  int64_t *admitted;     /* ids of those since that may overlap, ascending */
  int64_t admitted_count;
  size_t admitted_capacity;
  floc_step_report report;
  added_measures added;   /* by the host */
  host_laws contact_laws; /* likewise */
  bond_watch bonds;       /* of floc_bond_changes */
  merge_watch merges;     /* of floc_world_find_merges */
  attachment *attachments;
  int32_t attachment_count;
  size_t attachment_capacity;
  floc_compression compression; /* of checkpoints */
  bool laws_again; /* pair memory has what laws remembered before the last step, which evaluated them last where
                      it ended */
  /* The columns fx fy fz tx ty tz where contacts are soft, as they were last asked for. */
  double *shown_force[SHOWN_FORCES];
  size_t shown_force_capacity[SHOWN_FORCES];
  uint64_t force_call; /* when they were found; since then: which axes were asked for, in which call for a column */
  uint64_t force_column, column_calls;
  uint32_t forces_given;
  bool radii_are_shown;         /* the host has had the column of radii, and may write it at any time */
  uint64_t calls;               /* of the public surface */
  floc_contact *found_contacts; /* counted in call found_call; 0: none */
  int64_t found_count;
  size_t found_capacity;
  uint64_t found_call;
  double *pair_columns; /* of floc_law_get_pairs, counted in call pairs_call; 0: none */
  size_t pair_columns_capacity;
  uint64_t pairs_call;
  law_record pairs_counted; /* whose they are */
  bool keeps_ledger;
  energy_ledger ledger;
  char *problem_path; /* the next step's contact problem is written there; NULL: nowhere */
  world_cut cut;      /* among ranks */
  step_ranks step_ranks;
};

/* world_work.c: of a step, in units; and the refusal of one that was more. */
double world_work_limit(const floc_world *world);
floc_status world_refuse_work(floc_world *world);

double world_time(const floc_world *world);
/* 0 to the limit, or refused. */
floc_status world_check_threads(environment *env, int32_t threads);
/* The number of threads that is meant by `wanted`, where 0 stands for as many as there are processors. */
int32_t world_choose_threads(int32_t wanted);
/* Refuses what the world's scheme does not do (world_features.c). */
floc_status world_need_feature(floc_world *world, floc_feature feature);
/* FLOC_NOT_SUPPORTED: the scheme as it is set does not move free bodies. */
floc_status world_check_free_bodies(floc_world *world);
/* A law gives a torque, and particles do not rotate. */
floc_status world_refuse_torque(floc_world *world, const char *law);
/* An orientation under a scheme that does not turn it; law: that takes its axes, NULL: none. */
floc_status world_refuse_orientation(floc_world *world, const char *law);
/* Refuses a scheme under which something would not act that is in the world already. shown: as scripts call it. */
floc_status world_admit_scheme(floc_world *world, const char *shown);
/* Refuses what is not done over several ranks. */
floc_status world_check_ranks(floc_world *world);
/* Every rank has all particles again. All ranks call it together. */
floc_status world_make_whole(floc_world *world);
/* floc_world_hash() of a world that is whole. */
floc_status world_state_hash(floc_world *world, uint64_t *hash);
/* A step begins, and has this status so far: cuts the world, or renews its cut, where there are several ranks. */
floc_status world_begin_ranks(floc_world *world, step_context *context, floc_status status);
/* Attributes that pairs exchanged in the step, to ghosts; where it fails the state is lost. */
floc_status world_share_exchanges(floc_world *world, const step_context *context);
void world_end_ranks(floc_world *world, floc_status status);
/* FLOC_OK if all ranks have it. */
floc_status world_agree(floc_world *world, floc_status status);
/* world/cut.c: for world/ranks.c */
floc_status world_cut_renew(floc_world *world, floc_status status);
floc_status world_cut_gather(floc_world *world);
void world_cut_free(floc_world *world);
/* Makes the default scheme, unless there is one. */
floc_status world_need_scheme(floc_world *world);
/* Writes the problem to world->problem_path; context is the world. */
floc_status world_record_problem(void *context, recorded_problem *problem);
void world_forget_problem(floc_world *world);
/* Refuses particles as they must not be, which a host has written in place. */
floc_status world_check_particles(floc_world *world);
/* Grains that are not round: refuses a number that no shape has; wrong numbers in their columns, and what is there
 * that knows particles as discs alone. */
floc_status world_check_shape(floc_world *world, int32_t number);
floc_status world_check_shapes(floc_world *world, const char *when);
/* Refuses what is asked if there are some. */
floc_status world_need_round(floc_world *world, const char *what);
/* From a core to that of a particle; separation: to its centre. As grain_distance(). */
double world_grain_distance(const particles *table, const grain_core *core, int64_t other,
                            const double separation[3], double reach);
/* An overlap in radii of the smaller particle, and whose; second 0: with a body. */
typedef struct overlap_found {
  double overlap; /* 0: none */
  int64_t first, second;
} overlap_found;
/* The greatest overlap of particles with ids above `known`, and of those that came since the last step and may not
 * overlap, by a grid of its own. */
floc_status world_find_overlaps(floc_world *world, int64_t known, overlap_found *worst, overlap_found *refused);
/* Refuses assemblies, from a file, of particles that are not there: FLOC_DAMAGED_FILE. */
floc_status world_check_members(floc_world *world);
/* Everybody is known from now on. */
void world_settle(floc_world *world);
/* What measures look at. */
measure_source world_measure_source(floc_world *world);
/* The pairs that a rule of floc_clusters joins; to be freed by the caller. */
floc_status world_joined_pairs(floc_world *world, int32_t rule, double gap, cluster_pairs *pairs);
/* What pairs (0) and walls (1) remember: rows of id, id or shape's number, memory columns. */
typedef struct memory_rows {
  double *row[2];
  size_t count[2];
} memory_rows;
/* Lists them, sorted by the ids or in the order of the lists, in a fraction of the time; the rows are in the
 * world's scratch memory. */
floc_status world_memory_sections(floc_world *world, bool sorted, memory_rows *rows, section_list *list);
/* Puts them back into the lists, which neighbors_restore() has left with memory zero. */
floc_status world_memory_restore(floc_world *world, const section_list *list);
/* The same for going back to the very lists of now: columns entry by entry, which point into the lists. */
floc_status world_memory_columns(floc_world *world, section_list *list);
void world_memory_give_back(floc_world *world, const section_list *list);
/* What a scheme gets, at the present time. */
step_context world_context(floc_world *world);
/* All forces but gravity along an axis, where contacts are soft. */
floc_status world_show_force(floc_world *world, int axis, double **values);
void world_forget_contacts(floc_world *world);
void world_forget_pairs(floc_world *world);
/* Numbers of names in a list of known ones; "what have no ...". */
floc_status world_resolve_names(environment *env, const char *what, const char *const *known, int32_t known_count,
                                const char *const *names, int32_t count, int32_t *number);
/* Where a host wants columns: see world_pairs.c. */
floc_status world_check_target(environment *env, const column_target *to, int32_t name_count, const int64_t *count);
/* Where a scheme writes its merges in a step; NULL: they are not wanted. */
merge_log *world_merge_log(floc_world *world);
struct pair_rows;
/* Options were checked; the rows are the caller's to free, also none after a refusal. */
floc_status world_find_neighbours(floc_world *world, const floc_pairs_options *options, struct pair_rows *rows);
/* Counts contacts into found_contacts; one that copies them (capacity > 0) may have what the call before counted.
 */
floc_status world_count_contacts(floc_world *world, int64_t capacity);
bool world_has_counted(const floc_world *world);
/* Hands all contacts over, without counting them first. */
floc_status world_visit_contacts(floc_world *world, contact_wants wants, contacts_sink sink, void *context);
/* Forces of a scheme that can be looked at, over the lists *near of the present state: the world's, or *made, which
 * is to be destroyed; they hold the pairs within `range` of each other, too. record: of one law, may be NULL; then
 * forces are those of all, on particles (on_particle) and in_pairs, whose columns are made here. */
floc_status world_observe(floc_world *world, law_record *record, bool in_pairs, double range, neighbors **near,
                          neighbors **made, observed_forces *forces);
/* Where laws are asked about the present state by themselves; copy: of world_copy_table(). */
laws_moment world_moment(floc_world *world, particles *copy, const neighbors *near);
/* Around a step that succeeds, where displacements are followed. */
floc_status world_begin_displacements(floc_world *world, double *start[3]);
void world_end_displacements(floc_world *world, double *const start[3]);
/* Of a world that keeps an account of energy: before a step, and after one that succeeded with what its parts did.
 */
floc_status world_check_ledger(floc_world *world, const scheme *method);
double world_kinetic_energy(floc_world *world);
void world_add_to_ledger(floc_world *world, double kinetic_before, const double *work);
/* Around a step where the box moves; commit and revert are nothing where it does not. */
typedef struct cell_step {
  bool acts;
  domain before, next;
  double *velocity[3]; /* before */
} cell_step;
bool world_cell_is_wanted(const floc_world *world);
/* Refuses what is not supported in a box that moves or is skew. */
floc_status world_check_cell(floc_world *world);
floc_status world_begin_cell(floc_world *world, step_context *context, cell_step *step);
void world_revert_cell(floc_world *world, const cell_step *step);
void world_commit_cell(floc_world *world, const step_context *context, const cell_step *step);
/* At the start of the last step: its lattice, perhaps by another basis. */
domain world_start_box(const floc_world *world);
floc_status world_cell_sections(floc_world *world, section_list *list);
/* Without the section the box is the one that the world was created with. */
floc_status world_cell_restore(floc_world *world, const section_list *list);
/* Of measure_source; host is the world. */
floc_status world_visit_interactions(void *host, const interactions_wanted *wanted, void *context);
/* Lists of the present state with all pairs within range, and walls within half of it. */
floc_status world_present_lists(floc_world *world, double range, neighbors **near, neighbors **made);
/* A shallow copy of the particles with force columns of its own, in scratch memory. */
floc_status world_copy_table(floc_world *world, particles *copy);
/* Sections beside the state, in scratch memory; and taken back, after everything else. */
floc_status world_contact_sections(floc_world *world, section_list *list);
floc_status world_contact_restore(floc_world *world, const section_list *list);
/* Frees all attachments. */
void world_free_attachments(floc_world *world);

/* f64 [40]; see world_cell.c. */
#define CELL_SECTION "world.cell"
/* i64 [1]: the option patch_particles, where it is given. */
#define PATCHES_SECTION "world.patch_particles"
/* f64 [3, 2]: the ends of periodic axes, 0 and 0 on others; in files only. */
#define PERIODS_SECTION "world.periods"

enum { LEAST_FOR_TEAM = 256 }; /* particles or rays: fewer fill no more than one block of any loop */

/* ---- the border ---- */

/* A call of the public surface, from WORLD_ENTER to its return. */
typedef struct world_call {
  floc_world *world; /* NULL: it was refused */
  float_state floats;
} world_call;

/* Refuses the call with a message that names it if another runs: it comes from a function of the host. */
floc_status world_enter(floc_world *world, const char *name, world_call *call);
void world_leave(world_call *call);

/* Every call that does more than read starts here: a NULL world and calls from within another are refused, the
 * message is cleared, and until the call returns the floating-point environment is the default one. */
#define WORLD_ENTER(world)                                                                                         \
  if (!(world)) return FLOC_INVALID_ARGUMENT;                                                                      \
  __attribute__((cleanup(world_leave))) world_call world_call_ = {0};                                              \
  do {                                                                                                             \
    floc_status entered_ = world_enter(world, __func__, &world_call_);                                             \
    if (entered_ != FLOC_OK) return entered_;                                                                      \
  } while (0)

/* A call that reads, so that functions of the host may make it, on several threads at once. */
typedef struct world_reading {
  floc_world *world; /* NULL: it was refused */
  environment *env;  /* the world's, or own, whose message becomes the note */
  float_state floats;
  environment own;
} world_reading;

/* Refused inside the allocator, where nothing of a world needs to be whole. */
floc_status world_read_begin(floc_world *world, const char *name, world_reading *reading);
void world_read_end(world_reading *reading);
/* Does a call run, so that this one comes from a function of the host? */
static inline bool world_is_inside(const floc_world *world)
{
  return atomic_load_explicit(&world->guard.call, memory_order_acquire) != NULL;
}
floc_status world_check_reading(const floc_world *world, const char *name);

/* Every call that reads starts here; it writes nothing of the world, and refuses through `environment *env`. */
#define WORLD_READ(world, env) WORLD_READ_AS(world, env, __func__)
#define WORLD_READ_AS(world, env, name)                                                                            \
  if (!(world)) return FLOC_INVALID_ARGUMENT;                                                                      \
  __attribute__((cleanup(world_read_end))) world_reading world_reading_;                                           \
  do {                                                                                                             \
    floc_status entered_ = world_read_begin(world, name, &world_reading_);                                         \
    if (entered_ != FLOC_OK) return entered_;                                                                      \
  } while (0);                                                                                                     \
  environment *const env = world_reading_.env

#endif
