/*
 * Islands of a block problem in the form that its solvers work on: contacts packed into rows, island by island and
 * within an island by colour (system.h), bodies numbered island by island. Impulses and velocities stay in plain
 * units; each row has 1/A_n and 1/A_t, divided by the bound below where normal and tangent are coupled.
 *
 * Velocities are changes against V*. In the plane a contact's vectors are (along n, along t), t = n turned by a
 * right angle, a body has vx vy omega and one number of padding. In space vectors have world axes, and a body has
 * vx vy vz 0 wx wy wz 0, a line of cache. A contact with a prescribed body has a stand-in of its own as second
 * body, with inverse mass 0, so that no loop needs to ask.
 *
 * For two discs or balls the block of A that belongs to a contact is diagonal, and one contact alone is solved in
 * closed form. For rigid assemblies normal and tangent are coupled: A_n and A_t are multiplied by a bound of the
 * greatest eigenvalue of A_n^-1/2.. A ..A_t^-1/2, and then a step of 1/A is always safe.
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
  BLOCK_ROW = 16,
  BLOCK_ROW_NORMAL = 10,
  BLOCK_ROW_GENERAL = 20,
  BLOCK_MOMENT_PLANE = 3, /* what moments add to a row */
  BLOCK_MOMENT_SPACE = 7,
  BLOCK_ROW_MOST = BLOCK_ROW_GENERAL + BLOCK_MOMENT_SPACE,
  BLOCK_VECTOR_MOST = 6, /* numbers of a contact's vector */
  BLOCK_COLOURED = 512   /* contacts; smaller islands have no colours */
};

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
  uint64_t *used; /* scratch of the plan: [body] of zeros; [contact] */
  int32_t *place;
} block_island;

/* The form that a problem's blocks have. */
block_form block_form_of(const contact_problem *problem);
/* Columns for that number of contacts; places, bodies and parts are counted as at most needed. */
floc_status block_allocate(arena *scratch, block_form form, int64_t contacts, block_island *island);
/* Fills all from contacts of the problem and the first guess, which is brought into the cones. slot: [body of the
 * problem] of -1; left so. */
void block_pack(const environment *env, const contact_problem *problem, const contact_answer *guess,
                const int32_t *contact, int64_t count, int32_t *slot, block_island *island);
/* Impulses of the solution into those of the problem; velocities of bodies, which are found again from them. */
void block_return(const environment *env, const contact_problem *problem, const block_island *island,
                  const contact_answer *answer);

/* Ranges of an island that sums are kept for. */
static inline int64_t block_part_count(const block_island *island)
{
  return island->parts;
}

/* Calls function on ranges of contacts in the order of colours; ranges of one colour may run at once. Blocks are
 * numbered through, the same at any number of threads; there are block_part_count() of them at most. */
void block_for_colours(const environment *env, const block_island *island, block_function function, void *context);

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
} block_aim;

solver_outcome block_gauss_seidel_solve(const environment *env, const block_island *island, double *work,
                                        solver_limits limits, block_aim aim);
size_t block_gradient_work_size(const block_island *island);
solver_outcome block_gradient_solve(const environment *env, const block_island *island, double *work,
                                    solver_limits limits, bool accelerated);

/* ---- kernels; form is a constant wherever they are used ---- */

#define BLOCK_INLINE static inline __attribute__((always_inline))

BLOCK_INLINE bool block_has_moments(block_form form)
{
  return form >= BLOCK_PLANE_MOMENTS && form < BLOCK_NORMAL;
}

/* The form of the same bodies without moments. */
BLOCK_INLINE block_form block_bodies(block_form form)
{
  return block_has_moments(form) ? (block_form)(form - BLOCK_PLANE_MOMENTS) : form;
}

BLOCK_INLINE bool block_is_plane(block_form form)
{
  return block_bodies(form) == BLOCK_PLANE;
}

/* Where moments begin in a row. */
BLOCK_INLINE int block_moment_place(block_form form)
{
  if (form == BLOCK_NORMAL) return BLOCK_ROW_NORMAL - 4;
  return (block_bodies(form) == BLOCK_GENERAL ? BLOCK_ROW_GENERAL : BLOCK_ROW) - 4;
}

BLOCK_INLINE int block_row_size(block_form form)
{
  int moments = block_is_plane(form) ? BLOCK_MOMENT_PLANE : BLOCK_MOMENT_SPACE;
  return block_moment_place(form) + (block_has_moments(form) ? moments : 0) + 4;
}

