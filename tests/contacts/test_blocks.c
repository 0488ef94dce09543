/*
 * The solvers of friction problems: all against the independent audit and against each other; four contacts side by
 * side against one after another; islands; what comes back when a budget ends.
 */
#include "support.h"

#include "contacts/blocks/block_rows.h"
#include "contacts/blocks/block_single.h"
#include "contacts/problem/problem_file.h"
#include "crowds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sample crowd;
static solved result;
static double audited[6 * BODY_LIMIT];

/* ---- tests ---- */

static int32_t audited_layers(int32_t dimension)
{
  if (SLOWED) return dimension == 2 ? 6 : 4;
  return dimension == 2 ? 12 : 5;
}

static void every_solver_satisfies_the_audit(void **state)
{
  (void)state;
  static const char *const names[] = {"auto", "uzawa", "apgd"};
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int skewed = 0; skewed < 2; skewed++)
      for (double friction = 0.0; friction < 3.1; friction += 0.5) {
        if (friction == 1.5) friction = 2.5; /* the second three: convex */
        double mu = friction < 2.0 ? friction : friction - 2.0;
        memset(&crowd, 0, sizeof crowd);
        make_crowd(&crowd, dimension, audited_layers(dimension), mu, skewed ? 0.3 : 0.0, 7);
        crowd.problem.round = !skewed;
        crowd.problem.convex = friction > 2.0;
        for (int32_t solver = 0; solver < 3; solver++) {
          assert_int_equal(solve_with(&crowd, solver, 1, 1e-9, 60000, &result), FLOC_OK);
          double residual = audit_of(&crowd, result.impulse, audited);
          print_message("%d-D %s mu %.1f %s %-5s: %5lld products, R %.1e, audit %.1e\n", dimension,
                        skewed ? "skewed" : "round ", mu, crowd.problem.convex ? "convex" : "exact ", names[solver],
                        (long long)result.report.iterations, result.report.residual, residual);
          assert_close(residual, result.report.residual, 1e-13);
          int64_t values = crowd.problem.body_count * freedoms_of(dimension);
          for (int64_t k = 0; k < values; k++) assert_close(audited[k], result.velocity[k], 1e-12);
          assert_true(result.report.converged);
        }
      }
}

static void moments_satisfy_the_audit(void **state)
{
  (void)state;
  static const char *const names[] = {"auto", "uzawa", "apgd"};
  static const double tolerances[] = {1e-8, 1e-5, 1e-7};
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int skewed = 0; skewed < 2; skewed++)
      for (double friction = 0.0; friction < 1.1; friction += 0.5) {
        memset(&crowd, 0, sizeof crowd);
        make_crowd(&crowd, dimension, audited_layers(dimension), friction, skewed ? 0.3 : 0.0, 7);
        crowd.problem.round = !skewed;
        crowd.lower[3] = -0.01;
        add_moments(&crowd);
        for (int32_t solver = 2; solver >= 0; solver--) {
          if (solver == FLOC_SOLVER_UZAWA && friction > 0.6) continue; /* long */
          assert_int_equal(solve_with(&crowd, solver, 1, tolerances[solver], 60000, &result), FLOC_OK);
          double residual = audit_of(&crowd, result.impulse, audited);
          print_message("%d-D %s mu %.1f %-5s: %5lld products, R %.1e, audit %.1e\n", dimension,
                        skewed ? "skewed" : "round ", friction, names[solver], (long long)result.report.iterations,
                        result.report.residual, residual);
          assert_close(residual, result.report.residual, 1e-13);
          int64_t values = crowd.problem.body_count * freedoms_of(dimension);
          for (int64_t k = 0; k < values; k++) assert_close(audited[k], result.velocity[k], 1e-12);
          assert_true(result.report.converged);
        }
        /* an audit that looks at moments sees one that is wrong by a thousandth of its limit */
        int32_t size = impulses_of(&crowd.problem);
        int64_t most = 0;
        for (int64_t a = 0; a < crowd.problem.contact_count; a++)
          if (fabs(result.impulse[size * a + size - 1]) > fabs(result.impulse[size * most + size - 1])) most = a;
        assert_true(fabs(result.impulse[size * most + size - 1]) > 1e-4);
        result.impulse[size * most + size - 1] *= 1.001;
        assert_true(audit_of(&crowd, result.impulse, audited) > 1e-7);
      }
}

/* One ball or disc on a floor that presses it with p. It rolls, and in space turns about the normal besides. Within
 * the limits it stops; beyond them each moment is at its limit, and the rolling one, b p, brakes a body that has
 * the inertia (1 + k) m r^2 about the point of contact, because friction keeps it rolling. */
