/*
 * The contact problem of one step, in impulses (shared by Maury 2004 and Lefebvre 2009):
 *
 *   V = V* + M^-1 G^T p,   w = D/h + G V,   p >= lo,  w >= 0,  (p - lo) w = 0
 *
 * A contact joins particle `first` with particle `second`, or with a prescribed body (second < 0), along the
 * unit vector `normal` from first to second: (G V) = normal . (V_second - V_first), where a body's
 * velocity is 0 because its position is taken at the step's end. A = G M^-1 G^T; its diagonal is
 * A_aa = 1/m_first + 1/m_second (1/m_first for bodies). One bound serves every contact law: lo = 0
 * inelastic, lo = gamma gluey (MODELS, section 1).
 *
 * Residual, a length: R = h max_a |min(w_a, A_aa (p_a - lo_a))|.
 *
 * Memory: columns, one element per contact or per particle; contacts are sorted by (first, second).
 */
#ifndef FLOC_CONTACTS_PROBLEM_PROBLEM_H
#define FLOC_CONTACTS_PROBLEM_PROBLEM_H

#include "base/arena.h"

/* A sweep over fewer contacts is over before its parts have gone from one processor's cache to the other's
 * (measured with two threads: twice the time of one at 8,000 contacts, 0.7 of it at 25,000); a caller solves such a
 * problem with one thread. The bits are the same. Islands from here on are swept strip by strip (strips.h).
 */
enum { CONTACTS_WORTH_SHARING = 16384 };

typedef struct contact_problem {
  int32_t dimension; /* 2 or 3 */
  double time_step;  /* h > 0 */
  int64_t particle_count;
  const double *inverse_mass;     /* [particle_count], > 0 */
  const double *free_velocity[3]; /* V*, [particle_count] each; [2] unused in 2-D */
  int64_t contact_count;
  const int32_t *first;    /* [contact_count] */
  const int32_t *second;   /* [contact_count]; -1: a body */
  const double *normal[3]; /* [contact_count] each; [2] unused in 2-D */
  const double *distance;  /* D [contact_count], length */
  const double *lower;     /* lo [contact_count], impulse, <= 0; may be -infinity */
} contact_problem;

typedef struct contact_options {
  int32_t solver;         /* floc_solver */
  double tolerance;       /* on the residual R, length, > 0 */
  int64_t max_iterations; /* products with A, or the same amount of work */
  double aim;         /* blocks, auto: small islands continue to this residual where that is cheap; length; 0: no */
  double working_gap; /* auto: contacts whose gap after the step, if nothing touched, is below
                         this are solved from the start, the others only once they turn out
                         violated; length; 0: taken from the problem. Only costs depend on it. */
} contact_options;

typedef struct contact_report {
  bool converged;
  int64_t iterations; /* products with the whole of A that the work amounts to, rounded up */
  int64_t active;     /* contacts with p != 0 */
  int32_t islands;    /* 0 if the solver does not look for them */
  double residual;    /* R of what is returned, over all contacts, computed afresh */
} contact_report;

/* Solves. impulse [contact_count]: the first guess on entry (clamped to lo), the solution on return;
 * velocity: V [particle_count] each. When the limit is reached, the best iterate seen is returned and
 * report->converged is false; that is FLOC_OK. Bits do not depend on env->threads. */
floc_status contact_solve(environment *env, arena *scratch, const contact_problem *problem,
                          const contact_options *options, double *impulse, double *const velocity[3],
                          contact_report *report);

/* The residual R of given impulses, and their velocities: the independent audit (plain loops that share
 * nothing with the solvers). velocity: `dimension` columns of [particle_count] that get V. */
double contact_audit(const contact_problem *problem, const double *impulse, double *const velocity[3]);

#endif
