/*
 * Contacts and joints of one step, each solved by its own means around the other: contacts by sweeps, with members'
 * velocities before contacts as the joints' impulses leave them; then the joints at once, with what contacts give
 * to their members. Each is a minimisation of the same energy over a part of the impulses, so their turns descend
 * to the solution of both; heavy members that hold much of what contacts carry would make that slow, so joints'
 * impulses of several turns are combined (Anderson 1965, the form of Walker and Ni 2011). A combination may lead
 * far away, to impulses a hundred thousand times too large, from which single turns do not come back; then the best
 * turn so far is gone back to, and from there half as many are combined.
 *
 * Guesses are those of the last step, which may be impulses that hold each other, as of a grain that is wedged in
 * between two links, and of any size. Where joints do not hold after all turns, these begin again without guesses.
 *
 * The joints have the last word: what remains is a residual of contacts, by the audit, which shares no code with
 * the solvers; it is that of the step. Where no contact touches a member one turn is the solution.
 */
#include "schemes/projection/joint_step.h"

#include "contacts/problem/problem.h"

#include <math.h>
#include <string.h>

enum { MOST_TURNS = 60, DEPTH = 5, LEAST_PART = 20 /* of the iterations of a step: what a turn has at least */ };

static const double turn_tolerance = 0.5; /* of the tolerance: what contacts are solved to in a turn */
static const double unmoved = 0.01;       /* of the tolerance: what members may go farther by joints' last word */
static const double worse = 4.0;          /* times the least residual so far: back to where that was */

/* Turns so far, newest last: what joints' impulses were, scaled by the root of their mobility, and what came of
 * them. */
typedef struct turn_memory {
  int32_t rows, kept, depth; /* changes, -1: not even a turn; and at most */
  double *scale;             /* [row] */
  double *before, *result;   /* [row] of the last turn */
  double *step[DEPTH];       /* changes of result - before */
  double *change[DEPTH];     /* changes of result */
  double *best;              /* [row] the joints' impulses after the turn of the least residual */
} turn_memory;

static bool allocate_memory(arena *scratch, const articulation *it, turn_memory *memory)
{
  const size_t rows = (size_t)it->rows;
  *memory = (turn_memory){.rows = it->rows, .kept = -1, .depth = DEPTH};
  memory->scale = arena_allocate(scratch, rows, sizeof(double));
  memory->before = arena_allocate(scratch, rows, sizeof(double));
  memory->result = arena_allocate(scratch, rows, sizeof(double));
  memory->best = arena_allocate(scratch, rows, sizeof(double));
  bool complete = memory->scale && memory->before && memory->result && memory->best;
  for (int k = 0; k < DEPTH; k++) {
    memory->step[k] = arena_allocate(scratch, rows, sizeof(double));
    memory->change[k] = arena_allocate(scratch, rows, sizeof(double));
    complete = complete && memory->step[k] && memory->change[k];
  }
  for (int32_t r = 0; complete && r < it->rows; r++) memory->scale[r] = sqrt(it->diagonal[r]);
  return complete;
}

/* Takes the newest turn in; the oldest goes. */
static void remember(turn_memory *memory, const double *given, const double *found)
{
  if (memory->depth == 0) memory->kept = -1;
  if (memory->kept == memory->depth) {
    double *step = memory->step[0], *change = memory->change[0];
    memory->kept--;
    memmove(memory->step, memory->step + 1, (size_t)memory->kept * sizeof *memory->step);
    memmove(memory->change, memory->change + 1, (size_t)memory->kept * sizeof *memory->change);
    memory->step[memory->kept] = step;
    memory->change[memory->kept] = change;
  }
  for (int32_t r = 0; r < memory->rows; r++) {
    const double before = memory->scale[r] * given[r], result = memory->scale[r] * found[r];
    if (memory->kept >= 0) {
      memory->step[memory->kept][r] = (result - before) - (memory->result[r] - memory->before[r]);
      memory->change[memory->kept][r] = result - memory->result[r];
    }
    memory->before[r] = before;
    memory->result[r] = result;
  }
  memory->kept++;
}

static double product(const double *a, const double *b, int32_t count)
{
  double sum = 0.0;
  for (int32_t r = 0; r < count; r++) sum += a[r] * b[r];
  return sum;
}

/* Weights of the changes that bring result - before nearest to 0: normal equations, a little regularised. */
static void find_weights(const turn_memory *memory, double weight[DEPTH])
{
  const int n = memory->kept;
  double matrix[DEPTH][DEPTH + 1];
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++) matrix[a][b] = product(memory->step[a], memory->step[b], memory->rows);
    matrix[a][a] += 1e-12 * matrix[a][a] + 1e-300;
    matrix[a][n] = product(memory->step[a], memory->result, memory->rows) -
                   product(memory->step[a], memory->before, memory->rows);
  }
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) {
      const double ratio = matrix[b][a] / matrix[a][a];
      for (int c = a; c <= n; c++) matrix[b][c] -= ratio * matrix[a][c];
    }
  for (int a = n - 1; a >= 0; a--) {
    weight[a] = matrix[a][n];
    for (int c = a + 1; c < n; c++) weight[a] -= matrix[a][c] * weight[c];
    weight[a] /= matrix[a][a];
    if (!isfinite(weight[a])) weight[a] = 0.0;
  }
}

