/*
 * One small scenario per scheme and contact law, built by calls that may fail: for golden hashes, failing
 * allocations and runs that are killed. Nothing here asserts.
 */
#ifndef FLOC_TESTS_WORLD_SCENARIOS_H
#define FLOC_TESTS_WORLD_SCENARIOS_H

#include "floc/floc.h"

#include <stdbool.h>
#include <string.h>

typedef struct scenario {
  const char *name;
  int32_t dimension;
  double time_step, gravity;
  double side;     /* of a closed domain; 0: open */
  int steps;       /* of the golden run */
  uint64_t golden; /* hash after them */
  bool rebuilds;   /* after a failed step the scheme starts from the particles, equal but for rounding */
  floc_status (*fill)(floc_world *world);
} scenario;

/* Runs the next call only while all went well. */
#define THEN(status, call)                                                                                         \
  do {                                                                                                             \
    if ((status) == FLOC_OK) (status) = (call);                                                                    \
  } while (0)

/* Radii from 0.8 radius, a product that the compiler forms: at run time it would have the rounding of the host. */
#define scenario_insert(world, count, dimension, lower, upper, radius, spread)                                     \
  scenario_insert_sizes(world, count, dimension, lower, upper, 0.8 * (radius), radius, spread)
static inline floc_status scenario_insert_sizes(floc_world *world, int64_t count, int32_t dimension, double lower,
                                                double upper, double least_radius, double radius, double spread)
{
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = count;
  insertion.radius_lower = least_radius;
  insertion.radius_upper = radius;
  insertion.velocity_spread = spread;
  for (int axis = 0; axis < dimension; axis++) {
    insertion.region_lower[axis] = lower;
    insertion.region_upper[axis] = upper;
  }
  return floc_particles_insert(world, &insertion, NULL);
}

static inline floc_status scenario_wheel(floc_world *world, double x, double y)
{
  floc_body_options turning;
  floc_body_options_init(&turning);
  turning.motion = FLOC_MOTION_CONSTANT;
  turning.angular_velocity[2] = -3.0;
  turning.position[0] = x;
  turning.position[1] = y;
  int32_t body;
  floc_compound wheel;
  floc_compound_init(&wheel);
  wheel.kind = FLOC_COMPOUND_WHEEL;
  wheel.radius = 0.3;
  wheel.paddles = 4;
  floc_status status = floc_body_add(world, &turning, &body);
  THEN(status, floc_body_add_compound(world, body, &wheel));
  return status;
}

/* Hard discs fall onto a turning wheel. */
static inline floc_status fill_pile(floc_world *world)
{
  floc_status status = scenario_wheel(world, 1.0, 0.5);
  THEN(status, scenario_insert(world, 150, 2, 0.0, 2.0, 0.05, 0.5));
  return status;
}

static inline floc_status fill_gluey(floc_world *world)
{
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.contact_law = FLOC_CONTACT_GLUEY;
  projection.gamma_min = -0.5;
  floc_status status = floc_world_set_projection(world, &projection);
  THEN(status, scenario_wheel(world, 1.0, 0.5));
  THEN(status, scenario_insert(world, 120, 2, 0.0, 2.0, 0.05, 0.5));
  return status;
}

/* Maury's aggregation: oscillating shear, attraction, noise. */
static inline floc_status fill_aggregation(floc_world *world)
{
  floc_attraction_options attraction;
  floc_attraction_options_init(&attraction);
  attraction.kappa = 0.002;
  attraction.epsilon = 0.004;
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = FLOC_FLOW_OSCILLATING_SHEAR;
  flow.relaxation_time = 0.2;
  flow.frequency = 3.0;
  floc_noise_options noise;
  floc_noise_options_init(&noise);
  noise.sigma = 0.02;
  floc_status status = floc_attraction_add(world, &attraction, NULL);
  THEN(status, floc_world_set_flow(world, &flow));
  THEN(status, floc_world_set_noise(world, &noise));
  THEN(status, scenario_insert(world, 300, 2, -0.5, 0.5, 0.015, 0.0));
  return status;
}

/* Rough, bouncing spheres in a box. */
static inline floc_status fill_friction(floc_world *world)
{
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.friction = 0.4;
  projection.restitution = 0.3;
  floc_status status = floc_world_set_projection(world, &projection);
  THEN(status, scenario_insert(world, 80, 3, 0.0, 1.0, 0.08, 0.5));
  return status;
}

