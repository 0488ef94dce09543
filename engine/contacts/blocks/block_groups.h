/*
 * The groups of a contact's rows (along n, across it, spins across n, spin about n) in the projected gradient:
 * lengths by group, scalings by 1/A, projections on cones. See block_gradient.c.
 */
#ifndef FLOC_CONTACTS_BLOCKS_BLOCK_GROUPS_H
#define FLOC_CONTACTS_BLOCKS_BLOCK_GROUPS_H

#include "contacts/blocks/block_gradient.h"
#include "contacts/blocks/block_rows.h"

#include <math.h>

/* A number for each group of a contact's rows: along n, across it, spins across n, spin about n. */
typedef struct group_numbers {
  double normal, tangent, roll, twist;
} group_numbers;

/* 1/A of each, or 1 in plain impulses: what rows are measured by. */
BLOCK_INLINE group_numbers inverses_of(const gradient_state *state, const double *row, block_form form)
{
  block_bounds of = block_row_bounds(row, form);
  if (form == BLOCK_NORMAL && state->plain) of.inverse_normal = 1.0;
  if (!block_has_moments(form)) return (group_numbers){of.inverse_normal, of.inverse_tangent, 0.0, 0.0};
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  return (group_numbers){of.inverse_normal, of.inverse_tangent, by.inverse_roll, by.inverse_twist};
}

/* What of a contact's vector a limit of 0 leaves: 1, or 0. */
BLOCK_INLINE group_numbers acting(const double *row, block_form form)
{
  const block_bounds of = block_row_bounds(row, form);
  group_numbers kept = {1.0, of.friction > 0.0, 0.0, 0.0};
  if (!block_has_moments(form)) return kept;
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  kept.roll = by.rolling > 0.0;
  kept.twist = by.twisting > 0.0;
  return kept;
}

BLOCK_INLINE group_numbers roots(group_numbers of)
{
  return (group_numbers){sqrt(of.normal), sqrt(of.tangent), sqrt(of.roll), sqrt(of.twist)};
}

/* Lengths of a contact's vector. */
BLOCK_INLINE group_numbers squares_of(const double *row, const double *v, block_form form)
{
  double part[3], along = block_split(row, v, part, form);
  group_numbers squares = {along * along, block_square(part, form), 0.0, 0.0};
  if (!block_has_moments(form)) return squares;
  along = block_split_moment(row, v + block_forces(form), part, form);
  squares.roll = block_square(part, form);
  squares.twist = along * along;
  return squares;
}

/* Multiplies the parts of a contact's vector. */
BLOCK_INLINE void multiply(const double *row, group_numbers by, double *v, block_form form)
{
  double part[3], along = block_split(row, v, part, form) * by.normal;
  for (int c = 0; c < block_tangents(form); c++) part[c] *= by.tangent;
  block_join(row, along, part, v, form);
  if (!block_has_moments(form)) return;
  double *moment = v + block_forces(form);
  along = block_split_moment(row, moment, part, form) * by.twist;
  for (int c = 0; c < block_tangents(form); c++) part[c] *= by.roll;
  block_join_moment(row, along, part, moment, form);
}

/* The nearest point of the intersection of a contact's cones, |g| <= limit (p - lo) for each part g. Its height x
 * over lo is where A_n (x - height) = sum A_g limit_g (|g| - limit_g x) over the parts outside; the difference of
 * both sides is concave and rises, so Newton's method from below, where all parts are outside, loses one part a
 * step at least. */
BLOCK_INLINE void project_on_cones(const double *row, double *P, block_form form)
{
  const block_bounds of = block_row_bounds(row, form);
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  const double inverse[3] = {of.inverse_tangent, by.inverse_roll, by.inverse_twist};
  const double limit[3] = {of.friction, by.rolling, by.twisting};
  double tangent[3], roll[3], *moment = P + block_forces(form);
  double p = block_split(row, P, tangent, form), twist = block_split_moment(row, moment, roll, form);
  const double length[3] = {__builtin_sqrt(block_square(tangent, form)), __builtin_sqrt(block_square(roll, form)),
                            fabs(twist)};
  bool outside[3], limits = false;
  for (int g = 0; g < 3; g++) limits |= outside[g] = limit[g] > 0.0;
  double x = p > of.lower ? p - of.lower : 0.0;
  for (int round = 0; limits && round < 4; round++) {
    double sum = (p - of.lower) / of.inverse_normal, weight = 1.0 / of.inverse_normal;
    for (int g = 0; g < 3; g++) {
      if (!outside[g]) continue;
      sum += limit[g] * length[g] / inverse[g];
      weight += limit[g] * limit[g] / inverse[g];
    }
    x = sum > 0.0 ? sum / weight : 0.0;
    for (int g = 0; g < 3; g++) outside[g] = outside[g] && length[g] > limit[g] * x;
  }
  block_into_disc(tangent, block_radius(of.friction, x), form);
  block_into_disc(roll, block_radius(by.rolling, x), form);
  twist = block_into_interval(twist, block_radius(by.twisting, x));
  block_join(row, limits ? of.lower + x : p > of.lower ? p : of.lower, tangent, P, form);
  block_join_moment(row, twist, roll, moment, form);
}

/* The nearest point of the cone of a contact. */
BLOCK_INLINE void project(const double *row, double *P, block_form form)
{
  if (block_has_moments(form)) {
    project_on_cones(row, P, form);
    return;
  }
  double tangent[3], along = block_split(row, P, tangent, form);
  along = block_into_cone(block_row_bounds(row, form), along, tangent, form);
  block_join(row, along, tangent, P, form);
}

/* v <- A^-1 v in the metric. */
BLOCK_INLINE void precondition(const gradient_state *state, const double *row, double *v, block_form form)
{
  multiply(row, inverses_of(state, row, form), v, form);
}

/* v.A v in the metric. */
BLOCK_INLINE double square_of(const gradient_state *state, const double *row, const double *v, block_form form)
{
  const group_numbers inverse = inverses_of(state, row, form), square = squares_of(row, v, form);
  double sum = square.normal / inverse.normal + square.tangent / inverse.tangent;
  return block_has_moments(form) ? sum + square.roll / inverse.roll + square.twist / inverse.twist : sum;
}

#endif
