/*
 * Stress, fabric, temperature and the balance of forces of all particles in a volume V.
 *
 * The stress is that of the virial, compression positive:
 *   V sigma = sum over bodies m (v - v_mean) (v - v_mean)^T + sum over contacts and laws F l^T,
 * F the force on the second of a pair, or on the wall, l the branch vector, from the first's centre to the second's
 * or to the wall's surface. In a box at rest V sigma is the sum of F x^T over all points x where walls are pressed
 * (the balance of every particle times its position, added up), so the stress times the area of a wall is the force
 * on it.
 */
#ifndef FLOC_MEASURES_STATISTICS_STRESS_H
#define FLOC_MEASURES_STATISTICS_STRESS_H

#include "measures/measures.h"

/* Where the axis begins and ends: the domain, or on an open axis the particles, their centres less and more `radii`
 * times their radii; from infinity to -infinity without particles. */
void measured_ends(const measure_source *source, int axis, double radii, double *lower, double *upper);
/* Of the domain where it is closed (walls on both sides, or periodic), of the particles' bounding box on open axes;
 * 0 without particles. */
double measured_volume(const measure_source *source);
/* Bodies that move freely, at their centres: particles by themselves in the order of ids, then assemblies. */
typedef void (*body_sink)(void *context, double mass, const double velocity[3], const double position[3]);
void bodies_of_motion_visit(const measure_source *source, body_sink sink, void *context);
/* Sum of m u u^T over bodies, u their velocities about the mean, without the flow of a box that moves. */
void stress_of_motion(const measure_source *source, double tensor[9]);
/* volume 0: that one. what: the caller's name, for messages. */
floc_status stress_find(const measure_source *source, const char *what, double volume, floc_stress *stress);

/* Twice the energy of the velocities about their mean per degree of freedom; an assembly is one body. */
double temperature_of_motion(const measure_source *source);
/* The same per mass: the mean square of a component of the fluctuating velocity. */
double granular_temperature_of_motion(const measure_source *source);
/* Of angular velocities, about 0. */
double temperature_of_rotation(const measure_source *source);

/* Mean force that is left on a body over the mean force of a contact; infinite if no contact carries a force. */
floc_status unbalanced_force_find(const measure_source *source, double *ratio);

#endif
