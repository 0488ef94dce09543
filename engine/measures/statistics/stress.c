/*
 * See stress.h. Sums over particles and contacts are exact (base/numbers/exact_sum.h).
 */
#include "measures/statistics/stress.h"

#include "base/fields.h"
#include "base/numbers/exact_sum.h"
#include "geometry/vector.h"
#include "measures/energies.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

/* ---- volume ---- */

void measured_ends(const measure_source *source, int axis, double radii, double *lower, double *upper)
{
  *lower = source->box->lower[axis];
  *upper = source->box->upper[axis];
  if (source->box->boundary[axis] != FLOC_BOUNDARY_OPEN) return;
  *lower = INFINITY;
  *upper = -INFINITY;
  EACH_OWNED(slot, source->table) {
    const double x = source->table->column[COLUMN_x + axis][slot];
    const double margin = radii * source->table->column[COLUMN_radius][slot];
    *lower = fmin(*lower, x - margin);
    *upper = fmax(*upper, x + margin);
  }
}

double measured_volume(const measure_source *source)
{
  const bool any = owned_number(source->table) > 0;
  double volume = any ? 1.0 : 0.0;
  for (int axis = 0; axis < source->box->dimension && any; axis++) {
    double lower, upper;
    measured_ends(source, axis, 1.0, &lower, &upper);
    volume *= upper - lower;
  }
  return volume;
}

/* ---- motion ---- */

void bodies_of_motion_visit(const measure_source *source, body_sink sink, void *context)
{
  const particles *table = source->table;
  EACH_OWNED_RANK(rank, table) {
    const int64_t slot = table->slot[rank];
    if (rigid_owner(source->assemblies, table->id[slot]) >= 0) continue;
    const double velocity[3] = {table->column[COLUMN_vx][slot], table->column[COLUMN_vy][slot],
                                table->column[COLUMN_vz][slot]};
    const double position[3] = {table->column[COLUMN_x][slot], table->column[COLUMN_y][slot],
                                table->column[COLUMN_z][slot]};
    sink(context, table->column[COLUMN_mass][slot], velocity, position);
  }
  for (int32_t k = 0; k < source->assemblies->count; k++) {
    const rigid_assembly *one = &source->assemblies->assembly[k];
    sink(context, one->mass, one->velocity, one->position);
  }
}

/* The components of a tensor. */
typedef struct tensor_sum {
  exact_sum component[9];
} tensor_sum;

static void tensor_begin(tensor_sum *sum)
{
  for (int k = 0; k < 9; k++) sum->component[k] = EXACT_ZERO;
}

static void tensor_value(const tensor_sum *sum, double tensor[9])
{
  for (int k = 0; k < 9; k++) tensor[k] = exact_value(&sum->component[k]);
}

/* scale times a b^T */
static void tensor_add(tensor_sum *sum, double scale, const double a[3], const double b[3])
{
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      exact_add(&sum->component[3 * row + column], scale * a[row] * b[column]);
}

typedef struct motion {
  int64_t count;
  double mass, mean[3]; /* of velocities, weighted by mass */
  double tensor[9];     /* sum of m u u^T, u from the mean */
  const domain *box;    /* whose own motion is none of the particles' */
} motion;

typedef struct motion_sums {
  motion *found;
  exact_sum mass, momentum[3];
  tensor_sum tensor;
} motion_sums;

/* Of a particle in a box that moves, what is left without the box's flow. */
static void take_flow_off(const domain *box, const double position[3], const double velocity[3], double own[3])
{
  double flow[3] = {0.0, 0.0, 0.0};
  if (domain_moves(box)) domain_flow(box, position, flow);
  for (int axis = 0; axis < 3; axis++) own[axis] = velocity[axis] - flow[axis];
}

static void add_momentum(void *context, double mass, const double velocity[3], const double position[3])
{
  motion_sums *sums = context;
  double own[3];
  take_flow_off(sums->found->box, position, velocity, own);
  sums->found->count++;
  exact_add(&sums->mass, mass);
  for (int axis = 0; axis < 3; axis++) exact_add(&sums->momentum[axis], mass * own[axis]);
}

static void add_fluctuation(void *context, double mass, const double velocity[3], const double position[3])
{
  motion_sums *sums = context;
  double own[3];
  take_flow_off(sums->found->box, position, velocity, own);
  vector_difference(own, sums->found->mean, own);
  tensor_add(&sums->tensor, mass, own, own);
}

static motion find_motion(const measure_source *source)
{
  motion found = {.box = source->box};
  motion_sums sums = {.found = &found, .mass = EXACT_ZERO, .momentum = {EXACT_ZERO, EXACT_ZERO, EXACT_ZERO}};
  tensor_begin(&sums.tensor);
  bodies_of_motion_visit(source, add_momentum, &sums);
  found.mass = exact_value(&sums.mass);
  for (int axis = 0; axis < 3; axis++)
    found.mean[axis] = found.mass > 0.0 ? exact_value(&sums.momentum[axis]) / found.mass : 0.0;
  bodies_of_motion_visit(source, add_fluctuation, &sums);
  tensor_value(&sums.tensor, found.tensor);
  return found;
}

void stress_of_motion(const measure_source *source, double tensor[9])
{
  const motion sum = find_motion(source);
  memcpy(tensor, sum.tensor, sizeof sum.tensor);
}

static double trace(const double tensor[9])
{
  return tensor[0] + tensor[4] + tensor[8];
}

/* The mean takes one body's freedom. */
double temperature_of_motion(const measure_source *source)
{
  const motion sum = find_motion(source);
  return sum.count > 1 ? trace(sum.tensor) / (source->box->dimension * (double)(sum.count - 1)) : 0.0;
}