/* The impulses of the next turn: from the last result towards the combination, as far as the first bound. A motor
 * that holds on against contacts has turns that all add the same, and combinations far away; its bound is where
 * that ends, for all rows. */
static void combine(const articulation *it, const turn_memory *memory, double *next)
{
  double weight[DEPTH], part = 1.0;
  find_weights(memory, weight);
  for (int32_t r = 0; r < memory->rows; r++) {
    const articulation_row *row = &it->row[r];
    double value = memory->result[r];
    for (int k = 0; k < memory->kept; k++) value -= weight[k] * memory->change[k][r];
    next[r] = memory->scale[r] > 0.0 ? value / memory->scale[r] : 0.0;
    const double last = memory->scale[r] > 0.0 ? memory->result[r] / memory->scale[r] : 0.0;
    if (next[r] > row->upper) part = fmin(part, (row->upper - last) / (next[r] - last));
    if (next[r] < row->lower) part = fmin(part, (row->lower - last) / (next[r] - last));
  }
  part = fmax(part, 0.0);
  for (int32_t r = 0; r < memory->rows && part < 1.0; r++) {
    const double last = memory->scale[r] > 0.0 ? memory->result[r] / memory->scale[r] : 0.0;
    next[r] = fmin(fmax(last + part * (next[r] - last), it->row[r].lower), it->row[r].upper);
  }
}

/* ---- turns ---- */

/* Members' velocities before contacts, by joints' impulses. */
static void set_free_velocities(projection_step *step)
{
  joint_step *joints = step->joints;
  for (int32_t m = 0; m < joints->members; m++)
    memcpy(joints->velocity + (size_t)m * ARTICULATION_FREEDOMS, joints->member[m].before,
           sizeof joints->member[m].before);
  articulation_push(&joints->it, joints->impulse, joints->velocity);
  joint_step_write(step, joints->velocity, step->blocks.free_velocity, step->blocks.free_spin);
}

/* Does a contact touch a member? marked: [body of the problem] scratch. */
static floc_status find_touched(projection_step *step, bool *touched)
{
  const joint_step *joints = step->joints;
  const contact_problem *problem = &step->contacts.problem;
  bool *marked = arena_allocate(step->context->scratch, (size_t)problem->body_count, sizeof *marked);
  *touched = false;
  if (!marked) return FLOC_OUT_OF_MEMORY;
  memset(marked, 0, (size_t)problem->body_count * sizeof *marked);
  for (int32_t m = 0; m < joints->members; m++) marked[joints->member[m].own] = true;
  for (int64_t a = 0; a < problem->contact_count && !*touched; a++)
    *touched = marked[problem->first[a]] || (problem->second[a] >= 0 && marked[problem->second[a]]);
  return FLOC_OK;
}

/* Velocities of members without joints, from those of a solution with them. */
static void take_contacts(projection_step *step, const contact_answer *answer)
{
  joint_step *joints = step->joints;
  const size_t numbers = (size_t)joints->members * ARTICULATION_FREEDOMS;
  memset(joints->velocity, 0, numbers * sizeof *joints->velocity);
  articulation_push(&joints->it, joints->impulse, joints->velocity);
  joint_step_read(step, answer->velocity, answer->spin, joints->base);
  for (size_t k = 0; k < numbers; k++) joints->base[k] -= joints->velocity[k];
}

/* How far members go in the step beyond where the last turn's contacts left them. */
static double gone_farther(const projection_step *step, const contact_answer *answer, double *scratch)
{
  const joint_step *joints = step->joints;
  double farthest = 0.0;
  joint_step_read(step, answer->velocity, answer->spin, scratch);
  for (size_t k = 0; k < (size_t)joints->members * ARTICULATION_FREEDOMS; k++) {
    const double size = k % ARTICULATION_FREEDOMS < 3 ? 1.0 : joints->size;
    farthest = fmax(farthest, size * fabs(scratch[k] - joints->velocity[k]));
  }
  return step->context->time_step * farthest;
}

typedef struct turns {
  projection_step *step;
  const contact_options *options;
  const contact_answer *answer;
  turn_memory memory;
  double *given, *scratch; /* impulses of joints at a turn's begin; [member][6] */
  double least;            /* residual */
} turns;

