/*
 * Contact problems as files: one is recorded while a world steps, and solved alone later, so that solvers are
 * compared on the same problem, by us and by others. The sections are those of contacts/problem_file.h.
 */
#include "world.h"

#include "base/threads/parallel.h"
#include "contacts/problem/problem_file.h"
#include "files/checkpoint/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- recording ---- */

void world_forget_problem(floc_world *world)
{
  if (world->problem_path) memory_free(&world->env, world->problem_path, strlen(world->problem_path) + 1);
  world->problem_path = NULL;
}

floc_status floc_problem_record(floc_world *world, const char *path)
{
  WORLD_ENTER(world);
  if (!path || !path[0]) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "path is %s", path ? "empty" : "NULL");
  floc_status status = world_need_feature(world, FLOC_FEATURE_PROBLEMS);
  if (status != FLOC_OK) return status;
  size_t size = strlen(path) + 1;
  char *copy = memory_resize(&world->env, NULL, 0, size);
  if (!copy) return refuse(&world->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", size);
  memcpy(copy, path, size);
  world_forget_problem(world);
  world->problem_path = copy;
  return FLOC_OK;
}

static floc_status write_problem(environment *env, const char *path, recorded_problem *problem)
{
  problem_numbers numbers;
  section_list list;
  section_list_init(&list, env);
  floc_status status = problem_sections(problem, &numbers, &list);
  if (status == FLOC_OK) status = checkpoint_write(env, file_layer_system(), path, 1, &list);
  section_list_free(&list);
  return status;
}

floc_status world_record_problem(void *context, recorded_problem *problem)
{
  floc_world *world = context;
  return write_problem(&world->env, world->problem_path, problem);
}

/* ---- solving ---- */

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct solve_alone {
  recorded_problem from;
  contact_answer answer;
} solve_alone;

static double *answer_column(arena *memory, int64_t count, bool wanted, bool *complete)
{
  if (!wanted) return NULL;
  double *made = arena_allocate(memory, (size_t)count + 1, sizeof *made);
  *complete = *complete && made;
  return made;
}

