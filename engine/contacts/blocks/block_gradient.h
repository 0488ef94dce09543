/*
 * What the loops of the projected gradient share (block_gradient.c): those for any rows, and those for rows of one
 * number (block_gradient_normal.c).
 */
#ifndef FLOC_CONTACTS_BLOCKS_BLOCK_GRADIENT_H
#define FLOC_CONTACTS_BLOCKS_BLOCK_GRADIENT_H

#include "contacts/blocks/block_system.h"

/* What one pass over contacts gives: sum[0] = d.d, sum[1] = d.A d, sum[2] = g(y).(next - q), positive when the
 * momentum carries uphill; J; residual of the inner problem, and of the law. */
typedef struct gradient_sums {
  double sum[3];
  double energy;
  double inner, outer;
} gradient_sums;

enum { GRADIENT_SUMS_SIZE = sizeof(gradient_sums) / sizeof(double) };

typedef struct gradient_state {
  const environment *env;
  const block_island *island;
  bool plain;  /* in plain impulses */
  bool lifted; /* Coulomb's law: there are outer rounds */
  double *old_q, *old_g;
  double *q, *g;
  double *next_q, *next_g;
  double *best, least; /* its energy under the convex law, its residual otherwise */
  double *lift;        /* mu s */
  gradient_sums *part;
  double beta, step, weight;
} gradient_state;

/* The first fours of a range of rows of one number, where the processor does these side by side: next_q and its
 * part of the velocities; the gradient there, and sums. Both say where they ended. */
int64_t gradient_step_normal(const gradient_state *state, int64_t begin, int64_t end);
int64_t gradient_evaluate_normal(const gradient_state *state, int64_t begin, int64_t end, gradient_sums *into);

#endif