/* Numbers of a contact's force, of its moment, of a tangential vector as block_split() has it. */
BLOCK_INLINE int block_forces(block_form form)
{
  return form == BLOCK_NORMAL ? 1 : block_is_plane(form) ? 2 : 3;
}

BLOCK_INLINE int block_moments(block_form form)
{
  return !block_has_moments(form) ? 0 : block_is_plane(form) ? 1 : 3;
}

BLOCK_INLINE int block_tangents(block_form form)
{
  return form == BLOCK_NORMAL ? 0 : block_is_plane(form) ? 1 : 3;
}

/* Numbers of a contact's vector, and of a body's velocity. */
BLOCK_INLINE int block_components(block_form form)
{
  return block_forces(form) + block_moments(form);
}

BLOCK_INLINE int block_stride(block_form form)
{
  return block_is_plane(form) || form == BLOCK_NORMAL ? 4 : 8;
}

typedef struct block_bounds {
  double inverse_normal, inverse_tangent, friction, lower;
} block_bounds;

BLOCK_INLINE block_bounds block_row_bounds(const double *row, block_form form)
{
  const double *last = row + block_row_size(form) - 4;
  return (block_bounds){last[0], last[1], last[2], last[3]};
}

/* Of moments across n and about n; in the plane the first alone. */
typedef struct block_moment_bounds {
  double inverse_roll, inverse_twist, rolling, twisting;
} block_moment_bounds;

BLOCK_INLINE block_moment_bounds block_row_moment_bounds(const double *row, block_form form)
{
  const double *at = row + block_moment_place(form);
  if (block_is_plane(form)) return (block_moment_bounds){at[1], 1.0, at[2], 0.0};
  return (block_moment_bounds){at[3], at[4], at[5], at[6]};
}

BLOCK_INLINE void block_cross(const double *a, const double *b, double *result)
{
  result[0] = a[1] * b[2] - a[2] * b[1];
  result[1] = a[2] * b[0] - a[0] * b[2];
  result[2] = a[0] * b[1] - a[1] * b[0];
}

/* Where c begins in a row; that of the moments is elsewhere. */
BLOCK_INLINE int block_offset(block_form form)
{
  return form == BLOCK_NORMAL ? 5 : block_is_plane(form) ? 10 : 9;
}

/* c of a component of a contact's vector. */
BLOCK_INLINE double block_constant(const double *row, int c, block_form form)
{
  const int forces = block_forces(form);
  return c < forces ? row[block_offset(form) + c] : row[block_moment_place(form) + c - forces];
}

/* The part of w that moments act on: the relative spin. */
BLOCK_INLINE void block_row_spin(const double *row, const double *u1, const double *u2, double *w, block_form form)
{
  const double *c = row + block_moment_place(form);
  const int first = block_is_plane(form) ? 2 : 4;
  for (int a = 0; a < block_moments(form); a++) w[a] = c[a] + (u2[first + a] - u1[first + a]);
}

/* w = c + G u of a row whose bodies have velocities u1 and u2. */
BLOCK_INLINE void block_row_velocity(const double *row, const double *u1, const double *u2, double *w,
                                     block_form form)
{
  if (form == BLOCK_NORMAL) {
    w[0] = row[5] + (row[0] * (u2[0] - u1[0]) + row[1] * (u2[1] - u1[1]) + row[2] * (u2[2] - u1[2]));
    return;
  }
  block_row_spin(row, u1, u2, w + block_forces(form), form);
  if (block_is_plane(form)) {
    double x = u2[0] - u1[0], y = u2[1] - u1[1];
    w[0] = row[10] + (row[0] * x + row[1] * y) + (u2[2] * row[4] - u1[2] * row[2]);
    w[1] = row[11] + (row[0] * y - row[1] * x) + (u2[2] * row[5] - u1[2] * row[3]);
    return;
  }
  double turn[3], other[3];
  if (block_bodies(form) == BLOCK_ROUND) { /* omega x arm of both at once: arms are l n */
    for (int a = 0; a < 3; a++) other[a] = row[4] * u2[4 + a] - row[3] * u1[4 + a];
    block_cross(other, row, turn);
  } else {
    block_cross(u2 + 4, row + 6, turn);
    block_cross(u1 + 4, row + 3, other);
    for (int a = 0; a < 3; a++) turn[a] -= other[a];
  }
  for (int a = 0; a < 3; a++) w[a] = row[9 + a] + (u2[a] - u1[a]) + turn[a];
}