static void a_single_ball_is_braked_as_its_limits_say(void **state)
{
  (void)state;
  const double radius = 0.5, mass = 2.0, press = 3.0, speed = 0.7, about = 5.0;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int general = 0; general < 2; general++)
      for (int stops = 0; stops < 2; stops++) {
        double k = dimension == 2 ? 0.5 : 0.4, inertia = k * mass * radius * radius;
        double rolling = stops ? 1.0 : 0.02, twisting = stops ? 1.0 : 0.03, p = mass * press;
        memset(&crowd, 0, sizeof crowd);
        begin(&crowd, dimension);
        crowd.problem.round = !general;
        add_body(&crowd, (const double[3]){0.0, 0.0, 0.0}, radius, mass);
        double *v = crowd.free_velocity;
        memset(v, 0, 6 * sizeof *v);
        v[0] = speed;
        v[1] = -press;
        if (dimension == 2) {
          v[2] = -speed / radius; /* rolls on a floor below */
        } else {
          v[5] = -speed / radius;
          v[4] = about;
        }
        add_contact(&crowd, 0, -1, (const double[3]){0.0, -1.0, 0.0}, 0.0, radius, 0.6, 0.0);
        crowd.rolling[0] = rolling;
        crowd.twisting[0] = dimension == 3 ? twisting : 0.0;
        crowd.problem.rolling = crowd.rolling;
        crowd.problem.twisting = dimension == 3 ? crowd.twisting : NULL;
        assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-13, 1000, &result), FLOC_OK);
        assert_true(result.report.converged);
        double left = stops ? 0.0 : speed - rolling * p / ((1.0 + k) * mass * radius);
        double left_about = stops ? 0.0 : about - twisting * p / inertia;
        assert_close(result.velocity[0], left, 2e-11); /* the tolerance over h, and that over the radius */
        assert_close(result.velocity[1], 0.0, 2e-11);
        assert_close(result.velocity[dimension == 2 ? 2 : 5], -left / radius, 4e-11);
        if (dimension == 3) assert_close(result.velocity[4], left_about, 4e-11);
        assert_close(result.impulse[1], -p, 1e-12);
        double moment = result.impulse[impulses_of(&crowd.problem) - 1]; /* on the wall, about z */
        if (!stops) assert_close(fabs(moment), rolling * p, 1e-12);
        if (dimension == 3 && !stops) assert_close(result.impulse[4], twisting * p, 1e-12);
      }
}

/* A ball between two plates that turn about its normals takes their spin, and no more than the limits give. */
static void walls_that_turn_take_a_ball_along(void **state)
{
  (void)state;
  memset(&crowd, 0, sizeof crowd);
  begin(&crowd, 3);
  crowd.problem.round = true;
  add_body(&crowd, (const double[3]){0.0, 0.0, 0.0}, 0.5, 1.0);
  memset(crowd.free_velocity, 0, sizeof crowd.free_velocity);
  crowd.free_velocity[1] = -1.0;
  add_contact(&crowd, 0, -1, (const double[3]){0.0, -1.0, 0.0}, 0.0, 0.5, 0.0, 0.0);
  crowd.rolling[0] = crowd.twisting[0] = 10.0;
  memcpy(crowd.spin, (const double[3]){1.0, 2.0, 3.0}, 3 * sizeof(double));
  crowd.problem.rolling = crowd.rolling;
  crowd.problem.twisting = crowd.twisting;
  crowd.turning = true;
  assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-13, 1000, &result), FLOC_OK);
  for (int axis = 0; axis < 3; axis++) assert_close(result.velocity[3 + axis], axis + 1.0, 1e-12);
  crowd.rolling[0] = 0.01;
  crowd.twisting[0] = 0.0;
  assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-13, 1000, &result), FLOC_OK);
  double change = 0.01 / (0.4 * 0.25);
  assert_close(result.velocity[3], change * 1.0 / sqrt(10.0), 1e-12);
  assert_close(result.velocity[4], 0.0, 1e-12);
  assert_close(result.velocity[5], change * 3.0 / sqrt(10.0), 1e-12);
}

/* Limits of 0 are no limits of another kind: the same bits as without moments. */
static void limits_of_zero_change_nothing(void **state)
{
  (void)state;
  static solved plain;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    memset(&crowd, 0, sizeof crowd);
    make_crowd(&crowd, dimension, dimension == 2 ? 12 : 5, 0.4, 0.0, 9);
    crowd.problem.round = true;
    assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-6, 60000, &plain), FLOC_OK);
    crowd.problem.rolling = crowd.rolling;
    assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-6, 60000, &result), FLOC_OK);
    size_t values = (size_t)(crowd.problem.body_count * freedoms_of(dimension));
    assert_memory_equal(plain.velocity, result.velocity, values * sizeof(double));
  }
}

/* ---- the convex law ---- */

/* One contact with a floor in closed form. b: its velocity if nothing touched; A_n, A_t: what an impulse changes of
 * it. Above the cone's tip it sticks, slides, or opens, by the impulses that would stop it. */
static void one_contact(double mu, double lower, bool convex, double A_n, double A_t, const double b[3],
                        double P[3])
{
  double stop = -(b[0] + A_n * lower) / A_n, drag = sqrt(b[1] * b[1] + b[2] * b[2]), hold = drag / A_t, p, P_t;
  if (convex && (b[0] + A_n * lower) >= mu * drag)
    p = P_t = 0.0;
  else if (stop > 0.0 && hold <= mu * stop)
    p = stop, P_t = hold;
  else if (convex)
    p = (mu * drag - b[0] - A_n * lower) / (A_n + mu * mu * A_t), P_t = mu * p;
  else
    p = fmax(stop, 0.0), P_t = mu * p;
  P[0] = lower + p;
  for (int a = 1; a < 3; a++) P[a] = drag > 0.0 ? -P_t * b[a] / drag : 0.0;
}

