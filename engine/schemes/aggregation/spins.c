/*
 * Angular momenta of clusters. See aggregation/spins.h.
 */
#include "schemes/aggregation/spins.h"

#include "geometry/vector.h"

#include <math.h>

static double own_inertia(const cluster_set *set, int32_t member)
{
  double radius = set->member[member].radius;
  return (set->dimension == 2 ? 0.5 : 0.4) * set->member[member].mass * radius * radius;
}

void cluster_whole_place(const cluster_set *set, int32_t member, double place[3])
{
  for (int axis = 0; axis < 3; axis++)
    place[axis] = set->member[member].base[axis] + set->image[member][axis] * set->box.length[axis];
}

void cluster_arm(const cluster_set *set, int32_t member, const double center[3], double arm[3])
{
  cluster_whole_place(set, member, arm);
  for (int axis = 0; axis < 3; axis++) arm[axis] -= center[axis];
}

void cluster_spins_align(cluster_set *set, int32_t first, int32_t second)
{
  int32_t a = set->member[first].cluster, b = set->member[second].cluster;
  double x[3], y[3];
  cluster_whole_place(set, first, x);
  cluster_whole_place(set, second, y);
  for (int axis = 0; axis < set->dimension; axis++) {
    double length = set->box.length[axis];
    if (length <= 0.0) continue;
    double apart = x[axis] + set->motion[a].offset[axis] - y[axis] - set->motion[b].offset[axis];
    int32_t turns = (int32_t)lround(apart / length);
    if (turns == 0) continue;
    if (a == b) {
      set->spin[a].endless = true;
      continue;
    }
    int32_t moved = cluster_larger(set, a, b) == a ? b : a, by = moved == b ? turns : -turns;
    for (int32_t k = set->body[moved].first; k != NO_MEMBER; k = set->member[k].next_in_cluster)
      set->image[k][axis] += by;
    set->spin[moved].center[axis] += by * length;
  }
  for (int axis = 0; axis < 3 && set->spin[a].endless; axis++) set->spin[a].momentum[axis] = 0.0;
}

void cluster_spins_join(cluster_set *set, int32_t kept, int32_t absorbed)
{
  const cluster_motion *a = &set->motion[kept], *b = &set->motion[absorbed];
  double mass_a = set->body[kept].mass, mass_b = set->body[absorbed].mass, mass = mass_a + mass_b;
  cluster_spin *spin = &set->spin[kept];
  const cluster_spin *other = &set->spin[absorbed];
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

static void find_center(cluster_set *set, int32_t number)
{
  double *center = set->spin[number].center, place[3];
  center[0] = center[1] = center[2] = 0.0;
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    cluster_whole_place(set, k, place);
    for (int axis = 0; axis < 3; axis++) center[axis] += set->member[k].mass * place[axis];
  }
  for (int axis = 0; axis < 3; axis++) center[axis] /= set->body[number].mass;
}

void cluster_spin_find_inertia(cluster_set *set, int32_t number)
{
  cluster_spin *spin = &set->spin[number];
  find_center(set, number);
  spin->radius = 0.0;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) spin->tensor[row][column] = 0.0;
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    double arm[3], mass = set->member[k].mass, own = own_inertia(set, k);
    cluster_arm(set, k, spin->center, arm);
    double square = vector_dot(arm, arm);
    for (int row = 0; row < 3; row++) {
      spin->tensor[row][row] += mass * square + own;
      for (int column = 0; column < 3; column++) spin->tensor[row][column] -= mass * arm[row] * arm[column];
    }
    spin->radius = fmax(spin->radius, sqrt(square) + set->member[k].radius);
  }
}

void cluster_spin_velocity(const cluster_spin *spin, const double momentum[3], int32_t dimension, double omega[3])
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

void cluster_spins_begin(cluster_set *set, const particles *table)
{
  for (int axis = set->dimension == 2 ? 2 : 0; axis < 3; axis++) {
    const double *spin = particles_optional(table, OPTIONAL_wx + axis);
    for (int32_t k = 0; k < (int32_t)set->count && spin; k++)
      set->spin[k].momentum[axis] = own_inertia(set, k) * spin[set->slot[k]];
  }
  for (int64_t k = 0; k < set->count; k++)
    for (int axis = 0; axis < 3; axis++) set->spin[k].center[axis] = set->member[k].base[axis];
}
