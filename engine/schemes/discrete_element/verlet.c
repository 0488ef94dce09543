/*
 * Velocity Verlet:
 *
 *   v(t + h/2) = v + h/2 f(t)/m,   x(t + h) = x + h v(t + h/2),   f(t + h) from x(t + h), v(t + h/2),
 *   v(t + h) = v(t + h/2) + h/2 f(t + h)/m,   and spins likewise.
 *
 * Forces at the step's end are kept for the next one; they are state. When there are none (first step, new
 * particles) they are computed first, with springs that act but do not creep. External forces (rays) are
 * means over the step and act in full in both of its kicks; they are not kept.
 *
 * Flow and noise (laws/law_bath.c) act in the middle of the drift, for the whole step at once: kick, half a drift,
 * bath, half a drift, forces, kick. This is BAOAB of B. Leimkuhler and C. Matthews (Applied Mathematics Research
 * eXpress 2013, 34; J. Chem. Phys. 138, 174102): <v^2> of free particles is exact at any h/tau, and so is the mean
 * square of the place in a harmonic trap.
 *
 * Springs are updated in place, so nothing may fail once pairs are computed. All that can fail comes before:
 * memory, functions of the host, and numbers. Positions and velocities beyond 1e75 are refused there, as
 * not finite; below that limit no product in the force of a contact can overflow.
 */
#include "schemes/discrete_element/model.h"

#include "base/interruption.h"
#include "base/threads/parallel.h"
#include "particles/owned.h"
#include "schemes/orientation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double FARTHEST = 1e75;

typedef struct verlet_pass {
  discrete_element *method;
  step_context *context;
  element *at;
  double *reach;
  double *spin[3];
  int oriented;      /* columns of the orientation, 0: there are none */
  double *turned[4]; /* at the step's end */
  double *orientation[4];
  const double *stiffness;
  const push *external; /* or NULL */
  const double *frozen; /* or NULL */
  bool bathes;          /* flow and noise act */
  element_free free;    /* bodies */
  double strain;        /* of the box in the step, by its norm; 0 where it does not move */
} verlet_pass;

/* Force and torque that kick a particle: those of the state, and external ones. */
static inline push kicking(const verlet_pass *pass, int64_t i)
{
  push sum = pass->method->pushes[i];
  if (!pass->external) return sum;
  for (int k = 0; k < 3; k++) {
    sum.force[k] += pass->external[i].force[k];
    sum.torque[k] += pass->external[i].torque[k];
  }
  return sum;
}

/* Apart from loops that mostly do without it. */
__attribute__((noinline)) static void turn_on(const verlet_pass *pass, int64_t i, double way, double *const from[4])
{
  const double *spin = pass->at[i].spin;
  orientation_turn(pass->oriented, from, pass->turned, i,
                   (const double[3]){way * spin[0], way * spin[1], way * spin[2]});
}

/* Of the velocity that a particle has besides the box's. */
__attribute__((noinline)) static double own_speed_squared(const verlet_pass *pass, int64_t i)
{
  double flow[3], square = 0.0, from[3];
  for (int k = 0; k < 3; k++) from[k] = pass->context->table->column[COLUMN_x + k][i];
  domain_flow(pass->context->box, from, flow);
  for (int k = 0; k < 3; k++) square += (pass->at[i].velocity[k] - flow[k]) * (pass->at[i].velocity[k] - flow[k]);
  return square;
}

/* Lists are of the positions before the step, laws act where it leads: within half of their range beside R, the way
 * of each must be found. In a box that deforms a separation s becomes F s and what two particles move besides, with
 * |F^-1| at most 1 + e, e = strain/(1 - strain); so what touches then is within (1 + e)(R + h |c|) of each now. */
static void stretch_reach(const verlet_pass *pass, int64_t count)
{
  double stretch = pass->strain / (1.0 - pass->strain);
  double half_range = 0.5 * element_field_range(pass->method, pass->context->forces);
  for (int64_t i = 0; i < count && half_range > 0.0; i++) pass->reach[i] += half_range;
  for (int64_t i = 0; i < count && pass->strain > 0.0; i++)
    pass->reach[i] += stretch * (pass->reach[i] + pass->at[i].radius);
}

