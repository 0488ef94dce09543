/*
 * What surrounds the elements: the medium of the options, a force that the integrator sums with the others, and
 * flow and noise of the world, which act alone between its parts (laws/law_bath.c).
 *
 * Drag of the medium is (30), 6 pi c_e R (v_e - v). Elements that turn feel 8 pi c_e R^3 (rot v_e/2 - omega) beside
 * it, (4/3) R^2 times the coefficient of the drag. rot v_e of a function follows from central differences of its
 * values 1e-3 radii to both sides along each axis. In a box that moves the medium goes along with it, and v_e comes
 * on top.
 */
#include "schemes/discrete_element/model.h"

#include "particles/owned.h"

static const double SIX_PI = 18.84955592153875943078;
static const double EIGHT_PI = 25.13274122871834590770;
static const double DIFFERENCE = 1e-3; /* in radii */

/* What the change of the medium's velocity along an axis adds to rot v_e/2. */
static floc_status add_differences(evaluation *run, int along, double (*spin)[3])
{
  const floc_discrete_element_options *options = &run->method->options;
  double(*before)[3], (*after)[3];
  space_function medium = {CALLBACK_MEDIUM_FLOW, options->medium_flow, options->medium_flow_context, {0.0}, true};
  medium.offset[along] = -DIFFERENCE;
  floc_status status = element_field_at(run, &medium, &before);
  medium.offset[along] = DIFFERENCE;
  if (status == FLOC_OK) status = element_field_at(run, &medium, &after);
  for (int of = 0; of < run->method->dimension && status == FLOC_OK; of++) {
    if (of == along) continue;
    double sign = (along + 1) % 3 == of ? 0.5 : -0.5;
    EACH_OWNED(i, run->context->table)
      spin[i][3 - of - along] += sign * (after[i][of] - before[i][of]) / (2.0 * DIFFERENCE * run->at[i].radius);
  }
  return status;
}

static floc_status add_viscous_torque(evaluation *run)
{
  const floc_discrete_element_options *options = &run->method->options;
  size_t count = (size_t)run->context->table->count;
  double(*spin)[3] = arena_allocate(run->context->scratch, count, sizeof *spin);
  if (!spin) return FLOC_OUT_OF_MEMORY;
  EACH_SLOT(i, run->context->table) {
    spin[i][0] = spin[i][1] = spin[i][2] = 0.0;
    if (run->deforms) domain_add_rotation(run->context->box, spin[i]);
  }
  floc_status status = FLOC_OK;
  for (int along = 0; along < run->method->dimension && options->medium_flow && status == FLOC_OK; along++)
    status = add_differences(run, along, spin);
  EACH_OWNED(i, run->context->table) {
    if (status != FLOC_OK) break;
    double radius = run->at[i].radius, factor = options->viscosity * EIGHT_PI * radius * radius * radius;
    for (int k = run->method->dimension == 2 ? 2 : 0; k < 3; k++)
      run->fields[i].torque[k] += factor * (spin[i][k] - run->at[i].spin[k]);
  }
  return status;
}

floc_status element_drag(evaluation *run)
{
  const floc_discrete_element_options *options = &run->method->options;
  if (options->viscosity == 0.0) return FLOC_OK;
  const space_function medium = {
      CALLBACK_MEDIUM_FLOW, options->medium_flow, options->medium_flow_context, {0.0}, false};
  double(*flow)[3];
  floc_status status = element_field_at(run, &medium, &flow);
  if (status != FLOC_OK) return status;
  EACH_OWNED(i, run->context->table) {
    double factor = options->viscosity * SIX_PI * run->at[i].radius;
    const double *velocity = flow ? flow[i] : options->medium_velocity;
    double along[3] = {0.0, 0.0, 0.0};
    if (run->deforms) domain_flow(run->context->box, run->at[i].position, along);
    for (int k = 0; k < 3; k++)
      run->fields[i].force[k] += factor * (velocity[k] + along[k] - run->at[i].velocity[k]);
  }
  return options->rotation ? add_viscous_torque(run) : FLOC_OK;
}

floc_status element_bathe(const discrete_element *method, const step_context *context, double time, double duration,
                          uint64_t index, element *at)
{
  const domain middle = domain_later(context->box, context->next_box ? time - context->time : 0.0);
  const bath_moment moment = {.box = &middle,
                              .time = time,
                              .duration = duration,
                              .step = context->step,
                              .seed = context->seed,
                              .index = index,
                              .turns = method->options.rotation,
                              .inertia_factor = method->dimension == 2 ? 0.5 : 0.4};
  floc_status status = laws_bathe(context->forces, context->table, &moment, at, context->scratch);
  const double *frozen = particles_frozen(context->table);
  double *const *column = context->table->column, *spin[3];
  element_spin_columns(method, context->table, spin);
  EACH_SLOT(i, context->table)
    for (int k = 0; k < 3 && frozen && frozen[i] != 0.0; k++) {
      at[i].velocity[k] = column[COLUMN_vx + k][i];
      at[i].spin[k] = spin[k] ? spin[k][i] : 0.0;
    }
  return status;
}
