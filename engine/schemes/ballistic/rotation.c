/*
 * Rotation of clusters about their centres, which Degond et al. 2024 describe in section 2 and omit.
 *
 * A cluster carries its angular momentum J about its centre of mass; the spheres (discs) take part with
 * their own moments of inertia, 2/5 m R^2 (1/2 m R^2). Free rotation keeps J and the energy J . I^-1 J / 2: in
 * the plane the turn is exact; in space it is the midpoint rule of the free rigid body (Lewis and Simo 1994, J.
 * Nonlinear Sci. 4, 253), a Cayley rotation by an angular velocity that makes both exact constants. At a merge J
 * is the sum of both and of the orbital part m_a m_b / (m_a + m_b) (x_a - x_b) x (v_a - v_b), (2.9) with the
 * correct cross product. A cluster that does not fit between two walls after a turn does not turn, and J changes
 * its sign. A cluster that reaches itself through periodic faces cannot turn: it gives J to the box.
 *
 * Places of members are cut by periodic faces, one by one; images put them together (aggregation/clusters.h).
 *
 * The table gets the velocities of members as they turn, and their angular velocities, so that a state that is
 * built from the table has the same angular momenta.
 *
 * Turning changes the places of all members, so a step with rotation costs the number of particles.
 */
#include "geometry/vector.h"
#include "schemes/ballistic/state.h"
#include "schemes/scheme.h"

#include <math.h>

static const particle_column VELOCITY[3] = {COLUMN_vx, COLUMN_vy, COLUMN_vz};

enum { MIDPOINT_ITERATIONS = 100 };

/* ---- vectors ---- */

static bool is_zero(const double a[3])
{
  return a[0] == 0.0 && a[1] == 0.0 && a[2] == 0.0;
}

/* Turns a vector by an angle vector. */
static void rotate_vector(const double angle[3], const double from[3], double to[3])
{
  double size = sqrt(vector_dot(angle, angle)), around[3], twice[3];
  for (int axis = 0; axis < 3; axis++) to[axis] = from[axis];
  if (size == 0.0) return;
  double unit[3] = {angle[0] / size, angle[1] / size, angle[2] / size};
  vector_cross(unit, from, around);
  vector_cross(unit, around, twice);
  for (int axis = 0; axis < 3; axis++)
    to[axis] += floc_sin(size) * around[axis] + (1.0 - floc_cos(size)) * twice[axis];
}

/* ---- places ---- */

static double own_inertia(const cluster_set *set, int32_t member)
{
  double radius = set->member[member].radius;
  return (set->dimension == 2 ? 0.5 : 0.4) * set->member[member].mass * radius * radius;
}

/* Relative to the cluster's offset, by the member's image. */
static void whole_place(const cluster_set *set, int32_t member, double place[3])
{
  for (int axis = 0; axis < 3; axis++)
    place[axis] = set->member[member].base[axis] + set->image[member][axis] * set->box.length[axis];
}

static void arm_of(const ballistic *state, int32_t member, const double center[3], double arm[3])
{
  whole_place(&state->set, member, arm);
  for (int axis = 0; axis < 3; axis++) arm[axis] -= center[axis];
}

void ballistic_align(ballistic *state, int32_t first, int32_t second)
{
  cluster_set *set = &state->set;
  int32_t a = set->member[first].cluster, b = set->member[second].cluster;
  double x[3], y[3];
  whole_place(set, first, x);
  whole_place(set, second, y);
  for (int axis = 0; axis < set->dimension; axis++) {
    double length = set->box.length[axis];
    if (length <= 0.0) continue;
    double apart = x[axis] + set->motion[a].offset[axis] - y[axis] - set->motion[b].offset[axis];
    int32_t turns = (int32_t)lround(apart / length);
    if (turns == 0) continue;
    if (a == b) {
      state->spin[a].endless = true;
      continue;
    }
    int32_t moved = cluster_larger(set, a, b) == a ? b : a, by = moved == b ? turns : -turns;
    for (int32_t k = set->body[moved].first; k != NO_MEMBER; k = set->member[k].next_in_cluster)
      set->image[k][axis] += by;
    state->spin[moved].center[axis] += by * length;
  }
  for (int axis = 0; axis < 3 && state->spin[a].endless; axis++) state->spin[a].momentum[axis] = 0.0;
}

void ballistic_join_spins(ballistic *state, int32_t kept, int32_t absorbed)
{
  const cluster_set *set = &state->set;
  const cluster_motion *a = &set->motion[kept], *b = &set->motion[absorbed];
  double mass_a = set->body[kept].mass, mass_b = set->body[absorbed].mass, mass = mass_a + mass_b;
  cluster_spin *spin = &state->spin[kept];
  const cluster_spin *other = &state->spin[absorbed];
  double distance[3], speed[3], orbit[3];
  for (int axis = 0; axis < 3; axis++) {
    distance[axis] = spin->center[axis] - (other->center[axis] + (b->offset[axis] - a->offset[axis]));
    speed[axis] = a->velocity[axis] - b->velocity[axis];
  }
  vector_cross(distance, speed, orbit);
  spin->endless = spin->endless || other->endless;
  for (int axis = 0; axis < 3; axis++) {
    spin->momentum[axis] += other->momentum[axis] + mass_a * mass_b / mass * orbit[axis];
    if (spin->endless) spin->momentum[axis] = 0.0;
    spin->center[axis] -= mass_b / mass * distance[axis];
  }
}