/* Half a kick and the drift (half of it before a bath), into the working copy. The value is 1 if a number is beyond
 * all bounds. */
static double drift_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const verlet_pass *pass = context;
  double *const *column = pass->context->table->column;
  const double *radius = column[COLUMN_radius], *mass = column[COLUMN_mass];
  const floc_discrete_element_options *options = &pass->method->options;
  bool bonds = options->bond_law == FLOC_BOND_PERSISTENT, rotation = options->rotation;
  const inertias inertia = find_inertias(pass->method, pass->context->table);
  double h = pass->context->time_step, way = pass->bathes ? 0.5 * h : h;
  bool bounded = true;
  for (int64_t i = begin; i < end; i++) {
    const push acting = kicking(pass, i);
    element *to = &pass->at[i];
    const bool stays = pass->frozen && pass->frozen[i] != 0.0;
    double kick = stays ? 0.0 : 0.5 * h / mass[i], square = 0.0;
    to->radius = radius[i];
    for (int k = 0; k < 3; k++) {
      double v = column[COLUMN_vx + k][i] + kick * acting.force[k], x = column[COLUMN_x + k][i] + way * v;
      to->velocity[k] = v;
      to->position[k] = x;
      to->spin[k] = 0.0;
      square += v * v;
      bounded &= (fabs(v) <= FARTHEST) & (fabs(x) <= FARTHEST);
    }
    if (rotation) {
      double turn = stays ? 0.0 : 0.5 * h / inertia_of(&inertia, mass[i], radius[i], i);
      for (int k = pass->method->dimension == 2 ? 2 : 0; k < 3; k++) {
        to->spin[k] = pass->spin[k][i] + turn * acting.torque[k];
        bounded &= fabs(to->spin[k]) <= FARTHEST;
      }
      if (pass->oriented > 0) turn_on(pass, i, way, pass->orientation);
    }
    if (pass->strain > 0.0) square = own_speed_squared(pass, i);
    pass->reach[i] = way * sqrt(square) + (bonds ? options->bond_breaking * radius[i] : 0.0);
  }
  return bounded ? 0.0 : 1.0;
}

/* Back into a box whose images are shifted and move. */
__attribute__((noinline)) static void enter(const verlet_pass *pass, int64_t i)
{
  double *const *column = pass->context->table->column;
  double position[3], velocity[3];
  for (int k = 0; k < 3; k++) {
    position[k] = pass->at[i].position[k];
    velocity[k] = column[COLUMN_vx + k][i];
  }
  domain_enter(pass->context->box, position, velocity);
  for (int k = 0; k < 3; k++) {
    column[COLUMN_x + k][i] = position[k];
    column[COLUMN_vx + k][i] = velocity[k];
  }
}

enum { KICKED_AT_ONCE = 256 };

/* The second half kick, into the table; each particle's kinetic energy, that of its spin included. */
static void kick_some(const verlet_pass *pass, const inertias *all, int64_t begin, int64_t end, double *energy)
{
  double *const *column = pass->context->table->column;
  const double *mass = column[COLUMN_mass];
  const domain *box = pass->context->box;
  bool rotation = pass->method->options.rotation;
  const double h = pass->context->time_step;
  const bool deforms = domain_deforms(box);
  for (int64_t i = begin; i < end; i++) {
    const push acting = kicking(pass, i);
    const element *from = &pass->at[i];
    const bool stays = pass->frozen && pass->frozen[i] != 0.0;
    double kick = stays ? 0.0 : 0.5 * h / mass[i], square = 0.0;
    for (int k = 0; k < 3; k++) {
      double v = from->velocity[k] + kick * acting.force[k];
      column[COLUMN_vx + k][i] = v;
      column[COLUMN_x + k][i] = domain_wrap(box, k, from->position[k]);
      square += v * v;
    }
    if (deforms) enter(pass, i);
    energy[i - begin] = 0.5 * mass[i] * square;
    if (!rotation) continue;
    for (int k = 0; k < pass->oriented; k++) pass->orientation[k][i] = pass->turned[k][i];
    double inertia = inertia_of(all, mass[i], from->radius, i), turn = stays ? 0.0 : 0.5 * h / inertia,
           turning = 0.0;
    for (int k = pass->method->dimension == 2 ? 2 : 0; k < 3; k++) {
      double spin = pass->spin[k][i] = from->spin[k] + turn * acting.torque[k];
      turning += spin * spin;
    }
    energy[i - begin] += 0.5 * inertia * turning;
  }
}

