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

floc_status world_record_problem(void *context, const recorded_problem *problem)
{
  floc_world *world = context;
  problem_numbers numbers;
  block_numbers blocks;
  section_list list;
  section_list_init(&list, &world->env);
  floc_status status =
      problem->blocks ? block_sections(problem->blocks, problem->options, problem->impulse, &blocks, &list)
                      : problem_sections(problem->contacts, problem->options, problem->impulse, &numbers, &list);
  if (status == FLOC_OK) status = checkpoint_write(&world->env, file_layer_system(), world->problem_path, 1, &list);
  section_list_free(&list);
  return status;
}

/* ---- solving ---- */

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One of the two kinds. */
typedef struct solve_alone {
  bool has_blocks;
  contact_problem problem;
  block_problem blocks;
  contact_options options;
  const double *guess;
  int64_t contacts, bodies;
  int32_t dimension;
  double time_step;
  double *impulse, *velocity[3]; /* of blocks: velocity[0] has all freedoms */
} solve_alone;

static floc_status read_problem(const section_list *list, solve_alone *alone)
{
  alone->has_blocks = sections_hold_blocks(list);
  floc_status status = alone->has_blocks
                           ? block_problem_from_sections(list, &alone->blocks, &alone->options, &alone->guess)
                           : problem_from_sections(list, &alone->problem, &alone->options, &alone->guess);
  alone->contacts = alone->has_blocks ? alone->blocks.contact_count : alone->problem.contact_count;
  alone->bodies = alone->has_blocks ? alone->blocks.body_count : alone->problem.particle_count;
  alone->dimension = alone->has_blocks ? alone->blocks.dimension : alone->problem.dimension;
  alone->time_step = alone->has_blocks ? alone->blocks.time_step : alone->problem.time_step;
  return status;
}

/* Numbers of all impulses. */
static size_t impulse_count(const solve_alone *alone)
{
  return (size_t)alone->contacts * (alone->has_blocks ? (size_t)block_impulses(&alone->blocks) : 1);
}

static floc_status allocate_answer(arena *memory, solve_alone *alone)
{
  int columns = alone->has_blocks ? 1 : alone->dimension;
  size_t values = (size_t)alone->bodies * (alone->has_blocks ? (size_t)block_freedoms(alone->dimension) : 1);
  alone->impulse = arena_allocate(memory, impulse_count(alone) + 1, sizeof(double));
  bool complete = alone->impulse;
  for (int axis = 0; axis < columns; axis++) {
    alone->velocity[axis] = arena_allocate(memory, values + 1, sizeof(double));
    complete = complete && alone->velocity[axis];
  }
  return complete ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

static floc_status solve_one(environment *env, arena *scratch, solve_alone *alone, contact_report *solved)
{
  if (alone->has_blocks)
    return block_solve(env, scratch, &alone->blocks, &alone->options, alone->impulse, alone->velocity[0], solved);
  return contact_solve(env, scratch, &alone->problem, &alone->options, alone->impulse, alone->velocity, solved);
}

/* Solves `repeat` times; the least time counts, and the answer is the same each time. */
static floc_status solve_repeatedly(environment *env, arena *scratch, solve_alone *alone,
                                    const floc_problem_options *options, contact_report *solved, double *seconds)
{
  size_t impulses = impulse_count(alone);
  *seconds = INFINITY;
  if (alone->contacts < CONTACTS_WORTH_SHARING) env->threads = 1;
  parallel_call_team(env);
  for (int32_t k = 0; k < options->repeat; k++) {
    arena_reset(scratch);
    for (size_t a = 0; a < impulses; a++) alone->impulse[a] = options->warm_start ? alone->guess[a] : 0.0;
    double start = processor_seconds();
    floc_status status = solve_one(env, scratch, alone, solved);
    if (status != FLOC_OK) return status;
    *seconds = fmin(*seconds, processor_seconds() - start);
  }
  return FLOC_OK;
}

static void fill_problem_report(const solve_alone *alone, const contact_report *solved, double seconds,
                                floc_problem_report *report)
{
  *report = (floc_problem_report){.struct_size = sizeof *report,
                                  .converged = solved->converged,
                                  .dimension = alone->dimension,
                                  .solver = alone->options.solver,
                                  .islands = solved->islands,
                                  .particles = alone->bodies,
                                  .contacts = alone->contacts,
                                  .active_contacts = solved->active,
                                  .iterations = solved->iterations,
                                  .time_step = alone->time_step,
                                  .tolerance = alone->options.tolerance,
                                  .residual = solved->residual,
                                  .seconds = seconds};
  report->audited_residual = alone->has_blocks ? block_audit(&alone->blocks, alone->impulse, alone->velocity[0])
                                               : contact_audit(&alone->problem, alone->impulse, alone->velocity);
}

static floc_status solve_sections(environment *env, arena memory[2], const section_list *list,
                                  const floc_problem_options *options, floc_problem_report *report)
{
  solve_alone alone = {0};
  contact_report solved;
  double seconds;
  floc_status status = read_problem(list, &alone);
  if (status != FLOC_OK) return status;
  if (options->solver >= 0) alone.options.solver = options->solver;
  if (options->tolerance > 0.0) {
    alone.options.tolerance = options->tolerance;
    alone.options.aim = 0.0;
  }
  if (options->max_iterations > 0) alone.options.max_iterations = options->max_iterations;
  status = allocate_answer(&memory[0], &alone);
  if (status == FLOC_OK) status = solve_repeatedly(env, &memory[1], &alone, options, &solved, &seconds);
  if (status == FLOC_OK) fill_problem_report(&alone, &solved, seconds, report);
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