/* change += I^-1 moment */
BLOCK_INLINE void block_add_turn(const double *inertia, double sign, const double *moment, double *change)
{
  const double *I = inertia;
  change[0] += sign * (I[0] * moment[0] + I[3] * moment[1] + I[4] * moment[2]);
  change[1] += sign * (I[3] * moment[0] + I[1] * moment[1] + I[5] * moment[2]);
  change[2] += sign * (I[4] * moment[0] + I[5] * moment[1] + I[2] * moment[2]);
}

/* u1, u2 += M^-1 G^T Q of a moment alone. */
BLOCK_INLINE void block_row_apply_moment(const double *row, const double *inertia1, const double *inertia2,
                                         const double *Q, double *u1, double *u2, block_form form)
{
  if (!block_has_moments(form)) return;
  if (block_is_plane(form)) {
    u1[2] -= row[8] * Q[0];
    u2[2] += row[9] * Q[0];
  } else if (block_bodies(form) == BLOCK_ROUND) {
    for (int a = 0; a < 3; a++) {
      u1[4 + a] -= row[7] * Q[a];
      u2[4 + a] += row[8] * Q[a];
    }
  } else {
    block_add_turn(inertia1, -1.0, Q, u1 + 4);
    block_add_turn(inertia2, 1.0, Q, u2 + 4);
  }
}

/* The same of a force alone. */
BLOCK_INLINE void block_row_apply_force(const double *row, const double *inertia1, const double *inertia2,
                                        const double *P, double *u1, double *u2, block_form form)
{
  if (form == BLOCK_NORMAL) {
    for (int a = 0; a < 3; a++) {
      u1[a] -= row[3] * P[0] * row[a];
      u2[a] += row[4] * P[0] * row[a];
    }
    return;
  }
  if (block_is_plane(form)) {
    double x = P[0] * row[0] - P[1] * row[1], y = P[0] * row[1] + P[1] * row[0];
    u1[0] -= row[6] * x;
    u1[1] -= row[6] * y;
    u1[2] -= row[8] * (P[0] * row[2] + P[1] * row[3]);
    u2[0] += row[7] * x;
    u2[1] += row[7] * y;
    u2[2] += row[9] * (P[0] * row[4] + P[1] * row[5]);
    return;
  }
  const double *inverse = row + (block_bodies(form) == BLOCK_ROUND ? 5 : 12);
  for (int a = 0; a < 3; a++) {
    u1[a] -= inverse[0] * P[a];
    u2[a] += inverse[1] * P[a];
  }
  double moment[3];
  if (block_bodies(form) == BLOCK_ROUND) {
    block_cross(row, P, moment);
    for (int a = 0; a < 3; a++) {
      u1[4 + a] -= row[7] * row[3] * moment[a];
      u2[4 + a] += row[8] * row[4] * moment[a];
    }
    return;
  }
  block_cross(row + 3, P, moment);
  block_add_turn(inertia1, -1.0, moment, u1 + 4);
  block_cross(row + 6, P, moment);
  block_add_turn(inertia2, 1.0, moment, u2 + 4);
}

/* Of all of a contact's vector. */
BLOCK_INLINE void block_row_apply(const double *row, const double *inertia1, const double *inertia2,
                                  const double *P, double *u1, double *u2, block_form form)
{
  block_row_apply_force(row, inertia1, inertia2, P, u1, u2, form);
  block_row_apply_moment(row, inertia1, inertia2, P + block_forces(form), u1, u2, form);
}

/* The row of a contact, and its part of a column of vectors. */
BLOCK_INLINE void block_load_row(const block_island *island, int64_t k, double *row, block_form form)
{
  const int size = block_row_size(form);
  const double *from = island->row + FOUR * size * (k / FOUR) + k % FOUR;
  for (int q = 0; q < size; q++) row[q] = from[FOUR * q];
}

BLOCK_INLINE void block_load(const double *column, int64_t k, double *v, block_form form)
{
  const int components = block_components(form);
  const double *from = column + FOUR * components * (k / FOUR) + k % FOUR;
  for (int c = 0; c < components; c++) v[c] = from[FOUR * c];
}

BLOCK_INLINE void block_store(double *column, int64_t k, const double *v, block_form form)
{
  const int components = block_components(form);
  double *to = column + FOUR * components * (k / FOUR) + k % FOUR;
  for (int c = 0; c < components; c++) to[FOUR * c] = v[c];
}

