/*
 * Contact problems as sections. See problem_file.h.
 */
#include "contacts/problem/problem_reader.h"

#include <math.h>

static const char *const AXIS_NAME[2][3] = {
    {"problem.free_velocity.x", "problem.free_velocity.y", "problem.free_velocity.z"},
    {"problem.normal.x", "problem.normal.y", "problem.normal.z"}};

/* ---- out ---- */

typedef struct column {
  const char *name;
  const char *type;
  int64_t rows;
  const void *data;
} column;

floc_status problem_sections(const contact_problem *problem, const contact_options *options, const double *impulse,
                             problem_numbers *numbers, section_list *list)
{
  int64_t n = problem->particle_count, c = problem->contact_count;
  *numbers = (problem_numbers){{problem->dimension, n, c, options->solver, options->max_iterations},
                               {problem->time_step, options->tolerance, options->working_gap}};
  floc_status status = section_list_add(list, "problem.whole", "i64", 1, 5, numbers->whole, true);
  if (status == FLOC_OK) status = section_list_add(list, "problem.real", "f64", 1, 3, numbers->real, true);
  const column columns[] = {{"problem.inverse_mass", "f64", n, problem->inverse_mass},
                            {AXIS_NAME[0][0], "f64", n, problem->free_velocity[0]},
                            {AXIS_NAME[0][1], "f64", n, problem->free_velocity[1]},
                            {AXIS_NAME[0][2], "f64", n, problem->free_velocity[2]},
                            {"problem.first", "i32", c, problem->first},
                            {"problem.second", "i32", c, problem->second},
                            {AXIS_NAME[1][0], "f64", c, problem->normal[0]},
                            {AXIS_NAME[1][1], "f64", c, problem->normal[1]},
                            {AXIS_NAME[1][2], "f64", c, problem->normal[2]},
                            {"problem.distance", "f64", c, problem->distance},
                            {"problem.lower", "f64", c, problem->lower},
                            {"problem.impulse", "f64", c, impulse}};
  for (size_t k = 0; k < sizeof columns / sizeof *columns && status == FLOC_OK; k++) {
    bool depth = columns[k].name == AXIS_NAME[0][2] || columns[k].name == AXIS_NAME[1][2];
    if (depth && problem->dimension == 2) continue;
    status = section_list_add(list, columns[k].name, columns[k].type, (uint64_t)columns[k].rows, 1, columns[k].data,
                              true);
  }
  return status;
}

/* ---- in ---- */

const void *problem_read(problem_reader *from, const char *name, const char *type, uint64_t rows, uint64_t columns)
{
  const section *found = NULL;
  if (from->status == FLOC_OK) from->status = section_expect(from->list, name, type, rows, columns, &found);
  return found ? found->data : NULL;
}

void problem_require(problem_reader *from, bool good, const char *what, double value, const char *range)
{
  if (good || from->status != FLOC_OK) return;
  from->status =
      refuse(from->list->env, FLOC_DAMAGED_FILE, "contact problem: %s is %g; it must be %s", what, value, range);
}

static void read_numbers(problem_reader *from, contact_problem *problem, contact_options *options)
{
  const int64_t *whole = problem_read(from, "problem.whole", "i64", 1, 5);
  const double *real = problem_read(from, "problem.real", "f64", 1, 3);
  if (from->status != FLOC_OK) return;
  problem_require(from, whole[0] == 2 || whole[0] == 3, "dimension", (double)whole[0], "2 or 3");
  problem_require(from, whole[1] >= 0 && whole[1] < INT32_MAX, "number of particles", (double)whole[1],
                  "0 to 2147483646");
  problem_require(from, whole[2] >= 0 && whole[2] < INT32_MAX, "number of contacts", (double)whole[2],
                  "0 to 2147483646");
  problem_require(from, whole[3] >= FLOC_SOLVER_AUTO && whole[3] <= FLOC_SOLVER_INTERIOR_POINT, "solver", (double)whole[3],
                  "0 to 2");
  problem_require(from, whole[4] > 0, "max_iterations", (double)whole[4], "above 0");
  problem_require(from, real[0] > 0.0 && isfinite(real[0]), "time step", real[0], "above 0 and finite");
  problem_require(from, real[1] > 0.0 && isfinite(real[1]), "tolerance", real[1], "above 0 and finite");
  problem_require(from, real[2] >= 0.0 && isfinite(real[2]), "working_gap", real[2], "0 or above and finite");
  if (from->status != FLOC_OK) return;
  problem->dimension = (int32_t)whole[0];
  problem->particle_count = whole[1];
  problem->contact_count = whole[2];
  problem->time_step = real[0];
  *options = (contact_options){
      .solver = (int32_t)whole[3], .tolerance = real[1], .max_iterations = whole[4], .working_gap = real[2]};
}

