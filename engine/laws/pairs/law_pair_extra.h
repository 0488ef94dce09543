/*
 * What pair laws give beyond forces on the line of contact, and inputs that few laws ask for: forces and torques as
 * vectors, sums and exchanges of attributes (law_stages.c), random numbers, materials.
 *
 * A vector acts on i at its centre, its opposite on j; so does a torque. Amounts go the way of forces
 * (law_pairs.c): to particles of the block at once, for those of later blocks by entry, which are added in the
 * order of the list when the law is done. So no sum depends on threads.
 */
#ifndef FLOC_LAWS_LAW_PAIR_EXTRA_H
#define FLOC_LAWS_LAW_PAIR_EXTRA_H

#include "laws/pairs/law_pair_block.h"

typedef struct pair_amounts {
  double *target[LAW_OUTPUT_LIMIT];  /* by slot, of the law at work; NULL: dropped */
  double *foreign[LAW_OUTPUT_LIMIT]; /* by entry, for its second particle; only where `gave` */
  uint8_t *gave;
} pair_amounts;

/* Space for the laws of the list; foreign: there are several blocks. */
bool pair_amounts_make(pair_amounts *made, const law_list *list, size_t entries, bool foreign, arena *scratch);
void pair_add_amounts(const pair_amounts *to, const law *which, const pair_block *pairs, const law_block *block,
                      int64_t end);
/* Of the entries before the block that begins at particle `begin`. */
void pair_settle_amounts(const pair_amounts *from, const law *which, const pair_list *pairs, int64_t begin,
                         int64_t end);

void pair_add_vectors(const push_places *to, const law *which, const pair_block *pairs, const law_block *block,
                      bool turns);
/* For who looks at forces of pairs: split into those along and across the line of centres. */
void pair_record_vectors(const laws *all, const law *which, const pair_block *pairs, const uint8_t *turned,
                         const int32_t *shown, const law_block *block);

/* A component of an axis of the particles in these slots. */
const double *pair_axes(const laws *all, const particles *table, const law_input *source, const int32_t *slot,
                        int32_t count, double *values);
const double *pair_material(const particles *table, const int32_t *slot, int32_t count, double *values);
/* i has the smaller id, so the key does not depend on storage. */
const double *pair_random(const laws *all, const law *which, const law_input *source, const int64_t *id,
                          const pair_block *pairs, double *values);

#endif
