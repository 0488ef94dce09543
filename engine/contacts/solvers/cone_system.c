/*
 * Packing of cone problems. See cone_system.h.
 */
#include "contacts/solvers/cone_system.h"

#include <math.h>
#include <string.h>

static bool allocate(arena *scratch, const cone_problem *problem, cone_system *system)
{
  size_t count = (size_t)problem->contact_count + 1, dimension = (size_t)problem->dimension;
  system->order.contact = arena_allocate(scratch, count, sizeof(int32_t));
  system->order.body = arena_allocate(scratch, 2 * count, sizeof(int32_t));
  system->body = arena_allocate(scratch, 2 * count, sizeof(int32_t));
  system->row = arena_allocate(scratch, 4 * dimension * count, sizeof(double));
  system->root = arena_allocate(scratch, 2 * count, sizeof(double));
  system->lower = arena_allocate(scratch, count, sizeof(double));
  system->friction = arena_allocate(scratch, count, sizeof(double));
  system->bound = arena_allocate(scratch, count, sizeof(double));
  system->impulse = arena_allocate(scratch, dimension * count, sizeof(double));
  return system->order.contact && system->order.body && system->body && system->row && system->root &&
         system->lower && system->friction && system->bound && system->impulse;
}

static floc_status colour(arena *scratch, const cone_problem *problem, cone_system *system)
{
  uint64_t *used = arena_allocate(scratch, (size_t)problem->body_count, sizeof *used);
  int32_t *sorted = arena_allocate(scratch, (size_t)problem->contact_count, sizeof *sorted);
  if (!used || !sorted) return FLOC_OUT_OF_MEMORY;
  memset(used, 0, (size_t)problem->body_count * sizeof *used);
  for (int64_t a = 0; a < problem->contact_count; a++) system->order.contact[a] = (int32_t)a;
  contact_problem pairs = {.first = problem->first, .second = problem->second};
  system->order.contact_count = problem->contact_count;
  system_colour(&pairs, &system->order, used, sorted);
  return FLOC_OK;
}

/* Column `axis` of the block of A that belongs to contact k: its velocity per unit impulse. */
static void block_column(const cone_system *system, int64_t k, int axis, double *column)
{
  int dimension = system->dimension;
  const double *row = system->row + 4 * dimension * k;
  double unit[3] = {0.0, 0.0, 0.0}, v[6];
  unit[axis] = 1.0;
  for (int c = 0; c < dimension; c++) column[c] = 0.0;
  for (int side = 0; side < 2; side++) {
    int32_t body = system->body[2 * k + side];
    if (body < 0) continue;
    const double *arm = row + (1 + side) * dimension;
    cone_problem one = *system->problem;
    one.inverse_mass += body;
    one.inverse_inertia += (int64_t)(dimension == 2 ? 1 : 6) * body;
    memset(v, 0, sizeof v);
    if (dimension == 2) {
      cone_push_body(&one, 0, arm, 1.0, unit, v, 2);
      cone_add_point(v, arm, 1.0, column, 2);
    } else {
      cone_push_body(&one, 0, arm, 1.0, unit, v, 3);
      cone_add_point(v, arm, 1.0, column, 3);
    }
  }
}

