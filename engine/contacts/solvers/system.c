/*
 * Packing of contact problems into scaled, coloured rows. See system.h.
 */
#include "contacts/solvers/system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

floc_status system_allocate(arena *scratch, int32_t dimension, int64_t contact_count, int64_t body_count,
                            contact_system *system)
{
  size_t contacts = (size_t)contact_count + 1;
  *system = (contact_system){.dimension = dimension, .contact_count = contact_count, .body_count = body_count};
  system->contact = arena_allocate(scratch, contacts, sizeof(int32_t));
  system->body = arena_allocate(scratch, 2 * contacts, sizeof(int32_t));
  system->coefficient = arena_allocate(scratch, (size_t)system_row_size(dimension) * contacts, sizeof(double));
  system->offset = arena_allocate(scratch, contacts, sizeof(double));
  system->lower = arena_allocate(scratch, contacts, sizeof(double));
  system->root_diagonal = arena_allocate(scratch, contacts, sizeof(double));
  system->impulse = arena_allocate(scratch, contacts, sizeof(double));
  system->particle = arena_allocate(scratch, (size_t)body_count, sizeof(int32_t));
  bool complete = system->contact && system->body && system->coefficient && system->offset && system->lower &&
                  system->root_diagonal && system->impulse && system->particle;
  return complete ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* First colour that neither body has. */
static int free_colour(uint64_t taken)
{
  uint64_t available = ~taken;
  int colour = available ? __builtin_ctzll(available) : SYSTEM_COLOURS - 1;
  return colour;
}

/* The bodies of a contact as numbers in `used`; -1: prescribed. */
static inline void used_by(const contact_problem *problem, int64_t a, const int32_t *slot, int32_t *first,
                           int32_t *second)
{
  *first = problem->first[a];
  *second = problem->second[a];
  if (!slot) return;
  *first = slot[*first];
  if (*second >= 0) *second = slot[*second];
}

void colour_places(const contact_problem *problem, const int32_t *contact, int64_t count, int64_t width,
                   const int32_t *slot, uint64_t *used, int32_t *place, colour_plan *colours)
{
  int64_t found[SYSTEM_COLOURS] = {0}, next[SYSTEM_COLOURS];
  for (int64_t k = 0; k < count; k++) {
    int32_t first, second;
    used_by(problem, contact[k], slot, &first, &second);
    int colour = free_colour(used[first] | (second >= 0 ? used[second] : 0));
    uint64_t bit = colour < SYSTEM_COLOURS - 1 ? UINT64_C(1) << colour : 0;
    used[first] |= bit;
    if (second >= 0) used[second] |= bit;
    place[k] = colour; /* until the colours' sizes are known */
    found[colour]++;
  }
  *colours = (colour_plan){.serial_tail = found[SYSTEM_COLOURS - 1] > 0};
  for (int colour = 0; colour < SYSTEM_COLOURS; colour++) {
    next[colour] = colours->start[colours->count];
    if (found[colour] == 0) continue;
    colours->count++;
    colours->start[colours->count] = next[colour] + (found[colour] + width - 1) / width * width;
  }
  for (int64_t k = 0; k < count; k++) {
    int32_t first, second;
    used_by(problem, contact[k], slot, &first, &second);
    place[k] = (int32_t)next[place[k]]++;
    used[first] = 0;
    if (second >= 0) used[second] = 0;
  }
}

/* Returns whether it is finite. */
static inline bool fill_row(const contact_problem *problem, const double *impulse, contact_system *system,
                            int64_t k, double first_root, double second_root)
{
  int dimension = system->dimension;
  int64_t contact = system->contact[k];
  int32_t first = problem->first[contact], second = problem->second[contact];
  double root = sqrt(problem->inverse_mass[first] + (second >= 0 ? problem->inverse_mass[second] : 0.0));
  double inverse = 1.0 / root, first_factor = -first_root * inverse, second_factor = second_root * inverse;
  double w = problem->distance[contact] / problem->time_step;
  double *row = system->coefficient + system_row_size(dimension) * k;
  for (int axis = 0; axis < dimension; axis++) {
    double normal = problem->normal[axis][contact];
    double other = second >= 0 ? problem->free_velocity[axis][second] : 0.0;
    w += normal * (other - problem->free_velocity[axis][first]);
    row[axis] = dimension == 2 ? first_factor * normal : normal;
    if (dimension == 2) row[2 + axis] = second_factor * normal;
  }
  if (dimension == 3) {
    row[3] = first_factor;
    row[4] = second_factor;
  }
  double lower = problem->lower[contact], start = impulse[contact];
  system->offset[k] = w * inverse;
  system->root_diagonal[k] = root;
  system->lower[k] = lower * root;
  system->impulse[k] = (start > lower ? start : lower > -INFINITY ? lower : 0.0) * root;
  return isfinite(w) && isfinite(start) && !isnan(lower);
}

typedef struct fill_call {
  const contact_problem *problem;
  const double *impulse;
  contact_system *system;
  const double *root;
} fill_call;

static double fill_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const fill_call *call = context;
  const int32_t *body = call->system->body;
  bool finite = true;
  for (int64_t k = begin; k < end; k++)
    finite &= fill_row(call->problem, call->impulse, call->system, k, call->root[body[2 * k]],
                       call->root[body[2 * k + 1]]);
  return finite ? 0.0 : 1.0;
}

