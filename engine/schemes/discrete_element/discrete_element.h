/*
 * Discrete elements: soft spheres with contact, friction, bonds, near-field, drag and electromagnetic
 * forces (Zohdi 2016, sections 2 to 6; readings of it in docs/schemes/discrete_element.md). Two integrators: the
 * paper's trapezoidal rule with fixed-point iteration and adaptive steps, and velocity Verlet.
 *
 * What a pair remembers lies in pair memory: the tangential spring (the way that the second particle's
 * surface has crept along the first one's, a vector) and the contact area A_0 of a persistent bond.
 */
#ifndef FLOC_SCHEMES_DISCRETE_ELEMENT_DISCRETE_ELEMENT_H
#define FLOC_SCHEMES_DISCRETE_ELEMENT_DISCRETE_ELEMENT_H

#include "schemes/scheme.h"

/* Adds the attributes that the options need to the table (wx wy wz, temperature, magnetization) and columns
 * of pair memory. */
floc_status discrete_element_create(environment *env, int32_t dimension,
                                    const floc_discrete_element_options *options, particles *table, neighbors *near,
                                    scheme *out);

/* What the scheme knows, and energies of the present state; near: as for scheme.energies. */
void discrete_element_report(const scheme *method, const particles *table, const bodies *obstacles,
                             const domain *box, const neighbors *near, floc_discrete_element_report *report);

/* See floc_bond_add. */
floc_status discrete_element_add_bond(scheme *method, const particles *table, const bodies *obstacles,
                                      const domain *box, int64_t id_i, int64_t id_j, double area);

/* See floc_bond_remove. */
floc_status discrete_element_remove_bond(scheme *method, const particles *table, int64_t id_i, int64_t id_j);
/* The column of pair memory that has the bonds' areas. */
#define BOND_AREA "bond_area"
/* Those that pairs remember, whatever the scheme is; see floc_world_get_bonds. Gives how many there are. */
int64_t bonds_list(const neighbors *near, const particles *table, const domain *box, floc_bond *bonds,
                   int64_t capacity);

/* The factor (75) by which the step should change, before it is clamped: first_error is the error before
 * the first iteration, error the one after `iterations` of them, `desired` is K_d, `order` p. */
double step_size_factor(double tolerance, double first_error, double error, int32_t iterations, int32_t desired,
                        double order);

#endif
