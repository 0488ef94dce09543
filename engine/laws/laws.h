/*
 * Forces as functions: pair laws and fields. A law is a kernel on blocks of numbers (floc_kernel_function)
 * with the names of its inputs; this room gathers the inputs, calls the kernel, and adds the outputs to
 * the force columns fx fy fz. Who wrote the kernel (a C function, a Lua function, a traced program) makes
 * no difference here.
 *
 * Pair forces are kept per pair and gathered per particle in the order of the list, so the sum does not
 * depend on threads.
 */
#ifndef FLOC_LAWS_LAWS_H
#define FLOC_LAWS_LAWS_H

#include "base/arena.h"
#include "neighbors/neighbors.h"

enum { LAW_BLOCK = 256 };

typedef struct laws laws;

floc_status laws_create(environment *env, int32_t dimension, laws **all);
void laws_destroy(laws *all);
/* Names of inputs are resolved against the table's attributes now; unknown ones are refused with the list
 * of known names and the nearest. */
floc_status laws_add_pair(laws *all, const particles *table, const floc_law_options *options, int32_t *number);
floc_status laws_add_field(laws *all, const particles *table, const floc_law_options *options, int32_t *number);
int32_t laws_count(const laws *all);
/* Greatest range of all pair laws; 0 without any. */
double laws_range(const laws *all);
/* Sets the force columns to the sum of all laws at the present positions and velocities. */
floc_status laws_apply(laws *all, particles *table, const neighbors *near, const domain *box, double time,
                       arena *scratch);

#endif
