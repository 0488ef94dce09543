/*
 * The flow at the particles, and a priori velocities. See flow.h.
 */
#include "laws/flow.h"

#include "base/fields.h"
#include "base/numbers/random.h"
#include "laws/laws_internal.h"
#include "particles/owned.h"

#include <math.h>

static const double DIFFERENCE = 1e-3; /* of rot U, in radii */

/* ---- the host's choice ---- */

/* They have no number among laws, and their random numbers are others than those of laws. */
enum { FLOW_NUMBER = 254, A_PRIORI_NUMBER };

/* A function that returns that number of values, without an energy. */
static floc_status resolve_numbers(laws *all, const particles *table, const floc_law_options *options,
                                   int32_t outputs, int32_t number, law *function)
{
  floc_status status = law_resolve(all->env, table, NULL, options, FLOC_LAW_FIELD, outputs, function);
  function->number = number;
  if (status == FLOC_OK && function->reads_axes && number == FLOW_NUMBER)
    return refuse(all->env, FLOC_NOT_SUPPORTED,
                  "%s: a flow is a function of the place and knows no axis of particles; "
                  "a field does",
                  function->name);
  if (status == FLOC_OK) status = laws_check_axes(all, table, function);
  if (status != FLOC_OK || !function->has_energy) return status;
  return refuse(all->env, FLOC_INVALID_ARGUMENT, "%s: output_count is %d; it must be %d", function->name,
                function->output_count, outputs);
}

floc_status laws_set_flow(laws *all, const particles *table, const floc_flow_options *options,
                          const floc_law_options *velocity)
{
  law function = {0};
  floc_status status = FLOC_OK;
  bool has_function = options->kind == FLOC_FLOW_FUNCTION;
  if (has_function) status = resolve_numbers(all, table, velocity, all->dimension, FLOW_NUMBER, &function);
  if (status == FLOC_OK) status = fields_check(all->env, &struct_flow_options, options);
  if (status != FLOC_OK) {
    law_free(all->env, &function);
    return status;
  }
  law_free(all->env, &all->drift_function);
  all->drift = *options;
  all->drift_function = function;
  all->has_drift_function = has_function;
  return FLOC_OK;
}

/* Angular velocities behind the velocity: one in the plane. */
static int32_t spin_count(const laws *all)
{
  return all->dimension == 2 ? 1 : 3;
}

floc_status laws_set_a_priori(laws *all, const particles *table, const floc_law_options *options)
{
  law function = {0};
  floc_status status = FLOC_OK;
  int32_t outputs = all->dimension;
  if (options && options->output_count == outputs + spin_count(all)) outputs = options->output_count;
  if (options) status = resolve_numbers(all, table, options, outputs, A_PRIORI_NUMBER, &function);
  if (status != FLOC_OK) {
    law_free(all->env, &function);
    return status;
  }
  law_free(all->env, &all->a_priori);
  all->a_priori = function;
  all->has_a_priori = options != NULL;
  return FLOC_OK;
}

bool laws_a_priori_reads_forces(const laws *all)
{
  uint64_t forces = (uint64_t)7 << COLUMN_fx;
  return all->has_a_priori && (all->a_priori.columns_read & forces) != 0;
}

bool laws_turn_particles(const laws *all)
{
  if (all->has_a_priori) return all->a_priori.output_count > all->dimension;
  return all->drift.kind != FLOC_FLOW_NONE;
}

/* ---- the flow at the particles ---- */

static bool make_columns(const laws *all, int64_t count, arena *scratch, int32_t columns, double *made[])
{
  for (int32_t k = 0; k < columns; k++) {
    made[k] = arena_allocate(scratch, (size_t)count, sizeof(double));
    if (!made[k]) return false;
    parallel_clear(all->env, count, made[k]);
  }
  return true;
}

