/*
 * The step of the time-stepping scheme. See ballistic.h and ballistic/state.h.
 */
#include "schemes/ballistic/ballistic.h"

#include "base/interruption.h"
#include "base/structs.h"
#include "schemes/aggregation/kept_state.h"
#include "schemes/ballistic/state.h"

#include <math.h>
#include <string.h>

enum {
  ATTEMPTS = 10,          /* to halve a step */
  WORK_WORTH_KEEPING = 8, /* per particle: listing the state costs about as much as two */
  UNFORESEEN = 1 << 20    /* work of a step that is asked about though its state was not kept */
};

/* ---- options ---- */

static floc_status check_options(environment *env, const floc_ballistic_options *options)
{
  floc_status status = fields_check(env, &struct_ballistic_options, options);
  if (status != FLOC_OK || !options->rigid || !options->rotation) return status;
  return refuse(env, FLOC_NOT_SUPPORTED,
                "rigid and rotation are both true; the time of impact is known for clusters that only translate");
}

/* ---- the step ---- */

static floc_status make_current(ballistic *state, const step_context *context)
{
  bool same_box = memcmp(&state->set.box, context->box, sizeof state->set.box) == 0;
  if (state->built && same_box && cluster_set_match(&state->set, context->table)) return FLOC_OK;
  floc_status status = particles_check(context->table, context->box, "at the start of the step");
  if (status != FLOC_OK) return status;
  return ballistic_build(state, context->table, context->box, context->time);
}

/* (3.3), with the least radius: no particle flies further than its radius times the factor. Sweeps dead
 * clusters out of the list on its way. */
static double chosen_step(ballistic *state, double most)
{
  const cluster_set *set = &state->set;
  double greatest = 0.0;
  int64_t kept = 0;
  for (int64_t k = 0; k < state->alive_count; k++) {
    int32_t number = state->alive[k];
    if (set->body[number].count == 0) continue;
    state->alive[kept++] = number;
    double speed = cluster_speed(&set->motion[number]);
    if (state->set.spin) speed += ballistic_spin_speed(state, number);
    greatest = fmax(greatest, speed);
  }
  state->alive_count = kept;
  if (state->options.step_factor == 0.0 || greatest == 0.0) return most;
  return fmin(most, state->options.step_factor * set->smallest_radius / greatest);
}

static floc_status advance(ballistic *state, double time_step)
{
  double end = state->now + time_step;
  floc_status status;
  if (state->options.rigid) {
    status = ballistic_advance_rigid(state, end);
  } else {
    state->now = end;
    if (state->set.spin) ballistic_rotate(state, time_step);
    for (int64_t k = 0; k < state->alive_count; k++) ballistic_reflect(state, state->alive[k]);
    status = ballistic_renew_expired(state, end);
    if (status == FLOC_OK) status = ballistic_interact(state);
  }
  return status == FLOC_OK ? ballistic_space_anew(state) : status;
}

static double kinetic_energy(const ballistic *state)
{
  double energy = state->set.spin ? ballistic_spin_energy(state) : 0.0;
  for (int64_t k = 0; k < state->alive_count; k++) {
    int32_t number = state->alive[k];
    double speed = cluster_speed(&state->set.motion[number]);
    if (state->set.body[number].count > 0) energy += 0.5 * state->set.body[number].mass * speed * speed;
  }
  return energy;
}

static void fill_report(const ballistic *state, const floc_ballistic_report *before, floc_step_report *report)
{
  const floc_ballistic_report *count = &state->count;
  report->converged = count->unsolved == before->unsolved;
  report->unconverged_steps += !report->converged;
  report->islands = (int32_t)state->set.alive;
  report->contacts = state->links.count;
  report->active_contacts = count->merges - before->merges;
  report->iterations = count->iterations - before->iterations;
  report->total_iterations += report->iterations;
  report->tolerance = state->options.tolerance * state->set.smallest_radius;
  report->residual = count->greatest_residual * state->set.smallest_radius;
  report->greatest_residual = fmax(report->greatest_residual, count->greatest_residual / state->options.tolerance);
  report->overlap = count->greatest_residual;
  report->greatest_overlap = fmax(report->greatest_overlap, report->overlap);
  report->kinetic_energy = kinetic_energy(state);
}

