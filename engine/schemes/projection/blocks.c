/*
 * The projection with friction, rotation and rigid assemblies. See projection/step.h.
 *
 * A free particle is a body with its own inertia, or that of a uniform ball (2/5 m r^2) or disc (1/2 m r^2). An
 * assembly is a body that gets from its members' V* what acts on them: M V* = M V + sum m_i (V*_i - u_i), and the
 * moments of the same about the members' common centre, so that a uniform acceleration turns nothing, and the
 * torques on members themselves (projection/spin.c). In space its angular velocity before contacts is the mean of a
 * free step with the angular momentum that it then has (rigid.h); contacts change both, and the angular velocity
 * after the step follows from the angular momentum, which is so kept to rounding.
 *
 * A member moves on an arc; its way in the step divided by h stands in the velocity columns, so that reach,
 * overlap and the check for lost particles are about where it really goes.
 *
 * Friction acts at the middle of the gap, so that a pair's angular momentum is kept exactly.
 */
#include "schemes/projection/step.h"

#include "base/threads/parallel.h"
#include "geometry/convex/solid_grain.h"
#include "geometry/joints.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"
#include "particles/owned.h"
#include "schemes/orientation.h"

#include <math.h>
#include <string.h>

enum { CONTACT_BLOCK = 512 };

bool block_step_is_needed(const projection_step *step)
{
  const floc_projection_options *options = &step->method->options;
  return options->friction > 0.0 || projection_has_moments(options) || step->has_shapes ||
         step->context->assemblies->count > 0 || bodies_free_count(step->context->obstacles) > 0 ||
         joints_present(step->context->obstacles) > 0;
}

static bool has_own_bodies(const projection_step *step)
{
  return step->context->assemblies->count > 0 || step->free.before;
}

/* ---- bodies ---- */

/* With assemblies or free bodies bodies have velocities of their own: those of particles are the members' ways. */
static bool allocate(projection_step *step)
{
  arena *scratch = step->context->scratch;
  block_step *blocks = &step->blocks;
  const int dimension = step->context->obstacles->dimension;
  const bool own = has_own_bodies(step);
  const size_t grains = (size_t)step->context->table->count;
  const size_t count = grains + (step->free.before ? (size_t)step->context->obstacles->count : 0);
  bool complete = true;
  blocks->tensors = dimension == 3 && (own || step->has_shapes);
  blocks->inverse_inertia = arena_allocate(scratch, (blocks->tensors ? 6 : 1) * count, sizeof(double));
  if (dimension == 3 && step->has_shapes) {
    blocks->grain_momentum = arena_allocate(scratch, 3 * grains, sizeof(double));
    complete = blocks->grain_momentum;
  }
  blocks->arm = own ? arena_allocate(scratch, 3 * grains, sizeof(double)) : NULL;
  blocks->count = (int64_t)count;
  blocks->momentum = arena_allocate(scratch, 3 * (size_t)step->context->assemblies->count, sizeof(double));
  blocks->inverse_mass = own ? arena_allocate(scratch, count, sizeof(double)) : step->inverse_mass;
  for (int axis = 0; axis < dimension; axis++) {
    blocks->free_velocity[axis] = own ? arena_allocate(scratch, count, sizeof(double)) : step->free_velocity[axis];
    blocks->velocity[axis] = own ? arena_allocate(scratch, count, sizeof(double)) : step->velocity[axis];
    complete = complete && blocks->free_velocity[axis] && blocks->velocity[axis];
  }
  for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) {
    blocks->free_spin[axis] = arena_allocate(scratch, count, sizeof(double));
    blocks->spin[axis] = arena_allocate(scratch, count, sizeof(double));
    complete = complete && blocks->free_spin[axis] && blocks->spin[axis];
  }
  return complete && blocks->inverse_inertia && blocks->inverse_mass && blocks->momentum && (blocks->arm || !own);
}

/* The slot of an assembly's first member, which is its number as a body. */
static int64_t slot_of(const projection_step *step, int32_t number)
{
  const rigid_assemblies *all = step->context->assemblies;
  return particles_find(step->context->table, all->member[all->assembly[number].first_member].id);
}

/* A particle's body is itself, or its assembly. */
static floc_status number_bodies(projection_step *step)
{
  const particles *table = step->context->table;
  const rigid_assemblies *all = step->context->assemblies;
  if (!has_own_bodies(step)) return FLOC_OK;
  step->blocks.body = arena_allocate(step->context->scratch, (size_t)table->count, sizeof(int32_t));
  if (!step->blocks.body) return FLOC_OUT_OF_MEMORY;
  EACH_SLOT(i, table) {
    int32_t owner = rigid_owner(all, table->id[i]);
    step->blocks.body[i] = (int32_t)(owner < 0 ? i : slot_of(step, owner));
  }
  return FLOC_OK;
}

