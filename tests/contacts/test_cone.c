/*
 * The solvers of friction problems: all against the independent audit and against each other, closed forms of
 * one contact, determinism over threads, units, failing memory.
 */
#include "support.h"

#include "base/threads/parallel.h"
#include "contacts/cone_audit.h"
#include "contacts/problem/cone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- problems ---- */

enum { BODY_LIMIT = 400, CONTACT_LIMIT = 2400 };

typedef struct sample {
  cone_problem problem;
  double inverse_mass[BODY_LIMIT], inverse_inertia[6 * BODY_LIMIT], free_velocity[6 * BODY_LIMIT];
  double position[3 * BODY_LIMIT];
  int32_t first[CONTACT_LIMIT], second[CONTACT_LIMIT];
  double normal[3 * CONTACT_LIMIT], arm_first[3 * CONTACT_LIMIT], arm_second[3 * CONTACT_LIMIT];
  double surface[3 * CONTACT_LIMIT], distance[CONTACT_LIMIT], lower[CONTACT_LIMIT], friction[CONTACT_LIMIT];
} sample;

static uint64_t generator;

static double draw(void)
{
  generator = generator * 6364136223846793005u + 1442695040888963407u;
  return (double)(generator >> 11) / 9007199254740992.0;
}

static void wire(sample *made, int32_t dimension)
{
  made->problem = (cone_problem){.dimension = dimension,
                                 .time_step = 0.01,
                                 .inverse_mass = made->inverse_mass,
                                 .inverse_inertia = made->inverse_inertia,
                                 .free_velocity = made->free_velocity,
                                 .first = made->first,
                                 .second = made->second,
                                 .normal = made->normal,
                                 .arm_first = made->arm_first,
                                 .arm_second = made->arm_second,
                                 .surface_velocity = made->surface,
                                 .distance = made->distance,
                                 .lower = made->lower,
                                 .friction = made->friction};
}

static void add_body(sample *made, const double *position, double radius, double mass)
{
  int32_t dimension = made->problem.dimension;
  int64_t body = made->problem.body_count++;
  made->inverse_mass[body] = 1.0 / mass;
  memcpy(made->position + dimension * body, position, (size_t)dimension * sizeof(double));
  double inverse = 1.0 / ((dimension == 2 ? 0.5 : 0.4) * mass * radius * radius);
  if (dimension == 2)
    made->inverse_inertia[body] = inverse;
  else
    for (int c = 0; c < 6; c++) made->inverse_inertia[6 * body + c] = c < 3 ? inverse : 0.0;
  int freedoms = cone_freedoms(dimension);
  for (int c = 0; c < freedoms; c++) made->free_velocity[freedoms * body + c] = 0.4 * (draw() - 0.5);
  made->free_velocity[freedoms * body + 1] -= 0.1;
}

/* Contact along `normal` at distance `gap`, arms r n and -r n, moved sideways by `skew` as on an assembly. */
static void add_contact(sample *made, int32_t first, int32_t second, const double *normal, double gap,
                        double radius, double friction, double skew)
{
  int32_t dimension = made->problem.dimension;
  int64_t a = made->problem.contact_count++;
  made->first[a] = first;
  made->second[a] = second;
  made->distance[a] = gap;
  made->friction[a] = friction;
  made->lower[a] = 0.0;
  for (int axis = 0; axis < dimension; axis++) {
    int64_t at = dimension * a + axis;
    made->normal[at] = normal[axis];
    made->arm_first[at] = radius * normal[axis] + skew * (draw() - 0.5);
    made->arm_second[at] = -radius * normal[axis] + skew * (draw() - 0.5);
    made->surface[at] = 0.0;
  }
}

/* A square or cubic crowd on a floor, jostled: neighbours on the lattice are in contact. */
static void make_crowd(sample *made, int32_t dimension, int32_t side, double friction, double skew, uint64_t seed)
{
  generator = seed;
  wire(made, dimension);
  int32_t layers = dimension == 3 ? side : 1;
  double radius = 0.5;
  for (int32_t k = 0; k < layers; k++)
    for (int32_t j = 0; j < side; j++)
      for (int32_t i = 0; i < side; i++) {
        double position[3] = {i + 0.02 * draw(), j + 0.02 * draw(), k + 0.02 * draw()};
        add_body(made, position, radius, 0.5 + 4.0 * draw());
      }
  int64_t bodies = made->problem.body_count;
  for (int32_t a = 0; a < bodies; a++) {
    for (int32_t b = a + 1; b < bodies; b++) {
      double normal[3], square = 0.0;
      for (int axis = 0; axis < dimension; axis++) {
        normal[axis] = made->position[dimension * b + axis] - made->position[dimension * a + axis];
        square += normal[axis] * normal[axis];
      }
      if (square > 1.1 * 1.1) continue;
      for (int axis = 0; axis < dimension; axis++) normal[axis] /= sqrt(square);
      add_contact(made, a, b, normal, 1e-3 * (draw() - 0.2), radius, friction, skew);
    }
    double down[3] = {0.0, -1.0, 0.0};
    if (made->position[dimension * a + 1] > 0.5) continue;
    add_contact(made, a, -1, down, 0.0, radius, friction, skew);
    made->surface[dimension * (made->problem.contact_count - 1)] = 0.05;
  }
}

typedef struct solved {
  contact_report report;
  double impulse[3 * CONTACT_LIMIT], velocity[6 * BODY_LIMIT];
} solved;

static floc_status solve_with(const sample *made, int32_t solver, int32_t threads, double tolerance,
                              int64_t max_iterations, solved *result)
{
  environment env = test_environment(threads);
  parallel_call_team(&env);
  arena scratch;
  arena_init(&scratch, &env);
  contact_options options = {.solver = solver, .tolerance = tolerance, .max_iterations = max_iterations};
  memset(result->impulse, 0, sizeof result->impulse);
  floc_status status =
      cone_solve(&env, &scratch, &made->problem, &options, result->impulse, result->velocity, &result->report);
  arena_free(&scratch);
  parallel_dismiss_team(&env);
  return status;
}

static sample crowd;
static solved result;
static double audited[6 * BODY_LIMIT];

/* ---- tests ---- */

static void every_solver_satisfies_the_audit(void **state)
{
  (void)state;
  static const char *const names[] = {"auto", "uzawa", "apgd"};
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int skewed = 0; skewed < 2; skewed++)
      for (double friction = 0.0; friction < 1.1; friction += 0.5) {
        memset(&crowd, 0, sizeof crowd);
        make_crowd(&crowd, dimension, dimension == 2 ? 12 : 5, friction, skewed ? 0.3 : 0.0, 7);
        for (int32_t solver = 0; solver < 3; solver++) {
          assert_int_equal(solve_with(&crowd, solver, 1, 1e-9, 60000, &result), FLOC_OK);
          double residual = cone_audit(&crowd.problem, result.impulse, audited);
          print_message("%d-D %s mu %.1f %-5s: %5lld products, R %.1e, audit %.1e\n", dimension,
                        skewed ? "skewed" : "round ", friction, names[solver], (long long)result.report.iterations,
                        result.report.residual, residual);
          assert_close(residual, result.report.residual, 1e-13);
          int64_t values = crowd.problem.body_count * cone_freedoms(dimension);
          for (int64_t k = 0; k < values; k++) assert_close(audited[k], result.velocity[k], 1e-12);
          assert_true(result.report.converged);
        }
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_satisfies_the_audit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
