/*
 * contact_solve(): chooses the solver, and says truthfully what came out. The residual in the report is
 * computed afresh from the impulses and velocities that are returned, whatever the solver believed.
 */
#include "contacts/solvers/solve.h"

#include "base/interruption.h"
#include "contacts/blocks/block_system.h"
#include "contacts/finish/finish.h"

#include <assert.h>
#include <math.h>

enum { CROWDED = 8 };

/* ---- bodies ---- */

typedef struct body_call {
  const contact_problem *problem;
  const contact_answer *answer;
  int32_t *slot;
} body_call;

static void begin_bodies(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const body_call *call = context;
  for (int64_t i = begin; i < end; i++) call->slot[i] = -1;
  for (int axis = 0; axis < call->problem->dimension; axis++) {
    const double *from = call->problem->free_velocity[axis];
    double *to = call->answer->velocity[axis];
    for (int64_t i = begin; i < end; i++) to[i] = from[i];
  }
  for (int axis = 0; axis < 3; axis++)
    for (int64_t i = begin; i < end && call->answer->spin[axis]; i++)
      call->answer->spin[axis][i] = call->problem->free_spin[axis][i];
}

/* ---- the residual ---- */

typedef struct residual_call {
  const contact_problem *problem;
  const double *impulse;
  const double *velocity[3];
} residual_call;

static double residual_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const residual_call *call = context;
  const contact_problem *problem = call->problem;
  double worst = 0.0;
  for (int64_t a = begin; a < end; a++) {
    double w = problem->dimension == 2 ? contact_velocity(problem, a, call->velocity, 2)
                                       : contact_velocity(problem, a, call->velocity, 3);
    double excess = call->impulse[a] - problem->lower[a];
    if (!(excess == 0.0 && w >= 0.0)) {
      int32_t second = problem->second[a];
      double slack =
          (problem->inverse_mass[problem->first[a]] + (second >= 0 ? problem->inverse_mass[second] : 0.0)) * excess;
      worst = greatest(worst, fabs(slack < w ? slack : w));
    }
  }
  return worst;
}

static double residual_of(const environment *env, const contact_problem *problem, const double *impulse,
                          double *const velocity[3])
{
  residual_call call = {problem, impulse, {velocity[0], velocity[1], velocity[2]}};
  return problem->time_step * parallel_max(env, problem->contact_count, PARALLEL_BLOCK, 0.0, residual_block, &call);
}

static double count_active(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const double *impulse = context;
  int64_t active = 0;
  for (int64_t a = begin; a < end; a++) active += impulse[a] != 0.0;
  return (double)active;
}

/* ---- the solvers that see the problem as one system ---- */

static floc_status solve_by_interior_point(environment *env, arena *scratch, const contact_problem *problem,
                                           double *impulse, solver_limits limits, solver_outcome *outcome)
{
  contact_system system;
  floc_status status = system_create(env, scratch, problem, impulse, &system);
  if (status == FLOC_OK && system.finite) status = finish_system_solve(env, scratch, &system, limits, outcome);
  if (status == FLOC_OK) system_return_impulses(env, problem, &system, impulse);
  return status;
}

