/*
 * A cone problem in the form that its solvers work on: contacts by colour (system.h), impulses scaled so that
 * the diagonal of A is 1 both along the normal and across it.
 *
 *   q_n = A_n^(1/2) p,  q_t = A_t^(1/2) P_t;   w'_n = A_n^(-1/2) w_n,  w'_t = A_t^(-1/2) w_t
 *   cone: q_n >= lower, |q_t| <= friction (q_n - lower),  friction = mu (A_t/A_n)^(1/2)
 *
 * For two spheres the block of A that belongs to a contact is then the unit matrix, and one contact alone is
 * solved in closed form. For rigid assemblies normal and tangent are coupled; `bound` is no less than the
 * block's greatest eigenvalue, and a step of 1/bound is always safe.
 *
 * Memory: columns by contact, row[contact][4 dimension] = normal, arm_first, arm_second, c - G V*. Velocities
 * are changes against V*, in plain units, so nothing but inverse masses is needed to apply an impulse.
 */
#ifndef FLOC_CONTACTS_SOLVERS_CONE_SYSTEM_H
#define FLOC_CONTACTS_SOLVERS_CONE_SYSTEM_H

#include "contacts/problem/cone.h"
#include "contacts/solvers/solvers.h"

typedef struct cone_system {
  const cone_problem *problem;
  int32_t dimension;
  contact_system order; /* contact, colours; nothing else of it is used */
  int64_t contact_count;
  int64_t body_count;
  int32_t *body;    /* [contact][2] */
  double *row;      /* [contact][4 dimension] */
  double *root;     /* [contact][2]: A_n^(1/2), A_t^(1/2) */
  double *lower;    /* scaled */
  double *friction; /* scaled */
  double *bound;
  double *impulse; /* q [contact][dimension] */
} cone_system;

floc_status cone_system_create(arena *scratch, const cone_problem *problem, const double *impulse,
                               cone_system *system);
/* q of the solution as impulses in the order of the problem. */
void cone_system_return(const cone_system *system, double *impulse);
/* velocity change = M^-1 G^T q. */
void cone_system_scatter(const environment *env, const cone_system *system, const double *q, double *velocity);
/* A bound of the greatest eigenvalue of the scaled A that is never too small. count: [body] of scratch. */
double cone_eigenvalue_bound(const cone_system *system, double *count);
/* R of q, whose velocity changes are given. */
double cone_system_residual(const environment *env, const cone_system *system, const double *q,
                            const double *velocity);

/* Numbers of working memory, and the solvers; each leaves its best iterate in system->impulse. */
size_t cone_gradient_work_size(int64_t contacts, int64_t bodies, int32_t dimension);
solver_outcome cone_gradient_solve(const environment *env, cone_system *system, double *work, solver_limits limits,
                                   bool accelerated);
size_t cone_gauss_seidel_work_size(int64_t contacts, int64_t bodies, int32_t dimension);
solver_outcome cone_gauss_seidel_solve(const environment *env, cone_system *system, double *work,
                                       solver_limits limits);

/* ---- kernels; dimension is a constant wherever they are used ---- */

#define CONE_INLINE static inline __attribute__((always_inline))

/* Adds sign times the velocity of a body's point of contact. */
CONE_INLINE void cone_add_point(const double *v, const double *arm, double sign, double *w, int dimension)
{
  if (dimension == 2) {
    w[0] += sign * (v[0] - v[2] * arm[1]);
    w[1] += sign * (v[1] + v[2] * arm[0]);
  } else {
    w[0] += sign * (v[0] + v[4] * arm[2] - v[5] * arm[1]);
    w[1] += sign * (v[1] + v[5] * arm[0] - v[3] * arm[2]);
    w[2] += sign * (v[2] + v[3] * arm[1] - v[4] * arm[0]);
  }
}

