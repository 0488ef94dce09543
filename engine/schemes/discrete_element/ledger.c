/*
 * The work of every part of the forces, where an account is kept of energy (schemes/energy_ledger.h).
 *
 * Velocity Verlet kicks twice with every force: at the end of the step that found it, and at the start of the next
 * one. A kick by h/2 f/m changes the kinetic energy by h/2 f . (v + v')/2 exactly, v and v' before and after it;
 * this holds for the sum of all forces and so for every part of it, spins and torques likewise. So the parts are
 * kept as the forces are. They are found apart from the forces, which the loops of contacts add up as ever: those
 * loops know nothing of an account, and the bits of a run do not depend on it. Contacts are described and evaluated
 * once more, from the same state: elastic and viscous parts along the normal, friction across it, moments against
 * rolling, and what bonds add; each particle for itself, so pairs are evaluated twice.
 *
 * The force of a wall on a particle does work at the particle's velocity. At the velocity of the surface, the one
 * of the step that found the force, it is the wall's work; the rest is that of its part.
 *
 * Fields are added up in a sum, of which each takes what it has added.
 */
#include "schemes/discrete_element/law.h"

#include "geometry/vector.h"
#include "particles/owned.h"

#include <string.h>

static const char SECTION[] = "discrete_element.parts", POWER_SECTION[] = "discrete_element.wall_power";

floc_status element_parts_reserve(discrete_element *method, int64_t count)
{
  floc_status status = FLOC_OK;
  for (int k = 0; k < 2 && status == FLOC_OK; k++)
    status = array_reserve(method->env, (void **)&method->parts[k], &method->parts_capacity[k], (size_t)count,
                           LEDGER_STORED * sizeof(push));
  if (status != FLOC_OK) return status;
  return array_reserve(method->env, (void **)&method->part_sum, &method->part_sum_capacity,
                       LEDGER_PARTS * (size_t)parallel_block_count(count, PARALLEL_BLOCK), sizeof(double));
}

/* ---- fields ---- */

floc_status element_parts_begin(evaluation *run)
{
  const particles *table = run->context->table;
  const double *mass = table->column[COLUMN_mass], *g = run->context->gravity;
  run->parted = arena_allocate(run->context->scratch, (size_t)table->count, sizeof *run->parted);
  if (!run->parted) return FLOC_OUT_OF_MEMORY;
  EACH_SLOT(i, table) {
    push *part = &run->parts[i * LEDGER_STORED];
    memset(part, 0, LEDGER_STORED * sizeof *part);
    for (int k = 0; k < 3; k++) part[LEDGER_GRAVITY].force[k] = mass[i] * g[k];
    run->parted[i] = part[LEDGER_GRAVITY];
  }
  return FLOC_OK;
}

void element_parts_take(evaluation *run, ledger_part part)
{
  if (!run->parts) return;
  EACH_SLOT(i, run->context->table) {
    const push *now = &run->fields[i];
    push *to = &run->parts[i * LEDGER_STORED + part], *before = &run->parted[i];
    for (int k = 0; k < 3; k++) {
      to->force[k] = now->force[k] - before->force[k];
      to->torque[k] = now->torque[k] - before->torque[k];
    }
    *before = *now;
  }
}

/* ---- contacts ---- */

/* What a contact consists of: forces on the first along the normal and across it, and a moment. */
typedef struct contact_parts {
  double along[LEDGER_STORED]; /* > 0: repulsive */
  double across[LEDGER_STORED][3];
  double moment[3];
} contact_parts;

static void split(const floc_discrete_element_options *options, const contact_state *given, bool bonds,
                  contact_parts *parts)
{
  floc_discrete_element_options unbonded = *options;
  contact_state bare = *given, full;
  memset(parts, 0, sizeof *parts);
  unbonded.bond_law = FLOC_BOND_NONE;
  contact_forces(&unbonded, &bare);
  if (bare.overlap > 0.0) parts->along[LEDGER_CONTACTS] = elastic_force(options, &bare);
  parts->along[LEDGER_DAMPING] = bare.normal_force - parts->along[LEDGER_CONTACTS];
  memcpy(parts->across[LEDGER_FRICTION], bare.tangential, sizeof bare.tangential);
  if (options->rolling_friction > 0.0 && bare.overlap > 0.0) memcpy(parts->moment, bare.moment, sizeof bare.moment);
  if (!bonds || options->bond_law == FLOC_BOND_NONE) return;
  full = *given;
  contact_forces(options, &full);
  parts->along[LEDGER_BONDS] = full.normal_force - bare.normal_force;
  for (int k = 0; k < 3; k++) parts->across[LEDGER_BONDS][k] = full.tangential[k] - bare.tangential[k];
}

