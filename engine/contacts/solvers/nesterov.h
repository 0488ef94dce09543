/*
 * Nesterov's momentum for the solvers of contact problems, y = x + beta (x - x_old), with restart.
 *
 *   theta' = (sqrt(theta^4 + 4 theta^2) - theta^2) / 2,   beta = theta (1 - theta) / (theta^2 + theta')
 *
 * Where the momentum carries uphill, theta begins at 1 again (O'Donoghue and Candes 2015). That is all that the
 * accelerated gradient needs. Around sweeps of Gauss-Seidel it is not enough: beta comes so near to 1 that the
 * momentum goes a long way in directions that change no velocity (there are as many as there are contacts too many
 * to carry the load), never uphill, and what sweeps leave in single contacts is carried along with it. Recorded
 * problems of a pile of 50,000 discs needed up to 1600 sweeps with a residual that jumped about; a fifth of that
 * with a beta of at most 0.97. Where accuracy is asked for, the same limit may be too low; there, the residual
 * falls slowly but calmly. So beta is kept below 1 - gap, and the gap becomes smaller as long as that is seen.
 */
#ifndef FLOC_CONTACTS_SOLVERS_NESTEROV_H
#define FLOC_CONTACTS_SOLVERS_NESTEROV_H

#include <stdbool.h>

typedef struct nesterov {
  double beta; /* weight of the momentum in the next step */
  double theta;
  double gap;             /* 0: no limit */
  double least, greatest; /* residuals of this window */
  double least_before;    /* of the window before */
  int steps;              /* in this window */
} nesterov;

/* Momentum without a limit, and with one that follows the residual, from a first gap on; the first step has beta 0.
 */
nesterov nesterov_begin(void);
nesterov nesterov_begin_limited(double gap);
/* After a step: beta for the next one. uphill: the step went against its momentum. */
void nesterov_next(nesterov *it, bool uphill);
/* The same with the residual, or an estimate of it, that the step met (of any unit): where it falls slowly but
 * calmly the limit is raised. */
void nesterov_next_limited(nesterov *it, bool uphill, double residual);

#endif
