/*
 * The grid of aggregation/clusters.h: its size, and an order of the particles in which neighbours lie near
 * each other in memory. Registration and search are declared in aggregation/clusters.h.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_GRID_H
#define FLOC_SCHEMES_AGGREGATION_GRID_H

#include "schemes/aggregation/clusters.h"

/* Chooses skin and cells for the particles of the table, and empties the cells. The box, the dimension
 * and the radii of the set are known. */
floc_status cluster_grid_prepare(cluster_set *set, const particles *table, double skin);
/* order[k] gets the slot of the particle that shall become member k: along a Z-curve over the cells. */
floc_status cluster_grid_order(cluster_set *set, const particles *table, int32_t *order);
/* Empties the grid for another skin: all members are registered nowhere. */
floc_status cluster_grid_change_skin(cluster_set *set, double skin);
/* The same grid as the set had with this skin and covered region, filled from the members' cell numbers;
 * FLOC_DAMAGED_FILE if one of them is not a cell. */
floc_status cluster_grid_restore(cluster_set *set);

#endif
