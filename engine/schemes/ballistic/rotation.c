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
#include "schemes/aggregation/spins.h"
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

/* ---- inertia ---- */

void ballistic_find_spins(ballistic *state)
{
  for (int64_t k = 0; k < state->alive_count; k++) {
    int32_t number = state->alive[k];
    cluster_spin *spin = &state->set.spin[number];
    spin->velocity[0] = spin->velocity[1] = spin->velocity[2] = spin->radius = 0.0;
    if (state->set.body[number].count == 0 || is_zero(spin->momentum)) continue;
    cluster_spin_find_inertia(&state->set, number);
    cluster_spin_velocity(spin, spin->momentum, state->dimension, spin->velocity);
  }
}

double ballistic_spin_speed(const ballistic *state, int32_t number)
{
  const cluster_spin *spin = &state->set.spin[number];
  return state->set.body[number].count > 1 ? spin->radius * sqrt(vector_dot(spin->velocity, spin->velocity)) : 0.0;
}

double ballistic_spin_energy(const ballistic *state)
{
  double energy = 0.0;
  for (int64_t k = 0; k < state->alive_count; k++) {
    const cluster_spin *spin = &state->set.spin[state->alive[k]];
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
  const cluster_spin *spin = &state->set.spin[number];
  double omega[3] = {spin->velocity[0], spin->velocity[1], spin->velocity[2]};
  double size = sqrt(vector_dot(omega, omega)), half = 0.5 * time * size;
  for (int k = 0; k < MIDPOINT_ITERATIONS && state->dimension == 3; k++) {
    double turn = 2.0 * floc_atan(half), back[3], after[3], mean[3], next[3], change = 0.0;
    for (int axis = 0; axis < 3; axis++) back[axis] = size > 0.0 ? -turn * omega[axis] / size : 0.0;
    rotate_vector(back, spin->momentum, after);
    for (int axis = 0; axis < 3; axis++) mean[axis] = 0.5 * (spin->momentum[axis] + after[axis]);
    cluster_spin_velocity(spin, mean, 3, next);
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
  const cluster_spin *spin = &state->set.spin[number];
  for (int axis = 0; axis < set->dimension; axis++) {
    double room = set->box.upper[axis] - set->box.lower[axis], lower = INFINITY, upper = -INFINITY;
    if (set->box.boundary[axis] != FLOC_BOUNDARY_WALL || 2.0 * spin->radius <= room) continue;
    for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
      double arm[3], turned[3];
      cluster_arm(set, k, spin->center, arm);
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
  cluster_spin *spin = &state->set.spin[number];
  double angle[3];
  find_turn(state, number, time, angle);
  if (!fits(state, number, angle)) {
    for (int axis = 0; axis < 3; axis++) spin->momentum[axis] = -spin->momentum[axis];
    return;
  }
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    double arm[3], turned[3];
    cluster_arm(set, k, spin->center, arm);
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
    if (state->set.body[number].count > 1 && !is_zero(state->set.spin[number].velocity))
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
    const cluster_spin *spin = &state->set.spin[number];
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

void ballistic_write_spins(ballistic *state, particles *table)
{
  const cluster_set *set = &state->set;
  double *column[3];
  for (int axis = 0; axis < 3; axis++) column[axis] = particles_optional(table, OPTIONAL_wx + axis);
  for (int32_t k = 0; k < (int32_t)set->count; k++) {
    const cluster_spin *spin = &state->set.spin[set->member[k].cluster];
    double arm[3], around[3];
    cluster_arm(set, k, spin->center, arm);
    vector_cross(spin->velocity, arm, around);
    for (int axis = 0; axis < 3; axis++) {
      if (axis < set->dimension) table->column[VELOCITY[axis]][set->slot[k]] += around[axis];
      if (column[axis]) column[axis][set->slot[k]] = spin->velocity[axis];
    }
  }
  cluster_set_note(&state->set, table);
}
