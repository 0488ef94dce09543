/*
 * One step of the velocity projection. See projection.h.
 *
 *   bodies go to their pose at t + h; V* = u + h f/m and drift, noise; contacts within reach; solve;
 *   q += h V; pair memory; forces on bodies.
 *
 * Reach. A pair that is left out of the problem must not be able to touch. Each particle gets a reach
 * s_i; pairs with D <= s_i + s_j and walls with D <= s_i enter the problem. After the solve h |V_i| <= s_i
 * is checked for every particle; where it fails the reach is raised, and if one of the contacts that it adds
 * would be violated (with friction or assemblies, by more than the tolerance) the problem is solved again. So no
 * contact can be missed, and one fast particle does not lengthen everybody's list (docs/schemes/inelastic.md).
 * Without walls only relative motion counts: then h |V_i| is replaced by (h |V_i - W(x_i)| + h |grad W| R_i)/(1 - h
 * |grad W|) with the affine field W that the crowd moves by (particles/affine.h), and the same guarantee follows.
 * Where a whole crowd goes many radii in a step, pairs are looked for along their ways instead
 * (projection/sweep.c).
 *
 * All scratch columns live in the step's arena. Nothing of the world changes before projection_commit().
 */
#include "schemes/projection/step.h"

#include "base/interruption.h"
#include "base/threads/parallel.h"
#include "domains/patches.h"
#include "geometry/vector.h"
#include "particles/owned.h"
#include "schemes/displacement.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LEVEL_ATTEMPT = 4, REACH_ATTEMPTS = 6, SWEEP_ATTEMPTS = 7 };

static const double reach_factor = 1.25;    /* of the distance that the a priori velocity gives */
static const double allowance = 0.25;       /* in radii, of a deviation in a sweep; as much again at each attempt */
static const double greatest_strain = 0.2;  /* of the common motion in a step; beyond it is not used */
static const double least_reach = 0.02;     /* in radii: resting particles start to move without a second solve */
static const double least_tolerance = 1e-9; /* in radii: what rounding of positions allows */
static const double small_island = 1e-3;    /* of the tolerance, where friction or assemblies are in it */
static const double free_part = 0.0025;     /* of a h^2, with free bodies: see choose_tolerance() */
static const double least_aim = 1e-12;      /* in radii: nothing depends on it that it is reached */

/* ---- reach ---- */

typedef struct reach_pass {
  projection_step *step;
  double *const *velocity;
  double *const *spin; /* of grains that are not round, whose corners it moves; NULL: all are */
  double factor;
} reach_pass;

/* Raises reach to factor times the way of a step, as far as it can bring a particle nearer to others; the
 * value is the number of particles that were raised. Nearly all are left alone, so the test is made on
 * squares. */
static inline double raise_range(const reach_pass *pass, int64_t begin, int64_t end, const int dimension)
{
  const projection_step *step = pass->step;
  const double *radius = step->context->table->column[COLUMN_radius];
  double *reach = step->reach, raised = 0.0;
  double h = step->context->time_step, strain = h * step->common.norm;
  for (int64_t i = begin; i < end; i++) {
    double square = h * h * projection_relative_square(step, pass->velocity, i, dimension);
    double allowed = reach[i] * (1.0 - strain) - strain * radius[i];
    if (allowed >= 0.0 && square <= allowed * allowed) continue;
    reach[i] = pass->factor * (sqrt(square) + strain * radius[i]) / (1.0 - strain);
    raised += 1.0;
  }
  return raised;
}

/* The same where grains are not round: a corner goes the chord of its turn farther than the centre. */
static double raise_turning(const reach_pass *pass, int64_t begin, int64_t end)
{
  const projection_step *step = pass->step;
  const particles *table = step->context->table;
  const double *radius = table->column[COLUMN_radius], h = step->context->time_step, strain = h * step->common.norm;
  const int dimension = step->context->obstacles->dimension;
  double raised = 0.0;
  for (int64_t i = begin; i < end; i++) {
    const double way = h * sqrt(projection_relative_square(step, pass->velocity, i, dimension)),
                 turn = h * projection_spin_length(pass->spin, i),
                 way_of_corners = grain_core_reach(table, i) * fmin(turn, 2.0);
    const double allowed = step->reach[i] * (1.0 - strain) - strain * radius[i];
    if (way + way_of_corners <= allowed) continue;
    step->reach[i] = pass->factor * (way + way_of_corners + strain * radius[i]) / (1.0 - strain);
    raised += 1.0;
  }
  return raised;
}

