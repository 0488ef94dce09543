/*
 * The trapezoidal rule (31)-(34) with fixed-point iteration and adaptive steps (section 6.1, Appendix 3):
 *
 *   v^K = v + h/m (phi F(r^{K-1}, v^{K-1}) + (1 - phi) F(r, v)),   r^K = r + h (phi v^K + (1 - phi) v),
 *
 * from r^0 = r. The error of an iteration is sum |r^K - r^{K-1}| / sum |r^K - r|, which is 1 for K = 1; so
 * K - 1 iterations have contracted it when r^K is known, and the next step follows from (75) with a first
 * error of 1. Its factor is clamped to [0.1, 2]. External forces (rays) enter as their mean over the step.
 *
 * Flow and noise (laws/law_bath.c) act for half the step before it and for half after it, so the trapezoidal rule
 * sees forces alone. A step that is made again with another length begins with the velocities of the table.
 *
 * Orientations turn by phi w^K + (1 - phi) w; where there are any, the ways of surfaces count in both sums.
 *
 * What pairs remember is computed into trial copies, so an iteration always starts from the state before the
 * step, and a rejected step leaves no trace.
 *
 * Reach. A pair that is not in the list must not be able to touch. After each iteration the way of every
 * particle is compared with the reach that the list was made for; where it is longer, the reach is raised
 * and the step is restarted.
 */
#include "schemes/discrete_element/model.h"

#include "base/interruption.h"
#include "base/numbers/wide.h"
#include "base/threads/parallel.h"
#include "geometry/vector.h"
#include "particles/owned.h"
#include "schemes/displacement.h"
#include "schemes/orientation.h"

#include <inttypes.h>
#include <math.h>

enum { REACH_ATTEMPTS = 20, REJECTION_LIMIT = 25 };

static const double LEAST_FACTOR = 0.1, GREATEST_FACTOR = 2.0;
static const double REACH_FACTOR = 1.5; /* of the displacement in the first iteration */
static const double ORDER = 2.0;        /* p of (75): the contraction goes with h^2 */

double step_size_factor(double tolerance, double first_error, double error, int32_t iterations, int32_t desired,
                        double order)
{
  double wanted = floc_pow(tolerance / first_error, 1.0 / (order * desired));
  return wanted / floc_pow(error / first_error, 1.0 / (order * iterations));
}

typedef struct trapezoid {
  discrete_element *method;
  step_context *context;
  double h;
  int64_t count;
  element *start; /* state before the step, after half a bath */
  element *trial; /* K - 1, then K */
  const push *at_start;
  push *at_trial;
  double *reach;     /* its way, and what is beyond it: beyond_way() */
  double bond;       /* bonds reach that many radii; 0: they are not found by distance */
  double half_range; /* of laws and near fields */
  int oriented;      /* columns of the orientation, 0: there are none */
  double *turned[4]; /* of the trial */
  double *before[4]; /* the table's */
  inertias inertia;
  const double *frozen; /* or NULL */
  const double *stiffness;
  const push *external;
  evaluation run; /* of the trial */
  /* of an iteration */
  double changed, moved; /* sums of (6.1, step 4) */
  double overran;        /* greatest ratio of way to reach */
} trapezoid;

/* How far from where a particle will be others are needed, besides those that touch it. */
static inline double beyond_way(const trapezoid *step, double radius)
{
  return step->bond * radius + step->half_range;
}

/* ---- one iteration ---- */

/* Sums of a block. */
typedef struct iteration_block {
  double changed, moved, overran;
  bool finite;
} iteration_block;

typedef struct iteration_pass {
  trapezoid *step;
  iteration_block *block;
} iteration_pass;

