/*
 * What the files of this module share.
 */
#ifndef FLOC_LAWS_LAWS_INTERNAL_H
#define FLOC_LAWS_LAWS_INTERNAL_H

#include "base/callback.h"
#include "base/numbers/random.h"
#include "base/threads/parallel.h"
#include "laws/attraction.h"
#include "laws/flow.h"
#include "laws/law_input.h"
#include "laws/long_range.h"
#include "laws/pair_blocks.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>

enum { LAW_KINDS = FLOC_LAW_ANGLE + 1 };

typedef struct law_list {
  law *item;
  int32_t count;
  size_t capacity;
} law_list;

/* What a wall law did to a body. */
typedef struct body_push {
  double force[3], torque[3];
} body_push;

struct laws {
  environment *env;
  int32_t dimension;
  bool observes; /* see laws_observe */
  laws_view view;
  law_record *record;     /* what is being recorded; NULL: nothing */
  bool narrow;            /* pairs keep to the form for any processor, for tests; the results are the same */
  law_list of[LAW_KINDS]; /* by floc_law_kind */
  int32_t attraction_count;
  attraction attraction[LAW_LIMIT];
  int32_t long_range_count;
  long_range long_range[LAW_LIMIT];
  floc_flow_options drift;
  bool has_drift_function, has_a_priori;
  law drift_function, a_priori;
  double sigma;
  double extent; /* no pair is further apart: see laws_set_box */
  /* Per entry of the list of pairs: has the second particle the smaller id? Rebuilt with the list. */
  uint8_t *turned;
  size_t turned_capacity;
  const pair_list *turned_list;
  uint64_t turned_version;
  /* law_stages.c */
  uint64_t sums; /* a bit per column */
  int32_t last_stage;
  bool has_staged; /* evolutions that are evaluated with the forces */
  int32_t exchange_column[COLUMN_LIMIT], exchange_count;
  double *exchange; /* rates of these columns, [exchange_count][exchange_particles] */
  int64_t exchange_particles;
  size_t exchange_capacity;
  const bodies *obstacles; /* whose shapes have attributes; NULL: none */
  /* What wall laws gave to these in the last evaluation: rates, then sums, [attribute][shape] each; wear_shapes 0:
   * no evaluation has been in this step. */
  double *wear;
  size_t wear_capacity;
  int32_t wear_shapes;
  uint64_t seed, step; /* keys of random numbers */
  int64_t *cut_start;  /* laws_follow_cut() */
  int64_t cut_blocks;  /* 0: the table is whole */
  size_t cut_capacity;
  body_push *on_body; /* [body_count] of the last evaluation */
  int32_t body_count;
  size_t on_body_capacity;
  /* tables of laws_sections */
  int32_t *staged_words;
  double *staged_numbers, *staged_parameters;
  char *staged_text;
  int64_t *staged_ids;
  double *staged_bonds;
  size_t staged_ids_capacity, staged_bonds_capacity;
  size_t staged_words_capacity, staged_numbers_capacity, staged_parameters_capacity, staged_text_capacity;
};

/* Inputs and outputs of up to LAW_BLOCK elements, and where programs compute. */
typedef struct law_block {
  double input[LAW_INPUT_LIMIT][LAW_BLOCK] __attribute__((aligned(64)));
  double output[LAW_OUTPUT_LIMIT][LAW_BLOCK];
  const double *from[LAW_INPUT_LIMIT]; /* where each input is: above, or elsewhere */
  int32_t changed;                     /* of the floating-point environment, by a function of the host (FLOAT_) */
  void *space;                         /* of a program (program.h) */
} law_block;

/* A block is 100 kB, a program's space up to 213 kB: too much for the stack of every host's thread. So a pass has
 * as many as threads can be in it at the same time; who does a chunk takes one that is free, and gives it back. */
typedef struct law_desks {
  law_block *block; /* [count] */
  atomic_flag *taken;
  int32_t count;
} law_desks;

