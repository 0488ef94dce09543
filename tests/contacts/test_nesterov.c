/*
 * Nesterov's momentum and its limit: the sequence of weights, what raises the limit and what does not, and what it
 * is for, on large lattices with more contacts than carry the load.
 */
#include "support.h"

#include "base/threads/parallel.h"
#include "contacts/solvers/nesterov.h"
#include "contacts/solvers/solve.h"
#include "contacts/solvers/solvers.h"
#include "problems.h"

#include "floc/floc.h"

/* theta and beta by the formula in long double. */
static void test_weights(void **state)
{
  (void)state;
  nesterov it = nesterov_begin();
  assert_true(it.beta == 0.0);
  long double theta = 1.0L;
  for (int k = 0; k < 1000; k++) {
    bool uphill = k == 300;
    long double next = (sqrtl(theta * theta * theta * theta + 4.0L * theta * theta) - theta * theta) / 2.0L;
    long double beta = theta * (1.0L - theta) / (theta * theta + next);
    nesterov_next(&it, uphill);
    assert_close(it.beta, uphill ? 0.0 : (double)beta, 1e-12);
    theta = uphill ? 1.0L : next;
  }
  assert_true(it.beta > 0.99);
}

static double limit_after(int windows, double (*residual)(int step))
{
  nesterov it = nesterov_begin_limited(0.08);
  for (int k = 0; k < 10 * windows; k++) nesterov_next_limited(&it, false, residual(k));
  for (int k = 0; k < 5000; k++) nesterov_next(&it, false); /* as far as the limit lets it */
  return it.beta;
}

static double fast(int step)
{
  return pow(0.97, step); /* 0.74 in a window */
}

static double calm_and_slow(int step)
{
  return pow(0.995, step); /* 0.95 in a window */
}

static double rough_and_slow(int step)
{
  return pow(0.995, step) * (step % 10 == 7 ? 3.0 : 1.0);
}

static double at_rest(int step)
{
  (void)step;
  return 0.0;
}

static double broken(int step)
{
  (void)step;
  return NAN;
}

static void test_limit(void **state)
{
  (void)state;
  assert_close(limit_after(40, fast), 0.92, 1e-12);
  assert_close(limit_after(40, rough_and_slow), 0.92, 1e-12);
  /* the first window has none before it to be slow beside */
  assert_close(limit_after(1, calm_and_slow), 0.92, 1e-12);
  assert_close(limit_after(2, calm_and_slow), 1.0 - 0.08 * 0.7, 1e-12);
  assert_close(limit_after(5, calm_and_slow), 1.0 - 0.08 * pow(0.7, 4), 1e-12);
  assert_true(limit_after(40, calm_and_slow) > 0.999);
  assert_true(limit_after(40, at_rest) <= 1.0 && limit_after(40, broken) <= 1.0);
}

/* Restarts do not forget the limit. */
static void test_limit_outlives_restarts(void **state)
{
  (void)state;
  nesterov it = nesterov_begin_limited(0.08);
  for (int k = 0; k < 200; k++) nesterov_next_limited(&it, k % 50 == 49, calm_and_slow(k));
  assert_true(it.beta == 0.0);
  assert_true(it.gap < 0.01);
}

/* ---- what it is for ---- */

static int64_t sweeps_for(int64_t columns, int64_t rows, double tolerance)
{
  environment env = test_environment(1);
  const cloud_options lattice = {
      .dimension = 2, .particles = columns * rows, .seed = 5, .mass_decades = 0, .mass_unit = 1};
  cloud all;
  lattice_create(&lattice, columns, &all);
  contact_report report;
  assert_ok(&env, cloud_solve(&env, &all, FLOC_SOLVER_AUTO, tolerance, 20000, &report));
  assert_true(report.converged);
  cloud_free(&all);
  return report.iterations;
}

/* Without the limit these take 997 and 1042 sweeps, with it 593 and 577. */
static void test_sweeps(void **state)
{
  (void)state;
  int64_t wide = sweeps_for(200, 100, 1e-4), deep = sweeps_for(100, 200, 1e-4);
  if (wide > 750 || deep > 750) fail_msg("%d and %d sweeps", (int)wide, (int)deep);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_weights),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_limit_outlives_restarts),
      cmocka_unit_test(test_sweeps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