static void one_contact_has_its_closed_form(void **state)
{
  (void)state;
  /* normal and tangential velocity: sticks; slides under both laws; opens under both; opens by less than mu |w_t|
   */
  static const double cases[][3] = {{-1, 0.5, -0.3}, {-0.2, 2, 1}, {0.9, 0.4, 0.2}, {0.1, 1.5, 0}};
  const double mass = 2.0, radius = 0.5, mu = 0.4;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int k = 0; k < 16; k++) {
      const double *b = cases[k / 4], lower = k % 2 ? -0.3 : 0.0;
      bool convex = k / 2 % 2;
      double across[3] = {b[0], b[1], dimension == 3 ? b[2] : 0.0}, P[3];
      memset(&crowd, 0, sizeof crowd);
      begin(&crowd, dimension);
      add_body(&crowd, (const double[3]){0.0, radius, 0.0}, radius, mass);
      memset(crowd.free_velocity, 0, sizeof crowd.free_velocity);
      /* the floor is second, and the normal points to it: w_n = v_y, w_t = -v */
      crowd.free_velocity[0] = -across[1];
      crowd.free_velocity[1] = across[0];
      if (dimension == 3) crowd.free_velocity[2] = -across[2];
      add_contact(&crowd, 0, -1, (const double[3]){0.0, -1.0, 0.0}, 0.0, radius, mu, 0.0);
      crowd.lower[0] = lower;
      crowd.problem.round = true;
      crowd.problem.convex = convex;
      one_contact(mu, lower, convex, 1.0 / mass, 1.0 / mass * (dimension == 2 ? 3.0 : 3.5), across, P);
      for (int32_t solver = 0; solver < 3; solver++) {
        assert_int_equal(solve_with(&crowd, solver, 1, 1e-13, 100000, &result), FLOC_OK);
        assert_true(result.report.converged);
        assert_close(result.impulse[1], -P[0], 1e-10);
        assert_close(result.impulse[0], P[1], 1e-10);
        if (dimension == 3) assert_close(result.impulse[2], P[2], 1e-10);
      }
      if (!convex || k / 4 % 2 == 0) continue;
      /* what slides is lifted by mu times its speed */
      const double *v = result.velocity, *spin = v + (dimension == 2 ? 2 : 3);
      double w_x = v[0] + radius * (dimension == 2 ? spin[0] : spin[2]),
             w_z = dimension == 3 ? v[2] - radius * spin[0] : 0.0;
      assert_close(v[1], mu * sqrt(w_x * w_x + w_z * w_z), 1e-10);
      assert_true(v[1] > 0.01);
    }
}

/* J of impulses that the audit has found the velocities of: sum 1/2 P.(w + b), which is the change of the kinetic
 * energy and the work of the gaps. */
static double objective(const sample *made, const double *impulse, const double *velocity)
{
  const contact_problem *problem = &made->problem;
  int d = problem->dimension, freedoms = freedoms_of(d);
  double sum = 0.0;
  for (int64_t a = 0; a < problem->contact_count; a++)
    for (int axis = 0; axis < d; axis++) {
      int64_t at = d * a + axis;
      sum += impulse[at] * (made->distance[a] / problem->time_step * made->normal[at] + made->surface[at]);
    }
  for (int64_t k = 0; k < problem->body_count; k++)
    for (int c = 0; c < freedoms; c++) {
      double inverse = c < d ? made->inverse_mass[k] : made->inverse_inertia[d == 2 ? k : 6 * k];
      double v = velocity[freedoms * k + c], before = made->free_velocity[freedoms * k + c];
      sum += 0.5 * (v * v - before * before) / inverse;
    }
  return sum;
}

/* What comes back after each number of products has no more energy than what came before, and the same end is
 * reached by sweeps and by the gradient. */
static void the_convex_law_descends_its_energy(void **state)
{
  (void)state;
  static solved other;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    memset(&crowd, 0, sizeof crowd);
    make_crowd(&crowd, dimension, SLOWED ? 5 : dimension == 2 ? 20 : 7, 0.6, 0.0, 9);
    crowd.problem.round = crowd.problem.convex = true;
    for (int32_t solver = 0; solver < 3; solver += 2) {
      double last = INFINITY;
      for (int64_t budget = 70; budget <= 670; budget += 20) {
        assert_int_equal(solve_with(&crowd, solver, 1, 1e-15, budget, &result), FLOC_OK);
        double now = objective(&crowd, result.impulse, result.velocity);
        assert_true(now <= last + 1e-14 * fabs(now));
        last = now;
      }
      assert_true(last < -0.1);
    }
    assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-13, 100000, &result), FLOC_OK);
    assert_int_equal(solve_with(&crowd, FLOC_SOLVER_APGD, 1, 1e-13, 100000, &other), FLOC_OK);
    assert_true(result.report.converged && other.report.converged);
    int64_t values = crowd.problem.body_count * freedoms_of(dimension);
    for (int64_t k = 0; k < values; k++) assert_close(result.velocity[k], other.velocity[k], 1e-8);
    for (int32_t threads = 2; threads <= 4; threads += 2) {
      assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, threads, 1e-13, 100000, &other), FLOC_OK);
      assert_memory_equal(other.velocity, result.velocity, (size_t)values * sizeof(double));
    }
  }
}

static void solve_budget(int64_t budget, double working_gap, int32_t threads, solved *answer)
{
  environment env = test_environment(threads);
  parallel_call_team(&env);
  arena scratch;
  arena_init(&scratch, &env);
  contact_options options = {.tolerance = 1e-13, .max_iterations = 1, .working_gap = working_gap, .budget = budget};
  memset(answer, 0, sizeof *answer);
  assert_int_equal(solve_from_zero(&env, &scratch, &crowd, &options, answer), FLOC_OK);
  arena_free(&scratch);
  parallel_dismiss_team(&env);
}

/* A budget is spent to the last sweep and not exceeded where all contacts are in from the start; otherwise rounds
 * add an eighth of it each. J still falls by less of itself where more was spent. Threads do not matter. */
