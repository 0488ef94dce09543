/*
 * Block problems as sections. See problem_file.h.
 */
#include "contacts/problem/problem_reader.h"

#include <math.h>

typedef struct column {
  const char *name;
  uint64_t rows, columns;
  const double *data;
} column;

enum { COLUMNS = 14, OPTIONAL = 3 /* the last: NULL, and not in the file, where nothing is limited */ };

/* All columns of doubles, in the order of the file. */
static void list_columns(const block_problem *problem, const double *impulse, column list[COLUMNS])
{
  uint64_t n = (uint64_t)problem->body_count, c = (uint64_t)problem->contact_count,
           d = (uint64_t)problem->dimension, moments = d == 2 ? 1 : 3;
  const column columns[COLUMNS] = {{"blocks.inverse_mass", n, 1, problem->inverse_mass},
                                   {"blocks.inverse_inertia", n, d == 2 ? 1 : 6, problem->inverse_inertia},
                                   {"blocks.free_velocity", n, d == 2 ? 3 : 6, problem->free_velocity},
                                   {"blocks.normal", c, d, problem->normal},
                                   {"blocks.arm_first", c, d, problem->arm_first},
                                   {"blocks.arm_second", c, d, problem->arm_second},
                                   {"blocks.surface_velocity", c, d, problem->surface_velocity},
                                   {"blocks.distance", c, 1, problem->distance},
                                   {"blocks.lower", c, 1, problem->lower},
                                   {"blocks.friction", c, 1, problem->friction},
                                   {"blocks.impulse", c, (uint64_t)block_impulses(problem), impulse},
                                   {"blocks.rolling", c, 1, problem->rolling},
                                   {"blocks.twisting", c, 1, problem->twisting},
                                   {"blocks.surface_spin", c, moments, problem->surface_spin}};
  for (int k = 0; k < COLUMNS; k++) list[k] = columns[k];
}

floc_status block_sections(const block_problem *problem, const contact_options *options, const double *impulse,
                           block_numbers *numbers, section_list *list)
{
  column columns[COLUMNS];
  uint64_t c = (uint64_t)problem->contact_count;
  *numbers = (block_numbers){{problem->dimension, problem->body_count, problem->contact_count, options->solver,
                              options->max_iterations, problem->round},
                             {problem->time_step, options->tolerance, options->aim},
                             problem->convex ? FLOC_FRICTION_LAW_CONVEX : FLOC_FRICTION_LAW_EXACT};
  floc_status status = section_list_add(list, "blocks.whole", "i64", 1, 6, numbers->whole, true);
  if (status == FLOC_OK) status = section_list_add(list, "blocks.real", "f64", 1, 3, numbers->real, true);
  if (status == FLOC_OK && problem->convex)
    status = section_list_add(list, "blocks.friction_law", "i64", 1, 1, &numbers->law, true);
  if (status == FLOC_OK) status = section_list_add(list, "blocks.first", "i32", c, 1, problem->first, true);
  if (status == FLOC_OK) status = section_list_add(list, "blocks.second", "i32", c, 1, problem->second, true);
  list_columns(problem, impulse, columns);
  for (int k = 0; k < COLUMNS && status == FLOC_OK; k++) {
    if (k >= COLUMNS - OPTIONAL && !columns[k].data) continue;
    status =
        section_list_add(list, columns[k].name, "f64", columns[k].rows, columns[k].columns, columns[k].data, true);
  }
  return status;
}

bool sections_hold_blocks(const section_list *list)
{
  return section_find(list, "blocks.whole") != NULL;
}

/* ---- in ---- */

