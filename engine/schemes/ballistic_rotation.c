/*
 * Rotation of clusters about their centres, which Degond et al. 2024 describe in section 2 and omit.
 *
 * A cluster carries its angular momentum J about its centre of mass; the spheres (discs) take part with
 * their own moments of inertia, 2/5 m R^2 (1/2 m R^2). Free rotation keeps J; the angular velocity follows
 * from the inertia tensor I of the present places, omega = I^-1 J. In the plane this is exact; in space
 * omega is taken at the middle of the step. At a merge J is the sum of both and of the orbital part
 * m_a m_b / (m_a + m_b) (x_a - x_b) x (v_a - v_b), (2.9) with the correct cross product.
 *
 * Turning changes the places of all members, so a step with rotation costs the number of particles.
 */
#include "schemes/ballistic_state.h"

#include <math.h>

floc_status ballistic_begin_spins(ballistic *state)
{
  for (int64_t k = 0; k < state->set.count; k++)
    for (int axis = 0; axis < 3; axis++) state->spin[k].center[axis] = state->set.member[k].base[axis];
  return FLOC_OK;
}

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
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
    double there = other->center[axis] + (b->offset[axis] - a->offset[axis]);
    distance[axis] = domain_shortest(&set->box, axis, spin->center[axis] - there);
    speed[axis] = a->velocity[axis] - b->velocity[axis];
  }
  cross(distance, speed, orbit);
  for (int axis = 0; axis < 3; axis++) {
    spin->momentum[axis] += other->momentum[axis] + mass_a * mass_b / mass * orbit[axis];
    spin->center[axis] -= mass_b / mass * distance[axis];
  }
}

/* ---- inertia ---- */

typedef struct inertia {
  double center[3], tensor[3][3], radius; /* radius: of the ball about the centre that holds the members */
} inertia;

/* Of the members at base + turn (base - center), turn an angle vector. */
static void rotate_vector(const double angle[3], const double from[3], double to[3])
{
  double size = sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]), around[3], twice[3];
  if (size == 0.0) {
    for (int axis = 0; axis < 3; axis++) to[axis] = from[axis];
    return;
  }
  double unit[3] = {angle[0] / size, angle[1] / size, angle[2] / size};
  cross(unit, from, around);
  cross(unit, around, twice);
  for (int axis = 0; axis < 3; axis++)
    to[axis] = from[axis] + sin(size) * around[axis] + (1.0 - cos(size)) * twice[axis];
}

static void find_center(const cluster_set *set, int32_t number, double center[3])
{
  center[0] = center[1] = center[2] = 0.0;
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster)
    for (int axis = 0; axis < 3; axis++) center[axis] += set->member[k].mass * set->member[k].base[axis];
  for (int axis = 0; axis < 3; axis++) center[axis] /= set->body[number].mass;
}

/* The tensor after the members have turned by `angle`. */
static void find_inertia(const cluster_set *set, int32_t number, const double angle[3], inertia *found)
{
  *found = (inertia){.radius = 0.0};
  find_center(set, number, found->center);
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    const cluster_member *member = &set->member[k];
    double arm[3], y[3], square = 0.0;
    for (int axis = 0; axis < 3; axis++) arm[axis] = member->base[axis] - found->center[axis];
    rotate_vector(angle, arm, y);
    for (int axis = 0; axis < 3; axis++) square += y[axis] * y[axis];
    double own = (set->dimension == 2 ? 0.5 : 0.4) * member->radius * member->radius;
    for (int row = 0; row < 3; row++) {
      found->tensor[row][row] += member->mass * (square + own);
      for (int column = 0; column < 3; column++) found->tensor[row][column] -= member->mass * y[row] * y[column];
    }
    found->radius = fmax(found->radius, sqrt(square) + member->radius);
  }
}

/* I^-1 J; in the plane only the axis through it counts. */
static void angular_velocity(double t[3][3], const double momentum[3], int32_t dimension, double omega[3])
{
  omega[0] = omega[1] = omega[2] = 0.0;
  if (dimension == 2) {
    omega[2] = momentum[2] / t[2][2];
    return;
  }
  double first[3], second[3], third[3];
  cross(t[1], t[2], first); /* rows of the adjugate: the tensor is symmetric */
  cross(t[2], t[0], second);
  cross(t[0], t[1], third);
  double determinant = t[0][0] * first[0] + t[0][1] * first[1] + t[0][2] * first[2];
  for (int axis = 0; axis < 3; axis++)
    omega[axis] =
        (first[axis] * momentum[0] + second[axis] * momentum[1] + third[axis] * momentum[2]) / determinant;
}

static const double NO_ANGLE[3] = {0.0, 0.0, 0.0};

static bool is_turning(const ballistic *state, int32_t number)
{
  const double *momentum = state->spin[number].momentum;
  return state->set.body[number].count > 1 && (momentum[0] != 0.0 || momentum[1] != 0.0 || momentum[2] != 0.0);
}

double ballistic_spin_speed(const ballistic *state, int32_t number)
{
  if (!is_turning(state, number)) return 0.0;
  inertia now;
  double omega[3];
  find_inertia(&state->set, number, NO_ANGLE, &now);
  angular_velocity(now.tensor, state->spin[number].momentum, state->dimension, omega);
  return now.radius * sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
}

double ballistic_spin_energy(const ballistic *state)
{
  double energy = 0.0;
  for (int32_t k = 0; k < (int32_t)state->set.count; k++) {
    if (!is_turning(state, k)) continue;
    inertia now;
    double omega[3];
    const double *momentum = state->spin[k].momentum;
    find_inertia(&state->set, k, NO_ANGLE, &now);
    angular_velocity(now.tensor, momentum, state->dimension, omega);
    energy += 0.5 * (omega[0] * momentum[0] + omega[1] * momentum[1] + omega[2] * momentum[2]);
  }
  return energy;
}

/* ---- turning ---- */

static void turn_cluster(ballistic *state, int32_t number, double time)
{
  cluster_set *set = &state->set;
  cluster_spin *spin = &state->spin[number];
  inertia now;
  double omega[3], angle[3];
  find_inertia(set, number, NO_ANGLE, &now);
  angular_velocity(now.tensor, spin->momentum, state->dimension, omega);
  if (state->dimension == 3) {
    for (int axis = 0; axis < 3; axis++) angle[axis] = 0.5 * time * omega[axis];
    find_inertia(set, number, angle, &now);
    angular_velocity(now.tensor, spin->momentum, state->dimension, omega);
  }
  for (int axis = 0; axis < 3; axis++) angle[axis] = time * omega[axis];
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    double arm[3], turned[3];
    for (int axis = 0; axis < 3; axis++) arm[axis] = set->member[k].base[axis] - now.center[axis];
    rotate_vector(angle, arm, turned);
    for (int axis = 0; axis < set->dimension; axis++) set->member[k].base[axis] = now.center[axis] + turned[axis];
  }
  for (int axis = 0; axis < 3; axis++) spin->center[axis] = now.center[axis];
  double size = sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);
  set->motion[number].travelled += now.radius * size;
  cluster_find_box(set, number);
}

void ballistic_rotate(ballistic *state, double time)
{
  for (int64_t k = 0; k < state->alive_count; k++)
    if (is_turning(state, state->alive[k])) turn_cluster(state, state->alive[k], time);
}