/* What the change of U along an axis adds to rot U/2. The kernel adds to what is there. */
static floc_status add_differences(laws *all, particles *table, double time, double time_step, int along,
                                   arena *scratch, double *const spin[3])
{
  double *place[2], *stream[2][3], *const kept = table->column[COLUMN_x + along];
  const double *radius = table->column[COLUMN_radius];
  bool complete = make_columns(all, table->count, scratch, 2, place);
  for (int side = 0; side < 2; side++)
    complete = complete && make_columns(all, table->count, scratch, all->dimension, stream[side]);
  if (!complete) return FLOC_OUT_OF_MEMORY;
  floc_status status = FLOC_OK;
  for (int side = 0; side < 2 && status == FLOC_OK; side++) {
    double way = side == 0 ? -DIFFERENCE : DIFFERENCE;
    EACH_SLOT(i, table) place[side][i] = kept[i] + way * radius[i];
    table->column[COLUMN_x + along] = place[side];
    status = laws_apply_field(all, &all->drift_function, table, time, time_step, stream[side], scratch);
    table->column[COLUMN_x + along] = kept;
  }
  for (int of = 0; of < all->dimension && status == FLOC_OK; of++) {
    if (of == along) continue;
    int about = 3 - of - along;
    double sign = (along + 1) % 3 == of ? 0.5 : -0.5;
    EACH_SLOT(i, table)
      spin[about][i] += sign * (stream[1][of][i] - stream[0][of][i]) / (place[1][i] - place[0][i]);
  }
  return status;
}

floc_status flow_find(laws *all, particles *table, double time, double time_step, bool spins, arena *scratch,
                      flow_state *flow)
{
  const floc_flow_options *drift = &all->drift;
  *flow = (flow_state){.drift = drift, .rate = drift->rate};
  if (drift->kind == FLOC_FLOW_OSCILLATING_SHEAR) flow->rate *= floc_sin(drift->frequency * time);
  if (!all->has_drift_function) return FLOC_OK;
  if (!make_columns(all, table->count, scratch, all->dimension, flow->stream)) return FLOC_OUT_OF_MEMORY;
  floc_status status = laws_apply_field(all, &all->drift_function, table, time, time_step, flow->stream, scratch);
  if (status != FLOC_OK || !spins) return status;
  bool plane = all->dimension == 2;
  if (!make_columns(all, table->count, scratch, plane ? 1 : 3, plane ? &flow->spin[2] : flow->spin))
    return FLOC_OUT_OF_MEMORY;
  for (int along = 0; along < all->dimension && status == FLOC_OK; along++)
    status = add_differences(all, table, time, time_step, along, scratch, flow->spin);
  return status;
}

/* ---- a priori velocities ---- */

typedef struct free_velocity_pass {
  flow_state flow;
  double sigma;
  const particles *table;
  const free_velocity_input *input;
  double *velocity[3]; /* V* */
  int32_t dimension;
  bool moves; /* the medium goes along with a box that does */
} free_velocity_pass;

/* How flow and noise enter: u_new = stay u + (1 - stay) U + push a + kick W/m, one form for both updates. Angular
 * velocities change by turn[] times omega - rot U/2: of a free particle by the exact solution, which is stable at
 * any h; of an assembly's member, whose own inertia does not count, by the torque averaged over the step as the
 * drag is, so that the two stand in the right ratio. */
typedef struct drift_factors {
  double stay, push, kick, turn[2]; /* free, held */
} drift_factors;

static drift_factors find_factors(const free_velocity_pass *pass)
{
  const floc_flow_options *drift = pass->flow.drift;
  double h = pass->input->time_step, tau = drift->relaxation_time;
  drift_factors by = {1.0, h, pass->sigma * sqrt(h), {0.0, 0.0}};
  if (drift->kind == FLOC_FLOW_NONE) return by;
  by.stay = 1.0 - h / tau;
  if (drift->exponential) {
    by.stay = floc_exp(-h / tau);
    by.push = -tau * floc_expm1(-h / tau);
    by.kick = pass->sigma * sqrt(-0.5 * tau * floc_expm1(-2.0 * h / tau));
  }
  by.turn[0] = floc_expm1(-h / flow_spin_time(drift, pass->input->inertia_factor));
  by.turn[1] = (by.stay - 1.0) / (0.75 * pass->input->inertia_factor);
  return by;
}