void system_fill_rows(const environment *env, const contact_problem *problem, const double *impulse,
                      contact_system *system, const double *root)
{
  fill_call call = {problem, impulse, system, root};
  int64_t n = system->contact_count;
  if (n <= PARALLEL_BLOCK)
    system->finite = fill_range(&call, 0, n, 0) == 0.0;
  else
    system->finite = parallel_max(env, n, PARALLEL_BLOCK, 0.0, fill_range, &call) == 0.0;
  /* columns are read two elements at a time: makes the one after the last harmless */
  system->offset[n] = system->lower[n] = system->root_diagonal[n] = system->impulse[n] = 0.0;
}

typedef struct return_call {
  const contact_problem *problem;
  const contact_system *system;
  double *impulse;
} return_call;

static void return_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const return_call *call = context;
  const contact_system *system = call->system;
  for (int64_t k = begin; k < end; k++) {
    double lower = call->problem->lower[system->contact[k]];
    double p = system->impulse[k] / system->root_diagonal[k];
    /* a bound stays exactly the bound: scaling there and back may miss it by rounding */
    bool bounded = system->impulse[k] == system->lower[k] || p < lower;
    call->impulse[system->contact[k]] = bounded ? lower : p;
  }
}

void system_return_impulses(const environment *env, const contact_problem *problem, const contact_system *system,
                            double *impulse)
{
  return_call call = {problem, system, impulse};
  parallel_for(env, system->contact_count, PARALLEL_BLOCK, return_range, &call);
}

floc_status system_create(environment *env, arena *scratch, const contact_problem *problem, const double *impulse,
                          contact_system *system)
{
  int64_t contacts = problem->contact_count, particles = problem->body_count, obstacles = 0;
  for (int64_t a = 0; a < contacts; a++) obstacles += problem->second[a] < 0;
  int64_t bodies = particles + obstacles;
  if (bodies > INT32_MAX) {
    return refuse(env, FLOC_LIMIT_EXCEEDED, "%lld particles and body contacts exceed the limit of %d",
                  (long long)bodies, INT32_MAX);
  }
  floc_status status = system_allocate(scratch, problem->dimension, contacts, bodies, system);
  if (status != FLOC_OK) return status;
  uint64_t *used = arena_allocate(scratch, (size_t)particles, sizeof *used);
  int32_t *place = arena_allocate(scratch, (size_t)contacts, sizeof *place);
  int32_t *contact = arena_allocate(scratch, (size_t)contacts, sizeof *contact);
  double *root = arena_allocate(scratch, (size_t)bodies, sizeof *root);
  if (!used || !place || !contact || !root) return FLOC_OUT_OF_MEMORY;
  system->time_step = problem->time_step;
  memset(used, 0, (size_t)particles * sizeof *used);
  for (int64_t a = 0; a < contacts; a++) contact[a] = (int32_t)a;
  colour_places(problem, contact, contacts, 1, NULL, used, place, &system->colours);
  int32_t stand_in = (int32_t)particles;
  for (int64_t a = 0; a < contacts; a++) {
    int64_t k = place[a];
    int32_t second = problem->second[a];
    system->contact[k] = (int32_t)a;
    system->body[2 * k] = problem->first[a];
    system->body[2 * k + 1] = second >= 0 ? second : stand_in++;
  }
  for (int64_t b = 0; b < system->body_count; b++) {
    system->particle[b] = b < particles ? (int32_t)b : -1;
    root[b] = b < particles ? sqrt(problem->inverse_mass[b]) : 0.0;
  }
  system_fill_rows(env, problem, impulse, system, root);
  return FLOC_OK;
}

/* ---- loops over colours ---- */

typedef struct row_call {
  const unit_plan *plan;
  block_function function;
  void *context;
} row_call;

static void unit_rows(void *context, int64_t unit, int64_t end, int64_t block)
{
  (void)end;
  const row_call *call = context;
  call->function(call->context, call->plan->unit_row[unit], call->plan->unit_row[unit + 1], block);
}

void system_for_colours(const environment *env, const contact_system *system, block_function function,
                        void *context)
{
  if (env->threads == 1 || system->contact_count <= SYSTEM_BLOCK) {
    function(context, 0, system->contact_count, 0);
    return;
  }
  if (system->units.grounds > 0) {
    row_call call = {&system->units, function, context};
    parallel_for_weighted(env, system->units.phases, system->units.phase_unit, system->units.unit_row, unit_rows,
                          &call);
    return;
  }
  int32_t colours = free_colours(&system->colours);
  parallel_for_ranges(env, colours, system->colours.start, SYSTEM_BLOCK, function, context);
  if (system->colours.serial_tail) function(context, system->colours.start[colours], system->contact_count, 0);
}

typedef struct scatter_call {
  const contact_system *system;
  const double *q;
  double *u;
} scatter_call;

static void scatter_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const scatter_call *call = context;
  if (call->system->dimension == 2)
    for (int64_t k = begin; k < end; k++) row_add(call->system, k, call->q[k], call->u, 2);
  else
    for (int64_t k = begin; k < end; k++) row_add(call->system, k, call->q[k], call->u, 3);
}

void system_scatter(const environment *env, const contact_system *system, const double *q, double *u)
{
  memset(u, 0, system_velocities(system->body_count, system->dimension) * sizeof *u);
  scatter_call call = {system, q, u};
  system_for_colours(env, system, scatter_range, &call);
}
