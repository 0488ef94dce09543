/*
 * Everything that acts on a particle without touching it: gravity, laws of the host, external forces
 * (rays), near field (28), Lorentz (27) and magnetic (29) forces; and what an
 * evaluation needs besides: stiffness by temperature (35), motions of bodies, space for results.
 *
 * The gradient in (29) is taken by central differences of fourth order of gamma B.B.
 */
#include "schemes/discrete_element/model.h"

#include "base/callback.h"
#include "base/interruption.h"
#include "base/threads/parallel.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

enum { KERNEL_BLOCK = 256, STENCIL = 4 };

static const double FOUR_PI = 12.56637061435917295385;

/* ---- laws of the host ---- */

/* Positions, velocities, spins, orientations. */
enum { TRIAL_COLUMNS = 13 };

/* Laws that look at the table: the trial state is put there for as long as they run. */
static void swap_in(const evaluation *run, double *const column[TRIAL_COLUMNS], double *kept)
{
  size_t count = (size_t)run->context->table->count;
  for (int k = 0; k < TRIAL_COLUMNS && count > 0; k++)
    if (column[k]) memcpy(kept + (size_t)k * count, column[k], count * sizeof *kept);
  for (int k = 9; k < TRIAL_COLUMNS && count > 0; k++)
    if (column[k]) memcpy(column[k], run->turned[k - 9], count * sizeof *kept);
  EACH_SLOT(i, run->context->table) {
    double position[3], velocity[3];
    for (int k = 0; k < 3; k++) {
      position[k] = run->at[i].position[k];
      velocity[k] = run->at[i].velocity[k];
    }
    if (run->deforms) domain_enter(run->context->box, position, velocity);
    for (int k = 0; k < 3; k++) {
      column[k][i] = domain_wrap(run->context->box, k, position[k]);
      column[3 + k][i] = velocity[k];
      if (column[6 + k]) column[6 + k][i] = run->at[i].spin[k];
    }
  }
}

/* Is there nothing but gravity before laws that can begin with it? Then fields are written once, not twice. */
static bool laws_begin_fields(const evaluation *run)
{
  return !run->external && laws_settle_pushes(run->context->forces, run->context->near);
}

floc_status element_apply_laws(evaluation *run)
{
  step_context *context = run->context;
  particles *table = context->table;
  size_t count = (size_t)table->count;
  bool swap = laws_read_table(context->forces, table);
  double *spin[3], *kept = swap ? arena_allocate(context->scratch, TRIAL_COLUMNS * count, sizeof *kept) : NULL;
  bool turns = laws_have_torque(context->forces) && !laws_only_pairs(context->forces);
  double *torque = turns ? arena_allocate(context->scratch, 3 * count, sizeof *torque) : NULL;
  if ((swap && !kept) || (turns && !torque)) return FLOC_OUT_OF_MEMORY;
  if (torque) memset(torque, 0, 3 * count * sizeof *torque);
  element_spin_columns(run->method, table, spin);
  double *oriented[4] = {NULL, NULL, NULL, NULL};
  if (run->turned) element_orientation(run->method, table, oriented);
  double *const column[TRIAL_COLUMNS] = {table->column[COLUMN_x],
                                         table->column[COLUMN_y],
                                         table->column[COLUMN_z],
                                         table->column[COLUMN_vx],
                                         table->column[COLUMN_vy],
                                         table->column[COLUMN_vz],
                                         spin[0],
                                         spin[1],
                                         spin[2],
                                         oriented[0],
                                         oriented[1],
                                         oriented[2],
                                         oriented[3]};
  if (swap) swap_in(run, column, kept);
  laws_moment moment = {.table = table,
                        .near = context->near,
                        .obstacles = context->obstacles,
                        .box = context->box,
                        .time = run->time,
                        .time_step = run->time_step,
                        .spin = {spin[0], spin[1], spin[2]},
                        .state = run->at,
                        .push = run->fields,
                        .gravity = laws_begin_fields(run) ? context->gravity : NULL,
                        .virial = run->deforms ? run->field_stress : NULL};
  for (int k = 0; k < 3 && torque; k++) moment.torque[k] = torque + (size_t)k * count;
  floc_status status = laws_apply(context->forces, &moment, context->scratch);
  for (int k = 0; k < TRIAL_COLUMNS && swap && count > 0; k++)
    if (column[k]) memcpy(column[k], kept + (size_t)k * count, count * sizeof *kept);
  if (status != FLOC_OK) return status;
  return FLOC_OK;
}

