/*
 * Rigid assemblies: making them, and the algebra of their motion. See rigid.h.
 *
 * Free rotation in space is the implicit midpoint rule with a Cayley turn (Lewis and Simo 1994, J. Nonlinear Sci.
 * 4, 253). In the assembly's axes, with angular momentum L at the step's start and L' at its end,
 *
 *   L' - L = h m x w,   m = (L + L')/2 = I w;   the frame turns by Cayley(h w) = (1 - h/2 [w])^-1 (1 + h/2 [w]).
 *
 * Both L.L and L.I^-1 L are quadratic, so the midpoint keeps them, and the turn is such that the angular momentum
 * in world axes stays as it is. That is why it is what a step is computed from: L is taken from pose and angular
 * velocity, torques and contacts add to it, and the angular velocity after the step follows from it at the new
 * pose.
 */
#include "geometry/rigid.h"

#include "base/fields.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SPIN_ITERATIONS = 60 };

static const double touching = 1e-6; /* overlap in radii up to which members count as apart */

void rigid_init(rigid_assemblies *all, environment *env, int32_t dimension)
{
  *all = (rigid_assemblies){.env = env, .dimension = dimension};
}

void rigid_free(rigid_assemblies *all)
{
  array_free(all->env, (void **)&all->assembly, &all->capacity, sizeof *all->assembly);
  array_free(all->env, (void **)&all->member, &all->member_capacity, sizeof *all->member);
  array_free(all->env, (void **)&all->owner, &all->owner_capacity, sizeof *all->owner);
  array_free(all->env, (void **)&all->staging, &all->staging_capacity, sizeof *all->staging);
}

floc_status rigid_reserve_owners(rigid_assemblies *all, int64_t id)
{
  return array_reserve(all->env, (void **)&all->owner, &all->owner_capacity, (size_t)id, sizeof *all->owner);
}

/* ---- what the host gives ---- */

static bool all_zero(const double *values, int count)
{
  for (int k = 0; k < count; k++)
    if (values[k] != 0.0) return false;
  return true;
}

static double determinant(const double I[6])
{
  return I[0] * (I[1] * I[2] - I[5] * I[5]) - I[3] * (I[3] * I[2] - I[5] * I[4]) +
         I[4] * (I[3] * I[5] - I[1] * I[4]);
}

floc_status rigid_check_inertia(environment *env, int32_t dimension, const double *inertia)
{
  if (all_zero(inertia, 6)) return FLOC_OK;
  if (dimension == 2) {
    if (inertia[2] > 0.0) return FLOC_OK;
    return refuse(env, FLOC_INVALID_ARGUMENT, "inertia[2] is %g; it must be above 0, or all six numbers 0",
                  inertia[2]);
  }
  if (inertia[0] > 0.0 && inertia[0] * inertia[1] > inertia[3] * inertia[3] && determinant(inertia) > 0.0)
    return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "inertia (%g, %g, %g, %g, %g, %g) is not positive definite", inertia[0],
                inertia[1], inertia[2], inertia[3], inertia[4], inertia[5]);
}

static floc_status check_options(environment *env, int32_t dimension, const floc_assembly_options *options)
{
  floc_status status = fields_check(env, &struct_assembly_options, options);
  return status == FLOC_OK ? rigid_check_inertia(env, dimension, options->inertia) : status;
}

/* Members in the order of ids: assemblies are small, so insertion sort will do. */
static floc_status take_members(rigid_assemblies *all, const particles *table, const int64_t *ids, int64_t count)
{
  rigid_member *member = all->member + all->member_count;
  for (int64_t k = 0; k < count; k++) {
    if (particles_find(table, ids[k]) < 0)
      return refuse(all->env, FLOC_INVALID_ARGUMENT,
                    "ids[%" PRId64 "] is %" PRId64 "; there are particles 1 to %" PRId64 "%s", k, ids[k],
                    table->last_id, particles_gaps_text(table));
    int32_t owner = rigid_owner(all, ids[k]);
    if (owner >= 0)
      return refuse(all->env, FLOC_ALREADY_EXISTS, "particle %" PRId64 " belongs to assembly %d already", ids[k],
                    owner);
    int64_t place = k;
    for (; place > 0 && member[place - 1].id >= ids[k]; place--) {
      if (member[place - 1].id == ids[k])
        return refuse(all->env, FLOC_INVALID_ARGUMENT, "particle %" PRId64 " is named twice", ids[k]);
      member[place] = member[place - 1];
    }
    member[place] = (rigid_member){.id = ids[k]};
  }
  return FLOC_OK;
}

