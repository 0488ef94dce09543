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
 * coefficient[a] is row a, body[a][2] the bodies it acts on: in the plane the row's two blocks, 4 numbers; in
 * space the normal and the two factors that make the blocks of it, 5 numbers. A body contact has a
 * stand-in of its own as second body, with factor 0, so that no loop needs to ask. Velocities are interleaved,
 * u[body][2] or u[body][4], of which the last is 0.
 *
 * Colours: contacts stand in groups ("colours") in which no body occurs twice. Within a colour the order
 * of work does not matter, so threads may share it; colours follow each other in order. That gives
 * every body its sums in a fixed order, at any number of threads, and lets a processor overlap
 * neighbouring rows. What does not fit into the first 63 colours (a body with very many contacts) stands
 * in a last group that one thread does alone. Large islands are cut into units first, each with colours of its
 * own (units.h).
 */
#ifndef FLOC_CONTACTS_SOLVERS_SYSTEM_H
#define FLOC_CONTACTS_SOLVERS_SYSTEM_H

#include "base/threads/parallel.h"
#include "contacts/problem/problem.h"
#include "contacts/solvers/lanes.h"
#include "contacts/solvers/units.h"

enum { SYSTEM_COLOURS = 64, SYSTEM_BLOCK = 256 };

/* Groups of places in which no body occurs twice. */
typedef struct colour_plan {
  int32_t count;
  bool serial_tail; /* the last one is the group without the guarantee */
  int64_t start[SYSTEM_COLOURS + 1];
} colour_plan;

typedef struct contact_system {
  int32_t dimension;
  double time_step;
  int64_t contact_count;
  int64_t body_count;  /* with the stand-ins for prescribed bodies */
  int32_t *contact;    /* number of the contact in the problem */
  int32_t *body;       /* [contact][2] */
  double *coefficient; /* [contact][4 or 5] */
  double *offset;
  double *lower;
  double *root_diagonal; /* A_aa^(1/2) */
  double *impulse;       /* q: first guess, then solution */
  int32_t *particle;     /* [body] particle in the problem; -1 for stand-ins */
  bool finite;           /* no velocity, distance or impulse is NaN or infinite: there is something to solve */
  colour_plan colours;
  unit_plan units; /* takes the place of colours if there are some */
} contact_system;

/* Colours whose contacts may be worked on at once. */
static inline int32_t free_colours(const colour_plan *colours)
{
  return colours->count - colours->serial_tail;
}

/* Numbers per row in coefficient, and per body in velocities. */
static inline int system_row_size(int dimension)
{
  return dimension == 2 ? 4 : 5;
}

static inline int system_stride(int dimension)
{
  return dimension == 2 ? 2 : 4;
}

/* Length of a column in working memory, such that the next one begins on a line of cache, too. */
static inline size_t system_column(int64_t contacts)
{
  return ((size_t)contacts + 8) / 8 * 8;
}

static inline size_t system_velocities(int64_t bodies, int dimension)
{
  return ((size_t)bodies * (size_t)system_stride(dimension) + 7) / 8 * 8;
}

/* The whole problem as one coloured system in arena memory; impulse is the first guess. */
floc_status system_create(environment *env, arena *scratch, const contact_problem *problem, const double *impulse,
                          contact_system *system);
/* Memory for contacts and bodies; nothing is filled in. */
floc_status system_allocate(arena *scratch, int32_t dimension, int64_t contact_count, int64_t body_count,
                            contact_system *system);
/* Groups contacts by colour: place[k] becomes the row of contact[k]; colours begin at multiples of `width`, and the
 * places between stay empty. slot: [body] numbers of bodies in `used`, NULL: their own. used: of zeros; left so. */
void colour_places(const contact_problem *problem, const int32_t *contact, int64_t count, int64_t width,
                   const int32_t *slot, uint64_t *used, int32_t *place, colour_plan *colours);
/* Fills all rows from the contacts and bodies they name, and says whether they are finite. root: [body] square
 * roots of inverse masses. */
void system_fill_rows(const environment *env, const contact_problem *problem, const double *impulse,
                      contact_system *system, const double *root);
/* Impulses of the solution back into the order of the problem. */
void system_return_impulses(const environment *env, const contact_problem *problem, const contact_system *system,
                            double *impulse);

