/*
 * The end of a step of the velocity projection: checks of what the solver found, then the world changes. See
 * projection.h and projection.c.
 */
#include "schemes/projection/step.h"

#include "base/threads/parallel.h"
#include "geometry/vector.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double lost_depth = 0.5; /* in radii: deeper in a wall there is no way back */

/* ---- checks before the world changes ---- */

static double speed_squared(const projection_step *step, double *const velocity[3], int64_t i)
{
  double square = 0.0;
  for (int axis = 0; axis < step->context->obstacles->dimension; axis++)
    square += velocity[axis][i] * velocity[axis][i];
  return square;
}

static double velocities_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const projection_step *step = context;
  bool finite = true;
  for (int64_t i = begin; i < end; i++) finite &= isfinite(speed_squared(step, step->velocity, i));
  return finite ? 0.0 : 1.0;
}

static floc_status check_velocities(projection_step *step)
{
  const step_context *context = step->context;
  if (owned_max(context->env, context->table, PARALLEL_BLOCK, 0.0, velocities_block, step) == 0.0) return FLOC_OK;
  EACH_OWNED(i, context->table) {
    if (isfinite(speed_squared(step, step->velocity, i))) continue;
    double *const *column = context->table->column;
    return refuse(context->env, FLOC_NOT_A_NUMBER,
                  "particle %" PRId64 " at (%g, %g, %g) got a velocity that is not finite in step %" PRId64,
                  context->table->id[i], column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i],
                  context->step + 1);
  }
  return FLOC_OK;
}

static floc_status refuse_lost(const projection_step *step, int64_t a, double overlap)
{
  const step_context *context = step->context;
  double *const *column = context->table->column;
  int32_t i = step->contacts.first[a], number = context->obstacles->world[step->contacts.shape[a]].body;
  const char *name = context->obstacles->body[number].name;
  return refuse(context->env, FLOC_ESCAPED,
                "particle %" PRId64 " at (%g, %g, %g) would penetrate body %d%s%s in step %" PRId64
                " by %.2g radii; reduce time_step",
                context->table->id[i], column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i], number,
                name[0] ? " " : "", name, context->step + 1, overlap);
}

/* Overlap of a contact after the step in radii of the smaller particle; not above 0 if there is none, which of many
 * contacts is unpredictable. */
static inline double overlap_after(const projection_step *step, int64_t a)
{
  const contact_set *set = &step->contacts;
  const double *radius = step->context->table->column[COLUMN_radius];
  int32_t first = set->first[a], second = set->second[a] >= 0 ? set->second[a] : first;
  double smaller = radius[first] < radius[second] ? radius[first] : radius[second];
  return -projection_distance_after(step, a) / smaller;
}

static inline bool is_lost(const projection_step *step, int64_t a, double overlap)
{
  return step->contacts.second[a] < 0 && overlap > lost_depth;
}

/* A wall as deep in a particle before the step: the distance in the set is that from the body's next pose, so
 * bodies that move are checked again where they were. */
static inline bool may_have_been_lost(const projection_step *step, int64_t a)
{
  const contact_set *set = &step->contacts;
  return set->second[a] < 0 && !step->context->has_newcomers &&
         -set->distance[a] > lost_depth * step->context->table->column[COLUMN_radius][set->first[a]];
}

/* How deep, in radii; a particle can only get there by being put there. */
static double depth_before(const projection_step *step, int64_t a)
{
  const step_context *context = step->context;
  double *const *column = context->table->column;
  int32_t i = step->contacts.first[a];
  const double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
  double normal[3], nearest[3];
  shape placed = bodies_shape_now(context->obstacles, step->contacts.shape[a]);
  double distance = shape_distance(&placed, context->obstacles->dimension, position, normal, nearest);
  return 1.0 - distance / column[COLUMN_radius][i];
}

static floc_status refuse_deep(const projection_step *step, int64_t a, double depth)
{
  const step_context *context = step->context;
  double *const *column = context->table->column;
  int32_t i = step->contacts.first[a], number = context->obstacles->world[step->contacts.shape[a]].body;
  const char *name = context->obstacles->body[number].name;
  return refuse(context->env, FLOC_ESCAPED,
                "particle %" PRId64 " at (%g, %g, %g) is %.2g radii deep in body %d%s%s before step %" PRId64
                "; the limit is %g radii",
                context->table->id[i], column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i], depth, number,
                name[0] ? " " : "", name, context->step + 1, lost_depth);
}

/* The greatest overlap of a block; infinite if a particle is lost. */
static double overlaps_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const projection_step *step = context;
  double greatest = 0.0;
  for (int64_t a = begin; a < end; a++) {
    double overlap = overlap_after(step, a);
    if (is_lost(step, a, overlap) || may_have_been_lost(step, a)) return INFINITY;
    greatest = overlap > greatest ? overlap : greatest;
  }
  return greatest;
}

