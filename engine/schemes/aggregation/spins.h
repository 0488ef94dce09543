/*
 * Angular momenta of clusters, which both schemes of ballistic aggregation can keep (Degond, Dimarco, Ferreira,
 * Hecht 2024, section 2).
 *
 * A cluster carries its angular momentum J about its centre of mass; the spheres (discs) take part with their own
 * moments of inertia, 2/5 m R^2 (1/2 m R^2). At a merge J is the sum of both and of the orbital part
 * m_a m_b / (m_a + m_b) (x_a - x_b) x (v_a - v_b), (2.9) with the correct cross product. A cluster that reaches
 * itself through periodic faces cannot turn: it gives J to the box.
 *
 * Places of members are cut by periodic faces, one by one; images put them together (aggregation/clusters.h).
 */
#ifndef FLOC_SCHEMES_AGGREGATION_SPINS_H
#define FLOC_SCHEMES_AGGREGATION_SPINS_H

#include "schemes/aggregation/clusters.h"

/* A member's place relative to its cluster's offset, by its image. */
void cluster_whole_place(const cluster_set *set, int32_t member, double place[3]);
/* The same relative to a centre. */
void cluster_arm(const cluster_set *set, int32_t member, const double center[3], double arm[3]);
/* Single particles that turn as the table says. */
void cluster_spins_begin(cluster_set *set, const particles *table);
/* Two members are about to be linked: their clusters' places get images by which they are next to each other;
 * if they are of one cluster and cannot be, it is endless. */
void cluster_spins_align(cluster_set *set, int32_t first, int32_t second);
/* Angular momentum and centre of a cluster that is about to absorb another. */
void cluster_spins_join(cluster_set *set, int32_t kept, int32_t absorbed);
/* Centre, tensor of inertia and radius from the members' places. */
void cluster_spin_find_inertia(cluster_set *set, int32_t cluster);
/* I^-1 J; in the plane only the axis through it counts. */
void cluster_spin_velocity(const cluster_spin *spin, const double momentum[3], int32_t dimension, double omega[3]);

#endif
