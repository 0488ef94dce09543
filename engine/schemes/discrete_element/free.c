/*
 * Free bodies under velocity Verlet. Of its centre, with F and T what particles and laws exert at the step's ends,
 * and L the load in the middle of the step, M g in it:
 *
 *   M (V(t + h/2) - V)         = h/2 (F(t) + L - c V(t + h/2)),   x(t + h) = x + h V(t + h/2),
 *   M (V(t + h) - V(t + h/2))  = h/2 (F(t + h) + L - c V(t + h/2)),
 *
 * and likewise angular momentum, between whose kicks the body turns freely (geometry/free_body.h). So momentum
 * changes by exactly h ((F + F')/2 + L - c V(t + h/2)), what particles get is the opposite, and damping makes no
 * energy at any c h. In space damping of the turn is taken of the velocities at its ends.
 *
 * The pose at the step's end is known before forces are evaluated there, so lists treat a free body as one that is
 * told where to go. Forces at the end are kept for the next step, as particles' are.
 */
#include "schemes/discrete_element/model.h"

#include "geometry/vector.h"

#include <inttypes.h>
#include <string.h>

static const char SECTION[] = "discrete_element.bodies"; /* element_body, row by row */
enum { BODY_NUMBERS = sizeof(element_body) / sizeof(double) };

static const double FARTHEST = 1e75; /* as of particles */

bool element_bodies_known(const discrete_element *method, const bodies *obstacles)
{
  return bodies_free_count(obstacles) == 0 || method->body_count == obstacles->count;
}

