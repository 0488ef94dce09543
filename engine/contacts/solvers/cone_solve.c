/*
 * cone_solve(): chooses the solver, and says truthfully what came out: velocities and residual are computed
 * afresh from the impulses that are returned.
 */
#include "base/interruption.h"
#include "contacts/solvers/cone_system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SWEEPING_PART = 4, LEAST_SWEEPS = 1000 };

/* Sweeps may take a part of what a problem may cost, or all of it where that is little. */
static int64_t sweeps_of(int64_t products)
{
  int64_t part = products / SWEEPING_PART, least = products < LEAST_SWEEPS ? products : LEAST_SWEEPS;
  return part > least ? part : least;
}

static floc_status run_solver(environment *env, arena *scratch, const contact_options *options, cone_system *system,
                              contact_report *report)
{
  int64_t contacts = system->contact_count, bodies = system->body_count;
  size_t gradient = cone_gradient_work_size(contacts, bodies, system->dimension);
  size_t sweeps = cone_gauss_seidel_work_size(contacts, bodies, system->dimension);
  double *work = arena_allocate(scratch, gradient > sweeps ? gradient : sweeps, sizeof *work);
  if (!work) return FLOC_OUT_OF_MEMORY;
  int64_t product = WORK_FRICTION * contacts;
  solver_limits limits =
      limits_within_work(env, (solver_limits){options->tolerance, options->max_iterations}, product);
  solver_limits sweeping = {limits.target, sweeps_of(limits.max_products)};
  solver_outcome outcome = {.residual = INFINITY};
  if (options->solver == FLOC_SOLVER_AUTO) outcome = cone_gauss_seidel_solve(env, system, work, sweeping);
  report->iterations = outcome.products;
  if (!(outcome.residual <= limits.target) && outcome.products < limits.max_products) {
    limits.max_products -= outcome.products;
    outcome = cone_gradient_solve(env, system, work, limits, options->solver != FLOC_SOLVER_UZAWA);
    report->iterations += outcome.products;
  }
  work_add(env, WORK_SOLVER, report->iterations * product);
  return FLOC_OK;
}

/* V = V* + M^-1 G^T P, from the impulses that are returned. */
static void find_velocities(const environment *env, cone_system *system, const double *impulse, double *velocity)
{
  int dimension = system->dimension;
  for (int64_t k = 0; k < system->contact_count; k++) {
    const double *n = system->row + 4 * dimension * k, *root = system->root + 2 * k;
    double tangent[3], *q = system->impulse + dimension * k;
    double along = cone_split(n, impulse + dimension * system->order.contact[k], tangent, dimension) * root[0];
    for (int axis = 0; axis < dimension; axis++) q[axis] = along * n[axis] + tangent[axis] * root[1];
  }
  cone_system_scatter(env, system, system->impulse, velocity);
}

static int64_t count_active(const cone_problem *problem, const double *impulse)
{
  int64_t active = 0;
  for (int64_t a = 0; a < problem->contact_count; a++)
    active += cone_norm(impulse + problem->dimension * a, problem->dimension) != 0.0;
  return active;
}

floc_status cone_solve(environment *env, arena *scratch, const cone_problem *problem,
                       const contact_options *options, double *impulse, double *velocity, contact_report *report)
{
  assert(problem->dimension == 2 || problem->dimension == 3);
  assert(problem->time_step > 0.0 && options->tolerance > 0.0);
  *report = (contact_report){0};
  if (problem->contact_count > INT32_MAX)
    return refuse(env, FLOC_LIMIT_EXCEEDED, "%lld contacts exceed the limit of %d",
                  (long long)problem->contact_count, INT32_MAX);
  cone_system system;
  floc_status status = cone_system_create(scratch, problem, impulse, &system);
  if (status == FLOC_OK && problem->contact_count > 0) status = run_solver(env, scratch, options, &system, report);
  if (status == FLOC_OK) status = interruption_status(env);
  if (status != FLOC_OK) return status;
  cone_system_return(&system, impulse);
  find_velocities(env, &system, impulse, velocity);
  report->residual = cone_system_residual(env, &system, system.impulse, velocity);
  report->converged = report->residual <= options->tolerance;
  report->active = count_active(problem, impulse);
  int64_t values = problem->body_count * cone_freedoms(problem->dimension);
  for (int64_t k = 0; k < values; k++) velocity[k] += problem->free_velocity[k];
  return FLOC_OK;
}
