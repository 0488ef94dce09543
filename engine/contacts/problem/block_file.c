/*
 * Block problems as sections. See problem_file.h.
 */
#include "contacts/problem/problem_file.h"

#include <math.h>

typedef struct column {
  const char *name;
  uint64_t rows, columns;
  const double *data;
} column;

enum { COLUMNS = 11 };

/* All columns of doubles, in the order of the file. */
static void list_columns(const block_problem *problem, const double *impulse, column list[COLUMNS])
{
  uint64_t n = (uint64_t)problem->body_count, c = (uint64_t)problem->contact_count,
           d = (uint64_t)problem->dimension;
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
                                   {"blocks.impulse", c, d, impulse}};
  for (int k = 0; k < COLUMNS; k++) list[k] = columns[k];
}

floc_status block_sections(const block_problem *problem, const contact_options *options, const double *impulse,
                           block_numbers *numbers, section_list *list)
{
  column columns[COLUMNS];
  uint64_t c = (uint64_t)problem->contact_count;
  *numbers = (block_numbers){{problem->dimension, problem->body_count, problem->contact_count, options->solver,
                              options->max_iterations, problem->round},
                             {problem->time_step, options->tolerance, options->aim}};
  floc_status status = section_list_add(list, "blocks.whole", "i64", 1, 6, numbers->whole, true);
  if (status == FLOC_OK) status = section_list_add(list, "blocks.real", "f64", 1, 3, numbers->real, true);
  if (status == FLOC_OK) status = section_list_add(list, "blocks.first", "i32", c, 1, problem->first, true);
  if (status == FLOC_OK) status = section_list_add(list, "blocks.second", "i32", c, 1, problem->second, true);
  list_columns(problem, impulse, columns);
  for (int k = 0; k < COLUMNS && status == FLOC_OK; k++)
    status =
        section_list_add(list, columns[k].name, "f64", columns[k].rows, columns[k].columns, columns[k].data, true);
  return status;
}

bool sections_hold_blocks(const section_list *list)
{
  return section_find(list, "blocks.whole") != NULL;
}

/* ---- in ---- */

typedef struct reader {
  const section_list *list;
  floc_status status; /* of the first failure; nothing is read after it */
} reader;

static const void *read_section(reader *from, const char *name, const char *type, uint64_t rows, uint64_t columns)
{
  const section *found = NULL;
  if (from->status == FLOC_OK) from->status = section_expect(from->list, name, type, rows, columns, &found);
  return found ? found->data : NULL;
}

static void require(reader *from, bool good, const char *what, double value, const char *range)
{
  if (good || from->status != FLOC_OK) return;
  from->status =
      refuse(from->list->env, FLOC_DAMAGED_FILE, "contact problem: %s is %g; it must be %s", what, value, range);
}

static void read_numbers(reader *from, block_problem *problem, contact_options *options)
{
  const int64_t *whole = read_section(from, "blocks.whole", "i64", 1, 6);
  const double *real = read_section(from, "blocks.real", "f64", 1, 3);
  if (from->status != FLOC_OK) return;
  require(from, whole[0] == 2 || whole[0] == 3, "dimension", (double)whole[0], "2 or 3");
  require(from, whole[1] >= 0 && whole[1] < INT32_MAX, "number of bodies", (double)whole[1], "0 to 2147483646");
  require(from, whole[2] >= 0 && whole[2] < INT32_MAX / 2, "number of contacts", (double)whole[2],
          "0 to 1073741822");
  require(from, whole[3] >= FLOC_SOLVER_AUTO && whole[3] <= FLOC_SOLVER_APGD, "solver", (double)whole[3], "0 to 2");
  require(from, whole[4] > 0, "max_iterations", (double)whole[4], "above 0");
  require(from, whole[5] == 0 || whole[5] == 1, "round", (double)whole[5], "0 or 1");
  require(from, real[0] > 0.0 && isfinite(real[0]), "time step", real[0], "above 0 and finite");
  require(from, real[1] > 0.0 && isfinite(real[1]), "tolerance", real[1], "above 0 and finite");
  require(from, real[2] >= 0.0 && isfinite(real[2]), "aim", real[2], "0 or above and finite");
  if (from->status != FLOC_OK) return;
  *problem = (block_problem){.dimension = (int32_t)whole[0],
                             .round = whole[5] == 1,
                             .time_step = real[0],
                             .body_count = whole[1],
                             .contact_count = whole[2]};
  *options = (contact_options){
      .solver = (int32_t)whole[3], .tolerance = real[1], .max_iterations = whole[4], .aim = real[2]};
}

