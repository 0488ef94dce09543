/*
 * How well particles of two kinds are mixed: the index of Lacey (1954), J. Appl. Chem. 4, 257,
 *   M = (s_0 - s)/(s_0 - s_r),
 * s the variance of the fraction p_c of one kind over cells c, s_0 that of pure cells, s_r that of a random
 * mixture. With n_c particles in a cell, N in all, C cells that are not empty, and the fraction p of all, s = sum
 * of n_c (p_c - p)^2 / N,  s_0 = p (1 - p),  s_r = p (1 - p) (C - 1)/(N - 1): s_r is exactly the mean of s over all
 * ways to hand out the kinds (p_c N-choose hypergeometric, whose variance is p (1 - p) (N - n_c)/((N - 1) n_c)), so
 * that M is 0 where all cells are pure and 1 in the mean of random mixtures, for cells of any numbers. For equal n,
 * s_r is about Lacey's p (1 - p)/n.
 */
#ifndef FLOC_MEASURES_STATISTICS_MIXING_H
#define FLOC_MEASURES_STATISTICS_MIXING_H

#include "measures/measures.h"

/* See floc.h. */
floc_status mixing_find(const measure_source *source, const floc_mixing_options *options, const char *column,
                        floc_mixing *result);

#endif