static void budgets_are_spent(void **state)
{
  (void)state;
  static solved other;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    memset(&crowd, 0, sizeof crowd);
    make_crowd(&crowd, dimension, dimension == 2 ? 20 : 7, 0.5, 0.0, 7);
    crowd.problem.round = true;
    double last = INFINITY;
    for (int64_t budget = 8; budget <= 128; budget *= 4) {
      solve_budget(budget, 0.0, 1, &result);
      print_message("%d-D budget %d: %d products, J changed by %.3g\n", dimension, (int)budget,
                    (int)result.report.iterations, result.report.energy_fall);
      assert_true(result.report.converged);
      assert_true(result.report.iterations <= budget + 1 + 4 * (budget / 8 + 1));
      assert_true(result.report.iterations > budget / 2);
      solve_budget(budget, 1e9, 1, &other);
      assert_int_equal(other.report.iterations, budget + 1);
      assert_true(result.report.energy_fall > 0.0 && result.report.energy_fall < 0.7 * last);
      last = result.report.energy_fall;
      for (int32_t threads = 2; threads <= 4; threads += 2) {
        solve_budget(budget, 0.0, threads, &other);
        assert_memory_equal(other.velocity, result.velocity, sizeof other.velocity);
        assert_memory_equal(other.impulse, result.impulse, sizeof other.impulse);
        assert_true(other.report.energy_fall == result.report.energy_fall);
      }
    }
  }
}

/* Discs fall on each other in a column, 0.1 h apart, with speed 1; a small working gap lets a contact in only when
 * the one below is solved. Each gets its sweeps while there are rounds, and what is violated after is said. */
static void a_budget_reaches_contacts_outside(void **state)
{
  (void)state;
  for (int32_t count = 3; count <= 8; count++) {
    memset(&crowd, 0, sizeof crowd);
    begin(&crowd, 2);
    for (int32_t k = 0; k < count; k++) {
      const double position[2] = {0.0, 0.5 + k}, up[2] = {0.0, 1.0}, down[2] = {0.0, -1.0};
      add_body(&crowd, position, 0.5, 1.0);
      memcpy(crowd.free_velocity + 3 * k, (const double[]){0.0, -1.0, 0.0}, 3 * sizeof(double));
      if (k == 0)
        add_contact(&crowd, 0, -1, down, 0.0, 0.5, 0.3, 0.0);
      else
        add_contact(&crowd, k - 1, k, up, 1e-3, 0.5, 0.3, 0.0);
    }
    crowd.problem.round = true;
    solve_budget(400, 1e-9, 1, &result);
    for (int32_t k = 0; k < count; k++) assert_close(result.velocity[3 * k + 1], k < 5 ? -0.1 * k : -1.0, 1e-9);
    if (count <= 5) assert_true(result.report.residual < 1e-10 && result.report.energy_fall < 1e-6);
    if (count > 5) assert_close(result.report.residual, 5e-3, 1e-9);
    if (count > 5) assert_true(result.report.energy_fall == 1.0);
  }
}

/* ---- islands and fours ---- */

static int32_t listed[CONTACT_LIMIT], slot[BODY_LIMIT];

/* All contacts as one island, without impulses. */
static void pack_all(environment *env, arena *scratch, const sample *made, block_island *island)
{
  static const double nothing[6 * CONTACT_LIMIT];
  wire(made, nothing, &wired);
  for (int32_t a = 0; a < made->problem.contact_count; a++) listed[a] = a;
  memset(slot, -1, sizeof slot);
  assert_int_equal(block_allocate(scratch, block_form_of(&wired.problem), made->problem.contact_count, island),
                   FLOC_OK);
  block_pack(env, &wired.problem, &wired.answer, listed, made->problem.contact_count, slot, island);
  for (int64_t k = 0; k < made->problem.body_count; k++) assert_int_equal(slot[k], -1);
}

/* Contacts of a colour that are done four at a time have the bits of contacts done one after another, as they are
 * where an island has no colours. */
static void fours_have_the_bits_of_single_contacts(void **state)
{
  (void)state;
  for (int32_t problem = 0; problem < 6; problem++) {
    int32_t dimension = 2 + problem / 3;
    memset(&crowd, 0, sizeof crowd);
    make_crowd(&crowd, dimension, dimension == 2 ? 20 : 7, 0.4, 0.0, 11);
    crowd.problem.round = true;
    crowd.problem.convex = problem % 3 == 1;
    crowd.lower[3] = -0.01;
    crowd.friction[5] = 0.0;
    crowd.lower[5] = -INFINITY;
    if (problem % 3 == 2) add_moments(&crowd);
    crowd.rolling[5] = crowd.twisting[5] = 0.0;
    environment env = test_environment(1);
    arena scratch;
    arena_init(&scratch, &env);
    block_island fours, single;
    pack_all(&env, &scratch, &crowd, &fours);
    single = fours;
    assert_int_equal(block_has_moments(fours.form), problem % 3 == 2);
    assert_non_null(fours.colours);
    single.colours = NULL;
    size_t values = (size_t)block_column_size(&fours), velocities = (size_t)(8 * fours.body_count);
    double *column[6];
    for (int k = 0; k < 6; k++) column[k] = calloc(values + velocities, sizeof(double));
    for (int sweep = 0; sweep < 30; sweep++) {
      double beta = sweep % 7 == 0 ? 0.0 : 0.8, weight = sweep % 2 ? 1.0 : 0.7;
      for (int32_t k = 0; k < fours.colours->count; k++) {
        int64_t begin = fours.colours->start[k], end = fours.colours->start[k + 1];
        block_sweep_sums a = block_sweep_range(&fours, column[0], column[1], column[2], beta, weight, begin, end);
        block_sweep_sums b = block_sweep_range(&single, column[3], column[4], column[5], beta, weight, begin, end);
        assert_memory_equal(&a, &b, sizeof a);
      }
      assert_memory_equal(column[1], column[4], values * sizeof(double));
      assert_memory_equal(column[2], column[5],
                          (size_t)(block_stride(fours.form) * fours.body_count) * sizeof(double));
      for (int k = 0; k < 6; k += 3) {
        double *next = column[k + 1];
        column[k + 1] = column[k];
        column[k] = next;
      }
    }
    double greatest_value = 0.0;
    for (size_t k = 0; k < values; k++) greatest_value = fmax(greatest_value, fabs(column[0][k]));
    if (problem % 3 == 2) { /* moments act */
      double vector[BLOCK_VECTOR_MOST], moment = 0.0;
      for (int64_t k = 0; k < fours.contact_count; k++) {
        if (dimension == 2)
          block_load(column[0], k, vector, BLOCK_PLANE_MOMENTS);
        else
          block_load(column[0], k, vector, BLOCK_ROUND_MOMENTS);
        moment = fmax(moment, fabs(vector[dimension == 2 ? 2 : 5]));
      }
      assert_true(moment > 1e-4);
    }
    assert_true(greatest_value > 0.01);
    for (int k = 0; k < 6; k++) free(column[k]);
    arena_free(&scratch);
  }
}

