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

enum { LAW_BLOCK = 256, LAW_INPUT_LIMIT = 24 };

typedef struct laws laws;

floc_status laws_create(environment *env, int32_t dimension, laws **all);
void laws_destroy(laws *all);
/* Names of inputs are resolved against the table's attributes now; unknown ones are refused with the list
 * of known names. */
floc_status laws_add_pair(laws *all, const particles *table, const floc_law_options *options, int32_t *number);
floc_status laws_add_field(laws *all, const particles *table, const floc_law_options *options, int32_t *number);
floc_status laws_add_attraction(laws *all, const floc_attraction_options *options, int32_t *number);
floc_status laws_set_flow(laws *all, const particles *table, const floc_flow_options *options);
floc_status laws_set_noise(laws *all, const floc_noise_options *options);
/* V* by a function instead of laws_free_velocity's own sum; options NULL: back to it. */
floc_status laws_set_a_priori(laws *all, const particles *table, const floc_law_options *options);
/* How many laws there are, of any kind: the fingerprint that a resumed world must share. */
int32_t laws_count(const laws *all);
/* Greatest range of all pair laws; 0 without any. */
double laws_range(const laws *all);
/* Sets the force columns to the sum of all pair laws and fields at the present positions and velocities. */
floc_status laws_apply(laws *all, particles *table, const neighbors *near, const domain *box, double time,
                       double time_step, arena *scratch);
/* A priori velocities V* at the end of the step, from the force columns, gravity, flow and noise
 * (Maury 2004, (3.8) and (4.3)). free_velocity: [particle count] each, [2] unused in 2-D. */
typedef struct free_velocity_input {
  double gravity[3];
  double time, time_step;
  int64_t step;
  uint64_t seed;
} free_velocity_input;
floc_status laws_free_velocity(laws *all, const particles *table, const free_velocity_input *input,
                               double *const free_velocity[3], arena *scratch);

#endif
