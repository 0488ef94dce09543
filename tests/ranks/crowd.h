/*
 * A crowd of spheres over several ranks, and alone: in a box, periodic across, it falls onto a floor and about a
 * body that moves through it, so that particles change hands with what their pairs remember.
 */
#ifndef FLOC_TESTS_RANKS_CROWD_H
#define FLOC_TESTS_RANKS_CROWD_H

#include "support_world.h"

#include "mpi_start.h"
#include "particles/owned.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

static floc_ranks ranks;

static int number_of(const char *name, int otherwise)
{
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

typedef enum owners { ALONE, OVER_RANKS } owners;

static void add_bodies(floc_world *world, double side)
{
  floc_body_options motion;
  floc_body_options_init(&motion);
  motion.motion = FLOC_MOTION_CONSTANT;
  motion.velocity[0] = 0.5;
  motion.angular_velocity[2] = number_of("FLOC_RANKS_ALL", 0); /* a wheel */
  int32_t number;
  assert_world_ok(world, floc_body_add(world, &motion, &number));
  floc_shape ball;
  floc_shape_init(&ball);
  ball.kind = FLOC_SHAPE_SPHERE;
  ball.radius = 0.15 * side;
  ball.points[0][0] = 0.3 * side;
  ball.points[0][1] = -0.2 * side;
  ball.points[0][2] = 0.5 * side;
  assert_world_ok(world, floc_body_add_shape(world, number, &ball));
}

static floc_allocate_function allocator;
static void *allocator_context;

/* choose: sets the scheme and what else acts, before there are particles. */
static floc_world *crowd_make(owners how, int count, void (*choose)(floc_world *world, int kind), int kind)
{
  const double side = 0.28 * cbrt((double)count);
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 3;
  options.time_step = 1e-3;
  options.gravity[1] = -number_of("FLOC_RANKS_GRAVITY", 5);
  options.threads = number_of("FLOC_RANKS_THREADS", 1);
  options.patch_particles = number_of("FLOC_RANKS_PATCH", count / 12);
  options.boundary[0] = FLOC_BOUNDARY_PERIODIC;
  options.boundary[1] = options.boundary[2] = FLOC_BOUNDARY_WALL;
  for (int axis = 0; axis < 3; axis++) options.domain_upper[axis] = side;
  options.domain_lower[1] = -0.5 * side;
  options.domain_upper[1] = 1.5 * side;
  options.allocate = allocator;
  options.allocate_context = allocator_context;
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("%s", options.message);
  if (how == OVER_RANKS) assert_world_ok(world, floc_world_set_ranks(world, &ranks));
  choose(world, kind);
  add_bodies(world, side);
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = count;
  insertion.radius_lower = 0.08;
  insertion.radius_upper = 0.11;
  insertion.velocity_spread = 2.0;
  for (int axis = 0; axis < 3; axis++) insertion.region_upper[axis] = side;
  assert_world_ok(world, floc_particles_insert(world, &insertion, NULL));
  return world;
}

static void run(floc_world *world, int steps)
{
  for (int step = 0; step < steps; step++) assert_world_ok(world, floc_world_step(world));
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_world_ok(world, floc_world_hash(world, &hash));
  return hash;
}

static void assert_same_reports(floc_world *one, floc_world *other)
{
  floc_step_report a, b;
  floc_step_report_init(&a);
  floc_step_report_init(&b);
  assert_int_equal(floc_world_get_report(one, &a), FLOC_OK);
  assert_int_equal(floc_world_get_report(other, &b), FLOC_OK);
  assert_int_equal(a.contacts, b.contacts);
  assert_true(a.contacts > 0 && a.overlap > 0.0);
  assert_true(a.overlap == b.overlap && a.greatest_overlap == b.greatest_overlap);
  assert_true(a.kinetic_energy == b.kinetic_energy);
}

static void assert_same_bodies(floc_world *one, floc_world *other)
{
  for (int32_t number = 0; number < 2; number++) {
    floc_body_state a, b;
    floc_body_state_init(&a);
    floc_body_state_init(&b);
    assert_world_ok(one, floc_body_get_state(one, number, &a));
    assert_world_ok(other, floc_body_get_state(other, number, &b));
    assert_memory_equal(a.force, b.force, sizeof a.force);
    assert_memory_equal(a.torque, b.torque, sizeof a.torque);
  }
}

#endif
