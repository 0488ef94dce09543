/*
 * See coarse_grain.h. Everything is added in the order of ids and lists, so that nothing depends on threads.
 */
#include "measures/statistics/coarse_grain.h"

#include "base/fields.h"
#include "measures/statistics/stress.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

static const double cutoff_in_widths = 6.0;
static const int64_t cell_limit = 10000000; /* 2.5 GB of fields */

/* ---- the grid ---- */

/* Between which ends all kernels lie. */
static void find_reach(const measure_source *source, int axis, double cutoff, double *lower, double *upper)
{
  *lower = source->box->lower[axis];
  *upper = source->box->upper[axis];
  if (source->box->length[axis] > 0.0) return;
  if (source->box->boundary[axis] == FLOC_BOUNDARY_OPEN && owned_number(source->table) > 0) {
    *lower = INFINITY;
    *upper = -INFINITY;
  }
  EACH_OWNED(slot, source->table) {
    const double x = source->table->column[COLUMN_x + axis][slot],
                 radius = source->table->column[COLUMN_radius][slot];
    *lower = fmin(*lower, x - radius);
    *upper = fmax(*upper, x + radius);
  }
  *lower -= cutoff;
  *upper += cutoff;
}

static floc_status find_axis(const measure_source *source, const floc_coarse_grain_options *options, int axis,
                             floc_grid *grid)
{
  environment *env = source->env;
  if (domain_deforms(source->box))
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "coarse_grain is not supported in a cell that deforms or is skew; "
                  "sim:stress and the profiles are");
  const int32_t wanted = axis == 0 ? options->cells_x : axis == 1 ? options->cells_y : options->cells_z;
  double lower = options->lower[axis], upper = options->upper[axis];
  const bool given = lower != 0.0 || upper != 0.0;
  if (given && source->box->length[axis] > 0.0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "lower and upper are given on the axis %c, which is periodic: the grid is the whole period",
                  "xyz"[axis]);
  if (!given) find_reach(source, axis, cutoff_in_widths * options->width, &lower, &upper);
  if (!(upper > lower) || !isfinite(upper - lower))
    return refuse(env, FLOC_INVALID_ARGUMENT, "upper is %.17g on the axis %c; it must be above lower, %.17g", upper,
                  "xyz"[axis], lower);
  const double cells = wanted > 0 ? wanted : ceil((upper - lower) / (0.5 * options->width));
  if (cells > (double)cell_limit)
    return refuse(env, FLOC_LIMIT_EXCEEDED,
                  "the grid has %.17g cells along the axis %c; give fewer, or a greater width", cells, "xyz"[axis]);
  grid->cells[axis] = (int32_t)fmax(cells, 1.0);
  grid->lower[axis] = lower;
  grid->spacing[axis] = (upper - lower) / grid->cells[axis];
  return FLOC_OK;
}

floc_status coarse_grain_grid(const measure_source *source, const floc_coarse_grain_options *options,
                              floc_grid *grid)
{
  floc_status status = fields_check(source->env, &struct_coarse_grain_options, options);
  double cells = 1.0;
  for (int axis = 0; axis < 3 && status == FLOC_OK; axis++) {
    grid->cells[axis] = 1;
    grid->lower[axis] = 0.0;
    grid->spacing[axis] = 1.0;
    if (axis < source->box->dimension) status = find_axis(source, options, axis, grid);
    cells *= grid->cells[axis];
  }
  if (status == FLOC_OK && cells > (double)cell_limit)
    return refuse(source->env, FLOC_LIMIT_EXCEEDED, "the grid has %.17g cells; it may have up to %lld", cells,
                  (long long)cell_limit);
  return status;
}

/* ---- kernels ---- */

typedef struct graining {
  const measure_source *source;
  const floc_grid *grid;
  double *field;
  int64_t cells;
  double width, inverse_width; /* inverse: of width sqrt(2) */
  double scale;                /* of the kernel, so that its integral is 1 in spite of the cutoff */
  double volume;               /* of a cell */
  double *share[3];            /* [cells along the axis] of the kernel at work */
  int32_t first[3], count[3];  /* the cells that it reaches; numbers wrap on periodic axes */
} graining;

static double integral(const graining *run, double from)
{
  const double limit = cutoff_in_widths * run->width;
  return 0.5 * run->scale * floc_erf(fmax(-limit, fmin(limit, from)) * run->inverse_width);
}

/* What a kernel has in the cells that it reaches along an axis; a period shorter than the kernel wraps it round. */
static void find_shares(graining *run, int axis, double position)
{
  const floc_grid *grid = run->grid;
  const int32_t cells = grid->cells[axis];
  const double spacing = grid->spacing[axis], place = position - grid->lower[axis];
  const double limit = cutoff_in_widths * run->width;
  const bool periodic = run->source->box->length[axis] > 0.0;
  double begin = floor((place - limit) / spacing), end = ceil((place + limit) / spacing);
  if (!periodic) begin = fmax(begin, 0.0);
  if (!periodic) end = fmin(end, cells);
  run->count[axis] = 0;
  if (!(end > begin)) return;
  const int64_t first = (int64_t)begin, last = (int64_t)end;
  const bool whole = last - first >= cells;
  run->first[axis] = whole ? 0 : (int32_t)(((first % cells) + cells) % cells);
  run->count[axis] = whole ? cells : (int32_t)(last - first);
  for (int32_t k = 0; k < run->count[axis]; k++) run->share[axis][k] = 0.0;
  double before = integral(run, (double)first * spacing - place);
  for (int64_t cell = first; cell < last; cell++) {
    const double after = integral(run, (double)(cell + 1) * spacing - place);
    const int64_t k = whole ? ((cell % cells) + cells) % cells : cell - first;
    run->share[axis][k] += after - before;
    before = after;
  }
}

