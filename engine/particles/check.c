/*
 * What the numbers of particles may be: asked when one is added, of a file, and once before each step, because a
 * host writes columns in place. One pass over eight columns finds whether anything is out of range; only then a
 * second one looks for the words.
 *
 * Radii and masses keep 100 powers of ten away from the ends of what a double can hold, so that squares, cubes and
 * reciprocals of them are numbers. A position must be known to a millionth of the radius: the distance of two
 * particles that touch is the difference of two such numbers. A particle wider than a periodic axis would overlap
 * itself; one with a radius above the distance of two closed faces would be more than half a radius deep in one of
 * them.
 */
#include "base/numbers/wide.h"
#include "particles/particles.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

static const double LEAST_SIZE = 1e-100, GREATEST_SIZE = 1e100;
static const double COARSEST = 1e-6; /* distance of neighbouring positions, in radii */
static const double LAST_PLACE = 0x1p-52;

number_range particles_radius_range(const domain *box)
{
  number_range range = {LEAST_SIZE, GREATEST_SIZE, false};
  for (int axis = 0; axis < box->dimension; axis++) {
    double length = box->upper[axis] - box->lower[axis];
    if (box->boundary[axis] == FLOC_BOUNDARY_PERIODIC) range.greatest = fmin(range.greatest, 0.5 * length);
    if (box->boundary[axis] == FLOC_BOUNDARY_WALL) range.greatest = fmin(range.greatest, length);
  }
  return range;
}

number_range particles_mass_range(void)
{
  return (number_range){LEAST_SIZE, GREATEST_SIZE, false};
}

number_range particles_position_range(const domain *box, int axis)
{
  if (axis >= box->dimension || box->boundary[axis] != FLOC_BOUNDARY_WALL) return FINITE_NUMBERS;
  return (number_range){box->lower[axis], box->upper[axis], false};
}

bool particles_is_resolved(double position, double radius)
{
  return fabs(position) * LAST_PLACE <= COARSEST * radius;
}

/* ---- one pass ---- */

typedef struct particle_ranges {
  const particles *table;
  number_range position[3], radius, mass;
} particle_ranges;

static particle_ranges find_ranges(const particles *table, const domain *box)
{
  particle_ranges all = {.table = table, .radius = particles_radius_range(box), .mass = particles_mass_range()};
  for (int axis = 0; axis < 3; axis++) all.position[axis] = particles_position_range(box, axis);
  return all;
}

/* Loops with neither branches nor an early end that choose between numbers: two particles are done at a time. */
HOT bool is_bad_size(const particle_ranges *all, int64_t begin, int64_t end)
{
  const double *radius = all->table->column[COLUMN_radius], *mass = all->table->column[COLUMN_mass];
  const number_range r = all->radius, m = all->mass;
  double bad = 0.0;
  for (int64_t k = begin; k < end; k++) {
    bool right =
        (radius[k] >= r.least) & (radius[k] <= r.greatest) & (mass[k] >= m.least) & (mass[k] <= m.greatest);
    bad = right ? bad : 1.0;
  }
  return bad != 0.0;
}

HOT bool is_bad_axis(const particle_ranges *all, int axis, int64_t begin, int64_t end)
{
  double *const *column = all->table->column;
  const double *x = column[COLUMN_x + axis], *v = column[COLUMN_vx + axis], *radius = column[COLUMN_radius];
  const double lower = all->position[axis].least, upper = all->position[axis].greatest;
  const double greatest = FINITE_NUMBERS.greatest;
  double bad = 0.0;
  for (int64_t k = begin; k < end; k++) {
    bool resolved = fabs(x[k]) * LAST_PLACE <= COARSEST * radius[k], finite = fabs(v[k]) <= greatest;
    bool right = (x[k] >= lower) & (x[k] <= upper) & resolved & finite;
    bad = right ? bad : 1.0;
  }
  return bad != 0.0;
}

HOT bool is_bad_range_loop(const particle_ranges *all, int64_t begin, int64_t end)
{
  bool bad = is_bad_size(all, begin, end);
  for (int axis = 0; axis < 3; axis++) bad |= is_bad_axis(all, axis, begin, end);
  return bad;
}

CLONED(bool, is_bad_range, (const particle_ranges *all, int64_t begin, int64_t end), (all, begin, end))

static double bad_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const particle_ranges *all = context;
  if (!is_bad_range(all, begin, end)) return -INFINITY;
  int64_t first = begin;
  while (!is_bad_range(all, first, first + 1)) first++;
  return -(double)first;
}

/* ---- words ---- */

