/*
 * Pairs or triples of particles that are given by their ids, and numbers that each of them has: the list of a law
 * over bonds (law_input.h). A pair is (i, j) with i < j; a triple (i, j, k) is an angle at its middle particle j,
 * i < k.
 *
 * Memory: ids are sorted, in `id`; that is the order in which hosts and files see bonds. What is used in a step is
 * an entry per bond in the order of storage, as a neighbour list (pair_list), so that the same code goes through
 * both: pairs sorted by (first, second) slot, triples by the slot of the middle particle, columns beside them.
 * entry[b] is where bond b is. Particles are brought into another order now and then; then the list is stale, and
 * bonds_follow() sorts it again, by counting, in linear time.
 *
 * All arrays are parts of one allocation, so what fails for want of memory changes nothing.
 */
#ifndef FLOC_LAWS_BOND_LIST_H
#define FLOC_LAWS_BOND_LIST_H

#include "neighbors/neighbors.h"

typedef struct bond_list {
  environment *env;
  int32_t members; /* 2 or 3 */
  int32_t columns; /* of pairs.memory */
  int64_t count;
  int64_t rows; /* particles that the entries were made for; -1: they are stale */
  int64_t *id;  /* [count][members] */
  int32_t *entry;
  pair_list pairs; /* by entry. Triples: first and second are i and j, incoming holds member + 3 entry for each
                      particle that is in triples, sorted */
  int32_t *third;
  uint8_t *turned; /* per entry of pairs: has the second particle the smaller id? */
  uint8_t *broken; /* per entry: the law wants it removed at the end of the step */
  int32_t *spare;  /* [4 count] */
  void *block;
  size_t size;
} bond_list;

floc_status bond_list_create(environment *env, int32_t members, int32_t columns, bond_list **made);
void bond_list_destroy(bond_list *bonds);
/* Puts ids of each bond into their order: the smaller first, of triples the smaller end. */
void bond_order(int64_t *id, int32_t members);
/* Adds bonds whose ids are in order and sorted, and not in the list: of bond n the number of column c is
 * values[c][n]. */
floc_status bond_list_add(bond_list *bonds, const particles *table, int64_t count, const int64_t *id,
                          const double *const *values);
/* Sorts entries again if particles have another order, or there are more of them. */
floc_status bond_list_follow(bond_list *bonds, const particles *table);
/* Number of a bond in the order of ids, -1: there is none. */
int64_t bond_list_find(const bond_list *bonds, const int64_t *id);
/* Removes entries that are marked as broken; needs no memory. */
void bond_list_drop_broken(bond_list *bonds);
/* Removes bonds of slots whose new_slot is -1; the entries are up to date before, and stale behind. */
void bond_list_forget(bond_list *bonds, const int32_t *new_slot);
/* -1, 0, 1: as the ids of two bonds are in order. */
int bond_compare(const int64_t *one, const int64_t *other, int32_t members);

#endif
