/*
 * A contact problem as sections, so that one can be written to a file, solved alone, compared between
 * solvers, and exchanged. The file itself is any checkpoint file (docs/checkpoint.md) with these
 * sections; numbers are in the units of the scenario.
 *
 *   section                 type  shape          what
 *   problem.whole           i64   1 x 5          dimension, particles N, contacts C, solver, max_iterations
 *   problem.real            f64   1 x 3          time step, tolerance, working_gap
 *   problem.inverse_mass    f64   N x 1
 *   problem.free_velocity.x f64   N x 1          and .y, in three dimensions .z
 *   problem.first           i32   C x 1          particle, from 0
 *   problem.second          i32   C x 1          particle, or -1 for a prescribed body
 *   problem.normal.x        f64   C x 1          and .y, .z; from first to second
 *   problem.distance        f64   C x 1
 *   problem.lower           f64   C x 1          bound of the impulse; may be -infinity
 *   problem.impulse         f64   C x 1          first guess
 *
 * A problem with friction, or with bodies that rotate (blocks.h), has other sections; d is the dimension, F the
 * freedoms of a body (3 or 6), J the numbers of its inverse inertia (1 or 6):
 *   blocks.whole            i64   1 x 6          dimension, bodies B, contacts C, solver, max_iterations,
 *                                                round (0 or 1)
 *   blocks.real             f64   1 x 3          time step, tolerance, aim
 *   blocks.friction_law     i64   1 x 1          floc_friction_law; without the section: exact
 *   blocks.inverse_mass     f64   B x 1
 *   blocks.inverse_inertia  f64   B x J
 *   blocks.free_velocity    f64   B x F
 *   blocks.first            i32   C x 1          body, from 0
 *   blocks.second           i32   C x 1          body, or -1 for a prescribed one
 *   blocks.normal           f64   C x d          from first to second; likewise arm_first, arm_second,
 *                                                surface_velocity
 *   blocks.distance         f64   C x 1          likewise lower (bound of the normal impulse) and friction
 *   blocks.impulse          f64   C x d          first guess
 */
#ifndef FLOC_CONTACTS_PROBLEM_PROBLEM_FILE_H
#define FLOC_CONTACTS_PROBLEM_PROBLEM_FILE_H

#include "base/section.h"
#include "contacts/problem/blocks.h"

/* The single numbers of a problem, in the order of the sections. */
typedef struct problem_numbers {
  int64_t whole[5];
  double real[3];
} problem_numbers;

/* Appends the sections; their data are the problem's own columns, the impulses and *numbers, which all
 * must outlive the list. */
floc_status problem_sections(const contact_problem *problem, const contact_options *options, const double *impulse,
                             problem_numbers *numbers, section_list *list);
/* The problem that a list of sections holds. All pointers are into the sections' data; copy the impulses
 * before they are solved for. Every number is checked: FLOC_DAMAGED_FILE names the first one that no
 * problem can have. */
floc_status problem_from_sections(const section_list *list, contact_problem *problem, contact_options *options,
                                  const double **impulse);

/* One of the two kinds, as a scheme is about to solve it. */
typedef struct recorded_problem {
  const contact_problem *contacts; /* NULL: blocks */
  const block_problem *blocks;
  const contact_options *options;
  const double *impulse; /* the first guess */
} recorded_problem;

/* The same for blocks. */
typedef struct block_numbers {
  int64_t whole[6];
  double real[3];
  int64_t law;
} block_numbers;

floc_status block_sections(const block_problem *problem, const contact_options *options, const double *impulse,
                           block_numbers *numbers, section_list *list);
floc_status block_problem_from_sections(const section_list *list, block_problem *problem, contact_options *options,
                                        const double **impulse);
/* Whether a list of sections holds blocks. */
bool sections_hold_blocks(const section_list *list);

#endif