floc_status element_free_begin(discrete_element *method, const step_context *context, element_free *step)
{
  const bodies *obstacles = context->obstacles;
  const size_t count = (size_t)obstacles->count;
  *step = (element_free){0};
  if (bodies_free_count(obstacles) == 0) return FLOC_OK;
  floc_status status =
      array_reserve(method->env, (void **)&method->body, &method->body_capacity, count, sizeof *method->body);
  if (status != FLOC_OK) return status;
  step->of = arena_allocate(context->scratch, count, sizeof *step->of);
  step->middle = arena_allocate(context->scratch, count, sizeof *step->middle);
  step->load = arena_allocate(context->scratch, count, sizeof *step->load);
  if (!step->of || !step->middle || !step->load) return FLOC_OUT_OF_MEMORY;
  memset(step->of, 0, count * sizeof *step->of);
  if (element_bodies_known(method, obstacles)) memcpy(step->of, method->body, count * sizeof *step->of);
  for (int32_t k = 0; k < obstacles->count; k++) {
    if (!body_is_free(&obstacles->body[k])) continue;
    status = body_load(obstacles, k, context->time + 0.5 * context->time_step, step->load[k]);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static void take_velocities(const body *one, element_body *to)
{
  memcpy(to->velocity, one->free.velocity, sizeof to->velocity);
  memcpy(to->spin, one->angular_velocity, sizeof to->spin);
}

void element_free_start(const step_context *context, const element_free *step)
{
  for (int32_t k = 0; step->of && k < context->obstacles->count; k++)
    take_velocities(&context->obstacles->body[k], &step->of[k]);
}

/* What bodies show stays as it was, should the step fail. */
floc_status element_free_first(const evaluation *run, const element_free *step)
{
  bodies *obstacles = run->context->obstacles;
  if (!step->of) return FLOC_OK;
  double(*shown)[6] = arena_allocate(run->context->scratch, (size_t)obstacles->count, sizeof *shown);
  if (!shown) return FLOC_OUT_OF_MEMORY;
  for (int32_t k = 0; k < obstacles->count; k++) {
    memcpy(shown[k], obstacles->body[k].force, sizeof obstacles->body[k].force);
    memcpy(shown[k] + 3, obstacles->body[k].torque, sizeof obstacles->body[k].torque);
  }
  element_push_bodies(run);
  for (int32_t k = 0; k < obstacles->count; k++) {
    body *one = &obstacles->body[k];
    memcpy(step->of[k].force, one->force, sizeof one->force);
    memcpy(step->of[k].torque, one->torque, sizeof one->torque);
    memcpy(one->force, shown[k], sizeof one->force);
    memcpy(one->torque, shown[k] + 3, sizeof one->torque);
  }
  return FLOC_OK;
}

/* All that acts at an end of the step; forces and torques are about the centre. */
static free_push push_of(const step_context *context, const element_free *step, int32_t number)
{
  free_push acting = {.gravity = {context->gravity[0], context->gravity[1], context->gravity[2]}};
  if (context->obstacles->dimension == 2) acting.gravity[2] = 0.0;
  for (int k = 0; k < 3; k++) {
    acting.load[k] = step->load[number][k] + step->of[number].force[k];
    acting.load[3 + k] = step->load[number][3 + k] + step->of[number].torque[k];
  }
  return acting;
}

static floc_status check_bounded(const step_context *context, int32_t number, const free_velocity *middle)
{
  const body *one = &context->obstacles->body[number];
  bool bounded = fabs(one->next.angle) <= FARTHEST;
  for (int k = 0; k < 3; k++)
    bounded &= fabs(one->next.position[k]) <= FARTHEST && fabs(middle->linear[k]) <= FARTHEST &&
               fabs(middle->spin[k]) <= FARTHEST && isfinite(one->next.orientation[k]);
  if (bounded) return FLOC_OK;
  return refuse(context->env, FLOC_NOT_A_NUMBER,
                "body %d (%s) at (%g, %g, %g) got velocity (%g, %g, %g) in step %" PRId64
                ": the time step %g may be too large for the stiffness",
                (int)number, body_label(one), one->now.position[0], one->now.position[1], one->now.position[2],
                middle->linear[0], middle->linear[1], middle->linear[2], context->step + 1, context->time_step);
}

floc_status element_free_drift(const step_context *context, const element_free *step)
{
  bodies *obstacles = context->obstacles;
  const double h = context->time_step;
  if (!step->of) return FLOC_OK;
  for (int32_t k = 0; k < obstacles->count; k++) {
    body *one = &obstacles->body[k];
    if (!body_is_free(one)) continue;
    const free_push acting = push_of(context, step, k);
    body_free_velocity(obstacles, k, 0.5 * h, h, &acting, &step->middle[k]);
    body_go(one, obstacles->dimension, h, step->middle[k].linear, step->middle[k].spin);
    floc_status status = check_bounded(context, k, &step->middle[k]);
    if (status != FLOC_OK) return status;
    bodies_place_body(obstacles, k);
    memcpy(step->of[k].velocity, step->middle[k].linear, sizeof step->of[k].velocity);
    memcpy(step->of[k].spin, step->middle[k].spin, sizeof step->of[k].spin);
  }
  return bodies_check_apart(obstacles, NULL, "in discrete elements bodies touch particles alone",
                            context->step + 1);
}

double element_free_arrive(discrete_element *method, const step_context *context, const element_free *step)
{
  bodies *obstacles = context->obstacles;
  double energy = 0.0;
  method->body_count = 0;
  if (!step->of) return 0.0;
  for (int32_t k = 0; k < obstacles->count; k++) {
    body *one = &obstacles->body[k];
    memcpy(step->of[k].force, one->force, sizeof one->force);
    memcpy(step->of[k].torque, one->torque, sizeof one->torque);
    if (!body_is_free(one)) continue;
    const free_push acting = push_of(context, step, k);
    body_arrive_kicked(obstacles, k, 0.5 * context->time_step, &acting, &step->middle[k]);
    energy += body_translational_energy(one) + body_rotational_energy(one, obstacles->dimension);
  }
  memcpy(method->body, step->of, (size_t)obstacles->count * sizeof *method->body);
  method->body_count = obstacles->count;
  return energy;
}

/* ---- checkpoints ---- */

floc_status element_free_sections(const discrete_element *method, section_list *list)
{
  if (method->body_count == 0) return FLOC_OK;
  return section_list_add(list, SECTION, "f64", (uint64_t)method->body_count, BODY_NUMBERS, method->body, false);
}

floc_status element_free_restore(discrete_element *method, const section_list *list)
{
  const section *found;
  method->body_count = 0;
  if (!section_find(list, SECTION)) return FLOC_OK;
  floc_status status = section_expect(list, SECTION, "f64", UINT64_MAX, BODY_NUMBERS, &found);
  if (status == FLOC_OK && found->rows > INT32_MAX)
    status =
        refuse(method->env, FLOC_DAMAGED_FILE, "section \"%s\" has %llu rows; there are no more bodies than %d",
               SECTION, (unsigned long long)found->rows, INT32_MAX);
  if (status == FLOC_OK) status = section_check_numbers(method->env, found, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK)
    status = array_reserve(method->env, (void **)&method->body, &method->body_capacity, (size_t)found->rows,
                           sizeof *method->body);
  if (status != FLOC_OK || found->rows == 0) return status;
  memcpy(method->body, found->data, (size_t)found->rows * sizeof *method->body);
  method->body_count = (int32_t)found->rows;
  return FLOC_OK;
}
