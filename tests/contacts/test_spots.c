/*
 * Spots solve what they take, keep impulses and velocities together, and do nothing where they are no use. And
 * the limit of work: whose it is decides whether a problem that is not solved ends a step. And the stages of large
 * problems (working_set.c).
 */
#include "support.h"

#include "base/threads/parallel.h"
#include "contacts/blocks/block_rows.h"
#include "contacts/blocks/block_spots.h"
#include "contacts/solvers/solve.h"

#include <math.h>
#include <string.h>

enum { SIDE = 18, BODIES = SIDE * SIDE * SIDE, CONTACTS = 3 * BODIES + SIDE * SIDE };
enum { SPOTTED = 12 }; /* its side where spots are looked at */

/* Balls on a cubic lattice above a floor, jostled. */
static struct lattice {
  double inverse_mass[BODIES], inverse_inertia[BODIES], velocity[3][BODIES], spin[3][BODIES];
  double normal[3][CONTACTS], distance[CONTACTS], lower[CONTACTS], friction[CONTACTS];
  double arm_first[CONTACTS], arm_second[CONTACTS];
  int32_t first[CONTACTS], second[CONTACTS];
  contact_problem problem;
  double impulse[CONTACTS], tangent[3][CONTACTS], solved[3][BODIES], turned[3][BODIES];
  contact_answer answer;
} all;

static double draw(void)
{
  static uint64_t generator = 5;
  generator = generator * 6364136223846793005u + 1442695040888963407u;
  return (double)(generator >> 11) / 9007199254740992.0;
}

static void add_contact(int32_t first, int32_t second, int axis, double sign)
{
  const int64_t a = all.problem.contact_count++;
  double normal[3] = {0.1 * (draw() - 0.5), 0.1 * (draw() - 0.5), 0.1 * (draw() - 0.5)};
  normal[axis] = sign;
  const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int k = 0; k < 3; k++) all.normal[k][a] = normal[k] / length;
  all.first[a] = first;
  all.second[a] = second;
  all.distance[a] = 1e-3 * (draw() - 0.5);
  all.friction[a] = 0.5;
  all.arm_first[a] = 0.5;
  all.arm_second[a] = -0.5;
}

static void make_lattice(const int side)
{
  memset(&all, 0, sizeof all);
  const int step[3] = {1, side, side * side};
  for (int32_t k = 0; k < side * side * side; k++) {
    all.inverse_mass[k] = 1.0 / (0.5 + draw());
    all.inverse_inertia[k] = all.inverse_mass[k] / (0.4 * 0.25);
    for (int axis = 0; axis < 3; axis++) all.velocity[axis][k] = 0.5 * (draw() - 0.5);
    all.velocity[1][k] -= 0.1;
    if (k / side % side == 0) add_contact(k, -1, 1, -1.0);
    for (int axis = 0; axis < 3; axis++)
      if (k / step[axis] % side < side - 1) add_contact(k, k + step[axis], axis, 1.0);
  }
  contact_problem *problem = &all.problem;
  problem->dimension = 3;
  problem->time_step = 0.01;
  problem->body_count = side * side * side;
  problem->round = problem->unsorted = true;
  problem->inverse_mass = all.inverse_mass;
  problem->inverse_inertia = all.inverse_inertia;
  problem->first = all.first;
  problem->second = all.second;
  problem->distance = all.distance;
  problem->lower = all.lower;
  problem->friction = all.friction;
  problem->arm_first[0] = all.arm_first;
  problem->arm_second[0] = all.arm_second;
  all.answer.impulse = all.impulse;
  for (int axis = 0; axis < 3; axis++) {
    problem->free_velocity[axis] = all.velocity[axis];
    problem->free_spin[axis] = all.spin[axis];
    problem->normal[axis] = all.normal[axis];
    all.answer.tangent[axis] = all.tangent[axis];
    all.answer.velocity[axis] = all.solved[axis];
    all.answer.spin[axis] = all.turned[axis];
  }
}

static void pack(environment *env, arena *scratch, block_island *island)
{
  static int32_t listed[CONTACTS], slot[BODIES];
  const int64_t contacts = all.problem.contact_count;
  for (int32_t a = 0; a < contacts; a++) listed[a] = a;
  memset(slot, -1, sizeof slot);
  assert_ok(env, block_allocate(scratch, block_form_of(&all.problem), contacts, island));
  block_pack(env, &all.problem, &all.answer, listed, contacts, slot, island);
}

static double *numbers(arena *scratch, size_t count)
{
  double *column = arena_allocate(scratch, count, sizeof *column);
  assert_non_null(column);
  memset(column, 0, count * sizeof *column);
  return column;
}

/* The iterate after that many sweeps without momentum; velocities are its own. */
static void sweep(environment *env, arena *scratch, block_island *island, int64_t products)
{
  double *work = numbers(scratch, block_gauss_seidel_work_size(island));
  const solver_limits limits = {1e-300, products};
  block_gauss_seidel_solve(env, island, work, limits, (block_aim){.plain = true});
  block_scatter(env, island, island->impulse, island->velocity);
}

/* Residuals of all contacts. */
static void look(environment *env, const block_island *island, double *residual)
{
  block_return(env, &all.problem, island, &all.answer);
  for (int64_t a = 0; a < all.problem.contact_count; a++)
    residual[a] = all.problem.time_step * contact_residual(&all.problem, a, &all.answer);
}