static int32_t body_of(const projection_step *step, int64_t i)
{
  return step->blocks.body ? step->blocks.body[i] : (int32_t)i;
}

static bool is_member(const projection_step *step, int64_t i)
{
  return step->blocks.body && rigid_owner(step->context->assemblies, step->context->table->id[i]) >= 0;
}

void block_set_inverse_inertia(projection_step *step, int64_t own, const double tensor[6])
{
  const bool plane = step->context->obstacles->dimension == 2;
  if (!step->blocks.tensors)
    step->blocks.inverse_inertia[own] = tensor[plane ? 2 : 0];
  else
    memcpy(step->blocks.inverse_inertia + 6 * own, tensor, 6 * sizeof *tensor);
}

/* In space: one that is not round, like an assembly. A frozen one turns as it does. */
static void set_solid_grain(projection_step *step, int64_t i)
{
  double inverse[6] = {0.0}, spin[3], turn[3] = {0.0, 0.0, 0.0}, *momentum = step->blocks.grain_momentum + 3 * i;
  rigid_assembly one;
  solid_grain_read(step->context->table, i, &one);
  memcpy(spin, one.angular_velocity, sizeof spin);
  if (step->inverse_mass[i] > 0.0) {
    for (int axis = 0; axis < 3; axis++) turn[axis] = step->turn[axis] ? step->turn[axis][i] : 0.0;
    vector_add_scaled(one.angular_velocity, 1.0, turn, spin);
    rigid_momentum_of(&one, spin, momentum);
    rigid_mean_spin(&one, step->context->time_step, momentum, spin);
    rigid_inverse_inertia(&one, 3, inverse);
  }
  block_set_inverse_inertia(step, i, inverse);
  for (int axis = 0; axis < 3; axis++) step->blocks.free_spin[axis][i] = spin[axis];
}

static bool is_solid_grain(const projection_step *step, int64_t i)
{
  return step->blocks.grain_momentum && particles_is_tensor(step->context->table, 3, i);
}

/* spin: the columns of angular velocities by axis, NULL where there are none. */
static void set_free_particle(projection_step *step, double *const spin[3], int64_t i)
{
  block_step *blocks = &step->blocks;
  const int dimension = step->context->obstacles->dimension;
  const double radius = step->context->table->column[COLUMN_radius][i];
  if (is_solid_grain(step, i)) {
    set_solid_grain(step, i);
  } else {
    double inverse = 0.0;
    if (step->method->turns) inverse = step->inverse_mass[i] / (spin_inertia_factor(step, i) * radius * radius);
    block_set_inverse_inertia(step, i, (const double[6]){inverse, inverse, inverse});
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) {
      blocks->free_spin[axis][i] = spin[axis] ? spin[axis][i] : 0.0;
      if (spin[axis] && step->turn[axis]) blocks->free_spin[axis][i] += step->turn[axis][i];
    }
  }
  if (!blocks->body) return;
  blocks->inverse_mass[i] = step->inverse_mass[i];
  for (int axis = 0; axis < dimension; axis++) blocks->free_velocity[axis][i] = step->free_velocity[axis][i];
  memset(blocks->arm + 3 * i, 0, 3 * sizeof(double));
}

/* Arms of the members at the present pose, and their mean weighed by mass. */
static void set_arms(projection_step *step, const rigid_assembly *one, double mean[3])
{
  const particles *table = step->context->table;
  double mass = 0.0;
  mean[0] = mean[1] = mean[2] = 0.0;
  for (int32_t k = 0; k < one->member_count; k++) {
    const rigid_member *member = &step->context->assemblies->member[one->first_member + k];
    int64_t i = particles_find(table, member->id);
    double *arm = step->blocks.arm + 3 * i;
    rigid_arm(one->orientation, member, arm);
    vector_add_scaled(mean, table->column[COLUMN_mass][i], arm, mean);
    mass += table->column[COLUMN_mass][i];
  }
  for (int axis = 0; axis < 3; axis++) mean[axis] /= mass;
}