floc_status element_external(const step_context *context, double time_step, const push **result)
{
  *result = NULL;
  bool acts = context->external_force && context->external_force(context->external_context, context->table,
                                                                 context->time, time_step, NULL, NULL);
  if (!acts) return FLOC_OK;
  size_t count = (size_t)context->table->count;
  double *columns = arena_allocate(context->scratch, PUSH_NUMBERS * count, sizeof *columns);
  push *pushes = arena_allocate(context->scratch, count, sizeof *pushes);
  if (!columns || !pushes) return FLOC_OUT_OF_MEMORY;
  memset(columns, 0, PUSH_NUMBERS * count * sizeof *columns);
  double *const force[3] = {columns, columns + count, columns + 2 * count};
  double *const torque[3] = {columns + 3 * count, columns + 4 * count, columns + 5 * count};
  context->external_force(context->external_context, context->table, context->time, time_step, force, torque);
  bool plane = context->box->dimension == 2;
  EACH_SLOT(i, context->table)
    for (int k = 0; k < 3; k++) {
      pushes[i].force[k] = plane && k == 2 ? 0.0 : force[k][i];
      pushes[i].torque[k] = plane && k < 2 ? 0.0 : torque[k][i];
    }
  *result = pushes;
  return FLOC_OK;
}

/* ---- functions of the host over space ---- */

typedef struct kernel_pass {
  evaluation *run;
  const space_function *of;
  double (*output)[3]; /* [particles] */
} kernel_pass;

/* What a function returned and what it changed, as a number that is 0 if all is well. */
static const double CHANGE = 4294967296.0;

static double code_of(floc_status returned, int32_t changed)
{
  return (double)(uint32_t)returned + CHANGE * (double)changed;
}

/* The value is the code of the block's call. */
static double kernel_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const kernel_pass *pass = context;
  double input[4][KERNEL_BLOCK], output[3][KERNEL_BLOCK];
  const double *const inputs[4] = {input[0], input[1], input[2], input[3]};
  double *const outputs[3] = {output[0], output[1], output[2]};
  for (int64_t i = begin; i < end; i++) {
    for (int k = 0; k < 3; k++) {
      double unit = pass->of->in_radii ? pass->run->at[i].radius : 1.0;
      input[k][i - begin] = pass->run->at[i].position[k] + unit * pass->of->offset[k];
      output[k][i - begin] = 0.0;
    }
    input[3][i - begin] = pass->run->time;
  }
  floc_status status = pass->of->function(pass->of->context, (int32_t)(end - begin), inputs, outputs);
  double code = code_of(status, float_take_back());
  if (code != 0.0) return code;
  for (int64_t i = begin; i < end; i++)
    for (int k = 0; k < 3; k++) pass->output[i][k] = output[k][i - begin];
  return 0.0;
}

static floc_status call_kernel(kernel_pass *pass)
{
  evaluation *run = pass->run;
  environment serial = *run->context->env;
  char name[96];
  callback_mark before = callback_begin(&serial, pass->of->kind, NULL);
  if (!run->method->options.parallel_fields) serial.threads = 1;
  double failed = owned_max(&serial, run->context->table, KERNEL_BLOCK, 0.0, kernel_block, pass);
  callback_end(&serial, before);
  if (failed == 0.0) return FLOC_OK;
  double changed = floor(failed / CHANGE);
  return callback_verdict(run->context->env, (floc_status)(int32_t)(uint32_t)(failed - CHANGE * changed),
                          (int32_t)changed, "the function of the %s at time %g",
                          callback_name(pass->of->kind, NULL, name, sizeof name), run->time);
}

