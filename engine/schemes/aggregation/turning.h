/*
 * How clusters turn between events: exactly, as rigid bodies on which nothing acts.
 *
 * A cluster turns about its centre of mass from the places that its members have at motion.time, with the angular
 * momentum J of its spin. In the plane the angle is omega t. In space Euler's equations m' = m x omega, omega =
 * I^-1 m (m: J as the body sees it) and q' = q omega / 2 for the quaternion q of the turn are solved by their
 * Taylor series; both right sides are products, so that a coefficient is a sum over those before it. Because |I_i -
 * I_j| <= I_k for every body, |omega'| <= |omega|^2 / sqrt(3), and the series converge for sqrt(3) / |omega| at
 * least. They are used for LIMIT / |omega|, where what 18 terms leave is below rounding; the cluster is settled
 * before that.
 *
 * The same bound gives the greatest acceleration of a member, which the search for contacts needs:
 * (1 + 1 / sqrt(3)) |omega|^2 times its distance from the centre, |omega|^2 of it in the plane.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_TURNING_H
#define FLOC_SCHEMES_AGGREGATION_TURNING_H

#include "schemes/aggregation/clusters.h"

/* From a cluster's members, which are where they are at motion.time, and its J: inertia, angular velocity, turn. */
void cluster_turning_begin(cluster_set *set, int32_t cluster);
/* Puts what the cluster has turned by until now into its members' places; its path grows by it. */
void cluster_turning_apply(cluster_set *set, int32_t cluster, double now);
/* The matrix of the turn at a time after motion.time. */
void cluster_turn(const cluster_set *set, int32_t cluster, double elapsed, double turn[3][3]);
/* Angular velocity at that time. */
void cluster_turned_velocity(const cluster_set *set, int32_t cluster, double turn[3][3], double omega[3]);

#endif
