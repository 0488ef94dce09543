/*
 * block_solve(): a working set of contacts, split into islands, each solved by itself; and a truthful report, for
 * velocities and residual are computed afresh from the impulses that are returned.
 *
 * 1. Working set: contacts that carry an impulse, may pull (lower < 0), or would approach by more than a typical
 *    change if nothing touched (as in working_set.c). The others keep impulse 0.
 * 2. Islands (block_islands.h). Small ones are solved side by side by several threads, large ones by all together.
 *    Sweeps first; what they do not bring to the tolerance is left to the gradient.
 * 3. All contacts are checked with the new velocities. Where one that was left out is violated by more than the
 *    tolerance, those that are violated join the set and all islands are checked again: what is solved already
 *    costs one product.
 *
 * A small island that meets the tolerance continues towards options->aim, which is tighter, for at most
 * AIM_PRODUCTS: in piles of up to 200 discs, forces of single steps come right to 0.02 % instead of half. In large
 * ones so few products make no difference.
 *
 * Bits do not depend on threads: an island is solved by the same operations, whichever thread does it.
 */
#include "base/interruption.h"
#include "contacts/blocks/block_system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
  MAXIMUM_ROUNDS = 60,
  CONTACT_BLOCK = 512,
  SAMPLES = 256,
  SWEEPING_PART = 4,
  LEAST_SWEEPS = 1000,
  AIM_CONTACTS = 400,
  AIM_PRODUCTS = 32,
  SMALL_ISLAND = 2048, /* contacts; one thread solves it */
  BATCH = 64           /* small islands */
};

/* Of the typical change of a gap by the contacts. 1 solves jostled crowds twice over, because the rounds find that
 * number of more; without a limit a flowing drum takes a third longer, a resting pile as long. */
static const double gap_factor = 3.0;

/* ---- contacts in the problem's own numbers ---- */

/* w of a contact for velocities V [body][freedoms]. */
static void point_velocity(const block_problem *problem, int64_t a, const double *velocity, double w[3])
{
  const int d = problem->dimension, freedoms = block_freedoms(d);
  for (int axis = 0; axis < d; axis++)
    w[axis] = problem->distance[a] / problem->time_step * problem->normal[d * a + axis] +
              problem->surface_velocity[d * a + axis];
  for (int side = 0; side < 2; side++) {
    int32_t body = side == 0 ? problem->first[a] : problem->second[a];
    if (body < 0) continue;
    double sign = side == 0 ? -1.0 : 1.0;
    const double *v = velocity + (int64_t)freedoms * body,
                 *arm = (side ? problem->arm_second : problem->arm_first) + d * a;
    double turn[3] = {-v[2] * arm[1], v[2] * arm[0], 0.0};
    if (d == 3) block_cross(v + 3, arm, turn);
    for (int axis = 0; axis < d; axis++) w[axis] += sign * (v[axis] + turn[axis]);
  }
}

static double normal_velocity(const block_problem *problem, int64_t a, const double *velocity)
{
  double w[3], sum = 0.0;
  point_velocity(problem, a, velocity, w);
  for (int axis = 0; axis < problem->dimension; axis++)
    sum += problem->normal[problem->dimension * a + axis] * w[axis];
  return sum;
}

/* What is at least 0 where no impulse is needed: w_n, less mu |w_t| under the convex law. */
static double opening_velocity(const block_problem *problem, int64_t a, const double *velocity)
{
  const int d = problem->dimension;
  double along = normal_velocity(problem, a, velocity), w[3], square = 0.0;
  if (!problem->convex || problem->friction[a] == 0.0) return along;
  point_velocity(problem, a, velocity, w);
  for (int axis = 0; axis < d; axis++) {
    double across = w[axis] - along * problem->normal[d * a + axis];
    square += across * across;
  }
  return along - problem->friction[a] * sqrt(square);
}

/* ---- the working set ---- */

