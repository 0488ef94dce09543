/*
 * Packing of block problems, loops over islands' contacts. See block_system.h.
 */
#include "contacts/blocks/block_system.h"

#include "contacts/blocks/block_islands.h"

#include <math.h>
#include <string.h>

/* ---- rows ---- */

typedef struct pack_call {
  const block_problem *problem;
  const block_plan *plan;
  const double *guess; /* of the problem */
  block_form form;
  double *row, *inertia, *impulse;
} pack_call;

/* w of the block's own unit impulse along `axis`. */
BLOCK_INLINE void block_column(const double *row, const double *const inertia[2], int axis, double *column,
                               block_form form)
{
  double u1[8] = {0.0}, u2[8] = {0.0}, unit[BLOCK_VECTOR_MOST] = {0.0};
  unit[axis] = 1.0;
  block_row_apply(row, inertia[0], inertia[1], unit, u1, u2, form);
  block_row_velocity(row, u1, u2, column, form);
  for (int c = 0; c < block_components(form); c++) column[c] -= block_constant(row, c, form);
}

static void find_column(const double *row, const double *const inertia[2], int axis, double *column,
                        block_form form)
{
#define COLUMN(form) block_column(row, inertia, axis, column, form)
  BLOCK_DISPATCH_ALL(form, COLUMN)
#undef COLUMN
}

/* Means of a symmetric block along n and across it. */
typedef struct block_scale {
  double along, across;
} block_scale;

static block_scale means_of(double block[3][3], const double n[3], int components)
{
  double along = 0.0, trace = 0.0;
  for (int a = 0; a < components; a++) {
    trace += block[a][a];
    for (int b = 0; b < components; b++) along += n[a] * block[a][b] * n[b];
  }
  return (block_scale){along, (trace - along) / (components - 1)};
}

/* A bound of the eigenvalues of the block when scaled by its means, 1 or more: the greatest row sum of absolute
 * values of S^-1/2 A S^-1/2, S^-1/2 = 1/root_t + (1/root_n - 1/root_t) n n. */
static double bound_of(double block[3][3], const double n[3], int components, block_scale scale)
{
  double half[3][3], bound = 0.0;
  double base = 1.0 / sqrt(scale.across), extra = 1.0 / sqrt(scale.along) - base;
  for (int a = 0; a < components; a++)
    for (int b = 0; b < components; b++) {
      half[a][b] = base * block[a][b];
      for (int c = 0; c < components; c++) half[a][b] += extra * n[a] * n[c] * block[c][b];
    }
  for (int a = 0; a < components; a++) {
    double sum = 0.0;
    for (int b = 0; b < components; b++) {
      double value = base * half[a][b];
      for (int c = 0; c < components; c++) value += extra * half[a][c] * n[c] * n[b];
      sum += fabs(value);
    }
    bound = fmax(bound, sum);
  }
  return bound > 1.0 + 1e-9 ? bound : 1.0;
}

/* A_n and A_t, multiplied by the bound. */
static void scale_block(double *row, const double *const inertia[2], bool rubs, block_form form)
{
  int components = block_forces(form);
  double n[3] = {1.0, 0.0, 0.0}, column[BLOCK_VECTOR_MOST], block[3][3];
  if (!block_is_plane(form)) memcpy(n, row, sizeof n);
  for (int axis = 0; axis < components; axis++) {
    find_column(row, inertia, axis, column, form);
    memcpy(block[axis], column, (size_t)components * sizeof *column);
  }
  block_scale scale = means_of(block, n, components);
  double *bounds = row + block_row_size(form) - 4;
  bounds[0] = 1.0 / scale.along;
  bounds[1] = 1.0 / scale.across;
  if (!rubs || block_bodies(form) == BLOCK_ROUND) return;
  double bound = bound_of(block, n, components, scale);
  if (bound == 1.0) return;
  bounds[0] /= bound;
  bounds[1] /= bound;
}

