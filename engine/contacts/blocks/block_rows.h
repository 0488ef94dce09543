/*
 * Rows of a block problem: their numbers, w = c + G u, u += M^-1 G^T P, and the sets that impulses lie in. The form
 * is a constant wherever these are used, so each loop has code of its own. See block_system.h for the memory.
 */
#ifndef FLOC_CONTACTS_BLOCKS_BLOCK_ROWS_H
#define FLOC_CONTACTS_BLOCKS_BLOCK_ROWS_H

#include "contacts/blocks/block_system.h"

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
    u1[2] -= row[8] * (P[0] * row[2]);
    u1[2] -= row[8] * (P[1] * row[3]);
    u2[0] += row[7] * x;
    u2[1] += row[7] * y;
    u2[2] += row[9] * (P[0] * row[4]);
    u2[2] += row[9] * (P[1] * row[5]);
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

/* In the plane without a root. */
BLOCK_INLINE double block_length(const double *tangent, block_form form)
{
  if (block_is_plane(form)) return __builtin_fabs(tangent[0]);
  return __builtin_sqrt(block_square(tangent, form));
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
  double height = p - of.lower, width = block_length(tangent, form);
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
  return greatest(worst, block_length(moved, form) / of.inverse_tangent);
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
