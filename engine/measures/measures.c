/*
 * Numbers by name. See measures.h. Sums over particles are exact (base/numbers/exact_sum.h), so that the storage
 * order does not show.
 */
#include "measures/measures.h"

#include "base/numbers/exact_sum.h"
#include "geometry/free_body.h"
#include "measures/energies.h"
#include "measures/measures_made.h"
#include "measures/present_lists.h"
#include "measures/statistics/pair_rows.h"
#include "measures/statistics/stress.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

/* ---- sums over particles ---- */

typedef double (*particle_value)(const measure_source *source, int64_t slot);

static double sum_particles(const measure_source *source, particle_value value)
{
  exact_sum sum = EXACT_ZERO;
  EACH_OWNED(slot, source->table) exact_add(&sum, value(source, slot));
  return exact_value(&sum);
}

static double mass_of(const measure_source *source, int64_t slot)
{
  return source->table->column[COLUMN_mass][slot];
}

static double volume_of(const measure_source *source, int64_t slot)
{
  if (particles_shape(source->table, slot)) return particles_volume(source->table, source->box->dimension, slot);
  double radius = source->table->column[COLUMN_radius][slot];
  double disc = 3.14159265358979323846 * radius * radius;
  return source->box->dimension == 2 ? disc : disc * radius * 4.0 / 3.0;
}

static double momentum(const measure_source *source, int axis)
{
  exact_sum sum = EXACT_ZERO;
  EACH_OWNED(slot, source->table)
    if (rigid_owner(source->assemblies, source->table->id[slot]) < 0)
      exact_add(&sum, mass_of(source, slot) * source->table->column[COLUMN_vx + axis][slot]);
  for (int32_t k = 0; k < source->assemblies->count; k++)
    exact_add(&sum, source->assemblies->assembly[k].mass * source->assemblies->assembly[k].velocity[axis]);
  for (int32_t k = 0; k < source->obstacles->count; k++)
    if (body_is_free(&source->obstacles->body[k]))
      exact_add(&sum, source->obstacles->body[k].free.mass * source->obstacles->body[k].free.velocity[axis]);
  return exact_value(&sum);
}

static double center(const measure_source *source, int axis)
{
  exact_sum sum = EXACT_ZERO;
  EACH_OWNED(slot, source->table)
    exact_add(&sum, mass_of(source, slot) * source->table->column[COLUMN_x + axis][slot]);
  double mass = sum_particles(source, mass_of);
  return mass > 0.0 ? exact_value(&sum) / mass : 0.0;
}

/* ---- the measures ---- */

static double total_mass(const measure_source *source)
{
  return sum_particles(source, mass_of);
}
static double particle_count(const measure_source *source)
{
  return (double)owned_number(source->table);
}
static double momentum_x(const measure_source *source)
{
  return momentum(source, 0);
}
static double momentum_y(const measure_source *source)
{
  return momentum(source, 1);
}
static double momentum_z(const measure_source *source)
{
  return momentum(source, 2);
}
static double center_x(const measure_source *source)
{
  return center(source, 0);
}
static double center_y(const measure_source *source)
{
  return center(source, 1);
}
static double center_z(const measure_source *source)
{
  return center(source, 2);
}
static double greatest_overlap(const measure_source *source)
{
  return source->report->greatest_overlap;
}
static double contact_count(const measure_source *source)
{
  return (double)source->report->active_contacts;
}

static double greatest_speed(const measure_source *source)
{
  double greatest = 0.0;
  double *const *velocity = &source->table->column[COLUMN_vx];
  EACH_OWNED(slot, source->table) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) square += velocity[axis][slot] * velocity[axis][slot];
    greatest = fmax(greatest, square);
  }
  for (int32_t k = 0; k < source->obstacles->count; k++) {
    const double *own = source->obstacles->body[k].free.velocity; /* 0 of those that are not free */
    greatest = fmax(greatest, own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
  }
  return sqrt(greatest);
}

/* Root of the mass-weighted mean square distance from the centre of mass. */
static double gyration_radius(const measure_source *source)
{
  const double mass = total_mass(source);
  exact_sum sum = EXACT_ZERO;
  for (int axis = 0; axis < source->box->dimension; axis++) {
    double middle = center(source, axis);
    EACH_OWNED(slot, source->table) {
      double offset = source->table->column[COLUMN_x + axis][slot] - middle;
      exact_add(&sum, mass_of(source, slot) * offset * offset);
    }
  }
  return mass > 0.0 ? sqrt(exact_value(&sum) / mass) : 0.0;
}