static void set_assembly(projection_step *step, int32_t number)
{
  step_context *context = step->context;
  const particles *table = context->table;
  const rigid_assembly *one = &context->assemblies->assembly[number];
  int dimension = context->obstacles->dimension;
  int64_t own = slot_of(step, number);
  double mean[3], inverse[6], linear[3], spin[3], moment[3] = {0.0, 0.0, 0.0};
  set_arms(step, one, mean);
  memcpy(linear, one->velocity, sizeof linear);
  for (int32_t k = 0; k < one->member_count; k++) {
    int64_t i = particles_find(table, context->assemblies->member[one->first_member + k].id);
    double kick[3] = {0.0, 0.0, 0.0}, arm[3], part[3];
    for (int axis = 0; axis < dimension; axis++)
      kick[axis] =
          table->column[COLUMN_mass][i] * (step->free_velocity[axis][i] - table->column[COLUMN_vx + axis][i]);
    vector_difference(step->blocks.arm + 3 * i, mean, arm);
    vector_cross(arm, kick, part);
    vector_add_scaled(linear, 1.0 / one->mass, kick, linear);
    vector_add_scaled(moment, 1.0, part, moment);
    double radius = table->column[COLUMN_radius][i];
    double inertia = spin_inertia_factor(step, i) * table->column[COLUMN_mass][i] * radius * radius;
    for (int axis = 0; axis < 3; axis++)
      if (step->turn[axis]) moment[axis] += inertia * step->turn[axis][i];
  }
  rigid_inverse_inertia(one, dimension, inverse);
  if (dimension == 2) {
    spin[2] = one->angular_velocity[2] + inverse[2] * moment[2];
  } else {
    double *momentum = step->blocks.momentum + 3 * (int64_t)number;
    rigid_momentum_of(one, one->angular_velocity, momentum);
    vector_add_scaled(momentum, 1.0, moment, momentum);
    rigid_mean_spin(one, context->time_step, momentum, spin);
  }
  step->blocks.inverse_mass[own] = 1.0 / one->mass;
  block_set_inverse_inertia(step, own, inverse);
  for (int axis = 0; axis < dimension; axis++) step->blocks.free_velocity[axis][own] = linear[axis];
  for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) step->blocks.free_spin[axis][own] = spin[axis];
}

/* Linear and angular velocity of a body as vectors. */
static void read_velocity(double *const velocity[3], double *const spin[3], int64_t own, double linear[3],
                          double omega[3])
{
  for (int axis = 0; axis < 3; axis++) {
    linear[axis] = velocity[axis] ? velocity[axis][own] : 0.0;
    omega[axis] = spin[axis] ? spin[axis][own] : 0.0;
  }
}

/* The members' ways in the step over h, from velocities of bodies. */
static void set_member_ways(projection_step *step, double *const velocity[3], double *const spins[3],
                            double *const way[3])
{
  step_context *context = step->context;
  int dimension = context->obstacles->dimension;
  for (int32_t number = 0; number < context->assemblies->count; number++) {
    const rigid_assembly *one = &context->assemblies->assembly[number];
    double linear[3], spin[3], orientation[4];
    read_velocity(velocity, spins, slot_of(step, number), linear, spin);
    rigid_turned(one, dimension, context->time_step, spin, orientation);
    for (int32_t k = 0; k < one->member_count; k++) {
      const rigid_member *member = &context->assemblies->member[one->first_member + k];
      int64_t i = particles_find(context->table, member->id);
      double arm[3];
      rigid_arm(orientation, member, arm);
      for (int axis = 0; axis < dimension; axis++)
        way[axis][i] = linear[axis] + (arm[axis] - step->blocks.arm[3 * i + axis]) / context->time_step;
    }
  }
}

typedef struct particle_call {
  projection_step *step;
  double *spin[3];
} particle_call;

/* The same without assemblies, column by column: all particles are bodies. */
static void set_all_free(const particle_call *call, int64_t begin, int64_t end)
{
  const projection_step *step = call->step;
  const block_step *blocks = &step->blocks;
  const particles *table = step->context->table;
  const double *radius = table->column[COLUMN_radius],
               uniform = step->context->obstacles->dimension == 2 ? 0.5 : 0.4;
  const bool own = particles_have_inertia(table);
  for (int64_t i = begin; i < end && !own; i++)
    blocks->inverse_inertia[i] = step->inverse_mass[i] / (uniform * radius[i] * radius[i]);
  for (int64_t i = begin; i < end && own; i++)
    blocks->inverse_inertia[i] = step->inverse_mass[i] / (spin_inertia_factor(step, i) * radius[i] * radius[i]);
  for (int axis = 0; axis < 3; axis++) {
    if (!blocks->free_spin[axis]) continue;
    memcpy(blocks->free_spin[axis] + begin, call->spin[axis] + begin, (size_t)(end - begin) * sizeof(double));
    for (int64_t i = begin; i < end && step->turn[axis]; i++) blocks->free_spin[axis][i] += step->turn[axis][i];
  }
}

