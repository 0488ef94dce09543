/*
 * Contact problems with friction as version 0.2.0 recorded them; d is the dimension, F the freedoms of a body (3 in
 * the plane, 6 in space), J the numbers of its inverse inertia (1, 6), and vectors are interleaved:
 *
 *   blocks.whole            i64   1 x 6   dimension, bodies B, contacts C, solver, max_iterations, round (0 or 1)
 *   blocks.real             f64   1 x 3   time step, tolerance, aim
 *   blocks.inverse_mass     f64   B x 1
 *   blocks.inverse_inertia  f64   B x J
 *   blocks.free_velocity    f64   B x F   velocity, then angular velocity
 *   blocks.first, .second   i32   C x 1
 *   blocks.normal           f64   C x d   likewise arm_first, arm_second, surface_velocity
 *   blocks.distance         f64   C x 1   likewise lower and friction
 *   blocks.impulse          f64   C x d   first guess: p n + P_t
 */
#include "contacts/problem/problem_file.h"

#include <math.h>

/* Column `at` of rows of `width` numbers, as a column of its own; NULL, with the status, if anything has failed. */
static const double *take_column(problem_reader *from, const double *rows, int64_t count, int64_t width, int64_t at)
{
  if (from->status != FLOC_OK) return NULL;
  double *made = arena_allocate(from->memory, (size_t)count, sizeof *made);
  if (!made) from->status = FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; made && k < count; k++) made[k] = rows[width * k + at];
  return made;
}

static void read_vector(problem_reader *from, const char *name, const double *to[3])
{
  const int64_t d = from->to->problem.dimension, contacts = from->to->problem.contact_count;
  const double *rows = problem_read(from, name, "f64", (uint64_t)contacts, (uint64_t)d);
  for (int64_t axis = 0; axis < d; axis++) to[axis] = take_column(from, rows, contacts, d, axis);
}

/* The part of vectors along the normals, which takes the place of their first column; the rest must be 0 (moment
 * arm) or stays. */
static void split_normal(problem_reader *from, const double *vector[3], bool keeps_rest, const double **along)
{
  const contact_problem *problem = &from->to->problem;
  const int d = problem->dimension;
  double *made = arena_allocate(from->memory, (size_t)problem->contact_count, sizeof *made);
  if (!made) from->status = FLOC_OUT_OF_MEMORY;
  for (int64_t a = 0; from->status == FLOC_OK && a < problem->contact_count; a++) {
    double rest = 0.0, square = 0.0;
    made[a] = 0.0;
    for (int axis = 0; axis < d; axis++) made[a] += vector[axis][a] * problem->normal[axis][a];
    for (int axis = 0; axis < d; axis++) {
      double across = vector[axis][a] - made[a] * problem->normal[axis][a];
      rest += across * across;
      square += vector[axis][a] * vector[axis][a];
      if (keeps_rest) ((double *)vector[axis])[a] = across; /* our own column */
    }
    problem_require(from, keeps_rest || !(rest > 1e-12 * square), "a moment arm of a round body, of contact",
                    (double)a, "along the normal");
  }
  *along = made;
}

static void read_bodies(problem_reader *from)
{
  contact_problem *problem = &from->to->problem;
  const int64_t d = problem->dimension, freedoms = d == 2 ? 3 : 6, numbers = d == 2 ? 1 : 6,
                n = problem->body_count;
  problem->inverse_mass = problem_read(from, "blocks.inverse_mass", "f64", (uint64_t)n, 1);
  problem->inverse_inertia = problem_read(from, "blocks.inverse_inertia", "f64", (uint64_t)n, (uint64_t)numbers);
  if (d == 3 && problem->round) problem->inverse_inertia = take_column(from, problem->inverse_inertia, n, 6, 0);
  const double *rows = problem_read(from, "blocks.free_velocity", "f64", (uint64_t)n, (uint64_t)freedoms);
  for (int64_t axis = 0; axis < d; axis++)
    problem->free_velocity[axis] = take_column(from, rows, n, freedoms, axis);
  for (int64_t axis = d == 2 ? 2 : 0; axis < 3; axis++)
    problem->free_spin[axis] = take_column(from, rows, n, freedoms, d == 2 ? 2 : 3 + axis);
}

void problem_read_blocks(problem_reader *from)
{
  const int64_t *whole = problem_read(from, "blocks.whole", "i64", 1, 6);
  const double *real = problem_read(from, "blocks.real", "f64", 1, 3);
  if (from->status != FLOC_OK) return;
  problem_read_common(from, whole, real);
  problem_require(from, whole[5] == 0 || whole[5] == 1, "round", (double)whole[5], "0 or 1");
  problem_require(from, real[2] >= 0.0 && isfinite(real[2]), "aim", real[2], "0 or above and finite");
  if (from->status != FLOC_OK) return;
  contact_problem *problem = &from->to->problem;
  const uint64_t contacts = (uint64_t)problem->contact_count;
  from->to->options.aim = real[2];
  problem->round = whole[5] == 1;
  problem->unsorted = true;
  read_bodies(from);
  problem->first = problem_read(from, "blocks.first", "i32", contacts, 1);
  problem->second = problem_read(from, "blocks.second", "i32", contacts, 1);
  problem->distance = problem_read(from, "blocks.distance", "f64", contacts, 1);
  problem->lower = problem_read(from, "blocks.lower", "f64", contacts, 1);
  problem->friction = problem_read(from, "blocks.friction", "f64", contacts, 1);
  read_vector(from, "blocks.normal", problem->normal);
  read_vector(from, "blocks.arm_first", problem->arm_first);
  read_vector(from, "blocks.arm_second", problem->arm_second);
  read_vector(from, "blocks.surface_velocity", problem->surface_velocity);
  read_vector(from, "blocks.impulse", from->to->tangent);
  if (from->status == FLOC_OK) split_normal(from, from->to->tangent, true, &from->to->impulse);
  for (int side = 0; side < 2 && from->status == FLOC_OK && problem->round; side++) {
    const double **lever = side == 0 ? problem->arm_first : problem->arm_second;
    split_normal(from, lever, false, &lever[0]);
    lever[1] = lever[2] = NULL;
  }
}