static void read_numbers(problem_reader *from, block_problem *problem, contact_options *options)
{
  const int64_t *whole = problem_read(from, "blocks.whole", "i64", 1, 6);
  const double *real = problem_read(from, "blocks.real", "f64", 1, 3);
  if (from->status != FLOC_OK) return;
  problem_require(from, whole[0] == 2 || whole[0] == 3, "dimension", (double)whole[0], "2 or 3");
  problem_require(from, whole[1] >= 0 && whole[1] < INT32_MAX, "number of bodies", (double)whole[1],
                  "0 to 2147483646");
  problem_require(from, whole[2] >= 0 && whole[2] < INT32_MAX / 2, "number of contacts", (double)whole[2],
                  "0 to 1073741822");
  problem_require(from, whole[3] >= FLOC_SOLVER_AUTO && whole[3] <= FLOC_SOLVER_INTERIOR_POINT, "solver", (double)whole[3],
                  "0 to 2");
  problem_require(from, whole[4] > 0, "max_iterations", (double)whole[4], "above 0");
  problem_require(from, whole[5] == 0 || whole[5] == 1, "round", (double)whole[5], "0 or 1");
  problem_require(from, real[0] > 0.0 && isfinite(real[0]), "time step", real[0], "above 0 and finite");
  problem_require(from, real[1] > 0.0 && isfinite(real[1]), "tolerance", real[1], "above 0 and finite");
  problem_require(from, real[2] >= 0.0 && isfinite(real[2]), "aim", real[2], "0 or above and finite");
  if (from->status != FLOC_OK) return;
  *problem = (block_problem){.dimension = (int32_t)whole[0],
                             .round = whole[5] == 1,
                             .time_step = real[0],
                             .body_count = whole[1],
                             .contact_count = whole[2]};
  *options = (contact_options){
      .solver = (int32_t)whole[3], .tolerance = real[1], .max_iterations = whole[4], .aim = real[2]};
  if (!section_find(from->list, "blocks.friction_law")) return;
  const int64_t *law = problem_read(from, "blocks.friction_law", "i64", 1, 1);
  if (!law) return;
  problem_require(from, *law == FLOC_FRICTION_LAW_EXACT || *law == FLOC_FRICTION_LAW_CONVEX, "friction law",
                  (double)*law, "0 or 1");
  problem->convex = *law == FLOC_FRICTION_LAW_CONVEX;
  bool moments = section_find(from->list, "blocks.rolling") || section_find(from->list, "blocks.twisting");
  problem_require(from, !problem->convex || !moments, "friction law beside moments", (double)*law, "0");
}

static void check_bodies(problem_reader *from, const block_problem *problem)
{
  int d = problem->dimension, freedoms = block_freedoms(d), inertias = d == 2 ? 1 : 6;
  for (int64_t i = 0; i < problem->body_count && from->status == FLOC_OK; i++) {
    double inverse = problem->inverse_mass[i];
    problem_require(from, inverse > 0.0 && isfinite(inverse), "an inverse mass", inverse, "above 0 and finite");
    for (int c = 0; c < inertias; c++) {
      double value = problem->inverse_inertia[inertias * i + c];
      problem_require(from, isfinite(value) && (c > 2 || value >= 0.0), "an inverse inertia", value,
                      "finite, 0 or above on the diagonal");
      bool alike = !problem->round || c == 0 || value == (c < 3 ? problem->inverse_inertia[inertias * i] : 0.0);
      problem_require(from, alike, "an inverse inertia of a round body", value, "one number in all directions");
    }
    for (int c = 0; c < freedoms; c++)
      problem_require(from, isfinite(problem->free_velocity[freedoms * i + c]), "an a priori velocity",
                      problem->free_velocity[freedoms * i + c], "finite");
  }
}

/* Arms of round bodies lie along the normal. */
static bool lies_along(const double *arm, const double *normal, int dimension)
{
  double along = 0.0, rest = 0.0, square = 0.0;
  for (int axis = 0; axis < dimension; axis++) along += arm[axis] * normal[axis];
  for (int axis = 0; axis < dimension; axis++) {
    double across = arm[axis] - along * normal[axis];
    rest += across * across;
    square += arm[axis] * arm[axis];
  }
  return rest <= 1e-12 * square;
}

static void check_moments(problem_reader *from, const block_problem *problem, int64_t a)
{
  double rolling = problem->rolling ? problem->rolling[a] : 0.0,
         twisting = problem->twisting ? problem->twisting[a] : 0.0;
  int moments = problem->dimension == 2 ? 1 : 3;
  problem_require(from, rolling >= 0.0 && isfinite(rolling), "a limit of rolling", rolling,
                  "0 or above and finite");
  problem_require(from, twisting >= 0.0 && isfinite(twisting), "a limit of twisting", twisting,
                  "0 or above and finite");
  problem_require(from, problem->dimension == 3 || twisting == 0.0, "a limit of twisting in the plane", twisting,
                  "0");
  problem_require(from, (rolling == 0.0 && twisting == 0.0) || isfinite(problem->lower[a]),
                  "a lower bound with limits of moments", problem->lower[a], "finite");
  for (int c = 0; c < moments && problem->surface_spin; c++)
    problem_require(from, isfinite(problem->surface_spin[moments * a + c]), "a surface spin",
                    problem->surface_spin[moments * a + c], "finite");
}

