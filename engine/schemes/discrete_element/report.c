/*
 * What can be seen of the discrete-element scheme: counts, energies by kind.
 *
 * The energy of an overlap is the work of its elastic force from first contact. For the penalty force (13) it
 * is integrated by Gauss-Legendre quadrature in the distance: the integrand is smooth, and 16 points are
 * exact to rounding for the exponents in use.
 */
#include "schemes/discrete_element/law.h"

#include "geometry/vector.h"
#include "particles/owned.h"

#include <string.h>

enum { QUADRATURE_POINTS = 8 }; /* on each side of the middle */

/* Abscissas and weights of 16 points on [-1, 1], the positive half. */
static const double ABSCISSA[QUADRATURE_POINTS] = {
    0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863, 0.6178762444026437484,
    0.7554044083550030339, 0.8656312023878317439, 0.9445750230732325761, 0.9894009349916499326};
static const double WEIGHT[QUADRATURE_POINTS] = {
    0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382, 0.1495959888165767321,
    0.1246289712555338720, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949};

/* A pair, or (second_radius 0) a particle and a body, for energies. */
typedef struct spring_pair {
  double first_radius, second_radius;
  double stiffness, modulus;
} spring_pair;

static double force_at(const floc_discrete_element_options *options, const spring_pair *pair, double overlap)
{
  double sum = pair->first_radius + pair->second_radius;
  contact_state contact = {.overlap = overlap,
                           .strain = overlap / sum,
                           .stiffness = pair->stiffness,
                           .effective_modulus = pair->modulus};
  if (pair->second_radius > 0.0) {
    contact.area = contact_area(pair->first_radius, pair->second_radius, sum - overlap);
    contact.effective_radius = pair->first_radius * pair->second_radius / sum;
  } else {
    double depth = sum - overlap > 0.0 ? sum - overlap : 0.0;
    contact.area = ELEMENT_PI * (sum - depth) * (sum + depth);
    contact.effective_radius = pair->first_radius;
  }
  return elastic_force(options, &contact);
}

static double overlap_energy(const floc_discrete_element_options *options, const spring_pair *pair, double overlap)
{
  if (options->contact_force == FLOC_CONTACT_FORCE_HOOKE) return 0.5 * pair->stiffness * overlap * overlap;
  if (options->contact_force == FLOC_CONTACT_FORCE_HERTZ) return 0.4 * overlap * force_at(options, pair, overlap);
  double work = 0.0, half = 0.5 * overlap;
  for (int k = 0; k < QUADRATURE_POINTS; k++) {
    double low = force_at(options, pair, half * (1.0 - ABSCISSA[k]));
    double high = force_at(options, pair, half * (1.0 + ABSCISSA[k]));
    work += WEIGHT[k] * (low + high);
  }
  return half * work;
}

typedef struct energy_totals {
  exact_sum kinetic, rotational, contact, friction, bond, near_field;
} energy_totals;

typedef struct energy_sums {
  const discrete_element *method;
  const particles *table;
  const bodies *obstacles;
  const domain *box;
  const neighbors *near;
  const double *temperature; /* or NULL */
  energy_totals *total;
  floc_discrete_element_report *report;
} energy_sums;

static double stiffness_of(const energy_sums *sums, const floc_discrete_element_options *options, int64_t i)
{
  return sums->temperature ? element_stiffness(options, sums->temperature[i]) : options->stiffness;
}

/* k_t of a contact times the square of its spring, halved, and the same of the rolling spring. */
static double spring_energy(const floc_discrete_element_options *options, const memory_view *memory, int64_t entry,
                            double area, double effective_radius, double overlap)
{
  contact_state contact = {.area = area, .effective_radius = effective_radius, .overlap = overlap};
  double square = 0.0, rolled = 0.0, weight = contact_weight(options, &contact);
  for (int k = 0; k < 3; k++) {
    if (memory->spring[k]) square += memory->spring[k][entry] * memory->spring[k][entry];
    if (memory->roll[k]) rolled += memory->roll[k][entry] * memory->roll[k][entry];
  }
  return 0.5 * options->friction_stiffness * weight * square + 0.5 * options->rolling_stiffness * weight * rolled;
}

