/*
 * The contacts of a configuration, read from neighbour lists and pair memory.
 */
#ifndef FLOC_MEASURES_CONTACTS_H
#define FLOC_MEASURES_CONTACTS_H

#include "geometry/rigid.h"
#include "neighbors/neighbors.h"

/* Writes up to capacity contacts in the order of the lists, pairs before walls; returns how many there
 * are. Members of one assembly are not in contact. Which count: see floc_world_get_contacts. */
int64_t contacts_list(const particles *table, const bodies *obstacles, const rigid_assemblies *assemblies,
                      const neighbors *near, const domain *box, floc_contact *contacts, int64_t capacity);

#endif