static floc_status check_field(const evaluation *run, double (*field)[3], const char *name)
{
  EACH_OWNED(i, run->context->table)
    if (!isfinite(field[i][0]) || !isfinite(field[i][1]) || !isfinite(field[i][2]))
      return refuse(run->context->env, FLOC_NOT_A_NUMBER,
                    "the function of the %s returned (%g, %g, %g) at particle %lld, time %g", name, field[i][0],
                    field[i][1], field[i][2], (long long)run->context->table->id[i], run->time);
  return FLOC_OK;
}

floc_status element_field_at(evaluation *run, const space_function *of, double (**field)[3])
{
  *field = NULL;
  if (!of->function) return FLOC_OK;
  *field = arena_allocate(run->context->scratch, (size_t)run->context->table->count, sizeof **field);
  if (!*field) return FLOC_OUT_OF_MEMORY;
  kernel_pass pass = {run, of, *field};
  floc_status status = call_kernel(&pass);
  char name[96];
  return status == FLOC_OK ? check_field(run, *field, callback_name(of->kind, NULL, name, sizeof name)) : status;
}

/* (29) */
static floc_status apply_magnetization(evaluation *run, const double *magnetization)
{
  static const double place[STENCIL] = {-2.0, -1.0, 1.0, 2.0};
  static const double weight[STENCIL] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
  const floc_discrete_element_options *options = &run->method->options;
  for (int axis = 0; axis < run->method->dimension; axis++)
    for (int s = 0; s < STENCIL; s++) {
      double(*field)[3];
      space_function magnetic = {
          CALLBACK_MAGNETIC_FIELD, options->magnetic_field, options->magnetic_field_context, {0.0}, false};
      magnetic.offset[axis] = place[s] * options->magnetic_difference;
      floc_status status = element_field_at(run, &magnetic, &field);
      if (status != FLOC_OK) return status;
      double factor = weight[s] / options->magnetic_difference;
      EACH_OWNED(i, run->context->table)
        run->fields[i].force[axis] += factor * magnetization[i] * vector_dot(field[i], field[i]);
    }
  return FLOC_OK;
}

/* (27) and (29) */
static floc_status apply_electromagnetic(evaluation *run)
{
  const floc_discrete_element_options *options = &run->method->options;
  const particles *table = run->context->table;
  int32_t charge = particles_find_column(table, "charge"), magnet = particles_find_column(table, "magnetization");
  const space_function of_electric = {CALLBACK_ELECTRIC_FIELD,
                                      charge >= 0 ? options->electric_field : NULL,
                                      options->electric_field_context,
                                      {0.0},
                                      false};
  const space_function of_magnetic = {CALLBACK_MAGNETIC_FIELD,
                                      charge >= 0 ? options->magnetic_field : NULL,
                                      options->magnetic_field_context,
                                      {0.0},
                                      false};
  double(*electric)[3], (*magnetic)[3];
  floc_status status = element_field_at(run, &of_electric, &electric);
  if (status == FLOC_OK) status = element_field_at(run, &of_magnetic, &magnetic);
  if (status != FLOC_OK) return status;
  EACH_OWNED(i, table) {
    if (!electric && !magnetic) break;
    double force[3] = {0.0, 0.0, 0.0};
    if (magnetic) vector_cross(run->at[i].velocity, magnetic[i], force);
    for (int k = 0; k < 3; k++) {
      if (electric) force[k] += electric[i][k];
      run->fields[i].force[k] += table->column[charge][i] * force[k];
    }
  }
  if (!options->magnetic_field || magnet < 0) return FLOC_OK;
  return apply_magnetization(run, table->column[magnet]);
}

/* ---- near field ---- */

typedef struct near_field_pass {
  evaluation *run;
  const double *scale;    /* [particles] */
  const pair_list *pairs; /* NULL: every particle with every other */
  double (*virial)[9];    /* per block; NULL: it is not wanted */
} near_field_pass;