/* For passes of that number of chunks through the laws given. */
floc_status law_desks_make(law_desks *made, const environment *env, const law *first, int32_t law_count,
                           int64_t chunks, arena *scratch);
/* There is always one. */
int32_t law_desk_take(const law_desks *desks);
void law_desk_leave(const law_desks *desks, int32_t number);

/* Fills what is the same for all elements: the first number for programs, all for functions of the host. Returns
 * false if the input is of another kind. */
bool law_fill_uniform(const law *which, int32_t input, double time, double time_step, int32_t count,
                      law_block *block);
floc_status law_call(const law *which, int32_t count, law_block *block);
/* Number of the first output that is not finite in row k. */
int32_t law_bad_output(const law *which, const law_block *block, int32_t row);
/* First element at which an output is not finite, or -1. */
static inline __attribute__((always_inline)) int32_t law_first_bad(const law *which, const law_block *block,
                                                                   int32_t count)
{
  uint64_t bad = 0;
  for (int32_t k = 0; k < which->output_count; k++)
    for (int32_t row = 0; row < count; row++) bad |= !(fabs(block->output[k][row]) <= DBL_MAX);
  if (!bad) return -1;
  int32_t row = 0;
  while (row < count && law_bad_output(which, block, row) == which->output_count) row++;
  return row;
}

/* "nan for distance = 1, radius_i = 0.5": what a law gave in a row that is not finite, and what it was given. */
void law_show_row(const law *which, const law_block *block, int32_t row, char *text, size_t size);

/* What loops over chunks report: the first chunk that failed decides, whatever thread did it. */
typedef struct chunk_mark {
  floc_status status; /* what the law's function returned, unless bad or changed says more */
  int32_t changed;    /* of the floating-point environment (FLOAT_) */
  int64_t bad;        /* element at which an output was not finite, or -1 */
} chunk_mark;
chunk_mark *chunk_marks_make(int64_t chunks, arena *scratch);
/* NULL: none failed. */
const chunk_mark *chunk_marks_first(const chunk_mark *marks, int64_t chunks);
/* The law's name for the guard, and what a failure that is no number is reported as. */
callback_mark law_begin(const laws *all, const law *which);
floc_status law_refuse(const laws *all, const law *which, const chunk_mark *failure);

/* The column of pair memory that holds what a law is given of number k. */
static inline int32_t law_memory_column(const laws *all, const law *which, int32_t k)
{
  const law_memory *memory = &which->memory[k];
  return all->view.again && memory->next >= 0 ? memory->next : memory->now;
}

/* Is there a law on all pairs? */
bool laws_any_everywhere(const laws *all);
/* Is there any pair on which a pair law may act? */
bool laws_meet_pairs(const laws *all, const neighbors *near);

/* Does the host look at what this law is given and gives? */
static inline bool law_is_recorded(const laws *all, const law *which)
{
  const law_record *record = all->record;
  return record && which->kind == record->kind && which->number == record->number;
}

/* Do those who look at forces look at this law's? */
static inline bool law_is_shown(const laws *all, const law *which)
{
  return all->view.forces && (!all->record || law_is_recorded(all, which));
}

/* Is the law evaluated, or left out for those who only look at others? These may read its sums. */
static inline bool law_is_wanted(const laws *all, const law *which)
{
  if (which->sums_written) return true;
  if (all->record) return law_is_recorded(all, which);
  return !all->view.energies_only || which->has_energy;
}

/* Rows of a block as the law sees them. */
typedef struct record_rows {
  int32_t count;
  const int32_t *entry;
  const double *distance, *reach; /* reach: sum of the radii, or the radius */
  const double *normal[3];        /* NULL: 0 */
  const double *angle, *side[3];  /* of angles alone, which have nothing of the above but entries */
} record_rows;
void law_record_block(const laws *all, const law *which, const record_rows *rows, const law_block *block);

/* Threads for a law: one, unless it may run on several. */
environment law_environment(const laws *all, const law *which);

