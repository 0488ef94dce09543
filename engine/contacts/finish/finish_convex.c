/*
 * Blocks of the plane as rays. See finish_convex.h.
 *
 * Memory: rays of contact k, in the order of places without the empty ones, stand at ray[k] and, if it rubs, after
 * it. What lo n does to velocities stands in the rays' offsets.
 */
#include "contacts/finish/finish_convex.h"

#include "contacts/blocks/block_rows.h"

#include <math.h>
#include <string.h>

enum { FREEDOMS = 3, MOST_OPENINGS = 12 };
/* Of a contact's residual against those of its rays, for friction of up to 2 or so; looked at afresh after. */
static const double ray_factor = 5.0;
static const double opening_part = 0.5; /* of what openings change by; with all of it they may swing */

typedef struct ray_rows {
  const block_island *island;
  int64_t count;
  int32_t bodies;
  int64_t *ray;  /* [place] the first; -1: empty */
  int32_t *name; /* [body of the island]; -1: a stand-in */
  int32_t *body;
  double *coefficient, *offset, *lower, *root, *impulse;
  double *shift; /* [body][freedoms] what lo n does */
} ray_rows;

static floc_status allocate_rays(arena *scratch, const block_island *island, ray_rows *it)
{
  const size_t rays = 2 * (size_t)island->filled, bodies = (size_t)island->body_count;
  *it = (ray_rows){.island = island};
  it->ray = arena_allocate(scratch, (size_t)island->contact_count, sizeof *it->ray);
  it->name = arena_allocate(scratch, bodies, sizeof *it->name);
  it->body = arena_allocate(scratch, 2 * rays, sizeof *it->body);
  it->coefficient = arena_allocate(scratch, 2 * FREEDOMS * rays, sizeof *it->coefficient);
  it->offset = arena_allocate(scratch, rays, sizeof *it->offset);
  it->lower = arena_allocate(scratch, rays, sizeof *it->lower);
  it->root = arena_allocate(scratch, rays, sizeof *it->root);
  it->impulse = arena_allocate(scratch, rays, sizeof *it->impulse);
  it->shift = arena_allocate(scratch, FREEDOMS * bodies, sizeof *it->shift);
  bool complete = it->ray && it->name && it->body && it->coefficient && it->offset && it->lower && it->root &&
                  it->impulse && it->shift;
  if (complete) memset(it->shift, 0, FREEDOMS * bodies * sizeof *it->shift);
  return complete ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* G of the direction n + slope t, in the mass metric. */
static void fill_direction(const double *row, double slope, double *coefficient)
{
  for (int side = 0; side < 2; side++) {
    const double sign = side == 0 ? -1.0 : 1.0, *lever = row + 2 + 2 * side;
    const double mass = sign * sqrt(row[6 + side]), inertia = sign * sqrt(row[8 + side]);
    double *to = coefficient + FREEDOMS * side;
    to[0] = mass * (row[0] - slope * row[1]);
    to[1] = mass * (row[1] + slope * row[0]);
    to[2] = inertia * (lever[0] + slope * lever[1]);
  }
}

/* A row of length 1, its offset and bound; impulse: of the direction. */
static void add_ray(ray_rows *it, int64_t k, const double *row, double slope, double lower, double impulse)
{
  const int64_t at = it->count++;
  double *coefficient = it->coefficient + 2 * FREEDOMS * at, square = 0.0;
  fill_direction(row, slope, coefficient);
  for (int c = 0; c < 2 * FREEDOMS; c++) square += coefficient[c] * coefficient[c];
  const double root = sqrt(square);
  for (int c = 0; c < 2 * FREEDOMS; c++) coefficient[c] /= root;
  for (int side = 0; side < 2; side++) it->body[2 * at + side] = it->name[it->island->body[2 * k + side]];
  it->root[at] = root;
  it->offset[at] = (row[10] + slope * row[11]) / root;
  it->lower[at] = lower * root;
  it->impulse[at] = (impulse > lower ? impulse : lower > -INFINITY ? lower : 0.0) * root;
}

static void shift_bodies(ray_rows *it, int64_t k, const double *row, double lower)
{
  double coefficient[2 * FREEDOMS];
  fill_direction(row, 0.0, coefficient);
  for (int side = 0; side < 2; side++) {
    int32_t body = it->name[it->island->body[2 * k + side]];
    for (int c = 0; c < FREEDOMS && body >= 0; c++)
      it->shift[FREEDOMS * body + c] += lower * coefficient[FREEDOMS * side + c];
  }
}

static void add_shift(ray_rows *it)
{
  for (int64_t r = 0; r < it->count; r++)
    for (int side = 0; side < 2; side++)
      for (int c = 0; c < FREEDOMS && it->body[2 * r + side] >= 0; c++)
        it->offset[r] += it->coefficient[2 * FREEDOMS * r + FREEDOMS * side + c] *
                         it->shift[FREEDOMS * it->body[2 * r + side] + c];
}

static void fill_rays(ray_rows *it)
{
  const block_island *island = it->island;
  for (int64_t b = 0; b < island->body_count; b++) it->name[b] = island->body_of[b] >= 0 ? it->bodies++ : -1;
  for (int64_t k = 0; k < island->contact_count; k++) {
    double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST];
    it->ray[k] = island->contact[k] >= 0 ? it->count : -1;
    if (island->contact[k] < 0) continue;
    block_load_row(island, k, row, BLOCK_PLANE);
    block_load(island->impulse, k, P, BLOCK_PLANE);
    const block_bounds of = block_row_bounds(row, BLOCK_PLANE);
    if (of.friction > 0.0) {
      const double height = P[0] - of.lower, width = P[1] / of.friction;
      add_ray(it, k, row, of.friction, 0.0, 0.5 * (height + width));
      add_ray(it, k, row, -of.friction, 0.0, 0.5 * (height - width));
      if (of.lower != 0.0) shift_bodies(it, k, row, of.lower);
    } else {
      add_ray(it, k, row, 0.0, of.lower, P[0]);
    }
  }
  add_shift(it);
}

