/*
 * What every plan of units (contacts/solvers/units.h) must be, for the tests of those who make one.
 */
#ifndef FLOC_TESTS_CONTACTS_UNIT_PLANS_H
#define FLOC_TESTS_CONTACTS_UNIT_PLANS_H

#include "contacts/solvers/units.h"
#include "problems.h"

/* Some contacts join particles that are far apart, in storage as after long stirring, and in space. */
static inline void tear(cloud *all, int64_t bodies)
{
  for (int64_t a = 0; a < all->problem.contact_count; a += 41) {
    int64_t far = all->first[a] + bodies / 3 + a % 100;
    if (all->second[a] >= 0 && far < bodies) all->second[a] = (int32_t)far;
  }
}

/* Marks both bodies of a row with `name`; no other name may be there already that is at least `least`. */
static inline void claim_bodies(const cloud *all, int64_t contact, int64_t name, int64_t least, bool alone,
                                int64_t *owner)
{
  int32_t body[2] = {all->first[contact], all->second[contact]};
  for (int side = 0; side < 2; side++) {
    if (body[side] < 0) continue;
    int64_t before = owner[body[side]];
    assert_true(before < least || (!alone && before == name));
    owner[body[side]] = name;
  }
}

/* Every contact has one row, units of a phase share no body, rows of a piece neither. */
static inline void check_unit_plan(const unit_plan *plan, const cloud *all, int64_t bodies, int64_t count,
                                   const int32_t *place, int64_t most_units)
{
  int64_t *contact_of = must_allocate((size_t)count, sizeof(int64_t)), rows = 0;
  int64_t *unit_owner = must_allocate((size_t)bodies, sizeof(int64_t));
  int64_t *piece_owner = must_allocate((size_t)bodies, sizeof(int64_t));
  for (int64_t k = 0; k < count; k++) contact_of[k] = -1;
  for (int64_t k = 0; k < count; k++) {
    assert_in_range(place[k], 0, count - 1);
    assert_true(contact_of[place[k]] == -1);
    contact_of[place[k]] = k;
  }
  for (int32_t phase = 0; phase < plan->phases; phase++) {
    int64_t least = plan->phase_unit[phase] + 1;
    for (int64_t unit = plan->phase_unit[phase]; unit < plan->phase_unit[phase + 1]; unit++) {
      assert_true(plan->unit_row[unit] == rows && plan->piece_row[plan->unit_piece[unit]] == rows);
      for (int32_t piece = plan->unit_piece[unit]; piece < plan->unit_piece[unit + 1]; piece++)
        for (; rows < plan->piece_row[piece + 1]; rows++) {
          claim_bodies(all, contact_of[rows], unit + 1, least, false, unit_owner);
          claim_bodies(all, contact_of[rows], piece + 1, piece + 1, true, piece_owner);
        }
      assert_true(plan->unit_row[unit + 1] == rows);
    }
  }
  assert_true(rows == count);
  assert_true(plan->phase_unit[plan->phases] <= most_units);
  free(contact_of);
  free(unit_owner);
  free(piece_owner);
}

#endif