static floc_status refuse_column(const particles *table, int64_t slot, int32_t column, number_range range,
                                 const char *when)
{
  double value = table->column[column][slot];
  char allowed[RANGE_TEXT];
  range_text(range, allowed);
  return refuse(table->env, FLOC_INVALID_ARGUMENT, "particle %" PRId64 " has %s %g %s; it must be %s",
                table->id[slot], table->name[column], value, when, allowed);
}

static floc_status refuse_position(const particle_ranges *all, int64_t slot, int axis, const char *when)
{
  const particles *table = all->table;
  double x = table->column[COLUMN_x + axis][slot], radius = table->column[COLUMN_radius][slot];
  number_range range = all->position[axis];
  if (!is_within(range, x))
    return refuse(table->env, FLOC_ESCAPED,
                  "particle %" PRId64
                  " left a closed domain: %s is %.10g %s; the domain reaches from %.10g to %.10g",
                  table->id[slot], table->name[COLUMN_x + axis], x, when, range.least, range.greatest);
  return refuse(
      table->env, FLOC_LIMIT_EXCEEDED,
      "particle %" PRId64 " of radius %g has %s %.10g %s: numbers there differ by more than %g radii; it must "
      "be at most %g from 0",
      table->id[slot], radius, table->name[COLUMN_x + axis], x, when, COARSEST, COARSEST * radius / LAST_PLACE);
}

static floc_status refuse_particle(const particle_ranges *all, int64_t slot, const char *when)
{
  const particles *table = all->table;
  double *const *column = table->column;
  bool finite = isfinite(column[COLUMN_radius][slot]) && isfinite(column[COLUMN_mass][slot]);
  for (int axis = 0; axis < 3; axis++)
    finite = finite && isfinite(column[COLUMN_x + axis][slot]) && isfinite(column[COLUMN_vx + axis][slot]);
  if (!finite)
    return refuse(table->env, FLOC_NOT_A_NUMBER,
                  "particle %" PRId64
                  " has position (%g, %g, %g), velocity (%g, %g, %g), radius %g, mass %g %s; all must be finite, "
                  "radius and mass above 0",
                  table->id[slot], column[COLUMN_x][slot], column[COLUMN_y][slot], column[COLUMN_z][slot],
                  column[COLUMN_vx][slot], column[COLUMN_vy][slot], column[COLUMN_vz][slot],
                  column[COLUMN_radius][slot], column[COLUMN_mass][slot], when);
  if (!is_within(all->radius, column[COLUMN_radius][slot]))
    return refuse_column(table, slot, COLUMN_radius, all->radius, when);
  if (!is_within(all->mass, column[COLUMN_mass][slot]))
    return refuse_column(table, slot, COLUMN_mass, all->mass, when);
  for (int axis = 0; axis < 3; axis++) {
    double x = column[COLUMN_x + axis][slot];
    if (!is_within(all->position[axis], x) || !particles_is_resolved(x, column[COLUMN_radius][slot]))
      return refuse_position(all, slot, axis, when);
  }
  return FLOC_OK;
}

floc_status particles_check(const particles *table, const domain *box, const char *when)
{
  particle_ranges all = find_ranges(table, box);
  double greatest = slots_max(table->env, table, PARALLEL_BLOCK, -INFINITY, bad_block, &all);
  return isinf(greatest) ? FLOC_OK : refuse_particle(&all, (int64_t)-greatest, when);
}

HOT double infinite_block_loop(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const double *values = context, most = FINITE_NUMBERS.greatest;
  double bad = 0.0;
  for (int64_t k = begin; k < end; k++) bad = fabs(values[k]) <= most ? bad : 1.0;
  if (bad == 0.0) return -INFINITY;
  while (fabs(values[begin]) <= most) begin++;
  return -(double)begin;
}

CLONED(double, infinite_block, (void *context, int64_t begin, int64_t end, int64_t block),
       (context, begin, end, block))

static double inertia_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const double *inertia = context;
  double greatest = 0.0;
  for (int64_t k = begin; k < end; k++) {
    if (!(inertia[k] >= 0.0 && inertia[k] <= FINITE_NUMBERS.greatest)) return INFINITY;
    greatest = inertia[k] > greatest ? inertia[k] : greatest;
  }
  return greatest;
}

floc_status particles_check_inertia(const particles *table, const char *when, bool *any)
{
  double *inertia = particles_optional(table, OPTIONAL_inertia);
  *any = false;
  if (!inertia) return FLOC_OK;
  double greatest = slots_max(table->env, table, PARALLEL_BLOCK, 0.0, inertia_block, inertia);
  *any = greatest > 0.0;
  EACH_SLOT(i, table)
    if (greatest == INFINITY && !(inertia[i] >= 0.0 && inertia[i] <= FINITE_NUMBERS.greatest))
      return refuse_column(table, i, table->optional[OPTIONAL_inertia], NUMBERS_FROM_0, when);
  return FLOC_OK;
}

