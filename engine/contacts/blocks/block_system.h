/*
 * Islands of a block problem in the form that its solvers work on: contacts packed into rows, island by island and
 * within an island by colour (system.h), bodies numbered island by island. Impulses and velocities stay in plain
 * units; each row has 1/A_n and 1/A_t, divided by the bound below where steps of both are one. What is
 * done with a row is in block_rows.h.
 *
 * Velocities are changes against V*. In the plane a contact's vectors are (along n, along t), t = n turned by a
 * right angle, a body has vx vy omega and one number of padding. In space vectors have world axes, and a body has
 * vx vy vz 0 wx wy wz 0, a line of cache. A contact with a prescribed body has a stand-in of its own as second
 * body, with inverse mass 0, so that no loop needs to ask.
 *
 * For two discs or balls the block of A that belongs to a contact is diagonal, and one contact alone is solved in
 * closed form. Where arms do not lie along n, normal and tangent are coupled. In the plane a sweep then steps along
 * n first, and across it by the velocity that comes of that, each by its own 1/A. In space, and under the convex
 * law, where both are one step, A_n and A_t are multiplied by a bound of the greatest eigenvalue of A_n^-1/2.. A
 * ..A_t^-1/2, and then a step of 1/A is always safe.
 *
 * Memory: contacts stand in fours, so that four of one colour can be done side by side: number q of contact k is
 * row[(k/4) size + q][k % 4], and component c of a vector of contacts likewise. A colour ends with empty contacts
 * (number -1, zeros, bodies of their own) where its contacts do not fill the last four. One row has BLOCK_ROW or
 * BLOCK_ROW_GENERAL doubles:
 *   plane    n[2], arm times n and t of the first and the second, 1/m[2], 1/I[2], c[2], 1/A_n 1/A_t mu lo
 *   round    n[3], arms along n[2], 1/m[2], 1/I[2], c[3], 1/A_n 1/A_t mu lo
 *   general  n[3], arms[3][2], c[3], 1/m[2], -, -, 1/A_n 1/A_t mu lo; inverse inertia by body, 6 numbers
 *
 * Where nothing turns and nothing rubs, block_gradient.c works on rows of one number, p, for bodies of three (the
 * normal form; nothing else takes it):
 *   normal   n[3], 1/m[2], c, 1/A_n 1 0 lo; a body has vx vy vz 0, in the plane vz = 0
 *
 * Where contacts resist rolling or twisting, kernels are further ones (the forms of moments), so that all others
 * keep theirs. A contact's vector then ends with the moment: one number in the plane, three in space; and before
 * the last four numbers of a row stand plane    c, 1/A_s, limit           space    c[3], 1/A_r 1/A_s, limits of
 * rolling and of twisting with c the spin of a prescribed body. In space A_r and A_s are divided by the bound
 * above, of their own block. Friction is done first, then moments with the new spins: what couples the two, 1/I_a
 * r_a - 1/I_b r_b for balls, needs no other care.
 */
#ifndef FLOC_CONTACTS_SOLVERS_BLOCK_SYSTEM_H
#define FLOC_CONTACTS_SOLVERS_BLOCK_SYSTEM_H

#include "contacts/solvers/solvers.h"

typedef enum block_form {
  BLOCK_PLANE,
  BLOCK_ROUND,
  BLOCK_GENERAL,
  BLOCK_PLANE_MOMENTS,
  BLOCK_ROUND_MOMENTS,
  BLOCK_GENERAL_MOMENTS,
  BLOCK_NORMAL
} block_form;

enum {
  FOUR = 4,
  EIGHT = 8, /* colours begin at places that it divides (block_single.h) */
  BLOCK_ROW = 16,
  BLOCK_ROW_NORMAL = 10,
  BLOCK_ROW_GENERAL = 20,
  BLOCK_MOMENT_PLANE = 3, /* what moments add to a row */
  BLOCK_MOMENT_SPACE = 7,
  BLOCK_ROW_MOST = BLOCK_ROW_GENERAL + BLOCK_MOMENT_SPACE,
  BLOCK_VECTOR_MOST = 6, /* numbers of a contact's vector */
  BLOCK_COLOURED = 512   /* contacts; smaller islands have no colours */
};

/* Where the places of an island of several patches are (contacts/solvers/patch_units.h). */
typedef struct block_units {
  const unit_plan *plan; /* pieces begin at multiples of EIGHT; NULL: colours go through the whole island */
  int32_t *place;        /* [contact] */
} block_units;