static double volume_fraction(const measure_source *source)
{
  return owned_number(source->table) > 0 ? sum_particles(source, volume_of) / measured_volume(source) : 0.0;
}

/* ---- over pairs ---- */

static bool touches(const measure_source *source, int32_t i, int32_t j)
{
  double *const *column = source->table->column;
  double radius_i = column[COLUMN_radius][i], radius_j = column[COLUMN_radius][j], separation[3];
  return sqrt(particles_apart(source->table, source->box, i, j, separation)) - radius_i - radius_j <=
         touching_in_radii * fmin(radius_i, radius_j);
}

static floc_status coordination_number(const measure_source *source, double *value)
{
  const particles *table = source->table;
  double greatest = 0.0;
  int64_t touching = 0;
  if (table->shapes.count > 0)
    return refuse(source->env, FLOC_NOT_SUPPORTED,
                  "coordination_number: there are shapes of grains that are not round, and this is known of discs "
                  "alone");
  EACH_SLOT(slot, table) greatest = fmax(greatest, table->column[COLUMN_radius][slot]);
  neighbors *near;
  floc_status status = present_lists_make(source->env, source->near, table, source->obstacles, source->box,
                                          2.0 * touching_in_radii * greatest, source->scratch, &near);
  if (status != FLOC_OK) return status;
  const pair_list *pairs = neighbors_pairs(near);
  for (int64_t k = 0; k < pairs->count; k++)
    if (touches(source, pairs->first[k], pairs->second[k]))
      touching += !particles_is_ghost(table, pairs->first[k]) + !particles_is_ghost(table, pairs->second[k]);
  neighbors_destroy(near);
  const int64_t number = owned_number(table);
  *value = number > 0 ? (double)touching / (double)number : 0.0;
  return FLOC_OK;
}

/* ---- energies ---- */

static double translational_kinetic_energy(const measure_source *source)
{
  return energies_of_motion(source).translational;
}
static double rotational_kinetic_energy(const measure_source *source)
{
  return energies_of_motion(source).rotational;
}
static double gravitational_energy(const measure_source *source)
{
  return energy_of_gravity(source);
}
static double kinetic_energy(const measure_source *source)
{
  kinetic_energies motion = energies_of_motion(source);
  return motion.translational + motion.rotational;
}
static floc_status potential_energy(const measure_source *source, double *value)
{
  potential_energies found;
  floc_status status = energies_of_pairs_and_fields(source, &found);
  *value = energy_of_gravity(source) + found.given.laws + found.given.attraction + found.given.long_range +
           found.stored.contact + found.stored.friction + found.stored.bond + found.stored.near_field;
  return status;
}
static floc_status total_energy(const measure_source *source, double *value)
{
  floc_status status = potential_energy(source, value);
  *value += kinetic_energy(source);
  return status;
}
static floc_status law_energy(const measure_source *source, double *value)
{
  potential_energies found;
  floc_status status = energies_of_pairs_and_fields(source, &found);
  *value = found.given.laws;
  return status;
}
static floc_status attraction_energy(const measure_source *source, double *value)
{
  potential_energies found;
  floc_status status = energies_of_pairs_and_fields(source, &found);
  *value = found.given.attraction;
  return status;
}
static floc_status long_range_energy(const measure_source *source, double *value)
{
  potential_energies found;
  floc_status status = energies_of_pairs_and_fields(source, &found);
  *value = found.given.long_range;
  return status;
}

/* What soft contacts alone have. */
#define STORED(kind)                                                                                               \
  static floc_status kind##_energy(const measure_source *source, double *value)                                    \
  {                                                                                                                \
    potential_energies found;                                                                                      \
    floc_status status = energies_of_pairs_and_fields(source, &found);                                             \
    *value = found.stored.kind;                                                                                    \
    return status;                                                                                                 \
  }
STORED(contact)
STORED(friction)
STORED(bond)
STORED(near_field)
#undef STORED

static floc_status critical_time_step(const measure_source *source, double *value)
{
  const scheme *method = source->method;
  critical_step critical = {0.0, 0};
  double range = method->pair_range ? method->pair_range(method->state, source->table) : 0.0;
  neighbors *near;
  floc_status status = present_lists_make(source->env, source->near, source->table, source->obstacles, source->box,
                                          range, source->scratch, &near);
  if (status == FLOC_OK)
    status = method->critical(method->state, source->table, source->obstacles, source->box, near, source->time_step,
                              source->scratch, &critical);
  neighbors_destroy(near);
  *value = critical.time_step;
  return status;
}

/* ---- stress, temperature, balance ---- */