/* stress: half of what the pair has is added, as each is met twice; NULL: nowhere. */
static void near_field_force(const near_field_pass *pass, int64_t i, int64_t j, double force[3], double *stress)
{
  const evaluation *run = pass->run;
  const floc_discrete_element_options *options = &run->method->options;
  double way[3];
  for (int k = 0; k < 3; k++) way[k] = run->at[j].position[k] - run->at[i].position[k];
  domain_nearest(run->context->box, way);
  double distance = vector_length(way);
  if (!(distance > 0.0)) return;
  if (pass->pairs && distance - run->at[i].radius - run->at[j].radius > options->near_field_range) return;
  double scale = pass->scale[i] * pass->scale[j];
  double towards = options->attraction * floc_pow(distance, -options->attraction_exponent) -
                   options->repulsion * floc_pow(distance, -options->repulsion_exponent);
  vector_add_scaled(force, scale * towards / distance, way, force);
  for (int c = 0; c < 9 && stress; c++) stress[c] -= 0.5 * scale * towards / distance * way[c / 3] * way[c % 3];
}

static void near_field_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const near_field_pass *pass = context;
  double *stress = pass->virial ? pass->virial[block] : NULL;
  const pair_list *pairs = pass->pairs;
  for (int64_t i = begin; i < end; i++) {
    double force[3] = {0.0, 0.0, 0.0};
    if ((i & 15) == 0 && interrupted(pass->run->context->env)) return;
    if (pairs) {
      for (int64_t k = pairs->incoming_start[i]; k < pairs->incoming_start[i + 1]; k++)
        near_field_force(pass, i, pairs->first[pairs->incoming[k]], force, stress);
      for (int64_t k = pairs->start[i]; k < pairs->start[i + 1]; k++)
        near_field_force(pass, i, pairs->second[k], force, stress);
    } else {
      EACH_SLOT(j, pass->run->context->table)
        if (j != i) near_field_force(pass, i, j, force, stress);
    }
    for (int k = 0; k < 3; k++) pass->run->fields[i].force[k] += force[k];
  }
}

bool element_has_near_field(const floc_discrete_element_options *options)
{
  return options->attraction != 0.0 || options->repulsion != 0.0;
}

double element_near_field_scale(const floc_discrete_element_options *options, const particles *table,
                                const near_field_columns *columns, int64_t i)
{
  double radius = table->column[COLUMN_radius][i];
  double sign = columns->sign >= 0 ? table->column[columns->sign][i] : 1.0;
  switch (options->near_field_scaling) {
  case FLOC_NEAR_FIELD_MASS:
    return sign * table->column[COLUMN_mass][i];
  case FLOC_NEAR_FIELD_AREA:
    return sign * FOUR_PI * radius * radius;
  case FLOC_NEAR_FIELD_VOLUME:
    return sign * FOUR_PI / 3.0 * radius * radius * radius;
  case FLOC_NEAR_FIELD_CHARGE:
    return columns->charge >= 0 ? sign * table->column[columns->charge][i] : 0.0;
  default:
    return sign;
  }
}

near_field_columns element_near_field_columns(const particles *table)
{
  return (near_field_columns){particles_find_column(table, "sign"), particles_find_column(table, "charge")};
}

static floc_status apply_near_field(evaluation *run)
{
  const floc_discrete_element_options *options = &run->method->options;
  if (!element_has_near_field(options)) return FLOC_OK;
  const particles *table = run->context->table;
  double *scale = arena_allocate(run->context->scratch, (size_t)table->count, sizeof *scale);
  if (!scale) return FLOC_OUT_OF_MEMORY;
  near_field_columns columns = element_near_field_columns(table);
  EACH_SLOT(i, table) scale[i] = element_near_field_scale(options, table, &columns, i);
  bool everywhere = options->near_field_range == INFINITY;
  near_field_pass pass = {run, scale, everywhere ? NULL : neighbors_pairs(run->context->near), NULL};
  const int64_t size = everywhere ? 64 : PARALLEL_BLOCK, blocks = parallel_block_count(table->count, size);
  if (run->deforms) {
    pass.virial = arena_allocate(run->context->scratch, (size_t)blocks, sizeof *pass.virial);
    if (!pass.virial) return FLOC_OUT_OF_MEMORY;
    memset(pass.virial, 0, (size_t)blocks * sizeof *pass.virial);
  }
  slots_for(run->context->env, table, size, near_field_block, &pass);
  for (int64_t k = 0; k < blocks && pass.virial; k++)
    for (int c = 0; c < 9; c++) run->field_stress[c] += pass.virial[k][c];
  return interruption_status(run->context->env);
}

