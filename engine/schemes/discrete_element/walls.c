/*
 * Particles and bodies. A body's surface is taken as flat and rigid where it is touched: the overlap
 * is R - D, the strain (R - D)/R, the contact area pi (R^2 - D^2), R* = R and E* = E/(1 - nu^2) in (70), and
 * the stiffness is the particle's own. The surface moves as the body does from its pose now to its
 * pose next.
 *
 * Springs and bonds of walls lie in the memory of the list of walls; bonds only with bond_bodies. Bodies do not
 * take part in near fields.
 */
#include "schemes/discrete_element/law.h"

#include "base/threads/parallel.h"
#include "geometry/vector.h"
#include "particles/owned.h"

#include <string.h>

void element_surface_velocity(const body_motion *motion, const double point[3], double velocity[3])
{
  double arm[3], turn[3];
  vector_difference(point, motion->pivot, arm);
  vector_cross(motion->spin, arm, turn);
  for (int k = 0; k < 3; k++) velocity[k] = motion->velocity[k] + turn[k];
}

static void wall_velocities(const evaluation *run, const element *particle, int32_t body_number, wall_contact *wall)
{
  contact_state *state = &wall->state;
  double surface[3], turn[3];
  element_surface_velocity(&run->motion[body_number], wall->point, surface);
  if (run->deforms) { /* a wall stretches with the box that it bounds */
    double flow[3];
    domain_flow(run->context->box, wall->point, flow);
    vector_add_scaled(surface, 1.0, flow, surface);
  }
  vector_cross(particle->spin, state->normal, turn);
  state->normal_velocity = 0.0;
  for (int k = 0; k < 3; k++) {
    double own =
        run->method->options.rotation ? particle->velocity[k] + wall->arm * turn[k] : particle->velocity[k];
    state->slip[k] = surface[k] - own;
    state->normal_velocity += (surface[k] - particle->velocity[k]) * state->normal[k];
  }
  vector_add_scaled(state->slip, -state->normal_velocity, state->normal, state->slip);
}

static bool describe_wall(const evaluation *run, const floc_discrete_element_options *options, int64_t entry,
                          int32_t i, int32_t shape_number, wall_contact *wall)
{
  if (options->contact_force == FLOC_CONTACT_FORCE_NONE) return false;
  const element *particle = &run->at[i];
  const shape *surface = &run->context->obstacles->world[shape_number];
  contact_state *state = &wall->state;
  double distance = shape_distance(surface, run->method->dimension, particle->position, state->normal, wall->point);
  state->overlap = particle->radius - distance;
  state->bond = options->bond_bodies && run->walls_from.bond ? run->walls_from.bond[entry] : 0.0;
  const bool touching = state->overlap > 0.0;
  if (!touching && state->bond == 0.0) return false;
  double depth = distance > 0.0 ? distance : 0.0; /* a centre behind the surface counts as on it */
  state->strain = fabs(state->overlap) / particle->radius;
  state->area = touching ? ELEMENT_PI * (particle->radius - depth) * (particle->radius + depth) : 0.0;
  state->breaking = options->bond_breaking;
  if (options->bond_bodies && options->bond_strength_spread > 0.0)
    state->breaking =
        element_wall_bond_breaking(options, run->context->seed, run->context->table->id[i], shape_number);
  state->effective_radius = particle->radius;
  state->effective_modulus = options->young_modulus / (1.0 - options->poisson_ratio * options->poisson_ratio);
  state->stiffness = run->stiffness ? run->stiffness[i] : options->stiffness;
  state->increment = run->increment;
  state->friction_time = run->friction_time;
  wall->arm = depth;
  for (int k = 0; k < 3; k++) state->spring[k] = run->walls_from.spring[k] ? run->walls_from.spring[k][entry] : 0.0;
  state->sliding = run->walls_from.sliding ? run->walls_from.sliding[entry] : 0.0;
  wall_velocities(run, particle, surface->body, wall);
  if (resists_rolling(run)) {
    recall_rolling(state, run->walls_from.roll, entry);
    rolling_velocity(state, particle->spin, run->motion[surface->body].spin);
  }
  return true;
}

bool element_describe_wall(const evaluation *run, int64_t entry, wall_contact *wall)
{
  const step_context *context = run->context;
  const pair_list *walls = neighbors_walls(context->near);
  const int32_t i = walls->first[entry], number = walls->second[entry];
  return describe_wall(run, element_options_of(run->method, context->table, context->obstacles, i, -1, number),
                       entry, i, number, wall);
}

static bool evaluate_wall(const evaluation *run, int64_t entry, int32_t i, int32_t shape_number, wall_contact *wall)
{
  const step_context *context = run->context;
  const floc_discrete_element_options *options =
      element_options_of(run->method, context->table, context->obstacles, i, -1, shape_number);
  if (!describe_wall(run, options, entry, i, shape_number, wall)) return false;
  if (options->bond_bodies || options->bond_law == FLOC_BOND_NONE) {
    contact_forces(options, &wall->state);
    return true;
  }
  floc_discrete_element_options unbonded = *options;
  unbonded.bond_law = FLOC_BOND_NONE;
  contact_forces(&unbonded, &wall->state);
  return true;
}

void element_look_walls(const evaluation *run, int64_t begin, int32_t count, look_block *to)
{
  const pair_list *walls = neighbors_walls(run->context->near);
  wall_contact wall;
  for (int32_t row = 0; row < count; row++) {
    const int64_t entry = begin + row;
    const bool touches = evaluate_wall(run, entry, walls->first[entry], walls->second[entry], &wall);
    element_look_put(run, touches ? &wall.state : NULL, row, to);
  }
}