/* Greatest overlap after the step; a particle deep in a wall is lost, and an error. */
static floc_status check_overlaps(projection_step *step, double *greatest)
{
  const step_context *context = step->context;
  *greatest = parallel_max(context->env, step->contacts.count, PARALLEL_BLOCK, 0.0, overlaps_block, step);
  if (*greatest < INFINITY) return FLOC_OK;
  *greatest = 0.0;
  for (int64_t a = 0; a < step->contacts.count; a++) {
    double overlap = overlap_after(step, a), depth = may_have_been_lost(step, a) ? depth_before(step, a) : 0.0;
    if (depth > lost_depth) return refuse_deep(step, a, depth);
    if (is_lost(step, a, overlap)) return refuse_lost(step, a, overlap);
    *greatest = fmax(*greatest, overlap);
  }
  return FLOC_OK;
}

/* ---- commit ---- */

static void forces_on_bodies(projection_step *step)
{
  step_context *context = step->context;
  bodies *obstacles = context->obstacles;
  const contact_set *set = &step->contacts;
  const contact_source source = projection_source(step);
  for (int32_t k = 0; k < obstacles->count; k++) {
    memset(obstacles->body[k].force, 0, sizeof obstacles->body[k].force);
    memset(obstacles->body[k].torque, 0, sizeof obstacles->body[k].torque);
  }
  for (int64_t a = 0; a < set->count; a++) {
    if (set->second[a] >= 0 || set->impulse[a] == 0.0) continue;
    body *wall = &obstacles->body[obstacles->world[set->shape[a]].body];
    const int32_t free = free_body_of_contact(step, a);
    double force[3] = {0.0, 0.0, 0.0}, arm[3] = {0.0, 0.0, 0.0}, point[3];
    contact_wall_point(&source, set, a, point);
    for (int axis = 0; axis < obstacles->dimension; axis++) {
      double friction = set->tangent[axis] ? set->tangent[axis][a] : 0.0;
      force[axis] = (set->impulse[a] * set->normal[axis][a] + friction) / context->time_step;
      arm[axis] = point[axis] - wall->next.position[axis];
      wall->force[axis] += force[axis];
    }
    if (free >= 0) free_contact_arm(step, a, free, arm);
    for (int axis = 0; axis < 3; axis++) {
      wall->torque[axis] +=
          arm[(axis + 1) % 3] * force[(axis + 2) % 3] - arm[(axis + 2) % 3] * force[(axis + 1) % 3];
      if (set->moment[axis]) wall->torque[axis] += set->moment[axis][a] / context->time_step;
    }
  }
  touch_push_bodies(step);
  laws_push_bodies(context->forces, obstacles);
  for (int32_t k = 0; step->free.before && k < obstacles->count; k++) {
    double force[3], torque[3], arm[3], turn[3];
    if (!body_is_free(&obstacles->body[k])) continue;
    laws_force_on_body(context->forces, k, force, torque);
    body_center_arm(&obstacles->body[k], obstacles->dimension, &obstacles->body[k].now, arm);
    vector_cross(force, arm, turn); /* laws' torque is about its position */
    vector_add_scaled(obstacles->body[k].torque, 1.0, turn, obstacles->body[k].torque);
  }
}

/* ---- a box that deforms ---- */

/* Impulse over time times the way from the first centre to the second, as in sim:stress; the box is that of the
 * step's start, where the way was. What laws exert is that of the start, too. */
static void add_contact_stress(const projection_step *step)
{
  step_context *context = step->context;
  const contact_set *set = &step->contacts;
  for (int64_t a = 0; a < set->count; a++) {
    double way[3], force[3];
    if (set->second[a] < 0) continue;
    particles_apart(context->table, context->box, set->first[a], set->second[a], way);
    for (int axis = 0; axis < 3; axis++) {
      force[axis] = axis < set->problem.dimension ? set->impulse[a] * set->normal[axis][a] : 0.0;
      force[axis] = (force[axis] + (set->tangent[axis] ? set->tangent[axis][a] : 0.0)) / context->time_step;
    }
    for (int c = 0; c < 9; c++) context->contact_stress[c] += force[c / 3] * way[c % 3];
  }
  for (int c = 0; c < 9; c++) context->contact_stress[c] += step->law_stress[c];
}

/* Back into the box of the step's end, with the velocity of the image that is there. */
__attribute__((noinline)) static void enter(const projection_step *step, const double reached[3], int64_t i)
{
  double *const *column = step->context->table->column;
  double position[3], velocity[3];
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = reached[axis];
    velocity[axis] = column[COLUMN_vx + axis][i];
  }
  const domain *box = step->context->next_box ? step->context->next_box : step->context->box;
  domain_enter(box, position, velocity);
  for (int axis = 0; axis < 3; axis++) {
    column[COLUMN_x + axis][i] = domain_wrap(box, axis, position[axis]);
    column[COLUMN_vx + axis][i] = velocity[axis];
  }
}

static void enter_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const projection_step *step = context;
  const double h = step->context->time_step;
  for (int64_t i = begin; i < end; i++) {
    double reached[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < step->context->obstacles->dimension; axis++)
      reached[axis] = step->start[axis][i] + h * step->velocity[axis][i];
    enter(step, reached, i);
  }
}

