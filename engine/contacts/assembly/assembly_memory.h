/*
 * How contacts_assemble() takes up what pairs remember.
 */
#ifndef FLOC_CONTACTS_ASSEMBLY_ASSEMBLY_MEMORY_H
#define FLOC_CONTACTS_ASSEMBLY_ASSEMBLY_MEMORY_H

#include "contacts/assembly/assembly.h"

/* The first guess of friction and of moments, where the law has them: set->tangent, set->moment. */
floc_status contacts_recall_vectors(const contact_source *source, const contact_law *law, contact_set *set);
/* set->lower holds gamma; bounds of the impulse follow from it by the gluey law. */
floc_status contacts_set_gluey_bounds(const contact_source *source, const contact_law *law, contact_set *set);

#endif