/* Do pair laws settle everything by themselves: set the force columns, and set or add to laws_moment.push? */
static inline bool laws_settle_pairs(const laws *all, const laws_moment *at)
{
  return at->push && laws_settle_pushes(all, at->near);
}

/* Random numbers of a law for a particle, or a particle and its partner (ids, 0: none; of a shape the number). */
static inline double law_random(const laws *all, const law *which, const law_input *source, int64_t id,
                                int64_t partner)
{
  double four[4];
  uint64_t index = (uint64_t)partner << 16 | (uint64_t)which->kind << 8 | (uint64_t)which->number;
  if (source->kind == INPUT_NORMAL_RANDOM)
    random_normal4(all->seed, (uint64_t)id, all->step, RANDOM_LAW_NORMAL, index, four);
  else
    random_uniform4(all->seed, (uint64_t)id, all->step, RANDOM_LAW_UNIFORM, index, four);
  return four[source->number];
}

/* Of a triple, the ids in its order. The ends are put into the 48 bits of a partner by a multiple of the golden
 * ratio: no two triples with the same middle and ids below 2^23 have the same, and others hardly ever. */
static inline double law_random_of_three(const laws *all, const law *which, const law_input *source, int64_t i,
                                         int64_t j, int64_t k)
{
  const uint64_t ends = (uint64_t)i * UINT64_C(0x9e3779b97f4b) + (uint64_t)k;
  return law_random(all, which, source, j, (int64_t)(ends & UINT64_C(0xffffffffffff)));
}

/* ---- bonds/law_bonds.c ---- */

/* A list for a law over bonds, with columns for what it has per bond. */
floc_status law_make_bonds(environment *env, law *one);
/* Does any law over bonds have one? */
bool laws_have_bonds(const laws *all);
/* After a step: what bonds remember is taken over, and those that broke are removed. */
bool law_finish_bonds(law *one, bool succeeded);
floc_status laws_bond_sections(laws *all, section_list *list);
/* Lists of a file, one after the other for laws over bonds, made and checked before anything changes; then taken
 * over. They are freed by the last, also if they were not taken. */
floc_status laws_read_bonds(laws *all, const particles *table, const section_list *list, bond_list ***made,
                            size_t *capacity);
void laws_take_bonds(laws *all, bond_list **made);
void laws_free_bonds(laws *all, bond_list ***made, size_t *capacity);

/* ---- law_stages.c ---- */

/* Stages of all laws, and what they sum and exchange; refuses cycles. Called when a law has been added. */
floc_status laws_plan(laws *all, const particles *table);
/* Sums and rates begin with 0. kept: for laws_put_back_sums() after an observation. */
floc_status laws_begin_amounts(laws *all, const particles *table, arena *scratch, double **kept);
/* Refuses inputs from axes of particles where the table has no orientation. */
floc_status laws_check_axes(const laws *all, const particles *table, const law *one);
/* By slot; NULL: it is dropped. */
double *laws_amount_target(const laws *all, const particles *table, const law_amount *amount);

/* The blocks of pairs' sums, where the table has that number of particles. */
pair_blocks laws_pair_blocks(const laws *all, int64_t count);
/* Laws of a kind: begun, stage by stage, and added to the particles. NULL: there is nothing to do. */
typedef struct pair_pass pair_pass;
typedef struct wall_pass wall_pass;
floc_status laws_begin_pairs(laws *all, const laws_moment *at, arena *scratch, pair_pass **made);
floc_status laws_apply_pairs(pair_pass *pass, int32_t stage);
void laws_end_pairs(pair_pass *pass);
floc_status laws_begin_walls(laws *all, const laws_moment *at, arena *scratch, wall_pass **made);
floc_status laws_apply_walls(wall_pass *pass, int32_t stage);
void laws_end_walls(wall_pass *pass);
/* Adds the outputs of one kernel over all particles to the columns `target`. */
floc_status laws_apply_field(laws *all, law *which, const particles *table, double time, double time_step,
                             double *const target[], arena *scratch);

#endif
