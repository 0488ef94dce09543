/*
 * The bodies of the sedimentation (examples/gluey/sedimentation.lua) for programs in C: funnel, wheel, plane
 * with bodies, container. `segments` and `discs` are what the peers' input files are made from as well
 * (write_scene funnel_bodies FILE).
 */
#ifndef FLOC_BENCHMARKS_FUNNEL_SCENE_H
#define FLOC_BENCHMARKS_FUNNEL_SCENE_H

#include "state_file.h"

enum { FUNNEL_SEGMENTS = 9, FUNNEL_DISCS = 4, WHEEL_PADDLES = 6 };

static const double FUNNEL_SEGMENT[FUNNEL_SEGMENTS][4] = {
    {-1.6, 5.2, -1.6, 1.6}, {-1.6, 1.6, -0.08, 0.0},   {1.6, 5.2, 1.6, 1.6},
    {1.6, 1.6, 0.08, 0.0},  {-0.9, -0.3, -0.9, -1.05}, {-0.9, -1.05, 2.2, -2.3},
    {1.7, -2.6, 1.7, -4.2}, {1.7, -4.2, 4.6, -4.2},    {4.6, -4.2, 4.6, -1.5}};
static const double FUNNEL_DISC_X[FUNNEL_DISCS] = {0.5, 0.95, 1.4, 1.85}, FUNNEL_DISC_RADIUS = 0.1;
static const double WHEEL_CENTER[2] = {-0.10, -0.55}, WHEEL_RADIUS = 0.40, WHEEL_SPEED = -2.0;

static inline double funnel_disc_y(double x)
{
  return -1.05 + (x + 0.9) * (-2.3 + 1.05) / (2.2 + 0.9);
}

/* time: how long the wheel has turned. */
static inline void add_funnel_bodies(floc_world *world, double time)
{
  floc_body_options fixed, wheel;
  floc_shape shape;
  floc_compound paddles;
  int32_t body;
  floc_body_options_init(&fixed);
  floc_body_options_init(&wheel);
  floc_shape_init(&shape);
  floc_compound_init(&paddles);
  must_succeed(world, floc_body_add(world, &fixed, &body));
  shape.kind = FLOC_SHAPE_SEGMENT;
  for (int k = 0; k < FUNNEL_SEGMENTS; k++) {
    for (int n = 0; n < 4; n++) shape.points[n / 2][n % 2] = FUNNEL_SEGMENT[k][n];
    must_succeed(world, floc_body_add_shape(world, body, &shape));
  }
  floc_shape_init(&shape);
  shape.kind = FLOC_SHAPE_SPHERE;
  shape.radius = FUNNEL_DISC_RADIUS;
  for (int k = 0; k < FUNNEL_DISCS; k++) {
    shape.points[0][0] = FUNNEL_DISC_X[k];
    shape.points[0][1] = funnel_disc_y(FUNNEL_DISC_X[k]);
    must_succeed(world, floc_body_add_shape(world, body, &shape));
  }
  wheel.position[0] = WHEEL_CENTER[0];
  wheel.position[1] = WHEEL_CENTER[1];
  wheel.rotation[2] = WHEEL_SPEED * time;
  wheel.motion = FLOC_MOTION_CONSTANT;
  wheel.angular_velocity[2] = WHEEL_SPEED;
  must_succeed(world, floc_body_add(world, &wheel, &body));
  paddles.kind = FLOC_COMPOUND_WHEEL;
  paddles.radius = WHEEL_RADIUS;
  paddles.paddles = WHEEL_PADDLES;
  must_succeed(world, floc_body_add_compound(world, body, &paddles));
}

#endif