/* What a step keeps to take it back. */
typedef struct step_start {
  int64_t links, merges;
  floc_ballistic_report count;
} step_start;

/* The table still holds the state before the step; the rest is built from it again. */
static void take_back(ballistic *state, const step_start *start)
{
  for (size_t k = 0; k < state->dropped_count; k++) state->link[state->dropped[k]].slack = false;
  state->links.count = start->links;
  if (state->merges) state->merges->count = start->merges;
  state->count = start->count;
  state->set.looked_at = 0; /* a file of a state that is not built does not have it */
  state->built = false;
}

/* Searches, pairs and iterations so far, of about a tenth of a microsecond each; an iteration of Arrow-Hurwicz goes
 * through whole clusters. */
static int64_t work_of(const ballistic *state)
{
  int64_t each = state->options.minimiser == FLOC_MINIMISER_ARROW_HURWICZ ? 100 : 1;
  return state->count.searches + state->count.pairs_looked_at + each * state->count.iterations;
}

/* Adds what was done since the last time. */
static void count_work(ballistic *state)
{
  int64_t work = work_of(state);
  work_add(state->env, WORK_LINKS, WORK_LINK * (work - state->counted));
  state->counted = work;
}

floc_status ballistic_ask(ballistic *state)
{
  count_work(state);
  if (work_exceeded(state->env) != WORK_NONE) return interruption_status(state->env);
  if (!state->is_kept && work_of(state) - state->work_end < UNFORESEEN) return FLOC_OK;
  return interruption_status(state->env);
}

/* Steps cost much in a row, while clusters meet. */
static bool is_worth_keeping(const ballistic *state)
{
  return !state->built || state->work > WORK_WORTH_KEEPING * state->set.count;
}

/* Clusters that flew deep into each other may be interlocked: chains of links cross, and no place near by puts
 * all right. Such a step is taken back and done again at half its length, until its overlaps are small. */
static floc_status step_until_solved(ballistic *state, step_context *context, step_start *start)
{
  double longest = context->time_step;
  for (int attempt = 0;; attempt++) {
    state->dropped_count = 0;
    floc_status status = make_current(state, context);
    stage_done(context, STAGE_NEIGHBORS);
    if (status != FLOC_OK || state->set.count == 0) return status;
    state->counted = work_of(state); /* a resumed run may have to make what another one has */
    status = ballistic_ask(state);
    if (status != FLOC_OK) return status;
    context->time_step = ldexp(chosen_step(state, longest), -attempt);
    status = advance(state, context->time_step);
    if (status == FLOC_OK) status = ballistic_ask(state);
    if (status != FLOC_OK || state->count.unsolved == start->count.unsolved || attempt == ATTEMPTS) return status;
    take_back(state, start);
    state->count.retried = ++start->count.retried;
    state->count.greatest_residual = 0.0;
  }
}

static floc_status step(void *scheme_state, step_context *context)
{
  ballistic *state = scheme_state;
  stage_done(context, STAGE_OTHER);
  state->merges = context->merges;
  state->seed = context->seed;
  state->step = (uint64_t)context->step;
  state->draws = 0;
  step_start start = {state->links.count, state->merges ? state->merges->count : 0, state->count};
  kept_state before;
  kept_state_take(&before, is_worth_keeping(state) ? state->env : NULL, ballistic_sections, state);
  state->is_kept = before.is_kept;
  int64_t work = work_of(state), work_before = state->work;
  state->work_end = work;
  state->count.greatest_residual = 0.0; /* of this step */
  floc_status status = step_until_solved(state, context, &start);
  if (status != FLOC_OK && !kept_state_put_back(&before, ballistic_restore, state, context))
    take_back(state, &start);
  kept_state_free(&before);
  state->work = status == FLOC_OK ? work_of(state) - work : work_before;
  if (status != FLOC_OK) return status;
  stage_done(context, STAGE_SOLVE);
  cluster_set_write(&state->set, context->table, state->now);
  if (state->set.spin) ballistic_find_spins(state);
  if (state->set.spin) ballistic_write_spins(state, context->table);
  fill_report(state, &start.count, context->report);
  state->count.greatest_residual = fmax(state->count.greatest_residual, start.count.greatest_residual);
  stage_done(context, STAGE_POSITIONS);
  return FLOC_OK;
}

