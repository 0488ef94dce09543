/*
 * Joints solved at once. Bodies that joints link are no contacts among others: a chain of n links needs n^2 sweeps
 * times the ratio of its masses, and one factorisation. With rows w = J V + C p + offset, impulses p and
 * S = J M^-1 J^T + C,
 *
 *   equations            w = 0                        p any
 *   limits and motors    w complementary to p         lower <= p <= upper
 *
 * S is block-sparse with the graph of the joints; it is factorised as L D L^T, joints in the order of approximate
 * minimum degree (finish_order.h), so that a chain or a tree fills in nothing. Which bounds act is found by
 * principal pivoting: all rows that are wrong change sides at once; where that does not lessen their number, one at
 * a time, which ends (Murty 1974; Kostreva 1978). Without bounds that is one factorisation.
 *
 * A row whose pivot is below 1e-12 of its diagonal says what earlier ones have said: its impulse stays. Whether it
 * agrees with them is seen afterwards, in w.
 *
 * Memory: columns by row, in the order in which joints give them; L column by column in the order of elimination.
 */
#ifndef FLOC_CONTACTS_FINISH_ARTICULATION_H
#define FLOC_CONTACTS_FINISH_ARTICULATION_H

#include "base/arena.h"

enum { ARTICULATION_FREEDOMS = 6 };

typedef struct articulation_row {
  int32_t joint;   /* ascending */
  int32_t body[2]; /* -1: none that gives way */
  double coefficient[2][ARTICULATION_FREEDOMS];
  double moved[2][ARTICULATION_FREEDOMS]; /* M^-1 times them */
  double slack;                           /* C */
  double lower, upper;
} articulation_row;

typedef struct articulation {
  int32_t rows, joints, bodies;
  articulation_row *row;
  double *diagonal; /* of S [row] */
  int32_t factorisations;
  /* the rest is the solver's */
  int32_t *place;                 /* [row] in the order of elimination */
  int32_t *member;                /* [place] row */
  int64_t *start;                 /* [place + 1] of `near` */
  int32_t *near;                  /* earlier places whose rows act on the same bodies, ascending */
  double *entry;                  /* S of those */
  int32_t *parent, *mark, *stack; /* [place] of the elimination tree; scratch */
  int64_t *column, *filled;       /* [place + 1] where columns of L begin; [place] as far as they are there */
  int32_t *below;
  double *lower, *pivot, *sum;                       /* L; 1/D, 0: left out; scratch */
  int8_t *side;                                      /* [row] articulation_side */
  double *right, *begun, *change, *after, *velocity; /* [row] four times; [body][6] scratch */
} articulation;

/* Everything but the numbers of rows: order and structure. it->rows, joints, bodies and row are there. */
floc_status articulation_analyse(arena *scratch, articulation *it);
/* Numbers of rows are others, between the same bodies. */
void articulation_refill(articulation *it);
/* velocity [body][6] += M^-1 J^T p */
void articulation_push(const articulation *it, const double *impulse, double *velocity);
/* From p, which is within its bounds and has w [row], to p' so that w + S (p' - p) and p' obey the laws. False:
 * some row was left wrong. */
bool articulation_solve(articulation *it, const double *w, double *impulse);

#endif