static void fill_plane(const block_problem *problem, int64_t a, double *row)
{
  const double *n = problem->normal + 2 * a, *surface = problem->surface_velocity + 2 * a;
  int32_t body[2] = {problem->first[a], problem->second[a]};
  row[0] = n[0];
  row[1] = n[1];
  row[10] = problem->distance[a] / problem->time_step + (n[0] * surface[0] + n[1] * surface[1]);
  row[11] = n[0] * surface[1] - n[1] * surface[0];
  for (int side = 0; side < 2; side++) {
    bool real = body[side] >= 0;
    const double *arm = (side == 0 ? problem->arm_first : problem->arm_second) + 2 * a;
    double *lever = row + 2 + 2 * side;
    lever[0] = real && !problem->round ? arm[0] * n[1] - arm[1] * n[0] : 0.0;
    lever[1] = real ? arm[0] * n[0] + arm[1] * n[1] : 0.0;
    row[6 + side] = real ? problem->inverse_mass[body[side]] : 0.0;
    row[8 + side] = real ? problem->inverse_inertia[body[side]] : 0.0;
    if (!real) continue;
    const double *v = problem->free_velocity + 3 * (int64_t)body[side];
    double sign = side == 0 ? -1.0 : 1.0;
    row[10] += sign * ((n[0] * v[0] + n[1] * v[1]) + v[2] * lever[0]);
    row[11] += sign * ((n[0] * v[1] - n[1] * v[0]) + v[2] * lever[1]);
  }
}

static void fill_space(const block_problem *problem, int64_t a, double *row)
{
  const double *n = problem->normal + 3 * a;
  int32_t body[2] = {problem->first[a], problem->second[a]};
  double *inverse = row + (problem->round ? 5 : 12), *offset = row + 9;
  memcpy(row, n, 3 * sizeof(double));
  for (int axis = 0; axis < 3; axis++)
    offset[axis] = problem->distance[a] / problem->time_step * n[axis] + problem->surface_velocity[3 * a + axis];
  for (int side = 0; side < 2; side++) {
    bool real = body[side] >= 0;
    const double zero[3] = {0.0, 0.0, 0.0}, *arm = (side == 0 ? problem->arm_first : problem->arm_second) + 3 * a;
    if (!real) arm = zero;
    if (problem->round) {
      row[3 + side] = arm[0] * n[0] + arm[1] * n[1] + arm[2] * n[2];
      row[7 + side] = real ? problem->inverse_inertia[6 * (int64_t)body[side]] : 0.0;
    } else {
      memcpy(row + 3 + 3 * side, arm, 3 * sizeof(double));
    }
    inverse[side] = real ? problem->inverse_mass[body[side]] : 0.0;
    if (!real) continue;
    const double *v = problem->free_velocity + 6 * (int64_t)body[side];
    double turn[3], sign = side == 0 ? -1.0 : 1.0;
    block_cross(v + 3, arm, turn);
    for (int axis = 0; axis < 3; axis++) offset[axis] += sign * (v[axis] + turn[axis]);
  }
}

/* The spin of a prescribed body, A_r and A_s and their limits. Where nothing turns, nothing resists. */
static void fill_moments(const block_problem *problem, int64_t a, double *row, const double *const inertia[2],
                         block_form form)
{
  double column[BLOCK_VECTOR_MOST], block[3][3], bound = 1.0, *at = row + block_moment_place(form);
  const int moments = block_moments(form), forces = block_forces(form);
  const double rolling = problem->rolling ? problem->rolling[a] : 0.0,
               twisting = problem->twisting ? problem->twisting[a] : 0.0;
  for (int axis = 0; axis < moments; axis++) {
    find_column(row, inertia, forces + axis, column, form);
    memcpy(block[axis], column + forces, (size_t)moments * sizeof *column);
  }
  for (int c = 0; c < moments; c++) {
    at[c] = problem->surface_spin && problem->second[a] < 0 ? problem->surface_spin[moments * a + c] : 0.0;
    for (int side = 0; side < 2; side++) {
      int32_t body = side == 0 ? problem->first[a] : problem->second[a];
      if (body < 0) continue;
      const double *spin = problem->free_velocity + (int64_t)(forces + moments) * body + forces;
      at[c] += side == 0 ? -spin[c] : spin[c];
    }
  }
  if (block_is_plane(form)) {
    bool turns = block[0][0] > 0.0;
    at[1] = turns ? 1.0 / block[0][0] : 1.0;
    at[2] = turns ? rolling : 0.0;
    return;
  }
  block_scale scale = means_of(block, row, moments);
  bool rolls = scale.across > 0.0, twists = scale.along > 0.0;
  if (rolls && twists && block_bodies(form) == BLOCK_GENERAL) bound = bound_of(block, row, moments, scale);
  at[3] = rolls ? 1.0 / (scale.across * bound) : 1.0;
  at[4] = twists ? 1.0 / (scale.along * bound) : 1.0;
  at[5] = rolls ? rolling : 0.0;
  at[6] = twists ? twisting : 0.0;
}