/* Rods of three discs among loose ones. */
static inline floc_status fill_assemblies(floc_world *world)
{
  floc_status status = FLOC_OK;
  floc_assembly_options rigid;
  floc_assembly_options_init(&rigid);
  rigid.angular_velocity[2] = 1.0;
  for (int k = 0; k < 8; k++) {
    int64_t ids[3];
    floc_particle_options member;
    floc_particle_options_init(&member);
    member.radius = 0.05;
    for (int j = 0; j < 3; j++) {
      member.position[0] = 0.3 + 0.4 * (k % 4) + 0.08 * j;
      member.position[1] = 0.4 + 0.5 * (k / 4);
      THEN(status, floc_particle_add(world, &member, &ids[j]));
    }
    THEN(status, floc_assembly_add(world, ids, 3, &rigid, NULL));
  }
  THEN(status, scenario_insert(world, 40, 2, 0.0, 2.0, 0.05, 0.3));
  return status;
}

static inline floc_status fill_ballistic(floc_world *world)
{
  floc_ballistic_options options;
  floc_ballistic_options_init(&options);
  floc_status status = floc_world_set_ballistic(world, &options);
  THEN(status, scenario_insert(world, 100, 2, 0.0, 10.0, 0.2, 0.5));
  return status;
}

static inline floc_status fill_event_driven(floc_world *world)
{
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  floc_status status = floc_world_set_event_driven(world, &options);
  THEN(status, scenario_insert(world, 100, 3, 0.0, 5.0, 0.2, 0.5));
  return status;
}

/* Spheres with bonds, friction and near field under an acoustic pulse. */
static inline floc_status fill_discrete_element(floc_world *world)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  floc_media media;
  floc_media_init(&media);
  media.body_reflectance = 0.0; /* rays that reach the walls do not come back */
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.direction[0] = 1.0;
  source.aim[0] = source.aim[1] = source.aim[2] = 0.5;
  source.radius = 0.5;
  source.rays = 300;
  source.power = 1e9;
  floc_status status = floc_world_set_discrete_element(world, &options);
  THEN(status, floc_world_set_media(world, &media));
  THEN(status, floc_ray_source_add(world, &source, NULL));
  THEN(status, scenario_insert(world, 150, 3, 0.0, 1.0, 0.05, 0.3));
  return status;
}

/* distance, rest, age, wear -> normal, energy, age, wear, broken */
static inline floc_status scenario_spring(void *context, int32_t count, const double *const *in, double *const *out)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    const double stretch = in[0][k] - in[1][k];
    out[0][k] = -40.0 * stretch;
    out[1][k] = 20.0 * stretch * stretch;
    out[2][k] = in[2][k] + 1.0;
    out[3][k] = in[3][k] + stretch * stretch;
    out[4][k] = out[3][k] > 1.0 ? 1.0 : 0.0;
  }
  return FLOC_OK;
}

/* Chains of ten; the law's memory and an attribute change in each step, and bonds break. */
static inline floc_status fill_bonds(floc_world *world)
{
  static const char *const inputs[] = {"distance", "rest", "age", "wear"};
  static const char *const outputs[] = {"normal", "energy", "age", "wear", "broken"};
  static const char *const memory[] = {"age"}, *const attributes[] = {"rest", "wear"};
  static const double initial[] = {0.2, 0.0};
  floc_discrete_element_options scheme;
  floc_discrete_element_options_init(&scheme);
  scheme.contact_force = FLOC_CONTACT_FORCE_NONE;
  scheme.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  floc_law_options law;
  floc_law_options_init(&law);
  law.function = scenario_spring;
  law.inputs = inputs;
  law.input_count = 4;
  law.outputs = outputs;
  law.output_count = 5;
  law.memory = memory;
  law.memory_count = 1;
  law.pairs = FLOC_PAIRS_BONDS;
  law.attributes = attributes;
  law.attribute_values = initial;
  law.attribute_count = 2;
  floc_status status = floc_world_set_discrete_element(world, &scheme);
  THEN(status, scenario_insert(world, 60, 2, 0.0, 2.0, 0.05, 1.0));
  int32_t number = 0;
  THEN(status, floc_pair_law_add(world, &law, &number));
  int64_t ids[108];
  double rest[54];
  for (int64_t k = 0; k < 54; k++) {
    ids[2 * k] = k / 9 * 10 + k % 9 + 2;
    ids[2 * k + 1] = ids[2 * k] - 1;
    rest[k] = 0.1 + 0.01 * (double)(k % 9);
  }
  THEN(status, floc_law_add_bonds(world, FLOC_LAW_PAIR, number, 54, ids, (const double *const[2]){rest, NULL}));
  return status;
}

