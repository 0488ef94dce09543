/*
 * Contact problems as files: recorded while a simulation steps, and solved alone for `floc solve`.
 */
#include "binding.h"
#include "options_made.h"

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
  const char *path = check_path(L, 1);
  floc_problem_options options;
  floc_problem_options_init(&options);
  options_fill(L, 2, fields, &options);
  floc_problem_report report = {.struct_size = sizeof report};
  floc_status status = floc_problem_solve(path, &options, &report);
  if (status != FLOC_OK) return answer_text(L, status, options.message);
  lua_createtable(L, 0, 13);
  lua_pushboolean(L, report.converged);
  lua_setfield(L, -2, "converged");
  set_integer(L, "dimension", report.dimension);
  set_integer(L, "solver", report.solver);
  set_integer(L, "islands", report.islands);
  set_integer(L, "particles", report.particles);
  set_integer(L, "contacts", report.contacts);
  set_integer(L, "active_contacts", report.active_contacts);
  set_integer(L, "iterations", report.iterations);
  set_number(L, "time_step", report.time_step);
  set_number(L, "tolerance", report.tolerance);
  set_number(L, "residual", report.residual);
  set_number(L, "audited_residual", report.audited_residual);
  set_number(L, "seconds", report.seconds);
  return 1;
}

const luaL_Reg problem_functions[] = {
    {"problem_record", problem_record}, {"problem_solve", problem_solve}, {NULL, NULL}};
