/*
 * Where a problem was not solved: what a step says that did not reach its tolerance. See solve.h.
 *
 * Islands are found again over the contacts that carry an impulse or are above the tolerance: the solver's own may
 * have changed while violated contacts joined them.
 */
#include "contacts/solvers/solve.h"

#include <math.h>
#include <string.h>

static int32_t root_of(int32_t *parent, int32_t body)
{
  while (parent[body] != body) body = parent[body] = parent[parent[body]];
  return body;
}

static void join(int32_t *parent, int32_t a, int32_t b)
{
  a = root_of(parent, a);
  b = root_of(parent, b);
  parent[a > b ? a : b] = a > b ? b : a;
}

floc_status contact_find_unsolved(arena *scratch, const contact_problem *problem, const contact_answer *answer,
                                  double tolerance, unsolved_contacts *found)
{
  *found = (unsolved_contacts){.worst = -1};
  const size_t bodies = (size_t)problem->body_count, contacts = (size_t)problem->contact_count;
  int32_t *parent = arena_allocate(scratch, bodies, sizeof *parent);
  bool *counted = arena_allocate(scratch, bodies, sizeof *counted);
  double *residual = arena_allocate(scratch, contacts, sizeof *residual), worst = tolerance;
  if (!parent || !counted || !residual) return FLOC_OUT_OF_MEMORY;
  memset(counted, 0, bodies * sizeof *counted);
  for (size_t i = 0; i < bodies; i++) parent[i] = (int32_t)i;
  for (int64_t a = 0; a < problem->contact_count; a++) {
    residual[a] = problem->time_step * contact_residual(problem, a, answer);
    if (!(residual[a] <= worst) && !isnan(worst)) {
      worst = residual[a];
      found->worst = a;
    }
    if (problem->second[a] >= 0 && (answer->impulse[a] != 0.0 || !(residual[a] <= tolerance)))
      join(parent, problem->first[a], problem->second[a]);
  }
  for (int64_t a = 0; a < problem->contact_count; a++) {
    if (residual[a] <= tolerance) continue;
    bool *mark = &counted[root_of(parent, problem->first[a])];
    found->islands += !*mark;
    *mark = true;
  }
  return FLOC_OK;
}
