/*
 * engine/contacts/finish/articulation.c: chains, trees and loops against their equations, one factorisation where
 * there are no bounds, rows that say the same twice, bounds by the laws themselves.
 */
#include "contacts/finish/articulation.h"

#include "support.h"

#include <math.h>
#include <string.h>

enum { MOST = 400 };

/* A row between two bodies of one freedom each; -1: the ground. */
static articulation_row row_between(int32_t number, int32_t first, int32_t second, const double *inverse_mass)
{
  articulation_row row = {.joint = number, .body = {first, second}, .lower = -INFINITY, .upper = INFINITY};
  for (int side = 0; side < 2; side++) {
    row.coefficient[side][0] = side == 0 ? -1.0 : 1.0;
    row.moved[side][0] = row.body[side] < 0 ? 0.0 : row.coefficient[side][0] * inverse_mass[row.body[side]];
  }
  return row;
}

/* w + S p by velocities. */
static void rates(const articulation *it, const double *w, const double *impulse, double *result)
{
  double velocity[MOST * ARTICULATION_FREEDOMS] = {0.0};
  articulation_push(it, impulse, velocity);
  for (int32_t r = 0; r < it->rows; r++) {
    result[r] = w[r] + it->row[r].slack * impulse[r];
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < ARTICULATION_FREEDOMS && it->row[r].body[side] >= 0; k++)
        result[r] += it->row[r].coefficient[side][k] * velocity[it->row[r].body[side] * ARTICULATION_FREEDOMS + k];
  }
}

/* Hung up: link k holds all below it, a load of 1e4 times the chain among them. */
static void a_chain_holds_its_load_by_one_factorisation(void **state)
{
  (void)state;
  enum { LINKS = 100 };
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  double inverse_mass[LINKS + 1], w[LINKS + 1], impulse[LINKS + 1] = {0.0}, after[LINKS + 1];
  articulation_row row[LINKS + 1];
  for (int k = 0; k <= LINKS; k++) inverse_mass[k] = k < LINKS ? 1.0 : 1.0 / (1e4 * LINKS);
  for (int k = 0; k <= LINKS; k++) {
    row[k] = row_between(k, k - 1, k, inverse_mass);
    w[k] = k == 0 ? -1.0 : 0.0; /* all have fallen by the same */
  }
  articulation it = {.rows = LINKS + 1, .joints = LINKS + 1, .bodies = LINKS + 1, .row = row};
  assert_int_equal(articulation_analyse(&scratch, &it), FLOC_OK);
  assert_int_equal((int)it.column[it.rows], LINKS); /* nothing fills in */
  assert_true(articulation_solve(&it, w, impulse));
  assert_int_equal(it.factorisations, 1);
  rates(&it, w, impulse, after);
  for (int k = 0; k <= LINKS; k++) {
    const double held = 1e4 * LINKS + (LINKS - k);
    assert_true(fabs(impulse[k] / held - 1.0) < 1e-8); /* rounding of 1 + 1e-6 in S, times the links */
    assert_true(fabs(after[k]) < 1e-9);
  }
  arena_free(&scratch);
}

/* A star, a loop, and a row that is there twice. */
static void trees_and_loops_are_solved(void **state)
{
  (void)state;
  enum { ROWS = 12, BODIES = 8 };
  static const int32_t ends[ROWS][2] = {{-1, 0}, {0, 1}, {0, 2}, {0, 3}, {3, 4}, {4, 5},
                                        {5, 6},  {6, 3}, {2, 7}, {7, 1}, {0, 1}, {-1, 7}};
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  double inverse_mass[BODIES], w[ROWS], impulse[ROWS] = {0.0}, after[ROWS], velocity[BODIES];
  articulation_row row[ROWS];
  for (int b = 0; b < BODIES; b++) {
    inverse_mass[b] = pow(10.0, b % 4 - 2);
    velocity[b] = sin(b + 1.0);
  }
  for (int r = 0; r < ROWS; r++) {
    row[r] = row_between(r, ends[r][0], ends[r][1], inverse_mass);
    w[r] = velocity[ends[r][1]] - (ends[r][0] < 0 ? 0.0 : velocity[ends[r][0]]);
  }
  articulation it = {.rows = ROWS, .joints = ROWS, .bodies = BODIES, .row = row};
  assert_int_equal(articulation_analyse(&scratch, &it), FLOC_OK);
  assert_true(articulation_solve(&it, w, impulse));
  assert_int_equal(it.factorisations, 1);
  rates(&it, w, impulse, after);
  for (int r = 0; r < ROWS; r++) assert_true(fabs(after[r]) < 1e-10);
  /* what no impulse can meet shows in the rates */
  w[10] += 0.5;
  memset(impulse, 0, sizeof impulse);
  articulation_solve(&it, w, impulse);
  rates(&it, w, impulse, after);
  assert_true(fabs(after[10] - after[1]) > 0.4);
  arena_free(&scratch);
}

/* Limits and motors along a line of bodies: each row is held against its own law. */
static void bounds_are_met(void **state)
{
  (void)state;
  enum { ROWS = 60, BODIES = 60 };
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  double inverse_mass[BODIES], w[ROWS], after[ROWS];
  articulation_row row[ROWS];
  for (int trial = 0; trial < 50; trial++) {
    double impulse[ROWS] = {0.0};
    for (int b = 0; b < BODIES; b++) inverse_mass[b] = 1.0 + 0.9 * sin(13.0 * b + trial);
    for (int r = 0; r < ROWS; r++) {
      row[r] = row_between(r, r - 1, r, inverse_mass);
      w[r] = cos(7.0 * r + 3.0 * trial);
      if (r % 3 == 1) row[r].lower = 0.0;
      if (r % 3 == 2) {
        row[r].upper = 0.3;
        row[r].lower = -0.3;
      }
    }
    articulation it = {.rows = ROWS, .joints = ROWS, .bodies = BODIES, .row = row};
    assert_int_equal(articulation_analyse(&scratch, &it), FLOC_OK);
    assert_true(articulation_solve(&it, w, impulse));
    rates(&it, w, impulse, after);
    for (int r = 0; r < ROWS; r++) {
      assert_true(impulse[r] >= row[r].lower - 1e-10 && impulse[r] <= row[r].upper + 1e-10);
      if (impulse[r] > row[r].lower + 1e-10) assert_true(after[r] < 1e-10);
      if (impulse[r] < row[r].upper - 1e-10) assert_true(after[r] > -1e-10);
    }
    arena_reset(&scratch);
  }
  arena_free(&scratch);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_holds_its_load_by_one_factorisation),
      cmocka_unit_test(trees_and_loops_are_solved),
      cmocka_unit_test(bounds_are_met),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