/* ---- mass, centre, inertia ---- */

/* Positions of the members relative to the first, so that a periodic face does not cut the assembly. */
typedef struct member_table {
  int64_t count;
  double (*center)[3];
  double *radius, *mass;
  double total_mass;
} member_table;

static void read_members(const rigid_assemblies *all, const particles *table, const domain *box, member_table *made)
{
  const rigid_member *member = all->member + all->member_count;
  int64_t origin = particles_find(table, member[0].id);
  made->total_mass = 0.0;
  for (int64_t k = 0; k < made->count; k++) {
    int64_t slot = particles_find(table, member[k].id);
    for (int axis = 0; axis < 3; axis++) {
      double separation = table->column[COLUMN_x + axis][slot] - table->column[COLUMN_x + axis][origin];
      made->center[k][axis] = axis < all->dimension ? domain_shortest(box, axis, separation) : 0.0;
    }
    made->radius[k] = table->column[COLUMN_radius][slot];
    made->mass[k] = table->column[COLUMN_mass][slot];
    made->total_mass += made->mass[k];
  }
}

static bool members_overlap(const member_table *made)
{
  for (int64_t a = 0; a < made->count; a++)
    for (int64_t b = a + 1; b < made->count; b++) {
      double separation[3];
      vector_difference(made->center[b], made->center[a], separation);
      double overlap = made->radius[a] + made->radius[b] - vector_length(separation);
      if (overlap > touching * fmin(made->radius[a], made->radius[b])) return true;
    }
  return false;
}

/* Sums over balls that are apart, each with its own mass. */
static void sum_moments(int32_t dimension, const member_table *made, union_moments *sums)
{
  static const int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};
  *sums = (union_moments){0};
  for (int64_t k = 0; k < made->count; k++) {
    const double *c = made->center[k];
    /* of a ball about its own centre: the mean of x^2 is r^2/5, in a disc r^2/4 */
    double own = made->mass[k] * made->radius[k] * made->radius[k] / (dimension == 2 ? 4.0 : 5.0);
    sums->volume += made->mass[k];
    for (int axis = 0; axis < 3; axis++) sums->first[axis] += made->mass[k] * c[axis];
    for (int p = 0; p < 6; p++)
      sums->second[p] += made->mass[k] * c[first_of[p]] * c[second_of[p]] + (p < dimension ? own : 0.0);
  }
}

/* Centre and inertia for mass 1 from moments. */
void rigid_reduce_moments(const union_moments *sums, const double center[3], double inertia[6])
{
  static const int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};
  double second[6];
  for (int p = 0; p < 6; p++) {
    int a = first_of[p], b = second_of[p];
    second[p] = sums->second[p] / sums->volume - center[a] * sums->first[b] / sums->volume -
                center[b] * sums->first[a] / sums->volume + center[a] * center[b];
  }
  inertia[0] = second[1] + second[2];
  inertia[1] = second[0] + second[2];
  inertia[2] = second[0] + second[1];
  for (int p = 3; p < 6; p++) inertia[p] = -second[p];
}

static floc_status weigh(rigid_assemblies *all, const floc_assembly_options *options, const member_table *made,
                         const double origin[3], rigid_assembly *one)
{
  union_moments sums;
  bool needs_sums = !options->center_is_given || all_zero(options->inertia, 6);
  if (needs_sums && members_overlap(made)) {
    floc_status status = union_integrate(all->env, all->dimension, made->count, (const double(*)[3])made->center,
                                         made->radius, &sums);
    if (status != FLOC_OK) return status;
  } else {
    sum_moments(all->dimension, made, &sums);
  }
  double center[3];
  for (int axis = 0; axis < 3; axis++) {
    center[axis] = options->center_is_given ? options->center[axis] - origin[axis] : sums.first[axis] / sums.volume;
    if (axis >= all->dimension) center[axis] = 0.0;
    one->position[axis] = origin[axis] + center[axis];
  }
  one->mass = options->mass > 0.0 ? options->mass : made->total_mass;
  if (all_zero(options->inertia, 6)) {
    rigid_reduce_moments(&sums, center, one->inertia);
    for (int p = 0; p < 6; p++) one->inertia[p] *= one->mass;
  } else {
    memcpy(one->inertia, options->inertia, sizeof one->inertia);
  }
  rigid_member *member = all->member + all->member_count;
  for (int64_t k = 0; k < made->count; k++) vector_difference(made->center[k], center, member[k].local);
  return FLOC_OK;
}

