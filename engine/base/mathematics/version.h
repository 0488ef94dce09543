/*
 * The version of the engine's mathematics: its results at some thousand arguments, as one number. It is the same on
 * every machine; another one in a checkpoint says that other functions computed it: those of the C library, which
 * versions before 0.3.0 took, a later version's, or ones that a compiler has put out of order.
 */
#ifndef FLOC_BASE_MATHEMATICS_VERSION_H
#define FLOC_BASE_MATHEMATICS_VERSION_H

#include "base/section.h"

/* Some hundred microseconds. */
uint64_t mathematics_version(void);

/* Where a checkpoint keeps it. */
#define MATHEMATICS_SECTION "world.mathematics"
/* The one in a file; false: it has none. */
bool mathematics_of_sections(const section_list *list, uint64_t *version);

#endif