/* One turn. True: it is the solution, or the last one that is worth it. */
static floc_status take_turn(turns *all, bool touched, bool *done)
{
  projection_step *step = all->step;
  joint_step *joints = step->joints;
  contact_options options = *all->options;
  const int64_t iterations = step->solved.iterations;
  if (touched) options.tolerance *= turn_tolerance;
  const int64_t left = options.max_iterations - iterations, least = options.max_iterations / LEAST_PART + 1;
  options.max_iterations = left > least ? left : least;
  set_free_velocities(step);
  memcpy(all->given, joints->impulse, (size_t)joints->it.rows * sizeof *all->given);
  floc_status status = contact_solve(step->context->env, step->context->scratch, &step->contacts.problem, &options,
                                     all->answer, &step->solved);
  step->solved.iterations += iterations;
  if (status != FLOC_OK) return status;
  take_contacts(step, all->answer);
  status = joint_step_solve(step);
  if (status != FLOC_OK) return status;
  const double farther = gone_farther(step, all->answer, all->scratch);
  set_free_velocities(step);
  articulation_push(&joints->it, joints->impulse, joints->base);
  joint_step_write(step, joints->base, all->answer->velocity, all->answer->spin);
  *done = !touched || farther <= unmoved * all->options->tolerance;
  if (!touched) return FLOC_OK;
  step->solved.residual = contact_audit(&step->contacts.problem, all->answer);
  if (!joint_step_holds(joints)) step->solved.residual = INFINITY;
  step->solved.converged = step->solved.residual <= all->options->tolerance;
  *done = *done || step->solved.converged;
  return FLOC_OK;
}

/* What the turn after this one begins with. */
static void learn(turns *all)
{
  turn_memory *memory = &all->memory;
  joint_step *joints = all->step->joints;
  const double residual = all->step->solved.residual;
  const size_t bytes = (size_t)memory->rows * sizeof(double);
  if (!(residual <= worse * all->least)) {
    memcpy(joints->impulse, memory->best, bytes);
    memory->kept = -1;
    memory->depth /= 2;
    return;
  }
  if (residual <= all->least) {
    memcpy(memory->best, joints->impulse, bytes);
    all->least = residual;
  }
  remember(memory, all->given, joints->impulse);
}

static floc_status take_turns(turns *all, bool touched)
{
  projection_step *step = all->step;
  joint_step *joints = step->joints;
  arena *scratch = step->context->scratch;
  floc_status status = FLOC_OK;
  bool done = false;
  memcpy(all->memory.best, joints->impulse, (size_t)joints->it.rows * sizeof(double));
  all->least = INFINITY;
  all->memory.kept = -1;
  all->memory.depth = DEPTH;
  for (int turn = 0; status == FLOC_OK && !done && turn < MOST_TURNS; turn++) {
    const arena_mark here = arena_here(scratch);
    if (all->memory.kept >= 0) combine(&joints->it, &all->memory, joints->impulse);
    status = take_turn(all, touched, &done);
    arena_return(scratch, here);
    if (status != FLOC_OK || done) break;
    learn(all);
  }
  const bool back = !done && all->memory.kept < 0; /* the last turn has led away */
  return status == FLOC_OK && back ? take_turn(all, touched, &done) : status;
}

/* No guesses: those of the last step may be impulses that hold each other, of any size. */
static void forget_guesses(turns *all)
{
  const joint_step *joints = all->step->joints;
  const contact_answer *answer = all->answer;
  const size_t contacts = (size_t)all->step->contacts.problem.contact_count;
  memset(joints->impulse, 0, (size_t)joints->it.rows * sizeof(double));
  memset(answer->impulse, 0, contacts * sizeof(double));
  for (int axis = 0; axis < 3; axis++) {
    if (answer->tangent[axis]) memset(answer->tangent[axis], 0, contacts * sizeof(double));
    if (answer->moment[axis]) memset(answer->moment[axis], 0, contacts * sizeof(double));
  }
}

floc_status joint_contacts_solve(projection_step *step, const contact_options *options,
                                 const contact_answer *answer)
{
  joint_step *joints = step->joints;
  arena *scratch = step->context->scratch;
  turns all = {.step = step, .options = options, .answer = answer};
  bool touched;
  all.given = arena_allocate(scratch, (size_t)joints->it.rows, sizeof(double));
  all.scratch = arena_allocate(scratch, (size_t)joints->members * ARTICULATION_FREEDOMS, sizeof(double));
  if (!all.given || !all.scratch || !allocate_memory(scratch, &joints->it, &all.memory)) return FLOC_OUT_OF_MEMORY;
  floc_status status = find_touched(step, &touched);
  step->solved.iterations = 0;
  if (status == FLOC_OK) status = take_turns(&all, touched);
  if (status == FLOC_OK && touched && !joint_step_holds(joints)) {
    forget_guesses(&all);
    status = take_turns(&all, touched);
  }
  return status == FLOC_OK ? joint_step_check(step) : status;
}

void joint_contacts_forget(projection_step *step)
{
  joint_step *joints = step->joints;
  if (!joints) return;
  for (int32_t m = 0; m < joints->members; m++)
    memcpy(joints->velocity + (size_t)m * ARTICULATION_FREEDOMS, joints->member[m].before,
           sizeof joints->member[m].before);
  joint_step_write(step, joints->velocity, step->blocks.free_velocity, step->blocks.free_spin);
}
