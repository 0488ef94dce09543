/*
 * A contact problem as sections, so that one can be written to a file, solved alone, compared between
 * solvers, and exchanged. The file itself is any checkpoint file (docs/checkpoint.md) with these
 * sections; numbers are in the units of the scenario. N bodies, C contacts; a vector has a section for each axis.
 *
 *   section                    type  shape     what
 *   problem.whole              i64   1 x 8     format (2), dimension, N, C, solver, max_iterations, flags, 0;
 *                                              flags: 1 bodies rotate, 2 all are round, 4 friction, 8 unsorted,
 *                                              16 the convex law, 32 limits of rolling, 64 of twisting
 *   problem.real               f64   1 x 4     time step, tolerance, working_gap, aim
 *   problem.inverse_mass       f64   N x 1
 *   problem.free_velocity.x    f64   N x 1     and .y, in three dimensions .z
 *   problem.first              i32   C x 1     body, from 0
 *   problem.second             i32   C x 1     body, or -1 for a prescribed one
 *   problem.normal.x           f64   C x 1     and .y, .z; from first to second
 *   problem.distance           f64   C x 1
 *   problem.lower              f64   C x 1     bound of the normal impulse; may be -infinity without friction
 *   problem.impulse            f64   C x 1     first guess
 * if bodies rotate:
 *   problem.inverse_inertia    f64   N x 1     in space, if they are not round, N x 6: xx yy zz xy xz yz
 *   problem.free_spin.z        f64   N x 1     in space also .x and .y
 *   problem.arm_first.x      f64   C x 1     from the body's centre to the contact: .x .y .z; if all are round
 * only .x, the length along the normal; likewise arm_second with friction: problem.friction           f64   C x 1
 *   problem.tangent.x          f64   C x 1     first guess of the impulse across the normal, and .y, .z
 *   problem.surface_velocity.x f64   C x 1     and .y, .z; may be missing: 0
 * with limits of moments:
 *   problem.rolling            f64   C x 1     likewise problem.twisting, in space
 *   problem.moment.z           f64   C x 1     first guess of the moment; in space also .x and .y
 *   problem.surface_spin.z     f64   C x 1     likewise; may be missing: 0
 * of a world of several patches (domains/patches.h), by which large islands are cut:
 *   problem.patch              i32   M x 1     of the first M bodies, from 0
 *   problem.patch_parity       u8    P x 1     of each patch, 0 to 7: which axes have an odd place
 *
 * Two older forms are read: format 1 (problem.whole 1 x 5 without format, flags and the 0, problem.real 1 x 3), and
 * `blocks.*` of version 0.2.0 (problem_file_old.c).
 */
#ifndef FLOC_CONTACTS_PROBLEM_PROBLEM_FILE_H
#define FLOC_CONTACTS_PROBLEM_PROBLEM_FILE_H

#include "base/section.h"
#include "contacts/problem/problem.h"

/* The single numbers of a problem, in the order of the sections. */
typedef struct problem_numbers {
  int64_t whole[8];
  double real[4];
} problem_numbers;

/* A problem as a scheme is about to solve it. */
typedef struct recorded_problem {
  contact_problem problem;
  contact_options options;
  const double *impulse, *tangent[3], *moment[3]; /* first guess, as in contact_answer */
} recorded_problem;

/* Appends the sections; their data are the problem's own columns and *numbers, which all must outlive the list. */
floc_status problem_sections(recorded_problem *from, problem_numbers *numbers, section_list *list);
/* The problem that a list of sections holds. Columns are the sections' data, or in `memory`. Every number is
 * checked: FLOC_DAMAGED_FILE names the first one that no problem can have. */
floc_status problem_from_sections(const section_list *list, arena *memory, recorded_problem *to);

/* ---- what the readers of all forms share ---- */

typedef struct problem_reader {
  const section_list *list;
  arena *memory;
  recorded_problem *to;
  floc_status status; /* of the first failure; nothing is read after it */
} problem_reader;

/* The data of a section of this shape; NULL once anything has failed. */
const void *problem_read(problem_reader *from, const char *name, const char *type, uint64_t rows, uint64_t columns);
/* FLOC_DAMAGED_FILE with the number's name, value and range where it is not good. */
void problem_require(problem_reader *from, bool good, const char *what, double value, const char *range);
/* Dimension, numbers of bodies and contacts, solver and max_iterations; then time step and tolerance. */
void problem_read_common(problem_reader *from, const int64_t whole[5], const double real[2]);
/* The form of version 0.2.0. */
void problem_read_blocks(problem_reader *from);

#endif