/* Sweeps in single precision: eight contacts at a time have the bits of one after another; they stay near those in
 * double precision; and no unit of mass changes anything. */
static void single_precision_is_near(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    float *first_run = NULL;
    for (int units = 0; units < 2; units++) {
      memset(&crowd, 0, sizeof crowd);
      make_crowd(&crowd, dimension, dimension == 2 ? 20 : 7, 0.4, 0.0, 11);
      crowd.problem.round = true;
      crowd.friction[5] = 0.0;
      for (int64_t k = 0; k < crowd.problem.body_count; k++) crowd.inverse_mass[k] *= units ? 0x1p+70 : 1.0;
      for (int64_t k = 0; k < 6 * BODY_LIMIT; k++) crowd.inverse_inertia[k] *= units ? 0x1p+70 : 1.0;
      environment env = test_environment(1);
      arena scratch;
      arena_init(&scratch, &env);
      block_island island;
      pack_all(&env, &scratch, &crowd, &island);
      size_t values = (size_t)block_column_size(&island);
      size_t velocities = (size_t)(block_stride(island.form) * island.body_count),
             size = block_single_work_size(&island);
      double *column[4], *work[2];
      for (int k = 0; k < 4; k++) column[k] = calloc(values + velocities, sizeof(double));
      for (int k = 0; k < 2; k++) work[k] = calloc(size, sizeof(double));
      block_single wide, narrow;
      assert_false(block_single_begin(&env, &island, column[0], column[2], 1e-9, work[0], &wide));
      assert_true(block_single_begin(&env, &island, column[0], column[2], 1e-3, work[0], &wide));
      assert_true(block_single_begin(&env, &island, column[0], column[2], 1e-3, work[1], &narrow));
      narrow.wide = false;
      for (int sweep = 0; sweep < 30; sweep++) {
        double beta = sweep % 7 == 0 ? 0.0 : 0.5, weight = sweep % 2 ? 1.0 : 0.7;
        for (int32_t k = 0; k < island.colours->count; k++) {
          int64_t begin = island.colours->start[k], end = island.colours->start[k + 1];
          block_sweep_sums a = block_single_range(&wide, beta, weight, begin, end);
          block_sweep_sums b = block_single_range(&narrow, beta, weight, begin, end);
          assert_memory_equal(&a, &b, sizeof a);
          b = block_sweep_range(&island, column[0], column[1], column[2], beta, weight, begin, end);
          assert_true(fabs(sqrt(a.square) - sqrt(b.square)) <= 1e-4 * wide.velocity_unit);
        }
        double *next = column[1];
        column[1] = column[0];
        column[0] = next;
        block_single_swap(&wide);
        block_single_swap(&narrow);
      }
      assert_memory_equal(wide.x, narrow.x, values * sizeof(float));
      assert_memory_equal(wide.u, narrow.u, velocities * sizeof(float));
      block_single_read(&env, &wide, column[1], column[3]);
      for (size_t k = 0; k < values; k++)
        assert_true(fabs(column[1][k] - column[0][k]) <= 1e-4 * wide.impulse_unit);
      for (size_t k = 0; k < velocities; k++)
        assert_true(fabs(column[3][k] - column[2][k]) <= 1e-4 * wide.velocity_unit * 10.0);
      if (units) assert_memory_equal(wide.x, first_run, values * sizeof(float));
      free(first_run);
      first_run = calloc(values, sizeof(float));
      memcpy(first_run, wide.x, values * sizeof(float));
      for (int k = 0; k < 4; k++) free(column[k]);
      for (int k = 0; k < 2; k++) free(work[k]);
      arena_free(&scratch);
    }
    free(first_run);
  }
}

/* Solves again, from the answer and to a looser tolerance that it has met long ago, after one contact has got
 * nearer. */
static void solve_changed(sample *made, int64_t contact, double nearer, solved *to)
{
  bool changed[CONTACT_LIMIT] = {false};
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  const contact_options options = {
      .solver = FLOC_SOLVER_AUTO, .tolerance = 1e-6, .aim = 1e-13, .max_iterations = 60000, .changed = changed};
  changed[contact] = true;
  made->distance[contact] -= nearer;
  assert_ok(&env, contact_solve(&env, &scratch, &wired.problem, &options, &wired.answer, &to->report));
  assert_true(to->report.converged && to->report.iterations > 0 && to->report.residual <= 1e-6);
  unwire(&wired, to->impulse, to->velocity);
  arena_free(&scratch);
}

/* Two crowds that do not touch: each has the bits that it has alone. All contacts pull a little, so that all are in
 * the working set. */
