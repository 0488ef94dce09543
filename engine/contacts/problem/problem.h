/*
 * The contact problem of one step, in impulses (shared by Maury 2004 and Lefebvre 2009; friction after Coulomb):
 *
 *   V = V* + M^-1 G^T P,   w = c + G V,   c = (D/h) n + surface velocity of the prescribed body
 *   along n    p >= lo,  w_n >= 0,  (p - lo) w_n = 0                                       (Signorini)
 *   across n   |P_t| <= mu (p - lo);  P_t = -mu (p - lo) w_t/|w_t| where w_t is not 0      (Coulomb)
 *
 * A contact joins body `first` with body `second`, or with a prescribed body (second < 0), along the unit vector
 * `normal` from first to second. P = p n + P_t is the impulse on the second body; G V is the velocity of the second
 * body's point of contact less that of the first's, v + omega x arm, where a prescribed body's part along n is 0
 * because its position is taken at the step's end. Laws differ in their bounds: lo = 0 inelastic, lo = gamma gluey
 * (docs/schemes/inelastic.md); adhesion shifts the cone of friction by lo, which keeps it convex.
 *
 * The convex law, of associated flow, has the tangential part of Coulomb's law but another normal part,
 *   P in the cone K of a contact, |P_t| <= mu (p - lo);   w in its dual cone, w_n >= mu |w_t|;   (P - lo n).w = 0
 * which is where 1/2 P.A P + P.b is least over the cones: a convex problem, solvable whenever Coulomb's is. A
 * contact that sticks or opens has the same solution under both laws; one that slides is also lifted, w_n = mu
 * |w_t| (a gap of mu |w_t| h), and a contact that is open by less than that already acts. Not with moments.
 *
 * With resistance against rolling and twisting, contacts transmit a moment Q on the second body too, and the
 * relative spin w_Q = omega_second - omega_first obeys, for its part across n (in the plane: all of it) and its
 * part along n,
 *   |Q_r| <= b (p - lo);  Q_r = -b (p - lo) w_r/|w_r| where w_r is not 0           (rolling; b is a length)
 *   |Q_s| <= s (p - lo);  likewise                                                 (twisting, in space only)
 *
 * Residual, a length: R = h max over contacts of
 *   |min(w_n, A_n (p - lo))|   and   |A_t (P_t - disc(P_t - w_t/A_t))|,  disc: radius mu (p - lo),
 * with A_n and A_t the diagonal of A = G M^-1 G^T. Together they bound violation, complementarity, and the error of
 * the sliding direction; they vanish for solutions only. A moment's part is
 *   (A_n A_r)^(1/2) |Q_r - disc(Q_r - w_r/A_r)|,  and likewise of Q_s,
 * A_r and A_s of the blocks of I_a^-1 + I_b^-1: a radius of gyration makes them lengths. Under the convex law the
 * parts along and across n are those of P less the nearest point of the cone to (p - w_n/A_n, P_t - w_t/A_t), in
 * the metric of A_n and A_t.
 *
 * Memory: columns, one element per contact or per body; columns that nothing needs are NULL, and that is how a
 * problem without friction costs nothing for it. A body's number is a particle's slot; a rigid assembly is one body
 * and has the slot of its first member. In the plane only spins about z are there, in column [2].
 */
#ifndef FLOC_CONTACTS_PROBLEM_PROBLEM_H
#define FLOC_CONTACTS_PROBLEM_PROBLEM_H

#include "base/arena.h"

/* A sweep over fewer contacts is over before its parts have gone from one processor's cache to the other's
 * (measured with two threads: twice the time of one at 8,000 contacts, 0.7 of it at 25,000); a caller solves such a
 * problem with one thread. The bits are the same. Islands from here on are swept strip by strip (strips.h) where
 * the world is one patch.
 */
enum { CONTACTS_WORTH_SHARING = 16384 };

typedef struct contact_problem {
  int32_t dimension; /* 2 or 3 */
  double time_step;  /* h > 0 */

  int64_t body_count;
  const double *inverse_mass;     /* [body], >= 0; 0: it keeps V*; of a contact's bodies at most one */
  const double *free_velocity[3]; /* V*, [body] each; [2] unused in 2-D */
  /* NULL: no body rotates. Plane, or round: [body]; else [body][6], xx yy zz xy xz yz. */
  const double *inverse_inertia;
  const double *free_spin[3]; /* [body] each; there if inverse_inertia is */
  bool round;                 /* all are discs or balls about their centres: moment arms lie along normals */
  bool convex;                /* the convex law of friction; false: Coulomb's */

  int64_t contact_count;
  bool unsorted;           /* else contacts are sorted by (first, second), and first is the lesser one */
  const int32_t *first;    /* [contact_count] */
  const int32_t *second;   /* [contact_count]; -1: a prescribed body */
  const double *normal[3]; /* [contact_count] each; [2] unused in 2-D */
  const double *distance;  /* D [contact_count], length */
  const double *lower;     /* lo [contact_count], impulse, <= 0; may be -infinity where there is no friction */
  /* From a body's centre to the point of contact; there if inverse_inertia is. Round: only [0], the length along
   * the normal, negative for `second`. Not read for prescribed bodies. */
  const double *arm_first[3], *arm_second[3];
  const double *friction;            /* mu [contact_count], >= 0; NULL: 0 */
  const double *surface_velocity[3]; /* of prescribed bodies, along the surface; NULL: 0 */
  const double *rolling;             /* b [contact_count], a length >= 0; NULL: 0 */
  const double *twisting;            /* s [contact_count], a length >= 0, in space; NULL: 0 */
  const double *surface_spin[3];     /* of prescribed bodies; NULL: 0. Read only with the two above */
  struct patch_place *patches;       /* how large islands are cut by space; NULL: all is one patch */
} contact_problem;