static void turn_chunk(const free_velocity_pass *pass, const drift_factors *by, int64_t begin, int64_t end)
{
  const free_velocity_input *input = pass->input;
  for (int64_t i = begin; i < end; i++) {
    double spin[3] = {0.0, 0.0, 0.0}, turn = by->turn[input->held && input->held[i]];
    flow_spin(&pass->flow, i, spin);
    if (pass->moves) domain_add_rotation(input->box, spin);
    for (int axis = 0; axis < 3; axis++)
      if (input->turn[axis]) input->turn[axis][i] += turn * (input->spin[axis][i] - spin[axis]);
  }
}

static void free_velocity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  (void)chunk;
  const free_velocity_pass *pass = context;
  const free_velocity_input *input = pass->input;
  double *const *column = pass->table->column;
  bool drifts = pass->flow.drift->kind != FLOC_FLOW_NONE;
  drift_factors by = find_factors(pass);
  for (int64_t i = begin; i < end; i++) {
    double inverse_mass = 1.0 / column[COLUMN_mass][i];
    double stream[3] = {0.0, 0.0, 0.0}, noise[4] = {0.0, 0.0, 0.0, 0.0};
    if (drifts) flow_velocity(&pass->flow, i, column[COLUMN_x][i], column[COLUMN_y][i], stream);
    if (drifts && pass->moves) {
      const double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
      double along[3];
      domain_flow(input->box, position, along);
      for (int axis = 0; axis < 3; axis++) stream[axis] += along[axis];
    }
    if (pass->sigma > 0.0)
      random_normal4(input->seed, (uint64_t)pass->table->id[i], (uint64_t)input->step, RANDOM_NOISE, 0, noise);
    double kick = by.kick * inverse_mass;
    for (int axis = 0; axis < pass->dimension; axis++) {
      double acceleration = column[COLUMN_fx + axis][i] * inverse_mass + input->gravity[axis];
      pass->velocity[axis][i] = by.stay * column[COLUMN_vx + axis][i] + (1.0 - by.stay) * stream[axis] +
                                by.push * acceleration + kick * noise[axis];
    }
  }
  if (drifts && input->turn[2]) turn_chunk(pass, &by, begin, end);
}

/* The kernel adds to what is there. */
static floc_status velocities_of_host(laws *all, const particles *table, const free_velocity_input *input,
                                      double *const free_velocity[3], arena *scratch)
{
  double *target[6] = {free_velocity[0], free_velocity[1]}, *spin[3];
  int32_t dimension = all->dimension;
  if (dimension == 3) target[2] = free_velocity[2];
  for (int axis = 0; axis < dimension; axis++) slots_clear(all->env, table, free_velocity[axis]);
  bool turns = laws_turn_particles(all);
  if (turns && !input->turn[2])
    return refuse(
        all->env, FLOC_NOT_SUPPORTED,
        "the a priori velocity has an angular velocity, but nothing rotates: it needs rotation or friction "
        "in the scheme, or rigid assemblies");
  if (turns && !make_columns(all, table->count, scratch, spin_count(all), spin)) return FLOC_OUT_OF_MEMORY;
  for (int32_t k = 0; k < (turns ? spin_count(all) : 0); k++) target[dimension + k] = spin[k];
  floc_status status = laws_apply_field(all, &all->a_priori, table, input->time, input->time_step, target, scratch);
  for (int32_t k = 0; k < (turns ? spin_count(all) : 0) && status == FLOC_OK; k++) {
    int axis = dimension == 2 ? 2 : k;
    EACH_SLOT(i, table) input->turn[axis][i] += spin[k][i] - input->spin[axis][i];
  }
  return status;
}

floc_status laws_free_velocity(laws *all, particles *table, const free_velocity_input *input,
                               double *const free_velocity[3], arena *scratch)
{
  if (all->has_a_priori) return velocities_of_host(all, table, input, free_velocity, scratch);
  free_velocity_pass pass = {.sigma = all->sigma,
                             .table = table,
                             .input = input,
                             .velocity = {free_velocity[0], free_velocity[1], free_velocity[2]},
                             .dimension = all->dimension,
                             .moves = input->box && domain_moves(input->box)};
  floc_status status =
      flow_find(all, table, input->time, input->time_step, input->turn[2] != NULL, scratch, &pass.flow);
  if (status == FLOC_OK) slots_for(all->env, table, PARALLEL_BLOCK, free_velocity_chunk, &pass);
  return status;
}
