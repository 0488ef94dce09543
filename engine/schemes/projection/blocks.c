/*
 * The projection with friction, rotation and rigid assemblies. See projection/step.h.
 *
 * A free particle is a body with the inertia of a uniform ball (2/5 m r^2) or disc (1/2 m r^2). An assembly is
 * a body that gets from its members' V* what acts on them: M V* = M V + sum m_i (V*_i - u_i), and the moments
 * of the same about the members' common centre, so that a uniform acceleration turns nothing, and the torques on
 * members themselves (projection/spin.c). In space its angular velocity before contacts is the mean of a free step
 * with the angular momentum that it then has (rigid.h); contacts change both, and the angular velocity after the
 * step follows from the angular momentum, which is so kept to rounding.
 *
 * A member moves on an arc; its way in the step divided by h stands in the velocity columns, so that reach,
 * overlap and the check for lost particles are about where it really goes.
 *
 * Friction acts at the middle of the gap, so that a pair's angular momentum is kept exactly.
 */
#include "schemes/projection/step.h"

#include "base/threads/parallel.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { CONTACT_BLOCK = 512 };

bool block_step_is_needed(const projection_step *step)
{
  const floc_projection_options *options = &step->method->options;
  return options->friction > 0.0 || projection_has_moments(options) || step->context->assemblies->count > 0;
}

/* ---- bodies ---- */

static bool allocate(projection_step *step)
{
  arena *scratch = step->context->scratch;
  block_step *blocks = &step->blocks;
  size_t particle_count = (size_t)step->context->table->count, body_count = (size_t)blocks->body_count;
  int dimension = step->context->obstacles->dimension;
  size_t freedoms = (size_t)block_freedoms(dimension);
  blocks->arm = arena_allocate(scratch, 3 * particle_count, sizeof(double));
  blocks->inverse_mass = arena_allocate(scratch, body_count, sizeof(double));
  blocks->inverse_inertia = arena_allocate(scratch, (dimension == 2 ? 1 : 6) * body_count, sizeof(double));
  blocks->free_velocity = arena_allocate(scratch, freedoms * body_count, sizeof(double));
  blocks->velocity = arena_allocate(scratch, freedoms * body_count, sizeof(double));
  blocks->momentum = arena_allocate(scratch, 3 * (size_t)step->context->assemblies->count, sizeof(double));
  return blocks->arm && blocks->inverse_mass && blocks->inverse_inertia && blocks->free_velocity &&
         blocks->velocity && blocks->momentum;
}

/* Free particles first, in the order of slots, then assemblies. */
static floc_status number_bodies(projection_step *step)
{
  const particles *table = step->context->table;
  const rigid_assemblies *all = step->context->assemblies;
  block_step *blocks = &step->blocks;
  blocks->body = arena_allocate(step->context->scratch, (size_t)table->count, sizeof(int32_t));
  if (!blocks->body) return FLOC_OUT_OF_MEMORY;
  blocks->body_count = (int32_t)table->count;
  if (all->count == 0) {
    for (int64_t i = 0; i < table->count; i++) blocks->body[i] = (int32_t)i;
    return FLOC_OK;
  }
  int32_t free = 0;
  for (int64_t i = 0; i < table->count; i++) blocks->body[i] = rigid_owner(all, table->id[i]) < 0 ? free++ : -1;
  for (int64_t i = 0; i < table->count; i++)
    if (blocks->body[i] < 0) blocks->body[i] = free + rigid_owner(all, table->id[i]);
  blocks->body_count = free + all->count;
  return FLOC_OK;
}

static int64_t first_assembly(const projection_step *step)
{
  return step->blocks.body_count - step->context->assemblies->count;
}

