/*
 * The forces of the present state, looked at between steps: what acts in every pair and at every wall, and on every
 * particle. All forces are evaluated once more, as a step does where it ends; nothing that a step reads is changed.
 *
 * A step of velocity Verlet evaluates them from velocities at its middle. Those are found again by taking half a
 * kick off, so that damping and friction are what the step found; forces from elsewhere (rays), which are not kept,
 * are left out of that. What pairs remember is what the step left: springs act, and do not creep again, which gives
 * the force that the step found.
 */
#include "schemes/discrete_element/law.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <string.h>

/* Velocities at which the step's last forces were found. */
static void take_half_kick_off(const discrete_element *method, const step_context *context, element *at)
{
  const particles *table = context->table;
  if (method->options.integrator != FLOC_INTEGRATOR_VELOCITY_VERLET || method->push_count != table->count) return;
  double h = method->last_time_step > 0.0 ? method->last_time_step : context->time_step;
  const double *mass = table->column[COLUMN_mass], *frozen = particles_frozen(table);
  EACH_SLOT(i, table) {
    if (frozen && frozen[i] != 0.0) continue;
    double kick = 0.5 * h / mass[i], turn = 0.5 * h / element_inertia(method, table, i);
    for (int k = 0; k < 3; k++) at[i].velocity[k] -= kick * method->pushes[i].force[k];
    for (int k = method->dimension == 2 ? 2 : 0; k < 3 && method->options.rotation; k++)
      at[i].spin[k] -= turn * method->pushes[i].torque[k];
  }
}

static double *zeros(arena *scratch, int64_t count)
{
  double *made = arena_allocate(scratch, (size_t)count, sizeof *made);
  if (made && count > 0) memset(made, 0, (size_t)count * sizeof *made);
  return made;
}

floc_status pair_forces_make(arena *scratch, const neighbors *near, int32_t dimension, pair_forces *made)
{
  const int64_t count[2] = {neighbors_pairs(near)->count, neighbors_walls(near)->count};
  for (int which = 0; which < 2; which++) {
    made->normal[which] = zeros(scratch, count[which]);
    bool complete = made->normal[which];
    for (int axis = 0; axis < 3; axis++) {
      made->tangential[which][axis] = axis < dimension ? zeros(scratch, count[which]) : NULL;
      complete = complete && (axis >= dimension || made->tangential[which][axis]);
    }
    if (!complete) return FLOC_OUT_OF_MEMORY;
    for (int axis = 0; axis < 3; axis++) made->moment[which][axis] = NULL;
  }
  return FLOC_OK;
}

/* Columns for moments, where contacts resist rolling. */
static floc_status make_moments(const discrete_element *method, const step_context *context, pair_forces *made)
{
  const int64_t count[2] = {neighbors_pairs(context->near)->count, neighbors_walls(context->near)->count};
  for (int which = 0; which < 2 && method->options.rolling_friction > 0.0; which++)
    for (int axis = method->dimension == 2 ? 2 : 0; axis < 3; axis++)
      if (!(made->moment[which][axis] = zeros(context->scratch, count[which]))) return FLOC_OUT_OF_MEMORY;
  return FLOC_OK;
}

/* Gravity off; what is left are contacts, bonds, laws, fields, drag. Behind forces stand torques. */
static void sum_forces(const step_context *context, const push *pushes, double *const force[3])
{
  const double *mass = context->table->column[COLUMN_mass];
  for (int axis = 0; axis < 3; axis++)
    EACH_SLOT(i, context->table) force[axis][i] = pushes[i].force[axis] - mass[i] * context->gravity[axis];
  for (int axis = 0; axis < 3; axis++)
    EACH_SLOT(i, context->table) force[3 + axis][i] = pushes[i].torque[axis];
}

static element *load_elements(const discrete_element *method, const step_context *context)
{
  element *at = arena_allocate(context->scratch, (size_t)context->table->count, sizeof *at);
  if (!at) return NULL;
  element_load(method, context->table, at);
  take_half_kick_off(method, context, at);
  return at;
}

static bool begin_look(discrete_element *method, step_context *context, evaluation *run)
{
  *run = (evaluation){.method = method,
                      .context = context,
                      .time = context->time,
                      .time_step = context->time_step,
                      .at = load_elements(method, context),
                      .pairs_from = element_memory(method, neighbors_pairs(context->near)),
                      .walls_from = element_memory(method, neighbors_walls(context->near)),
                      .moving = method->body_count == context->obstacles->count ? method->body : NULL,
                      .looks = true};
  return run->at;
}

