/*
 * Numbers by name. See measures.h. Sums run over particles in the order of ids, so that the storage order
 * does not show.
 */
#include "measures/measures.h"

#include <math.h>
#include <string.h>

/* ---- sums over particles ---- */

typedef double (*particle_value)(const measure_source *source, int64_t slot);

static double sum_particles(const measure_source *source, particle_value value)
{
  double sum = 0.0;
  for (int64_t id = 0; id < source->table->count; id++) sum += value(source, source->table->slot[id]);
  return sum;
}

/* The same over free particles. */
static double sum_free(const measure_source *source, particle_value value)
{
  double sum = 0.0;
  for (int64_t id = 0; id < source->table->count; id++)
    if (rigid_owner(source->assemblies, id + 1) < 0) sum += value(source, source->table->slot[id]);
  return sum;
}

static double mass_of(const measure_source *source, int64_t slot)
{
  return source->table->column[COLUMN_mass][slot];
}

/* What rotation adds to the square of the speed: I/m omega^2 of a uniform disc or ball. */
static double spin_of(const measure_source *source, int64_t slot)
{
  static const char *const names[3] = {"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"};
  double square = 0.0, radius = source->table->column[COLUMN_radius][slot];
  for (int axis = 0; axis < 3; axis++) {
    int32_t column = particles_find_column(source->table, names[axis]);
    if (column >= 0) square += source->table->column[column][slot] * source->table->column[column][slot];
  }
  return (source->box->dimension == 2 ? 0.5 : 0.4) * radius * radius * square;
}

static double kinetic_energy_of(const measure_source *source, int64_t slot)
{
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    double component = source->table->column[COLUMN_vx + axis][slot];
    square += component * component;
  }
  return 0.5 * mass_of(source, slot) * (square + spin_of(source, slot));
}

static double potential_energy_of(const measure_source *source, int64_t slot)
{
  double height = 0.0;
  for (int axis = 0; axis < 3; axis++)
    height += source->gravity[axis] * source->table->column[COLUMN_x + axis][slot];
  return -mass_of(source, slot) * height;
}

static double energy_of_assemblies(const measure_source *source)
{
  double sum = 0.0;
  for (int32_t k = 0; k < source->assemblies->count; k++)
    sum += rigid_energy(&source->assemblies->assembly[k], source->box->dimension);
  return sum;
}

static double potential_of_assemblies(const measure_source *source)
{
  double sum = 0.0;
  for (int32_t k = 0; k < source->assemblies->count; k++) {
    const rigid_assembly *one = &source->assemblies->assembly[k];
    for (int axis = 0; axis < 3; axis++) sum -= one->mass * source->gravity[axis] * one->position[axis];
  }
  return sum;
}

static double volume_of(const measure_source *source, int64_t slot)
{
  double radius = source->table->column[COLUMN_radius][slot];
  double disc = 3.14159265358979323846 * radius * radius;
  return source->box->dimension == 2 ? disc : disc * radius * 4.0 / 3.0;
}

static double momentum(const measure_source *source, int axis)
{
  double sum = 0.0;
  for (int64_t id = 0; id < source->table->count; id++) {
    int64_t slot = source->table->slot[id];
    if (rigid_owner(source->assemblies, id + 1) < 0)
      sum += mass_of(source, slot) * source->table->column[COLUMN_vx + axis][slot];
  }
  for (int32_t k = 0; k < source->assemblies->count; k++)
    sum += source->assemblies->assembly[k].mass * source->assemblies->assembly[k].velocity[axis];
  return sum;
}

static double center(const measure_source *source, int axis)
{
  double sum = 0.0;
  for (int64_t id = 0; id < source->table->count; id++) {
    int64_t slot = source->table->slot[id];
    sum += mass_of(source, slot) * source->table->column[COLUMN_x + axis][slot];
  }
  double mass = sum_particles(source, mass_of);
  return mass > 0.0 ? sum / mass : 0.0;
}

/* ---- the measures ---- */