/* ---- the rest of the scheme ---- */

static floc_status links(void *scheme_state, const int32_t **first, const int32_t **second, int64_t *count)
{
  const ballistic *state = scheme_state;
  *first = state->links.first;
  *second = state->links.second;
  *count = state->links.count;
  return FLOC_OK;
}

static floc_status permute(void *scheme_state, const particles *table, const int32_t *order)
{
  ballistic *state = scheme_state;
  return cluster_set_permute(&state->set, &state->links, table, order);
}

/* What is left of a cluster holds together by its links; the rest is built again from the columns. */
static void forget(void *scheme_state, const particles *table, const int32_t *new_slot)
{
  (void)table;
  ballistic *state = scheme_state;
  particle_links_remove(&state->links, new_slot, state->link, sizeof *state->link);
  state->set.looked_at = 0; /* a file of a state that is not built does not have it */
  state->built = false;
}

void ballistic_init(ballistic *state, environment *env, int32_t dimension, const floc_ballistic_options *options)
{
  *state = (ballistic){.env = env, .dimension = dimension, .options = *options};
  state->count.struct_size = sizeof state->count;
  arena_init(&state->memory, env);
  arena_init(&state->scratch, env);
  arena_init(&state->exported, env);
  particle_links_init(&state->links, env);
  cluster_set_init(&state->set, env, dimension);
}

void ballistic_free(ballistic *state)
{
  environment *env = state->env;
  cluster_set_free(&state->set);
  particle_links_free(&state->links);
  arena_free(&state->memory);
  arena_free(&state->scratch);
  arena_free(&state->exported);
  array_free(env, (void **)&state->link, &state->link_capacity, sizeof *state->link);
  array_free(env, (void **)&state->pair, &state->pair_capacity, sizeof *state->pair);
  array_free(env, (void **)&state->overlap, &state->overlap_capacity, sizeof *state->overlap);
  array_free(env, (void **)&state->moved, &state->moved_capacity, sizeof *state->moved);
  array_free(env, (void **)&state->worklist, &state->worklist_capacity, sizeof *state->worklist);
  array_free(env, (void **)&state->dropped, &state->dropped_capacity, sizeof *state->dropped);
  array_free(env, (void **)&state->visited, &state->visited_capacity, sizeof *state->visited);
}

static void destroy(void *scheme_state, environment *env)
{
  ballistic_free(scheme_state);
  memory_free(env, scheme_state, sizeof(ballistic));
}

floc_status ballistic_create(environment *env, particles *table, int32_t dimension,
                             const floc_ballistic_options *options, scheme *out)
{
  floc_ballistic_options known;
  floc_ballistic_options_init(&known);
  if (options) memcpy(&known, options, options->struct_size < sizeof known ? options->struct_size : sizeof known);
  floc_status status = check_options(env, &known);
  if (status == FLOC_OK && known.rotation) status = ballistic_add_columns(table, dimension);
  if (status != FLOC_OK) return status;
  ballistic *state = memory_resize(env, NULL, 0, sizeof *state);
  if (!state) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: the state of the ballistic scheme");
  ballistic_init(state, env, dimension, &known);
  *out = (scheme){.name = "ballistic",
                  .overlap_limit = HARD_OVERLAP_LIMIT,
                  .shown = "ballistic",
                  .state = state,
                  .turns = known.rotation,
                  .step = step,
                  .sections = ballistic_sections,
                  .restore = ballistic_restore,
                  .notes_merges = true,
                  .links = links,
                  .permute = permute,
                  .remove = forget,
                  .destroy = destroy};
  return FLOC_OK;
}

void ballistic_get_report(const void *scheme_state, floc_ballistic_report *report)
{
  const ballistic *state = scheme_state;
  *report = state->count;
  report->clusters = state->set.alive;
  report->links = state->links.count;
}