static floc_status allocate_answer(arena *memory, solve_alone *alone)
{
  const contact_problem *problem = &alone->from.problem;
  contact_answer *answer = &alone->answer;
  bool complete = true;
  answer->impulse = answer_column(memory, problem->contact_count, true, &complete);
  for (int axis = 0; axis < 3; axis++) {
    answer->tangent[axis] = answer_column(memory, problem->contact_count, alone->from.tangent[axis], &complete);
    answer->moment[axis] = answer_column(memory, problem->contact_count, alone->from.moment[axis], &complete);
    answer->velocity[axis] = answer_column(memory, problem->body_count, axis < problem->dimension, &complete);
    answer->spin[axis] = answer_column(memory, problem->body_count, problem->free_spin[axis], &complete);
  }
  return complete ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

static void set_column(const double *guess, int64_t count, bool warm, double *column)
{
  for (int64_t a = 0; column && a < count; a++) column[a] = warm ? guess[a] : 0.0;
}

static void set_guess(const solve_alone *alone, bool warm)
{
  const int64_t contacts = alone->from.problem.contact_count;
  set_column(alone->from.impulse, contacts, warm, alone->answer.impulse);
  for (int axis = 0; axis < 3; axis++) {
    set_column(alone->from.tangent[axis], contacts, warm, alone->answer.tangent[axis]);
    set_column(alone->from.moment[axis], contacts, warm, alone->answer.moment[axis]);
  }
}

/* Solves `repeat` times; the least time counts, and the answer is the same each time. Clocks of CPU time that tick
 * every few milliseconds see nothing of a small problem: then the mean counts. */
static floc_status solve_repeatedly(environment *env, arena *scratch, solve_alone *alone,
                                    const floc_problem_options *options, contact_report *solved, double *seconds)
{
  const contact_problem *problem = &alone->from.problem;
  double least = INFINITY, begin = processor_seconds();
  if (problem->contact_count < CONTACTS_WORTH_SHARING) env->threads = 1;
  parallel_call_team(env);
  for (int32_t k = 0; k < options->repeat; k++) {
    arena_reset(scratch);
    set_guess(alone, options->warm_start);
    double start = processor_seconds();
    floc_status status = contact_solve(env, scratch, problem, &alone->from.options, &alone->answer, solved);
    if (status != FLOC_OK) return status;
    least = fmin(least, processor_seconds() - start);
  }
  *seconds = least > 0.0 ? least : (processor_seconds() - begin) / options->repeat;
  return FLOC_OK;
}

static void fill_problem_report(const solve_alone *alone, const contact_report *solved, double seconds,
                                floc_problem_report *report)
{
  const contact_problem *problem = &alone->from.problem;
  *report = (floc_problem_report){.struct_size = sizeof *report,
                                  .converged = solved->converged,
                                  .dimension = problem->dimension,
                                  .solver = alone->from.options.solver,
                                  .islands = solved->islands,
                                  .particles = problem->body_count,
                                  .contacts = problem->contact_count,
                                  .active_contacts = solved->active,
                                  .iterations = solved->iterations,
                                  .time_step = problem->time_step,
                                  .tolerance = alone->from.options.tolerance,
                                  .residual = solved->residual,
                                  .seconds = seconds};
  report->audited_residual = contact_audit(problem, &alone->answer);
}

/* The problem as it was in the file, with the answer as its guess. */
static floc_status write_answer(environment *env, const char *path, const solve_alone *alone,
                                const contact_options *of_file)
{
  recorded_problem answered = alone->from;
  answered.options = *of_file;
  answered.impulse = alone->answer.impulse;
  for (int axis = 0; axis < 3; axis++) {
    answered.tangent[axis] = alone->answer.tangent[axis];
    answered.moment[axis] = alone->answer.moment[axis];
  }
  return write_problem(env, path, &answered);
}

static floc_status solve_sections(environment *env, arena memory[2], const section_list *list,
                                  const floc_problem_options *options, floc_problem_report *report)
{
  solve_alone alone = {0};
  contact_report solved;
  double seconds;
  floc_status status = problem_from_sections(list, &memory[0], &alone.from);
  if (status != FLOC_OK) return status;
  const contact_options of_file = alone.from.options;
  if (options->solver >= 0) alone.from.options.solver = options->solver;
  if (options->tolerance > 0.0) {
    alone.from.options.tolerance = options->tolerance;
    alone.from.options.aim = 0.0;
  }
  if (options->max_iterations > 0) alone.from.options.max_iterations = options->max_iterations;
  status = allocate_answer(&memory[0], &alone);
  if (status == FLOC_OK) status = solve_repeatedly(env, &memory[1], &alone, options, &solved, &seconds);
  if (status == FLOC_OK) fill_problem_report(&alone, &solved, seconds, report);
  if (status == FLOC_OK && options->answer) status = write_answer(env, options->answer, &alone, &of_file);
  return status;
}

floc_status floc_problem_solve(const char *path, floc_problem_options *options, floc_problem_report *report)
{
  environment unheard = {0};
  if (!path) return FLOC_INVALID_ARGUMENT;
  FILL_RESULT(&unheard, problem_options, options);
  FILL_RESULT(&unheard, problem_report, report);
  FLOAT_DEFAULT;
  environment env = {.allocate = default_allocate, .threads = world_choose_threads(options->threads)};
  arena memory[2];
  for (int k = 0; k < 2; k++) arena_init(&memory[k], &env);
  checkpoint *file = NULL;
  floc_status status = fields_check(&env, &struct_problem_options, options);
  if (status == FLOC_OK) status = checkpoint_open(&env, file_layer_system(), path, &file);
  if (status == FLOC_OK) status = solve_sections(&env, memory, checkpoint_sections(file), options, report);
  if (file) checkpoint_close(file);
  for (int k = 0; k < 2; k++) arena_free(&memory[k]);
  parallel_dismiss_team(&env);
  if (status == FLOC_OUT_OF_MEMORY && !env.message[0]) refuse(&env, status, "out of memory");
  snprintf(options->message, sizeof options->message, "%s", env.message);
  return status;
}