typedef struct block_set {
  environment *env;
  arena *scratch;
  const block_problem *problem;
  const contact_options *options;
  double *impulse, *velocity;
  double gap;      /* as a velocity */
  uint8_t *member; /* [contact] */
  int32_t *listed; /* members */
  int64_t count;
  int64_t most_products; /* of an island, in all rounds so far */
  int64_t work;          /* products times contacts */
  int32_t islands;
} block_set;

/* What contacts change a gap by in this step, from a sample: by the first guess, or, without one, by how far pairs
 * would overlap. As a velocity. */
static double typical_change(const block_set *set)
{
  const block_problem *problem = set->problem;
  const int d = problem->dimension, size = block_impulses(problem);
  int64_t stride = problem->contact_count / SAMPLES + 1, count = 0;
  double sum = 0.0;
  for (int64_t a = 0; a < problem->contact_count; a += stride) {
    double p = 0.0;
    for (int axis = 0; axis < d; axis++) p += problem->normal[d * a + axis] * set->impulse[size * a + axis];
    int32_t second = problem->second[a];
    double change =
        (problem->inverse_mass[problem->first[a]] + (second >= 0 ? problem->inverse_mass[second] : 0.0)) * fabs(p);
    if (!(change > 0.0)) change = -normal_velocity(problem, a, problem->free_velocity);
    if (!(change > 0.0)) continue;
    sum += change;
    count++;
  }
  return count ? sum / (double)count : 0.0;
}

static void choose_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  block_set *set = context;
  const block_problem *problem = set->problem;
  const int d = problem->dimension, size = block_impulses(problem);
  for (int64_t a = begin; a < end; a++) {
    bool chosen = problem->lower[a] < 0.0;
    for (int axis = 0; axis < d; axis++) chosen |= set->impulse[size * a + axis] != 0.0;
    set->member[a] = chosen || !(opening_velocity(problem, a, problem->free_velocity) >= set->gap);
  }
}

static void list_members(block_set *set)
{
  set->count = 0;
  for (int64_t a = 0; a < set->problem->contact_count; a++) {
    set->listed[set->count] = (int32_t)a;
    set->count += set->member[a];
  }
}

/* ---- islands ---- */

typedef struct island_call {
  const block_set *set;
  const block_system *system;
  solver_limits limits;
  double **work;           /* [batch] */
  solver_outcome *outcome; /* [island] */
} island_call;

/* Sweeps may take a part of what a problem may cost, or all of it where that is little, or where moments are
 * limited: gradients know of forces alone. */
static int64_t sweeps_of(const block_problem *problem, int64_t products)
{
  if (block_problem_has_moments(problem)) return products;
  int64_t part = products / SWEEPING_PART, least = products < LEAST_SWEEPS ? products : LEAST_SWEEPS;
  return part > least ? part : least;
}

static solver_outcome sweep_island(const island_call *call, const environment *env, const block_island *island,
                                   double *work)
{
  int64_t product = WORK_FRICTION * island->filled;
  solver_limits limits = {call->limits.target, sweeps_of(call->set->problem, call->limits.max_products)};
  block_aim aim = {call->set->options->aim,
                   call->set->options->aim > 0.0 && island->filled <= AIM_CONTACTS ? AIM_PRODUCTS : 0};
  solver_outcome outcome =
      block_gauss_seidel_solve(env, island, work, limits_within_work(env, limits, product), aim);
  work_add(env, WORK_SOLVER, outcome.products * product);
  return outcome;
}

