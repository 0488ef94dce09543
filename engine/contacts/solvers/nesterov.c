/*
 * Nesterov's momentum. See nesterov.h.
 *
 * The numbers are the best of those tried on recorded problems (piles of 10,000 and 50,000 discs with loose
 * tolerances, of 3000 with a tight one, 12,000 spheres, the sedimentation of grains with and without glue): a limit
 * that does not follow takes 1.7 times the sweeps at a gap of 0.05, and three times at 0.1, where contacts are
 * glued; windows of 20 make no difference of more than a twentieth.
 */
#include "contacts/solvers/nesterov.h"

#include <math.h>

enum { WINDOW = 10 };
static const double narrowing = 0.7;
static const double slow = 0.85; /* least residual over that of the window before */
static const double calm = 1.4;  /* greatest over least residual of a window */

nesterov nesterov_begin(void)
{
  return (nesterov){.theta = 1.0, .least = INFINITY, .least_before = INFINITY};
}

nesterov nesterov_begin_limited(double gap)
{
  nesterov it = nesterov_begin();
  it.gap = gap;
  return it;
}

void nesterov_next(nesterov *it, bool uphill)
{
  double theta = it->theta, square = theta * theta;
  double next = 0.5 * (sqrt(square * square + 4.0 * square) - square);
  it->beta = uphill ? 0.0 : fmin(theta * (1.0 - theta) / (square + next), 1.0 - it->gap);
  it->theta = uphill ? 1.0 : next;
}

void nesterov_next_limited(nesterov *it, bool uphill, double residual)
{
  it->least = fmin(it->least, residual);
  it->greatest = fmax(it->greatest, residual);
  if (++it->steps == WINDOW) {
    if (it->greatest < calm * it->least && it->least > slow * it->least_before) it->gap *= narrowing;
    it->least_before = it->least;
    it->least = INFINITY;
    it->greatest = 0.0;
    it->steps = 0;
  }
  nesterov_next(it, uphill);
}