static void scale_masses(const rigid_assembly *one, const rigid_member *member, double total, particles *table)
{
  if (one->mass == total) return;
  for (int32_t k = 0; k < one->member_count; k++)
    table->column[COLUMN_mass][particles_find(table, member[k].id)] *= one->mass / total;
}

static floc_status make_assembly(rigid_assemblies *all, particles *table, const domain *box, int64_t count,
                                 const floc_assembly_options *options, member_table *made)
{
  read_members(all, table, box, made);
  rigid_assembly one = {.first_member = all->member_count, .member_count = (int32_t)count, .orientation = {1.0}};
  int64_t slot = particles_find(table, all->member[all->member_count].id);
  double origin[3];
  for (int axis = 0; axis < 3; axis++) origin[axis] = table->column[COLUMN_x + axis][slot];
  floc_status status = weigh(all, options, made, origin, &one);
  if (status != FLOC_OK) return status;
  for (int axis = 0; axis < all->dimension; axis++) {
    one.position[axis] = domain_wrap(box, axis, one.position[axis]);
    one.velocity[axis] = options->velocity[axis];
  }
  for (int axis = all->dimension == 2 ? 2 : 0; axis < 3; axis++)
    one.angular_velocity[axis] = options->angular_velocity[axis];
  scale_masses(&one, all->member + all->member_count, made->total_mass, table);
  all->assembly[all->count] = one;
  return FLOC_OK;
}

floc_status rigid_add(rigid_assemblies *all, particles *table, const domain *box, const int64_t *ids, int64_t count,
                      const floc_assembly_options *options, int32_t *number)
{
  environment *env = all->env;
  if (!ids || count < 1)
    return refuse(env, FLOC_INVALID_ARGUMENT, "count is %" PRId64 "; an assembly has 1 or more particles", count);
  if (count > table->count)
    return refuse(env, FLOC_INVALID_ARGUMENT, "count is %" PRId64 "; there are %" PRId64 " particles", count,
                  table->count);
  floc_status status = check_options(env, all->dimension, options);
  if (status == FLOC_OK)
    status =
        array_reserve(env, (void **)&all->assembly, &all->capacity, (size_t)all->count + 1, sizeof *all->assembly);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&all->member, &all->member_capacity, (size_t)(all->member_count + count),
                           sizeof *all->member);
  if (status == FLOC_OK) status = rigid_reserve_owners(all, table->count);
  if (status == FLOC_OK) status = take_members(all, table, ids, count);
  if (status != FLOC_OK) return status;
  size_t bytes = (size_t)count * 5 * sizeof(double);
  double *memory = memory_resize(env, NULL, 0, bytes);
  if (!memory) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  member_table made = {count, (double(*)[3])memory, memory + 3 * count, memory + 4 * count, 0.0};
  status = make_assembly(all, table, box, count, options, &made);
  memory_free(env, memory, bytes);
  if (status != FLOC_OK) return status;
  *number = all->count++;
  for (int64_t k = 0; k < count; k++) all->owner[all->member[all->member_count + k].id - 1] = all->count;
  all->member_count += count;
  rigid_place_members(all, *number, table, box);
  return FLOC_OK;
}

/* ---- motion ---- */

void rigid_arm(const double orientation[4], const rigid_member *member, double arm[3])
{
  double matrix[3][3];
  rotation_matrix(orientation, matrix);
  for (int axis = 0; axis < 3; axis++) arm[axis] = vector_dot(matrix[axis], member->local);
}

void rigid_turned(const rigid_assembly *one, int32_t dimension, double time_step, const double spin[3],
                  double orientation[4])
{
  if (dimension == 2) {
    const double total[3] = {0.0, 0.0, one->angle + time_step * spin[2]};
    rotation_from_vector(total, orientation);
    return;
  }
  double half = 0.5 * time_step;
  const double turn[4] = {1.0, half * spin[0], half * spin[1], half * spin[2]};
  rotation_compose(turn, one->orientation, orientation); /* normalises */
}