/* A_n, A_t and the bound of the scaled block's eigenvalues: the greatest row sum of absolute values. */
static void scale_block(cone_system *system, int64_t k)
{
  int dimension = system->dimension;
  const double *n = system->row + 4 * dimension * k;
  double block[3][3], along = 0.0, trace = 0.0;
  for (int axis = 0; axis < dimension; axis++) block_column(system, k, axis, block[axis]);
  for (int a = 0; a < dimension; a++) {
    trace += block[a][a];
    for (int b = 0; b < dimension; b++) along += n[a] * block[a][b] * n[b];
  }
  double across = (trace - along) / (dimension - 1);
  system->root[2 * k] = sqrt(along);
  system->root[2 * k + 1] = sqrt(across);
  system->bound[k] = 1.0;
  if (system->problem->friction[system->order.contact[k]] == 0.0) return;
  /* S^(-1/2) block S^(-1/2), S^(-1/2) = 1/root_t + (1/root_n - 1/root_t) n n */
  double base = 1.0 / system->root[2 * k + 1], extra = 1.0 / system->root[2 * k] - base, half[3][3], bound = 0.0;
  for (int a = 0; a < dimension; a++)
    for (int b = 0; b < dimension; b++) {
      half[a][b] = base * block[a][b];
      for (int c = 0; c < dimension; c++) half[a][b] += extra * n[a] * n[c] * block[c][b];
    }
  for (int a = 0; a < dimension; a++) {
    double sum = 0.0;
    for (int b = 0; b < dimension; b++) {
      double value = base * half[a][b];
      for (int c = 0; c < dimension; c++) value += extra * half[a][c] * n[c] * n[b];
      sum += fabs(value);
    }
    bound = fmax(bound, sum);
  }
  system->bound[k] = bound > 1.0 + 1e-9 ? bound : 1.0;
}

/* The first guess, scaled and brought into the cone. */
static void scale_guess(cone_system *system, int64_t k, const double *impulse)
{
  int dimension = system->dimension;
  const double *n = system->row + 4 * dimension * k, *root = system->root + 2 * k;
  double tangent[3], *q = system->impulse + dimension * k;
  double along = root[0] * cone_split(n, impulse, tangent, dimension);
  double mu = system->friction[k];
  if (!(along > system->lower[k])) along = system->lower[k] > -INFINITY ? system->lower[k] : 0.0;
  for (int axis = 0; axis < dimension; axis++) tangent[axis] *= root[1];
  cone_into_disc(tangent, mu > 0.0 ? mu * (along - system->lower[k]) : 0.0, dimension);
  for (int axis = 0; axis < dimension; axis++) q[axis] = along * n[axis] + tangent[axis];
}

static void fill_row(cone_system *system, int64_t k, const double *impulse)
{
  const cone_problem *problem = system->problem;
  int dimension = system->dimension, freedoms = cone_freedoms(dimension);
  int64_t a = system->order.contact[k];
  double *row = system->row + 4 * dimension * k, *offset = row + 3 * dimension;
  int32_t first = problem->first[a], second = problem->second[a];
  system->body[2 * k] = first;
  system->body[2 * k + 1] = second;
  for (int axis = 0; axis < dimension; axis++) {
    row[axis] = problem->normal[dimension * a + axis];
    row[dimension + axis] = problem->arm_first[dimension * a + axis];
    row[2 * dimension + axis] = second >= 0 ? problem->arm_second[dimension * a + axis] : 0.0;
    offset[axis] =
        problem->distance[a] / problem->time_step * row[axis] + problem->surface_velocity[dimension * a + axis];
  }
  const double *v1 = problem->free_velocity + (int64_t)freedoms * first;
  const double *v2 = second >= 0 ? problem->free_velocity + (int64_t)freedoms * second : NULL;
  if (dimension == 2) {
    cone_add_point(v1, row + 2, -1.0, offset, 2);
    if (v2) cone_add_point(v2, row + 4, 1.0, offset, 2);
  } else {
    cone_add_point(v1, row + 3, -1.0, offset, 3);
    if (v2) cone_add_point(v2, row + 6, 1.0, offset, 3);
  }
  scale_block(system, k);
  system->lower[k] = problem->lower[a] * system->root[2 * k];
  system->friction[k] = problem->friction[a] * system->root[2 * k + 1] / system->root[2 * k];
  scale_guess(system, k, impulse + dimension * a);
}

floc_status cone_system_create(arena *scratch, const cone_problem *problem, const double *impulse,
                               cone_system *system)
{
  *system = (cone_system){.problem = problem,
                          .dimension = problem->dimension,
                          .contact_count = problem->contact_count,
                          .body_count = problem->body_count};
  if (!allocate(scratch, problem, system)) return FLOC_OUT_OF_MEMORY;
  floc_status status = colour(scratch, problem, system);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < system->contact_count; k++) fill_row(system, k, impulse);
  return FLOC_OK;
}