static floc_status solve_whole(environment *env, arena *scratch, const contact_problem *problem,
                               const contact_options *options, const contact_answer *answer, contact_report *report)
{
  const int64_t contacts = problem->contact_count;
  const bool factorises = options->solver == FLOC_SOLVER_INTERIOR_POINT;
  solver_limits limits =
      limits_within_work(env, (solver_limits){options->tolerance, options->max_iterations}, contacts);
  solver_outcome outcome = {0};
  floc_status status = FLOC_OK;
  if (factorises) status = solve_by_interior_point(env, scratch, problem, answer->impulse, limits, &outcome);
  block_island all;
  if (status == FLOC_OK) status = block_allocate(scratch, BLOCK_NORMAL, contacts, &all);
  if (status != FLOC_OK) return status;
  int32_t *listed = arena_allocate(scratch, (size_t)contacts, sizeof *listed);
  int32_t *slot = arena_allocate(scratch, (size_t)problem->body_count, sizeof *slot);
  double *work = arena_allocate(scratch, factorises ? 0 : block_gradient_work_size(&all), sizeof *work);
  if (!listed || !slot || !work) return FLOC_OUT_OF_MEMORY;
  for (int64_t a = 0; a < contacts; a++) listed[a] = (int32_t)a;
  body_call call = {problem, answer, slot};
  parallel_for(env, problem->body_count, PARALLEL_BLOCK, begin_bodies, &call);
  block_pack(env, problem, answer, listed, contacts, slot, &all);
  if (!factorises) outcome = block_gradient_solve(env, &all, work, limits, options->solver != FLOC_SOLVER_UZAWA);
  block_return(env, problem, &all, answer);
  report->iterations = outcome.products;
  work_add(env, WORK_SOLVER, report->iterations * contacts);
  report->residual = residual_of(env, problem, answer->impulse, answer->velocity);
  report->active = parallel_count(env, contacts, PARALLEL_BLOCK, count_active, answer->impulse);
  return FLOC_OK;
}

/* Products that the work of a step allows. A crowd has three to six contacts a particle, and within reach of fast
 * ones some more; where it has many more, particles cross it in a step, and a limit ends that. */
static int64_t most_products(const environment *env, const contact_problem *problem, int64_t most)
{
  if (env->work && problem->contact_count > CROWDED * problem->body_count) env->work->strict = true;
  const int64_t unit = problem->contact_count * (contacts_have_blocks(problem) ? WORK_FRICTION : 1);
  const int64_t allowed = unit > 0 ? work_allowance(env) / unit : most;
  return most < allowed ? most : allowed > 1 ? allowed : 1;
}

floc_status contact_solve(environment *env, arena *scratch, const contact_problem *problem,
                          const contact_options *given, const contact_answer *answer, contact_report *report)
{
  contact_options within = *given, *options = &within;
  within.max_iterations = most_products(env, problem, given->max_iterations);
  assert(problem->dimension == 2 || problem->dimension == 3);
  assert(problem->time_step > 0.0 && options->tolerance > 0.0);
  *report = (contact_report){0};
  const bool blocks = contacts_have_blocks(problem);
  const int64_t most = blocks || options->solver != FLOC_SOLVER_AUTO ? INT32_MAX / 2 : INT32_MAX;
  if (problem->contact_count > most) {
    return refuse(env, FLOC_LIMIT_EXCEEDED, "%lld contacts exceed the limit of %lld",
                  (long long)problem->contact_count, (long long)most);
  }
  floc_status status;
  switch ((floc_solver)options->solver) {
  case FLOC_SOLVER_AUTO:
    status = auto_solve(env, scratch, problem, options, answer, report);
    break;
  case FLOC_SOLVER_UZAWA:
  case FLOC_SOLVER_APGD:
  case FLOC_SOLVER_INTERIOR_POINT:
    if (blocks && options->solver == FLOC_SOLVER_INTERIOR_POINT && !(problem->convex && problem->dimension == 2))
      status = refuse(env, FLOC_NOT_SUPPORTED,
                      "solver is interior_point, which takes no friction and no assemblies (in two dimensions "
                      "friction under the convex law); use auto");
    else
      status = (blocks ? auto_solve : solve_whole)(env, scratch, problem, options, answer, report);
    break;
  default:
    status = refuse(env, FLOC_INVALID_ARGUMENT, "solver is %d; it must be one of floc_solver, 0 to 3",
                    (int)options->solver);
  }
  if (status == FLOC_OK) status = interruption_status(env);
  report->converged = status == FLOC_OK && (report->residual <= options->tolerance || options->budget > 0);
  return status;
}
