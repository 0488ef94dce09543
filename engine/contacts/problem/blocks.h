/*
 * The contact problem with Coulomb friction, and with bodies that rotate: what problem.h is for normal impulses,
 * for blocks of rows. A block is a contact between two bodies: one row along its normal n, and with friction one
 * row (in the plane) or two (in space) across it.
 *
 *   V = V* + M^-1 G^T P,   w = c + G V,   c = (D/h) n + surface velocity of the body along the surface
 *   normal part      p >= lo,  w_n >= 0,  (p - lo) w_n = 0                      (Signorini, with the gluey bound)
 *   tangential part  |P_t| <= mu (p - lo);  P_t = -mu (p - lo) w_t/|w_t| where w_t is not 0        (Coulomb)
 *
 * The convex law, of associated flow, has the tangential part of Coulomb's law but another normal part,
 *   P in the cone K of a contact, |P_t| <= mu (p - lo);   w in its dual cone, w_n >= mu |w_t|;   (P - lo n).w = 0
 * which is where 1/2 P.A P + P.b is least over the cones: a convex problem, solvable whenever Coulomb's is. A
 * contact that sticks or opens has the same solution under both laws; one that slides is also lifted, w_n = mu
 * |w_t| (a gap of mu |w_t| h), and a contact that is open by less than that already acts. Not with moments.
 *
 * With resistance against rolling and twisting, contacts transmit a moment Q on the second body too, and the
 * relative spin w_Q = omega_second - omega_first obeys, for its part across n (in the plane: all of it) and its
 * part along n, |Q_r| <= b (p - lo);  Q_r = -b (p - lo) w_r/|w_r| where w_r is not 0         (rolling; b is a
 * length) |Q_s| <= s (p - lo);  likewise                                                 (twisting, in space only)
 *
 * P is the impulse on the second body, p = n.P, n the normal from first to second; G V is the velocity of the
 * second body's point of contact less that of the first's, v + omega x arm. Adhesion widens the cone: it is
 * shifted by lo, which keeps it convex.
 *
 * Residual, a length: R = h max over contacts of
 *   |min(w_n, A_n (p - lo))|   and   |A_t (P_t - disc(P_t - w_t/A_t))|,  disc: radius mu (p - lo),
 * with A_n and A_t the diagonal of A = G M^-1 G^T. The first is the R of problem.h. Together they bound
 * violation, complementarity, and the error of the sliding direction; they vanish for solutions only. A moment's
 * part is (A_n A_r)^(1/2) |Q_r - disc(Q_r - w_r/A_r)|, and likewise of Q_s: A_r and A_s of the blocks of I_a^-1 +
 * I_b^-1, a radius of gyration makes them lengths.
 * Under the convex law the parts along and across n are those of P less the nearest point of the cone to
 * (p - w_n/A_n, P_t - w_t/A_t), in the metric of A_n and A_t.
 *
 * Memory: bodies have 3 freedoms in the plane (vx vy omega) and 6 in space, interleaved: V[body][freedoms].
 * Vectors of contacts are interleaved too: normal[contact][dimension]. Impulses have block_impulses() numbers: P,
 * and where a column limits moments, Q.
 */
#ifndef FLOC_CONTACTS_PROBLEM_BLOCKS_H
#define FLOC_CONTACTS_PROBLEM_BLOCKS_H

#include "contacts/problem/problem.h"

typedef struct block_problem {
  int32_t dimension; /* 2 or 3 */
  bool round;  /* all bodies are discs or balls about their centres: arms lie along normals, inertia is a number */
  bool convex; /* the convex law; false: Coulomb's */
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
  const double *rolling;          /* b >= 0, a length; NULL: 0 for all */
  const double *twisting;         /* s >= 0, a length, in space; NULL: 0 for all */
  const double *surface_spin; /* of prescribed bodies [contact][1 or 3]; NULL: 0. Read only with the two above */
} block_problem;

static inline int32_t block_freedoms(int32_t dimension)
{
  return dimension == 2 ? 3 : 6;
}

static inline bool block_problem_has_moments(const block_problem *problem)
{
  return problem->rolling || problem->twisting;
}

/* Numbers of a contact's impulse. */
static inline int32_t block_impulses(const block_problem *problem)
{
  int32_t moments = problem->dimension == 2 ? 1 : 3;
  return problem->dimension + (block_problem_has_moments(problem) ? moments : 0);
}

/* Solves. impulse [contact][block_impulses()]: the first guess on entry (brought into the cone), the solution on
 * return; velocity: V [body][freedoms]. Options and report as for contact_solve; where the iterations end before
 * the tolerance is met, an island gets the iterate of the least energy (block_look() in block_system.h). */
floc_status block_solve(environment *env, arena *scratch, const block_problem *problem,
                        const contact_options *options, double *impulse, double *velocity, contact_report *report);

/* The residual R of given impulses, and their velocities V [body][freedoms]: the independent audit. */
double block_audit(const block_problem *problem, const double *impulse, double *velocity);

#endif
