/*
 * The account of energy (schemes/energy_ledger.h). Kinetic energies are those of the measures, added up by
 * themselves before and after each step. What happens to particles between steps (a host writes a column, particles
 * come and go, laws of evolution change masses) is seen as a kinetic energy that is not what the last step left,
 * and is an entry of its own.
 *
 * Which schemes know the work of their parts stands in world_features.c; how they must be set, in scheme.no_ledger.
 */
#include "world.h"

#include "geometry/free_body.h"
#include "geometry/joints.h"
#include "measures/energies.h"
#include "particles/owned.h"

/* Of velocities about the flow of a box that moves: those of the laboratory change as particles enter it. In the
 * order of ids. */
static double energy_about_flow(const floc_world *world)
{
  const particles *table = &world->table;
  double sum = 0.0;
  EACH_OWNED_RANK(rank, table) {
    const int64_t slot = table->slot[rank];
    double position[3], flow[3], square = 0.0;
    for (int axis = 0; axis < 3; axis++) position[axis] = table->column[COLUMN_x + axis][slot];
    domain_flow(&world->box, position, flow);
    for (int axis = 0; axis < world->box.dimension; axis++) {
      const double own = table->column[COLUMN_vx + axis][slot] - flow[axis];
      square += own * own;
    }
    sum += 0.5 * table->column[COLUMN_mass][slot] * square;
  }
  return sum;
}

double world_kinetic_energy(floc_world *world)
{
  const measure_source source = world_measure_source(world);
  const kinetic_energies energies = energies_of_motion(&source);
  return (domain_moves(&world->box) ? energy_about_flow(world) : energies.translational) + energies.rotational;
}

floc_status world_check_ledger(floc_world *world, const scheme *method)
{
  environment *env = &world->env;
  if (!world->keeps_ledger) return FLOC_OK;
  if (method->no_ledger)
    return refuse(env, FLOC_NOT_SUPPORTED, "energy_ledger is not supported under the scheme %s %s", method->shown,
                  method->no_ledger);
  if (world->assemblies.count > 0)
    return refuse(
        env, FLOC_NOT_SUPPORTED,
        "energy_ledger is not supported with rigid assemblies, of which there are %d: their members' works "
        "are not known one by one",
        world->assemblies.count);
  const bool knows = method->ledger_of_bodies && world->box.dimension == 2;
  const char *where = method->ledger_of_bodies ? "in space" : "under this scheme";
  if (!knows && bodies_free_count(&world->obstacles) > 0)
    return refuse(
        env, FLOC_NOT_SUPPORTED,
        "energy_ledger is not supported with free bodies, of which there are %d, %s: it knows their works "
        "under projections in the plane",
        bodies_free_count(&world->obstacles), where);
  if (!knows && joints_present(&world->obstacles) > 0)
    return refuse(
        env, FLOC_NOT_SUPPORTED,
        "energy_ledger is not supported with joints, of which there are %d, %s: it knows their works under "
        "projections in the plane",
        joints_present(&world->obstacles), where);
  return FLOC_OK;
}

void world_add_to_ledger(floc_world *world, double kinetic_before, const double *work)
{
  energy_ledger_begin(&world->ledger, kinetic_before);
  energy_ledger_end(&world->ledger, work, world_kinetic_energy(world));
}

floc_status floc_world_get_energy_ledger(floc_world *world, floc_energy_ledger *ledger)
{
  WORLD_ENTER(world);
  FILL_RESULT(&world->env, energy_ledger, ledger);
  if (!world->keeps_ledger)
    return refuse(&world->env, FLOC_WRONG_STATE,
                  "this world keeps no account of energy; give the option energy_ledger when it is made");
  energy_ledger seen = world->ledger; /* a step begins with what happened since the last one; so does a look */
  energy_ledger_begin(&seen, world_kinetic_energy(world));
  double *const entry[LEDGER_PARTS] = {&ledger->gravity, &ledger->laws,     &ledger->fields,  &ledger->near_field,
                                       &ledger->drag,    &ledger->contacts, &ledger->damping, &ledger->friction,
                                       &ledger->rolling, &ledger->bonds,    &ledger->flow,    &ledger->rays,
                                       &ledger->walls,   &ledger->cell,     &ledger->outside, &ledger->loads,
                                       &ledger->joints,  &ledger->motors,   &ledger->springs};
  double sum = 0.0;
  for (int part = 0; part < LEDGER_PARTS; part++)
    sum += *entry[part] = energy_ledger_work(&seen, (ledger_part)part);
  ledger->kinetic = seen.last;
  ledger->start = seen.start;
  ledger->residual = (seen.last - seen.start) - sum;
  ledger->turnover = seen.turnover;
  ledger->steps = whole_between(seen.steps, 0, COUNTER_LIMIT);
  return FLOC_OK;
}
