/*
 * What it costs to read contacts and a law's pairs as columns from C: processor time per contact. The scenes are
 * those of reading.lua; see run.sh.
 */
#include "floc/floc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 24, TIMES = 7, CALLS = 40, COLUMNS = 17, ROOM = 3 * SIDE * SIDE * SIDE };

static void check(floc_status status, floc_world *world)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s\n", world ? floc_world_message(world) : "no world");
  exit(1);
}

static double noise(void)
{
  static int64_t seed = 1;
  seed = seed * 16807 % 2147483647;
  return (double)seed / 2147483647.0 - 0.5;
}

static floc_world *lattice(double radius)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 3;
  options.time_step = 1e-4;
  options.threads = 1;
  floc_world *world = NULL;
  check(floc_world_create(&options, &world), world);
  for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
    floc_particle_options particle;
    floc_particle_options_init(&particle);
    const int place[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
    for (int axis = 0; axis < 3; axis++) {
      particle.position[axis] = place[axis];
      particle.velocity[axis] = noise();
    }
    particle.radius = radius;
    particle.mass = 1.0;
    check(floc_particle_add(world, &particle, NULL), world);
  }
  return world;
}

static floc_world *soft(int32_t contact_force)
{
  floc_world *world = lattice(0.501);
  floc_discrete_element_options scheme;
  floc_discrete_element_options_init(&scheme);
  scheme.contact_force = contact_force;
  scheme.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  if (contact_force != FLOC_CONTACT_FORCE_NONE) {
    scheme.stiffness = 1e4;
    scheme.young_modulus = 1e6;
    scheme.damping = 1.0;
    scheme.rotation = true;
    scheme.friction = FLOC_FRICTION_SPRING;
    scheme.friction_stiffness = 5e3;
    scheme.friction_static = scheme.friction_dynamic = 0.3;
  }
  check(floc_world_set_discrete_element(world, &scheme), world);
  return world;
}

static floc_status kernel(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = 100.0 * inputs[0][k] - inputs[1][k];
    outputs[1][k] = 50.0 * inputs[0][k] * inputs[0][k];
    outputs[2][k] = inputs[2][k] + 1e-4;
  }
  return FLOC_OK;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* law < 0: contacts */
static void measure(const char *what, floc_world *world, int32_t law, const char *const *names, int32_t columns)
{
  static double number[COLUMNS][ROOM];
  double *to[COLUMNS], times[TIMES];
  int64_t count = 0;
  for (int k = 0; k < COLUMNS; k++) to[k] = number[k];
  for (int n = 0; n < TIMES; n++) {
    const clock_t start = clock();
    for (int call = 0; call < CALLS; call++)
      check(law < 0
                ? floc_world_get_contact_columns(world, names, columns, to, sizeof(double), ROOM, &count)
                : floc_law_get_pairs(world, FLOC_LAW_PAIR, law, names, columns, to, sizeof(double), ROOM, &count),
            world);
    times[n] = (double)(clock() - start) / CLOCKS_PER_SEC / CALLS;
  }
  qsort(times, TIMES, sizeof *times, by_size);
  printf("%s\t%.2f\t%lld\n", what, times[TIMES / 2] / (double)count * 1e9, (long long)count);
}

static void contacts(const char *what, floc_world *world)
{
  static const char *const one[] = {"impulse"}, *const all[COLUMNS] = {"id_i",       "id_j",       "body",
                                                                       "shape",      "distance",   "impulse",
                                                                       "gamma",      "point_x",    "point_y",
                                                                       "point_z",    "normal_x",   "normal_y",
                                                                       "normal_z",   "friction_x", "friction_y",
                                                                       "friction_z", "moment_x"};
  char text[80];
  for (int k = 0; k < 3; k++) check(floc_world_step(world), world);
  snprintf(text, sizeof text, "%s: impulse", what);
  measure(text, world, -1, one, 1);
  snprintf(text, sizeof text, "%s: all 17 columns", what);
  measure(text, world, -1, all, COLUMNS);
  floc_world_destroy(world);
}

int main(void)
{
  static const char *const inputs[] = {"overlap", "normal_velocity", "age"},
                           *const outputs[] = {"normal", "energy", "age"}, *const memory[] = {"age"};
  static const char *const names[] = {"normal", "energy", "age", "id_i", "id_j", "distance"};
  floc_world *world = lattice(0.5);
  contacts("projection", world);
  contacts("Hooke, friction", soft(FLOC_CONTACT_FORCE_HOOKE));
  contacts("Hertz, friction", soft(FLOC_CONTACT_FORCE_HERTZ));
  world = soft(FLOC_CONTACT_FORCE_NONE);
  floc_law_options law;
  floc_law_options_init(&law);
  law.name = "spring";
  law.inputs = inputs;
  law.outputs = outputs;
  law.memory = memory;
  law.input_count = law.output_count = 3;
  law.memory_count = 1;
  law.function = kernel;
  check(floc_pair_law_add(world, &law, NULL), world);
  for (int k = 0; k < 3; k++) check(floc_world_step(world), world);
  measure("law_pairs: normal", world, 0, &names[0], 1);
  measure("law_pairs: energy", world, 0, &names[1], 1);
  measure("law_pairs: age", world, 0, &names[2], 1);
  measure("law_pairs: all 6 columns", world, 0, names, 6);
  floc_world_destroy(world);
  return 0;
}