/* spin: the columns of angular velocities by axis, NULL where there are none. */
static void set_free_particle(projection_step *step, double *const spin[3], int64_t i)
{
  const particles *table = step->context->table;
  block_step *blocks = &step->blocks;
  int dimension = step->context->obstacles->dimension, freedoms = block_freedoms(dimension);
  int64_t own = blocks->body[i];
  double radius = table->column[COLUMN_radius][i];
  double inverse = 0.0, *velocity = blocks->free_velocity + freedoms * own;
  if (step->method->turns) inverse = step->inverse_mass[i] / (spin_inertia_factor(step) * radius * radius);
  blocks->inverse_mass[own] = step->inverse_mass[i];
  if (dimension == 2) {
    blocks->inverse_inertia[own] = inverse;
  } else {
    for (int c = 0; c < 6; c++) blocks->inverse_inertia[6 * own + c] = c < 3 ? inverse : 0.0;
  }
  for (int axis = 0; axis < dimension; axis++) velocity[axis] = step->free_velocity[axis][i];
  for (int c = dimension; c < freedoms; c++) {
    int axis = dimension == 2 ? 2 : c - 3;
    velocity[c] = spin[axis] ? spin[axis][i] : 0.0;
    if (spin[axis] && step->turn[axis]) velocity[c] += step->turn[axis][i];
  }
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
    int64_t i = table->slot[member->id - 1];
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
  int dimension = context->obstacles->dimension, freedoms = block_freedoms(dimension);
  int64_t own = first_assembly(step) + number;
  double mean[3], inverse[6], linear[3], moment[3] = {0.0, 0.0, 0.0};
  set_arms(step, one, mean);
  memcpy(linear, one->velocity, sizeof linear);
  for (int32_t k = 0; k < one->member_count; k++) {
    int64_t i = table->slot[context->assemblies->member[one->first_member + k].id - 1];
    double kick[3] = {0.0, 0.0, 0.0}, arm[3], part[3];
    for (int axis = 0; axis < dimension; axis++)
      kick[axis] =
          table->column[COLUMN_mass][i] * (step->free_velocity[axis][i] - table->column[COLUMN_vx + axis][i]);
    vector_difference(step->blocks.arm + 3 * i, mean, arm);
    vector_cross(arm, kick, part);
    vector_add_scaled(linear, 1.0 / one->mass, kick, linear);
    vector_add_scaled(moment, 1.0, part, moment);
    double radius = table->column[COLUMN_radius][i];
    double inertia = spin_inertia_factor(step) * table->column[COLUMN_mass][i] * radius * radius;
    for (int axis = 0; axis < 3; axis++)
      if (step->turn[axis]) moment[axis] += inertia * step->turn[axis][i];
  }
  rigid_inverse_inertia(one, dimension, inverse);
  double *velocity = step->blocks.free_velocity + freedoms * own;
  step->blocks.inverse_mass[own] = 1.0 / one->mass;
  memcpy(velocity, linear, (size_t)dimension * sizeof(double));
  if (dimension == 2) {
    step->blocks.inverse_inertia[own] = inverse[2];
    velocity[2] = one->angular_velocity[2] + inverse[2] * moment[2];
    return;
  }
  memcpy(step->blocks.inverse_inertia + 6 * own, inverse, sizeof inverse);
  double *momentum = step->blocks.momentum + 3 * (int64_t)number;
  rigid_momentum_of(one, one->angular_velocity, momentum);
  vector_add_scaled(momentum, 1.0, moment, momentum);
  rigid_mean_spin(one, context->time_step, momentum, velocity + 3);
}

/* Linear and angular velocity of a body as vectors. */
static void read_velocity(const double *values, int32_t dimension, double linear[3], double spin[3])
{
  linear[2] = spin[0] = spin[1] = 0.0;
  memcpy(linear, values, (size_t)dimension * sizeof(double));
  if (dimension == 2)
    spin[2] = values[2];
  else
    memcpy(spin, values + 3, 3 * sizeof(double));
}