/* One island. */
typedef struct block_island {
  block_form form;
  bool convex; /* the associated law (problem.h) */
  double time_step;
  int64_t contact_count, body_count; /* places, with empty ones; bodies with stand-ins */
  int64_t filled;                    /* contacts that are not empty */
  int64_t parts;                     /* ranges that sums are kept for */
  int32_t *contact;                  /* [place] number in the problem; -1: empty */
  int32_t *body;                     /* [place][2] */
  double *row;
  double *inertia;            /* general: [body][6] */
  int32_t *body_of;           /* [body] number in the problem; -1: a stand-in */
  double *impulse;            /* P of contacts: first guess, then solution */
  double *velocity;           /* V - V* [body][stride] */
  const colour_plan *colours; /* `plan`; NULL: worked on by one thread */
  colour_plan plan;
  const unit_plan *units; /* they take the place of colours if they are there */
  uint64_t *used;         /* scratch of the plan: [body] of zeros; [contact] */
  int32_t *place;
} block_island;

/* Have contacts other places than in the list, side by side where they share no body? */
static inline bool block_has_colours(const block_island *island)
{
  return island->colours || island->units;
}

/* The form that a problem's blocks have. */
block_form block_form_of(const contact_problem *problem);
/* Columns for that number of contacts; places, bodies and parts are counted as at most needed. */
floc_status block_allocate(arena *scratch, block_form form, int64_t contacts, block_island *island);
/* The same for an island that is cut: neither places nor parts are counted then. */
floc_status block_allocate_units(arena *scratch, block_form form, block_units units, block_island *island);
/* Fills all from contacts of the problem and the first guess, which is brought into the cones. slot: [body of the
 * problem] of -1; left so. */
void block_pack(const environment *env, const contact_problem *problem, const contact_answer *guess,
                const int32_t *contact, int64_t count, int32_t *slot, block_island *island);
/* Empty contacts up to the end of the last four, each with a stand-in. */
void block_empty_places(block_island *island);
/* Impulses of the solution into those of the problem; velocities of bodies, which are found again from them. */
void block_return(const environment *env, const contact_problem *problem, const block_island *island,
                  const contact_answer *answer);

/* Ranges of an island that sums are kept for. */
static inline int64_t block_part_count(const block_island *island)
{
  return island->parts;
}

/* Calls function on ranges of contacts in the order of colours; ranges of one colour may run at once. Blocks are
 * numbered through, the same at any number of threads; there are block_part_count() of them at most. Of units each
 * piece is a range, and units of one phase may run at once. */
void block_for_colours(const environment *env, const block_island *island, block_function function, void *context);

/* Sum of a number of each range, which stand `stride` apart. That of units is exact: neither their order nor who
 * did them shows. */
double block_sum_parts(const block_island *island, const double *part, int64_t stride);

/* velocity = M^-1 G^T impulse */
void block_scatter(const environment *env, const block_island *island, const double *impulse, double *velocity);

/* What a look at an iterate sees. energy is the change of the kinetic energy, with the work of gaps and friction,
 *   J = sum 1/2 P.(w + b) + mu (p - lo) |w_t|,   b = w of no impulses:
 * 0 for no impulses, least at the solution, but for sliding (no function is least there). The convex law has no
 * second term; its solution is where J is least over the cones. Residuals can be small for impulses that are
 * nearly nothing, J cannot. */
typedef struct block_measure {
  double residual, energy;
} block_measure;

block_measure block_look(const environment *env, const block_island *island, const double *impulse,
                         const double *velocity, double *part);

/* Numbers of working memory, and the solvers; each leaves its answer in island->impulse. */
size_t block_gauss_seidel_work_size(const block_island *island);
/* Where the target is met, sweeps continue towards the aim, for at most that number of products. budget: the sweeps
 * end with the products, and not with the target. */
typedef struct block_aim {
  double residual;
  int64_t products;
  bool budget;
  bool plain; /* no momentum to begin with */
} block_aim;

solver_outcome block_gauss_seidel_solve(const environment *env, const block_island *island, double *work,
                                        solver_limits limits, block_aim aim);
size_t block_gradient_work_size(const block_island *island);
solver_outcome block_gradient_solve(const environment *env, const block_island *island, double *work,
                                    solver_limits limits, bool accelerated);

#endif