static double raise_reach_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const reach_pass *pass = context;
  if (pass->spin) return raise_turning(pass, begin, end);
  return pass->step->context->obstacles->dimension == 2 ? raise_range(pass, begin, end, 2)
                                                        : raise_range(pass, begin, end, 3);
}

static bool raise_reach(projection_step *step, double *const velocity[3], double *const spin[3], double factor)
{
  reach_pass pass = {step, velocity, step->has_shapes ? spin : NULL, factor};
  return slots_count(step->context->env, step->context->table, PARALLEL_BLOCK, raise_reach_block, &pass) > 0;
}

/* Reach that allows the velocities of an attempt; 0: those before the first. Returns whether it was too short. */
static bool follow(projection_step *step, double *const velocity[3], double *const spin[3], int attempt)
{
  bool raised = free_follow(step, attempt > 0);
  if (step->sweeps) return sweep_raise(step, velocity, spin, allowance * (1 + attempt)) || raised;
  return raise_reach(step, velocity, spin, attempt == 0 ? reach_factor : 2.0) || raised;
}

static floc_status update_neighbors(projection_step *step, bool *rebuilt)
{
  step_context *context = step->context;
  bool changed;
  if (step->sweeps) {
    if (rebuilt) *rebuilt = true;
    return sweep_update_neighbors(step);
  }
  bool first = !step->lists_are_of_now; /* particles stay where they are until commit() */
  step->lists_are_of_now = true;
  return (first ? neighbors_update : neighbors_update_reach)(context->near, context->table, context->obstacles,
                                                             context->box, step->reach, laws_range(context->forces),
                                                             rebuilt ? rebuilt : &changed);
}

static void velocity_of(void *context, int64_t slot, double vector[3])
{
  const step_context *step = context;
  for (int axis = 0; axis < step->obstacles->dimension; axis++)
    vector[axis] = step->table->column[COLUMN_vx + axis][slot];
}

/* Velocities are only as sure as the tolerance: what that lets them go must be covered as well. */
static double unsure_way(const projection_step *step)
{
  return 2.0 * step->method->options.tolerance;
}

static void least_reach_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  projection_step *step = context;
  const double *radius = step->context->table->column[COLUMN_radius], unsure = unsure_way(step);
  for (int64_t i = begin; i < end; i++) step->reach[i] = least_reach * radius[i] + unsure;
}

/* Of a box that moves: a pair through a face that moves is none by its particles' own velocities, but as one where
 * all velocities are about the flow. */
static affine_field flow_of_box(const domain *box)
{
  affine_field field = {.norm = domain_gradient_norm(box)};
  for (int axis = 0; axis < box->dimension; axis++) {
    if (box->length[axis] > 0.0) field.center[axis] = 0.5 * (box->lower[axis] + box->upper[axis]);
    field.gradient[axis][axis] = domain_strain_rate(box, axis);
  }
  field.gradient[domain_along(box)][domain_across(box)] = domain_shear_rate(box);
  return field;
}

static floc_status first_reach(projection_step *step)
{
  step_context *context = step->context;
  const particles *table = context->table;
  floc_status status = displacement_check(context, &table->column[COLUMN_vx], "its velocity before");
  if (status != FLOC_OK) return status;
  if (domain_moves(context->box)) {
    step->moves_in_common = true;
    step->common = flow_of_box(context->box);
  } else if (context->obstacles->shape_count == 0) {
    step->moves_in_common = affine_fit(table, context->box, velocity_of, context, &step->common);
    if (context->time_step * step->common.norm > greatest_strain) step->moves_in_common = false;
    if (!step->moves_in_common) step->common = (affine_field){.norm = 0.0};
  }
  step->sweeps = !domain_deforms(context->box) && sweep_is_needed(step); /* they know no images that move */
  status = step->sweeps ? sweep_begin(step, unsure_way(step)) : FLOC_OK;
  if (status != FLOC_OK) return status;
  slots_for(context->env, table, PARALLEL_BLOCK, least_reach_block, step);
  double *spin[3];
  projection_spins(table, spin);
  raise_reach(step, &table->column[COLUMN_vx], spin, reach_factor);
  if (step->sweeps && laws_range(context->forces) == 0.0)
    return FLOC_OK; /* nothing reads them before V* is known */
  return update_neighbors(step, NULL);
}

