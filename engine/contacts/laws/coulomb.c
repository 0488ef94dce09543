/*
 * Coulomb friction as a contact law: |P_t| <= mu (p - lo), with mu of the options or of the pair of materials.
 * Pairs remember P_t; what of it the last step's direction has kept along the new normal is no friction. A
 * prescribed body's surface moves along itself, with the velocity of its nearest point at the step's end.
 */
#include "contacts/laws/law.h"

#include "base/threads/parallel.h"
#include "geometry/vector.h"

static bool acts(const floc_projection_options *options)
{
  return options->friction > 0.0;
}

/* Velocity of a wall along its surface where the particle touches it. */
static void surface_velocity(const law_input *input, int64_t a, const double normal[3], double velocity[3])
{
  const contact_source *source = input->source;
  const contact_set *set = input->set;
  const body *wall = &source->obstacles->body[source->obstacles->world[set->shape[a]].body];
  double nearest[3];
  contact_wall_point(source, set, a, nearest);
  body_point_velocity(wall, source->obstacles->dimension, source->time_step, nearest, velocity);
  if (domain_moves(source->box)) { /* a wall stretches with the box that it bounds */
    double flow[3];
    domain_flow(source->box, nearest, flow);
    vector_add_scaled(velocity, 1.0, flow, velocity);
  }
  vector_add_scaled(velocity, -vector_dot(velocity, normal), normal, velocity);
}

static void fill_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const law_input *input = context;
  contact_set *set = input->set;
  const int dimension = input->source->obstacles->dimension;
  for (int64_t a = begin; a < end; a++) {
    double normal[3] = {0.0, 0.0, 0.0}, surface[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < dimension; axis++) normal[axis] = set->normal[axis][a];
    set->friction[a] = input->laws->options.friction;
    if (set->second[a] < 0) surface_velocity(input, a, normal, surface);
    for (int axis = 0; axis < dimension; axis++) set->surface_velocity[axis][a] = surface[axis];
  }
}

static floc_status fill(const law_input *input)
{
  contact_set *set = input->set;
  floc_status status = law_column(input, &set->friction);
  for (int axis = 0; axis < input->source->obstacles->dimension && status == FLOC_OK; axis++) {
    status = law_recall(input, axis, &set->tangent[axis]);
    if (status == FLOC_OK) status = law_column(input, &set->surface_velocity[axis]);
  }
  if (status != FLOC_OK) return status;
  parallel_for(input->source->env, set->count, PARALLEL_BLOCK, fill_range, (void *)input);
  return contacts_by_pair(input->source, input->laws, set, PAIR_FRICTION, set->friction);
}

static double remember(const law_input *input, int64_t a, int32_t axis)
{
  return input->set->tangent[axis] ? input->set->tangent[axis][a] : 0.0;
}

const contact_law_type law_coulomb = {.name = "coulomb",
                                      .acts = acts,
                                      .memory = {"impulse_x", "impulse_y", "impulse_z"},
                                      .turns = true,
                                      .fill = fill,
                                      .remember = remember};