static void check_particles(problem_reader *from, const contact_problem *problem)
{
  for (int64_t i = 0; i < problem->particle_count && from->status == FLOC_OK; i++) {
    double inverse = problem->inverse_mass[i];
    problem_require(from, inverse > 0.0 && isfinite(inverse), "an inverse mass", inverse, "above 0 and finite");
    for (int axis = 0; axis < problem->dimension; axis++)
      problem_require(from, isfinite(problem->free_velocity[axis][i]), "an a priori velocity",
                      problem->free_velocity[axis][i], "finite");
  }
}

static void check_contacts(problem_reader *from, const contact_problem *problem, const double *impulse)
{
  int64_t n = problem->particle_count;
  for (int64_t a = 0; a < problem->contact_count && from->status == FLOC_OK; a++) {
    int32_t first = problem->first[a], second = problem->second[a];
    double square = 0.0, lower = problem->lower[a];
    for (int axis = 0; axis < problem->dimension; axis++)
      square += problem->normal[axis][a] * problem->normal[axis][a];
    problem_require(from, first >= 0 && first < n, "a contact's first particle", first,
                    "one of the particles, from 0");
    problem_require(from, second >= -1 && second < n && second != first, "a contact's second particle", second,
                    "-1 or another of the particles");
    problem_require(from, fabs(square - 1.0) < 1e-6, "the square of a normal", square, "1");
    problem_require(from, isfinite(problem->distance[a]), "a distance", problem->distance[a], "finite");
    problem_require(from, lower <= 0.0, "a lower bound", lower, "0 or below");
    problem_require(from, isfinite(impulse[a]), "an impulse", impulse[a], "finite");
    bool ordered = a == 0 || first > problem->first[a - 1] ||
                   (first == problem->first[a - 1] && second >= problem->second[a - 1]);
    problem_require(from, ordered, "the first contact out of order", (double)a,
                    "sorted by first, then second particle");
  }
}

floc_status problem_from_sections(const section_list *list, contact_problem *problem, contact_options *options,
                                  const double **impulse)
{
  problem_reader from = {list, FLOC_OK};
  *problem = (contact_problem){0};
  read_numbers(&from, problem, options);
  uint64_t n = (uint64_t)problem->particle_count, c = (uint64_t)problem->contact_count;
  problem->inverse_mass = problem_read(&from, "problem.inverse_mass", "f64", n, 1);
  problem->first = problem_read(&from, "problem.first", "i32", c, 1);
  problem->second = problem_read(&from, "problem.second", "i32", c, 1);
  problem->distance = problem_read(&from, "problem.distance", "f64", c, 1);
  problem->lower = problem_read(&from, "problem.lower", "f64", c, 1);
  *impulse = problem_read(&from, "problem.impulse", "f64", c, 1);
  for (int axis = 0; axis < problem->dimension; axis++) {
    problem->free_velocity[axis] = problem_read(&from, AXIS_NAME[0][axis], "f64", n, 1);
    problem->normal[axis] = problem_read(&from, AXIS_NAME[1][axis], "f64", c, 1);
  }
  if (from.status == FLOC_OK) check_particles(&from, problem);
  if (from.status == FLOC_OK) check_contacts(&from, problem, *impulse);
  return from.status;
}
