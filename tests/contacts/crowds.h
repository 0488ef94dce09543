/*
 * Contact problems with friction and rotation for tests of solvers: jostled crowds of discs or balls on a floor,
 * from a seed, with everything that a problem can have. A sample has its vectors interleaved and is easy to write;
 * wire() makes the columns of it that solvers read, unwire() goes back.
 */
#ifndef FLOC_TESTS_CROWDS_H
#define FLOC_TESTS_CROWDS_H

#include "base/threads/parallel.h"
#include "contacts/problem/problem.h"

#include <math.h>
#include <string.h>

enum { BODY_LIMIT = 400, CONTACT_LIMIT = 2400 };

/* Vectors are interleaved, as [contact][dimension] and, of bodies, [body][velocity, then angular velocity]. */
typedef struct sample {
  contact_problem problem; /* without its columns: wire() */
  double inverse_mass[BODY_LIMIT], inverse_inertia[6 * BODY_LIMIT], free_velocity[6 * BODY_LIMIT];
  double position[3 * BODY_LIMIT];
  int32_t first[CONTACT_LIMIT], second[CONTACT_LIMIT];
  double normal[3 * CONTACT_LIMIT], arm_first[3 * CONTACT_LIMIT], arm_second[3 * CONTACT_LIMIT];
  double surface[3 * CONTACT_LIMIT], distance[CONTACT_LIMIT], lower[CONTACT_LIMIT], friction[CONTACT_LIMIT];
  double rolling[CONTACT_LIMIT], twisting[CONTACT_LIMIT], spin[3 * CONTACT_LIMIT];
  bool turning; /* walls do, with `spin` */
} sample;

/* What contact_problem points to. */
typedef struct columns {
  contact_problem problem;
  contact_answer answer;
  double inverse_inertia[6 * BODY_LIMIT];
  double body[6][BODY_LIMIT], solved[6][BODY_LIMIT];
  double normal[3][CONTACT_LIMIT], arm_first[3][CONTACT_LIMIT], arm_second[3][CONTACT_LIMIT];
  double surface[3][CONTACT_LIMIT], spin[3][CONTACT_LIMIT];
  double impulse[CONTACT_LIMIT], tangent[3][CONTACT_LIMIT], moment[3][CONTACT_LIMIT];
} columns;

static inline int freedoms_of(int32_t dimension)
{
  return dimension == 2 ? 3 : 6;
}

/* Numbers of a contact's impulse: force, and moment where one is limited. */
static inline int impulses_of(const contact_problem *problem)
{
  return contacts_have_moments(problem) ? freedoms_of(problem->dimension) : problem->dimension;
}

/* A sample's problem in columns, with impulses [contact][impulses_of()] as the first guess. */
static inline void wire(const sample *made, const double *impulse, columns *to)
{
  const int d = made->problem.dimension, freedoms = freedoms_of(d), size = impulses_of(&made->problem);
  const bool round = made->problem.round, moments = size > d;
  to->problem = made->problem;
  to->answer = (contact_answer){.impulse = to->impulse};
  for (int64_t a = 0; a < made->problem.contact_count; a++) {
    double lever[2] = {0.0, 0.0};
    to->impulse[a] = 0.0;
    for (int axis = 0; axis < d; axis++) {
      int64_t at = d * a + axis;
      to->normal[axis][a] = made->normal[at];
      to->arm_first[axis][a] = made->arm_first[at];
      to->arm_second[axis][a] = made->arm_second[at];
      to->surface[axis][a] = made->surface[at];
      lever[0] += made->arm_first[at] * made->normal[at];
      lever[1] += made->arm_second[at] * made->normal[at];
      to->impulse[a] += impulse[size * a + axis] * made->normal[at];
    }
    for (int axis = 0; axis < d; axis++)
      to->tangent[axis][a] = impulse[size * a + axis] - to->impulse[a] * made->normal[d * a + axis];
    for (int c = d; c < size; c++) {
      to->moment[3 - size + c][a] = impulse[size * a + c];
      to->spin[3 - size + c][a] = made->spin[(size - d) * a + c - d];
    }
    if (round) to->arm_first[0][a] = lever[0];
    if (round) to->arm_second[0][a] = lever[1];
  }
  for (int64_t k = 0; k < made->problem.body_count; k++) {
    for (int c = 0; c < freedoms; c++) to->body[c][k] = made->free_velocity[freedoms * k + c];
    if (d == 2 || round)
      to->inverse_inertia[k] = made->inverse_inertia[(d == 2 ? 1 : 6) * k];
    else
      memcpy(to->inverse_inertia + 6 * k, made->inverse_inertia + 6 * k, 6 * sizeof(double));
  }
  contact_problem *problem = &to->problem;
  problem->inverse_mass = made->inverse_mass;
  problem->inverse_inertia = to->inverse_inertia;
  problem->unsorted = true; /* floors stand behind pairs */
  problem->first = made->first;
  problem->second = made->second;
  problem->distance = made->distance;
  problem->lower = made->lower;
  problem->friction = made->friction;
  for (int axis = 0; axis < d; axis++) {
    problem->free_velocity[axis] = to->body[axis];
    problem->normal[axis] = to->normal[axis];
    if (axis == 0 || !round) problem->arm_first[axis] = to->arm_first[axis];
    if (axis == 0 || !round) problem->arm_second[axis] = to->arm_second[axis];
    problem->surface_velocity[axis] = to->surface[axis];
    to->answer.tangent[axis] = to->tangent[axis];
    to->answer.velocity[axis] = to->solved[axis];
  }
  for (int axis = d == 2 ? 2 : 0; axis < 3; axis++) {
    problem->free_spin[axis] = to->body[d == 2 ? 2 : 3 + axis];
    problem->surface_spin[axis] = made->turning ? to->spin[axis] : NULL;
    to->answer.moment[axis] = moments ? to->moment[axis] : NULL;
    to->answer.spin[axis] = to->solved[d == 2 ? 2 : 3 + axis];
  }
}