/* On the first (sign 1) or the second (-1). */
static void add_parts(const contact_parts *parts, const double normal[3], double sign, double arm, push *to)
{
  static const ledger_part of_contacts[] = {LEDGER_CONTACTS, LEDGER_DAMPING, LEDGER_FRICTION, LEDGER_BONDS};
  for (size_t p = 0; p < sizeof of_contacts / sizeof *of_contacts; p++) {
    const ledger_part part = of_contacts[p];
    double turn[3];
    vector_cross(normal, parts->across[part], turn);
    for (int k = 0; k < 3; k++) {
      to[part].force[k] += sign * (parts->across[part][k] - parts->along[part] * normal[k]);
      to[part].torque[k] += arm * turn[k];
    }
  }
  vector_add_scaled(to[LEDGER_ROLLING].torque, sign, parts->moment, to[LEDGER_ROLLING].torque);
}

static void add_pair(const evaluation *run, int64_t entry, bool is_first, push *to)
{
  const pair_list *pairs = neighbors_pairs(run->context->near);
  pair_contact pair;
  contact_parts parts;
  if (!element_describe_pair(run, entry, &pair)) return;
  split(element_options_of(run->method, run->context->table, run->context->obstacles, pairs->first[entry],
                           pairs->second[entry], -1),
        &pair.state, true, &parts);
  add_parts(&parts, pair.state.normal, is_first ? 1.0 : -1.0, is_first ? pair.arm_i : pair.arm_j, to);
}

static void add_wall(const evaluation *run, int64_t entry, push *to, double power[LEDGER_STORED])
{
  const step_context *context = run->context;
  const pair_list *walls = neighbors_walls(context->near);
  const int32_t i = walls->first[entry], number = walls->second[entry];
  wall_contact wall;
  contact_parts parts;
  if (!element_describe_wall(run, entry, &wall)) return;
  split(element_options_of(run->method, context->table, context->obstacles, i, -1, number), &wall.state,
        run->method->options.bond_bodies, &parts);
  add_parts(&parts, wall.state.normal, 1.0, wall.arm, to);
  const body_motion *motion = &run->motion[context->obstacles->world[number].body];
  double surface[3], normal_velocity;
  element_surface_velocity(motion, wall.point, surface);
  normal_velocity = vector_dot(wall.state.normal, surface);
  for (int part = 0; part < LEDGER_STORED; part++)
    power[part] += vector_dot(parts.across[part], surface) - parts.along[part] * normal_velocity;
  power[LEDGER_ROLLING] += vector_dot(parts.moment, motion->spin);
}

static void contacts_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const evaluation *run = context;
  const pair_list *pairs = neighbors_pairs(run->context->near), *walls = neighbors_walls(run->context->near);
  const bool exert = run->method->options.contact_force != FLOC_CONTACT_FORCE_NONE;
  double *power = run->method->part_sum + block * LEDGER_PARTS;
  memset(power, 0, LEDGER_PARTS * sizeof *power);
  for (int64_t i = begin; i < end && exert; i++) {
    push *to = &run->parts[i * LEDGER_STORED];
    for (int64_t k = pairs->incoming_start[i]; k < pairs->incoming_start[i + 1]; k++)
      add_pair(run, pairs->incoming[k], false, to);
    for (int64_t k = pairs->start[i]; k < pairs->start[i + 1]; k++) add_pair(run, k, true, to);
    for (int64_t k = walls->start[i]; k < walls->start[i + 1]; k++) add_wall(run, k, to, power);
  }
}

/* In the order of blocks. */
static void add_sums(const discrete_element *method, int64_t count, int numbers, double *to)
{
  const int64_t blocks = parallel_block_count(count, PARALLEL_BLOCK);
  for (int64_t block = 0; block < blocks; block++)
    for (int part = 0; part < numbers; part++) to[part] += method->part_sum[block * LEDGER_PARTS + part];
}

void element_parts_contacts(evaluation *run)
{
  const int64_t count = run->context->table->count;
  slots_for(run->context->env, run->context->table, PARALLEL_BLOCK, contacts_block, run);
  memset(run->wall_power, 0, LEDGER_STORED * sizeof *run->wall_power);
  add_sums(run->method, count, LEDGER_STORED, run->wall_power);
}

/* ---- works ---- */

typedef struct work_pass {
  const discrete_element *method;
  const step_context *context;
  const element *at;
  const push *parts, *external; /* may be NULL */
  const double *frozen;         /* or NULL: what moves whatever acts gets no work */
  double *spin[3];
} work_pass;

static double power_of(const push *one, const double velocity[3], const double spin[3])
{
  return vector_dot(one->force, velocity) + vector_dot(one->torque, spin);
}