/* The first guess of a moment, brought into its discs. */
static void fill_moment_guess(const double *row, const double *guess, double slack, double *moment, block_form form)
{
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  double roll[3];
  if (block_is_plane(form)) {
    moment[0] = block_into_interval(guess[0], block_radius(by.rolling, slack));
    return;
  }
  double twist = block_split_moment(row, guess, roll, BLOCK_ROUND_MOMENTS);
  block_into_disc(roll, block_radius(by.rolling, slack), BLOCK_ROUND_MOMENTS);
  twist = block_into_interval(twist, block_radius(by.twisting, slack));
  block_join_moment(row, twist, roll, moment, BLOCK_ROUND_MOMENTS);
}

/* The first guess, brought into the cone. */
static void fill_guess(const double *row, const double *guess, double *impulse, block_form form)
{
  const block_bounds of = block_row_bounds(row, form);
  double tangent[3] = {0.0, 0.0, 0.0};
  bool plane = block_is_plane(form);
  double local[3] = {guess[0], guess[1], plane ? 0.0 : guess[2]};
  if (plane) {
    local[0] = row[0] * guess[0] + row[1] * guess[1];
    local[1] = row[0] * guess[1] - row[1] * guess[0];
  }
  double along =
      plane ? block_split(row, local, tangent, BLOCK_PLANE) : block_split(row, local, tangent, BLOCK_ROUND);
  if (!(along > of.lower)) along = of.lower > -INFINITY ? of.lower : 0.0;
  double radius = of.friction > 0.0 ? of.friction * (along - of.lower) : 0.0;
  if (plane) {
    block_into_disc(tangent, radius, BLOCK_PLANE);
    block_join(row, along, tangent, impulse, BLOCK_PLANE);
  } else {
    block_into_disc(tangent, radius, BLOCK_ROUND);
    block_join(row, along, tangent, impulse, BLOCK_ROUND);
  }
  const int forces = block_forces(form);
  if (block_has_moments(form)) fill_moment_guess(row, guess + forces, along - of.lower, impulse + forces, form);
}

/* An empty contact: nothing acts on it, it acts on nothing. */
static void fill_empty(double *row, double *impulse, block_form form)
{
  int size = block_row_size(form);
  memset(row, 0, (size_t)size * sizeof *row);
  row[size - 4] = row[size - 3] = 1.0;
  if (block_has_moments(form)) row[block_moment_place(form) + (block_is_plane(form) ? 1 : 3)] = 1.0;
  if (block_has_moments(form) && !block_is_plane(form)) row[block_moment_place(form) + 4] = 1.0;
  memset(impulse, 0, BLOCK_VECTOR_MOST * sizeof *impulse);
}

static void fill_contact(const pack_call *call, int64_t a, double *row, double *impulse)
{
  const block_problem *problem = call->problem;
  const double none[6] = {0.0}, *inertia[2] = {NULL, NULL};
  int size = block_row_size(call->form);
  memset(row, 0, (size_t)size * sizeof *row);
  if (block_bodies(call->form) == BLOCK_GENERAL) {
    inertia[0] = problem->inverse_inertia + 6 * (int64_t)problem->first[a];
    inertia[1] = problem->second[a] >= 0 ? problem->inverse_inertia + 6 * (int64_t)problem->second[a] : none;
  }
  if (block_is_plane(call->form))
    fill_plane(problem, a, row);
  else
    fill_space(problem, a, row);
  scale_block(row, inertia, problem->friction[a] > 0.0, call->form);
  row[size - 2] = problem->friction[a];
  row[size - 1] = problem->lower[a];
  if (block_has_moments(call->form)) fill_moments(problem, a, row, inertia, call->form);
  fill_guess(row, call->guess + block_impulses(problem) * a, impulse, call->form);
}