static void islands_do_not_know_of_each_other(void **state)
{
  (void)state;
  static sample both;
  static solved alone;
  memset(&crowd, 0, sizeof crowd);
  make_crowd(&crowd, 2, 12, 0.5, 0.2, 5);
  for (int64_t a = 0; a < crowd.problem.contact_count; a++) crowd.lower[a] = -1e-3;
  assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-9, 60000, &alone), FLOC_OK);
  int64_t bodies = crowd.problem.body_count, contacts = crowd.problem.contact_count;
  memset(&both, 0, sizeof both);
  make_crowd(&both, 2, 7, 0.9, 0.2, 6);
  int32_t shift = (int32_t)both.problem.body_count;
  int64_t first = both.problem.contact_count;
  for (int64_t a = 0; a < first; a++) both.lower[a] = -1e-3;
  memcpy(both.inverse_mass + shift, crowd.inverse_mass, (size_t)bodies * sizeof(double));
  memcpy(both.inverse_inertia + shift, crowd.inverse_inertia, (size_t)bodies * sizeof(double));
  memcpy(both.free_velocity + 3 * shift, crowd.free_velocity, 3 * (size_t)bodies * sizeof(double));
  for (int64_t a = 0; a < contacts; a++) {
    int64_t b = first + a;
    both.first[b] = crowd.first[a] + shift;
    both.second[b] = crowd.second[a] < 0 ? -1 : crowd.second[a] + shift;
    both.distance[b] = crowd.distance[a];
    both.lower[b] = crowd.lower[a];
    both.friction[b] = crowd.friction[a];
    for (int axis = 0; axis < 2; axis++) {
      both.normal[2 * b + axis] = crowd.normal[2 * a + axis];
      both.arm_first[2 * b + axis] = crowd.arm_first[2 * a + axis];
      both.arm_second[2 * b + axis] = crowd.arm_second[2 * a + axis];
      both.surface[2 * b + axis] = crowd.surface[2 * a + axis];
    }
  }
  both.problem.body_count += bodies;
  both.problem.contact_count += contacts;
  assert_int_equal(solve_with(&both, FLOC_SOLVER_AUTO, 2, 1e-9, 60000, &result), FLOC_OK);
  assert_int_equal(result.report.islands, 2);
  assert_memory_equal(result.impulse + 2 * first, alone.impulse, 2 * (size_t)contacts * sizeof(double));
  assert_memory_equal(result.velocity + 3 * shift, alone.velocity, 3 * (size_t)bodies * sizeof(double));
  solve_changed(&both, 3, 0.02, &result);
  assert_true(audit_of(&both, result.impulse, audited) < 1e-6);
  assert_memory_equal(result.impulse + 2 * first, alone.impulse, 2 * (size_t)contacts * sizeof(double));
  assert_memory_equal(result.velocity + 3 * shift, alone.velocity, 3 * (size_t)bodies * sizeof(double));
}

static double kinetic_energy(const sample *made, const double *velocity)
{
  double energy = 0.0;
  for (int64_t k = 0; k < made->problem.body_count; k++) {
    const double *v = velocity + 3 * k;
    energy +=
        0.5 * (v[0] * v[0] + v[1] * v[1]) / made->inverse_mass[k] + 0.5 * v[2] * v[2] / made->inverse_inertia[k];
  }
  return energy;
}

/* A crowd that falls on its floor, with far too few products: what comes back has stopped most of the fall,
 * although free fall has the smaller residual. */
static void a_budget_is_not_spent_on_free_fall(void **state)
{
  (void)state;
  memset(&crowd, 0, sizeof crowd);
  make_crowd(&crowd, 2, 20, 0.4, 0.0, 3);
  crowd.problem.round = true;
  for (int64_t k = 0; k < crowd.problem.body_count; k++)
    memcpy(crowd.free_velocity + 3 * k, (const double[3]){0.0, -0.1, 0.0}, 3 * sizeof(double));
  for (int64_t a = 0; a < crowd.problem.contact_count; a++) {
    crowd.distance[a] = 0.0;
    crowd.surface[2 * a] = 0.0;
  }
  double before = kinetic_energy(&crowd, crowd.free_velocity), last = before;
  for (int64_t budget = 10; budget <= 320; budget *= 2) {
    assert_int_equal(solve_with(&crowd, FLOC_SOLVER_AUTO, 1, 1e-14, budget, &result), FLOC_OK);
    assert_false(result.report.converged);
    double after = kinetic_energy(&crowd, result.velocity);
    print_message("%lld products: %.3f of the energy of free fall, residual %.1e\n", (long long)budget,
                  after / before, result.report.residual);
    assert_true(after <= 1.05 * last);
    last = after;
    if (budget >= 40) assert_true(after < 0.5 * before);
  }
  assert_true(last < 0.05 * before);
}

/* Options of single steps: an island of few contacts is solved to the aim, a large one to the tolerance. */
static void small_islands_are_solved_to_the_aim(void **state)
{
  (void)state;
  for (int32_t side = 5; side <= 20; side += 15) {
    memset(&crowd, 0, sizeof crowd);
    make_crowd(&crowd, 2, side, 0.4, 0.0, 3);
    crowd.problem.round = true;
    environment env = test_environment(1);
    arena scratch;
    arena_init(&scratch, &env);
    contact_options options = {.solver = FLOC_SOLVER_AUTO, .tolerance = 1e-4, .aim = 1e-7, .max_iterations = 20000};
    assert_int_equal(solve_from_zero(&env, &scratch, &crowd, &options, &result), FLOC_OK);
    assert_true(result.report.converged);
    double residual = audit_of(&crowd, result.impulse, audited);
    assert_close(residual, result.report.residual, 1e-13);
    assert_true(side == 5 ? residual <= 1e-7 : residual > 1e-6);
    arena_free(&scratch);
  }
}

/* ---- files ---- */

static recorded_problem record(const sample *made, const contact_options *options, const double *impulse)
{
  wire(made, impulse, &wired);
  return (recorded_problem){.problem = wired.problem,
                            .options = *options,
                            .impulse = wired.impulse,
                            .tangent = {wired.answer.tangent[0], wired.answer.tangent[1], wired.answer.tangent[2]},
                            .moment = {wired.answer.moment[0], wired.answer.moment[1], wired.answer.moment[2]}};
}