/* ---- a priori velocity and tolerance ---- */

static double acceleration_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const projection_step *step = context;
  double *const *column = step->context->table->column;
  double greatest = 0.0;
  for (int64_t i = begin; i < end; i++) {
    double square = 0.0;
    for (int axis = 0; axis < step->context->obstacles->dimension; axis++) {
      double change = step->free_velocity[axis][i] - column[COLUMN_vx + axis][i];
      square += change * change;
    }
    if (!(square <= greatest)) greatest = square;
  }
  return greatest;
}

static double free_speed_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const projection_step *step = context;
  double greatest = 0.0;
  for (int64_t i = begin; i < end; i++) {
    double square = 0.0;
    for (int axis = 0; axis < step->context->obstacles->dimension; axis++)
      square += step->free_velocity[axis][i] * step->free_velocity[axis][i];
    if (!(square <= greatest)) greatest = square;
  }
  return greatest;
}

static double greatest_of(projection_step *step, double (*block)(void *, int64_t, int64_t, int64_t))
{
  const step_context *context = step->context;
  return sqrt(owned_max(context->env, context->table, PARALLEL_BLOCK, 0.0, block, step));
}

/* Of the radii with the other sign, so that the greatest is the least. */
static double negative_radius_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const particles *table = context;
  double greatest = -INFINITY;
  for (int64_t i = begin; i < end; i++) greatest = fmax(greatest, -table->column[COLUMN_radius][i]);
  return greatest;
}

static double least_radius(const environment *env, particles *table)
{
  return -owned_max(env, table, PARALLEL_BLOCK, -INFINITY, negative_radius_block, table);
}

/* The least radius; without particles the size of the smallest free body. */
static double least_size(const projection_step *step)
{
  const bodies *obstacles = step->context->obstacles;
  double least = INFINITY;
  if (step->context->table->count > 0) return least_radius(step->context->env, step->context->table);
  for (int32_t k = 0; k < obstacles->count; k++)
    if (body_is_free(&obstacles->body[k])) least = fmin(least, obstacles->body[k].farthest);
  return least;
}

/* A rule's tolerance, if it is less than the one so far. */
static void tighten(projection_step *step, double tolerance, floc_tolerance_rule rule)
{
  if (!(tolerance > 0.0 && tolerance < step->tolerance)) return;
  step->tolerance = tolerance;
  step->tolerance_rule = rule;
}

/* Moments are as small against forces as their limits against radii: a tolerance that allows for friction may let a
 * pile roll as if nothing resisted. A limit of half a radius gets what friction has. */
static double moment_part(const projection *method, double radius)
{
  const double given[] = {method->options.rolling, method->options.twisting};
  double least = INFINITY;
  for (int k = 0; k < 2; k++) {
    const material_table *pairs = &method->pairs[k == 0 ? PAIR_ROLLING : PAIR_TWISTING];
    if (!material_is_uniform(pairs))
      least = fmin(least, material_least(pairs));
    else if (given[k] > 0.0)
      least = fmin(least, given[k]);
  }
  return fmax(0.01, fmin(0.1, 0.2 * least / radius));
}