static void set_particles(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const particle_call *call = context;
  if (!call->step->blocks.body && !call->step->blocks.tensors && call->step->method->turns) {
    set_all_free(call, begin, end);
    return;
  }
  for (int64_t i = begin; i < end; i++)
    if (!is_member(call->step, i)) set_free_particle(call->step, call->spin, i);
}

floc_status block_step_prepare(projection_step *step)
{
  const particles *table = step->context->table;
  floc_status status = number_bodies(step);
  if (status != FLOC_OK) return status;
  if (!allocate(step)) return FLOC_OUT_OF_MEMORY;
  particle_call call = {step, {NULL, NULL, NULL}};
  for (int axis = step->context->obstacles->dimension == 2 ? 2 : 0; axis < 3 && step->method->turns; axis++)
    call.spin[axis] = particles_optional(table, OPTIONAL_wx + axis);
  slots_for(step->context->env, table, PARALLEL_BLOCK, set_particles, &call);
  for (int32_t number = 0; number < step->context->assemblies->count; number++) set_assembly(step, number);
  status = free_prepare(step);
  if (status == FLOC_OK) status = joint_step_begin(step);
  if (status != FLOC_OK) return status;
  set_member_ways(step, step->blocks.free_velocity, step->blocks.free_spin, step->free_velocity);
  return FLOC_OK;
}

/* ---- the problem ---- */

/* Columns of contacts that only problems of bodies that rotate have. */
typedef struct block_columns {
  int32_t *first, *second; /* NULL: those of the set */
  double *arm_first[3], *arm_second[3];
} block_columns;

static bool allocate_columns(const projection_step *step, block_columns *made)
{
  arena *scratch = step->context->scratch;
  const size_t count = (size_t)step->contacts.count;
  const int arms = step->blocks.body || step->has_shapes ? step->context->obstacles->dimension : 1;
  bool complete = true;
  *made = (block_columns){0};
  if (step->blocks.body) {
    made->first = arena_allocate(scratch, count, sizeof(int32_t));
    made->second = arena_allocate(scratch, count, sizeof(int32_t));
    complete = made->first && made->second;
  }
  for (int axis = 0; axis < arms; axis++) {
    made->arm_first[axis] = arena_allocate(scratch, count, sizeof(double));
    made->arm_second[axis] = arena_allocate(scratch, count, sizeof(double));
    complete = complete && made->arm_first[axis] && made->arm_second[axis];
  }
  return complete;
}

/* Moment arms: friction acts at the middle of the gap. */
static void fill_arms(const projection_step *step, int64_t a, const block_columns *made)
{
  const contact_set *set = &step->contacts;
  const double *radius = step->context->table->column[COLUMN_radius], *arm = step->blocks.arm;
  const int64_t i = set->first[a], j = set->second[a];
  const int32_t free = free_body_of_contact(step, a);
  const double half = j >= 0 || free >= 0 ? 0.5 * set->distance[a] : 0.0;
  const double first = radius[i] + half, second = j >= 0 ? -(radius[j] + half) : 0.0;
  for (int axis = 0; axis < set->problem.dimension && set->feature; axis++) {
    made->arm_first[axis][a] = (arm ? arm[3 * i + axis] : 0.0) + set->arm_first[axis][a];
    made->arm_second[axis][a] = j >= 0 ? (arm ? arm[3 * j + axis] : 0.0) + set->arm_second[axis][a] : 0.0;
  }
  if (set->feature) return;
  if (!arm) {
    made->arm_first[0][a] = first;
    made->arm_second[0][a] = second;
    return;
  }
  double other[3] = {0.0, 0.0, 0.0};
  if (free >= 0) free_solver_arm(step, a, free, other);
  for (int axis = 0; axis < set->problem.dimension; axis++) {
    made->arm_first[axis][a] = arm[3 * i + axis] + first * set->normal[axis][a];
    made->arm_second[axis][a] = j >= 0 ? arm[3 * j + axis] + second * set->normal[axis][a] : other[axis];
  }
}