static void expect_same(const double *const before[3], const double *const after[3], int64_t count)
{
  for (int axis = 0; axis < 3; axis++) {
    assert_true(!before[axis] == !after[axis]);
    if (before[axis]) assert_memory_equal(before[axis], after[axis], (size_t)count * sizeof(double));
  }
}

/* All columns of two problems. */
static void expect_same_problem(const recorded_problem *before, const recorded_problem *after)
{
  const contact_problem *a = &before->problem, *b = &after->problem;
  const int64_t bodies = a->body_count, contacts = a->contact_count;
  assert_true(a->dimension == b->dimension && a->time_step == b->time_step && a->round == b->round &&
              a->unsorted == b->unsorted && a->convex == b->convex && bodies == b->body_count &&
              contacts == b->contact_count);
  assert_true(before->options.solver == after->options.solver &&
              before->options.tolerance == after->options.tolerance && before->options.aim == after->options.aim &&
              before->options.max_iterations == after->options.max_iterations);
  const size_t numbers = a->dimension == 3 && !a->round ? 6 : 1;
  assert_memory_equal(a->inverse_inertia, b->inverse_inertia, numbers * (size_t)bodies * sizeof(double));
  assert_memory_equal(a->first, b->first, (size_t)contacts * sizeof(int32_t));
  assert_memory_equal(a->second, b->second, (size_t)contacts * sizeof(int32_t));
  expect_same((const double *[3]){a->inverse_mass}, (const double *[3]){b->inverse_mass}, bodies);
  expect_same(a->free_velocity, b->free_velocity, bodies);
  expect_same(a->free_spin, b->free_spin, bodies);
  expect_same((const double *[3]){a->distance, a->lower, a->friction},
              (const double *[3]){b->distance, b->lower, b->friction}, contacts);
  expect_same(a->normal, b->normal, contacts);
  expect_same(a->arm_first, b->arm_first, contacts);
  expect_same(a->arm_second, b->arm_second, contacts);
  expect_same(a->surface_velocity, b->surface_velocity, contacts);
  expect_same((const double *[3]){before->impulse}, (const double *[3]){after->impulse}, contacts);
  expect_same(before->tangent, after->tangent, contacts);
  expect_same((const double *[3]){a->rolling, a->twisting}, (const double *[3]){b->rolling, b->twisting}, contacts);
  expect_same(a->surface_spin, b->surface_spin, contacts);
  expect_same(before->moment, after->moment, contacts);
}

static void a_problem_comes_back_as_it_was(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int32_t kind = 0; kind < 8; kind++) {
    const int32_t dimension = 2 + kind % 2;
    memset(&crowd, 0, sizeof crowd);
    make_crowd(&crowd, dimension, 4, 0.4, kind % 4 < 2 ? 0.0 : 0.3, 3);
    crowd.problem.round = kind % 4 < 2;
    crowd.problem.convex = kind == 3;
    crowd.lower[2] = -0.25;
    if (kind > 3) add_moments(&crowd);
    const int64_t size = impulses_of(&crowd.problem);
    assert_int_equal(size, kind < 4 ? dimension : dimension == 2 ? 3 : 6);
    for (int64_t k = 0; k < size * crowd.problem.contact_count; k++) result.impulse[k] = draw();
    contact_options given = {.solver = FLOC_SOLVER_APGD, .tolerance = 1e-5, .aim = 1e-8, .max_iterations = 77};
    recorded_problem before = record(&crowd, &given, result.impulse), after;
    section_list list;
    problem_numbers numbers;
    section_list_init(&list, &env);
    assert_ok(&env, problem_sections(&before, &numbers, &list));
    assert_ok(&env, problem_from_sections(&list, NULL, &after));
    expect_same_problem(&before, &after);
    section_list_free(&list);
  }
}

/* The sections of version 0.2.0, in which vectors are interleaved. */
static void list_old_sections(const sample *made, const double *impulse, int64_t whole[6], double real[3],
                              section_list *list)
{
  const contact_problem *problem = &made->problem;
  const uint64_t n = (uint64_t)problem->body_count, c = (uint64_t)problem->contact_count,
                 d = (uint64_t)problem->dimension;
  memcpy(whole, (const int64_t[6]){(int64_t)d, (int64_t)n, (int64_t)c, 0, 500, problem->round}, 6 * sizeof *whole);
  memcpy(real, (const double[3]){problem->time_step, 1e-5, 1e-8}, 3 * sizeof *real);
  assert_ok(list->env, section_list_add(list, "blocks.whole", "i64", 1, 6, whole, true));
  assert_ok(list->env, section_list_add(list, "blocks.real", "f64", 1, 3, real, true));
  assert_ok(list->env, section_list_add(list, "blocks.first", "i32", c, 1, made->first, true));
  assert_ok(list->env, section_list_add(list, "blocks.second", "i32", c, 1, made->second, true));
  const struct {
    const char *name;
    uint64_t rows, width;
    const double *data;
  } column[] = {{"blocks.inverse_mass", n, 1, made->inverse_mass},
                {"blocks.inverse_inertia", n, d == 2 ? 1 : 6, made->inverse_inertia},
                {"blocks.free_velocity", n, d == 2 ? 3 : 6, made->free_velocity},
                {"blocks.normal", c, d, made->normal},
                {"blocks.arm_first", c, d, made->arm_first},
                {"blocks.arm_second", c, d, made->arm_second},
                {"blocks.surface_velocity", c, d, made->surface},
                {"blocks.distance", c, 1, made->distance},
                {"blocks.lower", c, 1, made->lower},
                {"blocks.friction", c, 1, made->friction},
                {"blocks.impulse", c, d, impulse}};
  for (size_t k = 0; k < sizeof column / sizeof *column; k++)
    assert_ok(list->env,
              section_list_add(list, column[k].name, "f64", column[k].rows, column[k].width, column[k].data, true));
}