/* The least of three lengths, a part of each of which results can bear (benchmarks/tolerance.lua derives the
 * parts).
 * - the least radius: overlap;
 * - a h^2, the displacement by which forces press a pair together in a step: contact forces are right only if the
 *   tolerance is small against it (docs/schemes/inelastic.md). Without friction they are unique, and cheap. With
 * friction single forces depend on history, and digits are dear; a tenth keeps mean forces on bodies within 1 %,
 * and small islands continue to a thousandth of that, where forces of single steps come right as well;
 * - V h, where a function gives velocities and nothing accelerates: a crowd's velocities come right to 0.5 % of V.
 *   A free body rests on all contacts between it and the ground: its velocity is wrong by the errors of a whole
 * column of them, and force and velocity are one. A quarter of a hundredth keeps the force on a lid of 1000 grain
 * masses on 25 layers within 1 % of its weight. Without inertia (first_order) no force follows from a change of
 * velocity, and a h^2 is left out. A given tolerance stands in its place; what is above the least of the two is not
 * settled (energy_fall).
 */
static void choose_tolerance(projection_step *step)
{
  const step_context *context = step->context;
  double radius = least_size(step), h = context->time_step;
  const floc_projection_options *options = &step->method->options;
  bool moments = projection_has_moments(options), rubs = options->friction > 0.0 || moments;
  double part = rubs ? 0.1 : 0.01;
  if (moments) part = moment_part(step->method, radius);
  if (step->free.before) part = fmin(part, free_part);
  step->tolerance = (rubs ? 1e-3 : 1e-4) * radius;
  step->tolerance_rule = FLOC_TOLERANCE_RADIUS;
  if (context->table->count == 0) /* free bodies alone */
    tighten(step, part * vector_length(context->gravity) * h * h, FLOC_TOLERANCE_ACCELERATION);
  if (!options->first_order)
    tighten(step, part * greatest_of(step, acceleration_block) * h, FLOC_TOLERANCE_ACCELERATION);
  if (laws_find_present(context->forces).a_priori)
    tighten(step, 1e-4 * greatest_of(step, free_speed_block) * h, FLOC_TOLERANCE_SPEED);
  step->tolerance = fmax(step->tolerance, least_tolerance * radius);
  step->settled = step->tolerance;
  step->aim = fmax(small_island * step->tolerance, least_aim * radius);
}

/* The residual of a contact at rest that does nothing is |a| h^2, what free fall adds to the velocity in a step,
 * over the step. A tolerance above it is met without contact forces: grains sink in and are thrown out later, while
 * all steps count as solved. Reported once. */
static void warn_of_free_fall(projection_step *step)
{
  const step_context *context = step->context;
  projection *method = step->method;
  const double h = context->time_step, given = method->options.tolerance,
               fall = vector_length(context->gravity) * h * h;
  if (method->warned_of_tolerance || !(fall > 0.0 && given > fall)) return;
  method->warned_of_tolerance = true;
  report_line(context->env, 1,
              "the tolerance %.4g is above %.4g, the gravity times the square of the time step %.4g: steps without "
              "contact forces count as solved, and what rests on others sinks in and is thrown out; less than a "
              "tenth of that is usual, 0 chooses it",
              given, fall, h);
}

/* A given one, or the chosen one. Problems that measure how far they are from settled need the chosen one as well.
 */
static void set_tolerance(projection_step *step)
{
  double given = step->method->options.tolerance;
  if (given == 0.0 || step->has_blocks) choose_tolerance(step);
  if (given == 0.0) return;
  warn_of_free_fall(step);
  step->settled = fmin(step->settled, given);
  step->tolerance = given;
  step->tolerance_rule = FLOC_TOLERANCE_GIVEN;
  step->aim = 0.0;
}

/* Forces of laws and rays, into the columns of forces; their torques, where anything turns. */
static floc_status apply_forces(projection_step *step)
{
  step_context *context = step->context;
  size_t count = (size_t)context->table->count;
  double *torque[3] = {NULL, NULL, NULL}; /* rays give all three */
  bool turns = step->turn[2] && (laws_have_torque(context->forces) || context->external_force);
  for (int axis = 0; axis < 3 && turns; axis++) {
    torque[axis] = arena_allocate(context->scratch, count, sizeof(double));
    if (!torque[axis]) return FLOC_OUT_OF_MEMORY;
    slots_clear(context->env, context->table, torque[axis]);
  }
  laws_moment moment = {.table = context->table,
                        .near = context->near,
                        .obstacles = context->obstacles,
                        .box = context->box,
                        .time = context->time,
                        .time_step = context->time_step,
                        .spin = {step->spin[0], step->spin[1], step->spin[2]},
                        .torque = {torque[0], torque[1], torque[2]},
                        .virial = domain_deforms(context->box) || context->next_box ? step->law_stress : NULL};
  floc_status status = laws_apply(context->forces, &moment, context->scratch);
  if (status != FLOC_OK) return status;
  if (context->external_force)
    context->external_force(context->external_context, context->table, context->time, context->time_step,
                            &context->table->column[COLUMN_fx], turns ? torque : NULL);
  if (context->obstacles->dimension == 2) torque[0] = torque[1] = NULL;
  if (turns) spin_add_torques(step, torque);
  spin_show_torques(step, torque);
  return FLOC_OK;
}