/* Numbers of a column of vectors. */
static inline int64_t block_column_size(const block_island *island)
{
  return (island->contact_count + FOUR - 1) / FOUR * FOUR * block_components(island->form);
}

/* The same by the number of a contact. */
BLOCK_INLINE void block_velocity(const block_island *island, int64_t k, const double *row, const double *velocity,
                                 double *w, block_form form)
{
  const int32_t *body = island->body + 2 * k;
  int64_t stride = block_stride(form);
  block_row_velocity(row, velocity + stride * body[0], velocity + stride * body[1], w, form);
}

/* The inverse inertia of a contact's body; NULL where it stands in the row. */
BLOCK_INLINE const double *block_inertia(const block_island *island, int64_t k, int side, block_form form)
{
  return block_bodies(form) == BLOCK_GENERAL ? island->inertia + 6 * island->body[2 * k + side] : NULL;
}

BLOCK_INLINE void block_apply_force(const block_island *island, int64_t k, const double *row, const double *P,
                                    double *velocity, block_form form)
{
  const int32_t *body = island->body + 2 * k;
  int64_t stride = block_stride(form);
  block_row_apply_force(row, block_inertia(island, k, 0, form), block_inertia(island, k, 1, form), P,
                        velocity + stride * body[0], velocity + stride * body[1], form);
}

BLOCK_INLINE void block_apply(const block_island *island, int64_t k, const double *row, const double *P,
                              double *velocity, block_form form)
{
  const int32_t *body = island->body + 2 * k;
  int64_t stride = block_stride(form);
  block_row_apply(row, block_inertia(island, k, 0, form), block_inertia(island, k, 1, form), P,
                  velocity + stride * body[0], velocity + stride * body[1], form);
}

/* v = part along n, returned, and the rest: one number in the plane, a vector in space. */
BLOCK_INLINE double block_split(const double *row, const double *v, double *tangent, block_form form)
{
  if (form == BLOCK_NORMAL) return v[0];
  if (block_is_plane(form)) {
    tangent[0] = v[1];
    return v[0];
  }
  double along = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
  for (int a = 0; a < 3; a++) tangent[a] = v[a] - along * row[a];
  return along;
}

BLOCK_INLINE void block_join(const double *row, double along, const double *tangent, double *v, block_form form)
{
  if (form == BLOCK_NORMAL) {
    v[0] = along;
    return;
  }
  if (block_is_plane(form)) {
    v[0] = along;
    v[1] = tangent[0];
    return;
  }
  for (int a = 0; a < 3; a++) v[a] = along * row[a] + tangent[a];
}

BLOCK_INLINE double block_square(const double *tangent, block_form form)
{
  if (form == BLOCK_NORMAL) return 0.0;
  double square = tangent[0] * tangent[0];
  return block_is_plane(form) ? square : square + tangent[1] * tangent[1] + tangent[2] * tangent[2];
}

/* Brings a tangential vector into a disc of radius 0 or more. */
BLOCK_INLINE void block_into_disc(double *tangent, double radius, block_form form)
{
  if (block_is_plane(form)) {
    double value = tangent[0] < radius ? tangent[0] : radius;
    tangent[0] = value > -radius ? value : -radius;
    return;
  }
  double square = block_square(tangent, form);
  if (square <= radius * radius) return;
  double factor = radius > 0.0 ? radius / __builtin_sqrt(square) : 0.0;
  for (int a = 0; a < 3; a++) tangent[a] *= factor;
}

/* The nearest point of a contact's cone, |P_t| <= mu (p - lo), in the metric of A_n and A_t; without friction of
 * the half line above lo, which may be -infinity then. Returns p. Without a branch, as four lanes do it. */
BLOCK_INLINE double block_into_cone(block_bounds of, double p, double *tangent, block_form form)
{
  double ratio = of.friction * of.inverse_normal / of.inverse_tangent; /* mu A_t/A_n */
  double height = p - of.lower, width = __builtin_sqrt(block_square(tangent, form));
  double mixed = (height + ratio * width) / (1.0 + of.friction * ratio);
  mixed = 0.0 > mixed ? 0.0 : mixed; /* a NaN stays one */
  bool rubs = of.friction > 0.0, inside = width <= of.friction * height;
  double factor = inside ? 1.0 : mixed > 0.0 ? of.friction * mixed / width : 0.0;
  for (int c = 0; c < block_tangents(form); c++) tangent[c] *= rubs ? factor : 0.0;
  if (!rubs) return p > of.lower ? p : of.lower;
  return inside ? p : of.lower + mixed;
}