/* The rays' solution as impulses of contacts. */
static void return_rays(const ray_rows *it)
{
  const block_island *island = it->island;
  for (int64_t k = 0; k < island->contact_count; k++) {
    const int64_t r = it->ray[k];
    double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST] = {0.0};
    if (r < 0) continue;
    block_load_row(island, k, row, BLOCK_PLANE);
    const block_bounds of = block_row_bounds(row, BLOCK_PLANE);
    const double first = it->impulse[r] / it->root[r];
    if (of.friction > 0.0) {
      const double second = it->impulse[r + 1] / it->root[r + 1];
      P[0] = of.lower + (first + second);
      P[1] = of.friction * (first - second);
    } else {
      P[0] = it->impulse[r] == it->lower[r] ? of.lower : first;
    }
    block_store(island->impulse, k, P, BLOCK_PLANE);
  }
}

static double residual_of(const environment *env, const block_island *island, double *part)
{
  block_scatter(env, island, island->impulse, island->velocity);
  return block_look(env, island, island->impulse, island->velocity, part).residual;
}

/* The rays of an island, and the matrix of their problem. */
static floc_status set_rays(arena *scratch, const block_island *island, ray_rows *rays, finish_problem *problem,
                            sparse_factor *matrix)
{
  const floc_status status = allocate_rays(scratch, island, rays);
  if (status != FLOC_OK) return status;
  fill_rays(rays);
  *problem = (finish_problem){.rows = {FREEDOMS, rays->bodies, rays->count, rays->body, rays->coefficient},
                              .time_step = island->time_step,
                              .offset = rays->offset,
                              .lower = rays->lower,
                              .root_diagonal = rays->root,
                              .impulse = rays->impulse};
  return factor_analyse(scratch, &problem->rows, matrix);
}

static double product_units(const block_island *island)
{
  return (double)WORK_FRICTION * (double)island->filled;
}

static floc_status solve(const environment *env, arena *scratch, const block_island *island, solver_limits limits,
                         solver_outcome *outcome, int32_t *factorisations)
{
  const size_t numbers = 2 * (size_t)((island->contact_count + FOUR - 1) / FOUR * FOUR);
  const double product = product_units(island);
  ray_rows rays;
  sparse_factor matrix;
  finish_problem problem;
  finish_outcome found;
  double *given = arena_allocate(scratch, numbers, sizeof *given);
  double *part = arena_allocate(scratch, 2 * (size_t)block_part_count(island) + 2, sizeof *part);
  if (!given || !part) return FLOC_OUT_OF_MEMORY;
  outcome->residual = residual_of(env, island, part);
  if (!(outcome->residual < INFINITY)) return FLOC_OK; /* nothing to solve */
  floc_status status = set_rays(scratch, island, &rays, &problem, &matrix);
  if (status != FLOC_OK) return status;
  finish_limits all = {limits.target / ray_factor, (double)limits.max_products * product, FINISH_FACTORISATIONS};
  status = finish_solve(env, scratch, &problem, &matrix, all, &found);
  if (status != FLOC_OK) return status;
  outcome->products = (int64_t)ceil(found.units / product);
  if (factorisations) *factorisations = found.factorisations;
  memcpy(given, island->impulse, numbers * sizeof *given);
  return_rays(&rays);
  double residual = residual_of(env, island, part);
  if (residual <= outcome->residual)
    outcome->residual = residual;
  else
    memcpy(island->impulse, given, numbers * sizeof *given);
  return FLOC_OK;
}

