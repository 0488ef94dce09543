/*
 * Sparse Cholesky factorisation of I + R^T D R, R the rows of one island (two blocks of `freedoms` numbers each,
 * for the bodies they act on), D diagonal, positive: the matrix of every step of the interior point method
 * (finish.h). Its graph is that of bodies and contacts; A = R R^T is never formed. In the mass metric of system.h
 * the rest of the matrix is the identity, so whatever the masses, no pivot is below 1 but for rounding.
 *
 * Multifrontal (Duff and Reid 1983): bodies are eliminated in the order of finish_order.h; those with the same
 * neighbours among later ones form a node of a tree, whose columns are one dense "front" (finish_front.h). A node's
 * front is what rows give to its bodies and what its children leave over. The order of all sums is fixed by the
 * tree: the bits depend on no thread and no processor.
 *
 * Memory: panel s, column by column, (pivots + rows) x pivots numbers with `freedoms` per body, the upper corner
 * unused. What children leave over lies on a stack, in the order of the tree.
 */
#ifndef FLOC_CONTACTS_SOLVERS_FINISH_FACTOR_H
#define FLOC_CONTACTS_SOLVERS_FINISH_FACTOR_H

#include "base/arena.h"

/* Rows that act on bodies. */
typedef struct factor_rows {
  int32_t freedoms; /* numbers per body, 1 to 6 */
  int32_t bodies;
  int64_t count;
  const int32_t *body;       /* [row][2]; second -1: none */
  const double *coefficient; /* [row][2][freedoms] */
} factor_rows;

typedef struct factor_node {
  int32_t first, pivots; /* its bodies, in the order of elimination */
  int32_t rows;          /* later bodies that it acts on */
  int32_t parent;        /* node; -1: none */
  int64_t row;           /* where its rows begin in `row` */
  int64_t panel;         /* where its panel begins in `number` */
} factor_node;

typedef struct sparse_factor {
  const factor_rows *rows;
  int32_t *place; /* [body] in the order of elimination */
  int32_t count;
  factor_node *node; /* [count] children before parents, each subtree without gaps */
  int32_t *row;      /* places, ascending for each node */
  int64_t *target;   /* [row][3]: where its blocks begin in `number`: first body, second body, both */
  int32_t *stride;   /* [row][2]: length of columns there; that of both is that of the earlier body */
  int64_t entries;   /* numbers in all panels */
  double operations; /* multiplications and additions of a factorisation */
  double *number;    /* [entries] */
  int64_t stack_size;
  double *stack;
  double *panel;  /* scratch for one front */
  int32_t *where; /* [place] in the front */
  int32_t *open;  /* nodes whose rest lies on the stack */
  bool wide;      /* which form of the loops runs; the bits are the same */
} sparse_factor;

/* The analysis: order, tree, sizes and cost. Nothing is as large as the factor. */
floc_status factor_analyse(arena *scratch, const factor_rows *rows, sparse_factor *it);
/* Memory for the numbers. */
floc_status factor_allocate(arena *scratch, sparse_factor *it);
/* Factorises for the weights D. False: a number is not finite, or the call was given up. */
bool factor_compute(const environment *env, sparse_factor *it, const double *weight);
/* Solves in place: x [body][freedoms]; work: as long. */
void factor_solve(const sparse_factor *it, double *x, double *work);

#endif