enum { MOVED_AT_ONCE = 256 };

/* Moves particles; the sum is their kinetic energy. */
static void move_block(void *context, int64_t begin, int64_t end, exact_sum *energy)
{
  const projection_step *step = context;
  double *const *column = step->context->table->column;
  const domain *box = step->context->box;
  if (step->context->obstacles->dimension == 2)
    memset(step->start[2] + begin, 0, (size_t)(end - begin) * sizeof(double));
  const double h = step->context->time_step;
  for (int64_t from = begin; from < end; from += MOVED_AT_ONCE) {
    const int64_t to = end - from < MOVED_AT_ONCE ? end : from + MOVED_AT_ONCE;
    double square[MOVED_AT_ONCE] = {0.0};
    for (int axis = 0; axis < step->context->obstacles->dimension; axis++) {
      double *position = column[COLUMN_x + axis], *velocity = column[COLUMN_vx + axis];
      const double *solved = step->velocity[axis];
      double *start = step->start[axis];
      for (int64_t i = from; i < to; i++) {
        start[i] = position[i];
        velocity[i] = solved[i];
        position[i] = domain_wrap(box, axis, position[i] + h * solved[i]);
        square[i - from] += solved[i] * solved[i];
      }
    }
    for (int64_t i = from; i < to; i++) square[i - from] *= 0.5 * column[COLUMN_mass][i];
    exact_add_all(energy, square, to - from);
  }
}

/* The step that is furthest above its tolerance, and where. */
static void note_unsolved(const projection_step *step)
{
  const contact_set *set = &step->contacts;
  const step_context *context = step->context;
  floc_step_report *report = context->report;
  const double residual = step->solved.residual / step->tolerance;
  const int64_t worst = step->unsolved.worst;
  report->unsolved_islands = step->unsolved.islands;
  if (step->solved.converged || (report->worst_step > 0 && !(residual > report->worst_residual))) return;
  report->worst_residual = residual;
  report->worst_step = context->step + 1;
  report->worst_particle = report->worst_other = 0;
  report->worst_body = -1;
  if (worst < 0) return;
  if (worst >= set->count) { /* between bodies */
    report->worst_body = step->method->touching[worst - set->count].body[0];
    return;
  }
  report->worst_particle = context->table->id[set->first[worst]];
  if (set->second[worst] >= 0)
    report->worst_other = context->table->id[set->second[worst]];
  else
    report->worst_body = context->obstacles->world[set->shape[worst]].body;
}

static void fill_report(projection_step *step, double overlap)
{
  floc_step_report *report = step->context->report;
  report->converged = step->solved.converged;
  report->islands = step->solved.islands;
  report->contacts = step->contacts.count + step->touch.count;
  report->active_contacts = step->solved.active;
  report->iterations = step->solved.iterations;
  report->residual = step->solved.residual;
  report->tolerance = step->tolerance;
  report->tolerance_rule = step->tolerance_rule;
  report->overlap = overlap;
  report->greatest_overlap = fmax(report->greatest_overlap, overlap);
  report->greatest_residual = fmax(report->greatest_residual, step->solved.residual / step->tolerance);
  report->unconverged_steps += step->solved.converged ? 0 : 1;
  note_unsolved(step);
  report->total_iterations += step->solved.iterations;
  report->pairs_left_out = step->sweeps ? sweep_left_out(step) : 0;
  report->total_left_out += report->pairs_left_out;
  report->contacts_left_out += step->contacts.left_out;
  report->energy_fall = step->solved.energy_fall;
}

floc_status projection_commit(projection_step *step)
{
  step_context *context = step->context;
  const contact_source source = projection_source(step);
  double overlap = 0.0;
  floc_status status = check_velocities(step);
  if (status == FLOC_OK) status = check_overlaps(step, &overlap);
  if (status == FLOC_OK) status = touch_check(step, &overlap);
  if (status == FLOC_OK) status = contacts_settle(&source, &step->method->laws, &step->contacts);
  const bool deforms = context->next_box || domain_deforms(context->box);
  if (status == FLOC_OK && deforms) add_contact_stress(step);
  if (status == FLOC_OK && context->work) status = projection_add_works(step);
  if (status == FLOC_OK) status = free_go(step);
  if (status == FLOC_OK) status = touch_remember(step);
  if (status != FLOC_OK) return status;
  forces_on_bodies(step);
  joint_step_commit(step);
  contacts_remember(&source, &step->method->laws, &step->contacts);
  fill_report(step, overlap);
  context->report->kinetic_energy = owned_sum(context->env, context->table, PARALLEL_BLOCK, move_block, step);
  if (step->has_blocks)
    context->report->kinetic_energy = block_step_commit(step);
  else if (step->method->turns)
    context->report->kinetic_energy += spin_commit(step);
  if (deforms) owned_for(context->env, context->table, PARALLEL_BLOCK, enter_block, step);
  context->report->kinetic_energy += free_arrive(step);
  stage_done(context, STAGE_POSITIONS);
  return FLOC_OK;
}