/* The members' ways in the step over h, from velocities of bodies. */
static void set_member_ways(projection_step *step, const double *velocity, double *const way[3])
{
  step_context *context = step->context;
  int dimension = context->obstacles->dimension;
  for (int32_t number = 0; number < context->assemblies->count; number++) {
    const rigid_assembly *one = &context->assemblies->assembly[number];
    double linear[3], spin[3], orientation[4];
    read_velocity(velocity + block_freedoms(dimension) * (first_assembly(step) + number), dimension, linear, spin);
    rigid_turned(one, dimension, context->time_step, spin, orientation);
    for (int32_t k = 0; k < one->member_count; k++) {
      const rigid_member *member = &context->assemblies->member[one->first_member + k];
      int64_t i = context->table->slot[member->id - 1];
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

static void set_particles(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const particle_call *call = context;
  for (int64_t i = begin; i < end; i++)
    if (call->step->blocks.body[i] < first_assembly(call->step)) set_free_particle(call->step, call->spin, i);
}

floc_status block_step_prepare(projection_step *step)
{
  const particles *table = step->context->table;
  floc_status status = number_bodies(step);
  if (status != FLOC_OK) return status;
  if (!allocate(step)) return FLOC_OUT_OF_MEMORY;
  particle_call call = {step, {NULL, NULL, NULL}};
  for (int axis = step->context->obstacles->dimension == 2 ? 2 : 0; axis < 3 && step->method->turns; axis++)
    call.spin[axis] = table->column[spin_column(table, axis)];
  parallel_for(step->context->env, table->count, PARALLEL_BLOCK, set_particles, &call);
  for (int32_t number = 0; number < step->context->assemblies->count; number++) set_assembly(step, number);
  set_member_ways(step, step->blocks.free_velocity, step->free_velocity);
  return FLOC_OK;
}

/* ---- the problem ---- */

typedef struct block_columns {
  int32_t *first, *second;
  double *normal, *arm_first, *arm_second, *surface, *friction, *impulse;
  double *rolling, *twisting, *spin; /* NULL: contacts have no moments */
  int32_t size;                      /* numbers of an impulse */
} block_columns;

static bool allocate_columns(arena *scratch, size_t count, size_t dimension, bool moments, block_columns *made)
{
  const size_t spins = dimension == 2 ? 1 : 3, size = dimension + (moments ? spins : 0);
  *made = (block_columns){.size = (int32_t)size};
  made->first = arena_allocate(scratch, count, sizeof(int32_t));
  made->second = arena_allocate(scratch, count, sizeof(int32_t));
  made->normal = arena_allocate(scratch, dimension * count, sizeof(double));
  made->arm_first = arena_allocate(scratch, dimension * count, sizeof(double));
  made->arm_second = arena_allocate(scratch, dimension * count, sizeof(double));
  made->surface = arena_allocate(scratch, dimension * count, sizeof(double));
  made->friction = arena_allocate(scratch, count, sizeof(double));
  made->impulse = arena_allocate(scratch, size * count, sizeof(double));
  if (moments) {
    made->rolling = arena_allocate(scratch, count, sizeof(double));
    made->twisting = arena_allocate(scratch, count, sizeof(double));
    made->spin = arena_allocate(scratch, spins * count, sizeof(double));
    if (!made->rolling || !made->twisting || !made->spin) return false;
  }
  return made->first && made->second && made->normal && made->arm_first && made->arm_second && made->surface &&
         made->friction && made->impulse;
}

/* Velocity of a wall along its surface where the particle touches it. */
static void surface_velocity(const projection_step *step, int64_t a, const double normal[3], double velocity[3])
{
  const step_context *context = step->context;
  const contact_set *set = &step->contacts;
  const body *wall = &context->obstacles->body[context->obstacles->world[set->shape[a]].body];
  double nearest[3];
  int64_t i = set->first[a];
  for (int axis = 0; axis < 3; axis++)
    nearest[axis] = context->table->column[COLUMN_x + axis][i] +
                    normal[axis] * (context->table->column[COLUMN_radius][i] + set->distance[a]);
  body_point_velocity(wall, context->obstacles->dimension, context->time_step, nearest, velocity);
  vector_add_scaled(velocity, -vector_dot(velocity, normal), normal, velocity);
}

/* Limits of moments, and the spin of a wall. */
static void fill_moment(const projection_step *step, int64_t a, const block_columns *made)
{
  const step_context *context = step->context;
  const contact_set *set = &step->contacts;
  const int dimension = context->obstacles->dimension, spins = dimension == 2 ? 1 : 3;
  double spin[3] = {0.0, 0.0, 0.0};
  if (set->second[a] < 0)
    body_mean_spin(&context->obstacles->body[context->obstacles->world[set->shape[a]].body], dimension,
                   context->time_step, spin);
  made->rolling[a] = step->method->options.rolling;
  made->twisting[a] = step->method->options.twisting;
  for (int c = 0; c < spins; c++) {
    int axis = 3 - spins + c;
    made->spin[spins * a + c] = spin[axis];
    made->impulse[made->size * a + dimension + c] = set->moment[axis][a];
  }
}

static void fill_contact(const projection_step *step, int64_t a, const block_columns *made)
{
  const contact_set *set = &step->contacts;
  const block_step *blocks = &step->blocks;
  const double *radius = step->context->table->column[COLUMN_radius];
  int dimension = set->problem.dimension;
  int32_t i = set->first[a], j = set->second[a];
  double normal[3] = {0.0, 0.0, 0.0}, surface[3] = {0.0, 0.0, 0.0}, half = j >= 0 ? 0.5 * set->distance[a] : 0.0;
  for (int axis = 0; axis < dimension; axis++) normal[axis] = set->normal[axis][a];
  made->first[a] = blocks->body[i];
  made->second[a] = j >= 0 ? blocks->body[j] : -1;
  made->friction[a] = step->method->options.friction;
  if (j < 0) surface_velocity(step, a, normal, surface);
  for (int axis = 0; axis < dimension; axis++) {
    int64_t at = dimension * a + axis;
    made->normal[at] = normal[axis];
    made->arm_first[at] = blocks->arm[3 * (int64_t)i + axis] + (radius[i] + half) * normal[axis];
    made->arm_second[at] = j >= 0 ? blocks->arm[3 * (int64_t)j + axis] - (radius[j] + half) * normal[axis] : 0.0;
    made->surface[at] = surface[axis];
    double tangent = set->tangent[axis] ? set->tangent[axis][a] : 0.0;
    made->impulse[made->size * a + axis] = set->impulse[a] * normal[axis] + tangent;
  }
  if (made->rolling) fill_moment(step, a, made);
  if (!set->tangent[0]) return;
  /* what the last step's direction has kept along the new normal is no friction */
  double along = vector_dot(
      normal, (const double[3]){set->tangent[0][a], set->tangent[1][a], dimension == 3 ? set->tangent[2][a] : 0.0});
  for (int axis = 0; axis < dimension; axis++) made->impulse[made->size * a + axis] -= along * normal[axis];
}

typedef struct column_call {
  projection_step *step;
  const block_columns *columns;
} column_call;

static void fill_contacts(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const column_call *call = context;
  for (int64_t a = begin; a < end; a++) fill_contact(call->step, a, call->columns);
}

static void take_impulses(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const column_call *call = context;
  contact_set *set = &call->step->contacts;
  int dimension = set->problem.dimension;
  for (int64_t a = begin; a < end; a++) {
    const double *P = call->columns->impulse + call->columns->size * a;
    double along = 0.0, across = 0.0;
    for (int axis = 0; axis < dimension; axis++) along += P[axis] * set->normal[axis][a];
    for (int axis = 0; axis < dimension && set->tangent[0]; axis++) {
      set->tangent[axis][a] = P[axis] - along * set->normal[axis][a];
      across += fabs(set->tangent[axis][a]);
    }
    /* at the bound the solver gives lo n: the product with n may miss it by rounding */
    bool bounded =
        across == 0.0 && isfinite(set->lower[a]) && fabs(along - set->lower[a]) <= 1e-15 * fabs(set->lower[a]);
    set->impulse[a] = bounded ? set->lower[a] : along;
    for (int c = dimension, axis = dimension == 2 ? 2 : 0; c < call->columns->size; c++, axis++)
      set->moment[axis][a] = P[c];
  }
}

static void take_velocities(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  projection_step *step = context;
  int dimension = step->contacts.problem.dimension, freedoms = block_freedoms(dimension);
  for (int64_t i = begin; i < end; i++)
    for (int axis = 0; axis < dimension; axis++)
      step->velocity[axis][i] = step->blocks.velocity[(int64_t)freedoms * step->blocks.body[i] + axis];
}

floc_status block_step_solve(projection_step *step, const contact_options *options)
{
  step_context *context = step->context;
  contact_set *set = &step->contacts;
  block_columns made;
  if (!allocate_columns(context->scratch, (size_t)set->count, (size_t)set->problem.dimension,
                        projection_has_moments(&step->method->options), &made))
    return FLOC_OUT_OF_MEMORY;
  column_call call = {step, &made};
  parallel_for(context->env, set->count, CONTACT_BLOCK, fill_contacts, &call);
  block_problem problem = {.dimension = set->problem.dimension,
                           .round = context->assemblies->count == 0,
                           .convex = step->method->options.friction_law == FLOC_FRICTION_LAW_CONVEX,
                           .time_step = context->time_step,
                           .body_count = step->blocks.body_count,
                           .inverse_mass = step->blocks.inverse_mass,
                           .inverse_inertia = step->blocks.inverse_inertia,
                           .free_velocity = step->blocks.free_velocity,
                           .contact_count = set->count,
                           .first = made.first,
                           .second = made.second,
                           .normal = made.normal,
                           .arm_first = made.arm_first,
                           .arm_second = made.arm_second,
                           .surface_velocity = made.surface,
                           .distance = set->problem.distance,
                           .lower = set->lower,
                           .friction = made.friction,
                           .rolling = made.rolling,
                           .twisting = set->problem.dimension == 3 ? made.twisting : NULL,
                           .surface_spin = made.spin};
  recorded_problem recorded = {.blocks = &problem, .options = options, .impulse = made.impulse};
  floc_status status = FLOC_OK;
  if (context->record_problem) status = context->record_problem(context->record_context, &recorded);
  if (status != FLOC_OK) return status;
  status = block_solve(context->env, context->scratch, &problem, options, made.impulse, step->blocks.velocity,
                       &step->solved);
  if (status != FLOC_OK) return status;
  parallel_for(context->env, set->count, CONTACT_BLOCK, take_impulses, &call);
  parallel_for(context->env, context->table->count, PARALLEL_BLOCK, take_velocities, step);
  set_member_ways(step, step->blocks.velocity, step->velocity);
  return FLOC_OK;
}

/* ---- commit ---- */

static double turn_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const projection_step *step = context;
  particles *table = step->context->table;
  int dimension = step->context->obstacles->dimension, freedoms = block_freedoms(dimension);
  int32_t angle = dimension == 2 ? particles_find_column(table, "angle") : -1;
  int32_t column[3] = {spin_column(table, 0), spin_column(table, 1), spin_column(table, 2)};
  double energy = 0.0;
  for (int64_t i = begin; i < end; i++) {
    int64_t own = step->blocks.body[i];
    if (own >= first_assembly(step)) continue;
    double linear[3], spin[3], radius = table->column[COLUMN_radius][i];
    read_velocity(step->blocks.velocity + freedoms * own, dimension, linear, spin);
    double inertia = spin_inertia_factor(step) * radius * radius;
    energy += 0.5 * table->column[COLUMN_mass][i] * (vector_dot(linear, linear) + inertia * vector_dot(spin, spin));
    if (!step->method->turns) continue;
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) table->column[column[axis]][i] = spin[axis];
    if (angle >= 0) table->column[angle][i] += step->context->time_step * spin[2];
  }
  return energy;
}

/* In space: what contacts add to the angular momentum is the inertia times what they add to the mean angular
 * velocity; the angular velocity at the new pose follows. */
static void turn_assembly(const projection_step *step, int32_t number, const double mean[3], rigid_assembly *one)
{
  const block_step *blocks = &step->blocks;
  int64_t own = first_assembly(step) + number;
  double free[3], linear[3], change[3], added[3], momentum[3], orientation[4];
  read_velocity(blocks->free_velocity + (int64_t)block_freedoms(3) * own, 3, linear, free);
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
  double orientation[4], spin[3], linear[3];
  read_velocity(step->blocks.velocity + block_freedoms(dimension) * (first_assembly(step) + number), dimension,
                linear, spin);
  for (int axis = 0; axis < dimension; axis++)
    one->position[axis] = domain_wrap(context->box, axis, one->position[axis] + context->time_step * linear[axis]);
  memcpy(one->velocity, linear, sizeof linear);
  if (dimension == 3) {
    turn_assembly(step, number, spin, one);
  } else {
    rigid_turned(one, 2, context->time_step, spin, orientation);
    memcpy(one->orientation, orientation, sizeof orientation);
    memcpy(one->angular_velocity, spin, sizeof spin);
    one->angle += context->time_step * spin[2];
  }
  rigid_place_members(context->assemblies, number, context->table, context->box);
}

double block_step_commit(projection_step *step)
{
  step_context *context = step->context;
  double energy = parallel_sum(context->env, context->table->count, PARALLEL_BLOCK, turn_block, step);
  for (int32_t number = 0; number < context->assemblies->count; number++) {
    move_assembly(step, number);
    energy += rigid_energy(&context->assemblies->assembly[number], context->obstacles->dimension);
  }
  return energy;
}
