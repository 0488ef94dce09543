/*
 * Further passes of a step of the projection, in which contacts are found again. See projection/step.h.
 *
 * What turns by a in a step leaves rows that were met wrong by R a^2 or so, and features that come together only as
 * it turns. So where the first solution V leads, at q1 = q + h V, contacts are looked for again, with the features,
 * normals and distances D1 that they have there, and the step is solved from its start once more, V' = V* + M^-1
 * G1^T P', for
 *
 *   D1 + h G1 (V' - V) >= 0,   which is   (D1 - h G1 V) + h G1 V' >= 0.
 *
 * What is left is of second order in h (V' - V), of the turns a^3 and less. Moment arms lead from the bodies'
 * centres at the start of the step to the points of contact at q1, the same point for both, so that the angular
 * momentum is kept as ever.
 *
 * Joints close their gaps where each solution leads (projection/joint_step.c); a further pass begins with their
 * impulses.
 *
 * Only where something has corners that turn: grains that are not round, and free bodies. A step in which a crowd
 * goes many radii (projection/sweep.c) has one pass.
 */
#include "schemes/projection/step.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <string.h>

enum { REACH_ATTEMPTS = 3 };

bool again_is_wanted(const projection_step *step)
{
  return step->method->options.passes > 1 && (step->has_shapes || step->free.before) && !step->sweeps;
}

/* What is not done with it, and would be lost without a word. */
floc_status again_check(const projection_step *step)
{
  const step_context *context = step->context;
  const char *beside = context->assemblies->count > 0 ? "with rigid assemblies" : "in a box that deforms";
  const bool moves = context->next_box || domain_deforms(context->box) || domain_moves(context->box);
  if (step->method->options.passes < 2 || !(context->assemblies->count > 0 || moves)) return FLOC_OK;
  return refuse(context->env, FLOC_NOT_SUPPORTED, "passes is %d, which is not supported %s; it must be 0 or 1",
                (int)step->method->options.passes, beside);
}

/* ---- where the step leads ---- */

typedef struct displaced {
  particles table;
  double *turn[3]; /* [particle] rotation vectors; NULL: all are round */
  grain_cores cores;
} displaced;

static floc_status displace_particles(const projection_step *step, displaced *made)
{
  const step_context *context = step->context;
  const particles *table = context->table;
  const double h = context->time_step;
  made->table = *table;
  for (int axis = 0; axis < context->obstacles->dimension; axis++) {
    const double *from = table->column[COLUMN_x + axis], *velocity = step->velocity[axis];
    double *to = arena_allocate(context->scratch, (size_t)table->count, sizeof *to);
    if (!to) return FLOC_OUT_OF_MEMORY;
    EACH_SLOT(i, table) to[i] = domain_wrap(context->box, axis, from[i] + h * velocity[i]);
    made->table.column[COLUMN_x + axis] = to;
  }
  if (!step->has_shapes) return FLOC_OK;
  const int dimension = context->obstacles->dimension;
  for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) {
    made->turn[axis] = arena_allocate(context->scratch, (size_t)table->count, sizeof *made->turn[axis]);
    if (!made->turn[axis]) return FLOC_OUT_OF_MEMORY;
    EACH_SLOT(i, table) made->turn[axis][i] = h * step->blocks.spin[axis][i];
  }
  return grain_cores_place(context->env, context->scratch, &made->table, dimension, made->turn, &made->cores);
}

static void displace_bodies(const projection_step *step)
{
  bodies *obstacles = step->context->obstacles;
  for (int32_t k = 0; step->free.before && k < obstacles->count; k++) {
    double linear[3], spin[3];
    if (!body_is_free(&obstacles->body[k])) continue;
    free_read(step, k, step->blocks.velocity, step->blocks.spin, linear, spin);
    body_go(&obstacles->body[k], obstacles->dimension, step->context->time_step, linear, spin);
    bodies_place_body(obstacles, k);
  }
}

/* Back to where lists and reach are about. */
static void replace_bodies(const projection_step *step)
{
  bodies *obstacles = step->context->obstacles;
  for (int32_t k = 0; step->free.before && k < obstacles->count; k++) {
    if (!body_is_free(&obstacles->body[k])) continue;
    obstacles->body[k].next = obstacles->body[k].now;
    bodies_place_body(obstacles, k);
  }
}

/* ---- rows about it ---- */

static void shift_arms(projection_step *step, int64_t a)
{
  const contact_set *set = &step->contacts;
  const double h = step->context->time_step;
  for (int axis = 0; axis < set->problem.dimension && set->feature; axis++) {
    set->arm_first[axis][a] += h * step->velocity[axis][set->first[a]];
    if (set->second[a] >= 0) set->arm_second[axis][a] += h * step->velocity[axis][set->second[a]];
  }
}

static void rows_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  projection_step *step = context;
  for (int64_t a = begin; a < end; a++) {
    shift_arms(step, a);
    step->contacts.distance[a] += step->contacts.distance[a] - projection_distance_after(step, a);
  }
}

static floc_status find_rows(projection_step *step)
{
  step_context *context = step->context;
  const contact_set before = step->contacts;
  displaced there;
  floc_status status = displace_particles(step, &there);
  if (status != FLOC_OK) return status;
  contact_source source = projection_source(step);
  source.table = &there.table;
  if (step->has_shapes) source.cores = &there.cores;
  displace_bodies(step);
  status = contacts_assemble(&source, &step->method->laws, &step->contacts);
  if (status == FLOC_OK) {
    contacts_carry_over(context->env, &before, &step->method->laws, &step->contacts);
    step->contacts.problem.inverse_mass = step->inverse_mass;
    for (int axis = 0; axis < context->obstacles->dimension; axis++)
      step->contacts.problem.free_velocity[axis] = step->free_velocity[axis];
    step->touch.displaced = true;
    status = touch_find(step);
    step->touch.displaced = false;
  }
  replace_bodies(step);
  if (status != FLOC_OK) return status;
  parallel_for(context->env, step->contacts.count, PARALLEL_BLOCK, rows_block, step);
  touch_shift(step);
  return FLOC_OK;
}

floc_status again_solve(projection_step *step, floc_status (*solve)(projection_step *),
                        floc_status (*follow)(projection_step *, bool *))
{
  for (int32_t pass = 2, attempt = 1; pass <= step->method->options.passes; pass++) {
    const int64_t iterations = step->solved.iterations;
    bool raised;
    floc_status status = find_rows(step);
    if (status == FLOC_OK) status = solve(step);
    step->solved.iterations += iterations;
    if (status == FLOC_OK) status = follow(step, &raised);
    if (status != FLOC_OK) return status;
    if (raised && attempt++ < REACH_ATTEMPTS) pass--; /* with all that may be met now */
  }
  return FLOC_OK;
}