static void pack_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const pack_call *call = context;
  int size = block_row_size(call->form), components = block_components(call->form);
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], impulse[BLOCK_VECTOR_MOST];
    if (call->plan->contact[k] < 0)
      fill_empty(row, impulse, call->form);
    else
      fill_contact(call, call->plan->contact[k], row, impulse);
    for (int q = 0; q < size; q++) call->row[FOUR * (size * (k / FOUR) + q) + k % FOUR] = row[q];
    for (int c = 0; c < components; c++)
      call->impulse[FOUR * (components * (k / FOUR) + c) + k % FOUR] = impulse[c];
  }
}

static void pack_inertia(const block_problem *problem, const block_plan *plan, double *inertia)
{
  for (int64_t body = 0; body < plan->body_count; body++) {
    int32_t of = plan->body_of[body];
    if (of >= 0)
      memcpy(inertia + 6 * body, problem->inverse_inertia + 6 * (int64_t)of, 6 * sizeof(double));
    else
      memset(inertia + 6 * body, 0, 6 * sizeof(double));
  }
}

/* ---- islands ---- */

static floc_status make_islands(arena *scratch, const block_plan *plan, const pack_call *packed,
                                block_system *system)
{
  system->island_count = plan->island_count;
  system->body_count = plan->body_count;
  system->island = arena_allocate(scratch, (size_t)plan->island_count, sizeof *system->island);
  int64_t stride = block_stride(packed->form);
  double *velocity = arena_allocate(scratch, (size_t)(stride * plan->body_count), sizeof *velocity);
  if (!system->island || !velocity) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < plan->island_count; k++) {
    int64_t place = plan->first_place[k], body = plan->first_body[k];
    system->island[k] = (block_island){.form = packed->form,
                                       .convex = system->problem->convex,
                                       .time_step = system->problem->time_step,
                                       .contact_count = plan->places[k],
                                       .filled = plan->filled[k],
                                       .body_count = plan->first_body[k + 1] - body,
                                       .contact = plan->contact + place,
                                       .body = plan->body + 2 * place,
                                       .row = packed->row + block_row_size(packed->form) * place,
                                       .inertia = packed->inertia ? packed->inertia + 6 * body : NULL,
                                       .body_of = plan->body_of + body,
                                       .impulse = packed->impulse + block_components(packed->form) * place,
                                       .velocity = velocity + stride * body,
                                       .colours = plan->colours[k] >= 0 ? plan->colour + plan->colours[k] : NULL};
  }
  return FLOC_OK;
}

floc_status block_system_create(environment *env, arena *scratch, const block_problem *problem,
                                const int32_t *listed, int64_t count, const double *impulse, block_system *system)
{
  *system = (block_system){.problem = problem, .contact_count = count};
  block_plan plan;
  floc_status status = block_plan_create(scratch, problem, listed, count, &plan);
  if (status != FLOC_OK) return status;
  block_form form = problem->dimension == 2 ? BLOCK_PLANE : problem->round ? BLOCK_ROUND : BLOCK_GENERAL;
  if (block_problem_has_moments(problem)) form = (block_form)(form + BLOCK_PLANE_MOMENTS);
  pack_call packed = {.problem = problem, .plan = &plan, .guess = impulse, .form = form};
  packed.row = arena_allocate(scratch, (size_t)(block_row_size(form) * plan.place_count), sizeof(double));
  packed.impulse = arena_allocate(scratch, (size_t)(block_components(form) * plan.place_count), sizeof(double));
  if (!packed.row || !packed.impulse) return FLOC_OUT_OF_MEMORY;
  if (block_bodies(form) == BLOCK_GENERAL) {
    packed.inertia = arena_allocate(scratch, 6 * (size_t)plan.body_count, sizeof(double));
    if (!packed.inertia) return FLOC_OUT_OF_MEMORY;
    pack_inertia(problem, &plan, packed.inertia);
  }
  parallel_for(env, plan.place_count, SYSTEM_BLOCK, pack_range, &packed);
  return make_islands(scratch, &plan, &packed, system);
}

