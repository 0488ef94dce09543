/*
 * One sweep over a range of an island's contacts: see block_gauss_seidel.c.
 */
#ifndef FLOC_CONTACTS_SOLVERS_BLOCK_SWEEP_H
#define FLOC_CONTACTS_SOLVERS_BLOCK_SWEEP_H

#include "contacts/blocks/block_system.h"

typedef struct block_sweep_sums {
  double uphill; /* step . A moved, negative: above 0 the momentum carries uphill; NaN if anything is */
  double square; /* of the greatest A times a step */
} block_sweep_sums;

/* Sweeps contacts begin .. end-1: x_next into `other`, from y = x + beta (x - other); velocity is that of y and
 * becomes that of x_next. weight: of what a contact moves. */
block_sweep_sums block_sweep_range(const block_island *island, const double *x, double *other, double *velocity,
                                   double beta, double weight, int64_t begin, int64_t end);

#endif