/* The walls of one block's particles, of ghosts too: what a wall contact remembers is known to both sides. The
 * value is the number of contacts of owned ones. */
static double wall_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  evaluation *run = context;
  const pair_list *walls = neighbors_walls(run->context->near);
  double contacts = 0.0;
  wall_contact wall;
  for (int64_t i = begin; i < end; i++) {
    for (int64_t entry = walls->start[i]; entry < walls->start[i + 1]; entry++) {
      bool touches = evaluate_wall(run, entry, (int32_t)i, walls->second[entry], &wall);
      for (int k = 0; k < 3; k++)
        if (run->walls_to.spring[k]) run->walls_to.spring[k][entry] = touches ? wall.state.spring[k] : 0.0;
      for (int k = 0; k < 3; k++)
        if (run->walls_to.roll[k]) run->walls_to.roll[k][entry] = touches ? wall.state.roll[k] : 0.0;
      if (run->walls_to.sliding) run->walls_to.sliding[entry] = touches ? wall.state.sliding : 0.0;
      if (run->walls_to.bond) run->walls_to.bond[entry] = touches ? wall.state.bond : 0.0;
      push *on_particle = &run->wall_push[entry];
      memset(on_particle, 0, sizeof *on_particle);
      if (!touches) continue;
      contacts += wall.state.overlap > 0.0 && !particles_is_ghost(run->context->table, i);
      vector_add_scaled(wall.state.tangential, -wall.state.normal_force, wall.state.normal, on_particle->force);
      double turn[3];
      vector_cross(wall.state.normal, wall.state.tangential, turn);
      for (int k = 0; k < 3; k++) {
        run->fields[i].force[k] += on_particle->force[k];
        run->fields[i].torque[k] += wall.arm * turn[k];
      }
      for (int k = 0; k < 3 && resists_rolling(run); k++) {
        on_particle->torque[k] = wall.state.moment[k];
        run->fields[i].torque[k] += wall.state.moment[k];
      }
    }
  }
  return contacts;
}

static double overlap_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const evaluation *run = context;
  const pair_list *walls = neighbors_walls(run->context->near);
  double greatest = 0.0, normal[3], point[3];
  for (int64_t entry = begin; entry < end; entry++) {
    const element *particle = &run->at[walls->first[entry]];
    double distance = shape_distance(&run->context->obstacles->world[walls->second[entry]], run->method->dimension,
                                     particle->position, normal, point);
    double overlap = (particle->radius - distance) / particle->radius;
    if (overlap > greatest) greatest = overlap;
  }
  return greatest;
}

void element_walls(evaluation *run)
{
  const step_context *context = run->context;
  int64_t count = neighbors_walls(context->near)->count;
  run->wall_contacts = 0;
  if (count == 0) return;
  run->wall_contacts = slots_count(context->env, context->table, PARALLEL_BLOCK, wall_block, run);
  run->overlap = parallel_max(context->env, count, PARALLEL_BLOCK, run->overlap, overlap_block, run);
}

/* Bodies of a cut get their forces when the world is whole again. */
static void note_touch(const evaluation *run, int64_t entry, const double force[3], const double torque[3])
{
  const pair_list *walls = neighbors_walls(run->context->near);
  if (!run->context->ranks) return;
  wall_touch *to = &run->method->touches[run->method->touch_count++];
  *to = (wall_touch){.slot = walls->first[entry], .shape = walls->second[entry]};
  for (int k = 0; k < 3; k++) {
    to->force[k] = force[k];
    to->torque[k] = torque[k];
  }
}

void element_push_bodies(const evaluation *run)
{
  run->method->touch_count = 0;
  bodies *obstacles = run->context->obstacles;
  const pair_list *walls = neighbors_walls(run->context->near);
  for (int32_t k = 0; k < obstacles->count; k++) {
    memset(obstacles->body[k].force, 0, sizeof obstacles->body[k].force);
    memset(obstacles->body[k].torque, 0, sizeof obstacles->body[k].torque);
  }
  for (int64_t entry = 0; entry < walls->count; entry++) {
    const push *on_particle = &run->wall_push[entry];
    const shape *surface = &obstacles->world[walls->second[entry]];
    body *owner = &obstacles->body[surface->body];
    double arm[3], turn[3], normal[3], point[3];
    if (particles_is_ghost(run->context->table, walls->first[entry])) continue;
    if (on_particle->force[0] == 0.0 && on_particle->force[1] == 0.0 && on_particle->force[2] == 0.0) continue;
    shape_distance(surface, run->method->dimension, run->at[walls->first[entry]].position, normal, point);
    vector_difference(point, owner->next.position, arm);
    vector_cross(arm, on_particle->force, turn);
    for (int k = 0; k < 3; k++) turn[k] += on_particle->torque[k];
    for (int k = 0; k < 3; k++) {
      owner->force[k] -= on_particle->force[k];
      owner->torque[k] -= turn[k];
    }
    note_touch(run, entry, on_particle->force, turn);
  }
  laws_push_bodies(run->context->forces, obstacles);
  for (int32_t k = 0; k < obstacles->count; k++) {
    body *one = &obstacles->body[k];
    double arm[3], turn[3];
    if (!body_is_free(one)) continue;
    body_center_arm(one, run->method->dimension, &one->next, arm);
    vector_cross(one->force, arm, turn);
    vector_add_scaled(one->torque, 1.0, turn, one->torque);
  }
}
