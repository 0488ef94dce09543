/*
 * Coarse-grained fields of Goldhirsch (2010), Granular Matter 12, 239: with a kernel phi of width w around every
 * particle, density and momentum are
 *   rho(r) = sum of m phi(r - x),  p(r) = sum of m v phi(r - x),
 * the kinetic stress is the sum of m u u^T phi with u = v - p/rho, that of contacts and laws the sum over
 * interactions of F l^T times the mean of phi(r - s) over the points s of the branch l from centre to centre or to
 * the wall. They satisfy the balances of mass and momentum at every point, whatever w is. Compression is positive
 * (floc_stress).
 *
 * phi is a product of normal densities of the deviation w along the axes, cut off at six widths and scaled to the
 * integral 1. A field is its mean over each cell of the grid, from differences of the kernel's integral at the
 * faces, so that cells that hold all of the kernels hold all of the mass.
 */
#ifndef FLOC_MEASURES_STATISTICS_COARSE_GRAIN_H
#define FLOC_MEASURES_STATISTICS_COARSE_GRAIN_H

#include "measures/measures.h"

/* Checks the options and fills the grid. */
floc_status coarse_grain_grid(const measure_source *source, const floc_coarse_grain_options *options,
                              floc_grid *grid);
/* fields: [FLOC_FIELD_COUNT][cells]. */
floc_status coarse_grain_find(const measure_source *source, const floc_coarse_grain_options *options,
                              const floc_grid *grid, double *fields);

#endif
