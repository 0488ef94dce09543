/*
 * Islands of a contact problem: which contacts of a list are connected through particles, and the list sorted by
 * that.
 *
 * Union-find in which the root of a tree is its smallest particle. A contact's first particle is the smaller one
 * and contacts are sorted by it, so an island's first contact is the one whose first particle is the root: islands
 * in the order of their first contacts are islands in the order of their roots. That is what lets threads share the
 * work: a list is cut where a new first particle begins, each part joins what lies within its own range of
 * particles, and what crosses from one range into another is joined after. Roots, and the order of everything, do
 * not depend on where the list is cut. Contacts of rigid assemblies are not sorted: one thread goes through them.
 */
#ifndef FLOC_CONTACTS_PROBLEM_GROUPING_H
#define FLOC_CONTACTS_PROBLEM_GROUPING_H

#include "base/environment.h"
#include "contacts/problem/problem.h"

typedef struct grouping {
  const environment *env;
  const contact_problem *problem;
  int32_t *parent;  /* [particle] of a tree; before the first contact is joined, each particle is its own */
  int64_t *spent;   /* [particle] at a root: products that the island has cost; joined islands take the greater */
  int32_t *slot;    /* [particle] -1, before and after */
  int32_t *root;    /* [listed contact] scratch, free for others between calls */
  int32_t *contact; /* [listed contact] the contacts, island by island, in their order within an island */
  int64_t *start;   /* [island + 1] where each begins */
  int64_t count;    /* islands */
  bool joined;      /* a list has been joined */
} grouping;

/* Memory for lists of up to all contacts; `parent`, `spent` and `slot` are not filled. */
floc_status grouping_allocate(grouping *all, arena *scratch);
/* The smallest particle of the island that a contact belongs to. */
int32_t grouping_root(const grouping *all, int64_t contact);
/* Joins the particles of each listed contact. listed: in ascending order. */
void grouping_join(grouping *all, const int32_t *listed, int64_t count);
/* Sorts the listed contacts, which were joined, by island. */
floc_status grouping_sort(grouping *all, arena *scratch, const int32_t *listed, int64_t count);

#endif