static inline floc_status scenario_grains(floc_world *world, int64_t count, const floc_grain_shape_options *form)
{
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = count;
  insertion.radius_lower = 0.25;
  insertion.radius_upper = 0.375;
  insertion.velocity_spread = 0.5;
  for (int axis = 0; axis < 3; axis++) insertion.region_upper[axis] = 2.0;
  floc_status status = floc_grain_shape_add(world, form, &insertion.shape, NULL);
  THEN(status, floc_particles_insert(world, &insertion, NULL));
  return status;
}

/* Boxes, tetrahedra, ellipsoids, rods and balls, rough and bouncing. */
static inline floc_status fill_grains(floc_world *world)
{
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.friction = 0.4;
  projection.restitution = 0.3;
  floc_grain_shape_options box, tetrahedron, ellipsoid, rod;
  floc_grain_shape_options_init(&box);
  floc_grain_shape_options_init(&tetrahedron);
  floc_grain_shape_options_init(&ellipsoid);
  floc_grain_shape_options_init(&rod);
  box.point_count = 8;
  for (int k = 0; k < 24; k++) box.points[k] = (k / 3 >> k % 3 & 1 ? 1.0 : -1.0) * (k % 3 == 0 ? 1.5 : 1.0);
  tetrahedron.point_count = 4;
  for (int k = 0; k < 3; k++) tetrahedron.points[3 + 4 * k] = 1.0;
  ellipsoid.semi_axes[0] = 1.25;
  ellipsoid.semi_axes[1] = 1.0;
  ellipsoid.semi_axes[2] = 0.75;
  rod.corner_count = 2;
  rod.corners[0] = 1.0;
  rod.rounding = 0.375;
  floc_status status = floc_world_set_projection(world, &projection);
  THEN(status, scenario_grains(world, 5, &box));
  THEN(status, scenario_grains(world, 4, &tetrahedron));
  THEN(status, scenario_grains(world, 5, &ellipsoid));
  THEN(status, scenario_grains(world, 3, &rod));
  THEN(status, scenario_insert_sizes(world, 4, 3, 0.0, 2.0, 0.125, 0.1875, 0.5));
  return status;
}

static const scenario scenarios[] = {
    {"pile", 2, 0.005, -10.0, 2.0, 120, UINT64_C(0x335269c8029c2be8), false, fill_pile},
    {"gluey", 2, 0.005, -10.0, 2.0, 120, UINT64_C(0x4d12a0bf664a3461), false, fill_gluey},
    {"aggregation", 2, 0.01, 0.0, 0.0, 80, UINT64_C(0x481765146d1515d5), false, fill_aggregation},
    {"friction", 3, 0.005, -10.0, 1.0, 80, UINT64_C(0x9481fe915e03e344), false, fill_friction},
    {"assemblies", 2, 0.005, -10.0, 2.0, 80, UINT64_C(0x1c72abbf9b71c3b2), false, fill_assemblies},
    {"ballistic", 2, 0.05, 0.0, 10.0, 40, UINT64_C(0x8604279fd3766c3f), true, fill_ballistic},
    {"event_driven", 3, 0.05, 0.0, 5.0, 40, UINT64_C(0xbabfc5d2ea8ac592), true, fill_event_driven},
    {"discrete_element", 3, 1e-4, 0.0, 1.0, 40, UINT64_C(0x8947539b77cc6275), false, fill_discrete_element},
    {"grains", 3, 0.005, -10.0, 2.0, 120, UINT64_C(0xf2c74b94cccaa396), false, fill_grains},
    {"bonds", 2, 0.005, -10.0, 0.0, 120, UINT64_C(0x114d44e428a90767), false, fill_bonds},
};

enum { SCENARIO_COUNT = sizeof scenarios / sizeof *scenarios };

/* A world of the scenario; on failure *world is what there is of it, or NULL. */
static inline floc_status scenario_create(const scenario *it, int32_t threads, floc_allocate_function allocate,
                                          void *context, floc_world **world)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = it->dimension;
  options.time_step = it->time_step;
  options.gravity[1] = it->gravity;
  options.threads = threads;
  options.allocate = allocate;
  options.allocate_context = context;
  for (int axis = 0; axis < it->dimension && it->side > 0.0; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_WALL;
    options.domain_upper[axis] = it->side;
  }
  floc_status status = floc_world_create(&options, world);
  THEN(status, it->fill(*world));
  return status;
}

static inline floc_status scenario_run(floc_world *world, int steps)
{
  floc_status status = FLOC_OK;
  for (int k = 0; k < steps && status == FLOC_OK; k++) status = floc_world_step(world);
  return status;
}

#endif