static void add_pair(const energy_sums *sums, const memory_view *memory, int64_t entry, int32_t i, int32_t j)
{
  const floc_discrete_element_options *options =
      element_options_of(sums->method, sums->table, sums->obstacles, i, j, -1);
  double *const *column = sums->table->column;
  double way[3];
  double distance = sqrt(particles_apart(sums->table, sums->box, i, j, way)),
         sum = column[COLUMN_radius][i] + column[COLUMN_radius][j];
  double overlap = sum - distance, bond = memory->bond ? memory->bond[entry] : 0.0;
  spring_pair pair = {column[COLUMN_radius][i], column[COLUMN_radius][j],
                      0.5 * (stiffness_of(sums, options, i) + stiffness_of(sums, options, j)),
                      pair_modulus(options)};
  if (bond > 0.0) {
    sums->report->bonds++;
    double strain = -overlap / sum, power = options->bond_exponent + 1.0;
    if (strain > 0.0)
      exact_add(&sums->total->bond, options->bond_stiffness * bond * sum * floc_pow(strain, power) / power);
  }
  if (!(overlap > 0.0)) return;
  if (options->contact_force == FLOC_CONTACT_FORCE_NONE) return;
  exact_add(&sums->total->contact, overlap_energy(options, &pair, overlap));
  double area = contact_area(pair.first_radius, pair.second_radius, distance);
  exact_add(&sums->total->friction,
            spring_energy(options, memory, entry, area, pair.first_radius * pair.second_radius / sum, overlap));
}

static void add_wall(const energy_sums *sums, const memory_view *memory, int64_t entry, int32_t i, int32_t number)
{
  const floc_discrete_element_options *options =
      element_options_of(sums->method, sums->table, sums->obstacles, i, -1, number);
  double *const *column = sums->table->column;
  double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]}, normal[3], point[3];
  double distance =
      shape_distance(&sums->obstacles->world[number], sums->method->dimension, position, normal, point);
  double radius = column[COLUMN_radius][i], overlap = radius - distance;
  const double bond = options->bond_bodies && memory->bond ? memory->bond[entry] : 0.0;
  if (bond > 0.0) {
    sums->report->wall_bonds++;
    const double power = options->bond_exponent + 1.0;
    if (overlap < 0.0)
      exact_add(&sums->total->bond,
                options->bond_stiffness * bond * radius * floc_pow(-overlap / radius, power) / power);
  }
  if (!(overlap > 0.0) || options->contact_force == FLOC_CONTACT_FORCE_NONE) return;
  spring_pair pair = {radius, 0.0, stiffness_of(sums, options, i),
                      options->young_modulus / (1.0 - options->poisson_ratio * options->poisson_ratio)};
  exact_add(&sums->total->contact, overlap_energy(options, &pair, overlap));
  double depth = distance > 0.0 ? distance : 0.0;
  exact_add(
      &sums->total->friction,
      spring_energy(options, memory, entry, ELEMENT_PI * (radius - depth) * (radius + depth), radius, overlap));
}

static void add_motion(const energy_sums *sums, double *const spin[3])
{
  double *const *column = sums->table->column;
  EACH_OWNED(i, sums->table) {
    double square = 0.0, turning = 0.0, mass = column[COLUMN_mass][i];
    for (int k = 0; k < 3; k++) {
      square += column[COLUMN_vx + k][i] * column[COLUMN_vx + k][i];
      if (spin[k]) turning += spin[k][i] * spin[k][i];
    }
    exact_add(&sums->total->kinetic, 0.5 * mass * square);
    exact_add(&sums->total->rotational, 0.5 * element_inertia(sums->method, sums->table, i) * turning);
  }
}

/* Potential whose slope is r^-exponent. */
static double power_potential(double distance, double exponent)
{
  return exponent == 1.0 ? floc_log(distance) : floc_pow(distance, 1.0 - exponent) / (1.0 - exponent);
}

static void add_near_pair(const energy_sums *sums, const near_field_columns *columns, int64_t i, int64_t j)
{
  const floc_discrete_element_options *options = &sums->method->options;
  double *const *column = sums->table->column;
  double way[3];
  double distance = sqrt(particles_apart(sums->table, sums->box, i, j, way));
  if (!(distance > 0.0)) return;
  if (distance - column[COLUMN_radius][i] - column[COLUMN_radius][j] > options->near_field_range) return;
  double scale = element_near_field_scale(options, sums->table, columns, i) *
                 element_near_field_scale(options, sums->table, columns, j);
  exact_add(&sums->total->near_field,
            scale * (options->attraction * power_potential(distance, options->attraction_exponent) -
                     options->repulsion * power_potential(distance, options->repulsion_exponent)));
}