/* Without inertia velocities come from a function alone, and forces act only through it. */
static floc_status check_first_order(const projection_step *step)
{
  const step_context *context = step->context;
  if (!step->method->options.first_order) return FLOC_OK;
  if (!laws_find_present(context->forces).a_priori)
    return refuse(context->env, FLOC_WRONG_STATE, "the scheme first_order needs a priori velocities by a function");
  bool forced = laws_force_count(context->forces) > 0 || context->external_force;
  if (!forced || laws_a_priori_reads_forces(context->forces)) return FLOC_OK;
  return refuse(context->env, FLOC_NOT_SUPPORTED,
                "%s have no effect under the scheme first_order, whose velocity does not read fx, fy or fz; let it "
                "take them, for instance times a mobility",
                context->external_force ? "forces of rays" : "forces of laws");
}

/* A function that gives the velocities acts alone: forces that it does not read would be lost without a word. */
static floc_status check_forces_act(const projection_step *step)
{
  const step_context *context = step->context;
  if (!laws_find_present(context->forces).a_priori || laws_a_priori_reads_forces(context->forces)) return FLOC_OK;
  const particles *table = context->table;
  EACH_OWNED(i, table)
    for (int axis = 0; axis < context->obstacles->dimension; axis++)
      if (table->column[COLUMN_fx + axis][i] != 0.0)
        return refuse(
            context->env, FLOC_NOT_SUPPORTED,
            "a force of %g along %c on particle %" PRId64
            ", by laws or rays, has no effect: the a priori velocity is that of a function alone, and this one "
            "does not read fx, fy or fz; let it take them, for instance times time_step/mass",
            table->column[COLUMN_fx + axis][i], "xyz"[axis], table -> id[i]);
  return FLOC_OK;
}

/* Whatever has acted, they keep what they have. */
static void hold_frozen(projection_step *step)
{
  const particles *table = step->context->table;
  EACH_SLOT(i, table) {
    if (!step->frozen) break;
    for (int axis = 0; axis < 3 && step->frozen[i] != 0.0; axis++) {
      if (step->free_velocity[axis]) step->free_velocity[axis][i] = table->column[COLUMN_vx + axis][i];
      if (step->turn[axis]) step->turn[axis][i] = 0.0;
    }
  }
}

static floc_status free_velocities(projection_step *step)
{
  step_context *context = step->context;
  floc_status status = check_first_order(step);
  if (status == FLOC_OK) status = spin_prepare(step);
  if (status == FLOC_OK) status = apply_forces(step);
  if (status == FLOC_OK) status = check_forces_act(step);
  free_velocity_input input = {.gravity = {context->gravity[0], context->gravity[1], context->gravity[2]},
                               .time = context->time,
                               .time_step = context->time_step,
                               .step = context->step,
                               .seed = context->seed,
                               .spin = {step->spin[0], step->spin[1], step->spin[2]},
                               .turn = {step->turn[0], step->turn[1], step->turn[2]},
                               .held = step->held,
                               .box = context->box,
                               .inertia_factor = step->context->obstacles->dimension == 2 ? 0.5 : 0.4};
  if (status == FLOC_OK)
    status = laws_free_velocity(context->forces, context->table, &input, step->free_velocity, context->scratch);
  if (status == FLOC_OK) hold_frozen(step);
  if (status == FLOC_OK) status = displacement_check(context, step->free_velocity, "its a priori velocity");
  if (status != FLOC_OK) return status;
  set_tolerance(step);
  if (step->has_blocks) status = block_step_prepare(step);
  if (status != FLOC_OK) return status;
  return follow(step, step->free_velocity, step->blocks.free_spin, 0) || step->sweeps ? update_neighbors(step, NULL)
                                                                                      : FLOC_OK;
}