void cone_system_return(const cone_system *system, double *impulse)
{
  int dimension = system->dimension;
  for (int64_t k = 0; k < system->contact_count; k++) {
    int64_t a = system->order.contact[k];
    const double *n = system->row + 4 * dimension * k, *q = system->impulse + dimension * k;
    double tangent[3], *P = impulse + dimension * a;
    double along = cone_split(n, q, tangent, dimension), lower = system->problem->lower[a];
    /* a bound stays exactly the bound, and then there is no tangential part */
    bool bounded = !(along > system->lower[k] * (1.0 - 1e-15)) || !(along / system->root[2 * k] > lower);
    if (lower == 0.0 && bounded) {
      for (int axis = 0; axis < dimension; axis++) P[axis] = 0.0;
      continue;
    }
    double p = bounded ? lower : along / system->root[2 * k];
    for (int axis = 0; axis < dimension; axis++)
      P[axis] = p * n[axis] + (bounded ? 0.0 : tangent[axis] / system->root[2 * k + 1]);
  }
}

/* ---- loops ---- */

typedef struct scatter_call {
  const cone_system *system;
  const double *q;
  double *velocity;
} scatter_call;

static void scatter_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const scatter_call *call = context;
  double P[3];
  if (call->system->dimension == 2)
    for (int64_t k = begin; k < end; k++) {
      cone_plain(call->system, k, call->q + 2 * k, P, 2);
      cone_push(call->system, k, P, call->velocity, 2);
    }
  else
    for (int64_t k = begin; k < end; k++) {
      cone_plain(call->system, k, call->q + 3 * k, P, 3);
      cone_push(call->system, k, P, call->velocity, 3);
    }
}

void cone_system_scatter(const environment *env, const cone_system *system, const double *q, double *velocity)
{
  memset(velocity, 0, (size_t)(system->body_count * cone_freedoms(system->dimension)) * sizeof *velocity);
  scatter_call call = {system, q, velocity};
  system_for_colours(env, &system->order, scatter_range, &call);
}

double cone_eigenvalue_bound(const cone_system *system, double *count)
{
  memset(count, 0, (size_t)system->body_count * sizeof *count);
  double widest = 1.0, most = 1.0;
  for (int64_t k = 0; k < system->contact_count; k++) {
    widest = fmax(widest, system->bound[k]);
    count[system->body[2 * k]] += 1.0;
    if (system->body[2 * k + 1] >= 0) count[system->body[2 * k + 1]] += 1.0;
  }
  for (int64_t k = 0; k < system->contact_count; k++) {
    double entries = count[system->body[2 * k]] - 1.0;
    if (system->body[2 * k + 1] >= 0) entries += count[system->body[2 * k + 1]];
    most = fmax(most, entries);
  }
  return widest * most;
}

typedef struct residual_call {
  const cone_system *system;
  const double *q, *velocity;
} residual_call;

static double residual_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const residual_call *call = context;
  double worst = 0.0, w[3];
  if (call->system->dimension == 2)
    for (int64_t k = begin; k < end; k++) {
      cone_velocity(call->system, k, call->velocity, w, 2);
      worst = greatest(worst, cone_row_residual(call->system, k, call->q + 2 * k, w, 2));
    }
  else
    for (int64_t k = begin; k < end; k++) {
      cone_velocity(call->system, k, call->velocity, w, 3);
      worst = greatest(worst, cone_row_residual(call->system, k, call->q + 3 * k, w, 3));
    }
  return worst;
}

double cone_system_residual(const environment *env, const cone_system *system, const double *q,
                            const double *velocity)
{
  residual_call call = {system, q, velocity};
  return system->problem->time_step *
         parallel_max(env, system->contact_count, PARALLEL_BLOCK, 0.0, residual_range, &call);
}