static void add_near_field(const energy_sums *sums)
{
  const floc_discrete_element_options *options = &sums->method->options;
  if (!element_has_near_field(options)) return;
  near_field_columns columns = element_near_field_columns(sums->table);
  if (options->near_field_range == INFINITY) {
    EACH_SLOT(i, sums->table)
      EACH_SLOT_FROM(i + 1, j, sums->table) add_near_pair(sums, &columns, i, j);
    return;
  }
  const pair_list *pairs = neighbors_pairs(sums->near);
  for (int64_t k = 0; k < pairs->count; k++) add_near_pair(sums, &columns, pairs->first[k], pairs->second[k]);
}

static void fill_counts(const discrete_element *method, floc_discrete_element_report *report)
{
  *report = (floc_discrete_element_report){.struct_size = sizeof *report};
  report->iterations = method->iterations;
  report->total_iterations = whole_between(method->counters.total_iterations, 0, COUNTER_LIMIT);
  report->evaluations = whole_between(method->counters.evaluations, 0, COUNTER_LIMIT);
  report->rejected_steps = whole_between(method->counters.rejected_steps, 0, COUNTER_LIMIT);
  report->time_step = method->last_time_step;
  report->next_time_step = method->counters.next_time_step;
  report->error = method->error;
  report->contacts = method->contacts;
  report->wall_contacts = method->wall_contacts;
  report->bonds_formed = whole_between(method->counters.bonds_formed, 0, COUNTER_LIMIT);
  report->bonds_broken = whole_between(method->counters.bonds_broken, 0, COUNTER_LIMIT);
}

static void add_energies(const discrete_element *own, const particles *table, const bodies *obstacles,
                         const domain *box, const neighbors *near, floc_discrete_element_report *report)
{
  energy_totals total = {EXACT_ZERO, EXACT_ZERO, EXACT_ZERO, EXACT_ZERO, EXACT_ZERO, EXACT_ZERO};
  energy_sums sums = {own, table, obstacles, box, near, NULL, &total, report};
  int32_t column = own->options.thermal_softening ? particles_find_column(table, "temperature") : -1;
  if (column >= 0) sums.temperature = table->column[column];
  double *spin[3];
  element_spin_columns(own, table, spin);
  add_motion(&sums, spin);
  const pair_list *pairs = neighbors_pairs(near), *walls = neighbors_walls(near);
  memory_view pair_memory = element_memory(own, pairs), wall_memory = element_memory(own, walls);
  for (int64_t k = 0; k < pairs->count; k++) add_pair(&sums, &pair_memory, k, pairs->first[k], pairs->second[k]);
  for (int64_t k = 0; k < walls->count; k++) add_wall(&sums, &wall_memory, k, walls->first[k], walls->second[k]);
  add_near_field(&sums);
  report->kinetic_energy = exact_value(&total.kinetic);
  report->rotational_energy = exact_value(&total.rotational);
  report->contact_energy = exact_value(&total.contact);
  report->friction_energy = exact_value(&total.friction);
  report->bond_energy = exact_value(&total.bond);
  report->near_field_energy = exact_value(&total.near_field);
}

void discrete_element_report(const scheme *method, const particles *table, const bodies *obstacles,
                             const domain *box, const neighbors *near, floc_discrete_element_report *report)
{
  fill_counts(method->state, report);
  add_energies(method->state, table, obstacles, box, near, report);
}

void element_energies(const void *state, const particles *table, const bodies *obstacles, const domain *box,
                      const neighbors *near, stored_energies *energies)
{
  floc_discrete_element_report report = {0};
  add_energies(state, table, obstacles, box, near, &report);
  *energies = (stored_energies){report.contact_energy, report.friction_energy, report.bond_energy,
                                report.near_field_energy};
}

double element_pair_range(const void *state, const particles *table)
{
  const discrete_element *method = state;
  const floc_discrete_element_options *options = &method->options;
  double range = 0.0, greatest = 0.0;
  EACH_SLOT(i, table) greatest = fmax(greatest, table->column[COLUMN_radius][i]);
  if (options->bond_law == FLOC_BOND_PERSISTENT) range = 2.0 * options->bond_breaking * greatest;
  if (element_has_near_field(options) && options->near_field_range < INFINITY)
    range = fmax(range, options->near_field_range);
  return range;
}
