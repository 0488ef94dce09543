/*
 * See energies.h. Sums over particles are exact (base/numbers/exact_sum.h), so that the storage order does not
 * show.
 */
#include "measures/energies.h"

#include "base/numbers/exact_sum.h"
#include "geometry/convex/solid_grain.h"
#include "geometry/free_body.h"
#include "measures/present_lists.h"
#include "particles/owned.h"

#include <math.h>

/* ---- motion ---- */

typedef struct spin_columns {
  const double *column[3]; /* NULL: 0 */
  int32_t dimension;
} spin_columns;

static spin_columns find_spins(const measure_source *source)
{
  spin_columns spin = {{NULL, NULL, NULL}, source->box->dimension};
  for (int axis = spin.dimension == 2 ? 2 : 0; axis < 3 && source->method->turns; axis++)
    spin.column[axis] = particles_optional(source->table, OPTIONAL_wx + axis);
  return spin;
}

typedef struct motion_sums {
  exact_sum translational, rotational;
} motion_sums;

static void add_particle(const particles *table, const spin_columns *spin, int64_t slot, motion_sums *sum)
{
  double square = 0.0, turning = 0.0;
  double mass = table->column[COLUMN_mass][slot], radius = table->column[COLUMN_radius][slot];
  for (int axis = 0; axis < 3; axis++) {
    double velocity = table->column[COLUMN_vx + axis][slot];
    square += velocity * velocity;
    if (spin->column[axis]) turning += spin->column[axis][slot] * spin->column[axis][slot];
  }
  exact_add(&sum->translational, 0.5 * mass * square);
  if (turning != 0.0 && particles_is_tensor(table, spin->dimension, slot))
    exact_add(&sum->rotational, solid_grain_energy(table, slot));
  else if (turning != 0.0)
    exact_add(&sum->rotational,
              0.5 * particles_inertia_factor(table, spin->dimension, slot) * mass * radius * radius * turning);
}

static void add_assembly(const rigid_assembly *one, int32_t dimension, motion_sums *sum)
{
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) square += one->velocity[axis] * one->velocity[axis];
  double translational = 0.5 * one->mass * square;
  exact_add(&sum->translational, translational);
  exact_add(&sum->rotational, rigid_energy(one, dimension) - translational);
}

kinetic_energies energies_of_motion(const measure_source *source)
{
  motion_sums sum = {EXACT_ZERO, EXACT_ZERO};
  const spin_columns spin = find_spins(source);
  const particles *table = source->table;
  EACH_OWNED(slot, table)
    if (rigid_owner(source->assemblies, table->id[slot]) < 0) add_particle(table, &spin, slot, &sum);
  for (int32_t k = 0; k < source->assemblies->count; k++)
    add_assembly(&source->assemblies->assembly[k], source->box->dimension, &sum);
  for (int32_t k = 0; k < source->obstacles->count; k++) {
    const body *one = &source->obstacles->body[k];
    if (!body_is_free(one)) continue;
    exact_add(&sum.translational, body_translational_energy(one));
    exact_add(&sum.rotational, body_rotational_energy(one, source->box->dimension));
  }
  return (kinetic_energies){exact_value(&sum.translational), exact_value(&sum.rotational)};
}

/* ---- gravity ---- */

double energy_of_gravity(const measure_source *source)
{
  exact_sum sum = EXACT_ZERO;
  const particles *table = source->table;
  const double *g = source->gravity;
  EACH_OWNED(slot, table) {
    if (rigid_owner(source->assemblies, table->id[slot]) >= 0) continue;
    for (int axis = 0; axis < 3; axis++)
      exact_add(&sum, -table->column[COLUMN_mass][slot] * g[axis] * table->column[COLUMN_x + axis][slot]);
  }
  for (int32_t k = 0; k < source->assemblies->count; k++) {
    const rigid_assembly *one = &source->assemblies->assembly[k];
    for (int axis = 0; axis < 3; axis++) exact_add(&sum, -one->mass * g[axis] * one->position[axis]);
  }
  for (int32_t k = 0; k < source->obstacles->count; k++)
    if (body_is_free(&source->obstacles->body[k]))
      exact_add(&sum, body_gravity_energy(&source->obstacles->body[k], source->box->dimension, g));
  return exact_value(&sum);
}

/* ---- laws, attraction, what the scheme stores ---- */

/* The table with force columns of its own. */
static floc_status copy_table(const measure_source *source, particles *copy)
{
  *copy = *source->table;
  for (int axis = 0; axis < 3; axis++) {
    copy->column[COLUMN_fx + axis] = arena_allocate(source->scratch, (size_t)copy->count, sizeof(double));
    if (!copy->column[COLUMN_fx + axis]) return FLOC_OUT_OF_MEMORY;
  }
  return FLOC_OK;
}

static floc_status find_energies(const measure_source *source, const neighbors *near, potential_energies *energies)
{
  particles copy;
  floc_status status = copy_table(source, &copy);
  if (status != FLOC_OK) return status;
  laws_moment moment = {.table = &copy,
                        .near = near,
                        .obstacles = source->obstacles,
                        .box = source->box,
                        .time = source->time,
                        .time_step = source->time_step};
  if (laws_force_count(source->forces) > 0)
    status = laws_find_energies(source->forces, &moment, source->laws_again, source->scratch, &energies->given);
  if (status == FLOC_OK && source->method->energies)
    source->method->energies(source->method->state, source->table, source->obstacles, source->box, near,
                             &energies->stored);
  return status;
}

floc_status energies_of_pairs_and_fields(const measure_source *source, potential_energies *energies)
{
  const scheme *method = source->method;
  *energies = (potential_energies){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  if (laws_force_count(source->forces) == 0 && !method->energies) return FLOC_OK;
  double range = laws_range(source->forces);
  if (method->pair_range) range = fmax(range, method->pair_range(method->state, source->table));
  neighbors *near;
  floc_status status = present_lists_make(source->env, source->near, source->table, source->obstacles, source->box,
                                          range, source->scratch, &near);
  if (status == FLOC_OK) status = find_energies(source, near, energies);
  neighbors_destroy(near);
  return status;
}