static void work_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const work_pass *pass = context;
  double *const *column = pass->context->table->column, *sum = pass->method->part_sum + block * LEDGER_PARTS;
  memset(sum, 0, LEDGER_PARTS * sizeof *sum);
  for (int64_t i = begin; i < end; i++) {
    double velocity[3], spin[3];
    if (pass->frozen && pass->frozen[i] != 0.0) continue;
    for (int k = 0; k < 3; k++) {
      velocity[k] = 0.5 * (column[COLUMN_vx + k][i] + pass->at[i].velocity[k]);
      spin[k] = pass->spin[k] ? 0.5 * (pass->spin[k][i] + pass->at[i].spin[k]) : 0.0;
    }
    for (int part = 0; part < LEDGER_STORED && pass->parts; part++)
      sum[part] += power_of(&pass->parts[i * LEDGER_STORED + part], velocity, spin);
    if (!pass->parts) sum[LEDGER_OUTSIDE] += power_of(&pass->method->pushes[i], velocity, spin);
    if (pass->external) sum[LEDGER_RAYS] += power_of(&pass->external[i], velocity, spin);
  }
}

/* Parts that are not known are those of a state that came from elsewhere, a file without an account. */
void element_parts_work(const discrete_element *method, const step_context *context, int which, const element *at,
                        const push *external, double duration)
{
  const int64_t count = context->table->count;
  const bool known = which == 1 || method->parts_count == count;
  work_pass pass = {.method = method,
                    .context = context,
                    .at = at,
                    .parts = known ? method->parts[which] : NULL,
                    .external = external,
                    .frozen = particles_frozen(context->table)};
  double sum[LEDGER_PARTS] = {0.0};
  element_spin_columns(method, context->table, pass.spin);
  slots_for(context->env, context->table, PARALLEL_BLOCK, work_block, &pass);
  add_sums(method, count, LEDGER_PARTS, sum);
  for (int part = 0; part < LEDGER_STORED && known; part++) {
    sum[part] -= method->wall_power[which][part];
    sum[LEDGER_WALLS] += method->wall_power[which][part];
  }
  for (int part = 0; part < LEDGER_PARTS; part++) context->work[part] += duration * sum[part];
}

static void kinetic_block(void *context, int64_t begin, int64_t end, exact_sum *energy)
{
  const work_pass *pass = context;
  const particles *table = pass->context->table;
  const inertias all = find_inertias(pass->method, table);
  const double *mass = table->column[COLUMN_mass];
  for (int64_t i = begin; i < end; i++) {
    const element *one = &pass->at[i];
    exact_add(energy, 0.5 * (mass[i] * vector_dot(one->velocity, one->velocity) +
                             inertia_of(&all, mass[i], one->radius, i) * vector_dot(one->spin, one->spin)));
  }
}

double element_parts_kinetic(const discrete_element *method, const step_context *context, const element *at)
{
  work_pass pass = {.method = method, .context = context, .at = at};
  return owned_sum(context->env, context->table, PARALLEL_BLOCK, kinetic_block, &pass);
}

/* ---- state ---- */

void element_parts_commit(discrete_element *method, int64_t count)
{
  push *parts = method->parts[0];
  size_t capacity = method->parts_capacity[0];
  method->parts[0] = method->parts[1];
  method->parts_capacity[0] = method->parts_capacity[1];
  method->parts[1] = parts;
  method->parts_capacity[1] = capacity;
  memcpy(method->wall_power[0], method->wall_power[1], sizeof method->wall_power[0]);
  method->parts_count = count;
}

void element_parts_permute(discrete_element *method, const int32_t *order)
{
  const size_t row = LEDGER_STORED * sizeof(push);
  for (int64_t k = 0; k < method->parts_count; k++)
    memcpy(&method->parts[1][k * LEDGER_STORED], &method->parts[0][(int64_t)order[k] * LEDGER_STORED], row);
  memcpy(method->parts[0], method->parts[1], (size_t)method->parts_count * row);
}

floc_status element_parts_sections(const discrete_element *method, section_list *list)
{
  if (method->parts_count == 0) return FLOC_OK;
  floc_status status = section_list_add(list, SECTION, "f64", (uint64_t)method->parts_count,
                                        LEDGER_STORED * PUSH_NUMBERS, method->parts[0], false);
  if (status != FLOC_OK) return status;
  return section_list_add(list, POWER_SECTION, "f64", 1, LEDGER_STORED, method->wall_power[0], false);
}

floc_status element_parts_restore(discrete_element *method, const section_list *list, int64_t count)
{
  const section *parts, *power;
  method->parts_count = 0;
  if (!section_find(list, SECTION)) return FLOC_OK;
  floc_status status = section_expect(list, SECTION, "f64", (uint64_t)count, LEDGER_STORED * PUSH_NUMBERS, &parts);
  if (status == FLOC_OK) status = section_expect(list, POWER_SECTION, "f64", 1, LEDGER_STORED, &power);
  if (status == FLOC_OK) status = section_check_numbers(method->env, parts, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(method->env, power, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = element_parts_reserve(method, count);
  if (status != FLOC_OK) return status;
  if (count > 0) memcpy(method->parts[0], parts->data, (size_t)count * LEDGER_STORED * sizeof(push));
  memcpy(method->wall_power[0], power->data, sizeof method->wall_power[0]);
  method->parts_count = count;
  return FLOC_OK;
}
