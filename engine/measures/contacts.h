/*
 * The contacts of a configuration, read from neighbour lists, and from pair memory or from forces that were looked
 * at.
 */
#ifndef FLOC_MEASURES_CONTACTS_H
#define FLOC_MEASURES_CONTACTS_H

#include "schemes/scheme.h"

/* What a list of contacts is made from. */
typedef struct contacts_source {
  const particles *table;
  const bodies *obstacles;
  const rigid_assemblies *assemblies;
  const neighbors *near;
  const domain *box;
  /* hard contacts: impulses in pair memory, and where particles were when they acted */
  const double *const *position; /* [3], by slot; NULL: where they are */
  int64_t position_count;
  /* soft contacts: forces by the entries of `near`, and the time that makes impulses of them; NULL: the others */
  const observed_forces *forces;
  double time_step;
} contacts_source;

/* What of contacts is looked at: finding the rest costs time, and is left at 0. */
typedef struct contact_wants {
  bool distance, place; /* place: normal and point */
} contact_wants;

/* Contacts come in blocks, in the order of the lists, pairs before walls. Members of one assembly are not in
 * contact. Which count: see floc_world_get_contacts. */
typedef void (*contacts_sink)(void *context, const floc_contact *contacts, int32_t count);
void contacts_visit(const contacts_source *source, const contact_wants *wants, contacts_sink sink, void *context);

#endif