/* What the last step's direction has kept along the new normal is no friction. */
static void straighten(contact_set *set, int64_t a)
{
  double along = 0.0;
  for (int axis = 0; axis < set->problem.dimension; axis++) along += set->normal[axis][a] * set->tangent[axis][a];
  for (int axis = 0; axis < set->problem.dimension; axis++) set->tangent[axis][a] -= along * set->normal[axis][a];
}

typedef struct column_call {
  projection_step *step;
  const block_columns *columns;
} column_call;

static void fill_contacts(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const column_call *call = context;
  const block_columns *made = call->columns;
  contact_set *set = &call->step->contacts;
  for (int64_t a = begin; a < end; a++) {
    if (made->first) {
      made->first[a] = body_of(call->step, set->first[a]);
      const int32_t free = free_body_of_contact(call->step, a);
      made->second[a] = set->second[a] >= 0 ? body_of(call->step, set->second[a])
                        : free >= 0         ? (int32_t)free_number(call->step, free)
                                            : -1;
    }
    fill_arms(call->step, a, made);
    if (set->tangent[0]) straighten(set, a);
  }
}

floc_status block_step_fill(projection_step *step)
{
  step_context *context = step->context;
  const block_step *blocks = &step->blocks;
  contact_problem *problem = &step->contacts.problem;
  block_columns made;
  if (!allocate_columns(step, &made)) return FLOC_OUT_OF_MEMORY;
  column_call call = {step, &made};
  parallel_for(context->env, step->contacts.count, CONTACT_BLOCK, fill_contacts, &call);
  problem->round = problem->unsorted = false;
  if (made.first) {
    problem->unsorted = true;
    problem->first = made.first;
    problem->second = made.second;
  } else {
    problem->round = !step->has_shapes;
  }
  problem->body_count = blocks->count;
  problem->inverse_mass = blocks->inverse_mass;
  problem->inverse_inertia = blocks->inverse_inertia;
  problem->convex = step->method->options.friction_law == FLOC_FRICTION_LAW_CONVEX;
  for (int axis = 0; axis < 3; axis++) {
    problem->free_velocity[axis] = blocks->free_velocity[axis];
    problem->free_spin[axis] = blocks->free_spin[axis];
    problem->arm_first[axis] = made.arm_first[axis];
    problem->arm_second[axis] = made.arm_second[axis];
  }
  return touch_join(step);
}

void block_step_take(projection_step *step)
{
  const block_step *blocks = &step->blocks;
  if (!blocks->body) return;
  for (int axis = 0; axis < step->context->obstacles->dimension; axis++)
    slots_copy(step->context->env, step->context->table, blocks->velocity[axis], step->velocity[axis]);
  set_member_ways(step, blocks->velocity, blocks->spin, step->velocity);
}

/* ---- commit ---- */

enum { TURNED_AT_ONCE = 256 };

/* What turn_block() does, with the same bits, where all particles are bodies that rotate: column by column. */
static void turn_all_free(const projection_step *step, int64_t begin, int64_t end, exact_sum *energy)
{
  const particles *table = step->context->table;
  const double *mass = table->column[COLUMN_mass], *radius = table->column[COLUMN_radius];
  const bool plane = step->context->obstacles->dimension == 2;
  const bool own = particles_have_inertia(table);
  const double uniform = plane ? 0.5 : 0.4;
  for (int64_t from = begin; from < end; from += TURNED_AT_ONCE) {
    const int64_t count = end - from < TURNED_AT_ONCE ? end - from : TURNED_AT_ONCE;
    double linear[TURNED_AT_ONCE] = {0.0}, turning[TURNED_AT_ONCE] = {0.0};
    for (int axis = 0; axis < 3; axis++) {
      const double *velocity = step->blocks.velocity[axis], *spin = step->blocks.spin[axis];
      for (int64_t k = 0; k < count && velocity; k++) linear[k] += velocity[from + k] * velocity[from + k];
      if (!spin) continue;
      for (int64_t k = 0; k < count; k++) turning[k] += spin[from + k] * spin[from + k];
      memcpy(particles_optional(table, OPTIONAL_wx + axis) + from, spin + from, (size_t)count * sizeof *spin);
    }
    for (int64_t k = 0; k < count; k++) {
      const int64_t i = from + k;
      const double inertia = (own ? spin_inertia_factor(step, i) : uniform) * radius[i] * radius[i];
      exact_add(energy, 0.5 * mass[i] * (linear[k] + inertia * turning[k]));
    }
  }
  spin_turn_orientation(step, begin, end);
}