static inline bool contacts_have_moments(const contact_problem *problem)
{
  return problem->rolling || problem->twisting;
}

/* Does anything couple contacts to rotation, or act across normals? If not, problems are of one row per contact. */
static inline bool contacts_have_blocks(const contact_problem *problem)
{
  return problem->friction || contacts_have_moments(problem) || (problem->inverse_inertia && !problem->round);
}

/* The vector from a body's centre to the point of contact, of first (side 0) or second; 0 where bodies do not
 * rotate.
 */
static inline void contact_arm_in(const contact_problem *problem, int64_t a, int side, double lever[3],
                                  const int dimension)
{
  const double *const *column = side == 0 ? problem->arm_first : problem->arm_second;
  lever[0] = lever[1] = lever[2] = 0.0;
  for (int axis = 0; axis < dimension && column[0]; axis++)
    lever[axis] = problem->round ? column[0][a] * problem->normal[axis][a] : column[axis][a];
}

static inline void contact_arm(const contact_problem *problem, int64_t a, int side, double lever[3])
{
  contact_arm_in(problem, a, side, lever, problem->dimension);
}

/* What a solution consists of; columns that do not belong to the problem are NULL. */
typedef struct contact_answer {
  double *impulse;     /* p [contact]: the first guess on entry (brought into its bounds), then the solution */
  double *tangent[3];  /* P_t [contact] each: likewise; there if friction is */
  double *moment[3];   /* Q [contact] each; in the plane [2] alone: likewise; there if moments are limited */
  double *velocity[3]; /* V [body] each */
  double *spin[3];     /* [body] each; there if inverse_inertia is */
} contact_answer;

typedef struct contact_options {
  int32_t solver;         /* floc_solver */
  double tolerance;       /* on the residual R, length, > 0 */
  int64_t max_iterations; /* products with A, or the same amount of work */
  double aim;         /* blocks, auto: small islands continue to this residual where that is cheap; length; 0: no */
  double working_gap; /* auto: contacts whose gap after the step, if nothing touched, is below
                         this are solved from the start, the others only once they turn out
                         violated; length; 0: taken from the problem. Only costs depend on it. */
  int64_t budget;     /* auto: that many sweeps and no more; 0: until the tolerance is met */
  double settled;     /* blocks: islands of this residual do not count for energy_fall; 0: the tolerance */
  /* auto: [contact] the answer, velocities too, is one of the same problem but for these contacts: only islands
   * that hold one are solved. NULL: all are. Not recorded. */
  const bool *changed;
} contact_options;

/* Of an island at most. The first product of a budget computes the velocities of the first guess. */
static inline int64_t contact_products(const contact_options *options)
{
  return options->budget > 0 ? options->budget + 1 : options->max_iterations;
}

typedef struct contact_report {
  bool converged;
  int64_t iterations; /* products with the whole of A that the work amounts to, rounded up */
  int64_t active;     /* contacts with P != 0 */
  int32_t islands;    /* 0 if the solver does not look for them */
  double residual;    /* R of what is returned, over all contacts, computed afresh */
  double energy_fall; /* blocks: how much J changed in the last half of the products or more, over |J|, in islands
                         that are not settled; at most 1 */
} contact_report;

/* Solves. When the limit is reached, the best iterate seen is returned (with friction, that of the least energy:
 * block_look() in block_system.h) and report->converged is false; that is FLOC_OK. Bits do not depend on
 * env->threads. */
floc_status contact_solve(environment *env, arena *scratch, const contact_problem *problem,
                          const contact_options *options, const contact_answer *answer, contact_report *report);

/* Where an answer is above the tolerance: the contact with the greatest residual, -1 if none is; connected groups
 * of contacts that have one. */
typedef struct unsolved_contacts {
  int64_t worst;
  int32_t islands;
} unsolved_contacts;

floc_status contact_find_unsolved(arena *scratch, const contact_problem *problem, const contact_answer *answer,
                                  double tolerance, unsolved_contacts *found);

/* The residual R of given impulses, and their velocities: the independent audit (plain loops that share
 * nothing with the solvers). */
double contact_audit(const contact_problem *problem, const contact_answer *answer);

#endif