/* As soon as a block's forces are complete. The sum is the kinetic energy. */
static void kick_block(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  const verlet_pass *pass = context;
  const inertias all = find_inertias(pass->method, pass->context->table);
  double energy[KICKED_AT_ONCE];
  for (int64_t from = begin; from < end; from += KICKED_AT_ONCE) {
    const int64_t to = end - from < KICKED_AT_ONCE ? end : from + KICKED_AT_ONCE;
    kick_some(pass, &all, from, to, energy);
    exact_add_all(sum, energy, to - from);
  }
}

/* Ghosts too: lists of them would be made. */
static floc_status refuse_unbounded(const verlet_pass *pass)
{
  const step_context *context = pass->context;
  EACH_SLOT(i, context->table) {
    const element *at = &pass->at[i];
    bool bounded = true;
    for (int k = 0; k < 3; k++)
      bounded &=
          fabs(at->velocity[k]) <= FARTHEST && fabs(at->position[k]) <= FARTHEST && fabs(at->spin[k]) <= FARTHEST;
    if (bounded) continue;
    return refuse(context->env, FLOC_NOT_A_NUMBER,
                  "particle %" PRId64 " reached position (%g, %g, %g), velocity (%g, %g, %g) in step %" PRId64
                  ": the time step %g may be too large for the stiffness",
                  context->table->id[i], at->position[0], at->position[1], at->position[2], at->velocity[0],
                  at->velocity[1], at->velocity[2], context->step + 1, context->time_step);
  }
  return FLOC_OK;
}

static evaluation make_evaluation(verlet_pass *pass, double increment, double time)
{
  discrete_element *method = pass->method;
  step_context *context = pass->context;
  evaluation run = {.method = method,
                    .context = context,
                    .increment = increment,
                    .time = time,
                    .time_step = context->time_step,
                    .at = pass->at,
                    .turned = pass->turned,
                    .moving = pass->free.of,
                    .pushes = method->pushes,
                    .may_exchange = method->options.contact_force == FLOC_CONTACT_FORCE_NONE,
                    .stiffness = pass->stiffness};
  run.pairs_from = run.pairs_to = element_memory(method, neighbors_pairs(context->near));
  run.walls_from = run.walls_to = element_memory(method, neighbors_walls(context->near));
  return run;
}

/* Of the forces of the step before (0), or of this one (1). */
static void ask_for_parts(const verlet_pass *pass, evaluation *run, int which)
{
  if (!pass->context->work) return;
  run->parts = pass->method->parts[which];
  run->wall_power = pass->method->wall_power[which];
}

/* Forces at the state before the step; what pairs remember is not touched. */
static floc_status first_forces(verlet_pass *pass)
{
  discrete_element *method = pass->method;
  step_context *context = pass->context;
  int64_t count = context->table->count;
  element_load(method, context->table, pass->at);
  EACH_SLOT(i, context->table)
    pass->reach[i] =
        method->options.bond_law == FLOC_BOND_PERSISTENT ? method->options.bond_breaking * pass->at[i].radius : 0.0;
  floc_status status = element_update_neighbors(method, context, pass->reach);
  if (status != FLOC_OK) return status;
  evaluation run = make_evaluation(pass, 0.0, context->time);
  run.pairs_to = run.walls_to = (memory_view){.bond = NULL};
  run.turned = NULL;
  element_free_start(context, &pass->free);
  ask_for_parts(pass, &run, 0);
  method->parts_count = 0;
  status = element_prepare(&run);
  if (status != FLOC_OK) return status;
  method->push_count = 0;
  element_act(&run);
  status = element_check_centres(context, run.overlap);
  if (status == FLOC_OK) status = element_free_first(&run, &pass->free);
  if (status == FLOC_OK) method->push_count = count;
  if (status == FLOC_OK && run.parts) method->parts_count = count;
  return status;
}