static int64_t worst_of(const double *residual)
{
  int64_t worst = 0;
  for (int64_t a = 0; a < all.problem.contact_count; a++)
    if (residual[a] > residual[worst]) worst = a;
  return worst;
}

/* Sweeps, then spots for a target that is that part of the greatest residual. Returns products. */
static int64_t mend(int32_t threads, double part, double *before, double *after)
{
  environment env = test_environment(threads);
  parallel_call_team(&env);
  arena scratch;
  arena_init(&scratch, &env);
  block_island island;
  memset(all.impulse, 0, sizeof all.impulse);
  memset(all.tangent, 0, sizeof all.tangent);
  pack(&env, &scratch, &island);
  assert_true(block_spots_apply(&island));
  sweep(&env, &scratch, &island, 200);
  look(&env, &island, before);
  const size_t velocities = (size_t)(block_stride(island.form) * island.body_count);
  double *work = numbers(&scratch, block_spots_work_size(&island)), *mended = numbers(&scratch, velocities);
  const double target = part * before[worst_of(before)];
  int64_t products = block_spots_mend(&env, &island, island.impulse, island.velocity, work, target);
  memcpy(mended, island.velocity, velocities * sizeof *mended);
  look(&env, &island, after); /* velocities are found again from impulses */
  for (size_t k = 0; k < velocities; k++) assert_true(fabs(mended[k] - island.velocity[k]) < 1e-13);
  arena_free(&scratch);
  parallel_dismiss_team(&env);
  return products;
}

static void spots_solve_what_they_take(void **state)
{
  (void)state;
  static double before[CONTACTS], after[CONTACTS], again[CONTACTS];
  make_lattice(SPOTTED);
  assert_true(mend(1, 1.2, before, after) > 1);
  const int64_t worst = worst_of(before);
  int64_t changed = 0;
  for (int64_t a = 0; a < all.problem.contact_count; a++) changed += before[a] != after[a];
  print_message("residual %.3g, after a spot %.3g there; %d of %d contacts differ\n", before[worst], after[worst],
                (int)changed, (int)all.problem.contact_count);
  assert_true(after[worst] <= 0.7 * 1.2 * before[worst]);
  assert_true(changed > 100 && changed < all.problem.contact_count / 2);
  mend(3, 1.2, before, again);
  assert_memory_equal(after, again, sizeof after);
  assert_int_equal(mend(1, 1e-3, before, after), 1); /* many are above: nothing is done */
  assert_memory_equal(after, before, sizeof after);
}

static void convex_and_small_islands_have_none(void **state)
{
  (void)state;
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  make_lattice(SPOTTED);
  all.problem.convex = true;
  block_island island;
  pack(&env, &scratch, &island);
  assert_false(block_spots_apply(&island));
  all.problem.convex = false;
  all.problem.contact_count = 1500;
  pack(&env, &scratch, &island);
  assert_false(block_spots_apply(&island));
  assert_int_equal(block_spots_work_size(&island), 0);
  arena_free(&scratch);
}

/* ---- the limit of work ---- */

static floc_status solve_within(double limit, bool strict, contact_report *report, double *spent)
{
  environment env = test_environment(1);
  work_budget work;
  work_begin(&work, limit, strict);
  env.work = &work;
  arena scratch;
  arena_init(&scratch, &env);
  const contact_options options = {.solver = FLOC_SOLVER_AUTO, .tolerance = 1e-30, .max_iterations = 20000};
  floc_status status = contact_solve(&env, &scratch, &all.problem, &options, &all.answer, report);
  *spent = (double)work_spent(&env);
  arena_free(&scratch);
  return status;
}

static void a_problem_that_is_not_solved_ends_no_step(void **state)
{
  (void)state;
  make_lattice(SPOTTED);
  const double limit = 4.0 * 60 * (double)all.problem.contact_count;
  contact_report report;
  double spent;
  assert_int_equal(solve_within(limit, false, &report, &spent), FLOC_OK);
  assert_false(report.converged);
  assert_true(report.iterations > 20 && report.residual > 0.0 && report.residual < 1e-2);
  assert_true(spent < limit);
  memset(all.impulse, 0, sizeof all.impulse);
  assert_int_equal(solve_within(limit, true, &report, &spent), FLOC_LIMIT_EXCEEDED);
}

/* ---- stages ---- */

static double left_with(double working_gap)
{
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  memset(all.impulse, 0, sizeof all.impulse);
  memset(all.tangent, 0, sizeof all.tangent);
  const contact_options options = {
      .solver = FLOC_SOLVER_AUTO, .tolerance = 1e-12, .max_iterations = 400, .working_gap = working_gap};
  contact_report report;
  assert_ok(&env, contact_solve(&env, &scratch, &all.problem, &options, &all.answer, &report));
  assert_false(report.converged);
  arena_free(&scratch);
  return report.residual;
}

/* Products end before the tolerance is met; contacts that were left out at first were swept too. */
static void contacts_left_out_are_found_before_products_end(void **state)
{
  (void)state;
  make_lattice(SIDE);
  assert_true(all.problem.contact_count > 16384);
  const double whole = left_with(1e3), chosen = left_with(0.0);
  print_message("residual %.3g with all contacts from the start, %.3g with those that may close\n", whole, chosen);
  assert_true(chosen < 3.0 * whole);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spots_solve_what_they_take),
      cmocka_unit_test(convex_and_small_islands_have_none),
      cmocka_unit_test(a_problem_that_is_not_solved_ends_no_step),
      cmocka_unit_test(contacts_left_out_are_found_before_products_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