/* ---- contacts ---- */

/* What the attempt before has left in scratch memory is not needed, but for its impulses; contacts of free bodies
 * find theirs where they were. */
static floc_status begin_attempt(projection_step *step, contact_set *before)
{
  step_context *context = step->context;
  if (before->count == 0) {
    step->assembling = arena_here(context->scratch);
    return FLOC_OK;
  }
  if (step->free.before || step->joints) return FLOC_OK;
  floc_status status =
      contacts_keep(context->scratch, step->assembling, before, &step->method->kept, &step->method->kept_capacity);
  if (status == FLOC_OK) arena_return(context->scratch, step->assembling);
  return status;
}

static floc_status assemble(projection_step *step)
{
  contact_source source = projection_source(step);
  contact_set before = step->contacts; /* of the attempt before, if there was one */
  floc_status status = begin_attempt(step, &before);
  if (status == FLOC_OK) status = contacts_assemble(&source, &step->method->laws, &step->contacts);
  if (status != FLOC_OK) return status;
  contacts_carry_over(step->context->env, &before, &step->method->laws, &step->contacts);
  arena_release(step->context->scratch);
  array_free(step->context->env, &step->method->kept, &step->method->kept_capacity, 1);
  contact_problem *problem = &step->contacts.problem;
  problem->inverse_mass = step->inverse_mass;
  for (int axis = 0; axis < problem->dimension; axis++) problem->free_velocity[axis] = step->free_velocity[axis];
  return touch_find(step);
}

static floc_status record_problem(const projection_step *step, const contact_options *options,
                                  const contact_answer *guess)
{
  step_context *context = step->context;
  if (!context->record_problem) return FLOC_OK;
  if (step->joints)
    return refuse(context->env, FLOC_NOT_SUPPORTED,
                  "recording of contact problems is not supported with joints, whose impulses are no part of them");
  recorded_problem problem = {.problem = step->contacts.problem,
                              .options = *options,
                              .impulse = guess->impulse,
                              .tangent = {guess->tangent[0], guess->tangent[1], guess->tangent[2]},
                              .moment = {guess->moment[0], guess->moment[1], guess->moment[2]}};
  struct patch_place *patches = problem.problem.patches;
  floc_status status = patches ? patches_need(context->env, context->scratch, patches) : FLOC_OK;
  return status == FLOC_OK ? context->record_problem(context->record_context, &problem) : status;
}

static contact_answer answer_of(projection_step *step)
{
  const block_step *blocks = &step->blocks;
  const body_touches *touch = &step->touch;
  contact_answer answer = {.impulse = touch->joined ? touch->impulse : step->contacts.impulse};
  for (int axis = 0; axis < 3; axis++) {
    answer.tangent[axis] = touch->joined ? touch->tangent[axis] : step->contacts.tangent[axis];
    answer.moment[axis] = touch->joined ? touch->moment[axis] : step->contacts.moment[axis];
    answer.velocity[axis] = step->has_blocks ? blocks->velocity[axis] : step->velocity[axis];
    answer.spin[axis] = blocks->spin[axis];
  }
  return answer;
}