/* ---- Coulomb's law ---- */

/* Moves the openings s [ray] towards mu |w_t| where the island's velocities are, and offsets with them. */
static void open_rays(ray_rows *it, double part, double *opening)
{
  const block_island *island = it->island;
  for (int64_t k = 0; k < island->contact_count; k++) {
    const int64_t r = it->ray[k];
    double row[BLOCK_ROW_MOST], w[BLOCK_VECTOR_MOST] = {0.0};
    if (r < 0) continue;
    block_load_row(island, k, row, BLOCK_PLANE);
    const block_bounds of = block_row_bounds(row, BLOCK_PLANE);
    if (!(of.friction > 0.0)) continue;
    const int stride = block_stride(BLOCK_PLANE);
    block_row_velocity(row, island->velocity + (int64_t)stride * island->body[2 * k],
                       island->velocity + (int64_t)stride * island->body[2 * k + 1], w, BLOCK_PLANE);
    const double change = part * (of.friction * fabs(w[1]) - opening[r]);
    opening[r] += change;
    for (int ray = 0; ray < 2; ray++) it->offset[r + ray] += change / it->root[r + ray];
  }
}

static floc_status lead(const environment *env, arena *scratch, const block_island *island, solver_limits limits,
                        solver_outcome *outcome)
{
  const double product = product_units(island);
  ray_rows rays;
  sparse_factor matrix;
  finish_problem problem;
  double *part = arena_allocate(scratch, 2 * (size_t)block_part_count(island) + 2, sizeof *part);
  if (!part) return FLOC_OUT_OF_MEMORY;
  outcome->residual = residual_of(env, island, part);
  if (!(outcome->residual < INFINITY)) return FLOC_OK;
  floc_status status = set_rays(scratch, island, &rays, &problem, &matrix);
  if (status != FLOC_OK) return status;
  double *opening = arena_allocate(scratch, (size_t)rays.count, sizeof *opening);
  if (!opening) return FLOC_OUT_OF_MEMORY;
  memset(opening, 0, (size_t)rays.count * sizeof *opening);
  double units = (double)limits.max_products * product;
  for (int k = 0; k < MOST_OPENINGS && outcome->residual > limits.target; k++) {
    finish_outcome found;
    open_rays(&rays, k == 0 ? 1.0 : opening_part, opening);
    status = finish_solve(env, scratch, &problem, &matrix,
                          (finish_limits){limits.target / ray_factor, units, FINISH_FACTORISATIONS}, &found);
    if (status != FLOC_OK) return status;
    units -= found.units;
    if (!(found.residual <= limits.target)) break; /* no work is left */
    return_rays(&rays);
    outcome->residual = residual_of(env, island, part);
  }
  outcome->products = limits.max_products - (int64_t)(units / product);
  return FLOC_OK;
}

floc_status finish_convex_lead(const environment *env, arena *scratch, const block_island *island,
                               solver_limits limits, solver_outcome *outcome)
{
  arena_mark here = arena_here(scratch);
  *outcome = (solver_outcome){.residual = INFINITY};
  floc_status status = lead(env, scratch, island, limits, outcome);
  arena_return(scratch, here);
  return status;
}

floc_status finish_convex_solve(const environment *env, arena *scratch, const block_island *island,
                                solver_limits limits, solver_outcome *outcome, int32_t *factorisations)
{
  arena_mark here = arena_here(scratch);
  *outcome = (solver_outcome){.residual = INFINITY};
  floc_status status = solve(env, scratch, island, limits, outcome, factorisations);
  arena_return(scratch, here);
  return status;
}

floc_status finish_blocks_residual(const environment *env, arena *scratch, const block_island *island,
                                   double *residual)
{
  const arena_mark here = arena_here(scratch);
  double *part = arena_allocate(scratch, 2 * (size_t)block_part_count(island) + 2, sizeof *part);
  if (!part) return FLOC_OUT_OF_MEMORY;
  *residual = residual_of(env, island, part);
  arena_return(scratch, here);
  return FLOC_OK;
}