static void check_bodies(reader *from, const block_problem *problem)
{
  int d = problem->dimension, freedoms = block_freedoms(d), inertias = d == 2 ? 1 : 6;
  for (int64_t i = 0; i < problem->body_count && from->status == FLOC_OK; i++) {
    double inverse = problem->inverse_mass[i];
    require(from, inverse > 0.0 && isfinite(inverse), "an inverse mass", inverse, "above 0 and finite");
    for (int c = 0; c < inertias; c++) {
      double value = problem->inverse_inertia[inertias * i + c];
      require(from, isfinite(value) && (c > 2 || value >= 0.0), "an inverse inertia", value,
              "finite, 0 or above on the diagonal");
      bool alike = !problem->round || c == 0 || value == (c < 3 ? problem->inverse_inertia[inertias * i] : 0.0);
      require(from, alike, "an inverse inertia of a round body", value, "one number in all directions");
    }
    for (int c = 0; c < freedoms; c++)
      require(from, isfinite(problem->free_velocity[freedoms * i + c]), "an a priori velocity",
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

static void check_contact(reader *from, const block_problem *problem, const double *impulse, int64_t a)
{
  int64_t n = problem->body_count;
  int d = problem->dimension;
  int32_t first = problem->first[a], second = problem->second[a];
  double square = 0.0, lower = problem->lower[a], friction = problem->friction[a];
  require(from, first >= 0 && first < n, "a contact's first body", first, "one of the bodies, from 0");
  require(from, second >= -1 && second < n && second != first, "a contact's second body", second,
          "-1 or another of the bodies");
  require(from, isfinite(problem->distance[a]), "a distance", problem->distance[a], "finite");
  require(from, lower <= 0.0, "a lower bound", lower, "0 or below");
  require(from, friction >= 0.0 && isfinite(friction), "a coefficient of friction", friction,
          "0 or above and finite");
  require(from, friction == 0.0 || isfinite(lower), "a lower bound with friction", lower, "finite");
  for (int axis = 0; axis < d; axis++) {
    int64_t at = d * a + axis;
    square += problem->normal[at] * problem->normal[at];
    require(from, isfinite(problem->arm_first[at]) && isfinite(problem->arm_second[at]), "an arm",
            isfinite(problem->arm_first[at]) ? problem->arm_second[at] : problem->arm_first[at], "finite");
    require(from, isfinite(problem->surface_velocity[at]), "a surface velocity", problem->surface_velocity[at],
            "finite");
    require(from, isfinite(impulse[at]), "an impulse", impulse[at], "finite");
  }
  require(from, fabs(square - 1.0) < 1e-6, "the square of a normal", square, "1");
  if (from->status != FLOC_OK || !problem->round) return;
  const double *normal = problem->normal + d * a;
  bool straight = lies_along(problem->arm_first + d * a, normal, d) &&
                  (second < 0 || lies_along(problem->arm_second + d * a, normal, d));
  require(from, straight, "an arm of a round body, of contact", (double)a, "along the normal");
}

floc_status block_problem_from_sections(const section_list *list, block_problem *problem, contact_options *options,
                                        const double **impulse)
{
  reader from = {list, FLOC_OK};
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
                                impulse};
  list_columns(problem, NULL, columns);
  for (int k = 0; k < COLUMNS; k++)
    *to[k] = read_section(&from, columns[k].name, "f64", columns[k].rows, columns[k].columns);
  problem->first = read_section(&from, "blocks.first", "i32", (uint64_t)problem->contact_count, 1);
  problem->second = read_section(&from, "blocks.second", "i32", (uint64_t)problem->contact_count, 1);
  if (from.status == FLOC_OK) check_bodies(&from, problem);
  for (int64_t a = 0; a < problem->contact_count && from.status == FLOC_OK; a++)
    check_contact(&from, problem, *impulse, a);
  return from.status;
}
