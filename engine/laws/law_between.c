/*
 * What stresses ask of laws: forces that act between two particles, or a particle and a body, over one list. A list
 * that is made for it holds bonds, however long they are, and the pairs of laws on all pairs; attractions, which
 * write to the force columns alone, add what they exert along the normal by their own formula (attraction.h).
 */
#include "laws/laws_internal.h"

#include "particles/owned.h"

#include <math.h>

floc_status laws_check_between(const laws *all, const char *what)
{
  if (all->of[FLOC_LAW_ANGLE].count > 0)
    return refuse(
        all->env, FLOC_NOT_SUPPORTED,
        "%s: the law of angles \"%s\" acts between three particles; forces between two have a stress here", what,
        all->of[FLOC_LAW_ANGLE].item[0].name);
  if (all->long_range_count > 0)
    return refuse(
        all->env, FLOC_NOT_SUPPORTED,
        "%s: long-range forces are found by a tree and not pair by pair; a law of add_force with the range "
        "infinity has a stress",
        what);
  return FLOC_OK;
}

/* No two centres are further apart, at their nearest images. */
static double greatest_extent(const particles *table, const domain *box)
{
  double square = 0.0;
  for (int axis = 0; axis < box->dimension; axis++) {
    double lower = INFINITY, upper = -INFINITY;
    EACH_OWNED(slot, table) {
      lower = fmin(lower, table->column[COLUMN_x + axis][slot]);
      upper = fmax(upper, table->column[COLUMN_x + axis][slot]);
    }
    const double side = box->length[axis] > 0.0 ? 0.5 * box->length[axis] : upper - lower;
    square += owned_number(table) > 0 ? side * side : 0.0;
  }
  return sqrt(square);
}

static double longest_gap(const bond_list *bonds, const particles *table, const domain *box)
{
  const double *radius = table->column[COLUMN_radius];
  double longest = 0.0;
  for (int64_t k = 0; k < bonds->count; k++) {
    const int32_t i = bonds->pairs.first[k], j = bonds->pairs.second[k];
    double separation[3];
    const double square = particles_apart(table, box, i, j, separation);
    longest = fmax(longest, sqrt(square) - radius[i] - radius[j]);
  }
  return longest;
}

floc_status laws_between_range(laws *all, const particles *table, const domain *box, double *range)
{
  const law_list *pairs = &all->of[FLOC_LAW_PAIR];
  floc_status status = laws_follow_bonds(all, table);
  *range = laws_range(all);
  for (int32_t k = 0; k < pairs->count && status == FLOC_OK; k++) {
    const law *one = &pairs->item[k];
    if (one->everywhere) *range = fmax(*range, greatest_extent(table, box));
    if (one->bonds) *range = fmax(*range, longest_gap(one->bonds, table, box));
  }
  *range *= 1.0 + 1e-12; /* the list's own sums round otherwise */
  return status;
}

void laws_add_attractions(const laws *all, const particles *table, const pair_list *pairs, const domain *box,
                          double time_step, double *normal)
{
  for (int32_t n = 0; n < all->attraction_count; n++)
    attraction_add_normal(&all->attraction[n], table, pairs, box, all->dimension, time_step, normal);
}