/* The other half of the drift, after the bath. The value is 1 if a number is beyond all bounds. */
static double drift_on_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const verlet_pass *pass = context;
  double way = 0.5 * pass->context->time_step;
  bool bounded = true;
  for (int64_t i = begin; i < end; i++) {
    element *to = &pass->at[i];
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
      to->position[k] += way * to->velocity[k];
      square += to->velocity[k] * to->velocity[k];
      bounded &= (fabs(to->velocity[k]) <= FARTHEST) & (fabs(to->position[k]) <= FARTHEST);
    }
    pass->reach[i] += way * sqrt(square);
    if (pass->oriented > 0) turn_on(pass, i, way, pass->turned);
  }
  return bounded ? 0.0 : 1.0;
}

/* Ghosts too: forces on owned particles need where they are in the middle of the step. */
static floc_status drift_all(verlet_pass *pass, block_value part)
{
  step_context *context = pass->context;
  double unbounded = slots_max(context->env, context->table, PARALLEL_BLOCK, 0.0, part, pass);
  return unbounded == 0.0 ? FLOC_OK : refuse_unbounded(pass);
}

static floc_status bathe(verlet_pass *pass)
{
  step_context *context = pass->context;
  double before = context->work ? element_parts_kinetic(pass->method, context, pass->at) : 0.0;
  floc_status status = element_bathe(pass->method, context, context->time + 0.5 * context->time_step,
                                     context->time_step, 0, pass->at);
  if (context->work) context->work[LEDGER_FLOW] += element_parts_kinetic(pass->method, context, pass->at) - before;
  return status;
}

static floc_status drift(verlet_pass *pass)
{
  step_context *context = pass->context;
  floc_status status = drift_all(pass, drift_block);
  if (context->work)
    element_parts_work(pass->method, context, 0, pass->at, pass->external, 0.5 * context->time_step);
  if (status != FLOC_OK || !pass->bathes) return status;
  status = bathe(pass);
  return status == FLOC_OK ? drift_all(pass, drift_on_block) : status;
}

static void commit(verlet_pass *pass, const evaluation *run)
{
  step_context *context = pass->context;
  context->report->kinetic_energy = run->energy;
  if (context->work) {
    element_parts_work(pass->method, context, 1, pass->at, pass->external, 0.5 * context->time_step);
    element_parts_commit(pass->method, context->table->count);
  } else {
    pass->method->parts_count = 0;
  }
  element_push_bodies(run);
  bodies_commit(context->obstacles, context->time_step);
  context->report->kinetic_energy += element_free_arrive(pass->method, context, &pass->free);
  memcpy(context->contact_stress, run->stress, sizeof run->stress);
  element_finish(pass->method, context, run);
}

/* Working copies are kept from step to step: in large systems they are most of the scratch memory. */
floc_status element_reserve(discrete_element *method, size_t count)
{
  environment *env = method->env;
  floc_status status = array_reserve(env, (void **)&method->pushes, &method->push_capacity, count, sizeof(push));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&method->at, &method->at_capacity, count, sizeof(element));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&method->reach, &method->reach_capacity, count, sizeof(double));
  return status;
}

static bool knows_forces(const discrete_element *method, const step_context *context)
{
  return method->push_count == context->table->count && element_bodies_known(method, context->obstacles);
}

/* With the forces that their owners have found. */
static void kick_ghosts(const verlet_pass *pass)
{
  const inertias all = find_inertias(pass->method, pass->context->table);
  double energy;
  EACH_SLOT(i, pass->context->table)
    if (particles_is_ghost(pass->context->table, i)) kick_some(pass, &all, i, i + 1, &energy);
}

