/*
 * Event-driven aggregation of clusters that rotate: impacts on rigid bodies, and what the table gets.
 *
 * Clusters turn freely between events (aggregation/turning.h), touch at times found by event_driven/contact_time.c,
 * and keep linear and angular momentum when they become one (aggregation/spins.h). An impact without friction acts
 * along the normal n at the point of contact; with a the arm of that point, it is
 *   P = (1 + e) v_n / (1/m_i + 1/m_j + (a_i x n) . I_i^-1 (a_i x n) + (a_j x n) . I_j^-1 (a_j x n)),
 * which is (2.6) where nothing turns. A wall is a body of infinite mass with e = 1: it keeps the energy, and the
 * cluster gets the angular momentum a x P.
 *
 * A change of motion costs the members of its clusters, because a cluster that turns moves all of them: there are
 * no promises and lists here.
 */
#include "geometry/vector.h"
#include "schemes/aggregation/spins.h"
#include "schemes/aggregation/turning.h"
#include "schemes/event_driven/state.h"

#include <math.h>
#include <string.h>

static const particle_column VELOCITY[3] = {COLUMN_vx, COLUMN_vy, COLUMN_vz};
static const particle_column POSITION[3] = {COLUMN_x, COLUMN_y, COLUMN_z};

/* ---- a point of a cluster that is settled at now ---- */

typedef struct lever {
  double arm[3], velocity[3];
} lever;

static lever lever_of(const cluster_set *set, int32_t member)
{
  int32_t number = set->member[member].cluster;
  const cluster_spin *spin = &set->spin[number];
  lever result;
  cluster_arm(set, member, spin->center, result.arm);
  vector_cross(spin->velocity, result.arm, result.velocity);
  for (int axis = 0; axis < 3; axis++) result.velocity[axis] += set->motion[number].velocity[axis];
  return result;
}

/* How easily an impulse along n on that arm turns the cluster: (a x n) . I^-1 (a x n). */
static double ease(const cluster_set *set, int32_t number, const double arm[3], const double normal[3])
{
  double torque[3], change[3];
  if (set->spin[number].endless) return 0.0;
  vector_cross(arm, normal, torque);
  cluster_spin_velocity(&set->spin[number], torque, set->dimension, change);
  return vector_dot(torque, change);
}

static void push_at(cluster_set *set, int32_t number, const double arm[3], const double normal[3], double impulse,
                    double velocity[3])
{
  double torque[3];
  cluster_spin *spin = &set->spin[number];
  vector_cross(arm, normal, torque);
  for (int axis = 0; axis < 3; axis++) {
    velocity[axis] = set->motion[number].velocity[axis] + impulse / set->body[number].mass * normal[axis];
    if (!spin->endless) spin->momentum[axis] += impulse * torque[axis];
  }
}

/* Puts a cluster into its places at now, with the angular velocity that it has there. */
static void settle(event_driven *state, int32_t number)
{
  cluster_settle(&state->set, number, state->now);
  cluster_turning_begin(&state->set, number);
}

/* ---- impacts ---- */

void rotation_reflect(event_driven *state, int32_t number, int axis, bool upper, double velocity[3])
{
  cluster_set *set = &state->set;
  int32_t member = event_wall_member(state, number, axis, upper);
  double normal[3] = {0.0, 0.0, 0.0};
  normal[axis] = upper ? -1.0 : 1.0;
  settle(state, number);
  const lever at = lever_of(set, member);
  double closing = -(vector_dot(at.velocity, normal) + vector_dot(set->frame_velocity, normal));
  double impulse = 2.0 * fmax(closing, 0.0) / (1.0 / set->body[number].mass + ease(set, number, at.arm, normal));
  push_at(set, number, at.arm, normal, impulse, velocity);
}

double rotation_normal_speed(event_driven *state, int32_t first, int32_t second, const double normal[3])
{
  settle(state, state->set.member[first].cluster);
  settle(state, state->set.member[second].cluster);
  const lever i = lever_of(&state->set, first), j = lever_of(&state->set, second);
  return vector_dot(normal, j.velocity) - vector_dot(normal, i.velocity);
}