static void find_kernel(graining *run, const double position[3])
{
  for (int axis = 0; axis < 3; axis++) {
    if (axis < run->source->box->dimension) {
      find_shares(run, axis, position[axis]);
      continue;
    }
    run->first[axis] = 0;
    run->count[axis] = 1;
    run->share[axis][0] = 1.0;
  }
}

/* Adds `count` numbers, times the kernel's share, to as many fields from the first on. */
static void add_values(graining *run, int first_field, int count, const double *values)
{
  const int32_t *cells = run->grid->cells;
  for (int32_t z = 0; z < run->count[2]; z++)
    for (int32_t y = 0; y < run->count[1]; y++) {
      const double plane = run->share[2][z] * run->share[1][y];
      const int64_t row =
          ((int64_t)((run->first[2] + z) % cells[2]) * cells[1] + (run->first[1] + y) % cells[1]) * cells[0];
      for (int32_t x = 0; x < run->count[0]; x++) {
        double *cell = run->field + first_field * run->cells + row + (run->first[0] + x) % cells[0];
        const double share = plane * run->share[0][x] / run->volume;
        for (int k = 0; k < count; k++) cell[k * run->cells] += share * values[k];
      }
    }
}

/* ---- what is added ---- */

static void add_body(void *context, double mass, const double velocity[3], const double position[3])
{
  graining *run = context;
  double values[FLOC_FIELD_CONTACT_STRESS] = {mass};
  for (int row = 0; row < 3; row++) {
    values[FLOC_FIELD_MOMENTUM + row] = mass * velocity[row];
    for (int column = 0; column < 3; column++)
      values[FLOC_FIELD_KINETIC_STRESS + 3 * row + column] = mass * velocity[row] * velocity[column];
  }
  find_kernel(run, position);
  add_values(run, 0, FLOC_FIELD_CONTACT_STRESS, values);
}

/* The mean over the branch: four points of Gauss and Legendre in each part, which is no longer than half a width.
 */
static void add_interaction(void *context, const interaction *found)
{
  static const double place[4] = {-0.861136311594052575, -0.339981043584856265, 0.339981043584856265,
                                  0.861136311594052575};
  static const double weight[4] = {0.347854845137453857, 0.652145154862546143, 0.652145154862546143,
                                   0.347854845137453857};
  graining *run = context;
  double square = 0.0, values[9];
  for (int axis = 0; axis < 3; axis++) square += found->branch[axis] * found->branch[axis];
  const int32_t parts = 1 + (int32_t)fmin(2.0 * sqrt(square) / run->width, 1e4);
  for (int32_t part = 0; part < parts; part++)
    for (int n = 0; n < 4; n++) {
      const double along = (part + 0.5 * (1.0 + place[n])) / parts;
      double at[3];
      for (int axis = 0; axis < 3; axis++) at[axis] = found->position[axis] + along * found->branch[axis];
      for (int k = 0; k < 9; k++) values[k] = 0.5 * weight[n] / parts * found->force[k / 3] * found->branch[k % 3];
      find_kernel(run, at);
      add_values(run, found->is_law ? FLOC_FIELD_LAW_STRESS : FLOC_FIELD_CONTACT_STRESS, 9, values);
    }
}

/* Velocities become those relative to the field p/rho: the sum of m u u^T is that of m v v^T less p p^T/rho. */
static void subtract_flow(const graining *run)
{
  const double *density = run->field, *momentum = run->field + FLOC_FIELD_MOMENTUM * run->cells;
  for (int k = 0; k < 9; k++) {
    double *stress = run->field + (FLOC_FIELD_KINETIC_STRESS + k) * run->cells;
    for (int64_t cell = 0; cell < run->cells; cell++)
      if (density[cell] > 0.0)
        stress[cell] -= momentum[k / 3 * run->cells + cell] * momentum[k % 3 * run->cells + cell] / density[cell];
  }
}

floc_status coarse_grain_find(const measure_source *source, const floc_coarse_grain_options *options,
                              const floc_grid *grid, double *fields)
{
  const interactions_wanted wanted = {.what = "coarse_grain", .sink = add_interaction};
  graining run = {.source = source,
                  .grid = grid,
                  .field = fields,
                  .cells = (int64_t)grid->cells[0] * grid->cells[1] * grid->cells[2],
                  .width = options->width,
                  .inverse_width = 1.0 / (options->width * sqrt(2.0)),
                  .scale = 1.0 / floc_erf(cutoff_in_widths / sqrt(2.0)),
                  .volume = grid->spacing[0] * grid->spacing[1] * grid->spacing[2]};
  for (int axis = 0; axis < 3; axis++) {
    run.share[axis] = arena_allocate(source->scratch, (size_t)grid->cells[axis] + 2, sizeof(double));
    if (!run.share[axis]) return FLOC_OUT_OF_MEMORY;
  }
  memset(fields, 0, (size_t)run.cells * FLOC_FIELD_COUNT * sizeof *fields);
  bodies_of_motion_visit(source, add_body, &run);
  floc_status status = source->visit_interactions(source->host, &wanted, &run);
  if (status == FLOC_OK) subtract_flow(&run);
  return status;
}
