/*
 * A contact problem, or an island of one, in the form that all solvers work on: every row scaled so that
 * the diagonal of A is 1 (Jacobi), every body in the mass metric, so that nothing depends on the unit of
 * mass and masses over many decades do no harm.
 *
 *   u = M^(1/2) (V - V*),   q_a = A_aa^(1/2) p_a,   w'_a = A_aa^(-1/2) w_a
 *   u = R^T q,   w' = offset + R u,   R_a = A_aa^(-1/2) (G M^(-1/2))_a,   |R_a| = 1
 *   residual R = h max_a A_aa^(1/2) |min(w'_a, q_a - lower_a)|
 *
 * Memory: columns by contact, with one spare element for loops that take two at a time.
 * coefficient[a][2][dimension] are the two blocks of row a, body[a][2] the bodies they act on. A contact with an
 * obstacle has a stand-in of its own as second body, with coefficients 0, so that no loop needs to ask. Velocities
 * are interleaved: u[body][dimension].
 *
 * Colours: contacts stand in groups ("colours") in which no body occurs twice. Within a colour the order
 * of work does not matter, so threads may share it; colours follow each other in order. That gives
 * every body its sums in a fixed order, at any number of threads, and lets a processor overlap
 * neighbouring rows. What does not fit into the first 63 colours (a body with very many contacts) stands
 * in a last group that one thread does alone.
 */
#ifndef FLOC_CONTACTS_SYSTEM_H
#define FLOC_CONTACTS_SYSTEM_H

#include "base/parallel.h"
#include "contacts/lanes.h"
#include "contacts/problem.h"

enum { SYSTEM_COLOURS = 64, SYSTEM_BLOCK = 1024 };

typedef struct contact_system {
  int32_t dimension;
  double time_step;
  int64_t contact_count;
  int64_t body_count;  /* with the stand-ins for obstacles */
  int32_t *contact;    /* number of the contact in the problem */
  int32_t *body;       /* [contact][2] */
  double *coefficient; /* [contact][2][dimension] */
  double *offset;
  double *lower;
  double *root_diagonal; /* A_aa^(1/2) */
  double *impulse;       /* q: first guess, then solution */
  int32_t *particle;     /* [body] particle in the problem; -1 for stand-ins */
  int32_t colour_count;
  int64_t colour_start[SYSTEM_COLOURS + 1];
  bool serial_tail; /* the last colour is the group without the guarantee */
} contact_system;

/* The whole problem as one coloured system in arena memory; impulse is the first guess. */
floc_status system_create(environment *env, arena *scratch, const contact_problem *problem, const double *impulse,
                          contact_system *system);
/* Memory for contacts and bodies; nothing is filled in. */
floc_status system_allocate(arena *scratch, int32_t dimension, int64_t contact_count, int64_t body_count,
                            contact_system *system);
/* Orders the contact numbers in `contact` by colour. used: [body] of zeros, body numbers as in first and
 * second (an obstacle does not count); left as zeros. sorted: scratch of the same length as contact. */
void system_colour(const contact_problem *problem, contact_system *system, uint64_t *used, int32_t *sorted);
/* Fills row k of the system from the contact it names. The roots are those of the bodies' inverse masses. */
void system_fill_row(const contact_problem *problem, const double *impulse, contact_system *system, int64_t k,
                     double first_root, double second_root);
/* Columns are read two elements at a time: makes the one after the last harmless. */
void system_pad(contact_system *system);
/* Impulses of the solution back into the order of the problem. */
void system_return_impulses(const contact_problem *problem, const contact_system *system, double *impulse);

/* Calls function on ranges of contacts, in the order of colours. Ranges of one colour may run at once. */
void system_for_colours(const environment *env, const contact_system *system, block_function function,
                        void *context);

/* u = R^T q. */
void system_scatter(const environment *env, const contact_system *system, const double *q, double *u);

/* A bound of the greatest eigenvalue of the scaled A that is never too small: a row has as many entries
 * as contacts share its bodies, none above 1. count: [body] of scratch. */
double system_eigenvalue_bound(const contact_system *system, double *count);

/* ---- kernels; dimension is a constant wherever they are used ---- */

/* Row k times u. */
static inline __attribute__((always_inline)) double row_product(const contact_system *system, int64_t k,
                                                                const double *u, int dimension)
{
  const double *row = system->coefficient + 2 * dimension * k;
  const double *first = u + (int64_t)dimension * system->body[2 * k];
  const double *second = u + (int64_t)dimension * system->body[2 * k + 1];
  if (dimension == 2) {
    lanes sum = lanes_load(row) * lanes_load(first) + lanes_load(row + 2) * lanes_load(second);
    return sum[0] + sum[1];
  }
  double sum = row[0] * first[0] + row[dimension] * second[0];
  for (int axis = 1; axis < dimension; axis++)
    sum += row[axis] * first[axis] + row[dimension + axis] * second[axis];
  return sum;
}

/* u += row k times q. */
static inline __attribute__((always_inline)) void row_add(const contact_system *system, int64_t k, double q,
                                                          double *u, int dimension)
{
  const double *row = system->coefficient + 2 * dimension * k;
  double *first = u + (int64_t)dimension * system->body[2 * k];
  double *second = u + (int64_t)dimension * system->body[2 * k + 1];
  if (dimension == 2) {
    lanes both = lanes_both(q);
    lanes_store(first, lanes_load(first) + lanes_load(row) * both);
    lanes_store(second, lanes_load(second) + lanes_load(row + 2) * both);
    return;
  }
  for (int axis = 0; axis < dimension; axis++) {
    first[axis] += row[axis] * q;
    second[axis] += row[dimension + axis] * q;
  }
}

/* Rows k and k + 1 times u; 0 for what is not below end. */
static inline __attribute__((always_inline)) lanes two_row_products(const contact_system *system, int64_t k,
                                                                    int64_t end, const double *u, int dimension)
{
  if (k + 1 >= end) return (lanes){row_product(system, k, u, dimension), 0.0};
  if (dimension == 3) return (lanes){row_product(system, k, u, 3), row_product(system, k + 1, u, 3)};
  const double *row = system->coefficient + 4 * k;
  const int32_t *body = system->body + 2 * k;
  lanes first = lanes_load(row) * lanes_load(u + 2 * (int64_t)body[0]) +
                lanes_load(row + 2) * lanes_load(u + 2 * (int64_t)body[1]);
  lanes second = lanes_load(row + 4) * lanes_load(u + 2 * (int64_t)body[2]) +
                 lanes_load(row + 6) * lanes_load(u + 2 * (int64_t)body[3]);
  return lanes_pair_sums(first, second);
}

/* A contact's part of the residual, without h. */
static inline __attribute__((always_inline)) double row_residual(const contact_system *system, int64_t k, double q,
                                                                 double w)
{
  double slack = q - system->lower[k];
  double value = w < slack ? w : slack;
  return system->root_diagonal[k] * __builtin_fabs(value);
}

/* Maximum that a NaN, once met, does not leave. */
static inline double greatest(double a, double b)
{
  return b > a || b != b ? b : a;
}

#endif
