/*
 * Strips: how a large island of a world that is one patch is cut into units (units.h).
 *
 * Storage is sorted by cell, row after row, so a range of particles is a strip in space. Particles are cut into
 * strips with equally many contacts; phases are strips, even seams, odd seams, the colours of the rest. A seam has
 * the contacts between a strip and the next: what shares no strip shares no body. The rest joins strips that are
 * farther apart (storage is not always in order). How many strips there are depends on the number of contacts
 * alone, hence bits do not depend on threads.
 */
#ifndef FLOC_CONTACTS_SOLVERS_STRIPS_H
#define FLOC_CONTACTS_SOLVERS_STRIPS_H

#include "base/threads/parallel.h"
#include "contacts/problem/problem.h"
#include "contacts/solvers/units.h"

enum { STRIPS_MOST = 64 };

typedef struct strip_plan {
  int32_t strips;                          /* 0: there are none */
  int32_t first_particle[STRIPS_MOST + 1]; /* of a strip; of the last one also the end */
  int64_t first_contact[STRIPS_MOST + 1];  /* in the list of the island, by their first particles */
  int32_t outside_count[STRIPS_MOST];      /* of these: how many join the strip with another one ... */
  int32_t *outside;                        /* ... and their places in the list, from first_contact on */
} strip_plan;

/* Cuts an island's contacts into strips: place[k] becomes the row of contact[k]. Leaves strips and grounds 0 if it
 * is not worth it or cannot be done. used: [particle] of zeros; left as zeros. outside: [count] space for the
 * plan's. */
floc_status strips_plan(const environment *env, arena *scratch, const contact_problem *problem,
                        const int32_t *contact, int64_t count, uint64_t *used, int32_t *place, int32_t *outside,
                        strip_plan *plan, unit_plan *units);

#endif