/* ---- what an evaluation needs ---- */

floc_status element_stiffnesses(const discrete_element *method, const step_context *context, const double **result)
{
  const particles *table = context->table;
  int32_t column = method->options.thermal_softening ? particles_find_column(table, "temperature") : -1;
  *result = NULL;
  if (column < 0) return FLOC_OK;
  double *stiffness = arena_allocate(context->scratch, (size_t)table->count, sizeof *stiffness);
  if (!stiffness) return FLOC_OUT_OF_MEMORY;
  const double *temperature = table->column[column];
  EACH_SLOT(i, table) {
    bool as_before = i > 0 && temperature[i] == temperature[i - 1];
    stiffness[i] = as_before ? stiffness[i - 1] : element_stiffness(&method->options, temperature[i]);
  }
  *result = stiffness;
  return FLOC_OK;
}

double element_stiffness(const floc_discrete_element_options *options, double temperature)
{
  double softened = options->stiffness *
                    floc_exp(-options->thermal_sensitivity * (temperature / options->reference_temperature - 1.0));
  return softened > options->least_stiffness ? softened : options->least_stiffness;
}

static floc_status find_motions(evaluation *run)
{
  const bodies *obstacles = run->context->obstacles;
  run->motion = arena_allocate(run->context->scratch, (size_t)obstacles->count, sizeof *run->motion);
  if (!run->motion) return FLOC_OUT_OF_MEMORY;
  for (int32_t n = 0; n < obstacles->count; n++) {
    const pose *now = &obstacles->body[n].now, *next = &obstacles->body[n].next;
    body_motion *motion = &run->motion[n];
    double turn[4], vector[3];
    if (run->moving && body_is_free(&obstacles->body[n])) {
      body_center_arm(&obstacles->body[n], run->method->dimension, next, motion->pivot);
      vector_add_scaled(motion->pivot, 1.0, next->position, motion->pivot);
      memcpy(motion->velocity, run->moving[n].velocity, sizeof motion->velocity);
      memcpy(motion->spin, run->moving[n].spin, sizeof motion->spin);
      continue;
    }
    if (run->looks) { /* between steps: of the last one */
      memcpy(motion->pivot, now->position, sizeof motion->pivot);
      memcpy(motion->velocity, obstacles->body[n].velocity, sizeof motion->velocity);
      memcpy(motion->spin, obstacles->body[n].angular_velocity, sizeof motion->spin);
      continue;
    }
    rotation_between(now->orientation, next->orientation, turn);
    rotation_to_vector(turn, vector);
    if (run->method->dimension == 2) vector[2] = next->angle - now->angle;
    for (int k = 0; k < 3; k++) {
      motion->pivot[k] = next->position[k];
      motion->velocity[k] = (next->position[k] - now->position[k]) / run->time_step;
      motion->spin[k] = vector[k] / run->time_step;
    }
  }
  return FLOC_OK;
}

static bool has_fields(const evaluation *run)
{
  const floc_discrete_element_options *options = &run->method->options;
  const step_context *context = run->context;
  return laws_force_count(context->forces) > 0 || run->external || options->viscosity != 0.0 ||
         element_has_near_field(options) || options->electric_field || options->magnetic_field ||
         neighbors_walls(context->near)->count > 0;
}

/* Gravity, and what comes from elsewhere. Number by number: a struct that is put together and copied waits
 * for its own stores. */
static void start_fields(const evaluation *run, push *fields, int64_t count)
{
  const double *mass = run->context->table->column[COLUMN_mass], *g = run->context->gravity;
  for (int64_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      fields[i].force[k] = mass[i] * g[k];
      fields[i].torque[k] = 0.0;
    }
  for (int64_t i = 0; run->external && i < count; i++)
    for (int k = 0; k < 3; k++) {
      fields[i].force[k] += run->external[i].force[k];
      fields[i].torque[k] += run->external[i].torque[k];
    }
}