void rigid_symmetric_times(const double I[6], const double v[3], double result[3])
{
  result[0] = I[0] * v[0] + I[3] * v[1] + I[4] * v[2];
  result[1] = I[3] * v[0] + I[1] * v[1] + I[5] * v[2];
  result[2] = I[4] * v[0] + I[5] * v[1] + I[2] * v[2];
}

void rigid_inverse_inertia(const rigid_assembly *one, int32_t dimension, double inverse[6])
{
  memset(inverse, 0, 6 * sizeof *inverse);
  if (dimension == 2) {
    inverse[2] = 1.0 / one->inertia[2];
    return;
  }
  const double *I = one->inertia;
  double scale = 1.0 / determinant(I);
  const double own[3][3] = {{scale * (I[1] * I[2] - I[5] * I[5]), scale * (I[4] * I[5] - I[3] * I[2]),
                             scale * (I[3] * I[5] - I[4] * I[1])},
                            {scale * (I[4] * I[5] - I[3] * I[2]), scale * (I[0] * I[2] - I[4] * I[4]),
                             scale * (I[3] * I[4] - I[0] * I[5])},
                            {scale * (I[3] * I[5] - I[4] * I[1]), scale * (I[3] * I[4] - I[0] * I[5]),
                             scale * (I[0] * I[1] - I[3] * I[3])}};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double R[3][3];
  rotation_matrix(one->orientation, R);
  for (int p = 0; p < 6; p++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) inverse[p] += R[row[p]][a] * own[a][b] * R[column[p]][b];
}

/* ---- free rotation ---- */

/* Vectors in the assembly's axes, from world axes, and back. */
static void to_own(double R[3][3], const double v[3], double own[3])
{
  for (int a = 0; a < 3; a++) own[a] = R[0][a] * v[0] + R[1][a] * v[1] + R[2][a] * v[2];
}

static void to_world(double R[3][3], const double own[3], double v[3])
{
  for (int a = 0; a < 3; a++) v[a] = vector_dot(R[a], own);
}

void rigid_momentum_of(const rigid_assembly *one, const double spin[3], double momentum[3])
{
  double R[3][3], own[3], turning[3];
  rotation_matrix(one->orientation, R);
  to_own(R, spin, own);
  rigid_symmetric_times(one->inertia, own, turning);
  to_world(R, turning, momentum);
}

void rigid_spin_of(const rigid_assembly *one, const double momentum[3], double spin[3])
{
  double inverse[6], left[3], change[3];
  rigid_inverse_inertia(one, 3, inverse);
  rigid_symmetric_times(inverse, momentum, spin);
  /* the inverse is rounded once and used in many steps: without this the angular momentum would drift */
  rigid_momentum_of(one, spin, left);
  vector_difference(momentum, left, left);
  rigid_symmetric_times(inverse, left, change);
  vector_add_scaled(spin, 1.0, change, spin);
}

/* I w + h/2 w x I w - L, and its length. */
static double midpoint_residual(const double I[6], double half, const double start[3], const double spin[3],
                                double residual[3])
{
  double momentum[3], cross[3];
  rigid_symmetric_times(I, spin, momentum);
  vector_cross(spin, momentum, cross);
  for (int k = 0; k < 3; k++) residual[k] = momentum[k] + half * cross[k] - start[k];
  return vector_length(residual);
}

/* Newton's step from `spin`: the residual's derivative, by Cramer's rule. */
static void midpoint_change(const double I[6], double half, const double spin[3], const double residual[3],
                            double change[3])
{
  double momentum[3], J[3][3], cofactor[3]; /* J: by columns */
  rigid_symmetric_times(I, spin, momentum);
  for (int column = 0; column < 3; column++) {
    double unit[3] = {0.0, 0.0, 0.0}, own[3], one[3], two[3];
    unit[column] = 1.0;
    rigid_symmetric_times(I, unit, own);
    vector_cross(unit, momentum, one);
    vector_cross(spin, own, two);
    for (int k = 0; k < 3; k++) J[column][k] = own[k] + half * (one[k] + two[k]);
  }
  vector_cross(J[1], J[2], cofactor);
  double scale = 1.0 / vector_dot(J[0], cofactor);
  change[0] = scale * vector_dot(residual, cofactor);
  vector_cross(residual, J[2], cofactor);
  change[1] = scale * vector_dot(J[0], cofactor);
  vector_cross(J[1], residual, cofactor);
  change[2] = scale * vector_dot(J[0], cofactor);
}