static floc_status share_forces(const verlet_pass *pass)
{
  const step_ranks *ranks = pass->context->ranks;
  if (!ranks) return FLOC_OK;
  floc_status status = ranks->share(ranks->context, (double *)(void *)pass->method->pushes, PUSH_NUMBERS);
  if (status == FLOC_OK) kick_ghosts(pass);
  return status;
}

floc_status element_try_drift(discrete_element *method, step_context *context)
{
  verlet_pass pass = {.method = method, .context = context, .bathes = laws_have_bath(context->forces)};
  floc_status status = element_reserve(method, (size_t)context->table->count);
  pass.at = method->at;
  pass.reach = method->reach;
  pass.frozen = particles_frozen(context->table);
  element_spin_columns(method, context->table, pass.spin);
  return status == FLOC_OK ? drift(&pass) : status;
}

/* All that may fail, until forces at the end of the step can be found. */
static floc_status prepare_step(verlet_pass *pass, evaluation *run)
{
  discrete_element *method = pass->method;
  step_context *context = pass->context;
  int64_t count = context->table->count;
  floc_status status = element_reserve(method, (size_t)count);
  if (status == FLOC_OK && context->work) status = element_parts_reserve(method, count);
  if (status != FLOC_OK) return status;
  pass->at = method->at;
  pass->frozen = particles_frozen(context->table);
  pass->reach = method->reach;
  element_spin_columns(method, context->table, pass->spin);
  pass->oriented = element_orientation(method, context->table, pass->orientation);
  status = element_make_orientation(method, context, pass->turned);
  if (status == FLOC_OK && method->push_count == count)
    status = element_check_centres(context, context->report->overlap);
  if (status == FLOC_OK) status = bodies_prepare(context->obstacles, context->time, context->time_step);
  stage_done(context, STAGE_BODIES);
  if (status == FLOC_OK) status = element_external(context, context->time_step, &pass->external);
  if (status == FLOC_OK) status = element_stiffnesses(method, context, &pass->stiffness);
  if (status == FLOC_OK) status = element_free_begin(method, context, &pass->free);
  if (status == FLOC_OK && !knows_forces(method, context)) status = first_forces(pass);
  stage_done(context, STAGE_LAWS);
  pass->strain = context->time_step * domain_gradient_norm(context->box);
  if (status == FLOC_OK) status = element_free_drift(context, &pass->free);
  if (status == FLOC_OK) status = drift(pass);
  stage_done(context, STAGE_POSITIONS);
  if (status == FLOC_OK) stretch_reach(pass, count);
  if (status == FLOC_OK) status = element_update_neighbors(method, context, pass->reach);
  stage_done(context, STAGE_NEIGHBORS);
  if (status != FLOC_OK) return status;
  if (context->next_box) context->box = context->next_box;
  *run = make_evaluation(pass, context->time_step, context->time + context->time_step);
  ask_for_parts(pass, run, 1);
  status = element_prepare(run);
  stage_done(context, STAGE_LAWS);
  return status == FLOC_OK ? interruption_status(context->env) : status;
}

static floc_status advance(discrete_element *method, step_context *context)
{
  evaluation run;
  verlet_pass pass = {.method = method, .context = context, .bathes = laws_have_bath(context->forces)};
  floc_status status = prepare_step(&pass, &run);
  if (context->ranks) status = context->ranks->agree(context->ranks->context, status);
  if (status != FLOC_OK) return status;
  run.finish = kick_block;
  run.finish_context = &pass;
  element_act(&run);
  status = share_forces(&pass);
  if (status != FLOC_OK) return status;
  stage_done(context, STAGE_CONTACTS);
  commit(&pass, &run);
  stage_done(context, STAGE_POSITIONS);
  return FLOC_OK;
}

/* A step that failed behind its first forces finds them again when it is made again, and counts them then. */
floc_status element_step_verlet(discrete_element *method, step_context *context)
{
  const element_counters before = method->counters;
  const bool known = knows_forces(method, context);
  floc_status status = advance(method, context);
  if (status == FLOC_OK) return FLOC_OK;
  method->counters = before;
  if (!known) method->push_count = method->parts_count = 0;
  return status;
}
