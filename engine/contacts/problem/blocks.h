/*
 * The contact problem with Coulomb friction, and with bodies that rotate: what problem.h is for normal impulses,
 * for blocks of rows. A block is a contact between two bodies: one row along its normal n, and with friction one
 * row (in the plane) or two (in space) across it.
 *
 *   V = V* + M^-1 G^T P,   w = c + G V,   c = (D/h) n + surface velocity of the body along the surface
 *   normal part      p >= lo,  w_n >= 0,  (p - lo) w_n = 0                      (Signorini, with the gluey bound)
 *   tangential part  |P_t| <= mu (p - lo);  P_t = -mu (p - lo) w_t/|w_t| where w_t is not 0        (Coulomb)
 *
 * P is the impulse on the second body, p = n.P, n the normal from first to second; G V is the velocity of the
 * second body's point of contact less that of the first's, v + omega x arm. Adhesion widens the cone: it is
 * shifted by lo, which keeps it convex.
 *
 * Residual, a length: R = h max over contacts of
 *   |min(w_n, A_n (p - lo))|   and   |A_t (P_t - disc(P_t - w_t/A_t))|,  disc: radius mu (p - lo),
 * with A_n and A_t the diagonal of A = G M^-1 G^T. The first is the R of problem.h. Together they bound
 * violation, complementarity, and the error of the sliding direction; they vanish for solutions only.
 *
 * Memory: bodies have 3 freedoms in the plane (vx vy omega) and 6 in space, interleaved: V[body][freedoms].
 * Vectors of contacts are interleaved too: normal[contact][dimension].
 */
#ifndef FLOC_CONTACTS_PROBLEM_BLOCKS_H
#define FLOC_CONTACTS_PROBLEM_BLOCKS_H

#include "contacts/problem/problem.h"

typedef struct block_problem {
  int32_t dimension; /* 2 or 3 */
  bool round; /* all bodies are discs or balls about their centres: arms lie along normals, inertia is a number */
  double time_step; /* h > 0 */
  int64_t body_count;
  const double *inverse_mass;    /* [body], > 0 */
  const double *inverse_inertia; /* 2-D: [body]; 3-D: [body][6], xx yy zz xy xz yz; 0 where bodies do not rotate */
  const double *free_velocity;   /* V* [body][freedoms] */
  int64_t contact_count;
  const int32_t *first, *second;  /* particles, assemblies; second -1: a prescribed body */
  const double *normal;           /* [contact][dimension] */
  const double *arm_first;        /* from the body's centre to the point of contact [contact][dimension] */
  const double *arm_second;       /* not read for prescribed bodies */
  const double *surface_velocity; /* of prescribed bodies, along the surface [contact][dimension]; 0 for pairs */
  const double *distance;         /* D */
  const double *lower;            /* lo <= 0; -infinity only without friction */
  const double *friction;         /* mu >= 0 */
} block_problem;

static inline int32_t block_freedoms(int32_t dimension)
{
  return dimension == 2 ? 3 : 6;
}

/* Solves. impulse [contact][dimension]: the first guess on entry (brought into the cone), the solution on
 * return; velocity: V [body][freedoms]. Options and report as for contact_solve; where the iterations end before
 * the tolerance is met, an island gets the iterate of the least energy (block_look() in block_system.h). */
floc_status block_solve(environment *env, arena *scratch, const block_problem *problem,
                        const contact_options *options, double *impulse, double *velocity, contact_report *report);

/* The residual R of given impulses, and their velocities V [body][freedoms]: the independent audit. */
double block_audit(const block_problem *problem, const double *impulse, double *velocity);

#endif