static void sweep_batch(void *context, int64_t begin, int64_t end, int64_t batch)
{
  const island_call *call = context;
  environment alone = *call->set->env;
  alone.threads = 1;
  for (int64_t k = begin; k < end && !interrupted(&alone); k++) {
    const block_island *island = &call->system->island[k];
    if (island->contact_count <= SMALL_ISLAND)
      call->outcome[k] = sweep_island(call, &alone, island, call->work[batch]);
  }
}

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static floc_status sweep_islands(island_call *call)
{
  const block_system *system = call->system;
  arena *scratch = call->set->scratch;
  int64_t batches = parallel_block_count(system->island_count, BATCH);
  call->work = arena_allocate(scratch, (size_t)batches, sizeof *call->work);
  if (!call->work) return FLOC_OUT_OF_MEMORY;
  size_t largest = 0;
  for (int64_t batch = 0; batch < batches; batch++) {
    size_t size = 0;
    for (int64_t k = batch * BATCH; k < (batch + 1) * BATCH && k < system->island_count; k++) {
      const block_island *island = &system->island[k];
      size_t own = block_gauss_seidel_work_size(island);
      if (island->contact_count <= SMALL_ISLAND)
        size = larger(size, own);
      else
        largest = larger(largest, own);
    }
    call->work[batch] = arena_allocate(scratch, size, sizeof(double));
    if (!call->work[batch]) return FLOC_OUT_OF_MEMORY;
  }
  parallel_for(call->set->env, system->island_count, BATCH, sweep_batch, call);
  double *work = arena_allocate(scratch, largest, sizeof *work);
  if (!work) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < system->island_count && !interrupted(call->set->env); k++)
    if (system->island[k].contact_count > SMALL_ISLAND)
      call->outcome[k] = sweep_island(call, call->set->env, &system->island[k], work);
  return FLOC_OK;
}

/* What sweeps have left, or all if the host wants gradients. */
static floc_status descend_islands(island_call *call)
{
  const contact_options *options = call->set->options;
  arena *scratch = call->set->scratch;
  for (int64_t k = 0; k < call->system->island_count && !interrupted(call->set->env); k++) {
    solver_outcome *outcome = &call->outcome[k];
    if (outcome->residual <= call->limits.target || outcome->products >= call->limits.max_products) continue;
    const block_island *island = &call->system->island[k];
    arena_mark here = arena_here(scratch);
    double *work = arena_allocate(scratch, block_gradient_work_size(island), sizeof *work);
    if (!work) return FLOC_OUT_OF_MEMORY;
    int64_t before = outcome->products, product = WORK_FRICTION * island->filled;
    solver_limits limits = {call->limits.target, call->limits.max_products - before};
    limits = limits_within_work(call->set->env, limits, product);
    *outcome = block_gradient_solve(call->set->env, island, work, limits, options->solver != FLOC_SOLVER_UZAWA);
    work_add(call->set->env, WORK_SOLVER, outcome->products * product);
    outcome->products += before;
    arena_return(scratch, here);
  }
  return FLOC_OK;
}

static floc_status solve_listed(block_set *set)
{
  block_system system;
  floc_status status =
      block_system_create(set->env, set->scratch, set->problem, set->listed, set->count, set->impulse, &system);
  if (status != FLOC_OK) return status;
  solver_limits limits = {set->options->tolerance, set->options->max_iterations - set->most_products};
  island_call call = {.set = set, .system = &system, .limits = limits};
  call.outcome = arena_allocate(set->scratch, (size_t)system.island_count, sizeof *call.outcome);
  if (!call.outcome) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < system.island_count; k++) call.outcome[k] = (solver_outcome){.residual = INFINITY};
  bool moments = block_problem_has_moments(set->problem);
  if (set->options->solver == FLOC_SOLVER_AUTO || moments) status = sweep_islands(&call);
  if (status == FLOC_OK && !moments) status = descend_islands(&call);
  int64_t most = 0;
  for (int64_t k = 0; k < system.island_count; k++) {
    int64_t products = call.outcome[k].products;
    most = products > most ? products : most;
    set->work += products * system.island[k].filled;
  }
  if (status == FLOC_OK) status = interruption_status(set->env);
  if (status != FLOC_OK) return status;
  set->most_products += most;
  set->islands = (int32_t)system.island_count;
  block_system_return(set->env, &system, set->impulse, set->velocity);
  return FLOC_OK;
}