static void problems_of_0_2_0_are_read(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int32_t kind = 0; kind < 4; kind++) {
    const int32_t dimension = 2 + kind % 2;
    memset(&crowd, 0, sizeof crowd);
    make_crowd(&crowd, dimension, 4, 0.4, kind < 2 ? 0.0 : 0.3, 3);
    crowd.problem.round = kind < 2;
    for (int64_t k = 0; k < dimension * crowd.problem.contact_count; k++) result.impulse[k] = draw();
    contact_options given = {.tolerance = 1e-5, .aim = 1e-8, .max_iterations = 500};
    recorded_problem before = record(&crowd, &given, result.impulse), after;
    section_list list;
    int64_t whole[6];
    double real[3];
    arena memory;
    arena_init(&memory, &env);
    section_list_init(&list, &env);
    list_old_sections(&crowd, result.impulse, whole, real, &list);
    assert_ok(&env, problem_from_sections(&list, &memory, &after));
    expect_same_problem(&before, &after);
    crowd.arm_first[1] += 7.0;
    if (kind < 2) assert_int_equal(problem_from_sections(&list, &memory, &after), FLOC_DAMAGED_FILE);
    section_list_free(&list);
    arena_free(&memory);
  }
}

static void expect_damage(recorded_problem *recorded, const char *message)
{
  environment env = test_environment(1);
  section_list list;
  problem_numbers numbers;
  recorded_problem back;
  section_list_init(&list, &env);
  assert_ok(&env, problem_sections(recorded, &numbers, &list));
  assert_int_equal(problem_from_sections(&list, NULL, &back), FLOC_DAMAGED_FILE);
  if (!strstr(env.message, message)) fail_msg("%s: %s", message, env.message);
  section_list_free(&list);
}

/* Each kind of number that no problem can have. */
static void damage_is_named(void **state)
{
  (void)state;
  struct damage {
    double *at;
    double value;
    const char *message;
  } cases[] = {{crowd.inverse_mass + 1, -1.0, "an inverse mass"},
               {crowd.inverse_mass + 1, 0.0, "the sum of a contact's inverse masses"},
               {crowd.inverse_mass + 1, NAN, "an inverse mass"},
               {wired.inverse_inertia + 2, -1.0, "an inverse inertia"},
               {wired.body[1] + 1, INFINITY, "an a priori velocity"},
               {wired.body[2] + 1, INFINITY, "an a priori angular velocity"},
               {wired.normal[1] + 1, 0.5, "the square of a normal"},
               {wired.arm_first[0] + 1, NAN, "a moment arm"},
               {wired.arm_second[0], INFINITY, "a moment arm"},
               {wired.surface[1], INFINITY, "a surface velocity"},
               {crowd.distance + 2, NAN, "a distance"},
               {crowd.lower + 2, 1.0, "a lower bound"},
               {crowd.lower + 2, -INFINITY, "a lower bound with limits"},
               {crowd.friction + 2, -0.1, "a coefficient of friction"},
               {wired.impulse + 5, NAN, "an impulse"},
               {wired.tangent[1] + 2, NAN, "an impulse of friction"},
               {wired.moment[2] + 2, NAN, "a moment"},
               {wired.spin[2] + 2, NAN, "a surface spin"},
               {crowd.rolling + 2, -0.1, "a limit of rolling"},
               {crowd.rolling + 2, INFINITY, "a limit of rolling"}};
  const contact_options given = {.tolerance = 1e-5, .max_iterations = 77};
  for (size_t k = 0; k < sizeof cases / sizeof *cases + 3; k++) {
    memset(&crowd, 0, sizeof crowd);
    memset(result.impulse, 0, sizeof result.impulse);
    make_crowd(&crowd, 2, 4, 0.4, 0.0, 3);
    crowd.problem.round = true;
    crowd.problem.rolling = crowd.rolling;
    crowd.turning = true;
    recorded_problem recorded = record(&crowd, &given, result.impulse);
    const size_t which = k - sizeof cases / sizeof *cases;
    if (k < sizeof cases / sizeof *cases) *cases[k].at = cases[k].value;
    if (which == 0) crowd.first[1] = (int32_t)crowd.problem.body_count;
    if (which == 1) crowd.second[1] = crowd.first[1];
    if (which == 2) crowd.second[1] = -2;
    expect_damage(&recorded, k < sizeof cases / sizeof *cases ? cases[k].message : "a contact's");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_satisfies_the_audit),
      cmocka_unit_test(moments_satisfy_the_audit),
      cmocka_unit_test(a_single_ball_is_braked_as_its_limits_say),
      cmocka_unit_test(walls_that_turn_take_a_ball_along),
      cmocka_unit_test(limits_of_zero_change_nothing),
      cmocka_unit_test(one_contact_has_its_closed_form),
      cmocka_unit_test(the_convex_law_descends_its_energy),
      cmocka_unit_test(fours_have_the_bits_of_single_contacts),
      cmocka_unit_test(single_precision_is_near),
      cmocka_unit_test(islands_do_not_know_of_each_other),
      cmocka_unit_test(a_budget_is_not_spent_on_free_fall),
      cmocka_unit_test(budgets_are_spent),
      cmocka_unit_test(a_budget_reaches_contacts_outside),
      cmocka_unit_test(small_islands_are_solved_to_the_aim),
      cmocka_unit_test(a_problem_comes_back_as_it_was),
      cmocka_unit_test(problems_of_0_2_0_are_read),
      cmocka_unit_test(damage_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