/* Newton's method from `spin`, with steps that are halved until the residual falls, down to what rounding lets it.
 * Returns the residual. */
static double approach_midpoint(const double I[6], double half, const double start[3], double spin[3])
{
  double residual[3], size = midpoint_residual(I, half, start, spin, residual);
  for (int iteration = 0; iteration < SPIN_ITERATIONS && size > 0.0; iteration++) {
    double change[3], next[3], left[3], reached = INFINITY;
    midpoint_change(I, half, spin, residual, change);
    for (double part = 1.0; !(reached < size); part *= 0.5) {
      if (!(part * vector_length(change) > 1e-17 * vector_length(spin))) return size;
      vector_add_scaled(spin, -part, change, next);
      reached = midpoint_residual(I, half, start, next, left);
    }
    size = reached;
    memcpy(spin, next, sizeof next);
    memcpy(residual, left, sizeof left);
  }
  return size;
}

/* Solves the midpoint rule for the mean angular velocity, in the assembly's axes, from that at the start. Where a
 * step turns by more than two radians Newton's method may be caught, and begins again from one of the axes. */
static void solve_midpoint(const double I[6], double half, const double start[3], double spin[3])
{
  double speed = vector_length(spin), solved = 1e-13 * vector_length(start);
  double size = approach_midpoint(I, half, start, spin);
  for (int attempt = 0; attempt < 6 && !(size <= solved); attempt++) {
    for (int axis = 0; axis < 3; axis++) spin[axis] = axis == attempt % 3 ? (attempt < 3 ? speed : -speed) : 0.0;
    size = approach_midpoint(I, half, start, spin);
  }
}

void rigid_mean_spin(const rigid_assembly *one, double time_step, const double momentum[3], double spin[3])
{
  double R[3][3], start[3], own[3];
  rotation_matrix(one->orientation, R);
  to_own(R, momentum, start);
  rigid_spin_of(one, momentum, spin);
  to_own(R, spin, own);
  solve_midpoint(one->inertia, 0.5 * time_step, start, own);
  to_world(R, own, spin);
}

double rigid_energy(const rigid_assembly *one, int32_t dimension)
{
  double energy = 0.5 * one->mass * vector_dot(one->velocity, one->velocity);
  if (dimension == 2) return energy + 0.5 * one->inertia[2] * one->angular_velocity[2] * one->angular_velocity[2];
  double R[3][3], own[3], momentum[3];
  rotation_matrix(one->orientation, R);
  to_own(R, one->angular_velocity, own);
  rigid_symmetric_times(one->inertia, own, momentum);
  return energy + 0.5 * vector_dot(own, momentum);
}

void rigid_place_members(const rigid_assemblies *all, int32_t number, particles *table, const domain *box)
{
  const rigid_assembly *one = &all->assembly[number];
  double *spin[3], *angle = particles_optional(table, OPTIONAL_angle);
  for (int axis = 0; axis < 3; axis++) spin[axis] = particles_optional(table, OPTIONAL_wx + axis);
  for (int32_t k = 0; k < one->member_count; k++) {
    const rigid_member *member = &all->member[one->first_member + k];
    int64_t slot = particles_find(table, member->id);
    double arm[3], turning[3];
    rigid_arm(one->orientation, member, arm);
    vector_cross(one->angular_velocity, arm, turning);
    for (int axis = 0; axis < all->dimension; axis++) {
      table->column[COLUMN_x + axis][slot] = domain_wrap(box, axis, one->position[axis] + arm[axis]);
      table->column[COLUMN_vx + axis][slot] = one->velocity[axis] + turning[axis];
    }
    for (int axis = 0; axis < 3; axis++)
      if (spin[axis]) spin[axis][slot] = one->angular_velocity[axis];
    if (angle && all->dimension == 2) angle[slot] = one->angle;
  }
}