/* ---- the solution ---- */

typedef struct return_call {
  const block_problem *problem;
  const block_island *island;
  double *impulse, *velocity;
} return_call;

/* A bound stays exactly the bound, and then there is no tangential part and no moment. */
BLOCK_INLINE void return_contact(const return_call *call, int64_t k, block_form form)
{
  const block_island *island = call->island;
  double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST], tangent[3];
  block_load_row(island, k, row, form);
  block_load(island->impulse, k, P, form);
  const int forces = block_forces(form);
  const block_bounds of = block_row_bounds(row, form);
  double along = block_split(row, P, tangent, form);
  bool bounded = of.lower > -INFINITY && !(along > of.lower + 1e-15 * fabs(of.lower));
  if (bounded) along = of.lower;
  for (int c = 0; c < block_tangents(form); c++) tangent[c] *= bounded || of.friction == 0.0 ? 0.0 : 1.0;
  block_join(row, along, tangent, P, form);
  for (int c = forces; c < block_components(form); c++) P[c] *= bounded ? 0.0 : 1.0;
  block_store(island->impulse, k, P, form);
  double *to = call->impulse + block_components(form) * (int64_t)island->contact[k];
  for (int c = forces; c < block_components(form); c++) to[c] = P[c];
  if (block_is_plane(form)) {
    to[0] = P[0] * row[0] - P[1] * row[1];
    to[1] = P[0] * row[1] + P[1] * row[0];
  } else {
    memcpy(to, P, 3 * sizeof *P);
  }
}

BLOCK_INLINE void return_contacts(const return_call *call, int64_t begin, int64_t end, block_form form)
{
  for (int64_t k = begin; k < end; k++)
    if (call->island->contact[k] >= 0) return_contact(call, k, form);
}

static void return_impulses(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const return_call *call = context;
#define RETURN(form) return_contacts(call, begin, end, form)
  BLOCK_DISPATCH_ALL(call->island->form, RETURN)
#undef RETURN
}

static void return_velocities(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const return_call *call = context;
  const block_island *island = call->island;
  int dimension = call->problem->dimension, freedoms = block_freedoms(dimension),
      stride = block_stride(island->form);
  for (int64_t body = begin; body < end; body++) {
    int64_t of = island->body_of[body];
    if (of < 0) continue;
    const double *u = island->velocity + stride * body, *before = call->problem->free_velocity + freedoms * of;
    double *v = call->velocity + freedoms * of;
    for (int c = 0; c < dimension; c++) v[c] = before[c] + u[c];
    for (int c = dimension; c < freedoms; c++) v[c] = before[c] + u[dimension == 2 ? c : c + 1];
  }
}

void block_system_return(const environment *env, const block_system *system, double *impulse, double *velocity)
{
  for (int64_t k = 0; k < system->island_count; k++) {
    const block_island *island = &system->island[k];
    return_call call = {system->problem, island, impulse, velocity};
    for_contact_blocks(env, island->contact_count, return_impulses, &call);
    block_scatter(env, island, island->impulse, island->velocity);
    for_contact_blocks(env, island->body_count, return_velocities, &call);
  }
}

/* ---- loops ---- */

void block_for_colours(const environment *env, const block_island *island, block_function function, void *context)
{
  if (!island->colours) {
    function(context, 0, island->contact_count, 0);
    return;
  }
  const block_colours *colours = island->colours;
  int32_t free = colours->count - colours->serial_tail;
  parallel_for_ranges(env, free, colours->start, SYSTEM_BLOCK, function, context);
  if (colours->serial_tail)
    function(context, colours->start[free], island->contact_count, block_part_count(island) - 1);
}

