/*
 * Dense fronts of the sparse factorisation (finish_factor.h): partial Cholesky factorisation of a panel of columns,
 * and what its rows below leave over for others. The same multiplications and additions in the same order on every
 * processor; one with AVX2 (`wide`) does four at a time.
 *
 * A panel has `height` rows, of which the first `pivots` meet its columns; column after column, each `height` long.
 * Above the diagonal nothing is read.
 */
#ifndef FLOC_CONTACTS_SOLVERS_FINISH_FRONT_H
#define FLOC_CONTACTS_SOLVERS_FINISH_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRONT_DEPTH = 192, FRONT_STRIP = 8 };

/* Numbers of working memory for fronts up to that height. */
static inline size_t front_work_size(int64_t height)
{
  return (size_t)(height + FRONT_STRIP) * FRONT_DEPTH;
}

/* Panel = L L^T in its upper part, times the same below. The diagonal becomes 1/L_jj. False: a pivot is not above 0
 * or not finite. */
bool front_factor(bool wide, double *panel, int64_t height, int64_t pivots, double *work);
/* rest -= L L^T of the rows below; the lower half of a square of height - pivots. */
void front_leave(bool wide, const double *panel, int64_t height, int64_t pivots, double *rest, double *work);

#endif
