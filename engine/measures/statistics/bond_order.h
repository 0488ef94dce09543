/*
 * Bond-orientational order: how well the directions to the neighbours of each particle fit those of a lattice.
 */
#ifndef FLOC_MEASURES_STATISTICS_BOND_ORDER_H
#define FLOC_MEASURES_STATISTICS_BOND_ORDER_H

#include "measures/measures.h"
#include "measures/statistics/pair_rows.h"

/* See floc.h. The options were checked; rows: all pairs of neighbours. values: by rank, or NULL. */
floc_status bond_order_find(const measure_source *source, const floc_bond_order_options *options,
                            const pair_rows *rows, double *values, floc_bond_order *result);

#endif
