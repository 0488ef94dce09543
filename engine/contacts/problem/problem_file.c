/*
 * Contact problems as sections. See problem_file.h.
 */
#include "contacts/problem/problem_file.h"

#include "domains/patches.h"

#include <math.h>

enum {
  FORMAT = 2,
  ROTATE = 1,
  ROUND = 2,
  FRICTION = 4,
  UNSORTED = 8,
  CONVEX = 16,
  ROLLING = 32,
  TWISTING = 64,
  MOST_COLUMNS = 40
};

/* A column of doubles of the problem. */
typedef struct column {
  const char *name;
  int64_t rows, width;
  const double **data;
  enum { ABSENT, NEEDED, OPTIONAL } is; /* in a problem with these flags */
} column;

static int64_t flags_of(const contact_problem *problem)
{
  return (problem->inverse_inertia ? ROTATE : 0) | (problem->round ? ROUND : 0) |
         (problem->friction ? FRICTION : 0) | (problem->unsorted ? UNSORTED : 0) | (problem->convex ? CONVEX : 0) |
         (problem->rolling ? ROLLING : 0) | (problem->twisting ? TWISTING : 0);
}

/* The columns in the order of the file; the third axis only in space. */
static int list_columns(recorded_problem *it, int64_t flags, column list[MOST_COLUMNS])
{
  contact_problem *problem = &it->problem;
  const int64_t n = problem->body_count, c = problem->contact_count;
  const bool space = problem->dimension == 3, turns = flags & ROTATE, rubs = flags & FRICTION;
  const bool moments = flags & (ROLLING | TWISTING), far = turns && !(flags & ROUND);
  const column all[] = {
      {"problem.inverse_mass", n, 1, &problem->inverse_mass, NEEDED},
      {"problem.free_velocity.x", n, 1, &problem->free_velocity[0], NEEDED},
      {"problem.free_velocity.y", n, 1, &problem->free_velocity[1], NEEDED},
      {"problem.free_velocity.z", n, 1, &problem->free_velocity[2], space ? NEEDED : ABSENT},
      {"problem.inverse_inertia", n, far && space ? 6 : 1, &problem->inverse_inertia, turns ? NEEDED : ABSENT},
      {"problem.free_spin.x", n, 1, &problem->free_spin[0], turns && space ? NEEDED : ABSENT},
      {"problem.free_spin.y", n, 1, &problem->free_spin[1], turns && space ? NEEDED : ABSENT},
      {"problem.free_spin.z", n, 1, &problem->free_spin[2], turns ? NEEDED : ABSENT},
      {"problem.normal.x", c, 1, &problem->normal[0], NEEDED},
      {"problem.normal.y", c, 1, &problem->normal[1], NEEDED},
      {"problem.normal.z", c, 1, &problem->normal[2], space ? NEEDED : ABSENT},
      {"problem.distance", c, 1, &problem->distance, NEEDED},
      {"problem.lower", c, 1, &problem->lower, NEEDED},
      {"problem.arm_first.x", c, 1, &problem->arm_first[0], turns ? NEEDED : ABSENT},
      {"problem.arm_first.y", c, 1, &problem->arm_first[1], far ? NEEDED : ABSENT},
      {"problem.arm_first.z", c, 1, &problem->arm_first[2], far && space ? NEEDED : ABSENT},
      {"problem.arm_second.x", c, 1, &problem->arm_second[0], turns ? NEEDED : ABSENT},
      {"problem.arm_second.y", c, 1, &problem->arm_second[1], far ? NEEDED : ABSENT},
      {"problem.arm_second.z", c, 1, &problem->arm_second[2], far && space ? NEEDED : ABSENT},
      {"problem.friction", c, 1, &problem->friction, rubs ? NEEDED : ABSENT},
      {"problem.surface_velocity.x", c, 1, &problem->surface_velocity[0], rubs ? OPTIONAL : ABSENT},
      {"problem.surface_velocity.y", c, 1, &problem->surface_velocity[1], rubs ? OPTIONAL : ABSENT},
      {"problem.surface_velocity.z", c, 1, &problem->surface_velocity[2], rubs && space ? OPTIONAL : ABSENT},
      {"problem.impulse", c, 1, &it->impulse, NEEDED},
      {"problem.tangent.x", c, 1, &it->tangent[0], rubs ? NEEDED : ABSENT},
      {"problem.tangent.y", c, 1, &it->tangent[1], rubs ? NEEDED : ABSENT},
      {"problem.tangent.z", c, 1, &it->tangent[2], rubs && space ? NEEDED : ABSENT},
      {"problem.rolling", c, 1, &problem->rolling, flags & ROLLING ? NEEDED : ABSENT},
      {"problem.twisting", c, 1, &problem->twisting, flags & TWISTING ? NEEDED : ABSENT},
      {"problem.surface_spin.x", c, 1, &problem->surface_spin[0], moments && space ? OPTIONAL : ABSENT},
      {"problem.surface_spin.y", c, 1, &problem->surface_spin[1], moments && space ? OPTIONAL : ABSENT},
      {"problem.surface_spin.z", c, 1, &problem->surface_spin[2], moments ? OPTIONAL : ABSENT},
      {"problem.moment.x", c, 1, &it->moment[0], moments && space ? NEEDED : ABSENT},
      {"problem.moment.y", c, 1, &it->moment[1], moments && space ? NEEDED : ABSENT},
      {"problem.moment.z", c, 1, &it->moment[2], moments ? NEEDED : ABSENT},
  };
  const int count = sizeof all / sizeof *all;
  for (int k = 0; k < count; k++) list[k] = all[k];
  return count;
}