/* A cluster that meets itself through a periodic face is turned only. */
void rotation_bounce(event_driven *state, int32_t first, int32_t second, const double normal[3], double impact,
                     double velocity_a[3], double velocity_b[3])
{
  cluster_set *set = &state->set;
  int32_t a = set->member[first].cluster, b = set->member[second].cluster;
  const lever i = lever_of(set, first), j = lever_of(set, second);
  const double back[3] = {-normal[0], -normal[1], -normal[2]};
  if (a == b) {
    double arm[3], unused[3];
    vector_difference(i.arm, j.arm, arm);
    push_at(set, a, arm, normal, impact / ease(set, a, arm, normal), unused);
    memcpy(velocity_a, set->motion[a].velocity, 3 * sizeof *velocity_a);
    return;
  }
  double impulse = impact / (1.0 / set->body[a].mass + 1.0 / set->body[b].mass + ease(set, a, i.arm, normal) +
                             ease(set, b, j.arm, normal));
  push_at(set, a, i.arm, normal, impulse, velocity_a);
  push_at(set, b, j.arm, back, impulse, velocity_b);
}

/* ---- begin and end of a step ---- */

static void *per_member(event_driven *state, size_t size)
{
  void *array = arena_allocate(&state->memory, (size_t)state->set.count, size);
  if (array) memset(array, 0, (size_t)state->set.count * size);
  return array;
}

floc_status rotation_begin(event_driven *state)
{
  cluster_set *set = &state->set;
  set->spin = per_member(state, sizeof *set->spin);
  set->image = per_member(state, sizeof *set->image);
  set->turning = per_member(state, sizeof *set->turning);
  set->series = set->dimension == 3 ? per_member(state, sizeof *set->series) : NULL;
  bool whole = set->spin && set->image && set->turning && (set->series || set->dimension == 2);
  return whole ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

void rotation_turn_all(event_driven *state)
{
  for (int32_t k = 0; k < (int32_t)state->set.count; k++)
    if (state->set.body[k].count > 0) cluster_turning_begin(&state->set, k);
}

double rotation_energy(const event_driven *state)
{
  double energy = 0.0;
  for (int64_t k = 0; k < state->set.count; k++)
    if (state->set.body[k].count > 0)
      energy += 0.5 * vector_dot(state->set.spin[k].velocity, state->set.spin[k].momentum);
  return energy;
}

/* After cluster_set_write, which lets all fly straight on. */
static void write_member(const cluster_set *set, particles *table, int32_t member, double turn[3][3],
                         const double omega[3], double now)
{
  const int32_t number = set->member[member].cluster, slot = set->slot[member];
  double arm[3], turned[3], around[3], place[3];
  cluster_arm(set, member, set->spin[number].center, arm);
  for (int row = 0; row < 3; row++) turned[row] = vector_dot(turn[row], arm);
  vector_cross(omega, turned, around);
  if (set->turning[number].rate > 0.0) {
    cluster_turned_position(set, member, now, place);
    for (int axis = 0; axis < set->dimension; axis++) {
      table->column[POSITION[axis]][slot] = domain_wrap(&set->box, axis, place[axis] + set->frame_place[axis]);
      table->column[VELOCITY[axis]][slot] += around[axis];
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    double *column = particles_optional(table, OPTIONAL_wx + axis);
    if (column) column[slot] = omega[axis];
  }
}

void rotation_write(event_driven *state, particles *table)
{
  cluster_set *set = &state->set;
  for (int32_t number = 0; number < (int32_t)set->count; number++) {
    double turn[3][3], omega[3];
    if (set->body[number].count == 0) continue;
    cluster_turn(set, number, state->now - set->motion[number].time, turn);
    cluster_turned_velocity(set, number, turn, omega);
    for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster)
      write_member(set, table, k, turn, omega, state->now);
  }
  cluster_set_note(set, table);
}