/* ---- inertia ---- */

static void find_center(ballistic *state, int32_t number)
{
  const cluster_set *set = &state->set;
  double *center = state->spin[number].center, place[3];
  center[0] = center[1] = center[2] = 0.0;
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    whole_place(set, k, place);
    for (int axis = 0; axis < 3; axis++) center[axis] += set->member[k].mass * place[axis];
  }
  for (int axis = 0; axis < 3; axis++) center[axis] /= set->body[number].mass;
}

static void find_inertia(ballistic *state, int32_t number)
{
  const cluster_set *set = &state->set;
  cluster_spin *spin = &state->spin[number];
  find_center(state, number);
  spin->radius = 0.0;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) spin->tensor[row][column] = 0.0;
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    double arm[3], mass = set->member[k].mass, own = own_inertia(set, k);
    arm_of(state, k, spin->center, arm);
    double square = vector_dot(arm, arm);
    for (int row = 0; row < 3; row++) {
      spin->tensor[row][row] += mass * square + own;
      for (int column = 0; column < 3; column++) spin->tensor[row][column] -= mass * arm[row] * arm[column];
    }
    spin->radius = fmax(spin->radius, sqrt(square) + set->member[k].radius);
  }
}

/* I^-1 J; in the plane only the axis through it counts. */
static void angular_velocity(const cluster_spin *spin, const double momentum[3], int32_t dimension, double omega[3])
{
  const double(*t)[3] = spin->tensor;
  omega[0] = omega[1] = omega[2] = 0.0;
  if (dimension == 2) {
    omega[2] = momentum[2] / t[2][2];
    return;
  }
  double first[3], second[3], third[3];
  vector_cross(t[1], t[2], first); /* rows of the adjugate: the tensor is symmetric */
  vector_cross(t[2], t[0], second);
  vector_cross(t[0], t[1], third);
  double determinant = vector_dot(t[0], first);
  for (int axis = 0; axis < 3; axis++)
    omega[axis] =
        (first[axis] * momentum[0] + second[axis] * momentum[1] + third[axis] * momentum[2]) / determinant;
}

void ballistic_find_spins(ballistic *state)
{
  for (int64_t k = 0; k < state->alive_count; k++) {
    int32_t number = state->alive[k];
    cluster_spin *spin = &state->spin[number];
    spin->velocity[0] = spin->velocity[1] = spin->velocity[2] = spin->radius = 0.0;
    if (state->set.body[number].count == 0 || is_zero(spin->momentum)) continue;
    find_inertia(state, number);
    angular_velocity(spin, spin->momentum, state->dimension, spin->velocity);
  }
}

double ballistic_spin_speed(const ballistic *state, int32_t number)
{
  const cluster_spin *spin = &state->spin[number];
  return state->set.body[number].count > 1 ? spin->radius * sqrt(vector_dot(spin->velocity, spin->velocity)) : 0.0;
}

double ballistic_spin_energy(const ballistic *state)
{
  double energy = 0.0;
  for (int64_t k = 0; k < state->alive_count; k++) {
    const cluster_spin *spin = &state->spin[state->alive[k]];
    if (state->set.body[state->alive[k]].count > 0) energy += 0.5 * vector_dot(spin->velocity, spin->momentum);
  }
  return energy;
}

/* ---- turning ---- */

/* The angle vector of a turn in `time`. In space: omega = I^-1 (J + J') / 2 in the body's axes, where J' is J as
 * the body sees it after the Cayley rotation by omega; by iteration, which contracts for turns well below one
 * radian. */
static void find_turn(const ballistic *state, int32_t number, double time, double angle[3])
{
  const cluster_spin *spin = &state->spin[number];
  double omega[3] = {spin->velocity[0], spin->velocity[1], spin->velocity[2]};
  double size = sqrt(vector_dot(omega, omega)), half = 0.5 * time * size;
  for (int k = 0; k < MIDPOINT_ITERATIONS && state->dimension == 3; k++) {
    double turn = 2.0 * floc_atan(half), back[3], after[3], mean[3], next[3], change = 0.0;
    for (int axis = 0; axis < 3; axis++) back[axis] = size > 0.0 ? -turn * omega[axis] / size : 0.0;
    rotate_vector(back, spin->momentum, after);
    for (int axis = 0; axis < 3; axis++) mean[axis] = 0.5 * (spin->momentum[axis] + after[axis]);
    angular_velocity(spin, mean, 3, next);
    for (int axis = 0; axis < 3; axis++) {
      change = fmax(change, fabs(next[axis] - omega[axis]));
      omega[axis] = next[axis];
    }
    size = sqrt(vector_dot(omega, omega));
    half = 0.5 * time * size;
    if (change <= 1e-15 * size) break;
  }
  double turn = state->dimension == 2 ? 2.0 * half : 2.0 * floc_atan(half);
  for (int axis = 0; axis < 3; axis++) angle[axis] = size > 0.0 ? turn * omega[axis] / size : 0.0;
}