/* changed: contact_options. */
static floc_status solve_once(projection_step *step, const bool *changed)
{
  const floc_projection_options *chosen = &step->method->options;
  step_context *context = step->context;
  contact_options options = {.solver = chosen->solver,
                             .tolerance = step->tolerance,
                             .max_iterations = 1 + (chosen->max_iterations - 1) / (1 << 2 * step->failures),
                             .budget = chosen->budget,
                             .settled = step->settled,
                             .aim = step->aim,
                             .changed = changed};
  arena_mark here = arena_here(context->scratch);
  int32_t threads = context->env->threads;
  if (step->contacts.count < CONTACTS_WORTH_SHARING) context->env->threads = 1;
  floc_status status = step->has_blocks ? block_step_fill(step) : FLOC_OK;
  contact_answer answer = answer_of(step);
  if (status == FLOC_OK) status = record_problem(step, &options, &answer);
  if (status == FLOC_OK && step->joints)
    status = joint_contacts_solve(step, &options, &answer);
  else if (status == FLOC_OK)
    status =
        contact_solve(context->env, context->scratch, &step->contacts.problem, &options, &answer, &step->solved);
  step->failures += status == FLOC_OK && !step->solved.converged;
  step->unsolved = (unsolved_contacts){.worst = -1};
  if (status == FLOC_OK && !step->solved.converged)
    status =
        contact_find_unsolved(context->scratch, &step->contacts.problem, &answer, step->tolerance, &step->unsolved);
  if (status == FLOC_OK) touch_part(step);
  joint_contacts_forget(step);
  if (status == FLOC_OK && step->has_blocks) block_step_take(step);
  context->env->threads = threads;
  arena_return(context->scratch, here);
  return status;
}

/* Islands in which something rebounds are solved again, the others keep what they have. */
static floc_status solve(projection_step *step)
{
  floc_status status = solve_once(step, NULL);
  if (status != FLOC_OK || step->method->options.restitution == 0.0) return status;
  const contact_report first = step->solved;
  bool *rebounds;
  status = rebound_prepare(step, &rebounds);
  if (status != FLOC_OK || !rebounds) return status;
  status = solve_once(step, step->joints ? NULL : rebounds); /* joints carry a rebound anywhere */
  step->solved.iterations += first.iterations;
  step->solved.islands = first.islands;
  step->solved.energy_fall = fmax(step->solved.energy_fall, first.energy_fall);
  return status;
}

/* Everybody's reach becomes the longest of all. */
static void level_reach(projection_step *step)
{
  double longest = 0.0;
  EACH_SLOT(i, step->context->table) longest = fmax(longest, step->reach[i]);
  EACH_SLOT(i, step->context->table) step->reach[i] = longest;
}

/* The contacts were assembled again and have the impulses of the solution. Is it one of theirs as well? */
static bool solution_holds(const projection_step *step)
{
  int64_t active = 0;
  if (!step->solved.converged) return false;
  for (int64_t a = 0; a < step->contacts.count; a++) {
    if (!(projection_distance_after(step, a) >= -1.0001 * step->tolerance)) return false;
    active += step->contacts.impulse[a] != 0.0;
  }
  return touch_holds(step, &active) && active == step->solved.active;
}

/* The overlap that a contact may be left out for: with friction or assemblies, where solving again costs much, what
 * others may have as well. */
static double missed_margin(const projection_step *step)
{
  return step->has_blocks && !step->sweeps ? step->tolerance : 0.0;
}

/* Solves until no particle moves beyond its search radius. A solution that never settles (contacts that are
 * solved loosely throw particles about) is accepted as it is and counted as not converged: what was
 * missed is an overlap that the next step sees. With a budget nothing is counted. */
static floc_status solve_within_reach(projection_step *step)
{
  step_context *context = step->context;
  int64_t iterations = 0;
  for (int attempt = 1;; attempt++) {
    floc_status status = assemble(step);
    stage_done(context, STAGE_CONTACTS);
    if (status == FLOC_OK && attempt > 1 && step->sweeps && solution_holds(step)) return FLOC_OK;
    if (status == FLOC_OK) status = solve(step);
    stage_done(context, STAGE_SOLVE);
    iterations = step->solved.iterations += iterations;
    if (status != FLOC_OK) return status;
    slots_copy(context->env, context->table, step->reach, step->reach_before);
    if (!follow(step, step->velocity, step->blocks.spin, attempt)) return FLOC_OK;
    if (attempt == (step->sweeps ? SWEEP_ATTEMPTS : REACH_ATTEMPTS)) {
      step->solved.converged = step->method->options.budget > 0;
      return FLOC_OK;
    }
    if (attempt == LEVEL_ATTEMPT && !step->sweeps) level_reach(step);
    bool rebuilt, stands;
    status = update_neighbors(step, &rebuilt);
    if (status != FLOC_OK) return status;
    contact_source source = projection_source(step);
    stands = (!rebuilt || (step->has_shapes && !step->sweeps)) && !step->free.raised &&
             !contacts_are_missed(&source, &step->method->laws, step->reach_before, step->velocity,
                                  step->blocks.spin, missed_margin(step)) &&
             (!rebuilt || contacts_find_entries(&source, &step->contacts));
    stage_done(context, STAGE_NEIGHBORS);
    if (stands) return FLOC_OK;
  }
}