static double kinetic_energy(const measure_source *source)
{
  return sum_free(source, kinetic_energy_of) + energy_of_assemblies(source);
}
static double potential_energy(const measure_source *source)
{
  return sum_free(source, potential_energy_of) + potential_of_assemblies(source);
}
static double total_mass(const measure_source *source)
{
  return sum_particles(source, mass_of);
}
static double particle_count(const measure_source *source)
{
  return (double)source->table->count;
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
  for (int64_t slot = 0; slot < source->table->count; slot++) {
    double square = 2.0 * kinetic_energy_of(source, slot) / mass_of(source, slot);
    greatest = fmax(greatest, square);
  }
  return sqrt(greatest);
}

/* Root of the mass-weighted mean square distance from the centre of mass. */
static double gyration_radius(const measure_source *source)
{
  double mass = total_mass(source), square = 0.0;
  for (int axis = 0; axis < source->box->dimension; axis++) {
    double middle = center(source, axis);
    for (int64_t id = 0; id < source->table->count; id++) {
      int64_t slot = source->table->slot[id];
      double offset = source->table->column[COLUMN_x + axis][slot] - middle;
      square += mass_of(source, slot) * offset * offset;
    }
  }
  return mass > 0.0 ? sqrt(square / mass) : 0.0;
}

static double volume_fraction(const measure_source *source)
{
  double box = 1.0;
  for (int axis = 0; axis < source->box->dimension; axis++) {
    double lower = INFINITY, upper = -INFINITY;
    for (int64_t slot = 0; slot < source->table->count; slot++) {
      double position = source->table->column[COLUMN_x + axis][slot],
             radius = source->table->column[COLUMN_radius][slot];
      lower = fmin(lower, position - radius);
      upper = fmax(upper, position + radius);
    }
    box *= upper - lower;
  }
  return source->table->count > 0 ? sum_particles(source, volume_of) / box : 0.0;
}

static double coordination_number(const measure_source *source)
{
  const pair_list *pairs = neighbors_pairs(source->near);
  double *const *column = source->table->column;
  int64_t touching = 0;
  for (int64_t k = 0; k < pairs->count; k++) {
    int32_t i = pairs->first[k], j = pairs->second[k];
    double radius_i = column[COLUMN_radius][i], radius_j = column[COLUMN_radius][j], square = 0.0;
    for (int axis = 0; axis < source->box->dimension; axis++) {
      double separation =
          domain_shortest(source->box, axis, column[COLUMN_x + axis][j] - column[COLUMN_x + axis][i]);
      square += separation * separation;
    }
    if (sqrt(square) - radius_i - radius_j <= 1e-3 * fmin(radius_i, radius_j)) touching++;
  }
  return source->table->count > 0 ? 2.0 * (double)touching / (double)source->table->count : 0.0;
}

/* ---- the table ---- */

#define MEASURES(X)                                                                                                \
  X(kinetic_energy)                                                                                                \
  X(potential_energy)                                                                                              \
  X(total_mass)                                                                                                    \
  X(particle_count) X(momentum_x) X(momentum_y) X(momentum_z) X(center_x) X(center_y) X(center_z)                  \
      X(greatest_speed) X(gyration_radius) X(volume_fraction) X(coordination_number) X(contact_count)              \
          X(greatest_overlap)

static const struct {
  const char *name;
  double (*function)(const measure_source *source);
} measures[] = {
#define X(name) {#name, name},
    MEASURES(X)
#undef X
};

enum { MEASURE_COUNT = sizeof measures / sizeof *measures };

const char *floc_measure_name(int32_t index)
{
  return index >= 0 && index < MEASURE_COUNT ? measures[index].name : NULL;
}

floc_status measure_by_name(const measure_source *source, const char *name, double *value)
{
  for (int32_t k = 0; k < MEASURE_COUNT; k++) {
    if (strcmp(name, measures[k].name) != 0) continue;
    *value = measures[k].function(source);
    return FLOC_OK;
  }
  return refuse(source->env, FLOC_NOT_FOUND, "there is no measure \"%.60s\"", name);
}