double granular_temperature_of_motion(const measure_source *source)
{
  const motion sum = find_motion(source);
  return sum.mass > 0.0 ? trace(sum.tensor) / (source->box->dimension * sum.mass) : 0.0;
}

double temperature_of_rotation(const measure_source *source)
{
  const motion sum = find_motion(source);
  const int freedoms = source->box->dimension == 2 ? 1 : 3;
  return sum.count > 0 ? 2.0 * energies_of_motion(source).rotational / (freedoms * (double)sum.count) : 0.0;
}

/* ---- stress ---- */

typedef struct stress_sum {
  tensor_sum contacts, laws, fabric;
  int64_t contact_count, pair_count; /* of contacts that carry a force; those between particles */
} stress_sum;

static void add_interaction(void *context, const interaction *found)
{
  stress_sum *sum = context;
  tensor_add(found->is_law ? &sum->laws : &sum->contacts, 1.0, found->force, found->branch);
  if (found->is_law) return;
  sum->contact_count++;
  if (found->second < 0) return;
  sum->pair_count++;
  tensor_add(&sum->fabric, 1.0, found->normal, found->normal);
}

static void put_tensor(double to[9], const tensor_sum *sum, double volume)
{
  tensor_value(sum, to);
  for (int k = 0; k < 9; k++) to[k] = volume > 0.0 ? to[k] / volume : 0.0;
}

floc_status stress_find(const measure_source *source, const char *what, double volume, floc_stress *stress)
{
  const interactions_wanted wanted = {.what = what, .sink = add_interaction};
  stress_sum sum = {.contact_count = 0};
  tensor_begin(&sum.contacts);
  tensor_begin(&sum.laws);
  tensor_begin(&sum.fabric);
  floc_status status = fields_check_value(source->env, &struct_stress_options, "volume", volume);
  if (status == FLOC_OK) status = source->visit_interactions(source->host, &wanted, &sum);
  if (status != FLOC_OK) return status;
  const motion moving = find_motion(source);
  stress->volume = volume > 0.0 ? volume : measured_volume(source);
  for (int k = 0; k < 9; k++) stress->kinetic[k] = stress->volume > 0.0 ? moving.tensor[k] / stress->volume : 0.0;
  put_tensor(stress->contacts, &sum.contacts, stress->volume);
  put_tensor(stress->laws, &sum.laws, stress->volume);
  put_tensor(stress->fabric, &sum.fabric, (double)sum.pair_count);
  for (int k = 0; k < 9; k++) stress->tensor[k] = stress->kinetic[k] + stress->contacts[k] + stress->laws[k];
  stress->pressure = trace(stress->tensor) / source->box->dimension;
  stress->contact_count = sum.contact_count;
  stress->coordination_number = moving.count > 0 ? 2.0 * (double)sum.pair_count / (double)moving.count : 0.0;
  return FLOC_OK;
}

/* ---- balance ---- */

typedef struct balance {
  const measure_source *source;
  double *force[3]; /* by body: particles by slot, then assemblies */
  double contacts;  /* sum of the sizes of forces */
  int64_t contact_count;
  bool given; /* contacts are in the forces already */
} balance;

static int64_t body_of(const measure_source *source, int64_t slot)
{
  const int32_t owner = rigid_owner(source->assemblies, source->table->id[slot]);
  return owner < 0 ? slot : source->table->count + owner;
}

static void weigh_contact(void *context, const interaction *found)
{
  balance *sum = context;
  if (found->is_law) return;
  sum->contacts += vector_length(found->force);
  sum->contact_count++;
  for (int axis = 0; axis < 3 && !sum->given; axis++) {
    sum->force[axis][body_of(sum->source, found->first)] -= found->force[axis];
    if (found->second >= 0) sum->force[axis][body_of(sum->source, found->second)] += found->force[axis];
  }
}

/* Forces on particles become those on bodies, with their weight. */
static void take_forces(void *context, double *const force[3], bool has_contacts)
{
  balance *sum = context;
  const measure_source *source = sum->source;
  sum->given = has_contacts;
  for (int axis = 0; axis < source->box->dimension; axis++)
    EACH_OWNED(slot, source->table)
      sum->force[axis][body_of(source, slot)] +=
          force[axis][slot] + source->table->column[COLUMN_mass][slot] * source->gravity[axis];
}

floc_status unbalanced_force_find(const measure_source *source, double *ratio)
{
  const interactions_wanted wanted = {
      .what = "unbalanced_force_ratio", .sink = weigh_contact, .take_forces = take_forces};
  const int64_t places = source->table->count + source->assemblies->count;
  balance sum = {.source = source};
  for (int axis = 0; axis < 3; axis++) {
    sum.force[axis] = arena_allocate(source->scratch, (size_t)places, sizeof(double));
    if (!sum.force[axis]) return FLOC_OUT_OF_MEMORY;
    if (places > 0) memset(sum.force[axis], 0, (size_t)places * sizeof(double));
  }
  floc_status status = source->visit_interactions(source->host, &wanted, &sum);
  if (status != FLOC_OK) return status;
  const double *frozen = particles_frozen(source->table); /* forces on them do not move anything */
  double left = 0.0;
  int64_t body_count = 0;
  for (int64_t place = 0; place < places; place++) {
    const double force[3] = {sum.force[0][place], sum.force[1][place], sum.force[2][place]};
    const bool particle = place < source->table->count;
    if (particle && (particles_is_ghost(source->table, place) || body_of(source, place) != place ||
                     (frozen && frozen[place] != 0.0)))
      continue;
    left += vector_length(force);
    body_count++;
  }
  const double mean = body_count > 0 ? left / (double)body_count : 0.0;
  *ratio = sum.contacts > 0.0 ? mean / (sum.contacts / (double)sum.contact_count) : INFINITY;
  return FLOC_OK;
}
