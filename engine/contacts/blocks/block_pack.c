/*
 * Packing of an island of blocks, and the way back of its solution. See block_system.h.
 */
#include "contacts/blocks/block_rows.h"

#include <math.h>
#include <string.h>

/* ---- columns ---- */

static int64_t in_fours(int64_t count)
{
  return (count + FOUR - 1) / FOUR * FOUR;
}

block_form block_form_of(const contact_problem *problem)
{
  block_form bodies = problem->dimension == 2                       ? BLOCK_PLANE
                      : problem->round || !problem->inverse_inertia ? BLOCK_ROUND
                                                                    : BLOCK_GENERAL;
  return contacts_have_moments(problem) ? (block_form)(bodies + BLOCK_PLANE_MOMENTS) : bodies;
}

static bool allocate_columns(arena *scratch, block_form form, size_t places, block_island *island)
{
  const size_t bodies = 2 * places;
  *island = (block_island){.form = form, .contact_count = (int64_t)places, .body_count = (int64_t)bodies};
  island->contact = arena_allocate(scratch, places, sizeof(int32_t));
  island->body = arena_allocate(scratch, 2 * places, sizeof(int32_t));
  island->row = arena_allocate(scratch, (size_t)block_row_size(form) * places, sizeof(double));
  island->impulse = arena_allocate(scratch, (size_t)block_components(form) * places, sizeof(double));
  island->body_of = arena_allocate(scratch, bodies, sizeof(int32_t));
  island->velocity = arena_allocate(scratch, (size_t)block_stride(form) * bodies, sizeof(double));
  island->inertia =
      block_bodies(form) == BLOCK_GENERAL ? arena_allocate(scratch, 6 * bodies, sizeof(double)) : NULL;
  return island->contact && island->body && island->row && island->impulse && island->body_of && island->velocity &&
         (island->inertia || block_bodies(form) != BLOCK_GENERAL);
}

floc_status block_allocate(arena *scratch, block_form form, int64_t contacts, block_island *island)
{
  const int64_t spare = contacts >= BLOCK_COLOURED ? EIGHT * SYSTEM_COLOURS : 0,
                places = in_fours(contacts) + spare;
  const bool columns = allocate_columns(scratch, form, (size_t)places, island);
  const size_t bodies = spare > 0 ? (size_t)island->body_count : 0;
  island->parts = spare > 0 ? parallel_block_count(places, SYSTEM_BLOCK) + SYSTEM_COLOURS : 1;
  island->used = arena_allocate(scratch, bodies, sizeof *island->used);
  island->place = arena_allocate(scratch, spare > 0 ? (size_t)contacts : 0, sizeof *island->place);
  if (!columns || !island->used || !island->place) return FLOC_OUT_OF_MEMORY;
  memset(island->used, 0, bodies * sizeof *island->used);
  return FLOC_OK;
}

floc_status block_allocate_units(arena *scratch, block_form form, block_units units, block_island *island)
{
  if (!allocate_columns(scratch, form, (size_t)units_rows(units.plan), island)) return FLOC_OUT_OF_MEMORY;
  island->parts = units_pieces(units.plan);
  island->units = units.plan;
  island->place = units.place;
  return FLOC_OK;
}

/* ---- rows ---- */