static floc_status solve_again(projection_step *step)
{
  stage_done(step->context, STAGE_CONTACTS);
  const floc_status status = solve_once(step, NULL);
  stage_done(step->context, STAGE_SOLVE);
  return status;
}

static floc_status follow_again(projection_step *step, bool *raised)
{
  *raised = follow(step, step->velocity, step->blocks.spin, 1);
  return *raised ? update_neighbors(step, NULL) : FLOC_OK;
}

/* ---- the step ---- */

static void inverse_mass_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  projection_step *step = context;
  const double *mass = step->context->table->column[COLUMN_mass];
  bool alike = step->method->options.first_order;
  for (int64_t i = begin; i < end; i++) step->inverse_mass[i] = alike ? 1.0 : 1.0 / mass[i];
  for (int64_t i = begin; step->frozen && i < end; i++)
    if (step->frozen[i] != 0.0) step->inverse_mass[i] = 0.0;
}

static bool allocate_columns(projection_step *step)
{
  arena *scratch = step->context->scratch;
  size_t count = (size_t)step->context->table->count;
  step->reach = arena_allocate(scratch, count, sizeof(double));
  step->inverse_mass = arena_allocate(scratch, count, sizeof(double));
  step->reach_before = arena_allocate(scratch, count, sizeof(double));
  bool complete = step->reach && step->inverse_mass && step->reach_before;
  for (int axis = 0; axis < step->context->obstacles->dimension; axis++) {
    step->free_velocity[axis] = arena_allocate(scratch, count, sizeof(double));
    step->velocity[axis] = arena_allocate(scratch, count, sizeof(double));
    complete = complete && step->free_velocity[axis] && step->velocity[axis];
  }
  if (complete) slots_for(step->context->env, step->context->table, PARALLEL_BLOCK, inverse_mass_block, step);
  return complete;
}

static floc_status run_stages(projection_step *step)
{
  step_context *context = step->context;
  floc_status status = growth_begin(step);
  if (status != FLOC_OK) return status;
  if (!allocate_columns(step)) return FLOC_OUT_OF_MEMORY;
  status = bodies_prepare(context->obstacles, context->time, context->time_step);
  stage_done(context, STAGE_BODIES);
  if (status == FLOC_OK && step->has_shapes)
    status = grain_cores_place(context->env, context->scratch, context->table, context->obstacles->dimension, NULL,
                               &step->cores);
  if (status == FLOC_OK) status = again_check(step);
  if (status == FLOC_OK) status = free_begin(step);
  if (status == FLOC_OK) status = first_reach(step);
  stage_done(context, STAGE_NEIGHBORS);
  if (status == FLOC_OK) status = free_velocities(step);
  stage_done(context, STAGE_LAWS);
  if (status == FLOC_OK) status = solve_within_reach(step);
  if (status == FLOC_OK && again_is_wanted(step)) status = again_solve(step, solve_again, follow_again);
  if (status == FLOC_OK) status = interruption_status(context->env);
  if (status == FLOC_OK) status = projection_commit(step);
  return status;
}

floc_status projection_advance(void *state, step_context *context)
{
  projection *method = state;
  floc_status status = projection_reserve_start(context->env, method, context->table->count);
  if (status != FLOC_OK) return status;
  projection_step step = {
      .method = method, .context = context, .start = method->start, .frozen = particles_frozen(context->table)};
  step.has_shapes = context->table->shapes.count > 0;
  step.has_blocks = block_step_is_needed(&step);
  status = run_stages(&step);
  if (status == FLOC_OK) {
    method->start_count = context->table->count;
    return FLOC_OK;
  }
  growth_revert(&step);
  bodies_revert(context->obstacles);
  return status;
}