static double temperature(const measure_source *source)
{
  return temperature_of_motion(source);
}
static floc_status mean_square_displacement(const measure_source *source, double *value)
{
  exact_sum sum = EXACT_ZERO;
  for (int axis = 0; axis < source->box->dimension; axis++) {
    const double *displacement = particles_optional(source->table, OPTIONAL_displacement_x + axis);
    if (!displacement)
      return refuse(
          source->env, FLOC_WRONG_STATE,
          "mean_square_displacement: displacements are not followed; add the attribute displacement_x before the "
          "steps to be counted");
    EACH_OWNED(slot, source->table) exact_add(&sum, displacement[slot] * displacement[slot]);
  }
  const int64_t number = owned_number(source->table);
  *value = number > 0 ? exact_value(&sum) / (double)number : 0.0;
  return FLOC_OK;
}
static double granular_temperature(const measure_source *source)
{
  return granular_temperature_of_motion(source);
}
static double rotational_temperature(const measure_source *source)
{
  return temperature_of_rotation(source);
}
static floc_status pressure(const measure_source *source, double *value)
{
  floc_stress found = {0};
  floc_status status = stress_find(source, __func__, 0.0, &found);
  *value = found.pressure;
  return status;
}
static floc_status unbalanced_force_ratio(const measure_source *source, double *value)
{
  return unbalanced_force_find(source, value);
}

/* Symmetric part: what friction has beside it balances moments, and is 0 at rest. */
#define COMPONENT(name, tensor, row, column)                                                                       \
  static floc_status name(const measure_source *source, double *value)                                             \
  {                                                                                                                \
    floc_stress found = {0};                                                                                       \
    floc_status status = stress_find(source, __func__, 0.0, &found);                                               \
    *value = 0.5 * (found.tensor[3 * (row) + (column)] + found.tensor[3 * (column) + (row)]);                      \
    return status;                                                                                                 \
  }
#define COMPONENTS(name, tensor)                                                                                   \
  COMPONENT(name##_xx, tensor, 0, 0)                                                                               \
  COMPONENT(name##_yy, tensor, 1, 1)                                                                               \
  COMPONENT(name##_zz, tensor, 2, 2)                                                                               \
  COMPONENT(name##_xy, tensor, 0, 1)                                                                               \
  COMPONENT(name##_xz, tensor, 0, 2)                                                                               \
  COMPONENT(name##_yz, tensor, 1, 2)
COMPONENTS(stress, tensor)
COMPONENTS(fabric, fabric)
#undef COMPONENTS
#undef COMPONENT

/* ---- the table ---- */

#define X(member, why) NEEDS_##member,
enum { NEEDS_nothing, MEASURE_NEEDS(X) };
#undef X

/* Which of the two functions a measure has: one that gives its value, or one that may fail. */
typedef struct measure {
  const char *name;
  double (*value)(const measure_source *source);
  floc_status (*find)(const measure_source *source, double *value);
  int32_t needs;
} measure;

static const measure measures[] = {
#define VALUE(name)          name, NULL
#define MAY_FAIL(name)       NULL, name
#define X(name, kind, needs) {#name, kind(name), NEEDS_##needs},
    MEASURES(X)
#undef X
};

enum { MEASURE_COUNT = sizeof measures / sizeof *measures };

const char *floc_measure_name(int32_t index)
{
  return index >= 0 && index < MEASURE_COUNT ? measures[index].name : NULL;
}

/* Has the scheme what the measure needs? */
static floc_status check_scheme(environment *env, const scheme *method, const measure *one)
{
  switch (one->needs) {
#define X(member, why)                                                                                             \
  case NEEDS_##member:                                                                                             \
    if (method->member) return FLOC_OK;                                                                            \
    return refuse(env, FLOC_NOT_SUPPORTED, "%s: " why, one->name, method->shown);
    MEASURE_NEEDS(X)
#undef X
  default:
    return FLOC_OK;
  }
}

floc_status measure_by_name(const measure_source *source, const char *name, double *value)
{
  const measure *one = measures, *end = measures + MEASURE_COUNT;
  while (one < end && strcmp(name, one->name) != 0) one++;
  if (one == end) return refuse(source->env, FLOC_NOT_FOUND, "there is no measure \"%.60s\"", name);
  double found = 0.0;
  floc_status status = check_scheme(source->env, source->method, one);
  if (status != FLOC_OK) return status;
  if (one->find)
    status = one->find(source, &found);
  else
    found = one->value(source);
  if (status == FLOC_OK) *value = found;
  return status;
}