/* Lets the impulse `sign` P act on a body at arm. */
CONE_INLINE void cone_push_body(const cone_problem *problem, int64_t body, const double *arm, double sign,
                                const double *P, double *velocity, int dimension)
{
  double inverse = sign * problem->inverse_mass[body];
  double *v = velocity + body * (dimension == 2 ? 3 : 6);
  for (int axis = 0; axis < dimension; axis++) v[axis] += inverse * P[axis];
  if (dimension == 2) {
    v[2] += sign * problem->inverse_inertia[body] * (arm[0] * P[1] - arm[1] * P[0]);
    return;
  }
  const double *I = problem->inverse_inertia + 6 * body;
  double x = sign * (arm[1] * P[2] - arm[2] * P[1]);
  double y = sign * (arm[2] * P[0] - arm[0] * P[2]);
  double z = sign * (arm[0] * P[1] - arm[1] * P[0]);
  v[3] += I[0] * x + I[3] * y + I[4] * z;
  v[4] += I[3] * x + I[1] * y + I[5] * z;
  v[5] += I[4] * x + I[5] * y + I[2] * z;
}

/* w of contact k. */
CONE_INLINE void cone_velocity(const cone_system *system, int64_t k, const double *velocity, double *w,
                               int dimension)
{
  const int freedoms = dimension == 2 ? 3 : 6;
  const double *row = system->row + 4 * dimension * k;
  const int32_t *body = system->body + 2 * k;
  for (int axis = 0; axis < dimension; axis++) w[axis] = row[3 * dimension + axis];
  cone_add_point(velocity + (int64_t)freedoms * body[0], row + dimension, -1.0, w, dimension);
  if (body[1] >= 0) cone_add_point(velocity + (int64_t)freedoms * body[1], row + 2 * dimension, 1.0, w, dimension);
}

/* Lets the plain impulse P of contact k act on both bodies. */
CONE_INLINE void cone_push(const cone_system *system, int64_t k, const double *P, double *velocity, int dimension)
{
  const double *row = system->row + 4 * dimension * k;
  const int32_t *body = system->body + 2 * k;
  cone_push_body(system->problem, body[0], row + dimension, -1.0, P, velocity, dimension);
  if (body[1] >= 0) cone_push_body(system->problem, body[1], row + 2 * dimension, 1.0, P, velocity, dimension);
}

/* v = part along n, returned, and the rest. */
CONE_INLINE double cone_split(const double *n, const double *v, double *tangent, int dimension)
{
  double along = 0.0;
  for (int axis = 0; axis < dimension; axis++) along += n[axis] * v[axis];
  for (int axis = 0; axis < dimension; axis++) tangent[axis] = v[axis] - along * n[axis];
  return along;
}

CONE_INLINE double cone_norm(const double *v, int dimension)
{
  double square = 0.0;
  for (int axis = 0; axis < dimension; axis++) square += v[axis] * v[axis];
  return __builtin_sqrt(square);
}

/* Brings a tangential vector into a disc. */
CONE_INLINE void cone_into_disc(double *tangent, double radius, int dimension)
{
  double length = cone_norm(tangent, dimension);
  if (length <= radius) return;
  double factor = radius > 0.0 ? radius / length : 0.0;
  for (int axis = 0; axis < dimension; axis++) tangent[axis] *= factor;
}

/* One contact's part of R without h, from q and w (plain). */
CONE_INLINE double cone_row_residual(const cone_system *system, int64_t k, const double *q, const double *w,
                                     int dimension)
{
  const double *n = system->row + 4 * dimension * k, *root = system->root + 2 * k;
  double q_t[3], w_t[3], moved[3];
  double q_n = cone_split(n, q, q_t, dimension), w_n = cone_split(n, w, w_t, dimension) / root[0];
  double slack = q_n - system->lower[k];
  double worst = root[0] * __builtin_fabs(w_n < slack ? w_n : slack);
  if (system->friction[k] == 0.0) return worst;
  for (int axis = 0; axis < dimension; axis++) moved[axis] = q_t[axis] - w_t[axis] / root[1];
  cone_into_disc(moved, system->friction[k] * (slack > 0.0 ? slack : 0.0), dimension);
  for (int axis = 0; axis < dimension; axis++) moved[axis] -= q_t[axis];
  return greatest(worst, root[1] * cone_norm(moved, dimension));
}

/* A scaled impulse in plain units. */
CONE_INLINE void cone_plain(const cone_system *system, int64_t k, const double *q, double *P, int dimension)
{
  const double *n = system->row + 4 * dimension * k, *root = system->root + 2 * k;
  double tangent[3], along = cone_split(n, q, tangent, dimension) / root[0];
  for (int axis = 0; axis < dimension; axis++) P[axis] = along * n[axis] + tangent[axis] / root[1];
}

#endif
