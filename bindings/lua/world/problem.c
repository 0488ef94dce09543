/*
 * Contact problems as files: recorded while a simulation steps, and solved alone for `floc solve`.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

/* problem_record(sim, path) */
static int problem_record(lua_State *L)
{
  binding *self = check_binding(L);
  return answer(L, self, floc_problem_record(self->world, check_path(L, 2)));
}

/* problem_solve(path, options) -> table of the report */
static int problem_solve(lua_State *L)
{
  static const option_field fields[] = {PROBLEM_OPTIONS};
  static const result_field results[] = {PROBLEM_REPORT_RESULT};
  const char *path = check_path(L, 1);
  floc_problem_options options;
  floc_problem_options_init(&options);
  options_fill(L, 2, fields, &options);
  floc_problem_report report = {.struct_size = sizeof report};
  floc_status status = floc_problem_solve(path, &options, &report);
  if (status != FLOC_OK) return answer_text(L, status, options.message);
  push_result(L, results, &report, report.dimension);
  return 1;
}

const luaL_Reg problem_functions[] = {
    {"problem_record", problem_record}, {"problem_solve", problem_solve}, {NULL, NULL}};