static void check_contact(problem_reader *from, const block_problem *problem, const double *impulse, int64_t a)
{
  int64_t n = problem->body_count;
  int d = problem->dimension;
  int32_t first = problem->first[a], second = problem->second[a];
  double square = 0.0, lower = problem->lower[a], friction = problem->friction[a];
  problem_require(from, first >= 0 && first < n, "a contact's first body", first, "one of the bodies, from 0");
  problem_require(from, second >= -1 && second < n && second != first, "a contact's second body", second,
                  "-1 or another of the bodies");
  problem_require(from, isfinite(problem->distance[a]), "a distance", problem->distance[a], "finite");
  problem_require(from, lower <= 0.0, "a lower bound", lower, "0 or below");
  problem_require(from, friction >= 0.0 && isfinite(friction), "a coefficient of friction", friction,
                  "0 or above and finite");
  problem_require(from, friction == 0.0 || isfinite(lower), "a lower bound with friction", lower, "finite");
  for (int axis = 0; axis < d; axis++) {
    int64_t at = d * a + axis;
    square += problem->normal[at] * problem->normal[at];
    problem_require(from, isfinite(problem->arm_first[at]) && isfinite(problem->arm_second[at]), "an arm",
                    isfinite(problem->arm_first[at]) ? problem->arm_second[at] : problem->arm_first[at], "finite");
    problem_require(from, isfinite(problem->surface_velocity[at]), "a surface velocity",
                    problem->surface_velocity[at], "finite");
  }
  const int32_t size = block_impulses(problem);
  for (int c = 0; c < size; c++)
    problem_require(from, isfinite(impulse[size * a + c]), "an impulse", impulse[size * a + c], "finite");
  problem_require(from, fabs(square - 1.0) < 1e-6, "the square of a normal", square, "1");
  if (block_problem_has_moments(problem)) check_moments(from, problem, a);
  if (from->status != FLOC_OK || !problem->round) return;
  const double *normal = problem->normal + d * a;
  bool straight = lies_along(problem->arm_first + d * a, normal, d) &&
                  (second < 0 || lies_along(problem->arm_second + d * a, normal, d));
  problem_require(from, straight, "an arm of a round body, of contact", (double)a, "along the normal");
}

floc_status block_problem_from_sections(const section_list *list, block_problem *problem, contact_options *options,
                                        const double **impulse)
{
  problem_reader from = {list, FLOC_OK};
  *problem = (block_problem){0};
  read_numbers(&from, problem, options);
  column columns[COLUMNS];
  const double **to[COLUMNS] = {&problem->inverse_mass,
                                &problem->inverse_inertia,
                                &problem->free_velocity,
                                &problem->normal,
                                &problem->arm_first,
                                &problem->arm_second,
                                &problem->surface_velocity,
                                &problem->distance,
                                &problem->lower,
                                &problem->friction,
                                impulse,
                                &problem->rolling,
                                &problem->twisting,
                                &problem->surface_spin};
  list_columns(problem, NULL, columns);
  for (int k = COLUMNS - OPTIONAL; k < COLUMNS; k++)
    if (section_find(list, columns[k].name))
      *to[k] = problem_read(&from, columns[k].name, "f64", columns[k].rows, columns[k].columns);
  list_columns(problem, NULL, columns);
  for (int k = 0; k < COLUMNS - OPTIONAL; k++)
    *to[k] = problem_read(&from, columns[k].name, "f64", columns[k].rows, columns[k].columns);
  problem->first = problem_read(&from, "blocks.first", "i32", (uint64_t)problem->contact_count, 1);
  problem->second = problem_read(&from, "blocks.second", "i32", (uint64_t)problem->contact_count, 1);
  if (from.status == FLOC_OK) check_bodies(&from, problem);
  for (int64_t a = 0; a < problem->contact_count && from.status == FLOC_OK; a++)
    check_contact(&from, problem, *impulse, a);
  return from.status;
}