/* Where contacts exert nothing fields are all there is, and the array becomes that of force and torque. */
static push *room_for_fields(evaluation *run, size_t count)
{
  discrete_element *method = run->method;
  if (run->in_place) return run->pushes;
  if (!run->may_exchange) return arena_allocate(run->context->scratch, count, sizeof(push));
  floc_status status = array_reserve(method->env, (void **)&method->fields, &method->field_capacity,
                                     method->push_capacity, sizeof(push));
  return status == FLOC_OK ? method->fields : NULL;
}

static floc_status find_fields(evaluation *run)
{
  const step_context *context = run->context;
  run->fields = NULL;
  memset(run->field_stress, 0, sizeof run->field_stress);
  if (!has_fields(run)) return FLOC_OK;
  int64_t count = context->table->count;
  push *fields = room_for_fields(run, (size_t)count);
  if (!fields) return FLOC_OUT_OF_MEMORY;
  if (!laws_begin_fields(run)) start_fields(run, fields, count);
  run->fields = fields;
  floc_status status = laws_force_count(context->forces) > 0 ? element_apply_laws(run) : FLOC_OK;
  if (status == FLOC_OK) element_parts_take(run, LEDGER_LAWS);
  if (status == FLOC_OK) status = element_drag(run);
  if (status == FLOC_OK) element_parts_take(run, LEDGER_DRAG);
  if (status == FLOC_OK) status = apply_near_field(run);
  if (status == FLOC_OK) element_parts_take(run, LEDGER_NEAR_FIELD);
  if (status == FLOC_OK) status = apply_electromagnetic(run);
  if (status == FLOC_OK) element_parts_take(run, LEDGER_FIELDS);
  if (status != FLOC_OK || run->method->dimension == 3) return status;
  EACH_SLOT(i, run->context->table) fields[i].force[2] = fields[i].torque[0] = fields[i].torque[1] = 0.0;
  return FLOC_OK;
}

/* The fast loop updates springs in place; trial copies need the general one. */
static bool uses_plain(const evaluation *run)
{
  return run->method->is_plain && !run->deforms && !run->looks &&
         run->pairs_from.spring[0] == run->pairs_to.spring[0];
}

floc_status element_prepare_contacts(evaluation *run)
{
  const step_context *context = run->context;
  const domain *box = context->box;
  for (int k = 0; k < 3; k++) run->inverse_length[k] = box->length[k] > 0.0 ? 1.0 / box->length[k] : 0.0;
  run->deforms = context->next_box || domain_deforms(box);
  double chosen = run->method->options.friction_time;
  run->friction_time = chosen > 0.0 ? chosen : run->time_step;
  floc_status status = element_learn(run->method, context->table, context->obstacles, context->near);
  return status == FLOC_OK ? find_motions(run) : status;
}

floc_status element_prepare(evaluation *run)
{
  const step_context *context = run->context;
  int64_t blocks = parallel_block_count(context->table->count, element_block_size(context->table->count));
  run->overlap = 0.0;
  run->block = arena_allocate(context->scratch, (size_t)blocks, sizeof *run->block);
  run->wall_push =
      arena_allocate(context->scratch, (size_t)neighbors_walls(context->near)->count, sizeof *run->wall_push);
  if (!run->block || !run->wall_push) return FLOC_OUT_OF_MEMORY;
  floc_status status = element_prepare_contacts(run);
  if (status == FLOC_OK && context->ranks)
    status = array_reserve(run->method->env, (void **)&run->method->touches, &run->method->touch_capacity,
                           (size_t)neighbors_walls(context->near)->count, sizeof(wall_touch));
  if (run->deforms) run->method->list_followed = false; /* the general loop does not say which springs it touches */
  if (status == FLOC_OK && uses_plain(run)) status = element_follow_list(run->method, context->table->count);
  if (status == FLOC_OK && run->parts) status = element_parts_begin(run);
  return status == FLOC_OK ? find_fields(run) : status;
}

void element_act(evaluation *run)
{
  run->method->counters.evaluations += 1.0;
  if (run->parts) element_parts_contacts(run);
  element_walls(run);
  if (uses_plain(run))
    element_pairs_plain(run);
  else
    element_pairs(run);
}
