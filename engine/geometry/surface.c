/*
 * How fast the surface of a moving body goes: friction drags particles along with it, rebound counts it.
 */
#include "geometry/bodies.h"

#include "geometry/rotation.h"
#include "geometry/vector.h"

/* Mean angular velocity from pose now to pose next. */
static void mean_rotation(const body *moved, int32_t dimension, double time_step, double spin[3])
{
  spin[0] = spin[1] = spin[2] = 0.0;
  if (dimension == 2) {
    spin[2] = (moved->next.angle - moved->now.angle) / time_step;
    return;
  }
  double turn[4];
  rotation_between(moved->now.orientation, moved->next.orientation, turn);
  rotation_to_vector(turn, spin);
  for (int axis = 0; axis < 3; axis++) spin[axis] /= time_step;
}

void body_point_velocity(const body *moved, int32_t dimension, double time_step, const double point[3],
                         double velocity[3])
{
  double spin[3], arm[3], turning[3];
  mean_rotation(moved, dimension, time_step, spin);
  vector_difference(point, moved->next.position, arm);
  vector_cross(spin, arm, turning);
  for (int axis = 0; axis < 3; axis++)
    velocity[axis] = (moved->next.position[axis] - moved->now.position[axis]) / time_step + turning[axis];
  if (dimension == 2) velocity[2] = 0.0;
}

void body_last_velocity(const body *moved, const double point[3], double velocity[3])
{
  double arm[3], turning[3];
  vector_difference(point, moved->next.position, arm);
  vector_cross(moved->angular_velocity, arm, turning);
  for (int axis = 0; axis < 3; axis++) velocity[axis] = moved->velocity[axis] + turning[axis];
}