/* ---- the check of all contacts ---- */

typedef struct check_call {
  block_set *set;
  double *residual; /* [block] without h */
  int64_t *active, *violated;
} check_call;

/* A_n and A_t of a contact. */
static void mobilities(const block_problem *problem, int64_t a, double *along, double *across)
{
  const int d = problem->dimension;
  const double *n = problem->normal + d * a;
  double sum = 0.0;
  *along = 0.0;
  for (int side = 0; side < 2; side++) {
    int32_t body = side == 0 ? problem->first[a] : problem->second[a];
    if (body < 0) continue;
    const double *arm = (side ? problem->arm_second : problem->arm_first) + d * a;
    double m = problem->inverse_mass[body];
    *along += m;
    sum += d * m;
    if (d == 2) {
      double I = problem->inverse_inertia[body], cross = arm[0] * n[1] - arm[1] * n[0];
      *along += I * cross * cross;
      sum += I * (arm[0] * arm[0] + arm[1] * arm[1]);
      continue;
    }
    const double *I = problem->inverse_inertia + 6 * (int64_t)body;
    for (int axis = -1; axis < 3; axis++) { /* n, then the axes of space */
      double unit[3] = {axis == 0, axis == 1, axis == 2}, moment[3], turn[3] = {0.0, 0.0, 0.0};
      block_cross(arm, axis < 0 ? n : unit, moment);
      block_add_turn(I, 1.0, moment, turn);
      double value = moment[0] * turn[0] + moment[1] * turn[1] + moment[2] * turn[2];
      if (axis < 0)
        *along += value;
      else
        sum += value;
    }
  }
  *across = (sum - *along) / (d - 1);
}

/* A_s and A_r of a contact: I_a^-1 + I_b^-1 about n and across it. In the plane A_r alone. */
static void spin_mobilities(const block_problem *problem, int64_t a, double *about, double *across)
{
  const double *n = problem->normal + problem->dimension * a;
  double trace = 0.0;
  *about = 0.0;
  for (int side = 0; side < 2; side++) {
    int32_t body = side == 0 ? problem->first[a] : problem->second[a];
    if (body < 0) continue;
    const double *I = problem->inverse_inertia + (problem->dimension == 2 ? 1 : 6) * (int64_t)body;
    double turn[3] = {0.0, 0.0, 0.0};
    trace += I[0];
    if (problem->dimension == 2) continue;
    trace += I[1] + I[2];
    block_add_turn(I, 1.0, n, turn);
    *about += n[0] * turn[0] + n[1] * turn[1] + n[2] * turn[2];
  }
  *across = problem->dimension == 2 ? trace : 0.5 * (trace - *about);
}

/* What is missing of the part of a moment that a limit bounds, in its own unit, squared. */
static double moment_missing(const double *Q, const double *w, int count, double mobility, double radius)
{
  double moved[3], square = 0.0, missing = 0.0;
  for (int c = 0; c < count; c++) {
    moved[c] = Q[c] - w[c] / mobility;
    square += moved[c] * moved[c];
  }
  double length = sqrt(square), factor = length > radius ? (radius > 0.0 ? radius / length : 0.0) : 1.0;
  for (int c = 0; c < count; c++) missing += (factor * moved[c] - Q[c]) * (factor * moved[c] - Q[c]);
  return missing;
}