HOT double distance_between(const double a[3], const double b[3])
{
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

HOT void iterate_spin(const trapezoid *step, int64_t i, const push *before)
{
  const element *from = &step->start[i];
  double phi = step->method->options.phi;
  const bool stays = step->frozen && step->frozen[i] != 0.0;
  double factor =
      stays ? 0.0
            : step->h / inertia_of(&step->inertia, step->context->table->column[COLUMN_mass][i], from->radius, i);
  const push *now = before ? before : &step->at_start[i];
  for (int k = step->method->dimension == 2 ? 2 : 0; k < 3; k++)
    step->trial[i].spin[k] =
        from->spin[k] + factor * (phi * now->torque[k] + (1.0 - phi) * step->at_start[i].torque[k]);
}

/* Orientation by the mean angular velocity. The surface's way counts among those of the iteration, which has to
 * find where particles that only turn end as well. */
static void iterate_orientation(const trapezoid *step, int64_t i, const push *now, iteration_block *sums)
{
  const element *from = &step->start[i], *to = &step->trial[i];
  const double last[3] = {to->spin[0], to->spin[1], to->spin[2]};
  if (step->method->options.rotation) iterate_spin(step, i, now);
  const double phi = step->method->options.phi, h = step->h;
  double turn[3], before[3];
  for (int k = 0; k < 3; k++) {
    turn[k] = h * (phi * to->spin[k] + (1.0 - phi) * from->spin[k]);
    before[k] = step->at_trial ? h * (phi * last[k] + (1.0 - phi) * from->spin[k]) : 0.0;
  }
  sums->changed += from->radius * distance_between(turn, before);
  sums->moved += from->radius * sqrt(vector_dot(turn, turn));
  orientation_turn(step->oriented, step->before, step->turned, i, turn);
}

HOT void iterate_block_loop(void *context, int64_t begin, int64_t end, int64_t block)
{
  const iteration_pass *pass = context;
  trapezoid *step = pass->step;
  const double *mass = step->context->table->column[COLUMN_mass];
  double h = step->h, phi = step->method->options.phi;
  bool rotation = step->method->options.rotation;
  iteration_block sums = {0.0, 0.0, 0.0, true};
  for (int64_t i = begin; i < end; i++) {
    const element *from = &step->start[i];
    element *trial = &step->trial[i];
    const push *now = step->at_trial ? &step->at_trial[i] : NULL;
    const push *first = &step->at_start[i], *last = now ? now : first;
    if (!now) *trial = *from;
    double before[3] = {trial->position[0], trial->position[1], trial->position[2]};
    const bool stays = step->frozen && step->frozen[i] != 0.0;
    const double per_mass = stays ? 0.0 : h / mass[i], rest = 1.0 - phi; /* a compiler would divide for each axis */
    for (int k = 0; k < 3; k++) {
      trial->velocity[k] = from->velocity[k] + per_mass * (phi * last->force[k] + rest * first->force[k]);
      trial->position[k] = from->position[k] + h * (phi * trial->velocity[k] + rest * from->velocity[k]);
    }
    if (step->oriented > 0) {
      iteration_block turned = {0.0, 0.0, 0.0, true}; /* sums themselves stay in registers */
      iterate_orientation(step, i, now, &turned);
      sums.changed += turned.changed;
      sums.moved += turned.moved;
    } else if (rotation) {
      iterate_spin(step, i, now);
    }
    double way = distance_between(trial->position, from->position);
    double allowed = step->reach[i] - beyond_way(step, from->radius);
    sums.changed += distance_between(trial->position, before);
    sums.moved += way;
    if (way > allowed && !(way <= sums.overran * allowed)) sums.overran = way / allowed;
    sums.finite &= isfinite(way) && isfinite(trial->spin[0] + trial->spin[1] + trial->spin[2]);
  }
  pass->block[block] = sums;
}

CLONED_ACTION(iterate_block, (void *context, int64_t begin, int64_t end, int64_t block),
              (context, begin, end, block))

static floc_status refuse_infinite(const trapezoid *step)
{
  const step_context *context = step->context;
  EACH_SLOT(i, context->table) {
    const element *at = &step->trial[i];
    double sum = distance_between(at->position, step->start[i].position);
    for (int k = 0; k < 3; k++) sum += at->velocity[k] + at->spin[k];
    if (isfinite(sum)) continue;
    return refuse(context->env, FLOC_NOT_A_NUMBER,
                  "particle %" PRId64 " reached position (%g, %g, %g), velocity (%g, %g, %g) in step %" PRId64,
                  context->table->id[i], at->position[0], at->position[1], at->position[2], at->velocity[0],
                  at->velocity[1], at->velocity[2], context->step + 1);
  }
  return refuse(context->env, FLOC_NOT_A_NUMBER, "step %" PRId64 ": positions overflow", context->step + 1);
}

/* r^K from the forces at r^{K-1}; at_trial NULL: those at the start. */
static floc_status iterate(trapezoid *step)
{
  int64_t blocks = parallel_block_count(step->count, PARALLEL_BLOCK);
  iteration_pass pass = {step, arena_allocate(step->context->scratch, (size_t)blocks, sizeof *pass.block)};
  if (!pass.block) return FLOC_OUT_OF_MEMORY;
  slots_for(step->context->env, step->context->table, PARALLEL_BLOCK, iterate_block, &pass);
  step->changed = step->moved = step->overran = 0.0;
  bool finite = true;
  for (int64_t k = 0; k < blocks; k++) {
    step->changed += pass.block[k].changed;
    step->moved += pass.block[k].moved;
    step->overran = fmax(step->overran, pass.block[k].overran);
    finite &= pass.block[k].finite;
  }
  return finite ? FLOC_OK : refuse_infinite(step);
}

/* ---- one attempt with a time step ---- */

static evaluation make_evaluation(const trapezoid *step, const element *at, push *pushes, double increment,
                                  double time)
{
  discrete_element *method = step->method;
  evaluation run = {.method = method,
                    .context = step->context,
                    .increment = increment,
                    .time = time,
                    .time_step = step->h,
                    .at = at,
                    .turned = at == step->trial ? step->turned : NULL,
                    .pushes = pushes};
  run.in_place = true;
  run.stiffness = step->stiffness;
  run.external = step->external;
  run.pairs_from = element_memory(method, neighbors_pairs(step->context->near));
  run.walls_from = element_memory(method, neighbors_walls(step->context->near));
  return run;
}

static floc_status evaluate(trapezoid *step, const element *at, push *pushes, double increment, double time)
{
  step->run = make_evaluation(step, at, pushes, increment, time);
  floc_status status = element_trial_memory(&step->run);
  if (status == FLOC_OK) status = element_prepare(&step->run);
  stage_done(step->context, STAGE_LAWS);
  if (status == FLOC_OK) element_act(&step->run);
  stage_done(step->context, STAGE_CONTACTS);
  return status;
}

/* What particles may need: the way of a step at constant velocity, and what is beyond it. */
static void first_reach(trapezoid *step)
{
  EACH_SLOT(i, step->context->table) {
    const double *v = step->start[i].velocity;
    double way = step->h * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    step->reach[i] = REACH_FACTOR * way + beyond_way(step, step->start[i].radius);
  }
}

/* Raises the search radius of particles that went farther. */
static void raise_reach(trapezoid *step)
{
  EACH_SLOT(i, step->context->table) {
    double beyond = beyond_way(step, step->start[i].radius);
    double way = distance_between(step->trial[i].position, step->start[i].position);
    if (way > step->reach[i] - beyond) step->reach[i] = REACH_FACTOR * way + beyond;
  }
}

typedef enum attempt_end { ATTEMPT_CONVERGED, ATTEMPT_OPEN, ATTEMPT_OVERRAN, ATTEMPT_ASTRAY } attempt_end;

/* An iteration that diverges would soon have every pair in the lists. */
static floc_status check_ways(const trapezoid *step, attempt_end *end)
{
  if (step->method->options.contact_force == FLOC_CONTACT_FORCE_NONE) return FLOC_OK;
  double *velocity[3];
  for (int k = 0; k < 3; k++) {
    velocity[k] = arena_allocate(step->context->scratch, (size_t)step->count, sizeof(double));
    if (!velocity[k]) return FLOC_OUT_OF_MEMORY;
    EACH_SLOT(i, step->context->table)
      velocity[k][i] = (step->trial[i].position[k] - step->start[i].position[k]) / step->h;
  }
  floc_status status = displacement_check(step->context, velocity, "as its forces are iterated");
  if (status != FLOC_OK) *end = ATTEMPT_ASTRAY;
  return status;
}

/* Iterates from the start (iterate_block) with the present lists. *error is the last iteration's, *done how many
 * there were after the first. */
static floc_status iterate_to_end(trapezoid *step, push *trial_pushes, double *error, int32_t *done,
                                  attempt_end *end)
{
  const floc_discrete_element_options *options = &step->method->options;
  step->at_trial = NULL;
  *end = ATTEMPT_OPEN;
  floc_status status = iterate(step);
  for (*done = 1; status == FLOC_OK; ++*done) {
    *end = step->overran > 0.0 ? ATTEMPT_OVERRAN : ATTEMPT_OPEN;
    if (*end == ATTEMPT_OVERRAN) return FLOC_OK;
    status = interruption_status(step->context->env);
    if (status == FLOC_OK)
      status = evaluate(step, step->trial, trial_pushes, step->h, step->context->time + step->h);
    step->at_trial = trial_pushes;
    if (status == FLOC_OK) status = iterate(step);
    if (status != FLOC_OK) return status;
    *error = step->moved > 0.0 ? step->changed / step->moved : 0.0;
    if (step->overran > 0.0) continue;
    if (*error <= options->tolerance) *end = ATTEMPT_CONVERGED;
    if (*end == ATTEMPT_CONVERGED || *done >= options->iterations) return FLOC_OK;
  }
  return status;
}

/* The whole step of length h. */
static floc_status attempt(trapezoid *step, double *error, int32_t *done, attempt_end *end)
{
  step_context *context = step->context;
  push *at_start = arena_allocate(context->scratch, (size_t)step->count, sizeof *at_start);
  push *at_trial = arena_allocate(context->scratch, (size_t)step->count, sizeof *at_trial);
  if (!at_start || !at_trial) return FLOC_OUT_OF_MEMORY;
  step->at_start = at_start;
  floc_status status = element_external(context, step->h, &step->external);
  if (status == FLOC_OK) status = bodies_prepare(context->obstacles, context->time, step->h);
  stage_done(context, STAGE_BODIES);
  for (int tries = 0; status == FLOC_OK && tries < REACH_ATTEMPTS; tries++) {
    status = element_update_neighbors(step->method, context, step->reach);
    stage_done(context, STAGE_NEIGHBORS);
    if (status == FLOC_OK) status = evaluate(step, step->start, at_start, 0.0, context->time);
    if (status == FLOC_OK) status = element_check_centres(context, step->run.overlap);
    if (status == FLOC_OK) status = iterate_to_end(step, at_trial, error, done, end);
    if (status != FLOC_OK || *end != ATTEMPT_OVERRAN) return status;
    status = check_ways(step, end);
    raise_reach(step);
  }
  if (status != FLOC_OK) return status;
  return refuse(context->env, FLOC_NOT_SUPPORTED,
                "step %" PRId64 ": contacts keep moving particles beyond their search radius; reduce "
                "time_step",
                context->step + 1);
}

/* ---- the step ---- */

static double clamped_factor(const floc_discrete_element_options *options, double error, int32_t done)
{
  if (error == 0.0) return GREATEST_FACTOR;
  double factor = step_size_factor(options->tolerance, 1.0, error, done, options->iterations, ORDER);
  return factor < LEAST_FACTOR ? LEAST_FACTOR : factor > GREATEST_FACTOR ? GREATEST_FACTOR : factor;
}

static floc_status begin_bath(trapezoid *step)
{
  step_context *context = step->context;
  element_load(step->method, context->table, step->start);
  return element_bathe(step->method, context, context->time, 0.5 * step->h, 0, step->start);
}

static floc_status end_bath(trapezoid *step)
{
  step_context *context = step->context;
  if (!laws_have_bath(context->forces)) return FLOC_OK;
  return element_bathe(step->method, context, context->time + step->h, 0.5 * step->h, 1, step->trial);
}

/* Takes the step, or smaller ones, until the iteration converges. *chosen: what the scheme wanted. */
static floc_status find_step(trapezoid *step, double *error, int32_t *done, bool *converged)
{
  const floc_discrete_element_options *options = &step->method->options;
  bool bathes = laws_have_bath(step->context->forces);
  for (int rejected = 0;; rejected++) {
    attempt_end end = ATTEMPT_OPEN;
    floc_status status = bathes ? begin_bath(step) : FLOC_OK;
    if (status != FLOC_OK) return status;
    first_reach(step);
    status = attempt(step, error, done, &end);
    if (status != FLOC_OK && end == ATTEMPT_ASTRAY && options->adaptive && rejected < REJECTION_LIMIT) {
      status = FLOC_OK; /* a smaller step may not diverge */
      *error = INFINITY;
    }
    step->method->counters.total_iterations += (double)*done;
    *converged = end == ATTEMPT_CONVERGED;
    if (status != FLOC_OK || *converged || !options->adaptive || rejected == REJECTION_LIMIT) return status;
    double factor = clamped_factor(options, *error, *done);
    step->h *= factor < 0.9 ? factor : 0.9; /* (75) may say 1 when it has just missed */
    step->method->counters.rejected_steps += 1.0;
    bodies_revert(step->context->obstacles);
  }
}

/* The table gets the last iterate; the sum is the kinetic energy. */
HOT void commit_block_loop(void *context, int64_t begin, int64_t end, exact_sum *energy)
{
  const trapezoid *step = context;
  double *const *column = step->context->table->column;
  double *spin[3];
  element_spin_columns(step->method, step->context->table, spin);
  for (int64_t i = begin; i < end; i++) {
    const element *trial = &step->trial[i];
    double square = 0.0, turning = 0.0, mass = column[COLUMN_mass][i];
    for (int k = 0; k < 3; k++) {
      column[COLUMN_x + k][i] = domain_wrap(step->context->box, k, trial->position[k]);
      column[COLUMN_vx + k][i] = trial->velocity[k];
      square += trial->velocity[k] * trial->velocity[k];
      if (!spin[k]) continue;
      spin[k][i] = trial->spin[k];
      turning += trial->spin[k] * trial->spin[k];
    }
    for (int k = 0; k < step->oriented; k++) step->before[k][i] = step->turned[k][i];
    exact_add(energy, 0.5 * (mass * square + inertia_of(&step->inertia, mass, trial->radius, i) * turning));
  }
}

CLONED_ACTION(commit_block, (void *context, int64_t begin, int64_t end, exact_sum *energy),
              (context, begin, end, energy))

/* (5): the next step. One that the world had cut short says little about the next, unless it was hard. */
static void choose_next_step(trapezoid *step, double wanted, double error, int32_t done)
{
  const floc_discrete_element_options *options = &step->method->options;
  if (!options->adaptive) return;
  double factor = clamped_factor(options, error, done), next = factor * step->h;
  bool cut_short = step->h < wanted && step->h == step->context->time_step && factor >= 1.0;
  step->method->counters.next_time_step = cut_short && next < wanted ? wanted : next;
}

static void commit(trapezoid *step, double error, int32_t done, bool converged)
{
  step_context *context = step->context;
  discrete_element *method = step->method;
  element_keep_memory(&step->run);
  element_push_bodies(&step->run);
  context->report->kinetic_energy = owned_sum(context->env, context->table, PARALLEL_BLOCK, commit_block, step);
  context->time_step = step->h;
  bodies_commit(context->obstacles, step->h);
  method->iterations = done;
  method->error = error / method->options.tolerance;
  element_finish(method, context, &step->run);
  context->report->residual = error;
  context->report->tolerance = method->options.tolerance;
  context->report->greatest_residual = fmax(context->report->greatest_residual, method->error);
  context->report->converged = converged;
  context->report->unconverged_steps += converged ? 0 : 1;
  context->report->iterations = done;
  context->report->total_iterations += done;
  stage_done(context, STAGE_POSITIONS);
}

floc_status element_step_trapezoidal(discrete_element *method, step_context *context)
{
  int64_t count = context->table->count;
  const floc_discrete_element_options *options = &method->options;
  trapezoid step = {.method = method,
                    .context = context,
                    .count = count,
                    .bond = options->bond_law == FLOC_BOND_PERSISTENT ? options->bond_breaking : 0.0,
                    .half_range = 0.5 * element_field_range(method, context->forces)};
  step.start = arena_allocate(context->scratch, (size_t)count, sizeof *step.start);
  step.trial = arena_allocate(context->scratch, (size_t)count, sizeof *step.trial);
  step.reach = arena_allocate(context->scratch, (size_t)count, sizeof *step.reach);
  if (!step.start || !step.trial || !step.reach) return FLOC_OUT_OF_MEMORY;
  step.inertia = find_inertias(method, context->table);
  step.frozen = particles_frozen(context->table);
  step.oriented = element_orientation(method, context->table, step.before);
  if (element_make_orientation(method, context, step.turned) != FLOC_OK) return FLOC_OUT_OF_MEMORY;
  element_load(method, context->table, step.start);
  double first = method->options.first_time_step > 0.0 ? method->options.first_time_step : context->time_step;
  double wanted = method->counters.next_time_step > 0.0 ? method->counters.next_time_step : first;
  if (!method->options.adaptive) wanted = context->time_step;
  step.h = wanted < context->time_step ? wanted : context->time_step;
  element_counters before = method->counters;
  double error = 0.0;
  int32_t done = 0;
  bool converged = false;
  floc_status status = element_stiffnesses(method, context, &step.stiffness);
  if (status == FLOC_OK) status = find_step(&step, &error, &done, &converged);
  if (status == FLOC_OK) status = end_bath(&step);
  if (status != FLOC_OK) {
    method->counters = before;
    return status;
  }
  choose_next_step(&step, wanted, error, done);
  commit(&step, error, done, converged);
  return FLOC_OK;
}
