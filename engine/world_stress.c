/*
 * Forces between two particles, or a particle and a body, in the present state, for stresses and what else is a sum
 * over them. Soft contacts are evaluated once more with the laws, as the columns fx fy fz are. Hard ones have the
 * impulses of the last step; the laws beside them are asked about the present state.
 */
#include "world.h"

#include "measures/statistics/stress.h"

laws_moment world_moment(floc_world *world, particles *copy, const neighbors *near)
{
  laws_moment moment = {.table = copy,
                        .near = near,
                        .obstacles = &world->obstacles,
                        .box = &world->box,
                        .time = world_time(world),
                        .time_step = world->time_step};
  for (int axis = world->box.dimension == 2 ? 2 : 0; axis < 3 && world->method.turns; axis++)
    moment.spin[axis] = particles_optional(&world->table, OPTIONAL_wx + axis);
  return moment;
}

/* The scheme has its forces between two; those of laws are checked by themselves. */
static floc_status check_scheme(floc_world *world, const interactions_wanted *wanted)
{
  const scheme *method = &world->method;
  environment *env = &world->env;
  floc_status round = world_need_round(world, wanted->what);
  if (round != FLOC_OK) return round;
  if (method->step && (!method->exerts_contacts || method->weighs_alike))
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "%s: contacts have no forces under the scheme %s; they have under inelastic, gluey and "
                  "discrete_element",
                  wanted->what, method->shown);
  if (method->has_near_field && !wanted->take_forces)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "%s: near fields of the scheme %s are not known pair by pair; a law of add_force has a stress",
                  wanted->what, method->shown);
  if (method->observe) return FLOC_OK;
  if (world->step > 0 && world->step_origin == world->step)
    return refuse(
        env, FLOC_WRONG_STATE,
        "%s: contacts of the scheme %s are impulses of the last step, and time_step was changed since; it is "
        "known after the next step",
        wanted->what, method->shown);
  const laws_present present = laws_find_present(world->forces);
  if (wanted->take_forces && (present.flow || present.noise || present.a_priori))
    return refuse(env, FLOC_NOT_SUPPORTED, "%s: with %s forces on particles are not known", wanted->what,
                  present.flow    ? "a flow"
                  : present.noise ? "noise"
                                  : "an a priori velocity");
  return FLOC_OK;
}

/* All forces that there are, over lists that are *made or the world's. */
typedef struct found_forces {
  neighbors *near, *made;
  observed_forces forces;
  particles copy;
} found_forces;

static floc_status observe_all(floc_world *world, double range, bool on_particles, found_forces *found)
{
  for (int axis = 0; axis < SHOWN_FORCES && on_particles; axis++) {
    found->forces.on_particle[axis] = arena_allocate(&world->scratch, (size_t)world->table.count, sizeof(double));
    if (!found->forces.on_particle[axis]) return FLOC_OUT_OF_MEMORY;
  }
  return world_observe(world, NULL, true, range, &found->near, &found->made, &found->forces);
}

static floc_status ask_laws(floc_world *world, double range, found_forces *found)
{
  const int32_t dimension = world->box.dimension;
  floc_status status = world_present_lists(world, range, &found->near, &found->made);
  if (status == FLOC_OK) status = world_copy_table(world, &found->copy);
  if (status == FLOC_OK) status = pair_forces_make(&world->scratch, found->near, dimension, &found->forces.laws);
  if (status != FLOC_OK) return status;
  const laws_moment moment = world_moment(world, &found->copy, found->near);
  laws_observe(world->forces, &(laws_view){.again = world->laws_again, .forces = &found->forces.laws});
  status = laws_apply(world->forces, &moment, &world->scratch);
  laws_end_observation(world->forces);
  for (int axis = 0; axis < dimension; axis++)
    found->forces.on_particle[axis] = found->copy.column[COLUMN_fx + axis];
  return status;
}

static void hand_over(floc_world *world, const interactions_wanted *wanted, const found_forces *found,
                      void *context)
{
  const bool soft = world->method.observe;
  interactions_source source = {.table = &world->table,
                                .obstacles = &world->obstacles,
                                .assemblies = &world->assemblies,
                                .box = &world->box,
                                .time_step = world->time_step,
                                .contact_near = soft ? found->near : world->near,
                                .contact_forces = soft ? &found->forces.own : NULL,
                                .law_near = found->near,
                                .law_forces = &found->forces.laws};
  const domain start_box = world_start_box(world);
  source.contact_box = &start_box;
  if (world->method.contact_positions)
    source.position = world->method.contact_positions(world->method.state, &source.position_count);
  if (wanted->take_forces) wanted->take_forces(context, found->forces.on_particle, soft);
  interactions_visit(&source, wanted->sink, context);
}

floc_status world_visit_interactions(void *host, const interactions_wanted *wanted, void *context)
{
  floc_world *world = host;
  const bool soft = world->method.observe;
  found_forces found = {.near = NULL};
  double range = 0.0;
  arena_mark here = arena_here(&world->scratch);
  floc_status status = check_scheme(world, wanted);
  if (status == FLOC_OK && !wanted->take_forces) status = laws_check_between(world->forces, wanted->what);
  if (status == FLOC_OK) status = laws_between_range(world->forces, &world->table, &world->box, &range);
  if (status == FLOC_OK)
    status = soft ? observe_all(world, range, wanted->take_forces, &found) : ask_laws(world, range, &found);
  if (status == FLOC_OK) {
    laws_add_attractions(world->forces, &world->table, neighbors_pairs(found.near), &world->box, world->time_step,
                         found.forces.laws.normal[0]);
    hand_over(world, wanted, &found, context);
  }
  neighbors_destroy(found.made);
  arena_return(&world->scratch, here);
  return status;
}

floc_status floc_measure_stress(floc_world *world, const floc_stress_options *options, floc_stress *stress)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, stress_options, options);
  FILL_RESULT(&world->env, stress, stress);
  const measure_source source = world_measure_source(world);
  return stress_find(&source, "stress", options->volume, stress);
}