/* Calls function on ranges of contacts, in the order of colours. Ranges of one colour may run at once. */
void system_for_colours(const environment *env, const contact_system *system, block_function function,
                        void *context);

/* u = R^T q. */
void system_scatter(const environment *env, const contact_system *system, const double *q, double *u);

/* ---- kernels; dimension is a constant wherever they are used ---- */

/* Row k times u, as two lanes whose sum it is. */
static inline __attribute__((always_inline)) lanes row_product_lanes(const double *row, const double *first,
                                                                     const double *second, int dimension)
{
  if (dimension == 2) return lanes_load(row) * lanes_load(first) + lanes_load(row + 2) * lanes_load(second);
  lanes first_factor = lanes_both(row[3]), second_factor = lanes_both(row[4]);
  lanes xy = first_factor * lanes_load(first) + second_factor * lanes_load(second);
  lanes z = first_factor * lanes_load(first + 2) + second_factor * lanes_load(second + 2);
  return lanes_load(row) * xy + lanes_load(row + 2) * z; /* the second lane of z is 0 */
}

/* first, second += the blocks of a row times q. */
static inline __attribute__((always_inline)) void row_add_blocks(const double *row, double q, double *first,
                                                                 double *second, int dimension)
{
  if (dimension == 2) {
    lanes both = lanes_both(q);
    lanes_store(first, lanes_load(first) + lanes_load(row) * both);
    lanes_store(second, lanes_load(second) + lanes_load(row + 2) * both);
    return;
  }
  double first_part = row[3] * q, second_part = row[4] * q;
  lanes xy = lanes_load(row), z = lanes_load(row + 2);
  lanes_store(first, lanes_load(first) + xy * lanes_both(first_part));
  lanes_store(first + 2, lanes_load(first + 2) + z * (lanes){first_part, 0.0});
  lanes_store(second, lanes_load(second) + xy * lanes_both(second_part));
  lanes_store(second + 2, lanes_load(second + 2) + z * (lanes){second_part, 0.0});
}

static inline __attribute__((always_inline)) double row_product(const contact_system *system, int64_t k,
                                                                const double *u, int dimension)
{
  const int32_t *body = system->body + 2 * k;
  int stride = system_stride(dimension);
  return lanes_sum(row_product_lanes(system->coefficient + system_row_size(dimension) * k,
                                     u + (int64_t)stride * body[0], u + (int64_t)stride * body[1], dimension));
}

/* Rows k and k + 1 times u; 0 for what is not below end. */
static inline __attribute__((always_inline)) lanes two_row_products(const contact_system *system, int64_t k,
                                                                    int64_t end, const double *u, int dimension)
{
  if (k + 1 >= end) return (lanes){row_product(system, k, u, dimension), 0.0};
  int size = system_row_size(dimension), stride = system_stride(dimension);
  const double *row = system->coefficient + size * k;
  const int32_t *body = system->body + 2 * k;
  lanes first = row_product_lanes(row, u + (int64_t)stride * body[0], u + (int64_t)stride * body[1], dimension);
  lanes second =
      row_product_lanes(row + size, u + (int64_t)stride * body[2], u + (int64_t)stride * body[3], dimension);
  return lanes_pair_sums(first, second);
}

/* u += row k times q. */
static inline __attribute__((always_inline)) void row_add(const contact_system *system, int64_t k, double q,
                                                          double *u, int dimension)
{
  const int32_t *body = system->body + 2 * k;
  int stride = system_stride(dimension);
  row_add_blocks(system->coefficient + system_row_size(dimension) * k, q, u + (int64_t)stride * body[0],
                 u + (int64_t)stride * body[1], dimension);
}

/* A contact's part of the residual, without h. */
static inline __attribute__((always_inline)) double row_residual(const contact_system *system, int64_t k, double q,
                                                                 double w)
{
  double slack = q - system->lower[k];
  double value = w < slack ? w : slack;
  return system->root_diagonal[k] * __builtin_fabs(value);
}

/* The next column becomes the present one, the present one the old one, whose memory is free for the next. */
static inline void rotate_columns(double **old, double **present, double **next)
{
  double *free_column = *old;
  *old = *present;
  *present = *next;
  *next = free_column;
}

/* Maximum that a NaN, once met, does not leave. */
static inline double greatest(double a, double b)
{
  return b > a || b != b ? b : a;
}

#endif