/* A moment's part of R, without h. slack: p - lo. */
static double moment_residual(const block_problem *problem, int64_t a, const double *Q, const double *velocity,
                              double along, double slack)
{
  const int d = problem->dimension, freedoms = block_freedoms(d), moments = freedoms - d;
  const double *n = problem->normal + d * a;
  double w[3], parts[2][3], about, across, worst = 0.0, twist[2] = {0.0, 0.0};
  for (int c = 0; c < moments; c++) {
    w[c] = problem->surface_spin && problem->second[a] < 0 ? problem->surface_spin[moments * a + c] : 0.0;
    if (problem->second[a] >= 0) w[c] += velocity[(int64_t)freedoms * problem->second[a] + d + c];
    w[c] -= velocity[(int64_t)freedoms * problem->first[a] + d + c];
    twist[0] += d == 3 ? n[c] * Q[c] : 0.0;
    twist[1] += d == 3 ? n[c] * w[c] : 0.0;
  }
  for (int c = 0; c < moments; c++) {
    parts[0][c] = Q[c] - (d == 3 ? twist[0] * n[c] : 0.0);
    parts[1][c] = w[c] - (d == 3 ? twist[1] * n[c] : 0.0);
  }
  spin_mobilities(problem, a, &about, &across);
  double rolling = problem->rolling ? problem->rolling[a] : 0.0,
         twisting = problem->twisting ? problem->twisting[a] : 0.0;
  if (across > 0.0)
    worst = across * moment_missing(parts[0], parts[1], moments, across, block_radius(rolling, slack));
  if (about > 0.0)
    worst = greatest(worst, about * moment_missing(&twist[0], &twist[1], 1, about, block_radius(twisting, slack)));
  return sqrt(along * worst);
}

/* A contact's part of R, without h. */
static double contact_residual(const block_problem *problem, int64_t a, const double *P, const double *w,
                               const double *velocity)
{
  const int d = problem->dimension;
  const double *n = problem->normal + d * a;
  double along, across, p = 0.0, w_n = 0.0, P_t[3], moved[3], square = 0.0, missing = 0.0;
  for (int axis = 0; axis < d; axis++) {
    p += n[axis] * P[axis];
    w_n += n[axis] * w[axis];
  }
  if (p == 0.0 && problem->lower[a] == 0.0 && w_n >= 0.0 && !problem->convex) return 0.0;
  mobilities(problem, a, &along, &across);
  double slack = p - problem->lower[a], opening = along * slack;
  double worst = fabs(w_n < opening ? w_n : opening), mu = problem->friction[a];
  if (block_problem_has_moments(problem))
    worst = greatest(worst, moment_residual(problem, a, P + d, velocity, along, slack));
  if (mu == 0.0) return worst;
  for (int axis = 0; axis < d; axis++) {
    P_t[axis] = P[axis] - p * n[axis];
    moved[axis] = P_t[axis] - (w[axis] - w_n * n[axis]) / across;
    square += moved[axis] * moved[axis];
  }
  double length = sqrt(square), radius = mu * (slack > 0.0 ? slack : 0.0);
  if (problem->convex) {
    const block_bounds of = {1.0 / along, 1.0 / across, mu, problem->lower[a]};
    double next = block_into_cone(of, p - w_n / along, &(double){length}, BLOCK_PLANE);
    radius = mu * (next - problem->lower[a]);
    worst = along * fabs(next - p);
  }
  for (int axis = 0; axis < d; axis++) {
    double inside = length > radius ? moved[axis] * (radius > 0.0 ? radius / length : 0.0) : moved[axis];
    missing += (inside - P_t[axis]) * (inside - P_t[axis]);
  }
  return greatest(worst, across * sqrt(missing));
}

static void check_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  const check_call *call = context;
  const block_set *set = call->set;
  const int d = set->problem->dimension, size = block_impulses(set->problem);
  const double target = set->options->tolerance / set->problem->time_step;
  double worst = 0.0, w[3];
  int64_t active = 0, violated = 0;
  for (int64_t a = begin; a < end; a++) {
    const double *P = set->impulse + size * a;
    point_velocity(set->problem, a, set->velocity, w);
    double residual = contact_residual(set->problem, a, P, w, set->velocity);
    worst = greatest(worst, residual);
    active += P[0] != 0.0 || P[1] != 0.0 || (d == 3 && P[2] != 0.0);
    violated += !set->member[a] && residual > target;
  }
  call->residual[block] = worst;
  call->active[block] = active;
  call->violated[block] = violated;
}

