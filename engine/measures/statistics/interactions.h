/*
 * Forces between two particles, or a particle and a body, one after the other: what stresses, fabric and
 * coarse-grained fields are sums over. Contacts of every scheme that has forces or impulses look the same here; an
 * impulse of the last step counts as the force impulse / time step, between the positions at which it was found.
 *
 * A rigid assembly is one body: branch vectors go from its centre, and forces between its members are left out.
 */
#ifndef FLOC_MEASURES_STATISTICS_INTERACTIONS_H
#define FLOC_MEASURES_STATISTICS_INTERACTIONS_H

#include "geometry/bodies.h"
#include "geometry/rigid.h"
#include "laws/laws.h"
#include "neighbors/neighbors.h"

typedef struct interaction {
  int32_t first, second; /* slots; second -1: a body */
  bool is_law;           /* of a law, and not of the scheme's contacts */
  double along;          /* of the force along the normal, > 0 is repulsive */
  double normal[3];      /* unit vector from first on */
  double position[3];    /* of first's centre, or its assembly's */
  double branch[3];      /* from there to second's centre, or its assembly's, or to the body's surface */
  double force[3];       /* on second, or on the body */
} interaction;

typedef void (*interaction_sink)(void *context, const interaction *found);

typedef struct interactions_source {
  const particles *table;
  const bodies *obstacles;
  const rigid_assemblies *assemblies;
  const domain *box;
  const domain *contact_box; /* when those positions were; NULL: the same */
  double time_step;
  /* Contacts: forces over the list, or, where that is NULL, impulses in its pair memory, found when the first
   * position_count slots were at `position` (NULL: where they are). near NULL: there are none. */
  const neighbors *contact_near;
  const pair_forces *contact_forces;
  const double *const *position;
  int64_t position_count;
  /* Laws; forces NULL: none act. */
  const neighbors *law_near;
  const pair_forces *law_forces;
} interactions_source;

/* Contacts, then laws, each in the order of its list: pairs before walls. Those without a force are left out. */
void interactions_visit(const interactions_source *source, interaction_sink sink, void *context);

#endif