typedef struct scatter_call {
  const block_island *island;
  const double *impulse;
  double *velocity;
} scatter_call;

BLOCK_INLINE void scatter_contacts(const scatter_call *call, int64_t begin, int64_t end, block_form form)
{
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST];
    block_load_row(call->island, k, row, form);
    block_load(call->impulse, k, P, form);
    block_apply(call->island, k, row, P, call->velocity, form);
  }
}

static void scatter_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const scatter_call *call = context;
#define SCATTER(form) scatter_contacts(call, begin, end, form)
  BLOCK_DISPATCH_ALL(call->island->form, SCATTER)
#undef SCATTER
}

void block_scatter(const environment *env, const block_island *island, const double *impulse, double *velocity)
{
  memset(velocity, 0, (size_t)(island->body_count * block_stride(island->form)) * sizeof *velocity);
  scatter_call call = {island, impulse, velocity};
  block_for_colours(env, island, scatter_range, &call);
}

/* ---- looking ---- */

typedef struct look_call {
  const block_island *island;
  const double *impulse, *velocity;
  double *part; /* [range][2]: residual without h, energy */
} look_call;

/* A moment's residual, and the work that it does. */
BLOCK_INLINE void look_at_moment(const double *row, double p, const double *Q, const double *spin, double sums[2],
                                 block_form form)
{
  const block_bounds of = block_row_bounds(row, form);
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  double spin_r[3], spin_s = block_split_moment(row, spin, spin_r, form), slack = p - of.lower;
  sums[0] = greatest(sums[0], __builtin_sqrt(block_moment_residual(of, by, row, p, Q, spin, form)));
  sums[1] += block_radius(by.rolling, slack) * __builtin_sqrt(block_square(spin_r, form)) +
             block_radius(by.twisting, slack) * fabs(spin_s);
}

BLOCK_INLINE void look_at_contact(const look_call *call, int64_t k, double sums[2], block_form form)
{
  const block_island *island = call->island;
  double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST], w[BLOCK_VECTOR_MOST], w_t[3], P_t[3];
  block_load_row(island, k, row, form);
  block_load(call->impulse, k, P, form);
  const block_bounds of = block_row_bounds(row, form);
  block_velocity(island, k, row, call->velocity, w, form);
  double w_n = block_split(row, w, w_t, form), p = block_split(row, P, P_t, form), slack = p - of.lower;
  sums[0] = greatest(sums[0], block_residual(of, island->convex, p, P_t, w_n, w_t, form));
  for (int c = 0; c < block_components(form); c++) sums[1] += 0.5 * P[c] * (w[c] + block_constant(row, c, form));
  if (block_has_moments(form)) look_at_moment(row, p, P + block_forces(form), w + block_forces(form), sums, form);
  if (island->convex || !(of.friction > 0.0)) return;
  sums[1] += of.friction * (slack > 0.0 ? slack : 0.0) * __builtin_sqrt(block_square(w_t, form));
}

BLOCK_INLINE void look_at_contacts(const look_call *call, int64_t begin, int64_t end, int64_t block,
                                   block_form form)
{
  double sums[2] = {0.0, 0.0};
  for (int64_t k = begin; k < end; k++) look_at_contact(call, k, sums, form);
  memcpy(call->part + 2 * block, sums, sizeof sums);
}

static void look_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const look_call *call = context;
#define LOOK(form) look_at_contacts(call, begin, end, block, form)
  BLOCK_DISPATCH_ALL(call->island->form, LOOK)
#undef LOOK
}

block_measure block_look(const environment *env, const block_island *island, const double *impulse,
                         const double *velocity, double *part)
{
  look_call call = {island, impulse, velocity, part};
  block_measure sum = {0.0, 0.0};
  block_for_colours(env, island, look_range, &call);
  for (int64_t k = 0; k < block_part_count(island); k++) {
    sum.residual = greatest(sum.residual, part[2 * k]);
    sum.energy += part[2 * k + 1];
  }
  sum.residual *= island->time_step;
  return sum;
}
