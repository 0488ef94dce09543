/*
 * Gravity and charges by a tree (engine/laws/long_range.c) against direct summation: the error at each opening,
 * energy, softening, the plane, coincident particles, threads, and what is refused.
 */
#include "laws/long_range.h"

#include "base/numbers/random.h"
#include "failing_allocator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cloud {
  environment env;
  arena scratch;
  particles table;
  int32_t dimension;
} cloud;

static void make_cloud(cloud *c, int64_t count, int32_t dimension, int32_t threads, bool charges)
{
  memset(c, 0, sizeof *c);
  c->env = test_environment(threads);
  c->dimension = dimension;
  arena_init(&c->scratch, &c->env);
  particles_init(&c->table, &c->env);
  for (int64_t k = 0; k < count; k++) {
    int64_t id;
    double u[4];
    assert_ok(&c->env, particles_append(&c->table, &id));
    random_uniform4(1, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    for (int axis = 0; axis < dimension; axis++) c->table.column[COLUMN_x + axis][k] = u[axis] * u[axis];
    c->table.column[COLUMN_radius][k] = 0.01;
    c->table.column[COLUMN_mass][k] = charges ? (u[3] < 0.5 ? -1.0 : 1.0) : 0.5 + u[3];
  }
}

static void free_cloud(cloud *c)
{
  particles_free(&c->table);
  arena_free(&c->scratch);
}

static long_range force_of(double softening, double opening)
{
  return (long_range){.strength = 2.0, .softening = softening, .opening = opening, .source = COLUMN_mass};
}

static void evaluate(cloud *c, const long_range *which, double *energy)
{
  for (int axis = 0; axis < 3; axis++)
    memset(c->table.column[COLUMN_fx + axis], 0, (size_t)c->table.count * sizeof(double));
  assert_ok(&c->env, long_range_apply(&c->env, which, &c->table, c->dimension, &c->scratch, NULL));
  assert_ok(&c->env, long_range_apply(&c->env, which, &c->table, c->dimension, &c->scratch, energy));
}

/* Root mean square of the relative errors, or of errors over that of forces where these may vanish; the error of
 * the energy in the sum of its absolute parts. */
typedef struct errors {
  double relative, absolute, energy;
} errors;

static errors find_errors(const cloud *c, const long_range *which, double energy)
{
  double relative = 0.0, error = 0.0, size = 0.0, sum = 0.0, parts = 0.0;
  const double *s = c->table.column[which->source];
  for (int64_t i = 0; i < c->table.count; i++) {
    double force[3] = {0.0, 0.0, 0.0}, wrong = 0.0, right = 0.0;
    for (int64_t j = 0; j < c->table.count; j++) {
      double way[3] = {0.0, 0.0, 0.0}, square = which->softening * which->softening;
      for (int axis = 0; axis < c->dimension; axis++) {
        way[axis] = c->table.column[COLUMN_x + axis][j] - c->table.column[COLUMN_x + axis][i];
        square += way[axis] * way[axis];
      }
      if (j == i) continue;
      double potential = which->strength * s[i] * s[j] / sqrt(square);
      sum -= 0.5 * potential;
      parts += 0.5 * fabs(potential);
      for (int axis = 0; axis < 3; axis++) force[axis] += potential / square * way[axis];
    }
    for (int axis = 0; axis < c->dimension; axis++) {
      double off = c->table.column[COLUMN_fx + axis][i] - force[axis];
      wrong += off * off;
      right += force[axis] * force[axis];
    }
    relative += wrong / right;
    error += wrong;
    size += right;
  }
  return (errors){sqrt(relative / (double)c->table.count), sqrt(error / size), fabs(energy - sum) / parts};
}

static errors errors_at(int64_t count, int32_t dimension, bool charges, double softening, double opening)
{
  cloud c;
  double energy;
  make_cloud(&c, count, dimension, 2, charges);
  const long_range which = force_of(softening, opening);
  evaluate(&c, &which, &energy);
  errors found = find_errors(&c, &which, energy);
  free_cloud(&c);
  return found;
}

static void the_error_is_as_stated(void **state)
{
  (void)state;
  errors wide = errors_at(6000, 3, false, 0.0, 0.6), usual = errors_at(6000, 3, false, 0.0, 0.3),
         fine = errors_at(6000, 3, false, 0.0, 0.15);
  assert_true(usual.relative < 1.2e-4);
  assert_true(usual.energy < 1e-5);
  assert_true(fine.relative < usual.relative / 8.0 && usual.relative < wide.relative / 8.0);
  assert_true(wide.relative > 2e-4); /* the tree is used */
}

static void charges_softening_and_the_plane(void **state)
{
  (void)state;
  errors charges = errors_at(4000, 3, true, 0.0, 0.3), soft = errors_at(4000, 3, false, 0.05, 0.3),
         plane = errors_at(4000, 2, false, 0.0, 0.3);
  assert_true(charges.absolute < 1e-4 && charges.energy < 1e-6);
  assert_true(soft.relative < 1e-4 && soft.energy < 1e-5);
  assert_true(plane.relative < 1e-3 && plane.energy < 1e-4);
}

static void few_particles_are_exact(void **state)
{
  (void)state;
  for (int64_t count = 1; count <= 16; count++) {
    errors found = count > 1 ? errors_at(count, 3, false, 0.0, 0.3) : (errors){0.0, 0.0, 0.0};
    assert_true(found.relative < 1e-14 && found.energy < 1e-14);
  }
}

static void coincident_particles_do_not_act_on_each_other(void **state)
{
  (void)state;
  for (int softened = 0; softened < 2; softened++) {
    cloud c;
    double energy;
    make_cloud(&c, 100, 3, 1, false);
    for (int axis = 0; axis < 3; axis++)
      for (int64_t k = 0; k < 99; k++) c.table.column[COLUMN_x + axis][k] = 0.0;
    const double place[3] = {3.0, 0.0, 4.0}; /* at a distance of 5 */
    for (int axis = 0; axis < 3; axis++) c.table.column[COLUMN_x + axis][99] = place[axis];
    double mass = 0.0, squares = 0.0, last = c.table.column[COLUMN_mass][99];
    for (int64_t k = 0; k < 99; k++) mass += c.table.column[COLUMN_mass][k];
    for (int64_t k = 0; k < 99; k++) squares += c.table.column[COLUMN_mass][k] * c.table.column[COLUMN_mass][k];
    const long_range which = force_of(softened ? 12.0 : 0.0, 0.3);
    evaluate(&c, &which, &energy);
    const double w = softened ? 13.0 : 5.0, together = softened ? (mass * mass - squares) / 12.0 : 0.0;
    assert_close(c.table.column[COLUMN_fx][99], -2.0 * mass * last * 3.0 / (w * w * w), 1e-12 * mass);
    assert_close(c.table.column[COLUMN_fz][99], -2.0 * mass * last * 4.0 / (w * w * w), 1e-12 * mass);
    assert_close(energy, -2.0 * mass * last / w - together, 1e-12 * mass * mass);
    free_cloud(&c);
  }
}

static void threads_give_the_same_bits(void **state)
{
  (void)state;
  cloud c[3];
  double energy[3];
  const long_range which = force_of(0.01, 0.5);
  for (int n = 0; n < 3; n++) {
    make_cloud(&c[n], 20000, 3, n + 1, false);
    evaluate(&c[n], &which, &energy[n]);
    assert_true(energy[n] == energy[0]);
    for (int axis = 0; axis < 3; axis++)
      assert_memory_equal(c[n].table.column[COLUMN_fx + axis], c[0].table.column[COLUMN_fx + axis],
                          20000 * sizeof(double));
  }
  for (int n = 0; n < 3; n++) free_cloud(&c[n]);
}

static void what_cannot_be_is_refused(void **state)
{
  (void)state;
  cloud c;
  long_range made;
  make_cloud(&c, 3, 3, 1, false);
  domain box = {.dimension = 3};
  floc_long_range_options options;
  floc_long_range_options_init(&options);
  assert_int_equal(long_range_resolve(&c.env, &options, &c.table, &box, &made), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(c.env.message, "constant"));
  options.constant = 3.0;
  assert_ok(&c.env, long_range_resolve(&c.env, &options, &c.table, &box, &made));
  assert_true(made.strength == 3.0 && made.opening == 0.3 && made.source == COLUMN_mass);
  options.kind = FLOC_LONG_RANGE_COULOMB;
  assert_int_equal(long_range_resolve(&c.env, &options, &c.table, &box, &made), FLOC_NOT_FOUND);
  assert_non_null(strstr(c.env.message, "source is \"charge\""));
  options.opening = 1.5;
  assert_int_equal(long_range_resolve(&c.env, &options, &c.table, &box, &made), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(c.env.message, "opening is 1.5"));
  options.opening = 0.0, options.source = "mass";
  assert_ok(&c.env, long_range_resolve(&c.env, &options, &c.table, &box, &made));
  assert_true(made.strength == -3.0);
  box.boundary[1] = FLOC_BOUNDARY_PERIODIC;
  assert_int_equal(long_range_resolve(&c.env, &options, &c.table, &box, &made), FLOC_NOT_SUPPORTED);
  assert_non_null(strstr(c.env.message, "periodic along y"));
  free_cloud(&c);
}

/* Forces are as they were, and nothing leaks. */
static void every_failing_allocation_is_an_error(void **state)
{
  (void)state;
  for (int64_t n = 1;; n++) {
    failing_allocator memory;
    cloud c;
    make_cloud(&c, 300, 3, 1, false);
    environment env = failing_environment(&memory, n);
    arena scratch;
    arena_init(&scratch, &env);
    const long_range which = force_of(0.01, 0.3);
    double energy = 0.0;
    for (int axis = 0; axis < 3; axis++)
      for (int64_t k = 0; k < c.table.count; k++) c.table.column[COLUMN_fx + axis][k] = 1.0;
    floc_status status = long_range_apply(&env, &which, &c.table, 3, &scratch, NULL);
    if (status != FLOC_OK)
      for (int64_t k = 0; k < c.table.count; k++) assert_true(c.table.column[COLUMN_fx][k] == 1.0);
    if (status == FLOC_OK) status = long_range_apply(&env, &which, &c.table, 3, &scratch, &energy);
    arena_free(&scratch);
    free_cloud(&c);
    assert_int_equal(memory.bytes, 0);
    if (memory.calls < n) {
      assert_int_equal(status, FLOC_OK);
      assert_true(energy < 0.0);
      assert_true(n > 1);
      return;
    }
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failing_allocation_is_an_error),
      cmocka_unit_test(the_error_is_as_stated),
      cmocka_unit_test(charges_softening_and_the_plane),
      cmocka_unit_test(few_particles_are_exact),
      cmocka_unit_test(coincident_particles_do_not_act_on_each_other),
      cmocka_unit_test(threads_give_the_same_bits),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
