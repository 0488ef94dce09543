/*
 * Sweeps in single precision, eight contacts side by side: see block_single.c.
 */
#ifndef FLOC_CONTACTS_BLOCKS_BLOCK_SINGLE_H
#define FLOC_CONTACTS_BLOCKS_BLOCK_SINGLE_H

#include "contacts/blocks/block_sweep.h"

/* An island's rows and its sweeps' iterates, in units of the island's own. */
typedef struct block_single {
  const block_island *island;
  bool wide; /* eight contacts at a time */
  double impulse_unit, velocity_unit;
  float *row, *x, *other; /* other: x_old, which a sweep turns into x_next */
  float *u, *before;      /* velocities of y, then of x_next; of x */
} block_single;

/* Numbers (doubles) of working memory; 0: sweeps of the island have to be in double precision. */
size_t block_single_work_size(const block_island *island);
/* Is single precision enough for residuals of `target`? Then it is filled, with both iterates x and velocity u. */
bool block_single_begin(const environment *env, const block_island *island, const double *x, const double *u,
                        double target, double *work, block_single *single);
/* block_sweep_range() of an iterate in single precision; what it returns is in the island's units. */
block_sweep_sums block_single_range(const block_single *single, double beta, double weight, int64_t begin,
                                    int64_t end);
/* After a sweep: swaps the iterates' roles. */
void block_single_swap(block_single *single);
/* u <- u + beta (u - before), before <- u */
void block_single_extrapolate(const environment *env, const block_single *single, double beta);
/* x and its velocity, for a look. */
void block_single_read(const environment *env, const block_single *single, double *x, double *u);

#endif
