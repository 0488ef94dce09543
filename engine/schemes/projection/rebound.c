/*
 * Restitution (Newton). The step is solved without rebound first; that tells which contacts close in it. Each
 * of those that approached with speed s at the step's start then has to leave with e s, to which comes what
 * the forces of the step add:
 *
 *   G V >= e s + G (V* - V^n),   s = -G V^n
 *
 * and the islands that hold one are solved again. With d = V - V* this reads G d >= (1 + e) s; where it holds with
 * equality p.(G d) = (1 + e) p.s, so the kinetic energy changes by <d, V^n> + 1/2 <d, d> = -(1-e)/(2(1+e)) <d, d>:
 * no rebound adds energy, however many happen at once. That is why the speed is the one before the forces of
 * the step, and not that of V*.
 *
 * A contact that lies still is pressed by the forces of every step; it is no collision unless it approaches
 * by more than twice what they add.
 */
#include "schemes/projection/step.h"

#include "geometry/vector.h"

#include <math.h>
#include <string.h>

/* Normal velocities of a contact: at the step's start, and what its forces add. */
typedef struct normal_rates {
  double wall;   /* of the body's surface, at the step's end position; of pairs, of an image that moves */
  double before; /* of the particles at the start */
  double added;
} normal_rates;

static double wall_rate(const projection_step *step, int64_t a)
{
  const step_context *context = step->context;
  const contact_set *set = &step->contacts;
  double normal[3] = {0.0, 0.0, 0.0}, nearest[3], velocity[3];
  const contact_source source = projection_source(step);
  for (int axis = 0; axis < set->problem.dimension; axis++) normal[axis] = set->normal[axis][a];
  contact_wall_point(&source, set, a, nearest);
  body_point_velocity(&context->obstacles->body[context->obstacles->world[set->shape[a]].body],
                      context->obstacles->dimension, context->time_step, nearest, velocity);
  return vector_dot(normal, velocity);
}

static normal_rates rates_of(const projection_step *step, int64_t a)
{
  const contact_set *set = &step->contacts;
  double *const *velocity = &step->context->table->column[COLUMN_vx];
  int32_t i = set->first[a], j = set->second[a];
  const int32_t free = free_body_of_contact(step, a);
  normal_rates rates = {j < 0 && free < 0           ? wall_rate(step, a)
                        : j >= 0 && set->image_rate ? set->image_rate[a]
                                                    : 0.0,
                        0.0, 0.0};
  double own[3] = {0.0, 0.0, 0.0}, pushed[3] = {0.0, 0.0, 0.0};
  if (free >= 0) {
    const body *one = &step->context->obstacles->body[free];
    free_point_velocity(step, a, free, one->free.velocity, one->angular_velocity, own);
    free_point_velocity(step, a, free, step->free.before[free].linear, step->free.before[free].spin, pushed);
  }
  for (int axis = 0; axis < set->problem.dimension; axis++) {
    double now = own[axis] - velocity[axis][i], next = pushed[axis] - step->free_velocity[axis][i];
    if (j >= 0) {
      now += velocity[axis][j];
      next += step->free_velocity[axis][j];
    }
    rates.before += set->normal[axis][a] * now;
    rates.added += set->normal[axis][a] * (next - now);
  }
  if (!set->feature) return rates;
  double *spin[3];
  projection_spins(step->context->table, spin);
  const double turning = projection_turning_rate(set, a, spin);
  rates.before += turning;
  rates.added += projection_turning_rate(set, a, step->blocks.free_spin) - turning;
  return rates;
}

floc_status rebound_prepare(projection_step *step, bool **rebounds)
{
  const floc_projection_options *options = &step->method->options;
  contact_set *set = &step->contacts;
  double h = step->context->time_step, *distance = NULL;
  *rebounds = NULL;
  double *by_pair = NULL;
  if (!material_is_uniform(&step->method->pairs[PAIR_RESTITUTION])) {
    const contact_source source = projection_source(step);
    by_pair = arena_allocate(step->context->scratch, (size_t)set->count, sizeof *by_pair);
    if (!by_pair) return FLOC_OUT_OF_MEMORY;
    floc_status status = contacts_by_pair(&source, &step->method->laws, set, PAIR_RESTITUTION, by_pair);
    if (status != FLOC_OK) return status;
  }
  for (int64_t a = 0; a < set->count; a++) {
    double restitution = by_pair ? by_pair[a] : options->restitution;
    if (!(set->impulse[a] > 0.0) || restitution == 0.0) continue;
    normal_rates rates = rates_of(step, a);
    double approach = -(rates.wall + rates.before);
    if (!(approach > options->restitution_speed) || !(approach > 2.0 * fabs(rates.added))) continue;
    if (!distance) {
      distance = arena_allocate(step->context->scratch, (size_t)set->count, sizeof *distance);
      *rebounds = arena_allocate(step->context->scratch, (size_t)set->count, sizeof **rebounds);
      if (!distance || !*rebounds) return FLOC_OUT_OF_MEMORY;
      memcpy(distance, set->problem.distance, (size_t)set->count * sizeof *distance);
      memset(*rebounds, 0, (size_t)set->count * sizeof **rebounds);
    }
    /* D/h + G V >= 0 means: wall + G V >= e approach + added */
    if (set->second[a] >= 0 && step->has_blocks) rates.wall = 0.0; /* an image's is a velocity of the surface */
    distance[a] = fmin(distance[a], h * (rates.wall - restitution * approach - rates.added));
    (*rebounds)[a] = true;
  }
  if (!distance) return FLOC_OK;
  set->problem.distance = distance;
  return FLOC_OK;
}
