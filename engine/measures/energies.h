/*
 * Energies of the present state, by kind. Nothing here changes what it looks at: laws are evaluated once more, over
 * lists of their own (present_lists.h) and into force columns of their own.
 */
#ifndef FLOC_MEASURES_ENERGIES_H
#define FLOC_MEASURES_ENERGIES_H

#include "measures/measures.h"

/* Of motion: of the centres, and of turning about them. An assembly is one body. */
typedef struct kinetic_energies {
  double translational, rotational;
} kinetic_energies;
kinetic_energies energies_of_motion(const measure_source *source);

/* m g.x, about the origin. */
double energy_of_gravity(const measure_source *source);

/* Of laws (what they give as energy), attractions, and what the scheme stores between pairs. May call the host. */
typedef struct potential_energies {
  law_energies given;
  stored_energies stored;
} potential_energies;
floc_status energies_of_pairs_and_fields(const measure_source *source, potential_energies *energies);

#endif