/* In space, as turn_assembly(). Returns the kinetic energy. */
static double turn_solid_grain(const projection_step *step, int64_t i, const double linear[3], const double mean[3])
{
  const block_step *blocks = &step->blocks;
  double change[3], momentum[3], orientation[4];
  rigid_assembly one;
  solid_grain_read(step->context->table, i, &one);
  memcpy(one.velocity, linear, sizeof one.velocity);
  for (int axis = 0; axis < 3; axis++) change[axis] = mean[axis] - blocks->free_spin[axis][i];
  rigid_momentum_of(&one, change, momentum);
  vector_add_scaled(momentum, 1.0, blocks->grain_momentum + 3 * i, momentum);
  rigid_turned(&one, 3, step->context->time_step, mean, orientation);
  memcpy(one.orientation, orientation, sizeof orientation);
  if (step->inverse_mass[i] > 0.0) rigid_spin_of(&one, momentum, one.angular_velocity);
  solid_grain_write(step->context->table, i, &one);
  return rigid_energy(&one, 3);
}

static void turn_block(void *context, int64_t begin, int64_t end, exact_sum *energy)
{
  const projection_step *step = context;
  if (!step->blocks.body && !step->blocks.tensors && step->method->turns) {
    turn_all_free(step, begin, end, energy);
    return;
  }
  particles *table = step->context->table;
  int dimension = step->context->obstacles->dimension;
  for (int64_t i = begin; i < end; i++) {
    if (is_member(step, i)) continue;
    double linear[3], spin[3], radius = table->column[COLUMN_radius][i];
    read_velocity(step->blocks.velocity, step->blocks.spin, i, linear, spin);
    if (is_solid_grain(step, i)) {
      exact_add(energy, turn_solid_grain(step, i, linear, spin));
      continue;
    }
    double inertia = spin_inertia_factor(step, i) * radius * radius;
    exact_add(energy, 0.5 * table->column[COLUMN_mass][i] *
                          (vector_dot(linear, linear) + inertia * vector_dot(spin, spin)));
    if (!step->method->turns) continue;
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++)
      table->column[table->optional[OPTIONAL_wx + axis]][i] = spin[axis];
    spin_turn_orientation(step, i, i + 1);
  }
}

/* In space: what contacts add to the angular momentum is the inertia times what they add to the mean angular
 * velocity; the angular velocity at the new pose follows. */
static void turn_assembly(const projection_step *step, int32_t number, const double mean[3], rigid_assembly *one)
{
  const block_step *blocks = &step->blocks;
  double free[3], linear[3], change[3], added[3], momentum[3], orientation[4];
  read_velocity(blocks->free_velocity, blocks->free_spin, slot_of(step, number), linear, free);
  vector_difference(mean, free, change);
  rigid_momentum_of(one, change, added);
  vector_add_scaled(blocks->momentum + 3 * (int64_t)number, 1.0, added, momentum);
  rigid_turned(one, 3, step->context->time_step, mean, orientation);
  memcpy(one->orientation, orientation, sizeof orientation);
  rigid_spin_of(one, momentum, one->angular_velocity);
}

static void move_assembly(projection_step *step, int32_t number)
{
  step_context *context = step->context;
  rigid_assembly *one = &context->assemblies->assembly[number];
  int dimension = context->obstacles->dimension;
  double orientation[4], spin[3], linear[3], before[4];
  read_velocity(step->blocks.velocity, step->blocks.spin, slot_of(step, number), linear, spin);
  for (int axis = 0; axis < dimension; axis++)
    one->position[axis] = domain_wrap(context->box, axis, one->position[axis] + context->time_step * linear[axis]);
  memcpy(one->velocity, linear, sizeof linear);
  memcpy(before, one->orientation, sizeof before);
  if (dimension == 3) {
    turn_assembly(step, number, spin, one);
  } else {
    rigid_turned(one, 2, context->time_step, spin, orientation);
    memcpy(one->orientation, orientation, sizeof orientation);
    memcpy(one->angular_velocity, spin, sizeof spin);
    one->angle += context->time_step * spin[2];
  }
  rigid_place_members(context->assemblies, number, context->table, context->box);
  if (dimension == 3) orientation_turn_members(context->assemblies, number, before, context->table);
}

double block_step_commit(projection_step *step)
{
  step_context *context = step->context;
  double energy = owned_sum(context->env, context->table, PARALLEL_BLOCK, turn_block, step);
  for (int32_t number = 0; number < context->assemblies->count; number++) {
    move_assembly(step, number);
    energy += rigid_energy(&context->assemblies->assembly[number], context->obstacles->dimension);
  }
  return energy;
}
