/*
 * Patches: how a large island of a world of several patches (domains/patches.h) is cut into units (units.h).
 *
 * Phase 0 has the contacts within each patch. A contact that joins two patches belongs to the one of the lower
 * parity; what belongs to patches of one parity is one phase, a unit for each patch: 3 more phases in the plane, 7
 * in space. Bricks of one parity have a whole brick between them, so contacts of less than half a brick's length
 * that belong to two of them share no body. Longer ones may: those of particles wider than that, and what is glued
 * at a distance. So it is looked at: contacts of a body that two patches of one parity would change are left over,
 * all of them, and so is what joins patches of the same parity or a body that is in no patch. These are coloured by
 * their bodies, and come last.
 *
 * What a unit holds, and in which order, follows from where particles are and how they are sorted within a patch.
 * It depends neither on threads nor on what is stored in between.
 */
#ifndef FLOC_CONTACTS_SOLVERS_PATCH_UNITS_H
#define FLOC_CONTACTS_SOLVERS_PATCH_UNITS_H

#include "base/threads/parallel.h"
#include "contacts/problem/problem.h"
#include "contacts/solvers/system.h"
#include "domains/patches.h"

/* An island's contacts by group: those within the patches that it touches, in the order of the curve, then those
 * across, by parity and patch of their owner, then what is left over. */
typedef struct patch_cut {
  const environment *env;
  const contact_problem *problem;
  const int32_t *contact;
  int64_t count;
  int64_t width;           /* rows side by side (units.h) */
  int32_t *place;          /* [count] group, then colour, then row */
  uint64_t *used;          /* [body] of zeros; left as zeros */
  int32_t *local;          /* [patches] number among them, -1 before the plan and after patch_units_forget() */
  int32_t met;             /* patches of the island; its groups are 2 met + 1 */
  int32_t *patch;          /* [met] */
  int32_t *across;         /* [met] group of the contacts that belong to it */
  int32_t parity_group[9]; /* first group of a parity; the last: of what is left over */
  int64_t *start;          /* [2 met + 2] of a group in `listed` */
  int32_t *listed;         /* [count] places in the list of contacts; not NULL: space for them is given */
  colour_rows *rows;       /* [2 met + 1] */
} patch_cut;

/* As strips_plan(), for problem->patches. The members of `cut` down to `local` are given, all others but `listed`
 * 0. */
floc_status patch_units_plan(arena *scratch, patch_cut *cut, unit_plan *units);
/* `local` is as it was before the plan. */
void patch_units_forget(const patch_cut *cut);

/* Numbers the bodies of the island patch by patch, stand-ins after them, and fills in who is where: system->body,
 * contact, particle, body_count. slot: [body] -1; becomes the numbers. The plan's patches are forgotten. */
void patch_units_number(const patch_cut *cut, contact_system *system, int32_t *slot, double *body_root);

#endif