typedef struct pack_call {
  const contact_problem *problem;
  const contact_answer *guess;
  const int32_t *contact; /* listed, in the order of the problem */
  block_island *island;
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
  BLOCK_DISPATCH(form, COLUMN)
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

/* A_n and A_t of discs or balls: their arms lie along n, so nothing is coupled. */
BLOCK_INLINE void scale_round(double *row, block_form form)
{
  const bool plane = block_is_plane(form);
  const double *inverse = row + (plane ? 6 : 5), arm[2] = {row[3], row[plane ? 5 : 4]};
  double *bounds = row + block_row_size(form) - 4, along = inverse[0] + inverse[1];
  bounds[0] = 1.0 / along;
  bounds[1] = 1.0 / (along + (inverse[2] * (arm[0] * arm[0]) + inverse[3] * (arm[1] * arm[1])));
}

/* Likewise in the plane. A sweep there takes a step along n first; under the convex law steps are taken at once,
 * and A_n and A_t are multiplied by the bound of what couples them. */
BLOCK_INLINE void scale_plane(double *row, bool at_once, block_form form)
{
  const double *m = row + 6, *I = row + 8, *l = row + 2;
  const double along = m[0] + m[1] + (I[0] * l[0] * l[0] + I[1] * l[2] * l[2]);
  const double coupled = fabs(I[0] * l[0] * l[1] + I[1] * l[2] * l[3]);
  double across = m[0] + m[1] + (I[0] * l[1] * l[1] + I[1] * l[3] * l[3]);
  if (!(across > 0.0)) across = along; /* a body on a guide: nothing moves it across */
  const double bound = at_once ? 1.0 + coupled / sqrt(along * across) : 1.0;
  double *bounds = row + block_row_size(form) - 4;
  bounds[0] = 1.0 / (along * bound);
  bounds[1] = 1.0 / (across * bound);
}

/* A_n and A_t, multiplied by the bound. */
static void scale_block(double *row, const double *const inertia[2], bool rubs, block_form form)
{
  double column[BLOCK_VECTOR_MOST], block[3][3];
  for (int axis = 0; axis < 3; axis++) {
    find_column(row, inertia, axis, column, form);
    memcpy(block[axis], column, sizeof block[axis]);
  }
  block_scale scale = means_of(block, row, 3);
  if (!(scale.across > 0.0)) scale.across = scale.along; /* a body on a guide: nothing moves it across */
  double *bounds = row + block_row_size(form) - 4;
  bounds[0] = 1.0 / scale.along;
  bounds[1] = 1.0 / scale.across;
  if (!rubs) return;
  double bound = bound_of(block, row, 3, scale);
  if (bound == 1.0) return;
  bounds[0] /= bound;
  bounds[1] /= bound;
}

BLOCK_INLINE double surface_velocity(const contact_problem *problem, int axis, int64_t a)
{
  return problem->surface_velocity[axis] ? problem->surface_velocity[axis][a] : 0.0;
}

BLOCK_INLINE double free_spin(const contact_problem *problem, int axis, int32_t body)
{
  return problem->free_spin[axis] ? problem->free_spin[axis][body] : 0.0;
}

BLOCK_INLINE void fill_plane(const contact_problem *problem, int64_t a, double *row)
{
  const double n[2] = {problem->normal[0][a], problem->normal[1][a]};
  const double surface[2] = {surface_velocity(problem, 0, a), surface_velocity(problem, 1, a)};
  const int32_t body[2] = {problem->first[a], problem->second[a]};
  row[0] = n[0];
  row[1] = n[1];
  row[10] = problem->distance[a] / problem->time_step + (n[0] * surface[0] + n[1] * surface[1]);
  row[11] = n[0] * surface[1] - n[1] * surface[0];
  for (int side = 0; side < 2; side++) {
    if (body[side] < 0) continue;
    double arm[3], *lever = row + 2 + 2 * side;
    contact_arm(problem, a, side, arm);
    lever[0] = problem->round ? 0.0 : arm[0] * n[1] - arm[1] * n[0];
    lever[1] = arm[0] * n[0] + arm[1] * n[1];
    row[6 + side] = problem->inverse_mass[body[side]];
    row[8 + side] = problem->inverse_inertia ? problem->inverse_inertia[body[side]] : 0.0;
    const double v[2] = {problem->free_velocity[0][body[side]], problem->free_velocity[1][body[side]]};
    double sign = side == 0 ? -1.0 : 1.0, spin = free_spin(problem, 2, body[side]);
    row[10] += sign * ((n[0] * v[0] + n[1] * v[1]) + spin * lever[0]);
    row[11] += sign * ((n[0] * v[1] - n[1] * v[0]) + spin * lever[1]);
  }
}

BLOCK_INLINE void fill_space(const contact_problem *problem, int64_t a, double *row, block_form form)
{
  const int32_t body[2] = {problem->first[a], problem->second[a]};
  double *inverse = row + (block_bodies(form) == BLOCK_ROUND ? 5 : 12), *offset = row + 9;
  for (int axis = 0; axis < 3; axis++) {
    row[axis] = problem->normal[axis][a];
    offset[axis] = problem->distance[a] / problem->time_step * row[axis] + surface_velocity(problem, axis, a);
  }
  for (int side = 0; side < 2; side++) {
    if (body[side] < 0) continue;
    double arm[3], spin[3], turn[3], sign = side == 0 ? -1.0 : 1.0;
    contact_arm(problem, a, side, arm);
    if (block_bodies(form) == BLOCK_ROUND) {
      row[3 + side] = arm[0] * row[0] + arm[1] * row[1] + arm[2] * row[2];
      row[7 + side] = problem->inverse_inertia ? problem->inverse_inertia[body[side]] : 0.0;
    } else {
      memcpy(row + 3 + 3 * side, arm, sizeof arm);
    }
    inverse[side] = problem->inverse_mass[body[side]];
    for (int axis = 0; axis < 3; axis++) spin[axis] = free_spin(problem, axis, body[side]);
    block_cross(spin, arm, turn);
    for (int axis = 0; axis < 3; axis++)
      offset[axis] += sign * (problem->free_velocity[axis][body[side]] + turn[axis]);
  }
}

/* The spin of a prescribed body and of free motion, A_r and A_s and their limits. Where nothing turns, nothing
 * resists. */
static void fill_moments(const contact_problem *problem, int64_t a, double *row, const double *const inertia[2],
                         block_form form)
{
  double column[BLOCK_VECTOR_MOST], block[3][3], bound = 1.0, *at = row + block_moment_place(form);
  const int moments = block_moments(form), forces = block_forces(form), axis = 3 - moments;
  const double rolling = problem->rolling ? problem->rolling[a] : 0.0,
               twisting = problem->twisting ? problem->twisting[a] : 0.0;
  for (int c = 0; c < moments; c++) {
    find_column(row, inertia, forces + c, column, form);
    memcpy(block[c], column + forces, (size_t)moments * sizeof *column);
  }
  for (int c = 0; c < moments; c++) {
    const double *surface = problem->surface_spin[axis + c];
    const int32_t first = problem->first[a], second = problem->second[a];
    at[c] = second >= 0 ? free_spin(problem, axis + c, second) : surface ? surface[a] : 0.0;
    at[c] -= free_spin(problem, axis + c, first);
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

/* One row along the normal. */
static void fill_normal(const contact_problem *problem, int64_t a, double *row)
{
  const int32_t body[2] = {problem->first[a], problem->second[a]};
  row[5] = problem->distance[a] / problem->time_step;
  for (int axis = 0; axis < problem->dimension; axis++) row[axis] = problem->normal[axis][a];
  for (int side = 0; side < 2; side++) {
    if (body[side] < 0) continue;
    double sign = side == 0 ? -1.0 : 1.0;
    row[3 + side] = problem->inverse_mass[body[side]];
    for (int axis = 0; axis < problem->dimension; axis++)
      row[5] += sign * row[axis] * problem->free_velocity[axis][body[side]];
  }
  row[6] = 1.0 / (row[3] + row[4]);
  row[7] = 1.0;
  row[9] = problem->lower[a];
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
BLOCK_INLINE void fill_guess(const double *row, const double *guess, double *impulse, block_form form)
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

BLOCK_INLINE void read_guess(const contact_problem *problem, const contact_answer *from, int64_t a, double *guess,
                             block_form form)
{
  const int forces = block_forces(form), moments = block_moments(form);
  for (int axis = 0; axis < forces; axis++)
    guess[axis] =
        from->impulse[a] * problem->normal[axis][a] + (from->tangent[axis] ? from->tangent[axis][a] : 0.0);
  for (int c = 0; c < moments; c++) guess[forces + c] = from->moment[3 - moments + c][a];
}

BLOCK_INLINE void fill_contact(const pack_call *call, int64_t a, double *row, double *impulse,
                               const block_form form)
{
  const contact_problem *problem = call->problem;
  const double none[6] = {0.0}, *inertia[2] = {NULL, NULL};
  const double friction = problem->friction ? problem->friction[a] : 0.0;
  double guess[BLOCK_VECTOR_MOST] = {0.0};
  int size = block_row_size(form);
  memset(row, 0, (size_t)size * sizeof *row);
  if (form == BLOCK_NORMAL) {
    const double lower = problem->lower[a], p = call->guess->impulse[a];
    fill_normal(problem, a, row);
    impulse[0] = p > lower ? p : lower > -INFINITY ? lower : 0.0;
    return;
  }
  for (int side = 0; side < 2 && block_bodies(form) == BLOCK_GENERAL; side++) {
    int64_t body = side == 0 ? problem->first[a] : problem->second[a];
    inertia[side] = body >= 0 ? problem->inverse_inertia + 6 * body : none;
  }
  if (block_is_plane(form))
    fill_plane(problem, a, row);
  else
    fill_space(problem, a, row, form);
  if (problem->round || block_bodies(form) == BLOCK_ROUND)
    scale_round(row, form);
  else if (block_is_plane(form))
    scale_plane(row, friction > 0.0 && problem->convex, form);
  else
    scale_block(row, inertia, friction > 0.0, form);
  row[size - 2] = friction;
  row[size - 1] = problem->lower[a];
  if (block_has_moments(form)) fill_moments(problem, a, row, inertia, form);
  read_guess(problem, call->guess, a, guess, form);
  fill_guess(row, guess, impulse, form);
}

BLOCK_INLINE void store_place(block_island *island, int64_t k, const double *row, const double *impulse,
                              block_form form)
{
  const int size = block_row_size(form), components = block_components(form);
  for (int q = 0; q < size; q++) island->row[FOUR * (size * (k / FOUR) + q) + k % FOUR] = row[q];
  for (int c = 0; c < components; c++)
    island->impulse[FOUR * (components * (k / FOUR) + c) + k % FOUR] = impulse[c];
}

void block_empty_places(block_island *island)
{
  for (int64_t k = island->contact_count; k < in_fours(island->contact_count); k++) {
    double row[BLOCK_ROW_MOST], impulse[BLOCK_VECTOR_MOST];
    fill_empty(row, impulse, island->form);
    store_place(island, k, row, impulse, island->form);
    island->contact[k] = -1;
    for (int side = 0; side < 2; side++) island->body[2 * k + side] = (int32_t)island->body_count;
    if (island->inertia) memset(island->inertia + 6 * island->body_count, 0, 6 * sizeof(double));
    island->body_of[island->body_count++] = -1;
  }
}

/* Contacts in the order of the problem: its columns are read one after another, and places of each colour are
 * filled one after another. */
BLOCK_INLINE void pack_contacts(const pack_call *call, int64_t begin, int64_t end, const block_form form)
{
  block_island *island = call->island;
  for (int64_t k = begin; k < end; k++) {
    double row[BLOCK_ROW_MOST], impulse[BLOCK_VECTOR_MOST];
    fill_contact(call, call->contact[k], row, impulse, form);
    store_place(island, block_has_colours(island) ? island->place[k] : k, row, impulse, form);
  }
}

/* What is left of the last four, or eight, of a colour. */
static void pack_empty(block_island *island)
{
  double row[BLOCK_ROW_MOST], impulse[BLOCK_VECTOR_MOST];
  fill_empty(row, impulse, island->form);
  for (int64_t k = 0; k < in_fours(island->contact_count); k++)
    if (island->contact[k] < 0) store_place(island, k, row, impulse, island->form);
}

static void pack_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const pack_call *call = context;
  const block_form form = call->island->form;
  if (form == BLOCK_PLANE)
    pack_contacts(call, begin, end, BLOCK_PLANE);
  else if (form == BLOCK_ROUND)
    pack_contacts(call, begin, end, BLOCK_ROUND);
  else
    pack_contacts(call, begin, end, form);
}

/* ---- places and bodies ---- */

/* Bodies in the order of appearance in the list, which is that of memory; slot has their numbers after. */
static void number_bodies(const contact_problem *problem, const int32_t *contact, int64_t count, int32_t *slot,
                          block_island *island)
{
  island->body_count = 0;
  for (int64_t k = 0; k < count; k++) {
    const int32_t pair[2] = {problem->first[contact[k]], problem->second[contact[k]]};
    for (int side = 0; side < 2; side++) {
      if (pair[side] < 0 || slot[pair[side]] >= 0) continue;
      slot[pair[side]] = (int32_t)island->body_count;
      island->body_of[island->body_count++] = pair[side];
    }
  }
}

static void place_contacts(const contact_problem *problem, const int32_t *contact, int64_t count,
                           const int32_t *slot, block_island *island)
{
  const bool cut = island->units != NULL, coloured = cut || count >= BLOCK_COLOURED;
  island->colours = coloured && !cut ? &island->plan : NULL;
  island->contact_count = cut ? units_rows(island->units) : count;
  island->filled = count;
  island->parts = cut ? units_pieces(island->units) : 1;
  if (island->colours) {
    const colour_plan *plan = island->colours;
    colour_places(problem, contact, count, EIGHT, slot, island->used, island->place, &island->plan);
    island->contact_count = plan->start[plan->count];
    island->parts = plan->serial_tail;
    for (int32_t k = 0; k < free_colours(plan); k++)
      island->parts += parallel_block_count(plan->start[k + 1] - plan->start[k], SYSTEM_BLOCK);
  }
  for (int64_t k = coloured ? 0 : count; k < in_fours(island->contact_count); k++) island->contact[k] = -1;
  for (int64_t k = 0; k < count; k++) island->contact[coloured ? island->place[k] : k] = contact[k];
}

/* The bodies of each place, with stand-ins for prescribed ones and for both of an empty place. */
static void name_bodies(const contact_problem *problem, const int32_t *slot, block_island *island)
{
  for (int64_t k = 0; k < in_fours(island->contact_count); k++) {
    const int32_t a = island->contact[k], stand_in = (int32_t)island->body_count;
    const bool alone = a < 0 || problem->second[a] < 0;
    if (alone) island->body_of[island->body_count++] = -1;
    island->body[2 * k] = a < 0 ? stand_in : slot[problem->first[a]];
    island->body[2 * k + 1] = alone ? stand_in : slot[problem->second[a]];
  }
}

static void pack_inertia(const contact_problem *problem, block_island *island)
{
  for (int64_t body = 0; body < island->body_count; body++) {
    int64_t of = island->body_of[body];
    if (of >= 0)
      memcpy(island->inertia + 6 * body, problem->inverse_inertia + 6 * of, 6 * sizeof(double));
    else
      memset(island->inertia + 6 * body, 0, 6 * sizeof(double));
  }
}

void block_pack(const environment *env, const contact_problem *problem, const contact_answer *guess,
                const int32_t *contact, int64_t count, int32_t *slot, block_island *island)
{
  pack_call call = {problem, guess, contact, island};
  island->time_step = problem->time_step;
  island->convex = problem->convex;
  number_bodies(problem, contact, count, slot, island);
  place_contacts(problem, contact, count, slot, island);
  name_bodies(problem, slot, island);
  for (int64_t body = 0; body < island->body_count; body++)
    if (island->body_of[body] >= 0) slot[island->body_of[body]] = -1;
  if (island->inertia) pack_inertia(problem, island);
  parallel_for(env, count, SYSTEM_BLOCK, pack_range, &call);
  pack_empty(island);
}

/* ---- the solution ---- */

typedef struct return_call {
  const contact_problem *problem;
  const block_island *island;
  const contact_answer *answer;
} return_call;

/* A bound stays exactly the bound, and then there is no tangential part and no moment. */
BLOCK_INLINE void return_contact(const return_call *call, int64_t k, block_form form)
{
  const block_island *island = call->island;
  const contact_answer *answer = call->answer;
  const int forces = block_forces(form), moments = block_moments(form);
  double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST], tangent[3] = {0.0, 0.0, 0.0};
  block_load_row(island, k, row, form);
  block_load(island->impulse, k, P, form);
  const block_bounds of = block_row_bounds(row, form);
  double along = block_split(row, P, tangent, form);
  bool bounded = of.lower > -INFINITY && !(along > of.lower + 1e-15 * fabs(of.lower));
  if (bounded) along = of.lower;
  for (int c = 0; c < block_tangents(form); c++) tangent[c] *= bounded || of.friction == 0.0 ? 0.0 : 1.0;
  block_join(row, along, tangent, P, form);
  for (int c = forces; c < forces + moments; c++) P[c] *= bounded ? 0.0 : 1.0;
  block_store(island->impulse, k, P, form);
  const int64_t a = island->contact[k];
  answer->impulse[a] = along;
  for (int c = 0; c < moments; c++) answer->moment[3 - moments + c][a] = P[forces + c];
  if (!answer->tangent[0]) return;
  if (block_is_plane(form)) {
    answer->tangent[0][a] = -tangent[0] * row[1];
    answer->tangent[1][a] = tangent[0] * row[0];
    return;
  }
  for (int axis = 0; axis < 3; axis++) answer->tangent[axis][a] = tangent[axis];
}

BLOCK_INLINE void return_contacts(const return_call *call, int64_t begin, int64_t end, block_form form)
{
  const block_island *island = call->island;
  for (int64_t k = begin; k < end; k++)
    return_contact(call, block_has_colours(island) ? island->place[k] : k, form);
}

static void return_impulses(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const return_call *call = context;
#define RETURN(form) return_contacts(call, begin, end, form)
  BLOCK_DISPATCH(call->island->form, RETURN)
#undef RETURN
}

static void return_velocities(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const return_call *call = context;
  const contact_problem *problem = call->problem;
  const bool plane = problem->dimension == 2;
  const int stride = block_stride(call->island->form);
  for (int64_t body = begin; body < end; body++) {
    const int64_t of = call->island->body_of[body];
    if (of < 0) continue;
    const double *u = call->island->velocity + stride * body;
    for (int axis = 0; axis < problem->dimension; axis++)
      call->answer->velocity[axis][of] = problem->free_velocity[axis][of] + u[axis];
    for (int axis = plane ? 2 : 0; axis < 3 && call->island->form != BLOCK_NORMAL; axis++)
      if (call->answer->spin[axis])
        call->answer->spin[axis][of] = problem->free_spin[axis][of] + u[plane ? 2 : 4 + axis];
  }
}

void block_return(const environment *env, const contact_problem *problem, const block_island *island,
                  const contact_answer *answer)
{
  return_call call = {problem, island, answer};
  for_contact_blocks(env, island->filled, return_impulses, &call);
  block_scatter(env, island, island->impulse, island->velocity);
  for_contact_blocks(env, island->body_count, return_velocities, &call);
}