/* Would the cluster fit between the walls after the turn? */
static bool fits(const ballistic *state, int32_t number, const double angle[3])
{
  const cluster_set *set = &state->set;
  const cluster_spin *spin = &state->spin[number];
  for (int axis = 0; axis < set->dimension; axis++) {
    double room = set->box.upper[axis] - set->box.lower[axis], lower = INFINITY, upper = -INFINITY;
    if (set->box.boundary[axis] != FLOC_BOUNDARY_WALL || 2.0 * spin->radius <= room) continue;
    for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
      double arm[3], turned[3];
      arm_of(state, k, spin->center, arm);
      rotate_vector(angle, arm, turned);
      lower = fmin(lower, turned[axis] - set->member[k].radius);
      upper = fmax(upper, turned[axis] + set->member[k].radius);
    }
    if (upper - lower > room) return false;
  }
  return true;
}

static void turn_cluster(ballistic *state, int32_t number, double time)
{
  cluster_set *set = &state->set;
  cluster_spin *spin = &state->spin[number];
  double angle[3];
  find_turn(state, number, time, angle);
  if (!fits(state, number, angle)) {
    for (int axis = 0; axis < 3; axis++) spin->momentum[axis] = -spin->momentum[axis];
    return;
  }
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    double arm[3], turned[3];
    arm_of(state, k, spin->center, arm);
    rotate_vector(angle, arm, turned);
    for (int axis = 0; axis < set->dimension; axis++)
      set->member[k].base[axis] = spin->center[axis] + turned[axis] - set->image[k][axis] * set->box.length[axis];
  }
  set->motion[number].travelled += spin->radius * sqrt(vector_dot(angle, angle));
  cluster_find_box(set, number);
}

void ballistic_rotate(ballistic *state, double time)
{
  for (int64_t k = 0; k < state->alive_count; k++) {
    int32_t number = state->alive[k];
    if (state->set.body[number].count > 1 && !is_zero(state->spin[number].velocity))
      turn_cluster(state, number, time);
  }
}

static double shortest_period(const domain *box)
{
  double shortest = INFINITY;
  for (int axis = 0; axis < box->dimension; axis++)
    if (box->boundary[axis] == FLOC_BOUNDARY_PERIODIC) shortest = fmin(shortest, box->length[axis]);
  return shortest;
}

floc_status ballistic_renew_wide(ballistic *state)
{
  floc_status status = FLOC_OK;
  double shortest = shortest_period(&state->set.box);
  for (int64_t k = 0; k < state->alive_count && status == FLOC_OK; k++) {
    int32_t number = state->alive[k];
    const cluster_spin *spin = &state->spin[number];
    if (state->set.body[number].count > 1 && !is_zero(spin->velocity) && 2.0 * spin->radius >= shortest)
      status = ballistic_renew(state, number);
  }
  return status;
}

/* ---- the table ---- */

floc_status ballistic_add_columns(particles *table, int32_t dimension)
{
  return particles_need_rotation(table, dimension, true);
}

void ballistic_begin_spins(ballistic *state, const particles *table)
{
  for (int axis = state->dimension == 2 ? 2 : 0; axis < 3; axis++) {
    const double *spin = particles_optional(table, OPTIONAL_wx + axis);
    for (int32_t k = 0; k < (int32_t)state->set.count && spin; k++)
      state->spin[k].momentum[axis] = own_inertia(&state->set, k) * spin[state->set.slot[k]];
  }
  for (int64_t k = 0; k < state->set.count; k++)
    for (int axis = 0; axis < 3; axis++) state->spin[k].center[axis] = state->set.member[k].base[axis];
}

void ballistic_write_spins(ballistic *state, particles *table)
{
  const cluster_set *set = &state->set;
  double *column[3];
  for (int axis = 0; axis < 3; axis++) column[axis] = particles_optional(table, OPTIONAL_wx + axis);
  for (int32_t k = 0; k < (int32_t)set->count; k++) {
    const cluster_spin *spin = &state->spin[set->member[k].cluster];
    double arm[3], around[3];
    arm_of(state, k, spin->center, arm);
    vector_cross(spin->velocity, arm, around);
    for (int axis = 0; axis < 3; axis++) {
      if (axis < set->dimension) table->column[VELOCITY[axis]][set->slot[k]] += around[axis];
      if (column[axis]) column[axis][set->slot[k]] = spin->velocity[axis];
    }
  }
  cluster_set_note(&state->set, table);
}
