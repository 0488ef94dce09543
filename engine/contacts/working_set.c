/*
 * The default solver. Until the working set is here, it is the accelerated projected gradient.
 */
#include "contacts/solve.h"
floc_status auto_solve(environment *env, arena *scratch, const contact_problem *problem,
                       const contact_options *options, double *impulse, double *const velocity[3],
                       contact_report *report)
{
  contact_options plain = *options;
  plain.solver = FLOC_SOLVER_APGD;
  return contact_solve(env, scratch, problem, &plain, impulse, velocity, report);
}