/* ---- out ---- */

static floc_status list_patches(const patch_place *place, section_list *list)
{
  if (!place || !place->found || place->set.count < 2) return FLOC_OK;
  const patch_set *set = &place->set;
  floc_status status = section_list_add(list, "problem.patch", "i32", (uint64_t)set->covered, 1, set->of, true);
  if (status == FLOC_OK)
    status = section_list_add(list, "problem.patch_parity", "u8", (uint64_t)set->count, 1, set->parity, true);
  return status;
}

floc_status problem_sections(recorded_problem *from, problem_numbers *numbers, section_list *list)
{
  const contact_problem *problem = &from->problem;
  const contact_options *options = &from->options;
  const int64_t flags = flags_of(problem);
  const uint64_t contacts = (uint64_t)problem->contact_count;
  *numbers = (problem_numbers){{FORMAT, problem->dimension, problem->body_count, problem->contact_count,
                                options->solver, options->max_iterations, flags, 0},
                               {problem->time_step, options->tolerance, options->working_gap, options->aim}};
  column columns[MOST_COLUMNS];
  int count = list_columns(from, flags, columns);
  floc_status status = section_list_add(list, "problem.whole", "i64", 1, 8, numbers->whole, true);
  if (status == FLOC_OK) status = section_list_add(list, "problem.real", "f64", 1, 4, numbers->real, true);
  if (status == FLOC_OK) status = section_list_add(list, "problem.first", "i32", contacts, 1, problem->first, true);
  if (status == FLOC_OK)
    status = section_list_add(list, "problem.second", "i32", contacts, 1, problem->second, true);
  for (int k = 0; k < count && status == FLOC_OK; k++) {
    const column *own = &columns[k];
    if (own->is == NEEDED || (own->is == OPTIONAL && *own->data))
      status =
          section_list_add(list, own->name, "f64", (uint64_t)own->rows, (uint64_t)own->width, *own->data, true);
  }
  return status == FLOC_OK ? list_patches(problem->patches, list) : status;
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

void problem_read_common(problem_reader *from, const int64_t whole[5], const double real[2])
{
  problem_require(from, whole[0] == 2 || whole[0] == 3, "dimension", (double)whole[0], "2 or 3");
  problem_require(from, whole[1] >= 0 && whole[1] < INT32_MAX, "number of bodies", (double)whole[1],
                  "0 to 2147483646");
  problem_require(from, whole[2] >= 0 && whole[2] < INT32_MAX / 2, "number of contacts", (double)whole[2],
                  "0 to 1073741822");
  problem_require(from, whole[3] >= FLOC_SOLVER_AUTO && whole[3] <= FLOC_SOLVER_INTERIOR_POINT, "solver",
                  (double)whole[3], "0 to 3");
  problem_require(from, whole[4] > 0, "max_iterations", (double)whole[4], "above 0");
  problem_require(from, real[0] > 0.0 && isfinite(real[0]), "time step", real[0], "above 0 and finite");
  problem_require(from, real[1] > 0.0 && isfinite(real[1]), "tolerance", real[1], "above 0 and finite");
  from->to->problem = (contact_problem){
      .dimension = (int32_t)whole[0], .body_count = whole[1], .contact_count = whole[2], .time_step = real[0]};
  from->to->options =
      (contact_options){.solver = (int32_t)whole[3], .max_iterations = whole[4], .tolerance = real[1]};
}

/* Returns the flags. */
static int64_t read_numbers(problem_reader *from)
{
  const section *found = section_find(from->list, "problem.whole");
  const bool old = found && found->columns == 5;
  const int64_t *whole = problem_read(from, "problem.whole", "i64", 1, old ? 5 : 8);
  const double *real = problem_read(from, "problem.real", "f64", 1, old ? 3 : 4);
  if (from->status != FLOC_OK) return 0;
  int64_t flags = old ? 0 : whole[6];
  if (!old) {
    problem_require(from, whole[0] == FORMAT, "format", (double)whole[0], "1 or 2");
    problem_require(from, flags >= 0 && flags < 2 * TWISTING, "flags", (double)flags, "0 to 127");
    problem_require(from, !(flags & ROUND) || flags & ROTATE, "flags", (double)flags,
                    "round only if bodies rotate");
    problem_require(from, !(flags & (FRICTION | ROLLING | TWISTING)) || flags & ROTATE, "flags", (double)flags,
                    "friction and limits of moments only if bodies rotate");
    problem_require(from, !(flags & CONVEX) || (flags & (FRICTION | ROLLING | TWISTING)) == FRICTION, "flags",
                    (double)flags, "the convex law only with friction, and without limits of moments");
    problem_require(from, !(flags & TWISTING) || whole[1] == 3, "flags", (double)flags, "twisting only in space");
  }
  problem_read_common(from, old ? whole : whole + 1, real);
  problem_require(from, real[2] >= 0.0 && isfinite(real[2]), "working_gap", real[2], "0 or above and finite");
  if (!old) problem_require(from, real[3] >= 0.0 && isfinite(real[3]), "aim", real[3], "0 or above and finite");
  from->to->options.working_gap = real[2];
  from->to->options.aim = old ? 0.0 : real[3];
  from->to->problem.round = flags & ROUND;
  from->to->problem.unsorted = flags & UNSORTED;
  from->to->problem.convex = flags & CONVEX;
  return flags;
}

static void read_columns(problem_reader *from, int64_t flags)
{
  column columns[MOST_COLUMNS];
  contact_problem *problem = &from->to->problem;
  int count = list_columns(from->to, flags, columns);
  problem->first = problem_read(from, "problem.first", "i32", (uint64_t)problem->contact_count, 1);
  problem->second = problem_read(from, "problem.second", "i32", (uint64_t)problem->contact_count, 1);
  for (int k = 0; k < count; k++)
    if (columns[k].is == NEEDED || (columns[k].is == OPTIONAL && section_find(from->list, columns[k].name)))
      *columns[k].data =
          problem_read(from, columns[k].name, "f64", (uint64_t)columns[k].rows, (uint64_t)columns[k].width);
}

static void read_patches(problem_reader *from)
{
  const section *of = section_find(from->list, "problem.patch"), *parity = NULL;
  if (!of || from->status != FLOC_OK) return;
  from->status = section_expect(from->list, "problem.patch_parity", "u8", UINT64_MAX, 1, &parity);
  const int32_t *patch = problem_read(from, "problem.patch", "i32", of->rows, 1);
  problem_require(from, of->rows <= (uint64_t)from->to->problem.body_count, "number of bodies in patches",
                  (double)of->rows, "at most that of bodies");
  if (from->status != FLOC_OK) return;
  problem_require(from, parity->rows >= 1 && parity->rows <= of->rows, "number of patches", (double)parity->rows,
                  "1 to the number of bodies in patches");
  for (uint64_t i = 0; i < of->rows; i++)
    problem_require(from, patch[i] >= 0 && (uint64_t)patch[i] < parity->rows, "a body's patch", patch[i],
                    "one of the patches, from 0");
  for (uint64_t k = 0; k < parity->rows; k++)
    problem_require(from, ((const uint8_t *)parity->data)[k] < 8, "a patch's parity",
                    ((const uint8_t *)parity->data)[k], "0 to 7");
  patch_place *place = arena_allocate(from->memory, 1, sizeof *place);
  if (!place) from->status = FLOC_OUT_OF_MEMORY;
  if (from->status != FLOC_OK) return;
  *place = (patch_place){.found = true, .set = {.count = (int32_t)parity->rows, .covered = (int64_t)of->rows}};
  place->set.of = (int32_t *)of->data; /* no code writes it */
  place->set.parity = (uint8_t *)parity->data;
  from->to->problem.patches = place;
}

/* ---- checks, of any form ---- */

static void require_finite(problem_reader *from, const double *const vector[3], int64_t at, const char *what)
{
  for (int axis = 0; axis < 3; axis++)
    if (vector[axis]) problem_require(from, isfinite(vector[axis][at]), what, vector[axis][at], "finite");
}

static void check_body(problem_reader *from, int64_t i)
{
  const contact_problem *problem = &from->to->problem;
  const int numbers = problem->dimension == 3 && !problem->round ? 6 : 1;
  double inverse = problem->inverse_mass[i];
  problem_require(from, inverse >= 0.0 && isfinite(inverse), "an inverse mass", inverse, "0 or above and finite");
  require_finite(from, problem->free_velocity, i, "an a priori velocity");
  require_finite(from, problem->free_spin, i, "an a priori angular velocity");
  for (int c = 0; problem->inverse_inertia && c < numbers; c++) {
    double value = problem->inverse_inertia[numbers * i + c];
    problem_require(from, isfinite(value) && (c > 2 || value >= 0.0), "an inverse inertia", value,
                    "finite, 0 or above on the diagonal");
  }
}

static void check_limit(problem_reader *from, const double *limit, int64_t a, const char *what)
{
  if (!limit) return;
  const double lower = from->to->problem.lower[a];
  problem_require(from, limit[a] >= 0.0 && isfinite(limit[a]), what, limit[a], "0 or above and finite");
  problem_require(from, limit[a] == 0.0 || isfinite(lower), "a lower bound with limits", lower, "finite");
}

static void check_contact(problem_reader *from, int64_t a)
{
  const contact_problem *problem = &from->to->problem;
  const int64_t n = problem->body_count;
  const int32_t first = problem->first[a], second = problem->second[a];
  const double lower = problem->lower[a];
  double square = 0.0;
  for (int axis = 0; axis < problem->dimension; axis++)
    square += problem->normal[axis][a] * problem->normal[axis][a];
  problem_require(from, first >= 0 && first < n, "a contact's first body", first, "one of the bodies, from 0");
  problem_require(from, second >= -1 && second < n && second != first, "a contact's second body", second,
                  "-1 or another of the bodies");
  if (from->status != FLOC_OK) return;
  const double inverse = problem->inverse_mass[first] + (second >= 0 ? problem->inverse_mass[second] : 0.0);
  problem_require(from, inverse > 0.0, "the sum of a contact's inverse masses", inverse, "above 0");
  problem_require(from, fabs(square - 1.0) < 1e-6, "the square of a normal", square, "1");
  problem_require(from, isfinite(problem->distance[a]), "a distance", problem->distance[a], "finite");
  problem_require(from, lower <= 0.0, "a lower bound", lower, "0 or below");
  check_limit(from, problem->friction, a, "a coefficient of friction");
  check_limit(from, problem->rolling, a, "a limit of rolling");
  check_limit(from, problem->twisting, a, "a limit of twisting");
  require_finite(from, problem->arm_first, a, "a moment arm");
  require_finite(from, problem->arm_second, a, "a moment arm");
  require_finite(from, problem->surface_velocity, a, "a surface velocity");
  problem_require(from, isfinite(from->to->impulse[a]), "an impulse", from->to->impulse[a], "finite");
  require_finite(from, from->to->tangent, a, "an impulse of friction");
  require_finite(from, from->to->moment, a, "a moment");
  require_finite(from, problem->surface_spin, a, "a surface spin");
  bool ordered = a == 0 || first > problem->first[a - 1] ||
                 (first == problem->first[a - 1] && second >= problem->second[a - 1]);
  problem_require(from, ordered || problem->unsorted, "the first contact out of order", (double)a,
                  "sorted by first, then second body");
}

floc_status problem_from_sections(const section_list *list, arena *memory, recorded_problem *to)
{
  problem_reader from = {.list = list, .memory = memory, .to = to};
  *to = (recorded_problem){0};
  if (section_find(list, "blocks.whole")) {
    problem_read_blocks(&from);
  } else {
    int64_t flags = read_numbers(&from);
    if (from.status == FLOC_OK) read_columns(&from, flags);
    read_patches(&from);
  }
  for (int64_t i = 0; from.status == FLOC_OK && i < to->problem.body_count; i++) check_body(&from, i);
  for (int64_t a = 0; from.status == FLOC_OK && a < to->problem.contact_count; a++) check_contact(&from, a);
  return from.status;
}