static void join_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  block_set *set = context;
  for (int64_t a = begin; a < end; a++)
    if (!set->member[a]) set->member[a] = opening_velocity(set->problem, a, set->velocity) < 0.0;
}

/* Residual and active contacts of the report; contacts that were left out and are violated join the set. Returns
 * whether any was. */
static bool check(block_set *set, check_call *call, contact_report *report)
{
  int64_t contacts = set->problem->contact_count, violated = 0;
  parallel_for(set->env, contacts, CONTACT_BLOCK, check_range, call);
  report->residual = 0.0;
  report->active = 0;
  for (int64_t block = 0; block < parallel_block_count(contacts, CONTACT_BLOCK); block++) {
    report->residual = greatest(report->residual, call->residual[block]);
    report->active += call->active[block];
    violated += call->violated[block];
  }
  report->residual *= set->problem->time_step;
  if (violated > 0) parallel_for(set->env, contacts, CONTACT_BLOCK, join_range, set);
  return violated > 0;
}

/* ---- all together ---- */

static floc_status begin(block_set *set, check_call *call)
{
  const block_problem *problem = set->problem;
  size_t contacts = (size_t)problem->contact_count;
  size_t blocks = (size_t)parallel_block_count(problem->contact_count, CONTACT_BLOCK);
  set->member = arena_allocate(set->scratch, contacts, sizeof *set->member);
  set->listed = arena_allocate(set->scratch, contacts + 1, sizeof *set->listed);
  *call = (check_call){set, arena_allocate(set->scratch, blocks, sizeof(double)),
                       arena_allocate(set->scratch, blocks, sizeof(int64_t)),
                       arena_allocate(set->scratch, blocks, sizeof(int64_t))};
  if (!set->member || !set->listed || !call->residual || !call->active || !call->violated)
    return FLOC_OUT_OF_MEMORY;
  size_t values = (size_t)(problem->body_count * block_freedoms(problem->dimension));
  memcpy(set->velocity, problem->free_velocity, values * sizeof(double));
  set->gap = gap_factor * typical_change(set);
  parallel_for(set->env, problem->contact_count, CONTACT_BLOCK, choose_range, set);
  return FLOC_OK;
}

floc_status block_solve(environment *env, arena *scratch, const block_problem *problem,
                        const contact_options *options, double *impulse, double *velocity, contact_report *report)
{
  assert(problem->dimension == 2 || problem->dimension == 3);
  assert(problem->time_step > 0.0 && options->tolerance > 0.0);
  *report = (contact_report){0};
  if (options->solver == FLOC_SOLVER_INTERIOR_POINT)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "solver is interior_point, which solves contacts without friction and rotation; use auto");
  if (2 * problem->contact_count > INT32_MAX)
    return refuse(env, FLOC_LIMIT_EXCEEDED, "%lld contacts exceed the limit of %d",
                  (long long)problem->contact_count, INT32_MAX / 2);
  block_set set = {.env = env,
                   .scratch = scratch,
                   .problem = problem,
                   .options = options,
                   .impulse = impulse,
                   .velocity = velocity};
  check_call call;
  floc_status status = begin(&set, &call);
  bool again = true;
  for (int round = 0; round < MAXIMUM_ROUNDS && again && status == FLOC_OK; round++) {
    arena_mark here = arena_here(scratch);
    list_members(&set);
    if (set.count > 0) status = solve_listed(&set);
    arena_return(scratch, here);
    again = status == FLOC_OK && check(&set, &call, report) && set.most_products < options->max_iterations;
  }
  if (status != FLOC_OK) return status;
  int64_t contacts = problem->contact_count;
  report->iterations = contacts > 0 ? (set.work + contacts - 1) / contacts : 0;
  report->islands = set.islands;
  report->converged = report->residual <= options->tolerance;
  return FLOC_OK;
}