/* A contact's part of R without h, of impulses and velocities along n and across it. */
BLOCK_INLINE double block_residual(block_bounds of, bool convex, double p, const double *P_t, double w_n,
                                   const double *w_t, block_form form)
{
  double slack = p - of.lower, opening = slack / of.inverse_normal, moved[3];
  double worst = __builtin_fabs(w_n < opening ? w_n : opening);
  if (!(of.friction > 0.0)) return worst;
  const int tangents = block_tangents(form);
  for (int c = 0; c < tangents; c++) moved[c] = P_t[c] - w_t[c] * of.inverse_tangent;
  if (convex) {
    double next = block_into_cone(of, p - w_n * of.inverse_normal, moved, form);
    worst = __builtin_fabs(next - p) / of.inverse_normal;
  } else {
    block_into_disc(moved, of.friction * (slack > 0.0 ? slack : 0.0), form);
  }
  for (int c = 0; c < tangents; c++) moved[c] -= P_t[c];
  return greatest(worst, __builtin_sqrt(block_square(moved, form)) / of.inverse_tangent);
}

/* A moment into the rolling part, one number in the plane, a vector across n in space, and the twisting part, about
 * n, returned; 0 in the plane. */
BLOCK_INLINE double block_split_moment(const double *row, const double *Q, double *roll, block_form form)
{
  if (!block_is_plane(form)) return block_split(row, Q, roll, form);
  roll[0] = Q[0];
  return 0.0;
}

BLOCK_INLINE void block_join_moment(const double *row, double twist, const double *roll, double *Q, block_form form)
{
  if (block_is_plane(form))
    Q[0] = roll[0];
  else
    block_join(row, twist, roll, Q, form);
}

/* Of the disc of a group of rows; slack is infinite where nothing is limited. */
BLOCK_INLINE double block_radius(double limit, double slack)
{
  return limit > 0.0 && slack > 0.0 ? limit * slack : 0.0;
}

BLOCK_INLINE double block_into_interval(double value, double radius)
{
  double below = value < radius ? value : radius;
  return below > -radius ? below : -radius;
}

/* Square of a moment's part of R without h. */
BLOCK_INLINE double block_moment_residual(block_bounds of, block_moment_bounds by, const double *row, double p,
                                          const double *Q, const double *spin, block_form form)
{
  double roll[3], spin_r[3], moved[3], slack = p - of.lower;
  double twist = block_split_moment(row, Q, roll, form), spin_t = block_split_moment(row, spin, spin_r, form);
  const int tangents = block_tangents(form);
  for (int c = 0; c < tangents; c++) moved[c] = roll[c] - spin_r[c] * by.inverse_roll;
  block_into_disc(moved, block_radius(by.rolling, slack), form);
  for (int c = 0; c < tangents; c++) moved[c] -= roll[c];
  double about = twist - spin_t * by.inverse_twist;
  about = block_into_interval(about, block_radius(by.twisting, slack)) - twist;
  return greatest(block_square(moved, form) / by.inverse_roll, about * about / by.inverse_twist) /
         of.inverse_normal;
}

/* Calls a function of (context, begin, end, block, form) with the island's form as a constant. */
#define BLOCK_DISPATCH(form, call)                                                                                 \
  switch (form) {                                                                                                  \
  case BLOCK_PLANE:                                                                                                \
    call(BLOCK_PLANE);                                                                                             \
    break;                                                                                                         \
  case BLOCK_ROUND:                                                                                                \
    call(BLOCK_ROUND);                                                                                             \
    break;                                                                                                         \
  case BLOCK_GENERAL:                                                                                              \
    call(BLOCK_GENERAL);                                                                                           \
    break;                                                                                                         \
  case BLOCK_PLANE_MOMENTS:                                                                                        \
    call(BLOCK_PLANE_MOMENTS);                                                                                     \
    break;                                                                                                         \
  case BLOCK_ROUND_MOMENTS:                                                                                        \
    call(BLOCK_ROUND_MOMENTS);                                                                                     \
    break;                                                                                                         \
  case BLOCK_GENERAL_MOMENTS:                                                                                      \
    call(BLOCK_GENERAL_MOMENTS);                                                                                   \
    break;                                                                                                         \
  case BLOCK_NORMAL:                                                                                               \
    call(BLOCK_NORMAL);                                                                                            \
    break;                                                                                                         \
  }

#endif