/* Impulses and velocities, interleaved. */
static inline void unwire(const columns *from, double *impulse, double *velocity)
{
  const int d = from->problem.dimension, freedoms = freedoms_of(d), size = impulses_of(&from->problem);
  for (int64_t a = 0; a < from->problem.contact_count; a++) {
    for (int axis = 0; axis < d; axis++)
      impulse[size * a + axis] = from->impulse[a] * from->normal[axis][a] + from->tangent[axis][a];
    for (int c = d; c < size; c++) impulse[size * a + c] = from->moment[3 - size + c][a];
  }
  for (int64_t k = 0; k < from->problem.body_count; k++)
    for (int c = 0; c < freedoms; c++) velocity[freedoms * k + c] = from->solved[c][k];
}

static uint64_t generator;

static inline double draw(void)
{
  generator = generator * 6364136223846793005u + 1442695040888963407u;
  return (double)(generator >> 11) / 9007199254740992.0;
}

static inline void begin(sample *made, int32_t dimension)
{
  made->problem = (contact_problem){.dimension = dimension, .time_step = 0.01};
}

static inline void add_body(sample *made, const double *position, double radius, double mass)
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
  int freedoms = freedoms_of(dimension);
  for (int c = 0; c < freedoms; c++) made->free_velocity[freedoms * body + c] = 0.4 * (draw() - 0.5);
  made->free_velocity[freedoms * body + 1] -= 0.1;
}

/* Contact along `normal` at distance `gap`, arms r n and -r n, moved sideways by `skew` as on an assembly. */
static inline void add_contact(sample *made, int32_t first, int32_t second, const double *normal, double gap,
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
static inline void make_crowd(sample *made, int32_t dimension, int32_t side, double friction, double skew,
                              uint64_t seed)
{
  generator = seed;
  begin(made, dimension);
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
  double impulse[6 * CONTACT_LIMIT], velocity[6 * BODY_LIMIT];
} solved;

static columns wired;

static inline floc_status solve_from_zero(environment *env, arena *scratch, const sample *made,
                                          const contact_options *options, solved *result)
{
  memset(result->impulse, 0, sizeof result->impulse);
  wire(made, result->impulse, &wired);
  floc_status status = contact_solve(env, scratch, &wired.problem, options, &wired.answer, &result->report);
  unwire(&wired, result->impulse, result->velocity);
  return status;
}

/* The audit's residual of impulses, and its velocities. */
static inline double audit_of(const sample *made, const double *impulse, double *velocity)
{
  static double same[6 * CONTACT_LIMIT];
  wire(made, impulse, &wired);
  double residual = contact_audit(&wired.problem, &wired.answer);
  unwire(&wired, same, velocity);
  return residual;
}

static inline floc_status solve_with(const sample *made, int32_t solver, int32_t threads, double tolerance,
                                     int64_t max_iterations, solved *result)
{
  environment env = test_environment(threads);
  parallel_call_team(&env);
  arena scratch;
  arena_init(&scratch, &env);
  contact_options options = {.solver = solver, .tolerance = tolerance, .max_iterations = max_iterations};
  floc_status status = solve_from_zero(&env, &scratch, made, &options, result);
  arena_free(&scratch);
  parallel_dismiss_team(&env);
  return status;
}

/* Contacts of a crowd resist rolling, and in space twisting; walls turn. */
static inline void add_moments(sample *made)
{
  int32_t moments = made->problem.dimension == 2 ? 1 : 3;
  for (int64_t a = 0; a < made->problem.contact_count; a++) {
    made->rolling[a] = a % 5 == 0 ? 0.0 : 0.1 * draw();
    made->twisting[a] = moments == 1 || a % 7 == 0 ? 0.0 : 0.05 * draw();
    for (int32_t c = 0; c < moments; c++) made->spin[moments * a + c] = 0.2 * (draw() - 0.5);
  }
  made->problem.rolling = made->rolling;
  made->problem.twisting = moments == 1 ? NULL : made->twisting;
  made->turning = true;
}

#endif