/* Columns of all entries, from the blocks of those who need none. */
typedef struct look_filling {
  const evaluation *run;
  int which;
  const pair_forces *to;
} look_filling;

static void fill_columns(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const look_filling *filling = context;
  const pair_forces *to = filling->to;
  const int which = filling->which;
  look_block found;
  for (int64_t first = begin; first < end; first += LOOK_BLOCK) {
    const int32_t count = end - first < LOOK_BLOCK ? (int32_t)(end - first) : LOOK_BLOCK;
    const size_t bytes = (size_t)count * sizeof(double);
    element_look_at(filling->run, which, first, count, &found);
    memcpy(to->normal[which] + first, found.normal, bytes);
    for (int axis = 0; axis < filling->run->method->dimension; axis++)
      memcpy(to->tangential[which][axis] + first, found.tangential[axis], bytes);
    for (int axis = 0; axis < 3 && found.turns; axis++)
      if (to->moment[which][axis]) memcpy(to->moment[which][axis] + first, found.moment[axis], bytes);
  }
}

/* What contacts exert, entry by entry. */
static floc_status find_own(evaluation *run, pair_forces *own)
{
  const step_context *context = run->context;
  floc_status status = make_moments(run->method, context, own);
  if (status == FLOC_OK) status = element_prepare_contacts(run);
  if (status != FLOC_OK) return status;
  const int64_t count[2] = {neighbors_pairs(context->near)->count, neighbors_walls(context->near)->count};
  for (int which = 0; which < 2; which++) {
    look_filling filling = {run, which, own};
    parallel_for(context->env, count[which], PARALLEL_BLOCK, fill_columns, &filling);
  }
  return FLOC_OK;
}

/* What acts on every particle, laws included. */
static floc_status find_sums(evaluation *run, double *const force[SHOWN_FORCES])
{
  const step_context *context = run->context;
  run->pushes = arena_allocate(context->scratch, (size_t)context->table->count, sizeof *run->pushes);
  if (!run->pushes) return FLOC_OUT_OF_MEMORY;
  floc_status status = element_prepare(run);
  if (status != FLOC_OK) return status;
  element_walls(run);
  element_pairs(run);
  sum_forces(context, run->pushes, force);
  return FLOC_OK;
}

floc_status element_observe(void *state, step_context *context, bool again, observed_forces *wanted)
{
  discrete_element *method = state;
  const bool no_forces = !wanted->laws.normal[0] && !wanted->laws.normal[1];
  evaluation run;
  if (!begin_look(method, context, &run)) return FLOC_OUT_OF_MEMORY;
  floc_status status = FLOC_OK;
  if (wanted->own.normal[0] || wanted->on_particle[0])
    status = element_stiffnesses(method, context, &run.stiffness);
  if (status == FLOC_OK && wanted->own.normal[0]) status = find_own(&run, &wanted->own);
  if (status != FLOC_OK) return status;
  laws_observe(context->forces, &(laws_view){.again = again, .forces = no_forces ? NULL : &wanted->laws});
  status = wanted->on_particle[0] ? find_sums(&run, wanted->on_particle) : element_apply_laws(&run);
  laws_end_observation(context->forces);
  return status;
}

/* ---- contacts alone ---- */

floc_status element_look(void *state, step_context *context, const void **look)
{
  evaluation *run = arena_allocate(context->scratch, 1, sizeof *run);
  if (!run || !begin_look(state, context, run)) return FLOC_OUT_OF_MEMORY;
  *look = run;
  floc_status status = element_stiffnesses(run->method, context, &run->stiffness);
  return status == FLOC_OK ? element_prepare_contacts(run) : status;
}

void element_look_put(const evaluation *run, const contact_state *state, int32_t row, look_block *to)
{
  to->normal[row] = state ? state->normal_force : 0.0;
  for (int axis = 0; axis < 3; axis++)
    to->tangential[axis][row] = state && axis < run->method->dimension ? -state->tangential[axis] : 0.0;
  for (int axis = 0; axis < 3 && to->turns; axis++) to->moment[axis][row] = state ? -state->moment[axis] : 0.0;
}

void element_look_at(const void *look, int which, int64_t begin, int32_t count, look_block *to)
{
  const evaluation *run = look;
  to->turns = resists_rolling(run);
  (which == 0 ? element_look_pairs : element_look_walls)(run, begin, count, to);
}
