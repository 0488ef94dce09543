/*
 * Strips: how the rows of a large system are shared among threads.
 *
 * With colours alone, all threads meet after each colour, eight or nine times a sweep, and what one of them leaves
 * in a body's velocity another one fetches from its cache at the next colour: a sweep over 26,000 contacts, 66
 * microseconds by one thread, took 47 by two. Storage is sorted by cell, row after row, so a range of particles is
 * a strip in space. Particles are cut into strips with equally many contacts. A unit of work is
 *
 *   a strip: contacts within it, the greatest part, or
 *   a seam: contacts between a strip and the next; what shares no strip shares no body: all even ones, all odd
 * ones, or a block of one colour of the rest, which joins strips that are farther apart (storage is not always in
 * order).
 *
 * Units of one phase share no body; phases follow each other: strips, even seams, odd seams, the colours of the
 * rest. Rows stand in the order of phases, units, and of colours within a unit, so that neighbouring rows share no
 * body there either. How many strips there are depends on the number of contacts alone, hence bits do not depend on
 * threads. Bodies are numbered in the order of particles: a strip's are one range of the velocities.
 *
 * Memory: rows of unit u are unit_row[u] .. unit_row[u + 1] - 1; pieces of it (rows of one colour)
 * unit_piece[u] .. unit_piece[u + 1] - 1, piece c the rows piece_row[c] .. piece_row[c + 1] - 1.
 */
#ifndef FLOC_CONTACTS_SOLVERS_STRIPS_H
#define FLOC_CONTACTS_SOLVERS_STRIPS_H

#include "base/threads/parallel.h"
#include "contacts/problem/problem.h"

enum { STRIPS_MOST = 64, STRIPS_PHASES = 3 + 64 };

typedef struct strip_plan {
  int32_t strips; /* 0: there are none, colours go through the whole system */
  int32_t phases;
  int64_t phase_unit[STRIPS_PHASES + 1];
  int64_t *unit_row;
  int32_t *unit_piece;
  int64_t *piece_row;
  int32_t first_particle[STRIPS_MOST + 1]; /* of a strip; of the last one also the end */
  int32_t first_body[STRIPS_MOST + 1];
  int64_t first_contact[STRIPS_MOST + 1]; /* in the list of the island, by their first particles */
  int32_t outside_count[STRIPS_MOST];     /* of these: how many join the strip with another one ... */
  int32_t *outside;                       /* ... and their places in the list, from first_contact on */
} strip_plan;

/* Greatest number of units that contacts make. */
int64_t strips_most_units(int64_t contacts);
/* Cuts an island's contacts into strips: place[k] becomes the row of contact[k]. Leaves plan->strips 0 if it is not
 * worth it or cannot be done. used: [particle] of zeros; left as zeros. */
floc_status strips_plan(const environment *env, arena *scratch, const contact_problem *problem,
                        const int32_t *contact, int64_t count, uint64_t *used, int32_t *place, strip_plan *plan);

#endif