/* Infinite if one is wrong; else 1 if one is not round. */
typedef struct shapes_call {
  const particles *table;
  int32_t dimension;
} shapes_call;

/* Of one that is not round, of a known shape. */
static bool takes_rounding(const particles *table, int32_t dimension, int64_t i)
{
  return grain_kinds[particles_shape(table, i)->kind].takes_rounding(
      dimension, table->column[COLUMN_radius][i], particles_optional(table, OPTIONAL_rounding)[i]);
}

static double shapes_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const shapes_call *call = context;
  const particles *table = call->table;
  const double *shape = particles_optional(table, OPTIONAL_shape),
               *angle = call->dimension == 2 ? particles_optional(table, OPTIONAL_angle) : NULL;
  double any = 0.0;
  for (int64_t i = begin; i < end; i++) {
    if (shape[i] == 0.0) continue;
    any = 1.0;
    const bool known = shape[i] >= 1.0 && shape[i] <= table->shapes.count && shape[i] == floor(shape[i]);
    if (!known || !takes_rounding(table, call->dimension, i) || (angle && !isfinite(angle[i]))) return INFINITY;
  }
  return any;
}

floc_status particles_check_shapes(const particles *table, int32_t dimension, const char *when, bool *any)
{
  *any = false;
  if (table->optional[OPTIONAL_shape] < 0) return FLOC_OK;
  shapes_call call = {table, dimension};
  const double found = slots_max(table->env, table, PARALLEL_BLOCK, 0.0, shapes_block, &call);
  *any = found > 0.0;
  if (found < INFINITY) return FLOC_OK;
  const double *shape = particles_optional(table, OPTIONAL_shape),
               *angle = particles_optional(table, OPTIONAL_angle),
               *rounding = particles_optional(table, OPTIONAL_rounding), *radius = table->column[COLUMN_radius];
  EACH_SLOT(i, table) {
    const bool known = shape[i] >= 0.0 && shape[i] <= table->shapes.count && shape[i] == floor(shape[i]);
    if (!known)
      return refuse(table->env, FLOC_INVALID_ARGUMENT,
                    "particle %" PRId64 " has shape %g %s; it must be an integer from 0, a disc, to %d",
                    table->id[i], shape[i], when, (int)table->shapes.count);
    if (shape[i] == 0.0) continue;
    if (!takes_rounding(table, dimension, i))
      return refuse(table->env, FLOC_INVALID_ARGUMENT,
                    "particle %" PRId64 " has rounding %g %s; it must be %s, which is %g", table->id[i],
                    rounding[i], when, grain_kinds[particles_shape(table, i)->kind].rounding_range[dimension - 2],
                    radius[i]);
    if (dimension == 2 && !isfinite(angle[i]))
      return refuse(table->env, FLOC_NOT_A_NUMBER, "particle %" PRId64 " has angle %g %s; it must be finite",
                    table->id[i], angle[i], when);
  }
  return FLOC_OK;
}

static double orientation_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  double *const *q = context;
  for (int64_t i = begin; i < end; i++) {
    double square = q[0][i] * q[0][i] + q[1][i] * q[1][i] + q[2][i] * q[2][i] + q[3][i] * q[3][i];
    if (!(square >= DBL_MIN && square <= FINITE_NUMBERS.greatest)) return -(double)i;
  }
  return -INFINITY;
}

floc_status particles_check_orientation(const particles *table, const char *when)
{
  double *q[4];
  if (particles_orientation(table, 3, q) == 0) return FLOC_OK;
  double worst = slots_max(table->env, table, PARALLEL_BLOCK, -INFINITY, orientation_block, q);
  if (isinf(worst)) return FLOC_OK;
  int64_t slot = (int64_t)-worst;
  return refuse(table->env, FLOC_NOT_A_NUMBER,
                "particle %" PRId64 " has the orientation qw, qx, qy, qz = %g, %g, %g, %g %s; it must be a "
                "quaternion other than 0",
                table->id[slot], q[0][slot], q[1][slot], q[2][slot], q[3][slot], when);
}

floc_status particles_check_finite(const particles *table, int32_t column, const char *when)
{
  double *values = table->column[column];
  double greatest = slots_max(table->env, table, PARALLEL_BLOCK, -INFINITY, infinite_block, values);
  if (isinf(greatest)) return FLOC_OK;
  int64_t slot = (int64_t)-greatest;
  return refuse(table->env, FLOC_NOT_A_NUMBER, "particle %" PRId64 " has %s %g %s; it must be finite",
                table->id[slot], table->name[column], values[slot], when);
}
